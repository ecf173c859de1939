//! Where a function's variables are declared in Rust, and which of its loops are ranges.
//!
//! C declares early and assigns later; Rust declares where the first value is known. For a variable
//! without an initializer, the declaration moves to its first assignment when that is sure to come
//! before every other use, and vanishes when only range loops use the variable.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::range::{self, Range};
use crate::source::Span;
use crate::translate::base::facts::Facts;
use crate::translate::base::places::is_global;
use crate::typed::walk::{self, Visit};
use crate::typed::{Block, Expr, ExprKind, Init, Program, Stmt, StmtKind, VarId};

/// Where a local is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Where C does.
    Here,
    /// By the assignment at this place.
    At(Span),
    /// Nowhere: it is not used, or only as the variable of range loops.
    Nowhere,
}

/// The plan for one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    ranges: HashMap<Span, Range>,
    places: HashMap<VarId, Place>,
    events: Events,
}

impl Plan {
    /// The plan for a function's body.
    pub(crate) fn new(program: &Program, facts: &Facts, body: &Block) -> Plan {
        let mut plan = Plan::default();
        let events = Events::new(program, body);
        walk::stmts(program, body, &mut |s| {
            if let Some(range) = range::range(program, facts, s)
                && (range.declares || events.dead_after(s.span, range.var))
            {
                plan.ranges.insert(s.span, range);
            }
        });
        let mut blocks = vec![body];
        while let Some(block) = blocks.pop() {
            for (at, stmt) in block.stmts.iter().enumerate() {
                if let StmtKind::Decl(vars) = &stmt.kind {
                    let after = &block.stmts[at + 1..];
                    for var in vars.iter().filter(|v| !is_global(program, **v)) {
                        match &program.var(*var).init {
                            None => {
                                let place = plan.place(program, *var, after);
                                plan.places.insert(*var, place);
                            }
                            // `int i = 0;` of which only range loops make use.
                            Some(Init::Expr(e))
                                if crate::typed::consts::int_value(e, program).is_some()
                                    && facts.var(*var).uses > 0
                                    && !after.iter().any(|s| plan.mentions(program, *var, s)) =>
                            {
                                plan.places.insert(*var, Place::Nowhere);
                            }
                            Some(_) => {}
                        }
                    }
                }
                inner_blocks(stmt, &mut blocks);
            }
        }
        plan.events = events;
        plan
    }

    /// Whether no value that a local has in an iteration of a loop is read in another one, or after the loop.
    pub(crate) fn private(&self, span: Span, var: VarId) -> bool {
        self.events.dead_after(span, var) && self.events.set_first(span, var)
    }

    /// Whether each iteration of a loop sets a local before it reads it.
    pub(crate) fn set_first(&self, span: Span, var: VarId) -> bool {
        self.events.set_first(span, var)
    }

    /// The loop as a range, if it is one.
    pub(crate) fn range(&self, span: Span) -> Option<&Range> {
        self.ranges.get(&span)
    }

    /// How many of the assignments to a variable are those of range loops, which have a variable of their own in Rust.
    pub(crate) fn stepped(&self, var: VarId) -> u32 {
        let own = self.ranges.values();
        2 * own.filter(|r| r.var == var && !r.declares).count() as u32
    }

    /// Where a variable is declared.
    pub(crate) fn declared(&self, var: VarId) -> Place {
        self.places.get(&var).copied().unwrap_or(Place::Here)
    }

    fn place(&self, program: &Program, var: VarId, stmts: &[Stmt]) -> Place {
        let mut users = stmts.iter().filter(|s| self.mentions(program, var, s));
        let Some(first) = users.next() else {
            return Place::Nowhere;
        };
        let ty = &program.var(var).ty;
        if !(ty.is_scalar() || matches!(ty, crate::ctypes::Type::Struct(_))) {
            return Place::Here;
        }
        if let StmtKind::Expr(Expr {
            kind: ExprKind::Assign(place, value),
            ..
        }) = &first.kind
            && place.as_var() == Some(var)
            && !in_expr(program, var, value)
            && first.directives.is_empty()
        {
            return Place::At(first.span);
        }
        if users.next().is_some() {
            return Place::Here;
        }
        let inner = match &first.kind {
            StmtKind::Block(b) => Some(&b.stmts[..]),
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                let outside = init.iter().any(|s| self.mentions(program, var, s))
                    || cond.iter().chain(step).any(|e| in_expr(program, var, e));
                (!outside).then(|| body_of(body))
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { cond, body } => {
                (!in_expr(program, var, cond)).then(|| body_of(body))
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                let in_then = self.mentions(program, var, then);
                let in_else = otherwise
                    .as_ref()
                    .filter(|o| self.mentions(program, var, o));
                match (in_expr(program, var, cond), in_then, in_else) {
                    (false, true, None) => Some(body_of(then)),
                    (false, false, Some(other)) => Some(body_of(other)),
                    _ => None,
                }
            }
            _ => None,
        };
        match inner {
            Some(stmts) => self.place(program, var, stmts),
            None => Place::Here,
        }
    }

    /// Whether a statement mentions a variable other than as the variable of a range loop.
    pub(crate) fn mentions(&self, program: &Program, var: VarId, stmt: &Stmt) -> bool {
        struct Look<'a> {
            plan: &'a Plan,
            var: VarId,
            found: bool,
        }
        impl Visit for Look<'_> {
            fn stmt(&mut self, s: &Stmt) -> bool {
                !self.found
                    && self
                        .plan
                        .range(s.span)
                        .is_none_or(|r| r.var != self.var || r.declares)
            }
            fn expr(&mut self, e: &Expr) -> bool {
                self.found |= e.as_var() == Some(self.var);
                !self.found
            }
        }
        let mut look = Look {
            plan: self,
            var,
            found: false,
        };
        walk::stmt(&mut look, program, stmt);
        look.found
            || self.range(stmt.span).is_some_and(|r| {
                r.var == var
                    && !r.declares
                    && (in_expr(program, var, &r.start) || in_expr(program, var, &r.end))
            })
    }
}

fn body_of(stmt: &Stmt) -> &[Stmt] {
    match &stmt.kind {
        StmtKind::Block(b) if stmt.directives.is_empty() => &b.stmts,
        _ => std::slice::from_ref(stmt),
    }
}

fn in_expr(program: &Program, var: VarId, expr: &Expr) -> bool {
    let mut found = false;
    walk::parts(program, expr, &mut |e| found |= e.as_var() == Some(var));
    found
}

fn inner_blocks<'a>(stmt: &'a Stmt, out: &mut Vec<&'a Block>) {
    match &stmt.kind {
        StmtKind::Block(b) => out.push(b),
        StmtKind::If {
            then, otherwise, ..
        } => {
            inner_blocks(then, out);
            if let Some(other) = otherwise {
                inner_blocks(other, out);
            }
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => inner_blocks(body, out),
        StmtKind::Switch { arms, .. } => arms
            .iter()
            .flat_map(|a| &a.body)
            .for_each(|s| inner_blocks(s, out)),
        _ => {}
    }
}

/// Reads and writes of a function's variables in the order of the source, for two questions: whether a variable of a
/// loop is read after the loop before it is set again, and whether each iteration sets it first.
#[derive(Clone, Debug, Default)]
struct Events {
    list: Vec<Event>,
    loops: HashMap<Span, Around>,
}

/// Where the events of a loop stand.
#[derive(Clone, Debug)]
struct Around {
    start: usize,
    end: usize,
    /// The conditional regions around it.
    path: Vec<u32>,
    /// The region that its body is.
    body: u32,
}

#[derive(Clone, Debug)]
struct Event {
    var: VarId,
    set: bool,
    /// The conditional regions around it, outermost first.
    path: Vec<u32>,
}

impl Events {
    fn new(program: &Program, body: &Block) -> Events {
        let mut walker = Walker {
            program,
            events: Events::default(),
            path: Vec::new(),
            next: 0,
        };
        walker.block(body);
        walker.events
    }

    /// Whether the first thing that an iteration does with a variable, on every way through it, is to set it.
    fn set_first(&self, span: Span, var: VarId) -> bool {
        let Some(around) = self.loops.get(&span) else {
            return false;
        };
        let body: Vec<u32> = around.path.iter().copied().chain([around.body]).collect();
        let mut set_in: Vec<&[u32]> = Vec::new();
        for event in self.list[around.start..around.end]
            .iter()
            .filter(|e| e.var == var)
        {
            match event.set {
                true if body.starts_with(&event.path) => return true,
                true => set_in.push(&event.path),
                false if set_in.iter().any(|r| event.path.starts_with(r)) => {}
                false => return false,
            }
        }
        true
    }

    fn dead_after(&self, span: Span, var: VarId) -> bool {
        let Some(Around {
            start, end, path, ..
        }) = self.loops.get(&span)
        else {
            return false;
        };
        // `Some(dead)` when an event decides.
        let decide = |range: std::ops::Range<usize>| {
            // Conditional regions that set the variable before they read it.
            let mut set_in: Vec<&[u32]> = Vec::new();
            self.list[range]
                .iter()
                .filter(|e| e.var == var)
                .find_map(|e| match e.set {
                    false if set_in.iter().any(|r| e.path.starts_with(r)) => None,
                    false => Some(false),
                    true if path.starts_with(&e.path) => Some(true),
                    true => {
                        set_in.push(&e.path);
                        None
                    }
                })
        };
        if let Some(dead) = decide(*end..self.list.len()) {
            return dead;
        }
        let mut around: Vec<&Around> = self
            .loops
            .values()
            .filter(|a| a.start <= *start && *end <= a.end && (a.start, a.end) != (*start, *end))
            .collect();
        around.sort_by_key(|a| a.end - a.start);
        for outer in around {
            if let Some(dead) = decide(outer.start..*start) {
                return dead;
            }
        }
        true
    }
}

struct Walker<'a> {
    program: &'a Program,
    events: Events,
    path: Vec<u32>,
    next: u32,
}

impl Walker<'_> {
    /// A part that may not run; its number.
    fn region(&mut self, f: impl FnOnce(&mut Self)) -> u32 {
        self.next += 1;
        let number = self.next;
        self.path.push(number);
        f(self);
        self.path.pop();
        number
    }

    /// One arm of an `if`; the variables that it sets on every way.
    fn arm(&mut self, stmt: &Stmt) -> BTreeSet<VarId> {
        let start = self.events.list.len();
        let number = self.region(|w| w.stmt(stmt));
        let own =
            |e: &&Event| e.path.len() == self.path.len() + 1 && e.path.last() == Some(&number);
        let sets = self.events.list[start..].iter().filter(|e| e.set);
        sets.filter(own).map(|e| e.var).collect()
    }

    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|s| self.stmt(s));
    }

    fn event(&mut self, var: VarId, set: bool) {
        self.events.list.push(Event {
            var,
            set,
            path: self.path.clone(),
        });
    }

    fn expr(&mut self, expr: &Expr) {
        // A plain assignment as a whole expression sets after reading its value.
        if let ExprKind::Assign(place, value) = &expr.kind
            && let Some(var) = place.as_var()
        {
            self.expr(value);
            self.event(var, true);
            return;
        }
        if let ExprKind::Comma(a, b) = &expr.kind {
            self.expr(a);
            self.expr(b);
            return;
        }
        let mut used: Vec<VarId> = Vec::new();
        walk::parts(self.program, expr, &mut |e| used.extend(e.as_var()));
        let mut seen = HashSet::new();
        used.retain(|v| seen.insert(*v));
        used.into_iter().for_each(|v| self.event(v, false));
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(e) => self.expr(e),
            Init::List(list) => list.iter().for_each(|(_, i)| self.init(i)),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue | StmtKind::Directive(_) => {}
            StmtKind::Decl(vars) => {
                for var in vars {
                    if let Some(init) = &self.program.var(*var).init {
                        self.init(init);
                    }
                }
            }
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                let first = self.arm(then);
                if let Some(other) = otherwise {
                    let second = self.arm(other);
                    // What both arms set is set.
                    let both = first.intersection(&second).copied().collect::<Vec<_>>();
                    both.into_iter().for_each(|var| self.event(var, true));
                }
            }
            StmtKind::While { cond, body } => {
                let start = self.events.list.len();
                self.expr(cond);
                let inner = self.region(|w| w.stmt(body));
                self.close(stmt.span, start, inner);
            }
            StmtKind::DoWhile { body, cond } => {
                let start = self.events.list.len();
                let inner = self.region(|w| {
                    w.stmt(body);
                    w.expr(cond);
                });
                self.close(stmt.span, start, inner);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                if let Some(init) = init {
                    self.stmt(init);
                }
                let start = self.events.list.len();
                if let Some(cond) = cond {
                    self.expr(cond);
                }
                let inner = self.region(|w| {
                    w.stmt(body);
                    if let Some(step) = step {
                        w.expr(step);
                    }
                });
                self.close(stmt.span, start, inner);
            }
            StmtKind::Switch { value, arms } => {
                self.expr(value);
                for arm in arms {
                    self.region(|w| arm.body.iter().for_each(|s| w.stmt(s)));
                }
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
        }
    }

    fn close(&mut self, span: Span, start: usize, body: u32) {
        let around = Around {
            start,
            end: self.events.list.len(),
            path: self.path.clone(),
            body,
        };
        self.events.loops.insert(span, around);
    }
}

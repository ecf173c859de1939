//! Writes the statements that use a choice once for each of its cases, under the condition that it is this one.

use super::super::usage::{quiet, same};
use super::life::Life;
use super::{Pick, Table, core, row, row_of};
use crate::ctypes::INT;
use crate::directive::DirectiveKind;
use crate::source::Span;
use crate::typed::change::{change, change_stmt};
use crate::typed::{
    BinaryOp, Block, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, VarId, copy, walk,
};

/// How often a statement is written at most.
const COPIES: u32 = 16;

/// What a statement's places depend on.
#[derive(Clone)]
enum Choice {
    Pick(usize),
    /// The number that elements of tables are taken by, and how many of them there are.
    Row(Expr, usize),
}

/// Calls `f` on each list of statements, outer ones first.
pub(super) fn blocks(stmts: &[Stmt], f: &mut dyn FnMut(&[Stmt])) {
    f(stmts);
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Block(b) => blocks(&b.stmts, f),
            StmtKind::If {
                then, otherwise, ..
            } => {
                blocks(single(then), f);
                otherwise.iter().for_each(|s| blocks(single(s), f));
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => blocks(single(body), f),
            StmtKind::Switch { arms, .. } => arms.iter().for_each(|a| blocks(&a.body, f)),
            _ => {}
        }
    }
}

fn single(stmt: &Stmt) -> &[Stmt] {
    match &stmt.kind {
        StmtKind::Block(b) => &b.stmts,
        _ => std::slice::from_ref(stmt),
    }
}

/// Rewrites a function; `None` where something stands in the way.
pub(super) fn rewrite(
    program: &mut Program,
    id: FnId,
    picks: &[Pick],
    tables: &[Table],
) -> Option<()> {
    let life = Life::new(program, id);
    let mut body = program.functions[id.0 as usize].body.take()?;
    let mut unfold = Unfold {
        program,
        life,
        picks,
        tables,
    };
    unfold.numbers(&mut body.stmts);
    body.stmts = unfold.list(std::mem::take(&mut body.stmts), 1)?;
    program.functions[id.0 as usize].body = Some(body);
    let gone = picks.iter().flat_map(|p| &p.members).map(|(var, _)| *var);
    for var in gone.chain(tables.iter().map(|t| t.var)) {
        program.vars[var.0 as usize].init = None;
    }
    Some(())
}

struct Unfold<'p> {
    program: &'p mut Program,
    life: Life,
    picks: &'p [Pick],
    tables: &'p [Table],
}

impl Unfold<'_> {
    fn member(&self, var: VarId) -> Option<(usize, usize)> {
        self.picks.iter().enumerate().find_map(|(at, pick)| {
            let member = pick.members.iter().position(|(v, _)| *v == var)?;
            Some((at, member))
        })
    }

    fn is_table(&self, var: VarId) -> bool {
        self.tables.iter().any(|t| t.var == var)
    }

    /// Sets numbers where the source sets pointers.
    fn numbers(&mut self, stmts: &mut Vec<Stmt>) {
        self.turns(stmts);
        for stmt in stmts.iter_mut() {
            match &mut stmt.kind {
                StmtKind::Decl(vars) => self.declared(vars),
                StmtKind::Block(b) => self.numbers(&mut b.stmts),
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    self.inner(then);
                    if let Some(s) = otherwise {
                        self.inner(s);
                    }
                }
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::For { body, .. } => self.inner(body),
                StmtKind::Switch { arms, .. } => {
                    arms.iter_mut().for_each(|a| self.numbers(&mut a.body));
                }
                StmtKind::Expr(_) => self.assigned(stmt),
                _ => {}
            }
        }
        stmts.retain(|s| {
            !matches!(&s.kind, StmtKind::Decl(vars) if vars.is_empty())
                && (s.kind != StmtKind::Empty || !s.comments.is_empty())
        });
    }

    /// Lets exchanges set numbers.
    fn turns(&self, stmts: &mut Vec<Stmt>) {
        for pick in self.picks {
            let Some(number) = pick.number else { continue };
            let mut at = 0;
            while at < stmts.len() {
                if let Some(count) = pick.turns.get(&stmts[at].span) {
                    let span = Span {
                        hi: stmts[at].span.lo + 1,
                        ..stmts[at].span
                    };
                    let next = next(number, pick.members.len(), span);
                    let comments = std::mem::take(&mut stmts[at].comments);
                    let turn = Stmt {
                        comments,
                        ..stmt(StmtKind::Expr(next), span)
                    };
                    stmts.splice(at..at + count, [turn]);
                }
                at += 1;
            }
        }
    }

    fn inner(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Expr(_) => self.assigned(stmt),
            _ => {
                let mut one = vec![std::mem::replace(stmt, empty(stmt.span))];
                self.numbers(&mut one);
                if let Some(back) = one.pop() {
                    *stmt = back;
                }
            }
        }
    }

    fn declared(&mut self, vars: &mut Vec<VarId>) {
        let old = std::mem::take(vars);
        for var in old {
            if self.is_table(var) {
                continue;
            }
            let Some((at, member)) = self.member(var) else {
                vars.push(var);
                continue;
            };
            let pick = &self.picks[at];
            if let Some(number) = pick.number.filter(|_| member == 0) {
                let init = match &self.program.var(var).init {
                    Some(Init::Expr(value)) => Some(
                        pick.events
                            .get(&value.span)
                            .cloned()
                            .unwrap_or_else(|| Expr::int(0, INT, value.span)),
                    ),
                    _ => None,
                };
                self.program.vars[number.0 as usize].init = init.map(|e| Init::Expr(Box::new(e)));
                vars.push(number);
            }
        }
    }

    fn assigned(&self, stmt: &mut Stmt) {
        let StmtKind::Expr(Expr {
            kind: ExprKind::Assign(place, value),
            ty,
            ..
        }) = &mut stmt.kind
        else {
            return;
        };
        if row_of(place).is_some_and(|(of, _)| self.is_table(of)) {
            stmt.kind = StmtKind::Empty;
            return;
        }
        let Some((at, member)) = place.as_var().and_then(|v| self.member(v)) else {
            return;
        };
        let pick = &self.picks[at];
        match (pick.number, pick.events.get(&value.span)) {
            (Some(number), Some(event)) if member == 0 => {
                place.kind = ExprKind::Var(number);
                place.ty = INT;
                **value = event.clone();
                *ty = INT;
            }
            _ => stmt.kind = StmtKind::Empty,
        }
    }

    /// The statements with each choice decided; each of them is written `copies` times so far.
    fn list(&mut self, stmts: Vec<Stmt>, copies: u32) -> Option<Vec<Stmt>> {
        let mut out = Vec::new();
        let mut rest: std::collections::VecDeque<Stmt> = stmts.into();
        while let Some(mut stmt) = rest.pop_front() {
            let Some(choice) = self.choice(&stmt) else {
                out.push(stmt);
                continue;
            };
            if let StmtKind::Decl(vars) = &stmt.kind {
                let vars = vars.clone();
                if vars.iter().all(|v| {
                    let var = self.program.var(*v);
                    var.ty.is_arithmetic() || !self.in_init(&var.init, &choice)
                }) {
                    for var in vars {
                        self.value(var, &choice, copies)?;
                    }
                    rest.push_front(stmt);
                    continue;
                }
                let mut run = vec![stmt];
                let mut until = 0;
                // Up to where what is declared here is used last.
                loop {
                    let declared = declared(self.program, &run);
                    let more = rest
                        .iter()
                        .rposition(|s| mentions(self.program, s, &|v| declared.contains(&v)));
                    let count = more.map_or(0, |at| at + 1);
                    if count == 0 {
                        break;
                    }
                    until += count;
                    run.extend(rest.drain(..count));
                }
                let _ = until;
                if run.iter().any(|s| self.descends(s, &choice)) {
                    return None;
                }
                out.extend(self.cases(run, &choice, copies)?);
                continue;
            }
            if self.descends(&stmt, &choice) {
                self.descend(&mut stmt, copies)?;
                out.push(stmt);
                continue;
            }
            let mut run = vec![stmt];
            while let Some(next) = rest.front()
                && !matches!(next.kind, StmtKind::Decl(_))
                && next.comments.is_empty()
                && self.uses(next, &choice)
                && !self.descends(next, &choice)
                && self.steady(&run, &choice)
            {
                run.extend(rest.pop_front());
            }
            out.extend(self.cases(run, &choice, copies)?);
        }
        Some(out)
    }

    /// Whether statements leave the number as it is that a choice depends on.
    fn steady(&self, run: &[Stmt], choice: &Choice) -> bool {
        match choice {
            Choice::Pick(_) => true,
            Choice::Row(core, _) => !run
                .iter()
                .any(|s| self.life.changes(self.program, core, s.span)),
        }
    }

    fn choice_in(&self, e: &Expr) -> Option<Choice> {
        if let Some((at, _)) = e.as_var().and_then(|v| self.member(v)) {
            return Some(Choice::Pick(at));
        }
        let (table, index) = row_of(e)?;
        let table = self.tables.iter().find(|t| t.var == table)?;
        Some(Choice::Row(
            core(self.program, index).0.clone(),
            table.places.len(),
        ))
    }

    /// The first choice that a statement uses.
    fn choice(&self, stmt: &Stmt) -> Option<Choice> {
        let mut found = None;
        walk::exprs(self.program, stmt, &mut |e| {
            if found.is_none() {
                found = self.choice_in(e);
            }
        });
        self.directives(stmt, &mut |e| {
            if found.is_none() {
                found = self.choice_in(e);
            }
        });
        found
    }

    /// The expressions of all directives in a statement.
    fn directives(&self, stmt: &Stmt, f: &mut dyn FnMut(&Expr)) {
        let mut visit = |d: &crate::directive::Directive<Expr>| {
            let _ = d.try_map(&mut |e: &Expr| {
                walk::parts(self.program, e, f);
                Ok::<(), ()>(())
            });
        };
        let block = Block {
            stmts: vec![stmt.clone()],
            trailing: Vec::new(),
        };
        walk::stmts(self.program, &block, &mut |s| {
            s.directives.iter().for_each(&mut visit);
            if let StmtKind::Directive(d) = &s.kind {
                visit(d);
            }
        });
    }

    fn is(&self, e: &Expr, choice: &Choice) -> bool {
        match (self.choice_in(e), choice) {
            (Some(Choice::Pick(a)), Choice::Pick(b)) => a == *b,
            (Some(Choice::Row(a, n)), Choice::Row(b, m)) => n == *m && same(&a, b),
            _ => false,
        }
    }

    fn uses(&self, stmt: &Stmt, choice: &Choice) -> bool {
        let mut found = false;
        walk::exprs(self.program, stmt, &mut |e| found |= self.is(e, choice));
        found
    }

    fn in_init(&self, init: &Option<Init>, choice: &Choice) -> bool {
        struct Find<'u>(&'u dyn Fn(&Expr) -> bool, bool);
        impl walk::Visit for Find<'_> {
            fn expr(&mut self, e: &Expr) -> bool {
                self.1 |= (self.0)(e);
                true
            }
        }
        let is = |e: &Expr| self.is(e, choice);
        let mut find = Find(&is, false);
        init.iter()
            .for_each(|i| walk::init(&mut find, self.program, i));
        find.1
    }

    /// Whether a choice is made within a statement, so that its parts are to be looked at.
    fn descends(&self, stmt: &Stmt, choice: &Choice) -> bool {
        let inside = |at: &Span| stmt.span.lo <= at.lo && at.hi <= stmt.span.hi;
        match choice {
            Choice::Pick(at) => {
                let pick = &self.picks[*at];
                pick.events.keys().chain(pick.turns.keys()).any(inside)
            }
            Choice::Row(core, _) => {
                let alone = match &stmt.kind {
                    // Everything that is passed is computed before the call.
                    StmtKind::Expr(e) => {
                        let mut calls = 0;
                        walk::parts(self.program, e, &mut |part| {
                            calls +=
                                u32::from(!quiet(self.program, part) && !std::ptr::eq(part, e));
                        });
                        calls == 0
                    }
                    _ => false,
                };
                !alone && self.life.changes(self.program, core, stmt.span)
            }
        }
    }

    /// Looks at the statements within a statement.
    fn descend(&mut self, stmt: &mut Stmt, copies: u32) -> Option<()> {
        let mut clear = true;
        for d in &mut stmt.directives {
            // What stays on the device for some time is named as it is at first.
            if d.kind == DirectiveKind::Data {
                let first = d.try_map(&mut |e: &Expr| {
                    let mut e = e.clone();
                    change(&mut e, &mut |part| {
                        while let Some(choice) = self.choice_in(part) {
                            self.put(part, &choice, 0, &mut clear);
                        }
                    });
                    Ok::<Expr, ()>(e)
                });
                *d = first.unwrap_or_else(|()| d.clone());
            }
            let _ = d.try_map(&mut |e: &Expr| {
                walk::parts(self.program, e, &mut |e| {
                    clear &= self.choice_in(e).is_none()
                });
                Ok::<(), ()>(())
            });
        }
        let head = |unfold: &Self, e: &Expr, clear: &mut bool| {
            walk::parts(unfold.program, e, &mut |e| {
                *clear &= unfold.choice_in(e).is_none()
            });
        };
        match &mut stmt.kind {
            StmtKind::Block(b) => b.stmts = self.list(std::mem::take(&mut b.stmts), copies)?,
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                head(self, cond, &mut clear);
                self.body(then, copies)?;
                if let Some(s) = otherwise {
                    self.body(s, copies)?;
                }
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { cond, body } => {
                head(self, cond, &mut clear);
                self.body(body, copies)?;
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                clear &= init.iter().all(|s| self.choice(s).is_none());
                cond.iter()
                    .chain(step.iter())
                    .for_each(|e| head(self, e, &mut clear));
                self.body(body, copies)?;
            }
            StmtKind::Switch { value, arms } => {
                head(self, value, &mut clear);
                for arm in arms {
                    arm.body = self.list(std::mem::take(&mut arm.body), copies)?;
                }
            }
            _ => clear = false,
        }
        clear.then_some(())
    }

    fn body(&mut self, stmt: &mut Stmt, copies: u32) -> Option<()> {
        let span = stmt.span;
        if let StmtKind::Block(b) = &mut stmt.kind {
            b.stmts = self.list(std::mem::take(&mut b.stmts), copies)?;
            return Some(());
        }
        let own = std::mem::replace(stmt, empty(span));
        let mut new = self.list(vec![own], copies)?;
        *stmt = match new.len() {
            1 => new.remove(0),
            _ => block(new, span),
        };
        Some(())
    }

    fn count(&self, choice: &Choice) -> usize {
        match choice {
            Choice::Pick(at) => self.picks[*at].members[0].1.len(),
            Choice::Row(_, length) => *length,
        }
    }

    fn selector(&self, choice: &Choice) -> Expr {
        match choice {
            Choice::Pick(at) => self.picks[*at].selector.clone(),
            Choice::Row(core, _) => core.clone(),
        }
    }

    /// The statements once for each case.
    fn cases(&mut self, mut run: Vec<Stmt>, choice: &Choice, copies: u32) -> Option<Vec<Stmt>> {
        let count = self.count(choice);
        let total = copies * count as u32;
        if total > COPIES {
            return None;
        }
        if count == 1 {
            for stmt in &mut run {
                self.decide(stmt, choice, 0)?;
            }
            return self.list(run, copies);
        }
        let (first, last) = (run.first()?.span, run.last()?.span);
        let span = Span {
            hi: last.hi,
            ..first
        };
        let comments = std::mem::take(&mut run[0].comments);
        // All copies are made of what the source has, before places are put into any of them.
        let mut owns = vec![run.clone()];
        for case in 1..count {
            owns.push(copy::statements(self.program, &run, case as u32 * copies)?);
        }
        let mut all = Vec::new();
        for (case, mut own) in owns.into_iter().enumerate() {
            for stmt in &mut own {
                self.decide(stmt, choice, case)?;
            }
            let own = self.list(own, total)?;
            all.push(block(own, span));
        }
        let mut out = branches(&self.selector(choice), &all, span);
        out.comments = comments;
        Some(vec![out])
    }

    /// Puts the places of one case into a statement.
    fn decide(&mut self, stmt: &mut Stmt, choice: &Choice, case: usize) -> Option<()> {
        let mut sound = true;
        {
            let this = &*self;
            let mut put = |e: &mut Expr| this.put(e, choice, case, &mut sound);
            change_stmt(stmt, &mut put);
            copy::in_directives(stmt, &mut put);
        }
        for var in declared(self.program, std::slice::from_ref(stmt)) {
            let mut init = self.program.vars[var.0 as usize].init.take();
            if let Some(i) = &mut init {
                crate::typed::change::change_init(i, &mut |e| {
                    self.put(e, choice, case, &mut sound);
                });
            }
            self.program.vars[var.0 as usize].init = init;
        }
        sound.then_some(())
    }

    fn put(&self, e: &mut Expr, choice: &Choice, case: usize, sound: &mut bool) {
        if self.is(e, choice) {
            let place = match (&e.kind, choice) {
                (ExprKind::Var(var), Choice::Pick(at)) => {
                    let members = &self.picks[*at].members;
                    let own = members.iter().find(|(v, _)| v == var);
                    own.and_then(|(_, places)| places.get(case).cloned())
                }
                _ => row_of(e)
                    .and_then(|(table, index)| row(self.program, self.tables, table, index, case)),
            };
            let Some(mut place) = place else {
                *sound = false;
                return;
            };
            let span = e.span;
            change(&mut place, &mut |part| part.span = span);
            *e = place;
        }
        if let ExprKind::Deref(of) = &e.kind
            && let ExprKind::AddrOf(place) = &of.kind
        {
            *e = (**place).clone();
        }
    }

    /// A number that starts as something which depends on a choice.
    fn value(&mut self, var: VarId, choice: &Choice, copies: u32) -> Option<()> {
        if !self.in_init(&self.program.var(var).init, choice) {
            return Some(());
        }
        let Some(Init::Expr(value)) = self.program.var(var).init.clone() else {
            return None;
        };
        let count = self.count(choice);
        if copies * count as u32 > COPIES {
            return None;
        }
        let mut sound = true;
        let all: Vec<Expr> = (0..count)
            .map(|case| {
                let mut own = (*value).clone();
                change(&mut own, &mut |e| {
                    self.put(e, choice, case, &mut sound);
                    e.span.hi = e
                        .span
                        .hi
                        .saturating_sub(case as u32 * copies)
                        .max(e.span.lo + 1);
                });
                own
            })
            .collect();
        let chosen = one_of(&self.selector(choice), &all);
        self.program.vars[var.0 as usize].init = Some(Init::Expr(Box::new(chosen)));
        sound.then_some(())
    }
}

/// The variables that statements declare.
fn declared(program: &Program, stmts: &[Stmt]) -> Vec<VarId> {
    let block = Block {
        stmts: stmts.to_vec(),
        trailing: Vec::new(),
    };
    let mut out = Vec::new();
    walk::stmts(program, &block, &mut |s| {
        if let StmtKind::Decl(vars) = &s.kind {
            out.extend(vars);
        }
    });
    out
}

fn mentions(program: &Program, stmt: &Stmt, of: &dyn Fn(VarId) -> bool) -> bool {
    let mut hit = false;
    walk::exprs(program, stmt, &mut |e| hit |= e.as_var().is_some_and(of));
    hit
}

fn empty(span: Span) -> Stmt {
    stmt(StmtKind::Empty, span)
}

fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt {
        kind,
        span,
        directives: Vec::new(),
        comments: Vec::new(),
    }
}

fn block(stmts: Vec<Stmt>, span: Span) -> Stmt {
    let trailing = Vec::new();
    stmt(StmtKind::Block(Block { stmts, trailing }), span)
}

/// `number = 1 - number`, or the next one of several.
fn next(number: VarId, count: usize, span: Span) -> Expr {
    let expr = |kind| Expr {
        kind,
        ty: INT,
        span,
    };
    let binary = |op, a, b| expr(ExprKind::Binary(op, Box::new(a), Box::new(b)));
    let var = || expr(ExprKind::Var(number));
    let int = |n: usize| Expr::int(n as i128, INT, span);
    let value = match count {
        2 => binary(BinaryOp::Sub, int(1), var()),
        _ => binary(
            BinaryOp::Rem,
            binary(BinaryOp::Add, var(), int(1)),
            int(count),
        ),
    };
    expr(ExprKind::Assign(Box::new(var()), Box::new(value)))
}

fn equals(selector: &Expr, case: usize) -> Expr {
    let span = selector.span;
    let value = Expr::int(case as i128, selector.ty.clone(), span);
    Expr {
        kind: ExprKind::Binary(BinaryOp::Eq, Box::new(selector.clone()), Box::new(value)),
        ty: INT,
        span,
    }
}

/// The statement of the case that the selector gives.
fn branches(selector: &Expr, all: &[Stmt], span: Span) -> Stmt {
    let fork = |cond: Expr, then: Stmt, other: Stmt| {
        let kind = StmtKind::If {
            cond,
            then: Box::new(then),
            otherwise: Some(Box::new(other)),
        };
        stmt(kind, span)
    };
    match (&selector.kind, all) {
        (ExprKind::Cond(cond, yes, no), _) => fork(
            (**cond).clone(),
            branches(yes, all, span),
            branches(no, all, span),
        ),
        (ExprKind::Int(case), _) => all[*case as usize].clone(),
        (_, [no, yes]) => fork(selector.clone(), yes.clone(), no.clone()),
        _ => {
            let mut cases = all.iter().enumerate().rev();
            let (_, last) = cases.next().expect("a choice has cases");
            cases.fold(last.clone(), |rest, (case, own)| {
                fork(equals(selector, case), own.clone(), rest)
            })
        }
    }
}

/// The value of the case that the selector gives.
fn one_of(selector: &Expr, all: &[Expr]) -> Expr {
    let fork = |cond: Expr, then: Expr, other: Expr| Expr {
        ty: then.ty.clone(),
        span: then.span,
        kind: ExprKind::Cond(Box::new(cond), Box::new(then), Box::new(other)),
    };
    match (&selector.kind, all) {
        (ExprKind::Cond(cond, yes, no), _) => {
            fork((**cond).clone(), one_of(yes, all), one_of(no, all))
        }
        (ExprKind::Int(case), _) => all[*case as usize].clone(),
        (_, [no, yes]) => fork(selector.clone(), yes.clone(), no.clone()),
        _ => {
            let mut cases = all.iter().enumerate().rev();
            let (_, last) = cases.next().expect("a choice has cases");
            cases.fold(last.clone(), |rest, (case, own)| {
                fork(equals(selector, case), own.clone(), rest)
            })
        }
    }
}

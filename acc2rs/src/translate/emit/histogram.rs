//! Which loops are histograms: every write is an update of bins by one operator, of a scalar
//! reduction, or of something that lives in one iteration.

use accrue_ops::Op;
use std::collections::{HashMap, HashSet};

use super::state::Emit;
use crate::clause::{ClauseKind, DataAction};
use crate::codes::{self, Code};
use crate::directive::{AtomicKind, DirectiveKind};
use crate::source::Span;
use crate::translate::base::places::{is_global, root};
use crate::translate::base::update::{Update, bare, update};
use crate::translate::memory::range::Range;
use crate::translate::memory::shape::Shape;
use crate::typed::walk::{self, Visit};
use crate::typed::{BinaryOp, Expr, ExprKind, Stmt, StmtKind, UnaryOp, VarId};

/// A loop that is a histogram.
#[derive(Clone, Debug)]
pub(super) struct Histogram {
    pub(super) range: Range,
    /// The arrays of bins with their operators, in the order of the source.
    pub(super) bins: Vec<(VarId, Op)>,
    /// Scalars that the loop reduces into.
    pub(super) reductions: Vec<VarId>,
    /// Variables that belong to one iteration but are declared outside the loop.
    pub(super) private: Vec<VarId>,
    /// Whether every update counts by one.
    pub(super) counts: bool,
}

/// Why a loop is no histogram.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) code: Code,
    pub(super) span: Span,
    pub(super) why: String,
}

struct Look<'a, 'b> {
    emit: &'a Emit<'b>,
    inside: HashSet<VarId>,
    private: HashSet<VarId>,
    updates: Vec<(Update, Span, bool)>,
    scalars: Vec<(VarId, Update)>,
    mentions: HashMap<VarId, u32>,
    refusal: Option<Refusal>,
    depth: u32,
    atomics: u32,
}

impl Look<'_, '_> {
    fn refuse(&mut self, code: Code, span: Span, why: impl Into<String>) {
        self.refusal.get_or_insert(Refusal {
            code,
            span,
            why: why.into(),
        });
    }

    fn statement(&mut self, e: &Expr, atomic: bool, span: Span) -> bool {
        match update(self.emit.program, e) {
            Err((code, why)) => {
                self.refuse(code, span, why);
                false
            }
            Ok(Some(found)) => {
                if let Some(id) = found.place.as_var() {
                    if self.local(id) {
                        return false;
                    }
                    self.scalars.push((id, found));
                    return true;
                }
                match root(&found.place) {
                    Some(id) if self.local(id) => false,
                    _ => {
                        self.updates.push((found, span, atomic));
                        true
                    }
                }
            }
            Ok(None) => false,
        }
    }

    fn local(&self, id: VarId) -> bool {
        self.inside.contains(&id) || self.private.contains(&id)
    }
}

impl Visit for Look<'_, '_> {
    fn stmt(&mut self, s: &Stmt) -> bool {
        for directive in &s.directives {
            match directive.kind {
                DirectiveKind::Atomic(AtomicKind::Update) => self.atomics += 1,
                DirectiveKind::Atomic(AtomicKind::Capture) => self.refuse(
                    codes::ATOMIC_CAPTURE,
                    directive.span,
                    "the captured value depends on the order of updates",
                ),
                DirectiveKind::Atomic(_) => self.refuse(
                    codes::NOT_OFFLOADED,
                    directive.span,
                    "atomic reads and writes order iterations",
                ),
                _ => {}
            }
            self.private.extend(
                directive
                    .sections(DataAction::Private)
                    .chain(directive.sections(DataAction::FirstPrivate))
                    .filter_map(|v| root(&v.base)),
            );
        }
        match &s.kind {
            StmtKind::Decl(vars) => self.inside.extend(vars),
            StmtKind::Return(_) => {
                self.refuse(codes::NOT_OFFLOADED, s.span, "a `return` leaves the loop")
            }
            StmtKind::Break if self.depth == 0 => {
                self.refuse(codes::NOT_OFFLOADED, s.span, "a `break` leaves the loop")
            }
            StmtKind::Directive(_) => {}
            _ => {}
        }
        let atomic = s
            .directives
            .iter()
            .any(|d| d.kind == DirectiveKind::Atomic(AtomicKind::Update));
        let only = match &s.kind {
            StmtKind::Block(b) if atomic && b.stmts.len() == 1 => &b.stmts[0].kind,
            other => other,
        };
        if let StmtKind::Expr(e) = only {
            if self.statement(e, atomic, s.span) {
                // The place's index and the value are still looked at; the place itself is no read.
                if let Some((update, ..)) =
                    self.updates.last().filter(|(_, span, _)| *span == s.span)
                {
                    let (place, value) = (update.place.clone(), update.value.clone());
                    self.indices(&place);
                    if let Some(value) = value {
                        let program = self.emit.program;
                        walk::expr(self, program, &value);
                    }
                } else if let Some((_, update)) = self.scalars.last()
                    && let Some(value) = update.value.clone()
                {
                    let program = self.emit.program;
                    walk::expr(self, program, &value);
                }
                return false;
            }
            if let ExprKind::Assign(place, value) = &e.kind
                && let Some(id) = place.as_var()
            {
                // A plain assignment to a scalar is fine if the scalar belongs to the iteration.
                if !self.local(id)
                    && matches!(self.emit.here.plan.declared(id), crate::translate::memory::plan::Place::At(at) if at == s.span)
                {
                    self.inside.insert(id);
                }
                if !self.local(id) {
                    self.refuse(
                        codes::NOT_OFFLOADED,
                        s.span,
                        format!(
                            "`{}` is set by every iteration",
                            self.emit.program.var(id).name
                        ),
                    );
                }
                let program = self.emit.program;
                walk::expr(self, program, value);
                return false;
            }
        }
        if matches!(
            s.kind,
            StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::Switch { .. }
        ) {
            if let Some(range) = self.emit.here.plan.range(s.span) {
                self.inside.insert(range.var);
            }
            self.depth += 1;
            self.nested(s);
            self.depth -= 1;
            return false;
        }
        true
    }

    fn expr(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(id) => *self.mentions.entry(*id).or_default() += 1,
            ExprKind::Assign(place, _)
            | ExprKind::Compound { place, .. }
            | ExprKind::Step { place, .. } => {
                let owner = root(place);
                if !owner.is_some_and(|id| self.local(id)) {
                    let name = owner.map_or("memory".to_string(), |id| {
                        format!("`{}`", self.emit.program.var(id).name)
                    });
                    self.refuse(
                        codes::NOT_OFFLOADED,
                        e.span,
                        format!("{name} is written, and that is no update of bins"),
                    );
                }
            }
            ExprKind::Call { callee, args } => {
                let function = self.emit.program.function(*callee);
                let own = function.body.is_some();
                let pure = if own {
                    let facts = self.emit.facts.function(*callee);
                    facts.writes.is_empty()
                        && !self.emit.needs_globals(*callee)
                        && !function.params.iter().any(|p| self.emit.shapes.mutable(*p))
                        && self.emit.is_quiet(*callee)
                } else {
                    pure_library(&function.name)
                };
                if !pure {
                    self.refuse(
                        codes::NOT_OFFLOADED,
                        e.span,
                        format!("`{}` does more than compute a value", function.name),
                    );
                }
                let _ = args;
            }
            ExprKind::CallPointer(..) | ExprKind::Block(_) | ExprKind::Assert(..) => self.refuse(
                codes::NOT_OFFLOADED,
                e.span,
                "this does more than compute a value",
            ),
            _ => {}
        }
        true
    }
}

impl Look<'_, '_> {
    fn indices(&mut self, place: &Expr) {
        let program = self.emit.program;
        match &place.kind {
            ExprKind::Index(base, index) => {
                self.indices(base);
                walk::expr(self, program, index);
            }
            ExprKind::Member(base, _) | ExprKind::Deref(base) | ExprKind::Decay(base) => {
                self.indices(base)
            }
            ExprKind::Binary(_, a, b) if place.ty.is_pointer() => {
                self.indices(a);
                walk::expr(self, program, b);
            }
            _ => {}
        }
    }

    /// The parts of a loop or `switch`, without coming back to it.
    fn nested(&mut self, s: &Stmt) {
        let program = self.emit.program;
        match &s.kind {
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                let ranged = self.emit.here.plan.range(s.span).cloned();
                if let Some(range) = &ranged {
                    walk::expr(self, program, &range.start);
                    walk::expr(self, program, &range.end);
                } else {
                    if let Some(init) = init {
                        walk::stmt(self, program, init);
                    }
                    cond.iter()
                        .chain(step)
                        .for_each(|e| walk::expr(self, program, e));
                }
                walk::stmt(self, program, body);
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { cond, body } => {
                walk::expr(self, program, cond);
                walk::stmt(self, program, body);
            }
            StmtKind::Switch { value, arms } => {
                walk::expr(self, program, value);
                arms.iter()
                    .flat_map(|a| &a.body)
                    .for_each(|s| walk::stmt(self, program, s));
            }
            _ => {}
        }
    }
}

/// Functions of the C library without effects.
pub(super) fn pure_library(name: &str) -> bool {
    let impure = [
        "rand", "srand", "random", "time", "clock", "printf", "puts", "putchar", "exit", "abort",
        "malloc", "calloc", "free", "drand48", "rand_r", "memcpy", "memset", "fprintf",
    ];
    !impure.contains(&name) && !name.starts_with("acc_")
}

impl Emit<'_> {
    /// Whether a function neither prints nor asks for random numbers, nor do its callees.
    pub(super) fn is_quiet(&self, id: crate::typed::FnId) -> bool {
        let mut seen = HashSet::new();
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let function = self.program.function(id);
            if function.body.is_none() && !pure_library(&function.name) {
                return false;
            }
            if seen.insert(id) {
                todo.extend(self.facts.function(id).calls);
            }
        }
        true
    }

    /// The loop as a histogram; `Ok(None)` if it updates no bins at all.
    pub(super) fn histogram(&self, stmt: &Stmt) -> Result<Option<Histogram>, Refusal> {
        let StmtKind::For { body, .. } = &stmt.kind else {
            return Ok(None);
        };
        let mut look = Look {
            emit: self,
            inside: HashSet::new(),
            private: HashSet::new(),
            updates: Vec::new(),
            scalars: Vec::new(),
            mentions: HashMap::new(),
            refusal: None,
            depth: 0,
            atomics: 0,
        };
        let mut reduced: Vec<VarId> = Vec::new();
        for directive in &stmt.directives {
            look.private.extend(
                directive
                    .sections(DataAction::Private)
                    .chain(directive.sections(DataAction::FirstPrivate))
                    .filter_map(|v| root(&v.base)),
            );
            for clause in &directive.clauses {
                if let ClauseKind::Reduction { vars, .. } = &clause.kind {
                    reduced.extend(vars.iter().filter_map(|v| root(&v.base)));
                }
            }
        }
        let range = self.here.plan.range(stmt.span).cloned();
        if let Some(range) = &range {
            look.inside.insert(range.var);
        }
        walk::stmt(&mut look, self.program, body);
        if look.atomics == 0
            && look
                .updates
                .iter()
                .all(|(u, ..)| range.as_ref().is_some_and(|r| injective(&u.place, r.var)))
        {
            return Ok(None);
        }
        if look.updates.is_empty() {
            return match look.refusal.filter(|r| r.code != codes::NOT_OFFLOADED) {
                Some(refusal) => Err(refusal),
                None => Ok(None),
            };
        }
        if let Some(refusal) = look.refusal {
            return Err(refusal);
        }
        let Some(range) = range else {
            return Err(Refusal {
                code: codes::NOT_OFFLOADED,
                span: stmt.span,
                why: "the loop does not count from one bound to another".into(),
            });
        };
        let mut bins: Vec<(VarId, Op)> = Vec::new();
        for (update, span, _) in &look.updates {
            let Some(id) = root(&update.place) else {
                return Err(Refusal {
                    code: codes::NOT_OFFLOADED,
                    span: *span,
                    why: "it cannot be told which array is updated".into(),
                });
            };
            match bins.iter().find(|(b, _)| *b == id) {
                Some((_, operator)) if *operator != update.operator => {
                    return Err(Refusal {
                        code: codes::NOT_OFFLOADED,
                        span: *span,
                        why: "the bins are updated by two different operators".into(),
                    });
                }
                Some(_) => {}
                None => bins.push((id, update.operator)),
            }
            if look.mentions.contains_key(&id) {
                let name = &self.program.var(id).name;
                return Err(Refusal {
                    code: codes::BINS_READ,
                    span: *span,
                    why: format!("`{name}` is also read in the loop"),
                });
            }
            if let Some(other) =
                self.sharing(id, look.mentions.keys().chain(bins.iter().map(|(b, _)| b)))
            {
                let (bins, other) = (&self.program.var(id).name, &self.program.var(other).name);
                return Err(Refusal {
                    code: codes::NOT_OFFLOADED,
                    span: stmt.span,
                    why: format!("`{bins}` and `{other}` point into one array"),
                });
            }
            if !matches!(update.place.kind, ExprKind::Index(..))
                || update.place.innermost_base().is_none()
            {
                return Err(Refusal {
                    code: codes::NOT_OFFLOADED,
                    span: *span,
                    why: "the bins are no plain array".into(),
                });
            }
        }
        if look
            .updates
            .iter()
            .all(|(u, ..)| injective(&u.place, range.var))
        {
            let span = look.updates[0].1;
            return Err(Refusal { code: codes::INJECTIVE, span, why: "no two iterations update the same element: neither copies nor atomics are needed".into() });
        }
        let mut reductions = Vec::new();
        for (id, update) in &look.scalars {
            if look.mentions.contains_key(id)
                || is_global(self.program, *id)
                || !matches!(update.place.kind, ExprKind::Var(_))
            {
                let name = &self.program.var(*id).name;
                return Err(Refusal {
                    code: codes::NOT_OFFLOADED,
                    span: update.place.span,
                    why: format!("`{name}` is used as more than the result of a reduction"),
                });
            }
            if !reductions.contains(id) {
                reductions.push(*id);
            }
        }
        let _ = reduced;
        let counts = look.updates.iter().all(|(u, ..)| {
            u.operator == Op::Add
                && u.value
                    .as_ref()
                    .is_none_or(|v| crate::typed::consts::int_value(v, self.program) == Some(1))
        });
        let private = look
            .private
            .into_iter()
            .filter(|id| look.mentions.contains_key(id) && !look.inside.contains(id))
            .collect();
        Ok(Some(Histogram {
            range,
            bins,
            reductions,
            private,
            counts,
        }))
    }
}

impl Emit<'_> {
    /// A variable among others whose data is in the array that holds the bins.
    fn sharing<'v>(&self, bins: VarId, others: impl Iterator<Item = &'v VarId>) -> Option<VarId> {
        let array = |id: VarId| match self.shapes.var(id) {
            Some(Shape::Cursor { base, .. }) => root(base).unwrap_or(id),
            _ => id,
        };
        let mut same: Vec<VarId> = others
            .copied()
            .filter(|other| *other != bins && array(*other) == array(bins))
            .collect();
        same.sort_unstable();
        same.first().copied()
    }
}

impl Expr {
    /// The variable that is indexed, if nothing but indices stand between.
    pub(super) fn innermost_base(&self) -> Option<VarId> {
        match &self.kind {
            ExprKind::Index(base, _) | ExprKind::Decay(base) => base.innermost_base(),
            ExprKind::Var(id) => Some(*id),
            _ => None,
        }
    }
}

/// Whether an index is the loop's variable, give or take a constant.
fn injective(place: &Expr, var: VarId) -> bool {
    fn is(e: &Expr, var: VarId) -> bool {
        match &e.kind {
            ExprKind::Var(id) => *id == var,
            ExprKind::Cast { value, .. } => e.ty.is_int() && value.ty.is_int() && is(value, var),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                is(a, var) && matches!(bare(b).kind, ExprKind::Int(_))
                    || is(b, var) && matches!(bare(a).kind, ExprKind::Int(_))
            }
            ExprKind::Unary(UnaryOp::Neg, a) => is(a, var),
            _ => false,
        }
    }
    match &place.kind {
        ExprKind::Index(base, index) => {
            is(index, var) || matches!(base.kind, ExprKind::Index(..)) && injective(base, var)
        }
        _ => false,
    }
}

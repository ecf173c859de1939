//! Arrays that are filled at a cursor: `if keep { out[n] = x; n += 1; }`.
//!
//! A cursor is a carried integer to which constants that are not negative are added. Where the cursor stands at `a` when an iteration begins and at
//! `b` when it ends, the iteration may use the elements `a..b`: those are no other's. An access with the index `n + c`, after the iteration has added
//! `d` to the cursor, is one of them if `0 <= d + c` and if what is added from there on, on every way to the iteration's end, is more than `c`.
//!
//! An iteration may also write the element at `n` first of all, and then move the cursor or not: `out[n] = x; n += keep as usize;`. Where the iteration after
//! it belongs to another part of the loop, that one writes the element again, so that only the last part's write behind what it keeps counts.

use crate::sorted::Sorted;

use super::Context;
use super::scan::{self, Candidate};
use crate::ir::visit::Visit;
use crate::ir::{
    Access, ArrayId, BinaryOp, Block, Check, Expr, ExprKind, Filled, Index, Literal, Loop,
    LoopLabel, Op, Place, Projection, Root, Scalar, SourceId, Stmt, StmtKind, VarId,
};
use crate::syntax::Borrowed;

/// The most that is added at once: so that a count of 64 bits does not come to its end.
const STEP: i128 = 1 << 10;

/// More than anything that is added: nothing comes after a panic.
const NEVER: i128 = 1 << 60;

/// The arrays that a lowered loop fills at one of its carried scalars. Of `borrowed` arrays it has references to parts, `handed` ones it iterates over.
pub(super) fn find(
    ir: &Loop,
    candidates: &[Candidate],
    borrowed: &[Borrowed],
    handed: &[ArrayId],
    context: &Context<'_>,
) -> Vec<Filled> {
    let mut filled = Vec::new();
    for candidate in candidates {
        let Some(cursor) = Cursor::new(ir, candidate) else {
            continue;
        };
        let ahead = cursor.ahead();
        let (accesses, before) = cursor.accesses(&ahead);
        for (id, array) in ir.arrays.iter().enumerate() {
            let id = ArrayId(id as u32);
            let part = |b: &Borrowed| matches!(&b.element.kind, ExprKind::Load(place) if place.root == Root::Array(id));
            let all = accesses.get(&id).is_some_and(|fits| *fits);
            if array.access == Access::Updated
                && all
                && !handed.contains(&id)
                && !borrowed.iter().any(part)
            {
                let sites = before.get(&id).into_iter().flatten();
                let site = |source| context.assignments.get(source).map(|syntax| syntax.site);
                let Some(ahead) = sites.map(site).collect() else {
                    continue;
                };
                filled.push(Filled {
                    array: id,
                    cursor: candidate.var,
                    ahead,
                });
            }
        }
    }
    filled
}

/// Where an access stands, by its place in memory: the IR does not move while it is looked at.
type At = *const Place;

struct Cursor<'a> {
    ir: &'a Loop,
    var: VarId,
    ty: Scalar,
}

impl<'a> Cursor<'a> {
    /// A scalar to which nothing but small constants is added.
    fn new(ir: &'a Loop, candidate: &Candidate) -> Option<Cursor<'a>> {
        let ty = ir.var(candidate.var).ty.as_scalar()?;
        let cursor = Cursor {
            ir,
            var: candidate.var,
            ty,
        };
        struct Steps<'a, 'b>(&'a Cursor<'b>, bool);
        impl Visit for Steps<'_, '_> {
            fn stmt(&mut self, stmt: &Stmt) {
                let term = scan::term(self.0.ir, stmt);
                if term.is_some_and(|(var, ..)| var == self.0.var) {
                    self.1 &= self.0.step(stmt).is_some();
                }
                self.stmt_parts(stmt);
            }
        }
        let mut steps = Steps(&cursor, true);
        steps.block(&ir.body.block);
        let counts = steps.1;
        let adds = candidate.op.op == Op::Add && !candidate.op.two_signs;
        (ty.is_int() && adds && candidate.map.is_none() && counts).then_some(cursor)
    }

    /// What a statement adds to the cursor at least, if it is one of its updates.
    fn step(&self, stmt: &Stmt) -> Option<i128> {
        let (var, _, value) = scan::term(self.ir, stmt)?;
        let step = least_step(&value)?;
        (var == self.var).then_some(step)
    }

    /// What is added at least from each access on to the end of the iteration.
    fn ahead(&self) -> Sorted<At, i128> {
        let mut ahead = Ahead {
            cursor: self,
            from: Sorted::new(),
            labels: Sorted::new(),
        };
        ahead.block(&self.ir.body.block, 0);
        ahead.from
    }

    /// Of each array that is accessed, whether all accesses are of elements that are the iteration's own; and the assignments to what may be the element
    /// behind those.
    fn accesses(
        &self,
        ahead: &Sorted<At, i128>,
    ) -> (Sorted<ArrayId, bool>, Sorted<ArrayId, Vec<SourceId>>) {
        let mut walk = Accesses {
            cursor: self,
            ahead,
            found: Sorted::new(),
            before: Sorted::new(),
            depth: 0,
            moved: false,
            now: Some(Passed {
                since_start: 0,
                names: Sorted::new(),
            }),
        };
        walk.block(&self.ir.body.block);
        (walk.found, walk.before)
    }
}

/// What is added at least by a value that is no large constant: `1`, `keep as usize`, `if keep { 1 } else { 0 }`.
fn least_step(value: &Expr) -> Option<i128> {
    let tail = |block: &Block| {
        let tail = block.tail.as_deref().filter(|_| block.stmts.is_empty());
        tail.and_then(least_step)
    };
    match &value.kind {
        ExprKind::Cast(inner) => match inner.ty.as_scalar() {
            Some(Scalar::Bool) => Some(0),
            Some(_) => least_step(inner),
            // A truth that a function says, or a number.
            None => {
                let to = value.ty.as_scalar()?;
                (to.is_int() && !to.is_signed()).then_some(0)
            }
        },
        ExprKind::If(_, then, Some(otherwise)) => Some(tail(then)?.min(tail(otherwise)?)),
        ExprKind::Opaque(_) => {
            let ty = value.ty.as_scalar()?;
            (ty.is_int() && !ty.is_signed()).then_some(0)
        }
        _ => literal(value).filter(|step| (0..=STEP).contains(step)),
    }
}

/// The value of an integer literal.
fn literal(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Literal(Literal::Int(value)) => Some(*value),
        _ => None,
    }
}

/// A walk backwards: what is added from a place on.
struct Ahead<'a> {
    cursor: &'a Cursor<'a>,
    from: Sorted<At, i128>,
    /// What is added after `break` and after `continue`.
    labels: Sorted<LoopLabel, (i128, i128)>,
}

impl Ahead<'_> {
    fn block(&mut self, block: &Block, after: i128) -> i128 {
        let mut after = match &block.tail {
            Some(tail) => self.expr(tail, after),
            None => after,
        };
        for stmt in block.stmts.iter().rev() {
            after = self.stmt(stmt, after);
        }
        after
    }

    /// A loop inside, with what is evaluated in each round before its body. It may end after any round.
    fn rounds(
        &mut self,
        label: LoopLabel,
        condition: Option<&Expr>,
        body: &Block,
        after: i128,
    ) -> i128 {
        let mut again = after;
        // The second time `continue` is known to lead to what the first has found.
        for _ in 0..2 {
            self.labels.insert(label, (after, again));
            let mut round = self.block(body, again);
            if let Some(condition) = condition {
                round = self.expr(condition, round.min(after));
            }
            again = again.min(round);
        }
        again.min(after)
    }

    fn stmt(&mut self, stmt: &Stmt, after: i128) -> i128 {
        let after = after + self.cursor.step(stmt).unwrap_or(0);
        match &stmt.kind {
            StmtKind::Let(_, value) => match value {
                Some(value) => self.expr(value, after),
                None => after,
            },
            StmtKind::Assign(place, value) | StmtKind::Compound(place, _, value) => {
                let after = self.place(place, after);
                self.expr(value, after)
            }
            StmtKind::Update(update) => self.expr(&update.value, after),
            StmtKind::For(inner) => {
                let after = self.rounds(inner.label, None, &inner.body, after);
                self.expr(&inner.count, after)
            }
            StmtKind::While(label, condition, body) => {
                self.rounds(*label, Some(condition), body, after)
            }
            StmtKind::Expr(e) | StmtKind::Check(e, _) => self.expr(e, after),
        }
    }

    fn place(&mut self, place: &Place, after: i128) -> i128 {
        let known = self.from.or_insert(place, after);
        *known = after.min(*known);
        let mut after = after;
        for step in place.path.iter().rev() {
            if let Projection::Index(index) = step {
                after = self.index(index, after);
            }
        }
        after
    }

    fn index(&mut self, index: &Index, after: i128) -> i128 {
        let mut after = after;
        if let Check::Window(len) = &index.check {
            after = self.expr(len, after);
        }
        if let Some(base) = &index.base {
            after = self.expr(base, after);
        }
        self.expr(&index.index, after)
    }

    fn expr(&mut self, expr: &Expr, after: i128) -> i128 {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => after,
            ExprKind::Panic(_) => NEVER,
            ExprKind::Load(place) => self.place(place, after),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Repeat(a) => self.expr(a, after),
            ExprKind::Binary(_, a, b) => {
                let after = self.expr(b, after);
                self.expr(a, after)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let second = self.expr(b, after);
                self.expr(a, after.min(second))
            }
            ExprKind::Method(_, parts)
            | ExprKind::Call(_, parts)
            | ExprKind::Array(parts)
            | ExprKind::Tuple(parts)
            | ExprKind::Struct(parts) => self.all(parts, after),
            ExprKind::If(condition, then, otherwise) => {
                let first = self.block(then, after);
                let second = match otherwise {
                    Some(otherwise) => self.block(otherwise, after),
                    None => after,
                };
                self.expr(condition, first.min(second))
            }
            ExprKind::Match(scrutinee, arms) => {
                let mut least = NEVER;
                for arm in arms.iter().rev() {
                    let of_arm = self.expr(&arm.body, after);
                    least = least.min(of_arm);
                    if let Some(guard) = &arm.guard {
                        least = self.expr(guard, least);
                    }
                }
                self.expr(scrutinee, least)
            }
            ExprKind::Block(block) => self.block(block, after),
            ExprKind::Loop(label, body) => self.rounds(*label, None, body, after),
            ExprKind::Continue(None) => 0,
            ExprKind::Continue(Some(label)) => {
                self.labels.get(label).map_or(0, |(_, again)| *again)
            }
            ExprKind::Break(label, value) => {
                let after = self.labels.get(label).map_or(0, |(after, _)| *after);
                match value {
                    Some(value) => self.expr(value, after),
                    None => after,
                }
            }
            ExprKind::Return(value) => match value {
                Some(value) => self.expr(value, 0),
                None => 0,
            },
            ExprKind::Opaque(opaque) => self.all(&opaque.parts, after),
        }
    }

    fn all(&mut self, parts: &[Expr], after: i128) -> i128 {
        let parts = parts.iter().rev();
        parts.fold(after, |after, part| self.expr(part, after))
    }
}

/// What has been added at least.
#[derive(Clone)]
struct Passed {
    /// Since the iteration began.
    since_start: i128,
    /// Since a name was given to where the cursor stood: how much before that, how much since, and what the name adds to it.
    names: Sorted<VarId, Mark>,
}

/// An index as where the cursor stood at some moment, and a number.
#[derive(Clone, Copy)]
struct Mark {
    /// What had been added before that moment, at least.
    before: i128,
    /// What has been added since, at least.
    since: i128,
    plus: i128,
}

/// A walk forwards: which accesses are of the iteration's own elements.
struct Accesses<'a> {
    cursor: &'a Cursor<'a>,
    ahead: &'a Sorted<At, i128>,
    found: Sorted<ArrayId, bool>,
    /// The assignments that every iteration makes at the cursor before it moves it.
    before: Sorted<ArrayId, Vec<SourceId>>,
    /// How much stands around that may not run, or has left the iteration before.
    depth: usize,
    /// Whether the cursor may have been moved.
    moved: bool,
    /// What has been added; none where nothing comes to.
    now: Option<Passed>,
}

impl Accesses<'_> {
    /// Where an index is the cursor's.
    fn of(&self, index: &Expr) -> Option<Mark> {
        let now = self.now.as_ref()?;
        match &index.kind {
            ExprKind::Cast(inner) => {
                let int = |e: &Expr| e.ty.as_scalar().is_some_and(Scalar::is_int);
                let whole = index.ty.as_scalar() == Some(Scalar::Usize);
                self.of(inner).filter(|_| whole && int(inner))
            }
            // `let at = { n += 1; n - 1 };`
            ExprKind::Block(block) => self.of(block.tail.as_deref()?),
            ExprKind::Load(place) => {
                let var = scan::variable(place)?;
                match var == self.cursor.var {
                    true => Some(Mark {
                        before: now.since_start,
                        since: 0,
                        plus: 0,
                    }),
                    false => now.names.get(&var).copied(),
                }
            }
            // In fewer bits a sum may be another number.
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b)
                if self.cursor.ty.bits() == 64 =>
            {
                let by = literal(b).filter(|by| (0..=STEP).contains(by))?;
                let by = match op {
                    BinaryOp::Add => by,
                    _ => -by,
                };
                let of = self.of(a)?;
                Some(Mark {
                    plus: of.plus + by,
                    ..of
                })
            }
            _ => None,
        }
    }

    fn note(&mut self, place: &Place) {
        let Root::Array(id) = place.root else {
            return;
        };
        let own = match place.path.first() {
            Some(Projection::Index(index)) if index.base.is_none() => self
                .of(&index.index)
                .filter(|_| matches!(index.check, Check::Dimension)),
            _ => None,
        };
        let ahead = self.ahead.get(&(place as At)).copied().unwrap_or(0);
        let fits = own.is_some_and(|of| match of.plus < 0 {
            true => of.before + of.plus >= 0,
            false => ahead + of.since > of.plus,
        });
        // What nothing comes to does not count.
        let fits = fits || self.now.is_none();
        *self.found.or_insert(id, true) &= fits;
    }

    fn branch(&mut self, from: Option<Passed>, f: impl FnOnce(&mut Self)) -> Option<Passed> {
        self.now = from;
        self.depth += 1;
        f(self);
        self.depth -= 1;
        self.now.take()
    }

    /// Whether a place is the element at the cursor, and every iteration comes to it before it moves the cursor.
    fn is_first(&self, place: &Place) -> bool {
        let [Projection::Index(index)] = &place.path[..] else {
            return false;
        };
        let at_cursor = self.of(&index.index).is_some_and(|of| of.plus == 0);
        // Else it is one of the iteration's own.
        let stays = self
            .ahead
            .get(&(place as At))
            .is_none_or(|ahead| *ahead <= 0);
        let whole = index.base.is_none() && matches!(index.check, Check::Dimension);
        self.depth == 0 && !self.moved && at_cursor && stays && whole
    }
}

/// What has been added at least, of two ways.
fn least(a: Option<Passed>, b: Option<Passed>) -> Option<Passed> {
    let (Some(a), Some(b)) = (&a, &b) else {
        return a.or(b);
    };
    let both = a.names.iter().filter_map(|(var, of)| {
        let other = b.names.get(var)?;
        (of.plus == other.plus).then_some((
            *var,
            Mark {
                before: of.before.min(other.before),
                since: of.since.min(other.since),
                plus: of.plus,
            },
        ))
    });
    Some(Passed {
        since_start: a.since_start.min(b.since_start),
        names: both.collect(),
    })
}

impl Visit for Accesses<'_> {
    fn load(&mut self, place: &Place) {
        self.place_parts(place);
        self.note(place);
    }

    fn store(&mut self, place: &Place) {
        self.place_parts(place);
        self.note(place);
        // A name that is given to something else.
        if let (Root::Var(var), Some(now)) = (place.root, &mut self.now) {
            now.names.remove(&var);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Some(step) = self.cursor.step(stmt) {
            self.moved = true;
            if let Some(now) = &mut self.now {
                now.since_start += step;
                now.names.values_mut().for_each(|name| name.since += step);
            }
            return;
        }
        match &stmt.kind {
            StmtKind::Assign(place, value) if self.is_first(place) => {
                self.expr(value);
                if self.is_first(place)
                    && let Root::Array(id) = place.root
                {
                    self.before.or_default(id).push(stmt.source);
                    self.found.or_insert(id, true);
                } else {
                    self.store(place);
                }
            }
            StmtKind::Let(var, Some(value)) => {
                self.expr(value);
                let of = self.of(value);
                if let (Some(now), Some(of)) = (&mut self.now, of) {
                    now.names.insert(*var, of);
                }
            }
            StmtKind::For(inner) => {
                self.expr(&inner.count);
                let before = self.now.clone();
                self.rounds(&inner.body, before);
            }
            StmtKind::While(_, condition, body) => {
                let before = self.now.clone();
                self.expr(condition);
                self.rounds(body, before);
            }
            _ => self.stmt_parts(stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let before = self.now.clone();
                let first = self.branch(before.clone(), |s| s.block(then));
                let second = self.branch(before, |s| {
                    if let Some(otherwise) = otherwise {
                        s.block(otherwise);
                    }
                });
                self.now = least(first, second);
            }
            ExprKind::Match(scrutinee, arms) => {
                self.expr(scrutinee);
                let before = self.now.clone();
                let mut all = None;
                for arm in arms {
                    let ended = self.branch(before.clone(), |s| {
                        if let Some(guard) = &arm.guard {
                            s.expr(guard);
                        }
                        s.expr(&arm.body);
                    });
                    all = least(all, ended);
                }
                self.now = all;
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a);
                let before = self.now.clone();
                let ended = self.branch(before.clone(), |s| s.expr(b));
                self.now = least(before, ended);
            }
            ExprKind::Loop(_, body) => {
                let before = self.now.clone();
                self.rounds(body, before);
            }
            ExprKind::Continue(_)
            | ExprKind::Break(..)
            | ExprKind::Return(_)
            | ExprKind::Panic(_) => {
                self.expr_parts(expr);
                // What stands behind is not what every iteration comes to.
                self.depth += usize::from(!matches!(expr.kind, ExprKind::Panic(_)));
                self.now = None;
            }
            ExprKind::Opaque(opaque) => {
                for id in &opaque.arrays {
                    self.found.insert(*id, false);
                }
                if let Some(now) = &mut self.now {
                    opaque.vars.iter().for_each(|var| {
                        now.names.remove(var);
                    });
                }
                for part in &opaque.parts {
                    // What becomes of it is not seen.
                    if let ExprKind::Load(place) = &part.kind
                        && let Root::Array(id) = place.root
                    {
                        self.found.insert(id, false);
                    }
                }
                self.expr_parts(expr);
            }
            _ => self.expr_parts(expr),
        }
    }
}

impl Accesses<'_> {
    /// Any number of rounds, the first beginning with what has been added before. Names that a round changes are none at the beginning of the next.
    fn rounds(&mut self, body: &Block, before: Option<Passed>) {
        struct Assigned<'a>(&'a mut Passed);
        impl Visit for Assigned<'_> {
            fn store(&mut self, place: &Place) {
                if let Root::Var(var) = place.root {
                    self.0.names.remove(&var);
                }
                self.place_parts(place);
            }
        }
        let mut start = before;
        if let Some(start) = &mut start {
            Assigned(start).block(body);
        }
        self.branch(start.clone(), |s| s.block(body));
        self.now = start;
    }
}

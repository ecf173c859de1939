//! Slices: loops over two dimensions whose inner one leaves the first indices of the bins alone.
//!
//! ```text
//! for a in words { for b in words { joint[w(a)][w(b)][w(a & b)] += 1; } }        a slice has 128 x 128 of 128^3 bins
//! for n in 0..batch { for i in 0..size { hist[n * 256 + bytes[n * size + i] as usize] += 1; } }        256 bins
//! ```
//!
//! A gang that takes an iteration of the outer loop together needs only that slice in shared memory, however many bins there are:
//! see [`gang_slice`](accrue_ptx::strategy). The inner loop may be all dimensions of the iteration space but the first, or a loop
//! at the end of the body behind declarations. What is looked for is an index that depends on the outer position alone, first
//! among those of every update and the same in all of them; of the only index, a part that is added to what is known to be small.
//!
//! ```text
//! for unit in gang.. by gangs {                   outer = unit / parts
//!     what depends on the outer position alone
//!     for inner in part * threads + thread .. by parts * threads { the rest }
//!     flush the slice
//! }
//! ```
//!
//! Iterations of the outer loop are cut into `parts` where there are fewer than gangs, or not many more and all of them long.

use std::collections::{HashMap, HashSet};

use accrue_ptx::abi::Elem;
use accrue_ptx::cell::Cell;
use accrue_ptx::writer::{Label, Operand, Reg};
use accrue_ptx::{emit, value};

use super::arith::type_max;
use super::elem_of;
use super::emitter::{Emitter, Facts, Frame, Item, LoopTargets, Number, Result};
use super::rows::{Part, last_loop, literal};
use super::stream::Streams;
use super::updates;
use super::value::{Num, Value};
use crate::ir::visit::Visit;
use crate::ir::{
    Access, BinaryOp, Block, Check, Expr, ExprKind, Extent, Index, Length, Loop, LoopLabel, Memory,
    Method, Root, Scalar, Stmt, StmtKind, Target, Type, Update, VarId, VarKind,
};

/// Bins of a slice that is told by a part of an index, at most: what no shared memory holds is not looked at.
const MOST_BINS: u64 = 1 << 20;

/// A loop seen as slices.
#[derive(Debug)]
pub(super) struct Slices {
    /// The loop over the outer dimension; its body is that of one inner position.
    lp: Loop,
    /// Nothing of it is streamed.
    streams: Streams,
    /// Statements of the body that depend on the outer position alone.
    ahead: usize,
    /// The inner positions.
    inner: Inner,
    /// Where the slice begins.
    base: Base,
    /// Bins of a slice.
    pub(super) bins: u64,
    /// Inner positions that a gang takes until it flushes, where nobody can tell how many there are.
    most: u64,
}

/// What the inner loop is.
#[derive(Debug)]
enum Inner {
    /// All dimensions but the first.
    Dims(Vec<VarId>),
    /// A loop of the body, with its position, count and label.
    Loop(VarId, Expr, LoopLabel),
}

/// What of the bins' indices the inner loop leaves alone.
#[derive(Debug)]
enum Base {
    /// So many of the first ones.
    Indices(usize),
    /// These parts of the sum that the only one is.
    Terms(Vec<Expr>),
}

/// An iteration of the outer loop that a gang takes together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    /// Its number.
    outer: Reg,
    /// The number of the inner position, where it has come to one.
    position: Option<Reg>,
    /// Inner positions, where they are counted with the iterations.
    count: Option<Reg>,
    /// The first of its iterations, where they are taken in vectors.
    first: Option<Reg>,
}

impl Slice {
    /// Its number and its first iteration, where it is taken in vectors.
    pub(super) fn first_iteration(self) -> Option<(Reg, Reg)> {
        Some((self.outer, self.first?))
    }
}

impl Slices {
    /// The updates of its target by what a thread takes at a time.
    pub(super) fn updates(&self) -> updates::Updates {
        updates_of(&self.lp)
    }

    /// Whether iterations are counted over both dimensions.
    pub(super) fn is_flat(&self) -> bool {
        matches!(self.inner, Inner::Dims(_))
    }

    /// The slices of a loop, if it is one of the kind.
    pub(super) fn find(lp: &Loop, targets: &[Target], overflow_checks: bool) -> Option<Slices> {
        let [target] = targets else { return None };
        let Memory::Bins(array) = target.memory else {
            return None;
        };
        let mut sliced = lp.clone();
        let mut before = 0;
        let inner = match &lp.space[..] {
            [_] => {
                let (inner, block) = last_loop(lp)?;
                before = block.stmts.len() - inner.body.stmts.len();
                sliced.body.block = block;
                Inner::Loop(inner.position, inner.count.clone(), inner.label)
            }
            [_, inner @ ..] => Inner::Dims(inner.iter().map(|dim| dim.position).collect()),
            [] => return None,
        };
        sliced.space.truncate(1);
        let facts = Facts::of(&sliced.body);
        let mut outer = Outer {
            lp: &sliced,
            assigned: &facts.assigned,
            vars: HashSet::from([sliced.space[0].position]),
            early: HashSet::from([sliced.space[0].position]),
            lets: HashMap::new(),
            counts: HashMap::new(),
        };
        match &inner {
            Inner::Dims(_) => outer.count(lp.space[1..].iter().map(|d| (d.position, &d.count))),
            Inner::Loop(position, count, _) => outer.count([(*position, count)]),
        }
        let ahead = outer.stmts(&sliced.body.block, before, overflow_checks);
        let mut updates = Updates {
            outer: &outer,
            found: None,
        };
        updates.block(&sliced.body.block);
        let first = updates.found??;

        let bins = sliced.array(array);
        let mut lengths = vec![match bins.extent {
            Extent::Fixed(Length::Known(n)) => Some(n),
            Extent::Fixed(Length::Captured(_)) | Extent::Runtime => None,
        }];
        let mut elem = &bins.elem;
        while let Type::Array(inner, length) = elem {
            lengths.push(match length {
                Length::Known(n) => Some(*n),
                Length::Captured(_) => None,
            });
            elem = &**inner;
        }
        let (base, bins) = match first {
            Found::Indices(all) => {
                let rest = lengths.get(all.len()..)?.iter();
                let bins = rest.copied().try_fold(1u64, |n, by| n.checked_mul(by?))?;
                (Base::Indices(all.len()), bins)
            }
            Found::Terms(terms, most) if lengths.len() == 1 => (Base::Terms(terms), most + 1),
            Found::Terms(..) => return None,
        };
        if bins == 0 || bins > MOST_BINS {
            return None;
        }
        let mut ahead_first: Vec<Stmt> = Vec::new();
        let mut rest = Vec::new();
        for (n, stmt) in sliced.body.block.stmts.iter().enumerate() {
            match ahead.contains(&n) {
                true => ahead_first.push(stmt.clone()),
                false => rest.push(stmt.clone()),
            }
        }
        let elem = elem_of(target.elem?);
        if !target.op.op.applies_to(elem) {
            return None;
        }
        let ahead = ahead_first.len();
        ahead_first.append(&mut rest);
        sliced.body.block.stmts = ahead_first;
        Some(Slices {
            streams: Streams::find(&sliced).one_by_one(),
            most: most_positions(&sliced, target, elem),
            lp: sliced,
            ahead,
            inner,
            base,
            bins,
        })
    }
}

/// Inner positions after which the cells of a target may hold no more updates.
fn most_positions(lp: &Loop, target: &Target, elem: Elem) -> u64 {
    let updates = updates_of(lp);
    let cell = Cell::of(target.op.op, elem, updates.constant.is_some(), updates.most);
    let most = cell.most_updates(target.op.op, elem).unwrap_or(1 << 40);
    most / 2 / u64::from(updates.most.max(1))
}

/// The updates of the only target, at an inner position.
fn updates_of(lp: &Loop) -> updates::Updates {
    updates::Updates::of(lp, 1)[0]
}

/// What depends on the outer position alone.
struct Outer<'a> {
    lp: &'a Loop,
    assigned: &'a HashSet<VarId>,
    /// Variables that do.
    vars: HashSet<VarId>,
    /// Those of them that are there before any inner position.
    early: HashSet<VarId>,
    /// The values of others that are never assigned.
    lets: HashMap<VarId, &'a Expr>,
    /// The counts of inner positions, where they are known.
    counts: HashMap<VarId, u64>,
}

impl<'a> Outer<'a> {
    fn count<'c>(&mut self, dims: impl IntoIterator<Item = (VarId, &'c Expr)>) {
        let known = dims
            .into_iter()
            .filter_map(|(var, e)| Some((var, literal(e)?)));
        self.counts.extend(known);
    }

    /// Follows the declarations of a body, of which the first ones are `before` the inner loop: those that depend on the outer position
    /// alone and can be made before any inner position, since nothing that might fail comes before them or they cannot fail.
    fn stmts(&mut self, block: &'a Block, before: usize, overflow_checks: bool) -> HashSet<usize> {
        let mut ahead = HashSet::new();
        let mut all = true;
        for (n, stmt) in block.stmts.iter().enumerate() {
            if let StmtKind::Let(var, Some(init)) = &stmt.kind
                && !self.assigned.contains(var)
            {
                if n < before || self.holds(init) {
                    self.vars.insert(*var);
                    let first = all || !overflow_checks && is_quiet(init);
                    if n < before || first && !self.depends(init, &self.early) {
                        self.early.insert(*var);
                        ahead.insert(n);
                        continue;
                    }
                } else {
                    self.lets.insert(*var, init);
                }
            }
            all = false;
        }
        ahead
    }

    /// Whether an expression has one value for all inner positions.
    fn holds(&self, e: &Expr) -> bool {
        !self.depends(e, &self.vars)
    }

    /// Whether an expression depends on more than captured values and these variables.
    fn depends(&self, e: &Expr, vars: &HashSet<VarId>) -> bool {
        let mut depends = Depends {
            lp: self.lp,
            vars,
            declared: HashSet::new(),
            found: false,
        };
        depends.expr(e);
        depends.found
    }

    fn index_holds(&self, index: &Index) -> bool {
        let window = match &index.check {
            Check::Window(window) => self.holds(window),
            Check::Dimension | Check::Never => true,
        };
        window && self.holds(&index.index) && index.base.as_ref().is_none_or(|b| self.holds(b))
    }

    /// The parts of a sum that have one value for all inner positions, and the most that the others come to together.
    fn terms(&self, e: &Expr, terms: &mut Vec<Expr>) -> Option<u64> {
        if self.holds(e) {
            terms.push(e.clone());
            return Some(0);
        }
        match &e.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                self.terms(a, terms)?.checked_add(self.terms(b, terms)?)
            }
            ExprKind::Load(place) if place.path.is_empty() => match place.root {
                Root::Var(var) => match self.lets.get(&var) {
                    Some(init) => self.terms(init, terms),
                    None => self.most(e),
                },
                Root::Array(_) => None,
            },
            ExprKind::Block(block) if block.stmts.is_empty() => {
                self.terms(block.tail.as_deref()?, terms)
            }
            _ => self.most(e),
        }
    }

    /// The most that an expression of unsigned integers comes to, where that is known.
    fn most(&self, e: &Expr) -> Option<u64> {
        let ty =
            e.ty.as_scalar()
                .filter(|ty| !ty.is_signed() && !ty.is_float())?;
        let of_type = match ty {
            Scalar::Bool => Some(1),
            _ if ty.size() <= 2 => Some(type_max(ty)),
            _ => None,
        };
        let known = match &e.kind {
            ExprKind::Literal(_) => literal(e),
            ExprKind::Cast(a) => self.most(a),
            ExprKind::Load(place) if place.path.is_empty() => match place.root {
                Root::Var(var) => match (self.lets.get(&var), self.counts.get(&var)) {
                    (Some(init), _) => self.most(init),
                    (None, Some(count)) => Some(count.saturating_sub(1)),
                    (None, None) => None,
                },
                Root::Array(_) => None,
            },
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Add => self.most(a)?.checked_add(self.most(b)?),
                BinaryOp::Mul => self.most(a)?.checked_mul(self.most(b)?),
                BinaryOp::Rem => literal(b)?.checked_sub(1),
                BinaryOp::BitAnd => literal(b).or_else(|| literal(a)),
                BinaryOp::Shr => self.most(a)?.checked_shr(u32::try_from(literal(b)?).ok()?),
                BinaryOp::Div => self.most(a)?.checked_div(literal(b)?),
                _ => None,
            },
            ExprKind::Method(Method::Min, parts) => {
                parts.iter().filter_map(|part| self.most(part)).min()
            }
            _ => None,
        };
        // What a narrower type cuts off is less.
        match (known, of_type) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (Some(a), None) if a <= type_max(ty) => Some(a),
            (_, of_type) => of_type,
        }
    }
}

/// Looks for what an expression depends on besides captured values and some variables.
struct Depends<'a> {
    lp: &'a Loop,
    vars: &'a HashSet<VarId>,
    /// Variables of its own.
    declared: HashSet<VarId>,
    found: bool,
}

impl Visit for Depends<'_> {
    fn expr(&mut self, e: &Expr) {
        self.found |= match &e.kind {
            ExprKind::Load(place) => match place.root {
                Root::Array(array) => self.lp.array(array).access != Access::Read,
                Root::Var(var) => {
                    let captured = self.lp.var(var).kind == VarKind::Captured;
                    !captured && !self.vars.contains(&var) && !self.declared.contains(&var)
                }
            },
            ExprKind::Continue(_)
            | ExprKind::Break(..)
            | ExprKind::Return(_)
            | ExprKind::Loop(..)
            | ExprKind::Match(..)
            | ExprKind::Opaque(_) => true,
            _ => false,
        };
        self.expr_parts(e);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(var, Some(_)) => {
                self.stmt_parts(stmt);
                self.declared.insert(*var);
            }
            _ => self.found = true,
        }
    }
}

/// Whether an expression neither fails nor calls, where overflow is not checked.
fn is_quiet(e: &Expr) -> bool {
    struct Loud(bool);
    impl Visit for Loud {
        fn expr(&mut self, e: &Expr) {
            self.0 |= match &e.kind {
                ExprKind::Literal(_)
                | ExprKind::Load(_)
                | ExprKind::Len(_)
                | ExprKind::Cast(_)
                | ExprKind::Unary(..)
                | ExprKind::Method(Method::CountOnes | Method::Min | Method::Max, _) => false,
                ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Div | BinaryOp::Rem),
                _ => true,
            };
            self.expr_parts(e);
        }
        fn index(&mut self, index: &Index) {
            let literal = literal(&index.index).is_some();
            let never = matches!(index.check, Check::Never);
            self.0 |= !never && !literal;
            self.expr(&index.index);
            index.base.iter().for_each(|base| self.expr(base));
        }
    }
    let mut loud = Loud(false);
    loud.expr(e);
    !loud.0
}

/// Whether two expressions are the same function of what they read.
fn alike(a: &Expr, b: &Expr) -> bool {
    if a.ty != b.ty {
        return false;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b,
        (ExprKind::Len(a), ExprKind::Len(b)) => a == b,
        (ExprKind::Load(a), ExprKind::Load(b)) => {
            a.path.is_empty() && b.path.is_empty() && a.root == b.root
        }
        (ExprKind::Cast(a), ExprKind::Cast(b)) => alike(a, b),
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && alike(a, c) && alike(b, d)
        }
        _ => false,
    }
}

/// What the updates have in common that the inner loop leaves alone.
#[derive(Clone, Debug)]
enum Found {
    /// Their first indices.
    Indices(Vec<Expr>),
    /// Parts of the only one, and the most that the others come to.
    Terms(Vec<Expr>, u64),
}

/// Collects what all updates have in common; `None` inside once it is nothing.
struct Updates<'a> {
    outer: &'a Outer<'a>,
    found: Option<Option<Found>>,
}

impl Updates<'_> {
    fn of(&self, update: &Update) -> Option<Found> {
        let (last, first) = update.bin.split_last()?;
        let held = first
            .iter()
            .take_while(|i| i.base.is_none() && self.outer.index_holds(i));
        let held: Vec<Expr> = held.map(|i| i.index.clone()).collect();
        if !held.is_empty() {
            return Some(Found::Indices(held));
        }
        let mut terms = Vec::new();
        let mut most = self.outer.terms(&last.index, &mut terms)?;
        if let Some(base) = &last.base {
            most = most.checked_add(self.outer.terms(base, &mut terms)?)?;
        }
        (first.is_empty() && !terms.is_empty()).then_some(Found::Terms(terms, most))
    }
}

impl Visit for Updates<'_> {
    fn update(&mut self, update: &Update) {
        let this = self.of(update);
        self.found = Some(match self.found.take() {
            None => this,
            Some(found) => match (found, this) {
                (Some(Found::Indices(mut a)), Some(Found::Indices(b))) => {
                    let same = a.iter().zip(&b).take_while(|(a, b)| alike(a, b)).count();
                    a.truncate(same);
                    (same > 0).then_some(Found::Indices(a))
                }
                (Some(Found::Terms(a, most)), Some(Found::Terms(b, other))) => {
                    let same = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| alike(a, b));
                    same.then_some(Found::Terms(a, most.max(other)))
                }
                _ => None,
            },
        });
        self.update_parts(update);
    }
}

impl<'a> Emitter<'a> {
    /// Prints a loop as slices, and what tells the fault of a single iteration.
    pub(super) fn by_slices(&mut self, slices: &'a Slices, single: Reg, all: Reg) -> Result<()> {
        let (begin, end) = (self.kernel.begin, self.kernel.end);
        let gang = self.kernel.gang;
        let outer = self.inputs.counts[0];
        self.kernel.open();
        let f = self.f();
        // Who tells a fault is one gang, and so is who has one iteration and nothing to share: that one does both.
        let alone = value!(f, "alone", "setp.eq.u32", gang.gangs, 1);
        let alone = value!(f, "alone", "and.pred", alone, single);
        f.comment("Slices, of an iteration of the outer loop each.");
        let (first, last) = match slices.is_flat() {
            true => {
                // All of them are not run again where one iteration of several is to tell its fault.
                let several = value!(f, "several", "setp.ne.u64", outer, 1);
                let telling = value!(f, "telling", "and.pred", alone, several);
                let first = value!(f, "first", "mov.u64", 0);
                (first, value!(f, "last", "selp.b64", first, outer, telling))
            }
            false => (begin, end),
        };
        let size = value!(f, "outer_size", "sub.u64", last, first);
        let mut count = None;
        if slices.is_flat() {
            let counts = self.inputs.counts[1..].to_vec();
            let all = counts.into_iter();
            count = all.reduce(|all, n| value!(self.f(), "inner_count", "mul.lo.u64", all, n));
        }
        let parts = self.parts_of_slices(slices, size, count);
        let f = self.f();
        let units = value!(f, "units", "mul.lo.u64", size, parts);
        let unit = value!(f, "unit", "cvt.u64.u32", gang.gang);
        let gangs = value!(f, "gangs", "cvt.u64.u32", gang.gangs);
        let (again, done) = (f.label("slices"), f.label("end_slices"));
        f.place(again);
        f.keep_rolled();
        let beyond = value!(f, "beyond", "setp.ge.u64", unit, units);
        f.branch_if(beyond, true, done);
        let (number, part) = self.divide_position(unit, parts);
        let f = self.f();
        let outer = value!(f, "outer", "add.u64", number, first);
        // What cells cannot hold the updates of is taken piece by piece.
        let pieces = match slices.is_flat() {
            true => None,
            false => {
                let from = value!(f, "from", "mov.u64", 0);
                let count = value!(f, "count", "mov.u64", 0);
                let again = f.label("pieces");
                f.place(again);
                f.keep_rolled();
                Some((from, count, again))
            }
        };
        self.kernel.begin_slice();

        let before = self.inputs.single.take();
        let mut slice = Slice {
            outer,
            position: None,
            count,
            first: None,
        };
        match count.filter(|_| self.streams.items > 1) {
            Some(count) => self.streamed_slice(&mut slice, [part, parts], count)?,
            None => {
                let (lp, streams) = (self.lp, self.streams);
                (self.lp, self.streams) = (&slices.lp, &slices.streams);
                self.part = Part::Slices(slice);
                let piece = pieces.map(|(from, count, _)| (from, count));
                self.slice(slices, [part, parts], outer, count, piece)?;
                (self.lp, self.streams) = (lp, streams);
            }
        }
        self.part = Part::Faults;
        self.inputs.single = before;

        self.kernel.end_slice();
        let f = self.f();
        if let Some((from, count, again)) = pieces {
            emit!(f, "add.u64", from, from, slices.most as i64);
            let more = value!(f, "more", "setp.lt.u64", from, count);
            f.branch_if(more, true, again);
        }
        emit!(f, "add.u64", unit, unit, gangs);
        f.branch(again, false);
        f.place(done);
        f.comment("A single iteration.");
        let thread = value!(f, "thread", "cvt.u64.u32", gang.thread);
        let item = value!(f, "item", "add.u64", begin, thread);
        let last = value!(f, "last", "selp.b64", end, begin, alone);
        self.one_by_one(item, last, all, None)
    }

    /// Into how many parts an iteration of the outer loop is cut: as many as give every gang one, or four where each has enough
    /// to do for its slice. No gang has more than its share of all iterations so, which is what its counters hold.
    fn parts_of_slices(&mut self, slices: &Slices, size: Reg, count: Option<Reg>) -> Reg {
        const TURNS: u32 = 4;
        /// Inner positions of a part for each bin of its slice, at least.
        const EACH: u64 = 4;
        let gangs = self.kernel.gang.gangs;
        let f = self.f();
        let gangs = value!(f, "gangs", "cvt.u64.u32", gangs);
        let some = value!(f, "some", "max.u64", size, 1);
        let share = |f: &mut accrue_ptx::writer::Function, gangs: Reg| {
            let more = value!(f, "more", "add.u64", gangs, some);
            let more = value!(f, "more", "sub.u64", more, 1);
            value!(f, "parts", "div.u64", more, some)
        };
        let least = share(f, gangs);
        let Some(count) = count else { return least };
        let turns = value!(f, "turns", "mul.lo.u64", gangs, TURNS);
        let wanted = share(f, turns);
        let most = value!(f, "most", "div.u64", count, (EACH * slices.bins) as i64);
        let parts = value!(f, "parts", "min.u64", wanted, most);
        value!(f, "parts", "max.u64", parts, least)
    }

    /// Prints a part of an iteration of the outer loop that lies in one piece, in vectors.
    fn streamed_slice(
        &mut self,
        slice: &mut Slice,
        [part, parts]: [Reg; 2],
        count: Reg,
    ) -> Result<()> {
        let gang = self.kernel.gang;
        let f = self.f();
        let first = value!(f, "first", "mul.lo.u64", slice.outer, count);
        let share = value!(f, "share", "add.u64", count, parts);
        let share = value!(f, "share", "sub.u64", share, 1);
        let share = value!(f, "share", "div.u64", share, parts);
        let begin = value!(f, "begin", "mul.lo.u64", share, part);
        let end = value!(f, "end", "add.u64", begin, share);
        let [begin, end] = [begin, end].map(|at| {
            let at = value!(f, "at", "min.u64", at, count);
            value!(f, "at", "add.u64", at, first)
        });
        let thread = value!(f, "thread", "cvt.u64.u32", gang.thread);
        let threads = value!(f, "threads", "cvt.u64.u32", gang.threads);
        slice.first = Some(first);
        self.part = Part::Slices(*slice);
        self.range((begin, end), thread, threads)
    }

    /// Prints a part of an iteration of the outer loop.
    fn slice(
        &mut self,
        slices: &'a Slices,
        [part, parts]: [Reg; 2],
        outer: Reg,
        count: Option<Reg>,
        piece: Option<(Reg, Reg)>,
    ) -> Result<()> {
        let gang = self.kernel.gang;
        let end = self.f().label("slice_end");
        let body = &slices.lp.body;
        self.item = Item {
            number: Number::At(outer),
            next: end,
            failed: None,
            loaded: None,
            commented: true,
        };
        let mut frame = Frame {
            body,
            facts: Facts::of(body),
            vars: HashMap::new(),
            loops: Vec::new(),
            returns: None,
        };
        self.bind_positions(&mut frame);
        self.frames.push(frame);
        if let Some(count) = count {
            // What is computed ahead is of the first inner position, if there is one.
            let none = value!(self.f(), "none", "setp.eq.u64", count, 0);
            self.f().branch_if(none, true, end);
        }
        let (ahead, rest) = body.block.stmts.split_at(slices.ahead);
        let mut reached = true;
        for stmt in ahead {
            reached &= !self.stmt(stmt)?.is_never();
        }
        let count = match (&slices.inner, count) {
            (Inner::Loop(_, count, _), _) if reached => {
                let count = self.expr(count)?;
                reached = !count.is_never();
                match reached {
                    true => self.reg(count.num()),
                    false => outer,
                }
            }
            (_, Some(count)) => count,
            (_, None) => outer,
        };
        if reached {
            let f = self.f();
            let threads = value!(f, "threads", "cvt.u64.u32", gang.threads);
            let thread = value!(f, "thread", "cvt.u64.u32", gang.thread);
            let position = value!(f, "position", "mad.lo.u64", part, threads, thread);
            let mut count = count;
            if let Some((from, all)) = piece {
                f.assign(all, count);
                emit!(f, "add.u64", position, position, from);
                let stop = value!(f, "stop", "add.u64", from, slices.most as i64);
                count = value!(f, "stop", "min.u64", stop, count);
            }
            let step = value!(f, "step", "mul.lo.u64", parts, threads);
            let (again, next) = (f.label("positions"), f.label("next_position"));
            f.place(again);
            let beyond = value!(f, "beyond", "setp.ge.u64", position, count);
            f.branch_if(beyond, true, end);
            self.bind_inner_positions(slices, position, next);
            self.item.next = next;
            if let Part::Slices(slice) = &mut self.part {
                slice.position = Some(position);
            }
            let mut falls = true;
            for stmt in rest {
                falls &= !self.stmt(stmt)?.is_never();
                if !falls {
                    break;
                }
            }
            if let (Some(tail), true) = (&body.block.tail, falls) {
                self.expr(tail)?;
            }
            let f = self.f();
            f.place(next);
            emit!(f, "add.u64", position, position, step);
            f.branch(again, false);
        }
        self.frames.pop();
        self.f().place(end);
        Ok(())
    }

    /// Binds the inner positions, and what `continue` in the inner loop leads to.
    fn bind_inner_positions(&mut self, slices: &Slices, position: Reg, next: Label) {
        match &slices.inner {
            Inner::Dims(vars) => {
                let all = self.inner_positions_at(position);
                for (var, at) in vars.iter().zip(all) {
                    let num = self.result(Scalar::Usize, at, None);
                    self.frame().vars.insert(*var, Value::Num(num));
                }
            }
            Inner::Loop(var, _, label) => {
                let num = self.result(Scalar::Usize, position, None);
                let frame = self.frame();
                frame.vars.insert(*var, Value::Num(num));
                frame.loops.push(LoopTargets {
                    label: *label,
                    next,
                    done: next,
                    result: Value::Unit,
                });
            }
        }
    }

    /// The position in every dimension but the first, counted over all of them.
    pub(super) fn inner_positions_at(&mut self, position: Reg) -> Vec<Reg> {
        let mut rest = position;
        let mut all = Vec::new();
        for count in self.inputs.counts[2..].to_vec().into_iter().rev() {
            let (quotient, at) = self.divide_position(rest, count);
            all.push(at);
            rest = quotient;
        }
        all.push(rest);
        all.reverse();
        all
    }

    /// Says where the slice of an update begins, when so many of its indices have been come to, and what they amount to.
    pub(super) fn slice_begins(&mut self, indices: usize, number: Option<Num>) -> Result<()> {
        let (Some(slices), Part::Slices(_)) = (self.slices, self.part) else {
            return Ok(());
        };
        let Some(low) = self.kernel.slice() else {
            return Ok(());
        };
        let begins: Operand = match (&slices.base, number) {
            (Base::Indices(n), Some(number)) if *n == indices => {
                let Ok(bins) = i64::try_from(slices.bins) else {
                    return Ok(());
                };
                let number = self.low(number);
                value!(self.f(), "slice", "mul.lo.u32", number, bins).into()
            }
            (Base::Terms(terms), None) => {
                let mut sum: Option<Num> = None;
                for term in terms {
                    let term = self.expr(term)?.num();
                    sum = Some(match sum {
                        None => term,
                        Some(sum) => {
                            let wide = [sum, term].map(|num| self.low(num));
                            let both = value!(self.f(), "slice", "add.u32", wide[0], wide[1]);
                            Num {
                                narrow: true,
                                ..Num::reg(Scalar::Usize, both)
                            }
                        }
                    });
                }
                let Some(sum) = sum else { return Ok(()) };
                self.low(sum)
            }
            _ => return Ok(()),
        };
        self.f().assign(low, begins);
        Ok(())
    }

    /// The number of the iteration that the current inner position is, where it is not counted by itself.
    pub(super) fn iteration_of_slice(&mut self, slice: Slice) -> Option<Reg> {
        let f = self.f();
        match (slice.count, slice.position) {
            _ if slice.first.is_some() => None,
            (None, _) => Some(slice.outer),
            (Some(count), None) => Some(value!(f, "iteration", "mul.lo.u64", slice.outer, count)),
            (Some(count), Some(position)) => {
                let iteration = value!(f, "iteration", "mad.lo.u64", slice.outer, count, position);
                Some(iteration)
            }
        }
    }
}

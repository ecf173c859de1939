//! Spans: what an inner loop reads and writes at indices that grow evenly with its position, checked once before it.
//!
//! ```text
//! for k in 0..n { sum += a[i * n + k] * b[k * n + j]; }
//! ```
//!
//! `a[i * n]`, `a[i * n + n - 1]`, `b[j]` and `b[(n - 1) * n + j]` are there: then so is all between, and the loop runs with an address for
//! each that it adds to, without checks. Else it runs as it is written, which tells whose fault it is. An index is `start + step *
//! position`, in 64 bits that wrap; where `start` is in range and neither the step nor the number of positions has more than 31 bits, it grows without
//! wrapping, so that its ends are its bounds. An element that the loop updates where it stays is kept in registers meanwhile.

use std::collections::{HashMap, HashSet};

use accrue_ptx::writer::{Operand, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Result};
use super::narrow::Narrow;
use super::place::Memory;
use super::value::{Num, Value};
use crate::ir::{
    Access, ArrayId, BinaryOp, Block, Check, Expr, ExprKind, ForLoop, Index, Loop, LoopLabel,
    Place, Projection, Root, Scalar, SourceId, Stmt, StmtKind, Type, VarId,
};

/// Places of a loop that get an address each, at most: registers.
const MOST_PLACES: usize = 12;

/// The size of a body that is worth two forms, at most, in expressions.
const MOST_EXPRESSIONS: u32 = 300;

/// Where an access is while the loop runs that it has been checked for.
#[derive(Clone)]
pub(super) enum Spanned<'a> {
    /// At an address and so many bytes behind it, with its type.
    At(Reg, i64, &'a Type),
    /// In registers.
    Kept(Value),
}

/// An access of a loop's body.
struct Found<'a> {
    place: &'a Place,
    source: SourceId,
    /// Whether it is all that the loop has to do with the array, `place op= value`.
    updates: bool,
}

/// What is known of an inner loop's body.
pub(super) struct Body<'a> {
    pub(super) position: VarId,
    label: LoopLabel,
    /// What is declared in it, with its value where that is all it ever has.
    pub(super) lets: HashMap<VarId, Option<&'a Expr>>,
    pub(super) assigned: HashSet<VarId>,
    places: Vec<Found<'a>>,
    /// How often each array is accessed.
    accesses: HashMap<ArrayId, usize>,
    /// Whether it has loops in it, or leaves other loops.
    unsuitable: bool,
    size: u32,
    /// Its expressions, each before its parts, with the number of the one behind these.
    pub(super) exprs: Vec<(&'a Expr, usize)>,
}

/// An index over the positions of a loop.
struct Line {
    start: Num,
    /// What a position adds; none where it adds nothing.
    step: Option<Num>,
}

/// A loop in its two forms.
pub(super) struct Spans<'a> {
    /// Whether all indices are in range: a predicate.
    pub(super) inside: Reg,
    /// What each position adds to which address.
    steps: Vec<(Reg, Operand)>,
    /// What is kept in registers: the value, and where it belongs.
    kept: Vec<(Value, Reg, i64, &'a Type)>,
    /// The size of the body, in expressions.
    pub(super) size: u32,
    /// What is read of arrays that nobody writes: where, what each position adds, of which array, and bytes of an element.
    pub(super) read: Vec<(Reg, Operand, ArrayId, Num)>,
    /// The last position.
    pub(super) last: Reg,
    /// How far behind an address is what the next step reads, where iterations are steps.
    pub(super) ahead: Vec<(Reg, Reg)>,
}

impl Spans<'_> {
    /// Whether something is kept in registers.
    pub(super) fn keeps(&self) -> bool {
        !self.kept.is_empty()
    }

    /// What each position adds to which address.
    pub(super) fn steps_mut(&mut self) -> impl Iterator<Item = (&mut Reg, &mut Operand)> {
        self.steps.iter_mut().map(|(at, by)| (at, by))
    }
}

impl<'a> Emitter<'a> {
    /// The spans of an inner loop that runs so often, and its body; what has been printed checks them. `None` where there are none to speak of.
    pub(super) fn spans(
        &mut self,
        inner: &'a ForLoop,
        count: Num,
    ) -> Result<Option<(Spans<'a>, Body<'a>)>> {
        let is_free = self.spans.is_empty() && self.unchecked.is_empty() && self.narrow.is_empty();
        if self.options.overflow_checks || !self.kernel.writes() || !is_free {
            return Ok(None);
        }
        let body = Body::of(inner);
        let lp = self.lp;
        let known = |found: &Found<'_>| match found.place.root {
            Root::Array(array) => {
                matches!(lp.array(array).access, Access::Read | Access::Owned)
            }
            Root::Var(_) => false,
        };
        // What is read of the row before in steps that overlap is known to be there.
        let overlap = self.overlap.filter(|_| self.overlapping().is_some());
        let is_there = |found: &Found<'_>| overlap.is_some_and(|o| o.reads(found.place));
        let there = body.places.iter().filter(|found| is_there(found));
        self.unchecked
            .extend(there.map(|found| std::ptr::from_ref(found.place)));
        let known = (0..body.places.len())
            .filter(|n| known(&body.places[*n]) && !is_there(&body.places[*n]));
        let (places, mut others): (Vec<usize>, Vec<usize>) =
            known.partition(|n| body.is_even(body.places[*n].place));
        others.retain(|n| body.is_bounded(body.places[*n].place));
        if body.unsuitable
            || body.size > MOST_EXPRESSIONS
            || places.is_empty() && others.is_empty()
            || places.len() > MOST_PLACES
        {
            return Ok(None);
        }
        let count = self.reg(count);
        let f = self.f();
        let last = value!(f, "last", "sub.u64", count, 1);
        // A loop that does not run has nothing to check.
        let mut inside = value!(f, "inside", "setp.lt.u64", last, 1i64 << 31);
        let mut spans = Spans {
            inside,
            steps: Vec::new(),
            kept: Vec::new(),
            size: body.size,
            read: Vec::new(),
            last,
            ahead: Vec::new(),
        };
        for n in others {
            let Found { place, source, .. } = body.places[n];
            self.check_bounds(place, source, &body, last, &mut inside)?;
            if self.steps.is_some() {
                self.unchecked.insert(place);
            }
        }
        self.clip_casts(&body);
        if self.steps.is_none() {
            self.narrow_casts(&body, last, &mut inside)?;
        }
        for n in places {
            let Found {
                place,
                source,
                updates,
            } = body.places[n];
            let Root::Array(array) = place.root else {
                continue;
            };
            let mut at = self.inputs.pointers[&array];
            let mut step: Option<Operand> = None;
            let mut length = self.array_length(array);
            let mut ty: Option<&'a Type> = None;
            let mut offset = 0;
            for projection in &place.path {
                match projection {
                    Projection::Field(n) => {
                        let (by, field) =
                            self.field(ty.expect("an index comes first"), *n, source)?;
                        offset += by as i64;
                        ty = Some(field);
                    }
                    Projection::Index(index) => {
                        let elem = match ty {
                            None => &lp.array(array).elem,
                            Some(Type::Array(elem, n)) => {
                                length = self.length(n, source)?;
                                &**elem
                            }
                            Some(other) => unreachable!("an index into {other}"),
                        };
                        let line = self.checked_line(index, &body, length, last, &mut inside)?;
                        let size = self.size_of(elem, source)?;
                        let size = self.wide(size);
                        let start = self.reg(line.start);
                        at = value!(self.f(), "at", "mad.lo.u64", start, size, at);
                        if let Some(by) = line.step {
                            let by = self.reg(by);
                            let bytes = value!(self.f(), "step", "mul.lo.u64", by, size);
                            step = Some(match step {
                                None => bytes.into(),
                                Some(before) => {
                                    value!(self.f(), "step", "add.u64", before, bytes).into()
                                }
                            });
                        }
                        ty = Some(elem);
                    }
                }
            }
            let ty = ty.expect("an index comes first");
            let scalar = matches!(ty, Type::Scalar(_));
            let spanned = match step {
                None if updates && scalar => {
                    let kept = self.storage(ty, "kept", false, source)?;
                    spans.kept.push((kept.clone(), at, offset, ty));
                    Spanned::Kept(kept)
                }
                None => Spanned::At(at, offset, ty),
                Some(step) => {
                    spans.steps.push((at, step));
                    if lp.array(array).access == Access::Read && offset == 0 && scalar {
                        let size = self.size_of(&lp.array(array).elem, source)?;
                        spans.read.push((at, step, array, size));
                    }
                    Spanned::At(at, offset, ty)
                }
            };
            self.spans.insert(place, spanned);
        }
        spans.inside = inside;
        Ok(Some((spans, body)))
    }

    /// An index, and what it needs to be in range at all positions up to the last.
    fn checked_line(
        &mut self,
        index: &'a Index,
        body: &Body<'a>,
        length: Num,
        last: Reg,
        inside: &mut Reg,
    ) -> Result<Line> {
        let mut line = self.line(&index.index, body)?;
        let length = match &index.check {
            Check::Dimension => Some(length),
            Check::Window(window) => Some(self.expr(window)?.num()),
            Check::Never => None,
        };
        if let Some(length) = length {
            let length = self.wide(length);
            let start = self.reg(line.start);
            let step = line.step.map(|step| (self.reg(step), step.constant()));
            let f = self.f();
            *inside = value!(f, "inside", "setp.lt.and.u64", start, length, *inside);
            if let Some((step, constant)) = step {
                if constant.is_none() {
                    let small = 1i64 << 31;
                    *inside = value!(f, "inside", "setp.lt.and.u64", step, small, *inside);
                }
                let end = value!(f, "end", "mad.lo.u64", step, last, start);
                *inside = value!(f, "inside", "setp.lt.and.u64", end, length, *inside);
            }
        }
        if let Some(base) = &index.base {
            let base = self.line(base, body)?;
            line = self.sum(BinaryOp::Add, base, line);
        }
        Ok(line)
    }

    /// What it takes that the indices of a place fit 32 bits at all positions, by the most that they come to, and in steps, that they are in range.
    fn check_bounds(
        &mut self,
        place: &'a Place,
        source: SourceId,
        body: &Body<'a>,
        last: Reg,
        inside: &mut Reg,
    ) -> Result<()> {
        let Root::Array(array) = place.root else {
            return Ok(());
        };
        let mut length = self.array_length(array);
        let mut ty: Option<&'a Type> = None;
        for projection in &place.path {
            match projection {
                Projection::Field(n) => {
                    let of = ty.expect("an index comes first");
                    ty = Some(self.field(of, *n, source)?.1);
                }
                Projection::Index(index) => {
                    if let Some(Type::Array(_, n)) = ty {
                        length = self.length(n, source)?;
                    }
                    let length = match &index.check {
                        Check::Dimension => Some(length),
                        Check::Window(window) => Some(self.expr(window)?.num()),
                        Check::Never => None,
                    };
                    let length = length.filter(|_| self.steps.is_some());
                    let constant = matches!(index.index.kind, ExprKind::Literal(_));
                    if length.is_some() || !constant {
                        let most = self.most(&index.index, body, last, inside)?;
                        self.fits(most, inside);
                        if let Some(length) = length {
                            let length = self.wide(length);
                            let f = self.f();
                            *inside = value!(f, "inside", "setp.lt.and.u64", most, length, *inside);
                        }
                    }
                    let lp = self.lp;
                    ty = Some(match ty {
                        None => &lp.array(array).elem,
                        Some(Type::Array(elem, _)) => elem,
                        Some(other) => unreachable!("an index into {other}"),
                    });
                }
            }
        }
        Ok(())
    }

    fn sum(&mut self, op: BinaryOp, a: Line, b: Line) -> Line {
        Line {
            start: self.arithmetic(op, a.start, b.start, None),
            step: match (a.step, b.step) {
                (Some(a), Some(b)) => Some(self.arithmetic(op, a, b, None)),
                (a, b) => a.or(b),
            },
        }
    }

    /// An index over the positions, which [`Body::line`] has found to be one.
    fn line(&mut self, e: &'a Expr, body: &Body<'a>) -> Result<Line> {
        if body.stays(e) {
            return Ok(Line {
                start: self.expr(e)?.num(),
                step: None,
            });
        }
        match &e.kind {
            ExprKind::Load(place) => match place.root {
                Root::Var(var) if var != body.position => match body.lets.get(&var) {
                    Some(Some(value)) => self.line(value, body),
                    _ => unreachable!("a line of what is not known"),
                },
                _ => Ok(Line {
                    start: Num::int(Scalar::Usize, 0),
                    step: Some(Num::int(Scalar::Usize, 1)),
                }),
            },
            ExprKind::Cast(inner) => self.line(inner, body),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (a, b) = (self.line(a, body)?, self.line(b, body)?);
                Ok(self.sum(*op, a, b))
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (self.line(a, body)?, self.line(b, body)?);
                let (factor, of) = match a.step {
                    None => (a.start, b),
                    Some(_) => (b.start, a),
                };
                let mut times = |num| self.arithmetic(BinaryOp::Mul, num, factor, None);
                Ok(Line {
                    start: times(of.start),
                    step: of.step.map(times),
                })
            }
            other => unreachable!("a line of {other:?}"),
        }
    }

    /// What is loaded before the first position.
    pub(super) fn begin_spans(&mut self, spans: &Spans<'a>, source: SourceId) -> Result<()> {
        for (kept, at, offset, ty) in &spans.kept {
            let held = self.load_value(Memory::Own, *at, *offset, ty, source)?;
            self.assign(kept, &held, source)?;
        }
        Ok(())
    }

    /// What comes between two positions.
    pub(super) fn step_spans(&mut self, spans: &Spans<'a>) {
        for (at, step) in &spans.steps {
            emit!(self.f(), "add.u64", *at, *at, *step);
        }
    }

    /// What comes behind the last position. From here on nothing is known of the places any more.
    pub(super) fn end_spans(&mut self, spans: Spans<'a>, source: SourceId) -> Result<()> {
        self.forget_spans();
        for (kept, at, offset, ty) in spans.kept {
            self.store_value(Memory::Own, at, offset, ty, &kept, source)?;
        }
        Ok(())
    }

    /// Forgets what is known of the places of a loop.
    pub(super) fn forget_spans(&mut self) {
        self.spans.clear();
        self.unchecked.clear();
        self.narrow = Narrow::default();
        self.steady.clear();
    }

    /// What is known of a place.
    pub(super) fn spanned(&self, place: &'a Place) -> Option<Spanned<'a>> {
        self.spans.get(&std::ptr::from_ref(place)).cloned()
    }
}

impl<'a> Body<'a> {
    /// Reads the body of a loop.
    pub(super) fn of(inner: &'a ForLoop) -> Body<'a> {
        let mut body = Body {
            position: inner.position,
            label: inner.label,
            lets: HashMap::new(),
            assigned: HashSet::new(),
            places: Vec::new(),
            accesses: HashMap::new(),
            unsuitable: false,
            size: 0,
            exprs: Vec::new(),
        };
        body.block(&inner.body);
        let accesses = &body.accesses;
        for found in &mut body.places {
            let alone =
                matches!(found.place.root, Root::Array(array) if accesses.get(&array) == Some(&1));
            found.updates &= alone;
        }
        body
    }

    /// Whether all places of captured arrays are in spans, but for those that are known to be there.
    pub(super) fn has_spans(&self, lp: &Loop, known: &dyn Fn(&Place) -> bool) -> bool {
        let mut even = 0;
        let all = self.places.iter().all(|found| {
            let Root::Array(array) = found.place.root else {
                return true;
            };
            if known(found.place) {
                return true;
            }
            let is_even = self.is_even(found.place);
            even += usize::from(is_even);
            matches!(lp.array(array).access, Access::Read | Access::Owned)
                && (is_even || self.is_bounded(found.place))
        });
        all && even <= MOST_PLACES && !self.unsuitable && self.size <= MOST_EXPRESSIONS
    }

    fn block(&mut self, block: &'a Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        block.tail.iter().for_each(|tail| self.expr(tail));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Let(var, value) => {
                self.lets.insert(*var, value.as_ref());
                value.iter().for_each(|value| self.expr(value));
            }
            StmtKind::Assign(place, value) => {
                self.expr(value);
                self.store(place, stmt.source, false);
            }
            StmtKind::Compound(place, _, value) => {
                self.expr(value);
                self.store(place, stmt.source, true);
            }
            StmtKind::Update(update) => {
                self.expr(&update.value);
                update.bin.iter().for_each(|index| self.index(index));
            }
            StmtKind::For(_) | StmtKind::While(..) => self.unsuitable = true,
            StmtKind::Expr(e) | StmtKind::Check(e, _) => self.expr(e),
        }
    }

    fn store(&mut self, place: &'a Place, source: SourceId, updates: bool) {
        if let Root::Var(var) = place.root {
            self.assigned.insert(var);
        }
        self.place(place, source, updates);
    }

    fn place(&mut self, place: &'a Place, source: SourceId, updates: bool) {
        for step in &place.path {
            if let Projection::Index(index) = step {
                self.index(index);
            }
        }
        if let Root::Array(array) = place.root {
            *self.accesses.entry(array).or_default() += 1;
            self.places.push(Found {
                place,
                source,
                updates,
            });
        }
    }

    fn index(&mut self, index: &'a Index) {
        self.expr(&index.index);
        index.base.iter().for_each(|base| self.expr(base));
        if let Check::Window(window) = &index.check {
            self.expr(window);
        }
    }

    fn expr(&mut self, e: &'a Expr) {
        let number = self.exprs.len();
        self.exprs.push((e, 0));
        self.parts(e);
        self.exprs[number].1 = self.exprs.len();
    }

    fn parts(&mut self, e: &'a Expr) {
        self.size += 1;
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) | ExprKind::Panic(_) => {}
            ExprKind::Load(place) => self.place(place, e.source, false),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Repeat(a) => self.expr(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Method(_, parts)
            | ExprKind::Call(_, parts)
            | ExprKind::Array(parts)
            | ExprKind::Tuple(parts)
            | ExprKind::Struct(parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::If(cond, then, otherwise) => {
                self.expr(cond);
                self.block(then);
                otherwise.iter().for_each(|block| self.block(block));
            }
            ExprKind::Match(of, arms) => {
                self.expr(of);
                for arm in arms {
                    // What it binds is not followed.
                    arm.binding.iter().for_each(|var| {
                        self.assigned.insert(*var);
                    });
                    arm.guard.iter().for_each(|guard| self.expr(guard));
                    self.expr(&arm.body);
                }
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Continue(Some(label)) if *label == self.label => {}
            ExprKind::Break(label, None) if *label == self.label => {}
            // What is kept in registers would not come to where it belongs.
            ExprKind::Continue(_)
            | ExprKind::Break(..)
            | ExprKind::Loop(..)
            | ExprKind::Return(_)
            | ExprKind::Opaque(_) => self.unsuitable = true,
        }
    }

    /// Whether an expression has one value for all positions, and evaluating it does nothing else.
    pub(super) fn stays(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(place) => match place.root {
                Root::Var(var) => {
                    place.path.is_empty()
                        && var != self.position
                        && !self.lets.contains_key(&var)
                        && !self.assigned.contains(&var)
                }
                Root::Array(_) => false,
            },
            ExprKind::Cast(a) => is_int(a) && is_int(e) && self.stays(a),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
                self.stays(a) && self.stays(b)
            }
            _ => false,
        }
    }

    /// Whether an expression grows evenly with the position: `Some` of whether it does at all.
    pub(super) fn line(&self, e: &Expr) -> Option<bool> {
        if self.stays(e) {
            return Some(false);
        }
        if !matches!(e.ty, Type::Scalar(Scalar::Usize | Scalar::U64)) {
            return None;
        }
        match &e.kind {
            ExprKind::Load(place) if place.path.is_empty() => match place.root {
                Root::Var(var) if var == self.position => Some(true),
                Root::Var(var) if !self.assigned.contains(&var) => {
                    self.line((*self.lets.get(&var)?)?)
                }
                _ => None,
            },
            ExprKind::Cast(inner) => self.line(inner),
            ExprKind::Binary(BinaryOp::Add, a, b) => Some(self.line(a)? | self.line(b)?),
            ExprKind::Binary(BinaryOp::Sub, a, b) => match (self.line(a)?, self.line(b)?) {
                (grows, false) => Some(grows),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Mul, a, b) => match (self.line(a)?, self.line(b)?) {
                (true, true) => None,
                (a, b) => Some(a | b),
            },
            _ => None,
        }
    }

    /// Whether there is a bound for the indices of a place, and what they are compared with stays.
    fn is_bounded(&self, place: &Place) -> bool {
        place.path.iter().all(|step| match step {
            Projection::Field(_) => true,
            Projection::Index(index) => {
                let window = match &index.check {
                    Check::Window(window) => self.stays(window),
                    Check::Dimension | Check::Never => true,
                };
                let base = index.base.as_ref().is_none_or(|base| self.stays(base));
                window && base && self.bounded(&index.index)
            }
        })
    }

    /// Whether the indices of a place grow evenly, and what they are compared with stays.
    fn is_even(&self, place: &Place) -> bool {
        place.path.iter().all(|step| match step {
            Projection::Field(_) => true,
            Projection::Index(index) => {
                let window = match &index.check {
                    Check::Window(window) => self.stays(window),
                    Check::Dimension | Check::Never => true,
                };
                let base = index.base.as_ref().is_none_or(|b| self.line(b).is_some());
                window && base && self.line(&index.index).is_some()
            }
        })
    }
}

fn is_int(e: &Expr) -> bool {
    e.ty.as_scalar().is_some_and(Scalar::is_int)
}

//! Overlapped steps: gangs that take several steps each by themselves, where a row is made of the one before it.
//!
//! ```text
//! ghost = (end - begin) * reach;  own = threads - 2 * ghost        columns that a gang loses and has
//! column = gang * own - ghost + thread
//! the row before the first into shared memory, barrier
//! for step in begin..end {                                         some 32 steps a launch
//!     fewer columns, by `reach` at either side: element = f(row before, in shared memory), kept there, and stored by whose own it is
//!     barrier
//! }
//! ```
//!
//! What neighbours need of each other they compute themselves, so that no gang waits for another, and a launch takes the place of as many
//! barriers of all gangs. (Overlapped, or ghost zone, tiling of stencils: Meng and Skadron, "Performance modeling and automatic ghost zone
//! optimization for iterative stencil loops on GPUs", 2009.)
//!
//! That rows follow each other is known from the indices, as polynomials over the step and the column. That all of them are there is for the
//! launch to see: each thread looks at one of its steps. Where that is not so, or the gangs have not all columns, the first gang takes
//! the steps in order.
//!
//! Symbols: `reach`, the columns at either side of its own that an iteration reads of the row before.

use accrue_ptx::strategy::steps::OVERLAP_THREADS;
use accrue_ptx::writer::{Class, Label, Operand, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Facts, Number, Result};
use super::families::can_fail;
use super::linear::{Linear, Values, split};
use super::place::Memory;
use super::spans::{Body, Spanned};
use super::steps::ends_in_store;
use super::together::Together;
use super::value::{Num, Value};
use super::{Options, layout};
use crate::dependence::Poly;
use crate::ir::visit::Visit;
use crate::ir::{
    Access, ArrayId, Expr, ForLoop, Loop, LoopLabel, Place, Root, Scalar, Stmt, StmtKind,
    Type, VarId,
};

/// The largest reach: what a gang computes in vain grows with it.
const MOST_REACH: i128 = 4;

/// The largest element that rows are kept of, in bytes.
const MOST_BYTES: u64 = 16;

/// What is known of a loop whose steps may overlap.
pub(super) struct Overlap<'a> {
    /// Where the loop writes.
    to: &'a Place,
    array: ArrayId,
    elem: &'a Type,
    /// Bytes of an element.
    size: u32,
    pub(super) reach: u32,
    /// Columns beside those of the loop that it reads, at either side: what is there no step writes.
    beside: [u32; 2],
    /// From an element of a row to that of the next, in bytes.
    stride: Poly,
}

/// What the steps of a launch are printed for.
pub(super) enum Overlapping {
    /// Whether they can overlap: a predicate.
    Looked(Reg),
    /// Themselves.
    Rows(Rows),
}

/// Registers of a gang that has rows in shared memory.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    array: ArrayId,
    /// The column of the thread, in 32 bits, and in 64 with its sign.
    column: Reg,
    wide: Reg,
    /// Whether it is the gang's own: a predicate.
    own: Reg,
    /// The first step.
    begin: Reg,
    /// The row before and the one that is being made, as addresses in shared memory of what the first thread has.
    before: Reg,
    row: Reg,
    /// The thread's part of them, in bytes from there.
    slot: Reg,
    /// Columns that have been lost at either side.
    lost: Reg,
    /// What leads from an address of the row before, in 32 bits, to where it is in shared memory.
    there: Reg,
}

/// What the bodies of a loop and of the one inside it access, as polynomials.
struct Reader<'a> {
    values: Values<'a>,
    reads: Vec<Linear>,
    writes: Vec<Linear>,
    fails: bool,
}

impl Visit for Reader<'_> {
    fn load(&mut self, place: &Place) {
        if let Root::Array(id) = place.root
            && self.values.lp.array(id).access == Access::Owned
        {
            let read = self.values.place(place);
            self.fails |= read.is_none() || place.path.len() != 1;
            self.reads.extend(read);
        }
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        if let Root::Array(_) = place.root {
            let written = self.values.place(place);
            self.fails |= written.is_none() || place.path.len() != 1;
            self.writes.extend(written);
        }
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.fails |= matches!(stmt.kind, StmtKind::Check(..) | StmtKind::Update(_));
        self.stmt_parts(stmt);
        if let StmtKind::Let(var, Some(init)) = &stmt.kind {
            self.values.declare(*var, init);
        }
    }

    fn expr(&mut self, e: &Expr) {
        self.fails |= can_fail(e);
        self.expr_parts(e);
    }
}

/// A line of elements that the columns of a step lead to.
struct Row {
    /// Bytes from the array's start to the first column, in the first step, and from a step to the next.
    start: Poly,
    stride: Poly,
}

impl Row {
    /// The line of an access, if a column is an element.
    fn of(bytes: &Poly, size: u32, step: VarId, column: VarId) -> Option<Row> {
        let (rest, factor) = split(bytes, column)?;
        let (start, stride) = split(&rest, step)?;
        (factor.as_constant() == Some(size.into())).then_some(Row { start, stride })
    }
}

impl<'a> Overlap<'a> {
    /// What is known of a loop, if its steps may overlap.
    pub(super) fn find(lp: &'a Loop, dealt: &[LoopLabel], options: &Options) -> Option<Self> {
        let (last, before) = lp.body.block.stmts.split_last()?;
        let StmtKind::For(inner) = &last.kind else {
            return None;
        };
        let StmtKind::Assign(to, _) = &inner.body.stmts.last()?.kind else {
            return None;
        };
        let Root::Array(array) = to.root else {
            return None;
        };
        let elem = &lp.array(array).elem;
        let size = layout::of(elem)?.size;
        let body = Body::of(inner);
        let is_right = !options.overflow_checks
            && *dealt == [inner.label]
            && size <= MOST_BYTES
            && ends_in_store(&inner.body)
            && body.has_spans_alone(lp);
        if !is_right {
            return None;
        }
        let (step, column) = (lp.space[0].position, inner.position);
        let facts = Facts::of(&lp.body);
        let mut reader = Reader {
            values: Values::over(lp, &facts.assigned, column),
            reads: Vec::new(),
            writes: Vec::new(),
            fails: false,
        };
        for stmt in before {
            if let StmtKind::Let(var, Some(init)) = &stmt.kind {
                reader.values.declare(*var, init);
            }
        }
        let count = reader.values.plain(&inner.count);
        reader.block(&inner.body);
        let [written] = &reader.writes[..] else {
            return None;
        };
        let size = size as u32;
        let row = Row::of(&written.bytes, size, step, column)?;
        if reader.fails || reader.reads.is_empty() || !written.guards.is_empty() {
            return None;
        }
        let mut beside = [0; 2];
        let mut reach = 1;
        for read in &reader.reads {
            let from = Row::of(&read.bytes, size, step, column)?;
            if from.stride != row.stride {
                return None;
            }
            let distance = from.start + row.stride.clone() - row.start.clone();
            let distance = distance.as_constant().filter(|d| d % i128::from(size) == 0)?;
            let distance = distance / i128::from(size);
            let is_kept = is_kept(read, distance, &Values::position_of(column), count.as_ref(), size)?;
            for (side, by) in [-distance, distance].into_iter().enumerate() {
                reach = reach.max(by);
                if !is_kept {
                    beside[side] = beside[side].max(by);
                }
            }
        }
        (reach <= MOST_REACH).then_some(Overlap {
            to,
            array,
            elem,
            size,
            reach: reach as u32,
            beside: beside.map(|by| by as u32),
            stride: row.stride,
        })
    }
}

impl Overlap<'_> {
    /// Bytes of shared memory: two rows.
    pub(super) fn shared(&self) -> u32 {
        2 * OVERLAP_THREADS * self.size
    }
}

/// Whether a read stays among the columns of the loop, `distance` from the iteration's own; `None` where it may be further away than that.
fn is_kept(
    read: &Linear,
    distance: i128,
    column: &Poly,
    count: Option<&Poly>,
    size: u32,
) -> Option<bool> {
    let guarded = match &read.guards[..] {
        [] => return Some(distance == 0),
        [one] => one,
        _ => return None,
    };
    let guard = &guarded.guard;
    let inside = column.clone() + Poly::constant(distance);
    let outside = inside.clone() + guard.outside.clone()? - guard.inside.clone();
    // It is as large as this where the guard holds.
    let least = guard.most.clone() - guard.less.clone() - Poly::constant(guard.strict.into());
    let (room, end) = match distance < 0 {
        true => (inside, Poly::zero()),
        false => {
            let last = count?.clone() - Poly::constant(1);
            (last.clone() - inside, last)
        }
    };
    let is_kept = guarded.factor.as_constant() == Some(size.into())
        && least == room
        && (outside == end || outside == *column);
    is_kept.then_some(true)
}

impl<'a> Emitter<'a> {
    /// Prints the steps of a launch as gangs take them by themselves. Which steps these are, for the first gang to take them in order: what is
    /// printed next runs where they do not overlap.
    pub(super) fn some_steps(
        &mut self,
        dealt: &'a [LoopLabel],
        overlap: &'a Overlap<'a>,
        end: Label,
    ) -> Result<(Operand, Reg)> {
        let (begin, last) = (self.kernel.begin, self.kernel.end);
        let (gang, error) = (self.kernel.gang, self.kernel.error);
        let [count, width] = self.inputs.counts[..] else {
            unreachable!("steps have two dimensions");
        };
        let f = self.f();
        let in_order = f.label("in_order");
        // No step follows one that has failed, in a launch before this one.
        let first = value!(f, "first", "ld.relaxed.gpu.global.u64", Operand::At(error, 0));
        let failed = value!(f, "failed", "setp.ne.u64", first, -1);
        f.branch_if(failed, true, end);
        let last = value!(f, "last", "min.u64", last, count);
        let none = value!(f, "none", "setp.ge.u64", begin, last);
        f.branch_if(none, true, end);
        let steps = value!(f, "steps", "sub.u64", last, begin);
        let few = value!(f, "few", "setp.le.u64", steps, i64::from(OVERLAP_THREADS));
        let small = value!(f, "small", "setp.le.and.u32", gang.threads, OVERLAP_THREADS, few);
        let steps = value!(f, "steps", "cvt.u32.u64", steps);
        let ghost = value!(f, "ghost", "mul.lo.u32", steps, overlap.reach);
        let ghosts = value!(f, "ghosts", "add.u32", ghost, ghost);
        let has_own = value!(f, "has_own", "setp.lt.and.u32", ghosts, gang.threads, small);
        let own = value!(f, "own", "sub.u32", gang.threads, ghosts);
        let all = value!(f, "all", "mul.wide.u32", own, gang.gangs);
        let all = value!(f, "all", "setp.ge.and.u64", all, width, has_own);
        f.branch_if(all, false, in_order);

        // Each thread looks at one step.
        let thread = value!(f, "thread", "cvt.u64.u32", gang.thread);
        let step = value!(f, "step", "add.u64", begin, thread);
        let looked = f.label("looked");
        let sound = value!(f, "sound", "setp.ge.u64", step, last);
        f.branch_if(sound, true, looked);
        self.take_steps(dealt, step, end, Some(Overlapping::Looked(sound)));
        self.together = Some(Together::leading_to(looked));
        self.item(Number::At(step), None, false)?;
        self.together = None;
        let f = self.f();
        f.place(looked);
        let sound_for_all = f.reg(Class::Pred, "sound");
        emit!(f, "bar.red.and.pred", sound_for_all, 0, sound);
        f.branch_if(sound_for_all, false, in_order);

        let size = overlap.size;
        let (name, bytes) = (f.unique("rows"), overlap.shared());
        f.declare(format!(".shared .align 16 .b8 {name}[{bytes}];"));
        let before = f.address_of(Class::B32, &name);
        let row = value!(f, "row", "add.u32", before, bytes / 2);
        let first = value!(f, "first", "mul.lo.u32", gang.gang, own);
        let first = value!(f, "first", "sub.u32", first, ghost);
        let column = value!(f, "column", "add.u32", first, gang.thread);
        let wide = value!(f, "column", "cvt.s64.s32", column);
        let at = value!(f, "at", "sub.u32", gang.thread, ghost);
        let own = value!(f, "own", "setp.lt.u32", at, own);
        let slot = value!(f, "slot", "mul.lo.u32", gang.thread, size);
        let lost = value!(f, "lost", "mov.b32", 0);
        let there = value!(f, "there", "mov.b32", 0);
        let step = value!(f, "step", "mov.u64", begin);
        let rows = Rows {
            array: overlap.array,
            column,
            wide,
            own,
            begin,
            before,
            row,
            slot,
            lost,
            there,
        };
        let again = f.label("row");
        f.place(again);
        f.keep_rolled();
        let beyond = value!(f, "beyond", "setp.ge.u64", step, last);
        f.branch_if(beyond, true, end);
        self.take_steps(dealt, step, end, Some(Overlapping::Rows(rows)));
        self.together = Some(Together::leading_to(end));
        self.item(Number::At(step), None, false)?;
        self.together = None;
        let f = self.f();
        emit!(f, "add.u64", step, step, 1);
        f.branch(again, false);

        f.place(in_order);
        let other = value!(f, "other", "setp.ne.u32", gang.gang, 0);
        f.branch_if(other, true, end);
        Ok((begin.into(), last))
    }

    /// Prints the loop inside, for what the steps are printed for.
    pub(super) fn deal_overlapped(
        &mut self,
        inner: &'a ForLoop,
        count: Num,
        overlap: &'a Overlap<'a>,
    ) -> Result<()> {
        let Some((mut spans, _)) = self.spans(inner, count)? else {
            unreachable!("what overlaps has spans");
        };
        let Some(&Spanned::At(to, ..)) = self.spanned(overlap.to).as_ref() else {
            unreachable!("an element for each column");
        };
        let stride = self.poly_of_call(&overlap.stride);
        match self.overlapping() {
            Some(Overlapping::Looked(sound)) => {
                let sound = *sound;
                let count = self.wide(count);
                let width = self.inputs.counts[1];
                let f = self.f();
                let beside: u32 = overlap.beside.iter().sum();
                let needed = value!(f, "needed", "add.u64", count, beside);
                let needed = value!(f, "needed", "mul.lo.u64", needed, overlap.size);
                let apart = value!(f, "apart", "abs.s64", stride);
                let inside = value!(f, "inside", "setp.ge.and.u64", apart, needed, spans.inside);
                emit!(f, "setp.eq.and.u64", sound, count, width, inside);
            }
            Some(Overlapping::Rows(rows)) => {
                let rows = *rows;
                self.start_row(overlap, rows, to, stride, count)?;
                for (at, by) in spans.steps_mut() {
                    emit!(self.f(), "mad.lo.u64", *at, rows.wide, *by, *at);
                }
                self.row(inner, overlap, rows, to, count)?;
            }
            None => unreachable!("steps that overlap"),
        }
        self.forget_spans();
        Ok(())
    }

    /// What comes before a row: where the row before is, and that row itself if the gang has not made it. `to` is where the first column of this row is.
    fn start_row(
        &mut self,
        overlap: &'a Overlap<'a>,
        rows: Rows,
        to: Reg,
        stride: Operand,
        count: Num,
    ) -> Result<()> {
        let step = self.steps.as_ref().map(|steps| steps.step);
        let step = step.expect("a step");
        let size = overlap.size;
        let f = self.f();
        let from = value!(f, "from", "sub.u64", to, stride);
        // The columns of the row before begin at `from`, and the thread's at `before + slot`.
        let moved = value!(f, "moved", "mul.lo.u32", rows.column, size);
        let moved = value!(f, "moved", "sub.u32", rows.slot, moved);
        let low = value!(f, "low", "cvt.u32.u64", from);
        let there = value!(f, "there", "add.u32", rows.before, moved);
        emit!(f, "sub.u32", rows.there, there, low);
        let known = f.label("known");
        let is_first = value!(f, "first", "setp.eq.u64", step, rows.begin);
        f.branch_if(is_first, false, known);
        self.bring(overlap, rows, from, rows.before, count)?;
        let f = self.f();
        emit!(f, "bar.sync", 0);
        f.place(known);
        if overlap.beside != [0; 2] {
            // What is beside the columns of the loop nobody writes.
            let end = self.low(count);
            let f = self.f();
            let among = f.label("among");
            let is_among = value!(f, "is_among", "setp.lt.u32", rows.column, end);
            f.branch_if(is_among, true, among);
            self.bring(overlap, rows, to, rows.row, count)?;
            self.f().place(among);
        }
        Ok(())
    }

    /// Brings the thread's element of a row into shared memory, if it is one of those that are read, and there.
    fn bring(
        &mut self,
        overlap: &'a Overlap<'a>,
        rows: Rows,
        from: Reg,
        into: Reg,
        count: Num,
    ) -> Result<()> {
        let [left, right] = overlap.beside;
        let count = self.low(count);
        let source = self.lp.source;
        let pointer = self.inputs.pointers[&overlap.array];
        let length = self.array_length(overlap.array);
        let length = self.reg(length);
        let size = overlap.size;
        let f = self.f();
        let bytes = value!(f, "bytes", "mul.lo.u64", length, size);
        let at = value!(f, "at", "mad.lo.s64", rows.wide, size, from);
        let into = value!(f, "into", "add.u32", into, rows.slot);
        let offset = value!(f, "offset", "sub.u64", at, pointer);
        let none = f.label("none");
        let end = value!(f, "end", "add.u32", count, left + right);
        let column = value!(f, "column", "add.u32", rows.column, left);
        let is_read = value!(f, "is_read", "setp.lt.u32", column, end);
        let is_there = value!(f, "is_there", "setp.lt.and.u64", offset, bytes, is_read);
        f.branch_if(is_there, false, none);
        let element = self.load_value(Memory::Own, at, 0, overlap.elem, source)?;
        self.store_value(Memory::Row, into, 0, overlap.elem, &element, source)?;
        self.f().place(none);
        Ok(())
    }

    /// A row: the thread's element of it, where it has one.
    fn row(
        &mut self,
        inner: &'a ForLoop,
        overlap: &'a Overlap<'a>,
        rows: Rows,
        to: Reg,
        count: Num,
    ) -> Result<()> {
        let threads = self.kernel.gang.threads;
        let thread = self.kernel.gang.thread;
        let end = self.low(count);
        let f = self.f();
        let idle = f.label("idle");
        emit!(f, "add.u32", rows.lost, rows.lost, overlap.reach);
        let left = value!(f, "left", "add.u32", rows.lost, rows.lost);
        let left = value!(f, "left", "sub.u32", threads, left);
        let at = value!(f, "at", "sub.u32", thread, rows.lost);
        let is_known = value!(f, "is_known", "setp.lt.u32", at, left);
        let has_one = value!(f, "has_one", "setp.lt.and.u32", rows.column, end, is_known);
        f.branch_if(has_one, false, idle);
        let num = Num {
            narrow: true,
            ..Num::reg(Scalar::Usize, rows.column)
        };
        let num = num.at_most(u64::from(u32::MAX >> 1));
        self.frame().vars.insert(inner.position, Value::Num(num));
        let (last, before) = inner.body.stmts.split_last().expect("it ends in a store");
        for stmt in before {
            self.stmt(stmt)?;
        }
        let StmtKind::Assign(_, value) = &last.kind else {
            unreachable!("it ends in an assignment");
        };
        let value = self.expr(value)?;
        let source = last.source;
        let f = self.f();
        let into = value!(f, "into", "add.u32", rows.row, rows.slot);
        self.store_value(Memory::Row, into, 0, overlap.elem, &value, source)?;
        self.f().branch_if(rows.own, false, idle);
        self.store_value(Memory::Own, to, 0, overlap.elem, &value, source)?;
        let f = self.f();
        f.place(idle);
        emit!(f, "bar.sync", 0);
        let kept = value!(f, "kept", "mov.b32", rows.before);
        f.assign(rows.before, rows.row);
        f.assign(rows.row, kept);
        Ok(())
    }

    /// Where an element of the row before is in shared memory, if that is where it is.
    pub(super) fn in_row(&mut self, array: ArrayId, at: Reg) -> Option<Reg> {
        let rows = match self.overlapping()? {
            Overlapping::Rows(rows) if rows.array == array => *rows,
            _ => return None,
        };
        let f = self.f();
        let low = value!(f, "low", "cvt.u32.u64", at);
        Some(value!(f, "there", "add.u32", low, rows.there))
    }

    /// The value of a polynomial over what the call knows.
    fn poly_of_call(&mut self, poly: &Poly) -> Operand {
        let mut sum: Operand = 0.into();
        for (c, factors) in poly.terms() {
            let mut term: Operand = (c as i64).into();
            for &param in factors {
                let by = self.atom(None, param);
                term = value!(self.f(), "term", "mul.lo.u64", by, term).into();
            }
            sum = match sum {
                Operand::Reg(sum) => value!(self.f(), "sum", "add.u64", sum, term).into(),
                _ => term,
            };
        }
        self.first_operand(sum, Class::B64)
    }
}

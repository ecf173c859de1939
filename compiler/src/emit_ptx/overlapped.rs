//! Prints overlapped steps ([overlap.rs](super::overlap)).
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
//! barriers of all gangs. (Ghost zones: Meng and Skadron, "Performance modeling and automatic ghost zone optimization for iterative stencil
//! loops on GPUs", 2009.)
//!
//! That all elements are there, and rows apart from each other, is for the launch to see: each thread looks at one of its steps. Where that
//! is not so, or the gangs have not all columns, the first gang takes the steps in order.

use accrue_ptx::strategy::steps::OVERLAP_THREADS;
use accrue_ptx::writer::{Class, Label, Operand, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Number, Result};
use super::linear::split;
use super::overlap::{Overlap, Within};
use super::place::Memory;
use super::spans::Spanned;
use super::together::Together;
use super::value::{Num, Value};
use crate::dependence::Poly;
use crate::ir::{ArrayId, ForLoop, LoopLabel, Scalar, StmtKind};

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
    /// The column of the thread, in 32 bits, and in 64 with its sign.
    column: Reg,
    wide: Reg,
    /// Whether it is the gang's own: a predicate.
    own: Reg,
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
        let first = value!(
            f,
            "first",
            "ld.relaxed.gpu.global.u64",
            Operand::At(error, 0)
        );
        let failed = value!(f, "failed", "setp.ne.u64", first, -1);
        f.branch_if(failed, true, end);
        let last = value!(f, "last", "min.u64", last, count);
        let none = value!(f, "none", "setp.ge.u64", begin, last);
        f.branch_if(none, true, end);
        let steps = value!(f, "steps", "sub.u64", last, begin);
        let few = value!(f, "few", "setp.le.u64", steps, i64::from(OVERLAP_THREADS));
        let small = value!(
            f,
            "small",
            "setp.le.and.u32",
            gang.threads,
            OVERLAP_THREADS,
            few
        );
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
            column,
            wide,
            own,
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
                let inside = value!(
                    f,
                    "inside",
                    "setp.ge.and.u64",
                    width,
                    overlap.fewest as i64,
                    inside
                );
                let mut inside = value!(f, "inside", "setp.eq.and.u64", count, width, inside);
                for check in &overlap.checks {
                    inside = self.all_within(check, overlap, inside);
                }
                self.f().assign(sound, inside);
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

    /// Whether a number is less than another in all columns that it is asked for, and a predicate holds.
    fn all_within(&mut self, check: &Within, overlap: &Overlap<'a>, mut inside: Reg) -> Reg {
        let (start, factor) = split(&check.at, overlap.column).expect("it grows evenly");
        let [start, factor, limit] =
            [&start, &factor, &check.limit].map(|poly| self.poly_of_call(poly));
        let width = self.inputs.counts[1];
        let f = self.f();
        let last = value!(f, "last", "add.u64", width, check.to as i64 - 1);
        let first = value!(f, "first", "mov.u64", check.from as i64);
        for column in [first, last] {
            let at = value!(f, "at", "mad.lo.u64", column, factor, start);
            inside = value!(f, "inside", "setp.lt.and.u64", at, limit, inside);
        }
        inside
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
        let begin = self.kernel.begin;
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
        let is_first = value!(f, "first", "setp.eq.u64", step, begin);
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
        let whole = self.size_of(&self.lp.array(overlap.array).elem, source)?;
        let whole = self.wide(whole);
        let size = overlap.size;
        let f = self.f();
        let bytes = value!(f, "bytes", "mul.lo.u64", length, whole);
        let at = value!(f, "at", "mad.lo.s64", rows.wide, size, from);
        let into = value!(f, "into", "add.u32", into, rows.slot);
        let offset = value!(f, "offset", "sub.u64", at, pointer);
        let none = f.label("none");
        let end = value!(f, "end", "add.u32", count, left + right);
        let column = value!(f, "column", "add.u32", rows.column, left);
        let is_read = value!(f, "is_read", "setp.lt.u32", column, end);
        let is_there = value!(f, "is_there", "setp.lt.and.u64", offset, bytes, is_read);
        f.branch_if(is_there, false, none);
        let element = self.load_value(Memory::Own, at, 0, &overlap.elem, source)?;
        self.store_value(Memory::Row, into, 0, &overlap.elem, &element, source)?;
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
        self.store_value(Memory::Row, into, 0, &overlap.elem, &value, source)?;
        self.f().branch_if(rows.own, false, idle);
        self.store_value(Memory::Own, to, 0, &overlap.elem, &value, source)?;
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
        let Overlapping::Rows(rows) = self.overlapping()? else {
            return None;
        };
        let there = rows.there;
        self.overlap.filter(|overlap| overlap.array == array)?;
        let f = self.f();
        let low = value!(f, "low", "cvt.u32.u64", at);
        Some(value!(f, "there", "add.u32", low, there))
    }

    /// The value of a polynomial over what the call knows.
    fn poly_of_call(&mut self, poly: &Poly) -> Operand {
        let mut sum: Option<Operand> = None;
        for (c, factors) in poly.terms() {
            let mut term: Operand = (c as i64).into();
            for &param in factors {
                let by = self.atom(None, param);
                term = value!(self.f(), "term", "mul.lo.u64", by, term).into();
            }
            sum = Some(match sum {
                Some(sum) => {
                    let sum = self.first_operand(sum, Class::B64);
                    value!(self.f(), "sum", "add.u64", sum, term).into()
                }
                None => term,
            });
        }
        self.first_operand(sum.unwrap_or(0.into()), Class::B64)
    }
}

//! The loop over [slices](super::slices): a gang takes an iteration of the outer loop together.
//!
//! ```text
//! for unit in gang.. by gangs {                   outer = unit / parts
//!     what depends on the outer position alone
//!     for inner in part * threads + thread .. by parts * threads { the rest }
//!     flush the slice
//! }
//! ```
//!
//! Iterations of the outer loop are cut into `parts` where there are fewer than gangs, or not many more and all of them long. Where arrays are
//! streamed, a part is a range of iterations, which is taken in vectors.

use std::collections::HashMap;

use accrue_ptx::writer::{Label, Operand, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Facts, Frame, Item, LoopTargets, Number, Result};
use super::rows::Part;
use super::slices::{Base, Inner, Slices};
use super::value::{Num, Value};
use crate::ir::Scalar;

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
                let counts = self.inputs.counts[2..].to_vec();
                let all = self.split_position(position, &counts);
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
        match begins {
            Operand::Int(bin) => self.f().assign(low, i64::from(bin as u32)),
            begins => emit!(self.f(), "cvt.u64.u32", low, begins),
        }
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

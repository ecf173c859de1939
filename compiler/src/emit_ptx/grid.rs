//! The loop over iterations: who takes which, and vectors of consecutive items where arrays are streamed.
//!
//! Symbols: `V` items of a vector, `U` vectors in flight, `T` threads of the grid. Vectors are cut so that the loads of
//! every stream are aligned, which leaves fewer than `V` items before the first and behind the last vector:
//!
//! ```text
//! begin … vectors_begin … vectors_end … end
//!    head       vectors         tail
//! ```
//!
//! Thread `t` takes vectors `t`, `t + T`, …, `U` at a time, and then what is left of head and tail one item at a time. The
//! latter path is also the one that runs a single iteration to tell its fault. Where the streams cannot be aligned
//! together, or end before the loop does, it takes everything.
//!
//! The loops over vectors are in [`vectors`](super::vectors).

use accrue_ptx::writer::{Class, Label, Reg};
use accrue_ptx::{emit, value};

use super::dealt::Cut;
use super::emitter::{Emitter, Facts, Frame, Item, Number, Result};
use super::rows::Part;
use super::stream::Stream;
use super::strips::PatchAt;
use super::value::Value;
use crate::ir::{ExprKind, Literal, Scalar};

/// Items of a vector of bytes.
pub(super) const BYTES: u32 = 16;

/// The vectors of a launch, the same in all threads.
pub(super) struct Vectors {
    /// The first item.
    pub(super) begin: Reg,
    /// How many vectors there are.
    pub(super) count: Reg,
    /// For each stream, the address of the first vector.
    pub(super) starts: Vec<Reg>,
    /// The end of the items that every stream holds, and that of the loop.
    pub(super) held: (Reg, Reg),
}

impl<'a> Emitter<'a> {
    /// Prints the loop.
    pub(super) fn grid(&mut self) -> Result<()> {
        let range = (self.kernel.begin, self.kernel.end);
        let (begin, end) = range;
        let gang = self.kernel.gang;
        let f = self.f();
        let size = value!(f, "size", "sub.u64", end, begin);
        let single = value!(f, "single", "setp.eq.u64", size, 1);
        self.inputs.single = Some(single);
        let f = self.f();
        let thread = value!(
            f,
            "thread",
            "mad.lo.u32",
            gang.gang,
            gang.threads,
            gang.thread
        );
        let thread = value!(f, "thread", "cvt.u64.u32", thread);
        let all = value!(f, "all_threads", "mul.wide.u32", gang.gangs, gang.threads);
        if let Some(slices) = self.slices {
            return self.by_slices(slices, single, all);
        }
        match self.rows {
            Some(rows) => self.by_rows(rows, single, thread, all),
            None => self.range(range, thread, all),
        }
    }

    /// Prints the loop over a range of items.
    pub(super) fn range(&mut self, range: (Reg, Reg), thread: Reg, all: Reg) -> Result<()> {
        let (begin, end) = range;
        if let Some(patches) = self.patches {
            let all_patches = self.cut_patches(patches);
            return self.one_by_one(thread, all_patches, all, None);
        }
        if let Some(staged) = self.staged {
            self.make_copies();
            return self.staged(staged, range, thread, all);
        }
        if self.streams.items < 2 {
            self.make_copies();
            let item = value!(self.f(), "item", "add.u64", begin, thread);
            return match self.kernel.is_tiled() {
                true => self.tiled_items(item, end, all),
                false => self.one_by_one(item, end, all, None),
            };
        }
        let vectors = self.cut(range)?;
        match self.kernel.is_tiled() {
            true => self.tiled_vectors(&vectors, thread, all)?,
            false => self.vectors(&vectors, thread, all)?,
        }
        // Head and tail, as one range with a gap.
        let items = self.streams.items;
        let f = self.f();
        let gap = value!(f, "gap", "shl.b64", vectors.count, items.trailing_zeros());
        let rest_end = value!(f, "rest_end", "sub.u64", end, gap);
        let item = value!(f, "item", "add.u64", begin, thread);
        self.one_by_one(item, rest_end, all, Some((vectors.begin, gap)))
    }

    /// Prints one iteration.
    pub(super) fn one(&mut self, iteration: Reg) -> Result<()> {
        self.item(Number::At(iteration), None, false)
    }

    /// Prints one iteration whose bins the kernel notes, if it has use for that.
    pub(super) fn sample(&mut self) -> Result<()> {
        if let Some(iteration) = self.kernel.begin_sample() {
            self.one(iteration)?;
            self.kernel.end_sample();
        }
        Ok(())
    }

    /// Head, vectors and tail of the range.
    pub(super) fn cut(&mut self, (begin, end): (Reg, Reg)) -> Result<Vectors> {
        let streams = self.streams;
        let items = streams.items;
        self.f().comment(&format!(
            "Vectors of {items} items, aligned to what is loaded at a time."
        ));
        // Where each stream stands at `begin`, and how many items it has.
        let mut starts = Vec::new();
        let mut last = end;
        for stream in &streams.list {
            let first = self.first_element(stream);
            let length = self.array_length(stream.array);
            let length = self.reg(length);
            let pointer = self.inputs.pointers[&stream.array];
            let f = self.f();
            let length = match stream.row {
                1 => length,
                row => value!(f, "length", "mul.lo.u64", length, row as i64),
            };
            let start = value!(f, "start", "mad.lo.u64", first, stream.elem_bytes, pointer);
            starts.push(value!(
                f,
                "start",
                "mad.lo.u64",
                begin,
                stream.item_bytes(),
                start
            ));
            let beyond = value!(f, "beyond", "setp.gt.u64", first, length);
            let elements = value!(f, "elements", "sub.u64", length, first);
            let elements = value!(f, "elements", "selp.b64", 0, elements, beyond);
            let has = match stream.stride {
                1 => elements,
                stride => value!(f, "items", "div.u64", elements, stride),
            };
            last = value!(f, "last", "min.u64", last, has);
        }
        // The head is as long as the first stream needs to be aligned.
        let head = self.head(&streams.list[0], starts[0]);
        let f = self.f();
        let first = value!(f, "vectors_begin", "add.u64", begin, head);
        let mut fits = value!(f, "fits", "setp.lt.u64", first, last);
        let mut aligned_starts = Vec::new();
        for (stream, start) in streams.list.iter().zip(&starts) {
            let at = value!(f, "start", "mad.lo.u64", head, stream.item_bytes(), *start);
            let off = value!(f, "off", "and.b64", at, stream.width(items) - 1);
            let aligned = value!(f, "aligned", "setp.eq.u64", off, 0);
            fits = value!(f, "fits", "and.pred", fits, aligned);
            aligned_starts.push(at);
        }
        let size = value!(f, "size", "sub.u64", last, first);
        let count = value!(f, "vectors", "shr.u64", size, items.trailing_zeros());
        let count = value!(f, "vectors", "selp.b64", count, 0, fits);
        let vectors_begin = value!(f, "vectors_begin", "selp.b64", first, begin, fits);
        Ok(Vectors {
            begin: vectors_begin,
            count,
            starts: aligned_starts,
            held: (last, end),
        })
    }

    /// The element of a stream at position 0. One that is out of range in the sequential loop too makes the stream empty.
    fn first_element(&mut self, stream: &Stream) -> Reg {
        let mut first = value!(self.f(), "first", "mov.u64", stream.first);
        for var in &stream.captured {
            if let Some(num) = self.inputs.captured.get(var).copied() {
                let reg = self.reg(num);
                first = value!(self.f(), "first", "add.u64", first, reg);
            }
        }
        first
    }

    /// Items before the first one that is aligned: `h` with `(start + h * bytes) mod width = 0`. With
    /// `bytes = odd * 2^a`, it is `-(start / 2^a) / odd` modulo `width / 2^a`. There is none if `2^a` does not
    /// divide `start`, which the caller sees.
    fn head(&mut self, stream: &Stream, start: Reg) -> Reg {
        let bytes = stream.item_bytes();
        let shift = bytes.trailing_zeros();
        let modulus = stream.width(self.streams.items) >> shift.min(4);
        if modulus <= 1 {
            return value!(self.f(), "head", "mov.u64", 0);
        }
        let odd = bytes >> shift;
        let inverse = (1..modulus)
            .step_by(2)
            .find(|i| i * odd % modulus == 1)
            .unwrap_or(1);
        let f = self.f();
        let units = value!(f, "units", "shr.u64", start, shift);
        let before = value!(f, "before", "neg.s64", units);
        let head = value!(f, "head", "mul.lo.u64", before, inverse);
        value!(f, "head", "and.b64", head, modulus - 1)
    }

    /// Items one at a time: `item`, `item + all`, … below `end`. With a gap `(at, size)`, items from `at` on are `size` later.
    pub(super) fn one_by_one(
        &mut self,
        item: Reg,
        end: Reg,
        all: Reg,
        gap: Option<(Reg, Reg)>,
    ) -> Result<()> {
        if gap.is_some() {
            self.f().comment("Items before and behind the vectors.");
        }
        let (again, done) = (self.f().label("items"), self.f().label("end_items"));
        let f = self.f();
        f.place(again);
        let beyond = value!(f, "beyond", "setp.ge.u64", item, end);
        f.branch_if(beyond, true, done);
        let iteration = match gap {
            None => item,
            Some((at, size)) => {
                let before = value!(f, "before", "setp.lt.u64", item, at);
                let later = value!(f, "later", "add.u64", item, size);
                value!(f, "iteration", "selp.b64", item, later, before)
            }
        };
        self.inner_positions(|emitter| emitter.item(Number::At(iteration), None, true))?;
        let f = self.f();
        emit!(f, "add.u64", item, item, all);
        f.branch(again, false);
        f.place(done);
        Ok(())
    }

    /// One iteration.
    pub(super) fn item(
        &mut self,
        number: Number,
        loaded: Option<Vec<Vec<Reg>>>,
        commented: bool,
    ) -> Result<()> {
        let next: Label = self.f().label("next_item");
        self.item = Item {
            number,
            next,
            failed: None,
            loaded,
            commented,
        };
        let lp = self.lp;
        let body = match self.carrying.filter(|_| self.carried.in_terms) {
            Some(carrying) => &carrying.terms,
            None => &lp.body,
        };
        let mut frame = Frame {
            body,
            facts: Facts::of(body),
            vars: self.carried_values().into_iter().collect(),
            loops: Vec::new(),
            returns: None,
        };
        if self.item.loaded.is_none() || self.streams.uses_position {
            self.bind_positions(&mut frame);
        }
        self.bind_inner(&mut frame, next);
        self.frames.push(frame);
        self.block(&body.block)?;
        self.frames.pop();
        if let Some(failed) = self.item.failed {
            self.f().open_out_of_line();
            self.f().place(failed.label);
            self.kernel.report_in_full(failed.iteration, failed.told);
            let behind = self.abandoned.unwrap_or(next);
            self.f().branch(behind, false);
            self.f().close_out_of_line();
        }
        self.f().place(next);
        Ok(())
    }

    /// The position in every dimension, of one iteration.
    fn positions(&mut self, iteration: Reg) -> Vec<Reg> {
        if let Some(Cut::Tiles(tiles)) = self.cut.clone() {
            return self.patch(iteration, &tiles);
        }
        if let Some(positions) = self.positions_of_step() {
            return positions;
        }
        if let Part::Slices(slice) = self.part
            && let Some((outer, first)) = slice.first_iteration()
        {
            let inner = value!(self.f(), "inner", "sub.u64", iteration, first);
            let counts = self.inputs.counts[2..].to_vec();
            let mut positions = self.split_position(inner, &counts);
            positions.insert(0, outer);
            return positions;
        }
        let counts = match &self.cut {
            Some(Cut::Columns(counts)) => &counts[..],
            Some(Cut::Tiles(_)) | None => &self.inputs.counts[..],
        };
        let counts = counts[1..self.lp.space.len()].to_vec();
        self.split_position(iteration, &counts)
    }

    /// A number as positions in dimensions, of which these are the counts of all but the first.
    pub(super) fn split_position(&mut self, number: Reg, counts: &[Reg]) -> Vec<Reg> {
        let mut rest = number;
        let mut positions = Vec::new();
        for &count in counts.iter().rev() {
            let (quotient, position) = self.divide_position(rest, count);
            positions.push(position);
            rest = quotient;
        }
        positions.push(rest);
        positions.reverse();
        positions
    }

    /// The position in every dimension, of the iteration behind another: without divisions.
    fn next_positions(&mut self, of: &[Reg]) -> Vec<Reg> {
        let mut positions = of.to_vec();
        // Whether all dimensions so far have come round to 0.
        let mut carry: Option<Reg> = None;
        if let (Part::Slices(_), &[outer, inner]) = (self.part, of) {
            return vec![outer, value!(self.f(), "next", "add.u64", inner, 1)];
        }
        for dim in (0..of.len()).rev() {
            let one = value!(self.f(), "next", "add.u64", of[dim], 1);
            let moved = match carry {
                None => one,
                Some(carry) => value!(self.f(), "next", "selp.b64", one, of[dim], carry),
            };
            positions[dim] = moved;
            if dim > 0 {
                let count = self.inputs.counts[dim];
                let f = self.f();
                let round = value!(f, "round", "setp.eq.u64", moved, count);
                positions[dim] = value!(f, "position", "selp.b64", 0, moved, round);
                carry = Some(round);
            }
        }
        positions
    }

    /// Binds the positions of the current item.
    pub(super) fn bind_positions(&mut self, frame: &mut Frame<'a>) {
        let lp = self.lp;
        let behind = matches!(self.item.number, Number::Vector { offset, .. } if offset > 0);
        let positions = match behind && lp.space.len() > 1 {
            true => {
                let of = std::mem::take(&mut self.positions);
                self.next_positions(&of)
            }
            false => {
                let item = self.item_number();
                self.positions(item)
            }
        };
        for (number, (dim, &position)) in lp.space.iter().zip(&positions).enumerate() {
            if self.bind_side(number, position, frame) {
                continue;
            }
            let max = match dim.count.kind {
                ExprKind::Literal(Literal::Int(n)) => {
                    u64::try_from(n).ok().map(|n| n.saturating_sub(1))
                }
                _ => None,
            };
            let num = self.result(Scalar::Usize, position, max);
            frame.vars.insert(dim.position, Value::Num(num));
        }
        self.positions = positions;
    }

    /// Binds the rows or the columns of a patch; false where the dimension is not cut.
    fn bind_side(&mut self, dim: usize, patch: Reg, frame: &mut Frame<'a>) -> bool {
        let Some(patches) = self.patches else {
            return false;
        };
        let (shape, count) = (patches.shape, self.inputs.counts[dim]);
        let before = match &self.cut {
            Some(Cut::Tiles(tiles)) => Some(tiles.before),
            _ => None,
        };
        let (side, most) = match patches.columns {
            Some(columns) if dim + 1 == self.lp.space.len() => (columns, shape.columns),
            _ if dim == shape.dim => (patches.rows, shape.rows),
            _ => return false,
        };
        let f = self.f();
        let mut first = value!(f, "first", "mul.lo.u64", patch, most);
        let mut end = value!(f, "end", "add.u64", first, most);
        if dim == shape.dim {
            let (row, column) = (first, first);
            self.patch_at = Some(PatchAt { row, column });
        } else if let Some(before) = before {
            let column = value!(f, "first", "sub.u64", first, before);
            first = value!(f, "first", "max.s64", column, 0);
            end = value!(f, "end", "sub.u64", end, before);
            if let Some(at) = &mut self.patch_at {
                at.column = column;
            }
        }
        let f = self.f();
        end = value!(f, "end", "min.u64", end, count);
        let there = value!(f, "count", "sub.u64", end, first);
        let first = self.result(Scalar::Usize, first, None);
        let there = self.result(Scalar::Usize, there, Some(u64::from(most)));
        frame.vars.insert(side.first, Value::Num(first));
        frame.vars.insert(side.count, Value::Num(there));
        true
    }

    /// Quotient and remainder, in 32 bits where both fit, which is several times as fast.
    pub(super) fn divide_position(&mut self, a: Reg, b: Reg) -> (Reg, Reg) {
        let f = self.f();
        let (quotient, remainder) = (f.reg(Class::B64, "outer"), f.reg(Class::B64, "inner"));
        let (large, done) = (f.label("large"), f.label("divided"));
        let either = value!(f, "either", "or.b64", a, b);
        let high = value!(f, "high", "shr.u64", either, 32);
        let small = value!(f, "small", "setp.eq.u64", high, 0);
        f.branch_if(small, false, large);
        let (x, y) = (
            value!(f, "x", "cvt.u32.u64", a),
            value!(f, "y", "cvt.u32.u64", b),
        );
        let q = value!(f, "q", "div.u32", x, y);
        let r = value!(f, "r", "rem.u32", x, y);
        emit!(f, "cvt.u64.u32", quotient, q);
        emit!(f, "cvt.u64.u32", remainder, r);
        f.place(done);
        f.open_out_of_line();
        f.place(large);
        emit!(f, "div.u64", quotient, a, b);
        emit!(f, "rem.u64", remainder, a, b);
        f.branch(done, false);
        f.close_out_of_line();
        (quotient, remainder)
    }
}

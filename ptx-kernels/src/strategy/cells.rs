//! The copies of a gang in shared memory, whatever their layout: updates of a [`Cell`], and the flush.
//!
//! Symbols: a gang has `R` copies. Word `w` of bin `b` of copy `c` is at `base + w * plane + b * step + c * copy_step`.

use accrue_ops::Repeated;

use super::fixed::{self, Window};
use super::hot;
use super::hottest::Hottest;
use super::{
    Bin, Gang, Memory, Target, flush_local, flush_touched, for_each, own_local, update_global,
};
use crate::abi::Elem;
use crate::cell::Cell;
use crate::combine::{self, Space};
use crate::emit;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Where the words of all copies are.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// The first copy.
    pub(super) base: Reg,
    /// The thread's copy.
    pub(super) own: Reg,
    /// Bytes from bin to bin: a constant or a register.
    pub(super) step: Operand,
    /// Bytes from word to word of a bin.
    pub(super) plane: Reg,
    /// Bytes from copy to copy.
    pub(super) copy_step: Operand,
    /// `R`.
    pub(super) copies: Reg,
    /// Where the flush begins among the copies, so that threads read different banks; at the first, if `None`.
    pub(super) first: Option<Reg>,
    /// Bins that the gang has.
    pub(super) bins: Reg,
}

impl Layout {
    /// One copy, which all threads of the gang share.
    pub(super) fn shared_by_all(
        f: &mut Function,
        base: Reg,
        word: u32,
        plane: Reg,
        bins: Reg,
    ) -> Layout {
        Layout {
            base,
            own: base,
            step: word.into(),
            plane,
            copy_step: 0.into(),
            copies: value!(f, "copies", "mov.u32", 1),
            first: None,
            bins,
        }
    }
}

/// The copies of a target in shared memory.
pub(super) struct Cells {
    pub(super) target: Target,
    pub(super) memory: Memory,
    pub(super) gang: Gang,
    pub(super) layout: Layout,
    pub(super) cell: Cell,
    window: Option<Window>,
    /// Where hot bins are combined, if not in the copies.
    pub(super) hottest: Option<Hottest>,
}

impl Cells {
    /// Fills `bytes` (a multiple of 16) of shared memory with what changes nothing.
    pub(super) fn begin(
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        layout: Layout,
        bytes: Reg,
    ) -> Cells {
        let cell = target.cell();
        let words = neutral_words(target, cell);
        fill(f, gang, layout.base, bytes, words);
        let window = match cell {
            Cell::Fixed32 | Cell::Fixed64 => Some(Window::begin(f, gang, target)),
            Cell::Accumulator | Cell::Counter | Cell::Halves => None,
        };
        Cells {
            target: target.clone(),
            memory,
            gang: *gang,
            layout,
            cell,
            window,
            hottest: None,
        }
    }

    /// Where the words of a bin are, from the first one's place.
    pub(super) fn places(&self, f: &mut Function, first: Operand, words: usize) -> Vec<Operand> {
        let mut places = vec![first];
        while places.len() < words {
            let next = match places[places.len() - 1] {
                Operand::At(reg, offset) => {
                    Operand::At(value!(f, "at", "add.u32", reg, self.layout.plane), offset)
                }
                other => other,
            };
            places.push(next);
        }
        places
    }

    /// Writes an update for where a predicate holds, if there is one.
    pub(super) fn where_cold(
        f: &mut Function,
        cold: Option<Reg>,
        update: impl FnOnce(&mut Function),
    ) {
        let Some(cold) = cold else { return update(f) };
        let hot = f.label("was_hot");
        f.branch_if(cold, false, hot);
        update(f);
        f.place(hot);
    }

    /// Makes the copies neutral again, as [`begin`](Cells::begin) has done. All threads of the gang come here together.
    pub(super) fn clear(&self, f: &mut Function, bytes: Reg) {
        let words = neutral_words(&self.target, self.cell);
        fill(f, &self.gang, self.layout.base, bytes, words);
    }

    /// Combines an accumulator into a bin, whose index in the user's bins is needed besides the one in the copies.
    pub(super) fn update(&self, f: &mut Function, bin: Bin, own: Bin, value: Operand) {
        let at = own.shared_step(f, self.layout.own, self.layout.step);
        self.update_at(f, bin, at, value);
    }

    /// The same where the first word of the bin is at an address.
    pub(super) fn update_at(&self, f: &mut Function, bin: Bin, at: Operand, value: Operand) {
        match self.cell {
            Cell::Accumulator => {
                let (op, elem) = (self.target.op, self.target.accumulator());
                let cold = match &self.hottest {
                    Some(_) => {
                        let value = self.register(f, value);
                        self.update_hot(f, bin, &[value])
                    }
                    None => None,
                };
                Self::where_cold(f, cold, |f| {
                    combine::atomic(f, Space::Shared, op, elem, at, value);
                });
            }
            // The constant 1 and no result: equal addresses of a warp are merged by the hardware.
            Cell::Counter => emit!(f, "red.shared.add.u32", at, 1),
            Cell::Halves | Cell::Fixed32 | Cell::Fixed64 => {
                let at = self.lane_place(f, bin, at);
                self.with_words(f, bin, value, |f, words| {
                    let cold = self.update_hot(f, bin, words);
                    Self::where_cold(f, cold, |f| self.add(f, at, words));
                });
            }
        }
    }

    /// Does something with the words that a value is in a cell of several. It does not come to it where that cannot hold
    /// the value.
    pub(super) fn with_words(
        &self,
        f: &mut Function,
        bin: Bin,
        value: Operand,
        then: impl FnOnce(&mut Function, &[Reg]),
    ) {
        let Some(window) = &self.window else {
            let value = value!(f, "value", "mov.b64", value);
            let (low, high) = (f.reg(Class::B32, "low"), f.reg(Class::B32, "high"));
            f.unpack(low, high, value);
            return then(f, &[low, high]);
        };
        let (fast, done) = (f.label("in_window"), f.label("added"));
        let shift = fixed::shift(f, self.cell, window, value);
        let outside = f.label("outside");
        let beyond = value!(f, "beyond", "setp.gt.u32", shift, self.cell.shifts());
        f.branch_if(beyond, true, outside);
        f.place(fast);
        let words = fixed::words(f, self.cell, value, shift);
        then(f, &words);
        f.place(done);

        f.open_out_of_line();
        f.place(outside);
        fixed::choose(f, self.cell, window, value, shift, fast, done);
        // What the window cannot hold goes into the copy in the scratch memory at once.
        let local = own_local(f, &self.gang, &self.target, self.memory);
        update_global(f, &self.target, local, bin, value);
        f.branch(done, false);
        f.close_out_of_line();
    }

    /// Adds the copies up, bin by bin, and brings what was touched to where the gang's copies go, in the scratch memory, whose
    /// bin 0 is the gang's bin 0 if there is no `offset`.
    pub(super) fn flush(&self, f: &mut Function, gang: &Gang, offset: Option<Reg>) {
        self.flush_to(f, gang, offset, |_, bin| bin);
    }

    /// The same, where the gang's bins have other numbers among those from `offset` on.
    pub(super) fn flush_to(
        &self,
        f: &mut Function,
        gang: &Gang,
        offset: Option<Reg>,
        number: impl Fn(&mut Function, Reg) -> Reg,
    ) {
        let layout = &self.layout;
        let mut local = flush_local(f, gang, &self.target, self.memory);
        if let Some(offset) = offset {
            local = value!(f, "local", "mad.lo.u64", offset, self.target.size(), local);
        }
        let scale = self.window.as_ref().map(|w| w.scale(f, self.cell));
        let bring = |f: &mut Function, bin: Reg, sum: &[Reg]| {
            let skip = f.label("flushed");
            let touched = self.touched(f, sum);
            f.branch_if(touched, false, skip);
            let value = self.finish(f, sum, scale);
            let bin = number(f, bin);
            flush_touched(f, &self.target, local, bin, value);
            f.place(skip);
        };
        let (several, flushed) = (f.label("several_copies"), f.label("all_flushed"));
        let more = value!(f, "more", "setp.gt.u32", layout.copies, 1);
        f.branch_if(more, true, several);
        self.flush_one_copy(f, &bring);
        f.branch(flushed, false);
        f.place(several);
        self.flush_copies(f, &bring);
        f.place(flushed);
    }

    /// Brings the bins of the only copy to where they go, several a thread at a time.
    fn flush_one_copy(&self, f: &mut Function, bring: &dyn Fn(&mut Function, Reg, &[Reg])) {
        let (layout, threads) = (&self.layout, self.gang.threads);
        let bin = value!(f, "bin", "mov.u32", self.gang.thread);
        for together in [4u32, 1] {
            let (again, done) = (f.label("flush"), f.label("flush_done"));
            f.place(again);
            f.keep_rolled();
            let last = value!(f, "last", "mad.lo.u32", threads, together - 1, bin);
            let beyond = value!(f, "beyond", "setp.ge.u32", last, layout.bins);
            f.branch_if(beyond, true, done);
            let mut next = bin;
            let mut loaded = Vec::new();
            for n in 0..together {
                if n > 0 {
                    next = value!(f, "bin", "add.u32", next, threads);
                }
                let row = value!(f, "row", "mad.lo.u32", next, layout.step, layout.base);
                loaded.push((next, self.load(f, row)));
            }
            for (bin, words) in &loaded {
                bring(f, *bin, words);
            }
            emit!(f, "mad.lo.u32", bin, threads, together, bin);
            f.branch(again, false);
            f.place(done);
        }
    }

    /// Adds the copies up, a thread a bin, and brings the sums to where they go.
    fn flush_copies(&self, f: &mut Function, bring: &dyn Fn(&mut Function, Reg, &[Reg])) {
        let layout = &self.layout;
        let bin = value!(f, "bin", "mov.u32", self.gang.thread);
        for_each(f, "flush", bin, self.gang.threads, layout.bins, |f| {
            let row = value!(f, "row", "mad.lo.u32", bin, layout.step, layout.base);
            let sum = self.neutral(f);
            let at = value!(f, "copy", "mov.u32", 0);
            // Eight loads at a time while there are as many, then one.
            for together in [8, 1] {
                let ahead = value!(f, "ahead", "mov.u32", together);
                let (again, done) = (f.label("copies"), f.label("copies_done"));
                f.place(again);
                f.keep_rolled();
                let end = value!(f, "end", "add.u32", at, ahead);
                let beyond = value!(f, "beyond", "setp.gt.u32", end, layout.copies);
                f.branch_if(beyond, true, done);
                let loaded: Vec<Vec<Reg>> = (0..together)
                    .map(|n| {
                        let mut copy = value!(f, "copy", "add.u32", at, n);
                        if let Some(first) = layout.first {
                            copy = value!(f, "copy", "add.u32", copy, first);
                            let over = value!(f, "over", "setp.ge.u32", copy, layout.copies);
                            f.op_if(
                                over,
                                true,
                                "sub.u32",
                                &[copy.into(), copy.into(), layout.copies.into()],
                            );
                        }
                        let at = value!(f, "at", "mad.lo.u32", copy, layout.copy_step, row);
                        self.load(f, at)
                    })
                    .collect();
                for more in loaded {
                    self.combine(f, &sum, &more);
                }
                emit!(f, "mov.u32", at, end);
                f.branch(again, false);
                f.place(done);
            }
            bring(f, bin, &sum);
        });
    }

    /// A value in a register.
    pub(super) fn register(&self, f: &mut Function, value: Operand) -> Reg {
        match value {
            Operand::Reg(reg) => reg,
            constant => {
                let reg = f.reg(self.target.accumulator().class(), "value");
                f.assign(reg, constant);
                reg
            }
        }
    }

    pub(super) fn neutral(&self, f: &mut Function) -> Vec<Reg> {
        let elem = self.target.accumulator();
        match self.cell {
            Cell::Accumulator => {
                let sum = f.reg(elem.class(), "sum");
                f.assign(sum, combine::neutral(self.target.op, elem));
                vec![sum]
            }
            cell => (0..cell.words())
                .map(|_| value!(f, "sum", "mov.b32", 0))
                .collect(),
        }
    }

    pub(super) fn load(&self, f: &mut Function, at: Reg) -> Vec<Reg> {
        if self.cell == Cell::Accumulator {
            let load = format!("ld.shared.{}", self.target.accumulator().memory());
            return vec![value!(f, "value", &load, Operand::At(at, 0))];
        }
        let mut at = at;
        (0..self.cell.words())
            .map(|word| {
                if word > 0 {
                    at = value!(f, "at", "add.u32", at, self.layout.plane);
                }
                value!(f, "value", "ld.shared.u32", Operand::At(at, 0))
            })
            .collect()
    }

    fn combine(&self, f: &mut Function, sum: &[Reg], more: &[Reg]) {
        if self.cell == Cell::Accumulator {
            let both = combine::combine(
                f,
                self.target.op,
                self.target.accumulator(),
                sum[0],
                more[0],
            );
            f.assign(sum[0], both);
            return;
        }
        hot::add_words(f, sum, more);
    }

    fn touched(&self, f: &mut Function, sum: &[Reg]) -> Reg {
        if self.cell == Cell::Accumulator {
            return combine::is_touched(f, self.target.op, self.target.accumulator(), sum[0]);
        }
        let any = value!(f, "any", "mov.b32", sum[0]);
        for word in &sum[1..] {
            emit!(f, "or.b32", any, any, *word);
        }
        value!(f, "touched", "setp.ne.u32", any, 0)
    }

    /// The sum as an accumulator.
    fn finish(&self, f: &mut Function, sum: &[Reg], scale: Option<Reg>) -> Reg {
        match self.cell {
            Cell::Accumulator => sum[0],
            Cell::Counter => multiply(f, &self.target, sum[0]),
            Cell::Halves => f.pack(sum[0], sum[1]),
            Cell::Fixed32 | Cell::Fixed64 => match scale {
                Some(scale) => fixed::finish(f, self.cell, sum, scale),
                None => sum[0],
            },
        }
    }
}

/// The words that fill copies of a target with what changes nothing.
fn neutral_words(target: &Target, cell: Cell) -> [u32; 2] {
    match cell {
        Cell::Accumulator => {
            let bits = target.op.neutral_bits(target.accumulator());
            match target.size() {
                4 => [bits as u32; 2],
                _ => [bits as u32, (bits >> 32) as u32],
            }
        }
        Cell::Counter | Cell::Halves | Cell::Fixed32 | Cell::Fixed64 => [0; 2],
    }
}

/// What `count` updates by the target's constant amount to.
pub(super) fn multiply(f: &mut Function, target: &Target, count: Reg) -> Reg {
    let elem = target.accumulator();
    let bits = target.counted.unwrap_or(0);
    let constant = Operand::bits(elem.class(), bits);
    match (elem, target.op.row().repeated) {
        (Elem::F32, _) => {
            let count = value!(f, "count", "cvt.rn.f32.u32", count);
            value!(f, "sum", "mul.rn.f32", count, constant)
        }
        (Elem::F64, _) => {
            let count = value!(f, "count", "cvt.rn.f64.u32", count);
            value!(f, "sum", "mul.rn.f64", count, constant)
        }
        (_, Repeated::Clamped) => {
            let count = value!(f, "count", "cvt.u64.u32", count);
            let low = value!(f, "sum", "mul.lo.u64", count, Operand::Int(bits as i64));
            let high = value!(f, "over", "mul.hi.u64", count, Operand::Int(bits as i64));
            let over = value!(f, "over", "setp.ne.u64", high, 0);
            let sum = value!(f, "sum", "selp.b64", -1, low, over);
            if elem.size() == 8 {
                return sum;
            }
            let sum = value!(f, "sum", "min.u64", sum, i64::from(u32::MAX));
            value!(f, "sum", "cvt.u32.u64", sum)
        }
        // Where nothing is known of them they are not counted.
        (Elem::U64 | Elem::I64, Repeated::Product | Repeated::Unknown) => {
            let count = value!(f, "count", "cvt.u64.u32", count);
            value!(f, "sum", "mul.lo.u64", count, constant)
        }
        (_, Repeated::Product | Repeated::Unknown) => {
            value!(f, "sum", "mul.lo.u32", count, constant)
        }
    }
}

/// Fills shared memory from `base`, `bytes` long (a multiple of 16), with two words in turn, in tiles of 16 bytes a
/// thread.
pub(super) fn fill(f: &mut Function, gang: &Gang, base: Reg, bytes: Reg, words: [u32; 2]) {
    let regs: Vec<Operand> = [words[0], words[1], words[0], words[1]]
        .into_iter()
        .map(|w| value!(f, "neutral", "mov.b32", Operand::from(w)).into())
        .collect();
    let offset = value!(f, "offset", "shl.b32", gang.thread, 4);
    let step = value!(f, "step", "shl.b32", gang.threads, 4);
    for_each(f, "initialise", offset, step, bytes, |f| {
        let at = value!(f, "at", "add.u32", base, offset);
        f.store_vector("st.shared.v4.b32", Operand::At(at, 0), &regs);
    });
}

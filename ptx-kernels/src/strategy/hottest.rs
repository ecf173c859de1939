//! Where the hottest bins of a gang are combined: not in its copies, where the lanes of a warp would wait for each other.
//!
//! A bin of one word is a register of each thread, which the lanes of a warp bring together at the end. Adding a number of several
//! words to one of four registers would take a dozen instructions for every update, whether it is hot or not. Such bins have 32 bins
//! more behind those of the copy, one for each lane. An update only has to be told the other address: no two lanes meet there, neither in
//! a bin nor in a bank, and it waits and is [joined](super::waiting) as any other.
//!
//! Fixed-point sums stay exact either way: what is combined are the words of the cell.

use super::cells::Cells;
use super::hot::{self, Hot, MOST_HOT};
use super::register::shuffle;
use super::{Bin, Gang, for_each};
use crate::cell::Cell;
use crate::combine;
use crate::emit;
use crate::value;
use crate::writer::{Function, Operand, Reg};

/// Lanes of a warp.
const LANES: u32 = 32;

/// The hot bins of a target, and where they are.
pub(super) enum Hottest {
    /// In registers: the words of each.
    Registers(Hot, Vec<Vec<Reg>>),
    /// In bins of the lanes: the address of the thread's own one of each.
    Lanes(Hot, Vec<Reg>),
}

/// Bins that a copy has more than the target, one for each lane and hot bin.
pub(crate) fn lane_bins(cell: Cell) -> u32 {
    match cell {
        Cell::Accumulator | Cell::Counter => 0,
        Cell::Halves | Cell::Fixed32 | Cell::Fixed64 => MOST_HOT as u32 * LANES,
    }
}

impl Cells {
    /// Keeps hot bins elsewhere from now on.
    pub(super) fn keep_hot(&mut self, f: &mut Function, hot: Hot) {
        let hottest = match self.cell {
            // The hardware merges what lanes add to a counter.
            Cell::Counter => return,
            Cell::Accumulator => {
                Hottest::Registers(hot, hot.bins.iter().map(|_| self.neutral(f)).collect())
            }
            Cell::Halves | Cell::Fixed32 | Cell::Fixed64 => {
                let layout = &self.layout;
                let lane = value!(f, "lane_bin", "add.u32", layout.bins, self.gang.lane);
                let step = layout.step;
                let first = value!(f, "lane_at", "mad.lo.u32", lane, step, layout.own);
                let word = self.cell.word(self.target.elem);
                let places = (0..MOST_HOT as u32)
                    .map(|n| value!(f, "lane_at", "add.u32", first, n * LANES * word))
                    .collect();
                Hottest::Lanes(hot, places)
            }
        };
        self.hottest = Some(hottest);
    }

    /// Where the words of a bin are combined that has its own at `at`.
    pub(super) fn lane_place(&self, f: &mut Function, bin: Bin, at: Operand) -> Operand {
        let (hot, places) = match &self.hottest {
            Some(Hottest::Lanes(hot, places)) => (hot, places),
            _ => return at,
        };
        let own = match at {
            Operand::At(at, 0) => value!(f, "at", "mov.b32", at),
            Operand::At(at, offset) => value!(f, "at", "add.u32", at, offset),
            _ => unreachable!("a bin in shared memory has an address"),
        };
        let bin = narrow(f, bin);
        let no_hot = f.label("no_hot");
        f.branch_if(hot.any, false, no_hot);
        for (&hot, &place) in hot.bins.iter().zip(places) {
            let this = value!(f, "this", "setp.eq.u32", bin, hot);
            f.op_if(this, true, "mov.b32", &[own.into(), place.into()]);
        }
        f.place(no_hot);
        Operand::At(own, 0)
    }

    /// Combines words into the register of a bin, if it is in one. Returns whether it is not, where there are any.
    pub(super) fn update_hot(&self, f: &mut Function, bin: Bin, more: &[Reg]) -> Option<Reg> {
        let Some(Hottest::Registers(hot, sums)) = &self.hottest else {
            return None;
        };
        let bin = narrow(f, bin);
        // No bin has the number of none.
        let cold = value!(f, "cold", "setp.ne.u32", bin, -1);
        hot.each(f, bin, cold, |f, number, this| {
            let sum = sums[number][0];
            let elem = self.target.accumulator();
            let both = combine::combine(f, self.target.op, elem, sum, more[0]);
            let opcode = format!("mov.{}", sum.class.suffix());
            f.op_if(this, true, &opcode, &[sum.into(), both.into()]);
        });
        Some(cold)
    }

    /// Brings the hot bins from registers into the copies.
    pub(super) fn gather(&self, f: &mut Function, gang: &Gang) {
        let Some(Hottest::Registers(hot, sums)) = &self.hottest else {
            return;
        };
        let skip = f.label("no_hot");
        f.branch_if(hot.any, false, skip);
        for (&bin, sum) in hot.bins.iter().zip(sums) {
            let elem = self.target.accumulator();
            for distance in [16, 8, 4, 2, 1] {
                let other = shuffle(f, elem, sum[0], distance);
                let both = combine::combine(f, self.target.op, elem, sum[0], other);
                f.assign(sum[0], both);
            }
            self.add_from_first_lane(f, gang, bin, self.layout.own, sum);
        }
        f.place(skip);
    }

    /// Brings the bins of the lanes into the copies. All threads of the gang come here together, behind a barrier, and go on behind
    /// another one.
    pub(super) fn collect_lanes(&self, f: &mut Function, gang: &Gang) {
        let Some(Hottest::Lanes(hot, _)) = &self.hottest else {
            return;
        };
        let layout = &self.layout;
        let skip = f.label("no_hot");
        f.branch_if(hot.any, false, skip);
        f.comment("A warp for each hot bin of each copy.");
        let all = value!(f, "all", "mul.lo.u32", layout.copies, MOST_HOT as u32);
        let number = value!(f, "number", "shr.u32", gang.thread, LANES.ilog2());
        let warps = value!(f, "warps", "shr.u32", gang.threads, LANES.ilog2());
        for_each(f, "lanes", number, warps, all, |f| {
            let copy = value!(f, "copy", "shr.u32", number, MOST_HOT.ilog2());
            let base = layout.base;
            let copy = value!(f, "copy", "mad.lo.u32", copy, layout.copy_step, base);
            let which = value!(f, "which", "and.b32", number, MOST_HOT as u32 - 1);
            let bin = value!(f, "bin", "mov.b32", hot.bins[0]);
            for (n, &other) in (0..MOST_HOT as u32).zip(&hot.bins).skip(1) {
                let this = value!(f, "this", "setp.eq.u32", which, n);
                f.op_if(this, true, "mov.b32", &[bin.into(), other.into()]);
            }
            let lane = value!(f, "lane_bin", "mad.lo.u32", which, LANES, gang.lane);
            let lane = value!(f, "lane_bin", "add.u32", lane, layout.bins);
            let at = value!(f, "lane_at", "mad.lo.u32", lane, layout.step, copy);
            let sum = self.load(f, at);
            hot::add_lanes(f, &sum);
            self.add_from_first_lane(f, gang, bin, copy, &sum);
        });
        emit!(f, "bar.sync", 0);
        f.place(skip);
    }

    /// Brings the sum that all lanes of a warp have into the bin of a copy, if there is a bin.
    fn add_from_first_lane(&self, f: &mut Function, gang: &Gang, bin: Reg, copy: Reg, sum: &[Reg]) {
        let next = f.label("not_first_lane");
        let first = value!(f, "first_lane", "setp.eq.u32", gang.lane, 0);
        f.branch_if(first, false, next);
        let none = value!(f, "none", "setp.eq.u32", bin, -1);
        f.branch_if(none, true, next);
        let at = Bin::Narrow(bin.into()).shared_step(f, copy, self.layout.step);
        self.add(f, at, sum);
        f.place(next);
    }
}

/// The number of a bin in 32 bits.
fn narrow(f: &mut Function, bin: Bin) -> Reg {
    match bin {
        Bin::Narrow(bin) => value!(f, "bin", "mov.b32", bin),
        Bin::Wide(bin) => value!(f, "bin", "cvt.u32.u64", bin),
    }
}

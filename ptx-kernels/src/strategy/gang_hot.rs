//! `gang_hot`: [`gang_shared`](super::gang_shared) with the hottest bins in registers.
//!
//! Where shared memory has room for few copies, equal bins of a warp's lanes wait for each other: a bin that all keys
//! hit is updated by one lane at a time. Up to [four](super::HOT) hot bins, found by a [sample](super::hot), are
//! compared with every bin and combined in registers instead, which the lanes of a warp bring together at the end. Without
//! hot bins the comparisons are jumped over. Sums in fixed point stay exact: a register holds the same words as a cell.
//!
//! 16,384 bins, one copy, one hot bin and a share of bins that halves: u32 weights 912 and 875 G/s, by `gang_shared` 627 and
//! 678; f32 weights 430 and 395, by `gang_shared` 451 and 417 (H200, 2026-11-20, docs/measurements/gpu.md).

use super::cells::Cells;
use super::gang_shared;
use super::waiting::Waiting;
use super::{Bin, Copies, Gang, Known, Memory, Target};
use crate::writer::{Function, Operand};

struct GangHot(Cells);

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
    known: Known,
) -> impl Copies + use<> {
    let mut cells = gang_shared::cells(f, gang, target, memory);
    if let Known::Bins(hot) = known {
        cells.keep_hot(f, hot);
    }
    GangHot(cells)
}

impl Copies for GangHot {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        self.0.update(f, bin, bin, value);
    }

    fn waiting(&self, f: &mut Function) -> Option<Waiting> {
        self.0.waiting(f)
    }

    fn defer(&self, f: &mut Function, bin: Bin, value: Operand, waiting: &Waiting) {
        self.0.defer(f, bin, bin, value, waiting);
    }

    fn settle(&self, f: &mut Function, waiting: &[Waiting]) {
        self.0.settle(f, waiting);
    }

    fn gather(&self, f: &mut Function, gang: &Gang) {
        self.0.gather(f, gang);
    }

    fn epilogue(&self, f: &mut Function, _: &Gang) {
        self.0.flush(f, None);
    }
}

//! `gang_hot`: [`gang_shared`] with the hottest bins in registers.
//!
//! Where shared memory has room for few copies, equal bins of a warp's lanes wait for each other: a bin that all keys
//! hit is updated by one lane at a time. Up to [four](super::HOT) hot bins, found by a [sample](super::hot), are
//! compared with every bin and combined in registers instead, which the lanes of a warp bring together at the end. Without
//! hot bins the comparisons are jumped over. Sums in fixed point stay exact: a register holds the same words as a cell.
//!
//! 16,384 bins, one copy, one hot bin and a share of bins that halves: u32 weights 912 and 875 G/s, by `gang_shared` 627 and
//! 678; f32 weights 430 and 395, by `gang_shared` 451 and 417 (H200, 2026-11-20, docs/measurements/gpu.md).

use super::gang_shared::{self, GangShared};
use super::{Copies, Gang, Known, Memory, Target};
use crate::writer::Function;

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
    GangShared(cells)
}

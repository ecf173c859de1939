//! `gang_hot`: [`gang_shared`] with the hottest bins [elsewhere](super::hottest).
//!
//! Where shared memory has room for few copies, equal bins of a warp's lanes wait for each other: a bin that all keys
//! hit is updated by one lane at a time, and two such bins of one bank as well. Up to [four](super::HOT) hot bins, found by a
//! [sample](super::hot), are compared with every bin and combined in registers instead, or in bins that each lane has for itself.
//! Without hot bins the comparisons are jumped over.

use super::gang_shared::{self, GangShared};
use super::hottest;
use super::{Copies, Gang, Known, Memory, Target};
use crate::writer::Function;

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
    known: Known,
) -> impl Copies + use<> {
    let lanes = hottest::lane_bins(target.cell());
    let mut cells = gang_shared::cells(f, gang, target, memory, lanes);
    if let Known::Bins(hot) = known {
        cells.keep_hot(f, hot);
    }
    GangShared(cells)
}

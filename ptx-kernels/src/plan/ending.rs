//! How what a launch has counted comes into the user's bins.
//!
//! Scratch memory is as large as the bins, so that a merge reads and writes both however few iterations there are. Where
//! they are much fewer than the bins, it is faster to run all of them twice: a rehearsal that updates nothing and finds
//! whether one fails, and then the updates of the bins themselves. 2^16 keys into 8,388,608 bins take 35 µs with a merge, which is 26 of
//! them (H200, 2026-11-22, `accrue-bench run --device cuda --cells u32/8388608/uniform/count/2^16`).

use super::{MERGE_IN_KERNEL_BYTES, TargetPlan, Work};
use crate::abi::KernelAbi;
use crate::strategy;

/// What [`ParamKind::Merge`](crate::abi::ParamKind::Merge) says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// A launch of [`TargetAbi::merge`](crate::abi::TargetAbi) for each target follows, in order.
    #[default]
    Merged = 0,
    /// The gang that finishes last merges.
    LastGang = 1,
    /// The launch updates nothing, and only finds out whether an iteration fails.
    Rehearsal = 2,
    /// Updates go into the bins themselves, unless the record says that an iteration has failed.
    Straight = 3,
}

/// Bins for each update from which on a rehearsal is faster than a merge.
const FEW: u64 = 4;

impl Ending {
    /// What the entry's launches are told, one after the other. The first of them, for the one iteration, also tells a fault.
    pub fn launches(self, abi: &KernelAbi) -> &'static [Ending] {
        match self {
            Ending::Merged => &[Ending::Merged],
            Ending::LastGang => &[Ending::LastGang],
            Ending::Rehearsal => &[Ending::Rehearsal],
            Ending::Straight if abi.faults.is_empty() => &[Ending::Straight],
            Ending::Straight => &[Ending::Rehearsal, Ending::Straight],
        }
    }

    /// That of a plan.
    pub(super) fn of(abi: &KernelAbi, work: &Work, targets: &[TargetPlan], split: bool) -> Ending {
        let scratch = targets.iter().map(|t| t.scratch_bytes).sum::<u64>();
        if scratch <= MERGE_IN_KERNEL_BYTES && !split {
            return Ending::LastGang;
        }
        // A rehearsal would write what iterations have of their own.
        let may = abi
            .targets
            .iter()
            .all(|t| strategy::updates_bins(t.placement, t.op, t.elem))
            && !abi.writes();
        let bins = work.bins.iter().fold(0u64, |all, &b| all.saturating_add(b));
        let updates = abi.targets.iter().map(|t| u64::from(t.updates));
        // Loops within the body make as many as they like, and as much work twice.
        let known = abi.targets.iter().all(|t| t.updates > 0);
        let each = updates.sum::<u64>().saturating_mul(FEW);
        let few = known && work.items.saturating_mul(each) <= bins;
        match may && (few || abi.faults.is_empty()) {
            true => Ending::Straight,
            false => Ending::Merged,
        }
    }
}

//! Copies in device memory: `atomic_global`, `gang_global`.
//!
//! Atomics are done where the cache is. They cost a sector each; those of one bin wait for each other, wherever they come
//! from, those of floats longer, and so do those of neighbouring bins, so that few bins are slow even for spread keys. `l` copies are `l`
//! times the bins for all of this.

use crate::abi::TargetAbi;
use crate::plan::TargetPlan;

use super::{Launch, Part, Speeds, shared};

pub(crate) fn part(
    target: &TargetAbi,
    needs: &TargetPlan,
    launch: &Launch<'_>,
    speeds: &Speeds,
) -> Part {
    let keys = &launch.keys;
    let updates = launch.call.items as f64 * f64::from(target.updates.max(1));
    let copies = f64::from(needs.locals.max(1));
    let bins = needs.bins as f64 * copies;
    let spread = keys.sectors / 32.0;
    let float = match target.accumulator().is_float() {
        true => speeds.global_hot_float,
        false => 1.0,
    };
    let mut one = speeds.global_ps * spread
        + speeds.global_hot_ps * keys.share / copies * float
        + speeds.global_spread_ps * spread / (bins + speeds.global_spread_bins)
        + speeds.global_conflict_ps * (keys.conflicts - 1.0).max(0.0)
        + speeds.global_near_ps * (keys.conflicts - 1.0).max(0.0)
            / (keys.seen(needs.bins as f64) * copies);
    let cache = speeds.cache_mb * 1e6;
    let bytes = bins * f64::from(target.accumulator().size());
    if bytes > cache {
        one += speeds.global_miss_ps * spread * (1.0 - cache / bytes);
    }
    if !target.op.has_atomic(target.accumulator()) {
        one *= speeds.global_swap;
    }
    Part {
        updates: updates * one * 1e-12,
        around: shared::merging(needs, launch, speeds),
        passes: 0.0,
    }
}

//! Updates split by ranges of the bins: `gang_split`.
//!
//! A record is written once and read once, whatever the keys; ranking it costs more where ranges are many, and counting it where
//! many are of one bin. Every gang that counts
//! flushes the ranges of its part of the records, at least one, and several kernels run for each slab.

use crate::abi::TargetAbi;
use crate::cell::Cell;
use crate::plan::TargetPlan;

use super::{Launch, Part, Speeds, shared};

pub(crate) fn part(
    target: &TargetAbi,
    needs: &TargetPlan,
    launch: &Launch<'_>,
    speeds: &Speeds,
) -> Part {
    let Some(split) = &launch.plan.split else {
        return Part::default();
    };
    let updates = launch.call.items as f64 * f64::from(target.updates.max(1));
    let ranges = f64::from(split.ranges);
    let size = f64::from(target.accumulator().size());
    let counts = target.cell() == Cell::Counter;
    let one = match counts {
        true if launch.keys.are_hot() => {
            // Half a dozen bins of a thousand keys are as good as any number.
            let many = ((launch.keys.distinct - 1.0) / 5.0).clamp(0.0, 1.0);
            speeds.split_hot_ps + speeds.split_hot_more_ps * many
        }
        true => {
            let meeting = (launch.keys.conflicts - 1.0).max(0.0);
            speeds.split_count_ps
                + speeds.split_meeting_ps * meeting
                + speeds.split_range_ps * ranges
        }
        false => {
            let word = speeds.split_value_ps + speeds.split_range_ps * ranges;
            word * size / 4.0 + waiting(target, size, speeds, launch.keys.share)
        }
    };
    let slabs = split.slabs(launch.call.items).count() as f64;
    let width = f64::from(1u32 << split.range_bits).min(needs.bins as f64);
    let flushed = (ranges + f64::from(split.count_grid)) * width * size;
    Part {
        updates: updates * one * 1e-12 * launch.scale,
        around: slabs * (speeds.split_launches_us * 1e-6 + flushed / (speeds.split_flush_gb * 1e9))
            + shared::merging(needs, launch, speeds),
        passes: 0.0,
    }
}

/// Picoseconds that an update with a value waits for others of its bin, where one has so much of all updates, and that it takes to
/// add what no instruction adds.
fn waiting(target: &TargetAbi, size: f64, speeds: &Speeds, share: f64) -> f64 {
    let accumulator = target.accumulator();
    if target.op.has_atomic(accumulator) && !accumulator.is_float() {
        return speeds.split_hot_value_ps * share;
    }
    let words = (4.0 + size) / 8.0;
    (speeds.split_swap_ps + speeds.split_hot_swap_ps * share) * words
}

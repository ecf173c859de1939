//! Updates split by ranges of the bins: `gang_split`.
//!
//! A record is written once and read once, whatever the keys; ranking it costs more where ranges are many. Every gang that counts
//! flushes the ranges of its part of the records, at least one, and several kernels run for each slab.

use accrue_ptx::abi::TargetAbi;
use accrue_ptx::cell::Cell;
use accrue_ptx::plan::TargetPlan;

use super::{Launch, Part, Speeds, shared};

/// Picoseconds of an update that counts, and more for each range (H200, 2026-11-20: 341 G/s into 8 ranges, 313 into 34, 206
/// into 256).
const COUNT_PS: f64 = 2.85;
const RANGE_PS: f64 = 0.0077;

/// The same where the hot cache takes most updates.
const HOT_PS: f64 = 1.8;

/// Picoseconds of an update with a value of 4 bytes.
const VALUE_PS: f64 = 5.6;

/// Seconds of the launches for a slab beside the entry's.
const LAUNCHES: f64 = 9e-6;

/// Bytes of bins that are flushed in a second.
const FLUSH: f64 = 1.5e12;

pub(super) fn part(
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
        true if launch.keys.are_hot() => HOT_PS,
        true => COUNT_PS + RANGE_PS * ranges,
        false => (VALUE_PS + RANGE_PS * ranges) * size / 4.0,
    };
    let slabs = split.slabs(launch.call.items).count() as f64;
    let width = f64::from(1u32 << split.range_bits).min(needs.bins as f64);
    let flushed = (ranges + f64::from(split.count_grid)) * width * size;
    Part {
        updates: updates * one * 1e-12 * launch.scale,
        around: slabs * (LAUNCHES + flushed / FLUSH) + shared::merging(needs, launch, speeds),
        passes: 0.0,
    }
}

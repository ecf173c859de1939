//! Copies in shared memory: `gang_shared`, `gang_striped`, `gang_window`, `gang_packed`, `gang_hot`.
//!
//! An update costs what its [cell](crate::cell) costs, and more for each lane of the warp that updates the same bin of the
//! same copy at the same time. The hottest bins do not count where
//! registers take them. Where bins are in windows every gang of a group looks at every item; packed counters
//! that overflow are counted again.

use crate::abi::TargetAbi;
use crate::cell::Cell;
use crate::plan::{Ending, TargetPlan};

use super::{Launch, Part, Speeds};

/// Updates of a bin after which a counter of 16 bits overflows.
const PACKED_MOST: f64 = 65_535.0;

/// How much longer a gang takes that counts its items again, in two passes.
const RECOUNT: f64 = 3.0;

const LANES: f64 = 32.0;

/// The part of skew that is left when registers have taken the few hottest bins.
const LEFT_BY_HOT: f64 = 0.06;

/// What sets the strategies of the family apart.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Family {
    /// The hottest bins are kept elsewhere.
    pub(crate) keeps_hot: bool,
    /// Counters may overflow and be counted again.
    pub(crate) packed: bool,
    /// Every lane has banks of its own.
    pub(crate) own_banks: bool,
    /// An update looks for its window, though all bins be in one (the colours of 1920 x 1080 pixels: 8.4 us beside 5.9 without, H200, 2026-12-01).
    pub(crate) windowed: bool,
}

pub(crate) fn part(
    target: &TargetAbi,
    needs: &TargetPlan,
    launch: &Launch<'_>,
    speeds: &Speeds,
    family: Family,
) -> Part {
    let (keys, plan) = (&launch.keys, launch.plan);
    let items = launch.call.items as f64;
    let updates = items * f64::from(target.updates.max(1));
    let windows = f64::from(plan.windows.max(1));
    let groups = f64::from((plan.grid / plan.windows.max(1)).max(1));
    let packed = family.packed;

    // Lanes that share a copy meet as often as the sample's warps did.
    let sharing = (LANES / f64::from(needs.copies.max(1))).max(1.0);
    let meeting = (keys.conflicts - 1.0).max(0.0) * (sharing - 1.0) / (LANES - 1.0);
    let hot = family.keeps_hot;
    let meeting = match hot && keys.are_hot() {
        true => meeting * LEFT_BY_HOT,
        false => meeting,
    };
    let (mut one, conflict) = cost(target, sharing, speeds);
    if hot {
        one += speeds.hot_ps;
        if keys.are_hot() {
            // Registers are added to in the order of the updates, a word after the other.
            one += speeds.hot_word_ps * f64::from(target.cell().words() - 1);
            if target.cell() == Cell::Fixed32 {
                one += speeds.hot_fixed32_ps;
            }
        }
    }
    if conflict > 0.0 && !family.own_banks {
        // Lanes of different copies meet in banks all the same.
        one += speeds.bank_ps * f64::from(target.cell().words());
    }
    let mut seconds = updates * (one + conflict * meeting) * 1e-12;
    let mut passes = 0.0;
    // Windows of columns are of the inner loop, so that every update is computed once.
    if target.columns.is_none() && (windows > 1.0 || packed || family.windowed) {
        let pass = match packed {
            true if keys.are_hot() => speeds.packed_pass_ps + speeds.packed_hot_ps,
            // What a thread has of a run is one update, if all of it is in its window.
            true => {
                speeds.packed_pass_ps + speeds.packed_meeting_ps * meeting * (1.0 - 1.0 / windows)
            }
            false => speeds.window_pass_ps,
        };
        // The passes hide nothing but their own latency, which takes threads.
        seconds += windows * items * pass * 1e-12 / launch.threads.min(1.0);
    }
    if packed {
        let share = match keys.are_hot() {
            true => keys.share * (1.0 - keys.share) * LEFT_BY_HOT,
            false => keys.share,
        };
        let largest = share * updates / groups;
        // Near the edge some gangs overflow and some do not.
        let share = ((largest / PACKED_MOST - 0.5) * 2.0).clamp(0.0, 1.0);
        passes = seconds * share * (RECOUNT - 1.0);
    }

    // Copies are updated by the multiprocessors that have a gang. Where these are few, a launch takes longer than its updates.
    let idle = f64::from(launch.call.limits.multiprocessors) / f64::from(plan.grid.max(1));
    seconds *= idle.clamp(1.0, MOST_IDLE);

    let bins = needs.bins as f64 / windows;
    let cells = bins * f64::from(needs.copies.max(1)) * f64::from(target.cell().words());
    let threads = f64::from(plan.block.max(1));
    let mut around = cells / threads * speeds.cell_us * 1e-6;
    around += groups
        * windows
        * keys.touched(bins, updates / groups / windows)
        * speeds.flush_ps
        * 1e-12
        * launch.scale;
    if conflict > 0.0 {
        around += meeting * speeds.meeting_us * 1e-6;
    }
    if hot {
        around += speeds.hot_us * 1e-6;
    }
    around += merging(needs, launch, speeds);
    Part {
        updates: seconds * launch.scale,
        around,
        passes: passes * launch.scale,
    }
}

/// How much longer updates take where multiprocessors have no gang, at most.
const MOST_IDLE: f64 = 2.0;

/// Copies of slices, which gangs flush and clear behind each iteration of the outer loop that they take.
pub(crate) fn sliced(
    target: &TargetAbi,
    needs: &TargetPlan,
    launch: &Launch<'_>,
    speeds: &Speeds,
) -> Part {
    let slice = TargetPlan {
        bins: target.slice.unwrap_or(needs.bins).min(needs.bins),
        ..*needs
    };
    let one = part(target, &slice, launch, speeds, Family::default());
    let once = merging(&slice, launch, speeds);
    let trips = launch.call.outer as f64 / f64::from(launch.plan.grid.max(1));
    Part {
        around: (one.around - once) * trips.max(1.0) + merging(needs, launch, speeds),
        ..one
    }
}

/// Picoseconds of an update, and what each lane more with the same bin adds.
fn cost(target: &TargetAbi, sharing: f64, speeds: &Speeds) -> (f64, f64) {
    let accumulator = target.accumulator();
    match target.cell() {
        // The hardware merges equal addresses of a warp.
        Cell::Counter if sharing <= 1.0 => (speeds.striped_ps, 0.0),
        Cell::Counter => (speeds.counter_ps, 0.0),
        Cell::Halves => (speeds.halves_ps, speeds.halves_conflict_ps),
        Cell::Fixed32 => (speeds.fixed32_ps, speeds.fixed32_conflict_ps),
        Cell::Fixed64 => (speeds.fixed64_ps, speeds.fixed64_conflict_ps),
        Cell::Accumulator
            if target.op.has_atomic(accumulator)
                && accumulator.size() == 4
                && !accumulator.is_float() =>
        {
            (speeds.add32_ps, speeds.add32_conflict_ps)
        }
        Cell::Accumulator => (speeds.swap_ps, speeds.swap_conflict_ps),
    }
}

/// Seconds that the scratch memory takes at the end, but for the launch.
pub(crate) fn merging(needs: &TargetPlan, launch: &Launch<'_>, speeds: &Speeds) -> f64 {
    match launch.plan.ending {
        Ending::LastGang => {
            let bins = needs.bins as f64 * f64::from(needs.locals.max(1));
            bins / f64::from(launch.plan.block.max(1)) * speeds.last_merge_us * 1e-6
        }
        // Read, made neutral again, and the bins read and written.
        Ending::Merged => 2.0 * needs.scratch_bytes as f64 / (speeds.merge_gb * 1e9),
        Ending::Rehearsal | Ending::Straight => 0.0,
    }
}

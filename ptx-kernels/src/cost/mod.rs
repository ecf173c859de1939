//! What a launch is expected to take: the cost model behind the automatic choice.
//!
//! A call is one launch that streams the items through every target's updates, with work before and after that depends on
//! bins and gangs alone:
//!
//! ```text
//! seconds = launches + max(reading, updates of all targets) + what each target clears, flushes and merges
//! ```
//!
//! One file has the formulas of one family of strategies (`shared`, `global`, `split`), in the terms of the
//! hardware: bytes from memory, updates that wait for each other, sectors. Their constants are the [`Speeds`] of a
//! device, in one table ([`speeds`]), fitted to measurements by `accrue-bench fit`; other devices scale them by what a
//! calibration (`gpu/calibrate.rs`) measures. What the keys are like comes from a [`KeySample`].
//!
//! It all is a function of its arguments, so it is tested against recorded measurements, without a GPU.

pub(crate) mod global;
pub(crate) mod shared;
pub mod speeds;
pub(crate) mod split;

use crate::abi::{KernelAbi, TargetAbi};
use crate::plan::{Ending, LaunchPlan, Limits};
use crate::sample::KeySample;

pub use self::speeds::Speeds;

/// What is known of a call besides its kernels.
#[derive(Clone, Debug)]
pub struct Call {
    /// The device's limits.
    pub limits: Limits,
    /// Iterations.
    pub items: u64,
    /// Positions of the outermost dimension.
    pub outer: u64,
    /// Bytes that an iteration reads from memory.
    pub item_bytes: f64,
    /// What a sample of the keys said, if one was taken.
    pub sample: Option<KeySample>,
}

/// What the keys are like, in the terms of the formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keys {
    /// The share of the hottest bin, 0 to 1.
    share: f64,
    /// Sectors that a warp touches, 1 to 32.
    sectors: f64,
    /// The most lanes of a warp with one bin, 1 to 32.
    conflicts: f64,
    /// Different bins of a thousand keys.
    distinct: f64,
}

impl Keys {
    fn of(sample: Option<&KeySample>, speeds: &Speeds) -> Keys {
        match sample {
            Some(sample) if sample.samples > 0 => {
                let one = 1.0 / f64::from(sample.samples);
                let share = sample.largest_share();
                // The hottest bin of a few samples is hot by chance, and what a warp has of it is one of them: neighbours are alike.
                let chance = 3.0 * one * sample.conflicts_per_warp() * (1.0 - share);
                Keys {
                    share: (share - chance).max(one / 4.0),
                    sectors: sample.sectors_per_warp(),
                    conflicts: sample.conflicts_per_warp(),
                    distinct: 1000.0 * f64::from(sample.distinct) * one,
                }
            }
            // Keys that nothing is known of count as somewhat skewed: a strategy that suffers from skew has to be much faster
            // than one that does not.
            _ => Keys {
                share: speeds.unknown_share.min(1.0),
                sectors: speeds.unknown_sectors.min(32.0),
                conflicts: speeds.unknown_conflicts.clamp(1.0, 32.0),
                distinct: 500.0,
            },
        }
    }

    /// Whether there are bins that a few registers can take most updates of.
    fn are_hot(&self) -> bool {
        self.share > 1.0 / 16.0
    }

    /// Bins that a gang touches, of so many, with so many updates.
    fn touched(&self, bins: f64, updates: f64) -> f64 {
        self.seen(bins).min(updates)
    }

    /// Bins that are touched at all, of so many. Where keys repeat within the sample, it has seen most of those that matter.
    fn seen(&self, bins: f64) -> f64 {
        match self.distinct < 500.0 {
            true => bins.min(4.0 * self.distinct),
            false => bins,
        }
    }
}

/// Bytes that an inner position reads, where nobody can tell how many there are.
const POSITION_BYTES: f64 = 4.0;

/// Positions of an inner loop of which only the call's data know how long it is: as many as the bytes that an iteration reads are
/// good for.
fn inner_positions(abi: &KernelAbi, call: &Call) -> u64 {
    let unknown = |target: &TargetAbi| target.updates == 0;
    match abi.items_per_thread == 0 || abi.targets.iter().any(unknown) {
        true => ((call.item_bytes / POSITION_BYTES) as u64).max(1),
        false => 1,
    }
}

/// The part of a launch that one target has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Part {
    /// Seconds that go on beside the reading of the items.
    pub updates: f64,
    /// Seconds before and after.
    pub around: f64,
    /// Seconds in which items are gone through again.
    pub passes: f64,
}

/// Seconds of device time that a launch is expected to take.
///
/// # Panics
///
/// If the plan is not one for the kernel.
pub fn seconds(abi: &KernelAbi, plan: &LaunchPlan, call: &Call, speeds: &Speeds) -> f64 {
    assert_eq!(abi.targets.len(), plan.targets.len());
    let keys = Keys::of(call.sample.as_ref(), speeds);
    let inner = inner_positions(abi, call);
    let idle = match abi.items_per_thread {
        0 => 1.0,
        _ if inner > 1 => {
            let threads = call.limits.multiprocessors * call.limits.threads_per_multiprocessor;
            (f64::from(threads) / call.items.max(1) as f64).max(1.0)
        }
        _ => 1.0,
    };
    let call = &Call {
        items: call.items.saturating_mul(inner),
        item_bytes: call.item_bytes / inner as f64,
        ..call.clone()
    };
    let launch = Launch {
        call,
        plan,
        keys,
        threads: resident_threads(abi, plan, &call.limits),
        scale: f64::from(speeds.multiprocessors) / f64::from(call.limits.multiprocessors.max(1)),
    };
    let mut all = Part::default();
    for (target, needs) in abi.targets.iter().zip(&plan.targets) {
        let template = target.placement.template();
        let part = template.cost(target, needs, &launch, speeds);
        all.updates += part.updates;
        all.around += part.around;
        all.passes = all.passes.max(part.passes);
    }
    let bytes = call.items as f64 * call.item_bytes;
    let reading = bytes / (speeds.memory_gb * 1e9);
    // Reading and updating overlap, but not entirely.
    let (long, short) = (reading.max(all.updates), reading.min(all.updates));
    let streaming = long + speeds.overlap_loss * short * (short / long.max(1e-12)).powi(4);
    let behind = match plan.ending {
        Ending::LastGang => 0.0,
        Ending::Merged => abi.targets.len() as f64 * speeds.merge_launch_us * 1e-6,
        Ending::Rehearsal | Ending::Straight if abi.faults.is_empty() => 0.0,
        Ending::Rehearsal | Ending::Straight => speeds.rehearsal_us * 1e-6 + reading,
    };
    let total = speeds.launch_us * 1e-6 + behind + streaming * idle + all.passes + all.around;
    let delay = abi.strategy.template().delay(abi, call);
    total * delay * speeds.scale.of(abi.strategy)
}

/// A launch, as the formulas need it.
pub struct Launch<'a> {
    call: &'a Call,
    plan: &'a LaunchPlan,
    keys: Keys,
    /// The share of a multiprocessor's threads that are resident, 0 to 1.
    threads: f64,
    /// How much longer work takes that is spread over the multiprocessors than on the device that the speeds are of.
    scale: f64,
}

/// What a target costs whose updates stay in registers, or wait for nobody in device memory.
pub(crate) fn in_place(launch: &Launch<'_>, speeds: &Speeds) -> Part {
    Part {
        updates: launch.call.items as f64 * speeds.register_ps * 1e-12 * launch.scale,
        ..Part::default()
    }
}

fn resident_threads(abi: &KernelAbi, plan: &LaunchPlan, limits: &Limits) -> f64 {
    let resident = limits.resident_blocks(plan.block, plan.shared_bytes + abi.static_shared);
    let most = f64::from(limits.threads_per_multiprocessor.max(1));
    f64::from(resident * plan.block) / most
}

/// What keys are like, coarsely: calls of one class are served alike.
pub type Class = [u8; 3];

/// The class of a sample: hottest bin, lanes that meet, sectors of a warp, each to a power of two.
pub fn class(sample: Option<&KeySample>) -> Class {
    let Some(sample) = sample.filter(|s| s.samples > 0) else {
        return [u8::MAX; 3];
    };
    let log = |x: f64| x.max(1.0).log2().round() as u8;
    [
        log(sample.largest_share() * 256.0),
        log(sample.conflicts_per_warp()),
        log(sample.sectors_per_warp()),
    ]
}

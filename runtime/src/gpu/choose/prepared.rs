//! A call that has been decided on: everything about it but its data.

use std::sync::Arc;

use accrue_ptx::abi::{KernelAbi, Strategy};
use accrue_ptx::cost;
use accrue_ptx::plan::{LaunchPlan, Limits};
use accrue_ptx::sample::KeySample;

use super::select::Request;
use super::tune::Shape;
use crate::gpu::load::kernel::Kernel;
use crate::gpu::load::workshop::Order;

/// Operations of a call up to which one gang does it sooner than a launch for it begins: some 4 µs, in which a multiprocessor does
/// 128 a cycle at 1.7 GHz.
const FEW_OPERATIONS: u64 = 1 << 19;

/// Iterations of such a call: the gang takes them 1024 at a time, each time in some 0.6 µs (H100, 2026-11-26).
const FEW_ITEMS: u64 = 1 << 12;

/// Whether a call is one that should not have a launch to itself.
pub(in crate::gpu) fn is_short(abi: &KernelAbi, items: u64, operations: u32) -> bool {
    abi.series.is_some()
        && items <= FEW_ITEMS
        && items.saturating_mul(operations.into()) <= FEW_OPERATIONS
}

/// What is known of a call before it is prepared.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) struct Size {
    /// Iterations.
    pub(in crate::gpu) items: u64,
    /// Positions of the outermost dimension.
    pub(in crate::gpu) outer: u64,
    /// Bytes that an iteration reads from memory.
    pub(in crate::gpu) item_bytes: f64,
    /// What a sample of the keys said, if one was taken.
    pub(in crate::gpu) sample: Option<KeySample>,
}

/// Everything about a call but its data.
#[derive(Debug)]
pub(in crate::gpu) struct Prepared {
    /// The context's number.
    pub(in crate::gpu) context: u64,
    /// Iterations.
    pub(in crate::gpu) items: u64,
    /// Scalars of each target's bins.
    pub(in crate::gpu) bins: Vec<u64>,
    /// What the keys are like.
    pub(in crate::gpu) keys: cost::Class,
    /// Whether the device's own speeds were known.
    pub(in crate::gpu) calibrated: bool,
    /// What was asked for.
    pub(in crate::gpu) request: Request,
    /// Whether that named the strategy.
    pub(in crate::gpu) asked: bool,
    /// The device, for people.
    pub(in crate::gpu) device: String,
    /// The modules that there was no memory for.
    pub(in crate::gpu) without: Vec<usize>,
    /// Which of the loop's modules.
    pub(in crate::gpu) module: usize,
    /// The number of copies that was chosen for it, if one was.
    pub(in crate::gpu) locals: Option<u32>,
    /// It, loaded.
    pub(in crate::gpu) kernel: Arc<Kernel>,
    /// How to launch it.
    pub(in crate::gpu) plan: LaunchPlan,
    /// The device's limits.
    pub(in crate::gpu) limits: Limits,
    /// Seconds that it is expected to take.
    pub(in crate::gpu) predicted: f64,
    /// What there was to choose from, the first expected to be the fastest.
    pub(in crate::gpu) offers: Vec<Offer>,
    /// Whether it is so short that it should share a launch with others.
    pub(in crate::gpu) is_short: bool,
    /// Whether the call is to be timed, for its shape.
    pub(in crate::gpu) trial: Option<Shape>,
    /// What is expected to be faster and was not loaded.
    pub(in crate::gpu) awaits: Option<Arc<Order>>,
}

impl Prepared {
    /// Whether a call like this may be served better by now.
    pub(in crate::gpu) fn is_over(&self) -> bool {
        self.awaits
            .as_ref()
            .is_some_and(|order| order.done().is_some())
    }

    /// What is expected to be faster and is still being compiled.
    pub(in crate::gpu) fn awaited(&self) -> Option<Strategy> {
        let order = self.awaits.as_ref().filter(|_| !self.is_over())?;
        Some(order.strategy())
    }
}

/// A way to run a call, as `explain` tells it.
#[derive(Clone, Debug)]
pub(in crate::gpu) struct Offer {
    pub(in crate::gpu) name: String,
    /// Seconds that the model expects.
    pub(in crate::gpu) predicted: f64,
    /// Seconds that it took, under `ACCRUE_TUNE`.
    pub(in crate::gpu) measured: Option<f64>,
}

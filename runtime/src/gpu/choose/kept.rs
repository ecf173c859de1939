//! What is kept for a device between calls: its kernels, and how fast it is.

use std::sync::{Arc, Mutex, OnceLock};

use accrue_ptx::cost::Speeds;

use super::calibration::Calibration;
use super::costs::Costs;
use crate::device::context::Context;
use crate::gpu::load::workshop::Workshop;

/// What is kept for a device.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Kept {
    /// Kernels, loaded or ordered.
    pub(in crate::gpu) workshop: Arc<Workshop>,
    /// What copies cost, measured at the first question.
    costs: OnceLock<Costs>,
    /// How fast kernels are, known or measured by the first calls.
    pub(in crate::gpu) speeds: OnceLock<Speeds>,
    /// How far that has come; whoever measures has it.
    pub(in crate::gpu) calibration: Mutex<Option<Calibration>>,
}

/// What is kept for a device.
pub(in crate::gpu) fn of(context: &Context) -> &Kept {
    context.attached()
}

/// What copies cost on a device, measured once.
pub(in crate::gpu) fn costs(context: &Context) -> Costs {
    *of(context).costs.get_or_init(|| Costs::of(context))
}

/// How fast kernels are on a device: as measured before, else as on the one whose constants are shipped.
pub(in crate::gpu) fn speeds(context: &Context) -> &Speeds {
    static SHIPPED: Speeds = Speeds::H200;
    of(context).speeds.get().unwrap_or(&SHIPPED)
}

//! The names of the devices.

use std::fmt;

/// Where an offloaded call runs.
///
/// Chosen, first to last, by [`with_device`](crate::with_device) around the call, by the environment variable `ACCRUE_DEVICE`
/// (`auto`, `seq`, `cpu`, `cuda`, `cuda:N` or `sim`), and else [`Device::Auto`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Device {
    /// The GPU where there is one and the call is large enough to repay the copies, else the CPU.
    #[default]
    Auto,
    /// The sequential loop, as it is written.
    Seq,
    /// Every core.
    Cpu,
    /// The CUDA device of this ordinal; needs the feature `cuda` and the NVIDIA driver.
    Cuda(u32),
    /// The simulator of a small GPU, which checks what it runs and is slow. Calls for it are an error in builds without the feature
    /// `sim`.
    Sim,
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Auto => f.write_str("auto"),
            Device::Seq => f.write_str("seq"),
            Device::Cpu => f.write_str("cpu"),
            Device::Cuda(n) => write!(f, "cuda:{n}"),
            Device::Sim => f.write_str("sim"),
        }
    }
}

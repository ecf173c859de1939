//! The names of the devices.

use std::fmt;

/// Where an offloaded call runs.
///
/// Chosen, first to last, by [`with_device`](crate::with_device) around the call, by the environment variable `ACCRUE_DEVICE`
/// (`auto`, `seq`, `cpu`, `cuda`, `cuda:N`, `cuda:all`, `sim` or `sim:N`), and else [`Device::Auto`].
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
    /// Every CUDA device that the driver lists. Loops of calls that are larger than a little are divided over them, each with a part of the
    /// iterations and of the arrays, and bins are combined in the end; a [`Resident`](crate::Resident) keeps each one's part there. What cannot be
    /// divided runs on the first.
    AllCuda,
    /// So many simulators, likewise.
    Sims(u32),
}

impl Device {
    /// Every CUDA device of the machine together: `ACCRUE_DEVICE=cuda:all`.
    ///
    /// ```
    /// use accrue::Device;
    /// assert_eq!("cuda:all".parse(), Ok(Device::all_cuda()));
    /// ```
    pub const fn all_cuda() -> Device {
        Device::AllCuda
    }

    /// Whether it is several.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn is_group(self) -> bool {
        matches!(self, Device::AllCuda | Device::Sims(_))
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Auto => f.write_str("auto"),
            Device::Seq => f.write_str("seq"),
            Device::Cpu => f.write_str("cpu"),
            Device::Cuda(n) => write!(f, "cuda:{n}"),
            Device::Sim => f.write_str("sim"),
            Device::AllCuda => f.write_str("cuda:all"),
            Device::Sims(n) => write!(f, "sim:{n}"),
        }
    }
}

//! The devices that a program can choose from.

use std::fmt;

#[cfg(any(feature = "cuda", feature = "sim"))]
use super::context::Context;
use crate::base::device::Device;
use crate::base::error::Bytes;

/// A device that offloaded calls can run on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// What to pass to [`with_device`](crate::with_device).
    pub device: Device,
    /// The maker's name, or what it is.
    pub name: String,
    /// Bytes of its own memory; 0 for the host.
    pub memory: u64,
    /// Compute capability of a GPU, major and minor.
    pub capability: Option<(u32, u32)>,
    /// Multiprocessors of a GPU, or threads of the host.
    pub units: u32,
}

impl fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.device, self.name)?;
        match self.capability {
            Some((major, minor)) => write!(
                f,
                ", {} multiprocessors, {}, compute capability {major}.{minor}",
                self.units,
                Bytes(self.memory)
            ),
            None => write!(f, ", {} threads", self.units),
        }
    }
}

/// The devices of this machine that this build can use, the sequential loop first. GPUs that do not open are left out.
///
/// ```
/// let devices = accrue::devices();
/// assert!(devices.iter().any(|d| d.device == accrue::Device::Cpu));
/// ```
pub fn devices() -> Vec<DeviceInfo> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u32;
    let host = |device, name: &str, units| DeviceInfo {
        device,
        name: name.to_owned(),
        memory: 0,
        capability: None,
        units,
    };
    #[cfg_attr(
        not(any(feature = "cuda", feature = "sim")),
        expect(unused_mut, reason = "there are no others")
    )]
    let mut all = vec![
        host(Device::Seq, "the loop as it is written", 1),
        host(Device::Cpu, "every core", threads),
    ];
    #[cfg(any(feature = "cuda", feature = "sim"))]
    for device in gpus() {
        if let Ok(context) = Context::of(device) {
            let limits = context.backend.limits();
            all.push(DeviceInfo {
                device,
                name: limits.name.clone(),
                memory: limits.memory,
                capability: Some(limits.capability),
                units: limits.sms,
            });
        }
    }
    all
}

/// The GPUs that the driver lists, and the simulator.
#[cfg(any(feature = "cuda", feature = "sim"))]
fn gpus() -> impl Iterator<Item = Device> {
    #[cfg(feature = "cuda")]
    let count = super::backend::cuda::count().unwrap_or(0);
    #[cfg(not(feature = "cuda"))]
    let count = 0;
    (0..count)
        .map(Device::Cuda)
        .chain(cfg!(feature = "sim").then_some(Device::Sim))
}

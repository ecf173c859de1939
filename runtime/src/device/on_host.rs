//! Calls on data in the host's memory, through the interface of devices.

use super::queue::Stream;
use crate::base::choice::with_device;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::trying::try_call;

/// Whether a stream's work is the host's own.
pub fn is_host(stream: &Stream) -> bool {
    matches!(stream.device(), Device::Cpu | Device::Seq)
}

/// Runs an offloaded function on the host's memory, as the stream's device does it.
///
/// # Errors
///
/// As [`try_call`].
pub fn on_host(stream: &Stream, call: impl FnOnce()) -> Result<(), Error> {
    try_call(|| with_device(stream.device(), call))
}

//! Whether accrue may reset a device that a failed kernel has taken down.
//!
//! A fault on a GPU, such as an address that is not there, takes the device's context with it, and a process has one primary context for each
//! device: what other libraries have there, tensors and streams, would be destroyed by a reset that they did not ask for. So nothing is
//! reset unless the program says that it may be.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

const UNSAID: u8 = 0;
const NO: u8 = 1;
const YES: u8 = 2;

static SAID: AtomicU8 = AtomicU8::new(UNSAID);

/// Says whether a CUDA device whose context a failed kernel has taken down may be reset, so that later calls can run there again.
///
/// A reset destroys what *everyone* in the process has on the device, other libraries' memory and streams included, so accrue makes none by
/// itself: calls for the device are [`Error::ContextLost`](crate::Error::ContextLost) then, which plain calls answer by running on the
/// CPU. Where accrue alone uses the device no permission is needed. The environment variable `ACCRUE_RESET=1` allows it too, and
/// what is said here comes before it.
///
/// Some drivers refuse a process the device after a fault even when it has been reset (580 on an H200 does); a new process is
/// the only remedy there.
///
/// ```
/// accrue::allow_device_reset(true);
/// # accrue::allow_device_reset(false);
/// ```
pub fn allow_device_reset(allow: bool) {
    SAID.store(if allow { YES } else { NO }, Ordering::Relaxed);
}

/// Whether it may.
pub(crate) fn is_allowed() -> bool {
    static SETTING: OnceLock<bool> = OnceLock::new();
    match SAID.load(Ordering::Relaxed) {
        NO => false,
        YES => true,
        _ => *SETTING.get_or_init(|| {
            std::env::var_os("ACCRUE_RESET").is_some_and(|v| !v.is_empty() && v != "0")
        }),
    }
}

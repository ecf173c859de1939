//! Which device runs a call: what the code says, else what `ACCRUE_DEVICE` says, else what pays.

use std::cell::Cell;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::{Once, OnceLock};

use crate::base::device::Device;
use crate::base::error::Error;

impl Device {
    /// What may be written for a device, for error messages.
    pub(crate) const EXPECTED: &str = "auto, seq, cpu, cuda, cuda:N, cuda:all, sim, sim:N";

    /// Whether this build has what runs the device.
    ///
    /// # Errors
    ///
    /// [`Error::FeatureOff`].
    pub(crate) fn check_built(self) -> Result<(), Error> {
        let feature = match self {
            Device::Cuda(_) | Device::AllCuda if !cfg!(feature = "cuda") => "cuda",
            Device::Sim | Device::Sims(_) if !cfg!(feature = "sim") => "sim",
            _ => return Ok(()),
        };
        Err(Error::FeatureOff {
            device: self,
            feature,
        })
    }

    /// Whether kernels are simulated.
    fn is_simulated(self) -> bool {
        matches!(self, Device::Sim | Device::Sims(_))
    }

    /// Says once that calls for GPUs run on the CPU where they are not part of the build.
    fn warn_unless_built(self) {
        static SAID: Once = Once::new();
        if self.is_simulated() {
            return;
        }
        if let Err(e) = self.check_built() {
            SAID.call_once(|| {
                log::warn!(
                    "calls run on the CPU: {}",
                    e.to_string().replace("\nhelp: ", "; ")
                )
            });
        }
    }
}

/// Simulators that are offered together, at most.
const MOST_SIMULATORS: u32 = 64;

impl FromStr for Device {
    type Err = Error;

    /// Reads what `ACCRUE_DEVICE` may be.
    ///
    /// # Errors
    ///
    /// [`Error::BadDevice`] for anything else.
    ///
    /// ```
    /// use accrue::Device;
    /// assert_eq!("cuda".parse(), Ok(Device::Cuda(0)));
    /// assert_eq!("cuda:3".parse(), Ok(Device::Cuda(3)));
    /// assert!("cuda:".parse::<Device>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Device, Error> {
        Ok(match text {
            "auto" => Device::Auto,
            "seq" => Device::Seq,
            "cpu" => Device::Cpu,
            "cuda" => Device::Cuda(0),
            "cuda:all" => Device::AllCuda,
            "sim" => Device::Sim,
            _ => {
                let number = |prefix| {
                    let number: &str = text.strip_prefix(prefix)?;
                    let digits = number.bytes().all(|b| b.is_ascii_digit());
                    digits.then(|| number.parse().ok()).flatten()
                };
                match (number("cuda:"), number("sim:")) {
                    (Some(n), _) => Device::Cuda(n),
                    (None, Some(n)) if (1..=MOST_SIMULATORS).contains(&n) => Device::Sims(n),
                    _ => {
                        return Err(Error::BadDevice {
                            text: text.to_owned(),
                        });
                    }
                }
            }
        })
    }
}

thread_local! {
    static CHOSEN: Cell<Option<Device>> = const { Cell::new(None) };
}

/// Runs `f` with offloaded calls of this thread on `device`.
///
/// Calls nest, and the choice before is restored when `f` returns or panics. Threads that `f` starts, and
/// rayon tasks that other threads take over, choose for themselves.
///
/// ```
/// use accrue::{Device, with_device};
/// let total: u32 = with_device(Device::Seq, || (0..10).sum());
/// assert_eq!(total, 45);
/// ```
pub fn with_device<R>(device: Device, f: impl FnOnce() -> R) -> R {
    let _choice = choose(device);
    f()
}

/// A choice of this thread's device, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Choice {
    before: Option<Device>,
    /// It belongs to the thread it was made on.
    _thread: PhantomData<*const ()>,
}

/// Chooses until the result is dropped; choices are undone in the reverse order.
pub(crate) fn choose(device: Device) -> Choice {
    device.warn_unless_built();
    Choice {
        before: CHOSEN.replace(Some(device)),
        _thread: PhantomData,
    }
}

impl Drop for Choice {
    fn drop(&mut self) {
        CHOSEN.set(self.before);
    }
}

/// The device of this thread's calls.
///
/// # Errors
///
/// [`Error::BadSetting`] if no [`with_device`] surrounds the call and `ACCRUE_DEVICE` names no device;
/// [`Error::FeatureOff`] for a simulator that is not part of the build. Who asks for that wants kernels checked, and the CPU
/// checks none; a GPU that is not there the CPU may stand in for.
pub(crate) fn chosen() -> Result<Device, Error> {
    let device = match CHOSEN.get() {
        Some(device) => device,
        None => from_environment()?,
    };
    if device.is_simulated() {
        device.check_built()?;
    }
    Ok(device)
}

/// The device that `ACCRUE_DEVICE` names, read once.
fn from_environment() -> Result<Device, Error> {
    static SETTING: OnceLock<Result<Device, Error>> = OnceLock::new();
    SETTING
        .get_or_init(|| {
            let device = parse_setting(std::env::var_os("ACCRUE_DEVICE").as_deref())?;
            device.warn_unless_built();
            Ok(device)
        })
        .clone()
}

fn parse_setting(value: Option<&std::ffi::OsStr>) -> Result<Device, Error> {
    let Some(value) = value.filter(|v| !v.is_empty()) else {
        return Ok(Device::Auto);
    };
    value
        .to_str()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| Error::BadSetting {
            variable: "ACCRUE_DEVICE",
            value: value.to_string_lossy().into_owned(),
            expected: format!("one of {}", Device::EXPECTED),
        })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn every_device_parses_from_its_own_text() {
        for device in [
            Device::Auto,
            Device::Seq,
            Device::Cpu,
            Device::Cuda(0),
            Device::Cuda(17),
            Device::Sim,
            Device::AllCuda,
            Device::Sims(4),
        ] {
            assert_eq!(device.to_string().parse(), Ok(device));
        }
    }

    #[test]
    fn what_is_no_device_is_refused() {
        for text in [
            "",
            "CPU",
            "cuda:",
            "cuda:-1",
            "cuda:+1",
            "cuda:99999999999",
            "gpu",
            "sim:0",
            " cpu",
        ] {
            assert_eq!(
                text.parse::<Device>(),
                Err(Error::BadDevice { text: text.into() })
            );
        }
    }

    #[test]
    fn an_unset_or_empty_setting_is_auto_and_a_wrong_one_is_an_error() {
        assert_eq!(parse_setting(None), Ok(Device::Auto));
        assert_eq!(parse_setting(Some(OsStr::new(""))), Ok(Device::Auto));
        assert_eq!(
            parse_setting(Some(OsStr::new("cuda:1"))),
            Ok(Device::Cuda(1))
        );
        let error = parse_setting(Some(OsStr::new("gpu"))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "ACCRUE_DEVICE=gpu means nothing\nhelp: one of auto, seq, cpu, cuda, cuda:N, cuda:all, sim, sim:N"
        );
    }

    #[test]
    fn scopes_nest_and_survive_panics() {
        with_device(Device::Seq, || {
            assert_eq!(chosen(), Ok(Device::Seq));
            with_device(Device::Cpu, || assert_eq!(chosen(), Ok(Device::Cpu)));
            assert_eq!(chosen(), Ok(Device::Seq));
            let caught = std::panic::catch_unwind(|| with_device(Device::Sim, || panic!("inside")));
            assert!(caught.is_err());
            assert_eq!(chosen(), Ok(Device::Seq));
        });
    }

    #[test]
    fn a_scope_is_the_threads_own() {
        with_device(Device::Sim, || {
            let other = std::thread::spawn(|| CHOSEN.get()).join().unwrap();
            assert_eq!(other, None);
        });
    }
}

//! The process's contexts: one for each device, opened at the first call that needs it, and anew where it has been lost.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use super::backend::{Backend, Loss, host::Host};
use super::context::Context;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::reset;

/// How long `auto` does without a GPU that did not open.
const DOES_WITHOUT: Duration = Duration::from_secs(10);

impl Context {
    /// The process's context of a device. [`Device::Auto`] is the first GPU, or the host where there is none.
    ///
    /// # Errors
    ///
    /// The feature is off, no driver, no such device, no context to be had.
    pub(crate) fn of(device: Device) -> Result<Arc<Context>, Error> {
        static OPEN: LazyLock<Open> = LazyLock::new(Open::default);
        // What does not divide its work over several runs on the first.
        let device = match device {
            Device::Auto => return Context::of_auto().or_else(|_| Context::of(Device::Cpu)),
            Device::AllCuda => Device::Cuda(0),
            Device::Sims(_) => Device::Sim,
            one => one,
        };
        OPEN.get(device, |reset| backend(device, reset))
    }

    /// The contexts of all devices that a group is, the first's first.
    ///
    /// # Errors
    ///
    /// As of [`Context::of`], of any of them.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn members(group: Device) -> Result<Vec<Arc<Context>>, Error> {
        match group {
            #[cfg(feature = "cuda")]
            Device::AllCuda => {
                let count = super::backend::cuda::count()?;
                (0..count.max(1))
                    .map(|n| Context::of(Device::Cuda(n)))
                    .collect()
            }
            #[cfg(feature = "sim")]
            Device::Sims(count) => {
                // Simulators are not lost.
                static OTHERS: Mutex<Vec<Arc<Context>>> = Mutex::new(Vec::new());
                let mut others = lock(&OTHERS);
                while others.len() + 1 < count as usize {
                    let number = others.len() as u32 + 1;
                    let backend = super::backend::sim::Simulated::numbered(number)?;
                    others.push(Arc::new(Context::over(Box::new(backend))));
                }
                let first = Context::of(Device::Sim)?;
                let others = others.iter().take(count as usize - 1).cloned();
                Ok(std::iter::once(first).chain(others).collect())
            }
            one => Ok(vec![Context::of(one)?]),
        }
    }

    /// The first GPU, for `auto`. One that does not open is not asked again by every call, but in a while: who holds its
    /// memory may be done with it then.
    ///
    /// # Errors
    ///
    /// As of [`Context::of`].
    pub(crate) fn of_auto() -> Result<Arc<Context>, Error> {
        static REFUSED: Mutex<Option<(Instant, Error)>> = Mutex::new(None);
        if let Some((when, error)) = &*lock(&REFUSED)
            && when.elapsed() < DOES_WITHOUT
        {
            return Err(error.clone());
        }
        Context::of(Device::Cuda(0))
            .inspect_err(|e| *lock(&REFUSED) = Some((Instant::now(), e.clone())))
    }
}

/// The contexts of a process.
#[derive(Default)]
pub(crate) struct Open(Mutex<HashMap<Device, Opened>>);

/// A context in use.
struct Opened {
    context: Arc<Context>,
    /// When it was opened, or was to be, after it had been lost, and the answer to calls that come soon after another loss.
    anew: Option<(Instant, Error)>,
}

/// What to do where nothing can be had of a device any more.
const RESTART: &str = "start the program anew, or choose the CPU: ACCRUE_DEVICE=cpu";

impl Open {
    /// A device's context, opened at the first call and, once, after it has been lost: where nobody else in the process has it, or where it
    /// may be [reset](crate::base::reset). Where that comes to nothing either, the device is done without for a while.
    pub(crate) fn get(
        &self,
        device: Device,
        open: impl FnOnce(bool) -> Result<Box<dyn Backend>, Error>,
    ) -> Result<Arc<Context>, Error> {
        let mut all = lock(&self.0);
        let lost = |why: String, instead: &str| Error::ContextLost {
            device,
            why,
            instead: instead.to_owned(),
        };
        let mut is_reset = false;
        let mut anew = None;
        if let Some(before) = all.get(&device) {
            let backend = &before.context.backend;
            let Some(loss) = backend.loss() else {
                return Ok(Arc::clone(&before.context));
            };
            if let Some((when, answer)) = &before.anew
                && when.elapsed() < DOES_WITHOUT
            {
                return Err(answer.clone());
            }
            let why = match backend.hold() {
                Err(Error::ContextLost { why, .. }) => why,
                Err(error) => error.to_string(),
                Ok(_) => "a kernel failed".to_owned(),
            };
            if !backend.wait_until_left() {
                return Err(lost(format!("{why}; calls in it do not end"), RESTART));
            }
            is_reset = loss == Loss::Failed && reset::is_allowed();
            if loss == Loss::Failed && !is_reset && !backend.abandon() {
                return Err(lost(
                    format!("{why}; others in this process use it too, so it is not reset"),
                    "start the program anew, or choose the CPU: ACCRUE_DEVICE=cpu; where the others can do without what they have on the device, ACCRUE_RESET=1 has it reset",
                ));
            }
            log::warn!("opening the device `{device}` anew, its context is lost");
            let again = lost(format!("{why}; opened anew, it was lost again"), RESTART);
            anew = Some((Instant::now(), again));
        }
        let backend = match (open(is_reset), all.get_mut(&device)) {
            (Ok(backend), _) => backend,
            (Err(error), None) => return Err(error),
            (Err(error), Some(before)) => {
                let error = lost(format!("it does not open anew: {error}"), RESTART);
                before.anew = Some((Instant::now(), error.clone()));
                return Err(error);
            }
        };
        let context = Arc::new(Context::over(backend));
        let opened = Opened {
            context: Arc::clone(&context),
            anew,
        };
        all.insert(device, opened);
        Ok(context)
    }
}

/// Opens the backend of a device.
#[cfg_attr(
    not(feature = "cuda"),
    expect(unused_variables, reason = "only CUDA contexts are reset")
)]
fn backend(device: Device, reset: bool) -> Result<Box<dyn Backend>, Error> {
    match device {
        Device::Auto | Device::Seq | Device::Cpu => Ok(Box::new(Host::new(device))),
        #[cfg(feature = "cuda")]
        Device::Cuda(ordinal) => Ok(Box::new(super::backend::cuda::Cuda::open(ordinal, reset)?)),
        #[cfg(not(feature = "cuda"))]
        Device::Cuda(_) => Err(Error::FeatureOff {
            device,
            feature: "cuda",
        }),
        #[cfg(feature = "sim")]
        Device::Sim => Ok(Box::new(super::backend::sim::Simulated::new()?)),
        #[cfg(not(feature = "sim"))]
        Device::Sim => Err(Error::FeatureOff {
            device,
            feature: "sim",
        }),
        Device::AllCuda | Device::Sims(_) => unreachable!("several devices are opened one by one"),
    }
}

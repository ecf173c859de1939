//! The devices in use: one context each, opened at the first call that needs it.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::backend::{Backend, Loss, Ptr, StreamId, host::Host};
use crate::queue::Lane;
use crate::{Device, Error};

/// A device and what is kept for it between calls.
pub(crate) struct Context {
    /// A number that no other context of the process has.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) id: u64,
    /// The device.
    pub(crate) backend: Box<dyn Backend>,
    /// Streams that nobody uses now, with what belongs to them.
    pub(crate) idle: Mutex<Vec<Lane>>,
    /// Compiled kernels on disk.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) images: Option<crate::image_cache::ImageCache>,
    /// Pinned memory for large copies.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) staging: crate::gpu::Staging,
    /// Loaded kernels.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) kernels: crate::gpu::Kernels,
    /// Kernels that are loaded while calls go on.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) workshop: crate::gpu::Workshop,
    /// What copies and launches cost here, measured at the first question.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) costs: std::sync::OnceLock<crate::gpu::Costs>,
    /// How fast kernels are here, known or measured by the first calls.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) speeds: std::sync::OnceLock<crate::gpu::model::Speeds>,
    /// How far that has come; whoever measures has it.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) calibration: Mutex<Option<crate::gpu::Calibration>>,
}

/// How long `auto` does without a GPU that did not open.
const DOES_WITHOUT: Duration = Duration::from_secs(10);

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.backend).finish()
    }
}

impl Context {
    /// A context over a backend, known to nobody else.
    pub(crate) fn over(backend: Box<dyn Backend>) -> Context {
        #[cfg(any(feature = "cuda", feature = "sim"))]
        static NUMBER: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        Context {
            #[cfg(any(feature = "cuda", feature = "sim"))]
            id: NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed),
            backend,
            idle: Mutex::default(),
            #[cfg(any(feature = "cuda", feature = "sim"))]
            images: crate::image_cache::ImageCache::of_user(),
            #[cfg(any(feature = "cuda", feature = "sim"))]
            staging: crate::gpu::Staging::default(),
            #[cfg(any(feature = "cuda", feature = "sim"))]
            kernels: crate::gpu::Kernels::default(),
            #[cfg(any(feature = "cuda", feature = "sim"))]
            workshop: crate::gpu::Workshop::default(),
            #[cfg(any(feature = "cuda", feature = "sim"))]
            costs: std::sync::OnceLock::new(),
            #[cfg(any(feature = "cuda", feature = "sim"))]
            speeds: std::sync::OnceLock::new(),
            #[cfg(any(feature = "cuda", feature = "sim"))]
            calibration: Mutex::new(None),
        }
    }

    /// Host to device, the fastest way there is.
    ///
    /// # Safety
    ///
    /// As [`Backend::upload`].
    pub(crate) unsafe fn upload(
        &self,
        stream: StreamId,
        to: Ptr,
        from: *const u8,
        bytes: u64,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        #[cfg(any(feature = "cuda", feature = "sim"))]
        return unsafe { self.staging.upload(&*self.backend, stream, to, from, bytes) };
        // SAFETY: the caller's promise.
        #[cfg(not(any(feature = "cuda", feature = "sim")))]
        unsafe {
            self.backend.upload(stream, to, from, bytes)
        }
    }

    /// Device to host, the fastest way there is.
    ///
    /// # Safety
    ///
    /// As [`Backend::download`].
    pub(crate) unsafe fn download(
        &self,
        stream: StreamId,
        to: *mut u8,
        from: Ptr,
        bytes: u64,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        #[cfg(any(feature = "cuda", feature = "sim"))]
        return unsafe {
            self.staging
                .download(&*self.backend, stream, to, from, bytes)
        };
        // SAFETY: the caller's promise.
        #[cfg(not(any(feature = "cuda", feature = "sim")))]
        unsafe {
            self.backend.download(stream, to, from, bytes)
        }
    }

    /// The process's context of a device. [`Device::Auto`] is the first GPU, or the host where there is none.
    ///
    /// # Errors
    ///
    /// The feature is off, no driver, no such device, no context to be had.
    pub(crate) fn of(device: Device) -> Result<Arc<Context>, Error> {
        static OPEN: LazyLock<Open> = LazyLock::new(Open::default);
        if device == Device::Auto {
            return Context::of_auto().or_else(|_| Context::of(Device::Cpu));
        }
        OPEN.get(device, |reset| backend(device, reset))
    }

    /// Takes device memory for work on a stream. Before there is said to be none, idle streams give up what they keep.
    ///
    /// # Errors
    ///
    /// As [`Backend::allocate`].
    pub(crate) fn allocate(&self, stream: StreamId, bytes: u64) -> Result<Ptr, Error> {
        match self.backend.allocate(stream, bytes) {
            #[cfg(any(feature = "cuda", feature = "sim"))]
            Err(Error::OutOfMemory { .. }) if self.reclaim() => {
                self.backend.allocate(stream, bytes)
            }
            taken => taken,
        }
    }

    /// Gives up the memory that idle streams keep; whether there was any.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn reclaim(&self) -> bool {
        let mut idle = lock(&self.idle);
        let given = idle
            .iter_mut()
            .map(|lane| lane.launches.give_up_memory(self, lane.stream));
        given.fold(false, |any, given| any | given)
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
    /// When it was opened after another was lost.
    anew: Option<Instant>,
}

impl Open {
    /// A device's context, opened at the first call and, once, after it has been lost. Where that comes to nothing
    /// either, the device is done without for a while: each opening costs its other users all that they have there.
    pub(crate) fn get(
        &self,
        device: Device,
        open: impl FnOnce(bool) -> Result<Box<dyn Backend>, Error>,
    ) -> Result<Arc<Context>, Error> {
        let mut all = lock(&self.0);
        let mut loss = None;
        if let Some(Opened { context, anew }) = all.get(&device) {
            loss = context.backend.loss();
            if loss.is_none() {
                return Ok(Arc::clone(context));
            }
            let refused = |status: &str| Error::Driver {
                call: "cuDevicePrimaryCtxRetain",
                status: status.to_owned(),
            };
            if anew.is_some_and(|when| when.elapsed() < DOES_WITHOUT) {
                return Err(refused("the context was lost and, opened anew, lost again"));
            }
            if !context.backend.wait_until_left() {
                return Err(refused("the context was lost and calls in it do not end"));
            }
            log::warn!("opening the device `{device}` anew, its context is lost");
        }
        let context = Arc::new(Context::over(open(loss == Some(Loss::Failed))?));
        let opened = Opened {
            context: Arc::clone(&context),
            anew: loss.map(|_| Instant::now()),
        };
        all.insert(device, opened);
        Ok(context)
    }
}

/// Locks; what a panic elsewhere has left is whole, since nothing panics halfway through a change.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        Device::Cuda(ordinal) => Ok(Box::new(crate::backend::cuda::Cuda::open(ordinal, reset)?)),
        #[cfg(not(feature = "cuda"))]
        Device::Cuda(_) => Err(Error::FeatureOff {
            device,
            feature: "cuda",
        }),
        #[cfg(feature = "sim")]
        Device::Sim => Ok(Box::new(crate::backend::sim::Simulated::new()?)),
        #[cfg(not(feature = "sim"))]
        Device::Sim => Err(Error::FeatureOff {
            device,
            feature: "sim",
        }),
    }
}

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
                crate::error::Bytes(self.memory)
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
    let count = crate::backend::cuda::count().unwrap_or(0);
    #[cfg(not(feature = "cuda"))]
    let count = 0;
    (0..count)
        .map(Device::Cuda)
        .chain(cfg!(feature = "sim").then_some(Device::Sim))
}

//! The CUDA driver as a backend, through cudarc's raw bindings.
//!
//! The device's primary context is used, so memory and streams are shared with whatever else in the process
//! uses CUDA; the calling thread's current context is left as it was found.

mod cache;
mod calls;
mod dependent;
mod device;
mod graphs;
mod jit;
mod library;
mod status;

use std::ffi::c_int;
use std::sync::{Mutex, OnceLock};

use cudarc::driver::sys::{self as cu, CUdevice_attribute as Attribute, CUresult};

use self::cache::Cache;
use self::device::{Primary, attribute, limits, memory_pool};
use self::jit::Refusal;
use self::status::check;
use super::gate::{Gate, Inside};
use super::{Backend, Limits, Loss, StreamId};
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;

/// What to do about a call in a context that is lost.
const WHAT_IS_GONE: &str = "its streams and buffers are gone with it: create new ones, the next call opens the device again if the driver lets it";

/// How many devices the driver lists.
pub(crate) fn count() -> Result<u32, Error> {
    Ok(library::library()?.devices)
}

/// A device and its primary context.
pub(crate) struct Cuda {
    ordinal: u32,
    primary: Primary,
    limits: Limits,
    /// Stream-ordered allocation, where the device has it.
    pool: Option<cu::CUmemoryPool>,
    /// Freed blocks, where it has not.
    cache: Mutex<Cache>,
    /// How kernels are launched whose texts wait for those before them, where device and driver have that.
    dependent: Option<dependent::LaunchEx>,
    /// How texts are compiled as whole programs, where the driver has that.
    load: Option<(jit::LoadData, jit::GetModule)>,
    /// Shut when the context is lost.
    gate: Gate,
    /// How, and what the driver said then.
    lost: OnceLock<(Loss, Error)>,
}

// SAFETY: contexts and pools are handles that the driver lets any thread use.
unsafe impl Send for Cuda {}
// SAFETY: as above; what is ours is behind a mutex or atomic.
unsafe impl Sync for Cuda {}

impl std::fmt::Debug for Cuda {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cuda({}, {})", self.ordinal, self.limits.name)
    }
}

impl Cuda {
    /// Opens the device of an ordinal. With `reset`, what a failed kernel has left of its context is
    /// destroyed first, for every user in the process; their calls could only fail anyway.
    ///
    /// # Errors
    ///
    /// No driver, no such device, or the driver's refusal to make a context.
    pub(crate) fn open(ordinal: u32, reset: bool) -> Result<Cuda, Error> {
        let library = library::library()?;
        if ordinal >= library.devices {
            return Err(Error::NoSuchDevice {
                asked: ordinal,
                present: library.devices,
            });
        }
        let mut device = 0;
        // SAFETY: writes one handle; the driver is initialised.
        check("cuDeviceGet", unsafe {
            cu::cuDeviceGet(&mut device, ordinal as c_int)
        })?;
        // Released again where a later step fails.
        let primary = Primary::retain(device, reset)?;
        let limits = limits(device, library.version)?;
        let pools = attribute(
            device,
            Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
        )? != 0;
        let mut cuda = Cuda {
            ordinal,
            primary,
            dependent: library.launch_ex.filter(|_| dependent::has(&limits)),
            load: library.load,
            limits,
            pool: None,
            cache: Mutex::default(),
            gate: Gate::default(),
            lost: OnceLock::new(),
        };
        if pools {
            let pool = {
                let _current = cuda.enter()?;
                memory_pool(device)?
            };
            cuda.pool = Some(pool);
        }
        Ok(cuda)
    }

    /// Makes the context current until the guard is dropped.
    ///
    /// # Errors
    ///
    /// What has destroyed the context: its place may be another's by now, so no call goes there any more.
    fn enter(&self) -> Result<Current<'_>, Error> {
        let inside = self.come_in()?;
        let mut current = std::ptr::null_mut();
        // SAFETY: writes one handle.
        self.check("cuCtxGetCurrent", unsafe {
            cu::cuCtxGetCurrent(&mut current)
        })?;
        let pushed = current != self.primary.context;
        if pushed {
            // SAFETY: the context is the retained primary one.
            self.check("cuCtxPushCurrent", unsafe {
                cu::cuCtxPushCurrent_v2(self.primary.context)
            })?;
        }
        Ok(Current {
            pushed,
            _inside: inside,
        })
    }

    fn come_in(&self) -> Result<Inside<'_>, Error> {
        self.gate.enter().ok_or_else(|| {
            let lost = self.lost.get();
            let (_, why) = lost.expect("the gate is shut after the reason is noted");
            Error::ContextLost {
                device: Device::Cuda(self.ordinal),
                why: why.to_string(),
                instead: WHAT_IS_GONE.to_owned(),
            }
        })
    }

    /// Turns a status into an error and notes when the context is beyond use.
    fn check(&self, call: &'static str, status: CUresult) -> Result<(), Error> {
        let checked = check(call, status);
        if let (Err(why), Some(loss)) = (&checked, status::loss(status)) {
            self.lost.get_or_init(|| (loss, why.clone()));
            self.gate.shut();
        }
        checked
    }

    /// The same for a call that is about one kernel.
    fn check_of(&self, kernel: &str, call: &'static str, status: CUresult) -> Result<(), Error> {
        self.check(call, status).map_err(|error| match error {
            Error::Driver { status, .. } => Error::Launch {
                kernel: kernel.to_owned(),
                status,
            },
            other => other,
        })
    }

    /// The device and its driver, as errors name them.
    fn said(&self) -> String {
        let (major, minor) = self.limits.capability;
        let (cuda, point) = self.limits.driver;
        let name = &self.limits.name;
        format!("{name} (compute capability {major}.{minor}, driver for CUDA {cuda}.{point})")
    }

    /// Why a text of a kernel with so many bytes has not been compiled or loaded.
    fn refused(&self, kernel: &str, bytes: usize, refusal: Refusal) -> Error {
        match refusal {
            Refusal::Text(error) => error,
            Refusal::Call(_, CUresult::CUDA_ERROR_OUT_OF_MEMORY) => {
                self.out_of_memory(bytes as u64)
            }
            Refusal::Call(call, status) => match self.check_of(kernel, call, status) {
                Err(error) => error,
                Ok(()) => unreachable!("a success is no refusal"),
            },
        }
    }

    fn out_of_memory(&self, asked: u64) -> Error {
        Error::OutOfMemory {
            asked,
            free: self.free_memory().unwrap_or(0),
            device: self.limits.name.clone(),
        }
    }

    /// One try at allocating.
    fn try_allocate(&self, stream: StreamId, bytes: u64) -> (CUresult, u64) {
        let mut ptr = 0;
        // SAFETY: writes one address; the pool and the stream are this context's.
        let status = unsafe {
            match self.pool {
                Some(pool) => {
                    cu::cuMemAllocFromPoolAsync(&mut ptr, bytes as usize, pool, raw(stream))
                }
                None => cu::cuMemAlloc_v2(&mut ptr, bytes as usize),
            }
        };
        (status, ptr)
    }

    /// Gives the driver back what is kept for reuse. The stream's own frees have happened by then.
    fn release_unused(&self, stream: StreamId) -> Result<(), Error> {
        // SAFETY: the stream is this context's.
        self.check("cuStreamSynchronize", unsafe {
            cu::cuStreamSynchronize(raw(stream))
        })?;
        match self.pool {
            // SAFETY: trimming frees only what nobody uses.
            Some(pool) => self.check("cuMemPoolTrimTo", unsafe { cu::cuMemPoolTrimTo(pool, 0) }),
            None => {
                let unused = lock(&self.cache).drain();
                for ptr in unused {
                    // SAFETY: the block was put back by its last owner; `cuMemFree` waits for the device.
                    self.check("cuMemFree", unsafe { cu::cuMemFree_v2(ptr) })?;
                }
                Ok(())
            }
        }
    }
}

/// Restores the thread's current context.
struct Current<'a> {
    pushed: bool,
    _inside: Inside<'a>,
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if self.pushed {
            let mut context = std::ptr::null_mut();
            // SAFETY: pops what `enter` pushed.
            let _ = unsafe { cu::cuCtxPopCurrent_v2(&mut context) };
        }
    }
}

fn raw(stream: StreamId) -> cu::CUstream {
    stream.0 as cu::CUstream
}

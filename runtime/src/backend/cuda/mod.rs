//! The CUDA driver as a backend, through cudarc's raw bindings.
//!
//! The device's primary context is used, so memory and streams are shared with whatever else in the process
//! uses CUDA; the calling thread's current context is left as it was found.

mod cache;
mod device;
mod jit;
mod library;
mod status;

use std::ffi::{CString, c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use cudarc::driver::sys::{self as cu, CUdevice_attribute as Attribute, CUresult};

use self::cache::Cache;
use self::device::{attribute, limits, memory_pool};
use self::status::{check, destroys_context, text_of};
use super::{Backend, EventId, FunctionId, Launch, Limits, ModuleId, Ptr, Source, StreamId};
use crate::{Device, Error};

/// How many devices the driver lists.
pub(crate) fn count() -> Result<u32, Error> {
    Ok(library::library()?.devices)
}

/// A device and its primary context.
pub(crate) struct Cuda {
    ordinal: u32,
    context: cu::CUcontext,
    limits: Limits,
    /// Stream-ordered allocation, where the device has it.
    pool: Option<cu::CUmemoryPool>,
    /// Freed blocks, where it has not.
    cache: Mutex<Cache>,
    lost: AtomicBool,
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
        let (mut device, mut context) = (0, std::ptr::null_mut());
        // SAFETY: each call writes one handle; the driver is initialised.
        unsafe {
            check(
                "cuDeviceGet",
                cu::cuDeviceGet(&mut device, ordinal as c_int),
            )?;
            if reset {
                check(
                    "cuDevicePrimaryCtxReset",
                    cu::cuDevicePrimaryCtxReset_v2(device),
                )?;
            }
            check(
                "cuDevicePrimaryCtxRetain",
                cu::cuDevicePrimaryCtxRetain(&mut context, device),
            )?;
        }
        let limits = limits(device, library.version)?;
        let pools = attribute(
            device,
            Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
        )? != 0;
        let mut cuda = Cuda {
            ordinal,
            context,
            limits,
            pool: None,
            cache: Mutex::default(),
            lost: AtomicBool::new(false),
        };
        if pools {
            let _current = cuda.enter()?;
            cuda.pool = Some(memory_pool(device)?);
        }
        Ok(cuda)
    }

    /// Makes the context current until the guard is dropped.
    fn enter(&self) -> Result<Current, Error> {
        let mut current = std::ptr::null_mut();
        // SAFETY: writes one handle.
        check("cuCtxGetCurrent", unsafe {
            cu::cuCtxGetCurrent(&mut current)
        })?;
        if current == self.context {
            return Ok(Current { pushed: false });
        }
        // SAFETY: the context is the retained primary one.
        check("cuCtxPushCurrent", unsafe {
            cu::cuCtxPushCurrent_v2(self.context)
        })?;
        Ok(Current { pushed: true })
    }

    /// Turns a status into an error and notes when the context is beyond use.
    fn check(&self, call: &'static str, status: CUresult) -> Result<(), Error> {
        if destroys_context(status) {
            self.lost.store(true, Ordering::Relaxed);
        }
        check(call, status)
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
                let unused = self
                    .cache
                    .lock()
                    .expect("nothing panics with this lock")
                    .drain();
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
struct Current {
    pushed: bool,
}

impl Drop for Current {
    fn drop(&mut self) {
        if self.pushed {
            let mut context = std::ptr::null_mut();
            // SAFETY: pops what `enter` pushed.
            let _ = unsafe { cu::cuCtxPopCurrent_v2(&mut context) };
        }
    }
}

impl Backend for Cuda {
    fn device(&self) -> Device {
        Device::Cuda(self.ordinal)
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn free_memory(&self) -> Result<u64, Error> {
        let _current = self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: writes two sizes.
        self.check("cuMemGetInfo", unsafe {
            cu::cuMemGetInfo_v2(&mut free, &mut total)
        })?;
        Ok(free as u64)
    }

    fn allocate(&self, stream: StreamId, bytes: u64) -> Result<Ptr, Error> {
        let _current = self.enter()?;
        let bytes = cache::size_class(bytes);
        if self.pool.is_none() {
            let kept = self
                .cache
                .lock()
                .expect("nothing panics with this lock")
                .take(stream.0, bytes);
            if let Some(ptr) = kept {
                return Ok(Ptr(ptr));
            }
        }
        let (mut status, mut ptr) = self.try_allocate(stream, bytes);
        if status == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            self.release_unused(stream)?;
            (status, ptr) = self.try_allocate(stream, bytes);
        }
        match status {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(self.out_of_memory(bytes)),
            status => self.check("cuMemAlloc", status).map(|()| Ptr(ptr)),
        }
    }

    unsafe fn free(&self, stream: StreamId, ptr: Ptr, bytes: u64) {
        if self.is_lost() {
            return;
        }
        let Ok(_current) = self.enter() else { return };
        if self.pool.is_some() {
            // SAFETY: the caller gives back what `allocate` returned.
            let status = unsafe { cu::cuMemFreeAsync(ptr.0, raw(stream)) };
            if let Err(e) = self.check("cuMemFreeAsync", status) {
                log::error!("device memory was lost: {e}");
            }
        } else {
            let mut cache = self.cache.lock().expect("nothing panics with this lock");
            cache.put(stream.0, cache::size_class(bytes), ptr.0);
        }
    }

    unsafe fn upload(
        &self,
        stream: StreamId,
        to: Ptr,
        from: *const u8,
        bytes: u64,
    ) -> Result<(), Error> {
        let _current = self.enter()?;
        // SAFETY: the caller promises both ranges.
        let status =
            unsafe { cu::cuMemcpyHtoDAsync_v2(to.0, from.cast(), bytes as usize, raw(stream)) };
        self.check("cuMemcpyHtoD", status)
    }

    unsafe fn download(
        &self,
        stream: StreamId,
        to: *mut u8,
        from: Ptr,
        bytes: u64,
    ) -> Result<(), Error> {
        let _current = self.enter()?;
        // SAFETY: the caller promises both ranges.
        let status =
            unsafe { cu::cuMemcpyDtoHAsync_v2(to.cast(), from.0, bytes as usize, raw(stream)) };
        self.check("cuMemcpyDtoH", status)
    }

    unsafe fn copy(&self, stream: StreamId, to: Ptr, from: Ptr, bytes: u64) -> Result<(), Error> {
        let _current = self.enter()?;
        // SAFETY: the caller promises both ranges.
        let status = unsafe { cu::cuMemcpyDtoDAsync_v2(to.0, from.0, bytes as usize, raw(stream)) };
        self.check("cuMemcpyDtoD", status)
    }

    unsafe fn fill(&self, stream: StreamId, to: Ptr, word: u32, bytes: u64) -> Result<(), Error> {
        let _current = self.enter()?;
        let (words, rest) = (bytes as usize / 4, bytes % 4);
        // SAFETY: the caller promises the range; allocations start at multiples of 256.
        unsafe {
            if words > 0 {
                self.check(
                    "cuMemset",
                    cu::cuMemsetD32Async(to.0, word, words, raw(stream)),
                )?;
            }
            if rest > 0 {
                let (end, byte) = (to.0 + bytes - rest, word as u8);
                self.check(
                    "cuMemset",
                    cu::cuMemsetD8Async(end, byte, rest as usize, raw(stream)),
                )?;
            }
        }
        Ok(())
    }

    fn compile(&self, source: Source<'_>) -> Result<Vec<u8>, Error> {
        let _current = self.enter()?;
        let (major, minor) = self.limits.capability;
        let (cuda, point) = self.limits.driver;
        let device = format!(
            "{} (compute capability {major}.{minor}, driver for CUDA {cuda}.{point})",
            self.limits.name
        );
        jit::compile(source, &device)
    }

    fn load(&self, name: &str, image: &[u8]) -> Result<ModuleId, Error> {
        let _current = self.enter()?;
        let mut module = std::ptr::null_mut();
        // SAFETY: the image is a whole cubin, read during the call alone.
        let status = unsafe { cu::cuModuleLoadData(&mut module, image.as_ptr().cast()) };
        match status {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(self.out_of_memory(image.len() as u64)),
            CUresult::CUDA_SUCCESS => Ok(ModuleId(module as u64)),
            status => Err(Error::Launch {
                kernel: name.to_owned(),
                status: text_of(status),
            }),
        }
    }

    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId, Error> {
        let _current = self.enter()?;
        let failed = |status| Error::Launch {
            kernel: name.to_owned(),
            status: text_of(status),
        };
        let entry = CString::new(name).map_err(|_| failed(CUresult::CUDA_ERROR_NOT_FOUND))?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded and never unloaded; the name ends in zero.
        match unsafe {
            cu::cuModuleGetFunction(&mut function, module.0 as cu::CUmodule, entry.as_ptr())
        } {
            CUresult::CUDA_SUCCESS => {}
            status => return Err(failed(status)),
        }
        use cu::CUfunction_attribute as F;
        let mut fixed = 0;
        // SAFETY: writes one int; the function is the module's.
        let status = unsafe {
            cu::cuFuncGetAttribute(&mut fixed, F::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function)
        };
        self.check("cuFuncGetAttribute", status)?;
        let dynamic = self.limits.shared_optin as c_int - fixed;
        // SAFETY: the function is the module's.
        let status = unsafe {
            cu::cuFuncSetAttribute(
                function,
                F::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                dynamic,
            )
        };
        self.check("cuFuncSetAttribute", status)?;
        Ok(FunctionId(function as u64))
    }

    fn blocks_per_sm(&self, function: FunctionId, block: u32, shared: u32) -> Result<u32, Error> {
        let _current = self.enter()?;
        let mut blocks = 0;
        // SAFETY: writes one int.
        let status = unsafe {
            cu::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut blocks,
                function.0 as cu::CUfunction,
                block as c_int,
                shared as usize,
            )
        };
        self.check("cuOccupancyMaxActiveBlocksPerMultiprocessor", status)?;
        Ok(blocks as u32)
    }

    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        // Parameters of most kernels; one with more costs an allocation.
        const FEW: usize = 64;
        let _current = self.enter()?;
        let mut few = [std::ptr::null_mut::<c_void>(); FEW];
        let mut many = Vec::new();
        let pointers = match launch.params.len() {
            0..=FEW => &mut few[..],
            count => {
                many.resize(count, std::ptr::null_mut());
                &mut many[..]
            }
        };
        for (pointer, slot) in pointers.iter_mut().zip(launch.params) {
            *pointer = std::ptr::from_ref(slot).cast_mut().cast();
        }
        // SAFETY: one slot for each parameter, each at least as wide (the caller's promise); the driver
        // copies them before it returns.
        let status = unsafe {
            cu::cuLaunchKernel(
                launch.function.0 as cu::CUfunction,
                launch.grid,
                1,
                1,
                launch.block,
                1,
                1,
                launch.shared,
                raw(stream),
                pointers.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        self.check("cuLaunchKernel", status)
            .map_err(|error| match error {
                Error::Driver { status, .. } => Error::Launch {
                    kernel: launch.name.to_owned(),
                    status,
                },
                other => other,
            })
    }

    fn create_stream(&self) -> Result<StreamId, Error> {
        let _current = self.enter()?;
        let mut stream = std::ptr::null_mut();
        // Not the legacy default stream's kind, which would order itself with everybody else's work.
        let flags = cu::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: writes one handle.
        self.check("cuStreamCreate", unsafe {
            cu::cuStreamCreate(&mut stream, flags)
        })?;
        Ok(StreamId(stream as u64))
    }

    fn destroy_stream(&self, stream: StreamId) {
        if self.is_lost() {
            return;
        }
        let Ok(_current) = self.enter() else { return };
        if self.pool.is_none() {
            // Blocks freed on this stream may be reused by others only after its work.
            // SAFETY: the stream is this context's.
            let _ = unsafe { cu::cuStreamSynchronize(raw(stream)) };
            self.cache
                .lock()
                .expect("nothing panics with this lock")
                .orphan(stream.0);
        }
        // SAFETY: the stream is this context's and not used again.
        let _ = unsafe { cu::cuStreamDestroy_v2(raw(stream)) };
    }

    fn sync(&self, stream: StreamId) -> Result<(), Error> {
        let _current = self.enter()?;
        // SAFETY: the stream is this context's.
        self.check("cuStreamSynchronize", unsafe {
            cu::cuStreamSynchronize(raw(stream))
        })
    }

    fn record(&self, stream: StreamId) -> Result<EventId, Error> {
        let _current = self.enter()?;
        let mut event = std::ptr::null_mut();
        // SAFETY: writes one handle, which is then recorded on a stream of the same context.
        unsafe {
            self.check("cuEventCreate", cu::cuEventCreate(&mut event, 0))?;
            self.check("cuEventRecord", cu::cuEventRecord(event, raw(stream)))?;
        }
        Ok(EventId(event as u64))
    }

    fn wait(&self, stream: StreamId, event: EventId) -> Result<(), Error> {
        let _current = self.enter()?;
        // SAFETY: both are this context's.
        let status = unsafe { cu::cuStreamWaitEvent(raw(stream), event.0 as cu::CUevent, 0) };
        self.check("cuStreamWaitEvent", status)
    }

    fn reach(&self, event: EventId) -> Result<(), Error> {
        let _current = self.enter()?;
        // SAFETY: the event was recorded in this context.
        let status = unsafe { cu::cuEventSynchronize(event.0 as cu::CUevent) };
        self.check("cuEventSynchronize", status)
    }

    fn elapsed(&self, from: EventId, to: EventId) -> Result<f64, Error> {
        let _current = self.enter()?;
        let library = library::library()?;
        let mut milliseconds = 0f32;
        // SAFETY: both events were recorded in this context.
        unsafe {
            self.check(
                "cuEventSynchronize",
                cu::cuEventSynchronize(to.0 as cu::CUevent),
            )?;
            let status = (library.elapsed_time)(
                &mut milliseconds,
                from.0 as cu::CUevent,
                to.0 as cu::CUevent,
            );
            if status != CUresult::CUDA_SUCCESS as c_int {
                return Err(Error::Driver {
                    call: "cuEventElapsedTime",
                    status: format!("error {status}"),
                });
            }
        }
        Ok(f64::from(milliseconds) * 1e-3)
    }

    fn forget(&self, event: EventId) {
        if self.is_lost() {
            return;
        }
        if let Ok(_current) = self.enter() {
            // SAFETY: the event is this context's and not used again.
            let _ = unsafe { cu::cuEventDestroy_v2(event.0 as cu::CUevent) };
        }
    }

    fn pin(&self, bytes: usize) -> Option<*mut u8> {
        let _current = self.enter().ok()?;
        let mut ptr = std::ptr::null_mut();
        // SAFETY: writes one pointer. Portable memory is pinned for every context.
        let status = unsafe { cu::cuMemHostAlloc(&mut ptr, bytes, cu::CU_MEMHOSTALLOC_PORTABLE) };
        (status == CUresult::CUDA_SUCCESS).then_some(ptr.cast())
    }

    fn image_target(&self) -> Option<String> {
        let (major, minor) = self.limits.capability;
        let (cuda, point) = self.limits.driver;
        Some(format!("sm_{major}{minor}-cuda{cuda}.{point}"))
    }

    fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}

fn raw(stream: StreamId) -> cu::CUstream {
    stream.0 as cu::CUstream
}

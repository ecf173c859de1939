//! What the runtime asks of a device, as calls of the driver.

use std::ffi::{CString, c_int, c_void};
use std::time::Duration;

use cudarc::driver::sys::{self as cu, CUresult};

use super::jit;
use super::{Cuda, cache, dependent, library, raw};
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::backend::{
    Backend, EventId, FunctionId, GraphId, Hold, Launch, Limits, Loss, ModuleId, Ptr, Source, Step,
    StreamId,
};

/// How long the end of calls in a lost context is waited for. The driver refuses them all, so they end at once.
const LEAVING: Duration = Duration::from_secs(5);

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
        let (asked, bytes) = (bytes, cache::size_class(bytes));
        if self.pool.is_none() {
            let kept = lock(&self.cache).take(stream.0, bytes);
            if let Some(ptr) = kept {
                return Ok(Ptr(ptr));
            }
        }
        let (mut status, mut ptr) = self.try_allocate(stream, bytes);
        if status == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            self.release_unused(stream)?;
            // A pool goes by what it has given, so the last try can do without rounding.
            let least = if self.pool.is_some() { asked } else { bytes };
            (status, ptr) = self.try_allocate(stream, least.max(1));
        }
        match status {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(self.out_of_memory(asked)),
            status => self.check("cuMemAlloc", status).map(|()| Ptr(ptr)),
        }
    }

    unsafe fn free(&self, stream: StreamId, ptr: Ptr, bytes: u64) {
        let Ok(_current) = self.enter() else { return };
        if self.pool.is_some() {
            // SAFETY: the caller gives back what `allocate` returned.
            let status = unsafe { cu::cuMemFreeAsync(ptr.0, raw(stream)) };
            if let Err(e) = self.check("cuMemFreeAsync", status) {
                log::error!("device memory was lost: {e}");
            }
        } else {
            lock(&self.cache).put(stream.0, cache::size_class(bytes), ptr.0);
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
        let waiting = self.dependent.map(|_| dependent::waiting(source.ptx));
        let source = Source {
            ptx: waiting.as_deref().unwrap_or(source.ptx),
            ..source
        };
        match self.load {
            Some(_) => Ok(jit::text(source.ptx)),
            None => jit::compile(source, &self.said())
                .map_err(|refusal| self.refused(source.name, source.ptx.len(), refusal)),
        }
    }

    fn load(&self, name: &str, image: &[u8]) -> Result<ModuleId, Error> {
        let _current = self.enter()?;
        if let Some(calls) = self.load {
            let module = jit::load(calls, name, image, &self.said());
            return match module {
                Ok(module) => Ok(ModuleId(module as u64)),
                Err(refusal) => Err(self.refused(name, image.len(), refusal)),
            };
        }
        let mut module = std::ptr::null_mut();
        // SAFETY: the image is a whole cubin, read during the call alone.
        let status = unsafe { cu::cuModuleLoadData(&mut module, image.as_ptr().cast()) };
        match status {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(self.out_of_memory(image.len() as u64)),
            status => self
                .check_of(name, "cuModuleLoadData", status)
                .map(|()| ModuleId(module as u64)),
        }
    }

    fn keeps_images(&self) -> bool {
        self.load.is_some()
    }

    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId, Error> {
        let _current = self.enter()?;
        let entry = CString::new(name).unwrap_or_default();
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded and never unloaded; the name ends in zero.
        let status = unsafe {
            cu::cuModuleGetFunction(&mut function, module.0 as cu::CUmodule, entry.as_ptr())
        };
        self.check_of(name, "cuModuleGetFunction", status)?;
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

    fn prefer_shared(&self, function: FunctionId, percent: u32) -> Result<(), Error> {
        let _current = self.enter()?;
        // SAFETY: the function is of a module that is never unloaded.
        let status = unsafe {
            cu::cuFuncSetAttribute(
                function.0 as cu::CUfunction,
                cu::CUfunction_attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                percent as c_int,
            )
        };
        self.check("cuFuncSetAttribute", status)
    }

    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        // Parameters of most kernels; one with more costs an allocation.
        const FEW: usize = 64;
        let _current = self.enter()?;
        let mut few = [std::ptr::null_mut::<c_void>(); FEW];
        let mut many = Vec::new();
        let count = match launch.is_block {
            true => 1,
            false => launch.params.len(),
        };
        let pointers = match count {
            0..=FEW => &mut few[..],
            count => {
                many.resize(count, std::ptr::null_mut());
                &mut many[..]
            }
        };
        for (pointer, slot) in pointers.iter_mut().zip(launch.params) {
            *pointer = std::ptr::from_ref(slot).cast_mut().cast();
        }
        // SAFETY: one slot for each parameter, each at least as wide, or all slots for the only one (the caller's promise); the driver
        // copies them before it returns. With `dependent` every text is compiled with its wait.
        let status = unsafe {
            match self.dependent {
                Some(call) => dependent::launch(call, stream, launch, pointers),
                None => cu::cuLaunchKernel(
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
                ),
            }
        };
        self.check_of(launch.name, "cuLaunchKernel", status)
    }

    unsafe fn graph(&self, steps: &[Step]) -> Result<Option<GraphId>, Error> {
        // SAFETY: the caller's promise.
        unsafe { self.make_graph(steps) }
    }

    unsafe fn launch_graph(&self, stream: StreamId, graph: GraphId) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.start_graph(stream, graph) }
    }

    fn forget_graph(&self, graph: GraphId) {
        self.destroy_graph(graph);
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
        let Ok(_current) = self.enter() else { return };
        if self.pool.is_none() {
            // Blocks freed on this stream may be reused by others only after its work.
            // SAFETY: the stream is this context's.
            let _ = unsafe { cu::cuStreamSynchronize(raw(stream)) };
            lock(&self.cache).orphan(stream.0);
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
        // SAFETY: writes one handle.
        self.check("cuEventCreate", unsafe { cu::cuEventCreate(&mut event, 0) })?;
        let event_id = EventId(event as u64);
        // SAFETY: the event was just created in the stream's context.
        let recorded = unsafe { cu::cuEventRecord(event, raw(stream)) };
        self.check("cuEventRecord", recorded)
            .inspect_err(|_| self.forget(event_id))?;
        Ok(event_id)
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
        // They may be of two streams, so that neither comes after the other.
        for event in [from, to] {
            // SAFETY: the event was recorded in this context.
            self.check("cuEventSynchronize", unsafe {
                cu::cuEventSynchronize(event.0 as cu::CUevent)
            })?;
        }
        // SAFETY: both events were recorded in this context, and a float is written.
        let status = unsafe {
            (library.elapsed_time)(
                &mut milliseconds,
                from.0 as cu::CUevent,
                to.0 as cu::CUevent,
            )
        };
        if status != CUresult::CUDA_SUCCESS as c_int {
            return Err(Error::Driver {
                call: "cuEventElapsedTime",
                status: format!("error {status}"),
            });
        }
        Ok(f64::from(milliseconds) * 1e-3)
    }

    fn forget(&self, event: EventId) {
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
        // Images that do not wait must not be launched as if they did.
        let waits = self.dependent.map_or("", |_| "-dependent");
        Some(format!("sm_{major}{minor}-cuda{cuda}.{point}{waits}"))
    }

    fn hold(&self) -> Result<Hold<'_>, Error> {
        self.come_in().map(Hold::of)
    }

    fn with_current(&self, call: &mut dyn FnMut()) -> Result<(), Error> {
        let _current = self.enter()?;
        call();
        Ok(())
    }

    #[cfg(any(feature = "cudarc", feature = "cust"))]
    fn is_context(&self, handle: u64) -> bool {
        self.primary.context as u64 == handle
    }

    fn loss(&self) -> Option<Loss> {
        // Noted before the gate is shut, it counts from then on.
        let (loss, _) = self.lost.get().filter(|_| self.gate.is_shut())?;
        Some(*loss)
    }

    fn abandon(&self) -> bool {
        self.primary.abandon()
    }

    fn wait_until_left(&self) -> bool {
        self.gate.wait_until_empty(LEAVING)
    }
}

//! A device on which chosen calls fail: for tests of what the runtime makes of failures below it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::{Backend, EventId, FunctionId, Launch, Limits, ModuleId, Ptr, Source, StreamId};
use crate::context::lock;
use crate::{Device, Error};

/// Which calls fail. Numbers count calls of a kind from 0; `u64::MAX` is never.
#[derive(Debug)]
pub(crate) struct Faults {
    /// The allocation that finds no memory.
    pub(crate) allocation: AtomicU64,
    /// The launch that the driver refuses.
    pub(crate) launch: AtomicU64,
    /// The launch after which the next synchronisation reports a failure.
    pub(crate) abort: AtomicU64,
    /// The copy, either way, that fails.
    pub(crate) copy: AtomicU64,
    /// Whether the driver is too old for any text.
    pub(crate) old_driver: AtomicBool,
    /// Kernels that the driver's compiler refuses: those with this in their names.
    pub(crate) refused: Option<&'static str>,
    /// What images are said to be for; images are kept on disk then.
    pub(crate) target: Option<String>,
    /// Calls so far.
    pub(crate) allocations: AtomicU64,
    pub(crate) launches: AtomicU64,
    pub(crate) copies: AtomicU64,
    pub(crate) compilations: AtomicU64,
    /// Bytes allocated and not freed.
    pub(crate) held: AtomicU64,
    pub(crate) aborted: AtomicBool,
    /// Streams so far; their numbers count from 0.
    pub(crate) streams: AtomicU64,
    /// Copies to the device and within it, events and the end of memory, in order, with the stream.
    pub(crate) trace: Mutex<Vec<(&'static str, u64)>>,
}

impl Default for Faults {
    fn default() -> Faults {
        let never = || AtomicU64::new(u64::MAX);
        let zero = || AtomicU64::new(0);
        Faults {
            allocation: never(),
            launch: never(),
            abort: never(),
            copy: never(),
            old_driver: AtomicBool::new(false),
            refused: None,
            target: None,
            allocations: zero(),
            launches: zero(),
            copies: zero(),
            compilations: zero(),
            held: zero(),
            aborted: AtomicBool::new(false),
            streams: zero(),
            trace: Mutex::default(),
        }
    }
}

/// Counts a call and tells whether it is the one that fails.
fn strikes(count: &AtomicU64, at: &AtomicU64) -> bool {
    count.fetch_add(1, Ordering::SeqCst) == at.load(Ordering::SeqCst)
}

/// A device with faults.
#[derive(Debug)]
pub(crate) struct Faulty {
    inner: Box<dyn Backend>,
    faults: Arc<Faults>,
}

impl Faulty {
    /// `inner` with these faults.
    pub(crate) fn new(inner: Box<dyn Backend>, faults: Arc<Faults>) -> Faulty {
        Faulty { inner, faults }
    }

    fn note(&self, call: &'static str, stream: StreamId) {
        lock(&self.faults.trace).push((call, stream.0));
    }

    fn copy_fails(&self, call: &'static str) -> Result<(), Error> {
        if strikes(&self.faults.copies, &self.faults.copy) {
            let status = "CUDA_ERROR_UNKNOWN: injected".to_owned();
            return Err(Error::Driver { call, status });
        }
        Ok(())
    }
}

impl Backend for Faulty {
    fn device(&self) -> Device {
        self.inner.device()
    }

    fn limits(&self) -> &Limits {
        self.inner.limits()
    }

    fn free_memory(&self) -> Result<u64, Error> {
        self.inner.free_memory()
    }

    fn allocate(&self, stream: StreamId, bytes: u64) -> Result<Ptr, Error> {
        if strikes(&self.faults.allocations, &self.faults.allocation) {
            return Err(Error::OutOfMemory {
                asked: bytes,
                free: 1024,
                device: self.limits().name.clone(),
            });
        }
        let ptr = self.inner.allocate(stream, bytes)?;
        self.faults.held.fetch_add(bytes, Ordering::SeqCst);
        Ok(ptr)
    }

    unsafe fn free(&self, stream: StreamId, ptr: Ptr, bytes: u64) {
        self.note("free", stream);
        self.faults.held.fetch_sub(bytes, Ordering::SeqCst);
        // SAFETY: passed on as it came.
        unsafe { self.inner.free(stream, ptr, bytes) };
    }

    unsafe fn upload(
        &self,
        stream: StreamId,
        to: Ptr,
        from: *const u8,
        bytes: u64,
    ) -> Result<(), Error> {
        self.note("upload", stream);
        self.copy_fails("cuMemcpyHtoD")?;
        // SAFETY: passed on as it came.
        unsafe { self.inner.upload(stream, to, from, bytes) }
    }

    unsafe fn download(
        &self,
        stream: StreamId,
        to: *mut u8,
        from: Ptr,
        bytes: u64,
    ) -> Result<(), Error> {
        self.copy_fails("cuMemcpyDtoH")?;
        // SAFETY: passed on as it came.
        unsafe { self.inner.download(stream, to, from, bytes) }
    }

    unsafe fn copy(&self, stream: StreamId, to: Ptr, from: Ptr, bytes: u64) -> Result<(), Error> {
        self.note("copy", stream);
        // SAFETY: passed on as it came.
        unsafe { self.inner.copy(stream, to, from, bytes) }
    }

    unsafe fn fill(&self, stream: StreamId, to: Ptr, word: u32, bytes: u64) -> Result<(), Error> {
        // SAFETY: passed on as it came.
        unsafe { self.inner.fill(stream, to, word, bytes) }
    }

    fn compile(&self, source: Source<'_>) -> Result<Vec<u8>, Error> {
        self.faults.compilations.fetch_add(1, Ordering::SeqCst);
        let refused = self
            .faults
            .refused
            .is_some_and(|part| source.name.contains(part));
        if refused || self.faults.old_driver.load(Ordering::SeqCst) {
            return Err(Error::PtxUnsupported {
                kernel: source.name.to_owned(),
                device: "an old driver".to_owned(),
                log: "CUDA_ERROR_UNSUPPORTED_PTX_VERSION: injected".to_owned(),
            });
        }
        self.inner.compile(source)
    }

    fn load(&self, name: &str, image: &[u8]) -> Result<ModuleId, Error> {
        self.inner.load(name, image)
    }

    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId, Error> {
        self.inner.function(module, name)
    }

    fn blocks_per_sm(&self, function: FunctionId, block: u32, shared: u32) -> Result<u32, Error> {
        self.inner.blocks_per_sm(function, block, shared)
    }

    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        let number = self.faults.launches.load(Ordering::SeqCst);
        if strikes(&self.faults.launches, &self.faults.launch) {
            return Err(Error::Launch {
                kernel: launch.name.to_owned(),
                status: "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: injected".to_owned(),
            });
        }
        if number == self.faults.abort.load(Ordering::SeqCst) {
            self.faults.aborted.store(true, Ordering::SeqCst);
            return Ok(());
        }
        // SAFETY: passed on as it came.
        unsafe { self.inner.launch(stream, launch) }
    }

    fn create_stream(&self) -> Result<StreamId, Error> {
        // The simulator, which does everything at once, tells none from another.
        self.inner.create_stream()?;
        Ok(StreamId(self.faults.streams.fetch_add(1, Ordering::SeqCst)))
    }

    fn destroy_stream(&self, stream: StreamId) {
        self.inner.destroy_stream(stream);
    }

    fn sync(&self, stream: StreamId) -> Result<(), Error> {
        self.inner.sync(stream)?;
        if self.faults.aborted.swap(false, Ordering::SeqCst) {
            return Err(Error::Driver {
                call: "cuStreamSynchronize",
                status: "CUDA_ERROR_LAUNCH_FAILED: injected".to_owned(),
            });
        }
        Ok(())
    }

    fn record(&self, stream: StreamId) -> Result<EventId, Error> {
        self.note("record", stream);
        self.inner.record(stream)
    }

    fn wait(&self, stream: StreamId, event: EventId) -> Result<(), Error> {
        self.note("wait", stream);
        self.inner.wait(stream, event)
    }

    fn reach(&self, event: EventId) -> Result<(), Error> {
        self.inner.reach(event)
    }

    fn elapsed(&self, from: EventId, to: EventId) -> Result<f64, Error> {
        self.inner.elapsed(from, to)
    }

    fn forget(&self, event: EventId) {
        self.inner.forget(event);
    }

    fn pin(&self, bytes: usize) -> Option<*mut u8> {
        self.inner.pin(bytes)
    }

    fn image_target(&self) -> Option<String> {
        self.faults.target.clone()
    }

    fn is_lost(&self) -> bool {
        self.inner.is_lost()
    }
}

//! A device on which chosen calls fail: for tests of what the runtime makes of failures below it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::{
    Backend, EventId, FunctionId, Hold, Launch, Limits, Loss, ModuleId, Ptr, Source, StreamId,
};
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;

/// Which calls fail. Numbers count calls of a kind from 0; `u64::MAX` is never.
#[derive(Debug)]
pub(crate) struct Faults {
    /// The allocation that finds no memory, and how many after it do not either.
    pub(crate) allocation: AtomicU64,
    pub(crate) shortage: AtomicU64,
    /// Bytes that may be allocated at once.
    pub(crate) capacity: AtomicU64,
    /// The launch that the driver refuses.
    pub(crate) launch: AtomicU64,
    /// The launch after which the next synchronisation reports a failure.
    pub(crate) abort: AtomicU64,
    /// Whether that failure, or a failing copy, takes the context with it.
    pub(crate) fatal: AtomicBool,
    /// Whether copies to the device are made when they are waited for, and no sooner.
    pub(crate) late: bool,
    /// The copy, either way, that fails.
    pub(crate) copy: AtomicU64,
    /// Whether the driver is too old for any text.
    pub(crate) old_driver: AtomicBool,
    /// Kernels that the driver's compiler refuses: those with this in their names.
    pub(crate) refused: Option<&'static str>,
    /// Kernels of which no block fits on a multiprocessor: those with this in their names.
    pub(crate) too_large: Option<&'static str>,
    /// How often memory can be pinned.
    pub(crate) pins: AtomicU64,
    /// What device it is said to be.
    pub(crate) poses_as: Option<Device>,
    /// What images are said to be for; images are kept on disk then.
    pub(crate) target: Option<String>,
    /// Nothing is compiled while a test has this.
    pub(crate) compiler: Mutex<()>,
    /// Calls so far.
    pub(crate) allocations: AtomicU64,
    pub(crate) launches: AtomicU64,
    pub(crate) copies: AtomicU64,
    pub(crate) compilations: AtomicU64,
    /// Bytes allocated and not freed.
    pub(crate) held: AtomicU64,
    pub(crate) aborted: AtomicBool,
    /// Whether the context is lost; every call fails then.
    pub(crate) lost: AtomicBool,
    /// Streams so far; their numbers count from 0.
    pub(crate) streams: AtomicU64,
    pub(crate) streams_ended: AtomicU64,
    /// Copies to the device and within it, events and the end of memory, in order, with the stream.
    pub(crate) trace: Mutex<Vec<(&'static str, u64)>>,
}

impl Default for Faults {
    fn default() -> Faults {
        let never = || AtomicU64::new(u64::MAX);
        let zero = || AtomicU64::new(0);
        Faults {
            allocation: never(),
            shortage: zero(),
            capacity: never(),
            launch: never(),
            abort: never(),
            fatal: AtomicBool::new(false),
            late: false,
            copy: never(),
            old_driver: AtomicBool::new(false),
            refused: None,
            too_large: None,
            pins: zero(),
            poses_as: None,
            target: None,
            compiler: Mutex::default(),
            allocations: zero(),
            launches: zero(),
            copies: zero(),
            compilations: zero(),
            held: zero(),
            aborted: AtomicBool::new(false),
            lost: AtomicBool::new(false),
            streams: zero(),
            streams_ended: zero(),
            trace: Mutex::default(),
        }
    }
}

impl Faults {
    /// None, on a device that pins memory so often.
    pub(crate) fn pinning(pins: u64) -> Faults {
        Faults {
            pins: AtomicU64::new(pins),
            ..Faults::default()
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
    /// Kernels of which no block fits on a multiprocessor.
    too_large: Mutex<Vec<FunctionId>>,
    /// Copies to the device that have not been made: the stream, to where, from where, and bytes.
    to_come: Mutex<Vec<(StreamId, Ptr, Host, u64)>>,
}

/// Host memory that a copy is from.
#[derive(Debug)]
struct Host(*const u8);

// SAFETY: an address, which whoever queues a copy keeps alive until it is made.
unsafe impl Send for Host {}

impl Faulty {
    /// `inner` with these faults.
    pub(crate) fn new(inner: Box<dyn Backend>, faults: Arc<Faults>) -> Faulty {
        Faulty {
            inner,
            faults,
            too_large: Mutex::default(),
            to_come: Mutex::default(),
        }
    }

    /// Makes the copies that are late.
    fn catch_up(&self) -> Result<(), Error> {
        let mut done = Ok(());
        for (stream, to, Host(from), bytes) in std::mem::take(&mut *lock(&self.to_come)) {
            // SAFETY: passed on as it came; its stream has not been waited for.
            done = done.and(unsafe { self.inner.upload(stream, to, from, bytes) });
        }
        done
    }

    /// Refuses every call of a lost context.
    fn enter(&self) -> Result<(), Error> {
        if self.faults.lost.load(Ordering::SeqCst) {
            return Err(failed("cuCtxPushCurrent", "CUDA_ERROR_LAUNCH_FAILED"));
        }
        Ok(())
    }

    /// Notes that a failure has taken the context with it, if it has.
    fn strike(&self) {
        let fatal = self.faults.fatal.load(Ordering::SeqCst);
        self.faults.lost.fetch_or(fatal, Ordering::SeqCst);
    }

    fn note(&self, call: &'static str, stream: StreamId) {
        lock(&self.faults.trace).push((call, stream.0));
    }

    fn copy_fails(&self, call: &'static str) -> Result<(), Error> {
        self.enter()?;
        if strikes(&self.faults.copies, &self.faults.copy) {
            self.strike();
            return Err(failed(call, "CUDA_ERROR_UNKNOWN"));
        }
        Ok(())
    }
}

fn failed(call: &'static str, status: &str) -> Error {
    Error::Driver {
        call,
        status: format!("{status}: injected"),
    }
}

impl Backend for Faulty {
    fn device(&self) -> Device {
        self.faults.poses_as.unwrap_or(self.inner.device())
    }

    fn limits(&self) -> &Limits {
        self.inner.limits()
    }

    fn free_memory(&self) -> Result<u64, Error> {
        self.inner.free_memory()
    }

    fn allocate(&self, stream: StreamId, bytes: u64) -> Result<Ptr, Error> {
        self.enter()?;
        let faults = &self.faults;
        let number = faults.allocations.fetch_add(1, Ordering::SeqCst);
        let first = faults.allocation.load(Ordering::SeqCst);
        let last = first.saturating_add(faults.shortage.load(Ordering::SeqCst));
        let held = faults.held.load(Ordering::SeqCst);
        let short = held.saturating_add(bytes) > faults.capacity.load(Ordering::SeqCst);
        if short || (first..=last).contains(&number) {
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
        if self.enter().is_err() {
            return;
        }
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
        if self.faults.late {
            lock(&self.to_come).push((stream, to, Host(from), bytes));
            return Ok(());
        }
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
        self.catch_up()?;
        // SAFETY: passed on as it came.
        unsafe { self.inner.download(stream, to, from, bytes) }
    }

    unsafe fn copy(&self, stream: StreamId, to: Ptr, from: Ptr, bytes: u64) -> Result<(), Error> {
        self.note("copy", stream);
        self.enter()?;
        self.catch_up()?;
        // SAFETY: passed on as it came.
        unsafe { self.inner.copy(stream, to, from, bytes) }
    }

    unsafe fn fill(&self, stream: StreamId, to: Ptr, word: u32, bytes: u64) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: passed on as it came.
        unsafe { self.inner.fill(stream, to, word, bytes) }
    }

    fn compile(&self, source: Source<'_>) -> Result<Vec<u8>, Error> {
        self.enter()?;
        self.faults.compilations.fetch_add(1, Ordering::SeqCst);
        drop(lock(&self.faults.compiler));
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
        self.enter()?;
        self.inner.load(name, image)
    }

    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId, Error> {
        self.enter()?;
        let function = self.inner.function(module, name)?;
        let too_large = self.faults.too_large;
        if too_large.is_some_and(|part| name.contains(part)) {
            lock(&self.too_large).push(function);
        }
        Ok(function)
    }

    fn blocks_per_sm(&self, function: FunctionId, block: u32, shared: u32) -> Result<u32, Error> {
        if lock(&self.too_large).contains(&function) {
            return Ok(0);
        }
        self.inner.blocks_per_sm(function, block, shared)
    }

    fn prefer_shared(&self, function: FunctionId, percent: u32) -> Result<(), Error> {
        self.enter()?;
        self.inner.prefer_shared(function, percent)
    }

    unsafe fn launch(&self, stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        self.enter()?;
        self.catch_up()?;
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
        self.enter()?;
        // The simulator, which does everything at once, tells none from another.
        self.inner.create_stream()?;
        Ok(StreamId(self.faults.streams.fetch_add(1, Ordering::SeqCst)))
    }

    fn destroy_stream(&self, stream: StreamId) {
        self.faults.streams_ended.fetch_add(1, Ordering::SeqCst);
        self.inner.destroy_stream(stream);
    }

    fn sync(&self, stream: StreamId) -> Result<(), Error> {
        self.enter()?;
        self.catch_up()?;
        self.inner.sync(stream)?;
        if self.faults.aborted.swap(false, Ordering::SeqCst) {
            self.strike();
            return Err(failed("cuStreamSynchronize", "CUDA_ERROR_LAUNCH_FAILED"));
        }
        Ok(())
    }

    fn record(&self, stream: StreamId) -> Result<EventId, Error> {
        self.note("record", stream);
        self.enter()?;
        self.inner.record(stream)
    }

    fn wait(&self, stream: StreamId, event: EventId) -> Result<(), Error> {
        self.note("wait", stream);
        self.enter()?;
        self.inner.wait(stream, event)
    }

    fn reach(&self, event: EventId) -> Result<(), Error> {
        self.enter()?;
        self.catch_up()?;
        self.inner.reach(event)
    }

    fn elapsed(&self, from: EventId, to: EventId) -> Result<f64, Error> {
        self.enter()?;
        self.inner.elapsed(from, to)
    }

    fn forget(&self, event: EventId) {
        self.inner.forget(event);
    }

    fn pin(&self, bytes: usize) -> Option<*mut u8> {
        self.enter().ok()?;
        let pins = &self.faults.pins;
        let left = |pins: u64| pins.checked_sub(1);
        if pins
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, left)
            .is_err()
        {
            return None;
        }
        // As pinned memory, it stays.
        Some(Box::leak(vec![0u8; bytes].into_boxed_slice()).as_mut_ptr())
    }

    fn image_target(&self) -> Option<String> {
        self.faults.target.clone()
    }

    fn hold(&self) -> Result<Hold<'_>, Error> {
        self.enter().map(|()| Hold::default())
    }

    fn loss(&self) -> Option<Loss> {
        let lost = self.faults.lost.load(Ordering::SeqCst);
        lost.then_some(Loss::Failed)
    }
}

//! A device in use, and what is kept for it between calls.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use super::backend::{Backend, Ptr, Step, StreamId};
#[cfg(any(feature = "cuda", feature = "sim"))]
use super::{images::ImageCache, staging::Staging};
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::stats;

/// A device and what is kept for it between calls.
pub(crate) struct Context {
    /// A number that no other context of the process has.
    pub(crate) id: u64,
    /// The device.
    pub(crate) backend: Box<dyn Backend>,
    /// Streams that nobody uses now, with what belongs to them.
    pub(crate) idle: Mutex<Vec<Lane>>,
    /// Compiled kernels on disk.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) images: Option<ImageCache>,
    /// Pinned memory for large copies.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) staging: Staging,
    /// What whoever launches kernels keeps for the device.
    attached: OnceLock<Box<dyn Any + Send + Sync>>,
}

/// A stream of the device and what belongs to it alone.
#[derive(Debug)]
pub(crate) struct Lane {
    pub(crate) stream: StreamId,
    /// What was queued and whose outcome is not known yet, and the memory kept for it.
    pub(crate) work: Option<Box<dyn Work>>,
    /// What calls would have put on the stream, while they are recorded.
    steps: Option<Vec<Step>>,
    /// Recordings that have been put on it and not been asked about.
    replayed: Vec<Arc<dyn Replayed>>,
    /// The first failure of those that were asked when nobody listened.
    failed: Option<Error>,
}

/// Recorded calls, on a stream.
pub(crate) trait Replayed: fmt::Debug + Send + Sync {
    /// Reports the first failure since the last time, after the stream has been waited for or not.
    fn settle(&self) -> Result<(), Error>;
}

/// What whoever launches kernels has under way on a stream.
pub(crate) trait Work: Any + fmt::Debug + Send {
    /// Whether there are calls whose outcome is not known.
    fn has_pending(&self) -> bool;
    /// Waits for the stream and reports its first failure; all calls before count as done then.
    fn settle(&mut self, context: &Context, stream: StreamId) -> Result<(), Error>;
    /// The same, and keeps the failure for the next time.
    fn finish(&mut self, context: &Context, stream: StreamId);
    /// Gives up what was kept for later calls, after those that are pending, whose failure is kept; whether there was
    /// anything. Work of any stream may use it then.
    fn give_up_memory(&mut self, context: &Context, stream: StreamId) -> bool;
    /// Gives up everything whose content is not known any more.
    fn discard(&mut self, context: &Context, stream: StreamId);
    /// As [`Work::settle`] of recorded calls, which do not count as done: they may be put on the stream again.
    fn settle_again(&mut self, context: &Context, stream: StreamId) -> Result<(), Error>;
    /// The memory that the calls use.
    fn uses(&self) -> Vec<Arc<dyn Any + Send + Sync>>;
}

impl Lane {
    /// A stream without work.
    pub(crate) fn new(stream: StreamId) -> Lane {
        Lane {
            stream,
            work: None,
            steps: None,
            replayed: Vec::new(),
            failed: None,
        }
    }

    /// Keeps a failure of a recording for whoever asks next.
    pub(crate) fn keep_failure(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }

    /// The first failure of recordings that were put on the stream since the last time.
    pub(crate) fn settle_replayed(&mut self) -> Result<(), Error> {
        let mut failed = self.failed.take().map_or(Ok(()), Err);
        for replayed in std::mem::take(&mut self.replayed) {
            let settled = replayed.settle();
            failed = failed.and(settled);
        }
        failed
    }

    /// Whether calls are recorded.
    pub(crate) fn is_recording(&self) -> bool {
        self.steps.is_some()
    }

    /// Calls are recorded from now on, with work of their own. Returns the one before.
    pub(crate) fn begin_recording(&mut self) -> Option<Box<dyn Work>> {
        self.steps = Some(Vec::new());
        self.work.take()
    }

    /// Calls are made again, with the work before. Returns what was recorded, and its work.
    pub(crate) fn end_recording(
        &mut self,
        before: Option<Box<dyn Work>>,
    ) -> (Vec<Step>, Option<Box<dyn Work>>) {
        let steps = self.steps.take().unwrap_or_default();
        (steps, std::mem::replace(&mut self.work, before))
    }

    /// Notes that a recording has been put on the stream.
    pub(crate) fn note_replayed(&mut self, of: Arc<dyn Replayed>) {
        if !self.replayed.iter().any(|known| Arc::ptr_eq(known, &of)) {
            self.replayed.push(of);
        }
    }

    /// Its work, of the one kind that there is, and what is recorded of it.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn work_and_steps<W: Work + Default>(&mut self) -> (&mut W, Option<&mut Vec<Step>>) {
        let steps = self.steps.as_mut();
        let work = self.work.get_or_insert_with(|| Box::new(W::default()));
        let work: &mut dyn Any = &mut **work;
        let work = work.downcast_mut();
        (work.expect("all work of streams is of one type"), steps)
    }

    /// Its work, of the one kind that there is.
    pub(crate) fn work<W: Work + Default>(&mut self) -> &mut W {
        let work = self.work.get_or_insert_with(|| Box::new(W::default()));
        let work: &mut dyn Any = &mut **work;
        work.downcast_mut()
            .expect("all work of streams is of one type")
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.backend).finish()
    }
}

impl Context {
    /// A context over a backend, known to nobody else.
    pub(crate) fn over(backend: Box<dyn Backend>) -> Context {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        Context {
            id: NUMBER.fetch_add(1, Ordering::Relaxed),
            backend,
            idle: Mutex::default(),
            #[cfg(any(feature = "cuda", feature = "sim"))]
            images: ImageCache::of_user(),
            #[cfg(any(feature = "cuda", feature = "sim"))]
            staging: Staging::default(),
            attached: OnceLock::new(),
        }
    }

    /// What whoever launches kernels keeps for the device, made at the first question. There is one type of it.
    pub(crate) fn attached<T: Any + Send + Sync + Default>(&self) -> &T {
        let attached = self.attached.get_or_init(|| Box::new(T::default()));
        (**attached)
            .downcast_ref()
            .expect("all that is attached to contexts is of one type")
    }

    /// Whether its memory is another than the host's.
    pub(crate) fn is_away(&self) -> bool {
        !matches!(self.backend.device(), Device::Cpu | Device::Seq)
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
        if self.is_away() {
            stats::count_upload(bytes);
        }
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
        if self.is_away() {
            stats::count_download(bytes);
        }
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

    /// Takes device memory for work on a stream. Before there is said to be none, idle streams give up what they keep.
    ///
    /// # Errors
    ///
    /// As [`Backend::allocate`].
    pub(crate) fn allocate(&self, stream: StreamId, bytes: u64) -> Result<Ptr, Error> {
        match self.backend.allocate(stream, bytes) {
            Err(Error::OutOfMemory { .. }) if self.reclaim() => {
                self.backend.allocate(stream, bytes)
            }
            taken => taken,
        }
    }

    /// Gives up the memory that idle streams keep; whether there was any.
    pub(crate) fn reclaim(&self) -> bool {
        let mut idle = lock(&self.idle);
        let given = idle.iter_mut().map(|lane| match &mut lane.work {
            Some(work) => work.give_up_memory(self, lane.stream),
            None => false,
        });
        given.fold(false, |any, given| any | given)
    }
}

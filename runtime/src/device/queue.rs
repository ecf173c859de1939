//! Streams: work of a device in order, and what goes wrong in it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::base::choice;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::backend::{Backend, EventId, StreamId};
use crate::device::context::{Context, Lane};

/// A lane in use.
pub(crate) struct Queue {
    pub(crate) context: Arc<Context>,
    pub(crate) stream: StreamId,
    /// `None` only while it is being dropped.
    lane: Mutex<Option<Lane>>,
    /// Whether the stream is another library's, which has it still when the queue is gone.
    is_lent: bool,
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("context", &self.context)
            .field("stream", &self.stream)
            .finish()
    }
}

impl Queue {
    /// A queue of a context: one that was used before, if one is idle.
    pub(crate) fn new(context: &Arc<Context>) -> Result<Arc<Queue>, Error> {
        let idle = lock(&context.idle).pop();
        let lane = match idle {
            Some(lane) => lane,
            None => Lane::new(context.backend.create_stream()?),
        };
        Ok(Arc::new(Queue {
            context: Arc::clone(context),
            stream: lane.stream,
            lane: Mutex::new(Some(lane)),
            is_lent: false,
        }))
    }

    /// A queue over a stream of another library, of the same context. Copies go there, but no calls.
    pub(crate) fn lent(context: &Arc<Context>, stream: StreamId) -> Arc<Queue> {
        Arc::new(Queue {
            context: Arc::clone(context),
            stream,
            lane: Mutex::new(Some(Lane::new(stream))),
            is_lent: true,
        })
    }

    /// The lane, for a sequence of calls that must not be mixed with another thread's.
    pub(crate) fn lane(&self) -> LaneGuard<'_> {
        LaneGuard(lock(&self.lane))
    }

    /// Waits for everything queued and reports the first failure since the last time.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        let mut lane = self.lane();
        let settled = match &mut lane.work {
            Some(work) => work.settle(&self.context, self.stream),
            None => self.context.backend.sync(self.stream),
        };
        settled.and(lane.settle_replayed())
    }

    /// Gives up the memory that the lane keeps between calls, after these; whether there was any. A failure is kept for
    /// the next [`Queue::sync`].
    pub(crate) fn give_up_memory(&self) -> bool {
        match &mut self.lane().work {
            Some(work) => work.give_up_memory(&self.context, self.stream),
            None => false,
        }
    }

    /// Waits for the calls whose outcome is not known; a failure is kept for the next [`Queue::sync`].
    fn finish(&self) {
        let mut lane = self.lane();
        if let Some(work) = &mut lane.work {
            work.finish(&self.context, self.stream);
        }
        if let Err(e) = lane.settle_replayed() {
            lane.keep_failure(e);
        }
    }
}

/// Has a stream's later work wait for what another has been given so far.
pub(crate) fn order(
    backend: &dyn Backend,
    earlier: StreamId,
    later: StreamId,
) -> Result<(), Error> {
    if earlier == later {
        return Ok(());
    }
    let event = backend.record(earlier)?;
    let waiting = backend.wait(later, event);
    backend.forget(event);
    waiting
}

/// Access to a queue's lane.
pub(crate) struct LaneGuard<'a>(MutexGuard<'a, Option<Lane>>);

impl std::ops::Deref for LaneGuard<'_> {
    type Target = Lane;

    fn deref(&self) -> &Lane {
        self.0
            .as_ref()
            .expect("a queue has its lane until it is dropped")
    }
}

impl std::ops::DerefMut for LaneGuard<'_> {
    fn deref_mut(&mut self) -> &mut Lane {
        self.0
            .as_mut()
            .expect("a queue has its lane until it is dropped")
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let broken = self.lane.is_poisoned();
        let lane = self.lane.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(mut lane) = lane.take() else { return };
        if self.is_lent {
            return;
        }
        if let Err(e) = lane.settle_replayed() {
            log::error!("a stream was dropped and what was replayed on it had failed: {e}");
        }
        if let Some(work) = &mut lane.work {
            if work.has_pending()
                && let Err(e) = work.settle(&self.context, self.stream)
            {
                log::error!("a stream was dropped and its work had failed: {e}");
            }
            if broken {
                // A panic has left it as it was just then.
                work.discard(&self.context, self.stream);
            }
        }
        lock(&self.context.idle).push(lane);
    }
}

/// What all handles of a stream share. Calls keep their buffers until they are settled, and buffers keep the queue that
/// wrote them last; the last handle's end settles the calls, so that neither holds the other for ever.
#[derive(Debug)]
struct Owner(Arc<Queue>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Work for a device, done in the order in which it is queued, while the program goes on.
///
/// Offloaded functions' `on_device` and the copies of [`DeviceBuffer`](crate::DeviceBuffer) take one. Buffers may be used on
/// several streams of their device; accrue orders the uses.
///
/// A kernel's failure may take the device's context with it, and all memory there. Streams and buffers of that context then answer
/// every call with an error; the next stream or call gets the device opened anew.
///
/// Dropping a stream's last handle waits for the calls queued on it. A failure that nobody has asked for by then shows at
/// the next copy from or to a buffer that the stream was the last to write, or else through the crate `log`.
///
/// ```
/// use accrue::{Device, DeviceBuffer, Stream};
/// let stream = Stream::on(Device::Cpu)?;
/// let keys = DeviceBuffer::from_slice_on(&stream, &[1u8, 2, 3])?;
/// assert_eq!(keys.to_vec()?, [1, 2, 3]);
/// stream.sync()?;
/// # Ok::<(), accrue::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stream(
    pub(crate) Arc<Queue>,
    #[expect(dead_code, reason = "its end is what counts")] Arc<Owner>,
);

impl Stream {
    /// A new stream of the device of this thread's calls ([`with_device`](crate::with_device), `ACCRUE_DEVICE`); under
    /// [`Device::Auto`] the first GPU, or the host where there is none.
    ///
    /// # Errors
    ///
    /// As [`Stream::on`], and [`Error::BadSetting`] if `ACCRUE_DEVICE` names no device.
    pub fn new() -> Result<Stream, Error> {
        Stream::on(choice::chosen()?)
    }

    /// A new stream of a device. On [`Device::Cpu`] and [`Device::Seq`] work is done at once.
    ///
    /// # Errors
    ///
    /// [`Error::FeatureOff`], [`Error::DriverNotFound`], [`Error::NoSuchDevice`], or the driver's refusal.
    pub fn on(device: Device) -> Result<Stream, Error> {
        Stream::over(&Context::of(device)?)
    }

    /// A new stream of a context.
    pub(crate) fn over(context: &Arc<Context>) -> Result<Stream, Error> {
        let queue = Queue::new(context)?;
        Ok(Stream(Arc::clone(&queue), Arc::new(Owner(queue))))
    }

    /// Its device.
    pub fn device(&self) -> Device {
        self.0.context.backend.device()
    }

    /// Waits for everything queued so far.
    ///
    /// # Errors
    ///
    /// The first failure since the last time: a fault of a queued loop ([`Error::BinOutOfRange`] and the like; its
    /// bins are as they were before it), or the device's.
    pub fn sync(&self) -> Result<(), Error> {
        self.0.sync()
    }

    /// Queues a mark, to measure between two.
    ///
    /// # Errors
    ///
    /// The driver's refusal.
    pub fn mark(&self) -> Result<Mark, Error> {
        let event = self.0.context.backend.record(self.0.stream)?;
        Ok(Mark {
            queue: Arc::clone(&self.0),
            event,
        })
    }
}

/// A moment on a stream, by the device's clock.
#[derive(Debug)]
pub struct Mark {
    queue: Arc<Queue>,
    event: EventId,
}

impl Mark {
    /// The time from this mark to a later one of the same device; waits until the device is there.
    ///
    /// # Errors
    ///
    /// [`Error::WrongDevice`] for marks of two devices, or a failure of the work between them.
    pub fn until(&self, later: &Mark) -> Result<Duration, Error> {
        let (a, b) = (&self.queue.context, &later.queue.context);
        if !Arc::ptr_eq(a, b) {
            return Err(Error::WrongDevice {
                what: "the later mark".into(),
                found: b.backend.device(),
                expected: a.backend.device(),
            });
        }
        let seconds = a.backend.elapsed(self.event, later.event)?;
        Ok(Duration::from_secs_f64(seconds.max(0.0)))
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.queue.context.backend.forget(self.event);
    }
}

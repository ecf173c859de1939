//! Recorded calls: a number of calls on a stream as one thing, that is put on the stream again and again for a fraction of what
//! calls cost each.
//!
//! What the calls put on the stream is a list of steps, in memory that belongs to the recording; a device that has graphs makes one of
//! them. Where the CPU is the device, there is nothing to be saved, and the calls are made again.

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::base::choice::with_device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::stats;
use crate::device::allocation::Allocation;
use crate::device::backend::{GraphId, Step, StreamId, issue};
use crate::device::context::{Context, Replayed, Work};
use crate::device::queue::{Queue, Stream};

/// Calls that a [`Stream`] has recorded: see [`Stream::record`].
///
/// What they use stays borrowed for as long as it lives.
pub struct Recording<'a> {
    stream: Stream,
    calls: Calls<'a>,
    /// Neither a longer nor a shorter time will do: the borrows last as long as the recording.
    _borrows: PhantomData<std::cell::Cell<&'a ()>>,
}

enum Calls<'a> {
    /// Made again.
    Again(Box<dyn FnMut() -> Result<(), Error> + 'a>),
    /// Put on the stream.
    Steps(Arc<Steps>),
}

/// What calls put on a stream.
struct Steps {
    context: Arc<Context>,
    /// It lives as long as its context.
    stream: StreamId,
    steps: Vec<Step>,
    graph: Option<GraphId>,
    /// How many of them start kernels.
    launches: u64,
    /// The calls' own memory, and their records.
    work: Mutex<Option<Box<dyn Work>>>,
    /// What they use, of whoever's.
    uses: Vec<Arc<Allocation>>,
    /// Whether the device has failed, so that what is in the calls' memory is not known any more.
    broken: AtomicBool,
}

impl fmt::Debug for Recording<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.calls {
            Calls::Again(_) => write!(f, "Recording(on {})", self.stream.device()),
            Calls::Steps(steps) => write!(
                f,
                "Recording({} kernels on {})",
                steps.launches,
                self.stream.device()
            ),
        }
    }
}

impl fmt::Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} steps", self.steps.len())
    }
}

impl Stream {
    /// Records calls instead of making them, to be [replayed](Recording::replay) any number of times: on a GPU as a CUDA graph, for a
    /// fraction of what calls cost each.
    ///
    /// `calls` makes calls by `on_stream` or `on_device` on this stream; they have to be such as are queued, on data that stay on the device. Of those
    /// that are not on the device yet, copies are made there now. 512 calls are recorded at most. Nothing else on this stream is recorded,
    /// and other threads do not use it meanwhile. On the CPU `calls` is called by each replay.
    ///
    /// A fault of a loop is reported by [`Stream::sync`], as [`Error::InCall`] with the call's number in the recording.
    ///
    /// ```
    /// use accrue::{Device, DeviceBuffer, Stream, offload};
    ///
    /// #[offload(histogram)]
    /// fn count(keys: &[u8], bins: &mut [u32]) {
    ///     for &k in keys {
    ///         bins[k as usize] += 1;
    ///     }
    /// }
    ///
    /// let stream = Stream::on(Device::Cpu)?;
    /// let keys = DeviceBuffer::from_slice_on(&stream, &[1u8, 2, 2])?;
    /// let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 4)?;
    /// let mut counts = stream.record(|| count::on_stream(&stream, &keys, &mut bins))?;
    /// for _ in 0..10 {
    ///     counts.replay()?;
    /// }
    /// drop(counts);
    /// stream.sync()?;
    /// assert_eq!(bins.to_vec()?, [0, 10, 20, 0]);
    /// # Ok::<(), accrue::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the calls; [`Error::NotRecorded`] for one that cannot be queued.
    pub fn record<'a>(
        &self,
        mut calls: impl FnMut() -> Result<(), Error> + 'a,
    ) -> Result<Recording<'a>, Error> {
        let recording = |calls| Recording {
            stream: self.clone(),
            calls,
            _borrows: PhantomData,
        };
        if !self.0.context.is_away() {
            return Ok(recording(Calls::Again(Box::new(calls))));
        }
        let queue = &self.0;
        // What was queued before keeps its own memory.
        queue.sync()?;
        let before = queue.lane().begin_recording();
        struct End<'a>(&'a Queue, Option<Option<Box<dyn Work>>>);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                if let Some(before) = self.1.take() {
                    let (_, work) = self.0.lane().end_recording(before);
                    if let Some(mut work) = work {
                        work.discard(&self.0.context, self.0.stream);
                    }
                }
            }
        }
        let mut end = End(queue, Some(before));
        with_device(self.device(), &mut calls)?;
        let before = end.1.take().expect("nobody else has ended it");
        let (steps, work) = queue.lane().end_recording(before);
        let uses = work.as_ref().map_or(Vec::new(), |work| work.uses());
        let uses: Vec<Arc<Allocation>> = uses
            .into_iter()
            .filter_map(|memory| memory.downcast().ok())
            .collect();
        if uses.iter().any(|memory| memory.is_lent()) {
            if let Some(mut work) = work {
                work.discard(&queue.context, queue.stream);
            }
            return Err(Error::NotRecorded {
                reason: "what another library lends is there for calls only, not for replays: copy it to a buffer"
                    .to_owned(),
            });
        }
        let context = Arc::clone(&queue.context);
        let launches = steps.iter().filter(|s| matches!(s, Step::Launch { .. }));
        let launches = launches.count() as u64;
        // What made the memory ready is done before a graph is put on any stream.
        context.backend.sync(queue.stream)?;
        // SAFETY: the steps are what calls would have put on the stream.
        let graph = unsafe { context.backend.graph(&steps)? };
        Ok(recording(Calls::Steps(Arc::new(Steps {
            context,
            stream: queue.stream,
            steps,
            graph,
            launches,
            work: Mutex::new(work),
            uses,
            broken: AtomicBool::new(false),
        }))))
    }
}

impl Recording<'_> {
    /// Queues the calls once more.
    ///
    /// # Errors
    ///
    /// The device's refusal. On the CPU, where calls are made at once, theirs.
    pub fn replay(&mut self) -> Result<(), Error> {
        match &mut self.calls {
            Calls::Again(calls) => with_device(self.stream.device(), calls),
            Calls::Steps(steps) => Steps::replay(steps, &self.stream.0),
        }
    }

    /// Calls that one replay queues, in kernels; 0 where it makes them itself.
    pub fn kernels(&self) -> u64 {
        match &self.calls {
            Calls::Again(_) => 0,
            Calls::Steps(steps) => steps.launches,
        }
    }
}

impl Steps {
    fn replay(of: &Arc<Steps>, queue: &Arc<Queue>) -> Result<(), Error> {
        if of.broken.load(Ordering::Acquire) {
            return Err(Error::NotRecorded {
                reason: "the device has failed since the calls were recorded".to_owned(),
            });
        }
        // As the calls themselves would: each of them may write.
        for memory in &of.uses {
            memory.claim_to_write(queue, "a recorded array")?;
        }
        let mut lane = queue.lane();
        if lane.is_recording() {
            return Err(Error::NotRecorded {
                reason: "a recording is no part of another".to_owned(),
            });
        }
        let backend = &*of.context.backend;
        // SAFETY: the recording keeps all memory that the steps use, and the lane is this thread's.
        unsafe {
            match of.graph {
                Some(graph) => backend.launch_graph(queue.stream, graph)?,
                None => issue(backend, queue.stream, &of.steps)?,
            }
        }
        stats::count_launches(of.launches);
        let replayed: Arc<dyn Replayed> = Arc::clone(of) as Arc<dyn Replayed>;
        lane.note_replayed(replayed);
        Ok(())
    }
}

impl Replayed for Steps {
    fn settle(&self) -> Result<(), Error> {
        let mut work = lock(&self.work);
        let Some(work) = &mut *work else {
            return Ok(());
        };
        let settled = work.settle_again(&self.context, self.stream);
        if settled.as_ref().is_err_and(|e| !e.is_fault()) {
            self.broken.store(true, Ordering::Release);
        }
        settled
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        let backend = &*self.context.backend;
        // Replays may be under way that nobody has waited for.
        let _ = backend.sync(self.stream);
        if let Some(graph) = self.graph {
            backend.forget_graph(graph);
        }
        if let Some(mut work) = lock(&self.work).take() {
            work.discard(&self.context, self.stream);
        }
    }
}

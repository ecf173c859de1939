//! Device memory, and the order of its uses by several streams.
//!
//! What Rust's borrows say of a buffer holds for the calls that queue work on it, and the device has to be told the same:
//! reads come after the last write, and a write, or the end of the memory, comes after every read since. A use is
//! noted when it is claimed, before its work is queued, perhaps by another thread than the next one's. So nothing is
//! concluded from a claim but that its stream has to be waited for: the event is recorded at the next write, which
//! borrows the buffer exclusively and so begins when the calls that have claimed it have queued their work.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::backend::{Ptr, StreamId};
use crate::device::context::Context;
use crate::device::queue::{Queue, order};

/// Device memory, freed when the last user is gone, or lent by whoever frees it.
pub(crate) struct Allocation {
    context: Arc<Context>,
    ptr: Ptr,
    bytes: u64,
    uses: Mutex<Uses>,
    /// Of memory that is lent: whether it has been given back.
    given_back: Option<AtomicBool>,
}

/// What a later use may have to wait for.
struct Uses {
    /// The queue of the last write.
    writer: Arc<Queue>,
    /// Other streams that have read since. They live as long as their context, whoever has them now.
    readers: Vec<StreamId>,
}

impl Uses {
    /// Of memory that a queue has just got.
    fn of(queue: &Arc<Queue>) -> Mutex<Uses> {
        Mutex::new(Uses {
            writer: Arc::clone(queue),
            readers: Vec::new(),
        })
    }

    /// The streams of all uses that a write comes after.
    fn streams(&self) -> impl Iterator<Item = StreamId> {
        std::iter::once(self.writer.stream).chain(self.readers.iter().copied())
    }
}

impl fmt::Debug for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:#x} ({} bytes on {:?})",
            self.ptr.0, self.bytes, self.context.backend
        )
    }
}

impl Allocation {
    pub(crate) fn new(queue: &Arc<Queue>, bytes: u64) -> Result<Arc<Allocation>, Error> {
        let context = Arc::clone(&queue.context);
        let ptr = match context.allocate(queue.stream, bytes) {
            Err(Error::OutOfMemory { .. }) if queue.give_up_memory() => {
                context.allocate(queue.stream, bytes)
            }
            taken => taken,
        }?;
        Ok(Arc::new(Allocation {
            context,
            ptr,
            bytes,
            uses: Uses::of(queue),
            given_back: None,
        }))
    }

    /// Memory of somebody else, who uses it on the stream of a queue and gets it [back](Allocation::give_back).
    pub(crate) fn lent(home: &Arc<Queue>, ptr: Ptr, bytes: u64) -> Arc<Allocation> {
        Arc::new(Allocation {
            context: Arc::clone(&home.context),
            ptr,
            bytes,
            uses: Uses::of(home),
            given_back: Some(AtomicBool::new(false)),
        })
    }

    /// Whether it is somebody else's.
    pub(crate) fn is_lent(&self) -> bool {
        self.given_back.is_some()
    }

    /// Whether nothing may be read there any more: it was lent, and is its owner's again.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn is_given_back(&self) -> bool {
        let back = self.given_back.as_ref();
        back.is_some_and(|back| back.load(Ordering::Acquire))
    }

    /// Calls what uses the device without us, with its primary context current.
    pub(crate) fn with_current<R>(&self, call: impl FnOnce() -> R) -> Result<R, Error> {
        let (mut call, mut result) = (Some(call), None);
        let backend = &*self.context.backend;
        backend.with_current(&mut || result = call.take().map(|call| call()))?;
        Ok(result.expect("it is called once"))
    }

    /// Has its owner's stream wait for every use so far. There are no more: the owner's borrow ends.
    pub(crate) fn give_back(&self, home: &Queue) {
        if let Some(back) = &self.given_back {
            back.store(true, Ordering::Release);
        }
        self.wait_in(home.stream);
    }

    /// Lends it to a stream that is not one of ours: what is put there from now on comes after the last write, or, to write, after
    /// every use so far. The caller borrows the memory, exclusively to write, and [gets it back](Allocation::get_back).
    pub(crate) fn lend(&self, to: StreamId, write: bool) -> Result<(), Error> {
        let uses = lock(&self.uses);
        let readers = uses.readers.iter().copied().filter(|_| write);
        for earlier in std::iter::once(uses.writer.stream).chain(readers) {
            order(&*self.context.backend, earlier, to)?;
        }
        Ok(())
    }

    /// What comes later than the last write comes after what the stream has been given meanwhile, too.
    pub(crate) fn get_back(&self, from: StreamId) {
        let backend = &*self.context.backend;
        if order(backend, from, self.writer().stream).is_err() {
            let _ = backend.sync(from);
        }
    }

    /// Has a stream wait for every use so far.
    fn wait_in(&self, stream: StreamId) {
        let backend = &*self.context.backend;
        for used in lock(&self.uses).streams() {
            if order(backend, used, stream).is_err() {
                // Waiting here does as well. If that fails too, the device runs nothing any more.
                let _ = backend.sync(used);
            }
        }
    }

    /// Where it is.
    pub(crate) fn ptr(&self) -> Ptr {
        self.ptr
    }

    /// How long it is.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The device it is on.
    pub(crate) fn device(&self) -> Device {
        self.context.backend.device()
    }

    /// The context that it is memory of.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Whether it is memory of a context.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn is_of(&self, context: &Arc<Context>) -> bool {
        Arc::ptr_eq(&self.context, context)
    }

    /// Whether it is gone with its context.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn is_lost(&self) -> bool {
        self.context.backend.is_lost()
    }

    /// Orders what the queue does from now on after the last write. The caller borrows the memory until its reads are
    /// queued.
    pub(crate) fn claim_to_read(&self, queue: &Arc<Queue>, what: &str) -> Result<Ptr, Error> {
        self.check_device(queue, what)?;
        let mut uses = lock(&self.uses);
        let stream = queue.stream;
        if !uses.streams().any(|known| known == stream) {
            order(&*self.context.backend, uses.writer.stream, stream)?;
            uses.readers.push(stream);
        }
        Ok(self.ptr)
    }

    /// Orders what the queue does from now on after every use so far. The caller borrows the memory exclusively until
    /// its writes are queued.
    pub(crate) fn claim_to_write(&self, queue: &Arc<Queue>, what: &str) -> Result<Ptr, Error> {
        self.check_device(queue, what)?;
        let mut uses = lock(&self.uses);
        for earlier in uses.streams() {
            order(&*self.context.backend, earlier, queue.stream)?;
        }
        uses.readers.clear();
        if !Arc::ptr_eq(&uses.writer, queue) {
            uses.writer = Arc::clone(queue);
        }
        Ok(self.ptr)
    }

    /// Copies from it to the host's memory, after the work queued on it, and waits.
    ///
    /// # Errors
    ///
    /// A failure of the copy, or of work queued before.
    ///
    /// # Safety
    ///
    /// The bytes from `from` on lie in it, and there is room for them at `to`, which nobody else uses meanwhile.
    pub(crate) unsafe fn read(&self, from: Ptr, to: *mut u8, bytes: u64) -> Result<(), Error> {
        let queue = self.writer();
        let mut copied = Ok(());
        if bytes > 0 {
            // SAFETY: the caller's promise; the host's range stays until `sync`.
            copied = unsafe { self.context.download(queue.stream, to, from, bytes) };
        }
        // Wait even where the copy failed: a part of it may be under way.
        let waited = queue.sync();
        copied.and(waited)
    }

    /// Copies from the host's memory to bytes of it, `at` from its start, that nobody uses any more, and waits for the copy.
    ///
    /// # Errors
    ///
    /// A failure of the copy.
    ///
    /// # Safety
    ///
    /// There are as many bytes at `from`, and nobody writes to them meanwhile. Those from `at` on lie in this memory; who uses them has been
    /// given what he does there.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) unsafe fn fill(
        &self,
        queue: &Queue,
        at: u64,
        from: *const u8,
        bytes: u64,
    ) -> Result<(), Error> {
        if bytes == 0 {
            return Ok(());
        }
        let (context, stream) = (&self.context, queue.stream);
        self.wait_in(stream);
        // SAFETY: the caller's promise; the host's range stays until the stream has been waited for.
        let copied = unsafe { context.upload(stream, self.ptr.offset(at), from, bytes) };
        // The calls that are queued before are settled by whoever asks for them.
        let waited = context.backend.sync(stream);
        copied.and(waited)
    }

    fn check_device(&self, queue: &Queue, what: &str) -> Result<(), Error> {
        if Arc::ptr_eq(&self.context, &queue.context) {
            return Ok(());
        }
        // One of them is of a context that was lost: that is what is wrong, not the device.
        for context in [&self.context, &queue.context] {
            context.backend.hold()?;
        }
        Err(Error::WrongDevice {
            what: what.to_owned(),
            found: self.context.backend.device(),
            expected: queue.context.backend.device(),
        })
    }

    /// The queue of the last write.
    pub(crate) fn writer(&self) -> Arc<Queue> {
        Arc::clone(&lock(&self.uses).writer)
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if self.is_lent() {
            return;
        }
        let stream = self.writer().stream;
        self.wait_in(stream);
        // SAFETY: the memory is this allocation's own, and every use is ordered before the stream's present end.
        unsafe { self.context.backend.free(stream, self.ptr, self.bytes) };
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::device::backend::faulty::{Faults, Faulty};
    use crate::device::backend::sim::Simulated;
    use crate::device::buffer::DeviceBuffer;
    use crate::device::queue::Stream;

    /// Four streams of a device, of the numbers 0 to 3, and what the device is asked to do.
    fn streams() -> ([Stream; 4], Arc<Faults>) {
        let faults = Arc::new(Faults::default());
        let sim = Simulated::with(ptx_sim::Limits::default(), 11);
        let faulty = Faulty::new(Box::new(sim), Arc::clone(&faults));
        let context = Arc::new(Context::over(Box::new(faulty)));
        ([(); 4].map(|()| Stream::over(&context).unwrap()), faults)
    }

    /// What the device was asked to do since the last time, with the stream.
    fn asked(faults: &Faults) -> Vec<(&'static str, u64)> {
        std::mem::take(&mut lock(&faults.trace))
    }

    fn memory_of(buffer: &DeviceBuffer<u32>) -> &Arc<Allocation> {
        buffer.as_slice().memory()
    }

    #[test]
    fn a_write_waits_for_reads_that_were_claimed_before_and_queued_since() {
        let ([writer, first, second, third], faults) = streams();
        let mut keys = DeviceBuffer::from_slice_on(&writer, &[1u32, 2]).unwrap();
        assert_eq!(asked(&faults), [("upload", 0)]);
        // The first to claim the keys is the last to queue its work.
        for reader in [&first, &second] {
            memory_of(&keys).claim_to_read(&reader.0, "keys").unwrap();
        }
        let after_the_writer = |stream| [("record", 0), ("wait", stream)];
        let waits = [after_the_writer(1), after_the_writer(2)].concat();
        assert_eq!(asked(&faults), waits);
        // The ends of both are marked only now.
        keys.copy_from_slice(&[3, 4]).unwrap();
        let of_reader = |stream| [("record", stream), ("wait", 0)];
        let upload = vec![("upload", 0)];
        let expected = [of_reader(1).to_vec(), of_reader(2).to_vec(), upload].concat();
        assert_eq!(asked(&faults), expected);
        // The same for a write by another stream; what was read before the last write is past.
        memory_of(&keys).claim_to_read(&second.0, "keys").unwrap();
        asked(&faults);
        memory_of(&keys).claim_to_write(&third.0, "keys").unwrap();
        let expected = [("record", 0), ("wait", 3), ("record", 2), ("wait", 3)];
        assert_eq!(asked(&faults), expected);
    }

    #[test]
    fn a_stream_waits_once_for_a_write_and_never_for_itself() {
        let ([writer, reader, ..], faults) = streams();
        let keys = DeviceBuffer::from_slice_on(&writer, &[1u32, 2]).unwrap();
        asked(&faults);
        for _ in 0..3 {
            memory_of(&keys).claim_to_read(&reader.0, "keys").unwrap();
            memory_of(&keys).claim_to_read(&writer.0, "keys").unwrap();
        }
        assert_eq!(asked(&faults), [("record", 0), ("wait", 1)]);
        memory_of(&keys).claim_to_write(&reader.0, "keys").unwrap();
        assert_eq!(asked(&faults), [("record", 0), ("wait", 1)]);
        memory_of(&keys).claim_to_write(&reader.0, "keys").unwrap();
        assert_eq!(asked(&faults), []);
    }

    #[test]
    fn the_source_of_a_copy_is_freed_after_the_copy() {
        let ([writer, copier, other, _], faults) = streams();
        let from = DeviceBuffer::from_slice_on(&writer, &[1u32, 2]).unwrap();
        let mut to = DeviceBuffer::<u32>::zeroed_on(&copier, 2).unwrap();
        asked(&faults);
        to.as_slice_mut()
            .copy_from_device(&copier, from.as_slice())
            .unwrap();
        memory_of(&from).claim_to_read(&other.0, "from").unwrap();
        let copy = [("record", 0), ("wait", 1), ("copy", 1)];
        assert_eq!(asked(&faults)[..3], copy);
        // A stream's number outlives it.
        drop(other);
        drop(from);
        let expected = [
            ("record", 1),
            ("wait", 0),
            ("record", 2),
            ("wait", 0),
            ("free", 0),
        ];
        assert_eq!(asked(&faults), expected);
        assert_eq!(to.to_vec().unwrap(), [1, 2]);
    }
}

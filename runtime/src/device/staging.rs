//! Large copies between the host and a device through pinned memory, by several threads.
//!
//! The driver copies ordinary memory through a pinned buffer of its own, with one thread; that thread's
//! `memcpy` is then the limit, well below what the bus carries. Here each of a few threads takes a chunk of the range after the other
//! and keeps two pinned ones in flight: one is filled (or emptied) while the device copies the other. The last ones of what goes up are
//! still under way when the copy returns, as the stream knows, so that the bus has work while the next copy begins.

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::backend::{Backend, EventId, Ptr, StreamId};

/// Bytes of a pinned chunk.
const CHUNK: usize = 2 << 20;

/// Copies from this many bytes on are worth the threads.
const WORTH: usize = 16 << 20;

/// Threads at most. Beyond these the bus is the limit: of 55 GB/s from pinned memory 4, 6, 8 and 12 threads bring 29, 41, 51 and 51 (an H200
/// with 16 cores of a Xeon, 2026-11-28), as many with chunks of 4 MiB, and with those of 1 MiB 27 to 48. Stores past the cache are slower: 41.
const MOST_THREADS: usize = 8;

/// Pinned chunks that no copy has now, those first that have been left alone the longest.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    chunks: Mutex<VecDeque<Chunk>>,
}

/// A pinned chunk. Chunks live as long as the context that made them.
#[derive(Debug)]
struct Chunk {
    at: *mut u8,
    /// The end of what the device still copies out of it.
    busy: Option<EventId>,
}

// SAFETY: plain memory of which the holder is the only user.
unsafe impl Send for Chunk {}

/// Which way a copy goes, with the host's side.
#[derive(Clone, Copy)]
enum Way {
    Up(*const u8),
    Down(*mut u8),
}

// SAFETY: the caller of `upload` and `download` promises the range to this copy alone; its threads take
// disjoint parts and end before the copy does.
unsafe impl Send for Way {}
// SAFETY: as above.
unsafe impl Sync for Way {}

impl Staging {
    /// As [`Backend::upload`].
    ///
    /// # Safety
    ///
    /// As there.
    pub(crate) unsafe fn upload(
        &self,
        backend: &dyn Backend,
        stream: StreamId,
        to: Ptr,
        from: *const u8,
        bytes: u64,
    ) -> Result<(), Error> {
        match self.threads(backend, bytes) {
            // SAFETY: the caller's promise.
            0 => unsafe { backend.upload(stream, to, from, bytes) },
            threads => self.copy(backend, stream, to, Way::Up(from), bytes as usize, threads),
        }
    }

    /// As [`Backend::download`].
    ///
    /// # Safety
    ///
    /// As there.
    pub(crate) unsafe fn download(
        &self,
        backend: &dyn Backend,
        stream: StreamId,
        to: *mut u8,
        from: Ptr,
        bytes: u64,
    ) -> Result<(), Error> {
        match self.threads(backend, bytes) {
            // SAFETY: the caller's promise.
            0 => unsafe { backend.download(stream, to, from, bytes) },
            threads => self.copy(
                backend,
                stream,
                from,
                Way::Down(to),
                bytes as usize,
                threads,
            ),
        }
    }

    /// How many threads a copy is worth; 0 to leave it to the driver.
    fn threads(&self, backend: &dyn Backend, bytes: u64) -> usize {
        if bytes < WORTH as u64 {
            return 0;
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (cores / 2)
            .min(MOST_THREADS)
            .min(bytes as usize / (4 * CHUNK));
        if threads < 2 || !self.reserve(backend, 2 * threads) {
            return 0;
        }
        threads
    }

    /// Makes sure that there are enough chunks now. Another copy may take them first; who finds none waits for nobody
    /// and pins its own.
    fn reserve(&self, backend: &dyn Backend, count: usize) -> bool {
        let mut chunks = lock(&self.chunks);
        while chunks.len() < count {
            let Some(chunk) = backend.pin(CHUNK) else {
                return false;
            };
            chunks.push_back(Chunk {
                at: chunk,
                busy: None,
            });
        }
        true
    }

    /// Two chunks; none where no more memory can be pinned.
    fn slots(&self, backend: &dyn Backend) -> Option<[Slot; 2]> {
        let first = self.take(backend)?;
        let Some(second) = self.take(backend) else {
            lock(&self.chunks).push_front(first);
            return None;
        };
        Some([Slot::new(first), Slot::new(second)])
    }

    fn take(&self, backend: &dyn Backend) -> Option<Chunk> {
        let kept = lock(&self.chunks).pop_front();
        kept.or_else(|| {
            let at = backend.pin(CHUNK)?;
            Some(Chunk { at, busy: None })
        })
    }

    fn copy(
        &self,
        backend: &dyn Backend,
        stream: StreamId,
        device: Ptr,
        host: Way,
        bytes: usize,
        threads: usize,
    ) -> Result<(), Error> {
        let next = AtomicUsize::new(0);
        let work = || self.copy_chunks(backend, stream, device, host, bytes, &next);
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads)
                .map_while(|_| spawn(scope, work).ok())
                .collect();
            // Where the system has no more threads to give, this one does what is left.
            let mut result = work();
            for other in others {
                match other.join() {
                    Ok(done) => result = result.and(done),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            result
        })
    }

    /// Copies chunks that no other thread has taken.
    fn copy_chunks(
        &self,
        backend: &dyn Backend,
        stream: StreamId,
        device: Ptr,
        host: Way,
        bytes: usize,
        next: &AtomicUsize,
    ) -> Result<(), Error> {
        // The chunks are filled and emptied under it.
        let _hold = backend.hold()?;
        let Some(mut slots) = self.slots(backend) else {
            let left = next.swap(bytes, Relaxed).min(bytes);
            // SAFETY: what is left lies in the range that the caller promised.
            return unsafe { host.directly(backend, stream, device, left, bytes - left) };
        };
        let mut result = Ok(());
        for turn in [0, 1].into_iter().cycle() {
            let at = next.fetch_add(CHUNK, Relaxed);
            if at >= bytes {
                break;
            }
            let length = CHUNK.min(bytes - at);
            result = slots[turn].finish(backend, host);
            if result.is_err() {
                break;
            }
            result = slots[turn].begin(backend, stream, device, host, at, length);
            if result.is_err() {
                break;
            }
        }
        if result.is_err() || matches!(host, Way::Down(_)) {
            for slot in &mut slots {
                let finished = slot.finish(backend, host);
                result = result.and(finished);
            }
        }
        if result.is_ok() {
            // After a failure the device may still be writing: those chunks are never used again.
            lock(&self.chunks).extend(slots.map(Slot::into_chunk));
        }
        result
    }
}

impl Way {
    /// Leaves a part of the copy to the driver.
    ///
    /// # Safety
    ///
    /// The part lies in the range, which the caller keeps until the stream has been waited for.
    unsafe fn directly(
        self,
        backend: &dyn Backend,
        stream: StreamId,
        device: Ptr,
        at: usize,
        bytes: usize,
    ) -> Result<(), Error> {
        let (device, bytes) = (device.offset(at as u64), bytes as u64);
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Way::Up(from) => backend.upload(stream, device, from.add(at), bytes),
                Way::Down(to) => backend.download(stream, to.add(at), device, bytes),
            }
        }
    }
}

/// Starts a thread of a scope.
fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    #[cfg(all(test, feature = "sim"))]
    if tests::NO_THREADS.get() {
        return Err(io::ErrorKind::WouldBlock.into());
    }
    Builder::new().spawn_scoped(scope, work)
}

/// A chunk and the copy that uses it.
struct Slot {
    chunk: *mut u8,
    busy: Option<Busy>,
}

/// What the device copies to a chunk or out of it.
struct Busy {
    /// Its end.
    event: EventId,
    /// Where in the host's range it belongs, and its length, where it comes from the device.
    back: Option<(usize, usize)>,
}

impl Slot {
    fn new(chunk: Chunk) -> Slot {
        let busy = chunk.busy.map(|event| Busy { event, back: None });
        Slot {
            chunk: chunk.at,
            busy,
        }
    }

    /// The chunk, for the next copy.
    fn into_chunk(self) -> Chunk {
        Chunk {
            at: self.chunk,
            busy: self.busy.map(|busy| busy.event),
        }
    }

    /// Starts the device's copy of one part.
    fn begin(
        &mut self,
        backend: &dyn Backend,
        stream: StreamId,
        device: Ptr,
        host: Way,
        at: usize,
        bytes: usize,
    ) -> Result<(), Error> {
        let device = device.offset(at as u64);
        // SAFETY: the chunk is free and at least this long; the part lies in the range that the caller promised.
        unsafe {
            match host {
                Way::Up(from) => {
                    from.add(at).copy_to_nonoverlapping(self.chunk, bytes);
                    backend.upload(stream, device, self.chunk, bytes as u64)?;
                }
                Way::Down(_) => backend.download(stream, self.chunk, device, bytes as u64)?,
            }
        }
        self.busy = Some(Busy {
            event: backend.record(stream)?,
            back: matches!(host, Way::Down(_)).then_some((at, bytes)),
        });
        Ok(())
    }

    /// Waits for the device's copy, and empties the chunk where it came from the device.
    fn finish(&mut self, backend: &dyn Backend, host: Way) -> Result<(), Error> {
        let Some(Busy { event, back }) = self.busy.take() else {
            return Ok(());
        };
        let reached = backend.reach(event);
        backend.forget(event);
        reached?;
        if let (Way::Down(to), Some((at, bytes))) = (host, back) {
            // SAFETY: the device is done with the chunk; the part lies in the range that the caller promised.
            unsafe { self.chunk.copy_to_nonoverlapping(to.add(at), bytes) };
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;
    use std::sync::atomic::Ordering::SeqCst;

    use super::*;
    use crate::device::backend::faulty::{Faults, Faulty};
    use crate::device::backend::sim::Simulated;

    thread_local! {
        /// Whether the system has no threads for this one's copies.
        pub(super) static NO_THREADS: Cell<bool> = const { Cell::new(false) };
    }

    /// Three parts, the last of them short.
    const BYTES: usize = 5 * CHUNK + 12345;

    /// Copies there and back by three threads on a device with these faults.
    fn round_trip(faults: Faults) -> (Result<(), Error>, Arc<Faults>, Staging) {
        let faults = Arc::new(faults);
        let sim = Simulated::with(ptx_sim::Limits::default(), 11);
        let backend = Faulty::new(Box::new(sim), Arc::clone(&faults));
        let staging = Staging::default();
        let stream = backend.create_stream().unwrap();
        let device = backend.allocate(stream, BYTES as u64).unwrap();
        let from: Vec<u8> = (0..BYTES).map(|i| (i * 7 + i / 251) as u8).collect();
        let mut to = vec![0u8; BYTES];
        let up = Way::Up(from.as_ptr());
        let done = staging
            .copy(&backend, stream, device, up, BYTES, 3)
            .and_then(|()| {
                let down = Way::Down(to.as_mut_ptr());
                staging.copy(&backend, stream, device, down, BYTES, 3)
            });
        assert!(done.is_err() || from == to, "other bytes came back");
        (done, faults, staging)
    }

    #[test]
    fn what_goes_up_in_parts_comes_down_again() {
        let (done, faults, staging) = round_trip(Faults::pinning(u64::MAX));
        assert_eq!(done, Ok(()));
        // Two for each thread at most, fewer where one was done before another began, and no more for the way back.
        let pinned = u64::MAX - faults.pins.load(SeqCst);
        assert!((2..=6).contains(&pinned), "{pinned} chunks");
        assert_eq!(lock(&staging.chunks).len() as u64, pinned);
    }

    #[test]
    fn the_next_copy_leaves_what_is_still_on_the_bus() {
        let faults = Arc::new(Faults {
            late: true,
            ..Faults::pinning(u64::MAX)
        });
        let sim = Simulated::with(ptx_sim::Limits::default(), 11);
        let backend = Faulty::new(Box::new(sim), faults);
        let staging = Staging::default();
        let stream = backend.create_stream().unwrap();
        let copies = [3, 5, 7].map(|k| {
            let from: Vec<u8> = (0..BYTES).map(|i| (i * k + i / 251) as u8).collect();
            (from, backend.allocate(stream, BYTES as u64).unwrap())
        });
        for (from, device) in &copies {
            let up = Way::Up(from.as_ptr());
            let done = staging.copy(&backend, stream, *device, up, BYTES, 2);
            assert_eq!(done, Ok(()));
        }
        backend.sync(stream).unwrap();
        for (from, device) in &copies {
            let mut to = vec![0u8; BYTES];
            let down = Way::Down(to.as_mut_ptr());
            let done = staging.copy(&backend, stream, *device, down, BYTES, 2);
            assert_eq!(done, Ok(()));
            assert!(*from == to, "other bytes came back");
        }
    }

    #[test]
    fn without_threads_the_caller_copies() {
        NO_THREADS.set(true);
        let (done, _, staging) = round_trip(Faults::pinning(u64::MAX));
        NO_THREADS.set(false);
        assert_eq!(done, Ok(()));
        assert_eq!(lock(&staging.chunks).len(), 2);
    }

    #[test]
    fn without_pinned_memory_the_driver_copies() {
        for pins in 0..6 {
            let (done, faults, staging) = round_trip(Faults::pinning(pins));
            assert_eq!(done, Ok(()), "{pins} chunks");
            let pinned = pins - faults.pins.load(SeqCst);
            let kept = lock(&staging.chunks).len() as u64;
            assert_eq!(kept, pinned, "a chunk was lost");
        }
    }

    #[test]
    fn a_part_that_fails_is_the_copys_failure() {
        for k in [0, 3, 7] {
            let faults = Faults::pinning(u64::MAX);
            faults.copy.store(k, SeqCst);
            let (done, faults, _) = round_trip(faults);
            assert!(
                matches!(done, Err(Error::Driver { .. })),
                "copy {k}: {done:?}"
            );
            assert!(faults.copies.load(SeqCst) > k);
        }
    }
}

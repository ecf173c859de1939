//! Large copies between the host and a device through pinned memory, by several threads.
//!
//! The driver copies ordinary memory through a pinned buffer of its own, with one thread; that thread's
//! `memcpy` is then the limit, well below what the bus carries. Here each of a few threads takes a part of the range
//! and keeps two pinned chunks in flight: one is filled (or emptied) while the device copies the other.

use std::sync::Mutex;

use crate::Error;
use crate::backend::{Backend, EventId, Ptr, StreamId};
use crate::context::lock;

/// Bytes of a pinned chunk.
const CHUNK: usize = 2 << 20;

/// Copies from this many bytes on are worth the threads.
const WORTH: usize = 16 << 20;

/// Threads at most. Beyond these the bus is the limit.
const MOST_THREADS: usize = 6;

/// Pinned chunks that nobody uses now.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    chunks: Mutex<Vec<Chunk>>,
}

/// A pinned chunk's address. Chunks live as long as the process, like the context that made them.
#[derive(Debug)]
struct Chunk(*mut u8);

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
            chunks.push(Chunk(chunk));
        }
        true
    }

    fn take(&self, backend: &dyn Backend) -> Result<Chunk, Error> {
        if let Some(chunk) = lock(&self.chunks).pop() {
            return Ok(chunk);
        }
        backend
            .pin(CHUNK)
            .map(Chunk)
            .ok_or_else(|| Error::OutOfMemory {
                asked: CHUNK as u64,
                free: 0,
                device: "the host (pinned memory)".to_owned(),
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
        let part = bytes.div_ceil(threads).next_multiple_of(CHUNK);
        std::thread::scope(|scope| {
            let parts: Vec<_> = (0..bytes)
                .step_by(part)
                .map(|start| {
                    let end = (start + part).min(bytes);
                    scope.spawn(move || self.copy_part(backend, stream, device, host, start, end))
                })
                .collect();
            let mut result = Ok(());
            for part in parts {
                match part.join() {
                    Ok(done) => result = result.and(done),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            result
        })
    }

    fn copy_part(
        &self,
        backend: &dyn Backend,
        stream: StreamId,
        device: Ptr,
        host: Way,
        start: usize,
        end: usize,
    ) -> Result<(), Error> {
        let mut slots = [
            Slot::new(self.take(backend)?),
            Slot::new(self.take(backend)?),
        ];
        let mut result = Ok(());
        for (at, turn) in (start..end).step_by(CHUNK).zip([0, 1].into_iter().cycle()) {
            let bytes = CHUNK.min(end - at);
            result = slots[turn].finish(backend, host);
            if result.is_err() {
                break;
            }
            result = slots[turn].begin(backend, stream, device, host, at, bytes);
            if result.is_err() {
                break;
            }
        }
        for slot in &mut slots {
            let finished = slot.finish(backend, host);
            result = result.and(finished);
        }
        if result.is_ok() {
            // After a failure the device may still be writing: those chunks are never used again.
            lock(&self.chunks).extend(slots.map(|slot| slot.chunk));
        }
        result
    }
}

/// A chunk and the copy that uses it.
struct Slot {
    chunk: Chunk,
    /// The end of the device's copy, and the part of the host's range.
    busy: Option<(EventId, usize, usize)>,
}

impl Slot {
    fn new(chunk: Chunk) -> Slot {
        Slot { chunk, busy: None }
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
                    from.add(at).copy_to_nonoverlapping(self.chunk.0, bytes);
                    backend.upload(stream, device, self.chunk.0, bytes as u64)?;
                }
                Way::Down(_) => backend.download(stream, self.chunk.0, device, bytes as u64)?,
            }
        }
        self.busy = Some((backend.record(stream)?, at, bytes));
        Ok(())
    }

    /// Waits for the device's copy, and empties the chunk where it came from the device.
    fn finish(&mut self, backend: &dyn Backend, host: Way) -> Result<(), Error> {
        let Some((event, at, bytes)) = self.busy.take() else {
            return Ok(());
        };
        let reached = backend.reach(event);
        backend.forget(event);
        reached?;
        if let Way::Down(to) = host {
            // SAFETY: the device is done with the chunk; the part lies in the range that the caller promised.
            unsafe { self.chunk.0.copy_to_nonoverlapping(to.add(at), bytes) };
        }
        Ok(())
    }
}

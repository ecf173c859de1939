//! Pieces of a call on one device: two streams with a part of each array, which take turns.
//!
//! A piece's part of the arrays is copied to a stream's buffers, its kernel is queued behind, and what is written comes back when the
//! stream's turn comes again. So the copy of one piece goes on beside the kernel of the one before. Kernels that have bins, or arrays of
//! which all is on the device, in common run one after the other, in the order of the pieces: what is carried from iteration to
//! iteration goes through memory from one piece to the next, and the first fault that is seen is the earliest.

use std::ops::Range;
use std::sync::Arc;

use super::cut::{Cut, Share};
use super::memory::{claim, host_memory, neutral, place_of, whole};
use crate::base::error::Error;
use crate::device::allocation::Allocation;
use crate::device::backend::Ptr;
use crate::device::context::{Context, Work};
use crate::device::queue::Queue;
use crate::device::residence::{ALIGNMENT, Written};
use crate::gpu::array::{Array, Bins, Memory};
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::choose::prepared::Size;
use crate::gpu::launch::arguments::Arguments;
use crate::gpu::launch::settle::{Returning, bring_back};
use crate::gpu::launch::state::Launches;
use crate::gpu::reach::Window;

/// Memory of a device that has a part of an array, and where the array would begin there.
pub(in crate::gpu) type Kept = (Arc<Allocation>, Ptr);

/// A call, whoever runs pieces of it.
#[derive(Clone, Copy)]
pub(in crate::gpu) struct Pieced<'a> {
    pub(in crate::gpu) of: &'a Loop,
    pub(in crate::gpu) counts: &'a [u64],
    pub(in crate::gpu) arrays: &'a [Array<'a>],
    pub(in crate::gpu) bins: &'a [Bins<'a>],
    pub(in crate::gpu) captured: &'a [u64],
    pub(in crate::gpu) cut: &'a Cut,
    /// What the device keeps of arrays, by their numbers in the call.
    pub(in crate::gpu) kept: &'a [Option<Kept>],
    /// Positions of a piece, at most.
    pub(in crate::gpu) length: u64,
    /// The loop's modules that cannot run a part of its iterations.
    pub(in crate::gpu) without: &'a [usize],
}

/// What bins hold before the first piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu) enum Start {
    /// What the caller's do.
    Caller,
    /// What changes nothing: the caller's are combined with it in the end.
    Neutral,
}

/// A device that runs pieces.
pub(in crate::gpu) struct Runner<'a> {
    call: Pieced<'a>,
    context: Arc<Context>,
    lanes: [Lane; 2],
    /// Whose turn it is.
    turn: usize,
    /// Arrays of which all that is needed is on the device, by their numbers in the call.
    whole: Vec<Option<Kept>>,
    /// The bins that it fills.
    bins: Vec<Arc<Allocation>>,
    /// What comes back of arrays that are read as well, until the call has succeeded.
    landings: Vec<Option<Landing>>,
    /// Resident arrays that it writes where they are.
    written: Vec<Written>,
    /// Pieces that are done, and positions in them.
    pub(in crate::gpu) done: (u64, u64),
}

// SAFETY: the caller's memory is all that is not `Send` by itself. It is borrowed, for reading or exclusively, until every runner of the call has
// ended, and runners write disjoint parts of it.
unsafe impl Send for Runner<'_> {}
// SAFETY: as above; nothing of it is changed through a shared reference.
unsafe impl Sync for Pieced<'_> {}
// SAFETY: as above.
unsafe impl Send for Pieced<'_> {}

struct Lane {
    queue: Arc<Queue>,
    /// Room for the parts of arrays, by their numbers in the call.
    parts: Vec<Option<Arc<Allocation>>>,
    /// The piece that is under way.
    piece: Option<Range<u64>>,
}

/// Host memory as long as an array, in which some parts are filled.
struct Landing {
    memory: Vec<u8>,
    filled: Vec<Range<u64>>,
}

impl<'a> Runner<'a> {
    /// Gets a device ready: what all pieces need is on its way.
    ///
    /// # Errors
    ///
    /// The device's.
    pub(in crate::gpu) fn new(
        call: Pieced<'a>,
        context: &Arc<Context>,
        start: Start,
    ) -> Result<Runner<'a>, Error> {
        let lane = || {
            Ok(Lane {
                queue: Queue::new(context)?,
                parts: vec![None; call.arrays.len()],
                piece: None,
            })
        };
        let mut runner = Runner {
            call,
            context: Arc::clone(context),
            lanes: [lane()?, lane()?],
            turn: 0,
            whole: vec![None; call.arrays.len()],
            bins: Vec::new(),
            landings: call.arrays.iter().map(|_| None).collect(),
            written: Vec::new(),
            done: (0, 0),
        };
        runner.place_common(start)?;
        Ok(runner)
    }

    fn place_common(&mut self, start: Start) -> Result<(), Error> {
        let call = self.call;
        let abi = &call.of.modules[0].abi;
        let queue = Arc::clone(&self.lanes[0].queue);
        for array in abi.arrays.iter() {
            let number = array.array as usize;
            let passed = &call.arrays[number];
            self.whole[number] = match call.cut.shares[number] {
                Share::Nothing => None,
                Share::There => {
                    let there = call.of.place_there(&queue, passed, &array.name)?;
                    if let (Memory::Resident(all, _), true) = (passed.memory, passed.written) {
                        let written = all.device_is_newer(&queue.context, &all.whole());
                        self.written.push(written);
                    }
                    Some(there)
                }
                Share::Kept(_) => call.kept[number].clone(),
                Share::Whole => Some(whole(&queue, passed, &array.name)?),
                Share::Part(window) => {
                    self.make_room(number, passed, window)?;
                    None
                }
            };
        }
        for (target, bins) in abi.targets.iter().zip(call.bins) {
            let memory = match start {
                Start::Caller => whole(&queue, &bins.array, &target.name)?.0,
                Start::Neutral => {
                    let gathers = target.op.row().gathers;
                    let value = gathers.neutral_bits(target.elem).to_le_bytes();
                    let value = &value[..target.elem.size() as usize];
                    neutral(&queue, bins.array.bytes.max(1), value)?
                }
            };
            self.bins.push(memory);
        }
        Ok(())
    }

    /// Takes both streams' room for the parts of an array.
    fn make_room(&mut self, number: usize, array: &Array<'_>, window: Window) -> Result<(), Error> {
        let (stride, more) = window.pitch();
        let elements = stride.saturating_mul(self.call.length).saturating_add(more);
        let bytes = elements.min(array.len) * array.elem_bytes() + ALIGNMENT;
        for lane in &mut self.lanes {
            lane.parts[number] = Some(Allocation::new(&lane.queue, bytes)?);
        }
        if array.written && window.read {
            self.landings[number] = Some(Landing {
                memory: Vec::with_capacity(array.bytes as usize),
                filled: Vec::new(),
            });
        }
        Ok(())
    }

    /// Begins a piece, after the one that had the stream before is done.
    ///
    /// # Errors
    ///
    /// A fault of an earlier piece, the earliest; the device's.
    pub(in crate::gpu) fn piece(&mut self, piece: Range<u64>) -> Result<(), Error> {
        let turn = self.turn;
        self.settle(turn)?;
        self.turn = 1 - turn;
        match self.queue(turn, &piece) {
            Ok(()) => {
                self.lanes[turn].piece = Some(piece);
                Ok(())
            }
            // A fault that is there already counts, not what may have come of it.
            Err(e) => self.settle(self.turn).and(Err(e)),
        }
    }

    fn queue(&self, turn: usize, piece: &Range<u64>) -> Result<(), Error> {
        let call = self.call;
        let of = call.of;
        let lane = &self.lanes[turn];
        let queue = &lane.queue;
        // The copies of parts come first: they wait for nobody.
        let mut parts = vec![Ptr(0); call.arrays.len()];
        for (number, memory) in lane.parts.iter().enumerate() {
            if let (Some(memory), Share::Part(window)) = (memory, call.cut.shares[number]) {
                parts[number] = self.upload(queue, memory, &call.arrays[number], window, piece)?;
            }
        }
        let items = (piece.end - piece.start) * call.cut.inner;
        let read = of.modules[0].abi.arrays.iter().map(|a| a.array as usize);
        let bytes = read.map(|number| match call.cut.shares[number] {
            Share::Nothing => 0,
            Share::There | Share::Whole | Share::Kept(None) => call.arrays[number].bytes,
            Share::Part(window) | Share::Kept(Some(window)) => {
                let array = &call.arrays[number];
                let elements = window.elements(piece, array.len);
                (elements.end - elements.start) * array.elem_bytes()
            }
        });
        let size = Size {
            items,
            outer: piece.end - piece.start,
            item_bytes: bytes.sum::<u64>() as f64 / items as f64,
            sample: of.sampled().last(),
        };
        let prepared = of.prepare_with_queues(queue, size, call.bins, call.without.to_vec())?;
        let sampler = of.sampler_of(queue, &prepared);
        let abi = &of.modules[prepared.module].abi;
        let mut arguments = Arguments {
            counts: call.counts.to_vec(),
            range: Some((piece.start * call.cut.inner, piece.end * call.cut.inner)),
            captured: of.captured(abi, call.captured),
            ..Arguments::default()
        };
        for array in abi.arrays.iter() {
            let number = array.array as usize;
            let passed = &call.arrays[number];
            let address = match (&self.whole[number], &lane.parts[number]) {
                (Some((memory, ptr)), _) => {
                    claim(memory, queue, passed.written, &array.name)?;
                    arguments.keep.push(Arc::clone(memory));
                    *ptr
                }
                (None, Some(memory)) => {
                    arguments.keep.push(Arc::clone(memory));
                    parts[number]
                }
                (None, None) => Ptr(0),
            };
            arguments.arrays.push((address.0, passed.len));
        }
        for ((target, bins), memory) in abi.targets.iter().zip(call.bins).zip(&self.bins) {
            claim(memory, queue, true, &target.name)?;
            arguments.bins.push((memory.ptr().0, bins.array.len));
            arguments.keep.push(Arc::clone(memory));
        }
        of.launch(queue, sampler, prepared, arguments)
    }

    /// Copies a piece's part of an array to its stream's room, and returns where the array would begin if all of it were there.
    fn upload(
        &self,
        queue: &Arc<Queue>,
        memory: &Arc<Allocation>,
        array: &Array<'_>,
        window: Window,
        piece: &Range<u64>,
    ) -> Result<Ptr, Error> {
        let (at, start, bytes) = place_of(memory, array, window, piece);
        memory.claim_to_write(queue, "a part of an array")?;
        if bytes > 0 {
            let from = host_memory(array)?.wrapping_add(start as usize);
            // SAFETY: the elements lie in the caller's slice, which is borrowed until the call has been waited for; the room is as long as
            // the longest part.
            unsafe { self.context.upload(queue.stream, at, from, bytes)? };
        }
        // As the kernel has it, whose indices are those of the whole array.
        Ok(Ptr(at.0.wrapping_sub(start)))
    }

    /// Waits for a stream's piece, and brings back what it has written.
    fn settle(&mut self, turn: usize) -> Result<(), Error> {
        let Some(piece) = self.lanes[turn].piece.take() else {
            return Ok(());
        };
        let queue = Arc::clone(&self.lanes[turn].queue);
        queue.sync()?;
        let (mut back, mut waits) = (Ok(()), false);
        for (number, memory) in self.lanes[turn].parts.iter().enumerate() {
            let array = &self.call.arrays[number];
            let (Some(memory), Share::Part(window), true) =
                (memory, self.call.cut.shares[number], array.written)
            else {
                continue;
            };
            let (from, start, bytes) = place_of(memory, array, window, &piece);
            if bytes == 0 {
                continue;
            }
            let to = match &mut self.landings[number] {
                Some(landing) => {
                    landing.filled.push(start..start + bytes);
                    landing.memory.as_mut_ptr()
                }
                None => host_memory(array)?,
            };
            let to = to.wrapping_add(start as usize);
            // SAFETY: the part lies in the caller's exclusive slice, or in a landing place as long; it is waited for below.
            let copied = unsafe { self.context.download(queue.stream, to, from, bytes) };
            back = back.and(copied);
            waits = true;
        }
        if waits {
            let waited = self.context.backend.sync(queue.stream);
            back = back.and(waited);
        }
        back?;
        self.done.0 += 1;
        self.done.1 += piece.end - piece.start;
        Ok(())
    }

    /// Waits for the earlier of the two pieces that may be under way.
    ///
    /// # Errors
    ///
    /// Its fault, or the device's.
    pub(in crate::gpu) fn finish_next(&mut self) -> Result<(), Error> {
        let turn = self.turn;
        self.turn = 1 - turn;
        self.settle(turn)
    }

    /// Whether a piece is under way on the first stream.
    pub(in crate::gpu) fn is_under_way(&self) -> bool {
        self.lanes[0].piece.is_some()
    }

    /// Waits for the only piece, and brings its bins back with the same wait.
    ///
    /// # Errors
    ///
    /// Its fault, or the device's.
    pub(in crate::gpu) fn finish_with_bins(&mut self) -> Result<Vec<Vec<u8>>, Error> {
        let queue = Arc::clone(&self.lanes[0].queue);
        let targets = &self.call.of.modules[0].abi.targets;
        let (mut own, mut back) = (Vec::new(), Vec::new());
        for ((target, bins), memory) in targets.iter().zip(self.call.bins).zip(&self.bins) {
            let mut bytes = vec![0; bins.array.bytes as usize];
            if !bytes.is_empty() {
                back.push(Returning {
                    _memory: Arc::clone(memory),
                    from: memory.claim_to_read(&queue, &target.name)?,
                    to: bytes.as_mut_ptr(),
                    bytes: bins.array.bytes,
                });
            }
            own.push(bytes);
        }
        let mut lane = queue.lane();
        let launches = lane.work::<Launches>();
        launches.settle_returning(&self.context, queue.stream, &back)?;
        if let Some(piece) = self.lanes[0].piece.take() {
            self.done = (1, piece.end - piece.start);
        }
        Ok(own)
    }

    /// Brings back what was left on the device, bins in `to` or the caller's own, now that all iterations have succeeded.
    /// [`Runner::commit`] is what is left to do then.
    ///
    /// # Errors
    ///
    /// The device's.
    pub(in crate::gpu) fn bring_back(&mut self, to: Option<&mut [Vec<u8>]>) -> Result<(), Error> {
        let call = self.call;
        let queue = Arc::clone(&self.lanes[0].queue);
        let mut back = Vec::new();
        for array in call.of.modules[0].abi.arrays.iter().filter(|a| a.written) {
            let passed = &call.arrays[array.array as usize];
            let number = array.array as usize;
            if let (Share::Whole, Some((memory, _))) =
                (call.cut.shares[number], &self.whole[number])
            {
                back.push(Returning {
                    _memory: Arc::clone(memory),
                    from: memory.claim_to_read(&queue, &array.name)?,
                    to: host_memory(passed)?,
                    bytes: passed.bytes,
                });
            }
        }
        let targets = &call.of.modules[0].abi.targets;
        let mut to = to.map(|all| all.iter_mut());
        for ((target, bins), memory) in targets.iter().zip(call.bins).zip(&self.bins) {
            let from = memory.claim_to_read(&queue, &target.name)?;
            let bytes = bins.array.bytes;
            let host = match (&mut to, bins.array.memory) {
                (Some(to), _) => {
                    let to = to.next().expect("there is one for each target");
                    to.resize(bytes as usize, 0);
                    to.as_mut_ptr()
                }
                (None, Memory::Host(to)) => to,
                (None, _) => {
                    self.write_there(&queue, &bins.array, from, &target.name)?;
                    continue;
                }
            };
            if bytes > 0 {
                back.push(Returning {
                    _memory: Arc::clone(memory),
                    from,
                    to: host,
                    bytes,
                });
            }
        }
        bring_back(&self.context, queue.stream, &back)?;
        self.written.drain(..).for_each(Written::keep);
        Ok(())
    }

    /// Puts what was read and written into the caller's memory.
    ///
    /// # Errors
    ///
    /// A resident array's.
    pub(in crate::gpu) fn commit(mut self) -> Result<(), Error> {
        for (array, landing) in self.call.arrays.iter().zip(&mut self.landings) {
            if let Some(landing) = landing.take() {
                let to = host_memory(array)?;
                for part in landing.filled {
                    let (start, bytes) = (part.start as usize, (part.end - part.start) as usize);
                    // SAFETY: the part has been filled, and lies in the caller's exclusive slice as it lies in the landing place.
                    unsafe {
                        landing
                            .memory
                            .as_ptr()
                            .add(start)
                            .copy_to_nonoverlapping(to.add(start), bytes);
                    }
                }
            }
        }
        Ok(())
    }

    /// Copies bins to where the caller has them on the device.
    fn write_there(
        &self,
        queue: &Arc<Queue>,
        array: &Array<'_>,
        from: Ptr,
        name: &str,
    ) -> Result<(), Error> {
        let (memory, to, written) = match array.memory {
            Memory::Device(memory, ptr) => {
                memory.claim_to_write(queue, name)?;
                (Arc::clone(memory), ptr, None)
            }
            Memory::Resident(all, at) => {
                let (memory, origin) = all.to_device(queue, &all.whole())?;
                memory.claim_to_write(queue, name)?;
                let written = all.device_is_newer(&queue.context, &all.whole());
                (memory, origin.offset(at), Some(written))
            }
            Memory::Host(_) | Memory::Appended(..) | Memory::Nowhere => return Ok(()),
        };
        // SAFETY: both are as long as the bins, which are no part of each other.
        unsafe {
            self.context
                .backend
                .copy(queue.stream, to, from, array.bytes)?
        };
        self.context.backend.sync(queue.stream)?;
        drop(memory);
        if let Some(written) = written {
            written.keep();
        }
        Ok(())
    }
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        // Copies read the caller's memory until then, whatever has failed.
        for lane in &self.lanes {
            let mut guard = lane.queue.lane();
            let _ = guard
                .work::<Launches>()
                .settle(&self.context, lane.queue.stream);
            let _ = self.context.backend.sync(lane.queue.stream);
        }
    }
}

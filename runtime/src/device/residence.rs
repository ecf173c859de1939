//! Host memory of which devices have copies, or parts, and which of them are current.
//!
//! What is known are ranges of bytes: those of which the host's memory is old, and for each device the room it has and what of it is current
//! there. A device that has all of an array is the case of one range; several that share calls have a part each, and what two of them
//! need, such as the seam of a stencil, is current on both until one writes it. What a device needs and has not comes from the host,
//! by way of which it also comes from another device; nothing else moves.
//!
//! Every byte is current somewhere. While none of the host's is old, references to its memory may be about. They end before a device's copy
//! becomes the newer one, since a call that writes there borrows the memory exclusively. So whoever finds bytes old, under the
//! lock, may write them in the host's memory, although all he has is a shared borrow: nobody looks at it, and the
//! next one who asks finds them current.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::allocation::Allocation;
#[cfg(any(feature = "cuda", feature = "sim"))]
use crate::device::backend::Ptr;
#[cfg(any(feature = "cuda", feature = "sim"))]
use crate::device::context::Context;
#[cfg(any(feature = "cuda", feature = "sim"))]
use crate::device::queue::Queue;
use crate::device::ranges::Ranges;

/// Which copies there are, and what of them is current.
#[derive(Debug, Default)]
struct Copies {
    /// The bytes of which the host's memory is old.
    old: Ranges,
    /// What devices have: one copy each, at most.
    there: Vec<DeviceCopy>,
}

/// What a device has.
#[derive(Debug)]
struct DeviceCopy {
    memory: Arc<Allocation>,
    /// The bytes that the memory has room for.
    room: Range<u64>,
    /// Those that are current there.
    current: Ranges,
}

/// What is known of the copies of some host memory.
#[derive(Debug, Default)]
pub(crate) struct Residence(Mutex<Copies>);

/// Host memory, lent together with what is known of its copies.
#[derive(Clone, Copy)]
pub(crate) struct Lent<'a> {
    of: &'a Arc<Residence>,
    start: *mut u8,
    bytes: u64,
}

// SAFETY: the memory holds plain data of types that are `Send` and `Sync`; it is written under the lock, while nobody has a
// reference to it.
unsafe impl Send for Lent<'_> {}
// SAFETY: as above.
unsafe impl Sync for Lent<'_> {}

impl fmt::Debug for Lent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes, {}", self.bytes, self.of)
    }
}

impl fmt::Display for Residence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let copies = lock(&self.0);
        if copies.there.is_empty() {
            return write!(f, "on the host");
        }
        f.write_str(match copies.old.is_empty() {
            true => "on the host and on ",
            false => "newer on ",
        })?;
        for (number, copy) in copies.there.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{}", copy.memory.device())?;
        }
        Ok(())
    }
}

impl Copies {
    /// Forgets copies of which nothing is current: their memory is given back.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    fn tidy(&mut self) {
        self.there.retain(|copy| !copy.current.is_empty());
    }

    /// The copy of a device.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    fn of(&self, context: &Arc<Context>) -> Option<usize> {
        self.there.iter().position(|c| c.memory.is_of(context))
    }
}

#[cfg(any(feature = "cuda", feature = "sim"))]
impl DeviceCopy {
    fn has_room(&self, range: &Range<u64>) -> bool {
        self.room.start <= range.start && range.end <= self.room.end
    }

    /// Where all of the memory would begin, were it there.
    fn origin(&self) -> Ptr {
        Ptr(self.memory.ptr().0.wrapping_sub(self.room.start))
    }
}

impl<'a> Lent<'a> {
    /// Lends memory.
    ///
    /// # Safety
    ///
    /// For `'a` there are that many bytes of a device type's elements at `start`, which are written only through this, but
    /// by who has them exclusively and has said so by [`Lent::host_is_newer`]. References to them are made only after
    /// [`Lent::to_host`], and have ended when [`Lent::device_is_newer`] is said. Nothing else is said of the same residence
    /// for other memory.
    pub(crate) unsafe fn new(of: &'a Arc<Residence>, start: *mut u8, bytes: u64) -> Lent<'a> {
        Lent { of, start, bytes }
    }

    /// What is known of the memory, where it is, and how many bytes there are.
    pub(crate) fn parts(self) -> (&'a Arc<Residence>, *mut u8, u64) {
        (self.of, self.start, self.bytes)
    }

    /// All of its bytes.
    pub(crate) fn whole(self) -> Range<u64> {
        0..self.bytes
    }

    /// Brings the host's memory up to date, and says where it is.
    ///
    /// # Errors
    ///
    /// A failure of a copy, or of work queued on the memory before.
    pub(crate) fn to_host(self) -> Result<*mut u8, Error> {
        self.refresh(&mut lock(&self.of.0), &self.whole())?;
        Ok(self.start)
    }

    /// Brings a range of the host's memory up to date.
    fn refresh(self, copies: &mut Copies, range: &Range<u64>) -> Result<(), Error> {
        if copies.old.is_empty() {
            return Ok(());
        }
        for copy in &copies.there {
            for old in copies.old.within(range).iter() {
                for bytes in copy.current.within(old).iter() {
                    let from = copy.memory.ptr().offset(bytes.start - copy.room.start);
                    let to = self.start.wrapping_add(bytes.start as usize);
                    // SAFETY: the bytes lie in the copy's room and in the memory, which nobody looks at where it is old, and what is known of
                    // them is locked.
                    unsafe { copy.memory.read(from, to, bytes.end - bytes.start)? };
                    copies.old.remove(bytes);
                }
            }
        }
        debug_assert!(copies.old.within(range).is_empty(), "bytes are nowhere");
        Ok(())
    }

    /// Says that the host's memory is about to be written, by whoever has borrowed it exclusively, after [`Lent::to_host`].
    pub(crate) fn host_is_newer(self) {
        *lock(&self.of.0) = Copies::default();
    }

    /// A range of the memory on a device: the device's memory, and the address at which all would begin if it were there.
    /// What is there already is not moved.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or a failure of a copy.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn to_device(
        self,
        queue: &Arc<Queue>,
        range: &Range<u64>,
    ) -> Result<(Arc<Allocation>, Ptr), Error> {
        let mut copies = lock(&self.of.0);
        let known = copies.of(&queue.context).map(|at| &copies.there[at]);
        if let Some(copy) = known.filter(|c| c.has_room(range) && c.current.has(range)) {
            return Ok((Arc::clone(&copy.memory), copy.origin()));
        }
        let placed = self.place(&mut copies, queue, range);
        if placed.is_err() {
            copies.tidy();
        }
        placed
    }

    /// Brings to a device what it has not of a range.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    fn place(
        self,
        copies: &mut Copies,
        queue: &Arc<Queue>,
        range: &Range<u64>,
    ) -> Result<(Arc<Allocation>, Ptr), Error> {
        let at = self.make_room(copies, queue, range)?;
        let missing = copies.there[at].current.missing(range);
        for bytes in missing.iter() {
            self.refresh(copies, bytes)?;
            let copy = &mut copies.there[at];
            let from = self.start.wrapping_add(bytes.start as usize);
            let (to, len) = (bytes.start - copy.room.start, bytes.end - bytes.start);
            // SAFETY: the bytes lie in the memory and in the copy's room, and the host's stay as they are: who changes them has a
            // borrow of them that excludes this one. Nobody reads what is not current.
            unsafe { copy.memory.fill(queue, to, from, len)? };
            copy.current.add(bytes);
        }
        let copy = &copies.there[at];
        Ok((Arc::clone(&copy.memory), copy.origin()))
    }

    /// Has a device's copy have room for a range; which copy that is.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    fn make_room(
        self,
        copies: &mut Copies,
        queue: &Arc<Queue>,
        range: &Range<u64>,
    ) -> Result<usize, Error> {
        let known = copies.of(&queue.context);
        let mut wanted = range.clone();
        if let Some(at) = known {
            let copy = &copies.there[at];
            if copy.has_room(range) {
                return Ok(at);
            }
            let room = &copy.room;
            wanted = room.start.min(range.start)..room.end.max(range.end);
        }
        // What is aligned in the whole is aligned in a part.
        let room = wanted.start - wanted.start % ALIGNMENT..wanted.end;
        let memory = match (Allocation::new(queue, room.end - room.start), known) {
            // There is none for both: what is there makes way, and comes back from the host.
            (Err(Error::OutOfMemory { .. }), Some(at)) => {
                self.refresh(copies, &copies.there[at].room.clone())?;
                copies.there.remove(at);
                return self.make_room(copies, queue, range);
            }
            (memory, _) => memory?,
        };
        let mut copy = DeviceCopy {
            memory,
            room,
            current: Ranges::default(),
        };
        let Some(at) = known else {
            // A device that is lost keeps what only it has, and nothing else.
            let old = &copies.old;
            let needed = |copy: &DeviceCopy| copy.current.iter().any(|r| !old.within(r).is_empty());
            copies
                .there
                .retain(|known| !known.memory.is_lost() || needed(known));
            copies.there.push(copy);
            return Ok(copies.there.len() - 1);
        };
        let before = &mut copies.there[at];
        let backend = &queue.context.backend;
        before.memory.claim_to_read(queue, "a resident array")?;
        let to = before.room.start - copy.room.start;
        let (to, from) = (copy.memory.ptr().offset(to), before.memory.ptr());
        // SAFETY: the new room has all of the one before, and is nobody else's yet.
        unsafe { backend.copy(queue.stream, to, from, before.memory.bytes())? };
        backend.sync(queue.stream)?;
        copy.current = std::mem::take(&mut before.current);
        *before = copy;
        Ok(at)
    }

    /// What a call on one device is to have there of it that needs a range: all, since later calls need other ranges, unless other devices
    /// have a share of it.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn for_one(self, context: &Arc<Context>, range: Range<u64>) -> Range<u64> {
        let copies = lock(&self.of.0);
        let shared = copies.there.iter().any(|c| !c.memory.is_of(context));
        if shared { range } else { self.whole() }
    }

    /// Whether a device has all of it, and nothing would have to be moved.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn is_on_device(self) -> bool {
        let copies = lock(&self.of.0);
        let whole = self.whole();
        copies.there.iter().any(|copy| copy.current.has(&whole))
    }

    /// How many bytes of a range would have to be moved to a device.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn missing_on(self, context: &Arc<Context>, range: &Range<u64>) -> u64 {
        let copies = lock(&self.of.0);
        match copies.of(context) {
            Some(at) => copies.there[at].current.missing(range).bytes(),
            None => range.end - range.start,
        }
    }

    /// Whether a device has a newer copy of any of it.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn is_newer_on_device(self) -> bool {
        !lock(&self.of.0).old.is_empty()
    }

    /// The context of the device that has all of it, where all of the host's memory is old.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn newer_on(self) -> Option<Arc<Context>> {
        let (copies, whole) = (lock(&self.of.0), self.whole());
        let mut there = copies.there.iter().filter(|_| copies.old.has(&whole));
        let copy = there.find(|copy| copy.current.has(&whole))?;
        Some(Arc::clone(copy.memory.context()))
    }

    /// Says that a device's copy of a range is about to be written, by whoever has borrowed the memory exclusively, after
    /// [`Lent::to_device`].
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) fn device_is_newer(self, context: &Arc<Context>, range: &Range<u64>) -> Written {
        let mut copies = lock(&self.of.0);
        let Some(at) = copies.of(context) else {
            return Written(None);
        };
        let memory = Arc::clone(&copies.there[at].memory);
        let on_host = copies.old.missing(range);
        copies.old.add(range);
        let others = copies.there.iter_mut().enumerate();
        let others = others.filter(|(other, _)| *other != at);
        others.for_each(|(_, copy)| copy.current.remove(range));
        copies.tidy();
        Written((!on_host.is_empty()).then(|| (Arc::clone(self.of), memory, on_host)))
    }
}

/// Bytes to a multiple of which memory on a device is aligned. A part of an array lies as far from one as it would in the whole, so it
/// may take as many beside its elements.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) const ALIGNMENT: u64 = 256;

/// A write of a device's copy by a call. Unless it is [kept](Written::keep), the host's memory, where it was current, is what counts.
#[cfg(any(feature = "cuda", feature = "sim"))]
#[derive(Debug)]
#[must_use]
pub(crate) struct Written(Option<(Arc<Residence>, Arc<Allocation>, Ranges)>);

#[cfg(any(feature = "cuda", feature = "sim"))]
impl Written {
    /// The call has done what it should, or is to be waited for later.
    pub(crate) fn keep(mut self) {
        self.0 = None;
    }
}

#[cfg(any(feature = "cuda", feature = "sim"))]
impl Drop for Written {
    fn drop(&mut self) {
        if let Some((of, memory, on_host)) = &self.0 {
            let copies = &mut *lock(&of.0);
            let mut own = copies.there.iter_mut();
            let mut own = own.find(|copy| Arc::ptr_eq(&copy.memory, memory));
            for bytes in on_host.iter() {
                if let Some(copy) = &mut own {
                    copy.current.remove(bytes);
                }
                copies.old.remove(bytes);
            }
            copies.tidy();
        }
    }
}

//! The host memory that this thread's calls find on a device, because somebody holds a shared borrow of it for a while.
//!
//! A call that reads a slice asks here whether it lies in such memory. What a call writes cannot: the borrow excludes it.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::Arc;

#[cfg(any(feature = "cuda", feature = "sim"))]
use crate::base::error::Error;
#[cfg(any(feature = "cuda", feature = "sim"))]
use crate::device::allocation::Allocation;
#[cfg(any(feature = "cuda", feature = "sim"))]
use crate::device::backend::Ptr;
#[cfg(any(feature = "cuda", feature = "sim"))]
use crate::device::queue::Queue;
use crate::device::residence::{Lent, Residence};

/// A piece of memory that is held.
#[cfg_attr(
    not(any(feature = "cuda", feature = "sim")),
    expect(dead_code, reason = "no device asks for it")
)]
#[derive(Debug)]
struct Piece {
    holder: u64,
    of: Arc<Residence>,
    start: *mut u8,
    bytes: u64,
    why: Why,
}

/// How memory is held.
#[cfg_attr(
    not(any(feature = "cuda", feature = "sim")),
    expect(dead_code, reason = "no device asks for it")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// By a shared borrow: calls read it.
    Read,
    /// By an exclusive one, and the device's copy may be the newer one: only who takes that over finds it.
    Own,
    /// By an exclusive one, for the bins of one loop, which ranks combine where they are.
    Bins,
}

thread_local! {
    static HELD: RefCell<Vec<Piece>> = const { RefCell::new(Vec::new()) };
}

/// Who holds memory for this thread's calls, until it is dropped.
#[derive(Debug)]
pub(crate) struct Holder {
    number: u64,
    /// It belongs to the thread it was made on.
    _thread: PhantomData<*const ()>,
}

impl Holder {
    /// One that holds nothing yet.
    pub(crate) fn new() -> Holder {
        thread_local! {
            static NUMBER: Cell<u64> = const { Cell::new(0) };
        }
        let number = NUMBER.replace(NUMBER.get() + 1);
        Holder {
            number,
            _thread: PhantomData,
        }
    }

    /// Holds memory.
    ///
    /// # Safety
    ///
    /// The memory is borrowed, and the host's copy is current, until the holder is dropped.
    pub(crate) unsafe fn hold(&self, memory: Lent<'_>) {
        self.add(memory, Why::Read);
    }

    /// Holds memory that is borrowed exclusively, whichever copy is the newer one.
    ///
    /// # Safety
    ///
    /// The memory is borrowed exclusively until the holder is dropped, and nobody looks at the host's but who has
    /// [taken it over](exclusive_of) and brought it up to date.
    pub(crate) unsafe fn hold_exclusively(&self, memory: Lent<'_>) {
        self.add(memory, Why::Own);
    }

    /// Holds the bins of a loop: a call that updates them [leaves](bins_of) them on its device.
    ///
    /// # Safety
    ///
    /// The memory is borrowed exclusively until the holder is dropped, and nobody looks at the host's before it has been brought up to date but
    /// who writes it where the host's is the newer one.
    #[cfg(any(feature = "cuda", feature = "sim"))]
    pub(crate) unsafe fn hold_for_ranks(&self, memory: Lent<'_>) {
        self.add(memory, Why::Bins);
    }

    fn add(&self, memory: Lent<'_>, why: Why) {
        let (of, start, bytes) = memory.parts();
        if bytes == 0 {
            return;
        }
        let piece = Piece {
            holder: self.number,
            of: Arc::clone(of),
            start,
            bytes,
            why,
        };
        HELD.with_borrow_mut(|held| held.push(piece));
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let mine = HELD.with_borrow_mut(|held| {
            let (mine, others) = std::mem::take(held)
                .into_iter()
                .partition(|piece| piece.holder == self.number);
            *held = others;
            mine
        });
        // Memory is given back outside, whatever that calls.
        drop::<Vec<Piece>>(mine);
    }
}

/// The memory that a range of the host's lies in, if it is held, and where in it.
#[cfg(any(feature = "cuda", feature = "sim"))]
fn find<R>(start: *const u8, bytes: u64, f: impl FnOnce(Lent<'_>, u64) -> R) -> Option<R> {
    let (of, start, bytes, at) = residence_of(start, bytes)?;
    // SAFETY: whoever holds it has lent this memory, and does until the holder is dropped, on this thread.
    Some(f(unsafe { Lent::new(&of, start, bytes) }, at))
}

/// What is known of the memory that a range of the host's lies in, if it is held; where that memory starts, how many bytes it has, and
/// where in it the range is.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn residence_of(
    start: *const u8,
    bytes: u64,
) -> Option<(Arc<Residence>, *mut u8, u64, u64)> {
    lookup(start, bytes, Why::Read)
}

/// The same of memory that is held exclusively, whose host's copy may be old.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn exclusive_of(
    start: *const u8,
    bytes: u64,
) -> Option<(Arc<Residence>, *mut u8, u64, u64)> {
    lookup(start, bytes, Why::Own)
}

/// Whether bins are held for ranks.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn has_bins() -> bool {
    HELD.with_borrow(|held| held.iter().any(|piece| piece.why == Why::Bins))
}

/// What is known of bins that are held for ranks.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn bins_of(start: *const u8, bytes: u64) -> Option<Arc<Residence>> {
    let (of, _, all, _) = lookup(start, bytes, Why::Bins)?;
    // Parts of them come and go as they do elsewhere.
    (all == bytes).then_some(of)
}

#[cfg(any(feature = "cuda", feature = "sim"))]
fn lookup(start: *const u8, bytes: u64, why: Why) -> Option<(Arc<Residence>, *mut u8, u64, u64)> {
    HELD.with_borrow(|held| {
        let held = held.iter().filter(|p| p.why == why);
        held.rev().find_map(|piece| {
            let at = (start.addr() as u64).checked_sub(piece.start.addr() as u64)?;
            (at.checked_add(bytes)? <= piece.bytes)
                .then(|| (Arc::clone(&piece.of), piece.start, piece.bytes, at))
        })
    })
}

/// The copy on a queue's device of what a call reads in the host's memory, and where that is; `None` unless
/// somebody holds it.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn copy_of(
    queue: &Arc<Queue>,
    start: *const u8,
    bytes: u64,
) -> Option<Result<(Arc<Allocation>, Ptr), Error>> {
    find(start, bytes, |memory, at| {
        let range = memory.for_one(&queue.context, at..at + bytes);
        let (copy, origin) = memory.to_device(queue, &range)?;
        Ok((copy, origin.offset(at)))
    })
}

/// Whether that copy is there already.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn has_copy_of(start: *const u8, bytes: u64) -> bool {
    find(start, bytes, |memory, _| memory.is_on_device()).unwrap_or(false)
}

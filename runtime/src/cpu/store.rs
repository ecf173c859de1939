//! A worker's memory for one bin array: a slot for each bin, and the window of a striped table.
//!
//! Both are allocated when they are first used, once for each worker, and kept for all parts of the iteration
//! space that the worker takes.

use std::alloc::{Layout, alloc_zeroed};
use std::ops::Range;
use std::slice;

use super::log::Pairs;
use super::op::Operator;
use super::table::{Fault, LANES, Plain, Shape, Striped};
use crate::base::bin::Slot;

/// The slots of a worker.
#[derive(Debug)]
pub struct Store<B> {
    len: usize,
    /// Empty until it is used.
    slots: Vec<B>,
    /// Whether a slot may be other than neutral.
    used: bool,
    rows: Rows<B>,
    /// The bin of the first row.
    first: usize,
    /// Other slots, in a table of several arrays.
    lent: Option<Strided<B>>,
}

/// Slots in the records of a [table](super::records) of several arrays.
#[derive(Debug)]
pub(super) struct Strided<B> {
    first: *mut B,
    /// From how many bytes on the next record begins.
    stride: usize,
    /// How many slots a record has.
    fields: usize,
}

// SAFETY: it is what a mutable slice of numbers would be, of which some are left out.
unsafe impl<B: Slot> Send for Strided<B> {}
// SAFETY: as above.
unsafe impl<B: Slot> Sync for Strided<B> {}

impl<B: Slot> Strided<B> {
    /// Slots from `first` on.
    ///
    /// # Safety
    ///
    /// Nobody else has these slots while there is this, and there is one for each bin of the store that it is given.
    pub(super) unsafe fn new(first: *mut B, stride: usize, fields: usize) -> Strided<B> {
        Strided {
            first,
            stride,
            fields,
        }
    }

    /// Where a slot is.
    fn at(&self, record: usize, field: usize) -> *mut B {
        self.first
            .wrapping_byte_add(record * self.stride)
            .wrapping_add(field)
    }

    /// The slot of a bin.
    ///
    /// # Safety
    ///
    /// There is such a bin.
    unsafe fn slot(&mut self, bin: usize) -> &mut B {
        // SAFETY: it is one of the slots that were given with this.
        unsafe { &mut *self.at(bin / self.fields, bin % self.fields) }
    }

    /// What the slots of bins hold.
    ///
    /// # Safety
    ///
    /// There are such bins.
    unsafe fn values(&self, bins: Range<usize>) -> impl Iterator<Item = B> {
        let (mut record, mut field) = (bins.start / self.fields, bins.start % self.fields);
        bins.map(move |_| {
            // SAFETY: as above.
            let value = unsafe { *self.at(record, field) };
            field += 1;
            if field == self.fields {
                (record, field) = (record + 1, 0);
            }
            value
        })
    }
}

/// Rows of lanes, each within a cache line.
#[derive(Debug)]
struct Rows<B> {
    slots: Vec<B>,
    /// Where the first row starts, since an allocation is only aligned for one slot.
    start: usize,
    len: usize,
}

/// What is allocated without asking whether there is any, in bytes: the loop itself needs as much.
pub(super) const SMALL: usize = 1 << 20;

/// So many copies of a slot, or nothing where there is no memory for them. Zeros are pages of the operating system's, untouched, as `vec![0; n]` has
/// them.
fn filled<B: Slot>(slot: B, len: usize) -> Option<Vec<B>> {
    let layout = Layout::array::<B>(len).ok().filter(|l| l.size() > 0)?;
    // SAFETY: a slot is a number, whose bytes are all initialised.
    let bytes = unsafe { slice::from_raw_parts((&raw const slot).cast::<u8>(), size_of::<B>()) };
    if bytes.iter().any(|byte| *byte != 0) {
        let mut slots = Vec::new();
        slots.try_reserve_exact(len).ok()?;
        slots.resize(len, slot);
        return Some(slots);
    }
    // SAFETY: the layout is not empty. It is that of an array of `len` slots, which zeroed memory is, as a slot may be all zeros; and the
    // global allocator is what a vector frees its memory by.
    unsafe {
        let slots = alloc_zeroed(layout).cast::<B>();
        (!slots.is_null()).then(|| Vec::from_raw_parts(slots, len, len))
    }
}

/// A line of every cache that we know of.
const LINE: usize = 64;

impl<B: Slot> Rows<B> {
    const NONE: Rows<B> = Rows {
        slots: Vec::new(),
        start: 0,
        len: 0,
    };

    fn new(neutral: B, len: usize) -> Rows<B> {
        let slots = vec![neutral; len * LANES + LINE / size_of::<B>()];
        let start = slots.as_ptr().align_offset(LINE);
        Rows {
            // An offset that is not known, as in an interpreter, is as good as none.
            start: start.min(LINE / size_of::<B>()),
            slots,
            len,
        }
    }

    fn get(&self) -> &[[B; LANES]] {
        self.slots[self.start..]
            .as_chunks()
            .0
            .get(..self.len)
            .unwrap_or_default()
    }

    fn get_mut(&mut self) -> &mut [[B; LANES]] {
        let rows = self.slots[self.start..].as_chunks_mut().0;
        rows.get_mut(..self.len).unwrap_or_default()
    }
}

impl<B: Slot> Store<B> {
    /// For `len` bins; allocates nothing.
    pub(super) fn new(len: usize) -> Store<B> {
        Store {
            len,
            slots: Vec::new(),
            used: false,
            rows: Rows::NONE,
            first: 0,
            lent: None,
        }
    }

    /// How many bins there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Gives it slots of a table of several arrays.
    pub(super) fn lend(&mut self, slots: Strided<B>) {
        self.lent = Some(slots);
    }

    /// The bins that have lanes.
    pub(super) fn window(&self) -> Range<usize> {
        self.first..self.first + self.rows.len
    }

    /// Takes the memory of a large table now, since a worker that gets none can leave its part to others before it begins, and not later.
    /// Says whether there was any.
    pub(super) fn prepare<O: Operator<B>>(&mut self) -> bool {
        if self.slots.len() < self.len && self.len * size_of::<B>() > SMALL {
            let Some(slots) = filled(O::NEUTRAL, self.len) else {
                return false;
            };
            self.slots = slots;
        }
        true
    }

    /// The slots, for updates that a log has no room for.
    pub(super) fn spilled<O: Operator<B>>(&mut self) -> &mut [B] {
        self.allocate::<O>();
        self.used = true;
        &mut self.slots
    }

    fn allocate<O: Operator<B>>(&mut self) {
        allocate::<B, O>(&mut self.slots, self.len);
    }

    /// A view as a plain table.
    pub(super) fn plain<'t, O: Operator<B>, X: Shape, const CHECKED: bool>(
        &'t mut self,
        fault: &'t Fault,
    ) -> Plain<'t, B, O, X, CHECKED> {
        self.allocate::<O>();
        self.used = true;
        Plain::new(&mut self.slots, fault)
    }

    /// A view as a striped table with a window, which may be empty.
    pub(super) fn striped<'t, O: Operator<B>, X: Shape, const CHECKED: bool>(
        &'t mut self,
        window: Range<usize>,
        fault: &'t Fault,
    ) -> Striped<'t, B, O, X, CHECKED> {
        let window = match Striped::<B, O, X, CHECKED>::covers_all() {
            true => 0..self.len,
            false => window,
        };
        if self.window() != window {
            self.empty_window::<O, X, CHECKED>(fault);
            self.rows = Rows::new(O::NEUTRAL, window.len());
            self.first = window.start;
        }
        if window.len() < self.len {
            self.allocate::<O>();
        }
        Striped::new(
            self.rows.get_mut(),
            self.first,
            &mut self.slots,
            &mut self.used,
            fault,
        )
    }

    /// Moves what the window holds into the slots.
    fn empty_window<O: Operator<B>, X: Shape, const CHECKED: bool>(&mut self, fault: &Fault) {
        let rows = std::mem::replace(&mut self.rows, Rows::NONE);
        if rows.len == 0 {
            return;
        }
        self.allocate::<O>();
        self.used = true;
        for (bin, row) in (self.first..).zip(rows.get()) {
            let slot = &mut self.slots[X::place(bin, self.len)];
            if fold::<B, O, CHECKED>(slot, row) {
                fault.overflowed();
            }
        }
    }

    /// Moves logged updates into the slots, or into lanes where they have some.
    pub(super) fn settle<O: Operator<B>, X: Shape, const CHECKED: bool>(
        &mut self,
        pairs: &mut Pairs<B>,
        fault: &Fault,
    ) {
        for (bin, value) in pairs.drain() {
            assert!(bin < self.len);
            let row = bin.wrapping_sub(self.first);
            let slot = match (self.rows.get_mut().get_mut(row), &mut self.lent) {
                (Some(row), _) => &mut row[0],
                // SAFETY: it was compared.
                (None, Some(lent)) => unsafe { lent.slot(bin) },
                (None, None) => {
                    allocate::<B, O>(&mut self.slots, self.len);
                    self.used = true;
                    &mut self.slots[X::place(bin, self.len)]
                }
            };
            let (sum, over) = O::accumulate::<CHECKED>(*slot, value);
            *slot = sum;
            if over {
                fault.overflowed();
            }
        }
    }

    /// Adds what it holds of `bins` to the totals of these bins, and says whether that overflowed.
    pub(super) fn add_to<O: Operator<B>, X: Shape, const CHECKED: bool>(
        &self,
        bins: Range<usize>,
        totals: &mut [B],
    ) -> bool {
        let mut over = false;
        let mut add = |total: &mut B, slot: B| {
            let (sum, o) = O::merge::<CHECKED>(*total, slot);
            *total = sum;
            over |= o;
        };
        if self.used && X::TURNED {
            // Column by column, as they lie.
            let rows = self.len / X::LAST;
            for (column, slots) in self.slots.chunks(rows.max(1)).enumerate() {
                let row = |bin: usize| (bin + X::LAST - 1 - column) / X::LAST;
                let slots = &slots[row(bins.start)..row(bins.end)];
                let first = (row(bins.start) * X::LAST + column).saturating_sub(bins.start);
                let totals = totals.iter_mut().skip(first).step_by(X::LAST);
                for (total, slot) in totals.zip(slots) {
                    add(total, *slot);
                }
            }
        } else if self.used {
            for (total, slot) in totals.iter_mut().zip(&self.slots[bins.clone()]) {
                add(total, *slot);
            }
        }
        if let Some(lent) = &self.lent {
            assert!(bins.end <= self.len);
            // SAFETY: it was compared.
            for (total, slot) in totals.iter_mut().zip(unsafe { lent.values(bins.clone()) }) {
                add(total, slot);
            }
        }
        let start = bins.start.max(self.first);
        let end = bins.end.min(self.first + self.rows.len);
        if start < end {
            let rows = &self.rows.get()[start - self.first..end - self.first];
            for (total, row) in totals[start - bins.start..].iter_mut().zip(rows) {
                for slot in row {
                    add(total, *slot);
                }
            }
        }
        over
    }

    /// How many slots the merge will read.
    pub(super) fn slots_used(&self) -> usize {
        let plain = if self.used { self.slots.len() } else { 0 };
        let lent = if self.lent.is_some() { self.len } else { 0 };
        plain + lent + self.rows.len * LANES
    }
}

/// Makes a table of so many slots where there is none yet. A small one: [`Store::prepare`] has seen to others. A neutral element of zero bits takes zeroed
/// pages from the operating system, untouched.
fn allocate<B: Slot, O: Operator<B>>(slots: &mut Vec<B>, len: usize) {
    if slots.len() < len {
        *slots = vec![O::NEUTRAL; len];
    }
}

/// Adds the lanes of a bin to its slot, and says whether that overflowed.
fn fold<B: Slot, O: Operator<B>, const CHECKED: bool>(slot: &mut B, lanes: &[B; LANES]) -> bool {
    let mut over = false;
    for lane in lanes {
        let (sum, o) = O::accumulate::<CHECKED>(*slot, *lane);
        *slot = sum;
        over |= o;
    }
    over
}

#[cfg(test)]
mod tests {
    use super::super::op::{Add, Min};
    use super::*;

    #[test]
    fn slots_are_neutral_or_not_there() {
        assert_eq!(filled(0u32, 1000), Some(vec![0; 1000]));
        assert_eq!(
            filled(-0.0f64, 1000).map(|s| s[999].to_bits()),
            Some(1 << 63)
        );
        assert_eq!(filled(7u8, 3), Some(vec![7; 3]));
        // An interpreter ends where there is no memory.
        let large = usize::MAX / 16;
        assert!(cfg!(miri) || (filled(0u64, large).is_none() && filled(1u64, large).is_none()));
        assert!(filled(0u64, usize::MAX).is_none());
    }

    #[test]
    #[cfg_attr(miri, ignore = "an interpreter ends where there is no memory")]
    fn a_worker_without_memory_knows_before_it_begins() {
        assert!(!Store::<u64>::new(usize::MAX / 16).prepare::<Add>());
        assert!(!Store::<u64>::new(usize::MAX / 16).prepare::<Min>());
        let mut store = Store::<u64>::new(SMALL);
        assert!(store.prepare::<Add>() && store.slots.len() == SMALL && !store.used);
    }
}

//! A worker's memory for one bin array: a slot for each bin, and the window of a striped table.
//!
//! Both are allocated when they are first used, once for each worker, and kept for all parts of the iteration
//! space that the worker takes.

use std::ops::Range;

use super::log::Pairs;
use super::op::Operator;
use super::table::{Fault, LANES, Plain, Shape, Striped};
use crate::bin::Slot;

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
}

/// Rows of lanes, each within a cache line.
#[derive(Debug)]
struct Rows<B> {
    slots: Vec<B>,
    /// Where the first row starts, since an allocation is only aligned for one slot.
    start: usize,
    len: usize,
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
        }
    }

    /// How many bins there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The bins that have lanes.
    pub(super) fn window(&self) -> Range<usize> {
        self.first..self.first + self.rows.len
    }

    fn allocate<O: Operator<B>>(&mut self) {
        if self.slots.len() < self.len {
            // A neutral element of zero bits takes zeroed pages from the operating system, untouched.
            self.slots = vec![O::NEUTRAL; self.len];
        }
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
            self.empty_window::<O, CHECKED>(fault);
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
    fn empty_window<O: Operator<B>, const CHECKED: bool>(&mut self, fault: &Fault) {
        let rows = std::mem::replace(&mut self.rows, Rows::NONE);
        if rows.len == 0 {
            return;
        }
        self.allocate::<O>();
        self.used = true;
        for (slot, row) in self.slots[self.first..].iter_mut().zip(rows.get()) {
            if fold::<B, O, CHECKED>(slot, row) {
                fault.set();
            }
        }
    }

    /// Moves logged updates into the slots, or into lanes where they have some.
    pub(super) fn settle<O: Operator<B>, const CHECKED: bool>(
        &mut self,
        pairs: &mut Pairs<B>,
        fault: &Fault,
    ) {
        for (bin, value) in pairs.drain() {
            let slot = match self.rows.get_mut().get_mut(bin.wrapping_sub(self.first)) {
                Some(row) => &mut row[0],
                None => {
                    self.allocate::<O>();
                    self.used = true;
                    &mut self.slots[bin]
                }
            };
            let (sum, over) = O::accumulate::<CHECKED>(*slot, value);
            *slot = sum;
            if over {
                fault.set();
            }
        }
    }

    /// Adds what it holds of `bins` to the totals of these bins, and says whether that overflowed.
    pub(super) fn add_to<O: Operator<B>, const CHECKED: bool>(
        &self,
        bins: Range<usize>,
        totals: &mut [B],
    ) -> bool {
        let mut over = false;
        if self.used {
            for (total, slot) in totals.iter_mut().zip(&self.slots[bins.clone()]) {
                let (sum, o) = O::merge::<CHECKED>(*total, *slot);
                *total = sum;
                over |= o;
            }
        }
        let start = bins.start.max(self.first);
        let end = bins.end.min(self.first + self.rows.len);
        if start < end {
            let rows = &self.rows.get()[start - self.first..end - self.first];
            for (total, row) in totals[start - bins.start..].iter_mut().zip(rows) {
                for slot in row {
                    let (sum, o) = O::merge::<CHECKED>(*total, *slot);
                    *total = sum;
                    over |= o;
                }
            }
        }
        over
    }

    /// How many slots the merge will read.
    pub(super) fn slots_used(&self) -> usize {
        let plain = if self.used { self.slots.len() } else { 0 };
        plain + self.rows.len * LANES
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

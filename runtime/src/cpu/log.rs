//! Updates as data: which bin, which value.
//!
//! A [`Log`] takes the place of a table for the same step of the user's body. What becomes of an update depends on
//! what the log is for: a probe of the indices, the partitioned strategy, an undo journal, or taking updates back.

use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::op::{Operator, Value};
use super::table::{Context, Fault, Shape, updates};
use crate::bin::Slot;

/// An update, or what a bin held before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<B> {
    /// The flat index; arrays that are logged have fewer than 2^32 bins.
    pub(super) bin: u32,
    pub(super) value: B,
}

/// Updates in the order in which they came, in a list for each range of `1 << shift` bins.
#[derive(Debug)]
pub struct Pairs<B> {
    pub(super) ranges: Vec<Vec<Entry<B>>>,
    pub(super) shift: u32,
}

impl<B> Pairs<B> {
    /// Lists for the ranges of `len` bins; without a shift one list for all.
    pub(super) fn new(len: usize, shift: Option<u32>) -> Pairs<B> {
        let shift = shift.unwrap_or(u32::BITS);
        let ranges = (len.saturating_sub(1) >> shift) + 1;
        Pairs {
            ranges: (0..ranges).map(|_| Vec::new()).collect(),
            shift,
        }
    }

    /// How many updates there are.
    pub(super) fn len(&self) -> usize {
        self.ranges.iter().map(Vec::len).sum()
    }
}

/// The payload of the unwinding that ends a replay.
#[derive(Debug)]
pub(super) struct Spent;

/// What becomes of an update.
#[derive(Debug)]
pub(super) enum Sink<'t, B> {
    /// It is written down.
    Pairs(&'t mut Pairs<B>),
    /// It is done, and what the bin held before is written down.
    Journal(&'t mut [B], &'t mut Pairs<B>),
    /// It is taken back; the last one that the budget of all arrays together allows unwinds with [`Spent`].
    Revert(&'t mut [B], &'t AtomicUsize),
}

/// A place for updates that is no table.
#[derive(Debug)]
pub struct Log<'t, B, O, X, const CHECKED: bool> {
    len: usize,
    sink: Sink<'t, B>,
    fault: &'t Fault,
    op: PhantomData<(O, X)>,
}

updates!(Log);

impl<'t, B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> Log<'t, B, O, X, CHECKED> {
    /// For an array of `len` bins.
    pub(super) fn new(len: usize, sink: Sink<'t, B>, fault: &'t Fault) -> Self {
        Log {
            len,
            sink,
            fault,
            op: PhantomData,
        }
    }

    /// A log has no lanes.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn put(&mut self, index: usize, value: B) {
        if index >= self.len {
            return self.fault.set();
        }
        let entry = Entry {
            bin: index as u32,
            value,
        };
        match &mut self.sink {
            Sink::Pairs(pairs) => pairs.ranges[index >> pairs.shift].push(entry),
            Sink::Journal(bins, journal) => {
                let old = bins[index];
                let (new, over) = O::merge::<CHECKED>(old, value);
                if over {
                    return self.fault.set();
                }
                journal.ranges[0].push(Entry {
                    value: old,
                    ..entry
                });
                bins[index] = new;
            }
            Sink::Revert(bins, budget) => {
                bins[index] = O::revert(bins[index], value);
                if budget.fetch_sub(1, Ordering::Relaxed) == 1 {
                    // The next thing that the body does may be the panic that has already been seen. This
                    // unwinding passes no panic hook and prints nothing.
                    resume_unwind(Box::new(Spent));
                }
            }
        }
    }
}

impl<B, O, X, const CHECKED: bool> Context for Log<'_, B, O, X, CHECKED> {
    #[inline(always)]
    fn set_lane(&mut self, _lane: usize) {}

    fn takes_bytes(&self) -> bool {
        false
    }

    #[inline(always)]
    unsafe fn assume_bytes(&self) {}

    #[inline(always)]
    fn finish(self) {}
}

//! Updates as data: which bin, which value.
//!
//! A [`Log`] takes the place of a table for the same step of the user's body. What becomes of an update depends on
//! what the log is for: a probe of the indices, the partitioned strategy, a rehearsal, an undo journal of any
//! length, or taking updates back.

use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::op::{Operator, TwoSigns, Value};
use super::table::{Context, Fault, Shape, outside, updates};
use crate::base::bin::Slot;

/// An update, or what a bin held before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<B> {
    /// The flat index, or its low half if there are no ranges.
    pub(super) bin: u32,
    pub(super) value: B,
}

/// Updates in the order in which they came, in a list for each range of `1 << shift` bins.
#[derive(Debug)]
pub struct Pairs<B> {
    pub(super) ranges: Vec<Vec<Entry<B>>>,
    pub(super) shift: u32,
    /// For how many updates more memory may be taken.
    room: usize,
    /// What the bins were, where a journal of them would have become larger than they are.
    pub(super) copy: Option<Vec<B>>,
    /// How many updates were written down before that.
    before: usize,
}

/// How many updates a list has room for at least, once it has any.
const FEW: usize = 64;

impl<B> Pairs<B> {
    /// Lists for the ranges of `len` bins, of `bytes` of updates at most; without a shift one list for all.
    pub(super) fn new(len: usize, shift: Option<u32>, bytes: usize) -> Pairs<B> {
        let shift = shift.unwrap_or(u32::BITS);
        let ranges = (len.saturating_sub(1) >> shift) + 1;
        Pairs {
            ranges: (0..ranges).map(|_| Vec::new()).collect(),
            shift,
            room: bytes / size_of::<Entry<B>>(),
            copy: None,
            before: 0,
        }
    }

    /// Gives it room for so many bytes.
    pub(super) fn limit(&mut self, bytes: usize) {
        self.room = bytes / size_of::<Entry<B>>();
    }

    /// Writes an update down, and says whether there was room for it.
    #[inline(always)]
    fn push(&mut self, index: usize, value: B) -> bool {
        let list = &mut self.ranges[index >> self.shift];
        if list.len() == list.capacity() && !grow(list, &mut self.room) {
            return false;
        }
        list.push(Entry {
            bin: index as u32,
            value,
        });
        true
    }

    /// Takes the updates out, with their flat indices.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = (usize, B)> {
        // Without ranges the number of the list is the index's high half.
        let high = |list: usize| match self.shift {
            u32::BITS => (list as u64) << u32::BITS,
            _ => 0,
        };
        let of_list = move |(list, entries): (usize, &'_ mut Vec<Entry<B>>)| {
            let first = high(list) as usize;
            std::mem::take(entries)
                .into_iter()
                .map(move |entry| (first + entry.bin as usize, entry.value))
        };
        self.ranges.iter_mut().enumerate().flat_map(of_list)
    }

    /// The updates in their order, with their flat indices, of lists without ranges whose indices have 32 bits.
    pub(super) fn entries(&self) -> impl Iterator<Item = (usize, B)>
    where
        B: Copy,
    {
        let entries = self.ranges.iter().flatten();
        entries.map(|entry| (entry.bin as usize, entry.value))
    }

    /// Forgets the updates, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.ranges.iter_mut().for_each(Vec::clear);
    }

    /// Makes a copy of the bins as they were before the first update, instead of a list that would be longer. Without memory for it the list stays.
    #[cold]
    fn copy_of(&mut self, bins: &[B])
    where
        B: Copy,
    {
        let mut copy = Vec::new();
        if copy.try_reserve_exact(bins.len()).is_err() {
            return;
        }
        copy.extend_from_slice(bins);
        for entry in self.ranges.iter().flatten().rev() {
            copy[entry.bin as usize] = entry.value;
        }
        self.before = self.len();
        self.ranges = vec![Vec::new()];
        self.copy = Some(copy);
    }

    /// Gives up: there is no memory to undo with, and the loop goes on as the sequential one does, whose bins keep what a panic leaves.
    #[cold]
    fn lose(&mut self) {
        self.ranges = vec![Vec::new()];
        self.copy = Some(Vec::new());
    }

    /// Puts the bins back, by a journal of them or by the copy.
    pub(super) fn put_back(&self, bins: &mut [B])
    where
        B: Copy,
    {
        match &self.copy {
            Some(copy) if copy.len() == bins.len() => bins.copy_from_slice(copy),
            Some(_) => {}
            None => {
                for entry in self.ranges.iter().flatten().rev() {
                    bins[entry.bin as usize] = entry.value;
                }
            }
        }
    }

    /// How many updates there are.
    pub(super) fn len(&self) -> usize {
        self.before + self.ranges.iter().map(Vec::len).sum::<usize>()
    }
}

/// Takes memory for as much again as a list has, or for what is left. Says whether there was any.
#[cold]
#[inline(never)]
fn grow<B>(list: &mut Vec<Entry<B>>, room: &mut usize) -> bool {
    let more = list.capacity().max(FEW).min(*room);
    if more == 0 || list.try_reserve_exact(more).is_err() {
        return false;
    }
    *room -= more;
    true
}

/// The payload of the unwinding that ends a replay.
#[derive(Debug)]
pub(super) struct Spent;

/// What becomes of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Nothing: only the index is checked.
    Check,
    /// It is written down. Where there is no room, it is done on the bins, if there are any; they are a worker's own table then.
    Write,
    /// It is done, and what the bin held before is written down.
    Journal,
    /// It is taken back; the last one that the budget of all arrays together allows unwinds with [`Spent`].
    Revert,
}

/// A place for updates that is no table.
///
/// The mode is a field of its own and not an enum around the others, so that the loop has all of them in
/// registers.
#[derive(Debug)]
pub struct Log<'t, B, O, X, const CHECKED: bool> {
    mode: Mode,
    len: usize,
    pairs: Option<&'t mut Pairs<B>>,
    bins: &'t mut [B],
    budget: Option<&'t AtomicUsize>,
    fault: &'t Fault,
    op: PhantomData<(O, X)>,
}

updates!(Log);

impl<'t, B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> Log<'t, B, O, X, CHECKED> {
    fn new(mode: Mode, len: usize, fault: &'t Fault) -> Self {
        Log {
            mode,
            len,
            pairs: None,
            bins: &mut [],
            budget: None,
            fault,
            op: PhantomData,
        }
    }

    /// Checks the indices of an array of `len` bins.
    pub(super) fn check(len: usize, fault: &'t Fault) -> Self {
        Log::new(Mode::Check, len, fault)
    }

    /// Writes down what an array of `len` bins should get.
    pub(super) fn write(len: usize, pairs: &'t mut Pairs<B>, fault: &'t Fault) -> Self {
        Log {
            pairs: Some(pairs),
            ..Log::new(Mode::Write, len, fault)
        }
    }

    /// Writes down what a worker's own table should get, and what there is no room for goes there.
    pub(super) fn probe(
        slots: &'t mut [B],
        len: usize,
        pairs: &'t mut Pairs<B>,
        fault: &'t Fault,
    ) -> Self {
        Log {
            bins: slots,
            ..Log::write(len, pairs, fault)
        }
    }

    /// Updates bins and writes down what they held.
    pub(super) fn journal(bins: &'t mut [B], pairs: &'t mut Pairs<B>, fault: &'t Fault) -> Self {
        Log {
            pairs: Some(pairs),
            ..Log::in_place(Mode::Journal, bins, fault)
        }
    }

    /// Takes updates of bins back.
    pub(super) fn revert(bins: &'t mut [B], budget: &'t AtomicUsize, fault: &'t Fault) -> Self {
        Log {
            budget: Some(budget),
            ..Log::in_place(Mode::Revert, bins, fault)
        }
    }

    fn in_place(mode: Mode, bins: &'t mut [B], fault: &'t Fault) -> Self {
        let len = bins.len();
        Log {
            bins,
            ..Log::new(mode, len, fault)
        }
    }

    /// A log has no lanes.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn put(&mut self, at: X::Index, value: B) {
        let index = X::flat(at);
        if index >= self.len {
            return outside::<X>(self.fault, at, self.len);
        }
        match self.mode {
            Mode::Check => {}
            Mode::Write => {
                if let Some(pairs) = &mut self.pairs
                    && !pairs.push(index, value)
                {
                    self.touch(index, value);
                }
            }
            Mode::Journal | Mode::Revert => self.touch(index, value),
        }
    }

    /// An update of a bin itself. A function of its own leaves the loop of the other modes its registers.
    #[inline(never)]
    fn touch(&mut self, index: usize, value: B) {
        match self.mode {
            Mode::Check => {}
            Mode::Write => match self.bins.get_mut(X::place(index, self.len)) {
                Some(slot) => {
                    let (new, over) = O::accumulate::<CHECKED>(*slot, value);
                    *slot = new;
                    if over {
                        self.fault.overflowed();
                    }
                }
                None => self.fault.exhausted(),
            },
            Mode::Journal => {
                let old = self.bins[index];
                let (new, over) = O::merge::<CHECKED>(old, value);
                if over {
                    return self.fault.overflowed();
                }
                if let Some(pairs) = &mut self.pairs
                    && pairs.copy.is_none()
                    && !pairs.push(index, old)
                {
                    // The bins are as the entries lead back from: this update has not been done.
                    pairs.copy_of(self.bins);
                    if pairs.copy.is_none() {
                        pairs.lose();
                    }
                }
                self.bins[index] = new;
            }
            Mode::Revert => {
                self.bins[index] = O::revert(self.bins[index], value);
                if let Some(budget) = self.budget {
                    spend(budget);
                }
            }
        }
    }
}

/// Takes one from the budget. The unwinding at its end passes no panic hook and prints nothing; the next thing
/// that the body does may be the panic that has already been seen.
#[cold]
#[inline(never)]
fn spend(budget: &AtomicUsize) {
    if budget.fetch_sub(1, Ordering::Relaxed) == 1 {
        resume_unwind(Box::new(Spent));
    }
}

impl<B, O, X, const CHECKED: bool> Context for Log<'_, B, O, X, CHECKED> {
    #[inline(always)]
    fn finish(self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn lists_tell_the_high_half_of_an_index() {
        let mut pairs = Pairs::new(5 << 32, None, usize::MAX);
        for index in [7, (3 << 32) + 9, (4 << 32) + 1] {
            assert!(pairs.push(index, index as u8));
        }
        let updates: Vec<_> = pairs.drain().collect();
        assert_eq!(updates, [(7, 7), ((3 << 32) + 9, 9), ((4 << 32) + 1, 1)]);
        assert_eq!(pairs.len(), 0);
        let mut pairs = Pairs::new(100, Some(4), usize::MAX);
        for index in [70, 3, 99] {
            assert!(pairs.push(index, 1));
        }
        assert_eq!(pairs.drain().map(|u| u.0).collect::<Vec<_>>(), [3, 70, 99]);
    }
}

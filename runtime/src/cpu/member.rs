//! What a loop updates: bin arrays and scalars, as a list `(first, (second, ()))` whose types say
//! everything that the inner loops need to know.
//!
//! A [`Member`] is the borrowed memory with its operator. Its [`Kind`] has no lifetime and names the types
//! that go with it: the views that steps of the body update and the memory behind them that a worker owns. Lists of members
//! are members, and lists of kinds are kinds.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::crew;
use super::journal::{Journal, Journaled};
use super::log::{Log, Pairs};
use super::op::{Operator, repeat};
use super::owned::{self, Course, Kept, Owned, Piece};
use super::rehearsal::Check;
use super::store::Store;
use super::table::{
    Context, Cube, Fault, Grid, Line, Plain, Shape, Striped, Turned, Whole, window_len,
};
use super::window;
use crate::base::bin::Slot;
use crate::base::kept;

/// The types that belong to a member, and what a worker does with them.
pub trait Kind: 'static {
    /// Whether every update of an array can be taken back.
    const INVERTIBLE: bool;
    /// How many arrays and scalars there are.
    const MEMBERS: usize;
    /// What an update of a private table goes through.
    type Plain<'t>: Context;
    /// The same with lanes.
    type Striped<'t>: Context;
    /// The same as data.
    type Log<'t>: Context;
    /// What checks an update's index.
    type Check<'t>: Context;
    /// What an update of the member itself goes through, which can be undone.
    type Journaled<'t>: Context;
    /// The private memory of a worker.
    type Store: Send + Sync;
    /// The logged updates of a worker.
    type Pairs: Send + Sync;
    /// What undoes updates of the member itself.
    type Journal;
    /// Where the lanes of a striped table are.
    type Windows: Clone + Send;
    /// What a member was before the call.
    type Saved: Send;
    /// What an update of the bins of a part goes through, in injective loops.
    type Owned<'t>: Context;
    /// The bins of a part.
    type Piece<'b>: Send;
    /// What these bins were.
    type Kept;
    /// Where the bins of iterations are.
    type Courses;

    /// A view of a worker's memory.
    fn plain<'t>(store: &'t mut Self::Store, fault: &'t Fault) -> Self::Plain<'t>;
    /// A view with lanes.
    fn striped<'t>(
        store: &'t mut Self::Store,
        windows: &Self::Windows,
        fault: &'t Fault,
    ) -> Self::Striped<'t>;
    /// Where lanes would help, by what a probe logged, or always, for tests.
    fn windows(pairs: &Self::Pairs, store: &Self::Store, always: bool) -> Self::Windows;
    /// Whether lanes would help anywhere.
    fn wants_lanes(windows: &Self::Windows) -> bool;
    /// How many updates were logged.
    fn logged(pairs: &Self::Pairs) -> usize;
    /// How many were journaled.
    fn journaled(journal: &Self::Journal) -> usize;
    /// Makes room for so many more in the journal of each array.
    fn reserve(journal: &mut Self::Journal, updates: usize);
    /// Takes memory for a worker's large tables. Says whether there was any.
    fn prepare(store: &mut Self::Store) -> bool;
    /// A log whose updates are written down, as far as the lists have room, and go into a worker's tables beyond.
    fn probe<'t>(
        pairs: &'t mut Self::Pairs,
        store: &'t mut Self::Store,
        fault: &'t Fault,
    ) -> Self::Log<'t>;
    /// Logged updates go into tables.
    fn settle(pairs: &mut Self::Pairs, store: &mut Self::Store, fault: &Fault);
    /// Logged updates of an iteration go into tables, each so many times: all, or those `only` of a column, where `of` says for each
    /// member which column its updates depend on, in their order.
    fn repeat(
        pairs: &mut Self::Pairs,
        store: &mut Self::Store,
        times: u64,
        only: Option<usize>,
        of: &[&[u8]],
        fault: &Fault,
    );
    /// How many slots of a worker a merge reads.
    fn slots_used(store: &Self::Store) -> usize;
    /// A view of the bins of a part, which are saved before; scalars are in the store.
    fn owned<'t>(
        piece: &'t mut Self::Piece<'_>,
        store: &'t mut Self::Store,
        fault: &'t Fault,
    ) -> Self::Owned<'t>;
    /// What the bins of a part were.
    fn keep(piece: Self::Piece<'_>) -> Self::Kept;
}

/// What is known of a run's members before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Bins of all arrays together.
    pub bins: usize,
    /// Their size in bytes.
    pub bytes: usize,
    /// The size of the records that a worker has for arrays that are updated at the same places, in bytes.
    pub records: usize,
    /// The longest array.
    pub longest: usize,
    /// Whether every update of an array can be taken back.
    pub invertible: bool,
    /// Whether checked overflow depends on the order of the updates.
    pub ordered: bool,
    /// Whether an update may panic for the value of a bin, since overflow is checked.
    pub overflows: bool,
    /// Whether the last bits of a result depend on the order of the updates.
    pub rounds: bool,
}

impl Facts {
    /// What is known of nothing.
    pub const NONE: Facts = Facts {
        bins: 0,
        bytes: 0,
        records: 0,
        longest: 0,
        invertible: true,
        ordered: false,
        overflows: false,
        rounds: false,
    };
}

/// Borrowed memory that a loop updates.
pub trait Member: Send + Sync {
    /// The types that belong to it.
    type Kind: Kind;

    /// What is known of it.
    fn facts(&self) -> Facts;
    /// A worker's memory for it.
    fn store(&self) -> <Self::Kind as Kind>::Store;
    /// Empty lists of updates, one for each range of `1 << shift` bins, which may take so many bytes.
    fn pairs(&self, shift: Option<u32>, bytes: usize) -> <Self::Kind as Kind>::Pairs;
    /// A log whose updates are written down.
    fn log<'t>(
        &self,
        pairs: &'t mut <Self::Kind as Kind>::Pairs,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Log<'t>;
    /// A log that only checks indices.
    fn rehearse<'t>(
        &self,
        pairs: &'t mut <Self::Kind as Kind>::Pairs,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Log<'t>;
    /// The same for a rehearsal by wide instructions.
    fn check<'t>(&self, fault: &'t Fault) -> <Self::Kind as Kind>::Check<'t>;
    /// An empty journal with room for so many updates.
    fn journal(&self, updates: usize) -> <Self::Kind as Kind>::Journal;
    /// A view whose updates are done, and written down so that they can be undone.
    fn journaled<'t>(
        &'t mut self,
        journal: &'t mut <Self::Kind as Kind>::Journal,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Journaled<'t>;
    /// Undoes what a journal tells of arrays; [`Member::restore`] does it for scalars.
    fn roll_back(&mut self, journal: &mut <Self::Kind as Kind>::Journal);
    /// The same as a log, for bodies that may not run again where a journal becomes too long.
    fn logged<'t>(
        &'t mut self,
        pairs: &'t mut <Self::Kind as Kind>::Pairs,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Log<'t>;
    /// Finishes such a log: scalars get their totals. Says whether one overflowed.
    fn commit(&mut self, pairs: &<Self::Kind as Kind>::Pairs) -> bool;
    /// Undoes what such a log tells of arrays.
    fn unlog(&mut self, pairs: &<Self::Kind as Kind>::Pairs);
    /// A log whose updates are taken back, as many as the budget says.
    fn revert<'t>(
        &'t mut self,
        pairs: &'t mut <Self::Kind as Kind>::Pairs,
        budget: &'t AtomicUsize,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Log<'t>;
    /// Where the bins of so many iterations are, by the logs of the first and the last one.
    fn courses(
        &self,
        first: &<Self::Kind as Kind>::Pairs,
        last: &<Self::Kind as Kind>::Pairs,
        items: usize,
    ) -> Option<<Self::Kind as Kind>::Courses>;
    /// The bins of each part.
    fn split<'b>(
        &'b mut self,
        courses: &<Self::Kind as Kind>::Courses,
        parts: &[Range<usize>],
    ) -> Vec<<Self::Kind as Kind>::Piece<'b>>;
    /// Puts the bins of a part back.
    fn put_back(&mut self, kept: &<Self::Kind as Kind>::Kept);
    /// What it is now: scalars always, arrays if they are asked for.
    fn save(&self, arrays: bool) -> <Self::Kind as Kind>::Saved;
    /// Makes it what it was.
    fn restore(&mut self, saved: &<Self::Kind as Kind>::Saved);
    /// Whether the stores' totals overflow, where that is checked, by so many workers. Changes nothing.
    fn overflows(&self, stores: &[&<Self::Kind as Kind>::Store], workers: usize) -> bool;
    /// Adds the stores up, in their order.
    fn publish(&mut self, stores: &[&<Self::Kind as Kind>::Store], workers: usize);
    /// Does logged updates, each range of bins by one worker, those of a range in the order of the lists. Says
    /// whether one overflowed; all are done nevertheless, wrapped.
    fn apply(&mut self, pairs: &[&<Self::Kind as Kind>::Pairs], workers: usize) -> bool;
    /// Takes back what [`Member::apply`] has done to arrays; [`Member::restore`] does it for scalars.
    fn unapply(&mut self, pairs: &[&<Self::Kind as Kind>::Pairs]);
}

/// A bin array of flattened bins.
#[derive(Debug)]
pub struct Bins<'a, B, O, X, const CHECKED: bool> {
    pub(super) bins: &'a mut [B],
    kind: PhantomData<Array<B, O, X, CHECKED>>,
}

/// The kind of [`Bins`].
#[derive(Debug)]
pub struct Array<B, O, X, const CHECKED: bool>(PhantomData<(B, O, X)>);

/// The bins `h[i]` of a slice, with their operator. `CHECKED` is whether the user's crate checks overflow.
#[inline(always)]
pub fn bins<const CHECKED: bool, B: Slot, O: Operator<B>>(
    bins: &mut [B],
    _: O,
) -> Bins<'_, B, O, Line, CHECKED> {
    Bins {
        bins,
        kind: PhantomData,
    }
}

/// The bins `h[y][x]` of a slice of rows.
#[inline(always)]
pub fn bins2<const CHECKED: bool, B: Slot, O: Operator<B>, const M: usize>(
    bins: &mut [[B; M]],
    _: O,
) -> Bins<'_, B, O, Grid<M>, CHECKED> {
    Bins {
        bins: bins.as_flattened_mut(),
        kind: PhantomData,
    }
}

/// The bins `h[z][y][x]` of a slice of planes.
#[inline(always)]
pub fn bins3<const CHECKED: bool, B: Slot, O: Operator<B>, const N: usize, const M: usize>(
    bins: &mut [[[B; M]; N]],
    _: O,
) -> Bins<'_, B, O, Cube<N, M>, CHECKED> {
    Bins {
        bins: bins.as_flattened_mut().as_flattened_mut(),
        kind: PhantomData,
    }
}

/// The bins of an array whose length is in its type.
#[inline(always)]
pub fn bins_array<const CHECKED: bool, B: Slot, O: Operator<B>, const N: usize>(
    bins: &mut [B; N],
    _: O,
) -> Bins<'_, B, O, Whole<Line, N>, CHECKED> {
    Bins {
        bins,
        kind: PhantomData,
    }
}

/// The bins of an array of rows.
#[inline(always)]
pub fn bins2_array<const CHECKED: bool, B: Slot, O: Operator<B>, const M: usize, const N: usize>(
    bins: &mut [[B; M]; N],
    _: O,
) -> Bins<'_, B, O, Whole<Grid<M>, N>, CHECKED> {
    Bins {
        bins: bins.as_flattened_mut(),
        kind: PhantomData,
    }
}

/// The bins of an array of planes.
#[inline(always)]
pub fn bins3_array<
    const CHECKED: bool,
    B: Slot,
    O: Operator<B>,
    const N: usize,
    const M: usize,
    const K: usize,
>(
    bins: &mut [[[B; M]; N]; K],
    _: O,
) -> Bins<'_, B, O, Whole<Cube<N, M>, K>, CHECKED> {
    Bins {
        bins: bins.as_flattened_mut().as_flattened_mut(),
        kind: PhantomData,
    }
}

/// The same bins, with private tables that have their columns one behind the other.
#[inline(always)]
pub fn turned<const CHECKED: bool, B, O, X>(
    bins: Bins<'_, B, O, X, CHECKED>,
) -> Bins<'_, B, O, Turned<X>, CHECKED> {
    Bins {
        bins: bins.bins,
        kind: PhantomData,
    }
}

/// The length of a row of `h[y][x]`, which a loop may ask for although the bins are lent out.
#[inline(always)]
pub fn row_len<B, const M: usize>(_: &[[B; M]]) -> usize {
    M
}

impl<B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> Kind for Array<B, O, X, CHECKED> {
    const INVERTIBLE: bool = O::INVERTIBLE;
    const MEMBERS: usize = 1;
    type Plain<'t> = Plain<'t, B, O, X, CHECKED>;
    type Striped<'t> = Striped<'t, B, O, X, CHECKED>;
    type Log<'t> = Log<'t, B, O, X, CHECKED>;
    type Check<'t> = Check<'t, B, X>;
    type Journaled<'t> = Journaled<'t, B, O, X, CHECKED>;
    type Store = Store<B>;
    type Pairs = Pairs<B>;
    type Journal = Journal<B>;
    type Windows = Option<Range<usize>>;
    type Saved = Option<Snapshot<B>>;
    type Owned<'t> = Owned<'t, B, O, X, CHECKED>;
    type Piece<'b> = Piece<'b, B>;
    type Kept = Kept<B>;
    type Courses = Course;

    fn plain<'t>(store: &'t mut Store<B>, fault: &'t Fault) -> Self::Plain<'t> {
        let window = window::columns::<B>(store.len(), X::LAST);
        store.plain(fault).in_windows(window)
    }

    fn striped<'t>(
        store: &'t mut Store<B>,
        window: &Option<Range<usize>>,
        fault: &'t Fault,
    ) -> Self::Striped<'t> {
        store.striped(window.clone().unwrap_or(0..0), fault)
    }

    fn windows(pairs: &Pairs<B>, store: &Store<B>, always: bool) -> Option<Range<usize>> {
        let longest = window_len::<B>();
        if always {
            return Some(0..store.len().min(longest));
        }
        let indices: Vec<u32> = pairs.ranges.iter().flatten().map(|e| e.bin).collect();
        window::choose::<B>(&indices, store.len(), longest, store.window())
    }

    fn wants_lanes(window: &Option<Range<usize>>) -> bool {
        window.is_some()
    }

    fn logged(pairs: &Pairs<B>) -> usize {
        pairs.len()
    }

    fn journaled(journal: &Journal<B>) -> usize {
        journal.len()
    }

    fn reserve(journal: &mut Journal<B>, updates: usize) {
        journal.reserve(updates);
    }

    fn prepare(store: &mut Store<B>) -> bool {
        store.prepare::<O>()
    }

    fn probe<'t>(
        pairs: &'t mut Pairs<B>,
        store: &'t mut Store<B>,
        fault: &'t Fault,
    ) -> Self::Log<'t> {
        let len = store.len();
        Log::probe(store.spilled::<O>(), len, pairs, fault)
    }

    fn settle(pairs: &mut Pairs<B>, store: &mut Store<B>, fault: &Fault) {
        store.settle::<O, X, CHECKED>(pairs, fault);
    }

    fn repeat(
        pairs: &mut Pairs<B>,
        store: &mut Store<B>,
        times: u64,
        only: Option<usize>,
        of: &[&[u8]],
        fault: &Fault,
    ) {
        let len = store.len();
        let slots = store.spilled::<O>();
        for (n, (bin, value)) in pairs.entries().enumerate() {
            if !is_of(only, of, n) {
                continue;
            }
            let (value, too_many) = repeat::<B, O, CHECKED>(value, times);
            let slot = &mut slots[X::place(bin, len)];
            let (sum, over) = O::accumulate::<CHECKED>(*slot, value);
            *slot = sum;
            if over | too_many {
                fault.overflowed();
            }
        }
        pairs.clear();
    }

    fn slots_used(store: &Store<B>) -> usize {
        store.slots_used()
    }

    fn owned<'t>(
        piece: &'t mut Piece<'_, B>,
        _: &'t mut Store<B>,
        fault: &'t Fault,
    ) -> Self::Owned<'t> {
        piece.lend(fault)
    }

    fn keep(piece: Piece<'_, B>) -> Kept<B> {
        piece.keep()
    }
}

/// Whether the update of this number is one of a column's, where only these are wanted.
pub(super) fn is_of(only: Option<usize>, of: &[&[u8]], number: usize) -> bool {
    let column = || of.first()?.get(number).map(|column| usize::from(*column));
    only.is_none_or(|only| column() == Some(only))
}

/// A copy of bins, in memory that the thread keeps.
#[derive(Debug)]
pub struct Snapshot<B: Slot>(Vec<B>);

impl<B: Slot> Snapshot<B> {
    /// None where there is no memory for it: the loop then does what the sequential one does, whose bins keep what a panic leaves.
    fn new(bins: &[B]) -> Option<Snapshot<B>> {
        kept::copy(bins).map(Snapshot)
    }
}

impl<B: Slot> Drop for Snapshot<B> {
    fn drop(&mut self) {
        kept::give_back(std::mem::take(&mut self.0));
    }
}

/// How many bins a worker merges at a time: a part of a first-level cache for every table's slots.
const MERGED_AT_ONCE: usize = 2048;

/// How many bins of so many a worker takes at a time: some times what it merges at once where there are many, since workers wait for each
/// other when they take more.
fn merged_at_a_time(bins: usize, workers: usize) -> usize {
    let share = bins / (workers.max(1) * 8);
    share.max(1).next_multiple_of(MERGED_AT_ONCE)
}

/// What a journal that grows may take in any case, in bytes.
const JOURNAL: usize = 16 << 10;

impl<B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> Member for Bins<'_, B, O, X, CHECKED> {
    type Kind = Array<B, O, X, CHECKED>;

    fn facts(&self) -> Facts {
        Facts {
            bins: self.bins.len(),
            bytes: size_of_val(self.bins),
            records: 0,
            longest: self.bins.len(),
            invertible: O::INVERTIBLE,
            ordered: CHECKED && O::ORDERED,
            overflows: CHECKED && O::OVERFLOWS,
            rounds: O::ROUNDS,
        }
    }

    fn store(&self) -> Store<B> {
        Store::new(self.bins.len())
    }

    fn pairs(&self, shift: Option<u32>, bytes: usize) -> Pairs<B> {
        Pairs::new(self.bins.len(), shift, bytes)
    }

    fn log<'t>(&self, pairs: &'t mut Pairs<B>, fault: &'t Fault) -> Log<'t, B, O, X, CHECKED> {
        Log::write(self.bins.len(), pairs, fault)
    }

    fn rehearse<'t>(&self, _: &'t mut Pairs<B>, fault: &'t Fault) -> Log<'t, B, O, X, CHECKED> {
        Log::check(self.bins.len(), fault)
    }

    fn check<'t>(&self, fault: &'t Fault) -> Check<'t, B, X> {
        Check::new(self.bins.len(), fault)
    }

    fn journal(&self, updates: usize) -> Journal<B> {
        Journal::new(updates)
    }

    fn journaled<'t>(
        &'t mut self,
        journal: &'t mut Journal<B>,
        fault: &'t Fault,
    ) -> Journaled<'t, B, O, X, CHECKED> {
        journal.write(self.bins, fault)
    }

    fn roll_back(&mut self, journal: &mut Journal<B>) {
        journal.roll_back(self.bins);
    }

    fn logged<'t>(
        &'t mut self,
        pairs: &'t mut Pairs<B>,
        fault: &'t Fault,
    ) -> Log<'t, B, O, X, CHECKED> {
        // A longer one would take more than a copy.
        pairs.limit(size_of_val(self.bins).max(JOURNAL));
        Log::journal(self.bins, pairs, fault)
    }

    fn commit(&mut self, _: &Pairs<B>) -> bool {
        false
    }

    fn unlog(&mut self, pairs: &Pairs<B>) {
        pairs.put_back(self.bins);
    }

    fn revert<'t>(
        &'t mut self,
        _pairs: &'t mut Pairs<B>,
        budget: &'t AtomicUsize,
        fault: &'t Fault,
    ) -> Log<'t, B, O, X, CHECKED> {
        Log::revert(self.bins, budget, fault)
    }

    fn courses(&self, first: &Pairs<B>, last: &Pairs<B>, items: usize) -> Option<Course> {
        let row = |pairs: &Pairs<B>| Some(pairs.ranges[0].first()?.bin as usize / X::ROW);
        Course::new(row(first)?, row(last)?, items)
    }

    fn split<'b>(&'b mut self, course: &Course, parts: &[Range<usize>]) -> Vec<Piece<'b, B>> {
        owned::split(self.bins, X::ROW, *course, parts)
    }

    fn put_back(&mut self, kept: &Kept<B>) {
        let len = kept.bins.len();
        self.bins[kept.first..kept.first + len].copy_from_slice(&kept.bins);
    }

    fn save(&self, arrays: bool) -> Option<Snapshot<B>> {
        arrays.then(|| Snapshot::new(self.bins)).flatten()
    }

    fn restore(&mut self, saved: &Option<Snapshot<B>>) {
        if let Some(saved) = saved {
            self.bins.copy_from_slice(&saved.0);
        }
    }

    fn overflows(&self, stores: &[&Store<B>], workers: usize) -> bool {
        if !CHECKED {
            return false;
        }
        let over = AtomicBool::new(false);
        let piece = merged_at_a_time(self.bins.len(), workers);
        crew::each(workers, self.bins.chunks(piece).enumerate(), |(i, part)| {
            let mut totals = [O::NEUTRAL; MERGED_AT_ONCE];
            for (k, part) in part.chunks(MERGED_AT_ONCE).enumerate() {
                let start = i * piece + k * MERGED_AT_ONCE;
                let range = start..start + part.len();
                let totals = &mut totals[..part.len()];
                totals.copy_from_slice(part);
                for store in stores {
                    if store.add_to::<O, X, CHECKED>(range.clone(), totals) {
                        over.store(true, Ordering::Relaxed);
                    }
                }
            }
        });
        over.into_inner()
    }

    fn publish(&mut self, stores: &[&Store<B>], workers: usize) {
        let slots: usize = stores.iter().map(|s| s.slots_used()).sum();
        let workers = if slots < MERGED_ALONE { 1 } else { workers };
        let piece = merged_at_a_time(self.bins.len(), workers);
        crew::each(
            workers,
            self.bins.chunks_mut(piece).enumerate(),
            |(i, part)| {
                for (k, part) in part.chunks_mut(MERGED_AT_ONCE).enumerate() {
                    let start = i * piece + k * MERGED_AT_ONCE;
                    for store in stores {
                        store.add_to::<O, X, false>(start..start + part.len(), part);
                    }
                }
            },
        );
    }

    fn apply(&mut self, pairs: &[&Pairs<B>], workers: usize) -> bool {
        let Some(shift) = pairs.first().map(|p| p.shift) else {
            return false;
        };
        let over = AtomicBool::new(false);
        let ranges = self.bins.chunks_mut(1 << shift).enumerate();
        crew::each(workers, ranges, |(range, bins)| {
            let first = range << shift;
            for entry in pairs.iter().flat_map(|p| &p.ranges[range]) {
                let bin = &mut bins[entry.bin as usize - first];
                let (new, o) = O::merge::<CHECKED>(*bin, entry.value);
                *bin = new;
                if o {
                    over.store(true, Ordering::Relaxed);
                }
            }
        });
        over.into_inner()
    }

    fn unapply(&mut self, pairs: &[&Pairs<B>]) {
        for entry in pairs.iter().flat_map(|p| p.ranges.iter().flatten()) {
            let bin = &mut self.bins[entry.bin as usize];
            *bin = O::revert(*bin, entry.value);
        }
    }
}

/// Below this many slots a merge takes less than waking another worker: some 10 us at 4 slots a ns.
const MERGED_ALONE: usize = 1 << 15;

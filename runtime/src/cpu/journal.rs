//! What bins held before they were updated, written down so that a panic can be undone.
//!
//! The body runs once, in order, on the bins themselves, as the user's own loop does; beside each update go the bin's number and its
//! old value to the next place of a row of entries. A store that nobody waits for is nearly free beside a load, an addition and a store that
//! do wait for each other, whatever else the body does: branches, inner loops, tables of tables.
//!
//! Room is there before the loop begins, for as many entries as are expected, and stays with the thread from call to call. Where it
//! runs out, and where an index is out of range, the loop is left by unwinding and begun again in another way: a call that returned would
//! cost the loop its registers, of which those for floats survive no call.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::panic::resume_unwind;
use std::slice;

use super::fault::Left;
use super::op::{Operator, TwoSigns, Value};
use super::source::{Along, Source};
use super::table::{Context, Fault, Shape, updates};
use crate::base::bin::Slot;
use crate::base::kept;

/// What a bin held before an update.
#[derive(Clone, Copy, Debug)]
struct Entry<B> {
    bin: u32,
    old: B,
}

/// The bytes of an entry of the largest bins.
pub(super) const ENTRY: usize = size_of::<Entry<u64>>();

/// The entries of an array, in the order of the updates.
#[derive(Debug)]
pub struct Journal<B: Slot> {
    /// Those of the stretches of the loop before the last one.
    entries: Vec<Entry<B>>,
    /// How many places of the room are left behind those of the last one.
    left: usize,
    /// Whether there was no room for one.
    full: bool,
}

impl<B: Slot> Journal<B> {
    /// An empty one with room for so many entries, or as many as a thread may keep.
    pub(super) fn new(entries: usize) -> Journal<B> {
        let room = entries.min(kept::MOST_BYTES / size_of::<Entry<B>>());
        let mut entries = kept::take::<Entry<B>>();
        // Without memory it is full soon.
        let _ = entries.try_reserve_exact(room);
        Journal {
            left: entries.capacity(),
            entries,
            full: false,
        }
    }

    /// Makes room for so many updates more.
    pub(super) fn reserve(&mut self, updates: usize) {
        self.settle();
        let _ = self.entries.try_reserve_exact(updates);
        self.left = self.entries.capacity() - self.entries.len();
    }

    /// A place for the updates of a stretch of the loop, after those before it.
    pub(super) fn write<'t, O: Operator<B>, X: Shape, const CHECKED: bool>(
        &'t mut self,
        bins: &'t mut [B],
        fault: &'t Fault,
    ) -> Journaled<'t, B, O, X, CHECKED> {
        self.settle();
        Journaled {
            bins,
            room: self.entries.spare_capacity_mut().iter_mut(),
            left: &mut self.left,
            full: &mut self.full,
            fault,
            op: PhantomData,
        }
    }

    /// Counts what a stretch has written.
    fn settle(&mut self) {
        let written = self.entries.capacity() - self.left;
        // SAFETY: `left` is what the iterator over the places behind `entries` had left when the view of the last stretch ended, or,
        // where that has not ended as it should, what there was before; and a view writes a place before it takes the next one.
        unsafe { self.entries.set_len(written) };
    }

    /// Puts the old values back, the last one first.
    pub(super) fn roll_back(&mut self, bins: &mut [B]) {
        self.settle();
        for entry in self.entries.iter().rev() {
            bins[entry.bin as usize] = entry.old;
        }
    }

    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        self.entries.capacity() - self.left
    }
}

impl<B: Slot> Drop for Journal<B> {
    fn drop(&mut self) {
        let mut room = std::mem::take(&mut self.entries);
        room.clear();
        if self.full {
            // There may be enough the next time.
            let most = kept::MOST_BYTES / size_of::<Entry<B>>();
            let _ = room.try_reserve_exact((room.capacity() * 4).clamp(1024, most));
        }
        kept::give_back(room);
    }
}

/// A place for updates that are done on the bins themselves, with old values written down.
#[derive(Debug)]
pub struct Journaled<'t, B: Slot, O, X, const CHECKED: bool> {
    bins: &'t mut [B],
    room: slice::IterMut<'t, MaybeUninit<Entry<B>>>,
    left: &'t mut usize,
    full: &'t mut bool,
    fault: &'t Fault,
    op: PhantomData<(O, X)>,
}

updates!(Journaled);

impl<B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> Journaled<'_, B, O, X, CHECKED> {
    /// There are no lanes.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn put(&mut self, at: X::Index, value: B) {
        let fault = self.fault;
        let index = X::slot(at, self.bins.len(), |index, len| -> Infallible {
            fault.leave(index, len)
        });
        let Ok(index) = index;
        // SAFETY: it is less than the length.
        let bin = unsafe { self.bins.get_unchecked_mut(index) };
        let Some(place) = self.room.next() else {
            full(self.full);
        };
        let old = *bin;
        let (new, over) = O::merge::<CHECKED>(old, value);
        place.write(Entry {
            bin: index as u32,
            old,
        });
        *bin = new;
        if over {
            overflowed(self.fault);
        }
    }
}

/// A result is out of range. The unwinding passes no panic hook.
#[cold]
#[inline(never)]
fn overflowed(fault: &Fault) -> ! {
    fault.overflowed();
    resume_unwind(Box::new(Left));
}

/// There is no room.
#[cold]
#[inline(never)]
fn full(full: &mut bool) -> ! {
    *full = true;
    resume_unwind(Box::new(Left));
}

impl<B: Slot, O, X, const CHECKED: bool> Context for Journaled<'_, B, O, X, CHECKED> {
    #[inline(always)]
    fn finish(self) {}
}

/// At the loop's end, and where a panic unwinds through it; until then how far it has come is in a register.
impl<B: Slot, O, X, const CHECKED: bool> Drop for Journaled<'_, B, O, X, CHECKED> {
    #[inline(always)]
    fn drop(&mut self) {
        *self.left = self.room.len();
    }
}

/// A scalar that a journaled loop updates as the user's own loop does: in a register, from the value that it had. Nothing is written
/// down of it; what it was before the call is known.
#[derive(Debug)]
pub struct Running<'t, B, O, const CHECKED: bool> {
    value: B,
    place: &'t mut B,
    fault: &'t Fault,
    op: PhantomData<O>,
}

impl<'t, B: Slot, O: Operator<B>, const CHECKED: bool> Running<'t, B, O, CHECKED> {
    pub(super) fn new(place: &'t mut B, fault: &'t Fault) -> Self {
        Running {
            value: *place,
            place,
            fault,
            op: PhantomData,
        }
    }

    /// The update of a compound assignment. The index is the unit, for a scalar has none.
    #[inline(always)]
    pub fn update(&mut self, (): (), value: impl Value<B>) {
        self.update_with((), value.value());
    }

    /// The update of a method: the value's type is the scalar's.
    #[inline(always)]
    pub fn update_with(&mut self, (): (), value: B) {
        let (new, over) = O::merge::<CHECKED>(self.value, value);
        self.value = new;
        if over {
            self.fault.overflowed();
        }
    }

    /// There is one lane only.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }
}

impl<B: Slot, O: TwoSigns<B>, const CHECKED: bool> Running<'_, B, O, CHECKED> {
    /// The update of `-=` beside others of `+=`.
    #[inline(always)]
    pub fn subtract(&mut self, (): (), value: impl Value<B>) {
        self.subtract_with((), value.value());
    }

    /// The update of `wrapping_sub` beside others of `wrapping_add`.
    #[inline(always)]
    pub fn subtract_with(&mut self, (): (), value: B) {
        self.update_with((), O::opposite(value));
    }
}

impl<B: Slot, O, const CHECKED: bool> Context for Running<'_, B, O, CHECKED> {
    #[inline(always)]
    fn finish(self) {
        *self.place = self.value;
    }
}

/// A part of the iteration space, and what its updates go to. Emitted code runs the user's body over it by
/// [`drive`](Journaling::drive), as with a [`Drive`](super::drive::Drive).
#[derive(Debug)]
pub struct Journaling<C> {
    range: Range<usize>,
    context: C,
}

impl<C: Context> Journaling<C> {
    pub(super) fn new(range: Range<usize>, context: C) -> Journaling<C> {
        Journaling { range, context }
    }

    /// Calls `step` for every item, over the user's own iterator, with copies of what does not change in the loop.
    ///
    /// # Panics
    ///
    /// If the range is not within the source, and where the step panics.
    #[inline(never)]
    pub fn drive<S: Source, Y: Copy, R>(
        self,
        source: &S,
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        let Journaling { range, mut context } = self;
        for item in source.part(range) {
            step(item, &mut context, copies);
        }
        context.finish();
    }

    /// The same for steps of nested loops, each with arrays of its own.
    #[inline(always)]
    pub fn drive_across<S: Source, P, Q, V: Along, W: Along, Y: Copy, R>(
        self,
        source: &S,
        (_, outer): (P, V),
        (_, inner): (Q, W),
        copies: Y,
        step: impl Fn(S::Item, &mut C, (V, W), Y) -> R,
    ) {
        self.drive_along(source, (outer, inner), copies, step);
    }

    /// The same for steps that read arrays at their position.
    #[inline(always)]
    pub fn drive_along<S: Source, A: Copy, Y: Copy, R>(
        self,
        source: &S,
        along: A,
        copies: Y,
        step: impl Fn(S::Item, &mut C, A, Y) -> R,
    ) {
        let copies = (along, copies);
        self.drive(source, copies, |item, context, (along, copies)| {
            step(item, context, along, copies)
        });
    }

    /// The same: an item that does any number of updates is no different here.
    #[inline(always)]
    pub fn drive_uneven<S: Source, Y: Copy, R>(
        self,
        source: &S,
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        self.drive(source, copies, step);
    }

    /// The same: the user's own iterator does not look ahead.
    #[inline(always)]
    pub fn drive_fetching<S: Source, Y: Copy, R>(
        self,
        source: &S,
        _: impl Fn(S::Item),
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        self.drive(source, copies, step);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::super::op::{Add, Sub};
    use super::super::source::source;
    use super::super::table::Line;
    use super::*;

    type View<'t, O, const CHECKED: bool> = Journaled<'t, u8, O, Line, CHECKED>;

    /// Updates bins, and says whether it came to its end.
    fn update<O: Operator<u8>>(
        journal: &mut Journal<u8>,
        bins: &mut [u8],
        indices: &[usize],
        fault: &Fault,
    ) -> bool {
        let view: View<'_, O, true> = journal.write(bins, fault);
        let drive = Journaling::new(0..indices.len(), view);
        let updates = source(indices).copied();
        let ran = catch_unwind(AssertUnwindSafe(|| {
            drive.drive(&updates, (), |index, view, ()| view.update(index, 1));
        }));
        ran.map_err(|payload| assert!(payload.is::<Left>())).is_ok()
    }

    #[test]
    fn old_values_come_back_stretch_by_stretch() {
        let mut bins = [10, 20, 30];
        let mut journal = Journal::new(7);
        let fault = Fault::default();
        for stretch in [&[0usize, 1, 0][..], &[], &[2, 2, 1, 0]] {
            assert!(update::<Sub>(&mut journal, &mut bins, stretch, &fault));
            journal.reserve(20_000);
        }
        assert_eq!((bins, journal.len()), ([7, 18, 28], 7));
        journal.roll_back(&mut bins);
        assert_eq!((bins, fault.is_set()), ([10, 20, 30], false));
    }

    #[test]
    fn a_journal_that_is_full_ends_the_loop_and_has_more_room_the_next_time() {
        let mut bins = [0; 3];
        let fault = Fault::default();
        for room in [0, 1, 3] {
            // Without what the thread keeps.
            let mut journal = Journal::new(room);
            let spare = journal.entries.capacity() - room;
            (journal.entries, journal.left) = (Vec::with_capacity(room), room);
            let ended = update::<Add>(&mut journal, &mut bins, &[0, 1, 2, 2], &fault);
            assert!(!ended && journal.full && spare < 10_000);
            assert_eq!((journal.len(), fault.is_set()), (room, false));
            journal.roll_back(&mut bins);
            assert_eq!(bins, [0; 3]);
            drop(journal);
            assert!(Journal::<u8>::new(0).entries.capacity() >= 1024);
        }
    }

    #[test]
    fn what_is_out_of_range_or_overflows_is_a_fault() {
        for indices in [&[1, 0, 2][..], &[1, 0, 0]] {
            let mut bins = [254, 0];
            let mut journal = Journal::new(8);
            let fault = Fault::default();
            assert!(!update::<Add>(&mut journal, &mut bins, indices, &fault));
            assert!(fault.is_set() && !journal.full);
            journal.roll_back(&mut bins);
            assert_eq!(bins, [254, 0]);
        }
    }

    #[test]
    fn a_panic_leaves_what_was_written() {
        let mut bins = [1.5f64; 4];
        let mut journal = Journal::new(9);
        let fault = Fault::default();
        let result = catch_unwind(AssertUnwindSafe(|| {
            let view: Journaled<'_, f64, Add, Line, false> = journal.write(&mut bins, &fault);
            Journaling::new(0..9, view).drive(&source(0..9usize), (), |i, view, ()| {
                view.update(i % 4, 1.0);
                assert!(i < 5, "stop");
            });
        }));
        assert!(result.is_err());
        assert_eq!((journal.len(), bins), (6, [3.5, 3.5, 2.5, 2.5]));
        journal.roll_back(&mut bins);
        assert_eq!(bins, [1.5; 4]);
    }

    #[test]
    fn a_view_that_is_forgotten_counts_for_nothing() {
        let mut bins = [0; 2];
        let mut journal = Journal::new(4);
        let fault = Fault::default();
        let mut view: View<'_, Add, false> = journal.write(&mut bins, &fault);
        view.update(0, 1);
        std::mem::forget(view);
        assert_eq!(journal.len(), 0);
    }
}

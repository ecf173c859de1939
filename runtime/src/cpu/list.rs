//! Scalars and lists as [`Member`]s.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::AtomicUsize;

use super::journal::Running;
use super::member::{Facts, Kind, Member, is_of};
use super::op::{Operator, repeat};
use super::rehearsal::Unheard;
use super::table::{Accumulator, Fault};
use crate::base::bin::Slot;

/// A scalar that the loop reduces into (`total += w`).
#[derive(Debug)]
pub struct Scalar<'a, B, O, const CHECKED: bool> {
    place: &'a mut B,
    op: PhantomData<O>,
}

/// The kind of [`Scalar`].
#[derive(Debug)]
pub struct Reduction<B, O, const CHECKED: bool>(PhantomData<fn() -> (B, O)>);

/// A scalar, with its operator.
#[inline(always)]
pub fn scalar<const CHECKED: bool, B: Slot, O: Operator<B>>(
    place: &mut B,
    _: O,
) -> Scalar<'_, B, O, CHECKED> {
    Scalar {
        place,
        op: PhantomData,
    }
}

impl<B: Slot, O: Operator<B>, const CHECKED: bool> Kind for Reduction<B, O, CHECKED> {
    // A scalar needs no undoing: the user's loop works on a copy of it.
    const INVERTIBLE: bool = true;
    const MEMBERS: usize = 1;
    type Plain<'t> = Accumulator<'t, B, O, CHECKED>;
    type Striped<'t> = Accumulator<'t, B, O, CHECKED>;
    type Log<'t> = Accumulator<'t, B, O, CHECKED>;
    type Check<'t> = Unheard<B>;
    type Journaled<'t> = Running<'t, B, O, CHECKED>;
    type Store = B;
    type Pairs = B;
    type Journal = ();
    type Windows = ();
    type Saved = B;
    type Owned<'t> = Accumulator<'t, B, O, CHECKED>;
    type Piece<'b> = ();
    type Kept = ();
    type Courses = ();

    fn plain<'t>(store: &'t mut B, fault: &'t Fault) -> Self::Plain<'t> {
        Accumulator::new(store, fault)
    }

    fn striped<'t>(store: &'t mut B, (): &(), fault: &'t Fault) -> Self::Striped<'t> {
        Accumulator::new(store, fault)
    }

    fn windows(_: &B, _: &B, _: bool) {}

    fn wants_lanes((): &()) -> bool {
        false
    }

    fn logged(_: &B) -> usize {
        0
    }

    fn journaled((): &()) -> usize {
        0
    }

    fn reserve((): &mut (), _: usize) {}

    fn prepare(_: &mut B) -> bool {
        true
    }

    fn probe<'t>(pairs: &'t mut B, _: &'t mut B, fault: &'t Fault) -> Self::Log<'t> {
        Accumulator::new(pairs, fault)
    }

    fn settle(pairs: &mut B, store: &mut B, fault: &Fault) {
        let (sum, over) = O::accumulate::<CHECKED>(*store, *pairs);
        *store = sum;
        *pairs = O::NEUTRAL;
        if over {
            fault.overflowed();
        }
    }

    fn repeat(
        pairs: &mut B,
        store: &mut B,
        times: u64,
        only: Option<usize>,
        of: &[&[u8]],
        fault: &Fault,
    ) {
        let value = std::mem::replace(pairs, O::NEUTRAL);
        // All updates of a scalar are one value here, and depend on one column.
        if is_of(only, of, 0) {
            let (value, too_many) = repeat::<B, O, CHECKED>(value, times);
            let (sum, over) = O::accumulate::<CHECKED>(*store, value);
            *store = sum;
            if over | too_many {
                fault.overflowed();
            }
        }
    }

    fn slots_used(_: &B) -> usize {
        0
    }

    fn owned<'t>((): &'t mut (), store: &'t mut B, fault: &'t Fault) -> Self::Owned<'t> {
        Accumulator::new(store, fault)
    }

    fn keep((): ()) {}
}

impl<B: Slot, O: Operator<B>, const CHECKED: bool> Scalar<'_, B, O, CHECKED> {
    /// The value with all of `parts`, and whether that overflowed.
    fn total(&self, parts: &[&B]) -> (B, bool) {
        parts
            .iter()
            .fold((*self.place, false), |(sum, over), part| {
                let (sum, o) = O::merge::<CHECKED>(sum, **part);
                (sum, over | o)
            })
    }
}

impl<B: Slot, O: Operator<B>, const CHECKED: bool> Member for Scalar<'_, B, O, CHECKED> {
    type Kind = Reduction<B, O, CHECKED>;

    fn facts(&self) -> Facts {
        Facts {
            invertible: Self::Kind::INVERTIBLE,
            ordered: CHECKED && O::ORDERED,
            overflows: CHECKED && O::OVERFLOWS,
            rounds: O::ROUNDS,
            ..Facts::NONE
        }
    }

    fn store(&self) -> B {
        O::NEUTRAL
    }

    fn pairs(&self, _: Option<u32>, _: usize) -> B {
        O::NEUTRAL
    }

    fn log<'t>(&self, pairs: &'t mut B, fault: &'t Fault) -> Accumulator<'t, B, O, CHECKED> {
        Accumulator::new(pairs, fault)
    }

    fn rehearse<'t>(&self, pairs: &'t mut B, fault: &'t Fault) -> Accumulator<'t, B, O, CHECKED> {
        Accumulator::new(pairs, fault)
    }

    fn check(&self, _: &Fault) -> Unheard<B> {
        Unheard::new()
    }

    fn journal(&self, _: usize) {}

    fn journaled<'t>(&'t mut self, (): &'t mut (), fault: &'t Fault) -> Running<'t, B, O, CHECKED> {
        Running::new(self.place, fault)
    }

    fn roll_back(&mut self, (): &mut ()) {}

    fn logged<'t>(
        &'t mut self,
        pairs: &'t mut B,
        fault: &'t Fault,
    ) -> Accumulator<'t, B, O, CHECKED> {
        Accumulator::new(pairs, fault)
    }

    fn commit(&mut self, pairs: &B) -> bool {
        self.apply(&[pairs], 1)
    }

    fn unlog(&mut self, _: &B) {}

    fn revert<'t>(
        &'t mut self,
        pairs: &'t mut B,
        _: &'t AtomicUsize,
        fault: &'t Fault,
    ) -> Accumulator<'t, B, O, CHECKED> {
        Accumulator::new(pairs, fault)
    }

    fn courses(&self, _: &B, _: &B, _: usize) -> Option<()> {
        Some(())
    }

    fn split(&mut self, (): &(), parts: &[Range<usize>]) -> Vec<()> {
        vec![(); parts.len()]
    }

    fn put_back(&mut self, (): &()) {}

    fn save(&self, _: bool) -> B {
        *self.place
    }

    fn restore(&mut self, saved: &B) {
        *self.place = *saved;
    }

    fn overflows(&self, stores: &[&B], _: usize) -> bool {
        self.total(stores).1
    }

    fn publish(&mut self, stores: &[&B], _: usize) {
        *self.place = self.total(stores).0;
    }

    fn apply(&mut self, pairs: &[&B], _: usize) -> bool {
        let (sum, over) = self.total(pairs);
        *self.place = sum;
        over
    }

    fn unapply(&mut self, _: &[&B]) {}
}

impl Kind for () {
    const INVERTIBLE: bool = true;
    const MEMBERS: usize = 0;
    type Plain<'t> = ();
    type Striped<'t> = ();
    type Log<'t> = ();
    type Check<'t> = ();
    type Journaled<'t> = ();
    type Store = ();
    type Pairs = ();
    type Journal = ();
    type Windows = ();
    type Saved = ();
    type Owned<'t> = ();
    type Piece<'b> = ();
    type Kept = ();
    type Courses = ();

    fn plain<'t>((): &'t mut (), _: &'t Fault) {}
    fn striped<'t>((): &'t mut (), (): &(), _: &'t Fault) {}
    fn windows((): &(), (): &(), _: bool) {}
    fn wants_lanes((): &()) -> bool {
        false
    }
    fn logged((): &()) -> usize {
        0
    }
    fn journaled((): &()) -> usize {
        0
    }
    fn reserve((): &mut (), _: usize) {}
    fn prepare((): &mut ()) -> bool {
        true
    }
    fn probe<'t>((): &'t mut (), (): &'t mut (), _: &'t Fault) {}
    fn settle((): &mut (), (): &mut (), _: &Fault) {}
    fn repeat((): &mut (), (): &mut (), _: u64, _: Option<usize>, _: &[&[u8]], _: &Fault) {}
    fn slots_used((): &()) -> usize {
        0
    }
    fn owned<'t>((): &'t mut (), (): &'t mut (), _: &'t Fault) {}
    fn keep((): ()) {}
}

impl Member for () {
    type Kind = ();

    fn facts(&self) -> Facts {
        Facts::NONE
    }
    fn store(&self) {}
    fn pairs(&self, _: Option<u32>, _: usize) {}
    fn log<'t>(&self, (): &'t mut (), _: &'t Fault) {}
    fn rehearse<'t>(&self, (): &'t mut (), _: &'t Fault) {}
    fn check(&self, _: &Fault) {}
    fn journal(&self, _: usize) {}
    fn journaled<'t>(&'t mut self, (): &'t mut (), _: &'t Fault) {}
    fn roll_back(&mut self, (): &mut ()) {}
    fn logged<'t>(&'t mut self, (): &'t mut (), _: &'t Fault) {}
    fn commit(&mut self, (): &()) -> bool {
        false
    }
    fn unlog(&mut self, (): &()) {}
    fn revert<'t>(&'t mut self, (): &'t mut (), _: &'t AtomicUsize, _: &'t Fault) {}
    fn courses(&self, (): &(), (): &(), _: usize) -> Option<()> {
        Some(())
    }
    fn split(&mut self, (): &(), parts: &[Range<usize>]) -> Vec<()> {
        vec![(); parts.len()]
    }
    fn put_back(&mut self, (): &()) {}
    fn save(&self, _: bool) {}
    fn restore(&mut self, (): &()) {}
    fn overflows(&self, _: &[&()], _: usize) -> bool {
        false
    }
    fn publish(&mut self, _: &[&()], _: usize) {}
    fn apply(&mut self, _: &[&()], _: usize) -> bool {
        false
    }
    fn unapply(&mut self, _: &[&()]) {}
}

impl<H: Kind, T: Kind> Kind for (H, T) {
    const INVERTIBLE: bool = H::INVERTIBLE && T::INVERTIBLE;
    const MEMBERS: usize = H::MEMBERS + T::MEMBERS;
    type Plain<'t> = (H::Plain<'t>, T::Plain<'t>);
    type Striped<'t> = (H::Striped<'t>, T::Striped<'t>);
    type Log<'t> = (H::Log<'t>, T::Log<'t>);
    type Check<'t> = (H::Check<'t>, T::Check<'t>);
    type Journaled<'t> = (H::Journaled<'t>, T::Journaled<'t>);
    type Store = (H::Store, T::Store);
    type Pairs = (H::Pairs, T::Pairs);
    type Journal = (H::Journal, T::Journal);
    type Windows = (H::Windows, T::Windows);
    type Saved = (H::Saved, T::Saved);
    type Owned<'t> = (H::Owned<'t>, T::Owned<'t>);
    type Piece<'b> = (H::Piece<'b>, T::Piece<'b>);
    type Kept = (H::Kept, T::Kept);
    type Courses = (H::Courses, T::Courses);

    fn plain<'t>((h, t): &'t mut Self::Store, fault: &'t Fault) -> Self::Plain<'t> {
        (H::plain(h, fault), T::plain(t, fault))
    }

    fn striped<'t>(
        (h, t): &'t mut Self::Store,
        windows: &Self::Windows,
        fault: &'t Fault,
    ) -> Self::Striped<'t> {
        (
            H::striped(h, &windows.0, fault),
            T::striped(t, &windows.1, fault),
        )
    }

    fn windows((h, t): &Self::Pairs, stores: &Self::Store, always: bool) -> Self::Windows {
        (
            H::windows(h, &stores.0, always),
            T::windows(t, &stores.1, always),
        )
    }

    fn wants_lanes((h, t): &Self::Windows) -> bool {
        H::wants_lanes(h) || T::wants_lanes(t)
    }

    fn logged((h, t): &Self::Pairs) -> usize {
        H::logged(h) + T::logged(t)
    }

    fn journaled((h, t): &Self::Journal) -> usize {
        H::journaled(h) + T::journaled(t)
    }

    fn reserve((h, t): &mut Self::Journal, updates: usize) {
        H::reserve(h, updates);
        T::reserve(t, updates);
    }

    fn prepare((h, t): &mut Self::Store) -> bool {
        H::prepare(h) && T::prepare(t)
    }

    fn probe<'t>(
        (h, t): &'t mut Self::Pairs,
        stores: &'t mut Self::Store,
        fault: &'t Fault,
    ) -> Self::Log<'t> {
        (
            H::probe(h, &mut stores.0, fault),
            T::probe(t, &mut stores.1, fault),
        )
    }

    fn settle((h, t): &mut Self::Pairs, stores: &mut Self::Store, fault: &Fault) {
        H::settle(h, &mut stores.0, fault);
        T::settle(t, &mut stores.1, fault);
    }

    fn repeat(
        (h, t): &mut Self::Pairs,
        stores: &mut Self::Store,
        times: u64,
        only: Option<usize>,
        of: &[&[u8]],
        fault: &Fault,
    ) {
        H::repeat(h, &mut stores.0, times, only, of, fault);
        let of = of.get(H::MEMBERS..).unwrap_or_default();
        T::repeat(t, &mut stores.1, times, only, of, fault);
    }

    fn slots_used((h, t): &Self::Store) -> usize {
        H::slots_used(h) + T::slots_used(t)
    }

    fn owned<'t>(
        (h, t): &'t mut Self::Piece<'_>,
        stores: &'t mut Self::Store,
        fault: &'t Fault,
    ) -> Self::Owned<'t> {
        (
            H::owned(h, &mut stores.0, fault),
            T::owned(t, &mut stores.1, fault),
        )
    }

    fn keep((h, t): Self::Piece<'_>) -> Self::Kept {
        (H::keep(h), T::keep(t))
    }
}

/// The first halves of pairs, and the second halves.
fn halves<'r, H, T>(pairs: &[&'r (H, T)]) -> (Vec<&'r H>, Vec<&'r T>) {
    pairs.iter().map(|(h, t)| (h, t)).unzip()
}

impl<H: Member, T: Member> Member for (H, T) {
    type Kind = (H::Kind, T::Kind);

    fn facts(&self) -> Facts {
        let (h, t) = (self.0.facts(), self.1.facts());
        Facts {
            bins: h.bins + t.bins,
            bytes: h.bytes + t.bytes,
            records: h.records + t.records,
            longest: h.longest.max(t.longest),
            invertible: h.invertible && t.invertible,
            ordered: h.ordered || t.ordered,
            overflows: h.overflows || t.overflows,
            rounds: h.rounds || t.rounds,
        }
    }

    fn store(&self) -> <Self::Kind as Kind>::Store {
        (self.0.store(), self.1.store())
    }

    fn pairs(&self, shift: Option<u32>, bytes: usize) -> <Self::Kind as Kind>::Pairs {
        (self.0.pairs(shift, bytes), self.1.pairs(shift, bytes))
    }

    fn log<'t>(
        &self,
        (h, t): &'t mut <Self::Kind as Kind>::Pairs,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Log<'t> {
        (self.0.log(h, fault), self.1.log(t, fault))
    }

    fn rehearse<'t>(
        &self,
        (h, t): &'t mut <Self::Kind as Kind>::Pairs,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Log<'t> {
        (self.0.rehearse(h, fault), self.1.rehearse(t, fault))
    }

    fn check<'t>(&self, fault: &'t Fault) -> <Self::Kind as Kind>::Check<'t> {
        (self.0.check(fault), self.1.check(fault))
    }

    fn journal(&self, updates: usize) -> <Self::Kind as Kind>::Journal {
        (self.0.journal(updates), self.1.journal(updates))
    }

    fn journaled<'t>(
        &'t mut self,
        (h, t): &'t mut <Self::Kind as Kind>::Journal,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Journaled<'t> {
        (self.0.journaled(h, fault), self.1.journaled(t, fault))
    }

    fn roll_back(&mut self, (h, t): &mut <Self::Kind as Kind>::Journal) {
        self.0.roll_back(h);
        self.1.roll_back(t);
    }

    fn logged<'t>(
        &'t mut self,
        (h, t): &'t mut <Self::Kind as Kind>::Pairs,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Log<'t> {
        (self.0.logged(h, fault), self.1.logged(t, fault))
    }

    fn commit(&mut self, (h, t): &<Self::Kind as Kind>::Pairs) -> bool {
        self.0.commit(h) | self.1.commit(t)
    }

    fn unlog(&mut self, (h, t): &<Self::Kind as Kind>::Pairs) {
        self.0.unlog(h);
        self.1.unlog(t);
    }

    fn revert<'t>(
        &'t mut self,
        (h, t): &'t mut <Self::Kind as Kind>::Pairs,
        budget: &'t AtomicUsize,
        fault: &'t Fault,
    ) -> <Self::Kind as Kind>::Log<'t> {
        (
            self.0.revert(h, budget, fault),
            self.1.revert(t, budget, fault),
        )
    }

    fn courses(
        &self,
        first: &<Self::Kind as Kind>::Pairs,
        last: &<Self::Kind as Kind>::Pairs,
        items: usize,
    ) -> Option<<Self::Kind as Kind>::Courses> {
        let h = self.0.courses(&first.0, &last.0, items)?;
        Some((h, self.1.courses(&first.1, &last.1, items)?))
    }

    fn split<'b>(
        &'b mut self,
        (h, t): &<Self::Kind as Kind>::Courses,
        parts: &[Range<usize>],
    ) -> Vec<<Self::Kind as Kind>::Piece<'b>> {
        let (h, t) = (self.0.split(h, parts), self.1.split(t, parts));
        h.into_iter().zip(t).collect()
    }

    fn put_back(&mut self, (h, t): &<Self::Kind as Kind>::Kept) {
        self.0.put_back(h);
        self.1.put_back(t);
    }

    fn save(&self, arrays: bool) -> <Self::Kind as Kind>::Saved {
        (self.0.save(arrays), self.1.save(arrays))
    }

    fn restore(&mut self, (h, t): &<Self::Kind as Kind>::Saved) {
        self.0.restore(h);
        self.1.restore(t);
    }

    fn overflows(&self, stores: &[&<Self::Kind as Kind>::Store], workers: usize) -> bool {
        let (h, t) = halves(stores);
        self.0.overflows(&h, workers) || self.1.overflows(&t, workers)
    }

    fn publish(&mut self, stores: &[&<Self::Kind as Kind>::Store], workers: usize) {
        let (h, t) = halves(stores);
        self.0.publish(&h, workers);
        self.1.publish(&t, workers);
    }

    fn apply(&mut self, pairs: &[&<Self::Kind as Kind>::Pairs], workers: usize) -> bool {
        let (h, t) = halves(pairs);
        self.0.apply(&h, workers) | self.1.apply(&t, workers)
    }

    fn unapply(&mut self, pairs: &[&<Self::Kind as Kind>::Pairs]) {
        let (h, t) = halves(pairs);
        self.0.unapply(&h);
        self.1.unapply(&t);
    }
}

//! The strategy `split`: iterations that write elements of their own, split over the workers.
//!
//! The user's own loop runs over parts of the iteration space, each part once, with the owned arrays' names standing for
//! [`Own`](super::own::Own). Bins and scalars that the loop combines into are private to a worker and
//! merged when all is done. The first iterations run in order and are timed; what is left is split where that is worth it.
//!
//! # Panics
//!
//! The panic that the caller gets is that of the earliest iteration that has one: parts are taken in order, those before the one
//! that panicked come to their end, and of several the earliest counts. Bins and scalars are then as before the call. An
//! owned element holds what it held before or what its iteration has written: later iterations may have run.

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::case::budget;
use super::choose::Reason;
use super::crew::{self, Parts};
use super::member::Facts;
use super::op::Operator;
use super::request;
use super::run::decide::{GROWTH, TIMED};
use super::site::{Did, Report, Site};
use super::strategy::table::Strategy;
use crate::base::bin::Slot;
use crate::base::choice;
use crate::base::device::Device;
use crate::base::lock::lock;
use crate::base::trying;

/// Work that would take less time is not worth waking workers for.
const LEAST: Duration = Duration::from_micros(60);

/// About how long a part takes.
const PART: Duration = Duration::from_micros(100);

/// Parts for each worker, at least where there are as many items: the last ones to end decide how long it takes.
const EVEN: usize = 8;

/// Parts of a run whose results are to be the same on any number of threads.
const FIXED: usize = 64;

/// A call of a loop under way.
#[derive(Debug)]
pub struct Each<'s> {
    site: &'s Site,
    items: usize,
    apart: bool,
    confirmed: bool,
}

/// What a loop combines into: private copies for workers.
pub trait Combined: Sync {
    /// A copy that a worker combines into.
    type Private: Send;
    /// Whether checked overflow needs the sequential order.
    const ORDERED: bool;
    /// Whether the last bits of a result depend on the order.
    const ROUNDS: bool;
    /// Whether copies have to be merged in the order of the iterations.
    const FOLLOWS: bool = false;

    /// The bytes of a copy.
    fn bytes(&self) -> usize;
    /// A copy of what is there now, for whoever begins.
    fn begin(&self) -> Self::Private;
    /// A copy in which nothing has been combined.
    fn fresh(&self) -> Self::Private;
    /// Takes the copy back of whoever began.
    fn end(&mut self, first: Self::Private);
    /// Combines another copy into what is there.
    fn merge(&mut self, other: Self::Private);
}

impl Combined for () {
    type Private = ();
    const ORDERED: bool = false;
    const ROUNDS: bool = false;

    fn bytes(&self) -> usize {
        0
    }
    fn begin(&self) {}
    fn fresh(&self) {}
    fn end(&mut self, (): ()) {}
    fn merge(&mut self, (): ()) {}
}

impl<A: Combined, B: Combined> Combined for (A, B) {
    type Private = (A::Private, B::Private);
    const ORDERED: bool = A::ORDERED || B::ORDERED;
    const ROUNDS: bool = A::ROUNDS || B::ROUNDS;
    const FOLLOWS: bool = A::FOLLOWS || B::FOLLOWS;

    fn bytes(&self) -> usize {
        self.0.bytes().saturating_add(self.1.bytes())
    }
    fn begin(&self) -> Self::Private {
        (self.0.begin(), self.1.begin())
    }
    fn fresh(&self) -> Self::Private {
        (self.0.fresh(), self.1.fresh())
    }
    fn end(&mut self, first: Self::Private) {
        self.0.end(first.0);
        self.1.end(first.1);
    }
    fn merge(&mut self, other: Self::Private) {
        self.0.merge(other.0);
        self.1.merge(other.1);
    }
}

/// A scalar with the operator that combines into it.
#[derive(Debug)]
pub struct Scalar<'a, B, O, const CHECKED: bool>(&'a mut B, O);

/// A scalar that the loop combines into.
pub fn scalar<const CHECKED: bool, B: Slot, O: Operator<B>>(
    place: &mut B,
    op: O,
) -> Scalar<'_, B, O, CHECKED> {
    Scalar(place, op)
}

impl<B: Slot, O: Operator<B>, const CHECKED: bool> Combined for Scalar<'_, B, O, CHECKED> {
    type Private = B;
    // A private sum may overflow where the sequential one does not.
    const ORDERED: bool = CHECKED && O::OVERFLOWS;
    const ROUNDS: bool = O::ROUNDS;

    fn bytes(&self) -> usize {
        0
    }
    fn begin(&self) -> B {
        *self.0
    }
    fn fresh(&self) -> B {
        O::NEUTRAL
    }
    fn end(&mut self, first: B) {
        *self.0 = first;
    }
    fn merge(&mut self, other: B) {
        *self.0 = O::merge::<false>(*self.0, other).0;
    }
}

/// Bins with the operator that combines into them.
#[derive(Debug)]
pub struct Bins<'a, B, O, const CHECKED: bool>(&'a mut [B], O);

/// Bins that the loop combines into.
pub fn bins<const CHECKED: bool, B: Slot, O: Operator<B>>(
    bins: &mut [B],
    op: O,
) -> Bins<'_, B, O, CHECKED> {
    Bins(bins, op)
}

impl<B: Slot, O: Operator<B>, const CHECKED: bool> Combined for Bins<'_, B, O, CHECKED> {
    type Private = Vec<B>;
    const ORDERED: bool = CHECKED && O::OVERFLOWS;
    const ROUNDS: bool = O::ROUNDS;

    fn bytes(&self) -> usize {
        size_of_val(self.0)
    }
    fn begin(&self) -> Vec<B> {
        self.0.to_vec()
    }
    fn fresh(&self) -> Vec<B> {
        vec![O::NEUTRAL; self.0.len()]
    }
    fn end(&mut self, first: Vec<B>) {
        self.0.copy_from_slice(&first);
    }
    fn merge(&mut self, other: Vec<B>) {
        for (bin, other) in self.0.iter_mut().zip(other) {
            *bin = O::merge::<false>(*bin, other).0;
        }
    }
}

/// How a call runs.
enum Plan {
    InOrder(Reason),
    /// By so many workers, in so many parts if that was asked for.
    Split(usize, Option<usize>, Reason),
    /// As the first items say.
    Measure(usize),
    /// In parts that do not depend on the workers.
    Fixed(usize),
}

impl<'s> Each<'s> {
    /// A call of the loop with so many items.
    #[inline]
    pub fn new(site: &'s Site, items: usize) -> Each<'s> {
        Each {
            site,
            items,
            apart: true,
            confirmed: true,
        }
    }

    /// Whether what the compiler could not know holds, so that iterations keep apart.
    #[inline]
    pub fn apart(mut self, apart: bool) -> Each<'s> {
        self.apart = apart;
        self
    }

    /// Whether the loop calls what the compiler has seen.
    #[inline]
    pub fn confirmed(mut self, confirmed: bool) -> Each<'s> {
        self.confirmed = confirmed;
        self
    }

    fn plan<C: Combined>(&self, combined: &C) -> Plan {
        let device = choice::chosen().unwrap_or_else(|error| trying::fail(error));
        if !self.confirmed {
            return Plan::InOrder(Reason::Unconfirmed);
        }
        if !self.apart {
            return Plan::InOrder(Reason::Meeting);
        }
        if device == Device::Seq {
            return Plan::InOrder(Reason::SequentialDevice);
        }
        if C::ORDERED {
            return Plan::InOrder(Reason::Ordered);
        }
        let wanted = request::wanted(self.site.strategy).unwrap_or_else(|e| trying::fail(e));
        let bytes = combined.bytes();
        let copies = budget(bytes) / bytes.max(1);
        let workers = |asked: Option<usize>| asked.unwrap_or_else(crew::threads).min(copies);
        let fixed = self.site.deterministic && C::ROUNDS;
        let in_order = |s: Strategy| s == Strategy::Sequential;
        match wanted {
            Some(request) if in_order(request.strategy) => Plan::InOrder(Reason::Asked),
            _ if workers(None) == 0 => Plan::InOrder(Reason::Memory),
            _ if fixed => Plan::Fixed(workers(None)),
            Some(request) => {
                let wishes = request.wishes;
                Plan::Split(workers(wishes.workers), wishes.parts, Reason::Asked)
            }
            None => Plan::Measure(workers(None)),
        }
    }

    /// Runs the loop: `part` is the user's own over a part of the iteration space.
    ///
    /// # Panics
    ///
    /// As the earliest iteration that does.
    pub fn run<C: Combined>(
        self,
        mut combined: C,
        part: impl Fn(Range<usize>, &mut C::Private) + Sync,
    ) {
        let items = self.items;
        if items == 0 {
            return;
        }
        let plan = self.plan(&combined);
        let mut own = combined.begin();
        let (done, workers, parts, reason) = match plan {
            Plan::InOrder(reason) => {
                part(0..items, &mut own);
                combined.end(own);
                return self.record(Did::InOrder, reason);
            }
            Plan::Split(workers, parts, reason) => (0, workers, parts, reason),
            Plan::Fixed(workers) => (0, workers, Some(FIXED), Reason::Deterministic),
            Plan::Measure(workers) => {
                let (done, each) = self.first(&mut own, &part);
                let left = each * (items - done) as f64;
                if workers < 2 || left < LEAST.as_nanos() as f64 {
                    if done < items {
                        part(done..items, &mut own);
                    }
                    combined.end(own);
                    return self.record(Did::InOrder, Reason::Short(each * items as f64 / 1e3));
                }
                let parts = (left / PART.as_nanos() as f64) as usize;
                let parts = parts
                    .clamp(workers, workers * EVEN * EVEN)
                    .max(workers * EVEN);
                (done, workers, Some(parts), Reason::Split(left / 1e3))
            }
        };
        let fixed = matches!(reason, Reason::Deterministic);
        let mut count = parts.unwrap_or(workers * EVEN);
        if C::FOLLOWS && !fixed {
            // A copy for each part.
            let bytes = combined.bytes();
            count = count.min(budget(bytes) / bytes.max(1)).max(1);
        }
        let parts = Parts::new(done..items, count);
        self.split(
            &mut combined,
            own,
            &parts,
            workers,
            C::FOLLOWS || fixed,
            &part,
        );
        self.record(Did::Split(parts.count(), workers), reason);
    }

    /// Runs the first items in order until it can be told how long one takes: how many they were, and the nanoseconds.
    fn first<P>(&self, own: &mut P, part: &impl Fn(Range<usize>, &mut P)) -> (usize, f64) {
        let (mut done, mut next) = (0, 1);
        loop {
            let end = self.items.min(done + next);
            let start = Instant::now();
            part(done..end, own);
            let time = start.elapsed();
            let each = time.as_nanos() as f64 / (end - done) as f64;
            done = end;
            next = done * GROWTH;
            if done == self.items || time >= TIMED {
                return (done, each);
            }
        }
    }

    /// Runs parts on workers that each have a copy of what is combined, or one for each part, and merges these in the order of their
    /// first parts.
    fn split<C: Combined>(
        &self,
        combined: &mut C,
        own: C::Private,
        parts: &Parts,
        workers: usize,
        each: bool,
        part: &(impl Fn(Range<usize>, &mut C::Private) + Sync),
    ) {
        let first = Mutex::new(Some(own));
        let copies: Mutex<Vec<(usize, C::Private)>> = Mutex::new(Vec::new());
        let failed = Failed::default();
        let shared = &*combined;
        // The first part goes on with what has begun.
        let copy = |number| match number {
            0 => lock(&first).take().unwrap_or_else(|| shared.fresh()),
            _ => shared.fresh(),
        };
        crew::all(workers, &|| {
            let mut held: Option<(usize, C::Private)> = None;
            while let Some((number, range)) = parts.take() {
                let mut current = held.take().unwrap_or_else(|| (number, copy(number)));
                if failed.before(number) || !failed.attempt(number, || part(range, &mut current.1))
                {
                    break;
                }
                match each {
                    true => lock(&copies).push(current),
                    false => held = Some(current),
                }
            }
            lock(&copies).extend(held);
        });
        failed.finish();
        let mut copies = copies.into_inner().unwrap_or_else(PoisonError::into_inner);
        copies.sort_by_key(|(number, _)| *number);
        for (number, copy) in copies {
            match number {
                0 => combined.end(copy),
                _ => combined.merge(copy),
            }
        }
    }

    fn record(&self, did: Did, reason: Reason) {
        self.site.record(Report {
            items: self.items,
            facts: Facts::NONE,
            did,
            reason,
            pure: false,
        });
    }
}

/// The panic of the earliest part that has one.
struct Failed {
    part: AtomicUsize,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Default for Failed {
    fn default() -> Failed {
        Failed {
            part: AtomicUsize::new(usize::MAX),
            panic: Mutex::new(None),
        }
    }
}

impl Failed {
    /// Whether a part before this one has panicked.
    fn before(&self, number: usize) -> bool {
        self.part.load(Ordering::Relaxed) < number
    }

    /// Runs a part, and keeps its panic unless an earlier one has one.
    fn attempt(&self, number: usize, part: impl FnOnce()) -> bool {
        let Err(payload) = catch_unwind(AssertUnwindSafe(part)) else {
            return true;
        };
        let mut panic = lock(&self.panic);
        if number < self.part.load(Ordering::Relaxed) {
            self.part.store(number, Ordering::Relaxed);
            *panic = Some(payload);
        }
        false
    }

    /// Goes on with the panic, if there was one.
    fn finish(&self) {
        if let Some(payload) = lock(&self.panic).take() {
            resume_unwind(payload);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::op::{Add, Max};
    use crate::cpu::own::Own;
    use crate::cpu::request::with_strategy;

    static SITE: Site = Site::new("test", "");

    /// How many items there are: fewer where an interpreter counts them.
    const ITEMS: usize = if cfg!(miri) { 60 } else { 1000 };

    #[test]
    fn owned_elements_scalars_and_bins_of_one_loop() {
        for strategy in [
            "sequential",
            "private:workers=3,parts=7",
            "private:workers=1",
            "private:workers=4,parts=1000",
        ] {
            let data: Vec<u32> = (0..ITEMS as u32).map(|i| i * 7 % 256).collect();
            let mut out = vec![0u64; ITEMS];
            let (mut top, mut hist) = (5u32, [1u64; 256]);
            with_strategy(strategy, || {
                let own = Own::new(&mut out);
                let combined = (
                    scalar::<false, _, _>(&mut top, Max),
                    (bins::<false, _, _>(&mut hist, Add), ()),
                );
                Each::new(&SITE, ITEMS).run(combined, |range, (top, (hist, ()))| {
                    let mut out = own;
                    for i in range {
                        out[i] = u64::from(data[i]) * 2;
                        *top = (*top).max(data[i]);
                        hist[data[i] as usize] += 1;
                    }
                });
            });
            assert!(out.iter().zip(&data).all(|(o, d)| *o == u64::from(*d) * 2));
            assert_eq!(top, *data.iter().max().unwrap());
            assert_eq!(hist.iter().sum::<u64>(), ITEMS as u64 + 256, "{strategy}");
        }
    }

    #[test]
    fn the_earliest_panic_counts_and_nothing_is_combined() {
        for strategy in ["sequential", "private:workers=4,parts=50"] {
            for _ in 0..if cfg!(miri) { 2 } else { 20 } {
                let mut total = 3u64;
                let result = with_strategy(strategy, || {
                    catch_unwind(AssertUnwindSafe(|| {
                        let combined = (scalar::<false, _, _>(&mut total, Add), ());
                        Each::new(&SITE, ITEMS).run(combined, |range, (total, ())| {
                            for i in range {
                                *total += 1;
                                assert!(i % 30 != 29, "iteration {i}");
                            }
                        });
                    }))
                });
                let payload = result.expect_err("it panics");
                assert_eq!(payload.downcast_ref::<String>().unwrap(), "iteration 29");
                assert_eq!(total, 3);
            }
        }
    }

    #[test]
    fn deterministic_sums_do_not_depend_on_the_workers() {
        static FIXED: Site = Site::new("test", "").deterministic();
        let sum = |strategy: &str| {
            let mut total = 0.1f32;
            with_strategy(strategy, || {
                let combined = (scalar::<false, _, _>(&mut total, Add), ());
                Each::new(&FIXED, 7 * ITEMS + 7).run(combined, |range, (total, ())| {
                    for i in range {
                        *total += 1.0 / (i as f32 + 1.0);
                    }
                });
            });
            total.to_bits()
        };
        assert_eq!(sum("private:workers=1"), sum("private:workers=4"));
    }

    #[test]
    fn loops_whose_iterations_may_meet_run_in_order() {
        let mut all = vec![1u64; 100];
        with_strategy("private:workers=4,parts=50", || {
            let own = Own::new(&mut all);
            Each::new(&SITE, 99).apart(false).run((), |range, ()| {
                let mut all = own;
                for i in range {
                    all[i + 1] += all[i];
                }
            });
        });
        assert_eq!(all[99], 100);
    }
}

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
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::case::budget;
use super::choose::{Choice, Reason, WORTH};
use super::crew::{self, Parts};
use super::history::{Advice, Size, Way};
use super::jam;
use super::member::Facts;
use super::op::Operator;
use super::request;
use super::run::decide::{GROWTH, TIMED};
use super::site::{Did, Report, Site};
use super::strategy::table::Strategy;
use super::strategy::template::Undo;
use crate::base::bin::Slot;
use crate::base::choice;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::trying;

/// Work that would take less time is not worth waking workers for.
const LEAST: Duration = Duration::from_micros(60);

/// About how long a part takes.
const PART: Duration = Duration::from_micros(100);

/// So many items or fewer that took longer than can be measured may have been the first to touch memory that the system had not handed out, in pages of up to 2 MiB
/// (17 us of one store, Zen 4, 2026-11-29): as many more say whether they are so slow.
const FEW: usize = 8;

/// So many items are run first where parts are better large, since fewer would go another way.
const ROWS: usize = 16;

/// From here on that makes no difference.
const LONG: Duration = Duration::from_micros(200);

/// Parts for each worker, at least where there are as many items: the last ones to end decide how long it takes.
const EVEN: usize = 8;

/// Parts for each worker where each costs something when it is merged.
const FEW_PARTS: usize = 2;

/// So many items are run before it is asked whether any more do anything, where that ends, and twice as many the next time,
const SOON: usize = 64;

/// up to so many.
const LOOKS: usize = 1 << 14;

/// Parts of a run whose results are to be the same on any number of threads.
const FIXED: usize = 64;

/// A call of a loop under way.
#[derive(Debug)]
pub struct Each<'s> {
    site: &'s Site,
    items: usize,
    apart: bool,
    confirmed: bool,
    /// Whether it runs in order if it is soon done.
    quick: bool,
    /// Whether what was done is not kept for `explain`.
    quiet: bool,
    /// Whether parts are better large: each reads what others read as well.
    large: bool,
    /// The items that a kernel has left, where one has looked at all.
    only: Option<&'s [usize]>,
    /// When it began, where the loop could run as it is written as well: the faster way is learned.
    began: Option<Instant>,
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
    /// Whether iterations behind one may do nothing, as a copy [says](Combined::is_done).
    const ENDS: bool = false;
    /// Whether a part may panic where the loop in order does not come to it, so that all of it is run again, in order.
    const RETRIES: bool = false;

    /// Whether a copy may cost as much as what was combined into it, so that there should be few.
    const HEAVY: bool = false;

    /// The bytes of a copy.
    fn bytes(&self) -> usize;
    /// Whether one worker alone has to do all, in order.
    fn is_alone(&self) -> bool {
        false
    }
    /// A copy of what is there now, for whoever begins.
    fn begin(&self) -> Self::Private;
    /// A copy in which nothing has been combined.
    fn fresh(&self) -> Self::Private;
    /// Takes the copy back of whoever began.
    fn end(&mut self, first: Self::Private);
    /// Combines another copy into what is there, or does so when it [finishes](Combined::finish).
    fn merge(&mut self, other: Self::Private);
    /// All copies have come.
    fn finish(&mut self) {}
    /// Whether no iteration behind those that a copy was combined of does anything.
    fn is_done(&self, _: &Self::Private) -> bool {
        false
    }
    /// Whether a copy does not tell what its items come to behind others, so that all of them have to be taken again, in order.
    fn is_odd(&self, _: &Self::Private) -> bool {
        false
    }
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
    const ENDS: bool = A::ENDS || B::ENDS;
    const RETRIES: bool = A::RETRIES || B::RETRIES;
    const HEAVY: bool = A::HEAVY || B::HEAVY;

    fn bytes(&self) -> usize {
        self.0.bytes().saturating_add(self.1.bytes())
    }
    fn is_alone(&self) -> bool {
        self.0.is_alone() || self.1.is_alone()
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
    fn finish(&mut self) {
        self.0.finish();
        self.1.finish();
    }
    fn is_done(&self, of: &Self::Private) -> bool {
        self.0.is_done(&of.0) || self.1.is_done(&of.1)
    }
    fn is_odd(&self, of: &Self::Private) -> bool {
        self.0.is_odd(&of.0) || self.1.is_odd(&of.1)
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

/// Whether a loop runs by fewer threads than so many, unless more is asked for.
pub fn are_fewer(threads: usize) -> bool {
    !request::is_asked()
        && match choice::chosen() {
            Ok(Device::Seq) => true,
            // A device may have what the loop reads.
            Ok(Device::Auto) if cfg!(any(feature = "cuda", feature = "sim")) => false,
            Ok(Device::Auto | Device::Cpu) => crew::threads() < threads,
            _ => false,
        }
}

/// Whether a loop that changes nothing panics: what it is asked for is then found out in the order of the iterations.
pub fn fails(run: impl FnOnce()) -> bool {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(()) => false,
        // An error of the call's.
        Err(payload) if payload.is::<Error>() => resume_unwind(payload),
        Err(_) => true,
    }
}

/// How long the rows of bins are.
#[derive(Debug)]
pub struct RowOf<B, const N: usize>(PhantomData<fn() -> [B; N]>);

/// How long the rows of some bins are.
pub fn row_of<B, const N: usize>(_: &[[B; N]]) -> RowOf<B, N> {
    RowOf(PhantomData)
}

impl<B, const N: usize> RowOf<B, N> {
    /// Bins by rows.
    #[inline]
    pub fn rows<'b>(&self, bins: &'b mut [B]) -> &'b mut [[B; N]] {
        match N {
            0 => &mut [],
            _ => bins.as_chunks_mut().0,
        }
    }
}

/// A call that runs in order as it is written.
#[derive(Debug)]
pub struct InOrder<'s> {
    /// The call and when it began, where that is measured.
    timed: Option<(Each<'s>, Instant)>,
    items: usize,
}

impl InOrder<'_> {
    /// How many iterations it has.
    #[inline]
    pub fn items(&self) -> usize {
        self.items
    }

    /// Notes how long it took.
    #[inline]
    pub fn ended(self) {
        if let Some((each, start)) = self.timed {
            each.took(start.elapsed(), Way::Sequential);
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
            quick: false,
            quiet: false,
            large: false,
            only: None,
            began: None,
        }
    }

    /// Whether what the compiler could not know holds, so that iterations keep apart.
    #[inline]
    pub fn apart(mut self, apart: bool) -> Each<'s> {
        self.apart &= apart;
        self
    }

    /// Whether the loop calls what the compiler has seen.
    #[inline]
    pub fn confirmed(mut self, confirmed: bool) -> Each<'s> {
        self.confirmed = confirmed;
        self
    }

    /// Whether the [site](Site::is_quick) says that the last calls were short.
    #[inline]
    pub fn quick(mut self, quick: bool) -> Each<'s> {
        self.quick = quick;
        self
    }

    /// Parts are better large: each copies what others copy as well.
    #[inline]
    pub fn in_few_parts(mut self) -> Each<'s> {
        self.large = true;
        self
    }

    /// The items that may be the best, in order, where a kernel has looked at all: no others run.
    #[inline]
    pub fn only(mut self, items: Option<&'s [usize]>) -> Each<'s> {
        self.only = items;
        self
    }

    fn plan<C: Combined>(&self, combined: &C, rounds: bool) -> Plan {
        let device = choice::chosen().unwrap_or_else(|error| trying::fail(error));
        if !self.confirmed {
            return Plan::InOrder(Reason::Unconfirmed);
        }
        if !self.apart {
            // Of a call that was likely to be short nobody has asked.
            let reason = if self.quick {
                Reason::Trying
            } else {
                Reason::Meeting
            };
            return Plan::InOrder(reason);
        }
        if device == Device::Seq {
            return Plan::InOrder(Reason::SequentialDevice);
        }
        if C::ORDERED {
            return Plan::InOrder(Reason::Ordered);
        }
        if combined.is_alone() {
            return Plan::InOrder(Reason::Begins);
        }
        let wanted = request::wanted(self.site.strategy).unwrap_or_else(|e| trying::fail(e));
        let bytes = combined.bytes();
        let copies = budget(bytes) / bytes.max(1);
        let workers = |asked: Option<usize>| asked.unwrap_or_else(crew::threads).min(copies);
        let fixed = self.site.deterministic && (C::ROUNDS || rounds);
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

    /// Whether the last calls were so short that this one is not measured: then it may run as it is written, on the same condition as [`Each::in_order`].
    #[inline]
    pub fn soon_done(&self) -> Option<InOrder<'s>> {
        let soon = self.only.is_none() && self.quick && self.site.is_soon_done(self.items);
        soon.then(|| self.untimed())
    }

    fn untimed(&self) -> InOrder<'s> {
        InOrder {
            items: self.items,
            timed: None,
        }
    }

    /// Whether the call runs in order, whatever its first items take: then it may run as it is written, if nobody sees what a panic leaves behind.
    #[inline]
    pub fn in_order(self) -> Option<InOrder<'s>> {
        if self.only.is_some() {
            return None;
        }
        match self.is_empty() {
            true => Some(self.untimed()),
            false => self.soon_done().or_else(|| self.told_in_order()),
        }
    }

    fn told_in_order(self) -> Option<InOrder<'s>> {
        match self.plan(&(), true) {
            Plan::InOrder(reason) => {
                self.record(Did::InOrder, reason);
                Some(self.untimed())
            }
            Plan::Measure(workers) => {
                let each = self.site.pace();
                let short = each > 0.0 && each * self.items as f64 <= LEAST.as_nanos() as f64;
                let in_order = workers < 2
                    || short
                    || matches!(
                        self.site.history.advise(self.size()),
                        Advice::TrySequential | Advice::Sequential(..)
                    );
                in_order.then(|| InOrder {
                    items: self.items,
                    timed: Some((self, Instant::now())),
                })
            }
            Plan::Split(..) | Plan::Fixed(_) => None,
        }
    }

    /// What calls that are alike have in common.
    fn size(&self) -> Size {
        Size::new(self.items, 0, crew::threads())
    }

    /// Learns how long the call takes, for those to come, since the loop could run as it is written as well.
    #[inline]
    pub fn timed(mut self) -> Each<'s> {
        self.began = Some(Instant::now());
        self
    }

    /// Notes how long all items took.
    fn took(&self, time: Duration, way: Way) {
        let nanoseconds = time.as_nanos() as f64;
        self.site
            .history
            .note(self.size(), self.items, nanoseconds, way);
        if matches!(way, Way::Sequential) {
            // Of a longer one the next call would run in order without being looked at.
            if time <= LEAST {
                self.site.is_paced(nanoseconds / self.items as f64);
            }
            self.record(Did::InOrder, Reason::Short(nanoseconds / 1e3));
        }
    }

    /// Runs the loop, of which `part` runs iterations side by side: where these panic, what is left is run again one by one.
    ///
    /// # Panics
    ///
    /// As the earliest iteration that does.
    pub fn run_jammed<C: Combined>(
        self,
        combined: C,
        part: impl Fn(Range<usize>, &mut C::Private) + Sync,
    ) {
        self.run(combined, |range, own| {
            jam::told(range, |range| part(range, own));
        });
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
        if self.is_empty() {
            return;
        }
        let mut own = combined.begin();
        if let Some(items) = self.only {
            items
                .iter()
                .for_each(|&item| part(item..item + 1, &mut own));
            return combined.end(own);
        }
        if self.quick && self.site.is_soon_done(self.items) {
            part(0..self.items, &mut own);
            return combined.end(own);
        }
        // Where nothing more is done behind an iteration, that is looked for now and then.
        let until = |range: Range<usize>, own: &mut C::Private| {
            if !C::ENDS {
                return part(range, own);
            }
            let Range { mut start, end } = range;
            let mut next = SOON;
            while start < end && !combined.is_done(own) {
                let stop = end.min(start.saturating_add(next));
                part(start..stop, own);
                (start, next) = (stop, (next * 2).min(LOOKS));
            }
        };
        match self.begin(&combined, false, &mut own, &until) {
            Some(split) if !combined.is_done(&own) => {
                self.split(&mut combined, own, &split, &part);
                self.ended(&split);
            }
            _ => combined.end(own),
        }
    }

    /// Runs something over all items that writes nothing but what it combines, and is not told of: `alone` while nobody else does, else `together`.
    pub(super) fn quietly<C: Combined>(
        &self,
        combined: &mut C,
        alone: impl Fn(Range<usize>, &mut C::Private),
        together: impl Fn(Range<usize>, &mut C::Private) + Sync,
    ) {
        if self.is_empty() {
            return;
        }
        let this = Each {
            apart: true,
            quiet: true,
            ..*self
        };
        let mut own = combined.begin();
        if self.quick && self.site.is_soon_done(self.items) {
            alone(0..self.items, &mut own);
            return combined.end(own);
        }
        match this.begin(combined, false, &mut own, &alone) {
            Some(split) => this.split(combined, own, &split, &together),
            None => combined.end(own),
        }
    }

    /// The loop.
    pub(super) fn site(&self) -> &'s Site {
        self.site
    }

    /// How many items there are.
    pub(super) fn items(&self) -> usize {
        self.items
    }

    /// Whether there are no items.
    pub(super) fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// Runs the first items, or all where that is better, on what has been begun; says how to split what is left. `rounds`: whether more than what is
    /// combined depends on the split in its last bits.
    pub(super) fn begin<C: Combined, P>(
        &self,
        combined: &C,
        rounds: bool,
        own: &mut P,
        part: &impl Fn(Range<usize>, &mut P),
    ) -> Option<Split> {
        let items = self.items;
        let plan = self.plan(combined, rounds);
        let begun = match plan {
            Plan::Split(..) | Plan::Fixed(_) if items as u64 > ENDLESS => {
                part(0..FIRST, own);
                FIRST
            }
            _ => 0,
        };
        let (done, workers, parts, reason, each) = match plan {
            Plan::InOrder(reason) => {
                part(0..items, own);
                self.record(Did::InOrder, reason);
                return None;
            }
            Plan::Split(workers, parts, reason) => (begun, workers, parts, reason, 0.0),
            Plan::Fixed(workers) => (begun, workers, Some(FIXED), Reason::Deterministic, 0.0),
            Plan::Measure(workers) => {
                let (done, each) = self.first(own, part);
                let left = each * (items - done) as f64;
                if workers < 2 || left < LEAST.as_nanos() as f64 {
                    if done < items {
                        part(done..items, own);
                    }
                    // Of a call that has ended early none knows how long the next one takes.
                    if !C::ENDS && !self.quiet {
                        self.site.is_paced(each);
                    }
                    self.record(Did::InOrder, Reason::Short(each * items as f64 / 1e3));
                    return None;
                }
                let workers = workers.min((left / WORTH) as usize);
                let parts = (left / PART.as_nanos() as f64) as usize;
                let parts = parts
                    .clamp(workers, workers * EVEN * EVEN)
                    .max(workers * EVEN);
                (done, workers, Some(parts), Reason::Split(left / 1e3), each)
            }
        };
        let fixed = matches!(reason, Reason::Deterministic);
        let asked = matches!(reason, Reason::Asked) && parts.is_some();
        let mut count = parts.unwrap_or(workers * EVEN);
        if C::FOLLOWS && !fixed {
            // A copy for each part.
            let bytes = combined.bytes();
            count = count.min(budget(bytes) / bytes.max(1)).max(1);
        }
        if (C::HEAVY || self.large) && !fixed && !asked {
            count = count.min(workers * FEW_PARTS);
        }
        Some(Split {
            parts: Parts::new(done..items, count),
            workers,
            copy_each: C::FOLLOWS || fixed,
            fixed,
            asked,
            reason,
            each,
        })
    }

    /// Notes what was done.
    pub(super) fn ended(&self, split: &Split) {
        if let (Some(began), Reason::Split(_)) = (self.began, split.reason) {
            // The plain loop may be much faster than parts of it are.
            let busy = split.each * self.items as f64;
            let choice = Choice::sequential(Undo::Count);
            self.took(began.elapsed(), Way::Parallel(choice, busy, None));
        }
        self.record(Did::Split(split.parts.count(), split.workers), split.reason);
    }

    /// Runs the first items in order until it can be told how long one takes: how many they were, and the nanoseconds.
    fn first<P>(&self, own: &mut P, part: &impl Fn(Range<usize>, &mut P)) -> (usize, f64) {
        let mut next = if self.large { ROWS } else { 1 };
        let (mut done, mut total) = (0, Duration::ZERO);
        loop {
            let end = self.items.min(done + next);
            let start = Instant::now();
            part(done..end, own);
            let time = start.elapsed();
            let each = time.as_nanos() as f64 / (end - done) as f64;
            done = end;
            total += time;
            let is_told = time >= TIMED && (done > FEW || total >= LONG);
            if done == self.items || is_told {
                return (done, each);
            }
            next = done * if time >= TIMED { 1 } else { GROWTH };
        }
    }

    /// Runs parts on workers that each have a copy of what is combined, or one for each part, and merges these in the order of their
    /// first parts.
    fn split<C: Combined>(
        &self,
        combined: &mut C,
        own: C::Private,
        split: &Split,
        part: &(impl Fn(Range<usize>, &mut C::Private) + Sync),
    ) {
        let copies = Copies::new(&*combined, own, split.copy_each);
        let failed = Failed::default();
        crew::all(split.workers, &|| {
            let mut held = None;
            while let Some((number, range)) = split.parts.take() {
                let mut current = copies.take(&mut held, number);
                let piece = |range| part(range, &mut current.1);
                if failed.before(number) || !failed.attempt(number, range, piece) {
                    break;
                }
                if C::ENDS && copies.combined.is_done(&current.1) {
                    failed.nothing_behind(number);
                }
                copies.keep(&mut held, current);
            }
            copies.last(held);
        });
        let retries = C::RETRIES && failed.any();
        if !retries {
            failed.finish();
        }
        let copies = copies.into_sorted();
        if retries || copies.iter().any(|(_, copy)| combined.is_odd(copy)) {
            drop(copies);
            let mut own = combined.begin();
            part(0..self.items, &mut own);
            return combined.end(own);
        }
        merge(combined, copies);
    }

    fn record(&self, did: Did, reason: Reason) {
        if self.quiet {
            return;
        }
        self.site.record(Report {
            items: self.items,
            facts: Facts::NONE,
            did,
            reason,
            pure: false,
        });
    }
}

/// How what is left of a loop is split.
#[derive(Debug)]
pub(super) struct Split {
    pub(super) parts: Parts,
    pub(super) workers: usize,
    /// Whether each part has a copy of what is combined.
    pub(super) copy_each: bool,
    /// Whether the parts do not depend on the workers.
    pub(super) fixed: bool,
    /// Whether the number of parts was asked for.
    pub(super) asked: bool,
    reason: Reason,
    /// How long an item took in order, in nanoseconds, if that was measured.
    each: f64,
}

/// The copies of what is combined that parts were run on, with the number of the first part of each.
pub(super) struct Copies<'c, C: Combined> {
    combined: &'c C,
    first: Mutex<Option<C::Private>>,
    ended: Mutex<Ended<C>>,
    each: bool,
}

/// A copy and the number of its first part.
type Held<C> = (usize, <C as Combined>::Private);

type Ended<C> = Vec<Held<C>>;

impl<'c, C: Combined> Copies<'c, C> {
    /// The first part goes on with what has begun; `each` part has a copy of its own, or each worker.
    pub(super) fn new(combined: &'c C, own: C::Private, each: bool) -> Self {
        Copies {
            combined,
            first: Mutex::new(Some(own)),
            ended: Mutex::new(Vec::new()),
            each,
        }
    }

    /// The copy for a part: that which the worker holds, or another.
    pub(super) fn take(&self, held: &mut Option<Held<C>>, number: usize) -> Held<C> {
        held.take().unwrap_or_else(|| {
            let first = match number {
                0 => lock(&self.first).take(),
                _ => None,
            };
            (number, first.unwrap_or_else(|| self.combined.fresh()))
        })
    }

    /// A part has been run on a copy.
    pub(super) fn keep(&self, held: &mut Option<Held<C>>, copy: Held<C>) {
        match self.each {
            true => lock(&self.ended).push(copy),
            false => *held = Some(copy),
        }
    }

    /// The copy that a worker has at its end.
    pub(super) fn last(&self, held: Option<Held<C>>) {
        lock(&self.ended).extend(held);
    }

    /// All of them, in the order of their first parts.
    pub(super) fn into_sorted(self) -> Vec<Held<C>> {
        let ended = self.ended.into_inner();
        let mut copies = ended.unwrap_or_else(PoisonError::into_inner);
        copies.sort_by_key(|(number, _)| *number);
        copies
    }
}

/// Merges copies, which are sorted.
pub(super) fn merge<C: Combined>(combined: &mut C, copies: Vec<Held<C>>) {
    for (number, copy) in copies {
        match number {
            0 => combined.end(copy),
            _ => combined.merge(copy),
        }
    }
    combined.finish();
}

/// So many iterations nobody waits for: a loop that has more, `0..n.wrapping_sub(1)`, ends by a panic.
const ENDLESS: u64 = 1 << 40;

/// How many of those are run in order first, since the panic is likely to be in one of them.
const FIRST: usize = 1 << 16;

/// The panic of the earliest part that has one.
pub(super) struct Failed {
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
    /// Whether a part has panicked.
    fn any(&self) -> bool {
        lock(&self.panic).is_some()
    }

    /// Whether a part before this one has panicked.
    pub(super) fn before(&self, number: usize) -> bool {
        self.part.load(Ordering::Relaxed) < number
    }

    /// Runs a part, and keeps its panic unless an earlier one has one. Where that happens meanwhile, the rest is left out.
    pub(super) fn attempt(
        &self,
        number: usize,
        range: Range<usize>,
        piece: impl FnMut(Range<usize>),
    ) -> bool {
        let payload = match catch_unwind(AssertUnwindSafe(|| self.pieces(number, range, piece))) {
            Ok(ran) => return ran,
            Err(payload) => payload,
        };
        let mut panic = lock(&self.panic);
        if number < self.part.load(Ordering::Relaxed) {
            self.part.store(number, Ordering::Relaxed);
            *panic = Some(payload);
        }
        false
    }

    /// A part, piece by piece, as far as it is wanted; whether that is all of it.
    pub(super) fn pieces(
        &self,
        number: usize,
        range: Range<usize>,
        mut piece: impl FnMut(Range<usize>),
    ) -> bool {
        crew::pieces(range).enumerate().all(|(n, range)| {
            let wanted = n == 0 || !self.before(number);
            if wanted {
                piece(range);
            }
            wanted
        })
    }

    /// Parts behind this one do nothing: they need not run, and what has panicked there has not.
    pub(super) fn nothing_behind(&self, number: usize) {
        let mut panic = lock(&self.panic);
        if number < self.part.load(Ordering::Relaxed) {
            self.part.store(number, Ordering::Relaxed);
            *panic = None;
        }
    }

    /// Goes on with the panic, if there was one.
    pub(super) fn finish(&self) {
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
    fn nobody_waits_for_what_is_left_of_a_part() {
        for way in ["private:workers=3,parts=7", "private:workers=2"] {
            let mut sum = 1u64;
            let ran = catch_unwind(AssertUnwindSafe(|| {
                with_strategy(way, || {
                    let sum = scalar::<true, _, _>(&mut sum, Add);
                    Each::new(&SITE, usize::MAX).run((sum, ()), |part, (sum, ())| {
                        for i in part {
                            // Behind what runs in order first.
                            assert_ne!(i, FIRST + 3);
                            *sum += 1;
                        }
                    });
                });
            }));
            assert!(ran.is_err(), "{way}");
            assert_eq!(sum, 1, "{way}");
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

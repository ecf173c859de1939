//! Scalars that a loop carries from iteration to iteration and reads on the way, `acc += x[i]; out[i] = acc;`: a scan in two passes over parts.
//!
//! The first pass over a part computes its *total*, all of its terms combined, and writes nothing. A part can begin once those before it have
//! been combined; the second pass is then the user's own loop over it.
//!
//! # Who does what
//!
//! Parts below the *front* have their beginnings known. One worker runs the part at the front directly, without its total: where it ends, the next one
//! begins. The others run parts behind the front, and where there are none left, compute totals ahead of it. When the front's part ends, the front
//! moves past all parts that have totals. So two workers take `(1 + f) / (2 + f)` of the plain loop's time where a total takes the share `f` of
//! a part, and a worker that nobody helps runs the plain loop.
//!
//! Where the scalars are all that a loop is for, a part whose total is known need not run, if that says that nothing panics there.
//!
//! Where results must not depend on the workers (`deterministic`), or parts were asked for, every part but the last has a total.
//!
//! # Panics
//!
//! Where a total panics, or overflows, the parts from there on run one after the other, and the user's own loop says what is wrong. Of several panics
//! the one of the earliest part counts; carried scalars are then as before the call.

use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::crew;
use super::each::{Combined, Copies, Each, Failed, Split, merge};
use super::guard::Number;
use super::op::{Operator, TwoSigns, Value};
use crate::base::bin::Slot;
use crate::base::lock::lock;

/// How many parts beyond the front have their totals computed, for each worker: their items are then still in a cache.
const AHEAD: usize = 8;

/// From here on a count may be near the end of its type.
const FAR: i128 = 1 << 62;

/// Scalars that a loop carries along.
pub trait Carried: Sync {
    /// What they hold.
    type Values: Copy + Send + Sync;
    /// The terms of a part, combined.
    type Totals: Send;
    /// Whether the last bits of a result depend on where parts begin.
    const ROUNDS: bool;
    /// Whether a part may begin before the ones behind it have ended, without its total: no cursor can wrap around.
    const WIDE: bool;
    /// Whether what is known after a part says that the part's updates do not panic.
    const SURE: bool = false;
    /// Whether a part need not run once it is known what they hold after it.
    const TOLD: bool = false;

    /// What they hold before the loop.
    fn begin(&self) -> Self::Values;
    /// Whether a loop that begins there may be split.
    fn splits(&self) -> bool;
    /// The total of no terms.
    fn fresh(&self) -> Self::Totals;
    /// What they hold after a part; none where only the loop itself can tell.
    fn after(&self, before: Self::Values, totals: &Self::Totals) -> Option<Self::Values>;
    /// Whether cursors have not gone back.
    fn grows(&self, before: Self::Values, after: Self::Values) -> bool;
    /// Changes what they hold.
    fn end(&mut self, values: Self::Values);
}

impl Carried for () {
    type Values = ();
    type Totals = ();
    const ROUNDS: bool = false;
    const WIDE: bool = true;
    const SURE: bool = true;

    fn begin(&self) {}
    fn splits(&self) -> bool {
        true
    }
    fn fresh(&self) {}
    fn after(&self, (): (), (): &()) -> Option<()> {
        Some(())
    }
    fn grows(&self, (): (), (): ()) -> bool {
        true
    }
    fn end(&mut self, (): ()) {}
}

impl<A: Carried, B: Carried> Carried for (A, B) {
    type Values = (A::Values, B::Values);
    type Totals = (A::Totals, B::Totals);
    const ROUNDS: bool = A::ROUNDS || B::ROUNDS;
    const WIDE: bool = A::WIDE && B::WIDE;
    const SURE: bool = A::SURE && B::SURE;

    fn begin(&self) -> Self::Values {
        (self.0.begin(), self.1.begin())
    }
    fn splits(&self) -> bool {
        self.0.splits() && self.1.splits()
    }
    fn fresh(&self) -> Self::Totals {
        (self.0.fresh(), self.1.fresh())
    }
    fn after(&self, before: Self::Values, totals: &Self::Totals) -> Option<Self::Values> {
        let first = self.0.after(before.0, &totals.0)?;
        Some((first, self.1.after(before.1, &totals.1)?))
    }
    fn grows(&self, before: Self::Values, after: Self::Values) -> bool {
        self.0.grows(before.0, after.0) && self.1.grows(before.1, after.1)
    }
    fn end(&mut self, values: Self::Values) {
        self.0.end(values.0);
        self.1.end(values.1);
    }
}

/// Scalars that are all that a loop is for: what it does beside computing their totals is nothing.
#[derive(Debug)]
pub struct Alone<S>(S);

/// Scalars that are all that a loop is for.
pub fn alone<S: Carried>(carried: S) -> Alone<S> {
    Alone(carried)
}

impl<S: Carried> Carried for Alone<S> {
    type Values = S::Values;
    type Totals = S::Totals;
    const ROUNDS: bool = S::ROUNDS;
    const WIDE: bool = S::WIDE;
    const SURE: bool = S::SURE;
    const TOLD: bool = S::SURE && !S::ROUNDS;

    fn begin(&self) -> S::Values {
        self.0.begin()
    }
    fn splits(&self) -> bool {
        self.0.splits()
    }
    fn fresh(&self) -> S::Totals {
        self.0.fresh()
    }
    fn after(&self, before: S::Values, totals: &S::Totals) -> Option<S::Values> {
        self.0.after(before, totals)
    }
    fn grows(&self, before: S::Values, after: S::Values) -> bool {
        self.0.grows(before, after)
    }
    fn end(&mut self, values: S::Values) {
        self.0.end(values);
    }
}

/// The terms of a part, combined by an operator; `CHECKED` says whether overflow counts.
#[derive(Debug)]
pub struct Total<B, O, const CHECKED: bool> {
    value: B,
    overflowed: bool,
    op: PhantomData<O>,
}

impl<B: Slot, O: Operator<B>, const CHECKED: bool> Total<B, O, CHECKED> {
    fn new() -> Self {
        Total {
            value: O::NEUTRAL,
            overflowed: false,
            op: PhantomData,
        }
    }

    /// What a scalar holds after the terms; none if there was an overflow on the way.
    fn after(&self, before: B) -> Option<B> {
        let (after, overflowed) = O::merge::<CHECKED>(before, self.value);
        (!(overflowed || self.overflowed)).then_some(after)
    }

    /// Combines a term into it.
    #[inline(always)]
    pub fn update(&mut self, term: impl Value<B>) {
        self.update_with(term.value());
    }

    /// The update of a method: the term's type is the scalar's.
    #[inline(always)]
    pub fn update_with(&mut self, term: B) {
        let (value, overflowed) = O::accumulate::<CHECKED>(self.value, term);
        self.value = value;
        self.overflowed |= overflowed;
    }
}

impl<O: Operator<usize>, const CHECKED: bool> Total<usize, O, CHECKED> {
    /// The update of a scalar to which nothing but 1 is added: no part takes so long that it overflows.
    #[inline(always)]
    pub fn count(&mut self) {
        self.value = self.value.wrapping_add(1);
    }
}

impl<B: Slot, O: TwoSigns<B>, const CHECKED: bool> Total<B, O, CHECKED> {
    /// The update of `-=` beside others of `+=`.
    #[inline(always)]
    pub fn subtract(&mut self, term: impl Value<B>) {
        self.subtract_with(term.value());
    }

    /// The update of `wrapping_sub` beside others of `wrapping_add`.
    #[inline(always)]
    pub fn subtract_with(&mut self, term: B) {
        self.update_with(O::opposite(term));
    }
}

/// A scalar that is carried along.
#[derive(Debug)]
pub struct Scan<'a, B, O, const CHECKED: bool>(&'a mut B, PhantomData<O>);

/// A scalar that is carried along by an operator.
pub fn scan<const CHECKED: bool, B: Slot, O: Operator<B>>(
    place: &mut B,
    _: O,
) -> Scan<'_, B, O, CHECKED> {
    Scan(place, PhantomData)
}

impl<B: Slot, O: Operator<B>, const CHECKED: bool> Carried for Scan<'_, B, O, CHECKED> {
    type Values = B;
    type Totals = Total<B, O, CHECKED>;
    const ROUNDS: bool = O::ROUNDS;
    const WIDE: bool = true;

    fn begin(&self) -> B {
        *self.0
    }
    fn splits(&self) -> bool {
        true
    }
    fn fresh(&self) -> Self::Totals {
        Total::new()
    }
    fn after(&self, before: B, total: &Self::Totals) -> Option<B> {
        total.after(before)
    }
    fn grows(&self, _: B, _: B) -> bool {
        true
    }
    fn end(&mut self, value: B) {
        *self.0 = value;
    }
}

/// A count that says where elements go: only steps that are not negative are added to it.
#[derive(Debug)]
pub struct Cursor<'a, B, O>(&'a mut B, PhantomData<O>);

/// A count that says where elements go.
pub fn cursor<B: Slot + Number, O: Operator<B>>(place: &mut B, _: O) -> Cursor<'_, B, O> {
    Cursor(place, PhantomData)
}

/// Overflow counts whatever the profile says: what wraps around comes to elements that earlier iterations have written.
impl<B: Slot + Number, O: Operator<B>> Carried for Cursor<'_, B, O> {
    type Values = B;
    type Totals = Total<B, O, true>;
    const ROUNDS: bool = false;
    const WIDE: bool = size_of::<B>() >= 8;

    fn begin(&self) -> B {
        *self.0
    }
    fn splits(&self) -> bool {
        (0..FAR).contains(&self.0.number())
    }
    fn fresh(&self) -> Self::Totals {
        Total::new()
    }
    fn after(&self, before: B, total: &Self::Totals) -> Option<B> {
        total
            .after(before)
            .filter(|after| self.grows(before, *after))
    }
    fn grows(&self, before: B, after: B) -> bool {
        (before.number()..FAR).contains(&after.number())
    }
    fn end(&mut self, value: B) {
        *self.0 = value;
    }
}

/// What of the elements that a cursor counts a part may write.
#[derive(Clone, Copy, Debug)]
pub enum Reach<V> {
    /// All: no other part runs.
    Alone,
    /// Those from where it begins on: parts after it do not run yet.
    From(V),
    /// Those that are before the part after it.
    Between(V, V),
}

impl<V: Copy> Reach<V> {
    /// The range of indices, by what cursors stand at.
    #[inline(always)]
    pub fn of(&self, cursor: impl Fn(V) -> i128) -> Range<usize> {
        let at = |values| usize::try_from(cursor(values)).unwrap_or(usize::MAX);
        match *self {
            Reach::Alone => 0..usize::MAX,
            Reach::From(first) => at(first)..usize::MAX,
            Reach::Between(first, end) => at(first)..at(end),
        }
    }
}

impl Each<'_> {
    /// Runs a loop that carries scalars along: `part` is the user's own over a part of the iteration space, beginning with what they hold there,
    /// `totals` combines the terms of a part with what is there.
    ///
    /// # Panics
    ///
    /// As the earliest iteration that does.
    pub fn scan<C: Combined, S: Carried>(
        self,
        mut combined: C,
        mut carried: S,
        part: impl Fn(Range<usize>, &mut C::Private, &mut S::Values, Reach<S::Values>) + Sync,
        totals: impl Fn(Range<usize>, &mut Option<S::Totals>) + Sync,
    ) {
        if self.is_empty() {
            return;
        }
        let mut values = carried.begin();
        let alone = |range: Range<usize>, own: &mut (C::Private, S::Values)| {
            part(range, &mut own.0, &mut own.1, Reach::Alone);
        };
        let this = match carried.splits() {
            true => self,
            false => self.apart(false),
        };
        let mut own = (combined.begin(), values);
        let split = this.begin(&combined, S::ROUNDS, &mut own, &alone);
        let (own, before) = own;
        values = before;
        match split {
            None => combined.end(own),
            Some(split) => {
                let fixed = split.fixed || split.asked;
                values = run(
                    &mut combined,
                    own,
                    &carried,
                    values,
                    &split,
                    fixed,
                    &part,
                    &totals,
                );
                this.ended(&split);
            }
        }
        carried.end(values);
    }
}

/// Runs the parts, and says what is carried at their end.
#[expect(
    clippy::too_many_arguments,
    reason = "two closures, and what each is given"
)]
fn run<C: Combined, S: Carried>(
    combined: &mut C,
    own: C::Private,
    carried: &S,
    begin: S::Values,
    split: &Split,
    fixed: bool,
    part: &(impl Fn(Range<usize>, &mut C::Private, &mut S::Values, Reach<S::Values>) + Sync),
    totals: &(impl Fn(Range<usize>, &mut Option<S::Totals>) + Sync),
) -> S::Values {
    let copies = Copies::new(&*combined, own, split.copy_each);
    let failed = Failed::default();
    let state = Mutex::new(State::new(
        carried,
        begin,
        split.parts.count(),
        fixed,
        AHEAD * split.workers,
    ));
    let changed = Condvar::new();
    crew::all(split.workers, &|| {
        let mut held = None;
        loop {
            match next(&state, &changed) {
                Job::Nothing => break,
                Job::Total(number) => {
                    let mut total = Some(carried.fresh());
                    let range = split.parts.part(number);
                    let run = || failed.pieces(number, range, |range| totals(range, &mut total));
                    let done = catch_unwind(AssertUnwindSafe(run)).unwrap_or(false);
                    lock(&state).totalled(number, total.filter(|_| done));
                }
                Job::Part(number, mut values, reach) => {
                    let range = split.parts.part(number);
                    let mut current = copies.take(&mut held, number);
                    let ran = failed.attempt(number, range, |range| {
                        part(range, &mut current.1, &mut values, reach);
                    });
                    lock(&state).ran(number, ran.then_some(values));
                    copies.keep(&mut held, current);
                }
            }
            changed.notify_all();
        }
        copies.last(held);
    });
    failed.finish();
    let copies = copies.into_sorted();
    merge(combined, copies);
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.end.unwrap_or(begin)
}

/// What a worker does next; waits until that is known.
fn next<'s, S: Carried>(state: &Mutex<State<'s, S>>, changed: &Condvar) -> Job<S::Values> {
    let mut state: MutexGuard<'_, State<'s, S>> = lock(state);
    loop {
        match state.job() {
            Some(job) => return job,
            None => state = changed.wait(state).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// What a worker does.
#[derive(Debug)]
enum Job<V> {
    /// The user's own loop over a part, beginning with these values.
    Part(usize, V, Reach<V>),
    /// A part's total.
    Total(usize),
    /// There is nothing left.
    Nothing,
}

/// How far a part has come.
#[derive(Debug)]
enum Stage<T> {
    /// Nobody has begun.
    Untouched,
    /// Its total is being computed.
    Counted,
    /// Its total is known.
    Known(T),
    /// It runs, or has run.
    Begun,
}

/// How far a run has come.
struct State<'s, S: Carried> {
    carried: &'s S,
    /// What is carried into each part up to the front.
    begins: Vec<S::Values>,
    parts: Vec<Stage<S::Totals>>,
    /// The part at which the front has been run directly, if it is.
    direct: bool,
    /// No part below has to be begun any more.
    behind: usize,
    /// Parts that have run.
    ran: usize,
    /// From this part on there are no totals.
    blocked: usize,
    /// The earliest part that panicked, or how many there are.
    limit: usize,
    /// Whether each part but the last has to have a total.
    fixed: bool,
    ahead: usize,
    /// What is carried out of the last part.
    end: Option<S::Values>,
}

impl<'s, S: Carried> State<'s, S> {
    fn new(carried: &'s S, begin: S::Values, count: usize, fixed: bool, ahead: usize) -> Self {
        State {
            carried,
            begins: vec![begin],
            parts: (0..count).map(|_| Stage::Untouched).collect(),
            direct: false,
            behind: 0,
            ran: 0,
            blocked: usize::MAX,
            limit: count,
            fixed,
            ahead,
            end: None,
        }
    }

    /// The first part of which it is not known what the one after it begins with.
    fn front(&self) -> usize {
        self.begins.len() - 1
    }

    /// What can be done now; none if that depends on what is under way.
    fn job(&mut self) -> Option<Job<S::Values>> {
        let (front, count) = (self.front(), self.parts.len());
        let at_front = front < self.limit && matches!(self.parts[front], Stage::Untouched);
        if at_front && !self.direct {
            let begin = self.begins[front];
            let alone = front >= self.blocked;
            let reach = match alone {
                true => Reach::Alone,
                false => Reach::From(begin),
            };
            let may = match alone {
                true => self.ran == front,
                false => S::WIDE && (!self.fixed || front + 1 == count),
            };
            if may {
                self.parts[front] = Stage::Begun;
                self.direct = true;
                return Some(Job::Part(front, begin, reach));
            }
        }
        let end = front.min(self.limit);
        while self.behind < end && matches!(self.parts[self.behind], Stage::Begun) {
            self.behind += 1;
        }
        if self.behind < end {
            let number = self.behind;
            self.parts[number] = Stage::Begun;
            let begin = self.begins[number];
            // What the last part writes behind what it keeps stays.
            let reach = match number + 1 == count {
                true => Reach::From(begin),
                false => Reach::Between(begin, self.begins[number + 1]),
            };
            return Some(Job::Part(number, begin, reach));
        }
        // Of the last part nobody has to know the total, unless it may not run without.
        let counted = (count - usize::from(S::WIDE && !S::TOLD))
            .min(self.blocked)
            .min(front + self.ahead);
        let ahead = front.min(counted)..counted;
        let next = ahead
            .into_iter()
            .find(|n| matches!(self.parts[*n], Stage::Untouched));
        if let Some(number) = next.filter(|_| self.limit == count) {
            self.parts[number] = Stage::Counted;
            return Some(Job::Total(number));
        }
        let begun = self.parts[..self.limit]
            .iter()
            .all(|part| matches!(part, Stage::Begun));
        begun.then_some(Job::Nothing)
    }

    /// A total is known, or none could be computed.
    fn totalled(&mut self, number: usize, total: Option<S::Totals>) {
        match total {
            Some(total) => {
                self.parts[number] = Stage::Known(total);
                self.advance();
            }
            None => {
                self.parts[number] = Stage::Untouched;
                self.blocked = self.blocked.min(number);
            }
        }
    }

    /// A part has run, or panicked.
    fn ran(&mut self, number: usize, values: Option<S::Values>) {
        let front = number == self.front();
        self.ran += 1;
        let Some(values) = values else {
            self.limit = self.limit.min(number);
            self.direct &= !front;
            return;
        };
        if number + 1 == self.parts.len() {
            self.end = Some(values);
        }
        if front {
            self.direct = false;
            if !self.carried.grows(self.begins[number], values) {
                self.blocked = self.blocked.min(number + 1);
            }
            self.begins.push(values);
            self.advance();
        }
    }

    /// Moves the front past parts whose totals are known.
    fn advance(&mut self) {
        loop {
            let front = self.front();
            let Some(Stage::Known(total)) = self.parts.get(front).filter(|_| front < self.blocked)
            else {
                return self.forget();
            };
            match self.carried.after(self.begins[front], total) {
                Some(next) => {
                    self.begins.push(next);
                    if S::TOLD {
                        self.parts[front] = Stage::Begun;
                        self.ran += 1;
                        self.end = Some(next).filter(|_| front + 1 == self.parts.len());
                    }
                }
                None => {
                    self.blocked = self.blocked.min(front);
                    return self.forget();
                }
            }
        }
    }

    /// Totals from where they are of no use any more.
    fn forget(&mut self) {
        for part in self.parts.iter_mut().skip(self.blocked) {
            if matches!(part, Stage::Known(_)) {
                *part = Stage::Untouched;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::op::{Add, Max, Mul};
    use crate::cpu::own::Own;
    use crate::cpu::request::with_strategy;
    use crate::cpu::site::Site;

    static SITE: Site = Site::new("test", "");

    /// How many items there are: fewer where an interpreter counts them.
    const ITEMS: usize = if cfg!(miri) { 60 } else { 3000 };

    const WAYS: [&str; 7] = [
        "sequential",
        "private:workers=1,parts=7",
        "private:workers=3,parts=1",
        "private:workers=3,parts=7",
        "private:workers=4,parts=1000",
        "private:workers=3",
        "private:workers=1",
    ];

    #[test]
    fn scans_are_those_of_the_plain_loop() {
        let data: Vec<u32> = (0..ITEMS as u32)
            .map(|i| i.wrapping_mul(2_654_435_761) % 1000)
            .collect();
        for way in WAYS {
            for before in [0u32, 5] {
                let (mut sum, mut top) = (before, before);
                let mut out = vec![(0, 0, 0); ITEMS];
                with_strategy(way, || {
                    let own = Own::new(&mut out);
                    let carried = (
                        scan::<true, _, _>(&mut sum, Add),
                        (scan::<true, _, _>(&mut top, Max), ()),
                    );
                    Each::new(&SITE, ITEMS).scan(
                        (),
                        carried,
                        |range, (), (sum, (top, ())), _| {
                            let mut out = own;
                            for i in range {
                                out[i].0 = *sum;
                                *sum += data[i];
                                *top = (*top).max(data[i]);
                                out[i].1 = *sum;
                                out[i].2 = *top;
                            }
                        },
                        |range, totals| {
                            let Some((sum, (top, ()))) = totals else {
                                return;
                            };
                            for i in range {
                                sum.update(data[i]);
                                top.update_with(data[i]);
                            }
                        },
                    );
                });
                let (mut s, mut t) = (before, before);
                for (i, out) in out.iter().enumerate() {
                    let at_first = s;
                    s += data[i];
                    t = t.max(data[i]);
                    assert_eq!(*out, (at_first, s, t), "{way}, item {i}");
                }
                assert_eq!((sum, top), (s, t), "{way}");
            }
        }
    }

    /// What a cursor of some type leaves of the multiples of 3, beginning at `before`.
    fn kept<B: Slot + Number + std::ops::AddAssign>(before: B, one: B, way: &str) -> (Vec<u32>, B)
    where
        Add: Operator<B>,
    {
        let mut out = vec![0; ITEMS];
        let mut count = before;
        with_strategy(way, || {
            let own = Own::new(&mut out);
            Each::new(&SITE, ITEMS).scan(
                (),
                (cursor(&mut count, Add), ()),
                |range, (), (count, ()), reach| {
                    let mut out = own.within(reach.of(|(n, ())| n.number()));
                    for i in range {
                        if i % 3 == 0 {
                            out[count.number() as usize] = i as u32;
                            *count += one;
                        }
                    }
                },
                |range, totals| {
                    let Some((count, ())) = totals else { return };
                    for i in range {
                        if i % 3 == 0 {
                            count.update(one);
                        }
                    }
                },
            );
        });
        (out, count)
    }

    #[test]
    fn what_is_kept_keeps_its_order() {
        for way in WAYS {
            for before in [0usize, 7] {
                let (out, count) = kept(before, 1, way);
                let expected = ITEMS.div_ceil(3);
                assert_eq!(count, before + expected, "{way}");
                let all = (0..ITEMS as u32).step_by(3);
                assert!(all.eq(out[before..count].iter().copied()), "{way}");
            }
            let (out, count) = kept(3i32, 1, way);
            assert_eq!((out[2], out[3], out[4], out[5]), (0, 0, 3, 6), "{way}");
            assert_eq!(count as usize, 3 + ITEMS.div_ceil(3), "{way}");
        }
    }

    #[test]
    fn nobody_waits_for_what_is_left_of_a_part() {
        let mut count = 1usize;
        let ran = catch_unwind(AssertUnwindSafe(|| {
            with_strategy("private:workers=3,parts=7", || {
                Each::new(&SITE, usize::MAX).scan(
                    (),
                    (cursor(&mut count, Add), ()),
                    |range, (), (count, ()), _| {
                        for i in range {
                            assert_ne!(i, 3);
                            *count = count.wrapping_add(1);
                        }
                    },
                    |range, totals| {
                        let Some((count, ())) = totals else { return };
                        for _ in range {
                            count.update(0);
                        }
                    },
                );
            });
        }));
        assert!(ran.is_err() && count == 1);
    }

    #[test]
    fn what_is_written_and_not_kept_is_that_of_the_last_iteration() {
        let written = |way: &str, keep: &(dyn Fn(usize) -> bool + Sync), len: usize| {
            let (mut out, mut count) = (vec![0u32; len], 0usize);
            let ran = with_strategy(way, || {
                catch_unwind(AssertUnwindSafe(|| {
                    let own = Own::new(&mut out);
                    Each::new(&SITE, ITEMS).scan(
                        (),
                        (cursor(&mut count, Add), ()),
                        |range, (), (count, ()), reach| {
                            let mut out = own.within(reach.of(|(n, ())| n.number()));
                            for i in range {
                                out.put(*count, i as u32 + 1);
                                *count += usize::from(keep(i));
                            }
                        },
                        |range, totals| {
                            let Some((count, ())) = totals else { return };
                            range.for_each(|i| count.update(usize::from(keep(i))));
                        },
                    );
                }))
            });
            (out, count, ran.is_ok())
        };
        let keeps: [&(dyn Fn(usize) -> bool + Sync); 4] =
            [&|i| i % 3 == 0, &|i| i % 50 == 20, &|_| false, &|i| i < 7];
        for keep in keeps {
            let expected = written("sequential", keep, ITEMS);
            let short = expected.1;
            for way in WAYS {
                assert_eq!(written(way, keep, ITEMS), expected, "{way}");
                // The last write, of an item that is not kept, is out of range.
                assert!(!written(way, keep, short).2, "{way}");
            }
        }
    }

    #[test]
    fn cursors_that_wrap_around_write_as_the_plain_loop() {
        if cfg!(debug_assertions) {
            return;
        }
        let (expected, end) = kept(250u8, 1, "sequential");
        for way in WAYS {
            assert_eq!(kept(250u8, 1, way), (expected.clone(), end), "{way}");
        }
    }

    #[test]
    fn the_earliest_panic_counts_and_nothing_is_carried_out() {
        // Panics take an interpreter long.
        let (ways, cases) = if cfg!(miri) {
            (2..4, 2..3)
        } else {
            (0..7, 0..4)
        };
        for way in &WAYS[ways] {
            // Where the terms panic, and where the body does, before and after that.
            let all = [(31, usize::MAX), (usize::MAX, 29), (40, 29), (29, 40)];
            for (of_terms, of_body) in all[cases.clone()].iter().copied() {
                let mut total = 3u64;
                let result = with_strategy(way, || {
                    catch_unwind(AssertUnwindSafe(|| {
                        let term = |i: usize| {
                            assert!(i < of_terms, "term {i}");
                            i as u64
                        };
                        Each::new(&SITE, 60).scan(
                            (),
                            (scan::<true, _, _>(&mut total, Add), ()),
                            |range, (), (total, ()), _| {
                                for i in range {
                                    *total += term(i);
                                    assert!(i < of_body, "iteration {i}");
                                }
                            },
                            |range, totals| {
                                let Some((total, ())) = totals else { return };
                                range.for_each(|i| total.update(term(i)));
                            },
                        );
                    }))
                });
                let payload = result.expect_err("it panics");
                let expected = match of_terms < of_body {
                    true => format!("term {of_terms}"),
                    false => format!("iteration {of_body}"),
                };
                assert_eq!(
                    *payload.downcast_ref::<String>().unwrap(),
                    expected,
                    "{way}"
                );
                assert_eq!(total, 3, "{way}");
            }
        }
    }

    #[test]
    fn what_overflows_runs_in_order_from_there() {
        // Products that fit since a factor is 0, and totals that do not.
        let factors: Vec<u64> = (0..60)
            .map(|i| if i == 20 { 0 } else { 1000 + i })
            .collect();
        let expected: Vec<u64> = factors.iter().scan(0u64, |_, _| Some(0)).collect();
        for way in WAYS {
            let (mut product, mut out) = (0u64, vec![1u64; 60]);
            with_strategy(way, || {
                let own = Own::new(&mut out);
                Each::new(&SITE, 60).scan(
                    (),
                    (scan::<true, _, _>(&mut product, Mul), ()),
                    |range, (), (product, ()), _| {
                        let mut out = own;
                        for i in range {
                            *product *= factors[i];
                            out[i] = *product;
                        }
                    },
                    |range, totals| {
                        let Some((product, ())) = totals else { return };
                        range.for_each(|i| product.update(factors[i]));
                    },
                );
            });
            assert_eq!(out, expected, "{way}");
        }
    }

    #[test]
    fn deterministic_scans_do_not_depend_on_the_workers() {
        static FIXED: Site = Site::new("test", "").deterministic();
        let scanned = |way: &str| {
            let (mut total, mut out) = (0.1f32, vec![0; ITEMS]);
            with_strategy(way, || {
                let own = Own::new(&mut out);
                Each::new(&FIXED, ITEMS).scan(
                    (),
                    (scan::<false, _, _>(&mut total, Add), ()),
                    |range, (), (total, ()), _| {
                        let mut out = own;
                        for i in range {
                            *total += 1.0 / (i as f32 + 1.0);
                            out[i] = total.to_bits();
                        }
                    },
                    |range, totals| {
                        let Some((total, ())) = totals else { return };
                        range.for_each(|i| total.update(1.0 / (i as f32 + 1.0)));
                    },
                );
            });
            out
        };
        let one = scanned("private:workers=1");
        for _ in 0..if cfg!(miri) { 1 } else { 20 } {
            assert_eq!(scanned("private:workers=4"), one);
        }
    }

    #[test]
    fn what_the_body_keeps_beyond_its_count_is_stopped() {
        let mut out = vec![0u32; 60];
        let mut count = 0usize;
        let result = with_strategy("private:workers=2,parts=6", || {
            catch_unwind(AssertUnwindSafe(|| {
                let own = Own::new(&mut out);
                Each::new(&SITE, 60).scan(
                    (),
                    (cursor(&mut count, Add), ()),
                    |range, (), (count, ()), reach| {
                        let mut out = own.within(reach.of(|(n, ())| n.number()));
                        for i in range {
                            out[*count] = i as u32;
                            *count += 1;
                        }
                    },
                    // Another count than the body's.
                    |range, totals| {
                        let Some((count, ())) = totals else { return };
                        count.update(range.len() / 2);
                    },
                );
            }))
        });
        assert!(result.is_err());
        assert_eq!(count, 0);
    }
}

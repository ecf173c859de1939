//! Scalars that keep the best item, `if d < best { best = d; at = i; }`, in any number of parts at once: the first of equals, or the last where it is `<=`.

use super::each::Combined;
use super::fault::PANICS_END;
use super::scan::Carried;
use crate::base::bin::Slot;

/// What items are compared by.
#[diagnostic::on_unimplemented(
    message = "[accrue::H026] the best item is found by a value that is no number, or by a float behind another key",
    label = "it may compare in any way",
    note = "compare numbers; of several keys the first alone may be a float, since a NaN behind it compares with nothing; or write `#[sequential]` before the loop's `for`"
)]
pub trait Key: PartialOrd {
    /// Whether any two of them compare.
    const TOTAL: bool;
}

impl<T: Slot + PartialOrd> Key for T {
    const TOTAL: bool = !T::FLOAT;
}

/// Of several values those behind the first have to compare with all others, or the first of the best would depend on what came before it.
impl<A: Key, B: Key + Ord> Key for (A, B) {
    const TOTAL: bool = A::TOTAL;
}

impl<A: Key, B: Key + Ord, C: Key + Ord> Key for (A, B, C) {
    const TOTAL: bool = A::TOTAL;
}

/// What items are compared by, where it is a number.
#[inline(always)]
pub fn compared<K: Key>(key: K) -> K {
    key
}

/// What is kept of an item.
#[diagnostic::on_unimplemented(
    message = "[accrue::H026] `{Self}` is kept of the best item, and cannot be cloned for each worker",
    label = "this is not `Clone`, or stays with its thread",
    note = "derive `Clone` for a struct; of other types keep the item's index, and take the rest after the loop"
)]
pub trait State: Clone + Send + Sync {}

#[diagnostic::do_not_recommend]
impl<T: Clone + Send + Sync> State for T {}

/// What is kept and read on the way.
#[diagnostic::on_unimplemented(
    message = "[accrue::H026] `{Self}` is kept of the best item so far, and cannot be copied for each worker",
    label = "this is not `Copy`",
    note = "derive `Clone` and `Copy` for a struct of numbers; of other types keep the item's index, and take the rest after the loop"
)]
pub trait Carry: Copy + Send + Sync {}

#[diagnostic::do_not_recommend]
impl<T: Copy + Send + Sync> Carry for T {}

/// Several places whose values are kept together.
pub trait Places: Sync {
    /// Their values.
    type Values: Clone + Send + Sync;

    /// What they hold.
    fn get(&self) -> Self::Values;
    /// Changes it.
    fn set(&mut self, values: Self::Values);
}

impl Places for () {
    type Values = ();

    fn get(&self) {}
    fn set(&mut self, (): ()) {}
}

impl<T: State, P: Places> Places for (&mut T, P) {
    type Values = (T, P::Values);

    fn get(&self) -> Self::Values {
        (self.0.clone(), self.1.get())
    }
    fn set(&mut self, values: Self::Values) {
        *self.0 = values.0;
        self.1.set(values.1);
    }
}

/// Places that keep the best item, with what says whether the first is better.
struct Best<P: Places, F, U, const ORDERED: bool, const LAZY: bool, const ENDS: bool> {
    places: P,
    better: F,
    untouched: U,
    before: P::Values,
}

/// Places that keep the first of the best items, or the last of them.
///
/// `(less, last)`: which items are better than others, and whether the last of equals is kept.
/// `ORDERED`: whether what is assigned may panic, which only the sequential order tells. `LAZY`: whether what is asked of better items may, in a loop that may run
/// again. `ENDS`: whether iterations do nothing behind the first item
/// that is taken. `untouched`, of what was there before the loop
/// and what a part has: whether the part has taken no item, where the key must not be asked for then.
pub fn best<const ORDERED: bool, const LAZY: bool, const ENDS: bool, P: Places, K: PartialOrd>(
    places: P,
    key: impl Fn(P::Values) -> K + Sync,
    (less, last): (bool, bool),
    untouched: impl Fn(P::Values, P::Values) -> bool + Sync,
) -> impl Combined<Private = P::Values> {
    Best::<_, _, _, ORDERED, LAZY, ENDS> {
        before: places.get(),
        places,
        better: move |a, b| is_better(key(a), key(b), less, last),
        untouched,
    }
}

/// Every part begins with what was there, and of equal items the first stays: what a part has is better than what parts before it have, or
/// it is not taken. Where the last of equals stays, it is as good, and the part has taken an item at all.
impl<P, F, U, const ORDERED: bool, const LAZY: bool, const ENDS: bool> Combined
    for Best<P, F, U, ORDERED, LAZY, ENDS>
where
    P: Places,
    F: Fn(P::Values, P::Values) -> bool + Sync,
    U: Fn(P::Values, P::Values) -> bool + Sync,
{
    type Private = P::Values;
    const ORDERED: bool = ORDERED || LAZY && PANICS_END;
    const RETRIES: bool = LAZY;
    const ROUNDS: bool = false;
    const FOLLOWS: bool = true;
    const ENDS: bool = ENDS;

    fn bytes(&self) -> usize {
        0
    }
    fn begin(&self) -> P::Values {
        self.before.clone()
    }
    fn fresh(&self) -> P::Values {
        self.before.clone()
    }
    fn end(&mut self, first: P::Values) {
        self.places.set(first);
    }
    fn merge(&mut self, other: P::Values) {
        if !(self.untouched)(self.before.clone(), other.clone())
            && (self.better)(other.clone(), self.places.get())
        {
            self.places.set(other);
        }
    }
    fn is_done(&self, of: &P::Values) -> bool {
        ENDS && (self.better)(of.clone(), self.before.clone())
    }
}

/// Places whose values are carried along together.
pub trait Along: Places {
    /// What a part finds for each, and whether it has found anything.
    type Found: Send;

    /// What is found where a part begins.
    fn fresh(&self) -> Self::Found;
    /// The values, if a part has found some.
    fn found(found: &Self::Found) -> Option<Self::Values>;
}

impl Along for () {
    type Found = ();

    fn fresh(&self) {}
    fn found((): &()) -> Option<()> {
        Some(())
    }
}

impl<T: Carry, P: Along> Along for (&mut T, P) {
    type Found = (Kept<T>, P::Found);

    fn fresh(&self) -> Self::Found {
        let kept = Kept {
            value: *self.0,
            found: false,
        };
        (kept, self.1.fresh())
    }
    fn found((kept, others): &Self::Found) -> Option<Self::Values> {
        let others = P::found(others)?;
        kept.found.then_some((kept.value, others))
    }
}

/// What a part keeps of the best of its items, in one of the places.
#[derive(Debug)]
pub struct Kept<T> {
    value: T,
    found: bool,
}

impl<T: Copy> Kept<T> {
    /// What it holds.
    #[inline(always)]
    pub fn held(&self) -> T {
        self.value
    }

    /// What it holds from here on.
    #[inline(always)]
    pub fn set(&mut self, value: T) {
        self.value = value;
        self.found = true;
    }
}

/// Places that keep the best item and are read on the way: each iteration finds there what those before it have kept.
#[derive(Debug)]
pub struct Running<P, const ORDERED: bool, const LESS: bool, const LAST: bool>(P);

/// Places that keep the first of the best items, or the last of them, by what the first place holds, and are read on the way.
///
/// `ORDERED`: whether what is assigned may panic, which only the sequential order tells.
pub fn running<const ORDERED: bool, const LESS: bool, const LAST: bool, P>(
    places: P,
) -> Running<P, ORDERED, LESS, LAST> {
    Running(places)
}

/// A part begins with what was there before the loop, and no part before it keeps anything worse than that: what it finds is better than what is there
/// when its turn comes, or nothing of it would have been taken.
impl<K, P, const ORDERED: bool, const LESS: bool, const LAST: bool> Carried
    for Running<(&mut K, P), ORDERED, LESS, LAST>
where
    K: Carry + Key,
    P: Along<Values: Copy>,
{
    type Values = (K, P::Values);
    type Totals = (Kept<K>, P::Found);
    const ROUNDS: bool = false;
    const WIDE: bool = true;

    fn begin(&self) -> Self::Values {
        self.0.get()
    }
    fn splits(&self) -> bool {
        !ORDERED
    }
    fn fresh(&self) -> Self::Totals {
        self.0.fresh()
    }
    fn after(&self, before: Self::Values, totals: &Self::Totals) -> Option<Self::Values> {
        let found = <(&mut K, P)>::found(totals);
        Some(match found {
            Some(found) if is_better(found.0, before.0, LESS, LAST) => found,
            _ => before,
        })
    }
    fn grows(&self, _: Self::Values, _: Self::Values) -> bool {
        true
    }
    fn end(&mut self, values: Self::Values) {
        self.0.set(values);
    }
}

/// Whether an item is taken by the loop's own comparison.
fn is_better<K: PartialOrd>(item: K, than: K, less: bool, last: bool) -> bool {
    match (less, last) {
        (true, false) => item < than,
        (false, false) => item > than,
        (true, true) => item <= than,
        (false, true) => item >= than,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::each::Each;
    use crate::cpu::request::with_strategy;
    use crate::cpu::site::Site;

    static SITE: Site = Site::new("test", "");

    #[test]
    fn the_first_of_equals_is_kept() {
        let items = [5.0f32, 3.0, f32::NAN, 3.0, 7.0, -0.0, 0.0, 7.0, 1.0];
        for strategy in ["sequential", "private:workers=3,parts=4", "private:parts=9"] {
            for (before, less, expected) in [
                (9.0, true, (-0.0, 5)),
                (-9.0, false, (7.0, 4)),
                (0.0, true, (0.0, 77)),
                (7.0, false, (7.0, 77)),
                (f32::NAN, true, (f32::NAN, 77)),
            ] {
                let (mut value, mut at) = (before, 77);
                with_strategy(strategy, || {
                    let places = (&mut value, (&mut at, ()));
                    let kept = best::<false, false, false, _, _>(
                        places,
                        |(value, _)| value,
                        (less, false),
                        |_, _| false,
                    );
                    Each::new(&SITE, items.len()).run((kept, ()), |range, (kept, ())| {
                        for i in range {
                            let (value, at) = (&mut kept.0, &mut kept.1.0);
                            if less && items[i] < *value || !less && items[i] > *value {
                                (*value, *at) = (items[i], i);
                            }
                        }
                    });
                });
                let bits = (value.to_bits(), at);
                assert_eq!(
                    bits,
                    (expected.0.to_bits(), expected.1),
                    "{strategy} {before}"
                );
            }
        }
    }

    #[test]
    fn the_last_of_equals_is_kept() {
        let items = [5.0f32, 3.0, f32::NAN, 3.0, 7.0, 0.0, 0.0, 7.0, 1.0];
        let better = |less, item: f32, than: f32| less && item <= than || !less && item >= than;
        for strategy in ["sequential", "private:workers=3,parts=4", "private:parts=9"] {
            for before in [9.0, -9.0, 0.0, 3.0, 7.0, f32::NAN] {
                for less in [true, false] {
                    let mut expected = (before, 77);
                    for (i, item) in items.into_iter().enumerate() {
                        if better(less, item, expected.0) {
                            expected = (item, i);
                        }
                    }
                    let (mut value, mut at, mut any) = (before, 77, false);
                    with_strategy(strategy, || {
                        let places = (&mut value, (&mut at, (&mut any, ())));
                        let key = |(value, _)| value;
                        let untouched = |_, after: (f32, (usize, (bool, ())))| !after.1.1.0;
                        let kept =
                            best::<false, false, false, _, _>(places, key, (less, true), untouched);
                        Each::new(&SITE, items.len()).run((kept, ()), |range, (kept, ())| {
                            for i in range {
                                if better(less, items[i], kept.0) {
                                    *kept = (items[i], (i, (true, ())));
                                }
                            }
                        });
                    });
                    assert_eq!(
                        (value.to_bits(), at),
                        (expected.0.to_bits(), expected.1),
                        "{strategy} {before} {less}"
                    );
                }
            }
        }
    }
}

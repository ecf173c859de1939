//! Scalars that keep the best item, `if d < best { best = d; at = i; }`, in any number of parts at once: the first of equals, or the last where it is `<=`.

use super::each::Combined;
use crate::base::bin::Slot;

/// What items are compared by.
#[diagnostic::on_unimplemented(
    message = "[accrue::H026] the best item is found by a value of type `{Self}`, which may compare in any way",
    label = "this is no number",
    note = "compare numbers, or write `#[sequential]` before the loop's `for`"
)]
pub trait Key: PartialOrd {}

impl<T: Slot + PartialOrd> Key for T {}

/// What items are compared by, where it is a number.
#[inline(always)]
pub fn compared<K: Key>(key: K) -> K {
    key
}

/// What is kept of an item.
#[diagnostic::on_unimplemented(
    message = "[accrue::H026] `{Self}` is kept of the best item, and cannot be copied for each worker",
    label = "this is not `Copy`",
    note = "keep the item's index, and take the rest after the loop"
)]
pub trait State: Copy + Send + Sync {}

impl<T: Copy + Send + Sync> State for T {}

/// Several places whose values are kept together.
pub trait Places: Sync {
    /// Their values.
    type Values: Copy + Send + Sync;

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
        (*self.0, self.1.get())
    }
    fn set(&mut self, values: Self::Values) {
        *self.0 = values.0;
        self.1.set(values.1);
    }
}

/// Places that keep the best item, with what says whether the first is better.
struct Best<P: Places, F, U, const ORDERED: bool, const ENDS: bool> {
    places: P,
    better: F,
    untouched: U,
    before: P::Values,
}

/// Places that keep the first of the best items, or the last of them.
///
/// `(less, last)`: which items are better than others, and whether the last of equals is kept.
/// `ORDERED`: whether what is assigned may panic, which only the sequential order tells. `ENDS`: whether iterations do nothing behind the first item
/// that is taken. `untouched`, of what was there before the loop
/// and what a part has: whether the part has taken no item, where the key must not be asked for then.
pub fn best<const ORDERED: bool, const ENDS: bool, P: Places, K: PartialOrd>(
    places: P,
    key: impl Fn(P::Values) -> K + Sync,
    (less, last): (bool, bool),
    untouched: impl Fn(P::Values, P::Values) -> bool + Sync,
) -> impl Combined<Private = P::Values> {
    Best::<_, _, _, ORDERED, ENDS> {
        before: places.get(),
        places,
        better: move |a, b| {
            let (a, b) = (key(a), key(b));
            match (less, last) {
                (true, false) => a < b,
                (false, false) => a > b,
                (true, true) => a <= b,
                (false, true) => a >= b,
            }
        },
        untouched,
    }
}

/// Every part begins with what was there, and of equal items the first stays: what a part has is better than what parts before it have, or
/// it is not taken. Where the last of equals stays, it is as good, and the part has taken an item at all.
impl<P, F, U, const ORDERED: bool, const ENDS: bool> Combined for Best<P, F, U, ORDERED, ENDS>
where
    P: Places,
    F: Fn(P::Values, P::Values) -> bool + Sync,
    U: Fn(P::Values, P::Values) -> bool + Sync,
{
    type Private = P::Values;
    const ORDERED: bool = ORDERED;
    const ROUNDS: bool = false;
    const FOLLOWS: bool = true;
    const ENDS: bool = ENDS;

    fn bytes(&self) -> usize {
        0
    }
    fn begin(&self) -> P::Values {
        self.before
    }
    fn fresh(&self) -> P::Values {
        self.before
    }
    fn end(&mut self, first: P::Values) {
        self.places.set(first);
    }
    fn merge(&mut self, other: P::Values) {
        if !(self.untouched)(self.before, other) && (self.better)(other, self.places.get()) {
            self.places.set(other);
        }
    }
    fn is_done(&self, of: &P::Values) -> bool {
        ENDS && (self.better)(*of, self.before)
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
                    let kept = best::<false, false, _, _>(
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
                        let kept = best::<false, false, _, _>(places, key, (less, true), untouched);
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

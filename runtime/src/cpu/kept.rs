//! `Option`s that keep the best item, `if best.is_none_or(|(_, b)| d < b) { best = Some((i, d)); }`: what items are compared by where there may be none yet.
//!
//! Where there is none, any item is taken, a NaN as well, which is then kept for good, or replaced by what comes next: what a part of the loop finds that
//! begins with none says nothing of what it does where something is kept. So a part that takes such a key is *odd*, and the loop runs in order instead.

use std::cmp::Ordering;

use super::best::{Key, Places};
use super::each::Combined;
use super::fault::PANICS_END;

/// What items are compared by, of an item or of what is kept. The lesser one is the better: where `LEAST` is false that is the one with the greater key. `NOT`: the loop
/// asks for it by what it is not, `!(d >= best)` instead of `d < best`, which a NaN tells apart.
#[derive(Clone, Copy, Debug)]
pub struct Rank<K, const LEAST: bool, const NOT: bool>(Option<K>);

/// That of an item.
#[inline(always)]
pub fn item<const LEAST: bool, const NOT: bool, K>(key: K) -> Rank<K, LEAST, NOT> {
    Rank(Some(key))
}

/// That of what is kept, which is the worst where nothing is.
#[inline(always)]
pub fn of<const LEAST: bool, const NOT: bool, T, K>(
    kept: &Option<T>,
    key: impl FnOnce(&T) -> K,
) -> Rank<K, LEAST, NOT> {
    Rank(kept.as_ref().map(key))
}

/// That of what is kept where there is something.
#[inline(always)]
pub fn held<const LEAST: bool, K>(key: K) -> Rank<K, LEAST, false> {
    Rank(Some(key))
}

impl<K: PartialOrd, const LEAST: bool, const NOT: bool> Rank<K, LEAST, NOT> {
    /// Whether it compares with nothing.
    #[inline(always)]
    pub fn is_odd(&self) -> bool {
        let key = self.0.as_ref();
        key.is_some_and(|key| key.partial_cmp(key).is_none())
    }
}

impl<K: PartialOrd, const LEAST: bool, const NOT: bool> PartialEq for Rank<K, LEAST, NOT> {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "as the loop asks for it")]
impl<K: PartialOrd, const LEAST: bool, const NOT: bool> PartialOrd for Rank<K, LEAST, NOT> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (&self.0, &other.0) {
            (None, None) => Some(Ordering::Equal),
            (None, _) => Some(Ordering::Greater),
            (_, None) => Some(Ordering::Less),
            (Some(a), Some(b)) if LEAST => a.partial_cmp(b),
            (Some(a), Some(b)) => b.partial_cmp(a),
        }
    }

    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, _) => false,
            (_, None) => true,
            (Some(a), Some(b)) => match (LEAST, NOT) {
                (true, false) => a < b,
                (true, true) => !(a >= b),
                (false, false) => a > b,
                (false, true) => !(a <= b),
            },
        }
    }

    #[inline(always)]
    fn le(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (_, None) => true,
            (None, _) => false,
            (Some(a), Some(b)) => match (LEAST, NOT) {
                (true, false) => a <= b,
                (true, true) => !(a > b),
                (false, false) => a >= b,
                (false, true) => !(a < b),
            },
        }
    }
}

impl<K: Ord, const LEAST: bool, const NOT: bool> Eq for Rank<K, LEAST, NOT> {}

impl<K: Ord, const LEAST: bool, const NOT: bool> Ord for Rank<K, LEAST, NOT> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).unwrap_or(Ordering::Equal)
    }
}

impl<K: Key, const LEAST: bool, const NOT: bool> Key for Rank<K, LEAST, NOT> {
    const TOTAL: bool = K::TOTAL;
}

/// What a part has taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    any: bool,
    odd: bool,
}

impl Taken {
    /// Notes an item.
    #[inline(always)]
    pub fn note(&mut self, odd: bool) {
        self.any = true;
        self.odd |= odd;
    }
}

struct Kept<P: Places, F, T, const ORDERED: bool, const LAZY: bool, const AGAIN: bool> {
    places: P,
    key: F,
    last: bool,
    taken: T,
    before: P::Values,
}

/// Places of which one is an `Option` that keeps the best item, by its rank. `taken`: what a part has taken, of its values. `AGAIN`: whether the loop may run
/// again, since all that it does is in copies until it ends. `LAZY`: whether what is asked of better items may panic.
pub fn kept<const ORDERED: bool, const LAZY: bool, const AGAIN: bool, P: Places, K: Key>(
    places: P,
    key: impl Fn(P::Values) -> K + Sync,
    last: bool,
    taken: impl Fn(P::Values) -> Taken + Sync,
) -> impl Combined<Private = P::Values> {
    Kept::<_, _, _, ORDERED, LAZY, AGAIN> {
        before: places.get(),
        places,
        key,
        last,
        taken,
    }
}

impl<P, K, F, T, const ORDERED: bool, const LAZY: bool, const AGAIN: bool> Combined
    for Kept<P, F, T, ORDERED, LAZY, AGAIN>
where
    P: Places,
    K: Key,
    F: Fn(P::Values) -> K + Sync,
    T: Fn(P::Values) -> Taken + Sync,
{
    type Private = P::Values;
    const ORDERED: bool = ORDERED || !(AGAIN || K::TOTAL) || LAZY && PANICS_END;
    const RETRIES: bool = LAZY;
    const ROUNDS: bool = false;
    const FOLLOWS: bool = true;

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
        if (self.taken)(other.clone()).any {
            let (new, old) = ((self.key)(other.clone()), (self.key)(self.places.get()));
            if new < old || self.last && new <= old {
                self.places.set(other);
            }
        }
    }
    fn is_odd(&self, of: &P::Values) -> bool {
        (self.taken)(of.clone()).odd
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_item_is_better_than_none() {
        let none = None::<f32>;
        assert!(item::<true, false, _>(f32::NAN) < of(&none, |key| *key));
        assert!(item::<false, true, _>(1.0) < of(&none, |key| *key));
        assert!(item::<true, false, _>(f32::NAN).is_odd());
        assert!(!of::<true, false, _, _>(&none, |key| *key).is_odd());
    }

    fn less<A: PartialOrd>(a: A, b: A) -> bool {
        a < b
    }

    #[test]
    fn a_nan_is_taken_by_what_it_is_not() {
        let (kept, nan) = (Some(1.0f32), f32::NAN);
        assert!(!less(item::<true, false, _>(nan), of(&kept, |key| *key)));
        assert!(less(item::<true, true, _>(nan), of(&kept, |key| *key)));
        assert!(item::<false, true, _>(nan) <= of(&kept, |key| *key));
        assert!(less(item::<false, false, _>(2.0), of(&kept, |key| *key)));
        assert!(!less(item::<true, false, _>(1.0), of(&kept, |key| *key)));
        assert!(item::<true, false, _>(1.0) <= of(&kept, |key| *key));
    }

    #[test]
    fn the_second_key_counts_where_the_first_is_the_same() {
        let pair = |a: f32, b: u32| (item::<false, false, _>(a), item::<true, false, _>(b));
        let better = |a, b| item::<true, false, _>(a) < held::<true, _>(b);
        assert!(better(pair(2.0, 9), pair(1.0, 0)));
        assert!(better(pair(1.0, 3), pair(1.0, 4)));
        assert!(!better(pair(1.0, 4), pair(1.0, 4)));
        assert!(!better(pair(f32::NAN, 0), pair(1.0, 4)));
    }
}

//! Generic offloaded functions whose traits have names that accrue's own have, too: none of the latter are in scope of `T: Bin`.

use accrue::{Bin, offload};

/// A user's own arithmetic, by every name that accrue's has.
trait Weight: Copy {
    const ZERO: Self;
    const ONE: Self;
    const NAME: &'static str;
    const FLOAT: bool;
    const SIGNED: bool;
    const NONE: Self;
    const ALL: Self;
    fn sum(self, other: Self) -> Self;
    fn difference(self, other: Self) -> Self;
    fn opposite(self) -> Self;
    fn product(self, other: Self) -> Self;
    fn least(self, other: Self) -> Self;
    fn greatest(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn sum_saturating(self, other: Self) -> Self;
}

macro_rules! weights {
    ($($t:ty)*) => {$(
        impl Weight for $t {
            const ZERO: $t = 0 as $t;
            const ONE: $t = 1 as $t;
            const NAME: &'static str = stringify!($t);
            const FLOAT: bool = false;
            const SIGNED: bool = false;
            const NONE: $t = 2 as $t;
            const ALL: $t = 3 as $t;
            fn sum(self, other: $t) -> $t { self + other }
            fn difference(self, other: $t) -> $t { self - other }
            fn opposite(self) -> $t { self }
            fn product(self, other: $t) -> $t { self * other }
            fn least(self, other: $t) -> $t { if self < other { self } else { other } }
            fn greatest(self, other: $t) -> $t { if self < other { other } else { self } }
            fn and(self, other: $t) -> $t { self + other }
            fn sum_saturating(self, other: $t) -> $t { self + other }
        }
    )*};
}

weights!(u32 f64);

#[offload(histogram)]
fn weigh<T: Bin + Weight>(keys: &[u8], weights: &[T], bins: &mut [T]) {
    for (&key, &weight) in keys.iter().zip(weights) {
        bins[key as usize] += weight.sum(T::ONE).product(T::NONE);
    }
}

/// Nothing is offloaded: only the bound.
fn fold<T: Bin + Weight>(values: &[T]) -> (T, &'static str, bool) {
    let sum = values.iter().fold(T::ZERO, |sum, &v| sum.sum(v.opposite()));
    let most = values.iter().fold(T::ZERO, |most, &v| {
        most.greatest(v).least(v.sum_saturating(v))
    });
    (
        sum.sum(most.and(T::ALL)).difference(T::ALL),
        T::NAME,
        T::FLOAT || T::SIGNED,
    )
}

#[test]
fn a_users_names_are_not_ambiguous_beside_the_bound() {
    let mut bins = [0u32; 2];
    weigh(&[0, 1, 1], &[1, 2, 3], &mut bins);
    assert_eq!(bins, [4, 14]);
    let mut bins = [0.5f64; 2];
    weigh(&[0, 1, 1], &[1.0, 2.0, 3.0], &mut bins);
    assert_eq!(bins, [4.5, 14.5]);
    assert_eq!(fold(&[1u32, 5, 3]), (14, "u32", false));
}

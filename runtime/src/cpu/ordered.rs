//! Whether what elements keep the best by has an order. A loop that settles behind itself what its elements keep passes by what is not better than they were before it, and
//! that never is then: where `a < b` and `b < c` say that `a < c`. rustc knows it of the standard library's types; what other types compare by is theirs, and all
//! that comes to an element is compared with it behind the loop.

use std::cmp::Reverse;
use std::num::{Saturating, Wrapping};

/// What items are compared by.
#[derive(Debug)]
pub struct Ranked<'a, K: ?Sized>(pub &'a K);

/// Types whose order is known to be one.
pub trait Ordered {}

macro_rules! ordered {
    ($($ty:ty)*) => { $(impl Ordered for $ty {})* };
}

ordered! {
    () bool char str String
    u8 u16 u32 u64 u128 usize
    i8 i16 i32 i64 i128 isize
    f32 f64
    std::cmp::Ordering std::time::Duration std::time::Instant
}

impl<T: Ordered + ?Sized> Ordered for &T {}
impl<T: Ordered> Ordered for [T] {}
impl<T: Ordered, const N: usize> Ordered for [T; N] {}
impl<T: Ordered> Ordered for Vec<T> {}
impl<T: Ordered> Ordered for Option<T> {}
impl<T: Ordered> Ordered for Reverse<T> {}
impl<T: Ordered> Ordered for Wrapping<T> {}
impl<T: Ordered> Ordered for Saturating<T> {}
impl<A: Ordered> Ordered for (A,) {}
impl<A: Ordered, B: Ordered> Ordered for (A, B) {}
impl<A: Ordered, B: Ordered, C: Ordered> Ordered for (A, B, C) {}
impl<A: Ordered, B: Ordered, C: Ordered, D: Ordered> Ordered for (A, B, C, D) {}

/// The answer of types whose order is known.
pub trait AskOrdered {
    /// Whether what was not better may be better than what came to the element since.
    fn may_be_better_since(&self) -> bool;
}

impl<K: Ordered + ?Sized> AskOrdered for &Ranked<'_, K> {
    #[inline(always)]
    fn may_be_better_since(&self) -> bool {
        false
    }
}

/// The answer of any other.
pub trait AskInAnyWay {
    /// That it may.
    fn may_be_better_since(&self) -> bool;
}

impl<K: ?Sized> AskInAnyWay for Ranked<'_, K> {
    #[inline(always)]
    fn may_be_better_since(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_has_an_order() {
        #[derive(PartialEq, PartialOrd)]
        struct Own(f32);
        macro_rules! may_be_better_since {
            ($key:expr) => {
                (&&Ranked(&$key)).may_be_better_since()
            };
        }
        assert!(may_be_better_since!(Own(1.0)));
        assert!(may_be_better_since!(Some(Own(1.0))));
        assert!(!may_be_better_since!(Some((1.0, "a"))));
    }
}

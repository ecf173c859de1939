//! What rustc is asked of bins with several indices, where the macro does not see their type: whether they are one array, `[[u32; 4]]`, or rows that lie apart,
//! `[Vec<u32>]`.
//!
//! [`Laid`] is asked by method resolution, as [`Seen`](super::seen::Seen) is. Loops over rows that lie apart run as they are written; what stands beside that for
//! arrays is compiled all the same, and gets no bins.

use std::cell::Cell;
use std::ops::{Deref, Index};

/// Bins with so many indices.
pub struct Laid<'a, P: ?Sized, const INDICES: usize>(Cell<Option<&'a mut P>>);

impl<'a, P: ?Sized, const INDICES: usize> Laid<'a, P, INDICES> {
    /// Some of the user's.
    #[inline(always)]
    pub fn new(bins: &'a mut P) -> Self {
        Laid(Cell::new(Some(bins)))
    }
}

macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident [$($generics:tt)*] ($($level:tt)*) $place:ty, $indices:literal, $array:ty, $apart:literal, $len:expr, |$this:ident| $bins:expr;)*) => {$(
        $(#[$doc])*
        pub trait $name<'a> {
            /// An array of bins.
            type Array: ?Sized;
            /// Whether rows lie apart.
            fn __accrue_apart(&self) -> bool;
            /// The bins, if they are an array.
            fn __accrue_array(&self) -> &'a mut Self::Array;
            /// The length of a row of an array.
            fn __accrue_row_len(&self) -> usize;
        }

        impl<'a, $($generics)*> $name<'a> for $($level)* Laid<'a, $place, $indices> {
            type Array = $array;
            #[inline(always)]
            fn __accrue_apart(&self) -> bool {
                $apart
            }
            #[inline(always)]
            fn __accrue_array(&self) -> &'a mut $array {
                let $this = self;
                $bins
            }
            #[inline(always)]
            fn __accrue_row_len(&self) -> usize {
                $len
            }
        }
    )*};
}

answers! {
    /// The answer of rows that are one array.
    AskArray2 [B, const M: usize] (&&) [[B; M]], 2, [[B; M]], false, M, |this| this.0.take().expect("it is asked once");
    /// The answer of planes that are one array.
    AskArray3 [B, const M: usize, const N: usize] (&&) [[[B; M]; N]], 3, [[[B; M]; N]], false, N, |this| this.0.take().expect("it is asked once");
    /// The answer of rows that have indices.
    AskApart2 [R: Index<usize, Output: Sized + 'a>] (&) [R], 2, [[R::Output; 1]], true, 0, |_this| &mut [];
    /// The answer of planes of rows that have indices.
    AskApart3 [P: Index<usize, Output: Index<usize, Output: Sized + 'a>>] (&) [P], 3, [[[<P::Output as Index<usize>>::Output; 1]; 1]], true, 0, |_this| &mut [];
    /// The answer of what leads to rows.
    AskBehind2 [R: Deref<Target: Index<usize, Output: Sized + 'a>>] () [R], 2, [[<R::Target as Index<usize>>::Output; 1]], true, 0, |_this| &mut [];
}

/// Has a call across ranks fail where rows lie apart.
///
/// # Panics
///
/// There.
pub fn together(apart: bool, name: &str) {
    assert!(
        !apart,
        "the rows of `{name}` lie apart from each other, and ranks combine arrays alone"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! apart {
        ($bins:expr, $indices:literal) => {
            (&&&Laid::<_, $indices>::new(&mut $bins[..])).__accrue_apart()
        };
    }

    #[test]
    fn rows_are_one_array_or_lie_apart() {
        assert!(!apart!([[0; 4]; 3], 2));
        assert!(!apart!(vec![[0; 4]; 3], 2));
        assert!(!apart!(vec![[[0; 4]; 3]], 3));
        assert!(apart!(vec![vec![0; 4]; 3], 2));
        assert!(apart!([Box::from([0; 4])] as [Box<[u32]>; 1], 2));
        assert!(apart!([&mut [0; 4][..]], 2));
        assert!(apart!(vec![vec![vec![0; 4]; 3]], 3));
        assert!(apart!(vec![[vec![0; 4], vec![]]], 3));
        assert!(apart!([vec![[0; 4]]], 3));
        let mut bins = [[1, 2], [3, 4]];
        let array = (&&&Laid::<_, 2>::new(&mut bins[..])).__accrue_array();
        assert_eq!(array.as_flattened(), [1, 2, 3, 4]);
        let mut bins = [vec![1, 2]];
        let array = (&&Laid::<_, 2>::new(&mut bins[..])).__accrue_array();
        assert!(array.is_empty());
    }
}

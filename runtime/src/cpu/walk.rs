//! Arrays that each iteration indexes at a place that goes up or down by the same from one to the next: `out[n - 1 - i] = x[2 * i + 1]`.
//!
//! The loop of a part is a function of its own, in which the compiler no longer sees that such an index lies within its array. So the index is computed
//! before the loop, as an [`Affine`] number, for the first and the last iteration of the part: where both lie within the array, all between them do, and the
//! body asks a [`Walk`] for the element of the part's k-th iteration, which needs no check.
//!
//! Iterations for which one of the indices overflows or lies outside, or whose condition keeps it from being used there, are left to the loop as it
//! is.

use std::borrow::Borrow;
use std::ops::{Add, Index, IndexMut, Mul, Range, Sub};

use super::own::Own;
use super::source::Strided;

/// A number that depends on an iteration: what it is in one of them, unless something overflows there, and by how much more it is in the next one.
#[derive(Clone, Copy, Debug)]
pub struct Affine {
    value: Option<usize>,
    slope: usize,
}

impl Affine {
    /// One that is the same in all iterations.
    #[inline(always)]
    pub fn fixed(value: usize) -> Affine {
        Affine {
            value: Some(value),
            slope: 0,
        }
    }

    /// The same, of a number or a reference to one.
    #[inline(always)]
    pub fn of(value: impl Borrow<usize>) -> Affine {
        Affine::fixed(*value.borrow())
    }

    /// The number, less by another one, where that is not more than it.
    #[inline(always)]
    pub fn saturating_sub(self, other: Affine) -> Affine {
        self - other
    }

    /// The number, where it is not more than the other one.
    #[inline(always)]
    pub fn min(self, other: Affine) -> Affine {
        self.only_where(other, |a, b| a <= b)
    }

    /// The number, where it is not less than the other one.
    #[inline(always)]
    pub fn max(self, other: Affine) -> Affine {
        self.only_where(other, |a, b| a >= b)
    }

    #[inline(always)]
    fn only_where(self, other: Affine, holds: impl FnOnce(usize, usize) -> bool) -> Affine {
        let value = self
            .value
            .filter(|a| other.value.is_some_and(|b| holds(*a, b)));
        Affine { value, ..self }
    }

    #[inline(always)]
    fn lies_in(&self, len: usize) -> bool {
        self.value.is_some_and(|value| value < len)
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $checked:ident |$a:ident, $b:ident| $slope:expr;)*) => { $(
        impl $op for Affine {
            type Output = Affine;

            #[inline(always)]
            fn $method(self, other: Affine) -> Affine {
                let ($a, $b) = (self, other);
                let value = match (self.value, other.value) {
                    (Some(a), Some(b)) => a.$checked(b),
                    _ => None,
                };
                Affine { value, slope: $slope }
            }
        }
    )* };
}

operators! {
    Add add checked_add |a, b| a.slope.wrapping_add(b.slope);
    Sub sub checked_sub |a, b| a.slope.wrapping_sub(b.slope);
    // One of the two is the same in all iterations.
    Mul mul checked_mul |a, b| a
        .slope
        .wrapping_mul(b.value.unwrap_or(0))
        .wrapping_add(b.slope.wrapping_mul(a.value.unwrap_or(0)));
}

/// By how much more the position is in the next iteration, where the compiler does not know it.
#[inline(always)]
pub fn stride<S: Strided>(source: &S) -> isize {
    source.position(1).wrapping_sub(source.position(0)) as isize
}

/// Takes from the front of `rest` iterations for which all indices lie within arrays of some lengths, with the first of these indices, or such for which that
/// is not so. There are some left.
// What the other function gets is its own: of what it is lent the compiler of the loop would no longer know the value.
#[inline(always)]
pub fn segment<S: Strided, const N: usize, const M: usize>(
    source: &S,
    stride: isize,
    rest: Range<usize>,
    lens: [usize; N],
    fixed: [Affine; M],
    indices: impl Fn(Affine, [Affine; M]) -> [Affine; N] + Copy,
) -> (Range<usize>, Range<usize>, Option<[Affine; N]>) {
    let at = |i| {
        let position = Affine {
            value: going_on(source.position(i)),
            slope: stride as usize,
        };
        indices(position, fixed)
    };
    let fits = |i| std::iter::zip(at(i), lens).all(|(index, len)| index.lies_in(len));
    let Range { start, end } = rest;
    let fit = fits(start);
    let middle = match fit && fits(end - 1) {
        true => end,
        false => part(source, &(start..end), &lens, &fixed, indices),
    };
    (start..middle, middle..end, fit.then(|| at(start)))
}

/// A position behind which the next one is not 0 again: one below 0 as a number of the widest type, as `x as usize` may be.
#[inline(always)]
fn going_on(position: usize) -> Option<usize> {
    (position <= isize::MAX as usize).then_some(position)
}

/// Fewer iterations are not worth a walk.
const FEW: usize = 12;

/// The same for an inner loop over a range, which may be short, and whose first and last iteration may be the ones that do not fit.
#[inline(always)]
pub fn inner_segment<S: Strided, const N: usize, const M: usize>(
    source: &S,
    rest: Range<usize>,
    lens: [usize; N],
    fixed: [Affine; M],
    indices: impl Fn(Affine, [Affine; M]) -> [Affine; N] + Copy,
) -> (Range<usize>, Range<usize>, Option<[Affine; N]>) {
    let Range { start, end } = rest;
    if end - start < FEW {
        return (start..end, end..end, None);
    }
    let at = |i| {
        let position = Affine {
            value: Some(source.position(i)),
            slope: 1,
        };
        indices(position, fixed)
    };
    let fits = |i| std::iter::zip(at(i), lens).all(|(index, len)| index.lies_in(len));
    match (fits(start), fits(end - 1)) {
        (true, true) => (start..end, end..end, Some(at(start))),
        (false, _) if fits(start + 1) => (start..start + 1, start + 1..end, None),
        (true, _) if fits(end - 2) => (start..end - 1, end - 1..end, Some(at(start))),
        _ => segment(source, 1, start..end, lens, fixed, indices),
    }
}

/// How far iterations from the first one on fit, or do not: those that do lie one behind the other.
// It gets its arguments by reference and returns a number: LLVM inlines no call that has more than one of those to hand over into what is compiled for
// another level of the processor.
#[cold]
#[inline(never)]
fn part<S: Strided, const N: usize, const M: usize>(
    source: &S,
    of: &Range<usize>,
    lens: &[usize; N],
    fixed: &[Affine; M],
    indices: impl Fn(Affine, [Affine; M]) -> [Affine; N],
) -> usize {
    let fits = |i| {
        let position = Affine {
            value: going_on(source.position(i)),
            slope: 0,
        };
        let indices = indices(position, *fixed);
        std::iter::zip(indices, lens).all(|(index, len)| index.lies_in(*len))
    };
    let fit = fits(of.start);
    let others = [of.end - 1, of.start + of.len() / 2];
    let Some(mut other) = others.into_iter().find(|i| fits(*i) != fit) else {
        return of.end;
    };
    let mut same = of.start;
    while other - same > 1 {
        let middle = same + (other - same) / 2;
        match fits(middle) == fit {
            true => same = middle,
            false => other = middle,
        }
    }
    other
}

/// An array from which each iteration of a part has one element, at the same distance from one to the next.
// The first one's address, rather than its index: where that is the position as well, the compiler would compute both in one, as wide as an index.
pub struct Walk<A: Array> {
    array: A,
    first: *mut A::Elem,
    slope: isize,
    len: usize,
}

// Of a slice there is a copy for each closure that moves what it captures.
impl<T> Clone for Walk<&[T]> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Walk<&[T]> {}

impl<A: Array> Walk<A> {
    /// The elements of so many iterations, the first of which has `index`.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    #[inline(always)]
    pub fn new(array: A, index: Affine, len: usize) -> Self {
        let (first, slope) = (index.value, index.slope as isize);
        let way = (len as isize).wrapping_sub(1).checked_mul(slope);
        let last = first.and_then(|first| first.checked_add_signed(way?));
        match (first, last) {
            (Some(first), Some(last)) if first < array.len() && last < array.len() => Walk {
                // It is within the array.
                first: array.start().wrapping_add(first),
                array,
                slope,
                len,
            },
            _ => outside(),
        }
    }

    /// The elements that lie so far from these, one for each, of which the first iteration has `index`. In one array the compiler sees then that they are others.
    ///
    /// # Panics
    ///
    /// If they do not.
    #[inline(always)]
    pub fn beside(&self, by: isize, index: Affine) -> Self {
        let first = self.first.wrapping_offset(by);
        let walk = Walk::new(self.array, index, self.len);
        if walk.first != first || walk.slope != self.slope {
            outside();
        }
        Walk { first, ..walk }
    }

    /// Where the element of an iteration is, which is within the array: the first and the last one are, and the others between them.
    #[inline(always)]
    fn place(&self, k: usize) -> *mut A::Elem {
        if k >= self.len {
            outside();
        }
        let way = (k as isize).wrapping_mul(self.slope);
        self.first.wrapping_offset(way)
    }
}

#[cold]
#[inline(never)]
fn outside() -> ! {
    panic!("a walk lies within its array")
}

/// What has elements by their positions.
pub trait Array: Copy {
    /// What they are.
    type Elem;

    /// Where the first one is.
    fn start(&self) -> *mut Self::Elem;

    /// How many there are.
    fn len(&self) -> usize;
}

impl<T> Array for &[T] {
    type Elem = T;

    #[inline(always)]
    fn start(&self) -> *mut T {
        self.as_ptr().cast_mut()
    }

    #[inline(always)]
    fn len(&self) -> usize {
        <[T]>::len(self)
    }
}

impl<T> Array for Own<'_, T> {
    type Elem = T;

    #[inline(always)]
    fn start(&self) -> *mut T {
        self.start
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }
}

impl<'a, T> Walk<&'a [T]> {
    /// The element of an iteration.
    #[inline(always)]
    pub fn at(&self, k: usize) -> &'a T {
        // SAFETY: it is within the slice, which is borrowed for as long.
        unsafe { &*self.place(k) }
    }
}

impl<T> Index<usize> for Walk<&[T]> {
    type Output = T;

    #[inline(always)]
    fn index(&self, k: usize) -> &T {
        self.at(k)
    }
}

impl<T> Index<usize> for Walk<Own<'_, T>> {
    type Output = T;

    #[inline(always)]
    fn index(&self, k: usize) -> &T {
        // SAFETY: it is within the array; nobody else has it.
        unsafe { &*self.place(k) }
    }
}

impl<T> IndexMut<usize> for Walk<Own<'_, T>> {
    #[inline(always)]
    fn index_mut(&mut self, k: usize) -> &mut T {
        // SAFETY: it is within the array; nobody else has it.
        unsafe { &mut *self.place(k) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::source::{Source as _, source};

    #[test]
    fn segments_fit_where_every_index_does() {
        let numbers = source(3usize..20);
        for len in 0..25 {
            for all in [0..17, 2..9, 5..5, 16..17] {
                // Positions 3 to 19: one index overflows below 5, the other one goes down from 29.
                let [mut found, mut rest] = [all.clone(), all.clone()];
                found.end = found.start;
                while !rest.is_empty() {
                    let fixed = [5, 35].map(Affine::fixed);
                    let (part, behind, first) =
                        segment(&numbers, 1, rest, [len, 24], fixed, |i, [a, b]| {
                            [i - a, b - i * Affine::fixed(2)]
                        });
                    rest = behind;
                    assert_eq!(part.start, found.end);
                    found.end = part.end;
                    for k in part.clone() {
                        let fits = (k + 3).checked_sub(5).is_some_and(|i| i < len)
                            && 35usize.checked_sub(2 * (k + 3)).is_some_and(|i| i < 24);
                        // Few of many may not be found.
                        let found = first.is_some() || fits && len < 16;
                        assert_eq!(fits, found, "{part:?}, {len}");
                    }
                }
                assert_eq!(found, all);
            }
        }
    }

    #[test]
    fn walks_go_up_and_down() {
        let data: Vec<usize> = (0..50).collect();
        let mut out = vec![0; 50];
        let numbers = source(2usize..22).step_by(3);
        let (all, step) = (1..numbers.len(), stride(&numbers));
        let fixed = [40, 2, 1].map(Affine::fixed);
        let (part, _, first) = segment(&numbers, step, all, [50, 50], fixed, |i, [a, b, c]| {
            [a - i, b * i + c]
        });
        let [down, up] = first.expect("all fit");
        let down = Walk::new(&data[..], down, part.len());
        let mut up = Walk::new(Own::new(&mut out), up, part.len());
        for (k, i) in numbers.part(part).enumerate() {
            assert_eq!(*down.at(k), 40 - i);
            up[k] = i;
            assert_eq!(up[k], i);
        }
        assert!((1..7).all(|k| out[2 * (2 + 3 * k) + 1] == 2 + 3 * k));
        let index = |value| Affine { value, slope: 2 };
        let walk = Walk::new(&data[..], index(Some(3)), 4);
        assert_eq!(*walk.beside(-1, index(Some(2))).at(2), 6);
    }

    #[test]
    #[should_panic(expected = "within its array")]
    fn a_walk_that_ends_outside_is_none() {
        let index = Affine {
            value: Some(3),
            slope: 2,
        };
        Walk::new(&[0; 8][..], index, 4);
    }

    #[test]
    #[should_panic(expected = "within its array")]
    fn a_walk_has_no_more_elements() {
        let index = Affine::fixed(0);
        Walk::new(&[0; 8][..], index, 4).at(4);
    }
}

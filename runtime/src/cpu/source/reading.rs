//! Loops over positions: `for i in 0..n { hist[keys[i] as usize] += weights[i] }`.
//!
//! The source gives numbers; what is read in order is in the body. The macro sees arrays that the body indexes with the
//! loop's own number and names them here, so that they are prefetched as the elements of a slice are.

use std::hint::assert_unchecked;
use std::ops::Range;

use super::adaptor::Enumerate;
use super::base::{Elements, Numbers, Step, within};
use super::prefetch::{Ahead, Arrays, GROUP, ahead};
use super::{BLOCK, Source};

/// Sources whose items have positions, or are numbers, that go up or down by the same from one to the next.
pub trait Strided: Source {
    /// The position of item `i`.
    fn position(&self, i: usize) -> usize;
}

/// Sources whose items say their positions.
///
/// # Safety
///
/// What item `i` says is `position(i)`, and that is less than `position(k)` for every `k` from `i + 1` to the length.
pub unsafe trait Positions: Strided {
    /// The position that an item says.
    fn said(item: &Self::Item) -> usize;
}

/// What a step reads arrays by, of the items of one of nested loops.
pub trait Reach<S: Source>: Copy {
    /// Beyond the positions of the first items, so many.
    fn end(source: &S, items: usize) -> usize;

    /// Tells the compiler that an item's position is before an end.
    ///
    /// # Safety
    ///
    /// It is one of those that the end is beyond.
    unsafe fn hold(item: &S::Item, end: usize);
}

/// By their positions.
#[derive(Clone, Copy, Debug)]
pub struct At;

impl<S: Positions> Reach<S> for At {
    #[inline(always)]
    fn end(source: &S, items: usize) -> usize {
        source.position(items)
    }

    #[inline(always)]
    unsafe fn hold(item: &S::Item, end: usize) {
        // SAFETY: items before another one say a smaller position than that one does, or than the end of all.
        unsafe { assert_unchecked(S::said(item) < end) };
    }
}

/// It reads none by them.
#[derive(Clone, Copy, Debug)]
pub struct Anywhere;

impl<S: Source> Reach<S> for Anywhere {
    #[inline(always)]
    fn end(_: &S, _: usize) -> usize {
        0
    }

    #[inline(always)]
    unsafe fn hold(_: &S::Item, _: usize) {}
}

/// Arrays that a step reads at its position: a list of slices.
pub trait Along: Copy {
    /// The first elements of each, so many.
    ///
    /// # Panics
    ///
    /// If one has fewer.
    fn first(self, len: usize) -> Self;
}

impl Along for () {
    #[inline(always)]
    fn first(self, _: usize) {}
}

impl<T, R: Along> Along for (&[T], R) {
    #[inline(always)]
    fn first(self, len: usize) -> Self {
        (within(self.0, 0..len), self.1.first(len))
    }
}

impl<T: Step> Strided for Numbers<T> {
    #[inline(always)]
    fn position(&self, i: usize) -> usize {
        self.start().ahead(i).number()
    }
}

impl<S: Source> Strided for Enumerate<S> {
    #[inline(always)]
    fn position(&self, i: usize) -> usize {
        i
    }
}

impl<S: Positions, T: Sync> Strided for Reading<'_, S, T> {
    #[inline(always)]
    fn position(&self, i: usize) -> usize {
        self.source.position(i)
    }
}

// SAFETY: the start and as many as are before it; a range ends at a `usize`.
unsafe impl Positions for Numbers<usize> {
    #[inline(always)]
    fn said(item: &usize) -> usize {
        *item
    }
}

// SAFETY: items are numbered by their own place.
unsafe impl<S: Source> Positions for Enumerate<S> {
    #[inline(always)]
    fn said(item: &(usize, S::Item)) -> usize {
        item.0
    }
}

// SAFETY: items are the source's.
unsafe impl<S: Positions, T: Sync> Positions for Reading<'_, S, T> {
    #[inline(always)]
    fn said(item: &S::Item) -> usize {
        S::said(item)
    }
}

/// The elements of an array at the positions of a source, if these follow each other and lie within it: else none.
#[inline(always)]
pub fn at<'a, T>(source: &impl Positions, array: &'a [T]) -> Elements<'a, T> {
    let len = source.len();
    let follow = |first| source.position(len - 1) - first == len - 1;
    let first = (len > 0).then(|| source.position(0));
    let elements = first
        .filter(|first| follow(*first))
        .and_then(|first| array.get(first..)?.get(..len));
    Elements(elements.unwrap_or_default())
}

/// A source with an array that the body reads at its positions.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a, S, T> {
    source: S,
    array: &'a [T],
}

impl<'a, S: Positions, T> Reading<'a, S, T> {
    #[inline(always)]
    pub(super) fn new(source: S, array: &'a [T]) -> Reading<'a, S, T> {
        Reading { source, array }
    }
}

// SAFETY: everything but the hint is the source's.
unsafe impl<S: Positions, T: Sync> Source for Reading<'_, S, T> {
    type Item = S::Item;
    const ARRAYS: Arrays = S::ARRAYS.and(Arrays::of::<T>());

    #[inline(always)]
    fn len(&self) -> usize {
        self.source.len()
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> S::Item {
        // SAFETY: the caller's promise is about the source.
        unsafe { self.source.get(i) }
    }

    #[inline(always)]
    unsafe fn block(&self, i: usize) -> [S::Item; BLOCK] {
        // SAFETY: the caller's promise is about the source.
        unsafe { self.source.block(i) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        self.source.prefetch(i, how);
        ahead(self.array, self.source.position(i), GROUP, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        self.source.part(range)
    }

    #[inline(always)]
    fn stretch(&self, range: Range<usize>) -> impl IntoIterator<Item = Self::Item> {
        self.source.stretch(range)
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        self.source.apart()
    }
}

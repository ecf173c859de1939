//! Adaptors of sources, each what the iterator's method of its name does to an iterator.

use std::cell::Cell;
use std::ops::Range;

use super::base::TOO_MANY;
use super::{Ahead, Arrays, Source, Strided, check, stretch};

/// `.copied()`: items by value.
#[derive(Clone, Copy, Debug)]
pub struct Copied<S>(pub(in crate::cpu) S);

// SAFETY: its indices are those of the source.
unsafe impl<'a, T: Copy + 'a, S: Source<Item = &'a T>> Source for Copied<S> {
    type Item = T;
    const ARRAYS: Arrays = S::ARRAYS;

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> T {
        // SAFETY: the caller's promise is about the source.
        unsafe { *self.0.get(i) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        self.0.prefetch(i, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        self.0.part(range).copied()
    }

    #[inline(always)]
    fn stretch(&self, range: Range<usize>) -> impl IntoIterator<Item = Self::Item> {
        stretch::Copied(self.0.stretch(range))
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Copied(self.0.apart())
    }
}

/// `.cloned()` of items that are no `Copy`.
#[derive(Clone, Copy, Debug)]
pub struct Cloned<S>(S);

// SAFETY: its indices are those of the source.
unsafe impl<'a, T: Clone + 'a, S: Source<Item = &'a T>> Source for Cloned<S> {
    type Item = T;
    const ARRAYS: Arrays = S::ARRAYS;

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> T {
        // SAFETY: the caller's promise is about the source.
        unsafe { self.0.get(i) }.clone()
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        self.0.prefetch(i, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        self.0.part(range).cloned()
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Cloned(self.0.apart())
    }
}

/// A source of references whose items a loop clones. rustc is asked by method resolution, as [`Seen`](crate::__rt::Seen) is, whether they are copied by that.
pub struct Cloning<S>(Cell<Option<S>>);

impl<S> Cloning<S> {
    /// Asks about a source.
    #[inline(always)]
    pub fn new(source: S) -> Self {
        Cloning(Cell::new(Some(source)))
    }
}

/// The answer of items that are copied.
pub trait AskCopied<S> {
    /// Items by value.
    fn __accrue_cloned(&self) -> Copied<S>;
}

impl<'a, T: Copy + 'a, S: Source<Item = &'a T>> AskCopied<S> for &Cloning<S> {
    #[inline(always)]
    fn __accrue_cloned(&self) -> Copied<S> {
        Copied(self.0.take().expect("it is asked once"))
    }
}

/// The answer of other items.
pub trait AskCloned<S> {
    /// Items by value.
    fn __accrue_cloned(&self) -> Cloned<S>;
}

impl<'a, T: Clone + 'a, S: Source<Item = &'a T>> AskCloned<S> for Cloning<S> {
    #[inline(always)]
    fn __accrue_cloned(&self) -> Cloned<S> {
        Cloned(self.0.take().expect("it is asked once"))
    }
}

/// `.enumerate()`.
#[derive(Clone, Copy, Debug)]
pub struct Enumerate<S>(pub(super) S);

// SAFETY: its indices are those of the source.
unsafe impl<S: Source> Source for Enumerate<S> {
    type Item = (usize, S::Item);
    const ARRAYS: Arrays = S::ARRAYS;

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> (usize, S::Item) {
        // SAFETY: the caller's promise is about the source.
        (i, unsafe { self.0.get(i) })
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        self.0.prefetch(i, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        stretch::Enumerate(range.start, self.0.part(range)).into_iter()
    }

    #[inline(always)]
    fn stretch(&self, range: Range<usize>) -> impl IntoIterator<Item = Self::Item> {
        stretch::Enumerate(range.start, self.0.stretch(range))
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Enumerate(self.0.apart())
    }
}

/// `.zip(other)`.
#[derive(Clone, Copy, Debug)]
pub struct Zip<A, B> {
    a: A,
    b: B,
    len: usize,
}

impl<A: Source, B: Source> Zip<A, B> {
    #[inline(always)]
    pub(super) fn new(a: A, b: B) -> Zip<A, B> {
        let len = a.len().min(b.len());
        Zip { a, b, len }
    }
}

// SAFETY: the length is the smaller one, so every index is in range of both.
unsafe impl<A: Source, B: Source> Source for Zip<A, B> {
    type Item = (A::Item, B::Item);
    const ARRAYS: Arrays = A::ARRAYS.and(B::ARRAYS);

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> (A::Item, B::Item) {
        // SAFETY: `i < len`, which is at most the length of either.
        unsafe { (self.a.get(i), self.b.get(i)) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        self.a.prefetch(i, how);
        self.b.prefetch(i, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        self.a.part(range.clone()).zip(self.b.part(range))
    }

    #[inline(always)]
    fn stretch(&self, range: Range<usize>) -> impl IntoIterator<Item = Self::Item> {
        stretch::Zip(self.a.stretch(range.clone()), self.b.stretch(range))
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Zip::new(self.a.apart(), self.b.apart())
    }
}

/// `.skip(n)`.
#[derive(Clone, Copy, Debug)]
pub struct Skip<S> {
    source: S,
    n: usize,
}

impl<S: Source> Skip<S> {
    #[inline(always)]
    pub(super) fn new(source: S, n: usize) -> Skip<S> {
        let n = n.min(source.len());
        Skip { source, n }
    }
}

// SAFETY: `n` is at most the source's length, so `i < len - n` gives `i + n < len`.
unsafe impl<S: Source> Source for Skip<S> {
    type Item = S::Item;
    const ARRAYS: Arrays = S::ARRAYS;

    #[inline(always)]
    fn len(&self) -> usize {
        self.source.len() - self.n
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> S::Item {
        // SAFETY: `i + n` is below the source's length.
        unsafe { self.source.get(i + self.n) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        self.source.prefetch(i + self.n, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        self.source.part(range.start + self.n..range.end + self.n)
    }

    #[inline(always)]
    fn stretch(&self, range: Range<usize>) -> impl IntoIterator<Item = Self::Item> {
        self.source
            .stretch(range.start + self.n..range.end + self.n)
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Skip::new(self.source.apart(), self.n)
    }
}

impl<S: Strided> Strided for Skip<S> {
    #[inline(always)]
    fn position(&self, i: usize) -> usize {
        self.source.position(i.wrapping_add(self.n))
    }
}

/// `.take(n)`.
#[derive(Clone, Copy, Debug)]
pub struct Take<S> {
    source: S,
    len: usize,
}

impl<S: Source> Take<S> {
    #[inline(always)]
    pub(super) fn new(source: S, n: usize) -> Take<S> {
        let len = n.min(source.len());
        Take { source, len }
    }
}

// SAFETY: the length is at most the source's.
unsafe impl<S: Source> Source for Take<S> {
    type Item = S::Item;
    const ARRAYS: Arrays = S::ARRAYS;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> S::Item {
        // SAFETY: the caller's promise covers the source, which is not shorter.
        unsafe { self.source.get(i) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        self.source.prefetch(i, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        check(&range, self.len);
        self.source.part(range)
    }

    #[inline(always)]
    fn stretch(&self, range: Range<usize>) -> impl IntoIterator<Item = Self::Item> {
        check(&range, self.len);
        self.source.stretch(range)
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Take::new(self.source.apart(), self.len)
    }
}

impl<S: Strided> Strided for Take<S> {
    #[inline(always)]
    fn position(&self, i: usize) -> usize {
        self.source.position(i)
    }
}

/// `.rev()`.
#[derive(Clone, Copy, Debug)]
pub struct Rev<S> {
    source: S,
    len: usize,
}

impl<S: Source> Rev<S> {
    #[inline(always)]
    pub(super) fn new(source: S) -> Rev<S> {
        let len = source.len();
        Rev { source, len }
    }
}

// SAFETY: `i < len` gives `len - 1 - i < len`.
unsafe impl<S: Source> Source for Rev<S> {
    type Item = S::Item;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> S::Item {
        // SAFETY: the mirrored index is in range.
        unsafe { self.source.get(self.len - 1 - i) }
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Rev::new(self.source.apart())
    }
}

impl<S: Strided> Strided for Rev<S> {
    #[inline(always)]
    fn position(&self, i: usize) -> usize {
        self.source
            .position(self.len.wrapping_sub(1).wrapping_sub(i))
    }
}

/// `.step_by(step)`.
#[derive(Clone, Copy, Debug)]
pub struct StepBy<S> {
    source: S,
    step: usize,
    len: usize,
}

impl<S: Source> StepBy<S> {
    #[inline(always)]
    #[track_caller]
    pub(super) fn new(source: S, step: usize) -> StepBy<S> {
        // With the message of the standard library.
        assert!(step != 0, "assertion failed: step != 0");
        let len = source.len().div_ceil(step);
        StepBy { source, step, len }
    }
}

// SAFETY: `i < ceil(n / step)` gives `i * step < n`.
unsafe impl<S: Source> Source for StepBy<S> {
    type Item = S::Item;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> S::Item {
        // SAFETY: the multiple is in range.
        unsafe { self.source.get(i * self.step) }
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        StepBy::new(self.source.apart(), self.step)
    }
}

impl<S: Strided> Strided for StepBy<S> {
    #[inline(always)]
    fn position(&self, i: usize) -> usize {
        self.source.position(i.wrapping_mul(self.step))
    }
}

/// Two perfectly nested loops: every pair of an outer and an inner item, the inner one running faster.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<A, B> {
    outer: A,
    inner: B,
    len: usize,
    columns: bool,
}

impl<A: Source<Item: Clone>, B: Source> Pairs<A, B> {
    #[inline(always)]
    pub(super) fn new(outer: A, inner: B) -> Pairs<A, B> {
        let len = outer.len().checked_mul(inner.len()).unwrap_or(TOO_MANY);
        let columns = false;
        Pairs {
            outer,
            inner,
            len,
            columns,
        }
    }

    /// The same, where the inner loop runs over the columns of the bins.
    #[inline(always)]
    pub fn in_columns(self) -> Pairs<A, B> {
        Pairs {
            columns: true,
            ..self
        }
    }

    /// The outer loop.
    #[inline(always)]
    pub fn outer(&self) -> &A {
        &self.outer
    }

    /// The inner loop.
    #[inline(always)]
    pub fn inner(&self) -> &B {
        &self.inner
    }
}

/// A range of the iterations of two nested loops as items of the outer one, each with the range of the iterations of the inner
/// one, which has `width` of them.
///
/// # Panics
///
/// If the range is not within both loops' iterations.
#[inline(always)]
pub fn rows<A: Source>(
    outer: &A,
    width: usize,
    range: Range<usize>,
) -> impl Iterator<Item = (A::Item, Range<usize>)> {
    let (first, end) = match range.is_empty() {
        true => (0, 0),
        false => (range.start / width, range.end.div_ceil(width)),
    };
    let mut begin = first * width;
    outer.part(first..end).map(move |item| {
        let start = range.start.max(begin) - begin;
        let row = start..range.end.min(begin + width) - begin;
        begin += width;
        (item, row)
    })
}

// SAFETY: `i < outer * inner` gives `i / inner < outer` and `i % inner < inner`, with `inner` not 0.
unsafe impl<A: Source<Item: Clone>, B: Source> Source for Pairs<A, B> {
    type Item = (A::Item, B::Item);

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> (A::Item, B::Item) {
        let inner = self.inner.len();
        // SAFETY: quotient and remainder are in range of their sources.
        unsafe { (self.outer.get(i / inner), self.inner.get(i % inner)) }
    }

    const NESTED: bool = true;

    #[inline(always)]
    fn has_columns(&self) -> bool {
        self.columns
    }

    #[inline(always)]
    fn width(&self) -> usize {
        self.inner.len()
    }

    #[inline(always)]
    unsafe fn row(&self, y: usize) -> impl Fn(usize) -> Self::Item {
        // SAFETY: `y` times the inner loop's iterations are less than both loops', so `y` is in range of the outer one.
        let outer = unsafe { self.outer.get(y) };
        // SAFETY: the caller's promise is about the inner loop.
        move |x| (outer.clone(), unsafe { self.inner.get(x) })
    }

    #[inline(always)]
    unsafe fn column(&self, x: usize) -> impl Fn(usize) -> Self::Item {
        // SAFETY: the caller's promises are about either loop.
        move |y| unsafe { (self.outer.get(y), self.inner.get(x)) }
    }

    #[inline(always)]
    fn memo(&self, i: usize) -> [usize; 2] {
        match self.inner.len() {
            0 => [0; 2],
            inner => [i / inner, i % inner],
        }
    }

    #[inline(always)]
    unsafe fn next(&self, _: usize, [y, x]: &mut [usize; 2]) -> (A::Item, B::Item) {
        // SAFETY: the coordinates of an index in range are in range of their sources.
        let item = unsafe { (self.outer.get(*y), self.inner.get(*x)) };
        *x += 1;
        if *x == self.inner.len() {
            *x = 0;
            *y += 1;
        }
        item
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item> {
        Pairs::new(self.outer.apart(), self.inner.apart())
    }
}

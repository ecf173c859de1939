//! Iteration spaces that can be split: what the `for` loop of an offloaded function iterates over.
//!
//! A [`Source`] has a length and gives its i-th item, any i, to any thread. The macro prints the user's
//! iteration expression as one: the base through [`source`], the adaptors as the methods of
//! [`From`](Source) that have the iterator's names. `keys.iter().enumerate().skip(1)` becomes
//! `source(&keys[..]).enumerate().skip(1)`. Items are those of the iterator, type for type, so
//! that the user's pattern and body fit.
//!
//! A loop over a part of a source compiles to what the loop over the user's iterator compiles to: `get` is a
//! load, an addition, a pair. It is `unsafe` for that: it does not check its index again.

mod adaptor;
mod base;
mod mutable;
mod prefetch;
mod reading;
mod stretch;

use std::ops::Range;

pub(super) use adaptor::Copied;
pub use adaptor::{AskCloned, AskCopied, Cloning, Pairs, rows};
use adaptor::{Enumerate, Rev, Skip, StepBy, Take, Zip};
pub(super) use base::Elements;
use base::IntoSource;
pub use base::{
    AskNoSource, AskSource, Chunks, Taken, Windows, count, elements, is_grid, source, split,
};
pub use mutable::{ChunksMut, ElementsMut};
use prefetch::Arrays;
pub use prefetch::fetch_element as fetch;
pub(super) use prefetch::{Ahead, GROUP};
use reading::Reading;
pub(super) use reading::{Along, Positions, Reach, Strided};
pub use reading::{Anywhere, At, at};

/// How many items a [`block`](Source::block) has: one for each lane of a striped table.
pub(super) const BLOCK: usize = 8;

/// Panics unless a part lies within a source of `len` items.
#[inline(always)]
fn check(part: &Range<usize>, len: usize) {
    if part.end > len {
        outside();
    }
}

/// One short call for all ways to lie outside: a loop's code is to be as close to the panics of its own body as the user's is,
/// for the jumps to them to be short.
#[cold]
#[inline(never)]
fn outside() -> ! {
    panic!("a part of a source lies within the source")
}

/// An iteration space with random access.
///
/// # Safety
///
/// `len` gives the same number as long as the source lives, and `get` of any smaller index is sound; of one whose items can be
/// used once only, `&mut` elements, as long as each index is asked for once.
#[diagnostic::on_unimplemented(
    message = "[accrue::H012] the loop over `{Self}` cannot be split into parts",
    label = "an offloaded loop iterates over a range of integers, a slice, an array or a `Vec`",
    note = "collect the items into a `Vec` before the loop"
)]
pub unsafe trait Source: Sync {
    /// What the loop's pattern is bound to.
    type Item;

    /// The number of iterations.
    fn len(&self) -> usize;

    /// The item of an iteration.
    ///
    /// # Safety
    ///
    /// `i < self.len()`, and an item that cannot be copied has not been asked for before.
    unsafe fn get(&self, i: usize) -> Self::Item;

    /// The items of `i..i + BLOCK`, read before any of them is used. Sources of bytes load them as one word.
    ///
    /// # Safety
    ///
    /// `i + BLOCK <= self.len()`.
    #[inline(always)]
    unsafe fn block(&self, i: usize) -> [Self::Item; BLOCK] {
        // SAFETY: the caller has checked that all of the block is in range.
        std::array::from_fn(|j| unsafe { self.get(i + j) })
    }

    /// Whether these are the iterations of nested loops, which are walked [row](Source::row) by row.
    const NESTED: bool = false;

    /// Whether the innermost loop runs over the columns of the bins, so that its iterations update others of them each.
    #[inline(always)]
    fn has_columns(&self) -> bool {
        false
    }

    /// How many iterations the innermost loop has.
    #[inline(always)]
    fn width(&self) -> usize {
        self.len()
    }

    /// The items of the `y`-th time the innermost loop is run, by their positions in it: those of `y * width + x` for every `x`. What
    /// depends on the row alone is found out once.
    ///
    /// # Safety
    ///
    /// `y * self.width() < self.len()`, and the function is called for positions less than `self.width()`.
    #[inline(always)]
    unsafe fn row(&self, y: usize) -> impl Fn(usize) -> Self::Item {
        debug_assert_eq!(y, 0);
        // SAFETY: there is one row, of as many items as the source has.
        move |x| unsafe { self.get(x) }
    }

    /// The items of the `x`-th iteration of the innermost loop, by the number of times that it was run before: those of `y * width + x` for every `y`. What depends on
    /// the innermost loop alone is found out once.
    ///
    /// # Safety
    ///
    /// `x < self.width()`, and the function is called for `y` with `y * self.width() < self.len()`.
    #[inline(always)]
    unsafe fn column(&self, x: usize) -> impl Fn(usize) -> Self::Item {
        let width = self.width();
        // SAFETY: the caller's promise.
        move |y| unsafe { self.get(y * width + x) }
    }

    /// What [`next`](Source::next) needs to know at `i`: the coordinates of nested loops, else nothing.
    #[inline(always)]
    fn memo(&self, i: usize) -> [usize; 2] {
        let _ = i;
        [0; 2]
    }

    /// The item of `i`, and the memo of `i + 1` for the memo of `i`. Walking nested loops in order needs no division.
    ///
    /// # Safety
    ///
    /// `i < self.len()`, and `memo` is what `self.memo(i)` returns.
    #[inline(always)]
    unsafe fn next(&self, i: usize, memo: &mut [usize; 2]) -> Self::Item {
        let _ = memo;
        // SAFETY: the caller's promise.
        unsafe { self.get(i) }
    }

    /// The arrays that are read side by side.
    const ARRAYS: Arrays = Arrays::NONE;

    /// Asks for the memory of items that come some kilobytes after `i..i + GROUP`. A hint; nothing by default.
    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        let _ = (i, how);
    }

    /// Whether there is no iteration.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same source for the user's own loop alone. What no strategy has seen stays in registers, and where the loop runs
    /// over `0..keys.len()` the compiler sees that `keys[i]` needs no check, as it does in the loop without the attribute.
    #[inline(always)]
    fn apart(&self) -> impl Source<Item = Self::Item>
    where
        Self: Sized,
    {
        self
    }

    /// An iterator over a part, for the user's own loop: the iterator that the user wrote, where a part of it is one, so that
    /// the loop compiles to what it is without the attribute.
    ///
    /// # Panics
    ///
    /// If the range is not within the source.
    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item>
    where
        Self: Sized,
    {
        // Behind a reference each store of the body might have changed it, as far as the compiler knows.
        let source = self.apart();
        check(&range, source.len());
        Part {
            memo: source.memo(range.start),
            source,
            first: range.start,
            done: 0,
            len: range.len(),
        }
    }

    /// What is iterated over by `part(range)`, for a function that gets it as a parameter: of a slice's elements a slice, which
    /// tells the compiler more than a range does.
    ///
    /// # Panics
    ///
    /// If the range is not within the source.
    #[inline(always)]
    fn stretch(&self, range: Range<usize>) -> impl IntoIterator<Item = Self::Item>
    where
        Self: Sized,
    {
        self.part(range)
    }

    /// By value instead of by reference.
    fn copied<'a, T: Copy + 'a>(self) -> Copied<Self>
    where
        Self: Source<Item = &'a T> + Sized,
    {
        Copied(self)
    }

    /// Pairs of a position and an item.
    fn enumerate(self) -> Enumerate<Self>
    where
        Self: Sized,
    {
        Enumerate(self)
    }

    /// Pairs of the items of two sources, as many as the shorter one has.
    fn zip<S: IntoSource>(self, other: S) -> Zip<Self, S::Source>
    where
        Self: Sized,
    {
        Zip::new(self, other.into_source())
    }

    /// Without the first `n`.
    fn skip(self, n: usize) -> Skip<Self>
    where
        Self: Sized,
    {
        Skip::new(self, n)
    }

    /// The first `n` only.
    fn take(self, n: usize) -> Take<Self>
    where
        Self: Sized,
    {
        Take::new(self, n)
    }

    /// From the last to the first.
    fn rev(self) -> Rev<Self>
    where
        Self: Sized,
    {
        Rev::new(self)
    }

    /// Every `step`-th, beginning with the first.
    ///
    /// # Panics
    ///
    /// If `step` is 0, as the iterator's method does.
    fn step_by(self, step: usize) -> StepBy<Self>
    where
        Self: Sized,
    {
        StepBy::new(self, step)
    }

    /// The same items, whose numbers are also positions in an array that the loop reads.
    fn reading<T: Sync>(self, array: &[T]) -> Reading<'_, Self, T>
    where
        Self: Positions + Sized,
    {
        Reading::new(self, array)
    }

    /// Every item of this source with every item of another: two perfectly nested loops as one.
    fn nest<S: IntoSource>(self, inner: S) -> Pairs<Self, S::Source>
    where
        Self: Source<Item: Clone> + Sized,
    {
        Pairs::new(self, inner.into_source())
    }
}

/// Iterates over a part of a source.
#[derive(Debug)]
pub(crate) struct Part<S> {
    source: S,
    first: usize,
    // Counted from 0, as what numbers the items of a part counts them: one count for the compiler.
    done: usize,
    len: usize,
    memo: [usize; 2],
}

impl<S: Source> Iterator for Part<S> {
    type Item = S::Item;

    #[inline(always)]
    fn next(&mut self) -> Option<S::Item> {
        if self.done < self.len {
            let i = self.first + self.done;
            self.done += 1;
            // SAFETY: `i` is within the range that `part` has compared with the source's length, and the memo has
            // been kept up since `part` made it.
            Some(unsafe { self.source.next(i, &mut self.memo) })
        } else {
            None
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.len - self.done;
        (left, Some(left))
    }
}

impl<S: Source> ExactSizeIterator for Part<S> {}

// SAFETY: the source referred to is one.
unsafe impl<S: Source> Source for &S {
    type Item = S::Item;

    #[inline(always)]
    fn len(&self) -> usize {
        (**self).len()
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> S::Item {
        // SAFETY: the caller's promise is about the same source.
        unsafe { (**self).get(i) }
    }

    #[inline(always)]
    unsafe fn block(&self, i: usize) -> [S::Item; BLOCK] {
        // SAFETY: the caller's promise is about the same source.
        unsafe { (**self).block(i) }
    }

    const NESTED: bool = S::NESTED;
    const ARRAYS: Arrays = S::ARRAYS;

    #[inline(always)]
    fn has_columns(&self) -> bool {
        (**self).has_columns()
    }

    #[inline(always)]
    fn width(&self) -> usize {
        (**self).width()
    }

    #[inline(always)]
    unsafe fn row(&self, y: usize) -> impl Fn(usize) -> S::Item {
        // SAFETY: the caller's promise is about the same source.
        unsafe { (**self).row(y) }
    }

    #[inline(always)]
    unsafe fn column(&self, x: usize) -> impl Fn(usize) -> S::Item {
        // SAFETY: the caller's promise is about the same source.
        unsafe { (**self).column(x) }
    }

    #[inline(always)]
    fn memo(&self, i: usize) -> [usize; 2] {
        (**self).memo(i)
    }

    #[inline(always)]
    unsafe fn next(&self, i: usize, memo: &mut [usize; 2]) -> S::Item {
        // SAFETY: the caller's promise is about the same source.
        unsafe { (**self).next(i, memo) }
    }

    #[inline(always)]
    fn prefetch(&self, i: usize, how: Ahead) {
        (**self).prefetch(i, how);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        (**self).part(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items, parts and blocks of a source are the iterator's.
    fn agrees<S: Source>(source: S, iterator: impl Iterator<Item = S::Item>)
    where
        S::Item: PartialEq + std::fmt::Debug,
    {
        let expected: Vec<_> = iterator.collect();
        let n = expected.len();
        assert_eq!(source.len(), n);
        assert_eq!(source.part(0..n).collect::<Vec<_>>(), expected);
        assert_eq!(source.apart().part(0..n).collect::<Vec<_>>(), expected);
        for (a, b) in [(0, n / 2), (n / 3, n), (n, n)] {
            assert_eq!(source.part(a..b).collect::<Vec<_>>(), expected[a..b]);
            let stretch = source.stretch(a..b).into_iter();
            assert_eq!(stretch.size_hint(), (b - a, Some(b - a)));
            assert_eq!(stretch.collect::<Vec<_>>(), expected[a..b]);
        }
        for i in 0..n.saturating_sub(BLOCK - 1) {
            // SAFETY: `i + BLOCK <= n`, the source's length.
            let block = unsafe { source.block(i) };
            assert_eq!(block[..], expected[i..i + BLOCK]);
        }
    }

    #[test]
    fn numbers_are_ranges() {
        agrees(source(3usize..40), 3..40);
        agrees(source(5u32..5), 5..5);
        #[expect(clippy::reversed_empty_ranges, reason = "the case to be tested")]
        agrees(source(7i32..-2), 7..-2);
        agrees(source(i8::MIN..i8::MAX), i8::MIN..i8::MAX);
        agrees(source(i8::MIN..=i8::MAX), i8::MIN..=i8::MAX);
        agrees(source(-7i64..=9), -7..=9);
        #[expect(clippy::reversed_empty_ranges, reason = "the case to be tested")]
        agrees(source(9u8..=3), 9..=3);
        agrees(source(u64::MAX - 20..=u64::MAX), u64::MAX - 20..=u64::MAX);
        agrees(source(i128::MIN..i128::MIN + 9), i128::MIN..i128::MIN + 9);
    }

    #[test]
    fn slices_arrays_and_vectors_are_their_elements() {
        let v: Vec<u16> = (0..37).collect();
        agrees(source(&v), v.iter());
        agrees(source(&v[3..]), v[3..].iter());
        agrees(source(v.iter()), v.iter());
        agrees(source(&[1u8; 9]), [1u8; 9].iter());
        agrees(source([7i32, 8, 9]), [7, 8, 9].into_iter());
        agrees(source(v.clone()), v.clone().into_iter());
        agrees(source(v.clone().into_boxed_slice()), v.clone().into_iter());
        let mut w = v.clone();
        agrees(source(&mut w[..]), v.iter());
        agrees(source("grün".as_bytes()).copied(), "grün".bytes());
        agrees(source("a longer text".bytes()), "a longer text".bytes());
    }

    #[test]
    fn bytes_come_in_blocks() {
        let bytes: Vec<u8> = (0..=255).rev().collect();
        agrees(source(&bytes).copied(), bytes.iter().copied());
        let signed: Vec<i8> = (-60..60).collect();
        agrees(source(&signed).copied(), signed.iter().copied());
    }

    #[test]
    fn adaptors_are_the_iterators() {
        let v: Vec<u32> = (100..161).collect();
        let w: Vec<f32> = (0..40).map(|i| i as f32).collect();
        agrees(source(&v).enumerate(), v.iter().enumerate());
        agrees(source(&v).zip(&w), v.iter().zip(&w));
        agrees(
            source(&v).copied().zip(source(0u8..20)).enumerate(),
            v.iter().copied().zip(0u8..20).enumerate(),
        );
        agrees(source(&v).skip(5).take(20), v.iter().skip(5).take(20));
        agrees(source(&v).skip(99), v.iter().skip(99));
        agrees(source(&v).take(99), v.iter().take(99));
        agrees(source(&v).rev(), v.iter().rev());
        agrees(
            source(&v).enumerate().rev().skip(2),
            v.iter().enumerate().rev().skip(2),
        );
        for step in [1, 2, 3, 7, 60, 61, 1000] {
            agrees(source(&v).step_by(step), v.iter().step_by(step));
            agrees(
                source(3usize..50).step_by(step).rev(),
                (3usize..50).step_by(step).rev(),
            );
        }
    }

    #[test]
    fn chunks_and_windows_are_the_slices() {
        let v: Vec<u8> = (0..50).collect();
        for k in [1, 2, 3, 7, 50, 51] {
            agrees(Chunks::<_, true, 0>::new(&v, k), v.chunks_exact(k));
            agrees(Chunks::<_, false, 0>::with_rest(&v, k), v.chunks(k));
            agrees(Windows::<_, 0>::new(&v, k), v.windows(k));
        }
        agrees(Chunks::<_, true, 7>::new(&v, 7), v.chunks_exact(7));
        agrees(Chunks::<_, false, 7>::with_rest(&v, 7), v.chunks(7));
        agrees(Windows::<_, 7>::new(&v, 7), v.windows(7));
        let empty: [u8; 0] = [];
        agrees(Windows::<_, 3>::new(&empty, 3), empty.windows(3));
    }

    #[test]
    fn nested_loops_are_one() {
        for (height, width) in [(0, 5), (5, 0), (1, 1), (3, 7), (7, 3), (4, 16), (2, 30)] {
            let pairs = (0..height).flat_map(|y| (0..width).map(move |x| (y, x)));
            agrees(source(0..height).nest(0..width), pairs);
        }
    }

    #[test]
    fn ranges_of_nested_loops_are_rows() {
        let (height, width) = (4, 3);
        for start in 0..=height * width {
            for end in start..=height * width {
                let mut found = Vec::new();
                for (y, row) in rows(&source(0..height), width, start..end) {
                    let before = found.len();
                    found.extend(source(0..width).part(row).map(|x| y * width + x));
                    assert!(found.len() > before);
                }
                assert_eq!(found, (start..end).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    #[should_panic(expected = "step")]
    fn a_step_of_zero_panics() {
        let _ = source(0..3).step_by(0);
    }

    #[test]
    #[should_panic(expected = "non-zero")]
    fn a_chunk_of_nothing_panics() {
        let _ = Chunks::<_, true, 0>::new(&[1, 2], 0);
    }
}

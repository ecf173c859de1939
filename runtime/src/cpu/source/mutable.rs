//! Elements that iterations have of their own: `xs.iter_mut()`, `xs.chunks_mut(k)`, `xs.chunks_exact_mut(k)`.
//!
//! Only loops whose iterations all run once have such a source, each index in one part. What emits them is the compiler, and that is why
//! there is no `unsafe` in what it emits.

use std::marker::PhantomData;
use std::ops::Range;

use super::base::{Pieces, known};
use super::{Source, outside};

/// A slice that is lent out in pieces.
#[derive(Debug)]
struct Lent<'a, T> {
    start: *mut T,
    len: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: other threads get pieces of the slice, each its own, as if they were sent there.
unsafe impl<T: Send> Sync for Lent<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for Lent<'_, T> {}

impl<T> Clone for Lent<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lent<'_, T> {}

impl<'a, T> Lent<'a, T> {
    #[inline(always)]
    fn new(slice: &'a mut [T]) -> Lent<'a, T> {
        Lent {
            start: slice.as_mut_ptr(),
            len: slice.len(),
            slice: PhantomData,
        }
    }

    /// A piece.
    ///
    /// # Safety
    ///
    /// No element of it has been lent out before.
    #[inline(always)]
    unsafe fn piece(&self, range: Range<usize>) -> &'a mut [T] {
        if range.start > range.end || range.end > self.len {
            outside();
        }
        // SAFETY: it is within the slice, which is borrowed for as long, and the caller's promise is that nobody else has any of it.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }
}

/// `slice.iter_mut()`.
#[derive(Debug)]
pub struct ElementsMut<'a, T>(Lent<'a, T>);

impl<'a, T> ElementsMut<'a, T> {
    /// The elements of a slice.
    #[inline(always)]
    pub fn new(slice: &'a mut [T]) -> Self {
        ElementsMut(Lent::new(slice))
    }
}

// SAFETY: the length is that of the slice, and elements within it are sound to lend once.
unsafe impl<'a, T: Send> Source for ElementsMut<'a, T> {
    type Item = &'a mut T;

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> &'a mut T {
        // SAFETY: the index is in range and asked for once, by the caller's promise.
        unsafe { &mut *self.0.start.add(i) }
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = &'a mut T> {
        // SAFETY: a run walks each part once.
        unsafe { self.0.piece(range) }.iter_mut()
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = &'a mut T> {
        ElementsMut(self.0)
    }
}

/// `slice.chunks_exact_mut(size)` if they are `EXACT`, else `slice.chunks_mut(size)`. `SIZE` is the size where the loop says it, else 0.
#[derive(Debug)]
pub struct ChunksMut<'a, T, const EXACT: bool, const SIZE: usize = 0> {
    lent: Lent<'a, T>,
    size: usize,
    len: usize,
}

impl<'a, T, const EXACT: bool, const SIZE: usize> ChunksMut<'a, T, EXACT, SIZE> {
    #[inline(always)]
    fn size(&self) -> usize {
        known(SIZE, self.size)
    }

    /// The chunks of a slice.
    ///
    /// # Panics
    ///
    /// If `size` is 0, as the slice's method does.
    #[inline(always)]
    #[track_caller]
    pub fn new(slice: &'a mut [T], size: usize) -> Self {
        assert!(size != 0, "chunk size must be non-zero");
        let len = match EXACT {
            true => slice.len() / size,
            false => slice.len().div_ceil(size),
        };
        let end = match EXACT {
            true => len * size,
            false => slice.len(),
        };
        ChunksMut {
            lent: Lent::new(&mut slice[..end]),
            size,
            len,
        }
    }

    /// Where the chunks of a range lie, which is within `len`.
    #[inline(always)]
    fn place(&self, chunks: Range<usize>) -> Range<usize> {
        let at = |chunk: usize| match EXACT {
            true => chunk * self.size(),
            false => chunk.saturating_mul(self.size()).min(self.lent.len),
        };
        at(chunks.start)..at(chunks.end)
    }
}

// SAFETY: `(len - 1) * size` is less than the slice's length, so each of `len` chunks starts within the slice, and it ends there at the latest;
// chunks do not overlap.
unsafe impl<'a, T: Send, const EXACT: bool, const SIZE: usize> Source
    for ChunksMut<'a, T, EXACT, SIZE>
{
    type Item = &'a mut [T];

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    unsafe fn get(&self, i: usize) -> &'a mut [T] {
        // SAFETY: each chunk is asked for once, by the caller's promise.
        unsafe { self.lent.piece(self.place(i..i + 1)) }
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> impl Iterator<Item = &'a mut [T]> {
        if range.start > range.end || range.end > self.len {
            outside();
        }
        // SAFETY: a run walks each part once.
        let slice = unsafe { self.lent.piece(self.place(range)) };
        let nothing: &mut [T] = &mut [];
        let (exact, all) = match EXACT {
            true => (slice, nothing),
            false => (nothing, slice),
        };
        Pieces::<_, _, EXACT> {
            exact: exact.chunks_exact_mut(self.size()),
            all: all.chunks_mut(self.size()),
        }
    }

    #[inline(always)]
    fn apart(&self) -> impl Source<Item = &'a mut [T]> {
        ChunksMut::<T, EXACT, SIZE> { ..*self }
    }
}

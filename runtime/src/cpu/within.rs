//! An array that a loop fills in the order of its iterations, at a count of its own: `out[n] = x; n += 1;`.
//!
//! Inside the loop its name stands for [`Within`], the elements that the count can come to in the part that runs. That they are no other part's is
//! known from the counts of all parts before it. Where a body counts otherwise than its terms did, it is stopped at the end of what it may
//! write, so that nothing the user's code does can make two threads write the same element.

use std::ops::{Index, IndexMut, Range};

use super::own::{Own, out_of_bounds};

impl<'a, T> Own<'a, T> {
    /// The elements of a part. No two parts that run at the same time have ranges that overlap.
    #[inline(always)]
    pub fn within(&self, range: Range<usize>) -> Within<'a, T> {
        let first = range.start.min(self.len);
        Within {
            all: *self,
            first,
            own: range.end.min(self.len).saturating_sub(first),
        }
    }
}

/// The elements of an array that a part may write.
///
/// It has what the compiler lowers, and nothing that would do something else than a slice's.
pub struct Within<'a, T> {
    all: Own<'a, T>,
    /// The first element that is the part's own, and how many there are.
    first: usize,
    own: usize,
}

impl<T> Within<'_, T> {
    /// How many elements the array has.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether it has none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Writes the element at the count, whether or not the iteration keeps it: `out[n] = x; n += keep as usize;`. Where the count has come to the end of
    /// what is the part's own, the next part's first iteration writes that element again, and this write is of no use.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    #[inline(always)]
    #[track_caller]
    pub fn put(&mut self, i: usize, value: T) {
        match i < self.all.len && i.wrapping_sub(self.first) == self.own {
            true => drop(value),
            false => self[i] = value,
        }
    }

    #[inline(always)]
    #[track_caller]
    fn check(&self, i: usize) {
        if i.wrapping_sub(self.first) >= self.own {
            outside(i, self.all.len);
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside(i: usize, len: usize) -> ! {
    if i >= len {
        out_of_bounds(i, len);
    }
    panic!(
        "accrue: the count of what a loop keeps came out otherwise when it was computed again: its terms have to depend on the iteration alone"
    )
}

impl<T> Index<usize> for Within<'_, T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, i: usize) -> &T {
        self.check(i);
        // SAFETY: it is within the slice, and among the elements that no other part has.
        unsafe { &*self.all.start.add(i) }
    }
}

impl<T> IndexMut<usize> for Within<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, i: usize) -> &mut T {
        self.check(i);
        // SAFETY: it is within the slice, and among the elements that no other part has.
        unsafe { &mut *self.all.start.add(i) }
    }
}

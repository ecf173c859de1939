//! An array of which each iteration has elements of its own.
//!
//! Inside a loop that runs in parallel the array's name stands for an [`Own`]: what the body indexes, `out[i]` or `out[a..b]`, it gets, and
//! nothing else of the array is ever referred to. That no two iterations index the same element is what the compiler has shown, or
//! the call has found ([`Guard`](super::guard::Guard)); that is why there is no `unsafe` in what it emits.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

/// The elements of a slice, for iterations that each have their own.
///
/// It has what the compiler lowers, and nothing that would do something else than a slice's: no `Debug`, no `iter`.
pub struct Own<'a, T> {
    pub(super) start: *mut T,
    pub(super) len: usize,
    slice: PhantomData<&'a mut [T]>,
}

impl<T> Clone for Own<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Own<'_, T> {}

// SAFETY: other threads get elements, each its own, as if they were sent there.
unsafe impl<T: Send> Sync for Own<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for Own<'_, T> {}

impl<'a, T> Own<'a, T> {
    /// Lends a slice out.
    #[inline(always)]
    pub fn new(slice: &'a mut [T]) -> Self {
        Own {
            start: slice.as_mut_ptr(),
            len: slice.len(),
            slice: PhantomData,
        }
    }

    /// How many elements there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Exchanges two elements.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    #[inline(always)]
    #[track_caller]
    pub fn swap(&mut self, a: usize, b: usize) {
        for i in [a, b] {
            if i >= self.len {
                out_of_bounds(i, self.len);
            }
        }
        // SAFETY: both are within the slice; nobody else has them.
        unsafe { std::ptr::swap(self.start.add(a), self.start.add(b)) }
    }

    /// An element, where there is one.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<&T> {
        // SAFETY: it is within the slice; nobody else has it.
        (i < self.len).then(|| unsafe { &*self.start.add(i) })
    }

    /// An element, where there is one.
    #[inline(always)]
    pub fn get_mut(&mut self, i: usize) -> Option<&mut T> {
        // SAFETY: it is within the slice; nobody else has it.
        (i < self.len).then(|| unsafe { &mut *self.start.add(i) })
    }
}

/// A slice of so many elements that take no memory, for the panics of slices.
fn nothing(len: usize) -> &'static [()] {
    // SAFETY: elements without a size need no memory.
    unsafe { std::slice::from_raw_parts(std::ptr::NonNull::dangling().as_ptr(), len) }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn out_of_bounds(i: usize, len: usize) -> ! {
    let _ = &nothing(len)[i];
    unreachable!("the index is out of bounds")
}

impl<T> Index<usize> for Own<'_, T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, i: usize) -> &T {
        if i >= self.len {
            out_of_bounds(i, self.len);
        }
        // SAFETY: it is within the slice; nobody else has it.
        unsafe { &*self.start.add(i) }
    }
}

impl<T> IndexMut<usize> for Own<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, i: usize) -> &mut T {
        if i >= self.len {
            out_of_bounds(i, self.len);
        }
        // SAFETY: it is within the slice; nobody else has it.
        unsafe { &mut *self.start.add(i) }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn range_out_of_bounds(range: Range<usize>, len: usize) -> ! {
    let _ = &nothing(len)[range];
    unreachable!("the range is out of bounds")
}

impl<T> Own<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn check(&self, range: &Range<usize>) {
        if range.start > range.end || range.end > self.len {
            range_out_of_bounds(range.clone(), self.len);
        }
    }
}

macro_rules! ranges {
    ($($ty:ty: |$range:ident, $len:ident| $plain:expr;)*) => {$(
        impl<T> Index<$ty> for Own<'_, T> {
            type Output = [T];

            #[inline(always)]
            #[track_caller]
            fn index(&self, $range: $ty) -> &[T] {
                let $len = self.len;
                let range: Range<usize> = $plain;
                self.check(&range);
                // SAFETY: it is within the slice; nobody else has any of it.
                unsafe { std::slice::from_raw_parts(self.start.add(range.start), range.len()) }
            }
        }

        impl<T> IndexMut<$ty> for Own<'_, T> {
            #[inline(always)]
            #[track_caller]
            fn index_mut(&mut self, $range: $ty) -> &mut [T] {
                let $len = self.len;
                let range: Range<usize> = $plain;
                self.check(&range);
                // SAFETY: it is within the slice; nobody else has any of it.
                unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
            }
        }
    )*};
}

ranges! {
    Range<usize>: |range, _len| range;
    RangeFrom<usize>: |range, len| range.start..len;
    RangeTo<usize>: |range, _len| 0..range.end;
    RangeInclusive<usize>: |range, _len| *range.start()..range.end().saturating_add(1);
    RangeToInclusive<usize>: |range, _len| 0..range.end.saturating_add(1);
}

/// What `a[start..][..len]` means, in one step.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Where it begins.
    pub start: usize,
    /// How many elements it has.
    pub len: usize,
}

impl<T> Own<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn check_part(&self, part: Part) {
        if part.start > self.len || part.len > self.len - part.start {
            part_out_of_bounds(part, self.len);
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn part_out_of_bounds(part: Part, len: usize) -> ! {
    let _ = &nothing(len)[part.start..][..part.len];
    unreachable!("the part is out of bounds")
}

impl<T> Index<Part> for Own<'_, T> {
    type Output = [T];

    #[inline(always)]
    #[track_caller]
    fn index(&self, part: Part) -> &[T] {
        self.check_part(part);
        // SAFETY: it is within the slice; nobody else has any of it.
        unsafe { std::slice::from_raw_parts(self.start.add(part.start), part.len) }
    }
}

impl<T> IndexMut<Part> for Own<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, part: Part) -> &mut [T] {
        self.check_part(part);
        // SAFETY: it is within the slice; nobody else has any of it.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(part.start), part.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn elements_and_parts_are_those_of_the_slice() {
        let mut all = [1, 2, 3, 4, 5];
        let mut own = Own::new(&mut all);
        own[0] = 7;
        own[1..3].copy_from_slice(&[8, 9]);
        own[3..][1] += 1;
        assert_eq!((own[..2][1], own[2..=2][0], own.len()), (8, 9, 5));
        assert_eq!((own.get(4), own.get(5)), (Some(&6), None));
        *own.get_mut(3).unwrap() = 0;
        assert_eq!(all, [7, 8, 9, 0, 6]);
    }

    /// What a panic says.
    fn says(f: impl FnOnce()) -> String {
        let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("it panics");
        payload.downcast_ref::<String>().expect("a text").clone()
    }

    #[test]
    fn what_lies_outside_panics_as_of_a_slice() {
        let mut all = [1, 2, 3];
        let mut same = all;
        let mut own = Own::new(&mut all);
        for i in [3, 9, usize::MAX] {
            assert_eq!(says(|| own[i] = 1), says(|| same[i] = 1));
        }
        for (a, b) in [(2, 5), (4, 4), (3, 1)] {
            assert_eq!(says(|| own[a..b][0] = 1), says(|| same[a..b][0] = 1));
        }
        for (start, len) in [(4, 0), (2, 2), (usize::MAX, 1), (0, 4)] {
            let part = Part { start, len };
            assert_eq!(
                says(|| own[part][0] = 1),
                says(|| same[start..][..len][0] = 1)
            );
        }
        own[Part { start: 1, len: 2 }].fill(7);
        assert_eq!(own[0..3], [1, 7, 7]);
    }
}

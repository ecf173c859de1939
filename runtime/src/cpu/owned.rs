//! The bins of a part of the iterations, where no two iterations update the same bin: how they are found, split and put back.
//!
//! The compiler has seen that the outermost index is the position of the iteration plus something fixed. What that is shows
//! when the first and the last iteration are logged ([`Course`]), and each part of the iteration space then gets the stretch of
//! bins that it must come to ([`Piece`]). A part that touches any other bin sets the fault, so that a mistake of the compiler would
//! cost time and never a wrong result. Before a part runs, its bins are copied ([`Kept`]): a fault in any part puts all of them
//! back.

use std::marker::PhantomData;
use std::ops::Range;

use super::op::{Operator, TwoSigns, Value};
use super::table::{Context, Fault, Shape, updates};
use crate::base::bin::Slot;

/// A view of the bins that belong to a part of the iterations.
#[derive(Debug)]
pub struct Owned<'t, B, O, X, const CHECKED: bool> {
    bins: &'t mut [B],
    /// The number of the first one.
    first: usize,
    fault: &'t Fault,
    op: PhantomData<(O, X)>,
}

updates!(Owned);

impl<'t, B: Slot, O: Operator<B>, X: Shape, const CHECKED: bool> Owned<'t, B, O, X, CHECKED> {
    /// There are no lanes.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn put(&mut self, index: X::Index, value: B) {
        let index = X::flat(index);
        match self.bins.get_mut(index.wrapping_sub(self.first)) {
            Some(bin) => {
                let (new, over) = O::merge::<CHECKED>(*bin, value);
                *bin = new;
                if over {
                    self.fault.overflowed();
                }
            }
            None => self.fault.outside(index, usize::MAX),
        }
    }
}

impl<B, O, X, const CHECKED: bool> Context for Owned<'_, B, O, X, CHECKED> {
    #[inline(always)]
    fn finish(self) {}
}

/// The bins of a part, with a copy.
#[derive(Debug)]
pub struct Piece<'b, B> {
    bins: &'b mut [B],
    first: usize,
    saved: Vec<B>,
}

impl<B: Slot> Piece<'_, B> {
    /// Saves the bins and lends them out.
    pub(super) fn lend<'t, O: Operator<B>, X: Shape, const CHECKED: bool>(
        &'t mut self,
        fault: &'t Fault,
    ) -> Owned<'t, B, O, X, CHECKED> {
        if self.saved.try_reserve_exact(self.bins.len()).is_err() {
            fault.exhausted();
            // Without a copy nothing may be updated.
            return Owned {
                bins: &mut [],
                first: self.first,
                fault,
                op: PhantomData,
            };
        }
        self.saved.extend_from_slice(self.bins);
        Owned {
            bins: self.bins,
            first: self.first,
            fault,
            op: PhantomData,
        }
    }

    /// What the bins were; nothing if they were never lent out.
    pub(super) fn keep(self) -> Kept<B> {
        Kept {
            first: self.first,
            bins: self.saved,
        }
    }
}

/// What some bins were before a run.
#[derive(Debug)]
pub struct Kept<B> {
    pub(super) first: usize,
    pub(super) bins: Vec<B>,
}

/// How iterations lead to the outermost index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The index of the first iteration.
    start: usize,
    /// Whether later iterations have smaller indices.
    down: bool,
}

impl Course {
    /// The course from the outermost indices of the first and of the last of `items` iterations.
    pub(super) fn new(first: usize, last: usize, items: usize) -> Option<Course> {
        (first.abs_diff(last) == items - 1).then_some(Course {
            start: first,
            down: last < first,
        })
    }

    /// The outermost indices of a part of the iterations.
    fn indices(&self, part: &Range<usize>) -> Range<usize> {
        match self.down {
            false => self.start + part.start..self.start + part.end,
            true => self.start + 1 - part.end..self.start + 1 - part.start,
        }
    }
}

/// Splits bins with rows of `row` by the parts of a course. The parts come in their order, which is that
/// of the bins or its reverse.
pub(super) fn split<'b, B>(
    bins: &'b mut [B],
    row: usize,
    course: Course,
    parts: &[Range<usize>],
) -> Vec<Piece<'b, B>> {
    let mut rest = bins;
    let mut at = 0;
    let mut pieces = Vec::with_capacity(parts.len());
    let mut cut = |part: &Range<usize>| {
        let indices = course.indices(part);
        let (first, end) = (
            indices.start * row,
            (indices.end * row).min(at + rest.len()),
        );
        let whole = std::mem::take(&mut rest);
        let (_, whole) = whole.split_at_mut((first - at).min(whole.len()));
        let (mine, later) = whole.split_at_mut(end.saturating_sub(first));
        rest = later;
        at = end.max(first);
        pieces.push(Piece {
            bins: mine,
            first,
            saved: Vec::new(),
        });
    };
    match course.down {
        false => parts.iter().for_each(&mut cut),
        true => parts.iter().rev().for_each(&mut cut),
    }
    if course.down {
        pieces.reverse();
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses_go_up_or_down_by_one() {
        assert_eq!(
            Course::new(5, 9, 5),
            Some(Course {
                start: 5,
                down: false
            })
        );
        assert_eq!(
            Course::new(9, 5, 5),
            Some(Course {
                start: 9,
                down: true
            })
        );
        assert_eq!(Course::new(5, 9, 4), None);
        assert_eq!(Course::new(3, 3, 1).unwrap().indices(&(0..1)), 3..4);
        assert_eq!(Course::new(9, 5, 5).unwrap().indices(&(1..3)), 7..9);
    }

    #[test]
    fn bins_are_split_with_the_parts() {
        for (course, expected) in [
            (
                Course::new(1, 4, 4),
                [(2, vec![2, 3, 4, 5]), (6, vec![6, 7, 8, 9])],
            ),
            (
                Course::new(4, 1, 4),
                [(6, vec![6, 7, 8, 9]), (2, vec![2, 3, 4, 5])],
            ),
        ] {
            let mut bins: Vec<u32> = (0..12).collect();
            let pieces = split(&mut bins, 2, course.unwrap(), &[0..2, 2..4]);
            let found: Vec<_> = pieces.iter().map(|p| (p.first, p.bins.to_vec())).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn parts_beyond_the_bins_get_none() {
        let mut bins = [1u8, 2, 3];
        let pieces = split(
            &mut bins,
            1,
            Course::new(1, 6, 6).unwrap(),
            &[0..1, 1..4, 4..6],
        );
        let lens: Vec<_> = pieces.iter().map(|p| p.bins.len()).collect();
        assert_eq!(lens, [1, 1, 0]);
    }
}

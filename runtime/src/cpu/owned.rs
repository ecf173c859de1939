//! The strategy `injective`: no two iterations update the same bin, so the bins are split with the iterations and
//! each worker has its own.
//!
//! The compiler has seen that the outermost index is the position of the iteration plus something fixed. What that is shows
//! when the first and the last iteration are logged, and each part of the iteration space then gets the stretch of
//! bins that it must come to. A part that touches any other bin sets the fault, so that a mistake of the compiler would
//! cost time and never a wrong result. Before a part runs, its bins are copied: a fault in any part puts all of them
//! back.
//!
//! Memory: a copy of the bins. Time: N / W updates, in order.

use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::crew::Parts;
use super::drive::Drive;
use super::kernels::OwnedKernels;
use super::member::{Kind, Member};
use super::op::{Operator, Value};
use super::table::{Context, Fault, Shape, updates};
use crate::bin::Slot;

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
    fn put(&mut self, index: usize, value: B) {
        match self.bins.get_mut(index.wrapping_sub(self.first)) {
            Some(bin) => {
                let (new, over) = O::merge::<CHECKED>(*bin, value);
                *bin = new;
                if over {
                    self.fault.set();
                }
            }
            None => self.fault.set(),
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
        self.saved = self.bins.to_vec();
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

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All is done, in so many parts.
    Done(usize),
    /// The members are as they were: the user's own loop must run.
    Fault,
    /// The members are as they were: the first or the last iteration does not show where the bins are.
    Unclear,
}

/// Runs the items.
pub(super) fn run<M: Member>(
    items: Range<usize>,
    parts: usize,
    members: &mut M,
    kernels: &dyn OwnedKernels<M::Kind>,
) -> Outcome {
    let fault = Fault::default();
    let log = |item: usize| {
        let mut pairs = members.pairs(None);
        let view = members.log(&mut pairs, &fault);
        let drive = Drive::new(item..item + 1, view);
        let end = catch_unwind(AssertUnwindSafe(|| kernels.log(drive)));
        end.is_ok().then_some(pairs)
    };
    let (Some(first), Some(last)) = (log(items.start), log(items.end - 1)) else {
        return Outcome::Fault;
    };
    if fault.is_set() {
        return Outcome::Fault;
    }
    let Some(courses) = members.courses(&first, &last, items.len()) else {
        return Outcome::Unclear;
    };
    let parts = Parts::new(items.clone(), parts);
    let ranges: Vec<_> = std::iter::from_fn(|| parts.take())
        .map(|(_, part)| part)
        .collect();
    // Courses count from the first item of the run.
    let relative: Vec<_> = ranges
        .iter()
        .map(|part| part.start - items.start..part.end - items.start)
        .collect();
    let mut stores: Vec<_> = ranges.iter().map(|_| members.store()).collect();
    let mut pieces = members.split(&courses, &relative);
    ranges
        .into_par_iter()
        .zip(&mut pieces)
        .zip(&mut stores)
        .with_max_len(1)
        .for_each(|((range, piece), store)| {
            if fault.is_set() {
                return;
            }
            let drive = Drive::new(range, M::Kind::owned(piece, store, &fault));
            if catch_unwind(AssertUnwindSafe(|| kernels.owned(drive))).is_err() {
                fault.set();
            }
        });
    let kept: Vec<_> = pieces.into_iter().map(M::Kind::keep).collect();
    // Only scalars have anything in the stores.
    let stores: Vec<_> = stores.iter().collect();
    if fault.is_set() || members.overflows(&stores) {
        kept.iter().for_each(|kept| members.put_back(kept));
        return Outcome::Fault;
    }
    members.publish(&stores);
    Outcome::Done(kept.len())
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

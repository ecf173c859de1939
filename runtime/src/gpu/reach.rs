//! Which elements of arrays the iterations of some outermost positions access, when a call has its values.

use std::ops::Range;

use crate::cpu::guard::{Form, Guard, Stretch};

/// Which elements of captured arrays iterations access, as far as the compiler knows.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a> {
    /// What the forms rest on.
    pub guard: Guard<'a>,
    /// Arrays by their numbers among those of a call, the forms of their outermost indices, and whether they are read.
    pub arrays: &'a [(u32, &'a [Form<'a>], bool)],
}

/// What a call says of it: the table, and the values of what its forms are made of.
pub(crate) type Reaching<'a> = (&'a Reach<'a>, &'a [i128]);

impl Reach<'_> {
    /// Nothing is known.
    pub const UNKNOWN: Reaching<'static> = (
        &Reach {
            guard: Guard {
                extents: &[],
                within: &[],
                conditions: &[],
            },
            arrays: &[],
        },
        &[],
    );
}

/// Indices beyond this are not in memory, and sums of a few of these do not wrap in 64 bits.
const FURTHEST: i128 = 1 << 60;

/// The part of an array that outermost positions access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu) struct Window {
    stretch: Stretch,
    /// Whether iterations read elements of the array.
    pub(in crate::gpu) read: bool,
}

impl Window {
    /// The window of each of `arrays` arrays in a call of so many outermost positions; none where nothing is known.
    pub(in crate::gpu) fn all(
        (reach, given): Reaching<'_>,
        arrays: usize,
        positions: u64,
    ) -> Vec<Option<Window>> {
        let mut all = vec![None; arrays];
        // Where forms are not what the loop computes, its indices may be others.
        if reach.arrays.is_empty() || !reach.guard.holds(given) {
            return all;
        }
        for (array, forms, read) in reach.arrays {
            let stretch = reach.guard.stretch(given, forms);
            let stretch = stretch.filter(|s| {
                let furthest = s.stride.checked_mul(i128::from(positions));
                furthest.is_some_and(|f| f.abs() < FURTHEST)
                    && s.least.abs() < FURTHEST
                    && s.most.abs() < FURTHEST
                    && s.stride != 0
            });
            if let Some(place) = all.get_mut(*array as usize) {
                *place = stretch.map(|stretch| Window {
                    stretch,
                    read: *read,
                });
            }
        }
        all
    }

    /// The elements, of an array of `len`, that positions of a range access.
    pub(in crate::gpu) fn elements(&self, positions: &Range<u64>, len: u64) -> Range<u64> {
        let Stretch {
            stride,
            least,
            most,
        } = self.stretch;
        let (first, last) = (
            stride * i128::from(positions.start),
            stride * (i128::from(positions.end) - 1),
        );
        let clip = |at: i128| at.clamp(0, i128::from(len)) as u64;
        let (start, end) = (
            clip(first.min(last) + least),
            clip(first.max(last) + most + 1),
        );
        start..end.max(start)
    }

    /// Elements from one position to the next, and what positions have beyond that, at most.
    pub(in crate::gpu) fn pitch(&self) -> (u64, u64) {
        let Stretch {
            stride,
            least,
            most,
        } = self.stretch;
        let stride = stride.unsigned_abs() as u64;
        let all = (most - least + 1) as u64;
        (stride, all.saturating_sub(stride))
    }

    /// Whether no element is accessed from two positions.
    pub(in crate::gpu) fn is_apart(&self) -> bool {
        self.pitch().1 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(stride: i128, least: i128, most: i128) -> Window {
        Window {
            stretch: Stretch {
                stride,
                least,
                most,
            },
            read: true,
        }
    }

    #[test]
    fn windows_move_with_positions_and_end_with_the_array() {
        // now[i - 1], now[i], now[i + 1] of 1-based positions.
        let halo = window(1, 0, 2);
        assert_eq!(halo.elements(&(0..4), 10), 0..6);
        assert_eq!(halo.elements(&(4..8), 10), 4..10);
        assert_eq!(halo.elements(&(8..12), 10), 8..10);
        assert_eq!(halo.pitch(), (1, 2));
        assert!(!halo.is_apart());
        // From the end: a[n - 1 - i].
        let back = window(-1, 9, 9);
        assert_eq!(back.elements(&(0..3), 10), 7..10);
        assert_eq!(back.elements(&(7..10), 10), 0..3);
        // Rows of 5, of which 3 are read.
        let rows = window(5, 1, 3);
        assert_eq!(rows.elements(&(2..4), 100), 11..19);
        assert!(rows.is_apart());
        // Beyond the array altogether.
        assert_eq!(window(1, 50, 50).elements(&(0..4), 10), 10..10);
        assert_eq!(window(1, -50, -50).elements(&(0..4), 10), 0..0);
    }
}

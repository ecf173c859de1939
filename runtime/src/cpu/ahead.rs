//! Loops that read an array ahead of where they change it, `v[i] = v[i + 1]`: what they read is copied before them.

use std::borrow::Borrow;

use super::crew;
use super::each::are_fewer;

/// With fewer threads a copy takes as long as they save.
const THREADS: usize = 3;

/// Fewer iterations go in order: a part of a loop is worth that much at least, beside the copy.
const FEW: usize = 1024;

/// As many elements may be copied for an iteration.
const MANY: usize = 4;

/// What a copy is made of at once, in bytes.
const PIECE: usize = 256 << 10;

/// Whether the iterations `first..end` may read copies of arrays of some lengths, as far ahead as `steps` say, and whether that is worth it here.
///
/// No element ahead may be the iteration's own, and no index may wrap around: both ends and all steps are below the half of what a `usize` holds.
pub fn apart(first: usize, end: usize, steps: &[usize], lens: &[usize]) -> bool {
    may_copy(first, end, steps, lens) && !are_fewer(THREADS)
}

fn may_copy(first: usize, end: usize, steps: &[usize], lens: &[usize]) -> bool {
    let Some(iterations) = end.checked_sub(first).filter(|count| *count >= FEW) else {
        return false;
    };
    let half = isize::MAX as usize;
    let fits = end <= half && steps.iter().all(|step| (1..=half).contains(step));
    let copied = |len: &usize| upto(*len, end, steps) / MANY <= iterations;
    fits && lens.iter().all(copied)
}

/// The end of a range that has its last number.
pub fn behind(last: usize) -> usize {
    last.saturating_add(1)
}

/// A number, or what a reference to one refers to.
pub fn step(step: impl Borrow<usize>) -> usize {
    *step.borrow()
}

/// How much of an array the iterations before `end` read.
fn upto(len: usize, end: usize, steps: &[usize]) -> usize {
    let furthest = steps.iter().max().map_or(0, |step| *step);
    end.saturating_add(furthest).min(len)
}

/// The elements of an array that the iterations `first..end` may read: as many at least as an index that they have and that is out of range says.
pub fn copied<T: Copy + Send + Sync>(array: &[T], end: usize, steps: &[usize]) -> Vec<T> {
    let array = &array[..upto(array.len(), end, steps)];
    let piece = (PIECE / size_of::<T>().max(1)).max(1);
    let workers = crew::threads().min(array.len() / piece);
    if workers < 2 {
        return array.to_vec();
    }
    let mut copy = Vec::with_capacity(array.len());
    let room = &mut copy.spare_capacity_mut()[..array.len()];
    crew::each(
        workers,
        room.chunks_mut(piece).zip(array.chunks(piece)),
        |(room, piece)| {
            for (to, from) in room.iter_mut().zip(piece) {
                to.write(*from);
            }
        },
    );
    // SAFETY: as many elements have been written.
    unsafe { copy.set_len(array.len()) };
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_not_be_ahead_goes_in_order() {
        assert!(may_copy(0, 2000, &[1], &[2001]));
        assert!(!may_copy(0, 2000, &[1, 0], &[2001]), "its own element");
        assert!(!may_copy(0, 2000, &[usize::MAX], &[2001]), "one behind");
        assert!(!may_copy(0, 20, &[1], &[21]), "few");
        assert!(!may_copy(8000, 7000, &[1], &[21]), "none");
        assert!(!may_copy(0, usize::MAX, &[1], &[21]), "indices wrap around");
        assert!(
            !may_copy(100_000, 102_000, &[1], &[200_000]),
            "far more is copied"
        );
        assert!(may_copy(0, 2000, &[1], &[200_000]));
    }

    #[test]
    fn what_is_read_is_copied() {
        let array: Vec<u32> = (0..300_000).collect();
        assert_eq!(copied(&array, 299_999, &[1]), array);
        assert_eq!(copied(&array, 200_000, &[7, 9]), array[..200_009]);
        assert_eq!(copied(&array, 300_000, &[7, 9]), array);
        assert_eq!(copied::<u32>(&[], 300_000, &[7, 9]), []);
    }
}

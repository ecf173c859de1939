//! The workers of a run: tasks on rayon's current pool, each with its own memory.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::table::Fault;

/// Parts of the iteration space, handed out in order to whoever asks.
#[derive(Debug)]
pub(super) struct Parts {
    range: Range<usize>,
    count: usize,
    next: AtomicUsize,
}

impl Parts {
    /// Splits a range into `count` parts whose lengths differ by one at most.
    pub(super) fn new(range: Range<usize>, count: usize) -> Parts {
        Parts {
            count: count.min(range.len()),
            range,
            next: AtomicUsize::new(0),
        }
    }

    /// A part by its number.
    pub(super) fn part(&self, number: usize) -> Range<usize> {
        let len = self.range.len();
        // Lengths times numbers can exceed a usize.
        let at = |k: usize| (len as u128 * k as u128 / self.count as u128) as usize;
        self.range.start + at(number)..self.range.start + at(number + 1)
    }

    /// The next part and its number.
    pub(super) fn take(&self) -> Option<(usize, Range<usize>)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.count).then(|| (number, self.part(number)))
    }
}

/// Runs `work` in `workers` tasks and collects what they return, in no particular order. A task that panics sets the
/// fault and returns nothing.
pub(super) fn run<R: Send>(
    workers: usize,
    fault: &Fault,
    work: impl Fn() -> Option<R> + Sync,
) -> Vec<R> {
    let results = Mutex::new(Vec::with_capacity(workers));
    let task = || match catch_unwind(AssertUnwindSafe(&work)) {
        Ok(Some(result)) => results
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .push(result),
        Ok(None) => {}
        // The payload is dropped: the user's own loop will panic again, in the right place of the order.
        Err(_) => fault.set(),
    };
    if workers <= 1 {
        task();
    } else {
        rayon::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(|_| task());
            }
            task();
        });
    }
    results
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_a_range_once() {
        for (range, count) in [(0..10, 3), (5..6, 4), (7..7, 2), (0..1000, 7)] {
            let parts = Parts::new(range.clone(), count);
            let mut next = range.start;
            while let Some((_, part)) = parts.take() {
                assert_eq!(part.start, next);
                assert!(!part.is_empty());
                next = part.end;
            }
            assert_eq!(next, range.end);
        }
        assert_eq!(Parts::new(0..usize::MAX, 3).part(2).end, usize::MAX);
    }

    #[test]
    fn every_worker_returns_and_a_panic_is_a_fault() {
        let fault = Fault::default();
        let mut results = run(3, &fault, || Some(1));
        results.sort_unstable();
        assert_eq!((results, fault.is_set()), (vec![1, 1, 1], false));
        let results = run(2, &fault, || -> Option<u8> {
            std::panic::resume_unwind(Box::new(()))
        });
        assert!(results.is_empty() && fault.is_set());
    }
}

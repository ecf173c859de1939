//! How far the user's own loop has come when it panics, at no cost while it runs.
//!
//! An update that can be taken back is taken back by running the body again, as far as it had come. How far that was is in the
//! loop's iterator, which says how many items are left, and in a count of the updates of one item, which in a body without loops
//! is a constant at each place that can panic. Both are written down by destructors, so only when they are needed:
//! the loop itself is, instruction for instruction, what it is without the attribute.

use std::cell::Cell;
use std::marker::PhantomData;

use super::member::Kind;

/// Where a loop has stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// How many items were left, with the one that was under way.
    pub(super) left: usize,
    /// How many updates this one had done.
    pub(super) updates: usize,
}

/// How far a loop has come.
#[derive(Debug)]
pub(super) struct Progress {
    left: Cell<usize>,
    updates: Cell<usize>,
    ended: Cell<bool>,
}

impl Progress {
    /// Of a loop over so many items, of which none has run.
    pub(super) fn new(items: usize) -> Progress {
        Progress {
            left: Cell::new(items),
            updates: Cell::new(0),
            ended: Cell::new(false),
        }
    }

    /// Where the loop has stopped, if it has not come to its end.
    pub(super) fn stopped(&self) -> Option<Stop> {
        (!self.ended.get()).then(|| Stop {
            left: self.left.get(),
            updates: self.updates.get(),
        })
    }
}

/// Runs the loop as a function of its own. Its parameters are what the user's function has as parameters, so that the compiler knows
/// of them what it knows there, and it has the registers to itself.
#[inline(never)]
pub(super) fn own_function<K: Kind, S, A, B, R>(
    progress: &Progress,
    own: S,
    a: A,
    b: B,
    body: impl FnOnce(&mut Done<'_, K>, S, A, B) -> R,
) -> R {
    let mut done = Done {
        counted: 0,
        updates: 0,
        progress,
        kind: PhantomData,
    };
    let value = body(&mut done, own, a, b);
    // Nobody asks how many updates the last item did.
    std::mem::forget(done);
    progress.ended.set(true);
    value
}

/// Begins the code that comes next, which is the loop, with a line of the instruction cache. A loop of few instructions that lies
/// across two lines takes a third more time on some processors (58 us instead of 43 for 100,000 counts, on an EPYC with Zen 4,
/// 2026-11-22, `accrue-bench calls`), and where functions begin is chance.
#[inline(always)]
fn align() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: instructions that do nothing.
    unsafe {
        std::arch::asm!(".p2align 6", options(nomem, nostack, preserves_flags));
    }
}

/// Counts the updates that an item has done, where they can be taken back by their number. When a panic unwinds through
/// it, it leaves the number behind; until then the number is in a register, or known to the compiler.
#[derive(Debug)]
pub struct Done<'c, K: Kind> {
    /// How many items have begun, where they are counted.
    counted: usize,
    updates: usize,
    progress: &'c Progress,
    kind: PhantomData<fn() -> K>,
}

impl<'c, K: Kind> Done<'c, K> {
    /// The loop's items.
    #[inline(always)]
    pub fn items<I: Iterator>(&self, items: I) -> Items<'c, I, K> {
        align();
        Items {
            items,
            ended: false,
            progress: self.progress,
            kind: PhantomData,
        }
    }

    /// An item begins.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.updates = 0;
    }

    /// An item of nested loops begins, whose iterators do not say how many are left.
    #[inline(always)]
    pub fn count(&mut self) {
        self.updates = 0;
        if K::INVERTIBLE {
            self.counted += 1;
        }
    }

    /// An update of a bin has been done.
    #[inline(always)]
    pub fn bump(&mut self) {
        if K::INVERTIBLE {
            self.updates += 1;
        }
    }
}

impl<K: Kind> Drop for Done<'_, K> {
    #[inline(always)]
    fn drop(&mut self) {
        if K::INVERTIBLE {
            self.progress.updates.set(self.updates);
            if self.counted > 0 {
                let all = self.progress.left.get();
                self.progress.left.set(all - (self.counted - 1));
            }
        }
    }
}

/// Items of the user's own loop, which leave behind how many of them are left.
#[derive(Debug)]
pub struct Items<'c, I: Iterator, K: Kind> {
    items: I,
    /// Whether there are none left: known to the compiler at each place, so that the loop's end has nothing to work out.
    ended: bool,
    progress: &'c Progress,
    kind: PhantomData<fn() -> K>,
}

impl<I: Iterator, K: Kind> Iterator for Items<'_, I, K> {
    type Item = I::Item;

    #[inline(always)]
    fn next(&mut self) -> Option<I::Item> {
        match self.items.next() {
            Some(item) => Some(item),
            None => {
                self.ended = true;
                None
            }
        }
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<I: Iterator, K: Kind> Drop for Items<'_, I, K> {
    #[inline(always)]
    fn drop(&mut self) {
        if K::INVERTIBLE && !self.ended {
            // The item under way has been taken from them.
            let left = self.items.size_hint().0 + 1;
            self.progress.left.set(left);
        }
    }
}

//! The inner loop: a step of the user's body for every item of a part of the iteration space.

use std::ops::Range;

use super::source::{BLOCK, GROUP, Source};
use super::table::Context;

/// A part of the iteration space and the tables that its updates go to. Emitted code turns one into the
/// updates of its tables, by [`drive`](Drive::drive) with the user's body as the step.
///
/// The views of the tables travel by value, so that the loop has them in local variables and the compiler in
/// registers.
#[derive(Debug)]
pub struct Drive<C> {
    range: Range<usize>,
    context: C,
}

impl<C: Context> Drive<C> {
    /// Items of `range`, which lies within the source that `drive` will be given.
    pub(super) fn new(range: Range<usize>, context: C) -> Drive<C> {
        Drive { range, context }
    }

    /// Calls `step` for every item.
    ///
    /// # Panics
    ///
    /// If the range is not within the source, and where the step panics.
    // As a function of its own its arguments are known not to overlap with the tables, so that the source's
    // pointer stays in a register although the loop stores through others.
    #[inline(never)]
    pub fn drive<S: Source>(self, source: &S, step: impl Fn(S::Item, &mut C)) {
        let Drive { range, mut context } = self;
        assert!(
            range.start <= range.end && range.end <= source.len(),
            "a part of a source lies within the source"
        );
        if size_of::<S::Item>() == 1 && context.takes_bytes() {
            // SAFETY: the range was compared with the source's length; tables do not change their lengths.
            unsafe {
                walk(source, range, &mut context, |item, context| {
                    context.assume_bytes();
                    step(item, context);
                });
            }
        } else {
            // SAFETY: the range was compared with the source's length.
            unsafe { walk(source, range, &mut context, step) };
        }
        context.finish();
    }
}

/// Calls `step` for the items of a range, in blocks with a lane for each item.
///
/// # Safety
///
/// The range lies within the source.
#[inline(always)]
unsafe fn walk<S: Source, C: Context>(
    source: &S,
    range: Range<usize>,
    context: &mut C,
    step: impl Fn(S::Item, &mut C),
) {
    let mut i = range.start;
    let mut memo = source.memo(i);
    while range.end - i >= BLOCK {
        source.prefetch(i);
        let group_end = range.end.min(i + GROUP);
        while group_end - i >= BLOCK {
            if size_of::<S::Item>() == 1 {
                // Eight bytes are one load.
                // SAFETY: the block ends at or before `range.end`, which is within the source.
                let items = unsafe { source.block(i) };
                for (lane, item) in items.into_iter().enumerate() {
                    context.set_lane(lane);
                    step(item, context);
                }
            } else {
                // Wider items read ahead would take the registers that the tables need.
                for lane in 0..BLOCK {
                    context.set_lane(lane);
                    // SAFETY: the block ends at or before `range.end`, which is within the source, and every
                    // item of wider sources passes the memo on.
                    step(unsafe { source.next(i + lane, &mut memo) }, context);
                }
            }
            i += BLOCK;
        }
    }
    while i < range.end {
        context.set_lane(i % BLOCK);
        // SAFETY: `i` is below `range.end`; the memo is made anew, since blocks of bytes do not pass it on.
        step(unsafe { source.next(i, &mut source.memo(i)) }, context);
        i += 1;
    }
}

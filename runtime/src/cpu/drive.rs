//! The inner loop: a step of the user's body for every item of a part of the iteration space.

use std::hint::assert_unchecked;
use std::ops::Range;

use super::source::{Along, BLOCK, GROUP, Positions, Source};
use super::table::Context;

/// How many items before it is read an element is asked for. (8 to 32 are alike for rows of 28 bytes with an update each; Zen 4, 2026-11-30.)
const AHEAD: usize = 16;

/// A part of the iteration space and the tables that its updates go to. Emitted code turns one into the
/// updates of its tables, by [`drive`](Drive::drive) with the user's body as the step.
///
/// The views of the tables travel by value, so that the loop has them in local variables and the compiler in
/// registers.
///
/// With `WHOLE` the part is a number of whole blocks, and the loop has no end to look for within a block: three
/// instructions of ten in a loop that counts words.
#[derive(Debug)]
pub struct Drive<C, const WHOLE: bool = false> {
    range: Range<usize>,
    context: C,
}

/// What a step of emitted code ends with: nothing in the user's body can make one, so that neither a `break` nor a
/// `return` in a macro of theirs leaves the loop unseen.
#[derive(Clone, Copy, Debug)]
pub struct NoWayOut;

/// A part of whole blocks.
pub(super) type WholeDrive<C> = Drive<C, true>;

impl<C: Context, const WHOLE: bool> Drive<C, WHOLE> {
    /// Items of `range`, which lies within the source that `drive` will be given.
    pub(super) fn new(range: Range<usize>, context: C) -> Drive<C, WHOLE> {
        Drive { range, context }
    }

    /// [`Drive::drive`] for items that do any number of updates, each of which takes longer than to see whether it is the last one: the
    /// part need not be whole blocks.
    ///
    /// # Panics
    ///
    /// If the range is not within the source, and where the step panics.
    #[inline(never)]
    pub fn drive_uneven<S: Source, Y: Copy, R>(
        self,
        source: &S,
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        let step = |item, context: &mut C| step(item, context, copies);
        self.check(source);
        let Drive { range, mut context } = self;
        // SAFETY: the range was compared with the source's length; tables do not change theirs.
        unsafe {
            if S::NESTED {
                walk_rows(source, range, &mut context, step);
            } else {
                walk(source, range, &mut context, step);
            }
        }
        context.finish();
    }

    /// The same for steps that read elements of arrays by the item: `ahead` asks for those of a later one.
    ///
    /// # Panics
    ///
    /// If the range is not within the source, and where the step panics.
    #[inline(never)]
    pub fn drive_fetching<S: Source<Item: Copy>, Y: Copy, R>(
        self,
        source: &S,
        ahead: impl Fn(S::Item),
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        self.check(source);
        let Drive { range, mut context } = self;
        let mut i = range.start;
        while i < range.end {
            source.prefetch(i);
            let group_end = range.end.min(i.saturating_add(GROUP));
            while i < group_end {
                if range.end - i > AHEAD {
                    // SAFETY: `i + AHEAD` is below `range.end`, which was compared with the source's length; tables do not change theirs.
                    ahead(unsafe { source.get(i + AHEAD) });
                }
                context.set_lane(i % BLOCK);
                // SAFETY: `i` is below `range.end`.
                step(unsafe { source.get(i) }, &mut context, copies);
                i += 1;
            }
        }
        context.finish();
    }

    /// Calls `step` for every item, with copies of what does not change in the loop.
    ///
    /// # Panics
    ///
    /// If the range is not within the source, if `WHOLE` and it is not a number of blocks, and where the step panics.
    // As a function of its own its arguments are known not to overlap with the tables, so that the source's
    // pointer stays in a register although the loop stores through others.
    #[inline(never)]
    pub fn drive<S: Source, Y: Copy, R>(
        self,
        source: &S,
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        self.walk(source, |item, context| step(item, context, copies));
    }

    /// The same for steps that read arrays at their position, whatever else they do. With `WHOLE` the arrays are cut to the
    /// part, so that the compiler sees that these reads lie within them.
    ///
    /// # Panics
    ///
    /// As `drive`, and with `WHOLE` if an array is too short for the part: a step would.
    #[inline(never)]
    pub fn drive_along<S: Positions, A: Along, Y: Copy, R>(
        self,
        source: &S,
        along: A,
        copies: Y,
        step: impl Fn(S::Item, &mut C, A, Y) -> R,
    ) {
        if !WHOLE || self.range.is_empty() {
            return self.walk(source, |item, context| step(item, context, along, copies));
        }
        self.check(source);
        let end = source.position(self.range.end);
        let along = along.first(end);
        self.walk(source, |item, context| {
            // SAFETY: items before another one say a smaller position than that one does, or than the end of all.
            unsafe { assert_unchecked(S::said(&item) < end) };
            step(item, context, along, copies)
        });
    }

    /// Makes sure that the part lies within the source.
    #[inline(always)]
    fn check<S: Source>(&self, source: &S) {
        let range = &self.range;
        assert!(
            range.start <= range.end && range.end <= source.len(),
            "a part of a source lies within the source"
        );
    }

    /// Calls `step` for every item of the part.
    #[inline(always)]
    fn walk<S: Source, R>(self, source: &S, step: impl Fn(S::Item, &mut C) -> R) {
        self.check(source);
        let Drive { range, mut context } = self;
        assert!(
            !WHOLE || range.len().is_multiple_of(BLOCK),
            "a part is a number of whole blocks"
        );
        // SAFETY: the range was compared with the source's length; tables do not change theirs. There are whole blocks where
        // they are said to be.
        unsafe {
            if S::NESTED {
                walk_rows(source, range, &mut context, step);
            } else if size_of::<S::Item>() != 1 && WHOLE {
                walk_blocks(source, range, &mut context, step);
            } else if size_of::<S::Item>() != 1 {
                walk(source, range, &mut context, step);
            } else if context.takes_bytes() {
                walk_bytes(source, range, &mut context, |item, context| {
                    context.assume_bytes();
                    step(item, context)
                });
            } else {
                walk_bytes(source, range, &mut context, step);
            }
        }
        context.finish();
    }
}

/// Calls `step` for the items of a range, each in the next lane.
///
/// The call stands in one place only: a function that is called from one place is inlined, however large the user's body
/// is, and the tables stay in registers.
///
/// # Safety
///
/// The range lies within the source.
#[inline(always)]
unsafe fn walk<S: Source, C: Context, R>(
    source: &S,
    range: Range<usize>,
    context: &mut C,
    step: impl Fn(S::Item, &mut C) -> R,
) {
    let mut i = range.start;
    while i < range.end {
        source.prefetch(i);
        let group_end = range.end.min(i.saturating_add(GROUP));
        while i < group_end {
            for lane in 0..BLOCK {
                if i == group_end {
                    break;
                }
                context.set_lane(lane);
                // SAFETY: `i` is below `range.end`.
                step(unsafe { source.get(i) }, context);
                i += 1;
            }
        }
    }
}

/// The same for whole blocks.
///
/// # Safety
///
/// The range lies within the source, and its length is a multiple of [`BLOCK`].
#[inline(always)]
unsafe fn walk_blocks<S: Source, C: Context, R>(
    source: &S,
    range: Range<usize>,
    context: &mut C,
    step: impl Fn(S::Item, &mut C) -> R,
) {
    const { assert!(GROUP.is_multiple_of(BLOCK)) };
    let mut i = range.start;
    while i < range.end {
        source.prefetch(i);
        let group_end = range.end.min(i.saturating_add(GROUP));
        while i < group_end {
            for lane in 0..BLOCK {
                context.set_lane(lane);
                // SAFETY: the distance from `i` to `group_end` is a multiple of `BLOCK` at a block's begin, since those
                // to `range.end` and of a group are, so all of the block is below `range.end`.
                step(unsafe { source.get(i) }, context);
                i += 1;
            }
        }
    }
}

/// The same for nested loops: what the body makes of the outer loop's item alone is made once a row.
///
/// # Safety
///
/// The range lies within the source.
#[inline(always)]
unsafe fn walk_rows<S: Source, C: Context, R>(
    source: &S,
    range: Range<usize>,
    context: &mut C,
    step: impl Fn(S::Item, &mut C) -> R,
) {
    if range.is_empty() {
        return;
    }
    let width = source.width();
    let (mut y, mut x) = (range.start / width, range.start % width);
    let mut left = range.len();
    while left > 0 {
        // SAFETY: there is an iteration left, so the row is one of the source's.
        let row = unsafe { source.row(y) };
        let end = width.min(x.saturating_add(left));
        left -= end - x;
        while x < end {
            for lane in 0..BLOCK {
                if x == end {
                    break;
                }
                context.set_lane(lane);
                // SAFETY: `x` is below `end`, which is at most the width.
                step(row(x), context);
                x += 1;
            }
        }
        (y, x) = (y + 1, 0);
    }
}

/// The same for items of one byte, eight of which are one load.
///
/// # Safety
///
/// The range lies within the source.
#[inline(always)]
unsafe fn walk_bytes<S: Source, C: Context, R>(
    source: &S,
    range: Range<usize>,
    context: &mut C,
    step: impl Fn(S::Item, &mut C) -> R,
) {
    let mut i = range.start;
    while range.end - i >= BLOCK {
        source.prefetch(i);
        let group_end = range.end.min(i.saturating_add(GROUP));
        while group_end - i >= BLOCK {
            // SAFETY: the block ends at or before `range.end`, which is within the source.
            let items = unsafe { source.block(i) };
            for (lane, item) in items.into_iter().enumerate() {
                context.set_lane(lane);
                step(item, context);
            }
            i += BLOCK;
        }
    }
    while i < range.end {
        context.set_lane(i % BLOCK);
        // SAFETY: `i` is below `range.end`.
        step(unsafe { source.get(i) }, context);
        i += 1;
    }
}

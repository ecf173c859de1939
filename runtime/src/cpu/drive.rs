//! The inner loop: a step of the user's body for every item of a part of the iteration space.

use std::array;
use std::hint::assert_unchecked;
use std::ops::Range;
use std::ptr;

use super::level::{Built, Has};
use super::source::{Ahead, Along, BLOCK, GROUP, Pairs, Positions, Reach, Source};
use super::table::{Context, Then};

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

/// How many columns are walked at a time.
const COLUMNS: usize = 4;

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
        self.walk_uneven(source, |item, context| step(item, context, copies));
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
        self.walk_fetching(source, ahead, |item, context| step(item, context, copies));
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
        self.walk_along(source, along, |item, context, along| {
            step(item, context, along, copies)
        });
    }

    /// The same for nested loops, each with arrays of its own.
    ///
    /// # Panics
    ///
    /// As `drive_along`.
    #[inline(never)]
    pub fn drive_across<A, B, P, Q, V, W, Y, R>(
        self,
        source: &Pairs<A, B>,
        outer: (P, V),
        inner: (Q, W),
        copies: Y,
        step: impl Fn((A::Item, B::Item), &mut C, (V, W), Y) -> R,
    ) where
        A: Source<Item: Clone>,
        B: Source,
        P: Reach<A>,
        Q: Reach<B>,
        V: Along,
        W: Along,
        Y: Copy,
    {
        self.walk_across(Built, source, outer, inner, |item, context, along| {
            step(item, context, along, copies)
        });
    }

    /// Calls `step` for every item of nested loops, with what it reads of arrays.
    #[inline(always)]
    pub(super) fn walk_across<A, B, P, Q, V, W, R>(
        self,
        level: impl Has,
        source: &Pairs<A, B>,
        (_, outer): (P, V),
        (_, inner): (Q, W),
        step: impl Fn((A::Item, B::Item), &mut C, (V, W)) -> R,
    ) where
        A: Source<Item: Clone>,
        B: Source,
        P: Reach<A>,
        Q: Reach<B>,
        V: Along,
        W: Along,
    {
        if !WHOLE || self.range.is_empty() {
            return self.walk_nested(level, source, |item, context| {
                step(item, context, (outer, inner))
            });
        }
        self.check(source);
        let width = source.width();
        let rows = P::end(source.outer(), self.range.end.div_ceil(width));
        let columns = Q::end(source.inner(), width);
        let along = (outer.first(rows), inner.first(columns));
        self.walk_nested(level, source, |item, context| {
            // SAFETY: rows of the part are before its last one's end, and columns are the inner loop's.
            unsafe {
                P::hold(&item.0, rows);
                Q::hold(&item.1, columns);
            }
            step(item, context, along)
        });
    }

    /// Calls `step` for every item of the part, with what it reads of arrays.
    #[inline(always)]
    pub(super) fn walk_along<S: Positions, A: Along, R>(
        self,
        source: &S,
        along: A,
        step: impl Fn(S::Item, &mut C, A) -> R,
    ) {
        if !WHOLE || self.range.is_empty() {
            return self.walk(source, |item, context| step(item, context, along));
        }
        self.check(source);
        let end = source.position(self.range.end);
        let along = along.first(end);
        self.walk(source, |item, context| {
            // SAFETY: items before another one say a smaller position than that one does, or than the end of all.
            unsafe { assert_unchecked(S::said(&item) < end) };
            step(item, context, along)
        });
    }

    /// Its tables may use AVX2 from now on.
    ///
    /// # Safety
    ///
    /// The processor has it.
    #[inline(always)]
    pub(super) unsafe fn widen(&mut self) {
        // SAFETY: the caller's promise.
        unsafe { self.context.widen(ptr::null_mut()) };
    }

    /// Calls `step` for every item of the part, and `ahead` for items some time before.
    #[inline(always)]
    pub(super) fn walk_fetching<S: Source<Item: Copy>, R>(
        self,
        source: &S,
        ahead: impl Fn(S::Item),
        step: impl Fn(S::Item, &mut C) -> R,
    ) {
        self.check(source);
        let Drive { range, mut context } = self;
        let how = Ahead::of(S::ARRAYS);
        let mut i = range.start;
        while i < range.end {
            source.prefetch(i, how);
            let group_end = range.end.min(i.saturating_add(GROUP));
            while i < group_end {
                if range.end - i > AHEAD {
                    // SAFETY: `i + AHEAD` is below `range.end`, which was compared with the source's length; tables do not change theirs.
                    ahead(unsafe { source.get(i + AHEAD) });
                }
                context.set_lane(i % BLOCK);
                // SAFETY: `i` is below `range.end`.
                step(unsafe { source.get(i) }, &mut context);
                i += 1;
            }
        }
        context.finish();
    }

    /// Calls `step` for every item of the part, which need not be whole blocks.
    #[inline(always)]
    pub(super) fn walk_uneven<S: Source, R>(self, source: &S, step: impl Fn(S::Item, &mut C) -> R) {
        self.check(source);
        if S::NESTED {
            return self.walk_nested(Built, source, step);
        }
        let Drive { range, mut context } = self;
        // SAFETY: the range was compared with the source's length; tables do not change theirs.
        unsafe { walk(source, range, &mut context, step) };
        context.finish();
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
    pub(super) fn walk<S: Source, R>(self, source: &S, step: impl Fn(S::Item, &mut C) -> R) {
        self.check(source);
        assert!(
            !WHOLE || self.range.len().is_multiple_of(BLOCK),
            "a part is a number of whole blocks"
        );
        if S::NESTED {
            return self.walk_nested(Built, source, step);
        }
        let Drive { range, mut context } = self;
        // SAFETY: the range was compared with the source's length; tables do not change theirs. There are whole blocks where
        // they are said to be.
        unsafe {
            if !C::BLOCKS {
                for i in range {
                    step(source.get(i), &mut context);
                }
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

impl<C: Context, const WHOLE: bool> Drive<C, WHOLE> {
    /// The same for nested loops.
    #[inline(always)]
    pub(super) fn walk_nested<S: Source, R>(
        self,
        level: impl Has,
        source: &S,
        step: impl Fn(S::Item, &mut C) -> R,
    ) {
        self.check(source);
        let Drive { range, context } = self;
        let window = match source.has_columns() {
            true => context.window(),
            false => usize::MAX,
        };
        let rows = Rows {
            source,
            range,
            window,
            step,
        };
        context.apart(level, rows);
    }
}

/// Nested loops that have not run yet.
struct Rows<'s, S, F> {
    source: &'s S,
    range: Range<usize>,
    window: usize,
    step: F,
}

impl<C: Context, S: Source, R, F: Fn(S::Item, &mut C) -> R> Then<C> for Rows<'_, S, F> {
    #[inline(always)]
    fn then(self, mut context: C) {
        let Rows {
            source,
            range,
            window,
            step,
        } = self;
        // SAFETY: the range was compared with the source's length; tables do not change theirs.
        unsafe {
            match C::TURNED && !C::LANES {
                true => walk_columns(source, range, &mut context, step),
                false => walk_rows(source, range, window, &mut context, step),
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
    let how = Ahead::of(S::ARRAYS);
    let mut i = range.start;
    while i < range.end {
        source.prefetch(i, how);
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
    let how = Ahead::of(S::ARRAYS);
    let mut i = range.start;
    while i < range.end {
        source.prefetch(i, how);
        let group_end = range.end.min(i.saturating_add(GROUP));
        while i < group_end {
            for lane in 0..BLOCK {
                context.set_lane_of_block(lane);
                // SAFETY: the distance from `i` to `group_end` is a multiple of `BLOCK` at a block's begin, since those
                // to `range.end` and of a group are, so all of the block is below `range.end`.
                step(unsafe { source.get(i) }, context);
                i += 1;
            }
        }
    }
}

/// The same for nested loops: what the body makes of the outer loop's item alone is made once a row. Rows of which all is in the range are walked window by window,
/// of so many items of a row at most: all rows for the first ones, then all for those behind them.
///
/// # Safety
///
/// The range lies within the source.
#[inline(always)]
unsafe fn walk_rows<S: Source, C: Context, R>(
    source: &S,
    range: Range<usize>,
    window: usize,
    context: &mut C,
    step: impl Fn(S::Item, &mut C) -> R,
) {
    for (ys, xs) in tiles(range, source.width(), window) {
        for y in ys {
            // SAFETY: there is an iteration of this row in the range, so it is one of the source's.
            let row = unsafe { source.row(y) };
            if !C::LANES {
                for x in xs.clone() {
                    // SAFETY: tiles lie within the width.
                    step(row(x), context);
                }
                continue;
            }
            let mut x = xs.start;
            while x < xs.end {
                for lane in 0..BLOCK {
                    if x == xs.end {
                        break;
                    }
                    context.set_lane(lane);
                    // SAFETY: as above.
                    step(row(x), context);
                    x += 1;
                }
            }
        }
    }
}

/// The same for tables that have their columns one behind the other: all rows for the first column, then all for the next. Rows that follow each other often update the same bin, and
/// would wait for each other.
///
/// # Safety
///
/// The range lies within the source.
#[inline(always)]
unsafe fn walk_columns<S: Source, C: Context, R>(
    source: &S,
    range: Range<usize>,
    context: &mut C,
    step: impl Fn(S::Item, &mut C) -> R,
) {
    for (ys, xs) in tiles(range, source.width(), usize::MAX) {
        let mut x = xs.start;
        while x < xs.end {
            // SAFETY: tiles lie within the width; columns beyond are not asked for rows.
            let columns: [_; COLUMNS] =
                array::from_fn(|k| unsafe { source.column((x + k).min(xs.end - 1)) });
            let count = COLUMNS.min(xs.end - x);
            for y in ys.clone() {
                for (k, column) in columns.iter().enumerate() {
                    if k == count {
                        break;
                    }
                    // There is an iteration of this row in the range, so it is one of the source's.
                    step(column(y), context);
                }
            }
            x += COLUMNS;
        }
    }
}

/// Rows and columns.
type Tile = (Range<usize>, Range<usize>);

/// A range of items that lie in rows of `width`, as tiles of `window` columns at most: what there is of the first row, rows that are whole, and what there is of the
/// last one.
fn tiles(range: Range<usize>, width: usize, window: usize) -> impl Iterator<Item = Tile> {
    let Range { start, end } = range;
    let width = width.max(1);
    let (first, last) = (start.div_ceil(width), end / width);
    let [head, tail] = match first <= last {
        true => [start..first * width, last * width..end],
        false => [start..end, end..end],
    };
    let rest = move |items: Range<usize>| {
        let y = items.start / width;
        let tile = (y..y + 1, items.start - y * width..items.end - y * width);
        (!items.is_empty()).then_some(tile)
    };
    // As wide as each other.
    let window = width.div_ceil(width.div_ceil(window.max(1)));
    let whole = (0..width).step_by(window).map(move |x| {
        let columns = x..width.min(x + window);
        (first..last, columns)
    });
    let whole = whole.filter(move |_| first < last);
    rest(head).into_iter().chain(whole).chain(rest(tail))
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
    let how = Ahead::of(S::ARRAYS);
    let mut i = range.start;
    while range.end - i >= BLOCK {
        source.prefetch(i, how);
        let group_end = range.end.min(i.saturating_add(GROUP));
        while group_end - i >= BLOCK {
            // SAFETY: the block ends at or before `range.end`, which is within the source.
            let items = unsafe { source.block(i) };
            for (lane, item) in items.into_iter().enumerate() {
                context.set_lane_of_block(lane);
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

#[cfg(test)]
mod tests {
    use super::super::fault::Fault;
    use super::super::level::{Level, V3};
    use super::super::leveled::Leveled;
    use super::super::op::Add;
    use super::super::source::source;
    use super::super::table::{Grid, Plain, Shape, Turned};
    use super::*;

    /// Bins of 5 rows and 7 columns, updated by nested loops of 11 and 7 iterations, of which these.
    fn updated<X: Shape<Index = [usize; 2]>>(
        range: Range<usize>,
        window: usize,
        level: usize,
    ) -> [u32; 35] {
        let mut slots = [0; 35];
        let fault = Fault::default();
        let table = Plain::<u32, Add, X, false>::new(&mut slots, &fault).in_windows(window);
        let source = source(0..11usize).nest(0..7usize).in_columns();
        let step = |(y, x), (table, ()): &mut (Plain<'_, _, _, X, false>, ()), n| {
            table.update([y * 3 % 5, x], n);
        };
        let drive = WholeDrive::new(range, (table, ()));
        match (level, V3::of_processor(), Level::here()) {
            (3, Some(v3), _) => Leveled::new(drive, v3).drive(&source, 2u32, step),
            (4, _, Level::V4(v4)) => Leveled::new(drive, v4).drive(&source, 2u32, step),
            _ => drive.drive_uneven(&source, 2u32, step),
        }
        assert!(!fault.is_set());
        std::array::from_fn(|bin| slots[X::place(bin, 35)])
    }

    #[test]
    fn nested_loops_update_what_they_do_in_order() {
        for range in [0..77, 0..0, 3..5, 3..10, 14..70, 13..76] {
            let mut expected = [0; 35];
            for i in range.clone() {
                expected[i / 7 * 3 % 5 * 7 + i % 7] += 2;
            }
            for (window, level) in [(usize::MAX, 1), (1, 1), (3, 3), (7, 3), (3, 4)] {
                assert_eq!(updated::<Grid<7>>(range.clone(), window, level), expected);
            }
            for level in [1, 3, 4] {
                assert_eq!(
                    updated::<Turned<Grid<7>>>(range.clone(), 3, level),
                    expected
                );
            }
        }
    }

    #[test]
    fn tiles_have_every_item_once() {
        for width in [1, 2, 5, 7] {
            for (start, end) in (0..=4 * width).flat_map(|end| (0..=end).map(move |s| (s, end))) {
                for window in [1, 2, 3, 5, usize::MAX] {
                    let mut found = Vec::new();
                    for (ys, xs) in tiles(start..end, width, window) {
                        assert!(!ys.is_empty() && !xs.is_empty() && xs.end <= width);
                        assert!(xs.len() <= window || ys.len() == 1);
                        for y in ys {
                            found.extend(xs.clone().map(|x| y * width + x));
                        }
                    }
                    found.sort_unstable();
                    assert_eq!(found, (start..end).collect::<Vec<_>>());
                }
            }
        }
        assert_eq!(tiles(0..0, 0, 3).count(), 0);
    }
}

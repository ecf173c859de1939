//! The inner loop for processors that have more than what the crate is built for.
//!
//! What bodies do for each update is more often than not what these are for: x86-64-v3 counts bits by one instruction instead of twelve, and adds to a record of sums
//! as a whole ([`wide`](super::wide)); v4 makes an unsigned number of a float by one instead of five, as a place among bins is made of a value. (Hough transform by
//! one core of a Xeon, Granite Rapids, 2026-12-01: 2.7 ns an update for v3, 1.7 for v4.)

use super::drive::WholeDrive;
use super::level::{Has, Inlined};
use super::source::{Along, Pairs, Positions, Reach, Source};
use super::table::Context;

/// A part of the iteration space, as [`Drive`](super::drive::Drive) is one, for a level.
#[derive(Debug)]
pub struct Leveled<C, L> {
    drive: WholeDrive<C>,
    level: L,
}

impl<C: Context, L: Has> Leveled<C, L> {
    pub(super) fn new(drive: WholeDrive<C>, level: L) -> Leveled<C, L> {
        Leveled { drive, level }
    }

    /// As [`Drive::drive`](super::drive::Drive::drive).
    ///
    /// # Panics
    ///
    /// If the range is not within the source, and where the step panics.
    #[inline(always)]
    pub fn drive<S: Source, Y: Copy, R>(
        self,
        source: &S,
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        let level = self.level;
        let step = move |item: S::Item, context: &mut C| step(item, context, copies);
        level.apart(self.drive, source, Even { level, step });
    }

    /// As [`Drive::drive_uneven`](super::drive::Drive::drive_uneven).
    ///
    /// # Panics
    ///
    /// As `drive`.
    #[inline(always)]
    pub fn drive_uneven<S: Source, Y: Copy, R>(
        self,
        source: &S,
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        let level = self.level;
        let step = move |item: S::Item, context: &mut C| step(item, context, copies);
        level.apart(self.drive, source, Uneven { level, step });
    }

    /// As [`Drive::drive_fetching`](super::drive::Drive::drive_fetching).
    ///
    /// # Panics
    ///
    /// As `drive`.
    #[inline(always)]
    pub fn drive_fetching<S: Source<Item: Copy>, Y: Copy, R>(
        self,
        source: &S,
        ahead: impl Fn(S::Item),
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        let level = self.level;
        let step = move |item: S::Item, context: &mut C| step(item, context, copies);
        level.apart(self.drive, source, Fetching { level, ahead, step });
    }

    /// As [`Drive::drive_along`](super::drive::Drive::drive_along).
    ///
    /// # Panics
    ///
    /// As it does.
    #[inline(always)]
    pub fn drive_along<S: Positions, A: Along, Y: Copy, R>(
        self,
        source: &S,
        along: A,
        copies: Y,
        step: impl Fn(S::Item, &mut C, A, Y) -> R,
    ) {
        let level = self.level;
        let step = move |item: S::Item, context: &mut C, along| step(item, context, along, copies);
        level.apart(self.drive, source, Beside { level, along, step });
    }

    /// As [`Drive::drive_across`](super::drive::Drive::drive_across).
    ///
    /// # Panics
    ///
    /// As it does.
    #[inline(always)]
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
        let level = self.level;
        let step = move |item: (A::Item, B::Item), context: &mut C, along| {
            step(item, context, along, copies)
        };
        level.apart(
            self.drive,
            source,
            Across {
                level,
                outer,
                inner,
                step,
            },
        );
    }
}

/// A part whose tables may use the instructions.
#[inline(always)]
fn widened<C: Context, L: Has>(mut drive: WholeDrive<C>, _: L) -> WholeDrive<C> {
    if L::AVX2 {
        // SAFETY: the level says so.
        unsafe { drive.widen() };
    }
    drive
}

/// The ways of a part, with the level that it is compiled for.
struct Even<L, F> {
    level: L,
    step: F,
}

struct Uneven<L, F> {
    level: L,
    step: F,
}

struct Fetching<L, A, F> {
    level: L,
    ahead: A,
    step: F,
}

struct Beside<L, A, F> {
    level: L,
    along: A,
    step: F,
}

struct Across<L, V, W, F> {
    level: L,
    outer: V,
    inner: W,
    step: F,
}

impl<C, S, R, L, F> Inlined<WholeDrive<C>, &S> for Even<L, F>
where
    C: Context,
    S: Source,
    L: Has,
    F: Fn(S::Item, &mut C) -> R,
{
    #[inline(always)]
    fn call(self, drive: WholeDrive<C>, source: &S) {
        let drive = widened(drive, self.level);
        match S::NESTED {
            true => drive.walk_nested(self.level, source, self.step),
            false => drive.walk(source, self.step),
        }
    }
}

impl<C, S, R, L, F> Inlined<WholeDrive<C>, &S> for Uneven<L, F>
where
    C: Context,
    S: Source,
    L: Has,
    F: Fn(S::Item, &mut C) -> R,
{
    #[inline(always)]
    fn call(self, drive: WholeDrive<C>, source: &S) {
        let drive = widened(drive, self.level);
        match S::NESTED {
            true => drive.walk_nested(self.level, source, self.step),
            false => drive.walk_uneven(source, self.step),
        }
    }
}

impl<C, S, R, L, A, F> Inlined<WholeDrive<C>, &S> for Fetching<L, A, F>
where
    C: Context,
    S: Source<Item: Copy>,
    L: Has,
    A: Fn(S::Item),
    F: Fn(S::Item, &mut C) -> R,
{
    #[inline(always)]
    fn call(self, drive: WholeDrive<C>, source: &S) {
        widened(drive, self.level).walk_fetching(source, self.ahead, self.step);
    }
}

impl<C, S, R, L, A, F> Inlined<WholeDrive<C>, &S> for Beside<L, A, F>
where
    C: Context,
    S: Positions,
    L: Has,
    A: Along,
    F: Fn(S::Item, &mut C, A) -> R,
{
    #[inline(always)]
    fn call(self, drive: WholeDrive<C>, source: &S) {
        widened(drive, self.level).walk_along(source, self.along, self.step);
    }
}

impl<C, A, B, P, Q, V, W, R, L, F> Inlined<WholeDrive<C>, &Pairs<A, B>>
    for Across<L, (P, V), (Q, W), F>
where
    C: Context,
    A: Source<Item: Clone>,
    B: Source,
    P: Reach<A>,
    Q: Reach<B>,
    V: Along,
    W: Along,
    L: Has,
    F: Fn((A::Item, B::Item), &mut C, (V, W)) -> R,
{
    #[inline(always)]
    fn call(self, drive: WholeDrive<C>, source: &Pairs<A, B>) {
        let (level, drive) = (self.level, widened(drive, self.level));
        drive.walk_across(level, source, self.outer, self.inner, self.step);
    }
}

//! The body without its updates, run before the first of them: where no index is out of range and nothing panics, nothing will
//! have to be undone.
//!
//! A [`Check`] takes the place of a table. It only remembers whether an index was out of range, so that there is no way out of
//! the loop and no memory is written: what is left of a simple body is a few loads and a comparison, which the compiler does for
//! several items at once. With the instructions that the processor has, and not those that every one has: the user's
//! crate is built for the latter, so the loop is compiled twice and the one that fits is run.

use std::marker::PhantomData;
use std::ops::Range;

use super::op::Value;
use super::source::Source;
use super::table::{Context, Fault, Shape};
use crate::bin::Slot;

/// A part of the iteration space, and what its updates go to. Emitted code runs the user's body over it by
/// [`drive`](Rehearsal::drive), as with a [`Drive`](super::drive::Drive).
#[derive(Debug)]
pub struct Rehearsal<C> {
    range: Range<usize>,
    context: C,
}

impl<C: Context> Rehearsal<C> {
    pub(super) fn new(range: Range<usize>, context: C) -> Rehearsal<C> {
        Rehearsal { range, context }
    }

    /// Calls `step` for every item.
    ///
    /// # Panics
    ///
    /// If the range is not within the source, and where the step panics.
    #[inline(never)]
    pub fn drive<S: Source, R>(self, source: &S, step: impl Fn(S::Item, &mut C) -> R) {
        let Rehearsal { range, context } = self;
        let steps = Steps {
            items: source.part(range),
            context,
            step,
        };
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { with_avx2(steps) };
        }
        steps.run();
    }
}

/// The steps with instructions of 32 bytes: what is inlined here is compiled for them.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<I, C, R, F>(steps: Steps<I, C, F>)
where
    I: Iterator,
    C: Context,
    F: Fn(I::Item, &mut C) -> R,
{
    steps.run();
}

/// A loop that has not run yet.
struct Steps<I, C, F> {
    items: I,
    context: C,
    step: F,
}

impl<I, C: Context, F> Steps<I, C, F> {
    #[inline(always)]
    fn run<R>(self)
    where
        I: Iterator,
        F: Fn(I::Item, &mut C) -> R,
    {
        let Steps {
            items,
            mut context,
            step,
        } = self;
        for item in items {
            step(item, &mut context);
        }
        context.finish();
    }
}

/// A place for updates that only checks their indices.
///
/// Of a slice it keeps the largest index, which is one instruction for eight of them where a comparison is three. Where the types
/// say how many bins there are it compares, since the compiler then knows which indices need none.
#[derive(Debug)]
pub struct Check<'t, B, X> {
    /// How many outermost indices there are.
    rows: u32,
    /// The largest outermost index, its low half: indices that come from 32 bits are taken as they are, twice as many at once.
    largest: u32,
    /// Not 0 if an index was out of range. A number of the width of what is compared, since one bit for each item would have to be
    /// packed.
    outside: u32,
    fault: &'t Fault,
    of: PhantomData<(B, X)>,
}

impl<'t, B: Slot, X: Shape> Check<'t, B, X> {
    /// For `len` bins, which are fewer than 2^32.
    pub(super) fn new(len: usize, fault: &'t Fault) -> Self {
        Check {
            rows: u32::try_from(len / X::ROW.max(1)).unwrap_or(0),
            largest: 0,
            outside: 0,
            fault,
            of: PhantomData,
        }
    }

    /// The update of a compound assignment.
    #[inline(always)]
    pub fn update(&mut self, index: X::Index, _: impl Value<B>) {
        self.check(index);
    }

    /// The update of a method.
    #[inline(always)]
    pub fn update_with(&mut self, index: X::Index, _: B) {
        self.check(index);
    }

    #[inline(always)]
    fn check(&mut self, index: X::Index) {
        let outermost = X::outermost(index);
        match X::LEN {
            Some(len) => self.outside |= u32::from(outermost >= len / X::ROW.max(1)),
            None => {
                self.largest = self.largest.max(outermost as u32);
                // In two steps, as a `usize` may have 32 bits.
                self.outside |= (outermost >> 16 >> 16) as u32;
            }
        }
        self.outside |= u32::from(X::inner_outside(index));
    }

    /// There are no lanes.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }
}

impl<B, X: Shape> Context for Check<'_, B, X> {
    #[inline(always)]
    fn finish(self) {
        // Of no bins at all this may find a fault where no index is; the user's own loop then finds none.
        let outside = X::LEN.is_none() && self.largest >= self.rows;
        if outside || self.outside != 0 {
            self.fault.set();
        }
    }
}

/// A scalar in a rehearsal, which nothing reads.
#[derive(Debug)]
pub struct Unheard<B>(PhantomData<fn() -> B>);

impl<B: Slot> Unheard<B> {
    pub(super) fn new() -> Self {
        Unheard(PhantomData)
    }

    /// The update of a compound assignment.
    #[inline(always)]
    pub fn update(&mut self, (): (), _: impl Value<B>) {}

    /// The update of a method.
    #[inline(always)]
    pub fn update_with(&mut self, (): (), _: B) {}

    /// There is one lane only.
    #[inline(always)]
    pub fn next_lane(&mut self) -> &mut Self {
        self
    }
}

impl<B> Context for Unheard<B> {
    fn takes_bytes(&self) -> bool {
        true
    }

    #[inline(always)]
    fn finish(self) {}
}

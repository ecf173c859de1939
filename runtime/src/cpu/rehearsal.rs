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
use super::source::{Along, Source};
use super::table::{Context, Fault, Shape};
use crate::base::bin::Slot;

/// The most bins that indices are checked for.
pub(super) const MOST_BINS: usize = i32::MAX as usize;

/// A part of the iteration space, and what its updates go to. Emitted code runs the user's body over it by
/// [`drive`](Rehearsal::drive), as with a [`Drive`](super::drive::Drive).
#[derive(Debug)]
pub struct Rehearsal<C> {
    range: Range<usize>,
    context: C,
    ahead: bool,
}

impl<C: Context> Rehearsal<C> {
    /// `ahead` is for a body without its conditions, which checks indices that no update may use.
    pub(super) fn new(range: Range<usize>, context: C, ahead: bool) -> Rehearsal<C> {
        Rehearsal {
            range,
            context,
            ahead,
        }
    }

    /// Whether it is the body without its conditions that is to be run, where there is one.
    pub fn is_ahead(&self) -> bool {
        self.ahead
    }

    /// Calls `step` for every item, with copies of what does not change in the loop.
    ///
    /// # Panics
    ///
    /// If the range is not within the source, and where the step panics.
    #[inline(never)]
    pub fn drive<S: Source, Y: Copy, R>(
        self,
        source: &S,
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        let Rehearsal { range, context, .. } = self;
        let step = |item, context: &mut C| step(item, context, copies);
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

    /// The same for steps of nested loops, each with arrays of its own.
    #[inline(always)]
    pub fn drive_across<S: Source, P, Q, V: Along, W: Along, Y: Copy, R>(
        self,
        source: &S,
        (_, outer): (P, V),
        (_, inner): (Q, W),
        copies: Y,
        step: impl Fn(S::Item, &mut C, (V, W), Y) -> R,
    ) {
        self.drive_along(source, (outer, inner), copies, step);
    }

    /// The same for steps that read arrays at their position.
    #[inline(always)]
    pub fn drive_along<S: Source, A: Copy, Y: Copy, R>(
        self,
        source: &S,
        along: A,
        copies: Y,
        step: impl Fn(S::Item, &mut C, A, Y) -> R,
    ) {
        let copies = (along, copies);
        self.drive(source, copies, |item, context, (along, copies)| {
            step(item, context, along, copies)
        });
    }

    /// The same: an item that does any number of updates is no different here.
    #[inline(always)]
    pub fn drive_uneven<S: Source, Y: Copy, R>(
        self,
        source: &S,
        copies: Y,
        step: impl Fn(S::Item, &mut C, Y) -> R,
    ) {
        self.drive(source, copies, step);
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
/// Whether one was out of range it keeps in the highest bits of two words, to which each index adds by one `or`. Where a body updates behind
/// a condition the compiler then adds what is or is not to count, for eight items at once. Of a comparison it would make a jump for
/// each item, and so it would of the largest index.
#[derive(Debug)]
pub struct Check<'t, B, X> {
    /// The last outermost index that there is, or -1.
    last: u32,
    /// Its highest bit is set if an index was greater than `last`, or much greater.
    beyond: u32,
    /// Its highest bit is set if an index was 2^31 or greater, or one behind the outermost out of range.
    huge: u32,
    fault: &'t Fault,
    of: PhantomData<(B, X)>,
}

/// All bits, if so.
#[inline(always)]
fn mask(so: bool) -> u32 {
    0u32.wrapping_sub(u32::from(so))
}

impl<'t, B: Slot, X: Shape> Check<'t, B, X> {
    /// For `len` bins, which are at most [`MOST_BINS`].
    pub(super) fn new(len: usize, fault: &'t Fault) -> Self {
        debug_assert!(len <= MOST_BINS);
        Check {
            last: (len / X::ROW.max(1)).wrapping_sub(1) as u32,
            beyond: 0,
            huge: 0,
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

    /// The update of `-=` beside others of `+=`.
    #[inline(always)]
    pub fn subtract(&mut self, index: X::Index, _: impl Value<B>) {
        self.check(index);
    }

    /// The update of `wrapping_sub` beside others of `wrapping_add`.
    #[inline(always)]
    pub fn subtract_with(&mut self, index: X::Index, _: B) {
        self.check(index);
    }

    #[inline(always)]
    fn check(&mut self, index: X::Index) {
        let outermost = X::outermost(index);
        match X::LEN {
            // The compiler knows which indices of bytes need no check.
            Some(len) => self.beyond |= mask(outermost >= len / X::ROW.max(1)),
            None => {
                // A `usize` may have 32 bits, so it is shifted in two steps. A number of 32 bits whose highest bit is not set is in range
                // if the difference's is not either.
                let high = outermost >> 16 >> 16;
                let low = outermost as u32;
                self.huge |= mask(high != 0) | low;
                self.beyond |= self.last.wrapping_sub(low);
            }
        }
        self.huge |= mask(X::inner_outside(index));
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
        if (self.beyond | self.huge) >> 31 != 0 {
            self.fault.outside(usize::MAX, 0);
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

    /// The update of `-=` beside others of `+=`.
    #[inline(always)]
    pub fn subtract(&mut self, (): (), _: impl Value<B>) {}

    /// The update of `wrapping_sub` beside others of `wrapping_add`.
    #[inline(always)]
    pub fn subtract_with(&mut self, (): (), _: B) {}

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

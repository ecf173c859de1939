//! The inner loop for processors that have the instructions that came with AVX2, in 2013.
//!
//! What nested loops do for each update is more often than not what these are for: to count bits takes one instead of twelve. And to a record of sums
//! they add as a whole ([`wide`](super::wide)).

use super::drive::WholeDrive;
use super::source::{Along, Positions, Source};
use super::table::{Context, has_avx2};

/// A part of the iteration space, as [`Drive`](super::drive::Drive) is one.
#[derive(Debug)]
pub struct Avx2<C>(WholeDrive<C>);

impl<C: Context> Avx2<C> {
    /// The part, if this processor has them.
    pub(super) fn of(drive: WholeDrive<C>) -> Result<Avx2<C>, WholeDrive<C>> {
        match has_avx2() {
            true => Ok(Avx2(drive)),
            false => Err(drive),
        }
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
        let step = move |item: S::Item, context: &mut C| step(item, context, copies);
        // SAFETY: `of` has asked.
        unsafe {
            with_avx2(self.0, source, |drive, source| match S::NESTED {
                true => drive.walk_nested::<true, _, _>(source, step),
                false => drive.walk(source, step),
            });
        }
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
        let step = move |item: S::Item, context: &mut C| step(item, context, copies);
        // SAFETY: `of` has asked.
        unsafe {
            with_avx2(self.0, source, |drive, source| match S::NESTED {
                true => drive.walk_nested::<true, _, _>(source, step),
                false => drive.walk_uneven(source, step),
            });
        }
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
        let step = move |item: S::Item, context: &mut C| step(item, context, copies);
        // SAFETY: `of` has asked.
        unsafe {
            with_avx2(self.0, source, |drive, source| {
                drive.walk_fetching(source, ahead, step);
            });
        }
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
        let step = move |item: S::Item, context: &mut C, along| step(item, context, along, copies);
        // SAFETY: `of` has asked.
        unsafe {
            with_avx2(self.0, source, |drive, source| {
                drive.walk_along(source, along, step);
            });
        }
    }
}

/// Calls `f` with a part whose tables may use these instructions, compiled for them. As a function of its own, as those of a [`Drive`](super::drive::Drive) are.
///
/// # Safety
///
/// The processor has them.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")
)]
#[inline(never)]
unsafe fn with_avx2<C: Context, S>(
    mut drive: WholeDrive<C>,
    source: &S,
    f: impl FnOnce(WholeDrive<C>, &S),
) {
    // SAFETY: the caller's promise.
    unsafe { drive.widen() };
    f(drive, source);
}

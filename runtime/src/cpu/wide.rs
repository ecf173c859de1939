//! Sums in a lane of 32 bytes, of which the other lanes stay as they are.
//!
//! Several of one record, one after the other, are one load, an addition for each type of numbers, and one store: each begins with what the one before it has
//! stored, and the compiler keeps that in a register. By themselves they would be stores of a sum and a count, and a processor that has one line to write to at a time
//! waits for the second. (Sums of 28 gradients and hessians and counts of gathered rows, `docs/measurements/peers.md`: 2.64 cycles a place with two stores,
//! 2.30 with one; a Zen 4, 2026-11-30.) But an update of the record before it waits longer, for one sum after another (sum, sum of squares and count of 8 bins: 0.94 ns instead of 0.83), so that
//! this is for loops whose updates follow each other in others.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32, _mm256_add_epi64,
};
#[cfg(target_arch = "x86_64")]
use std::mem::{transmute, transmute_copy};

use crate::base::bin::Slot;

/// How many bytes there are.
pub(super) const BYTES: usize = 32;

/// Adds a number to a lane of its type. Integers wrap.
///
/// # Safety
///
/// There are as many bytes at `at`, aligned for them, that nobody else uses; and the processor has AVX2.
// The compiler sees through its instructions before it takes it into a loop that may use them.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn add<B: Slot>(at: *mut u8, lane: usize, value: B) {
    let at = at.cast::<__m256i>();
    // SAFETY: the caller's promise. Lanes are numbers of the size and the kind of `B`.
    unsafe {
        let old = *at;
        *at = match (B::FLOAT, size_of::<B>()) {
            // The compiler makes one of two such sums. Zeros would change what numbers of other types are.
            (true, 8) => {
                let mut lanes: [f64; 4] = transmute(old);
                lanes[lane] += transmute_copy::<B, f64>(&value);
                transmute::<[f64; 4], __m256i>(lanes)
            }
            (true, _) => {
                let mut lanes: [f32; 8] = transmute(old);
                lanes[lane] += transmute_copy::<B, f32>(&value);
                transmute::<[f32; 8], __m256i>(lanes)
            }
            (false, 8) => _mm256_add_epi64(
                old,
                transmute::<[u64; 4], __m256i>(among([0u64; 4], lane, value)),
            ),
            (false, 4) => _mm256_add_epi32(
                old,
                transmute::<[u32; 8], __m256i>(among([0u32; 8], lane, value)),
            ),
            (false, 2) => _mm256_add_epi16(
                old,
                transmute::<[u16; 16], __m256i>(among([0u16; 16], lane, value)),
            ),
            (false, _) => _mm256_add_epi8(
                old,
                transmute::<[u8; 32], __m256i>(among([0u8; 32], lane, value)),
            ),
        };
    }
}

/// A number among zeros of its size.
///
/// # Safety
///
/// It is of their size.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn among<B: Slot, L: Copy, const N: usize>(
    mut lanes: [L; N],
    lane: usize,
    value: B,
) -> [L; N] {
    // SAFETY: the caller's promise.
    lanes[lane] = unsafe { transmute_copy::<B, L>(&value) };
    lanes
}

/// No such processor has AVX2.
#[cfg(not(target_arch = "x86_64"))]
pub(super) unsafe fn add<B: Slot>(_: *mut u8, _: usize, _: B) {
    unreachable!("there is no AVX2");
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::level::V3;
    use super::*;

    /// 32 bytes as numbers.
    #[repr(align(32))]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Record<B, const N: usize>([B; N]);

    /// Adds `value` to each lane by itself, and compares with `sum`.
    fn adds<B: Slot, const N: usize>(start: B, value: B, sum: B) {
        assert_eq!(size_of::<Record<B, N>>(), BYTES);
        for lane in 0..N {
            let mut record = Record([start; N]);
            // SAFETY: it is a record, and the processor has AVX2.
            unsafe { add((&raw mut record).cast(), lane, value) };
            let expected = std::array::from_fn(|of| if of == lane { sum } else { start });
            assert_eq!(record, Record(expected));
        }
    }

    #[test]
    fn a_lane_is_added_to_and_others_stay() {
        if V3::of_processor().is_none() {
            return;
        }
        adds::<f64, 4>(-0.0, 2.5, 2.5);
        adds::<f32, 8>(1.0, -2.5, -1.5);
        adds::<u64, 4>(u64::MAX, 3, 2);
        adds::<i32, 8>(i32::MAX, 1, i32::MIN);
        adds::<u16, 16>(9, 65_535, 8);
        adds::<i8, 32>(-128, -1, 127);
    }
}

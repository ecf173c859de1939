//! `tile_reduce`: adds the copies of the bins up into the bins, and leaves the copies neutral.
//!
//! Copies lie one after the other, `copies · bins` accumulators. A block takes a tile of them at a time, `columns` bins
//! wide and `rows` copies high, one thread each: a warp reads neighbouring bins of one copy, so accesses coalesce, and
//! each copy is read once. A thread adds up every `rows`-th copy of its bin, then the rows of the tile are added up
//! through shared memory. With at least as many bins as the grid has threads there is nothing to gain from rows, and the
//! tile is one copy high. Bins and copies to which nothing was done are not written, so every bit of them stays.
//!
//! Ikeda, Ino, Hagihara: "An OpenACC Optimizer for Accelerating Histogram Computation on a GPU", 2016.

use crate::gpu::{self, shared};
use crate::op::{Accumulator, Add, And, Bin, Max, Min, Mul, Op, Or, SaturatingAdd, Sub, Xor};

/// Threads of a block: `accrue_ptx::abi::AUXILIARY_BLOCK`.
const BLOCK: u32 = 256;
/// A tile is at most eight rows high, which leaves a warp for each.
const MOST_DOUBLINGS: u32 = 3;
/// Copies that a thread reads before it writes, so that several loads are in flight.
const AHEAD: usize = 4;

shared::array!(tile, "accrue_tile", 2048);

/// Where the thread of this number puts its sum in the tile.
#[inline(always)]
fn word(thread: u32) -> u64 {
    tile() + u64::from(thread) * 8
}

/// The body of every merge entry, for blocks of 256 threads.
///
/// # Safety
///
/// `bins` is `total` bins, `copies` times as many accumulators lie at `scratch`, `error` is an error record, and
/// nothing else touches them.
#[inline(always)]
unsafe fn merge<B: Bin, O: Op<B>>(
    bins: *mut B,
    total: u64,
    scratch: *mut B::Accumulator,
    copies: u64,
    error: *const u64,
) {
    // SAFETY: the record starts with the smallest failing iteration, all ones if there is none.
    let clean = unsafe { *error } == u64::MAX;
    let threads = u64::from(gpu::blocks()) * u64::from(BLOCK);
    let mut doublings = 0;
    while doublings < MOST_DOUBLINGS && 1 << doublings < copies && total << doublings < threads {
        doublings += 1;
    }
    let (rows, columns) = (1 << doublings, BLOCK >> doublings);
    let (row, column) = (
        gpu::thread() >> (BLOCK.ilog2() - doublings),
        gpu::thread() & (columns - 1),
    );

    let mut first = u64::from(gpu::block()) * u64::from(columns);
    while first < total {
        let bin = first + u64::from(column);
        let mut sum = O::NEUTRAL;
        if bin < total {
            // From copy to copy of this row, in accumulators.
            let step = (u64::from(rows) * total) as usize;
            let mut left = copies.saturating_sub(u64::from(row));
            left = (left + u64::from(rows) - 1) >> doublings;
            // Within the scratch memory while copies are left.
            let mut copy = scratch.wrapping_add((u64::from(row) * total + bin) as usize);
            while left >= AHEAD as u64 {
                // SAFETY: as above; no other thread has this bin of these copies.
                let values: [_; AHEAD] =
                    core::array::from_fn(|i| unsafe { *copy.wrapping_add(i * step) });
                for (i, value) in values.into_iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { clear::<B, O>(copy.wrapping_add(i * step), value) };
                    sum = O::combine(sum, value);
                }
                copy = copy.wrapping_add(AHEAD * step);
                left -= AHEAD as u64;
            }
            while left > 0 {
                // SAFETY: as above.
                let value = unsafe { *copy };
                // SAFETY: as above.
                unsafe { clear::<B, O>(copy, value) };
                sum = O::combine(sum, value);
                copy = copy.wrapping_add(step);
                left -= 1;
            }
        }
        let mut half = rows / 2;
        if half > 0 {
            shared::store64(word(gpu::thread()), sum.to_word());
            gpu::barrier();
            while half > 0 {
                if row < half {
                    let other = shared::load64(word(gpu::thread() + half * columns));
                    let other = B::Accumulator::from_word(other);
                    sum = O::combine(sum, other);
                    shared::store64(word(gpu::thread()), sum.to_word());
                }
                gpu::barrier();
                half /= 2;
            }
        }
        if row == 0 && bin < total && clean && !sum.is(O::NEUTRAL) {
            // SAFETY: bin < total, and no other thread has it.
            unsafe {
                let bin = bins.add(bin as usize);
                *bin = O::apply(*bin, sum);
            }
        }
        first += u64::from(gpu::blocks()) * u64::from(columns);
    }
}

/// Makes one accumulator, which holds `value`, neutral. Most are already where bins are many.
///
/// # Safety
///
/// It may be written.
#[inline(always)]
unsafe fn clear<B: Bin, O: Op<B>>(at: *mut B::Accumulator, value: B::Accumulator) {
    if !value.is(O::NEUTRAL) {
        // SAFETY: the caller's word.
        unsafe { *at = O::NEUTRAL };
    }
}

macro_rules! entries {
    ($($name:ident: $op:ident of $bin:ident;)*) => {$(
        /// Adds the copies of `total` bins at `scratch` up into `bins`, unless the error record holds an error, and
        /// makes the copies neutral. Any grid of blocks of 256 threads.
        ///
        /// # Safety
        ///
        /// `bins` is `total` bins, `copies` times as many accumulators lie at `scratch`, and nothing else touches them.
        // SAFETY: the name is prefixed with the project's and defined once.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(
            bins: *mut $bin,
            total: u64,
            scratch: *mut <$bin as Bin>::Accumulator,
            copies: u64,
            error: *const u64,
        ) {
            // SAFETY: the caller's word.
            unsafe { merge::<$bin, $op>(bins, total, scratch, copies, error) }
        }
    )*};
}
entries! {
    accrue_merge_add_u8: Add of u8;
    accrue_merge_add_u16: Add of u16;
    accrue_merge_add_u32: Add of u32;
    accrue_merge_add_u64: Add of u64;
    accrue_merge_add_f32: Add of f32;
    accrue_merge_add_f64: Add of f64;
    accrue_merge_sub_u8: Sub of u8;
    accrue_merge_sub_u16: Sub of u16;
    accrue_merge_sub_u32: Sub of u32;
    accrue_merge_sub_u64: Sub of u64;
    accrue_merge_sub_f32: Sub of f32;
    accrue_merge_sub_f64: Sub of f64;
    accrue_merge_mul_u8: Mul of u8;
    accrue_merge_mul_u16: Mul of u16;
    accrue_merge_mul_u32: Mul of u32;
    accrue_merge_mul_u64: Mul of u64;
    accrue_merge_mul_f32: Mul of f32;
    accrue_merge_mul_f64: Mul of f64;
    accrue_merge_and_u8: And of u8;
    accrue_merge_and_u16: And of u16;
    accrue_merge_and_u32: And of u32;
    accrue_merge_and_u64: And of u64;
    accrue_merge_or_u8: Or of u8;
    accrue_merge_or_u16: Or of u16;
    accrue_merge_or_u32: Or of u32;
    accrue_merge_or_u64: Or of u64;
    accrue_merge_xor_u8: Xor of u8;
    accrue_merge_xor_u16: Xor of u16;
    accrue_merge_xor_u32: Xor of u32;
    accrue_merge_xor_u64: Xor of u64;
    accrue_merge_min_u8: Min of u8;
    accrue_merge_min_u16: Min of u16;
    accrue_merge_min_u32: Min of u32;
    accrue_merge_min_u64: Min of u64;
    accrue_merge_min_i8: Min of i8;
    accrue_merge_min_i16: Min of i16;
    accrue_merge_min_i32: Min of i32;
    accrue_merge_min_i64: Min of i64;
    accrue_merge_min_f32: Min of f32;
    accrue_merge_min_f64: Min of f64;
    accrue_merge_max_u8: Max of u8;
    accrue_merge_max_u16: Max of u16;
    accrue_merge_max_u32: Max of u32;
    accrue_merge_max_u64: Max of u64;
    accrue_merge_max_i8: Max of i8;
    accrue_merge_max_i16: Max of i16;
    accrue_merge_max_i32: Max of i32;
    accrue_merge_max_i64: Max of i64;
    accrue_merge_max_f32: Max of f32;
    accrue_merge_max_f64: Max of f64;
    accrue_merge_saturating_add_u8: SaturatingAdd of u8;
    accrue_merge_saturating_add_u16: SaturatingAdd of u16;
    accrue_merge_saturating_add_u32: SaturatingAdd of u32;
    accrue_merge_saturating_add_u64: SaturatingAdd of u64;
}

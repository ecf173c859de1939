//! Key sampling: what a sample of bin indices says about the whole, for choosing a strategy.
//!
//! One block. Beside each index stands what its lane can tell of the warp of 32 consecutive iterations: how many bins and
//! how many sectors of 32 bytes these touch decides what an atomic update in device or shared memory costs. Over the
//! whole sample, a hash table in shared memory counts how often each bin occurs.

use crate::gpu::{self, shared};

/// The most indices that are looked at.
const MOST_INDICES: u64 = 2048;
/// Slots of the hash table, so that at most half are taken: an index and a count each, 8 bytes.
const SLOTS: u32 = 4096;
/// No index.
const EMPTY: u32 = u32::MAX;

/// The parts of a look, as `accrue_ptx::sample` says: how many lanes have the bin, that the lane is the first of its sector, that it
/// begins a run.
const LANES: u32 = 0x3f;
const SECTOR: u32 = 0x40;
const RUN: u32 = 0x80;

shared::array!(table, "accrue_sample_table", 32768);
shared::array!(totals, "accrue_sample_totals", 32);

/// What is counted, as `accrue_ptx::sample::KeySample` reads it.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Total {
    /// Indices looked at: 32 for each warp.
    Samples,
    /// Different bins among them.
    Distinct,
    /// Occurrences of the bin that occurs most.
    Largest,
    /// Runs of equal neighbours, each within a warp.
    Runs,
    /// Sectors of 32 bytes that a warp touches, summed over warps.
    Sectors,
    /// Lanes of a warp with the same bin, at most; summed over warps.
    Conflicts,
}
const TOTALS: u32 = 8;

impl Total {
    #[inline(always)]
    fn at(self) -> u64 {
        totals() + self as u64 * 4
    }
}

/// Counts over the first `count` of `looks`, up to 2048 and in whole warps; writes eight `u32` to `result`, the last two 0. One block of a
/// multiple of 32 threads.
///
/// # Safety
///
/// `looks` is `count` of what `accrue_ptx::sample::looks` tells of, `result` is 32 bytes, and nothing else touches them.
// SAFETY: the name is prefixed with the project's and defined once.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn accrue_sample_keys(
    looks: *const u64,
    count: u64,
    result: *mut u32,
) {
    let (thread, threads) = (gpu::thread(), gpu::threads());
    let count = (count.min(MOST_INDICES) & !31) as u32;

    let mut slot = thread;
    while slot < SLOTS {
        shared::store64(table() + u64::from(slot) * 8, u64::from(EMPTY));
        slot += threads;
    }
    if thread < TOTALS {
        shared::store32(totals() + u64::from(thread) * 4, 0);
    }
    gpu::barrier();

    let mut seen = Seen::default();
    let mut sample = thread;
    while sample < count {
        // SAFETY: sample < count.
        let look = unsafe { *looks.add(sample as usize) };
        seen.add(look as u32, (look >> 32) as u32);
        sample += threads;
    }
    seen.tell();
    gpu::barrier();

    if thread < TOTALS {
        // SAFETY: `result` is that large, and each thread has another word.
        unsafe { *result.add(thread as usize) = shared::load32(totals() + u64::from(thread) * 4) };
    }
}

/// What a warp has counted. Every lane has the same numbers but for `largest`.
#[derive(Clone, Copy, Default)]
struct Seen {
    samples: u32,
    distinct: u32,
    largest: u32,
    runs: u32,
    sectors: u32,
    conflicts: u32,
}

impl Seen {
    /// Counts an index and what its lane tells; the whole warp gets here. Of lanes with the same bin one enters it for all, so that a
    /// hot bin is no queue in the table.
    #[inline(always)]
    fn add(&mut self, key: u32, look: u32) {
        let lanes = look & LANES;
        let mut is_new = false;
        if lanes > 0 {
            let before = enter(key, lanes);
            is_new = before == 0;
            self.largest = self.largest.max(before + lanes);
        }
        self.samples += 32;
        self.distinct += gpu::lanes_where(is_new).count_ones();
        self.runs += gpu::lanes_where(look & RUN > 0).count_ones();
        self.sectors += gpu::lanes_where(look & SECTOR > 0).count_ones();
        self.conflicts += most(lanes);
    }

    /// Adds the warp's numbers to the block's; the whole warp gets here.
    #[inline(always)]
    fn tell(&self) {
        let largest = most(self.largest);
        if gpu::lane() == 0 {
            shared::add32(Total::Samples.at(), self.samples);
            shared::add32(Total::Distinct.at(), self.distinct);
            shared::max32(Total::Largest.at(), largest);
            shared::add32(Total::Runs.at(), self.runs);
            shared::add32(Total::Sectors.at(), self.sectors);
            shared::add32(Total::Conflicts.at(), self.conflicts);
        }
    }
}

/// The largest `number` of the lanes; the whole warp gets here.
#[inline(always)]
fn most(number: u32) -> u32 {
    let mut most = number;
    let mut across = 16;
    while across > 0 {
        most = most.max(gpu::from_lane_across(most, across));
        across /= 2;
    }
    most
}

/// Counts `key` another `times` in the hash table, at least once; returns how often it was there before.
#[inline(always)]
fn enter(key: u32, times: u32) -> u32 {
    // Fibonacci hashing: the top bits of the product with 2^32 / φ.
    let mut slot = key.wrapping_mul(0x9e37_79b9) >> (32 - SLOTS.ilog2());
    loop {
        let at = table() + u64::from(slot) * 8;
        let old = shared::compare_and_swap32(at, EMPTY, key);
        if old == EMPTY || old == key {
            return shared::add32(at + 4, times);
        }
        slot = (slot + 1) & (SLOTS - 1);
    }
}

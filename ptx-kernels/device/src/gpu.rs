//! The few things of a GPU that Rust has no word for: who a thread is, barriers, shared memory.

use core::arch::{asm, nvptx};

/// Position of the thread in its block.
#[inline(always)]
pub(crate) fn thread() -> u32 {
    // SAFETY: reads a register.
    unsafe { nvptx::_thread_idx_x() as u32 }
}

/// Threads of a block.
#[inline(always)]
pub(crate) fn threads() -> u32 {
    // SAFETY: reads a register.
    unsafe { nvptx::_block_dim_x() as u32 }
}

/// Position of the block in the grid.
#[inline(always)]
pub(crate) fn block() -> u32 {
    // SAFETY: reads a register.
    unsafe { nvptx::_block_idx_x() as u32 }
}

/// Blocks of the grid.
#[inline(always)]
pub(crate) fn blocks() -> u32 {
    // SAFETY: reads a register.
    unsafe { nvptx::_grid_dim_x() as u32 }
}

/// Waits for all threads of the block, and makes what they wrote to memory visible to them.
#[inline(always)]
pub(crate) fn barrier() {
    // SAFETY: callers reach it with the whole block.
    unsafe { asm!("bar.sync 0;") }
}

/// All lanes of a warp.
const WARP: u32 = u32::MAX;

/// Position of the thread in its warp.
#[inline(always)]
pub(crate) fn lane() -> u32 {
    thread() & 31
}

/// `value` of the lane whose number differs in the bits of `mask`.
#[inline(always)]
pub(crate) fn from_lane_across(value: u32, mask: u32) -> u32 {
    let across;
    // SAFETY: callers reach it with the whole warp.
    unsafe {
        asm!("shfl.sync.bfly.b32 {across}, {value}, {mask}, 31, {warp};", across = out(reg32) across,
            value = in(reg32) value, mask = in(reg32) mask, warp = in(reg32) WARP);
    }
    across
}

/// The lanes for which `it` holds.
#[inline(always)]
pub(crate) fn lanes_where(it: bool) -> u32 {
    let lanes;
    // SAFETY: callers reach it with the whole warp.
    unsafe {
        asm!("{{ .reg .pred holds; setp.ne.b32 holds, {it}, 0; vote.sync.ballot.b32 {lanes}, holds, {warp}; }}",
            it = in(reg32) u32::from(it), lanes = out(reg32) lanes, warp = in(reg32) WARP);
    }
    lanes
}

/// Shared memory, by address. Callers keep to their arrays, and a barrier stands between plain accesses of two threads.
pub(crate) mod shared {
    use core::arch::asm;

    /// Declares an array in shared memory and a function that returns its address.
    macro_rules! array {
        ($name:ident, $symbol:literal, $bytes:literal) => {
            core::arch::global_asm!(concat!(".shared .align 16 .b8 ", $symbol, "[", $bytes, "];"));

            #[inline(always)]
            fn $name() -> u64 {
                let base: u64;
                // SAFETY: reads an address.
                unsafe {
                    core::arch::asm!(concat!("mov.b64 {base}, ", $symbol, ";"), base = out(reg64) base,
                        options(pure, nomem));
                }
                base
            }
        };
    }
    pub(crate) use array;

    #[inline(always)]
    pub(crate) fn store64(at: u64, word: u64) {
        // SAFETY: as the module says.
        unsafe { asm!("st.shared.b64 [{at}], {word};", at = in(reg64) at, word = in(reg64) word) }
    }

    #[inline(always)]
    pub(crate) fn load64(at: u64) -> u64 {
        let word;
        // SAFETY: as the module says.
        unsafe { asm!("ld.shared.b64 {word}, [{at}];", at = in(reg64) at, word = out(reg64) word) }
        word
    }

    #[inline(always)]
    pub(crate) fn store32(at: u64, word: u32) {
        // SAFETY: as the module says.
        unsafe { asm!("st.shared.b32 [{at}], {word};", at = in(reg64) at, word = in(reg32) word) }
    }

    #[inline(always)]
    pub(crate) fn load32(at: u64) -> u32 {
        let word;
        // SAFETY: as the module says.
        unsafe { asm!("ld.shared.b32 {word}, [{at}];", at = in(reg64) at, word = out(reg32) word) }
        word
    }

    /// Adds `value` atomically; returns what was there.
    #[inline(always)]
    pub(crate) fn add32(at: u64, value: u32) -> u32 {
        let old;
        // SAFETY: as the module says.
        unsafe {
            asm!("atom.shared.add.u32 {old}, [{at}], {value};", old = out(reg32) old, at = in(reg64) at,
                value = in(reg32) value);
        }
        old
    }

    /// Takes the larger of both atomically.
    #[inline(always)]
    pub(crate) fn max32(at: u64, value: u32) {
        // SAFETY: as the module says.
        unsafe {
            asm!("red.shared.max.u32 [{at}], {value};", at = in(reg64) at, value = in(reg32) value)
        }
    }

    /// Writes `new` where `expected` is, atomically; returns what was there.
    #[inline(always)]
    pub(crate) fn compare_and_swap32(at: u64, expected: u32, new: u32) -> u32 {
        let old;
        // SAFETY: as the module says.
        unsafe {
            asm!("atom.shared.cas.b32 {old}, [{at}], {expected}, {new};", old = out(reg32) old, at = in(reg64) at,
                expected = in(reg32) expected, new = in(reg32) new);
        }
        old
    }
}

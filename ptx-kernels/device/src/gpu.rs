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

core::arch::global_asm!(".shared .align 16 .b8 accrue_tile[2048];");

/// The tile: shared memory through which the threads of a block exchange partial results, a word of 8 bytes for each of
/// 256 threads.
pub(crate) struct Tile;

impl Tile {
    /// Writes the word at `index`.
    #[inline(always)]
    pub(crate) fn write(index: u32, word: u64) {
        // SAFETY: callers stay below 256, and a barrier stands between a write and others' reads.
        unsafe {
            asm!("st.shared.b64 [{at}], {word};", at = in(reg64) Self::at(index), word = in(reg64) word)
        }
    }

    /// The word at `index`.
    #[inline(always)]
    pub(crate) fn read(index: u32) -> u64 {
        let word;
        // SAFETY: as for `write`.
        unsafe {
            asm!("ld.shared.b64 {word}, [{at}];", at = in(reg64) Self::at(index), word = out(reg64) word)
        }
        word
    }

    #[inline(always)]
    fn at(index: u32) -> u64 {
        let base: u64;
        // SAFETY: reads an address.
        unsafe {
            asm!("mov.b64 {base}, accrue_tile;", base = out(reg64) base, options(pure, nomem))
        }
        base + u64::from(index) * 8
    }
}

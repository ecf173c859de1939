//! Device code of accrue, compiled to PTX by rustc's `nvptx64-nvidia-cuda` target (`build.sh`).
//!
//! `accrue_ptx::library` serves the result piece by piece; nothing else links to this crate.
#![no_std]
#![feature(abi_ptx, asm_experimental_arch, stdarch_nvptx)]
#![warn(missing_docs)]

mod gpu;
pub mod initialise;
pub mod math;
pub mod merge;
mod op;
pub mod sample;

/// Nothing here panics; split.rs refuses PTX in which a panic is left.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

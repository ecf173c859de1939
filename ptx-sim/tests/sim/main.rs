//! The simulator, from outside: every instruction against Rust, whole kernels, wrong kernels.

mod faults;
mod harness;
mod host;
mod instructions_bits;
mod instructions_convert;
mod instructions_float;
mod instructions_int;
mod memory;
mod order;
mod parse;
mod programs;
mod warp;

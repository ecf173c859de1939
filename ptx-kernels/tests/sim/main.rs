//! The simulator, from outside: every instruction against Rust, whole kernels, wrong kernels.
#![cfg(feature = "sim")]

mod harness;
mod instructions_bits;
mod instructions_convert;
mod instructions_float;
mod instructions_int;
mod programs;

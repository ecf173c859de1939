//! Random loops of every kind that rustc compiles in two forms: as they are, and as `#[offload]` makes them.
//!
//! The attribute is expanded by the compiler that this crate is linked with, without kernels: rustc has only the text to compile, and a loop
//! that is refused costs it nothing. One crate holds many programs ([`Rustc`](crate::rustc::Rustc)), and its [`judge`] calls both forms
//! with many arguments in every way that the CPU has.

pub mod glue;
pub mod judge;
pub mod program;

mod data;
mod ends;
mod forms;

//! accrue-compiler: from a sequential loop to a parallel one.

pub mod diag;
pub mod emit_gpu;
pub mod ir;
pub mod methods;
pub mod parse;
pub mod plan;
pub mod source;

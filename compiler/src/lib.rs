//! accrue-compiler: from a sequential loop to a parallel one.
pub mod ir;

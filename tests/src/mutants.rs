//! Mutants of the kernels that ship: which there are, and what of the test suite notices one.
//!
//! The mistakes themselves are [`ptx_sim::mutate`]'s.

pub mod draw;
pub mod plant;
pub mod suite;

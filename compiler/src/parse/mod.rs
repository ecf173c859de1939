//! From tokens to the loop IR.

pub mod args;
pub mod iteration;
pub mod sites;

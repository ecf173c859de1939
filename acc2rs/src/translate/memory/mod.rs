//! What the pointers and variables of a program are in Rust: the shape of each pointer, where locals are declared, which loops are ranges.

pub(crate) mod exchange;
pub(crate) mod plan;
pub(crate) mod range;
pub(crate) mod shape;
pub(crate) mod shapes;
pub(crate) mod stale;

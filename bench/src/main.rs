//! accrue-bench.
fn main() {}

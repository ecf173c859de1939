//! accrue-plan: what the iterations of a loop do to each other, what it can run as, and its form for CPU cores. No API for users.
//!
//! It knows the IR, and nothing of how loops are parsed.

pub mod confirm;
pub mod detect;
pub mod emit_cpu;
pub mod guard;
pub mod on;
pub mod over;
pub mod plan;
#[cfg(test)]
mod tests;
pub mod verify;

use accrue_ir::{alias, beside, dependence, diag, ir, methods, parsed, sorted, source, syntax};

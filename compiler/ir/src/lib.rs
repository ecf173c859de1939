//! accrue-ir: what all stages of accrue's compiler know: the loop IR, the user's syntax, diagnostics, and what parsing yields.
//!
//! The stages are in crates of their own, so that those that need nothing of each other are built side by side. No API for users.

pub mod alias;
pub mod beside;
pub mod dependence;
pub mod diag;
pub mod ir;
pub mod mentions;
pub mod methods;
pub mod parsed;
// For the tests of this crate and of those behind it.
#[doc(hidden)]
pub mod random;
pub mod sorted;
pub mod source;
pub mod syntax;

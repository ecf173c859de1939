//! accrue-parse: from a function to its loops in IR, the front half of accrue's compiler. No API for users.

pub mod infer;
pub mod layout;
pub mod parse;

use accrue_ir::{alias, beside, diag, ir, mentions, methods, parsed, sorted, source, syntax};

//! The lowest floor: what every other one imports. Nothing here writes the program, and nothing knows Rust but as names and text.

pub(crate) mod code;
pub(crate) mod facts;
pub(crate) mod flows;
pub(crate) mod format;
pub(crate) mod function_types;
pub(crate) mod names;
pub(crate) mod places;
pub(crate) mod searching;
pub(crate) mod swap;
pub(crate) mod text;
pub(crate) mod update;
pub(crate) mod usage;

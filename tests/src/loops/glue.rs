//! What the text of a program names, beside its two forms.

pub use crate::argument::Argument;
pub use crate::data::Data;
pub use crate::quiet::expected;

pub use super::judge::{Judge, Loop};
pub use super::program::Kind;

/// Puts what a call left of a parameter, or returned, where it is compared.
pub fn put(data: &mut Data, name: &str, bytes: Vec<u8>) {
    data.0.insert(name.to_owned(), bytes);
}

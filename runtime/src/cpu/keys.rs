//! By what iterations are alike, where that is a byte or a few.
//!
//! A body that runs the same way for every item with the same value, and of which nobody can tell how often it ran, need not run for each item: it runs once for
//! each *value*, and its updates are made as often as the value occurs. What its items are is asked of rustc: the source of a loop over
//! `&[u8]` has keys, one over a user's own type has none.
//!
//! Where items have several bytes (`&[[u8; 3]]`) the compiler says which of them each update depends on.

use super::bytes::Words;
use super::source::{Chunks, Copied, Elements};
use crate::base::seen::Seen;

/// The values by which a loop's items are alike.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a>(pub(super) Words<'a>);

/// Sources whose items are such values.
pub trait Keyed {
    /// The values of all items, if there are such.
    fn keys(&self) -> Option<Keys<'_>>;
}

macro_rules! keyed {
    ($($word:ident $kind:ident;)*) => {$(
        impl Keyed for Elements<'_, $word> {
            #[inline]
            fn keys(&self) -> Option<Keys<'_>> {
                Some(Keys(Words::$kind(self.0)))
            }
        }
    )*};
}
keyed! { u8 Bytes; u16 Halves; u32 Singles; }

macro_rules! columns {
    ($($columns:literal $kind:ident)*) => {$(
        impl Keyed for Elements<'_, [u8; $columns]> {
            #[inline]
            fn keys(&self) -> Option<Keys<'_>> {
                Some(Keys(Words::$kind(self.0)))
            }
        }
    )*};
}
columns!(2 Pairs 3 Triples 4 Quads);

impl<S: Keyed> Keyed for Copied<S> {
    #[inline]
    fn keys(&self) -> Option<Keys<'_>> {
        self.0.keys()
    }
}

impl Keyed for Chunks<'_, u8, true> {
    #[inline]
    fn keys(&self) -> Option<Keys<'_>> {
        let (bytes, columns) = self.whole();
        Words::in_columns(bytes, columns).map(Keys)
    }
}

/// The answer of a source with keys.
pub trait AskKeys<'a> {
    /// They are.
    fn __accrue_keys(&self) -> Option<Keys<'a>>;
}

impl<'a, S: Keyed> AskKeys<'a> for &Seen<'a, (), S> {
    #[inline]
    fn __accrue_keys(&self) -> Option<Keys<'a>> {
        self.of().keys()
    }
}

/// The answer of any other source.
pub trait AskNoKeys<'a> {
    /// None.
    fn __accrue_keys(&self) -> Option<Keys<'a>>;
}

impl<'a, S> AskNoKeys<'a> for Seen<'a, (), S> {
    #[inline]
    fn __accrue_keys(&self) -> Option<Keys<'a>> {
        None
    }
}

//! The loops of a function.

use proc_macro2::Span;
use syn::{ExprForLoop, Ident};

use super::outer::OuterScope;

/// A loop that updates something from outside itself.
pub struct Candidate<'a> {
    /// The function that it stands in.
    pub function: &'a Ident,
    /// Its number among the candidates of the function.
    pub ordinal: usize,
    /// The loop.
    pub syntax: &'a ExprForLoop,
    /// Which `for` of the function it is, in the order in which `syn::visit` enters them.
    pub nth_for: usize,
    /// What is declared around it.
    pub outer: OuterScope,
    /// How many loops of the function, of any kind, it stands in.
    pub depth: usize,
    /// The loops around it that go in order without a mark, outermost first.
    pub within: Vec<usize>,
}

/// A loop that stays sequential, for `explain`.
pub struct Sequential {
    /// Where it starts.
    pub span: Span,
    /// Why.
    pub why: String,
}

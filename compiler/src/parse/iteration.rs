//! Iteration expressions (`pixels.iter().enumerate().skip(1)`) as a base and its adaptors.

use syn::Expr;

/// What a `for` loop iterates over, recognised by its form.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Where the items come from.
    pub base: Base,
    /// What is done to them, innermost first.
    pub adaptors: Vec<Adaptor>,
    /// The expression as the user wrote it.
    pub expr: Expr,
}

/// Where the items of a [`Chain`] come from.
#[derive(Clone, Debug)]
pub enum Base {
    /// `start..end` or `start..=end`.
    Range {
        /// The first number.
        start: Expr,
        /// The end.
        end: Expr,
        /// Whether the end is included.
        inclusive: bool,
    },
    /// The elements of a slice, an array or a `Vec` by reference: `x`, `&x`, `x.iter()`, `&x[a..b]`.
    /// The expression is the one before `.iter()`, and without `&`.
    Elements(Expr),
    /// `s.bytes()` of a `str`: bytes by value. The expression is the one before `.bytes()`.
    Bytes(Expr),
    /// `x.chunks_exact(k)` of a slice.
    ChunksExact(Expr, Expr),
    /// `x.windows(k)` of a slice.
    Windows(Expr, Expr),
}

/// What an adaptor of a [`Chain`] does to the items before it.
#[derive(Clone, Debug)]
pub enum Adaptor {
    /// `.copied()` and `.cloned()`.
    Copied,
    /// `.enumerate()`.
    Enumerate,
    /// `.zip(other)`.
    Zip(Box<Chain>),
    /// `.skip(n)`.
    Skip(Expr),
    /// `.take(n)`.
    Take(Expr),
    /// `.rev()`.
    Rev,
    /// `.step_by(k)`.
    StepBy(Expr),
}

//! The elements of a field of which only rustc knows what it is: of a slice behind `&` they can be read, of anything else each iteration has its own.
//!
//! What a loop calls on them may only read, so that either will do, and method resolution finds which it is: a field that is a shared reference itself is
//! the receiver of [`Shared`], whose method comes before that of what the field refers to.

use super::own::Own;

/// A shared reference to elements.
pub trait Shared<'a> {
    /// One of them.
    type Element;

    /// The elements.
    fn __accrue_elements(&self) -> &'a [Self::Element];
}

impl<'a, T> Shared<'a> for &'a [T] {
    type Element = T;

    #[inline(always)]
    fn __accrue_elements(&self) -> &'a [T] {
        self
    }
}

impl<'a, T> Shared<'a> for &'a Vec<T> {
    type Element = T;

    #[inline(always)]
    fn __accrue_elements(&self) -> &'a [T] {
        self
    }
}

impl<'a, T, const N: usize> Shared<'a> for &'a [T; N] {
    type Element = T;

    #[inline(always)]
    fn __accrue_elements(&self) -> &'a [T] {
        *self
    }
}

/// Elements that can be borrowed `&mut`.
pub trait Lent {
    /// One of them.
    type Element;

    /// The elements.
    fn __accrue_elements(&mut self) -> Own<'_, Self::Element>;
}

impl<T> Lent for [T] {
    type Element = T;

    #[inline(always)]
    fn __accrue_elements(&mut self) -> Own<'_, T> {
        Own::new(self)
    }
}

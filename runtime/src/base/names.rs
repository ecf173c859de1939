//! What the compiler took a name for, confirmed by rustc.
//!
//! The attribute sees tokens. Where it acts on a name, a primitive type's, a struct's, a function's, what it emits asks here whether
//! rustc resolves that name to the same thing. Types are compared while the program is compiled; functions, whose types have
//! no names, by the identity of these types, which an optimizer folds into a constant. Nothing of it is left at run time.

use std::any::{Any, TypeId};

use super::device_type::DeviceType;

/// Is implemented for every type and itself.
#[diagnostic::on_unimplemented(
    message = "[accrue::H044] the name of the primitive type `{Real}` stands for `{Self}` here",
    label = "`{Self}`, by the name of `{Real}`",
    note = "`#[offload]` reads the names of primitive types as those types: give the other one a name of its own"
)]
pub trait Is<Real> {}

impl<T> Is<T> for T {}

/// Compiles where a type that was written as a primitive one is that.
pub const fn primitive<Written: Is<Real>, Real>() {}

/// Compiles where the constant that was written as one of a primitive type has that type.
pub const fn constant<Real, Written: Is<Real>>(_: &Written) {}

/// A struct with `#[derive(DeviceType)]`.
#[diagnostic::on_unimplemented(
    message = "[accrue::H046] `{Self}` is not the struct that `uses(..)` names",
    label = "another type of that name",
    note = "write the path in `uses(..)` that leads to this struct, or give one of the two another name"
)]
pub trait Structure: DeviceType {
    /// Which struct it is.
    const FINGERPRINT: u64;
    /// Which structs its fields hold, 0 for what is no such struct.
    const FIELDS: &'static [u64];
    /// The lengths of the arrays in its fields that are no literals, in the order of the text.
    const LENGTHS: &'static [usize];
}

/// Compiles where a type is such a struct.
pub const fn structure<T: Structure>() {}

/// Asks what a type is, if anything: the inherent constant where `T` is such a struct, else the one of [`NoStructure`].
#[derive(Debug)]
pub struct Probe<T>(std::marker::PhantomData<T>);

impl<T: Structure> Probe<T> {
    /// Which struct it is.
    pub const FINGERPRINT: u64 = T::FINGERPRINT;
}

/// What [`Probe`] says of every other type.
pub trait NoStructure {
    /// None.
    const FINGERPRINT: u64 = 0;
}

impl<T> NoStructure for Probe<T> {}

/// The type beside a device function that knows it: implemented for what can be called as the function can.
pub trait DeviceFunction<F> {
    /// Whether a function is this one.
    fn is(function: &F) -> bool;
}

/// Whether two values have the same type. Every function has a type of its own.
#[inline(always)]
pub fn same<A: 'static, B: 'static>(_: &A, _: &B) -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

/// A constant as a number of this type, if that is its type.
#[inline(always)]
pub fn value<T: Copy + 'static, V: 'static>(constant: &V) -> Option<T> {
    (constant as &dyn Any).downcast_ref::<T>().copied()
}

/// How long the rows of an array are.
#[inline(always)]
pub const fn row<T, const N: usize>(_: &[[T; N]]) -> usize {
    N
}

/// How long the rows of an array's rows are.
#[inline(always)]
pub const fn row_of_row<T, const N: usize, const M: usize>(_: &[[[T; N]; M]]) -> usize {
    N
}

//! What a bin may be: Rust's integers and floats.
//!
//! [`Bin`] is what users see, for generic functions. Other traits, hidden from the documentation,
//! say what the operators in [`cpu::op`](crate::cpu::op) need: [`Slot`] for anything that can lie in a table,
//! [`Arithmetic`] for numbers, [`Bits`] for integers and `bool`, [`Unsigned`] for saturating sums. They are not supertraits of `Bin`, whose
//! items would be in scope wherever a user writes `T: Bin` and clash with the user's own `ZERO` and `sum`: every [`Bin`] has them by
//! a blanket implementation, which asks [`Native`].

use super::plain::Plain;
use super::values::Values;
use std::fmt::{Debug, Display};
use std::ops::{Add, AddAssign, Mul, MulAssign, Sub, SubAssign};

/// A number that a loop may count or sum in: an integer of any width, `f32` or `f64`.
///
/// It bounds the type parameter of a generic offloaded function:
///
/// ```
/// fn weigh<B: accrue::Bin>(keys: &[u8], weights: &[B], bins: &mut [B]) {
///     for (&k, &w) in keys.iter().zip(weights) {
///         bins[k as usize] += w;
///     }
/// }
/// let mut bins = [0.0; 3];
/// weigh(&[2, 0, 2], &[1.0, 0.5, 0.25], &mut bins);
/// assert_eq!(bins, [0.5, 0.0, 1.25]);
/// ```
///
/// The trait is sealed: other types do not have the overflow behaviour that the strategies rely on.
#[diagnostic::on_unimplemented(
    message = "[accrue::H032] `{Self}` cannot be a bin of an offloaded loop",
    label = "bins are integers, `f32` or `f64`",
    note = "count in one of these and convert afterwards; update the fields of a struct one by one, `bins[k].x += p.x`; in a generic function, write `T: accrue::Bin`"
)]
pub trait Bin:
    sealed::Sealed
    + Plain
    + Copy
    + Send
    + Sync
    + PartialEq
    + Debug
    + 'static
    + Display
    + Default
    + PartialOrd
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + SubAssign
    + Mul<Output = Self>
    + MulAssign
{
    /// The arithmetic of the type. A name that nobody has, since it is in scope wherever the trait is a bound.
    #[doc(hidden)]
    type __Accrue: Numbers<Self>;
}

mod sealed {
    /// Keeps the set of bin types ours.
    pub trait Sealed {}
}

/// Anything that can lie in a private table.
#[diagnostic::on_unimplemented(
    message = "[accrue::H032] `{Self}` cannot be a bin of an offloaded loop",
    label = "bins are integers, `f32` or `f64`",
    note = "count in one of these and convert afterwards; update the fields of a struct one by one, `bins[k].x += p.x`; in a generic function, write `T: accrue::Bin`"
)]
#[doc(hidden)]
pub trait Slot: sealed::Sealed + Copy + Send + Sync + PartialEq + Debug + 'static {
    /// Whether it is a float.
    const FLOAT: bool;
    /// Some of them, as what is sent between ranks.
    fn values(of: &mut [Self]) -> Values<'_>;
}

impl<T: Bin> Slot for T {
    const FLOAT: bool = <T::__Accrue as Numbers<T>>::FLOAT;
    fn values(of: &mut [T]) -> Values<'_> {
        <T::__Accrue as Numbers<T>>::values(of)
    }
}

// `Bin` is sealed, and no `bool` is one.
impl Slot for bool {
    const FLOAT: bool = false;
    fn values(of: &mut [bool]) -> Values<'_> {
        Values::Bool(of)
    }
}

/// Numbers.
#[doc(hidden)]
pub trait Arithmetic: Slot {
    /// Whether partial sums may be smaller than the total, so that overflow depends on the order.
    const SIGNED: bool;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// `x + SUM_NEUTRAL` is `x`, bit for bit: -0.0 for floats.
    const SUM_NEUTRAL: Self;
    /// `min(x, MIN_NEUTRAL)` is `x`: the largest integer, NaN for floats.
    const MIN_NEUTRAL: Self;
    /// `max(x, MAX_NEUTRAL)` is `x`: the smallest integer, NaN for floats.
    const MAX_NEUTRAL: Self;
    /// The wrapped sum, and whether it overflowed; floats never do.
    fn sum(self, other: Self) -> (Self, bool);
    /// The wrapped difference, and whether it overflowed.
    fn difference(self, other: Self) -> (Self, bool);
    /// What is added where this is subtracted: `x - v` is `x + v.opposite()`, wrapped, and of floats to the last bit.
    fn opposite(self) -> Self;
    /// The wrapped product, and whether it overflowed.
    fn product(self, other: Self) -> (Self, bool);
    /// What `min` of the primitive gives.
    fn least(self, other: Self) -> Self;
    /// What `max` of the primitive gives.
    fn greatest(self, other: Self) -> Self;
}

/// [`Arithmetic`] of a type, said by another.
#[doc(hidden)]
pub trait Numbers<T> {
    /// Whether partial sums may be smaller than the total, so that overflow depends on the order.
    const SIGNED: bool;
    /// Whether it is a float.
    const FLOAT: bool;
    /// Zero.
    const ZERO: T;
    /// One.
    const ONE: T;
    /// `x + SUM_NEUTRAL` is `x`, bit for bit: -0.0 for floats.
    const SUM_NEUTRAL: T;
    /// `min(x, MIN_NEUTRAL)` is `x`: the largest integer, NaN for floats.
    const MIN_NEUTRAL: T;
    /// `max(x, MAX_NEUTRAL)` is `x`: the smallest integer, NaN for floats.
    const MAX_NEUTRAL: T;
    /// The wrapped sum, and whether it overflowed; floats never do.
    fn sum(a: T, b: T) -> (T, bool);
    /// The wrapped difference, and whether it overflowed.
    fn difference(a: T, b: T) -> (T, bool);
    /// What is added where this is subtracted: `x - v` is `x + v.opposite()`, wrapped, and of floats to the last bit.
    fn opposite(a: T) -> T;
    /// The wrapped product, and whether it overflowed.
    fn product(a: T, b: T) -> (T, bool);
    /// What `min` of the primitive gives.
    fn least(a: T, b: T) -> T;
    /// What `max` of the primitive gives.
    fn greatest(a: T, b: T) -> T;
    /// Some of them, as what is sent between ranks.
    fn values(of: &mut [T]) -> Values<'_>;
}

/// The arithmetic of the language.
#[doc(hidden)]
#[derive(Debug)]
pub struct Native;

impl<T: Bin> Arithmetic for T {
    const SIGNED: bool = <T::__Accrue as Numbers<T>>::SIGNED;
    const ZERO: Self = <T::__Accrue as Numbers<T>>::ZERO;
    const ONE: Self = <T::__Accrue as Numbers<T>>::ONE;
    const SUM_NEUTRAL: Self = <T::__Accrue as Numbers<T>>::SUM_NEUTRAL;
    const MIN_NEUTRAL: Self = <T::__Accrue as Numbers<T>>::MIN_NEUTRAL;
    const MAX_NEUTRAL: Self = <T::__Accrue as Numbers<T>>::MAX_NEUTRAL;
    #[inline(always)]
    fn sum(self, other: Self) -> (Self, bool) {
        <T::__Accrue as Numbers<T>>::sum(self, other)
    }
    #[inline(always)]
    fn difference(self, other: Self) -> (Self, bool) {
        <T::__Accrue as Numbers<T>>::difference(self, other)
    }
    #[inline(always)]
    fn opposite(self) -> Self {
        <T::__Accrue as Numbers<T>>::opposite(self)
    }
    #[inline(always)]
    fn product(self, other: Self) -> (Self, bool) {
        <T::__Accrue as Numbers<T>>::product(self, other)
    }
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        <T::__Accrue as Numbers<T>>::least(self, other)
    }
    #[inline(always)]
    fn greatest(self, other: Self) -> Self {
        <T::__Accrue as Numbers<T>>::greatest(self, other)
    }
}

/// Integers and `bool`.
#[doc(hidden)]
pub trait Bits: Slot {
    /// No bit set.
    const NONE: Self;
    /// Every bit set.
    const ALL: Self;
    /// `&`.
    fn and(self, other: Self) -> Self;
    /// `|`.
    fn or(self, other: Self) -> Self;
    /// `^`.
    fn xor(self, other: Self) -> Self;
}

/// Unsigned integers.
#[doc(hidden)]
pub trait Unsigned: Arithmetic {
    /// The sum, or the largest number.
    fn sum_saturating(self, other: Self) -> Self;
}

macro_rules! sealed {
    ($($t:ident)*) => {$(
        impl sealed::Sealed for $t {}
    )*};
}

macro_rules! bits {
    ($($t:ident, $none:expr, $all:expr;)*) => {$(
        impl Bits for $t {
            const NONE: $t = $none;
            const ALL: $t = $all;
            #[inline(always)]
            fn and(self, other: $t) -> $t { self & other }
            #[inline(always)]
            fn or(self, other: $t) -> $t { self | other }
            #[inline(always)]
            fn xor(self, other: $t) -> $t { self ^ other }
        }
    )*};
}

macro_rules! integer {
    ($($t:ident $values:ident)*) => {$(
        bits!($t, 0, !0;);
        impl Bin for $t {
            type __Accrue = Native;
        }
        impl Numbers<$t> for Native {
            const SIGNED: bool = $t::MIN != 0;
            const FLOAT: bool = false;
            const ZERO: $t = 0;
            const ONE: $t = 1;
            const SUM_NEUTRAL: $t = 0;
            const MIN_NEUTRAL: $t = $t::MAX;
            const MAX_NEUTRAL: $t = $t::MIN;
            #[inline(always)]
            fn sum(a: $t, b: $t) -> ($t, bool) { a.overflowing_add(b) }
            #[inline(always)]
            fn difference(a: $t, b: $t) -> ($t, bool) { a.overflowing_sub(b) }
            #[inline(always)]
            fn opposite(a: $t) -> $t { a.wrapping_neg() }
            #[inline(always)]
            fn product(a: $t, b: $t) -> ($t, bool) { a.overflowing_mul(b) }
            #[inline(always)]
            fn least(a: $t, b: $t) -> $t { a.min(b) }
            #[inline(always)]
            fn greatest(a: $t, b: $t) -> $t { a.max(b) }
            fn values(of: &mut [$t]) -> Values<'_> { Values::$values(of) }
        }
    )*};
}

macro_rules! unsigned {
    ($($t:ident)*) => {$(
        impl Unsigned for $t {
            #[inline(always)]
            fn sum_saturating(self, other: $t) -> $t { self.saturating_add(other) }
        }
    )*};
}

macro_rules! float {
    ($($t:ident $values:ident)*) => {$(
        impl Bin for $t {
            type __Accrue = Native;
        }
        impl Numbers<$t> for Native {
            const SIGNED: bool = true;
            const FLOAT: bool = true;
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            const SUM_NEUTRAL: $t = -0.0;
            const MIN_NEUTRAL: $t = $t::NAN;
            const MAX_NEUTRAL: $t = $t::NAN;
            #[inline(always)]
            fn sum(a: $t, b: $t) -> ($t, bool) { (a + b, false) }
            #[inline(always)]
            fn difference(a: $t, b: $t) -> ($t, bool) { (a - b, false) }
            #[inline(always)]
            fn opposite(a: $t) -> $t { -a }
            #[inline(always)]
            fn product(a: $t, b: $t) -> ($t, bool) { (a * b, false) }
            #[inline(always)]
            fn least(a: $t, b: $t) -> $t { a.min(b) }
            #[inline(always)]
            fn greatest(a: $t, b: $t) -> $t { a.max(b) }
            fn values(of: &mut [$t]) -> Values<'_> { Values::$values(of) }
        }
    )*};
}

sealed!(bool u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);
integer!(u8 U8 u16 U16 u32 U32 u64 U64 u128 U128 usize Usize i8 I8 i16 I16 i32 I32 i64 I64 i128 I128 isize Isize);
unsigned!(u8 u16 u32 u64 u128 usize);
float!(f32 F32 f64 F64);
bits!(bool, false, true;);

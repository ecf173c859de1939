//! Arithmetic: for an operation and a type, the function that computes it for the lanes of a warp.
//!
//! Registers hold 64 bits, a value zero-extended into them. The macros below turn an expression
//! over Rust numbers into such a function, one per type, so that a lookup by type at parse gives a
//! plain function pointer to run.

pub(crate) mod approx;
pub(crate) mod atomic;
pub(crate) mod bits;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod int;
pub(crate) mod soft;

use super::isa::WARP;

/// A Rust value as a register holds it.
pub(crate) trait Slot: Copy {
    fn get(v: u64) -> Self;
    fn put(self) -> u64;
}

macro_rules! slots {
    ($($t:ty: $u:ty),*) => {$(
        impl Slot for $t {
            #[inline(always)]
            fn get(v: u64) -> Self { v as $t }
            #[inline(always)]
            fn put(self) -> u64 { u64::from(self as $u) }
        }
    )*};
}

slots!(u8: u8, i8: u8, u16: u16, i16: u16, u32: u32, i32: u32, u64: u64, i64: u64);

impl Slot for f32 {
    #[inline(always)]
    fn get(v: u64) -> Self {
        f32::from_bits(v as u32)
    }
    #[inline(always)]
    fn put(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Slot for f64 {
    #[inline(always)]
    fn get(v: u64) -> Self {
        f64::from_bits(v)
    }
    #[inline(always)]
    fn put(self) -> u64 {
        self.to_bits()
    }
}

/// Calls `f` with the lanes of `mask`.
#[inline(always)]
pub(crate) fn each(mask: u32, mut f: impl FnMut(usize)) {
    if mask == u32::MAX {
        for i in 0..WARP {
            f(i);
        }
    } else {
        let mut left = mask;
        while left != 0 {
            f((left.trailing_zeros() & 31) as usize);
            left &= left - 1;
        }
    }
}

/// `lanes!(|a: u32, b: u32| expression)`: a function over lanes with one, two or three operands.
macro_rules! lanes {
    (|$a:ident: $ta:ty| $e:expr) => {{
        let f: $crate::isa::Fn1 = |out, x, mask| {
            $crate::alu::each(mask, |i| {
                let $a = <$ta as $crate::alu::Slot>::get(x[i]);
                out[i] = $crate::alu::Slot::put($e);
            })
        };
        f
    }};
    (|$a:ident: $ta:ty, $b:ident: $tb:ty| $e:expr) => {{
        let f: $crate::isa::Fn2 = |out, x, y, mask| {
            $crate::alu::each(mask, |i| {
                let $a = <$ta as $crate::alu::Slot>::get(x[i]);
                let $b = <$tb as $crate::alu::Slot>::get(y[i]);
                out[i] = $crate::alu::Slot::put($e);
            })
        };
        f
    }};
    (|$a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty| $e:expr) => {{
        let f: $crate::isa::Fn3 = |out, x, y, z, mask| {
            $crate::alu::each(mask, |i| {
                let $a = <$ta as $crate::alu::Slot>::get(x[i]);
                let $b = <$tb as $crate::alu::Slot>::get(y[i]);
                let $c = <$tc as $crate::alu::Slot>::get(z[i]);
                out[i] = $crate::alu::Slot::put($e);
            })
        };
        f
    }};
}

/// `by_type!(ty, { U32: u32, S32: i32 }, |a, b| a.wrapping_add(b))`: the `lanes!` of the first
/// matching type (called `T` in the expression), or `None`.
macro_rules! by_type {
    ($ty:expr, {$($v:ident: $t:ty),* $(,)?}, |$a:ident| $e:expr) => {
        match $ty {
            $($crate::isa::Type::$v => {
                #[allow(dead_code)]
                type T = $t;
                Some(lanes!(|$a: $t| $e))
            })*
            _ => None,
        }
    };
    ($ty:expr, {$($v:ident: $t:ty),* $(,)?}, |$a:ident, $b:ident| $e:expr) => {
        match $ty {
            $($crate::isa::Type::$v => {
                #[allow(dead_code)]
                type T = $t;
                Some(lanes!(|$a: $t, $b: $t| $e))
            })*
            _ => None,
        }
    };
    ($ty:expr, {$($v:ident: $t:ty),* $(,)?}, |$a:ident, $b:ident, $c:ident| $e:expr) => {
        match $ty {
            $($crate::isa::Type::$v => {
                #[allow(dead_code)]
                type T = $t;
                Some(lanes!(|$a: $t, $b: $t, $c: $t| $e))
            })*
            _ => None,
        }
    };
}

/// `ints!(ty, |a, b| ..)`: [`by_type`] over the integer types of registers.
macro_rules! ints {
    ($ty:expr, |$($a:ident),+| $e:expr) => {
        by_type!($ty, { U16: u16, S16: i16, U32: u32, S32: i32, U64: u64, S64: i64 }, |$($a),+| $e)
    };
}

/// [`by_type`] over the untyped types of registers.
macro_rules! untyped {
    ($ty:expr, |$($a:ident),+| $e:expr) => {
        by_type!($ty, { B16: u16, B32: u32, B64: u64 }, |$($a),+| $e)
    };
}

pub(crate) use {by_type, ints, lanes, untyped};

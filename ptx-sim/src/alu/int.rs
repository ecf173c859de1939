//! Integer arithmetic, "Integer Arithmetic Instructions" in the PTX ISA. Everything wraps.

use super::{by_type, ints, lanes};
use crate::isa::{Fn1, Fn2, Fn3, Type};

pub(crate) fn add(ty: Type) -> Option<Fn2> {
    ints!(ty, |a, b| a.wrapping_add(b))
}

/// `add.u16x2`, `add.s16x2`: both halves by themselves.
pub(crate) fn add_x2() -> Fn2 {
    lanes!(|a: u32, b: u32| {
        (a & 0xffff).wrapping_add(b) & 0xffff | (a & 0xffff_0000).wrapping_add(b & 0xffff_0000)
    })
}

pub(crate) fn sub(ty: Type) -> Option<Fn2> {
    ints!(ty, |a, b| a.wrapping_sub(b))
}

/// `add.sat.s32`, `sub.sat.s32`.
pub(crate) fn add_sat() -> Fn2 {
    lanes!(|a: i32, b: i32| a.saturating_add(b))
}

pub(crate) fn sub_sat() -> Fn2 {
    lanes!(|a: i32, b: i32| a.saturating_sub(b))
}

/// Which part of a product is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Lo,
    Hi,
    Wide,
}

pub(crate) fn mul(ty: Type, part: Part) -> Option<Fn2> {
    match (part, ty) {
        (Part::Lo, _) => ints!(ty, |a, b| a.wrapping_mul(b)),
        (Part::Hi, Type::U64) => Some(lanes!(|a: u64, b: u64| {
            ((u128::from(a) * u128::from(b)) >> 64) as u64
        })),
        (Part::Hi, _) => by_type!(
            ty,
            { U16: u16, S16: i16, U32: u32, S32: i32, S64: i64 },
            |a, b| ((i128::from(a) * i128::from(b)) >> T::BITS) as T
        ),
        (Part::Wide, Type::U16) => Some(lanes!(|a: u16, b: u16| u32::from(a) * u32::from(b))),
        (Part::Wide, Type::S16) => Some(lanes!(|a: i16, b: i16| i32::from(a) * i32::from(b))),
        (Part::Wide, Type::U32) => Some(lanes!(|a: u32, b: u32| u64::from(a) * u64::from(b))),
        (Part::Wide, Type::S32) => Some(lanes!(|a: i32, b: i32| i64::from(a) * i64::from(b))),
        _ => None,
    }
}

pub(crate) fn mad(ty: Type, part: Part) -> Option<Fn3> {
    match (part, ty) {
        (Part::Lo, _) => ints!(ty, |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
        (Part::Hi, Type::U64) => Some(lanes!(|a: u64, b: u64, c: u64| {
            (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c)
        })),
        (Part::Hi, _) => by_type!(
            ty,
            { U16: u16, S16: i16, U32: u32, S32: i32, S64: i64 },
            |a, b, c| (((i128::from(a) * i128::from(b)) >> T::BITS) as T).wrapping_add(c)
        ),
        (Part::Wide, Type::U16) => Some(lanes!(|a: u16, b: u16, c: u32| {
            (u32::from(a) * u32::from(b)).wrapping_add(c)
        })),
        (Part::Wide, Type::S16) => Some(lanes!(|a: i16, b: i16, c: i32| {
            (i32::from(a) * i32::from(b)).wrapping_add(c)
        })),
        (Part::Wide, Type::U32) => Some(lanes!(|a: u32, b: u32, c: u64| {
            (u64::from(a) * u64::from(b)).wrapping_add(c)
        })),
        (Part::Wide, Type::S32) => Some(lanes!(|a: i32, b: i32, c: i64| {
            (i64::from(a) * i64::from(b)).wrapping_add(c)
        })),
        _ => None,
    }
}

/// `mad.hi.sat.s32`.
pub(crate) fn mad_hi_sat() -> Fn3 {
    lanes!(|a: i32, b: i32, c: i32| {
        (((i64::from(a) * i64::from(b)) >> 32) + i64::from(c))
            .clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    })
}

/// The product of the low 24 bits of two numbers: its low or high 32 of 48 bits.
#[inline(always)]
fn product24<const HI: bool>(a: i64, b: i64) -> u32 {
    let product = a * b;
    (if HI { product >> 16 } else { product }) as u32
}

fn low24u(a: u32) -> i64 {
    i64::from(a & 0xff_ffff)
}

fn low24s(a: i32) -> i64 {
    i64::from(a << 8 >> 8)
}

/// `mul24.lo`, `mul24.hi`.
pub(crate) fn mul24(signed: bool, hi: bool) -> Fn2 {
    match (signed, hi) {
        (false, false) => lanes!(|a: u32, b: u32| product24::<false>(low24u(a), low24u(b))),
        (false, true) => lanes!(|a: u32, b: u32| product24::<true>(low24u(a), low24u(b))),
        (true, false) => lanes!(|a: i32, b: i32| product24::<false>(low24s(a), low24s(b))),
        (true, true) => lanes!(|a: i32, b: i32| product24::<true>(low24s(a), low24s(b))),
    }
}

/// `mad24.lo`, `mad24.hi`.
pub(crate) fn mad24(signed: bool, hi: bool) -> Fn3 {
    macro_rules! mad {
        ($t:ty, $low:ident, $hi:literal) => {
            lanes!(|a: $t, b: $t, c: u32| product24::<$hi>($low(a), $low(b)).wrapping_add(c))
        };
    }
    match (signed, hi) {
        (false, false) => mad!(u32, low24u, false),
        (false, true) => mad!(u32, low24u, true),
        (true, false) => mad!(i32, low24s, false),
        (true, true) => mad!(i32, low24s, true),
    }
}

/// Division towards zero; the caller has excluded a zero divisor, and `MIN / -1` wraps.
pub(crate) fn div(ty: Type) -> Option<Fn2> {
    ints!(ty, |a, b| a.wrapping_div(b))
}

pub(crate) fn rem(ty: Type) -> Option<Fn2> {
    ints!(ty, |a, b| a.wrapping_rem(b))
}

pub(crate) fn abs(ty: Type) -> Option<Fn1> {
    by_type!(ty, { S16: i16, S32: i32, S64: i64 }, |a| a.wrapping_abs())
}

pub(crate) fn neg(ty: Type) -> Option<Fn1> {
    by_type!(ty, { S16: i16, S32: i32, S64: i64 }, |a| a.wrapping_neg())
}

pub(crate) fn min(ty: Type) -> Option<Fn2> {
    ints!(ty, |a, b| a.min(b))
}

pub(crate) fn max(ty: Type) -> Option<Fn2> {
    ints!(ty, |a, b| a.max(b))
}

/// `c + |a - b|`.
pub(crate) fn sad(ty: Type) -> Option<Fn3> {
    ints!(ty, |a, b, c| c
        .wrapping_add(a.max(b).wrapping_sub(a.min(b))))
}

/// `dp4a`: the dot product of four bytes each, plus `c`.
pub(crate) fn dp4a(a_signed: bool, b_signed: bool) -> Fn3 {
    fn dot(a: u32, b: u32, c: u32, a_signed: bool, b_signed: bool) -> u32 {
        let byte = |v: u32, i: u32, signed: bool| {
            let b = (v >> (8 * i)) as u8;
            if signed {
                i32::from(b as i8)
            } else {
                i32::from(b)
            }
        };
        (0..4).fold(c, |sum, i| {
            sum.wrapping_add((byte(a, i, a_signed) * byte(b, i, b_signed)) as u32)
        })
    }
    match (a_signed, b_signed) {
        (false, false) => lanes!(|a: u32, b: u32, c: u32| dot(a, b, c, false, false)),
        (false, true) => lanes!(|a: u32, b: u32, c: u32| dot(a, b, c, false, true)),
        (true, false) => lanes!(|a: u32, b: u32, c: u32| dot(a, b, c, true, false)),
        (true, true) => lanes!(|a: u32, b: u32, c: u32| dot(a, b, c, true, true)),
    }
}

/// `dp2a`: two halves of `a` with two bytes of `b`, the low or the high ones.
pub(crate) fn dp2a(hi: bool, a_signed: bool, b_signed: bool) -> Fn3 {
    fn dot<const HI: bool, const A: bool, const B: bool>(a: u32, b: u32, c: u32) -> u32 {
        (0..2).fold(c, |sum, i| {
            let h = (a >> (16 * i)) as u16;
            let h = if A { i32::from(h as i16) } else { i32::from(h) };
            let b = (b >> (8 * (i + if HI { 2 } else { 0 }))) as u8;
            let b = if B { i32::from(b as i8) } else { i32::from(b) };
            sum.wrapping_add(h.wrapping_mul(b) as u32)
        })
    }
    macro_rules! pick {
        ($h:literal, $a:literal, $b:literal) => {
            lanes!(|a: u32, b: u32, c: u32| dot::<$h, $a, $b>(a, b, c))
        };
    }
    match (hi, a_signed, b_signed) {
        (false, false, false) => pick!(false, false, false),
        (false, false, true) => pick!(false, false, true),
        (false, true, false) => pick!(false, true, false),
        (false, true, true) => pick!(false, true, true),
        (true, false, false) => pick!(true, false, false),
        (true, false, true) => pick!(true, false, true),
        (true, true, false) => pick!(true, true, false),
        (true, true, true) => pick!(true, true, true),
    }
}

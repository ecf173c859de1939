//! `cvt` between all the types of registers, in all roundings.

use super::float::{flush, input, output};
use super::lanes;
use super::soft::{self, BF16, F16, F32, F64, Format, Round, Value};
use crate::isa::{Fn1, Fn2, Type};

/// The modifiers of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cvt {
    pub to: Type,
    pub from: Type,
    /// `None` where the text has none.
    pub round: Option<Round>,
    /// `.rni`, `.rzi`, `.rmi`, `.rpi`.
    pub integral: bool,
    pub ftz: bool,
    pub sat: bool,
}

/// The format of a floating-point type.
pub(crate) fn format(ty: Type) -> Option<Format> {
    Some(match ty {
        Type::F16 => F16,
        Type::Bf16 => BF16,
        Type::F32 => F32,
        Type::F64 => F64,
        _ => return None,
    })
}

/// An integer type's width and sign.
fn integer(ty: Type) -> Option<(u32, bool)> {
    use Type::*;
    matches!(ty, U8 | S8 | U16 | S16 | U32 | S32 | U64 | S64).then(|| (ty.bits(), ty.is_signed()))
}

/// The bits as a number.
#[inline(always)]
fn number(v: u64, bits: u32, signed: bool) -> i128 {
    if signed {
        i128::from((v << (64 - bits)) as i64 >> (64 - bits))
    } else {
        i128::from(v << (64 - bits) >> (64 - bits))
    }
}

fn clamp(v: i128, bits: u32, signed: bool) -> u64 {
    let (low, high) = match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    (v.clamp(low, high) as u64) << (64 - bits) >> (64 - bits)
}

/// Sign-extends (or keeps) the low `bits` of `v` for a register of `width` bits.
#[inline(always)]
pub(crate) fn widen(v: u64, bits: u32, signed: bool, width: u32) -> u64 {
    if !signed || width <= bits {
        return v;
    }
    ((v << (64 - bits)) as i64 >> (64 - bits)) as u64 & (u64::MAX >> (64 - width))
}

/// Float to integer: out of range saturates. NaN gives zero, except that with f64 as the source or
/// a 64-bit destination it gives the top bit alone.
fn to_int(bits: u64, from: Format, to: (u32, bool), round: Round) -> u64 {
    match soft::unpack(bits, from) {
        Value::Nan if from == F64 || to.0 == 64 => 1 << (to.0 - 1),
        Value::Nan => 0,
        Value::Infinite(s) => clamp(if s { i128::MIN } else { i128::MAX }, to.0, to.1),
        Value::Finite(s, m, e) => {
            let n = soft::to_integer(s, m, e, false, round);
            let n = n.map_or(i128::MAX, |n| n.min(i128::MAX as u128) as i128);
            clamp(if s { -n } else { n }, to.0, to.1)
        }
    }
}

fn saturate(bits: u64, f: Format) -> u64 {
    let one = soft::convert(1f64.to_bits(), F64, f, Round::Near);
    match soft::unpack(bits, f) {
        Value::Nan | Value::Infinite(true) | Value::Finite(true, ..) => 0,
        Value::Infinite(false) => one,
        Value::Finite(..) => bits.min(one),
    }
}

/// f32 to f64; a NaN keeps its payload and becomes quiet.
#[inline(always)]
fn widen_float(a: u32) -> u64 {
    if a & 0x7fff_ffff > 0x7f80_0000 {
        let payload = u64::from(a & 0x007f_ffff) << 29;
        return u64::from(a >> 31) << 63 | 0x7ff8 << 48 | payload;
    }
    f64::from(f32::from_bits(a)).to_bits()
}

/// f64 to f32, to nearest; a NaN keeps the upper part of its payload and becomes quiet.
#[inline(always)]
fn narrow_float(a: u64) -> u32 {
    let x = f64::from_bits(a);
    if x.is_nan() {
        return ((a >> 63) as u32) << 31 | 0x7fc0_0000 | (a >> 29) as u32 & 0x003f_ffff;
    }
    (x as f32).to_bits()
}

/// A conversion that [`fast`] has no fast function for, lane by lane.
pub(crate) fn apply(c: &Cvt, v: u64) -> u64 {
    let round = c.round.unwrap_or(Round::Near);
    let ftz = |v: u64, ty: Type| match (c.ftz, ty) {
        (true, Type::F32) => u64::from(flush(f32::from_bits(v as u32)).to_bits()),
        _ => v,
    };
    match (integer(c.from), integer(c.to)) {
        (Some((fb, fs)), Some((tb, ts))) => {
            let n = number(v, fb, fs);
            if c.sat {
                clamp(n, tb, ts)
            } else {
                n as u64 & (u64::MAX >> (64 - tb))
            }
        }
        (Some((fb, fs)), None) => {
            let Some(to) = format(c.to) else { return 0 };
            let n = number(v, fb, fs);
            let r = soft::round(n < 0, n.unsigned_abs(), 0, false, to, round);
            if c.sat { saturate(r, to) } else { r }
        }
        (None, Some(to)) => {
            let Some(from) = format(c.from) else { return 0 };
            let v = ftz(v & (u64::MAX >> (64 - c.from.bits())), c.from);
            to_int(v, from, to, round)
        }
        (None, None) => {
            let (Some(from), Some(to)) = (format(c.from), format(c.to)) else {
                return 0;
            };
            let v = ftz(v & (u64::MAX >> (64 - c.from.bits())), c.from);
            let nan = soft::unpack(v, from) == Value::Nan;
            match (c.from, c.to) {
                // Flushing makes the operand the one NaN of f32 first.
                (Type::F32, Type::F64) if nan => {
                    return widen_float(if c.ftz { 0x7fff_ffff } else { v as u32 });
                }
                (Type::F64, Type::F32) if nan && !c.sat => return u64::from(narrow_float(v)),
                _ => {}
            }
            let r = if c.integral {
                soft::integral(v, from, round)
            } else {
                v
            };
            let r = soft::convert(r, from, to, round);
            let r = ftz(r, c.to);
            if c.sat { saturate(r, to) } else { r }
        }
    }
}

/// Rust's `as` for the common conversions that it expresses; the rest runs [`apply`].
pub(crate) fn fast(c: &Cvt) -> Option<Fn1> {
    use Type::*;
    let plain = !c.sat && !c.ftz;
    let near = matches!(c.round, None | Some(Round::Near)) && !c.integral;
    if !plain {
        return None;
    }
    if let (Some(_), Some((to, _))) = (integer(c.from), integer(c.to)) {
        macro_rules! from {
            ($t:ty) => {
                match to {
                    8 => lanes!(|a: $t| a as u8),
                    16 => lanes!(|a: $t| a as u16),
                    32 => lanes!(|a: $t| a as u32),
                    _ => lanes!(|a: $t| a as u64),
                }
            };
        }
        return Some(match c.from {
            U8 => from!(u8),
            S8 => from!(i8),
            U16 => from!(u16),
            S16 => from!(i16),
            U32 => from!(u32),
            S32 => from!(i32),
            U64 => from!(u64),
            _ => from!(i64),
        });
    }
    Some(match (c.from, c.to) {
        (F32, F64) if near => lanes!(|a: u32| widen_float(a)),
        (F64, F32) if near => lanes!(|a: u64| narrow_float(a)),
        (U8, F32) if near => lanes!(|a: u8| f32::from(a)),
        (U16, F32) if near => lanes!(|a: u16| f32::from(a)),
        (U32, F32) if near => lanes!(|a: u32| a as f32),
        (S32, F32) if near => lanes!(|a: i32| a as f32),
        (U64, F32) if near => lanes!(|a: u64| a as f32),
        (S64, F32) if near => lanes!(|a: i64| a as f32),
        (U32, F64) if near => lanes!(|a: u32| f64::from(a)),
        (S32, F64) if near => lanes!(|a: i32| f64::from(a)),
        (U64, F64) if near => lanes!(|a: u64| a as f64),
        (S64, F64) if near => lanes!(|a: i64| a as f64),
        (F32, S32) if c.round == Some(Round::Zero) => lanes!(|a: f32| a as i32),
        (F32, U32) if c.round == Some(Round::Zero) => lanes!(|a: f32| a as u32),
        (F64, S32) if c.round == Some(Round::Zero) => {
            lanes!(|a: f64| if a.is_nan() { i32::MIN } else { a as i32 })
        }
        (F64, U32) if c.round == Some(Round::Zero) => {
            lanes!(|a: f64| if a.is_nan() { 1 << 31 } else { a as u32 })
        }
        _ => return None,
    })
}

/// `cvt.rn.f16x2.f32 d, a, b` and its bf16 sibling: `a` becomes the upper half.
pub(crate) fn pack(to: Type, zero: bool, relu: bool) -> Option<Fn2> {
    fn narrow(v: u64, f: Format, round: Round, relu: bool) -> u32 {
        let h = soft::convert(v, F32, f, round) as u32;
        if relu && h & 0x8000 != 0 && !f.is_nan(u64::from(h)) {
            0
        } else {
            h
        }
    }
    macro_rules! pick {
        ($f:expr, $r:expr, $relu:literal) => {
            lanes!(|a: u64, b: u64| narrow(a, $f, $r, $relu) << 16 | narrow(b, $f, $r, $relu))
        };
    }
    Some(match (to, zero, relu) {
        (Type::F16x2, false, false) => pick!(F16, Round::Near, false),
        (Type::F16x2, true, false) => pick!(F16, Round::Zero, false),
        (Type::F16x2, false, true) => pick!(F16, Round::Near, true),
        (Type::F16x2, true, true) => pick!(F16, Round::Zero, true),
        (Type::Bf16x2, false, false) => pick!(BF16, Round::Near, false),
        (Type::Bf16x2, true, false) => pick!(BF16, Round::Zero, false),
        (Type::Bf16x2, false, true) => pick!(BF16, Round::Near, true),
        (Type::Bf16x2, true, true) => pick!(BF16, Round::Zero, true),
        _ => return None,
    })
}

/// `cvt.*i{.ftz}{.sat}.f32.f32`: rounding to integral values, frequent in libm.
pub(crate) fn integral32(round: Round, ftz: bool) -> Fn1 {
    match (round, ftz) {
        (Round::Near, false) => lanes!(|a: f32| output::<false, false>(a.round_ties_even())),
        (Round::Zero, false) => lanes!(|a: f32| output::<false, false>(a.trunc())),
        (Round::Down, false) => lanes!(|a: f32| output::<false, false>(a.floor())),
        (Round::Up, false) => lanes!(|a: f32| output::<false, false>(a.ceil())),
        (Round::Near, true) => {
            lanes!(|a: f32| output::<true, false>(input::<true>(a).round_ties_even()))
        }
        (Round::Zero, true) => lanes!(|a: f32| output::<true, false>(input::<true>(a).trunc())),
        (Round::Down, true) => lanes!(|a: f32| output::<true, false>(input::<true>(a).floor())),
        (Round::Up, true) => lanes!(|a: f32| output::<true, false>(input::<true>(a).ceil())),
    }
}

//! Floating-point arithmetic, "Floating Point Instructions" in the PTX ISA.
//!
//! `.rn` is the host's IEEE arithmetic; other rounding modes and 16-bit formats go through
//! [`super::soft`]. An f32 result that is NaN is `0x7fffffff`, as PTX has it; PTX leaves an f64 NaN's
//! payload open, and so do we.

use super::soft::{self, Format, Round};
use super::{by_type, lanes};
use crate::isa::{Fn1, Fn2, Fn3, Type};

/// A subnormal to a zero of its sign.
#[inline(always)]
pub(crate) fn flush(x: f32) -> f32 {
    if x.is_subnormal() {
        0f32.copysign(x)
    } else {
        x
    }
}

#[inline(always)]
pub(crate) fn input<const FTZ: bool>(x: f32) -> f32 {
    if FTZ { flush(x) } else { x }
}

/// What happens to every f32 result, to its bits: `.ftz`, `.sat`, the one NaN. (As a number, a NaN may
/// change its bits at the optimiser's whim.)
#[inline(always)]
pub(crate) fn output<const FTZ: bool, const SAT: bool>(x: f32) -> u32 {
    let x = if FTZ { flush(x) } else { x };
    if SAT {
        // `.sat` makes NaN, and minus zero, plus zero.
        return if x > 0.0 { x.min(1.0).to_bits() } else { 0 };
    }
    one_nan(x.to_bits())
}

/// The bits of an f32, `0x7fffffff` for every NaN.
#[inline(always)]
pub(crate) fn one_nan(bits: u32) -> u32 {
    if bits & 0x7fff_ffff > 0x7f80_0000 {
        0x7fff_ffff
    } else {
        bits
    }
}

/// One `lanes!` for each of the four (ftz, sat); `I` flushes an input, `O` finishes an output.
macro_rules! variants {
    ($ftz:expr, $sat:expr, |$($a:ident),+| $e:expr) => {
        match ($ftz, $sat) {
            (false, false) => variants!(@ false, false, |$($a),+| $e),
            (false, true) => variants!(@ false, true, |$($a),+| $e),
            (true, false) => variants!(@ true, false, |$($a),+| $e),
            (true, true) => variants!(@ true, true, |$($a),+| $e),
        }
    };
    (@ $f:literal, $s:literal, |$a:ident| $e:expr) => {
        lanes!(|$a: f32| { let $a = input::<$f>($a); output::<$f, $s>($e) })
    };
    (@ $f:literal, $s:literal, |$a:ident, $b:ident| $e:expr) => {
        lanes!(|$a: f32, $b: f32| {
            let ($a, $b) = (input::<$f>($a), input::<$f>($b));
            output::<$f, $s>($e)
        })
    };
    (@ $f:literal, $s:literal, |$a:ident, $b:ident, $c:ident| $e:expr) => {
        lanes!(|$a: f32, $b: f32, $c: f32| {
            let ($a, $b, $c) = (input::<$f>($a), input::<$f>($b), input::<$f>($c));
            output::<$f, $s>($e)
        })
    };
}

/// Like [`variants`] over `.ftz` alone.
macro_rules! flushing {
    ($ftz:expr, |$($a:ident),+| $e:expr) => {
        match $ftz {
            false => variants!(@ false, false, |$($a),+| $e),
            true => variants!(@ true, false, |$($a),+| $e),
        }
    };
}

/// Rounding, flushing and saturation of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    pub round: Round,
    pub ftz: bool,
    pub sat: bool,
}

/// Soft arithmetic in a rounding mode: one `lanes!` per mode, over bits.
macro_rules! soft {
    ($round:expr, |$m:ident| $($f:tt)+) => {
        match $round {
            Round::Zero => soft!(@ $m, Round::Zero, $($f)+),
            Round::Down => soft!(@ $m, Round::Down, $($f)+),
            Round::Up => soft!(@ $m, Round::Up, $($f)+),
            Round::Near => soft!(@ $m, Round::Near, $($f)+),
        }
    };
    (@ $m:ident, $r:expr, $($f:tt)+) => {{
        #[allow(non_upper_case_globals)]
        const $m: Round = $r;
        $($f)+
    }};
}

fn bits32(x: f32) -> u64 {
    u64::from(x.to_bits())
}

fn from32(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// 16-bit formats: the lanes of packed types one by one.
fn halves(a: u32, b: u32, c: u32, f: impl Fn(u64, u64, u64) -> u64) -> u32 {
    let lo = f(
        u64::from(a & 0xffff),
        u64::from(b & 0xffff),
        u64::from(c & 0xffff),
    );
    let hi = f(u64::from(a >> 16), u64::from(b >> 16), u64::from(c >> 16));
    (hi as u32) << 16 | lo as u32
}

/// Two-operand arithmetic in 16-bit formats, by the exact routine `$op`.
macro_rules! half2 {
    ($ty:expr, $op:path) => {
        match $ty {
            Type::F16 => Some(lanes!(|a: u64, b: u64| $op(a, b, soft::F16, Round::Near))),
            Type::Bf16 => Some(lanes!(|a: u64, b: u64| $op(a, b, soft::BF16, Round::Near))),
            Type::F16x2 => Some(lanes!(|a: u32, b: u32| {
                halves(a, b, 0, |a, b, _| $op(a, b, soft::F16, Round::Near))
            })),
            Type::Bf16x2 => Some(lanes!(|a: u32, b: u32| {
                halves(a, b, 0, |a, b, _| $op(a, b, soft::BF16, Round::Near))
            })),
            _ => None,
        }
    };
}

fn soft_sub(a: u64, b: u64, f: Format, mode: Round) -> u64 {
    let sign = if f == soft::F64 {
        63
    } else if f == soft::F32 {
        31
    } else {
        15
    };
    soft::add(a, b ^ 1 << sign, f, mode)
}

pub(crate) fn add(ty: Type, m: Mode) -> Option<Fn2> {
    match (ty, m.round) {
        (Type::F32, Round::Near) => Some(variants!(m.ftz, m.sat, |a, b| a + b)),
        (Type::F64, Round::Near) => Some(lanes!(|a: f64, b: f64| a + b)),
        (Type::F32, r) => Some(soft!(r, |M| variants!(m.ftz, m.sat, |a, b| {
            from32(soft::add(bits32(a), bits32(b), soft::F32, M))
        }))),
        (Type::F64, r) => Some(soft!(r, |M| lanes!(|a: u64, b: u64| soft::add(
            a,
            b,
            soft::F64,
            M
        )))),
        _ => half2!(ty, soft::add),
    }
}

pub(crate) fn sub(ty: Type, m: Mode) -> Option<Fn2> {
    match (ty, m.round) {
        (Type::F32, Round::Near) => Some(variants!(m.ftz, m.sat, |a, b| a - b)),
        (Type::F64, Round::Near) => Some(lanes!(|a: f64, b: f64| a - b)),
        (Type::F32, r) => Some(soft!(r, |M| variants!(m.ftz, m.sat, |a, b| {
            from32(soft_sub(bits32(a), bits32(b), soft::F32, M))
        }))),
        (Type::F64, r) => Some(soft!(r, |M| lanes!(|a: u64, b: u64| soft_sub(
            a,
            b,
            soft::F64,
            M
        )))),
        _ => half2!(ty, soft_sub),
    }
}

pub(crate) fn mul(ty: Type, m: Mode) -> Option<Fn2> {
    match (ty, m.round) {
        (Type::F32, Round::Near) => Some(variants!(m.ftz, m.sat, |a, b| a * b)),
        (Type::F64, Round::Near) => Some(lanes!(|a: f64, b: f64| a * b)),
        (Type::F32, r) => Some(soft!(r, |M| variants!(m.ftz, m.sat, |a, b| {
            from32(soft::mul(bits32(a), bits32(b), soft::F32, M))
        }))),
        (Type::F64, r) => Some(soft!(r, |M| lanes!(|a: u64, b: u64| soft::mul(
            a,
            b,
            soft::F64,
            M
        )))),
        _ => half2!(ty, soft::mul),
    }
}

pub(crate) fn fma(ty: Type, m: Mode) -> Option<Fn3> {
    Some(match (ty, m.round) {
        (Type::F32, Round::Near) => variants!(m.ftz, m.sat, |a, b, c| a.mul_add(b, c)),
        (Type::F64, Round::Near) => lanes!(|a: f64, b: f64, c: f64| a.mul_add(b, c)),
        (Type::F32, r) => soft!(r, |M| variants!(m.ftz, m.sat, |a, b, c| {
            from32(soft::fma(bits32(a), bits32(b), bits32(c), soft::F32, M))
        })),
        (Type::F64, r) => soft!(r, |M| lanes!(|a: u64, b: u64, c: u64| {
            soft::fma(a, b, c, soft::F64, M)
        })),
        (Type::F16, _) => {
            lanes!(|a: u64, b: u64, c: u64| soft::fma(a, b, c, soft::F16, Round::Near))
        }
        (Type::Bf16, _) => {
            lanes!(|a: u64, b: u64, c: u64| soft::fma(a, b, c, soft::BF16, Round::Near))
        }
        (Type::F16x2, _) => lanes!(|a: u32, b: u32, c: u32| {
            halves(a, b, c, |a, b, c| {
                soft::fma(a, b, c, soft::F16, Round::Near)
            })
        }),
        (Type::Bf16x2, _) => lanes!(|a: u32, b: u32, c: u32| {
            halves(a, b, c, |a, b, c| {
                soft::fma(a, b, c, soft::BF16, Round::Near)
            })
        }),
        _ => return None,
    })
}

pub(crate) fn div(ty: Type, m: Mode) -> Option<Fn2> {
    Some(match (ty, m.round) {
        (Type::F32, Round::Near) => flushing!(m.ftz, |a, b| a / b),
        (Type::F64, Round::Near) => lanes!(|a: f64, b: f64| a / b),
        (Type::F32, r) => soft!(r, |M| flushing!(m.ftz, |a, b| {
            from32(soft::div(bits32(a), bits32(b), soft::F32, M))
        })),
        (Type::F64, r) => soft!(r, |M| lanes!(|a: u64, b: u64| soft::div(
            a,
            b,
            soft::F64,
            M
        ))),
        _ => return None,
    })
}

pub(crate) fn rcp(ty: Type, m: Mode) -> Option<Fn1> {
    Some(match (ty, m.round) {
        (Type::F32, Round::Near) => flushing!(m.ftz, |a| 1.0 / a),
        (Type::F64, Round::Near) => lanes!(|a: f64| 1.0 / a),
        (Type::F32, r) => soft!(r, |M| flushing!(m.ftz, |a| {
            from32(soft::div(bits32(1.0), bits32(a), soft::F32, M))
        })),
        (Type::F64, r) => soft!(r, |M| lanes!(|a: u64| soft::div(
            1f64.to_bits(),
            a,
            soft::F64,
            M
        ))),
        _ => return None,
    })
}

pub(crate) fn sqrt(ty: Type, m: Mode) -> Option<Fn1> {
    Some(match (ty, m.round) {
        (Type::F32, Round::Near) => flushing!(m.ftz, |a| a.sqrt()),
        (Type::F64, Round::Near) => lanes!(|a: f64| a.sqrt()),
        (Type::F32, r) => soft!(r, |M| flushing!(m.ftz, |a| {
            from32(soft::sqrt(bits32(a), soft::F32, M))
        })),
        (Type::F64, r) => soft!(r, |M| lanes!(|a: u64| soft::sqrt(a, soft::F64, M))),
        _ => return None,
    })
}

/// The sign is flipped. PTX leaves a NaN's result open: f32 gives the one NaN and f64 the operand, as
/// the hardware does.
pub(crate) fn neg(ty: Type, ftz: bool) -> Option<Fn1> {
    Some(match ty {
        Type::F32 if !ftz => lanes!(|a: u32| one_nan(a ^ 1 << 31)),
        Type::F32 => lanes!(|a: f32| output::<true, false>(-flush(a))),
        Type::F64 => lanes!(|a: f64| if a.is_nan() { a } else { -a }),
        Type::F16 | Type::Bf16 => lanes!(|a: u16| a ^ 1 << 15),
        Type::F16x2 | Type::Bf16x2 => lanes!(|a: u32| a ^ 0x8000_8000),
        _ => return None,
    })
}

/// The sign is cleared; NaNs as in [`neg`].
pub(crate) fn abs(ty: Type, ftz: bool) -> Option<Fn1> {
    Some(match ty {
        Type::F32 if !ftz => lanes!(|a: u32| one_nan(a & !(1 << 31))),
        Type::F32 => lanes!(|a: f32| output::<true, false>(flush(a).abs())),
        Type::F64 => lanes!(|a: u64| a & !(1 << 63)),
        Type::F16 | Type::Bf16 => lanes!(|a: u16| a & !(1 << 15)),
        Type::F16x2 | Type::Bf16x2 => lanes!(|a: u32| a & 0x7fff_7fff),
        _ => return None,
    })
}

/// The lesser, minus zero being less than zero; one NaN loses, unless `nan` (`.NaN`) lets it win.
macro_rules! extremum {
    ($name:ident, $t:ty, $less:tt, $zero:expr) => {
        #[inline(always)]
        fn $name<const NAN: bool>(a: $t, b: $t) -> $t {
            if a.is_nan() || b.is_nan() {
                return match (a.is_nan(), b.is_nan()) {
                    (true, false) if !NAN => b,
                    (false, true) if !NAN => a,
                    _ => <$t>::NAN,
                };
            }
            if a == b {
                // Only zeros can be equal and differ.
                return if a.is_sign_negative() == $zero { a } else { b };
            }
            if a $less b { a } else { b }
        }
    };
}

extremum!(min32, f32, <, true);
extremum!(max32, f32, >, false);
extremum!(min64, f64, <, true);
extremum!(max64, f64, >, false);

/// A 16-bit minimum or maximum through f32, which holds every 16-bit value.
fn half_extremum<const MAX: bool, const NAN: bool>(a: u64, b: u64, f: Format) -> u64 {
    let wide = |x: u64| from32(soft::convert(x, f, soft::F32, Round::Near));
    let (x, y) = (wide(a), wide(b));
    let r = if MAX {
        max32::<NAN>(x, y)
    } else {
        min32::<NAN>(x, y)
    };
    soft::convert(bits32(r), soft::F32, f, Round::Near)
}

macro_rules! half_extrema {
    ($ty:expr, $max:literal, $nan:literal) => {
        match $ty {
            Type::F16 => Some(lanes!(|a: u64, b: u64| half_extremum::<$max, $nan>(
                a,
                b,
                soft::F16
            ))),
            Type::Bf16 => Some(lanes!(|a: u64, b: u64| half_extremum::<$max, $nan>(
                a,
                b,
                soft::BF16
            ))),
            Type::F16x2 => Some(lanes!(|a: u32, b: u32| {
                halves(a, b, 0, |a, b, _| {
                    half_extremum::<$max, $nan>(a, b, soft::F16)
                })
            })),
            Type::Bf16x2 => Some(lanes!(|a: u32, b: u32| {
                halves(a, b, 0, |a, b, _| {
                    half_extremum::<$max, $nan>(a, b, soft::BF16)
                })
            })),
            _ => None,
        }
    };
}

pub(crate) fn min(ty: Type, ftz: bool, nan: bool) -> Option<Fn2> {
    match (ty, nan) {
        (Type::F32, false) => Some(flushing!(ftz, |a, b| min32::<false>(a, b))),
        (Type::F32, true) => Some(flushing!(ftz, |a, b| min32::<true>(a, b))),
        (Type::F64, false) => Some(lanes!(|a: f64, b: f64| min64::<false>(a, b))),
        (Type::F64, true) => None,
        (_, false) => half_extrema!(ty, false, false),
        (_, true) => half_extrema!(ty, false, true),
    }
}

pub(crate) fn max(ty: Type, ftz: bool, nan: bool) -> Option<Fn2> {
    match (ty, nan) {
        (Type::F32, false) => Some(flushing!(ftz, |a, b| max32::<false>(a, b))),
        (Type::F32, true) => Some(flushing!(ftz, |a, b| max32::<true>(a, b))),
        (Type::F64, false) => Some(lanes!(|a: f64, b: f64| max64::<false>(a, b))),
        (Type::F64, true) => None,
        (_, false) => half_extrema!(ty, true, false),
        (_, true) => half_extrema!(ty, true, true),
    }
}

/// The sign of `a` with the rest of `b`.
pub(crate) fn copysign(ty: Type) -> Option<Fn2> {
    by_type!(ty, { F32: u32, F64: u64 }, |a, b| {
        let sign = 1 << (T::BITS - 1);
        a & sign | b & !sign
    })
}

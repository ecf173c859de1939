//! The `.approx` functions. PTX gives bounds for their errors, not their bits; the simulator gives
//! the exact result rounded to nearest (through the host's f64 functions), which lies within every
//! bound, so a kernel must not depend on more: `rcp`, `sqrt` and `ex2` 1 to 2 ulp, `rsqrt` 2^-22.9,
//! `lg2` 2^-22.6 in (0.5, 2), `sin` and `cos` 2^-20.5 in [-2pi, 2pi], `tanh` 2^-11, `div` 2 ulp.

use super::float::{input, output};
use super::lanes;
use super::soft::{self, Round};
use crate::isa::{Fn1, Fn2, Type};

/// The functions with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
    Rcp,
    Sqrt,
    Rsqrt,
}

macro_rules! through_f64 {
    ($ftz:expr, |$x:ident| $e:expr) => {
        match $ftz {
            false => lanes!(|a: f32| {
                let $x = f64::from(a);
                output::<false, false>(($e) as f32)
            }),
            true => lanes!(|a: f32| {
                let $x = f64::from(input::<true>(a));
                output::<true, false>(($e) as f32)
            }),
        }
    };
}

/// `function.approx{.ftz}.f32`.
pub(crate) fn unary(function: Function, ftz: bool) -> Fn1 {
    match function {
        Function::Ex2 => through_f64!(ftz, |x| x.exp2()),
        Function::Lg2 => through_f64!(ftz, |x| x.log2()),
        Function::Sin => through_f64!(ftz, |x| x.sin()),
        Function::Cos => through_f64!(ftz, |x| x.cos()),
        Function::Tanh => through_f64!(ftz, |x| x.tanh()),
        Function::Rcp => through_f64!(ftz, |x| 1.0 / x),
        Function::Sqrt => through_f64!(ftz, |x| x.sqrt()),
        Function::Rsqrt => through_f64!(ftz, |x| 1.0 / x.sqrt()),
    }
}

/// `ex2.approx` and `tanh.approx` in f16.
pub(crate) fn half(function: Function, ty: Type) -> Option<Fn1> {
    fn apply(bits: u64, f: fn(f64) -> f64) -> u64 {
        let x = f64::from_bits(soft::convert(bits, soft::F16, soft::F64, Round::Near));
        soft::convert(f(x).to_bits(), soft::F64, soft::F16, Round::Near)
    }
    Some(match (function, ty) {
        (Function::Ex2, Type::F16) => lanes!(|a: u64| apply(a, f64::exp2)),
        (Function::Tanh, Type::F16) => lanes!(|a: u64| apply(a, f64::tanh)),
        _ => return None,
    })
}

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64` work on the upper 32 bits alone.
pub(crate) fn wide(function: Function) -> Option<Fn1> {
    /// Clears what the hardware ignores, and subnormals.
    fn coarse(x: f64) -> f64 {
        let x = if x.is_subnormal() {
            0f64.copysign(x)
        } else {
            x
        };
        f64::from_bits(x.to_bits() & !0xffff_ffff)
    }
    Some(match function {
        Function::Rcp => lanes!(|a: f64| coarse(1.0 / coarse(a))),
        Function::Rsqrt => lanes!(|a: f64| coarse(1.0 / coarse(a).sqrt())),
        _ => return None,
    })
}

/// `rsqrt.approx.f64`.
pub(crate) fn rsqrt64() -> Option<Fn1> {
    Some(lanes!(|a: f64| 1.0 / a.sqrt()))
}

/// `div.approx` and `div.full`.
pub(crate) fn div(ftz: bool) -> Fn2 {
    match ftz {
        false => lanes!(|a: f32, b: f32| output::<false, false>(a / b)),
        true => {
            lanes!(|a: f32, b: f32| output::<true, false>(input::<true>(a) / input::<true>(b)))
        }
    }
}

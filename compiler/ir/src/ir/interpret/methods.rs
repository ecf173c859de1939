//! Methods of primitives, evaluated with the standard library's own.

use super::operators::panic;
use super::{FaultKind, Value};
use crate::ir::{Method, Scalar};
use crate::methods::methods_of;

type Result<T> = std::result::Result<T, FaultKind>;

/// Calls a method of a receiver of type `s`; with `checks`, overflow faults where the profile
/// decides. `None` for a method that there is not.
pub(super) fn call(
    method: Method,
    s: Scalar,
    parts: &[Value],
    checks: bool,
) -> Result<Option<Value>> {
    match s {
        Scalar::Bool => Ok(None),
        Scalar::I8 => i8::method(method, parts, checks),
        Scalar::I16 => i16::method(method, parts, checks),
        Scalar::I32 => i32::method(method, parts, checks),
        Scalar::I64 => i64::method(method, parts, checks),
        Scalar::Isize => isize::method(method, parts, checks),
        Scalar::U8 => match byte(method, parts) {
            Some(value) => Ok(Some(value)),
            None => u8::method(method, parts, checks),
        },
        Scalar::U16 => u16::method(method, parts, checks),
        Scalar::U32 => u32::method(method, parts, checks),
        Scalar::U64 => u64::method(method, parts, checks),
        Scalar::Usize => usize::method(method, parts, checks),
        Scalar::F32 => f32::method(method, parts, checks),
        Scalar::F64 => f64::method(method, parts, checks),
    }
}

/// `s::method(part)` of what makes a primitive; `None` for what does not.
pub(super) fn construct(method: Method, s: Scalar, part: &Value) -> Option<Value> {
    let little = match method {
        Method::FromBits => {
            return Some(match s {
                Scalar::F32 => f32::from_bits(part.int() as u32).into(),
                Scalar::F64 => f64::from_bits(part.int() as u64).into(),
                _ => return None,
            });
        }
        Method::FromLeBytes => true,
        Method::FromBeBytes => false,
        Method::FromNeBytes => cfg!(target_endian = "little"),
        methods_of!(Ints)
        | methods_of!(Unsigned)
        | methods_of!(Signed)
        | methods_of!(SignedOrFloats)
        | methods_of!(Numbers)
        | methods_of!(Byte)
        | methods_of!(Floats) => return None,
    };
    let mut bytes: Vec<u8> = part.parts().iter().map(|b| b.int() as u8).collect();
    if !little {
        bytes.reverse();
    }
    let value = bytes
        .iter()
        .rev()
        .fold(0i128, |v, &byte| v << 8 | i128::from(byte));
    Some(Value::Int(super::operators::wrap(s, value)))
}

/// Methods of one primitive type.
trait Methods: Sized {
    fn method(method: Method, parts: &[Value], checks: bool) -> Result<Option<Value>>;
}

/// An operation whose overflow the profile decides.
fn profile<T: Into<Value>>(
    checks: bool,
    exact: Option<T>,
    wrapped: impl FnOnce() -> T,
    op: &str,
) -> Result<Option<Value>> {
    match exact {
        Some(value) => Ok(Some(value.into())),
        None if checks => panic(&format!("attempt to {op} with overflow")),
        None => Ok(Some(wrapped().into())),
    }
}

fn bytes(bytes: &[u8]) -> Value {
    Value::Parts(bytes.iter().map(|&b| b.into()).collect())
}

fn with_flag<T: Into<Value>>((value, flag): (T, bool)) -> Value {
    Value::Parts(vec![value.into(), flag.into()])
}

/// Divisions: faults whatever the profile.
fn divided<T: Into<Value>>(zero: bool, value: Option<T>, op: Division) -> Result<Option<Value>> {
    let (by_zero, overflow) = match op {
        Division::Quotient => (
            "attempt to divide by zero",
            "attempt to divide with overflow",
        ),
        Division::Remainder => (
            "attempt to calculate the remainder with a divisor of zero",
            "attempt to calculate the remainder with overflow",
        ),
    };
    match value {
        Some(value) => Ok(Some(value.into())),
        None if zero => panic(by_zero),
        None => panic(overflow),
    }
}

enum Division {
    Quotient,
    Remainder,
}

macro_rules! int_methods {
    ($t:ty, $own:ident) => {
        impl Methods for $t {
            fn method(method: Method, parts: &[Value], checks: bool) -> Result<Option<Value>> {
                let arg = |i: usize| parts[i].int() as $t;
                let n = || parts[1].int() as u32;
                let a = arg(0);
                Ok(Some(match method {
                    Method::Min => a.min(arg(1)).into(),
                    Method::Max => a.max(arg(1)).into(),
                    Method::Clamp if arg(1) > arg(2) => return panic("assertion failed: min <= max"),
                    Method::Clamp => a.clamp(arg(1), arg(2)).into(),
                    Method::RemEuclid => {
                        let b = arg(1);
                        return divided(b == 0, a.checked_rem_euclid(b), Division::Remainder);
                    }
                    Method::DivEuclid => {
                        let b = arg(1);
                        return divided(b == 0, a.checked_div_euclid(b), Division::Quotient);
                    }
                    Method::WrappingAdd => a.wrapping_add(arg(1)).into(),
                    Method::WrappingSub => a.wrapping_sub(arg(1)).into(),
                    Method::WrappingMul => a.wrapping_mul(arg(1)).into(),
                    Method::WrappingNeg => a.wrapping_neg().into(),
                    Method::WrappingShl => a.wrapping_shl(n()).into(),
                    Method::WrappingShr => a.wrapping_shr(n()).into(),
                    Method::WrappingPow => a.wrapping_pow(n()).into(),
                    Method::SaturatingAdd => a.saturating_add(arg(1)).into(),
                    Method::SaturatingSub => a.saturating_sub(arg(1)).into(),
                    Method::SaturatingMul => a.saturating_mul(arg(1)).into(),
                    Method::OverflowingAdd => with_flag(a.overflowing_add(arg(1))),
                    Method::OverflowingSub => with_flag(a.overflowing_sub(arg(1))),
                    Method::OverflowingMul => with_flag(a.overflowing_mul(arg(1))),
                    Method::Pow => {
                        return profile(checks, a.checked_pow(n()), || a.wrapping_pow(n()), "multiply");
                    }
                    Method::Isqrt => match (a as i128) < 0 {
                        true => {
                            return panic("argument of integer square root cannot be negative");
                        }
                        false => a.isqrt().into(),
                    },
                    Method::Ilog2 => match a.checked_ilog2() {
                        Some(v) => v.into(),
                        None => return panic("argument of integer logarithm must be positive"),
                    },
                    Method::Ilog10 => match a.checked_ilog10() {
                        Some(v) => v.into(),
                        None => return panic("argument of integer logarithm must be positive"),
                    },
                    Method::AbsDiff => a.abs_diff(arg(1)).into(),
                    Method::CountOnes => a.count_ones().into(),
                    Method::CountZeros => a.count_zeros().into(),
                    Method::LeadingZeros => a.leading_zeros().into(),
                    Method::TrailingZeros => a.trailing_zeros().into(),
                    Method::LeadingOnes => a.leading_ones().into(),
                    Method::TrailingOnes => a.trailing_ones().into(),
                    Method::RotateLeft => a.rotate_left(n()).into(),
                    Method::RotateRight => a.rotate_right(n()).into(),
                    Method::SwapBytes => a.swap_bytes().into(),
                    Method::ReverseBits => a.reverse_bits().into(),
                    Method::ToLe => a.to_le().into(),
                    Method::ToBe => a.to_be().into(),
                    Method::ToLeBytes => bytes(&a.to_le_bytes()),
                    Method::ToBeBytes => bytes(&a.to_be_bytes()),
                    Method::ToNeBytes => bytes(&a.to_ne_bytes()),
                    methods_of!(Signed) | methods_of!(SignedOrFloats) | methods_of!(Unsigned) => {
                        return int_methods!(@$own method, a, arg, checks);
                    }
                    methods_of!(Byte) | methods_of!(Floats) | methods_of!(FromBits) | methods_of!(FromBytes) => {
                        return Ok(None);
                    }
                }))
            }
        }
    };
    (@signed $method:ident, $a:ident, $arg:ident, $checks:ident) => {
        Ok(Some(match $method {
            Method::Abs => return profile($checks, $a.checked_abs(), || $a.wrapping_abs(), "negate"),
            Method::Signum => $a.signum().into(),
            Method::UnsignedAbs => $a.unsigned_abs().into(),
            Method::WrappingAbs => $a.wrapping_abs().into(),
            Method::IsPositive => $a.is_positive().into(),
            Method::IsNegative => $a.is_negative().into(),
            methods_of!(Unsigned)
            | methods_of!(Ints)
            | methods_of!(Numbers)
            | methods_of!(Byte)
            | methods_of!(Floats)
            | methods_of!(FromBits)
            | methods_of!(FromBytes) => return Ok(None),
        }))
    };
    (@unsigned $method:ident, $a:ident, $arg:ident, $checks:ident) => {
        match $method {
            Method::DivCeil => {
                let b = $arg(1);
                divided(b == 0, (b != 0).then(|| $a.div_ceil(b)), Division::Quotient)
            }
            Method::NextMultipleOf => {
                let b = $arg(1);
                if b == 0 {
                    return divided(true, None::<u8>, Division::Remainder);
                }
                let exact = $a.checked_next_multiple_of(b);
                profile($checks, exact, || $a.wrapping_add(b - $a % b), "add")
            }
            Method::IsPowerOfTwo => Ok(Some($a.is_power_of_two().into())),
            Method::NextPowerOfTwo => profile($checks, $a.checked_next_power_of_two(), || 0, "add"),
            methods_of!(Signed)
            | methods_of!(SignedOrFloats)
            | methods_of!(Ints)
            | methods_of!(Numbers)
            | methods_of!(Byte)
            | methods_of!(Floats)
            | methods_of!(FromBits)
            | methods_of!(FromBytes) => Ok(None),
        }
    };
}

int_methods!(i8, signed);
int_methods!(i16, signed);
int_methods!(i32, signed);
int_methods!(i64, signed);
int_methods!(isize, signed);
int_methods!(u8, unsigned);
int_methods!(u16, unsigned);
int_methods!(u32, unsigned);
int_methods!(u64, unsigned);
int_methods!(usize, unsigned);

fn byte(method: Method, parts: &[Value]) -> Option<Value> {
    let a = parts[0].int() as u8;
    Some(match method {
        Method::IsAscii => a.is_ascii().into(),
        Method::IsAsciiAlphabetic => a.is_ascii_alphabetic().into(),
        Method::IsAsciiAlphanumeric => a.is_ascii_alphanumeric().into(),
        Method::IsAsciiDigit => a.is_ascii_digit().into(),
        Method::IsAsciiHexdigit => a.is_ascii_hexdigit().into(),
        Method::IsAsciiLowercase => a.is_ascii_lowercase().into(),
        Method::IsAsciiUppercase => a.is_ascii_uppercase().into(),
        Method::IsAsciiPunctuation => a.is_ascii_punctuation().into(),
        Method::IsAsciiWhitespace => a.is_ascii_whitespace().into(),
        Method::IsAsciiGraphic => a.is_ascii_graphic().into(),
        Method::IsAsciiControl => a.is_ascii_control().into(),
        Method::ToAsciiLowercase => a.to_ascii_lowercase().into(),
        Method::ToAsciiUppercase => a.to_ascii_uppercase().into(),
        methods_of!(Ints)
        | methods_of!(Unsigned)
        | methods_of!(Signed)
        | methods_of!(SignedOrFloats)
        | methods_of!(Numbers)
        | methods_of!(Floats)
        | methods_of!(FromBits)
        | methods_of!(FromBytes) => return None,
    })
}

macro_rules! float_methods {
    ($t:ty, $variant:ident) => {
        impl Methods for $t {
            fn method(method: Method, parts: &[Value], _: bool) -> Result<Option<Value>> {
                let arg = |i: usize| match &parts[i] {
                    Value::$variant(v) => *v,
                    other => panic!("a float is expected, not {other:?}"),
                };
                let a = arg(0);
                Ok(Some(match method {
                    Method::Min => a.min(arg(1)).into(),
                    Method::Max => a.max(arg(1)).into(),
                    Method::Clamp => {
                        let (min, max) = (arg(1), arg(2));
                        if min > max || min.is_nan() || max.is_nan() {
                            return panic(&format!(
                                "min > max, or either was NaN. min = {min:?}, max = {max:?}"
                            ));
                        }
                        a.clamp(min, max).into()
                    }
                    Method::RemEuclid => a.rem_euclid(arg(1)).into(),
                    Method::DivEuclid => a.div_euclid(arg(1)).into(),
                    Method::Abs => a.abs().into(),
                    Method::Signum => a.signum().into(),
                    Method::Floor => a.floor().into(),
                    Method::Ceil => a.ceil().into(),
                    Method::Round => a.round().into(),
                    Method::RoundTiesEven => a.round_ties_even().into(),
                    Method::Trunc => a.trunc().into(),
                    Method::Fract => a.fract().into(),
                    Method::Sqrt => a.sqrt().into(),
                    Method::Cbrt => a.cbrt().into(),
                    Method::Sin => a.sin().into(),
                    Method::Cos => a.cos().into(),
                    Method::Tan => a.tan().into(),
                    Method::Asin => a.asin().into(),
                    Method::Acos => a.acos().into(),
                    Method::Atan => a.atan().into(),
                    Method::Atan2 => a.atan2(arg(1)).into(),
                    Method::Sinh => a.sinh().into(),
                    Method::Cosh => a.cosh().into(),
                    Method::Tanh => a.tanh().into(),
                    Method::Asinh => a.asinh().into(),
                    Method::Acosh => a.acosh().into(),
                    Method::Atanh => a.atanh().into(),
                    Method::Exp => a.exp().into(),
                    Method::Exp2 => a.exp2().into(),
                    Method::ExpM1 => a.exp_m1().into(),
                    Method::Ln => a.ln().into(),
                    Method::Ln1p => a.ln_1p().into(),
                    Method::Log2 => a.log2().into(),
                    Method::Log10 => a.log10().into(),
                    Method::Log => a.log(arg(1)).into(),
                    Method::Powi => a.powi(parts[1].int() as i32).into(),
                    Method::Powf => a.powf(arg(1)).into(),
                    Method::MulAdd => a.mul_add(arg(1), arg(2)).into(),
                    Method::Hypot => a.hypot(arg(1)).into(),
                    Method::Copysign => a.copysign(arg(1)).into(),
                    Method::Recip => a.recip().into(),
                    Method::ToDegrees => a.to_degrees().into(),
                    Method::ToRadians => a.to_radians().into(),
                    Method::IsNan => a.is_nan().into(),
                    Method::IsInfinite => a.is_infinite().into(),
                    Method::IsFinite => a.is_finite().into(),
                    Method::IsSignNegative => a.is_sign_negative().into(),
                    Method::IsSignPositive => a.is_sign_positive().into(),
                    Method::ToBits => a.to_bits().into(),
                    methods_of!(Ints)
                    | methods_of!(Signed)
                    | methods_of!(Unsigned)
                    | methods_of!(Byte)
                    | methods_of!(FromBits)
                    | methods_of!(FromBytes) => return Ok(None),
                }))
            }
        }
    };
}

float_methods!(f32, F32);
float_methods!(f64, F64);

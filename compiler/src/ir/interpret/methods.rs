//! Methods of primitives, evaluated with the standard library's own.

use super::operators::panic;
use super::{FaultKind, Value};
use crate::ir::Scalar;

type Result<T> = std::result::Result<T, FaultKind>;

/// Calls method `name` of a receiver of type `s`; with `checks`, overflow faults where the profile
/// decides. `None` for a method that there is not.
pub(super) fn call(name: &str, s: Scalar, parts: &[Value], checks: bool) -> Result<Option<Value>> {
    match s {
        Scalar::Bool => Ok(None),
        Scalar::I8 => i8::method(name, parts, checks),
        Scalar::I16 => i16::method(name, parts, checks),
        Scalar::I32 => i32::method(name, parts, checks),
        Scalar::I64 => i64::method(name, parts, checks),
        Scalar::Isize => isize::method(name, parts, checks),
        Scalar::U8 => match byte(name, parts) {
            Some(value) => Ok(Some(value)),
            None => u8::method(name, parts, checks),
        },
        Scalar::U16 => u16::method(name, parts, checks),
        Scalar::U32 => u32::method(name, parts, checks),
        Scalar::U64 => u64::method(name, parts, checks),
        Scalar::Usize => usize::method(name, parts, checks),
        Scalar::F32 => f32::method(name, parts, checks),
        Scalar::F64 => f64::method(name, parts, checks),
    }
}

/// `s::name(part)` for [`CONSTRUCTORS`](crate::methods::CONSTRUCTORS).
pub(super) fn construct(name: &str, s: Scalar, part: &Value) -> Option<Value> {
    if name == "from_bits" {
        return Some(match s {
            Scalar::F32 => f32::from_bits(part.int() as u32).into(),
            Scalar::F64 => f64::from_bits(part.int() as u64).into(),
            _ => return None,
        });
    }
    let mut bytes: Vec<u8> = part.parts().iter().map(|b| b.int() as u8).collect();
    let little = match name {
        "from_le_bytes" => true,
        "from_be_bytes" => false,
        "from_ne_bytes" => cfg!(target_endian = "little"),
        _ => return None,
    };
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
    fn method(name: &str, parts: &[Value], checks: bool) -> Result<Option<Value>>;
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
            fn method(name: &str, parts: &[Value], checks: bool) -> Result<Option<Value>> {
                let arg = |i: usize| parts[i].int() as $t;
                let n = || parts[1].int() as u32;
                let a = arg(0);
                Ok(Some(match name {
                    "min" => a.min(arg(1)).into(),
                    "max" => a.max(arg(1)).into(),
                    "clamp" if arg(1) > arg(2) => return panic("assertion failed: min <= max"),
                    "clamp" => a.clamp(arg(1), arg(2)).into(),
                    "rem_euclid" => {
                        let b = arg(1);
                        return divided(b == 0, a.checked_rem_euclid(b), Division::Remainder);
                    }
                    "div_euclid" => {
                        let b = arg(1);
                        return divided(b == 0, a.checked_div_euclid(b), Division::Quotient);
                    }
                    "wrapping_add" => a.wrapping_add(arg(1)).into(),
                    "wrapping_sub" => a.wrapping_sub(arg(1)).into(),
                    "wrapping_mul" => a.wrapping_mul(arg(1)).into(),
                    "wrapping_neg" => a.wrapping_neg().into(),
                    "wrapping_shl" => a.wrapping_shl(n()).into(),
                    "wrapping_shr" => a.wrapping_shr(n()).into(),
                    "wrapping_pow" => a.wrapping_pow(n()).into(),
                    "saturating_add" => a.saturating_add(arg(1)).into(),
                    "saturating_sub" => a.saturating_sub(arg(1)).into(),
                    "saturating_mul" => a.saturating_mul(arg(1)).into(),
                    "overflowing_add" => with_flag(a.overflowing_add(arg(1))),
                    "overflowing_sub" => with_flag(a.overflowing_sub(arg(1))),
                    "overflowing_mul" => with_flag(a.overflowing_mul(arg(1))),
                    "pow" => {
                        return profile(checks, a.checked_pow(n()), || a.wrapping_pow(n()), "multiply");
                    }
                    "isqrt" => match (a as i128) < 0 {
                        true => {
                            return panic("argument of integer square root cannot be negative");
                        }
                        false => a.isqrt().into(),
                    },
                    "ilog2" => match a.checked_ilog2() {
                        Some(v) => v.into(),
                        None => return panic("argument of integer logarithm must be positive"),
                    },
                    "ilog10" => match a.checked_ilog10() {
                        Some(v) => v.into(),
                        None => return panic("argument of integer logarithm must be positive"),
                    },
                    "abs_diff" => a.abs_diff(arg(1)).into(),
                    "count_ones" => a.count_ones().into(),
                    "count_zeros" => a.count_zeros().into(),
                    "leading_zeros" => a.leading_zeros().into(),
                    "trailing_zeros" => a.trailing_zeros().into(),
                    "leading_ones" => a.leading_ones().into(),
                    "trailing_ones" => a.trailing_ones().into(),
                    "rotate_left" => a.rotate_left(n()).into(),
                    "rotate_right" => a.rotate_right(n()).into(),
                    "swap_bytes" => a.swap_bytes().into(),
                    "reverse_bits" => a.reverse_bits().into(),
                    "to_le" => a.to_le().into(),
                    "to_be" => a.to_be().into(),
                    "to_le_bytes" => bytes(&a.to_le_bytes()),
                    "to_be_bytes" => bytes(&a.to_be_bytes()),
                    "to_ne_bytes" => bytes(&a.to_ne_bytes()),
                    _ => return int_methods!(@$own name, a, arg, checks),
                }))
            }
        }
    };
    (@signed $name:ident, $a:ident, $arg:ident, $checks:ident) => {
        Ok(Some(match $name {
            "abs" => return profile($checks, $a.checked_abs(), || $a.wrapping_abs(), "negate"),
            "signum" => $a.signum().into(),
            "unsigned_abs" => $a.unsigned_abs().into(),
            "wrapping_abs" => $a.wrapping_abs().into(),
            "is_positive" => $a.is_positive().into(),
            "is_negative" => $a.is_negative().into(),
            _ => return Ok(None),
        }))
    };
    (@unsigned $name:ident, $a:ident, $arg:ident, $checks:ident) => {
        match $name {
            "div_ceil" => {
                let b = $arg(1);
                divided(b == 0, (b != 0).then(|| $a.div_ceil(b)), Division::Quotient)
            }
            "next_multiple_of" => {
                let b = $arg(1);
                if b == 0 {
                    return divided(true, None::<u8>, Division::Remainder);
                }
                let exact = $a.checked_next_multiple_of(b);
                profile($checks, exact, || $a.wrapping_add(b - $a % b), "add")
            }
            "is_power_of_two" => Ok(Some($a.is_power_of_two().into())),
            "next_power_of_two" => profile($checks, $a.checked_next_power_of_two(), || 0, "add"),
            _ => Ok(None),
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

fn byte(name: &str, parts: &[Value]) -> Option<Value> {
    let a = parts[0].int() as u8;
    Some(match name {
        "is_ascii" => a.is_ascii().into(),
        "is_ascii_alphabetic" => a.is_ascii_alphabetic().into(),
        "is_ascii_alphanumeric" => a.is_ascii_alphanumeric().into(),
        "is_ascii_digit" => a.is_ascii_digit().into(),
        "is_ascii_hexdigit" => a.is_ascii_hexdigit().into(),
        "is_ascii_lowercase" => a.is_ascii_lowercase().into(),
        "is_ascii_uppercase" => a.is_ascii_uppercase().into(),
        "is_ascii_punctuation" => a.is_ascii_punctuation().into(),
        "is_ascii_whitespace" => a.is_ascii_whitespace().into(),
        "is_ascii_graphic" => a.is_ascii_graphic().into(),
        "is_ascii_control" => a.is_ascii_control().into(),
        "to_ascii_lowercase" => a.to_ascii_lowercase().into(),
        "to_ascii_uppercase" => a.to_ascii_uppercase().into(),
        _ => return None,
    })
}

macro_rules! float_methods {
    ($t:ty, $variant:ident) => {
        impl Methods for $t {
            fn method(name: &str, parts: &[Value], _: bool) -> Result<Option<Value>> {
                let arg = |i: usize| match &parts[i] {
                    Value::$variant(v) => *v,
                    other => panic!("a float is expected, not {other:?}"),
                };
                let a = arg(0);
                Ok(Some(match name {
                    "min" => a.min(arg(1)).into(),
                    "max" => a.max(arg(1)).into(),
                    "clamp" => {
                        let (min, max) = (arg(1), arg(2));
                        if min > max || min.is_nan() || max.is_nan() {
                            return panic(&format!(
                                "min > max, or either was NaN. min = {min:?}, max = {max:?}"
                            ));
                        }
                        a.clamp(min, max).into()
                    }
                    "rem_euclid" => a.rem_euclid(arg(1)).into(),
                    "div_euclid" => a.div_euclid(arg(1)).into(),
                    "abs" => a.abs().into(),
                    "signum" => a.signum().into(),
                    "floor" => a.floor().into(),
                    "ceil" => a.ceil().into(),
                    "round" => a.round().into(),
                    "round_ties_even" => a.round_ties_even().into(),
                    "trunc" => a.trunc().into(),
                    "fract" => a.fract().into(),
                    "sqrt" => a.sqrt().into(),
                    "cbrt" => a.cbrt().into(),
                    "sin" => a.sin().into(),
                    "cos" => a.cos().into(),
                    "tan" => a.tan().into(),
                    "asin" => a.asin().into(),
                    "acos" => a.acos().into(),
                    "atan" => a.atan().into(),
                    "atan2" => a.atan2(arg(1)).into(),
                    "sinh" => a.sinh().into(),
                    "cosh" => a.cosh().into(),
                    "tanh" => a.tanh().into(),
                    "asinh" => a.asinh().into(),
                    "acosh" => a.acosh().into(),
                    "atanh" => a.atanh().into(),
                    "exp" => a.exp().into(),
                    "exp2" => a.exp2().into(),
                    "exp_m1" => a.exp_m1().into(),
                    "ln" => a.ln().into(),
                    "ln_1p" => a.ln_1p().into(),
                    "log2" => a.log2().into(),
                    "log10" => a.log10().into(),
                    "log" => a.log(arg(1)).into(),
                    "powi" => a.powi(parts[1].int() as i32).into(),
                    "powf" => a.powf(arg(1)).into(),
                    "mul_add" => a.mul_add(arg(1), arg(2)).into(),
                    "hypot" => a.hypot(arg(1)).into(),
                    "copysign" => a.copysign(arg(1)).into(),
                    "recip" => a.recip().into(),
                    "to_degrees" => a.to_degrees().into(),
                    "to_radians" => a.to_radians().into(),
                    "is_nan" => a.is_nan().into(),
                    "is_infinite" => a.is_infinite().into(),
                    "is_finite" => a.is_finite().into(),
                    "is_sign_negative" => a.is_sign_negative().into(),
                    "is_sign_positive" => a.is_sign_positive().into(),
                    "to_bits" => a.to_bits().into(),
                    _ => return Ok(None),
                }))
            }
        }
    };
}

float_methods!(f32, F32);
float_methods!(f64, F64);

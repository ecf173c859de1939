//! The associated constants of primitive types.

use crate::ir::{Literal, Scalar, Type};

/// An associated constant of a primitive type: `MAX`, `BITS`, `EPSILON`, …
pub fn constant_of(scalar: Scalar, name: &str) -> Option<(Literal, Type)> {
    let own = Type::Scalar(scalar);
    let bits = scalar.bits();
    if scalar.is_int() {
        let (min, max) = if scalar.is_signed() {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        } else {
            (0, (1i128 << bits) - 1)
        };
        return match name {
            "MIN" => Some((Literal::Int(min), own)),
            "MAX" => Some((Literal::Int(max), own)),
            "BITS" => Some((Literal::Int(i128::from(bits)), Type::Scalar(Scalar::U32))),
            _ => None,
        };
    }
    let pick = |single: f32, double: f64| {
        let value = if scalar == Scalar::F32 {
            f64::from(single)
        } else {
            double
        };
        Some((Literal::Float(value), own.clone()))
    };
    match (scalar, name) {
        (Scalar::Bool, _) => None,
        (_, "MIN") => pick(f32::MIN, f64::MIN),
        (_, "MAX") => pick(f32::MAX, f64::MAX),
        (_, "EPSILON") => pick(f32::EPSILON, f64::EPSILON),
        (_, "MIN_POSITIVE") => pick(f32::MIN_POSITIVE, f64::MIN_POSITIVE),
        (_, "INFINITY") => pick(f32::INFINITY, f64::INFINITY),
        (_, "NEG_INFINITY") => pick(f32::NEG_INFINITY, f64::NEG_INFINITY),
        (_, "NAN") => pick(f32::NAN, f64::NAN),
        _ => None,
    }
}

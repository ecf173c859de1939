//! Literals and the constants of primitive types.

use syn::Lit;

use super::lower::Lower;
use crate::infer::Class;
use crate::ir::{Expr, ExprKind, Literal, Scalar, Type};

impl Lower<'_> {
    /// A literal.
    pub fn literal(&mut self, lit: &Lit) -> Expr {
        let source = self.source(lit);
        let (value, ty) = match lit {
            Lit::Int(i) => {
                let scalar = Scalar::from_name(i.suffix());
                if scalar.is_none() && !i.suffix().is_empty() {
                    return self.opaque_expr(
                        format!("a number of type `{}`", i.suffix()),
                        Some("numbers on a device have at most 64 bits"),
                        source,
                    );
                }
                match i.base10_parse::<i128>() {
                    // `1f32` is a float.
                    Ok(v) if scalar.is_some_and(Scalar::is_float) => {
                        (Literal::Float(v as f64), scalar)
                    }
                    Ok(v) => (Literal::Int(v), scalar),
                    Err(_) => return self.opaque_expr("a number that is too large", None, source),
                }
            }
            Lit::Float(f) => {
                let scalar = Scalar::from_name(f.suffix());
                match f.base10_parse::<f64>() {
                    Ok(v) => (Literal::Float(v), scalar),
                    Err(_) => return self.opaque_expr("a float literal", None, source),
                }
            }
            Lit::Bool(b) => (Literal::Bool(b.value), Some(Scalar::Bool)),
            Lit::Byte(b) => (Literal::Int(i128::from(b.value())), Some(Scalar::U8)),
            Lit::ByteStr(s) => {
                let bytes = s.value();
                let parts = bytes
                    .iter()
                    .map(|b| {
                        self.make(
                            ExprKind::Literal(Literal::Int(i128::from(*b))),
                            Scalar::U8,
                            source,
                        )
                    })
                    .collect();
                let ty = Type::Array(
                    Box::new(Type::Scalar(Scalar::U8)),
                    crate::ir::Length::Known(bytes.len() as u64),
                );
                return self.make(ExprKind::Array(parts), ty, source);
            }
            Lit::Char(_) => {
                return self.opaque_expr(
                    "a `char`",
                    Some("compare bytes: `b'A'` instead of `'A'`"),
                    source,
                );
            }
            _ => return self.opaque_expr("a literal that is no number", None, source),
        };
        let ty = match (scalar_type(ty), &value) {
            (Some(ty), _) => ty,
            (None, Literal::Int(_)) => self.infer.fresh(Class::Int),
            (None, _) => self.infer.fresh(Class::Float),
        };
        let value = match (value, &ty) {
            (Literal::Float(v), Type::Scalar(Scalar::F32)) => Literal::Float(f64::from(v as f32)),
            (value, _) => value,
        };
        self.make(ExprKind::Literal(value), ty, source)
    }
}

fn scalar_type(scalar: Option<Scalar>) -> Option<Type> {
    scalar.map(Type::Scalar)
}

/// An associated constant of a primitive type: `MAX`, `BITS`, `EPSILON`, …
pub(super) fn constant_of(scalar: Scalar, name: &str) -> Option<(Literal, Type)> {
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

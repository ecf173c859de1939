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

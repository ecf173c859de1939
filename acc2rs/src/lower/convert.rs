//! Conversions: decay, promotion, and making the implicit ones explicit.

use super::{Lowered, Lowerer, fail};
use crate::codes;
use crate::ctypes::{Type, common};
use crate::source::Span;
use crate::typed::{Expr, ExprKind};

impl Lowerer<'_> {
    /// The expression as a value: arrays and functions become pointers.
    pub(super) fn decay(&self, expr: Expr) -> Expr {
        match &expr.ty {
            Type::Array(..) | Type::Function(_) => {
                let (ty, span) = (expr.ty.decayed(), expr.span);
                Expr {
                    kind: ExprKind::Decay(Box::new(expr)),
                    ty,
                    span,
                }
            }
            _ => expr,
        }
    }

    /// A conversion that C performs by itself.
    pub(super) fn implicit(&self, expr: Expr, ty: &Type) -> Expr {
        if expr.ty == *ty {
            return expr;
        }
        let span = expr.span;
        Expr {
            kind: ExprKind::Cast {
                explicit: false,
                value: Box::new(expr),
            },
            ty: ty.clone(),
            span,
        }
    }

    /// The value converted as by assignment to `ty` (C11 6.5.16.1).
    pub(super) fn assigned(&mut self, expr: Expr, ty: &Type) -> Lowered<Expr> {
        let fits = match (&expr.ty, ty) {
            (a, b) if a == b => true,
            (a, b) if a.is_arithmetic() && b.is_arithmetic() => true,
            (Type::Pointer { .. }, Type::Pointer { .. }) => true,
            (Type::Pointer { .. }, Type::Int(crate::ctypes::IntKind::Bool)) => true,
            (Type::Int(_), Type::Pointer { .. }) => is_null(&expr),
            (_, Type::Stream) => is_null(&expr),
            (Type::Array(a, _), Type::Array(b, _)) => a == b,
            _ => false,
        };
        if !fits {
            let message = format!(
                "a value of type `{}` where `{}` is needed",
                self.type_text(&expr.ty),
                self.type_text(ty)
            );
            return fail(codes::TYPE_ERROR, expr.span, message, "");
        }
        Ok(self.implicit(expr, ty))
    }

    /// Both operands in their common type.
    pub(super) fn balanced(&mut self, a: Expr, b: Expr, span: Span) -> Lowered<(Expr, Expr, Type)> {
        match common(&a.ty, &b.ty) {
            Some(ty) => Ok((self.implicit(a, &ty), self.implicit(b, &ty), ty)),
            None => {
                let message = format!(
                    "this operator is not defined on `{}` and `{}`",
                    self.type_text(&a.ty),
                    self.type_text(&b.ty)
                );
                fail(codes::TYPE_ERROR, span, message, "")
            }
        }
    }

    /// A type as a message names it.
    pub(super) fn type_text(&self, ty: &Type) -> String {
        match ty {
            Type::Struct(id) => format!("struct {}", self.program.structure(*id).name),
            Type::Pointer { to, .. } => format!("{} *", self.type_text(to)),
            other => other.to_string(),
        }
    }
}

/// Whether an expression is a null pointer constant: `0`, or that cast to `void *`.
pub(crate) fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(0) => true,
        ExprKind::Cast { value, .. } => {
            is_null(value) && (expr.ty.is_pointer() || expr.ty.is_int() || expr.ty == Type::Stream)
        }
        _ => false,
    }
}

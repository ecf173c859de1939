//! Operators between values that are no numbers: `(y, x) < (t, r)`, `a == b` of structs. Only rustc knows what they do. And values of two types where
//! there can be one only: then a name means something else than it seems to, which rustc says.

use crate::ir::visit::VisitMut;
use crate::ir::{BinaryOp, Block, Body, Expr, ExprKind, Opaque, Type, UnaryOp};

/// Makes such expressions opaque, once all types are known.
pub(super) fn for_rustc(body: &mut Body) {
    Operands.block(&mut body.block);
}

struct Operands;

impl VisitMut for Operands {
    fn expr(&mut self, expr: &mut Expr) {
        self.expr_parts(expr);
        let (symbol, parts) = match &mut expr.kind {
            ExprKind::If(condition, then, Some(otherwise)) => {
                let (Some(a), Some(b)) = (value(then), value(otherwise)) else {
                    return;
                };
                match (a.ty.as_scalar(), b.ty.as_scalar()) {
                    (Some(x), Some(y)) if x != y => ("if", vec![condition, a, b]),
                    _ => return,
                }
            }
            ExprKind::Binary(op, a, b)
                if !(is_open(&a.ty) || is_open(&b.ty))
                    || is_no_number(&a.ty)
                    || is_no_number(&b.ty) =>
            {
                match (a.ty.as_scalar(), b.ty.as_scalar()) {
                    (Some(x), Some(y)) if x == y || matches!(op, BinaryOp::Shl | BinaryOp::Shr) => {
                        return;
                    }
                    _ => (op.symbol(), vec![a, b]),
                }
            }
            ExprKind::Unary(op, a) if !is_open(&a.ty) && a.ty.as_scalar().is_none() => {
                let symbol = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                };
                (symbol, vec![a])
            }
            _ => return,
        };
        let types: Vec<String> = parts.iter().map(|part| part.ty.to_string()).collect();
        // A struct's operators are functions of its author's.
        let impure = parts.iter().any(|part| has_struct(&part.ty));
        let parts = parts.into_iter().map(|part| (**part).clone()).collect();
        expr.kind = ExprKind::Opaque(Opaque {
            why: format!("`{symbol}` of {}", types.join(" and ")),
            help: Some("compare and compute with numbers: of tuples their fields".to_owned()),
            parts,
            impure,
            ..Opaque::default()
        });
        if expr.ty.as_scalar().is_none() {
            expr.ty = Type::Opaque(None);
        }
    }
}

/// The value of a block that is nothing else.
fn value(block: &mut Block) -> Option<&mut Box<Expr>> {
    block.tail.as_mut().filter(|_| block.stmts.is_empty())
}

/// Whether nothing is known of a value, or there is none.
fn is_open(ty: &Type) -> bool {
    ty.is_open() || *ty == Type::Never
}

/// Whether a value is known to be no number, a part of an array beside it or whatever: `&seq[i..i + 3] == b"ATG"`.
fn is_no_number(ty: &Type) -> bool {
    matches!(ty, Type::Array(..) | Type::Tuple(_) | Type::Struct(_))
}

fn has_struct(ty: &Type) -> bool {
    match ty {
        Type::Struct(_) => true,
        Type::Tuple(parts) => parts.iter().any(has_struct),
        Type::Array(elem, _) => has_struct(elem),
        _ => false,
    }
}

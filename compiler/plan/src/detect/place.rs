//! Whether two pieces of IR are the same computation.

use crate::ir::{Block, Check, Expr, ExprKind, Index, Place, Projection};

/// Whether two places are the same, evaluated one right after the other.
pub(super) fn same_place(a: &Place, b: &Place) -> bool {
    a.root == b.root
        && a.path.len() == b.path.len()
        && a.path.iter().zip(&b.path).all(|(a, b)| match (a, b) {
            (Projection::Field(a), Projection::Field(b)) => a == b,
            (Projection::Index(a), Projection::Index(b)) => same_index(a, b),
            _ => false,
        })
}

/// Whether two indices are the same.
pub(crate) fn same_index(a: &Index, b: &Index) -> bool {
    let bases = match (&a.base, &b.base) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    };
    let checks = match (&a.check, &b.check) {
        (Check::Window(a), Check::Window(b)) => same(a, b),
        (Check::Dimension, Check::Dimension) | (Check::Never, Check::Never) => true,
        _ => false,
    };
    bases && checks && same(&a.index, &b.index)
}

/// Whether two expressions compute the same, where nothing happens in between. Expressions with statements
/// inside are never the same.
pub fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b,
        (ExprKind::Load(a), ExprKind::Load(b)) => same_place(a, b),
        (ExprKind::Len(a), ExprKind::Len(b)) => a == b,
        (ExprKind::Unary(p, a), ExprKind::Unary(q, b)) => p == q && same(a, b),
        (ExprKind::Binary(p, a, x), ExprKind::Binary(q, b, y)) => {
            p == q && same(a, b) && same(x, y)
        }
        (ExprKind::And(a, x), ExprKind::And(b, y)) | (ExprKind::Or(a, x), ExprKind::Or(b, y)) => {
            same(a, b) && same(x, y)
        }
        (ExprKind::Cast(x), ExprKind::Cast(y)) => a.ty == b.ty && same(x, y),
        (ExprKind::Method(p, a), ExprKind::Method(q, b)) => p == q && all_same(a, b),
        (ExprKind::Call(p, a), ExprKind::Call(q, b)) => p == q && all_same(a, b),
        (ExprKind::Tuple(a), ExprKind::Tuple(b)) | (ExprKind::Array(a), ExprKind::Array(b)) => {
            all_same(a, b)
        }
        (ExprKind::If(p, a, x), ExprKind::If(q, b, y)) => {
            let otherwise = match (x, y) {
                (Some(x), Some(y)) => same_value(x, y),
                (None, None) => true,
                _ => false,
            };
            same(p, q) && same_value(a, b) && otherwise
        }
        (ExprKind::Match(p, a), ExprKind::Match(q, b)) => {
            let arms = a.iter().zip(b).all(|(a, b)| {
                let unbound = a.binding.is_none() && b.binding.is_none();
                let guards = match (&a.guard, &b.guard) {
                    (Some(a), Some(b)) => same(a, b),
                    (None, None) => true,
                    _ => false,
                };
                a.values == b.values && unbound && guards && same(&a.body, &b.body)
            });
            same(p, q) && a.len() == b.len() && arms
        }
        (ExprKind::Block(a), ExprKind::Block(b)) => same_value(a, b),
        _ => false,
    }
}

/// Whether two blocks without statements have the same value.
fn same_value(a: &Block, b: &Block) -> bool {
    match (&a.tail, &b.tail) {
        (Some(x), Some(y)) => a.stmts.is_empty() && b.stmts.is_empty() && same(x, y),
        _ => false,
    }
}

fn all_same(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

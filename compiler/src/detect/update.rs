//! Assignments to captured memory as updates: which operator, which value (the paper's C2).

use super::place::same_place;
use crate::ir::{BinaryOp, Expr, ExprKind, Overflow, Place, Scalar, Type, UpdateOp};

/// What an assignment to captured memory is.
pub(super) enum Judged {
    /// An update by an operator, with the value that is combined in.
    Update(UpdateOp, Expr),
    /// An operator whose result depends on the order of the updates.
    Ordered(String),
    /// An operator that has an order-free form only for other types.
    WrongType(&'static str),
    /// It replaces the old value.
    Replaces,
    /// It replaces the old value by something computed from it that is no update.
    Recomputes,
}

/// Judges `place op= value`.
pub(super) fn compound(op: BinaryOp, value: &Expr) -> Judged {
    match operator(op) {
        Some(update) => Judged::Update(update, value.clone()),
        None => Judged::Ordered(format!("{}=", op.symbol())),
    }
}

/// Judges `place = value`.
pub(super) fn assignment(place: &Place, value: &Expr, ty: &Type) -> Judged {
    let is_old = |e: &Expr| matches!(&e.kind, ExprKind::Load(p) if same_place(p, place));
    match &value.kind {
        ExprKind::Binary(op, ..) => {
            if let Some(rest) = without_old(value, *op, &is_old) {
                return match operator(*op) {
                    Some(update) => Judged::Update(update, rest),
                    None => Judged::Ordered(op.symbol().to_string()),
                };
            }
        }
        ExprKind::Method(method, parts) => {
            let (old, rest) = match parts.as_slice() {
                [a, b] if is_old(a) => (true, Some(b)),
                [a, b] if is_old(b) && is_commutative(method.0) => (true, Some(a)),
                _ => (false, None),
            };
            if let (true, Some(rest)) = (old, rest) {
                return method_update(method.0, rest, ty);
            }
        }
        _ => {}
    }
    if reads_place_root(value, place) {
        Judged::Recomputes
    } else {
        Judged::Replaces
    }
}

fn is_commutative(method: &str) -> bool {
    matches!(
        method,
        "min" | "max" | "wrapping_add" | "wrapping_mul" | "saturating_add"
    )
}

fn method_update(method: &str, value: &Expr, ty: &Type) -> Judged {
    let op = match method {
        "wrapping_add" => UpdateOp::Add(Overflow::Wraps),
        "wrapping_sub" => UpdateOp::Sub(Overflow::Wraps),
        "wrapping_mul" => UpdateOp::Mul(Overflow::Wraps),
        "saturating_add" => match ty.as_scalar().map(Scalar::is_signed) {
            Some(true) => return Judged::WrongType("saturating_add"),
            _ => UpdateOp::SaturatingAdd,
        },
        "min" => UpdateOp::Min,
        "max" => UpdateOp::Max,
        other => return Judged::Ordered(format!(".{other}(..)")),
    };
    Judged::Update(op, value.clone())
}

fn operator(op: BinaryOp) -> Option<UpdateOp> {
    Some(match op {
        BinaryOp::Add => UpdateOp::Add(Overflow::Profile),
        BinaryOp::Sub => UpdateOp::Sub(Overflow::Profile),
        BinaryOp::Mul => UpdateOp::Mul(Overflow::Profile),
        BinaryOp::BitAnd => UpdateOp::And,
        BinaryOp::BitOr => UpdateOp::Or,
        BinaryOp::BitXor => UpdateOp::Xor,
        _ => return None,
    })
}

/// What `value` combines with the old value: `a + b` of `old + a + b`. For `-` the old value must come
/// first, and what is subtracted is added up: `old - a - b` takes away `a + b`.
fn without_old(value: &Expr, op: BinaryOp, is_old: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let ExprKind::Binary(this, a, b) = &value.kind else {
        return None;
    };
    if *this != op {
        return None;
    }
    if is_old(a) {
        return Some((**b).clone());
    }
    let commutes = matches!(
        op,
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
    );
    if commutes && is_old(b) {
        return Some((**a).clone());
    }
    let rest = without_old(a, op, is_old)?;
    let inner = if op == BinaryOp::Sub {
        BinaryOp::Add
    } else {
        op
    };
    (commutes || op == BinaryOp::Sub).then(|| Expr {
        kind: ExprKind::Binary(inner, Box::new(rest), b.clone()),
        ty: value.ty.clone(),
        source: value.source,
    })
}

fn reads_place_root(value: &Expr, place: &Place) -> bool {
    use crate::ir::visit::Visit;
    struct Finder<'a>(&'a Place, bool);
    impl Visit for Finder<'_> {
        fn load(&mut self, place: &Place) {
            self.1 |= place.root == self.0.root;
            self.place_parts(place);
        }
    }
    let mut finder = Finder(place, false);
    finder.expr(value);
    finder.1
}

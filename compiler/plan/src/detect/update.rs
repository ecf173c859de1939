//! Assignments to captured memory as updates: which operator, which value (the paper's C2).

use super::place::same_place;
use crate::ir::{BinaryOp, Expr, ExprKind, Method, Op, Place, Type, UpdateOp};

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
    match Op::of_symbol(op.symbol()) {
        Some(update) => Judged::Update(update.into(), value.clone()),
        None => Judged::Ordered(format!("{}=", op.symbol())),
    }
}

/// Judges `place = value`.
pub(super) fn assignment(place: &Place, value: &Expr, ty: &Type) -> Judged {
    let is_old = |e: &Expr| matches!(&e.kind, ExprKind::Load(p) if same_place(p, place));
    match &value.kind {
        ExprKind::Binary(op, ..) => {
            if let Some(rest) = without_old(value, *op, &is_old) {
                return match Op::of_symbol(op.symbol()) {
                    Some(update) => Judged::Update(update.into(), rest),
                    None => Judged::Ordered(op.symbol().to_string()),
                };
            }
        }
        ExprKind::Method(method, parts) => {
            let (old, rest) = match parts.as_slice() {
                [a, b] if is_old(a) => (true, Some(b)),
                [a, b] if is_old(b) && swaps(*method) => (true, Some(a)),
                _ => (false, None),
            };
            if let (true, Some(rest)) = (old, rest) {
                return method_update(*method, rest, ty);
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

/// Whether `a.method(b)` and `b.method(a)` are one update.
fn swaps(method: Method) -> bool {
    Op::of_method(method.name()).is_some_and(|(op, _)| op.row().swaps)
}

fn method_update(method: Method, value: &Expr, ty: &Type) -> Judged {
    let name = method.name();
    match Op::of_method(name) {
        None => Judged::Ordered(format!(".{name}(..)")),
        Some((op, _)) if ty.as_scalar().is_some_and(|s| !op.applies_to(s)) => {
            Judged::WrongType(name)
        }
        Some((op, true)) => Judged::Update(UpdateOp::wrapping(op), value.clone()),
        Some((op, false)) => Judged::Update(op.into(), value.clone()),
    }
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
    let row = Op::of_symbol(op.symbol())?.row();
    if row.swaps && is_old(b) {
        return Some((**a).clone());
    }
    let rest = without_old(a, op, is_old)?;
    let inner = BinaryOp::of_symbol(row.gathers.row().written.symbol()?)?;
    Some(Expr {
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

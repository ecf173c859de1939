//! The value that an assignment combines into a bin, as the user's tokens.
//!
//! The detector has judged the assignment on the IR; what is left is to find the same parts in the syntax:
//! `v` in `h[i] += v`, `h[i] = h[i] + v`, `h[i] = v + h[i]`, `h[i] = h[i] - a - b`, `h[i] = h[i].max(v)` and
//! `h[i] = u32::max(v, h[i])`.

use std::mem::discriminant;

use quote::ToTokens;
use syn::{BinOp, Expr, parse_quote};

use crate::syntax::sites;

/// The right side of an update.
pub(super) struct Value {
    /// What is combined in.
    pub(super) expr: Expr,
    /// Whether it has the bins' type, as a method's argument does; else it may also be a reference to it, as may be what the method is called on.
    pub(super) of_bin_type: bool,
    /// Whether combining it in is what the assignment does, and not the same in another order, which floats may round otherwise.
    pub(super) whole: bool,
}

/// The target of an assignment: its place without indices, and the indices, outermost first.
pub(super) fn split_place(place: &Expr) -> (&Expr, Vec<&Expr>) {
    match place {
        Expr::Paren(p) => split_place(&p.expr),
        Expr::Group(g) => split_place(&g.expr),
        Expr::Index(index) => {
            let (base, mut indices) = split_place(&index.expr);
            indices.push(&index.index);
            (base, indices)
        }
        _ => (place, Vec::new()),
    }
}

/// Whether two places are written alike, parentheses aside.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Paren(a), _) => same(&a.expr, b),
        (Expr::Group(a), _) => same(&a.expr, b),
        (_, Expr::Paren(b)) => same(a, &b.expr),
        (_, Expr::Group(b)) => same(a, &b.expr),
        (Expr::Field(x), Expr::Field(y)) => x.member == y.member && same(&x.base, &y.base),
        _ => a.to_token_stream().to_string() == b.to_token_stream().to_string(),
    }
}

/// What an assignment combines into the target that is written `target` without its indices.
pub(super) fn of_assignment(assignment: &Expr, target: &Expr) -> Option<Value> {
    match assignment {
        Expr::Binary(b) if sites::is_compound(&b.op) => Some(Value {
            expr: (*b.right).clone(),
            of_bin_type: false,
            whole: true,
        }),
        // The target's other reads were refused, so whatever reads it here reads the old value.
        Expr::Assign(a) => of_right_side(&a.right, &|e| {
            // A method is called through a reference, too: `*n = n.wrapping_add(1)`.
            let behind = match target {
                Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => Some(&unary.expr),
                _ => None,
            };
            let place = split_place(e).0;
            same(place, target) || behind.is_some_and(|behind| same(place, behind))
        }),
        _ => None,
    }
}

fn of_right_side(right: &Expr, is_old: &dyn Fn(&Expr) -> bool) -> Option<Value> {
    match right {
        Expr::Paren(p) => of_right_side(&p.expr, is_old),
        Expr::Group(g) => of_right_side(&g.expr, is_old),
        Expr::Binary(b) => without_old(right, &b.op, is_old).map(|expr| Value {
            expr,
            of_bin_type: false,
            whole: is_old(&b.left) || is_old(&b.right),
        }),
        Expr::MethodCall(call) if call.args.len() == 1 => {
            let value = other(&call.receiver, &call.args[0], is_old)?;
            Some(Value {
                // A method is called through a reference, `x.max(h[i])`.
                of_bin_type: value.whole,
                ..value
            })
        }
        Expr::Call(call) if call.args.len() == 2 => other(&call.args[0], &call.args[1], is_old),
        _ => None,
    }
}

/// The one of two operands that is not the old value.
fn other(a: &Expr, b: &Expr, is_old: &dyn Fn(&Expr) -> bool) -> Option<Value> {
    let expr = match (is_old(a), is_old(b)) {
        (true, false) => b.clone(),
        (false, true) => a.clone(),
        _ => return None,
    };
    Some(Value {
        expr,
        of_bin_type: true,
        // The other way round a method of floats may keep another NaN, or another zero.
        whole: is_old(a),
    })
}

/// `a + b` of `old + a + b`, `a + b` of `old - a - b`.
fn without_old(value: &Expr, op: &BinOp, is_old: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let binary = match value {
        Expr::Paren(p) => return without_old(&p.expr, op, is_old),
        Expr::Group(g) => return without_old(&g.expr, op, is_old),
        Expr::Binary(b) if discriminant(&b.op) == discriminant(op) => b,
        _ => return None,
    };
    let (a, b) = (&*binary.left, &*binary.right);
    if is_old(a) {
        return Some(b.clone());
    }
    if is_old(b) {
        return Some(a.clone());
    }
    let rest = without_old(a, op, is_old)?;
    let inner = match op {
        BinOp::Sub(_) => parse_quote!(+),
        op => *op,
    };
    Some(parse_quote!((#rest) #inner (#b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(assignment: Expr) -> Option<String> {
        let target = parse_quote!(h);
        let value = of_assignment(&assignment, &target)?;
        Some(value.expr.to_token_stream().to_string())
    }

    #[test]
    fn values_are_found_in_every_form() {
        let cases: [(Expr, &str); 10] = [
            (parse_quote!(h[i] += x), "x"),
            (parse_quote!(h[i] = h[i] + x), "x"),
            (parse_quote!(h[i] = x * 2 + (h[i])), "x * 2"),
            (parse_quote!(h[i] = (h[i] - a) - b), "(a) + (b)"),
            (parse_quote!(h[i] = h[i].max(x)), "x"),
            (parse_quote!(h[i] = x.min(h[i])), "x"),
            (parse_quote!(h[i] = h[i].wrapping_add(1 << x)), "1 << x"),
            (parse_quote!(h[i] = std::cmp::max(x, h[i])), "x"),
            (parse_quote!(h = f64::min(h, x)), "x"),
            (parse_quote!(h[i][j] = h[i][j] | x), "x"),
        ];
        for (assignment, expected) in cases {
            assert_eq!(value(assignment).as_deref(), Some(expected));
        }
    }

    #[test]
    fn values_in_another_order_are_not_whole() {
        let whole = |assignment| of_assignment(&assignment, &parse_quote!(h)).map(|v| v.whole);
        assert_eq!(whole(parse_quote!(h[i] += a + b)), Some(true));
        assert_eq!(whole(parse_quote!(h[i] = a * b + h[i])), Some(true));
        assert_eq!(whole(parse_quote!(h[i] = h[i].max(a))), Some(true));
        assert_eq!(whole(parse_quote!(h[i] = a.max(h[i]))), Some(false));
        assert_eq!(whole(parse_quote!(h[i] = h[i] + a + b)), Some(false));
    }

    #[test]
    fn what_a_method_is_called_on_may_be_a_reference() {
        let of_bin_type = |assignment| {
            let value = of_assignment(&assignment, &parse_quote!(h));
            value.map(|value| value.of_bin_type)
        };
        assert_eq!(of_bin_type(parse_quote!(h = h.max(x))), Some(true));
        assert_eq!(of_bin_type(parse_quote!(h = x.max(h))), Some(false));
        assert_eq!(of_bin_type(parse_quote!(h = f32::max(x, h))), Some(true));
    }

    #[test]
    fn what_is_no_update_has_no_value() {
        assert_eq!(value(parse_quote!(h[i] = x)), None);
        assert_eq!(
            value(parse_quote!(h[i] = h[i] + x * h[i])).as_deref(),
            Some("x * h [i]")
        );
        assert_eq!(value(parse_quote!(h[i] = h[i].max(h[i]))), None);
    }

    #[test]
    fn places_come_apart() {
        let place: Expr = parse_quote!((self.h)[y][x + 1]);
        let (base, indices) = split_place(&place);
        assert!(same(base, &parse_quote!(self.h)));
        assert_eq!(indices.len(), 2);
    }
}

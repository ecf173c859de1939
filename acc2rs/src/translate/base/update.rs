//! Statements that update a place by an operator that local copies can take.

use accrue_ops::Op;

use super::usage::same;
use crate::codes::{self, Code};
use crate::ctypes::Type;
use crate::typed::{BinaryOp, Expr, ExprKind};

/// An update of a place by an operator.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) place: Expr,
    pub(crate) operator: Op,
    /// What is added and so on; `None` for one.
    pub(crate) value: Option<Expr>,
}

/// The update that an expression statement performs, if it is one that local copies can take.
pub(crate) fn update(
    program: &crate::typed::Program,
    e: &Expr,
) -> Result<Option<Update>, (Code, &'static str)> {
    use BinaryOp as B;
    let of = |op: B| match Op::of_symbol(op.text()) {
        // Copies take differences as sums of opposites.
        Some(op) => Ok(op.row().gathers),
        None => Err((
            codes::ATOMIC_ORDER,
            "this operator depends on the order of updates",
        )),
    };
    let swaps = |op: B| Op::of_symbol(op.text()).is_some_and(|op| op.row().swaps);
    let made = |place: &Expr, operator, value: Option<&Expr>| {
        Ok(Some(Update {
            place: place.clone(),
            operator,
            value: value.cloned(),
        }))
    };
    match &e.kind {
        ExprKind::Step { place, .. } => made(place, Op::Add, None),
        ExprKind::Compound {
            op, place, value, ..
        } => made(place, of(*op)?, Some(value)),
        ExprKind::Cast { value, .. } if e.ty == Type::Void => update(program, value),
        ExprKind::Assign(place, value) => {
            let value = bare(value);
            let is = |x: &Expr| same(bare(x), place);
            match &value.kind {
                ExprKind::Binary(op, a, b) if !op.is_comparison() => match (is(a), is(b)) {
                    (true, _) => made(place, of(*op)?, Some(b)),
                    (false, true) if swaps(*op) => made(place, of(*op)?, Some(a)),
                    (false, true) => Err((
                        codes::ATOMIC_ORDER,
                        "the old value is the right operand of an operator that is not commutative",
                    )),
                    _ => Ok(None),
                },
                ExprKind::Cond(c, a, b) => {
                    let ExprKind::Binary(op @ (B::Lt | B::Le | B::Gt | B::Ge), x, y) = &c.kind
                    else {
                        return Ok(None);
                    };
                    // `x < v ? x : v` keeps the smaller one, whichever way it is written.
                    let (old_first, other) = if is(a) {
                        (true, b)
                    } else if is(b) {
                        (false, a)
                    } else {
                        return Ok(None);
                    };
                    let old_left = is(x);
                    let less = matches!(op, B::Lt | B::Le);
                    let min = (old_left == less) == old_first;
                    let fits = if old_left {
                        same(bare(y), bare(other))
                    } else {
                        is(y) && same(bare(x), bare(other))
                    };
                    if fits {
                        made(place, if min { Op::Min } else { Op::Max }, Some(other))
                    } else {
                        Ok(None)
                    }
                }
                ExprKind::Call { callee, args } if args.len() == 2 => {
                    let name = program.function(*callee).name.as_str();
                    let operator = match name.trim_start_matches("__builtin_") {
                        "fmin" | "fminf" => Op::Min,
                        "fmax" | "fmaxf" => Op::Max,
                        _ => return Ok(None),
                    };
                    match (is(&args[0]), is(&args[1])) {
                        (true, _) => made(place, operator, Some(&args[1])),
                        (_, true) => made(place, operator, Some(&args[0])),
                        _ => Ok(None),
                    }
                }
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// An expression without conversions.
pub(crate) fn bare(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast { value, .. } => bare(value),
        _ => e,
    }
}

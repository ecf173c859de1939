//! What an inner loop would compute for each of its positions although it is the same for all of them: computed once, before it.
//!
//! ```text
//! for u in 0..side { let (i, j) = (x as f32 + d * u as f32, y as f32 + d * v as f32); … }          `x as f32`, and all that makes `j`
//! ```
//!
//! It is what can neither fail nor be seen: casts, sums, products and the like of variables that the loop leaves alone, and of elements that nobody writes
//! and that have been found to be there ([spans](super::spans)). The assembler moves little of it: not past the jumps of checks.

use std::collections::HashMap;

use super::emitter::{Emitter, Result};
use super::spans::Body;
use super::value::Value;
use crate::ir::{Access, BinaryOp, Expr, ExprKind, Method, Place, Projection, Root, Type, VarId};

/// Values that are kept for a loop, at most: registers.
const MOST_VALUES: usize = 16;

/// What has been computed, by the expression.
pub(super) type Steady = HashMap<*const Expr, Value>;

impl<'a> Emitter<'a> {
    /// Computes what is the same for all positions of a loop whose spans have been checked.
    pub(super) fn begin_steady(&mut self, body: &Body<'a>) -> Result<()> {
        // Where products may be fused with sums, their rounding depends on who sees both.
        if self.options.contract {
            return Ok(());
        }
        let lets = body.lets.iter();
        let declared: HashMap<*const Expr, VarId> = lets
            .filter_map(|(var, value)| Some((std::ptr::from_ref((*value)?), *var)))
            .filter(|(_, var)| !body.assigned.contains(var))
            .collect();
        let most = self.steady.len() + MOST_VALUES;
        let mut at = 0;
        while let Some(&(e, behind)) = body.exprs.get(at) {
            let declares = declared.get(&std::ptr::from_ref(e));
            let is_plain = matches!(
                e.kind,
                ExprKind::Literal(_)
                    | ExprKind::Len(_)
                    | ExprKind::Load(Place {
                        root: Root::Var(_),
                        ..
                    })
            );
            if is_plain && declares.is_none() || !self.is_steady(e, body) {
                at += 1;
                continue;
            }
            at = behind;
            if self.steady.len() >= most {
                break;
            }
            let value = self.expr(e)?;
            if let Some(var) = declares {
                self.frame().vars.insert(*var, value.clone());
            }
            self.steady.insert(e, value);
        }
        Ok(())
    }

    /// Whether an expression has one value for all positions, and evaluating it, needed or not, does nothing else.
    fn is_steady(&self, e: &Expr, body: &Body<'_>) -> bool {
        if !matches!(e.ty, Type::Scalar(_)) {
            return false;
        }
        let float = e.ty.as_scalar().is_some_and(|ty| ty.is_float());
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(place) => match place.root {
                Root::Var(var) if place.path.is_empty() && !body.assigned.contains(&var) => {
                    match body.lets.get(&var) {
                        // It has been computed, since it comes before.
                        Some(Some(value)) => self.steady.contains_key(&std::ptr::from_ref(*value)),
                        Some(None) => false,
                        None => body.stays(e),
                    }
                }
                Root::Var(_) => false,
                Root::Array(array) => {
                    self.lp.array(array).access == Access::Read
                        && self.spans.contains_key(&std::ptr::from_ref(place))
                        && is_one_element(place, body)
                }
            },
            ExprKind::Cast(a) => self.is_steady(a, body),
            ExprKind::Binary(op, a, b) => {
                let of_floats = float && matches!(op, BinaryOp::Div);
                let known = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
                (known || of_floats) && self.is_steady(a, body) && self.is_steady(b, body)
            }
            ExprKind::Method(Method::Min | Method::Max | Method::SaturatingSub, parts) => {
                parts.iter().all(|part| self.is_steady(part, body))
            }
            _ => false,
        }
    }
}

/// Whether a place is one element for all positions.
fn is_one_element(place: &Place, body: &Body<'_>) -> bool {
    place.path.iter().all(|step| match step {
        Projection::Field(_) => true,
        Projection::Index(index) => {
            let base = index.base.as_ref();
            body.line(&index.index) == Some(false)
                && base.is_none_or(|base| body.line(base) == Some(false))
        }
    })
}

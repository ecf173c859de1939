//! The numbering of assignment expressions, which ties an [`Update`](crate::ir::Update) of the IR to the
//! user's tokens.
//!
//! A *site* is an assignment expression, `=` or `op=`, anywhere in the body of a loop, local or captured
//! target alike; sites count from 0 in the order in which `syn::visit` enters them. Tokens inside macros
//! are not visited.

use crate::syntax::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr};

/// Whether an expression is an assignment, `=` or `op=`.
pub fn is_assignment(expr: &Expr) -> bool {
    match expr {
        Expr::Assign(_) => true,
        Expr::Binary(b) => is_compound(&b.op),
        _ => false,
    }
}

/// Whether an operator assigns.
pub fn is_compound(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Whether an operator gives a `bool`, whatever it is given.
pub fn gives_bool(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
            | BinOp::And(_)
            | BinOp::Or(_)
    )
}

/// Calls `f` with every site of a loop's body and its number. `f` may replace the expression; what it
/// put there is not visited, but the assignments inside the old expression keep their numbers.
///
/// ```
/// use quote::{ToTokens, quote};
/// use syn::{Block, parse_quote};
/// let mut body: Block = parse_quote!({ let mut t = 0; t = 1; hist[t] += 1; });
/// accrue_ir::syntax::sites::rewrite(&mut body, |site, expr| {
///     if site == 1 {
///         *expr = parse_quote!(add(t, 1));
///     }
/// });
/// let changed = quote!({ let mut t = 0; t = 1; add(t, 1); });
/// assert_eq!(body.to_token_stream().to_string(), changed.to_string());
/// ```
pub fn rewrite(body: &mut Block, f: impl FnMut(usize, &mut Expr)) {
    Rewriter { next: 0, f }.visit_block_mut(body);
}

struct Rewriter<F> {
    next: usize,
    f: F,
}

impl<F: FnMut(usize, &mut Expr)> VisitMut for Rewriter<F> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(expr) => {
                if is_assignment(expr) {
                    let site = self.next;
                    self.next += 1;
                    visit_mut::visit_expr_mut(self, expr);
                    (self.f)(site, expr);
                } else {
                    visit_mut::visit_expr_mut(self, expr);
                }
            }
            _ => node.parts(self),
        }
    }
}

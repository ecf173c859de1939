//! Conditions with a `let` that others follow: an `if` in an `if`, where nothing is done otherwise.
//!
//! | written | stands for |
//! | --- | --- |
//! | `if let Some(q) = p.get_mut(i) && x[i] > 3 { *q = 1; }` | `if let Some(q) = p.get_mut(i) { if x[i] > 3 { *q = 1; } }` |

use syn::{BinOp, Expr, ItemFn, Stmt, parse_quote};

use crate::syntax::visit_mut::{self, VisitMut};

/// Rewrites them in a function.
pub fn rewrite(function: &mut ItemFn) {
    Conditions.visit_block_mut(&mut function.block);
}

struct Conditions;

impl VisitMut for Conditions {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                if let Expr::If(of) = e
                    && of.else_branch.is_none()
                    && let Some((first, rest)) = parted(&of.cond)
                {
                    let inner = syn::ExprIf {
                        cond: Box::new(rest),
                        ..of.clone()
                    };
                    *of.cond = first;
                    let inner = Stmt::Expr(Expr::If(inner), None);
                    of.then_branch.stmts = vec![inner];
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// A condition up to its first `let`, and what is behind that.
fn parted(cond: &Expr) -> Option<(Expr, Expr)> {
    let Expr::Binary(of) = cond else { return None };
    let BinOp::And(_) = of.op else { return None };
    // The terms are to the left: `(a && b) && c`.
    match parted(&of.left) {
        Some((first, rest)) => {
            let last = &of.right;
            Some((first, parse_quote!(#rest && #last)))
        }
        None => ends_with_let(&of.left).then(|| ((*of.left).clone(), (*of.right).clone())),
    }
}

fn ends_with_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(of) if matches!(of.op, BinOp::And(_)) => ends_with_let(&of.right),
        _ => false,
    }
}

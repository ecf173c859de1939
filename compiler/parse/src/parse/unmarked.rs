//! The `for` loops of a function that stand as statements, of which no attribute says anything.

use syn::{Expr, ExprForLoop, ItemFn, Stmt};

use super::marks;
use crate::syntax::visit_mut::{self, VisitMut};

/// Puts what `rewrite` makes of such a loop in its place, outermost loops first: not of those in what it has made, and of loops within loops only where `nested` says so.
pub(super) fn loops(
    function: &mut ItemFn,
    nested: bool,
    rewrite: &mut dyn FnMut(&ExprForLoop) -> Option<Stmt>,
) {
    let mut loops = Loops { nested, rewrite };
    loops.visit_block_mut(&mut function.block);
}

struct Loops<'a> {
    nested: bool,
    rewrite: &'a mut dyn FnMut(&ExprForLoop) -> Option<Stmt>,
}

impl VisitMut for Loops<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Stmt(stmt) => {
                if let Stmt::Expr(Expr::ForLoop(of), _) = stmt
                    && of.attrs.is_empty()
                    && !marks::may_be_marked(&of.attrs)
                    && let Some(rewritten) = (self.rewrite)(of)
                {
                    *stmt = rewritten;
                    return;
                }
                visit_mut::visit_stmt_mut(self, stmt);
            }
            visit_mut::Node::Expr(e) => match e {
                Expr::Closure(_) | Expr::Async(_) => {}
                Expr::ForLoop(_) if !self.nested => {}
                _ => visit_mut::visit_expr_mut(self, e),
            },
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

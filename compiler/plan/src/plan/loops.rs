//! Finding a function's loops again in its tokens.

use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::TokenStream;
use syn::{Block, Expr};

/// Replaces the loops in a function's block by what `f` returns for each, which is given its number and the loop with those inside it replaced.
pub fn rewrite(block: &mut Block, f: impl FnMut(usize, Expr) -> Expr) {
    Rewriter { next: 0, f }.visit_block_mut(block);
}

struct Rewriter<F> {
    next: usize,
    f: F,
}

impl<F: FnMut(usize, Expr) -> Expr> VisitMut for Rewriter<F> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(expr) => {
                if !matches!(expr, Expr::ForLoop(_)) {
                    return visit_mut::visit_expr_mut(self, expr);
                }
                let nth = self.next;
                self.next += 1;
                // Loops inside are entered all the same: their numbers must not depend on what is planned.
                visit_mut::visit_expr_mut(self, expr);
                let of = std::mem::replace(expr, Expr::Verbatim(TokenStream::new()));
                *expr = (self.f)(nth, of);
            }
            _ => node.parts(self),
        }
    }
}

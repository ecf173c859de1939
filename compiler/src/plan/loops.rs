//! Finding a function's planned loops again in its tokens.

use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::TokenStream;
use syn::{Block, Expr};

use super::LoopPlan;

/// Replaces every planned loop in a function's block by what `f` returns for it, which is given the loop with those inside it replaced.
pub fn rewrite(block: &mut Block, plans: &[&LoopPlan], f: impl FnMut(&LoopPlan, Expr) -> Expr) {
    Rewriter { next: 0, plans, f }.visit_block_mut(block);
}

struct Rewriter<'a, F> {
    next: usize,
    plans: &'a [&'a LoopPlan],
    f: F,
}

impl<F: FnMut(&LoopPlan, Expr) -> Expr> VisitMut for Rewriter<'_, F> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if !matches!(expr, Expr::ForLoop(_)) {
            return visit_mut::visit_expr_mut(self, expr);
        }
        let nth = self.next;
        self.next += 1;
        // Loops inside are entered all the same: their numbers must not depend on what is planned.
        visit_mut::visit_expr_mut(self, expr);
        if let Some(plan) = self.plans.iter().find(|p| p.nth_for == nth) {
            let of = std::mem::replace(expr, Expr::Verbatim(TokenStream::new()));
            *expr = (self.f)(plan, of);
        }
    }
}

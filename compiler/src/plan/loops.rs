//! Finding a function's planned loops again in its tokens.

use std::collections::HashSet;

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::TokenStream;
use syn::{Block, Expr, ExprForLoop, ExprLoop, ExprWhile};

use super::LoopPlan;

/// The numbers of the `for`s that stand in another loop of the function.
pub fn repeated(block: &Block) -> HashSet<usize> {
    #[derive(Default)]
    struct Repeated {
        next: usize,
        depth: usize,
        found: HashSet<usize>,
    }
    impl Repeated {
        fn within(&mut self, inside: impl FnOnce(&mut Repeated)) {
            self.depth += 1;
            inside(self);
            self.depth -= 1;
        }
    }
    impl Visit<'_> for Repeated {
        fn visit_expr_for_loop(&mut self, e: &ExprForLoop) {
            if self.depth > 0 {
                self.found.insert(self.next);
            }
            self.next += 1;
            self.within(|r| visit::visit_expr_for_loop(r, e));
        }
        fn visit_expr_while(&mut self, e: &ExprWhile) {
            self.within(|r| visit::visit_expr_while(r, e));
        }
        fn visit_expr_loop(&mut self, e: &ExprLoop) {
            self.within(|r| visit::visit_expr_loop(r, e));
        }
    }
    let mut repeated = Repeated::default();
    repeated.visit_block(block);
    repeated.found
}

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

//! Roughly how many operations an iteration does: what `auto` weighs against the copies.

use crate::ir::visit::Visit;
use crate::ir::{Expr, ExprKind, Literal, Loop, LoopLabel, Stmt, StmtKind, Update};

/// How often a loop whose count is not known is taken to run.
const ASSUMED_TRIPS: u32 = 16;

/// Operations of an update: the read, the combination, the write.
const UPDATE: u32 = 3;

/// Operations of one iteration. Of loops of which each has a part in an iteration, `dealt`, they are those of one of theirs.
pub(super) fn operations(of: &Loop, dealt: &[LoopLabel]) -> u32 {
    let mut cost = Cost {
        total: 0,
        weight: 1,
        dealt,
    };
    cost.block(&of.body.block);
    cost.total.max(1)
}

struct Cost<'a> {
    total: u32,
    /// How often what is being looked at runs.
    weight: u32,
    dealt: &'a [LoopLabel],
}

impl Cost<'_> {
    fn add(&mut self, operations: u32) {
        self.total = self
            .total
            .saturating_add(self.weight.saturating_mul(operations));
    }

    fn repeated(&mut self, trips: u32, visit: impl FnOnce(&mut Self)) {
        let outside = self.weight;
        self.weight = outside.saturating_mul(trips.max(1));
        visit(self);
        self.weight = outside;
    }
}

impl Visit for Cost<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) | ExprKind::Cast(_) => {}
            ExprKind::Method(method, _) => self.add(method.spec().operations),
            ExprKind::Call(..) => self.add(10),
            ExprKind::Loop(_, block) => return self.repeated(ASSUMED_TRIPS, |c| c.block(block)),
            _ => self.add(1),
        }
        self.expr_parts(expr);
    }

    fn update(&mut self, update: &Update) {
        self.add(UPDATE);
        self.update_parts(update);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::For(inner) => {
                let trips = match inner.count.kind {
                    _ if self.dealt.contains(&inner.label) => 1,
                    ExprKind::Literal(Literal::Int(n)) => u32::try_from(n).unwrap_or(u32::MAX),
                    _ => ASSUMED_TRIPS,
                };
                self.repeated(trips, |c| c.block(&inner.body));
            }
            StmtKind::While(_, cond, block) => self.repeated(ASSUMED_TRIPS, |c| {
                c.expr(cond);
                c.block(block);
            }),
            _ => self.stmt_parts(stmt),
        }
    }
}

//! Inner loops of few positions, one body behind the other: what they read is then known for each.
//!
//! ```text
//! for dy in 0..3 { for dx in 0..3 { sum += x[(y + dy) * w + i + dx]; } }          nine statements
//! ```

use crate::ir::visit::VisitMut;
use crate::ir::{Expr, ExprKind, ForLoop, Literal, Loop, Place, Root, Stmt, StmtKind, VarId};

/// Statements that a body has at most when its loops are unrolled.
const MOST_STATEMENTS: usize = 400;

/// The loop with the inner loops at the top of its body unrolled, if all of them run a small and known number of times, and there are some.
pub(super) fn unrolled(lp: &Loop) -> Option<Loop> {
    let loops = |stmt: &Stmt| matches!(stmt.kind, StmtKind::For(_));
    if !lp.body.block.stmts.iter().any(loops) {
        return None;
    }
    let mut lp = lp.clone();
    let mut stmts = Vec::new();
    for stmt in std::mem::take(&mut lp.body.block.stmts) {
        flatten(stmt, &mut stmts)?;
    }
    lp.body.block.stmts = stmts;
    Some(lp)
}

fn flatten(stmt: Stmt, into: &mut Vec<Stmt>) -> Option<()> {
    let StmtKind::For(inner) = stmt.kind else {
        into.push(stmt);
        return (into.len() <= MOST_STATEMENTS).then_some(());
    };
    let ExprKind::Literal(Literal::Int(count)) = inner.count.kind else {
        return None;
    };
    let ForLoop {
        position, mut body, ..
    } = inner;
    let mut jumps = Jumps(false);
    jumps.block(&mut body);
    if jumps.0 || count > MOST_STATEMENTS as i128 {
        return None;
    }
    if let Some(tail) = body.tail.take() {
        let source = tail.source;
        let kind = StmtKind::Expr(*tail);
        body.stmts.push(Stmt { kind, source });
    }
    for n in 0..count {
        let mut once = body.clone();
        At(position, n).block(&mut once);
        for stmt in once.stmts {
            flatten(stmt, into)?;
        }
    }
    Some(())
}

/// Puts a number where a position is read.
struct At(VarId, i128);

impl VisitMut for At {
    fn expr(&mut self, expr: &mut Expr) {
        let is_it = |place: &Place| place.root == Root::Var(self.0) && place.path.is_empty();
        if let ExprKind::Load(place) = &expr.kind
            && is_it(place)
        {
            expr.kind = ExprKind::Literal(Literal::Int(self.1));
            return;
        }
        self.expr_parts(expr);
    }
}

/// Whether anything jumps.
struct Jumps(bool);

impl VisitMut for Jumps {
    fn expr(&mut self, expr: &mut Expr) {
        self.0 |= matches!(
            expr.kind,
            ExprKind::Continue(_) | ExprKind::Break(..) | ExprKind::Loop(..) | ExprKind::Return(_)
        );
        self.expr_parts(expr);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        self.0 |= matches!(stmt.kind, StmtKind::While(..));
        self.stmt_parts(stmt);
    }
}

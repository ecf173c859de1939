//! Rows: nested loops whose outermost position alone says which bins an iteration updates, `out[y][h(x)] += …`. They are better
//! left whole: one iteration is a row then, the inner loops run in it, and no two iterations meet in a bin.

use super::{grid, injective};
use crate::ir::visit::VisitMut;
use crate::ir::{
    Block, Body, Expr, ExprKind, ForLoop, Histogram, Loop, LoopLabel, Place, Root, Stmt, StmtKind,
    Var, VarId, VarKind,
};
use crate::parsed::lowered::Lowered;

/// Makes a loop over rows one of them an iteration, if it is not injective over all its dimensions and is over the rows.
/// Returns the loop as it was, where kernels should take it so.
pub(super) fn keep_whole(lowered: &mut Lowered<'_>, histogram: &mut Histogram) -> Option<Loop> {
    let targets = &mut histogram.targets;
    if lowered.ir.space.len() < 2 || targets.iter().all(|t| t.injective.is_some()) {
        return None;
    }
    let rows = injective::find(&lowered.ir, &lowered.mutable, targets.len(), 1);
    if rows.iter().any(Option::is_none) {
        return None;
    }
    for (target, index) in targets.iter_mut().zip(rows) {
        target.injective = index;
    }
    let apart = lowered.ir.clone();
    fold(&mut lowered.ir, &lowered.binds);
    lowered.binds.truncate(1);
    lowered.iterations.truncate(1);
    grid::is_sliced(&lowered.ir).then_some(apart)
}

/// Turns all dimensions but the outermost into loops of the body. The first statements of the body bind the items: `binds` of each
/// dimension.
pub(super) fn fold(lp: &mut Loop, binds: &[usize]) {
    let inner = lp.space.split_off(1);
    if inner.is_empty() {
        return;
    }
    // The new loops stand around all others.
    Labels(inner.len() as u32).block(&mut lp.body.block);
    let Body { vars, block } = &mut lp.body;
    for (n, dim) in inner.into_iter().enumerate().rev() {
        let start = binds[..=n].iter().sum();
        let body = Block {
            stmts: block.stmts.split_off(start),
            tail: None,
        };
        vars[dim.position.0 as usize].kind = VarKind::Local;
        let count = before(dim.count, vars, block);
        block.stmts.push(Stmt {
            kind: StmtKind::For(ForLoop {
                label: LoopLabel(n as u32),
                position: dim.position,
                count,
                body,
            }),
            source: dim.source,
        });
    }
}

/// A count, evaluated before the loop that it is of.
fn before(count: Expr, vars: &mut Vec<Var>, block: &mut Block) -> Expr {
    if let ExprKind::Literal(_) | ExprKind::Len(_) | ExprKind::Load(_) = count.kind {
        return count;
    }
    let (ty, source) = (count.ty.clone(), count.source);
    let var = VarId(vars.len() as u32);
    vars.push(Var {
        name: "count".to_owned(),
        ty: ty.clone(),
        kind: VarKind::Local,
        source,
    });
    block.stmts.push(Stmt {
        kind: StmtKind::Let(var, Some(count)),
        source,
    });
    let place = Place {
        root: Root::Var(var),
        path: Vec::new(),
    };
    Expr {
        kind: ExprKind::Load(place),
        ty,
        source,
    }
}

/// Makes room for so many labels of loops around, and lets `continue` of the parallel loop go on with the innermost of those.
struct Labels(u32);

impl Labels {
    fn shift(&self, label: &mut LoopLabel) {
        label.0 += self.0;
    }
}

impl VisitMut for Labels {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::For(inner) => self.shift(&mut inner.label),
            StmtKind::While(label, ..) => self.shift(label),
            StmtKind::Let(..)
            | StmtKind::Assign(..)
            | StmtKind::Compound(..)
            | StmtKind::Update(_)
            | StmtKind::Expr(_)
            | StmtKind::Check(..) => {}
        }
        self.stmt_parts(stmt);
    }

    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Continue(Some(label))
            | ExprKind::Break(label, _)
            | ExprKind::Loop(label, _) => {
                self.shift(label);
            }
            ExprKind::Continue(label @ None) => *label = Some(LoopLabel(self.0 - 1)),
            _ => {}
        }
        self.expr_parts(expr);
    }
}

//! Patches: loops over two or more dimensions whose threads take some rows of a column each.
//!
//! ```text
//! for y in 0..h { for x in 0..w { out[y * w + x] = …; } }
//! for t in 0..h.div_ceil(8) { for x in 0..w { for y in 8 * t..min(8 * t + 8, h) { … } } }      the same, as it is printed
//! ```
//!
//! Neighbouring threads have neighbouring columns, so that what they read and write lies side by side. A thread finds out once where it
//! is, and its rows are a loop with [spans](super::spans): eight elements are checked at once. Only iterations without loops of their
//! own are so short that it matters.

use crate::ir::visit::VisitMut;
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, ForLoop, Loop, LoopLabel, Place, Root, Scalar, Stmt, StmtKind,
    Type, Var, VarId, VarKind,
};

/// Rows of a patch.
pub(super) const ROWS: u32 = 8;

/// A loop by patches.
pub(super) struct Patches {
    /// The loop, whose body runs over the rows of one.
    pub(super) lp: Loop,
    /// The dimension that is cut into rows of patches.
    pub(super) dim: usize,
    /// The first row.
    pub(super) first: VarId,
    /// How many there are.
    pub(super) rows: VarId,
    /// The row.
    pub(super) row: VarId,
    /// Its position in the patch.
    pub(super) position: VarId,
}

impl Patches {
    /// A loop by patches, if it has two dimensions.
    pub(super) fn of(lp: &Loop) -> Option<Patches> {
        let dim = lp.space.len().checked_sub(2)?;
        let mut lp = lp.clone();
        let source = lp.source;
        let usize = Type::Scalar(Scalar::Usize);
        let mut var = |name: &str, kind| {
            lp.body.vars.push(Var {
                name: name.to_owned(),
                ty: usize.clone(),
                kind,
                source,
            });
            VarId(lp.body.vars.len() as u32 - 1)
        };
        let first = var("first_row", VarKind::Position);
        let rows = var("rows", VarKind::Position);
        let position = var("row", VarKind::Local);
        let row = lp.space[dim].position;
        lp.body.vars[row.0 as usize].kind = VarKind::Local;

        // A label that no loop of the body has: there are none.
        let label = LoopLabel(0);
        let mut block = std::mem::take(&mut lp.body.block);
        Next(label).block(&mut block);
        let expr = |kind| Expr {
            kind,
            ty: usize.clone(),
            source,
        };
        let load = |var| {
            expr(ExprKind::Load(Place {
                root: Root::Var(var),
                path: Vec::new(),
            }))
        };
        let sum = ExprKind::Binary(
            BinaryOp::Add,
            Box::new(load(first)),
            Box::new(load(position)),
        );
        let declared = Stmt {
            kind: StmtKind::Let(row, Some(expr(sum))),
            source,
        };
        block.stmts.insert(0, declared);
        let rows_of_patch = StmtKind::For(ForLoop {
            label,
            position,
            count: load(rows),
            body: block,
        });
        lp.body.block = Block {
            stmts: vec![Stmt {
                kind: rows_of_patch,
                source,
            }],
            tail: None,
        };
        Some(Patches {
            lp,
            dim,
            first,
            rows,
            row,
            position,
        })
    }
}

/// What goes on with the next iteration goes on with the next row.
struct Next(LoopLabel);

impl VisitMut for Next {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Continue(label @ None) = &mut expr.kind {
            *label = Some(self.0);
        }
        self.expr_parts(expr);
    }
}

//! Loops that go straight through their arrays: every index is the position plus something fixed, or fixed, in every iteration.
//! The first and the last iteration then tell whether any index is out of range. In nested loops the sum of their positions is as good as
//! one: it is smallest in the first and largest in the last iteration, and there are too few iterations for it to wrap in between.

use crate::sorted::SortedSet;

use crate::ir::visit::Visit;
use crate::ir::{
    BinaryOp, Check, Expr, ExprKind, Index, Loop, Method, Place, Projection, Root, Scalar, Stmt,
    StmtKind, Type, Update, VarId, VarKind,
};

/// Whether a loop does, and nothing else in it can panic.
pub(super) fn is_straight(of: &Loop) -> bool {
    if of.space.len() > 2 {
        return false;
    }
    let mut walk = Walk {
        of,
        positions: of.space.iter().map(|dim| dim.position).collect(),
    };
    let block = &of.body.block;
    block.tail.is_none()
        && block.stmts.iter().all(|stmt| match &stmt.kind {
            StmtKind::Let(var, Some(value)) => {
                if walk.is_position(value) {
                    walk.positions.insert(*var);
                }
                walk.is_quiet(value)
            }
            StmtKind::Update(update) => {
                update.bin.iter().all(|index| walk.is_straight(index))
                    && walk.is_quiet(&update.value)
            }
            _ => false,
        })
}

/// Whether the loop at a dimension runs over the columns of the bins: the last index of every update, of several, is its position plus something fixed. Each array has one
/// update, so that the updates of a bin, which are those of one position, come in the order of the loops around whatever the order of the positions: sums of floats are
/// rounded as ever.
pub(super) fn has_columns(of: &Loop, dimension: usize) -> bool {
    let mut columns = Columns {
        walk: Walk {
            of,
            positions: SortedSet::from([of.space[dimension].position]),
        },
        targets: SortedSet::new(),
        others: false,
    };
    columns.block(&of.body.block);
    !columns.others && !columns.targets.is_empty()
}

struct Columns<'a> {
    walk: Walk<'a>,
    /// What has such an update.
    targets: SortedSet<usize>,
    /// Whether there are other updates.
    others: bool,
}

impl Visit for Columns<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Let(var, Some(value)) = &stmt.kind
            && self.walk.is_position(value)
        {
            self.walk.positions.insert(*var);
        }
        self.stmt_parts(stmt);
    }

    fn update(&mut self, update: &Update) {
        let is_column =
            matches!(&update.bin[..], [_, .., last] if self.walk.is_position(&last.index));
        self.others |= !is_column || !self.targets.insert(update.target);
    }
}

struct Walk<'a> {
    of: &'a Loop,
    /// The variables that are the position plus something fixed. None is assigned: no assignment is straight.
    positions: SortedSet<VarId>,
}

impl Walk<'_> {
    fn is_straight(&self, index: &Index) -> bool {
        let checked = matches!(index.check, Check::Dimension | Check::Never);
        let index_is = self.is_position(&index.index) || self.is_fixed(&index.index);
        index.base.is_none() && checked && index_is
    }

    /// The position plus something fixed, as a `usize`: where that wraps, the sums before the wrap are out of any range, the first
    /// one too.
    fn is_position(&self, e: &Expr) -> bool {
        if e.ty != Type::Scalar(Scalar::Usize) {
            return false;
        }
        match &e.kind {
            ExprKind::Load(Place {
                root: Root::Var(var),
                path,
            }) => path.is_empty() && self.positions.contains(var),
            ExprKind::Binary(BinaryOp::Add, a, b) => self.is_sum(a, b),
            ExprKind::Method(Method::WrappingAdd, parts) => self.is_sum(&parts[0], &parts[1]),
            ExprKind::Cast(inner) => self.is_position(inner),
            _ => false,
        }
    }

    fn is_sum(&self, a: &Expr, b: &Expr) -> bool {
        let nested = self.of.space.len() > 1 && self.is_position(a) && self.is_position(b);
        (self.is_position(a) && self.is_fixed(b))
            || (self.is_fixed(a) && self.is_position(b))
            || nested
    }

    fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(Place {
                root: Root::Var(var),
                path,
            }) => path.is_empty() && self.of.var(*var).kind == VarKind::Captured,
            _ => false,
        }
    }

    /// Whether an expression reads straight and cannot panic otherwise.
    fn is_quiet(&self, e: &Expr) -> bool {
        let float = matches!(&e.ty, Type::Scalar(s) if s.is_float());
        self.is_position(e)
            || match &e.kind {
                ExprKind::Literal(_) | ExprKind::Len(_) => true,
                ExprKind::Load(place) => place.path.iter().all(|step| match step {
                    Projection::Index(index) => self.is_straight(index),
                    Projection::Field(_) => true,
                }),
                ExprKind::Cast(inner) => self.is_quiet(inner),
                ExprKind::Unary(_, inner) => float && self.is_quiet(inner),
                ExprKind::Binary(_, a, b) => float && self.is_quiet(a) && self.is_quiet(b),
                _ => false,
            }
    }
}

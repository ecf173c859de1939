//! Loops in which no two iterations update the same bin: `h[i] += …` by the loop's own position.

use crate::sorted::{Sorted, SortedSet};

use super::place::same;
use crate::ir::visit::Visit;
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, Index, Injective, Loop, Method, Place, Root, Stmt, StmtKind,
    Update, VarId, VarKind,
};

/// The injective index of each target, where it has one. `dims` dimensions of the space make an iteration: all, or the outermost alone.
pub(super) fn find(
    ir: &Loop,
    mutable: &SortedSet<VarId>,
    targets: usize,
    dims: usize,
) -> Vec<Option<Injective>> {
    let mut finder = Finder {
        ir,
        mutable,
        dims,
        lets: Sorted::new(),
        found: (0..targets).map(|_| State::Unseen).collect(),
    };
    finder.block(&ir.body.block);
    finder
        .found
        .into_iter()
        .map(|state| match state {
            State::Index(index) => Some(Injective { index: *index }),
            State::Unseen | State::No => None,
        })
        .collect()
}

enum State {
    Unseen,
    Index(Box<Index>),
    No,
}

struct Finder<'a> {
    ir: &'a Loop,
    mutable: &'a SortedSet<VarId>,
    dims: usize,
    lets: Sorted<VarId, Expr>,
    found: Vec<State>,
}

impl Visit for Finder<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Let(var, Some(value)) = &stmt.kind
            && !self.mutable.contains(var)
        {
            self.lets.insert(*var, value.clone());
        }
        self.stmt_parts(stmt);
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
    }

    fn update(&mut self, update: &Update) {
        let index = self.positional(update);
        let state = &mut self.found[update.target];
        *state = match (std::mem::replace(state, State::No), index) {
            (State::Unseen, Some(index)) => State::Index(Box::new(index)),
            (State::Index(known), Some(index)) if same(&known.index, &index.index) => {
                State::Index(known)
            }
            _ => State::No,
        };
        self.update_parts(update);
    }
}

impl Finder<'_> {
    /// The outermost index, if it is the outermost position plus something fixed, and the other positions
    /// of an iteration appear in the other indices.
    fn positional(&self, update: &Update) -> Option<Index> {
        let outermost = update.bin.first()?;
        if outermost.base.is_some()
            || !self.is_position(&outermost.index, self.ir.space[0].position)
        {
            return None;
        }
        let rest_fixed = self.ir.space[1..self.dims].iter().all(|dim| {
            update.bin[1..]
                .iter()
                .any(|index| index.base.is_none() && self.is_position(&index.index, dim.position))
        });
        rest_fixed.then(|| outermost.clone())
    }

    fn is_position(&self, e: &Expr, position: VarId) -> bool {
        match &e.kind {
            ExprKind::Load(Place {
                root: Root::Var(var),
                path,
            }) if path.is_empty() => {
                *var == position
                    || self
                        .lets
                        .get(var)
                        .is_some_and(|value| self.is_position(value, position))
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                (self.is_position(a, position) && self.is_fixed(b))
                    || (self.is_fixed(a) && self.is_position(b, position))
            }
            // The number of a range: `start.wrapping_add(position as T)`.
            ExprKind::Method(Method::WrappingAdd, parts) => {
                self.is_fixed(&parts[0]) && self.is_position(&parts[1], position)
            }
            // Only casts that lose nothing: of the position to the range's own type, or to something wider.
            ExprKind::Cast(inner) => {
                let direct = matches!(&inner.kind, ExprKind::Load(Place { root: Root::Var(v), .. }) if *v == position);
                let wider = match (inner.ty.as_scalar(), e.ty.as_scalar()) {
                    (Some(from), Some(to)) => {
                        to.is_int() && from.is_int() && to.bits() >= from.bits()
                    }
                    _ => false,
                };
                (direct || wider) && self.is_position(inner, position)
            }
            _ => false,
        }
    }

    /// The same in every iteration.
    fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(Place {
                root: Root::Var(var),
                path,
            }) if path.is_empty() => self.ir.var(*var).kind == VarKind::Captured,
            ExprKind::Cast(e) => self.is_fixed(e),
            _ => false,
        }
    }
}

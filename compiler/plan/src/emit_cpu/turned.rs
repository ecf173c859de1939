//! Nested loops of which the inner one runs over the columns of the bins and updates any row of each, `votes[distance][t] += 1`: a worker's table has its columns
//! one behind the other, and all of the outer loop is run for one column after another. What it updates of one is near each other then.
//!
//! That pays where the loops may change places for nothing: what the body reads is in arrays of the outer loop's items or of the inner one's, and it makes nothing
//! of the outer one's item alone, which a row makes once.

use crate::ir::{Expr, ExprKind, Index, Loop, Place, Projection, Root, Stmt, StmtKind, VarId};
use crate::sorted::Sorted;

use super::straight;

/// Which loops a value depends on: a bit for each.
type Loops = u8;

const OUTER: Loops = 1;
const INNER: Loops = 2;

/// Whether a loop is such a one.
pub(super) fn is_turned(of: &Loop) -> bool {
    let [outer, inner] = &of.space[..] else {
        return false;
    };
    let mut walk = Walk {
        vars: Sorted::from_iter([(outer.position, OUTER), (inner.position, INNER)]),
    };
    let block = &of.body.block;
    straight::has_columns(of, 1)
        && block.tail.is_none()
        && block.stmts.iter().all(|stmt| walk.takes(stmt))
}

struct Walk {
    vars: Sorted<VarId, Loops>,
}

impl Walk {
    /// Whether a statement lets the loops change places.
    fn takes(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let(var, Some(value)) => {
                let loops = self.loops(value);
                self.vars.extend(loops.map(|loops| (*var, loops)));
                loops.is_some()
            }
            StmtKind::Update(update) => {
                let rows = update.bin.split_last().map_or(&[][..], |(_, rows)| rows);
                let rows = self.indices(rows);
                rows.is_some_and(|loops| loops & INNER != 0) && self.loops(&update.value).is_some()
            }
            _ => false,
        }
    }

    /// The loops that a value depends on; nothing where the loops should not change places.
    fn loops(&self, e: &Expr) -> Option<Loops> {
        let made = |parts: &[&Expr]| {
            let loops = parts
                .iter()
                .try_fold(0, |all, part| Some(all | self.loops(part)?))?;
            (loops != OUTER).then_some(loops)
        };
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => Some(0),
            ExprKind::Load(place) => self.place(place),
            ExprKind::Cast(inner) => self.loops(inner),
            ExprKind::Unary(_, inner) => made(&[inner]),
            ExprKind::Binary(_, a, b) => made(&[a, b]),
            ExprKind::Method(_, parts) => made(&parts.iter().collect::<Vec<_>>()),
            _ => None,
        }
    }

    /// The same of what is at a place. An element that both loops choose lies in the other one's way.
    fn place(&self, place: &Place) -> Option<Loops> {
        let root = match &place.root {
            Root::Var(var) => self.vars.get(var).copied().unwrap_or(0),
            Root::Array(_) => 0,
        };
        place.path.iter().try_fold(root, |all, step| match step {
            Projection::Index(index) => {
                let loops = all | self.indices(std::slice::from_ref(index))?;
                (loops != OUTER | INNER).then_some(loops)
            }
            Projection::Field(_) => Some(all),
        })
    }

    fn indices(&self, indices: &[Index]) -> Option<Loops> {
        indices.iter().try_fold(0, |all, index| match &index.base {
            Some(_) => None,
            None => Some(all | self.loops(&index.index)?),
        })
    }
}

//! Which byte of an item of several each update depends on: `hist[256 + p[1] as usize] += 1` on the second one of `p`. Where each depends on one
//! alone, the runtime counts how often each value of each byte occurs instead of running the body for each item.

use crate::sorted::Sorted;

use crate::ir::{
    BinaryOp, Expr, ExprKind, Index, Literal, Loop, Place, Projection, Root, StmtKind, VarId,
};

/// For each target the byte that each of its updates depends on, in the order in which they run; nothing where one depends on
/// several, where not all of them always run, and where the body does something else with an item.
pub(super) fn columns(of: &Loop, targets: usize) -> Option<Vec<Vec<u8>>> {
    let [space] = &of.space[..] else {
        return None;
    };
    let block = &of.body.block;
    if block.tail.is_some() {
        return None;
    }
    let mut walk = Walk {
        position: space.position,
        start: None,
        locals: Sorted::new(),
    };
    let mut found = vec![Vec::new(); targets];
    for stmt in &block.stmts {
        match &stmt.kind {
            StmtKind::Let(var, Some(value)) if walk.is_start(value) => walk.start = Some(*var),
            StmtKind::Let(var, Some(value)) => {
                let columns = walk.columns(value)?;
                // What it panics for would depend on both.
                columns.one()?;
                walk.locals.insert(*var, columns);
            }
            StmtKind::Update(update) => {
                let bin = update.bin.iter().map(|index| walk.of_index(index));
                let columns = bin.fold(walk.columns(&update.value), both)?;
                found
                    .get_mut(update.target)?
                    .push((columns, columns.one()?));
            }
            _ => return None,
        }
    }
    let of_target = |updates: Vec<(Columns, Option<u8>)>| {
        // What depends on none is done as often as on any one; a scalar's updates are one value, and so depend on one column.
        let any = updates.iter().find_map(|(_, one)| *one).unwrap_or(0);
        updates.iter().map(|(_, one)| one.unwrap_or(any)).collect()
    };
    Some(found.into_iter().map(of_target).collect())
}

/// A set of columns: a bit for each.
#[derive(Clone, Copy)]
struct Columns(u8);

impl Columns {
    /// The column, if there is one; nothing where there are several.
    fn one(self) -> Option<Option<u8>> {
        match self.0.count_ones() {
            0 => Some(None),
            1 => Some(Some(self.0.trailing_zeros() as u8)),
            _ => None,
        }
    }
}

fn both(a: Option<Columns>, b: Option<Columns>) -> Option<Columns> {
    Some(Columns(a?.0 | b?.0))
}

struct Walk {
    position: VarId,
    /// Where the item starts in what it is a chunk of.
    start: Option<VarId>,
    /// What locals depend on.
    locals: Sorted<VarId, Columns>,
}

impl Walk {
    /// The columns that a value depends on; nothing where that cannot be told.
    fn columns(&self, e: &Expr) -> Option<Columns> {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => Some(Columns(0)),
            ExprKind::Load(place) => self.of_place(place),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.columns(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                both(self.columns(a), self.columns(b))
            }
            ExprKind::Method(_, parts) => parts
                .iter()
                .try_fold(Columns(0), |sum, part| both(Some(sum), self.columns(part))),
            _ => None,
        }
    }

    fn of_place(&self, place: &Place) -> Option<Columns> {
        let indices = place.path.iter().map(|step| match step {
            Projection::Index(index) => self.of_index(index),
            Projection::Field(_) => Some(Columns(0)),
        });
        match (place.root, &place.path[..]) {
            (Root::Var(var), _) if self.is_of_item(var) => None,
            (Root::Var(var), _) => {
                let local = self.locals.get(&var).copied();
                indices.fold(Some(local.unwrap_or(Columns(0))), both)
            }
            (Root::Array(_), [Projection::Index(item), Projection::Index(byte)])
                if item.base.is_none() && self.is(&item.index, Some(self.position)) =>
            {
                column(&byte.index).filter(|_| byte.base.is_none())
            }
            (Root::Array(_), [Projection::Index(byte)])
                if byte
                    .base
                    .as_ref()
                    .is_some_and(|base| self.is(base, self.start)) =>
            {
                column(&byte.index)
            }
            _ => indices.fold(Some(Columns(0)), both),
        }
    }

    fn of_index(&self, index: &Index) -> Option<Columns> {
        let base = index.base.as_ref().map(|base| self.columns(base));
        both(self.columns(&index.index), base.unwrap_or(Some(Columns(0))))
    }

    fn is_of_item(&self, var: VarId) -> bool {
        var == self.position || Some(var) == self.start
    }

    /// Whether an expression is a variable.
    fn is(&self, e: &Expr, var: Option<VarId>) -> bool {
        matches!(&e.kind, ExprKind::Load(Place { root: Root::Var(of), path })
            if path.is_empty() && Some(*of) == var)
    }

    /// Whether it is where a chunk starts: a number of positions.
    fn is_start(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                self.is(a, Some(self.position)) && matches!(b.kind, ExprKind::Literal(_))
            }
            _ => false,
        }
    }
}

/// The column that a literal says: one of the first four.
fn column(e: &Expr) -> Option<Columns> {
    match &e.kind {
        ExprKind::Literal(Literal::Int(n)) => {
            let column = u8::try_from(*n).ok().filter(|n| *n < 4)?;
            Some(Columns(1 << column))
        }
        _ => None,
    }
}

//! Grids: nested loops whose iterations keep apart over more dimensions than the outermost, for devices that have a thread for each
//! element and not for each row.
//!
//! ```text
//! for y in 0..h { let row = y * w; for x in 0..w { out[row + x] = …; } }      a grid of h by w
//! ```
//!
//! Only declarations and checks may stand before the inner loop; they are made again for each of its iterations. An inner loop that runs
//! a different number of times in each row, but at most as often as the call can tell, is a dimension of that many positions, of which
//! the others do nothing.
//!
//! Where iterations of the next loop meet, but those of the one in it keep apart, the two are exchanged: a product is often written so that rows are read in order.
//!
//! ```text
//! for i in 0..n { for k in 0..l { let x = a[i * l + k]; for j in 0..m { c[i * m + j] += x * b[k * m + j]; } } }      a grid of n by m
//! ```
//!
//! Bins do not ask for that: whoever updates them meets others. Loops that only update bins become grids where the inner loop
//! leaves the first index of the bins alone, which is what slices are of, also where iterations then have bins of
//! their own: of these there are seldom enough for all threads of a device.
//!
//! No two iterations of the grid have an element in common that one of them writes, so each element goes through `k` in the order in which it is written.

use crate::sorted::{Sorted, SortedSet};

use super::Context;
use super::owned;
use crate::ir::visit::{Visit, VisitMut};
use crate::ir::{
    BinaryOp, Block, Dim, Expr, ExprKind, ForLoop, Guard, Histogram, Index, Literal, Loop,
    LoopLabel, Method, Place, Root, Scalar, Stmt, StmtKind, Type, Update, VarId, VarKind,
};
use crate::syntax::ArraySyntax;

/// Dimensions that are looked for.
pub(super) const MOST_DIMENSIONS: usize = 4;

/// Iterations of an inner loop over bins that are better left to one thread.
const SHORT: i128 = 64;

/// A loop over more dimensions.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The loop, over all of them.
    pub ir: Loop,
    /// What must hold of a call for its iterations to keep apart; `None` where they always do.
    pub guard: Option<Guard>,
}

/// The grid that a detected loop is, if iterations of an inner dimension keep apart as well.
pub(super) fn find(
    ir: &Loop,
    roles: &Histogram,
    arrays: &[ArraySyntax],
    context: &Context<'_>,
) -> Option<Grid> {
    if !roles.best.is_empty() || !roles.carried.is_empty() || !ir.opaque_parts().is_empty() {
        return None;
    }
    let mut found = None;
    let mut ir = ir.clone();
    if roles.owned.is_empty() {
        while ir.space.len() < MOST_DIMENSIONS && is_sliced(&ir) && deepen(&mut ir, context) {
            found = Some(Grid {
                ir: ir.clone(),
                guard: None,
            });
        }
        return found;
    }
    while ir.space.len() < MOST_DIMENSIONS {
        let deeper = |exchanged: bool| {
            let mut ir = ir.clone();
            if exchanged && !exchange(&mut ir) || !deepen(&mut ir, context) {
                return None;
            }
            let apart = owned::find(&ir, &[], &[], &[], arrays, &[], context);
            let all = roles.owned.iter().all(|id| apart.owned.contains(id));
            all.then_some(Grid {
                ir,
                guard: apart.guard,
            })
        };
        let Some(grid) = deeper(false).or_else(|| deeper(true)) else {
            break;
        };
        ir = grid.ir.clone();
        found = Some(grid);
    }
    found
}

/// Whether the loop at the end of the body updates bins of which the first index, or a part of the only one, is settled before it
/// begins and not before the loop around does, and the rest is not; and whether it may be long.
pub(super) fn is_sliced(ir: &Loop) -> bool {
    let Some((last, before)) = ir.body.block.stmts.split_last() else {
        return false;
    };
    let StmtKind::For(inner) = &last.kind else {
        return false;
    };
    if matches!(inner.count.kind, ExprKind::Literal(Literal::Int(n)) if n < SHORT) {
        return false;
    }
    let positions = ir.space.iter().map(|dim| dim.position);
    let declared = before.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Let(var, _) => Some(*var),
        _ => None,
    });
    let mut updates = Updates {
        around: positions.chain(declared).collect(),
        inside: SortedSet::from([inner.position]),
        all: true,
        found: false,
    };
    updates.block(&inner.body);
    updates.all && updates.found
}

/// Looks for updates of one slice of the bins.
struct Updates {
    /// What is settled before the inner loop begins and not before the one around does.
    around: SortedSet<VarId>,
    /// What is not.
    inside: SortedSet<VarId>,
    /// Whether all of them are, and there are some.
    all: bool,
    found: bool,
}

impl Updates {
    /// Whether an index is settled before the inner loop; `None` if it is already before the one around.
    fn settled(&self, index: &Expr) -> Option<bool> {
        let mut reads = Reads::default();
        reads.expr(index);
        match reads.vars.is_disjoint(&self.inside) {
            true => (!reads.vars.is_disjoint(&self.around)).then_some(true),
            false => Some(false),
        }
    }

    fn has_slice(&self, bin: &[Index]) -> bool {
        match bin {
            [] => false,
            [only] => match &only.index.kind {
                ExprKind::Binary(BinaryOp::Add, a, b) => {
                    let sides = [a, b].map(|side| self.settled(side));
                    sides.contains(&Some(true)) && sides.contains(&Some(false))
                }
                _ => false,
            },
            [first, rest @ ..] => {
                let open = |index: &Index| self.settled(&index.index) == Some(false);
                self.settled(&first.index) == Some(true) && rest.iter().any(open)
            }
        }
    }
}

impl Visit for Updates {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(var, _) => {
                self.inside.insert(*var);
            }
            StmtKind::For(inner) => {
                self.inside.insert(inner.position);
            }
            _ => {}
        }
        self.stmt_parts(stmt);
    }

    fn update(&mut self, update: &Update) {
        self.found = true;
        self.all &= self.has_slice(&update.bin);
        self.update_parts(update);
    }
}

/// Exchanges the loop at the end of the body with the one at the end of its own body, if nothing else but declarations and checks is in it, and
/// nothing leaves either. Iterations of the latter have to keep apart, which is for the caller to find out.
fn exchange(ir: &mut Loop) -> bool {
    let Some(last) = ir.body.block.stmts.last_mut() else {
        return false;
    };
    let StmtKind::For(outer) = &mut last.kind else {
        return false;
    };
    let (None, Some((within, before))) = (&outer.body.tail, outer.body.stmts.split_last()) else {
        return false;
    };
    let StmtKind::For(inner) = &within.kind else {
        return false;
    };
    let mut again = Again::default();
    before.iter().for_each(|stmt| again.stmt(stmt));
    let mut jumps = Jumps::default();
    before.iter().for_each(|stmt| jumps.stmt(stmt));
    jumps.block(&inner.body);
    let declared = before.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Let(var, _) => Some(*var),
        _ => None,
    });
    let assigned = declared.clone().any(|var| jumps.assigned.contains(&var));
    // How often the inner one runs is asked before the outer one begins.
    let mut reads = Reads::default();
    reads.expr(&inner.count);
    let depends = declared
        .chain([outer.position])
        .any(|var| reads.vars.contains(&var));
    if again.acts || jumps.jumps || assigned || depends || inner.body.tail.is_some() {
        return false;
    }
    let (mut inner, source) = (inner.clone(), within.source);
    outer.body.stmts.pop();
    outer.body.stmts.append(&mut inner.body.stmts);
    let outer = std::mem::replace(
        last,
        Stmt {
            kind: StmtKind::For(inner),
            source,
        },
    );
    if let StmtKind::For(inner) = &mut last.kind {
        inner.body.stmts.push(outer);
    }
    true
}

/// Whether statements leave a loop or go on with one, and what they assign.
#[derive(Default)]
struct Jumps {
    jumps: bool,
    assigned: SortedSet<VarId>,
}

impl Visit for Jumps {
    fn store(&mut self, place: &Place) {
        if let Root::Var(var) = place.root {
            self.assigned.insert(var);
        }
        self.place_parts(place);
    }

    fn expr(&mut self, expr: &Expr) {
        self.jumps |= matches!(
            expr.kind,
            ExprKind::Continue(_) | ExprKind::Break(..) | ExprKind::Return(_)
        );
        self.expr_parts(expr);
    }
}

/// The variables that an expression reads.
#[derive(Default)]
struct Reads {
    vars: SortedSet<VarId>,
}

impl Visit for Reads {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Load(place) = &expr.kind
            && let Root::Var(var) = place.root
        {
            self.vars.insert(var);
        }
        self.expr_parts(expr);
    }
}

/// Makes the loop at the end of the body a dimension, if it can be one.
pub(super) fn deepen(ir: &mut Loop, context: &Context<'_>) -> bool {
    let block = &ir.body.block;
    let (None, Some((last, before))) = (&block.tail, block.stmts.split_last()) else {
        return false;
    };
    let StmtKind::For(inner) = &last.kind else {
        return false;
    };
    let mut lets = Sorted::new();
    for stmt in before {
        match &stmt.kind {
            StmtKind::Let(var, Some(value)) => {
                lets.insert(*var, value);
            }
            StmtKind::Check(..) | StmtKind::Expr(_) => {}
            _ => return false,
        }
    }
    let mut again = Again::default();
    before.iter().for_each(|stmt| again.stmt(stmt));
    let mut within = Leaves {
        label: inner.label,
        leaves: false,
        assigned: SortedSet::new(),
    };
    within.block(&inner.body);
    let assigned = |var: &VarId| within.assigned.contains(var);
    if again.acts || within.leaves || lets.keys().any(assigned) {
        return false;
    }
    let Some((most, exact)) = most(&inner.count, &lets, ir) else {
        return false;
    };
    let (inner, source) = (inner.clone(), last.source);
    let ForLoop {
        label,
        position,
        count,
        mut body,
    } = inner;
    ir.body.vars[position.0 as usize].kind = VarKind::Position;
    Next(label).block(&mut body);
    let block = &mut ir.body.block;
    block.stmts.pop();
    if !exact {
        block.stmts.push(beyond(position, count));
    }
    block.stmts.extend(body.stmts);
    block.tail = body.tail;
    ir.space.push(Dim {
        position,
        count: most,
        text: context.text(source).to_owned(),
        source,
    });
    true
}

/// `if position >= count { continue; }`.
fn beyond(position: VarId, count: Expr) -> Stmt {
    let source = count.source;
    let expr = |kind, ty| Expr { kind, ty, source };
    let place = Place {
        root: Root::Var(position),
        path: Vec::new(),
    };
    let position = expr(ExprKind::Load(place), count.ty.clone());
    let beyond = expr(
        ExprKind::Binary(BinaryOp::Ge, Box::new(position), Box::new(count)),
        Type::Scalar(Scalar::Bool),
    );
    let over = Stmt {
        kind: StmtKind::Expr(expr(ExprKind::Continue(None), Type::Never)),
        source,
    };
    let over = Block {
        stmts: vec![over],
        tail: None,
    };
    Stmt {
        kind: StmtKind::Expr(expr(ExprKind::If(Box::new(beyond), over, None), Type::Unit)),
        source,
    }
}

/// How often a loop runs at most, over what the call knows, and whether that is how often it runs.
pub fn most(count: &Expr, lets: &Sorted<VarId, &Expr>, ir: &Loop) -> Option<(Expr, bool)> {
    if let Some(known) = known(count, lets, ir) {
        return Some((known, true));
    }
    match &count.kind {
        ExprKind::Method(Method::Min, parts) => {
            let parts = parts.iter().filter_map(|part| most(part, lets, ir));
            parts.map(|(most, _)| (most, false)).next()
        }
        ExprKind::Method(Method::SaturatingSub, parts) => {
            Some((most(&parts[0], lets, ir)?.0, false))
        }
        ExprKind::Load(place) => match place.root {
            Root::Var(var) if place.path.is_empty() => most(lets.get(&var)?, lets, ir),
            _ => None,
        },
        _ => None,
    }
}

/// An expression without what the body declares, if it is one over captured values and lengths.
fn known(expr: &Expr, lets: &Sorted<VarId, &Expr>, ir: &Loop) -> Option<Expr> {
    let known = |expr: &Expr| self::known(expr, lets, ir);
    let both = |a: &Expr, b: &Expr| Some((Box::new(known(a)?), Box::new(known(b)?)));
    let block = |block: &Block| match (&block.stmts[..], &block.tail) {
        ([], Some(tail)) => Some(Block {
            stmts: Vec::new(),
            tail: Some(Box::new(known(tail)?)),
        }),
        _ => None,
    };
    let kind = match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Len(_) => expr.kind.clone(),
        ExprKind::Load(place) => match place.root {
            Root::Var(var) if place.path.is_empty() => match lets.get(&var) {
                Some(value) => return known(value),
                None if ir.var(var).kind == VarKind::Captured => expr.kind.clone(),
                None => return None,
            },
            _ => return None,
        },
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(known(a)?)),
        ExprKind::Cast(a) => ExprKind::Cast(Box::new(known(a)?)),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = both(a, b)?;
            ExprKind::Binary(*op, a, b)
        }
        ExprKind::Method(method, parts) => {
            let parts = parts.iter().map(known).collect::<Option<_>>()?;
            ExprKind::Method(*method, parts)
        }
        ExprKind::If(cond, then, Some(otherwise)) => ExprKind::If(
            Box::new(known(cond)?),
            block(then)?,
            Some(block(otherwise)?),
        ),
        _ => return None,
    };
    Some(Expr {
        kind,
        ..expr.clone()
    })
}

/// Whether statements do more than compute, or compute for long: they are not run again for each iteration of a loop behind them.
#[derive(Default)]
struct Again {
    acts: bool,
}

impl Visit for Again {
    fn stmt(&mut self, stmt: &Stmt) {
        self.acts |= !matches!(
            stmt.kind,
            StmtKind::Let(..) | StmtKind::Check(..) | StmtKind::Expr(_)
        );
        self.stmt_parts(stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        self.acts |= matches!(
            expr.kind,
            ExprKind::Loop(..) | ExprKind::Call(..) | ExprKind::Opaque(_)
        );
        self.expr_parts(expr);
    }
}

/// Whether a loop's body leaves the loop before its end, or goes on with the one around; and what it assigns.
struct Leaves {
    label: LoopLabel,
    leaves: bool,
    assigned: SortedSet<VarId>,
}

impl Visit for Leaves {
    fn store(&mut self, place: &Place) {
        if let Root::Var(var) = place.root {
            self.assigned.insert(var);
        }
        self.place_parts(place);
    }

    fn expr(&mut self, expr: &Expr) {
        self.leaves |= match &expr.kind {
            ExprKind::Continue(None) => true,
            ExprKind::Break(label, _) => *label == self.label,
            _ => false,
        };
        self.expr_parts(expr);
    }
}

/// What goes on with a loop that has become a dimension goes on with the next iteration.
struct Next(LoopLabel);

impl VisitMut for Next {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Continue(label) = &mut expr.kind
            && *label == Some(self.0)
        {
            *label = None;
        }
        self.expr_parts(expr);
    }
}

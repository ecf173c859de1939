//! Inner loops of few positions, one body behind the other: what they read is then known for each.
//!
//! ```text
//! for dy in 0..3 { for dx in 0..3 { sum += x[(y + dy) * w + i + dx]; } }          nine statements
//! ```

use std::collections::HashSet;

use super::emitter::Facts;
use crate::ir::visit::{Visit, VisitMut};
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, ForLoop, Literal, Loop, Place, Projection, Root, Scalar, Stmt,
    StmtKind, VarId,
};

/// Statements that a body has at most when its loops are unrolled.
const MOST_STATEMENTS: usize = 400;

/// Positions of a loop that is unrolled for the sake of an array, at most, and the size of what that makes of it, in expressions.
const MOST_POSITIONS: i128 = 8;
const MOST_EXPRESSIONS: usize = 400;

/// The loop with those inner loops unrolled that keep arrays of the body out of registers, if there are some: their positions are indices.
pub(super) fn with_registers(lp: &Loop) -> Option<Loop> {
    let indexed = Facts::of(&lp.body).indexed;
    if indexed.is_empty() {
        return None;
    }
    let mut unrolled = lp.clone();
    Unroll(&indexed).block(&mut unrolled.body.block);
    let left = Facts::of(&unrolled.body).indexed;
    (left.len() < indexed.len()).then_some(unrolled)
}

/// Unrolls loops whose positions are indices of some variables.
struct Unroll<'a>(&'a HashSet<VarId>);

impl Unroll<'_> {
    fn wants(&self, inner: &ForLoop) -> bool {
        let mut finds = Finds {
            of: self.0,
            known: HashSet::from([inner.position]),
            found: false,
            size: 0,
        };
        finds.block(&inner.body);
        let mut jumps = Jumps(false);
        jumps.block(&mut inner.body.clone());
        let few = match inner.count.kind {
            ExprKind::Literal(Literal::Int(n)) => {
                n <= MOST_POSITIONS && finds.size * (n.max(0) as usize) <= MOST_EXPRESSIONS
            }
            _ => false,
        };
        finds.found && few && !jumps.0
    }
}

impl VisitMut for Unroll<'_> {
    fn block(&mut self, block: &mut Block) {
        block.stmts.iter_mut().for_each(|stmt| self.stmt(stmt));
        if let Some(tail) = &mut block.tail {
            self.expr(tail);
        }
        let mut stmts = Vec::new();
        for stmt in std::mem::take(&mut block.stmts) {
            let before = stmts.len();
            match &stmt.kind {
                StmtKind::For(inner) if self.wants(inner) => {
                    if flatten(stmt.clone(), &mut stmts).is_none() {
                        stmts.truncate(before);
                        stmts.push(stmt);
                    }
                }
                _ => stmts.push(stmt),
            }
        }
        block.stmts = stmts;
    }
}

/// Looks whether variables are indexed by what comes from a position alone.
struct Finds<'a> {
    of: &'a HashSet<VarId>,
    known: HashSet<VarId>,
    found: bool,
    size: usize,
}

impl Finds<'_> {
    fn place(&mut self, place: &Place) {
        if !matches!(place.root, Root::Var(var) if self.of.contains(&var)) {
            return;
        }
        for step in &place.path {
            if let Projection::Index(index) = step {
                self.found |= self.is_known(&index.index) == Some(true);
            }
        }
    }

    /// Whether an expression comes from a position, if it is a number at each one.
    fn is_known(&self, e: &Expr) -> Option<bool> {
        match &e.kind {
            ExprKind::Literal(_) => Some(false),
            ExprKind::Load(Place {
                root: Root::Var(var),
                path,
            }) => (path.is_empty() && self.known.contains(var)).then_some(true),
            ExprKind::Cast(inner) => self.is_known(inner),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
                Some(self.is_known(a)? | self.is_known(b)?)
            }
            _ => None,
        }
    }
}

impl Visit for Finds<'_> {
    fn load(&mut self, place: &Place) {
        self.place(place);
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        self.place(place);
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Let(var, Some(init)) = &stmt.kind
            && self.is_known(init) == Some(true)
        {
            self.known.insert(*var);
        }
        self.stmt_parts(stmt);
    }

    fn expr(&mut self, e: &Expr) {
        self.size += 1;
        self.expr_parts(e);
    }
}

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
        for stmt in once(&body, position, n).stmts {
            flatten(stmt, into)?;
        }
    }
    Some(())
}

/// A body at one position.
fn once(body: &Block, position: VarId, n: i128) -> Block {
    let mut once = body.clone();
    let mut at = At(position, n);
    at.block(&mut once);
    // What is declared as a number is that number.
    let mut stores = Stored(HashSet::new());
    stores.block(&once);
    for s in 0..once.stmts.len() {
        if let StmtKind::Let(var, Some(init)) = &once.stmts[s].kind
            && let ExprKind::Literal(Literal::Int(n)) = init.kind
            && !stores.0.contains(var)
        {
            let mut at = At(*var, n);
            once.stmts[s + 1..]
                .iter_mut()
                .for_each(|stmt| at.stmt(stmt));
        }
    }
    once
}

/// The variables that are stored to.
struct Stored(HashSet<VarId>);

impl Visit for Stored {
    fn store(&mut self, place: &Place) {
        if let Root::Var(var) = place.root {
            self.0.insert(var);
        }
        self.place_parts(place);
    }
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
        if let Some(n) = folded(expr) {
            expr.kind = ExprKind::Literal(Literal::Int(n));
        }
    }
}

/// The value of what is computed from small numbers, where that is one.
fn folded(e: &Expr) -> Option<i128> {
    let small = |e: &Expr| match e.kind {
        ExprKind::Literal(Literal::Int(n)) if e.ty.as_scalar().is_some_and(Scalar::is_int) => {
            Some(n)
        }
        _ => None,
    };
    let value = match &e.kind {
        ExprKind::Cast(a) => small(a)?,
        ExprKind::Binary(BinaryOp::Add, a, b) => small(a)? + small(b)?,
        ExprKind::Binary(BinaryOp::Sub, a, b) => small(a)? - small(b)?,
        ExprKind::Binary(BinaryOp::Mul, a, b) => small(a)?.checked_mul(small(b)?)?,
        _ => return None,
    };
    let is_int = e.ty.as_scalar().is_some_and(Scalar::is_int);
    (is_int && (0..128).contains(&value)).then_some(value)
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

//! What the files of this folder share: places that a pointer is chosen from, pointers that are chosen together, and ways
//! through lists of statements.

use std::collections::HashMap;

use crate::ctypes::{INT, Type};
use crate::lower::is_null;
use crate::source::Span;
use crate::typed::{BinaryOp, Block, Expr, ExprKind, Program, Stmt, StmtKind, VarId, walk};

/// How many places a pointer is chosen from at most: as often the statements are written.
pub(super) const PLACES: usize = 8;

/// How often a statement is written at most.
pub(super) const COPIES: u32 = 16;

/// What a pointer is set to.
#[derive(Clone)]
pub(super) enum Tree {
    Place(Expr),
    Cond(Expr, Box<Tree>, Box<Tree>),
    /// An element of a table, by a number.
    Row(VarId, Expr),
}

/// Pointers that are chosen together.
#[derive(Clone)]
pub(super) struct Pick {
    /// What says which of the places it is: 0, 1 and so on.
    pub(super) selector: Expr,
    /// The pointers, and their places.
    pub(super) members: Vec<(VarId, Vec<Expr>)>,
    /// The number that a statement sets where the source sets the first pointer; what the others are set to is left out.
    pub(super) number: Option<VarId>,
    /// What the number is, by the value that the source sets the first pointer to.
    pub(super) events: HashMap<Span, Expr>,
    /// The first statements of exchanges, and how many each takes: the number goes to the next one.
    pub(super) turns: HashMap<Span, usize>,
}

/// A table of places.
pub(super) struct Table {
    pub(super) var: VarId,
    pub(super) places: Vec<Expr>,
}

/// Where a function sets a pointer.
pub(super) struct Event {
    pub(super) tree: Tree,
    /// The value that it is set to.
    pub(super) at: Span,
    /// Which block, and which statement there.
    pub(super) block: usize,
    pub(super) index: usize,
}

/// What a statement's places depend on.
#[derive(Clone)]
pub(super) enum Choice {
    Pick(usize),
    /// The number that elements of tables are taken by, and how many of them there are.
    Row(Expr, usize),
}

/// The table and the number of `table[i]`.
pub(super) fn row_of(e: &Expr) -> Option<(VarId, &Expr)> {
    match &e.kind {
        ExprKind::Index(of, at) if e.ty.is_pointer() => Some((of.stripped().as_var()?, at)),
        _ => None,
    }
}

/// What a pointer may be set to: a variable, a field, or the address of one.
pub(super) fn place(e: &Expr) -> Option<Expr> {
    let inner = e.stripped();
    let known = match &inner.kind {
        ExprKind::AddrOf(of) => chain(of),
        ExprKind::Str(_) => true,
        _ => !is_null(e) && chain(inner),
    };
    let held = match &inner.kind {
        ExprKind::AddrOf(_) => inner.ty.is_pointer(),
        _ => matches!(inner.ty, Type::Pointer { .. } | Type::Array(..)),
    };
    (known && held).then(|| match (&e.kind, &inner.kind) {
        // An array keeps its decay.
        (ExprKind::Cast { value, .. }, _) if matches!(value.kind, ExprKind::Decay(_)) => {
            (**value).clone()
        }
        (ExprKind::Decay(_), _) => e.clone(),
        _ => inner.clone(),
    })
}

/// Calls `f` on each list of statements, outer ones first.
pub(super) fn blocks(stmts: &[Stmt], f: &mut dyn FnMut(&[Stmt])) {
    f(stmts);
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Block(b) => blocks(&b.stmts, f),
            StmtKind::If {
                then, otherwise, ..
            } => {
                blocks(single(then), f);
                otherwise.iter().for_each(|s| blocks(single(s), f));
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => blocks(single(body), f),
            StmtKind::Switch { arms, .. } => arms.iter().for_each(|a| blocks(&a.body, f)),
            _ => {}
        }
    }
}

fn single(stmt: &Stmt) -> &[Stmt] {
    match &stmt.kind {
        StmtKind::Block(b) => &b.stmts,
        _ => std::slice::from_ref(stmt),
    }
}

/// The variables that statements declare.
pub(super) fn declared(program: &Program, stmts: &[Stmt]) -> Vec<VarId> {
    let block = Block {
        stmts: stmts.to_vec(),
        trailing: Vec::new(),
    };
    let mut out = Vec::new();
    walk::stmts(program, &block, &mut |s| {
        if let StmtKind::Decl(vars) = &s.kind {
            out.extend(vars);
        }
    });
    out
}

pub(super) fn empty(span: Span) -> Stmt {
    stmt(StmtKind::Empty, span)
}

pub(super) fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt {
        kind,
        span,
        directives: Vec::new(),
        comments: Vec::new(),
    }
}

pub(super) fn block(stmts: Vec<Stmt>, span: Span) -> Stmt {
    let trailing = Vec::new();
    stmt(StmtKind::Block(Block { stmts, trailing }), span)
}

/// `number = 1 - number`, or the next one of several.
pub(super) fn next(number: VarId, count: usize, span: Span) -> Expr {
    let expr = |kind| Expr {
        kind,
        ty: INT,
        span,
    };
    let binary = |op, a, b| expr(ExprKind::Binary(op, Box::new(a), Box::new(b)));
    let var = || expr(ExprKind::Var(number));
    let int = |n: usize| Expr::int(n as i128, INT, span);
    let value = match count {
        2 => binary(BinaryOp::Sub, int(1), var()),
        _ => binary(
            BinaryOp::Rem,
            binary(BinaryOp::Add, var(), int(1)),
            int(count),
        ),
    };
    expr(ExprKind::Assign(Box::new(var()), Box::new(value)))
}

fn chain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Member(of, _) => match &of.kind {
            ExprKind::Deref(pointer) => pointer.as_var().is_some(),
            _ => chain(of),
        },
        _ => false,
    }
}

//! Pointers that one statement makes null together, `p->a = p->b = NULL;`: each gets a statement of its own.

use crate::typed::{Block, Expr, ExprKind, Program, Stmt, StmtKind};

/// Splits such statements.
pub(super) fn split(program: &mut Program) {
    for function in &mut program.functions {
        if let Some(body) = &mut function.body {
            block(body);
        }
    }
}

fn block(body: &mut Block) {
    for mut stmt in std::mem::take(&mut body.stmts) {
        let mut parts = parts(&stmt);
        if let Some(first) = parts.first_mut() {
            first.comments = std::mem::take(&mut stmt.comments);
            body.stmts.append(&mut parts);
        } else {
            inner(&mut stmt);
            body.stmts.push(stmt);
        }
    }
}

/// The statements that such a statement becomes; none if it is another one.
fn parts(stmt: &Stmt) -> Vec<Stmt> {
    let StmtKind::Expr(e) = &stmt.kind else {
        return Vec::new();
    };
    let mut places = Vec::new();
    match chain(e, &mut places) {
        // The last is set first.
        Some(null) if places.len() > 1 && stmt.directives.is_empty() => {
            places.iter().rev().map(|place| set(place, &null)).collect()
        }
        _ => Vec::new(),
    }
}

fn inner(stmt: &mut Stmt) {
    let stmts = parts(stmt);
    if !stmts.is_empty() {
        stmt.kind = StmtKind::Block(Block {
            stmts,
            trailing: Vec::new(),
        });
        return;
    }
    match &mut stmt.kind {
        StmtKind::Block(b) => block(b),
        StmtKind::If {
            then, otherwise, ..
        } => {
            inner(then);
            otherwise.iter_mut().for_each(|s| inner(s));
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => inner(body),
        StmtKind::Switch { arms, .. } => {
            let stmts = arms.iter_mut().flat_map(|a| &mut a.body);
            stmts.for_each(inner);
        }
        _ => {}
    }
}

/// The places of a chain of assignments of pointers, each with its assignment, and the null that all get.
fn chain(e: &Expr, places: &mut Vec<Expr>) -> Option<Expr> {
    match &e.kind {
        ExprKind::Assign(place, value) if place.ty.is_pointer() => {
            places.push((**place).clone());
            chain(value, places)
        }
        _ if super::is_null(e) => Some(e.clone()),
        ExprKind::Cast { value, .. } if e.ty.is_pointer() => chain(value, places),
        _ => None,
    }
}

fn set(place: &Expr, null: &Expr) -> Stmt {
    let value = Expr {
        kind: ExprKind::Cast {
            explicit: false,
            value: Box::new(null.clone()),
        },
        ty: place.ty.clone(),
        span: null.span,
    };
    let assign = Expr {
        kind: ExprKind::Assign(Box::new(place.clone()), Box::new(value)),
        ty: place.ty.clone(),
        span: place.span,
    };
    Stmt {
        kind: StmtKind::Expr(assign),
        span: place.span,
        directives: Vec::new(),
        comments: Vec::new(),
    }
}

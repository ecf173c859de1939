//! Changing the typed tree in place.

use super::{Expr, ExprKind, Init, Program, Stmt, StmtKind};

/// Calls `f` on every part of an expression, inner ones first.
pub fn change(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    use ExprKind as K;
    match &mut expr.kind {
        K::Int(_)
        | K::Float(_)
        | K::Char(_)
        | K::Str(_)
        | K::EnumConst(..)
        | K::Var(_)
        | K::Function(_)
        | K::SizeOf(_) => {}
        K::Member(e, _)
        | K::Deref(e)
        | K::AddrOf(e)
        | K::Decay(e)
        | K::Bits(e)
        | K::Unary(_, e)
        | K::Assert(e, _)
        | K::Step { place: e, .. }
        | K::Cast { value: e, .. } => change(e, f),
        K::Index(a, b)
        | K::Binary(_, a, b)
        | K::Logical(_, a, b)
        | K::Assign(a, b)
        | K::Comma(a, b)
        | K::Compound {
            place: a, value: b, ..
        } => {
            change(a, f);
            change(b, f);
        }
        K::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| change(e, f)),
        K::Call { args, .. } => args.iter_mut().for_each(|e| change(e, f)),
        K::CallPointer(callee, args) => {
            change(callee, f);
            args.iter_mut().for_each(|e| change(e, f));
        }
        K::Literal(init) => change_init(init, f),
        K::Block(block) => block.stmts.iter_mut().for_each(|s| change_stmt(s, f)),
    }
    f(expr);
}

/// Calls `f` on every expression of an initializer, inner ones first.
pub fn change_init(init: &mut Init, f: &mut dyn FnMut(&mut Expr)) {
    match init {
        Init::Expr(e) => change(e, f),
        Init::List(list) => list.iter_mut().for_each(|(_, i)| change_init(i, f)),
    }
}

/// Calls `f` on every expression of a statement, inner ones first.
pub fn change_stmt(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Expr)) {
    match &mut stmt.kind {
        StmtKind::Empty
        | StmtKind::Decl(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Directive(_) => {}
        StmtKind::Expr(e) => change(e, f),
        StmtKind::Block(b) => b.stmts.iter_mut().for_each(|s| change_stmt(s, f)),
        StmtKind::If {
            cond,
            then,
            otherwise,
        } => {
            change(cond, f);
            change_stmt(then, f);
            otherwise.iter_mut().for_each(|s| change_stmt(s, f));
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { cond, body } => {
            change(cond, f);
            change_stmt(body, f);
        }
        StmtKind::For {
            init,
            cond,
            step,
            body,
        } => {
            init.iter_mut().for_each(|s| change_stmt(s, f));
            cond.iter_mut().chain(step).for_each(|e| change(e, f));
            change_stmt(body, f);
        }
        StmtKind::Switch { value, arms } => {
            change(value, f);
            arms.iter_mut()
                .flat_map(|a| &mut a.body)
                .for_each(|s| change_stmt(s, f));
        }
        StmtKind::Return(value) => value.iter_mut().for_each(|e| change(e, f)),
    }
}

/// Calls `f` on every expression of the program.
pub fn change_all(program: &mut Program, f: &mut dyn FnMut(&mut Expr)) {
    for function in &mut program.functions {
        let stmts = function.body.iter_mut().flat_map(|b| &mut b.stmts);
        stmts.for_each(|s| change_stmt(s, f));
    }
    for var in &mut program.vars {
        var.init.iter_mut().for_each(|i| change_init(i, f));
    }
}

/// Calls `f` on a statement and those in it.
pub fn each_stmt(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Stmt)) {
    match &mut stmt.kind {
        StmtKind::Block(b) => b.stmts.iter_mut().for_each(|s| each_stmt(s, f)),
        StmtKind::If {
            then, otherwise, ..
        } => {
            each_stmt(then, f);
            otherwise.iter_mut().for_each(|s| each_stmt(s, f));
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => each_stmt(body, f),
        StmtKind::For { init, body, .. } => {
            init.iter_mut().for_each(|s| each_stmt(s, f));
            each_stmt(body, f);
        }
        StmtKind::Switch { arms, .. } => arms
            .iter_mut()
            .flat_map(|a| &mut a.body)
            .for_each(|s| each_stmt(s, f)),
        StmtKind::Empty
        | StmtKind::Decl(_)
        | StmtKind::Expr(_)
        | StmtKind::Directive(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_) => {}
    }
    f(stmt);
}

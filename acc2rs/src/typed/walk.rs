//! Walking the typed tree: every expression of a statement, every statement of a block.

use super::{Block, Expr, ExprKind, Init, Program, Stmt, StmtKind};

/// What a walk does at each node. Return `false` to leave the children out.
pub trait Visit {
    /// At a statement, before what it holds.
    fn stmt(&mut self, _stmt: &Stmt) -> bool {
        true
    }
    /// At an expression, before its operands.
    fn expr(&mut self, _expr: &Expr) -> bool {
        true
    }
}

/// Walks a block.
pub fn block(visit: &mut dyn Visit, program: &Program, block: &Block) {
    block.stmts.iter().for_each(|s| stmt(visit, program, s));
}

/// Walks a statement and everything in it: declarations' initializers and clauses' expressions too.
pub fn stmt(visit: &mut dyn Visit, program: &Program, node: &Stmt) {
    if !visit.stmt(node) {
        return;
    }
    match &node.kind {
        StmtKind::Empty | StmtKind::Break | StmtKind::Continue | StmtKind::Directive(_) => {}
        StmtKind::Decl(vars) => {
            for var in vars {
                if let Some(start) = &program.var(*var).init {
                    init(visit, program, start);
                }
            }
        }
        StmtKind::Expr(e) => expr(visit, program, e),
        StmtKind::Block(b) => block(visit, program, b),
        StmtKind::If {
            cond,
            then,
            otherwise,
        } => {
            expr(visit, program, cond);
            stmt(visit, program, then);
            if let Some(other) = otherwise {
                stmt(visit, program, other);
            }
        }
        StmtKind::While { cond, body } => {
            expr(visit, program, cond);
            stmt(visit, program, body);
        }
        StmtKind::DoWhile { body, cond } => {
            stmt(visit, program, body);
            expr(visit, program, cond);
        }
        StmtKind::For {
            init,
            cond,
            step,
            body,
        } => {
            if let Some(init) = init {
                stmt(visit, program, init);
            }
            cond.iter()
                .chain(step)
                .for_each(|e| expr(visit, program, e));
            stmt(visit, program, body);
        }
        StmtKind::Switch { value, arms } => {
            expr(visit, program, value);
            arms.iter()
                .flat_map(|a| &a.body)
                .for_each(|s| stmt(visit, program, s));
        }
        StmtKind::Return(value) => value.iter().for_each(|e| expr(visit, program, e)),
    }
}

/// Walks an initializer.
pub fn init(visit: &mut dyn Visit, program: &Program, node: &Init) {
    match node {
        Init::Expr(e) => expr(visit, program, e),
        Init::List(list) => list.iter().for_each(|(_, i)| init(visit, program, i)),
    }
}

/// Walks an expression.
pub fn expr(visit: &mut dyn Visit, program: &Program, node: &Expr) {
    if !visit.expr(node) {
        return;
    }
    use ExprKind as K;
    match &node.kind {
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
        | K::Assert(e, _) => expr(visit, program, e),
        K::Step { place, .. } => expr(visit, program, place),
        K::Cast { value, .. } => expr(visit, program, value),
        K::Index(a, b)
        | K::Binary(_, a, b)
        | K::Logical(_, a, b)
        | K::Assign(a, b)
        | K::Comma(a, b) => {
            expr(visit, program, a);
            expr(visit, program, b);
        }
        K::Compound { place, value, .. } => {
            expr(visit, program, place);
            expr(visit, program, value);
        }
        K::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| expr(visit, program, e)),
        K::Call { args, .. } => args.iter().for_each(|e| expr(visit, program, e)),
        K::CallPointer(f, args) => {
            expr(visit, program, f);
            args.iter().for_each(|e| expr(visit, program, e));
        }
        K::Literal(list) => init(visit, program, list),
        K::Block(b) => block(visit, program, b),
    }
}

/// Calls `f` on every expression of a statement, outer ones first.
pub fn exprs(program: &Program, node: &Stmt, f: &mut dyn FnMut(&Expr)) {
    struct All<'a>(&'a mut dyn FnMut(&Expr));
    impl Visit for All<'_> {
        fn expr(&mut self, e: &Expr) -> bool {
            (self.0)(e);
            true
        }
    }
    stmt(&mut All(f), program, node);
}

/// Calls `f` on every part of an expression, outer ones first.
pub fn parts(program: &Program, node: &Expr, f: &mut dyn FnMut(&Expr)) {
    struct All<'a>(&'a mut dyn FnMut(&Expr));
    impl Visit for All<'_> {
        fn expr(&mut self, e: &Expr) -> bool {
            (self.0)(e);
            true
        }
    }
    expr(&mut All(f), program, node);
}

/// Calls `f` on every statement in a block, outer ones first.
pub fn stmts(program: &Program, node: &Block, f: &mut dyn FnMut(&Stmt)) {
    struct All<'a>(&'a mut dyn FnMut(&Stmt));
    impl Visit for All<'_> {
        fn stmt(&mut self, s: &Stmt) -> bool {
            (self.0)(s);
            true
        }
        fn expr(&mut self, e: &Expr) -> bool {
            // A GNU block in an expression holds statements too.
            !matches!(e.kind, ExprKind::SizeOf(_))
        }
    }
    block(&mut All(f), program, node);
}

/// Whether an expression changes nothing and calls nothing, so that it may be evaluated twice.
pub(crate) fn quiet(program: &Program, e: &Expr) -> bool {
    let mut quiet = true;
    parts(program, e, &mut |part| {
        quiet &= !matches!(
            part.kind,
            ExprKind::Assign(..)
                | ExprKind::Compound { .. }
                | ExprKind::Step { .. }
                | ExprKind::Call { .. }
                | ExprKind::CallPointer(..)
                | ExprKind::Block(_)
        );
    });
    quiet
}

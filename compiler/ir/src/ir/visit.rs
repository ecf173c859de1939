//! Walking the IR: every expression, place and statement, in the order of evaluation.

use std::collections::HashSet;

use super::{
    ArrayId, Block, Check, Expr, ExprKind, Index, Place, Projection, Root, Stmt, StmtKind, Update,
};

macro_rules! visitor {
    ($(#[$doc:meta])* $trait:ident, $iter:ident $(, $mut:tt)?) => {
        $(#[$doc])*
        pub trait $trait {
            /// Enters an expression; the default visits its parts.
            fn expr(&mut self, expr: &$($mut)? Expr) {
                self.expr_parts(expr);
            }

            /// Enters a place that is read; the default visits its indices.
            fn load(&mut self, place: &$($mut)? Place) {
                self.place_parts(place);
            }

            /// Enters a place that is written; the default visits its indices.
            fn store(&mut self, place: &$($mut)? Place) {
                self.place_parts(place);
            }

            /// Enters an update; the default visits its value, then its indices.
            fn update(&mut self, update: &$($mut)? Update) {
                self.update_parts(update);
            }

            /// Enters a statement; the default visits its parts.
            fn stmt(&mut self, stmt: &$($mut)? Stmt) {
                self.stmt_parts(stmt);
            }

            /// Enters a block; the default visits its statements and its value.
            fn block(&mut self, block: &$($mut)? Block) {
                for stmt in block.stmts.$iter() {
                    self.stmt(stmt);
                }
                if let Some(tail) = &$($mut)? block.tail {
                    self.expr(tail);
                }
            }

            /// Visits the parts of an expression.
            fn expr_parts(&mut self, expr: &$($mut)? Expr) {
                match &$($mut)? expr.kind {
                    ExprKind::Literal(_)
                    | ExprKind::Len(_)
                    | ExprKind::Continue(_)
                    | ExprKind::Panic(_) => {}
                    ExprKind::Load(place) => self.load(place),
                    ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Repeat(a) => self.expr(a),
                    ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                        self.expr(a);
                        self.expr(b);
                    }
                    ExprKind::Method(_, parts)
                    | ExprKind::Call(_, parts)
                    | ExprKind::Array(parts)
                    | ExprKind::Tuple(parts)
                    | ExprKind::Struct(parts) => {
                        for part in parts.$iter() {
                            self.expr(part);
                        }
                    }
                    ExprKind::If(cond, then, otherwise) => {
                        self.expr(cond);
                        self.block(then);
                        if let Some(otherwise) = otherwise {
                            self.block(otherwise);
                        }
                    }
                    ExprKind::Match(scrutinee, arms) => {
                        self.expr(scrutinee);
                        for arm in arms.$iter() {
                            if let Some(guard) = &$($mut)? arm.guard {
                                self.expr(guard);
                            }
                            self.expr(&$($mut)? arm.body);
                        }
                    }
                    ExprKind::Block(block) | ExprKind::Loop(_, block) => self.block(block),
                    ExprKind::Break(_, value) | ExprKind::Return(value) => {
                        if let Some(value) = value {
                            self.expr(value);
                        }
                    }
                    ExprKind::Opaque(opaque) => {
                        for part in opaque.parts.$iter() {
                            self.expr(part);
                        }
                    }
                }
            }

            /// Visits the indices of a place.
            fn place_parts(&mut self, place: &$($mut)? Place) {
                for projection in place.path.$iter() {
                    match projection {
                        Projection::Index(index) => self.index(index),
                        Projection::Field(_) => {}
                    }
                }
            }

            /// Visits the parts of an index.
            fn index(&mut self, index: &$($mut)? Index) {
                self.expr(&$($mut)? index.index);
                if let Some(base) = &$($mut)? index.base {
                    self.expr(base);
                }
                match &$($mut)? index.check {
                    Check::Window(len) => self.expr(len),
                    Check::Dimension | Check::Never => {}
                }
            }

            /// Visits the value and the indices of an update.
            fn update_parts(&mut self, update: &$($mut)? Update) {
                self.expr(&$($mut)? update.value);
                for index in update.bin.$iter() {
                    self.index(index);
                }
            }

            /// Visits the parts of a statement.
            fn stmt_parts(&mut self, stmt: &$($mut)? Stmt) {
                match &$($mut)? stmt.kind {
                    StmtKind::Let(_, value) => {
                        if let Some(value) = value {
                            self.expr(value);
                        }
                    }
                    StmtKind::Assign(place, value) | StmtKind::Compound(place, _, value) => {
                        self.expr(value);
                        self.store(place);
                    }
                    StmtKind::Update(update) => self.update(update),
                    StmtKind::For(inner) => {
                        self.expr(&$($mut)? inner.count);
                        self.block(&$($mut)? inner.body);
                    }
                    StmtKind::While(_, cond, block) => {
                        self.expr(cond);
                        self.block(block);
                    }
                    StmtKind::Expr(expr) | StmtKind::Check(expr, _) => self.expr(expr),
                }
            }
        }
    };
}

visitor!(
    /// Looks at every part of the IR below a node.
    Visit, iter
);
visitor!(
    /// Changes any part of the IR below a node.
    VisitMut, iter_mut, mut
);

/// The arrays that are written, or handed on.
pub struct Written<'a>(pub &'a mut HashSet<ArrayId>);

impl Written<'_> {
    /// Of a reference to a part.
    pub fn expr_as_place(&mut self, element: &Expr) {
        if let ExprKind::Load(place) = &element.kind {
            self.store(place);
        }
    }
}

impl Visit for Written<'_> {
    fn store(&mut self, place: &Place) {
        if let Root::Array(array) = place.root {
            self.0.insert(array);
        }
        self.place_parts(place);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Opaque(opaque) = &expr.kind {
            self.0.extend(&opaque.arrays);
            for part in &opaque.parts {
                self.expr_as_place(part);
            }
        }
        self.expr_parts(expr);
    }
}

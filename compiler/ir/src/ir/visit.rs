//! Walking the IR: every expression, place and statement, in the order of evaluation.
//!
//! All visitors share one walk, which calls them through a `dyn` trait: a copy for each was a twentieth of what the compiler takes to build.

use crate::sorted::SortedSet;

use super::{
    ArrayId, Block, Check, Expr, ExprKind, Index, Place, Projection, Root, Stmt, StmtKind, Update,
};

macro_rules! visitor {
    ($(#[$doc:meta])* $trait:ident, $parts:ident, $iter:ident $(, $mut:tt)?) => {
        $(#[$doc])*
        pub trait $trait: Sized {
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
                $parts::block(self, block);
            }

            /// Visits the parts of an expression.
            fn expr_parts(&mut self, expr: &$($mut)? Expr) {
                $parts::expr(self, expr);
            }

            /// Visits the indices of a place.
            fn place_parts(&mut self, place: &$($mut)? Place) {
                $parts::place(self, place);
            }

            /// Visits the parts of an index.
            fn index(&mut self, index: &$($mut)? Index) {
                $parts::index(self, index);
            }

            /// Visits the value and the indices of an update.
            fn update_parts(&mut self, update: &$($mut)? Update) {
                $parts::update(self, update);
            }

            /// Visits the parts of a statement.
            fn stmt_parts(&mut self, stmt: &$($mut)? Stmt) {
                $parts::stmt(self, stmt);
            }
        }

        mod $parts {
            use super::*;

            /// A visitor of any type: all share one walk over parts.
            pub(super) trait Any {
                fn expr(&mut self, expr: &$($mut)? Expr);
                fn load(&mut self, place: &$($mut)? Place);
                fn store(&mut self, place: &$($mut)? Place);
                fn update(&mut self, update: &$($mut)? Update);
                fn stmt(&mut self, stmt: &$($mut)? Stmt);
                fn block(&mut self, block: &$($mut)? Block);
                fn index(&mut self, index: &$($mut)? Index);
            }

            impl<V: $trait> Any for V {
                fn expr(&mut self, expr: &$($mut)? Expr) {
                    $trait::expr(self, expr);
                }
                fn load(&mut self, place: &$($mut)? Place) {
                    $trait::load(self, place);
                }
                fn store(&mut self, place: &$($mut)? Place) {
                    $trait::store(self, place);
                }
                fn update(&mut self, update: &$($mut)? Update) {
                    $trait::update(self, update);
                }
                fn stmt(&mut self, stmt: &$($mut)? Stmt) {
                    $trait::stmt(self, stmt);
                }
                fn block(&mut self, block: &$($mut)? Block) {
                    $trait::block(self, block);
                }
                fn index(&mut self, index: &$($mut)? Index) {
                    $trait::index(self, index);
                }
            }

            pub(super) fn block(v: &mut dyn Any, block: &$($mut)? Block) {
                for stmt in block.stmts.$iter() {
                    v.stmt(stmt);
                }
                if let Some(tail) = &$($mut)? block.tail {
                    v.expr(tail);
                }
            }

            pub(super) fn expr(v: &mut dyn Any, expr: &$($mut)? Expr) {
                match &$($mut)? expr.kind {
                    ExprKind::Literal(_)
                    | ExprKind::Len(_)
                    | ExprKind::Continue(_)
                    | ExprKind::Panic(_) => {}
                    ExprKind::Load(place) => v.load(place),
                    ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Repeat(a) => v.expr(a),
                    ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                        v.expr(a);
                        v.expr(b);
                    }
                    ExprKind::Method(_, parts)
                    | ExprKind::Call(_, parts)
                    | ExprKind::Array(parts)
                    | ExprKind::Tuple(parts)
                    | ExprKind::Struct(parts) => {
                        for part in parts.$iter() {
                            v.expr(part);
                        }
                    }
                    ExprKind::If(cond, then, otherwise) => {
                        v.expr(cond);
                        v.block(then);
                        if let Some(otherwise) = otherwise {
                            v.block(otherwise);
                        }
                    }
                    ExprKind::Match(scrutinee, arms) => {
                        v.expr(scrutinee);
                        for arm in arms.$iter() {
                            if let Some(guard) = &$($mut)? arm.guard {
                                v.expr(guard);
                            }
                            v.expr(&$($mut)? arm.body);
                        }
                    }
                    ExprKind::Block(block) | ExprKind::Loop(_, block) => v.block(block),
                    ExprKind::Break(_, value) | ExprKind::Return(value) => {
                        if let Some(value) = value {
                            v.expr(value);
                        }
                    }
                    ExprKind::Opaque(opaque) => {
                        for part in opaque.parts.$iter() {
                            v.expr(part);
                        }
                    }
                }
            }

            pub(super) fn place(v: &mut dyn Any, place: &$($mut)? Place) {
                for projection in place.path.$iter() {
                    match projection {
                        Projection::Index(index) => v.index(index),
                        Projection::Field(_) => {}
                    }
                }
            }

            pub(super) fn index(v: &mut dyn Any, index: &$($mut)? Index) {
                v.expr(&$($mut)? index.index);
                if let Some(base) = &$($mut)? index.base {
                    v.expr(base);
                }
                match &$($mut)? index.check {
                    Check::Window(len) => v.expr(len),
                    Check::Dimension | Check::Never => {}
                }
            }

            pub(super) fn update(v: &mut dyn Any, update: &$($mut)? Update) {
                v.expr(&$($mut)? update.value);
                for index in update.bin.$iter() {
                    v.index(index);
                }
            }

            pub(super) fn stmt(v: &mut dyn Any, stmt: &$($mut)? Stmt) {
                match &$($mut)? stmt.kind {
                    StmtKind::Let(_, value) => {
                        if let Some(value) = value {
                            v.expr(value);
                        }
                    }
                    StmtKind::Assign(place, value) | StmtKind::Compound(place, _, value) => {
                        v.expr(value);
                        v.store(place);
                    }
                    StmtKind::Update(update) => v.update(update),
                    StmtKind::For(inner) => {
                        v.expr(&$($mut)? inner.count);
                        v.block(&$($mut)? inner.body);
                    }
                    StmtKind::While(_, cond, block) => {
                        v.expr(cond);
                        v.block(block);
                    }
                    StmtKind::Expr(expr) | StmtKind::Check(expr, _) => v.expr(expr),
                }
            }
        }
    };
}

visitor!(
    /// Looks at every part of the IR below a node.
    Visit, parts, iter
);
visitor!(
    /// Changes any part of the IR below a node.
    VisitMut, parts_mut, iter_mut, mut
);

/// The arrays that are written, or handed on.
pub struct Written<'a>(pub &'a mut SortedSet<ArrayId>);

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

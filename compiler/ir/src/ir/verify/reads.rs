//! What an expression or a block reads, as far as the verifier asks.

use crate::ir::visit::Visit;
use crate::ir::{Expr, ExprKind, Opaque, Place, Root, SourceId, Stmt, Var, VarKind};

/// Collects what an expression mentions that a count must not.
pub(super) struct Count<'a> {
    vars: &'a [Var],
    foreign: Option<&'static str>,
}

impl<'a> Count<'a> {
    /// What of an expression is neither a literal, a captured variable, a length nor an operator.
    pub(super) fn foreign(e: &Expr, vars: &'a [Var]) -> Option<&'static str> {
        let mut count = Count {
            vars,
            foreign: None,
        };
        count.expr(e);
        count.foreign
    }
}

impl Visit for Count<'_> {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Literal(_)
            | ExprKind::Load(_)
            | ExprKind::Len(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Cast(_)
            | ExprKind::Method(..)
            | ExprKind::If(..)
            | ExprKind::Block(_)
            | ExprKind::Opaque(_) => self.expr_parts(e),
            ExprKind::Call(..)
            | ExprKind::Match(..)
            | ExprKind::Array(_)
            | ExprKind::Repeat(_)
            | ExprKind::Tuple(_)
            | ExprKind::Struct(_)
            | ExprKind::Continue(_)
            | ExprKind::Break(..)
            | ExprKind::Loop(..)
            | ExprKind::Return(_)
            | ExprKind::Panic(_) => self.foreign = Some("more than operators"),
        }
    }

    fn load(&mut self, place: &Place) {
        match place.root {
            Root::Array(_) => self.foreign = Some("an element of an array"),
            Root::Var(id) => match self.vars.get(id.0 as usize).map(|var| var.kind) {
                Some(VarKind::Captured) => {}
                _ => self.foreign = Some("a variable that is not captured"),
            },
        }
        self.place_parts(place);
    }

    fn stmt(&mut self, _: &Stmt) {
        self.foreign = Some("a statement");
    }
}

/// Collects what is read, and where.
#[derive(Default)]
pub(super) struct Reads(pub(super) Vec<(Root, SourceId)>);

impl Visit for Reads {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Load(place) => self.0.push((place.root, e.source)),
            ExprKind::Opaque(Opaque { vars, arrays, .. }) => {
                self.0
                    .extend(vars.iter().map(|&id| (Root::Var(id), e.source)));
                self.0
                    .extend(arrays.iter().map(|&id| (Root::Array(id), e.source)));
            }
            _ => {}
        }
        self.expr_parts(e);
    }
}

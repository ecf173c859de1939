//! Recurrences as kernels compose them: the updates of a scalar, `s = a * s + b`, as what it is multiplied by and what is added to it, one after the other.
//!
//! The scalar stands once in what is assigned, so that this is read from the inside out. What it is multiplied by or gets added are the leaves that
//! [`maps`](super::maps) has found to be known before the loop.

use super::scan;
use super::winners::At;
use crate::ir::visit::Visit;
use crate::ir::{
    Arm, BinaryOp, Block, Expr, ExprKind, Literal, Map, Method, Place, Role, Root, Scalar, Stmt,
    StmtKind, Type, UnaryOp, Update, UpdateOp, VarId,
};

/// What an update does.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// The updates of a target, in order.
    pub(super) stmts: Vec<Stmt>,
    /// What they and the conditions around them are made of.
    pub(super) leaves: Vec<Expr>,
}

/// A scalar whose updates are read.
pub(super) struct Composed<'a> {
    pub(super) var: VarId,
    pub(super) ty: Scalar,
    pub(super) map: &'a Map,
    pub(super) target: usize,
}

impl Composed<'_> {
    /// What an assignment does to the scalar; none where it stands twice in it, or another name stands for it.
    pub(super) fn steps(&self, stmt: &Stmt) -> Option<Steps> {
        let mut steps = Steps::default();
        match &stmt.kind {
            StmtKind::Assign(_, value) => self.value(value, &mut steps)?,
            StmtKind::Compound(_, op, value) if !self.is_in(value) => {
                self.by(self.role(op.symbol())?, value, &mut steps)?;
            }
            _ => return None,
        }
        Some(steps)
    }

    fn role(&self, name: &str) -> Option<Role> {
        self.map.role(name, UpdateOp::from(crate::ir::Op::Add))
    }

    fn is_in(&self, e: &Expr) -> bool {
        struct Mentions(VarId, bool);
        impl Visit for Mentions {
            fn load(&mut self, place: &Place) {
                self.1 |= place.root == Root::Var(self.0);
                self.place_parts(place);
            }
        }
        let mut mentions = Mentions(self.var, false);
        mentions.expr(e);
        mentions.1
    }

    /// The scalar becomes the value of an expression.
    fn value(&self, e: &Expr, to: &mut Steps) -> Option<()> {
        let at = At(e.source);
        if !self.is_in(e) {
            // What is no number stays none, times 0.
            if self.ty.is_float() {
                return None;
            }
            self.update(self.number(at, 0), true, to);
            return self.by(Role::Plus, e, to);
        }
        match &e.kind {
            ExprKind::Load(place) => (scan::variable(place)? == self.var).then_some(()),
            ExprKind::Unary(UnaryOp::Neg, of) => {
                self.value(of, to)?;
                self.update(self.number(at, -1), true, to);
                Some(())
            }
            ExprKind::Binary(op, a, b) => self.both(self.role(op.symbol())?, a, b, to),
            ExprKind::Method(Method::MulAdd, parts) => {
                let [a, b, c] = &parts[..] else { return None };
                if self.is_in(c) {
                    let product = at.binary(BinaryOp::Mul, a.clone(), b.clone());
                    return self.both(Role::Plus, c, &product, to);
                }
                self.both(Role::Times, a, b, to)?;
                self.by(Role::Plus, c, to)
            }
            ExprKind::Method(method, parts) => {
                let [a, b] = &parts[..] else { return None };
                self.both(self.role(method.name())?, a, b, to)
            }
            ExprKind::If(condition, then, Some(otherwise)) if !self.is_in(condition) => {
                let blocks = [then, otherwise].map(|block| self.tail(block, to));
                let [Some(then), Some(otherwise)] = blocks else {
                    return None;
                };
                to.leaves.push((**condition).clone());
                let kind = ExprKind::If(condition.clone(), then, Some(otherwise));
                to.stmts.push(at.stmt(StmtKind::Expr(unit(kind, at))));
                Some(())
            }
            ExprKind::Match(scrutinee, arms) if !self.is_in(scrutinee) => {
                let arms = arms.iter().map(|arm| {
                    if arm.guard.as_ref().is_some_and(|guard| self.is_in(guard)) {
                        return None;
                    }
                    to.leaves.extend(arm.guard.clone());
                    let body = self.inner(&arm.body, to)?;
                    let body = unit(ExprKind::Block(body), At(arm.body.source));
                    Some(Arm {
                        body,
                        ..arm.clone()
                    })
                });
                let arms = arms.collect::<Option<_>>()?;
                to.leaves.push((**scrutinee).clone());
                let kind = ExprKind::Match(scrutinee.clone(), arms);
                to.stmts.push(at.stmt(StmtKind::Expr(unit(kind, at))));
                Some(())
            }
            ExprKind::Block(block) if block.stmts.is_empty() => {
                self.value(block.tail.as_deref()?, to)
            }
            _ => None,
        }
    }

    /// The steps to the value of a block, as a block.
    fn tail(&self, block: &Block, to: &mut Steps) -> Option<Block> {
        let tail = block.tail.as_deref().filter(|_| block.stmts.is_empty());
        self.inner(tail?, to)
    }

    fn inner(&self, e: &Expr, to: &mut Steps) -> Option<Block> {
        let mut inner = Steps::default();
        self.value(e, &mut inner)?;
        to.leaves.append(&mut inner.leaves);
        Some(Block {
            stmts: inner.stmts,
            tail: None,
        })
    }

    /// Two operands, of which the scalar is in one.
    fn both(&self, role: Role, a: &Expr, b: &Expr, to: &mut Steps) -> Option<()> {
        match (self.is_in(a), self.is_in(b)) {
            (true, false) => {
                self.value(a, to)?;
                self.by(role, b, to)
            }
            (false, true) => {
                self.value(b, to)?;
                if role == Role::Minus {
                    self.update(self.number(At(a.source), -1), true, to);
                    return self.by(Role::Plus, a, to);
                }
                self.by(role, a, to)
            }
            _ => None,
        }
    }

    /// A step by what the scalar is not in.
    fn by(&self, role: Role, value: &Expr, to: &mut Steps) -> Option<()> {
        let at = At(value.source);
        if value.ty.as_scalar() != Some(self.ty) {
            return None;
        }
        to.leaves.push(value.clone());
        match role {
            Role::Plus => self.update(value.clone(), false, to),
            Role::Times => self.update(value.clone(), true, to),
            Role::Minus => {
                let kind = match self.ty.is_float() {
                    true => ExprKind::Unary(UnaryOp::Neg, Box::new(value.clone())),
                    false => ExprKind::Method(Method::WrappingNeg, vec![value.clone()]),
                };
                self.update(at.expr(kind, self.ty), false, to);
            }
            Role::Modulo => return None,
        }
        Some(())
    }

    fn update(&self, value: Expr, multiplies: bool, to: &mut Steps) {
        let at = At(value.source);
        to.stmts.push(at.stmt(StmtKind::Update(Update {
            target: self.target,
            site: 0,
            bin: Vec::new(),
            value,
            subtracts: false,
            multiplies,
        })));
    }

    /// A small number, modulo what the type has.
    fn number(&self, at: At, value: i128) -> Expr {
        let literal = match (self.ty.is_float(), self.ty.limits()) {
            (true, _) => Literal::Float(value as f64),
            (false, Some((0, most))) if value < 0 => Literal::Int(most + 1 + value),
            (false, _) => Literal::Int(value),
        };
        at.expr(ExprKind::Literal(literal), self.ty)
    }
}

fn unit(kind: ExprKind, at: At) -> Expr {
    Expr {
        kind,
        ty: Type::Unit,
        source: at.0,
    }
}

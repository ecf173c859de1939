//! Indices as functions of the positions: what makes an access a stream.

use std::collections::{HashMap, HashSet};

use crate::ir::visit::Visit;
use crate::ir::{
    BinaryOp, Expr, ExprKind, Literal, Loop, Root, Scalar, Stmt, StmtKind, Type, VarId, VarKind,
};

/// `stride * inner + outer * position_0 + row * (position_0 * count_1) + constant + captured + …`, where `inner` is the
/// position in the innermost of at most two dimensions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Affine {
    pub(super) stride: i64,
    pub(super) outer: i64,
    pub(super) row: i64,
    pub(super) constant: i64,
    pub(super) captured: Vec<VarId>,
}

/// How many positions the inner one of two dimensions has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Row {
    /// There is one dimension only.
    None,
    /// A number.
    Literal(i64),
    /// A captured value.
    Captured(VarId),
    /// Anything else: nothing is streamed.
    Other,
}

impl Row {
    pub(super) fn of(lp: &Loop) -> Row {
        match &lp.space[..] {
            [_] => Row::None,
            [_, inner] => match &inner.count.kind {
                ExprKind::Literal(Literal::Int(n)) => {
                    i64::try_from(*n).map_or(Row::Other, Row::Literal)
                }
                ExprKind::Load(place) if place.path.is_empty() => match place.root {
                    Root::Var(var) if lp.var(var).kind == VarKind::Captured => Row::Captured(var),
                    _ => Row::Other,
                },
                _ => Row::Other,
            },
            _ => Row::Other,
        }
    }
}

impl Affine {
    pub(super) fn plus(&self, other: &Affine) -> Option<Affine> {
        let mut captured = [&self.captured[..], &other.captured[..]].concat();
        captured.sort_unstable();
        Some(Affine {
            stride: self.stride.checked_add(other.stride)?,
            outer: self.outer.checked_add(other.outer)?,
            row: self.row.checked_add(other.row)?,
            constant: self.constant.checked_add(other.constant)?,
            captured,
        })
    }

    pub(super) fn times(&self, by: i64) -> Option<Affine> {
        self.captured.is_empty().then_some(())?;
        Some(Affine {
            stride: self.stride.checked_mul(by)?,
            outer: self.outer.checked_mul(by)?,
            row: self.row.checked_mul(by)?,
            constant: self.constant.checked_mul(by)?,
            captured: Vec::new(),
        })
    }

    /// The constant, if it is nothing else.
    pub(super) fn number(&self) -> Option<i64> {
        (*self
            == Affine {
                constant: self.constant,
                ..Affine::default()
            })
        .then_some(self.constant)
    }

    /// `position_0 * count_1` as a row, if that is what the product is.
    pub(super) fn product(&self, other: &Affine, row: Row) -> Option<Affine> {
        if let Some(by) = self.number() {
            return other.times(by);
        }
        if let Some(by) = other.number() {
            return self.times(by);
        }
        let Row::Captured(count) = row else {
            return None;
        };
        let width = Affine {
            captured: vec![count],
            ..Affine::default()
        };
        let of = match (self == &width, other == &width) {
            (false, true) => self,
            (true, false) => other,
            _ => return None,
        };
        (*of == Affine {
            outer: of.outer,
            ..Affine::default()
        })
        .then_some(Affine {
            row: of.outer,
            ..Affine::default()
        })
    }

    /// The same as a function of the iteration, counted over both dimensions: rows follow each other without gaps.
    pub(super) fn flat(mut self, row: Row) -> Option<Affine> {
        if let (Row::Literal(count), true) = (row, self.outer != 0) {
            (count > 0 && self.outer % count == 0).then_some(())?;
            self.row = self.row.checked_add(self.outer / count)?;
            self.outer = 0;
        }
        let gapless = row == Row::None || self.row == self.stride;
        (self.outer == 0 && gapless).then_some(Affine { row: 0, ..self })
    }
}

/// An expression as a function of the positions.
pub(super) fn affine(
    e: &Expr,
    lp: &Loop,
    row: Row,
    lets: &HashMap<VarId, Affine>,
) -> Option<Affine> {
    if !matches!(e.ty, Type::Scalar(Scalar::Usize | Scalar::U64)) {
        return None;
    }
    match &e.kind {
        ExprKind::Literal(Literal::Int(v)) => Some(Affine {
            constant: i64::try_from(*v).ok()?,
            ..Affine::default()
        }),
        ExprKind::Load(place) if place.path.is_empty() => match place.root {
            Root::Var(var) if lp.var(var).kind == VarKind::Captured => Some(Affine {
                captured: vec![var],
                ..Affine::default()
            }),
            Root::Var(var) => lets.get(&var).cloned(),
            Root::Array(_) => None,
        },
        ExprKind::Cast(inner) => affine(inner, lp, row, lets),
        ExprKind::Block(block) if block.stmts.is_empty() => {
            affine(block.tail.as_deref()?, lp, row, lets)
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (affine(a, lp, row, lets)?, affine(b, lp, row, lets)?);
            match op {
                BinaryOp::Add => a.plus(&b),
                BinaryOp::Sub => a.plus(&Affine {
                    constant: b.number()?.checked_neg()?,
                    ..Affine::default()
                }),
                BinaryOp::Mul => a.product(&b, row),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Follows the variables that are functions of the position.
pub(super) struct Lets<'a> {
    pub(super) lp: &'a Loop,
    pub(super) row: Row,
    pub(super) assigned: &'a HashSet<VarId>,
    pub(super) found: HashMap<VarId, Affine>,
}

impl Visit for Lets<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Let(var, Some(init)) = &stmt.kind
            && !self.assigned.contains(var)
            && let Some(affine) = affine(init, self.lp, self.row, &self.found)
        {
            self.found.insert(*var, affine);
        }
        self.stmt_parts(stmt);
    }
}

//! Calls that only a sister of their function can serve: they get several positions in one array, or a struct and memory
//! that it holds. They are noted as they are refused; The driver lets `rewrite::within` and `rewrite::by_field`
//! write the sisters.

use super::args::Borrow;
use super::state::Emit;
use crate::ctypes::{SIZE, StructId, Type};
use crate::source::Span;
use crate::translate::base::usage::{dynamic, same};
use crate::translate::memory::shape::Shape;
use crate::translate::rewrite::by_field::Held;
use crate::translate::rewrite::within::{Call, Shared};
use crate::typed::{BinaryOp, Expr, ExprKind, FnId};

fn sum(op: BinaryOp, a: Option<Expr>, b: Expr) -> Expr {
    match a {
        None if op == BinaryOp::Add => b,
        a => {
            let span = b.span;
            let a = Box::new(a.unwrap_or_else(|| Expr::int(0, SIZE, span)));
            Expr {
                kind: ExprKind::Binary(op, a, Box::new(b)),
                ty: SIZE,
                span,
            }
        }
    }
}

impl Emit<'_> {
    /// Notes a call whose borrows `a` and `b` are of the same array.
    pub(super) fn note_shared(
        &mut self,
        callee: FnId,
        args: &[Expr],
        borrows: &[Borrow],
        pair: (usize, usize),
        span: Span,
    ) {
        let Some(within) = self.here.function else {
            return;
        };
        let (a, b) = (&borrows[pair.0], &borrows[pair.1]);
        let group: Vec<usize> = borrows
            .iter()
            .enumerate()
            .filter(|(at, o)| *at == pair.0 || *at == pair.1 || o.overlaps(a) || o.overlaps(b))
            .map(|(_, o)| o.arg)
            .collect();
        let mut group = group;
        group.sort_unstable();
        group.dedup();
        if group.len() < 2 || args.iter().any(|a| self.has_effect(a)) {
            return;
        }
        let params = &self.program.function(callee).params;
        let mut whole: Option<Expr> = None;
        let mut at = Vec::new();
        for arg in group {
            let Some((base, offset)) = self.origin(&args[arg]) else {
                return;
            };
            let element = |ty: &Type| ty.element().cloned();
            let plain = params
                .get(arg)
                .is_some_and(|p| element(&self.program.var(*p).ty) == element(&base.ty));
            if !plain || whole.as_ref().is_some_and(|known| !same(known, &base)) {
                return;
            }
            let span = args[arg].span;
            at.push((arg, offset.unwrap_or_else(|| Expr::int(0, SIZE, span))));
            whole = Some(base);
        }
        let call = Call {
            within,
            callee,
            span,
        };
        self.wanted
            .shared
            .extend(whole.map(|whole| Shared { call, whole, at }));
    }

    /// The array that an argument points into, as a pointer to its start, and how far behind that.
    fn origin(&self, arg: &Expr) -> Option<(Expr, Option<Expr>)> {
        let start = |array: &Expr, of: &Type| Expr {
            kind: ExprKind::Decay(Box::new(array.clone())),
            ty: Type::pointer(of.clone()),
            span: array.span,
        };
        if let Type::Array(of, _) = &arg.ty {
            return Some((start(arg, of), None));
        }
        match &arg.kind {
            ExprKind::Cast { value, .. } if value.ty.element() == arg.ty.element() => {
                self.origin(value)
            }
            ExprKind::AddrOf(place) => match &place.kind {
                ExprKind::Index(base, index) => {
                    let (base, at) = self.origin(base)?;
                    Some((
                        base,
                        Some(sum(BinaryOp::Add, at, (**index).clone().converted(&SIZE))),
                    ))
                }
                _ => None,
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), base, index)
                if arg.ty.is_pointer() =>
            {
                let (base, at) = self.origin(base)?;
                Some((base, Some(sum(*op, at, (**index).clone().converted(&SIZE)))))
            }
            ExprKind::Var(id) if arg.ty.is_pointer() => match self.shapes.var(*id) {
                Some(Shape::Cursor {
                    base,
                    fixed,
                    single: false,
                }) if !dynamic(base) => {
                    let start = match &base.ty {
                        Type::Array(of, _) => start(base, of),
                        _ => (**base).clone(),
                    };
                    if *fixed {
                        return Some((start, None));
                    }
                    let distance = ExprKind::Binary(
                        BinaryOp::Sub,
                        Box::new(arg.clone()),
                        Box::new(start.clone()),
                    );
                    let distance = Expr {
                        kind: distance,
                        ty: Type::Int(crate::ctypes::IntKind::Long),
                        span: arg.span,
                    };
                    Some((start, Some(distance.converted(&SIZE))))
                }
                Some(Shape::Owned | Shape::Slice) if !self.moves(*id) => Some((arg.clone(), None)),
                Some(Shape::Slice) => Some((arg.clone(), None)),
                _ => None,
            },
            ExprKind::Decay(_) | ExprKind::Member(..) | ExprKind::Index(..)
                if arg.ty.is_pointer() =>
            {
                Some((arg.clone(), None))
            }
            _ => None,
        }
    }
}

impl Emit<'_> {
    /// Notes a call of which one of two arguments is memory that the other one's struct holds.
    pub(super) fn note_held(
        &mut self,
        callee: FnId,
        args: &[Expr],
        pair: (usize, usize),
        span: Span,
    ) {
        let Some(within) = self.here.function else {
            return;
        };
        for (owner, memory) in [pair, (pair.1, pair.0)] {
            if let Some(field) = field_of(&args[owner], &args[memory]) {
                let call = Call {
                    within,
                    callee,
                    span,
                };
                let key = (owner, memory, field);
                self.wanted.held.push(Held { call, key });
            }
        }
    }
}

/// The field of the struct in one argument that is the other one.
fn field_of(owner: &Expr, memory: &Expr) -> Option<(StructId, u32)> {
    let ExprKind::Member(base, field) = &memory.stripped().kind else {
        return None;
    };
    let Type::Struct(id) = base.ty else {
        return None;
    };
    let own = match (&owner.stripped().kind, &base.kind) {
        (ExprKind::AddrOf(place), _) => same(place, base),
        (_, ExprKind::Deref(pointer)) => same(owner.stripped(), pointer.stripped()),
        _ => false,
    };
    let pointer = memory.stripped().ty.is_pointer();
    (own && pointer).then_some((id, *field))
}

//! Best items of a vector, where an item has 16 bits at most.
//!
//! A kernel that finds best items takes the least `order(item) << 32 | position` ([winners](crate::detect::winners)): for each item a minimum of 64 bits, which is four
//! instructions of the integer pipe, and bytes come faster than that. Of the items of one vector the number of the item stands for the position:
//!
//! ```text
//! key = order(item) << 16 | number        least = min(least, key)
//! ```
//!
//! is an addition of the other pipe and a minimum of 32 bits, and what is least goes into the thread's minimum once a vector.

use accrue_ptx::strategy::Bin;
use accrue_ptx::value;
use accrue_ptx::writer::{Class, Operand, Reg};

use super::emitter::{Emitter, Number, Result};
use super::updates::Updates;
use crate::ir::visit::Visit;
use crate::ir::{BinaryOp, Expr, ExprKind, Literal, Op, Place, Root, Scalar, Update, VarId};

/// What no item of a vector has.
const NONE: i64 = 0xffff_ffff;
/// The numbers of items are less than this, or count down from it.
const MOST: i64 = 0xfffe;

/// The target of one best item while a vector's items are printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Winner {
    /// Which target.
    target: usize,
    /// Whether the greatest is the best, and whether the last of equals is kept.
    greatest: bool,
    last: bool,
    /// The least key so far.
    least: Reg,
}

impl<'a> Emitter<'a> {
    /// Begins a vector: of the targets that are the least order and position of items that are small enough.
    pub(super) fn begin_winners(&mut self) {
        let lp = self.lp;
        if lp.space.len() != 1 {
            return;
        }
        let updates = Updates::of(lp, self.targets.len());
        let mut found = Found {
            position: lp.space[0].position,
            targets: Vec::new(),
        };
        found.block(&lp.body.block);
        for (target, greatest, last) in found.targets {
            let of = &self.targets[target];
            if updates[target].single && of.op.op == Op::Min {
                let f = self.f();
                let least = f.reg(Class::B32, "least");
                f.assign(least, NONE);
                self.winners.push(Winner {
                    target,
                    greatest,
                    last,
                    least,
                });
            }
        }
    }

    /// Whether a target's updates wait for the end of the vector.
    pub(super) fn is_winner(&self, target: usize) -> bool {
        self.winners.iter().any(|winner| winner.target == target)
    }

    /// Takes an item of the vector into account; false where that is not what an update does.
    pub(super) fn take_winner(&mut self, update: &'a Update) -> Result<bool> {
        let of = |winner: &&Winner| winner.target == update.target;
        let winner = self.winners.iter().find(of).copied();
        let (Some(winner), Number::Vector { offset, .. }) = (winner, self.item.number) else {
            return Ok(false);
        };
        let Some(ordered) = Ordered::of(&update.value, self.lp.space[0].position) else {
            return Ok(false);
        };
        let order = self.expr(ordered.order)?;
        if order.is_never() {
            return Ok(true);
        }
        let order = self.low(order.num());
        let number = match winner.last {
            true => MOST - i64::from(offset),
            false => i64::from(offset),
        };
        let (times, behind) = match winner.greatest {
            true => (-1 << 16, (0xffff << 16) + number),
            false => (1 << 16, number),
        };
        let f = self.f();
        let key = value!(f, "key", "mad.lo.u32", order, times, behind);
        let least = value!(f, "least", "min.u32", winner.least, key);
        f.assign(winner.least, least);
        Ok(true)
    }

    /// Ends the vector: what is least goes into the threads' minima.
    pub(super) fn end_winners(&mut self) {
        for winner in std::mem::take(&mut self.winners) {
            let Number::Vector { offset, .. } = self.item.number else {
                unreachable!("an item of a vector")
            };
            let last = self.item_number();
            let f = self.f();
            let any = value!(f, "any", "setp.ne.u32", winner.least, NONE);
            let order = value!(f, "order", "shr.u32", winner.least, 16);
            let number = value!(f, "number", "and.b32", winner.least, 0xffff);
            let first = value!(f, "first", "cvt.u32.u64", last);
            let first = value!(f, "first", "sub.u32", first, offset);
            let order = match winner.greatest {
                true => value!(f, "order", "or.b32", order, 0xffff_0000u32),
                false => order,
            };
            let position = match winner.last {
                true => {
                    // All ones less what it is: the first one, and how far behind it this is.
                    let ones = value!(f, "position", "sub.u32", number, first);
                    value!(f, "position", "add.u32", ones, (NONE - MOST) as u32)
                }
                false => value!(f, "position", "add.u32", first, number),
            };
            let both = f.pack(position, order);
            let both = value!(f, "both", "selp.b64", both, -1, any);
            self.kernel
                .update(winner.target, Bin::Narrow(Operand::Int(0)), both.into());
        }
    }
}

/// `order << 32 | position`, all bits of the order inverted for the greatest, of the position for the last of equals.
struct Ordered<'a> {
    order: &'a Expr,
    greatest: bool,
    last: bool,
}

impl<'a> Ordered<'a> {
    fn of(value: &'a Expr, position: VarId) -> Option<Ordered<'a>> {
        let (high, low) = binary(BinaryOp::BitOr, value)?;
        let (high, places) = binary(BinaryOp::Shl, high)?;
        let flipped = |of: &'a Expr| match binary(BinaryOp::BitXor, of) {
            Some((of, ones)) if is_int(ones, u32::MAX.into()) => (of, true),
            _ => (of, false),
        };
        let ((order, greatest), (low, last)) = (flipped(high), flipped(low));
        let order = cast(cast(order, Scalar::U64)?, Scalar::U32)?;
        let of_position = cast(cast(low, Scalar::U64)?, Scalar::U32)?;
        let is_position = matches!(
            &of_position.kind,
            ExprKind::Load(Place { root: Root::Var(var), path }) if *var == position && path.is_empty()
        );
        let small = matches!(order.ty.as_scalar()?, Scalar::U8 | Scalar::U16);
        (is_position && small && is_int(places, 32)).then_some(Ordered {
            order,
            greatest,
            last,
        })
    }
}

/// The targets of which a body takes the least of such numbers.
struct Found {
    position: VarId,
    targets: Vec<(usize, bool, bool)>,
}

impl Visit for Found {
    fn update(&mut self, update: &Update) {
        if let Some(of) = Ordered::of(&update.value, self.position) {
            self.targets.push((update.target, of.greatest, of.last));
        }
        self.update_parts(update);
    }
}

/// The operands of such an operation.
fn binary(op: BinaryOp, expr: &Expr) -> Option<(&Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Binary(of, a, b) if *of == op => Some((a, b)),
        _ => None,
    }
}

/// What is cast to such a number.
fn cast(expr: &Expr, to: Scalar) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Cast(of) if expr.ty.as_scalar() == Some(to) => Some(of),
        _ => None,
    }
}

/// Whether it is this number.
fn is_int(expr: &Expr, number: i128) -> bool {
    matches!(expr.kind, ExprKind::Literal(Literal::Int(n)) if n == number)
}

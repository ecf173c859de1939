//! Products that are added to something, where `#[offload(contract)]` lets the two be rounded together: `fma`.
//!
//! ```text
//! sum += x * y    fma(x, y, sum)        s - x * y    fma(-x, y, s)        x * y - s    fma(x, y, -s)
//! ```
//!
//! Of two products the right one is fused. What is bound to a name, or goes into bins or a reduced scalar, is rounded as it is written. So what a
//! kernel computes is the same on every device.

use accrue_ptx::value;
use accrue_ptx::writer::Reg;

use super::emitter::{Emitter, Result};
use super::value::{Num, Value, suffix};
use crate::ir::{BinaryOp, Expr, ExprKind, Scalar, SourceId, Type};

/// What is joined to a value by an operator.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    /// A value.
    Value(Num),
    /// A product of floats, to be added or taken away without being rounded before.
    Product(Num, Num),
}

impl<'a> Emitter<'a> {
    /// The factors of what is added or taken away, if it is a product that may be fused.
    pub(super) fn fusible(&self, op: BinaryOp, term: &'a Expr) -> Option<[&'a Expr; 2]> {
        let sums = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        let floats = matches!(&term.ty, Type::Scalar(s) if s.is_float());
        match &term.kind {
            ExprKind::Binary(BinaryOp::Mul, x, y) if sums && floats && self.options.contract => {
                Some([x, y])
            }
            _ => None,
        }
    }

    /// What is joined by an operator; `None` where it does not come to that.
    pub(super) fn term(&mut self, op: BinaryOp, value: &'a Expr) -> Result<Option<Term>> {
        let Some([x, y]) = self.fusible(op, value) else {
            let value = self.expr(value)?;
            return Ok((!value.is_never()).then(|| Term::Value(value.num())));
        };
        let x = self.expr(x)?;
        if x.is_never() {
            return Ok(None);
        }
        let y = self.expr(y)?;
        Ok((!y.is_never()).then(|| Term::Product(x.num(), y.num())))
    }

    /// `old op term`.
    pub(super) fn join(
        &mut self,
        op: BinaryOp,
        old: Num,
        term: Term,
        source: SourceId,
    ) -> Result<Num> {
        match term {
            Term::Value(value) => self.binary(op, old, value, source),
            Term::Product(x, y) => {
                let x = self.signed(x, op == BinaryOp::Sub);
                let (y, a) = (self.reg(y), self.reg(old));
                Ok(self.fused(old.ty, [x, y, a]))
            }
        }
    }

    /// `a + x * y`, `a - x * y`, or, where the product is not behind, `x * y + a`, `x * y - a`: the operands in the order in which they are written.
    pub(super) fn sum_with_product(
        &mut self,
        op: BinaryOp,
        a: &'a Expr,
        [x, y]: [&'a Expr; 2],
        behind: bool,
    ) -> Result<Value> {
        let order = if behind { [a, x, y] } else { [x, y, a] };
        let mut values = Vec::with_capacity(3);
        for part in order {
            let value = self.expr(part)?;
            if value.is_never() {
                return Ok(value);
            }
            values.push(value.num());
        }
        if !behind {
            values.rotate_right(1);
        }
        let [a, x, y] = values[..] else {
            unreachable!("three operands")
        };
        let (ty, minus) = (a.ty, op == BinaryOp::Sub);
        let x = self.signed(x, minus && behind);
        let y = self.reg(y);
        let a = self.signed(a, minus && !behind);
        Ok(Value::Num(self.fused(ty, [x, y, a])))
    }

    /// A float, or what it is with the other sign.
    fn signed(&mut self, num: Num, minus: bool) -> Reg {
        let reg = self.reg(num);
        match minus {
            false => reg,
            true => {
                let opcode = format!("neg.{}", suffix(num.ty));
                value!(self.f(), "negated", opcode, reg)
            }
        }
    }

    /// `x * y + a`, rounded once.
    fn fused(&mut self, ty: Scalar, [x, y, a]: [Reg; 3]) -> Num {
        let opcode = format!("fma.rn.{}", suffix(ty));
        Num::reg(ty, value!(self.f(), "fused", opcode, x, y, a))
    }
}

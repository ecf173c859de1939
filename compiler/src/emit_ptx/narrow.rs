//! Indices of an inner loop that fit 32 bits, by what they are made of: computed in 32 bits.
//!
//! ```text
//! for u in 0..side { … views[((v * side + u) * h + j.min(h - 1)) * w + i.min(w - 1)] … }
//! ```
//!
//! What such an index comes to at most is evaluated before the loop, from what stays and the last position. Where that has 32 bits, so has the index, and
//! sums and products are computed in 32 bits, which takes a half to a fifth of the instructions; else the loop runs as it is written.
//! A float that becomes an index only to be cut off by a bound is converted to 32 bits: what these do not hold is beyond every such bound.

use std::collections::{HashMap, HashSet};

use accrue_ptx::value;
use accrue_ptx::writer::{Class, Reg};

use super::arith::U32_MAX;
use super::emitter::{Emitter, Result};
use super::spans::Body;
use super::value::{Num, Value};
use crate::ir::{BinaryOp, Expr, ExprKind, Method, Root, Scalar, Type, VarId};

/// The largest of what fits: 2^32 - 1 stands for lengths that do not.
const MOST_IN_32: u64 = U32_MAX - 1;

/// How an expression is printed that is known to fit 32 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// Its value has so many.
    Fits,
    /// A float that is cut off at what they hold.
    Clipped,
}

/// What is known of a loop's expressions.
#[derive(Default)]
pub(super) struct Narrow {
    known: HashMap<*const Expr, How>,
    /// What each comes to at most.
    most: HashMap<*const Expr, Reg>,
    /// Bounds of which it has been asked that they fit, or that do.
    asked: HashSet<Reg>,
    /// Where variables are cut off by a bound.
    cut_off: HashMap<VarId, HashSet<*const Expr>>,
}

impl Narrow {
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub(super) fn how(&self, e: &Expr) -> Option<How> {
        self.known.get(&std::ptr::from_ref(e)).copied()
    }

    fn insert(&mut self, e: &Expr, how: How) {
        self.known.insert(e, how);
    }
}

impl<'a> Emitter<'a> {
    /// Asks that a bound fits 32 bits.
    pub(super) fn fits(&mut self, most: Reg, inside: &mut Reg) {
        if self.narrow.asked.insert(most) {
            let f = self.f();
            *inside = value!(
                f,
                "inside",
                "setp.le.and.u64",
                most,
                MOST_IN_32 as i64,
                *inside
            );
        }
    }

    /// What an expression comes to at most that [`Body::bounded`] has found to have a bound: right where `inside` holds, which asks that all that it is
    /// made of fits 32 bits; the expression does if the loop asks that the bound [fits](Self::fits), too.
    pub(super) fn most(
        &mut self,
        e: &'a Expr,
        body: &Body<'a>,
        last: Reg,
        inside: &mut Reg,
    ) -> Result<Reg> {
        if let Some(known) = self.narrow.most.get(&std::ptr::from_ref(e)) {
            return Ok(*known);
        }
        let most = match body.stays(e) {
            true => self.constant_of(e)?,
            false => self.most_of_parts(e, body, last, inside)?,
        };
        // What steps have in 64 bits they need in 64 bits: they take what stays from one to the next.
        if self.steps.is_none() {
            self.narrow.insert(e, How::Fits);
        }
        self.narrow.most.insert(e, most);
        Ok(most)
    }

    /// The one value of an expression for all positions.
    fn constant_of(&mut self, e: &'a Expr) -> Result<Reg> {
        let value = self.expr(e)?.num();
        let all = self.reg(value);
        match value.constant() {
            Some(small) if small <= i128::from(MOST_IN_32) => {
                self.narrow.asked.insert(all);
            }
            None if self.steps.is_none() => {
                // It is computed once.
                let low = value!(self.f(), "low", "cvt.u32.u64", all);
                let low = self.narrow_result(value.ty, low, MOST_IN_32);
                self.steady.insert(e, Value::Num(low));
            }
            _ => {}
        }
        Ok(all)
    }

    fn most_of_parts(
        &mut self,
        e: &'a Expr,
        body: &Body<'a>,
        last: Reg,
        inside: &mut Reg,
    ) -> Result<Reg> {
        match &e.kind {
            ExprKind::Load(place) => match place.root {
                Root::Var(var) if var != body.position => match body.lets.get(&var) {
                    Some(Some(value)) => self.most(value, body, last, inside),
                    _ => unreachable!("a bound of what is not known"),
                },
                // Loops of more positions have no second form.
                _ => {
                    self.narrow.asked.insert(last);
                    Ok(last)
                }
            },
            ExprKind::Cast(inner) => match small(inner) {
                Some(most) => {
                    let most = value!(self.f(), "most", "mov.u64", most as i64);
                    self.narrow.asked.insert(most);
                    Ok(most)
                }
                None => self.most(inner, body, last, inside),
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Mul), a, b) => {
                let a = self.most(a, body, last, inside)?;
                let b = self.most(b, body, last, inside)?;
                self.fits(a, inside);
                self.fits(b, inside);
                let f = self.f();
                if *op == BinaryOp::Add {
                    return Ok(value!(f, "most", "add.u64", a, b));
                }
                let a = value!(f, "low", "cvt.u32.u64", a);
                let b = value!(f, "low", "cvt.u32.u64", b);
                Ok(value!(f, "most", "mul.wide.u32", a, b))
            }
            ExprKind::Binary(BinaryOp::Div, a, b) => {
                if body.bounded(b) {
                    let b = self.most(b, body, last, inside)?;
                    self.fits(b, inside);
                }
                self.most(a, body, last, inside)
            }
            // What is left of a product that mixes bits may be all that fits of it.
            ExprKind::Binary(BinaryOp::Rem, _, b) => self.most(b, body, last, inside),
            ExprKind::Method(Method::SaturatingSub, parts) => {
                self.most(&parts[0], body, last, inside)
            }
            ExprKind::Method(Method::Min, parts) => {
                let mut all = None;
                for part in parts {
                    if !body.bounded(part) {
                        self.cut_off(part, body);
                        continue;
                    }
                    let most = self.most(part, body, last, inside)?;
                    self.fits(most, inside);
                    all = Some(match all {
                        Some(other) => value!(self.f(), "most", "min.u64", other, most),
                        None => most,
                    });
                }
                Ok(all.expect("a part has a bound"))
            }
            ExprKind::Method(Method::Max, parts) => {
                let a = self.most(&parts[0], body, last, inside)?;
                let b = self.most(&parts[1], body, last, inside)?;
                Ok(value!(self.f(), "most", "max.u64", a, b))
            }
            other => unreachable!("a bound of {other:?}"),
        }
    }

    /// Positions and sizes that stay and become floats: conversions of 64 bits run at a quarter of the rate.
    pub(super) fn narrow_casts(
        &mut self,
        body: &Body<'a>,
        last: Reg,
        inside: &mut Reg,
    ) -> Result<()> {
        for &(e, _) in &body.exprs {
            if let ExprKind::Cast(whole) = &e.kind
                && is_float(e)
                && whole.ty == Type::Scalar(Scalar::Usize)
                && body.stays(whole)
            {
                let most = self.most(whole, body, last, inside)?;
                self.fits(most, inside);
            }
        }
        Ok(())
    }

    /// Notes what is cut off by a bound that fits 32 bits.
    fn cut_off(&mut self, e: &'a Expr, body: &Body<'a>) {
        match &e.kind {
            ExprKind::Cast(of) if is_float(of) && self.steps.is_none() => {
                self.narrow.insert(e, How::Clipped);
            }
            ExprKind::Load(place) if place.path.is_empty() => {
                if let Root::Var(var) = place.root
                    && !body.assigned.contains(&var)
                    && body.lets.contains_key(&var)
                {
                    self.narrow.cut_off.entry(var).or_default().insert(e);
                }
            }
            _ => {}
        }
    }

    /// Variables that are cut off wherever they are read need 32 bits; so do those that they are made from, one by one.
    pub(super) fn clip_casts(&mut self, body: &Body<'a>) {
        while let Some(var) = self.narrow.cut_off.keys().next().copied() {
            let places = self.narrow.cut_off.remove(&var).unwrap_or_default();
            let reads = body.exprs.iter().filter(
                |(e, _)| matches!(&e.kind, ExprKind::Load(place) if place.root == Root::Var(var)),
            );
            if reads.count() == places.len()
                && let Some(Some(value)) = body.lets.get(&var)
            {
                self.cut_off(value, body);
            }
        }
    }

    /// The value of an expression that fits 32 bits.
    pub(super) fn in_32_bits(&mut self, e: &'a Expr, how: How) -> Result<Value> {
        match (&e.kind, how) {
            (ExprKind::Cast(float), How::Clipped) => {
                let float = self.expr(float)?;
                if float.is_never() {
                    return Ok(float);
                }
                let cut_off = self.float_to_bin(float.num());
                return Ok(Value::Num(
                    self.cast(cut_off, e.ty.as_scalar().unwrap_or(Scalar::Usize)),
                ));
            }
            (ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Mul), a, b), _) => {
                let a = self.expr(a)?;
                if a.is_never() {
                    return Ok(a);
                }
                let b = self.expr(b)?;
                if b.is_never() {
                    return Ok(b);
                }
                let (a, b) = (a.num(), b.num());
                let opcode = match op {
                    BinaryOp::Add => "add.u32",
                    _ => "mul.lo.u32",
                };
                let (x, y) = (self.low(a), self.low(b));
                let x = self.first_operand(x, Class::B32);
                let reg = value!(self.f(), "narrow", opcode, x, y);
                return Ok(Value::Num(self.narrow_result(a.ty, reg, MOST_IN_32)));
            }
            _ => {}
        }
        let value = self.as_written(e)?;
        let Value::Num(num) = value else {
            return Ok(value);
        };
        if num.is_narrow() {
            return Ok(Value::Num(num.at_most(MOST_IN_32)));
        }
        let operand = self.low(num);
        let narrow = Num {
            operand: self.first_operand(operand, Class::B32),
            narrow: true,
            ..num
        };
        Ok(Value::Num(narrow.at_most(MOST_IN_32)))
    }
}

impl<'a> Body<'a> {
    /// Whether there is a bound for an expression, by what it is made of.
    pub(super) fn bounded(&self, e: &Expr) -> bool {
        if !matches!(e.ty, Type::Scalar(Scalar::Usize | Scalar::U64)) {
            return false;
        }
        if self.stays(e) {
            return true;
        }
        match &e.kind {
            ExprKind::Load(place) if place.path.is_empty() => match place.root {
                Root::Var(var) if var == self.position => true,
                Root::Var(var) if !self.assigned.contains(&var) => {
                    let value = self.lets.get(&var).copied().flatten();
                    value.is_some_and(|value| self.bounded(value))
                }
                _ => false,
            },
            ExprKind::Cast(inner) => small(inner).is_some() || self.bounded(inner),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Mul, a, b) => {
                self.bounded(a) && self.bounded(b)
            }
            ExprKind::Binary(BinaryOp::Div, a, _) => self.bounded(a),
            ExprKind::Binary(BinaryOp::Rem, _, b) => self.bounded(b),
            ExprKind::Method(Method::SaturatingSub, parts) => self.bounded(&parts[0]),
            ExprKind::Method(Method::Min, parts) => parts.iter().any(|part| self.bounded(part)),
            ExprKind::Method(Method::Max, parts) => parts.iter().all(|part| self.bounded(part)),
            _ => false,
        }
    }
}

/// The largest number of a type that has few.
fn small(e: &Expr) -> Option<u64> {
    match e.ty.as_scalar()? {
        Scalar::Bool => Some(1),
        Scalar::U8 => Some(0xff),
        Scalar::U16 => Some(0xffff),
        _ => None,
    }
}

fn is_float(e: &Expr) -> bool {
    e.ty.as_scalar().is_some_and(Scalar::is_float)
}

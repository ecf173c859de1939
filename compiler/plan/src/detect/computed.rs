//! Numbers that are no sums of loop variables, and of which it is known where they lie: the neighbour of a column that stays in its row.
//!
//! | written, of numbers without a sign | lies in |
//! | --- | --- |
//! | `a.min(b)`, `a & b` | `0 ..= a`, `0 ..= b` |
//! | `a & 7`, with a sign or without | `0 ..= 7` |
//! | `a.max(b)` | `a ..`, `b ..`, up to what is as large as both |
//! | `a.saturating_sub(b)` | `0 ..= a` |
//! | `a.clamp(low, high)` | `low ..= high` |
//! | `a % b`, `a.rem_euclid(b)` | `0 ..= b - 1` |
//! | `a[i].len()` | what memory has room for |
//! | `if c { a } else { b }` | where both lie, by what `c` says of `a` and its contrary of `b` |
//!
//! Such a number is one more [variable](LoopVar) of the nest, which has as many positions as the number may have values.
//!
//! Bounds are over the integers, and hold of an integer that is the number but for multiples of 2^64, as forms do. What is compared has to be the
//! number itself: that is proved, or required of the call.

use super::affine::{Accesses, value_of};
use crate::dependence::{Affine, LoopVar, Poly, never_negative};
use crate::ir::visit::Visit;
use crate::ir::{BinaryOp, Expr, ExprKind, Literal, Method, Place, Root, Scalar, UnaryOp, VarId};
use crate::sorted;

/// Bounds of one number that are kept, at most.
const MOST_BOUNDS: usize = 3;

/// No row is as long.
const LONGEST: i128 = 1 << 60;

/// Where a number lies: it is no less than each of `lows` and no more than each of `highs`.
#[derive(Clone, Debug, Default)]
pub(super) struct Interval {
    pub(super) lows: Vec<Affine>,
    pub(super) highs: Vec<Affine>,
}

fn number(value: i128) -> Affine {
    Affine::constant(Poly::constant(value))
}

fn minus(a: &Affine, b: &Affine) -> Affine {
    a.clone().plus(&b.times(&Poly::constant(-1)))
}

impl Accesses<'_> {
    /// The form of a number that has none of its own: its least value and a variable.
    pub(super) fn computed(&mut self, expr: &Expr) -> Option<Affine> {
        let required = self.within.len();
        let mut loads = Loads(Vec::new());
        loads.expr(expr);
        let mut scope = Vec::new();
        self.reach(&loads.0, &mut scope);
        let before = std::mem::replace(&mut self.scope, scope);
        let form = self.interval(expr).and_then(|found| self.variable(found));
        self.scope = before;
        match &form {
            Some(form) => self.remainder(expr, form),
            None => self.within.truncate(required),
        }
        form
    }

    /// The variables of loops that some variables are computed from: their loops have positions where these have a value.
    fn reach(&self, vars: &[VarId], all: &mut Vec<LoopVar>) {
        for var in vars {
            let (form, value) = self.lets.get(var).cloned().unwrap_or_default();
            let own = form.iter().flat_map(Affine::terms).map(|(var, _)| var);
            all.extend(own);
            if let Some(value) = value {
                let mut loads = Loads(Vec::new());
                loads.expr(&value);
                self.reach(&loads.0, all);
            }
        }
    }

    /// The least value of an interval, and a new variable for what is above it.
    fn variable(&mut self, of: Interval) -> Option<Affine> {
        let fixed = |low: &&Affine| low.as_poly().is_some();
        let exact = |low: &&Affine| low.as_poly().is_some_and(|p| p.as_constant().is_some());
        let low = of.lows.iter().find(exact);
        let low = low.or(of.lows.iter().find(fixed)).or(of.lows.first())?;
        let most = of
            .highs
            .iter()
            .map(|high| minus(high, low).plus(&number(1)));
        let mut most: Vec<Affine> = most.collect();
        sorted::by_key(&mut most, |bound| bound.terms().count());
        most.truncate(MOST_BOUNDS);
        if most.is_empty() {
            return None;
        }
        let var = self.var(most);
        Some(low.clone().plus(&Affine::var(var)))
    }

    /// Where a number lies.
    pub(super) fn interval(&mut self, expr: &Expr) -> Option<Interval> {
        let ty = expr.ty.as_scalar().filter(|ty| ty.is_int())?;
        match &expr.kind {
            ExprKind::Method(method, parts) => match (*method, &parts[..]) {
                (Method::Min, [a, b]) => {
                    let (a, b) = (self.itself(a), self.itself(b));
                    self.lesser(a, b, ty)
                }
                (Method::Max, [a, b]) => {
                    let (a, b) = (self.itself(a)?, self.itself(b)?);
                    Some(Interval {
                        highs: self.above(&a, &b),
                        lows: [a.lows, b.lows].concat(),
                    })
                }
                (Method::Clamp, [_, low, high]) => Some(Interval {
                    lows: self.itself(low)?.lows,
                    highs: self.itself(high)?.highs,
                }),
                (Method::SaturatingSub, [a, b]) if !ty.is_signed() => {
                    let (a, b) = (self.itself(a)?, self.itself(b).unwrap_or_default());
                    let less = a.highs.iter().flat_map(|high| {
                        let less = b.lows.iter().map(move |low| minus(high, low));
                        less.collect::<Vec<_>>()
                    });
                    let less: Vec<Affine> = less.collect();
                    let above = less.into_iter().filter(|less| self.is_natural(less));
                    let highs: Vec<Affine> = above.chain(a.highs.iter().cloned()).collect();
                    Some(Interval {
                        lows: vec![number(0)],
                        highs,
                    })
                }
                (Method::RemEuclid, [_, b]) => self.rest(b),
                _ => self.of_form(expr),
            },
            ExprKind::Binary(BinaryOp::Rem, a, b) => {
                if ty.is_signed() {
                    let lows = self.itself(a)?.lows;
                    lows.iter().any(|low| self.is_natural(low)).then_some(())?;
                }
                self.rest(b)
            }
            ExprKind::Binary(BinaryOp::BitAnd, a, b) if !ty.is_signed() => {
                let (a, b) = (self.itself(a), self.itself(b));
                let highs = [a, b].into_iter().flatten().flat_map(|of| of.highs);
                Some(Interval {
                    lows: vec![number(0)],
                    highs: highs.collect(),
                })
            }
            // With a sign, by a number that has none.
            ExprKind::Binary(BinaryOp::BitAnd, a, b) => {
                let mask = literal(a).or(literal(b)).filter(|mask| *mask >= 0)?;
                Some(Interval {
                    lows: vec![number(0)],
                    highs: vec![number(mask)],
                })
            }
            ExprKind::If(condition, then, Some(otherwise)) => {
                let (then, otherwise) = (value_of(then)?, value_of(otherwise)?);
                let then = self.under(condition, true, then)?;
                let otherwise = self.under(condition, false, otherwise)?;
                Some(Interval {
                    lows: self.below(&then, &otherwise),
                    highs: self.above(&then, &otherwise),
                })
            }
            ExprKind::Opaque(opaque) if opaque.counts => Some(Interval {
                lows: vec![number(0)],
                highs: vec![number(LONGEST)],
            }),
            ExprKind::Block(block) => self.interval(value_of(block)?),
            // From 64 bits to 64 bits nothing is lost.
            ExprKind::Cast(inner) => {
                let from = inner.ty.as_scalar().filter(|from| from.is_int())?;
                if self.plain(expr).is_some() {
                    return self.of_form(expr);
                }
                match (from.bits(), ty.bits()) {
                    (64, 64) => self.interval(inner),
                    _ => {
                        let of = self.itself(inner)?;
                        self.limited(of, ty)
                    }
                }
            }
            ExprKind::Load(place) => match place.root {
                Root::Var(var) if place.path.is_empty() && self.plain(expr).is_none() => {
                    let value = self.value(var)?;
                    self.interval(&value)
                }
                _ => self.of_form(expr),
            },
            _ => self.of_form(expr),
        }
    }

    /// Where a number lies that has a form, by what is known where it is computed.
    fn of_form(&mut self, expr: &Expr) -> Option<Interval> {
        // Not `form`, which would ask for an interval again.
        let form = self.summed(expr)?;
        let mut found = Interval {
            lows: vec![form.clone()],
            highs: vec![form.clone()],
        };
        let count = |form: &Affine| form.terms().count();
        for known in &self.known {
            // What is 0 or more is added to it, or taken from it.
            let (high, low) = (form.clone().plus(known), minus(&form, known));
            found
                .highs
                .extend((count(&high) < count(&form)).then_some(high));
            found
                .lows
                .extend((count(&low) < count(&form)).then_some(low));
        }
        Some(found)
    }

    /// Where a number lies itself, not only another that wraps around to it.
    pub(super) fn itself(&mut self, expr: &Expr) -> Option<Interval> {
        let ty = expr.ty.as_scalar()?;
        let of = self.interval(expr)?;
        match self.is_itself(expr) {
            true => Some(of),
            false => self.limited(of, ty),
        }
    }

    /// The same, if it is in the range of a type.
    fn limited(&mut self, of: Interval, ty: Scalar) -> Option<Interval> {
        let (least, most) = ty.limits()?;
        let proved = of
            .lows
            .iter()
            .any(|low| self.is_natural(&minus(low, &number(least))));
        if !proved {
            // Of positions it would be required of all of them, those included that are never asked.
            let low = of.lows.iter().find(|low| low.as_poly().is_some())?.clone();
            self.require(&low, least, most);
        }
        let high = of
            .highs
            .iter()
            .min_by_key(|high| high.terms().count())?
            .clone();
        self.require(&high, least, most);
        Some(of)
    }

    /// Where the lesser of two numbers lies, of which at least one is known.
    fn lesser(&mut self, a: Option<Interval>, b: Option<Interval>, ty: Scalar) -> Option<Interval> {
        let zero = (!ty.is_signed()).then(|| number(0));
        match (a, b) {
            (Some(a), Some(b)) => {
                let mut lows = self.below(&a, &b);
                lows.extend(zero);
                Some(Interval {
                    lows,
                    highs: [a.highs, b.highs].concat(),
                })
            }
            (Some(one), None) | (None, Some(one)) => Some(Interval {
                lows: vec![zero?],
                highs: one.highs,
            }),
            (None, None) => None,
        }
    }

    /// Where the rest of a division lies.
    fn rest(&mut self, by: &Expr) -> Option<Interval> {
        let by = self.itself(by)?;
        // Of no negative number; a division by 0 has no rest.
        by.lows
            .iter()
            .any(|low| self.is_natural(low))
            .then_some(())?;
        Some(Interval {
            lows: vec![number(0)],
            highs: by
                .highs
                .iter()
                .map(|high| minus(high, &number(1)))
                .collect(),
        })
    }

    /// What is no more than either of two.
    fn below(&self, a: &Interval, b: &Interval) -> Vec<Affine> {
        let mut all = [&a.lows[..], &b.lows, &[number(0)]].concat();
        all.retain(|low| {
            let under = |of: &Interval| of.lows.iter().any(|own| self.is_natural(&minus(own, low)));
            under(a) && under(b)
        });
        all
    }

    /// What is no less than either of two.
    fn above(&self, a: &Interval, b: &Interval) -> Vec<Affine> {
        let own = a.highs.iter().chain(&b.highs);
        let mut all: Vec<Affine> = own.clone().cloned().collect();
        all.extend(own.map(Affine::positive_part));
        all.retain(|high| {
            let over = |of: &Interval| {
                of.highs
                    .iter()
                    .any(|own| self.is_natural(&minus(high, own)))
            };
            over(a) && over(b)
        });
        all
    }

    /// Whether a form is 0 or more, wherever the number is computed that it is of.
    fn is_natural(&self, form: &Affine) -> bool {
        let own = form.terms().map(|(var, _)| var);
        let nest = self.nest_with(self.scope.iter().copied().chain(own).collect());
        never_negative(&nest, form)
    }

    /// Where the value of a branch lies.
    fn under(&mut self, condition: &Expr, holds: bool, value: &Expr) -> Option<Interval> {
        let before = self.known.len();
        let known = self.facts(condition, holds);
        self.known.extend(known);
        let found = self.interval(value);
        self.known.truncate(before);
        found
    }

    /// What is 0 or more where a condition holds, or where it does not.
    pub(super) fn facts(&mut self, condition: &Expr, holds: bool) -> Vec<Affine> {
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.facts(inner, !holds),
            ExprKind::And(a, b) if holds => [self.facts(a, true), self.facts(b, true)].concat(),
            ExprKind::Or(a, b) if !holds => [self.facts(a, false), self.facts(b, false)].concat(),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let Some((a, b)) = self.exactly(a).zip(self.exactly(b)) else {
                    return Vec::new();
                };
                let less = |a: &Affine, b: &Affine| minus(&minus(b, a), &number(1));
                match (op, holds) {
                    (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => vec![less(&a, &b)],
                    (BinaryOp::Gt, true) | (BinaryOp::Le, false) => vec![less(&b, &a)],
                    (BinaryOp::Le, true) | (BinaryOp::Gt, false) => vec![minus(&b, &a)],
                    (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => vec![minus(&a, &b)],
                    (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                        vec![minus(&b, &a), minus(&a, &b)]
                    }
                    // They differ, and it is known which is not the lesser.
                    (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => {
                        if self.is_natural(&minus(&b, &a)) {
                            vec![less(&a, &b)]
                        } else if self.is_natural(&minus(&a, &b)) {
                            vec![less(&b, &a)]
                        } else {
                            Vec::new()
                        }
                    }
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// The form of a number that is compared, if it is the number itself.
    fn exactly(&mut self, expr: &Expr) -> Option<Affine> {
        let form = self.plain(expr)?;
        let of = Interval {
            lows: vec![form.clone()],
            highs: vec![form.clone()],
        };
        if !self.is_itself(expr) {
            self.limited(of, expr.ty.as_scalar()?)?;
        }
        Some(form)
    }

    /// Bounds of `end - start`, where that is 0 or more.
    pub(super) fn distance(&mut self, end: &Expr, start: &Expr) -> Vec<Affine> {
        if self.plain(end).is_some() && self.plain(start).is_some() {
            let both = self.exact(end).zip(self.exact(start));
            return both
                .map(|(end, start)| minus(&end, &start))
                .into_iter()
                .collect();
        }
        let all = self.distances(end, start);
        // An end that is the same in every iteration, `h.max(1) - 1`, is a number that the call evaluates.
        if all.is_empty()
            && self.is_given(end)
            && let Some(start) = self.plain(start).and(self.exact(start))
            && let Some(end) = self.param(end)
        {
            return vec![minus(&end, &start)];
        }
        all
    }

    /// Bounds of `end - start` by where both lie.
    fn distances(&mut self, end: &Expr, start: &Expr) -> Vec<Affine> {
        self.scope = self.around.clone();
        let (Some(end), Some(start)) = (self.itself(end), self.itself(start)) else {
            return Vec::new();
        };
        let mut all: Vec<Affine> = Vec::new();
        for high in &end.highs {
            for low in &start.lows {
                let most = minus(high, low);
                if !all.contains(&most) {
                    all.push(most);
                }
            }
        }
        sorted::by_key(&mut all, |most| most.terms().count());
        all.truncate(MOST_BOUNDS);
        all
    }

    /// A whole quotient, and the rest, of a form by a number.
    pub(super) fn divided(&mut self, a: &Expr, by: i128) -> Option<(Affine, i128)> {
        if a.ty.as_scalar()?.is_signed() || by <= 0 {
            return None;
        }
        self.exactly(a)?.divided(by)
    }
}

/// The variables that are read.
struct Loads(Vec<VarId>);

impl Visit for Loads {
    fn load(&mut self, place: &Place) {
        if let Root::Var(var) = place.root {
            self.0.push(var);
        }
        self.place_parts(place);
    }
}

/// The number that a literal is.
pub(super) fn literal(expr: &Expr) -> Option<i128> {
    match expr.kind {
        ExprKind::Literal(Literal::Int(value)) => Some(value),
        _ => None,
    }
}

/// Adds to the loops around an access the variables that bounds of others are over.
pub(super) fn close(around: &mut Vec<LoopVar>, extents: &[Vec<Affine>]) {
    let mut next = 0;
    while let Some(var) = around.get(next).copied() {
        next += 1;
        for (of, _) in extents[var.0].iter().flat_map(Affine::terms) {
            if !around.contains(&of) {
                around.push(of);
            }
        }
    }
}

#[cfg(test)]
mod tests;

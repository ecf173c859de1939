//! What conditions and remainders say of numbers that are multiples of another: red cells and black ones.
//!
//! | written | a multiple of `m` |
//! | --- | --- |
//! | `if a % m == b`, `if a & 1 == b` | `a - b` |
//! | `if a % m == b % m` | `a - b` |
//! | `if a % 2 != 0` | `a - 1` |
//! | `let r = a % m` | `a - r` |
//! | `let r = a % n` where `n` is even, which the call tells | `a - r`, of 2 |
//! | `for x in (first..end).step_by(m)` | `x - first` |
//!
//! A multiple of `m` is `m * q`, where nothing is known of `q`. So two accesses of which each has such a number agree in one more
//! dimension, whose index is that number and `m` times a variable without bounds; the [test](crate::dependence) finds by its
//! GCD rule that cells of one colour are no neighbours. What a remainder says counts for its access alone as well: the cell
//! on the other side, `(x + 1) % w`.

use super::affine::{Accesses, Found, value_of};
use super::computed::literal;
use super::scan::variable;
use crate::dependence::{self, Affine, LoopVar, Poly, Verdict};
use crate::ir::visit::Visit;
use crate::ir::{BinaryOp, Block, Expr, ExprKind, Literal, Method, UnaryOp, VarId};

/// Divisors beyond this colour nothing.
const LARGEST: i128 = 64;

/// A number that is a multiple of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Multiple {
    form: Affine,
    of: i128,
    /// What must not be below 0 for that.
    provided: Option<Poly>,
}

impl Multiple {
    /// The number.
    pub(super) fn form(&mut self) -> &mut Affine {
        &mut self.form
    }
}

/// Whether a loop asks which of two colours something has.
pub(super) fn asks_for_colours(block: &Block) -> bool {
    struct Asks(bool);
    impl Visit for Asks {
        fn expr(&mut self, expr: &Expr) {
            self.0 |= match &expr.kind {
                ExprKind::Binary(BinaryOp::Rem, _, by) => literal(by) == Some(2),
                ExprKind::Binary(BinaryOp::BitAnd, _, mask) => literal(mask) == Some(1),
                ExprKind::Method(Method::RemEuclid | Method::DivCeil, parts) => {
                    literal(&parts[1]) == Some(2)
                }
                _ => false,
            };
            self.expr_parts(expr);
        }
    }
    let mut asks = Asks(false);
    asks.block(block);
    asks.0
}

/// What a division leaves.
struct Rest {
    of: Expr,
    by: i128,
    /// Whether it is below 0 where what is divided is.
    negative: bool,
}

impl Accesses<'_> {
    /// Whether two accesses can meet, by their indices and by what is known to divide.
    pub(super) fn meet(&self, a: &Found, b: &Found) -> Verdict {
        let plain = dependence::meet(&self.nest(a, b), &a.access, &b.access);
        let certain = |of: Vec<Multiple>| -> Vec<Multiple> {
            of.into_iter().filter(|m| m.provided.is_none()).collect()
        };
        let (of_one, of_other) = (certain(self.multiples(a)), certain(self.multiples(b)));
        let apart = |alone| self.divide_apart(a, b, &of_one, &of_other, alone);
        match plain == Verdict::Apart || apart(false) || apart(true) {
            true => Verdict::Apart,
            false => plain,
        }
    }

    /// What must not be below 0 for two accesses never to meet, of what remainders say of sizes that are even.
    pub(super) fn meet_unless(&self, a: &Found, b: &Found) -> Option<Vec<Poly>> {
        let (of_one, of_other) = (self.multiples(a), self.multiples(b));
        let all = of_one.iter().chain(&of_other);
        let mut provided: Vec<Poly> = all.filter_map(|m| m.provided.clone()).collect();
        provided.sort();
        provided.dedup();
        let worth = !provided.is_empty();
        (worth && self.divide_apart(a, b, &of_one, &of_other, true)).then_some(provided)
    }

    /// Whether two accesses are apart by what divides, of both and, if `alone`, of either by itself.
    fn divide_apart(
        &self,
        a: &Found,
        b: &Found,
        of_one: &[Multiple],
        of_other: &[Multiple],
        alone: bool,
    ) -> bool {
        let mut nest = self.nest(a, b);
        let (mut one, mut other) = (a.access.clone(), b.access.clone());
        let mut paired: Vec<&Multiple> = Vec::new();
        for first in of_one {
            // Those that are written alike: a variable with two coefficients would be two unknowns in the indices too.
            let alike = |second: &&Multiple| {
                second.of == first.of && second.form.terms().eq(first.form.terms())
            };
            for second in of_other.iter().filter(alike) {
                let quotient = Affine::var(nest.unbounded()).times(&Poly::constant(first.of));
                one.indices.push(Some(first.form.clone().plus(&quotient)));
                other
                    .indices
                    .push(Some(second.form.clone().plus(&quotient)));
                paired.extend([first, second]);
            }
        }
        let sides = [(of_one, false), (of_other, true)];
        for (of, second) in sides.iter().filter(|_| alone) {
            for multiple in of.iter().filter(|multiple| !paired.contains(multiple)) {
                let quotient = Affine::var(nest.unbounded()).times(&Poly::constant(multiple.of));
                let is_zero = [multiple.form.clone().plus(&quotient), Affine::default()];
                let [this, that] = is_zero.map(Some);
                let (of_one, of_other) = match second {
                    true => (that, this),
                    false => (this, that),
                };
                one.indices.push(of_one);
                other.indices.push(of_other);
            }
        }
        one.indices.len() > a.access.indices.len()
            && dependence::meet_divided(&nest, &one, &other) == Verdict::Apart
    }

    /// What is known to divide where an access is: by its conditions, and by the remainders that its indices have in them.
    fn multiples(&self, found: &Found) -> Vec<Multiple> {
        let indices = || found.access.indices.iter().flatten();
        let in_them = |var: LoopVar| indices().any(|index| index.has(var));
        let remainders = self.remainders.iter().filter(|(var, _)| in_them(*var));
        let remainders = remainders.map(|(_, multiple)| multiple.clone());
        found.multiples.iter().cloned().chain(remainders).collect()
    }

    /// Notes what is divided, of a remainder that has got a form.
    pub(super) fn remainder(&mut self, expr: &Expr, form: &Affine) {
        let mut terms = form.terms();
        let (Some((var, one)), None) = (terms.next(), terms.next()) else {
            return;
        };
        if one.as_constant() != Some(1) || !form.rest().is_zero() {
            return;
        }
        let required = self.within.len();
        let (divided, of, provided) = match self.rest_of(expr) {
            Some(Rest { of, by, .. }) => (self.modulo(&of, by), by, None),
            None => {
                let (form, provided) = self.rest_of_even(expr).unzip();
                (form, 2, provided)
            }
        };
        // Nothing is to be required of a call for what may not matter.
        if self.within.len() > required {
            self.within.truncate(required);
        } else if let Some(divided) = divided {
            let form = divided.plus(&form.times(&Poly::constant(-1)));
            self.remainders.push((var, Multiple { form, of, provided }));
        }
    }

    /// What is divided by a size, but for multiples of the size, and what must not be below 0 for that to be even. Nothing where the loop
    /// asks for no colour of two.
    fn rest_of_even(&mut self, expr: &Expr) -> Option<(Affine, Poly)> {
        let (of, by) = match &expr.kind {
            ExprKind::Binary(BinaryOp::Rem, of, by) => (&**of, &**by),
            ExprKind::Method(Method::RemEuclid, parts) => (&parts[0], &parts[1]),
            ExprKind::Block(block) => return self.rest_of_even(value_of(block)?),
            ExprKind::Load(_) => return self.rest_of_even(&self.behind(expr)?),
            _ => return None,
        };
        if !self.colours || !self.is_given(by) {
            return None;
        }
        let form = self.modulo(of, 2)?;
        let size = self.plain(by)?.as_poly()?.clone();
        let two = Expr {
            kind: ExprKind::Literal(Literal::Int(2)),
            ..by.clone()
        };
        let half = Expr {
            kind: ExprKind::Binary(BinaryOp::Div, Box::new(by.clone()), Box::new(two.clone())),
            ..by.clone()
        };
        let half = self.quotient(&half, by, &two, false).pop()?;
        let twice = half.as_poly()?.clone() * Poly::constant(2);
        let (times, _) = form.rest().divide(&size)?;
        let sizes = Affine::constant(size.clone() * Poly::constant(-times));
        Some((form.plus(&sizes), twice - size))
    }

    /// Notes how far the positions of a loop go in steps, `(first..end).step_by(2)`, whose number has no form.
    pub(super) fn scale(&mut self, position: VarId, count: &Expr) {
        let count = self.behind(count).unwrap_or_else(|| count.clone());
        let ExprKind::Method(Method::DivCeil, parts) = &count.kind else {
            return;
        };
        let Some(by) = literal(&parts[1]).filter(|by| (2..=LARGEST).contains(by)) else {
            return;
        };
        // Where the first is by a remainder.
        let bounded = std::mem::replace(&mut self.bounded, true);
        let all = self.extent(&parts[0]);
        self.bounded = bounded;
        if all.is_empty() {
            return;
        }
        let var = self.var(all);
        let form = Affine::var(var);
        let multiple = Multiple {
            form,
            of: by,
            provided: None,
        };
        self.remainders.push((var, multiple));
        self.scaled.insert(position, (by, var));
    }

    /// So many times a position, where that is what has a variable.
    pub(super) fn position_times(&self, position: &Expr, by: &Expr) -> Option<Affine> {
        let ExprKind::Load(place) = &position.kind else {
            return None;
        };
        let (times, multiple) = self.scaled.get(&variable(place)?)?;
        (literal(by) == Some(*times)).then(|| Affine::var(*multiple))
    }

    /// What is a multiple where a condition holds, or where it does not.
    pub(super) fn multiples_where(&mut self, condition: &Expr, holds: bool) -> Vec<Multiple> {
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.multiples_where(inner, !holds),
            ExprKind::And(a, b) if holds => [a, b]
                .iter()
                .flat_map(|part| self.multiples_where(part, true))
                .collect(),
            ExprKind::Or(a, b) if !holds => [a, b]
                .iter()
                .flat_map(|part| self.multiples_where(part, false))
                .collect(),
            ExprKind::Binary(BinaryOp::Eq, a, b) => {
                self.rests_compared(a, b, holds).into_iter().collect()
            }
            ExprKind::Binary(BinaryOp::Ne, a, b) => {
                self.rests_compared(a, b, !holds).into_iter().collect()
            }
            ExprKind::Load(_) => match self.behind(condition) {
                Some(value) => self.multiples_where(&value, holds),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Two numbers that are equal, or are not, at least one of which is a rest.
    fn rests_compared(&mut self, a: &Expr, b: &Expr, equal: bool) -> Option<Multiple> {
        let (rest, other) = match (self.rest_of(a), self.rest_of(b)) {
            (Some(rest), Some(other)) if rest.by == other.by => (rest, other.of),
            (Some(rest), _) => (rest, b.clone()),
            (None, Some(rest)) => (rest, a.clone()),
            (None, None) => return None,
        };
        let mut other = self.modulo(&other, rest.by)?;
        if !equal {
            // Of two numbers there are what is not one is the other.
            let two = match other.as_poly()?.as_constant()? {
                0 => rest.by == 2,
                1 => rest.by == 2 && !rest.negative,
                _ => false,
            };
            other = two.then(|| other.plus(&Affine::constant(Poly::constant(1))))?;
        }
        let form = self.modulo(&rest.of, rest.by)?;
        Some(Multiple {
            form: form.plus(&other.times(&Poly::constant(-1))),
            of: rest.by,
            provided: None,
        })
    }

    /// What is divided where an expression is a rest, and by what.
    fn rest_of(&self, expr: &Expr) -> Option<Rest> {
        let ty = expr.ty.as_scalar().filter(|ty| ty.is_int())?;
        let (of, by) = match &expr.kind {
            ExprKind::Binary(BinaryOp::Rem, of, by) => (&**of, literal(by)?),
            ExprKind::Binary(BinaryOp::BitAnd, of, mask) => {
                let mask = literal(mask)?;
                (&**of, (mask & (mask + 1) == 0).then_some(mask + 1)?)
            }
            ExprKind::Method(Method::RemEuclid, parts) => (&parts[0], literal(&parts[1])?),
            ExprKind::Block(block) => return self.rest_of(value_of(block)?),
            ExprKind::Load(_) => return self.rest_of(&self.behind(expr)?),
            // A rest of a number without a sign is itself in any type.
            ExprKind::Cast(inner) => {
                let plain = inner.ty.as_scalar()?;
                let unsigned = plain.is_int() && !plain.is_signed();
                return unsigned.then(|| self.rest_of(inner))?;
            }
            _ => return None,
        };
        (2..=LARGEST).contains(&by).then(|| Rest {
            of: of.clone(),
            by,
            negative: ty.is_signed() && matches!(expr.kind, ExprKind::Binary(BinaryOp::Rem, ..)),
        })
    }

    /// The value of a local that has one.
    fn behind(&self, expr: &Expr) -> Option<Expr> {
        match &expr.kind {
            ExprKind::Load(place) => self.value(variable(place)?),
            _ => None,
        }
    }

    /// The form of a number but for multiples of a divisor. In 64 bits forms are right but for multiples of 2^64.
    fn modulo(&mut self, expr: &Expr, by: i128) -> Option<Affine> {
        let bits = expr.ty.as_scalar()?.bits();
        match bits == 64 && by.count_ones() == 1 {
            true => self.plain(expr),
            false => {
                self.plain(expr)?;
                self.exact(expr)
            }
        }
    }
}

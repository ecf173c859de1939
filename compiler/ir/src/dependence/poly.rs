//! Polynomials over what a loop does not change, with integer coefficients: strides, extents, lengths.

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use crate::sorted::{self, Sorted};

/// A value that is the same in every iteration and not negative: a captured `usize`, the length of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Param(pub u32);

/// A sum of products of parameters: `w * h - 2 * w + 1`. Zero has no terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Poly(Sorted<Vec<Param>, i128>);

impl Poly {
    /// Zero.
    pub fn zero() -> Poly {
        Poly::default()
    }

    /// A number.
    pub fn constant(value: i128) -> Poly {
        Poly::term(Vec::new(), value)
    }

    /// A parameter.
    pub fn param(param: Param) -> Poly {
        Poly::term(vec![param], 1)
    }

    fn term(factors: Vec<Param>, coefficient: i128) -> Poly {
        let mut poly = Poly::default();
        poly.add_term(factors, coefficient);
        poly
    }

    fn add_term(&mut self, factors: Vec<Param>, coefficient: i128) {
        if coefficient == 0 {
            return;
        }
        let sum = self.0.or_insert(factors.clone(), 0);
        *sum += coefficient;
        if *sum == 0 {
            self.0.remove(&factors);
        }
    }

    /// The number, if it is one.
    pub fn as_constant(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// Whether none of its numbers is larger than those that parameters are tried with.
    pub(super) fn is_of_small_numbers(&self) -> bool {
        self.0.values().all(|c| c.abs() <= 2)
    }

    /// Whether it is zero whatever the parameters are.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether no coefficient is negative, so that it is not negative whatever the parameters are.
    pub fn is_never_negative(&self) -> bool {
        self.0.values().all(|c| *c >= 0)
    }

    /// The greatest number that divides it whatever the parameters are; 0 for zero.
    pub fn content(&self) -> i128 {
        self.0.values().fold(0, |all, c| gcd(all, *c))
    }

    /// Quotient and rest of a division by another polynomial in which the quotient is a number: `self = q * by + rest`, with the
    /// rest as small as the leading terms say. `None` if `by` is zero.
    pub fn divide(&self, by: &Poly) -> Option<(i128, Poly)> {
        // The last term is the one of most factors among those that sort alike; any would do.
        let (factors, leading) = by.0.iter().max_by_key(|(factors, _)| factors.len())?;
        let own = self.0.get(factors).copied().unwrap_or(0);
        // Rounded to the nearest: the rest lies around zero.
        let (own, leading) = (own * leading.signum(), leading.abs());
        let quotient = (2 * own + leading).div_euclid(2 * leading);
        let rest = self.clone() - by.clone() * Poly::constant(quotient);
        Some((quotient, rest))
    }

    /// Its terms that are not negative.
    #[must_use]
    pub fn positive_part(&self) -> Poly {
        let terms = self.0.iter().filter(|(_, c)| **c > 0);
        Poly(terms.map(|(factors, c)| (factors.clone(), *c)).collect())
    }

    /// The whole quotient of a division by a number above 0, and the rest, if it is the same for all parameters.
    pub fn divided(&self, by: i128) -> Option<(Poly, i128)> {
        let mut quotient = Poly::zero();
        let mut rest = 0;
        for (factors, c) in self.0.iter() {
            if factors.is_empty() {
                rest = c.rem_euclid(by);
            } else if c % by != 0 {
                return None;
            }
            quotient.add_term(factors.clone(), c.div_euclid(by));
        }
        Some((quotient, rest))
    }

    /// The largest of its coefficients, without their signs.
    pub fn largest(&self) -> i128 {
        self.0.values().map(|c| c.abs()).max().unwrap_or(0)
    }

    /// Its terms: a number, and the parameters that it is multiplied with.
    pub fn terms(&self) -> impl Iterator<Item = (i128, &[Param])> {
        self.0.iter().map(|(factors, c)| (*c, factors.as_slice()))
    }

    /// Its value for these parameters.
    pub fn eval(&self, value: &dyn Fn(Param) -> i128) -> i128 {
        let terms = self.0.iter();
        terms
            .map(|(factors, c)| factors.iter().fold(*c, |all, p| all * value(*p)))
            .sum()
    }

    /// The same, unless it is too large.
    pub(super) fn checked_eval(&self, value: &dyn Fn(Param) -> i128) -> Option<i128> {
        self.0.iter().try_fold(0i128, |sum, (factors, c)| {
            let mut factors = factors.iter();
            let term = factors.try_fold(*c, |all, p| all.checked_mul(value(*p)))?;
            sum.checked_add(term)
        })
    }

    /// The parameters in it.
    pub fn params(&self) -> impl Iterator<Item = Param> {
        self.0.keys().flatten().copied()
    }

    /// Whether some parameters make it as large as one likes: `n - w` does, and `2 * n - n * n` does not.
    pub fn can_grow(&self) -> bool {
        let outgrown = |own: &[Param]| {
            let mut negative = self.0.iter().filter(|(_, c)| **c < 0);
            negative.any(|(factors, _)| without(factors, own).is_some())
        };
        let mut terms = self.0.iter();
        terms.any(|(factors, c)| !factors.is_empty() && *c > 0 && !outgrown(factors))
    }

    /// Whether its term of most factors is negative.
    pub fn leads_negative(&self) -> bool {
        let leading = self.0.iter().max_by_key(|(factors, _)| factors.len());
        leading.is_some_and(|(_, c)| *c < 0)
    }

    /// The polynomial less so many times another that its negative term of most factors is gone. `None` where no negative term of
    /// the other divides it.
    pub(super) fn without_negative_term(&self, other: &Poly) -> Option<Poly> {
        let negative = self.0.iter().filter(|(_, c)| **c < 0);
        let (factors, coefficient) = negative.max_by_key(|(factors, _)| factors.len())?;
        other
            .0
            .iter()
            .filter(|(_, c)| **c < 0)
            .find_map(|(own, c)| {
                let more = without(factors, own)?;
                // At least as many times as take the term away; more leave something positive.
                let times = (-coefficient + -c - 1).div_euclid(-c);
                Some(self.clone() - other.clone() * Poly::term(more, times))
            })
    }

    /// As a reader writes it, with the names of the parameters.
    pub fn text(&self, name: &dyn Fn(Param) -> String) -> String {
        let mut text = String::new();
        // What has most factors comes first.
        let mut terms: Vec<_> = self.0.iter().collect();
        sorted::by_key(&mut terms, |(factors, _)| std::cmp::Reverse(factors.len()));
        for (factors, c) in terms {
            let sign = match (text.is_empty(), *c < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let names = factors.iter().map(|p| name(*p));
            let number = (factors.is_empty() || c.abs() != 1).then(|| c.abs().to_string());
            let product: Vec<String> = number.into_iter().chain(names).collect();
            text.push_str(sign);
            text.push_str(&product.join(" * "));
        }
        match text.is_empty() {
            true => "0".to_owned(),
            false => text,
        }
    }
}

impl fmt::Display for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&|p| format!("p{}", p.0)))
    }
}

impl Add for Poly {
    type Output = Poly;
    fn add(mut self, other: Poly) -> Poly {
        for (factors, c) in other.0 {
            self.add_term(factors, c);
        }
        self
    }
}

impl Neg for Poly {
    type Output = Poly;
    fn neg(mut self) -> Poly {
        self.0.values_mut().for_each(|c| *c = -*c);
        self
    }
}

impl Sub for Poly {
    type Output = Poly;
    fn sub(self, other: Poly) -> Poly {
        self + -other
    }
}

impl Mul for Poly {
    type Output = Poly;
    fn mul(self, other: Poly) -> Poly {
        let mut all = Poly::zero();
        for (a, x) in self.0.iter() {
            for (b, y) in other.0.iter() {
                let mut factors = [a.as_slice(), b.as_slice()].concat();
                sorted::sort(&mut factors);
                all.add_term(factors, x * y);
            }
        }
        all
    }
}

/// The factors that are left of a product when some are taken out of it; `None` if they are not in it. Both are sorted.
fn without(product: &[Param], some: &[Param]) -> Option<Vec<Param>> {
    let mut left = product.to_vec();
    for factor in some {
        let at = left.iter().position(|p| p == factor)?;
        left.remove(at);
    }
    Some(left)
}

/// The greatest common divisor; 0 for two zeros.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a.abs(),
        _ => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn w() -> Poly {
        Poly::param(Param(0))
    }

    fn h() -> Poly {
        Poly::param(Param(1))
    }

    fn n(value: i128) -> Poly {
        Poly::constant(value)
    }

    #[test]
    fn arithmetic_cancels() {
        let area = w() * h();
        assert_eq!(area.clone() - h() * w(), Poly::zero());
        assert_eq!(
            (w() + n(1)) * (w() - n(1)),
            w() * w() - n(1),
            "a product of sums"
        );
        assert_eq!(n(3).as_constant(), Some(3));
        assert_eq!((w() - w()).as_constant(), Some(0));
        assert_eq!(area.as_constant(), None);
        assert_eq!((n(6) * area + n(9)).content(), 3);
    }

    #[test]
    fn division_leaves_a_rest_around_zero() {
        assert_eq!(n(7).divide(&n(4)), Some((2, n(-1))));
        assert_eq!(n(-7).divide(&n(4)), Some((-2, n(1))));
        assert_eq!(n(7).divide(&n(-4)), Some((-2, n(-1))));
        assert_eq!(n(0).divide(&n(-1)), Some((0, n(0))));
        let stride = w() * n(2) + n(1);
        assert_eq!(stride.divide(&w()), Some((2, n(1))));
        assert_eq!(w().divide(&Poly::zero()), None);
    }

    #[test]
    fn facts_take_negative_terms_away() {
        // w * h - w is w times the fact h - 1.
        let poly = w() * h() - w();
        let fact = h() - n(1);
        assert_eq!(poly.without_negative_term(&fact), Some(Poly::zero()));
        assert_eq!(poly.without_negative_term(&h()), None);
        let poly = n(3) - n(5) * w();
        let fact = n(4) - n(2) * w();
        assert_eq!(poly.without_negative_term(&fact), Some(w() - n(9)));
    }

    #[test]
    fn what_grows_is_not_outgrown() {
        assert!((w() - h()).can_grow());
        assert!((w() - h() * h()).can_grow());
        assert!((w() * h() - w()).can_grow());
        assert!(!(n(2) * w() - w() * w()).can_grow());
        assert!(!(n(7) - w()).can_grow());
        assert_eq!((n(2) * w() - h() + n(3)).positive_part(), n(2) * w() + n(3));
        assert_eq!((n(4) * w() - n(3)).divided(4), Some((w() - n(1), 1)));
        assert_eq!((n(4) * w() + h()).divided(4), None);
    }

    #[test]
    fn text_reads_as_written() {
        let name = |p: Param| ["w", "h"][p.0 as usize].to_owned();
        let poly = w() * h() - n(2) * w() + n(1);
        assert_eq!(poly.text(&name), "w * h - 2 * w + 1");
        assert_eq!((-w()).text(&name), "-w");
        assert_eq!(Poly::zero().text(&name), "0");
        assert_eq!(poly.eval(&|p| [5, 3][p.0 as usize]), 6);
    }
}

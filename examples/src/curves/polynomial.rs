//! Polynomials of x and y with whole coefficients of any size, and the two whose curves are drawn.

use std::collections::BTreeMap;
use std::ops::{Add, Mul};

use num_bigint::BigInt;

/// Coefficients by the exponents of x and y; none is 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polynomial(pub BTreeMap<[usize; 2], BigInt>);

impl Polynomial {
    /// The sum of some terms: coefficient, exponent of x, exponent of y.
    pub fn of(terms: &[(BigInt, usize, usize)]) -> Polynomial {
        let mut sum = Polynomial::default();
        for (coefficient, i, j) in terms {
            sum.add_term([*i, *j], coefficient);
        }
        sum
    }

    fn add_term(&mut self, exponents: [usize; 2], coefficient: &BigInt) {
        let sum = self.0.entry(exponents).or_default();
        *sum += coefficient;
        if *sum == BigInt::from(0) {
            self.0.remove(&exponents);
        }
    }

    /// The highest sum of exponents.
    pub fn degree(&self) -> usize {
        self.0.keys().map(|[i, j]| i + j).max().unwrap_or(0)
    }

    /// Decimal digits of the largest coefficient.
    pub fn digits(&self) -> usize {
        let lengths = self.0.values().map(|c| c.magnitude().to_string().len());
        lengths.max().unwrap_or(0)
    }

    /// The polynomial of x times `unit` and y times `unit`, times so high a power of `unit` that it stays whole.
    pub fn in_units(&self, unit: u64) -> Polynomial {
        let degree = self.degree();
        let scaled = self.0.iter().map(|([i, j], coefficient)| {
            let power = BigInt::from(unit).pow((degree - i - j) as u32);
            ([*i, *j], coefficient * power)
        });
        Polynomial(scaled.collect())
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        for (exponents, coefficient) in &other.0 {
            sum.add_term(*exponents, coefficient);
        }
        sum
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for ([i, j], a) in &self.0 {
            for ([k, l], b) in &other.0 {
                product.add_term([i + k, j + l], &(a * b));
            }
        }
        product
    }
}

fn ten(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

/// A heart of degree 6 with 16 terms: (4 x² + 4 y² + y - 4)³ = 64 x² y³.
pub fn heart() -> Polynomial {
    let term = |c: i32, i, j| (BigInt::from(c), i, j);
    let ball = Polynomial::of(&[term(4, 2, 0), term(4, 0, 2), term(1, 0, 1), term(-4, 0, 0)]);
    let cube = &(&ball * &ball) * &ball;
    &cube + &Polynomial::of(&[term(-64, 2, 3)])
}

/// A spade of degree 8 with 25 terms and coefficients of more than 100 digits: a heart upside down times an ellipse for the
/// stem, less a little, so that the two outlines become one. Numbers have 25 digits behind the point.
pub fn spade() -> Polynomial {
    let decimals = |digits: i128| BigInt::from(digits);
    let ball = Polynomial::of(&[
        (ten(25), 2, 0),
        (ten(25), 0, 2),
        (decimals(1_183_098_861_837_906_715_377_675), 0, 1),
        (-decimals(7_978_845_608_028_653_558_798_921), 0, 0),
    ]);
    let cube = &(&ball * &ball) * &ball;
    let heart = &cube + &Polynomial::of(&[(ten(75), 2, 3)]);
    let stem = Polynomial::of(&[
        (decimals(9) * ten(26), 2, 0),
        (ten(26), 0, 2),
        (decimals(220_316_049_890_345_887_634_563_221), 0, 1),
        (decimals(107_141_592_653_589_793_238_462_643), 0, 0),
    ]);
    &(&heart * &stem) + &Polynomial::of(&[(-ten(99), 0, 0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curves_have_the_sizes_of_the_paper() {
        let (heart, spade) = (heart(), spade());
        assert_eq!((heart.degree(), heart.0.len()), (6, 16));
        assert_eq!((spade.degree(), spade.0.len()), (8, 25));
        assert!(spade.digits() > 100, "{}", spade.digits());
    }

    #[test]
    fn units_make_terms_of_one_degree() {
        let one = |i, j| (BigInt::from(1), i, j);
        let line = Polynomial::of(&[one(1, 0), one(0, 2), one(0, 0)]);
        let scaled: Vec<BigInt> = line.in_units(10).0.into_values().collect();
        assert_eq!(scaled, [100, 1, 10].map(BigInt::from));
    }
}

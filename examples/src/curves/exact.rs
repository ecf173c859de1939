//! The same intervals by numbers of any size from `num-bigint`, cell by cell, and the signs at the corners of cells.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::expansion::Derivative;
use super::loops::{CURVE, NEGATIVE, POSITIVE};
use super::polynomial::Polynomial;

/// A grid of cells in numbers of any size; the polynomial is in its units.
pub(super) struct Exact<'a> {
    cells: usize,
    polynomial: &'a Polynomial,
    /// The powers of each line.
    powers: Vec<Vec<BigInt>>,
}

impl<'a> Exact<'a> {
    pub(super) fn new(cells: usize, polynomial: &'a Polynomial) -> Exact<'a> {
        let of = |line: usize| {
            let at = BigInt::from(3 * (2 * line as i64 - cells as i64));
            let exponents = 0..=polynomial.degree() as u32;
            exponents.map(|exponent| at.pow(exponent)).collect()
        };
        Exact {
            cells,
            polynomial,
            powers: (0..=cells).map(of).collect(),
        }
    }

    /// No sum that comes up is farther from 0.
    pub(super) fn bound(&self) -> BigInt {
        let terms = self.polynomial.0.iter().map(|([i, j], coefficient)| {
            let [x, y] =
                [*i, *j].map(|e| BigInt::from(self.powers[self.cells][e].magnitude().clone()));
            BigInt::from(coefficient.magnitude().clone()) * x * y
        });
        terms.sum()
    }

    /// The power of an interval between two lines.
    fn power(&self, line: usize, exponent: usize) -> [BigInt; 2] {
        let (a, b) = (
            &self.powers[line][exponent],
            &self.powers[line + 1][exponent],
        );
        [a.min(b).clone(), a.max(b).clone()]
    }

    /// What interval arithmetic knows of a cell.
    pub(super) fn cell(&self, column: usize, row: usize) -> u8 {
        let (mut low, mut high) = (BigInt::from(0), BigInt::from(0));
        for ([i, j], coefficient) in &self.polynomial.0 {
            let (x, y) = (self.power(column, *i), self.power(row, *j));
            let products = x
                .iter()
                .flat_map(|x| y.iter().map(move |y| coefficient * x * y));
            let products: Vec<BigInt> = products.collect();
            low += products.iter().min().expect("four");
            high += products.iter().max().expect("four");
        }
        decided(&low, &high)
    }

    /// What the expansion about the middle of a cell knows of it.
    pub(super) fn about_the_middle(
        &self,
        derivatives: &[Derivative],
        column: usize,
        row: usize,
    ) -> u8 {
        let at = |line: usize| BigInt::from(3 * (2 * line as i64 + 1 - self.cells as i64));
        let degree = self.polynomial.degree() as u32;
        let [x, y] = [column, row].map(|line| -> Vec<BigInt> {
            (0..=degree)
                .map(|exponent| at(line).pow(exponent))
                .collect()
        });
        let zero = BigInt::from(0);
        let (mut low, mut high) = (zero.clone(), zero.clone());
        for derivative in derivatives {
            let terms = derivative.polynomial.0.iter();
            let value: BigInt = terms.map(|([i, j], c)| c * &x[*i] * &y[*j]).sum();
            match derivative.of {
                [0, 0] => {
                    low += &value;
                    high += &value;
                }
                [a, b] if a % 2 == 0 && b % 2 == 0 => {
                    low += (&value).min(&zero);
                    high += (&value).max(&zero);
                }
                _ => {
                    low += (&value).min(&-&value);
                    high += (&value).max(&-&value);
                }
            }
        }
        decided(&low, &high)
    }

    /// The sign of the polynomial where two lines cross.
    pub(super) fn sign(&self, column: usize, row: usize) -> Ordering {
        let terms = self.polynomial.0.iter();
        let terms = terms.map(|([i, j], c)| c * &self.powers[column][*i] * &self.powers[row][*j]);
        terms.sum::<BigInt>().cmp(&BigInt::from(0))
    }
}

/// What is known of a cell where the polynomial lies between two numbers.
fn decided(low: &BigInt, high: &BigInt) -> u8 {
    let zero = BigInt::from(0);
    match (low.cmp(&zero), high.cmp(&zero)) {
        (Ordering::Greater, _) => POSITIVE,
        (_, Ordering::Less) => NEGATIVE,
        _ => CURVE,
    }
}

//! A polynomial about the middle of a cell: how much each power of what lies between the middle and the sides adds.

use num_bigint::BigInt;

use super::polynomial::Polynomial;

/// From the middle of a cell to its sides.
pub(super) const REACH: u32 = 3;

/// A derivative of a polynomial, divided by its factorials and times the reach as often as it was derived: a polynomial
/// of the middle.
#[derive(Clone, Debug)]
pub(super) struct Derivative {
    /// How often, by x and by y.
    pub(super) of: [usize; 2],
    pub(super) polynomial: Polynomial,
}

/// All of them that are not 0, the polynomial itself first.
pub(super) fn derivatives(polynomial: &Polynomial) -> Vec<Derivative> {
    let degree = polynomial.degree();
    let orders = (0..=degree).flat_map(|sum| (0..=sum).map(move |a| [sum - a, a]));
    let derived = orders.map(|[a, b]| {
        let terms = polynomial.0.iter().filter(|([i, j], _)| *i >= a && *j >= b);
        let derived = terms.map(|([i, j], c)| {
            let reach = BigInt::from(REACH).pow((a + b) as u32);
            ([i - a, j - b], c * choose(*i, a) * choose(*j, b) * reach)
        });
        Derivative {
            of: [a, b],
            polynomial: Polynomial(derived.collect()),
        }
    });
    derived.filter(|d| !d.polynomial.0.is_empty()).collect()
}

fn choose(n: usize, k: usize) -> BigInt {
    (0..k).fold(BigInt::from(1), |product, i| product * (n - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_three_derivatives() {
        let square = Polynomial::of(&[(BigInt::from(1), 2, 0)]);
        let found = derivatives(&square);
        let orders: Vec<[usize; 2]> = found.iter().map(|d| d.of).collect();
        assert_eq!(orders, [[0, 0], [1, 0], [2, 0]]);
        // (m + 3 u)² = m² + 6 m u + 9 u²
        assert_eq!(found[1].polynomial.0[&[1, 0]], BigInt::from(6));
        assert_eq!(found[2].polynomial.0[&[0, 0]], BigInt::from(9));
        assert_eq!(choose(8, 3), BigInt::from(56));
    }
}

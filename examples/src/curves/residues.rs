//! Whole numbers by their remainders modulo several primes, and what the loop needs to tell their signs: digits in
//! mixed radix, whose places are 1, p0, p0 p1, ..

use anyhow::{Result, ensure};
use num_bigint::BigInt;

use super::loops::MOST;
use super::polynomial::Polynomial;

/// Primes below 2^16, and what follows from them.
#[derive(Clone, Debug)]
pub(super) struct Residues {
    /// Ascending, so that a digit of a lower place is a remainder of each higher one.
    pub(super) primes: Vec<u32>,
    /// Of prime `l` modulo prime `k > l`, at `l * r + k`.
    pub(super) inverses: Vec<u32>,
    /// The digits of the greatest number that is not negative.
    pub(super) half: Vec<u32>,
}

impl Residues {
    /// As few primes as tell all numbers from -`bound` to `bound` apart.
    pub(super) fn for_numbers_up_to(bound: &BigInt) -> Result<Residues> {
        let mut primes = Vec::new();
        let mut product = BigInt::from(1);
        let mut candidate = 1u32 << 16;
        while product <= BigInt::from(2) * bound {
            candidate -= 1;
            if is_prime(candidate) {
                ensure!(
                    primes.len() < MOST,
                    "numbers up to {bound} need more than {MOST} primes"
                );
                primes.push(candidate);
                product *= candidate;
            }
        }
        primes.reverse();
        let r = primes.len();
        let mut inverses = vec![0; r * r];
        for l in 0..r {
            for k in l + 1..r {
                inverses[l * r + k] = power(primes[l] % primes[k], primes[k] - 2, primes[k]);
            }
        }
        let mut half = Vec::new();
        let mut rest = (product - 1) / 2;
        for prime in &primes {
            half.push(remainder(&rest, *prime));
            rest /= *prime;
        }
        Ok(Residues {
            primes,
            inverses,
            half,
        })
    }

    /// The remainders of a number.
    pub(super) fn of(&self, number: &BigInt) -> Vec<u32> {
        self.primes.iter().map(|p| remainder(number, *p)).collect()
    }

    /// The remainders of all coefficients, one after the other.
    pub(super) fn coefficients(&self, polynomial: &Polynomial) -> Vec<u32> {
        polynomial.0.values().flat_map(|c| self.of(c)).collect()
    }
}

fn remainder(number: &BigInt, prime: u32) -> u32 {
    let rest = ((number % prime) + prime) % prime;
    rest.to_u32_digits().1.first().copied().unwrap_or(0)
}

fn is_prime(n: u32) -> bool {
    n > 1
        && (2..)
            .take_while(|d| d * d <= n)
            .all(|d| !n.is_multiple_of(d))
}

fn power(base: u32, exponent: u32, modulus: u32) -> u32 {
    let (mut result, mut square, mut rest) = (1u64, u64::from(base), exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square % u64::from(modulus);
        }
        square = square * square % u64::from(modulus);
        rest >>= 1;
    }
    result as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_primes_as_needed() {
        let six = Residues::for_numbers_up_to(&BigInt::from(2).pow(94)).unwrap();
        assert_eq!(six.primes.len(), 6);
        assert!(six.primes.is_sorted() && six.primes[5] == 65521);
        let [p, q] = [six.primes[1], six.primes[4]].map(u64::from);
        assert_eq!(p * u64::from(six.inverses[6 + 4]) % q, 1);
        assert!(Residues::for_numbers_up_to(&BigInt::from(2).pow(600)).is_err());
    }

    #[test]
    fn remainders_of_negative_numbers_are_not_negative() {
        let one = Residues::for_numbers_up_to(&BigInt::from(9)).unwrap();
        assert_eq!(one.of(&BigInt::from(-1)), [65520]);
        assert_eq!(one.half, [32760]);
    }
}

//! The binary BCH code of length 127, from its roots: GF(128), minimal polynomials, the generator, and words as bits.

use accrue::offload;
use anyhow::{Context, Result, ensure};

/// The length of a word.
pub const LENGTH: usize = 127;
/// The dimension of the code.
pub const DIMENSION: usize = 22;

/// x^7 + x^3 + 1, a primitive polynomial: its root `a` has 127 powers, which are all elements but 0.
const FIELD: u32 = 0b1000_1001;

/// A word: position `i` is bit `i % 64` of element `i / 64`.
pub type Word = [u64; 2];

/// Powers of `a`, and of each element which power it is.
struct Field {
    power: [u32; LENGTH],
    log: [usize; 128],
}

impl Field {
    fn new() -> Field {
        let (mut power, mut log) = ([0; LENGTH], [0; 128]);
        let mut element = 1;
        for (exponent, power) in power.iter_mut().enumerate() {
            *power = element;
            log[element as usize] = exponent;
            element <<= 1;
            if element & 128 != 0 {
                element ^= FIELD;
            }
        }
        Field { power, log }
    }

    fn times(&self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (0, _) | (_, 0) => 0,
            (a, b) => self.power[(self.log[a as usize] + self.log[b as usize]) % LENGTH],
        }
    }

    /// The polynomial over GF(2) whose roots are these powers of `a`, lowest coefficient first: the product of all
    /// x + a^e.
    fn polynomial(&self, exponents: &[usize]) -> Result<Vec<bool>> {
        let mut product = vec![1];
        for exponent in exponents {
            let root = self.power[*exponent];
            let mut next = vec![0; product.len() + 1];
            for (i, coefficient) in product.iter().enumerate() {
                next[i + 1] ^= coefficient;
                next[i] ^= self.times(*coefficient, root);
            }
            product = next;
        }
        ensure!(
            product.iter().all(|c| *c < 2),
            "the roots are no whole conjugacy classes"
        );
        Ok(product.iter().map(|c| *c == 1).collect())
    }
}

/// A BCH code.
#[derive(Clone, Debug)]
pub struct Code {
    /// Its generator, lowest coefficient first.
    pub generator: Vec<bool>,
    /// No two words differ in fewer places, by the BCH bound.
    pub designed: usize,
}

impl Code {
    /// The code of dimension 22: as many of a, a^2, a^3 .. are its roots, with their conjugates, as leave that dimension.
    ///
    /// # Errors
    ///
    /// If there is no such code.
    pub fn new() -> Result<Code> {
        let mut roots: Vec<usize> = Vec::new();
        let mut designed = 1;
        for exponent in 1..LENGTH {
            if !roots.contains(&exponent) {
                // The conjugates: a^e, a^2e, a^4e, ..
                let mut class = vec![exponent];
                let mut next = 2 * exponent % LENGTH;
                while next != exponent {
                    class.push(next);
                    next = 2 * next % LENGTH;
                }
                if roots.len() + class.len() > LENGTH - DIMENSION {
                    break;
                }
                roots.append(&mut class);
            }
            designed = exponent + 1;
        }
        ensure!(
            roots.len() == LENGTH - DIMENSION,
            "no BCH code of length {LENGTH} has the dimension {DIMENSION}"
        );
        Ok(Code {
            generator: Field::new().polynomial(&roots)?,
            designed,
        })
    }

    /// Words that span the subcode of dimension `k`: the generator times 1, x, x^2, ..
    pub fn basis(&self, k: usize) -> Vec<Word> {
        let shifted = |by: usize| {
            let mut word = [0; 2];
            for (i, _) in self.generator.iter().enumerate().filter(|(_, c)| **c) {
                word[(i + by) / 64] |= 1 << ((i + by) % 64);
            }
            word
        };
        (0..k).map(shifted).collect()
    }

    /// All words of the subcode of dimension `k`.
    ///
    /// # Errors
    ///
    /// If `k` is more than the code's dimension.
    pub fn words(&self, k: usize) -> Result<Vec<Word>> {
        let count = 1usize
            .checked_shl(k as u32)
            .filter(|_| k <= DIMENSION)
            .with_context(|| format!("the code has the dimension {DIMENSION}, not {k}"))?;
        let mut words = vec![[0; 2]; count];
        combine(&self.basis(k), &mut words);
        Ok(words)
    }
}

/// Word number `i` is the sum of the words of the basis that the bits of `i` name.
#[offload]
fn combine(basis: &[[u64; 2]], words: &mut [Word]) {
    for (i, word) in words.iter_mut().enumerate() {
        let (mut low, mut high) = (0, 0);
        for (bit, row) in basis.iter().enumerate() {
            if i >> bit & 1 == 1 {
                low ^= row[0];
                high ^= row[1];
            }
        }
        *word = [low, high];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_divides_what_it_must() {
        let code = Code::new().unwrap();
        assert_eq!(code.generator.len(), LENGTH - DIMENSION + 1);
        assert_eq!(code.designed, 47);
        // A cyclic code: its generator divides x^127 + 1.
        let mut rest = [false; LENGTH + 1];
        (rest[0], rest[LENGTH]) = (true, true);
        for top in (code.generator.len() - 1..=LENGTH).rev() {
            if rest[top] {
                for (i, c) in code.generator.iter().enumerate() {
                    rest[top + 1 - code.generator.len() + i] ^= c;
                }
            }
        }
        assert!(rest.iter().all(|c| !c));
    }

    #[test]
    fn words_are_sums_of_the_basis() {
        let code = Code::new().unwrap();
        let (basis, words) = (code.basis(3), code.words(3).unwrap());
        assert_eq!(words[0], [0; 2]);
        assert_eq!(
            words[5],
            [basis[0][0] ^ basis[2][0], basis[0][1] ^ basis[2][1]]
        );
        assert!(code.words(23).is_err());
    }
}

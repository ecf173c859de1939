//! What must hold of weights, whatever the code is: sums, symmetries, MacWilliams' identity, and a small code by hand.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use num_bigint::BigInt;

use accrue_examples::bch::{Code, LENGTH, Word};

type Bins = [[[u64; 128]; 128]; 128];

/// The pairs against the weights of the words.
pub(crate) fn pairs(k: usize, words: &[Word], weights: &[u64; 128], joint: &Bins) -> Result<()> {
    let all: u64 = joint.as_flattened().as_flattened().iter().sum();
    ensure!(all == 1 << (2 * k), "{all} pairs were counted, not 4^{k}");
    let mut common = 0u64;
    for i in 0..128 {
        let first: u64 = joint[i].as_flattened().iter().sum();
        let second: u64 = joint.iter().flat_map(|plane| plane[i]).sum();
        ensure!(
            first == weights[i] << k && second == first,
            "marginals: {first} and {second} pairs with a word of weight {i}, not {} times 2^{k}",
            weights[i]
        );
        ensure!(
            joint[0][i][0] == weights[i],
            "the word 0 has {} pairs with words of weight {i}, of which there are {}",
            joint[0][i][0],
            weights[i]
        );
        for j in 0..128 {
            for l in 0..128 {
                let count = joint[i][j][l];
                ensure!(
                    count == joint[j][i][l],
                    "pairs ({i}, {j}, {l}) and ({j}, {i}, {l}) are not as many"
                );
                common += l as u64 * count;
                if count == 0 {
                    continue;
                }
                // From (a, b) to (a, a + b) is one to one; a + b has the weight i + j - 2 l, and i - l in common with a.
                ensure!(
                    l <= i.min(j) && i + j - 2 * l < 128,
                    "no words are ({i}, {j}, {l})"
                );
                let sums = joint[i][i + j - 2 * l][i - l];
                ensure!(
                    count == sums,
                    "pairs ({i}, {j}, {l}) are {count}, and those of sums {sums}"
                );
            }
        }
    }
    // In a place where not all words are 0, half of them are 1.
    let places = (0..LENGTH)
        .filter(|p| words.iter().any(|w| bit(w, *p)))
        .count();
    let expected = (places as u64) << (2 * (k - 1));
    ensure!(
        common == expected,
        "common places are {common}, not {expected}"
    );
    Ok(())
}

fn bit(word: &Word, place: usize) -> bool {
    word[place / 64] >> (place % 64) & 1 == 1
}

/// The weights of the dual code by MacWilliams' identity: whole numbers that are not negative, of which the first are
/// known from the columns of the basis, and all together are 2^(127 - k). Returns how many words of the dual have weight 3.
pub(crate) fn macwilliams(basis: &[Word], weights: &[u64; 128]) -> Result<BigInt> {
    let k = basis.len();
    let mut dual = vec![BigInt::from(0); LENGTH + 1];
    for (weight, count) in weights.iter().enumerate().filter(|(_, c)| **c > 0) {
        for (sum, factor) in dual.iter_mut().zip(krawtchouk(weight)) {
            *sum += factor * *count;
        }
    }
    let words = BigInt::from(1) << k;
    for (weight, sum) in dual.iter_mut().enumerate() {
        let whole = &*sum / &words;
        ensure!(
            &whole * &words == *sum && whole >= BigInt::from(0),
            "the dual code would have {sum} / 2^{k} words of weight {weight}"
        );
        *sum = whole;
    }
    // A column says which words of the basis have a 1 in a place.
    let column = |place| -> Vec<bool> { basis.iter().map(|w| bit(w, place)).collect() };
    let columns: Vec<Vec<bool>> = (0..LENGTH).map(column).collect();
    let zeros = columns.iter().filter(|c| !c.contains(&true)).count();
    let pairs = (0..LENGTH).flat_map(|i| (0..i).map(move |j| (i, j)));
    let equal = pairs.filter(|(i, j)| columns[*i] == columns[*j]).count();
    for (weight, known) in [(0, 1), (1, zeros), (2, equal)] {
        ensure!(
            dual[weight] == BigInt::from(known),
            "the dual code has {known} words of weight {weight}, not {}",
            dual[weight]
        );
    }
    let all: BigInt = dual.iter().sum();
    ensure!(
        all == BigInt::from(1) << (LENGTH - k),
        "the dual code would have {all} words"
    );
    Ok(dual.swap_remove(3))
}

/// The coefficients of (1 - x)^i (1 + x)^(127 - i).
fn krawtchouk(i: usize) -> Vec<BigInt> {
    let mut product = vec![BigInt::from(1)];
    for n in 0..LENGTH {
        let mut next = product.clone();
        next.push(BigInt::from(0));
        for (at, coefficient) in product.iter().enumerate() {
            match n < i {
                true => next[at + 1] -= coefficient,
                false => next[at + 1] += coefficient,
            }
        }
        product = next;
    }
    product
}

/// The subcode of dimension `k` place by place: messages times the generator, and every pair counted by hand.
pub(crate) fn by_hand(code: &Code, k: usize, joint: &Bins) -> Result<()> {
    let word = |message: usize| {
        let mut places = [false; LENGTH];
        for shift in (0..k).filter(|bit| message >> bit & 1 == 1) {
            for (i, c) in code.generator.iter().enumerate() {
                places[shift + i] ^= c;
            }
        }
        places
    };
    let words: Vec<[bool; LENGTH]> = (0..1 << k).map(word).collect();
    let mut counted: HashMap<[usize; 3], u64> = HashMap::new();
    for a in &words {
        for b in &words {
            let (mut i, mut j, mut l) = (0, 0, 0);
            for (x, y) in a.iter().zip(b) {
                i += usize::from(*x);
                j += usize::from(*y);
                l += usize::from(*x && *y);
            }
            *counted.entry([i, j, l]).or_default() += 1;
        }
    }
    let filled = joint
        .as_flattened()
        .as_flattened()
        .iter()
        .filter(|c| **c > 0);
    ensure!(
        filled.count() == counted.len(),
        "other bins are filled than by hand"
    );
    for ([i, j, l], count) in counted {
        ensure!(
            joint[i][j][l] == count,
            "pairs ({i}, {j}, {l}) are {}, and {count} by hand",
            joint[i][j][l]
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn krawtchouk_polynomials_are_known() {
        let plain = krawtchouk(0);
        assert_eq!(
            (&plain[1], &plain[2]),
            (&BigInt::from(127), &BigInt::from(127 * 63))
        );
        assert_eq!(krawtchouk(1)[1], BigInt::from(125));
        assert_eq!(krawtchouk(127)[127], BigInt::from(-1));
    }

    #[test]
    fn one_pair_more_is_noticed() {
        let code = Code::new().unwrap();
        let words = code.words(4).unwrap();
        let (mut weights, mut joint) = ([0; 128], crate::loops::no_pairs());
        crate::loops::weights(&words, &mut weights);
        crate::loops::joint_weights(&words, &words, &mut joint);
        pairs(4, &words, &weights, &joint).unwrap();
        by_hand(&code, 4, &joint).unwrap();
        macwilliams(&code.basis(4), &weights).unwrap();
        weights[48] += 1;
        assert!(macwilliams(&code.basis(4), &weights).is_err());
        assert!(pairs(4, &words, &weights, &joint).is_err());
        joint[50][50][20] += 1;
        assert!(by_hand(&code, 4, &joint).is_err());
    }
}

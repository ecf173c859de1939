//! The loops of this example: powers of the grid's lines, and what is known of each cell, both by remainders.

// All that a loop reads is a parameter.
#![allow(clippy::too_many_arguments)]

use accrue::offload;

/// No number has more remainders.
pub(crate) const MOST: usize = 32;

/// What is known of a cell: the polynomial is positive in it, may be 0, is negative.
pub(crate) const POSITIVE: u8 = 0;
pub(crate) const CURVE: u8 = 1;
pub(crate) const NEGATIVE: u8 = 2;

/// The powers of all places along a side, exponents from 0 to `degree`, modulo each prime. Place `i` is at 3 (i - cells): lines
/// are at the even ones, the middles of cells between them.
#[offload]
pub(crate) fn powers(cells: usize, degree: usize, primes: &[u32], out: &mut [u32]) {
    let r = primes.len();
    for place in 0..2 * cells + 1 {
        for k in 0..r {
            let prime = primes[k] as i64;
            let at = 3 * (place as i64 - cells as i64);
            let base = (at % prime + prime) % prime;
            let mut power = 1;
            for exponent in 0..degree + 1 {
                out[place * (degree + 1) * r + exponent * r + k] = power as u32;
                power = power * base % prime;
            }
        }
    }
}

/// Interval arithmetic in every cell: each term lies between two products of powers of the cell's sides, and so does their
/// sum. Lines go through 0, so that no cell has both signs of x or of y.
#[offload]
pub(crate) fn classify(
    cells: usize,
    degree: usize,
    exponents: &[[u32; 2]],
    minus: &[bool],
    coefficients: &[u32],
    powers: &[u32],
    primes: &[u32],
    inverses: &[u32],
    half: &[u32],
    out: &mut [u8],
) {
    let r = primes.len();
    let stride = (degree + 1) * r;
    for row in 0..cells {
        for column in 0..cells {
            let (right, upper) = (2 * column >= cells, 2 * row >= cells);
            let mut low = [0u64; 32];
            let mut high = [0u64; 32];
            for t in 0..exponents.len() {
                let (i, j) = (exponents[t][0] as usize, exponents[t][1] as usize);
                // Where the powers are least and greatest, and whether they are negative.
                let falls_x = !right && i % 2 == 0;
                let falls_y = !upper && j % 2 == 0;
                let below_x = !right && i % 2 == 1;
                let below_y = !upper && j % 2 == 1;
                let least_x = if falls_x { column + 1 } else { column };
                let least_y = if falls_y { row + 1 } else { row };
                let most_x = if falls_x { column } else { column + 1 };
                let most_y = if falls_y { row } else { row + 1 };
                // The least product of the two, and the greatest; a negative coefficient exchanges them.
                let low_x = if below_y { most_x } else { least_x };
                let low_y = if below_x { most_y } else { least_y };
                let high_x = if below_y { least_x } else { most_x };
                let high_y = if below_x { least_y } else { most_y };
                let from_x = if minus[t] { high_x } else { low_x };
                let from_y = if minus[t] { high_y } else { low_y };
                let to_x = if minus[t] { low_x } else { high_x };
                let to_y = if minus[t] { low_y } else { high_y };
                for k in 0..r {
                    let prime = primes[k];
                    let c = coefficients[t * r + k];
                    let from = c * powers[2 * from_x * stride + i * r + k] % prime;
                    let to = c * powers[2 * to_x * stride + i * r + k] % prime;
                    low[k] += from as u64 * powers[2 * from_y * stride + j * r + k] as u64;
                    high[k] += to as u64 * powers[2 * to_y * stride + j * r + k] as u64;
                }
            }
            // The signs of both sums from their digits in mixed radix: beyond the half a number is negative, and the highest
            // place where the digits differ tells.
            let mut positive = false;
            let mut negative = false;
            for side in 0..2 {
                let mut digits = [0u32; 32];
                let mut zero = true;
                let mut beyond = false;
                for k in 0..r {
                    let prime = primes[k];
                    let sum = if side == 0 { low[k] } else { high[k] };
                    let mut digit = (sum % prime as u64) as u32;
                    for l in 0..k {
                        digit = (digit + prime - digits[l]) % prime * inverses[l * r + k] % prime;
                    }
                    digits[k] = digit;
                    if digit != 0 {
                        zero = false;
                    }
                    if digit != half[k] {
                        beyond = digit > half[k];
                    }
                }
                if side == 0 {
                    positive = !zero && !beyond;
                } else {
                    negative = beyond;
                }
            }
            out[row * cells + column] = if positive {
                0
            } else if negative {
                2
            } else {
                1
            };
        }
    }
}

/// The same by the polynomial's expansion about the middle of each cell that may have a zero: its value there, and as far
/// around it as all of its derivatives can add. Derivative `d` is the sum of the `parts` from `starts[d]` on: a coefficient
/// and the exponents that are left.
#[offload]
pub(crate) fn refine(
    cells: usize,
    degree: usize,
    starts: &[usize],
    even: &[bool],
    exponents: &[[u32; 2]],
    parts: &[u32],
    powers: &[u32],
    primes: &[u32],
    inverses: &[u32],
    half: &[u32],
    known: &mut [u8],
) {
    let r = primes.len();
    let stride = (degree + 1) * r;
    for row in 0..cells {
        for column in 0..cells {
            if known[row * cells + column] == 1 {
                let (x, y) = ((2 * column + 1) * stride, (2 * row + 1) * stride);
                let mut low = [0u64; 32];
                let mut high = [0u64; 32];
                let derivatives = even.len();
                let mut positive = false;
                let mut negative = false;
                // Behind the derivatives, the signs of both ends.
                for d in 0..derivatives + 2 {
                    let mut value = [0u64; 32];
                    if d < derivatives {
                        for part in starts[d]..starts[d + 1] {
                            let i = exponents[part][0] as usize;
                            let j = exponents[part][1] as usize;
                            for k in 0..r {
                                let of_x = parts[part * r + k] * powers[x + i * r + k] % primes[k];
                                value[k] += of_x as u64 * powers[y + j * r + k] as u64;
                            }
                        }
                    } else {
                        for k in 0..r {
                            value[k] = if d == derivatives { low[k] } else { high[k] };
                        }
                    }
                    let mut digits = [0u32; 32];
                    let mut zero = true;
                    let mut below = false;
                    for k in 0..r {
                        let prime = primes[k];
                        let mut digit = (value[k] % prime as u64) as u32;
                        for l in 0..k {
                            digit =
                                (digit + prime - digits[l]) % prime * inverses[l * r + k] % prime;
                        }
                        digits[k] = digit;
                        if digit != 0 {
                            zero = false;
                        }
                        if digit != half[k] {
                            below = digit > half[k];
                        }
                    }
                    if d == derivatives {
                        positive = !zero && !below;
                    } else if d > derivatives {
                        negative = below;
                    } else {
                        for k in 0..r {
                            let prime = primes[k] as u64;
                            let rest = value[k] % prime;
                            let size = if below { prime - rest } else { rest };
                            if d == 0 {
                                low[k] += rest;
                                high[k] += rest;
                            } else {
                                // Even powers of what lies around the middle are not negative.
                                if below || !even[d] {
                                    low[k] += prime - size;
                                }
                                if !below || !even[d] {
                                    high[k] += size;
                                }
                            }
                        }
                    }
                }
                if positive {
                    known[row * cells + column] = 0;
                } else if negative {
                    known[row * cells + column] = 2;
                }
            }
        }
    }
}

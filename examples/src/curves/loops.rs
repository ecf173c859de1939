//! The loops over cells: powers of the grid's lines, and what is known of each cell, by remainders. Each step of the study is the loop before it
//! with one thing done better.

// All that a loop reads is a parameter.
#![allow(clippy::too_many_arguments)]

use accrue::offload;

/// No number has more remainders. The loops' arrays have as many, written as a number: kernels do not know what a constant is.
pub(super) const MOST: usize = 32;

/// The polynomial is positive in a cell.
pub const POSITIVE: u8 = 0;
/// It may be 0 there.
pub const CURVE: u8 = 1;
/// It is negative there.
pub const NEGATIVE: u8 = 2;

/// The powers of all places along a side, exponents from 0 to `degree`, modulo each prime, places side by side. Place `i` is at
/// 3 (i - cells): lines are at the even ones, the middles of cells between them.
#[offload]
pub fn powers(cells: usize, degree: usize, primes: &[u32], out: &mut [u32]) {
    let (r, places) = (primes.len(), 2 * cells + 1);
    for place in 0..places {
        for k in 0..r {
            let prime = primes[k] as i64;
            let at = 3 * (place as i64 - cells as i64);
            let base = (at % prime + prime) % prime;
            let mut power = 1;
            for exponent in 0..degree + 1 {
                out[(exponent * r + k) * places + place] = power as u32;
                power = power * base % prime;
            }
        }
    }
}

/// Which sides of a cell x^i y^j has its extremes at, times a coefficient: x and y where it is least, x and y where it is greatest; 1 is the
/// right side, or the upper one. Lines go through 0, so that no cell has both signs of x or of y.
#[offload(device)]
pub fn sides(right: bool, upper: bool, i: u32, j: u32, minus: bool) -> [u32; 4] {
    // Where the powers fall from side to side, and where they are negative.
    let (odd_x, odd_y) = (i % 2 == 1, j % 2 == 1);
    let falls_x = !right && !odd_x;
    let falls_y = !upper && !odd_y;
    let below_x = !right && odd_x;
    let below_y = !upper && odd_y;
    let least_x = if falls_x { 1 } else { 0 };
    let least_y = if falls_y { 1 } else { 0 };
    // The least product of the two, and the greatest; a negative coefficient exchanges them.
    let low_x = if below_y { 1 - least_x } else { least_x };
    let low_y = if below_x { 1 - least_y } else { least_y };
    let high_x = if below_y { least_x } else { 1 - least_x };
    let high_y = if below_x { least_y } else { 1 - least_y };
    if minus {
        [high_x, high_y, low_x, low_y]
    } else {
        [low_x, low_y, high_x, high_y]
    }
}

/// A number modulo a prime between 2^15 and 2^16, by the prime's [`reciprocal`]: the quotient is right or 1 too small.
#[offload(device)]
pub fn rest(number: u32, prime: u32, reciprocal: u32) -> u32 {
    let quotient = ((number as u64 * reciprocal as u64) >> 47) as u32;
    let rest = number - quotient * prime;
    if rest >= prime { rest - prime } else { rest }
}

/// 2^47 divided by a prime.
pub fn reciprocal(prime: u32) -> u32 {
    ((1 << 47) / u64::from(prime)) as u32
}

/// Interval arithmetic in every cell: each term lies between two products of powers of the cell's sides, and so does their sum. Each cell
/// multiplies the powers together, with a remainder behind each product and sum.
#[offload(uses(sides))]
pub fn plain(
    cells: usize,
    exponents: &[[u32; 2]],
    minus: &[bool],
    coefficients: &[u32],
    powers: &[u32],
    primes: &[u32],
    inverses: &[u32],
    half: &[u32],
    out: &mut [u8],
) {
    let (r, places) = (primes.len(), 2 * cells + 1);
    for row in 0..cells {
        for column in 0..cells {
            let (right, upper) = (2 * column >= cells, 2 * row >= cells);
            // The digits of both ends in mixed radix: beyond the half a number is negative, and the highest place where digits differ tells.
            let mut low = [0u32; 32];
            let mut high = [0u32; 32];
            let mut zero = true;
            let mut below = false;
            let mut negative = false;
            for k in 0..r {
                let prime = primes[k];
                let mut least = 0u32;
                let mut most = 0u32;
                for t in 0..exponents.len() {
                    let [i, j] = exponents[t];
                    let at = sides(right, upper, i, j, minus[t]);
                    let (from_x, from_y) =
                        (2 * (column + at[0] as usize), 2 * (row + at[1] as usize));
                    let (to_x, to_y) = (2 * (column + at[2] as usize), 2 * (row + at[3] as usize));
                    let line = (r + k) * places;
                    let mut from = coefficients[t * r + k];
                    let mut to = from;
                    for _ in 0..i {
                        from = from * powers[line + from_x] % prime;
                        to = to * powers[line + to_x] % prime;
                    }
                    for _ in 0..j {
                        from = from * powers[line + from_y] % prime;
                        to = to * powers[line + to_y] % prime;
                    }
                    least = (least + from) % prime;
                    most = (most + to) % prime;
                }
                for l in 0..k {
                    let inverse = inverses[l * r + k];
                    least = (least + prime - low[l]) % prime * inverse % prime;
                    most = (most + prime - high[l]) % prime * inverse % prime;
                }
                low[k] = least;
                high[k] = most;
                if least != 0 {
                    zero = false;
                }
                if least != half[k] {
                    below = least > half[k];
                }
                if most != half[k] {
                    negative = most > half[k];
                }
            }
            out[row * cells + column] = if !zero && !below {
                POSITIVE
            } else if negative {
                NEGATIVE
            } else {
                CURVE
            };
        }
    }
}

/// The same with powers from the table of all lines.
#[offload(uses(sides))]
pub fn tables(
    cells: usize,
    exponents: &[[u32; 2]],
    minus: &[bool],
    coefficients: &[u32],
    powers: &[u32],
    primes: &[u32],
    inverses: &[u32],
    half: &[u32],
    out: &mut [u8],
) {
    let (r, places) = (primes.len(), 2 * cells + 1);
    for row in 0..cells {
        for column in 0..cells {
            let (right, upper) = (2 * column >= cells, 2 * row >= cells);
            // The digits of both ends in mixed radix: beyond the half a number is negative, and the highest place where digits differ tells.
            let mut low = [0u32; 32];
            let mut high = [0u32; 32];
            let mut zero = true;
            let mut below = false;
            let mut negative = false;
            for k in 0..r {
                let prime = primes[k];
                let mut least = 0u32;
                let mut most = 0u32;
                for t in 0..exponents.len() {
                    let [i, j] = exponents[t];
                    let at = sides(right, upper, i, j, minus[t]);
                    let (from_x, from_y) =
                        (2 * (column + at[0] as usize), 2 * (row + at[1] as usize));
                    let (to_x, to_y) = (2 * (column + at[2] as usize), 2 * (row + at[3] as usize));
                    let of_x = (i as usize * r + k) * places;
                    let of_y = (j as usize * r + k) * places;
                    let c = coefficients[t * r + k];
                    let from = c * powers[of_x + from_x] % prime * powers[of_y + from_y] % prime;
                    let to = c * powers[of_x + to_x] % prime * powers[of_y + to_y] % prime;
                    least = (least + from) % prime;
                    most = (most + to) % prime;
                }
                for l in 0..k {
                    let inverse = inverses[l * r + k];
                    least = (least + prime - low[l]) % prime * inverse % prime;
                    most = (most + prime - high[l]) % prime * inverse % prime;
                }
                low[k] = least;
                high[k] = most;
                if least != 0 {
                    zero = false;
                }
                if least != half[k] {
                    below = least > half[k];
                }
                if most != half[k] {
                    negative = most > half[k];
                }
            }
            out[row * cells + column] = if !zero && !below {
                POSITIVE
            } else if negative {
                NEGATIVE
            } else {
                CURVE
            };
        }
    }
}

/// And with one remainder for each sum, which 64 bits hold.
#[offload(uses(sides))]
pub fn late_remainders(
    cells: usize,
    exponents: &[[u32; 2]],
    minus: &[bool],
    coefficients: &[u32],
    powers: &[u32],
    primes: &[u32],
    inverses: &[u32],
    half: &[u32],
    out: &mut [u8],
) {
    let (r, places) = (primes.len(), 2 * cells + 1);
    for row in 0..cells {
        for column in 0..cells {
            let (right, upper) = (2 * column >= cells, 2 * row >= cells);
            // The digits of both ends in mixed radix: beyond the half a number is negative, and the highest place where digits differ tells.
            let mut low = [0u32; 32];
            let mut high = [0u32; 32];
            let mut zero = true;
            let mut below = false;
            let mut negative = false;
            for k in 0..r {
                let prime = primes[k];
                let mut low_sum = 0u64;
                let mut high_sum = 0u64;
                for t in 0..exponents.len() {
                    let [i, j] = exponents[t];
                    let at = sides(right, upper, i, j, minus[t]);
                    let (from_x, from_y) =
                        (2 * (column + at[0] as usize), 2 * (row + at[1] as usize));
                    let (to_x, to_y) = (2 * (column + at[2] as usize), 2 * (row + at[3] as usize));
                    let of_x = (i as usize * r + k) * places;
                    let of_y = (j as usize * r + k) * places;
                    let c = coefficients[t * r + k];
                    let from = c * powers[of_x + from_x] % prime;
                    let to = c * powers[of_x + to_x] % prime;
                    low_sum += from as u64 * powers[of_y + from_y] as u64;
                    high_sum += to as u64 * powers[of_y + to_y] as u64;
                }
                let mut least = (low_sum % prime as u64) as u32;
                let mut most = (high_sum % prime as u64) as u32;
                for l in 0..k {
                    let inverse = inverses[l * r + k];
                    least = (least + prime - low[l]) % prime * inverse % prime;
                    most = (most + prime - high[l]) % prime * inverse % prime;
                }
                low[k] = least;
                high[k] = most;
                if least != 0 {
                    zero = false;
                }
                if least != half[k] {
                    below = least > half[k];
                }
                if most != half[k] {
                    negative = most > half[k];
                }
            }
            out[row * cells + column] = if !zero && !below {
                POSITIVE
            } else if negative {
                NEGATIVE
            } else {
                CURVE
            };
        }
    }
}

/// And with the sides of each term from a table for the four quarters of the picture.
#[offload]
pub fn known_sides(
    cells: usize,
    exponents: &[[u32; 2]],
    sides: &[[u32; 4]],
    coefficients: &[u32],
    powers: &[u32],
    primes: &[u32],
    inverses: &[u32],
    half: &[u32],
    out: &mut [u8],
) {
    let (r, places) = (primes.len(), 2 * cells + 1);
    for row in 0..cells {
        for column in 0..cells {
            let right = if 2 * column >= cells { 1 } else { 0 };
            let upper = if 2 * row >= cells { 2 } else { 0 };
            let first = (right + upper) * exponents.len();
            // The digits of both ends in mixed radix: beyond the half a number is negative, and the highest place where digits differ tells.
            let mut low = [0u32; 32];
            let mut high = [0u32; 32];
            let mut zero = true;
            let mut below = false;
            let mut negative = false;
            for k in 0..r {
                let prime = primes[k];
                let mut low_sum = 0u64;
                let mut high_sum = 0u64;
                for t in 0..exponents.len() {
                    let [i, j] = exponents[t];
                    let at = sides[first + t];
                    let (from_x, from_y) =
                        (2 * (column + at[0] as usize), 2 * (row + at[1] as usize));
                    let (to_x, to_y) = (2 * (column + at[2] as usize), 2 * (row + at[3] as usize));
                    let of_x = (i as usize * r + k) * places;
                    let of_y = (j as usize * r + k) * places;
                    let c = coefficients[t * r + k];
                    let from = c * powers[of_x + from_x] % prime;
                    let to = c * powers[of_x + to_x] % prime;
                    low_sum += from as u64 * powers[of_y + from_y] as u64;
                    high_sum += to as u64 * powers[of_y + to_y] as u64;
                }
                let mut least = (low_sum % prime as u64) as u32;
                let mut most = (high_sum % prime as u64) as u32;
                for l in 0..k {
                    let inverse = inverses[l * r + k];
                    least = (least + prime - low[l]) % prime * inverse % prime;
                    most = (most + prime - high[l]) % prime * inverse % prime;
                }
                low[k] = least;
                high[k] = most;
                if least != 0 {
                    zero = false;
                }
                if least != half[k] {
                    below = least > half[k];
                }
                if most != half[k] {
                    negative = most > half[k];
                }
            }
            out[row * cells + column] = if !zero && !below {
                POSITIVE
            } else if negative {
                NEGATIVE
            } else {
                CURVE
            };
        }
    }
}

/// And with remainders by reciprocals.
#[offload(uses(rest))]
pub fn classify(
    cells: usize,
    exponents: &[[u32; 2]],
    sides: &[[u32; 4]],
    coefficients: &[u32],
    powers: &[u32],
    primes: &[u32],
    reciprocals: &[u32],
    inverses: &[u32],
    half: &[u32],
    out: &mut [u8],
) {
    let (r, places) = (primes.len(), 2 * cells + 1);
    for row in 0..cells {
        for column in 0..cells {
            let right = if 2 * column >= cells { 1 } else { 0 };
            let upper = if 2 * row >= cells { 2 } else { 0 };
            let first = (right + upper) * exponents.len();
            // The digits of both ends in mixed radix: beyond the half a number is negative, and the highest place where digits differ tells.
            let mut low = [0u32; 32];
            let mut high = [0u32; 32];
            let mut zero = true;
            let mut below = false;
            let mut negative = false;
            for k in 0..r {
                let prime = primes[k];
                let reciprocal = reciprocals[k];
                let mut low_sum = 0u64;
                let mut high_sum = 0u64;
                for t in 0..exponents.len() {
                    let [i, j] = exponents[t];
                    let at = sides[first + t];
                    let (from_x, from_y) =
                        (2 * (column + at[0] as usize), 2 * (row + at[1] as usize));
                    let (to_x, to_y) = (2 * (column + at[2] as usize), 2 * (row + at[3] as usize));
                    let of_x = (i as usize * r + k) * places;
                    let of_y = (j as usize * r + k) * places;
                    let c = coefficients[t * r + k];
                    let from = rest(c * powers[of_x + from_x], prime, reciprocal);
                    let to = rest(c * powers[of_x + to_x], prime, reciprocal);
                    low_sum += from as u64 * powers[of_y + from_y] as u64;
                    high_sum += to as u64 * powers[of_y + to_y] as u64;
                }
                // Sixteen bits of a sum behind the rest of it.
                let upper_low = rest((low_sum >> 16) as u32, prime, reciprocal) << 16;
                let upper_high = rest((high_sum >> 16) as u32, prime, reciprocal) << 16;
                let mut least = rest(upper_low | (low_sum as u32 & 0xffff), prime, reciprocal);
                let mut most = rest(upper_high | (high_sum as u32 & 0xffff), prime, reciprocal);
                for l in 0..k {
                    let inverse = inverses[l * r + k];
                    let below_low = if least < low[l] { prime } else { 0 };
                    let below_high = if most < high[l] { prime } else { 0 };
                    least = rest((least + below_low - low[l]) * inverse, prime, reciprocal);
                    most = rest((most + below_high - high[l]) * inverse, prime, reciprocal);
                }
                low[k] = least;
                high[k] = most;
                if least != 0 {
                    zero = false;
                }
                if least != half[k] {
                    below = least > half[k];
                }
                if most != half[k] {
                    negative = most > half[k];
                }
            }
            out[row * cells + column] = if !zero && !below {
                POSITIVE
            } else if negative {
                NEGATIVE
            } else {
                CURVE
            };
        }
    }
}

/// The same for some boxes of cells, each with its left column, its lower row, its width and its height. No box goes beyond a quarter.
#[offload(uses(rest))]
pub fn decide(
    cells: usize,
    boxes: &[[u32; 4]],
    exponents: &[[u32; 2]],
    sides: &[[u32; 4]],
    coefficients: &[u32],
    powers: &[u32],
    primes: &[u32],
    reciprocals: &[u32],
    inverses: &[u32],
    half: &[u32],
    out: &mut [u8],
) {
    let (r, places) = (primes.len(), 2 * cells + 1);
    for b in 0..boxes.len() {
        let [column, row, width, height] = boxes[b];
        let right = if 2 * column as usize >= cells { 1 } else { 0 };
        let upper = if 2 * row as usize >= cells { 2 } else { 0 };
        let first = (right + upper) * exponents.len();
        // The digits of both ends in mixed radix: beyond the half a number is negative, and the highest place where digits differ tells.
        let mut low = [0u32; 32];
        let mut high = [0u32; 32];
        let mut zero = true;
        let mut below = false;
        let mut negative = false;
        for k in 0..r {
            let prime = primes[k];
            let reciprocal = reciprocals[k];
            let mut low_sum = 0u64;
            let mut high_sum = 0u64;
            for t in 0..exponents.len() {
                let [i, j] = exponents[t];
                let at = sides[first + t];
                let (from_x, from_y) = (column + at[0] * width, row + at[1] * height);
                let (to_x, to_y) = (column + at[2] * width, row + at[3] * height);
                let of_x = (i as usize * r + k) * places;
                let of_y = (j as usize * r + k) * places;
                let c = coefficients[t * r + k];
                let from = rest(c * powers[of_x + 2 * from_x as usize], prime, reciprocal);
                let to = rest(c * powers[of_x + 2 * to_x as usize], prime, reciprocal);
                low_sum += from as u64 * powers[of_y + 2 * from_y as usize] as u64;
                high_sum += to as u64 * powers[of_y + 2 * to_y as usize] as u64;
            }
            // Sixteen bits of a sum behind the rest of it.
            let upper_low = rest((low_sum >> 16) as u32, prime, reciprocal) << 16;
            let upper_high = rest((high_sum >> 16) as u32, prime, reciprocal) << 16;
            let mut least = rest(upper_low | (low_sum as u32 & 0xffff), prime, reciprocal);
            let mut most = rest(upper_high | (high_sum as u32 & 0xffff), prime, reciprocal);
            for l in 0..k {
                let inverse = inverses[l * r + k];
                let below_low = if least < low[l] { prime } else { 0 };
                let below_high = if most < high[l] { prime } else { 0 };
                least = rest((least + below_low - low[l]) * inverse, prime, reciprocal);
                most = rest((most + below_high - high[l]) * inverse, prime, reciprocal);
            }
            low[k] = least;
            high[k] = most;
            if least != 0 {
                zero = false;
            }
            if least != half[k] {
                below = least > half[k];
            }
            if most != half[k] {
                negative = most > half[k];
            }
        }
        out[b] = if !zero && !below {
            POSITIVE
        } else if negative {
            NEGATIVE
        } else {
            CURVE
        };
    }
}

/// What is known of cells by the polynomial's expansion about the middle of each cell that may have a zero: its value there, and as far
/// around it as all of its derivatives can add. Derivative `d` is the sum of the `parts` from `starts[d]` on: a coefficient
/// and the exponents that are left.
#[offload]
pub fn refine(
    cells: usize,
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
    let places = 2 * cells + 1;
    for row in 0..cells {
        for column in 0..cells {
            if known[row * cells + column] == CURVE {
                let (x, y) = (2 * column + 1, 2 * row + 1);
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
                                let of_x = parts[part * r + k] * powers[(i * r + k) * places + x]
                                    % primes[k];
                                value[k] += of_x as u64 * powers[(j * r + k) * places + y] as u64;
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
                    known[row * cells + column] = POSITIVE;
                } else if negative {
                    known[row * cells + column] = NEGATIVE;
                }
            }
        }
    }
}

//! Pairs as floats of 16 bits: their units take one instruction for two values, at twice the rate of the integer pipe.
//!
//! ```text
//! around = x[at - 1] + x[at + 1] + x[at - w] + x[at + w] - 4 * x[at]        add, add, add, fma: of two iterations
//! (around as i32).abs().min(255)                                            abs, set, lop3
//! sum / 9                                                                   fma: (sum - 4) / 9 rounded to the nearest
//! ```
//!
//! The bits of a number `n` from 0 to 2048, taken as such a float, are `n * 2^-24`: those below 2^10 are subnormal, and up to 2^-13 floats lie one such unit
//! apart. So what is computed of integers from -2048 to 2048 is exact, and so is a product that is rounded to the nearest integer. A pair of numbers that
//! are not negative is its own pair of floats; one that may be is a float's sign and magnitude, and not `low + (high << 16)`.
//!
//! A sum may start with a number that moves its range to where it fits. Terms of a line that come in another line as well, such as the rows of a
//! separable filter, are added once for all rows that want them.

use accrue_ptx::value;
use accrue_ptx::writer::Reg;

use super::dots::Sum;
use super::emitter::Emitter;
use super::pairs::Range;
use super::schedule::Line;
use super::strips::Strip;

/// The largest magnitude up to which all integers are floats.
const MOST: i64 = 2048;

/// Terms of a line: how far each is behind the first, and its weight, such that the first one's is not negative and they have no common factor.
pub(super) type Pattern = Vec<(i32, i64)>;

/// A pair of floats to choose from: what is compared, and what is taken, whose signs may say nothing.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    pub(super) value: Reg,
    pub(super) taken: Reg,
}

/// Whether all values of a range are floats.
pub(super) fn fit((low, high): Range) -> bool {
    -MOST <= low && high <= MOST
}

/// How numbers are divided: one is taken off, what is left is multiplied by a float and rounded, and another one is added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quotient {
    pub(super) less: i64,
    factor: u16,
    more: i64,
}

impl Quotient {
    /// How those of a range are divided by a number, if they can be: found by trying all.
    pub(super) fn of((low, high): Range, by: i64) -> Option<Quotient> {
        if low < 0 || high > 2 * MOST || !(2..=MOST).contains(&by) {
            return None;
        }
        // The middle of a range that does not fit goes to 0.
        let more = match high <= MOST {
            true => 0,
            false => high / 2 / by,
        };
        let nearest = half_of(1.0 / by as f64);
        let ways = [(by - 1) / 2, by / 2].into_iter().flat_map(|off| {
            let factors = [nearest, nearest - 1, nearest + 1];
            factors.map(|factor| Quotient {
                less: off + by * more,
                factor,
                more,
            })
        });
        let right = |way: &Quotient| {
            (low..=high).all(|n| fit((n - way.less, n - way.less)) && way.quotient(n) == n / by)
        };
        ways.into_iter().find(right)
    }

    fn quotient(&self, n: i64) -> i64 {
        // All of it is exact in 64 bits.
        let all = (n - self.less) as f64 * float_of(self.factor) + self.more as f64;
        all.round_ties_even() as i64
    }
}

/// The float of 16 bits nearest to a number that is 0 or a normal one.
fn half_of(x: f64) -> u16 {
    if x == 0.0 {
        return 0;
    }
    let exponent = x.abs().log2().floor() as i32;
    let mantissa = (x.abs() * f64::powi(2.0, 10 - exponent)).round() as u16;
    let sign = u16::from(x < 0.0) << 15;
    // A mantissa that has become 2.0 carries into the exponent.
    sign | ((((exponent + 15) as u16) << 10) + (mantissa - (1 << 10)))
}

/// What a normal float of 16 bits is.
fn float_of(bits: u16) -> f64 {
    let mantissa = f64::from((bits & 0x3ff) | 0x400);
    mantissa * f64::powi(2.0, i32::from(bits >> 10) - 25)
}

/// Bits in both halves.
fn both(bits: u16) -> i64 {
    i64::from((u32::from(bits) * 0x1_0001) as i32)
}

/// A number as a pair of floats of its units.
fn units(n: i64) -> i64 {
    let sign = u16::from(n < 0) << 15;
    both(sign | n.unsigned_abs() as u16)
}

/// A number as a weight.
fn weight(n: i64) -> i64 {
    both(half_of(n as f64))
}

/// The pattern of a line's terms, and how many times it is there.
pub(super) fn pattern(terms: &[(i32, i64)]) -> (Pattern, i64) {
    let common = terms.iter().fold(0, |all, (_, w)| gcd(all, w.abs()));
    let common = if terms[0].1 < 0 { -common } else { common };
    let each = |(element, weight): &(i32, i64)| (element - terms[0].0, weight / common);
    (terms.iter().map(each).collect(), common)
}

/// The range of bytes with the weights of a pattern.
pub(super) fn range_of(pattern: &Pattern) -> Range {
    pattern.iter().fold((0, 0), |(low, high), (_, weight)| {
        (low + 0xff * weight.min(&0), high + 0xff * weight.max(&0))
    })
}

fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

impl<'a> Emitter<'a> {
    /// A number as a pair of floats.
    pub(super) fn half_number(&mut self, n: i64) -> Reg {
        value!(self.f(), "numbers", "mov.b32", units(n))
    }

    /// The sum of two pairs, or their difference.
    pub(super) fn half_sum(&mut self, a: Reg, b: Reg, minus: bool) -> Reg {
        let opcode = if minus { "sub.f16x2" } else { "add.f16x2" };
        value!(self.f(), "sums", opcode, a, b)
    }

    /// A pair times a number, and another one.
    pub(super) fn half_product(&mut self, a: Reg, by: i64, plus: Option<Reg>) -> Reg {
        let by = value!(self.f(), "weight", "mov.b32", weight(by));
        let plus = match plus {
            Some(plus) => plus,
            None => self.half_number(0),
        };
        value!(self.f(), "sums", "fma.rn.f16x2", a, by, plus)
    }

    /// Magnitudes: they are pairs of integers as well.
    pub(super) fn half_magnitudes(&mut self, a: Reg) -> Reg {
        value!(self.f(), "magnitudes", "abs.f16x2", a)
    }

    /// The lesser of two, or the larger.
    pub(super) fn half_extreme(&mut self, least: bool, [a, b]: [Chosen; 2]) -> Chosen {
        let compare = match least {
            true => "set.gt.u32.f16x2",
            false => "set.lt.u32.f16x2",
        };
        let f = self.f();
        let other = value!(f, "other", compare, a.value, b.value);
        // Of the second where it is the one, and else of the first.
        let mut choose = |a: Reg, b: Reg| value!(f, "extreme", "lop3.b32", a, b, other, 0xd8);
        let taken = choose(a.taken, b.taken);
        let same = a.taken == a.value && b.taken == b.value;
        let value = if same {
            taken
        } else {
            choose(a.value, b.value)
        };
        Chosen { value, taken }
    }

    /// Quotients of a sum, or of a pair.
    pub(super) fn half_quotients(&mut self, moved: Reg, way: Quotient) -> Reg {
        let factor = value!(self.f(), "factor", "mov.b32", both(way.factor));
        let more = self.half_number(way.more);
        value!(self.f(), "quotients", "fma.rn.f16x2", moved, factor, more)
    }

    /// A pair of floats, some of which may be negative, as a pair of integers.
    pub(super) fn half_integers(&mut self, a: Reg, negative: bool) -> Reg {
        let magnitudes = self.half_magnitudes(a);
        if !negative {
            return magnitudes;
        }
        let f = self.f();
        let signs = value!(f, "signs", "shr.u32", a, 15);
        let signs = value!(f, "signs", "and.b32", signs, 0x1_0001);
        let mask = value!(f, "mask", "mul.lo.u32", signs, 0xffff);
        let minus = value!(f, "minus", "and.b32", magnitudes, mask);
        value!(f, "integers", "mad.lo.u32", minus, -2, magnitudes)
    }

    /// A sum of two iterations whose values fit, or which is there for a moment only.
    pub(super) fn sum_by_halves(&mut self, strip: &mut Strip<'a>, sum: &Sum) -> Reg {
        if let Some(known) = sum.halves.get() {
            return known;
        }
        let number = sum.as_offset();
        let mut all = (number != 0).then(|| self.half_number(number));
        for (line, elements) in sum.by_lines() {
            let (pattern, common) = pattern(&elements);
            if fit(range_of(&pattern)) {
                let part = self.partial(strip, line, elements[0].0, pattern);
                all = Some(self.plus(all, part, common));
                continue;
            }
            for (element, weight) in elements {
                let pair = self.pair_at(strip, line, element);
                all = Some(self.plus(all, pair, weight));
            }
        }
        let all = match all {
            Some(all) => all,
            None => self.half_number(0),
        };
        sum.halves.set(Some(all));
        all
    }

    /// A sum so far and a pair so many times.
    fn plus(&mut self, all: Option<Reg>, pair: Reg, times: i64) -> Reg {
        match (all, times) {
            (None, 1) => pair,
            (Some(all), 1) => self.half_sum(all, pair, false),
            (Some(all), -1) => self.half_sum(all, pair, true),
            (all, _) => self.half_product(pair, times, all),
        }
    }

    /// Terms of a line, from an element on.
    pub(super) fn partial(
        &mut self,
        strip: &mut Strip<'a>,
        line: Line,
        from: i32,
        pattern: Pattern,
    ) -> Reg {
        let key = (line, from, pattern);
        if let Some(known) = strip.partials.get(&key) {
            return *known;
        }
        // Three integers are added at once.
        let integers = key.2.len() > 2 && key.2.iter().all(|(_, weight)| *weight == 1);
        let mut all = None;
        for (behind, weight) in &key.2 {
            let pair = self.pair_at(strip, line, from + behind);
            all = Some(match all {
                Some(all) if integers => value!(self.f(), "sums", "add.u32", all, pair),
                _ => self.plus(all, pair, *weight),
            });
        }
        let all = all.expect("lines have terms");
        strip.partials.insert(key, all);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Quotient, float_of, half_of};

    #[test]
    fn floats_of_16_bits() {
        for (x, bits) in [
            (0.0, 0),
            (1.0, 0x3c00),
            (-4.0, 0xc400),
            (0.5, 0x3800),
            (2047.0, 0x67ff),
        ] {
            assert_eq!(half_of(x), bits);
        }
        assert_eq!(half_of(1.0 / 9.0), 0x2f1c);
        assert_eq!(float_of(0x2f1c), 1820.0 / 16384.0);
        // The nearest has another exponent.
        assert_eq!(half_of(0.999_999), 0x3c00);
    }

    #[test]
    fn quotients_are_those_of_division() {
        let mut found = 0;
        for by in 2..300i64 {
            for most in [255, 510, 765, 1020, 1275, 2040, 2295, 4080] {
                let Some(way) = Quotient::of((0, most), by) else {
                    continue;
                };
                found += 1;
                for n in 0..=most {
                    assert!((n - way.less).abs() <= MOST);
                    assert_eq!(way.quotient(n), n / by, "{n} / {by}");
                }
            }
        }
        assert!(found > 1500, "{found}");
        assert!(Quotient::of((0, 2295), 9).is_some());
        assert!(Quotient::of((-1, 255), 9).is_none());
    }
}

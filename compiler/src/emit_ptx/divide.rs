//! Division by constants: a multiplication by `2^k / d`, rounded up, and a shift by `k`.
//!
//! With `f = ceil(2^k / d)` and `e = f * d - 2^k`, `x * f / 2^k` is `x / d + e * x / (d * 2^k)`: its floor is that of `x / d` as long as
//! `e * x < 2^k`. The least `k` for which that holds of the largest `x` is taken; what is known of the range keeps `f` small, often so
//! small that the product has room in a register. The assembler does not do this: it divides by way of a reciprocal.

use accrue_ptx::value;
use accrue_ptx::writer::{Class, Operand, Reg};

use super::arith::U32_MAX;
use super::emitter::Emitter;
use super::value::{Num, class};
use crate::ir::BinaryOp;

/// How a number of so many bits is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// By a shift.
    Shift(u32),
    /// The product fits: the factor, and the shift.
    Low(u64, u32),
    /// The high half of the product is shifted.
    High(u64, u32),
    /// The factor has a bit more than a register, which is left out: the dividend is added to the high half.
    Above(u64, u32),
}

impl Way {
    /// How numbers up to `most` are divided by `by`.
    fn of(by: u64, most: u64, bits: u32) -> Option<Way> {
        if by.is_power_of_two() {
            return Some(Way::Shift(by.trailing_zeros()));
        }
        let (by, most, end) = (u128::from(by), u128::from(most), 1u128 << bits);
        let fits = |k: &u32| {
            let factor = (1u128 << k) / by + 1;
            (factor * by - (1 << k)) * most < 1 << k
        };
        let k = (0..=(2 * bits).min(127)).find(fits)?;
        let factor = (1u128 << k) / by + 1;
        Some(match factor.checked_mul(most) {
            Some(product) if product < end => Way::Low(factor as u64, k),
            _ if k <= bits => Way::High((factor << (bits - k)) as u64, 0),
            _ if factor < end => Way::High(factor as u64, k - bits),
            _ => Way::Above((factor - end) as u64, k - bits),
        })
    }
}

/// The factor and the shift for numbers with a sign, whose quotients are rounded towards 0.
fn signed(by: u64, bits: u32) -> Option<(u64, u32)> {
    let (by, most) = (u128::from(by), 1u128 << (bits - 1));
    let factor = |k: u32| (1u128 << k) / by + 1;
    let k = (bits..2 * bits).find(|k| (factor(*k) * by - (1 << k)) * most < 1 << k)?;
    let factor = factor(k);
    (factor < 1 << bits).then_some((factor as u64, k - bits))
}

impl Emitter<'_> {
    /// `a / by` or `a % by` for a constant that is not 0; `None` where the instruction has to do it.
    pub(super) fn divide_by(
        &mut self,
        op: BinaryOp,
        a: Num,
        by: u64,
        max: Option<u64>,
    ) -> Option<Num> {
        let ty = a.ty;
        let narrow = ty.size() == 8 && !ty.is_signed() && a.is_narrow();
        let bits = match ty.size() {
            8 if !narrow => 64,
            _ => 32,
        };
        if a.constant().is_some() || bits == 32 && by > U32_MAX {
            return None;
        }
        let x = match narrow {
            true => self.low(a),
            false => self.wide(a),
        };
        let x = self.first_operand(x, if narrow { Class::B32 } else { class(ty) });
        let quotient = match a.max {
            Some(most) => {
                let most = if bits == 32 { most.min(U32_MAX) } else { most };
                let way = Way::of(by, most, bits)?;
                self.quotient(x, way, bits)
            }
            None => self.signed_quotient(x, by, bits)?,
        };
        let f = self.f();
        let reg = match op {
            BinaryOp::Div => quotient,
            _ => {
                let product = value!(f, "product", format!("mul.lo.u{bits}"), quotient, by as i64);
                value!(f, "remainder", format!("sub.u{bits}"), x, product)
            }
        };
        Some(match narrow {
            true => self.narrow_result(ty, reg, max.unwrap_or(U32_MAX)),
            false => self.result(ty, reg, max),
        })
    }

    fn quotient(&mut self, x: Operand, way: Way, bits: u32) -> Reg {
        let f = self.f();
        let shift = format!("shr.u{bits}");
        match way {
            Way::Shift(by) => value!(f, "quotient", shift, x, by),
            Way::Low(factor, by) => {
                let product = value!(f, "product", format!("mul.lo.u{bits}"), x, factor as i64);
                value!(f, "quotient", shift, product, by)
            }
            Way::High(factor, by) => {
                let high = value!(f, "high", format!("mul.hi.u{bits}"), x, factor as i64);
                match by {
                    0 => high,
                    _ => value!(f, "quotient", shift, high, by),
                }
            }
            Way::Above(factor, by) => {
                let high = value!(f, "high", format!("mul.hi.u{bits}"), x, factor as i64);
                // Half of what is missing first: the sum may have a bit more than a register.
                let rest = value!(f, "rest", format!("sub.u{bits}"), x, high);
                let half = value!(f, "half", shift.as_str(), rest, 1);
                let sum = value!(f, "sum", format!("add.u{bits}"), half, high);
                value!(f, "quotient", shift, sum, by - 1)
            }
        }
    }

    /// The quotient of a number that may be negative.
    fn signed_quotient(&mut self, x: Operand, by: u64, bits: u32) -> Option<Reg> {
        let (logical, signed_shift) = (format!("shr.u{bits}"), format!("shr.s{bits}"));
        if by == 1 {
            return None;
        }
        if by.is_power_of_two() {
            let by = by.trailing_zeros();
            if by >= bits - 1 {
                return None;
            }
            let f = self.f();
            // What is negative is rounded up.
            let sign = value!(f, "sign", signed_shift.as_str(), x, bits - 1);
            let up = value!(f, "up", logical, sign, bits - by);
            let sum = value!(f, "sum", format!("add.u{bits}"), up, x);
            return Some(value!(f, "quotient", signed_shift, sum, by));
        }
        let (factor, shift) = signed(by, bits)?;
        let f = self.f();
        let as_signed = match bits {
            32 => i64::from(factor as u32 as i32),
            _ => factor as i64,
        };
        let mut high = value!(f, "high", format!("mul.hi.s{bits}"), x, as_signed);
        if as_signed < 0 {
            high = value!(f, "high", format!("add.u{bits}"), high, x);
        }
        if shift > 0 {
            high = value!(f, "high", signed_shift, high, shift);
        }
        let sign = value!(f, "sign", logical, x, bits - 1);
        Some(value!(f, "quotient", format!("add.u{bits}"), high, sign))
    }
}

#[cfg(test)]
mod tests {
    use super::{Way, signed};

    fn divide(x: u64, way: Way, bits: u32) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        let high = |factor: u64| ((u128::from(x) * u128::from(factor)) >> bits) as u64;
        match way {
            Way::Shift(by) => x >> by,
            Way::Low(factor, by) => (x.wrapping_mul(factor) & mask) >> by,
            Way::High(factor, by) => high(factor) >> by,
            Way::Above(factor, by) => {
                let high = high(factor);
                (((x - high) >> 1) + high) >> (by - 1)
            }
        }
    }

    /// Numbers at which quotients change, and the ends.
    fn interesting(by: u64, most: u64) -> Vec<u64> {
        let times = [
            0,
            1,
            2,
            3,
            7,
            most / by / 2,
            (most / by).saturating_sub(1),
            most / by,
        ];
        let around = times.iter().flat_map(|n| {
            let at = n.saturating_mul(by);
            [at.saturating_sub(1), at, at.saturating_add(1)]
        });
        around
            .chain([most, most / 2])
            .filter(|x| *x <= most)
            .collect()
    }

    #[test]
    fn quotients_are_those_of_division() {
        let divisors = (1..600).chain([
            641,
            1000,
            65_535,
            65_537,
            1 << 20,
            0x7fff_ffff,
            0xffff_fffe,
            0xffff_ffff,
        ]);
        for by in divisors {
            for most in [
                1,
                9,
                254,
                255,
                256,
                2295,
                65_535,
                1 << 24,
                0x7fff_ffff,
                0xffff_ffff,
            ] {
                let way = Way::of(by, most, 32).expect("32 bits always have a way");
                for x in interesting(by, most) {
                    assert_eq!(
                        divide(x, way, 32),
                        x / by,
                        "{x} / {by} up to {most}: {way:?}"
                    );
                }
            }
            for most in [255, u64::from(u32::MAX) + 1, 1 << 40, u64::MAX] {
                let Some(way) = Way::of(by, most, 64) else {
                    continue;
                };
                for x in interesting(by, most) {
                    assert_eq!(
                        divide(x, way, 64),
                        x / by,
                        "{x} / {by} up to {most}: {way:?}"
                    );
                }
            }
            if by > 2 && !by.is_power_of_two() && by < 1 << 31 {
                let (factor, shift) = signed(by, 32).expect("a factor");
                for x in interesting(by, 1 << 31) {
                    for x in [-(x as i64), (x as i64).min(0x7fff_ffff)] {
                        let high = ((i128::from(x) * i128::from(factor)) >> 32) as i64;
                        let quotient = (high >> shift) + i64::from(x < 0);
                        assert_eq!(quotient, x / by as i64, "{x} / {by}");
                    }
                }
            }
        }
        assert_eq!(Way::of(9, 2295, 32), Some(Way::Low(1821, 14)));
    }
}

//! Exact arithmetic, rounded once: binary floating point of any of PTX's formats in any of its
//! rounding modes, for what the host's own arithmetic does not offer.
//!
//! A finite value is `mantissa * 2^exponent` with a 128-bit mantissa; an operation computes that
//! exactly, or exactly up to a sticky flag that says "and a little more", and [`round`] packs it.

/// A binary format of IEEE 754's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    exponent: u32,
    mantissa: u32,
}

pub(crate) const F16: Format = Format {
    exponent: 5,
    mantissa: 10,
};
pub(crate) const BF16: Format = Format {
    exponent: 8,
    mantissa: 7,
};
pub(crate) const F32: Format = Format {
    exponent: 8,
    mantissa: 23,
};
pub(crate) const F64: Format = Format {
    exponent: 11,
    mantissa: 52,
};

impl Format {
    fn bits(self) -> u32 {
        1 + self.exponent + self.mantissa
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    /// The NaN that operations give: for up to 32 bits all ones without the sign.
    pub(crate) fn nan(self) -> u64 {
        match self.bits() {
            64 => self.infinity() | 1 << (self.mantissa - 1),
            n => (1 << (n - 1)) - 1,
        }
    }

    fn signed(self, negative: bool, magnitude: u64) -> u64 {
        magnitude | u64::from(negative) << (self.bits() - 1)
    }

    /// Exponent of the least normal number.
    fn least(self) -> i32 {
        2 - (1 << (self.exponent - 1))
    }

    pub(crate) fn is_nan(self, bits: u64) -> bool {
        bits & (self.signed(true, 0) - 1) > self.infinity()
    }
}

/// `.rn`, `.rz`, `.rm`, `.rp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    Near,
    Zero,
    Down,
    Up,
}

/// A number taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Nan,
    Infinite(bool),
    /// Sign, mantissa, exponent; zero has mantissa zero.
    Finite(bool, u128, i32),
}

/// Takes apart the bits of a number.
pub(crate) fn unpack(bits: u64, f: Format) -> Value {
    let negative = bits >> (f.bits() - 1) & 1 == 1;
    let magnitude = bits & (f.signed(true, 0) - 1);
    if magnitude > f.infinity() {
        return Value::Nan;
    }
    if magnitude == f.infinity() {
        return Value::Infinite(negative);
    }
    let fraction = u128::from(magnitude & ((1 << f.mantissa) - 1));
    let biased = (magnitude >> f.mantissa) as i32;
    let exponent = biased.max(1) - 1 + f.least() - f.mantissa as i32;
    let hidden = if biased == 0 { 0 } else { 1u128 << f.mantissa };
    Value::Finite(negative, fraction | hidden, exponent)
}

fn rounds_up(
    mode: Round,
    negative: bool,
    odd: bool,
    half: std::cmp::Ordering,
    exact: bool,
) -> bool {
    use std::cmp::Ordering::*;
    match mode {
        Round::Near => half == Greater || half == Equal && odd,
        Round::Zero => false,
        Round::Down => negative && !exact,
        Round::Up => !negative && !exact,
    }
}

/// Rounds `man * 2^shift` to an integer, `sticky` standing for a little more; the magnitude only.
pub(crate) fn to_integer(
    negative: bool,
    man: u128,
    exp: i32,
    sticky: bool,
    mode: Round,
) -> Option<u128> {
    if exp >= 0 {
        return (man == 0 || exp as u32 <= man.leading_zeros()).then(|| man << exp);
    }
    let shift = exp.unsigned_abs();
    let (kept, rest, half) = match shift {
        1..=127 => (man >> shift, man & ((1 << shift) - 1), 1u128 << (shift - 1)),
        128 => (0, man, 1 << 127),
        // Far below one half.
        _ => (0, u128::from(man != 0), 2),
    };
    let exact = rest == 0 && !sticky;
    let order = rest.cmp(&half).then(if sticky {
        std::cmp::Ordering::Greater
    } else {
        std::cmp::Ordering::Equal
    });
    Some(kept + u128::from(rounds_up(mode, negative, kept & 1 == 1, order, exact)))
}

/// Packs `man * 2^exp`, `sticky` standing for a little more of it, into `f`.
pub(crate) fn round(
    negative: bool,
    man: u128,
    exp: i32,
    sticky: bool,
    f: Format,
    mode: Round,
) -> u64 {
    if man == 0 && !sticky {
        return f.signed(negative, 0);
    }
    let top = exp + 127 - man.leading_zeros() as i32;
    // The exponent of the result's last bit.
    let last = top.max(f.least()) - f.mantissa as i32;
    let kept =
        to_integer(negative, man, exp - last, sticky, mode).expect("at most 53 bits are kept");
    let step = (last + f.mantissa as i32 - f.least()) as u64;
    let magnitude = u128::from(step) << f.mantissa;
    let magnitude = magnitude + kept;
    if magnitude >= u128::from(f.infinity()) {
        let stays = match mode {
            Round::Near => false,
            Round::Zero => true,
            Round::Down => !negative,
            Round::Up => negative,
        };
        return f.signed(negative, f.infinity() - u64::from(stays));
    }
    f.signed(negative, magnitude as u64)
}

/// Another format, or the same one.
pub(crate) fn convert(bits: u64, from: Format, to: Format, mode: Round) -> u64 {
    match unpack(bits, from) {
        Value::Nan => to.nan(),
        Value::Infinite(s) => to.signed(s, to.infinity()),
        Value::Finite(s, m, e) => round(s, m, e, false, to, mode),
    }
}

/// Rounds to an integer in the same format; the sign of zero is kept.
pub(crate) fn integral(bits: u64, f: Format, mode: Round) -> u64 {
    match unpack(bits, f) {
        Value::Nan => f.nan(),
        Value::Infinite(_) => bits,
        Value::Finite(_, _, e) if e >= 0 => bits,
        Value::Finite(s, m, e) => {
            let n = to_integer(s, m, e, false, mode).unwrap_or(0);
            round(s, n, 0, false, f, Round::Near)
        }
    }
}

/// Sum of two finite values, exactly up to the sticky flag.
fn sum(x: (bool, u128, i32), y: (bool, u128, i32), f: Format, mode: Round) -> u64 {
    let zero = |s: bool| f.signed(s, 0);
    if x.1 == 0 && y.1 == 0 {
        // Equal signs keep theirs; otherwise zero is positive, except rounding down.
        return zero(if x.0 == y.0 { x.0 } else { mode == Round::Down });
    }
    if x.1 == 0 {
        return round(y.0, y.1, y.2, false, f, mode);
    }
    if y.1 == 0 {
        return round(x.0, x.1, x.2, false, f, mode);
    }
    // Both get their top bit to place 125: a carry fits, and what falls off the smaller one lies
    // far below any rounding position, or nothing falls off.
    let normal = |v: (bool, u128, i32)| {
        let up = v.1.leading_zeros() as i32 - 2;
        if up >= 0 {
            (v.0, v.1 << up, v.2 - up)
        } else {
            (v.0, v.1 >> -up, v.2 - up)
        }
    };
    let (x, y) = (normal(x), normal(y));
    let (big, small) = if (x.2, x.1) >= (y.2, y.1) {
        (x, y)
    } else {
        (y, x)
    };
    let down = (big.2 - small.2) as u32;
    let (part, sticky) = match down {
        0..=127 => (small.1 >> down, small.1 & ((1 << down) - 1) != 0),
        _ => (0, true),
    };
    if big.0 == small.0 {
        return round(big.0, big.1 + part, big.2, sticky, f, mode);
    }
    // "A little more" of the smaller is a little less of the difference.
    let difference = big.1 - part - u128::from(sticky);
    if difference == 0 && !sticky {
        return zero(mode == Round::Down);
    }
    round(big.0, difference, big.2, sticky, f, mode)
}

/// `a + b`.
pub(crate) fn add(a: u64, b: u64, f: Format, mode: Round) -> u64 {
    match (unpack(a, f), unpack(b, f)) {
        (Value::Nan, _) | (_, Value::Nan) => f.nan(),
        (Value::Infinite(s), Value::Infinite(t)) if s != t => f.nan(),
        (Value::Infinite(s), _) | (_, Value::Infinite(s)) => f.signed(s, f.infinity()),
        (Value::Finite(s, m, e), Value::Finite(t, n, g)) => sum((s, m, e), (t, n, g), f, mode),
    }
}

/// `a * b`.
pub(crate) fn mul(a: u64, b: u64, f: Format, mode: Round) -> u64 {
    match (unpack(a, f), unpack(b, f)) {
        (Value::Nan, _) | (_, Value::Nan) => f.nan(),
        (Value::Infinite(s), Value::Infinite(t)) => f.signed(s != t, f.infinity()),
        (Value::Infinite(s), Value::Finite(t, m, _))
        | (Value::Finite(t, m, _), Value::Infinite(s)) => {
            if m == 0 {
                f.nan()
            } else {
                f.signed(s != t, f.infinity())
            }
        }
        (Value::Finite(s, m, e), Value::Finite(t, n, g)) => {
            round(s != t, m * n, e + g, false, f, mode)
        }
    }
}

/// `a * b + c`, rounded once.
pub(crate) fn fma(a: u64, b: u64, c: u64, f: Format, mode: Round) -> u64 {
    let (x, y, z) = (unpack(a, f), unpack(b, f), unpack(c, f));
    let product = match (x, y) {
        (Value::Nan, _) | (_, Value::Nan) => return f.nan(),
        (Value::Infinite(s), Value::Infinite(t)) => Value::Infinite(s != t),
        (Value::Infinite(s), Value::Finite(t, m, _))
        | (Value::Finite(t, m, _), Value::Infinite(s)) => {
            if m == 0 {
                return f.nan();
            }
            Value::Infinite(s != t)
        }
        (Value::Finite(s, m, e), Value::Finite(t, n, g)) => Value::Finite(s != t, m * n, e + g),
    };
    match (product, z) {
        (_, Value::Nan) | (Value::Nan, _) => f.nan(),
        (Value::Infinite(s), Value::Infinite(t)) if s != t => f.nan(),
        (Value::Infinite(s), _) | (_, Value::Infinite(s)) => f.signed(s, f.infinity()),
        (Value::Finite(s, m, e), Value::Finite(t, n, g)) => sum((s, m, e), (t, n, g), f, mode),
    }
}

/// `a / b`.
pub(crate) fn div(a: u64, b: u64, f: Format, mode: Round) -> u64 {
    match (unpack(a, f), unpack(b, f)) {
        (Value::Nan, _) | (_, Value::Nan) => f.nan(),
        (Value::Infinite(_), Value::Infinite(_)) => f.nan(),
        (Value::Infinite(s), Value::Finite(t, ..)) => f.signed(s != t, f.infinity()),
        (Value::Finite(s, ..), Value::Infinite(t)) => f.signed(s != t, 0),
        (Value::Finite(_, 0, _), Value::Finite(_, 0, _)) => f.nan(),
        (Value::Finite(s, ..), Value::Finite(t, 0, _)) => f.signed(s != t, f.infinity()),
        (Value::Finite(s, 0, _), Value::Finite(t, ..)) => f.signed(s != t, 0),
        (Value::Finite(s, m, e), Value::Finite(t, n, g)) => {
            let up = m.leading_zeros();
            let (q, rest) = ((m << up) / n, (m << up) % n);
            round(s != t, q, e - up as i32 - g, rest != 0, f, mode)
        }
    }
}

/// The square root.
pub(crate) fn sqrt(a: u64, f: Format, mode: Round) -> u64 {
    match unpack(a, f) {
        Value::Nan | Value::Infinite(true) => f.nan(),
        Value::Infinite(false) => a,
        Value::Finite(_, 0, _) => a,
        Value::Finite(true, ..) => f.nan(),
        Value::Finite(false, m, e) => {
            let mut up = m.leading_zeros() as i32 - 2;
            up += (e - up) & 1;
            let wide = m << up;
            let root = wide.isqrt();
            round(false, root, (e - up) / 2, root * root != wide, f, mode)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Random bits with many zeros, infinities, subnormals and neighbours among them.
    fn operand(rng: &mut Rng) -> u64 {
        let r = rng.next();
        match r % 8 {
            0 => {
                [0, 1 << 63, f64::INFINITY.to_bits(), 1, f64::MAX.to_bits()][(r >> 8) as usize % 5]
            }
            1 => (r >> 12) & 0xf_ffff_ffff_ffff,
            2 => (1023 << 52) + (r >> 60),
            _ => rng.next(),
        }
    }

    fn same64(got: u64, want: f64) -> bool {
        got == want.to_bits() || F64.is_nan(got) && want.is_nan()
    }

    fn same32(got: u64, want: f32) -> bool {
        got == u64::from(want.to_bits()) || F32.is_nan(got) && want.is_nan()
    }

    #[test]
    fn round_to_nearest_is_the_hosts_arithmetic() {
        let mut rng = Rng::new(1);
        for _ in 0..20_000 {
            let (a, b, c) = (operand(&mut rng), operand(&mut rng), operand(&mut rng));
            let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
            let n = Round::Near;
            assert!(same64(add(a, b, F64, n), x + y), "{x:e} + {y:e}");
            assert!(same64(mul(a, b, F64, n), x * y), "{x:e} * {y:e}");
            assert!(same64(div(a, b, F64, n), x / y), "{x:e} / {y:e}");
            assert!(same64(sqrt(a, F64, n), x.sqrt()), "sqrt {x:e}");
            assert!(
                same64(fma(a, b, c, F64, n), x.mul_add(y, z)),
                "{x:e} * {y:e} + {z:e}"
            );
            assert!(same32(convert(a, F64, F32, n), x as f32), "{x:e} as f32");
            let (a, b, c) = (a >> 32, b >> 32, c >> 32);
            let (x, y, z) = (
                f32::from_bits(a as u32),
                f32::from_bits(b as u32),
                f32::from_bits(c as u32),
            );
            assert!(same32(add(a, b, F32, n), x + y), "{x:e} + {y:e}");
            assert!(same32(mul(a, b, F32, n), x * y), "{x:e} * {y:e}");
            assert!(same32(div(a, b, F32, n), x / y), "{x:e} / {y:e}");
            assert!(same32(sqrt(a, F32, n), x.sqrt()), "sqrt {x:e}");
            assert!(
                same32(fma(a, b, c, F32, n), x.mul_add(y, z)),
                "{x:e} * {y:e} + {z:e}"
            );
            assert!(
                same64(convert(a, F32, F64, n), f64::from(x)),
                "{x:e} as f64"
            );
        }
    }

    #[test]
    fn directed_rounding_brackets_the_exact_value() {
        let mut rng = Rng::new(2);
        for _ in 0..20_000 {
            let (a, b) = (operand(&mut rng) >> 32, operand(&mut rng) >> 32);
            let exact = f64::from(f32::from_bits(a as u32)) * f64::from(f32::from_bits(b as u32));
            if exact.is_nan() || exact.is_infinite() {
                continue;
            }
            // The product of two f32 is exact in f64.
            let at = |m| f64::from(f32::from_bits(mul(a, b, F32, m) as u32));
            let (down, up, zero) = (at(Round::Down), at(Round::Up), at(Round::Zero));
            assert!(down <= exact && exact <= up, "{down:e} {exact:e} {up:e}");
            assert_eq!(zero, if exact < 0.0 { up } else { down });
            let next = f32::from_bits(mul(a, b, F32, Round::Down) as u32).next_up();
            assert!(exact == down || f64::from(next) == up);
        }
    }

    #[test]
    fn halves_convert_both_ways() {
        for bits in 0..=0xffffu64 {
            let wide = convert(bits, F16, F32, Round::Near);
            if !F16.is_nan(bits) {
                assert_eq!(convert(wide, F32, F16, Round::Zero), bits);
            } else {
                assert_eq!(convert(wide, F32, F16, Round::Near), 0x7fff);
            }
        }
        let half = |x: f32| convert(u64::from(x.to_bits()), F32, F16, Round::Near);
        assert_eq!(half(65504.0), 0x7bff);
        assert_eq!(half(65520.0), 0x7c00);
        assert_eq!(half(5.960_464_5e-8), 1);
        assert_eq!(half(2.980_232_2e-8), 0);
        assert_eq!(
            convert(u64::from(1.003_906_3f32.to_bits()), F32, BF16, Round::Near),
            0x3f80
        );
    }
}

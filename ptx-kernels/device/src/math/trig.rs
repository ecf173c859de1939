//! Sine, cosine and tangent: our own argument reduction around libm's polynomials.
//!
//! libm's reduction keeps its digits of 2/π in local arrays, half a kilobyte of stack per thread on a GPU, and takes
//! a thousand lines of PTX. Here up to 2^28 the multiple of π/2 is subtracted by fused multiply-adds (Cody and Waite,
//! exact in three terms), and above it 192 bits of the right place of 2/π are multiplied by the significand (Payne
//! and Hanek). Both give the rest as an unevaluated sum `hi + lo`. `f32` goes through `f64`.

use core::f64::consts::FRAC_PI_4;

/// π/2 as a sum of three `f64`, largest first.
const PI_2: [f64; 3] = [
    core::f64::consts::FRAC_PI_2,
    6.123_233_995_736_766e-17,
    -1.497_384_904_859_169_8e-33,
];

/// The first 1216 binary digits of 2/π after one word of zeros.
const TWO_OVER_PI: [u64; 20] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// `quadrant · π/2 + hi + lo`, where `|hi|` is at most π/4 and 2^-24, and `|lo|` at most half an ulp of `hi`.
#[derive(Clone, Copy)]
struct Reduced {
    /// Modulo 4.
    quadrant: u32,
    hi: f64,
    lo: f64,
}

#[inline(always)]
fn reduce(x: f64) -> Reduced {
    let size = x.abs();
    if size <= FRAC_PI_4 {
        // A `lo` of -0.0 keeps the sign of zero through the sums below.
        return Reduced {
            quadrant: 0,
            hi: x,
            lo: -0.0,
        };
    }
    if size < 268_435_456.0 {
        return reduce_medium(x);
    }
    if size < f64::INFINITY {
        return reduce_large(x);
    }
    // Infinities and NaN: a `lo` that makes every sum below NaN.
    Reduced {
        quadrant: 0,
        hi: 0.0,
        lo: f64::NAN,
    }
}

/// For `|x| < 2^28`.
#[inline(always)]
fn reduce_medium(x: f64) -> Reduced {
    // Adding 1.5 · 2^52 rounds to an integer, whose low bits are then those of the sum.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let shifted = x * core::f64::consts::FRAC_2_PI + ROUND;
    let n = shifted - ROUND;
    // The first difference is exact: it is a multiple of 2^-53 and smaller than one.
    let rest = libm::fma(-n, PI_2[0], x);
    let p = n * PI_2[1];
    let error = libm::fma(n, PI_2[1], -p);
    let hi = rest - p;
    let lo = ((rest - hi) - p) - error - n * PI_2[2];
    let sum = hi + lo;
    Reduced {
        quadrant: shifted.to_bits() as u32 & 3,
        hi: sum,
        lo: lo - (sum - hi),
    }
}

/// For finite `|x| >= 2^28`.
#[inline(always)]
fn reduce_large(x: f64) -> Reduced {
    let bits = x.to_bits();
    let significand = (bits & ((1 << 52) - 1)) | 1 << 52;
    let exponent = ((bits >> 52) & 0x7ff) as u32; // |x| = significand · 2^(exponent - 1075), exponent >= 1051
    // Digits of 2/π of weight above 2^(1077 - exponent) contribute multiples of four quarter turns: start below them.
    let start = exponent + 62 - 1075;
    let digits = |i: u32| {
        let at = (start / 64 + i) as usize;
        let shift = start % 64;
        // SAFETY: exponent is at most 2046, so at + 1 is at most 1033 / 64 + 3 = 19.
        let (high, low) = unsafe {
            (
                *TWO_OVER_PI.get_unchecked(at),
                *TWO_OVER_PI.get_unchecked(at + 1),
            )
        };
        if shift == 0 {
            high
        } else {
            high << shift | low >> (64 - shift)
        }
    };
    let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let low = wide(significand, digits(2)) >> 64;
    let middle = wide(significand, digits(1)) + low;
    let high = significand
        .wrapping_mul(digits(0))
        .wrapping_add((middle >> 64) as u64);

    // Quarter turns are the top two bits; the fraction below them is rounded to the nearest.
    let mut quadrant = (high >> 62) as u32;
    let mut fraction = (u128::from(high) << 64 | u128::from(middle as u64)) << 2;
    let mut negative = x < 0.0;
    let above_half = fraction >> 127 == 1;
    if above_half {
        quadrant += 1;
        fraction = fraction.wrapping_neg();
    }
    if negative {
        quadrant = quadrant.wrapping_neg();
    }
    negative ^= above_half;

    let zeros = fraction.leading_zeros();
    let fraction = fraction << (zeros & 127);
    let top = (fraction >> 64) as u64;
    let hi = (top & !0x7ff) as f64;
    let lo = (top << 53 | fraction as u64 >> 11) as f64 * f64::EPSILON / 2.0;
    let scale = f64::from_bits(u64::from(1023 - 64 - zeros) << 52);
    let (hi, lo) = if negative {
        (-hi * scale, -lo * scale)
    } else {
        (hi * scale, lo * scale)
    };

    let product = hi * PI_2[0];
    let rest = libm::fma(hi, PI_2[0], -product) + (hi * PI_2[1] + lo * PI_2[0]);
    let sum = product + rest;
    Reduced {
        quadrant: quadrant & 3,
        hi: sum,
        lo: rest - (sum - product),
    }
}

/// A reduced `x` as it is. The minimum changes nothing; from it the compiler knows what libm's functions ask first,
/// whether the high word is at most that of π/4, and leaves nothing of libm's own reduction.
#[inline(always)]
fn reduced(x: f64) -> f64 {
    let (high, low) = ((x.to_bits() >> 32) as u32, x.to_bits() as u32);
    // This high word also stands for what lies up to 3e-7 above π/4, further than `reduce` goes.
    let size = (high & 0x7fff_ffff).min(0x3fe9_21fb);
    f64::from_bits(u64::from(high & 0x8000_0000 | size) << 32 | u64::from(low))
}

#[inline(always)]
fn sin_reduced(r: Reduced) -> f64 {
    libm::sin(reduced(r.hi)) + r.lo * (1.0 - 0.5 * r.hi * r.hi)
}

#[inline(always)]
fn cos_reduced(r: Reduced) -> f64 {
    libm::cos(reduced(r.hi)) - r.lo * r.hi
}

#[inline(always)]
pub(super) fn sin(x: f64) -> f64 {
    let r = reduce(x);
    let size = if r.quadrant & 1 == 0 {
        sin_reduced(r)
    } else {
        cos_reduced(r)
    };
    if r.quadrant & 2 == 0 { size } else { -size }
}

#[inline(always)]
pub(super) fn cos(x: f64) -> f64 {
    let r = reduce(x);
    let size = if r.quadrant & 1 == 0 {
        cos_reduced(r)
    } else {
        sin_reduced(r)
    };
    if (r.quadrant + 1) & 2 == 0 {
        size
    } else {
        -size
    }
}

#[inline(always)]
pub(super) fn tan(x: f64) -> f64 {
    let r = reduce(x);
    let t = libm::tan(reduced(r.hi));
    let t = t + r.lo * (1.0 + t * t);
    if r.quadrant & 1 == 0 { t } else { -1.0 / t }
}

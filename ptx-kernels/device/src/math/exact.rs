//! The remainder and the cube root, by exact fused multiply-adds, in a form that suits a GPU: libm's remainder divides
//! 128-bit integers and its cube root keeps tables on the stack.

/// `x % y`, exact, with the sign of `x`, for a float type with an exponent field of `$exponent_bits` above
/// `$significand` bits.
macro_rules! remainder {
    ($name:ident, $float:ident, $bits:ident, $fma:path, $trunc:path, $significand:literal, $bias:literal) => {
        #[inline(always)]
        pub(super) fn $name(x: $float, y: $float) -> $float {
            // A quotient below 2^CHUNK is rounded to an integer that is right or one too large.
            const CHUNK: i32 = $significand - 2;
            const NORMALISE: $float = (1u64 << ($significand + 2)) as $float;
            let exponent = |v: $float| {
                let field = |v: $float| (v.to_bits() >> $significand) as i32;
                if v < $float::MIN_POSITIVE {
                    field(v * NORMALISE) - ($significand + 2)
                } else {
                    field(v)
                }
            };
            let power = |n: i32| $float::from_bits(((n + $bias) as $bits) << $significand);

            let mut rest = x.abs();
            let divisor = y.abs();
            if !(rest < $float::INFINITY && divisor > 0.0) {
                return $float::NAN;
            }
            while rest >= divisor {
                // The divisor is scaled up to just below what is left; both factors are powers of two, so it stays
                // exact, and the second is one but for the widest gaps.
                let gap = (exponent(rest) - exponent(divisor) - CHUNK).max(0);
                let first = gap.min($bias);
                let scaled = divisor * power(first) * power(gap - first);
                // Exact, being a multiple of the divisor's last digit no larger than the divisor.
                rest = $fma(-$trunc(rest / scaled), scaled, rest);
                if rest < 0.0 {
                    rest += scaled;
                }
            }
            rest.copysign(x)
        }
    };
}

remainder!(rem_f32, f32, u32, libm::fmaf, libm::truncf, 23, 127);
remainder!(rem_f64, f64, u64, libm::fma, libm::trunc, 52, 1023);

/// The cube root: two steps of Halley's iteration from the exponent divided by three, then one of Newton's whose
/// residual is exact to twice the precision.
#[inline(always)]
pub(super) fn cbrt(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x + x;
    }
    // The ends of the range are brought to where cubes neither overflow nor lose digits, by 2^54 or its inverse, whose
    // cube roots are 2^18 and its inverse.
    const CUBE: f64 = 18_014_398_509_481_984.0;
    const ROOT: f64 = 262_144.0;
    let size = x.abs();
    let (scale, unscale) = if size < f64::MIN_POSITIVE {
        (CUBE, 1.0 / ROOT)
    } else if size > f64::MAX / CUBE {
        (1.0 / CUBE, ROOT)
    } else {
        (1.0, 1.0)
    };
    let size = size * scale;

    // A third of the bit pattern is a third of the logarithm, but for 2/3 of the exponent's bias and what halves the
    // error of taking the significand for a logarithm.
    let mut root = f64::from_bits(size.to_bits() / 3 + 0x2a9f_7893_782d_a1ce);
    for _ in 0..2 {
        let cube = root * root * root;
        root *= (cube + size + size) / (cube + cube + size);
    }
    let square = root * root;
    let square_error = libm::fma(root, root, -square);
    let residual = libm::fma(-square, root, size) - square_error * root;
    root += residual / (3.0 * square);

    (root * unscale).copysign(x)
}

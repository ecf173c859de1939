//! The float methods of Rust's primitives for which PTX has no exact instruction, over `libm`.
//!
//! Each function is a plain `.func` that a printed kernel calls. Its name is `accrue_<method>_<type>`, its arguments
//! are the method's in order, the receiver first. `accrue_ptx::library::MATH` is the table of them that the emitter
//! reads. Where std composes a method from others (`log`, `rem_euclid`, `powi`, `atanh`, ...), the same composition
//! stands here, so that the device differs from the CPU only by what the two maths libraries differ.
//!
//! The file is ordinary Rust: the tests of `accrue-ptx` compile it for the host and measure it against std
//! (`docs/math.md`).

mod exact;
mod trig;

/// Exports one function per line, `name(arguments) = expression`, for a float type.
macro_rules! export {
    ($float:ident: $($(#[$doc:meta])* $name:ident($($arg:ident $(: $ty:ty)?),*) = $body:expr;)*) => {$(
        $(#[$doc])*
        // SAFETY: the name is prefixed with the project's and defined once.
        #[unsafe(no_mangle)]
        #[doc = concat!("`", stringify!($float), "`: `", stringify!($body), "`.")]
        pub extern "C" fn $name($($arg: export!(@type $float $($ty)?)),*) -> $float {
            $body
        }
    )*};
    (@type $float:ident) => { $float };
    (@type $float:ident $ty:ty) => { $ty };
}

export! { f32:
    accrue_sin_f32(x) = trig::sin(f64::from(x)) as f32;
    accrue_cos_f32(x) = trig::cos(f64::from(x)) as f32;
    accrue_tan_f32(x) = trig::tan(f64::from(x)) as f32;
    accrue_asin_f32(x) = libm::asinf(x);
    accrue_acos_f32(x) = libm::acosf(x);
    accrue_atan_f32(x) = libm::atanf(x);
    accrue_atan2_f32(y, x) = libm::atan2f(y, x);
    accrue_sinh_f32(x) = libm::sinhf(x);
    accrue_cosh_f32(x) = libm::coshf(x);
    accrue_tanh_f32(x) = libm::tanhf(x);
    accrue_asinh_f32(x) = libm::asinhf(x);
    /// Of an argument below -2, libm's is a number.
    accrue_acosh_f32(x) = if x < 1.0 { f32::NAN } else { libm::acoshf(x) };
    accrue_atanh_f32(x) = 0.5 * libm::log1pf((2.0 * x) / (1.0 - x));
    accrue_exp_f32(x) = libm::expf(x);
    accrue_exp2_f32(x) = libm::exp2f(x);
    accrue_exp_m1_f32(x) = libm::expm1f(x);
    accrue_ln_f32(x) = libm::logf(x);
    accrue_ln_1p_f32(x) = libm::log1pf(x);
    accrue_log_f32(x, base) = libm::logf(x) / libm::logf(base);
    accrue_log2_f32(x) = libm::log2f(x);
    accrue_log10_f32(x) = libm::log10f(x);
    accrue_powf_f32(x, y) = libm::powf(x, y);
    accrue_powi_f32(x, n: i32) = powi(x, n, 1.0);
    accrue_cbrt_f32(x) = libm::cbrtf(x);
    accrue_hypot_f32(x, y) = libm::hypotf(x, y);
    /// `x % y`: exact, with the sign of `x`.
    accrue_rem_f32(x, y) = exact::rem_f32(x, y);
    accrue_rem_euclid_f32(x, y) = {
        let r = exact::rem_f32(x, y);
        if r < 0.0 { r + libm::fabsf(y) } else { r }
    };
    accrue_div_euclid_f32(x, y) = {
        let q = libm::truncf(x / y);
        if exact::rem_f32(x, y) < 0.0 {
            if y > 0.0 { q - 1.0 } else { q + 1.0 }
        } else {
            q
        }
    };
    /// Half-way cases away from zero.
    accrue_round_f32(x) = libm::roundf(x);
    accrue_signum_f32(x) = x.signum();
    accrue_to_degrees_f32(x) = x.to_degrees();
    accrue_to_radians_f32(x) = x.to_radians();
    accrue_midpoint_f32(x, y) = x.midpoint(y);
    accrue_next_up_f32(x) = x.next_up();
    accrue_next_down_f32(x) = x.next_down();
}

export! { f64:
    accrue_sin_f64(x) = trig::sin(x);
    accrue_cos_f64(x) = trig::cos(x);
    accrue_tan_f64(x) = trig::tan(x);
    accrue_asin_f64(x) = libm::asin(x);
    accrue_acos_f64(x) = libm::acos(x);
    accrue_atan_f64(x) = libm::atan(x);
    accrue_atan2_f64(y, x) = libm::atan2(y, x);
    accrue_sinh_f64(x) = libm::sinh(x);
    accrue_cosh_f64(x) = libm::cosh(x);
    accrue_tanh_f64(x) = libm::tanh(x);
    accrue_asinh_f64(x) = libm::asinh(x);
    /// Of an argument below -2, libm's is a number.
    accrue_acosh_f64(x) = if x < 1.0 { f64::NAN } else { libm::acosh(x) };
    accrue_atanh_f64(x) = 0.5 * libm::log1p((2.0 * x) / (1.0 - x));
    accrue_exp_f64(x) = libm::exp(x);
    accrue_exp2_f64(x) = libm::exp2(x);
    accrue_exp_m1_f64(x) = libm::expm1(x);
    accrue_ln_f64(x) = libm::log(x);
    accrue_ln_1p_f64(x) = libm::log1p(x);
    accrue_log_f64(x, base) = libm::log(x) / libm::log(base);
    accrue_log2_f64(x) = libm::log2(x);
    accrue_log10_f64(x) = libm::log10(x);
    accrue_powf_f64(x, y) = libm::pow(x, y);
    accrue_powi_f64(x, n: i32) = powi(x, n, 1.0);
    accrue_cbrt_f64(x) = exact::cbrt(x);
    accrue_hypot_f64(x, y) = libm::hypot(x, y);
    /// `x % y`: exact, with the sign of `x`.
    accrue_rem_f64(x, y) = exact::rem_f64(x, y);
    accrue_rem_euclid_f64(x, y) = {
        let r = exact::rem_f64(x, y);
        if r < 0.0 { r + libm::fabs(y) } else { r }
    };
    accrue_div_euclid_f64(x, y) = {
        let q = libm::trunc(x / y);
        if exact::rem_f64(x, y) < 0.0 {
            if y > 0.0 { q - 1.0 } else { q + 1.0 }
        } else {
            q
        }
    };
    /// Half-way cases away from zero.
    accrue_round_f64(x) = libm::round(x);
    accrue_signum_f64(x) = x.signum();
    accrue_to_degrees_f64(x) = x.to_degrees();
    accrue_to_radians_f64(x) = x.to_radians();
    accrue_midpoint_f64(x, y) = x.midpoint(y);
    accrue_next_up_f64(x) = x.next_up();
    accrue_next_down_f64(x) = x.next_down();
}

/// `x` to the `n`, by squaring in the order of LLVM's run-time library, whose result std's `powi` is.
fn powi<T>(mut x: T, n: i32, one: T) -> T
where
    T: Copy + core::ops::Mul<Output = T> + core::ops::Div<Output = T>,
{
    let mut rest = n.unsigned_abs();
    let mut power = one;
    loop {
        if rest & 1 == 1 {
            power = power * x;
        }
        rest >>= 1;
        if rest == 0 {
            return if n < 0 { one / power } else { power };
        }
        x = x * x;
    }
}

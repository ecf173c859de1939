//! The device's maths compiled for the host, by name.

#[path = "../../device/src/math/mod.rs"]
#[expect(
    unreachable_pub,
    reason = "they are exported where the source is at home"
)]
mod math;

/// A function on `T`.
#[derive(Clone, Copy)]
pub(crate) enum Function<T> {
    /// Of one argument.
    Unary(extern "C" fn(T) -> T),
    /// Of two.
    Binary(extern "C" fn(T, T) -> T),
    /// Of one and an integer.
    Power(extern "C" fn(T, i32) -> T),
}

/// A method, and its functions on `f32` and `f64`.
pub(crate) type Row = (&'static str, Function<f32>, Function<f64>);

macro_rules! table {
    ($($kind:ident $method:ident: $single:ident, $double:ident;)*) => {
        &[$((stringify!($method), Function::$kind(math::$single), Function::$kind(math::$double))),*]
    };
}

/// Every method of `accrue_ptx::library::MATH`, in its order.
pub(crate) const TABLE: &[Row] = table! {
    Unary sin: accrue_sin_f32, accrue_sin_f64;
    Unary cos: accrue_cos_f32, accrue_cos_f64;
    Unary tan: accrue_tan_f32, accrue_tan_f64;
    Unary asin: accrue_asin_f32, accrue_asin_f64;
    Unary acos: accrue_acos_f32, accrue_acos_f64;
    Unary atan: accrue_atan_f32, accrue_atan_f64;
    Binary atan2: accrue_atan2_f32, accrue_atan2_f64;
    Unary sinh: accrue_sinh_f32, accrue_sinh_f64;
    Unary cosh: accrue_cosh_f32, accrue_cosh_f64;
    Unary tanh: accrue_tanh_f32, accrue_tanh_f64;
    Unary asinh: accrue_asinh_f32, accrue_asinh_f64;
    Unary acosh: accrue_acosh_f32, accrue_acosh_f64;
    Unary atanh: accrue_atanh_f32, accrue_atanh_f64;
    Unary exp: accrue_exp_f32, accrue_exp_f64;
    Unary exp2: accrue_exp2_f32, accrue_exp2_f64;
    Unary exp_m1: accrue_exp_m1_f32, accrue_exp_m1_f64;
    Unary ln: accrue_ln_f32, accrue_ln_f64;
    Unary ln_1p: accrue_ln_1p_f32, accrue_ln_1p_f64;
    Binary log: accrue_log_f32, accrue_log_f64;
    Unary log2: accrue_log2_f32, accrue_log2_f64;
    Unary log10: accrue_log10_f32, accrue_log10_f64;
    Binary powf: accrue_powf_f32, accrue_powf_f64;
    Power powi: accrue_powi_f32, accrue_powi_f64;
    Unary cbrt: accrue_cbrt_f32, accrue_cbrt_f64;
    Binary hypot: accrue_hypot_f32, accrue_hypot_f64;
    Binary rem: accrue_rem_f32, accrue_rem_f64;
    Binary rem_euclid: accrue_rem_euclid_f32, accrue_rem_euclid_f64;
    Binary div_euclid: accrue_div_euclid_f32, accrue_div_euclid_f64;
    Unary round: accrue_round_f32, accrue_round_f64;
    Unary signum: accrue_signum_f32, accrue_signum_f64;
    Unary to_degrees: accrue_to_degrees_f32, accrue_to_degrees_f64;
    Unary to_radians: accrue_to_radians_f32, accrue_to_radians_f64;
    Binary midpoint: accrue_midpoint_f32, accrue_midpoint_f64;
    Unary next_up: accrue_next_up_f32, accrue_next_up_f64;
    Unary next_down: accrue_next_down_f32, accrue_next_down_f64;
};

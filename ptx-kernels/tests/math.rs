//! How far the device's maths is from std's, in units in the last place.
//!
//! The functions are those of `device/src/math`, compiled for the host from the same source. Each is swept over bit
//! patterns, intervals and awkward values; the largest difference must stay within the bound written here, and
//! `BLESS=1 cargo test -p accrue-ptx --test math` writes what was measured to `docs/math.md`.

#[path = "../device/src/math/mod.rs"]
#[expect(
    unreachable_pub,
    reason = "they are exported where the source is at home"
)]
mod math;

use std::fmt::Write as _;

use accrue_ptx::library::{Argument, MATH};

/// A sequence of bits that look random, the same in each run (splitmix64).
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }
}

/// The largest difference of one function.
#[derive(Clone, Default)]
struct Largest {
    ulp: u64,
    at: String,
}

impl Largest {
    fn see(&mut self, ulp: u64, at: impl FnOnce() -> String) {
        if ulp > self.ulp {
            *self = Largest { ulp, at: at() };
        }
    }
}

/// A row of the table: a method, and its largest difference and bound for `f32` and `f64`.
struct Row {
    method: &'static str,
    measured: [Largest; 2],
    bounds: [u64; 2],
}

/// What `f32` and `f64` share of the sweeps.
macro_rules! sweeps {
    ($module:ident, $float:ident, $bits:ident, $signed:ident) => {
        mod $module {
            use super::{Bits, Largest};

            /// Values per sweep of a function.
            const VALUES: u32 = 1_000_000;

            /// The number of floats between two, where -0.0 and 0.0 are two floats and all NaN are one.
            fn distance(a: $float, b: $float) -> u64 {
                let order = |v: $float| {
                    let bits = v.to_bits() as $signed;
                    i128::from(if bits < 0 {
                        !(bits & $signed::MAX)
                    } else {
                        bits
                    })
                };
                match (a.is_nan(), b.is_nan()) {
                    (true, true) => 0,
                    (false, false) => (order(a) - order(b)).unsigned_abs() as u64,
                    _ => u64::MAX,
                }
            }

            fn between(bits: &mut Bits, low: $float, high: $float) -> $float {
                low + (high - low) * ((bits.next() >> 11) as $float / (1u64 << 53) as $float)
            }

            /// Zeros, infinities, NaN, the ends of the ranges, and floats next to what is special for some function.
            fn awkward() -> Vec<$float> {
                use std::$float::consts::{E, PI};
                let mut values = vec![
                    0.0,
                    $float::INFINITY,
                    $float::NAN,
                    $float::MAX,
                    $float::MIN_POSITIVE,
                ];
                values.extend([
                    $float::from_bits(1),
                    $float::EPSILON,
                    1e-10,
                    1e10,
                    1e30,
                    709.8,
                    745.2,
                    88.73,
                    103.98,
                ]);
                values.extend((0..200).map(|i| i as $float * 0.25));
                values.extend(
                    (1..200).map(|i| (f64::from(i) * std::f64::consts::FRAC_PI_2) as $float),
                );
                values.extend([
                    E,
                    PI,
                    1.0 / E,
                    3.5,
                    4503599627370497.5,
                    8388609.0,
                    4194304.5,
                ]);
                let near: Vec<$float> = values
                    .iter()
                    .flat_map(|v| [v.next_up(), v.next_down()])
                    .collect();
                values.extend(near);
                values.extend(values.clone().iter().map(|v| -v));
                values
            }

            /// One argument: bit patterns, then intervals.
            fn values() -> impl Iterator<Item = $float> {
                let mut bits = Bits(1);
                let ranges: [($float, $float); 6] = [
                    (-1.0, 1.0),
                    (-10.0, 10.0),
                    (0.99, 1.01),
                    (-800.0, 800.0),
                    (-1e6, 1e6),
                    (0.0, 1e-3),
                ];
                let patterns = std::iter::repeat_with(move || bits.next());
                awkward()
                    .into_iter()
                    .chain(
                        patterns
                            .enumerate()
                            .take(VALUES as usize)
                            .map(move |(i, pattern)| match i % 8 {
                                kind @ 0..6 => {
                                    between(&mut Bits(pattern), ranges[kind].0, ranges[kind].1)
                                }
                                _ => $float::from_bits((pattern >> (64 - $bits::BITS)) as $bits),
                            }),
                    )
            }

            /// Two arguments: bit patterns with the same and with other exponents, intervals, whole numbers.
            fn pairs() -> impl Iterator<Item = ($float, $float)> {
                let few: Vec<$float> = awkward().into_iter().step_by(9).collect();
                let crossed: Vec<_> = few
                    .iter()
                    .flat_map(|&a| few.iter().map(move |&b| (a, b)))
                    .collect();
                let random =
                    |pattern: u64| $float::from_bits((pattern >> (64 - $bits::BITS)) as $bits);
                crossed.into_iter().chain((0..VALUES).map(move |i| {
                    let mut bits = Bits(u64::from(i));
                    match i % 6 {
                        0 => (random(bits.next()), random(bits.next())),
                        1 => {
                            let a = random(bits.next());
                            (a, a * between(&mut bits, -4.0, 4.0))
                        }
                        2 => (
                            between(&mut bits, 0.0, 20.0),
                            between(&mut bits, -30.0, 30.0),
                        ),
                        3 => (
                            between(&mut bits, 0.999, 1.001),
                            between(&mut bits, -1e4, 1e4),
                        ),
                        4 => (
                            between(&mut bits, -50.0, 50.0),
                            between(&mut bits, -20.0, 20.0).trunc(),
                        ),
                        _ => (between(&mut bits, -1.0, 1.0), between(&mut bits, -1.0, 1.0)),
                    }
                }))
            }

            pub(super) fn unary(
                f: extern "C" fn($float) -> $float,
                std: fn($float) -> $float,
            ) -> Largest {
                let mut largest = Largest::default();
                for x in values() {
                    largest.see(distance(f(x), std(x)), || format!("{x:e}"));
                }
                largest
            }

            pub(super) fn binary(
                f: extern "C" fn($float, $float) -> $float,
                std: fn($float, $float) -> $float,
            ) -> Largest {
                let mut largest = Largest::default();
                for (x, y) in pairs() {
                    largest.see(distance(f(x, y), std(x, y)), || format!("{x:e}, {y:e}"));
                }
                largest
            }

            pub(super) fn power(
                f: extern "C" fn($float, i32) -> $float,
                std: fn($float, i32) -> $float,
            ) -> Largest {
                let mut largest = Largest::default();
                for (i, (x, _)) in pairs().enumerate() {
                    let bits = Bits(i as u64).next();
                    let n = if bits & 1 == 0 {
                        bits as i32
                    } else {
                        bits as i32 % 40
                    };
                    largest.see(distance(f(x, n), std(x, n)), || format!("{x:e}, {n}"));
                }
                largest
            }
        }
    };
}
sweeps!(single, f32, u32, i32);
sweeps!(double, f64, u64, i64);

/// Rows of `sweep method: function <= bound of f32, function <= bound of f64;`.
macro_rules! rows {
    ($($sweep:ident $method:ident: $single:ident <= $bound32:literal, $double:ident <= $bound64:literal;)*) => {
        vec![$(rows!(@row $sweep $method, $single, $bound32, $double, $bound64)),*]
    };
    (@row $sweep:ident rem, $single:ident, $bound32:literal, $double:ident, $bound64:literal) => {
        Row {
            method: "rem",
            measured: [single::binary(math::$single, |x, y| x % y), double::binary(math::$double, |x, y| x % y)],
            bounds: [$bound32, $bound64],
        }
    };
    // Up to Rust 1.95 std's own formulas are infinite where twice the argument is, and `acosh` is off next to one;
    // later ones ask the C library. Their place is taken by formulas that hold there.
    (@row $sweep:ident asinh, $single:ident, $bound32:literal, $double:ident, $bound64:literal) => {
        Row {
            method: "asinh",
            measured: [
                single::unary(math::$single, |x| match x.abs() {
                    huge if huge > f32::MAX / 4.0 => (huge.ln() + std::f32::consts::LN_2).copysign(x),
                    _ => x.asinh(),
                }),
                double::unary(math::$double, |x| match x.abs() {
                    huge if huge > f64::MAX / 4.0 => (huge.ln() + std::f64::consts::LN_2).copysign(x),
                    _ => x.asinh(),
                }),
            ],
            bounds: [$bound32, $bound64],
        }
    };
    (@row $sweep:ident acosh, $single:ident, $bound32:literal, $double:ident, $bound64:literal) => {
        Row {
            method: "acosh",
            measured: [
                single::unary(math::$single, |x| match x {
                    huge if huge > f32::MAX / 4.0 => huge.ln() + std::f32::consts::LN_2,
                    _ if (1.0..1.5).contains(&x) => {
                        let t = x - 1.0;
                        (t + (t * (t + 2.0)).sqrt()).ln_1p()
                    }
                    _ => x.acosh(),
                }),
                double::unary(math::$double, |x| match x {
                    huge if huge > f64::MAX / 4.0 => huge.ln() + std::f64::consts::LN_2,
                    _ if (1.0..1.5).contains(&x) => {
                        let t = x - 1.0;
                        (t + (t * (t + 2.0)).sqrt()).ln_1p()
                    }
                    _ => x.acosh(),
                }),
            ],
            bounds: [$bound32, $bound64],
        }
    };
    (@row $sweep:ident $method:ident, $single:ident, $bound32:literal, $double:ident, $bound64:literal) => {
        Row {
            method: stringify!($method),
            measured: [single::$sweep(math::$single, f32::$method), double::$sweep(math::$double, f64::$method)],
            bounds: [$bound32, $bound64],
        }
    };
}

fn measure() -> Vec<Row> {
    rows! {
        unary sin: accrue_sin_f32 <= 1, accrue_sin_f64 <= 1;
        unary cos: accrue_cos_f32 <= 1, accrue_cos_f64 <= 1;
        unary tan: accrue_tan_f32 <= 1, accrue_tan_f64 <= 2;
        unary asin: accrue_asin_f32 <= 1, accrue_asin_f64 <= 1;
        unary acos: accrue_acos_f32 <= 1, accrue_acos_f64 <= 1;
        unary atan: accrue_atan_f32 <= 1, accrue_atan_f64 <= 1;
        binary atan2: accrue_atan2_f32 <= 1, accrue_atan2_f64 <= 1;
        unary sinh: accrue_sinh_f32 <= 2, accrue_sinh_f64 <= 2;
        unary cosh: accrue_cosh_f32 <= 2, accrue_cosh_f64 <= 2;
        unary tanh: accrue_tanh_f32 <= 3, accrue_tanh_f64 <= 3;
        unary asinh: accrue_asinh_f32 <= 2, accrue_asinh_f64 <= 2;
        unary acosh: accrue_acosh_f32 <= 2, accrue_acosh_f64 <= 2;
        unary atanh: accrue_atanh_f32 <= 2, accrue_atanh_f64 <= 2;
        unary exp: accrue_exp_f32 <= 1, accrue_exp_f64 <= 1;
        unary exp2: accrue_exp2_f32 <= 1, accrue_exp2_f64 <= 1;
        unary exp_m1: accrue_exp_m1_f32 <= 1, accrue_exp_m1_f64 <= 1;
        unary ln: accrue_ln_f32 <= 1, accrue_ln_f64 <= 1;
        unary ln_1p: accrue_ln_1p_f32 <= 1, accrue_ln_1p_f64 <= 1;
        binary log: accrue_log_f32 <= 4, accrue_log_f64 <= 4;
        unary log2: accrue_log2_f32 <= 1, accrue_log2_f64 <= 1;
        unary log10: accrue_log10_f32 <= 2, accrue_log10_f64 <= 2;
        binary powf: accrue_powf_f32 <= 1, accrue_powf_f64 <= 1;
        power powi: accrue_powi_f32 <= 0, accrue_powi_f64 <= 0;
        unary cbrt: accrue_cbrt_f32 <= 1, accrue_cbrt_f64 <= 1;
        binary hypot: accrue_hypot_f32 <= 1, accrue_hypot_f64 <= 1;
        binary rem: accrue_rem_f32 <= 0, accrue_rem_f64 <= 0;
        binary rem_euclid: accrue_rem_euclid_f32 <= 0, accrue_rem_euclid_f64 <= 0;
        binary div_euclid: accrue_div_euclid_f32 <= 0, accrue_div_euclid_f64 <= 0;
        unary round: accrue_round_f32 <= 0, accrue_round_f64 <= 0;
        unary signum: accrue_signum_f32 <= 0, accrue_signum_f64 <= 0;
        unary to_degrees: accrue_to_degrees_f32 <= 0, accrue_to_degrees_f64 <= 0;
        unary to_radians: accrue_to_radians_f32 <= 0, accrue_to_radians_f64 <= 0;
        binary midpoint: accrue_midpoint_f32 <= 0, accrue_midpoint_f64 <= 0;
        unary next_up: accrue_next_up_f32 <= 0, accrue_next_up_f64 <= 0;
        unary next_down: accrue_next_down_f32 <= 0, accrue_next_down_f64 <= 0;
    }
}

/// `docs/math.md`.
fn page(rows: &[Row]) -> String {
    let mut page = String::from(PAGE);
    for row in rows {
        let method = MATH
            .iter()
            .find(|math| math.method == row.method)
            .expect("a method of the table");
        let arguments = match method.arguments {
            [] => "x",
            [Argument::I32] => "x, n",
            _ => "x, y",
        };
        let [single, double] = &row.measured;
        let [bound32, bound64] = row.bounds;
        writeln!(
            page,
            "| `{}({arguments})` | {} | {bound32} | {} | {} | {bound64} | {} |",
            row.method, single.ulp, single.at, double.ulp, double.at
        )
        .expect("a string takes everything");
    }
    page
}

const PAGE: &str = "\
# Floating point maths on the GPU

What PTX computes exactly (`+ - * /`, `sqrt`, `mul_add`, `floor`, `ceil`, `trunc`, `round_ties_even`, `abs`, `copysign`,
`min`, `max`, conversions) has the CPU's bits. The other methods of `f32` and `f64` are functions of the device library,
written in Rust over the crate `libm` ([ptx-kernels/device](../ptx-kernels/device/src/math/mod.rs)). They differ from std,
which asks the C library of the machine, in the last place.

The table gives the largest difference that was seen in some 1,000,000 arguments for each function: bit patterns of the
whole range, intervals around zero, one and the ends, multiples of π/2, subnormals, infinities, NaN. A difference is
the number of floats from one result to the other, where -0.0 and 0.0 are two floats. A function whose bound is 0 has
std's bits. It was measured with the functions compiled for the host from the source that the PTX is made from, against
std on x86-64 Linux with glibc 2.36, and is written by

    BLESS=1 cargo test -p accrue-ptx --test math

which, without `BLESS=1`, fails when a difference is above the bound.

`asinh` and `acosh` are those of the C library, as in std since Rust 1.96. Earlier ones are composed of `ln` in std, which
is infinite where twice the argument is, and far off in `acosh` next to one; those arguments are not compared with it.

`x % y` is called `rem` here. `x.sin_cos()` is `(x.sin(), x.cos())`. A bin index that is computed with a function whose
bound is not 0 may round to another bin on the GPU where the result is within that distance of an integer.

| method | `f32`: ulp | bound | at | `f64`: ulp | bound | at |
| --- | --- | --- | --- | --- | --- | --- |
";

#[test]
fn results_are_within_their_bounds_of_std() {
    let rows = measure();
    let listed: Vec<&str> = rows.iter().map(|row| row.method).collect();
    let expected: Vec<&str> = MATH.iter().map(|math| math.method).collect();
    assert_eq!(listed, expected, "every method is measured");

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/math.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, page(&rows)).expect("docs/math.md is writable");
    }
    let documented = std::fs::read_to_string(path).expect("docs/math.md is there");
    let mut wrong = String::new();
    for row in &rows {
        assert!(
            documented.contains(&format!("| `{}(", row.method)),
            "docs/math.md has no row for {}: run with BLESS=1",
            row.method
        );
        for ((measured, bound), float) in row.measured.iter().zip(row.bounds).zip(["f32", "f64"]) {
            if measured.ulp > bound {
                writeln!(
                    wrong,
                    "{float}::{}({}): {} ulp, bound {bound}",
                    row.method, measured.at, measured.ulp
                )
                .expect("a string takes everything");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

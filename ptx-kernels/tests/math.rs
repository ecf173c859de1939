//! How far the device's maths is from std's, in units in the last place.
//!
//! The functions are those of `device/src/math`, compiled for the host from the same source. Each is swept over bit
//! patterns, intervals and awkward values; the largest difference must stay within the bound written here, and
//! `BLESS=1 cargo test -p accrue-ptx --test math` writes what was measured to `docs/math.md`.

#[path = "device_library/maths.rs"]
mod maths;

use std::fmt::Write as _;

use accrue_ptx::library::{Argument, MATH};
use maths::{Function, TABLE};

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
            use super::{Bits, Function, Largest, Std};

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

            /// Sweeps over the arguments that the function takes.
            pub(super) fn measure(ours: Function<$float>, std: Std<$float>) -> Largest {
                let mut largest = Largest::default();
                match (ours, std) {
                    (Function::Unary(f), Std::Unary(std)) => {
                        for x in values() {
                            largest.see(distance(f(x), std(x)), || format!("{x:e}"));
                        }
                    }
                    (Function::Binary(f), Std::Binary(std)) => {
                        for (x, y) in pairs() {
                            largest.see(distance(f(x, y), std(x, y)), || format!("{x:e}, {y:e}"));
                        }
                    }
                    (Function::Power(f), Std::Power(std)) => {
                        for (i, (x, _)) in pairs().enumerate() {
                            let bits = Bits(i as u64).next() as i32;
                            let n = if bits % 2 == 0 { bits } else { bits % 40 };
                            largest.see(distance(f(x, n), std(x, n)), || format!("{x:e}, {n}"));
                        }
                    }
                    _ => panic!("the two tables differ in what a function takes"),
                }
                largest
            }

            /// Up to Rust 1.95 std's own formula is infinite where twice the argument is; later ones ask the C library.
            pub(super) fn asinh(x: $float) -> $float {
                if x.abs() > $float::MAX / 4.0 {
                    (x.abs().ln() + std::$float::consts::LN_2).copysign(x)
                } else {
                    x.asinh()
                }
            }

            /// As with `asinh`; the formula is also off next to one.
            pub(super) fn acosh(x: $float) -> $float {
                if x > $float::MAX / 4.0 {
                    x.ln() + std::$float::consts::LN_2
                } else if (1.0..1.5).contains(&x) {
                    let t = x - 1.0;
                    (t + (t * (t + 2.0)).sqrt()).ln_1p()
                } else {
                    x.acosh()
                }
            }
        }
    };
}
sweeps!(single, f32, u32, i32);
sweeps!(double, f64, u64, i64);

/// A function of std.
enum Std<T> {
    Unary(fn(T) -> T),
    Binary(fn(T, T) -> T),
    Power(fn(T, i32) -> T),
}

/// Rows of `kind method: bound of f32, bound of f64;`, and the functions where they are not std's methods.
macro_rules! bounds {
    ($($kind:ident $method:ident: $bound32:literal, $bound64:literal $(, $single:expr, $double:expr)?;)*) => {
        [$((
            stringify!($method),
            [$bound32, $bound64],
            bounds!(@std $kind f32 $method $(, $single)?),
            bounds!(@std $kind f64 $method $(, $double)?),
        )),*]
    };
    (@std $kind:ident $float:ident $method:ident) => { Std::$kind($float::$method) };
    (@std $kind:ident $float:ident $method:ident, $function:expr) => { Std::$kind($function) };
}

fn measure() -> Vec<Row> {
    let bounds = bounds! {
        Unary sin: 1, 1;
        Unary cos: 1, 1;
        Unary tan: 1, 2;
        Unary asin: 1, 1;
        Unary acos: 1, 1;
        Unary atan: 1, 1;
        Binary atan2: 1, 1;
        Unary sinh: 2, 2;
        Unary cosh: 2, 2;
        Unary tanh: 3, 3;
        Unary asinh: 2, 2, single::asinh, double::asinh;
        Unary acosh: 2, 2, single::acosh, double::acosh;
        Unary atanh: 2, 2;
        Unary exp: 1, 1;
        Unary exp2: 1, 1;
        Unary exp_m1: 1, 1;
        Unary ln: 1, 1;
        Unary ln_1p: 1, 1;
        Binary log: 4, 4;
        Unary log2: 1, 1;
        Unary log10: 2, 2;
        Binary powf: 1, 1;
        Power powi: 0, 0;
        Unary cbrt: 1, 1;
        Binary hypot: 1, 1;
        Binary rem: 0, 0, |x, y| x % y, |x, y| x % y;
        Binary rem_euclid: 0, 0;
        Binary div_euclid: 0, 0;
        Unary round: 0, 0;
        Unary signum: 0, 0;
        Unary to_degrees: 0, 0;
        Unary to_radians: 0, 0;
        Binary midpoint: 0, 0;
        Unary next_up: 0, 0;
        Unary next_down: 0, 0;
    };
    assert_eq!(bounds.len(), TABLE.len(), "every function has its bounds");
    bounds
        .into_iter()
        .zip(TABLE)
        .map(|((method, bounds, std32, std64), &(name, f32, f64))| {
            assert_eq!(method, name, "the tables are in one order");
            Row {
                method,
                measured: [single::measure(f32, std32), double::measure(f64, std64)],
                bounds,
            }
        })
        .collect()
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

which, without `BLESS=1`, fails when a difference is above the bound. The PTX gives the very bits of that build: on an
NVIDIA H200 (driver 580.159, 2026-11-20) for 2,000,000 arguments of each function, by

    cargo test -p accrue-ptx --test device_library -- --ignored

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

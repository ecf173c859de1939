//! Floating-point arithmetic against the host's, and against brackets for the other roundings.

use super::harness::{check, check_for, check1, check2, check3};

fn flush(x: f32) -> f32 {
    if x.is_subnormal() {
        0f32.copysign(x)
    } else {
        x
    }
}

fn saturate(x: f32) -> f32 {
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

#[test]
fn nearest_is_the_hosts_arithmetic() {
    check2("add.rn.f32", |a: f32, b: f32| a + b);
    check2("add.f32", |a: f32, b: f32| a + b);
    check2("sub.rn.f32", |a: f32, b: f32| a - b);
    check2("mul.rn.f32", |a: f32, b: f32| a * b);
    check2("div.rn.f32", |a: f32, b: f32| a / b);
    check3("fma.rn.f32", |a: f32, b: f32, c: f32| a.mul_add(b, c));
    check1("sqrt.rn.f32", |a: f32| a.sqrt());
    check1("rcp.rn.f32", |a: f32| 1.0 / a);
    check2("add.rn.f64", |a: f64, b: f64| a + b);
    check2("sub.f64", |a: f64, b: f64| a - b);
    check2("mul.rn.f64", |a: f64, b: f64| a * b);
    check2("div.rn.f64", |a: f64, b: f64| a / b);
    check3("fma.rn.f64", |a: f64, b: f64, c: f64| a.mul_add(b, c));
    check1("sqrt.rn.f64", |a: f64| a.sqrt());
    check1("rcp.rn.f64", |a: f64| 1.0 / a);
}

#[test]
fn flushing_and_saturation() {
    check2("add.rn.ftz.f32", |a: f32, b: f32| {
        flush(flush(a) + flush(b))
    });
    check2("mul.rn.ftz.f32", |a: f32, b: f32| {
        flush(flush(a) * flush(b))
    });
    check2("add.rn.sat.f32", |a: f32, b: f32| saturate(a + b));
    check2("mul.rn.ftz.sat.f32", |a: f32, b: f32| {
        saturate(flush(flush(a) * flush(b)))
    });
    check3("fma.rn.sat.f32", |a: f32, b: f32, c: f32| {
        saturate(a.mul_add(b, c))
    });
    check1("neg.ftz.f32", |a: f32| -flush(a));
    check1("abs.ftz.f32", |a: f32| flush(a).abs());
    check1("sqrt.rn.ftz.f32", |a: f32| flush(flush(a).sqrt()));
}

#[test]
fn a_nan_result_is_the_one_nan() {
    check::<f32, f32, u8, u32>("add.f32 %s0, %a, %b; mov.b32 %d, %s0;", |a, b, _| {
        let sum = a + b;
        if sum.is_nan() {
            0x7fff_ffff
        } else {
            sum.to_bits()
        }
    });
    check::<f32, f32, u8, u32>("max.f32 %s0, %a, %b; mov.b32 %d, %s0;", |a, b, _| {
        maximum(a, b).to_bits()
    });
}

/// PTX's `max`: a number beats NaN, plus zero beats minus zero.
fn maximum(a: f32, b: f32) -> f32 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => f32::from_bits(0x7fff_ffff),
        (true, false) => b,
        (false, true) => a,
        _ if a == b => f32::from_bits(a.to_bits() & b.to_bits()),
        _ => a.max(b),
    }
}

fn minimum(a: f32, b: f32) -> f32 {
    -maximum(-a, -b)
}

#[test]
fn signs_and_extrema() {
    check2("max.f32", maximum);
    check2("min.f32", minimum);
    check2("max.ftz.f32", |a: f32, b: f32| maximum(flush(a), flush(b)));
    check2("min.f64", |a: f64, b: f64| match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b => f64::from_bits(a.to_bits() | b.to_bits()),
        _ => a.min(b),
    });
    let new = ("7.0", 80);
    check_for::<f32, f32, u8, f32>(new, "min.NaN.f32 %d, %a, %b;", |a, b, _| {
        Some(if a.is_nan() || b.is_nan() {
            f32::NAN
        } else {
            minimum(a, b)
        })
    });
    check1("neg.f64", |a: f64| -a);
    check1("abs.f64", |a: f64| a.abs());
    check1("neg.f32", |a: f32| -a);
    check1("abs.f32", |a: f32| a.abs());
    check2("copysign.f32", |a: f32, b: f32| b.copysign(a));
    check2("copysign.f64", |a: f64, b: f64| b.copysign(a));
}

#[test]
fn comparisons_know_nan() {
    macro_rules! compare {
        ($($op:literal: |$a:ident, $b:ident| $e:expr;)*) => {$(
            check::<f32, f32, u8, u32>(concat!("setp.", $op, ".f32 %p0, %a, %b; selp.u32 %d, 1, 0, %p0;"), |$a, $b, _| u32::from($e));
            check::<f64, f64, u8, u32>(concat!("setp.", $op, ".f64 %p0, %a, %b; selp.u32 %d, 1, 0, %p0;"), |$a, $b, _| u32::from($e));
        )*};
    }
    compare! {
        "eq": |a, b| a == b;
        "ne": |a, b| a != b && !a.is_nan() && !b.is_nan();
        "lt": |a, b| a < b;
        "le": |a, b| a <= b;
        "gt": |a, b| a > b;
        "ge": |a, b| a >= b;
        "equ": |a, b| a == b || a.is_nan() || b.is_nan();
        "neu": |a, b| a != b;
        "ltu": |a, b| !matches!(a.partial_cmp(&b), Some(std::cmp::Ordering::Equal | std::cmp::Ordering::Greater));
        "leu": |a, b| a.partial_cmp(&b) != Some(std::cmp::Ordering::Greater);
        "gtu": |a, b| !matches!(a.partial_cmp(&b), Some(std::cmp::Ordering::Equal | std::cmp::Ordering::Less));
        "geu": |a, b| a.partial_cmp(&b) != Some(std::cmp::Ordering::Less);
        "num": |a, b| !a.is_nan() && !b.is_nan();
        "nan": |a, b| a.is_nan() || b.is_nan();
    }
    check::<f32, f32, u8, u32>(
        "setp.lt.ftz.f32 %p0, %a, %b; selp.u32 %d, 1, 0, %p0;",
        |a, b, _| u32::from(flush(a) < flush(b)),
    );
}

#[test]
fn classes() {
    macro_rules! test {
        ($($op:literal: |$a:ident| $e:expr;)*) => {$(
            check::<f32, u8, u8, u32>(concat!("testp.", $op, ".f32 %p0, %a; selp.u32 %d, 1, 0, %p0;"), |$a, _, _| u32::from($e));
            check::<f64, u8, u8, u32>(concat!("testp.", $op, ".f64 %p0, %a; selp.u32 %d, 1, 0, %p0;"), |$a, _, _| u32::from($e));
        )*};
    }
    test! {
        "finite": |a| a.is_finite();
        "infinite": |a| a.is_infinite();
        "number": |a| !a.is_nan();
        "notanumber": |a| a.is_nan();
        "subnormal": |a| a.is_subnormal();
    }
}

/// `hi + lo` exactly, in f64, for any two f64 whose sum does not overflow (Knuth's two-sum).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// The f32 next to `hi + lo` in a direction: towards minus infinity, or plus.
fn towards(hi: f64, lo: f64, up: bool) -> f32 {
    let near = hi as f32;
    let over = f64::from(near) > hi || f64::from(near) == hi && lo < 0.0;
    let under = f64::from(near) < hi || f64::from(near) == hi && lo > 0.0;
    match up {
        false if over => near.next_down(),
        true if under => near.next_up(),
        _ => near,
    }
}

#[test]
fn directed_roundings_bracket_the_exact_value() {
    let finite = |a: f32, b: f32| a.is_finite() && b.is_finite();
    for (mode, up) in [("rm", false), ("rp", true)] {
        check_for::<f32, f32, u8, f32>(
            ("7.0", 70),
            &format!("add.{mode}.f32 %d, %a, %b;"),
            |a, b, _| {
                let (hi, lo) = two_sum(f64::from(a), f64::from(b));
                // An exact zero takes its sign from the rounding mode.
                (finite(a, b) && hi != 0.0).then(|| towards(hi, lo, up))
            },
        );
        check_for::<f32, f32, u8, f32>(
            ("7.0", 70),
            &format!("mul.{mode}.f32 %d, %a, %b;"),
            |a, b, _| {
                let exact = f64::from(a) * f64::from(b);
                finite(a, b).then(|| towards(exact, 0.0, up))
            },
        );
        check_for::<f64, u8, u8, f32>(
            ("7.0", 70),
            &format!("cvt.{mode}.f32.f64 %d, %a;"),
            |a, _, _| a.is_finite().then(|| towards(a, 0.0, up)),
        );
    }
    check_for::<f32, f32, u8, f32>(("7.0", 70), "mul.rz.f32 %d, %a, %b;", |a, b, _| {
        let exact = f64::from(a) * f64::from(b);
        finite(a, b).then(|| towards(exact, 0.0, exact < 0.0))
    });
    check_for::<f32, f32, u8, f32>(("7.0", 70), "add.rz.f32 %d, %a, %b;", |a, b, _| {
        let (hi, lo) = two_sum(f64::from(a), f64::from(b));
        (finite(a, b) && hi != 0.0).then(|| towards(hi, lo, hi < 0.0))
    });
    // In f64: squares and products come back, and the other directions surround the nearest.
    check::<f64, f64, u8, u32>(
        "div.rm.f64 %l0, %a, %b; div.rp.f64 %l1, %a, %b; div.rn.f64 %l2, %a, %b;
         setp.le.f64 %p0, %l0, %l2; setp.le.and.f64 %p1, %l2, %l1, %p0; selp.u32 %d, 1, 0, %p1;",
        |a, b, _| u32::from(!(a / b).is_nan()),
    );
    check_for::<f64, f64, f64, f64>(("7.0", 70), "fma.rz.f64 %d, %a, %b, %c;", |a, b, c| {
        // Where the product is exact and no bits of the sum are lost, all roundings agree.
        let exact = a.fract() == 0.0 && b.fract() == 0.0 && c.fract() == 0.0;
        let small = a.abs() < 1e6 && b.abs() < 1e6 && c.abs() < 1e15;
        (exact && small && a * b + c != 0.0).then_some(a * b + c)
    });
}

#[test]
fn approximations_are_the_exact_results_rounded() {
    fn exact(op: &str, f: fn(f64) -> f64) {
        check_for::<f32, u8, u8, f32>(("7.0", 75), &format!("{op} %d, %a;"), |a, _, _| {
            Some(f(f64::from(a)) as f32)
        });
    }
    exact("ex2.approx.f32", f64::exp2);
    exact("lg2.approx.f32", f64::log2);
    exact("sin.approx.f32", f64::sin);
    exact("cos.approx.f32", f64::cos);
    exact("rsqrt.approx.f32", |a| 1.0 / a.sqrt());
    exact("sqrt.approx.f32", f64::sqrt);
    exact("rcp.approx.f32", |a| 1.0 / a);
    exact("tanh.approx.f32", f64::tanh);
}

#[test]
fn halves() {
    // f16 through f32: products of two f16 fit f32 exactly, so rounding once more is exact rounding.
    check_for::<f32, f32, u8, f32>(
        ("7.0", 70),
        "cvt.rn.f16.f32 %h0, %a; cvt.rn.f16.f32 %h1, %b; mul.rn.f16 %h2, %h0, %h1; cvt.f32.f16 %d, %h2;",
        |a, b, _| Some(half(half(a) * half(b))),
    );
    check_for::<f32, f32, u8, f32>(
        ("7.0", 70),
        "cvt.rn.f16.f32 %h0, %a; cvt.rn.f16.f32 %h1, %b; add.f16 %h2, %h0, %h1; cvt.f32.f16 %d, %h2;",
        |a, b, _| Some(half64(f64::from(half(a)) + f64::from(half(b)))),
    );
    // A half of the mask for each of two comparisons.
    for (compare, holds) in [
        ("gt", (|a, b| a > b) as fn(f32, f32) -> bool),
        ("lt", |a, b| a < b),
        ("ge", |a, b| a >= b),
        ("eq", |a, b| a == b),
    ] {
        check_for::<f32, f32, u8, u32>(
            ("7.0", 70),
            &format!(
                "cvt.rn.f16.f32 %h0, %a; cvt.rn.f16.f32 %h1, %b; mov.b32 %i0, {{%h0, %h1}}; mov.b32 %i1, {{%h1, %h1}}; \
                 set.{compare}.u32.f16x2 %d, %i0, %i1;"
            ),
            |a, b, _| {
                let mask = |holds: bool| if holds { 0xffff } else { 0 };
                let (a, b) = (half(a), half(b));
                Some(mask(holds(b, b)) << 16 | mask(holds(a, b)))
            },
        );
    }
    check_for::<f32, f32, u8, u32>(
        ("7.0", 80),
        "cvt.rn.bf16x2.f32 %i0, %a, %b; mov.b32 %d, %i0;",
        |a, b, _| {
            let bf = |x: f32| {
                let bits = x.to_bits();
                if x.is_nan() {
                    0x7fff
                } else {
                    (bits + 0x7fff + (bits >> 16 & 1)) >> 16
                }
            };
            Some(bf(a) << 16 | bf(b))
        },
    );
}

/// Rounds to f16's precision and range, staying in f32.
fn half(x: f32) -> f32 {
    half64(f64::from(x))
}

fn half64(x: f64) -> f32 {
    if !x.is_finite() || x == 0.0 {
        return x as f32;
    }
    // Scaling by a power of two brings the last place to one.
    let exponent = (x.abs().log2().floor() as i32).max(-14);
    let place = 2f64.powi(exponent - 10);
    let rounded = (x / place).round_ties_even() * place;
    if rounded.abs() >= 65520.0 {
        (rounded.signum() * f64::INFINITY) as f32
    } else {
        rounded as f32
    }
}

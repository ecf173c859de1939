//! `cvt` between all pairs of types against Rust's `as` and against rounding by hand.

use super::harness::{check, check_for, check1};

#[test]
fn integers_truncate_extend_and_saturate() {
    macro_rules! pairs {
        ($($from:ty: $f:literal => [$($to:ty: $t:literal),*];)*) => {$($(
            check1(concat!("cvt.", $t, ".", $f), |a: $from| a as $to);
            // `.sat` is for destinations that cannot hold every value.
            let all = i128::from(<$from>::MIN) >= i128::from(<$to>::MIN) && i128::from(<$from>::MAX) <= i128::from(<$to>::MAX);
            if !all { check1(concat!("cvt.sat.", $t, ".", $f), |a: $from| {
                i128::from(a).clamp(i128::from(<$to>::MIN), i128::from(<$to>::MAX)) as $to
            }); }
        )*)*};
    }
    pairs! {
        u8: "u8" => [u16: "u16", i16: "s16", u32: "u32", i64: "s64"];
        i8: "s8" => [u16: "u16", i16: "s16", u32: "u32", i32: "s32", u64: "u64", i64: "s64"];
        u16: "u16" => [u8: "u8", i8: "s8", u32: "u32", i32: "s32", u64: "u64"];
        i16: "s16" => [u8: "u8", i8: "s8", u16: "u16", u32: "u32", i32: "s32", i64: "s64"];
        u32: "u32" => [u8: "u8", i8: "s8", u16: "u16", i16: "s16", i32: "s32", u64: "u64", i64: "s64"];
        i32: "s32" => [u8: "u8", i8: "s8", u16: "u16", i16: "s16", u32: "u32", u64: "u64", i64: "s64"];
        u64: "u64" => [u8: "u8", i16: "s16", u32: "u32", i32: "s32", i64: "s64"];
        i64: "s64" => [i8: "s8", u16: "u16", u32: "u32", i32: "s32", u64: "u64"];
    }
}

#[test]
fn integers_to_floats_round_to_nearest() {
    macro_rules! pairs {
        ($($t:ty: $n:literal),*) => {$(
            check1(concat!("cvt.rn.f32.", $n), |a: $t| a as f32);
            check1(concat!("cvt.rn.f64.", $n), |a: $t| a as f64);
        )*};
    }
    pairs!(u8: "u8", i8: "s8", u16: "u16", i16: "s16", u32: "u32", i32: "s32", u64: "u64", i64: "s64");
    // Directed: never past the number, and next to it.
    check1("cvt.rz.f32.u64", |a: u64| {
        let near = a as f32;
        if near as u128 > u128::from(a) {
            near.next_down()
        } else {
            near
        }
    });
    check1("cvt.rp.f64.s64", |a: i64| {
        let near = a as f64;
        if (near as i128) < i128::from(a) {
            near.next_up()
        } else {
            near
        }
    });
    check1("cvt.rm.f32.s32", |a: i32| {
        let near = a as f32;
        if f64::from(near) > f64::from(a) {
            near.next_down()
        } else {
            near
        }
    });
}

#[test]
fn floats_to_integers_clamp() {
    macro_rules! to {
        ($float:ty: $f:literal => [$($t:ty: $n:literal),*]) => {$(
            for (mode, round) in [
                ("rzi", <$float>::trunc as fn($float) -> $float),
                ("rni", <$float>::round_ties_even),
                ("rmi", <$float>::floor),
                ("rpi", <$float>::ceil),
            ] {
                check1(&format!("cvt.{mode}.{}.{}", $n, $f), |a: $float| {
                    if a.is_nan() {
                        // Zero, unless f64 or a 64-bit integer takes part: then the top bit.
                        let wide = $f == "f64" || <$t>::BITS == 64;
                        return if wide { <$t>::MAX / 2 + 1 } else { 0 };
                    }
                    round(a) as $t
                });
            }
        )*};
    }
    macro_rules! signed {
        ($float:ty: $f:literal => [$($t:ty: $n:literal),*]) => {$(
            for (mode, round) in [
                ("rzi", <$float>::trunc as fn($float) -> $float),
                ("rni", <$float>::round_ties_even),
                ("rmi", <$float>::floor),
                ("rpi", <$float>::ceil),
            ] {
                check1(&format!("cvt.{mode}.{}.{}", $n, $f), |a: $float| {
                    if a.is_nan() {
                        let wide = $f == "f64" || <$t>::BITS == 64;
                        return if wide { <$t>::MIN } else { 0 };
                    }
                    round(a) as $t
                });
            }
        )*};
    }
    to!(f32: "f32" => [u8: "u8", u16: "u16", u32: "u32", u64: "u64"]);
    to!(f64: "f64" => [u8: "u8", u16: "u16", u32: "u32", u64: "u64"]);
    signed!(f32: "f32" => [i8: "s8", i16: "s16", i32: "s32", i64: "s64"]);
    signed!(f64: "f64" => [i8: "s8", i16: "s16", i32: "s32", i64: "s64"]);
    check1("cvt.rzi.ftz.s32.f32", |a: f32| a as i32);
    check1("cvt.rpi.ftz.s32.f32", |a: f32| {
        if a.is_subnormal() { 0 } else { a.ceil() as i32 }
    });
}

#[test]
fn floats_to_floats() {
    check1("cvt.rn.f32.f64", |a: f64| a as f32);
    check1("cvt.f64.f32", |a: f32| f64::from(a));
    check1("cvt.rni.f32.f32", |a: f32| a.round_ties_even());
    check1("cvt.rzi.f32.f32", |a: f32| a.trunc());
    check1("cvt.rmi.f64.f64", |a: f64| a.floor());
    check1("cvt.rpi.f64.f64", |a: f64| a.ceil());
    check1("cvt.rni.f64.f64", |a: f64| a.round_ties_even());
    check1(
        "cvt.sat.f32.f32",
        |a: f32| if a > 0.0 { a.min(1.0) } else { 0.0 },
    );
    check1("cvt.ftz.f64.f32", |a: f32| {
        if a.is_subnormal() {
            0f64.copysign(f64::from(a))
        } else {
            f64::from(a)
        }
    });
    check1("cvt.rn.ftz.f32.f64", |a: f64| {
        let x = a as f32;
        if x.is_subnormal() {
            0f32.copysign(x)
        } else {
            x
        }
    });
}

#[test]
fn nans_keep_their_payload_between_formats() {
    // As an H200 has it; PTX leaves it open.
    let nan = |a: u32| a & 0x7fff_ffff > 0x7f80_0000;
    for op in ["cvt.f64.f32", "cvt.ftz.f64.f32"] {
        let ftz = op.contains("ftz");
        check_for::<u32, u8, u8, u64>(
            ("7.0", 70),
            &format!("mov.b32 %s0, 0fFFA12345; {op} %l0, %s0; mov.b64 %d, %l0;"),
            |_, _, _| {
                Some(if ftz {
                    0x7fff_ffff_e000_0000
                } else {
                    0xfffc_2468_a000_0000
                })
            },
        );
    }
    check::<f64, u8, u8, u32>("cvt.rn.f32.f64 %s0, %a; mov.b32 %d, %s0;", |a, _, _| {
        let narrow = (a as f32).to_bits();
        if nan(narrow) {
            (a.to_bits() >> 32) as u32 & 0x8000_0000
                | 0x7fc0_0000
                | (a.to_bits() >> 29) as u32 & 0x3f_ffff
        } else {
            narrow
        }
    });
}

#[test]
fn wide_registers_are_extended_by_the_sign() {
    check::<i32, u8, u8, i64>("cvt.s8.s32 %l0, %a; mov.b64 %d, %l0;", |a, _, _| {
        i64::from(a as i8)
    });
    check::<i32, u8, u8, u64>("cvt.u16.s32 %l0, %a; mov.b64 %d, %l0;", |a, _, _| {
        u64::from(a as u16)
    });
    check::<u64, u8, u8, u32>("cvt.u32.u8 %d, %a;", |a, _, _| u32::from(a as u8));
    check::<u64, u8, u8, i32>("cvt.s32.s16 %d, %a;", |a, _, _| i32::from(a as i16));
}

#[test]
fn loads_and_stores_change_width() {
    // The operand array holds 24 bytes per thread: a, b, c.
    check::<u64, u8, u8, i32>("ld.global.s8 %d, [%x1];", |a, _, _| i32::from(a as i8));
    check::<u64, u8, u8, i64>("ld.global.s16 %d, [%x1+2];", |a, _, _| {
        i64::from((a >> 16) as i16)
    });
    check::<u64, u8, u8, u64>("ld.global.u32 %d, [%x1+4];", |a, _, _| a >> 32);
    check::<u64, u64, u8, u64>(
        "ld.global.v2.u32 {%i0, %i1}, [%x1]; ld.global.v4.u16 {%h0, _, %h1, %h2}, [%x1+8];
         st.local.u32 [scratch], %i1; st.local.v2.u16 [scratch+4], {%h1, %h2}; ld.local.u64 %d, [scratch];",
        |a, b, _| a >> 32 | (b >> 32) << 32,
    );
}

//! Integer arithmetic against Rust's.

use super::harness::{check, check_for, check1, check2, check3};

/// One check per type (`T` in the closure), the type's name at the end of the opcode.
macro_rules! per_type {
    ($($t:ty: $name:literal),*; $op:literal, $f:tt) => {$({
        #[allow(dead_code)]
        type T = $t;
        per_type!(@ $t, concat!($op, ".", $name), $f);
    })*};
    (@ $t:ty, $op:expr, (|$a:ident| $e:expr)) => { check1($op, |$a: $t| -> $t { $e }) };
    (@ $t:ty, $op:expr, (|$a:ident, $b:ident| $e:expr)) => { check2($op, |$a: $t, $b: $t| -> $t { $e }) };
    (@ $t:ty, $op:expr, (|$a:ident, $b:ident, $c:ident| $e:expr)) => {
        check3($op, |$a: $t, $b: $t, $c: $t| -> $t { $e })
    };
}

macro_rules! ints {
    ($op:literal, $f:tt) => {
        per_type!(u16: "u16", i16: "s16", u32: "u32", i32: "s32", u64: "u64", i64: "s64"; $op, $f)
    };
}

#[test]
fn add_sub_mul() {
    ints!("add", (|a, b| a.wrapping_add(b)));
    ints!("sub", (|a, b| a.wrapping_sub(b)));
    ints!("mul.lo", (|a, b| a.wrapping_mul(b)));
    ints!("mad.lo", (|a, b, c| a.wrapping_mul(b).wrapping_add(c)));
    check2("add.sat.s32", |a: i32, b: i32| a.saturating_add(b));
    check2("sub.sat.s32", |a: i32, b: i32| a.saturating_sub(b));
}

#[test]
fn high_and_wide_products() {
    ints!(
        "mul.hi",
        (|a, b| {
            let bits = T::BITS;
            if T::MIN == 0 {
                ((a as u128).wrapping_mul(b as u128) >> bits) as T
            } else {
                ((a as i128).wrapping_mul(b as i128) >> bits) as T
            }
        })
    );
    check3("mad.hi.s32", |a: i32, b: i32, c: i32| {
        (((i64::from(a) * i64::from(b)) >> 32) as i32).wrapping_add(c)
    });
    check3("mad.hi.u64", |a: u64, b: u64, c: u64| {
        (((u128::from(a) * u128::from(b)) >> 64) as u64).wrapping_add(c)
    });
    check3("mad.hi.sat.s32", |a: i32, b: i32, c: i32| {
        let v = ((i64::from(a) * i64::from(b)) >> 32) + i64::from(c);
        v.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    });
    check2("mul.wide.u16", |a: u16, b: u16| u32::from(a) * u32::from(b));
    check2("mul.wide.s16", |a: i16, b: i16| i32::from(a) * i32::from(b));
    check2("mul.wide.u32", |a: u32, b: u32| u64::from(a) * u64::from(b));
    check2("mul.wide.s32", |a: i32, b: i32| i64::from(a) * i64::from(b));
    check3("mad.wide.s16", |a: i16, b: i16, c: i32| {
        (i32::from(a) * i32::from(b)).wrapping_add(c)
    });
    check3("mad.wide.u32", |a: u32, b: u32, c: u64| {
        (u64::from(a) * u64::from(b)).wrapping_add(c)
    });
    check3("mad.wide.s32", |a: i32, b: i32, c: i64| {
        (i64::from(a) * i64::from(b)).wrapping_add(c)
    });
}

#[test]
fn products_of_24_bits() {
    let s = |a: i32| i64::from(a << 8 >> 8);
    let u = |a: u32| u64::from(a & 0xff_ffff);
    check2("mul24.lo.u32", |a: u32, b: u32| (u(a) * u(b)) as u32);
    check2("mul24.hi.u32", |a: u32, b: u32| {
        ((u(a) * u(b)) >> 16) as u32
    });
    check2("mul24.lo.s32", |a: i32, b: i32| (s(a) * s(b)) as i32);
    check2("mul24.hi.s32", |a: i32, b: i32| {
        ((s(a) * s(b)) >> 16) as i32
    });
    check3("mad24.lo.s32", |a: i32, b: i32, c: i32| {
        ((s(a) * s(b)) as i32).wrapping_add(c)
    });
    check3("mad24.hi.u32", |a: u32, b: u32, c: u32| {
        (((u(a) * u(b)) >> 16) as u32).wrapping_add(c)
    });
}

#[test]
fn division_truncates_and_wraps() {
    macro_rules! division {
        ($($t:ty: $name:literal),*) => {$(
            check_for::<$t, $t, u8, $t>(("7.0", 70), concat!("div.", $name, " %d, %a, %b;"), |a, b, _| {
                (b != 0).then(|| a.wrapping_div(b))
            });
            check_for::<$t, $t, u8, $t>(("7.0", 70), concat!("rem.", $name, " %d, %a, %b;"), |a, b, _| {
                (b != 0).then(|| a.wrapping_rem(b))
            });
        )*};
    }
    division!(u16: "u16", i16: "s16", u32: "u32", i32: "s32", u64: "u64", i64: "s64");
}

#[test]
fn signs_and_extrema() {
    per_type!(i16: "s16", i32: "s32", i64: "s64"; "abs", (|a| a.wrapping_abs()));
    per_type!(i16: "s16", i32: "s32", i64: "s64"; "neg", (|a| a.wrapping_neg()));
    ints!("min", (|a, b| a.min(b)));
    ints!("max", (|a, b| a.max(b)));
    ints!(
        "sad",
        (|a, b, c| c.wrapping_add(a.max(b).wrapping_sub(a.min(b))))
    );
}

#[test]
fn carries_chain() {
    check::<u64, u64, u8, u64>(
        "mov.b64 {%i0, %i1}, %a; mov.b64 {%i2, %i3}, %b;
         add.cc.u32 %i4, %i0, %i2; addc.u32 %i5, %i1, %i3; mov.b64 %d, {%i4, %i5};",
        |a, b, _| a.wrapping_add(b),
    );
    check::<u64, u64, u8, u64>(
        "mov.b64 {%i0, %i1}, %a; mov.b64 {%i2, %i3}, %b;
         sub.cc.u32 %i4, %i0, %i2; subc.u32 %i5, %i1, %i3; mov.b64 %d, {%i4, %i5};",
        |a, b, _| a.wrapping_sub(b),
    );
    // Bits 64 to 127 of a + b and of a - b, in 128 bits.
    check::<u64, u64, u64, u64>("add.cc.u64 %l0, %a, %b; addc.u64 %d, %c, 0;", |a, b, c| {
        c.wrapping_add(u64::from(a.checked_add(b).is_none()))
    });
    check::<u64, u64, u64, u64>(
        "sub.cc.u64 %l0, %a, %b; subc.cc.u64 %l1, %c, 0; subc.u64 %d, 0, 0;",
        |a, b, c| 0u64.wrapping_sub(u64::from(a < b && c == 0)),
    );
    // The full product of two 64-bit numbers from 32-bit parts, upper half.
    check::<u64, u64, u8, u64>(
        "mov.b64 {%i0, %i1}, %a; mov.b64 {%i2, %i3}, %b;
         mul.lo.u32 %i4, %i0, %i2; mul.hi.u32 %i5, %i0, %i2;
         mad.lo.cc.u32 %i5, %i0, %i3, %i5; madc.hi.u32 %i6, %i0, %i3, 0;
         mad.lo.cc.u32 %i5, %i1, %i2, %i5; madc.hi.cc.u32 %i6, %i1, %i2, %i6; addc.u32 %i7, 0, 0;
         mad.lo.cc.u32 %i6, %i1, %i3, %i6; madc.hi.u32 %i7, %i1, %i3, %i7;
         mov.b64 %d, {%i6, %i7};",
        |a, b, _| ((u128::from(a) * u128::from(b)) >> 64) as u64,
    );
}

#[test]
fn dot_products() {
    check3("dp4a.u32.u32", |a: u32, b: u32, c: u32| {
        let (x, y) = (a.to_le_bytes(), b.to_le_bytes());
        (0..4).fold(c, |s, i| s.wrapping_add(u32::from(x[i]) * u32::from(y[i])))
    });
    check3("dp4a.s32.u32", |a: u32, b: u32, c: i32| {
        let (x, y) = (a.to_le_bytes(), b.to_le_bytes());
        (0..4).fold(c, |s, i| {
            s.wrapping_add(i32::from(x[i] as i8) * i32::from(y[i]))
        })
    });
    check3("dp4a.s32.s32", |a: u32, b: u32, c: i32| {
        let (x, y) = (a.to_le_bytes(), b.to_le_bytes());
        (0..4).fold(c, |s, i| {
            s.wrapping_add(i32::from(x[i] as i8) * i32::from(y[i] as i8))
        })
    });
    check3("dp2a.hi.u32.s32", |a: u32, b: u32, c: i32| {
        let y = b.to_le_bytes();
        let part = |h: u32, y: u8| (h as i32).wrapping_mul(i32::from(y as i8));
        c.wrapping_add(part(a & 0xffff, y[2]))
            .wrapping_add(part(a >> 16, y[3]))
    });
    check3("dp2a.lo.s32.s32", |a: u32, b: u32, c: i32| {
        let y = b.to_le_bytes();
        let part = |h: u32, y: u8| i32::from(h as u16 as i16).wrapping_mul(i32::from(y as i8));
        c.wrapping_add(part(a & 0xffff, y[0]))
            .wrapping_add(part(a >> 16, y[1]))
    });
}

#[test]
fn halves_add_by_themselves() {
    check_for::<u32, u32, u8, u32>(
        ("8.0", 90),
        "mov.b32 %i0, %a; mov.b32 %i1, %b; add.u16x2 %i2, %i0, %i1; mov.b32 %d, %i2;",
        |a, b, _| {
            let lo = (a as u16).wrapping_add(b as u16);
            let hi = ((a >> 16) as u16).wrapping_add((b >> 16) as u16);
            Some(u32::from(hi) << 16 | u32::from(lo))
        },
    );
}

#[test]
fn set_and_select() {
    check::<i32, i32, u32, u32>("set.lt.u32.s32 %d, %a, %b;", |a, b, _| {
        if a < b { u32::MAX } else { 0 }
    });
    check::<u32, u32, u32, f32>(
        "set.hs.f32.u32 %d, %a, %b;",
        |a, b, _| if a >= b { 1.0 } else { 0.0 },
    );
    check::<u64, u64, i32, u64>(
        "slct.u64.s32 %d, %a, %b, %c;",
        |a, b, c| if c >= 0 { a } else { b },
    );
    check::<u32, u32, f32, u32>(
        "slct.u32.f32 %d, %a, %b, %c;",
        |a, b, c| if c >= 0.0 { a } else { b },
    );
    check::<u32, u32, u32, u32>(
        "setp.lo.u32 %p0, %a, %c; setp.gt.and.s32 %p1|%p2, %a, %b, %p0;
         selp.u32 %i0, 1, 0, %p1; selp.u32 %i1, 2, 0, %p2; or.b32 %d, %i0, %i1;",
        |a, b, c| {
            let (less, greater) = (a < c, a as i32 > b as i32);
            u32::from(greater && less) | u32::from(!greater && less) << 1
        },
    );
    check::<i64, i64, i16, u32>(
        "setp.eq.s16 %p0, %c, 0; setp.ne.or.s64 %p1|%p2, %a, %b, !%p0; xor.pred %p1, %p1, %p2; not.pred %p2, %p1;
         selp.u32 %d, 7, 9, %p2;",
        |a, b, c| {
            let (p, q) = ((a != b) || c != 0, (a == b) || c != 0);
            if p == q { 7 } else { 9 }
        },
    );
}

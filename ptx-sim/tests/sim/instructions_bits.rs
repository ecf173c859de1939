//! Logic, shifts, bit fields, bytes.

use super::harness::{check, check_for, check1, check2, check3};

#[test]
fn logic() {
    macro_rules! all {
        ($($t:ty: $name:literal),*) => {$(
            check2(concat!("and.", $name), |a: $t, b: $t| a & b);
            check2(concat!("or.", $name), |a: $t, b: $t| a | b);
            check2(concat!("xor.", $name), |a: $t, b: $t| a ^ b);
            check1(concat!("not.", $name), |a: $t| !a);
            check1(concat!("cnot.", $name), |a: $t| <$t>::from(a == 0));
        )*};
    }
    all!(u16: "b16", u32: "b32", u64: "b64");
}

#[test]
fn shifts_clamp() {
    check2("shl.b16", |a: u16, n: u32| a.checked_shl(n).unwrap_or(0));
    check2("shl.b32", |a: u32, n: u32| a.checked_shl(n).unwrap_or(0));
    check2("shl.b64", |a: u64, n: u32| a.checked_shl(n).unwrap_or(0));
    check2("shr.u16", |a: u16, n: u32| a.checked_shr(n).unwrap_or(0));
    check2("shr.u32", |a: u32, n: u32| a.checked_shr(n).unwrap_or(0));
    check2("shr.b64", |a: u64, n: u32| a.checked_shr(n).unwrap_or(0));
    check2("shr.s16", |a: i16, n: u32| a >> n.min(15));
    check2("shr.s32", |a: i32, n: u32| a >> n.min(31));
    check2("shr.s64", |a: i64, n: u32| a >> n.min(63));
}

#[test]
fn funnel_shifts() {
    let pair = |a: u32, b: u32| u64::from(b) << 32 | u64::from(a);
    check3("shf.l.wrap.b32", |a: u32, b: u32, n: u32| {
        ((pair(a, b) << (n % 32)) >> 32) as u32
    });
    check3("shf.l.clamp.b32", |a: u32, b: u32, n: u32| {
        if n >= 32 {
            a
        } else {
            ((pair(a, b) << n) >> 32) as u32
        }
    });
    check3("shf.r.wrap.b32", |a: u32, b: u32, n: u32| {
        (pair(a, b) >> (n % 32)) as u32
    });
    check3("shf.r.clamp.b32", |a: u32, b: u32, n: u32| {
        if n >= 32 { b } else { (pair(a, b) >> n) as u32 }
    });
}

/// The pseudo-code of the PTX ISA, bit by bit.
fn bfe(a: u64, b: u32, c: u32, width: u32, signed: bool) -> u64 {
    let (pos, len, msb) = (b & 0xff, c & 0xff, width - 1);
    let bit = |i: u32| a >> i & 1;
    let sign = if !signed || len == 0 {
        0
    } else {
        bit((pos + len - 1).min(msb))
    };
    (0..=msb).fold(0, |d, i| {
        let v = if i < len && pos + i <= msb {
            bit(pos + i)
        } else {
            sign
        };
        d | v << i
    })
}

fn bfi(a: u64, b: u64, c: u32, d: u32, width: u32) -> u64 {
    let (pos, len, msb) = (c & 0xff, d & 0xff, width - 1);
    let mut f = b;
    for i in 0..len {
        if pos + i > msb {
            break;
        }
        f = f & !(1 << (pos + i)) | (a >> i & 1) << (pos + i);
    }
    f
}

#[test]
fn bit_fields() {
    check3("bfe.u32", |a: u32, b: u32, c: u32| {
        bfe(a.into(), b, c, 32, false) as u32
    });
    check3("bfe.s32", |a: i32, b: u32, c: u32| {
        bfe(u64::from(a as u32), b, c, 32, true) as i32
    });
    // 64-bit ones with a position or length beyond a byte are left out: the PTX ISA takes the low
    // byte of them, and hardware does not.
    let small = |b: u32, c: u32| b < 256 && c < 256;
    check_for::<u64, u32, u32, u64>(("7.0", 70), "bfe.u64 %d, %a, %b, %c;", |a, b, c| {
        small(b, c).then(|| bfe(a, b, c, 64, false))
    });
    check_for::<i64, u32, u32, i64>(("7.0", 70), "bfe.s64 %d, %a, %b, %c;", |a, b, c| {
        small(b, c).then(|| bfe(a as u64, b, c, 64, true) as i64)
    });
    for (pos, len) in [
        (0, 0),
        (0, 32),
        (5, 7),
        (31, 1),
        (31, 9),
        (32, 1),
        (200, 3),
        (3, 255),
    ] {
        check::<u32, u32, u32, u32>(&format!("bfi.b32 %d, %a, %b, {pos}, {len};"), |a, b, _| {
            bfi(a.into(), b.into(), pos, len, 32) as u32
        });
        check::<u64, u64, u32, u64>(&format!("bfi.b64 %d, %a, %b, {pos}, {len};"), |a, b, _| {
            bfi(a, b, pos, len, 64)
        });
    }
    check::<u32, u32, u32, u32>("bfi.b32 %d, %a, %b, %c, 4;", |a, b, c| {
        bfi(a.into(), b.into(), c, 4, 32) as u32
    });
}

#[test]
fn counting_bits() {
    check1("clz.b32", |a: u32| a.leading_zeros());
    check1("clz.b64", |a: u64| a.leading_zeros());
    check1("popc.b32", |a: u32| a.count_ones());
    check1("popc.b64", |a: u64| a.count_ones());
    check1("brev.b32", |a: u32| a.reverse_bits());
    check1("brev.b64", |a: u64| a.reverse_bits());
    let top = |a: u64| {
        if a == 0 {
            u32::MAX
        } else {
            63 - a.leading_zeros()
        }
    };
    check1("bfind.u32", |a: u32| top(a.into()));
    check1("bfind.u64", top);
    check1("bfind.s32", |a: i32| {
        top(u64::from((if a < 0 { !a } else { a }) as u32))
    });
    check1("bfind.s64", |a: i64| {
        top((if a < 0 { !a } else { a }) as u64)
    });
    check1("bfind.shiftamt.u32", |a: u32| {
        if a == 0 { u32::MAX } else { a.leading_zeros() }
    });
    check1("bfind.shiftamt.s64", |a: i64| {
        let a = if a < 0 { !a } else { a };
        if a == 0 { u32::MAX } else { a.leading_zeros() }
    });
    // The pseudo-code of the PTX ISA; it is for bases within the word.
    check_for::<u32, u32, i32, u32>(("7.0", 70), "fns.b32 %d, %a, %b, %c;", |mask, base, n| {
        let set = |i: i64| (0..32).contains(&i) && mask >> i & 1 == 1;
        let (mut at, step, mut left) = (
            i64::from(base),
            if n < 0 { -1 } else { 1 },
            n.unsigned_abs(),
        );
        if base > 31 || n.unsigned_abs() > 1 << 30 {
            return None;
        }
        if n == 0 {
            return Some(if set(at) { base } else { u32::MAX });
        }
        while (0..32).contains(&at) {
            if set(at) {
                left -= 1;
                if left == 0 {
                    return Some(at as u32);
                }
            }
            at += step;
        }
        Some(u32::MAX)
    });
}

#[test]
fn bytes_permute() {
    let byte = |a: u32, b: u32, sel: u32| {
        let all = [a.to_le_bytes(), b.to_le_bytes()].concat();
        let v = all[(sel & 7) as usize];
        if sel & 8 == 0 {
            v
        } else if v & 0x80 != 0 {
            0xff
        } else {
            0
        }
    };
    check3("prmt.b32", |a: u32, b: u32, c: u32| {
        u32::from_le_bytes([0, 1, 2, 3].map(|i| byte(a, b, c >> (4 * i) & 15)))
    });
    // Tables of the PTX ISA, from the most significant byte to the least.
    type Table = [[u32; 4]; 4];
    let modes: [(&str, Table); 6] = [
        (
            "f4e",
            [[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]],
        ),
        (
            "b4e",
            [[5, 6, 7, 0], [6, 7, 0, 1], [7, 0, 1, 2], [0, 1, 2, 3]],
        ),
        (
            "rc8",
            [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]],
        ),
        (
            "ecl",
            [[3, 2, 1, 0], [3, 2, 1, 1], [3, 2, 2, 2], [3, 3, 3, 3]],
        ),
        (
            "ecr",
            [[0, 0, 0, 0], [1, 1, 1, 0], [2, 2, 1, 0], [3, 2, 1, 0]],
        ),
        (
            "rc16",
            [[1, 0, 1, 0], [3, 2, 3, 2], [1, 0, 1, 0], [3, 2, 3, 2]],
        ),
    ];
    for (mode, table) in modes {
        check3(&format!("prmt.b32.{mode}"), |a: u32, b: u32, c: u32| {
            let row = table[(c & 3) as usize];
            u32::from_be_bytes(row.map(|i| byte(a, b, i)))
        });
    }
}

#[test]
fn three_input_logic() {
    for table in [0x00u32, 0xff, 0x80, 0x96, 0xe8, 0x1e, 0xca, 0x3c, 0xf0] {
        check::<u32, u32, u32, u32>(&format!("lop3.b32 %d, %a, %b, %c, {table};"), |a, b, c| {
            (0..32).fold(0, |d, i| {
                let row = (a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1;
                d | (table >> row & 1) << i
            })
        });
    }
}

#[test]
fn extension_and_masks() {
    let new = ("7.6", 70);
    check_for::<u32, u32, u8, u32>(new, "szext.clamp.u32 %d, %a, %b;", |a, n, _| {
        Some(if n >= 32 { a } else { a & ((1 << n) - 1) })
    });
    check_for::<i32, u32, u8, i32>(new, "szext.wrap.s32 %d, %a, %b;", |a, n, _| {
        let n = n & 31;
        Some(if n == 0 { 0 } else { a << (32 - n) >> (32 - n) })
    });
    check_for::<u32, u32, u8, u32>(new, "bmsk.clamp.b32 %d, %a, %b;", |a, b, _| {
        let (a, b) = (a.min(32), b.min(32));
        Some((((1u64 << b) - 1) << a) as u32)
    });
    check_for::<u32, u32, u8, u32>(new, "bmsk.wrap.b32 %d, %a, %b;", |a, b, _| {
        Some(((1u32 << (b & 31)) - 1) << (a & 31))
    });
}

#[test]
fn packing() {
    check::<u16, u16, u8, u32>("mov.b32 %d, {%a, %b};", |a, b, _| {
        u32::from(b) << 16 | u32::from(a)
    });
    check::<u32, u32, u8, u64>("mov.b64 %d, {%a, %b};", |a, b, _| {
        u64::from(b) << 32 | u64::from(a)
    });
    check::<u64, u8, u8, u32>(
        "mov.b64 {%i0, %i1}, %a; xor.b32 %d, %i0, %i1;",
        |a, _, _| a as u32 ^ (a >> 32) as u32,
    );
    check::<u64, u8, u8, u16>(
        "mov.b64 {_, %h0, _, %h1}, %a; sub.u16 %d, %h1, %h0;",
        |a, _, _| ((a >> 48) as u16).wrapping_sub((a >> 16) as u16),
    );
}

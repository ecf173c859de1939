//! Logic, shifts and bit fields. Shift amounts at or above the width clamp, as PTX has it.

use super::{by_type, lanes, untyped};
use crate::isa::{Fn1, Fn2, Fn3, Type};

pub(crate) fn and(ty: Type) -> Option<Fn2> {
    untyped!(ty, |a, b| a & b)
}

pub(crate) fn or(ty: Type) -> Option<Fn2> {
    untyped!(ty, |a, b| a | b)
}

pub(crate) fn xor(ty: Type) -> Option<Fn2> {
    untyped!(ty, |a, b| a ^ b)
}

pub(crate) fn not(ty: Type) -> Option<Fn1> {
    untyped!(ty, |a| !a)
}

/// Logical negation of C: 1 for zero, else 0.
pub(crate) fn cnot(ty: Type) -> Option<Fn1> {
    untyped!(ty, |a| T::from(a == 0))
}

/// Shift left; the amount is a u32.
pub(crate) fn shl(ty: Type) -> Option<Fn2> {
    Some(match ty {
        Type::B16 => lanes!(|a: u16, n: u32| a.checked_shl(n).unwrap_or(0)),
        Type::B32 => lanes!(|a: u32, n: u32| a.checked_shl(n).unwrap_or(0)),
        Type::B64 => lanes!(|a: u64, n: u32| a.checked_shl(n).unwrap_or(0)),
        _ => return None,
    })
}

/// Shift right: signed types fill with the sign.
pub(crate) fn shr(ty: Type) -> Option<Fn2> {
    Some(match ty {
        Type::B16 | Type::U16 => lanes!(|a: u16, n: u32| a.checked_shr(n).unwrap_or(0)),
        Type::B32 | Type::U32 => lanes!(|a: u32, n: u32| a.checked_shr(n).unwrap_or(0)),
        Type::B64 | Type::U64 => lanes!(|a: u64, n: u32| a.checked_shr(n).unwrap_or(0)),
        Type::S16 => lanes!(|a: i16, n: u32| a >> n.min(15)),
        Type::S32 => lanes!(|a: i32, n: u32| a >> n.min(31)),
        Type::S64 => lanes!(|a: i64, n: u32| a >> n.min(63)),
        _ => return None,
    })
}

/// Funnel shift of `{b, a}` (a is the low word): `left`/`right`, amount clamped or wrapped.
pub(crate) fn shf(left: bool, wrap: bool) -> Fn3 {
    fn pair(lo: u32, hi: u32) -> u64 {
        u64::from(hi) << 32 | u64::from(lo)
    }
    match (left, wrap) {
        (true, true) => lanes!(|a: u32, b: u32, n: u32| (pair(a, b) << (n & 31) >> 32) as u32),
        (true, false) => lanes!(|a: u32, b: u32, n: u32| (pair(a, b) << n.min(32) >> 32) as u32),
        (false, true) => lanes!(|a: u32, b: u32, n: u32| (pair(a, b) >> (n & 31)) as u32),
        (false, false) => lanes!(|a: u32, b: u32, n: u32| (pair(a, b) >> n.min(32)) as u32),
    }
}

/// Bit field extract: position and length are the low bytes of `b` and `c`.
pub(crate) fn bfe(ty: Type) -> Option<Fn3> {
    fn field(a: u64, pos: u32, len: u32, width: u32, signed: bool) -> u64 {
        let (pos, len) = (pos & 0xff, len & 0xff);
        let bit = |i: u32| if i < width { (a >> i) & 1 } else { 0 };
        // The sign bit is the field's top one, or the number's where the field reaches past it.
        let sign = signed && len > 0 && bit((pos + len - 1).min(width - 1)) == 1;
        let have = if pos >= width {
            0
        } else {
            len.min(width - pos)
        };
        let mask = |n: u32| if n >= 64 { u64::MAX } else { (1u64 << n) - 1 };
        let value = if have == 0 {
            0
        } else {
            (a >> pos) & mask(have)
        };
        let filled = if sign { value | !mask(have) } else { value };
        filled & mask(width)
    }
    Some(match ty {
        Type::U32 => lanes!(|a: u32, p: u32, n: u32| field(u64::from(a), p, n, 32, false)),
        Type::S32 => lanes!(|a: u32, p: u32, n: u32| field(u64::from(a), p, n, 32, true)),
        Type::U64 => lanes!(|a: u64, p: u32, n: u32| field(a, p, n, 64, false)),
        Type::S64 => lanes!(|a: u64, p: u32, n: u32| field(a, p, n, 64, true)),
        _ => return None,
    })
}

/// Bit field insert of `a` into `b`; `pos` and `len` come packed into the third operand
/// (position in the low, length in the next byte), which the decoder computes.
pub(crate) fn bfi(ty: Type) -> Option<Fn3> {
    fn insert(a: u64, b: u64, packed: u32, width: u32) -> u64 {
        let (pos, len) = (packed & 0xff, packed >> 8 & 0xff);
        if pos >= width || len == 0 {
            return b;
        }
        let len = len.min(width - pos);
        let mask = (if len >= 64 {
            u64::MAX
        } else {
            (1u64 << len) - 1
        }) << pos;
        b & !mask | (a << pos) & mask
    }
    Some(match ty {
        Type::B32 => lanes!(|a: u32, b: u32, pn: u32| insert(u64::from(a), u64::from(b), pn, 32)),
        Type::B64 => lanes!(|a: u64, b: u64, pn: u32| insert(a, b, pn, 64)),
        _ => return None,
    })
}

/// Packs `bfi`'s position and length.
pub(crate) fn pack_field() -> Fn2 {
    lanes!(|pos: u32, len: u32| pos & 0xff | (len & 0xff) << 8)
}

/// Position of the most significant set (or, for negative numbers, clear) bit; all ones if none.
/// `.shiftamt` gives the left shift that brings it to the top.
pub(crate) fn bfind(ty: Type, shift: bool) -> Option<Fn1> {
    fn find(a: u64, width: u32, shift: bool) -> u32 {
        if a == 0 {
            return u32::MAX;
        }
        let top = 63 - a.leading_zeros();
        if shift { width - 1 - top } else { top }
    }
    Some(match (ty, shift) {
        (Type::U32, false) => lanes!(|a: u32| find(u64::from(a), 32, false)),
        (Type::U32, true) => lanes!(|a: u32| find(u64::from(a), 32, true)),
        (Type::S32, false) => lanes!(|a: i32| find(u64::from((a ^ a >> 31) as u32), 32, false)),
        (Type::S32, true) => lanes!(|a: i32| find(u64::from((a ^ a >> 31) as u32), 32, true)),
        (Type::U64, false) => lanes!(|a: u64| find(a, 64, false)),
        (Type::U64, true) => lanes!(|a: u64| find(a, 64, true)),
        (Type::S64, false) => lanes!(|a: i64| find((a ^ a >> 63) as u64, 64, false)),
        (Type::S64, true) => lanes!(|a: i64| find((a ^ a >> 63) as u64, 64, true)),
        _ => return None,
    })
}

pub(crate) fn brev(ty: Type) -> Option<Fn1> {
    by_type!(ty, { B32: u32, B64: u64 }, |a| a.reverse_bits())
}

pub(crate) fn clz(ty: Type) -> Option<Fn1> {
    by_type!(ty, { B32: u32, B64: u64 }, |a| a.leading_zeros())
}

pub(crate) fn popc(ty: Type) -> Option<Fn1> {
    by_type!(ty, { B32: u32, B64: u64 }, |a| a.count_ones())
}

/// How `prmt` picks bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permute {
    Default,
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

/// Byte permute of the eight bytes of `{b, a}`.
pub(crate) fn prmt(mode: Permute) -> Fn3 {
    fn bytes(a: u32, b: u32, mut pick: impl FnMut(u32) -> u32) -> u32 {
        let pair = u64::from(b) << 32 | u64::from(a);
        (0..4).fold(0, |out, i| {
            let sel = pick(i);
            let byte = (pair >> (8 * (sel & 7))) as u8;
            // The selector's top bit replicates the byte's sign.
            let byte = if sel & 8 == 0 {
                byte
            } else {
                ((byte as i8) >> 7) as u8
            };
            out | u32::from(byte) << (8 * i)
        })
    }
    match mode {
        Permute::Default => lanes!(|a: u32, b: u32, c: u32| bytes(a, b, |i| c >> (4 * i) & 15)),
        Permute::F4e => lanes!(|a: u32, b: u32, c: u32| bytes(a, b, |i| ((c & 3) + i) & 7)),
        Permute::B4e => {
            lanes!(|a: u32, b: u32, c: u32| bytes(a, b, |i| (c & 3).wrapping_sub(i) & 7))
        }
        Permute::Rc8 => lanes!(|a: u32, b: u32, c: u32| bytes(a, b, |_| c & 3)),
        Permute::Ecl => lanes!(|a: u32, b: u32, c: u32| bytes(a, b, |i| i.max(c & 3))),
        Permute::Ecr => lanes!(|a: u32, b: u32, c: u32| bytes(a, b, |i| i.min(c & 3))),
        Permute::Rc16 => lanes!(|a: u32, b: u32, c: u32| bytes(a, b, |i| (c & 1) * 2 + (i & 1))),
    }
}

/// `lop3` with a constant table: three inputs by eight table bits, computed from two halves, each
/// a function of `a` and `b`. The table travels as a fourth operand in the high word of `c`.
pub(crate) fn lop3() -> Fn3 {
    lanes!(|a: u32, b: u32, ct: u64| {
        let (c, table) = (ct as u32, (ct >> 32) as u32);
        (0..8u32).fold(0u32, |out, row| {
            let pick = |v: u32, bit: u32| if row >> bit & 1 == 1 { v } else { !v };
            let hit = pick(a, 2) & pick(b, 1) & pick(c, 0);
            if table >> row & 1 == 1 {
                out | hit
            } else {
                out
            }
        })
    })
}

/// Joins `lop3`'s third operand and its table.
pub(crate) fn join() -> Fn2 {
    lanes!(|c: u32, table: u32| u64::from(table) << 32 | u64::from(c))
}

/// Sign- or zero-extend from bit `b`, the amount clamped or wrapped.
pub(crate) fn szext(signed: bool, wrap: bool) -> Fn2 {
    fn extend(a: u32, n: u32, signed: bool, wrap: bool) -> u32 {
        let n = if wrap { n & 31 } else { n };
        match n {
            0 => 0,
            32.. => a,
            _ if signed => ((a << (32 - n)) as i32 >> (32 - n)) as u32,
            _ => a & ((1 << n) - 1),
        }
    }
    match (signed, wrap) {
        (false, false) => lanes!(|a: u32, n: u32| extend(a, n, false, false)),
        (false, true) => lanes!(|a: u32, n: u32| extend(a, n, false, true)),
        (true, false) => lanes!(|a: u32, n: u32| extend(a, n, true, false)),
        (true, true) => lanes!(|a: u32, n: u32| extend(a, n, true, true)),
    }
}

/// A mask of `b` ones from bit `a` up, both clamped or wrapped.
pub(crate) fn bmsk(wrap: bool) -> Fn2 {
    fn mask(pos: u32, len: u32, wrap: bool) -> u32 {
        let (pos, len) = if wrap {
            (pos & 31, len & 31)
        } else {
            (pos.min(32), len.min(32))
        };
        ((((1u64 << len) - 1) << pos) & 0xffff_ffff) as u32
    }
    match wrap {
        false => lanes!(|a: u32, b: u32| mask(a, b, false)),
        true => lanes!(|a: u32, b: u32| mask(a, b, true)),
    }
}

/// `fns`: the position of the n-th set bit of `mask`, counted from `base` upwards (n > 0),
/// downwards (n < 0), or `base` itself (n = 0); all ones if there is none.
pub(crate) fn fns() -> Fn3 {
    fn find(mask: u32, base: u32, n: i32) -> u32 {
        let base = base & 31;
        let set = |i: &u32| mask >> i & 1 == 1;
        let hit = match n {
            0 => Some(base).filter(set),
            1.. => (base..32).filter(set).nth(n as usize - 1),
            _ => (0..=base)
                .rev()
                .filter(set)
                .nth(n.unsigned_abs() as usize - 1),
        };
        hit.unwrap_or(u32::MAX)
    }
    lanes!(|m: u32, base: u32, n: i32| find(m, base, n))
}

/// `slct`: `a` where `c >= 0`, else `b`; the values in 64 bits, whatever their type.
pub(crate) fn slct(float: bool) -> Fn3 {
    match float {
        false => lanes!(|a: u64, b: u64, c: i32| if c >= 0 { a } else { b }),
        // Minus zero is at least zero; a NaN selects `b`.
        true => lanes!(|a: u64, b: u64, c: f32| if c >= 0.0 { a } else { b }),
    }
}

//! What `atom`, `red` and `redux` compute: old value and operands to new value.

use super::Slot;
use super::float::flush;
use super::soft::{self, Round};
use crate::isa::{AtomOp, Type};

/// `(old, b, c)` to new.
pub(crate) type Update = fn(u64, u64, u64) -> u64;

/// The operation on a type, or `None` where PTX has none.
pub(crate) fn update(op: AtomOp, ty: Type) -> Option<Update> {
    use AtomOp::*;
    use Type::*;
    Some(match (op, ty) {
        (Add, U32 | S32) => |a, b, _| u64::from((a as u32).wrapping_add(b as u32)),
        (Add, U64) => |a, b, _| a.wrapping_add(b),
        // f32 adds in global memory flush subnormals, like the hardware; see `shared_f32_add`.
        (Add, F32) => |a, b, _| {
            let sum = flush(flush(f32::get(a)) + flush(f32::get(b)));
            if sum.is_nan() { 0x7fff_ffff } else { sum.put() }
        },
        (Add, F64) => |a, b, _| (f64::get(a) + f64::get(b)).put(),
        (Add, F16) => |a, b, _| soft::add(a, b, soft::F16, Round::Near),
        (Add, Bf16) => |a, b, _| soft::add(a, b, soft::BF16, Round::Near),
        (Add, F16x2) => |a, b, _| {
            let lo = soft::add(a & 0xffff, b & 0xffff, soft::F16, Round::Near);
            soft::add(a >> 16, b >> 16, soft::F16, Round::Near) << 16 | lo
        },
        (Add, Bf16x2) => |a, b, _| {
            let lo = soft::add(a & 0xffff, b & 0xffff, soft::BF16, Round::Near);
            soft::add(a >> 16, b >> 16, soft::BF16, Round::Near) << 16 | lo
        },
        (Min, U32) => |a, b, _| a.min(b),
        (Max, U32) => |a, b, _| a.max(b),
        (Min, U64) => |a, b, _| a.min(b),
        (Max, U64) => |a, b, _| a.max(b),
        (Min, S32) => |a, b, _| i32::get(a).min(i32::get(b)).put(),
        (Max, S32) => |a, b, _| i32::get(a).max(i32::get(b)).put(),
        (Min, S64) => |a, b, _| i64::get(a).min(i64::get(b)).put(),
        (Max, S64) => |a, b, _| i64::get(a).max(i64::get(b)).put(),
        (And, B32 | B64) => |a, b, _| a & b,
        (Or, B32 | B64) => |a, b, _| a | b,
        (Xor, B32 | B64) => |a, b, _| a ^ b,
        (Exch, B32 | B64) => |_, b, _| b,
        (Cas, B16 | B32 | B64) => |a, b, c| if a == b { c } else { a },
        (Inc, U32) => |a, b, _| if a >= b { 0 } else { a + 1 },
        (Dec, U32) => |a, b, _| if a == 0 || a > b { b } else { a - 1 },
        _ => return None,
    })
}

/// f32 adds in shared memory keep subnormals: "atom.add.f32 on global memory flushes subnormal
/// inputs and results to sign-preserving zero; on shared memory it does not".
pub(crate) fn shared_f32_add(a: u64, b: u64, _: u64) -> u64 {
    let sum = f32::get(a) + f32::get(b);
    if sum.is_nan() { 0x7fff_ffff } else { sum.put() }
}

/// `redux.sync` of two members' values.
pub(crate) fn redux(op: &str, ty: Type) -> Option<fn(u64, u64) -> u64> {
    Some(match (op, ty) {
        ("add", Type::U32 | Type::S32) => |a, b| u64::from((a as u32).wrapping_add(b as u32)),
        ("min", Type::U32) => |a, b| a.min(b),
        ("max", Type::U32) => |a, b| a.max(b),
        ("min", Type::S32) => |a, b| i32::get(a).min(i32::get(b)).put(),
        ("max", Type::S32) => |a, b| i32::get(a).max(i32::get(b)).put(),
        ("and", Type::B32) => |a, b| a & b,
        ("or", Type::B32) => |a, b| a | b,
        ("xor", Type::B32) => |a, b| a ^ b,
        _ => return None,
    })
}

//! Operators and casts, with Rust's semantics.

use super::{FaultKind, Value};
use crate::ir::{BinaryOp, Op, Overflow, Scalar, UnaryOp, UpdateOp};

type Result<T> = std::result::Result<T, FaultKind>;

pub(super) fn panic<T>(message: &str) -> Result<T> {
    Err(FaultKind::Panic(message.to_string()))
}

/// The value modulo 2^bits, in the range of the type.
pub(super) fn wrap(s: Scalar, v: i128) -> i128 {
    let unused = 128 - s.bits();
    if s.is_signed() {
        (v << unused) >> unused
    } else {
        ((v << unused) as u128 >> unused) as i128
    }
}

/// A result that overflowed where it is not what it wraps to.
fn checked(s: Scalar, exact: Option<i128>, wrapped: i128, checks: bool, op: &str) -> Result<Value> {
    let wrapped = wrap(s, wrapped);
    if checks && exact != Some(wrapped) {
        return panic(&format!("attempt to {op} with overflow"));
    }
    Ok(Value::Int(wrapped))
}

/// `a op b` of operands of type `s` (of shifts, `b` is any integer).
pub(super) fn binary(op: BinaryOp, s: Scalar, a: &Value, b: &Value, checks: bool) -> Result<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => int(op, s, *a, *b, checks),
        (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(match op {
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            op => compare(op, a, b),
        })),
        (Value::F32(a), Value::F32(b)) => Ok(match op {
            BinaryOp::Add => (a + b).into(),
            BinaryOp::Sub => (a - b).into(),
            BinaryOp::Mul => (a * b).into(),
            BinaryOp::Div => (a / b).into(),
            BinaryOp::Rem => (a % b).into(),
            op => compare(op, a, b).into(),
        }),
        (Value::F64(a), Value::F64(b)) => Ok(match op {
            BinaryOp::Add => (a + b).into(),
            BinaryOp::Sub => (a - b).into(),
            BinaryOp::Mul => (a * b).into(),
            BinaryOp::Div => (a / b).into(),
            BinaryOp::Rem => (a % b).into(),
            op => compare(op, a, b).into(),
        }),
        _ => panic!("`{}` of {a:?} and {b:?}", op.symbol()),
    }
}

fn compare<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> bool {
    match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        op => panic!("`{}` does not compare", op.symbol()),
    }
}

fn int(op: BinaryOp, s: Scalar, a: i128, b: i128, checks: bool) -> Result<Value> {
    let bits = i128::from(s.bits());
    let shift = |name: &str| -> Result<u32> {
        if checks && !(0..bits).contains(&b) {
            return panic(&format!("attempt to shift {name} with overflow"));
        }
        Ok((b & (bits - 1)) as u32)
    };
    let int = |v| Ok(Value::Int(v));
    match op {
        BinaryOp::Add => checked(s, Some(a + b), a + b, checks, "add"),
        BinaryOp::Sub => checked(s, Some(a - b), a - b, checks, "subtract"),
        // Of two u64 the product need not fit an i128; its low bits are right all the same.
        BinaryOp::Mul => checked(s, a.checked_mul(b), a.wrapping_mul(b), checks, "multiply"),
        BinaryOp::Div if b == 0 => panic("attempt to divide by zero"),
        BinaryOp::Div => checked(s, Some(a / b), a / b, true, "divide"),
        BinaryOp::Rem if b == 0 => {
            panic("attempt to calculate the remainder with a divisor of zero")
        }
        // MIN % -1 is 0 and a fault all the same: the division overflows.
        BinaryOp::Rem if wrap(s, a / b) != a / b => {
            panic("attempt to calculate the remainder with overflow")
        }
        BinaryOp::Rem => int(a % b),
        BinaryOp::BitAnd => int(a & b),
        BinaryOp::BitOr => int(a | b),
        BinaryOp::BitXor => int(a ^ b),
        BinaryOp::Shl => int(wrap(s, a << shift("left")?)),
        BinaryOp::Shr => int(a >> shift("right")?),
        op => Ok(compare(op, &a, &b).into()),
    }
}

/// `-a`, `!a`.
pub(super) fn unary(op: UnaryOp, s: Scalar, a: &Value, checks: bool) -> Result<Value> {
    Ok(match (op, a) {
        (UnaryOp::Neg, Value::Int(a)) => return checked(s, Some(-a), -a, checks, "negate"),
        (UnaryOp::Neg, Value::F32(a)) => (-a).into(),
        (UnaryOp::Neg, Value::F64(a)) => (-a).into(),
        (UnaryOp::Not, Value::Int(a)) => Value::Int(wrap(s, !a)),
        (UnaryOp::Not, Value::Bool(a)) => (!a).into(),
        (op, a) => panic!("{op:?} of {a:?}"),
    })
}

/// `value as to`.
pub(super) fn cast(value: &Value, to: Scalar) -> Value {
    // `as i128` saturates and turns NaN into 0; clamping saturates the rest of the way.
    let saturate = |v: i128| {
        let (min, max) = match to.is_signed() {
            true => (-(1i128 << (to.bits() - 1)), (1i128 << (to.bits() - 1)) - 1),
            false => (0, (1i128 << to.bits()) - 1),
        };
        Value::Int(v.clamp(min, max))
    };
    match (value, to) {
        (Value::Bool(v), Scalar::Bool) => Value::Bool(*v),
        (Value::Bool(v), _) => Value::Int(i128::from(*v)),
        (Value::Int(v), Scalar::F32) => (*v as f32).into(),
        (Value::Int(v), Scalar::F64) => (*v as f64).into(),
        (Value::Int(v), to) => Value::Int(wrap(to, *v)),
        (Value::F32(v), Scalar::F32) => (*v).into(),
        (Value::F32(v), Scalar::F64) => f64::from(*v).into(),
        (Value::F32(v), _) => saturate(*v as i128),
        (Value::F64(v), Scalar::F32) => (*v as f32).into(),
        (Value::F64(v), Scalar::F64) => (*v).into(),
        (Value::F64(v), _) => saturate(*v as i128),
        (value, to) => panic!("a cast of {value:?} to {to}"),
    }
}

/// What an update makes of a bin `h` of type `s`.
pub(super) fn update(of: UpdateOp, s: Scalar, h: &Value, v: &Value, checks: bool) -> Result<Value> {
    let checks = checks && of.overflow == Overflow::Profile;
    match of.op {
        Op::Add => binary(BinaryOp::Add, s, h, v, checks),
        Op::Sub => binary(BinaryOp::Sub, s, h, v, checks),
        Op::Mul => binary(BinaryOp::Mul, s, h, v, checks),
        Op::SaturatingAdd => Ok(Value::Int((h.int() + v.int()).min((1i128 << s.bits()) - 1))),
        Op::And => binary(BinaryOp::BitAnd, s, h, v, checks),
        Op::Or => binary(BinaryOp::BitOr, s, h, v, checks),
        Op::Xor => binary(BinaryOp::BitXor, s, h, v, checks),
        Op::Min => Ok(match (h, v) {
            (Value::F32(h), Value::F32(v)) => h.min(*v).into(),
            (Value::F64(h), Value::F64(v)) => h.min(*v).into(),
            (h, v) => Value::Int(h.int().min(v.int())),
        }),
        Op::Max => Ok(match (h, v) {
            (Value::F32(h), Value::F32(v)) => h.max(*v).into(),
            (Value::F64(h), Value::F64(v)) => h.max(*v).into(),
            (h, v) => Value::Int(h.int().max(v.int())),
        }),
    }
}

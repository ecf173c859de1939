//! Constant expressions (C11 6.6) and the layout of types.

use super::{BinaryOp, Expr, ExprKind, Program, UnaryOp};
use crate::ctypes::{Extent, Type};

/// Size in bytes; `None` for incomplete types and arrays of variable length.
pub fn size_of(ty: &Type, program: &Program) -> Option<u64> {
    layout(ty, program).map(|(size, _)| size)
}

/// Size and alignment in bytes.
fn layout(ty: &Type, program: &Program) -> Option<(u64, u64)> {
    Some(match ty {
        Type::Stream => (8, 8),
        Type::Void | Type::Function(_) => return None,
        Type::Int(kind) => (kind.size(), kind.size()),
        Type::Float => (4, 4),
        Type::Double => (8, 8),
        Type::LongDouble => (16, 16),
        Type::Pointer { .. } => (8, 8),
        Type::Array(of, Extent::Fixed(n)) => {
            let (size, align) = layout(of, program)?;
            (size.checked_mul(*n)?, align)
        }
        Type::Array(..) => return None,
        Type::Struct(id) => {
            let shape = program.structure(*id);
            let (mut end, mut align) = (0u64, 1u64);
            for field in shape.fields.as_ref()? {
                let (size, of) = layout(&field.ty, program)?;
                align = align.max(of);
                if shape.union {
                    end = end.max(size);
                } else {
                    end = end.checked_next_multiple_of(of)?.checked_add(size)?;
                }
            }
            (end.checked_next_multiple_of(align)?, align)
        }
    })
}

/// The value of an integer constant expression.
pub fn int_value(expr: &Expr, program: &Program) -> Option<i128> {
    match value(expr, program)? {
        Value::Int(v) => Some(v),
        Value::Float(_) => None,
    }
}

/// The value of an arithmetic constant expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// An integer.
    Int(i128),
    /// A floating value.
    Float(f64),
}

impl Value {
    fn truth(self) -> bool {
        match self {
            Value::Int(v) => v != 0,
            Value::Float(v) => v != 0.0,
        }
    }

    fn float(self) -> f64 {
        match self {
            Value::Int(v) => v as f64,
            Value::Float(v) => v,
        }
    }
}

/// The value of an arithmetic constant expression; `None` if it is none.
pub fn value(expr: &Expr, program: &Program) -> Option<Value> {
    let int = |v: i128| match expr.ty {
        Type::Int(kind) => Some(Value::Int(kind.wrap(v))),
        _ => None,
    };
    match &expr.kind {
        ExprKind::Int(v) => int(*v),
        ExprKind::Float(v) => Some(Value::Float(*v)),
        ExprKind::Char(c) => int(i128::from(*c as i8)),
        ExprKind::EnumConst(_, v) => int(i128::from(*v)),
        ExprKind::SizeOf(ty) => int(i128::from(size_of(ty, program)?)),
        ExprKind::Cast { value: inner, .. } => convert(value(inner, program)?, &expr.ty),
        ExprKind::Unary(op, inner) => {
            let inner = value(inner, program)?;
            match (op, inner) {
                (UnaryOp::Not, v) => int(i128::from(!v.truth())),
                (UnaryOp::Neg, Value::Int(v)) => int(-v),
                (UnaryOp::Neg, Value::Float(v)) => Some(Value::Float(-v)),
                (UnaryOp::BitNot, Value::Int(v)) => int(!v),
                (UnaryOp::BitNot, Value::Float(_)) => None,
            }
        }
        ExprKind::Logical(and, a, b) => {
            let left = value(a, program)?.truth();
            let result = if *and {
                left && value(b, program)?.truth()
            } else {
                left || value(b, program)?.truth()
            };
            int(i128::from(result))
        }
        ExprKind::Cond(c, a, b) => {
            let chosen = if value(c, program)?.truth() { a } else { b };
            value(chosen, program)
        }
        ExprKind::Binary(op, a, b) => binary(*op, value(a, program)?, value(b, program)?, &expr.ty),
        _ => None,
    }
}

/// A value converted to a type.
fn convert(v: Value, ty: &Type) -> Option<Value> {
    Some(match (ty, v) {
        (Type::Int(kind), Value::Int(v)) => Value::Int(kind.wrap(v)),
        (Type::Int(crate::ctypes::IntKind::Bool), Value::Float(v)) => {
            Value::Int(i128::from(v != 0.0))
        }
        (Type::Int(kind), Value::Float(v)) => Value::Int(kind.wrap(v as i128)),
        (Type::Float, v) => Value::Float(f64::from(v.float() as f32)),
        (Type::Double | Type::LongDouble, v) => Value::Float(v.float()),
        _ => return None,
    })
}

fn binary(op: BinaryOp, a: Value, b: Value, ty: &Type) -> Option<Value> {
    use BinaryOp as B;
    if op.is_comparison() {
        let order = match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.partial_cmp(&b),
            (a, b) => a.float().partial_cmp(&b.float()),
        };
        let holds = match op {
            B::Lt => order.is_some_and(|o| o.is_lt()),
            B::Le => order.is_some_and(|o| o.is_le()),
            B::Gt => order.is_some_and(|o| o.is_gt()),
            B::Ge => order.is_some_and(|o| o.is_ge()),
            B::Eq => order.is_some_and(|o| o.is_eq()),
            _ => order.is_none_or(|o| o.is_ne()),
        };
        return Some(Value::Int(i128::from(holds)));
    }
    let (Value::Int(x), Value::Int(y)) = (a, b) else {
        let (x, y) = (a.float(), b.float());
        let result = match op {
            B::Add => x + y,
            B::Sub => x - y,
            B::Mul => x * y,
            B::Div => x / y,
            _ => return None,
        };
        return convert(Value::Float(result), ty);
    };
    let shift = u32::try_from(y).ok().filter(|s| *s < 64);
    let result = match op {
        B::Add => x.checked_add(y)?,
        B::Sub => x.checked_sub(y)?,
        B::Mul => x.checked_mul(y)?,
        B::Div => x.checked_div(y)?,
        B::Rem => x.checked_rem(y)?,
        B::Shl => x.checked_shl(shift?)?,
        B::Shr => x.checked_shr(shift?)?,
        B::BitAnd => x & y,
        B::BitOr => x | y,
        B::BitXor => x ^ y,
        _ => return None,
    };
    convert(Value::Int(result), ty)
}

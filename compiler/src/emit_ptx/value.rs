//! Values while a body is printed: registers and constants with what is known of them.

use accrue_ptx::writer::{Class, Operand, Reg};

use crate::ir::{Scalar, Type};

/// A value of any type.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// `()`.
    Unit,
    /// Of code that is never reached: what follows is not printed.
    Never,
    /// A number or a `bool`.
    Num(Num),
    /// A tuple, a struct, or an array whose indices are all constant: its parts.
    Parts(Vec<Value>),
    /// An array in the thread's local memory.
    Local(Local),
}

/// A scalar.
///
/// Integers of 8 and 16 bits are kept extended to 32 bits by their sign. `bool` is a predicate register, or a
/// constant 0 or 1. A `u64` or `usize` that is known to be less than 2^32 may be kept in 32 bits: bins and
/// indices mostly are, and half of the work is then saved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Num {
    /// Its type.
    pub(super) ty: Scalar,
    /// Where it is.
    pub(super) operand: Operand,
    /// Whether a 64-bit integer is in a 32-bit register, zero-extended.
    pub(super) narrow: bool,
    /// The largest value it can have, for an integer that is not negative.
    pub(super) max: Option<u64>,
}

/// An array in the thread's local memory.
#[derive(Clone, Debug)]
pub(super) struct Local {
    /// Its address in local space.
    pub(super) base: Reg,
    /// The array's type.
    pub(super) ty: Type,
}

impl Num {
    /// A value in a register as wide as its type.
    pub(super) fn reg(ty: Scalar, reg: Reg) -> Num {
        let max = match ty {
            Scalar::U8 => Some(0xff),
            Scalar::U16 => Some(0xffff),
            Scalar::U32 => Some(0xffff_ffff),
            Scalar::U64 | Scalar::Usize => Some(u64::MAX),
            _ => None,
        };
        Num {
            ty,
            operand: reg.into(),
            narrow: false,
            max,
        }
    }

    /// A constant integer.
    pub(super) fn int(ty: Scalar, value: i128) -> Num {
        Num {
            ty,
            operand: Operand::Int(value as i64),
            narrow: false,
            max: u64::try_from(value).ok(),
        }
    }

    /// A constant `bool`.
    pub(super) fn bool(value: bool) -> Num {
        Num {
            ty: Scalar::Bool,
            operand: Operand::Int(value.into()),
            narrow: false,
            max: None,
        }
    }

    /// The same value known not to be larger.
    pub(super) fn at_most(mut self, max: u64) -> Num {
        self.max = Some(self.max.map_or(max, |m| m.min(max)));
        self
    }

    /// The constant, if it is one. Floats and `bool` have none.
    pub(super) fn constant(self) -> Option<i128> {
        match self.operand {
            Operand::Int(v) if self.ty.is_signed() => Some(v.into()),
            Operand::Int(v) if self.ty.is_int() => Some((v as u64).into()),
            _ => None,
        }
    }

    /// Whether it fits 32 bits without a sign: it is narrow, a small constant, or an unsigned type of up to 32 bits.
    pub(super) fn is_narrow(self) -> bool {
        match self.operand {
            Operand::Int(_) => self.max.is_some_and(|m| m <= u64::from(u32::MAX)),
            _ => self.narrow || (self.ty.is_int() && !self.ty.is_signed() && self.ty.size() < 8),
        }
    }
}

impl Value {
    /// The scalar.
    ///
    /// # Panics
    ///
    /// If it is not one: the verifier has checked types.
    pub(super) fn num(&self) -> Num {
        match self {
            Value::Num(num) => *num,
            other => panic!("a scalar was expected, not {other:?}"),
        }
    }

    /// Whether it is of code that is never reached.
    pub(super) fn is_never(&self) -> bool {
        matches!(self, Value::Never)
    }
}

/// The class of the registers of a type.
pub(super) fn class(ty: Scalar) -> Class {
    match ty {
        Scalar::Bool => Class::Pred,
        Scalar::F32 => Class::F32,
        Scalar::F64 => Class::F64,
        _ if ty.size() == 8 => Class::B64,
        _ => Class::B32,
    }
}

/// Whether integers of the type are narrower than their registers.
pub(super) fn is_small(ty: Scalar) -> bool {
    ty.is_int() && ty.size() < 4
}

/// The suffix of typed instructions: `s32` for `i8`, `u64` for `usize`, `f32`.
pub(super) fn suffix(ty: Scalar) -> &'static str {
    match (class(ty), ty.is_signed()) {
        (Class::F32, _) => "f32",
        (Class::F64, _) => "f64",
        (Class::B64, true) => "s64",
        (Class::B64, false) => "u64",
        (Class::Pred, _) => "pred",
        (Class::B32, true) => "s32",
        (Class::B32, false) => "u32",
    }
}

/// The suffix of untyped instructions: `b32`, `b64`.
pub(super) fn bits(ty: Scalar) -> &'static str {
    if class(ty) == Class::B64 || ty == Scalar::F64 {
        "b64"
    } else {
        "b32"
    }
}

/// The type of loads and stores: `s8`, `u64`, `f32`.
pub(super) fn memory(ty: Scalar) -> &'static str {
    match ty {
        Scalar::Bool | Scalar::U8 => "u8",
        Scalar::I8 => "s8",
        Scalar::U16 => "u16",
        Scalar::I16 => "s16",
        wide => suffix(wide),
    }
}

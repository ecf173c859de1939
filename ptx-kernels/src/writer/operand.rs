//! What instructions are given: registers by class, labels, constants, memory.

/// The class of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A predicate.
    Pred,
    /// 32 bits: integers of up to 32 bits, addresses in shared memory.
    B32,
    /// 64 bits: integers and addresses in global memory.
    B64,
    /// An `f32`.
    F32,
    /// An `f64`.
    F64,
}

impl Class {
    pub(super) const ALL: [Class; 5] =
        [Class::Pred, Class::B32, Class::B64, Class::F32, Class::F64];

    pub(super) fn prefix(self) -> &'static str {
        match self {
            Class::Pred => "p",
            Class::B32 => "r",
            Class::B64 => "rd",
            Class::F32 => "f",
            Class::F64 => "fd",
        }
    }

    pub(super) fn declaration(self) -> &'static str {
        match self {
            Class::Pred => ".pred",
            Class::B32 => ".b32",
            Class::B64 => ".b64",
            Class::F32 => ".f32",
            Class::F64 => ".f64",
        }
    }

    /// The type suffix of a plain move.
    pub fn suffix(self) -> &'static str {
        match self {
            Class::Pred => "pred",
            Class::B32 => "b32",
            Class::B64 => "b64",
            Class::F32 => "f32",
            Class::F64 => "f64",
        }
    }

    /// The class of the result of an instruction.
    ///
    /// # Panics
    ///
    /// If the opcode names no type that has a register class.
    pub fn of_result(opcode: &str) -> Class {
        let mut parts = opcode.split('.');
        let operation = parts.next().unwrap_or_default();
        let types: Vec<&str> = parts.filter(|p| Class::of_type(p).is_some()).collect();
        let ty = match operation {
            "setp" => return Class::Pred,
            "popc" | "clz" | "bfind" => return Class::B32,
            "testp" => return Class::Pred,
            "vote" if opcode.ends_with(".pred") => return Class::Pred,
            "cvt" => types.first(),
            "mul" | "mad" if opcode.contains(".wide.") => return Class::B64,
            _ => types.last(),
        };
        ty.and_then(|t| Class::of_type(t))
            .unwrap_or_else(|| panic!("no result type in the opcode `{opcode}`"))
    }

    fn of_type(ty: &str) -> Option<Class> {
        Some(match ty {
            "pred" => Class::Pred,
            "u8" | "s8" | "b8" | "u16" | "s16" | "b16" | "u32" | "s32" | "b32" | "f16x2" => {
                Class::B32
            }
            "u64" | "s64" | "b64" => Class::B64,
            "f32" => Class::F32,
            "f64" => Class::F64,
            _ => return None,
        })
    }
}

/// A virtual register of one [`Function`](super::Function).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg {
    /// Its class.
    pub class: Class,
    pub(super) number: u32,
}

/// A label of one [`Function`](super::Function).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(pub(super) u32);

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// An integer, as its bits sign-extended.
    Int(i64),
    /// The bits of an `f32`.
    F32(u32),
    /// The bits of an `f64`.
    F64(u64),
    /// Memory at a register plus a constant.
    At(Reg, i64),
}

impl Operand {
    /// The register, if it is one.
    pub fn reg(self) -> Option<Reg> {
        match self {
            Operand::Reg(reg) => Some(reg),
            Operand::Int(_) | Operand::F32(_) | Operand::F64(_) | Operand::At(..) => None,
        }
    }

    /// The constant of accumulator bits for a class.
    pub fn bits(class: Class, bits: u64) -> Operand {
        match class {
            Class::F32 => Operand::F32(bits as u32),
            Class::F64 => Operand::F64(bits),
            Class::B32 => Operand::Int(i64::from(bits as u32)),
            Class::B64 | Class::Pred => Operand::Int(bits as i64),
        }
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Operand {
        Operand::Reg(reg)
    }
}

impl From<i64> for Operand {
    fn from(value: i64) -> Operand {
        Operand::Int(value)
    }
}

impl From<u32> for Operand {
    fn from(value: u32) -> Operand {
        Operand::Int(i64::from(value))
    }
}

impl From<i32> for Operand {
    fn from(value: i32) -> Operand {
        Operand::Int(i64::from(value))
    }
}

//! Types and state spaces, as PTX names them.

use std::fmt;

/// A PTX type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    Bf16,
    F16x2,
    Bf16x2,
    U16x2,
    S16x2,
    F32,
    F64,
    Pred,
}

impl Type {
    pub(crate) fn parse(s: &str) -> Option<Type> {
        Some(match s {
            "b8" => Type::B8,
            "b16" => Type::B16,
            "b32" => Type::B32,
            "b64" => Type::B64,
            "b128" => Type::B128,
            "u8" => Type::U8,
            "u16" => Type::U16,
            "u32" => Type::U32,
            "u64" => Type::U64,
            "s8" => Type::S8,
            "s16" => Type::S16,
            "s32" => Type::S32,
            "s64" => Type::S64,
            "f16" => Type::F16,
            "bf16" => Type::Bf16,
            "f16x2" => Type::F16x2,
            "bf16x2" => Type::Bf16x2,
            "u16x2" => Type::U16x2,
            "s16x2" => Type::S16x2,
            "f32" => Type::F32,
            "f64" => Type::F64,
            "pred" => Type::Pred,
            _ => return None,
        })
    }

    /// Size in bytes; predicates have none in memory.
    pub(crate) fn size(self) -> u32 {
        use Type::*;
        match self {
            Pred => 0,
            B8 | U8 | S8 => 1,
            B16 | U16 | S16 | F16 | Bf16 => 2,
            B32 | U32 | S32 | F16x2 | Bf16x2 | U16x2 | S16x2 | F32 => 4,
            B64 | U64 | S64 | F64 => 8,
            B128 => 16,
        }
    }

    pub(crate) fn bits(self) -> u32 {
        self.size() * 8
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }

    pub(crate) fn is_float(self) -> bool {
        use Type::*;
        matches!(self, F16 | Bf16 | F16x2 | Bf16x2 | F32 | F64)
    }

    pub(crate) fn is_untyped(self) -> bool {
        use Type::*;
        matches!(self, B8 | B16 | B32 | B64 | B128)
    }

    pub(crate) fn is_int(self) -> bool {
        let packed = matches!(self, Type::U16x2 | Type::S16x2 | Type::Pred);
        !self.is_float() && !self.is_untyped() && !packed
    }

    /// Whether an instruction of this type may take a register declared as `reg`, width aside.
    pub(crate) fn accepts_kind(self, reg: Type) -> bool {
        if self == Type::Pred || reg == Type::Pred {
            return self == reg;
        }
        self.is_untyped() || reg.is_untyped() || (self.is_int() && reg.is_int()) || self == reg
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", format!("{self:?}").to_lowercase())
    }
}

/// A state space, as an instruction names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// No space named: the address says which.
    Generic,
    /// Device memory and module variables.
    Global,
    /// The block's shared memory; addresses are offsets into it.
    Shared,
    /// The thread's stack; addresses are offsets into it.
    Local,
    /// Read-only module variables.
    Const,
    /// The kernel's parameters; addresses are offsets into them.
    Param,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Const => "constant",
            Space::Param => "parameter",
        })
    }
}

//! Types and literals of the loop IR.

use std::fmt;

use accrue_ops::{Kind, Number};

use super::VarId;

/// A primitive type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are Rust's")]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    F32,
    F64,
}

impl Scalar {
    /// Every scalar, in declaration order.
    pub const ALL: [Scalar; 13] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::Isize,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::Usize,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Rust's name.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::Isize => "isize",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::Usize => "usize",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The scalar that Rust calls `name`.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Size in bytes.
    pub fn size(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize | Scalar::F64 => 8,
        }
    }

    /// Size in bits.
    pub fn bits(self) -> u32 {
        self.size() * 8
    }

    /// Whether it is an integer, signed or not.
    pub fn is_int(self) -> bool {
        !matches!(self, Scalar::Bool | Scalar::F32 | Scalar::F64)
    }

    /// Whether it is `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Whether it is a signed integer.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize
        )
    }

    /// Whether it is an integer that can have a value.
    pub fn holds(self, value: i128) -> bool {
        self.is_int()
            && self
                .limits()
                .is_some_and(|(min, max)| (min..=max).contains(&value))
    }

    /// The smallest and largest value of an integer or of `bool`.
    pub fn limits(self) -> Option<(i128, i128)> {
        let bits = self.bits();
        match self {
            Scalar::F32 | Scalar::F64 => None,
            Scalar::Bool => Some((0, 1)),
            s if s.is_signed() => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            _ => Some((0, (1 << bits) - 1)),
        }
    }
}

impl Number for Scalar {
    fn kind(self) -> Kind {
        match self {
            Scalar::Bool => Kind::Bool,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize => Kind::Signed,
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize => Kind::Unsigned,
            Scalar::F32 | Scalar::F64 => Kind::Float,
        }
    }

    fn width(self) -> u32 {
        self.bits()
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type of an expression, a variable or an element.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `()`.
    Unit,
    /// The type of `continue` and the like.
    Never,
    /// A primitive.
    Scalar(Scalar),
    /// `[T; N]`, stored in place, elements one after the other.
    Array(Box<Type>, Length),
    /// `(A, B)`. In captured memory only where it is of numbers and [fills its bytes](Type::fills_its_bytes).
    Tuple(Vec<Type>),
    /// A `#[repr(C)]` struct whose fields are known, in memory as C lays it out.
    Struct(Box<StructType>),
    /// Not understood; the text is the user's, where there is one.
    Opaque(Option<String>),
    /// An integer type that only rustc knows: that of a captured value.
    Integer(VarId),
    /// A type that a front end is still inferring, by its number there. The verifier refuses it: once
    /// types are inferred, what stayed unknown is opaque.
    Infer(u32),
}

/// A `#[repr(C)]` struct.
#[derive(Clone, Debug, PartialEq)]
pub struct StructType {
    /// Its name.
    pub name: String,
    /// Field names and types, in order.
    pub fields: Vec<(String, Type)>,
    /// What `align(..)` asks for.
    pub align: Option<u64>,
}

/// The length of a fixed-size array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// A literal.
    Known(u64),
    /// A constant or const parameter whose value rustc knows and the macro does not: a captured
    /// `usize` of the loop.
    Captured(VarId),
}

impl Type {
    /// The numbers of the fields of a tuple of scalars in the order in which rustc is expected to lay them out: the widest first, and of as wide ones `bool`s, but the
    /// last one last. Rust leaves that open, so what it did is asked before a kernel takes such a tuple.
    pub fn tuple_order(parts: &[Type]) -> Vec<usize> {
        let width = |n: &usize| {
            let scalar = parts[*n].as_scalar();
            let bytes = scalar.map_or(0, Scalar::size);
            std::cmp::Reverse((bytes, scalar == Some(Scalar::Bool)))
        };
        let mut order: Vec<usize> = (0..parts.len()).collect();
        if let [but_last @ .., _] = &mut order[..] {
            but_last.sort_by_key(width);
        }
        order
    }

    /// Whether it is a tuple of two to eight scalars without bytes between them.
    pub fn fills_its_bytes(&self) -> bool {
        let Type::Tuple(parts) = self else {
            return false;
        };
        let sizes: Option<Vec<u32>> = parts
            .iter()
            .map(|part| part.as_scalar().map(Scalar::size))
            .collect();
        sizes.is_some_and(|sizes| {
            let widest = sizes.iter().copied().max().unwrap_or(0);
            (2..=8).contains(&sizes.len()) && sizes.iter().sum::<u32>().is_multiple_of(widest)
        })
    }

    /// Whether Rust leaves open how it lies in memory.
    pub fn lies_open(&self) -> bool {
        match self {
            Type::Tuple(_) => !self.fills_its_bytes(),
            Type::Unit | Type::Never => true,
            Type::Array(elem, _) => elem.lies_open(),
            Type::Scalar(_)
            | Type::Struct(_)
            | Type::Opaque(_)
            | Type::Integer(_)
            | Type::Infer(_) => false,
        }
    }

    /// The scalar, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) => Some(*s),
            _ => None,
        }
    }

    /// The scalar that arrays of arrays end in, or that it is itself.
    pub fn innermost(&self) -> Option<Scalar> {
        match self {
            Type::Array(elem, _) => elem.innermost(),
            ty => ty.as_scalar(),
        }
    }

    /// Whether nothing is known of a value of it, or next to nothing.
    pub fn is_open(&self) -> bool {
        matches!(self, Type::Opaque(_) | Type::Integer(_))
    }

    /// Whether no part of it is opaque.
    pub fn is_known(&self) -> bool {
        match self {
            Type::Unit | Type::Never | Type::Scalar(_) => true,
            Type::Array(elem, _) => elem.is_known(),
            Type::Tuple(parts) => parts.iter().all(Type::is_known),
            Type::Struct(s) => s.fields.iter().all(|(_, t)| t.is_known()),
            Type::Opaque(_) | Type::Integer(_) | Type::Infer(_) => false,
        }
    }
}

impl From<Scalar> for Type {
    fn from(s: Scalar) -> Type {
        Type::Scalar(s)
    }
}

/// A literal; its type is the expression's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// `true`, `false`.
    Bool(bool),
    /// An integer of any integer type, as its value (negative for negated literals folded by a front end).
    Int(i128),
    /// A float; for `f32` the nearest `f32` to the text, widened.
    Float(f64),
}

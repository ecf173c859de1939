//! C types as the later stages see them: typedefs resolved, sizes known, the conversions of C11
//! 6.3.1 (promotions, usual arithmetic conversions) as functions.
//!
//! The data model is LP64 little-endian with a signed `char`, which is that of every system that
//! the generated Rust is compared on.

use std::fmt;

/// Index into [`crate::typed::Program::structs`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StructId(pub u32);

/// Index into [`crate::typed::Program::extents`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExtentId(pub u32);

/// The integer types. `Size` is `size_t`: an `unsigned long` that is remembered by name, because
/// it becomes `usize`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntKind {
    /// `_Bool`
    Bool,
    /// `char`, signed
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`, and every enum
    Int,
    /// `unsigned`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
    /// `size_t`
    Size,
}

impl IntKind {
    /// Size in bytes.
    pub fn size(self) -> u64 {
        use IntKind as I;
        match self {
            I::Bool | I::Char | I::SChar | I::UChar => 1,
            I::Short | I::UShort => 2,
            I::Int | I::UInt => 4,
            I::Long | I::ULong | I::LongLong | I::ULongLong | I::Size => 8,
        }
    }

    /// Number of bits.
    pub fn bits(self) -> u32 {
        self.size() as u32 * 8
    }

    /// Whether negative values exist.
    pub fn signed(self) -> bool {
        use IntKind as I;
        matches!(
            self,
            I::Char | I::SChar | I::Short | I::Int | I::Long | I::LongLong
        )
    }

    /// Conversion rank (C11 6.3.1.1).
    fn rank(self) -> u32 {
        use IntKind as I;
        match self {
            I::Bool => 0,
            I::Char | I::SChar | I::UChar => 1,
            I::Short | I::UShort => 2,
            I::Int | I::UInt => 3,
            I::Long | I::ULong | I::Size => 4,
            I::LongLong | I::ULongLong => 5,
        }
    }

    /// Integer promotion.
    #[must_use]
    pub fn promoted(self) -> IntKind {
        if self.rank() < IntKind::Int.rank() {
            IntKind::Int
        } else {
            self
        }
    }

    /// The unsigned type of the same size.
    #[must_use]
    pub fn unsigned(self) -> IntKind {
        use IntKind as I;
        match self {
            I::Char | I::SChar => I::UChar,
            I::Short => I::UShort,
            I::Int => I::UInt,
            I::Long => I::ULong,
            I::LongLong => I::ULongLong,
            other => other,
        }
    }

    /// Smallest and largest value.
    pub fn range(self) -> (i128, i128) {
        match self {
            IntKind::Bool => (0, 1),
            k if k.signed() => (-(1 << (k.bits() - 1)), (1 << (k.bits() - 1)) - 1),
            k => (0, (1 << k.bits()) - 1),
        }
    }

    /// A value as this type holds it: reduced modulo its range, as C does for unsigned types and
    /// every compiler for signed ones.
    pub fn wrap(self, value: i128) -> i128 {
        if self == IntKind::Bool {
            return i128::from(value != 0);
        }
        let low = value & ((1i128 << self.bits()) - 1);
        if self.signed() && low >> (self.bits() - 1) != 0 {
            low - (1i128 << self.bits())
        } else {
            low
        }
    }

    /// The Rust type.
    pub fn rust(self) -> &'static str {
        use IntKind as I;
        match self {
            I::Bool => "bool",
            I::Char | I::SChar => "i8",
            I::UChar => "u8",
            I::Short => "i16",
            I::UShort => "u16",
            I::Int => "i32",
            I::UInt => "u32",
            I::Long | I::LongLong => "i64",
            I::ULong | I::ULongLong => "u64",
            I::Size => "usize",
        }
    }
}

/// How many elements an array has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// A constant.
    Fixed(u64),
    /// `[]`: of a parameter, or completed by an initializer.
    Unknown,
    /// The value of an expression when the declaration is reached.
    Runtime(ExtentId),
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnType {
    /// What it returns.
    pub ret: Type,
    /// What it takes.
    pub params: Vec<Type>,
    /// Whether `...` follows.
    pub variadic: bool,
    /// Whether the parameters are known; not for `f()`.
    pub prototyped: bool,
}

/// A C type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// An integer type.
    Int(IntKind),
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
    /// A pointer.
    Pointer {
        /// To what.
        to: Box<Type>,
        /// Whether the data is `const`.
        constant: bool,
    },
    /// An array.
    Array(Box<Type>, Extent),
    /// A struct.
    Struct(StructId),
    /// A function.
    Function(Box<FnType>),
    /// `FILE *`: what the C library hands out for an open file is copied and compared, and never looked into.
    Stream,
}

/// `int`
pub const INT: Type = Type::Int(IntKind::Int);
/// `size_t`
pub const SIZE: Type = Type::Int(IntKind::Size);

impl Type {
    /// A pointer to data that may be written.
    pub fn pointer(to: Type) -> Type {
        Type::Pointer {
            to: Box::new(to),
            constant: false,
        }
    }

    /// Whether it is an integer type.
    pub fn is_int(&self) -> bool {
        matches!(self, Type::Int(_))
    }

    /// Whether it is a floating type.
    pub fn is_float(&self) -> bool {
        matches!(self, Type::Float | Type::Double | Type::LongDouble)
    }

    /// Whether arithmetic is defined on it.
    pub fn is_arithmetic(&self) -> bool {
        self.is_int() || self.is_float()
    }

    /// Whether it is a pointer to data.
    pub fn is_pointer(&self) -> bool {
        matches!(self, Type::Pointer { .. }) && !self.is_function_pointer()
    }

    /// Whether it is a pointer to a function.
    pub fn is_function_pointer(&self) -> bool {
        matches!(self, Type::Pointer { to, .. } if matches!(**to, Type::Function(_)))
    }

    /// Whether a condition may have it.
    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || matches!(self, Type::Pointer { .. } | Type::Stream)
    }

    /// Element of an array, or what a pointer points to.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::Pointer { to, .. } | Type::Array(to, _) => Some(to),
            _ => None,
        }
    }

    /// The innermost element of arrays of arrays.
    pub fn innermost(&self) -> &Type {
        match self {
            Type::Array(to, _) => to.innermost(),
            other => other,
        }
    }

    /// The type that a value of this type has in an expression: arrays and functions decay.
    #[must_use]
    pub fn decayed(&self) -> Type {
        match self {
            Type::Array(to, _) => Type::Pointer {
                to: to.clone(),
                constant: false,
            },
            Type::Function(_) => Type::pointer(self.clone()),
            other => other.clone(),
        }
    }

    /// Integer promotion; other types stay.
    #[must_use]
    pub fn promoted(&self) -> Type {
        match self {
            Type::Int(kind) => Type::Int(kind.promoted()),
            other => other.clone(),
        }
    }

    /// The integer type, if it is one.
    pub fn int(&self) -> Option<IntKind> {
        match self {
            Type::Int(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Whether it is `char` of any signedness.
    pub fn is_char(&self) -> bool {
        matches!(
            self,
            Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
        )
    }
}

/// The usual arithmetic conversions (C11 6.3.1.8): the type in which a binary operator computes;
/// `None` if one operand is not arithmetic.
///
/// ```
/// use acc2rs::ctypes::{IntKind, Type, common};
/// let (short, uint) = (Type::Int(IntKind::Short), Type::Int(IntKind::UInt));
/// assert_eq!(common(&short, &short), Some(Type::Int(IntKind::Int)));
/// assert_eq!(common(&short, &uint), Some(uint));
/// ```
pub fn common(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        _ if !a.is_arithmetic() || !b.is_arithmetic() => None,
        (Type::LongDouble, _) | (_, Type::LongDouble) => Some(Type::LongDouble),
        (Type::Double, _) | (_, Type::Double) => Some(Type::Double),
        (Type::Float, _) | (_, Type::Float) => Some(Type::Float),
        (Type::Int(a), Type::Int(b)) => Some(Type::Int(common_int(a.promoted(), b.promoted()))),
        _ => None,
    }
}

fn common_int(a: IntKind, b: IntKind) -> IntKind {
    if a == b {
        return a;
    }
    if a.signed() == b.signed() {
        return if a.rank() >= b.rank() { a } else { b };
    }
    let (unsigned, signed) = if a.signed() { (b, a) } else { (a, b) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if signed.size() > unsigned.size() {
        signed
    } else {
        signed.unsigned()
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use IntKind as I;
        match self {
            Type::Void => f.write_str("void"),
            Type::Int(kind) => f.write_str(match kind {
                I::Bool => "_Bool",
                I::Char => "char",
                I::SChar => "signed char",
                I::UChar => "unsigned char",
                I::Short => "short",
                I::UShort => "unsigned short",
                I::Int => "int",
                I::UInt => "unsigned int",
                I::Long => "long",
                I::ULong => "unsigned long",
                I::LongLong => "long long",
                I::ULongLong => "unsigned long long",
                I::Size => "size_t",
            }),
            Type::Float => f.write_str("float"),
            Type::Double => f.write_str("double"),
            Type::LongDouble => f.write_str("long double"),
            Type::Pointer { to, constant } => {
                write!(f, "{}{to} *", if *constant { "const " } else { "" })
            }
            Type::Array(to, Extent::Fixed(n)) => write!(f, "{to} [{n}]"),
            Type::Array(to, _) => write!(f, "{to} []"),
            Type::Struct(id) => write!(f, "struct #{}", id.0),
            Type::Function(_) => f.write_str("function"),
            Type::Stream => f.write_str("FILE *"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_conversions() {
        use IntKind as I;
        let t = Type::Int;
        for (a, b, want) in [
            (I::Char, I::UChar, I::Int),
            (I::Int, I::UInt, I::UInt),
            (I::UInt, I::Long, I::Long),
            (I::ULong, I::LongLong, I::ULongLong),
            (I::Int, I::Size, I::Size),
            (I::Bool, I::Bool, I::Int),
        ] {
            assert_eq!(common(&t(a), &t(b)), Some(t(want)));
            assert_eq!(common(&t(b), &t(a)), Some(t(want)));
        }
        assert_eq!(common(&Type::Float, &t(I::Long)), Some(Type::Float));
        assert_eq!(common(&Type::Void, &INT), None);
    }

    #[test]
    fn wrapping() {
        assert_eq!(IntKind::UChar.wrap(257), 1);
        assert_eq!(IntKind::Int.wrap(1 << 31), i128::from(i32::MIN));
        assert_eq!(IntKind::UInt.wrap(-1), i128::from(u32::MAX));
        assert_eq!(IntKind::Bool.wrap(4), 1);
    }
}

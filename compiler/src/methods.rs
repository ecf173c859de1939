//! The methods of primitive types that the IR knows, with their types. Everything here is part of what a
//! back end must be able to compute; what Rust's methods compute is the specification.

use crate::ir::{Length, Method, Scalar, Type};

/// Which receivers have a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receivers {
    /// Integers.
    Ints,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// `f32` and `f64`.
    Floats,
    /// Integers and floats.
    Numbers,
    /// Signed integers and floats.
    SignedOrFloats,
    /// `u8`, as an ASCII character.
    Byte,
}

/// The type of an argument after the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The receiver's.
    Same,
    /// `u32`.
    U32,
    /// `i32`.
    I32,
}

/// The type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The receiver's.
    Same,
    /// `bool`.
    Bool,
    /// `u32`.
    U32,
    /// The unsigned integer of the receiver's width.
    Unsigned,
    /// `[u8; N]` with the receiver's size.
    Bytes,
    /// `(receiver's, bool)`.
    WithFlag,
}

/// A method of primitive types.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Rust's name.
    pub name: &'static str,
    /// What it is called on.
    pub receivers: Receivers,
    /// What it takes.
    pub arguments: &'static [Argument],
    /// What it returns.
    pub output: Output,
}

impl Receivers {
    /// Whether a scalar is one of them.
    pub fn contains(self, scalar: Scalar) -> bool {
        match self {
            Receivers::Ints => scalar.is_int(),
            Receivers::Signed => scalar.is_signed(),
            Receivers::Unsigned => scalar.is_int() && !scalar.is_signed(),
            Receivers::Floats => scalar.is_float(),
            Receivers::Numbers => scalar != Scalar::Bool,
            Receivers::SignedOrFloats => scalar.is_signed() || scalar.is_float(),
            Receivers::Byte => scalar == Scalar::U8,
        }
    }
}

impl Output {
    /// The type of the result for a receiver.
    pub fn of(self, receiver: Scalar) -> Type {
        match self {
            Output::Same => Type::Scalar(receiver),
            Output::Bool => Type::Scalar(Scalar::Bool),
            Output::U32 => Type::Scalar(Scalar::U32),
            Output::Unsigned => Type::Scalar(unsigned(receiver)),
            Output::Bytes => Type::Array(
                Box::new(Type::Scalar(Scalar::U8)),
                Length::Known(u64::from(receiver.size())),
            ),
            Output::WithFlag => {
                Type::Tuple(vec![Type::Scalar(receiver), Type::Scalar(Scalar::Bool)])
            }
        }
    }
}

/// The unsigned integer as wide as a scalar.
pub fn unsigned(scalar: Scalar) -> Scalar {
    match scalar.size() {
        1 => Scalar::U8,
        2 => Scalar::U16,
        4 => Scalar::U32,
        _ if matches!(scalar, Scalar::Isize | Scalar::Usize) => Scalar::Usize,
        _ => Scalar::U64,
    }
}

/// The methods of a name; several where integers and floats have different ones.
pub fn named(name: &str) -> impl Iterator<Item = &'static Spec> {
    TABLE.iter().filter(move |spec| spec.name == name)
}

/// The method of a name on a receiver.
///
/// ```
/// use accrue_compiler::{ir::Scalar, methods::find};
/// assert!(find("count_ones", Scalar::U8).is_some());
/// assert!(find("count_ones", Scalar::F32).is_none());
/// ```
pub fn find(name: &str, receiver: Scalar) -> Option<&'static Spec> {
    named(name).find(|spec| spec.receivers.contains(receiver))
}

impl Method {
    /// The method's row in the table for a receiver.
    pub fn spec(self, receiver: Scalar) -> Option<&'static Spec> {
        find(self.0, receiver)
    }
}

macro_rules! table {
    ($($receivers:ident { $($name:ident ($($argument:ident),*) -> $output:ident;)* })*) => {
        /// Every method.
        pub const TABLE: &[Spec] = &[$($(Spec {
            name: stringify!($name),
            receivers: Receivers::$receivers,
            arguments: &[$(Argument::$argument),*],
            output: Output::$output,
        },)*)*];
    };
}

table! {
    Numbers {
        min(Same) -> Same;
        max(Same) -> Same;
        clamp(Same, Same) -> Same;
        rem_euclid(Same) -> Same;
        div_euclid(Same) -> Same;
    }
    SignedOrFloats {
        abs() -> Same;
        signum() -> Same;
    }
    Ints {
        wrapping_add(Same) -> Same;
        wrapping_sub(Same) -> Same;
        wrapping_mul(Same) -> Same;
        wrapping_neg() -> Same;
        wrapping_shl(U32) -> Same;
        wrapping_shr(U32) -> Same;
        wrapping_pow(U32) -> Same;
        saturating_add(Same) -> Same;
        saturating_sub(Same) -> Same;
        saturating_mul(Same) -> Same;
        overflowing_add(Same) -> WithFlag;
        overflowing_sub(Same) -> WithFlag;
        overflowing_mul(Same) -> WithFlag;
        pow(U32) -> Same;
        isqrt() -> Same;
        ilog2() -> U32;
        ilog10() -> U32;
        abs_diff(Same) -> Unsigned;
        count_ones() -> U32;
        count_zeros() -> U32;
        leading_zeros() -> U32;
        trailing_zeros() -> U32;
        leading_ones() -> U32;
        trailing_ones() -> U32;
        rotate_left(U32) -> Same;
        rotate_right(U32) -> Same;
        swap_bytes() -> Same;
        reverse_bits() -> Same;
        to_le() -> Same;
        to_be() -> Same;
        to_le_bytes() -> Bytes;
        to_be_bytes() -> Bytes;
        to_ne_bytes() -> Bytes;
    }
    Signed {
        unsigned_abs() -> Unsigned;
        wrapping_abs() -> Same;
        is_positive() -> Bool;
        is_negative() -> Bool;
    }
    Unsigned {
        div_ceil(Same) -> Same;
        next_multiple_of(Same) -> Same;
        is_power_of_two() -> Bool;
        next_power_of_two() -> Same;
    }
    Byte {
        is_ascii() -> Bool;
        is_ascii_alphabetic() -> Bool;
        is_ascii_alphanumeric() -> Bool;
        is_ascii_digit() -> Bool;
        is_ascii_hexdigit() -> Bool;
        is_ascii_lowercase() -> Bool;
        is_ascii_uppercase() -> Bool;
        is_ascii_punctuation() -> Bool;
        is_ascii_whitespace() -> Bool;
        is_ascii_graphic() -> Bool;
        is_ascii_control() -> Bool;
        to_ascii_lowercase() -> Same;
        to_ascii_uppercase() -> Same;
    }
    Floats {
        floor() -> Same;
        ceil() -> Same;
        round() -> Same;
        round_ties_even() -> Same;
        trunc() -> Same;
        fract() -> Same;
        sqrt() -> Same;
        cbrt() -> Same;
        sin() -> Same;
        cos() -> Same;
        tan() -> Same;
        asin() -> Same;
        acos() -> Same;
        atan() -> Same;
        atan2(Same) -> Same;
        sinh() -> Same;
        cosh() -> Same;
        tanh() -> Same;
        asinh() -> Same;
        acosh() -> Same;
        atanh() -> Same;
        exp() -> Same;
        exp2() -> Same;
        exp_m1() -> Same;
        ln() -> Same;
        ln_1p() -> Same;
        log2() -> Same;
        log10() -> Same;
        log(Same) -> Same;
        powi(I32) -> Same;
        powf(Same) -> Same;
        mul_add(Same, Same) -> Same;
        hypot(Same) -> Same;
        copysign(Same) -> Same;
        recip() -> Same;
        to_degrees() -> Same;
        to_radians() -> Same;
        is_nan() -> Bool;
        is_infinite() -> Bool;
        is_finite() -> Bool;
        is_sign_negative() -> Bool;
        is_sign_positive() -> Bool;
        to_bits() -> Unsigned;
    }
}

/// Associated functions that make a primitive out of its parts: `f32::from_bits(b)`,
/// `u32::from_le_bytes(b)`. In the IR they are methods whose one operand has [`part_type`] and whose
/// result is the primitive.
pub const CONSTRUCTORS: &[&str] = &[
    "from_bits",
    "from_le_bytes",
    "from_be_bytes",
    "from_ne_bytes",
];

/// The operand's type of a constructor, where the primitive has it.
pub fn part_type(constructor: &str, primitive: Scalar) -> Option<Type> {
    match constructor {
        "from_bits" if primitive.is_float() => Some(Output::Unsigned.of(primitive)),
        "from_le_bytes" | "from_be_bytes" | "from_ne_bytes" if primitive.is_int() => {
            Some(Output::Bytes.of(primitive))
        }
        _ => None,
    }
}

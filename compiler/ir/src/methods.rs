//! The methods of primitive types that the IR knows: one enum, and a row for each. Everything here is part of what a
//! back end must be able to compute; what Rust's methods compute is the specification.
//!
//! A name becomes a [`Method`] where it is read; after that every `match` names every method of its receivers, so that a
//! new row makes the compiler list what computes it: the interpreter and the printer of PTX.

use crate::ir::{Length, Scalar, Type};

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
    /// None: it makes a float out of its bits, `f32::from_bits(b)`.
    FromBits,
    /// None: it makes an integer out of its bytes, `u32::from_le_bytes(b)`.
    FromBytes,
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
    /// What it returns; of a function that makes a primitive, that.
    pub output: Output,
    /// Whether it is arithmetic that wraps, which no operands make panic.
    pub wraps: bool,
    /// Tenths of a nanosecond on a core, roughly.
    pub tenths: u32,
    /// Operations on a GPU, roughly.
    pub operations: u32,
}

impl Spec {
    /// What is usual.
    const USUAL: Spec = Spec {
        name: "",
        receivers: Receivers::Ints,
        arguments: &[],
        output: Output::Same,
        wraps: false,
        tenths: 3,
        operations: 1,
    };
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
            Receivers::FromBits | Receivers::FromBytes => false,
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

impl Method {
    /// The method of a name, of whatever receiver; functions that make a primitive are none.
    pub fn named(name: &str) -> Option<Method> {
        let of_name = Method::ALL.into_iter().find(|m| m.name() == name);
        of_name.filter(|method| !method.is_constructor())
    }

    /// The method of a name on a receiver.
    ///
    /// ```
    /// use accrue_ir::{ir::Scalar, methods::Method};
    /// assert_eq!(Method::find("count_ones", Scalar::U8), Some(Method::CountOnes));
    /// assert_eq!(Method::find("count_ones", Scalar::F32), None);
    /// ```
    pub fn find(name: &str, receiver: Scalar) -> Option<Method> {
        Method::named(name).filter(|method| method.spec().receivers.contains(receiver))
    }

    /// The associated function of a name that makes a primitive out of its parts. In the IR it is a method whose one operand
    /// has the [type of the part](Method::part) and whose result is the primitive.
    pub fn constructor(name: &str) -> Option<Method> {
        let of_name = Method::ALL.into_iter().find(|m| m.name() == name);
        of_name.filter(|method| method.is_constructor())
    }

    /// Rust's name.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Whether it makes a primitive out of its parts.
    pub fn is_constructor(self) -> bool {
        matches!(
            self.spec().receivers,
            Receivers::FromBits | Receivers::FromBytes
        )
    }

    /// The operand's type of a function that makes a primitive, where the primitive has it.
    pub fn part(self, primitive: Scalar) -> Option<Type> {
        match self.spec().receivers {
            Receivers::FromBits => primitive.is_float().then(|| Output::Unsigned.of(primitive)),
            Receivers::FromBytes => primitive.is_int().then(|| Output::Bytes.of(primitive)),
            Receivers::Ints
            | Receivers::Signed
            | Receivers::Unsigned
            | Receivers::Floats
            | Receivers::Numbers
            | Receivers::SignedOrFloats
            | Receivers::Byte => None,
        }
    }
}

macro_rules! table {
    ($($receivers:ident {
        $($method:ident = $name:ident($($argument:ident),*) -> $output:ident $({ $($column:ident: $value:expr),* })?;)*
    })*) => {
        /// A method of a primitive type, or a function that makes one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Method {
            $($(#[doc = concat!("`", stringify!($name), "`.")] $method,)*)*
        }

        impl Method {
            /// Every method.
            pub const ALL: [Method; [$($(stringify!($method)),*),*].len()] = [$($(Method::$method),*),*];

            /// Its row in the table.
            pub const fn spec(self) -> &'static Spec {
                match self {
                    $($(Method::$method => const { &Spec {
                        name: stringify!($name),
                        receivers: Receivers::$receivers,
                        arguments: &[$(Argument::$argument),*],
                        output: Output::$output,
                        $($($column: $value,)*)?
                        ..Spec::USUAL
                    } },)*)*
                }
            }
        }

        /// The methods of some receivers, as a pattern: what computes only the others lists these at once.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! methods_of {
            $(($receivers) => { $($crate::methods::Method::$method)|* };)*
        }
    };
}

table! {
    Numbers {
        Min = min(Same) -> Same;
        Max = max(Same) -> Same;
        Clamp = clamp(Same, Same) -> Same;
        RemEuclid = rem_euclid(Same) -> Same { tenths: 30 };
        DivEuclid = div_euclid(Same) -> Same { tenths: 30 };
    }
    SignedOrFloats {
        Abs = abs() -> Same;
        Signum = signum() -> Same;
    }
    Ints {
        WrappingAdd = wrapping_add(Same) -> Same { wraps: true };
        WrappingSub = wrapping_sub(Same) -> Same { wraps: true };
        WrappingMul = wrapping_mul(Same) -> Same { wraps: true };
        WrappingNeg = wrapping_neg() -> Same { wraps: true };
        WrappingShl = wrapping_shl(U32) -> Same { wraps: true };
        WrappingShr = wrapping_shr(U32) -> Same { wraps: true };
        WrappingPow = wrapping_pow(U32) -> Same { wraps: true };
        SaturatingAdd = saturating_add(Same) -> Same;
        SaturatingSub = saturating_sub(Same) -> Same;
        SaturatingMul = saturating_mul(Same) -> Same;
        OverflowingAdd = overflowing_add(Same) -> WithFlag;
        OverflowingSub = overflowing_sub(Same) -> WithFlag;
        OverflowingMul = overflowing_mul(Same) -> WithFlag;
        Pow = pow(U32) -> Same;
        Isqrt = isqrt() -> Same;
        Ilog2 = ilog2() -> U32;
        Ilog10 = ilog10() -> U32;
        AbsDiff = abs_diff(Same) -> Unsigned;
        CountOnes = count_ones() -> U32;
        CountZeros = count_zeros() -> U32;
        LeadingZeros = leading_zeros() -> U32;
        TrailingZeros = trailing_zeros() -> U32;
        LeadingOnes = leading_ones() -> U32;
        TrailingOnes = trailing_ones() -> U32;
        RotateLeft = rotate_left(U32) -> Same;
        RotateRight = rotate_right(U32) -> Same;
        SwapBytes = swap_bytes() -> Same;
        ReverseBits = reverse_bits() -> Same;
        ToLe = to_le() -> Same;
        ToBe = to_be() -> Same;
        ToLeBytes = to_le_bytes() -> Bytes;
        ToBeBytes = to_be_bytes() -> Bytes;
        ToNeBytes = to_ne_bytes() -> Bytes;
    }
    Signed {
        UnsignedAbs = unsigned_abs() -> Unsigned;
        WrappingAbs = wrapping_abs() -> Same { wraps: true };
        IsPositive = is_positive() -> Bool;
        IsNegative = is_negative() -> Bool;
    }
    Unsigned {
        DivCeil = div_ceil(Same) -> Same { tenths: 30 };
        NextMultipleOf = next_multiple_of(Same) -> Same;
        IsPowerOfTwo = is_power_of_two() -> Bool;
        NextPowerOfTwo = next_power_of_two() -> Same;
    }
    Byte {
        IsAscii = is_ascii() -> Bool;
        IsAsciiAlphabetic = is_ascii_alphabetic() -> Bool;
        IsAsciiAlphanumeric = is_ascii_alphanumeric() -> Bool;
        IsAsciiDigit = is_ascii_digit() -> Bool;
        IsAsciiHexdigit = is_ascii_hexdigit() -> Bool;
        IsAsciiLowercase = is_ascii_lowercase() -> Bool;
        IsAsciiUppercase = is_ascii_uppercase() -> Bool;
        IsAsciiPunctuation = is_ascii_punctuation() -> Bool;
        IsAsciiWhitespace = is_ascii_whitespace() -> Bool;
        IsAsciiGraphic = is_ascii_graphic() -> Bool;
        IsAsciiControl = is_ascii_control() -> Bool;
        ToAsciiLowercase = to_ascii_lowercase() -> Same;
        ToAsciiUppercase = to_ascii_uppercase() -> Same;
    }
    Floats {
        Floor = floor() -> Same;
        Ceil = ceil() -> Same;
        Round = round() -> Same;
        RoundTiesEven = round_ties_even() -> Same;
        Trunc = trunc() -> Same;
        Fract = fract() -> Same;
        Sqrt = sqrt() -> Same { tenths: 50, operations: 8 };
        Cbrt = cbrt() -> Same { tenths: 50, operations: 8 };
        Sin = sin() -> Same { tenths: 150, operations: 20 };
        Cos = cos() -> Same { tenths: 150, operations: 20 };
        Tan = tan() -> Same { tenths: 150, operations: 20 };
        Asin = asin() -> Same { tenths: 150 };
        Acos = acos() -> Same { tenths: 150 };
        Atan = atan() -> Same { tenths: 150 };
        Atan2 = atan2(Same) -> Same { tenths: 150, operations: 20 };
        Sinh = sinh() -> Same { tenths: 150 };
        Cosh = cosh() -> Same { tenths: 150 };
        Tanh = tanh() -> Same { tenths: 150 };
        Asinh = asinh() -> Same;
        Acosh = acosh() -> Same;
        Atanh = atanh() -> Same;
        Exp = exp() -> Same { tenths: 150, operations: 20 };
        Exp2 = exp2() -> Same { tenths: 150, operations: 20 };
        ExpM1 = exp_m1() -> Same { tenths: 150 };
        Ln = ln() -> Same { tenths: 150, operations: 20 };
        Ln1p = ln_1p() -> Same { tenths: 150 };
        Log2 = log2() -> Same { tenths: 150, operations: 20 };
        Log10 = log10() -> Same { tenths: 150, operations: 20 };
        Log = log(Same) -> Same { tenths: 150 };
        Powi = powi(I32) -> Same { tenths: 150, operations: 20 };
        Powf = powf(Same) -> Same { tenths: 150, operations: 20 };
        MulAdd = mul_add(Same, Same) -> Same;
        Hypot = hypot(Same) -> Same { tenths: 50, operations: 8 };
        Copysign = copysign(Same) -> Same;
        Recip = recip() -> Same { tenths: 50 };
        ToDegrees = to_degrees() -> Same;
        ToRadians = to_radians() -> Same;
        IsNan = is_nan() -> Bool;
        IsInfinite = is_infinite() -> Bool;
        IsFinite = is_finite() -> Bool;
        IsSignNegative = is_sign_negative() -> Bool;
        IsSignPositive = is_sign_positive() -> Bool;
        ToBits = to_bits() -> Unsigned;
    }
    FromBits {
        FromBits = from_bits() -> Same;
    }
    FromBytes {
        FromLeBytes = from_le_bytes() -> Same;
        FromBeBytes = from_be_bytes() -> Same;
        FromNeBytes = from_ne_bytes() -> Same;
    }
}

impl Method {
    /// Whether it has a result whatever it is given, so that nothing panics.
    pub fn is_total(self) -> bool {
        let spec = self.spec();
        let made = matches!(
            spec.receivers,
            Receivers::Byte | Receivers::FromBits | Receivers::FromBytes
        );
        made || spec.wraps
            || matches!(
                self,
                Method::Min
                    | Method::Max
                    | Method::Signum
                    | Method::SaturatingAdd
                    | Method::SaturatingSub
                    | Method::SaturatingMul
                    | Method::OverflowingAdd
                    | Method::OverflowingSub
                    | Method::OverflowingMul
                    | Method::AbsDiff
                    | Method::CountOnes
                    | Method::CountZeros
                    | Method::LeadingZeros
                    | Method::TrailingZeros
                    | Method::LeadingOnes
                    | Method::TrailingOnes
                    | Method::RotateLeft
                    | Method::RotateRight
                    | Method::SwapBytes
                    | Method::ReverseBits
                    | Method::ToLe
                    | Method::ToBe
                    | Method::ToLeBytes
                    | Method::ToBeBytes
                    | Method::ToNeBytes
                    | Method::UnsignedAbs
                    | Method::IsPositive
                    | Method::IsNegative
                    | Method::IsPowerOfTwo
            )
    }
}

// Behind the table, since it is made by it.
pub use methods_of;

#[cfg(test)]
mod tests {
    use super::*;

    /// A name is one method, or one function that makes a primitive: [`Method::named`] takes the first.
    #[test]
    fn names_are_unique() {
        for method in Method::ALL {
            let name = method.name();
            let same = Method::ALL.into_iter().filter(|other| other.name() == name);
            assert_eq!(same.count(), 1, "{name}");
            let (named, made) = (Method::named(name), Method::constructor(name));
            let expected = match method.is_constructor() {
                true => (None, Some(method)),
                false => (Some(method), None),
            };
            assert_eq!((named, made), expected, "{name}");
            let found = Scalar::ALL
                .into_iter()
                .filter(|s| Method::find(name, *s).is_some());
            let part = Scalar::ALL
                .into_iter()
                .filter(|s| method.part(*s).is_some());
            assert!(found.count() + part.count() > 0, "{name} is of no type");
        }
        assert_eq!(Method::named("take"), None);
        assert_eq!(Method::constructor("from"), None);
    }
}

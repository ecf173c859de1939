//! The types of bins: values that make every result exact, and the operators as Rust has them.

use accrue::DeviceType;
use accrue_ptx::abi::{Elem, Op};

use crate::data::Random;

/// A type of bins.
pub(crate) trait Value: DeviceType + PartialEq + std::fmt::Debug {
    /// It, for the compiler.
    const ELEM: Elem;

    /// A value to be combined: any sum, product or extremum of four million of them is exact, in any order.
    fn draw(op: Op, random: &mut Random) -> Self;

    /// What a bin holds before the loop.
    fn initial(op: Op, random: &mut Random) -> Self;

    /// The sequential loop's step.
    fn combine(self, op: Op, value: Self) -> Self;

    /// Whether two results are the same: equal, or both no number. The sign of a sum that comes to zero depends on the
    /// order of summation.
    fn same(self, other: Self) -> bool;

    /// Whether the bits are the same.
    fn same_bits(self, other: Self) -> bool;
}

macro_rules! integers {
    ($($t:ty => $elem:ident),*) => {$(
        impl Value for $t {
            const ELEM: Elem = Elem::$elem;

            fn draw(op: Op, random: &mut Random) -> $t {
                match op {
                    // Odd factors keep a product from becoming zero.
                    Op::Mul => random.next() as $t | 1,
                    // Small enough for some bins to saturate and some not.
                    Op::SaturatingAdd => (random.next() % 5) as $t,
                    _ => random.next() as $t,
                }
            }

            fn initial(op: Op, random: &mut Random) -> $t {
                match op {
                    Op::Mul => random.next() as $t | 1,
                    Op::SaturatingAdd if random.below(2) == 0 => <$t>::MAX - (random.next() % 100) as $t,
                    _ => random.next() as $t,
                }
            }

            fn combine(self, op: Op, value: $t) -> $t {
                match op {
                    Op::Add => self.wrapping_add(value),
                    Op::Sub => self.wrapping_sub(value),
                    Op::SaturatingAdd => self.saturating_add(value),
                    Op::Mul => self.wrapping_mul(value),
                    Op::And => self & value,
                    Op::Or => self | value,
                    Op::Xor => self ^ value,
                    Op::Min => self.min(value),
                    Op::Max => self.max(value),
                }
            }

            fn same(self, other: $t) -> bool {
                self == other
            }

            fn same_bits(self, other: $t) -> bool {
                self == other
            }
        }
    )*};
}
integers!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, i8 => I8, i16 => I16, i32 => I32, i64 => I64);

macro_rules! floats {
    ($($t:ty => $elem:ident),*) => {$(
        impl Value for $t {
            const ELEM: Elem = Elem::$elem;

            fn draw(op: Op, random: &mut Random) -> $t {
                match op {
                    // Whole numbers whose sums stay below 2^24.
                    Op::Add | Op::Sub => random.below(5) as $t - 2.0,
                    Op::Mul => if random.below(2) == 0 { 1.0 } else { -1.0 },
                    _ if random.below(50) == 0 => <$t>::NAN,
                    // Not zero: which of -0.0 and 0.0 is smaller is left open.
                    _ => (random.unit() as $t - 0.5) * 1e6 + 1e-3,
                }
            }

            fn initial(op: Op, random: &mut Random) -> $t {
                match op {
                    // A bin that nothing is added to keeps its sign.
                    Op::Add | Op::Sub if random.below(4) == 0 => -0.0,
                    Op::Mul => random.unit() as $t,
                    Op::Min | Op::Max if random.below(4) == 0 => <$t>::NAN,
                    _ => (random.below(2000) as $t) - 1000.5,
                }
            }

            fn combine(self, op: Op, value: $t) -> $t {
                match op {
                    Op::Add => self + value,
                    Op::Sub => self - value,
                    Op::Mul => self * value,
                    Op::Min => self.min(value),
                    Op::Max => self.max(value),
                    Op::SaturatingAdd | Op::And | Op::Or | Op::Xor => unreachable!("not an operator of floats"),
                }
            }

            fn same(self, other: $t) -> bool {
                self == other || (self.is_nan() && other.is_nan())
            }

            fn same_bits(self, other: $t) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        }
    )*};
}
floats!(f32 => F32, f64 => F64);

impl Value for bool {
    const ELEM: Elem = Elem::Bool;

    fn draw(_op: Op, random: &mut Random) -> bool {
        random.below(2) == 0
    }

    fn initial(op: Op, random: &mut Random) -> bool {
        bool::draw(op, random)
    }

    fn combine(self, op: Op, value: bool) -> bool {
        match op {
            Op::And => self & value,
            Op::Or => self | value,
            Op::Xor => self ^ value,
            Op::Add | Op::Sub | Op::SaturatingAdd | Op::Mul | Op::Min | Op::Max => {
                unreachable!("not an operator of bool")
            }
        }
    }

    fn same(self, other: bool) -> bool {
        self == other
    }

    fn same_bits(self, other: bool) -> bool {
        self == other
    }
}

/// The update `bin op= value` as people write it.
pub(crate) fn update(op: Op, elem: Elem, bin: &str, value: &str) -> String {
    let float = elem.is_float();
    match op {
        Op::Add if float => format!("{bin} += {value}"),
        Op::Sub if float => format!("{bin} -= {value}"),
        Op::Mul if float => format!("{bin} *= {value}"),
        Op::Add => format!("{bin} = {bin}.wrapping_add({value})"),
        Op::Sub => format!("{bin} = {bin}.wrapping_sub({value})"),
        Op::Mul => format!("{bin} = {bin}.wrapping_mul({value})"),
        Op::SaturatingAdd => format!("{bin} = {bin}.saturating_add({value})"),
        Op::And => format!("{bin} &= {value}"),
        Op::Or => format!("{bin} |= {value}"),
        Op::Xor => format!("{bin} ^= {value}"),
        Op::Min => format!("{bin} = {bin}.min({value})"),
        Op::Max => format!("{bin} = {bin}.max({value})"),
    }
}

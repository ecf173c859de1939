//! The types of bins: values that make every result exact, and the operators as Rust has them.

use accrue::DeviceType;
use accrue_ptx::abi::{Elem, Op};

use crate::data::Random;

/// A type of bins.
pub(crate) trait Value: DeviceType + PartialEq + std::fmt::Debug {
    /// It, for the compiler.
    const ELEM: Elem;

    /// A value to be combined, one of so many: any sum (of up to four million), product or extremum of them is exact, in any order.
    fn draw(op: Op, items: usize, random: &mut Random) -> Self;

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

/// Of so many factors one is 2 and one is 1/2: the standard deviation of the sum of the exponents of all factors is at most 8.
fn rare_powers(items: usize) -> u64 {
    const VARIANCE: u64 = 8 * 8;
    // Each of the two has this share of the items, and a square of 1.
    (2 * items as u64).div_ceil(VARIANCE).max(64)
}

macro_rules! integers {
    ($($t:ty => $elem:ident),*) => {$(
        impl Value for $t {
            const ELEM: Elem = Elem::$elem;

            fn draw(op: Op, _items: usize, random: &mut Random) -> $t {
                match op {
                    // Odd factors keep a product from becoming zero.
                    Op::Mul => random.next() as $t | 1,
                    // Small enough for some bins to saturate and some not.
                    Op::SaturatingAdd => (random.next() % 5) as $t,
                    Op::Add | Op::Sub | Op::And | Op::Or | Op::Xor | Op::Min | Op::Max => random.next() as $t,
                }
            }

            fn initial(op: Op, random: &mut Random) -> $t {
                match op {
                    Op::Mul => random.next() as $t | 1,
                    Op::SaturatingAdd if random.below(2) == 0 => <$t>::MAX - (random.next() % 100) as $t,
                    Op::Add | Op::Sub | Op::SaturatingAdd | Op::And | Op::Or | Op::Xor | Op::Min | Op::Max => {
                        random.next() as $t
                    }
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

            fn draw(op: Op, items: usize, random: &mut Random) -> $t {
                match op {
                    // Whole numbers whose sums stay below 2^24.
                    Op::Add | Op::Sub => random.below(5) as $t - 2.0,
                    // As many halves as twos on the average, and fewer the more items there are, which may all be of one bin: the
                    // exponent of a product walks, and must not come to the subnormals, which round. A factor of -1 that
                    // is lost shows as well as any.
                    Op::Mul => match random.below(rare_powers(items)) {
                        0 => 2.0,
                        1 => 0.5,
                        n if n % 2 == 0 => 1.0,
                        _ => -1.0,
                    },
                    Op::Min | Op::Max if random.below(50) == 0 => <$t>::NAN,
                    // Not zero: which of -0.0 and 0.0 is smaller is left open.
                    Op::Min | Op::Max => (random.unit() as $t - 0.5) * 1e6 + 1e-3,
                    Op::SaturatingAdd | Op::And | Op::Or | Op::Xor => unreachable!("not an operator of floats"),
                }
            }

            fn initial(op: Op, random: &mut Random) -> $t {
                match op {
                    // A bin that nothing is added to keeps its sign.
                    Op::Add | Op::Sub if random.below(4) == 0 => -0.0,
                    Op::Mul => random.unit() as $t,
                    Op::Min | Op::Max if random.below(4) == 0 => <$t>::NAN,
                    Op::Add | Op::Sub | Op::Min | Op::Max => (random.below(2000) as $t) - 1000.5,
                    Op::SaturatingAdd | Op::And | Op::Or | Op::Xor => unreachable!("not an operator of floats"),
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

    fn draw(_op: Op, _items: usize, random: &mut Random) -> bool {
        random.below(2) == 0
    }

    fn initial(op: Op, random: &mut Random) -> bool {
        bool::draw(op, 1, random)
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
    // Overflow is part of no case, and of floats there is no other form.
    op.update(bin, value, !elem.is_float())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_of_all_factors_stays_far_from_the_subnormals() {
        for (seed, items) in [60, 1000, 33_333, 100_003, 1 << 20, 4 << 20]
            .into_iter()
            .enumerate()
        {
            let mut random = Random::new(seed as u64);
            let (mut exponent, mut negative, mut powers) = (0i32, 0, 0);
            for _ in 0..items {
                let factor = f32::draw(Op::Mul, items, &mut random);
                exponent += factor.abs().log2() as i32;
                negative += usize::from(factor < 0.0);
                powers += usize::from(factor.abs() != 1.0);
                // A random bin of at least 2^-24, six standard deviations below it.
                assert!(exponent.abs() < 60, "2^{exponent} of {items}");
            }
            // What is lost shows: half of the factors change the sign, and some the exponent.
            assert!(
                negative * 3 > items && negative * 3 < 2 * items,
                "{negative} of {items}"
            );
            assert!(items < 1000 || powers > 10, "{powers} of {items}");
        }
    }
}

//! The operators of updates, as types without data, so that a table's inner loop knows its operator when
//! it is compiled.
//!
//! An operator says four things: what a private slot starts with, how a value goes into a private
//! slot, how a private slot goes into a bin (the same, but for subtraction: values are added up in private and
//! subtracted once), and how an update of a bin is taken back, where that is possible. What else there is to know of it
//! is in its row of the table, [`accrue_ops`].

use accrue_ops::Op;

use crate::base::bin::{Arithmetic, Bits, Slot, Unsigned};

/// An operator's row in the table.
pub trait OfTable: Copy + Default + Send + Sync + 'static {
    /// Which it is.
    const OP: Op;
}

/// Every operator has a type of its name.
macro_rules! of_table {
    ($($name:ident)*) => {$(
        impl OfTable for $name {
            const OP: Op = Op::$name;
        }
    )*};
}
accrue_ops::for_each_operator!(of_table);

impl OfTable for AddSub {
    const OP: Op = Op::Add;
}

impl<O: OfTable> OfTable for Wrapping<O> {
    const OP: Op = O::OP;
}

/// The operator of an update of bins of type `B`.
///
/// `CHECKED` is whether the profile of the user's crate checks overflow; the second half of a result
/// says that it happened, and the wrapped value stands in the first.
#[diagnostic::on_unimplemented(
    message = "[accrue::H033] bins of type `{B}` do not have this operator",
    label = "not an order-free operator of `{B}`",
    note = "every number has `+=`, `-=`, `*=`, `min` and `max`; integers also `&=`, `|=`, `^=` and `wrapping_*`; unsigned integers also `saturating_add`"
)]
pub trait Operator<B: Slot>: OfTable {
    /// What a private slot starts with: `merge(x, NEUTRAL)` is `x`, bit for bit.
    const NEUTRAL: B;
    /// Whether [`Operator::revert`] works: of integers, where the table has what undoes it.
    const INVERTIBLE: bool = !B::FLOAT && Self::OP.row().undone_by.is_some();
    /// Whether checked overflow depends on the order of the updates, so that only the sequential loop
    /// can tell.
    const ORDERED: bool;
    /// Whether a result can be too large for the type, which a profile may check.
    const OVERFLOWS: bool = !B::FLOAT && Self::OP.row().overflows;
    /// Whether a value goes into a private slot as a plain sum.
    const SUMS: bool = false;
    /// Whether the last bits of a result depend on the order of the updates: floats.
    const ROUNDS: bool;
    /// A value goes into a private slot, or a private slot into another.
    fn accumulate<const CHECKED: bool>(slot: B, value: B) -> (B, bool);
    /// A value, or a private slot, goes into a bin.
    #[inline(always)]
    fn merge<const CHECKED: bool>(bin: B, value: B) -> (B, bool) {
        Self::accumulate::<CHECKED>(bin, value)
    }
    /// Takes a value out of a bin again. Meaningful only if [`Operator::INVERTIBLE`].
    fn revert(bin: B, _value: B) -> B {
        bin
    }
}

/// `h += v`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Add;

impl<B: Arithmetic> Operator<B> for Add {
    const NEUTRAL: B = B::SUM_NEUTRAL;
    const SUMS: bool = true;
    const ORDERED: bool = B::SIGNED && !B::FLOAT;
    const ROUNDS: bool = B::FLOAT;
    #[inline(always)]
    fn accumulate<const CHECKED: bool>(slot: B, value: B) -> (B, bool) {
        let (sum, over) = slot.sum(value);
        (sum, CHECKED && over)
    }
    #[inline(always)]
    fn revert(bin: B, value: B) -> B {
        bin.difference(value).0
    }
}

/// `h -= v`. Private slots hold the sum of the values. They start at 0 and not at -0.0, since `-0.0 - 0.0`
/// is -0.0 and `-0.0 - -0.0` is 0.0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sub;

impl<B: Arithmetic> Operator<B> for Sub {
    const NEUTRAL: B = B::ZERO;
    const SUMS: bool = true;
    const ORDERED: bool = B::SIGNED && !B::FLOAT;
    const ROUNDS: bool = B::FLOAT;
    #[inline(always)]
    fn accumulate<const CHECKED: bool>(slot: B, value: B) -> (B, bool) {
        Add::accumulate::<CHECKED>(slot, value)
    }
    #[inline(always)]
    fn merge<const CHECKED: bool>(bin: B, value: B) -> (B, bool) {
        let (rest, over) = bin.difference(value);
        (rest, CHECKED && over)
    }
    #[inline(always)]
    fn revert(bin: B, value: B) -> B {
        bin.sum(value).0
    }
}

/// `h += v` and `h -= v` of the same bins: a sum of values, of which those that are subtracted come as their opposites.
///
/// Such a sum has no overflow check that could be believed. What is left of a bin tells nothing of the way to it, and neither does a
/// private slot: it may pass below zero where the bin never does, and a value's opposite is another number than the value. Where a
/// profile checks overflow only the user's own loop is right, so a checked update is always a fault.
#[derive(Clone, Copy, Debug, Default)]
pub struct AddSub;

impl<B: Arithmetic> Operator<B> for AddSub {
    const NEUTRAL: B = B::SUM_NEUTRAL;
    const SUMS: bool = true;
    const ORDERED: bool = !B::FLOAT;
    const ROUNDS: bool = B::FLOAT;
    #[inline(always)]
    fn accumulate<const CHECKED: bool>(slot: B, value: B) -> (B, bool) {
        (slot.sum(value).0, CHECKED && !B::FLOAT)
    }
    #[inline(always)]
    fn revert(bin: B, value: B) -> B {
        bin.difference(value).0
    }
}

/// An operator with updates of two signs.
pub trait TwoSigns<B: Slot>: Operator<B> {
    /// The value of an update that subtracts.
    fn opposite(value: B) -> B;
}

impl<B: Arithmetic> TwoSigns<B> for AddSub {
    #[inline(always)]
    fn opposite(value: B) -> B {
        value.opposite()
    }
}

impl<B: Slot, O: TwoSigns<B>> TwoSigns<B> for Wrapping<O> {
    #[inline(always)]
    fn opposite(value: B) -> B {
        O::opposite(value)
    }
}

/// `h *= v`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mul;

#[diagnostic::do_not_recommend]
impl<B: Arithmetic> Operator<B> for Mul {
    const NEUTRAL: B = B::ONE;
    // A factor of 0 makes the final product fit although a product before it did not, signed or not.
    const ORDERED: bool = !B::FLOAT;
    const ROUNDS: bool = B::FLOAT;
    #[inline(always)]
    fn accumulate<const CHECKED: bool>(slot: B, value: B) -> (B, bool) {
        let (product, over) = slot.product(value);
        (product, CHECKED && over)
    }
}

/// `h = h.wrapping_add(v)` and the like: the operator without its overflow check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wrapping<O>(pub O);

impl<B: Slot, O: Operator<B>> Operator<B> for Wrapping<O> {
    const NEUTRAL: B = O::NEUTRAL;
    const INVERTIBLE: bool = O::INVERTIBLE;
    const ORDERED: bool = false;
    const OVERFLOWS: bool = false;
    const SUMS: bool = O::SUMS;
    const ROUNDS: bool = O::ROUNDS;
    #[inline(always)]
    fn accumulate<const CHECKED: bool>(slot: B, value: B) -> (B, bool) {
        O::accumulate::<false>(slot, value)
    }
    #[inline(always)]
    fn merge<const CHECKED: bool>(bin: B, value: B) -> (B, bool) {
        O::merge::<false>(bin, value)
    }
    #[inline(always)]
    fn revert(bin: B, value: B) -> B {
        O::revert(bin, value)
    }
}

macro_rules! simple {
    ($($(#[$doc:meta])* $name:ident: $bound:ident, $neutral:ident, $method:ident, $rounds:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        // What is said is that the operator is none of the bins'.
        #[diagnostic::do_not_recommend]
        impl<B: $bound> Operator<B> for $name {
            const NEUTRAL: B = B::$neutral;
            const ORDERED: bool = false;
            const ROUNDS: bool = $rounds;
            #[inline(always)]
            fn accumulate<const CHECKED: bool>(slot: B, value: B) -> (B, bool) {
                (slot.$method(value), false)
            }
        }
    )*};
}

simple! {
    /// `h = h.saturating_add(v)` of unsigned integers, where the order does not matter.
    SaturatingAdd: Unsigned, ZERO, sum_saturating, false;
    /// `h &= v`.
    And: Bits, ALL, and, false;
    /// `h |= v`.
    Or: Bits, NONE, or, false;
    /// `h = h.min(v)`; of floats, NaN gives way to the other operand, and which zero is the smaller one is open.
    Min: Arithmetic, MIN_NEUTRAL, least, B::FLOAT;
    /// `h = h.max(v)`.
    Max: Arithmetic, MAX_NEUTRAL, greatest, B::FLOAT;
}

/// `h ^= v`, which takes itself back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xor;

#[diagnostic::do_not_recommend]
impl<B: Bits> Operator<B> for Xor {
    const NEUTRAL: B = B::NONE;
    const ORDERED: bool = false;
    const OVERFLOWS: bool = false;
    const ROUNDS: bool = false;
    #[inline(always)]
    fn accumulate<const CHECKED: bool>(slot: B, value: B) -> (B, bool) {
        (slot.xor(value), false)
    }
    #[inline(always)]
    fn revert(bin: B, value: B) -> B {
        bin.xor(value)
    }
}

/// So many times a value, as one: what as many updates with it add up to. Meaningful only of integers.
pub(super) fn repeat<B: Slot, O: Operator<B>, const CHECKED: bool>(
    value: B,
    mut times: u64,
) -> (B, bool) {
    let (mut total, mut over) = (O::NEUTRAL, false);
    // A power of two of the values, and whether it is too large; that counts only where it is one of those that make up the number.
    let (mut power, mut power_over) = (value, false);
    while times > 0 {
        if times & 1 == 1 {
            let (sum, o) = O::accumulate::<CHECKED>(total, power);
            total = sum;
            over |= o | power_over;
        }
        times >>= 1;
        let (double, o) = O::accumulate::<CHECKED>(power, power);
        (power, power_over) = (double, power_over | o);
    }
    (total, over)
}
/// `s = a * s + b`: sums of products.
#[derive(Clone, Copy, Debug, Default)]
pub struct SumProduct;

/// `s = (s & m) ^ b`: of bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct XorAnd;

/// `s = (s + x).max(low)`: sums, and maxima.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxPlus;

/// `s = (s + x).min(high)`: sums, and minima.
#[derive(Clone, Copy, Debug, Default)]
pub struct MinPlus;

/// The right side of a compound assignment, or what a method is called on: Rust's primitives take it by value or by reference.
pub trait Value<B> {
    /// The value.
    fn value(self) -> B;
}

impl<B: Slot> Value<B> for B {
    #[inline(always)]
    fn value(self) -> B {
        self
    }
}

impl<B: Slot> Value<B> for &B {
    #[inline(always)]
    fn value(self) -> B {
        *self
    }
}

impl<B: Slot> Value<B> for &&B {
    #[inline(always)]
    fn value(self) -> B {
        **self
    }
}

impl<B: Slot> Value<B> for &mut B {
    #[inline(always)]
    fn value(self) -> B {
        *self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neutral_changes_nothing<B: Slot, O: Operator<B>>(values: &[B], same: impl Fn(B, B) -> bool) {
        for &v in values {
            let (merged, over) = O::merge::<true>(v, O::NEUTRAL);
            assert!(
                !over && same(merged, v),
                "{} {v:?} {merged:?}",
                O::OP.name()
            );
        }
    }

    #[test]
    fn neutral_elements_keep_every_bit() {
        let ints = [i32::MIN, -1, 0, 1, i32::MAX];
        neutral_changes_nothing::<i32, Add>(&ints, |a, b| a == b);
        neutral_changes_nothing::<i32, Sub>(&ints, |a, b| a == b);
        neutral_changes_nothing::<i32, Mul>(&ints, |a, b| a == b);
        neutral_changes_nothing::<i32, And>(&ints, |a, b| a == b);
        neutral_changes_nothing::<i32, Or>(&ints, |a, b| a == b);
        neutral_changes_nothing::<i32, Xor>(&ints, |a, b| a == b);
        neutral_changes_nothing::<i32, Min>(&ints, |a, b| a == b);
        neutral_changes_nothing::<i32, Max>(&ints, |a, b| a == b);
        neutral_changes_nothing::<u8, SaturatingAdd>(&[0, 255], |a, b| a == b);
        let floats = [
            -0.0,
            0.0,
            1.5,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN_POSITIVE,
        ];
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
        neutral_changes_nothing::<f64, Add>(&floats, same);
        neutral_changes_nothing::<f64, Sub>(&floats, same);
        neutral_changes_nothing::<f64, Mul>(&floats, same);
        neutral_changes_nothing::<f64, Min>(&floats, same);
        neutral_changes_nothing::<f64, Max>(&floats, same);
    }

    #[test]
    fn subtraction_adds_up_in_private_and_subtracts_once() {
        let (sum, _) = Sub::accumulate::<true>(Sub::accumulate::<true>(0u8, 3).0, 4);
        assert_eq!(Sub::merge::<true>(9u8, sum), (2, false));
        assert_eq!(Sub::merge::<true>(6u8, sum), (255, true));
        assert_eq!(Sub::merge::<false>(6u8, sum), (255, false));
    }

    #[test]
    fn sums_of_two_signs_wrap_and_believe_no_check() {
        for (bin, v) in [(0u8, 1), (255, 255), (7, 0), (200, 128)] {
            let (rest, over) = AddSub::merge::<false>(bin, AddSub::opposite(v));
            assert_eq!((rest, over), (bin.wrapping_sub(v), false));
        }
        for v in [i8::MIN, -1, 0, 127] {
            let (rest, _) = Wrapping::<AddSub>::merge::<true>(-3, Wrapping::<AddSub>::opposite(v));
            assert_eq!(rest, (-3i8).wrapping_sub(v));
        }
        let of_floats = [-0.0, 0.0, 1.5, f64::INFINITY, f64::MIN_POSITIVE];
        for (a, b) in of_floats.iter().flat_map(|a| of_floats.map(|b| (*a, b))) {
            let (rest, over) = AddSub::merge::<true>(a, AddSub::opposite(b));
            assert!(!over);
            assert!(
                (a - b).is_nan() || rest.to_bits() == (a - b).to_bits(),
                "{a} {b}"
            );
        }
        neutral_changes_nothing::<i32, Wrapping<AddSub>>(&[i32::MIN, -1, 0], |a, b| a == b);
        neutral_changes_nothing::<f64, AddSub>(&of_floats, |a, b| a.to_bits() == b.to_bits());
        assert!(AddSub::accumulate::<true>(1u8, 1).1);
    }

    /// Every operator that stands in a table of bins, over all bytes and some numbers of times.
    #[test]
    fn repeated_updates_are_as_many_updates() {
        fn check<O: Operator<u8>, const CHECKED: bool>() {
            // An interpreter takes hours for all of them.
            let (step, most) = if cfg!(miri) { (51, 6) } else { (1, 600) };
            for value in (0..=255u8).step_by(step) {
                let (mut slot, mut over) = (O::NEUTRAL, false);
                for times in 0..most {
                    let found = repeat::<u8, O, CHECKED>(value, times);
                    assert_eq!(found.1, over, "{} {value} {times}", O::OP.name());
                    assert!(over || found.0 == slot, "{} {value} {times}", O::OP.name());
                    let (next, o) = O::accumulate::<CHECKED>(slot, value);
                    (slot, over) = (next, over | o);
                }
            }
        }
        check::<Add, true>();
        check::<Sub, true>();
        check::<Wrapping<Add>, true>();
        check::<Add, false>();
        check::<AddSub, false>();
        check::<Mul, false>();
        check::<And, false>();
        check::<Or, false>();
        check::<Xor, false>();
        check::<Min, false>();
        check::<Max, false>();
        check::<SaturatingAdd, false>();
        // More than a loop can count.
        assert_eq!(repeat::<u64, Add, true>(3, 1 << 40), (3 << 40, false));
        assert!(repeat::<u64, Add, true>(3, 1 << 63).1);
        assert_eq!(repeat::<u32, Add, false>(3, (1 << 32) + 5).0, 15);
    }

    #[test]
    fn what_is_invertible_comes_back() {
        for v in [0u8, 1, 200, 255] {
            for value in [v, AddSub::opposite(v)] {
                assert_eq!(
                    AddSub::revert(AddSub::merge::<false>(100, value).0, value),
                    100
                );
            }
            assert_eq!(Add::revert(Add::merge::<false>(100, v).0, v), 100);
            assert_eq!(Sub::revert(Sub::merge::<false>(100, v).0, v), 100);
            assert_eq!(Xor::revert(Xor::merge::<false>(100, v).0, v), 100);
        }
    }
}

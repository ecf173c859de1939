//! The operators of updates: one enum, and a row for each with all that is data about it.
//!
//! The detector, the CPU runtime, the printer of kernels, what explains and what tests read the same rows; this crate
//! lies below all of them and needs nothing, so that a build without a GPU stays as light as it was. What an operator
//! *computes* stands where it is computed, in matches that name every operator: a new row makes the compiler list
//! them. `CONTRIBUTING.md` has the recipe.

#![no_std]

extern crate alloc;

mod row;
mod table;

pub use row::{
    Atomic, AtomicSequence, Instruction, Merge, Neutral, Operands, Repeated, Row, Sequence, Step,
    Written,
};
pub use table::Op;

/// What an operator needs to know of a type of bins.
pub trait Number: Copy {
    /// What kind of number it is.
    fn kind(self) -> Kind;
    /// Bits of a value in memory.
    fn width(self) -> u32;
}

/// A kind of numbers, each with its own operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Integers from 0.
    Unsigned,
    /// Integers of two's complement.
    Signed,
    /// `f32`, `f64`.
    Float,
    /// `bool`.
    Bool,
}

impl Op {
    /// The operator that people write as `h = h op v` with this symbol, or as `h op= v`.
    pub fn of_symbol(symbol: &str) -> Option<Op> {
        Op::ALL
            .into_iter()
            .find(|op| op.row().written.symbol() == Some(symbol))
    }

    /// The operator that people write as `h = h.method(v)`, and whether the method is the one that wraps where the symbol
    /// checks overflow.
    pub fn of_method(method: &str) -> Option<(Op, bool)> {
        Op::ALL.into_iter().find_map(|op| match op.row().written {
            Written::Symbol { wrapping, .. } => (wrapping == Some(method)).then_some((op, true)),
            Written::Method(name) => (name == method).then_some((op, false)),
        })
    }

    /// The name, in plans, entries and measurements.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether bins of this type can have this operator.
    pub fn applies_to(self, number: impl Number) -> bool {
        self.neutral(number).is_some()
    }

    /// The value that changes nothing, where the type has the operator.
    pub fn neutral(self, number: impl Number) -> Option<Neutral> {
        let row = self.row();
        match number.kind() {
            Kind::Unsigned => row.unsigned,
            Kind::Signed => row.signed,
            Kind::Float => row.float,
            Kind::Bool => row.bool,
        }
    }

    /// The bits of the value that changes nothing, in the low bits.
    ///
    /// # Panics
    ///
    /// If the type does not have the operator.
    pub fn neutral_bits(self, number: impl Number) -> u64 {
        match self.neutral(number) {
            Some(neutral) => neutral.bits(number),
            None => panic!(
                "no `{}` of numbers that are {:?}",
                self.name(),
                number.kind()
            ),
        }
    }

    /// Whether the hardware has an atomic for it on numbers of 32 or 64 bits, or several that do.
    pub fn has_atomic(self, number: impl Number) -> bool {
        match self.row().atomic(number) {
            Atomic::One { .. } | Atomic::Sequence(_) => true,
            Atomic::Swap => false,
        }
    }

    /// Whether a copy may be combined into a bin by the hardware's atomic: it does what the merge would.
    pub fn merges_atomically(self, number: impl Number) -> bool {
        match self.row().merge {
            Merge::Combine => self.has_atomic(number),
            Merge::Subtract | Merge::Clamp(_) => false,
        }
    }

    /// Whether values are subtracted: copies gather them with the other sign.
    pub fn subtracts(self) -> bool {
        self.row().gathers != self
    }

    /// The operator of the other sign, where it has one: updates by both may meet in any order.
    pub fn opposite(self) -> Option<Op> {
        self.row().undone_by.filter(|other| *other != self)
    }

    /// The update of `h` by `v` as people write it; `wraps` chooses the form that checks no overflow, where there are two.
    pub fn update(self, h: &str, v: &str, wraps: bool) -> alloc::string::String {
        use alloc::format;
        match self.row().written {
            Written::Symbol {
                wrapping: Some(method),
                ..
            } if wraps => format!("{h} = {h}.{method}({v})"),
            Written::Symbol { symbol, .. } => format!("{h} {symbol}= {v}"),
            Written::Method(method) => format!("{h} = {h}.{method}({v})"),
        }
    }
}

impl Row {
    /// Its atomic on numbers of 32 or 64 bits.
    pub fn atomic(&self, number: impl Number) -> Atomic {
        match number.kind() {
            Kind::Float => self.float_atomic,
            Kind::Unsigned | Kind::Signed | Kind::Bool => self.int_atomic,
        }
    }
}

impl Neutral {
    /// The bits, in the low bits.
    pub fn bits(self, number: impl Number) -> u64 {
        let width = number.width();
        let ones = u64::MAX >> (64 - width);
        let sign = 1 << (width - 1);
        match (self, number.kind()) {
            (Neutral::Zero, _) => 0,
            (Neutral::MinusZero, _) => sign,
            (Neutral::One, Kind::Float) if width == 32 => u64::from(1f32.to_bits()),
            (Neutral::One, Kind::Float) => 1f64.to_bits(),
            (Neutral::One, _) => 1,
            (Neutral::Ones, Kind::Bool) => 1,
            (Neutral::Ones, _) => ones,
            (Neutral::Largest, Kind::Signed) => sign - 1,
            (Neutral::Largest, _) => ones,
            (Neutral::Smallest, Kind::Signed) => sign,
            (Neutral::Smallest, _) => 0,
            // The one that the hardware makes.
            (Neutral::Nan, _) => sign - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct Of(Kind, u32);

    impl Number for Of {
        fn kind(self) -> Kind {
            self.0
        }
        fn width(self) -> u32 {
            self.1
        }
    }

    /// Spellings and names lead back to their row, and to no other.
    #[test]
    fn what_is_written_leads_back() {
        for op in Op::ALL {
            match op.row().written {
                Written::Symbol { symbol, wrapping } => {
                    assert_eq!(Op::of_symbol(symbol), Some(op));
                    let method = wrapping.map(Op::of_method);
                    assert!(method.is_none_or(|of| of == Some((op, true))));
                }
                Written::Method(method) => assert_eq!(Op::of_method(method), Some((op, false))),
            }
            let named = Op::ALL
                .into_iter()
                .filter(|other| other.name() == op.name());
            assert_eq!(named.count(), 1);
        }
        assert_eq!(Op::of_symbol("/"), None);
        assert_eq!(Op::of_method("saturating_sub"), None);
    }

    /// What undoes an operator undoes it both ways, and copies combine by what combines.
    #[test]
    fn rows_agree_with_each_other() {
        for op in Op::ALL {
            let row = op.row();
            if let Some(by) = row.undone_by {
                assert_eq!(by.row().undone_by, Some(op));
                assert_eq!(by.row().gathers, row.gathers);
            }
            assert_eq!(row.gathers.row().gathers, row.gathers);
            assert!(row.gathers.row().swaps, "copies come in any order");
            assert_eq!(row.step, row.gathers.row().step);
            let kinds = [Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Bool];
            assert!(kinds.iter().any(|kind| op.applies_to(Of(*kind, 32))));
        }
    }

    #[test]
    fn neutral_elements_are_of_their_type() {
        let bits = |op: Op, kind, width| op.neutral_bits(Of(kind, width));
        assert_eq!(
            bits(Op::Add, Kind::Float, 32),
            u64::from((-0.0f32).to_bits())
        );
        assert_eq!(bits(Op::Sub, Kind::Float, 64), 0);
        assert_eq!(bits(Op::Mul, Kind::Float, 64), 1f64.to_bits());
        assert_eq!(bits(Op::Min, Kind::Signed, 32), i32::MAX as u64);
        assert_eq!(bits(Op::Max, Kind::Signed, 64), i64::MIN as u64);
        assert_eq!(bits(Op::Min, Kind::Unsigned, 8), 255);
        assert_eq!(bits(Op::And, Kind::Signed, 16), 0xffff);
        assert!(f32::from_bits(bits(Op::Max, Kind::Float, 32) as u32).is_nan());
    }

    #[test]
    fn updates_are_written_as_people_write_them() {
        assert_eq!(Op::Add.update("h[i]", "v", false), "h[i] += v");
        assert_eq!(
            Op::Add.update("h[i]", "v", true),
            "h[i] = h[i].wrapping_add(v)"
        );
        assert_eq!(Op::Xor.update("h", "v", true), "h ^= v");
        assert_eq!(Op::Max.update("h", "v", false), "h = h.max(v)");
    }
}

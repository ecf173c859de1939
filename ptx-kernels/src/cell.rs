//! Cells: how a copy in shared memory holds a bin.
//!
//! Shared memory adds 32-bit integers at full speed and nothing else: sums of 64 bits and of floats are loops of
//! compare-and-swap, which equal bins of a warp turn into storms. So what a gang adds up is brought into 32-bit words
//! where that is exact, and comes back into the accumulator when the gang flushes.

use accrue_ops::Repeated;

use crate::abi::{Elem, Op, TargetAbi};

/// What a bin is in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// The accumulator itself, updated by its own atomic or a loop of compare-and-swap.
    Accumulator,
    /// The number of updates, each of which adds the same constant.
    Counter,
    /// A 64-bit integer in two words: the low one gives its carry to the high one.
    Halves,
    /// An `f32` sum as a 64-bit fixed-point number in two words, relative to the gang's window of exponents.
    Fixed32,
    /// An `f64` sum as a 96-bit fixed-point number in three words, likewise.
    Fixed64,
}

/// Updates of one bin after which a fixed-point sum might leave its words. The bits that they take are not there for
/// the window of exponents.
const FIXED_UPDATES_BITS: u32 = 24;

impl Cell {
    /// The cell of a target. `counts` says that all updates add the same constant, `updates` how many an iteration
    /// makes at most, 0 if that is not known: what an unknown number of updates can overflow is not used then.
    pub fn of(op: Op, elem: Elem, counts: bool, updates: u32) -> Cell {
        let accumulator = elem.accumulator();
        let bounded = updates > 0;
        let (adds, clamps) = match op.row().repeated {
            Repeated::Product => (true, false),
            Repeated::Clamped => (false, true),
            Repeated::Unknown => (false, false),
        };
        // A counter that wraps is right modulo 2^32, which is all that a sum of 32 bits needs.
        let wraps = adds && accumulator.size() == 4 && !accumulator.is_float();
        if counts && (wraps || bounded && (adds || clamps)) {
            return Cell::Counter;
        }
        match accumulator {
            Elem::I64 | Elem::U64 if adds => Cell::Halves,
            Elem::F32 if adds && bounded => Cell::Fixed32,
            Elem::F64 if adds && bounded => Cell::Fixed64,
            _ => Cell::Accumulator,
        }
    }

    /// Bytes of a word of the cell; the words of a bin lie in planes, one behind the other.
    pub fn word(self, elem: Elem) -> u32 {
        match self {
            Cell::Accumulator => elem.accumulator().size(),
            Cell::Counter | Cell::Halves | Cell::Fixed32 | Cell::Fixed64 => 4,
        }
    }

    /// Words of a bin.
    pub fn words(self) -> u32 {
        match self {
            Cell::Accumulator | Cell::Counter => 1,
            Cell::Halves | Cell::Fixed32 => 2,
            Cell::Fixed64 => 3,
        }
    }

    /// Bytes of a bin.
    pub fn bytes(self, elem: Elem) -> u32 {
        self.word(elem) * self.words()
    }

    /// Updates that a gang may make; any number if `None`.
    pub fn most_updates(self, op: Op, elem: Elem) -> Option<u64> {
        match self {
            Cell::Accumulator | Cell::Halves => None,
            Cell::Counter => match op.row().repeated {
                Repeated::Product if elem.size() <= 4 && !elem.is_float() => None,
                Repeated::Product | Repeated::Clamped | Repeated::Unknown => {
                    Some(u64::from(u32::MAX))
                }
            },
            Cell::Fixed32 | Cell::Fixed64 => Some(1 << FIXED_UPDATES_BITS),
        }
    }

    /// Places that a mantissa can be shifted left in the words of a fixed-point sum: the exponents of the window,
    /// less one. One bit is the sign's.
    pub fn shifts(self) -> u32 {
        let mantissa = match self {
            Cell::Fixed32 => 24,
            Cell::Fixed64 => 53,
            Cell::Accumulator | Cell::Counter | Cell::Halves => return 0,
        };
        self.words() * 32 - 1 - mantissa - FIXED_UPDATES_BITS
    }
}

impl TargetAbi {
    /// What a bin is in shared memory.
    pub fn cell(&self) -> Cell {
        Cell::of(self.op, self.elem, self.counts, self.updates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_overflow_is_only_used_where_the_updates_are_bounded() {
        for (op, elem, counts, updates, cell) in [
            (Op::Add, Elem::U8, true, 0, Cell::Counter),
            (Op::Sub, Elem::I32, true, 0, Cell::Counter),
            (Op::Add, Elem::U64, true, 0, Cell::Halves),
            (Op::Add, Elem::U64, true, 3, Cell::Counter),
            (Op::SaturatingAdd, Elem::U32, true, 0, Cell::Accumulator),
            (Op::SaturatingAdd, Elem::U32, true, 1, Cell::Counter),
            (Op::Add, Elem::F32, false, 0, Cell::Accumulator),
            (Op::Add, Elem::F32, false, 1, Cell::Fixed32),
            (Op::Sub, Elem::F64, false, 1, Cell::Fixed64),
            (Op::Max, Elem::F64, true, 1, Cell::Accumulator),
        ] {
            assert_eq!(
                Cell::of(op, elem, counts, updates),
                cell,
                "{op:?} {elem:?} {counts} {updates}"
            );
        }
    }

    #[test]
    fn fixed_point_sums_stay_in_their_words() {
        assert_eq!(Cell::Fixed32.shifts(), 15);
        assert_eq!(Cell::Fixed64.shifts(), 18);
    }
}

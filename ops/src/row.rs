//! What there is to know of an operator: the columns of the table.

use crate::Op;

/// All that is data about an operator.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name, in plans, entries, explanations and measurements.
    pub name: &'static str,
    /// How people write the update of a bin.
    pub written: Written,
    /// What it does to bins, as the start of a sentence: "Adds into".
    pub does: &'static str,
    /// The verb in the name of a function that does it.
    pub verb: &'static str,
    /// Whether `h = v op h` is the same update as `h = h op v`.
    pub swaps: bool,
    /// The operator that makes one value of two: for differences it is the sum, for all others themselves. Copies of bins are
    /// combined by it.
    pub gathers: Op,
    /// What changes nothing, of unsigned integers; `None` where they do not have the operator, here and below.
    pub unsigned: Option<Neutral>,
    /// Of signed integers.
    pub signed: Option<Neutral>,
    /// Of floats.
    pub float: Option<Neutral>,
    /// Of `bool`.
    pub bool: Option<Neutral>,
    /// The operator that takes an update of integers back; of two that take each other back updates may be mixed.
    pub undone_by: Option<Op>,
    /// Whether the result can be too large for an integer, which a profile may check.
    pub overflows: bool,
    /// Whether sums of floats in another order round otherwise.
    pub rounds: bool,
    /// What several updates by one value amount to.
    pub repeated: Repeated,
    /// How a value goes into an accumulator, on a GPU.
    pub step: Step,
    /// How the copies go into a bin, on a GPU.
    pub merge: Merge,
    /// The atomic of integers of 32 and 64 bits.
    pub int_atomic: Atomic,
    /// The atomic of floats.
    pub float_atomic: Atomic,
}

/// How people write an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// `h op= v`, `h = h op v`.
    Symbol {
        /// `+`.
        symbol: &'static str,
        /// The method that never checks overflow: `wrapping_add`.
        wrapping: Option<&'static str>,
    },
    /// `h = h.method(v)`.
    Method(&'static str),
}

impl Written {
    /// The symbol, if it has one.
    pub const fn symbol(self) -> Option<&'static str> {
        match self {
            Written::Symbol { symbol, .. } => Some(symbol),
            Written::Method(_) => None,
        }
    }

    /// The symbol or the method.
    pub const fn short(self) -> &'static str {
        match self {
            Written::Symbol { symbol, .. } => symbol,
            Written::Method(method) => method,
        }
    }
}

/// A value that changes nothing: `op(x, neutral)` is `x` for every `x`, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neutral {
    /// 0, `false`.
    Zero,
    /// -0.0, since `-0.0 + 0.0` is `0.0`.
    MinusZero,
    /// 1.
    One,
    /// All bits set, `true`.
    Ones,
    /// The largest integer.
    Largest,
    /// The smallest integer.
    Smallest,
    /// NaN, which gives way to any value.
    Nan,
}

/// What `n` updates by one value `v` amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeated {
    /// One by `n · v`, wrapping.
    Product,
    /// One by `n · v`, or by the largest value instead of a larger one.
    Clamped,
    /// Nothing that a kernel makes use of.
    Unknown,
}

/// An operation on registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One instruction.
    Instruction(Instruction),
    /// Several.
    Sequence(Sequence),
}

/// A PTX instruction with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// `add`.
    pub opcode: &'static str,
    /// What it makes, as the name of a register.
    pub result: &'static str,
    /// The types that it distinguishes.
    pub operands: Operands,
}

/// The types that an instruction distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Unsigned integers, whose low bits are those of signed ones, and floats: `add.u32`, `add.rn.f32`.
    Arithmetic,
    /// The same, of which integers keep the low half: `mul.lo.u32`, `mul.rn.f32`.
    Low,
    /// Bits: `and.b32`.
    Bits,
    /// Signed and unsigned integers and floats: `min.s32`.
    Signed,
}

/// What takes several instructions on registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// A sum, or the largest value.
    SaturatingAdd,
}

/// What takes several instructions on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicSequence {
    /// A sum; who made it wrap sets the largest value.
    SaturatingAdd,
}

/// How copies go into a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// By the operator itself.
    Combine,
    /// By a difference: copies are sums.
    Subtract,
    /// By the operator itself. Into a bin of less than 32 bits by this instruction, which has no overflow there, between two
    /// cuts to the range of the bin.
    Clamp(Instruction),
}

/// How a value is combined into memory while others do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    /// By one instruction.
    One {
        /// `add`.
        opcode: &'static str,
        /// The types that it distinguishes.
        operands: Operands,
    },
    /// By several.
    Sequence(AtomicSequence),
    /// By compare-and-swap, in a loop: the hardware has none, or the type does not have the operator.
    Swap,
}

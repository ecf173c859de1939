//! The table of operators: a row for each.

use crate::row::{
    Atomic, AtomicSequence, Instruction, Merge, Neutral, Operands, Repeated, Row, Sequence, Step,
    Written,
};

macro_rules! operators {
    ($d:tt $($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        /// The operator of an update, associative and commutative.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// Every operator.
            pub const ALL: [Op; [$(stringify!($name)),*].len()] = [$(Op::$name),*];

            /// What there is to know of it.
            pub const fn row(self) -> &'static Row {
                match self { $(Op::$name => const { &$row },)* }
            }
        }

        /// Calls a macro with the names of all operators, so that what has an item for each lacks none.
        #[macro_export]
        macro_rules! for_each_operator {
            ($d then:ident) => { $d then! { $($name)* } };
        }
    };
}

const fn instruction(opcode: &'static str, result: &'static str, operands: Operands) -> Step {
    Step::Instruction(Instruction {
        opcode,
        result,
        operands,
    })
}

const fn one(opcode: &'static str, operands: Operands) -> Atomic {
    Atomic::One { opcode, operands }
}

/// The sum of two numbers of at most 16 bits, in 32.
const WIDE_SUM: Instruction = Instruction {
    opcode: "add",
    result: "sum",
    operands: Operands::Arithmetic,
};

operators! { $
    /// `h += v`, wrapping for integers.
    Add = Row {
        name: "add",
        written: Written::Symbol { symbol: "+", wrapping: Some("wrapping_add") },
        does: "Adds into",
        verb: "sum",
        swaps: true,
        gathers: Op::Add,
        unsigned: Some(Neutral::Zero),
        signed: Some(Neutral::Zero),
        float: Some(Neutral::MinusZero),
        bool: None,
        undone_by: Some(Op::Sub),
        overflows: true,
        rounds: true,
        repeated: Repeated::Product,
        step: instruction("add", "sum", Operands::Arithmetic),
        merge: Merge::Combine,
        int_atomic: one("add", Operands::Arithmetic),
        float_atomic: one("add", Operands::Arithmetic),
    };
    /// `h -= v`, wrapping for integers. Copies are sums, which are subtracted once.
    Sub = Row {
        name: "sub",
        written: Written::Symbol { symbol: "-", wrapping: Some("wrapping_sub") },
        does: "Subtracts from",
        verb: "subtract",
        swaps: false,
        gathers: Op::Add,
        unsigned: Some(Neutral::Zero),
        signed: Some(Neutral::Zero),
        // The values are summed from 0.0 and the sum is subtracted: x - (-0.0) would turn -0.0 into 0.0.
        float: Some(Neutral::Zero),
        bool: None,
        undone_by: Some(Op::Add),
        overflows: true,
        rounds: true,
        repeated: Repeated::Product,
        step: instruction("add", "sum", Operands::Arithmetic),
        merge: Merge::Subtract,
        int_atomic: one("add", Operands::Arithmetic),
        float_atomic: one("add", Operands::Arithmetic),
    };
    /// `h = h.saturating_add(v)`, of unsigned integers: signed ones come back from one end, and then the order matters.
    SaturatingAdd = Row {
        name: "saturating_add",
        written: Written::Method("saturating_add"),
        does: "Adds into",
        verb: "sum",
        swaps: true,
        gathers: Op::SaturatingAdd,
        unsigned: Some(Neutral::Zero),
        signed: None,
        float: None,
        bool: None,
        undone_by: None,
        overflows: false,
        rounds: false,
        repeated: Repeated::Clamped,
        step: Step::Sequence(Sequence::SaturatingAdd),
        merge: Merge::Clamp(WIDE_SUM),
        int_atomic: Atomic::Sequence(AtomicSequence::SaturatingAdd),
        float_atomic: Atomic::Swap,
    };
    /// `h *= v`, wrapping for integers.
    Mul = Row {
        name: "mul",
        written: Written::Symbol { symbol: "*", wrapping: Some("wrapping_mul") },
        does: "Multiplies into",
        verb: "multiply",
        swaps: true,
        gathers: Op::Mul,
        unsigned: Some(Neutral::One),
        signed: Some(Neutral::One),
        float: Some(Neutral::One),
        bool: None,
        undone_by: None,
        overflows: true,
        rounds: true,
        repeated: Repeated::Unknown,
        step: instruction("mul", "product", Operands::Low),
        merge: Merge::Combine,
        int_atomic: Atomic::Swap,
        float_atomic: Atomic::Swap,
    };
    /// `h &= v`, of integers and `bool`.
    And = Row {
        name: "and",
        written: Written::Symbol { symbol: "&", wrapping: None },
        does: "Combines bits into",
        verb: "and",
        swaps: true,
        gathers: Op::And,
        unsigned: Some(Neutral::Ones),
        signed: Some(Neutral::Ones),
        float: None,
        bool: Some(Neutral::Ones),
        undone_by: None,
        overflows: false,
        rounds: false,
        repeated: Repeated::Unknown,
        step: instruction("and", "and", Operands::Bits),
        merge: Merge::Combine,
        int_atomic: one("and", Operands::Bits),
        float_atomic: Atomic::Swap,
    };
    /// `h |= v`, of integers and `bool`.
    Or = Row {
        name: "or",
        written: Written::Symbol { symbol: "|", wrapping: None },
        does: "Combines bits into",
        verb: "or",
        swaps: true,
        gathers: Op::Or,
        unsigned: Some(Neutral::Zero),
        signed: Some(Neutral::Zero),
        float: None,
        bool: Some(Neutral::Zero),
        undone_by: None,
        overflows: false,
        rounds: false,
        repeated: Repeated::Unknown,
        step: instruction("or", "or", Operands::Bits),
        merge: Merge::Combine,
        int_atomic: one("or", Operands::Bits),
        float_atomic: Atomic::Swap,
    };
    /// `h ^= v`, of integers and `bool`; it takes itself back.
    Xor = Row {
        name: "xor",
        written: Written::Symbol { symbol: "^", wrapping: None },
        does: "Combines bits into",
        verb: "xor",
        swaps: true,
        gathers: Op::Xor,
        unsigned: Some(Neutral::Zero),
        signed: Some(Neutral::Zero),
        float: None,
        bool: Some(Neutral::Zero),
        undone_by: Some(Op::Xor),
        overflows: false,
        rounds: false,
        repeated: Repeated::Unknown,
        step: instruction("xor", "xor", Operands::Bits),
        merge: Merge::Combine,
        int_atomic: one("xor", Operands::Bits),
        float_atomic: Atomic::Swap,
    };
    /// `h = h.min(v)`; of floats, NaN gives way to the other operand.
    Min = Row {
        name: "min",
        written: Written::Method("min"),
        does: "Keeps the smallest in",
        verb: "min",
        swaps: true,
        gathers: Op::Min,
        unsigned: Some(Neutral::Largest),
        signed: Some(Neutral::Largest),
        float: Some(Neutral::Nan),
        bool: None,
        undone_by: None,
        overflows: false,
        rounds: false,
        repeated: Repeated::Unknown,
        step: instruction("min", "min", Operands::Signed),
        merge: Merge::Combine,
        int_atomic: one("min", Operands::Signed),
        float_atomic: Atomic::Swap,
    };
    /// `h = h.max(v)`; of floats, NaN gives way to the other operand.
    Max = Row {
        name: "max",
        written: Written::Method("max"),
        does: "Keeps the largest in",
        verb: "max",
        swaps: true,
        gathers: Op::Max,
        unsigned: Some(Neutral::Smallest),
        signed: Some(Neutral::Smallest),
        float: Some(Neutral::Nan),
        bool: None,
        undone_by: None,
        overflows: false,
        rounds: false,
        repeated: Repeated::Unknown,
        step: instruction("max", "max", Operands::Signed),
        merge: Merge::Combine,
        int_atomic: one("max", Operands::Signed),
        float_atomic: Atomic::Swap,
    };
}

//! The operators of targets as instructions: on registers, and atomically on memory.
//!
//! Everything here works on accumulator types (see [`Elem::accumulator`]), which are 32 and 64 bits wide.

use accrue_ops::{Atomic, AtomicSequence, Instruction, Merge, Operands, Sequence, Step};

use crate::abi::{Elem, Op};
use crate::writer::{Class, Function, Operand, Reg};
use crate::{emit, value};

/// Where memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Device memory; addresses have 64 bits.
    Global,
    /// Shared memory of the gang; addresses have 32 bits.
    Shared,
}

impl Space {
    /// The name in opcodes.
    pub fn name(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Shared => "shared",
        }
    }
}

impl Elem {
    /// The class of registers that hold it.
    pub fn class(self) -> Class {
        match self {
            Elem::Bool | Elem::I8 | Elem::I16 | Elem::I32 | Elem::U8 | Elem::U16 | Elem::U32 => {
                Class::B32
            }
            Elem::I64 | Elem::U64 => Class::B64,
            Elem::F32 => Class::F32,
            Elem::F64 => Class::F64,
        }
    }

    /// The type of its loads and stores: `s8`, `u32`, `f64`.
    pub fn memory(self) -> &'static str {
        match self {
            Elem::Bool | Elem::U8 => "u8",
            Elem::I8 => "s8",
            Elem::I16 => "s16",
            Elem::I32 => "s32",
            Elem::I64 => "s64",
            Elem::U16 => "u16",
            Elem::U32 => "u32",
            Elem::U64 => "u64",
            Elem::F32 => "f32",
            Elem::F64 => "f64",
        }
    }

    /// The untyped bits as wide as its register: `b32` or `b64`.
    fn bits_type(self) -> &'static str {
        if self.accumulator().size() == 4 {
            "b32"
        } else {
            "b64"
        }
    }

    /// The type of wrapping arithmetic: `u32`, `u64`, `f32`, `f64`.
    fn arithmetic(self) -> &'static str {
        match self.class() {
            Class::F32 => "f32",
            Class::F64 => "f64",
            Class::B64 => "u64",
            Class::B32 | Class::Pred => "u32",
        }
    }

    /// The type of an operation that distinguishes these.
    fn suffix(self, operands: Operands) -> &'static str {
        match operands {
            Operands::Arithmetic | Operands::Low => self.arithmetic(),
            Operands::Bits => self.bits_type(),
            Operands::Signed => self.memory(),
        }
    }
}

/// The neutral element of an operator on an accumulator.
pub fn neutral(op: Op, elem: Elem) -> Operand {
    Operand::bits(elem.class(), op.neutral_bits(elem))
}

/// `a op b` on accumulators, as copies combine: for `Sub`, which copies add up, it is the sum.
pub fn combine(
    f: &mut Function,
    op: Op,
    elem: Elem,
    a: impl Into<Operand>,
    b: impl Into<Operand>,
) -> Reg {
    let (a, b) = (a.into(), b.into());
    match op.row().step {
        Step::Instruction(instruction) => step(f, instruction, elem, a, b),
        Step::Sequence(Sequence::SaturatingAdd) => {
            let (bits, arithmetic) = (elem.bits_type(), elem.arithmetic());
            let sum = value!(f, "sum", format!("add.{arithmetic}"), a, b);
            let wrapped = value!(f, "wrapped", format!("setp.lt.{arithmetic}"), sum, a);
            value!(f, "sum", format!("selp.{bits}"), -1, sum, wrapped)
        }
    }
}

/// One instruction on two accumulators.
fn step(f: &mut Function, instruction: Instruction, elem: Elem, a: Operand, b: Operand) -> Reg {
    let Instruction {
        opcode,
        result,
        operands,
    } = instruction;
    let suffix = elem.suffix(operands);
    let opcode = match operands {
        // `.rn` keeps the assembler from fusing a product into the sum.
        Operands::Arithmetic | Operands::Low if elem.is_float() => format!("{opcode}.rn.{suffix}"),
        Operands::Low => format!("{opcode}.lo.{suffix}"),
        Operands::Arithmetic | Operands::Bits | Operands::Signed => format!("{opcode}.{suffix}"),
    };
    value!(f, result, opcode, a, b)
}

/// `bin op copies` as the merge has it, on the user's type: `bin` is a loaded bin, normalised in its register, and
/// `copies` an accumulator. The result may be stored as it is.
pub fn merge(f: &mut Function, op: Op, elem: Elem, bin: Reg, copies: Reg) -> Reg {
    match op.row().merge {
        Merge::Subtract => {
            let suffix = elem.arithmetic();
            let opcode = match elem.is_float() {
                true => format!("sub.rn.{suffix}"),
                false => format!("sub.{suffix}"),
            };
            value!(f, "merged", opcode, bin, copies)
        }
        Merge::Clamp(wide) if elem.size() < 4 => {
            let most = (1i64 << elem.bits()) - 1;
            let copies = value!(f, "copies", "min.u32", copies, most);
            let all = step(f, wide, elem.accumulator(), bin.into(), copies.into());
            value!(f, "merged", "min.u32", all, most)
        }
        Merge::Combine | Merge::Clamp(_) => combine(f, op, elem.accumulator(), bin, copies),
    }
}

/// A predicate: whether an accumulator differs in some bit from the neutral element.
pub fn is_touched(f: &mut Function, op: Op, elem: Elem, accumulator: Reg) -> Reg {
    let bits = elem.bits_type();
    let value = as_bits(f, elem, accumulator);
    let class = if bits == "b32" {
        Class::B32
    } else {
        Class::B64
    };
    value!(
        f,
        "touched",
        format!("setp.ne.{bits}"),
        value,
        Operand::bits(class, op.neutral_bits(elem))
    )
}

/// The bits of a float in an integer register; integers as they are.
pub fn as_bits(f: &mut Function, elem: Elem, value: Reg) -> Reg {
    if elem.is_float() {
        value!(f, "bits", format!("mov.{}", elem.bits_type()), value)
    } else {
        value
    }
}

/// The other way round.
pub(crate) fn from_bits(f: &mut Function, elem: Elem, bits: Reg) -> Reg {
    if elem.is_float() {
        value!(f, "old", format!("mov.{}", elem.arithmetic()), bits)
    } else {
        bits
    }
}

/// `memory = memory op value`, atomically, without ordering anything else.
pub fn atomic(f: &mut Function, space: Space, op: Op, elem: Elem, at: Operand, operand: Operand) {
    let s = space.name();
    match op.row().atomic(elem) {
        Atomic::One { opcode, operands } => {
            let suffix = elem.suffix(operands);
            emit!(f, format!("red.{s}.{opcode}.{suffix}"), at, operand);
        }
        // Who makes a sum wrap sees it, and sets the largest value. Whatever is added in between wraps again
        // or comes before that maximum, so the last word is the maximum.
        Atomic::Sequence(AtomicSequence::SaturatingAdd) => {
            let arithmetic = elem.arithmetic();
            let old = value!(f, "old", format!("atom.{s}.add.{arithmetic}"), at, operand);
            let sum = value!(f, "sum", format!("add.{arithmetic}"), old, operand);
            let wrapped = value!(f, "wrapped", format!("setp.lt.{arithmetic}"), sum, old);
            f.op_if(
                wrapped,
                true,
                &format!("red.{s}.max.{arithmetic}"),
                &[at, Operand::Int(-1)],
            );
        }
        Atomic::Swap => compare_and_swap(f, space, op, elem, at, operand),
    }
}

/// The loop that stands in for an atomic that the hardware does not have. It ends at once where the value changes
/// nothing, which is the usual case of a minimum.
fn compare_and_swap(
    f: &mut Function,
    space: Space,
    op: Op,
    elem: Elem,
    at: Operand,
    operand: Operand,
) {
    let s = space.name();
    let bits = elem.bits_type();
    let (again, done) = (f.label("cas"), f.label("cas_done"));
    // A relaxed load, not a plain one: others write here at the same time.
    let scope = if space == Space::Shared { "cta" } else { "gpu" };
    let old = value!(f, "old", format!("ld.relaxed.{scope}.{s}.{bits}"), at);
    f.place(again);
    let old_value = from_bits(f, elem, old);
    let new_value = combine(f, op, elem, old_value, operand);
    let new = as_bits(f, elem, new_value);
    let same = value!(f, "same", format!("setp.eq.{bits}"), new, old);
    f.branch_if(same, true, done);
    let seen = value!(f, "seen", format!("atom.{s}.cas.{bits}"), at, old, new);
    let lost = value!(f, "lost", format!("setp.ne.{bits}"), seen, old);
    f.assign(old, seen);
    f.branch_if(lost, true, again);
    f.place(done);
}

//! Scalar reductions: every thread accumulates in a register.
//!
//! At the end a warp combines its registers by shuffles, its first lane combines the result into the gang's
//! one in shared memory, and one thread brings that into the scratch memory.

use super::template::Template;
use super::{Bin, Copies, Gang, Known, Memory, Target, own_local};
use crate::abi::{Elem, TargetAbi};
use crate::combine::{self, Space};
use crate::cost::{self, Launch, Part, Speeds};
use crate::emit;
use crate::plan::TargetPlan;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// The placement.
pub(super) struct Register;

impl Template for Register {
    fn name(&self) -> &'static str {
        "register"
    }

    fn place(&self) -> &'static str {
        "in a register of each thread"
    }

    fn good_for(&self) -> &'static str {
        "scalar reductions"
    }

    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        Box::new(prologue(f, gang, target, memory))
    }

    fn static_shared(&self, _: &Target) -> u32 {
        16
    }

    fn may_be_small(&self) -> bool {
        true
    }

    fn cost(&self, _: &TargetAbi, _: &TargetPlan, launch: &Launch<'_>, speeds: &Speeds) -> Part {
        cost::in_place(launch, speeds)
    }
}

struct RegisterCopies {
    target: Target,
    memory: Memory,
    /// What the thread has accumulated.
    sum: Reg,
    /// The gang's in shared memory.
    shared: Reg,
}

fn prologue(f: &mut Function, gang: &Gang, target: &Target, memory: Memory) -> impl Copies + use<> {
    let elem = target.accumulator();
    let neutral = combine::neutral(target.op, elem);
    let sum = f.reg(elem.class(), &format!("{}_sum", target.stem));
    f.assign(sum, neutral);
    let name = f.unique(&format!("{}_gang", target.stem));
    f.declare(format!(".shared .align 16 .b8 {name}[16];"));
    let shared = f.address_of(Class::B32, &name);
    let first = value!(f, "first", "setp.eq.u32", gang.thread, 0);
    f.op_if(
        first,
        true,
        &format!("st.shared.{}", elem.memory()),
        &[Operand::At(shared, 0), sum.into()],
    );
    RegisterCopies {
        target: target.clone(),
        memory,
        sum,
        shared,
    }
}

impl Copies for RegisterCopies {
    fn update(&self, f: &mut Function, _: Bin, value: Operand) {
        let sum = combine::combine(
            f,
            self.target.op,
            self.target.accumulator(),
            self.sum,
            value,
        );
        f.assign(self.sum, sum);
    }

    fn epilogue(&self, f: &mut Function, gang: &Gang) {
        let (op, elem) = (self.target.op, self.target.accumulator());
        for distance in [16, 8, 4, 2, 1] {
            let other = shuffle(f, elem, self.sum, distance);
            let sum = combine::combine(f, op, elem, self.sum, other);
            f.assign(self.sum, sum);
        }
        let combined = f.label("warp_combined");
        let not_first = value!(f, "not_first", "setp.ne.u32", gang.lane, 0);
        f.branch_if(not_first, true, combined);
        combine::atomic(
            f,
            Space::Shared,
            op,
            elem,
            Operand::At(self.shared, 0),
            self.sum.into(),
        );
        f.place(combined);
        emit!(f, "bar.sync", 0);
        let flushed = f.label("gang_flushed");
        let not_first = value!(f, "not_first", "setp.ne.u32", gang.thread, 0);
        f.branch_if(not_first, true, flushed);
        let sum = value!(
            f,
            "sum",
            format!("ld.shared.{}", elem.memory()),
            Operand::At(self.shared, 0)
        );
        let local = own_local(f, gang, &self.target, self.memory);
        combine::atomic(
            f,
            Space::Global,
            op,
            elem,
            Operand::At(local, 0),
            sum.into(),
        );
        f.place(flushed);
    }
}

/// The register of the lane `distance` away, for all 32 lanes at a time.
pub(super) fn shuffle(f: &mut Function, elem: Elem, value: Reg, distance: u32) -> Reg {
    shuffle_by(f, elem, value, "bfly", distance, 31)
}

/// The register of another lane, by a mode of `shfl` with its lane or distance and its clamp.
pub(super) fn shuffle_by(
    f: &mut Function,
    elem: Elem,
    value: Reg,
    mode: &str,
    distance: u32,
    clamp: u32,
) -> Reg {
    let bits = combine::as_bits(f, elem, value);
    let opcode = format!("shfl.sync.{mode}.b32");
    let shuffled =
        |f: &mut Function, word: Reg| value!(f, "other", &opcode, word, distance, clamp, -1);
    let bits = match elem.accumulator().size() {
        4 => shuffled(f, bits),
        _ => {
            let (low, high) = (f.reg(Class::B32, "low"), f.reg(Class::B32, "high"));
            f.unpack(low, high, bits);
            let (low, high) = (shuffled(f, low), shuffled(f, high));
            f.pack(low, high)
        }
    };
    if elem.is_float() {
        value!(f, "other", format!("mov.{}", elem.class().suffix()), bits)
    } else {
        bits
    }
}

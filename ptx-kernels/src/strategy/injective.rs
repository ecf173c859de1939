//! Injective targets: no two iterations update one bin, so plain reads and writes of one copy do.
//!
//! The copy is not the user's bins, which must stay as they are if some iteration fails.

use super::template::Template;
use super::{Bin, Copies, Gang, Known, Memory, Target};
use crate::abi::TargetAbi;
use crate::combine;
use crate::cost::{self, Launch, Part, Speeds};
use crate::emit;
use crate::plan::TargetPlan;
use crate::value;
use crate::writer::{Function, Operand, Reg};

/// The placement.
pub(super) struct Injective;

impl Template for Injective {
    fn name(&self) -> &'static str {
        "injective"
    }

    fn place(&self) -> &'static str {
        "one, in device memory, without atomics"
    }

    fn good_for(&self) -> &'static str {
        "bins that one iteration updates each"
    }

    fn prologue(
        &self,
        _: &mut Function,
        _: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        Box::new(InjectiveCopies {
            target: target.clone(),
            scratch: memory.scratch,
        })
    }

    fn cost(&self, _: &TargetAbi, _: &TargetPlan, launch: &Launch<'_>, speeds: &Speeds) -> Part {
        cost::in_place(launch, speeds)
    }
}

struct InjectiveCopies {
    target: Target,
    scratch: Reg,
}

impl Copies for InjectiveCopies {
    fn update(&self, f: &mut Function, bin: Bin, operand: Operand) {
        let (op, elem) = (self.target.op, self.target.accumulator());
        let at = bin.global(f, self.scratch, self.target.size());
        let old = value!(f, "old", format!("ld.global.{}", elem.memory()), at);
        let new = combine::combine(f, op, elem, old, operand);
        emit!(f, format!("st.global.{}", elem.memory()), at, new);
    }

    fn epilogue(&self, _: &mut Function, _: &Gang) {}
}

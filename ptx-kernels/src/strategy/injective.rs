//! Injective targets: no two iterations update one bin, so plain reads and writes of one copy do.
//!
//! The copy is not the user's bins, which must stay as they are if some iteration fails.

use super::{Bin, Copies, Gang, Memory, Target};
use crate::combine;
use crate::emit;
use crate::value;
use crate::writer::{Function, Operand, Reg};

struct Injective {
    target: Target,
    scratch: Reg,
}

pub(super) fn prologue(target: &Target, memory: Memory) -> impl Copies + use<> {
    Injective {
        target: target.clone(),
        scratch: memory.scratch,
    }
}

impl Copies for Injective {
    fn update(&self, f: &mut Function, bin: Bin, operand: Operand) {
        let (op, elem) = (self.target.op, self.target.accumulator());
        let at = bin.global(f, self.scratch, self.target.size());
        let old = value!(f, "old", format!("ld.global.{}", elem.memory()), at);
        let new = combine::combine(f, op, elem, old, operand);
        emit!(f, format!("st.global.{}", elem.memory()), at, new);
    }

    fn epilogue(&self, _: &mut Function, _: &Gang) {}
}

//! `atomic_global`: every update is an atomic on one copy in device memory.
//!
//! The naive program of the paper, and the base that the others are compared with. It needs no memory on
//! the chip, so it takes any number of bins; where many updates meet in few bins it is slow.

use super::{Bin, Copies, Gang, Memory, Target};
use crate::combine::{self, Space};
use crate::writer::{Function, Operand, Reg};

struct AtomicGlobal {
    target: Target,
    scratch: Reg,
}

pub(super) fn prologue(target: &Target, memory: Memory) -> impl Copies + use<> {
    AtomicGlobal {
        target: target.clone(),
        scratch: memory.scratch,
    }
}

impl Copies for AtomicGlobal {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        let at = bin.global(f, self.scratch, self.target.size());
        combine::atomic(
            f,
            Space::Global,
            self.target.op,
            self.target.accumulator(),
            at,
            value,
        );
    }

    fn epilogue(&self, _: &mut Function, _: &Gang) {}
}

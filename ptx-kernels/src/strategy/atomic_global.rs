//! `atomic_global`: every update is an atomic on one copy in device memory.
//!
//! The naive program of the paper, and the base that the others are compared with. It needs no memory on
//! the chip, so it takes any number of bins; where many updates meet in few bins it is slow.

use super::{Bin, Copies, Gang, Target, update_global};
use crate::writer::{Function, Operand, Reg};

struct AtomicGlobal {
    target: Target,
    copy: Reg,
}

/// Updates of the copy at a device address.
pub(super) fn prologue(target: &Target, copy: Reg) -> impl Copies + use<> {
    AtomicGlobal {
        target: target.clone(),
        copy,
    }
}

impl Copies for AtomicGlobal {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        update_global(f, &self.target, self.copy, bin, value);
    }

    fn epilogue(&self, _: &mut Function, _: &Gang) {}
}

//! `gang_global`: `l` copies in device memory, gang `g` updates copy `g mod l`.
//!
//! The paper's duplication (Ikeda, Ino and Hagihara, "An OpenACC Optimizer for Accelerating Histogram Computation
//! on a GPU", 2016): `l` times as many addresses share the updates of a hot bin, for `l` times the memory and a
//! longer reduction. `l` is `locals` in attributes.

use super::{Bin, Copies, Gang, Memory, Target, own_local};
use crate::combine::{self, Space};
use crate::writer::{Function, Operand, Reg};

struct GangGlobal {
    target: Target,
    local: Reg,
}

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
) -> impl Copies + use<> {
    GangGlobal {
        target: target.clone(),
        local: own_local(f, gang, target, memory),
    }
}

impl Copies for GangGlobal {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        let at = bin.global(f, self.local, self.target.size());
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

//! `atomic_global`: every update is an atomic on one copy in device memory.
//!
//! The naive program of the paper, and the base that the others are compared with. It needs no memory on
//! the chip, so it takes any number of bins; where many updates meet in few bins it is slow.

use super::template::Template;
use super::{Bin, Copies, Gang, Known, Memory, Target, update_global};
use crate::abi::TargetAbi;
use crate::cost::{self, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::writer::{Function, Operand, Reg};

/// The strategy.
pub(super) struct AtomicGlobal;

impl Template for AtomicGlobal {
    fn name(&self) -> &'static str {
        "atomic_global"
    }

    fn place(&self) -> &'static str {
        "one, in device memory; none where bins are many for the updates: those go into the bins, after a rehearsal without them"
    }

    fn good_for(&self) -> &'static str {
        "few items, or many bins and spread keys"
    }

    fn prologue(
        &self,
        _: &mut Function,
        _: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        Box::new(prologue(target, memory.scratch))
    }

    fn updates_bins(&self) -> bool {
        true
    }

    fn cost(
        &self,
        target: &TargetAbi,
        needs: &TargetPlan,
        launch: &Launch<'_>,
        speeds: &Speeds,
    ) -> Part {
        cost::global::part(target, needs, launch, speeds)
    }
}

struct AtomicGlobalCopies {
    target: Target,
    copy: Reg,
}

/// Updates of the copy at a device address.
pub(super) fn prologue(target: &Target, copy: Reg) -> impl Copies + use<> {
    AtomicGlobalCopies {
        target: target.clone(),
        copy,
    }
}

impl Copies for AtomicGlobalCopies {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        update_global(f, &self.target, self.copy, bin, value);
    }

    fn epilogue(&self, _: &mut Function, _: &Gang) {}
}

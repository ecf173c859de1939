//! `steps`: a loop whose iterations follow each other, with loops inside that run in parallel: the rows of a recurrence, the steps of a
//! simulation. One gang stays for all steps, deals out the iterations of each inner loop among its threads, and has a barrier behind each.
//!
//! Symbols: `W`, the iterations of a step. What a launch takes is saved in each step, but one multiprocessor does all of them, so it is for
//! narrow rows. Wider ones have a launch for each inner loop of a step, or one for some 50 of them (see [`Function::series`]).

use super::template::Template;
use super::{Copies, Gang, Known, Memory, Target, register};
use crate::abi::{Elem, Op, TargetAbi};
use crate::cost::{self, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::writer::Function;

/// Iterations of a step, at most, that one gang has done sooner than a launch for them: 3.7 us for 16,000 columns of seams, where launches take 6 (H100, 2026-11-26,
/// docs/measurements/gpu.md).
const FEW: u64 = 1 << 14;

/// Operations of such a step: a multiprocessor does 128 a cycle, at 1.7 GHz some 2^19 in the 2 us of a launch.
const FEW_OPERATIONS: u64 = 1 << 19;

/// Iterations of a step that kernels can count.
const MOST_ITERATIONS: u64 = (1 << 31) - 1;

/// The strategy.
pub(super) struct Steps;

impl Template for Steps {
    fn name(&self) -> &'static str {
        "steps"
    }

    fn place(&self) -> &'static str {
        "none: one gang stays for all steps, with barriers between them"
    }

    fn good_for(&self) -> &'static str {
        "recurrences over narrow rows: seams of a picture, tables of dynamic programming"
    }

    fn takes(&self) -> &'static str {
        "loops whose iterations follow each other, with inner loops over one dimension that own their elements"
    }

    fn applies_to(&self, _: Op, _: Elem, _: bool, _: u32) -> bool {
        false
    }

    fn is_one_gang(&self) -> bool {
        true
    }

    /// Such a loop has no targets.
    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        known: Known,
    ) -> Box<dyn Copies> {
        register::Register.prologue(f, gang, target, memory, known)
    }

    fn cost(&self, _: &TargetAbi, _: &TargetPlan, launch: &Launch<'_>, speeds: &Speeds) -> Part {
        cost::in_place(launch, speeds)
    }
}

/// Whether steps of `width` iterations can be counted.
pub fn can_take(width: u64) -> bool {
    width <= MOST_ITERATIONS
}

/// Whether one gang takes so many steps of `width` iterations, each of so many operations, sooner than launches do.
pub fn pays(steps: u64, width: u64, operations: u32) -> bool {
    steps > 1 && width <= FEW && width.saturating_mul(operations.into()) <= FEW_OPERATIONS
}

/// Threads of the gang, `most` at most, each of which takes so many iterations at once. As few as take a step in as many rounds, since
/// each of them does what stands between the loops; but two warps for each of the schedulers of a multiprocessor, if there is work for them.
pub fn threads(width: u64, most: u32, at_once: u32) -> u32 {
    const ENOUGH: u64 = 256;
    let each = width.div_ceil(at_once.max(1).into());
    let each = each.max(ENOUGH.min(width));
    let rounds = each.div_ceil(most.max(1).into()).max(1);
    let each = each.div_ceil(rounds).max(1).next_multiple_of(32);
    most.min(each as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gang_has_no_more_threads_than_its_rounds_need() {
        assert_eq!(threads(0, 1024, 1), 32);
        assert_eq!(threads(1, 1024, 4), 32);
        assert_eq!(threads(1000, 1024, 1), 1024);
        assert_eq!(threads(1000, 1024, 4), 256);
        assert_eq!(threads(1025, 1024, 1), 544);
        assert_eq!(threads(1920, 1024, 1), 960);
        assert_eq!(threads(1920, 512, 4), 480);
        assert_eq!(threads(4096, 512, 4), 512);
        assert_eq!(threads(1 << 40, 512, 4), 512);
    }

    #[test]
    fn narrow_steps_of_little_work_pay() {
        assert!(pays(1079, 1920, 30));
        assert!(!pays(1, 1920, 30));
        assert!(!pays(1079, 1 << 16, 30));
        assert!(!pays(1079, 1920, 3000));
    }
}

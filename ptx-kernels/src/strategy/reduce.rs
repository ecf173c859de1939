//! `reduce`: an inner loop over what belongs to one iteration, such as the sum of a row. A gang takes a block of iterations and stages what they
//! read at some positions of the inner loop in shared memory, with neighbouring threads at neighbouring elements, more of them at a time than there
//! are iterations. Each iteration then goes through its own in order, so that a sum is the sequential loop's.

use super::template::Template;
use super::{Copies, Gang, Known, Memory, Target, register};
use crate::abi::{Elem, KernelAbi, Op, TargetAbi};
use crate::cost::{self, Call, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::writer::Function;

/// Bytes that an iteration reads at least, for it to be worth it.
const LEAST_BYTES: f64 = 64.0;

/// The strategy.
pub(super) struct Reduce;

impl Template for Reduce {
    fn name(&self) -> &'static str {
        "reduce"
    }

    fn place(&self) -> &'static str {
        "none: what iterations read apart is staged in shared memory"
    }

    fn good_for(&self) -> &'static str {
        "a matrix times a vector, sums of rows or columns: few iterations with long inner loops"
    }

    fn takes(&self) -> &'static str {
        "loops that own their elements, with an inner loop that reads by one dimension"
    }

    fn applies_to(&self, _: Op, _: Elem, _: bool, _: u32) -> bool {
        false
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

    /// Few blocks leave multiprocessors idle, and iterations that read little are as well read by a thread each.
    fn delay(&self, kernel: &KernelAbi, call: &Call) -> f64 {
        let blocks = call.items / u64::from(kernel.together.max(1));
        let few = 2 * blocks < u64::from(call.limits.multiprocessors);
        match few || call.item_bytes < LEAST_BYTES {
            true => 2.0,
            false => 1.0,
        }
    }

    fn cost(&self, _: &TargetAbi, _: &TargetPlan, launch: &Launch<'_>, speeds: &Speeds) -> Part {
        cost::in_place(launch, speeds)
    }
}

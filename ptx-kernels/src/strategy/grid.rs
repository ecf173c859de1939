//! `grid`: a thread for each iteration, or for several neighbours, and no bins. What an iteration writes is its own, so it goes straight
//! into memory; scalars that the loop reduces are in [registers](super::register).
//!
//! The detector has shown that no two iterations meet in an element. Where a loop fills bins as well, their strategy is the
//! loop's.

use super::template::Template;
use super::{Copies, Gang, Known, Memory, Target, register};
use crate::abi::{Elem, Op, TargetAbi};
use crate::cost::{self, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::writer::Function;

/// The strategy.
pub(super) struct Grid;

impl Template for Grid {
    fn name(&self) -> &'static str {
        "grid"
    }

    fn place(&self) -> &'static str {
        "none: elements are written where they are"
    }

    fn good_for(&self) -> &'static str {
        "maps, stencils, sums: iterations that meet nowhere, or in scalars only"
    }

    fn takes(&self) -> &'static str {
        "loops in which no two iterations update the same bin"
    }

    fn applies_to(&self, _: Op, _: Elem, _: bool, _: u32) -> bool {
        false
    }

    /// Only scalars are targets of such a loop.
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

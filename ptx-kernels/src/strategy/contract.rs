//! `contract`: products of matrices and what has their form. A gang takes a block of iterations over two dimensions, stages what an inner
//! loop reads at some of its positions in shared memory, and each thread has several iterations along both dimensions, whose variables stay in
//! registers. Each of them goes through the positions in order, so that a sum is the sequential loop's.
//!
//! Threads of a gang wait for each other, so that a gang has all of its threads, whatever the loop's size.

use super::template::Template;
use super::{Copies, Gang, Known, Memory, Target, register};
use crate::abi::{Elem, KernelAbi, Op, TargetAbi};
use crate::cost::{self, Call, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::writer::Function;

/// What a product takes that nothing waits in, of what it takes with a thread for each element: 721 us with 8 x 4 iterations a thread, 3370 us
/// without blocks (`accrue-bench run --cells maps`, f32, 2048, H200, 2026-11-24).
const OF_PLAIN: f64 = 0.165;

/// How long a thread loads two operands from shared memory, of what it takes to multiply and add two; first value.
const LOADS: f64 = 0.8;

/// What the same takes by tensor cores, of which a multiprocessor does twice as much `f64` as its other units.
const TENSOR: f64 = 0.5;

/// The strategy.
pub(super) struct Contract;

impl Template for Contract {
    fn name(&self) -> &'static str {
        "contract"
    }

    fn place(&self) -> &'static str {
        "none: what several iterations read is staged in shared memory"
    }

    fn good_for(&self) -> &'static str {
        "products of matrices, distances of all pairs: an inner loop that reads by each of two dimensions"
    }

    fn takes(&self) -> &'static str {
        "loops that own their elements, over two dimensions or more, with an inner loop that reads by each of the last two"
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

    /// What a thread has decides how much it computes for what it loads; few blocks leave multiprocessors idle, which have threads enough where
    /// each iteration has one.
    fn delay(&self, kernel: &KernelAbi, call: &Call) -> f64 {
        let Some(cut) = &kernel.cut else {
            return 1.0;
        };
        let [down, across] = cut.per_thread.map(f64::from);
        let computed = down * across / (down + across);
        let blocks = call.items as f64 / f64::from(cut.items());
        let each = blocks / f64::from(call.limits.multiprocessors.max(1));
        let busy = (each / each.ceil().max(1.0)).max(f64::MIN_POSITIVE);
        let cores = if cut.tensor { TENSOR } else { 1.0 };
        OF_PLAIN * cores * (1.0 + LOADS / computed) / busy
    }

    fn cost(&self, _: &TargetAbi, _: &TargetPlan, launch: &Launch<'_>, speeds: &Speeds) -> Part {
        cost::in_place(launch, speeds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{Cut, Strategy};
    use crate::plan::Limits;

    fn delay(side: u64, tile: [u32; 3], per_thread: [u32; 2]) -> f64 {
        let cut = Cut {
            tile,
            per_thread,
            unroll: 4,
            prefetch: true,
            tensor: false,
        };
        let kernel = KernelAbi {
            entry: "product".into(),
            strategy: Strategy::Contract,
            params: Vec::new().into(),
            arrays: Vec::new().into(),
            captured: Vec::new().into(),
            targets: Vec::new().into(),
            dims: 2,
            whole: true,
            block: cut.threads(),
            items_per_thread: 1,
            together: cut.items(),
            waves: false,
            cut: Some(cut),
            reach: 0,
            static_shared: 0,
            sm: 70,
            sample: None,
            series: None,
            faults: Vec::new().into(),
            split: None,
        };
        let call = Call {
            limits: Limits::H200,
            items: side * side,
            outer: side,
            item_bytes: 12.0,
            sample: None,
        };
        Contract.delay(&kernel, &call)
    }

    /// Tiny matrices are left to a thread for each element, small ones come in small blocks, others in large ones.
    #[test]
    fn blocks_are_as_large_as_leaves_no_multiprocessor_idle() {
        let small = |side| delay(side, [32, 32, 16], [2, 2]);
        let large = |side| delay(side, [64, 128, 16], [8, 4]);
        assert!(small(96) > 1.0 && large(96) > 1.0);
        for side in [256, 512] {
            assert!(small(side) < large(side).min(1.0), "{side}");
        }
        for side in [1024, 2048, 4096, 8192] {
            assert!(large(side) < small(side) && large(side) < 0.35, "{side}");
        }
    }
}

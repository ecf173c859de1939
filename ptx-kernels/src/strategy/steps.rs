//! `steps`: a loop whose iterations follow each other, with loops inside that run in parallel: the rows of a recurrence, the steps of a
//! simulation. One gang stays for all steps, deals out the iterations of each inner loop among its threads, and has a barrier behind each. Where
//! a row is made of its neighbours in the one before it, several gangs take some dozens of steps each by themselves ([`Overlap`]).
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

/// Threads of a gang, at most, that takes several steps by itself.
pub const OVERLAP_THREADS: u32 = 256;

/// Iterations of a step, at most, up to which a launch for each costs more than what gangs that overlap compute twice: 200,000 columns of `u32` take 2.6 us a row
/// where launches take 4.3, of `i64` 5.5 and 4.2 (H200, 2026-11-30).
const FEW_OVERLAPPED: u64 = 1 << 17;

/// The strategy.
pub(super) struct Steps;

impl Template for Steps {
    fn name(&self) -> &'static str {
        "steps"
    }

    fn place(&self) -> &'static str {
        "none: one gang takes all steps, with barriers between them, or several take some dozens each by themselves"
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

/// Whether one gang takes so many steps of `width` iterations, each of so many operations, sooner than launches do; or several gangs, which
/// have a [`reach`](crate::abi::KernelAbi::reach).
pub fn pays(steps: u64, width: u64, operations: u32, reach: u32) -> bool {
    let (few, gangs) = match Overlap::of(width, reach) {
        Some(overlap) => (FEW_OVERLAPPED, overlap.gangs),
        None => (FEW, 1),
    };
    let most = FEW_OPERATIONS * u64::from(gangs);
    steps > 1 && width <= few && width.saturating_mul(operations.into()) <= most
}

/// How steps are shared out among gangs that each take several of them by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Threads of a gang.
    pub threads: u32,
    /// Gangs.
    pub gangs: u32,
    /// Steps of a launch.
    pub steps: u32,
}

impl Overlap {
    /// The way of steps of `width` iterations that reach so far; `None` where one gang is as good. 32 steps cost a gang a quarter of its columns:
    /// seams of 1920 x 1080 take 306 µs so, 364 by 16 at a time and 284 by 48 (a kernel written by hand, H200, 2026-11-30).
    pub fn of(width: u64, reach: u32) -> Option<Overlap> {
        const LOST: u32 = 32;
        const FEWEST: u64 = 256;
        if reach == 0 || reach > LOST || width < FEWEST {
            return None;
        }
        Overlap::cut(width, reach, OVERLAP_THREADS, LOST / reach)
    }

    /// So many steps at a time by gangs of so many threads, if these have columns of their own.
    pub fn cut(width: u64, reach: u32, threads: u32, steps: u32) -> Option<Overlap> {
        let own = threads
            .checked_sub(2 * reach * steps)
            .filter(|own| *own > 0)?;
        let gangs = width.div_ceil(own.into());
        let gangs = u32::try_from(gangs)
            .ok()
            .filter(|gangs| *gangs <= i32::MAX as u32)?;
        Some(Overlap {
            threads,
            gangs,
            steps,
        })
    }
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
        assert!(pays(1079, 1920, 30, 0));
        assert!(!pays(1, 1920, 30, 0));
        assert!(!pays(1, 1920, 30, 1));
        assert!(!pays(1079, 1 << 16, 30, 0));
        assert!(pays(1079, 1 << 16, 30, 1));
        assert!(!pays(1079, 1920, 3000, 0));
    }

    #[test]
    fn gangs_that_overlap_have_all_columns() {
        assert_eq!(Overlap::of(1920, 0), None);
        assert_eq!(Overlap::of(100, 1), None);
        let overlap = Overlap::of(1920, 1).unwrap();
        assert_eq!(
            (overlap.threads, overlap.gangs, overlap.steps),
            (256, 10, 32)
        );
        for (width, reach) in [(256, 1), (1921, 1), (1 << 20, 3), (5000, 4)] {
            let Overlap {
                threads,
                gangs,
                steps,
            } = Overlap::of(width, reach).unwrap();
            let own = u64::from(threads - 2 * reach * steps);
            assert!(own * u64::from(gangs) >= width && own * u64::from(gangs - 1) < width);
        }
        assert_eq!(Overlap::cut(100, 2, 64, 16), None);
    }
}

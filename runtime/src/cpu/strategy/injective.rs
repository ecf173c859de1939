//! The strategy `injective`: no two iterations update the same bin, so the bins are split with the iterations and
//! each worker has its own. [`owned`](crate::cpu::owned) says how.
//!
//! Memory: a copy of the bins. Time: N / W updates, in order.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::template::{Job, Key, Outcome, Plan, Tally, Template, Wishes};
use crate::cpu::case::{Case, budget, copy};
use crate::cpu::crew::{self, Parts};
use crate::cpu::drive::Drive;
use crate::cpu::kernels::Copies;
use crate::cpu::member::{Kind, Member};
use crate::cpu::table::Fault;

/// An update of a worker's own bins, in order, in nanoseconds.
const OWNED: f64 = 0.8;

/// The strategy.
pub(super) struct Injective;

impl Template for Injective {
    fn name(&self) -> &'static str {
        "injective"
    }

    fn place(&self) -> &'static str {
        "into the bins, which are split between the workers with the iterations, after a copy of them"
    }

    fn good_for(&self) -> &'static str {
        "loops in which no two iterations update the same bin"
    }

    fn keys(&self) -> &'static [Key] {
        &[Key::Workers]
    }

    fn has_form(&self, case: &Case) -> bool {
        case.injective
    }

    /// N `OWNED` and a copy of the bins, by W workers.
    fn offer(&self, case: &Case, workers: usize, launch: f64) -> Option<(Plan, f64)> {
        // The first and the last item run twice.
        if workers < 2 || !case.pure || !self.fits(case, &Plan::NONE) {
            return None;
        }
        let updates = case.sites.max(1) as f64 * OWNED;
        let work = case.items as f64 * case.work.unwrap_or(0.0).max(updates);
        let cost = launch + (work + copy(case.facts.bytes)) / workers as f64;
        Some((Plan::of(workers), cost))
    }

    fn fixed(&self, case: &Case) -> Option<Plan> {
        Plan::fixed(case)
    }

    fn obey(&self, case: &Case, wishes: &Wishes) -> Plan {
        let plan = Plan::of(wishes.workers(case));
        Plan {
            parts: wishes.parts.unwrap_or(plan.parts),
            ..plan
        }
    }

    fn fits(&self, case: &Case, _: &Plan) -> bool {
        case.facts.bytes <= budget(case.facts.bytes)
    }

    fn describe(
        &self,
        f: &mut fmt::Formatter<'_>,
        _: &Plan,
        tally: &Tally,
        _: usize,
    ) -> fmt::Result {
        write!(
            f,
            "injective: no two iterations update the same bin, so the bins are split into {} parts with them",
            tally.parts
        )
    }

    fn trials(&self) -> &'static [&'static str] {
        &["injective:workers=3"]
    }
}

/// Runs a job.
pub(super) fn run<M: Member>(job: Job<'_, M>) -> Outcome {
    let Job {
        items,
        plan: Plan { workers, parts, .. },
        case,
        members,
        copies,
        ..
    } = job;
    // The first and the last item run twice.
    let (Copies::Owned(kernels), true) = (copies, case.pure) else {
        return Outcome::Unclear;
    };
    let start = Instant::now();
    let fault = Fault::default();
    let log = |item: usize| {
        let mut pairs = members.pairs(None, usize::MAX);
        let view = members.log(&mut pairs, &fault);
        let drive = Drive::new(item..item + 1, view);
        match catch_unwind(AssertUnwindSafe(|| kernels.log(drive))) {
            Ok(()) => Some(pairs),
            Err(panic) => {
                fault.panicked(item, panic);
                None
            }
        }
    };
    let (Some(first), Some(last)) = (log(items.start), log(items.end - 1)) else {
        return Outcome::Fault(fault);
    };
    if fault.is_set() {
        return Outcome::Fault(fault);
    }
    let Some(courses) = members.courses(&first, &last, items.len()) else {
        return Outcome::Unclear;
    };
    let parts = Parts::new(items.clone(), parts);
    let ranges: Vec<_> = std::iter::from_fn(|| parts.take())
        .map(|(_, part)| part)
        .collect();
    // Courses count from the first item of the run.
    let relative: Vec<_> = ranges
        .iter()
        .map(|part| part.start - items.start..part.end - items.start)
        .collect();
    let mut stores: Vec<_> = ranges.iter().map(|_| members.store()).collect();
    let mut pieces = members.split(&courses, &relative);
    let work = ranges.into_iter().zip(&mut pieces).zip(&mut stores);
    crew::each(workers, work.enumerate(), |(n, ((range, piece), store))| {
        if fault.is_set() {
            return;
        }
        let drive = Drive::new(range, M::Kind::owned(piece, store, &fault));
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| kernels.owned(drive))) {
            fault.panicked(n, panic);
        }
    });
    let kept: Vec<_> = pieces.into_iter().map(M::Kind::keep).collect();
    // Only scalars have anything in the stores.
    let stores: Vec<_> = stores.iter().collect();
    if !fault.is_set() && members.overflows(&stores, workers) {
        fault.overflowed();
    }
    if fault.is_set() {
        kept.iter().for_each(|kept| members.put_back(kept));
        return Outcome::Fault(fault);
    }
    members.publish(&stores, workers);
    Outcome::Done(Tally {
        parts: kept.len(),
        busy: start.elapsed(),
        ..Tally::default()
    })
}

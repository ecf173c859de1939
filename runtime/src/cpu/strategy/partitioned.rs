//! The strategy `partitioned`: workers write updates down by range of bins, then every range is done by one
//! worker.
//!
//! It is for many bins and few items, where private tables would cost more than the loop. Nothing is written to a bin
//! before every update is known, so that a fault leaves nothing to undo; and the updates of a bin are done in the order of the
//! items, so that float sums have the bits of the sequential loop, whatever the number of threads.
//!
//! Symbols: W workers, R ranges of bins, N items. Memory: a bin's number and a value for each update, and not more than a call may take:
//! each part has its share, and where one needs more the run is given up before it has changed a bin.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::template::{Job, Key, Outcome, Plan, Tally, Template, Wishes};
use crate::cpu::case::{Case, budget};
use crate::cpu::crew::{self, Parts};
use crate::cpu::drive::Drive;
use crate::cpu::member::Member;
use crate::cpu::table::Fault;

/// Writing an update down and reading it again, in nanoseconds.
const LOG: f64 = 2.0;

/// The least that an update takes however many workers there are: the lists are fresh memory, which the system hands out a page at a time. (0.7 to 1.5 · 10^9
/// updates a second by 16 workers, where the above would be 5: uniform words of 65,536 and 1,092,546 bins, Sapphire Rapids in a virtual machine, 2026-11-28.)
const FRESH: f64 = 1.0;

/// How many parts a worker takes on average.
const PARTS: usize = 4;

/// How many ranges of bins there are for each worker.
const RANGES: usize = 4;

/// The strategy.
pub(super) struct Partitioned;

impl Template for Partitioned {
    fn name(&self) -> &'static str {
        "partitioned"
    }

    fn place(&self) -> &'static str {
        "into lists by range of bins, of which each is then done by one worker"
    }

    fn good_for(&self) -> &'static str {
        "many bins and few items"
    }

    fn keys(&self) -> &'static [Key] {
        &[Key::Workers, Key::Ranges]
    }

    fn logs(&self, _: &Wishes) -> bool {
        true
    }

    /// N (`LOG` + u') / W, u' for a range of the bins, and N `FRESH` at least.
    fn offer(&self, case: &Case, workers: usize, launch: f64) -> Option<(Plan, f64)> {
        let can = workers > 1 && case.is_countable() && !case.uneven && !case.injective;
        if !can || !self.fits(case, &Plan::NONE) {
            return None;
        }
        let (shift, range) = ranges(case, workers);
        let sites = case.sites.max(1) as f64;
        let each = (sites * LOG + case.item(range)) / workers as f64;
        let cost = launch + case.items as f64 * each.max(sites * FRESH);
        let plan = Plan {
            workers,
            shift,
            ..Plan::NONE
        };
        Some((plan, cost))
    }

    fn obey(&self, case: &Case, wishes: &Wishes) -> Plan {
        let workers = wishes.workers(case);
        let ranges = wishes.ranges.unwrap_or(workers * RANGES);
        let each = case.facts.longest.div_ceil(ranges).max(1);
        Plan {
            workers,
            shift: each.next_power_of_two().ilog2(),
            ..Plan::NONE
        }
    }

    fn fits(&self, case: &Case, _: &Plan) -> bool {
        case.has_rounds() || case.items <= logged_at_once(case)
    }

    fn round(&self, case: &Case) -> usize {
        match case.has_rounds() && !case.uneven {
            true => logged_at_once(case),
            false => usize::MAX,
        }
    }

    fn describe(
        &self,
        f: &mut fmt::Formatter<'_>,
        plan: &Plan,
        tally: &Tally,
        _: usize,
    ) -> fmt::Result {
        write!(
            f,
            "partitioned, {} lists of updates, ranges of {} bins",
            tally.lists,
            1u64 << plan.shift
        )
    }

    fn trials(&self) -> &'static [&'static str] {
        &["partitioned:workers=3,ranges=4"]
    }
}

/// How many bytes a logged update takes at most.
fn logged(case: &Case) -> usize {
    let slot = case.facts.bytes.div_ceil(case.facts.bins.max(1));
    if slot > 4 { 16 } else { 8 }
}

/// How many items a run may log at a time.
fn logged_at_once(case: &Case) -> usize {
    // Not all parts have as many.
    let updates = budget(case.facts.bytes) / 2 / logged(case);
    (updates / case.sites.max(1)).max(1)
}

/// The shift that splits the bins into some ranges for each worker, and their size in bytes.
fn ranges(case: &Case, workers: usize) -> (u32, usize) {
    let ranges = (workers * RANGES).next_power_of_two();
    let each = case.facts.longest.div_ceil(ranges);
    (each.next_power_of_two().ilog2(), case.facts.bytes / ranges)
}

/// Runs the items. On a fault the members are as they were.
pub(super) fn run<M: Member>(job: Job<'_, M>) -> Outcome {
    let Job {
        items,
        plan: Plan { workers, shift, .. },
        case,
        members,
        copies,
        ..
    } = job;
    let kernels = copies.log();
    // A body that may run once only cannot be given up for memory.
    let bytes = match case.pure {
        true => budget(case.facts.bytes),
        false => usize::MAX,
    };
    let start = Instant::now();
    let fault = Fault::new(case.pure);
    let parts = Parts::new(items, workers * PARTS);
    let shared = &*members;
    let share = bytes / (workers * PARTS).max(1);
    let worker = || {
        let mut logs = Vec::new();
        while !fault.is_set() {
            let Some((number, part)) = parts.take() else {
                break;
            };
            let mut pairs = shared.pairs(Some(shift), share);
            let run = || {
                for piece in crew::pieces(part).take_while(|_| !fault.stops(number)) {
                    kernels.log(Drive::new(piece, shared.log(&mut pairs, &fault)));
                }
            };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
                fault.panicked(number, panic);
                break;
            }
            logs.push((number, pairs));
        }
        Some(logs)
    };
    let mut logs: Vec<_> = crew::run(workers, &fault, worker)
        .into_iter()
        .flatten()
        .collect();
    if fault.is_set() {
        return Outcome::Fault(fault);
    }
    logs.sort_by_key(|(number, _)| *number);
    let logs: Vec<_> = logs.iter().map(|(_, pairs)| pairs).collect();
    let scalars = members.save(false);
    if members.apply(&logs, workers) {
        members.unapply(&logs);
        members.restore(&scalars);
        fault.overflowed();
        return Outcome::Fault(fault);
    }
    Outcome::Done(Tally {
        lists: logs.len(),
        busy: start.elapsed() * workers as u32,
        ..Tally::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::machine::known;
    use crate::cpu::member::Facts;

    #[test]
    fn ranges_cover_the_bins() {
        for (bins, workers) in [(1, 2), (1000, 3), (1_092_546, 2), (70_000_000, 64)] {
            let case = Case {
                items: 1,
                work: None,
                timed: false,
                sites: 1,
                rehearsal: None,
                journal: false,
                updates: None,
                machine: known(""),
                alike: None,
                facts: Facts {
                    bins,
                    bytes: bins * 4,
                    longest: bins,
                    ..Facts::NONE
                },
                threads: Some(workers),
                pure: true,
                fixed: false,
                injective: false,
                uneven: false,
            };
            let (shift, _) = ranges(&case, workers);
            assert!((bins - 1) >> shift <= (workers * 4).next_power_of_two());
        }
    }
}

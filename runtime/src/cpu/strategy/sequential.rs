//! The strategy `sequential`: the user's own loop, and how its updates are taken back where it panics.
//!
//! Time: N u, and what undoing it costs to prepare. The [run](crate::cpu::run) itself drives it, since it is the caller's own statements; here is what
//! it costs, and how it is asked for.

use std::fmt;

use super::template::{Job, Key, Outcome, Plan, Tally, Template, Undo, Wishes};
use crate::base::kept;
use crate::cpu::case::{Case, budget, copy};
use crate::cpu::fault::PANICS_END;
use crate::cpu::journal::ENTRY;
use crate::cpu::member::Member;

/// A copy of the bins that takes less than this is not worth a thought, in nanoseconds, where nobody knows how many updates there will be.
const CHEAP: f64 = 1_500.0;

/// Writing down what a bin held, in memory that the thread has. (On a Cascade Lake, 2026-11-22, by `accrue-bench calls`: 1 ns where updates hit
/// the first-level cache and do not branch, nothing to be seen where they miss it or branches are mispredicted.)
const JOURNAL: f64 = 0.3;

/// The same as a log that grows.
const LOGGED_JOURNAL: f64 = 4.0;

/// Checking an index and nothing more, one after the other: the values of updates are not computed.
const REHEARSE: f64 = 0.8;

/// The strategy.
pub(super) struct Sequential;

impl Template for Sequential {
    fn name(&self) -> &'static str {
        "sequential"
    }

    fn place(&self) -> &'static str {
        "into the bins, by the loop as it is written"
    }

    fn good_for(&self) -> &'static str {
        "little work, one thread, overflow that only the order tells"
    }

    fn keys(&self) -> &'static [Key] {
        &[Key::Undo]
    }

    fn logs(&self, wishes: &Wishes) -> bool {
        wishes.undo == Some(Undo::Journal)
    }

    /// It is what the others are compared with.
    fn offer(&self, _: &Case, _: usize, _: f64) -> Option<(Plan, f64)> {
        None
    }

    fn obey(&self, case: &Case, wishes: &Wishes) -> Plan {
        Plan::in_order(match wishes.undo {
            _ if PANICS_END => Undo::Count,
            // What cannot be taken back is copied.
            Some(Undo::Count) if !(case.facts.invertible && case.pure) => Undo::Snapshot,
            Some(Undo::Rehearsal) if !case.can_rehearse() => Undo::Snapshot,
            Some(undo) => undo,
            None => undo(case).0,
        })
    }

    /// How it is undone is found anew for each call.
    fn fits(&self, _: &Case, _: &Plan) -> bool {
        false
    }

    fn describe(
        &self,
        f: &mut fmt::Formatter<'_>,
        plan: &Plan,
        _: &Tally,
        _: usize,
    ) -> fmt::Result {
        f.write_str(match plan.undo {
            Undo::Count if PANICS_END => "sequential",
            Undo::Count => {
                "sequential, updates counted to take them back on a panic, by running iterations again"
            }
            Undo::Rehearsal => {
                "sequential, after a rehearsal of the iterations without their updates that did not panic"
            }
            Undo::Snapshot => "sequential, with a copy of the bins in case of a panic",
            Undo::Journal => "sequential, old values written down in case of a panic",
        })
    }

    fn trials(&self) -> &'static [&'static str] {
        &[
            "sequential:undo=count",
            "sequential:undo=snapshot",
            "sequential:undo=rehearsal",
            "sequential:undo=journal",
        ]
    }
}

/// How the sequential loop is undone, the cheapest way, and what it costs to prepare, in nanoseconds.
pub(in crate::cpu) fn undo(case: &Case) -> (Undo, f64) {
    if PANICS_END || (case.facts.invertible && case.pure) {
        return (Undo::Count, 0.0);
    }
    let items = case.items as f64;
    let sites = case.updates_each() as f64;
    let large = case.facts.bytes > budget(case.facts.bytes);
    let snapshot = match large && case.can_rehearse() {
        true => (Undo::Snapshot, f64::INFINITY),
        false => (Undo::Snapshot, copy(case.facts.bytes)),
    };
    if case.facts.ordered {
        // Only the user's loop panics where the user's loop does, and it writes nothing down.
        return snapshot;
    }
    if !case.is_counted() && snapshot.1 <= CHEAP {
        // A journal might be any length.
        return snapshot;
    }
    let mut best = snapshot;
    let mut or = |undo, cost| {
        if cost < best.1 {
            best = (undo, cost);
        }
    };
    let countable = case.is_countable();
    if case.can_rehearse() {
        let unknown = if large { 0.0 } else { f64::INFINITY };
        let work = case.work.unwrap_or(unknown);
        let each = case.rehearsal.filter(|_| countable);
        let each = each.unwrap_or(work.max(sites * REHEARSE));
        or(Undo::Rehearsal, items * each);
    }
    if countable {
        let updates = items * sites;
        let short = case.journal && updates * ENTRY as f64 <= kept::MOST_BYTES as f64;
        let each = if short { JOURNAL } else { LOGGED_JOURNAL };
        if updates * ENTRY as f64 <= budget(case.facts.bytes) as f64 {
            or(Undo::Journal, updates * each);
        }
    }
    best
}

/// Leaves the items to the user's own loop.
pub(super) fn run<M: Member>(_: Job<'_, M>) -> Outcome {
    Outcome::Unclear
}

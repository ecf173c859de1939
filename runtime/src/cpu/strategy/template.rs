//! What anybody needs to know of a strategy: one trait, and the data that go in and come out.
//!
//! The choice, `explain`, `ACCRUE_STRATEGY`, the tests, the benchmarks and `docs/choosing.md` ask the [`Template`] of a row of the
//! [table](super::table) and know no strategy by name. A new one implements this trait in a file of its own, beside a function `run` that takes a
//! [`Job`], and has a row there.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use crate::cpu::bytes::Words;
use crate::cpu::case::Case;
use crate::cpu::kernels::Copies;
use crate::cpu::member::Member;
use crate::cpu::table::Fault;

/// A strategy.
#[cfg_attr(
    not(any(test, feature = "bench")),
    expect(dead_code, reason = "tests and benches ask for all there is to know")
)]
pub(in crate::cpu) trait Template: Sync {
    /// The name, in attributes and settings.
    fn name(&self) -> &'static str;

    /// Where updates go: a cell of the table in `docs/choosing.md`.
    fn place(&self) -> &'static str;

    /// What it is good for, beside it.
    fn good_for(&self) -> &'static str;

    /// The parameters that may be written behind its name.
    fn keys(&self) -> &'static [Key];

    /// Whether it has a form for loops like this one.
    fn has_form(&self, _case: &Case) -> bool {
        true
    }

    /// Whether it writes down updates of bins whose numbers have 32 bits.
    fn logs(&self, _wishes: &Wishes) -> bool {
        false
    }

    // The choice.

    /// How it would run a call by up to so many workers, whose waking costs `launch`, and what that is expected to take in nanoseconds. Nothing
    /// where it is not to be chosen: for want of memory, or since it cannot gain.
    fn offer(&self, case: &Case, workers: usize, launch: f64) -> Option<(Plan, f64)>;

    /// Whether what it takes does not depend on the body, so that it is known without the time of the first items.
    fn is_sure(&self) -> bool {
        false
    }

    /// How it runs a call whose bits may not depend on the number of threads, if it does in more than one part.
    fn fixed(&self, _case: &Case) -> Option<Plan> {
        None
    }

    /// How it runs a call that it was asked for.
    fn obey(&self, case: &Case, wishes: &Wishes) -> Plan;

    /// Whether there is memory for a call as another one of a similar size has run.
    fn fits(&self, case: &Case, plan: &Plan) -> bool;

    /// How many items it takes at a time: their updates are in the bins before the next ones begin.
    fn round(&self, _case: &Case) -> usize {
        usize::MAX
    }

    // The words.

    /// Says what a run over so many items did.
    fn describe(
        &self,
        f: &mut fmt::Formatter<'_>,
        plan: &Plan,
        tally: &Tally,
        items: usize,
    ) -> fmt::Result;

    /// What tests and `accrue-bench check` run of it, as it is asked for.
    fn trials(&self) -> &'static [&'static str];
}

/// How many parts a worker takes on average, so that none waits long for the last one.
const PARTS: usize = 8;

/// The numbers of a run. A strategy reads those that it has given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cpu) struct Plan {
    /// W.
    pub(in crate::cpu) workers: usize,
    /// P.
    pub(in crate::cpu) parts: usize,
    /// Whether the parts do not depend on W, and each has tables of its own.
    pub(in crate::cpu) fixed: bool,
    /// Whether lanes are used.
    pub(in crate::cpu) lanes: Lanes,
    /// Ranges are of `1 << shift` bins.
    pub(in crate::cpu) shift: u32,
    /// How updates of the bins themselves are undone.
    pub(in crate::cpu) undo: Undo,
}

impl Plan {
    /// Nothing is given.
    pub(in crate::cpu) const NONE: Plan = Plan {
        workers: 1,
        parts: 1,
        fixed: false,
        lanes: Lanes::Probe,
        shift: 0,
        undo: Undo::Count,
    };

    /// In order, and undone like this.
    pub(in crate::cpu) const fn in_order(undo: Undo) -> Plan {
        Plan { undo, ..Plan::NONE }
    }

    /// So many workers that take some parts each.
    pub(in crate::cpu) const fn of(workers: usize) -> Plan {
        Plan {
            workers,
            parts: workers * PARTS,
            ..Plan::NONE
        }
    }

    /// Parts that do not depend on the number of workers, if there is more than one.
    pub(in crate::cpu) fn fixed(case: &Case) -> Option<Plan> {
        let parts = case.fixed_parts();
        (parts > 1).then(|| Plan {
            workers: case.threads().min(parts),
            parts,
            fixed: true,
            ..Plan::NONE
        })
    }
}

/// When lanes are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu) enum Lanes {
    /// Where a probe says that they help.
    Probe,
    /// Wherever there is a window.
    Always,
    /// Nowhere.
    Never,
}

/// How the sequential loop is undone when it panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu) enum Undo {
    /// Updates are counted, and that many are taken back by running the body again.
    Count,
    /// Nothing has to be undone: the body has run without its updates before, and did not panic.
    Rehearsal,
    /// The bins are copied before.
    Snapshot,
    /// What each bin held is written down.
    Journal,
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu) enum Key {
    /// How many workers there are.
    Workers,
    /// How many parts they take.
    Parts,
    /// How many ranges the bins are split into.
    Ranges,
    /// Whether lanes are used.
    Lanes,
    /// How the sequential loop is undone when it panics.
    Undo,
}

impl Key {
    /// How it is written.
    pub(in crate::cpu) fn name(self) -> &'static str {
        match self {
            Key::Workers => "workers",
            Key::Parts => "parts",
            Key::Ranges => "ranges",
            Key::Lanes => "lanes",
            Key::Undo => "undo",
        }
    }

    /// What it may be.
    pub(in crate::cpu) fn expected(self) -> &'static str {
        match self {
            Key::Workers | Key::Parts | Key::Ranges => "a number from 1",
            Key::Lanes => "1 or 8",
            Key::Undo => "count, rehearsal, snapshot or journal",
        }
    }
}

/// What was asked for behind a strategy's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cpu) struct Wishes {
    pub(in crate::cpu) workers: Option<usize>,
    pub(in crate::cpu) parts: Option<usize>,
    pub(in crate::cpu) ranges: Option<usize>,
    pub(in crate::cpu) lanes: Option<Lanes>,
    pub(in crate::cpu) undo: Option<Undo>,
}

impl Wishes {
    /// Takes a parameter's value, if it is one.
    pub(in crate::cpu) fn set(&mut self, key: Key, value: &str) -> Option<()> {
        let number = || value.parse().ok().filter(|n: &usize| *n > 0);
        match key {
            Key::Workers => self.workers = Some(number()?),
            Key::Parts => self.parts = Some(number()?),
            Key::Ranges => self.ranges = Some(number()?),
            Key::Lanes => {
                self.lanes = Some(match value {
                    "1" => Lanes::Never,
                    "8" => Lanes::Always,
                    _ => return None,
                });
            }
            Key::Undo => {
                self.undo = Some(match value {
                    "count" => Undo::Count,
                    "rehearsal" => Undo::Rehearsal,
                    "snapshot" => Undo::Snapshot,
                    "journal" => Undo::Journal,
                    _ => return None,
                });
            }
        }
        Some(())
    }

    /// The workers that were asked for, or every thread.
    pub(in crate::cpu) fn workers(&self, case: &Case) -> usize {
        self.workers.unwrap_or_else(|| case.threads()).max(1)
    }
}

/// What a strategy is to run.
pub(in crate::cpu) struct Job<'r, M: Member> {
    /// The items.
    pub(in crate::cpu) items: Range<usize>,
    /// How.
    pub(in crate::cpu) plan: Plan,
    /// What is known of the call.
    pub(in crate::cpu) case: &'r Case,
    /// What is updated.
    pub(in crate::cpu) members: &'r mut M,
    /// The user's body.
    pub(in crate::cpu) copies: Copies<'r, M::Kind>,
    /// By what items are alike, and of several columns which one the updates of each member depend on.
    pub(in crate::cpu) alike: Option<(Words<'r>, &'r [&'r [u8]])>,
}

/// What came of it.
#[derive(Debug)]
pub(in crate::cpu) enum Outcome {
    /// All is done.
    Done(Tally),
    /// The members are as they were: the user's own loop must run.
    Fault(Fault),
    /// The members are as they were: the strategy does not suit this loop, as has turned out.
    Unclear,
}

/// What happened, for `explain`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cpu) struct Tally {
    /// Tables, of all workers.
    pub(in crate::cpu) tables: usize,
    /// Items whose updates went into lanes.
    pub(in crate::cpu) striped: usize,
    /// Slots that were merged.
    pub(in crate::cpu) slots: usize,
    /// Lists of updates.
    pub(in crate::cpu) lists: usize,
    /// Parts that the bins were split into.
    pub(in crate::cpu) parts: usize,
    /// How long all workers together were at their parts.
    pub(in crate::cpu) busy: Duration,
}

impl Tally {
    /// Both, one after the other.
    pub(in crate::cpu) fn and(self, later: Tally) -> Tally {
        Tally {
            tables: self.tables + later.tables,
            striped: self.striped + later.striped,
            slots: self.slots + later.slots,
            lists: self.lists + later.lists,
            parts: self.parts + later.parts,
            busy: self.busy + later.busy,
        }
    }
}

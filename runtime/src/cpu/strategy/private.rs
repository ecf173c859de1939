//! The strategy `private`: every worker fills tables of its own, and the tables are merged.
//!
//! Workers take parts of the iteration space, a few for each worker, until none is left. A worker allocates its tables
//! with its first part and keeps them. It probes its first items, and others every now and then: their updates are
//! logged, the log's indices say whether lanes would help ([`window`](crate::cpu::window)), and the log goes into the tables;
//! the items that follow run with the kind of table that the probe called for. So data that changes along the
//! way (the black border of a photograph, then the picture) gets the right table for each segment. The items that make
//! no whole block are logged too, so that the tables' loops have whole blocks only.
//!
//! For bits that do not depend on the number of threads the parts are fixed by the number of items and
//! bins alone, each has tables of its own, and the tables are merged in the order of the parts.
//!
//! Symbols: W workers, P parts, H bins, N items. Memory: W H slots (P H when fixed) and a window of lanes each. Time: N / W updates,
//! and W H slots merged by W workers, each a range of bins.

use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::template::{Job, Key, Lanes, Outcome, Plan, Tally, Template, Wishes};
use crate::cpu::bytes::Words;
use crate::cpu::case::Case;
use crate::cpu::crew::{self, Parts};
use crate::cpu::drive::Drive;
use crate::cpu::kernels::{Copies, Kernels};
use crate::cpu::member::{Kind, Member};
use crate::cpu::source::BLOCK;
use crate::cpu::table::{Context, Fault};

/// Allocating, clearing and merging a byte of a private table, by a worker of its own, in nanoseconds.
const TABLE: f64 = 0.2;

/// How many items are probed in a part.
const PROBED: usize = 512;

/// After how many items the next ones are probed: the indices may have moved on. A probe and a new window cost some
/// 20 us, and this many items a good deal more.
const SEGMENT: usize = 1 << 18;

/// How many segments go by without a probe at most, where each has said that lanes would not help: twice as many as before it. (Probes of pairs of bytes
/// took 6 % of a call, Granite Rapids, 2026-11-26.)
const SEGMENTS: usize = 16;

/// How many updates make a probe of items with inner loops sufficient.
const ENOUGH: usize = 256;

/// What a probe of items with inner loops may take, in bytes: updates beyond go into the worker's table one by one.
const LOGGED: usize = 256 << 10;

/// How many items with inner loops a part has that is worth a probe.
const LONG: usize = 16;

/// How many items are looked at at once, whether they are all alike: then the body runs for one of them. Most others are told by the first two, and the longest comparison in vain
/// takes a tenth of what the items take. (u32 of one value, 4096 bins: 7.3 G updates a second instead of 3.8; two cores of an EPYC, Zen 4, 2026-11-30.)
const STRETCH: usize = 1 << 10;

/// What a worker's part updates.
type Plain<M> = <<M as Member>::Kind as Kind>::Plain<'static>;

/// How to run.
#[derive(Clone, Debug)]
struct Config<'r> {
    /// The items.
    range: Range<usize>,
    /// W.
    workers: usize,
    /// P.
    parts: usize,
    /// Whether each part has tables of its own.
    fixed: bool,
    /// Whether lanes are used.
    lanes: Lanes,
    /// Whether an item may do any number of updates.
    uneven: bool,
    /// Whether the body may run again.
    pure: bool,
    /// By what items are alike, where their updates may be made many at a time.
    alike: Option<Words<'r>>,
}

/// The strategy.
pub(super) struct Private;

impl Template for Private {
    fn name(&self) -> &'static str {
        "private"
    }

    fn place(&self) -> &'static str {
        "into tables of each worker, which are merged at the end"
    }

    fn good_for(&self) -> &'static str {
        "the usual case: many items for the bins"
    }

    fn keys(&self) -> &'static [Key] {
        &[Key::Lanes, Key::Workers, Key::Parts]
    }

    fn has_form(&self, case: &Case) -> bool {
        !case.injective
    }

    /// N u / W and b `TABLE`, for as many workers as there is memory for.
    fn offer(&self, case: &Case, workers: usize, launch: f64) -> Option<(Plan, f64)> {
        let tables = workers.min(case.tables());
        // One worker gains from lanes and prefetches alone, of which items with inner loops have none, and from records.
        let gains = !case.uneven || case.facts.records > 0;
        if tables == 0 || tables == 1 && (workers > 1 || !gains) {
            return None;
        }
        let cost = launch + case.updating() / tables as f64 + case.facts.bytes as f64 * TABLE;
        Some((Plan::of(tables), cost))
    }

    fn fixed(&self, case: &Case) -> Option<Plan> {
        Plan::fixed(case)
    }

    fn obey(&self, case: &Case, wishes: &Wishes) -> Plan {
        let lanes = wishes.lanes.unwrap_or(Lanes::Probe);
        let workers = wishes.workers(case);
        let plan = match case.fixed {
            true => Plan {
                workers,
                parts: case.fixed_parts(),
                fixed: true,
                ..Plan::NONE
            },
            false => Plan::of(workers),
        };
        Plan {
            parts: wishes.parts.unwrap_or(plan.parts),
            lanes,
            ..plan
        }
    }

    fn fits(&self, case: &Case, plan: &Plan) -> bool {
        plan.workers <= case.tables()
    }

    fn describe(
        &self,
        f: &mut fmt::Formatter<'_>,
        plan: &Plan,
        tally: &Tally,
        items: usize,
    ) -> fmt::Result {
        let Plan { workers, parts, .. } = plan;
        write!(f, "private, {} tables", tally.tables)?;
        match plan.fixed {
            false => write!(f, " of {workers} workers, {parts} parts")?,
            true => write!(f, " of {parts} fixed parts, {workers} workers")?,
        }
        if tally.striped > 0 {
            let share = 100.0 * tally.striped as f64 / items as f64;
            write!(
                f,
                ", {share:.0} % of the items in lanes since neighbours hit the same bins"
            )?;
        }
        write!(f, ", {} slots merged", tally.slots)
    }

    fn trials(&self) -> &'static [&'static str] {
        &[
            "private:lanes=1,workers=3,parts=5",
            "private:lanes=8,workers=2,parts=3",
        ]
    }
}

/// The stores of a run in the order in which they are to be merged.
type Stores<K> = Vec<(usize, <K as Kind>::Store)>;

/// Runs the items and merges the tables; on a fault the members are as they were. Where no worker has got memory for its tables nothing has
/// run, and the fault says so.
pub(super) fn run<M: Member>(job: Job<'_, M>) -> Outcome {
    let Copies::Tabled(kernels) = job.copies else {
        return Outcome::Unclear;
    };
    // Lanes are judged by a log, whose entries have 32 bits for the bin.
    let lanes = match job.case.is_countable() {
        true => job.plan.lanes,
        false => Lanes::Never,
    };
    let config = Config {
        range: job.items,
        workers: job.plan.workers,
        parts: job.plan.parts,
        fixed: job.plan.fixed,
        lanes,
        uneven: job.case.uneven,
        pure: job.case.pure,
        alike: job
            .alike
            .map(|(words, _)| words)
            .filter(|_| !job.case.uneven && Plain::<M>::TABLES),
    };
    match fill_and_merge(&config, job.members, kernels) {
        Ok(tally) => Outcome::Done(tally),
        Err(fault) => Outcome::Fault(fault),
    }
}

fn fill_and_merge<M: Member>(
    config: &Config<'_>,
    members: &mut M,
    kernels: &dyn Kernels<M::Kind>,
) -> Result<Tally, Fault> {
    let fault = Fault::new(config.pure);
    let striped = AtomicUsize::new(0);
    let busy = AtomicU64::new(0);
    let stores = fill(config, members, kernels, &fault, &striped, &busy);
    let parts: Vec<_> = stores.iter().map(|(_, store)| store).collect();
    if fault.is_set() {
        return Err(fault);
    }
    if parts.is_empty() {
        fault.exhausted();
        return Err(fault);
    }
    if members.overflows(&parts, config.workers) {
        fault.overflowed();
        return Err(fault);
    }
    let tally = Tally {
        tables: parts.len(),
        striped: striped.into_inner(),
        slots: parts.iter().map(|s| M::Kind::slots_used(s)).sum(),
        busy: Duration::from_nanos(busy.into_inner()),
        ..Tally::default()
    };
    members.publish(&parts, config.workers);
    Ok(tally)
}

fn fill<M: Member>(
    config: &Config<'_>,
    members: &M,
    kernels: &dyn Kernels<M::Kind>,
    fault: &Fault,
    striped: &AtomicUsize,
    busy: &AtomicU64,
) -> Stores<M::Kind> {
    let parts = Parts::new(config.range.clone(), config.parts);
    let worker = || {
        let start = Instant::now();
        let mut stores = Stores::<M::Kind>::new();
        let mut worker = Worker {
            config,
            members,
            kernels,
            fault,
            probe: None,
            segment: SEGMENT,
        };
        // What it has not got memory for is left to others, of which the caller is one.
        let mut spare = None;
        while !fault.is_set() {
            if config.fixed || stores.is_empty() {
                let mut store = members.store();
                if !M::Kind::prepare(&mut store) {
                    if config.fixed {
                        fault.exhausted();
                    }
                    break;
                }
                spare = Some(store);
            }
            let Some((number, part)) = parts.take() else {
                break;
            };
            stores.extend(spare.take().map(|store| (number, store)));
            let Some((_, store)) = stores.last_mut() else {
                break;
            };
            let run = || {
                let wanted = crew::pieces(part).take_while(|_| !fault.stops(number));
                wanted.map(|piece| worker.run(number, piece, store)).sum()
            };
            match catch_unwind(AssertUnwindSafe(run)) {
                Ok(lanes) => striped.fetch_add(lanes, Ordering::Relaxed),
                Err(panic) => {
                    fault.panicked(number, panic);
                    break;
                }
            };
        }
        busy.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        (!stores.is_empty()).then_some(stores)
    };
    let mut stores: Stores<M::Kind> = crew::run(config.workers, fault, worker)
        .into_iter()
        .flatten()
        .collect();
    stores.sort_by_key(|(number, _)| *number);
    stores
}

/// What a probe said.
struct Probe<W> {
    windows: W,
    /// For how many more items it holds.
    left: usize,
}

/// A worker, without its tables.
struct Worker<'r, M: Member> {
    config: &'r Config<'r>,
    members: &'r M,
    kernels: &'r dyn Kernels<M::Kind>,
    fault: &'r Fault,
    /// The last probe, where it holds for the next items.
    probe: Option<Probe<<M::Kind as Kind>::Windows>>,
    /// For how many items the next one is to hold.
    segment: usize,
}

impl<M: Member> Worker<'_, M> {
    /// Runs a part, and says how many of its items had lanes.
    fn run(
        &mut self,
        number: usize,
        part: Range<usize>,
        store: &mut <M::Kind as Kind>::Store,
    ) -> usize {
        if self.config.fixed || self.config.uneven {
            // Lanes change how sums round, so they may not depend on what the worker did before; and how far a probe
            // reaches cannot be told by a number of items that are not alike.
            self.probe = None;
            self.segment = SEGMENT;
        }
        let mut striped = 0;
        let mut start = part.start;
        while start < part.end && !self.fault.stops(number) {
            let reach = match &self.probe {
                Some(probe) => probe.left,
                None if self.config.uneven => part.len(),
                None => self.segment,
            };
            let end = part.end.min(start.saturating_add(reach));
            striped += self.run_segment(start..end, reach, store);
            start = end;
        }
        striped
    }

    /// Runs items for which one probe holds, the last one or a new one that holds for `reach` items, and says how many of
    /// them had lanes.
    fn run_segment(
        &mut self,
        mut items: Range<usize>,
        reach: usize,
        store: &mut <M::Kind as Kind>::Store,
    ) -> usize {
        let Worker {
            config,
            members,
            kernels,
            fault,
            ..
        } = *self;
        let left = reach - items.len();
        let probes = self.probe.is_none();
        let most = if config.uneven { LOGGED } else { usize::MAX };
        let mut pairs = members.pairs(None, most);
        let windows = match self.probe.take() {
            Some(probe) => Some(probe.windows),
            None if config.lanes == Lanes::Never => None,
            // The first one may be as long as all others.
            None if config.uneven && config.lanes == Lanes::Probe && items.len() < LONG => None,
            None => {
                self.log_probed(&mut items, &mut pairs, store);
                let always = config.lanes == Lanes::Always;
                Some(M::Kind::windows(&pairs, store, always))
            }
        };
        if !config.uneven {
            // The rest is whole blocks.
            let odd = items.start + items.len() % BLOCK;
            kernels.log(Drive::new(items.start..odd, members.log(&mut pairs, fault)));
            items.start = odd;
        }
        let wants = |windows: &&_| config.lanes == Lanes::Always || M::Kind::wants_lanes(windows);
        let striping = windows.as_ref().filter(wants);
        if probes {
            self.segment = match striping {
                Some(_) => SEGMENT,
                None => (2 * self.segment).min(SEGMENTS * SEGMENT),
            };
        }
        M::Kind::settle(&mut pairs, store, fault);
        let mut striped = 0;
        self.but_alike(items, &mut pairs, store, |items, store| match striping {
            Some(windows) => {
                striped += items.len();
                kernels.striped(Drive::new(items, M::Kind::striped(store, windows, fault)));
            }
            None => kernels.plain(Drive::new(items, M::Kind::plain(store, fault))),
        });
        self.probe = windows
            .filter(|_| left > 0)
            .map(|windows| Probe { windows, left });
        striped
    }

    /// Runs whole blocks by `run`, but for stretches whose items are all alike: for these the body runs once, and its updates are made as often as there are items.
    fn but_alike(
        &self,
        items: Range<usize>,
        pairs: &mut <M::Kind as Kind>::Pairs,
        store: &mut <M::Kind as Kind>::Store,
        mut run: impl FnMut(Range<usize>, &mut <M::Kind as Kind>::Store),
    ) {
        let mut rest = items.clone();
        if let Some(words) = self.config.alike {
            for start in items.clone().step_by(STRETCH) {
                let stretch = start..items.end.min(start + STRETCH);
                if !words.are_equal(stretch.clone()) {
                    continue;
                }
                if rest.start < start {
                    run(rest.start..start, store);
                }
                let log = self.members.log(pairs, self.fault);
                self.kernels.log(Drive::new(start..start + 1, log));
                let times = stretch.len() as u64;
                M::Kind::repeat(pairs, store, times, None, &[], self.fault);
                rest.start = stretch.end;
            }
        }
        if !rest.is_empty() {
            run(rest, store);
        }
    }

    /// Logs the first of some items, enough of them to judge by.
    fn log_probed(
        &self,
        items: &mut Range<usize>,
        pairs: &mut <M::Kind as Kind>::Pairs,
        store: &mut <M::Kind as Kind>::Store,
    ) {
        let start = items.start;
        let step = if self.config.uneven { 1 } else { PROBED };
        while items.start < items.end.min(start + PROBED) && !self.fault.is_set() {
            let end = items.end.min(items.start + step);
            let log = match self.config.uneven {
                true => M::Kind::probe(pairs, store, self.fault),
                false => self.members.log(pairs, self.fault),
            };
            self.kernels.log(Drive::new(items.start..end, log));
            items.start = end;
            if M::Kind::logged(pairs) >= ENOUGH {
                break;
            }
        }
    }
}

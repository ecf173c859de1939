//! The strategy `private`: every worker fills tables of its own, and the tables are merged.
//!
//! Workers take parts of the iteration space, a few for each worker, until none is left. A worker allocates its tables
//! with its first part and keeps them. It probes its first items, and others every now and then: their updates are
//! logged, the log's indices say whether lanes would help ([`window`](super::window)), and the log goes into the tables;
//! the items that follow run with the kind of table that the probe called for. So data that changes along the
//! way (the black border of a photograph, then the picture) gets the right table for each segment. The items that make
//! no whole block are logged too, so that the tables' loops have whole blocks only.
//!
//! For bits that do not depend on the number of threads the parts are fixed by the number of items and
//! bins alone, each has tables of its own, and the tables are merged in the order of the parts.
//!
//! Symbols: W workers, P parts, H bins, N items. Memory: W H slots (P H when fixed) and a window of lanes each. Time: N / W updates,
//! and W H slots merged by W workers, each a range of bins.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::crew::{self, Parts};
use super::drive::Drive;
use super::kernels::Kernels;
use super::member::{Kind, Member};
use super::source::BLOCK;
use super::table::Fault;

/// How many items are probed in a part.
const PROBED: usize = 512;

/// After how many items the next ones are probed: the indices may have moved on. A probe and a new window cost some
/// 20 us, and this many items a good deal more.
const SEGMENT: usize = 1 << 18;

/// How many updates make a probe of items with inner loops sufficient.
const ENOUGH: usize = 256;

/// How to run.
#[derive(Clone, Debug)]
pub(super) struct Config {
    /// The items.
    pub(super) range: Range<usize>,
    /// W.
    pub(super) workers: usize,
    /// P.
    pub(super) parts: usize,
    /// Whether each part has tables of its own.
    pub(super) fixed: bool,
    /// Whether lanes are used.
    pub(super) lanes: Lanes,
    /// Whether an item may do any number of updates.
    pub(super) uneven: bool,
}

/// When lanes are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// Where a probe says that they help.
    Probe,
    /// Wherever there is a window.
    Always,
    /// Nowhere.
    Never,
}

/// What happened, for `explain`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tables, of all workers.
    pub(crate) tables: usize,
    /// Items whose updates went into lanes.
    pub(crate) striped: usize,
    /// Slots that were merged.
    pub(crate) slots: usize,
}

/// The stores of a run in the order in which they are to be merged.
type Stores<K> = Vec<(usize, <K as Kind>::Store)>;

/// Runs the items and merges the tables; on a fault the members are as they were, and `None` is returned.
pub(super) fn run<M: Member>(
    config: &Config,
    members: &mut M,
    kernels: &dyn Kernels<M::Kind>,
) -> Option<Tally> {
    let fault = Fault::default();
    let striped = AtomicUsize::new(0);
    let stores = fill(config, members, kernels, &fault, &striped);
    let parts: Vec<_> = stores.iter().map(|(_, store)| store).collect();
    if fault.is_set() || members.overflows(&parts) {
        return None;
    }
    let tally = Tally {
        tables: parts.len(),
        striped: striped.into_inner(),
        slots: parts.iter().map(|s| M::Kind::slots_used(s)).sum(),
    };
    members.publish(&parts);
    Some(tally)
}

fn fill<M: Member>(
    config: &Config,
    members: &M,
    kernels: &dyn Kernels<M::Kind>,
    fault: &Fault,
    striped: &AtomicUsize,
) -> Stores<M::Kind> {
    let parts = Parts::new(config.range.clone(), config.parts);
    let worker = || {
        let mut stores = Stores::<M::Kind>::new();
        let mut worker = Worker {
            config,
            members,
            kernels,
            fault,
            probe: None,
        };
        while !fault.is_set() {
            let Some((number, part)) = parts.take() else {
                break;
            };
            if config.fixed || stores.is_empty() {
                stores.push((number, members.store()));
            }
            let Some((_, store)) = stores.last_mut() else {
                break;
            };
            striped.fetch_add(worker.run(part, store), Ordering::Relaxed);
        }
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
    config: &'r Config,
    members: &'r M,
    kernels: &'r dyn Kernels<M::Kind>,
    fault: &'r Fault,
    /// The last probe, where it holds for the next items.
    probe: Option<Probe<<M::Kind as Kind>::Windows>>,
}

impl<M: Member> Worker<'_, M> {
    /// Runs a part, and says how many of its items had lanes.
    fn run(&mut self, part: Range<usize>, store: &mut <M::Kind as Kind>::Store) -> usize {
        if self.config.fixed || self.config.uneven {
            // Lanes change how sums round, so they may not depend on what the worker did before; and how far a probe
            // reaches cannot be told by a number of items that are not alike.
            self.probe = None;
        }
        let mut striped = 0;
        let mut start = part.start;
        while start < part.end && !self.fault.is_set() {
            let reach = match &self.probe {
                Some(probe) => probe.left,
                None if self.config.uneven => part.len(),
                None => SEGMENT,
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
        let mut pairs = members.pairs(None);
        let windows = match self.probe.take() {
            Some(probe) => Some(probe.windows),
            None if config.lanes == Lanes::Never => None,
            None => {
                self.log_probed(&mut items, &mut pairs);
                let always = config.lanes == Lanes::Always;
                Some(M::Kind::windows(&pairs, store, always))
            }
        };
        // The rest is whole blocks.
        let odd = items.start + items.len() % BLOCK;
        kernels.log(Drive::new(items.start..odd, members.log(&mut pairs, fault)));
        items.start = odd;
        let wants = |windows: &&_| config.lanes == Lanes::Always || M::Kind::wants_lanes(windows);
        let mut striped = 0;
        match windows.as_ref().filter(wants) {
            Some(windows) => {
                striped = items.len();
                kernels.striped(Drive::new(items, M::Kind::striped(store, windows, fault)));
            }
            None if items.is_empty() => {}
            None => kernels.plain(Drive::new(items, M::Kind::plain(store, fault))),
        }
        M::Kind::settle(&mut pairs, store, fault);
        self.probe = windows
            .filter(|_| left > 0)
            .map(|windows| Probe { windows, left });
        striped
    }

    /// Logs the first of some items, enough of them to judge by.
    fn log_probed(&self, items: &mut Range<usize>, pairs: &mut <M::Kind as Kind>::Pairs) {
        let start = items.start;
        let step = if self.config.uneven { 1 } else { PROBED };
        while items.start < items.end.min(start + PROBED) && !self.fault.is_set() {
            let end = items.end.min(items.start + step);
            let log = self.members.log(pairs, self.fault);
            self.kernels.log(Drive::new(items.start..end, log));
            items.start = end;
            if M::Kind::logged(pairs) >= ENOUGH {
                break;
            }
        }
    }
}

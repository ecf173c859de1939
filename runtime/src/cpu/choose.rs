//! Which strategy runs a call, by what is known when the loop starts.
//!
//! Each strategy has a cost in nanoseconds, and the cheapest runs. With N items, b bytes of bins, W workers and u the time
//! of an update of b bytes of bins:
//!
//! | strategy | cost |
//! | --- | --- |
//! | `sequential` | N u, and what undoing it would cost to prepare |
//! | `private` | `LAUNCH` + N u / W + b `TABLE` |
//! | `partitioned` | `LAUNCH` + N (`LOG` + u') / W, u' for a range of the bins |
//! | `injective` | `LAUNCH` + (N `OWNED` + a copy of b) / W, instead of the two before |
//!
//! The constants were measured on 2 cores of a Xeon with AVX-512 (2 MiB of second-level cache each, a virtual machine), 2026-11-20, by
//! `cargo run --release -p accrue-bench -- run --device cpu`; they need to be right within a factor of two, since
//! strategies of similar cost are similar.

use std::fmt;

use super::journal::ENTRY;
use super::kept;
use super::member::Facts;
use super::request::{Request, Undo};

/// Waking the workers and waiting for them: 30 us where they have just worked, 100 us where they sleep, up to 450 us where
/// they sleep on a virtual machine that is idle otherwise, so that its processors sleep too. A call must not be slower than the
/// user's own loop; this is where those of a millisecond gain nothing on two such processors and lose nothing.
const LAUNCH: f64 = 250_000.0;

/// What a parallel strategy may cost in terms of the sequential loop: less is no gain to be sure of.
const GAIN: f64 = 0.8;

/// The least time of each worker for which it is worth waking it.
const WORTH: f64 = 20_000.0;

/// Below so much estimated time the first items are timed before workers are woken: updates that do not meet overlap, so
/// that a loop may take a third of the estimate, and workers would then cost more than they bring.
const UNSURE: f64 = 2_000_000.0;

/// How long the first items that are timed take, by the estimate: most loops are faster, and the next ones are
/// timed too, in warm caches.
const FIRST: f64 = 5_000.0;

/// Allocating, clearing and merging a byte of a private table, by a worker of its own.
const TABLE: f64 = 0.2;

/// Writing an update down and reading it again.
const LOG: f64 = 2.0;

/// A copy of a byte of bins that are in a cache, which other things have to leave for it, and of others. (28 us for 512 KiB beside a
/// loop over them, 2 cores of an EPYC, 2026-11-22, `accrue-bench calls`.)
fn copy(bytes: usize) -> f64 {
    let each = if bytes <= 1 << 20 { 0.05 } else { 0.15 };
    bytes as f64 * each
}

/// An update of a worker's own bins, in order.
const OWNED: f64 = 0.8;

/// An update in order by the user's own loop, which may well be vectorised.
const IN_ORDER: f64 = 0.4;

/// Writing down what a bin held, in memory that the thread has. (On a Cascade Lake, 2026-11-22, by `accrue-bench calls`: 1 ns where updates hit
/// the first-level cache and do not branch, nothing to be seen where they miss it or branches are mispredicted.)
const JOURNAL: f64 = 0.3;

/// The same as a log that grows.
const LOGGED_JOURNAL: f64 = 4.0;

/// How often an inner loop runs, where nothing is known of it.
pub(super) const INNER: usize = 8;

/// Checking an index and nothing more, one after the other: the values of updates are not computed.
const REHEARSE: f64 = 0.8;

/// An update of one bin in so many bytes of bins: the latency that is left when several are under way.
fn update(bytes: usize) -> f64 {
    const CACHES: [(usize, f64); 2] = [(256 << 10, 0.8), (2 << 20, 1.2)];
    CACHES
        .iter()
        .find(|(size, _)| bytes <= *size)
        .map_or(2.6, |(_, time)| *time)
}

/// Whether a panic ends the process, so that nobody sees what it leaves. It would also end where a journal is left by unwinding.
const PANICS_END: bool = cfg!(panic = "abort");

/// What is known of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Case {
    /// N.
    pub(super) items: usize,
    /// The time of an item's body in nanoseconds, where it can be told.
    pub(super) work: Option<f64>,
    /// Whether `work` is the time of the call's own first items, their updates included.
    pub(super) timed: bool,
    /// How often an item may update, in the body's text.
    pub(super) sites: usize,
    /// The time of checking an item's indices by wide instructions, in nanoseconds, where there is a copy of the body that does it.
    pub(super) rehearsal: Option<f64>,
    /// Whether there is a copy of the body that writes a short journal, and it may run again.
    pub(super) journal: bool,
    /// What is known of the bins.
    pub(super) facts: Facts,
    /// How many threads there are, where that is known: asking starts them.
    pub(super) threads: Option<usize>,
    /// Whether running an item again cannot be noticed.
    pub(super) pure: bool,
    /// Whether bits may not depend on the number of threads.
    pub(super) fixed: bool,
    /// Whether no two items update the same bin.
    pub(super) injective: bool,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Choice {
    /// The user's own loop.
    Sequential(Undo),
    /// Private tables, with W workers and P parts.
    Private(usize, usize),
    /// Private tables of P parts that do not depend on W.
    Fixed(usize, usize),
    /// Updates logged by W workers, for ranges of `1 << shift` bins.
    Partitioned(usize, u32),
    /// The first items show how long they take; so many are timed first.
    Measure(Undo, usize),
}

/// Why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reason {
    /// The strategy was asked for.
    Asked,
    /// The device `seq` was asked for.
    SequentialDevice,
    /// Only the sequential order tells which sums overflow.
    Ordered,
    /// There is not enough to do: the sequential loop takes so many microseconds.
    Small(f64),
    /// The costs in microseconds: sequential, private, partitioned.
    Cheapest(f64, f64, f64),
    /// The costs in microseconds: sequential, with split bins.
    Injective(f64, f64),
    /// A fixed number of parts.
    Deterministic,
    /// The time of an item is not known.
    Unmeasured,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Asked => f.write_str("it was asked for"),
            Reason::SequentialDevice => f.write_str("the device is `seq`"),
            Reason::Ordered => f.write_str(
                "overflow is checked, and for signed sums and for products only the sequential order tells where it happens",
            ),
            Reason::Small(us) => {
                write!(f, "the whole loop takes about {us:.1} us, and waking workers {:.0} us", LAUNCH / 1000.0)
            }
            Reason::Cheapest(sequential, private, partitioned) => write!(
                f,
                "expected: sequential {sequential:.0} us, private {private:.0} us, partitioned {partitioned:.0} us"
            ),
            Reason::Injective(sequential, split) => write!(
                f,
                "expected: sequential {sequential:.0} us, with split bins {split:.0} us"
            ),
            Reason::Deterministic => {
                f.write_str("deterministic: the parts depend on the items and the bins alone")
            }
            Reason::Unmeasured => f.write_str("the first items are timed"),
        }
    }
}

/// How many parts a worker takes on average, so that none waits long for the last one.
const PARTS: usize = 8;

/// How many parts a deterministic loop has at most.
const FIXED_PARTS: usize = 64;

impl Case {
    /// The time of an item whose bins are `bytes` in all.
    fn item(&self, bytes: usize) -> f64 {
        let updates = self.sites.max(1) as f64 * update(bytes);
        self.work.unwrap_or(0.0).max(updates)
    }

    /// How the sequential loop is undone, the cheapest way.
    pub(super) fn undo(&self) -> Undo {
        self.undo_with_cost().0
    }

    /// The same with what it costs.
    fn undo_with_cost(&self) -> (Undo, f64) {
        if PANICS_END || (self.facts.invertible && self.pure) {
            return (Undo::Count, 0.0);
        }
        let items = self.items as f64;
        // An inner loop does the updates in its text again and again.
        let rounds = if self.work.is_none() { INNER } else { 1 };
        let sites = (self.sites.max(1) * rounds) as f64;
        let snapshot = (Undo::Snapshot, copy(self.facts.bytes));
        let mut best = snapshot;
        let mut or = |undo, cost| {
            if cost < best.1 {
                best = (undo, cost);
            }
        };
        let countable = self.facts.longest <= u32::MAX as usize;
        if self.can_rehearse() {
            let work = self.work.unwrap_or(f64::INFINITY);
            let each = self.rehearsal.filter(|_| countable);
            let each = each.unwrap_or(work.max(sites * REHEARSE));
            or(Undo::Rehearsal, items * each);
        }
        if countable {
            let updates = items * sites;
            let short = self.journal && updates * ENTRY as f64 <= kept::MOST as f64;
            let each = if short { JOURNAL } else { LOGGED_JOURNAL };
            or(Undo::Journal, updates * each);
        }
        best
    }

    /// Whether a body that runs without a panic once does so again.
    fn can_rehearse(&self) -> bool {
        self.pure && !self.facts.overflows
    }

    /// The shift that splits the bins into some ranges for each worker, and their size in bytes.
    fn ranges(&self, workers: usize) -> (u32, usize) {
        let ranges = (workers * 4).next_power_of_two();
        let shift = self
            .facts
            .longest
            .div_ceil(ranges)
            .next_power_of_two()
            .ilog2();
        (shift, self.facts.bytes / ranges)
    }

    /// The number of parts that does not depend on the threads.
    fn fixed_parts(&self) -> usize {
        let most = match self.work {
            // Merging the parts' tables then takes a small part of the time of the updates.
            Some(_) => self.items / (4 * self.facts.bins).max(4096),
            None => self.items.min((64 << 20) / self.facts.bytes.max(1)),
        };
        most.clamp(1, FIXED_PARTS)
    }

    /// The time of all items by the sequential loop, in nanoseconds.
    fn updating(&self) -> f64 {
        let items = self.items as f64;
        if self.injective {
            let updates = self.sites.max(1) as f64 * IN_ORDER;
            items * self.work.unwrap_or(0.0).max(updates)
        } else if let (Some(work), true) = (self.work, self.timed) {
            items * work
        } else {
            items * self.item(self.facts.bytes)
        }
    }

    /// How many threads there are.
    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(rayon::current_num_threads)
    }

    /// The choice, and why.
    pub(super) fn choose(&self) -> (Choice, Reason) {
        let (undo, undoing) = self.undo_with_cost();
        if self.facts.ordered {
            // Only the user's loop panics where the user's loop does.
            let undo = match undo {
                Undo::Count => Undo::Count,
                Undo::Rehearsal | Undo::Snapshot | Undo::Journal => Undo::Snapshot,
            };
            return (Choice::Sequential(undo), Reason::Ordered);
        }
        if self.fixed {
            return match self.fixed_parts() {
                1 => (Choice::Sequential(undo), Reason::Deterministic),
                parts => (
                    Choice::Fixed(self.threads().min(parts), parts),
                    Reason::Deterministic,
                ),
            };
        }
        let timed = undo != Undo::Journal || self.journal;
        if self.work.is_none() && self.items > 1 && timed {
            return (Choice::Measure(undo, 1), Reason::Unmeasured);
        }
        let updating = self.updating();
        let sequential = updating + undoing;
        if sequential < 2.0 * WORTH {
            // Not enough for two, so nobody asks how many there are.
            return (Choice::Sequential(undo), Reason::Small(sequential / 1e3));
        }
        let most = (sequential / WORTH) as usize;
        let workers = self.threads().min(most).min(self.items).max(1);
        let launch = if workers > 1 { LAUNCH } else { 0.0 };
        if self.injective {
            let updates = self.sites.max(1) as f64 * OWNED;
            let work = self.items as f64 * self.work.unwrap_or(0.0).max(updates);
            let split = launch + (work + copy(self.facts.bytes)) / workers as f64;
            let reason = Reason::Injective(sequential / 1e3, split / 1e3);
            return match workers > 1 && split < sequential * GAIN {
                true => (Choice::Private(workers, workers * PARTS), reason),
                false => (Choice::Sequential(undo), reason),
            };
        }
        let private = launch + updating / workers as f64 + self.facts.bytes as f64 * TABLE;
        let (shift, range) = self.ranges(workers);
        let partitioned = if workers > 1 && self.facts.longest <= u32::MAX as usize {
            let log = self.sites.max(1) as f64 * LOG;
            launch + self.items as f64 * (log + self.item(range)) / workers as f64
        } else {
            f64::INFINITY
        };
        let reason = Reason::Cheapest(sequential / 1e3, private / 1e3, partitioned / 1e3);
        // One worker gains from lanes and prefetches alone, which the model does not know: it may cost a little.
        let bound = if workers == 1 {
            sequential * 1.05
        } else {
            sequential * GAIN
        };
        let choice = if private <= partitioned && private <= bound {
            Choice::Private(workers, workers * PARTS)
        } else if partitioned < sequential * GAIN {
            Choice::Partitioned(workers, shift)
        } else {
            Choice::Sequential(undo)
        };
        let timing = timed && undo != Undo::Rehearsal && !self.timed;
        if timing && workers > 1 && sequential < UNSURE && choice != Choice::Sequential(undo) {
            let first = (self.items as f64 * FIRST / sequential) as usize;
            return (Choice::Measure(undo, first.max(1)), Reason::Unmeasured);
        }
        (choice, reason)
    }

    /// The choice that was asked for.
    pub(super) fn obey(&self, request: &Request) -> Choice {
        let workers = |asked: Option<usize>| asked.unwrap_or_else(|| self.threads()).max(1);
        match *request {
            Request::Sequential(undo) => Choice::Sequential(match undo {
                _ if PANICS_END => Undo::Count,
                // What cannot be taken back is copied.
                Some(Undo::Count) if !(self.facts.invertible && self.pure) => Undo::Snapshot,
                Some(Undo::Rehearsal) if !self.can_rehearse() => Undo::Snapshot,
                Some(undo) => undo,
                None => self.undo(),
            }),
            Request::Private {
                workers: asked,
                parts,
                ..
            } if self.fixed => {
                Choice::Fixed(workers(asked), parts.unwrap_or_else(|| self.fixed_parts()))
            }
            Request::Private {
                workers: asked,
                parts,
                ..
            } => {
                let workers = workers(asked);
                Choice::Private(workers, parts.unwrap_or(workers * PARTS))
            }
            Request::Partitioned {
                workers: asked,
                ranges,
            } => {
                let workers = workers(asked);
                let ranges = ranges.unwrap_or(workers * 4);
                let each = self.facts.longest.div_ceil(ranges).max(1);
                Choice::Partitioned(workers, each.next_power_of_two().ilog2())
            }
            Request::Injective { workers: asked } => {
                let workers = workers(asked);
                Choice::Private(workers, workers * PARTS)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counting: `hist[k as usize] += 1` in u32.
    fn counting(items: usize, bins: usize, threads: usize) -> Case {
        Case {
            items,
            work: Some(0.5),
            sites: 1,
            rehearsal: None,
            journal: false,
            facts: Facts {
                bins,
                bytes: bins * 4,
                longest: bins,
                ..Facts::NONE
            },
            timed: false,
            threads: Some(threads),
            pure: true,
            fixed: false,
            injective: false,
        }
    }

    #[test]
    fn little_work_is_left_to_the_users_loop() {
        for items in [1, 100, 10_000] {
            let (choice, reason) = counting(items, 256, 64).choose();
            assert_eq!(choice, Choice::Sequential(Undo::Count));
            assert!(reason.to_string().starts_with("the whole loop takes about"));
        }
    }

    #[test]
    fn much_work_goes_to_every_worker() {
        for threads in [2, 8, 64] {
            let (choice, _) = counting(100_000_000, 4096, threads).choose();
            assert_eq!(choice, Choice::Private(threads, threads * PARTS));
        }
        // Not more workers than there is work for.
        let mut case = counting(600_000, 256, 64);
        (case.work, case.timed) = (Some(0.8), true);
        let (choice, _) = case.choose();
        assert!(matches!(choice, Choice::Private(workers, _) if (2..32).contains(&workers)));
    }

    #[test]
    fn work_that_may_be_too_little_is_timed_first() {
        // A photograph: three updates of one pixel, which overlap.
        let mut case = counting(524_288, 768, 2);
        case.sites = 3;
        let (choice, reason) = case.choose();
        assert_eq!(reason, Reason::Unmeasured);
        assert!(matches!(choice, Choice::Measure(Undo::Count, 1000..4000)));
        (case.work, case.timed) = (Some(0.9), true);
        assert!(matches!(case.choose().0, Choice::Sequential(_)));
        case.work = Some(2.4);
        assert!(matches!(case.choose().0, Choice::Private(2, _)));
    }

    #[test]
    fn many_bins_and_few_items_are_not_worth_a_table_each() {
        let (choice, reason) = counting(1_000_000, 50_000_000, 16).choose();
        assert!(
            matches!(choice, Choice::Partitioned(16, _)),
            "{choice:?}: {reason}"
        );
        let (choice, _) = counting(1_000_000, 50_000_000, 1).choose();
        assert_eq!(choice, Choice::Sequential(Undo::Count));
    }

    #[test]
    fn one_thread_fills_a_table_where_it_costs_little() {
        let (choice, _) = counting(100_000_000, 4096, 1).choose();
        assert_eq!(choice, Choice::Private(1, PARTS));
    }

    #[test]
    fn checked_overflow_that_depends_on_the_order_is_sequential() {
        let mut case = counting(100_000_000, 256, 8);
        case.facts.ordered = true;
        assert_eq!(
            case.choose(),
            (Choice::Sequential(Undo::Count), Reason::Ordered)
        );
    }

    #[test]
    fn the_cheapest_way_back_is_prepared() {
        let mut case = counting(1000, 1_000_000, 2);
        assert_eq!(case.undo(), Undo::Count);
        case.pure = false;
        assert_eq!(case.undo(), Undo::Journal);
        case.facts.bytes = 4096;
        assert_eq!(case.undo(), Undo::Snapshot);
        // A quick journal, for as long as it may be.
        (case.pure, case.journal, case.facts.invertible) = (true, true, false);
        case.items = 500;
        assert_eq!(case.undo(), Undo::Journal);
        (case.items, case.facts.bytes) = (300_000, 4_000_000);
        assert_eq!(case.undo(), Undo::Rehearsal);
        let mut case = counting(100_000_000, 1_000_000, 1);
        case.facts.invertible = false;
        assert_eq!(case.undo(), Undo::Snapshot);
        case.items = 1000;
        assert_eq!(case.undo(), Undo::Rehearsal);
        case.facts.overflows = true;
        assert_eq!(case.undo(), Undo::Journal);
    }

    #[test]
    fn fixed_parts_do_not_depend_on_the_threads() {
        let parts = |items, threads| {
            let mut case = counting(items, 4096, threads);
            case.fixed = true;
            match case.choose().0 {
                Choice::Fixed(workers, parts) => {
                    assert!(workers <= threads);
                    parts
                }
                Choice::Sequential(_) => 1,
                other => panic!("{other:?}"),
            }
        };
        for items in [10, 100_000, 10_000_000] {
            assert!((1..=64).all(|threads| parts(items, threads) == parts(items, 1)));
        }
        assert_eq!(parts(10_000_000, 1), FIXED_PARTS);
    }

    #[test]
    fn light_injective_loops_are_left_alone_and_heavy_ones_split() {
        let mut case = counting(100_000, 100_000, 2);
        case.injective = true;
        assert_eq!(case.choose().0, Choice::Sequential(Undo::Count));
        case.work = Some(50.0);
        assert!(matches!(case.choose().0, Choice::Private(2, _)));
    }

    #[test]
    fn unknown_work_is_timed() {
        let mut case = counting(1000, 256, 2);
        case.work = None;
        assert_eq!(
            case.choose(),
            (Choice::Measure(Undo::Count, 1), Reason::Unmeasured)
        );
        // One item alone cannot be split.
        case.items = 1;
        assert!(matches!(case.choose().0, Choice::Sequential(_)));
    }

    #[test]
    fn ranges_cover_the_bins() {
        for (bins, workers) in [(1, 2), (1000, 3), (1_092_546, 2), (70_000_000, 64)] {
            let (shift, _) = counting(1, bins, workers).ranges(workers);
            assert!((bins - 1) >> shift <= (workers * 4).next_power_of_two());
        }
    }
}

//! An offloaded loop in the user's program: what the compiler said of it, and what its last run did.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::choose::{Choice, Reason};
use super::history::History;
use super::member::Facts;
use super::strategy::template::{Tally, Undo};

/// A loop. The macro puts one into the user's binary as a `static`.
#[derive(Debug)]
pub struct Site {
    /// The function it stands in.
    function: &'static str,
    /// What the compiler says of the loop, a few lines.
    plan: &'static str,
    pub(super) work: Option<f64>,
    pub(super) sites: usize,
    pub(super) pure: bool,
    pub(super) rehearsal: Option<f64>,
    pub(super) straight: bool,
    ahead: bool,
    /// Whether it has turned out that conditions guard indices that are out of range.
    guarding: AtomicBool,
    pub(super) journal: bool,
    pub(super) uneven: bool,
    /// How often an item has updated where that was counted, rounded up; 0 where it was not.
    updates: AtomicUsize,
    pub(super) history: History,
    pub(super) deterministic: bool,
    pub(super) strategy: &'static str,
    /// Of items of several bytes, for each member the byte that each of its updates depends on.
    pub(super) columns: &'static [&'static [u8]],
    /// Whether it has turned out that the values of items are not always bytes.
    wide: AtomicBool,
    /// The nanoseconds that an item took when that was measured last, as the bits of an `f32`, above the number of calls that may rest on it.
    pace: AtomicU64,
    last: Mutex<Option<Report>>,
    shown: AtomicBool,
    /// The kind of the decision that was said last.
    said: AtomicU8,
}

/// The nanoseconds of a call that is not measured: a third of what is worth waking workers for.
const QUICK: f32 = 20_000.0;

/// Calls that rest on the first one that was measured. To ask the clock takes longer than the loop of a small step.
const UNMEASURED: u16 = 31;

/// Calls that rest on one that was measured at most: each that comes out as the one before doubles them.
const MOST_UNMEASURED: u16 = 1023;

/// Calls that rest on the third of three that came out alike: from there on whole nests do.
const SETTLED: u16 = 4 * UNMEASURED + 3;

/// What is known of calls that are soon done, as the bits of one atomic.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    /// How long an item took, in nanoseconds.
    each: f32,
    /// How many calls rest on this.
    calls: u16,
    /// How many of these are still to come.
    left: u16,
}

impl Pace {
    fn from_bits(bits: u64) -> Pace {
        Pace {
            each: f32::from_bits((bits >> 32) as u32),
            calls: (bits >> 16) as u16,
            left: bits as u16,
        }
    }

    fn to_bits(self) -> u64 {
        u64::from(self.each.to_bits()) << 32 | u64::from(self.calls) << 16 | u64::from(self.left)
    }

    /// After another measurement.
    fn measured(self, each: f32) -> Pace {
        let alike = each < self.each * 2.0 && self.each < each * 2.0;
        let calls = match alike {
            true => (self.calls * 2 + 1).min(MOST_UNMEASURED),
            false => UNMEASURED,
        };
        Pace {
            each,
            calls,
            left: calls,
        }
    }
}

impl Site {
    /// A loop of a function, with what the compiler says of it.
    pub const fn new(function: &'static str, plan: &'static str) -> Site {
        Site {
            function,
            plan,
            work: None,
            sites: 1,
            pure: false,
            rehearsal: None,
            straight: false,
            ahead: false,
            guarding: AtomicBool::new(false),
            journal: false,
            uneven: false,
            updates: AtomicUsize::new(0),
            history: History::new(),
            deterministic: false,
            strategy: "",
            columns: &[],
            wide: AtomicBool::new(false),
            pace: AtomicU64::new(0),
            last: Mutex::new(None),
            shown: AtomicBool::new(false),
            said: AtomicU8::new(0),
        }
    }

    /// An iteration takes about so many nanoseconds apart from its updates; not said for loops whose iterations
    /// have inner loops or call other functions.
    pub const fn work(mut self, nanoseconds: f64) -> Site {
        self.work = Some(nanoseconds);
        self
    }

    /// The body has so many updates.
    pub const fn sites(mut self, sites: usize) -> Site {
        self.sites = sites;
        self
    }

    /// Running an iteration twice cannot be noticed.
    pub const fn pure(mut self) -> Site {
        self.pure = true;
        self
    }

    /// There is a copy of the body that checks indices, and it takes about so many nanoseconds for an iteration.
    pub const fn rehearsal(mut self, nanoseconds: f64) -> Site {
        self.rehearsal = Some(nanoseconds);
        self
    }

    /// The first and the last iteration tell whether any index is out of range.
    pub const fn straight(mut self) -> Site {
        self.straight = true;
        self
    }

    /// The copy of the body that checks indices has a form without conditions.
    pub const fn ahead(mut self) -> Site {
        self.ahead = true;
        self
    }

    /// Whether indices are checked ahead of conditions.
    pub(super) fn is_ahead(&self) -> bool {
        self.ahead && !self.guarding.load(Ordering::Relaxed)
    }

    /// Has them checked with their conditions from now on.
    pub(super) fn guards(&self) {
        self.guarding.store(true, Ordering::Relaxed);
    }

    /// There is a copy of the body that updates the bins themselves and writes down what they held.
    pub const fn journal(mut self) -> Site {
        self.journal = true;
        self
    }

    /// An iteration has inner loops, or calls who knows what, and the copies of the body run by `drive_uneven`.
    pub const fn uneven(mut self) -> Site {
        self.uneven = true;
        self
    }

    /// How often an item updates, where that has been counted.
    pub(super) fn updates(&self) -> Option<usize> {
        Some(self.updates.load(Ordering::Relaxed)).filter(|updates| *updates > 0)
    }

    /// So many items have done so many updates, or more.
    pub(super) fn count(&self, items: usize, updates: usize) {
        let each = updates.div_ceil(items.max(1)).max(1);
        self.updates.store(each, Ordering::Relaxed);
    }

    /// The attribute says `deterministic`.
    pub const fn deterministic(mut self) -> Site {
        self.deterministic = true;
        self
    }

    /// The attribute says `strategy = ".."`.
    pub const fn strategy(mut self, strategy: &'static str) -> Site {
        self.strategy = strategy;
        self
    }

    /// Items have several bytes, and each update depends on one of them: on which, for each member in the order of its updates.
    pub const fn columns(mut self, columns: &'static [&'static [u8]]) -> Site {
        self.columns = columns;
        self
    }

    /// Whether the values of items were more than a byte once.
    pub(super) fn is_wide(&self) -> bool {
        self.wide.load(Ordering::Relaxed)
    }

    /// They were.
    pub(super) fn widen(&self) {
        self.wide.store(true, Ordering::Relaxed);
    }

    /// Whether the last calls were so short that this one need not be measured, nor be known to keep iterations apart, if it is.
    #[inline]
    pub fn is_quick(&self) -> bool {
        Pace::from_bits(self.pace.load(Ordering::Relaxed)).left > 0 && !super::request::is_scoped()
    }

    /// Whether so many items are soon done, as far as was measured.
    #[inline]
    pub fn is_soon_done(&self, items: usize) -> bool {
        // What two threads lose to each other here is a count of calls.
        let pace = Pace::from_bits(self.pace.load(Ordering::Relaxed));
        let soon = pace.left > 0 && pace.each * items as f32 <= QUICK;
        let left = if soon { pace.left - 1 } else { 0 };
        let pace = Pace { left, ..pace };
        self.pace.store(pace.to_bits(), Ordering::Relaxed);
        soon
    }

    /// Whether calls of at most so many items have been soon done for so long that all those of a nest need not be looked at one by one.
    #[inline]
    pub fn is_settled(&self, items: i128) -> bool {
        let pace = Pace::from_bits(self.pace.load(Ordering::Relaxed));
        let settled = pace.left > 0
            && pace.calls >= SETTLED
            && pace.each * items as f32 <= QUICK
            && !super::request::is_scoped();
        if settled {
            let left = pace.left - 1;
            let pace = Pace { left, ..pace };
            self.pace.store(pace.to_bits(), Ordering::Relaxed);
        }
        settled
    }

    /// The nanoseconds that an item took when that was measured last; 0 if it has not been.
    pub(super) fn pace(&self) -> f64 {
        f64::from(Pace::from_bits(self.pace.load(Ordering::Relaxed)).each)
    }

    /// Notes how long an item of a call took that was soon done.
    pub(super) fn is_paced(&self, each: f64) {
        let pace = Pace::from_bits(self.pace.load(Ordering::Relaxed)).measured(each as f32);
        self.pace.store(pace.to_bits(), Ordering::Relaxed);
    }

    /// Notes how long an item takes of calls that are soon done by the estimate, without a clock.
    pub(super) fn is_small(&self, each: f64) {
        let (each, calls) = (each as f32, MOST_UNMEASURED);
        let pace = Pace {
            each,
            calls,
            left: calls,
        };
        self.pace.store(pace.to_bits(), Ordering::Relaxed);
    }

    /// What the compiler says of the loop and what its last run on the CPU did.
    pub fn explain(&self) -> String {
        let mut text = self.plan.trim_end().to_owned();
        if let Some(report) = &*self.last.lock().unwrap_or_else(PoisonError::into_inner) {
            text.push_str(&format!("\n{report}"));
        }
        text
    }

    /// The loop runs as the user wrote it, since its updates cannot be redirected; says so once where `ACCRUE_EXPLAIN` asks for it.
    #[inline]
    pub fn stays_in_order(&self) {
        if explaining() && !self.shown.swap(true, Ordering::Relaxed) {
            eprintln!("{}: {}", self.function, self.plan.trim_end());
        }
    }

    /// The loop runs as the user wrote it, since an array of it does not lie row by row.
    pub fn lies_otherwise(&self) {
        self.record(Report {
            items: 0,
            facts: Facts::NONE,
            did: Did::AsWritten,
            reason: Reason::Lying,
            pure: true,
        });
    }

    /// The loop runs as it is written, since rows of its bins are no array.
    pub fn has_rows_apart(&self) {
        self.record(Report {
            items: 0,
            facts: Facts::NONE,
            did: Did::AsWritten,
            reason: Reason::Apart,
            pure: true,
        });
    }

    /// The loop runs as it is written, since the fields of its bins are too many to be copied.
    pub fn has_too_many_fields(&self) {
        self.record(Report {
            items: 0,
            facts: Facts::NONE,
            did: Did::AsWritten,
            reason: Reason::Fields,
            pure: true,
        });
    }

    /// Keeps what a run did, and says it where `ACCRUE_EXPLAIN` asks for it: the plan once, and each
    /// decision that differs from the one before.
    pub(super) fn record(&self, report: Report) {
        log::debug!(target: "accrue", "{}: {report}", self.function);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(report);
        drop(last);
        // What is tried now and then is no decision.
        if explaining()
            && report.reason != Reason::Trying
            && self.said.swap(report.did.kind(), Ordering::Relaxed) != report.did.kind()
        {
            if !self.shown.swap(true, Ordering::Relaxed) {
                eprintln!("{}", self.plan.trim_end());
            }
            eprintln!("{}: {report}", self.function);
        }
    }
}

/// Whether `ACCRUE_EXPLAIN` is set to something other than 0.
fn explaining() -> bool {
    static SETTING: OnceLock<bool> = OnceLock::new();
    *SETTING.get_or_init(|| {
        std::env::var_os("ACCRUE_EXPLAIN").is_some_and(|v| !v.is_empty() && v != "0")
    })
}

/// A run of a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    pub(super) items: usize,
    pub(super) facts: Facts,
    pub(super) did: Did,
    pub(super) reason: Reason,
    /// Whether iterations may run again.
    pub(super) pure: bool,
}

/// What a run did.
#[derive(Clone, Copy, Debug)]
pub(super) enum Did {
    /// A strategy ran: the user's own loop, or its journaled copy, or another one.
    Ran(Choice, Tally),
    /// The user's own loop, after a fault in another strategy.
    Again,
    /// The user's own loop in order, of iterations that write elements of their own.
    InOrder,
    /// The user's own loop over something else than slices.
    AsWritten,
    /// The user's own loop over so many parts, by so many workers.
    Split(usize, usize),
}

impl Did {
    /// The user's own loop.
    pub(super) fn sequential(undo: Undo) -> Did {
        Did::Ran(Choice::sequential(undo), Tally::default())
    }

    /// What makes two runs different decisions.
    fn kind(&self) -> u8 {
        match self {
            Did::Again => 1,
            Did::Ran(choice, tally) => 4 + 2 * choice.strategy as u8 + u8::from(tally.striped > 0),
            Did::InOrder => 2,
            Did::Split(..) => 3,
            Did::AsWritten => u8::MAX,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.did {
            Did::Ran(choice, tally) => {
                let template = choice.strategy.template();
                template.describe(f, &choice.plan, tally, self.items)?;
            }
            Did::AsWritten => return write!(f, "sequential, as it is written; {}", self.reason),
            Did::InOrder => return write!(f, "sequential ({} items); {}", self.items, self.reason),
            Did::Split(parts, workers) => {
                return write!(
                    f,
                    "split into {parts} parts for {workers} workers ({} items); {}; each iteration runs once",
                    self.items, self.reason
                );
            }
            Did::Again => f.write_str("sequential again, for the panic of the loop's own")?,
        }
        write!(
            f,
            " ({} items, {} bins of {} bytes in all); {}",
            self.items, self.facts.bins, self.facts.bytes, self.reason
        )?;
        match (&self.did, self.pure) {
            (Did::Again | Did::InOrder | Did::AsWritten | Did::Split(..), _) => Ok(()),
            (Did::Ran(choice, _), _) if choice.is_sequential() => Ok(()),
            (_, true) => f.write_str("; after a panic all iterations run again, in order"),
            (_, false) => f.write_str("; each iteration runs once"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_take_as_long_as_before_are_measured_less_often() {
        let site = Site::new("f", "");
        let mut measured = Vec::new();
        for call in 0..5000 {
            if !(site.is_quick() && site.is_soon_done(10)) {
                measured.push(call);
                site.is_paced(3.0);
            }
        }
        assert_eq!(measured, [0, 32, 96, 224, 480, 992, 2016, 3040, 4064]);
        assert!(site.is_settled(10) && !site.is_settled(1_000_000) && site.is_quick());
        // More items than are soon done, and then others than before: from the beginning.
        assert!(!site.is_soon_done(1_000_000) && !site.is_quick());
        site.is_paced(3000.0);
        let calls = (0..100).take_while(|_| site.is_soon_done(1)).count();
        assert_eq!(calls, usize::from(UNMEASURED));
    }

    #[test]
    fn a_nest_rests_on_three_calls_that_took_as_long() {
        let site = Site::new("f", "");
        for measured in 0..3 {
            assert!(!site.is_settled(10), "{measured}");
            site.is_paced(3.0);
        }
        assert!(site.is_settled(10));
        site.is_paced(30.0);
        assert!(!site.is_settled(10));
    }
}

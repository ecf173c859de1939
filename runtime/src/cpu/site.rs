//! An offloaded loop in the user's program: what the compiler said of it, and what its last run did.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::choose::{Choice, Reason};
use super::member::Facts;
use super::private::Tally;
use super::request::Undo;

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
    pub(super) deterministic: bool,
    pub(super) strategy: &'static str,
    last: Mutex<Option<Report>>,
    shown: AtomicBool,
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
            deterministic: false,
            strategy: "",
            last: Mutex::new(None),
            shown: AtomicBool::new(false),
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

    /// What the compiler says of the loop and what its last run on the CPU did.
    pub fn explain(&self) -> String {
        let mut text = self.plan.trim_end().to_owned();
        if let Some(report) = &*self.last.lock().unwrap_or_else(PoisonError::into_inner) {
            text.push_str(&format!("\n{report}"));
        }
        text
    }

    /// Keeps what a run did, and says it where `ACCRUE_EXPLAIN` asks for it: the plan once, and each
    /// decision that differs from the one before.
    pub(super) fn record(&self, report: Report) {
        log::debug!(target: "accrue", "{}: {report}", self.function);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let news = last.is_none_or(|l| l.did.kind() != report.did.kind());
        *last = Some(report);
        drop(last);
        if explaining() && news {
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
}

/// What a run did.
#[derive(Clone, Copy, Debug)]
pub(super) enum Did {
    /// The user's own loop, or its journaled copy.
    Sequential(Undo),
    /// Private tables.
    Private(Choice, Tally),
    /// Logged updates, in so many lists.
    Partitioned(usize, u32),
    /// The bins were split with the iterations, into so many parts.
    Injective(usize),
    /// The user's own loop, after a fault in another strategy.
    Again,
}

impl Did {
    /// What makes two runs different decisions.
    fn kind(&self) -> (u8, bool) {
        match self {
            Did::Sequential(_) => (0, false),
            Did::Private(_, tally) => (1, tally.striped > 0),
            Did::Partitioned(..) => (2, false),
            Did::Again => (3, false),
            Did::Injective(_) => (4, false),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.did {
            Did::Sequential(Undo::Count) if cfg!(panic = "abort") => f.write_str("sequential")?,
            Did::Sequential(Undo::Count) => {
                f.write_str("sequential, updates counted to take them back on a panic")?;
            }
            Did::Sequential(Undo::Rehearsal) => {
                f.write_str("sequential, after a rehearsal without updates that did not panic")?;
            }
            Did::Sequential(Undo::Snapshot) => {
                f.write_str("sequential, with a copy of the bins in case of a panic")?;
            }
            Did::Sequential(Undo::Journal) => {
                f.write_str("sequential, old values written down in case of a panic")?;
            }
            Did::Private(choice, tally) => {
                write!(f, "private, {} tables", tally.tables)?;
                match choice {
                    Choice::Private(workers, parts) => {
                        write!(f, " of {workers} workers, {parts} parts")?;
                    }
                    Choice::Fixed(workers, parts) => {
                        write!(f, " of {parts} fixed parts, {workers} workers")?;
                    }
                    _ => {}
                }
                if tally.striped > 0 {
                    let share = 100.0 * tally.striped as f64 / self.items as f64;
                    write!(
                        f,
                        ", {share:.0} % of the items in lanes since neighbours hit the same bins"
                    )?;
                }
                write!(f, ", {} slots merged", tally.slots)?;
            }
            Did::Partitioned(lists, shift) => write!(
                f,
                "partitioned, {lists} lists of updates, ranges of {} bins",
                1u64 << shift
            )?,
            Did::Injective(parts) => write!(
                f,
                "injective: no two iterations update the same bin, so the bins are split into {parts} parts with them"
            )?,
            Did::Again => f.write_str("sequential again, for the panic of the loop's own")?,
        }
        write!(
            f,
            " ({} items, {} bins of {} bytes in all); {}",
            self.items, self.facts.bins, self.facts.bytes, self.reason
        )
    }
}

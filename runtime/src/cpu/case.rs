//! What is known of a call when it starts, and what can be said of it whichever strategy runs it.
//!
//! With N items, b bytes of bins, W workers and u the time of an update of b bytes of bins: the sequential loop takes N u, and no call takes more
//! memory than [`budget`] says.
//!
//! The constants here and with the strategies were measured on 2 cores of a Xeon with AVX-512 (2 MiB of second-level cache each, a virtual
//! machine), 2026-11-20, by `cargo run --release -p accrue-bench -- run --device cpu`; they need to be right within a factor of two, since
//! strategies of similar cost are similar.

use super::crew;
use super::fault::PANICS_END;
use super::machine::Machine;
use super::member::Facts;

/// What a call may take in memory beside its bins, in bytes, where these take `bytes`.
pub(super) fn budget(bytes: usize) -> usize {
    (bytes / 4).max(64 << 20)
}

/// A copy of a byte of bins that are in a cache, which other things have to leave for it, and of others. (28 us for 512 KiB beside a
/// loop over them, 2 cores of an EPYC, 2026-11-22, `accrue-bench calls`.)
pub(super) fn copy(bytes: usize) -> f64 {
    let each = if bytes <= 1 << 20 { 0.05 } else { 0.15 };
    bytes as f64 * each
}

/// An update in order by the user's own loop, which may well be vectorised.
const IN_ORDER: f64 = 0.4;

/// How often an inner loop runs, where nothing is known of it.
pub(super) const INNER: usize = 8;

/// An update of one bin in so many bytes of bins.
fn update(bytes: usize, machine: &Machine) -> f64 {
    let mut caches = machine.caches.iter();
    let cache = caches.find(|(size, _)| bytes <= *size);
    cache.map_or(machine.beyond, |(_, time)| *time)
}

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
    /// How often an item updates, where earlier calls have counted.
    pub(super) updates: Option<usize>,
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
    /// Whether an item may do any number of updates.
    pub(super) uneven: bool,
    /// The processor.
    pub(super) machine: &'static Machine,
    /// How many bytes an item has whose values alone, each apart, say what its iteration does; only where its updates may be made many at
    /// a time.
    pub(super) alike: Option<usize>,
}

/// How many parts a deterministic loop has at most.
pub(super) const FIXED_PARTS: usize = 64;

impl Case {
    /// The time of an item whose bins are `bytes` in all.
    pub(super) fn item(&self, bytes: usize) -> f64 {
        let updates = self.sites.max(1) as f64 * update(bytes, self.machine);
        self.work.unwrap_or(0.0).max(updates)
    }

    /// Whether it is known how often an item updates.
    pub(super) fn is_counted(&self) -> bool {
        self.updates.is_some() || (self.work.is_some() && !self.uneven)
    }

    /// How often an item updates, about.
    pub(super) fn updates_each(&self) -> usize {
        // An inner loop does the updates in its text again and again.
        let rounds = if self.is_counted() { 1 } else { INNER };
        self.updates.unwrap_or(self.sites.max(1) * rounds)
    }

    /// Whether items that have run can be taken back after others, at no cost before: a run may then be done in rounds.
    pub(super) fn has_rounds(&self) -> bool {
        !PANICS_END && self.facts.invertible && self.pure
    }

    /// How many private tables there is memory for.
    pub(super) fn tables(&self) -> usize {
        budget(self.facts.bytes) / (self.facts.bytes + self.facts.records).max(1)
    }

    /// Whether a body that runs without a panic once does so again.
    pub(super) fn can_rehearse(&self) -> bool {
        self.pure && !self.facts.overflows
    }

    /// Whether a bin's number has 32 bits.
    pub(super) fn is_countable(&self) -> bool {
        self.facts.longest <= u32::MAX as usize
    }

    /// The number of parts that does not depend on the threads.
    pub(super) fn fixed_parts(&self) -> usize {
        let most = match self.work {
            // Merging the parts' tables then takes a small part of the time of the updates.
            Some(_) => self.items / (4 * self.facts.bins).max(4096),
            None => self.items.min((64 << 20) / self.facts.bytes.max(1)),
        };
        most.min(self.tables()).clamp(1, FIXED_PARTS)
    }

    /// The time of all items by the sequential loop, in nanoseconds.
    pub(super) fn updating(&self) -> f64 {
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
    pub(super) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(crew::threads)
    }
}

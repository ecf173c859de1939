//! A call under way: what it has done, and what it needs to undo that.

use std::any::Any;
use std::time::Instant;

use super::super::bytes::{VALUES, Words};
use super::super::case::Case;
use super::super::choose::Reason;
use super::super::fault::Fault;
use super::super::history::Size;
use super::super::keys::Keys;
use super::super::machine::machine;
use super::super::member::{Facts, Kind, Member};
use super::super::site::{Did, Site};
use super::super::strategy::template::Undo;

/// A call under way.
pub struct Run<'s, K: Kind> {
    pub(super) site: &'s Site,
    pub(super) items: usize,
    pub(super) state: State,
    /// What the members were when they were about to be updated in order; their arrays, if this is how they are undone.
    pub(super) saved: Option<K::Saved>,
    /// How these updates are undone.
    pub(super) undo: Undo,
    /// What the arrays held before those that are journaled.
    pub(super) journal: Option<K::Journal>,
    /// The same of a body that may run once only.
    pub(super) logs: Vec<K::Pairs>,
    /// What the members were when the user's own loop went on from there, which writes no journal.
    pub(super) later: Option<K::Saved>,
    /// The items that the user's own loop has run, all from the first.
    pub(super) attempted: Attempted,
    pub(super) panic: Option<Box<dyn Any + Send>>,
    /// What went wrong in another strategy, while the user's own loop runs again for its panic.
    pub(super) fault: Option<Fault>,
    /// When the call began and how large it is, where it is worth remembering.
    pub(super) timed: Option<(Instant, Size)>,
    /// How long an item takes in order, by the first ones.
    pub(super) guess: Option<f64>,
    /// Whether no two iterations update the same bin.
    pub(super) injective: bool,
    /// Whether the loop calls what the compiler took it to call.
    pub(super) confirmed: bool,
    /// The values by which items are alike.
    pub(super) keys: Option<Keys<'s>>,
}

/// What the user's own loop has run.
#[derive(Default)]
pub(super) struct Attempted {
    /// The items before this one, all of them.
    pub(super) end: usize,
    /// How many of them were in the last stretch.
    pub(super) last: usize,
    /// How many updates the item after them has done, where it panicked.
    pub(super) updates: usize,
}

/// What comes next.
pub(super) enum State {
    /// Nothing has run.
    Start,
    /// The user's own loop has run a stretch of its first items since then.
    Timing(Instant),
    /// The user's own loop has run to the end, for this reason.
    Last(Did, Reason),
}

impl<'s, K: Kind> Run<'s, K> {
    /// A call of the loop with so many items.
    #[inline]
    pub fn new(site: &'s Site, items: usize) -> Run<'s, K> {
        Run {
            site,
            items,
            state: State::Start,
            saved: None,
            undo: Undo::Count,
            journal: None,
            logs: Vec::new(),
            later: None,
            attempted: Attempted::default(),
            panic: None,
            fault: None,
            timed: None,
            guess: None,
            injective: false,
            confirmed: true,
            keys: None,
        }
    }

    /// The same, in order where the loop calls something else than the compiler has seen.
    #[inline]
    pub fn confirmed(mut self, confirmed: bool) -> Run<'s, K> {
        self.confirmed = confirmed;
        self
    }

    /// The same, whose items are alike by these values, if by any.
    #[inline]
    pub fn alike(mut self, keys: Option<Keys<'s>>) -> Run<'s, K> {
        self.keys = keys.filter(|keys| keys.0.len() == self.items);
        self
    }

    /// What is known of the call.
    pub(super) fn case(&self, members: &impl Member, items: usize, work: Option<f64>) -> Case {
        let facts = members.facts();
        Case {
            items,
            work,
            timed: false,
            sites: self.site.sites,
            rehearsal: self.site.rehearsal,
            journal: self.can_journal(),
            updates: self.site.updates(),
            facts,
            threads: None,
            pure: self.site.pure,
            fixed: self.site.deterministic && facts.rounds,
            injective: self.injective,
            uneven: self.site.uneven,
            machine: machine(),
            alike: self.width(&facts),
        }
    }

    /// The values by which items are alike, if their updates may be made many at a time.
    pub(super) fn words(&self, facts: &Facts) -> Option<Words<'s>> {
        // A bin's number is written down in 32 bits, and sums of floats would round otherwise.
        let many = self.site.pure && !facts.rounds && facts.longest <= u32::MAX as usize;
        self.keys.filter(|_| many).map(|Keys(words)| words)
    }

    /// How many bytes they have, if each value can be counted.
    fn width(&self, facts: &Facts) -> Option<usize> {
        let words = self.words(facts)?;
        let columns = words.columns();
        let few = columns > 1 || words.width() == 1 || facts.longest <= VALUES;
        let known = columns == 1 || !self.site.columns.is_empty();
        let alike = few && known && !self.site.is_wide() && words.look_narrow();
        alike.then(|| words.width())
    }

    /// Whether there is a body that writes a journal, and it may run again where that becomes too long.
    pub(super) fn can_journal(&self) -> bool {
        self.site.journal && self.site.pure
    }
}

//! Which way a call goes: when it starts, and when its first items have been timed.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::super::case::Case;
use super::super::choose::{Choice, Decision, Reason};
use super::super::fault::PANICS_END;
use super::super::history::{Advice, Size};
use super::super::member::{Kind, Member};
use super::super::request;
use super::super::strategy::sequential;
use super::super::strategy::template::Undo;
use super::state::Run;
use crate::base::device::Device;
use crate::base::{choice, trying};

/// For how long the first items are timed at least, unless there are too few: the last of the stretches that grow.
pub(in super::super) const TIMED: Duration = Duration::from_micros(8);

/// How much longer than all stretches before a stretch is: few of them, since each costs a tenth of a microsecond, and none
/// that takes long before it is known whether workers should have had it.
pub(in super::super) const GROWTH: usize = 7;

/// How many times what is estimated the first items may take before others are asked: they may be the first to touch the memory of the bins, a page of the system
/// for each of them, and nothing that follows is as slow. (812 ns an item of 1,092,546 bins that nobody had written to, and 1.4 in the call after it.)
const SURPRISING: f64 = 4.0;

/// The part of the loop that this may cost.
const ASKED_AGAIN: usize = 30;

/// What follows from the time of the first items.
pub(super) enum Timed {
    /// This decision, for this reason, from this item on.
    Go(Decision, Reason, usize),
    /// These items are to be timed too.
    More(Range<usize>),
    /// Nothing is left; the decision would have had this reason.
    Over(Reason),
}

/// Whether the last items took so much longer than estimated that others may be faster: and if some did before these, that these were.
fn is_surprising(case: &Case, estimated: Option<f64>, before: Option<f64>) -> bool {
    let (Some(each), Some(_)) = (case.work, estimated) else {
        return false;
    };
    let estimate = Case {
        work: estimated,
        ..*case
    };
    each > SURPRISING * estimate.item(case.facts.bytes)
        && before.is_none_or(|before| each < before / 2.0)
}

impl<K: Kind> Run<'_, K> {
    /// The choice for a call that starts.
    pub(super) fn choose(&mut self, members: &impl Member) -> (Decision, Reason) {
        if !self.confirmed {
            // Nothing that was concluded from the names holds, so the body runs once and the bins are copied.
            let undo = match PANICS_END {
                true => Undo::Count,
                false => Undo::Snapshot,
            };
            return (Decision::Run(Choice::sequential(undo)), Reason::Unconfirmed);
        }
        let case = self.case(members, self.items, self.site.work);
        let device = choice::chosen().unwrap_or_else(|error| trying::fail(error));
        if device == Device::Seq {
            let (undo, _) = sequential::undo(&case);
            return (
                Decision::Run(Choice::sequential(undo)),
                Reason::SequentialDevice,
            );
        }
        let wanted = request::wanted(self.site.strategy).unwrap_or_else(|e| trying::fail(e));
        match wanted {
            Some(request) if !case.facts.ordered && (case.is_countable() || !request.logs()) => {
                (Decision::Run(case.obey(&request)), Reason::Asked)
            }
            _ => self.advised(&case),
        }
    }

    /// The choice that the estimate makes, or what earlier calls say.
    fn advised(&mut self, case: &Case) -> (Decision, Reason) {
        let chosen = case.choose();
        if let Reason::Small(_) | Reason::Ordered | Reason::Deterministic = chosen.1 {
            return chosen;
        }
        let pool =
            rayon_core::current_thread_index().map_or(0, |_| rayon_core::current_num_threads());
        let size = Size::new(self.items, case.facts.bytes, pool);
        self.timed = Some((Instant::now(), size));
        let us = |each: f64| each * self.items as f64 / 1e3;
        let sequential = Decision::Run(Choice::sequential(sequential::undo(case).0));
        match self.site.history.advise(size) {
            Advice::Timed(each) => Case {
                work: Some(each),
                timed: true,
                ..*case
            }
            .choose(),
            Advice::Sequential(s, p) => (sequential, Reason::Learned(us(s), us(p))),
            Advice::Parallel(choice, s, p) if case.fits(&choice) => {
                (Decision::Run(choice), Reason::Learned(us(s), us(p)))
            }
            Advice::TryParallel(choice) if case.fits(&choice) => {
                (Decision::Run(choice), Reason::Trying)
            }
            Advice::TrySequential => (sequential, Reason::Trying),
            Advice::Nothing | Advice::Parallel(..) | Advice::TryParallel(_) => chosen,
        }
    }

    /// The user's own loop has run some items: are they long enough to be worth workers?
    pub(super) fn after_timing(&mut self, start: Instant, members: &impl Member) -> Timed {
        let done = self.attempted.end;
        let left = self.items - done;
        let time = start.elapsed();
        let each = time.as_nanos() as f64 / self.attempted.last.max(1) as f64;
        let more = done * GROWTH;
        if time < TIMED && more < left {
            // Too short to tell, and the first items meet cold caches: some more, timed alone.
            return Timed::More(done..done + more);
        }
        let case = self.case(members, left, Some(each));
        if !self.site.uneven
            && more < left / ASKED_AGAIN
            && is_surprising(&case, self.site.work, self.guess)
        {
            self.guess = Some(each);
            return Timed::More(done..done + more);
        }
        self.guess = Some(each).filter(|_| !self.site.uneven);
        let case = Case {
            timed: true,
            ..case
        };
        let (decision, reason) = case.choose();
        if left == 0 {
            return Timed::Over(reason);
        }
        let decision = match decision {
            // The way of undoing is settled.
            Decision::Run(choice) if choice.is_sequential() => {
                Decision::Run(Choice::sequential(self.undo))
            }
            decision => decision,
        };
        Timed::Go(decision, reason, done)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::machine::known;
    use super::super::super::member::Facts;
    use super::*;

    /// A million bins, of which each item updates one.
    fn case(each: f64) -> Case {
        let bins = 1_092_546;
        Case {
            items: 1 << 26,
            work: Some(each),
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
            threads: Some(16),
            pure: true,
            fixed: false,
            injective: false,
            uneven: false,
        }
    }

    #[test]
    fn slow_first_items_are_not_believed_as_long_as_others_are_faster() {
        let estimated = Some(0.5);
        assert!(is_surprising(&case(812.0), estimated, None));
        assert!(is_surprising(&case(25.0), estimated, Some(812.0)));
        // So they are: a body that takes as long.
        assert!(!is_surprising(&case(700.0), estimated, Some(812.0)));
        // Within what an estimate may be wrong by, and where there is none.
        assert!(!is_surprising(&case(2.6), estimated, None));
        assert!(!is_surprising(&case(812.0), None, None));
    }
}

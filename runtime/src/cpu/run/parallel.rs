//! A call's items by another strategy than the user's own loop.

use std::ops::Range;

use super::super::choose::{Choice, Reason};
use super::super::fault::Fault;
use super::super::kernels::Copies;
use super::super::member::{Kind, Member};
use super::super::site::Did;
use super::super::strategy::template::{Job, Outcome, Tally, Undo};
use super::state::{Attempted, Run};

/// What came of running items without the user's own loop.
pub(super) enum Ran {
    /// All is done.
    Did(Did),
    /// The members are as they were, and the user's own loop will panic; or what came of the items before these is to be undone, and it will.
    Fault(Fault),
    /// The items before this one have run, if they have not before, and the strategy does not suit.
    Unclear(Reason, usize),
}

impl<K: Kind> Run<'_, K> {
    /// Runs items without the user's own loop, in as many rounds as the strategy's memory asks for. What the rounds before have done is taken
    /// back, where one meets a fault, as it is where the user's own loop panics.
    pub(super) fn parallel<M: Member<Kind = K>>(
        &mut self,
        choice: Choice,
        range: Range<usize>,
        members: &mut M,
        copies: Copies<'_, K>,
    ) -> Ran {
        let case = self.case(members, range.len(), self.site.work);
        let words = self.words(&members.facts());
        let round = choice.strategy.template().round(&case);
        if round < range.len() {
            self.begin(Undo::Count, members);
        }
        let (mut tally, mut start) = (Tally::default(), range.start);
        while start < range.end {
            let end = range.end.min(start.saturating_add(round));
            let job = Job {
                items: start..end,
                plan: choice.plan,
                case: &case,
                members,
                copies,
                alike: words.map(|words| (words, self.site.columns)),
            };
            match choice.strategy.run(job) {
                Outcome::Done(more) => tally = tally.and(more),
                // Items that only lacked memory run in another way.
                Outcome::Fault(mut fault) => {
                    return match fault.is_exhausted() {
                        true => Ran::Unclear(Reason::Memory, start),
                        false => Ran::Fault(fault),
                    };
                }
                Outcome::Unclear => {
                    // Of items that are counted by their values some are no bytes, and the next call's are expected to be none either.
                    self.site.widen();
                    return Ran::Unclear(Reason::Unmeasured, start);
                }
            }
            start = end;
            if self.undo == Undo::Count && self.saved.is_some() {
                self.attempted = Attempted {
                    end,
                    last: 0,
                    updates: 0,
                };
            }
        }
        Ran::Did(Did::Ran(choice, tally))
    }
}

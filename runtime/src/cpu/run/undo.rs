//! How updates in order are taken back where the loop panics: by a count, by a rehearsal, so that nothing has to be, by a journal, or by a
//! copy. [`sequential::undo`] says which.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::AtomicUsize;

use super::super::case::INNER;
use super::super::crew;
use super::super::drive::Drive;
use super::super::fault::Left;
use super::super::journal::{ENTRY, Journaling};
use super::super::kernels::LogKernel;
use super::super::log::Spent;
use super::super::member::{Kind, Member};
use super::super::rehearsal::{self, Rehearsal};
use super::super::strategy::sequential;
use super::super::strategy::template::Undo;
use super::super::table::Fault;
use super::state::{Attempted, Run};
use crate::base::kept;

/// Room for how many updates a journal has at least: 16 KiB are there in no time, and inner loops may be longer than expected.
const ROOM: usize = 1024;

/// What came of a journaled stretch.
pub(super) enum Journaled {
    /// It has run.
    Done,
    /// An index was out of range, or a result.
    Fault(Fault),
    /// There was no room for an entry.
    Full,
}

impl<K: Kind> Run<'_, K> {
    /// How the user's own loop is undone, which cannot write a journal.
    pub(super) fn undo_of_own_loop(&self, members: &impl Member<Kind = K>) -> Undo {
        match sequential::undo(&self.case(members, self.items, self.site.work)).0 {
            Undo::Count => Undo::Count,
            Undo::Rehearsal | Undo::Snapshot | Undo::Journal => Undo::Snapshot,
        }
    }

    /// Makes sure that what comes can be undone.
    pub(super) fn begin(&mut self, undo: Undo, members: &impl Member<Kind = K>) {
        if self.saved.is_none() {
            self.undo = undo;
            self.saved = Some(members.save(undo == Undo::Snapshot));
        }
    }

    /// Runs items without their updates, and says what went wrong. If nothing did, nothing will.
    pub(super) fn rehearse<M: Member<Kind = K>>(
        &self,
        range: Range<usize>,
        members: &M,
        kernels: &dyn LogKernel<K>,
    ) -> Option<Fault> {
        match self.site.rehearsal {
            Some(_) if members.facts().longest <= rehearsal::MOST_BINS => {
                let check = |range: &Range<usize>, ahead| {
                    rehearsal(range, |range, fault| {
                        kernels.check(Rehearsal::new(range, members.check(fault), ahead));
                    })
                };
                if self.site.straight {
                    let ends = [range.start, range.end - 1];
                    return ends.iter().find_map(|&n| check(&(n..n + 1), false));
                }
                if self.site.is_ahead() {
                    match check(&range, true) {
                        // No condition guards what panics.
                        Some(fault) if fault.is_of_body() => return Some(fault),
                        Some(_) => self.site.guards(),
                        None => return None,
                    }
                }
                check(&range, false)
            }
            _ => {
                let mut unused = members.pairs(None, 0);
                rehearsal(&range, |range, fault| {
                    kernels.log(Drive::new(range, members.rehearse(&mut unused, fault)));
                })
            }
        }
    }

    /// How many updates some items will do, by those that have run.
    pub(super) fn updates(&self, range: &Range<usize>) -> usize {
        match range.start {
            0 => {
                let rounds = if self.site.work.is_none() { INNER } else { 1 };
                let each = self.site.updates().unwrap_or(self.site.sites * rounds);
                range.len().saturating_mul(each)
            }
            done => (self.written() * 5 / 4)
                .div_ceil(done)
                .saturating_mul(range.len()),
        }
    }

    /// How many updates have been written down.
    fn written(&self) -> usize {
        let logged: usize = self.logs.iter().map(K::logged).sum();
        self.journal.as_ref().map_or(0, K::journaled) + logged
    }

    /// Notes how many updates items do, for the calls to come.
    fn count(&self, items: usize) {
        if self.site.uneven {
            self.site.count(items, self.written());
        }
    }

    /// Whether a journal of items, after those that have one, is short enough.
    pub(super) fn has_room(&self, range: &Range<usize>) -> bool {
        range.start == 0 || self.updates(range) <= kept::MOST_BYTES / ENTRY
    }

    /// Runs items in order on the members themselves, with old values written down. Where that does not come to its end the members wait
    /// for being put back.
    ///
    /// # Panics
    ///
    /// As the body does, with the members as they were before the call: it is the user's own panic, since the items came in order.
    pub(super) fn journaled<M: Member<Kind = K>>(
        &mut self,
        range: Range<usize>,
        members: &mut M,
        kernels: &dyn LogKernel<K>,
    ) -> Journaled {
        if !self.can_journal() {
            return self.logged(range, members, kernels);
        }
        let end = range.end;
        let updates = self.updates(&range).max(ROOM);
        let journal = match &mut self.journal {
            Some(journal) => {
                K::reserve(journal, updates);
                journal
            }
            none => none.insert(members.journal(updates)),
        };
        let fault = Fault::default();
        let view = members.journaled(journal, &fault);
        let drive = Journaling::new(range, view);
        match catch_unwind(AssertUnwindSafe(|| kernels.journal(drive))) {
            _ if fault.is_set() => Journaled::Fault(fault),
            Ok(()) => {
                self.count(end);
                Journaled::Done
            }
            Err(payload) if payload.is::<Left>() => {
                // At least as many.
                self.count(end);
                Journaled::Full
            }
            Err(panic) => {
                self.put_back(members, kernels);
                resume_unwind(panic);
            }
        }
    }

    /// The same for a body that may run once only, which begins no loop again: its log becomes a copy of the bins instead of becoming longer than
    /// one.
    fn logged<M: Member<Kind = K>>(
        &mut self,
        range: Range<usize>,
        members: &mut M,
        kernels: &dyn LogKernel<K>,
    ) -> Journaled {
        let fault = Fault::default();
        let end = range.end;
        let mut pairs = members.pairs(None, 0);
        let scalars = members.save(false);
        let view = members.logged(&mut pairs, &fault);
        let ran = catch_unwind(AssertUnwindSafe(|| kernels.log(Drive::new(range, view))));
        if let Err(panic) = ran {
            fault.panicked(end, panic);
        } else if !fault.is_set() && members.commit(&pairs) {
            fault.overflowed();
        }
        if fault.is_set() {
            members.unlog(&pairs);
            members.restore(&scalars);
            return Journaled::Fault(fault);
        }
        self.logs.push(pairs);
        self.count(end);
        Journaled::Done
    }

    /// Makes the members what they were before the call.
    pub(super) fn put_back<M: Member<Kind = K>>(
        &mut self,
        members: &mut M,
        kernels: &dyn LogKernel<K>,
    ) {
        let Some(saved) = &self.saved else {
            return;
        };
        if self.undo == Undo::Count {
            let Attempted { end, updates, .. } = self.attempted;
            revert(0..end, usize::MAX, members, kernels);
            if updates > 0 {
                revert(end..end + 1, updates, members, kernels);
            }
        }
        // The last first.
        if let Some(later) = self.later.take() {
            members.restore(&later);
        }
        while let Some(log) = self.logs.pop() {
            members.unlog(&log);
        }
        if let Some(mut journal) = self.journal.take() {
            members.roll_back(&mut journal);
        }
        members.restore(saved);
    }
}

/// What went wrong in running the body without its updates.
fn rehearsal(range: &Range<usize>, mut run: impl FnMut(Range<usize>, &Fault)) -> Option<Fault> {
    let fault = Fault::default();
    let all = || {
        for piece in crew::pieces(range.clone()).take_while(|_| !fault.is_set()) {
            run(piece, &fault);
        }
    };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(all)) {
        fault.panicked(0, panic);
    }
    fault.is_set().then_some(fault)
}

/// Takes back the updates of some items, which the user's own loop has done, the first `updates` of them at most, by running the
/// body again.
#[cold]
#[inline(never)]
fn revert<M: Member>(
    range: Range<usize>,
    updates: usize,
    members: &mut M,
    kernels: &dyn LogKernel<M::Kind>,
) {
    let budget = AtomicUsize::new(updates);
    let fault = Fault::default();
    let mut unused = members.pairs(None, 0);
    let view = members.revert(&mut unused, &budget, &fault);
    // The log unwinds when the budget is spent, before the body can panic again.
    let end = catch_unwind(AssertUnwindSafe(|| kernels.log(Drive::new(range, view))));
    if let Err(payload) = end
        && !payload.is::<Spent>()
    {
        resume_unwind(payload);
    }
}

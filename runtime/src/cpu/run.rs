//! A call of an offloaded loop, from the choice of a strategy to the merged bins or the user's own panic.
//!
//! Emitted code drives it:
//!
//! ```text
//! match SOURCE {
//!     source => {
//!         let mut run = Run::new(&SITE, source.len());
//!         while let Some(range) = run.advance(MEMBERS, KERNEL, KERNEL, KERNEL, KERNEL, KERNEL) {
//!             run.attempt(range, (source.apart(), bins, ()), |done, source, bins, ()| {
//!                 the user's own loop over done.items(source.part(range))
//!             });
//!         }
//!     }
//! }
//! ```
//!
//! [`Run::advance`] runs whole strategies; what it returns is a part of the iteration space for the user's own statements
//! on the real bins: all of it where the loop is too small for anything else, the first items where their time
//! must be known, and all of it again after a fault, since the user's own loop panics with the
//! user's own message, place and order. [`Run::attempt`] catches that panic, and the next `advance` puts the bins back and
//! lets it go on.

pub(super) mod decide;
mod parallel;
mod state;
mod undo;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

use self::decide::Timed;
use self::parallel::Ran;
pub use self::state::Run;
use self::state::{Attempted, State};
use self::undo::Journaled;
use super::choose::{Decision, Reason};
use super::drive::{Drive, WholeDrive};
use super::fault::Fault;
use super::history::Way;
use super::journal::Journaling;
use super::kernels::{Closures, Copies, LogKernel, OwnedClosures};
use super::level::{V3, V4};
use super::leveled::Leveled;
use super::member::{Kind, Member};
use super::progress::{self, Done, Progress, Stop};
use super::rehearsal::Rehearsal;
use super::site::{Did, Report};
use super::strategy::template::Undo;

/// No copies for newer processors.
type Newer<K> = (
    for<'t> fn(Leveled<<K as Kind>::Plain<'t>, V3>),
    for<'t> fn(Leveled<<K as Kind>::Plain<'t>, V4>),
);

/// What is to be timed.
enum Timing {
    /// The user's own loop over these items.
    Own(Range<usize>),
    /// Nothing more: a journaled stretch has run.
    Journaled,
    /// Nothing: it met a fault.
    Fault(Fault),
    /// Nothing: its journal was full.
    Full,
}

impl<K: Kind> Run<'_, K> {
    /// Runs what can run without the user's own loop, and returns the part that this loop is to run next.
    ///
    /// # Panics
    ///
    /// As the user's own loop did, with the members as they were before the call; and for settings that
    /// mean nothing.
    #[inline]
    pub fn advance<M: Member<Kind = K>>(
        &mut self,
        mut members: M,
        plain: impl for<'t> Fn(WholeDrive<K::Plain<'t>>) + Sync,
        striped: impl for<'t> Fn(WholeDrive<K::Striped<'t>>) + Sync,
        log: impl for<'t> Fn(Drive<K::Log<'t>>) + Sync,
        check: impl for<'t> Fn(Rehearsal<K::Check<'t>>) + Sync,
        journal: impl for<'t> Fn(Journaling<K::Journaled<'t>>) + Sync,
    ) -> Option<Range<usize>> {
        let kernels = Closures {
            plain,
            newer: None::<Newer<K>>,
            striped,
            log,
            check,
            journal,
        };
        self.step(&mut members, Copies::Tabled(&kernels))
    }

    /// [`Run::advance`] of loops whose body is there for newer processors as well, which gain from these.
    ///
    /// # Panics
    ///
    /// As `advance` does.
    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "a closure for each copy of the body"
    )]
    pub fn advance_newer<M: Member<Kind = K>>(
        &mut self,
        mut members: M,
        plain: impl for<'t> Fn(WholeDrive<K::Plain<'t>>) + Sync,
        v3: impl for<'t> Fn(Leveled<K::Plain<'t>, V3>) + Sync,
        v4: impl for<'t> Fn(Leveled<K::Plain<'t>, V4>) + Sync,
        striped: impl for<'t> Fn(WholeDrive<K::Striped<'t>>) + Sync,
        log: impl for<'t> Fn(Drive<K::Log<'t>>) + Sync,
        check: impl for<'t> Fn(Rehearsal<K::Check<'t>>) + Sync,
        journal: impl for<'t> Fn(Journaling<K::Journaled<'t>>) + Sync,
    ) -> Option<Range<usize>> {
        let kernels = Closures {
            plain,
            newer: Some((v3, v4)),
            striped,
            log,
            check,
            journal,
        };
        self.step(&mut members, Copies::Tabled(&kernels))
    }

    /// [`Run::advance`] of an injective loop: no two iterations update the same bin.
    ///
    /// # Panics
    ///
    /// As `advance` does.
    #[inline]
    pub fn advance_injective<M: Member<Kind = K>>(
        &mut self,
        mut members: M,
        owned: impl for<'t> Fn(Drive<K::Owned<'t>>) + Sync,
        log: impl for<'t> Fn(Drive<K::Log<'t>>) + Sync,
        check: impl for<'t> Fn(Rehearsal<K::Check<'t>>) + Sync,
        journal: impl for<'t> Fn(Journaling<K::Journaled<'t>>) + Sync,
    ) -> Option<Range<usize>> {
        self.injective = true;
        let kernels = OwnedClosures {
            owned,
            log,
            check,
            journal,
        };
        self.step(&mut members, Copies::Owned(&kernels))
    }

    /// A run's next step.
    ///
    /// The copies of the body are trait objects: a program has one `step`, with all strategies under it, for each
    /// kind of members, however many loops it has, and rustc's time goes to the inner loops alone.
    #[inline(never)]
    fn step<M: Member<Kind = K>>(
        &mut self,
        members: &mut M,
        copies: Copies<'_, K>,
    ) -> Option<Range<usize>> {
        let kernels = copies.log();
        if let Some(panic) = self.panic.take() {
            self.put_back(members, kernels);
            resume_unwind(panic);
        }
        let (decision, reason, first) = match std::mem::replace(&mut self.state, State::Start) {
            State::Start if self.items == 0 => return None,
            State::Start => {
                let (decision, reason) = self.choose(members);
                (decision, reason, 0)
            }
            State::Timing(start) => match self.after_timing(start, members) {
                Timed::Go(decision, reason, first) => (decision, reason, first),
                Timed::More(range) => match self.timed(range, members, kernels) {
                    Timing::Own(range) => return Some(range),
                    Timing::Journaled => return self.step(members, copies),
                    Timing::Fault(fault) => {
                        return Some(self.again(fault, Reason::Unmeasured, members, kernels));
                    }
                    Timing::Full => return Some(self.copied(members, kernels)),
                },
                Timed::Over(reason) => {
                    self.record(members, Did::sequential(self.undo), reason);
                    return None;
                }
            },
            State::Last(did, reason) => {
                if let Some(fault) = self.fault.take().filter(Fault::is_of_body) {
                    // It did not panic again. It did once, and that is what the caller gets.
                    self.put_back(members, kernels);
                    fault.panic();
                }
                self.record(members, did, reason);
                return None;
            }
        };
        let range = first..self.items;
        let ran = match decision {
            Decision::Run(choice) if !choice.is_sequential() => {
                self.parallel(choice, range.clone(), members, copies)
            }
            Decision::Run(choice) if choice.plan.undo == Undo::Journal && self.has_room(&range) => {
                self.begin(Undo::Journal, members);
                match self.journaled(range.clone(), members, kernels) {
                    Journaled::Done => Ran::Did(Did::sequential(Undo::Journal)),
                    Journaled::Fault(fault) => Ran::Fault(fault),
                    Journaled::Full => return Some(self.copied(members, kernels)),
                }
            }
            Decision::Run(choice) => {
                let undo = choice.plan.undo;
                if undo == Undo::Rehearsal
                    && let Some(fault) = self.rehearse(range.clone(), members, kernels)
                {
                    return Some(self.again(fault, reason, members, kernels));
                }
                return Some(self.own_loop(undo, reason, range, members));
            }
            Decision::Measure(undo, first) => {
                self.begin(undo, members);
                match self.timed(0..first, members, kernels) {
                    Timing::Own(range) => return Some(range),
                    Timing::Journaled => return self.step(members, copies),
                    Timing::Fault(fault) => Ran::Fault(fault),
                    Timing::Full => return Some(self.copied(members, kernels)),
                }
            }
        };
        match ran {
            Ran::Did(did) => {
                self.record(members, did, reason);
                None
            }
            Ran::Fault(fault) => Some(self.again(fault, reason, members, kernels)),
            Ran::Unclear(reason, first) => {
                let undo = self.undo_of_own_loop(members);
                Some(self.own_loop(undo, reason, first..range.end, members))
            }
        }
    }

    /// Leaves items to the user's own loop.
    fn own_loop(
        &mut self,
        undo: Undo,
        reason: Reason,
        range: Range<usize>,
        members: &impl Member<Kind = K>,
    ) -> Range<usize> {
        self.begin(undo, members);
        let undo = match self.undo {
            Undo::Journal => {
                self.later = Some(members.save(true));
                Undo::Snapshot
            }
            undo => undo,
        };
        self.state = State::Last(Did::sequential(undo), reason);
        range
    }

    /// Makes the members what they were before the call, for all items to run again in another way.
    fn forget<M: Member<Kind = K>>(&mut self, members: &mut M, kernels: &dyn LogKernel<K>) {
        self.put_back(members, kernels);
        self.attempted = Attempted::default();
        self.saved = None;
    }

    /// Leaves all items to the user's own loop after a fault, for its panic. From the beginning: what the first items did is in
    /// order, but the panic is to be theirs if they are the ones that panic.
    ///
    /// # Panics
    ///
    /// Where the body may run once only: as it did, or about the index that was out of range.
    fn again<M: Member<Kind = K>>(
        &mut self,
        fault: Fault,
        reason: Reason,
        members: &mut M,
        kernels: &dyn LogKernel<K>,
    ) -> Range<usize> {
        self.forget(members, kernels);
        if !self.site.pure {
            fault.panic();
        }
        self.fault = Some(fault);
        self.timed = None;
        let undo = self.undo_of_own_loop(members);
        self.begin(undo, members);
        self.state = State::Last(Did::Again, reason);
        0..self.items
    }

    /// Runs a part of the user's own loop, over `own` and with updates of `a` and `b`, which the loop gets as parameters. Returns
    /// what it returns, or nothing where it panics; `advance` then goes on with the panic.
    #[inline(always)]
    pub fn attempt<S, A, B, R>(
        &mut self,
        range: Range<usize>,
        (own, a, b): (S, A, B),
        body: impl FnOnce(&mut Done<'_, K>, S, A, B) -> R,
    ) -> Option<R> {
        let progress = Progress::new(range.len());
        let result = catch_unwind(AssertUnwindSafe(|| {
            progress::own_function(&progress, own, a, b, body)
        }));
        self.attempted(range, progress);
        match result {
            Ok(value) => Some(value),
            Err(panic) => {
                self.panic = Some(panic);
                None
            }
        }
    }

    #[inline(never)]
    fn attempted(&mut self, range: Range<usize>, progress: Progress) {
        let last = range.len();
        self.attempted = match progress.stopped() {
            None => Attempted {
                end: range.end,
                last,
                updates: 0,
            },
            Some(Stop { left, updates }) => Attempted {
                end: range.end - left,
                last,
                updates,
            },
        };
    }

    /// Begins again with a copy of the bins and the first item, where a journal has become too long.
    fn copied<M: Member<Kind = K>>(
        &mut self,
        members: &mut M,
        kernels: &dyn LogKernel<K>,
    ) -> Range<usize> {
        self.forget(members, kernels);
        self.begin(Undo::Snapshot, members);
        self.state = State::Timing(Instant::now());
        0..1
    }

    /// Has some items run and timed.
    fn timed<M: Member<Kind = K>>(
        &mut self,
        range: Range<usize>,
        members: &mut M,
        kernels: &dyn LogKernel<K>,
    ) -> Timing {
        let start = Instant::now();
        self.state = State::Timing(start);
        if self.undo != Undo::Journal {
            return Timing::Own(range);
        }
        let (end, last) = (range.end, range.len());
        match self.journaled(range, members, kernels) {
            Journaled::Done => {}
            Journaled::Fault(fault) => return Timing::Fault(fault),
            Journaled::Full => return Timing::Full,
        }
        self.attempted = Attempted {
            end,
            last,
            updates: 0,
        };
        Timing::Journaled
    }

    fn record(&self, members: &impl Member, did: Did, reason: Reason) {
        if let Some((start, size)) = self.timed {
            let time = start.elapsed().as_nanos() as f64;
            let way = match did {
                Did::Ran(choice, _) if choice.is_sequential() => Some(Way::Sequential),
                Did::Ran(choice, tally) => {
                    let busy = tally.busy.as_nanos() as f64;
                    Some(Way::Parallel(choice, busy, self.guess))
                }
                Did::Again | Did::InOrder | Did::AsWritten | Did::Split(..) => None,
            };
            if let Some(way) = way {
                self.site.history.note(size, self.items, time, way);
            }
        }
        if let Reason::Small(us) = reason {
            self.site.is_small(us * 1e3 / self.items.max(1) as f64);
        }
        self.site.record(Report {
            items: self.items,
            facts: members.facts(),
            did,
            reason,
            pure: self.site.pure,
        });
    }
}

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

mod undo;

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use self::undo::{Journaled, logged};
use super::choose::{Case, Choice, Reason};
use super::drive::{Drive, WholeDrive};
use super::journal::Journaling;
use super::kernels::{Closures, Copies, Kernels, LogKernel, OwnedClosures};
use super::member::{Kind, Member};
use super::owned::{self, Outcome};
use super::partitioned;
use super::private::{self, Config, Lanes};
use super::progress::{self, Done, Progress, Stop};
use super::rehearsal::Rehearsal;
use super::request::{self, Request, Undo};
use super::site::{Did, Report, Site};
use crate::{Device, device, trying};

/// For how long the first items are timed at least, unless there are too few: the last of the stretches that grow.
const TIMED: Duration = Duration::from_micros(8);

/// How much longer than all stretches before a stretch is: few of them, since each costs a tenth of a microsecond, and none
/// that takes long before it is known whether workers should have had it.
const GROWTH: usize = 7;

/// A call under way.
pub struct Run<'s, K: Kind> {
    site: &'s Site,
    items: usize,
    state: State,
    /// What the members were when they were about to be updated in order; their arrays, if this is how they are undone.
    saved: Option<K::Saved>,
    /// How these updates are undone.
    undo: Undo,
    /// What the arrays held before those that are journaled.
    journal: Option<K::Journal>,
    /// What the members were when the user's own loop went on from there, which writes no journal.
    later: Option<K::Saved>,
    /// The items that the user's own loop has run, all from the first.
    attempted: Attempted,
    panic: Option<Box<dyn Any + Send>>,
    /// Whether no two iterations update the same bin.
    injective: bool,
}

/// What the user's own loop has run.
#[derive(Default)]
struct Attempted {
    /// The items before this one, all of them.
    end: usize,
    /// How many of them were in the last stretch.
    last: usize,
    /// How many updates the item after them has done, where it panicked.
    updates: usize,
}

/// What comes next.
enum State {
    /// Nothing has run.
    Start,
    /// The user's own loop has run a stretch of its first items since then.
    Timing(Instant),
    /// The user's own loop has run to the end, for this reason.
    Last(Did, Reason),
}

/// What came of running items without the user's own loop.
enum Ran {
    /// All is done.
    Did(Did),
    /// The members are as they were, and the user's own loop will panic.
    Fault,
    /// The members are as they were, and the strategy does not suit.
    Unclear,
}

/// What is to be timed.
enum Timing {
    /// The user's own loop over these items.
    Own(Range<usize>),
    /// Nothing more: a journaled stretch has run.
    Journaled,
    /// Nothing: it met a fault.
    Fault,
    /// Nothing: its journal was full.
    Full,
}

/// What follows from the time of the first items.
enum Timed {
    /// This choice, for this reason, from this item on.
    Go(Choice, Reason, usize),
    /// These items are to be timed too.
    More(Range<usize>),
    /// Nothing is left.
    Over,
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
            later: None,
            attempted: Attempted::default(),
            panic: None,
            injective: false,
        }
    }

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
        let (choice, reason, lanes, first) = match std::mem::replace(&mut self.state, State::Start)
        {
            State::Start if self.items == 0 => return None,
            State::Start => {
                let (choice, reason, lanes) = self.choose(members);
                (choice, reason, lanes, 0)
            }
            State::Timing(start) => match self.after_timing(start, members) {
                Timed::Go(choice, reason, first) => (choice, reason, Lanes::Probe, first),
                Timed::More(range) => match self.timed(range, members, kernels) {
                    Timing::Own(range) => return Some(range),
                    Timing::Journaled => return self.step(members, copies),
                    Timing::Fault => return Some(self.again(Reason::Unmeasured, members, kernels)),
                    Timing::Full => return Some(self.copied(members, kernels)),
                },
                Timed::Over => return None,
            },
            State::Last(did, reason) => {
                self.record(members, did, reason);
                return None;
            }
        };
        let range = first..self.items;
        let ran = match choice {
            Choice::Sequential(Undo::Journal) if self.saved.is_none() && !self.can_journal() => {
                match logged(range.clone(), members, kernels) {
                    true => Ran::Did(Did::Sequential(Undo::Journal)),
                    false => Ran::Fault,
                }
            }
            Choice::Sequential(Undo::Journal) if self.has_room(&range) => {
                self.begin(Undo::Journal, members);
                match self.journaled(range.clone(), members, kernels) {
                    Journaled::Done => Ran::Did(Did::Sequential(Undo::Journal)),
                    Journaled::Fault => Ran::Fault,
                    Journaled::Full => return Some(self.copied(members, kernels)),
                }
            }
            Choice::Sequential(Undo::Rehearsal)
                if !self.rehearsed(range.clone(), members, kernels) =>
            {
                Ran::Fault
            }
            Choice::Sequential(undo) => return Some(self.own_loop(undo, reason, range, members)),
            Choice::Measure(undo, first) => {
                self.begin(undo, members);
                match self.timed(0..first, members, kernels) {
                    Timing::Own(range) => return Some(range),
                    Timing::Journaled => return self.step(members, copies),
                    Timing::Fault => Ran::Fault,
                    Timing::Full => return Some(self.copied(members, kernels)),
                }
            }
            Choice::Private(..) | Choice::Fixed(..) | Choice::Partitioned(..) => {
                self.parallel(choice, lanes, range.clone(), members, copies)
            }
        };
        match ran {
            Ran::Did(did) => {
                self.record(members, did, reason);
                None
            }
            Ran::Fault => Some(self.again(reason, members, kernels)),
            Ran::Unclear => {
                let undo = self.undo_of_own_loop(members);
                Some(self.own_loop(undo, reason, range, members))
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
        self.state = State::Last(Did::Sequential(undo), reason);
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
    fn again<M: Member<Kind = K>>(
        &mut self,
        reason: Reason,
        members: &mut M,
        kernels: &dyn LogKernel<K>,
    ) -> Range<usize> {
        self.forget(members, kernels);
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

    /// What is known of the call.
    fn case(&self, members: &impl Member, items: usize, work: Option<f64>) -> Case {
        let facts = members.facts();
        Case {
            items,
            work,
            timed: false,
            sites: self.site.sites,
            rehearsal: self.site.rehearsal,
            journal: self.can_journal(),
            facts,
            threads: None,
            pure: self.site.pure,
            fixed: self.site.deterministic && facts.rounds,
            injective: self.injective,
        }
    }

    /// The choice for a call that starts.
    fn choose(&self, members: &impl Member) -> (Choice, Reason, Lanes) {
        let case = self.case(members, self.items, self.site.work);
        let device = device::chosen().unwrap_or_else(|error| trying::fail(error));
        if device == Device::Seq {
            return (
                Choice::Sequential(case.undo()),
                Reason::SequentialDevice,
                Lanes::Probe,
            );
        }
        let wanted = request::wanted(self.site.strategy).unwrap_or_else(|e| trying::fail(e));
        // Lanes are judged by a log, whose entries have 32 bits for the bin.
        let countable = case.facts.longest <= u32::MAX as usize;
        let lanes = match &wanted {
            _ if !countable => Lanes::Never,
            Some(Request::Private { lanes, .. }) => *lanes,
            _ => Lanes::Probe,
        };
        match wanted {
            Some(request) if !case.facts.ordered && (countable || !request.logs()) => {
                (case.obey(&request), Reason::Asked, lanes)
            }
            _ => {
                let (choice, reason) = case.choose();
                (choice, reason, lanes)
            }
        }
    }

    /// Runs items without the user's own loop.
    fn parallel<M: Member<Kind = K>>(
        &self,
        choice: Choice,
        lanes: Lanes,
        range: Range<usize>,
        members: &mut M,
        copies: Copies<'_, K>,
    ) -> Ran {
        match copies {
            Copies::Tabled(kernels) => self.tabled(choice, lanes, range, members, kernels),
            Copies::Owned(kernels) => match choice {
                Choice::Private(_, parts) | Choice::Fixed(_, parts) => {
                    match owned::run(range, parts, members, kernels) {
                        Outcome::Done(parts) => Ran::Did(Did::Injective(parts)),
                        Outcome::Fault => Ran::Fault,
                        Outcome::Unclear => Ran::Unclear,
                    }
                }
                Choice::Partitioned(workers, shift) => {
                    match partitioned::run(range, workers, shift, members, kernels) {
                        Some(lists) => Ran::Did(Did::Partitioned(lists, shift)),
                        None => Ran::Fault,
                    }
                }
                Choice::Sequential(_) | Choice::Measure(..) => Ran::Unclear,
            },
        }
    }

    /// Runs items with private tables or logs.
    fn tabled<M: Member<Kind = K>>(
        &self,
        choice: Choice,
        lanes: Lanes,
        range: Range<usize>,
        members: &mut M,
        kernels: &dyn Kernels<K>,
    ) -> Ran {
        let did = match choice {
            Choice::Private(workers, parts) | Choice::Fixed(workers, parts) => {
                let config = Config {
                    range,
                    workers,
                    parts,
                    fixed: matches!(choice, Choice::Fixed(..)),
                    lanes,
                    uneven: self.site.work.is_none(),
                };
                private::run(&config, members, kernels).map(|tally| Did::Private(choice, tally))
            }
            Choice::Partitioned(workers, shift) => {
                partitioned::run(range, workers, shift, members, kernels)
                    .map(|lists| Did::Partitioned(lists, shift))
            }
            Choice::Sequential(_) | Choice::Measure(..) => return Ran::Unclear,
        };
        did.map_or(Ran::Fault, Ran::Did)
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
            Journaled::Fault => return Timing::Fault,
            Journaled::Full => return Timing::Full,
        }
        self.attempted = Attempted {
            end,
            last,
            updates: 0,
        };
        Timing::Journaled
    }

    /// The user's own loop has run some items: are they long enough to be worth workers?
    fn after_timing(&mut self, start: Instant, members: &impl Member) -> Timed {
        let done = self.attempted.end;
        let left = self.items - done;
        let time = start.elapsed();
        let each = time.as_nanos() as f64 / self.attempted.last.max(1) as f64;
        let more = done * GROWTH;
        if time < TIMED && more < left {
            // Too short to tell, and the first items meet cold caches: some more, timed alone.
            return Timed::More(done..done + more);
        }
        let case = Case {
            timed: true,
            ..self.case(members, left, Some(each))
        };
        let (choice, reason) = case.choose();
        if left == 0 {
            self.record(members, Did::Sequential(self.undo), reason);
            return Timed::Over;
        }
        let choice = match choice {
            // The way of undoing is settled.
            Choice::Sequential(_) => Choice::Sequential(self.undo),
            choice => choice,
        };
        Timed::Go(choice, reason, done)
    }

    fn record(&self, members: &impl Member, did: Did, reason: Reason) {
        self.site.record(Report {
            items: self.items,
            facts: members.facts(),
            did,
            reason,
        });
    }
}

//! The workers of a run: the calling thread, and threads of a pool of accrue's own, each with its own memory.
//!
//! # Why not the pool that the call comes from
//!
//! A rayon task that waits for others runs foreign tasks meanwhile. In a call of an offloaded function that would be wrong: its caller may
//! hold a lock, or a `RefCell`'s borrow, that the foreign task takes too, and the plain loop never let another task in between. So the
//! parts of a call go to a pool that runs nothing else, and the calling thread works on them itself. When there are none left it *closes* the
//! call: helpers that have not begun will not, and it sleeps until those that have begun are done. It takes nothing else up meanwhile.
//!
//! There is no deadlock, however calls nest: a call waits for helpers that have begun, never for one in a queue, and each wait is for something
//! that began later than what waits. A body that uses rayon inside a part of its own runs on the pool that its thread belongs to: on the
//! calling thread the one that it came from, as in the plain loop, and on a helper accrue's, where it may meet parts of other calls, and no
//! task of anybody else.
//!
//! # How many
//!
//! As many threads as rayon's own pool would have (`RAYON_NUM_THREADS`, or one for each core), started by the first call that is worth it. A
//! call from within another rayon pool uses at most as many as that one has. Their stacks are as large as that of the main thread, where the plain loop would
//! have run ([`stack`]). Where many threads call at once, helpers would only compete
//! with callers: one that finds as many threads at work as the pool has leaves at once.

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

use super::machine;
use super::stack;
use super::table::Fault;

/// Parts of the iteration space, handed out in order to whoever asks.
#[derive(Debug)]
pub(super) struct Parts {
    range: Range<usize>,
    count: usize,
    next: AtomicUsize,
}

impl Parts {
    /// Splits a range into `count` parts whose lengths differ by one at most.
    pub(super) fn new(range: Range<usize>, count: usize) -> Parts {
        Parts {
            count: count.min(range.len()),
            range,
            next: AtomicUsize::new(0),
        }
    }

    /// A part by its number.
    pub(super) fn part(&self, number: usize) -> Range<usize> {
        let len = self.range.len();
        // Lengths times numbers can exceed a usize.
        let at = |k: usize| (len as u128 * k as u128 / self.count as u128) as usize;
        self.range.start + at(number)..self.range.start + at(number + 1)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The next part and its number.
    pub(super) fn take(&self) -> Option<(usize, Range<usize>)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.count).then(|| (number, self.part(number)))
    }
}

/// How many iterations run before it is asked whether the rest is wanted: so many that nobody feels the question.
const PIECE: usize = if cfg!(test) { 1 << 8 } else { 1 << 26 };

/// A part, piece by piece, for who may give it up in between: `0..n.wrapping_sub(1)` may be more iterations than anybody waits for, where the plain loop panics in
/// the first.
pub(super) fn pieces(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let Range { mut start, end } = range;
    std::iter::from_fn(move || {
        let piece = start..end.min(start.saturating_add(PIECE));
        start = piece.end;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The threads of accrue's own; none where the system has none to give.
fn pool() -> Option<&'static ThreadPool> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        ThreadPoolBuilder::new()
            .thread_name(|n| format!("accrue-{n}"))
            .stack_size(stack::of_a_helper())
            .build()
            .inspect(|pool| pool.spawn(machine::measure))
            .ok()
    };
    POOL.get_or_init(start).as_ref()
}

/// How many threads may work on a call that comes from here. Starts them.
pub(crate) fn threads() -> usize {
    let own = pool().map_or(1, ThreadPool::current_num_threads);
    match rayon_core::current_thread_index() {
        // Asking outside of every pool would start rayon's.
        Some(_) => rayon_core::current_num_threads().min(own),
        None => own,
    }
}

/// How many threads work on calls now: callers and helpers.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);

/// A thread at work.
struct AtWork(usize);

impl AtWork {
    /// A caller, unless it is a helper of another call and counted as that.
    fn caller(pool: &ThreadPool) -> AtWork {
        let count = usize::from(pool.current_thread_index().is_none());
        AT_WORK.fetch_add(count, Ordering::Relaxed);
        AtWork(count)
    }

    /// A helper, where fewer are at work than the pool has threads.
    fn helper(pool: &ThreadPool) -> Option<AtWork> {
        let helper = AtWork(1);
        (AT_WORK.fetch_add(1, Ordering::Relaxed) < pool.current_num_threads()).then_some(helper)
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        AT_WORK.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// The bit of [`Gate::state`] that says that nobody may begin any more.
const CLOSED: usize = 1;

/// What a helper that has begun adds to [`Gate::state`].
const HELPER: usize = 2;

/// How often a caller looks whether its helpers are done before it goes to sleep: they have at most a part left, and waking up takes longer.
const LOOKS: usize = 64;

/// How many helpers a caller, or a helper, wakes before it begins.
const AT_ONCE: usize = 2;

/// Through which helpers come to the work of a call.
struct Gate {
    /// [`CLOSED`], and [`HELPER`] for each that has begun and is not done.
    state: AtomicUsize,
    /// How many helpers are still to be woken.
    unwoken: AtomicUsize,
    sleep: Mutex<()>,
    done: Condvar,
    work: Work,
}

/// The work of a call, which lives as long as the call.
struct Work(*const (dyn Fn() + Sync));

// SAFETY: it points to something that is `Sync`, and which pointers exist is all that sending one changes; `Gate::help` says when it is used.
unsafe impl Send for Work {}
// SAFETY: as above.
unsafe impl Sync for Work {}

impl Gate {
    /// Wakes the next helpers, each of which first wakes those after it: waking one costs microseconds, so that a caller who woke
    /// fifteen would begin when a short call could be half done.
    fn wake(self: &Arc<Gate>, pool: &'static ThreadPool) {
        for _ in 0..AT_ONCE {
            let one_less = |unwoken: usize| unwoken.checked_sub(1);
            let woken = self
                .unwoken
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
            if woken.is_err() || self.state.load(Ordering::Relaxed) & CLOSED != 0 {
                return;
            }
            let gate = Arc::clone(self);
            pool.spawn(move || {
                gate.wake(pool);
                if let Some(_at_work) = AtWork::helper(pool) {
                    gate.help();
                }
            });
        }
    }

    /// Does the work, unless it is over.
    fn help(&self) {
        let enter = |state: usize| (state & CLOSED == 0).then_some(state + HELPER);
        if self
            .state
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, enter)
            .is_err()
        {
            return;
        }
        // SAFETY: `with_helpers` owns a borrow of what this points to. It does not return, and does not unwind, before the gate is closed
        // and every helper that has begun is done; this one has begun while it was open, and is done below, after the last use.
        let work = unsafe { &*self.work.0 };
        // What panics is the work's own to keep; nothing must pass the lines below.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            // Not even the payload's destructor.
            std::mem::forget(panic);
        }
        if self.state.fetch_sub(HELPER, Ordering::Release) == HELPER | CLOSED {
            // The caller, if it sleeps, has looked before, and holds the lock until it sleeps.
            drop(self.sleep.lock().unwrap_or_else(PoisonError::into_inner));
            self.done.notify_one();
        }
    }

    /// Lets nobody begin any more, and waits for those who have.
    fn close(&self) {
        let mut state = self.state.fetch_or(CLOSED, Ordering::Acquire) | CLOSED;
        for _ in 0..LOOKS {
            if state == CLOSED {
                return;
            }
            std::thread::yield_now();
            state = self.state.load(Ordering::Acquire);
        }
        let mut lock = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        while self.state.load(Ordering::Acquire) != CLOSED {
            lock = self.done.wait(lock).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Closes a gate whatever happens.
struct Closing<'g>(&'g Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Has `work` done by this thread, and by up to so many others meanwhile. When it returns, or unwinds, nobody does any more.
fn with_helpers(helpers: usize, work: &(dyn Fn() + Sync)) {
    let Some(pool) = pool() else {
        return work();
    };
    let _at_work = AtWork::caller(pool);
    let at_work = AT_WORK.load(Ordering::Relaxed);
    let free = pool.current_num_threads().saturating_sub(at_work);
    // SAFETY: the lifetime is forgotten, and nothing else. The gate's `help` is the one place that uses the pointer, and says why it may.
    let forgotten = unsafe {
        std::mem::transmute::<*const (dyn Fn() + Sync + '_), *const (dyn Fn() + Sync + 'static)>(
            work,
        )
    };
    let gate = Arc::new(Gate {
        state: AtomicUsize::new(0),
        unwoken: AtomicUsize::new(helpers.min(free)),
        sleep: Mutex::new(()),
        done: Condvar::new(),
        work: Work(forgotten),
    });
    let _closing = Closing(&gate);
    gate.wake(pool);
    work();
}

/// Runs `work` in up to `workers` threads, this one among them, and collects what they return, in no particular order. A thread whose
/// work panics leaves the panic with the fault and returns nothing.
pub(super) fn run<R: Send>(
    workers: usize,
    fault: &Fault,
    work: impl Fn() -> Option<R> + Sync,
) -> Vec<R> {
    let results = Mutex::new(Vec::with_capacity(workers));
    let task = || match catch_unwind(AssertUnwindSafe(&work)) {
        Ok(Some(result)) => results
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(result),
        Ok(None) => {}
        Err(panic) => fault.panicked(usize::MAX, panic),
    };
    if workers <= 1 {
        task();
    } else {
        with_helpers(workers - 1, &task);
    }
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Has `work` done by up to so many threads at the same time, this one among them. Nobody does any more when it returns.
pub(super) fn all(workers: usize, work: &(dyn Fn() + Sync)) {
    match workers {
        0 | 1 => work(),
        workers => with_helpers(workers - 1, work),
    }
}

/// Calls `step` for each of some items, by up to so many threads.
///
/// # Panics
///
/// If a step does.
pub(crate) fn each<I: Iterator + Send>(workers: usize, items: I, step: impl Fn(I::Item) + Sync)
where
    I::Item: Send,
{
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let panic: Mutex<Option<Box<dyn Any + Send>>> = Mutex::new(None);
    let task = || {
        while let Some(item) = next() {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| step(item))) {
                *panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
                return;
            }
        }
    };
    if workers <= 1 {
        task();
    } else {
        with_helpers(workers - 1, &task);
    }
    if let Some(panic) = panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::{Duration, Instant};

    use super::*;

    /// How often it is tried: less where an interpreter does.
    const ROUNDS: usize = if cfg!(miri) { 10 } else { 200 };

    #[test]
    fn parts_cover_a_range_once() {
        for (range, count) in [(0..10, 3), (5..6, 4), (7..7, 2), (0..1000, 7)] {
            let parts = Parts::new(range.clone(), count);
            let mut next = range.start;
            while let Some((_, part)) = parts.take() {
                assert_eq!(part.start, next);
                assert!(!part.is_empty());
                next = part.end;
            }
            assert_eq!(next, range.end);
        }
        assert_eq!(Parts::new(0..usize::MAX, 3).part(2).end, usize::MAX);
    }

    #[test]
    fn a_panic_is_kept_and_those_of_other_threads_with_it() {
        let fault = Fault::default();
        assert_eq!(run(1, &fault, || Some(1)), [1]);
        assert!(!fault.is_set());
        for workers in [1, 3] {
            let fault = Fault::default();
            let results = run(workers, &fault, || -> Option<u8> {
                resume_unwind(Box::new(7))
            });
            assert!(results.is_empty() && fault.is_set());
            let panic = catch_unwind(AssertUnwindSafe(|| fault.panic()));
            let panic = panic
                .map(|never: ()| never)
                .expect_err("the panic was kept");
            assert_eq!(panic.downcast_ref(), Some(&7));
        }
    }

    #[test]
    fn each_item_is_seen_once() {
        for workers in [1, 2, 5] {
            let sum = AtomicUsize::new(0);
            each(workers, 1..=1000usize, |item| {
                sum.fetch_add(item, Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), 500_500);
        }
        let panics = catch_unwind(|| each(2, 0..10, |item| assert!(item < 5, "stop")));
        assert!(panics.is_err());
    }

    /// Whoever does the work when the call returns would read what is gone.
    #[test]
    fn a_call_waits_for_those_who_have_begun_and_for_nobody_else() {
        for round in 0..ROUNDS {
            let at_work = AtomicUsize::new(0);
            let begun = AtomicUsize::new(0);
            let result = catch_unwind(AssertUnwindSafe(|| {
                with_helpers(3, &|| {
                    at_work.fetch_add(1, Ordering::SeqCst);
                    begun.fetch_add(1, Ordering::SeqCst);
                    if round % 2 == 0 {
                        std::thread::sleep(Duration::from_micros(200));
                    }
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    assert!(round % 3 > 0, "the caller may unwind");
                });
            }));
            let count = begun.load(Ordering::SeqCst);
            assert_eq!(at_work.load(Ordering::SeqCst), 0, "round {round}");
            assert_eq!(result.is_err(), round % 3 == 0);
            std::thread::yield_now();
            assert_eq!(begun.load(Ordering::SeqCst), count, "nobody begins later");
        }
    }

    /// Each that is woken wakes the next; other tests may have all threads at work for a while.
    #[test]
    fn all_threads_come_to_work_that_waits_for_them() {
        let all = threads();
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let begun = AtomicUsize::new(0);
            let patience = Instant::now() + Duration::from_millis(200);
            with_helpers(all - 1, &|| {
                begun.fetch_add(1, Ordering::SeqCst);
                while begun.load(Ordering::SeqCst) < all && Instant::now() < patience {
                    std::thread::yield_now();
                }
            });
            match begun.into_inner() {
                begun if begun == all => return,
                begun => assert!(Instant::now() < until, "{begun} of {all}"),
            }
        }
    }

    thread_local! {
        static BUSY: Cell<bool> = const { Cell::new(false) };
    }

    /// Tasks of rayon's that call, and that must not meet on one thread.
    #[test]
    fn a_caller_that_waits_runs_nothing_else() {
        let until = Instant::now() + Duration::from_secs(30);
        rayon_core::scope(|scope| {
            for _ in 0..ROUNDS {
                scope.spawn(|_| {
                    assert!(!BUSY.replace(true), "a foreign task on a thread that waits");
                    let fault = Fault::default();
                    run(4, &fault, || {
                        std::thread::sleep(Duration::from_micros(50));
                        Some(())
                    });
                    BUSY.set(false);
                });
            }
        });
        assert!(Instant::now() < until);
    }

    #[test]
    fn calls_within_calls_from_many_threads_come_to_their_end() {
        let sum = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..ROUNDS / 10 {
                        each(4, 0..8, |_| {
                            each(4, 0..8, |item| {
                                sum.fetch_add(item, Ordering::Relaxed);
                            });
                        });
                    }
                });
            }
        });
        assert_eq!(sum.into_inner(), 16 * (ROUNDS / 10) * 8 * 28);
    }
}

//! What earlier calls of a loop took, in order and in parallel, so that the next one of the size goes the faster way.
//!
//! An estimate is often wrong by a factor of three: whether the plain loop is done by wide instructions, how long its inner loops are, what
//! memory does, nobody knows who has not run it. So calls that are worth it are timed as a whole, and the two ways compared for calls of a
//! similar size: items and bytes of bins by their power of two.
//!
//! The first call goes by the estimate and by the time of its first items. Where it has gone in parallel, and the plain loop might have been as fast by
//! what is known, the second one goes in order. From then on the faster way is taken, and the other one is tried again now and then: soon, as long as one of the
//! times stands alone (a first call meets cold memory), and then so seldom that it costs about a hundredth. What one way takes
//! much more or less than before is taken to have changed for both.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, TryLockError};

use super::choose::Choice;
use super::strategy::template::Undo;

/// How many sizes are remembered.
const SIZES: usize = 16;

/// Calls shorter than this are not remembered, in nanoseconds: they are not worth two workers.
const SHORT: f64 = 20_000.0;

/// How many times faster than a worker's private tables the plain loop may be. (Four, where it is vectorised and private tables are not.)
const PLAIN: f64 = 0.3;

/// What parallel must gain over sequential to be taken up again.
const GAIN: f64 = 0.95;

/// After how many calls the slower way is tried again, as long as one of the times stands alone.
const SOON: u32 = 3;

/// The most calls that go by before it is tried again.
const SELDOM: u32 = 4096;

/// What calls are alike in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    items: u32,
    bytes: u32,
    threads: u32,
}

impl Size {
    /// Of so many items and bytes of bins, in a pool of so many threads (0 outside of one).
    pub(super) fn new(items: usize, bytes: usize, threads: usize) -> Size {
        Size {
            items: items.max(1).ilog2(),
            bytes: bytes.max(1).ilog2(),
            threads: threads as u32,
        }
    }
}

/// The time of one way, in nanoseconds for an item.
#[derive(Clone, Copy, Debug)]
struct Time {
    each: f64,
    /// Whether it is of one call.
    alone: bool,
}

impl Time {
    /// The time of a call more. Says by what factor it has changed, if by much.
    fn note(time: &mut Option<Time>, each: f64) -> Option<f64> {
        let Some(known) = time else {
            *time = Some(Time { each, alone: true });
            return None;
        };
        let factor = each / known.each;
        // A first call that was slow says nothing of a change.
        let changed = !(0.5..=2.0).contains(&factor) && !known.alone;
        *known = Time {
            each: if changed || factor < 1.0 {
                each
            } else {
                // Others may have used the machine.
                known.each * 0.75 + each * 0.25
            },
            alone: changed,
        };
        changed.then_some(factor)
    }
}

/// What is known of calls of a size.
#[derive(Clone, Copy, Debug)]
struct Entry {
    size: Size,
    sequential: Option<Time>,
    parallel: Option<Time>,
    /// How the last parallel call went.
    choice: Choice,
    /// Whether the sequential loop may be as fast as the parallel call was, by what is known of it.
    doubtful: bool,
    /// How many calls have gone the faster way since the other one was tried.
    since: u32,
    /// How many do before it is.
    wait: u32,
}

/// What earlier calls say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Advice {
    /// Nothing.
    Nothing,
    /// So long took an item in order; in parallel none was run.
    Timed(f64),
    /// To go in order, with the times of an item in order and in parallel.
    Sequential(f64, f64),
    /// To go in parallel, with the same.
    Parallel(Choice, f64, f64),
    /// To go in order, since it is not known how long that takes, or no longer.
    TrySequential,
    /// To go in parallel for the same reason.
    TryParallel(Choice),
}

/// How a call has gone.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// In order.
    Sequential,
    /// In parallel: how, for how long all workers together, and how long an item would take in order by the first ones.
    Parallel(Choice, f64, Option<f64>),
}

/// What is known of the calls of a loop.
#[derive(Debug)]
pub(super) struct History {
    /// Whether anything is.
    any: AtomicBool,
    /// The size that was noted last comes first.
    entries: Mutex<[Option<Entry>; SIZES]>,
}

impl History {
    pub(super) const fn new() -> History {
        History {
            any: AtomicBool::new(false),
            entries: Mutex::new([None; SIZES]),
        }
    }

    /// Looks at the entries, unless another thread does: nobody waits for an advice.
    fn entries<R>(&self, look: impl FnOnce(&mut [Option<Entry>; SIZES]) -> R) -> Option<R> {
        match self.entries.try_lock() {
            Ok(mut entries) => Some(look(&mut entries)),
            Err(TryLockError::Poisoned(entries)) => Some(look(&mut entries.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// What earlier calls say of one of this size that begins.
    pub(super) fn advise(&self, size: Size) -> Advice {
        if !self.any.load(Ordering::Relaxed) {
            return Advice::Nothing;
        }
        let advice = self.entries(|entries| {
            let mut entries = entries.iter_mut().flatten();
            entries.find(|entry| entry.size == size).map(Entry::advise)
        });
        advice.flatten().unwrap_or(Advice::Nothing)
    }

    /// Notes that a call of so many items has taken so many nanoseconds.
    pub(super) fn note(&self, size: Size, items: usize, nanoseconds: f64, way: Way) {
        if nanoseconds < SHORT && !self.any.load(Ordering::Relaxed) {
            return;
        }
        self.any.store(true, Ordering::Relaxed);
        self.entries(|entries| {
            let known = |entry: &Option<Entry>| entry.is_some_and(|entry| entry.size == size);
            // The last one makes room.
            let at = entries.iter().position(known).unwrap_or(SIZES - 1);
            entries[..=at].rotate_right(1);
            let first = &mut entries[0];
            let entry = match first {
                Some(entry) if entry.size == size => entry,
                other => other.insert(Entry {
                    size,
                    sequential: None,
                    parallel: None,
                    choice: Choice::sequential(Undo::Count),
                    doubtful: true,
                    since: 0,
                    wait: SOON,
                }),
            };
            entry.note(items, nanoseconds, way);
        });
    }
}

impl Entry {
    fn advise(&mut self) -> Advice {
        match (self.sequential, self.parallel) {
            (None, None) => Advice::Nothing,
            (Some(sequential), None) => Advice::Timed(sequential.each),
            (None, Some(_)) if self.doubtful => Advice::TrySequential,
            (None, Some(parallel)) => Advice::Parallel(self.choice, f64::NAN, parallel.each),
            (Some(sequential), Some(parallel)) => {
                let faster = parallel.each < sequential.each * GAIN;
                self.since += 1;
                if self.since > self.wait {
                    self.since = 0;
                    self.wait = self.next_wait(sequential, parallel);
                    return match faster {
                        true => Advice::TrySequential,
                        false => Advice::TryParallel(self.choice),
                    };
                }
                match faster {
                    true => Advice::Parallel(self.choice, sequential.each, parallel.each),
                    false => Advice::Sequential(sequential.each, parallel.each),
                }
            }
        }
    }

    /// After how many calls the slower way costs about a hundredth of them; twice as many from time to time.
    fn next_wait(&self, sequential: Time, parallel: Time) -> u32 {
        let (slow, fast) = match sequential.each < parallel.each {
            true => (parallel, sequential),
            false => (sequential, parallel),
        };
        let ratio = slow.each / fast.each.max(f64::MIN_POSITIVE);
        if slow.alone && ratio < 3.0 {
            return SOON;
        }
        let cheap = ((ratio - 1.0) * 100.0).clamp(16.0, f64::from(SELDOM)) as u32;
        cheap.max(self.wait.saturating_mul(2)).min(cheap * 8)
    }

    fn note(&mut self, items: usize, nanoseconds: f64, way: Way) {
        let each = nanoseconds / items.max(1) as f64;
        let (mine, other) = match way {
            Way::Sequential => (&mut self.sequential, &mut self.parallel),
            Way::Parallel(choice, busy, guess) => {
                self.choice = choice;
                self.doubtful = match guess {
                    Some(guess) => guess < each * 1.5,
                    None => busy * PLAIN < nanoseconds,
                };
                (&mut self.parallel, &mut self.sequential)
            }
        };
        if let Some(factor) = Time::note(mine, each) {
            if let Some(other) = other {
                *other = Time {
                    each: other.each * factor,
                    alone: true,
                };
            }
            (self.since, self.wait) = (0, SOON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategy::table::Strategy;
    use super::super::strategy::template::Plan;
    use super::*;

    const SOME: Choice = Choice {
        strategy: Strategy::Private,
        plan: Plan::of(2),
    };

    fn size(items: usize) -> Size {
        Size::new(items, 1024, 0)
    }

    /// Runs calls whose times are given by way, in nanoseconds for an item, and says how many of them went in order.
    fn calls(history: &History, count: usize, sequential: f64, parallel: f64) -> usize {
        let items = 100_000;
        let mut in_order = 0;
        for _ in 0..count {
            let way = match history.advise(size(items)) {
                Advice::Nothing | Advice::Timed(_) => Way::Parallel(SOME, 2e9, None),
                Advice::Parallel(choice, ..) | Advice::TryParallel(choice) => {
                    Way::Parallel(choice, 2e9, None)
                }
                Advice::Sequential(..) | Advice::TrySequential => Way::Sequential,
            };
            let each = match way {
                Way::Sequential => sequential,
                Way::Parallel(..) => parallel,
            };
            in_order += usize::from(matches!(way, Way::Sequential));
            history.note(size(items), items, each * items as f64, way);
        }
        in_order
    }

    fn doubtful() -> History {
        let history = History::new();
        history.note(size(100_000), 100_000, 1e6, Way::Parallel(SOME, 1e6, None));
        history
    }

    #[test]
    fn the_faster_way_is_taken_and_the_other_one_seldom() {
        let history = doubtful();
        assert_eq!(history.advise(size(100_000)), Advice::TrySequential);
        assert!(calls(&history, 200, 5.0, 10.0) > 190);
        let history = doubtful();
        assert!((1..10).contains(&calls(&history, 200, 20.0, 10.0)));
        // A hundredth of what the slow one costs more.
        assert!((1..20).contains(&calls(&history, 10_000, 200.0, 10.0)));
    }

    #[test]
    fn a_change_of_the_times_is_noticed() {
        let history = doubtful();
        calls(&history, 100, 5.0, 10.0);
        // Rows have become longer: both ways take as many times longer, and what was in order stays.
        assert!(calls(&history, 100, 50.0, 100.0) > 90);
        // Now parallel gains.
        calls(&history, 100, 50.0, 30.0);
        assert!(calls(&history, 100, 50.0, 30.0) < 10);
    }

    #[test]
    fn a_slow_first_call_is_forgotten() {
        let history = History::new();
        let items = 100_000;
        history.note(size(items), items, 30.0 * 1e5, Way::Sequential);
        history.note(
            size(items),
            items,
            10.0 * 1e5,
            Way::Parallel(SOME, 2e6, None),
        );
        calls(&history, 10, 5.0, 10.0);
        assert!(calls(&history, 100, 5.0, 10.0) > 90);
    }

    #[test]
    fn sizes_are_apart_and_the_oldest_makes_room() {
        let history = doubtful();
        assert_eq!(history.advise(size(1_000_000)), Advice::Nothing);
        assert_eq!(history.advise(Size::new(100_000, 4096, 0)), Advice::Nothing);
        assert_eq!(history.advise(Size::new(100_000, 1024, 3)), Advice::Nothing);
        for power in 20..20 + SIZES - 1 {
            history.note(size(1 << power), 1 << power, 1e9, Way::Sequential);
        }
        assert_eq!(history.advise(size(100_000)), Advice::TrySequential);
        history.note(size(1 << 50), 1 << 50, 1e9, Way::Sequential);
        assert_eq!(history.advise(size(100_000)), Advice::Nothing);
        assert!(matches!(history.advise(size(1 << 50)), Advice::Timed(_)));
    }

    #[test]
    fn what_clearly_gains_is_not_tried_in_order() {
        let history = History::new();
        let way = |busy, guess| Way::Parallel(SOME, busy, guess);
        // Sixteen workers were busy all the time.
        history.note(size(1000), 1000, 1e6, way(16e6, None));
        assert!(matches!(history.advise(size(1000)), Advice::Parallel(..)));
        // The first items took twice as long as items did in parallel.
        history.note(size(9000), 9000, 9e6, way(9e6, Some(2000.0)));
        assert!(matches!(history.advise(size(9000)), Advice::Parallel(..)));
        assert_eq!(history.advise(size(30)), Advice::Nothing);
        let short = History::new();
        short.note(size(30), 30, 900.0, Way::Sequential);
        assert_eq!(short.advise(size(30)), Advice::Nothing);
    }
}

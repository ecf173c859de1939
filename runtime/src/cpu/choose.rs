//! Which strategy runs a call, by what is known when the loop starts.
//!
//! Each strategy of the [table](super::strategy::table) offers to run it and says what that costs in nanoseconds, and the cheapest runs, if it gains enough over
//! the sequential loop. No strategy takes more memory than [`budget`](super::case::budget) says; one that would makes no offer.
//!
//! The estimate is what there is before a loop has run. Where it says that workers may be worth it, the first items are timed, and from the
//! second call of a size on what earlier ones took is what counts ([`history`](super::history)).

use std::fmt;

use super::case::Case;
use super::request::Request;
use super::strategy::sequential;
use super::strategy::table::Strategy;
use super::strategy::template::{Plan, Undo};

/// Waking the workers and waiting for them: 30 us where they have just worked, 100 us where they sleep, up to 450 us where
/// they sleep on a virtual machine that is idle otherwise, so that its processors sleep too. A call must not be slower than the
/// user's own loop; this is where those of a millisecond gain nothing on two such processors and lose nothing.
const LAUNCH: f64 = 250_000.0;

/// What a parallel strategy may cost in terms of the sequential loop: less is no gain to be sure of.
const GAIN: f64 = 0.8;

/// The same for calls that are too small for workers: the estimate of the sequential loop may be twice what it takes.
const ALONE: f64 = 0.4;

/// The least time of each worker, in nanoseconds, for which it is worth waking it.
pub(super) const WORTH: f64 = 20_000.0;

/// The first items of a loop are timed before workers are woken if what has to be prepared for it takes less than this part of the loop: updates
/// that do not meet overlap, so that a loop may take a third of the estimate, and workers would then cost more than they bring.
const PREPARED: f64 = 0.02;

/// How long the first items that are timed take, by the estimate: most loops are faster, and the next ones are
/// timed too, in warm caches.
const FIRST: f64 = 5_000.0;

/// A strategy, and how it is to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) strategy: Strategy,
    pub(super) plan: Plan,
}

impl Choice {
    /// The user's own loop, undone like this.
    pub(super) const fn sequential(undo: Undo) -> Choice {
        Choice {
            strategy: Strategy::Sequential,
            plan: Plan::in_order(undo),
        }
    }

    /// Whether it is the user's own loop.
    pub(super) fn is_sequential(&self) -> bool {
        self.strategy == Strategy::Sequential
    }
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Decision {
    /// To run all items.
    Run(Choice),
    /// The first items show how long they take; so many are timed first, and undone like this.
    Measure(Undo, usize),
}

/// What each strategy that offered to run a call would take, in microseconds.
pub(super) type Offers = [Option<f64>; Strategy::ALL.len()];

/// What is said of a loop whose names do not mean what the compiler took them for.
pub(crate) const UNCONFIRMED: &str =
    "[accrue::H045] what the loop calls is not the function that `uses(..)` leads to by that name";

/// Why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reason {
    /// The strategy was asked for.
    Asked,
    /// The device `seq` was asked for.
    SequentialDevice,
    /// A name in the loop is not what the compiler took it for.
    Unconfirmed,
    /// Only the sequential order tells which sums overflow.
    Ordered,
    /// There is not enough to do: the sequential loop takes so many microseconds.
    Small(f64),
    /// The costs in microseconds: sequential, and of what else was weighed.
    Cheapest(f64, Offers),
    /// A fixed number of parts.
    Deterministic,
    /// The time of an item is not known.
    Unmeasured,
    /// Earlier calls of the size took so many microseconds in order and in parallel.
    Learned(f64, f64),
    /// How long the sequential loop takes is not known, or no longer.
    Trying,
    /// For the values of this call iterations may read or write what others write.
    Meeting,
    /// What a loop groups by keys begins in a way that counts, or may overflow where that is checked.
    Begins,
    /// An array of another crate is no slice in this call.
    Lying,
    /// Rows of bins lie apart.
    Apart,
    /// There are many bins whose fields would have to be copied, for the iterations.
    Fields,
    /// The whole loop takes so many microseconds in order.
    Short(f64),
    /// What is left after the first iterations takes so many microseconds in order.
    Split(f64),
    /// There was no memory for another strategy.
    Memory,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Asked => f.write_str("it was asked for"),
            Reason::SequentialDevice => f.write_str("the device is `seq`"),
            Reason::Unconfirmed => f.write_str(UNCONFIRMED),
            Reason::Ordered => f.write_str(
                "overflow is checked, and for signed sums, for sums with `+=` and `-=` and for products only the sequential order tells where it happens",
            ),
            Reason::Meeting => f.write_str(
                "for the values of this call an iteration may read or write what another one writes",
            ),
            Reason::Begins => f.write_str("what entries begin with is no neutral value of what is combined into them, or only the order tells where they overflow"),
            Reason::Lying => f.write_str("an array does not lie row by row, or has no elements, or an index would leave it"),
            Reason::Apart => f.write_str("rows of its bins lie apart from each other"),
            Reason::Fields => f.write_str("the fields of its bins would have to be copied, and there are too few iterations for so many, or one that is compared is NaN"),
            Reason::Short(us) => write!(f, "it takes about {us:.1} us"),
            Reason::Split(us) => write!(f, "in order it would take about {us:.0} us more"),
            Reason::Small(us) => {
                write!(f, "the whole loop takes about {us:.1} us, and waking workers {:.0} us", LAUNCH / 1000.0)
            }
            Reason::Cheapest(sequential, offers) => {
                write!(f, "expected: sequential {sequential:.0} us")?;
                let offers = Strategy::ALL.iter().zip(offers);
                for (strategy, us) in offers.filter_map(|(s, us)| Some((s, (*us)?))) {
                    write!(f, ", {} {us:.0} us", strategy.name())?;
                }
                Ok(())
            }
            Reason::Deterministic => {
                f.write_str("deterministic: the parts depend on the items and the bins alone")
            }
            Reason::Unmeasured => f.write_str("the first items are timed"),
            Reason::Learned(sequential, parallel) if sequential.is_nan() => {
                write!(f, "earlier calls of the size took: parallel {parallel:.0} us")
            }
            Reason::Learned(sequential, parallel) => write!(
                f,
                "earlier calls of the size took: sequential {sequential:.0} us, parallel {parallel:.0} us"
            ),
            Reason::Trying => f.write_str("to know how long it takes this way, for the calls to come"),
            Reason::Memory => f.write_str("there was no memory for another strategy"),
        }
    }
}

impl Case {
    /// The decision, and why.
    pub(super) fn choose(&self) -> (Decision, Reason) {
        let (undo, undoing) = sequential::undo(self);
        let in_order = Decision::Run(Choice::sequential(undo));
        if self.facts.ordered {
            return (in_order, Reason::Ordered);
        }
        if self.fixed {
            let fixed = |s: Strategy| Some((s, s.template().fixed(self)?));
            let decision = match self.with_form().find_map(fixed) {
                Some((strategy, plan)) => Decision::Run(Choice { strategy, plan }),
                None => in_order,
            };
            return (decision, Reason::Deterministic);
        }
        if self.work.is_none() && self.items > 1 && undo != Undo::Rehearsal {
            return (Decision::Measure(undo, 1), Reason::Unmeasured);
        }
        let sequential = self.updating() + undoing;
        if sequential < 2.0 * WORTH {
            // Not enough for two, so nobody asks how many there are.
            return self
                .alone(sequential)
                .unwrap_or((in_order, Reason::Small(sequential / 1e3)));
        }
        let most = (sequential / WORTH) as usize;
        let workers = self.threads().min(most).min(self.items).max(1);
        let (best, offers) = self.best_offer(workers);
        let reason = Reason::Cheapest(sequential / 1e3, offers);
        // What lanes and prefetches gain the model does not know: one worker may cost a little.
        let bound = match workers {
            1 => sequential * 1.05,
            _ => sequential * GAIN,
        };
        let Some((choice, _)) = best.filter(|(_, cost)| *cost <= bound) else {
            return (in_order, reason);
        };
        let timing = undo != Undo::Rehearsal && undoing <= sequential * PREPARED && !self.timed;
        // Iterations that update bins of their own are told by their work.
        let sure = choice.strategy.template().is_sure();
        if timing && workers > 1 && !self.injective && !sure {
            let first = (self.items as f64 * FIRST / sequential) as usize;
            return (Decision::Measure(undo, first.max(1)), Reason::Unmeasured);
        }
        (Decision::Run(choice), reason)
    }

    /// What one worker does better than the sequential loop, of which so much is expected, where that does not depend on the body.
    fn alone(&self, sequential: f64) -> Option<(Decision, Reason)> {
        self.alike?;
        let (best, offers) = self.best_offer(1);
        let (choice, _) = best.filter(|(choice, cost)| {
            choice.strategy.template().is_sure() && *cost <= sequential * ALONE
        })?;
        let reason = Reason::Cheapest(sequential / 1e3, offers);
        Some((Decision::Run(choice), reason))
    }

    /// The strategies that have a form for the loop.
    fn with_form(&self) -> impl Iterator<Item = Strategy> {
        Strategy::ALL
            .into_iter()
            .filter(|strategy| strategy.template().has_form(self))
    }

    /// The cheapest offer with what it costs in nanoseconds, and all.
    fn best_offer(&self, workers: usize) -> (Option<(Choice, f64)>, Offers) {
        let launch = if workers > 1 { LAUNCH } else { 0.0 };
        let mut offers = Offers::default();
        let mut best: Option<(Choice, f64)> = None;
        for strategy in self.with_form() {
            let Some((plan, cost)) = strategy.template().offer(self, workers, launch) else {
                continue;
            };
            offers[strategy as usize] = Some(cost / 1e3);
            if best.is_none_or(|(_, least)| cost < least) {
                best = Some((Choice { strategy, plan }, cost));
            }
        }
        (best, offers)
    }

    /// Whether a way that a call of a similar size has gone may be taken by this one.
    pub(super) fn fits(&self, choice: &Choice) -> bool {
        let template = choice.strategy.template();
        template.has_form(self) && template.fits(self, &choice.plan)
    }

    /// The choice that was asked for.
    pub(super) fn obey(&self, request: &Request) -> Choice {
        let asked = request.strategy;
        let has_form = |s: &Strategy| s.template().has_form(self);
        let mut others = self.with_form().filter(|s| *s != Strategy::Sequential);
        let strategy = Some(asked).filter(has_form).or_else(|| others.next());
        let strategy = strategy.unwrap_or(Strategy::Sequential);
        Choice {
            strategy,
            plan: strategy.template().obey(self, &request.wishes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::{FIXED_PARTS, budget};
    use super::super::machine::known;
    use super::super::member::Facts;
    use super::*;

    /// In order.
    const fn sequential(undo: Undo) -> Decision {
        Decision::Run(Choice::sequential(undo))
    }

    /// The plan, if a decision is for this strategy.
    fn plan_of(strategy: Strategy, decision: Decision) -> Option<Plan> {
        match decision {
            Decision::Run(choice) if choice.strategy == strategy => Some(choice.plan),
            _ => None,
        }
    }

    fn private(decision: Decision) -> Option<Plan> {
        plan_of(Strategy::Private, decision)
    }

    fn undo(case: &Case) -> Undo {
        super::sequential::undo(case).0
    }

    /// Counting: `hist[k as usize] += 1` in u32.
    fn counting(items: usize, bins: usize, threads: usize) -> Case {
        Case {
            items,
            work: Some(0.5),
            sites: 1,
            rehearsal: None,
            journal: false,
            facts: Facts {
                bins,
                bytes: bins * 4,
                longest: bins,
                ..Facts::NONE
            },
            timed: false,
            threads: Some(threads),
            pure: true,
            fixed: false,
            injective: false,
            uneven: false,
            updates: None,
            machine: known("GenuineIntel"),
            alike: None,
        }
    }

    #[test]
    fn little_work_is_left_to_the_users_loop() {
        for items in [1, 100, 10_000] {
            let (choice, reason) = counting(items, 256, 64).choose();
            assert_eq!(choice, sequential(Undo::Count));
            assert!(reason.to_string().starts_with("the whole loop takes about"));
        }
    }

    #[test]
    fn much_work_goes_to_every_worker() {
        for threads in [2, 8, 64] {
            let mut case = counting(100_000_000, 4096, threads);
            assert!(matches!(case.choose().0, Decision::Measure(Undo::Count, _)));
            case.timed = true;
            let (choice, _) = case.choose();
            assert_eq!(private(choice), Some(Plan::of(threads)));
        }
        // Not more workers than there is work for.
        let mut case = counting(600_000, 256, 64);
        (case.work, case.timed) = (Some(0.8), true);
        let (choice, _) = case.choose();
        assert!((2..32).contains(&private(choice).expect("private tables").workers));
    }

    #[test]
    fn work_that_may_be_too_little_is_timed_first() {
        // A photograph: three updates of one pixel, which overlap.
        let mut case = counting(524_288, 768, 2);
        case.sites = 3;
        let (choice, reason) = case.choose();
        assert_eq!(reason, Reason::Unmeasured);
        assert!(matches!(choice, Decision::Measure(Undo::Count, 1000..4000)));
        (case.work, case.timed) = (Some(0.9), true);
        assert!(plan_of(Strategy::Sequential, case.choose().0).is_some());
        case.work = Some(2.4);
        assert_eq!(private(case.choose().0).map(|plan| plan.workers), Some(2));
    }

    #[test]
    fn many_bins_and_few_items_are_not_worth_a_table_each() {
        let mut case = counting(1_000_000, 50_000_000, 16);
        (case.work, case.timed) = (Some(2.6), true);
        let (choice, reason) = case.choose();
        assert!(
            plan_of(Strategy::Partitioned, choice).is_some_and(|plan| plan.workers == 16),
            "{choice:?}: {reason}"
        );
        let (choice, _) = counting(1_000_000, 50_000_000, 1).choose();
        assert_eq!(choice, sequential(Undo::Count));
    }

    #[test]
    fn lists_are_no_faster_for_more_workers() {
        // 16 tables of it are a little more than there is memory for.
        let mut case = counting(1 << 26, 1_092_546, 16);
        for work in [1.4, 4.0, 10.0] {
            (case.work, case.timed) = (Some(work), true);
            assert_eq!(private(case.choose().0), Some(Plan::of(15)), "{work}");
        }
        // Three workers with tables are faster than sixteen that write lists.
        let mut case = counting(1 << 26, 5_000_000, 16);
        (case.work, case.timed) = (Some(2.6), true);
        assert_eq!(private(case.choose().0), Some(Plan::of(3)));
    }

    #[test]
    fn one_thread_fills_a_table_where_it_costs_little() {
        let (choice, _) = counting(100_000_000, 4096, 1).choose();
        assert_eq!(private(choice), Some(Plan::of(1)));
    }

    #[test]
    fn checked_overflow_that_depends_on_the_order_is_sequential() {
        let mut case = counting(100_000_000, 256, 8);
        case.facts.ordered = true;
        assert_eq!(case.choose(), (sequential(Undo::Count), Reason::Ordered));
        // Beside bins that cannot be taken back, whatever would be cheaper.
        (case.facts.invertible, case.facts.overflows) = (false, true);
        (case.items, case.journal, case.facts.bytes) = (10, true, 1 << 30);
        assert_eq!(undo(&case), Undo::Snapshot);
        assert_eq!(case.choose(), (sequential(Undo::Snapshot), Reason::Ordered));
    }

    #[test]
    fn the_cheapest_way_back_is_prepared() {
        let mut case = counting(1000, 1_000_000, 2);
        assert_eq!(undo(&case), Undo::Count);
        case.pure = false;
        assert_eq!(undo(&case), Undo::Journal);
        case.facts.bytes = 4096;
        assert_eq!(undo(&case), Undo::Snapshot);
        // A quick journal, for as long as it may be.
        (case.pure, case.journal, case.facts.invertible) = (true, true, false);
        case.items = 500;
        assert_eq!(undo(&case), Undo::Journal);
        (case.items, case.facts.bytes) = (300_000, 4_000_000);
        assert_eq!(undo(&case), Undo::Rehearsal);
        let mut case = counting(100_000_000, 1_000_000, 1);
        case.facts.invertible = false;
        assert_eq!(undo(&case), Undo::Snapshot);
        case.items = 1000;
        assert_eq!(undo(&case), Undo::Rehearsal);
        case.facts.overflows = true;
        assert_eq!(undo(&case), Undo::Journal);
    }

    #[test]
    fn fixed_parts_do_not_depend_on_the_threads() {
        let parts = |items, threads| {
            let mut case = counting(items, 4096, threads);
            case.fixed = true;
            match case.choose().0 {
                Decision::Run(choice) if choice.is_sequential() => 1,
                decision => {
                    let plan = private(decision).expect("private tables");
                    assert!(plan.workers <= threads && plan.fixed);
                    plan.parts
                }
            }
        };
        for items in [10, 100_000, 10_000_000] {
            assert!((1..=64).all(|threads| parts(items, threads) == parts(items, 1)));
        }
        assert_eq!(parts(10_000_000, 1), FIXED_PARTS);
    }

    #[test]
    fn light_injective_loops_are_left_alone_and_heavy_ones_split() {
        let mut case = counting(100_000, 100_000, 2);
        case.injective = true;
        assert_eq!(case.choose().0, sequential(Undo::Count));
        case.work = Some(50.0);
        let plan = plan_of(Strategy::Injective, case.choose().0);
        assert_eq!(plan.map(|plan| plan.workers), Some(2));
    }

    #[test]
    fn unknown_work_is_timed() {
        let mut case = counting(1000, 256, 2);
        case.work = None;
        assert_eq!(
            case.choose(),
            (Decision::Measure(Undo::Count, 1), Reason::Unmeasured)
        );
        // One item alone cannot be split.
        case.items = 1;
        assert!(plan_of(Strategy::Sequential, case.choose().0).is_some());
    }

    #[test]
    fn no_strategy_takes_more_memory_than_a_call_may() {
        for (bins, threads) in [
            (20_000_000, 2),
            (20_000_000, 64),
            (1_000_000, 64),
            (400, 64),
        ] {
            let mut case = counting(1 << 40, bins, threads);
            (case.work, case.timed) = (Some(4.0), true);
            let decision = case.choose().0;
            match private(decision) {
                Some(plan) => {
                    let bytes = plan.workers * case.facts.bytes;
                    assert!(bytes <= budget(case.facts.bytes), "{bins}");
                    assert!(bins < 20_000_000 && plan.workers > 1);
                }
                // In rounds.
                None => {
                    assert!(plan_of(Strategy::Partitioned, decision).is_some());
                    let round = Strategy::Partitioned.template().round(&case);
                    assert!(round * 8 < 64 << 20, "{bins} bins and {threads} threads");
                }
            }
            // What cannot be taken back has one round.
            case.facts.invertible = false;
            let decision = case.choose().0;
            assert!(
                plan_of(Strategy::Partitioned, decision).is_none(),
                "{decision:?}"
            );
            (case.fixed, case.facts.rounds) = (true, true);
            if let Some(Plan { parts, .. }) = private(case.choose().0) {
                assert!(parts * case.facts.bytes <= budget(case.facts.bytes));
            }
        }
    }

    #[test]
    fn a_journal_of_who_knows_how_many_updates_gives_way_to_a_small_copy() {
        let mut case = counting(4, 2048, 2);
        (case.work, case.uneven, case.facts.invertible) = (None, true, false);
        assert_eq!(undo(&case), Undo::Snapshot);
        case.facts.bytes = 1 << 20;
        assert_eq!(undo(&case), Undo::Journal);
        // Counted in a call before.
        case.updates = Some(50_000_000);
        assert_eq!(undo(&case), Undo::Snapshot);
    }

    #[test]
    fn what_has_no_form_for_a_loop_is_stood_in_for() {
        let ask = |case: &Case, text: &str| case.obey(&text.parse().expect("a strategy"));
        let mut case = counting(1000, 256, 4);
        assert_eq!(
            ask(&case, "injective:workers=3").strategy,
            Strategy::Private
        );
        case.injective = true;
        let choice = ask(&case, "private:workers=3,parts=5");
        assert_eq!(choice.strategy, Strategy::Injective);
        assert_eq!((choice.plan.workers, choice.plan.parts), (3, 5));
        assert_eq!(ask(&case, "partitioned").strategy, Strategy::Partitioned);
        assert_eq!(ask(&case, "sequential"), Choice::sequential(Undo::Count));
    }
}

//! The strategy `counted`: how often each value of the items occurs is counted, and the body runs once for each value.
//!
//! Items that are bytes have 256 values at most. An iteration that depends on its item alone does the same for all items of a value, so its
//! updates are made as often as the value occurs, all at once: [`repeat`](crate::cpu::op::repeat). Any body will do, with a
//! table in it, conditions or inner loops, and any operators of integers; sums of floats would round otherwise. Counting needs no bins
//! ([`bytes`]), so workers have no tables to be merged.
//!
//! Items of a few bytes, the colours of a pixel, are counted column by column, where the compiler says which column each update depends on.
//!
//! Symbols: N items of b bytes, W workers. Time: N `EACH` b / W and 256 b `BODY`.

use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::template::{Job, Key, Outcome, Plan, Tally, Template, Wishes};
use crate::cpu::bytes::{self, Counter, VALUES, Wide, Words};
use crate::cpu::case::Case;
use crate::cpu::crew::{self, Parts};
use crate::cpu::drive::Drive;
use crate::cpu::fault::Fault;
use crate::cpu::kernels::LogKernel;
use crate::cpu::member::{Kind, Member};

/// Counting a byte by wide instructions, in nanoseconds. (0.15 in a cache, 0.16 from memory, one core of an EPYC, Zen 4, 2026-11-24.)
const EACH: f64 = 0.16;

/// Running the body for a value, through a log. (Same machine: 5 us for 256 of `bins[k] += 1`, with what a call of this strategy takes besides.)
const BODY: f64 = 20.0;

/// The least part of a worker, in items: below, the workers wait for each other.
const PART: usize = 1 << 16;

/// How many items are counted before values that have not been met before are looked for among them: they are in a cache.
const BLOCK: usize = 1 << 18;

/// The strategy.
pub(super) struct Counted;

impl Template for Counted {
    fn name(&self) -> &'static str {
        "counted"
    }

    fn place(&self) -> &'static str {
        "into counts of each value of the items, for which the body then runs once"
    }

    fn good_for(&self) -> &'static str {
        "items of a byte or a few, integers as bins, AVX-512"
    }

    fn keys(&self) -> &'static [Key] {
        &[Key::Workers, Key::Parts]
    }

    fn has_form(&self, case: &Case) -> bool {
        case.alike.is_some()
    }

    fn is_sure(&self) -> bool {
        true
    }

    fn offer(&self, case: &Case, workers: usize, launch: f64) -> Option<(Plan, f64)> {
        let width = case.alike.filter(|_| bytes::are_fast())?;
        let counting = case.items as f64 * width as f64 * EACH;
        let bodies = (VALUES * width) as f64 * BODY.max(case.work.unwrap_or(0.0));
        let read = case.items as f64 * width as f64 / case.machine.read;
        let many = launch + (counting / workers as f64).max(read);
        let (workers, cost) = match many < counting {
            true => (workers, many),
            false => (1, counting),
        };
        Some((plan(case, workers), cost + bodies))
    }

    fn obey(&self, case: &Case, wishes: &Wishes) -> Plan {
        let plan = plan(case, wishes.workers(case));
        Plan {
            parts: wishes.parts.unwrap_or(plan.parts),
            ..plan
        }
    }

    fn fits(&self, _: &Case, _: &Plan) -> bool {
        true
    }

    fn describe(
        &self,
        f: &mut fmt::Formatter<'_>,
        plan: &Plan,
        tally: &Tally,
        _: usize,
    ) -> fmt::Result {
        let Plan { workers, parts, .. } = plan;
        let values = tally.slots;
        write!(
            f,
            "counted, {values} different values of the items by {workers} workers in {parts} parts, each of which ran once"
        )
    }

    fn trials(&self) -> &'static [&'static str] {
        &["counted:workers=1", "counted:workers=3,parts=5"]
    }
}

/// So many workers, whose parts are not too short.
fn plan(case: &Case, workers: usize) -> Plan {
    let plan = Plan::of(workers);
    let most = (case.items / PART).max(workers);
    Plan {
        parts: plan.parts.min(most),
        ..plan
    }
}

/// How often each value of a column occurs, and an item that has it.
#[derive(Clone)]
struct Column {
    counts: [u64; VALUES],
    places: [usize; VALUES],
}

/// Where a value has not occurred.
const NOWHERE: usize = usize::MAX;

/// Counts the columns of all items. Nothing where a value is no byte.
fn count(words: Words<'_>, items: Range<usize>, plan: &Plan, fault: &Fault) -> Option<Vec<Column>> {
    let parts = Parts::new(items, plan.parts);
    let wide = AtomicBool::new(false);
    let work = || {
        let counter = |_| Counter::new(bytes::are_fast());
        let mut counters: Vec<_> = (0..words.columns()).map(counter).collect();
        let mut columns = vec![Column::NONE; counters.len()];
        while let Some((_, part)) = parts.take() {
            for block in pieces(part, BLOCK) {
                if wide.load(Ordering::Relaxed) {
                    return None;
                }
                if let Err(Wide) = bytes::add(&mut counters, words, block.clone()) {
                    wide.store(true, Ordering::Relaxed);
                    return None;
                }
                for (n, (column, counter)) in columns.iter_mut().zip(&mut counters).enumerate() {
                    column.add(&counter.take(), words, block.clone(), n);
                }
            }
        }
        Some(columns)
    };
    let mut counted = crew::run(plan.workers, fault, work).into_iter();
    if wide.into_inner() || fault.is_set() {
        return None;
    }
    let mut columns = counted.next()?;
    for (column, more) in counted.flat_map(|more| more.into_iter().enumerate()) {
        let Column { counts, places } = &mut columns[column];
        let both = counts.iter_mut().zip(&more.counts);
        both.for_each(|(count, more)| *count += more);
        let both = places.iter_mut().zip(&more.places);
        both.for_each(|(place, more)| *place = (*place).min(*more));
    }
    Some(columns)
}

/// Items as pieces of so many at most.
fn pieces(items: Range<usize>, len: usize) -> impl Iterator<Item = Range<usize>> {
    let end = items.end;
    items
        .step_by(len)
        .map(move |start| start..end.min(start + len))
}

impl Column {
    /// Of no items.
    const NONE: Column = Column {
        counts: [0; VALUES],
        places: [NOWHERE; VALUES],
    };

    /// Adds items whose values occur so often.
    fn add(
        &mut self,
        counts: &[u64; VALUES],
        words: Words<'_>,
        items: Range<usize>,
        column: usize,
    ) {
        let Column {
            counts: all,
            places,
        } = self;
        all.iter_mut().zip(counts).for_each(|(all, n)| *all += n);
        let mut wanted = std::array::from_fn(|v| counts[v] > 0 && places[v] == NOWHERE);
        bytes::find(words, items, column, &mut wanted, |value, place| {
            places[usize::from(value)] = place;
        });
    }
}

/// Runs a job.
pub(super) fn run<M: Member>(job: Job<'_, M>) -> Outcome {
    let Job {
        items,
        plan,
        members,
        copies,
        alike: Some((words, of)),
        ..
    } = job
    else {
        return Outcome::Unclear;
    };
    let start = Instant::now();
    let fault = Fault::default();
    let Some(columns) = count(words, items, &plan, &fault) else {
        return match fault.is_set() {
            true => Outcome::Fault(fault),
            false => Outcome::Unclear,
        };
    };
    let mut store = members.store();
    if !M::Kind::prepare(&mut store) {
        fault.exhausted();
        return Outcome::Fault(fault);
    }
    let mut values = 0;
    let ran = catch_unwind(AssertUnwindSafe(|| {
        for (number, column) in columns.iter().enumerate() {
            let only = (columns.len() > 1).then_some(number);
            values += bodies(column, only, of, members, copies.log(), &mut store, &fault);
        }
    }));
    if let Err(panic) = ran {
        fault.panicked(0, panic);
    }
    let stores = [&store];
    if !fault.is_set() && members.overflows(&stores, 1) {
        fault.overflowed();
    }
    if fault.is_set() {
        return Outcome::Fault(fault);
    }
    members.publish(&stores, 1);
    Outcome::Done(Tally {
        slots: values,
        parts: plan.parts,
        busy: start.elapsed(),
        ..Tally::default()
    })
}

/// Runs the body for each value of a column, and makes its updates as often as that occurs: all of them, or those that depend on the
/// column. Says how many values there are.
fn bodies<M: Member>(
    column: &Column,
    only: Option<usize>,
    of: &[&[u8]],
    members: &M,
    kernel: &dyn LogKernel<M::Kind>,
    store: &mut <M::Kind as Kind>::Store,
    fault: &Fault,
) -> usize {
    let mut pairs = members.pairs(None, usize::MAX);
    let mut values = 0;
    for (&count, &place) in column.counts.iter().zip(&column.places) {
        if count == 0 || fault.is_set() {
            continue;
        }
        values += 1;
        let log = members.log(&mut pairs, fault);
        kernel.log(Drive::new(place..place + 1, log));
        M::Kind::repeat(&mut pairs, store, count, only, of, fault);
    }
    values
}

//! Ranks that fail, each in turn, at each stage: an error on all of them, bins as before, and the next call works.

use std::cell::Cell;

use accrue::collective::{Collective, Op, Thread, Values};
use accrue::{Error, offload};

use super::ranks::each;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Nowhere,
    Before,
    FirstLoop,
    Between,
    SecondLoop,
    Behind,
}

const STAGES: [Stage; 5] = [
    Stage::Before,
    Stage::FirstLoop,
    Stage::Between,
    Stage::SecondLoop,
    Stage::Behind,
];

/// Two loops, and what fails where it is told to.
#[offload(histogram)]
fn work(keys: &[usize], fails: Stage, bins: &mut [u32; 8], total: &mut f64) -> u64 {
    assert!(fails != Stage::Before, "before the loops");
    let first = if fails == Stage::FirstLoop { 8 } else { 0 };
    for &k in keys {
        bins[k + first] += 1;
        *total += k as f64;
    }
    assert!(fails != Stage::Between, "between the loops");
    let divisor = if fails == Stage::SecondLoop { 0 } else { 2 };
    let mut half = 0u64;
    for &k in keys {
        half += (k / divisor) as u64;
        bins[7] += 1;
    }
    assert!(fails != Stage::Behind, "behind the loops");
    half
}

const KEYS: [usize; 4] = [1, 2, 4, 6];

fn good(ranks: &impl Collective, bins: &mut [u32; 8], total: &mut f64) {
    let before = (*bins, *total);
    let half = work::across(ranks, &KEYS, Stage::Nowhere, &mut *bins, &mut *total).unwrap();
    let n = ranks.size();
    assert_eq!(half, 6 * n as u64);
    for (bin, (now, then)) in bins.iter().zip(before.0).enumerate() {
        let per_rank = usize::from(KEYS.contains(&bin)) + if bin == 7 { 4 } else { 0 };
        assert_eq!(*now, then + (n * per_rank) as u32, "bin {bin}");
    }
    assert_eq!(*total, before.1 + 13.0 * n as f64);
}

fn message(stage: Stage) -> &'static str {
    match stage {
        Stage::Nowhere => "nothing",
        Stage::Before => "before the loops",
        Stage::FirstLoop => "index out of bounds: the len is 8 but the index is 9",
        Stage::Between => "between the loops",
        Stage::SecondLoop => "attempt to divide by zero",
        Stage::Behind => "behind the loops",
    }
}

#[test]
fn any_rank_may_fail_at_any_stage() {
    for size in 1..=4 {
        for failing in 0..size {
            for stage in STAGES {
                let all = each(size, |ranks| {
                    let (mut bins, mut total) = ([3; 8], 0.5);
                    let mut errors = Vec::new();
                    for _ in 0..3 {
                        let fails = match ranks.rank() == failing {
                            true => stage,
                            false => Stage::Nowhere,
                        };
                        let error = work::across(ranks, &KEYS, fails, &mut bins, &mut total);
                        errors.push(error.unwrap_err());
                        if size > 1 {
                            assert_eq!((bins, total), ([3; 8], 0.5), "{failing} {stage:?}");
                        }
                    }
                    let (mut bins, mut total) = ([3; 8], 0.5);
                    good(ranks, &mut bins, &mut total);
                    errors
                });
                for error in all.into_iter().flatten() {
                    assert!(error.is_fault(), "{error:?}");
                    let text = error.to_string();
                    assert!(text.contains(message(stage)), "{text}");
                    let who = format!("rank {failing}: ");
                    assert!(size == 1 || text.starts_with(&who), "{text}");
                }
            }
        }
    }
}

#[test]
fn of_several_that_fail_the_first_rank_is_told() {
    for (stages, first) in [
        ([Stage::Nowhere, Stage::Behind, Stage::Before], 2),
        ([Stage::FirstLoop, Stage::FirstLoop, Stage::Before], 0),
        ([Stage::Nowhere, Stage::Between, Stage::SecondLoop], 1),
    ] {
        let all = each(3, |ranks| {
            let (mut bins, mut total) = ([0; 8], 0.0);
            let fails = stages[ranks.rank()];
            let error = work::across(ranks, &KEYS, fails, &mut bins, &mut total).unwrap_err();
            assert_eq!((bins, total), ([0; 8], 0.0));
            error
        });
        let Error::OnRank { rank, .. } = &all[0] else {
            panic!("{all:?}");
        };
        // Who fails earlier is told before who fails later, whatever their ranks.
        assert_eq!(*rank, first, "{all:?}");
        assert!(all.iter().all(|e| *e == all[0]));
    }
}

/// A rank whose operations fail where it is told to, when they have been performed.
struct Faulty<'t> {
    ranks: &'t Thread,
    left: Cell<usize>,
}

impl Faulty<'_> {
    fn then(&self, result: Result<(), Error>) -> Result<(), Error> {
        let left = self.left.get();
        self.left.set(left.wrapping_sub(1));
        result?;
        match left {
            0 => Err(Error::Collective {
                operation: "test",
                why: "it was told to".to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

impl Collective for Faulty<'_> {
    fn rank(&self) -> usize {
        self.ranks.rank()
    }
    fn size(&self) -> usize {
        self.ranks.size()
    }
    fn all_reduce(&self, values: Values<'_>, op: Op) -> Result<(), Error> {
        self.then(self.ranks.all_reduce(values, op))
    }
    fn all_gather(&self, mine: Values<'_>, all: Values<'_>) -> Result<(), Error> {
        self.then(self.ranks.all_gather(mine, all))
    }
    fn all_to_all(&self, mine: Values<'_>, theirs: Values<'_>) -> Result<(), Error> {
        self.then(self.ranks.all_to_all(mine, theirs))
    }
    fn broadcast(&self, root: usize, values: Values<'_>) -> Result<(), Error> {
        self.then(self.ranks.broadcast(root, values))
    }
}

/// Signed, so that ranks take turns where overflow is checked.
#[offload(histogram)]
fn turns(keys: &[usize], bins: &mut [i32; 8]) {
    for &k in keys {
        bins[k] += 1;
    }
}

/// How many operations a call makes.
fn operations(of: impl Fn(&Faulty<'_>) + Sync) -> usize {
    let made = each(2, |ranks| {
        let left = Cell::new(usize::MAX);
        let ranks = Faulty { ranks, left };
        of(&ranks);
        usize::MAX - ranks.left.get()
    });
    assert_eq!(made[0], made[1]);
    made[0]
}

#[test]
fn operations_may_fail_on_all_ranks() {
    let all = operations(|ranks| good(ranks, &mut [0; 8], &mut 0.0));
    assert!(all >= 8, "{all} operations");
    for size in 2..=3 {
        for at in 0..all {
            let errors = each(size, |ranks| {
                let (mut bins, mut total) = ([3; 8], 0.5);
                let left = Cell::new(at);
                let faulty = Faulty { ranks, left };
                let result = work::across(&faulty, &KEYS, Stage::Nowhere, &mut bins, &mut total);
                assert_eq!((bins, total), ([3; 8], 0.5), "operation {at}");
                good(ranks, &mut bins, &mut total);
                result.unwrap_err()
            });
            assert!(
                errors.iter().all(|e| *e == errors[0] && e.is_machine()),
                "{errors:?}"
            );
        }
    }
    let all = operations(|ranks| turns::across(ranks, &KEYS, &mut [0; 8]).unwrap());
    for at in 0..all {
        let errors = each(2, |ranks| {
            let mut bins = [3; 8];
            let left = Cell::new(at);
            let faulty = Faulty { ranks, left };
            let error = turns::across(&faulty, &KEYS, &mut bins).unwrap_err();
            assert_eq!(bins, [3; 8], "operation {at}");
            turns::across(ranks, &KEYS, &mut bins).unwrap();
            assert_eq!(bins[1], 5);
            error
        });
        assert_eq!(errors[0], errors[1], "operation {at}");
    }
}

/// More than a collective has to put up with: an operation fails on one rank, and all others have done it. The last one is left out: who has
/// done that has ended the call.
#[test]
fn an_operation_may_fail_on_one_rank() {
    let all = operations(|ranks| good(ranks, &mut [0; 8], &mut 0.0));
    for size in 2..=3 {
        for failing in 0..size {
            for at in 0..all - 1 {
                each(size, |ranks| {
                    let (mut bins, mut total) = ([3; 8], 0.5);
                    let left = match ranks.rank() == failing {
                        true => Cell::new(at),
                        false => Cell::new(usize::MAX),
                    };
                    let faulty = Faulty { ranks, left };
                    let result =
                        work::across(&faulty, &KEYS, Stage::Nowhere, &mut bins, &mut total);
                    assert!(result.is_err(), "operation {at} of rank {failing}");
                    assert_eq!(
                        (bins, total),
                        ([3; 8], 0.5),
                        "operation {at} of rank {failing}"
                    );
                    good(ranks, &mut bins, &mut total);
                });
            }
        }
    }
}

#[test]
fn nobody_hangs_where_ranks_do_different_things() {
    #[offload(histogram)]
    fn leaves(keys: &[usize], bins: &mut [u32; 8]) {
        if keys.is_empty() {
            return;
        }
        for &k in keys {
            bins[k] += 1;
        }
    }
    let all = each(3, |ranks| {
        let mut bins = [0; 8];
        let mine = if ranks.rank() == 1 { &[] } else { &KEYS[..] };
        let left = leaves::across(ranks, mine, &mut bins).unwrap_err();
        let other = match ranks.rank() {
            2 => turns::across(ranks, &KEYS, &mut [0; 8]),
            _ => leaves::across(ranks, &KEYS, &mut bins),
        };
        assert_eq!(bins, [0; 8]);
        leaves::across(ranks, &KEYS, &mut bins).unwrap();
        assert_eq!(bins[1], 3);
        (left.to_string(), other.unwrap_err().to_string())
    });
    for (left, other) in all {
        assert_eq!(
            left,
            "the ranks do not make one call of `leaves`: rank 1 is at its end, rank 0 at loop 0"
        );
        assert!(
            other.ends_with("rank 2 calls another function than rank 0"),
            "{other}"
        );
    }
}

#[test]
fn a_payload_of_somebodys_own_goes_on_and_the_others_are_told() {
    #[offload(histogram, pure(own))]
    fn throws(keys: &[usize], fails: bool, bins: &mut [u32; 8]) {
        for &k in keys {
            bins[k] += own(fails);
        }
    }
    fn own(fails: bool) -> u32 {
        if fails {
            std::panic::resume_unwind(Box::new(17u64));
        }
        1
    }
    let all = each(2, |ranks| {
        let mut bins = [0; 8];
        let fails = ranks.rank() == 1;
        let call = std::panic::AssertUnwindSafe(|| throws::across(ranks, &KEYS, fails, &mut bins));
        let result = std::panic::catch_unwind(call);
        assert_eq!(bins, [0; 8]);
        throws::across(ranks, &KEYS, false, &mut bins).unwrap();
        result
            .map(|r| r.unwrap_err().to_string())
            .map_err(|p| *p.downcast::<u64>().unwrap())
    });
    assert_eq!(
        all[0],
        Ok("rank 1: a panic whose payload is no text".to_owned())
    );
    assert_eq!(all[1], Err(17));
}

/// Sums that are checked are those of the sequential loop, which knows the order.
#[cfg(debug_assertions)]
mod checked {
    use super::*;

    #[offload(histogram)]
    fn add(values: &[u8], bins: &mut [u8; 2]) {
        for &v in values {
            bins[usize::from(v & 1)] += v;
        }
    }

    #[offload(histogram)]
    fn subtract(values: &[u8], bins: &mut [u8; 2]) {
        for &v in values {
            bins[usize::from(v & 1)] -= v;
        }
    }

    #[offload(histogram)]
    fn signed(values: &[i8], bins: &mut [i8; 1]) {
        for &v in values {
            bins[0] += v;
        }
    }

    #[offload(histogram)]
    fn multiply(values: &[i8], product: &mut i8) {
        for &v in values {
            *product *= v;
        }
    }

    /// What becomes of bins on each rank, or its error.
    fn on_ranks<T: Sync, B: Clone + PartialEq + std::fmt::Debug + Send + Sync>(
        parts: &[&[T]],
        start: B,
        call: impl Fn(&Thread, &[T], &mut B) -> Result<(), Error> + Sync,
    ) -> Result<B, Error> {
        let mut all = each(parts.len(), |ranks| {
            let mut bins = start.clone();
            let result = call(ranks, parts[ranks.rank()], &mut bins);
            if result.is_err() {
                assert_eq!(bins, start);
            }
            result.map(|()| bins)
        });
        let first = all.pop().expect("there are ranks");
        assert!(all.iter().all(|r| *r == first), "{all:?} {first:?}");
        first
    }

    fn overflow(rank: usize, verb: &str) -> Error {
        Error::OnRank {
            rank,
            message: format!("attempt to {verb} with overflow"),
            machine: false,
            fault: true,
        }
    }

    #[test]
    fn unsigned_sums_overflow_where_the_loop_over_all_does() {
        let call = |ranks: &Thread, mine: &[u8], bins: &mut [u8; 2]| add::across(ranks, mine, bins);
        assert_eq!(
            on_ranks(&[&[100, 50], &[101], &[55]], [49, 99], call),
            Ok([199, 255])
        );
        assert_eq!(
            on_ranks(&[&[100, 50], &[101], &[55]], [49, 100], call),
            Err(overflow(2, "add"))
        );
        assert_eq!(
            on_ranks(&[&[250], &[6], &[9]], [0, 0], call),
            Err(overflow(1, "add"))
        );
        assert_eq!(
            on_ranks(&[&[2], &[250, 6], &[9]], [0, 0], call),
            Err(overflow(1, "add"))
        );
        // It goes on being too large: the first rank is the one.
        assert_eq!(
            on_ranks(&[&[200], &[100], &[220]], [5, 0], call),
            Err(overflow(1, "add"))
        );
    }

    #[test]
    fn unsigned_differences_overflow_where_the_loop_over_all_does() {
        let call =
            |ranks: &Thread, mine: &[u8], bins: &mut [u8; 2]| subtract::across(ranks, mine, bins);
        assert_eq!(
            on_ranks(&[&[100, 50], &[101], &[55]], [150, 156], call),
            Ok([0, 0])
        );
        assert_eq!(
            on_ranks(&[&[100, 50], &[101], &[55]], [150, 155], call),
            Err(overflow(2, "subtract"))
        );
    }

    #[test]
    fn signed_sums_depend_on_the_order() {
        let call =
            |ranks: &Thread, mine: &[i8], bins: &mut [i8; 1]| signed::across(ranks, mine, bins);
        assert_eq!(on_ranks(&[&[100], &[-50], &[60]], [0], call), Ok([110]));
        // The total fits, the way to it does not.
        assert_eq!(
            on_ranks(&[&[100], &[60, -60]], [0], call),
            Err(overflow(1, "add"))
        );
        assert_eq!(
            on_ranks(&[&[100], &[60], &[-60]], [0], call),
            Err(overflow(1, "add"))
        );
        // No rank's own sum fits, the one in order does.
        assert_eq!(on_ranks(&[&[-100], &[100, 100]], [-20], call), Ok([80]));
    }

    #[test]
    fn products_depend_on_the_order() {
        let call =
            |ranks: &Thread, mine: &[i8], product: &mut i8| multiply::across(ranks, mine, product);
        assert_eq!(on_ranks(&[&[0], &[100, 100]], 1, call), Ok(0));
        assert_eq!(
            on_ranks(&[&[100, 1], &[100], &[0]], 1, call),
            Err(overflow(1, "multiply"))
        );
    }
}

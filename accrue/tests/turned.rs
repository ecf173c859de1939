//! Nested loops that update any row of a column, whose private tables have their columns one behind the other: the results are the plain loop's.

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::offload;

/// Ways that have tables, and the plain loop.
const WAYS: [&str; 5] = [
    "private:lanes=1,workers=3,parts=5",
    "private:lanes=8,workers=2,parts=3",
    "private:workers=1",
    "partitioned:workers=2,ranges=3",
    "sequential",
];

const ROWS: usize = 900;
const COLUMNS: usize = 7;

/// Items of the outer loop, more than a probe takes.
const ITEMS: usize = if cfg!(miri) { 60 } else { 20_003 };

fn numbers(below: usize) -> Vec<usize> {
    (0..ITEMS).map(|i| i * i * 7 % 8191 % below).collect()
}

/// Compares what a loop does to bins in each way with what it is to do.
fn everywhere<B: Clone + PartialEq>(before: B, expected: B, f: impl Fn(&mut B)) {
    for way in WAYS {
        let mut bins = before.clone();
        with_strategy(way, || f(&mut bins));
        assert!(bins == expected, "{way}");
    }
}

#[offload(histogram)]
fn votes(xs: &[usize], slopes: &[usize; COLUMNS], votes: &mut [[u32; COLUMNS + 1]]) {
    for i in 0..xs.len() {
        for t in 0..COLUMNS {
            votes[xs[i] * slopes[t]][t + 1] += 1;
        }
    }
}

/// Two arrays, of three dimensions and of a length that the type says, and sums of floats.
#[offload(histogram)]
fn both(
    xs: &[usize],
    planes: &mut [[[f64; COLUMNS]; 5]],
    lowest: &mut [[i16; COLUMNS]; ROWS],
    weights: &[f64; COLUMNS],
) {
    for &x in xs {
        for (t, &w) in weights.iter().enumerate() {
            planes[(x + t) % 9][(x * t) % 5][t] += w;
            lowest[x + t][t] = lowest[x + t][t].min(x as i16);
        }
    }
}

#[test]
fn votes_for_columns() {
    let (xs, slopes) = (numbers(ROWS / 7), [3, 1, 4, 1, 5, 2, 6]);
    let before = vec![[9; COLUMNS + 1]; ROWS];
    let mut expected = before.clone();
    for &x in &xs {
        for (t, slope) in slopes.iter().enumerate() {
            expected[x * slope][t + 1] += 1;
        }
    }
    everywhere(before, expected, |bins| votes(&xs, &slopes, bins));
}

#[test]
fn other_shapes_and_operators() {
    let xs = numbers(ROWS - COLUMNS);
    let weights = [0.5, 1.0, 2.0, -4.0, 8.0, 16.0, 32.0];
    let lowest: Box<[_; ROWS]> = vec![[500i16; COLUMNS]; ROWS].try_into().expect("rows");
    let before = (vec![[[0.25; COLUMNS]; 5]; 9], lowest);
    let mut expected = before.clone();
    for &x in &xs {
        for (t, &w) in weights.iter().enumerate() {
            expected.0[(x + t) % 9][(x * t) % 5][t] += w;
            let lowest = &mut expected.1[x + t][t];
            *lowest = (*lowest).min(x as i16);
        }
    }
    everywhere(before, expected, |(planes, lowest)| {
        both(&xs, planes, lowest, &weights)
    });
}

#[test]
fn an_index_out_of_range_is_a_panic_and_changes_nothing() {
    for bad in [ROWS, usize::MAX / 6] {
        let mut xs = numbers(ROWS / 7);
        xs[ITEMS - 9] = bad;
        for way in WAYS {
            let mut bins = vec![[9; COLUMNS + 1]; ROWS];
            let run = || with_strategy(way, || votes(&xs, &[1; COLUMNS], &mut bins));
            let message =
                catch_unwind(AssertUnwindSafe(run)).expect_err("an index is out of range");
            let message = message.downcast::<String>().expect("a message");
            assert!(
                message.contains(&format!("the index is {bad}")),
                "{way}: {message}"
            );
            assert!(bins == vec![[9; COLUMNS + 1]; ROWS], "{way}");
        }
    }
}

//! Ranks for tests, and items that are divided among them.

use accrue::collective::{Thread, threads};

/// What each of so many ranks does, at the same time.
pub(super) fn each<R: Send>(ranks: usize, does: impl Fn(&Thread) -> R + Sync) -> Vec<R> {
    std::thread::scope(|scope| {
        let does = &does;
        let ranks = threads(ranks).into_iter();
        let ranks: Vec<_> = ranks.map(|rank| scope.spawn(move || does(&rank))).collect();
        ranks
            .into_iter()
            .map(|rank| rank.join().expect("no rank panics"))
            .collect()
    })
}

/// How many ranks tests have, and by what their items are divided: evenly, all on one, and some without any.
pub(super) const DIVISIONS: [&[usize]; 7] = [
    &[1],
    &[1, 1],
    &[0, 1],
    &[3, 0, 1],
    &[1, 1, 1, 1],
    &[0, 0, 5, 0],
    &[1, 2, 3, 4, 5],
];

/// The items of a rank.
pub(super) fn part<'i, T>(items: &'i [T], division: &[usize], rank: usize) -> &'i [T] {
    let all: usize = division.iter().sum();
    let end = |ranks: usize| items.len() * division[..ranks].iter().sum::<usize>() / all;
    &items[end(rank)..end(rank + 1)]
}

/// Numbers that look like chance.
pub(super) fn numbers(count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let next = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    (0..count).map(next).collect()
}

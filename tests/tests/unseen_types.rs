//! Loops over what only rustc knows: whether rows of bins are one array, whether items are copied, what a name in capitals stands for. The function without the
//! attribute is the judge.

#![allow(
    clippy::all,
    non_snake_case,
    unused,
    reason = "loops are written as people write them"
)]

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::offload;
use accrue_tests::{quiet, twice};

const WAYS: [&str; 4] = [
    "sequential",
    "private:workers=1,parts=1",
    "private:workers=3,parts=7",
    "private:workers=4",
];

/// What a call gives in every way is what the plain function gives, its panic in the same words.
fn agree<R: PartialEq + std::fmt::Debug>(name: &str, plain: impl Fn() -> R, off: impl Fn() -> R) {
    let told = |call: &dyn Fn() -> R| {
        let ran = catch_unwind(AssertUnwindSafe(call));
        ran.map_err(|panic| match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(panic) => (*panic.downcast::<&str>().expect("words")).to_owned(),
        })
    };
    let expected = told(&plain);
    for way in WAYS {
        let found = with_strategy(way, || told(&off));
        assert!(
            found == expected,
            "{name}, {way}: {found:?} in place of {expected:?}"
        );
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Counts {
    apart: Vec<Vec<u32>>,
    boxed: Vec<Box<[u32]>>,
    cubes: Vec<Vec<Vec<u32>>>,
    halves: Vec<[Vec<u32>; 2]>,
    one: [[u32; 5]; 7],
    cube: [[[u32; 3]; 5]; 7],
    flat: Vec<u32>,
}

type Rows = Vec<Vec<u32>>;

/// What it does nobody knows, so that no iteration runs again.
fn clipped(x: usize) -> usize {
    x.min(99)
}

fn rows() -> Rows {
    vec![vec![0; 5]; 7]
}

twice! {
    pub(super) fn apart(s: &mut Counts, x: &[usize], y: &[usize]) {
        for k in 0..x.len() { s.apart[x[k]][y[k]] += 1; }
    }
    pub(super) fn weighed(s: &mut Counts, x: &[usize], y: &[usize]) {
        for (&i, &j) in x.iter().zip(y) { if j > 1 { s.apart[i][j] += j as u32; } s.flat[j] += 1; }
    }
    pub(super) fn boxed(s: &mut Counts, x: &[usize], y: &[usize]) {
        for (&i, &j) in x.iter().zip(y) { s.boxed[i][j] += 3; }
    }
    pub(super) fn cubes(s: &mut Counts, x: &[usize], y: &[usize]) {
        for (&i, &j) in x.iter().zip(y) { s.cubes[i][j][i % 3] += 3; s.halves[i][j % 2][j] -= 0; }
    }
    pub(super) fn one(s: &mut Counts, x: &[usize], y: &[usize]) {
        for (&i, &j) in x.iter().zip(y) { s.one[i][j] += 3; s.cube[i][j][j % 3] ^= 5; }
    }
    pub(super) fn made(s: &mut Counts, x: &[usize], y: &[usize]) {
        let mut rows = rows();
        for (&i, &j) in x.iter().zip(y) { rows[i][j] += 3; }
        s.apart = rows;
    }
    pub(super) fn alias(s: &mut Counts, x: &[usize], y: &[usize]) {
        let rows: &mut Rows = &mut s.apart;
        for (&i, &j) in x.iter().zip(y) { rows[i][j] += 3; }
    }
    pub(super) fn called(s: &mut Counts, x: &[usize], y: &[usize]) {
        for k in 0..x.len() { s.one[clipped(x[k])][y[k]] -= 0; s.cube[x[k]][clipped(y[k])][x[k] % 3] += 1; }
    }
    pub(super) fn asked(s: &mut Counts, x: &[usize], y: &[usize]) {
        for k in 0..x.len().min(y.len()) { s.one[x[k].min(99)][y[k].min(99)] += 1; }
    }
    pub(super) fn lengths(x: &[String], items: &[Item]) -> (usize, Vec<String>) {
        let (mut n, mut kept) = (0, vec![]);
        for (i, s) in x.iter().cloned().enumerate() { n += s.len() * i; kept.push(s); }
        (n, kept)
    }
    pub(super) fn filtered(x: &[String], items: &[Item]) -> (usize, Vec<String>) {
        let mut kept = vec![];
        for s in x.iter().filter(|s| s.len() > 2).cloned() { kept.push(s); }
        for s in x.iter().skip(1).step_by(2).rev().cloned() { let t = s + "!"; kept.push(t); }
        (0, kept)
    }
    pub(super) fn changed(x: &[String], items: &[Item]) -> (usize, Vec<String>) {
        let mut kept = vec![];
        for mut s in x.iter().cloned() { s.push('x'); kept.push(s); }
        for mut item in items.iter().cloned() { item.parts.push(3); item.n += 1; kept.push(format!("{item:?}")); }
        (0, kept)
    }
    pub(super) fn nested(x: &[String], items: &[Item]) -> (usize, Vec<String>) {
        let mut sums = [0usize; 16];
        for item in items.iter().cloned() { for j in 0..3 { sums[(item.parts[0] as usize + j) % 16] += item.n as usize; } }
        for s in x.iter().cloned() { sums[s.len() % 16] += 1; }
        (sums.iter().fold(0, |all, n| all * 31 + n), vec![])
    }
    pub(super) fn zipped(x: &[String], items: &[Item]) -> (usize, Vec<String>) {
        let mut out = vec![String::new(); x.len()];
        for (o, s) in out.iter_mut().zip(x.iter().cloned()) { *o = s; }
        (0, out)
    }
    pub(super) fn grouped(x: &[String], items: &[Item]) -> (usize, Vec<String>) {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for s in x.iter().cloned() { *counts.entry(s).or_insert(0) += 1; }
        let mut all: Vec<String> = counts.into_iter().map(|(k, n)| format!("{k}{n}")).collect();
        all.sort();
        (0, all)
    }
    pub(super) fn bound(x: &[u32], y: &mut [u32]) {
        for i in 0..x.len() { y[i] = match x[i] { N if N > 3 => N, N => N + 1 }; }
    }
    pub(super) fn first(x: &[u32], y: &mut [u32]) {
        for i in 0..x.len() { y[i] = match x[i] { 0 => 1, N if N % 2 == 0 && N < 9 => N, _ => 2 }; }
    }
    pub(super) fn constants(x: &[u32], y: &mut [u32]) {
        for i in 1..x.len() {
            y[i] = match (x[i - 1], x[i]) { (EMPTY, v) if v != EMPTY => v, (SEVEN, _) => 3, (_, SEVEN) => 4, _ => 5 };
        }
    }
    pub(super) fn within(x: &[u32], y: &mut [u32]) {
        for i in 0..x.len() { y[i] = match x[i].checked_sub(3) { None => 1, Some(V) if V > 2 => V, Some(V) => V * 2 }; }
    }
    pub(super) fn states(x: &[u32], y: &mut [u32]) {
        for i in 1..x.len() {
            let (before, now) = (if x[i - 1] > 5 { Alive } else { Dead }, if x[i] > 5 { Alive } else { Dead });
            y[i] = match now { Alive if before == Alive => 1, Alive => 2, Dead => 3 };
        }
    }
    pub(super) fn parts_of_fields(x: &[u32], y: &mut [u32]) {
        let mut held = [Held::default(); 16];
        for &v in x {
            let of = &mut held[v as usize];
            of.n += 1;
            of.marks[v as usize % 2] ^= 3;
            of.pair.1[1] += v;
        }
        for (y, of) in y.iter_mut().zip(&held) { *y = of.n * 31 + u32::from(of.marks[1]) * 7 + u32::from(of.marks[0]) + of.pair.1[1]; }
    }
    pub(super) fn inside(x: &[u32], y: &mut [u32]) {
        for &v in x { let (i, j) = (v as usize % 5, v as usize % 3); y[i] += { y[j] += 1; 2 }; y[i + 1] += 1; }
    }
    pub(super) fn within_sums(x: &[u32], y: &mut [u32]) {
        let mut sum = 0u32;
        for &v in x { loop { sum += { sum += v; 1 }; break; } y[v as usize] += { sum += 2; 3 }; }
        y[0] = sum;
    }
    pub(super) fn endless(x: &[u32], y: &mut [u32]) {
        for i in 0..=x.len().wrapping_sub(1) { y[x[i] as usize] += 1; }
    }
    pub(super) fn both_endless(x: &[u32], y: &mut [u32]) {
        let last = x.len().wrapping_sub(1);
        for i in 0..=last { for j in 0..last { y[x[i] as usize] += x[j]; } }
    }
    pub(super) fn value_first(x: &[u32], y: &mut [u32]) {
        for &v in x { y[clipped(v as usize) % (v - v) as usize] += 1000 / (v - v); }
    }
    pub(super) fn unread(x: &[u32], y: &mut [u32]) {
        for &v in x { let all = &y; y[v as usize] += all.len() as u32; let b = &*y; y[1] += 1; }
    }
    pub(super) fn pairs(x: &[u32], y: &mut [u32]) {
        for (i, &V) in x.iter().enumerate() {
            let (A, B) = (V + 1, V % 3);
            y[i] = match (A, B) { (C, 0) if C > 3 => C, (C, D) if C == 2 * D => D + V, (C, D) => C + D };
        }
    }
}

#[test]
fn rows_of_bins_may_lie_apart() {
    let _quiet = quiet();
    let counts = Counts {
        apart: rows(),
        boxed: vec![Box::from([1; 5]); 7],
        cubes: vec![vec![vec![2; 3]; 5]; 7],
        halves: vec![[vec![4; 5], vec![3; 5]]; 7],
        one: [[0; 5]; 7],
        cube: [[[9; 3]; 5]; 7],
        flat: vec![0; 5],
    };
    let x: Vec<usize> = (0..5000).map(|i| i * 31 % 7).collect();
    let y: Vec<usize> = (0..5000).map(|i| i * i % 5).collect();
    let (mut beyond, mut outside) = (x.clone(), y.clone());
    (beyond[3000], outside[4000]) = (7, 12);
    let arguments = [(&x, &y), (&beyond, &y), (&x, &outside), (&beyond, &outside)];
    macro_rules! agree {
        ($($name:ident)*) => {$(
            for (x, y) in arguments {
                let panics = x != &arguments[0].0[..] || y != &arguments[0].1[..];
                let result = |call: fn(&mut Counts, &[usize], &[usize])| {
                    let mut counts = counts.clone();
                    call(&mut counts, x, y);
                    counts
                };
                agree(stringify!($name), || result(plain::$name), || result(off::$name));
            }
        )*};
    }
    agree!(apart weighed boxed cubes one made alias called asked);
    let mut left = counts.clone();
    off::apart(&mut left, &x, &y);
    let said = off::apart::explain();
    assert!(
        said.contains("rows of its bins lie apart from each other"),
        "{said}"
    );
    with_strategy("private:workers=3,parts=7", || off::one(&mut left, &x, &y));
    let said = off::one::explain();
    assert!(said.contains("3 workers"), "{said}");
}

#[derive(Clone, Debug, PartialEq)]
struct Item {
    parts: Vec<u32>,
    n: u32,
}

#[test]
fn items_are_cloned_that_are_no_copy() {
    let x: Vec<String> = (0..3000).map(|i| "ab".repeat(i * 7 % 5)).collect();
    let items: Vec<Item> = (0..3000u32)
        .map(|i| Item {
            parts: vec![i * 3 % 50, 1],
            n: i % 9,
        })
        .collect();
    macro_rules! agree {
        ($($name:ident)*) => {$(
            agree(stringify!($name), || plain::$name(&x, &items), || off::$name(&x, &items));
        )*};
    }
    agree!(lengths filtered changed nested zipped grouped);
}

#[test]
fn panics_are_those_of_the_plain_loop() {
    let _quiet = quiet();
    macro_rules! agree {
        ($x:expr; $($name:ident)*) => {$(
            let result = |call: fn(&[u32], &mut [u32])| call($x, &mut [0; 3]);
            agree(stringify!($name), || result(plain::$name), || result(off::$name));
        )*};
    }
    // More iterations than can be counted.
    agree!(&[]; endless both_endless);
    // What is added is evaluated before the index.
    agree!(&[3; 99]; value_first);
}

const EMPTY: u32 = 0;
const SEVEN: u32 = 7;

#[derive(Clone, Copy, PartialEq)]
enum State {
    Alive,
    Dead,
}

use State::{Alive, Dead};

#[derive(Clone, Copy, Default)]
struct Held {
    n: u32,
    marks: [u16; 2],
    pair: (u8, [u32; 2]),
}

#[test]
fn names_in_capitals_may_be_bound() {
    let x: Vec<u32> = (0..3000).map(|i| i * 7 % 13).collect();
    macro_rules! agree {
        ($($name:ident)*) => {$(
            let result = |call: fn(&[u32], &mut [u32])| {
                let mut y = vec![0; x.len()];
                call(&x, &mut y);
                y
            };
            agree(stringify!($name), || result(plain::$name), || result(off::$name));
            #[cfg(feature = "sim")]
            accrue::with_device(accrue::Device::Sim, || {
                assert!(result(off::$name) == result(plain::$name), stringify!($name));
            });
        )*};
    }
    agree!(bound first constants within states pairs parts_of_fields inside within_sums unread);
}

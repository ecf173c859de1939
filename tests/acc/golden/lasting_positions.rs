//! Translated by acc2rs from `lasting_positions.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const KEYS: i32 = 2048;
const MAX_KEY: i32 = 128;

static weights: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

/// The variables that C keeps outside functions.
struct Globals {
    next_weight: usize,
    keys: [i32; 2048],
    ranks: [i32; 128],
    sorted: [i32; 2048],
    sums: [i32; 128],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            next_weight: 0,
            keys: [0; KEYS as usize],
            ranks: [0; MAX_KEY as usize],
            sorted: [0; KEYS as usize],
            sums: [0; MAX_KEY as usize],
        }
    }
}

/// Sets `ranks`, the loop at lasting_positions.c:23:5.
#[offload]
fn fill_ranks(ranks: &mut [i32]) {
    for i in 0..MAX_KEY as usize {
        ranks[i] = 0;
    }
}

/// Counts into `ranks`, the loop at lasting_positions.c:25:5.
#[offload(histogram)]
fn count_ranks(keys: &[i32], ranks: &mut [i32]) {
    for i in 0..KEYS as usize {
        ranks[keys[i] as usize] += 1;
    }
}

fn rank(globals: &mut Globals, iteration: i32) {
    globals.keys[iteration as usize] = iteration;
    fill_ranks(&mut globals.ranks);
    count_ranks(&globals.keys, &mut globals.ranks);
    for i in 1..MAX_KEY as usize {
        globals.ranks[i] += globals.ranks[i - 1];
    }
    if iteration == 3 {}
}

fn verify(globals: &mut Globals, all: &[i32], n: i32) -> i32 {
    let mut wrong: i32 = 0;
    for i in (0..n).rev() {
        globals.sorted[({
            globals.ranks[all[i as usize] as usize] -= 1;
            globals.ranks[all[i as usize] as usize]
        }) as usize] = all[i as usize];
    }
    for i in 1..n {
        wrong += i32::from(globals.sorted[(i - 1) as usize] > globals.sorted[i as usize]);
    }
    wrong
}

fn draw(globals: &mut Globals) -> f64 {
    let w: f64 = weights[{
        let at = globals.next_weight;
        globals.next_weight += 1;
        at
    }];
    if globals.next_weight == 8 {
        globals.next_weight = 0;
    }
    w
}

fn add_into(to: &mut [i32], n: i32) {
    for i in 0..n {
        to[i as usize] += i;
    }
}

fn main() {
    let mut globals = Globals::new();
    for i in 0..KEYS {
        globals.keys[i as usize] = (i * 89 + i / 7) % MAX_KEY;
    }
    for it in 1..=3 {
        rank(&mut globals, it);
    }
    let wrong: i32 = {
        let moved = std::mem::replace(&mut globals.keys, [0; KEYS as usize]);
        let result2 = verify(&mut globals, &moved, KEYS);
        globals.keys = moved;
        result2
    };
    println!(
        "{} {} {}",
        wrong,
        globals.sorted[0],
        globals.sorted[(KEYS - 1) as usize]
    );
    globals.next_weight = 5;
    let mut sum: f64 = 0.0;
    for _ in 0..7 {
        sum = sum * 3.0 + draw(&mut globals);
    }
    println!("{}", c::general(sum, 6));
    add_into(&mut globals.sums, MAX_KEY);
    println!("{}", globals.sums[(MAX_KEY - 1) as usize]);
}

//! Translated by acc2rs from `globals_and_static.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments)]

use accrue::offload;

mod c;

const SIZE: i32 = 100;

static weights: [f64; 4] = [0.1, 0.2, 0.3, 0.4];

const limit: i32 = 50;

/// The variables that C keeps outside functions.
struct Globals {
    calls: i32,
    table: Vec<i32>,
    acc: [f64; 100],
    next_counter: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            calls: 0,
            table: Vec::new(),
            acc: [0.0; SIZE as usize],
            next_counter: 10,
        }
    }
}

/// Adds into `acc`, the loop at globals_and_static.c:32:3.
#[offload(histogram)]
fn sum_acc(table: &[i32], acc: &mut [f64]) {
    for i in 0_i32..SIZE {
        if i < limit {
            acc[table[i as usize] as usize] += weights[(i % 4) as usize];
        }
    }
}

fn next(globals: &mut Globals) -> i32 {
    globals.calls += 1;
    {
        let old = globals.next_counter;
        globals.next_counter += 1;
        old
    }
}

fn setup(globals: &mut Globals, n: i32) {
    globals.table = vec![0_i32; n as usize];
    for i in 0..n {
        globals.table[i as usize] = next(globals) % 7;
    }
}

fn total(x: &[f64], n: i32) -> f64 {
    let mut s: f64 = 0.0;
    for i in 0..n {
        s += x[i as usize];
    }
    s
}

fn main() {
    let mut globals = Globals::new();
    setup(&mut globals, SIZE);
    sum_acc(&globals.table, &mut globals.acc);
    let again: i32 = next(&mut globals);
    println!(
        "{:.2} {:.2} {} {}",
        c::Float(globals.acc[0]),
        c::Float(total(&globals.acc, SIZE)),
        globals.calls,
        again
    );
    globals.table.clear();
}

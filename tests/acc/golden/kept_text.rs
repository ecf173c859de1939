//! Translated by acc2rs from `kept_text.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

// Text that functions keep in records and globals.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Result {
    test: &'static str,
    unit: &'static str,
    value: f64,
}

impl Result {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> Result {
        Result {
            test: "",
            unit: "",
            value: 0.0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    results: Vec<Result>,
    count: i32,
    room: i32,
    last: &'static str,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            results: Vec::new(),
            count: 0,
            room: 0,
            last: "none",
        }
    }
}

/// Adds into `sum`, the loop at kept_text.c:36:3.
#[offload]
fn sum_sum(mut sum: f64) -> f64 {
    for i in 0..100 {
        sum += i as f64;
    }
    sum
}

/// Counts into `hist`, the loop at kept_text.c:38:3.
#[offload(histogram)]
fn count_hist(hist: &mut [i32]) {
    for i in 0..100 {
        hist[(i * i % 4) as usize] += 1;
    }
}

fn keep(to: &mut Result, test: &'static str, unit: &'static str) {
    let name: &str = test;
    to.test = name;
    to.unit = unit;
}

fn add(globals: &mut Globals, test: &'static str, unit: &'static str, value: f64) {
    if globals.count == globals.room {
        globals.room = if globals.room != 0 {
            2 * globals.room
        } else {
            2
        };
        globals
            .results
            .resize(globals.room as usize, Result::zeroed());
    }
    keep(&mut globals.results[globals.count as usize], test, unit);
    globals.results[({
        let old = globals.count;
        globals.count += 1;
        old
    }) as usize]
        .value = value;
    globals.last = test;
}

fn longer(a: &'static str, b: &'static str, n: i32) -> &'static str {
    if n > 2 { a } else { b }
}

fn main() {
    let mut globals = Globals::new();
    let mut sum: f64 = 0.0;
    let mut hist: [i32; 4] = [0; 4];
    sum = sum_sum(sum);
    count_hist(&mut hist);
    add(&mut globals, "sum", "1", sum);
    add(&mut globals, "zeros", "bins", hist[0] as f64);
    {
        let value_ = longer("ones", "twos", globals.count);
        add(&mut globals, value_, "bins", hist[1] as f64)
    }
    for i in 0..globals.count {
        println!(
            "{:<6} {:8.1} {}",
            globals.results[i as usize].test,
            c::Float(globals.results[i as usize].value),
            globals.results[i as usize].unit
        );
    }
    println!("{}", globals.last);
    globals.results.clear();
}

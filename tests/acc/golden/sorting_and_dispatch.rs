//! Translated by acc2rs from `sorting_and_dispatch.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, non_upper_case_globals, unused_assignments)]

use accrue::offload;

mod c;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct named_check {
    name: &'static str,
    run: fn(&mut Globals) -> i32,
}

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct peak {
    bin: i32,
    height: i32,
}

impl peak {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> peak {
        peak { bin: 0, height: 0 }
    }
}

const n: i32 = 4000;

static checks: [named_check; 2] = [
    named_check {
        name: "fills",
        run: fills,
    },
    named_check {
        name: "always",
        run: always,
    },
];

/// The variables that C keeps outside functions.
struct Globals {
    hist: [i32; 64],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals { hist: [0; 64] }
    }
}

/// Counts into `hist`, the loop at sorting_and_dispatch.c:16:3.
#[offload(histogram)]
fn count_hist(hist: &mut [i32]) {
    for i in 0_i32..n {
        hist[((i * 37 + i / 11) % 64) as usize] += 1;
    }
}

fn fills(globals: &mut Globals) -> i32 {
    let mut total: i32 = 0;
    count_hist(&mut globals.hist);
    for b in 0..64 {
        total += globals.hist[b];
    }
    i32::from(total == n)
}

fn always(_globals: &mut Globals) -> i32 {
    1
}

fn by_height(a: &[peak], b: &[peak]) -> i32 {
    if b[0].height != a[0].height {
        b[0].height - a[0].height
    } else {
        a[0].bin - b[0].bin
    }
}

fn rising(a: &f64, b: &f64) -> i32 {
    i32::from(*a > *b) - i32::from(*a < *b)
}

fn midpoints(f: fn(f64) -> f64, a: f64, b: f64, steps: i32) -> f64 {
    let h: f64 = (b - a) / steps as f64;
    let mut sum: f64 = 0.0;
    for i in 0..steps {
        sum += f(a + (i as f64 + 0.5) * h);
    }
    sum * h
}

fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    let mut globals = Globals::new();
    let mut peaks: [peak; 64] = [peak::zeroed(); 64];
    let mut samples: [f64; 9] = [0.0; 9];
    for i in 0..size_of::<[named_check; 2]>() / size_of::<named_check>() {
        {
            let value = if (checks[i].run)(&mut globals) != 0 {
                "ok"
            } else {
                "failed"
            };
            let value2 = checks[i].name;
            println!("{}: {}", value2, value);
        }
    }
    for b in 0..64 {
        peaks[b as usize].bin = b;
        peaks[b as usize].height = globals.hist[b as usize];
    }
    peaks[..64].sort_by(|a, b| by_height(std::slice::from_ref(a), std::slice::from_ref(b)).cmp(&0));
    for i in 0..5 {
        print!("{}:{} ", peaks[i].bin, peaks[i].height);
    }
    for i in 0..9 {
        samples[i as usize] = (i * 5 % 9) as f64 / 2.0;
    }
    samples[..9].sort_by(|a, b| rising(a, b).cmp(&0));
    println!(
        "\n{} {} {}",
        c::general(samples[0], 6),
        c::general(samples[4], 6),
        c::general(samples[8], 6)
    );
    let f: fn(f64) -> f64 = if globals.hist[0] > n {
        f64::sin
    } else {
        square
    };
    println!(
        "{:.6} {:.6}",
        c::Float(midpoints(f, 0.0, 3.0, 100)),
        c::Float(midpoints(f64::cos, 0.0, 1.0, 100))
    );
}

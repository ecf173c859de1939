//! Translated by acc2rs from `values_unused.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

/// The variables that C keeps outside functions.
struct Globals {
    scale: f64,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals { scale: 2.0 }
    }
}

/// Counts into `bins`, the loop at values_unused.c:36:5.
#[offload(histogram)]
fn count_bins(bins: &mut [i32]) {
    for i in 0..100 {
        bins[(i % 4) as usize] += 1;
    }
}

fn next(x: &mut f64, a: f64) -> f64 {
    *x = a * *x - (a * *x) as i32 as f64;
    *x
}

fn push(globals: &mut Globals, list: &mut [i32], count: &mut i32, value: i32) -> i32 {
    list[*count as usize] = value + globals.scale as i32;
    {
        *count += 1;
        *count
    }
}

fn add(globals: &mut Globals, a: i32, b: i32) -> i32 {
    globals.scale += a as f64;
    a + b
}

fn main() {
    let mut globals = Globals::new();
    let mut seed: f64 = 0.314159;
    let mut s: f64 = seed;
    let mut list: [i32; 8] = [0; 8];
    let mut count: i32 = 0;
    let one: fn(&mut Globals, i32, i32) -> i32 = add;
    for i in 0..3 {
        {
            let value_ = seed + 1.7;
            next(&mut seed, value_);
        }
        if i != 1 {
            {
                let value2 = s + 2.5;
                next(&mut s, value2);
            }
        }
        {
            let value3 = count * 10;
            push(&mut globals, &mut list, &mut count, value3);
        }
        {
            let value4 = globals.scale as i32;
            one(&mut globals, value4, i);
        }
    }
    let mut bins: [i32; 4] = [0; 4];
    count_bins(&mut bins);
    println!(
        "{:.6} {:.6} {:.1} {}",
        c::Float(seed),
        c::Float(s),
        c::Float(globals.scale),
        count
    );
    for i in 0..count {
        println!("{} {}", list[i as usize], bins[i as usize]);
    }
}

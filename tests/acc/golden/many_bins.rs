//! Translated by acc2rs from `many_bins.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const BUCKETS: i32 = 200003;
const COLS: i32 = 300;
const ROWS: i32 = 700;

/// The variables that C keeps outside functions.
struct Globals {
    votes: Vec<[u32; 300]>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            votes: vec![[0; 300]; ROWS as usize],
        }
    }
}

/// Adds into `buckets`, the loop at many_bins.c:31:5.
#[offload(histogram)]
fn sum_buckets(x: &[i32], y: &[i32], n: i32, buckets: &mut [u64]) {
    for i in 0..n {
        buckets[((x[i as usize] as u32)
            .wrapping_mul(977)
            .wrapping_add((y[i as usize] as u32).wrapping_mul(31))
            % BUCKETS as u32) as usize] += (1 + i % 3) as u64;
    }
}

/// Counts into `votes`, the loop at many_bins.c:38:3.
#[offload(histogram)]
fn count_votes(x: &[i32], y: &[i32], n: i32, votes: &mut [[u32; 300]]) {
    for i in 0..n {
        for k in 0..4 {
            votes[((x[i as usize] + k) % ROWS) as usize]
                [(y[i as usize] * (k + 1) % COLS) as usize] += 1;
        }
    }
}

fn next(state: &mut u32) -> u32 {
    *state = (*state).wrapping_mul(1664525).wrapping_add(1013904223);
    *state >> 8
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let n: i32 = 40000;
    let mut x: Vec<i32> = vec![0_i32; n as usize];
    let mut y: Vec<i32> = vec![0_i32; n as usize];
    let mut buckets: Vec<u64> = vec![0_u64; BUCKETS as usize];
    let mut state: u32 = 7;
    let mut errors: i32 = 0;
    for i in 0..n {
        x[i as usize] = (next(&mut state) % ROWS as u32) as i32;
        y[i as usize] = (next(&mut state) % COLS as u32) as i32;
    }
    sum_buckets(&x, &y, n, &mut buckets);
    count_votes(&x, &y, n, &mut globals.votes);
    let mut sum: u64 = 0;
    let mut highest: u64 = 0;
    let mut at: i32 = 0;
    for b in 0..BUCKETS {
        sum = sum.wrapping_add(buckets[b as usize]);
        if buckets[b as usize] > highest {
            highest = buckets[b as usize];
            at = b;
        }
    }
    let mut total: u64 = 0;
    let mut moment: u64 = 0;
    for r in 0..ROWS {
        for c_ in 0..COLS {
            total = total.wrapping_add(globals.votes[r as usize][c_ as usize] as u64);
            moment = moment.wrapping_add(
                (globals.votes[r as usize][c_ as usize] as u64)
                    .wrapping_mul((r * COLS + c_) as u64),
            );
        }
    }
    if total != 4_u64.wrapping_mul(n as u64) {
        errors += 1;
    }
    println!("sum {}, {} in bucket {}", sum, highest, at);
    println!("votes {}, moment {}", total, moment);
    drop(x);
    drop(y);
    drop(buckets);
    ExitCode::from(errors as u8)
}

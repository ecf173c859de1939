//! Translated by acc2rs from `function_params.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

/// Counts into `bins`, the loop at function_params.c:9:5.
#[offload(histogram)]
fn count_bins(keys: &[i32], n: i32, m: i32, bins: &mut [i32]) {
    for i in 0..n {
        let k: i32 = keys[i as usize] % m;
        bins[k as usize] += 1;
    }
}

// Pointer parameters whose lengths the data clauses give.
fn histogram(keys: &[i32], n: i32, bins: &mut [i32], m: i32) {
    count_bins(keys, n, m, bins);
}

fn fill(a: &mut [i32], n: i32, seed: i32) {
    let mut state: u32 = seed as u32;
    for i in 0..n {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        a[i as usize] = (state >> 16) as i32;
    }
}

fn main() -> ExitCode {
    let n: i32 = 3000;
    let m: i32 = 17;
    let mut keys: Vec<i32> = vec![0_i32; n as usize];
    let mut bins: Vec<i32> = vec![0_i32; m as usize];
    if keys.is_empty() || bins.is_empty() {
        eprintln!("no memory");
        return ExitCode::from(2);
    }
    fill(&mut keys, n, 42);
    histogram(&keys, n, &mut bins, m);
    let mut total: i32 = 0;
    for i in 0..m {
        println!("{:2}: {:5}", i, bins[i as usize]);
        total += bins[i as usize];
    }
    drop(keys);
    drop(bins);
    ExitCode::from((if total == n { 0 } else { 1 }) as u8)
}

//! Translated by acc2rs from `routine_helper.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

/// Counts into `h`, the loop at routine_helper.c:33:3.
#[offload(histogram)]
fn count_h(x: &[f64], n: i32, bins: i32, h: &mut [i32]) {
    for i in 0..n {
        h[bucket(x[i as usize], -4.0, 4.0, bins) as usize] += 1;
    }
}

fn bucket(x: f64, lo: f64, hi: f64, n: i32) -> i32 {
    let b: i32 = ((x - lo) / (hi - lo) * n as f64).floor() as i32;
    if b < 0 {
        return 0;
    }
    if b >= n {
        return n - 1;
    }
    b
}

fn gauss(state: &mut u32) -> f64 {
    let mut s: f64 = 0.0;
    for _ in 0..12 {
        *state = (*state).wrapping_mul(1103515245).wrapping_add(12345);
        s += (*state >> 8) as f64 / 16777216.0;
    }
    s - 6.0
}

fn main() -> ExitCode {
    let n: i32 = 8192;
    let bins: i32 = 21;
    let mut x: Vec<f64> = vec![0.0_f64; n as usize];
    let mut h: Vec<i32> = vec![0_i32; bins as usize];
    let mut state: u32 = 12345;
    for i in 0..n {
        x[i as usize] = gauss(&mut state);
    }
    count_h(&x, n, bins, &mut h);
    let mut total: i32 = 0;
    for b in 0..bins {
        println!(
            "{:+6.2} {}",
            c::Float(-4.0 + 8.0 * b as f64 / bins as f64),
            h[b as usize]
        );
        total += h[b as usize];
    }
    drop(x);
    drop(h);
    ExitCode::from(i32::from(total != n) as u8)
}

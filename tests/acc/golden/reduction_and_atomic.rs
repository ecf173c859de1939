//! Translated by acc2rs from `reduction_and_atomic.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

/// Counts into `hist`, adds into `total`, keeps the largest in `biggest`, the loop at reduction_and_atomic.c:14:3.
#[offload(histogram)]
fn count_hist(k: &[i32], n: i32, mut total: i64, mut biggest: i32, hist: &mut [i32]) -> (i64, i32) {
    for i in 0..n {
        total += k[i as usize] as i64;
        biggest = biggest.max(k[i as usize]);
        hist[k[i as usize] as usize] += 1;
    }
    (total, biggest)
}

// A reduction on the same loop as the atomic.
fn main() -> ExitCode {
    let n: i32 = 4000;
    let mut k: Vec<i32> = vec![0_i32; n as usize];
    let mut total: i64 = 0;
    let mut biggest: i32 = -1;
    let mut hist: [i32; 100] = [0; 100];
    for i in 0..100 {
        hist[i] = 0;
    }
    for i in 0..n {
        k[i as usize] = (i * 31 + 7) % 100;
    }
    (total, biggest) = count_hist(&k, n, total, biggest, &mut hist);
    let mut check: i64 = 0;
    for i in 0..100 {
        check += i as i64 * hist[i as usize] as i64;
    }
    println!("{} {} {}", total, check, biggest);
    drop(k);
    ExitCode::from(i32::from(total != check) as u8)
}

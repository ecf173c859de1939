//! Translated by acc2rs from `split_constructs.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const SEED: i32 = 5;

/// Counts into `distribution`, the loop at split_constructs.c:30:7.
#[offload(histogram)]
fn count_distribution(a: &[f64], b: &[f64], n: i32, distribution: &mut [i32]) {
    for x in 0..n {
        distribution[(a[x as usize] * b[x as usize] / 10.0) as i32 as usize] += 1;
    }
}

fn test(n: i32) -> i32 {
    let mut err: i32 = 0;
    c::srand(SEED as u32);
    let mut a: Vec<f64> = vec![0.0_f64; n as usize];
    let mut b: Vec<f64> = vec![0.0_f64; n as usize];
    let mut distribution: Vec<i32> = vec![0_i32; 10];
    let mut expected: Vec<i32> = vec![0_i32; 10];
    for x in 0..n {
        a[x as usize] = c::rand() as f64 / (2147483647 / 10) as f64;
        b[x as usize] = c::rand() as f64 / (2147483647 / 10) as f64;
    }
    for x in 0..10 {
        distribution[x] = 0;
        expected[x] = 0;
    }
    count_distribution(&a, &b, n, &mut distribution);
    for x in 0..n {
        expected[(a[x as usize] * b[x as usize] / 10.0) as i32 as usize] += 1;
    }
    for x in 0..10 {
        if distribution[x] != expected[x] {
            err += 1;
            break;
        }
    }
    println!("{} {}", distribution[0], distribution[9]);
    drop(a);
    drop(b);
    drop(distribution);
    drop(expected);
    err
}

fn main() -> ExitCode {
    let mut failcode: i32 = 0;
    let mut failed: i32 = 0;
    for x in 0..3 {
        failed = failed + test(1000 + x);
    }
    if failed != 0 {
        failcode = failcode + (1 << 0);
    }
    ExitCode::from(failcode as u8)
}

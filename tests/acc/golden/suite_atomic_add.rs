//! Translated by acc2rs from `suite_atomic_add.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const NUM_TEST_CALLS: i32 = 1;
const PRECISION: f64 = 1e-8;
const SEED: i32 = 5;
const n: i32 = 1000;

/// Adds into `totals`, the loop at suite_atomic_add.c:44:13.
#[offload(histogram)]
fn sum_totals(a: &[f64], b: &[f64], totals: &mut [i32]) {
    for x in 0..n {
        totals[(x % (n / 10 + 1)) as usize] =
            totals[(x % (n / 10 + 1)) as usize] + (a[x as usize] * b[x as usize]) as i32;
    }
}

fn possible_result(length: i32, remaining: &[i32], current: i32, target: i32) -> bool {
    if length == 0 {
        return current == target;
    }
    for x in 0..length {
        let mut passed: Vec<i32> = vec![0_i32; (length - 1) as usize];
        for y in 0..x as usize {
            passed[y] = remaining[y];
        }
        for y in x + 1..length {
            passed[(y - 1) as usize] = remaining[y as usize];
        }
        if possible_result(length - 1, &passed, current + remaining[x as usize], target) {
            passed.clear();
            return true;
        }
        passed.clear();
    }
    false
}

fn test1() -> i32 {
    let mut err: i32 = 0;
    c::srand(SEED as u32);
    let mut a: Vec<f64> = vec![0.0_f64; n as usize];
    let mut b: Vec<f64> = vec![0.0_f64; n as usize];
    let mut c_: Vec<f64> = vec![0.0_f64; n as usize];
    let mut totals: Vec<i32> = vec![0_i32; (n / 10 + 1) as usize];
    let mut totals_comparison: Vec<i32> = vec![0_i32; (n / 10 + 1) as usize];
    for x in 0..n as usize {
        a[x] = c::rand() as f64 / (2147483647 / 10) as f64;
        b[x] = c::rand() as f64 / (2147483647 / 10) as f64;
        c_[x] = 0.0;
    }
    for x in 0..(n / 10 + 1) as usize {
        totals[x] = 0;
        totals_comparison[x] = 0;
    }
    sum_totals(&a, &b, &mut totals);
    for x in 0..n {
        totals_comparison[(x % (n / 10 + 1)) as usize] += (a[x as usize] * b[x as usize]) as i32;
    }
    for x in 0..(n / 10 + 1) as usize {
        if ((totals_comparison[x] - totals[x]) as f64).abs() > PRECISION {
            err += 1;
            break;
        }
    }
    let small: [i32; 3] = [1, 2, 3];
    if !possible_result(3, &small, 0, 6) {
        err += 1;
    }
    drop(a);
    drop(b);
    drop(c_);
    drop(totals);
    drop(totals_comparison);
    err
}

fn main() -> ExitCode {
    let mut failcode: i32 = 0;
    let mut failed: i32 = 0;
    for _ in 0..NUM_TEST_CALLS as usize {
        failed = failed + test1();
    }
    if failed != 0 {
        failcode = failcode + (1 << 0);
    }
    ExitCode::from(failcode as u8)
}

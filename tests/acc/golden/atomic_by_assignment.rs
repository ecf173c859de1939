//! Translated by acc2rs from `atomic_by_assignment.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const CELLS: i32 = 1000 / 8 + 1;
const ITEMS: i32 = 1000;

/// Adds into `sums`, the loop at atomic_by_assignment.c:48:13.
#[offload(histogram)]
fn sum_sums(u: &[f64], v: &[f64], sums: &mut [i32]) {
    for i in 0_i32..ITEMS {
        sums[(i % (ITEMS / 8 + 1)) as usize] =
            sums[(i % (ITEMS / 8 + 1)) as usize] + (u[i as usize] * v[i as usize]) as i32;
    }
}

// Whether some of the `count` weights add up to `goal` exactly, tried by leaving each out in turn.
fn reaches(count: i32, weights: &[i32], goal: i32) -> bool {
    let mut sum: i32 = 0;
    for i in 0..count {
        sum += weights[i as usize];
    }
    if sum == goal {
        return true;
    }
    if count <= 1 {
        return false;
    }
    let mut found: bool = false;
    let mut rest: Vec<i32> = vec![0_i32; (count - 1) as usize];
    {
        let mut left_out: i32 = 0;
        while left_out < count && !found {
            let mut kept: i32 = 0;
            for i in 0..count {
                if i != left_out {
                    rest[kept as usize] = weights[i as usize];
                    kept += 1;
                }
            }
            found = reaches(count - 1, &rest, goal);
            left_out += 1;
        }
    }
    drop(rest);
    found
}

fn products() -> i32 {
    let mut wrong: i32 = 0;
    let mut u: Vec<f64> = vec![0.0_f64; ITEMS as usize];
    let mut v: Vec<f64> = vec![0.0_f64; ITEMS as usize];
    let mut sums: Vec<i32> = vec![0_i32; CELLS as usize];
    let mut expected: Vec<i32> = vec![0_i32; CELLS as usize];
    c::srand(11);
    for i in 0..ITEMS as usize {
        u[i] = c::rand() as f64 / (2147483647 / 12) as f64;
        v[i] = c::rand() as f64 / (2147483647 / 12) as f64;
    }
    sum_sums(&u, &v, &mut sums);
    for i in 0..ITEMS {
        expected[(i % CELLS) as usize] += (u[i as usize] * v[i as usize]) as i32;
    }
    for c_ in 0..CELLS as usize {
        if ((sums[c_] - expected[c_]) as f64).abs() > 1e-8 {
            wrong = 1;
            break;
        }
    }
    drop(u);
    drop(v);
    drop(sums);
    drop(expected);
    wrong
}

fn main() -> ExitCode {
    let weights: [i32; 4] = [3, 5, 9, 14];
    let mut code: i32 = 0;
    code |= products() << 0;
    code |= (if reaches(4, &weights, 22) { 0 } else { 1 }) << 1;
    code |= (if reaches(4, &weights, 13) { 1 } else { 0 }) << 2;
    println!("code {}", code);
    ExitCode::from(code as u8)
}

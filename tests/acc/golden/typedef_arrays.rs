//! Translated by acc2rs from `typedef_arrays.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

mod c;

/// Adds into `sum`, the loop at typedef_arrays.c:25:3.
#[offload]
fn sum_sum(b: &[f64], mut sum: f64) -> f64 {
    for i in 0..3 {
        sum += b[i];
    }
    sum
}

fn apply(m: &[[f64; 3]], a: &[f64], out: &mut [f64]) {
    for i in 0..3 {
        out[i] = 0.0;
        for j in 0..3 {
            out[i] += m[i][j] * a[j];
        }
    }
}

fn main() -> ExitCode {
    let a: [f64; 3] = [1.0, 2.0, 3.0];
    let mut b: [f64; 3] = [0.0; 3];
    let mut m: [[f64; 3]; 3] = [[0.0; 3]; 3];
    m[..3].fill([0.0; 3]);
    for i in 0..3 {
        m[i as usize][((i + 1) % 3) as usize] = a[i as usize];
    }
    apply(&m, &a, &mut b);
    let mut sum: f64 = 0.0;
    sum = sum_sum(&b, sum);
    println!(
        "{} {} {} {}",
        c::general(b[0], 6),
        c::general(b[1], 6),
        c::general(b[2], 6),
        c::general(sum, 6)
    );
    ExitCode::from(i32::from(sum != 11.0) as u8)
}

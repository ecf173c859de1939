//! Translated by acc2rs from `weighted_sum.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

/// Adds into `sum` and `count`, the loop at weighted_sum.c:17:3.
#[offload(histogram)]
fn sum_sum(w: &[f64], c_: &[i32], n: i32, sum: &mut [f64], count: &mut [i32]) {
    for i in 0..n {
        sum[c_[i as usize] as usize] += w[i as usize];
        count[c_[i as usize] as usize] += 1;
    }
}

// Sums of weights per class, and the class means.
fn main() -> ExitCode {
    let n: i32 = 5000;
    let classes: i32 = 12;
    let mut w: Vec<f64> = vec![0.0_f64; n as usize];
    let mut c_: Vec<i32> = vec![0_i32; n as usize];
    let mut sum: [f64; 12] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut count: [i32; 12] = [0; 12];
    for i in 0..n {
        w[i as usize] = (i % 100) as f64 * 0.25;
        c_[i as usize] = (i * i + 3) % classes;
    }
    sum_sum(&w, &c_, n, &mut sum, &mut count);
    let mut all: f64 = 0.0;
    for k in 0..classes {
        let mean: f64 = if count[k as usize] > 0 {
            sum[k as usize] / count[k as usize] as f64
        } else {
            0.0
        };
        println!("{} {:.3} {}", k, c::Float(mean), count[k as usize]);
        all += sum[k as usize];
    }
    drop(w);
    drop(c_);
    ExitCode::from(i32::from((all - 61875.0).abs() > 1e-9) as u8)
}

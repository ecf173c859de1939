//! Translated by acc2rs from `c89_style.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

/// Counts into `count`, the loop at c89_style.c:21:5.
#[offload(histogram)]
fn count_count(data: &[i32], n: i32, count: &mut [i32]) {
    for i in 0..n {
        count[(data[i as usize] % 8) as usize] += 1;
    }
}

// Declarations first, K&R style names, loops on outer variables.
fn main() -> ExitCode {
    let n: i32 = 512;
    let mut err: i32 = 0;
    let mut data: Vec<i32> = vec![0_i32; n as usize];
    let mut count: Vec<i32> = vec![0_i32; 8];
    for i in 0..n {
        data[i as usize] = i * 5 / 3;
    }
    for j in 0..8 {
        count[j as usize] = 0;
    }
    count_count(&data, n, &mut count);
    let mut mean: f64 = 0.0;
    for j in 0..8 {
        mean += count[j as usize] as f64;
    }
    mean /= 8.0;
    if mean != 64.0 {
        err = 1;
    }
    println!("mean {:.6}", c::Float(mean));
    drop(data);
    drop(count);
    ExitCode::from(err as u8)
}

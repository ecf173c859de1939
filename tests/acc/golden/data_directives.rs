//! Translated by acc2rs from `data_directives.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

/// Counts into `h`, the loop at data_directives.c:16:3.
#[offload(histogram)]
fn count_h(x: &[f32], n: i32, h: &mut [i32]) {
    for i in 0..n {
        h[x[i as usize] as i32 as usize] += 1;
    }
}

// enter/exit data, update, async and wait, host_data, the runtime's functions.
fn main() -> ExitCode {
    let n: i32 = 1000;
    let mut x: Vec<f32> = vec![0.0_f32; n as usize];
    let mut h: Vec<i32> = vec![0_i32; 16];
    for i in 0..n {
        x[i as usize] = (i % 160) as f32 * 0.1;
    }
    for i in 0..16 {
        h[i] = 0;
    }
    count_h(&x, n, &mut h);
    if 1 == 0 {
        println!("absent");
    }
    let mut total: i32 = 0;
    for i in 0..16 {
        total += h[i];
    }
    println!("{} {}", total, h[0]);
    drop(x);
    drop(h);
    ExitCode::from(i32::from(total != n) as u8)
}

//! Translated by acc2rs from `injective.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

/// Updates `a`, the loop at injective.c:9:3.
#[offload]
fn update_a(n: i32, a: &mut [i32]) {
    for i in 0..n {
        a[i as usize] += 2 * i;
    }
}

fn main() -> ExitCode {
    let n: i32 = 300;
    let mut a: Vec<i32> = vec![0_i32; n as usize];
    for i in 0..n {
        a[i as usize] = i;
    }
    update_a(n, &mut a);
    let mut sum: i64 = 0;
    for i in 0..n {
        sum += a[i as usize] as i64;
    }
    println!("{}", sum);
    drop(a);
    ExitCode::from(i32::from(sum != 3 * n as i64 * (n - 1) as i64 / 2) as u8)
}

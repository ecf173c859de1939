//! Translated by acc2rs from `typedef_enum_bool.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const LOW: i32 = 0;
const MID: i32 = 1;
const HIGH: i32 = 2;

/// Counts into `hist`, the loop at typedef_enum_bool.c:24:3.
#[offload(histogram)]
fn count_hist(v: &[f32], n: u32, hist: &mut [u32]) {
    for i in 0..n as usize {
        hist[level(v[i]) as usize] += 1;
    }
}

fn level(v: f32) -> i32 {
    if v < 0.3 {
        return LOW;
    }
    if v < 0.7 { MID } else { HIGH }
}

fn odd(x: u32) -> bool {
    x & 1 != 0
}

fn main() -> ExitCode {
    let n: u32 = 900;
    let mut hist: [u32; 3] = [0; 3];
    let mut odds: u32 = 0;
    let mut v: Vec<f32> = vec![0.0_f32; n as usize];
    for i in 0..n {
        v[i as usize] = (i % 97) as f32 / 97.0;
        if odd(i) {
            odds += 1;
        }
    }
    count_hist(&v, n, &mut hist);
    let ok: bool = hist[LOW as usize]
        .wrapping_add(hist[MID as usize])
        .wrapping_add(hist[HIGH as usize])
        == n;
    println!(
        "{} {} {} {} {}",
        hist[LOW as usize], hist[MID as usize], hist[HIGH as usize], odds, ok as i32
    );
    drop(v);
    ExitCode::from((if ok { 0 } else { 1 }) as u8)
}

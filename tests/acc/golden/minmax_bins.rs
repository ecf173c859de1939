//! Translated by acc2rs from `minmax_bins.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const N: i32 = 2000;
const C: i32 = 9;

/// Keeps the smallest in `lo` and `hi`, the loop at minmax_bins.c:14:3.
#[offload(histogram)]
fn min_lo(v: &[i32], c_: &[i32], lo: &mut [i32], hi: &mut [i32]) {
    for i in 0..N as usize {
        lo[c_[i] as usize] = lo[c_[i] as usize].min(v[i]);
        hi[c_[i] as usize] = hi[c_[i] as usize].max(v[i]);
    }
}

// The largest and smallest value of each class; gcc knows no atomic min and max.
fn main() -> ExitCode {
    let mut v: [i32; 2000] = [0; N as usize];
    let mut c_: [i32; 2000] = [0; N as usize];
    let mut lo: [i32; 9] = [0; C as usize];
    let mut hi: [i32; 9] = [0; C as usize];
    for i in 0..N {
        v[i as usize] = i * 7919 % 1009;
        c_[i as usize] = i % C;
    }
    for k in 0..C as usize {
        lo[k] = 1 << 30;
        hi[k] = -1;
    }
    min_lo(&v, &c_, &mut lo, &mut hi);
    let mut bad: i32 = 0;
    for k in 0..C as usize {
        println!("[{}, {}]", lo[k], hi[k]);
        if lo[k] > hi[k] {
            bad = 1;
        }
    }
    ExitCode::from(bad as u8)
}

//! Translated by acc2rs from `minmax_bins.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use std::process::ExitCode;

const N: i32 = 2000;
const C: i32 = 9;

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
    for i in 0..N as usize {
        lo[c_[i] as usize] = if v[i] < lo[c_[i] as usize] {
            v[i]
        } else {
            lo[c_[i] as usize]
        };
        hi[c_[i] as usize] = if hi[c_[i] as usize] > v[i] {
            hi[c_[i] as usize]
        } else {
            v[i]
        };
    }
    let mut bad: i32 = 0;
    for k in 0..C as usize {
        println!("[{}, {}]", lo[k], hi[k]);
        if lo[k] > hi[k] {
            bad = 1;
        }
    }
    ExitCode::from(bad as u8)
}

//! Translated by acc2rs from `hist_u8.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const BINS: i32 = 256;
const N: i32 = 20000;

/// Counts into `hist`, the loop at hist_u8.c:19:3.
#[offload(histogram)]
fn count_hist(keys: &[u8], hist: &mut [u32]) {
    for i in 0..N as usize {
        hist[keys[i] as usize] += 1;
    }
}

// A histogram of bytes: the smallest program of the kind.
fn main() -> ExitCode {
    let mut keys: Vec<u8> = vec![0_u8; 20000];
    let mut hist: Vec<u32> = vec![0_u32; BINS as usize];
    let mut errors: i32 = 0;
    c::srand(7);
    for i in 0..N as usize {
        keys[i] = (c::rand() % 256) as u8;
    }
    for i in 0..BINS as usize {
        hist[i] = 0;
    }
    count_hist(&keys, &mut hist);
    let mut total: u32 = 0;
    for i in 0..BINS as usize {
        total = total.wrapping_add(hist[i]);
    }
    if total != N as u32 {
        errors += 1;
    }
    println!("total {}, first {}, last {}", total, hist[0], hist[255]);
    drop(keys);
    drop(hist);
    ExitCode::from(errors as u8)
}

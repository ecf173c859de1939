//! Translated by acc2rs from `kernels_loop.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const N: i32 = 4096;

/// The variables that C keeps outside functions.
struct Globals {
    keys: Vec<i32>,
    hist: [i32; 64],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            keys: vec![0_i32; N as usize],
            hist: [0; 64],
        }
    }
}

/// Counts into `hist`, the loop at kernels_loop.c:16:5.
#[offload(histogram)]
fn count_hist(keys: &[i32], hist: &mut [i32]) {
    for i in 0_i32..N {
        hist[keys[i as usize] as usize] = hist[keys[i as usize] as usize] + 1;
    }
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let mut sum: i32 = 0;
    for i in 0..N {
        globals.keys[i as usize] = (i * 37 + 11) % 64;
    }
    count_hist(&globals.keys, &mut globals.hist);
    for i in 0..64 {
        sum += globals.hist[i as usize] * i;
    }
    println!("sum = {}", sum);
    ExitCode::from(i32::from(sum == 0) as u8)
}

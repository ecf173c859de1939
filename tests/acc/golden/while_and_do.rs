//! Translated by acc2rs from `while_and_do.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

/// Counts into `h`, the loop at while_and_do.c:21:3.
#[offload(histogram)]
fn count_h(h: &mut [i32]) {
    for i in 1..=1000 {
        let s: i32 = collatz(i as i64);
        if s > 127 {
            continue;
        }
        h[s as usize] += 1;
    }
}

fn collatz(mut n: i64) -> i32 {
    let mut steps: i32 = 0;
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        steps += 1;
    }
    steps
}

fn main() -> ExitCode {
    let mut h: [i32; 128] = [0; 128];
    for i in 0..128 {
        h[i] = 0;
    }
    count_h(&mut h);
    let mut found: bool = false;
    let mut i: i32 = 0;
    loop {
        if h[i as usize] > 20 {
            found = true;
        }
        i += 1;
        if !(!found && i < 128) {
            break;
        }
    }
    let mut k: i32 = 128;
    while ({
        let old = k;
        k -= 1;
        old
    }) > 0
        && h[k as usize] == 0
    {}
    println!("{} {} {}", i, k, found as i32);
    loop {
        if ({
            k -= 1;
            k
        }) < 100
        {
            break;
        }
        if k % 2 != 0 {
            continue;
        }
        h[k as usize] = 0;
    }
    println!("{}", k);
    ExitCode::from(i32::from(!found) as u8)
}

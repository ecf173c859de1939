//! Translated by acc2rs from `capture_kept.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use std::process::ExitCode;

// A captured value orders the iterations; the sequential order is one of the allowed ones.
fn main() -> ExitCode {
    let mut count: i32 = 0;
    let mut slots: [i32; 64] = [0; 64];
    let mut in_: [i32; 200] = [0; 200];
    for i in 0..200 {
        in_[i as usize] = i * 13 % 50;
    }
    for i in 0..64 {
        slots[i] = -1;
    }
    // In order: two iterations may write the same element, `slots[at as usize]` [accrue::H057].
    for i in 0..200 {
        if in_[i as usize] < 10 {
            let mut at: i32 = 0;
            at = count;
            count += 1;
            if at < 64 {
                slots[at as usize] = i;
            }
        }
    }
    let mut filled: i32 = 0;
    for i in 0..64 {
        if slots[i] >= 0 {
            filled += 1;
        }
    }
    println!("{} {}", count, filled);
    ExitCode::from(i32::from(count != filled) as u8)
}

//! Translated by acc2rs from `copyout_accumulator.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

/// Counts into `h`, the loop at copyout_accumulator.c:7:3.
#[offload(histogram)]
fn count_h(h: &mut [i32]) {
    for i in 0..100 {
        h[(i & 3) as usize] += 1;
    }
}

// The bug class: an accumulator in copyout, which works on the host only.
fn main() {
    let mut h: [i32; 4] = [0; 4];
    count_h(&mut h);
    println!("{} {} {} {}", h[0], h[1], h[2], h[3]);
}

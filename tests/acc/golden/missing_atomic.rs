//! Translated by acc2rs from `missing_atomic.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

/// Adds into `h`, the loop at missing_atomic.c:5:3.
#[offload(histogram)]
fn sum_h(h: &mut [i32]) {
    for i in 0..30 {
        h[(i % 3) as usize] += i;
    }
}

fn main() {
    let mut h: [i32; 3] = [0; 3];
    sum_h(&mut h);
    println!("{} {} {}", h[0], h[1], h[2]);
}

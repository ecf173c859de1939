//! Translated by acc2rs from `order_dependent.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

mod c;

// `/=` and `x = e - x` depend on the order; the loops stay sequential.
fn main() {
    let mut h: [f64; 8] = [0.0; 8];
    let mut k: [i32; 40] = [0; 40];
    for i in 0..8 {
        h[i as usize] = 1000.0 + i as f64;
    }
    for i in 0..40 {
        k[i as usize] = i % 8;
    }
    // In order: two iterations may write the same element, `h[k[i] as usize]` [accrue::H057].
    for i in 0..40 {
        h[k[i] as usize] /= 2.0;
    }
    // In order: `h[k[i] as usize]` is written here, and another iteration may read the same
    // element as `h[k[i] as usize]` [accrue::H057].
    for i in 0..24 {
        h[k[i] as usize] = 100.0 - h[k[i] as usize];
    }
    for i in 0..8 {
        print!("{} ", c::general(h[i], 6));
    }
    println!();
}

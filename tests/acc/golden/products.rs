//! Translated by acc2rs from `products.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

/// Multiplies into `p` and `left` and `debt`, the loop at products.c:9:3.
#[offload(histogram)]
fn multiply_p(p: &mut [f64], left: &mut [i32], debt: &mut [i64]) {
    for i in 0..60 {
        p[(i % 4) as usize] *= 1.0 + (i % 2) as f64;
        left[(i % 4) as usize] -= 1;
        debt[(i / 2 % 4) as usize] -= i as i64;
    }
}

// Products, subtraction and decrement into bins.
fn main() {
    let mut p: [f64; 4] = [1.0, 1.0, 1.0, 1.0];
    let mut left: [i32; 4] = [100, 100, 100, 100];
    let mut debt: [i64; 4] = [0; 4];
    multiply_p(&mut p, &mut left, &mut debt);
    for k in 0..4 {
        println!("{} {} {}", c::general(p[k], 6), left[k], debt[k]);
    }
}

//! Translated by acc2rs from `scatter_add.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

/// Adds into `y`, the loop at scatter_add.c:17:3.
#[offload(histogram)]
fn sum_y(r: &[i32], v: &[f64], x: &[f64], c_: &[i32], nnz: i32, y: &mut [f64]) {
    for i in 0..nnz {
        y[r[i as usize] as usize] =
            y[r[i as usize] as usize] + v[i as usize] * x[c_[i as usize] as usize];
    }
}

// Sparse matrix by vector, coordinate format: sums into rows.
fn main() {
    let rows: i32 = 40;
    let nnz: i32 = 700;
    let mut r: Vec<i32> = vec![0_i32; nnz as usize];
    let mut c_: Vec<i32> = vec![0_i32; nnz as usize];
    let mut v: Vec<f64> = vec![0.0_f64; nnz as usize];
    let mut x: Vec<f64> = vec![0.0_f64; rows as usize];
    let mut y: Vec<f64> = vec![0.0_f64; rows as usize];
    for i in 0..nnz {
        r[i as usize] = i * 7 % rows;
        c_[i as usize] = (i * 13 + 5) % rows;
        v[i as usize] = (i % 9 - 4) as f64;
    }
    for i in 0..rows {
        x[i as usize] = i as f64 * 0.5;
    }
    sum_y(&r, &v, &x, &c_, nnz, &mut y);
    let mut s: f64 = 0.0;
    for i in 0..rows {
        s += y[i as usize] * (i + 1) as f64;
    }
    println!("{:.2}", c::Float(s));
    drop(r);
    drop(c_);
    drop(v);
    drop(x);
    drop(y);
}

//! Translated by acc2rs from `signed_bounds.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

/// Sets `out`, the loop at signed_bounds.c:7:3.
#[offload]
fn compute_out(x: &[i32], n: i32, k: i32, out: &mut [i32]) {
    for i in 0..n {
        for d in -k..=k {
            let at: i32 = i + d;
            out[i as usize * (2 * k as usize + 1) + d as usize + k as usize] =
                if at < 0 || at >= n { 0 } else { x[at as usize] };
        }
    }
}

/// Sets `out`, the loop at signed_bounds.c:16:3.
#[offload]
fn compute_out_2(x: &[i32], last: i32, first: i32, out: &mut [i32]) {
    for i in (first..=last).rev() {
        out[last as usize - i as usize] = x[i as usize - first as usize];
    }
}

/// Sets `out`, the loop at signed_bounds.c:22:3.
#[offload]
fn compute_out_3(x: &[i32], cols: i32, rows: i32, stride: i32, out: &mut [i32]) {
    for c_ in 0..cols {
        for r in 0..rows {
            out[c_ as usize * stride as usize + r as usize] =
                2 * x[r as usize * cols as usize + c_ as usize];
        }
    }
}

/// Sets `out`, the loop at signed_bounds.c:53:5.
#[offload]
fn compute_out_4(x: &[i32], c_: usize, out: &mut [i32]) {
    for r in 0..6 {
        out[c_ * 4 + r] = 3 * x[r * 10 + c_];
    }
}

// Bounds and strides with a sign: from below zero, down to zero, none at all.
fn bands(n: i32, k: i32, x: &[i32], out: &mut [i32]) {
    compute_out(x, n, k, out);
}

fn turned(first: i32, last: i32, x: &[i32], out: &mut [i32]) {
    compute_out_2(x, last, first, out);
}

fn columns(rows: i32, cols: i32, stride: i32, x: &[i32], out: &mut [i32]) {
    compute_out_3(x, cols, rows, stride, out);
}

fn total(n: i32, x: &[i32]) -> i32 {
    let mut sum: i32 = 0;
    for i in 0..n {
        sum = (sum * 3 + x[i as usize] % 7) % 1000;
    }
    sum
}

fn main() {
    let n: i32 = 60;
    let k: i32 = 2;
    let size: i32 = n * 5;
    let mut x: Vec<i32> = vec![0_i32; size as usize];
    let mut out: Vec<i32> = vec![0_i32; size as usize];
    for i in 0..size {
        x[i as usize] = i * i % 101;
    }
    bands(n, k, &x, &mut out);
    println!("{}", total(size, &out));
    bands(-3, k, &x, &mut out);
    bands(n, -1, &x, &mut out);
    println!("{}", total(size, &out));
    turned(-20, 30, &x, &mut out);
    println!("{}", total(size, &out));
    turned(5, 4, &x, &mut out);
    turned(-5, -8, &x, &mut out);
    columns(6, 10, 6, &x, &mut out);
    println!("{}", total(size, &out));
    // Columns that overlap: the last one wins, as in order.
    for c_ in 0..10 {
        compute_out_4(&x, c_, &mut out);
    }
    println!("{}", total(size, &out));
    columns(0, 10, -1, &x, &mut out);
    columns(6, 0, 6, &x, &mut out);
    println!("{}", total(size, &out));
    drop(x);
    drop(out);
}

//! Translated by acc2rs from `jacobi_swap.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

/// Updates `b`, keeps the largest in `err`, the loop at jacobi_swap.c:17:5.
#[offload]
fn update_b(a: &[f64], n: i32, mut err: f64, b: &mut [f64]) -> f64 {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            b[i as usize * n as usize + j as usize] = 0.25
                * (a[(i as usize - 1) * n as usize + j as usize]
                    + a[(i as usize + 1) * n as usize + j as usize]
                    + a[i as usize * n as usize + (j as usize - 1)]
                    + a[i as usize * n as usize + (j as usize + 1)]);
            err = err.max(
                (b[i as usize * n as usize + j as usize] - a[i as usize * n as usize + j as usize])
                    .abs(),
            );
        }
    }
    err
}

fn main() {
    let n: i32 = 24;
    let iters: i32 = 40;
    let mut a: Vec<f64> = vec![0.0_f64; (n * n) as usize];
    let mut b: Vec<f64> = vec![0.0_f64; (n * n) as usize];
    for i in 0..n {
        b[(i * n + 0) as usize] = 1.0;
        a[(i * n + 0) as usize] = b[(i * n + 0) as usize];
    }
    let mut err: f64 = 0.0;
    for _ in 0..iters {
        err = 0.0;
        err = update_b(&a, n, err, &mut b);
        std::mem::swap(&mut a, &mut b);
    }
    println!(
        "{:.9} {:.9}",
        c::Float(err),
        c::Float(a[(n / 2 * n + 3) as usize])
    );
    drop(a);
    drop(b);
}

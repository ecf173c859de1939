//! Translated by acc2rs from `matmul_ways.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const M: i32 = 12;

/// The variables that C keeps outside functions.
struct Globals {
    main_x: [[f64; 5]; 12],
    main_y: [[f64; 5]; 7],
    main_z: [[f64; 7]; 12],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            main_x: [[0.0; 5]; M as usize],
            main_y: [[0.0; 5]; 7],
            main_z: [[0.0; 7]; M as usize],
        }
    }
}

/// Sets `c_`, the loop at matmul_ways.c:9:3.
#[offload]
fn compute_c(a: &[f32], b: &[f32], n: i32, c_: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            let mut sum: f32 = 0.0;
            for k in 0..n {
                sum += a[i as usize * n as usize + k as usize]
                    * b[k as usize * n as usize + j as usize];
            }
            c_[i as usize * n as usize + j as usize] = sum;
        }
    }
}

/// Updates `C`, the loop at matmul_ways.c:21:3.
#[offload]
fn update_c(A: &[f32], B: &[f32], n: i32, C: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                C[i as usize * n as usize + j as usize] += A[i as usize * n as usize + k as usize]
                    * B[k as usize * n as usize + j as usize];
            }
        }
    }
}

/// Updates `c_`, the loop at matmul_ways.c:33:5.
#[offload]
fn update_c_2(a: &[f64], b: &[f64], n: i32, m: i32, p: i32, c_: &mut [f64]) {
    for i in 0..n {
        for j in 0..m {
            c_[i as usize * m as usize + j as usize] = 0.0;
            for k in 0..p {
                c_[i as usize * m as usize + j as usize] += a[i as usize * p as usize + k as usize]
                    * b[j as usize * p as usize + k as usize];
            }
        }
    }
}

// Products of matrices: two collapsed loops and a sum, three and an atomic, rows of arrays, a transposed operand.
fn gemm2(n: i32, a: &[f32], b: &[f32], c_: &mut [f32]) {
    compute_c(a, b, n, c_);
}

fn gemm3(n: i32, A: &[f32], B: &[f32], C: &mut [f32]) {
    update_c(A, B, n, C);
}

fn gemm_bt(n: i32, m: i32, p: i32, a: &[f64], b: &[f64], c_: &mut [f64]) {
    update_c_2(a, b, n, m, p, c_);
}

fn main() {
    let mut globals = Globals::new();
    let n: i32 = 16;
    let mut a: Vec<f32> = vec![0.0_f32; (n * n) as usize];
    let mut b: Vec<f32> = vec![0.0_f32; (n * n) as usize];
    let mut c_: Vec<f32> = vec![0.0_f32; (n * n) as usize];
    let mut d: Vec<f32> = vec![0.0_f32; (n * n) as usize];
    for i in 0..n * n {
        a[i as usize] = (i % 7) as f32 - 3.0;
        b[i as usize] = (i % 5) as f32 * 0.5;
    }
    for i in 0..M {
        for k in 0..5 {
            globals.main_x[i as usize][k as usize] = (i - k) as f64;
        }
    }
    for j in 0..7 {
        for k in 0..5 {
            globals.main_y[j as usize][k as usize] = (j * k) as f64;
        }
    }
    gemm2(n, &a, &b, &mut c_);
    gemm3(n, &a, &b, &mut d);
    gemm_bt(
        M,
        7,
        5,
        &globals.main_x.as_flattened(),
        &globals.main_y.as_flattened(),
        &mut globals.main_z.as_flattened_mut(),
    );
    let mut same: i32 = 1;
    let mut trace: f64 = 0.0;
    for i in 0..n * n {
        same &= i32::from(c_[i as usize] == d[i as usize]);
    }
    for i in 0..7 {
        trace += globals.main_z[i][i];
    }
    println!(
        "{} {} {} {}",
        same,
        c::general(c_[5] as f64, 6),
        c::general(d[(n * n - 1) as usize] as f64, 6),
        c::general(trace, 6)
    );
    drop(a);
    drop(b);
    drop(c_);
    drop(d);
}

//! Translated by acc2rs from `spmv_csr.c`.
#![forbid(unsafe_code)]
#![allow(
    non_camel_case_types,
    non_snake_case,
    unused_assignments,
    unused_variables
)]

use accrue::offload;

mod c;

// A sparse matrix times a vector, and the sums that a conjugate gradient step takes.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct matrix {
    num_rows: u32,
    nnz: u32,
    row_offsets: Vec<u32>,
    cols: Vec<u32>,
    coefs: Vec<f64>,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct vector {
    n: u32,
    coefs: Vec<f64>,
}

impl matrix {
    /// All fields zero, as C initializes them.
    fn zeroed() -> matrix {
        matrix {
            num_rows: 0,
            nnz: 0,
            row_offsets: Vec::new(),
            cols: Vec::new(),
            coefs: Vec::new(),
        }
    }
}

impl vector {
    /// All fields zero, as C initializes them.
    fn zeroed() -> vector {
        vector {
            n: 0,
            coefs: Vec::new(),
        }
    }
}

/// Sets `ycoefs`, the loop at spmv_csr.c:25:3.
#[offload]
fn compute_ycoefs(
    row_offsets: &[u32],
    cols: &[u32],
    Acoefs: &[f64],
    xcoefs: &[f64],
    num_rows: u32,
    ycoefs: &mut [f64],
) {
    for i in 0..num_rows as usize {
        let mut sum: f64 = 0.0;
        let row_start: u32 = row_offsets[i];
        let row_end: u32 = row_offsets[i + 1];
        for j in row_start as usize..row_end as usize {
            let Acol: u32 = cols[j];
            sum += Acoefs[j] * xcoefs[Acol as usize];
        }
        ycoefs[i] = sum;
    }
}

/// Adds into `sum`, the loop at spmv_csr.c:44:3.
#[offload]
fn sum_sum(xcoefs: &[f64], ycoefs: &[f64], n: u32, mut sum: f64) -> f64 {
    for i in 0..n as usize {
        sum += xcoefs[i] * ycoefs[i];
    }
    sum
}

/// Updates `wcoefs`, the loop at spmv_csr.c:54:3.
#[offload]
fn update_wcoefs(xcoefs: &[f64], n: u32, alpha: f64, beta: f64, wcoefs: &mut [f64]) {
    for i in 0..n as usize {
        wcoefs[i] = alpha * xcoefs[i] + beta * wcoefs[i];
    }
}

fn matvec(A: &matrix, x: &vector, y: &mut vector) {
    let num_rows: u32 = A.num_rows;
    compute_ycoefs(
        &A.row_offsets,
        &A.cols,
        &A.coefs,
        &x.coefs,
        num_rows,
        &mut y.coefs,
    );
}

fn dot(x: &vector, y: &vector) -> f64 {
    let mut sum: f64 = 0.0;
    let n: u32 = x.n;
    sum = sum_sum(&x.coefs, &y.coefs, n, sum);
    sum
}

fn waxpby(alpha: f64, x: &vector, beta: f64, w: &mut vector) {
    let n: u32 = x.n;
    update_wcoefs(&x.coefs, n, alpha, beta, &mut w.coefs);
}

fn main() {
    let n: u32 = 50;
    let mut A: matrix = matrix::zeroed();
    let mut x: vector = vector::zeroed();
    let mut y: vector = vector::zeroed();
    A.num_rows = n;
    A.nnz = 3_u32.wrapping_mul(n).wrapping_sub(2);
    A.row_offsets = vec![0_u32; n.wrapping_add(1) as usize];
    A.cols = vec![0_u32; A.nnz as usize];
    A.coefs = vec![0.0_f64; A.nnz as usize];
    y.n = n;
    x.n = y.n;
    x.coefs = vec![0.0_f64; n as usize];
    y.coefs = vec![0.0_f64; n as usize];
    let mut at: u32 = 0;
    for i in 0..n {
        A.row_offsets[i as usize] = at;
        for d in -1..=1 {
            let col: i32 = i as i32 + d;
            if col >= 0 && col < n as i32 {
                A.cols[at as usize] = col as u32;
                A.coefs[at as usize] = if d == 0 { 2.0 } else { -1.0 };
                at += 1;
            }
        }
        x.coefs[i as usize] = (i % 4) as f64;
        y.coefs[i as usize] = 0.0;
    }
    A.row_offsets[n as usize] = at;
    matvec(&A, &x, &mut y);
    waxpby(0.5, &x, 2.0, &mut y);
    println!(
        "{} {} {}",
        c::general(dot(&x, &y), 6),
        c::general(dot(&y, &y).sqrt(), 6),
        c::general(y.coefs[n.wrapping_sub(1) as usize], 6)
    );
    A.row_offsets = Vec::new();
    A.cols = Vec::new();
    A.coefs = Vec::new();
    x.coefs = Vec::new();
    y.coefs = Vec::new();
}

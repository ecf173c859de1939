//! Translated by acc2rs from `laplace_memset.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments)]

use accrue::offload;

mod c;

const NM: i32 = 64;
const NN: i32 = 64;

/// The variables that C keeps outside functions.
struct Globals {
    A: Vec<[f64; 64]>,
    Anew: Vec<[f64; 64]>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            A: vec![[0.0; 64]; NN as usize],
            Anew: vec![[0.0; 64]; NN as usize],
        }
    }
}

/// Updates `Anew`, keeps the largest in `error`, the loop at laplace_memset.c:31:9.
#[offload]
fn update_anew(A: &[[f64; 64]], n: i32, m: i32, mut error: f64, Anew: &mut [[f64; 64]]) -> f64 {
    for j in 1..n - 1 {
        for i in 1..m - 1 {
            Anew[j as usize][i as usize] = 0.25
                * (A[j as usize][i as usize + 1]
                    + A[j as usize][i as usize - 1]
                    + A[j as usize - 1][i as usize]
                    + A[j as usize + 1][i as usize]);
            error = error.max((Anew[j as usize][i as usize] - A[j as usize][i as usize]).abs());
        }
    }
    error
}

/// Sets `A`, the loop at laplace_memset.c:42:9.
#[offload]
fn compute_a(Anew: &[[f64; 64]], n: i32, m: i32, A: &mut [[f64; 64]]) {
    for j in 1..n - 1 {
        for i in 1..m - 1 {
            A[j as usize][i as usize] = Anew[j as usize][i as usize];
        }
    }
}

fn main() {
    let mut globals = Globals::new();
    let n: i32 = NN;
    let m: i32 = NM;
    let iter_max: i32 = 100;
    let tol: f64 = 1e-6;
    let mut error: f64 = 1.0;
    globals.A.as_flattened_mut()[..(n * m) as usize].fill(0.0);
    globals.Anew.as_flattened_mut()[..(n * m) as usize].fill(0.0);
    for j in 0..n {
        globals.A[j as usize][0] = 1.0;
        globals.Anew[j as usize][0] = 1.0;
    }
    println!("Jacobi relaxation Calculation: {} x {} mesh", n, m);
    let mut iter: i32 = 0;
    while error > tol && iter < iter_max {
        error = 0.0;
        error = update_anew(&globals.A, n, m, error, &mut globals.Anew);
        compute_a(&globals.Anew, n, m, &mut globals.A);
        if iter % 10 == 0 {
            println!("{:5}, {:0.6}", iter, c::Float(error));
        }
        iter += 1;
    }
    println!(" total: {} {:.6}", iter, c::Float(error));
}

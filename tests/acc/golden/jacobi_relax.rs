//! Translated by acc2rs from `jacobi_relax.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments)]

use accrue::offload;

mod c;

const NX: i32 = 34;
const NY: i32 = 26;

/// The variables that C keeps outside functions.
struct Globals {
    A: [[f64; 34]; 26],
    Anew: [[f64; 34]; 26],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            A: [[0.0; 34]; NY as usize],
            Anew: [[0.0; 34]; NY as usize],
        }
    }
}

/// Updates `Anew`, keeps the largest in `error`, the loop at jacobi_relax.c:25:5.
#[offload]
fn update_anew(A: &[[f64; 34]], mut error: f64, Anew: &mut [[f64; 34]]) -> f64 {
    for j in 1..(NY - 1) as usize {
        for i in 1..(NX - 1) as usize {
            Anew[j][i] = 0.25 * (A[j][i + 1] + A[j][i - 1] + A[j - 1][i] + A[j + 1][i]);
            error = error.max((Anew[j][i] - A[j][i]).abs());
        }
    }
    error
}

/// Sets `A`, the loop at jacobi_relax.c:32:5.
#[offload]
fn compute_a(Anew: &[[f64; 34]], A: &mut [[f64; 34]]) {
    for j in 1..(NY - 1) as usize {
        for i in 1..(NX - 1) as usize {
            A[j][i] = Anew[j][i];
        }
    }
}

fn main() {
    let mut globals = Globals::new();
    let tol: f64 = 0.001;
    let iter_max: i32 = 60;
    let mut error: f64 = 1.0;
    let mut iter: i32 = 0;
    globals.A[..26].fill([0.0; 34]);
    for j in 0..NY as usize {
        globals.A[j][0] = 1.0;
        globals.Anew[j][0] = 1.0;
    }
    while error > tol && iter < iter_max {
        error = 0.0;
        error = update_anew(&globals.A, error, &mut globals.Anew);
        compute_a(&globals.Anew, &mut globals.A);
        if iter % 20 == 0 {
            println!("{:5}, {:0.6}", iter, c::Float(error));
        }
        iter += 1;
    }
    println!(
        "{} {:.6} {:.6}",
        iter,
        c::Float(globals.A[(NY / 2) as usize][(NX / 2) as usize]),
        c::Float(error)
    );
}

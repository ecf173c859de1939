//! Translated by acc2rs from `matrix_2d.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const M: i32 = 20;
const N: i32 = 30;

/// The variables that C keeps outside functions.
struct Globals {
    a: [[f64; 30]; 20],
    v: [f64; 30],
    out: [f64; 20],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            a: [[0.0; 30]; M as usize],
            v: [0.0; N as usize],
            out: [0.0; M as usize],
        }
    }
}

/// Sets `out`, the loop at matrix_2d.c:27:3.
#[offload]
fn compute_out(a: &[[f64; 30]], v: &[f64], out: &mut [f64]) {
    for i in 0..M as usize {
        let mut s: f64 = 0.0;
        for j in 0..N as usize {
            s += a[i][j] * v[j];
        }
        out[i] = s;
    }
}

fn fill(m: &mut [[f64; 30]], rows: i32) {
    for i in 0..rows {
        for j in 0..N {
            m[i as usize][j as usize] = i as f64 - 0.5 * j as f64;
        }
    }
}

fn multiply(rows: i32, cols: i32, m: &[f64], x: &[f64], y: &mut [f64]) {
    for i in 0..rows {
        y[i as usize] = 0.0;
        for j in 0..cols {
            y[i as usize] += m[i as usize * cols as usize + j as usize] * x[j as usize];
        }
    }
}

fn main() {
    let mut globals = Globals::new();
    fill(&mut globals.a, M);
    for j in 0..N {
        globals.v[j as usize] = (j % 3) as f64;
    }
    compute_out(&globals.a, &globals.v, &mut globals.out);
    let r: i32 = 4;
    let c_: i32 = 3;
    let mut m: Vec<f64> = vec![0.0_f64; r as usize * c_ as usize];
    let mut x: Vec<f64> = vec![0.0_f64; c_ as usize];
    let mut y: Vec<f64> = vec![0.0_f64; r as usize];
    for i in 0..r {
        for j in 0..c_ {
            m[i as usize * c_ as usize + j as usize] = (i * c_ + j) as f64;
        }
    }
    for j in 0..c_ {
        x[j as usize] = 1.0;
    }
    multiply(r, c_, &m, &x, &mut y);
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); 3];
    for i in 0..3 {
        rows[i as usize] = vec![0.0_f64; 4];
        for j in 0..4 {
            rows[i as usize][j as usize] = (i + 10 * j) as f64;
        }
    }
    let mut t: f64 = 0.0;
    for i in 0..3 {
        for j in 0..4 {
            t += rows[i][j];
        }
    }
    println!(
        "{:.1} {:.1} {:.1} {:.1}",
        c::Float(globals.out[0]),
        c::Float(globals.out[(M - 1) as usize]),
        c::Float(y[3]),
        c::Float(t)
    );
    for i in 0..3 {
        rows[i] = Vec::new();
    }
    drop(rows);
}

//! Translated by acc2rs from `vla_rows.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

/// Sets `c_`, the loop at vla_rows.c:7:3.
#[offload]
fn compute_c(a: &[f64], b: &[f64], n: i32, c_: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            let mut s: f64 = 0.0;
            for k in 0..n {
                s += a[i as usize * n as usize + k as usize]
                    * b[k as usize * n as usize + j as usize];
            }
            c_[i as usize * n as usize + j as usize] = s;
        }
    }
}

// Rows of variable length, allocated in three ways.
fn matmul(n: i32, a: &[f64], b: &[f64], c_: &mut [f64]) {
    compute_c(a, b, n, c_);
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let n: i32 = if argc > 1 {
        c::atol(argv[1]) as i32
    } else {
        17
    };
    let mut a: Vec<f64> = vec![0.0; n as usize * n as usize];
    let mut b: Vec<f64> = vec![0.0; n as usize * n as usize];
    let mut c_: Vec<f64> = vec![0.0; (n * n) as usize];
    for i in 0..n {
        for j in 0..n {
            a[i as usize * n as usize + j as usize] = (i + j) as f64;
            b[i as usize * n as usize + j as usize] = i32::from(i == j) as f64;
        }
    }
    matmul(n, &a, &b, &mut c_);
    let mut tr: f64 = 0.0;
    for i in 0..n {
        tr += c_[i as usize * n as usize + i as usize];
    }
    println!("{}", c::general(tr, 6));
    drop(a);
    drop(b);
    drop(c_);
}

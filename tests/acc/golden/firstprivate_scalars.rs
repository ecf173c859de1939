//! Translated by acc2rs from `firstprivate_scalars.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_mut, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

/// Adds into `s`, the loop at firstprivate_scalars.c:9:5.
#[offload]
fn sum_s(mut s: i32) -> i32 {
    for i in 0..10 {
        s += i;
    }
    s
}

/// Adds into `t`, the loop at firstprivate_scalars.c:14:3.
#[offload]
fn sum_t(mut t: i32) {
    for i in 0..10 {
        t += i;
    }
}

/// Adds into `w`, the loop at firstprivate_scalars.c:17:3.
#[offload]
fn sum_w(mut w: i32) -> i32 {
    for i in 0..10 {
        w += i;
    }
    w
}

// A parallel construct gets its own copies of scalars; kernels and data clauses share them.
fn main() -> ExitCode {
    let mut s: i32 = 0;
    let mut t: i32 = 0;
    let mut u: i32 = 5;
    let mut q: i32 = 1;
    let mut w: i32 = 7;
    {
        let mut u = u;
        s = sum_s(s);
        u = 3;
    }
    sum_t(t);
    w = sum_w(w);
    q = 9;
    println!("s={} t={} u={} w={} q={}", s, t, u, w, q);
    ExitCode::from(i32::from(!(s == 45 && t == 0 && u == 5 && w == 52 && q == 9)) as u8)
}

//! Translated by acc2rs from `firstprivate_scalars.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_mut, unused_variables)]

use std::process::ExitCode;

// A parallel construct gets its own copies of scalars; kernels and data clauses share them.
fn main() -> ExitCode {
    let mut s: i32 = 0;
    let mut t: i32 = 0;
    let mut u: i32 = 5;
    let mut q: i32 = 1;
    let mut w: i32 = 7;
    {
        let mut u = u;
        for i in 0..10 {
            s += i;
        }
        u = 3;
    }
    {
        let mut t = t;
        for i in 0..10 {
            t += i;
        }
    }
    for i in 0..10 {
        w += i;
    }
    q = 9;
    println!("s={} t={} u={} w={} q={}", s, t, u, w, q);
    ExitCode::from(i32::from(!(s == 45 && t == 0 && u == 5 && w == 52 && q == 9)) as u8)
}

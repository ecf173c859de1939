//! Translated by acc2rs from `suite_atomic_others.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const n: i32 = 512;

/// Multiplies into `totals`, the loop at suite_atomic_others.c:20:9.
#[offload(histogram)]
fn multiply_totals(a: &[f64], totals: &mut [f64]) {
    for x in 0..n {
        totals[(x % (n / 10 + 1)) as usize] *= a[x as usize];
    }
}

/// Combines bits into `ui`, the loop at suite_atomic_others.c:29:5.
#[offload(histogram)]
fn or_ui(ui: &mut [u32]) {
    for x in 0..n {
        ui[(x % 10) as usize] |= (1 << x % 16) as u32;
    }
}

fn test() -> i32 {
    let mut err: i32 = 0;
    let mut a: Vec<f64> = vec![0.0_f64; n as usize];
    let mut totals: Vec<f64> = vec![0.0_f64; (n / 10 + 1) as usize];
    let mut host: Vec<f64> = vec![0.0_f64; (n / 10 + 1) as usize];
    let mut ui: Vec<u32> = vec![0_u32; 10];
    for x in 0..10 {
        ui[x] = 0;
    }
    for x in 0..n {
        a[x as usize] = (x as f64).sin().abs();
    }
    for x in 0..n / 10 + 1 {
        totals[x as usize] = 1.0;
        host[x as usize] = 1.0;
    }
    multiply_totals(&a, &mut totals);
    for x in 0..n {
        host[(x % (n / 10 + 1)) as usize] *= a[x as usize];
    }
    for x in 0..n / 10 + 1 {
        if (totals[x as usize] - host[x as usize]).abs() > 1e-8 {
            err += 1;
        }
    }
    or_ui(&mut ui);
    for x in 0..10 {
        if ui[x] == 0 {
            err += 2;
        }
    }
    let mut passed: Vec<i32> = vec![0_i32; 10];
    let mut c_: Vec<i32> = vec![0_i32; n as usize];
    for x in 0..10 {
        passed[x] = 0;
    }
    for x in 0..n {
        c_[x as usize] = {
            let old = passed[(x % 10) as usize];
            passed[(x % 10) as usize] += 1;
            old
        };
    }
    for x in 0..n {
        if c_[x as usize] < 0 || c_[x as usize] > n / 10 + 1 {
            err += 4;
        }
    }
    let mut d: Vec<i32> = vec![0_i32; n as usize];
    for x in 0..n {
        {
            d[x as usize] = passed[(x % 10) as usize];
            passed[(x % 10) as usize] -= 1;
        }
    }
    for x in 0..10 {
        if passed[x] != 0 {
            err += 8;
        }
    }
    drop(a);
    drop(totals);
    drop(host);
    drop(ui);
    drop(passed);
    drop(c_);
    drop(d);
    err
}

fn main() -> ExitCode {
    let e: i32 = test();
    println!("{}", e);
    ExitCode::from(e as u8)
}

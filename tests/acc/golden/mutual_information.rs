//! Translated by acc2rs from `mutual_information.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const BINS: i32 = 32;

/// Counts into `pxy` and `px` and `py`, the loop at mutual_information.c:31:5.
#[offload(histogram)]
fn count_pxy(x: &[f32], y: &[f32], n: i32, pxy: &mut [f64], px: &mut [f64], py: &mut [f64]) {
    for i in 0..n {
        let mut bx: i32 = (x[i as usize] * BINS as f32) as i32;
        let mut by: i32 = (y[i as usize] * BINS as f32) as i32;
        if bx >= BINS {
            bx = BINS - 1;
        }
        if by >= BINS {
            by = BINS - 1;
        }
        pxy[bx as usize * BINS as usize + by as usize] += 1.0;
        px[bx as usize] += 1.0;
        py[by as usize] += 1.0;
    }
}

// Mutual information from a flat joint histogram of doubles.
fn entropy(p: &[f64], n: i32) -> f64 {
    let mut h: f64 = 0.0;
    for i in 0..n {
        if p[i as usize] > 0.0 {
            h -= p[i as usize] * p[i as usize].ln() / (2.0_f64).ln();
        }
    }
    h
}

fn main() -> ExitCode {
    let n: i32 = 10000;
    let mut x: Vec<f32> = vec![0.0_f32; n as usize];
    let mut y: Vec<f32> = vec![0.0_f32; n as usize];
    let mut pxy: Vec<f64> = vec![0.0_f64; (BINS * BINS) as usize];
    let mut px: Vec<f64> = vec![0.0_f64; BINS as usize];
    let mut py: Vec<f64> = vec![0.0_f64; BINS as usize];
    c::srand(1);
    for i in 0..n {
        x[i as usize] = c::rand() as f32 / 2147483600.0;
        y[i as usize] = 0.5 * x[i as usize] + 0.5 * (c::rand() as f32 / 2147483600.0);
    }
    count_pxy(&x, &y, n, &mut pxy, &mut px, &mut py);
    for i in 0..(BINS * BINS) as usize {
        pxy[i] /= n as f64;
    }
    for i in 0..BINS as usize {
        px[i] /= n as f64;
        py[i] /= n as f64;
    }
    let mi: f64 = entropy(&px, BINS) + entropy(&py, BINS) - entropy(&pxy, BINS * BINS);
    println!("MI = {:.9} bits", c::Float(mi));
    drop(x);
    drop(y);
    drop(pxy);
    drop(px);
    drop(py);
    ExitCode::from(i32::from(mi < 0.0) as u8)
}

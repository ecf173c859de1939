//! Translated by acc2rs from `black_scholes.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const N: i32 = 500;

/// Updates `call` and `put`, the loop at black_scholes.c:31:3.
#[offload]
fn update_call_and_put(call: &mut [f64], put: &mut [f64]) {
    for i in 0_i32..N {
        price(
            &mut call[i as usize],
            &mut put[i as usize],
            5.0 + (i % 26) as f64,
            1.0 + (i % 100) as f64,
            0.25 + (i % 10) as f64,
            0.02,
            0.3,
        );
    }
}

/// Counts into `hist`, the loop at black_scholes.c:34:3.
#[offload(histogram)]
fn count_hist(call: &[f64], hist: &mut [i32]) {
    for i in 0..N as usize {
        let mut b: i32 = (call[i] / 3.0) as i32;
        b = b.min(9);
        hist[b as usize] += 1;
    }
}

fn cnd(d: f64) -> f64 {
    let A1: f64 = 0.31938153;
    let A2: f64 = -0.356563782;
    let A3: f64 = 1.781477937;
    let A4: f64 = -1.821255978;
    let A5: f64 = 1.330274429;
    let RSQRT2PI: f64 = 0.3989422804014327;
    let K: f64 = 1.0 / (1.0 + 0.2316419 * d.abs());
    let mut c_: f64 =
        RSQRT2PI * (-0.5 * d * d).exp() * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    if d > 0.0 {
        c_ = 1.0 - c_;
    }
    c_
}

fn price(call: &mut f64, put: &mut f64, S: f64, X: f64, T: f64, R: f64, V: f64) {
    let sqrtT: f64 = T.sqrt();
    let d1: f64 = ((S / X).ln() + (R + 0.5 * V * V) * T) / (V * sqrtT);
    let d2: f64 = d1 - V * sqrtT;
    let expRT: f64 = (-R * T).exp();
    *call = S * cnd(d1) - X * expRT * cnd(d2);
    *put = X * expRT * (1.0 - cnd(d2)) - S * (1.0 - cnd(d1));
}

fn main() {
    let mut call: Vec<f64> = vec![0.0_f64; N as usize];
    let mut put: Vec<f64> = vec![0.0_f64; N as usize];
    let mut hist: [i32; 10] = [0; 10];
    update_call_and_put(&mut call, &mut put);
    count_hist(&call, &mut hist);
    let mut a: f64 = 0.0;
    let mut b: f64 = 0.0;
    for i in 0..N as usize {
        a += call[i];
        b += put[i];
    }
    print!("{:.8} {:.8}", c::Float(a), c::Float(b));
    for i in 0..10 {
        print!(" {}", hist[i]);
    }
    println!();
    drop(call);
    drop(put);
}

//! Translated by acc2rs from `saxpy.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments)]

use accrue::offload;

mod c;

/// Updates `y`, the loop at saxpy.c:7:3.
#[offload]
fn update_y(x: &[f32], n: i32, a: f32, y: &mut [f32]) {
    for i in 0..n {
        y[i as usize] = a * x[i as usize] + y[i as usize];
    }
}

/// Adds into `pi`, the loop at saxpy.c:28:3.
#[offload]
fn sum_pi(N: i32, mut pi: f64) -> f64 {
    for i in 0..N as i64 {
        let t: f64 = (i as f64 + 0.5) / N as f64;
        pi += 4.0 / (1.0 + t * t);
    }
    pi
}

fn saxpy(n: i32, a: f32, x: &[f32], y: &mut [f32]) {
    update_y(x, n, a, y);
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let mut N: i32 = 1 << 12;
    if argc > 1 {
        N = c::atol(argv[1]) as i32;
    }
    let mut x: Vec<f32> = vec![0.0_f32; N as usize];
    let mut y: Vec<f32> = vec![0.0_f32; N as usize];
    for i in 0..N {
        x[i as usize] = 2.0;
        y[i as usize] = 1.0;
    }
    saxpy(N, 3.0, &x, &mut y);
    let mut maxError: f32 = 0.0;
    for i in 0..N {
        maxError = maxError.max((y[i as usize] - 7.0).abs());
    }
    println!("Max error: {:.6}", c::Float(maxError as f64));
    let mut pi: f64 = 0.0;
    pi = sum_pi(N, pi);
    println!("pi={:16.15}", c::Float(pi / N as f64));
    drop(x);
    drop(y);
}

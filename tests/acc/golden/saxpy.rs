//! Translated by acc2rs from `saxpy.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments)]

mod c;

fn saxpy(n: i32, a: f32, x: &[f32], y: &mut [f32]) {
    for i in 0..n {
        y[i as usize] = a * x[i as usize] + y[i as usize];
    }
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
    for i in 0..N as i64 {
        let t: f64 = (i as f64 + 0.5) / N as f64;
        pi += 4.0 / (1.0 + t * t);
    }
    println!("pi={:16.15}", c::Float(pi / N as f64));
    drop(x);
    drop(y);
}

//! Translated by acc2rs from `monte_carlo_pi.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

/// The variables that C keeps outside functions.
struct Globals {
    seed: u64,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals { seed: 1 }
    }
}

/// Counts into `rings`, adds into `inside`, the loop at monte_carlo_pi.c:25:3.
#[offload(histogram)]
fn count_rings(x: &[f64], y: &[f64], n: i64, mut inside: i64, rings: &mut [i32]) -> i64 {
    for i in 0..n {
        let r: f64 = (x[i as usize] * x[i as usize] + y[i as usize] * y[i as usize]).sqrt();
        if r < 1.0 {
            inside += 1;
            rings[(r * 10.0) as i32 as usize] += 1;
        }
    }
    inside
}

fn uniform(globals: &mut Globals) -> f64 {
    globals.seed = globals
        .seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (globals.seed >> 33) as f64 / 2147483648.0
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let start: i64 = c::clock();
    let now: i64 = c::time();
    let mut inside: i64 = 0;
    let n: i64 = 20000;
    let mut rings: [i32; 10] = [0; 10];
    let mut x: Vec<f64> = vec![0.0_f64; n as usize];
    let mut y: Vec<f64> = vec![0.0_f64; n as usize];
    for i in 0..n {
        x[i as usize] = uniform(&mut globals);
        y[i as usize] = uniform(&mut globals);
    }
    inside = count_rings(&x, &y, n, inside, &mut rings);
    let seconds: f64 = (c::clock() - start) as f64 / 1000000.0;
    if seconds < 0.0 || now == -1 as i64 {
        return ExitCode::from(2);
    }
    print!(
        "pi is about {:.4}; rings:",
        c::Float(4.0 * inside as f64 / n as f64)
    );
    for i in 0..10 {
        print!(" {}", rings[i]);
    }
    println!();
    drop(x);
    drop(y);
    ExitCode::from(
        i32::from((4.0 * inside as f64 / n as f64 - 3.141592653589793).abs() > 0.05) as u8,
    )
}

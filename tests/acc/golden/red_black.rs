//! Translated by acc2rs from `red_black.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

/// Updates `u`, the loop at red_black.c:10:3.
#[offload]
fn update_u(f: &[f64], n: i32, color: i32, h2: f64, u: &mut [f64]) {
    for i in 1..=n {
        for j in (1 + (i + color) % 2..=n).step_by(2) {
            u[i as usize * (n as usize + 2) + j as usize] = 0.25
                * (u[(i as usize - 1) * (n as usize + 2) + j as usize]
                    + u[(i as usize + 1) * (n as usize + 2) + j as usize]
                    + u[i as usize * (n as usize + 2) + (j as usize - 1)]
                    + u[i as usize * (n as usize + 2) + (j as usize + 1)]
                    - h2 * f[i as usize * (n as usize + 2) + j as usize]);
        }
    }
}

/// Finds `worst`, the loop at red_black.c:21:3.
#[offload]
fn find_worst(u: &[f64], f: &[f64], n: i32, h2: f64, mut worst: f64) -> f64 {
    for i in 1..=n {
        for j in 1..=n {
            let r: f64 = (u[(i as usize - 1) * (n as usize + 2) + j as usize]
                + u[(i as usize + 1) * (n as usize + 2) + j as usize]
                + u[i as usize * (n as usize + 2) + (j as usize - 1)]
                + u[i as usize * (n as usize + 2) + (j as usize + 1)]
                - 4.0 * u[i as usize * (n as usize + 2) + j as usize])
                / h2
                - f[i as usize * (n as usize + 2) + j as usize];
            if r.abs() > worst {
                worst = r.abs();
            }
        }
    }
    worst
}

// Red-black Gauss-Seidel: the points of one colour depend on those of the other.
fn sweep(u: &mut [f64], f: &[f64], n: i32, h2: f64, color: i32) {
    update_u(f, n, color, h2, u);
}

fn residual(u: &[f64], f: &[f64], n: i32, h2: f64) -> f64 {
    let mut worst: f64 = 0.0;
    worst = find_worst(u, f, n, h2, worst);
    worst
}

fn main() {
    let n: i32 = 14;
    let size: usize = (n + 2) as usize * (n + 2) as usize;
    let mut u: Vec<f64> = vec![0.0_f64; size];
    let mut f: Vec<f64> = vec![0.0_f64; size];
    let h2: f64 = 1.0 / ((n + 1) * (n + 1)) as f64;
    for k in 0..size {
        f[k] = -1.0;
    }
    for _ in 0..30 {
        sweep(&mut u, &f, n, h2, 0);
        sweep(&mut u, &f, n, h2, 1);
    }
    println!(
        "{:.6} {:.6}",
        c::Float(u[(n / 2 * (n + 2) + n / 2) as usize]),
        c::Float(residual(&u, &f, n, h2))
    );
    drop(u);
    drop(f);
}

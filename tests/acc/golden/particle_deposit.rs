//! Translated by acc2rs from `particle_deposit.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

// Cloud in cell: each particle adds to four cells.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct particle_t {
    x: f32,
    y: f32,
    q: f32,
}

impl particle_t {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> particle_t {
        particle_t {
            x: 0.0,
            y: 0.0,
            q: 0.0,
        }
    }
}

/// Adds into `rho`, the loop at particle_deposit.c:22:3.
#[offload(histogram)]
fn sum_rho(p: &[particle_t], np: i32, nx: i32, ny: i32, rho: &mut [f64]) {
    for i in 0..np {
        let mut ix: i32 = p[i as usize].x as i32;
        let mut iy: i32 = p[i as usize].y as i32;
        if ix >= nx {
            ix = nx - 1;
        }
        if iy >= ny {
            iy = ny - 1;
        }
        let fx: f64 = (p[i as usize].x - ix as f32) as f64;
        let fy: f64 = (p[i as usize].y - iy as f32) as f64;
        let q: f64 = p[i as usize].q as f64;
        let c_: i32 = iy * (nx + 1) + ix;
        rho[c_ as usize] += q * (1.0 - fx) * (1.0 - fy);
        rho[c_ as usize + 1] += q * fx * (1.0 - fy);
        rho[c_ as usize + nx as usize + 1] += q * (1.0 - fx) * fy;
        rho[c_ as usize + nx as usize + 2] += q * fx * fy;
    }
}

fn main() -> ExitCode {
    let np: i32 = 2000;
    let nx: i32 = 16;
    let ny: i32 = 16;
    let mut p: Vec<particle_t> = vec![particle_t::zeroed(); np as usize];
    let mut rho: Vec<f64> = vec![0.0_f64; ((nx + 1) * (ny + 1)) as usize];
    c::srand(3);
    for i in 0..np {
        p[i as usize].x = c::rand() as f32 / (2147483600.0_f32 + 1.0_f32) * nx as f32;
        p[i as usize].y = c::rand() as f32 / (2147483600.0_f32 + 1.0_f32) * ny as f32;
        p[i as usize].q = if i % 2 != 0 { 1.0_f32 } else { 0.5_f32 };
    }
    for i in 0..(nx + 1) * (ny + 1) {
        rho[i as usize] = 0.0;
    }
    sum_rho(&p, np, nx, ny, &mut rho);
    let mut total: f64 = 0.0;
    for i in 0..(nx + 1) * (ny + 1) {
        total += rho[i as usize];
    }
    println!("total charge {:.6}", c::Float(total));
    drop(p);
    drop(rho);
    ExitCode::from(i32::from((total - 1500.0).abs() > 1e-6) as u8)
}

//! Translated by acc2rs from `particles_of_arrays.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

use accrue::offload;

mod c;

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct particles_t {
    n: i32,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    vx: Vec<f64>,
    vy: Vec<f64>,
    vz: Vec<f64>,
    m: Vec<f64>,
    energy: f64,
}

impl particles_t {
    /// All fields zero, as C initializes them.
    fn zeroed() -> particles_t {
        particles_t {
            n: 0,
            x: Vec::new(),
            y: Vec::new(),
            z: Vec::new(),
            vx: Vec::new(),
            vy: Vec::new(),
            vz: Vec::new(),
            m: Vec::new(),
            energy: 0.0,
        }
    }
}

/// Updates `vx` and `vy` and `vz`, the loop at particles_of_arrays.c:16:3.
#[allow(clippy::too_many_arguments)]
#[offload]
fn update_vx(
    x: &[f64],
    y: &[f64],
    z: &[f64],
    m: &[f64],
    n: i32,
    eps2: f64,
    dt: f64,
    vx: &mut [f64],
    vy: &mut [f64],
    vz: &mut [f64],
) {
    for i in 0..n {
        let mut fx: f64 = 0.0;
        let mut fy: f64 = 0.0;
        let mut fz: f64 = 0.0;
        for j in 0..n {
            let dx: f64 = x[j as usize] - x[i as usize];
            let dy: f64 = y[j as usize] - y[i as usize];
            let dz: f64 = z[j as usize] - z[i as usize];
            let d2: f64 = dx * dx + dy * dy + dz * dz + eps2;
            let inv: f64 = 1.0 / d2.sqrt();
            let s: f64 = m[j as usize] * inv * inv * inv;
            fx += s * dx;
            fy += s * dy;
            fz += s * dz;
        }
        vx[i as usize] += dt * fx;
        vy[i as usize] += dt * fy;
        vz[i as usize] += dt * fz;
    }
}

/// Updates `x` and `y` and `z`, the loop at particles_of_arrays.c:37:3.
#[allow(clippy::too_many_arguments)]
#[offload]
fn update_x(
    vx: &[f64],
    vy: &[f64],
    vz: &[f64],
    p_n: i32,
    dt: f64,
    x: &mut [f64],
    y: &mut [f64],
    z: &mut [f64],
) {
    for i in 0..p_n {
        x[i as usize] += vx[i as usize] * dt;
        y[i as usize] += vy[i as usize] * dt;
        z[i as usize] += vz[i as usize] * dt;
    }
}

/// Adds into `e`, the loop at particles_of_arrays.c:47:3.
#[offload]
fn sum_e(m: &[f64], vx: &[f64], vy: &[f64], vz: &[f64], p_n: i32, mut e: f64) -> f64 {
    for i in 0..p_n {
        e += 0.5
            * m[i as usize]
            * (vx[i as usize] * vx[i as usize]
                + vy[i as usize] * vy[i as usize]
                + vz[i as usize] * vz[i as usize]);
    }
    e
}

fn forces(p: &mut particles_t, dt: f64, eps2: f64) {
    let n: i32 = p.n;
    update_vx(
        &p.x, &p.y, &p.z, &p.m, n, eps2, dt, &mut p.vx, &mut p.vy, &mut p.vz,
    );
}

fn move_(p: &mut particles_t, dt: f64) {
    update_x(&p.vx, &p.vy, &p.vz, p.n, dt, &mut p.x, &mut p.y, &mut p.z);
}

fn kinetic(p: &mut particles_t) {
    let mut e: f64 = 0.0;
    e = sum_e(&p.m, &p.vx, &p.vy, &p.vz, p.n, e);
    p.energy = e;
}

fn main() {
    let mut p: particles_t = particles_t::zeroed();
    p.n = 40;
    p.x = vec![0.0_f64; p.n as usize];
    p.y = vec![0.0_f64; p.n as usize];
    p.z = vec![0.0_f64; p.n as usize];
    p.vx = vec![0.0_f64; p.n as usize];
    p.vy = vec![0.0_f64; p.n as usize];
    p.vz = vec![0.0_f64; p.n as usize];
    p.m = vec![0.0_f64; p.n as usize];
    for i in 0..p.n {
        p.x[i as usize] = (0.7 * i as f64).sin();
        p.y[i as usize] = (1.3 * i as f64).cos();
        p.z[i as usize] = 0.1 * (i % 10) as f64;
        p.m[i as usize] = 1.0 + (i % 3) as f64;
    }
    for _ in 0..5 {
        forces(&mut p, 0.01, 0.05);
        move_(&mut p, 0.01);
    }
    kinetic(&mut p);
    println!(
        "{:.6} {:.6} {:.6}",
        c::Float(p.energy),
        c::Float(p.x[3]),
        c::Float(p.vz[39])
    );
    p.x = Vec::new();
    p.y = Vec::new();
    p.z = Vec::new();
    p.vx = Vec::new();
    p.vy = Vec::new();
    p.vz = Vec::new();
    p.m = Vec::new();
}

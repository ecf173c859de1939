//! Translated by acc2rs from `nbody.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const n: i32 = 20;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Body {
    pos: [f64; 3],
    vel: [f64; 3],
    mass: f64,
}

impl Body {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> Body {
        Body {
            pos: [0.0; 3],
            vel: [0.0; 3],
            mass: 0.0,
        }
    }
}

/// Sets `f`, the loop at nbody.c:9:3.
#[offload]
fn compute_f(b: &[Body], n_: i32, f: &mut [[f64; 3]]) {
    for i in 0..n_ {
        let mut fx: f64 = 0.0;
        let mut fy: f64 = 0.0;
        let mut fz: f64 = 0.0;
        for j in 0..n_ {
            if i == j {
                continue;
            }
            let mut d: [f64; 3] = [0.0; 3];
            for k in 0..3 {
                d[k] = b[j as usize].pos[k] - b[i as usize].pos[k];
            }
            let r2: f64 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-6;
            let s: f64 = b[j as usize].mass / (r2 * r2.sqrt());
            fx += s * d[0];
            fy += s * d[1];
            fz += s * d[2];
        }
        f[i as usize][0] = fx;
        f[i as usize][1] = fy;
        f[i as usize][2] = fz;
    }
}

fn forces(b: &[Body], n_: i32, f: &mut [[f64; 3]]) {
    compute_f(b, n_, f);
}

fn energy(b: &[Body], n_: i32) -> f64 {
    let mut e: f64 = 0.0;
    {
        let mut p: usize = 0;
        while p != n_ as usize {
            e += 0.5
                * b[p].mass
                * (b[p].vel[0] * b[p].vel[0]
                    + b[p].vel[1] * b[p].vel[1]
                    + b[p].vel[2] * b[p].vel[2]);
            p += 1;
        }
    }
    e
}

fn main() {
    let mut b: [Body; 20] = [Body::zeroed(); n as usize];
    let mut f: [[f64; 3]; 20] = [[0.0; 3]; n as usize];
    for i in 0..n {
        let p: usize = i as usize;
        b[p].mass = 1.0 + (i % 3) as f64;
        for k in 0..3 {
            b[p].pos[k as usize] = (i * (k + 3) * 7 % 23) as f64 / 23.0;
            b[p].vel[k as usize] = 0.0;
        }
    }
    for _ in 0..5 {
        forces(&b, n, &mut f);
        for i in 0..n as usize {
            for k in 0..3 {
                b[i].vel[k] += 0.001 * f[i][k];
                b[i].pos[k] += 0.001 * b[i].vel[k];
            }
        }
    }
    println!("{}", c::exponent(energy(&b, n), 10));
}

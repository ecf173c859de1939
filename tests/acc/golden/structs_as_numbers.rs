//! Translated by acc2rs from `structs_as_numbers.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const SOFTENING: f32 = 1e-9_f32;

/// Updates `p`, the loop at structs_as_numbers.c:13:3.
#[offload]
fn update_p(n: i32, dt: f32, p: &mut [f32]) {
    for i in 0..n {
        let mut Fx: f32 = 0.0;
        let mut Fy: f32 = 0.0;
        let mut Fz: f32 = 0.0;
        for j in 0..n {
            let dx: f32 = p[j as usize * 6] - p[i as usize * 6];
            let dy: f32 = p[j as usize * 6 + 1] - p[i as usize * 6 + 1];
            let dz: f32 = p[j as usize * 6 + 2] - p[i as usize * 6 + 2];
            let distSqr: f32 = dx * dx + dy * dy + dz * dz + SOFTENING;
            let invDist: f32 = 1.0 / distSqr.sqrt();
            let invDist3: f32 = invDist * invDist * invDist;
            Fx += dx * invDist3;
            Fy += dy * invDist3;
            Fz += dz * invDist3;
        }
        p[i as usize * 6 + 3] += dt * Fx;
        p[i as usize * 6 + 4] += dt * Fy;
        p[i as usize * 6 + 5] += dt * Fz;
    }
}

fn randomizeBodies(data: &mut [f32], n: i32) {
    for i in 0..n {
        data[i as usize] = 2.0 * (c::rand() as f32 / 2147483600.0) - 1.0;
    }
}

fn bodyForce(p: &mut [f32], dt: f32, n: i32) {
    update_p(n, dt, p);
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let mut nBodies: i32 = 100;
    if argc > 1 {
        nBodies = c::atol(argv[1]) as i32;
    }
    // time step
    let dt: f32 = 0.01;
    // simulation iterations
    let nIters: i32 = 5;
    let bytes: i32 = (nBodies as usize * (6 * size_of::<f32>())) as i32;
    let mut buf: Vec<f32> = vec![0.0_f32; bytes as usize / size_of::<f32>()];
    // Init pos / vel data
    randomizeBodies(&mut buf, 6 * nBodies);
    for _ in 1..=nIters {
        // compute interbody forces
        bodyForce(&mut buf, dt, nBodies);
        for i in 0..nBodies {
            // integrate position
            buf[(i * 6) as usize] += buf[(i * 6 + 3) as usize] * dt;
            buf[(i * 6 + 1) as usize] += buf[(i * 6 + 4) as usize] * dt;
            buf[(i * 6 + 2) as usize] += buf[(i * 6 + 5) as usize] * dt;
        }
    }
    for i in (0..nBodies).step_by(10) {
        println!(
            "{:.4} {:.4} {:.4}",
            c::Float(buf[(i * 6) as usize] as f64),
            c::Float(buf[(i * 6 + 1) as usize] as f64),
            c::Float(buf[(i * 6 + 2) as usize] as f64)
        );
    }
    drop(buf);
}

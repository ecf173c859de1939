//! Translated by acc2rs from `heat3d.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

/// Sets `Anext`, the loop at heat3d.c:13:5.
#[offload]
fn compute_anext(A0: &[f32], nx: i32, ny: i32, nz: i32, c1: f32, c0: f32, Anext: &mut [f32]) {
    for i in 1..nx - 1 {
        for j in 1..ny - 1 {
            for k in 1..nz - 1 {
                Anext[i as usize + nx as usize * (j as usize + ny as usize * k as usize)] = (A0
                    [i as usize + nx as usize * (j as usize + ny as usize * (k as usize + 1))]
                    + A0[i as usize + nx as usize * (j as usize + ny as usize * (k as usize - 1))]
                    + A0[i as usize + nx as usize * (j as usize + 1 + ny as usize * k as usize)]
                    + A0[i as usize + nx as usize * (j as usize - 1 + ny as usize * k as usize)]
                    + A0[i as usize + 1 + nx as usize * (j as usize + ny as usize * k as usize)]
                    + A0[i as usize - 1 + nx as usize * (j as usize + ny as usize * k as usize)])
                    * c1
                    - A0[i as usize + nx as usize * (j as usize + ny as usize * k as usize)] * c0;
            }
        }
    }
}

/// Updates `inner`, the loop at heat3d.c:32:3.
#[offload]
fn update_inner(n: i32, by: f32, inner: &mut [f32]) {
    for i in 0..n - 2 {
        inner[i as usize] *= by;
    }
}

// Seven points in three dimensions by a macro, two buffers, pointers with offsets into one allocation.
fn cpu_stencil(c0: f32, c1: f32, A0: &[f32], Anext: &mut [f32], nx: i32, ny: i32, nz: i32) {
    let size: i32 = nx * ny * nz;
    compute_anext(A0, nx, ny, nz, c1, c0, Anext);
}

fn scale(row: &mut [f32], n: i32, by: f32) {
    let inner: usize = 1;
    update_inner(n, by, &mut row[inner..]);
}

fn main() {
    let nx: i32 = 10;
    let ny: i32 = 8;
    let nz: i32 = 6;
    let size: i32 = nx * ny * nz;
    let mut A0: Vec<f32> = vec![0.0_f32; size as usize];
    let mut Anext: Vec<f32> = vec![0.0_f32; size as usize];
    for i in 0..size {
        Anext[i as usize] = (i * 17 % 23) as f32;
        A0[i as usize] = Anext[i as usize];
    }
    for _ in 0..4 {
        cpu_stencil(
            1.0_f32 / 6.0_f32,
            1.0_f32 / 36.0_f32,
            &A0,
            &mut Anext,
            nx,
            ny,
            nz,
        );
        std::mem::swap(&mut A0, &mut Anext);
    }
    scale(&mut A0, size, 1.5);
    let mut total: f64 = 0.0;
    for i in 0..size {
        total += A0[i as usize] as f64;
    }
    println!(
        "{:.4} {:.5}",
        c::Float(total),
        c::Float(A0[(4 + nx * (3 + ny * 2)) as usize] as f64)
    );
    drop(A0);
    drop(Anext);
}

//! Translated by acc2rs from `flat_views.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const M: i32 = 5;
const N: i32 = 6;

// Locals that name all elements of an array of arrays.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Tally {
    flux: [[f64; 6]; 3],
    hits: i32,
}

/// The variables that C keeps outside functions.
struct Globals {
    grid: [[f64; 5]; 6],
    cube: [[[i32; 4]; 3]; 2],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            grid: [[0.0; 5]; N as usize],
            cube: [[[0; 4]; 3]; 2],
        }
    }
}

/// Adds into `t_flux`, the loop at flat_views.c:13:3.
#[offload(histogram)]
fn sum_t_flux(n: i32, t_flux: &mut [[f64; 6]]) {
    for i in 0..n {
        let g: i32 = i % 3;
        let c_: i32 = i * 7 % N;
        t_flux[((g * N + c_) / 6) as usize][((g * N + c_) % 6) as usize] += 0.5 * i as f64;
    }
}

fn sum(a: &[f64], n: i32) -> f64 {
    let mut s: f64 = 0.0;
    for i in 0..n {
        s += a[i as usize];
    }
    s
}

fn score(t: &mut Tally, n: i32) {
    sum_t_flux(n, &mut t.flux);
    t.hits += n;
    println!("{}", c::general(sum(t.flux.as_flattened(), 3 * N), 6));
}

fn main() {
    let mut globals = Globals::new();
    let mut t: Tally = Tally {
        flux: [[0.0; 6], [0.0; 6], [0.0; 6]],
        hits: 0,
    };
    score(&mut t, 100);
    for i in 0..N * M {
        globals.grid[(i / 5) as usize][(i % 5) as usize] = i as f64 * 0.25;
    }
    // In order: two iterations may write the same element, `cube[(i / 12) as usize][(i % 12 / 4)
    // as usize][(i % 4) as usize]` [accrue::H057].
    for i in 0..24 {
        globals.cube[(i / 12) as usize][(i % 12 / 4) as usize][(i % 4) as usize] = i * i;
    }
    for j in 0..M as usize {
        globals.grid[0][j] += 1.0;
    }
    for i in 0..N * M {
        globals.grid[(i / 5) as usize][(i % 5) as usize] *= 2.0;
    }
    println!(
        "{} {} {} {}",
        c::general(globals.grid[2][3], 6),
        c::general(globals.grid[0][1], 6),
        c::general(globals.grid[0][0], 6),
        c::general(sum(globals.grid.as_flattened(), N * M), 6)
    );
    println!(
        "{} {} {} {}",
        globals.cube[1][2][3], globals.cube[0][2][1], globals.cube[1][0][2], t.hits
    );
    for k in 0..3 {
        print!("{} ", c::general(t.flux[k][k], 6));
    }
    println!();
}

//! Translated by acc2rs from `rows_passed_flat.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

mod c;

const M: i32 = 4;
const N: i32 = 6;

/// The variables that C keeps outside functions.
struct Globals {
    grid: [[f64; 4]; 6],
    cube: [[[f32; 4]; 3]; 2],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            grid: [[0.0; 4]; N as usize],
            cube: [[[0.0; 4]; 3]; 2],
        }
    }
}

fn fill(a: &mut [f64], n: i32) {
    for i in 0..n {
        a[i as usize] = i as f64;
    }
}

fn sum(a: &[f64], n: i32) -> f64 {
    let mut s: f64 = 0.0;
    for i in 0..n {
        s += a[i as usize];
    }
    s
}

fn fillf(p: &mut [f32], mut n: i32, v: f32) {
    let mut p_at: usize = 0;
    while ({
        let old = n;
        n -= 1;
        old
    }) > 0
    {
        p[p_at] = v + n as f32;
        p_at += 1;
    }
}

fn row(r: &[f64]) -> f64 {
    let mut s: f64 = 0.0;
    for j in 0..M as usize {
        s += r[j];
    }
    s
}

fn main() {
    let mut globals = Globals::new();
    let mut a: Vec<[f64; 4]> = vec![[0.0; 4]; N as usize];
    let mut local: [[f64; 4]; 6] = [[0.0; 4]; N as usize];
    fill(globals.grid.as_flattened_mut(), N * M);
    fill(local.as_flattened_mut(), N * M);
    fill(a.as_flattened_mut(), N * M);
    fill(&mut a.as_flattened_mut()[2 * 4 + 1..], 5);
    println!(
        "{} {} {}",
        c::general(sum(globals.grid.as_flattened(), N * M), 6),
        c::general(sum(local.as_flattened(), N * M), 6),
        c::general(sum(&a.as_flattened()[1 * 4 + 2..], N * M - 6), 6)
    );
    fillf(globals.cube.as_flattened_mut().as_flattened_mut(), 24, 0.5);
    fillf(
        &mut globals.cube.as_flattened_mut().as_flattened_mut()[1 * 12..],
        12,
        2.0,
    );
    println!(
        "{} {} {}",
        c::general(globals.cube[0][0][0] as f64, 6),
        c::general(globals.cube[1][2][3] as f64, 6),
        c::general(row(&globals.grid[3]) + row(&a.as_flattened()[2 * 4..]), 6)
    );
    drop(a);
}

//! Translated by acc2rs from `nested_pairs.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const NB: i32 = 40;
const NP: i32 = 120;

// Radial distribution: a histogram of the distances of all pairs.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Point {
    x: f64,
    y: f64,
    z: f64,
}

impl Point {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> Point {
        Point {
            x: 0.0,
            y: 0.0,
            z: 0.0,
        }
    }
}

/// Counts into `g`, the loop at nested_pairs.c:22:3.
#[offload(histogram)]
fn count_g(p: &[Point], g: &mut [i32]) {
    for i in 0_i32..NP {
        for j in i as usize + 1..NP as usize {
            let dx: f64 = p[i as usize].x - p[j].x;
            let dy: f64 = p[i as usize].y - p[j].y;
            let dz: f64 = p[i as usize].z - p[j].z;
            let r: f64 = (dx * dx + dy * dy + dz * dz).sqrt();
            let b: i32 = (r / 1.8 * NB as f64) as i32;
            if b < NB {
                g[b as usize] += 1;
            }
        }
    }
}

fn main() -> ExitCode {
    let mut p: Vec<Point> = vec![Point::zeroed(); NP as usize];
    let mut g: [i32; 40] = [0; 40];
    for i in 0..NP {
        p[i as usize].x = (i * 17 % 101) as f64 / 101.0;
        p[i as usize].y = (i * 29 % 103) as f64 / 103.0;
        p[i as usize].z = (i * 41 % 107) as f64 / 107.0;
    }
    count_g(&p, &mut g);
    let mut total: i32 = 0;
    for b in 0..NB {
        total += g[b as usize];
        if g[b as usize] != 0 {
            print!("{}:{} ", b, g[b as usize]);
        }
    }
    println!();
    drop(p);
    ExitCode::from(i32::from(total != NP * (NP - 1) / 2) as u8)
}

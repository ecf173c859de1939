//! Translated by acc2rs from `best_and_dot.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

/// Adds into `dot` and `norm`, the loop at best_and_dot.c:20:5.
#[offload]
fn sum_dot(x: &[f32], y: &[f32], n: i32, mut dot: f64, mut norm: f64) -> (f64, f64) {
    for i in 0..n {
        dot += x[i as usize] as f64 * y[i as usize] as f64;
        norm += x[i as usize] as f64 * x[i as usize] as f64;
    }
    (dot, norm)
}

/// Keeps the largest in `largest`, the loop at best_and_dot.c:25:5.
#[offload]
fn max_largest(x: &[f32], n: i32, mut largest: f32) -> f32 {
    for i in 0..n {
        largest = largest.max(x[i as usize]);
    }
    largest
}

/// Adds into `hits`, keeps the largest in `where_`, the loop at best_and_dot.c:28:5.
#[offload]
fn sum_hits(x: &[f32], n: i32, largest: f32, mut hits: i32, mut where_: i32) -> (i32, i32) {
    for i in 0..n {
        if x[i as usize] == largest {
            hits += 1;
            where_ = where_.max(i);
        }
    }
    (hits, where_)
}

/// Finds `best` and `at`, the loop at best_and_dot.c:34:5.
#[offload]
fn find_at(x: &[f32], y: &[f32], n: i32, mut best: f32, mut at: i32) -> (f32, i32) {
    for i in 0..n {
        let d: f32 = (x[i as usize] - 3.0) * (x[i as usize] - 3.0) + y[i as usize] * y[i as usize];
        if d < best {
            best = d;
            at = i;
        }
    }
    (best, at)
}

// A dot product, a norm, the place of the largest element in one loop and in two.
fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let n: i32 = if argc > 1 {
        c::atol(argv[1]) as i32
    } else {
        300
    };
    let mut x: Vec<f32> = vec![0.0_f32; n as usize];
    let mut y: Vec<f32> = vec![0.0_f32; n as usize];
    for i in 0..n {
        x[i as usize] = (i * 29 % 97) as f32 * 0.25;
        y[i as usize] = (i * 11 % 13) as f32 - 6.0;
    }
    let mut dot: f64 = 0.0;
    let mut norm: f64 = 0.0;
    let mut largest: f32 = -3.4028235e38;
    let mut best: f32 = 3.4028235e38;
    let mut where_: i32 = -1;
    let mut at: i32 = 0;
    let mut hits: i32 = 0;
    (dot, norm) = sum_dot(&x, &y, n, dot, norm);
    largest = max_largest(&x, n, largest);
    (hits, where_) = sum_hits(&x, n, largest, hits, where_);
    (best, at) = find_at(&x, &y, n, best, at);
    println!(
        "{:.3} {:.3} {} {} {} {} {}",
        c::Float(dot),
        c::Float(norm.sqrt()),
        c::general(largest as f64, 6),
        where_,
        hits,
        c::general(best as f64, 6),
        at
    );
    drop(x);
    drop(y);
}

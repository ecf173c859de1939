//! Translated by acc2rs from `exchanged_pointers.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const N: i32 = 48;

/// Sets `to`, the loop at exchanged_pointers.c:9:3.
#[offload]
fn compute_to(from: &[f64], n: i32, to: &mut [f64]) {
    for i in 1..n - 1 {
        to[i as usize] = 0.5 * (from[i as usize - 1] + from[i as usize + 1]);
    }
}

/// Counts into `hist`, the loop at exchanged_pointers.c:50:3.
#[offload(histogram)]
fn count_hist(curr: &[f64], hist: &mut [i32]) {
    for i in 0_i32..N {
        hist[((curr[i as usize] * 4.0 + 2.0) as i32 & 3) as usize] += 1;
    }
}

// Pointers that change places: two names for the caller's arrays, a ring of three buffers, elements of one array.
fn smooth(from: &[f64], to: &mut [f64], n: i32) {
    compute_to(from, n, to);
}

fn settle(u: &mut [f64], v: &mut [f64], n: i32, steps: i32) -> f64 {
    let mut now: &mut [f64] = u;
    let mut then: &mut [f64] = v;
    for _ in 0..steps {
        smooth(now, then, n);
        std::mem::swap(&mut now, &mut then);
    }
    now[(n / 2) as usize]
}

fn swap(a: &mut i32, b: &mut i32) {
    let t: i32 = *a;
    *a = *b;
    *b = t;
}

fn main() -> ExitCode {
    let mut a: [f64; 48] = [0.0; N as usize];
    let mut b: Vec<f64> = vec![0.0_f64; N as usize];
    let mut prev: Vec<f64> = vec![0.0_f64; N as usize];
    let mut curr: Vec<f64> = vec![0.0_f64; N as usize];
    let mut next: Vec<f64> = vec![0.0_f64; N as usize];
    let mut order: [i32; 6] = [5, 3, 4, 0, 2, 1];
    let mut hist: [i32; 4] = [0; 4];
    if b.is_empty() || prev.is_empty() || curr.is_empty() || next.is_empty() {
        eprintln!("no memory: {}", c::strerror(0));
        return ExitCode::FAILURE;
    }
    for i in 0..N {
        b[i as usize] = (i % 5) as f64;
        a[i as usize] = b[i as usize];
    }
    print!("{:.6}", c::Float(settle(&mut a, &mut b, N, 21)));
    println!(" {:.6} {:.6}", c::Float(a[1]), c::Float(b[1]));
    prev[(N / 2) as usize] = 1.0;
    curr[(N / 2) as usize] = prev[(N / 2) as usize];
    for _ in 0..10 {
        for i in 1..N - 1 {
            next[i as usize] = 2.0 * curr[i as usize] - prev[i as usize]
                + 0.25 * (curr[(i - 1) as usize] - 2.0 * curr[i as usize] + curr[(i + 1) as usize]);
        }
        std::mem::swap(&mut prev, &mut curr);
        std::mem::swap(&mut curr, &mut next);
    }
    count_hist(&curr, &mut hist);
    println!("{} {} {} {}", hist[0], hist[1], hist[2], hist[3]);
    for last in (1..=5).rev() {
        for i in 0..last {
            if order[i as usize] > order[(i + 1) as usize] {
                order.swap(i as usize, (i + 1) as usize);
            }
        }
    }
    swap(&mut order[0], &mut hist[0]);
    for i in 0..6 {
        print!(
            "{}\x07{}",
            order[i as usize],
            char::from(if i < 5 { b',' } else { b'\n' })
        );
    }
    drop(b);
    drop(prev);
    drop(curr);
    drop(next);
    ExitCode::SUCCESS
}

//! Translated by acc2rs from `chosen_buffers.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const BINS: i32 = 16;
const N: i32 = 64;

/// The variables that C keeps outside functions.
struct Globals {
    even: [f64; 64],
    odd: [f64; 64],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            even: [0.0; N as usize],
            odd: [0.0; N as usize],
        }
    }
}

/// Sets `dst`, the loop at chosen_buffers.c:13:5.
#[offload]
fn compute_dst(src: &[f64], n: i32, dst: &mut [f64]) {
    for i in 1..n - 1 {
        dst[i as usize] = 0.5 * (src[i as usize - 1] + src[i as usize + 1]);
    }
}

/// Counts into `counts`, the loop at chosen_buffers.c:65:5.
#[offload(histogram)]
fn count_counts(a: &[f64], n: i32, counts: &mut [i32]) {
    for i in 0..n {
        counts[(a[i as usize] as i32 % BINS) as usize] += 1;
    }
}

fn relax(src: &[f64], dst: &mut [f64], n: i32) {
    compute_dst(src, n, dst);
}

fn sum(a: &[f64], b: &[f64], second: i32, n: i32) -> f64 {
    let mut p: &[f64] = a;
    let mut p_other: &[f64] = b;
    if second != 0 {
        std::mem::swap(&mut p, &mut p_other);
    }
    let mut s: f64 = 0.0;
    for i in 0..n {
        s += p[i as usize];
    }
    s
}

// Two buffers that change places with the step's number.
fn smooth(a: &mut [f64], b: &mut [f64], n: i32, steps: i32) {
    for t in 0..steps {
        let mut from: &mut [f64] = a;
        let mut to: &mut [f64] = b;
        if t % 2 != 0 {
            std::mem::swap(&mut from, &mut to);
        }
        for i in 1..n - 1 {
            to[i as usize] =
                (from[(i - 1) as usize] + 2.0 * from[i as usize] + from[(i + 1) as usize]) / 4.0;
        }
    }
}

fn main() -> ExitCode {
    let argc: i32 = std::env::args().count() as i32;
    let mut globals = Globals::new();
    let n: i32 = N;
    let mut rare: [i32; 16] = [0; 16];
    let mut common: [i32; 16] = [0; 16];
    let mut a: Vec<f64> = vec![0.0_f64; n as usize];
    let mut b: Vec<f64> = vec![0.0_f64; n as usize];
    for i in 0..n {
        a[i as usize] = (i * i % 23) as f64;
        b[i as usize] = a[i as usize];
        globals.even[i as usize] = (i % 7) as f64;
        globals.odd[i as usize] = globals.even[i as usize];
    }
    for t in 0..5 {
        // which one is read
        let mut src: &mut [f64] = &mut b;
        let mut dst: &mut [f64] = &mut a;
        if t % 2 == 0 {
            std::mem::swap(&mut src, &mut dst);
        }
        for i in 1..n - 1 {
            dst[i as usize] =
                0.25 * src[(i - 1) as usize] + 0.5 * src[i as usize] + 0.25 * src[(i + 1) as usize];
        }
    }
    for t in 0..7 {
        let mut src_now: &mut [f64] = &mut globals.even;
        let mut dst_now: &mut [f64] = &mut globals.odd;
        if t & 1 != 0 {
            std::mem::swap(&mut src_now, &mut dst_now);
        }
        relax(src_now, dst_now, n);
    }
    smooth(&mut a, &mut b, n, 3);
    let mut counts: &mut [i32] = &mut common;
    let mut counts_other: &mut [i32] = &mut rare;
    if argc > 1 {
        std::mem::swap(&mut counts, &mut counts_other);
    }
    count_counts(&a, n, counts);
    for i in 0..BINS as usize {
        print!("{}/{} ", rare[i], common[i]);
    }
    println!(
        "\n{:.6} {:.6}",
        c::Float(sum(&a, &b, 0, n)),
        c::Float(sum(&a, &b, 1, n))
    );
    println!(
        "{:.6} {:.6}",
        c::Float(sum(&globals.even, &globals.odd, i32::from(argc > 1), n)),
        c::Float(sum(&globals.even, &globals.odd, i32::from(argc == 1), n))
    );
    drop(a);
    drop(b);
    ExitCode::from(
        (if sum(&globals.even, &globals.odd, 0, n) > 0.0 {
            0
        } else {
            1
        }) as u8,
    )
}

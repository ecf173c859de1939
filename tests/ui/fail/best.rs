//! What looks like keeping the best item, and depends on the order of the iterations.

use accrue::offload;

#[offload]
fn whatever_differs(x: &[f32]) -> (f32, usize) {
    let (mut best, mut at) = (f32::MAX, 0);
    for i in 0..x.len() {
        if x[i] != best {
            best = x[i];
            at = i;
        }
    }
    (best, at)
}

#[offload]
fn so_far(x: &[f32], out: &mut [f32]) {
    let mut best = f32::MAX;
    for i in 0..x.len() {
        if x[i] < best {
            best = x[i];
        }
        out[i] = best;
        if i % 64 == 0 {
            best = f32::MAX;
        }
    }
}

#[offload]
fn another_value(x: &[f32], y: &[f32]) -> f32 {
    let mut best = f32::MAX;
    for i in 0..x.len() {
        if x[i] < best {
            best = y[i];
        }
    }
    best
}

#[offload]
fn with_else(x: &[f32], out: &mut [f32]) {
    let (mut low, mut step) = (f32::MAX, 1.0);
    for i in 0..x.len() {
        if x[i] * step < low {
            low = x[i] * step;
        } else {
            step = low;
        }
        out[i] = low;
    }
}

#[offload]
fn moving(x: &mut [u32]) -> usize {
    let mut at = 0;
    for i in 1..x.len() {
        x[i] /= 2;
        if x[i] > x[at] {
            at = i;
        }
    }
    at
}

#[offload]
fn words(x: &[String]) -> usize {
    let mut at = 0;
    for i in 1..x.len() {
        if x[i] > x[at] {
            at = i;
        }
    }
    at
}

fn main() {}

//! Recurrences that are not split.

use accrue::offload;

#[offload]
fn smoothed(x: &[f32], out: &mut [f32]) {
    let mut s = 0.0;
    for i in 0..x.len() {
        s = 0.5 * s + x[i];
        out[i] = s;
    }
}

#[offload]
fn squared(x: &[u32], out: &mut [u32]) {
    let mut s = 1;
    for i in 0..x.len() {
        s = s * s + x[i];
        out[i] = s;
    }
}

#[offload]
fn mixed_up(x: &[u32]) -> u32 {
    let mut h = 0x811c_9dc5;
    for v in x {
        h = (h ^ v).wrapping_mul(0x0100_0193);
    }
    h
}

#[offload]
fn by_what_it_holds(x: &[u32], out: &mut [u32]) {
    let mut s = 0u32;
    for i in 0..x.len() {
        s = if s > 100 { 0 } else { s + x[i] };
        out[i] = s;
    }
}

#[offload]
fn by_what_is_written(x: &[u32], out: &mut [u32]) {
    let mut h = 0u32;
    for i in 0..x.len() {
        out[i] = h ^ x[i];
        h = h.wrapping_mul(31).wrapping_add(out[i]);
    }
}

#[offload]
fn whatever_differs(x: &[f32]) -> usize {
    let (mut best, mut at) = (f32::MAX, 0);
    for (i, &v) in x.iter().enumerate() {
        if v != best {
            best = v;
            at = i;
        }
    }
    at
}

fn main() {}

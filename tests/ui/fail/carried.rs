//! Scalars that are carried along, by terms that only the iterations before tell.

use accrue::offload;

#[offload]
fn until_full(x: &[u32], out: &mut [u32]) {
    let mut acc = 0;
    for i in 0..x.len() {
        if acc < 100 {
            acc += x[i];
        }
        out[i] = acc;
    }
}

#[offload]
fn of_the_last(x: &[u32], out: &mut [u32]) {
    let mut acc = 0;
    for i in 0..x.len() {
        out[i] = acc ^ x[i];
        acc += out[i];
    }
}

#[offload]
fn twice(x: &[u32], out: &mut [u32]) {
    let (mut a, mut b) = (0, 0);
    for i in 0..x.len() {
        a += x[i];
        b += a;
        out[i] = b;
    }
}

#[offload]
fn smoothed(x: &[f32], out: &mut [f32]) {
    let mut s = 0.0;
    for i in 0..x.len() {
        s = 0.5 * s + x[i];
        out[i] = s;
    }
}

fn main() {}

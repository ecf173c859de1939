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

fn main() {}

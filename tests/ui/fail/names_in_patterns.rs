#![allow(non_upper_case_globals)]

use accrue::offload;

const low: u32 = 3;

#[offload(histogram)]
fn count(keys: &[u32], hist: &mut [u32; 16]) {
    for &k in keys {
        match k {
            low => hist[0] += 1,
            _ => hist[1] += 1,
        }
    }
}

#[offload(device)]
fn bin(x: u32) -> u32 {
    match x {
        low => 0,
        other => other & 15,
    }
}

fn main() {}

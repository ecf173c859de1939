//! Translated by acc2rs from `bit_sets.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

/// Combines bits into `seen` and `parity` and `all`, the loop at bit_sets.c:12:3.
#[offload(histogram)]
fn or_seen(n: i32, seen: &mut [u32], parity: &mut [u32], all: &mut [u32]) {
    for i in 0..n {
        let b: u32 = (i as u32).wrapping_mul(2654435761) >> 27;
        seen[b as usize] |= 1_u32 << i % 31;
        parity[b as usize] ^= i as u32;
        all[b as usize] &= 0xfffffff0 | (i & 15) as u32;
    }
}

// A set of bits and a parity per bin: `|=`, `^=`, `&=`.
fn main() {
    let n: i32 = 1200;
    let mut seen: Vec<u32> = vec![0_u32; 32];
    let mut parity: Vec<u32> = vec![0_u32; 32];
    let mut all: Vec<u32> = vec![0_u32; 32];
    for i in 0..32 {
        all[i] = !0_u32;
    }
    or_seen(n, &mut seen, &mut parity, &mut all);
    let mut h: u32 = 2166136261;
    for i in 0..32 {
        h = (h ^ seen[i]).wrapping_mul(16777619);
        h = (h ^ parity[i]).wrapping_mul(16777619);
        h = (h ^ all[i]).wrapping_mul(16777619);
    }
    println!("{:08x}", h);
    drop(seen);
    drop(parity);
    drop(all);
}

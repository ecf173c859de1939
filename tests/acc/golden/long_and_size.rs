//! Translated by acc2rs from `long_and_size.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

/// Adds into `bins`, the loop at long_and_size.c:13:3.
#[offload(histogram)]
fn sum_bins(keys: &[i64], n: usize, bins: &mut [u64]) {
    for i in 0..n {
        let mut k: i64 = keys[i] % 13;
        if k < 0 {
            k += 13;
        }
        bins[k as usize] += i as u64;
    }
}

/// Counts into `small`, the loop at long_and_size.c:20:3.
#[offload(histogram)]
fn count_small(small: &mut [u8]) {
    for i in 0..600 {
        small[(i % 4) as usize] = small[(i % 4) as usize].wrapping_add(1);
    }
}

fn main() {
    let n: usize = 777;
    let mut keys: Vec<i64> = vec![0_i64; n];
    let mut bins: Vec<u64> = vec![0_u64; 13];
    let mut small: [u8; 4] = [0; 4];
    for i in 0..n {
        keys[i] = (i * i).wrapping_sub(5000) as i64;
    }
    sum_bins(&keys, n, &mut bins);
    count_small(&mut small);
    let mut x: u64 = 0;
    for i in 0..13 {
        x = x.wrapping_mul(1000003).wrapping_add(bins[i]);
    }
    println!(
        "{} {} {} {}",
        x,
        keys[n.wrapping_sub(1)],
        small[0],
        small[3]
    );
    println!("{} {}", n.wrapping_sub(1), (n / 2) as i64 - 400);
    drop(keys);
    drop(bins);
}

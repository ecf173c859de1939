//! Translated by acc2rs from `spmv_and_scan.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

/// Counts into `count`, the loop at spmv_and_scan.c:10:3.
#[offload(histogram)]
fn count_count(in_: &[u32], n: usize, buckets: usize, count: &mut [u32]) {
    for i in 0..n {
        count[in_[i] as usize & buckets.wrapping_sub(1)] += 1;
    }
}

// Counting sort: histogram, exclusive scan, scatter.
fn counting_sort(in_: &[u32], out: &mut [u32], n: usize, bits: u32) {
    let buckets: usize = 1_usize << bits;
    let mut count: Vec<u32> = vec![0_u32; buckets];
    count_count(in_, n, buckets, &mut count);
    let mut sum: u32 = 0;
    for b in 0..buckets {
        let c_: u32 = count[b];
        count[b] = sum;
        sum = sum.wrapping_add(c_);
    }
    for i in 0..n {
        out[({
            let old = count[in_[i] as usize & buckets.wrapping_sub(1)];
            count[in_[i] as usize & buckets.wrapping_sub(1)] += 1;
            old
        }) as usize] = in_[i];
    }
    drop(count);
}

fn main() -> ExitCode {
    let n: usize = 1000;
    let mut a: Vec<u32> = vec![0_u32; n];
    let mut b: Vec<u32> = vec![0_u32; n];
    for i in 0..n {
        a[i] = (i * 2654435761) as u32 % 256;
    }
    counting_sort(&a, &mut b, n, 8);
    a[..n].copy_from_slice(&b[..n]);
    let mut ok: i32 = 1;
    for i in 1..n {
        if a[i - 1] > a[i] {
            ok = 0;
        }
    }
    println!(
        "{} {} {}",
        if ok != 0 { "sorted" } else { "unsorted" },
        a[0],
        a[n.wrapping_sub(1)]
    );
    drop(a);
    drop(b);
    ExitCode::from(i32::from(ok == 0) as u8)
}

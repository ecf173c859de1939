//! Translated by acc2rs from `prefix_in_kernels.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

/// Sets `sums`, carries `sum`, the loop at prefix_in_kernels.c:15:5.
#[offload]
fn scan_sums(x: &[i32], n: i32, mut sum: i32, sums: &mut [i32]) -> i32 {
    for i in 0..n {
        sum += x[i as usize];
        sums[i as usize] = sum;
    }
    sum
}

/// Sets `tops`, carries `top`, the loop at prefix_in_kernels.c:19:5.
#[offload]
fn scan_tops(x: &[i32], n: i32, mut top: i32, tops: &mut [i32]) -> i32 {
    for i in 0..n {
        top = top.max(x[i as usize]);
        tops[i as usize] = top;
    }
    top
}

/// Fills `kept`, carries `m`, the loop at prefix_in_kernels.c:24:5.
#[offload]
fn select_kept(x: &[i32], n: i32, mut m: i32, kept: &mut [i32]) -> i32 {
    for i in 0..n {
        if x[i as usize] > 40 {
            kept[m as usize] = x[i as usize];
            m += 1;
        }
    }
    m
}

/// Counts into `counts`, the loop at prefix_in_kernels.c:30:5.
#[offload(histogram)]
fn count_counts(x: &[i32], n: i32, counts: &mut [u32]) {
    for i in 0..n {
        counts[((x[i as usize] + 20) % 16) as usize] += 1;
    }
}

/// Updates `counts`, carries `before`, the loop at prefix_in_kernels.c:33:5.
#[offload]
fn scan_counts(mut before: u32, counts: &mut [u32]) -> u32 {
    for b in 0..17 {
        let own: u32 = counts[b];
        counts[b] = before;
        before = before.wrapping_add(own);
    }
    before
}

// Prefix sums, a compaction and a running maximum in `kernels`, where the compiler has to see what they are.
fn main() {
    let n: i32 = 200;
    let mut x: Vec<i32> = vec![0_i32; n as usize];
    let mut sums: Vec<i32> = vec![0_i32; n as usize];
    let mut tops: Vec<i32> = vec![0_i32; n as usize];
    let mut kept: Vec<i32> = vec![0_i32; n as usize];
    let mut counts: Vec<u32> = vec![0_u32; 17];
    for i in 0..n {
        x[i as usize] = i * 37 % 101 - 20;
    }
    let mut sum: i32 = 0;
    let mut top: i32 = x[0];
    let mut m: i32 = 0;
    {
        sum = scan_sums(&x, n, sum, &mut sums);
        top = scan_tops(&x, n, top, &mut tops);
        m = select_kept(&x, n, m, &mut kept);
        count_counts(&x, n, &mut counts);
        let mut before: u32 = 0;
        before = scan_counts(before, &mut counts);
    }
    println!(
        "{} {} {} {} {} {} {}",
        sums[(n - 1) as usize],
        sums[3],
        tops[(n - 1) as usize],
        m,
        kept[(m - 1) as usize],
        counts[16],
        counts[5]
    );
    drop(x);
    drop(sums);
    drop(tops);
    drop(kept);
    drop(counts);
}

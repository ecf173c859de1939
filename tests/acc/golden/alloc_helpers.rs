//! Translated by acc2rs from `alloc_helpers.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

/// Counts into `bins`, the loop at alloc_helpers.c:27:3.
#[offload(histogram)]
fn count_bins(a: &[f32], b: &[f32], n: i32, bins: &mut [i32]) {
    for i in 0..n {
        bins[((a[i as usize] + b[i as usize]) as i32 % 8) as usize] += 1;
    }
}

fn make(n: i32, value: f32) -> Vec<f32> {
    let mut p: Vec<f32> = vec![0.0_f32; n as usize];
    if p.is_empty() {
        eprintln!("malloc");
        std::process::exit(1);
    }
    for i in 0..n {
        p[i as usize] = value + i as f32;
    }
    p
}

fn allocate(out: &mut Vec<i32>, n: i32) {
    *out = vec![0_i32; n as usize];
    for i in 0..n {
        (*out)[i as usize] = 0;
    }
}

fn release(p: &[f32]) {
    let _ = p;
}

fn main() {
    let n: i32 = 64;
    let mut bins: Vec<i32> = Vec::new();
    let mut capacity: i32 = 2;
    let mut used: i32 = 0;
    let a: Vec<f32> = make(n, 0.5);
    let b: Vec<f32> = make(n, 1.0);
    allocate(&mut bins, 8);
    count_bins(&a, &b, n, &mut bins);
    let mut list: Vec<i32> = vec![0_i32; capacity as usize];
    for i in 0..8 {
        if used == capacity {
            capacity *= 2;
            list.resize(capacity as usize, 0);
        }
        list[used as usize] = bins[i];
        used += 1;
    }
    for i in 0..used {
        print!("{} ", list[i as usize]);
    }
    println!("cap {}", capacity);
    release(&a);
    drop(b);
    drop(bins);
    drop(list);
}

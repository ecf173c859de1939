//! Translated by acc2rs from `steps_and_reverse.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

/// Counts into `h`, the loop at steps_and_reverse.c:5:3.
#[offload(histogram)]
fn count_h(n: i32, h: &mut [i32]) {
    for i in (0..n).step_by(3) {
        h[(i % 10) as usize] += 1;
    }
}

/// Adds into `h`, the loop at steps_and_reverse.c:10:3.
#[offload(histogram)]
fn sum_h(n: i32, h: &mut [i32]) {
    for i in (0..n).rev() {
        h[(i / 10) as usize] += i;
    }
}

/// Subtracts from `h`, the loop at steps_and_reverse.c:15:3.
#[offload(histogram)]
fn subtract_h(n: i32, h: &mut [i32]) {
    for i in 1..=n {
        h[(i * i % 10) as usize] -= 1;
    }
}

fn main() {
    let mut h: [i32; 10] = [0; 10];
    let n: i32 = 100;
    let mut s: i32 = 0;
    count_h(n, &mut h);
    sum_h(n, &mut h);
    subtract_h(n, &mut h);
    for i in (1..=10).rev().step_by(2) {
        s = s * 7 + h[(i - 1) as usize];
    }
    {
        let mut u: u32 = 5;
        while ({
            let old = u;
            u = u.wrapping_sub(1);
            old
        }) > 0
        {
            s += h[u as usize];
        }
    }
    let mut i: i32 = 0;
    i = 0;
    while i < n && h[(i % 10) as usize] != 0 {
        if i == 7 {
            break;
        }
        i += 1;
    }
    {
        let mut stride: i32 = n / 2;
        while stride > 0 {
            s ^= stride;
            stride /= 2;
        }
    }
    println!("{} {}", s, i);
}

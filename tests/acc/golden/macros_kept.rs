//! Translated by acc2rs from `macros_kept.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

const COLS: i32 = 6 * 2;
const ROWS: i32 = 6;
const SCALE: f32 = 0.25_f32;

/// Counts into `h`, the loop at macros_kept.c:22:3.
#[offload(histogram)]
fn count_h(a: &[i32], h: &mut [i32]) {
    for r in 0..6 {
        for c_ in 0..(6 * 2) as usize {
            h[(if (a[r * (6 * 2) as usize + c_] / 10) < 0 {
                0
            } else if a[r * (6 * 2) as usize + c_] / 10 > 2 + 2 {
                2 + 2
            } else {
                a[r * (6 * 2) as usize + c_] / 10
            }) as usize] += 1;
        }
    }
}

fn main() {
    let mut a: [i32; 72] = [0; (ROWS * COLS) as usize];
    let mut h: [i32; 5] = [0; 5];
    for r in 0..6 {
        for c_ in 0..6 * 2 {
            a[(r * (6 * 2) + c_) as usize] = r * c_;
        }
    }
    {
        if false {
            println!("filled {}", a[0]);
        }
    }
    count_h(&a, &mut h);
    for i in 0..(2 + 3) as usize {
        print!("{} ", h[i]);
    }
    println!("{:.2}", (SCALE * COLS as f32) as f64);
}

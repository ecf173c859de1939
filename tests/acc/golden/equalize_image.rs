//! Translated by acc2rs from `equalize_image.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

/// Counts into `hist`, the loop at equalize_image.c:13:5.
#[offload(histogram)]
fn count_hist(in_: &[u8], size: i32, hist: &mut [i32]) {
    for i in 0..size {
        hist[in_[i as usize] as usize] += 1;
    }
}

/// Sets `cdf`, carries `sum`, the loop at equalize_image.c:20:7.
#[offload]
fn scan_cdf(hist: &[i32], mut sum: i32, cdf: &mut [i32]) -> i32 {
    for i in 0..256 {
        sum += hist[i];
        cdf[i] = sum;
    }
    sum
}

/// Sets `out`, the loop at equalize_image.c:26:5.
#[offload]
fn compute_out(cdf: &[i32], in_: &[u8], size: i32, out: &mut [u8]) {
    for i in 0..size {
        out[i as usize] = (cdf[in_[i as usize] as usize] * 255 / size) as u8;
    }
}

fn equalize(in_: &[u8], out: &mut [u8], width: i32, height: i32) {
    let mut hist: [i32; 256] = [0; 256];
    let mut cdf: [i32; 256] = [0; 256];
    let size: i32 = width * height;
    for i in 0..256 {
        hist[i] = 0;
    }
    count_hist(in_, size, &mut hist);
    {
        let mut sum: i32 = 0;
        sum = scan_cdf(&hist, sum, &mut cdf);
    }
    compute_out(&cdf, in_, size, out);
}

fn main() -> ExitCode {
    let w: i32 = 64;
    let h: i32 = 48;
    let mut a: Vec<u8> = vec![0_u8; (w * h) as usize];
    let mut b: Vec<u8> = vec![0_u8; (w * h) as usize];
    for y in 0..h {
        for x in 0..w {
            a[(y * w + x) as usize] = (100 + x * y % 40) as u8;
        }
    }
    equalize(&a, &mut b, w, h);
    let mut check: u64 = 0;
    let mut lo: i32 = 255;
    let mut hi: i32 = 0;
    for i in 0..w * h {
        check = check.wrapping_mul(31).wrapping_add(b[i as usize] as u64);
        if (b[i as usize] as i32) < lo {
            lo = b[i as usize] as i32;
        }
        if b[i as usize] as i32 > hi {
            hi = b[i as usize] as i32;
        }
    }
    println!("{} {} {}", check, lo, hi);
    drop(a);
    drop(b);
    ExitCode::from(i32::from(hi - lo < 200) as u8)
}

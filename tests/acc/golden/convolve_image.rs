//! Translated by acc2rs from `convolve_image.c`.
#![forbid(unsafe_code)]
#![allow(
    non_snake_case,
    non_upper_case_globals,
    unused_assignments,
    unused_variables
)]

use accrue::offload;

mod c;

const RADIUS: i32 = 2;

// A convolution of an image with clamped borders, and a tiled blur of its channels.
static filter: [[i32; 5]; 5] = [
    [1, 2, 3, 2, 1],
    [2, 4, 6, 4, 2],
    [3, 6, 9, 6, 3],
    [2, 4, 6, 4, 2],
    [1, 2, 3, 2, 1],
];

/// Sets `out`, the loop at convolve_image.c:14:3.
#[offload]
fn compute_out(imgData: &[u8], h: i64, w: i64, step: i64, ch: i64, out: &mut [u8]) {
    for y in 0..h {
        for x in 0..w {
            let mut blue: f32 = 0.0;
            let mut green: f32 = 0.0;
            let mut red: f32 = 0.0;
            for fy in 0..5 {
                let iy: i64 = y - RADIUS as i64 + fy as i64;
                for fx in 0..5 {
                    let ix: i64 = x - RADIUS as i64 + fx as i64;
                    if iy < 0 || ix < 0 || iy >= h || ix >= w {
                        continue;
                    }
                    blue += filter[fy as usize][fx as usize] as f32
                        * imgData[iy as usize * step as usize + ix as usize * ch as usize] as f32;
                    green += filter[fy as usize][fx as usize] as f32
                        * imgData[iy as usize * step as usize + ix as usize * ch as usize + 1]
                            as f32;
                    red += filter[fy as usize][fx as usize] as f32
                        * imgData[iy as usize * step as usize + ix as usize * ch as usize + 2]
                            as f32;
                }
            }
            out[y as usize * step as usize + x as usize * ch as usize] = (blue / 81.0) as i32 as u8;
            out[y as usize * step as usize + x as usize * ch as usize + 1] =
                (green / 81.0) as i32 as u8;
            out[y as usize * step as usize + x as usize * ch as usize + 2] =
                (red / 81.0) as i32 as u8;
        }
    }
}

/// Sets `out`, the loop at convolve_image.c:37:3.
#[offload]
fn compute_out_2(in_: &[f32], rows: i32, cols: i32, out: &mut [f32]) {
    for r in 0..rows {
        for c_ in 0..cols {
            let up: i32 = if r - 1 > 0 { r - 1 } else { 0 };
            let down: i32 = if r + 1 < rows - 1 { r + 1 } else { rows - 1 };
            let left: i32 = if c_ - 1 > 0 { c_ - 1 } else { 0 };
            let right: i32 = if c_ + 1 < cols - 1 { c_ + 1 } else { cols - 1 };
            out[r as usize * cols as usize + c_ as usize] = 5.0
                * in_[r as usize * cols as usize + c_ as usize]
                - in_[up as usize * cols as usize + c_ as usize]
                - in_[down as usize * cols as usize + c_ as usize]
                - in_[r as usize * cols as usize + left as usize]
                - in_[r as usize * cols as usize + right as usize];
        }
    }
}

fn blur(imgData: &[u8], out: &mut [u8], w: i64, h: i64, ch: i64, step: i64) {
    compute_out(imgData, h, w, step, ch, out);
}

fn sharpen(in_: &[f32], out: &mut [f32], rows: i32, cols: i32) {
    compute_out_2(in_, rows, cols, out);
}

fn main() {
    let w: i64 = 20;
    let h: i64 = 15;
    let ch: i64 = 3;
    let step: i64 = w * ch;
    let mut img: Vec<u8> = vec![0_u8; step as usize * h as usize];
    let mut out: Vec<u8> = vec![0_u8; step as usize * h as usize];
    let mut a: Vec<f32> = vec![0.0_f32; (w * h) as usize];
    let mut b: Vec<f32> = vec![0.0_f32; (w * h) as usize];
    for i in 0..step * h {
        img[i as usize] = (i * 7 % 256) as u8;
    }
    for i in 0..(w * h) as i32 {
        a[i as usize] = (i % 9) as f32;
    }
    blur(&img, &mut out, w, h, ch, step);
    sharpen(&a, &mut b, h as i32, w as i32);
    let mut check: u32 = 0;
    let mut edge: f32 = 0.0;
    for i in 0..step * h {
        check = check.wrapping_mul(31).wrapping_add(out[i as usize] as u32);
    }
    for i in 0..(w * h) as i32 {
        edge += if b[i as usize] < 0.0 {
            -b[i as usize]
        } else {
            b[i as usize]
        };
    }
    println!("{} {} {}", check, out[77], c::general(edge as f64, 6));
    drop(img);
    drop(out);
    drop(a);
    drop(b);
}

//! Translated by acc2rs from `hough_lines.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

const H: i32 = 30;
const NT: i32 = 45;
const W: i32 = 40;

/// Counts into `acc`, the loop at hough_lines.c:23:3.
#[offload(histogram)]
fn count_acc(img: &[u8], cosine: &[f32], sine: &[f32], nr: i32, acc: &mut [i32]) {
    for y in 0_i32..H {
        for x in 0_i32..W {
            if img[y as usize * W as usize + x as usize] == 0 {
                continue;
            }
            for t in 0..NT as usize {
                let r: i32 = (x as f32 * cosine[t] + y as f32 * sine[t]).round() as i32 + nr;
                acc[t * (2 * nr as usize + 1) + r as usize] += 1;
            }
        }
    }
}

fn main() {
    let mut img: Vec<u8> = vec![0_u8; (W * H) as usize];
    let nr: i32 = ((W * W + H * H) as f64).sqrt().ceil() as i32;
    let mut acc: Vec<i32> = vec![0_i32; NT as usize * (2 * nr + 1) as usize];
    let mut cosine: [f32; 45] = [0.0; NT as usize];
    let mut sine: [f32; 45] = [0.0; NT as usize];
    for x in 0..W {
        let y: i32 = x / 2 + 4;
        if y < H {
            img[(y * W + x) as usize] = 255;
        }
    }
    for t in 0..NT {
        cosine[t as usize] = (t as f32 * 3.1415927 / NT as f32).cos();
        sine[t as usize] = (t as f32 * 3.1415927 / NT as f32).sin();
    }
    count_acc(&img, &cosine, &sine, nr, &mut acc);
    let mut best: i32 = 0;
    for i in 1..NT * (2 * nr + 1) {
        if acc[i as usize] > acc[best as usize] {
            best = i;
        }
    }
    println!(
        "theta {}, rho {}, votes {}",
        best / (2 * nr + 1),
        best % (2 * nr + 1) - nr,
        acc[best as usize]
    );
    drop(img);
    drop(acc);
}

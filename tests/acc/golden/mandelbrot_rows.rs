//! Translated by acc2rs from `mandelbrot_rows.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, non_upper_case_globals, unused_assignments)]

use accrue::offload;

const HEIGHT: i32 = 32;
const MAX_ITERS: i32 = 80;
const WIDTH: i32 = 48;

// The Mandelbrot set in blocks of rows, with async queues, and a histogram of the counts.
const xmin: f64 = -1.7;
const xmax: f64 = 0.5;
const ymin: f64 = -1.2;
const ymax: f64 = 1.2;

/// Sets `image`, the loop at mandelbrot_rows.c:33:5.
#[offload]
fn fill_image(start: i32, end: i32, image: &mut [u8]) {
    for y in start..end {
        for x in 0_i32..WIDTH {
            image[y as usize * WIDTH as usize + x as usize] = mandelbrot(x, y);
        }
    }
}

/// Counts into `hist`, the loop at mandelbrot_rows.c:42:3.
#[offload(histogram)]
fn count_hist(image: &[u8], hist: &mut [i32]) {
    for i in 0..(WIDTH * HEIGHT) as usize {
        hist[image[i] as usize] += 1;
    }
}

fn mandelbrot(Px: i32, Py: i32) -> u8 {
    let x0: f64 = xmin + Px as f64 * ((xmax - xmin) / WIDTH as f64);
    let y0: f64 = ymin + Py as f64 * ((ymax - ymin) / HEIGHT as f64);
    let mut x: f64 = 0.0;
    let mut y: f64 = 0.0;
    let mut i: i32 = 0;
    i = 0;
    while x * x + y * y < 4.0 && i < MAX_ITERS {
        let xtemp: f64 = x * x - y * y + x0;
        y = 2.0 * x * y + y0;
        x = xtemp;
        i += 1;
    }
    (255.0 * i as f64 / MAX_ITERS as f64) as i32 as u8
}

fn main() {
    let mut image: Vec<u8> = vec![0_u8; WIDTH as usize * 32];
    let mut hist: [i32; 256] = [0; 256];
    let num_blocks: i32 = 4;
    let block_size: i32 = HEIGHT / num_blocks;
    for block in 0..num_blocks {
        let start: i32 = block * block_size;
        let end: i32 = start + block_size;
        fill_image(start, end, &mut image);
    }
    count_hist(&image, &mut hist);
    let inside: i32 = hist[255];
    let mut fast: i32 = 0;
    for v in 0..12 {
        fast += hist[v];
    }
    println!(
        "{} inside, {} fast, {}",
        inside,
        fast,
        image[(WIDTH * HEIGHT / 2 + WIDTH / 2) as usize]
    );
    drop(image);
}

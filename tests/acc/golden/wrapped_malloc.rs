//! Translated by acc2rs from `wrapped_malloc.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

/// Counts into `hist`, the loop at wrapped_malloc.c:51:3.
#[offload(histogram)]
fn count_hist(levels: &[Vec<u8>], rows: i32, cols: i32, hist: &mut [i32]) {
    for i in 0..rows {
        for j in 0..cols {
            hist[(levels[i as usize][j as usize] as i32 / 16) as usize] += 1;
        }
    }
}

fn table(rows: i32, cols: i32) -> Vec<Vec<f64>> {
    let mut m: Vec<Vec<f64>> = vec![Vec::new(); rows as usize];
    m[0] = vec![0.0_f64; (rows * cols) as usize];
    for i in 1..rows {
        m[i as usize] = vec![0.0_f64; cols as usize];
    }
    m
}

fn main() {
    let rows: i32 = 12;
    let cols: i32 = 40;
    let bins: i32 = 16;
    let mut hist: Vec<i32> = vec![0_i32; bins as usize];
    let block: Vec<f32> = vec![0.0_f32; (rows * cols) as usize];
    let mut view: Vec<Vec<f32>> = vec![Vec::new(); rows as usize];
    let mut levels: Vec<Vec<u8>> = vec![Vec::new(); rows as usize];
    let mut m: Vec<Vec<f64>> = table(rows, cols);
    let mut total: f64 = 0.0;
    for b in 0..bins {
        hist[b as usize] = 0;
    }
    for i in 0..rows {
        view[i as usize] = vec![0.0_f32; cols as usize];
        levels[i as usize] = vec![0_u8; cols as usize];
        for j in 0..cols {
            m[i as usize][j as usize] = ((i * 31 + j * 7) % 97) as f64;
            view[i as usize][j as usize] = (0.5 * m[i as usize][j as usize]) as f32;
            levels[i as usize][j as usize] = (3 * i + 5 * j) as u8;
        }
    }
    count_hist(&levels, rows, cols, &mut hist);
    for i in 0..rows {
        for j in 0..cols {
            total +=
                m[i as usize][j as usize] + view[i as usize][j as usize] as f64 + m[0][j as usize];
        }
    }
    print!(
        "{} {}:",
        c::general(total, 6),
        c::prefixed("0x", &format!("{:x}", hist[0]))
    );
    for b in 0..bins {
        print!(" {}", hist[b as usize]);
    }
    println!();
    for i in 0..rows {
        levels[i as usize] = Vec::new();
    }
    drop(levels);
    drop(view);
    drop(block);
    m[0] = Vec::new();
    drop(m);
    drop(hist);
}

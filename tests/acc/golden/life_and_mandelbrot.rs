//! Translated by acc2rs from `life_and_mandelbrot.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

const COLS: i32 = 24;
const MAXITER: i32 = 60;
const ROWS: i32 = 20;

/// The variables that C keeps outside functions.
struct Globals {
    grid: [[[i32; 24]; 20]; 2],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            grid: [[[0; 24]; 20]; 2],
        }
    }
}

/// Counts into `hist`, the loop at life_and_mandelbrot.c:50:3.
#[offload(histogram)]
fn count_hist(hist: &mut [i32]) {
    for y in 0..40 {
        for x in 0..60 {
            let k: i32 = escape(-2.0 + 3.0 * x as f64 / 60.0, -1.0 + 2.0 * y as f64 / 40.0);
            hist[k as usize] += 1;
        }
    }
}

fn neighbours(g: &[[i32; 24]], r: i32, c_: i32) -> i32 {
    let mut n: i32 = 0;
    for i in -1..=1 {
        for j in -1..=1 {
            if i != 0 || j != 0 {
                n += g[((r + i + ROWS) % ROWS) as usize][((c_ + j + COLS) % COLS) as usize];
            }
        }
    }
    n
}

fn escape(cx: f64, cy: f64) -> i32 {
    let mut zx: f64 = 0.0;
    let mut zy: f64 = 0.0;
    let mut it: i32 = 0;
    while zx * zx + zy * zy < 4.0 && it < MAXITER {
        let t: f64 = zx * zx - zy * zy + cx;
        zy = 2.0 * zx * zy + cy;
        zx = t;
        it += 1;
    }
    it
}

fn main() {
    let mut globals = Globals::new();
    for r in 0..ROWS {
        for c_ in 0..COLS {
            globals.grid[0][r as usize][c_ as usize] = i32::from((r * 7 + c_ * 11) % 3 == 0);
        }
    }
    let mut now: i32 = 0;
    for _ in 0..8 {
        // In order: two iterations may write the same element, `grid[1 - now as usize][r as
        // usize][c_ as usize]` [accrue::H057].
        for r in 0..ROWS {
            for c_ in 0..COLS {
                let n: i32 = neighbours(&globals.grid[now as usize], r, c_);
                globals.grid[(1 - now) as usize][r as usize][c_ as usize] = i32::from(
                    n == 3 || n == 2 && globals.grid[now as usize][r as usize][c_ as usize] != 0,
                );
            }
        }
        now = 1 - now;
    }
    let mut alive: i32 = 0;
    for r in 0..ROWS as usize {
        for c_ in 0..COLS as usize {
            alive += globals.grid[now as usize][r][c_];
        }
    }
    let mut hist: Vec<i32> = vec![0_i32; (MAXITER + 1) as usize];
    count_hist(&mut hist);
    println!(
        "{} alive, {} inside, {} fast",
        alive,
        hist[MAXITER as usize],
        hist[1] + hist[2]
    );
    drop(hist);
}

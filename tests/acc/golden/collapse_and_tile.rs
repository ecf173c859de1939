//! Translated by acc2rs from `collapse_and_tile.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

const N: i32 = 30;

/// The variables that C keeps outside functions.
struct Globals {
    main_grid: [[i32; 30]; 30],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            main_grid: [[0; 30]; N as usize],
        }
    }
}

/// Sets `main_grid`, the loop at collapse_and_tile.c:10:3.
#[offload]
fn fill_main_grid(main_grid: &mut [[i32; 30]]) {
    for i in 0_i32..N {
        for j in 0_i32..N {
            main_grid[i as usize][j as usize] = i * j % 9;
        }
    }
}

/// Counts into `hist`, updates `rows`, the loop at collapse_and_tile.c:14:3.
#[offload(histogram)]
fn count_hist(main_grid: &[[i32; 30]], rows: &mut [i32], hist: &mut [i32]) {
    for i in 0..N as usize {
        for j in 0..N as usize {
            rows[i] += main_grid[i][j];
            hist[main_grid[i][j] as usize] += 1;
        }
    }
}

fn main() {
    let mut globals = Globals::new();
    let mut rows: [i32; 30] = [0; N as usize];
    let mut hist: [i32; 9] = [0; 9];
    for i in 0..N as usize {
        rows[i] = 0;
    }
    for i in 0..9 {
        hist[i] = 0;
    }
    fill_main_grid(&mut globals.main_grid);
    count_hist(&globals.main_grid, &mut rows, &mut hist);
    let mut s: i32 = 0;
    for i in (0..N).rev() {
        s = s * 3 + rows[i as usize] % 5;
    }
    for i in (0..9).step_by(2) {
        print!("{} ", hist[i]);
    }
    println!("{}", s);
}

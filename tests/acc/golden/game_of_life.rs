//! Translated by acc2rs from `game_of_life.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

const COLS: i32 = 22;
const ROWS: i32 = 18;

/// Sets `new`, adds into `alive`, the loop at game_of_life.c:11:3.
#[offload]
fn compute_new(old: &[i32], rows: i32, cols: i32, mut alive: i32, new: &mut [i32]) -> i32 {
    for r in 0..rows {
        for c_ in 0..cols {
            let mut n: i32 = 0;
            for dr in -1..=1 {
                for dc in -1..=1 {
                    if dr != 0 || dc != 0 {
                        n += old[((r + dr + rows) % rows) as usize * cols as usize
                            + ((c_ + dc + cols) % cols) as usize];
                    }
                }
            }
            let lives: i32 =
                i32::from(n == 3 || n == 2 && old[r as usize * cols as usize + c_ as usize] != 0);
            new[r as usize * cols as usize + c_ as usize] = lives;
            alive += lives;
        }
    }
    alive
}

// Life on a torus: two boards that change places, and the number of cells alive.
fn step(old: &[i32], new: &mut [i32], rows: i32, cols: i32) -> i32 {
    let mut alive: i32 = 0;
    alive = compute_new(old, rows, cols, alive, new);
    alive
}

fn main() {
    let mut a: Vec<i32> = vec![0_i32; (ROWS * COLS) as usize];
    let mut b: Vec<i32> = vec![0_i32; (ROWS * COLS) as usize];
    let mut alive: i32 = 0;
    for i in 0..ROWS * COLS {
        a[i as usize] = i32::from((i * i + 3 * i) % 7 < 3);
    }
    for t in 0..9 {
        alive = step(&a, &mut b, ROWS, COLS);
        std::mem::swap(&mut a, &mut b);
        if t % 4 == 0 {
            println!("{}: {}", t, alive);
        }
    }
    for c_ in 0..COLS as usize {
        print!(
            "{}",
            char::from(if a[(3 * COLS) as usize + c_] != 0 {
                b'#'
            } else {
                b'.'
            })
        );
    }
    println!("\n{}", alive);
    drop(a);
    drop(b);
}

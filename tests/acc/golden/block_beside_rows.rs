//! Translated by acc2rs from `block_beside_rows.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

/// Updates `block`, the loop at block_beside_rows.c:14:5.
#[offload]
fn update_block(n: i32, m: i32, block: &mut [f64]) {
    for i in 0..n {
        for j in 0..m {
            block[i as usize * m as usize + j as usize] += (i * 10 + j) as f64;
        }
    }
}

// A table of rows in a block that is also used by its own name; rows of it are passed on.
fn fill(p: &mut [f64], n: i32, v: f64) {
    for i in 0..n {
        p[i as usize] = v;
    }
}

fn main() {
    let n: i32 = 16;
    let m: i32 = 8;
    let mut block: Vec<f64> = vec![0.0_f64; (n * m) as usize];
    for _ in 0..n {}
    fill(&mut block, n * m, 2.0);
    update_block(n, m, &mut block);
    let mut s: f64 = 0.0;
    for i in 0..n {
        for j in 0..m {
            s += block[(i * m + j) as usize];
        }
    }
    block[..m as usize].fill(0.0);
    println!(
        "{:.3} {:.3} {:.3}",
        c::Float(s),
        c::Float(block[(0 * m + 3) as usize]),
        c::Float(block[(15 * m + 7) as usize])
    );
    drop(block);
}

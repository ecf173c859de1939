//! Translated by acc2rs from `atomic_kinds.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const DRAWERS: i32 = 12;
const PEOPLE: i32 = 480;
const groups: i32 = PEOPLE;

/// Multiplies into `factor`, the loop at atomic_kinds.c:20:13.
#[offload(histogram)]
fn multiply_factor(share: &[f64], factor: &mut [f64]) {
    for p in 0_i32..groups {
        factor[(p % (groups / 16 + 1)) as usize] *= share[p as usize];
    }
}

/// Combines bits into `worn`, the loop at atomic_kinds.c:37:5.
#[offload(histogram)]
fn or_worn(worn: &mut [u32]) {
    for p in 0_i32..groups {
        worn[(p % DRAWERS) as usize] |= 1_u32 << p % 19;
    }
}

fn products(share: &[f64]) -> i32 {
    let cells: i32 = groups / 16 + 1;
    let mut wrong: i32 = 0;
    let mut factor: Vec<f64> = vec![0.0_f64; cells as usize];
    let mut check: Vec<f64> = vec![0.0_f64; cells as usize];
    for c_ in 0..cells {
        check[c_ as usize] = 1.0;
        factor[c_ as usize] = check[c_ as usize];
    }
    multiply_factor(share, &mut factor);
    for p in 0..groups {
        check[(p % cells) as usize] *= share[p as usize];
    }
    for c_ in 0..cells {
        wrong += i32::from((factor[c_ as usize] - check[c_ as usize]).abs() > 1e-9);
    }
    drop(factor);
    drop(check);
    wrong
}

fn badges() -> i32 {
    let mut worn: [u32; 12] = [0; 12];
    let mut bare: i32 = 0;
    or_worn(&mut worn);
    for d in 0..DRAWERS as usize {
        bare += i32::from(worn[d] == 0);
    }
    bare
}

fn tickets() -> i32 {
    let mut taken: Vec<i32> = vec![0_i32; DRAWERS as usize];
    let mut mine: Vec<i32> = vec![0_i32; groups as usize];
    let mut last: Vec<i32> = vec![0_i32; groups as usize];
    let mut wrong: i32 = 0;
    // In order: `taken[(p % DRAWERS) as usize]` is written here, and another iteration may read
    // the same element as `taken[(p % DRAWERS) as usize]` [accrue::H057].
    for p in 0..groups {
        mine[p as usize] = {
            let old = taken[(p % DRAWERS) as usize];
            taken[(p % DRAWERS) as usize] += 1;
            old
        };
    }
    for p in 0..groups {
        wrong += i32::from(mine[p as usize] < 0 || mine[p as usize] > groups / DRAWERS);
    }
    // In order: `taken[(p % DRAWERS) as usize]` is written here, and another iteration may read
    // the same element as `taken[(p % DRAWERS) as usize]` [accrue::H057].
    for p in 0..groups {
        {
            last[p as usize] = taken[(p % DRAWERS) as usize];
            taken[(p % DRAWERS) as usize] -= 1;
        }
    }
    for d in 0..DRAWERS as usize {
        wrong += i32::from(taken[d] != 0);
    }
    for p in 0..groups {
        wrong += i32::from(last[p as usize] <= 0);
    }
    drop(taken);
    drop(mine);
    drop(last);
    wrong
}

fn main() -> ExitCode {
    let mut share: Vec<f64> = vec![0.0_f64; groups as usize];
    for p in 0..groups {
        share[p as usize] = 0.5 + (p as f64).cos().abs();
    }
    let a: i32 = products(&share);
    let b: i32 = badges();
    let c_: i32 = tickets();
    println!("{} {} {}", a, b, c_);
    drop(share);
    ExitCode::from((a + b + c_) as u8)
}

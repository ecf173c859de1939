//! Translated by acc2rs from `joint_2d.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const H: i32 = 32;
const LEVELS: i32 = 16;
const W: i32 = 48;

/// The variables that C keeps outside functions.
struct Globals {
    a: [[u8; 48]; 32],
    b: [[u8; 48]; 32],
    joint: [[i32; 16]; 16],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            a: [[0; 48]; H as usize],
            b: [[0; 48]; H as usize],
            joint: [[0; 16]; LEVELS as usize],
        }
    }
}

/// Counts into `joint`, the loop at joint_2d.c:18:3.
#[offload(histogram)]
fn count_joint(a: &[[u8; 48]], b: &[[u8; 48]], joint: &mut [[i32; 16]]) {
    for y in 0..H as usize {
        for x in 0..W as usize {
            let i: i32 = a[y][x] as i32 / (256 / LEVELS);
            let j: i32 = b[y][x] as i32 >> 4;
            joint[i as usize][j as usize] += 1;
        }
    }
}

// The joint histogram of two images, as image registration needs it.
fn main() -> ExitCode {
    let mut globals = Globals::new();
    for y in 0..H {
        for x in 0..W {
            globals.a[y as usize][x as usize] = (x * y + x & 255) as u8;
            globals.b[y as usize][x as usize] = (x * 3 + y * 5 & 255) as u8;
        }
    }
    count_joint(&globals.a, &globals.b, &mut globals.joint);
    let mut total: i32 = 0;
    let mut most: i32 = 0;
    for i in 0..LEVELS as usize {
        for j in 0..LEVELS as usize {
            total += globals.joint[i][j];
            if globals.joint[i][j] > most {
                most = globals.joint[i][j];
            }
        }
    }
    println!("{} pairs, at most {} in a bin", total, most);
    ExitCode::from(i32::from(total != W * H) as u8)
}

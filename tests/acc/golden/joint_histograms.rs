//! Translated by acc2rs from `joint_histograms.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const D: i32 = 9;
const H: i32 = 20;
const N: i32 = 24 * 20 * 9;
const W: i32 = 24;

/// The variables that C keeps outside functions.
struct Globals {
    of_ct: [u32; 256],
    of_mr: [u32; 256],
    joint: Vec<[u32; 256]>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            of_ct: [0; 256],
            of_mr: [0; 256],
            joint: vec![[0; 256]; 256],
        }
    }
}

/// Counts into `of_ct` and `of_mr` and `joint`, the loop at joint_histograms.c:42:3.
#[offload(histogram)]
fn count_of_ct(
    ct: &[u8],
    mr: &[u8],
    of_ct: &mut [u32],
    of_mr: &mut [u32],
    joint: &mut [[u32; 256]],
) {
    for i in 0..N as usize {
        let a: i32 = ct[i] as i32;
        let b: i32 = mr[i] as i32;
        of_ct[a as usize] += 1;
        of_mr[b as usize] += 1;
        joint[a as usize][b as usize] += 1;
    }
}

fn entropy(counts: &[u32], bins: i32) -> f64 {
    let mut bits: f64 = 0.0;
    for i in 0..bins {
        if counts[i as usize] > 0 {
            let share: f64 = counts[i as usize] as f64 / N as f64;
            bits -= share * share.log2();
        }
    }
    bits
}

// A ball inside a ball, darker or lighter than what surrounds it, moved along x.
fn head(voxels: &mut [u8], shift: i32, out: i32, bone: i32, brain: i32) {
    for z in 0..D {
        for y in 0..H {
            for x in 0..W {
                let dx: i32 = 2 * (x - shift) - W;
                let dy: i32 = 2 * y - H;
                let dz: i32 = 4 * z - 2 * D;
                let far: i32 = dx * dx + dy * dy + dz * dz;
                let value: i32 = if far > 360 {
                    out
                } else if far > 250 {
                    bone
                } else {
                    brain
                };
                voxels[((z * H + y) * W + x) as usize] =
                    (value + (x * 7 + y * 3 + z * 5) % 4) as u8;
            }
        }
    }
}

fn mutual_information(globals: &mut Globals, ct: &[u8], mr: &[u8]) -> f64 {
    for i in 0..256 {
        globals.of_ct[i] = 0;
        globals.of_mr[i] = 0;
        for j in 0..256 {
            globals.joint[i][j] = 0;
        }
    }
    count_of_ct(
        ct,
        mr,
        &mut globals.of_ct,
        &mut globals.of_mr,
        &mut globals.joint,
    );
    entropy(&globals.of_ct, 256) + entropy(&globals.of_mr, 256)
        - entropy(globals.joint.as_flattened(), 256 * 256)
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let mut ct: Vec<u8> = vec![0_u8; (24 * 20) as usize * 9];
    let mut mr: Vec<u8> = vec![0_u8; (24 * 20) as usize * 9];
    let mut best: i32 = 0;
    let mut most: f64 = -1.0;
    head(&mut ct, 0, 2, 240, 120);
    for shift in -3..=3 {
        head(&mut mr, shift - 1, 4, 20, 160);
        let bits: f64 = mutual_information(&mut globals, &ct, &mr);
        println!("shift {:2}: {:.6} bits", shift, c::Float(bits));
        if bits > most {
            most = bits;
            best = shift;
        }
    }
    println!("best at {}", best);
    drop(ct);
    drop(mr);
    ExitCode::from(i32::from(best != 1) as u8)
}

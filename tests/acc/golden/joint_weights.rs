//! Translated by acc2rs from `joint_weights.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const K: i32 = 6;
const LENGTH: i32 = 31;
const WORDS: i32 = 1 << 6;

/// The variables that C keeps outside functions.
struct Globals {
    joint: Vec<[[u64; 32]; 32]>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            joint: vec![[[0; 32]; 32]; 32],
        }
    }
}

/// Counts into `joint`, the loop at joint_weights.c:58:3.
#[offload(histogram)]
fn count_joint(words: &[u32], joint: &mut [[[u64; 32]; 32]]) {
    for i in 0..WORDS as usize {
        for j in 0..WORDS as usize {
            let a: i32 = weight(words[i]);
            let b: i32 = weight(words[j]);
            let both: i32 = weight(words[i] & words[j]);
            joint[a as usize][b as usize][both as usize] += 1;
        }
    }
}

fn weight(mut word: u32) -> i32 {
    word = word.wrapping_sub(word >> 1 & 0x55555555);
    word = (word & 0x33333333).wrapping_add(word >> 2 & 0x33333333);
    word = word.wrapping_add(word >> 4) & 0xf0f0f0f;
    (word.wrapping_mul(0x1010101) >> 24) as i32
}

// The generator of degree 25: the product of the minimal polynomials of a, a^3, .. a^11 over GF(32).
fn generator() -> u32 {
    let mut power: [u32; 31] = [0; LENGTH as usize];
    let mut roots: u32 = 0;
    let mut product: [u32; 32] = [
        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0,
    ];
    let mut log: [i32; 32] = [0; 32];
    let mut degree: i32 = 0;
    {
        let mut e: u32 = 1;
        let mut i: u32 = 0;
        while i < LENGTH as u32 {
            power[i as usize] = e;
            log[e as usize] = i as i32;
            e <<= 1;
            if e & 32 != 0 {
                e ^= 37;
            }
            i += 1;
        }
    }
    for first in (1..=11).step_by(2) {
        let mut e: i32 = first;
        while roots >> e & 1 == 0 {
            roots |= 1_u32 << e;
            for i in (1..=degree + 1).rev() {
                let times: u32 = if product[i as usize] == 0 {
                    0_u32
                } else {
                    power[((log[product[i as usize] as usize] + e) % LENGTH) as usize]
                };
                product[i as usize] = product[(i - 1) as usize] ^ times;
            }
            product[0] = if product[0] == 0 {
                0_u32
            } else {
                power[((log[product[0] as usize] + e) % LENGTH) as usize]
            };
            degree += 1;
            e = 2 * e % LENGTH;
        }
    }
    let mut bits: u32 = 0;
    for i in 0..=degree {
        bits |= product[i as usize] << i;
    }
    println!("degree {}, generator {:08x}", degree, bits);
    bits
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let g: u32 = generator();
    let mut words: Vec<u32> = vec![0_u32; WORDS as usize];
    let mut pairs: u64 = 0;
    let mut unlike: u64 = 0;
    for i in 0..WORDS {
        words[i as usize] = 0;
        for bit in 0..K {
            if i >> bit & 1 != 0 {
                words[i as usize] ^= g << bit;
            }
        }
    }
    count_joint(&words, &mut globals.joint);
    for i in 0..32 {
        for j in 0..32 {
            for l in 0..32 {
                let count: u64 = globals.joint[i as usize][j as usize][l as usize];
                if count == 0 {
                    continue;
                }
                pairs = pairs.wrapping_add(count);
                println!("{:2} {:2} {:2}: {}", i, j, l, count);
                // The sum of two words has their weights less twice what they have in common.
                if count != globals.joint[i as usize][(i + j - 2 * l) as usize][(i - l) as usize] {
                    unlike += 1;
                }
            }
        }
    }
    println!("{} pairs, {} unlike their sums", pairs, unlike);
    drop(words);
    ExitCode::from(i32::from(unlike != 0) as u8)
}

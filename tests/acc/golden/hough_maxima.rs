//! Translated by acc2rs from `hough_maxima.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

const ANGLES: i32 = 180;
const COLUMNS: i32 = 2 * (96 + 54) + 3;
const H: i32 = 54;
const MIDDLE: i32 = 96 + 54;
const W: i32 = 96;

/// The variables that C keeps outside functions.
struct Globals {
    xs: Vec<i16>,
    ys: Vec<i16>,
    votes: Vec<i32>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            xs: vec![0_i16; (W * H) as usize],
            ys: vec![0_i16; (W * H) as usize],
            votes: vec![0_i32; ((ANGLES + 2) * COLUMNS) as usize],
        }
    }
}

/// Counts into `votes`, the loop at hough_maxima.c:38:5.
#[offload(histogram)]
fn count_votes(xs: &[i16], cosines: &[f64], ys: &[i16], sines: &[f64], n: i32, votes: &mut [i32]) {
    for i in 0..n {
        for t in 0..ANGLES as usize {
            let r: i32 = (xs[i as usize] as f64 * cosines[t]
                + ys[i as usize] as f64 * sines[t]
                + MIDDLE as f64
                + 0.5) as i32;
            votes[(t + 1) * COLUMNS as usize + r as usize + 1] += 1;
        }
    }
}

/// Sets `highest`, the loop at hough_maxima.c:45:5.
#[offload]
fn compute_highest(votes: &[i32], highest: &mut [u8]) {
    for t in 0_i32..ANGLES {
        for r in 0_i32..COLUMNS - 2 {
            let at: i32 = (t + 1) * COLUMNS + r + 1;
            let own: i32 = votes[at as usize];
            highest[t as usize * COLUMNS as usize + r as usize] = i32::from(
                own > 25
                    && own > votes[at as usize - 1]
                    && own >= votes[at as usize + 1]
                    && own > votes[at as usize - COLUMNS as usize]
                    && own >= votes[at as usize + COLUMNS as usize],
            ) as u8;
        }
    }
}

fn edges(globals: &mut Globals) -> i32 {
    let mut n: i32 = 0;
    for y in 0..H {
        for x in 0..W {
            if x == 20 || y == 2 * x / 5 + 7 || x + y == 110 {
                globals.xs[n as usize] = x as i16;
                globals.ys[n as usize] = y as i16;
                n += 1;
            }
        }
    }
    n
}

fn main() {
    let mut globals = Globals::new();
    let mut cosines: [f64; 180] = [0.0; ANGLES as usize];
    let mut sines: [f64; 180] = [0.0; ANGLES as usize];
    let mut highest: Vec<u8> = vec![0_u8; (ANGLES * COLUMNS) as usize];
    let n: i32 = edges(&mut globals);
    for t in 0..ANGLES {
        cosines[t as usize] = (t as f64 * 3.141592653589793 / ANGLES as f64).cos();
        sines[t as usize] = (t as f64 * 3.141592653589793 / ANGLES as f64).sin();
    }
    count_votes(
        &globals.xs,
        &cosines,
        &globals.ys,
        &sines,
        n,
        &mut globals.votes,
    );
    compute_highest(&globals.votes, &mut highest);
    for t in 0..ANGLES {
        for r in 0..COLUMNS - 2 {
            if highest[(t * COLUMNS + r) as usize] != 0 {
                println!(
                    "{:3} degrees, distance {:4}: {} votes",
                    t,
                    r - MIDDLE,
                    globals.votes[((t + 1) * COLUMNS + r + 1) as usize]
                );
            }
        }
    }
    drop(highest);
}

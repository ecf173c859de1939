//! Translated by acc2rs from `is_buckets.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const ITERATIONS: i32 = 3;
const MAX_KEY: i32 = 128;
const TOTAL_KEYS: i32 = 2048;

/// The variables that C keeps outside functions.
struct Globals {
    key_array: [i32; 2048],
    key_buff: [i32; 128],
    rank_of: [i32; 2048],
    passed_verification: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            key_array: [0; TOTAL_KEYS as usize],
            key_buff: [0; MAX_KEY as usize],
            rank_of: [0; TOTAL_KEYS as usize],
            passed_verification: 0,
        }
    }
}

/// Counts into `key_buff`, the loop at is_buckets.c:34:3.
#[offload(histogram)]
fn count_key_buff(key_array: &[i32], key_buff: &mut [i32]) {
    for i in 0..TOTAL_KEYS as usize {
        key_buff[key_array[i] as usize] += 1;
    }
}

fn randlc(x: &mut f64, a: f64) -> f64 {
    let s: i64 = *x as i64 * a as i64 % 2147483647;
    *x = s as f64;
    s as f64 / 2147483647.0
}

fn create_seq(globals: &mut Globals, mut seed: f64, a: f64) {
    for i in 0..TOTAL_KEYS as usize {
        let mut x: f64 = randlc(&mut seed, a);
        x += randlc(&mut seed, a);
        x += randlc(&mut seed, a);
        x += randlc(&mut seed, a);
        globals.key_array[i] = ((MAX_KEY / 4) as f64 * x) as i32;
    }
}

fn rank(globals: &mut Globals, iteration: i32) {
    globals.key_array[iteration as usize] = iteration;
    globals.key_array[(iteration + ITERATIONS) as usize] = MAX_KEY - 1 - iteration;
    for i in 0..MAX_KEY as usize {
        globals.key_buff[i] = 0;
    }
    count_key_buff(&globals.key_array, &mut globals.key_buff);
    for i in 0..(MAX_KEY - 1) as usize {
        globals.key_buff[i + 1] += globals.key_buff[i];
    }
}

fn full_verify(globals: &mut Globals) {
    let mut j: i32 = 0;
    for i in (0..TOTAL_KEYS).rev() {
        globals.rank_of[i as usize] = {
            globals.key_buff[globals.key_array[i as usize] as usize] -= 1;
            globals.key_buff[globals.key_array[i as usize] as usize]
        };
    }
    let mut sorted: [i32; 2048] = [0; TOTAL_KEYS as usize];
    for i in 0..TOTAL_KEYS as usize {
        sorted[globals.rank_of[i] as usize] = globals.key_array[i];
    }
    for i in 1..TOTAL_KEYS as usize {
        if sorted[i - 1] > sorted[i] {
            j += 1;
        }
    }
    if j != 0 {
        println!("Full_verify: number of keys out of sort: {}", j);
    } else {
        globals.passed_verification += 1;
    }
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    create_seq(&mut globals, 314159265.0, 16807.0);
    for it in 1..=ITERATIONS {
        rank(&mut globals, it);
        println!(
            "iteration {}: {}",
            it,
            globals.key_buff[(MAX_KEY / 2) as usize]
        );
    }
    full_verify(&mut globals);
    println!(
        "{}",
        if globals.passed_verification == 1 {
            "VERIFIED"
        } else {
            "FAILED"
        }
    );
    ExitCode::from(i32::from(globals.passed_verification != 1) as u8)
}

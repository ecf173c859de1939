//! Translated by acc2rs from `numbers_from_text.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

/// Adds into `h`, the loop at numbers_from_text.c:12:3.
#[offload(histogram)]
fn sum_h(n: i32, mask: i64, b: i32, h: &mut [i32]) {
    for i in 0..n {
        h[(i * 7 % b) as usize] += (i as i64 & mask) as i32;
    }
}

// Numbers read from text, in several bases, as programs read their arguments.
fn main() -> ExitCode {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let size: &str = if argc > 1 { argv[1] } else { "0x40" };
    let bins: &str = if argc > 2 { argv[2] } else { "010" };
    let n: i32 = c::strtol(size, 0) as i32;
    let b: i32 = c::strtol(bins, 0) as i32;
    let mut h: [i32; 64] = [0; 64];
    let mask: i64 = c::strtol("ff", 16);
    let bits: i64 = c::strtol("-1011", 2);
    h[..64].fill(0);
    sum_h(n, mask, b, &mut h);
    println!(
        "{} {} {} {} {}",
        n,
        b,
        mask,
        bits,
        c::general(c::atof(" 2.5e1x"), 6)
    );
    for i in 0..b {
        print!(
            "{}{}",
            h[i as usize],
            char::from(if i + 1 < b { b' ' } else { b'\n' })
        );
    }
    ExitCode::from(i32::from(n != 64 || b != 8) as u8)
}

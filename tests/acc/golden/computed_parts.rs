//! Translated by acc2rs from `computed_parts.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const FINEST: i32 = 64;
const LEVELS: i32 = 4;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Anonymous5 {
    name: &'static str,
    look: i32,
}

static probes: [Anonymous5; 2] = [
    Anonymous5 {
        name: "total",
        look: 1,
    },
    Anonymous5 {
        name: "highest",
        look: 2,
    },
];

/// The variables that C keeps outside functions.
struct Globals {
    first: [i32; 5],
    size: [i32; 4],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            first: [0; (LEVELS + 1) as usize],
            size: [0; LEVELS as usize],
        }
    }
}

/// Updates `whole`, the loop at computed_parts.c:32:3.
#[offload]
fn update_whole(n: i32, fine: usize, coarse: usize, whole: &mut [i32]) {
    for i in 0..n {
        whole[coarse + i as usize] =
            whole[fine + 2 * i as usize] + whole[fine + (2 * i as usize + 1)];
    }
}

/// Counts into `pyramid`, the loop at computed_parts.c:78:3.
#[offload(histogram)]
fn count_pyramid(bytes: &[u8], pyramid: &mut [i32]) {
    for i in 0..(FINEST * 8) as usize {
        pyramid[(bytes[i] as i32 % FINEST) as usize] += 1;
    }
}

fn total(level: &[i32], range: &[i32]) -> i32 {
    let mut sum: i32 = 0;
    for i in range[0]..range[1] {
        sum += level[i as usize];
    }
    sum
}

fn highest(level: &[i32], range: &[i32]) -> i32 {
    let mut best: i32 = level[range[0] as usize];
    for i in range[0]..range[1] {
        best = best.max(level[i as usize]);
    }
    best
}

fn halve_within(whole: &mut [i32], fine_at: usize, n: i32, coarse_at: usize) {
    let fine: usize = fine_at;
    let coarse: usize = coarse_at;
    update_whole(n, fine, coarse, whole);
}

fn spread_within(whole_: &mut [i32], coarse_at_: usize, n: i32, fine_at_: usize) {
    let coarse: usize = coarse_at_;
    let fine: usize = fine_at_;
    // In order: `whole_[fine + i as usize]` is written here, and another iteration may read the
    // same element as `whole_[coarse + (i / 2) as usize]` [accrue::H057].
    for i in 0..2 * n {
        whole_[fine + i as usize] += whole_[coarse + (i / 2) as usize] % 7;
    }
}

// Letters of a seeded sequence; the caller takes them as bytes.
fn letters(n: i32) -> Vec<i8> {
    let mut text: Vec<i8> = vec![0_i8; n as usize + 1];
    let mut state: u32 = 2463534242;
    if text.is_empty() {
        return Vec::new();
    }
    for i in 0..n {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        text[i as usize] = (b'a' as i32 as u32).wrapping_add(state % 26) as i8;
    }
    text[n as usize] = 0 as i8;
    text
}

fn bits_of(mut value: i32, out: &mut [i8]) {
    let mut digits: [i8; 33] = [0; 33];
    let mut n: i32 = 0;
    while value > 0 {
        digits[n as usize] = (b'0' as i32 + value % 2) as i8;
        n += 1;
        value /= 2;
    }
    digits[n as usize] = 0 as i8;
    for i in 0..n / 2 {
        let c_: i8 = digits[i as usize];
        digits[i as usize] = digits[(n - 1 - i) as usize];
        digits[(n - 1 - i) as usize] = c_;
    }
    {
        let text_ = (&(if n != 0 {
            c::text(&digits)
        } else {
            "none".to_string()
        }))
            .to_string();
        c::set_text(out, &text_);
    }
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let bytes: Vec<u8> = letters(FINEST * 8)
        .into_iter()
        .map(|byte| byte as u8)
        .collect::<Vec<u8>>();
    if bytes.is_empty() {
        return ExitCode::FAILURE;
    }
    for k in 0..LEVELS {
        globals.size[k as usize] = FINEST >> k;
        globals.first[(k + 1) as usize] = globals.first[k as usize] + globals.size[k as usize];
    }
    let mut pyramid: Vec<i32> = vec![0_i32; globals.first[LEVELS as usize] as usize];
    count_pyramid(&bytes, &mut pyramid);
    {
        let mut k: i32 = 0;
        while k + 1 < LEVELS {
            halve_within(
                &mut pyramid,
                globals.first[k as usize] as usize,
                globals.size[(k + 1) as usize],
                globals.first[(k + 1) as usize] as usize,
            );
            k += 1;
        }
    }
    for k in (2..LEVELS).rev() {
        spread_within(
            &mut pyramid,
            globals.first[k as usize] as usize,
            globals.size[k as usize],
            globals.first[(k - 1) as usize] as usize,
        );
    }
    spread_within(&mut pyramid, globals.first[1] as usize, globals.size[1], 0);
    for p in 0..size_of::<[Anonymous5; 2]>() / size_of::<Anonymous5>() {
        for k in 0..LEVELS {
            let range: [i32; 2] = [k, globals.size[k as usize]];
            let mut bits: [i8; 33] = [0; 33];
            let value: i32 = call_total_or_other(
                probes[p].look,
                &pyramid[globals.first[k as usize] as usize..],
                &range,
            );
            bits_of(value, &mut bits);
            println!(
                "{:<8} level {}: {} {} {} {}",
                probes[p].name,
                k,
                c::prefixed_filled(6, "0x", &format!("{:x}", value)),
                c::prefixed("0", &format!("{:o}", value)),
                c::prefixed_filled(8, "0X", &format!("{:X}", value % 256)),
                &c::text(&bits)
            );
        }
    }
    println!(
        "{} {}",
        c::prefixed_filled(4, "0x", &format!("{:x}", 0)),
        c::prefixed_filled(4, "0x", &format!("{:x}", 7))
    );
    drop(pyramid);
    drop(bytes);
    ExitCode::SUCCESS
}

fn call_total_or_other(which: i32, level: &[i32], range: &[i32]) -> i32 {
    if which == 1 {
        return total(level, range);
    } else {
        return highest(level, range);
    }
}

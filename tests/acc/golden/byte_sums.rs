//! Translated by acc2rs from `byte_sums.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

mod c;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct timeval {
    tv_sec: i64,
    tv_usec: i64,
}

impl timeval {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> timeval {
        timeval {
            tv_sec: 0,
            tv_usec: 0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    table: [u32; 256],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals { table: [0; 256] }
    }
}

/// Counts into `hist`, the loop at byte_sums.c:39:5.
#[offload(histogram)]
fn count_hist(bytes: &[u8], n: i32, hist: &mut [i32]) {
    for i in 0..n as usize {
        hist[(bytes[i] as i32 >> 5) as usize] += 1;
    }
}

fn make_table(globals: &mut Globals) {
    for n in 0..256 {
        let mut c_: u32 = n;
        for _ in 0..8 {
            c_ = if c_ & 1 != 0 {
                0xedb88320 ^ c_ >> 1
            } else {
                c_ >> 1
            };
        }
        globals.table[n as usize] = c_;
    }
}

fn check_sum(globals: &mut Globals, data: &[u8], mut len: usize) -> u32 {
    let mut p: usize = 0;
    let mut c_: u32 = !0_u32;
    while ({
        let old = len;
        len = len.wrapping_sub(1);
        old
    }) != 0
    {
        c_ = globals.table[((c_ ^ data[p] as u32) & 0xff) as usize] ^ c_ >> 8;
        p += 1;
    }
    !c_
}

fn drawn(n: i32) -> Vec<u8> {
    let mut out: Vec<u8> = vec![0_u8; n as usize];
    for i in 0..n {
        out[i as usize] = (i * 37 + n) as u8;
    }
    out
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let mut tv: timeval = timeval::zeroed();
    let failed: i32 = {
        let now = c::since_epoch();
        tv.tv_sec = now.as_secs() as i64;
        tv.tv_usec = i64::from(now.subsec_micros());
        0
    };
    let mut hist: [i32; 8] = [0; 8];
    make_table(&mut globals);
    println!(
        "{:08x}",
        check_sum(&mut globals, &[49, 50, 51, 52, 53, 54, 55, 56, 57, 0], 9)
    );
    for n in (16..64).step_by(16) {
        let bytes: Vec<u8> = drawn(n);
        println!("{:08x}", check_sum(&mut globals, &bytes, n as usize));
        count_hist(&bytes, n, &mut hist);
        drop(bytes);
    }
    for b in 0..8 {
        print!(
            "{}{}",
            hist[b as usize],
            char::from(if b < 7 { b' ' } else { b'\n' })
        );
    }
    ExitCode::from(failed as u8)
}

//! Translated by acc2rs from `numbers_and_options.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

/// Counts into `hist`, the loop at numbers_and_options.c:53:3.
#[offload(histogram)]
fn count_hist(values: &[i32], n: i32, hist: &mut [i32]) {
    for i in 0..n {
        hist[(values[i as usize] % 4) as usize] += 1;
    }
}

// Numbers with what stands behind them, options in the way of the first C book, formats that a condition chooses.
fn number(arg: &[i8], out: &mut i64) -> i32 {
    let mut end: usize = 0;
    let v: i64 = {
        let text = &c::text(arg);
        end = c::integer_len(text, 0);
        c::strtol(text, 0)
    };
    if end == 0 || arg[end] as i32 != 0 {
        return 0;
    }
    *out = v;
    1
}

fn copy_of(s: &str) -> Vec<i8> {
    let n: usize = s.len() + 1;
    let mut copy: Vec<i8> = vec![0_i8; n];
    if !copy.is_empty() {
        copy[..n].copy_from_slice(&c::c_string(s)[..n]);
    }
    copy
}

fn even(v: i32) -> i32 {
    i32::from(v % 2 == 0)
}

fn small(v: i32) -> i32 {
    i32::from(v < 10)
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let mut argc: i32 = argv.len() as i32;
    let mut argv_at: usize = 0;
    let tries: Vec<&'static str> = vec!["12", "0x1F", "017", "-5x", "", "abc", " +7"];
    let tests: [fn(i32) -> i32; 2] = [even, small];
    let line: [i8; 20] = [
        49, 46, 53, 32, 45, 50, 101, 51, 32, 52, 46, 32, 46, 50, 53, 32, 120, 121, 122, 0,
    ];
    let mut p: usize = 0;
    let mut q: usize = 0;
    let mut hist: [i32; 4] = [0; 4];
    let mut values: [i32; 64] = [0; 64];
    let mut n: i32 = 64;
    let mut found: i32 = 0;
    let mut sum: f64 = 0.0;
    while ({
        argc -= 1;
        argc
    }) > 0
        && c::byte_at(
            argv[{
                argv_at += 1;
                argv_at
            }],
            0,
        ) as i32
            == b'-' as i32
    {
        match c::byte_at(argv[argv_at], 1) as i32 {
            110 => {
                n = c::atol(
                    argv[{
                        argv_at += 1;
                        argv_at
                    }],
                ) as i32;
                argc -= 1;
            }
            _ => {
                println!("unknown option {}", argv[argv_at]);
            }
        }
    }
    for i in 0..7 {
        let mut v: i64 = -1;
        let copy: Vec<i8> = copy_of(tries[i]);
        let ok: i32 = number(&copy, &mut v);
        if ok != 0 {
            println!("{} is {}", tries[i], v);
        } else {
            println!("{} is none, {}", tries[i], v);
        }
        drop(copy);
    }
    loop {
        let x: f64 = {
            let text = &c::text(&line[p..]);
            q = p + c::float_len(text);
            c::atof(text)
        };
        if q == p {
            break;
        }
        sum += x;
        found += 1;
        p = q;
    }
    println!(
        "{} numbers, sum {:.3}, rest '{}'",
        found,
        c::Float(sum),
        &c::text(&line[p..])
    );
    for i in 0..n {
        values[i as usize] = i * 7 % 19;
    }
    count_hist(&values, n, &mut hist);
    for t in 0..2 {
        print!("{} ", (tests[t])(hist[t]));
    }
    println!("{} {} {} {}", hist[0], hist[1], hist[2], hist[3]);
}

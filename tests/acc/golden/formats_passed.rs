//! Translated by acc2rs from `formats_passed.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const MOST: i32 = 8;

// Formats that are parameters, and a found position that nobody wants.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct item {
    key: i32,
    count: i32,
}

impl item {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> item {
        item { key: 0, count: 0 }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    items: [item; 8],
    used: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            items: [item::zeroed(); MOST as usize],
            used: 0,
        }
    }
}

/// Adds into `s`, the loop at formats_passed.c:48:5.
#[offload]
fn sum_s(x: &[f64], mut s: f64) -> f64 {
    for i in 0..6 {
        s += x[i];
    }
    s
}

fn add(globals: &mut Globals, key: i32) -> i64 {
    for i in 0..globals.used {
        if globals.items[i as usize].key == key {
            globals.items[i as usize].count += 1;
            return i as i64;
        }
    }
    if globals.used == MOST {
        std::process::exit(1);
    }
    let new: usize = ({
        let old = globals.used;
        globals.used += 1;
        old
    }) as usize;
    globals.items[new].key = key;
    globals.items[new].count = 1;
    new as i64
}

fn row(format: i32, n: i32, x: &[f64]) {
    for i in 0..n {
        match format {
            0 => {
                print!("{:8.3}", c::Float(x[i as usize]));
            }
            _ => {
                print!(" {}", c::general(x[i as usize], 6));
            }
        }
    }
    println!();
}

// One format only.
fn entry(it: &item) {
    println!("{}: {}", it.key, it.count);
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let mut x: [f64; 6] = [0.0; 6];
    let mut s: f64 = 0.0;
    for i in 0..6 {
        x[i as usize] = i as f64 / 3.0;
    }
    s = sum_s(&x, s);
    row(0, 6, &x);
    row(1, 3, &x);
    row(0, 1, std::slice::from_ref(&s));
    for i in 0..20 {
        add(&mut globals, i * i % 5);
    }
    {
        let mut i: i32 = 0;
        while i < globals.used {
            entry(&globals.items[i as usize]);
            i += 1;
        }
    }
    ExitCode::from((if globals.used == 3 { 0 } else { 1 }) as u8)
}

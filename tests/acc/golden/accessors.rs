//! Translated by acc2rs from `accessors.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const PAD: i32 = 2;

// Functions that return a pointer into what they are given, tables that grow, arrays of structs that hold memory.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct grid {
    w: i32,
    h: i32,
    cells: Vec<f32>,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct table {
    keys: Vec<i32>,
    counts: Vec<i32>,
    room: usize,
    used: usize,
}

impl grid {
    /// All fields zero, as C initializes them.
    fn zeroed() -> grid {
        grid {
            w: 0,
            h: 0,
            cells: Vec::new(),
        }
    }
}

/// Counts into `hist`, the loop at accessors.c:73:3.
#[offload(histogram)]
fn count_hist(hist: &mut [i32]) {
    for i in 0..200 {
        hist[(i * i % 16) as usize] += 1;
    }
}

fn wrapped(v: i32, n: i32) -> i32 {
    if v < 0 { v + n } else { v % n }
}

fn init(g: &mut grid, w: i32, h: i32) {
    g.w = w + 2 * PAD;
    g.h = h + 2 * PAD;
    g.cells = vec![0.0_f32; g.w as usize * g.h as usize];
}

fn sum(v: &[f32], n: i32) -> f32 {
    let mut s: f32 = 0.0;
    for i in 0..n {
        s += v[i as usize];
    }
    s
}

fn grow(t: &mut [table]) {
    let keys: Vec<i32> = std::mem::take(&mut t[0].keys);
    let counts: Vec<i32> = std::mem::take(&mut t[0].counts);
    let n: usize = t[0].room;
    t[0].room = if n != 0 { 2 * n } else { 8_usize };
    t[0].used = 0;
    t[0].keys = vec![0_i32; t[0].room];
    t[0].counts = vec![0_i32; t[0].room];
    for i in 0..t[0].room {
        t[0].keys[i] = -1;
    }
    for i in 0..n {
        for _ in 0..(if keys[i] < 0 { 0 } else { counts[i] }) {
            count(t, keys[i]);
        }
    }
    drop(keys);
    drop(counts);
}

fn count(t: &mut [table], key: i32) {
    if 2 * t[0].used >= t[0].room {
        grow(t);
    }
    let mut i: usize = (key as u32).wrapping_mul(2654435761) as usize % t[0].room;
    while t[0].keys[i] != -1 && t[0].keys[i] != key {
        i = (i + 1) % t[0].room;
    }
    if t[0].keys[i] == -1 {
        t[0].keys[i] = key;
        t[0].used += 1;
    }
    t[0].counts[i] += 1;
}

fn main() -> ExitCode {
    let mut g: grid = grid::zeroed();
    let mut list: [grid; 2] = std::array::from_fn(|_| grid::zeroed());
    let mut t: table = table {
        keys: Vec::new(),
        counts: Vec::new(),
        room: 0,
        used: 0,
    };
    let mut hist: [i32; 16] = [0; 16];
    let mut wrong: i32 = 0;
    init(&mut g, 5, 4);
    for k in 0..2 {
        init(&mut list[k], 3, 3);
    }
    for y in 0..4 {
        for x in 0..5 {
            g.cells[((wrapped(y - 1, 4) + PAD) * g.w + x + PAD) as usize] = (x + 10 * y) as f32;
        }
    }
    g.cells[((0 + PAD) * g.w + 0 + PAD) as usize] += 0.5;
    list[1].cells[((1 + PAD) * list[1].w + 1 + PAD) as usize] = 7.0;
    println!(
        "{} {} {}",
        c::general(g.cells[((0 + PAD) * g.w + 0 + PAD) as usize] as f64, 6),
        c::general(sum(&g.cells[((2 + PAD) * g.w) as usize..], g.w) as f64, 6),
        c::general(
            list[1].cells[((1 + PAD) * list[1].w + 1 + PAD) as usize] as f64,
            6
        )
    );
    for i in 0..200 {
        count(std::slice::from_mut(&mut t), i * i % 16);
    }
    count_hist(&mut hist);
    for i in 0..t.room {
        if t.keys[i] >= 0 {
            wrong += i32::from(t.counts[i] != hist[t.keys[i] as usize]);
        }
    }
    println!("{} of {}, {} wrong", t.used, t.room, wrong);
    t.keys = Vec::new();
    t.counts = Vec::new();
    g.cells = Vec::new();
    for k in 0..2 {
        list[k].cells = Vec::new();
    }
    ExitCode::from(wrong as u8)
}

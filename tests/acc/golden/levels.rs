//! Translated by acc2rs from `levels.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

mod c;

const LEVELS: i32 = 3;

// Levels of a multigrid behind locals, sizes kept in a struct, a local's memory that changes places with a global's.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct level {
    n: i32,
    u: Vec<f32>,
    f: Vec<f32>,
}

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct sizes {
    boxes: i64,
    bytes: i64,
}

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct box_ {
    near: [i32; 4],
    count: i32,
}

impl level {
    /// All fields zero, as C initializes them.
    fn zeroed() -> level {
        level {
            n: 0,
            u: Vec::new(),
            f: Vec::new(),
        }
    }
}

impl sizes {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> sizes {
        sizes { boxes: 0, bytes: 0 }
    }
}

impl box_ {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> box_ {
        box_ {
            near: [0; 4],
            count: 0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    all: [level; 3],
    result: Vec<i32>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            all: std::array::from_fn(|_| level::zeroed()),
            result: Vec::new(),
        }
    }
}

/// Sets `dst`, the loop at levels.c:50:5.
#[offload]
fn compute_dst(src: &[i32], cols: i32, r: i32, dst: &mut [i32]) {
    for i in 0..cols {
        let mut m: i32 = src[i as usize];
        if i > 0 && src[i as usize - 1] < m {
            m = src[i as usize - 1];
        }
        dst[i as usize] = m + (i * 7 + r * 3) % 5;
    }
}

/// Counts into `hist`, the loop at levels.c:85:3.
#[offload(histogram)]
fn count_hist(boxes: &[box_], hist: &mut [i32]) {
    for b in 0..8 {
        hist[boxes[b].count as usize] += 1;
    }
}

fn restrict_to(fine: &level, coarse: &mut level) {
    for i in 1..coarse.n - 1 {
        coarse.f[i as usize] = 0.25
            * (fine.f[(2 * i - 1) as usize]
                + 2.0 * fine.f[(2 * i) as usize]
                + fine.f[(2 * i + 1) as usize]);
    }
}

fn prolong(coarse: &level, fine: &mut level) {
    for i in 0..coarse.n - 1 {
        fine.u[(2 * i) as usize] += coarse.u[i as usize] + coarse.f[i as usize];
    }
}

fn cycle(globals: &mut Globals, k: i32) {
    let l: usize = k as usize;
    if k == LEVELS - 1 {
        return;
    }
    {
        let [part, part2] = globals
            .all
            .get_disjoint_mut([k as usize, (k + 1) as usize])
            .expect("different elements");
        restrict_to(part, part2)
    }
    cycle(globals, k + 1);
    {
        let [part3, part4] = globals
            .all
            .get_disjoint_mut([(k + 1) as usize, k as usize])
            .expect("different elements");
        prolong(part3, part4)
    }
}

fn shortest(globals: &mut Globals, rows: i32, cols: i32) -> i32 {
    let mut best: i32 = 1000;
    let mut dst: &mut [i32] = &mut globals.result;
    let mut src_memory: Vec<i32> = vec![0_i32; cols as usize];
    let mut src: &mut [i32] = &mut src_memory;
    for r in 1..rows {
        std::mem::swap(&mut src, &mut dst);
        compute_dst(src, cols, r, dst);
    }
    for i in 0..cols {
        if dst[i as usize] < best {
            best = dst[i as usize];
        }
    }
    let _ = src;
    best
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let mut s: sizes = sizes::zeroed();
    let mut hist: [i32; 4] = [0; 4];
    let mut n: i32 = 17;
    let cols: i32 = 20;
    let begin: i64 = c::time();
    {
        let mut k: i32 = 0;
        while k < LEVELS {
            globals.all[k as usize].n = n;
            globals.all[k as usize].u = vec![0.0_f32; n as usize];
            globals.all[k as usize].f = vec![0.0_f32; n as usize];
            k += 1;
            n = n / 2 + 1;
        }
    }
    {
        let mut i: i32 = 0;
        while i < globals.all[0].n {
            globals.all[0].f[i as usize] = (i % 3) as f32;
            i += 1;
        }
    }
    cycle(&mut globals, 0);
    println!(
        "{:.4} {:.4} {:.4}",
        c::Float(globals.all[0].u[4] as f64),
        c::Float(globals.all[1].u[2] as f64),
        c::Float(globals.all[2].f[2] as f64)
    );
    s.boxes = 8;
    s.bytes = (s.boxes as usize * size_of::<box_>()) as i64;
    let mut boxes: Vec<box_> = vec![box_::zeroed(); s.bytes as usize / size_of::<box_>()];
    boxes[..s.bytes as usize / size_of::<box_>()].fill(box_::zeroed());
    for b in 0..s.boxes as i32 {
        for d in 0..b % 4 {
            let at = boxes[b as usize].count as usize;
            boxes[b as usize].near[at] = (b + d) % 8;
            boxes[b as usize].count += 1;
        }
    }
    count_hist(&boxes, &mut hist);
    println!(
        "{} {} {} {}, {}",
        hist[0], hist[1], hist[2], hist[3], boxes[7].near[2]
    );
    globals.result = vec![0_i32; cols as usize];
    for i in 0..cols {
        globals.result[i as usize] = i % 4;
    }
    println!("shortest {}", shortest(&mut globals, 5, cols));
    println!(
        "{} {}",
        c::strcspn("key=value", "="),
        c::strspn("  indented", " ")
    );
    for k in 0..LEVELS as usize {
        globals.all[k].u = Vec::new();
        globals.all[k].f = Vec::new();
    }
    drop(boxes);
    ExitCode::from(i32::from(((c::time() - begin) as f64) < 0.0) as u8)
}

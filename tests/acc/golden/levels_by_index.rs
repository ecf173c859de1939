//! Translated by acc2rs from `levels_by_index.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const LEVELS: i32 = 3;

/// The variables that C keeps outside functions.
struct Globals {
    r: [f64; 64],
    u: [f64; 64],
    start: [i32; 3],
    width: [i32; 3],
    calls: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            r: [0.0; 64],
            u: [0.0; 64],
            start: [0; LEVELS as usize],
            width: [0; LEVELS as usize],
            calls: 0,
        }
    }
}

/// Updates `to`, the loop at levels_by_index.c:11:3.
#[offload]
fn update_to(from: &[f64], n: i32, to: &mut [f64]) {
    for i in 1..n - 1 {
        to[i as usize] += 0.25 * (from[i as usize - 1] + from[i as usize + 1]);
    }
}

fn smooth(globals: &mut Globals, from: &[f64], to: &mut [f64], n: i32) {
    globals.calls += 1;
    update_to(from, n, to);
}

fn main() {
    let mut globals = Globals::new();
    let mut at: i32 = 0;
    for l in 0..LEVELS {
        globals.start[l as usize] = at;
        globals.width[l as usize] = 8 << l;
        at += globals.width[l as usize];
    }
    for i in 0..64 {
        globals.r[i as usize] = (i % 5) as f64;
    }
    for l in (0..LEVELS).rev() {
        {
            let at5 = globals.start[l as usize] as usize;
            let at3 = globals.start[l as usize] as usize;
            let value = globals.width[l as usize];
            let moved2 = std::mem::replace(&mut globals.r, [0.0; 64]);
            let mut moved4 = std::mem::replace(&mut globals.u, [0.0; 64]);
            smooth(&mut globals, &moved2[at3..], &mut moved4[at5..], value);
            globals.r = moved2;
            globals.u = moved4;
        }
    }
    {
        let at10 = globals.start[1] as usize;
        let at8 = globals.start[1] as usize;
        let value6 = globals.width[1];
        let moved7 = std::mem::replace(&mut globals.r, [0.0; 64]);
        let mut moved9 = std::mem::replace(&mut globals.u, [0.0; 64]);
        smooth(&mut globals, &moved7[at8..], &mut moved9[at10..], value6);
        globals.r = moved7;
        globals.u = moved9;
    }
    let mut s: f64 = 0.0;
    for i in 0..64 {
        s += globals.u[i as usize] * i as f64;
    }
    println!("{:.6} {}", c::Float(s), globals.calls);
}

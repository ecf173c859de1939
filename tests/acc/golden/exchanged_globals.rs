//! Translated by acc2rs from `exchanged_globals.c`.
#![forbid(unsafe_code)]
#![allow(non_upper_case_globals, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const N: i32 = 50;
const c2: f64 = 0.25;

/// The variables that C keeps outside functions.
struct Globals {
    u0: [f64; 50],
    u1: [f64; 50],
    u2: [f64; 50],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            u0: [0.0; N as usize],
            u1: [0.0; N as usize],
            u2: [0.0; N as usize],
        }
    }
}

/// Sets `u2`, the loop at exchanged_globals.c:16:9.
#[offload]
fn compute_u2(u1: &[f64], u0: &[f64], u2: &mut [f64]) {
    for i in 1..(N - 1) as usize {
        u2[i] = 2.0 * u1[i] - u0[i] + c2 * (u1[i - 1] - 2.0 * u1[i] + u1[i + 1]);
    }
}

/// Sets `u0`, the loop at exchanged_globals.c:16:9.
#[offload]
fn compute_u0(u2: &[f64], u1: &[f64], u0: &mut [f64]) {
    for i in 1..(N - 1) as usize {
        u0[i] = 2.0 * u2[i] - u1[i] + c2 * (u2[i - 1] - 2.0 * u2[i] + u2[i + 1]);
    }
}

/// Sets `u1`, the loop at exchanged_globals.c:16:9.
#[offload]
fn compute_u1(u0: &[f64], u2: &[f64], u1: &mut [f64]) {
    for i in 1..(N - 1) as usize {
        u1[i] = 2.0 * u0[i] - u2[i] + c2 * (u0[i - 1] - 2.0 * u0[i] + u0[i + 1]);
    }
}

fn energy(u: &[f64]) -> f64 {
    let mut e: f64 = 0.0;
    for i in 0..N as usize {
        e += u[i] * u[i];
    }
    e * c2
}

fn main() {
    let mut globals = Globals::new();
    let mut prev_choice: i32 = 0;
    if prev_choice == 0 {
        for i in 0..N {
            globals.u1[i as usize] = i32::from(i > 20 && i < 30) as f64;
            globals.u0[i as usize] = globals.u1[i as usize];
        }
    } else if prev_choice == 1 {
        for i in 0..N {
            globals.u2[i as usize] = i32::from(i > 20 && i < 30) as f64;
            globals.u1[i as usize] = globals.u2[i as usize];
        }
    } else {
        for i in 0..N {
            globals.u0[i as usize] = i32::from(i > 20 && i < 30) as f64;
            globals.u2[i as usize] = globals.u0[i as usize];
        }
    }
    for t in 0..40 {
        if prev_choice == 0 {
            compute_u2(&globals.u1, &globals.u0, &mut globals.u2);
            if t % 10 == 0 {
                println!("{} {:.6}", t, c::Float(energy(&globals.u1)));
            }
        } else if prev_choice == 1 {
            compute_u0(&globals.u2, &globals.u1, &mut globals.u0);
            if t % 10 == 0 {
                println!("{} {:.6}", t, c::Float(energy(&globals.u2)));
            }
        } else {
            compute_u1(&globals.u0, &globals.u2, &mut globals.u1);
            if t % 10 == 0 {
                println!("{} {:.6}", t, c::Float(energy(&globals.u0)));
            }
        }
        prev_choice = (prev_choice + 1) % 3;
    }
    if prev_choice == 0 {
    } else if prev_choice == 1 {
    }
    if prev_choice == 0 {
        println!(
            "{:.6} {:.6} {:.6}",
            c::Float(energy(&globals.u0)),
            c::Float(energy(&globals.u1)),
            c::Float(globals.u1[7])
        );
    } else if prev_choice == 1 {
        println!(
            "{:.6} {:.6} {:.6}",
            c::Float(energy(&globals.u1)),
            c::Float(energy(&globals.u2)),
            c::Float(globals.u1[7])
        );
    } else {
        println!(
            "{:.6} {:.6} {:.6}",
            c::Float(energy(&globals.u2)),
            c::Float(energy(&globals.u0)),
            c::Float(globals.u1[7])
        );
    }
}

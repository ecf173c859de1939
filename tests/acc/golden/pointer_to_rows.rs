//! Translated by acc2rs from `pointer_to_rows.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

mod c;

const NX: i32 = 40;
const NY: i32 = 20;

/// The variables that C keeps outside functions.
struct Globals {
    u: Vec<[f64; 40]>,
    unew: Vec<[f64; 40]>,
    mask: Vec<i32>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            u: Vec::new(),
            unew: Vec::new(),
            mask: Vec::new(),
        }
    }
}

fn residual(globals: &mut Globals) -> f64 {
    let mut r: f64 = 0.0;
    for j in 1..(NY - 1) as usize {
        for i in 1..(NX - 1) as usize {
            r += (globals.unew[j][i] - globals.u[j][i]).abs();
        }
    }
    r
}

fn main() {
    let mut globals = Globals::new();
    globals.u = vec![[0.0; 40]; 20];
    globals.unew = vec![[0.0; 40]; NY as usize];
    globals.mask = vec![0_i32; (NX * NY) as usize];
    for j in 0..NY {
        for i in 0..NX {
            globals.unew[j as usize][i as usize] = i32::from(j == 0) as f64;
            globals.u[j as usize][i as usize] = globals.unew[j as usize][i as usize];
            globals.mask[(j * NX + i) as usize] = i + j & 1;
        }
    }
    let mut r: f64 = 0.0;
    let mut k: i32 = 0;
    k = 0;
    while k < 30 {
        for j in 1..(NY - 1) as usize {
            for i in 1..(NX - 1) as usize {
                globals.unew[j][i] = if globals.mask[j * NX as usize + i] != 0 {
                    0.25 * (globals.u[j - 1][i]
                        + globals.u[j + 1][i]
                        + globals.u[j][i - 1]
                        + globals.u[j][i + 1])
                } else {
                    globals.u[j][i]
                };
            }
        }
        r = residual(&mut globals);
        for j in 1..(NY - 1) as usize {
            for i in 1..(NX - 1) as usize {
                globals.u[j][i] = globals.unew[j][i];
            }
        }
        if r < 0.001 {
            break;
        }
        k += 1;
    }
    println!("{} {:.8}", k, c::Float(r));
    globals.u.clear();
    globals.unew.clear();
    globals.mask.clear();
}

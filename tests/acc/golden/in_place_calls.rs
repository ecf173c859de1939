//! Translated by acc2rs from `in_place_calls.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

// Functions that work element by element, called with one array for what they read and what they write.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct vector {
    n: u32,
    coefs: Vec<f64>,
}

impl vector {
    /// All fields zero, as C initializes them.
    fn zeroed() -> vector {
        vector {
            n: 0,
            coefs: Vec::new(),
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    work: Vec<Vec<f64>>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            work: vec![Vec::new(); 2],
        }
    }
}

/// Sets `ws`, the loop at in_place_calls.c:22:3.
#[offload]
fn compute_ws(xs: &[f64], ys: &[f64], n: u32, alpha: f64, beta: f64, ws: &mut [f64]) {
    for i in 0..n as usize {
        ws[i] = alpha * xs[i] + beta * ys[i];
    }
}

/// Sets `r`, the loop at in_place_calls.c:32:3.
#[offload]
fn compute_r(v: &[f64], n: i32, a: f64, r: &mut [f64]) {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            r[i as usize * n as usize + j as usize] =
                v[i as usize * n as usize + j as usize] - a * (i - j) as f64;
        }
    }
}

fn allocate(v: &mut vector, n: u32, first: f64) {
    v.n = n;
    v.coefs = vec![0.0_f64; n as usize];
    for i in 0..n {
        v.coefs[i as usize] = first + i as f64;
    }
}

fn waxpby(alpha: f64, x: &vector, beta: f64, y: &vector, w: &mut vector) {
    let n: u32 = x.n;
    compute_ws(&x.coefs, &y.coefs, n, alpha, beta, &mut w.coefs);
}

fn release(v: &vector) {
    let _ = &v.coefs;
}

fn residual(v: &[f64], r: &mut [f64], n: i32, a: f64) {
    compute_r(v, n, a, r);
    for j in 0..n {
        r[j as usize] = r[((n - 2) * n + j) as usize];
    }
}

fn scale(from: &[f32], to: &mut [f32], n: i32, by: f32) {
    for i in 0..n {
        let old: f32 = from[i as usize];
        to[i as usize] = old * by + to[(n - 1 - i) as usize] * 0.0;
    }
}

fn main() {
    let mut globals = Globals::new();
    let mut p: vector = vector::zeroed();
    let mut r: vector = vector::zeroed();
    allocate(&mut p, 6, 1.0);
    allocate(&mut r, 6, 0.5);
    {
        let copy = p.clone();
        waxpby(1.0, &r, 0.25, &copy, &mut p)
    }
    waxpby(2.0, &p, 0.0, &p, &mut r);
    println!(
        "{} {} {}",
        c::general(p.coefs[0], 6),
        c::general(p.coefs[5], 6),
        c::general(r.coefs[5], 6)
    );
    globals.work[0] = vec![0.0_f64; 25];
    globals.work[1] = vec![0.0_f64; 25];
    for i in 0..25 {
        globals.work[1][i as usize] = i as f64;
    }
    {
        let copy2 = globals.work[1].clone();
        residual(&copy2, &mut globals.work[1], 5, 0.5)
    }
    {
        let [part3, part4] = globals
            .work
            .get_disjoint_mut([1, 0])
            .expect("different elements");
        residual(part3, part4, 5, 0.5)
    }
    println!(
        "{} {} {}",
        c::general(globals.work[1][3], 6),
        c::general(globals.work[1][8], 6),
        c::general(globals.work[0][8], 6)
    );
    let mut f: [f32; 4] = [1.0, 2.0, 3.0, 4.0];
    {
        let copy5 = f.clone();
        scale(&copy5, &mut f, 4, 3.0)
    }
    println!(
        "{} {}",
        c::general(f[0] as f64, 6),
        c::general(f[3] as f64, 6)
    );
    release(&p);
    release(&r);
    globals.work[0] = Vec::new();
    globals.work[1] = Vec::new();
}

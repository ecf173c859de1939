//! Translated by acc2rs from `rows_lent.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

/// Updates `x`, the loop at rows_lent.c:27:3.
#[offload]
fn update_x(n: i32, f: f32, x: &mut [f32]) {
    for i in 0..n {
        x[i as usize] *= f;
    }
}

/// Adds into `s`, the loop at rows_lent.c:39:3.
#[offload]
fn sum_s(x: &[f64], y: &[f64], n: i32, mut s: f64) -> f64 {
    for i in 0..n {
        s += x[i as usize] * y[i as usize];
    }
    s
}

/// Sets `b`, the loop at rows_lent.c:59:3.
#[offload]
fn compute_b(a: &[Vec<f64>], n: i32, m: i32, b: &mut [Vec<f64>]) {
    for i in 1..n - 1 {
        for j in 1..m - 1 {
            b[i as usize][j as usize] = 0.25
                * (a[i as usize - 1][j as usize]
                    + a[i as usize + 1][j as usize]
                    + a[i as usize][j as usize - 1]
                    + a[i as usize][j as usize + 1]);
        }
    }
}

// Rows in one block, which is also passed, copied and cleared as a whole.
fn alloc_2d(n: i32, m: i32) -> Vec<Vec<f64>> {
    let data: Vec<f64> = vec![0.0_f64; (n * m) as usize];
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); n as usize];
    for i in 0..n {
        rows[i as usize] = vec![0.0_f64; m as usize];
    }
    rows
}

fn free_2d(a: &mut [Vec<f64>]) {
    a[0] = Vec::new();
    let _ = a;
}

fn alloc_from_first(r: i32, c_: i32) -> Vec<Vec<f32>> {
    let mut a: Vec<Vec<f32>> = vec![Vec::new(); r as usize];
    a[0] = vec![0.0_f32; c_ as usize];
    for i in 1..r {
        a[i as usize] = vec![0.0_f32; c_ as usize];
    }
    a
}

fn scale(x: &mut [f32], n: i32, f: f32) {
    update_x(n, f, x);
}

fn distance(a: &[f32], b: &[f32], n: i32) -> f32 {
    let mut d: f32 = 0.0;
    for i in 0..n {
        d += (a[i as usize] - b[i as usize]) * (a[i as usize] - b[i as usize]);
    }
    d
}

fn dot(x: &[f64], y: &[f64], n: i32) -> f64 {
    let mut s: f64 = 0.0;
    s = sum_s(x, y, n, s);
    s
}

fn usage(name: &str) {
    eprintln!("usage: {} [rows]", name);
    std::process::exit(1);
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let names: Vec<&'static str> = vec!["dots", "sum"];
    let n: i32 = 16;
    let m: i32 = 24;
    if argc > 2 {
        usage(argv[0]);
    }
    let mut a: Vec<Vec<f64>> = alloc_2d(n, m);
    let mut b: Vec<Vec<f64>> = alloc_2d(n, m);
    let mut a_elements: Vec<f64> = c::rows_together(&a);
    a_elements[..(n * m) as usize].fill(0.0);
    c::rows_apart(&mut a, &a_elements);
    for i in 0..n {
        for j in 0..m {
            a[i as usize][j as usize] = i as f64 * 0.5 + j as f64;
        }
    }
    let a_elements: Vec<f64> = c::rows_together(&a);
    let mut b_elements: Vec<f64> = c::rows_together(&b);
    b_elements[..(n * m) as usize].copy_from_slice(&a_elements[..(n * m) as usize]);
    c::rows_apart(&mut b, &b_elements);
    compute_b(&a, n, m, &mut b);
    let a_elements: Vec<f64> = c::rows_together(&a);
    let b_elements: Vec<f64> = c::rows_together(&b);
    println!(
        "{} {:.6} {:.6}",
        names[0],
        c::Float(dot(&a_elements, &b_elements, n * m)),
        c::Float(dot(&a_elements[m as usize..], &b_elements[m as usize..], m))
    );
    free_2d(&mut a);
    free_2d(&mut b);
    let r: i32 = 10;
    let c_: i32 = 14;
    let mut p: Vec<Vec<f32>> = alloc_from_first(r, c_);
    let mut q: Vec<Vec<f32>> = alloc_from_first(r, c_);
    for i in 0..r {
        for j in 0..c_ {
            p[i as usize][j as usize] = i as f32 + 0.1 * j as f32;
        }
    }
    let mut p_elements: Vec<f32> = c::rows_together(&p);
    scale(&mut p_elements, r * c_, 2.0);
    c::rows_apart(&mut p, &p_elements);
    let p_elements: Vec<f32> = c::rows_together(&p);
    let mut q_elements: Vec<f32> = c::rows_together(&q);
    q_elements[..(r * c_) as usize].copy_from_slice(&p_elements[..(r * c_) as usize]);
    c::rows_apart(&mut q, &q_elements);
    if r > 3 {
        let mut q_elements: Vec<f32> = c::rows_together(&q);
        scale(&mut q_elements, r * c_, 0.5);
        c::rows_apart(&mut q, &q_elements);
    }
    let mut s: f32 = 0.0;
    for i in 0..r {
        for j in 0..c_ {
            s += q[i as usize][j as usize] * i as f32 - p[i as usize][j as usize] * 0.1 * j as f32;
        }
    }
    for i in (1..r).step_by(4) {
        let q_elements: Vec<f32> = c::rows_together(&q);
        s += distance(&q_elements, &q[i as usize], c_);
    }
    println!("{} {:.6}", names[1], c::Float(s as f64));
    p[0] = Vec::new();
    drop(p);
    q[0] = Vec::new();
    drop(q);
}

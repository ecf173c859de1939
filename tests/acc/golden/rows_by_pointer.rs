//! Translated by acc2rs from `rows_by_pointer.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use std::process::ExitCode;

mod c;

// Rows in one block, allocated through a pointer to the table.
fn alloc_grid(g: &mut Vec<Vec<f64>>, n: i32, m: i32) {
    let buf: Vec<f64> = vec![0.0_f64; (n * m) as usize];
    *g = vec![Vec::new(); n as usize];
    for i in 0..n {
        (*g)[i as usize] = vec![0.0_f64; m as usize];
    }
}

fn make(out: &mut Vec<Vec<f32>>, n: i32, m: i32) -> i32 {
    *out = vec![Vec::new(); n as usize];
    if (*out).is_empty() {
        return -1;
    }
    (*out)[0] = vec![0.0_f32; m as usize];
    if (*out)[0].is_empty() {
        return -1;
    }
    for i in 1..n {
        (*out)[i as usize] = vec![0.0_f32; m as usize];
    }
    0
}

fn norm(x: &[f32], n: i32) -> f32 {
    let mut s: f32 = 0.0;
    for i in 0..n {
        s += x[i as usize] * x[i as usize];
    }
    s
}

fn main() -> ExitCode {
    let mut a: Vec<Vec<f32>> = Vec::new();
    let mut b: Vec<Vec<f32>> = Vec::new();
    let n: i32 = 6;
    let m: i32 = 4;
    if make(&mut a, n, m) != 0 || make(&mut b, n, m) != 0 {
        return ExitCode::FAILURE;
    }
    for i in 0..n {
        for j in 0..m {
            a[i as usize][j as usize] = i as f32 - j as f32 * 0.5;
        }
    }
    let a_elements: Vec<f32> = c::rows_together(&a);
    let mut b_elements: Vec<f32> = c::rows_together(&b);
    b_elements[..n as usize * m as usize].copy_from_slice(&a_elements[..n as usize * m as usize]);
    c::rows_apart(&mut b, &b_elements);
    for i in 0..n {
        b[i as usize][(i % m) as usize] += 1.0;
    }
    let a_elements: Vec<f32> = c::rows_together(&a);
    let b_elements: Vec<f32> = c::rows_together(&b);
    println!(
        "{:.6} {:.6}",
        c::Float(norm(&a_elements, n * m) as f64),
        c::Float(norm(&b_elements, n * m) as f64)
    );
    let mut g: Vec<Vec<f64>> = Vec::new();
    alloc_grid(&mut g, 5, 6);
    for i in 0..5 {
        for j in 0..6 {
            g[i as usize][j as usize] = (i * j) as f64;
        }
    }
    let mut s: f64 = 0.0;
    for i in 0..5 {
        for j in 0..6 {
            s += g[i][j];
        }
    }
    println!("{:.6}", c::Float(s));
    g[0] = Vec::new();
    drop(g);
    a[0] = Vec::new();
    drop(a);
    b[0] = Vec::new();
    drop(b);
    ExitCode::SUCCESS
}

//! Translated by acc2rs from `rows_named_flat.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

/// Updates `x`, the loop at rows_named_flat.c:14:5.
#[offload]
fn update_x(n: i32, f: f32, x: &mut [f32]) {
    for i in 0..n {
        x[i as usize] *= f;
    }
}

/// Sets `pc`, the loop at rows_named_flat.c:23:5.
#[offload]
fn compute_pc(pa: &[f32], pb: &[f32], n: i32, pc: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            let mut s: f32 = 0.0;
            for k in 0..n {
                s += pa[i as usize * n as usize + k as usize]
                    * pb[k as usize * n as usize + j as usize];
            }
            pc[i as usize * n as usize + j as usize] = s;
        }
    }
}

// Rows in one block that get flat names for some time; the name of the program is a text, and no row.
fn make(rows: i32, cols: i32) -> Vec<Vec<f32>> {
    let mut m: Vec<Vec<f32>> = vec![Vec::new(); rows as usize];
    let data: Vec<f32> = vec![0.0_f32; (rows * cols) as usize];
    for i in 0..rows {
        m[i as usize] = vec![0.0_f32; cols as usize];
    }
    m
}

fn scale(x: &mut [f32], n: i32, f: f32) {
    update_x(n, f, x);
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let n: i32 = if argc > 1 {
        c::atol(argv[1]) as i32
    } else {
        12
    };
    let mut a: Vec<Vec<f32>> = make(n, n);
    let mut b: Vec<Vec<f32>> = make(n, n);
    let mut c_: Vec<Vec<f32>> = make(n, n);
    for i in 0..n {
        for j in 0..n {
            a[i as usize][j as usize] = (i + j) as f32;
            b[i as usize][j as usize] = i32::from(i == j) as f32;
        }
    }
    let pa: Vec<f32> = c::rows_together(&a);
    let pb: Vec<f32> = c::rows_together(&b);
    let mut pc: Vec<f32> = c::rows_together(&c_);
    compute_pc(&pa, &pb, n, &mut pc);
    c::rows_apart(&mut a, &pa);
    c::rows_apart(&mut b, &pb);
    c::rows_apart(&mut c_, &pc);
    if argc > 2 {
        println!("{} takes one size", argv[0]);
    }
    let mut c_elements: Vec<f32> = c::rows_together(&c_);
    scale(&mut c_elements, n * n, 0.5);
    c::rows_apart(&mut c_, &c_elements);
    println!(
        "{:.2} {:.2}",
        c::Float(c_[1][2] as f64),
        c::Float(c_[(n - 1) as usize][(n - 1) as usize] as f64)
    );
    a[0] = Vec::new();
    drop(a);
    b[0] = Vec::new();
    drop(b);
    c_[0] = Vec::new();
    drop(c_);
}

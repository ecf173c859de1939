//! Translated by acc2rs from `matrix_handles.c`.
#![forbid(unsafe_code)]
#![allow(
    non_camel_case_types,
    non_snake_case,
    unused_assignments,
    unused_variables
)]

use accrue::offload;

mod c;

// Matrices behind pointers to structs, read and written through a macro.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct mat {
    r: i32,
    c_: i32,
    d: Vec<f64>,
}

impl mat {
    /// All fields zero, as C initializes them.
    fn zeroed() -> mat {
        mat {
            r: 0,
            c_: 0,
            d: Vec::new(),
        }
    }
}

/// Sets `od`, the loop at matrix_handles.c:21:3.
#[offload]
fn compute_od(ad: &[f64], bd: &[f64], R: i32, C: i32, K: i32, od: &mut [f64]) {
    for i in 0..R {
        for j in 0..C {
            let mut t: f64 = 0.0;
            for k in 0..K {
                t += ad[i as usize * K as usize + k as usize]
                    * bd[k as usize * C as usize + j as usize];
            }
            od[i as usize * C as usize + j as usize] = t;
        }
    }
}

fn mat_new(r: i32, c_: i32) -> Vec<mat> {
    let mut m: Vec<mat> = vec![mat::zeroed(); 1];
    assert!(!m.is_empty(), "m != NULL");
    m[0].r = r;
    m[0].c_ = c_;
    m[0].d = vec![0.0_f64; r as usize * c_ as usize];
    m
}

fn mat_free(m: &mut [mat]) {
    m[0].d = Vec::new();
    let _ = m;
}

fn mat_mul(a: &mat, b: &mat) -> Vec<mat> {
    let mut o: Vec<mat> = mat_new(a.r, b.c_);
    let R: i32 = a.r;
    let C: i32 = b.c_;
    let K: i32 = a.c_;
    compute_od(&a.d, &b.d, R, C, K, &mut o[0].d);
    o
}

fn main() {
    let mut a: Vec<mat> = mat_new(4, 5);
    let mut b: Vec<mat> = mat_new(5, 3);
    for i in 0..4 {
        for j in 0..5 {
            let at = (i * a[0].c_ + j) as usize;
            a[0].d[at] = (i - j) as f64;
        }
    }
    for i in 0..5 {
        for j in 0..3 {
            let at2 = (i * b[0].c_ + j) as usize;
            b[0].d[at2] = (i * j + 1) as f64;
        }
    }
    let mut c_: Vec<mat> = mat_mul(&a[0], &b[0]);
    for i in 0..c_[0].r {
        for j in 0..c_[0].c_ {
            print!("{:6.1}", c::Float(c_[0].d[(i * c_[0].c_ + j) as usize]));
        }
        println!();
    }
    mat_free(&mut a);
    mat_free(&mut b);
    mat_free(&mut c_);
}

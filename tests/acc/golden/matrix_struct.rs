//! Translated by acc2rs from `matrix_struct.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct matrix {
    rows: i32,
    cols: i32,
    data: Vec<f64>,
}

impl matrix {
    /// All fields zero, as C initializes them.
    fn zeroed() -> matrix {
        matrix {
            rows: 0,
            cols: 0,
            data: Vec::new(),
        }
    }
}

/// Sets `pc`, the loop at matrix_struct.c:16:3.
#[offload]
fn compute_pc(pa: &[f64], pb: &[f64], n: i32, m: i32, l: i32, pc: &mut [f64]) {
    for i in 0..n {
        for j in 0..m {
            let mut s: f64 = 0.0;
            for k in 0..l {
                s += pa[i as usize * l as usize + k as usize]
                    * pb[k as usize * m as usize + j as usize];
            }
            pc[i as usize * m as usize + j as usize] = s;
        }
    }
}

fn matrix_new(r: i32, c_: i32) -> Vec<matrix> {
    let mut m: Vec<matrix> = vec![matrix::zeroed(); 1];
    m[0].rows = r;
    m[0].cols = c_;
    m[0].data = vec![0.0_f64; r as usize * c_ as usize];
    m
}

fn matrix_free(m: &mut [matrix]) {
    m[0].data = Vec::new();
    let _ = m;
}

fn mul(a: &matrix, b: &matrix, c_: &mut matrix) {
    let n: i32 = a.rows;
    let m: i32 = b.cols;
    let l: i32 = a.cols;
    compute_pc(&a.data, &b.data, n, m, l, &mut c_.data);
}

fn main() {
    let mut a: Vec<matrix> = matrix_new(4, 5);
    let mut b: Vec<matrix> = matrix_new(5, 3);
    let mut c_: Vec<matrix> = matrix_new(4, 3);
    for i in 0..20 {
        a[0].data[i as usize] = i as f64;
    }
    for i in 0..15 {
        b[0].data[i as usize] = (15 - i) as f64;
    }
    mul(&a[0], &b[0], &mut c_[0]);
    for i in 0..c_[0].rows {
        for j in 0..c_[0].cols {
            print!(
                "{} ",
                c::general(c_[0].data[(i * c_[0].cols + j) as usize], 6)
            );
        }
        println!();
    }
    matrix_free(&mut a);
    matrix_free(&mut b);
    matrix_free(&mut c_);
}

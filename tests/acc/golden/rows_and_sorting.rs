//! Translated by acc2rs from `rows_and_sorting.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

/// Sets `out`, the loop at rows_and_sorting.c:17:3.
#[offload]
fn compute_out(in_: &[f32], rows: i32, cols: i32, out: &mut [f32]) {
    for r in 0..rows {
        for c_ in 0..cols {
            out[c_ as usize * rows as usize + r as usize] =
                in_[r as usize * cols as usize + c_ as usize];
        }
    }
}

// LU, transposition, triangular loops with pointers to rows
fn lu(A: &mut [f64], n: i32) {
    for k in 0..n {
        let rk: usize = (k * n) as usize;
        for i in k + 1..n {
            let ri: usize = (i * n) as usize;
            A[ri + k as usize] /= A[rk + k as usize];
            for j in k + 1..n {
                A[ri + j as usize] -= A[ri + k as usize] * A[rk + j as usize];
            }
        }
    }
}

fn transpose(in_: &[f32], out: &mut [f32], rows: i32, cols: i32) {
    compute_out(in_, rows, cols, out);
}

fn cmp(a: &f64, b: &f64) -> i32 {
    i32::from(*a > *b) - i32::from(*a < *b)
}

fn sort(v: &mut [f64], n: i32) {
    for i in 1..n {
        {
            let mut j: i32 = i;
            while j > 0 && cmp(&v[(j - 1) as usize], &v[j as usize]) > 0 {
                let t: f64 = v[j as usize];
                v[j as usize] = v[(j - 1) as usize];
                v[(j - 1) as usize] = t;
                j -= 1;
            }
        }
    }
}

fn main() {
    let n: i32 = 6;
    let mut A: Vec<f64> = vec![0.0_f64; n as usize * n as usize];
    let mut d: f64 = 1.0;
    for i in 0..n {
        for j in 0..n {
            A[(i * n + j) as usize] = if i == j {
                n as f64 + 1.0
            } else {
                1.0 / (i + j + 1) as f64
            };
        }
    }
    lu(&mut A, n);
    for i in 0..n {
        d *= A[(i * n + i) as usize];
    }
    let a: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let mut b: [f32; 6] = [0.0; 6];
    transpose(&a, &mut b, 2, 3);
    let mut v: [f64; 5] = [3.0, 1.0, 2.0, 5.0, 4.0];
    sort(&mut v, 5);
    println!(
        "{:.6} {} {} {} {}",
        c::Float(d),
        c::general(b[1] as f64, 6),
        c::general(b[4] as f64, 6),
        c::general(v[0], 6),
        c::general(v[4], 6)
    );
    let mut buf: [i8; 32] = [0; 32];
    let mut len: i32 = 0;
    for i in 0..5 {
        len += {
            let text = format!("{},", i);
            c::set_text(&mut buf[len as usize..], &text);
            text.len() as i32
        };
    }
    println!("{}", &c::text(&buf));
    drop(A);
}

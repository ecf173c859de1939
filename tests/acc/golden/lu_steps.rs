//! Translated by acc2rs from `lu_steps.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

/// Updates `a`, the loop at lu_steps.c:9:5.
#[offload]
fn update_a(k: i32, n: i32, a: &mut [f32]) {
    for i in k + 1..n {
        a[i as usize * n as usize + k as usize] /= a[k as usize * n as usize + k as usize];
    }
}

/// Updates `a`, the loop at lu_steps.c:12:5.
#[offload]
fn update_a_2(k: i32, n: i32, a: &mut [f32]) {
    for i in k + 1..n {
        for j in k + 1..n {
            a[i as usize * n as usize + j as usize] -=
                a[i as usize * n as usize + k as usize] * a[k as usize * n as usize + j as usize];
        }
    }
}

/// Updates `d`, the loop at lu_steps.c:24:5.
#[offload]
fn update_d(n: i32, k: i32, d: &mut [i32]) {
    for i in 0..n {
        for j in 0..n {
            let via: i32 =
                d[i as usize * n as usize + k as usize] + d[k as usize * n as usize + j as usize];
            d[i as usize * n as usize + j as usize] =
                d[i as usize * n as usize + j as usize].min(via);
        }
    }
}

// LU without pivoting, Floyd-Warshall and forward substitution: an outer loop in order, inner ones parallel.
fn lu(a: &mut [f32], n: i32) {
    for k in 0..n {
        update_a(k, n, a);
        update_a_2(k, n, a);
    }
}

fn paths(n: i32, d: &mut [i32]) {
    // In order: `d[i as usize * n as usize + j as usize]` is written here, and another iteration
    // may read the same element as `d[i as usize * n as usize + k as usize]` [accrue::H057].
    for k in 0..n {
        update_d(n, k, d);
    }
}

fn main() {
    let n: i32 = 12;
    let mut a: Vec<f32> = vec![0.0_f32; (n * n) as usize];
    let mut d: Vec<i32> = vec![0_i32; (n * n) as usize];
    for i in 0..n {
        for j in 0..n {
            a[(i * n + j) as usize] = if i == j {
                20.0_f32
            } else {
                ((i * 3 + j * 5) % 7) as f32
            };
            d[(i * n + j) as usize] = if i == j { 0 } else { 1 + (i * 7 + j * 13) % 30 };
        }
    }
    lu(&mut a, n);
    paths(n, &mut d);
    let mut det: f64 = 1.0;
    let mut far: i32 = 0;
    for i in 0..n {
        det *= a[(i * n + i) as usize] as f64;
        for j in 0..n {
            far = far.max(d[(i * n + j) as usize]);
        }
    }
    println!("{} {}", c::exponent(det, 5), far);
    drop(a);
    drop(d);
}

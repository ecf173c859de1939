//! Translated by acc2rs from `field_rows.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

// Structs with a table of rows in the block of the first row.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Field {
    n: i32,
    m: i32,
    u: Vec<Vec<f64>>,
    w: Vec<Vec<f32>>,
}

impl Field {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Field {
        Field {
            n: 0,
            m: 0,
            u: Vec::new(),
            w: Vec::new(),
        }
    }
}

/// Sets `w`, the loop at field_rows.c:21:3.
#[offload]
fn compute_w(u: &[Vec<f64>], f_n: i32, f_m: i32, w: &mut [Vec<f32>]) {
    for i in 1..f_n - 1 {
        for j in 1..f_m - 1 {
            w[i as usize][j as usize] = (0.25
                * (u[i as usize - 1][j as usize]
                    + u[i as usize + 1][j as usize]
                    + u[i as usize][j as usize - 1]
                    + u[i as usize][j as usize + 1]))
                as f32;
        }
    }
}

fn make(n: i32, m: i32) -> Vec<Field> {
    let mut f: Vec<Field> = vec![Field::zeroed(); 1];
    f[0].n = n;
    f[0].m = m;
    f[0].u = vec![Vec::new(); n as usize];
    f[0].u[0] = vec![0.0_f64; n as usize * m as usize];
    if f[0].u[0].is_empty() {
        std::process::exit(1);
    }
    for i in 1..n {
        f[0].u[i as usize] = vec![0.0_f64; m as usize];
    }
    f[0].w = vec![Vec::new(); n as usize];
    f[0].w[0] = vec![0.0_f32; (n * m) as usize];
    for i in 1..n {
        f[0].w[i as usize] = vec![0.0_f32; m as usize];
    }
    f
}

fn row_sum(r: &[f64], m: i32) -> f64 {
    let mut s: f64 = 0.0;
    for j in 0..m {
        s += r[j as usize];
    }
    s
}

fn smooth(f: &mut Field) {
    compute_w(&f.u, f.n, f.m, &mut f.w);
}

fn main() {
    let mut f: Vec<Field> = make(5, 7);
    for i in 0..f[0].n {
        for j in 0..f[0].m {
            f[0].u[i as usize][j as usize] = (i * 10 + j) as f64;
        }
    }
    f[0].u[0][3] = -1.0;
    smooth(&mut f[0]);
    let mut s: f64 = 0.0;
    {
        let mut i: i32 = 0;
        while i < f[0].n {
            s += row_sum(&f[0].u[i as usize], f[0].m) * (i + 1) as f64;
            i += 1;
        }
    }
    println!(
        "{} {} {}",
        c::general(s, 6),
        c::general(f[0].w[2][3] as f64, 6),
        c::general(f[0].w[1][3] as f64, 6)
    );
    f[0].u[0] = Vec::new();
    f[0].u = Vec::new();
    f[0].w[0] = Vec::new();
    f[0].w = Vec::new();
    drop(f);
}

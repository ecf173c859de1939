//! Translated by acc2rs from `rows_exchanged.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const N: i32 = 12;

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct field {
    now: Vec<f32>,
    next: Vec<f32>,
}

/// Sets `out`, the loop at rows_exchanged.c:26:5.
#[offload]
fn compute_out(in_: &[f32], n: i32, out: &mut [f32]) {
    for i in 1..n - 1 {
        out[i as usize] =
            0.5 * in_[i as usize] + 0.25 * (in_[i as usize - 1] + in_[i as usize + 1]);
    }
}

/// Sets `next`, the loop at rows_exchanged.c:41:3.
#[offload]
fn compute_next(now: &[f32], n: i32, next: &mut [f32]) {
    for i in 0..n {
        next[i as usize] = now[((i + 1) % n) as usize];
    }
}

/// Counts into `hist`, the loop at rows_exchanged.c:93:3.
#[offload(histogram)]
fn count_hist(order: &[i32], hist: &mut [i32]) {
    for i in 0..N as usize {
        hist[(order[i] % 3) as usize] += 1;
    }
}

// Exchanges: rows of a table in an elimination, a function's own parameters, elements with steps in the indices.
#[allow(dead_code)]
fn swap(a: &mut i32, b: &mut i32) {
    let t: i32 = *a;
    *a = *b;
    *b = t;
}

fn sort(v: &mut [i32], lo: i32, hi: i32) {
    if lo >= hi {
        return;
    }
    let mut i: i32 = lo - 1;
    for j in lo..hi {
        if v[j as usize] <= v[hi as usize] {
            {
                let other2 = j as usize;
                let at = ({
                    i += 1;
                    i
                }) as usize;
                v.swap(at, other2)
            }
        }
    }
    v.swap((i + 1) as usize, hi as usize);
    sort(v, lo, i);
    sort(v, i + 2, hi);
}

fn relax(in_: &mut [f32], out: &mut [f32], n: i32, mut steps: i32) {
    let mut in_ = &mut in_[..];
    let mut out = &mut out[..];
    loop {
        compute_out(in_, n, out);
        std::mem::swap(&mut in_, &mut out);
        if !(({
            steps -= 1;
            steps
        }) != 0)
        {
            break;
        }
    }
    in_[0] += 1.0;
}

fn drift(f: &mut field, n: i32) {
    compute_next(&f.now, n, &mut f.next);
    std::mem::swap(&mut f.now, &mut f.next);
}

fn eliminate(a: &mut [Vec<f64>], b: &mut [f64], n: i32) -> i32 {
    let mut swaps: i32 = 0;
    for k in 0..n {
        let mut p: i32 = k;
        for i in k + 1..n {
            if a[i as usize][k as usize].abs() > a[p as usize][k as usize].abs() {
                p = i;
            }
        }
        if p != k {
            let row: Vec<f64> = std::mem::take(&mut a[p as usize]);
            let v: f64 = b[p as usize];
            a[p as usize] = std::mem::take(&mut a[k as usize]);
            a[k as usize] = row;
            b[p as usize] = b[k as usize];
            b[k as usize] = v;
            swaps += 1;
        }
        for i in k + 1..n {
            let f: f64 = a[i as usize][k as usize] / a[k as usize][k as usize];
            for j in k..n {
                a[i as usize][j as usize] -= f * a[k as usize][j as usize];
            }
            b[i as usize] -= f * b[k as usize];
        }
    }
    swaps
}

fn main() {
    let mut a: Vec<Vec<f64>> = vec![Vec::new(); N as usize];
    let mut b: [f64; 12] = [0.0; N as usize];
    let mut u: [f32; 12] = [0.0; N as usize];
    let mut v: [f32; 12] = [0.0; N as usize];
    let mut order: [i32; 12] = [0; N as usize];
    let mut hist: [i32; 3] = [0; 3];
    for i in 0..N {
        a[i as usize] = vec![0.0_f64; N as usize];
        for j in 0..N {
            a[i as usize][j as usize] =
                ((i * 7 + j * 13) % 17 - 8 + (if j == (i + 5) % N { 40 } else { 0 })) as f64;
        }
        b[i as usize] = i as f64;
        v[i as usize] = (i * i % 7) as f32;
        u[i as usize] = v[i as usize];
        order[i as usize] = i * 5 % N;
    }
    print!("{} swaps", eliminate(&mut a, &mut b, N));
    println!(
        ", {:.6} {:.6}",
        c::Float(a[(N - 1) as usize][(N - 1) as usize]),
        c::Float(b[(N - 1) as usize])
    );
    relax(&mut u, &mut v, N, 5);
    println!(
        "{:.5} {:.5} {:.1} {:.1}",
        c::Float(u[5] as f64),
        c::Float(v[5] as f64),
        c::Float(u[0] as f64),
        c::Float(v[0] as f64)
    );
    let mut f: field = field {
        now: vec![0.0_f32; N as usize],
        next: vec![0.0_f32; N as usize],
    };
    f.now[3] = 1.0;
    drift(&mut f, N);
    drift(&mut f, N);
    println!(
        "{:.1} {:.1}",
        c::Float(f.now[1] as f64),
        c::Float(f.next[2] as f64)
    );
    f.now = Vec::new();
    f.next = Vec::new();
    sort(&mut order, 0, N - 1);
    count_hist(&order, &mut hist);
    for i in 0..N as usize {
        print!("{} ", order[i]);
    }
    println!("{} {} {}", hist[0], hist[1], hist[2]);
    for i in 0..N as usize {
        a[i] = Vec::new();
    }
    drop(a);
}

//! Translated by acc2rs from `peaks_and_walks.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const N: i32 = 400;
const NT: i32 = 21;

/// Sets `y`, the loop at peaks_and_walks.c:13:5.
#[offload]
fn compute_y(taps: &[f32], x: &[f32], n: i32, nt: i32, y: &mut [f32]) {
    for i in 0..n {
        let mut acc: f32 = 0.0;
        let mut t: usize = 0;
        {
            let mut k: i32 = 0;
            while k < nt && k <= i {
                acc += taps[t] * x[i as usize - k as usize];
                t += 1;
                k += 1;
            }
        }
        y[i as usize] = acc;
    }
}

fn hann(i: i32, n: i32) -> f32 {
    0.5 * (1.0 - (2.0_f32 * 3.1415927_f32 * i as f32 / (n - 1) as f32).cos())
}

fn rect(i: i32, n: i32) -> f32 {
    let _ = i;
    let _ = n;
    1.0
}

fn fir(x: &[f32], y: &mut [f32], n: i32, taps: &[f32], nt: i32) {
    compute_y(taps, x, n, nt, y);
}

fn reverse(p: &mut [f32], n: i32) {
    let mut p_at: usize = 0;
    let mut q: usize = p_at.wrapping_add(n as usize) - 1;
    while p_at < q {
        let t: f32 = p[p_at];
        p[p_at] = p[q];
        p_at += 1;
        p[q] = t;
        q -= 1;
    }
}

fn find_peak(p: &[f32], n: i32) -> i64 {
    let mut best: usize = 0;
    {
        let mut q: usize = 1;
        while q < n as usize {
            if p[q] > p[best] {
                best = q;
            }
            q += 1;
        }
    }
    best as i64
}

fn runs(p: &[f32], p_len: i64, level: f32) -> i32 {
    let mut p_at: usize = 0;
    let end: usize = p_at.wrapping_add(p_len as usize);
    let mut count: i32 = 0;
    while p_at != end {
        while p_at != end && p[p_at] <= level {
            p_at += 1;
        }
        if p_at == end {
            break;
        }
        count += 1;
        while p_at != end && p[p_at] > level {
            p_at += 1;
        }
    }
    count
}

fn copy_strided(dst: &mut [f32], ds: i32, src: &[f32], ss: i32, mut n: i32) {
    let mut dst_at: usize = 0;
    let mut src_at: usize = 0;
    while ({
        let old = n;
        n -= 1;
        old
    }) != 0
    {
        dst[dst_at] = src[src_at];
        dst_at = dst_at.wrapping_add(ds as usize);
        src_at = src_at.wrapping_add(ss as usize);
    }
}

fn minmax(p: &[f32], n: i32, lo: &mut f32, hi: &mut f32) {
    let mut p_at: usize = 0;
    *hi = p[p_at];
    *lo = *hi;
    {
        let e: usize = p_at.wrapping_add(n as usize);
        while p_at < e {
            if p[p_at] < *lo {
                *lo = p[p_at];
            }
            if p[p_at] > *hi {
                *hi = p[p_at];
            }
            p_at += 1;
        }
    }
}

fn main() {
    let mut x: Vec<f32> = vec![0.0_f32; N as usize];
    let mut y: Vec<f32> = vec![0.0_f32; N as usize];
    let mut z: Vec<f32> = vec![0.0_f32; (N / 2) as usize];
    let mut taps: [f32; 21] = [0.0; NT as usize];
    let windows: [fn(i32, i32) -> f32; 2] = [hann, rect];
    let names: Vec<&'static str> = vec!["hann", "rect"];
    for i in 0..N {
        x[i as usize] = (0.05 * i as f32).sin()
            + 0.3 * (1.3 * i as f32).sin()
            + (if i == 200 { 2.0_f32 } else { 0.0_f32 });
    }
    for w in 0..2 {
        let mut sum: f32 = 0.0;
        let mut lo: f32 = 0.0;
        let mut hi: f32 = 0.0;
        for i in 0..NT {
            sum += {
                taps[i as usize] = (windows[w])(i, NT);
                taps[i as usize]
            };
        }
        {
            let mut t: usize = 0;
            while t < NT as usize {
                taps[t] /= sum;
                t += 1;
            }
        }
        fir(&x, &mut y, N, &taps, NT);
        minmax(&y, N, &mut lo, &mut hi);
        let peak: usize = find_peak(&y, N) as usize;
        println!(
            "{}: {:.5}..{:.5} peak at {}, {} runs",
            names[w],
            c::Float(lo as f64),
            c::Float(hi as f64),
            peak as i64,
            runs(&y, N as i64, 0.5)
        );
        copy_strided(&mut z, 1, &y, 2, N / 2);
        reverse(&mut z, N / 2);
        println!(
            "  {:.5} {:.5}",
            c::Float(z[0] as f64),
            c::Float(z[(N / 2 - 1) as usize] as f64)
        );
    }
    drop(x);
    drop(y);
    drop(z);
}

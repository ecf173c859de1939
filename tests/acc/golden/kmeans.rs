//! Translated by acc2rs from `kmeans.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

const DIM: i32 = 2;
const K: i32 = 5;

/// Sets `label`, the loop at kmeans.c:25:5.
#[offload]
fn compute_label(pts: &[f64], centre: &[[f64; 2]], n: i32, label: &mut [i32]) {
    for i in 0..n {
        let mut best: f64 = 1.7976931348623157e308;
        let mut who: i32 = 0;
        for k in 0_i32..K {
            let mut d2: f64 = 0.0;
            for d in 0..DIM as usize {
                let t: f64 = pts[i as usize * DIM as usize + d] - centre[k as usize][d];
                d2 += t * t;
            }
            if d2 < best {
                best = d2;
                who = k;
            }
        }
        label[i as usize] = who;
    }
}

/// Adds into `count` and `sum`, the loop at kmeans.c:42:5.
#[offload(histogram)]
fn sum_count(label: &[i32], pts: &[f64], n: i32, count: &mut [i32], sum: &mut [[f64; 2]]) {
    for i in 0..n {
        count[label[i as usize] as usize] += 1;
        for d in 0..DIM as usize {
            sum[label[i as usize] as usize][d] += pts[i as usize * DIM as usize + d];
        }
    }
}

// Nearest centres and their sums: several atomics in one loop.
fn main() {
    let n: i32 = 1500;
    let mut pts: Vec<f64> = vec![0.0_f64; (n * DIM) as usize];
    let mut label: Vec<i32> = vec![0_i32; n as usize];
    let mut centre: [[f64; 2]; 5] = [[0.0; 2]; K as usize];
    let mut sum: [[f64; 2]; 5] = [[0.0; 2]; K as usize];
    let mut count: [i32; 5] = [0; K as usize];
    c::srand(11);
    for i in 0..n * DIM {
        pts[i as usize] = c::rand() as f64 / 2147483647.0;
    }
    for k in 0..K as usize {
        for d in 0..DIM as usize {
            centre[k][d] = pts[k * DIM as usize + d];
        }
    }
    for _ in 0..6 {
        for k in 0..K as usize {
            count[k] = 0;
            for d in 0..DIM as usize {
                sum[k][d] = 0.0;
            }
        }
        compute_label(&pts, &centre, n, &mut label);
        sum_count(&label, &pts, n, &mut count, &mut sum);
        for k in 0..K as usize {
            if count[k] > 0 {
                for d in 0..DIM as usize {
                    centre[k][d] = sum[k][d] / count[k] as f64;
                }
            }
        }
    }
    for k in 0..K as usize {
        println!(
            "{:.6} {:.6} {}",
            c::Float(centre[k][0]),
            c::Float(centre[k][1]),
            count[k]
        );
    }
    drop(pts);
    drop(label);
}

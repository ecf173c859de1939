//! Arrays that are changed in place and read ahead of where they are: tables of the best choice, trees and triangles that are folded up, differences.

use super::*;

#[derive(Clone, Copy)]
pub(super) struct Thing {
    weight: usize,
    value: u32,
}

/// Things of all weights up to one, 0 among them.
fn things(count: usize, most: u32) -> Vec<Thing> {
    let thing = |x: &u32| Thing {
        weight: (x % most) as usize,
        value: x * 7 % 90,
    };
    let mut things: Vec<Thing> = words(count, 1 << 16).iter().map(thing).collect();
    things[1].weight = 0;
    things[2].weight = 1;
    things
}

pub(super) struct Wave {
    u: Vec<f32>,
    reach: usize,
    damping: f32,
}

const MANY: usize = 3000;

loops! {
    fn binomial_tree(v: &mut Vec<f64>, p: f64, discount: f64) -> f64 {
        let steps = v.len() - 1;
        for step in (steps - 9..steps).rev() {
            for i in 0..=step {
                v[i] = discount * (p * v[i + 1] + (1.0 - p) * v[i]);
            }
        }
        v[0]
    } => { let mut v = doubles(MANY); (binomial_tree(&mut v, 0.5, 0.99), v) }

    fn knapsack(things: &[Thing], capacity: usize) -> Vec<u32> {
        let mut best = vec![0u32; capacity + 1];
        for thing in things {
            for c in (thing.weight..=capacity).rev() {
                best[c] = best[c].max(best[c - thing.weight] + thing.value);
            }
        }
        best
    } => { knapsack(&things(9, 1500), MANY) }

    fn knapsack_by_comparison(weights: &[usize], values: &[i64], capacity: usize) -> Vec<i64> {
        let mut best = vec![0i64; capacity + 1];
        for i in 0..weights.len() {
            for c in (weights[i]..=capacity).rev() {
                let with = best[c - weights[i]] + values[i];
                if with > best[c] {
                    best[c] = with;
                }
            }
        }
        best
    } => { let things = things(9, 1500); let weights: Vec<usize> = things.iter().map(|t| t.weight).collect(); knapsack_by_comparison(&weights, &[3, 9, 2, 8, 4, 1, 7, 5, 6], MANY) }

    fn subset_sums(x: &[usize], target: usize) -> Vec<bool> {
        let mut can = vec![false; target + 1];
        can[0] = true;
        for &v in x {
            for s in (v..=target).rev() {
                if can[s - v] {
                    can[s] = true;
                }
            }
        }
        can
    } => { let x: Vec<usize> = things(9, 900).iter().map(|t| t.weight).collect(); subset_sums(&x, MANY) }

    fn ways_to_pay(coins: &[usize], target: usize) -> Vec<u64> {
        let mut ways = vec![0u64; target + 1];
        ways[0] = 1;
        for coin in coins {
            for s in (*coin..target + 1).rev() {
                ways[s] += ways[s - *coin];
            }
        }
        ways
    } => { ways_to_pay(&[1, 2, 5, 0, 10, 20, 50, 1200], MANY) }

    fn divided_differences(x: &[f64], c: &mut [f64]) {
        let n = x.len();
        for j in 1..9 {
            for i in (j..n).rev() {
                c[i] = (c[i] - c[i - 1]) / (x[i] - x[i - j]);
            }
        }
    } => { let x: Vec<f64> = (0..MANY).map(|i| i as f64).collect(); let mut c = vec![0.0; MANY]; c[9] = 5.0; c[77] = -3.0; divided_differences(&x, &mut c); c }

    fn pascals_triangle(rows: usize, row: &mut Vec<u64>) {
        for r in rows - 5..rows {
            for k in (1..=r).rev() {
                row[k] = row[k].wrapping_add(row[k - 1]);
            }
        }
    } => { let mut row: Vec<u64> = words(MANY, 90).iter().map(|x| u64::from(*x)).collect(); pascals_triangle(MANY, &mut row); row }

    fn moved_down(rows: &mut [(f32, u32)]) {
        for i in 0..rows.len() - 2 {
            rows[i] = rows[i + 2];
        }
    } => { let mut rows: Vec<(f32, u32)> = quarters(MANY).into_iter().zip(words(MANY, 90)).collect(); moved_down(&mut rows); rows }

    fn differences_in_place(v: &mut Vec<i64>) {
        for i in 0..v.len() - 1 {
            v[i] = v[i + 1] - v[i];
        }
    } => { let mut v: Vec<i64> = words(MANY, 90).iter().map(|x| i64::from(*x)).collect(); differences_in_place(&mut v); v }

    fn two_at_once(a: &mut [i64], b: &mut [i64]) {
        for i in 0..a.len() - 1 {
            a[i] = a[i + 1] + b[i + 1];
            b[i] = 2 * b[i + 1] + a[i];
        }
    } => { let mut a: Vec<i64> = words(MANY, 90).iter().map(|x| i64::from(*x)).collect(); let mut b = a.clone(); b.reverse(); two_at_once(&mut a, &mut b); (a, b) }

    fn waves(wave: &mut Wave) {
        for i in 0..wave.u.len() - 2 * wave.reach - 1 {
            wave.u[i] = wave.damping * (wave.u[i] + wave.u[i + 1] + wave.u[i + wave.reach]);
        }
    } => {
        // Of 0 it is the iteration's own element, which goes in order.
        [0, 1, 2, 7].map(|reach| {
            let mut wave = Wave { u: quarters(MANY), reach, damping: 0.25 };
            waves(&mut wave);
            wave.u
        })
    }
}

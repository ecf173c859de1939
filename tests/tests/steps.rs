//! Nests whose outer iterations follow each other, written without any mark: the outer loop goes in order, and those inside it run in parallel. The
//! function without the attribute is the judge, on the CPU by several strategies and in the simulator.

#![allow(
    clippy::all,
    unreachable_pub,
    reason = "loops are written as people write them"
)]

use std::fmt::Debug;

use accrue::__bench::with_strategy;
use accrue::{Device, offload, with_device};
use accrue_tests::quiet::{expected, quiet};
use accrue_tests::twice;

const INF: i64 = i64::MAX;

twice! {
    pub fn floyd(d: &mut [u32], n: usize) {
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    let via = d[i * n + k] + d[k * n + j];
                    if via < d[i * n + j] {
                        d[i * n + j] = via;
                    }
                }
            }
        }
    }

    // A diagonal that is not 0 makes row and column `k` change in step `k`.
    pub fn longest(d: &mut [u32], n: usize) {
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    d[i * n + j] = d[i * n + j].max(d[i * n + k].wrapping_add(d[k * n + j]) % 1000);
                }
            }
        }
    }

    pub fn floyd_of_rows(dist: &mut Vec<Vec<i64>>) {
        let n = dist.len();
        for k in 0..n {
            for i in 0..n {
                if dist[i][k] == INF {
                    continue;
                }
                for j in 0..n {
                    if dist[k][j] == INF {
                        continue;
                    }
                    let via = dist[i][k] + dist[k][j];
                    if via < dist[i][j] {
                        dist[i][j] = via;
                    }
                }
            }
        }
    }

    pub fn reachable(r: &mut [[bool; 23]; 23]) {
        for k in 0..23 {
            for i in 0..23 {
                for j in 0..23 {
                    r[i][j] = r[i][j] || (r[i][k] && r[k][j]);
                }
            }
        }
    }

    pub fn gauss_jordan(a: &mut [f64], b: &mut [f64], n: usize) {
        for k in 0..n {
            let pivot = a[k * n + k];
            for j in 0..n {
                a[k * n + j] /= pivot;
            }
            b[k] /= pivot;
            for i in 0..n {
                if i != k {
                    let f = a[i * n + k];
                    for j in 0..n {
                        a[i * n + j] -= f * a[k * n + j];
                    }
                    b[i] -= f * b[k];
                }
            }
        }
    }

    pub fn gauss(a: &mut [f64], b: &mut [f64], n: usize) {
        for k in 0..n {
            let mut p = k;
            for i in k + 1..n {
                if a[i * n + k].abs() > a[p * n + k].abs() {
                    p = i;
                }
            }
            if p != k {
                for j in 0..n {
                    a.swap(k * n + j, p * n + j);
                }
                b.swap(k, p);
            }
            for i in k + 1..n {
                let f = a[i * n + k] / a[k * n + k];
                for j in k..n {
                    a[i * n + j] -= f * a[k * n + j];
                }
                b[i] -= f * b[k];
            }
        }
    }

    pub fn lu(a: &mut [f64], n: usize) {
        for k in 0..n {
            for i in k + 1..n {
                a[i * n + k] /= a[k * n + k];
                for j in k + 1..n {
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
                }
            }
        }
    }

    pub fn cholesky(a: &mut [f64], n: usize) {
        for k in 0..n {
            a[k * n + k] = a[k * n + k].sqrt();
            for i in k + 1..n {
                a[i * n + k] /= a[k * n + k];
            }
            for j in k + 1..n {
                for i in j..n {
                    a[i * n + j] -= a[i * n + k] * a[j * n + k];
                }
            }
        }
    }

    pub fn seams(energy: &[u32], cost: &mut [u32], w: usize, h: usize) {
        for x in 0..w {
            cost[x] = energy[x];
        }
        for y in 1..h {
            for x in 0..w {
                let mut best = cost[(y - 1) * w + x];
                if x > 0 {
                    best = best.min(cost[(y - 1) * w + x - 1]);
                }
                if x + 1 < w {
                    best = best.min(cost[(y - 1) * w + x + 1]);
                }
                cost[y * w + x] = energy[y * w + x] + best;
            }
        }
    }

    pub fn seams_upwards(cost: &mut [u32], w: usize, h: usize) {
        for y in (0..h - 1).rev() {
            for x in 0..w {
                let below = (y + 1) * w;
                let left = if x == 0 { u32::MAX } else { cost[below + x - 1] };
                let right = if x >= w - 1 { u32::MAX } else { cost[below + x + 1] };
                cost[y * w + x] += left.min(right).min(cost[below + x]);
            }
        }
    }

    pub fn heat(a: &mut Vec<f32>, b: &mut Vec<f32>, steps: usize) {
        for _ in 0..steps {
            for i in 1..a.len() - 1 {
                b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
            }
            std::mem::swap(a, b);
        }
    }

    pub fn exchanged_sums(a: &mut Vec<u32>, b: &mut Vec<u32>, n: usize) -> u32 {
        let mut sum = 0u32;
        for t in 0..n {
            for i in 0..a.len() {
                sum = sum.wrapping_add(a[i] << (t % 8));
            }
            std::mem::swap(a, b);
        }
        sum
    }

    pub fn exchanged_best(held: &mut Held<'_>) -> usize {
        let (mut best, mut at) = (0, 0);
        for t in 0..held.times {
            for i in 0..held.a.len() {
                if held.a[i] > best {
                    best = held.a[i];
                    at = i + t * 1000;
                }
            }
            std::mem::swap(held.a, held.b);
        }
        at
    }

    pub fn heat_copied(a: &mut [f32], b: &mut [f32], steps: usize) -> f32 {
        let mut change = 0.0f32;
        for _ in 0..steps {
            change = 0.0;
            for i in 1..a.len() - 1 {
                b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
                change = change.max((b[i] - a[i]).abs());
            }
            a.copy_from_slice(b);
        }
        change
    }

    pub fn power(m: &[f64], x: &mut Vec<f64>, y: &mut Vec<f64>, n: usize, steps: usize) {
        for _ in 0..steps {
            for i in 0..n {
                let mut s = 0.0;
                for j in 0..n {
                    s += m[i * n + j] * x[j];
                }
                y[i] = s;
            }
            let mut largest = 0.0f64;
            for i in 0..n {
                largest = largest.max(y[i].abs());
            }
            for i in 0..n {
                x[i] = y[i] / largest;
            }
        }
    }

    pub fn fewer(d: &mut [u32], mut n: usize) {
        for k in 0..n {
            n -= n / 7;
            for i in 0..n {
                d[i] = d[i].wrapping_mul(3) + d[k];
            }
        }
    }

    // Rows have gaps, or overlap.
    pub fn strided(d: &mut [u32], n: usize, stride: usize) {
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    d[i * stride + j] = d[i * stride + j].min(d[i * stride + k] / 2 + d[k * stride + j] / 2);
                }
            }
        }
    }
}

fn numbers(seed: u64, n: usize, below: u64) -> Vec<u64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    (0..n).map(|_| next()).collect()
}

fn small(seed: u64, n: usize) -> Vec<u32> {
    numbers(seed, n, 90).iter().map(|v| *v as u32 + 1).collect()
}

/// Rows whose largest element is that of the diagonal.
fn dominant(seed: u64, n: usize) -> Vec<f64> {
    let drawn = numbers(seed, n * n, 1000);
    let value = |at: usize| drawn[at] as f64 / 500.0 - 1.0;
    (0..n * n)
        .map(|at| match at / n == at % n {
            true => n as f64 + value(at),
            false => value(at),
        })
        .collect()
}

/// Compares the two on every device; of panics, the words.
fn agree<T: Clone + PartialEq + Debug, R: PartialEq + Debug>(
    name: &str,
    given: T,
    plain: impl Fn(&mut T) -> R,
    off: impl Fn(&mut T) -> R,
) {
    let _quiet = quiet();
    let run = |call: &dyn Fn(&mut T) -> R| {
        expected(|| {
            let mut data = given.clone();
            let result = call(&mut data);
            (data, result)
        })
    };
    let right = run(&plain);
    for strategy in ["private:workers=2,parts=5", "private:workers=3,parts=3"] {
        let found = with_device(Device::Cpu, || with_strategy(strategy, || run(&off)));
        assert!(
            found == right,
            "{name}, {strategy}: {found:?}\nand not {right:?}"
        );
    }
    let found = with_device(Device::Cpu, || run(&off));
    assert!(found == right, "{name}, cpu: {found:?}\nand not {right:?}");
    #[cfg(feature = "sim")]
    {
        let found = with_device(Device::Sim, || run(&off));
        assert!(found == right, "{name}, sim: {found:?}\nand not {right:?}");
    }
}

#[test]
fn paths() {
    for n in [1, 2, 3, 7, 20] {
        let d = small(n as u64, n * n);
        agree(
            "floyd",
            d.clone(),
            |d| plain::floyd(d, n),
            |d| off::floyd(d, n),
        );
        agree(
            "longest",
            d,
            |d| plain::longest(d, n),
            |d| off::longest(d, n),
        );
        let rows = |seed: usize| -> Vec<Vec<i64>> {
            let drawn = numbers(seed as u64, n * n, 60);
            let value = |v: &u64| if *v > 40 { INF } else { *v as i64 - 1 };
            drawn
                .chunks(n)
                .map(|row| row.iter().map(value).collect())
                .collect()
        };
        agree(
            "floyd_of_rows",
            rows(n),
            plain::floyd_of_rows,
            off::floyd_of_rows,
        );
    }
    let drawn = numbers(5, 23 * 23, 14);
    let mut links = [[false; 23]; 23];
    (0..23 * 23).for_each(|at| links[at / 23][at % 23] = drawn[at] == 0);
    agree("reachable", links, plain::reachable, off::reachable);
}

#[test]
fn rows_that_have_gaps_or_overlap() {
    for (n, stride) in [(5, 5), (6, 9), (6, 4), (6, 1), (7, 0)] {
        let d = small(n as u64, 80);
        agree(
            "strided",
            d,
            |d| plain::strided(d, n, stride),
            |d| off::strided(d, n, stride),
        );
    }
}

#[test]
fn elimination() {
    for n in [1, 2, 5, 16] {
        let (a, b) = (dominant(n as u64, n), dominant(99, n)[..n].to_vec());
        let both = (a.clone(), b);
        agree(
            "gauss_jordan",
            both.clone(),
            |(a, b)| plain::gauss_jordan(a, b, n),
            |(a, b)| off::gauss_jordan(a, b, n),
        );
        agree(
            "gauss",
            both.clone(),
            |(a, b)| plain::gauss(a, b, n),
            |(a, b)| off::gauss(a, b, n),
        );
        let mixed: Vec<f64> = numbers(3, n * n, 100)
            .iter()
            .map(|v| *v as f64 + 1.0)
            .collect();
        agree(
            "gauss",
            (mixed, both.1),
            |(a, b)| plain::gauss(a, b, n),
            |(a, b)| off::gauss(a, b, n),
        );
        agree("lu", a.clone(), |a| plain::lu(a, n), |a| off::lu(a, n));
        let symmetric: Vec<f64> = (0..n * n)
            .map(|at| a[at] + a[at % n * n + at / n])
            .collect();
        agree(
            "cholesky",
            symmetric,
            |a| plain::cholesky(a, n),
            |a| off::cholesky(a, n),
        );
    }
}

#[test]
fn rows_one_after_the_other() {
    for (w, h) in [(1, 1), (1, 5), (2, 3), (31, 9), (64, 4)] {
        let energy = small(w as u64, w * h);
        let cost = vec![0; w * h];
        agree(
            "seams",
            cost,
            |c| plain::seams(&energy, c, w, h),
            |c| off::seams(&energy, c, w, h),
        );
        agree(
            "upwards",
            energy.clone(),
            |c| plain::seams_upwards(c, w, h),
            |c| off::seams_upwards(c, w, h),
        );
    }
}

#[test]
fn rows_of_all_widths() {
    let widths = [1, 31, 32, 33, 127, 500, 1024, 1025, 3000, 4096, 5000];
    let widths = widths.map(|w| (w, 4, 1));
    // Gangs that take 32 steps by themselves.
    for (w, h, started) in widths.into_iter().chain([(256, 33, 1), (300, 70, 3)]) {
        let energy = small(w as u64, w * h);
        agree(
            &format!("seams of {w}"),
            vec![0; w * h],
            |c| plain::seams(&energy, c, w, h),
            |c| off::seams(&energy, c, w, h),
        );
        let energy: Vec<u8> = energy.iter().map(|e| *e as u8).collect();
        let expected = {
            let mut costs = vec![7u64; w * h];
            plain_forced(&energy, w, h, &mut costs);
            costs
        };
        #[cfg(feature = "sim")]
        {
            let mut costs = vec![7u64; w * h];
            let before = accrue::stats().launches;
            with_device(Device::Sim, || forced(&energy, w, h, &mut costs));
            assert!(costs == expected, "{w}");
            // Where overflow is checked, one gang takes all steps.
            let launches = accrue::stats().launches - before;
            assert!(launches == 1 || launches == started, "{launches}, {w}");
        }
        let mut costs = vec![7u64; w * h];
        with_device(Device::Cpu, || forced(&energy, w, h, &mut costs));
        assert!(costs == expected, "{w}");
    }
}

fn plain_forced(energy: &[u8], w: usize, h: usize, costs: &mut [u64]) {
    for y in 1..h {
        for x in 0..w {
            let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
            let above = costs[(y - 1) * w + left].max(costs[(y - 1) * w + right]);
            costs[y * w + x] = above.rotate_left(3) ^ energy[y * w + x] as u64;
        }
    }
}

/// Whatever the width of a row.
#[offload(strategy = "steps")]
fn forced(energy: &[u8], w: usize, h: usize, costs: &mut [u64]) {
    for y in 1..h {
        for x in 0..w {
            let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
            let above = costs[(y - 1) * w + left].max(costs[(y - 1) * w + right]);
            costs[y * w + x] = above.rotate_left(3) ^ energy[y * w + x] as u64;
        }
    }
}

#[derive(Debug)]
struct Held<'a> {
    a: &'a mut Vec<u32>,
    b: &'a mut Vec<u32>,
    times: usize,
}

#[test]
fn what_is_exchanged_is_read() {
    for n in [1, 4, 70] {
        let both = (small(3, n), small(5, n + 1));
        agree(
            "exchanged_sums",
            both.clone(),
            |(a, b)| plain::exchanged_sums(a, b, 3),
            |(a, b)| off::exchanged_sums(a, b, 3),
        );
        agree(
            "exchanged_best",
            both,
            |(a, b)| plain::exchanged_best(&mut Held { a, b, times: 4 }),
            |(a, b)| off::exchanged_best(&mut Held { a, b, times: 4 }),
        );
    }
}

/// A method has no companion, and its statics stand in it.
#[derive(Clone, Debug, PartialEq)]
struct Field {
    a: Vec<u32>,
    b: Vec<u32>,
    times: usize,
}

impl Field {
    fn plain(&mut self, by: u32) {
        for t in 0..self.times {
            for (i, v) in self.b.iter_mut().enumerate() {
                if i % 5 != t {
                    *v = self.a[i].wrapping_mul(3).wrapping_add(by);
                }
            }
        }
        for k in 0..self.times {
            for i in 0..self.times {
                self.a[i * self.times + k] += (i as u32).wrapping_mul(2_654_435_761) >> 9;
            }
        }
        for _ in 0..self.times {
            for i in 1..(self.times * self.times).saturating_sub(1) {
                self.a[i] = self.b[i - 1] ^ self.b[i + 1];
            }
            for i in 1..self.times * self.times {
                self.b[i] = self.b[i - 1].wrapping_add(i as u32);
            }
        }
    }

    #[offload]
    fn offloaded(&mut self, by: u32) {
        #[sequential]
        for t in 0..self.times {
            for (i, v) in self.b.iter_mut().enumerate() {
                if i % 5 != t {
                    *v = self.a[i].wrapping_mul(3).wrapping_add(by);
                }
            }
        }
        #[sequential]
        for k in 0..self.times {
            for i in 0..self.times {
                self.a[i * self.times + k] += (i as u32).wrapping_mul(2_654_435_761) >> 9;
            }
        }
        for _ in 0..self.times {
            for i in 1..(self.times * self.times).saturating_sub(1) {
                self.a[i] = self.b[i - 1] ^ self.b[i + 1];
            }
            for i in 1..self.times * self.times {
                self.b[i] = self.b[i - 1].wrapping_add(i as u32);
            }
        }
    }
}

#[test]
fn methods_of_steps() {
    for times in [0, 1, 9] {
        let n = times * times;
        let field = Field {
            a: small(3, n),
            b: small(4, n),
            times,
        };
        agree("a method", field, |f| f.plain(7), |f| f.offloaded(7));
    }
}

#[test]
fn steps_in_time() {
    for n in [2, 3, 50] {
        let a: Vec<f32> = small(8, n).iter().map(|v| *v as f32).collect();
        let both = (a.clone(), vec![0.0; n]);
        agree(
            "heat",
            both.clone(),
            |(a, b)| plain::heat(a, b, 5),
            |(a, b)| off::heat(a, b, 5),
        );
        agree(
            "copied",
            both,
            |(a, b)| plain::heat_copied(a, b, 5),
            |(a, b)| off::heat_copied(a, b, 5),
        );
    }
    let n = 12;
    let m = dominant(4, n);
    let start = (vec![1.0; n], vec![0.0; n]);
    agree(
        "power",
        start,
        |(x, y)| plain::power(&m, x, y, n, 6),
        |(x, y)| off::power(&m, x, y, n, 6),
    );
}

/// What a call starts in the simulator.
#[cfg(feature = "sim")]
fn launches(call: impl FnOnce()) -> u64 {
    let before = accrue::stats().launches;
    with_device(Device::Sim, call);
    accrue::stats().launches - before
}

#[test]
#[cfg(feature = "sim")]
fn steps_are_launched() {
    let n = 9;
    let all = [
        launches(|| off::floyd(&mut small(3, n * n), n)),
        launches(|| off::lu(&mut dominant(3, n), n)),
        launches(|| off::gauss_jordan(&mut dominant(3, n), &mut vec![1.0; n], n)),
        launches(|| off::seams(&small(3, 40), &mut small(3, 40), 8, 5)),
        launches(|| off::heat(&mut vec![1.0; 50], &mut vec![0.0; 50], 4)),
        launches(|| off::power(&dominant(3, n), &mut vec![1.0; n], &mut vec![0.0; n], n, 4)),
        launches(|| off::reachable(&mut [[false; 23]; 23])),
    ];
    assert!(all.iter().all(|launches| *launches > 0), "{all:?}");
}

#[test]
fn a_range_that_changes_meanwhile_goes_in_order() {
    for n in [1, 5, 30] {
        let d = small(n as u64, n);
        agree("fewer", d, |d| plain::fewer(d, n), |d| off::fewer(d, n));
    }
}

#[test]
fn what_panics_in_a_step_panics_as_it_would() {
    // One row too few; no elements at all.
    for len in [0, 5 * 4, 5 * 5 - 1] {
        let d = small(7, len);
        agree(
            "floyd",
            d.clone(),
            |d| plain::floyd(d, 5),
            |d| off::floyd(d, 5),
        );
        let energy = small(3, len);
        agree(
            "seams",
            d,
            |c| plain::seams(&energy, c, 5, 5),
            |c| off::seams(&energy, c, 5, 5),
        );
    }
}

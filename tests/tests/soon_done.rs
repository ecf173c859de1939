//! Nests whose outer iterations follow each other and whose rows are too short to be shared out: once that has been seen, the rest of the nest runs as it
//! is written. The function without the attribute is the judge, call after call, with every way to leave a loop.

#![allow(
    clippy::all,
    unreachable_pub,
    reason = "loops are written as people write them"
)]

use std::fmt::Debug;

use accrue::{Device, offload, with_device};
use accrue_tests::quiet::{expected, quiet};
use accrue_tests::twice;

twice! {
    pub fn seams(e: &[u32], w: usize, m: &mut [u32]) {
        for y in 1..m.len() / w {
            for x in 0..w {
                let mut best = m[(y - 1) * w + x];
                if x > 0 { best = best.min(m[(y - 1) * w + x - 1]); }
                if x + 1 < w { best = best.min(m[(y - 1) * w + x + 1]); }
                m[y * w + x] = e[y * w + x].wrapping_add(best);
            }
        }
    }

    // Every way out of the outer loop, and on with it.
    pub fn left(m: &mut [u32], w: usize, h: usize, last: u32) -> Option<usize> {
        let mut done = 0;
        'rows: for y in 1..h {
            for x in 0..w {
                m[y * w + x] = m[y * w + x].wrapping_add(m[(y - 1) * w + x]);
            }
            let mut k = 0;
            loop {
                k += 1;
                match (m[y * w] + k) % 7 {
                    0 => continue 'rows,
                    1 if m[y * w] % last == 0 => break 'rows,
                    2 => break,
                    _ => {}
                }
            }
            if m[y * w] % 3 == 0 {
                continue;
            }
            if m[y * w + 1] % last == 1 {
                break;
            }
            if m[y * w + 1] % (2 * last) == 2 {
                return None;
            }
            done += y;
        }
        Some(done)
    }

    // What is kept of a row is gone behind it.
    pub fn normed(v: &mut [f64], next: &mut [f64], steps: usize) -> f64 {
        let n = v.len();
        let mut all = 0.0;
        for _ in 0..steps {
            for i in 1..n - 1 {
                next[i] = 0.25 * v[i - 1] + 0.5 * v[i] + 0.25 * v[i + 1];
            }
            let mut most = 0.0f64;
            for i in 0..n {
                most = most.max(next[i].abs());
            }
            for i in 0..n {
                v[i] = next[i] / most;
            }
            all += most;
        }
        all
    }

    pub fn in_turns(a: &mut Vec<i32>, b: &mut Vec<i32>, steps: usize) {
        for t in 0..steps {
            for i in 1..a.len() - 1 {
                b[i] = a[i - 1] ^ a[i + 1].rotate_left(t as u32 % 5);
            }
            std::mem::swap(a, b);
        }
    }

    // Rows that become shorter.
    pub fn triangle(m: &mut [i64], n: usize) {
        for k in 0..n {
            for j in k + 1..n {
                m[j] = (m[j] * 31 + m[k]) % 1009;
            }
        }
    }

    // A vector that is moved away on the way out.
    pub fn taken(m: &mut [u32], w: usize, names: Vec<String>) -> usize {
        let mut found = 0;
        for y in 1..m.len() / w {
            for x in 0..w {
                m[y * w + x] ^= m[(y - 1) * w + x] >> 1;
            }
            if m[y * w] % 64 == 63 {
                found = names.into_iter().map(|name| name.len()).sum();
                break;
            }
        }
        found
    }

    // The rows are borrowed while their width is asked for.
    pub fn carried(m: &mut [u32], w: usize) -> u32 {
        let mut carry = 1u32;
        for row in m.chunks_mut(w) {
            for x in 0..w {
                row[x] = row[x].wrapping_mul(carry | 1);
            }
            carry = row[w - 1];
        }
        carry
    }

    // Sums of what nothing but the function sees, some of them too large.
    pub fn windows(m: &mut [u32], w: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let mut start = 0;
        while start + w <= m.len() {
            let (mut sum, mut odd) = (0u8, 0usize);
            for v in &m[start..start + w] {
                sum += (*v % 50) as u8;
                if v % 2 == 1 { odd += 1; }
            }
            m[start] = odd as u32;
            out.push(sum);
            start += 1 + w / 3;
        }
        out
    }

    // Bins of each round's own.
    pub fn commonest(m: &mut [u32], w: usize) -> Vec<usize> {
        let mut all = Vec::new();
        let mut at = 0;
        while at < m.len() {
            let mut bins = [0u32; 16];
            let end = (at + w).min(m.len());
            for v in &m[at..end] {
                bins[(*v % 17) as usize] += 1;
            }
            let most = bins.iter().max().unwrap();
            all.push(bins.iter().position(|n| n == most).unwrap());
            at = end;
        }
        all
    }

    // One for each iteration, behind inner loops.
    pub fn sums_behind(m: &mut [u32], w: usize) -> Vec<u32> {
        m.chunks(w).map(|row| {
            let mut sum = 0u32;
            for v in row { sum += *v >> 12; }
            100_000_000 / (sum % 4096)
        }).collect()
    }

    // The last rows have no elements.
    pub fn too_far(m: &mut [u32], w: usize, h: usize) {
        for y in 1..h {
            for x in 0..w {
                m[y * w + x] = m[y * w + x] / 2 + m[(y - 1) * w + x] / 2;
            }
        }
    }
}

fn numbers(seed: usize, n: usize) -> Vec<u32> {
    let mut state = seed as u64 * 0x9e37_79b9 + 12345;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as u32
    };
    (0..n).map(|_| next()).collect()
}

/// Compares the two in many calls: of short rows, for which the nest comes to run as it is written, with long ones in between.
fn agree<T: Clone + PartialEq + Debug, R: PartialEq + Debug>(
    name: &str,
    given: impl Fn(usize, usize) -> T,
    plain: impl Fn(&mut T, usize) -> R,
    off: impl Fn(&mut T, usize) -> R,
) {
    let _quiet = quiet();
    let devices = [
        Device::Cpu,
        #[cfg(feature = "sim")]
        Device::Sim,
        Device::Cpu,
    ];
    for (device, calls) in devices.into_iter().zip([300, 3, 40]) {
        for call in 0..calls {
            let w = match call % 50 {
                49 => 40,
                at => 4 + at % 5,
            };
            let run = |f: &dyn Fn(&mut T, usize) -> R| {
                expected(|| {
                    let mut data = given(call, w);
                    let result = f(&mut data, w);
                    (data, result)
                })
            };
            let right = run(&plain);
            let found = with_device(device, || run(&off));
            assert!(
                found == right,
                "{name}, {device:?}, call {call}: {found:?}\nand not {right:?}"
            );
        }
    }
}

#[test]
fn rows_one_below_the_other() {
    agree(
        "seams",
        |seed, w| numbers(seed, w * 30),
        |m, w| plain::seams(&numbers(7, w * 30), w, m),
        |m, w| off::seams(&numbers(7, w * 30), w, m),
    );
}

#[test]
fn ways_out_of_the_rows() {
    for last in [5, 17, 1000] {
        agree(
            "left",
            |seed, w| {
                let all = numbers(seed, w * 30);
                all.into_iter().map(|v| v % 1000).collect::<Vec<_>>()
            },
            |m, w| plain::left(m, w, 30, last),
            |m, w| off::left(m, w, 30, last),
        );
    }
    agree(
        "taken",
        |seed, w| numbers(seed, w * 30),
        |m, w| plain::taken(m, w, vec!["abc".to_owned(); w]),
        |m, w| off::taken(m, w, vec!["abc".to_owned(); w]),
    );
}

#[test]
fn several_loops_a_step() {
    let floats = |seed, w| {
        let all = numbers(seed, w).into_iter();
        all.map(|v| v as f64 / 1024.0 + 1.0).collect::<Vec<_>>()
    };
    agree(
        "normed",
        |seed, w| (floats(seed, w), floats(seed + 1, w)),
        |(v, next), w| plain::normed(v, next, 10 + w),
        |(v, next), w| off::normed(v, next, 10 + w),
    );
    let whole = |seed, w| {
        let all = numbers(seed, w).into_iter();
        all.map(|v| v as i32).collect::<Vec<_>>()
    };
    agree(
        "in_turns",
        |seed, w| (whole(seed, w), whole(seed + 1, w)),
        |(a, b), w| plain::in_turns(a, b, 20 + w),
        |(a, b), w| off::in_turns(a, b, 20 + w),
    );
}

#[test]
fn rows_that_become_shorter() {
    agree(
        "triangle",
        |seed, w| {
            let all = numbers(seed, 4 * w).into_iter();
            all.map(|v| v as i64 % 1009).collect::<Vec<_>>()
        },
        |m, w| plain::triangle(m, 4 * w),
        |m, w| off::triangle(m, 4 * w),
    );
}

#[test]
fn rows_that_are_lent_or_not_there() {
    agree(
        "carried",
        |seed, w| numbers(seed, w * 30),
        |m, w| plain::carried(m, w),
        |m, w| off::carried(m, w),
    );
    agree(
        "too_far",
        |seed, w| numbers(seed, w * 30 - seed % 2),
        |m, w| plain::too_far(m, w, 30),
        |m, w| off::too_far(m, w, 30),
    );
}

#[test]
fn sums_and_bins_of_a_round() {
    agree(
        "windows",
        |seed, w| numbers(seed, w * 9),
        |m, w| plain::windows(m, w),
        |m, w| off::windows(m, w),
    );
    agree(
        "commonest",
        |seed, w| {
            let far = if seed % 3 == 2 { 17 } else { 16 };
            let all = numbers(seed, w * 30).into_iter();
            all.map(|v| v % far).collect::<Vec<_>>()
        },
        |m, w| plain::commonest(m, w),
        |m, w| off::commonest(m, w),
    );
    agree(
        "sums_behind",
        |seed, w| numbers(seed, w * 30 + seed % 3),
        |m, w| plain::sums_behind(m, w),
        |m, w| off::sums_behind(m, w),
    );
}

#[offload(deterministic)]
fn again_and_again(x: &[f32], times: usize) -> Vec<f32> {
    let mut all = Vec::new();
    let mut n = 0;
    while n < times * 2 {
        let mut sum = 0.0f32;
        for v in x {
            sum += *v;
        }
        all.push(sum);
        n += 1 + usize::from(all.len() % 2 == 0);
    }
    all
}

#[test]
fn deterministic_sums_are_the_same_in_each_round() {
    let x: Vec<f32> = numbers(3, 20_000)
        .into_iter()
        .map(|v| 1.0 / (v + 1) as f32)
        .collect();
    for device in [Device::Cpu, Device::Seq] {
        let all = with_device(device, || again_and_again(&x, 500));
        assert!(all.iter().all(|sum| sum.to_bits() == all[0].to_bits()));
    }
}

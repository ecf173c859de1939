//! Iterations side by side on the CPU, where each one adds floats up: every bit, every panic and what it leaves are those of the function without the attribute.

#![allow(clippy::all, reason = "loops are written as people write them")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::offload;
use accrue_tests::quiet;

/// Functions of rows of a matrix twice: as they are, and offloaded; and their names.
macro_rules! twice {
    ($($name:ident |$a:ident, $x:ident, $y:ident, $m:ident, $n:ident| $body:block)*) => {
        mod plain {
            $(pub(super) fn $name($a: &[f64], $x: &[f64], $y: &mut [f64], $m: usize, $n: usize) -> f64 {
                let _ = ($a, $x, $m, $n);
                $body
            })*
        }
        $(#[offload] fn $name($a: &[f64], $x: &[f64], $y: &mut [f64], $m: usize, $n: usize) -> f64 {
            let _ = ($a, $x, $m, $n);
            $body
        })*
        type Run = fn(&[f64], &[f64], &mut [f64], usize, usize) -> f64;
        const ALL: &[(&str, Run, Run)] = &[$((stringify!($name), plain::$name, $name)),*];
    };
}

twice! {
    by_positions |a, x, y, m, n| {
        for i in 0..m { let mut sum = 0.0; for k in 0..n { sum += a[i * n + k] * x[k]; } y[i] = sum; }
        0.0
    }
    by_rows |a, x, y, m, n| {
        for (row, y) in a.chunks_exact(n.max(1)).zip(y.iter_mut()) {
            let mut sum = 0.0;
            for (a, x) in row.iter().zip(x) { sum += a * x; }
            *y = sum;
        }
        0.0
    }
    last_one_short |a, x, y, m, n| {
        for (i, (y, row)) in y.iter_mut().zip(a.chunks(n.max(1))).enumerate() {
            let (mut sum, scale) = (i as f64, x[i % x.len()]);
            for &a in row { sum -= a * scale; }
            *y -= sum;
        }
        0.0
    }
    slices |a, x, y, m, n| {
        for i in 0..m {
            let row = &a[i * n..(i + 1) * n];
            let mut least = f64::MAX;
            let mut at = 0u32;
            for (k, v) in row.iter().enumerate() { if *v < least { least = *v; at = k as u32; } }
            y[i] = least + at as f64;
        }
        0.0
    }
    ragged |a, x, y, m, n| {
        for i in 0..m {
            let first = i * n;
            let mut product = 1.0;
            for v in &a[first..first + n - i % (n + 1)] { product *= 1.0 + v * 1e-6; }
            y[i] = product;
        }
        0.0
    }
    moments |a, x, y, m, n| {
        let mut total = 0.0f64;
        let mut rows = 0u32;
        for i in 0..m {
            let (mut sum, mut squares, mut few) = (0.0, 0.0, 0u8);
            for k in 0..n {
                let v = a[i * n + k] - x[k];
                sum += v;
                squares += v * v;
                if v > 900.0 { few += 3; }
            }
            y[i] += squares - sum * sum / n as f64 + few as f64;
            rows += 1;
            total = total.max(sum);
        }
        total + rows as f64
    }
    scaled |a, x, y, m, n| {
        let (alpha, beta) = (x[0], 0.25);
        for i in 0..m {
            let mut sum: f64 = 0.0;
            for k in 0..n { sum = sum + a[k * m + i] * x[k]; }
            y[i] = alpha * sum + beta * y[i];
        }
        0.0
    }
    norms |a, x, y, m, n| {
        for (i, row) in y.chunks_exact_mut(n.max(1)).enumerate() {
            let mut sum = 0.0;
            for k in 0..n { sum += a[i * n + k] * a[i * n + k]; }
            let norm = sum.sqrt();
            for (k, y) in row.iter_mut().enumerate() { *y = a[i * n + k] / norm; }
        }
        0.0
    }
    read_before |a, x, y, m, n| {
        for i in 0..m { let mut sum = y[i]; for k in 0..n { sum += a[i * n + k] * x[k]; } y[i] = sum; }
        0.0
    }
    nearest |a, x, y, m, n| {
        for i in 0..m {
            let p = [a[i], a[i + 1], a[i + 2]];
            let mut best = f64::INFINITY;
            for q in x.windows(3) {
                let d = (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]);
                if d < best { best = d; }
            }
            y[i] = best;
        }
        0.0
    }
    forces |a, x, y, m, n| {
        for (i, f) in y.iter_mut().enumerate() {
            let at = a[i];
            let (mut push, mut pull) = (0.0, 0.0);
            for &other in x {
                let d = other - at;
                if d > 0.0 { push += d / (1.0 + d * d); } else { pull -= d; }
            }
            *f = push - pull;
        }
        0.0
    }
    // Whatever else is bound or done there, as it is written.
    no_semicolon |a, x, y, m, n| {
        let mut rows = 0u32;
        for i in 0..m { let mut sum = 0.0; for k in 0..n { sum += a[i * n + k] * x[k] } y[i] = sum; rows += 1 }
        rows as f64
    }
    changed_behind |a, x, y, m, n| {
        for i in 0..m { let mut sum = 0.0; let mut v = x[i]; for k in 0..n { sum += a[k]; } v *= sum; y[i] = v }
        0.0
    }
    three_points |a, x, y, m, n| {
        for i in 1..m - 1 {
            let mut sum = 0.0;
            for v in &[a[i - 1], a[i], a[i + 1]] { sum += v; }
            y[i] = sum / 3.0;
        }
        0.0
    }
    weights |a, x, y, m, n| {
        for (row, y) in a.chunks_exact(3).zip(y.iter_mut()) {
            let f = *y;
            let mut sum = 0.0;
            for (v, w) in row.iter().zip(&[f, 1.0, f]) { sum += v * w; }
            *y = sum;
        }
        0.0
    }
    part_of_a_local |a, x, y, m, n| {
        for i in 0..m {
            let c = [x[i], 1.0, 2.0];
            let w = &c[..2];
            let mut sum = 0.0;
            for v in w { sum += v; }
            y[i] = sum;
        }
        0.0
    }
    part_of_an_item |a, x, y, m, n| {
        let (threes, _) = a.as_chunks::<3>();
        for (row, y) in threes.iter().copied().zip(y.iter_mut()) {
            let mut sum = 0.0;
            let f = &row[1..];
            for v in f { sum += v; }
            *y = sum;
        }
        0.0
    }
    part_of_a_row |a, x, y, m, n| {
        for (row, y) in a.chunks_exact(n.max(1)).zip(y.iter_mut()) {
            let mut sum = 0.0;
            let f = &row[n / 3..];
            for v in f { sum += v; }
            *y = sum;
        }
        0.0
    }
    bytes |a, x, y, m, n| {
        for i in 0..m {
            let w = &x[i].to_le_bytes()[..];
            let mut sum = 0.0;
            for v in w { sum += *v as f64; }
            y[i] = sum;
        }
        0.0
    }
    deep |a, x, y, m, n| {
        let rows: Vec<Vec<f64>> = a.chunks(n.max(1)).map(|row| row.to_vec()).collect();
        for i in 0..rows.len() {
            let mut sum = 0.0;
            for v in &rows[i] { sum += v; }
            y[i] = sum;
        }
        0.0
    }
    names |a, x, y, m, n| {
        let w = n;
        for i in 0..m {
            let w = w + 0;
            let mut sum = 0.0;
            for k in 0..n { let w = i * w + k; let v = a[w]; sum += v; }
            y[i] = sum * w as f64;
        }
        0.0
    }
    own_array |a, x, y, m, n| {
        for i in 0..m {
            let mut recent = [0.0; 3];
            let mut sum = 0.0;
            for k in 0..n { recent[k % 3] = a[i * n + k]; sum += recent[0] - recent[2]; }
            y[i] = sum;
        }
        0.0
    }
    collected |a, x, y, m, n| {
        for i in 0..m {
            let mut kept = Vec::new();
            let mut sum = 0.0;
            for k in 0..n { sum += a[i * n + k]; kept.push(sum); }
            y[i] = kept.len() as f64;
        }
        0.0
    }
    behind_twice |a, x, y, m, n| {
        for i in 0..m {
            let mut sum = 0.0;
            for k in 0..n { sum += a[i * n + k]; }
            y[2 * i] = sum;
            y[2 * i + 1] = x[i] - sum;
        }
        0.0
    }
    stepping |a, x, y, m, n| {
        for i in (1..m).rev().step_by(2) {
            let mut sum = 0.0;
            for k in 1..=n / 2 { sum += a[i * n + k]; }
            y[i] = sum;
        }
        0.0
    }
}

/// The bits that a run leaves and returns, and the panic's words.
fn outcome(
    run: Run,
    a: &[f64],
    x: &[f64],
    len: usize,
    [m, n]: [usize; 2],
) -> (Vec<u64>, u64, Option<String>) {
    let mut y: Vec<f64> = (0..len).map(|n| n as f64 * 0.7 - 3.0).collect();
    let ran = catch_unwind(AssertUnwindSafe(|| run(a, x, &mut y, m, n)));
    let (value, words) = match ran {
        Ok(value) => (value.to_bits(), None),
        Err(panic) => match panic.downcast::<String>() {
            Ok(words) => (0, Some(*words)),
            Err(panic) => (
                0,
                Some((*panic.downcast_ref::<&str>().expect("words")).to_owned()),
            ),
        },
    };
    (y.into_iter().map(f64::to_bits).collect(), value, words)
}

#[test]
fn bits_and_panics_are_the_plain_loops() {
    let _quiet = quiet();
    let numbers = |len: usize, seed: f64| -> Vec<f64> {
        let of = |n: usize| ((n * n) as f64 * seed).sin() * 1e3;
        (0..len).map(of).collect()
    };
    let mut panics = 0;
    for &(name, plain, offloaded) in ALL {
        for [m, n] in [
            [0, 3],
            [3, 0],
            [2, 9],
            [4, 8],
            [7, 3],
            [31, 40],
            [101, 17],
            [64, 300],
        ] {
            for (a, x, y) in [
                (0, 0, 0),
                (1, 0, 0),
                (n + 3, 0, 0),
                (0, 1, 0),
                (0, n / 2, 0),
                (0, 0, 1),
                (0, 0, m / 2 + 2),
            ] {
                let size = |of: usize, short: usize| match short {
                    0 => of * 2 + 3 + m,
                    short => of.saturating_sub(short),
                };
                let (a, x) = (
                    numbers(size(m * n, a), 0.37),
                    numbers(size(n, x).max(1), 0.91),
                );
                let len = size(m, y);
                let (expected, value, words) = outcome(plain, &a, &x, len, [m, n]);
                panics += usize::from(words.is_some());
                for strategy in [
                    "",
                    "private:workers=1,parts=1",
                    "private:workers=2,parts=2",
                    "private:workers=3,parts=7",
                ] {
                    let run = || outcome(offloaded, &a, &x, len, [m, n]);
                    let (found, of, told) = match strategy {
                        "" => run(),
                        strategy => with_strategy(strategy, run),
                    };
                    let what =
                        format!("{name}, {strategy}, {m} {n}, {} {} {len}", a.len(), x.len());
                    assert_eq!(told, words, "{what}");
                    if words.is_none() {
                        assert_eq!((found, of), (expected.clone(), value), "{what}");
                    }
                }
            }
        }
    }
    assert!(panics > 50, "{panics} panics");
}

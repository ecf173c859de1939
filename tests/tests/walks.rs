//! Arrays that are indexed at places that go up or down evenly: results, panics and what they leave are those of the function without the attribute, wherever an
//! index stops fitting.

#![allow(clippy::all, reason = "loops are written as people write them")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::offload;
use accrue_tests::quiet;

/// Functions of two arrays and two numbers twice: as they are, and offloaded; and their names.
macro_rules! twice {
    ($($name:ident |$x:ident, $out:ident, $n:ident, $k:ident| $body:block)*) => {
        mod plain {
            $(pub(super) fn $name($x: &[u32], $out: &mut [u32], $n: usize, $k: usize) {
                let _ = ($n, $k);
                $body;
            })*
        }
        $(#[offload] fn $name($x: &[u32], $out: &mut [u32], $n: usize, $k: usize) {
                let _ = ($n, $k);
                $body;
            })*
        type Run = fn(&[u32], &mut [u32], usize, usize);
        const ALL: &[(&str, Run, Run)] = &[$((stringify!($name), plain::$name, $name)),*];
    };
}

twice! {
    mirror |x, out, n, k| { for i in 0..n { out[n - 1 - i] = x[i] ^ 1; } }
    mirrored |x, out, n, k| { for i in 0..n { out[i] = x[n - 1 - i] ^ 1; } }
    below |x, out, n, k| { for i in 0..n { out[k - i] = x[i]; } }
    behind |x, out, n, k| { for i in k..n { out[i - k] = x[i]; } }
    before |x, out, n, k| { for i in 0..n { out[i] = x[i - k]; } }
    interleave |x, out, n, k| { for i in 0..n / 2 { out[2 * i] = x[i]; out[2 * i + 1] = x[i + k] + 1; } }
    pairs |x, out, n, k| { for i in 0..n / 2 { out[i] = x[2 * i] ^ x[i * 2 + 1] ^ x[1 + 2 * i]; } }
    steps |x, out, n, k| { for i in (0..n).step_by(3) { out[i] = x[i]; out[i + 1] = x[i] + 1; } }
    steps_of |x, out, n, k| { for i in (k..n).step_by(k + 1) { out[i] = x[i] + i as u32; } }
    countdown |x, out, n, k| { for i in (0..n).rev() { out[i] = x[i] + i as u32; } }
    inclusive |x, out, n, k| { for i in (k..=n).rev() { out[i] = x[i - 1]; } }
    some |x, out, n, k| { for (i, v) in x.iter().enumerate().skip(k).take(n) { out[i] = v ^ x[i]; } }
    column |x, out, n, k| { let w = k; for i in 0..n / 4 { out[i * w + 2] = x[3 + w * i]; } }
    enumerate |x, out, n, k| { for (i, v) in x.iter().rev().enumerate() { out[i + k] = *v; } }
    enumerate_rev |x, out, n, k| { for (i, v) in x[..n].iter().enumerate().rev().step_by(2) { out[i] = *v; } }
    clamped |x, out, n, k| { for i in 0..n { out[i] = x[i.saturating_sub(k)] ^ x[(i + k).min(n - 1)] ^ x[i.max(k)]; } }
    clamped_pair |x, out, n, k| {
        for i in 0..n {
            let (left, right) = (i.saturating_sub(1), (i + 1).min(n - 1));
            out[i] = x[left] ^ x[i] ^ x[right];
        }
    }
    edges |x, out, n, k| {
        let w = k + 1;
        for y in 0..n / w {
            for i in 0..w {
                let (left, right) = (i.saturating_sub(1), (i + 1).min(w - 1));
                let (above, below) = (y.saturating_sub(1), (y + 1).min(n / w - 1));
                out[y * w + i] = x[y * w + left] ^ x[y * w + right] ^ x[above * w + i] ^ x[below * w + i];
            }
        }
    }
    edges_of_chunks |x, out, n, k| {
        for (y, row) in out.chunks_mut(k + 14).enumerate() {
            for i in 0..row.len() {
                if i % 7 == 3 { continue; }
                row[i] = x[(y * (k + 14) + i).saturating_sub(2 * k).min(n)];
            }
        }
    }
    lowered |x, out, n, k| {
        for row in out.chunks_mut(k + 20) {
            let mut k = k + 15;
            for i in 0..row.len() {
                row[i] = x[i.min(k)];
                (k, _) = (k.saturating_sub(1), 0);
            }
        }
    }
    from_below |x, out, n, k| {
        for i in -5i64..n as i64 - 5 {
            out[(i + 5) as usize] = x[k.min(i as usize)];
        }
    }
    halo |x, out, n, k| {
        for i in 0..n {
            let left = if i > 0 { x[i - 1] } else { 0 };
            let right = if i + 1 < n { x[i + 1] } else { 0 };
            out[i] = left ^ right;
        }
    }
    named |x, out, n, k| {
        for i in 0..n {
            let j = n - 1 - i;
            let far = j + k;
            if far < x.len() { out[j] = x[far]; }
        }
    }
    shadowed |x, out, n, k| {
        let j = k;
        for i in 0..n {
            let v = if i % 2 == 0 { let j = n - 1 - i; x[j] } else { x[j] };
            out[i] = v;
        }
    }
    narrow |x, out, n, k| { for i in 0..n as u32 { out[i as usize] = x[i as usize + k] ^ i; } }
    signed |x, out, n, k| { for i in -3..n as i32 { if i >= 0 { out[i as usize] = x[n - i as usize]; } } }
    halves |x, out, n, k| { for i in 0..n { out[i] = x[i + n / 2] ^ x[k / 3 + i]; } }
    own_length |x, out, n, k| { for i in 0..n { let v = x[x.len() - 1 - i]; out[i] = v; } }
    counted |x, out, n, k| { let mut sum = 0u32; for i in 0..n { out[i] = x[i]; sum = sum.wrapping_add(x[i + k]); } out[0] = sum; }
}

/// What a run leaves, and the panic's words.
fn outcome(run: Run, x: &[u32], len: usize, n: usize, k: usize) -> (Vec<u32>, Option<String>) {
    let mut out = vec![7; len];
    let panic = catch_unwind(AssertUnwindSafe(|| run(x, &mut out, n, k)));
    let words = panic.err().map(|panic| match panic.downcast::<String>() {
        Ok(words) => *words,
        Err(panic) => (*panic.downcast_ref::<&str>().expect("words")).to_owned(),
    });
    (out, words)
}

#[test]
fn results_and_panics_are_the_plain_loops() {
    let _quiet = quiet();
    let x: Vec<u32> = (0..101).map(|i| i * i + 5).collect();
    let mut panics = 0;
    for &(name, plain, offloaded) in ALL {
        for (n, k) in [
            (0, 0),
            (1, 0),
            (7, 3),
            (60, 0),
            (60, 1),
            (61, 5),
            (100, 99),
            (101, 2),
            (130, 4),
        ] {
            for len in [0, 1, 50, 59, 60, 61, 120, 250] {
                let (expected, words) = outcome(plain, &x, len, n, k);
                panics += usize::from(words.is_some());
                for strategy in [
                    "sequential",
                    "private:workers=1,parts=9",
                    "private:workers=3,parts=7",
                    "private:workers=2,parts=100",
                ] {
                    let (found, told) =
                        with_strategy(strategy, || outcome(offloaded, &x, len, n, k));
                    let what = format!("{name}, {strategy}, n {n}, k {k}, {len} elements");
                    assert_eq!(told, words, "{what}");
                    // Other parts may have run where one panics.
                    if words.is_none() || strategy == "sequential" {
                        assert_eq!(found, expected, "{what}");
                    }
                }
                let (found, told) = outcome(offloaded, &x, len, n, k);
                assert_eq!(
                    (found, told),
                    (expected, words),
                    "{name}, n {n}, k {k}, {len} elements"
                );
            }
        }
    }
    assert!(panics > 100, "{panics} panics");
}

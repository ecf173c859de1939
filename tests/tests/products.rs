//! Products of matrices on the CPU: every bit, every panic and what it leaves are those of the function without the attribute, whatever order the loops are in and whatever stands around them.

#![allow(clippy::all, reason = "loops are written as people write them")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::offload;
use accrue_tests::quiet;

/// Sizes: rows, columns, products.
#[derive(Clone, Copy)]
struct Size {
    m: usize,
    n: usize,
    l: usize,
}

/// Functions of three matrices twice: as they are, and offloaded; and their names.
macro_rules! twice {
    ($t:ident: $($name:ident |$a:ident, $b:ident, $c:ident, $m:ident, $n:ident, $l:ident| $body:block)*) => {
        mod plain {
            $(pub(super) fn $name($a: &[$t], $b: &[$t], $c: &mut [$t], $m: usize, $n: usize, $l: usize) {
                let _ = ($m, $n, $l);
                $body;
            })*
        }
        $(#[offload] fn $name($a: &[$t], $b: &[$t], $c: &mut [$t], $m: usize, $n: usize, $l: usize) {
            let _ = ($m, $n, $l);
            $body;
        })*
        type Run = fn(&[$t], &[$t], &mut [$t], usize, usize, usize);
        const ALL: &[(&str, Run, Run)] = &[$((stringify!($name), plain::$name, $name)),*];
    };
}

twice! { f64:
    local |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n {
            let mut sum = 0.0;
            for k in 0..l { sum += a[i * l + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
    in_place |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n { for k in 0..l { c[i * n + j] += a[i * l + k] * b[k * n + j]; } } }
    }
    by_rows |a, b, c, m, n, l| {
        for i in 0..m { for k in 0..l { let x = a[i * l + k]; for j in 0..n { c[i * n + j] += x * b[k * n + j]; } } }
    }
    named |a, b, c, m, n, l| {
        for i in 0..m {
            let (row, to) = (i * l, i * n);
            let from = i * l;
            for j in 0..n {
                let mut sum: f64 = 0.0;
                for k in 0..l { let at = from + k; sum = sum + b[k * n + j] * a[at]; }
                c[to + j] += 0.5 * sum + row as f64;
            }
        }
    }
    turned |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n {
            let at = j * l;
            let mut sum = 0.0;
            for k in 0..l { sum += a[k * m + i] * b[at + k]; }
            if sum > 0.0 { c[i + j * m] = sum; }
        } }
    }
    columns_first |a, b, c, m, n, l| {
        for j in 0..n { for i in 0..m {
            let mut sum = 0.0;
            for k in 0..l { sum += a[i * l + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
    within |a, b, c, m, n, l| {
        for i in 1..m { for j in 2..n {
            let mut sum = 0.0;
            for k in 1..l { sum += a[(i - 0) * l + k] * b[k * n + (j + 1 - 1)]; }
            c[(i * n) + j] = sum;
        } }
    }
    windows |a, b, c, m, n, l| {
        for i in 0..m / 2 { for j in 0..n / 2 {
            let mut sum = 0.0;
            for k in 0..l / 2 { sum += a[i + k] * b[2 * j + 3 * k]; }
            c[i * n + j] = sum;
        } }
    }
    squared |a, b, c, m, n, l| {
        let _ = b;
        for i in 0..m { for j in 0..m {
            let mut sum = 0.0;
            for k in 0..l { sum += a[i * l + k] * a[j * l + k]; }
            c[i * n + j] = sum;
        } }
    }
    // Names that are bound more than once, or behind.
    late |a, b, c, m, n, l| {
        let w = l;
        for i in 0..m { for j in 0..n {
            let mut sum = 0.0;
            for k in 0..l { sum += a[i * w + k] * b[k * n + j]; }
            let w = 1usize;
            c[i * n + j] = sum + w as f64;
        } }
    }
    behind |a, b, c, m, n, l| {
        let w = n;
        for i in 0..m {
            for j in 0..n {
                let mut sum = 0.0;
                for k in 0..l { sum += a[i * l + k] * b[k * w + j]; }
                c[i * n + j] = sum;
            }
            let w = 2usize;
            let _ = w;
        }
    }
    between |a, b, c, m, n, l| {
        let w = l;
        for i in 0..m { for j in 0..n {
            let r = i * w;
            let w = 1usize;
            let mut sum = 0.0;
            for k in 0..l { sum += a[r + k] * b[k * n + j * w]; }
            c[i * n + j] = sum;
        } }
    }
    inside |a, b, c, m, n, l| {
        let w = l;
        for i in 0..m { for k in 0..l { let x = a[i * w + k]; for j in 0..n { let w = 1usize; c[i * n + j * w] += x * b[k * n + j]; } } }
    }
    itself |a, b, c, m, n, l| {
        let w = l as u32;
        for i in 0..m { let w = w as usize; for k in 0..l { for j in 0..n { c[i * n + j] += a[i * w + k] * b[k * n + j]; } } }
    }
    one_more |a, b, c, m, n, l| {
        let w = l;
        for i in 0..m { let w = w + 0; for j in 0..n { let mut sum = 0.0; for k in 0..l { sum += a[i * w + k] * b[k * n + j]; } c[i * n + j] = sum; } }
    }
    outer_position |a, b, c, m, n, l| {
        let j = 3usize;
        for i in 0..m { let r = i + j; for j in 0..n { let mut sum = 0.0; for k in 0..l { sum += a[r + k] * b[k * n + j]; } c[i * n + j] = sum; } }
    }
    // What only panics, or acts.
    read_for_nothing |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n {
            let mut sum = 0.0;
            for k in 0..l { let _y = b[k + l * n]; sum += a[i * l + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
    divided |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n {
            let mut sum = 0.0;
            for k in 0..l { let _y = 100 / k.wrapping_sub(20); sum += a[i * l + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
    halved |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n {
            let mut sum = 0.0;
            for k in 0..l { let _q = { sum *= 0.5; 1 }; sum += a[i * l + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
    inferred |a, b, c, m, n, l| {
        let z = 0u8;
        for i in 0..m { let q: usize = z as _; for j in 0..n {
            let mut sum = 0.0;
            for k in 0..l { sum += a[q + i * l + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
    // Sums of one column go to one element, which is no matrix.
    collected |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n { for k in 0..l { c[i] += a[i * l + k] * b[k * n + j]; } } }
    }
    twice_a |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n { for k in 0..l { c[i * n + j] += a[i * l + k] * b[i * l + k]; } } }
    }
    both_of_all |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n {
            let mut sum = 0.0;
            for k in 0..l { sum += a[i + j + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
    begun |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n {
            let mut sum = 0.0;
            sum += a[i];
            for k in 0..l { sum += a[i * l + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
    triangle |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n {
            let mut sum = 0.0;
            for k in 0..j.min(l) { sum += a[i * l + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
    left_out |a, b, c, m, n, l| {
        for i in 0..m { for j in 0..n {
            if (i + j) % 3 == 0 { continue; }
            let mut sum = 0.0;
            for k in 0..l { sum += a[i * l + k] * b[k * n + j]; }
            c[i * n + j] = sum;
        } }
    }
}

/// The bits that a run leaves, and the panic's words.
fn outcome(
    run: Run,
    a: &[f64],
    b: &[f64],
    len: usize,
    Size { m, n, l }: Size,
) -> (Vec<u64>, Option<String>) {
    let mut c: Vec<f64> = (0..len).map(|n| n as f64 * 0.7 - 3.0).collect();
    let panic = catch_unwind(AssertUnwindSafe(|| run(a, b, &mut c, m, n, l)));
    let words = panic.err().map(|panic| match panic.downcast::<String>() {
        Ok(words) => *words,
        Err(panic) => (*panic.downcast_ref::<&str>().expect("words")).to_owned(),
    });
    (c.into_iter().map(f64::to_bits).collect(), words)
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
        for [m, n, l] in [
            [0, 3, 3],
            [3, 0, 3],
            [9, 9, 0],
            [5, 7, 9],
            [40, 33, 21],
            [19, 26, 201],
            [101, 17, 8],
        ] {
            let size = Size { m, n, l };
            for (short_a, short_b, short_c) in
                [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, n / 2)]
            {
                let whole = (m * l).max(m + n + l) + m + n + l;
                let a = numbers(
                    if short_a > 0 {
                        (m * l).saturating_sub(1)
                    } else {
                        whole
                    },
                    0.37,
                );
                let whole = (l * n).max(3 * (l + n)).max(m * l);
                let b = numbers(
                    if short_b > 0 {
                        (l * n).saturating_sub(1)
                    } else {
                        whole
                    },
                    0.91,
                );
                let whole = (m * n).max(m * m + n).max(3 * m + n).max(m * n + m);
                let len = if short_c > 0 {
                    (m * n).saturating_sub(short_c)
                } else {
                    whole
                };
                let (expected, words) = outcome(plain, &a, &b, len, size);
                panics += usize::from(words.is_some());
                for strategy in [
                    "private:workers=1,parts=1",
                    "private:workers=2,parts=2",
                    "private:workers=3,parts=5",
                ] {
                    let (found, told) =
                        with_strategy(strategy, || outcome(offloaded, &a, &b, len, size));
                    let what = format!("{name}, {strategy}, {m} {n} {l}, {len} elements");
                    assert_eq!(told, words, "{what}");
                    if words.is_none() {
                        assert_eq!(found, expected, "{what}");
                    }
                }
                let (found, told) = outcome(offloaded, &a, &b, len, size);
                assert_eq!(told, words, "{name}, {m} {n} {l}, {len} elements");
                if words.is_none() {
                    assert_eq!(found, expected, "{name}, {m} {n} {l}, {len} elements");
                }
            }
        }
    }
    assert!(panics > 50, "{panics} panics");
}

#[offload(contract)]
fn contracted(a: &[f64], b: &[f64], c: &mut [f64], m: usize, n: usize, l: usize) {
    for i in 0..m {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..l {
                sum += a[i * l + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// Whether the processor has an instruction for a product and a sum.
fn fuses() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    cfg!(target_arch = "aarch64")
}

#[test]
fn products_are_fused_where_that_is_let() {
    let numbers = |len: usize, seed: f64| -> Vec<f64> {
        let of = |n: usize| ((n * n) as f64 * seed).sin() * 1e3;
        (0..len).map(of).collect()
    };
    for [m, n, l] in [[40, 33, 21], [19, 26, 201], [101, 17, 8]] {
        let (a, b) = (numbers(m * l, 0.37), numbers(l * n, 0.91));
        let by = |add: fn(f64, f64, f64) -> f64| -> Vec<f64> {
            let sum = |at: usize| {
                (0..l).fold(0.0, |sum, k| add(a[at / n * l + k], b[k * n + at % n], sum))
            };
            (0..m * n).map(sum).collect()
        };
        let (rounded, fused) = (by(|x, y, sum| sum + x * y), by(f64::mul_add));
        assert_ne!(rounded, fused);
        let mut c = vec![0.0; m * n];
        // However rows are split.
        for parts in [1, 3, m] {
            with_strategy(&format!("private:workers=2,parts={parts}"), || {
                contracted(&a, &b, &mut c, m, n, l);
            });
            let same = c == *if fuses() { &fused } else { &rounded };
            assert!(same, "{m} {n} {l} in {parts} parts");
        }
    }
}

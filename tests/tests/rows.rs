//! Nested loops whose rows belong to one iteration of the outermost loop: every form of an inner loop, against the same function
//! without the attribute, on every device.

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::{Device, offload, with_device};

/// A function twice: as it is, and offloaded.
macro_rules! forms {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        mod sequential {
            $(pub(crate) fn $name($($params)*) $body)*
        }
        $(#[offload(histogram)] fn $name($($params)*) $body)*
    };
}

forms! {
    fn ends(grid: &[u32], w: usize, out: &mut [u32]) {
        for y in 0..out.len() {
            for x in 1..w - 1 {
                out[y] += grid[y * w + x];
            }
        }
    }

    fn middle(grid: &[u32], w: u32, out: &mut [u32]) {
        for y in 0..out.len() {
            for x in (w / 3..=w / 2 + 1).rev() {
                out[y] ^= grid[y * w as usize + x as usize] + x;
            }
        }
    }

    fn casts(grid: &[u32], w: u32, out: &mut [u32]) {
        for y in 2..out.len() {
            for x in 0..w as usize {
                out[y] += grid[y * w as usize + x];
            }
        }
    }

    fn skipped(grid: &[u32], w: usize, out: &mut [u32]) {
        for (y, start) in (0..out.len()).enumerate() {
            for x in (0..w).skip(2).step_by(3) {
                if grid[start * w + x] % 5 < 2 {
                    continue;
                }
                out[y] += grid[start * w + x];
            }
        }
    }

    fn bytes(word: &str, seed: &[u32], out: &mut [u32]) {
        for y in 0..out.len() {
            for (i, &b) in word.as_bytes().iter().enumerate() {
                out[y] += seed[y] ^ (b as u32 + i as u32);
            }
        }
    }

    fn letters(seed: &[u32], out: &mut [u32]) {
        for y in 0..out.len() {
            for &b in b"histogram" {
                out[y] += seed[y] % u32::from(b);
            }
        }
    }

    fn columns(grid: &[u32], w: usize, out: &mut [[u32; 8]]) {
        for y in 0..out.len() {
            for x in 0..w {
                let column = grid[y * w + x] as usize % 8;
                out[y][column] += x as u32 + 1;
            }
        }
    }

    fn deep(grid: &[u32], w: usize, out: &mut [u32]) {
        for y in 0..out.len() {
            for x in 0..w - 1 {
                for c in 1..4 {
                    let mut n = grid[y * w + x] + c;
                    while n > 3 {
                        n /= 2;
                        if n == 7 {
                            continue;
                        }
                        if n == 5 {
                            break;
                        }
                    }
                    if n % 3 == 1 {
                        continue;
                    }
                    out[y] += n;
                }
            }
        }
    }

    fn table(grid: &[u32], weights: &[u32], out: &mut [u32]) {
        let n = weights.len();
        for y in 0..out.len() {
            for (&weight, k) in weights.iter().rev().zip(0..n) {
                out[y] = out[y].max(weight * grid[y * n + k]);
            }
        }
    }
}

type Run<'a> = &'a dyn Fn(&mut [u32]);

/// Compares bins, or that both panic and what they leave.
fn check(name: &str, sequential: Run<'_>, offloaded: Run<'_>, bins: &[u32]) {
    let run = |f: Run<'_>| {
        let mut bins = bins.to_vec();
        let ended = catch_unwind(AssertUnwindSafe(|| f(&mut bins)));
        ended.map(|()| bins).ok()
    };
    let expected = run(sequential);
    let mut devices = vec![Device::Seq, Device::Cpu, Device::Auto];
    if cfg!(feature = "sim") {
        devices.push(Device::Sim);
    }
    for device in devices {
        let found = with_device(device, || run(offloaded));
        assert_eq!(found, expected, "{name} on {device:?}");
    }
}

macro_rules! check {
    ($($name:ident($($arg:expr),*; $bins:expr);)*) => {$(
        let bins = $bins;
        check(
            stringify!($name),
            &|bins| sequential::$name($($arg,)* bins.try_into().expect("bins")),
            &|bins| $name($($arg,)* bins.try_into().expect("bins")),
            &bins,
        );
        let text = $name::explain();
        assert!(text.contains("a bin of its own"), "{text}");
        assert!(text.contains("runs on: cpu, gpu"), "{text}");
    )*};
}

#[test]
fn rows_have_the_sequential_result() {
    let grid: Vec<u32> = (0..4000u32).map(|i| (i * i + 7 * i) % 1000).collect();
    for rows in [0, 1, 3, 40] {
        for w in [2, 3, 17, 64] {
            let bins = vec![5; rows];
            check! {
                ends(&grid, w; bins.clone());
                middle(&grid, w as u32; bins.clone());
                casts(&grid, w as u32; bins.clone());
                skipped(&grid, w; bins.clone());
                bytes("Some text", &grid; bins.clone());
                letters(&grid; bins.clone());
                deep(&grid, w; bins.clone());
                table(&grid, &grid[w..2 * w]; bins.clone());
            }
            let mut expected = vec![[5; 8]; rows];
            sequential::columns(&grid, w, &mut expected);
            let mut found = vec![[5; 8]; rows];
            columns(&grid, w, &mut found);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn an_end_that_has_no_value_is_evaluated_in_a_row_only() {
    let grid = vec![1; 100];
    // `w - 1` overflows where there is a row, and only there.
    for rows in [0, 1, 7] {
        check! {
            ends(&grid, 0; vec![1; rows]);
            deep(&grid, 0; vec![1; rows]);
        }
    }
}

//! `+=` and `-=` of the same bins, and of the same scalar: the sequential loop's sums on every device, and its panic where the profile checks
//! overflow.

#![allow(
    clippy::assign_op_pattern,
    clippy::needless_range_loop,
    reason = "updates in every form, and loops as people write them"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::{trials, with_strategy};
use accrue::offload;
use accrue_tests::quiet;
use accrue_tests::quiet::expected;

use crate::{everywhere, keys, on_hosts, on_threads};

/// Each function twice: offloaded, and as it is.
macro_rules! twice {
    ($($(#[$attribute:meta])* fn $name:ident($($params:tt)*) $body:block)*) => {
        mod plain {
            $(pub(super) fn $name($($params)*) $body)*
        }
        $(#[offload(histogram)] fn $name($($params)*) $body)*
    };
}

twice! {
    // How many intervals begin, less how many end.
    fn edges(from: &[u32], to: &[u32], d: &mut [u32]) {
        for (&a, &b) in from.iter().zip(to) {
            d[a as usize] += 1;
            d[b as usize] -= 1;
        }
    }

    fn signed(from: &[u32], to: &[u32], d: &mut [i64]) {
        for (&a, &b) in from.iter().zip(to) {
            d[a as usize] -= i64::from(b);
            if a != b {
                d[b as usize] += i64::from(a) + 1;
            }
        }
    }

    fn bytes(from: &[u32], to: &[u32], d: &mut [u8; 256]) {
        for (&a, &b) in from.iter().zip(to) {
            d[a as usize & 255] = d[a as usize & 255].wrapping_add(b as u8);
            d[b as usize & 255] = d[b as usize & 255].wrapping_sub(3);
        }
    }

    fn smallest(from: &[u32], to: &[u32], d: &mut [i8; 256]) {
        for (&a, &b) in from.iter().zip(to) {
            d[a as usize & 255] = d[a as usize & 255].wrapping_sub(i8::MIN);
            d[b as usize & 255] = d[b as usize & 255].wrapping_add(b as i8);
        }
    }

    fn joint(from: &[u32], to: &[u32], d: &mut [[i32; 16]]) {
        for (&a, &b) in from.iter().zip(to) {
            for x in 0..3 {
                d[a as usize][x] += 1;
                d[b as usize][15 - x] -= 2;
            }
        }
    }

    // Sums that are exact in any order.
    fn halves(from: &[u32], to: &[u32], d: &mut [f64]) {
        for (&a, &b) in from.iter().zip(to) {
            d[a as usize] += 0.5;
            d[b as usize] -= f64::from(a % 8) * 0.25;
        }
    }

    fn singles(from: &[u32], to: &[u32], d: &mut [f32]) {
        for (&a, &b) in from.iter().zip(to) {
            d[a as usize] = d[a as usize] - 1.0;
            d[b as usize] = 1.0 + d[b as usize];
        }
    }

    fn owned(from: &[u32], to: &[u32], d: &mut [i32]) {
        for i in 0..from.len() {
            d[i] += from[i] as i32;
            d[i] -= to[i] as i32;
        }
    }

    fn balance(from: &[u32], to: &[u32], d: &mut [i64]) {
        let mut total = 100i64;
        let mut mean = 0.0f64;
        for (&a, &b) in from.iter().zip(to) {
            total += i64::from(a);
            total -= i64::from(b);
            mean -= f64::from(a) * 0.5;
            mean += f64::from(b);
        }
        d[0] += total;
        d[1] += mean as i64;
    }
}

const BINS: u64 = 300;

/// Calls both with the same bins, and compares what is in them.
macro_rules! same {
    ($name:ident, $bins:expr, $count:expr) => {{
        let (from, mut to) = (keys($count, BINS), keys($count, BINS));
        to.rotate_left($count / 3);
        let mut theirs = $bins;
        plain::$name(&from, &to, &mut theirs);
        let mut ours = $bins;
        $name(&from, &to, &mut ours);
        assert!(theirs == ours, stringify!($name));
    }};
}

fn compare(count: usize) {
    let bins = BINS as usize;
    same!(edges, vec![1 << 30; bins], count);
    same!(signed, vec![-7; bins], count);
    same!(bytes, [9; 256], count);
    same!(smallest, [1; 256], count);
    same!(joint, vec![[5; 16]; bins], count);
    same!(halves, vec![-0.0; bins], count);
    same!(singles, vec![0.0; bins], count);
    same!(owned, vec![3; count], count);
    same!(balance, [0; 2], count);
}

#[test]
fn sums_of_two_signs_are_the_sequential_ones_on_every_device() {
    everywhere(|| compare(2000));
    on_hosts(|| compare(60_000));
}

#[test]
fn every_strategy_of_the_cpu_takes_both_signs() {
    for strategy in trials() {
        on_threads(3, || with_strategy(strategy, || compare(3000)));
    }
}

/// Bits that a sum leaves: -0.0 where only -0.0 was added, or 0.0 taken away. (A GPU's fixed-point sums have one zero.)
#[test]
fn zeros_keep_their_sign() {
    #[offload(histogram)]
    fn sums(v: &[f32], d: &mut [f32; 3]) {
        for &x in v {
            d[0] -= x;
            d[1] += x;
            if x < 0.0 {
                d[0] += x;
                d[1] -= x;
                d[2] += x;
                d[2] -= x;
            }
        }
    }
    for (v, left) in [(0.0, [-0.0, 0.0, -0.0]), (-0.0, [0.0, -0.0, -0.0])] {
        on_hosts(|| {
            let mut d = [-0.0; 3];
            sums(&[v; 700], &mut d);
            assert_eq!(d.map(f32::to_bits), left.map(f32::to_bits), "{v:?}");
        });
    }
}

/// A bin that goes below zero, or beyond its type, and comes back: a panic of the sequential loop that no partial sum tells of.
#[test]
fn what_overflows_on_the_way_panics_where_the_profile_checks() {
    let _quiet = quiet();
    let checks = cfg!(debug_assertions);
    on_hosts(|| {
        // Bin 1 passes below zero in item 500, and ends where it began.
        let (mut from, mut to) = (vec![0; 1000], vec![2; 1000]);
        (to[500], from[501]) = (1, 1);
        let start = [7u32, 0, 5000];
        let mut d = start;
        let result = expected(|| edges(&from, &to, &mut d));
        if checks {
            assert_eq!(result.unwrap_err(), "attempt to subtract with overflow");
            assert_eq!(d, start);
        } else {
            assert_eq!(d, [1006, 0, 4001]);
        }
        // In the other order it does not.
        (to[500], from[499], from[501]) = (1, 1, 0);
        d = start;
        edges(&from, &to, &mut d);
        assert_eq!(d, [1006, 0, 4001]);
    });
}

#[offload(histogram)]
fn steps(moves: &[i8], lowest: i8) -> i8 {
    let mut at = lowest;
    for &m in moves {
        at += m / 2;
        at -= m / 2;
        at -= 1;
        at += 1;
    }
    at
}

#[test]
fn a_scalar_that_overflows_on_the_way_panics_too() {
    let _quiet = quiet();
    on_hosts(|| {
        assert_eq!(steps(&[8; 300], -100), -100);
        let result = expected(|| assert_eq!(steps(&[2; 300], i8::MIN), i8::MIN));
        match cfg!(debug_assertions) {
            true => assert_eq!(result.unwrap_err(), "attempt to subtract with overflow"),
            false => result.unwrap(),
        }
    });
}

#[test]
fn a_sum_that_runs_in_order_says_why() {
    let mut d = [100u32; 4];
    on_threads(2, || edges(&[1; 50], &[2; 50], &mut d));
    let explain = edges::explain();
    assert!(explain.contains("h += v and h -= v"), "{explain}");
    let reason = "overflow is checked, and for signed sums, for sums with `+=` and `-=`";
    assert_eq!(
        explain.contains(reason),
        cfg!(debug_assertions),
        "{explain}"
    );
}

/// A panic of the body half way through an item: what was added is taken away again, and the other way round.
#[test]
fn a_panic_takes_back_both_signs() {
    #[offload(histogram)]
    fn until(moves: &[u32], d: &mut [u64; 4], sum: &mut [f32]) {
        for &m in moves {
            d[(m % 4) as usize] += 3;
            d[(m % 3) as usize] -= 1;
            sum[m as usize] -= 0.1;
            d[3] -= 1;
            sum[(m / 2) as usize] += 0.3;
        }
    }
    #[offload(histogram)]
    fn counted(moves: &[u32], d: &mut [u64; 4], names: &[u8]) {
        for &m in moves {
            d[(m % 4) as usize] -= 3;
            d[usize::from(names[m as usize])] += 1;
        }
    }
    let _quiet = quiet();
    let mut moves = keys(5000, 9);
    moves[4000] = 10;
    everywhere(|| {
        let (mut d, mut sum) = ([1 << 40; 4], vec![0.5; 10]);
        let ended = catch_unwind(AssertUnwindSafe(|| until(&moves, &mut d, &mut sum)));
        assert!(ended.is_err());
        assert_eq!((d, sum), ([1 << 40; 4], vec![0.5; 10]));
        let ended = catch_unwind(AssertUnwindSafe(|| counted(&moves, &mut d, &[1; 10])));
        assert!(ended.is_err());
        assert_eq!(d, [1 << 40; 4]);
    });
    for undo in ["count", "snapshot", "rehearsal", "journal"] {
        on_threads(2, || {
            with_strategy(&format!("sequential:undo={undo}"), || {
                let (mut d, mut sum) = ([1 << 40; 4], vec![0.5; 10]);
                let ended = catch_unwind(AssertUnwindSafe(|| until(&moves, &mut d, &mut sum)));
                assert!(ended.is_err());
                let ended = catch_unwind(AssertUnwindSafe(|| counted(&moves, &mut d, &[1; 10])));
                assert!(ended.is_err());
                assert_eq!((d, sum), ([1 << 40; 4], vec![0.5; 10]), "{undo}");
            });
        });
    }
}

/// Beside sums of floats, whose bins are written down, overflow has to be seen all the same.
#[test]
fn overflow_is_seen_beside_floats() {
    #[offload(histogram)]
    fn beside(moves: &[u32], d: &mut [u8], sum: &mut [f32]) {
        for &m in moves {
            sum[m as usize] += 0.1;
            d[0] -= 1;
            d[m as usize] += 1;
        }
    }
    let _quiet = quiet();
    on_hosts(|| {
        let (mut d, mut sum) = (vec![0u8, 0], vec![0.5; 2]);
        let result = expected(|| beside(&[0; 9], &mut d, &mut sum));
        match cfg!(debug_assertions) {
            true => {
                assert_eq!(result.unwrap_err(), "attempt to subtract with overflow");
                assert_eq!((d, sum), (vec![0, 0], vec![0.5; 2]));
            }
            false => assert_eq!(d, [0, 0]),
        }
    });
}

/// On a GPU a bin that overflows wraps in every profile, on the way and at the end.
#[cfg(feature = "sim")]
#[test]
fn a_gpu_wraps() {
    accrue::with_device(accrue::Device::Sim, || {
        let mut d = [0u32; 3];
        edges(&[0, 0, 0, 1], &[1, 1, 2, 2], &mut d);
        assert_eq!(d, [3, u32::MAX, u32::MAX - 1]);
    });
}

#[test]
fn deterministic_sums_take_both_signs() {
    #[offload(histogram, deterministic)]
    fn sums(keys: &[u32], d: &mut [f32; 64]) {
        for &k in keys {
            d[k as usize] += 0.1;
            d[(k / 2) as usize] -= 0.3 * k as f32;
        }
    }
    let keys = keys(200_000, 64);
    let call = || {
        let mut d = [0.25; 64];
        sums(&keys, &mut d);
        d.map(f32::to_bits)
    };
    let one = on_threads(1, call);
    for threads in [2, 3, 8] {
        assert!(on_threads(threads, call) == one, "{threads} threads");
    }
}

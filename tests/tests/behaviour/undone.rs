//! Loops of every shape that the sequential way treats by itself: what they do is the plain loop's to the last bit, and where
//! that panics, wherever it does, the message is the same and the bins are as they were.

use std::fmt::Debug;

use accrue::{Device, offload, with_device};
use accrue_tests::quiet;
use accrue_tests::quiet::expected;

use crate::{keys, on_hosts};

/// A function as it is, in `plain`, and offloaded.
macro_rules! twice {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        #[allow(
            clippy::ptr_arg,
            clippy::needless_range_loop,
            reason = "all have one type, that of what they are called with, and some count"
        )]
        mod plain {
            $(pub(super) fn $name($($params)*) $body)*
        }
        $(#[allow(clippy::ptr_arg, clippy::needless_range_loop, reason = "as above")] #[offload(histogram)] fn $name($($params)*) $body)*
    };
}

twice! {
    fn by_position(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for i in 0..keys.len() {
            h[keys[i] as usize] += weights[i];
        }
    }

    fn zipped(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for (&k, &w) in keys.iter().zip(weights) {
            h[k as usize] += w;
        }
    }

    fn numbered(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for (i, k) in keys.iter().enumerate().skip(1) {
            h[*k as usize] = h[*k as usize].max(weights[i]);
        }
    }

    fn three_summands(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for (&k, w) in keys.iter().zip(weights) {
            h[k as usize] = h[k as usize] + w + 0.1;
        }
    }

    fn heavy_ones(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        let mut total = 0.0;
        for (&k, &w) in keys.iter().zip(weights) {
            if w > 0.5 {
                h[k as usize] -= w;
                total += w;
            }
        }
        h[0] += total;
    }

    fn without_light_ones(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for i in 0..keys.len() {
            if weights[i] < 0.25 {
                continue;
            }
            h[keys[i] as usize & 1023] += weights[i];
            if weights[i] > 0.75 || weights[i] == 0.5 {
                let k = keys[i] as usize;
                h[k] += weights[i] * 0.25;
            } else if weights[i] < 0.4 {
                h[keys[i].wrapping_add(3) as usize] += 1.5;
            } else {
                h[0] += 0.1;
            }
        }
    }

    fn straight(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        let first = keys[0] as usize;
        for i in 0..keys.len() {
            h[i + first] *= weights[i];
        }
    }

    fn backwards(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for i in (0..weights.len()).rev().step_by(3) {
            h[keys[i] as usize] += weights[i];
        }
    }

    fn rows_of_floats(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for y in 0..keys.len() / 7 {
            for x in 0..7 {
                h[keys[y * 7 + x] as usize] += weights[y * 7 + x];
            }
        }
    }

    fn branches(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for (&k, &w) in keys.iter().zip(weights) {
            match k % 3 {
                0 => h[k as usize] += w,
                1 => h[k as usize / 2] += 0.25,
                _ => continue,
            }
            h[1 + k as usize] += 0.1;
        }
    }

    fn looked_up(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for i in 0..keys.len() {
            let k = keys[keys[i] as usize % keys.len()];
            h[k as usize] = h[k as usize].min(weights[i]);
        }
    }

    fn scaled(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for (w, k) in weights.iter().zip(keys) {
            h[(w * *k as f64) as usize] += w;
        }
    }

    fn spread(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        for (&k, &w) in keys.iter().zip(weights) {
            let mut share = w;
            for j in 0..4 {
                h[k as usize + j] += share;
                share *= 0.5;
            }
        }
    }

    fn steps(keys: &[u32], weights: &[f64], h: &mut Vec<f64>) {
        let mut least = 0.0;
        for (&k, &w) in keys.iter().zip(weights) {
            for j in 0..k as usize {
                h[j] += w;
            }
            least -= w;
        }
        h[0] += least;
    }

    fn triples(keys: &[u32], weights: &[f64], h: &mut Vec<u32>) {
        for k in keys.chunks_exact(3) {
            h[k[0] as usize] += 1;
            h[k[2] as usize] += k[1];
            h[k[1] as usize] += weights.len() as u32;
        }
    }

    fn pieces(keys: &[u32], weights: &[f64], h: &mut Vec<u32>) {
        for piece in keys.chunks(5) {
            for &k in piece {
                h[k as usize] += 1 + weights.len() as u32;
            }
        }
    }

    fn neighbours(keys: &[u32], weights: &[f64], h: &mut Vec<u32>) {
        for k in keys.windows(2) {
            h[k[0] as usize] ^= k[1];
            h[k[1] as usize] ^= weights.len() as u32;
        }
    }

    fn rows(keys: &[u32], weights: &[f64], h: &mut Vec<u32>) {
        for y in 0..keys.len() / 7 {
            for x in 0..7 {
                h[keys[y * 7 + x] as usize] += 1;
                h[keys[y * 7] as usize] += weights.len() as u32;
            }
        }
    }
}

/// A loop as it is and offloaded.
struct Pair<B> {
    name: &'static str,
    plain: fn(&[u32], &[f64], &mut Vec<B>),
    offloaded: fn(&[u32], &[f64], &mut Vec<B>),
}

macro_rules! pairs {
    ($($name:ident)*) => {
        [$(Pair { name: stringify!($name), plain: plain::$name, offloaded: $name }),*]
    };
}

const BINS: usize = 64;

/// Lengths below and above that of a block, of a stretch that is timed, and of what is rehearsed or journaled at once.
const LENGTHS: [usize; 7] = [1, 6, 9, 64, 75, 1000, 20_003];

fn floats() -> [Pair<f64>; 14] {
    pairs![
        by_position zipped numbered three_summands heavy_ones straight backwards rows_of_floats
        branches looked_up scaled spread steps without_light_ones
    ]
}

fn integers() -> [Pair<u32>; 4] {
    pairs![triples pieces neighbours rows]
}

fn weights(len: usize) -> Vec<f64> {
    let numbers = keys(len, 1000);
    numbers.iter().map(|&n| f64::from(n) / 1000.0).collect()
}

/// Bins for a loop, enough for those that use one for each item too.
fn bins<B: From<u16>>(len: usize) -> Vec<B> {
    let numbers = 0..(len + BINS) as u32;
    numbers.map(|n| B::from((n % 1000) as u16)).collect()
}

fn does_what_the_loop_does<B: From<u16> + Copy>(pairs: &[Pair<B>], bits: impl Fn(B) -> u64) {
    for pair in pairs {
        for len in LENGTHS {
            let (keys, weights) = (keys(len, BINS as u64), weights(len));
            let (mut expected, mut found) = (bins(len), bins(len));
            (pair.plain)(&keys, &weights, &mut expected);
            (pair.offloaded)(&keys, &weights, &mut found);
            let same = expected
                .iter()
                .zip(&found)
                .all(|(a, b)| bits(*a) == bits(*b));
            assert!(same, "{} of {len} items", pair.name);
        }
    }
}

#[test]
fn the_sequential_way_is_the_loop_to_the_last_bit() {
    with_device(Device::Seq, || {
        does_what_the_loop_does(&floats(), f64::to_bits);
        does_what_the_loop_does(&integers(), u64::from);
    });
}

#[test]
fn what_no_update_uses_may_be_out_of_range() {
    let _quiet = quiet();
    with_device(Device::Seq, || {
        for pair in pairs![heavy_ones without_light_ones] {
            let weights = weights(1000);
            let given = keys(1000, BINS as u64);
            // First all, then all but those of light items, then all again.
            for out in [0.0, 0.25, 0.5, 0.0] {
                let pairs = given.iter().zip(&weights);
                let keys: Vec<u32> = pairs
                    .map(|(k, w)| if *w < out { 1 << 20 } else { *k })
                    .collect();
                let (mut wanted, mut found) = (bins(1000), bins(1000));
                let message = expected(|| (pair.plain)(&keys, &weights, &mut wanted));
                let outcome = expected(|| (pair.offloaded)(&keys, &weights, &mut found));
                assert_eq!(outcome, message, "{} below {out}", pair.name);
                match message {
                    Ok(()) => assert_eq!(found, wanted, "{} below {out}", pair.name),
                    Err(_) => {
                        wanted = bins(1000);
                        assert_eq!(found, wanted, "{} below {out}", pair.name);
                    }
                }
            }
        }
    });
}

fn panics_as_the_loop_does<B: From<u16> + Clone + PartialEq + Debug + Send + Sync>(
    pairs: &[Pair<B>],
) {
    let check = |pair: &Pair<B>, keys: &[u32], weights: &[f64], before: &[B]| {
        let mut sacrificed = before.to_vec();
        let message = expected(|| (pair.plain)(keys, weights, &mut sacrificed));
        let mut found = before.to_vec();
        let outcome = expected(|| (pair.offloaded)(keys, weights, &mut found));
        let (name, len) = (pair.name, keys.len());
        assert_eq!(outcome, message, "{name} of {len} items");
        if message.is_err() {
            assert!(found == before, "{name} of {len} items changed bins");
        }
    };
    for pair in pairs {
        for len in LENGTHS {
            let (good, weights) = (keys(len, BINS as u64), weights(len));
            for at in [0, len / 2, len - 1] {
                let mut keys = good.clone();
                keys[at] = 1 << 20;
                check(pair, &keys, &weights, &bins(len));
                // Something other than a bin is out of range, or not there.
                check(pair, &good, &weights[..at], &bins(len));
            }
            check(pair, &good, &weights, &bins(len)[..BINS / 2]);
            check(pair, &good, &weights, &[]);
        }
    }
}

#[test]
fn what_a_panic_interrupts_is_undone() {
    let _quiet = quiet();
    on_hosts(|| {
        panics_as_the_loop_does(&floats());
        panics_as_the_loop_does(&integers());
    });
}

//! Float bins: sums up to the order of summation, the same bits every time where they are asked for, and
//! exact minima and maxima.

use accrue::offload;

use crate::{everywhere, keys, on_threads};

#[offload(histogram, deterministic)]
fn sums(keys: &[u32], weights: &[f32], h: &mut [f32], total: &mut f64) {
    for (&k, &w) in keys.iter().zip(weights) {
        h[k as usize] += w;
        *total += f64::from(w);
    }
}

#[offload(histogram)]
fn any_order(keys: &[u32], weights: &[f32], h: &mut [f64]) {
    for (i, &k) in keys.iter().enumerate() {
        h[k as usize] += f64::from(weights[i]);
    }
}

#[offload(histogram)]
fn extremes(keys: &[u32], weights: &[f32], lo: &mut [f32], hi: &mut [f32]) {
    for (&k, &w) in keys.iter().zip(weights) {
        lo[k as usize] = lo[k as usize].min(w);
        hi[k as usize] = hi[k as usize].max(w);
    }
}

#[offload(histogram)]
fn compared(keys: &[u32], weights: &[f32], lo: &mut [f32], hi: &mut Vec<[f64; 2]>) {
    for (&k, &w) in keys.iter().zip(weights) {
        if w < lo[k as usize] {
            lo[k as usize] = w;
        }
        let w = f64::from(w);
        if hi[k as usize][1] <= w {
            hi[k as usize][1] = w;
        }
    }
}

/// Weights of all magnitudes and both signs, whose sum depends on its order.
fn weights(count: usize) -> Vec<f32> {
    let bits = keys(count, 1 << 32);
    bits.iter()
        .map(|&b| (b as i32 as f32) * 2f32.powi((b % 40) as i32 - 40))
        .collect()
}

#[test]
fn deterministic_sums_have_the_same_bits_for_any_number_of_threads() {
    for (items, bins) in [(1000, 10), (100_003, 64), (40_000, 5000)] {
        let (keys, weights) = (keys(items, bins), weights(items));
        let run = || {
            let mut h: Vec<f32> = (0..bins).map(|i| i as f32 * 0.1).collect();
            let mut total = 0.25f64;
            sums(&keys, &weights, &mut h, &mut total);
            let bits: Vec<u32> = h.iter().map(|bin| bin.to_bits()).collect();
            (bits, total.to_bits())
        };
        let first = on_threads(1, run);
        for threads in [1, 2, 3, 4, 7, 16] {
            for _ in 0..3 {
                assert!(
                    on_threads(threads, run) == first,
                    "{items} items on {threads} threads"
                );
            }
        }
    }
}

#[test]
fn sums_are_right_up_to_their_order() {
    let (keys, weights) = (keys(50_000, 7), weights(50_000));
    let (mut exact, mut scale) = ([0.5f64; 7], [0.5f64; 7]);
    for (&k, &w) in keys.iter().zip(&weights) {
        exact[k as usize] += f64::from(w);
        scale[k as usize] += f64::from(w).abs();
    }
    // A sum of n terms is off by about the root of n roundings of what was summed.
    let terms = 50_000f64;
    everywhere(|| {
        let mut h = [0.5f64; 7];
        any_order(&keys, &weights, &mut h);
        let (mut single, mut total) = ([0.5f32; 7], 0.0);
        sums(&keys, &weights, &mut single, &mut total);
        for i in 0..7 {
            assert!(
                (h[i] - exact[i]).abs() <= 8.0 * f64::EPSILON * terms.sqrt() * scale[i],
                "{} and {}",
                h[i],
                exact[i]
            );
            let difference = (f64::from(single[i]) - exact[i]).abs();
            assert!(
                difference <= 8.0 * f64::from(f32::EPSILON) * terms.sqrt() * scale[i],
                "{} and {}",
                single[i],
                exact[i]
            );
        }
        let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
        assert!(
            (total - sum).abs() <= 8.0 * f64::EPSILON * terms.sqrt() * scale.iter().sum::<f64>()
        );
    });
}

#[test]
fn a_bin_that_no_item_meets_keeps_its_bits() {
    everywhere(|| {
        let mut h = [-0.0f32, 1.5, f32::NAN, f32::from_bits(0x7fc0_1234)];
        let before = h.map(f32::to_bits);
        sums(&[1], &[0.0], &mut h, &mut 0.0);
        assert_eq!(h.map(f32::to_bits), before);
    });
}

#[test]
fn minima_and_maxima_are_exact_and_skip_nan() {
    let (keys, mut weights) = (keys(30_000, 5), weights(30_000));
    weights[17] = f32::NAN;
    weights[29_999] = f32::INFINITY;
    let (mut low, mut high) = ([f32::INFINITY; 5], [f32::NEG_INFINITY; 5]);
    for (&k, &w) in keys.iter().zip(&weights) {
        low[k as usize] = low[k as usize].min(w);
        high[k as usize] = high[k as usize].max(w);
    }
    everywhere(|| {
        let (mut lo, mut hi) = ([f32::INFINITY; 5], [f32::NEG_INFINITY; 5]);
        extremes(&keys, &weights, &mut lo, &mut hi);
        assert_eq!((lo, hi), (low, high));
    });
}

#[test]
fn what_is_kept_by_comparing_is_what_the_loop_keeps() {
    let (keys, mut weights) = (keys(30_000, 5), weights(30_000));
    weights
        .iter_mut()
        .filter(|w| **w == 0.0)
        .for_each(|w| *w = 1.0);
    weights[17] = f32::NAN;
    weights[29_999] = f32::INFINITY;
    // Without a bin that is NaN, and with one in the first array or the second.
    for not_a_number in [None, Some(0), Some(1)] {
        let (mut lo, mut hi) = ([3.0f32; 5], vec![[f64::NEG_INFINITY; 2]; 5]);
        match not_a_number {
            Some(0) => lo[2] = f32::from_bits(0x7fc0_1234),
            Some(_) => hi[4] = [f64::NAN; 2],
            None => {}
        }
        let (mut low, mut high) = (lo, hi.clone());
        for (&k, &w) in keys.iter().zip(&weights) {
            if w < low[k as usize] {
                low[k as usize] = w;
            }
            let w = f64::from(w);
            if high[k as usize][1] <= w {
                high[k as usize][1] = w;
            }
        }
        everywhere(|| {
            let (mut lo, mut hi) = (lo, hi.clone());
            compared(&keys, &weights, &mut lo, &mut hi);
            assert_eq!(lo.map(f32::to_bits), low.map(f32::to_bits));
            let bits = |bins: &[[f64; 2]]| -> Vec<u64> {
                bins.iter().flatten().map(|b| b.to_bits()).collect()
            };
            assert_eq!(bits(&hi), bits(&high));
        });
    }
    let explained = compared::explain();
    assert!(
        explained.contains("h = h.min(v) at lo[k as usize]"),
        "{explained}"
    );
    assert!(
        explained.contains("stays sequential: where an element of `hi` and `lo` is NaN"),
        "{explained}"
    );
}

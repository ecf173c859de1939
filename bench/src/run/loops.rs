//! The loops that are measured: as a user writes them, under the attribute, and as people write them with
//! rayon.

use accrue::offload;
use rayon::prelude::*;

/// A function twice: as it is in `sequential`, and offloaded. First those that fill bins, then others.
macro_rules! twice {
    (
        $($(#[$doc:meta])* fn $name:ident($($params:tt)*) $body:block)*
        any: $($(#[$any_doc:meta])* fn $any:ident($($any_params:tt)*) $any_body:block)*
    ) => {
        /// The loops as they are, as functions: the compiler knows no more of their arguments than of the offloaded ones'.
        pub(crate) mod sequential {
            use super::centre;

            $($(#[$doc])* #[inline(never)] pub(crate) fn $name($($params)*) $body)*
            $($(#[$any_doc])* #[inline(never)] pub(crate) fn $any($($any_params)*) $any_body)*
        }
        $($(#[$doc])* #[offload(histogram)] pub(crate) fn $name($($params)*) $body)*
        $($(#[$any_doc])* #[offload] pub(crate) fn $any($($any_params)*) $any_body)*
    };
}

/// Moves a row's mean to 0.
fn centre(row: &mut [f64]) {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    row.iter_mut().for_each(|v| *v -= mean);
}

twice! {
    /// Counts bytes.
    fn count_u8(keys: &[u8], bins: &mut [u32]) {
        for &k in keys {
            bins[k as usize] += 1;
        }
    }

    /// Counts words.
    fn count_u32(keys: &[u32], bins: &mut [u32]) {
        for &k in keys {
            bins[k as usize] += 1;
        }
    }

    /// Sums weights.
    fn weigh(keys: &[u32], weights: &[f64], bins: &mut [f64]) {
        for i in 0..keys.len() {
            bins[keys[i] as usize] += weights[i];
        }
    }

    /// Counts pairs of bytes.
    fn joint(a: &[u8], b: &[u8], bins: &mut [[u64; 256]; 256]) {
        for (&y, &x) in a.iter().zip(b) {
            bins[y as usize][x as usize] += 1;
        }
    }

    /// Counts the colours of a photograph.
    fn colours(pixels: &[[u8; 3]], bins: &mut [u32; 768]) {
        for p in pixels {
            bins[p[0] as usize] += 1;
            bins[256 + p[1] as usize] += 1;
            bins[512 + p[2] as usize] += 1;
        }
    }

    /// Sums the weights above a half: a branch that nobody can predict.
    fn weigh_some(keys: &[u32], weights: &[f64], bins: &mut [f64]) {
        for (&k, &w) in keys.iter().zip(weights) {
            if w > 0.5 {
                bins[k as usize] += w;
            }
        }
    }

    /// The largest weight of each key.
    fn largest(keys: &[u32], weights: &[f64], bins: &mut [f64]) {
        for (&k, &w) in keys.iter().zip(weights) {
            let k = k as usize;
            bins[k] = bins[k].max(w);
        }
    }

    /// Adds an array to another.
    fn add_to(values: &[f64], bins: &mut [f64]) {
        for i in 0..values.len() {
            bins[i] += values[i];
        }
    }

    /// Counts the bytes of an image by rows and columns.
    fn image(pixels: &[u8], width: usize, bins: &mut [u32]) {
        for y in 0..pixels.len() / width {
            for x in 0..width {
                bins[pixels[y * width + x] as usize] += 1;
            }
        }
    }

    /// Counts colours that lie one after the other.
    fn chunks(bytes: &[u8], bins: &mut [u32]) {
        for p in bytes.chunks_exact(3) {
            bins[p[0] as usize] += 1;
            bins[256 + p[1] as usize] += 1;
            bins[512 + p[2] as usize] += 1;
        }
    }

    /// Spreads points over the cells of a line around them: a loop with a loop in it.
    fn splat(points: &[[f32; 2]], bins: &mut [f64]) {
        let n = bins.len() - 6;
        for p in points {
            let first = (p[0] * n as f32) as usize;
            let mut weight = p[1];
            for k in 0..6 {
                bins[first + k] += weight as f64;
                weight *= 0.5;
            }
        }
    }

    any:

    /// A map.
    fn scale(values: &[f64], out: &mut [f64]) {
        for i in 0..values.len() {
            out[i] = values[i] * 2.5 + 1.0;
        }
    }

    /// A stencil of five points.
    fn blur(values: &[f64], width: usize, out: &mut [f64]) {
        for y in 1..(values.len() / width).max(2) - 1 {
            for x in 1..width - 1 {
                let i = y * width + x;
                let around = values[i - 1] + values[i + 1] + values[i - width] + values[i + width];
                out[i] = 0.5 * values[i] + 0.125 * around;
            }
        }
    }

    /// Rows that are lent to a function.
    fn rows(count: usize, width: usize, out: &mut [f64]) {
        for y in 0..count {
            centre(&mut out[y * width..(y + 1) * width]);
        }
    }

    /// The least value, and where it is first.
    fn least(values: &[f64], found: &mut (f64, usize)) {
        let (mut best, mut at) = (f64::INFINITY, usize::MAX);
        for (i, &v) in values.iter().enumerate() {
            if v < best {
                best = v;
                at = i;
            }
        }
        *found = (best, at);
    }
}

/// Whether sums differ by rounding alone.
pub(super) fn near(a: &f64, b: &f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs()
}

/// `keys.par_iter().fold(..).reduce(..)`: a table for each piece that rayon splits off.
pub(super) fn rayon_count<K: Copy + Sync + Into<u32>>(keys: &[K], bins: &mut [u32]) {
    let len = bins.len();
    let counted = keys
        .par_iter()
        .fold(
            || vec![0u32; len],
            |mut bins, &k| {
                bins[k.into() as usize] += 1;
                bins
            },
        )
        .reduce(|| vec![0u32; len], add);
    bins.iter_mut().zip(counted).for_each(|(b, c)| *b += c);
}

/// The same for weights.
pub(super) fn rayon_weigh(keys: &[u32], weights: &[f64], bins: &mut [f64]) {
    let len = bins.len();
    let summed = keys
        .par_iter()
        .zip(weights)
        .fold(
            || vec![0.0; len],
            |mut bins, (&k, &w)| {
                bins[k as usize] += w;
                bins
            },
        )
        .reduce(|| vec![0.0; len], add);
    bins.iter_mut().zip(summed).for_each(|(b, s)| *b += s);
}

/// The same for pairs.
pub(super) fn rayon_joint(a: &[u8], b: &[u8], bins: &mut [[u64; 256]; 256]) {
    let len = 256 * 256;
    let counted = a
        .par_iter()
        .zip(b)
        .fold(
            || vec![0u64; len],
            |mut bins, (&y, &x)| {
                bins[y as usize * 256 + x as usize] += 1;
                bins
            },
        )
        .reduce(|| vec![0u64; len], add);
    let bins = bins.as_flattened_mut();
    bins.iter_mut().zip(counted).for_each(|(b, c)| *b += c);
}

/// Adds one table to another.
fn add<T: Copy + std::ops::AddAssign>(mut a: Vec<T>, b: Vec<T>) -> Vec<T> {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    a
}

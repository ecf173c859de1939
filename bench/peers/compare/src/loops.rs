//! The loops, as a user writes them.

use accrue::offload;

/// Each channel of a picture.
#[offload(histogram)]
pub(crate) fn channels(pixels: &[u8], bins: &mut [[u32; 256]; 3]) {
    for pixel in pixels.chunks_exact(3) {
        bins[0][pixel[0] as usize] += 1;
        bins[1][pixel[1] as usize] += 1;
        bins[2][pixel[2] as usize] += 1;
    }
}

/// Shades of grey.
#[offload(histogram)]
pub(crate) fn greys(pixels: &[u8], bins: &mut [usize; 256]) {
    for &p in pixels {
        bins[p as usize] += 1;
    }
}

/// How often each key comes.
#[offload(histogram)]
pub(crate) fn keys(keys: &[u32], bins: &mut [u64]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}

/// The same for keys of 64 bits.
#[offload(histogram)]
pub(crate) fn long_keys(keys: &[i64], bins: &mut [u64]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}

/// Values in equal bins from `low` to `high`; what is outside is left out.
#[offload(histogram)]
pub(crate) fn regular(values: &[f32], low: f64, high: f64, bins: &mut [u64]) {
    let n = bins.len() as f64;
    let scale = n / (high - low);
    for &v in values {
        let at = (v as f64 - low) * scale;
        if at >= 0.0 && at < n {
            bins[at as usize] += 1;
        }
    }
}

/// The same for values of 64 bits.
#[offload(histogram)]
pub(crate) fn regular_f64(values: &[f64], low: f64, high: f64, bins: &mut [u64]) {
    let n = bins.len() as f64;
    let scale = n / (high - low);
    for &v in values {
        let at = (v - low) * scale;
        if at >= 0.0 && at < n {
            bins[at as usize] += 1;
        }
    }
}

/// Pairs of values in a square of equal bins, `side` of them each way.
#[offload(histogram)]
pub(crate) fn square(x: &[f32], y: &[f32], side: usize, low: f64, high: f64, bins: &mut [u64]) {
    let n = side as f64;
    let scale = n / (high - low);
    for (&a, &b) in x.iter().zip(y) {
        let (i, j) = ((a as f64 - low) * scale, (b as f64 - low) * scale);
        if i >= 0.0 && i < n && j >= 0.0 && j < n {
            bins[i as usize * side + j as usize] += 1;
        }
    }
}

/// The same for pairs of 64-bit values in an array of pairs.
#[offload(histogram)]
pub(crate) fn square_f64(pairs: &[[f64; 2]], side: usize, low: f64, high: f64, bins: &mut [u64]) {
    let n = side as f64;
    let scale = n / (high - low);
    for pair in pairs {
        let (i, j) = ((pair[0] - low) * scale, (pair[1] - low) * scale);
        if i >= 0.0 && i < n && j >= 0.0 && j < n {
            bins[i as usize * side + j as usize] += 1;
        }
    }
}

/// What a leaf of a boosted tree needs: sums of gradients and hessians, and counts of its rows, for each feature by the value of it.
#[offload(histogram)]
pub(crate) fn leaf(
    rows: &[u32],
    values: &[[u8; 28]],
    gradients: &[f32],
    hessians: &[f32],
    sums: &mut [[[f64; 2]; 256]; 28],
    counts: &mut [[u32; 256]; 28],
) {
    for &r in rows {
        let r = r as usize;
        let (gradient, hessian) = (gradients[r] as f64, hessians[r] as f64);
        for f in 0..28 {
            let v = values[r][f] as usize;
            sums[f][v][0] += gradient;
            sums[f][v][1] += hessian;
            counts[f][v] += 1;
        }
    }
}

/// The same without counts: where every hessian is one, as in regression, their sums are counts.
#[offload(histogram)]
pub(crate) fn leaf_sums(
    rows: &[u32],
    values: &[[u8; 28]],
    gradients: &[f32],
    hessians: &[f32],
    sums: &mut [[[f64; 2]; 256]; 28],
) {
    for &r in rows {
        let r = r as usize;
        let (gradient, hessian) = (gradients[r] as f64, hessians[r] as f64);
        for f in 0..28 {
            let v = values[r][f] as usize;
            sums[f][v][0] += gradient;
            sums[f][v][1] += hessian;
        }
    }
}

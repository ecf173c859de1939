//! The loops of this example: volumes into histograms, and one volume as another one's grid sees it.

// All that a loop reads is a parameter.
#![allow(clippy::too_many_arguments)]

use accrue::offload;

/// The histograms of two volumes and their joint one.
#[offload(histogram)]
pub(crate) fn histograms(
    a: &[u8],
    b: &[u8],
    of_a: &mut [u32; 256],
    of_b: &mut [u32; 256],
    joint: &mut [[u32; 256]; 256],
) {
    for (&x, &y) in a.iter().zip(b) {
        of_a[x as usize] += 1;
        of_b[y as usize] += 1;
        joint[x as usize][y as usize] += 1;
    }
}

/// Looks a volume up, between its voxels, at the places where the voxels of another grid lie in it; `to` takes indices
/// of that grid to indices of this volume. What lies outside is 0.
#[offload]
pub(crate) fn resample(
    from: &[u8],
    w: usize,
    h: usize,
    d: usize,
    to: &[f32; 12],
    columns: usize,
    rows: usize,
    slices: usize,
    out: &mut [u8],
) {
    let (right, bottom, back) = ((w - 1) as f32, (h - 1) as f32, (d - 1) as f32);
    for z in 0..slices {
        for y in 0..rows {
            for x in 0..columns {
                let (fx, fy, fz) = (x as f32, y as f32, z as f32);
                let px = to[0] * fx + to[1] * fy + to[2] * fz + to[3];
                let py = to[4] * fx + to[5] * fy + to[6] * fz + to[7];
                let pz = to[8] * fx + to[9] * fy + to[10] * fz + to[11];
                let mut value = 0.0;
                if px >= 0.0 && py >= 0.0 && pz >= 0.0 && px < right && py < bottom && pz < back {
                    let (ix, iy, iz) = (px as usize, py as usize, pz as usize);
                    let (u, v, t) = (px - ix as f32, py - iy as f32, pz - iz as f32);
                    let at = (iz * h + iy) * w + ix;
                    let below = at + w * h;
                    let a = from[at] as f32 * (1.0 - u) + from[at + 1] as f32 * u;
                    let b = from[at + w] as f32 * (1.0 - u) + from[at + w + 1] as f32 * u;
                    let c = from[below] as f32 * (1.0 - u) + from[below + 1] as f32 * u;
                    let e = from[below + w] as f32 * (1.0 - u) + from[below + w + 1] as f32 * u;
                    value = (a * (1.0 - v) + b * v) * (1.0 - t) + (c * (1.0 - v) + e * v) * t;
                }
                out[(z * rows + y) * columns + x] = (value + 0.5) as u8;
            }
        }
    }
}

/// Means of blocks of `across` by `across` by `deep` voxels.
#[offload]
pub(crate) fn shrink(
    from: &[u8],
    from_size: [usize; 3],
    across: usize,
    deep: usize,
    size: [usize; 3],
    out: &mut [u8],
) {
    let (w, h) = (from_size[0], from_size[1]);
    let (columns, rows, slices) = (size[0], size[1], size[2]);
    for z in 0..slices {
        for y in 0..rows {
            for x in 0..columns {
                let mut sum = 0;
                for k in 0..deep {
                    for j in 0..across {
                        for i in 0..across {
                            let at = ((z * deep + k) * h + y * across + j) * w + x * across + i;
                            sum += from[at] as u32;
                        }
                    }
                }
                let count = (across * across * deep) as u32;
                out[(z * rows + y) * columns + x] = ((sum + count / 2) / count) as u8;
            }
        }
    }
}

/// Three histograms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Histograms {
    pub of_a: [u32; 256],
    pub of_b: [u32; 256],
    pub joint: Box<[[u32; 256]; 256]>,
}

impl Histograms {
    /// Empty ones.
    pub(crate) fn new() -> Histograms {
        let rows = vec![[0; 256]; 256].into_boxed_slice();
        Histograms {
            of_a: [0; 256],
            of_b: [0; 256],
            joint: rows.try_into().expect("256 rows"),
        }
    }

    /// Counts two volumes anew.
    pub(crate) fn count(&mut self, a: &[u8], b: &[u8]) {
        self.of_a.fill(0);
        self.of_b.fill(0);
        self.joint.as_flattened_mut().fill(0);
        histograms(a, b, &mut self.of_a, &mut self.of_b, &mut self.joint);
    }

    /// What each volume tells of the other, in bits: H(A) + H(B) - H(A, B).
    pub(crate) fn mutual_information(&self) -> f64 {
        entropy(&self.of_a) + entropy(&self.of_b) - entropy(self.joint.as_flattened())
    }
}

fn entropy(counts: &[u32]) -> f64 {
    let total: f64 = counts.iter().map(|c| f64::from(*c)).sum();
    let bits = counts.iter().filter(|c| **c > 0).map(|c| {
        let share = f64::from(*c) / total;
        -share * share.log2()
    });
    bits.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_tells_all_of_itself_and_nothing_of_a_constant() {
        let a: Vec<u8> = (0..=255).collect();
        let mut histograms = Histograms::new();
        histograms.count(&a, &a);
        assert!((histograms.mutual_information() - 8.0).abs() < 1e-9);
        histograms.count(&a, &[7; 256]);
        assert!(histograms.mutual_information().abs() < 1e-9);
    }

    #[test]
    fn a_shift_by_half_a_voxel_is_a_mean() {
        let from: Vec<u8> = (0..27).map(|i| 10 * (i % 3) as u8).collect();
        let mut to = [0.0; 12];
        (to[0], to[5], to[10], to[3]) = (1.0, 1.0, 1.0, 0.5);
        let mut out = [9; 27];
        resample(&from, 3, 3, 3, &to, 3, 3, 3, &mut out);
        assert_eq!(out[..3], [5, 15, 0]);
        let mut small = [0; 1];
        shrink(&from, [3; 3], 3, 3, [1; 3], &mut small);
        assert_eq!(small, [10]);
    }
}

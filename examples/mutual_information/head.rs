//! A head as CT and MR see it, for volumes of any size: skin, skull, folded grey and white matter, ventricles, sinuses,
//! eyes and a lesion, with noise, and with a bias field on MR. The same every time.

use accrue::offload;

use crate::motion::Motion;
use crate::volume::Volume;

/// The field of view in millimetres, whatever the number of voxels.
const VIEW: [f32; 3] = [230.4, 230.4, 133.5];

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Ct,
    Mr,
}

/// The intensity of CT and of MR at a point, in millimetres from the middle.
fn tissue(x: f32, y: f32, z: f32) -> [f32; 2] {
    // Nobody's head is an ellipsoid.
    let (x, y, z) = (
        x + 2.5 * (0.045 * y).sin() + 1.5 * (0.06 * z + 1.0).sin(),
        y + 2.0 * (0.05 * x + 0.5).sin() + 2.0 * (0.055 * z).sin(),
        z + 1.5 * (0.05 * x).sin() + 1.5 * (0.04 * y + 2.0).sin(),
    );
    let within = |cx: f32, cy: f32, cz: f32, rx: f32, ry: f32, rz: f32| {
        let (u, v, w) = ((x - cx) / rx, (y - cy) / ry, (z - cz) / rz);
        (u * u + v * v + w * w).sqrt()
    };
    let head = within(0.0, 0.0, 0.0, 74.0, 92.0, 54.0);
    if head > 1.0 {
        return [2.0, 3.0];
    }
    if within(0.0, -82.0, -22.0, 14.0, 16.0, 16.0) < 1.0 {
        return [6.0, 8.0];
    }
    let eye = within(30.0, -74.0, -20.0, 12.0, 12.0, 12.0);
    if eye.min(within(-30.0, -74.0, -20.0, 12.0, 12.0, 12.0)) < 1.0 {
        return [100.0, 46.0];
    }
    if head > 0.93 {
        return [82.0, 205.0];
    }
    if head > 0.85 {
        return [245.0, 20.0];
    }
    // The brain: two halves, folded.
    let fold = (0.26 * x + 0.9 * (0.11 * z).sin()).sin()
        * (0.24 * y + 0.8 * (0.13 * x).sin()).sin()
        * (0.27 * z + 0.7 * (0.12 * y).sin()).cos();
    let depth = 0.82 - head + 0.07 * fold;
    let cleft = x.abs() < 1.6 && z > -12.0;
    let ventricle = within(13.0, 8.0, 6.0, 8.0, 30.0, 11.0)
        .min(within(-13.0, 8.0, 6.0, 8.0, 30.0, 11.0))
        .min(within(0.0, 14.0, -10.0, 5.0, 10.0, 12.0));
    if ventricle < 1.0 || depth < 0.0 || cleft {
        return [104.0, 58.0];
    }
    if within(34.0, 30.0, 14.0, 10.0, 9.0, 11.0) < 1.0 {
        return [138.0, 232.0];
    }
    if depth < 0.085 || ventricle < 1.15 {
        return [124.0, 112.0];
    }
    let nuclei = within(22.0, -4.0, 0.0, 10.0, 16.0, 9.0);
    if nuclei.min(within(-22.0, -4.0, 0.0, 10.0, 16.0, 9.0)) < 1.0 {
        return [126.0, 122.0];
    }
    [118.0, 166.0]
}

/// Noise of about unit deviation, by the number of the voxel: a sum of bytes of a hash.
fn noise(at: usize, seed: u64) -> f32 {
    let mut hash = (at as u64)
        .wrapping_add(seed << 40)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^= hash >> 31;
    let bytes = (hash & 255) + (hash >> 8 & 255) + (hash >> 16 & 255) + (hash >> 24 & 255);
    (bytes as f32 - 510.0) / 147.8
}

/// Fills the slices of a volume; `to_head` takes indices of voxels to the head's millimetres.
#[offload]
fn draw(
    columns: usize,
    rows: usize,
    to_head: &[f32; 12],
    kind: usize,
    deviation: f32,
    bias: f32,
    voxels: &mut [u8],
) {
    for (z, slice) in voxels.chunks_exact_mut(columns * rows).enumerate() {
        for y in 0..rows {
            for x in 0..columns {
                let m = to_head;
                let (fx, fy, fz) = (x as f32, y as f32, z as f32);
                let px = m[0] * fx + m[1] * fy + m[2] * fz + m[3];
                let py = m[4] * fx + m[5] * fy + m[6] * fz + m[7];
                let pz = m[8] * fx + m[9] * fy + m[10] * fz + m[11];
                let clear = tissue(px, py, pz)[kind];
                let field = 1.0 + bias * ((0.011 * px + 0.4).sin() + (0.013 * py).cos() - 0.5);
                let at = (z * rows + y) * columns + x;
                let value = clear * field + deviation * noise(at, kind as u64 + 1);
                slice[y * columns + x] = value.clamp(0.0, 255.0).round() as u8;
            }
        }
    }
}

/// The head as a volume of so many voxels; where `motion` is one, the head has moved by it.
pub(crate) fn volume(kind: Kind, size: [usize; 3], motion: Motion) -> Volume {
    let spacing = std::array::from_fn(|axis| VIEW[axis] / size[axis] as f32);
    let mut volume = Volume::new(size, spacing);
    // A point of this volume lies in the head where the motion would have brought it from.
    let turn = motion.matrix();
    let mut rows = [0.0; 12];
    for axis in 0..3 {
        let mut last = 0.0;
        for k in 0..3 {
            let back = turn[k][axis];
            let unit = f64::from(spacing[k]);
            rows[4 * axis + k] = (back * unit) as f32;
            last -= back * (motion.shift[k] + unit * (size[k] as f64 - 1.0) / 2.0);
        }
        rows[4 * axis + 3] = last as f32;
    }
    let (deviation, bias) = match kind {
        Kind::Ct => (4.0, 0.0),
        Kind::Mr => (6.0, 0.12),
    };
    let voxels = &mut volume.voxels;
    draw(
        size[0],
        size[1],
        &rows,
        kind as usize,
        deviation,
        bias,
        voxels,
    );
    volume
}

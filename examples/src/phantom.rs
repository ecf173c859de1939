//! A head in CT and in MR, roughly: what two volumes need of one another where nothing but their histograms is looked at.

/// Two volumes of `side` x `side` x `slices` voxels, CT and MR: air, skin, bone, brain and ventricles with noise, the same for
/// the same seed.
///
/// ```
/// let [ct, mr] = accrue_examples::phantom::head(16, 8, 1);
/// assert_eq!((ct.len(), mr.len()), (16 * 16 * 8, 16 * 16 * 8));
/// assert!(ct[0] < 16, "air in a corner");
/// ```
// A sine of each plane, row and column is looked up by its number.
#[allow(clippy::needless_range_loop)]
pub fn head(side: usize, slices: usize, seed: u64) -> [Vec<u8>; 2] {
    let mut state = seed | 1;
    let voxels = side * side * slices;
    let (mut ct, mut mr) = (Vec::with_capacity(voxels), Vec::with_capacity(voxels));
    let of = |n: usize, all: usize| 2.0 * n as f32 / all as f32 - 1.0;
    let waves = |factor: f32, all: usize| -> Vec<f32> {
        (0..all).map(|n| (factor * of(n, all)).sin()).collect()
    };
    let (across, down, back) = (waves(19.0, side), waves(17.0, side), waves(15.0, slices));
    for z in 0..slices {
        for y in 0..side {
            for x in 0..side {
                let fold = 0.04 * across[x] * down[y] * back[z];
                let (x, y, z) = (of(x, side), of(y, side), of(z, slices));
                let [c, m] = match (1.4 * x * x + y * y + 0.8 * z * z).sqrt() + fold {
                    r if r > 0.9 => [2, 3],
                    r if r > 0.84 => [82, 205],
                    r if r > 0.76 => [240, 20],
                    r if r > 0.6 => [108, 120],
                    r if r > 0.25 => [112, 160],
                    _ => [100, 60],
                };
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                ct.push(c + (state >> 20 & 7) as u8);
                mr.push(m + (state >> 40 & 15) as u8);
            }
        }
    }
    [ct, mr]
}

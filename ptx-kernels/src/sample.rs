//! What a sample of bin indices says about a call: how hard updates contend, how well they coalesce.
//!
//! An entry of the loop's own writes up to [`MOST_INDICES`] indices and, beside each, what its lane can tell of the others of its warp; [`ENTRY`] is a
//! kernel of the [library](crate::library) that counts them in one block. [`looks`] and
//! [`KeySample::of`] do the same on the host. Indices of 32 consecutive iterations are looked at together, because
//! on the device those are one warp's: a strategy that updates the bins in device memory pays for each sector that
//! a warp touches, and one that updates a copy in shared memory pays for lanes that hit the same bin.

use std::collections::{HashMap, HashSet};

/// The kernel, for [`closure_of`](crate::library::closure_of). Its parameters are [`SampleParam::ALL`], its grid one
/// block of [`COUNT_BLOCK`] threads.
pub const ENTRY: &str = "accrue_sample_keys";

/// Threads of its block: as many as there can be, since the call's kernel waits for it.
pub const COUNT_BLOCK: u32 = 1024;

/// Threads of a block of a loop's own entry that writes the indices.
pub const BLOCK: u32 = 256;

/// Its blocks, see [`KernelAbi::sample`](crate::abi::KernelAbi::sample): a thread for each index.
pub const GRID: u32 = MOST_INDICES as u32 / BLOCK;

/// The most indices that are looked at.
pub const MOST_INDICES: usize = 2048;

/// Iterations that are looked at together.
const WARP: usize = 32;

/// Bytes of a sector, the unit in which device memory is read and written.
const SECTOR_BYTES: u64 = 32;

/// The parameters of the kernel, 64-bit slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleParam {
    /// Device address of the indices and looks, as [`looks`] has them.
    Looks,
    /// Indices there.
    Count,
    /// Device address of a [`KeySample`], which is written.
    Result,
}

impl SampleParam {
    /// In the order of the kernel.
    pub const ALL: [SampleParam; 3] = [SampleParam::Looks, SampleParam::Count, SampleParam::Result];
}

/// The part of a look that says how many lanes of the warp have the lane's bin, told by the lowest of them; 0 from the others.
pub const LANES: u32 = 0x3f;

/// The part of a look by which the lowest lane of those that touch the same sector tells that it is.
pub const SECTOR: u32 = 0x40;

/// The part of a look which tells that the lane before has another bin, or that there is none before in the warp.
pub const RUN: u32 = 0x80;

/// What a loop's entry writes for indices below `u32::MAX`, of 32 consecutive iterations each, in whole warps: the index in the low half, and in
/// the other one the [`LANES`], [`SECTOR`] and [`RUN`] of its lane.
pub fn looks(keys: &[u32], bin_bytes: u32) -> Vec<u64> {
    let (warps, _) = keys.as_chunks::<WARP>();
    let sector = |key: u32| u64::from(key) * u64::from(bin_bytes) / SECTOR_BYTES;
    let look = |warp: &[u32; WARP], lane: usize| {
        let key = warp[lane];
        let before = &warp[..lane];
        let mut look = 0;
        if !before.contains(&key) {
            look |= warp.iter().filter(|&&other| other == key).count() as u32;
        }
        if before.iter().all(|&other| sector(other) != sector(key)) {
            look |= SECTOR;
        }
        if before.last() != Some(&key) {
            look |= RUN;
        }
        u64::from(key) | u64::from(look) << 32
    };
    let lanes = warps
        .iter()
        .flat_map(|warp| (0..WARP).map(move |lane| look(warp, lane)));
    lanes.collect()
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeySample {
    /// Indices looked at, in whole warps.
    pub samples: u32,
    /// Different bins among them.
    pub distinct: u32,
    /// Occurrences of the bin that occurs most.
    pub largest: u32,
    /// Runs of equal neighbours, each within a warp.
    pub runs: u32,
    /// Sectors that a warp touches, summed over warps.
    pub sectors: u32,
    /// The most lanes of a warp that have one bin, summed over warps.
    pub conflicts: u32,
}

impl KeySample {
    /// Size in device memory, in bytes: eight little-endian `u32`, of which the last two are zero.
    pub const BYTES: usize = 32;

    /// Counts on the host what the kernel counts on the device.
    ///
    /// ```
    /// use accrue_ptx::sample::KeySample;
    ///
    /// let constant = KeySample::of(&[7; 64], 4);
    /// assert_eq!(constant.largest_share(), 1.0);
    /// assert_eq!(constant.conflicts_per_warp(), 32.0);
    /// let counting = KeySample::of(&(0..64).collect::<Vec<_>>(), 4);
    /// assert_eq!(counting.sectors_per_warp(), 4.0);
    /// assert_eq!(counting.mean_run(), 1.0);
    /// ```
    pub fn of(keys: &[u32], bin_bytes: u32) -> KeySample {
        let (warps, _) = keys[..keys.len().min(MOST_INDICES)].as_chunks::<WARP>();
        let mut counts = HashMap::new();
        let mut sample = KeySample::default();
        for warp in warps {
            let mut bins = HashMap::new();
            for &key in warp {
                *counts.entry(key).or_insert(0) += 1;
                *bins.entry(key).or_insert(0) += 1;
            }
            let sectors: HashSet<u64> = warp
                .iter()
                .map(|&key| u64::from(key) * u64::from(bin_bytes) / SECTOR_BYTES)
                .collect();
            sample.samples += WARP as u32;
            sample.runs += warp.chunk_by(|a, b| a == b).count() as u32;
            sample.sectors += sectors.len() as u32;
            sample.conflicts += bins.into_values().max().unwrap_or(0);
        }
        sample.distinct = counts.len() as u32;
        sample.largest = counts.into_values().max().unwrap_or(0);
        sample
    }

    /// Reads what the kernel wrote.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> KeySample {
        let (words, _) = bytes.as_chunks::<4>();
        let word = |at: usize| u32::from_le_bytes(words[at]);
        KeySample {
            samples: word(0),
            distinct: word(1),
            largest: word(2),
            runs: word(3),
            sectors: word(4),
            conflicts: word(5),
        }
    }

    /// The share of the bin that occurs most, 0 to 1; 0 without samples.
    pub fn largest_share(&self) -> f64 {
        f64::from(self.largest) / f64::from(self.samples.max(1))
    }

    /// Equal neighbours on average, 1 to 32; 0 without samples.
    pub fn mean_run(&self) -> f64 {
        f64::from(self.samples) / f64::from(self.runs.max(1))
    }

    /// Sectors that a warp touches on average, 1 to 32; 0 without samples.
    pub fn sectors_per_warp(&self) -> f64 {
        f64::from(self.sectors) / self.warps()
    }

    /// Lanes of a warp that hit the same bin on average, 1 to 32; 0 without samples.
    pub fn conflicts_per_warp(&self) -> f64 {
        f64::from(self.conflicts) / self.warps()
    }

    fn warps(&self) -> f64 {
        f64::from(self.samples.max(1)) / WARP as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_of_a_warp_and_what_is_beyond_the_most_is_left_out() {
        assert_eq!(KeySample::of(&[1; 31], 4), KeySample::default());
        assert_eq!(KeySample::of(&[1; 33], 4).samples, 32);
        assert_eq!(
            KeySample::of(&vec![1; 5000], 4).samples,
            MOST_INDICES as u32
        );
    }

    #[test]
    fn runs_end_with_the_warp() {
        let keys: Vec<u32> = (0..128).map(|i| i / 64).collect();
        let sample = KeySample::of(&keys, 1);
        assert_eq!((sample.runs, sample.distinct, sample.largest), (4, 2, 64));
        assert_eq!(sample.mean_run(), 32.0);
    }

    #[test]
    fn a_record_is_read_in_its_order() {
        let mut bytes = [0; KeySample::BYTES];
        for (at, byte) in (0..6).map(|word| word * 4).zip(1..) {
            bytes[at] = byte;
        }
        let expected = KeySample {
            samples: 1,
            distinct: 2,
            largest: 3,
            runs: 4,
            sectors: 5,
            conflicts: 6,
        };
        assert_eq!(KeySample::from_bytes(bytes), expected);
    }
}

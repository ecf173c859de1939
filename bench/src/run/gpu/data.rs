//! Keys and weights on the device.
//!
//! They are a block of at most 2^22, drawn from the seed, laid end to end until there are as many as asked for: the
//! memory is distinct, so nothing is served from a cache, and the expected bins are the block's times the number of blocks.

use accrue::{DeviceBuffer, DeviceType, Stream};
use accrue_ptx::sample::KeySample;

use super::bound::Sum;
use super::grid::{Cell, Weight};
use crate::data::Random;

/// Keys of a block, as a power of two.
const LOG_BLOCK: u32 = 22;

/// Keys of a block.
pub(super) const BLOCK: usize = 1 << LOG_BLOCK;

/// The block of a cell, and how often it is repeated.
pub(super) fn blocks(cell: &Cell) -> (usize, usize) {
    let block = cell.items().min(BLOCK);
    (block, cell.items() / block)
}

/// `block` over and over, `items` in all.
pub(super) fn repeated<T: DeviceType>(
    stream: &Stream,
    block: &[T],
    items: usize,
) -> anyhow::Result<DeviceBuffer<T>> {
    let first = DeviceBuffer::from_slice_on(stream, &block[..block.len().min(items)])?;
    if first.len() == items {
        return Ok(first);
    }
    let mut buffer = DeviceBuffer::<T>::zeroed_on(stream, items)?;
    for begin in (0..items).step_by(block.len()) {
        let mut part = buffer.slice_mut(begin..begin + block.len())?;
        part.copy_from_device(stream, first.as_slice())?;
    }
    stream.sync()?;
    Ok(buffer)
}

/// A block of weights: magnitudes from 0.5 to 1.5, one in four negative.
pub(super) fn weights(seed: u64) -> Vec<f64> {
    let mut random = Random::new(!seed);
    let mut weight = || {
        let magnitude = 0.5 + random.unit();
        // Seven digits, so that an `f32` holds the same number.
        let magnitude = f64::from(magnitude as f32);
        if random.below(4) == 0 {
            -magnitude
        } else {
            magnitude
        }
    };
    (0..BLOCK).map(|_| weight()).collect()
}

/// What the bins of a cell must hold.
pub(super) fn expected(cell: &Cell, keys: &[u64], weights: &[f64]) -> Vec<Sum> {
    let (block, times) = blocks(cell);
    let mut bins = vec![Sum::default(); cell.bins];
    for (&key, &weight) in keys[..block].iter().zip(weights) {
        let bin = &mut bins[key as usize];
        match cell.weight {
            Weight::Count | Weight::Count64 => bin.add(1),
            Weight::U32 | Weight::U64 => bin.add(key + 1),
            Weight::F32 | Weight::F64 => bin.add_float(weight),
        }
    }
    bins.into_iter().map(|sum| sum.times(times)).collect()
}

/// What a sample of the keys says: warps spread evenly over the block, as the runtime takes them.
pub(super) fn sample(cell: &Cell, keys: &[u64]) -> KeySample {
    let (block, _) = blocks(cell);
    let warps = accrue_ptx::sample::MOST_INDICES / 32;
    let step = (block / warps).max(32) / 32 * 32;
    let mut chosen = Vec::with_capacity(accrue_ptx::sample::MOST_INDICES);
    for begin in (0..block).step_by(step).take(warps) {
        chosen.extend(keys[begin..block.min(begin + 32)].iter().map(|&k| k as u32));
    }
    let bytes = match cell.weight {
        Weight::Count | Weight::U32 | Weight::F32 => 4,
        Weight::Count64 | Weight::U64 | Weight::F64 => 8,
    };
    KeySample::of(&chosen, bytes)
}

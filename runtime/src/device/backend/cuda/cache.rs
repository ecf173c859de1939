//! Freed device memory kept for reuse, for devices whose driver has no stream-ordered allocation.
//!
//! A block freed on a stream may still be in use by the work queued there, so it is handed out again only
//! on that stream, where later work comes after; or to anyone, once the stream has ended.

use std::collections::HashMap;

/// Freed blocks.
#[derive(Default)]
pub(super) struct Cache {
    /// By size class: the stream it was freed on (`None`: no stream's work uses it) and the address.
    free: HashMap<u64, Vec<(Option<u64>, u64)>>,
}

/// The size that a request is rounded up to: an eighth of its power of two, at least 256 bytes, so that
/// requests of nearly one size share blocks and at most an eighth is wasted.
pub(super) fn size_class(bytes: u64) -> u64 {
    let bytes = bytes.max(1);
    let step = (bytes.next_power_of_two() / 16).max(256);
    bytes.next_multiple_of(step)
}

impl Cache {
    /// A block that work on `stream` may use from now on.
    pub(super) fn take(&mut self, stream: u64, class: u64) -> Option<u64> {
        let blocks = self.free.get_mut(&class)?;
        let i = blocks
            .iter()
            .rposition(|(owner, _)| owner.is_none_or(|o| o == stream))?;
        Some(blocks.swap_remove(i).1)
    }

    /// Keeps a block that the work queued on `stream` so far may use.
    pub(super) fn put(&mut self, stream: u64, class: u64, ptr: u64) {
        self.free
            .entry(class)
            .or_default()
            .push((Some(stream), ptr));
    }

    /// The stream's work is over: its blocks are anyone's.
    pub(super) fn orphan(&mut self, stream: u64) {
        for (owner, _) in self.free.values_mut().flatten() {
            if *owner == Some(stream) {
                *owner = None;
            }
        }
    }

    /// Every block, to be given back to the driver.
    pub(super) fn drain(&mut self) -> Vec<u64> {
        self.free
            .drain()
            .flat_map(|(_, blocks)| blocks)
            .map(|(_, ptr)| ptr)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_waste_at_most_an_eighth_and_are_stable() {
        for bytes in (0..5000)
            .chain((1 << 20) - 3..(1 << 20) + 3)
            .chain([u64::from(u32::MAX), 1 << 40])
        {
            let class = size_class(bytes);
            assert!(class >= bytes && class.is_multiple_of(256));
            assert!(class - bytes <= (bytes / 8).max(256));
            assert_eq!(size_class(class), class);
        }
    }

    #[test]
    fn a_block_goes_to_its_own_stream_until_that_ends() {
        let mut cache = Cache::default();
        cache.put(1, 256, 0x100);
        assert_eq!(cache.take(2, 256), None);
        assert_eq!(cache.take(1, 512), None);
        assert_eq!(cache.take(1, 256), Some(0x100));
        assert_eq!(cache.take(1, 256), None);
        cache.put(1, 256, 0x100);
        cache.orphan(1);
        assert_eq!(cache.take(2, 256), Some(0x100));
    }

    #[test]
    fn draining_gives_every_block_once() {
        let mut cache = Cache::default();
        cache.put(1, 256, 1);
        cache.put(2, 256, 2);
        cache.put(1, 512, 3);
        let mut all = cache.drain();
        all.sort_unstable();
        assert_eq!(all, [1, 2, 3]);
        assert!(cache.drain().is_empty());
    }
}

//! Bins in a type whose `IndexMut` is its own.

use std::ops::{Deref, DerefMut, Index, IndexMut, RangeFull};

use accrue::offload;

/// Fortran's arrays: the first element is 1.
pub struct OneBased(Vec<u32>);

impl Deref for OneBased {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl DerefMut for OneBased {
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }
}

impl Index<usize> for OneBased {
    type Output = u32;
    fn index(&self, i: usize) -> &u32 {
        &self.0[i - 1]
    }
}

impl IndexMut<usize> for OneBased {
    fn index_mut(&mut self, i: usize) -> &mut u32 {
        &mut self.0[i - 1]
    }
}

impl Index<RangeFull> for OneBased {
    type Output = [u32];
    fn index(&self, _: RangeFull) -> &[u32] {
        &self.0
    }
}

impl IndexMut<RangeFull> for OneBased {
    fn index_mut(&mut self, _: RangeFull) -> &mut [u32] {
        &mut self.0
    }
}

#[offload(histogram)]
pub fn counts(keys: &[u32], out: &mut OneBased) {
    for &k in keys {
        out[k as usize] += 1;
    }
}

/// Beside elements that iterations write, too.
#[offload]
pub fn labelled(x: &[u32], out: &mut [u32], h: &mut OneBased) {
    for (i, &k) in x.iter().enumerate() {
        out[i] = k;
        h[k as usize] += 1;
    }
}

struct Owner {
    bins: OneBased,
}

impl Owner {
    #[offload(histogram)]
    pub fn count(&mut self, keys: &[u32]) {
        for &k in keys {
            self.bins[k as usize] += 1;
        }
    }
}

fn main() {}

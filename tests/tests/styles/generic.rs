//! Whatever Rust the body holds is compiled by rustc.

use accrue::offload;

trait Key: Copy + Sync {
    const BINS: usize;
    fn key(&self) -> usize;
}

impl Key for u8 {
    const BINS: usize = 256;
    fn key(&self) -> usize {
        usize::from(*self)
    }
}

/// Counts keys.
#[offload(histogram, pure(weights))]
#[inline]
#[must_use]
fn count<'a, K, I>(keys: &'a [K], weights: I, limit: usize) -> Vec<u64>
where
    K: Key + 'a,
    I: Fn(&K) -> u64 + Sync,
{
    let mut bins = vec![0u64; K::BINS];
    'keys: for (i, key) in keys.iter().enumerate().take(limit) {
        let name = format!("{i}");
        if name.len() > 3 {
            continue 'keys;
        }
        let known = match key.key().checked_sub(3) {
            Some(k) => k,
            None => continue,
        };
        bins[known] += weights(key);
    }
    bins
}

#[test]
fn whatever_rust_the_body_holds() {
    let bins = count(&[7u8, 7, 1], |_| 2, 10);
    assert_eq!(bins[4], 4);
    let bins = count::try_call(&[7u8, 7, 1], |_| 2, 1).unwrap();
    assert_eq!(bins[4], 2);
    println!("{}", count::explain());
}

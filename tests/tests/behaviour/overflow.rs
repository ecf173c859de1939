//! Integer overflow of bins: as the profile says, or as the method says.

use accrue::offload;
use accrue_tests::quiet;
use accrue_tests::quiet::expected;

use crate::{everywhere, on_hosts};

#[offload(histogram)]
fn count(keys: &[u8], h: &mut [u8]) {
    for &k in keys {
        h[k as usize] += 1;
    }
}

#[offload(histogram)]
fn count_down(keys: &[u8], h: &mut [u16]) {
    for &k in keys {
        h[k as usize] -= 3;
    }
}

#[offload(histogram)]
fn wrapping(keys: &[u8], h: &mut [u8]) {
    for &k in keys {
        h[k as usize] = h[k as usize].wrapping_add(7);
    }
}

#[offload(histogram)]
fn saturating(keys: &[u8], h: &mut [u16]) {
    for &k in keys {
        h[k as usize] = h[k as usize].saturating_add(1000);
    }
}

#[offload(histogram)]
fn products(keys: &[u8], h: &mut [u32]) {
    for &k in keys {
        h[k as usize] = h[k as usize].wrapping_mul(3);
    }
}

#[test]
fn a_bin_that_overflows_does_what_the_profile_says() {
    let _quiet = quiet();
    let keys = vec![1u8; 256];
    on_hosts(|| {
        let mut h = [9u8, 0, 9];
        let result = expected(|| count(&keys, &mut h));
        if cfg!(debug_assertions) {
            assert_eq!(result.unwrap_err(), "attempt to add with overflow");
            assert_eq!(h, [9, 0, 9], "the bins are as they were");
        } else {
            assert_eq!(h, [9, 0, 9]);
            result.unwrap();
        }
        // One less, and it is full.
        count(&keys[1..], &mut h);
        assert_eq!(h, [9, 255, 9]);
    });
}

#[test]
fn what_the_bin_held_counts() {
    let _quiet = quiet();
    on_hosts(|| {
        let mut h = [250u8];
        let result = expected(|| count(&[0; 6], &mut h));
        assert_eq!(result.is_err(), cfg!(debug_assertions));
        assert_eq!(h, if cfg!(debug_assertions) { [250] } else { [0] });
        let mut h = [30_000u16];
        count_down(&vec![0; 10_000], &mut h);
        assert_eq!(h, [0]);
        let result = expected(|| count_down(&[0], &mut h));
        if cfg!(debug_assertions) {
            assert_eq!(result.unwrap_err(), "attempt to subtract with overflow");
            assert_eq!(h, [0]);
        } else {
            assert_eq!(h, [65_533]);
        }
    });
}

#[test]
fn methods_wrap_and_saturate_in_every_profile() {
    let keys: Vec<u8> = (0..30_000u32).map(|i| (i % 3) as u8).collect();
    everywhere(|| {
        let mut h = [1u8, 2, 3];
        wrapping(&keys, &mut h);
        let sum = (10_000u32 * 7 % 256) as u8;
        assert_eq!(h, [1, 2, 3].map(|bin: u8| bin.wrapping_add(sum)));
        let mut h = [0u16, 65_000, 7];
        saturating(&keys[..120], &mut h);
        assert_eq!(h, [40_000, u16::MAX, 40_007]);
        let mut h = [1u32, 2, 3];
        products(&keys, &mut h);
        assert_eq!(
            h,
            [1, 2, 3].map(|bin: u32| bin.wrapping_mul(3u32.wrapping_pow(10_000)))
        );
    });
}

/// A GPU's atomics do not tell of overflow: bins wrap there in every profile.
#[cfg(feature = "sim")]
#[test]
fn a_bin_that_overflows_on_a_gpu_wraps() {
    accrue::with_device(accrue::Device::Sim, || {
        let mut h = [9u8, 250, 9];
        count(&[1; 8], &mut h);
        assert_eq!(h, [9, 2, 9]);
        let mut h = [2u16];
        count_down(&[0], &mut h);
        assert_eq!(h, [u16::MAX]);
    });
}

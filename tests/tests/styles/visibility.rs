//! The companion is seen where the function is.

#![deny(warnings)]
// `pub` and `pub(super)` are what it is about.
#![allow(unreachable_pub)]

mod inner {
    use accrue::offload;

    #[derive(Clone, Copy)]
    pub struct Private(pub u8);

    #[offload(histogram)]
    pub fn count(keys: &[Private], bins: &mut [u32; 256]) {
        for k in keys {
            bins[k.0 as usize] += 1;
        }
    }

    #[offload(histogram, deterministic, strategy = "private")]
    pub(super) unsafe fn sums(values: &[f64], sums: &mut [f64; 4]) {
        for (i, v) in values.iter().enumerate() {
            sums[i % 4] += v;
        }
    }
}

use inner::{Private, count};

#[test]
fn companions_are_seen_where_functions_are() {
    let mut bins = [0; 256];
    count(&[Private(3)], &mut bins);
    count::try_call(&[Private(3)], &mut bins).unwrap();
    assert_eq!(bins[3], 2);
    let mut sums = [0.0; 4];
    // SAFETY: the function is unsafe in name only.
    unsafe { inner::sums(&[1.0; 8], &mut sums) };
    // SAFETY: as above.
    unsafe { inner::sums::try_call(&[1.0; 8], &mut sums).unwrap() };
    assert_eq!(sums, [4.0; 4]);
}

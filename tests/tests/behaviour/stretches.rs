//! Items that are equal for long: their body runs once, and what it updates is what the plain loop leaves.

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::{trials, with_strategy};
use accrue::{Device, offload, with_device};

use super::on_threads;

const BINS: usize = 4096;

/// Sums, maxima and bits of each key, and how many keys are even.
type Bins = (Vec<u32>, Vec<u16>, Vec<u64>, u32);

macro_rules! fills {
    ($name:ident $(, #[$attribute:meta])?) => {
        $(#[$attribute])?
        fn $name(keys: &[u32], sums: &mut [u32], most: &mut [u16], bits: &mut [u64]) -> u32 {
            let mut even = 0;
            for &k in keys {
                sums[k as usize] = sums[k as usize].wrapping_add(k * 3 + 1);
                if k % 2 == 0 {
                    even += 1;
                    most[k as usize / 2] = most[k as usize / 2].max((k % 501) as u16);
                }
                bits[k as usize % 64] ^= 1 << (k % 64);
            }
            even
        }
    };
}
fills!(plain);
fills!(offloaded, #[offload(histogram)]);

/// What both do.
type Fill = fn(&[u32], &mut [u32], &mut [u16], &mut [u64]) -> u32;

fn filled(of: Fill, keys: &[u32]) -> Bins {
    let (mut sums, mut most, mut bits) = (vec![5; BINS], vec![1; BINS], vec![9; 64]);
    let even = of(keys, &mut sums, &mut most, &mut bits);
    (sums, most, bits, even)
}

/// Keys in runs of such lengths.
fn runs(lens: &[usize]) -> Vec<u32> {
    let run = |(n, &len): (usize, &usize)| vec![(n * 1237 % BINS) as u32; len];
    lens.iter().enumerate().flat_map(run).collect()
}

#[test]
fn they_are_what_the_plain_loop_makes_of_them() {
    let lens: [&[usize]; 6] = [
        &[40_000],
        &[1, 39_999],
        &[1023, 1024, 1025, 2048, 7, 9000],
        &[3; 3000],
        &[5000, 1, 5000, 1, 5000, 1, 5001],
        &[1500; 20],
    ];
    for lens in lens {
        let keys = runs(lens);
        let expected = filled(plain, &keys);
        for trial in trials().chain(["private:workers=2,parts=3", "private:workers=1"]) {
            let call = || with_strategy(trial, || filled(offloaded, &keys));
            let found = on_threads(3, || with_device(Device::Cpu, call));
            // Thousands of bins are no message.
            assert!(found == expected, "{trial}, runs of {lens:?}");
        }
    }
}

#[test]
fn one_that_is_outside_is_told() {
    let mut keys = runs(&[3000, 3000, 6000]);
    keys[4000..7000].fill(BINS as u32 + 3);
    let told = catch_unwind(AssertUnwindSafe(|| {
        let call = || with_strategy("private:workers=2,parts=3", || filled(offloaded, &keys));
        with_device(Device::Cpu, call)
    }));
    let told = *told
        .expect_err("a panic")
        .downcast::<String>()
        .expect("words");
    let expected = "index out of bounds: the len is 4096 but the index is 4099";
    assert!(told.contains(expected), "{told}");
}

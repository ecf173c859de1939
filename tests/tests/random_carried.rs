//! Random functions that carry scalars along, append, and write at distinct indices, compiled by rustc in two forms: as they are, and offloaded. The
//! first is the judge, for every way of splitting the iterations.
//!
//! The build script draws the functions.

#![allow(
    clippy::all,
    unused,
    reason = "what a random function holds is not written by hand"
)]

use accrue::__bench::with_strategy;
use accrue::offload;

type Random = fn(&[u32], &[usize], &mut [u32]) -> u64;

macro_rules! random_carried {
    ($(#[$offload:meta] fn $name:ident($($param:tt)*) -> u64 $body:block)*) => {
        mod plain {
            $(pub(super) fn $name($($param)*) -> u64 $body)*
        }
        mod off {
            use super::offload;
            $(#[$offload] pub(super) fn $name($($param)*) -> u64 $body)*
        }
        const CASES: &[(&str, Random, Random, fn() -> String)] = &[
            $((stringify!($name), plain::$name, off::$name, off::$name::explain)),*
        ];
    };
}

include!(concat!(env!("OUT_DIR"), "/carried.rs"));

const WAYS: [&str; 6] = [
    "private:workers=1,parts=7",
    "private:workers=3,parts=2",
    "private:workers=3,parts=7",
    "private:workers=4,parts=1000",
    "private:workers=3",
    "sequential",
];

#[test]
fn results_are_those_of_the_plain_loop() {
    for n in [0usize, 1, 7, 64, 1000, 3001] {
        let x: Vec<u32> = (0..n as u32)
            .map(|i| i.wrapping_mul(2_654_435_761) % 1009)
            .collect();
        let at: Vec<usize> = (0..n).map(|i| (i * 31 + 5) % n.max(1)).collect();
        for (name, plain, off, _) in CASES {
            let mut expected = vec![500; n + 1];
            let result = plain(&x, &at, &mut expected);
            for way in WAYS {
                let mut out = vec![500; n + 1];
                let found = with_strategy(way, || off(&x, &at, &mut out));
                assert_eq!(found, result, "{name} of {n}, {way}");
                assert!(out == expected, "{name} of {n}, {way}");
            }
            #[cfg(feature = "sim")]
            {
                let mut out = vec![500; n + 1];
                let found = accrue::with_device(accrue::Device::Sim, || off(&x, &at, &mut out));
                assert_eq!(found, result, "{name} of {n} in the simulator");
                assert!(out == expected, "{name} of {n} in the simulator");
            }
        }
    }
}

#[test]
fn all_are_split() {
    let mut roles = [0; 5];
    for (_, _, _, explain) in CASES {
        let said = explain();
        assert!(!said.contains("stays in order"), "{said}");
        let of = [
            "sums of products",
            "assigned",
            "appends to",
            "distinct(",
            "filled",
        ];
        for (count, role) in roles.iter_mut().zip(of) {
            *count += usize::from(said.contains(role));
        }
    }
    assert!(roles.iter().all(|count| *count >= 5), "{roles:?}");
}

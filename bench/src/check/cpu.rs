//! `accrue-bench check --device cpu`: what every strategy of the CPU is tried with, on the loops that are measured.
//!
//! Values are drawn so that sums of floats are exact.

use accrue::__bench::{strategies, with_strategy};
use accrue::{Device, with_device};

use super::report::Report;
use crate::data::{Distribution, Random};
use crate::run::loops::{self, sequential};

/// Numbers of items: none, one, more than parts, more than a probe, more than a segment.
const SIZES: [usize; 5] = [0, 1, 100, 5003, 300_007];

/// Pixels of a row.
const WIDTH: usize = 100;

/// Runs them all; fewer sizes and distributions, if it is to be quick.
pub(super) fn check(quick: bool) -> Report {
    let mut report = Report::default();
    let sizes = if quick { &SIZES[2..4] } else { &SIZES[..] };
    let distributions = if quick {
        &Distribution::ALL[..2]
    } else {
        &Distribution::ALL[..]
    };
    for &items in sizes {
        for &distribution in distributions {
            let data = Data::new(items, distribution);
            for row in strategies() {
                for request in row.trials {
                    data.check(row.name, request, &mut report);
                }
            }
        }
    }
    report
}

/// What the loops read.
struct Data {
    keys: Vec<u32>,
    bytes: Vec<u8>,
    /// Multiples of a quarter.
    weights: Vec<f64>,
}

impl Data {
    fn new(items: usize, distribution: Distribution) -> Data {
        let keys = |bins, seed| distribution.keys(items, bins, seed);
        let mut random = Random::new(7);
        Data {
            keys: keys(4096, 1).into_iter().map(|k| k as u32).collect(),
            bytes: keys(256, 2).into_iter().map(|k| k as u8).collect(),
            weights: (0..items).map(|_| random.below(64) as f64 * 0.25).collect(),
        }
    }

    /// Runs all loops as a strategy is asked for.
    fn check(&self, name: &str, request: &str, report: &mut Report) {
        let Data {
            keys,
            bytes,
            weights,
        } = self;
        let (pixels, _) = bytes.as_chunks::<3>();
        macro_rules! compare {
            ($loop:ident, $zero:expr, |$bins:ident| ($($argument:expr),*)) => {{
                let mut expected = $zero;
                let $bins = &mut expected;
                sequential::$loop($($argument),*);
                let mut found = $zero;
                let $bins = &mut found;
                with_device(Device::Cpu, || with_strategy(request, || loops::$loop($($argument),*)));
                let outcome = match found == expected {
                    true => Ok(()),
                    false => Err(format!("`{}` by `{request}` of {} items", stringify!($loop), keys.len())),
                };
                report.count(name, stringify!($loop), outcome);
            }};
        }
        compare!(count_u8, vec![3u32; 256], |bins| (bytes, bins));
        compare!(count_u32, vec![3u32; 4096], |bins| (keys, bins));
        compare!(weigh, vec![0.5f64; 4096], |bins| (keys, weights, bins));
        compare!(weigh_some, vec![0.5f64; 4096], |bins| (keys, weights, bins));
        compare!(largest, vec![0.5f64; 4096], |bins| (keys, weights, bins));
        compare!(joint, Box::new([[1u64; 256]; 256]), |bins| (
            bytes, bytes, bins
        ));
        compare!(colours, [7u32; 768], |bins| (pixels, bins));
        compare!(chunks, vec![7u32; 768], |bins| (bytes, bins));
        compare!(image, vec![1u32; 256], |bins| (bytes, WIDTH, bins));
        compare!(add_to, vec![0.25f64; weights.len()], |bins| (weights, bins));
    }
}

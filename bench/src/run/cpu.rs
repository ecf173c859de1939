//! Loops on the CPU: sequential, with rayon as people write it, and offloaded.
//!
//! The three take turns, run for run, so that a machine that slows down slows all of them; what is shown is the median of each.
//! Every result is compared with the sequential loop's.

use std::time::Instant;

use accrue::{Device, with_device};
use anyhow::ensure;

use super::loops::{self, sequential};
use super::report::{Report, Row, processor};
use crate::data::{Distribution, Random};

const DISTRIBUTIONS: [Distribution; 4] = [
    Distribution::Uniform,
    Distribution::Const,
    Distribution::Zipf,
    Distribution::Runs,
];

const BINS: [usize; 4] = [256, 4096, 65_536, 1_092_546];

const SEED: u64 = 20_261_120;

/// Measures every loop whose name has `only` in it, and prints the table as it grows.
pub(super) fn measure(items: usize, samples: usize, only: &str) -> anyhow::Result<Report> {
    let mut report = Report {
        processor: processor(),
        threads: rayon::current_num_threads(),
        items,
        samples,
        rows: Vec::new(),
    };
    println!("{}", report.heading());
    let measured = Measure { items, samples };
    let mut add = |row: anyhow::Result<Row>| -> anyhow::Result<()> {
        let row = row?;
        println!("{}", row.line());
        report.rows.push(row);
        Ok(())
    };
    for distribution in DISTRIBUTIONS {
        if "count u8".contains(only) {
            add(measured.bytes(distribution))?;
        }
    }
    for bins in BINS {
        for distribution in DISTRIBUTIONS {
            if "count u32".contains(only) {
                add(measured.words(bins, distribution))?;
            }
        }
    }
    for bins in [256, 65_536] {
        for distribution in DISTRIBUTIONS {
            if "weigh f64".contains(only) {
                add(measured.weights(bins, distribution))?;
            }
        }
    }
    for distribution in DISTRIBUTIONS {
        if "joint u64".contains(only) {
            add(measured.pairs(distribution))?;
        }
    }
    Ok(report)
}

/// How much is measured.
struct Measure {
    items: usize,
    samples: usize,
}

impl Measure {
    fn keys<T>(
        &self,
        bins: usize,
        of: Distribution,
        seed: u64,
        narrow: impl Fn(u64) -> T,
    ) -> Vec<T> {
        let keys = of.keys(self.items, bins as u64, SEED + seed);
        keys.into_iter().map(narrow).collect()
    }

    fn bytes(&self, of: Distribution) -> anyhow::Result<Row> {
        let keys = self.keys(256, of, 0, |k| k as u8);
        let speeds = self.compare(
            vec![0u32; 256],
            |bins| sequential::count_u8(&keys, bins),
            |bins| loops::rayon_count(&keys, bins),
            |bins| loops::count_u8(&keys, bins),
            |a, b| a == b,
        )?;
        Ok(speeds.row("count u8", 256, of, &loops::count_u8::explain()))
    }

    fn words(&self, bins: usize, of: Distribution) -> anyhow::Result<Row> {
        let keys = self.keys(bins, of, 0, |k| k as u32);
        let speeds = self.compare(
            vec![0u32; bins],
            |bins| sequential::count_u32(&keys, bins),
            |bins| loops::rayon_count(&keys, bins),
            |bins| loops::count_u32(&keys, bins),
            |a, b| a == b,
        )?;
        Ok(speeds.row("count u32", bins, of, &loops::count_u32::explain()))
    }

    fn weights(&self, bins: usize, of: Distribution) -> anyhow::Result<Row> {
        let keys = self.keys(bins, of, 0, |k| k as u32);
        let mut random = Random::new(SEED);
        let weights: Vec<f64> = keys.iter().map(|_| random.unit()).collect();
        let speeds = self.compare(
            vec![0.0; bins],
            |bins| sequential::weigh(&keys, &weights, bins),
            |bins| loops::rayon_weigh(&keys, &weights, bins),
            |bins| loops::weigh(&keys, &weights, bins),
            |a, b| (a - b).abs() <= 1e-9 * a.abs(),
        )?;
        Ok(speeds.row("weigh f64", bins, of, &loops::weigh::explain()))
    }

    fn pairs(&self, of: Distribution) -> anyhow::Result<Row> {
        let a = self.keys(256, of, 0, |k| k as u8);
        let b = self.keys(256, of, 1, |k| k as u8);
        // The bins are too large for a stack, in a box they keep their type.
        type Bins = Box<[[u64; 256]; 256]>;
        let bins: Bins = vec![[0u64; 256]; 256].try_into().expect("256 rows");
        let speeds = self.compare(
            vec![bins],
            |bins| sequential::joint(&a, &b, &mut bins[0]),
            |bins| loops::rayon_joint(&a, &b, &mut bins[0]),
            |bins| loops::joint(&a, &b, &mut bins[0]),
            |a, b| a == b,
        )?;
        Ok(speeds.row("joint u64", 65_536, of, &loops::joint::explain()))
    }

    /// Runs the three forms in turns, and compares what they have counted in all.
    fn compare<B: Clone>(
        &self,
        zero: Vec<B>,
        sequential: impl Fn(&mut [B]),
        rayon: impl Fn(&mut [B]),
        accrue: impl Fn(&mut [B]),
        same: impl Fn(&B, &B) -> bool,
    ) -> anyhow::Result<Speeds> {
        let mut bins = [zero.clone(), zero.clone(), zero];
        let mut times = [const { Vec::new() }; 3];
        // One run more, which warms up and does not count.
        for sample in 0..=self.samples {
            for form in 0..3 {
                let bins = &mut bins[form];
                let start = Instant::now();
                match form {
                    0 => sequential(bins),
                    1 => rayon(bins),
                    _ => with_device(Device::Cpu, || accrue(bins)),
                }
                if sample > 0 {
                    times[form].push(start.elapsed().as_secs_f64());
                }
            }
        }
        let [expected, rayon, accrue] = bins;
        for (name, found) in [("rayon", rayon), ("accrue", accrue)] {
            let right = expected.iter().zip(&found).all(|(a, b)| same(a, b));
            ensure!(
                right,
                "the result of {name} differs from the sequential loop's"
            );
        }
        let speed = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            self.items as f64 / times[times.len() / 2] / 1e9
        };
        let [sequential, rayon, accrue] = times.map(speed);
        Ok(Speeds {
            sequential,
            rayon,
            accrue,
        })
    }
}

/// Medians in 10^9 updates a second.
struct Speeds {
    sequential: f64,
    rayon: f64,
    accrue: f64,
}

impl Speeds {
    fn row(
        self,
        loop_name: &'static str,
        bins: usize,
        distribution: Distribution,
        explain: &str,
    ) -> Row {
        // The last line of an explanation is the run's; the numbers behind the strategy are the table's already.
        let run = explain.lines().last().unwrap_or_default();
        let strategy = run.split(" (").next().unwrap_or(run);
        Row {
            loop_name,
            bins,
            distribution: distribution.name(),
            sequential: self.sequential,
            rayon: self.rayon,
            accrue: self.accrue,
            strategy: strategy.to_owned(),
        }
    }
}

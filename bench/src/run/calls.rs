//! What a call costs beside the plain loop: on few items it must not be felt.

use std::hint::black_box;
use std::time::{Duration, Instant};

use accrue::{Device, with_device};
use anyhow::ensure;

use super::loops::{self, sequential};
use super::report::processor;
use crate::data::Random;

/// Items of a call, from none to what is worth every core.
const ITEMS: [usize; 10] = [
    0, 1, 10, 100, 1000, 10_000, 100_000, 262_144, 1_000_000, 4_000_000,
];

/// For how long a size of a loop is called.
const TIME: Duration = Duration::from_millis(1500);

/// Calls of a size at most: more do not make a median better.
const MOST: usize = 4000;

/// What is measured.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only loops whose name has this text in it.
    #[arg(long, default_value = "")]
    only: String,
    /// Milliseconds between two calls, in which workers fall asleep.
    #[arg(long, default_value_t = 0)]
    apart: u64,
}

/// Calls loops as they are and offloaded, in turns, and prints the medians. The answer is whether every result was right.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    println!(
        "{}, {} threads; us a call, medians of calls in turns, {} ms apart",
        processor(),
        rayon::current_num_threads(),
        arguments.apart
    );
    println!(
        "{:<10}{:>10}{:>12}{:>12}{:>12}{:>8}  strategy",
        "loop", "items", "plain", "offloaded", "difference", "calls"
    );
    let most = ITEMS[ITEMS.len() - 1];
    let pixels = pixels(most);
    let keys: Vec<u32> = pixels.iter().map(|p| u32::from(p[0])).collect();
    let points: Vec<[f32; 2]> = pixels
        .iter()
        .map(|p| [f32::from(p[0]) / 256.0, f32::from(p[1]) / 256.0])
        .collect();
    let mut random = Random::new(20_261_122);
    let spread: Vec<u32> = (0..most).map(|_| random.below(65_536) as u32).collect();
    let weights: Vec<f64> = (0..most).map(|_| random.unit()).collect();
    let apart = Duration::from_millis(arguments.apart);
    for items in ITEMS {
        if "count".contains(&arguments.only) {
            Calls::time(
                apart,
                vec![0u32; 256],
                PartialEq::eq,
                |bins| sequential::count_u32(black_box(&keys[..items]), bins),
                |bins| loops::count_u32(black_box(&keys[..items]), bins),
            )?
            .print("count", items, &loops::count_u32::explain());
        }
    }
    for items in ITEMS {
        if "colours".contains(&arguments.only) {
            Calls::time(
                apart,
                [0u32; 768],
                PartialEq::eq,
                |bins| sequential::colours(black_box(&pixels[..items]), bins),
                |bins| loops::colours(black_box(&pixels[..items]), bins),
            )?
            .print("colours", items, &loops::colours::explain());
        }
    }
    for items in ITEMS {
        if "weigh".contains(&arguments.only) {
            let (keys, weights) = (&spread[..items], &weights[..items]);
            Calls::time(
                apart,
                vec![0.0f64; 65_536],
                |a, b| near(a, b),
                |bins| sequential::weigh(black_box(keys), black_box(weights), bins),
                |bins| loops::weigh(black_box(keys), black_box(weights), bins),
            )?
            .print("weigh", items, &loops::weigh::explain());
        }
    }
    for items in ITEMS {
        if "splat".contains(&arguments.only) {
            Calls::time(
                apart,
                vec![0.0f64; 4096],
                |a, b| near(a, b),
                |bins| sequential::splat(black_box(&points[..items]), bins),
                |bins| loops::splat(black_box(&points[..items]), bins),
            )?
            .print("splat", items, &loops::splat::explain());
        }
    }
    Ok(true)
}

/// Pixels whose colours change little from one to the next, as in a photograph.
fn pixels(items: usize) -> Vec<[u8; 3]> {
    let mut random = Random::new(20_261_122);
    let mut colour = [128i32, 100, 80];
    (0..items)
        .map(|_| {
            for channel in &mut colour {
                *channel = (*channel + (random.unit() * 9.0) as i32 - 4).clamp(0, 255);
            }
            colour.map(|channel| channel as u8)
        })
        .collect()
}

/// Whether sums differ by rounding alone.
fn near(a: &[f64], b: &[f64]) -> bool {
    a.iter()
        .zip(b)
        .all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs())
}

/// Medians in microseconds.
struct Calls {
    plain: f64,
    offloaded: f64,
    /// Of a pair of calls, the median of all pairs.
    difference: f64,
    calls: usize,
}

impl Calls {
    /// Calls both in turns, first the one and then the other first.
    fn time<B: Clone>(
        apart: Duration,
        zero: B,
        same: impl Fn(&B, &B) -> bool,
        plain: impl Fn(&mut B),
        offloaded: impl Fn(&mut B),
    ) -> anyhow::Result<Calls> {
        let mut bins = [zero.clone(), zero.clone()];
        let [expected, found] = &mut bins;
        plain(expected);
        with_device(Device::Cpu, || offloaded(found));
        ensure!(
            same(expected, found),
            "the bins differ from the plain loop's"
        );
        // Both in the same memory: where bins lie makes a loop faster or slower.
        let mut bins = zero;
        let mut times = [const { Vec::new() }; 2];
        let start = Instant::now();
        while times[0].len() < 11 || (times[0].len() < MOST && start.elapsed() < TIME) {
            let first = times[0].len() % 2;
            for form in [first, 1 - first] {
                if !apart.is_zero() {
                    std::thread::sleep(apart);
                }
                times[form].push(with_device(Device::Cpu, || {
                    let start = Instant::now();
                    match form {
                        0 => plain(&mut bins),
                        _ => offloaded(&mut bins),
                    }
                    start.elapsed().as_secs_f64() * 1e6
                }));
            }
        }
        let median = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        let [plain, offloaded] = times;
        let pairs = plain.iter().zip(&offloaded).map(|(p, o)| o - p).collect();
        Ok(Calls {
            calls: plain.len(),
            difference: median(pairs),
            plain: median(plain),
            offloaded: median(offloaded),
        })
    }

    fn print(&self, name: &str, items: usize, explain: &str) {
        let run = explain
            .lines()
            .find(|line| line.contains(" bytes in all); "))
            .unwrap_or_default();
        println!(
            "{name:<10}{items:>10}{:>12.2}{:>12.2}{:>12.2}{:>8}  {}",
            self.plain,
            self.offloaded,
            self.difference,
            self.calls,
            run.trim()
        );
    }
}

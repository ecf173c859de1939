//! What a call costs beside the plain loop: on few items it must not be felt.

use std::hint::black_box;
use std::time::{Duration, Instant};

use accrue::{Device, with_device};
use anyhow::ensure;

use super::loops::{self, sequential};
use super::report::{last_run, processor};
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
    arguments.measure(
        "count",
        vec![0u32; 256],
        PartialEq::eq,
        |items, bins| sequential::count_u32(black_box(&keys[..items]), bins),
        |items, bins| loops::count_u32(black_box(&keys[..items]), bins),
        loops::count_u32::explain,
    )?;
    arguments.measure(
        "colours",
        vec![[0u32; 768]],
        PartialEq::eq,
        |items, bins| sequential::colours(black_box(&pixels[..items]), &mut bins[0]),
        |items, bins| loops::colours(black_box(&pixels[..items]), &mut bins[0]),
        loops::colours::explain,
    )?;
    let weighted = |items| black_box((&spread[..items], &weights[..items]));
    arguments.measure(
        "weigh",
        vec![0.0; 65_536],
        loops::near,
        |items, bins| {
            let (keys, weights) = weighted(items);
            sequential::weigh(keys, weights, bins);
        },
        |items, bins| {
            let (keys, weights) = weighted(items);
            loops::weigh(keys, weights, bins);
        },
        loops::weigh::explain,
    )?;
    arguments.measure(
        "splat",
        vec![0.0; 4096],
        loops::near,
        |items, bins| sequential::splat(black_box(&points[..items]), bins),
        |items, bins| loops::splat(black_box(&points[..items]), bins),
        loops::splat::explain,
    )?;
    Ok(true)
}

impl Arguments {
    /// Measures a loop, if it is wanted, with each number of items, and prints the table's lines.
    fn measure<B: Clone>(
        &self,
        name: &str,
        zero: Vec<B>,
        same: impl Fn(&B, &B) -> bool,
        plain: impl Fn(usize, &mut [B]),
        offloaded: impl Fn(usize, &mut [B]),
        explain: impl Fn() -> String,
    ) -> anyhow::Result<()> {
        if !name.contains(&self.only) {
            return Ok(());
        }
        for items in ITEMS {
            let [mut expected, mut found, mut bins] = [zero.clone(), zero.clone(), zero.clone()];
            plain(items, &mut expected);
            with_device(Device::Cpu, || offloaded(items, &mut found));
            ensure!(
                expected.iter().zip(&found).all(|(a, b)| same(a, b)),
                "the bins differ from the plain loop's"
            );
            // Both in the same memory: where bins lie makes a loop faster or slower.
            let calls = Calls::time(Duration::from_millis(self.apart), |form| match form {
                Form::Plain => plain(items, &mut bins),
                Form::Offloaded => offloaded(items, &mut bins),
            });
            calls.print(name, items, last_run(&explain()));
        }
        Ok(())
    }
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

/// A loop as it is, or offloaded.
#[derive(Clone, Copy)]
enum Form {
    Plain,
    Offloaded,
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
    fn time(apart: Duration, mut call: impl FnMut(Form)) -> Calls {
        let mut times = [const { Vec::new() }; 2];
        let start = Instant::now();
        while times[0].len() < 11 || (times[0].len() < MOST && start.elapsed() < TIME) {
            let mut turns = [Form::Plain, Form::Offloaded];
            turns.rotate_left(times[0].len() % 2);
            for form in turns {
                if !apart.is_zero() {
                    std::thread::sleep(apart);
                }
                times[form as usize].push(with_device(Device::Cpu, || {
                    let start = Instant::now();
                    call(form);
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
        Calls {
            calls: plain.len(),
            difference: median(pairs),
            plain: median(plain),
            offloaded: median(offloaded),
        }
    }

    fn print(&self, name: &str, items: usize, run: &str) {
        println!(
            "{name:<10}{items:>10}{:>12.2}{:>12.2}{:>12.2}{:>8}  {run}",
            self.plain, self.offloaded, self.difference, self.calls,
        );
    }
}

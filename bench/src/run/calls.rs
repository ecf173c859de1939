//! What a call costs beside the plain loop: on few items it must not be felt.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use accrue::{Device, with_device};
use anyhow::ensure;

use super::loops::{self, sequential};
use super::report::{last_run, processor};
use crate::data::{Random, median};

/// Items of a call, from none to what is worth every core.
const ITEMS: [usize; 10] = [
    0, 1, 10, 100, 1000, 10_000, 100_000, 262_144, 1_000_000, 4_000_000,
];

/// Pixels of an image's row.
const WIDTH: usize = 500;

/// For how long a size of a loop is called.
const TIME: Duration = Duration::from_millis(800);

/// Calls of a size at most: more do not make a median better.
const MOST_CALLS: usize = 4000;

/// What is measured.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only loops whose name has this text in it.
    #[arg(long, default_value = "")]
    only: String,
    /// Milliseconds between two calls, in which workers fall asleep.
    #[arg(long, default_value_t = 0)]
    apart: u64,
    /// Forms of loops instead, of one size each: with `RAYON_NUM_THREADS=1`, what a body costs on a worker.
    #[arg(long)]
    forms: bool,
}

/// Calls loops as they are and offloaded, in turns, and prints the medians. The answer is whether every result was right.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    if arguments.forms {
        return super::forms::measure(&arguments.only);
    }
    println!(
        "{}, {} threads; us a call, medians of calls in turns, {} ms apart",
        processor(),
        rayon::current_num_threads(),
        arguments.apart
    );
    println!(
        "{:<11}{:>9}{:>12}{:>12}{:>12}{:>8}  strategy",
        "loop", "items", "plain", "offloaded", "difference", "calls"
    );
    let most = ITEMS[ITEMS.len() - 1];
    let data = Data::new(most);
    macro_rules! measure {
        ($name:ident, $zero:expr, $same:expr, |$items:ident, $bins:ident| $arguments:tt) => {
            measure!($name, $zero, $same, |_| {}, |$items, $bins| $arguments)
        };
        ($name:ident, $zero:expr, $same:expr, $renew:expr, |$items:ident, $bins:ident| ($($argument:expr),*)) => {
            arguments.measure(
                stringify!($name),
                $zero,
                $same,
                $renew,
                (
                    |$items, $bins| sequential::$name($($argument),*),
                    |$items, $bins| loops::$name($($argument),*),
                ),
                loops::$name::explain,
            )?;
        };
    }
    let keys = |items| black_box(&data.keys[..items]);
    let spread = |items| black_box(&data.spread[..items]);
    let weights = |items| black_box(&data.weights[..items]);
    let pixels = |items| black_box(&data.pixels[..items]);
    let bytes = |items| black_box(&data.pixels[..items]).as_flattened();
    let points = |items| black_box(&data.points[..items]);
    let [first, second] = [0, 1].map(|n| &data.channels[n]);
    measure!(count_u32, vec![0u32; 256], PartialEq::eq, |n, bins| (
        keys(n),
        bins
    ));
    measure!(colours, vec![[0u32; 768]], PartialEq::eq, |n, bins| (
        pixels(n),
        &mut bins[0]
    ));
    measure!(chunks, vec![0u32; 768], PartialEq::eq, |n, bins| (
        bytes(n),
        bins
    ));
    measure!(image, vec![0u32; 256], PartialEq::eq, |n, bins| (
        black_box(&first[..n]),
        WIDTH.min(n).max(1),
        bins
    ));
    measure!(joint, vec![[[0u64; 256]; 256]], PartialEq::eq, |n, bins| (
        black_box(&first[..n]),
        black_box(&second[..n]),
        &mut bins[0]
    ));
    let zeros = || vec![0.0; 65_536];
    measure!(weigh, zeros(), loops::near, |n, bins| (
        spread(n),
        weights(n),
        bins
    ));
    // Which items are taken is to be news to the processor, call for call: it learns some thousand branches by heart, those of the form
    // that it has met first.
    let drawn = RefCell::new((data.weights.clone(), Random::new(20_261_123)));
    let draw = |items: usize| {
        let (weights, random) = &mut *drawn.borrow_mut();
        weights[..items].fill_with(|| random.unit());
    };
    measure!(weigh_some, zeros(), loops::near, draw, |n, bins| (
        spread(n),
        black_box(&drawn.borrow().0[..n]),
        bins
    ));
    measure!(largest, zeros(), loops::near, |n, bins| (
        spread(n),
        weights(n),
        bins
    ));
    measure!(add_to, vec![0.0; most], loops::near, |n, bins| (
        weights(n),
        bins
    ));
    measure!(splat, vec![0.0; 4096], loops::near, |n, bins| (
        points(n),
        bins
    ));
    measure!(scale, vec![0.0; most], loops::near, |n, out| (
        weights(n),
        out
    ));
    measure!(blur, vec![0.0; most], loops::near, |n, out| (
        weights(n),
        WIDTH,
        out
    ));
    measure!(rows, data.weights.clone(), loops::near, |n, out| (
        n / WIDTH,
        WIDTH,
        out
    ));
    measure!(least, vec![(0.0, 0)], PartialEq::eq, |n, found| (
        weights(n),
        &mut found[0]
    ));
    Ok(true)
}

impl Arguments {
    /// Measures a loop, if it is wanted, with each number of items, and prints the table's lines. `renew` makes the data of so many items
    /// new.
    fn measure<B: Clone>(
        &self,
        name: &str,
        zero: Vec<B>,
        same: impl Fn(&B, &B) -> bool,
        renew: impl Fn(usize),
        (plain, offloaded): (impl Fn(usize, &mut [B]), impl Fn(usize, &mut [B])),
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
            let calls = Calls::time(
                Duration::from_millis(self.apart),
                || renew(items),
                |form| match form {
                    Form::Plain => plain(items, &mut bins),
                    Form::Offloaded => offloaded(items, &mut bins),
                },
            );
            calls.print(name, items, last_run(&explain()));
        }
        Ok(())
    }
}

/// What the loops read.
struct Data {
    pixels: Vec<[u8; 3]>,
    /// Each colour alone.
    channels: [Vec<u8>; 3],
    /// One of them, as words.
    keys: Vec<u32>,
    points: Vec<[f32; 2]>,
    /// Keys without any order.
    spread: Vec<u32>,
    weights: Vec<f64>,
}

impl Data {
    fn new(items: usize) -> Data {
        let pixels = pixels(items);
        let mut random = Random::new(20_261_122);
        Data {
            channels: std::array::from_fn(|n| pixels.iter().map(|p| p[n]).collect()),
            keys: pixels.iter().map(|p| u32::from(p[0])).collect(),
            points: pixels
                .iter()
                .map(|p| [f32::from(p[0]) / 256.0, f32::from(p[1]) / 256.0])
                .collect(),
            spread: (0..items).map(|_| random.below(65_536) as u32).collect(),
            weights: (0..items).map(|_| random.unit()).collect(),
            pixels,
        }
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
    /// Calls both in turns, first the one and then the other first, on data that are made new for each turn.
    fn time(apart: Duration, renew: impl Fn(), mut call: impl FnMut(Form)) -> Calls {
        let mut times = [const { Vec::new() }; 2];
        let start = Instant::now();
        while times[0].len() < 11 || (times[0].len() < MOST_CALLS && start.elapsed() < TIME) {
            let mut turns = [Form::Plain, Form::Offloaded];
            turns.rotate_left(times[0].len() % 2);
            renew();
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
        let [plain, offloaded] = times;
        let pairs = plain.iter().zip(&offloaded).map(|(p, o)| o - p);
        Calls {
            calls: plain.len(),
            difference: median(pairs),
            plain: median(plain),
            offloaded: median(offloaded),
        }
    }

    fn print(&self, name: &str, items: usize, run: &str) {
        println!(
            "{name:<11}{items:>9}{:>12.2}{:>12.2}{:>12.2}{:>8}  {run}",
            self.plain, self.offloaded, self.difference, self.calls,
        );
    }
}

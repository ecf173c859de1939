//! Loops on the CPU: sequential, with rayon as people write it, through OpenMP's array reduction where that peer was built,
//! and offloaded.
//!
//! They take turns, run for run, so that a machine that slows down slows all of them; what is shown is the median of each, and of accrue over each in one
//! turn. Where others disturbed a round of turns there is another one, and the quietest counts.
//! All read their items from the same files, mapped: pages of a file and of the heap differ in size, and in speed with them.
//! Every result is compared with the sequential loop's.

use std::fs::File;
use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;
use std::time::{Duration, Instant};

use accrue::{Device, with_device};
use anyhow::{Context, ensure};
use memmap2::{Mmap, MmapOptions};
use tempfile::TempDir;

use super::loops::{self, sequential};
use super::peers::Peers;
use super::report::{Cores, Over, Quiet, Report, Row, last_run, processor};
use crate::data::{Distribution, Random, median};

const DISTRIBUTIONS: [Distribution; 4] = [
    Distribution::Uniform,
    Distribution::Const,
    Distribution::Zipf,
    Distribution::Runs,
];

const BINS: [usize; 4] = [256, 4096, 65_536, 1_092_546];

const SEED: u64 = 20_261_120;

/// Runs before those that count: a loop's first calls meet cold memory, and try both ways.
const WARM: usize = 3;

/// How many rounds there are at most.
const ROUNDS: usize = 3;

/// The threads of OpenMP look for more work for some milliseconds, before they sleep.
const ASLEEP: Duration = Duration::from_millis(20);

/// Measures every loop whose name and bins have `only` in them, and prints the table as it grows.
pub(super) fn measure(
    items: usize,
    samples: usize,
    only: &str,
    peers: Option<&Path>,
) -> anyhow::Result<Report> {
    let mut report = Report {
        processor: processor(),
        threads: rayon::current_num_threads(),
        items,
        samples,
        rows: Vec::new(),
    };
    let mut measured = Measure {
        items,
        samples,
        peers: Peers::start(peers, &["openmp"])?,
        files: tempfile::tempdir().context("no folder for what a peer reads")?,
        written: 0,
    };
    println!("{}", report.heading());
    let mut add = |row: anyhow::Result<Row>| -> anyhow::Result<()> {
        let row = row?;
        println!("{}", row.line());
        report.rows.push(row);
        Ok(())
    };
    for distribution in DISTRIBUTIONS {
        if "count u8 256".contains(only) {
            add(measured.bytes(distribution))?;
        }
    }
    for bins in BINS {
        for distribution in DISTRIBUTIONS {
            if format!("count u32 {bins}").contains(only) {
                add(measured.words(bins, distribution))?;
            }
        }
    }
    for bins in [256, 65_536] {
        for distribution in DISTRIBUTIONS {
            if format!("weigh f64 {bins}").contains(only) {
                add(measured.weights(bins, distribution))?;
            }
        }
    }
    for distribution in DISTRIBUTIONS {
        if "joint u64 65536".contains(only) {
            add(measured.pairs(distribution))?;
        }
    }
    println!("{}", report.summary());
    Ok(report)
}

/// What stands in a file as a peer reads it.
///
/// # Safety
///
/// Any bytes are a value of the type.
unsafe trait Number {
    /// Its bytes, the lowest first.
    fn bytes(self) -> impl Iterator<Item = u8>;
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(// SAFETY: every pattern of bits is a number of it.
        unsafe impl Number for $number {
            fn bytes(self) -> impl Iterator<Item = u8> {
                self.to_le_bytes().into_iter()
            }
        })*
    };
}

numbers!(u8 u32 f64);

/// Items of a loop, in a file that all forms read.
struct Items<T> {
    map: Mmap,
    path: String,
    of: PhantomData<T>,
}

impl<T: Number> Deref for Items<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `Number` is of types of which any bytes are a value; a map begins with a page, so nothing is left over before.
        unsafe { self.map.align_to().1 }
    }
}

impl<T> Drop for Items<T> {
    fn drop(&mut self) {
        // The folder goes at the end; what is left until then only takes room.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// How much is measured, and beside whom.
struct Measure {
    items: usize,
    samples: usize,
    peers: Peers,
    /// What the peers read; removed at the end.
    files: TempDir,
    /// How many files there have been: a peer keeps what it has read by its name.
    written: usize,
}

impl Measure {
    fn keys<T>(
        &mut self,
        bins: usize,
        of: Distribution,
        seed: u64,
        narrow: impl Fn(u64) -> T,
    ) -> anyhow::Result<Items<T>>
    where
        T: Number,
    {
        let keys = of.keys(self.items, bins as u64, SEED + seed);
        self.file(keys.into_iter().map(narrow))
    }

    /// Numbers in a file of their own.
    fn file<T: Number>(&mut self, numbers: impl Iterator<Item = T>) -> anyhow::Result<Items<T>> {
        self.written += 1;
        let path = self.files.path().join(self.written.to_string());
        let bytes: Vec<u8> = numbers.flat_map(T::bytes).collect();
        std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        let file = File::open(&path)?;
        // SAFETY: nobody else changes a file of this process's own folder.
        let map = unsafe { MmapOptions::new().populate().map(&file)? };
        Ok(Items {
            map,
            path: path.display().to_string(),
            of: PhantomData,
        })
    }

    fn bytes(&mut self, of: Distribution) -> anyhow::Result<Row> {
        let keys = self.keys(256, of, 0, |k| k as u8)?;
        let file = &keys.path;
        let speeds = self.compare(
            vec![0u32; 256],
            |bins| sequential::count_u8(&keys, bins),
            |bins| loops::rayon_count(&keys, bins),
            |bins| loops::count_u8(&keys, bins),
            |a, b| a == b,
            &format!("{file} u8 {} 1 256 count u32", self.items),
        )?;
        Ok(speeds.row("count u8", 256, of, &loops::count_u8::explain()))
    }

    fn words(&mut self, bins: usize, of: Distribution) -> anyhow::Result<Row> {
        let keys = self.keys(bins, of, 0, |k| k as u32)?;
        let file = &keys.path;
        let speeds = self.compare(
            vec![0u32; bins],
            |bins| sequential::count_u32(&keys, bins),
            |bins| loops::rayon_count(&keys, bins),
            |bins| loops::count_u32(&keys, bins),
            |a, b| a == b,
            &format!("{file} u32 {} 1 {bins} count u32", self.items),
        )?;
        Ok(speeds.row("count u32", bins, of, &loops::count_u32::explain()))
    }

    fn weights(&mut self, bins: usize, of: Distribution) -> anyhow::Result<Row> {
        let keys = self.keys(bins, of, 0, |k| k as u32)?;
        let mut random = Random::new(SEED);
        let weights = self.file(keys.iter().map(|_| random.unit()))?;
        let (file, second) = (&keys.path, &weights.path);
        let speeds = self.compare(
            vec![0.0; bins],
            |bins| sequential::weigh(&keys, &weights, bins),
            |bins| loops::rayon_weigh(&keys, &weights, bins),
            |bins| loops::weigh(&keys, &weights, bins),
            loops::near,
            &format!("{file} u32 {} 1 {bins} {second} f64", self.items),
        )?;
        Ok(speeds.row("weigh f64", bins, of, &loops::weigh::explain()))
    }

    fn pairs(&mut self, of: Distribution) -> anyhow::Result<Row> {
        let a = self.keys(256, of, 0, |k| k as u8)?;
        let b = self.keys(256, of, 1, |k| k as u8)?;
        let (file, second) = (&a.path, &b.path);
        // The bins are too large for a stack, in a box they keep their type.
        type Bins = Box<[[u64; 256]; 256]>;
        let bins: Bins = vec![[0u64; 256]; 256].try_into().expect("256 rows");
        let speeds = self.compare(
            vec![bins],
            |bins| sequential::joint(&a, &b, &mut bins[0]),
            |bins| loops::rayon_joint(&a, &b, &mut bins[0]),
            |bins| loops::joint(&a, &b, &mut bins[0]),
            |a, b| a == b,
            &format!("{file} u8 {} 1 65536 {second} u64", self.items),
        )?;
        Ok(speeds.row("joint u64", 65_536, of, &loops::joint::explain()))
    }

    /// Runs the forms in turns, and compares what they have counted in all. `job` is what a peer is asked.
    fn compare<B: Clone>(
        &mut self,
        zero: Vec<B>,
        sequential: impl Fn(&mut [B]),
        rayon: impl Fn(&mut [B]),
        accrue: impl Fn(&mut [B]),
        same: impl Fn(&B, &B) -> bool,
        job: &str,
    ) -> anyhow::Result<Speeds> {
        let mut bins = [zero.clone(), zero.clone(), zero];
        let mut best: Option<Speeds> = None;
        for rounds in 1..=ROUNDS {
            let mut times = [const { Vec::new() }; 4];
            let mut others = 0.0f64;
            let warm = if rounds == 1 { WARM } else { 0 };
            for run in 0..warm + self.samples {
                let counts = run >= warm;
                let before = Cores::now();
                for form in 0..3 {
                    let bins = &mut bins[form];
                    let start = Instant::now();
                    match form {
                        0 => sequential(bins),
                        1 => rayon(bins),
                        _ => with_device(Device::Cpu, || accrue(bins)),
                    }
                    if counts {
                        times[form].push(start.elapsed().as_secs_f64());
                    }
                }
                if counts {
                    others += Cores::now().others_since(before) / self.samples as f64;
                }
                for answer in self.peers.ask_line(&format!("{job}\n")) {
                    // Counts are told by their sum; weights are from 0 to 1, and their sum is about half the items.
                    if let Some(sum) = answer.sum {
                        let part = if job.ends_with("f64") { 0.5 } else { 1.0 };
                        let expected = self.items as f64 * part;
                        let near = (sum - expected).abs() <= 0.01 * expected;
                        ensure!(near, "OpenMP's bins add up to {sum}, not {expected}");
                    }
                    if counts {
                        times[3].extend(answer.us.map(|us| us / 1e6));
                    }
                    std::thread::sleep(ASLEEP);
                }
            }
            let round = Speeds::of(self.items, &times, rounds, others);
            let enough = round.quiet.is_enough();
            best = Some(match best {
                Some(best) if !enough && best.quiet.disturbed() <= round.quiet.disturbed() => {
                    best.after(rounds)
                }
                _ => round,
            });
            if enough {
                break;
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
        best.context("no round")
    }
}

/// Medians in 10^9 updates a second.
#[derive(Clone, Copy)]
struct Speeds {
    sequential: f64,
    rayon: f64,
    openmp: Option<f64>,
    accrue: f64,
    over: Over,
    quiet: Quiet,
}

impl Speeds {
    /// Of the times of a round: the sequential loop's, rayon's, accrue's, OpenMP's.
    fn of(items: usize, times: &[Vec<f64>; 4], rounds: usize, others: f64) -> Speeds {
        let [sequential, rayon, accrue, openmp] = times;
        let speed = |form: &[f64]| items as f64 / median(form.iter().copied()) / 1e9;
        let over = |form: &[f64]| median(form.iter().zip(accrue).map(|(of, it)| of / it));
        // No peer has no times.
        let peer = Some(&openmp[..]).filter(|times| !times.is_empty());
        let spread = |form: &Vec<f64>| {
            let least = form.iter().copied().reduce(f64::min)?;
            Some(median(form.iter().copied()) / least - 1.0)
        };
        Speeds {
            sequential: speed(sequential),
            rayon: speed(rayon),
            openmp: peer.map(speed),
            accrue: speed(accrue),
            over: Over {
                sequential: over(sequential),
                rayon: over(rayon),
                openmp: peer.map(over),
            },
            quiet: Quiet {
                rounds,
                spread: times.iter().filter_map(spread).fold(0.0, f64::max),
                others,
            },
        }
    }

    /// The same, still the quietest of so many rounds.
    fn after(mut self, rounds: usize) -> Speeds {
        self.quiet.rounds = rounds;
        self
    }

    fn row(
        self,
        loop_name: &'static str,
        bins: usize,
        distribution: Distribution,
        explain: &str,
    ) -> Row {
        // The numbers behind the strategy are the table's already.
        let run = last_run(explain);
        let strategy = run.split(" (").next().unwrap_or(run);
        Row {
            loop_name,
            bins,
            distribution: distribution.name(),
            sequential: self.sequential,
            rayon: self.rayon,
            openmp: self.openmp,
            accrue: self.accrue,
            over: self.over,
            quiet: self.quiet,
            strategy: strategy.to_owned(),
        }
    }
}

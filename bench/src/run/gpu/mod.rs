//! Kernels on a device, on data that is there already: every strategy and the automatic choice, timed by the device's
//! own events, beside the peers of `bench/peers` on the same keys.

pub(crate) mod bars;
mod bound;
mod cell;
mod choice;
mod data;
mod grid;
mod hough;
mod maps;
mod model;
mod pixels;
mod scans;
mod steps;

use std::path::Path;
use std::time::{Duration, Instant, UNIX_EPOCH};

use accrue::__bench::wait_for_kernels;
use accrue::{Device, DeviceBuffer, Stream};
use anyhow::Context;
use serde::{Deserialize, Serialize};

use self::bound::Sum;
use self::cell::{Bench, Measured, Way};
use self::choice::Choice;
use self::grid::Cell;
pub(super) use self::model::Model;
use super::host::{self, Host};
use super::peers::{Job, Peers};
use crate::data::{Distribution, median};

/// The names of the applications that are measured beside the grid.
const PIXELS: &str = "pixels";
const HOUGH: &str = "hough";

/// The name of the loops that fill no bins; a part of their names may stand behind it, `maps/sum`.
const MAPS: &str = "maps";

/// What is measured on a device.
pub(super) struct Plan<'a> {
    /// The device.
    pub(super) device: Device,
    /// Runs of each way, at most.
    pub(super) samples: usize,
    /// Which cells, as [`grid::cells`] reads it.
    pub(super) cells: &'a str,
    /// What the keys are drawn from.
    pub(super) seed: u64,
    /// A folder with peers.
    pub(super) peers: Option<&'a Path>,
    /// When to stop.
    pub(super) limit: Duration,
}

/// What was measured and on what.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The device, as the system names it.
    device: String,
    /// Days since 1970.
    day: u64,
    samples: usize,
    seed: u64,
    /// 10^9 bytes a second, read and written together, of a copy on the device.
    copy: f64,
    /// What a call costs besides its kernel.
    host: Host,
    cells: Vec<Measured>,
    pixels: Vec<pixels::Figure>,
    #[serde(default)]
    hough: Vec<hough::Figure>,
    #[serde(default)]
    maps: Vec<maps::Figure>,
    /// Cells for which there was no time.
    left_out: Vec<String>,
}

/// A way's times against bins.
#[cfg(feature = "plot")]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) peer: bool,
    /// Bins, and milliseconds.
    pub(super) points: Vec<(f64, f64)>,
    /// What the automatic choice chose, for each point.
    pub(super) chose: Vec<String>,
}

impl Report {
    /// Reads what a run has written.
    pub(super) fn read(path: &Path) -> anyhow::Result<Report> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))
    }

    /// Where it was measured.
    #[cfg(feature = "plot")]
    pub(super) fn title(&self) -> String {
        format!("{}; a copy moves {:.0} GB/s", self.device, self.copy)
    }

    /// The ways to count 2^28 `u32` keys of a distribution. Of OpenACC's numbers of copies the best is taken.
    #[cfg(feature = "plot")]
    pub(super) fn lines(&self, keys: &str) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for cell in &self.cells {
            let parts: Vec<&str> = cell.cell.split('/').collect();
            let ["u32", bins, distribution, "count", "2^28"] = parts[..] else {
                continue;
            };
            let (Ok(bins), true) = (bins.parse::<f64>(), distribution == keys) else {
                continue;
            };
            for way in cell.ways.iter().filter(|way| !way.wrong) {
                let Some(us) = way.us else { continue };
                let ms = us / 1e3;
                let name = match way.way.split_once(' ') {
                    Some(("openacc", _)) => "openacc, best l",
                    _ => &way.way,
                };
                let at = lines.iter().position(|line| line.name == name);
                let line = match at {
                    Some(at) => &mut lines[at],
                    None => {
                        lines.push(Line {
                            name: name.to_owned(),
                            peer: way.peer,
                            points: Vec::new(),
                            chose: Vec::new(),
                        });
                        lines.last_mut().expect("one was pushed")
                    }
                };
                match line.points.last_mut() {
                    Some(last) if last.0 == bins => last.1 = last.1.min(ms),
                    _ => {
                        line.points.push((bins, ms));
                        line.chose.push(way.chose.clone().unwrap_or_default());
                    }
                }
            }
        }
        lines
    }

    /// A later run's figures, and these cells besides.
    pub(super) fn with(mut self, later: Report) -> Report {
        self.cells.extend(later.cells);
        Report {
            cells: self.cells,
            ..later
        }
    }

    /// Leaves nothing but the times of strategies.
    pub(super) fn keep_strategies(&mut self) {
        for cell in &mut self.cells {
            cell.ways
                .retain(|way| !way.peer && way.us.is_some() && !way.wrong && way.way != "auto");
            for way in &mut cell.ways {
                way.predicted_us = None;
                way.chose = None;
            }
        }
        self.pixels.clear();
        self.left_out.clear();
    }
}

/// Measures the cells and prints a line for each; whether every result was right.
pub(super) fn measure(plan: &Plan<'_>) -> anyhow::Result<(Report, bool)> {
    let start = Instant::now();
    // Two applications have names of their own.
    let maps = plan.cells.strip_prefix(MAPS);
    let alone = [PIXELS, HOUGH].contains(&plan.cells) || maps.is_some();
    let cells = match alone {
        true => Vec::new(),
        false => grid::cells(plan.cells)?,
    };
    let host = host::measure(plan.device)?;
    let stream = Stream::on(plan.device)?;
    let copy = copy_bandwidth(&stream, plan.samples, words(&stream, 1 << 28))?;
    println!(
        "{}, seed {}, {} cells, median of at most {}; a copy moves {copy:.0} GB/s; 10^9 updates a second",
        plan.device,
        plan.seed,
        cells.len(),
        plan.samples
    );
    println!("{}", host.line());
    let named = accrue::devices()
        .into_iter()
        .find(|d| d.device == plan.device);
    let mut report = Report {
        device: named.map_or_else(|| plan.device.to_string(), |info| info.to_string()),
        day: UNIX_EPOCH
            .elapsed()
            .map_or(0, |since| since.as_secs() / 86_400),
        samples: plan.samples,
        seed: plan.seed,
        copy,
        host,
        cells: Vec::new(),
        pixels: Vec::new(),
        hough: Vec::new(),
        maps: Vec::new(),
        left_out: Vec::new(),
    };
    if plan.cells.is_empty() || plan.cells == PIXELS {
        report.pixels = pixels::measure(&stream, plan.seed)?;
    }
    let mut right = true;
    if plan.cells.is_empty() || plan.cells == HOUGH {
        (report.hough, right) = hough::measure(&stream, plan.samples, plan.seed)?;
    }
    if let Some(only) = maps.or(plan.cells.is_empty().then_some("")) {
        let only = only.trim_start_matches('/');
        let (figures, all) = maps::measure(&stream, plan.samples, plan.seed, copy, only)?;
        report.maps = figures;
        right &= all;
    }
    // They load for seconds, on the processor and the device, which the host's times above would tell of.
    let mut peers = Peers::start(plan.peers, &["cub", "openacc", "arrays.py"])?;
    let mut bench = Bench::new(&stream, plan.samples, plan.seed);
    let weights = bench.weights().to_vec();
    let same_keys = |a: &Cell, b: &Cell| (a.key, a.bins, a.keys) == (b.key, b.bins, b.keys);
    for group in cells.chunk_by(same_keys) {
        if start.elapsed() > plan.limit {
            report.left_out.extend(group.iter().map(Cell::to_string));
            continue;
        }
        bench.measure(group, &mut |cell, keys, expected, mut measured| {
            ask(&mut peers, cell, keys, &weights, expected, &mut measured)?;
            println!("{}", measured.line(copy));
            report.cells.push(measured);
            Ok(())
        })?;
    }
    if !report.left_out.is_empty() {
        println!("no time for {} cells", report.left_out.len());
    }
    let mut ways = report.cells.iter().flat_map(|cell| &cell.ways);
    right &= ways.all(|way| way.peer || !way.wrong);
    println!("{}", Choice::of(&report.cells));
    Ok((report, right))
}

/// Has the peers do a cell, and adds what they say.
fn ask(
    peers: &mut Peers,
    cell: &Cell,
    keys: &[u64],
    weights: &[f64],
    expected: &[Sum],
    measured: &mut Measured,
) -> anyhow::Result<()> {
    if !cell.weight.counts() && cell.weight.size() == 0 {
        // None of them adds a function of the key.
        return Ok(());
    }
    if cell.log_items < 28 && !matches!(cell.keys, Distribution::Uniform | Distribution::Zipf) {
        // Their time is mostly the launches' then, and setting them up takes most of a run.
        return Ok(());
    }
    let (block, blocks) = data::blocks(cell);
    let answers = peers.ask(&Job {
        keys: &keys[..block],
        key: cell.key.name(),
        blocks,
        bins: cell.bins,
        weights: (!cell.weight.counts()).then_some(&weights[..block]),
        bin: cell.weight.bin(),
    })?;
    let total: f64 = expected.iter().map(Sum::value).sum();
    let magnitude: f64 = expected.iter().map(Sum::magnitude).sum();
    let place = |(i, sum): (usize, &Sum)| i as f64 * sum.value();
    let moment: f64 = expected.iter().enumerate().map(place).sum();
    let tolerance = if cell.weight.counts() { 1e-12 } else { 1e-3 };
    for answer in answers {
        let off = |found: Option<f64>, expected: f64, scale: f64| {
            found.is_some_and(|found| (found - expected).abs() > tolerance * scale)
        };
        let wrong = off(answer.sum, total, magnitude)
            || off(answer.moment, moment, magnitude * cell.bins as f64);
        measured.ways.push(Way {
            way: answer.peer,
            peer: true,
            us: answer.us,
            predicted_us: None,
            note: answer.skip,
            wrong,
            chose: None,
        });
    }
    Ok(())
}

/// How fast the device copies so many words within its memory.
fn copy_bandwidth(stream: &Stream, samples: usize, words: usize) -> anyhow::Result<f64> {
    let from = DeviceBuffer::<u32>::zeroed_on(stream, words)?;
    let mut to = DeviceBuffer::<u32>::zeroed_on(stream, words)?;
    let time = timed(stream, samples, Duration::MAX, || {
        to.as_slice_mut()
            .copy_from_device(stream, from.as_slice())
            .map_err(Into::into)
    })?;
    Ok((2 * 4 * words) as f64 / time.as_secs_f64() / 1e9)
}

/// So many words for a copy, or what the simulator has memory and time for.
fn words(stream: &Stream, on_a_gpu: usize) -> usize {
    match stream.device() {
        Device::Cuda(_) => on_a_gpu,
        _ => 1 << 16,
    }
}

/// Calls are repeated so often as long as they take no longer than this: the shorter, the more they vary.
const SHORT_SAMPLES: usize = 31;

/// See [`SHORT_SAMPLES`].
const SHORT: Duration = Duration::from_micros(800);

/// Calls until what runs has settled: none has had a kernel compiled for the ones after it twice in a row, so that those have
/// been chosen with a sample of the keys, out of all that there is to choose from.
pub(crate) fn settle(
    stream: &Stream,
    mut call: impl FnMut() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // A sample, what it makes faster, and some more.
    const CALLS: usize = 12;
    let mut quiet = 0;
    for _ in 0..CALLS {
        call()?;
        stream.sync()?;
        quiet = match wait_for_kernels(stream.device())? {
            true => 0,
            false => quiet + 1,
        };
        if quiet == 2 {
            break;
        }
    }
    Ok(())
}

/// The median time of a call by the device's events, after one call to warm up, of as many as there is patience for.
pub(crate) fn timed(
    stream: &Stream,
    samples: usize,
    patience: Duration,
    mut call: impl FnMut() -> anyhow::Result<()>,
) -> anyhow::Result<Duration> {
    // What the host takes to queue a call is not the device's time: the device copies something meanwhile. A short call is
    // then made once more before the one that is timed, so that the caches are as calls in a row leave them.
    const BRIEF: Duration = Duration::from_millis(4);
    let words = words(stream, 1 << 25);
    let from = DeviceBuffer::<u32>::zeroed_on(stream, words)?;
    let mut to = DeviceBuffer::<u32>::zeroed_on(stream, words)?;
    let mut times = Vec::with_capacity(samples);
    let mut total = Duration::ZERO;
    // The first is to warm up, and counts only where it is the only one.
    while times.is_empty()
        || times.len() <= samples && total < patience
        || times.len() <= SHORT_SAMPLES && total < SHORT
    {
        if times.last().is_some_and(|t| *t < BRIEF) {
            to.as_slice_mut()
                .copy_from_device(stream, from.as_slice())?;
            call()?;
        }
        let begin = stream.mark()?;
        call()?;
        let end = stream.mark()?;
        stream.sync()?;
        let time = begin.until(&end)?;
        total += time;
        times.push(time);
    }
    if times.len() > 1 {
        times.remove(0);
    }
    Ok(median(times))
}

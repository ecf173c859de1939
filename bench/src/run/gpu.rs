//! Kernels on a device, on data that is there already: every strategy and the automatic choice, timed by the device's
//! own events, beside the peers of `bench/peers` on the same keys.
//!
//! Keys are a block of 2^22, drawn from the seed, laid end to end until there are as many as asked for: the memory is
//! distinct, so nothing is served from a cache, and the expected bins are the block's times the number of blocks.

use std::path::Path;
use std::time::{Duration, Instant};

use accrue::__rt::gpu::{Array, Bins, queue};
use accrue::{Device, DeviceBuffer, DeviceType, Stream};
use accrue_ptx::abi::Strategy;
use anyhow::{Context, ensure};
use serde::Serialize;

use super::host::{self, Host};
use super::peers::{Answer, Job, Peers};
use crate::check::kernel::{self, Compiled};
use crate::data::{Distribution, Random};

const BLOCK: usize = 1 << 22;

/// A loop over keys, with or without weights.
struct Work {
    name: &'static str,
    text: &'static str,
    key: &'static str,
    weight: Option<&'static str>,
    bin: &'static str,
    bins: &'static [usize],
    /// Bytes that an item takes from memory.
    bytes: usize,
}

const WORKS: [Work; 6] = [
    Work {
        name: "count u8",
        text: "fn count_u8(keys: &[u8], bins: &mut [u32]) { for &k in keys { bins[k as usize] += 1; } }",
        key: "u8",
        weight: None,
        bin: "u32",
        bins: &[256],
        bytes: 1,
    },
    Work {
        name: "count u32",
        text: "fn count_u32(keys: &[u32], bins: &mut [u32]) { for &k in keys { bins[k as usize] += 1; } }",
        key: "u32",
        weight: None,
        bin: "u32",
        bins: &[
            32, 256, 4096, 16_384, 57_000, 65_536, 262_144, 1_092_546, 8_388_608,
        ],
        bytes: 4,
    },
    Work {
        name: "count u64 bins",
        text: "fn count_u64(keys: &[u32], bins: &mut [u64]) { for &k in keys { bins[k as usize] += 1; } }",
        key: "u32",
        weight: None,
        bin: "u64",
        bins: &[256, 4096, 16_384],
        bytes: 4,
    },
    Work {
        name: "weigh u32",
        text: "fn weigh_u32(keys: &[u32], bins: &mut [u32]) { for &k in keys { bins[k as usize] += k + 1; } }",
        key: "u32",
        weight: None,
        bin: "u32",
        bins: &[256, 4096],
        bytes: 4,
    },
    Work {
        name: "weigh f32",
        text: "fn weigh_f32(keys: &[u32], weights: &[f32], bins: &mut [f32]) { for (&k, &w) in keys.iter().zip(weights) { bins[k as usize] += w; } }",
        key: "u32",
        weight: Some("f32"),
        bin: "f32",
        bins: &[256, 4096, 16_384],
        bytes: 8,
    },
    Work {
        name: "weigh f64",
        text: "fn weigh_f64(keys: &[u32], weights: &[f64], bins: &mut [f64]) { for (&k, &w) in keys.iter().zip(weights) { bins[k as usize] += w; } }",
        key: "u32",
        weight: Some("f64"),
        bin: "f64",
        bins: &[256, 4096],
        bytes: 12,
    },
];

/// What was measured and on what.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    device: String,
    items: usize,
    samples: usize,
    seed: u64,
    /// 10^9 bytes a second, read and written together, of a copy on the device.
    copy: f64,
    /// What a call costs besides its kernel.
    host: Host,
    rows: Vec<Row>,
}

/// One way of one loop on some data.
#[derive(Debug, Serialize)]
struct Row {
    work: &'static str,
    bins: usize,
    keys: &'static str,
    way: String,
    /// Median, in microseconds; none with the reason why not.
    us: Option<f64>,
    note: String,
}

/// Measures every work whose name has `only` in it, and prints a line for each.
pub(super) fn measure(
    device: Device,
    items: usize,
    samples: usize,
    only: &str,
    seed: u64,
    peers: Option<&Path>,
) -> anyhow::Result<(Report, bool)> {
    let items = items.div_ceil(BLOCK) * BLOCK;
    let host = host::measure(device)?;
    let stream = Stream::on(device)?;
    let mut peers = Peers::start(peers)?;
    let copy = copy_bandwidth(&stream, samples)?;
    println!(
        "{device}, {items} items, median of {samples}, seed {seed}; a copy moves {copy:.0} GB/s; 10^9 updates a second"
    );
    println!("{}", host.line());
    let mut report = Report {
        device: device.to_string(),
        items,
        samples,
        seed,
        copy,
        host,
        rows: Vec::new(),
    };
    let mut right = true;
    for work in &WORKS {
        for &bins in work.bins {
            for distribution in Distribution::ALL {
                if !format!("{} {bins} {}", work.name, distribution.name()).contains(only) {
                    continue;
                }
                let mut cell = Cell {
                    work,
                    bins,
                    distribution,
                    items,
                    samples,
                    stream: &stream,
                    rows: Vec::new(),
                };
                right &= cell.measure(seed, &mut peers)?;
                println!("{}", cell.line(copy));
                report.rows.append(&mut cell.rows);
            }
        }
    }
    if "pixels".contains(only) {
        pixels(&stream, &mut report)?;
    }
    Ok((report, right))
}

/// How fast the device copies within its memory.
fn copy_bandwidth(stream: &Stream, samples: usize) -> anyhow::Result<f64> {
    let from = DeviceBuffer::<u32>::zeroed_on(stream, 1 << 28)?;
    let mut to = DeviceBuffer::<u32>::zeroed_on(stream, 1 << 28)?;
    let time = timed(stream, samples, || {
        to.as_slice_mut()
            .copy_from_device(stream, from.as_slice())
            .map_err(Into::into)
    })?;
    Ok((2 * (4usize << 28)) as f64 / time.as_secs_f64() / 1e9)
}

/// The median time of a call by the device's events, after one call to warm up.
fn timed(
    stream: &Stream,
    samples: usize,
    mut call: impl FnMut() -> anyhow::Result<()>,
) -> anyhow::Result<Duration> {
    call()?;
    stream.sync()?;
    let mut times = Vec::with_capacity(samples);
    for _ in 0..samples {
        let begin = stream.mark()?;
        call()?;
        let end = stream.mark()?;
        stream.sync()?;
        times.push(begin.until(&end)?);
    }
    times.sort();
    Ok(times[samples / 2])
}

/// One work on keys of one distribution.
struct Cell<'a> {
    work: &'static Work,
    bins: usize,
    distribution: Distribution,
    items: usize,
    samples: usize,
    stream: &'a Stream,
    rows: Vec<Row>,
}

impl Cell<'_> {
    fn measure(&mut self, seed: u64, peers: &mut Peers) -> anyhow::Result<bool> {
        let keys: Vec<u64> = self.distribution.keys(BLOCK, self.bins as u64, seed);
        match self.work.key {
            "u8" => self.on(&keys, |k| k as u8, seed, peers),
            _ => self.on(&keys, |k| k as u32, seed, peers),
        }
    }

    fn on<K: DeviceType>(
        &mut self,
        keys: &[u64],
        key: fn(u64) -> K,
        seed: u64,
        peers: &mut Peers,
    ) -> anyhow::Result<bool> {
        let block: Vec<K> = keys.iter().map(|&k| key(k)).collect();
        let device_keys = repeated(self.stream, &block, self.items)?;
        match (self.work.weight, self.work.bin) {
            (Some("f32"), _) => {
                let weights = weights(seed, |w| w as f32);
                let on_device = repeated(self.stream, &weights, self.items)?;
                let expected = self.expected(keys, |i| f64::from(weights[i]));
                let array = Array::device(on_device.as_slice());
                self.ways(
                    &device_keys,
                    Some(array),
                    &expected,
                    |b: f32| f64::from(b),
                    1e-4,
                )?;
            }
            (Some(_), _) => {
                let weights = weights(seed, |w| w);
                let on_device = repeated(self.stream, &weights, self.items)?;
                let expected = self.expected(keys, |i| weights[i]);
                let array = Array::device(on_device.as_slice());
                self.ways(&device_keys, Some(array), &expected, |b: f64| b, 1e-9)?;
            }
            (None, "u64") => {
                let expected = self.expected(keys, |_| 1.0);
                self.ways(&device_keys, None, &expected, |b: u64| b as f64, 0.0)?;
            }
            (None, _) => {
                let weighs = self.work.name.starts_with("weigh");
                let expected: Vec<f64> = self
                    .expected(keys, |i| if weighs { (keys[i] + 1) as f64 } else { 1.0 })
                    .into_iter()
                    .map(|sum| sum % 4_294_967_296.0)
                    .collect();
                self.ways(&device_keys, None, &expected, |b: u32| f64::from(b), 0.0)?;
            }
        }
        if self.work.weight.is_none() && self.work.name.starts_with("count") {
            let answers = peers.ask(&Job {
                keys: bytes_of(&block),
                blocks: self.items / BLOCK,
                key: self.work.key,
                items: self.items,
                bins: self.bins,
                bin: self.work.bin,
            })?;
            for Answer {
                peer,
                us,
                sum,
                skip,
            } in answers
            {
                let wrong = sum.is_some_and(|sum| sum != self.items as f64);
                self.row(
                    peer,
                    us.filter(|_| !wrong),
                    if wrong {
                        "counts something else".to_owned()
                    } else {
                        skip
                    },
                );
            }
        }
        Ok(self.rows.iter().all(|row| row.note != WRONG))
    }

    /// The bins, if item `i` of a block adds `weight(i)`.
    fn expected(&self, keys: &[u64], weight: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut bins = vec![0.0; self.bins];
        for (i, &k) in keys.iter().enumerate() {
            bins[k as usize] += weight(i);
        }
        let blocks = (self.items / BLOCK) as f64;
        bins.iter_mut().for_each(|b| *b *= blocks);
        bins
    }

    /// Every strategy that applies, and the automatic choice.
    fn ways<K: DeviceType, B: DeviceType + Copy + Default>(
        &mut self,
        keys: &DeviceBuffer<K>,
        weights: Option<Array<'_>>,
        expected: &[f64],
        value: fn(B) -> f64,
        tolerance: f64,
    ) -> anyhow::Result<()> {
        let compiled = kernel::compile(self.work.text, &[])?;
        let mut requests = vec![("auto".to_owned(), String::new())];
        for strategy in Strategy::ALL {
            let name = strategy.name();
            if strategy == Strategy::GangGlobal {
                requests.push(("gang_global l=8".to_owned(), format!("{name}:locals=8")));
                requests.push(("gang_global l=64".to_owned(), format!("{name}:locals=64")));
            } else {
                requests.push((name.to_owned(), name.to_owned()));
            }
        }
        for (way, request) in requests {
            let (us, note) = match self.way(
                &compiled, &request, keys, weights, expected, value, tolerance,
            ) {
                Ok((time, note)) => (Some(time.as_secs_f64() * 1e6), note),
                Err(e) => (
                    None,
                    e.to_string().lines().next().unwrap_or_default().to_owned(),
                ),
            };
            self.row(way, us, note);
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "one call, in one place")]
    fn way<K: DeviceType, B: DeviceType + Copy + Default>(
        &self,
        compiled: &Compiled,
        request: &str,
        keys: &DeviceBuffer<K>,
        weights: Option<Array<'_>>,
        expected: &[f64],
        value: fn(B) -> f64,
        tolerance: f64,
    ) -> anyhow::Result<(Duration, String)> {
        let of = compiled.the_loop(request);
        let mut bins =
            DeviceBuffer::<B>::from_slice_on(self.stream, &vec![B::default(); self.bins])?;
        let arrays: Vec<Array<'_>> = compiled
            .arrays
            .iter()
            .map(|name| match (name.as_str(), weights) {
                ("keys", _) => Array::device(keys.as_slice()),
                ("weights", Some(weights)) => weights,
                _ => Array::length(self.bins),
            })
            .collect();
        let call = |bins: &mut DeviceBuffer<B>| -> anyhow::Result<()> {
            let bins = &mut [Bins::device(bins.as_slice_mut())];
            Ok(queue(
                &of,
                self.stream,
                &[self.items as u64],
                &arrays,
                bins,
                &[],
            )?)
        };
        call(&mut bins)?;
        self.stream.sync()?;
        let found = bins.to_vec()?;
        let right = found.iter().zip(expected).all(|(&b, &e)| {
            let b = value(b);
            b == e || (b - e).abs() <= tolerance * e.abs()
        });
        let time = timed(self.stream, self.samples, || call(&mut bins))?;
        Ok((
            time,
            if right {
                String::new()
            } else {
                WRONG.to_owned()
            },
        ))
    }

    fn row(&mut self, way: String, us: Option<f64>, note: String) {
        self.rows.push(Row {
            work: self.work.name,
            bins: self.bins,
            keys: self.distribution.name(),
            way,
            us,
            note,
        });
    }

    /// The cell's line of the table.
    fn line(&self, copy: f64) -> String {
        let speed = |row: &Row| match row.us {
            Some(us) if row.note.is_empty() => format!("{:.0}", self.items as f64 / us / 1e3),
            Some(_) => "WRONG".to_owned(),
            None => "-".to_owned(),
        };
        let ways: Vec<String> = self
            .rows
            .iter()
            .filter(|row| row.us.is_some())
            .map(|row| format!("{} {}", row.way, speed(row)))
            .collect();
        let share = self.rows.first().and_then(|row| row.us).map_or(0.0, |us| {
            (self.items * self.work.bytes) as f64 / us / 1e3 / copy * 100.0
        });
        format!(
            "{:<15}{:>8} {:<8} {} ({share:.0} % of the copy)",
            self.work.name,
            self.bins,
            self.distribution.name(),
            ways.join(" | "),
        )
    }
}

const WRONG: &str = "the bins are wrong";

/// `block` over and over, `items` in all.
fn repeated<T: DeviceType>(
    stream: &Stream,
    block: &[T],
    items: usize,
) -> anyhow::Result<DeviceBuffer<T>> {
    let mut buffer = DeviceBuffer::<T>::zeroed_on(stream, items)?;
    for begin in (0..items).step_by(block.len()) {
        buffer
            .slice_mut(begin..begin + block.len())?
            .copy_from_slice(block)?;
    }
    Ok(buffer)
}

/// A block of weights in 0.5 .. 1.5.
fn weights<W>(seed: u64, weight: fn(f64) -> W) -> Vec<W> {
    let mut random = Random::new(!seed);
    (0..BLOCK).map(|_| weight(0.5 + random.unit())).collect()
}

fn bytes_of<T: DeviceType>(items: &[T]) -> Vec<u8> {
    // SAFETY: a `DeviceType` is plain data without padding, and every byte of the slice is initialised.
    unsafe { std::slice::from_raw_parts(items.as_ptr().cast::<u8>(), size_of_val(items)) }.to_vec()
}

/// The colours of a picture of 1920 by 1080: what a short call costs, host and all.
fn pixels(stream: &Stream, report: &mut Report) -> anyhow::Result<()> {
    const TEXT: &str = "fn colours(pixels: &[[u8; 3]], hist: &mut [u32; 768]) { for p in pixels { hist[p[0] as usize] += 1; hist[256 + p[1] as usize] += 1; hist[512 + p[2] as usize] += 1; } }";
    const PIXELS: usize = 1920 * 1080;
    const CALLS: u32 = 500;
    let mut random = Random::new(report.seed);
    let picture: Vec<[u8; 3]> = (0..PIXELS)
        .map(|i| {
            [
                (i / 8000) as u8,
                (random.next() & 63) as u8,
                (i % 1920 / 8) as u8,
            ]
        })
        .collect();
    let pixels = DeviceBuffer::from_slice_on(stream, &picture)?;
    let mut bins = DeviceBuffer::<u32>::zeroed_on(stream, 768)?;
    let compiled = kernel::compile(TEXT, &[])?;
    let of = compiled.the_loop("");
    let arrays: Vec<Array<'_>> = compiled
        .arrays
        .iter()
        .map(|name| {
            if name == "pixels" {
                Array::device(pixels.as_slice())
            } else {
                Array::length(768)
            }
        })
        .collect();
    let mut call = || -> anyhow::Result<()> {
        let bins = &mut [Bins::device(bins.as_slice_mut())];
        Ok(queue(&of, stream, &[PIXELS as u64], &arrays, bins, &[])?)
    };
    let begin = Instant::now();
    call()?;
    stream.sync()?;
    let first = begin.elapsed();
    let device = timed(stream, 21, &mut call)?;
    let begin = Instant::now();
    for _ in 0..CALLS {
        call()?;
    }
    let queued = begin.elapsed() / CALLS;
    stream.sync().context("500 calls in a row")?;
    let each = begin.elapsed() / CALLS;
    let mut waits = Vec::new();
    for _ in 0..51 {
        let begin = Instant::now();
        call()?;
        stream.sync()?;
        waits.push(begin.elapsed());
    }
    waits.sort();
    let found = bins.to_vec()?;
    let total: u64 = found.iter().map(|&b| u64::from(b)).sum();
    let calls = u64::from(CALLS) + 1 + 22 + 51;
    ensure!(
        total == 3 * PIXELS as u64 * calls,
        "{total} updates of pixels instead of {}",
        3 * PIXELS as u64 * calls
    );
    for (way, time) in [
        ("first call, compilation included", first),
        ("device time", device),
        ("host time to queue a call", queued),
        ("a call in a row of 500", each),
        ("a call and its wait", waits[waits.len() / 2]),
    ] {
        println!(
            "{PIXELS} pixels, 768 bins: {way}: {:.1} us",
            time.as_secs_f64() * 1e6
        );
        report.rows.push(Row {
            work: "pixels",
            bins: 768,
            keys: "picture",
            way: way.to_owned(),
            us: Some(time.as_secs_f64() * 1e6),
            note: String::new(),
        });
    }
    Ok(())
}

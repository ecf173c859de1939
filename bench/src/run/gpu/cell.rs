//! One cell on the device: every strategy and the automatic choice, each checked and timed on the same keys.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use accrue::__bench::queue;
use accrue::__rt::gpu::{Array, Bins, Loop};
use accrue::{DeviceBuffer, DeviceType, Stream};
use accrue_ptx::abi::Strategy;
use accrue_ptx::sample::KeySample;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::bound::{Additions, Bin, Sum};
use super::data::{self, BLOCK};
use super::grid::{Cell, Key, Weight};
use super::{settle, timed};
use crate::check::kernel::{self, Compiled};

/// The time that the runs of one way may take in all; a slow way is run less often.
const PATIENCE: Duration = Duration::from_millis(25);

/// A cell and what came of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Measured {
    /// Its name, from which the rest follows.
    pub(super) cell: String,
    pub(super) items: usize,
    /// Bytes that an item takes from memory.
    pub(super) bytes: usize,
    /// What a sample of the keys says.
    pub(super) sample: Sample,
    pub(super) ways: Vec<Way>,
}

/// A [`KeySample`], kept.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Sample {
    samples: u32,
    distinct: u32,
    largest: u32,
    runs: u32,
    sectors: u32,
    conflicts: u32,
}

impl From<KeySample> for Sample {
    fn from(of: KeySample) -> Sample {
        Sample {
            samples: of.samples,
            distinct: of.distinct,
            largest: of.largest,
            runs: of.runs,
            sectors: of.sectors,
            conflicts: of.conflicts,
        }
    }
}

impl From<Sample> for KeySample {
    fn from(of: Sample) -> KeySample {
        KeySample {
            samples: of.samples,
            distinct: of.distinct,
            largest: of.largest,
            runs: of.runs,
            sectors: of.sectors,
            conflicts: of.conflicts,
        }
    }
}

/// A strategy, the automatic choice or a peer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Way {
    /// Its name.
    pub(super) way: String,
    /// Whether somebody else wrote it.
    pub(super) peer: bool,
    /// Median, in microseconds; none with the reason why not in `note`.
    pub(super) us: Option<f64>,
    /// What the model of the runtime expects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) predicted_us: Option<f64>,
    /// What is to be said of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) note: String,
    /// Whether the result was checked and wrong.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) wrong: bool,
    /// What the automatic choice chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) chose: Option<String>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Measured {
    /// Microseconds of the automatic choice, where its result was right.
    pub(super) fn auto(&self) -> Option<f64> {
        let auto = self.ways.iter().find(|way| way.way == "auto" && !way.wrong);
        auto?.us
    }

    /// The cell's line of the table: 10^9 updates a second, the automatic choice first.
    pub(super) fn line(&self, copy: f64) -> String {
        let speed = |way: &Way| match way.us {
            _ if way.wrong => Some(format!("{} WRONG", way.way)),
            Some(us) => Some(format!("{} {:.0}", way.way, self.items as f64 / us / 1e3)),
            None => None,
        };
        let (auto, others): (Vec<&Way>, Vec<&Way>) =
            self.ways.iter().partition(|way| way.way == "auto");
        let auto = auto.first().map_or(String::new(), |auto| {
            let share = auto.us.map_or(0.0, |us| {
                (self.items * self.bytes) as f64 / us / 1e3 / copy * 100.0
            });
            format!(
                "{} ({share:.0} % of the copy; {})",
                speed(auto).unwrap_or_else(|| format!("auto: {}", auto.note)),
                auto.chose.as_deref().unwrap_or("nothing")
            )
        });
        let others: Vec<String> = others.into_iter().filter_map(speed).collect();
        format!("{:<34} {auto} | {}", self.cell, others.join(" | "))
    }
}

/// What is kept between cells.
pub(super) struct Bench<'a> {
    pub(super) stream: &'a Stream,
    pub(super) samples: usize,
    seed: u64,
    compiled: HashMap<(Key, Weight), Compiled>,
    weights: Vec<f64>,
    f32s: Option<DeviceBuffer<f32>>,
    f64s: Option<DeviceBuffer<f64>>,
}

/// What happens to a cell that was measured: it gets the block of keys, and what the bins had to hold.
pub(super) type Then<'a> = &'a mut dyn FnMut(&Cell, &[u64], &[Sum], Measured) -> anyhow::Result<()>;

/// Keys on the device, for several cells.
struct Keys<'a, K: DeviceType> {
    block: &'a [u64],
    device: DeviceBuffer<K>,
}

impl<'a> Bench<'a> {
    /// Nothing measured yet.
    pub(super) fn new(stream: &'a Stream, samples: usize, seed: u64) -> Bench<'a> {
        Bench {
            stream,
            samples,
            seed,
            compiled: HashMap::new(),
            weights: data::weights(seed),
            f32s: None,
            f64s: None,
        }
    }

    /// The weights of a block.
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Measures cells that have the same keys but for their number.
    pub(super) fn measure(&mut self, cells: &[Cell], then: Then<'_>) -> anyhow::Result<()> {
        let first = &cells[0];
        let block = first.keys.keys(BLOCK, first.bins as u64, self.seed);
        match first.key {
            Key::U8 => self.with_keys(cells, &block, |k| k as u8, then),
            Key::U16 => self.with_keys(cells, &block, |k| k as u16, then),
            Key::U32 => self.with_keys(cells, &block, |k| k as u32, then),
            Key::U64 => self.with_keys(cells, &block, |k| k, then),
        }
    }

    fn with_keys<K: DeviceType>(
        &mut self,
        cells: &[Cell],
        block: &[u64],
        key: fn(u64) -> K,
        then: Then<'_>,
    ) -> anyhow::Result<()> {
        let most = cells.iter().map(Cell::items).max().unwrap_or(0);
        let narrow: Vec<K> = block.iter().map(|&k| key(k)).collect();
        let keys = Keys {
            block,
            device: data::repeated(self.stream, &narrow, most)?,
        };
        for cell in cells {
            let expected = data::expected(cell, block, &self.weights);
            let ways = match cell.weight.bin() {
                "u32" => self.ways::<K, u32>(cell, &keys, &expected)?,
                "u64" => self.ways::<K, u64>(cell, &keys, &expected)?,
                "f32" => self.ways::<K, f32>(cell, &keys, &expected)?,
                _ => self.ways::<K, f64>(cell, &keys, &expected)?,
            };
            let measured = Measured {
                cell: cell.to_string(),
                items: cell.items(),
                bytes: cell.bytes(),
                sample: data::sample(cell, block).into(),
                ways,
            };
            then(cell, keys.block, &expected, measured)?;
        }
        Ok(())
    }

    /// Every strategy that applies, and the automatic choice.
    fn ways<K: DeviceType, B: Bin>(
        &mut self,
        cell: &Cell,
        keys: &Keys<'_, K>,
        expected: &[Sum],
    ) -> anyhow::Result<Vec<Way>> {
        self.prepare(cell)?;
        let compiled = &self.compiled[&(cell.key, cell.weight)];
        let mut requests = vec![("auto".to_owned(), String::new())];
        for strategy in Strategy::ALL {
            let name = strategy.name();
            for l in strategy.template().locals_to_try() {
                requests.push((format!("{name} l={l}"), format!("{name}:locals={l}")));
            }
            requests.push((name.to_owned(), name.to_owned()));
        }
        let mut ways = Vec::new();
        for (name, request) in requests {
            let of = compiled.the_loop(&request);
            let automatic = request.is_empty();
            let done = self.way::<K, B>(cell, compiled, (&of, automatic), keys, expected);
            let mut way = match done {
                Ok((time, right)) => Way {
                    way: name,
                    peer: false,
                    us: Some(time.as_secs_f64() * 1e6),
                    predicted_us: None,
                    note: String::new(),
                    wrong: !right,
                    chose: None,
                },
                Err(e) => Way {
                    way: name,
                    peer: false,
                    us: None,
                    predicted_us: None,
                    note: e.to_string().lines().next().unwrap_or_default().to_owned(),
                    wrong: false,
                    chose: None,
                },
            };
            if let Some(last) = of.last_run() {
                way.predicted_us = Some(last.predicted * 1e6);
                way.chose = automatic.then(|| last.strategy.name().to_owned());
            }
            ways.push(way);
        }
        Ok(ways)
    }

    /// Compiles the cell's loop and puts its weights on the device, if that has not been done.
    fn prepare(&mut self, cell: &Cell) -> anyhow::Result<()> {
        let key = (cell.key, cell.weight);
        if let Entry::Vacant(place) = self.compiled.entry(key) {
            place.insert(kernel::compile(&cell.text(), &[])?);
        }
        // As many as the largest cell needs, and for the smaller ones as many as they need.
        let short = |len: Option<usize>| len.is_none_or(|len| len < cell.items());
        match cell.weight {
            Weight::F32 if short(self.f32s.as_ref().map(DeviceBuffer::len)) => {
                let block: Vec<f32> = self.weights.iter().map(|&w| w as f32).collect();
                self.f32s = Some(data::repeated(self.stream, &block, cell.items())?);
            }
            Weight::F64 if short(self.f64s.as_ref().map(DeviceBuffer::len)) => {
                self.f64s = Some(data::repeated(self.stream, &self.weights, cell.items())?);
            }
            _ => {}
        }
        Ok(())
    }

    /// One way: the median time, and whether the first call's bins were right. The automatic choice is timed when it has
    /// settled.
    fn way<K: DeviceType, B: Bin>(
        &self,
        cell: &Cell,
        compiled: &Compiled,
        (of, automatic): (&Loop, bool),
        keys: &Keys<'_, K>,
        expected: &[Sum],
    ) -> anyhow::Result<(Duration, bool)> {
        let items = cell.items();
        let weights = match (cell.weight, &self.f32s, &self.f64s) {
            (Weight::F32, Some(all), _) => Some(Array::device(all.slice(..items)?)),
            (Weight::F64, _, Some(all)) => Some(Array::device(all.slice(..items)?)),
            _ => None,
        };
        let key_array = Array::device(keys.device.slice(..items)?);
        let arrays: Vec<Array<'_>> = compiled
            .arrays
            .iter()
            .map(|name| match (name.as_str(), weights) {
                ("keys", _) => key_array,
                ("weights", Some(weights)) => weights,
                _ => Array::length(cell.bins),
            })
            .collect();
        let mut bins = DeviceBuffer::<B>::zeroed_on(self.stream, cell.bins)?;
        let call = |bins: &mut DeviceBuffer<B>| -> anyhow::Result<()> {
            let bins = &mut [Bins::device(bins.as_slice_mut())];
            Ok(queue(of, self.stream, &[items as u64], &arrays, bins, &[])?)
        };
        call(&mut bins)?;
        self.stream.sync()?;
        let found = bins.to_vec()?;
        let additions = of.last_run().map(|last| {
            let abi = &compiled.modules()[last.module].abi;
            Additions::of(abi, &last.plan)
        });
        let right = additions.is_some_and(|additions| {
            let pairs = found.par_iter().zip(expected);
            pairs.all(|(found, expected)| found.is(expected, additions))
        });
        if automatic {
            settle(self.stream, || call(&mut bins))?;
        }
        let time = timed(self.stream, self.samples, PATIENCE, || call(&mut bins))?;
        Ok((time, right))
    }
}

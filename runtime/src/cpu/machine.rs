//! What the processor is like, as far as the choice asks: what an update costs in a cache and beyond, what memory gives, and what updates of one bin
//! after another cost.
//!
//! The last differs most. An update of a bin that was updated a moment ago loads what has just been stored. On one processor it waits
//! for the store; another one forwards it for nothing where it comes from the same instruction each time, and starts over where that is not what it
//! expected, or waits once it has been wrong (Zen 3: 2.3 cycles where all keys are equal, 5 where one in ten differs from the one before). So lanes, which
//! keep equal neighbours apart, make constant keys five times as fast on the first one, and half as fast on the second. A float waits for its sum, too,
//! and that is forwarded by none of them.
//!
//! Processors that have been measured as a whole have a row in [`KNOWN`], by the text in their model's name. What lanes are worth is measured on any other,
//! and on these too, by the very loops that calls run, once a process: 16 times 2048 updates of words and as many of floats, 60 to 150 us, by the
//! first helper of [`crew`](super::crew) when it starts. Nothing of it is kept on disk: to read it and to make sure that it is this processor's would
//! take as long.

use std::sync::OnceLock;
use std::time::Instant;

use super::drive::WholeDrive;
use super::fault::Fault;
use super::op::{Add, Operator, Value, Wrapping};
use super::source::{Ahead, source};
use super::store::Store;
use super::table::Line;
use crate::base::bin::Slot;

/// What a processor takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Machine {
    /// What its model's name has in it.
    pub(super) model: &'static str,
    /// An update of one bin in up to so many bytes of bins, in nanoseconds: the latency that is left when several are under way.
    pub(super) caches: [(usize, f64); 2],
    /// An update of more.
    pub(super) beyond: f64,
    /// What all cores together read from memory, in bytes a nanosecond.
    pub(super) read: f64,
    /// Whether arrays that are read side by side are asked for in the second-level cache.
    pub(super) second: bool,
    /// Equal neighbours.
    pub(super) neighbours: Kinds,
}

/// What updates cost whose neighbours are of the same bin, by what a bin is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kinds {
    /// Integers and `bool`.
    pub(super) words: Neighbours,
    /// Floats.
    pub(super) floats: Neighbours,
}

impl Kinds {
    /// For bins of a type.
    pub(super) fn of<B: Slot>(&self) -> &Neighbours {
        if B::FLOAT { &self.floats } else { &self.words }
    }
}

/// The same of one kind, in nanoseconds an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Neighbours {
    /// All of one bin, in a table with one slot for it.
    pub(super) steady: f64,
    /// Nine in ten of the bin of the one before.
    pub(super) runs: f64,
    /// Half of them of one bin, a quarter of the next and so on, so that it is open whether an update has the bin of the one before: a third have.
    pub(super) mixed: f64,
    /// Any, in a table with lanes.
    pub(super) lanes: f64,
}

impl Neighbours {
    /// Whether lanes are faster, where this part of the updates have the bin of the one before.
    pub(super) fn want_lanes(&self, same: f64) -> bool {
        self.plain(same) > self.lanes
    }

    /// An update in a table without lanes, between what was measured. Where next to none have the bin of the one before they cost as little as where
    /// all have: nothing is open.
    fn plain(&self, same: f64) -> f64 {
        let between = |from: f64, to: f64, part: f64| from + (to - from) * part;
        match same {
            0.9.. => between(self.runs, self.steady, (same - 0.9) / 0.1),
            THIRD.. => between(self.mixed, self.runs, (same - THIRD) / (0.9 - THIRD)),
            _ => between(self.steady, self.mixed, same / THIRD),
        }
    }
}

const THIRD: f64 = 1.0 / 3.0;

/// Processors that were measured as a whole: rows by `accrue-bench run --device cpu`, neighbours by words of 4096 bins and weights of 256 with
/// `private:lanes=1` and `lanes=8`. The first one stands for those that are not known.
const KNOWN: [Machine; 2] = [
    // Two cores in a virtual machine, 2 MiB of second-level cache each, 2026-11-20; neighbours by the tables of `docs/measurements/cpu.md`.
    Machine {
        model: "Intel",
        caches: [(256 << 10, 0.8), (2 << 20, 1.2)],
        beyond: 2.6,
        read: 22.0,
        second: false,
        neighbours: Kinds {
            words: Neighbours {
                steady: 2.45,
                runs: 2.1,
                mixed: 1.9,
                lanes: 0.52,
            },
            floats: Neighbours {
                steady: 3.1,
                runs: 2.9,
                mixed: 2.4,
                lanes: 0.85,
            },
        },
    },
    // Zen 4, two cores in a virtual machine, 1 MiB of second-level cache each and 32 MiB of third-level cache, time of one thread, 2026-11-24;
    // floats on a Zen 3, 2026-11-28.
    Machine {
        model: "AMD",
        caches: [(32 << 10, 0.48), (1 << 20, 0.63)],
        beyond: 1.25,
        read: 22.0,
        second: true,
        neighbours: Kinds {
            words: Neighbours {
                steady: 0.35,
                runs: 0.43,
                mixed: 0.97,
                lanes: 0.65,
            },
            floats: Neighbours {
                steady: 3.9,
                runs: 2.2,
                mixed: 2.0,
                lanes: 1.4,
            },
        },
    },
];

/// This machine.
pub(super) fn machine() -> &'static Machine {
    static MACHINE: OnceLock<&Machine> = OnceLock::new();
    MACHINE.get_or_init(|| {
        let machine = known(&model());
        Ahead::prefer_second(machine.second);
        machine
    })
}

/// The row of a processor.
pub(super) fn known(model: &str) -> &'static Machine {
    let of = |machine: &&Machine| model.contains(machine.model);
    KNOWN.iter().find(of).unwrap_or(&KNOWN[0])
}

/// The processor's name, where it tells it.
fn model() -> String {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        // "AuthenticAMD", "GenuineIntel".
        // SAFETY: every x86-64 has the instruction, and leaf 0 of it. Later Rusts than the oldest call this safe.
        #[allow(unused_unsafe)]
        let leaf = unsafe { std::arch::x86_64::__cpuid(0) };
        let words = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes);
        String::from_utf8_lossy(words.as_flattened()).into_owned()
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    String::new()
}

static MEASURED: OnceLock<Kinds> = OnceLock::new();

/// What equal neighbours cost here: as measured, and until then as known.
pub(super) fn neighbours() -> Kinds {
    *MEASURED.get().unwrap_or(&machine().neighbours)
}

/// Measures that, once.
pub(super) fn measure() {
    MEASURED.get_or_init(|| Kinds {
        words: time_all::<u32, Wrapping<Add>>(1),
        floats: time_all::<f64, Add>(1.0),
    });
}

/// How many updates are timed at a time.
const UPDATES: usize = 2048;

/// How many bins they have.
const BINS: usize = 64;

/// Bins of a type that the same value is added to.
fn time_all<B: Slot, O: Operator<B>>(value: impl Value<B> + Copy) -> Neighbours {
    let steady = vec![0; UPDATES];
    let run = |bin: &mut u32, n: u32| {
        if n.is_multiple_of(10) {
            *bin = (n >> 8) % BINS as u32;
        }
        Some(*bin)
    };
    let runs: Vec<u32> = noise(UPDATES).scan(0, run).collect();
    let mixed: Vec<u32> = noise(UPDATES).map(u32::trailing_zeros).collect();
    Neighbours {
        steady: time::<B, O>(&steady, 0..0, value),
        runs: time::<B, O>(&runs, 0..0, value),
        mixed: time::<B, O>(&mixed, 0..0, value),
        lanes: time::<B, O>(&mixed, 0..BINS, value),
    }
}

/// An update, in nanoseconds: the least of some turns, since others may use the core. With lanes for the bins of a window.
fn time<B: Slot, O: Operator<B>>(
    keys: &[u32],
    window: std::ops::Range<usize>,
    value: impl Value<B> + Copy,
) -> f64 {
    let fault = Fault::default();
    let mut store = Store::<B>::new(BINS);
    let mut least = f64::INFINITY;
    for _ in 0..4 {
        let start = Instant::now();
        match window.is_empty() {
            true => {
                let table = store.plain::<O, Line, false>(&fault);
                WholeDrive::new(0..UPDATES, (table, ())).drive(
                    &source(keys),
                    (),
                    |&key, (table, ()), ()| table.update(key as usize, value),
                );
            }
            false => {
                let table = store.striped::<O, Line, false>(window.clone(), &fault);
                WholeDrive::new(0..UPDATES, (table, ())).drive(
                    &source(keys),
                    (),
                    |&key, (table, ()), ()| table.update(key as usize, value),
                );
            }
        }
        least = least.min(start.elapsed().as_nanos() as f64);
    }
    least / UPDATES as f64
}

/// Numbers that look random.
fn noise(count: usize) -> impl Iterator<Item = u32> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    (0..count).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Its trailing zeros are those of a number below `BINS`.
        (state >> 32) as u32 | 1 << 31
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a processor was measured to take, of one kind: the part of equal neighbours, and an update with plain tables and with lanes, in
    /// nanoseconds. The decision is the faster one; they are not within a tenth.
    type Recorded = (Neighbours, &'static [(f64, f64, f64)]);

    fn recorded() -> [Recorded; 5] {
        let (intel, amd) = (known("GenuineIntel"), known("AuthenticAMD"));
        [
            // `docs/measurements/cpu.md`, count u32 with 4096 bins, 2026-11-20: the sequential loop, and two workers' rate as one's.
            (
                intel.neighbours.words,
                &[
                    (1.0, 1.0 / 0.39, 2.0 / 3.84),
                    (THIRD, 1.0 / 0.52, 2.0 / 3.74),
                    (0.9, 1.0 / 0.48, 2.0 / 4.01),
                ],
            ),
            // The same, sum f64 weights with 256 bins.
            (
                intel.neighbours.floats,
                &[
                    (1.0, 1.0 / 0.32, 2.0 / 2.34),
                    (THIRD, 1.0 / 0.41, 2.0 / 2.39),
                    (0.9, 1.0 / 0.34, 2.0 / 2.35),
                ],
            ),
            // Zen 4, one worker, 2026-11-24: u32 with 4096, 65,536 and 1,092,546 bins.
            (
                amd.neighbours.words,
                &[
                    (1.0, 0.352, 0.604),
                    (1.0, 0.356, 0.608),
                    (1.0, 0.393, 0.627),
                    (THIRD, 0.974, 0.686),
                    (THIRD, 0.976, 0.681),
                    (THIRD, 1.013, 0.686),
                    (0.9, 0.426, 0.685),
                ],
            ),
            // Zen 3, two workers' rates as one's, 2026-11-28: f64 weights with 256 bins.
            (
                amd.neighbours.floats,
                &[
                    (1.0, 2.0 / 0.51, 2.0 / 1.44),
                    (THIRD, 2.0 / 0.96, 2.0 / 1.39),
                    (0.9, 2.0 / 0.84, 2.0 / 1.47),
                ],
            ),
            // The same day and machine, u32 with 256 and 4096 bins, as `measure` sees it.
            (
                Neighbours {
                    steady: 0.6,
                    runs: 1.4,
                    mixed: 1.1,
                    lanes: 0.95,
                },
                &[
                    (1.0, 2.0 / 2.99, 2.0 / 2.29),
                    (1.0, 2.0 / 3.76, 2.0 / 1.99),
                    (THIRD, 2.0 / 1.80, 2.0 / 2.19),
                    (THIRD, 2.0 / 1.77, 2.0 / 2.14),
                    (0.9, 2.0 / 1.41, 2.0 / 2.23),
                    (0.9, 2.0 / 1.46, 2.0 / 2.20),
                ],
            ),
        ]
    }

    #[test]
    fn recorded_measurements_lead_to_the_faster_table() {
        for (neighbours, rows) in recorded() {
            for &(same, plain, lanes) in rows {
                assert!((plain / lanes - 1.0).abs() > 0.1);
                let wants = neighbours.want_lanes(same);
                assert_eq!(
                    wants,
                    plain > lanes,
                    "{neighbours:?}, {same} equal neighbours"
                );
            }
        }
        assert_eq!(known("").model, "Intel");
    }

    /// Timing decides nothing here: what comes out are times, in order, and the same ones each time.
    #[test]
    fn a_measurement_is_there_once() {
        measure();
        let first = neighbours();
        measure();
        assert_eq!(neighbours(), first);
        for of in [first.words, first.floats] {
            for time in [of.steady, of.runs, of.mixed, of.lanes] {
                assert!(time > 0.0 && time.is_finite());
            }
        }
    }
}

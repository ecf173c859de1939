//! What the processor is like, as far as the choice asks: what an update costs in a cache and beyond, what memory gives, and what updates of one bin
//! after another cost.
//!
//! The last differs most. An update of a bin that was updated a moment ago loads what has just been stored. On one processor it waits
//! for the store; another one forwards it for nothing where it comes from the same instruction each time, and starts over where that is not what it
//! expected. So lanes, which keep equal neighbours apart, make constant keys five times as fast on the first one, and half as fast on the second.
//!
//! Processors that have been measured as a whole have a row in [`KNOWN`], by the text in their model's name. What lanes are worth is measured on any other,
//! and on these too, by the very loops that calls run, once a process: 12 times 4096 updates, 30 to 100 us, by the
//! first helper of [`crew`](super::crew) when it starts. Nothing of it is kept on disk: to read it and to make sure that it is this processor's would
//! take as long.

use std::sync::OnceLock;
use std::time::Instant;

use super::drive::WholeDrive;
use super::fault::Fault;
use super::op::{Add, Wrapping};
use super::source::source;
use super::store::Store;
use super::table::Line;

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
    /// Equal neighbours.
    pub(super) neighbours: Neighbours,
}

/// What updates cost whose neighbours are of the same bin, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Neighbours {
    /// All of one bin, in a table with one slot for it.
    pub(super) steady: f64,
    /// Half of them of one bin, a quarter of the next and so on, so that it is open whether an update has the bin of the one before.
    pub(super) mixed: f64,
    /// Any, in a table with lanes.
    pub(super) lanes: f64,
}

impl Neighbours {
    /// Whether lanes are faster, where this part of the updates have the bin of the one before.
    pub(super) fn want_lanes(&self, same: f64) -> bool {
        // Of the mixed keys a third have, and what it costs is that this is open.
        let open = (same * (1.0 - same) * 4.5).min(1.0);
        self.steady + (self.mixed - self.steady) * open > self.lanes
    }
}

/// Processors that were measured as a whole: rows by `accrue-bench run --device cpu`, neighbours by 2^24 words of 4096 bins and one worker with
/// `private:lanes=1` and `lanes=8`. The first one stands for those that are not known.
const KNOWN: [Machine; 2] = [
    // Two cores in a virtual machine, 2 MiB of second-level cache each, 2026-11-20; neighbours by the table of `docs/measurements/cpu.md`.
    Machine {
        model: "Intel",
        caches: [(256 << 10, 0.8), (2 << 20, 1.2)],
        beyond: 2.6,
        read: 22.0,
        neighbours: Neighbours {
            steady: 2.45,
            mixed: 1.9,
            lanes: 0.52,
        },
    },
    // Zen 4, two cores in a virtual machine, 1 MiB of second-level cache each and 32 MiB of third-level cache, time of one thread, 2026-11-24.
    Machine {
        model: "AMD",
        caches: [(32 << 10, 0.48), (1 << 20, 0.63)],
        beyond: 1.25,
        read: 22.0,
        neighbours: Neighbours {
            steady: 0.35,
            mixed: 0.97,
            lanes: 0.65,
        },
    },
];

/// This machine.
pub(super) fn machine() -> &'static Machine {
    static MACHINE: OnceLock<&Machine> = OnceLock::new();
    MACHINE.get_or_init(|| known(&model()))
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

static MEASURED: OnceLock<Neighbours> = OnceLock::new();

/// What equal neighbours cost here: as measured, and until then as known.
pub(super) fn neighbours() -> Neighbours {
    *MEASURED.get().unwrap_or(&machine().neighbours)
}

/// Measures that, once.
pub(super) fn measure() {
    MEASURED.get_or_init(|| {
        let mixed: Vec<u32> = noise(UPDATES).map(|n| n.trailing_zeros()).collect();
        let steady = vec![0; UPDATES];
        Neighbours {
            steady: time(&steady, 0..0),
            mixed: time(&mixed, 0..0),
            lanes: time(&mixed, 0..BINS),
        }
    });
}

/// How many updates are timed at a time.
const UPDATES: usize = 4096;

/// How many bins they have.
const BINS: usize = 64;

/// An update, in nanoseconds: the least of some turns, since others may use the core. With lanes for the bins of a window.
fn time(keys: &[u32], window: std::ops::Range<usize>) -> f64 {
    let fault = Fault::default();
    let mut store = Store::<u32>::new(BINS);
    let mut least = f64::INFINITY;
    for _ in 0..4 {
        let start = Instant::now();
        match window.is_empty() {
            true => {
                let table = store.plain::<Wrapping<Add>, Line, false>(&fault);
                WholeDrive::new(0..UPDATES, (table, ())).drive(
                    &source(keys),
                    (),
                    |&key, (table, ()), ()| table.update(key as usize, 1),
                );
            }
            false => {
                let table = store.striped::<Wrapping<Add>, Line, false>(window.clone(), &fault);
                WholeDrive::new(0..UPDATES, (table, ())).drive(
                    &source(keys),
                    (),
                    |&key, (table, ()), ()| table.update(key as usize, 1),
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

    /// What plain tables and lanes took, in nanoseconds an update, by keys and the part of equal neighbours; the decision is the faster one, unless they are
    /// within a tenth.
    /// A processor, and what was measured on it.
    type Recorded = (&'static str, &'static [(f64, f64, f64)]);

    const RECORDED: [Recorded; 2] = [
        // `docs/measurements/cpu.md`, count u32 with 4096 bins, 2026-11-20: the sequential loop, and two workers' rate as one's.
        (
            "GenuineIntel",
            &[
                (1.0, 1.0 / 0.39, 2.0 / 3.84),
                (1.0 / 3.0, 1.0 / 0.52, 2.0 / 3.74),
                (63.0 / 64.0, 1.0 / 0.48, 2.0 / 4.01),
            ],
        ),
        // One worker, 2026-11-24: u32 with 4096, 65,536 and 1,092,546 bins.
        (
            "AuthenticAMD",
            &[
                (1.0, 0.352, 0.604),
                (1.0, 0.356, 0.608),
                (1.0, 0.393, 0.627),
                (1.0 / 3.0, 0.974, 0.686),
                (1.0 / 3.0, 0.976, 0.681),
                (1.0 / 3.0, 1.013, 0.686),
                (63.0 / 64.0, 0.426, 0.685),
            ],
        ),
    ];

    #[test]
    fn recorded_measurements_lead_to_the_faster_table() {
        for (model, rows) in RECORDED {
            let machine = known(model);
            assert!(model.contains(machine.model));
            for &(same, plain, lanes) in rows {
                assert!((plain / lanes - 1.0).abs() > 0.1);
                let wants = machine.neighbours.want_lanes(same);
                assert_eq!(wants, plain > lanes, "{model}, {same} equal neighbours");
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
        for time in [first.steady, first.mixed, first.lanes] {
            assert!(time > 0.0 && time.is_finite());
        }
    }
}

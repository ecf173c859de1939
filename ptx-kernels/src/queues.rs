//! The queues of [`gang_split`](crate::strategy): how they lie in memory, and how large they are.
//!
//! Updates are split by ranges of `2^bits` bins. What is left of an update is a *record*: the bin within its range in 16
//! bits, its *residue*, and, where updates do not all add the same constant, the value. A gang writes records into
//! *chunks* of [`CHUNK`], each of one range, which it takes from those of its own one after the other; so no gang waits
//! for another, and the number of chunks is bounded before the launch, whatever the keys: a gang has at most one chunk
//! that is not full for each range.
//!
//! ```text
//! gang 0: chunks 0 .. C    gang 1: chunks C .. 2C    …          C = KernelAbi::plan's `chunks`
//! ```
//!
//! Items are taken in *slabs*, so that the queues are bounded too. Three kernels run for each slab: the entry splits;
//! `arrange` lists the chunks of all gangs in the order of their ranges; `count` gives every gang an equal part of that
//! list, and the gang counts one range after the other in shared memory.

use crate::abi::{KernelAbi, TargetAbi};
use crate::cell::Cell;
use crate::plan::{Limits, Unsuitable, Work};

/// Records of a chunk.
pub const CHUNK: u32 = 1024;

/// Records that are moved together: their residues are 16 bytes.
pub const VECTOR: u32 = 8;

/// Threads of a gang that splits.
pub const BLOCK: u32 = 256;

/// Threads of a gang that counts.
pub const COUNT_BLOCK: u32 = 1024;

/// Ranges at most: a gang has a thread for each.
pub const MOST_RANGES: u32 = BLOCK;

/// Shared memory that the counting entry declares itself, in bytes, at most.
const COUNT_STATIC: u32 = 4 * (MOST_RANGES + 1) + 64;

/// Bytes of queues that are used without being asked for.
const MOST_BYTES: u64 = 768 << 20;

/// Counters of a range in a gang that splits: lanes `l`, `l + 8`, … share one. As fast as one for each lane where keys are
/// spread, faster where ranges are many (H200, 2026-11-20, docs/measurements/designs.md).
pub const STRIPES: u32 = 8;

/// Updates that an iteration makes at most for its loop to be split.
pub const MOST_UPDATES: u32 = 32;

/// A part of the memory of the queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// For each range the chunks of all gangs, a word; zero when the entry is launched.
    Tally,
    /// For each range, and behind the last one, the first place in the list, a word.
    Starts,
    /// For each gang the chunks that it has used, a word.
    Used,
    /// For each gang and range the records, a word.
    Records,
    /// For each gang and range where its chunks begin among those of the range, a word.
    Firsts,
    /// For each chunk its range and which one of its gang's and range's it is: `range << 20 | number`.
    Owners,
    /// The chunks in the order of their ranges, two words: its number, its records.
    List,
    /// The residues, two bytes each.
    Residues,
    /// The values, if records have one.
    Values,
}

impl Part {
    /// Every part, as they lie in memory.
    pub const ALL: [Part; 9] = [
        Part::Tally,
        Part::Starts,
        Part::Used,
        Part::Records,
        Part::Firsts,
        Part::Owners,
        Part::List,
        Part::Residues,
        Part::Values,
    ];

    /// The name of its parameter.
    pub fn name(self) -> &'static str {
        match self {
            Part::Tally => "queue_tally",
            Part::Starts => "queue_starts",
            Part::Used => "queue_used",
            Part::Records => "queue_records",
            Part::Firsts => "queue_firsts",
            Part::Owners => "queue_owners",
            Part::List => "queue_list",
            Part::Residues => "queue_residues",
            Part::Values => "queue_values",
        }
    }
}

/// An area of the shared memory of a gang that splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Area {
    /// The state of each range, and of what belongs to none: [`STATE`] bytes.
    States,
    /// Where the vectors of the ranges that have some go: [`MOVE`] bytes each.
    Moves,
    /// For each [`BUNDLE`] vectors of the tile at which of them a range begins, a word of bits but for the first one; and
    /// which range the first one is of, counting those in `Moves`, a word.
    Bundles,
    /// The counters of each range: how many records of the tile it has, then where the next one goes. Two sets, which
    /// tiles use in turn.
    Counters,
    /// Residues of a tile, range after range, each beginning with a whole vector.
    Residues,
    /// Values of a tile, likewise.
    Values,
    /// Values of each range that do not fill a vector.
    Rest,
    /// The bins of the hot cache.
    Tags,
    /// Their counts, and behind them how many records were of none of them.
    Hits,
}

/// Bytes of the state of a range in shared memory.
pub const STATE: u32 = 64;

/// Bytes of a range among those whose vectors are written.
pub const MOVE: u32 = 16;

/// Vectors of a bundle: each lane of a warp writes one.
pub const BUNDLE: u32 = 32;

/// Slots of the hot cache.
pub const CACHE_SLOTS: u32 = 1024;

/// What the areas depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Bytes of a value; 0 where updates all add the same constant.
    pub value: u32,
    /// Vectors of a tile: updates of all threads, over [`VECTOR`].
    pub vectors: u32,
}

impl Shape {
    /// Bundles of a tile of the most ranges, an even number.
    pub fn bundles(self) -> u32 {
        (self.vectors + 2 * MOST_RANGES)
            .div_ceil(BUNDLE)
            .next_multiple_of(2)
    }
}

/// `fixed + ranges * per_range` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bytes in any case.
    pub fixed: u32,
    /// Bytes for each range.
    pub per_range: u32,
}

impl Area {
    /// Every area, as they lie in shared memory.
    pub const ALL: [Area; 9] = [
        Area::States,
        Area::Moves,
        Area::Bundles,
        Area::Counters,
        Area::Residues,
        Area::Values,
        Area::Rest,
        Area::Tags,
        Area::Hits,
    ];

    /// Its size.
    pub fn extent(self, shape: Shape) -> Extent {
        let extent = |fixed, per_range| Extent { fixed, per_range };
        // A range begins with a whole vector and may have part of one left: two vectors for each. Places are swizzled
        // among eight vectors.
        let vectors = |bytes: u32| extent((shape.vectors + 8) * bytes, 2 * bytes);
        let counted = u32::from(shape.value == 0);
        match self {
            Area::States => extent(STATE, STATE),
            Area::Moves => extent(0, MOVE),
            Area::Bundles => extent(8 * shape.bundles(), 0),
            Area::Residues => vectors(2 * VECTOR),
            Area::Values => vectors(shape.value * VECTOR),
            Area::Rest => extent(0, shape.value * VECTOR),
            Area::Tags => extent(4 * CACHE_SLOTS * counted, 0),
            Area::Hits => extent(4 * (CACHE_SLOTS + 1) * counted, 0),
            Area::Counters => extent(8 * STRIPES, 8 * STRIPES),
        }
    }
}

impl Extent {
    fn bytes(self, ranges: u32) -> u64 {
        u64::from(self.fixed) + u64::from(ranges) * u64::from(self.per_range)
    }
}

/// How a launch splits its updates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitPlan {
    /// Which target is split.
    pub target: usize,
    /// Ranges.
    pub ranges: u32,
    /// Bits of a residue.
    pub range_bits: u32,
    /// Gangs that split.
    pub gangs: u32,
    /// Chunks of each gang.
    pub chunks: u32,
    /// Iterations of a slab.
    pub slab: u64,
    /// Dynamic shared memory of a gang that splits, in bytes.
    pub shared: u32,
    /// Gangs that arrange, of [`AUXILIARY_BLOCK`](crate::abi::AUXILIARY_BLOCK) threads.
    pub arrange_grid: u32,
    /// Gangs that count, of [`COUNT_BLOCK`] threads.
    pub count_grid: u32,
    /// Dynamic shared memory of a gang that counts, in bytes.
    pub count_shared: u32,
    /// Bytes of a value in the queues.
    pub value: u32,
}

impl SplitPlan {
    /// Bytes of a part.
    fn part_bytes(&self, part: Part) -> u64 {
        let (ranges, gangs) = (u64::from(self.ranges), u64::from(self.gangs));
        let chunks = gangs * u64::from(self.chunks);
        let records = chunks * u64::from(CHUNK);
        let bytes = match part {
            Part::Tally => 4 * ranges,
            Part::Starts => 4 * (ranges + 1),
            Part::Used => 4 * gangs,
            Part::Records | Part::Firsts => 4 * gangs * ranges,
            Part::Owners => 4 * chunks,
            Part::List => 8 * chunks,
            Part::Residues => 2 * records,
            Part::Values => u64::from(self.value) * records,
        };
        bytes.next_multiple_of(256)
    }

    /// Where a part begins, in bytes.
    pub fn offset(&self, part: Part) -> u64 {
        let before = Part::ALL.iter().take_while(|p| **p != part);
        before.map(|p| self.part_bytes(*p)).sum()
    }

    /// Bytes of all parts.
    pub fn bytes(&self) -> u64 {
        Part::ALL.iter().map(|p| self.part_bytes(*p)).sum()
    }

    /// The slabs of so many iterations: the first one and the one after the last.
    pub fn slabs(&self, items: u64) -> impl Iterator<Item = (u64, u64)> + use<> {
        let slab = self.slab;
        (0..items.div_ceil(slab)).map(move |n| (n * slab, items.min((n + 1) * slab)))
    }
}

impl TargetAbi {
    /// Bytes of a value in the queues.
    fn queued_value(&self) -> u32 {
        queued_value(self.cell(), self.accumulator().size())
    }
}

/// Bytes of a value in the queues, of a target with this cell and an accumulator of `size` bytes.
pub fn queued_value(cell: Cell, size: u32) -> u32 {
    match cell {
        Cell::Counter => 0,
        Cell::Accumulator | Cell::Halves | Cell::Fixed32 | Cell::Fixed64 => size,
    }
}

impl KernelAbi {
    /// Plans the split, if the module has one. `block` is the gang's threads.
    pub(crate) fn plan_split(
        &self,
        limits: &Limits,
        work: &Work,
        block: u32,
    ) -> Result<Option<SplitPlan>, Unsuitable> {
        let is_split = |t: &TargetAbi| t.placement.template().is_tiled();
        let (Some(split), Some(target)) = (&self.split, self.targets.iter().position(is_split))
        else {
            return Ok(None);
        };
        if block < BLOCK {
            return Err(Unsuitable::Threads {
                needed: BLOCK,
                available: block,
            });
        }
        let (abi, bins) = (&self.targets[target], work.bins[target].max(1));
        let cell = abi.cell();
        let bin_bytes = u64::from(cell.bytes(abi.elem));
        let available = limits.shared_per_block;
        let for_bins = u64::from(available.saturating_sub(COUNT_STATIC));
        let range_bits = (for_bins / bin_bytes).max(1).ilog2().min(16);
        let ranges = bins.div_ceil(1 << range_bits);
        if ranges > u64::from(MOST_RANGES) {
            return Err(Unsuitable::SharedMemory {
                needed: bins
                    .div_ceil(u64::from(MOST_RANGES))
                    .saturating_mul(bin_bytes),
                available: for_bins,
            });
        }
        let ranges = ranges as u32;
        let value = abi.queued_value();
        let shape = Shape {
            value,
            vectors: block * split.slots / VECTOR,
        };
        let areas = Area::ALL.iter();
        let shared: u64 = areas.map(|a| a.extent(shape).bytes(ranges)).sum();
        let shared = shared.next_multiple_of(16);
        let room = u64::from(available.saturating_sub(self.static_shared));
        if shared > room {
            return Err(Unsuitable::SharedMemory {
                needed: shared,
                available: room,
            });
        }
        let shared = shared as u32;

        let count_shared = (bins.min(1 << range_bits) * bin_bytes).next_multiple_of(16) as u32;
        let count_grid = limits.multiprocessors
            * limits.resident_blocks(COUNT_BLOCK, count_shared + COUNT_STATIC);
        let updates = u64::from(abi.updates.max(1));
        let trip = u64::from(block) * u64::from(self.items_per_thread.max(1));
        // A gang that counts takes an equal part of the chunks. Half of what its cells hold leaves room for those that are
        // not full.
        let most = cell
            .most_updates(abi.op, abi.elem)
            .map_or(u64::MAX, |most| {
                (most / 2).saturating_mul(u64::from(count_grid)) / updates
            });
        let slab = match work.wishes.slab {
            Some(slab) => u64::from(slab).min(most),
            None => {
                let slab = most.min(MOST_BYTES / (updates * u64::from(2 + value)));
                (slab / u64::from(CHUNK)).max(1) * u64::from(CHUNK)
            }
        };
        let items = work.items.clamp(1, slab);
        let resident = work
            .wishes
            .resident
            .unwrap_or_else(|| limits.resident_blocks(block, shared + self.static_shared));
        let most = u64::from(limits.multiprocessors) * u64::from(resident.max(1));
        let gangs = items.div_ceil(trip).clamp(1, most);
        // Items before and behind the vectors may take one trip more.
        let trips = items.div_ceil(gangs * trip) + 1;
        let records = trips * u64::from(block) * u64::from(split.slots);
        let chunks = records.div_ceil(u64::from(CHUNK)) + u64::from(ranges) + 1;
        Ok(Some(SplitPlan {
            target,
            ranges,
            range_bits,
            gangs: gangs as u32,
            chunks: chunks as u32,
            slab,
            shared,
            arrange_grid: (gangs as u32).min(2 * limits.multiprocessors),
            count_grid,
            count_shared,
            value,
        }))
    }
}

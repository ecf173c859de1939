//! `gang_split`: updates are split by ranges of the bins, and the ranges are counted in shared memory one after the other.
//!
//! For histograms beyond shared memory, where an atomic in device memory makes about 100 G updates a second at best and a
//! few at worst. An update is written once as a *record* (the bin within its range in 16 bits, and the value where there is
//! one), and read once: for counts of `u32` keys that is 8 bytes of traffic an item, whatever the number of bins.
//!
//! A thread gathers the updates of a tile of items in registers, its *slots*; then the gang splits the tile, all threads
//! together:
//!
//! ```text
//! hot:     updates of hot bins are counted at once and leave their slots           (where there are any)
//! rank:    every slot adds 1 to a counter of its range
//! scan:    counters become places within their ranges
//! reserve: a thread for each range finds room in the tile, which makes them places in it, and in the range's queue
//! scatter: every record goes to its place in the tile; the items of the next tile are asked for
//! write:   whole vectors of records go to the queues, what is left of each range waits for the next tile
//! ```
//!
//! A barrier follows each of these but the last: counters are in two sets, so that the next tile can be ranked while
//! this one is still being written.
//!
//! Counters are striped by lane, so that few lanes of a warp meet in one whatever the keys. Places are handed out by adding to the counters again. Slots without an update count in a range of their own behind the others
//! and have no place. Where one range takes much of a tile, lanes scatter at equal distances and would meet in a few banks;
//! vectors are swizzled then, as the tile before has shown.
//!
//! The hot cache has 1024 slots, filled from the first tile of the gang. It is used if enough of that tile was in it; tiles
//! of which little is left are not split at all but updated in device memory. Only counts have it: the hardware merges
//! equal addresses of a warp when 1 is added.
//!
//! [`queues`](crate::queues) has the layout; [`count`] has the two entries that run behind this one.

mod count;
mod hot;
mod scatter;
mod tile;
mod write;

use std::cell::RefCell;

use self::hot::Hot;
use super::template::{Shape as LoopShape, Template, Trials};
use super::{Bin, Copies, Gang, Known, Memory, Target, cells::fill, for_each, update_global};
use crate::abi::{Elem, Op, Param, ParamKind, TargetAbi};
use crate::cell::Cell;
use crate::combine;
use crate::cost::{self, Launch, Speeds};
use crate::emit;
use crate::kernel::common_name;
use crate::plan::TargetPlan;
use crate::queues::{Area, MOST_UPDATES, Part, STATE, STRIPES, Shape, VECTOR, queued_value};
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Words of a gang, in static shared memory.
pub(super) const CONTROL_BYTES: u32 = 16;

/// Chunks that the gang has taken.
const NEXT: i64 = 0;
/// Vectors of the tile.
const TOTAL: i64 = 4;
/// Whether one range takes much of the tile.
const SKEWED: i64 = 8;
/// Records of the first tile that were in the hot cache.
const WARM: i64 = 12;

/// Where the words of a range's state are.
mod state {
    /// Records in the tile.
    pub(super) const RECORDS: i64 = 0;
    /// Records that wait for the next tile, fewer than a vector.
    pub(super) const REST: i64 = 4;
    /// Where its next vector goes in the gang's queues.
    pub(super) const NEXT: i64 = 8;
    /// Vectors that fit there.
    pub(super) const ROOM: i64 = 12;
    /// The residues that wait.
    pub(super) const RESIDUES: i64 = 16;
    /// Chunks that it has.
    pub(super) const CHUNKS: i64 = 32;
    /// Its vector in the tile that is not full.
    pub(super) const LAST: i64 = 36;
    /// Records in it, which will wait.
    pub(super) const LEFT: i64 = 40;
}

/// An update that a thread has gathered.
#[derive(Clone, Copy)]
struct Slot {
    bin: Reg,
    value: Option<Reg>,
}

/// The slots of a thread. The text fills others first, which become these when items are ended: registers that hold what
/// is loaded can then be slots as soon as their own items need them no more.
#[derive(Default)]
struct Slots {
    all: Vec<Slot>,
    /// What the text fills.
    gathered: Vec<Slot>,
    /// How many of them it has filled.
    filled: usize,
    /// How many of them are slots.
    ended: usize,
    /// Whether the text is within a tile.
    open: bool,
}

/// The strategy.
pub(super) struct GangSplit;

impl Template for GangSplit {
    fn name(&self) -> &'static str {
        "gang_split"
    }

    fn place(&self) -> &'static str {
        "updates are first sorted into ranges of bins, in device memory"
    }

    fn good_for(&self) -> &'static str {
        "bins far beyond shared memory"
    }

    fn takes(&self) -> &'static str {
        "loops over one array of more bins than shared memory holds, with at most 32 updates an iteration and none \
         of them in an inner loop"
    }

    fn applies_to(&self, op: Op, elem: Elem, _: bool, updates: u32) -> bool {
        op.applies_to(elem) && (1..=MOST_UPDATES).contains(&updates)
    }

    fn suits(&self, shape: &LoopShape) -> bool {
        !shape.small
    }

    fn has_form(&self, shape: &LoopShape) -> bool {
        // Splitting takes its updates out of one text each.
        shape.targets == 1 && !shape.looped
    }

    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        Box::new(prologue(f, gang, target, memory))
    }

    fn module_params(&self) -> Vec<ParamKind> {
        params()
    }

    fn entries_behind(
        &self,
        entry: &str,
        params: &[Param],
        target: &Target,
    ) -> Option<[Function; 2]> {
        Some(count::entries(entry, params, target))
    }

    fn static_shared(&self, _: &Target) -> u32 {
        CONTROL_BYTES
    }

    fn is_tiled(&self) -> bool {
        true
    }

    fn most_slots(&self, target: &Target) -> u32 {
        match target.cell() {
            Cell::Counter => 32,
            Cell::Accumulator | Cell::Halves | Cell::Fixed32 | Cell::Fixed64 => 16,
        }
    }

    fn in_shared_memory(&self) -> bool {
        true
    }

    fn cost(
        &self,
        target: &TargetAbi,
        needs: &TargetPlan,
        launch: &Launch<'_>,
        speeds: &Speeds,
    ) -> cost::Part {
        cost::split::part(target, needs, launch, speeds)
    }

    fn trials(&self) -> Trials {
        Trials {
            bins: &[1, 37, 32_769, 1_092_546],
            requests: &[":slab=3000"],
            counts: &[
                (262_144, 20_000_000),
                (1_092_546, 20_000_000),
                (8_388_608, 20_000_000),
                (65_537, 1_000_003),
            ],
            simulated_counts: &[(70_001, 30_000), (4_000_000, 2000)],
            ..Trials::default()
        }
    }
}

struct GangSplitCopies {
    target: Target,
    memory: Memory,
    gang: Gang,
    shape: Shape,
    ranges: Reg,
    range_bits: Reg,
    /// Counters of all ranges, and of what belongs to none.
    counters: Reg,
    /// Where those of this tile are.
    current: Reg,
    /// Where both sets of counters are, added up.
    both: Reg,
    /// The lane among those that share no counter.
    stripe: Reg,
    /// A bin in the range behind the last.
    nowhere: Reg,
    /// The bits of a residue.
    mask: Reg,
    areas: Vec<(Area, Reg)>,
    control: Reg,
    /// 7 where vectors are swizzled, else 0.
    swizzle: Reg,
    /// Whether the thread has a range of its own.
    has_range: Reg,
    /// The state of that range.
    state: Reg,
    /// Where the gang's chunks begin.
    residues: Reg,
    values: Option<Reg>,
    owners: Reg,
    hot: Option<Hot>,
    slots: RefCell<Slots>,
}

/// The kinds of the parameters of the entries.
fn params() -> Vec<ParamKind> {
    let mut kinds = vec![
        ParamKind::Ranges,
        ParamKind::RangeBits,
        ParamKind::Gangs,
        ParamKind::Chunks,
    ];
    kinds.extend((0..Part::ALL.len() as u32).map(ParamKind::Queue));
    kinds
}

/// A parameter that the plan or the queues decide.
fn param(f: &mut Function, kind: ParamKind) -> Reg {
    f.load_param(common_name(kind))
}

/// A number among them, in 32 bits.
fn number(f: &mut Function, kind: ParamKind) -> Reg {
    let wide = param(f, kind);
    value!(f, common_name(kind), "cvt.u32.u64", wide)
}

/// The address of a part of the queues.
fn part(f: &mut Function, part: Part) -> Reg {
    let number = Part::ALL.iter().position(|p| *p == part).unwrap_or(0);
    param(f, ParamKind::Queue(number as u32))
}

/// Bytes of a value in the queues of a target.
fn value_bytes(target: &Target) -> u32 {
    queued_value(target.cell(), target.size())
}

fn prologue(f: &mut Function, gang: &Gang, target: &Target, memory: Memory) -> impl Copies + use<> {
    let shape = Shape {
        value: value_bytes(target),
        vectors: crate::queues::BLOCK * target.slots / VECTOR,
    };
    let ranges = number(f, ParamKind::Ranges);
    let range_bits = number(f, ParamKind::RangeBits);
    let nowhere = value!(f, "nowhere", "shl.b32", ranges, range_bits);
    let one = value!(f, "one", "mov.u32", 1);
    let mask = value!(f, "mask", "shl.b32", one, range_bits);
    let mask = value!(f, "mask", "sub.u32", mask, 1);
    let counters = value!(f, "counters", "mad.lo.u32", ranges, STRIPES, STRIPES);
    let stripe = value!(f, "stripe", "and.b32", gang.lane, STRIPES - 1);

    let start = f.address_of(Class::B32, super::DYNAMIC_SHARED);
    let mut at = start;
    let mut areas = Vec::new();
    for area in Area::ALL {
        areas.push((area, at));
        let extent = area.extent(shape);
        if extent.per_range > 0 {
            at = value!(f, "area", "mad.lo.u32", ranges, extent.per_range, at);
        }
        if extent.fixed > 0 {
            at = value!(f, "area", "add.u32", at, extent.fixed);
        }
    }
    let found = areas.iter().find(|(area, _)| *area == Area::Counters);
    let first_set = found.map_or(start, |(_, at)| *at);
    let current = value!(f, "current", "mov.u32", first_set);
    let both = value!(f, "both", "mad.lo.u32", counters, 4, current);
    let both = value!(f, "both", "add.u32", both, current);
    let bytes = value!(f, "bytes", "sub.u32", at, start);
    let bytes = super::round_up(f, bytes);
    fill(f, gang, start, bytes, [0; 2]);
    let name = f.unique(&format!("{}_control", target.stem));
    f.declare(format!(".shared .align 16 .b8 {name}[{CONTROL_BYTES}];"));
    let control = f.address_of(Class::B32, &name);
    let first = value!(f, "first", "setp.eq.u32", gang.thread, 0);
    for word in [NEXT, TOTAL, SKEWED, WARM] {
        let zero = [Operand::At(control, word), 0.into()];
        f.op_if(first, true, "st.shared.u32", &zero);
    }

    let chunks = number(f, ParamKind::Chunks);
    let mine = value!(f, "first_chunk", "mul.lo.u32", gang.gang, chunks);
    let own = |f: &mut Function, which: Part, bytes: u32| {
        let base = part(f, which);
        value!(f, "own", "mad.wide.u32", mine, bytes, base)
    };
    let residues = own(f, Part::Residues, 2 * crate::queues::CHUNK);
    let values =
        (shape.value > 0).then(|| own(f, Part::Values, shape.value * crate::queues::CHUNK));
    let owners = own(f, Part::Owners, 4);
    let state = value!(f, "state", "mad.lo.u32", gang.thread, STATE, start);
    GangSplitCopies {
        target: target.clone(),
        memory,
        gang: *gang,
        shape,
        ranges,
        range_bits,
        counters,
        current,
        both,
        stripe,
        nowhere,
        mask,
        areas,
        control,
        swizzle: value!(f, "swizzle", "mov.u32", 0),
        has_range: value!(f, "has_range", "setp.lt.u32", gang.thread, ranges),
        state,
        residues,
        values,
        owners,
        hot: (shape.value == 0).then(|| Hot::begin(f)),
        slots: RefCell::default(),
    }
}

impl GangSplitCopies {
    fn area(&self, area: Area) -> Reg {
        let found = self.areas.iter().find(|(a, _)| *a == area);
        found.map_or(self.control, |(_, at)| *at)
    }

    /// The thread's slots.
    fn slots(&self) -> Vec<Slot> {
        self.slots.borrow().all.clone()
    }

    /// Registers for an update.
    fn slot(&self, f: &mut Function) -> Slot {
        let class = self.target.accumulator().class();
        let bin = f.reg(Class::B32, "slot");
        let value = (self.shape.value > 0).then(|| f.reg(class, "slot_value"));
        Slot { bin, value }
    }

    /// Combines a value into the scratch memory at once.
    fn update_directly(&self, f: &mut Function, bin: Bin, value: Operand) {
        update_global(f, &self.target, self.memory.scratch, bin, value);
    }
}

impl Copies for GangSplitCopies {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        let mut slots = self.slots.borrow_mut();
        if !slots.open {
            return self.update_directly(f, bin, value);
        }
        let slot = slots.gathered[slots.filled];
        slots.filled += 1;
        match bin {
            Bin::Narrow(bin) | Bin::Wide(bin @ Operand::Int(_)) => f.assign(slot.bin, bin),
            Bin::Wide(bin) => emit!(f, "cvt.u32.u64", slot.bin, bin),
        }
        if let Some(kept) = slot.value {
            f.assign(kept, value);
        }
    }

    fn epilogue(&self, f: &mut Function, _: &Gang) {
        self.close(f);
        if let Some(hot) = &self.hot {
            hot.flush(f, self);
        }
    }

    fn begin_tile(&self, f: &mut Function) {
        let mut slots = self.slots.borrow_mut();
        slots.open = true;
        slots.gathered.clear();
        (slots.filled, slots.ended) = (0, 0);
        for _ in slots.all.len()..self.target.slots as usize {
            let slot = self.slot(f);
            slots.all.push(slot);
        }
    }

    fn begin_items(&self, f: &mut Function, items: u32) {
        let neutral = combine::neutral(self.target.op, self.target.accumulator());
        for _ in 0..items * self.target.updates {
            let slot = self.slot(f);
            f.assign(slot.bin, self.nowhere);
            if let Some(value) = slot.value {
                f.assign(value, neutral);
            }
            self.slots.borrow_mut().gathered.push(slot);
        }
    }

    fn end_items(&self, f: &mut Function) {
        let mut slots = self.slots.borrow_mut();
        let both = slots.all.iter().zip(&slots.gathered);
        for (slot, gathered) in both.skip(slots.ended) {
            f.assign(slot.bin, gathered.bin);
            if let (Some(to), Some(from)) = (slot.value, gathered.value) {
                f.assign(to, from);
            }
        }
        slots.ended = slots.gathered.len();
    }

    fn end_tile(&self, f: &mut Function, ahead: &mut dyn FnMut(&mut Function)) {
        self.end_items(f);
        self.slots.borrow_mut().open = false;
        let done = f.label("tile_done");
        if let Some(hot) = &self.hot {
            hot.look_up(f, self, done, ahead);
        }
        self.split(f, ahead);
        f.place(done);
    }
}

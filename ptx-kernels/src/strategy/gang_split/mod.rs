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
//! reserve: a thread for each range finds room in the tile and in the range's queue
//! scatter: every record goes to its place in the tile
//! write:   whole vectors of records go to the queues, what is left of each range waits for the next tile
//! ```
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

pub(super) mod count;
mod hot;
mod scatter;
mod tile;

use std::cell::RefCell;

use self::hot::Hot;
use super::{Bin, Copies, Gang, Memory, Target, cells::fill, for_each, update_global};
use crate::abi::ParamKind;
use crate::combine;
use crate::emit;
use crate::kernel::common_name;
use crate::queues::{Area, Part, STATE, STRIPES, Shape, VECTOR, queued_value};
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
    /// Its first vector in the tile.
    pub(super) const FIRST: i64 = 36;
    /// The vector from which on they go to new chunks.
    pub(super) const CUT: i64 = 40;
    /// What is added to the number of a vector before that.
    pub(super) const OLD: i64 = 44;
    /// What is added to the others.
    pub(super) const NEW: i64 = 48;
    /// The vector that is not full.
    pub(super) const LAST: i64 = 52;
    /// Records in it, which will wait.
    pub(super) const LEFT: i64 = 56;
}

/// The place of a vector that is not written.
const NOWHERE: i64 = -1;

/// An update that a thread has gathered.
#[derive(Clone, Copy)]
struct Slot {
    bin: Reg,
    value: Option<Reg>,
}

/// The slots of a thread, and how many of them the text has filled.
#[derive(Default)]
struct Slots {
    all: Vec<Slot>,
    filled: usize,
    /// Whether the text is within a tile.
    open: bool,
}

struct GangSplit {
    target: Target,
    memory: Memory,
    gang: Gang,
    shape: Shape,
    ranges: Reg,
    range_bits: Reg,
    /// Counters of all ranges, and of what belongs to none.
    counters: Reg,
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
pub(super) fn params() -> Vec<ParamKind> {
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

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
) -> impl Copies + use<> {
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
    GangSplit {
        target: target.clone(),
        memory,
        gang: *gang,
        shape,
        ranges,
        range_bits,
        counters,
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

impl GangSplit {
    fn area(&self, area: Area) -> Reg {
        let found = self.areas.iter().find(|(a, _)| *a == area);
        found.map_or(self.control, |(_, at)| *at)
    }

    /// The thread's slots.
    fn slots(&self) -> Vec<Slot> {
        self.slots.borrow().all.clone()
    }

    /// Combines a value into the scratch memory at once.
    fn update_directly(&self, f: &mut Function, bin: Bin, value: Operand) {
        update_global(f, &self.target, self.memory.scratch, bin, value);
    }
}

impl Copies for GangSplit {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        let mut slots = self.slots.borrow_mut();
        if !slots.open {
            return self.update_directly(f, bin, value);
        }
        let slot = slots.all[slots.filled];
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
        slots.filled = 0;
        let class = self.target.accumulator().class();
        for _ in slots.all.len()..self.target.slots as usize {
            let bin = f.reg(Class::B32, "slot");
            let value = (self.shape.value > 0).then(|| f.reg(class, "slot_value"));
            slots.all.push(Slot { bin, value });
        }
    }

    fn begin_items(&self, f: &mut Function, items: u32) {
        let slots = self.slots.borrow();
        let neutral = combine::neutral(self.target.op, self.target.accumulator());
        let own = slots.all.iter().skip(slots.filled);
        for slot in own.take((items * self.target.updates) as usize) {
            f.assign(slot.bin, self.nowhere);
            if let Some(value) = slot.value {
                f.assign(value, neutral);
            }
        }
    }

    fn end_tile(&self, f: &mut Function) {
        self.slots.borrow_mut().open = false;
        let done = f.label("tile_done");
        if let Some(hot) = &self.hot {
            hot.look_up(f, self, done);
        }
        self.split(f);
        f.place(done);
    }
}

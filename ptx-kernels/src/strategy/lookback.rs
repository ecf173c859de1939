//! `lookback`: scalars that iterations carry along, `acc += x[i]; out[i] = acc;`, in one pass over memory (Merrill and Garland,
//! "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
//!
//! Symbols: a gang of [`BLOCK`] threads takes a *tile* of consecutive iterations, warp after warp. A *term* is what an iteration combines
//! into a carried scalar, the tile's *aggregate* all of its terms, its *prefix* all of the tiles before it and its own.
//!
//! ```text
//! ticket: the next tile                      (whoever has one before it is running)
//! terms of the tile's iterations             (the emitter's: the statements that the terms take and no others)
//! barrier; a warp for each scalar:
//!     publish the aggregate
//!     look back: aggregates of the tiles before, 32 at a time, up to the first that has a prefix
//!     publish the prefix
//! barrier; the bodies of the tile's iterations, each from what is carried to it
//! ```
//!
//! A tile's *state* is a word of 64 bits for each 32 bits of each scalar: the value, and above it what it is of ([`AGGREGATE`],
//! [`PREFIX`], [`FAILED`]; 0 before anything is known). A word is written and read at once, by relaxed accesses of the device's
//! scope, so that no fence is needed; a value of two words counts where both are of the same.
//!
//! Where the terms of an iteration fail, the iterations behind it do not run: in its tile by their number, in later tiles because its
//! state says so. The iteration itself runs, from what is carried to it, and tells its fault.
//!
//! What is carried behind the last iteration goes into the scratch memory, and from there into the caller's scalar as every target's copies do.

mod look;

use self::look::Look;
use super::template::Template;
use super::{Bin, Copies, Gang, Known, Memory, Target, register};
use crate::abi::{Elem, KernelAbi, Op, ParamKind, Placement, Strategy, TargetAbi};
use crate::combine;
use crate::cost::{self, Launch, Part, Speeds};
use crate::emit;
use crate::plan::TargetPlan;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Threads of a gang.
pub const BLOCK: u32 = 256;

/// Warps of a gang.
const WARPS: u32 = BLOCK / 32;

/// Bytes before the first state: the ticket, in a line of its own.
const HEAD: u64 = 128;

/// Bytes of a word of a state.
const WORD: u32 = 8;

/// The value of a tile's own terms.
const AGGREGATE: i64 = 1;

/// That of all tiles before it as well.
const PREFIX: i64 = 2;

/// An iteration of the tile, or of one before it, has failed.
const FAILED: i64 = 3;

/// Shared memory of a scalar: what each warp's terms amount to, and what is carried to the tile.
const SCAN_BYTES: u32 = (WARPS + 2) * 8;

/// Shared memory of all of them together: the tile, whether an earlier one has failed, the first iteration whose terms have.
const TILING_BYTES: u32 = 16;

/// The strategy.
pub(super) struct Lookback;

impl Template for Lookback {
    fn name(&self) -> &'static str {
        "lookback"
    }

    fn place(&self) -> &'static str {
        "none: tiles hand on what is carried to the next"
    }

    fn good_for(&self) -> &'static str {
        "scans, and arrays that are filled at a cursor"
    }

    fn takes(&self) -> &'static str {
        "loops that carry scalars from iteration to iteration"
    }

    fn applies_to(&self, _: Op, _: Elem, _: bool, _: u32) -> bool {
        false
    }

    fn prologue(
        &self,
        f: &mut Function,
        _: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        Box::new(Scan::open(f, target, memory))
    }

    fn module_params(&self) -> Vec<ParamKind> {
        vec![ParamKind::States]
    }

    fn static_shared(&self, _: &Target) -> u32 {
        SCAN_BYTES
    }

    fn cost(&self, _: &TargetAbi, _: &TargetPlan, launch: &Launch<'_>, speeds: &Speeds) -> Part {
        cost::in_place(launch, speeds)
    }
}

impl Target {
    /// What is added to a scalar, where an iteration adds one constant or nothing.
    fn counts(&self) -> Option<i64> {
        let sums = self.op.row().gathers == Op::Add && !self.elem.is_float();
        let step = self.counted.filter(|_| sums && self.updates == 1)?;
        (1..1 << 20).contains(&step).then_some(step as i64)
    }
}

/// Words of a scalar's state.
fn words(elem: Elem) -> u32 {
    elem.accumulator().size() / 4
}

/// Whether a target is carried along.
pub(crate) fn is_carried(placement: Placement) -> bool {
    placement == Placement::Strategy(Strategy::Lookback)
}

/// Shared memory that the tiles of a kernel take beside that of its scalars.
pub(crate) fn static_shared(targets: &[Target]) -> u32 {
    match targets.iter().any(|t| is_carried(t.placement)) {
        true => TILING_BYTES,
        false => 0,
    }
}

/// A carried scalar.
#[derive(Clone)]
pub struct Scan {
    op: Op,
    elem: Elem,
    memory: Memory,
    /// What the terms since [`restart`](Scan::restart) amount to.
    sum: Reg,
    /// What the caller's scalar holds.
    initial: Reg,
    /// Its part of the shared memory.
    shared: Reg,
    /// What is added, where an iteration adds one constant or nothing.
    counted: Option<i64>,
}

impl Scan {
    /// Makes room for one.
    pub(crate) fn open(f: &mut Function, target: &Target, memory: Memory) -> Scan {
        let elem = target.accumulator();
        let sum = f.reg(elem.class(), &format!("{}_sum", target.stem));
        f.assign(sum, combine::neutral(target.op, elem));
        let load = format!("ld.global.{}", target.elem.memory());
        let initial = value!(f, "initial", load, Operand::At(memory.bins, 0));
        let name = f.unique(&format!("{}_scan", target.stem));
        f.declare(format!(".shared .align 16 .b8 {name}[{SCAN_BYTES}];"));
        let shared = f.address_of(Class::B32, &name);
        Scan {
            op: target.op,
            elem: target.elem,
            memory,
            sum,
            initial,
            shared,
            counted: target.counts(),
        }
    }

    fn accumulator(&self) -> Elem {
        self.elem.accumulator()
    }

    /// Begins with no terms.
    pub fn restart(&self, f: &mut Function) {
        f.assign(self.sum, combine::neutral(self.op, self.accumulator()));
    }

    /// What the terms amount to, in a register of its own.
    pub fn terms(&self, f: &mut Function) -> Reg {
        let terms = f.reg(self.accumulator().class(), "terms");
        f.assign(terms, self.sum);
        terms
    }

    /// Nothing, in a register.
    pub fn nothing(&self, f: &mut Function) -> Reg {
        let nothing = f.reg(self.accumulator().class(), "nothing");
        f.assign(nothing, combine::neutral(self.op, self.accumulator()));
        nothing
    }

    /// One after the other.
    pub fn both(&self, f: &mut Function, a: Reg, b: Reg) -> Reg {
        combine::combine(f, self.op, self.accumulator(), a, b)
    }

    /// What the lanes of a warp have, before each and all together; all 32 lanes come here. `each` says whether a lane has the terms of one
    /// iteration: where these are one constant or nothing, the lanes that have it are counted.
    pub fn over_lanes(&self, f: &mut Function, lane: Reg, terms: Reg, each: bool) -> (Reg, Reg) {
        if let (Some(step), true) = (self.counted, each) {
            let counts = value!(
                f,
                "counts",
                format!("setp.ne.{}", self.accumulator().memory()),
                terms,
                0
            );
            let lanes = value!(f, "lanes", "vote.sync.ballot.b32", counts, -1);
            let lower = f.special("lower_lanes", "%lanemask_lt");
            let lower = value!(f, "lower", "and.b32", lanes, lower);
            return (self.steps(f, step, lower), self.steps(f, step, lanes));
        }
        let up_to = self.up_to(f, lane, terms);
        (self.before(f, lane, up_to), self.all(f, up_to))
    }

    /// What comes before an item in its warp, in a register to be kept: steps are few enough for 32 bits.
    pub fn keep(&self, f: &mut Function, before: Reg) -> Reg {
        match (self.counted, self.accumulator().size()) {
            (Some(_), 8) => value!(f, "kept", "cvt.u32.u64", before),
            _ => before,
        }
    }

    /// The same again from there.
    pub fn kept(&self, f: &mut Function, kept: Reg) -> Reg {
        match kept.class == self.accumulator().class() {
            true => kept,
            false => value!(f, "before", "cvt.u64.u32", kept),
        }
    }

    /// As many steps as there are lanes.
    fn steps(&self, f: &mut Function, step: i64, lanes: Reg) -> Reg {
        let count = value!(f, "count", "popc.b32", lanes);
        match (self.accumulator().size(), step) {
            (4, 1) => count,
            (4, _) => value!(f, "count", "mul.lo.u32", count, step),
            (_, 1) => value!(f, "count", "cvt.u64.u32", count),
            _ => {
                let count = value!(f, "count", "cvt.u64.u32", count);
                value!(f, "count", "mul.lo.u64", count, step)
            }
        }
    }

    /// What the lanes of a warp have, up to each and with it.
    fn up_to(&self, f: &mut Function, lane: Reg, terms: Reg) -> Reg {
        let elem = self.accumulator();
        let mut sum = terms;
        for distance in [1, 2, 4, 8, 16] {
            let other = register::shuffle_by(f, elem, sum, "up", distance, 0);
            let both = self.both(f, other, sum);
            let alone = value!(f, "alone", "setp.lt.u32", lane, distance);
            sum = select(f, elem, sum, both.into(), alone);
        }
        sum
    }

    /// The same without the lane's own.
    fn before(&self, f: &mut Function, lane: Reg, up_to: Reg) -> Reg {
        let elem = self.accumulator();
        let before = register::shuffle_by(f, elem, up_to, "up", 1, 0);
        let some = value!(f, "some", "setp.ne.u32", lane, 0);
        let nothing = combine::neutral(self.op, elem);
        select(f, elem, before, nothing, some)
    }

    /// What all lanes have together, of what they have up to each.
    fn all(&self, f: &mut Function, up_to: Reg) -> Reg {
        register::shuffle_by(f, self.accumulator(), up_to, "idx", 31, 31)
    }

    /// The same, of what each has.
    pub fn together(&self, f: &mut Function, terms: Reg) -> Reg {
        let mut sum = terms;
        for distance in [16, 8, 4, 2, 1] {
            let other = register::shuffle(f, self.accumulator(), sum, distance);
            sum = self.both(f, sum, other);
        }
        sum
    }

    /// What the loop's scalar is where these are the terms before, of the user's type; narrow integers have to be cut down.
    pub fn carried(&self, f: &mut Function, before: Reg) -> Reg {
        combine::merge(f, self.op, self.elem, self.initial, before)
    }

    fn word_at(&self, slot: u32) -> Operand {
        Operand::At(self.shared, i64::from(slot * WORD))
    }

    /// What is carried to the tile, but for what the caller's scalar holds.
    fn to_tile(&self) -> Operand {
        self.word_at(WARPS)
    }
}

impl Copies for Scan {
    fn update(&self, f: &mut Function, _: Bin, value: Operand) {
        let sum = combine::combine(f, self.op, self.accumulator(), self.sum, value);
        f.assign(self.sum, sum);
    }

    /// It is in the scratch memory already.
    fn epilogue(&self, _: &mut Function, _: &Gang) {}
}

/// `a` where a predicate holds, else `b`.
fn select(f: &mut Function, elem: Elem, a: Reg, b: Operand, holds: Reg) -> Reg {
    let class = elem.class().suffix();
    value!(f, "chosen", format!("selp.{class}"), a, b, holds)
}

/// The tiles of a kernel, and how gangs take them.
#[derive(Clone, Copy)]
pub struct Tiling {
    /// Device address of ticket and states.
    states: Reg,
    /// What the gang shares: see [`TILING_BYTES`].
    shared: Reg,
}

/// What is known of a tile behind [`exchange`](Tiling::exchange).
pub struct Exchanged {
    /// For each scalar, what the terms before the warp's first iteration amount to.
    pub before: Vec<Reg>,
    /// The gang's next tile.
    pub next: Reg,
    /// Where terms may fail: the first iteration of the tile whose terms have, or -1, and a predicate: whether those of an earlier tile have.
    pub failed: Option<(Reg, Reg)>,
}

impl Tiling {
    /// Bytes that a launch over so many items takes for ticket and states.
    pub(crate) fn bytes(abi: &KernelAbi, items: u64) -> u64 {
        let carried = abi.targets.iter().filter(|t| is_carried(t.placement));
        let words: u32 = carried.map(|t| words(t.elem)).sum();
        if words == 0 {
            return 0;
        }
        let tile = u64::from(BLOCK * abi.items_per_thread);
        // The first tile may begin before the first item.
        let tiles = items.div_ceil(tile) + 1;
        HEAD + tiles * u64::from(words * WORD)
    }

    /// Takes the first tile; a barrier follows.
    pub(crate) fn open(f: &mut Function, gang: &Gang, states: Reg) -> Tiling {
        let name = f.unique("tile_slots");
        f.declare(format!(".shared .align 16 .b8 {name}[{TILING_BYTES}];"));
        let shared = f.address_of(Class::B32, &name);
        let tiling = Tiling { states, shared };
        let others = f.label("tile_taken");
        let other = value!(f, "other_thread", "setp.ne.u32", gang.thread, 0);
        f.branch_if(other, true, others);
        emit!(f, "st.shared.u32", Operand::At(shared, 4), 0);
        emit!(f, "st.shared.u64", Operand::At(shared, 8), -1);
        tiling.take(f);
        f.place(others);
        tiling
    }

    /// One thread takes a tile for its gang.
    fn take(&self, f: &mut Function) {
        let ticket = Operand::At(self.states, 0);
        let tile = value!(f, "tile", "atom.relaxed.gpu.global.add.u32", ticket, 1);
        emit!(f, "st.shared.u32", Operand::At(self.shared, 0), tile);
    }

    /// The tile that has been taken, behind the barrier.
    pub fn tile(&self, f: &mut Function) -> Reg {
        value!(f, "tile", "ld.shared.u32", Operand::At(self.shared, 0))
    }

    /// Notes that the terms of an iteration fail.
    pub fn fail(&self, f: &mut Function, iteration: Reg) {
        let at = Operand::At(self.shared, 8);
        emit!(f, "red.shared.min.u64", at, iteration);
    }

    /// Hands on what a tile combines. `terms` are those of the warp for each scalar, in all of its lanes; `last` is a predicate: whether no tile follows.
    /// All threads of the gang come here.
    pub fn exchange(
        &self,
        f: &mut Function,
        gang: &Gang,
        scans: &[Scan],
        (tile, last): (Reg, Reg),
        terms: &[Reg],
        may_fail: bool,
    ) -> Exchanged {
        f.comment("What the warps combine, then what the tiles before do.");
        let warp = value!(f, "warp", "shr.u32", gang.thread, 5);
        let first_lane = value!(f, "first_lane", "setp.eq.u32", gang.lane, 0);
        for (scan, terms) in scans.iter().zip(terms) {
            let at = value!(f, "at", "mad.lo.u32", warp, WORD, scan.shared);
            let store = format!("st.shared.{}", scan.accumulator().memory());
            let operands = [Operand::At(at, 0), (*terms).into()];
            f.op_if(first_lane, true, &store, &operands);
        }
        emit!(f, "bar.sync", 0);
        // The last warp has the least to look back for.
        let not_taking = value!(f, "not_taking", "setp.ne.u32", gang.thread, BLOCK - 32);
        let taken = f.label("tile_taken");
        f.branch_if(not_taking, true, taken);
        self.take(f);
        f.place(taken);
        let failing = may_fail.then(|| {
            let first = value!(f, "failing", "ld.shared.u64", Operand::At(self.shared, 8));
            let fails = value!(f, "fails", "setp.ne.u64", first, -1);
            (first, fails)
        });
        let mut before_warp = Vec::new();
        let mut offset = 0;
        let all_words: u32 = scans.iter().map(|s| words(s.elem)).sum();
        for (n, scan) in (0u32..).zip(scans) {
            let (before, aggregate) = self.of_warps(f, scan, warp);
            before_warp.push(before);
            let looked = f.label("looked_back");
            let other = value!(f, "other_warp", "setp.ne.u32", warp, n % WARPS);
            f.branch_if(other, true, looked);
            let fails = failing.map(|(_, fails)| fails);
            let look = Look {
                tiling: *self,
                scan,
                lane: gang.lane,
                first_lane,
                tile,
                last,
                stride: all_words * WORD,
                offset: offset * WORD,
                fails,
            };
            look.back(f, aggregate);
            f.place(looked);
            offset += words(scan.elem);
        }
        emit!(f, "bar.sync", 0);
        let before = scans.iter().zip(before_warp).map(|(scan, of_warps)| {
            let load = format!("ld.shared.{}", scan.accumulator().memory());
            let of_tiles = value!(f, "to_tile", load, scan.to_tile());
            scan.both(f, of_tiles, of_warps)
        });
        let before = before.collect();
        let failed = failing.map(|(first, _)| {
            let earlier = value!(f, "earlier", "ld.shared.u32", Operand::At(self.shared, 4));
            (first, value!(f, "earlier", "setp.ne.u32", earlier, 0))
        });
        Exchanged {
            before,
            next: self.tile(f),
            failed,
        }
    }

    /// What the warps before have combined, and all of them.
    fn of_warps(&self, f: &mut Function, scan: &Scan, warp: Reg) -> (Reg, Reg) {
        let elem = scan.accumulator();
        let load = format!("ld.shared.{}", elem.memory());
        let nothing = combine::neutral(scan.op, elem);
        let mut sums: Option<(Reg, Reg)> = None;
        for other in 0..WARPS {
            let of_warp = value!(f, "of_warp", &load, scan.word_at(other));
            let comes_before = value!(f, "comes_before", "setp.gt.u32", warp, other);
            let counted = select(f, elem, of_warp, nothing, comes_before);
            sums = Some(match sums {
                None => (counted, of_warp),
                Some((before, all)) => (scan.both(f, before, counted), scan.both(f, all, of_warp)),
            });
        }
        sums.expect("a gang has warps")
    }
}

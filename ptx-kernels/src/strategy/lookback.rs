//! `lookback`: scalars that iterations carry along, `acc += x[i]; out[i] = acc;`, in one pass over memory (Merrill and Garland,
//! "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
//!
//! Symbols: a gang of [`BLOCK`] threads takes a *tile* of consecutive iterations, warp after warp. A *term* is what an iteration combines
//! into a carried scalar, the tile's *aggregate* all of its terms, its *prefix* all of the tiles before it and its own.
//!
//! A gang has two tiles at a time: the *current* one, whose aggregate it has published, and the *next* one, whose items are on their way
//! meanwhile. So a tile's aggregate is there as soon as its items have been loaded, whatever its gang waits for, and who looks back finds
//! most of them:
//!
//! ```text
//! next: a ticket                             (whoever has one before it is running)
//! again:
//!     terms of the next tile's iterations    (the emitter's: the statements that the terms take and no others)
//!     barrier; publish the next tile's aggregate
//!     a warp for each scalar: look back from the current tile, up to the first that has a prefix; publish the current tile's prefix
//!     barrier; a ticket
//!     the bodies of the current tile's iterations, each from what is carried to it
//!     barrier; current = next, next = the ticket
//! ```
//!
//! The ticket is taken behind the look-back: a tile that waits for one's own to be finished keeps all behind it waiting. 2^28 words take 711 us where
//! it is taken before, 633 us so, and 1545 us with one tile at a time and its ticket before the look-back (a prototype, H200, 2026-11-24).
//!
//! A tile's *state* is a word of 64 bits for each 32 bits of each scalar: the value, and above it what it is of ([`AGGREGATE`],
//! [`PREFIX`], [`FAILED`]; 0 before anything is known). A word is written and read at once, by relaxed accesses of the device's
//! scope, so that no fence is needed; a value of two words counts where both are of the same.
//!
//! Where a scalar is carried along by a recurrence, `s = a * s + b`, a term is a map, and two maps in order are one: a factor and a sum, in twice as many
//! words. What lanes, warps and tiles have is put together in the order of the iterations then; sums without an order are as soon put together in any.
//!
//! Where the terms of an iteration fail, the iterations behind it do not run: in its tile by their number, in later tiles because its
//! state says so. The iteration itself runs, from what is carried to it, and tells its fault.
//!
//! What is carried behind the last iteration goes into the scratch memory, and from there into the caller's scalar as every target's copies do; of a recurrence
//! it is the bits in which the scalar differs from before.

mod look;
mod scan;

use self::look::Look;
pub use self::scan::{Amount, Scan};
use super::template::Template;
use super::{Copies, Gang, Known, Memory, Target};
use crate::abi::{Elem, KernelAbi, Op, ParamKind, Placement, Strategy, TargetAbi};
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

/// Words of a value that are read and written at once, which is not more than as soon done: each of them tells what it is of. So there are half as many accesses, and hardly
/// ever words of different moments, which have to be read again: 2^28 sums of 64 bits take 1180 us instead of 1260 (H200, 2026-11-30).
const TOGETHER: usize = 2;

/// The value of a tile's own terms.
const AGGREGATE: i64 = 1;

/// That of all tiles before it as well.
const PREFIX: i64 = 2;

/// An iteration of the tile, or of one before it, has failed.
const FAILED: i64 = 3;

/// Shared memory of a scalar: what each warp's terms amount to in the next tile and in the current one, what comes before the latter, and whether
/// an iteration has failed there.
fn scan_bytes(target: &Target) -> u32 {
    (2 * WARPS + 2) * WORD * (1 + u32::from(target.composed.is_some()))
}

/// Shared memory of all of them together: the next tile, and the first iteration whose terms have failed.
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
        "scans, and arrays and vectors that are filled in order"
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

    fn static_shared(&self, target: &Target) -> u32 {
        scan_bytes(target)
    }

    fn cost(&self, _: &TargetAbi, _: &TargetPlan, launch: &Launch<'_>, speeds: &Speeds) -> Part {
        cost::in_place(launch, speeds)
    }
}

/// Words of a value in a state.
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

/// The tiles of a kernel, and how gangs take them.
#[derive(Clone, Copy)]
pub struct Tiling {
    /// Device address of ticket and states.
    states: Reg,
    /// What the gang shares: see [`TILING_BYTES`].
    shared: Reg,
}

/// What is known of a tile behind [`look_back`](Tiling::look_back).
pub struct Before {
    /// For each scalar, what is carried to the warp's first iteration.
    pub carried: Vec<Reg>,
    /// For [cursors](Scan::is_cursor), what is carried to the tile, and behind it.
    pub reach: Vec<Option<(Reg, Reg)>>,
    /// Where terms may fail, a predicate: whether those of an earlier tile have.
    pub failed: Option<Reg>,
}

impl Tiling {
    /// Bytes that a launch over so many items takes for ticket and states.
    pub(crate) fn bytes(abi: &KernelAbi, items: u64) -> u64 {
        let carried = abi.targets.iter().filter(|t| is_carried(t.placement));
        let words: Vec<u32> = carried
            .map(|t| words(t.elem) * (1 + u32::from(t.composed)))
            .collect();
        if words.is_empty() {
            return 0;
        }
        let tile = u64::from(BLOCK * abi.items_per_thread);
        // The first tile may begin before the first item.
        let tiles = items.div_ceil(tile) + 1;
        HEAD + tiles * u64::from(offsets(&words).1)
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
        emit!(f, "st.shared.u64", Operand::At(shared, 8), -1);
        let ticket = Operand::At(states, 0);
        let tile = value!(f, "tile", "atom.relaxed.gpu.global.add.u32", ticket, 1);
        emit!(f, "st.shared.u32", Operand::At(shared, 0), tile);
        f.place(others);
        tiling
    }

    /// The tile that has been taken, behind a barrier.
    pub fn tile(&self, f: &mut Function) -> Reg {
        value!(f, "tile", "ld.shared.u32", Operand::At(self.shared, 0))
    }

    /// One thread takes a ticket for its gang where a predicate holds; it is on its way until [`turn`](Tiling::turn).
    pub fn take(&self, f: &mut Function, gang: &Gang, holds: Reg) -> Ticket {
        let taker = value!(
            f,
            "taker",
            "setp.eq.and.u32",
            gang.thread,
            BLOCK - 32,
            holds
        );
        let number = f.reg(Class::B32, "ticket");
        let ticket = [number.into(), Operand::At(self.states, 0), 1.into()];
        f.op_if(taker, true, "atom.relaxed.gpu.global.add.u32", &ticket);
        Ticket { taker, number }
    }

    /// Makes the next tile the current one, and the ticket's the next, which is the result. All threads of the gang come here; there is a barrier
    /// in it.
    pub fn turn(&self, f: &mut Function, gang: &Gang, scans: &[Scan], ticket: Ticket) -> Reg {
        let slot = Operand::At(self.shared, 0);
        let operands = [slot, ticket.number.into()];
        f.op_if(ticket.taker, true, "st.shared.u32", &operands);
        // What its warps' terms amount to moves: all have read the current tile's behind the barrier, and none has written a next tile's before.
        let mover = value!(f, "mover", "setp.lt.u32", gang.thread, WARPS);
        let mut moving = Vec::new();
        for scan in scans {
            let slot = scan.slot();
            let at = value!(f, "at", "mad.lo.u32", gang.thread, slot, scan.shared);
            let memory = scan.accumulator().memory();
            for part in 0..scan.parts() {
                let moved = f.reg(scan.accumulator().class(), "moved");
                let from = i64::from(part * WORD);
                let operands = [moved.into(), Operand::At(at, from)];
                f.op_if(mover, true, &format!("ld.shared.{memory}"), &operands);
                let to = Operand::At(at, from + i64::from(WARPS * slot));
                moving.push((format!("st.shared.{memory}"), [to, moved.into()]));
            }
        }
        emit!(f, "bar.sync", 0);
        for (store, operands) in moving {
            f.op_if(mover, true, &store, &operands);
        }
        self.tile(f)
    }

    /// Notes that the terms of an iteration fail.
    pub fn fail(&self, f: &mut Function, iteration: Reg) {
        let at = Operand::At(self.shared, 8);
        emit!(f, "red.shared.min.u64", at, iteration);
    }

    /// Leaves to the gang what a warp's terms amount to, which all of its lanes have; a barrier follows.
    pub fn hand_in(&self, f: &mut Function, gang: &Gang, scans: &[Scan], terms: &[Amount]) {
        let warp = value!(f, "warp", "shr.u32", gang.thread, 5);
        let first_lane = value!(f, "first_lane", "setp.eq.u32", gang.lane, 0);
        for (scan, terms) in scans.iter().zip(terms) {
            let at = value!(f, "at", "mad.lo.u32", warp, scan.slot(), scan.shared);
            scan.store(f, first_lane, Operand::At(at, 0), terms);
        }
    }

    /// Publishes the aggregate of a tile whose terms have been handed in. Where terms may fail, the result is the first iteration of the tile
    /// whose terms have, or -1.
    pub fn publish(
        &self,
        f: &mut Function,
        gang: &Gang,
        scans: &[Scan],
        tile: Reg,
        may_fail: bool,
    ) -> Option<Reg> {
        let failing =
            may_fail.then(|| value!(f, "failing", "ld.shared.u64", Operand::At(self.shared, 8)));
        let others = f.label("published");
        let other = value!(f, "other_thread", "setp.ne.u32", gang.thread, 0);
        f.branch_if(other, true, others);
        let of = match failing {
            Some(failing) => {
                let fails = value!(f, "fails", "setp.ne.u64", failing, -1);
                value!(f, "of", "selp.b32", FAILED, AGGREGATE, fails)
            }
            None => value!(f, "of", "mov.u32", AGGREGATE),
        };
        let (state, offsets) = self.states_of(f, scans, tile);
        for (scan, offset) in scans.iter().zip(offsets) {
            let all = scan.of_all_warps(f);
            scan.publish(f, None, Operand::At(state, offset), of, &all);
        }
        f.place(others);
        failing
    }

    /// Looks back from a tile that has been published, and publishes its prefix. `last` is a predicate: whether no tile follows. All threads
    /// of the gang come here; there is a barrier in it.
    pub fn look_back(
        &self,
        f: &mut Function,
        gang: &Gang,
        scans: &[Scan],
        (tile, last): (Reg, Reg),
        failing: Option<Reg>,
    ) -> Before {
        f.comment("What the tiles before combine.");
        let warp = value!(f, "warp", "shr.u32", gang.thread, 5);
        let first_lane = value!(f, "first_lane", "setp.eq.u32", gang.lane, 0);
        let (_, stride) = states(scans);
        let (states, offsets) = self.states_of(f, scans, tile);
        for (n, scan) in scans.iter().enumerate() {
            let looked = f.label("looked_back");
            let other = value!(f, "other_warp", "setp.ne.u32", warp, n as u32 % WARPS);
            f.branch_if(other, true, looked);
            let look = Look {
                scan,
                lane: gang.lane,
                first_lane,
                tile,
                state: (states, offsets[n]),
                stride,
                last,
            };
            look.back(f, failing);
            f.place(looked);
        }
        emit!(f, "bar.sync", 0);
        let (mut carried, mut reach) = (Vec::new(), Vec::new());
        let mut failed: Option<Reg> = None;
        for scan in scans {
            let (of_warps, aggregate) = scan.of_warps(f, warp);
            let before = scan.load(f, scan.to_tile(), "to_tile");
            if failing.is_some() {
                let found = value!(f, "failed", "ld.shared.u32", scan.failed());
                failed = Some(match failed {
                    None => found,
                    Some(failed) => value!(f, "failed", "or.b32", failed, found),
                });
            }
            reach.push(scan.is_cursor().then(|| {
                let end = scan.both(f, &before, &aggregate);
                (scan.base(f, &before), scan.base(f, &end))
            }));
            let before = scan.both(f, &before, &of_warps);
            carried.push(scan.base(f, &before));
        }
        Before {
            carried,
            reach,
            failed: failed.map(|failed| value!(f, "failed", "setp.ne.u32", failed, 0)),
        }
    }

    /// Where the state of a tile is, and that of each scalar in it.
    fn states_of(&self, f: &mut Function, scans: &[Scan], tile: Reg) -> (Reg, Vec<i64>) {
        let (offsets, stride) = states(scans);
        let state = value!(f, "state", "mad.wide.u32", tile, stride, self.states);
        let offsets = offsets.into_iter();
        (
            state,
            offsets.map(|at| HEAD as i64 + i64::from(at)).collect(),
        )
    }
}

/// Where the states of scalars are in a tile's, and what lies between two tiles.
fn states(scans: &[Scan]) -> (Vec<u32>, u32) {
    let words: Vec<u32> = scans.iter().map(Scan::words).collect();
    offsets(&words)
}

/// The same of so many words: those that are accessed together come first, so that they are aligned.
fn offsets(words: &[u32]) -> (Vec<u32>, u32) {
    let pairs = |words: u32| words.is_multiple_of(TOGETHER as u32);
    let mut offsets = vec![0; words.len()];
    let mut at = 0;
    for paired in [true, false] {
        let of = offsets.iter_mut().zip(words);
        for (offset, words) in of.filter(|(_, words)| pairs(**words) == paired) {
            *offset = at;
            at += words * WORD;
        }
    }
    match words.iter().any(|words| pairs(*words)) {
        true => (offsets, at.next_multiple_of(TOGETHER as u32 * WORD)),
        false => (offsets, at),
    }
}

/// A ticket on its way: who has taken it, and its number.
#[derive(Clone, Copy)]
pub struct Ticket {
    taker: Reg,
    number: Reg,
}

/// `a` where a predicate holds, else `b`.
fn select(f: &mut Function, elem: Elem, a: Reg, b: Operand, holds: Reg) -> Reg {
    let class = elem.class().suffix();
    value!(f, "chosen", format!("selp.{class}"), a, b, holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_accessed_together_are_aligned() {
        assert_eq!(offsets(&[1]), (vec![0], WORD));
        assert_eq!(offsets(&[1, 1, 1]), (vec![0, 8, 16], 24));
        assert_eq!(offsets(&[2]), (vec![0], 16));
        assert_eq!(offsets(&[1, 2, 1, 4, 1]), (vec![48, 0, 56, 16, 64], 80));
    }
}

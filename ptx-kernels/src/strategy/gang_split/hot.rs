//! The hot cache: counters of the bins that the first tile of a gang is full of.
//!
//! A slot holds one bin, plus 1 so that 0 is none. Bins of the first tile are put into their slots, where one of several
//! stays, more likely one that comes often; those that are found there less than [`LEAST`] times leave again. Neighbours
//! that are equal fill the cache too, as in pictures, so that the second tile of the gang, from elsewhere, has to find its bins
//! in it as well, and some of those behind it.

use super::{Area, GangSplitCopies, Slot, WARM, for_each};
use crate::emit;
use crate::queues::{BLOCK, CACHE_SLOTS};
use crate::strategy::cells::multiply;
use crate::strategy::{Bin, flush_touched};
use crate::value;
use crate::writer::{Class, Function, Label, Operand, Reg};

/// Times that a bin of the first tile has to come to stay.
const LEAST: u32 = 4;

/// The cache is used if one in so many records of the first tile was in it.
const SHARE: u32 = 8;

/// A tile with fewer than one in so many threads that have records left is not split.
const FEW: u32 = 8;

/// The cache stays if one in so many threads finds much in it when it is on trial.
const TRIAL: u32 = 2;

/// One in so many slots is much.
const MUCH: u32 = 4;

/// Where the hits of a tag are, from it. Behind those of all tags is a word for what is not found.
const HITS: i64 = 4 * CACHE_SLOTS as i64;

/// Slots that are looked up at a time.
const TOGETHER: usize = 8;

/// Before the first tile.
const NEW: u32 = 0;
/// Filled from the tile that is being looked up.
const FILLED: u32 = 1;
/// On trial with the next tile.
const TRIED: u32 = 2;
/// Not used.
const OFF: u32 = 3;
/// Used, from here on: as many tiles since the last trial.
const ON: u32 = 4;
/// Tiles from one trial to the next: what neighbours are equal to changes.
const AGAIN: u32 = 16;

/// The multiplier of Knuth's multiplicative hashing, 2^32 over the golden ratio.
const MULTIPLIER: i64 = 2_654_435_761;

pub(super) struct Hot {
    /// One of the states above, the same in all threads of the gang.
    state: Reg,
}

impl Hot {
    pub(super) fn begin(f: &mut Function) -> Hot {
        Hot {
            state: value!(f, "hot", "mov.u32", NEW),
        }
    }

    /// The slot of a bin, in bytes, and its tag.
    fn slot(f: &mut Function, bin: Reg) -> (Reg, Reg) {
        let hash = value!(f, "hash", "mul.lo.u32", bin, MULTIPLIER);
        let slot = value!(
            f,
            "hash",
            "shr.u32",
            hash,
            32 - CACHE_SLOTS.trailing_zeros()
        );
        let slot = value!(f, "hash", "shl.b32", slot, 2);
        let tag = value!(f, "tag", "add.u32", bin, 1);
        (slot, tag)
    }

    /// Counts bins that are in the cache: whether each is. No load comes before an atomic that stands before it in the text,
    /// so all loads are first; and an atomic under a predicate is one behind a branch, so what is not found is counted too.
    fn count(f: &mut Function, of: &GangSplitCopies, bins: &[Reg]) -> Vec<Reg> {
        let tags = of.area(Area::Tags);
        let missed = value!(f, "missed", "add.u32", tags, HITS);
        let found: Vec<[Reg; 3]> = bins
            .iter()
            .map(|bin| {
                let (at, tag) = Hot::slot(f, *bin);
                let tag_at = value!(f, "tag_at", "add.u32", tags, at);
                let found = value!(f, "found", "ld.shared.u32", Operand::At(tag_at, 0));
                [tag_at, tag, found]
            })
            .collect();
        let count = |[tag_at, tag, found]: [Reg; 3]| {
            let hit = value!(f, "hit", "setp.eq.u32", found, tag);
            let at = value!(f, "at", "selp.b32", tag_at, missed, hit);
            emit!(f, "red.shared.add.u32", Operand::At(at, HITS), 1);
            hit
        };
        found.into_iter().map(count).collect()
    }

    /// Takes what is hot out of the slots, and what is left where that is little: then it branches to `done`, behind
    /// `ahead`. All threads of the gang come here together.
    pub(super) fn look_up(
        &self,
        f: &mut Function,
        of: &GangSplitCopies,
        done: Label,
        ahead: &mut dyn FnMut(&mut Function),
    ) {
        let (used, unused) = (f.label("hot"), f.label("not_hot"));
        f.comment("Hot: bins of the cache are counted at once.");
        let is_off = value!(f, "is_off", "setp.eq.u32", self.state, OFF);
        f.branch_if(is_off, true, unused);
        let is_new = value!(f, "is_new", "setp.eq.u32", self.state, NEW);
        f.branch_if(is_new, false, used);
        self.fill(f, of);
        let is_off = value!(f, "is_off", "setp.eq.u32", self.state, OFF);
        f.branch_if(is_off, true, unused);

        f.place(used);
        let left = value!(f, "left", "mov.u32", of.nowhere);
        let met = value!(f, "met", "mov.u32", 0);
        for slots in of.slots().chunks(TOGETHER) {
            let bins: Vec<Reg> = slots.iter().map(|slot| slot.bin).collect();
            for (&bin, hit) in bins.iter().zip(Hot::count(f, of, &bins)) {
                emit!(f, "selp.b32", bin, of.nowhere, bin, hit);
                emit!(f, "min.u32", left, left, bin);
                let add = [met.into(), met.into(), 1.into()];
                f.op_if(hit, true, "add.u32", &add);
            }
        }
        self.try_out(f, met, of.target.slots);
        let some = value!(f, "some", "setp.lt.u32", left, of.nowhere);
        let threads = value!(f, "threads_left", "bar.red.popc.u32", 0, some);
        let many = value!(f, "many", "setp.ge.u32", threads, BLOCK / FEW);
        f.branch_if(many, true, unused);
        for slot in of.slots() {
            let next = f.label("next_slot");
            let stays = value!(f, "stays", "setp.lt.u32", slot.bin, of.nowhere);
            f.branch_if(stays, false, next);
            let elem = of.target.accumulator();
            let constant = Operand::bits(elem.class(), of.target.counted.unwrap_or(0));
            of.update_directly(f, Bin::Narrow(slot.bin.into()), constant);
            f.place(next);
        }
        ahead(f);
        f.branch(done, false);
        f.place(unused);
    }

    /// Decides in the second tile whether the cache is used from now on, and again every [`AGAIN`] tiles. `met` is what a
    /// thread has found of its slots.
    fn try_out(&self, f: &mut Function, met: Reg, slots: u32) {
        let (known, on, filled) = (
            f.label("hot_known"),
            f.label("hot_on"),
            f.label("hot_filled"),
        );
        let is_on = value!(f, "is_on", "setp.ge.u32", self.state, ON);
        f.branch_if(is_on, true, on);
        let is_filled = value!(f, "is_filled", "setp.eq.u32", self.state, FILLED);
        f.branch_if(is_filled, true, filled);
        let much = value!(f, "much", "setp.ge.u32", met, (slots / MUCH).max(1));
        let threads = value!(f, "threads_met", "bar.red.popc.u32", 0, much);
        let enough = value!(f, "enough", "setp.ge.u32", threads, BLOCK / TRIAL);
        emit!(f, "selp.b32", self.state, ON, OFF, enough);
        f.branch(known, false);
        f.place(on);
        emit!(f, "add.u32", self.state, self.state, 1);
        let stays = value!(f, "stays", "setp.lt.u32", self.state, ON + AGAIN);
        emit!(f, "selp.b32", self.state, self.state, TRIED, stays);
        f.branch(known, false);
        f.place(filled);
        f.assign(self.state, TRIED);
        f.place(known);
    }

    /// Fills the cache from the tile in the slots, and decides whether it is used.
    fn fill(&self, f: &mut Function, of: &GangSplitCopies) {
        let tags = of.area(Area::Tags);
        let missed = value!(f, "missed", "add.u32", tags, 2 * HITS);
        for slot in of.slots() {
            let (at, tag) = Hot::slot(f, slot.bin);
            let tag_at = value!(f, "tag_at", "add.u32", tags, at);
            let real = value!(f, "real", "setp.lt.u32", slot.bin, of.nowhere);
            let at = value!(f, "at", "selp.b32", tag_at, missed, real);
            // Any of several bins may stay. Stores would do, but the sanitizer takes any two for a mistake.
            value!(f, "other", "atom.shared.exch.b32", Operand::At(at, 0), tag);
        }
        emit!(f, "bar.sync", 0);
        // Zero until the end of this: bins that are not known to be those from above, or else the assembler keeps where they
        // all are over the barrier, for which there are no registers.
        let warm = Operand::At(of.control, WARM);
        let zero = value!(f, "zero", "ld.shared.u32", warm);
        for slots in of.slots().chunks(TOGETHER) {
            let again = |slot: &Slot| value!(f, "again", "add.u32", slot.bin, zero);
            let bins: Vec<Reg> = slots.iter().map(again).collect();
            Hot::count(f, of, &bins);
        }
        emit!(f, "bar.sync", 0);
        let kept = value!(f, "kept", "mov.u32", 0);
        self.each(f, of, |f, tag_at, hit_at| {
            let count = value!(f, "count", "ld.shared.u32", Operand::At(hit_at, 0));
            emit!(f, "st.shared.u32", Operand::At(hit_at, 0), 0);
            let stays = value!(f, "stays", "setp.ge.u32", count, LEAST);
            f.op_if(
                stays,
                false,
                "st.shared.u32",
                &[Operand::At(tag_at, 0), 0.into()],
            );
            f.op_if(
                stays,
                true,
                "add.u32",
                &[kept.into(), kept.into(), count.into()],
            );
        });
        emit!(f, "red.shared.add.u32", warm, kept);
        emit!(f, "bar.sync", 0);
        let warm = value!(f, "warm", "ld.shared.u32", warm);
        let enough = value!(
            f,
            "enough",
            "setp.ge.u32",
            warm,
            BLOCK * of.target.slots / SHARE
        );
        emit!(f, "selp.b32", self.state, FILLED, OFF, enough);
    }

    /// The tags and the hits of all slots, by their addresses.
    fn each(
        &self,
        f: &mut Function,
        of: &GangSplitCopies,
        body: impl FnOnce(&mut Function, Reg, Reg),
    ) {
        let (tags, hits) = (of.area(Area::Tags), of.area(Area::Hits));
        let slot = value!(f, "slot", "mov.u32", of.gang.thread);
        let end = f.reg(Class::B32, "end");
        f.assign(end, CACHE_SLOTS);
        for_each(f, "hot_slots", slot, of.gang.threads, end, |f| {
            let tag_at = value!(f, "tag_at", "mad.lo.u32", slot, 4, tags);
            let hit_at = value!(f, "hit_at", "mad.lo.u32", slot, 4, hits);
            body(f, tag_at, hit_at);
        });
    }

    /// Brings the counts into the scratch memory. All threads come here behind a barrier.
    pub(super) fn flush(&self, f: &mut Function, of: &GangSplitCopies) {
        self.each(f, of, |f, tag_at, hit_at| {
            let count = value!(f, "count", "ld.shared.u32", Operand::At(hit_at, 0));
            let skip = f.label("cold");
            let touched = value!(f, "touched", "setp.ne.u32", count, 0);
            f.branch_if(touched, false, skip);
            let tag = value!(f, "tag", "ld.shared.u32", Operand::At(tag_at, 0));
            let bin = value!(f, "bin", "sub.u32", tag, 1);
            let value = multiply(f, &of.target, count);
            flush_touched(f, &of.target, of.memory.scratch, bin, value);
            f.place(skip);
        });
    }
}

//! A cache of hot bins in shared memory: for counters that hot bins would overflow, or would make wait.
//!
//! The cache has [`SLOTS`] slots, and bin `b` could be in slot `b * φ` alone, by its top bits. A slot has a tag, the bin that
//! it is for, and a counter of 32 bits. An update whose bin is the tag of its slot adds 1 to the counter, which the
//! hardware does for all lanes of a warp at once; others go their usual way. Bins come in by a [sample](super::hot): of those
//! that are noted often enough and are for one slot the one noted most. Where a gang has none, looking is jumped over.
//!
//! One lookup and one addition, whatever the number of hot bins, is less than comparing with four of them.

use super::hot::{HASH, NONE, Note, count_notes, with_notes};
use super::{Gang, for_each};
use crate::writer::{Class, Function, Operand, Reg};
use crate::{emit, value};

/// Slots.
const SLOTS: u32 = 1024;

/// Where the counters are, behind the tags.
const COUNTS: i64 = SLOTS as i64 * 4;

/// Bytes of a cache: tags, counters, the number of tags, and that of runs.
pub(super) const CACHE_BYTES: u32 = SLOTS * 8 + 16;

/// Where the number of tags is.
const FILLED: i64 = SLOTS as i64 * 8;

/// Where the number of runs is: twice the threads whose neighbour has noted the same bin, less all, of bins that are not in
/// the cache.
const RUNS: i64 = FILLED + 4;

/// Updates of a gang from which on a bin comes in, by its notes: half of what a counter of 16 bits holds.
const UPDATES: u32 = 15;

/// Of how many notes one is always enough, so that lanes do not wait for each other: of 1024, 16.
const ENOUGH_SHIFT: u32 = 6;

/// And of how many one is the least: of 1024, 4, which is more than chance gives any of 2^16 bins.
const LEAST: u32 = 8;

/// The cache of a gang.
#[derive(Clone, Copy, Debug)]
pub struct Cache {
    /// Its address.
    at: Reg,
}

/// A cache that knows its window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filled {
    at: Reg,
    /// Whether it has any tags, the same in all threads.
    pub(super) any: Reg,
    /// Whether most updates of other bins are of the bin of the one before, the same in all threads.
    pub(super) runs: Reg,
}

impl Cache {
    /// Declares a cache.
    pub(crate) fn declare(f: &mut Function, stem: &str) -> Cache {
        let name = f.unique(&format!("{stem}_cache"));
        f.declare(format!(".shared .align 16 .b8 {name}[{CACHE_BYTES}];"));
        Cache {
            at: f.address_of(Class::B32, &name),
        }
    }

    /// Empties it. A barrier has to follow.
    pub(crate) fn clear(self, f: &mut Function, gang: &Gang) {
        let slot = value!(f, "slot", "mov.u32", gang.thread);
        let slots = value!(f, "slots", "mov.u32", SLOTS);
        for_each(f, "clear_cache", slot, gang.threads, slots, |f| {
            let at = value!(f, "at", "mad.lo.u32", slot, 4, self.at);
            emit!(f, "st.shared.u32", Operand::At(at, 0), NONE);
            emit!(f, "st.shared.u32", Operand::At(at, COUNTS), 0);
        });
        let first = value!(f, "first", "setp.eq.u32", gang.thread, 0);
        for word in [FILLED, RUNS] {
            let zero = [Operand::At(self.at, word), 0.into()];
            f.op_if(first, true, "st.shared.u32", &zero);
        }
    }

    /// Brings in what the gang has noted, of `size` iterations in all. The whole gang gets here, with the cache empty.
    pub(crate) fn fill(self, f: &mut Function, gang: &Gang, note: Note, size: Reg) {
        let table = count_notes(f, gang, note);
        f.comment("What has many notes comes into the cache.");
        // Notes that stand for as many updates of a gang as its counters should not have.
        let each = value!(f, "gangs", "cvt.u64.u32", gang.gangs);
        let each = value!(f, "each", "div.u64", size, each);
        let all = value!(f, "notes", "mul.wide.u32", gang.threads, 1 << UPDATES);
        let least = value!(f, "least", "div.u64", all, each);
        let least = value!(f, "least", "cvt.u32.u64", least);
        let most = value!(f, "most", "shr.u32", gang.threads, ENOUGH_SHIFT);
        let least = value!(f, "least", "min.u32", least, most);
        let fewest = value!(f, "fewest", "shr.u32", gang.threads, LEAST);
        let least = value!(f, "least", "max.u32", least, fewest);
        let least = value!(f, "least", "max.u32", least, 2);
        let least = value!(f, "least", "sub.u32", least, 1);
        // The counters hold the best of each slot first, by its notes, and by its place in the table.
        let weigh = |f: &mut Function, bin: Reg, notes: Reg, place: Reg| {
            let weight = value!(f, "weight", "shl.b32", notes, 16);
            let weight = value!(f, "weight", "or.b32", weight, place);
            (self.slot(f, bin), weight)
        };
        with_notes(f, gang, table, least, |f, bin, notes, place| {
            let (at, weight) = weigh(f, bin, notes, place);
            emit!(f, "red.shared.max.u32", Operand::At(at, COUNTS), weight);
        });
        emit!(f, "bar.sync", 0);
        with_notes(f, gang, table, least, |f, bin, notes, place| {
            let (at, weight) = weigh(f, bin, notes, place);
            let best = value!(f, "best", "ld.shared.u32", Operand::At(at, COUNTS));
            let best = value!(f, "best", "setp.eq.u32", best, weight);
            f.op_if(
                best,
                true,
                "st.shared.u32",
                &[Operand::At(at, 0), bin.into()],
            );
        });
        emit!(f, "bar.sync", 0);
        self.count_runs(f, gang, note);
        emit!(f, "bar.sync", 0);
    }

    /// Counts the runs among the notes of other bins than those in the cache: pairs of threads have drawn neighbours.
    fn count_runs(self, f: &mut Function, gang: &Gang, note: Note) {
        f.comment("Whether neighbours update one bin.");
        let at = self.slot(f, note.bin);
        let tag = value!(f, "tag", "ld.shared.u32", Operand::At(at, 0));
        let cold = value!(f, "cold", "setp.ne.u32", tag, note.bin);
        let some = value!(f, "some", "setp.ne.u32", note.bin, NONE);
        emit!(f, "and.pred", cold, cold, some);
        let other = value!(f, "other", "shfl.sync.bfly.b32", note.bin, 1, 31, -1);
        let same = value!(f, "same", "setp.eq.u32", other, note.bin);
        emit!(f, "and.pred", same, same, cold);
        let lanes = |f: &mut Function, holds: Reg| {
            let lanes = value!(f, "lanes", "vote.sync.ballot.b32", holds, -1);
            value!(f, "lanes", "popc.b32", lanes)
        };
        let (same, cold) = (lanes(f, same), lanes(f, cold));
        let runs = value!(f, "runs", "mul.lo.u32", same, 2);
        let runs = value!(f, "runs", "sub.u32", runs, cold);
        let first = value!(f, "first_lane", "setp.eq.u32", gang.lane, 0);
        let add = [Operand::At(self.at, RUNS), runs.into()];
        f.op_if(first, true, "red.shared.add.u32", &add);
    }

    /// Drops the bins outside of a window and makes the counters zero. The whole gang gets here.
    pub(super) fn begin(self, f: &mut Function, gang: &Gang, low: Reg, bins: Reg) -> Filled {
        let slot = value!(f, "slot", "mov.u32", gang.thread);
        let slots = value!(f, "slots", "mov.u32", SLOTS);
        for_each(f, "begin_cache", slot, gang.threads, slots, |f| {
            let at = value!(f, "at", "mad.lo.u32", slot, 4, self.at);
            let bin = value!(f, "bin", "ld.shared.u32", Operand::At(at, 0));
            let own = value!(f, "own", "sub.u32", bin, low);
            let inside = value!(f, "inside", "setp.lt.u32", own, bins);
            let drop = [Operand::At(at, 0), NONE.into()];
            f.op_if(inside, false, "st.shared.u32", &drop);
            let count = [Operand::At(self.at, FILLED), 1.into()];
            f.op_if(inside, true, "red.shared.add.u32", &count);
            emit!(f, "st.shared.u32", Operand::At(at, COUNTS), 0);
        });
        emit!(f, "bar.sync", 0);
        let filled = value!(f, "filled", "ld.shared.u32", Operand::At(self.at, FILLED));
        let runs = value!(f, "runs", "ld.shared.u32", Operand::At(self.at, RUNS));
        let some = value!(f, "some", "shr.u32", gang.threads, 4);
        Filled {
            at: self.at,
            any: value!(f, "any_cached", "setp.ne.u32", filled, 0),
            runs: value!(f, "in_runs", "setp.gt.s32", runs, some),
        }
    }

    /// Address of the slot that a bin could be in.
    fn slot(self, f: &mut Function, bin: Reg) -> Reg {
        let hash = value!(f, "hash", "mul.lo.u32", bin, HASH);
        // The top bits, times four.
        let slot = value!(f, "slot", "shr.u32", hash, 30 - SLOTS.ilog2());
        let slot = value!(f, "slot", "and.b32", slot, (SLOTS - 1) * 4);
        value!(f, "slot", "add.u32", slot, self.at)
    }
}

impl Filled {
    /// Takes a bin that is cached out of a predicate, and counts it if `counts`.
    pub(super) fn take(self, f: &mut Function, bin: Reg, cold: Reg, counts: bool) {
        let nothing = f.label("nothing_cached");
        f.branch_if(self.any, false, nothing);
        self.look_up(f, bin, cold, counts);
        f.place(nothing);
    }

    /// The same without asking whether there are any.
    pub(super) fn look_up(self, f: &mut Function, bin: Reg, cold: Reg, counts: bool) {
        let at = Cache { at: self.at }.slot(f, bin);
        let tag = value!(f, "tag", "ld.shared.u32", Operand::At(at, 0));
        let other = value!(f, "other", "setp.ne.u32", tag, bin);
        if counts {
            // The constant 1 and no result: equal addresses of a warp are merged by the hardware. A tag is of the window.
            let operands = [Operand::At(at, COUNTS), 1.into()];
            let hit = value!(f, "hit", "not.pred", other);
            emit!(f, "and.pred", hit, hit, cold);
            f.op_if(hit, true, "red.shared.add.u32", &operands);
        }
        emit!(f, "and.pred", cold, cold, other);
    }

    /// Calls `each` with the bins of the cache that have been counted, and their numbers.
    pub(super) fn flush(
        self,
        f: &mut Function,
        gang: &Gang,
        each: impl FnOnce(&mut Function, Reg, Reg),
    ) {
        let nothing = f.label("nothing_cached");
        f.branch_if(self.any, false, nothing);
        let slot = value!(f, "slot", "mov.u32", gang.thread);
        let slots = value!(f, "slots", "mov.u32", SLOTS);
        for_each(f, "flush_cache", slot, gang.threads, slots, |f| {
            let at = value!(f, "at", "mad.lo.u32", slot, 4, self.at);
            let count = value!(f, "count", "ld.shared.u32", Operand::At(at, COUNTS));
            let skip = f.label("untouched");
            let touched = value!(f, "touched", "setp.ne.u32", count, 0);
            f.branch_if(touched, false, skip);
            let bin = value!(f, "bin", "ld.shared.u32", Operand::At(at, 0));
            each(f, bin, count);
            f.place(skip);
        });
        f.place(nothing);
    }
}

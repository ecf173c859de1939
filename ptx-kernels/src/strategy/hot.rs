//! Hot bins: the few that take so many of the updates that a gang had better count them elsewhere.
//!
//! Equal bins of a warp's lanes wait for each other in shared memory, and a bin that takes a thirtieth of all updates
//! overflows a counter of 16 bits. Which bins these are depends on the data, so every gang of a kernel that cares takes
//! a *sample* before its loop: each of its threads runs the loop's body for one iteration, drawn from all over the range,
//! and notes the bin of one update instead of making it. The notes are counted in a hash table in the dynamic shared
//! memory, where the copies will be, and the numbers of the up to [`MOST_HOT`] bins with the most notes stay in registers. That takes as long
//! as one item for each thread and a few barriers, and is left out where a thread has few items.
//!
//! Neighbours are drawn in pairs, which tells whether equal bins come in runs. All gangs draw the same iterations, which the
//! first one brings into the cache. They are spread by the golden ratio, so that no period of the data, the rows of a picture
//! say, is sampled at one phase only.

use super::{Bin, DYNAMIC_SHARED, Gang, Target, for_each};
use crate::writer::{Class, Function, Operand, Reg};
use crate::{emit, value};

/// Hot bins of a target, at most: each costs every update a comparison.
pub const MOST_HOT: usize = 4;

/// Items of a thread from which on a sample of one more is worth its time.
const FEWEST_ITEMS: i64 = 64;

/// Of how many notes one makes a bin hot: of 1024, 25.
const SHARE: (i64, u32) = (3, 7);

/// No bin.
pub(super) const NONE: i64 = 0xffff_ffff;

/// 2^32 / φ, whose products are spread evenly (Knuth, The Art of Computer Programming, volume 3, section 6.4).
pub(super) const HASH: i64 = 0x9e37_79b9u32 as i32 as i64;

/// Slots of the hash table, twice the threads of the largest gang: a bin and a count each.
const SLOTS: u32 = 2048;

/// Where the bins stand that have enough notes, behind the table: at most half as many as the smallest gang has threads,
/// and never more than 64.
const CANDIDATES: u32 = SLOTS * 8;

/// How many there are, behind them.
const COUNT: u32 = CANDIDATES + 64 * 8;

/// And the hot bins.
const CHOSEN: u32 = COUNT + 16;

/// Bytes of dynamic shared memory that a sample needs.
pub const SAMPLE_BYTES: u32 = CHOSEN + 16;

/// The hot bins of a target.
#[derive(Clone, Copy, Debug)]
pub struct Hot {
    /// Their numbers, the hottest first; no bin's number where there are fewer.
    pub bins: [Reg; MOST_HOT],
    /// Whether there are any, the same in all threads.
    pub any: Reg,
}

/// The bin that a thread has noted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    pub(crate) bin: Reg,
    /// Updates until the one to be noted.
    left: Reg,
}

impl Note {
    /// Begins with none. Of several updates of an iteration, every pair of threads notes another.
    pub(crate) fn begin(f: &mut Function, gang: &Gang, target: &Target) -> Note {
        let pair = value!(f, "pair", "shr.u32", gang.thread, 1);
        Note::of(f, target, pair)
    }

    /// Begins with none. Of several updates of an iteration, another one is noted for every number.
    pub(crate) fn of(f: &mut Function, target: &Target, number: Reg) -> Note {
        let bin = value!(f, "noted", "mov.b32", NONE);
        let left = match target.updates {
            0 | 1 => value!(f, "left", "mov.u32", 0),
            updates => value!(f, "left", "rem.u32", number, updates),
        };
        Note { bin, left }
    }

    /// Writes an update.
    pub(crate) fn update(self, f: &mut Function, bin: Bin) {
        let bin = match bin {
            Bin::Narrow(bin) => bin,
            // A bin in shared memory is numbered in 32 bits.
            Bin::Wide(bin) => value!(f, "bin", "cvt.u32.u64", bin).into(),
        };
        let this = value!(f, "this", "setp.eq.u32", self.left, 0);
        f.op_if(this, true, "mov.b32", &[self.bin.into(), bin]);
        emit!(f, "sub.u32", self.left, self.left, 1);
    }
}

/// Whether a sample is worth it: a predicate, the same in all threads. `size` iterations are the launch's.
pub(crate) fn is_worth_it(f: &mut Function, gang: &Gang, size: Reg) -> Reg {
    let all = value!(f, "all_threads", "mul.wide.u32", gang.gangs, gang.threads);
    let least = value!(f, "least", "mul.lo.u64", all, FEWEST_ITEMS);
    value!(f, "many", "setp.ge.u64", size, least)
}

/// The iteration that a thread draws: two threads draw neighbours.
pub(crate) fn draw(f: &mut Function, gang: &Gang, begin: Reg, size: Reg) -> Reg {
    let pair = value!(f, "pair", "shr.u32", gang.thread, 1);
    let which = value!(f, "which", "and.b32", gang.thread, 1);
    drawn(f, pair, which, begin, size)
}

/// An iteration: `offset` behind the fractional part of a number times the golden ratio, of all.
pub(crate) fn drawn(f: &mut Function, number: Reg, offset: Reg, begin: Reg, size: Reg) -> Reg {
    let fraction = value!(f, "fraction", "mul.lo.u32", number, HASH);
    let fraction = value!(f, "fraction", "cvt.u64.u32", fraction);
    let fraction = value!(f, "fraction", "shl.b64", fraction, 32);
    let drawn = value!(f, "drawn", "mul.hi.u64", size, fraction);
    let offset = value!(f, "offset", "cvt.u64.u32", offset);
    let drawn = value!(f, "drawn", "add.u64", drawn, offset);
    let last = value!(f, "last", "sub.u64", size, 1);
    let drawn = value!(f, "drawn", "min.u64", drawn, last);
    value!(f, "drawn", "add.u64", begin, drawn)
}

/// Registers for hot bins that are none yet.
pub(crate) fn none(f: &mut Function) -> [Reg; MOST_HOT] {
    [(); MOST_HOT].map(|()| value!(f, "hot", "mov.b32", NONE))
}

/// Writes the bins with the most notes to `hot`. The whole gang gets here, and no copies are in shared memory yet.
pub(crate) fn choose(f: &mut Function, gang: &Gang, note: Note, hot: &[Reg; MOST_HOT]) {
    let table = count_notes(f, gang, note);
    rank(f, gang, table, hot);
}

/// Counts the notes of the gang; returns the address of the hash table.
pub(super) fn count_notes(f: &mut Function, gang: &Gang, note: Note) -> Reg {
    let table = f.address_of(Class::B32, DYNAMIC_SHARED);
    f.comment("The notes, counted in a hash table.");
    let empty: Vec<Operand> = [NONE, 0, NONE, 0]
        .into_iter()
        .map(|word| value!(f, "empty", "mov.b32", word).into())
        .collect();
    emit!(f, "bar.sync", 0);
    let offset = value!(f, "offset", "shl.b32", gang.thread, 4);
    let step = value!(f, "step", "shl.b32", gang.threads, 4);
    let bytes = value!(f, "bytes", "mov.u32", CANDIDATES);
    for_each(f, "empty", offset, step, bytes, |f| {
        let at = value!(f, "at", "add.u32", table, offset);
        f.store_vector("st.shared.v4.b32", Operand::At(at, 0), &empty);
    });
    let first = value!(f, "first", "setp.eq.u32", gang.thread, 0);
    f.op_if(
        first,
        true,
        "st.shared.u32",
        &[Operand::At(table, COUNT.into()), 0.into()],
    );
    let few = value!(f, "few", "setp.lt.u32", gang.thread, MOST_HOT as u32);
    let at = value!(f, "chosen", "mad.lo.u32", gang.thread, 4, table);
    f.op_if(
        few,
        true,
        "st.shared.u32",
        &[Operand::At(at, CHOSEN.into()), empty[0]],
    );
    emit!(f, "bar.sync", 0);

    // One lane enters the note of all that have the same.
    let same = value!(f, "same", "match.any.sync.b32", note.bin, -1);
    let notes = value!(f, "notes", "popc.b32", same);
    let bit = value!(f, "bit", "shl.b32", 1, gang.lane);
    let below = value!(f, "below", "sub.u32", bit, 1);
    let below = value!(f, "below", "and.b32", same, below);
    let (entered, probe) = (f.label("entered"), f.label("probe"));
    let another = value!(f, "another", "setp.ne.u32", below, 0);
    f.branch_if(another, true, entered);
    let nothing = value!(f, "nothing", "setp.eq.u32", note.bin, empty[0]);
    f.branch_if(nothing, true, entered);
    let hash = value!(f, "hash", "mul.lo.u32", note.bin, HASH);
    let slot = value!(f, "slot", "shr.u32", hash, 32 - SLOTS.ilog2());
    f.place(probe);
    let at = value!(f, "at", "mad.lo.u32", slot, 8, table);
    let old = value!(
        f,
        "old",
        "atom.shared.cas.b32",
        Operand::At(at, 0),
        empty[0],
        note.bin
    );
    let mine = value!(f, "mine", "setp.eq.u32", old, empty[0]);
    let known = value!(f, "known", "setp.eq.u32", old, note.bin);
    let mine = value!(f, "mine", "or.pred", mine, known);
    f.op_if(
        mine,
        true,
        "red.shared.add.u32",
        &[Operand::At(at, 4), notes.into()],
    );
    emit!(f, "add.u32", slot, slot, 1);
    emit!(f, "and.b32", slot, slot, SLOTS - 1);
    f.branch_if(mine, false, probe);
    f.place(entered);
    emit!(f, "bar.sync", 0);
    table
}

/// Calls `each` for the bins that have more than `least` notes: with the bin, its notes and its slot in the table.
pub(super) fn with_notes(
    f: &mut Function,
    gang: &Gang,
    table: Reg,
    least: Reg,
    each: impl FnOnce(&mut Function, Reg, Reg, Reg),
) {
    let slot = value!(f, "slot", "mov.u32", gang.thread);
    let slots = value!(f, "slots", "mov.u32", SLOTS);
    for_each(f, "noted", slot, gang.threads, slots, |f| {
        let at = value!(f, "at", "mad.lo.u32", slot, 8, table);
        let (bin, notes) = (f.reg(Class::B32, "bin"), f.reg(Class::B32, "notes"));
        f.load_vector("ld.shared.v2.u32", &[bin, notes], Operand::At(at, 0));
        let few = value!(f, "few", "setp.le.u32", notes, least);
        let skip = f.label("few");
        f.branch_if(few, true, skip);
        each(f, bin, notes, slot);
        f.place(skip);
    });
}

/// Writes the bins with the most notes to registers.
fn rank(f: &mut Function, gang: &Gang, table: Reg, hot: &[Reg; MOST_HOT]) {
    f.comment("Those with many notes.");
    let least = value!(f, "least", "mul.lo.u32", gang.threads, SHARE.0);
    let least = value!(f, "least", "shr.u32", least, SHARE.1);
    let least = value!(f, "least", "max.u32", least, 1);
    with_notes(f, gang, table, least, |f, bin, notes, slot| {
        let place = Operand::At(table, COUNT.into());
        let number = value!(f, "number", "atom.shared.add.u32", place, 1);
        // Notes decide, and slots where these are equal.
        let weight = value!(f, "weight", "mad.lo.u32", notes, SLOTS, slot);
        let at = value!(f, "at", "mad.lo.u32", number, 8, table);
        let candidate = [bin.into(), weight.into()];
        f.store_vector(
            "st.shared.v2.u32",
            Operand::At(at, CANDIDATES.into()),
            &candidate,
        );
    });
    emit!(f, "bar.sync", 0);

    f.comment("The hottest of them, each by its rank.");
    let count = value!(
        f,
        "count",
        "ld.shared.u32",
        Operand::At(table, COUNT.into())
    );
    let ranked = f.label("ranked");
    let none = value!(f, "none", "setp.ge.u32", gang.thread, count);
    f.branch_if(none, true, ranked);
    let at = value!(f, "at", "mad.lo.u32", gang.thread, 8, table);
    let (bin, weight) = (f.reg(Class::B32, "bin"), f.reg(Class::B32, "weight"));
    f.load_vector(
        "ld.shared.v2.u32",
        &[bin, weight],
        Operand::At(at, CANDIDATES.into()),
    );
    let rank = value!(f, "rank", "mov.u32", 0);
    let other = value!(f, "other", "mov.u32", 0);
    let one = value!(f, "one", "mov.u32", 1);
    for_each(f, "rank", other, one, count, |f| {
        let at = value!(f, "at", "mad.lo.u32", other, 8, table);
        let its = value!(
            f,
            "its",
            "ld.shared.u32",
            Operand::At(at, i64::from(CANDIDATES) + 4)
        );
        let above = value!(f, "above", "setp.gt.u32", its, weight);
        f.op_if(
            above,
            true,
            "add.u32",
            &[rank.into(), rank.into(), 1.into()],
        );
    });
    let hottest = value!(f, "hottest", "setp.lt.u32", rank, MOST_HOT as u32);
    let at = value!(f, "at", "mad.lo.u32", rank, 4, table);
    f.op_if(
        hottest,
        true,
        "st.shared.u32",
        &[Operand::At(at, CHOSEN.into()), bin.into()],
    );
    f.place(ranked);
    emit!(f, "bar.sync", 0);
    f.load_vector("ld.shared.v4.u32", hot, Operand::At(table, CHOSEN.into()));
    // The copies come into the same memory.
    emit!(f, "bar.sync", 0);
}

impl Hot {
    /// Makes the predicate for hot bins.
    pub(crate) fn new(f: &mut Function, bins: [Reg; MOST_HOT]) -> Hot {
        let all = value!(f, "none", "and.b32", bins[0], bins[1]);
        let more = value!(f, "none", "and.b32", bins[2], bins[3]);
        let all = value!(f, "none", "and.b32", all, more);
        let none = value!(f, "none", "mov.b32", NONE);
        Hot {
            bins,
            any: value!(f, "any_hot", "setp.ne.u32", all, none),
        }
    }

    /// Calls `update` for each hot bin with a predicate, whether `bin` is it, and takes these out of the predicate `cold`.
    /// Where a gang has no hot bins, all of this is jumped over.
    pub(super) fn each(
        &self,
        f: &mut Function,
        bin: Reg,
        cold: Reg,
        mut update: impl FnMut(&mut Function, usize, Reg),
    ) {
        let no_hot = f.label("no_hot");
        f.branch_if(self.any, false, no_hot);
        for (number, hot) in self.bins.into_iter().enumerate() {
            let this = value!(f, "this", "setp.eq.u32", bin, hot);
            update(f, number, this);
            let other = value!(f, "other", "not.pred", this);
            emit!(f, "and.pred", cold, cold, other);
        }
        f.place(no_hot);
    }
}

/// Adds a number of several words, lowest first, to another one.
pub(super) fn add_words(f: &mut Function, sum: &[Reg], more: &[Reg]) {
    for word in 0..sum.len() {
        let opcode = match (word, word + 1 == sum.len()) {
            (0, true) => "add.u32",
            (0, false) => "add.cc.u32",
            (_, true) => "addc.u32",
            (_, false) => "addc.cc.u32",
        };
        let operands = [sum[word].into(), sum[word].into(), more[word].into()];
        f.op(opcode, &operands);
    }
}

/// Adds up a number of several words, lowest first, over the lanes of a warp: all of them have the sum then.
pub(super) fn add_lanes(f: &mut Function, words: &[Reg]) {
    for distance in [16, 8, 4, 2, 1] {
        let others: Vec<Reg> = words
            .iter()
            .map(|word| value!(f, "other", "shfl.sync.bfly.b32", *word, distance, 31, -1))
            .collect();
        add_words(f, words, &others);
    }
}

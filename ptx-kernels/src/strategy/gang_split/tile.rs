//! A tile: its updates are ranked, scattered into shared memory range after range, and written to the queues.

use super::{GangSplitCopies, NEXT, SKEWED, TOTAL, for_each, part, state};
use crate::emit;
use crate::queues::{Area, BLOCK, CHUNK, Part, STATE, STRIPES, VECTOR};
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Vectors of a chunk.
const CHUNK_VECTORS: u32 = CHUNK / VECTOR;

/// A range that takes one in so many records of a tile makes lanes meet in banks.
const SKEW: u32 = 8;

/// Where the upper half of a word begins: the number of ranges beside that of their vectors.
const UPPER: u32 = 16;

/// Adds up what the lanes before have, all lanes of a warp together: the sum with the lane's own. A lane counts those
/// before it in its group of `lanes` only, in which it has number `position`.
pub(super) fn scan(f: &mut Function, own: Reg, position: Reg, lanes: u32) -> Reg {
    let sum = value!(f, "sum", "mov.b32", own);
    for distance in [1, 2, 4, 8, 16].into_iter().filter(|d| *d < lanes) {
        let other = value!(f, "other", "shfl.sync.up.b32", sum, distance, 0, -1);
        let has = value!(f, "has", "setp.ge.u32", position, distance);
        f.op_if(
            has,
            true,
            "add.u32",
            &[sum.into(), sum.into(), other.into()],
        );
    }
    sum
}

pub(super) fn load(f: &mut Function, name: &str, base: Reg, at: i64) -> Reg {
    value!(f, name, "ld.shared.u32", Operand::At(base, at))
}

pub(super) fn store(f: &mut Function, base: Reg, at: i64, word: impl Into<Operand>) {
    f.op("st.shared.u32", &[Operand::At(base, at), word.into()]);
}

impl GangSplitCopies {
    /// Splits the tile in the slots. All threads of the gang come here together, some of which may still be writing the
    /// tile before: nothing that they read then is written here before the second barrier. The counters of this tile are
    /// zero. `ahead` is written where the slots have been read.
    pub(super) fn split(&self, f: &mut Function, ahead: &mut dyn FnMut(&mut Function)) {
        self.rank(f);
        emit!(f, "bar.sync", 0);
        self.clear(f);
        self.scan_counters(f);
        emit!(f, "bar.sync", 0);
        self.reserve(f);
        emit!(f, "bar.sync", 0);
        self.scatter(f);
        ahead(f);
        emit!(f, "bar.sync", 0);
        self.write(f);
        self.keep_rest(f);
        self.reset(f);
    }

    /// The range of a slot, and the address of the thread's counter of it.
    pub(super) fn counter(&self, f: &mut Function, own: Reg, bin: Reg) -> (Reg, Reg) {
        let range = value!(f, "range", "shr.u32", bin, self.range_bits);
        let at = value!(f, "counter", "mad.lo.u32", range, 4 * STRIPES, own);
        (range, at)
    }

    /// The first of the thread's counters.
    pub(super) fn own_counters(&self, f: &mut Function) -> Reg {
        value!(
            f,
            "own_counters",
            "mad.lo.u32",
            self.stripe,
            4,
            self.current
        )
    }

    fn rank(&self, f: &mut Function) {
        f.comment("Rank: how many records each range has.");
        let own = self.own_counters(f);
        for slot in self.slots() {
            let (_, at) = self.counter(f, own, slot.bin);
            emit!(f, "red.shared.add.u32", Operand::At(at, 0), 1);
        }
    }

    /// Counters of a range become the sums of those before them; the range's state gets the sum of all.
    fn scan_counters(&self, f: &mut Function) {
        f.comment("Scan: counters become places within their ranges.");
        let is_last = value!(f, "is_last", "setp.eq.u32", self.stripe, STRIPES - 1);
        // Warps take 32 counters at a time; all lanes of a warp stay together for the scan.
        let at = value!(f, "at", "sub.u32", self.gang.thread, self.gang.lane);
        let (states, counters) = (self.area(Area::States), self.current);
        for_each(f, "scan", at, self.gang.threads, self.counters, |f| {
            let mine = value!(f, "counter", "add.u32", at, self.gang.lane);
            let inside = value!(f, "inside", "setp.lt.u32", mine, self.counters);
            let place = value!(f, "place", "mad.lo.u32", mine, 4, counters);
            let count = value!(f, "count", "mov.u32", 0);
            f.op_if(
                inside,
                true,
                "ld.shared.u32",
                &[count.into(), Operand::At(place, 0)],
            );
            let sum = scan(f, count, self.stripe, STRIPES);
            let before = value!(f, "before", "sub.u32", sum, count);
            f.op_if(
                inside,
                true,
                "st.shared.u32",
                &[Operand::At(place, 0), before.into()],
            );
            let range = value!(f, "range", "shr.u32", mine, STRIPES.trailing_zeros());
            let of_range = value!(f, "of_range", "mad.lo.u32", range, STATE, states);
            let tells = value!(f, "tells", "and.pred", inside, is_last);
            f.op_if(
                tells,
                true,
                "st.shared.u32",
                &[Operand::At(of_range, state::RECORDS), sum.into()],
            );
        });
    }

    /// The records of a range that waited, those with them, and the vectors that they take, with 1 in the upper half where
    /// there are some.
    fn demand(&self, f: &mut Function, of_range: Reg) -> (Reg, Reg, Reg) {
        let records = load(f, "records", of_range, state::RECORDS);
        let waited = load(f, "waited", of_range, state::REST);
        let all = value!(f, "all", "add.u32", records, waited);
        let vectors = value!(f, "vectors", "add.u32", all, VECTOR - 1);
        let vectors = value!(f, "vectors", "shr.u32", vectors, VECTOR.trailing_zeros());
        let some = value!(f, "some", "min.u32", vectors, 1);
        let both = value!(f, "vectors", "mad.lo.u32", some, 1 << UPPER, vectors);
        (waited, all, both)
    }

    /// A thread for each range: its vectors in the tile, and their places in the queues.
    fn reserve(&self, f: &mut Function) {
        f.comment("Reserve: where each range is in the tile and in the queues.");
        let reserved = f.label("reserved");
        let first = value!(f, "first", "sub.u32", self.gang.thread, self.gang.lane);
        let none = value!(f, "none", "setp.ge.u32", first, self.ranges);
        f.branch_if(none, true, reserved);

        // Vectors of the ranges of warps before this one: every lane adds up some, and then all lanes.
        let states = self.area(Area::States);
        let earlier = value!(f, "earlier", "mov.u32", 0);
        let other = value!(f, "other", "mov.u32", self.gang.lane);
        let step = value!(f, "step", "mov.u32", 32);
        for_each(f, "earlier", other, step, first, |f| {
            let of_range = value!(f, "of_range", "mad.lo.u32", other, STATE, states);
            let (.., vectors) = self.demand(f, of_range);
            emit!(f, "add.u32", earlier, earlier, vectors);
        });
        for distance in [16, 8, 4, 2, 1] {
            let more = value!(f, "more", "shfl.sync.bfly.b32", earlier, distance, 31, -1);
            emit!(f, "add.u32", earlier, earlier, more);
        }
        // The state behind the last range's is nobody's, and empty but for its records.
        let row = value!(f, "row", "min.u32", self.gang.thread, self.ranges);
        let of_range = value!(f, "of_range", "mad.lo.u32", row, STATE, states);
        let (waited, all, vectors) = self.demand(f, of_range);
        let mine = value!(f, "mine", "selp.b32", vectors, 0, self.has_range);
        let sum = scan(f, mine, self.gang.lane, 32);
        let end = value!(f, "end", "add.u32", earlier, sum);
        let at = value!(f, "at", "sub.u32", end, mine);
        f.branch_if(self.has_range, false, reserved);
        let number = value!(f, "number", "shr.u32", at, UPPER);
        let at = value!(f, "at", "and.b32", at, (1 << UPPER) - 1);
        let end = value!(f, "end", "and.b32", end, (1 << UPPER) - 1);

        let full = value!(f, "full", "shr.u32", all, VECTOR.trailing_zeros());
        let rest = value!(f, "rest", "and.b32", all, VECTOR - 1);
        let next = load(f, "next", self.state, state::NEXT);
        let room = load(f, "room", self.state, state::ROOM);
        let cut = value!(f, "cut", "add.u32", at, room);
        let old = value!(f, "old", "sub.u32", next, at);
        let last = value!(f, "last", "add.u32", at, full);
        let new = value!(f, "new", "mov.u32", 0);
        store(f, self.state, state::LAST, last);
        store(f, self.state, state::LEFT, rest);
        let (grow, grown) = (f.label("grow"), f.label("grown"));
        let grows = value!(f, "grows", "setp.gt.u32", full, room);
        f.branch_if(grows, true, grow);
        emit!(f, "add.u32", next, next, full);
        emit!(f, "sub.u32", room, room, full);
        f.place(grown);
        store(f, self.state, state::NEXT, next);
        store(f, self.state, state::ROOM, room);
        self.tell(f, number, [at, end], [cut, last, old, new]);

        let start = value!(f, "start", "mad.lo.u32", at, VECTOR, waited);
        let counters = 4 * STRIPES;
        let counters = value!(
            f,
            "counters",
            "mad.lo.u32",
            self.gang.thread,
            counters,
            self.current
        );
        self.raise(f, counters, start);
        // What waited comes first.
        let restored = f.label("restored");
        let nothing = value!(f, "nothing", "setp.eq.u32", waited, 0);
        f.branch_if(nothing, true, restored);
        let vector = self.swizzled(f, at, 3, 5, 0);
        let [residues, values] = self.rest(f);
        let to = self.vector(f, Area::Residues, vector, 2);
        self.copy_shared(f, residues, to, 1);
        let to = self.vector(f, Area::Values, vector, self.shape.value);
        self.copy_shared(f, values, to, self.shape.value / 2);
        f.place(restored);

        let records = value!(f, "records", "sub.u32", all, waited);
        let much = value!(
            f,
            "much",
            "setp.gt.u32",
            records,
            BLOCK * self.target.slots / SKEW
        );
        f.op_if(
            much,
            true,
            "red.shared.or.b32",
            &[Operand::At(self.control, SKEWED), 1.into()],
        );
        let behind = value!(f, "behind", "add.u32", self.gang.thread, 1);
        let not_last = value!(f, "not_last", "setp.ne.u32", behind, self.ranges);
        f.branch_if(not_last, true, reserved);
        store(f, self.control, TOTAL, end);
        let limit = value!(f, "limit", "shl.b32", end, VECTOR.trailing_zeros());
        emit!(f, "add.u32", counters, counters, 4 * STRIPES);
        self.raise(f, counters, limit);
        f.place(reserved);

        f.open_out_of_line();
        f.place(grow);
        let more = value!(f, "more", "sub.u32", full, room);
        let chunks = value!(f, "chunks", "add.u32", more, CHUNK_VECTORS - 1);
        let chunks = value!(
            f,
            "chunks",
            "shr.u32",
            chunks,
            CHUNK_VECTORS.trailing_zeros()
        );
        let taken = value!(
            f,
            "taken",
            "atom.shared.add.u32",
            Operand::At(self.control, NEXT),
            chunks
        );
        let taken_before = load(f, "taken_before", self.state, state::CHUNKS);
        let owner = self.own(f, taken_before);
        let owner_at = value!(f, "owner_at", "mad.wide.u32", taken, 4, self.owners);
        let owned = value!(f, "owned", "mov.u32", 0);
        let one = value!(f, "one", "mov.u32", 1);
        for_each(f, "own", owned, one, chunks, |f| {
            emit!(f, "st.global.u32", Operand::At(owner_at, 0), owner);
            emit!(f, "add.u64", owner_at, owner_at, 4);
            emit!(f, "add.u32", owner, owner, 1);
        });
        emit!(f, "add.u32", taken_before, taken_before, chunks);
        store(f, self.state, state::CHUNKS, taken_before);
        let base = value!(f, "base", "mul.lo.u32", taken, CHUNK_VECTORS);
        emit!(f, "sub.u32", new, base, cut);
        emit!(f, "add.u32", next, base, more);
        let size = value!(f, "size", "mul.lo.u32", chunks, CHUNK_VECTORS);
        emit!(f, "sub.u32", room, size, more);
        f.branch(grown, false);
        f.close_out_of_line();
    }

    /// Adds to the counters of a range.
    fn raise(&self, f: &mut Function, counters: Reg, by: Reg) {
        for n in 0..i64::from(STRIPES / 4) {
            let at = Operand::At(counters, 16 * n);
            let words = [(); 4].map(|()| f.reg(Class::B32, "place"));
            f.load_vector("ld.shared.v4.u32", &words, at);
            for word in words {
                emit!(f, "add.u32", word, word, by);
            }
            f.store_vector("st.shared.v4.u32", at, &words.map(Operand::from));
        }
    }

    /// The owner of the thread's range's chunk of a number.
    fn own(&self, f: &mut Function, number: Reg) -> Reg {
        let range = value!(f, "range", "shl.b32", self.gang.thread, 20);
        value!(f, "owner", "or.b32", range, number)
    }

    /// Where the rest of the thread's range waits: residues, values.
    pub(super) fn rest(&self, f: &mut Function) -> [Reg; 2] {
        let residues = value!(f, "rest", "add.u32", self.state, state::RESIDUES);
        let (bytes, rests) = (self.shape.value * VECTOR, self.area(Area::Rest));
        let values = match bytes {
            0 => residues,
            _ => value!(f, "rest", "mad.lo.u32", self.gang.thread, bytes, rests),
        };
        [residues, values]
    }

    /// The number of a vector or a record, with its lower bits mixed where the tile is swizzled.
    pub(super) fn swizzled(
        &self,
        f: &mut Function,
        number: Reg,
        low: u32,
        high: u32,
        by: u32,
    ) -> Reg {
        let low = value!(f, "low", "shr.u32", number, low);
        let high = value!(f, "high", "shr.u32", number, high);
        let mix = value!(f, "mix", "xor.b32", low, high);
        let mix = value!(f, "mix", "and.b32", mix, self.swizzle);
        let mix = match by {
            0 => mix,
            _ => value!(f, "mix", "shl.b32", mix, by),
        };
        value!(f, "swizzled", "xor.b32", number, mix)
    }

    /// The address of a vector of records of `bytes` each.
    pub(super) fn vector(&self, f: &mut Function, area: Area, vector: Reg, bytes: u32) -> Reg {
        let base = self.area(area);
        value!(f, "vector_at", "mad.lo.u32", vector, bytes * VECTOR, base)
    }

    /// Copies so many times 16 bytes within shared memory.
    pub(super) fn copy_shared(&self, f: &mut Function, from: Reg, to: Reg, times: u32) {
        for n in 0..i64::from(times) {
            let words = [(); 4].map(|()| f.reg(Class::B32, "moved"));
            f.load_vector("ld.shared.v4.u32", &words, Operand::At(from, 16 * n));
            f.store_vector(
                "st.shared.v4.u32",
                Operand::At(to, 16 * n),
                &words.map(Operand::from),
            );
        }
    }

    /// The same from shared to device memory.
    pub(super) fn copy_out(&self, f: &mut Function, from: Reg, to: Reg, times: u32) {
        for n in 0..i64::from(times) {
            let words = [(); 4].map(|()| f.reg(Class::B32, "moved"));
            f.load_vector("ld.shared.v4.u32", &words, Operand::At(from, 16 * n));
            f.store_vector(
                "st.global.v4.u32",
                Operand::At(to, 16 * n),
                &words.map(Operand::from),
            );
        }
    }

    /// Writes what still waits, and how many records and chunks each range has. All threads come here behind a barrier.
    pub(super) fn close(&self, f: &mut Function) {
        f.comment("What waits for a tile that does not come goes to the queues.");
        let closed = f.label("closed");
        f.branch_if(self.has_range, false, closed);
        let rest = load(f, "rest", self.state, state::REST);
        let room = load(f, "room", self.state, state::ROOM);
        let place = load(f, "place", self.state, state::NEXT);
        let chunks = load(f, "chunks", self.state, state::CHUNKS);
        let records = value!(f, "records", "mul.lo.u32", chunks, CHUNK);
        let unused = value!(f, "unused", "shl.b32", room, VECTOR.trailing_zeros());
        emit!(f, "sub.u32", records, records, unused);
        emit!(f, "add.u32", records, records, rest);
        let (written, fits) = (f.label("written"), f.label("fits"));
        let nothing = value!(f, "nothing", "setp.eq.u32", rest, 0);
        f.branch_if(nothing, true, written);
        let has_room = value!(f, "has_room", "setp.ne.u32", room, 0);
        f.branch_if(has_room, true, fits);
        let taken = value!(
            f,
            "taken",
            "atom.shared.add.u32",
            Operand::At(self.control, NEXT),
            1
        );
        let owner = self.own(f, chunks);
        let owner_at = value!(f, "owner_at", "mad.wide.u32", taken, 4, self.owners);
        emit!(f, "st.global.u32", Operand::At(owner_at, 0), owner);
        emit!(f, "add.u32", chunks, chunks, 1);
        emit!(f, "mul.lo.u32", place, taken, CHUNK_VECTORS);
        f.place(fits);
        let [from, from_values] = self.rest(f);
        let to = value!(f, "to", "mad.wide.u32", place, 2 * VECTOR, self.residues);
        self.copy_out(f, from, to, 1);
        if let Some(values) = self.values {
            let bytes = self.shape.value * VECTOR;
            let to = value!(f, "to", "mad.wide.u32", place, bytes, values);
            self.copy_out(f, from_values, to, bytes / 16);
        }
        f.place(written);
        let mine = value!(
            f,
            "mine",
            "mad.lo.u32",
            self.gang.gang,
            self.ranges,
            self.gang.thread
        );
        let put = |f: &mut Function, which: Part, word: Reg| {
            let base = part(f, which);
            let at = value!(f, "at", "mad.wide.u32", mine, 4, base);
            emit!(f, "st.global.u32", Operand::At(at, 0), word);
        };
        put(f, Part::Records, records);
        let tally = part(f, Part::Tally);
        let tally_at = value!(f, "tally_at", "mad.wide.u32", self.gang.thread, 4, tally);
        let first = value!(
            f,
            "first",
            "atom.global.add.u32",
            Operand::At(tally_at, 0),
            chunks
        );
        put(f, Part::Firsts, first);
        f.place(closed);
        emit!(f, "bar.sync", 0);
        let is_first = value!(f, "is_first", "setp.eq.u32", self.gang.thread, 0);
        let used = load(f, "used", self.control, NEXT);
        let base = part(f, Part::Used);
        let at = value!(f, "at", "mad.wide.u32", self.gang.gang, 4, base);
        f.op_if(
            is_first,
            true,
            "st.global.u32",
            &[Operand::At(at, 0), used.into()],
        );
    }
}

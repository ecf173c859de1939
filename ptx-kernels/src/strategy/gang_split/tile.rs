//! A tile: its updates are ranked, scattered into shared memory range after range, and written to the queues.

use super::{GangSplit, NEXT, NOWHERE, SKEWED, TOTAL, for_each, part, state};
use crate::emit;
use crate::queues::{Area, BLOCK, CHUNK, Part, STATE, STRIPES, VECTOR};
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Vectors of a chunk.
const CHUNK_VECTORS: u32 = CHUNK / VECTOR;

/// Threads that give the vectors of one range their places.
const PLACERS: u32 = 8;

/// A range that takes one in so many records of a tile makes lanes meet in banks.
const SKEW: u32 = 8;

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

fn store(f: &mut Function, base: Reg, at: i64, word: impl Into<Operand>) {
    f.op("st.shared.u32", &[Operand::At(base, at), word.into()]);
}

impl GangSplit {
    /// Splits the tile in the slots. All threads of the gang come here together; its counters are zero before and
    /// behind it.
    pub(super) fn split(&self, f: &mut Function) {
        self.rank(f);
        emit!(f, "bar.sync", 0);
        self.scan_counters(f);
        emit!(f, "bar.sync", 0);
        self.reserve(f);
        emit!(f, "bar.sync", 0);
        self.scatter(f);
        self.place_vectors(f);
        emit!(f, "bar.sync", 0);
        self.write(f);
        self.keep_rest(f);
        self.reset(f);
        emit!(f, "bar.sync", 0);
        let first = value!(f, "first", "setp.eq.u32", self.gang.thread, 0);
        let zero = [Operand::At(self.control, SKEWED), 0.into()];
        f.op_if(first, true, "st.shared.u32", &zero);
    }

    /// The range of a slot, and the address of the thread's counter of it.
    pub(super) fn counter(&self, f: &mut Function, own: Reg, bin: Reg) -> (Reg, Reg) {
        let range = value!(f, "range", "shr.u32", bin, self.range_bits);
        let at = value!(f, "counter", "mad.lo.u32", range, 4 * STRIPES, own);
        (range, at)
    }

    /// The first of the thread's counters.
    pub(super) fn own_counters(&self, f: &mut Function) -> Reg {
        let counters = self.area(Area::Counters);
        value!(f, "own_counters", "mad.lo.u32", self.stripe, 4, counters)
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
        let (states, counters) = (self.area(Area::States), self.area(Area::Counters));
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

    /// The records of a range in the tile with those that waited, and the vectors that they take.
    fn demand(&self, f: &mut Function, of_range: Reg) -> (Reg, Reg, Reg) {
        let records = load(f, "records", of_range, state::RECORDS);
        let waited = load(f, "waited", of_range, state::REST);
        let all = value!(f, "all", "add.u32", records, waited);
        let vectors = value!(f, "vectors", "add.u32", all, VECTOR - 1);
        let vectors = value!(f, "vectors", "shr.u32", vectors, VECTOR.trailing_zeros());
        (waited, all, vectors)
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
        let at = value!(f, "at", "add.u32", earlier, sum);
        let end = value!(f, "end", "mov.u32", at);
        emit!(f, "sub.u32", at, at, mine);
        f.branch_if(self.has_range, false, reserved);

        let full = value!(f, "full", "shr.u32", all, VECTOR.trailing_zeros());
        let rest = value!(f, "rest", "and.b32", all, VECTOR - 1);
        let next = load(f, "next", self.state, state::NEXT);
        let room = load(f, "room", self.state, state::ROOM);
        let cut = value!(f, "cut", "add.u32", at, room);
        let old = value!(f, "old", "sub.u32", next, at);
        let last = value!(f, "last", "add.u32", at, full);
        store(f, self.state, state::FIRST, at);
        store(f, self.state, state::CUT, cut);
        store(f, self.state, state::OLD, old);
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

        let start = value!(f, "start", "mad.lo.u32", at, VECTOR, waited);
        let starts = self.area(Area::Starts);
        let start_at = value!(f, "start_at", "mad.lo.u32", self.gang.thread, 4, starts);
        store(f, start_at, 0, start);
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
        store(f, start_at, 4, limit);
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
        let number = load(f, "number", self.state, state::CHUNKS);
        let owner = self.own(f, number);
        let owner_at = value!(f, "owner_at", "mad.wide.u32", taken, 4, self.owners);
        let owned = value!(f, "owned", "mov.u32", 0);
        let one = value!(f, "one", "mov.u32", 1);
        for_each(f, "own", owned, one, chunks, |f| {
            emit!(f, "st.global.u32", Operand::At(owner_at, 0), owner);
            emit!(f, "add.u64", owner_at, owner_at, 4);
            emit!(f, "add.u32", owner, owner, 1);
        });
        emit!(f, "add.u32", number, number, chunks);
        store(f, self.state, state::CHUNKS, number);
        let base = value!(f, "base", "mul.lo.u32", taken, CHUNK_VECTORS);
        let new = value!(f, "new", "sub.u32", base, cut);
        store(f, self.state, state::NEW, new);
        emit!(f, "add.u32", next, base, more);
        let size = value!(f, "size", "mul.lo.u32", chunks, CHUNK_VECTORS);
        emit!(f, "sub.u32", room, size, more);
        f.branch(grown, false);
        f.close_out_of_line();
    }

    /// The owner of the thread's range's chunk of a number.
    fn own(&self, f: &mut Function, number: Reg) -> Reg {
        let range = value!(f, "range", "shl.b32", self.gang.thread, 20);
        value!(f, "owner", "or.b32", range, number)
    }

    /// Where the rest of the thread's range waits: residues, values.
    fn rest(&self, f: &mut Function) -> [Reg; 2] {
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
    fn vector(&self, f: &mut Function, area: Area, vector: Reg, bytes: u32) -> Reg {
        let base = self.area(area);
        value!(f, "vector_at", "mad.lo.u32", vector, bytes * VECTOR, base)
    }

    /// Copies so many times 16 bytes within shared memory.
    fn copy_shared(&self, f: &mut Function, from: Reg, to: Reg, times: u32) {
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
    fn copy_out(&self, f: &mut Function, from: Reg, to: Reg, times: u32) {
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

    /// Where the vectors of the tile go: some threads for each range.
    fn place_vectors(&self, f: &mut Function) {
        let range = value!(
            f,
            "range",
            "shr.u32",
            self.gang.thread,
            PLACERS.trailing_zeros()
        );
        let mine = value!(f, "mine", "and.b32", self.gang.thread, PLACERS - 1);
        let step = value!(f, "step", "mov.u32", BLOCK / PLACERS);
        let placers = value!(f, "placers", "mov.u32", PLACERS);
        let (states, places) = (self.area(Area::States), self.area(Area::Places));
        let is_first = value!(f, "is_first", "setp.eq.u32", mine, 0);
        for_each(f, "ranges", range, step, self.ranges, |f| {
            let of_range = value!(f, "of_range", "mad.lo.u32", range, STATE, states);
            let vector = load(f, "first", of_range, state::FIRST);
            emit!(f, "add.u32", vector, vector, mine);
            let cut = load(f, "cut", of_range, state::CUT);
            let old = load(f, "old", of_range, state::OLD);
            let new = load(f, "new", of_range, state::NEW);
            let last = load(f, "last", of_range, state::LAST);
            let rest = load(f, "left", of_range, state::LEFT);
            for_each(f, "places", vector, placers, last, |f| {
                let is_old = value!(f, "is_old", "setp.lt.u32", vector, cut);
                let add = value!(f, "add", "selp.b32", old, new, is_old);
                let place = value!(f, "place", "add.u32", vector, add);
                let at = value!(f, "at", "mad.lo.u32", vector, 4, places);
                store(f, at, 0, place);
            });
            let some = value!(f, "some", "setp.ne.u32", rest, 0);
            let tells = value!(f, "tells", "and.pred", some, is_first);
            let at = value!(f, "at", "mad.lo.u32", last, 4, places);
            f.op_if(
                tells,
                true,
                "st.shared.u32",
                &[Operand::At(at, 0), NOWHERE.into()],
            );
        });
    }

    fn write(&self, f: &mut Function) {
        f.comment("Write: whole vectors go to the queues.");
        let total = load(f, "total", self.control, TOTAL);
        let vector = value!(f, "vector", "mov.u32", self.gang.thread);
        let places = self.area(Area::Places);
        for_each(f, "write", vector, self.gang.threads, total, |f| {
            let at = value!(f, "at", "mad.lo.u32", vector, 4, places);
            let place = load(f, "place", at, 0);
            let skip = f.label("not_full");
            let nowhere = value!(f, "nowhere", "setp.eq.u32", place, NOWHERE);
            f.branch_if(nowhere, true, skip);
            let from = self.swizzled(f, vector, 3, 5, 0);
            self.write_vector(f, from, place);
            f.place(skip);
        });
    }

    /// Copies a vector of the tile to a place in the queues.
    fn write_vector(&self, f: &mut Function, vector: Reg, place: Reg) {
        let from = self.vector(f, Area::Residues, vector, 2);
        let to = value!(f, "to", "mad.wide.u32", place, 2 * VECTOR, self.residues);
        self.copy_out(f, from, to, 1);
        if let Some(values) = self.values {
            let bytes = self.shape.value * VECTOR;
            let from = self.vector(f, Area::Values, vector, self.shape.value);
            let to = value!(f, "to", "mad.wide.u32", place, bytes, values);
            self.copy_out(f, from, to, bytes / 16);
        }
    }

    /// What does not fill a vector waits for the next tile.
    fn keep_rest(&self, f: &mut Function) {
        let kept = f.label("kept");
        f.branch_if(self.has_range, false, kept);
        let rest = load(f, "left", self.state, state::LEFT);
        store(f, self.state, state::REST, rest);
        let nothing = value!(f, "nothing", "setp.eq.u32", rest, 0);
        f.branch_if(nothing, true, kept);
        let last = load(f, "last", self.state, state::LAST);
        let vector = self.swizzled(f, last, 3, 5, 0);
        let [residues, values] = self.rest(f);
        let from = self.vector(f, Area::Residues, vector, 2);
        self.copy_shared(f, from, residues, 1);
        let from = self.vector(f, Area::Values, vector, self.shape.value);
        self.copy_shared(f, from, values, self.shape.value / 2);
        f.place(kept);
    }

    fn reset(&self, f: &mut Function) {
        let counter = value!(f, "counter", "mov.u32", self.gang.thread);
        let counters = self.area(Area::Counters);
        for_each(f, "reset", counter, self.gang.threads, self.counters, |f| {
            let at = value!(f, "at", "mad.lo.u32", counter, 4, counters);
            store(f, at, 0, 0);
        });
        let skewed = load(f, "skewed", self.control, SKEWED);
        emit!(f, "mul.lo.u32", self.swizzle, skewed, VECTOR - 1);
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

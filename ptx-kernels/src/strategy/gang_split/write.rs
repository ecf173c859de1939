//! The write-out of a tile: whole vectors go to the queues, and what is left of each range waits for the next tile.
//!
//! Vectors of the tile are in the order of their ranges, which have any number of them; a thread takes one vector of each
//! bundle of its warp and has to know its range. So where ranges find room, each says at which vector it begins, by a bit of
//! that vector's bundle, and of which bundles the first vector is its own; a thread counts the bits up to its own. How much
//! each range has makes no difference then. (Eight threads for each range, that gave its vectors their places, had a third of the time where neighbours are
//! equal and one range takes a tile: H200, 2026-11-22.)

use super::tile::{load, store};
use super::{GangSplitCopies, SKEWED, TOTAL, for_each, state};
use crate::emit;
use crate::queues::{Area, BUNDLE, MOVE, VECTOR};
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Vectors that a thread has under way at a time.
const TOGETHER: u32 = 4;

impl GangSplitCopies {
    /// Empties what ranges tell of the tile.
    pub(super) fn clear(&self, f: &mut Function) {
        let bundles = value!(f, "bundles", "mov.u32", self.shape.bundles());
        let bundle = value!(f, "bundle", "mov.u32", self.gang.thread);
        let base = self.area(Area::Bundles);
        for_each(f, "clear", bundle, self.gang.threads, bundles, |f| {
            let at = value!(f, "at", "mad.lo.u32", bundle, 8, base);
            store(f, at, 0, 0);
        });
        let first = value!(f, "first", "setp.eq.u32", self.gang.thread, 0);
        let zero = [Operand::At(self.control, SKEWED), 0.into()];
        f.op_if(first, true, "st.shared.u32", &zero);
    }

    /// Tells where the vectors of the thread's range go, which is `number` of those that have some.
    pub(super) fn tell(&self, f: &mut Function, number: Reg, [at, end]: [Reg; 2], how: [Reg; 4]) {
        let told = f.label("told");
        let nothing = value!(f, "nothing", "setp.eq.u32", at, end);
        f.branch_if(nothing, true, told);
        let (moves, bundles) = (self.area(Area::Moves), self.area(Area::Bundles));
        let to = value!(f, "to", "mad.lo.u32", number, MOVE, moves);
        f.store_vector(
            "st.shared.v4.u32",
            Operand::At(to, 0),
            &how.map(Operand::from),
        );
        let bits = BUNDLE.trailing_zeros();
        let bundle = value!(f, "bundle", "shr.u32", at, bits);
        let bundle_at = value!(f, "bundle_at", "mad.lo.u32", bundle, 8, bundles);
        let bit = value!(f, "bit", "and.b32", at, BUNDLE - 1);
        let within = value!(f, "within", "setp.ne.u32", bit, 0);
        let one = value!(f, "one", "mov.u32", 1);
        let bit = value!(f, "bit", "shl.b32", one, bit);
        let add = [Operand::At(bundle_at, 0), bit.into()];
        f.op_if(within, true, "red.shared.or.b32", &add);
        let first = value!(f, "first", "add.u32", at, BUNDLE - 1);
        let first = value!(f, "first", "shr.u32", first, bits);
        let behind = value!(f, "behind", "add.u32", end, BUNDLE - 1);
        let behind = value!(f, "behind", "shr.u32", behind, bits);
        for_each(f, "own_bundles", first, one, behind, |f| {
            let at = value!(f, "at", "mad.lo.u32", first, 8, bundles);
            store(f, at, 4, number);
        });
        f.place(told);
    }

    pub(super) fn write(&self, f: &mut Function) {
        f.comment("Write: whole vectors go to the queues.");
        let total = load(f, "total", self.control, TOTAL);
        let two = value!(f, "two", "mov.u32", 2);
        let up_to = value!(f, "up_to", "shl.b32", two, self.gang.lane);
        let up_to = value!(f, "up_to", "sub.u32", up_to, 1);
        let together = match self.shape.value {
            0 => TOGETHER,
            _ => 1,
        };
        let step = value!(f, "step", "mul.lo.u32", self.gang.threads, together);
        let vector = value!(f, "vector", "mov.u32", self.gang.thread);
        for_each(f, "write", vector, step, total, |f| {
            // All loads of a kind first: each waits for the one before.
            let mut vectors = vec![vector];
            while vectors.len() < together as usize {
                let last = vectors[vectors.len() - 1];
                vectors.push(value!(f, "vector", "add.u32", last, self.gang.threads));
            }
            let numbers: Vec<(Reg, Reg)> = vectors
                .iter()
                .map(|&vector| self.range_of(f, vector, total, up_to))
                .collect();
            let places: Vec<(Reg, Reg)> = vectors
                .iter()
                .zip(numbers)
                .map(|(&vector, number)| self.place_of(f, vector, number))
                .collect();
            self.write_vectors(f, &vectors, &places);
        });
    }

    /// The number of a vector's range among those that have some, and whether there is such a vector.
    fn range_of(&self, f: &mut Function, vector: Reg, total: Reg, up_to: Reg) -> (Reg, Reg) {
        let inside = value!(f, "inside", "setp.lt.u32", vector, total);
        let bundle = value!(f, "bundle", "shr.u32", vector, BUNDLE.trailing_zeros());
        let bundle = value!(f, "bundle", "selp.b32", bundle, 0, inside);
        let bundles = self.area(Area::Bundles);
        let at = value!(f, "at", "mad.lo.u32", bundle, 8, bundles);
        let (begins, number) = (f.reg(Class::B32, "begins"), f.reg(Class::B32, "number"));
        f.load_vector("ld.shared.v2.u32", &[begins, number], Operand::At(at, 0));
        let before = value!(f, "before", "and.b32", begins, up_to);
        let before = value!(f, "before", "popc.b32", before);
        let own = value!(f, "number", "add.u32", number, before);
        // A vector that is not there takes what the bundle's first one has.
        (value!(f, "number", "selp.b32", own, number, inside), inside)
    }

    /// Where a vector goes, and whether it is full.
    fn place_of(&self, f: &mut Function, vector: Reg, (number, inside): (Reg, Reg)) -> (Reg, Reg) {
        let moves = self.area(Area::Moves);
        let at = value!(f, "at", "mad.lo.u32", number, MOVE, moves);
        let how = ["cut", "last", "old", "new"].map(|name| f.reg(Class::B32, name));
        f.load_vector("ld.shared.v4.u32", &how, Operand::At(at, 0));
        let [cut, last, old, new] = how;
        let is_old = value!(f, "is_old", "setp.lt.u32", vector, cut);
        let add = value!(f, "add", "selp.b32", old, new, is_old);
        let place = value!(f, "place", "add.u32", vector, add);
        let full = value!(f, "full", "setp.lt.and.u32", vector, last, inside);
        (place, full)
    }

    /// Copies vectors of the tile to their places in the queues, those that are full.
    fn write_vectors(&self, f: &mut Function, vectors: &[Reg], places: &[(Reg, Reg)]) {
        let loaded: Vec<[Reg; 4]> = vectors
            .iter()
            .zip(places)
            .map(|(&vector, &(_, full))| {
                let vector = value!(f, "vector", "selp.b32", vector, 0, full);
                let vector = self.swizzled(f, vector, 3, 5, 0);
                let from = self.vector(f, Area::Residues, vector, 2);
                let words = [(); 4].map(|()| f.reg(Class::B32, "moved"));
                f.load_vector("ld.shared.v4.u32", &words, Operand::At(from, 0));
                words
            })
            .collect();
        for (words, &(place, full)) in loaded.iter().zip(places) {
            let skip = f.label("not_full");
            f.branch_if(full, false, skip);
            let to = value!(f, "to", "mad.wide.u32", place, 2 * VECTOR, self.residues);
            f.store_vector(
                "st.global.v4.u32",
                Operand::At(to, 0),
                &words.map(Operand::from),
            );
            f.place(skip);
        }
        let Some(values) = self.values else { return };
        let bytes = self.shape.value * VECTOR;
        for (&vector, &(place, full)) in vectors.iter().zip(places) {
            let skip = f.label("not_full");
            f.branch_if(full, false, skip);
            let vector = self.swizzled(f, vector, 3, 5, 0);
            let from = self.vector(f, Area::Values, vector, self.shape.value);
            let to = value!(f, "to", "mad.wide.u32", place, bytes, values);
            self.copy_out(f, from, to, bytes / 16);
            f.place(skip);
        }
    }

    /// What does not fill a vector waits for the next tile.
    pub(super) fn keep_rest(&self, f: &mut Function) {
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

    /// Empties the counters for the tile after the next one.
    pub(super) fn reset(&self, f: &mut Function) {
        let counter = value!(f, "counter", "mov.u32", self.gang.thread);
        for_each(f, "reset", counter, self.gang.threads, self.counters, |f| {
            let at = value!(f, "at", "mad.lo.u32", counter, 4, self.current);
            store(f, at, 0, 0);
        });
        emit!(f, "sub.u32", self.current, self.both, self.current);
        let skewed = load(f, "skewed", self.control, SKEWED);
        emit!(f, "mul.lo.u32", self.swizzle, skewed, VECTOR - 1);
    }
}

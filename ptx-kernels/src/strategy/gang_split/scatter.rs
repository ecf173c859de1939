//! The scatter of a tile: every record goes to its place in shared memory.
//!
//! An atomic that returns what it found takes as long as a load, and nothing behind it in the text that touches shared memory
//! comes before it; so the places of [`TOGETHER`] slots are on their way before the first record is stored. The tile is
//! swizzled or not, in two texts, since swizzling takes a third of the instructions.

use super::tile::load;
use super::{GangSplit, Slot};
use crate::queues::Area;
use crate::value;
use crate::writer::{Function, Operand, Reg};

/// Slots whose places are on their way at a time.
const TOGETHER: usize = 8;

impl GangSplit {
    pub(super) fn scatter(&self, f: &mut Function) {
        f.comment("Scatter: every record goes to its place in the tile.");
        let own = self.own_counters(f);
        let starts = self.area(Area::Starts);
        let limit_at = value!(f, "limit_at", "mad.lo.u32", self.ranges, 4, starts);
        let limit = load(f, "limit", limit_at, 0);
        let (swizzled, done) = (f.label("swizzled"), f.label("scattered"));
        let plain = value!(f, "plain", "setp.eq.u32", self.swizzle, 0);
        f.branch_if(plain, false, swizzled);
        self.scatter_at(f, own, limit, |_, place| place);
        f.branch(done, false);
        f.place(swizzled);
        self.scatter_at(f, own, limit, |f, place| self.swizzled(f, place, 6, 8, 3));
        f.place(done);
    }

    fn scatter_at(
        &self,
        f: &mut Function,
        own: Reg,
        limit: Reg,
        at: impl Fn(&mut Function, Reg) -> Reg,
    ) {
        let starts = self.area(Area::Starts);
        for slots in self.slots().chunks(TOGETHER) {
            let found: Vec<[Reg; 2]> = slots
                .iter()
                .map(|slot| {
                    let (range, counter) = self.counter(f, own, slot.bin);
                    let counter = Operand::At(counter, 0);
                    let rank = value!(f, "rank", "atom.shared.add.u32", counter, 1);
                    let start_at = value!(f, "start_at", "mad.lo.u32", range, 4, starts);
                    [load(f, "start", start_at, 0), rank]
                })
                .collect();
            for (slot, [start, rank]) in slots.iter().zip(found) {
                let place = value!(f, "place", "add.u32", start, rank);
                // Slots without an update come behind all others.
                let inside = value!(f, "inside", "setp.lt.u32", place, limit);
                let place = at(f, place);
                self.put(f, slot, place, inside);
            }
        }
    }

    /// Stores the record of a slot at a place, where a predicate holds.
    fn put(&self, f: &mut Function, slot: &Slot, place: Reg, inside: Reg) {
        let residue = value!(f, "residue", "and.b32", slot.bin, self.mask);
        let residues = self.area(Area::Residues);
        let to = value!(f, "to", "mad.lo.u32", place, 2, residues);
        f.op_if(
            inside,
            true,
            "st.shared.u16",
            &[Operand::At(to, 0), residue.into()],
        );
        if let Some(kept) = slot.value {
            let values = self.area(Area::Values);
            let to = value!(f, "to", "mad.lo.u32", place, self.shape.value, values);
            let opcode = format!("st.shared.{}", self.target.accumulator().memory());
            f.op_if(inside, true, &opcode, &[Operand::At(to, 0), kept.into()]);
        }
    }
}

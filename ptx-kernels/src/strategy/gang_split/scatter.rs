//! The scatter of a tile: every record goes to its place in shared memory.
//!
//! An atomic that returns what it found takes as long as a load, and nothing behind it in the text that touches shared memory
//! comes before it; so the places of [`TOGETHER`] slots are on their way before the first record is stored. The tile is
//! swizzled or not, in two texts, since swizzling takes a third of the instructions.

use super::tile::load;
use super::{GangSplitCopies, Slot, TOTAL};
use crate::queues::{Area, VECTOR};
use crate::value;
use crate::writer::{Function, Operand, Reg};

/// Slots whose places are on their way at a time.
const TOGETHER: usize = 8;

impl GangSplitCopies {
    pub(super) fn scatter(&self, f: &mut Function) {
        f.comment("Scatter: every record goes to its place in the tile.");
        let own = self.own_counters(f);
        let total = load(f, "total", self.control, TOTAL);
        let limit = value!(f, "limit", "shl.b32", total, VECTOR.trailing_zeros());
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
        for slots in self.slots().chunks(TOGETHER) {
            let places: Vec<Reg> = slots
                .iter()
                .map(|slot| {
                    let (_, counter) = self.counter(f, own, slot.bin);
                    value!(
                        f,
                        "place",
                        "atom.shared.add.u32",
                        Operand::At(counter, 0),
                        1
                    )
                })
                .collect();
            for (slot, place) in slots.iter().zip(places) {
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

//! Updates that wait: the items of a thread's vector that meet in one bin become one update.
//!
//! An update of several words, or one by compare-and-swap, takes many times as long as comparing bins in registers, and
//! longer where the bins of a warp are equal: they wait for each other. So the updates of a vector's items are kept in
//! registers until all bodies have run. Then each is added to the first one behind it that has the same bin, and what
//! remains goes to shared memory. 16,384 bins of `f32` sums in one copy: one key 444 G updates a
//! second, runs 506, uniform 514, where one key was 125 before (H200, 2026-11-20, docs/measurements/gpu.md).
//!
//! The body of an item may come to its update or not. Until then it has no bin: an address that no copy has.

use super::cells::Cells;
use super::{Bin, combine};
use crate::cell::Cell;
use crate::emit;
use crate::value;
use crate::writer::{Function, Operand, Reg};

/// The address of no bin.
pub(super) const NOWHERE: i64 = -1;

/// An update that waits.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The address of the bin.
    pub(super) at: Reg,
    /// What is added there, lowest word first.
    pub(super) words: Vec<Reg>,
}

impl Cells {
    /// Room for an update that waits, if that is worth it.
    pub(super) fn waiting(&self, f: &mut Function) -> Option<Waiting> {
        let elem = self.target.accumulator();
        let words = match self.cell {
            Cell::Halves | Cell::Fixed32 | Cell::Fixed64 => (0..self.cell.words())
                .map(|_| value!(f, "waiting", "mov.b32", 0))
                .collect(),
            Cell::Accumulator if elem.is_float() || !self.target.op.has_atomic(elem) => {
                let word = f.reg(elem.class(), "waiting");
                f.assign(word, combine::neutral(self.target.op, elem));
                vec![word]
            }
            // One instruction each.
            Cell::Accumulator | Cell::Counter => return None,
        };
        let at = value!(f, "waiting_at", "mov.b32", NOWHERE);
        Some(Waiting { at, words })
    }

    /// Lets an update wait.
    pub(super) fn defer(
        &self,
        f: &mut Function,
        bin: Bin,
        own: Bin,
        value: Operand,
        waiting: &Waiting,
    ) {
        let at = own.shared_step(f, self.layout.own, self.layout.step);
        let at = match self.lane_place(f, bin, at) {
            Operand::At(at, 0) => at,
            Operand::At(at, offset) => value!(f, "at", "add.u32", at, offset),
            _ => unreachable!("a bin in shared memory has an address"),
        };
        let wait = |f: &mut Function, words: &[Reg]| {
            // Bins in registers do not wait.
            let cold = self.update_hot(f, bin, words);
            Self::where_cold(f, cold, |f| {
                f.assign(waiting.at, at);
                for (to, from) in waiting.words.iter().zip(words) {
                    f.assign(*to, *from);
                }
            });
        };
        if self.cell == Cell::Accumulator {
            let value = self.register(f, value);
            return wait(f, &[value]);
        }
        self.with_words(f, bin, value, wait);
    }

    /// Makes the updates that wait.
    pub(super) fn settle(&self, f: &mut Function, waiting: &[Waiting]) {
        for (n, update) in waiting.iter().enumerate() {
            for later in &waiting[n + 1..] {
                let same = value!(f, "same", "setp.eq.u32", update.at, later.at);
                self.join(f, later, update, same);
                f.op_if(same, true, "mov.b32", &[update.at.into(), NOWHERE.into()]);
            }
            let skip = f.label("joined");
            let nowhere = value!(f, "nowhere", "setp.eq.u32", update.at, NOWHERE);
            f.branch_if(nowhere, true, skip);
            self.add(f, Operand::At(update.at, 0), &update.words);
            f.place(skip);
        }
    }

    /// Adds one update to another where they are of the same bin.
    fn join(&self, f: &mut Function, to: &Waiting, from: &Waiting, same: Reg) {
        if self.cell == Cell::Accumulator {
            let (op, elem) = (self.target.op, self.target.accumulator());
            let both = combine::combine(f, op, elem, to.words[0], from.words[0]);
            let mov = format!("mov.{}", elem.class().suffix());
            f.op_if(same, true, &mov, &[to.words[0].into(), both.into()]);
            return;
        }
        let last = to.words.len() - 1;
        for (n, (to, from)) in to.words.iter().zip(&from.words).enumerate() {
            let opcode = match n {
                0 => "add.cc.u32",
                _ if n == last => "addc.u32",
                _ => "addc.cc.u32",
            };
            f.op_if(
                same,
                true,
                opcode,
                &[(*to).into(), (*to).into(), (*from).into()],
            );
        }
    }

    /// Brings words into a bin: an accumulator, or a number of several words.
    pub(super) fn add(&self, f: &mut Function, at: Operand, words: &[Reg]) {
        if self.cell == Cell::Accumulator {
            let (op, elem) = (self.target.op, self.target.accumulator());
            combine::atomic(f, combine::Space::Shared, op, elem, at, words[0].into());
            return;
        }
        let places = self.places(f, at, words.len());
        add_words(f, &places, words);
    }
}

/// Adds a number of several words, lowest first, to one in memory. Each word's atomic gives the carry into the next one.
/// The words are changed.
fn add_words(f: &mut Function, places: &[Operand], words: &[Reg]) {
    let last = words.len() - 1;
    for word in 0..last {
        let old = value!(f, "old", "atom.shared.add.u32", places[word], words[word]);
        let _sum = value!(f, "sum", "add.cc.u32", old, words[word]);
        for &above in &words[word + 1..] {
            let opcode = if above == words[last] {
                "addc.u32"
            } else {
                "addc.cc.u32"
            };
            emit!(f, opcode, above, above, 0);
        }
    }
    let needed = value!(f, "needed", "setp.ne.u32", words[last], 0);
    f.op_if(
        needed,
        true,
        "red.shared.add.u32",
        &[places[last], words[last].into()],
    );
}

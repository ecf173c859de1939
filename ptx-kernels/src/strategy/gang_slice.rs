//! `gang_slice`: a gang keeps one slice of the bins in shared memory, which is all that an iteration of the outer loop updates.
//!
//! ```text
//! for a in words { for b in words { joint[w(a)][w(b)][w(a & b)] += 1; } }      slice w(a): 128 x 128 of 128^3 bins
//! for n in 0..batch { for &p in &images[n] { hist[n * 256 + p as usize] += 1; } }      slice n: 256 bins from n * 256 on
//! ```
//!
//! The gang takes iterations of the outer loop one after the other, or shares them with others where they are few, deals out those of
//! the inner loop to its threads, and brings what they have touched of the slice into the scratch memory behind each. Every
//! thread sees where the slice begins, and those that have updated it say so in shared memory: that there is something to be done, and
//! where. There are two such places, in turns, so that the next one is ready while the last is read.
//!
//! A slice may begin before the first bin: what is added to an index of -3 in wrapping arithmetic is in range again. So bins are numbered modulo
//! 2^32 from there, and that a thread has updated none is told by more bits than a number has.
//!
//! 2^34 pairs of words into 2^21 bins take 49 ms, and 201 by `gang_split`; 2^25 sums of `f32` into 3000 rows of 256 bins, of lengths that
//! only the data know, 0.23 ms, and 84 by a thread for each row (H200, 2026-11-28, docs/measurements/papers.md, gpu.md).

use super::cells::{Cells, Layout};
use super::template::{Shape, Shared, Template, Trials};
use super::{Bin, Copies, Gang, Known, Memory, Target, round_up, shared_base};
use crate::abi::{KernelAbi, ParamKind, TargetAbi};
use crate::cost::{self, Call, Launch, Part, Speeds};
use crate::emit;
use crate::plan::TargetPlan;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Where a slice begins of which a thread has updated nothing, in 64 bits.
const NOWHERE: i64 = -1;

/// The most that 32 bits hold: where nobody has said yet where a slice begins.
const LARGEST: i64 = 0xffff_ffff;

/// Bytes of the words that say where slices begin and whether somebody has updated them, twice.
const WORDS_BYTES: u32 = 16;

/// The strategy.
pub(super) struct GangSlice;

impl Template for GangSlice {
    fn name(&self) -> &'static str {
        "gang_slice"
    }

    fn place(&self) -> &'static str {
        "a slice of the bins per gang in shared memory, which the outer loop chooses"
    }

    fn good_for(&self) -> &'static str {
        "many bins of which an inner loop updates few"
    }

    fn takes(&self) -> &'static str {
        "loops with an inner loop that leaves the first indices of the bins alone"
    }

    fn has_form(&self, shape: &Shape) -> bool {
        shape.sliced
    }

    fn suits(&self, shape: &Shape) -> bool {
        !shape.small
    }

    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        Box::new(prologue(f, gang, target, memory))
    }

    fn params(&self, target: u32) -> Vec<ParamKind> {
        vec![ParamKind::SharedOffset(target)]
    }

    fn static_shared(&self, target: &Target) -> u32 {
        let window = match target.cell().shifts() {
            0 => 0,
            _ => 8,
        };
        window + WORDS_BYTES
    }

    fn takes_slices(&self) -> bool {
        true
    }

    fn has_cells(&self) -> bool {
        true
    }

    fn shared(&self, target: &TargetAbi, bins: u64, _: u32, _: u32) -> Shared {
        let slice = match target.slice {
            // Bins are numbered in 32 bits.
            Some(slice) if bins < u64::from(u32::MAX) => slice,
            _ => u64::from(u32::MAX),
        };
        Shared::new(1, slice * u64::from(target.cell().bytes(target.elem)))
    }

    fn cost(
        &self,
        target: &TargetAbi,
        needs: &TargetPlan,
        launch: &Launch<'_>,
        speeds: &Speeds,
    ) -> Part {
        cost::shared::sliced(target, needs, launch, speeds)
    }

    /// Inner loops that are shorter than a gang leave threads without work.
    fn delay(&self, kernel: &KernelAbi, call: &Call) -> f64 {
        let inner = call.items / call.outer.max(1);
        match kernel.items_per_thread {
            0 => 1.0,
            _ => (f64::from(kernel.block) / inner.max(1) as f64).max(1.0),
        }
    }

    fn trials(&self) -> Trials {
        Trials {
            bins: &[1, 37, 4096],
            simulated_bins: &[1, 37, 600],
            ..Trials::default()
        }
    }
}

struct GangSliceCopies {
    cells: Cells,
    gang: Gang,
    /// Bytes of the copy.
    bytes: Reg,
    /// The first bin of the slice, modulo 2^32, once the thread has updated it.
    low: Reg,
    /// Where the words of this slice are, and those of the next one.
    words: [Reg; 2],
}

fn prologue(f: &mut Function, gang: &Gang, target: &Target, memory: Memory) -> GangSliceCopies {
    let cell = target.cell();
    let word = cell.word(target.elem);
    let base = shared_base(f, target);
    // The plan refuses slices that shared memory has no room for.
    let slice = target.slice.unwrap_or(1) as u32;
    let bins = value!(f, "bins", "mov.u32", slice);
    let plane = value!(f, "plane", "mov.u32", slice.wrapping_mul(word));
    let bytes = value!(f, "bytes", "mul.lo.u32", plane, cell.words());
    let bytes = round_up(f, bytes);
    let layout = Layout::shared_by_all(f, base, word, plane, bins);
    let cells = Cells::begin(f, gang, target, memory, layout, bytes);

    let name = f.unique(&format!("{}_slices", target.stem));
    f.declare(format!(".shared .align 16 .b8 {name}[{WORDS_BYTES}];"));
    let first = f.address_of(Class::B32, &name);
    let first = value!(f, "slice_word", "mov.b32", first);
    let second = value!(f, "slice_word", "add.u32", first, WORDS_BYTES / 2);
    let ready = f.label("slice_words");
    let other = value!(f, "other_thread", "setp.ne.u32", gang.thread, 0);
    f.branch_if(other, true, ready);
    for word in [first, second] {
        no_slice(f, word);
    }
    f.place(ready);
    GangSliceCopies {
        cells,
        gang: *gang,
        bytes,
        low: f.reg(Class::B64, &format!("{}_low", target.stem)),
        words: [first, second],
    }
}

/// Says that nobody has updated a slice.
fn no_slice(f: &mut Function, word: Reg) {
    emit!(f, "st.shared.u32", Operand::At(word, 0), LARGEST);
    emit!(f, "st.shared.u32", Operand::At(word, 4), 0);
}

impl Copies for GangSliceCopies {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        let number = match bin {
            Bin::Narrow(bin) => bin,
            // The plan sees to it that bins are numbered in 32 bits.
            Bin::Wide(bin) => value!(f, "bin", "cvt.u32.u64", bin).into(),
        };
        let low = value!(f, "low", "cvt.u32.u64", self.low);
        let own = value!(f, "own", "sub.u32", number, low);
        self.cells.update(f, bin, Bin::Narrow(own.into()), value);
    }

    fn begin_slice(&self, f: &mut Function) {
        f.assign(self.low, NOWHERE);
    }

    fn slice(&self) -> Option<Reg> {
        Some(self.low)
    }

    fn end_slice(&self, f: &mut Function) {
        let [word, next] = self.words;
        let (known, done) = (f.label("slice_known"), f.label("slice_done"));
        let untouched = value!(f, "untouched", "setp.eq.u64", self.low, NOWHERE);
        f.branch_if(untouched, true, known);
        let low = value!(f, "low", "cvt.u32.u64", self.low);
        emit!(f, "red.shared.min.u32", Operand::At(word, 0), low);
        emit!(f, "red.shared.or.b32", Operand::At(word, 4), 1);
        f.place(known);
        emit!(f, "bar.sync", 0);
        let low = value!(f, "low", "ld.shared.u32", Operand::At(word, 0));
        let touched = value!(f, "touched", "ld.shared.u32", Operand::At(word, 4));
        let ready = f.label("next_slice_word");
        let other = value!(f, "other_thread", "setp.ne.u32", self.gang.thread, 0);
        f.branch_if(other, true, ready);
        no_slice(f, next);
        f.place(ready);
        let nothing = value!(f, "nothing", "setp.eq.u32", touched, 0);
        f.branch_if(nothing, true, done);
        self.cells
            .flush_to(f, &self.gang, None, |f: &mut Function, own: Reg| {
                value!(f, "bin", "add.u32", low, own)
            });
        emit!(f, "bar.sync", 0);
        self.cells.clear(f, self.bytes);
        f.place(done);
        emit!(f, "bar.sync", 0);
        let last = value!(f, "slice_word", "mov.b32", word);
        f.assign(word, next);
        f.assign(next, last);
    }

    /// Each slice has been brought to where it goes when its iterations were over.
    fn epilogue(&self, _: &mut Function, _: &Gang) {}
}

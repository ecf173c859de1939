//! `gang_shared`: `R` copies per gang in shared memory, each shared by a bundle of `S = threads / R` threads.
//!
//! Thread `t` updates copy `t mod R`, so neighbouring lanes have different copies. A copy is one [cell](crate::cell) for
//! each bin, rounded up to an odd number of words where there are several copies: one bin of neighbouring copies then
//! lies in neighbouring banks, and with 32 copies equal keys of a warp neither meet nor wait for each other. At the end
//! the gang adds its copies up, bin by bin, and brings what was touched into copy `gang mod l` of the scratch memory.
//!
//! Counting (adding a constant) needs one copy only: the hardware merges equal addresses of a warp if the old
//! value is not used, which `red` says. Other operators serialise equal addresses: of 2^28 constant u32 keys with weights,
//! one copy adds 247 G a second, 28 copies 1080 G (H200, 2026-11-20, docs/measurements/designs.md).
//! `bundle` is the parameter of Ikeda and Ino's fast nonrigid registration.

use super::cells::{Cells, Layout};
use super::template::{Shared, Template, Trials};
use super::{Bin, Copies, Gang, Known, Memory, Target, Waiting, round_up, shared_base};
use crate::abi::{ParamKind, TargetAbi};
use crate::cost::shared::Family;
use crate::cost::{self, Launch, Part, Speeds};
use crate::plan::TargetPlan;
use crate::value;
use crate::writer::{Function, Operand};

/// The strategy.
pub(super) struct GangShared;

impl Template for GangShared {
    fn name(&self) -> &'static str {
        "gang_shared"
    }

    fn place(&self) -> &'static str {
        "one or several per gang in shared memory"
    }

    fn good_for(&self) -> &'static str {
        "bins that fit there"
    }

    fn prologue(
        &self,
        f: &mut Function,
        gang: &Gang,
        target: &Target,
        memory: Memory,
        _: Known,
    ) -> Box<dyn Copies> {
        Box::new(GangSharedCopies(cells(f, gang, target, memory, 0)))
    }

    fn params(&self, target: u32) -> Vec<ParamKind> {
        vec![
            ParamKind::SharedOffset(target),
            ParamKind::SharedCopies(target),
        ]
    }

    fn flushes_once(&self) -> bool {
        true
    }

    fn has_cells(&self) -> bool {
        true
    }

    fn shared(&self, target: &TargetAbi, bins: u64, copies: u32, _: u32) -> Shared {
        padded(target, bins, copies)
    }

    fn may_grow(&self) -> bool {
        true
    }

    fn may_be_small(&self) -> bool {
        true
    }

    fn cost(
        &self,
        target: &TargetAbi,
        needs: &TargetPlan,
        launch: &Launch<'_>,
        speeds: &Speeds,
    ) -> Part {
        cost::shared::part(target, needs, launch, speeds, Family::default())
    }

    fn trials(&self) -> Trials {
        Trials {
            bins: &[1, 37, 256, 4096, 12_000],
            requests: &[":copies=1", ":copies=4", ":bundle=32", ":copies=3"],
            refuses_many: true,
            ..Trials::default()
        }
    }
}

/// Cells of which every thread has a copy, with hot bins in registers or without.
pub(super) struct GangSharedCopies(pub(super) Cells);

/// What copies of so many bins take, one after the other: an odd number of words where there are several, so that one bin of
/// neighbouring copies lies in neighbouring banks.
pub(super) fn padded(target: &TargetAbi, bins: u64, copies: u32) -> Shared {
    let cell = target.cell();
    let words = bins * u64::from(cell.words());
    let words = if copies > 1 { words | 1 } else { words };
    let word = u64::from(cell.word(target.elem));
    Shared::new(copies, words * u64::from(copies) * word)
}

/// The copies, filled with the neutral element, each with room for `more` bins behind the target's.
pub(super) fn cells(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
    more: u32,
) -> Cells {
    let (t, cell) = (target.number, target.cell());
    let word = cell.word(target.elem);
    let copies = f.load_param(&target.param(ParamKind::SharedCopies(t)));
    let base = shared_base(f, target);
    let copies = value!(f, "copies", "cvt.u32.u64", copies);
    let bins = value!(f, "bins", "cvt.u32.u64", memory.total);
    let room = match more {
        0 => bins,
        more => value!(f, "room", "add.u32", bins, more),
    };
    let plane = value!(f, "plane", "mul.lo.u32", room, word);
    let words = value!(f, "words", "mul.lo.u32", room, cell.words());
    let several = value!(f, "several", "setp.gt.u32", copies, 1);
    let padded = value!(f, "padded", "or.b32", words, 1);
    let words = value!(f, "words", "selp.b32", padded, words, several);
    let stride = value!(f, "stride", "mul.lo.u32", words, word);
    let mine = value!(f, "copy", "rem.u32", gang.thread, copies);
    let name = format!("{}_own", target.stem);
    let own = value!(f, &name, "mad.lo.u32", mine, stride, base);
    let bytes = value!(f, "bytes", "mul.lo.u32", stride, copies);
    let bytes = round_up(f, bytes);
    let layout = Layout {
        base,
        own,
        step: word.into(),
        plane,
        copy_step: stride.into(),
        copies,
        first: None,
        bins,
    };
    Cells::begin(f, gang, target, memory, layout, bytes)
}

impl Copies for GangSharedCopies {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        self.0.update(f, bin, bin, value);
    }

    fn waiting(&self, f: &mut Function) -> Option<Waiting> {
        self.0.waiting(f)
    }

    fn defer(&self, f: &mut Function, bin: Bin, value: Operand, waiting: &Waiting) {
        self.0.defer(f, bin, bin, value, waiting);
    }

    fn settle(&self, f: &mut Function, waiting: &[Waiting]) {
        self.0.settle(f, waiting);
    }

    fn gather(&self, f: &mut Function, gang: &Gang) {
        self.0.gather(f, gang);
    }

    fn epilogue(&self, f: &mut Function, gang: &Gang) {
        self.0.collect_lanes(f, gang);
        self.0.flush(f, gang, None);
    }
}

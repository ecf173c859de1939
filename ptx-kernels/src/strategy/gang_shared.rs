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
use super::{Bin, Copies, Gang, Memory, Target, Waiting, round_up, shared_base};
use crate::abi::ParamKind;
use crate::value;
use crate::writer::{Function, Operand};

/// Cells of which every thread has a copy, with hot bins in registers or without.
pub(super) struct GangShared(pub(super) Cells);

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
) -> impl Copies + use<> {
    GangShared(cells(f, gang, target, memory, 0))
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

impl Copies for GangShared {
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

//! `gang_shared`: `R` copies per gang in shared memory, each shared by a bundle of `S = threads / R` threads.
//!
//! Thread `t` updates copy `t mod R`, so neighbouring lanes have different copies. A copy is `bins` accumulators long,
//! rounded up to an odd number where there are several copies: one bin of neighbouring copies then lies in
//! neighbouring banks, and with 32 copies equal keys of a warp neither meet nor wait for each other. At the end
//! the gang adds its copies up, bin by bin, and brings what was touched into copy `gang mod l` of the scratch memory.
//!
//! Counting (adding a constant) needs one copy only: the hardware merges equal addresses of a warp if the old
//! value is not used, which `red` says. Other operators serialise equal addresses: of 2^28 constant u32 keys with weights,
//! one copy adds 247 G a second, 28 copies 1080 G (H200, 2026-11-20, docs/measurements/designs.md).
//! `bundle` is the parameter of Ikeda and Ino's fast nonrigid registration.

use super::{
    Bin, Copies, DYNAMIC_SHARED, Gang, Memory, Target, flush, for_each, initialise_shared,
    own_local,
};
use crate::abi::ParamKind;
use crate::combine::{self, Space};
use crate::emit;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

struct GangShared {
    target: Target,
    memory: Memory,
    /// The first copy of the gang.
    base: Reg,
    /// The thread's copy.
    own: Reg,
    /// Bytes from copy to copy.
    stride: Reg,
    /// `R`.
    copies: Reg,
}

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
) -> impl Copies + use<> {
    let stem = &target.stem;
    let t = target.number;
    let offset = f.load_param(&target.param(ParamKind::SharedOffset(t)));
    let copies = f.load_param(&target.param(ParamKind::SharedCopies(t)));
    let start = f.address_of(Class::B32, DYNAMIC_SHARED);
    let offset = value!(f, "offset", "cvt.u32.u64", offset);
    let base = value!(f, &format!("{stem}_base"), "add.u32", start, offset);
    let copies = value!(f, "copies", "cvt.u32.u64", copies);
    let total = value!(f, "total", "cvt.u32.u64", memory.total);
    let several = value!(f, "several", "setp.gt.u32", copies, 1);
    let padded = value!(f, "padded", "or.b32", total, 1);
    let padded = value!(f, "padded", "selp.b32", padded, total, several);
    let stride = value!(f, "stride", "mul.lo.u32", padded, target.shared.size());
    let mine = value!(f, "copy", "rem.u32", gang.thread, copies);
    let own = value!(f, &format!("{stem}_own"), "mad.lo.u32", mine, stride, base);
    let bytes = value!(f, "bytes", "mul.lo.u32", stride, copies);
    let bytes = value!(f, "bytes", "add.u32", bytes, 15);
    let bytes = value!(f, "bytes", "and.b32", bytes, -16);
    initialise_shared(f, gang, target, base, bytes);
    GangShared {
        target: target.clone(),
        memory,
        base,
        own,
        stride,
        copies,
    }
}

impl Copies for GangShared {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        let at = bin.shared(f, self.own, self.target.shared.size());
        combine::atomic(
            f,
            Space::Shared,
            self.target.op,
            self.target.shared,
            at,
            value,
        );
    }

    fn epilogue(&self, f: &mut Function, gang: &Gang) {
        let (op, elem) = (self.target.op, self.target.shared);
        let load = format!("ld.shared.{}", elem.memory());
        let local = own_local(f, gang, &self.target, self.memory);
        let total = value!(f, "total", "cvt.u32.u64", self.memory.total);
        let bin = value!(f, "bin", "mov.u32", gang.thread);
        for_each(f, "flush", bin, gang.threads, total, |f| {
            let at = value!(f, "at", "mad.lo.u32", bin, elem.size(), self.base);
            let sum = value!(f, "sum", &load, Operand::At(at, 0));
            let copy = value!(f, "copy", "mov.u32", 1);
            let one = value!(f, "one", "mov.u32", 1);
            for_each(f, "next_copy", copy, one, self.copies, |f| {
                emit!(f, "add.u32", at, at, self.stride);
                let more = value!(f, "value", &load, Operand::At(at, 0));
                let both = combine::combine(f, op, elem, sum, more);
                f.assign(sum, both);
            });
            flush(f, &self.target, local, bin, sum);
        });
    }
}

//! `tile_reduce` at the end of a kernel: adds the copies in scratch memory up into the bins, and makes them neutral again.
//!
//! The gang that finishes last does it where the copies are few ([`kernel`](crate::kernel)); otherwise an entry of the
//! [library](crate::library) does it after the kernel, with every multiprocessor. A thread takes a bin, so a warp reads
//! a tile of 32 neighbouring bins of one copy at a time: every access is coalesced, which is what the paper's tiled
//! reduction is for. Four copies are in flight at a time. The bins are only written if no iteration failed, and only
//! where something was put into a copy; the copies are neutral afterwards in any case.

use crate::abi::{Elem, Op};
use crate::combine;
use crate::emit;
use crate::strategy::{Memory, for_each};
use crate::value;
use crate::writer::{Function, Operand, Reg};

/// Copies that are loaded before any is combined.
const IN_FLIGHT: u32 = 4;

/// A predicate: whether no iteration has failed.
pub(crate) fn is_clean(f: &mut Function, error: Reg) -> Reg {
    let first = value!(f, "first_fault", "ld.global.u64", Operand::At(error, 0));
    value!(f, "clean", "setp.eq.u64", first, -1)
}

/// Merges bins `bin`, `bin + step`, … of all copies; `bin` is written.
pub(crate) fn merge_loop(
    f: &mut Function,
    op: Op,
    elem: Elem,
    memory: Memory,
    clean: Reg,
    bin: Reg,
    step: Reg,
) {
    let accumulator = elem.accumulator();
    let load = format!("ld.global.{}", accumulator.memory());
    let store = format!("st.global.{}", accumulator.memory());
    let neutral = combine::neutral(op, accumulator);
    let stride = value!(
        f,
        "copy_bytes",
        "mul.lo.u64",
        memory.total,
        accumulator.size()
    );
    let sum = f.reg(accumulator.class(), "sum");
    let at = f.reg(crate::writer::Class::B64, "copy_at");
    let left = f.reg(crate::writer::Class::B64, "copies_left");
    for_each(f, "merge", bin, step, memory.total, |f| {
        // The bin is read before the copies are known to need it: one latency instead of two.
        let bin_at = value!(f, "bin_at", "mad.lo.u64", bin, elem.size(), memory.bins);
        let old = value!(
            f,
            "bin_value",
            format!("ld.global.{}", elem.memory()),
            Operand::At(bin_at, 0)
        );
        f.assign(sum, neutral);
        emit!(f, "mad.lo.u64", at, bin, accumulator.size(), memory.scratch);
        f.assign(left, memory.locals);
        for count in [IN_FLIGHT, 1] {
            let (again, done) = (f.label("copies"), f.label("copies_done"));
            let few = value!(f, "few", "setp.lt.u64", left, count);
            f.branch_if(few, true, done);
            f.place(again);
            let mut loaded = Vec::new();
            for _ in 0..count {
                let copy_at = value!(f, "copy_at", "mov.u64", at);
                loaded.push((copy_at, value!(f, "copy", &load, Operand::At(copy_at, 0))));
                emit!(f, "add.u64", at, at, stride);
            }
            for (copy_at, copy) in loaded {
                let touched = combine::is_touched(f, op, accumulator, copy);
                f.op_if(touched, true, &store, &[Operand::At(copy_at, 0), neutral]);
                let both = combine::combine(f, op, accumulator, sum, copy);
                f.assign(sum, both);
            }
            emit!(f, "sub.u64", left, left, count);
            let more = value!(f, "more", "setp.ge.u64", left, count);
            f.branch_if(more, true, again);
            f.place(done);
        }
        let touched = combine::is_touched(f, op, accumulator, sum);
        let write = value!(f, "write", "and.pred", touched, clean);
        let merged = combine::merge(f, op, elem, old, sum);
        f.op_if(
            write,
            true,
            &format!("st.global.{}", elem.memory()),
            &[Operand::At(bin_at, 0), merged.into()],
        );
    });
}

//! `tile_reduce`: adds the copies in scratch memory up into the bins, and makes them neutral again.
//!
//! A thread takes a bin, so a warp reads a tile of 32 neighbouring bins of one copy at a time: every access is
//! coalesced, which is what the paper's tiled reduction is for. Four copies are in flight at a time. The
//! bins are only written if no iteration failed, and only where something was put into a copy; the copies are
//! neutral afterwards in any case.
//!
//! The same loop is the last step of a kernel whose bins are few ([`kernel`](crate::kernel)) and an entry of
//! its own for the others.

use crate::abi::{Elem, InitialiseParam, MergeParam, Op};
use crate::combine;
use crate::emit;
use crate::strategy::Memory;
use crate::value;
use crate::writer::{Function, Operand, Reg};

/// Copies that are loaded before any is combined.
const IN_FLIGHT: u32 = 4;

/// The name of the merge entry of an operator and a type of bin.
pub fn merge_name(op: Op, elem: Elem) -> String {
    format!("accrue_tile_reduce_{}_{}", op.name(), elem.name())
}

/// The name of the entry that makes scratch memory neutral.
pub fn initialise_name(op: Op, elem: Elem) -> String {
    format!("accrue_tile_initialise_{}_{}", op.name(), elem.name())
}

/// The entry that merges; its parameters are [`MergeParam::ALL`].
pub fn merge_entry(op: Op, elem: Elem) -> Function {
    let name = |p: MergeParam| match p {
        MergeParam::Bins => "bins",
        MergeParam::BinsTotal => "total",
        MergeParam::Scratch => "scratch",
        MergeParam::Copies => "locals",
        MergeParam::Error => "error",
    };
    let mut f = Function::entry(
        merge_name(op, elem),
        MergeParam::ALL.map(|p| name(p).to_owned()),
    );
    let memory = Memory {
        bins: f.load_param(name(MergeParam::Bins)),
        total: f.load_param(name(MergeParam::BinsTotal)),
        scratch: f.load_param(name(MergeParam::Scratch)),
        locals: f.load_param(name(MergeParam::Copies)),
    };
    let error = f.load_param(name(MergeParam::Error));
    let clean = is_clean(&mut f, error);
    let (start, step) = grid_stride(&mut f);
    merge_loop(&mut f, op, elem, memory, clean, start, step);
    emit!(f, "ret");
    f
}

/// The entry that fills scratch memory with the neutral element; its parameters are [`InitialiseParam::ALL`].
pub fn initialise_entry(op: Op, elem: Elem) -> Function {
    let name = |p: InitialiseParam| match p {
        InitialiseParam::Scratch => "scratch",
        InitialiseParam::Scalars => "scalars",
    };
    let mut f = Function::entry(
        initialise_name(op, elem),
        InitialiseParam::ALL.map(|p| name(p).to_owned()),
    );
    let scratch = f.load_param(name(InitialiseParam::Scratch));
    let scalars = f.load_param(name(InitialiseParam::Scalars));
    let (scalar, step) = grid_stride(&mut f);
    let elem = elem.accumulator();
    let store = format!("st.global.{}", elem.memory());
    let neutral = combine::neutral(op, elem);
    for_each(&mut f, "initialise", scalar, step, scalars, |f| {
        let at = value!(f, "at", "mad.lo.u64", scalar, elem.size(), scratch);
        emit!(f, &store, Operand::At(at, 0), neutral);
    });
    emit!(f, "ret");
    f
}

/// A predicate: whether no iteration has failed.
pub(crate) fn is_clean(f: &mut Function, error: Reg) -> Reg {
    let first = value!(f, "first_fault", "ld.global.u64", Operand::At(error, 0));
    value!(f, "clean", "setp.eq.u64", first, -1)
}

/// The thread's number in the grid and the number of threads, in 64 bits.
fn grid_stride(f: &mut Function) -> (Reg, Reg) {
    let thread = f.special("thread", "%tid.x");
    let threads = f.special("threads", "%ntid.x");
    let gang = f.special("gang", "%ctaid.x");
    let gangs = f.special("gangs", "%nctaid.x");
    let thread = value!(f, "thread", "cvt.u64.u32", thread);
    let threads_wide = value!(f, "threads", "cvt.u64.u32", threads);
    let gang = value!(f, "gang", "cvt.u64.u32", gang);
    let start = value!(f, "start", "mad.lo.u64", gang, threads_wide, thread);
    let step = value!(f, "step", "mul.wide.u32", gangs, threads);
    (start, step)
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

/// `for counter in (counter..end).step_by(step)` over 64-bit registers; the counter is written.
fn for_each(
    f: &mut Function,
    name: &str,
    counter: Reg,
    step: Reg,
    end: Reg,
    body: impl FnOnce(&mut Function),
) {
    let (again, done) = (f.label(name), f.label(&format!("{name}_done")));
    let beyond = value!(f, "beyond", "setp.ge.u64", counter, end);
    f.branch_if(beyond, true, done);
    f.place(again);
    body(f);
    emit!(f, "add.u64", counter, counter, step);
    let more = value!(f, "more", "setp.lt.u64", counter, end);
    f.branch_if(more, true, again);
    f.place(done);
}

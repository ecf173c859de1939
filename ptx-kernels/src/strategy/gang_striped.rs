//! `gang_striped`: 32 copies per gang in shared memory, one for each lane, interleaved: `s[bin * 32 + lane]`.
//!
//! Lane `i` only touches bank `i` (for 4-byte accumulators), so no update waits for another of its warp,
//! whatever the bins are: the time does not depend on the data. It costs 128 bytes a bin, so it is for few
//! bins; with u8 keys and 256 bins it reads memory at the speed of a copy. The warps of a gang share the copies,
//! hence the updates are atomic still.
//!
//! The flush gives each bin a thread, which starts at its own lane and goes round: 32 threads read 32 banks.

use super::{
    Bin, Copies, DYNAMIC_SHARED, Gang, Memory, Target, flush, for_each, initialise_shared,
    own_local,
};
use crate::abi::ParamKind;
use crate::combine::{self, Space};
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

struct GangStriped {
    target: Target,
    memory: Memory,
    /// The stripes of the gang.
    base: Reg,
    /// The thread's stripe.
    own: Reg,
}

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
) -> impl Copies + use<> {
    let offset = f.load_param(&target.param(ParamKind::SharedOffset(target.number)));
    let start = f.address_of(Class::B32, DYNAMIC_SHARED);
    let offset = value!(f, "offset", "cvt.u32.u64", offset);
    let base = value!(
        f,
        &format!("{}_base", target.stem),
        "add.u32",
        start,
        offset
    );
    let own = value!(
        f,
        &format!("{}_own", target.stem),
        "mad.lo.u32",
        gang.lane,
        target.shared.size(),
        base
    );
    let total = value!(f, "total", "cvt.u32.u64", memory.total);
    let bytes = value!(f, "bytes", "mul.lo.u32", total, target.shared.size() * 32);
    initialise_shared(f, gang, target, base, bytes);
    GangStriped {
        target: target.clone(),
        memory,
        base,
        own,
    }
}

impl Copies for GangStriped {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        let at = bin.shared(f, self.own, self.target.shared.size() * 32);
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
        let (op, elem, size) = (
            self.target.op,
            self.target.shared,
            self.target.shared.size(),
        );
        let load = format!("ld.shared.{}", elem.memory());
        let local = own_local(f, gang, &self.target, self.memory);
        let total = value!(f, "total", "cvt.u32.u64", self.memory.total);
        let bin = value!(f, "bin", "mov.u32", gang.thread);
        for_each(f, "flush", bin, gang.threads, total, |f| {
            let row = value!(f, "row", "mad.lo.u32", bin, size * 32, self.base);
            let sum = f.reg(elem.class(), "sum");
            f.assign(sum, combine::neutral(op, elem));
            let step = value!(f, "step", "mov.u32", 0);
            let (eight, all) = (
                value!(f, "eight", "mov.u32", 8),
                value!(f, "all", "mov.u32", 32),
            );
            for_each(f, "stripes", step, eight, all, |f| {
                // Eight loads at a time: all 32 would not fit the registers.
                let first = value!(f, "stripe", "add.u32", gang.lane, step);
                let loaded: Vec<Reg> = (0..8)
                    .map(|n| {
                        let stripe = value!(f, "stripe", "add.u32", first, n);
                        let stripe = value!(f, "stripe", "and.b32", stripe, 31);
                        let at = value!(f, "at", "mad.lo.u32", stripe, size, row);
                        value!(f, "value", &load, Operand::At(at, 0))
                    })
                    .collect();
                for more in loaded {
                    let both = combine::combine(f, op, elem, sum, more);
                    f.assign(sum, both);
                }
            });
            flush(f, &self.target, local, bin, sum);
        });
    }
}

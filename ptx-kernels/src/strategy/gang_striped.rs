//! `gang_striped`: 32 copies per gang in shared memory, one for each lane, interleaved: `s[bin * 32 + lane]`.
//!
//! Lane `i` only touches bank `i` (for 4-byte words), so no update waits for another of its warp,
//! whatever the bins are: the time does not depend on the data. It costs 128 bytes a bin, so it is for few
//! bins; with u8 keys and 256 bins it reads memory at the speed of a copy. The warps of a gang share the copies,
//! hence the updates are atomic still.
//!
//! The flush gives each bin a thread, which starts at its own lane and goes round: 32 threads read 32 banks.

use super::cells::{Cells, Layout};
use super::{Bin, Copies, Gang, Memory, Target, shared_base};
use crate::value;
use crate::writer::{Function, Operand};

struct GangStriped(Cells);

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
) -> impl Copies + use<> {
    let cell = target.cell();
    let word = cell.word(target.elem);
    let step = word * 32;
    let base = shared_base(f, target);
    let copies = value!(f, "copies", "mov.u32", 32);
    let bins = value!(f, "bins", "cvt.u32.u64", memory.total);
    let name = format!("{}_own", target.stem);
    let own = value!(f, &name, "mad.lo.u32", gang.lane, word, base);
    let plane = value!(f, "plane", "mul.lo.u32", bins, step);
    let bytes = value!(f, "bytes", "mul.lo.u32", plane, cell.words());
    let layout = Layout {
        base,
        own,
        step: step.into(),
        plane,
        copy_step: word.into(),
        copies,
        first: Some(gang.lane),
        bins,
    };
    GangStriped(Cells::begin(f, gang, target, memory, layout, bytes))
}

impl Copies for GangStriped {
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        self.0.update(f, bin, bin, value);
    }

    fn epilogue(&self, f: &mut Function, gang: &Gang) {
        self.0.flush(f, gang, None);
    }
}

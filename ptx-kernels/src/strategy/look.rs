//! What the lanes of a warp do together, told beside each bin of a [sample](crate::sample).
//!
//! `match.any` takes its time for every different value of a warp, so the warps that write a sample do it, which are on
//! eight multiprocessors, and not those of the one block that counts it.

use super::Gang;
use crate::sample::{RUN, SECTOR};
use crate::writer::{Function, Operand, Reg};
use crate::{emit, value};

/// Stores a bin, of which one has `1 << shift` bytes, and beside it what its lane tells of the warp, as
/// [`looks`](crate::sample::looks) has it. All lanes of the warp that still run get here.
pub(crate) fn store(f: &mut Function, gang: &Gang, bin: Reg, shift: u32, at: Reg) {
    emit!(f, "bar.warp.sync", -1);
    let same_bin = value!(f, "same_bin", "match.any.sync.b32", bin, -1);
    let sector = value!(f, "sector", "shr.u32", bin, 5 - shift);
    let same_sector = value!(f, "same_sector", "match.any.sync.b32", sector, -1);
    let before = value!(f, "before", "shfl.sync.up.b32", bin, 1, 0, -1);

    let own = value!(f, "own", "shl.b32", 1, gang.lane);
    let below = value!(f, "below", "sub.u32", own, 1);
    let mut is_first = |same: Reg| {
        let others = value!(f, "others", "and.b32", same, below);
        value!(f, "first", "setp.eq.u32", others, 0)
    };
    let [first_in_bin, first_in_sector] = [same_bin, same_sector].map(&mut is_first);
    let lowest = value!(f, "lowest", "setp.eq.u32", gang.lane, 0);
    let differs = value!(f, "differs", "setp.ne.u32", before, bin);
    let begins = value!(f, "begins", "or.pred", lowest, differs);

    let lanes = value!(f, "lanes", "popc.b32", same_bin);
    let look = value!(f, "look", "selp.b32", lanes, 0, first_in_bin);
    for (tells, bit) in [(first_in_sector, SECTOR), (begins, RUN)] {
        f.op_if(
            tells,
            true,
            "or.b32",
            &[look.into(), look.into(), bit.into()],
        );
    }
    f.store_vector(
        "st.global.v2.u32",
        Operand::At(at, 0),
        &[bin.into(), look.into()],
    );
}

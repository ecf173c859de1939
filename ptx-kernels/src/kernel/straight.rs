//! Kernels that may update the user's bins themselves, see [`Ending`].
//!
//! One text serves all launches, by a parameter: updates of a copy that is merged, a rehearsal, whose updates are skipped, and
//! updates of the bins, which begin only if the rehearsal before them has met no fault. They meet none then, and check their
//! indices all the same.

use super::Kernel;
use crate::plan::Ending;
use crate::strategy;
use crate::tile_reduce;
use crate::value;
use crate::writer::Operand;

impl Kernel {
    /// Writes where updates go, before there are copies.
    pub(super) fn begin_straight(&mut self) {
        let may = |t: &strategy::Target| strategy::updates_bins(t.placement, t.op, t.elem);
        if self.writes || self.targets.is_empty() || !self.targets.iter().all(|(t, _)| may(t)) {
            return;
        }
        let f = &mut self.function;
        f.comment(
            "Updates go into a copy, or straight into the bins after a rehearsal that skips them.",
        );
        let is = |ending: Ending| Operand::Int(ending as i64);
        let rehearses = value!(
            f,
            "rehearses",
            "setp.eq.u64",
            self.merge,
            is(Ending::Rehearsal)
        );
        let straight = value!(
            f,
            "straight",
            "setp.eq.u64",
            self.merge,
            is(Ending::Straight)
        );
        for (_, memory) in &mut self.targets {
            memory.scratch = value!(f, "copy", "selp.b64", memory.bins, memory.scratch, straight);
        }
        let begin = f.label("begin");
        f.branch_if(straight, false, begin);
        let clean = tile_reduce::is_clean(f, self.error);
        f.op_if(clean, false, "ret", &[]);
        f.place(begin);
        self.rehearses = Some(rehearses);
    }
}

//! What comes behind the loop: the gang's copies go to where they are merged, and the last gang merges.
//!
//! A loop that cannot fail needs no last gang: its gangs bring their copies into the user's bins themselves ([`Safe`]).
//!
//! Who is last is told by a ticket that one thread of every gang takes when the gang's copies are in the scratch memory. A
//! barrier before it gathers what the gang has written, and a fence on both sides of the ticket makes it visible to the gang
//! that comes last: release and acquire patterns of the PTX memory model, by the thread itself.

use super::Kernel;
use crate::emit;
use crate::plan::Ending;
use crate::strategy;
use crate::tile_reduce;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Bytes of shared memory that tell a gang whether it is the last. One word would do, but dynamic shared memory
/// begins behind it at a multiple of 16, and so nothing is lost that is not counted.
pub(super) const LAST_BYTES: u32 = 16;

/// When no iteration of the loop fails, as far as all threads can tell from the parameters.
#[derive(Clone, Debug)]
pub struct Safe {
    /// A predicate: whether every array that the loop streams holds all of its items.
    pub covered: Reg,
    /// Lengths, clipped to 32 bits, and the index that each has to exceed.
    pub lengths: Vec<(Reg, u64)>,
}

impl Kernel {
    /// Whether the gangs' copies may go straight into the user's bins, if no iteration can fail.
    pub fn may_go_straight(&self) -> bool {
        self.targets.iter().all(|(t, _)| strategy::goes_straight(t))
    }

    /// Ways to fail that have been written so far.
    pub fn reports(&self) -> u32 {
        self.reports
    }

    /// Says where no iteration fails.
    pub fn is_safe(&mut self, safe: Safe) {
        self.safe = Some(safe);
    }

    /// A predicate, the same in all threads: whether the gangs' copies go straight into the user's bins.
    fn straight(&mut self, merges: Reg) -> Option<Reg> {
        if !self.may_go_straight() {
            return None;
        }
        if self.reports == 0 {
            return Some(merges);
        }
        let Safe { covered, lengths } = self.safe.take()?;
        let f = &mut self.function;
        let mut straight = value!(f, "straight", "and.pred", merges, covered);
        for (length, index) in lengths {
            let long = value!(f, "long", "setp.gt.u32", length, index as i64);
            straight = value!(f, "straight", "and.pred", straight, long);
        }
        Some(straight)
    }

    /// Writes everything behind the loop.
    pub fn finish(mut self) -> Function {
        if self.targets.is_empty() {
            self.function.end_call();
            emit!(self.function, "ret");
            return self.function;
        }
        let f = &mut self.function;
        f.comment("The gang's copies go into the scratch memory, or straight into the bins where nothing can fail.");
        let last_gang = Ending::LastGang as i64;
        let merges = value!(f, "merges", "setp.eq.u64", self.merge, last_gang);
        let straight = self.straight(merges);
        let Kernel {
            function: mut f,
            mut gang,
            error,
            ticket,
            reports,
            blocks,
            targets,
            copies,
            ..
        } = self;
        gang.straight = straight;
        copies.iter().for_each(|c| c.gather(&mut f, &gang));
        emit!(f, "bar.sync", 0);
        for copies in &copies {
            copies.epilogue(&mut f, &gang);
        }
        let end = f.label("end");
        if reports == 0 && straight.is_some() {
            // Nothing is left to do, whether the copies went into the bins or wait for a merge of their own.
            f.place(end);
            emit!(f, "ret");
            return f;
        }
        f.branch_if(merges, false, end);
        if let Some(straight) = straight {
            f.branch_if(straight, true, end);
        }

        f.comment("The gang that comes here last merges.");
        emit!(f, "bar.sync", 0);
        let name = f.unique("is_last");
        f.declare(format!(".shared .align 16 .b8 {name}[{LAST_BYTES}];"));
        let flag = f.address_of(Class::B32, &name);
        let known = f.label("last_known");
        let other = value!(f, "other_thread", "setp.ne.u32", gang.thread, 0);
        f.branch_if(other, true, known);
        emit!(f, "fence.acq_rel.gpu");
        let before = value!(
            f,
            "before",
            "atom.global.add.u32",
            Operand::At(ticket, 0),
            1
        );
        emit!(f, "fence.acq_rel.gpu");
        let others = value!(f, "others", "sub.u32", blocks, 1);
        let last = value!(f, "last", "setp.eq.u32", before, others);
        let last = value!(f, "last", "selp.b32", 1, 0, last);
        emit!(f, "st.shared.u32", Operand::At(flag, 0), last);
        f.place(known);
        emit!(f, "bar.sync", 0);
        let last = value!(f, "last", "ld.shared.u32", Operand::At(flag, 0));
        let last = value!(f, "last", "setp.ne.u32", last, 0);
        f.branch_if(last, false, end);
        let first = value!(f, "first_thread", "setp.eq.u32", gang.thread, 0);
        f.op_if(
            first,
            true,
            "st.relaxed.gpu.global.u32",
            &[Operand::At(ticket, 0), 0.into()],
        );
        let clean = tile_reduce::is_clean(&mut f, error);
        let step = value!(f, "step", "cvt.u64.u32", gang.threads);
        for (target, memory) in &targets {
            f.comment(&format!("Merge {}.", target.name));
            let bin = value!(f, "bin", "cvt.u64.u32", gang.thread);
            tile_reduce::merge_loop(&mut f, target.op, target.elem, *memory, clean, bin, step);
        }
        f.place(end);
        emit!(f, "ret");
        f
    }
}

//! The state of a warp: registers, program counters, stacks, clocks.
//!
//! Every thread has its own program counter. Threads with the same counter in the same call chain
//! form a group and execute together; a branch that goes both ways splits a group, and groups that
//! meet again merge.

use super::isa::{Lanes, Pred, PredSrc, Reg, Src, WARP};
use super::race::Far;
use super::rng::Rng;
use super::sync::ThreadSync;
use std::rc::Rc;

/// A call chain. Frames of equal chains are the same frame, so that threads which entered a
/// function at different times still meet in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub parent: u32,
    /// The call instruction that made it.
    pub call: u32,
    pub registers: u32,
    pub predicates: u32,
    pub local: u32,
    pub depth: u32,
}

/// A thread's stack memory, with which bytes were written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Local {
    pub data: Vec<u8>,
    pub written: Vec<bool>,
}

/// A copy that `cp.async` began: destination (shared offset), source address, bytes, bytes read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    pub dst: u64,
    pub src: u64,
    pub size: u32,
    pub read: u32,
    pub pc: u32,
    pub group: u64,
}

/// Pending asynchronous copies of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    pub list: Vec<Copy>,
    pub group: u64,
}

/// Threads that run together: where, and where others wait to be joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub mask: u32,
    pub pc: u32,
    pub frame: u32,
    /// Other runnable threads exist.
    pub partial: bool,
    /// The next instruction at which others of this call chain wait.
    pub meet: u32,
}

/// A warp of a resident block.
#[derive(Debug, Default)]
pub(crate) struct Warp {
    /// Index in the block, and the first thread's index in the launch.
    pub index: u32,
    pub first: u32,
    /// Threads that have not exited.
    pub live: u32,
    /// Live threads that wait for a collective or a block barrier.
    pub in_collective: u32,
    pub in_barrier: u32,
    pub pc: [u32; WARP],
    pub frame: [u32; WARP],
    pub frames: Vec<Frame>,
    pub regs: Vec<Lanes>,
    reg_written: Vec<u32>,
    pub preds: Vec<u32>,
    pred_written: Vec<u32>,
    /// The carry flag and whether it was set.
    pub carry: u32,
    pub carry_written: u32,
    /// The member mask of each thread that waits in a collective.
    pub members: [u32; WARP],
    pub local: Vec<Local>,
    pub copies: Vec<Copies>,
    /// Clocks, for races.
    pub clock: [u32; WARP],
    pub known: [u32; WARP],
    pub lanes: Option<Box<[[u32; WARP]; WARP]>>,
    pub far: Vec<Option<Rc<Far>>>,
    pub sync: Vec<Option<Box<ThreadSync>>>,
}

impl Warp {
    /// Makes the warp ready for a kernel's first instruction.
    pub(crate) fn start(&mut self, index: u32, first: u32, threads: u32, pc: u32, clock: u32) {
        self.index = index;
        self.first = first;
        self.live = if threads >= 32 {
            u32::MAX
        } else {
            (1 << threads) - 1
        };
        self.in_collective = 0;
        self.in_barrier = 0;
        self.pc = [pc; WARP];
        self.frame = [0; WARP];
        self.frames.clear();
        self.frames.push(Frame {
            parent: 0,
            call: u32::MAX,
            registers: 0,
            predicates: 0,
            local: 0,
            depth: 0,
        });
        self.carry_written = 0;
        self.local.clear();
        self.local.resize_with(WARP, Local::default);
        self.copies.clear();
        self.clock = [clock; WARP];
        self.known = [clock; WARP];
        self.lanes = None;
        self.far.clear();
        self.far.resize(WARP, None);
        self.sync.clear();
        self.sync.resize_with(WARP, || None);
    }

    /// At least so many registers and predicates.
    pub(crate) fn grow(&mut self, registers: u32, predicates: u32) {
        if self.regs.len() < registers as usize {
            self.regs.resize(registers as usize, [0; WARP]);
            self.reg_written.resize(registers as usize, 0);
        }
        if self.preds.len() < predicates as usize {
            self.preds.resize(predicates as usize, 0);
            self.pred_written.resize(predicates as usize, 0);
        }
    }

    /// Threads that can go on.
    pub(crate) fn runnable(&self) -> u32 {
        self.live & !self.in_collective & !self.in_barrier
    }

    /// Picks a group: mostly the one that is furthest behind (deepest call, lowest counter), which
    /// brings diverged threads together again; sometimes any, so that every thread makes progress.
    pub(crate) fn pick(&self, rng: &mut Rng) -> Option<Group> {
        let runnable = self.runnable();
        if runnable == 0 {
            return None;
        }
        let lead = runnable.trailing_zeros() as usize;
        let same = |lane: usize| {
            let mut mask = 0;
            for i in 0..WARP {
                mask |= u32::from(self.pc[i] == self.pc[lane] && self.frame[i] == self.frame[lane])
                    << i;
            }
            mask & runnable
        };
        let first = same(lead);
        if first == runnable {
            let (pc, frame) = (self.pc[lead], self.frame[lead]);
            return Some(Group {
                mask: first,
                pc,
                frame,
                partial: false,
                meet: u32::MAX,
            });
        }
        let lane = if rng.next() & 7 == 0 {
            let mut left = runnable;
            for _ in 0..rng.below(runnable.count_ones() as usize) {
                left &= left - 1;
            }
            left.trailing_zeros() as usize
        } else {
            (0..WARP)
                .filter(|i| runnable >> i & 1 == 1)
                .min_by_key(|&i| {
                    let depth = self.frames[self.frame[i] as usize].depth;
                    (u32::MAX - depth, self.pc[i])
                })
                .unwrap_or(lead)
        };
        let (pc, frame) = (self.pc[lane], self.frame[lane]);
        let mask = same(lane);
        let meet = (0..WARP)
            .filter(|i| {
                (runnable & !mask) >> i & 1 == 1 && self.frame[*i] == frame && self.pc[*i] > pc
            })
            .map(|i| self.pc[i])
            .min();
        Some(Group {
            mask,
            pc,
            frame,
            partial: true,
            meet: meet.unwrap_or(u32::MAX),
        })
    }

    /// Sets the program counter of some threads.
    pub(crate) fn set_pc(&mut self, mask: u32, pc: u32) {
        if mask == u32::MAX {
            self.pc = [pc; WARP];
            return;
        }
        for i in 0..WARP {
            if mask >> i & 1 == 1 {
                self.pc[i] = pc;
            }
        }
    }

    /// The lanes of an operand.
    #[inline(always)]
    pub(crate) fn src<'a>(&'a self, constants: &'a [Lanes], frame: &Frame, s: Src) -> &'a Lanes {
        match s.split() {
            Ok(r) => &self.regs[(frame.registers + r) as usize],
            Err(c) => &constants[c],
        }
    }

    /// Lanes of `mask` in which an operand was never written.
    #[inline(always)]
    pub(crate) fn unwritten(&self, frame: &Frame, s: Src, mask: u32) -> u32 {
        match s.split() {
            Ok(r) => mask & !self.reg_written[(frame.registers + r) as usize],
            Err(_) => 0,
        }
    }

    /// Writes the lanes of `mask`.
    #[inline(always)]
    pub(crate) fn set(&mut self, frame: &Frame, d: Reg, values: &Lanes, mask: u32) {
        let at = (frame.registers + d.0) as usize;
        self.reg_written[at] |= mask;
        let to = &mut self.regs[at];
        if mask == u32::MAX {
            *to = *values;
        } else {
            for i in 0..WARP {
                if mask >> i & 1 == 1 {
                    to[i] = values[i];
                }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn set_lane(&mut self, frame: &Frame, d: Reg, lane: usize, value: u64) {
        let at = (frame.registers + d.0) as usize;
        self.reg_written[at] |= 1 << lane;
        self.regs[at][lane] = value;
    }

    /// Makes lanes of a register count as never written.
    pub(crate) fn unset(&mut self, frame: &Frame, d: Reg, mask: u32) {
        self.reg_written[(frame.registers + d.0) as usize] &= !mask;
    }

    /// Lanes in which a predicate holds; the second is the lanes where it was never written.
    #[inline(always)]
    pub(crate) fn pred(&self, frame: &Frame, p: PredSrc, mask: u32) -> (u32, u32) {
        match p {
            PredSrc::Const(true) => (mask, 0),
            PredSrc::Const(false) => (0, 0),
            PredSrc::Reg(p, negated) => {
                let at = (frame.predicates + p.0) as usize;
                let v = if negated {
                    !self.preds[at]
                } else {
                    self.preds[at]
                };
                (v & mask, mask & !self.pred_written[at])
            }
        }
    }

    #[inline(always)]
    pub(crate) fn set_pred(&mut self, frame: &Frame, p: Pred, values: u32, mask: u32) {
        let at = (frame.predicates + p.0) as usize;
        self.preds[at] = self.preds[at] & !mask | values & mask;
        self.pred_written[at] |= mask;
    }

    /// Makes a callee's registers, predicates and stack bytes count as never written.
    pub(crate) fn enter(
        &mut self,
        frame: &Frame,
        registers: u32,
        predicates: u32,
        bytes: u32,
        mask: u32,
    ) {
        self.grow(frame.registers + registers, frame.predicates + predicates);
        for w in &mut self.reg_written[frame.registers as usize..][..registers as usize] {
            *w &= !mask;
        }
        for w in &mut self.pred_written[frame.predicates as usize..][..predicates as usize] {
            *w &= !mask;
        }
        let (low, high) = (frame.local as usize, (frame.local + bytes) as usize);
        for (i, local) in self.local.iter_mut().enumerate() {
            if mask >> i & 1 == 1 {
                if local.data.len() < high {
                    local.data.resize(high, 0);
                    local.written.resize(high, false);
                }
                local.written[low..high].fill(false);
            }
        }
    }
}

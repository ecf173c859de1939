//! Execution: a group of threads runs until its time slice ends, it splits, or it has to wait.

mod access;
mod atomic;
mod barrier;
mod call;
mod collective;
mod copy;
mod count;
mod order;
mod simple;

use super::fault::FaultKind;
use super::isa::{Op, PredSrc, Src};
use super::launch::{Block, Exec, Run, Trouble};
use super::warp::{Frame, Group, Warp};

/// A group at one instruction: what the executing functions need to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Here {
    pub frame: Frame,
    pub frame_id: u32,
    pub pc: u32,
    /// The threads whose guard holds.
    pub active: u32,
}

impl Here {
    /// The trouble of one lane of `warp` at this instruction.
    #[cold]
    pub(crate) fn trouble(
        &self,
        warp: &Warp,
        lane: usize,
        kind: FaultKind,
        message: impl Into<String>,
    ) -> Box<Trouble> {
        Box::new(Trouble {
            kind,
            message: message.into(),
            at: Some((warp.first + lane as u32, self.pc)),
            others: vec![],
        })
    }
}

impl Run<'_> {
    /// Runs up to `fuel` instructions of a warp.
    pub(crate) fn slice(&mut self, block: &mut Block, w: usize, mut fuel: u32) -> Exec<()> {
        let code = self.module.code.as_slice();
        'pick: while fuel > 0 {
            let warp = &mut block.warps[w];
            let Some(group) = warp.pick(&mut self.rng) else {
                return Ok(());
            };
            let Group {
                mask,
                mut pc,
                frame: frame_id,
                partial,
                meet,
            } = group;
            let frame = warp.frames[frame_id as usize];
            loop {
                let instr = &code[pc as usize];
                if fuel == 0 {
                    warp.set_pc(mask, pc);
                    return Ok(());
                }
                fuel -= 1;
                let active = match instr.guard {
                    None => mask,
                    Some((p, negated)) => {
                        let (holds, missing) = warp.pred(&frame, PredSrc::Reg(p, negated), mask);
                        if missing != 0 {
                            let here = Here {
                                frame,
                                frame_id,
                                pc,
                                active: mask,
                            };
                            return Err(self.unwritten_pred(warp, &here, missing, p.0));
                        }
                        holds
                    }
                };
                self.stats.warp_instructions += 1;
                self.stats.thread_instructions += u64::from(active.count_ones());
                let here = Here {
                    frame,
                    frame_id,
                    pc,
                    active,
                };
                match &instr.op {
                    Op::Bra { target } => {
                        if active == mask {
                            pc = *target;
                        } else if active == 0 {
                            pc += 1;
                        } else {
                            self.stats.divergent_branches += 1;
                            warp.set_pc(active, *target);
                            warp.set_pc(mask & !active, pc + 1);
                            continue 'pick;
                        }
                        if partial {
                            warp.set_pc(mask, pc);
                            continue 'pick;
                        }
                        continue;
                    }
                    _ if active == 0 => {}
                    Op::BrxIdx { index, targets } => {
                        self.written(warp, &here, *index)?;
                        let lanes = *warp.src(&self.constants, &frame, *index);
                        warp.set_pc(mask & !active, pc + 1);
                        for lane in lanes_of(active) {
                            let Some(&target) = targets.get(lanes[lane] as usize) else {
                                return Err(here.trouble(
                                    warp,
                                    lane,
                                    FaultKind::InvalidOperand,
                                    format!(
                                        "index {} is past the branch's {} targets",
                                        lanes[lane],
                                        targets.len()
                                    ),
                                ));
                            };
                            warp.pc[lane] = target;
                        }
                        continue 'pick;
                    }
                    Op::Call(call) => {
                        warp.set_pc(mask & !active, pc + 1);
                        self.call(warp, &here, call)?;
                        continue 'pick;
                    }
                    Op::Ret if frame.call != u32::MAX => {
                        warp.set_pc(mask & !active, pc + 1);
                        self.ret(warp, &here)?;
                        continue 'pick;
                    }
                    Op::Ret | Op::Exit => {
                        warp.set_pc(mask & !active, pc + 1);
                        self.exit(block, w, &here)?;
                        continue 'pick;
                    }
                    Op::Bar(bar) => {
                        warp.set_pc(mask, pc);
                        warp.set_pc(mask & !active, pc + 1);
                        self.barrier(block, w, &here, bar)?;
                        continue 'pick;
                    }
                    Op::Collective(c) => {
                        warp.set_pc(mask, pc);
                        warp.set_pc(mask & !active, pc + 1);
                        // A whole warp in step goes on at once.
                        if self.collective(warp, &here, c)? && active == mask && !partial {
                            pc += 1;
                            continue;
                        }
                        continue 'pick;
                    }
                    Op::Nanosleep => {
                        warp.set_pc(mask, pc + 1);
                        return Ok(());
                    }
                    op => self.simple(&mut block.core, warp, &here, op, mask)?,
                }
                pc += 1;
                if pc == meet {
                    warp.set_pc(mask, pc);
                    continue 'pick;
                }
            }
        }
        Ok(())
    }

    /// Fails if an active lane of an operand was never written.
    #[inline(always)]
    pub(crate) fn written(&self, warp: &Warp, here: &Here, s: Src) -> Exec<()> {
        let missing = warp.unwritten(&here.frame, s, here.active);
        if missing == 0 {
            Ok(())
        } else {
            Err(self.unwritten_reg(warp, here, missing, s))
        }
    }

    /// Lanes in which a predicate operand holds.
    pub(crate) fn holds(&self, warp: &Warp, here: &Here, p: PredSrc) -> Exec<u32> {
        let (holds, missing) = warp.pred(&here.frame, p, here.active);
        match p {
            PredSrc::Reg(r, _) if missing != 0 => {
                Err(self.unwritten_pred(warp, here, missing, r.0))
            }
            _ => Ok(holds),
        }
    }

    #[cold]
    fn unwritten_reg(&self, warp: &Warp, here: &Here, missing: u32, s: Src) -> Box<Trouble> {
        let name = match s.split() {
            Ok(r) => self.module.register_name(here.pc, r, false),
            Err(_) => "a constant".into(),
        };
        self.unwritten_name(warp, here, missing, &name)
    }

    #[cold]
    fn unwritten_pred(&self, warp: &Warp, here: &Here, missing: u32, p: u32) -> Box<Trouble> {
        let name = self.module.register_name(here.pc, p, true);
        self.unwritten_name(warp, here, missing, &name)
    }

    fn unwritten_name(&self, warp: &Warp, here: &Here, missing: u32, name: &str) -> Box<Trouble> {
        let lane = missing.trailing_zeros() as usize;
        here.trouble(
            warp,
            lane,
            FaultKind::Uninitialised,
            format!("register `{name}` is used, and this thread never wrote it"),
        )
    }
}

/// The lanes of a mask, in order.
pub(crate) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            lane
        })
    })
}

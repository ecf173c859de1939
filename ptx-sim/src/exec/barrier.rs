//! Block barriers.
//!
//! A barrier for all threads is complete when every thread of the block that has not exited waits
//! at it: the PTX ISA has `exit` release barriers that only exiting threads hold up. A barrier with
//! a count is complete when so many threads, in whole warps, have arrived. Two things that PTX
//! leaves to the program are faults here: threads of one warp at different `.aligned` barriers, and
//! threads of a block completing a barrier for all threads from different instructions, which no
//! kernel written for one set of barriers does on purpose.

use super::collective::join;
use super::{Here, lanes_of};
use crate::fault::FaultKind;
use crate::isa::{Barrier, BarrierKind, Op, WARP};
use crate::launch::{BarrierState, Block, Exec, Run, Trouble};
use crate::race::raise;
use crate::warp::Warp;
use std::rc::Rc;

impl Run<'_> {
    /// The active lanes of warp `w` arrive at a barrier.
    pub(super) fn barrier(
        &mut self,
        block: &mut Block,
        w: usize,
        here: &Here,
        bar: &Barrier,
    ) -> Exec<()> {
        let warp = &mut block.warps[w];
        let lead = here.active.trailing_zeros() as usize;
        let ids = self.operand(warp, here, bar.id)?;
        let counts = match bar.count {
            Some(c) => Some(self.operand(warp, here, c)?),
            None => None,
        };
        let id = ids[lead] as usize;
        let count = counts.map(|c| c[lead] as u32);
        if lanes_of(here.active)
            .any(|l| ids[l] != ids[lead] || counts.is_some_and(|c| c[l] != c[lead]))
        {
            let message = "the threads of a warp give a barrier different ids or counts";
            return Err(here.trouble(warp, lead, FaultKind::DivergentBarrier, message));
        }
        if id >= 16 {
            let message = format!("barrier {id} does not exist: a block has 0 to 15");
            return Err(here.trouble(warp, lead, FaultKind::InvalidOperand, message));
        }
        if let Some(n) = count
            && (n == 0 || n % WARP as u32 != 0)
        {
            let message =
                format!("a barrier's thread count is a multiple of the warp size, not {n}");
            return Err(here.trouble(warp, lead, FaultKind::InvalidOperand, message));
        }
        if bar.aligned {
            self.aligned(warp, here)?;
        }
        let holds = match &bar.kind {
            BarrierKind::RedPopc { a, .. } | BarrierKind::RedPred { a, .. } => {
                self.holds(warp, here, *a)?
            }
            BarrierKind::Sync | BarrierKind::Arrive => 0,
        };
        let red = !matches!(bar.kind, BarrierKind::Sync | BarrierKind::Arrive);
        block.core.barriers.resize(16, BarrierState::default());
        let state = &mut block.core.barriers[id];
        let first = (warp.first + lead as u32, here.pc);
        if state.arrived.is_empty() {
            *state = BarrierState {
                arrived: vec![0; block.warps.len()],
                count,
                first,
                popc: 0,
                all: true,
                any: false,
                passed: vec![],
            };
        }
        let state = &mut block.core.barriers[id];
        let warp = &mut block.warps[w];
        if state.count != count {
            let message =
                format!("barrier {id} is used with different thread counts at the same time");
            let mut t = here.trouble(warp, lead, FaultKind::DivergentBarrier, message);
            t.others.push(state.first);
            return Err(t);
        }
        if count.is_none() && state.first.1 != here.pc {
            let message = "threads of the block wait at different barriers";
            let mut t = here.trouble(warp, lead, FaultKind::DivergentBarrier, message);
            t.others.push(state.first);
            return Err(t);
        }
        if state.arrived[w] & here.active != 0 {
            let message = format!("a thread arrives twice at barrier {id} before it is complete");
            return Err(here.trouble(warp, lead, FaultKind::DivergentBarrier, message));
        }
        state.arrived[w] |= here.active;
        if red {
            state.popc += holds.count_ones();
            state.all &= holds == here.active;
            state.any |= holds != 0;
        }
        if matches!(bar.kind, BarrierKind::Arrive) {
            // What an arriving thread does from here on, the others do not learn.
            for lane in lanes_of(here.active) {
                warp.clock[lane] += 1;
                state
                    .passed
                    .push((warp.first + lane as u32, warp.clock[lane]));
            }
            warp.set_pc(here.active, here.pc + 1);
        } else {
            warp.in_barrier |= here.active;
        }
        self.try_complete(block, id)
    }

    /// No other thread of the warp waits at another aligned barrier.
    fn aligned(&self, warp: &Warp, here: &Here) -> Exec<()> {
        let elsewhere = lanes_of(warp.in_barrier & warp.live).find(|&l| warp.pc[l] != here.pc);
        let Some(lane) = elsewhere else { return Ok(()) };
        let lead = here.active.trailing_zeros() as usize;
        let message = "threads of one warp wait at different barriers: a barrier stands in code that they do not all run";
        let mut t: Box<Trouble> = here.trouble(warp, lead, FaultKind::DivergentBarrier, message);
        t.others.push((warp.first + lane as u32, warp.pc[lane]));
        Err(t)
    }

    /// After threads have exited: barriers may be complete without them.
    pub(super) fn after_exit(&mut self, block: &mut Block) -> Exec<()> {
        for id in 0..block.core.barriers.len() {
            if !block.core.barriers[id].arrived.is_empty() {
                self.try_complete(block, id)?;
            }
        }
        Ok(())
    }

    fn try_complete(&mut self, block: &mut Block, id: usize) -> Exec<()> {
        let state = &block.core.barriers[id];
        // A warp counts once all its threads that are left have arrived.
        let whole = |(warp, &arrived): (&Warp, &u32)| arrived & warp.live == warp.live;
        let complete = match state.count {
            None => block.warps.iter().zip(&state.arrived).all(whole),
            Some(n) => {
                let warps = block
                    .warps
                    .iter()
                    .zip(&state.arrived)
                    .filter(|p| *p.1 != 0 && whole(*p))
                    .count();
                warps * WARP >= n as usize
            }
        };
        if !complete {
            return Ok(());
        }
        let state = std::mem::take(&mut block.core.barriers[id]);
        self.stats.barriers += 1;
        block.core.woke = true;
        self.order(block, &state);
        for (warp, &arrived) in block.warps.iter_mut().zip(&state.arrived) {
            let waiting = arrived & warp.in_barrier & warp.live;
            warp.in_barrier &= !waiting;
            for lane in lanes_of(waiting) {
                let frame = warp.frames[warp.frame[lane] as usize];
                if let Op::Bar(bar) = &self.module.code[warp.pc[lane] as usize].op {
                    match bar.kind {
                        BarrierKind::RedPopc { d, .. } => {
                            warp.set_lane(&frame, d, lane, u64::from(state.popc))
                        }
                        BarrierKind::RedPred { all, p, .. } => {
                            let v = if all { state.all } else { state.any };
                            warp.set_pred(&frame, p, u32::from(v) << lane, 1 << lane);
                        }
                        BarrierKind::Sync | BarrierKind::Arrive => {}
                    }
                }
                warp.pc[lane] += 1;
            }
        }
        Ok(())
    }

    /// What the threads did before the barrier is ordered before what they do after it.
    fn order(&mut self, block: &mut Block, state: &BarrierState) {
        let parts = || block.warps.iter().zip(&state.arrived);
        let clock = parts().flat_map(|(w, _)| w.clock).max().unwrap_or(0) + 1;
        self.max_clock = self.max_clock.max(clock);
        let everyone = state.count.is_none();
        let mut far = join(parts().flat_map(|(w, &a)| lanes_of(a).map(move |l| &w.far[l])));
        let known = if everyone {
            // All of the block, those that have exited included, up to here.
            clock
        } else {
            // The participants, one by one.
            let joined = Rc::make_mut(far.get_or_insert_with(Default::default));
            for (w, &a) in block.warps.iter().zip(&state.arrived) {
                for lane in lanes_of(a & w.in_barrier) {
                    raise(&mut joined.threads, w.first + lane as u32, clock);
                }
            }
            for &(thread, clock) in &state.passed {
                raise(&mut joined.threads, thread, clock);
            }
            block
                .warps
                .iter()
                .zip(&state.arrived)
                .flat_map(|(w, &a)| lanes_of(a).map(move |l| w.known[l]))
                .max()
                .unwrap_or(0)
        };
        for (warp, &arrived) in block.warps.iter_mut().zip(&state.arrived) {
            for lane in lanes_of(arrived) {
                let waits = warp.in_barrier >> lane & 1 == 1;
                if !waits && !everyone {
                    // `bar.arrive` went on already: it told others and learns nothing.
                    continue;
                }
                warp.clock[lane] = clock;
                warp.known[lane] = known;
                if far.is_some() {
                    warp.far[lane] = far.clone();
                }
            }
        }
    }
}

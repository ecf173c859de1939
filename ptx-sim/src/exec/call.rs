//! Calls, returns, exits.

use super::{Here, lanes_of};
use crate::fault::FaultKind;
use crate::isa::Call;
use crate::launch::{Block, Exec, Run};
use crate::warp::{Frame, Warp};

/// Deeper calls are taken for endless recursion.
const MAX_DEPTH: u32 = 1024;

impl Run<'_> {
    /// Enters a function with the active lanes.
    pub(super) fn call(&mut self, warp: &mut Warp, here: &Here, call: &Call) -> Exec<()> {
        let module = self.module;
        let callee = &module.functions[call.func as usize];
        let lead = here.active.trailing_zeros() as usize;
        if !callee.defined {
            let message = format!(
                "`{}` is called, and the module has no body for it",
                callee.name
            );
            return Err(here.trouble(warp, lead, FaultKind::InvalidOperand, message));
        }
        let caller = module.function_at(here.pc);
        let frame = Frame {
            parent: here.frame_id,
            call: here.pc,
            registers: here.frame.registers + caller.registers,
            predicates: here.frame.predicates + caller.predicates,
            local: here.frame.local + caller.frame,
            depth: here.frame.depth + 1,
        };
        if frame.depth > MAX_DEPTH || frame.local + callee.frame > self.limits.local_per_thread {
            let message = format!(
                "the call of `{}` is {} deep and needs {} bytes of stack",
                callee.name,
                frame.depth,
                frame.local + callee.frame
            );
            return Err(here.trouble(warp, lead, FaultKind::StackOverflow, message));
        }
        let same = |f: &Frame| f.parent == frame.parent && f.call == frame.call;
        let id = match warp.frames.iter().position(same) {
            Some(id) => id,
            None => {
                warp.frames.push(frame);
                warp.frames.len() - 1
            }
        };
        warp.enter(
            &frame,
            callee.registers,
            callee.predicates,
            callee.frame,
            here.active,
        );
        for &(from, to, len) in &call.params {
            copy(
                warp,
                here.active,
                here.frame.local + from,
                frame.local + to,
                len,
            );
        }
        for &(s, d) in &call.reg_params {
            self.written(warp, here, s)?;
            let values = *warp.src(&self.constants, &here.frame, s);
            warp.set(&frame, d, &values, here.active);
        }
        for lane in lanes_of(here.active) {
            warp.pc[lane] = callee.start;
            warp.frame[lane] = id as u32;
        }
        Ok(())
    }

    /// Leaves a function with the active lanes.
    pub(super) fn ret(&mut self, warp: &mut Warp, here: &Here) -> Exec<()> {
        let module = self.module;
        let caller = warp.frames[here.frame.parent as usize];
        let crate::isa::Op::Call(call) = &module.code[here.frame.call as usize].op else {
            unreachable!("a frame is made by a call")
        };
        for &(from, to, len) in &call.results {
            copy(
                warp,
                here.active,
                here.frame.local + from,
                caller.local + to,
                len,
            );
        }
        for &(s, d) in &call.reg_results {
            self.written(warp, here, s.into())?;
            let values = *warp.src(&self.constants, &here.frame, s.into());
            warp.set(&caller, d, &values, here.active);
        }
        for lane in lanes_of(here.active) {
            warp.pc[lane] = here.frame.call + 1;
            warp.frame[lane] = here.frame.parent;
        }
        Ok(())
    }

    /// Ends the active lanes.
    pub(super) fn exit(&mut self, block: &mut Block, w: usize, here: &Here) -> Exec<()> {
        let warp = &mut block.warps[w];
        self.wait_copies(&mut block.core, warp, here, 0, true)?;
        warp.live &= !here.active;
        // Whoever waits for a member that is gone looks again.
        warp.in_collective = 0;
        self.after_exit(block)
    }
}

/// Copies stack bytes, with whether they were written, from one place to another.
fn copy(warp: &mut Warp, mask: u32, from: u32, to: u32, len: u32) {
    let (from, to, len) = (from as usize, to as usize, len as usize);
    for lane in lanes_of(mask) {
        let local = &mut warp.local[lane];
        local.data.copy_within(from..from + len, to);
        local.written.copy_within(from..from + len, to);
    }
}

//! Atomics and reductions: the lanes one after the other, from a random one on, since PTX gives them
//! no order.

use super::access::{Place, kind, touch, who};
use super::count::Counted;
use super::{Here, lanes_of};
use crate::alu::atomic::shared_f32_add;
use crate::fault::FaultKind;
use crate::isa::{AtomOp, Atomic, Lanes, Type, WARP};
use crate::launch::{Core, Exec, Run};
use crate::warp::Warp;

impl Run<'_> {
    pub(super) fn atomic(
        &mut self,
        core: &mut Core,
        warp: &mut Warp,
        here: &Here,
        op: &Atomic,
    ) -> Exec<()> {
        const WHAT: &str = "an atomic";
        let addresses = self.addresses(warp, here, &op.addr)?;
        let size = op.ty.size() as usize;
        let len = size * op.dst.len();
        let how = kind(&op.order, true);
        let (threads, launch, pc) = (self.geometry.threads, self.launch_clock, here.pc);
        let b: Vec<Lanes>;
        let first = self.operand(warp, here, op.b[0])?;
        let operands: &[Lanes] = if op.b.len() == 1 {
            std::slice::from_ref(&first)
        } else {
            b =
                op.b.iter()
                    .map(|&s| self.operand(warp, here, s))
                    .collect::<Exec<_>>()?;
            &b
        };
        let third = match op.c {
            Some(c) => self.operand(warp, here, c)?,
            None => first,
        };
        let reads = op.op != AtomOp::Exch;
        let mut counted = Counted::default();
        let start = self.rng.next() as u32 & 31;
        for turn in lanes_of(here.active.rotate_right(start)) {
            let lane = (turn + start as usize) % WARP;
            let place = self.resolve(op.space, addresses[lane]);
            let mut f = op.f;
            // The window that a generic address falls into decides which region it is.
            let (region, at) = match place {
                Place::Global(address) => {
                    self.stats.global_atomics += 1;
                    counted.global.add(address, len, self.limits.sector);
                    let me = who(warp, core, threads, lane, launch);
                    let (a, at) = self.global(warp, here, lane, (WHAT, true), address, len)?;
                    if let Err(h) = touch(&mut a.region, at, len, &me, how, (reads, true), pc) {
                        return Err(self.hazard(warp, here, lane, WHAT, place, h));
                    }
                    let (a, at) = self.global(warp, here, lane, (WHAT, true), address, len)?;
                    (&mut a.region, at)
                }
                Place::Shared(at) => {
                    self.stats.shared_atomics += 1;
                    counted.shared.add(at, len);
                    if op.op == AtomOp::Add && op.ty == Type::F32 {
                        f = shared_f32_add;
                    }
                    let size = core.shared.data.len();
                    let at = self.bounds(warp, here, lane, WHAT, place, (size, len))?;
                    let me = who(warp, core, threads, lane, core.start);
                    if let Err(h) = touch(&mut core.shared, at, len, &me, how, (reads, true), pc) {
                        return Err(self.hazard(warp, here, lane, WHAT, place, h));
                    }
                    (&mut core.shared, at)
                }
                Place::Local(_) | Place::Param(_) => {
                    let message = "an atomic works on global and shared memory, and this address is in neither";
                    return Err(here.trouble(warp, lane, FaultKind::InvalidOperand, message));
                }
            };
            for (i, b) in operands.iter().enumerate() {
                let old = region.get(at + i * size, size);
                region.put(at + i * size, size, f(old, b[lane], third[lane]));
                if let Some(d) = op.dst[i] {
                    warp.set_lane(&here.frame, d, lane, old);
                }
            }
            self.strong_read(core, warp, lane, place, &op.order);
            self.strong_write(core, warp, lane, place, &op.order, true);
        }
        self.count(&counted);
        Ok(())
    }
}

//! Instructions that neither branch nor wait.

use super::{Here, lanes_of};
use crate::alu::convert;
use crate::fault::FaultKind;
use crate::isa::{Bool, Carry, CarryKind, Compare, Op, Space, Special, WARP};
use crate::launch::{Core, Exec, Run};
use crate::memory::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, WINDOW};
use crate::warp::Warp;

/// The window of a space, or `None` for the spaces whose addresses are generic ones.
pub(super) fn window(space: Space) -> Option<u64> {
    match space {
        Space::Shared => Some(SHARED_WINDOW),
        Space::Local => Some(LOCAL_WINDOW),
        Space::Param => Some(PARAM_WINDOW),
        Space::Generic | Space::Global | Space::Const => None,
    }
}

impl Run<'_> {
    /// Executes one instruction for the active lanes; `group` are all that run together.
    #[inline]
    pub(super) fn simple(
        &mut self,
        core: &mut Core,
        warp: &mut Warp,
        here: &Here,
        op: &Op,
        group: u32,
    ) -> Exec<()> {
        let (frame, active) = (&here.frame, here.active);
        match op {
            Op::Mov { d, a } => {
                // A copy of nothing is nothing: compilers move undefined values about.
                let missing = warp.unwritten(frame, *a, active);
                let values = *warp.src(&self.constants, frame, *a);
                warp.set(frame, *d, &values, active);
                if missing != 0 {
                    warp.unset(frame, *d, missing);
                }
            }
            Op::F1 { f, d, a } => {
                self.written(warp, here, *a)?;
                f(
                    &mut self.scratch,
                    warp.src(&self.constants, frame, *a),
                    active,
                );
                warp.set(frame, *d, &self.scratch, active);
            }
            Op::F2 { f, d, a, b } => {
                self.written(warp, here, *a)?;
                self.written(warp, here, *b)?;
                let (a, b) = (
                    warp.src(&self.constants, frame, *a),
                    warp.src(&self.constants, frame, *b),
                );
                f(&mut self.scratch, a, b, active);
                warp.set(frame, *d, &self.scratch, active);
            }
            Op::F3 { f, d, a, b, c } => {
                self.written(warp, here, *a)?;
                self.written(warp, here, *b)?;
                self.written(warp, here, *c)?;
                let (a, b) = (
                    warp.src(&self.constants, frame, *a),
                    warp.src(&self.constants, frame, *b),
                );
                f(
                    &mut self.scratch,
                    a,
                    b,
                    warp.src(&self.constants, frame, *c),
                    active,
                );
                warp.set(frame, *d, &self.scratch, active);
            }
            Op::Div { f, d, a, b } => {
                self.written(warp, here, *a)?;
                self.written(warp, here, *b)?;
                let (a, b) = (
                    warp.src(&self.constants, frame, *a),
                    warp.src(&self.constants, frame, *b),
                );
                if let Some(lane) = lanes_of(active).find(|&l| b[l] == 0) {
                    let message = "integer division by zero, whose result PTX leaves open";
                    return Err(here.trouble(warp, lane, FaultKind::DivisionByZero, message));
                }
                f(&mut self.scratch, a, b, active);
                warp.set(frame, *d, &self.scratch, active);
            }
            Op::Setp { cmp, p, q } => {
                let raw = self.compare(warp, here, cmp)?;
                let with = self.combination(warp, here, cmp)?;
                let combine = |v: u32| with.map_or(v, |(op, c)| op.apply(v, c));
                if let Some(p) = p {
                    warp.set_pred(frame, *p, combine(raw), active);
                }
                if let Some(q) = q {
                    warp.set_pred(frame, *q, combine(!raw), active);
                }
            }
            Op::Set { cmp, d, one } => {
                let raw = self.compare(warp, here, cmp)?;
                let with = self.combination(warp, here, cmp)?;
                let holds = with.map_or(raw, |(op, c)| op.apply(raw, c));
                for (lane, out) in self.scratch.iter_mut().enumerate() {
                    *out = if holds >> lane & 1 == 1 { *one } else { 0 };
                }
                warp.set(frame, *d, &self.scratch, active);
            }
            Op::Testp { f, p, a } => {
                self.written(warp, here, *a)?;
                let a = warp.src(&self.constants, frame, *a);
                let holds = f(a, a);
                warp.set_pred(frame, *p, holds, active);
            }
            Op::Selp { d, a, b, p } => {
                let p = self.holds(warp, here, *p)?;
                let missing =
                    warp.unwritten(frame, *a, active & p) | warp.unwritten(frame, *b, active & !p);
                let (a, b) = (
                    warp.src(&self.constants, frame, *a),
                    warp.src(&self.constants, frame, *b),
                );
                for lane in 0..WARP {
                    self.scratch[lane] = if p >> lane & 1 == 1 { a[lane] } else { b[lane] };
                }
                warp.set(frame, *d, &self.scratch, active);
                if missing != 0 {
                    warp.unset(frame, *d, missing);
                }
            }
            Op::PredMov { d, a } => {
                let v = self.holds(warp, here, *a)?;
                warp.set_pred(frame, *d, v, active);
            }
            Op::PredLogic { op, d, a, b } => {
                let (a, b) = (self.holds(warp, here, *a)?, self.holds(warp, here, *b)?);
                warp.set_pred(frame, *d, op.apply(a, b), active);
            }
            Op::Cvt { c, d, a, width } => {
                self.written(warp, here, *a)?;
                let a = warp.src(&self.constants, frame, *a);
                for lane in lanes_of(active) {
                    let v = convert::apply(c, a[lane]);
                    self.scratch[lane] = convert::widen(v, c.to.bits(), *width > 0, *width);
                }
                warp.set(frame, *d, &self.scratch, active);
            }
            Op::Carry(c) => self.carry(warp, here, c)?,
            Op::Special { d, which } => {
                self.special(core, warp, *which);
                warp.set(frame, *d, &self.scratch, active);
            }
            Op::FrameAddr { d, offset, generic } => {
                let base = if *generic { LOCAL_WINDOW } else { 0 };
                let v = base
                    .wrapping_add(u64::from(frame.local))
                    .wrapping_add(*offset as u64);
                warp.set(frame, *d, &[v; WARP], active);
            }
            Op::Pack { d, a, bits } => {
                self.scratch.fill(0);
                for (i, a) in a.iter().enumerate() {
                    self.written(warp, here, *a)?;
                    let a = warp.src(&self.constants, frame, *a);
                    for (lane, a) in a.iter().enumerate() {
                        self.scratch[lane] |= (a & (u64::MAX >> (64 - bits))) << (i as u32 * bits);
                    }
                }
                warp.set(frame, *d, &self.scratch, active);
            }
            Op::Unpack { d, a, bits } => {
                self.written(warp, here, *a)?;
                let a = *warp.src(&self.constants, frame, *a);
                for (i, d) in d.iter().enumerate() {
                    let Some(d) = d else { continue };
                    for (out, a) in self.scratch.iter_mut().zip(&a) {
                        *out = a >> (i as u32 * bits) & (u64::MAX >> (64 - bits));
                    }
                    warp.set(frame, *d, &self.scratch, active);
                }
            }
            Op::Cvta { d, a, space, to } => {
                self.written(warp, here, *a)?;
                let base = window(*space).unwrap_or(0);
                let a = warp.src(&self.constants, frame, *a);
                for (out, a) in self.scratch.iter_mut().zip(a) {
                    *out = if *to {
                        a.wrapping_sub(base)
                    } else {
                        a.wrapping_add(base)
                    };
                }
                warp.set(frame, *d, &self.scratch, active);
            }
            Op::IsSpace { p, a, space } => {
                self.written(warp, here, *a)?;
                let a = *warp.src(&self.constants, frame, *a);
                let mut holds = 0;
                for lane in lanes_of(active) {
                    holds |= u32::from(self.is_in(a[lane], *space)) << lane;
                }
                warp.set_pred(frame, *p, holds, active);
            }
            Op::Load(access) => self.load(core, warp, here, access)?,
            Op::Store(access) => self.store(core, warp, here, access)?,
            Op::Atom(atomic) => self.atomic(core, warp, here, atomic)?,
            Op::CpAsync(copy) => self.begin_copy(warp, here, copy)?,
            Op::CpCommit => self.commit_copies(warp, here),
            Op::CpWait { pending, all } => self.wait_copies(core, warp, here, *pending, *all)?,
            Op::Fence { scope } => self.fence(core, warp, here, *scope),
            Op::ActiveMask { d } => warp.set(frame, *d, &[u64::from(active & group); WARP], active),
            Op::Trap => {
                let lane = active.trailing_zeros() as usize;
                return Err(here.trouble(
                    warp,
                    lane,
                    FaultKind::Trap,
                    "the kernel executed `trap`",
                ));
            }
            Op::Nop => {}
            Op::Event => self.stats.events += 1,
            Op::Bra { .. }
            | Op::BrxIdx { .. }
            | Op::Call(_)
            | Op::Ret
            | Op::Exit
            | Op::Bar(_)
            | Op::Collective(_)
            | Op::Nanosleep => unreachable!("executed where groups are scheduled"),
        }
        Ok(())
    }

    fn compare(&mut self, warp: &Warp, here: &Here, c: &Compare) -> Exec<u32> {
        self.written(warp, here, c.a)?;
        self.written(warp, here, c.b)?;
        let frame = &here.frame;
        Ok((c.f)(
            warp.src(&self.constants, frame, c.a),
            warp.src(&self.constants, frame, c.b),
        ))
    }

    fn combination(&self, warp: &Warp, here: &Here, c: &Compare) -> Exec<Option<(Bool, u32)>> {
        match c.with {
            None => Ok(None),
            Some((op, p)) => Ok(Some((op, self.holds(warp, here, p)?))),
        }
    }

    fn is_in(&mut self, address: u64, space: Space) -> bool {
        match window(space) {
            Some(base) => address.wrapping_sub(base) < WINDOW,
            None => {
                let found = self.memory.range(address, 0).map(|(a, _)| a.read_only);
                found == Some(space == Space::Const)
            }
        }
    }

    fn special(&mut self, core: &Core, warp: &Warp, which: Special) {
        let g = &self.geometry;
        let local = warp.index * WARP as u32;
        let time = self.stats.warp_instructions;
        let shared = u64::from(g.static_shared + g.dynamic_shared);
        for lane in 0..WARP as u32 {
            let v = match which {
                Special::Tid(d) => u64::from(g.thread_index(local + lane)[d as usize]),
                Special::Ntid(d) => u64::from(g.block[d as usize]),
                Special::Ctaid(d) => u64::from(core.coords[d as usize]),
                Special::Nctaid(d) => u64::from(g.grid[d as usize]),
                Special::LaneId => u64::from(lane),
                Special::WarpId => u64::from(warp.index),
                Special::NWarpId => u64::from(self.limits.max_threads_per_sm / WARP as u32),
                Special::LaneMaskEq => 1 << lane,
                Special::LaneMaskLt => (1 << lane) - 1,
                Special::LaneMaskLe => (2 << lane) - 1,
                Special::LaneMaskGt => !((2u64 << lane) - 1) & 0xffff_ffff,
                Special::LaneMaskGe => !((1u64 << lane) - 1) & 0xffff_ffff,
                Special::SmId => u64::from(core.sm),
                Special::NSmId => u64::from(self.limits.sms),
                Special::GridId => self.grid_id,
                Special::Clock | Special::GlobalTimerLo => time & 0xffff_ffff,
                Special::ClockHi | Special::GlobalTimerHi => time >> 32,
                Special::Clock64 | Special::GlobalTimer => time,
                Special::DynamicSmem => u64::from(g.dynamic_shared),
                Special::TotalSmem => shared,
            };
            self.scratch[lane as usize] = v;
        }
    }

    /// Extended precision: `a + b + carry` and its relatives, at 32 or 64 bits.
    fn carry(&mut self, warp: &mut Warp, here: &Here, op: &Carry) -> Exec<()> {
        for s in [Some(op.a), Some(op.b), op.c].into_iter().flatten() {
            self.written(warp, here, s)?;
        }
        let (frame, active) = (&here.frame, here.active);
        let missing = active & !warp.carry_written;
        if op.carry_in && missing != 0 {
            let lane = missing.trailing_zeros() as usize;
            let message = "the carry flag is used, and this thread never set it";
            return Err(here.trouble(warp, lane, FaultKind::Uninitialised, message));
        }
        let bits = if op.wide { 64 } else { 32 };
        let mask = u64::MAX >> (64 - bits);
        let zero = [0; WARP];
        let a = warp.src(&self.constants, frame, op.a);
        let b = warp.src(&self.constants, frame, op.b);
        let c = op.c.map_or(&zero, |c| warp.src(&self.constants, frame, c));
        let mut carries = 0u32;
        for lane in lanes_of(active) {
            let carry = u128::from(op.carry_in && warp.carry >> lane & 1 == 1);
            let (a, b, c) = (a[lane] & mask, b[lane] & mask, c[lane] & mask);
            let signed = |v: u64| i128::from((v << (64 - bits)) as i64 >> (64 - bits));
            let high = |v: u128| (v >> bits) as u64 & mask;
            let sum = match op.kind {
                CarryKind::Add => u128::from(a) + u128::from(b) + carry,
                // The flag is a borrow here: it is set where the difference is negative.
                CarryKind::Sub => u128::from(a)
                    .wrapping_sub(u128::from(b))
                    .wrapping_sub(carry),
                CarryKind::MadLo => u128::from(a.wrapping_mul(b) & mask) + u128::from(c) + carry,
                CarryKind::MadHi { signed: false } => {
                    u128::from(high(u128::from(a) * u128::from(b))) + u128::from(c) + carry
                }
                CarryKind::MadHi { signed: true } => {
                    u128::from(high((signed(a) * signed(b)) as u128)) + u128::from(c) + carry
                }
            };
            self.scratch[lane] = sum as u64 & mask;
            carries |= u32::from(sum >> bits & 1 == 1) << lane;
        }
        if op.carry_out {
            warp.carry = warp.carry & !active | carries;
            warp.carry_written |= active;
        }
        warp.set(frame, op.d, &self.scratch, active);
        Ok(())
    }
}

//! `cp.async`: copies from global to shared memory that the thread does not wait for.

use super::access::{Place, touch, who};
use super::{Here, lanes_of};
use crate::fault::FaultKind;
use crate::isa::{CpAsync, WARP};
use crate::launch::{Core, Exec, Run};
use crate::race::Kind;
use crate::warp::{Copies, Copy, Warp};

impl Run<'_> {
    /// `cp.async`: noted now, done when it is waited for, which is as late as it may happen.
    pub(super) fn begin_copy(&mut self, warp: &mut Warp, here: &Here, c: &CpAsync) -> Exec<()> {
        let (dst, src) = (
            self.addresses(warp, here, &c.dst)?,
            self.addresses(warp, here, &c.src)?,
        );
        let read = match c.src_size {
            None => [u64::from(c.size); WARP],
            Some(s) => {
                self.written(warp, here, s)?;
                *warp.src(&self.constants, &here.frame, s)
            }
        };
        warp.copies.resize(WARP, Copies::default());
        for lane in lanes_of(here.active) {
            if read[lane] > u64::from(c.size) {
                let message = format!("`cp.async` reads {} bytes to copy {}", read[lane], c.size);
                return Err(here.trouble(warp, lane, FaultKind::InvalidOperand, message));
            }
            let copies = &mut warp.copies[lane];
            copies.list.push(Copy {
                dst: dst[lane],
                src: src[lane],
                size: c.size,
                read: read[lane] as u32,
                pc: here.pc,
                group: copies.group,
            });
        }
        Ok(())
    }

    pub(super) fn commit_copies(&mut self, warp: &mut Warp, here: &Here) {
        warp.copies.resize(WARP, Copies::default());
        for lane in lanes_of(here.active) {
            warp.copies[lane].group += 1;
        }
    }

    /// Does the copies that a wait is for; `all` includes those of no group.
    pub(super) fn wait_copies(
        &mut self,
        core: &mut Core,
        warp: &mut Warp,
        here: &Here,
        pending: u64,
        all: bool,
    ) -> Exec<()> {
        if warp.copies.is_empty() {
            return Ok(());
        }
        for lane in lanes_of(here.active) {
            let done = warp.copies[lane].group.saturating_sub(pending);
            let list = std::mem::take(&mut warp.copies[lane].list);
            let (now, later) = list
                .into_iter()
                .partition::<Vec<_>, _>(|c| all || c.group < done);
            warp.copies[lane].list = later;
            for c in now {
                self.copy(core, warp, &Here { pc: c.pc, ..*here }, lane, c)?;
            }
        }
        Ok(())
    }

    fn copy(
        &mut self,
        core: &mut Core,
        warp: &Warp,
        here: &Here,
        lane: usize,
        c: Copy,
    ) -> Exec<()> {
        let (threads, launch) = (self.geometry.threads, self.launch_clock);
        let (len, size) = (c.read as usize, c.size as usize);
        let mut bytes = [0u8; 16];
        let from = Place::Global(c.src);
        if len > 0 {
            let what = "an asynchronous copy's read";
            // The alignment is that of the whole copy.
            if !c.src.is_multiple_of(u64::from(c.size)) {
                return Err(self.misaligned(warp, here, lane, what, from, size));
            }
            let Some((a, at)) = self.memory.range(c.src, len) else {
                return Err(self.out_of_bounds(warp, here, lane, what, from, len));
            };
            let me = who(warp, core, threads, lane, launch);
            if let Err(h) = touch(
                &mut a.region,
                at,
                len,
                &me,
                (Kind::Read, false),
                (true, false),
                here.pc,
            ) {
                return Err(self.hazard(warp, here, lane, what, from, h));
            }
            bytes[..len].copy_from_slice(&a.region.data[at..at + len]);
        }
        let (what, to) = ("an asynchronous copy's write", Place::Shared(c.dst));
        let total = core.shared.data.len();
        let at = self.bounds(warp, here, lane, what, to, (total, size))?;
        let me = who(warp, core, threads, lane, core.start);
        if let Err(h) = touch(
            &mut core.shared,
            at,
            size,
            &me,
            (Kind::Write, false),
            (false, true),
            here.pc,
        ) {
            return Err(self.hazard(warp, here, lane, what, to, h));
        }
        core.shared.data[at..at + size].copy_from_slice(&bytes[..size]);
        Ok(())
    }
}

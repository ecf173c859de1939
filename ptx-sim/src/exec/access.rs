//! Loads, stores and asynchronous copies.

use super::count::Counted;
use super::simple::window;
use super::{Here, lanes_of};
use crate::alu::convert::widen;
use crate::fault::FaultKind;
use crate::isa::{Access, Addr, Base, Lanes, Order, Scope, Space, Src, WARP};
use crate::launch::{Core, Exec, Run, Trouble};
use crate::memory::{Allocation, Region, WINDOW, get, put};
use crate::race::{Kind, Stamp, Who};
use crate::warp::Warp;

/// An address, resolved to a space that can be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A generic address.
    Global(u64),
    Shared(u64),
    Local(u64),
    Param(u64),
}

impl Place {
    /// The address, in the place's own space.
    #[inline(always)]
    pub(super) fn address(self) -> u64 {
        let (Place::Global(a) | Place::Shared(a) | Place::Local(a) | Place::Param(a)) = self;
        a
    }
}

/// Why a region refuses an access.
pub(super) enum Hazard {
    Unwritten(usize),
    Race(Stamp),
}

/// How an access looks to the race detector.
pub(super) fn kind(order: &Order, write: bool) -> (Kind, bool) {
    match (order.strong, write) {
        (None, false) => (Kind::Read, false),
        (None, true) => (Kind::Write, false),
        (Some(scope), false) => (Kind::StrongRead, scope == Scope::Cta),
        (Some(scope), true) => (Kind::StrongWrite, scope == Scope::Cta),
    }
}

/// Checks an access of a region for unwritten bytes (if it reads) and races, and records it.
#[inline(always)]
pub(super) fn touch(
    region: &mut Region,
    offset: usize,
    len: usize,
    who: &Who<'_>,
    (kind, block_scope): (Kind, bool),
    (reads, writes): (bool, bool),
    pc: u32,
) -> Result<(), Hazard> {
    // A race first: it is the cause where the other side was to write what is read here.
    if let Some(s) = region
        .shadow
        .access(offset, len, who, kind, block_scope, pc)
    {
        return Err(Hazard::Race(s));
    }
    if reads && let Some(at) = region.unwritten(offset, len) {
        return Err(Hazard::Unwritten(at - offset));
    }
    if writes {
        region.mark(offset, len);
    }
    Ok(())
}

/// The thread in `lane`, as the race detector wants it.
#[inline(always)]
pub(super) fn who<'w>(
    warp: &'w Warp,
    core: &Core,
    threads: u32,
    lane: usize,
    launch: u32,
) -> Who<'w> {
    Who {
        thread: warp.first + lane as u32,
        clock: warp.clock[lane],
        launch,
        block: (core.first, threads),
        known: warp.known[lane],
        lanes: warp.lanes.as_ref().map(|l| (warp.first, &l[lane])),
        far: warp.far[lane].as_ref(),
    }
}

impl Run<'_> {
    /// The addresses of the active lanes.
    pub(super) fn addresses(&self, warp: &Warp, here: &Here, addr: &Addr) -> Exec<Lanes> {
        let mut out = match addr.base {
            Base::Frame => [u64::from(here.frame.local); WARP],
            Base::Value(s) => {
                self.written(warp, here, s)?;
                *warp.src(&self.constants, &here.frame, s)
            }
        };
        for a in &mut out {
            *a = a.wrapping_add(addr.offset as u64);
        }
        Ok(out)
    }

    #[inline(always)]
    pub(super) fn resolve(&self, space: Space, address: u64) -> Place {
        match space {
            Space::Global | Space::Const => Place::Global(address),
            Space::Shared => Place::Shared(address),
            Space::Local => Place::Local(address),
            Space::Param => Place::Param(address),
            Space::Generic => {
                for (space, place) in [
                    (Space::Shared, Place::Shared as fn(u64) -> Place),
                    (Space::Local, Place::Local),
                    (Space::Param, Place::Param),
                ] {
                    let offset = address.wrapping_sub(window(space).unwrap_or(0));
                    if offset < WINDOW {
                        return place(offset);
                    }
                }
                Place::Global(address)
            }
        }
    }

    #[cold]
    pub(super) fn out_of_bounds(
        &self,
        warp: &Warp,
        here: &Here,
        lane: usize,
        what: &str,
        place: Place,
        len: usize,
    ) -> Box<Trouble> {
        let message = match place {
            Place::Global(a) => {
                format!(
                    "{what} of {len} bytes at {a:#x} is out of bounds: {}",
                    self.memory.hint(a)
                )
            }
            Place::Shared(a) => format!(
                "{what} of {len} bytes at shared address {a} is out of bounds: the block has {} bytes of shared memory",
                self.geometry.static_shared + self.geometry.dynamic_shared
            ),
            Place::Local(a) => format!(
                "{what} of {len} bytes at local address {a} is out of bounds: the thread's stack has {} bytes",
                warp.local[lane].data.len()
            ),
            Place::Param(a) => format!(
                "{what} of {len} bytes at parameter address {a} is out of bounds: the kernel has {} bytes of parameters",
                self.params.len()
            ),
        };
        here.trouble(warp, lane, FaultKind::OutOfBounds, message)
    }

    #[cold]
    pub(super) fn misaligned(
        &self,
        warp: &Warp,
        here: &Here,
        lane: usize,
        what: &str,
        place: Place,
        len: usize,
    ) -> Box<Trouble> {
        let a = place.address();
        let message =
            format!("{what} of {len} bytes at address {a:#x}, which is not a multiple of {len}");
        here.trouble(warp, lane, FaultKind::Misaligned, message)
    }

    #[cold]
    pub(super) fn hazard(
        &self,
        warp: &Warp,
        here: &Here,
        lane: usize,
        what: &str,
        place: Place,
        h: Hazard,
    ) -> Box<Trouble> {
        let (space, at) = match place {
            Place::Shared(a) => ("shared", a),
            Place::Global(a) => ("global", a),
            Place::Local(a) => ("local", a),
            Place::Param(a) => ("parameter", a),
        };
        match h {
            Hazard::Unwritten(offset) => here.trouble(
                warp,
                lane,
                FaultKind::Uninitialised,
                format!(
                    "{what} of {space} memory at {:#x}, which nothing has written",
                    at + offset as u64
                ),
            ),
            Hazard::Race(s) => {
                let other = match s.kind() {
                    Kind::Read => "a read",
                    Kind::Write => "a write",
                    Kind::StrongRead => "an atomic read",
                    Kind::StrongWrite => "an atomic update",
                };
                let advice = match place {
                    Place::Shared(_) => "a barrier, or an atomic in place of the plain access",
                    _ => {
                        "a barrier within a block, fences with atomics between blocks, or an atomic in place of the plain access"
                    }
                };
                let message = format!(
                    "data race in {space} memory at {at:#x}: {what} here and {other} by another thread are not ordered; \
                     what orders them is {advice}"
                );
                let mut t = here.trouble(warp, lane, FaultKind::Race, message);
                t.others.push((s.thread, s.pc()));
                t
            }
        }
    }

    /// Finds the allocation of a global access and checks bounds, alignment and permission.
    #[inline(always)]
    pub(super) fn global(
        &mut self,
        warp: &Warp,
        here: &Here,
        lane: usize,
        (what, write): (&str, bool),
        address: u64,
        len: usize,
    ) -> Exec<(&mut Allocation, usize)> {
        // Two lookups where one would do: the borrow of the allocation must not outlive an error.
        let state = self.memory.range(address, len).map(|(a, _)| a.read_only);
        let place = Place::Global(address);
        match state {
            None => return Err(self.out_of_bounds(warp, here, lane, what, place, len)),
            Some(true) if write => {
                let message = format!("{what} at {address:#x}, which is constant memory");
                return Err(here.trouble(warp, lane, FaultKind::ReadOnly, message));
            }
            _ => {}
        }
        if address & (len as u64 - 1) != 0 {
            return Err(self.misaligned(warp, here, lane, what, place, len));
        }
        Ok(self
            .memory
            .range(address, len)
            .expect("the range was just found"))
    }

    /// Checks bounds and alignment of an access of the block's, thread's or kernel's own memory.
    #[inline(always)]
    pub(super) fn bounds(
        &self,
        warp: &Warp,
        here: &Here,
        lane: usize,
        what: &str,
        place: Place,
        (size, len): (usize, usize),
    ) -> Exec<usize> {
        let at = place.address();
        if at > size as u64 || len as u64 > size as u64 - at {
            return Err(self.out_of_bounds(warp, here, lane, what, place, len));
        }
        if at & (len as u64 - 1) != 0 {
            return Err(self.misaligned(warp, here, lane, what, place, len));
        }
        Ok(at as usize)
    }

    pub(super) fn load(
        &mut self,
        core: &mut Core,
        warp: &mut Warp,
        here: &Here,
        access: &Access,
    ) -> Exec<()> {
        const WHAT: &str = "a load";
        let addresses = self.addresses(warp, here, &access.addr)?;
        let size = access.ty.size() as usize;
        let len = size * access.dst.len();
        let how = kind(&access.order, false);
        let (threads, launch, pc) = (self.geometry.threads, self.launch_clock, here.pc);
        let signed = access.ty.is_signed();
        let mut counted = Counted::default();
        for lane in lanes_of(here.active) {
            let place = self.resolve(access.space, addresses[lane]);
            let mut bytes = [0u8; 32];
            let mut missing = 0u32;
            match place {
                Place::Global(address) => {
                    let (a, at) = self.global(warp, here, lane, (WHAT, false), address, len)?;
                    let me = who(warp, core, threads, lane, launch);
                    if let Err(h) = touch(&mut a.region, at, len, &me, how, (true, false), pc) {
                        return Err(self.hazard(warp, here, lane, WHAT, place, h));
                    }
                    bytes[..len].copy_from_slice(&a.region.data[at..at + len]);
                    counted.global.add(address, len, self.limits.sector);
                }
                Place::Shared(_) => {
                    let size = core.shared.data.len();
                    let at = self.bounds(warp, here, lane, WHAT, place, (size, len))?;
                    let me = who(warp, core, threads, lane, core.start);
                    if let Err(h) = touch(&mut core.shared, at, len, &me, how, (true, false), pc) {
                        return Err(self.hazard(warp, here, lane, WHAT, place, h));
                    }
                    bytes[..len].copy_from_slice(&core.shared.data[at..at + len]);
                    counted.shared.add(at as u64, len);
                }
                Place::Local(_) => {
                    let size = warp.local[lane].data.len();
                    let at = self.bounds(warp, here, lane, WHAT, place, (size, len))?;
                    let local = &warp.local[lane];
                    bytes[..len].copy_from_slice(&local.data[at..at + len]);
                    for (i, part) in local.written[at..at + len].chunks(size).enumerate() {
                        missing |= u32::from(part.contains(&false)) << i;
                    }
                }
                Place::Param(_) => {
                    let at =
                        self.bounds(warp, here, lane, WHAT, place, (self.params.len(), len))?;
                    bytes[..len].copy_from_slice(&self.params[at..at + len]);
                }
            }
            for (i, d) in access.dst.iter().enumerate() {
                if let Some((d, width)) = *d {
                    let v = widen(get(&bytes, i * size, size), size as u32 * 8, signed, width);
                    warp.set_lane(&here.frame, d, lane, v);
                    if missing >> i & 1 == 1 {
                        // Copying from the stack what was never written (padding, an unused
                        // result) is no use of it yet.
                        warp.unset(&here.frame, d, 1 << lane);
                    }
                }
            }
            if access.order.strong.is_some() {
                self.strong_read(core, warp, lane, place, &access.order);
            }
        }
        self.stats.global_loads += u64::from(counted.global.any());
        self.stats.shared_loads += u64::from(counted.shared.any());
        self.count(&counted);
        Ok(())
    }

    pub(super) fn count(&mut self, counted: &Counted) {
        self.stats.global_sectors += counted.global.len as u64;
        self.stats.shared_passes += counted.shared.passes();
    }

    pub(super) fn store(
        &mut self,
        core: &mut Core,
        warp: &mut Warp,
        here: &Here,
        access: &Access,
    ) -> Exec<()> {
        const WHAT: &str = "a store";
        let addresses = self.addresses(warp, here, &access.addr)?;
        let size = access.ty.size() as usize;
        let len = size * access.src.len();
        let how = kind(&access.order, true);
        let (threads, launch, pc) = (self.geometry.threads, self.launch_clock, here.pc);
        let on_stack = access.space == Space::Local;
        if !on_stack {
            for &s in &access.src {
                self.written(warp, here, s)?;
            }
        }
        let mut counted = Counted::default();
        for lane in lanes_of(here.active) {
            let mut bytes = [0u8; 32];
            for (i, &s) in access.src.iter().enumerate() {
                put(
                    &mut bytes,
                    i * size,
                    size,
                    warp.src(&self.constants, &here.frame, s)[lane],
                );
            }
            let place = self.resolve(access.space, addresses[lane]);
            match place {
                Place::Global(address) => {
                    let (a, at) = self.global(warp, here, lane, (WHAT, true), address, len)?;
                    let me = who(warp, core, threads, lane, launch);
                    if let Err(h) = touch(&mut a.region, at, len, &me, how, (false, true), pc) {
                        return Err(self.hazard(warp, here, lane, WHAT, place, h));
                    }
                    a.region.data[at..at + len].copy_from_slice(&bytes[..len]);
                    counted.global.add(address, len, self.limits.sector);
                }
                Place::Shared(_) => {
                    let size = core.shared.data.len();
                    let at = self.bounds(warp, here, lane, WHAT, place, (size, len))?;
                    let me = who(warp, core, threads, lane, core.start);
                    // Strong or not: which of two stores stays is chance.
                    let how = (Kind::Write, how.1);
                    if let Err(h) = touch(&mut core.shared, at, len, &me, how, (false, true), pc) {
                        return Err(self.hazard(warp, here, lane, WHAT, place, h));
                    }
                    core.shared.data[at..at + len].copy_from_slice(&bytes[..len]);
                    counted.shared.add(at as u64, len);
                }
                Place::Local(_) => {
                    let total = warp.local[lane].data.len();
                    let at = self.bounds(warp, here, lane, WHAT, place, (total, len))?;
                    for (i, &s) in access.src.iter().enumerate() {
                        // Storing what was never written leaves the bytes so.
                        let known = warp.unwritten(&here.frame, s, 1 << lane) == 0;
                        warp.local[lane].written[at + i * size..][..size].fill(known);
                    }
                    warp.local[lane].data[at..at + len].copy_from_slice(&bytes[..len]);
                }
                Place::Param(_) => {
                    let message = "a store to the kernel's parameters, which are constant";
                    return Err(here.trouble(warp, lane, FaultKind::ReadOnly, message));
                }
            }
            if access.order.strong.is_some() {
                self.strong_write(core, warp, lane, place, &access.order, false);
            }
        }
        self.stats.global_stores += u64::from(counted.global.any());
        self.stats.shared_stores += u64::from(counted.shared.any());
        self.count(&counted);
        Ok(())
    }

    /// The lanes of an operand, copied.
    pub(super) fn operand(&self, warp: &Warp, here: &Here, s: Src) -> Exec<Lanes> {
        self.written(warp, here, s)?;
        Ok(*warp.src(&self.constants, &here.frame, s))
    }
}

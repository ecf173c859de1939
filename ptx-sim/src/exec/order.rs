//! Fences, and what strong accesses pass on between threads.

use super::access::Place;
use super::{Here, lanes_of};
use crate::isa::{Order, Scope};
use crate::launch::{Core, Run};
use crate::sync::{Knowledge, Release, ThreadSync};
use crate::warp::Warp;
use std::rc::Rc;

/// A location in the table of synchronising ones: shared memory of each resident block apart.
fn location(core: &Core, place: Place) -> Option<(u32, u64)> {
    match place {
        Place::Global(a) => Some((0, a)),
        Place::Shared(a) => Some((core.slot + 1, a)),
        Place::Local(_) | Place::Param(_) => None,
    }
}

fn learn(core: &Core, warp: &mut Warp, lane: usize, release: &Release) {
    Knowledge {
        block: core.index,
        known: &mut warp.known[lane],
        far: &mut warp.far[lane],
    }
    .acquire(release);
}

impl Run<'_> {
    /// What a thread knows now, for others to learn; its clock moves on.
    fn release(&mut self, core: &Core, warp: &mut Warp, lane: usize, scope: Scope) -> Rc<Release> {
        let clock = warp.clock[lane] + 1;
        warp.clock[lane] = clock;
        self.max_clock = self.max_clock.max(clock);
        Rc::new(Release {
            thread: warp.first + lane as u32,
            block: core.index,
            clock,
            known: warp.known[lane],
            lanes: warp.lanes.as_ref().map(|l| (warp.first, Box::new(l[lane]))),
            far: warp.far[lane].clone(),
            scope,
        })
    }

    /// `fence` and `membar`: learns what strong reads saw, and sets what strong writes release.
    pub(super) fn fence(&mut self, core: &Core, warp: &mut Warp, here: &Here, scope: Scope) {
        for lane in lanes_of(here.active) {
            let mut sync = warp.sync[lane].take().unwrap_or_default();
            for r in sync.pending.drain(..) {
                if scope == Scope::Gpu || r.block == core.index {
                    learn(core, warp, lane, &r);
                }
            }
            sync.fence = Some(self.release(core, warp, lane, scope));
            warp.sync[lane] = Some(sync);
        }
    }

    /// A strong read saw a location's value.
    pub(super) fn strong_read(
        &mut self,
        core: &Core,
        warp: &mut Warp,
        lane: usize,
        place: Place,
        order: &Order,
    ) {
        if self.sync.is_empty() {
            return;
        }
        let Some(at) = location(core, place) else {
            return;
        };
        let me = warp.first + lane as u32;
        for r in self.sync.seen(at) {
            if r.thread == me {
                continue;
            }
            if order.acquire {
                if order.strong == Some(Scope::Gpu) || r.block == core.index {
                    learn(core, warp, lane, r);
                }
            } else {
                let sync = warp.sync[lane].get_or_insert_with(|| Box::new(ThreadSync::default()));
                if !sync.pending.iter().any(|p| Rc::ptr_eq(p, r)) {
                    sync.pending.push(r.clone());
                }
            }
        }
    }

    /// A strong write to a location, as part of an atomic (`rmw`) or alone.
    pub(super) fn strong_write(
        &mut self,
        core: &Core,
        warp: &mut Warp,
        lane: usize,
        place: Place,
        order: &Order,
        rmw: bool,
    ) {
        let fenced = warp.sync[lane].as_ref().and_then(|s| s.fence.clone());
        if !order.release && fenced.is_none() && (rmw || self.sync.is_empty()) {
            return;
        }
        let Some(at) = location(core, place) else {
            return;
        };
        let release = match order.release {
            true => Some(self.release(core, warp, lane, order.strong.unwrap_or(Scope::Gpu))),
            false => fenced,
        };
        self.sync.write(at, rmw, release);
    }
}

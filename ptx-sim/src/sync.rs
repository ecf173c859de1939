//! What threads learn from each other through fences and atomics.
//!
//! The PTX memory model in the shape that kernels use: a *release* is a fence followed by a strong
//! write (or a strong write with `.release`), an *acquire* a strong read followed by a fence (or one
//! with `.acquire`); when the read sees the write, or a read-modify-write after it, everything known
//! to the releasing thread is known to the acquiring one. A fence whose scope is the block
//! synchronises within the block alone.

use super::isa::Scope;
use super::race::{Far, raise};
use std::collections::HashMap;
use std::rc::Rc;

/// What a thread knew when it released.
#[derive(Debug)]
pub(crate) struct Release {
    pub thread: u32,
    pub block: u32,
    /// The releasing thread's own accesses up to here,
    pub clock: u32,
    /// its block's,
    pub known: u32,
    /// the lanes of its warp: first thread and clocks,
    pub lanes: Option<(u32, Box<[u32; 32]>)>,
    /// and what it knew from elsewhere.
    pub far: Option<Rc<Far>>,
    pub scope: Scope,
}

/// One thread's side of it; most threads never need one.
#[derive(Debug, Default)]
pub(crate) struct ThreadSync {
    /// Set by the last fence: what later strong writes release.
    pub fence: Option<Rc<Release>>,
    /// Seen by strong reads, learned at the next fence.
    pub pending: Vec<Rc<Release>>,
}

/// Releases of a location that are kept apart; more become one.
const FEW: usize = 8;

/// The thread and block of a release that stands for several.
const MANY: u32 = u32::MAX;

/// Makes one of all releases that reach beyond their block.
fn combine(list: &mut Vec<Rc<Release>>) {
    let mut far = Far::default();
    list.retain(|r| {
        if r.scope == Scope::Gpu {
            r.tell(&mut far);
        }
        r.scope == Scope::Cta
    });
    list.push(Rc::new(Release {
        thread: MANY,
        block: MANY,
        clock: 0,
        known: 0,
        lanes: None,
        far: Some(Rc::new(far)),
        scope: Scope::Gpu,
    }));
}

impl Release {
    /// Adds all that the release knows.
    fn tell(&self, far: &mut Far) {
        if self.thread != MANY {
            raise(&mut far.threads, self.thread, self.clock);
            raise(&mut far.blocks, self.block, self.known);
        }
        if let Some((first, lanes)) = &self.lanes {
            for (i, &k) in lanes.iter().enumerate().filter(|l| *l.1 > 0) {
                raise(&mut far.threads, first + i as u32, k);
            }
        }
        if let Some(other) = &self.far {
            far.join(other);
        }
    }
}

/// What a location's current value carries.
#[derive(Debug, Default)]
pub(crate) struct SyncTable {
    locations: HashMap<(u32, u64), Vec<Rc<Release>>>,
}

impl SyncTable {
    pub(crate) fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }

    /// What a strong read of the location sees.
    pub(crate) fn seen(&self, at: (u32, u64)) -> &[Rc<Release>] {
        self.locations.get(&at).map_or(&[], Vec::as_slice)
    }

    /// A strong write: a read-modify-write continues what was there, a store replaces it.
    pub(crate) fn write(&mut self, at: (u32, u64), rmw: bool, release: Option<Rc<Release>>) {
        if !rmw {
            self.locations.remove(&at);
        }
        let Some(release) = release else { return };
        let list = self.locations.entry(at).or_default();
        // A thread's later release knows all that its earlier one did.
        list.retain(|r| r.thread != release.thread);
        list.push(release);
        if list.len() > FEW {
            combine(list);
        }
    }

    /// A location's memory is reused (a new block's shared memory).
    pub(crate) fn forget(&mut self, space: u32) {
        self.locations.retain(|at, _| at.0 != space);
    }
}

/// What one thread knows, to be raised.
pub(crate) struct Knowledge<'a> {
    pub block: u32,
    pub known: &'a mut u32,
    pub far: &'a mut Option<Rc<Far>>,
}

impl Knowledge<'_> {
    /// Learns from a release.
    pub(crate) fn acquire(&mut self, r: &Release) {
        if r.scope == Scope::Cta && r.block != self.block {
            return;
        }
        let far = Rc::make_mut(self.far.get_or_insert_with(Rc::default));
        r.tell(far);
        // What is known of the own block lives in a place of its own.
        if let Some(&k) = far.blocks.get(&self.block) {
            *self.known = (*self.known).max(k);
        }
    }
}

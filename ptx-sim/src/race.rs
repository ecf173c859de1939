//! Race detection: who touched which byte last, and whether that happened before.
//!
//! Happens-before is tracked with clocks, after Flanagan and Freund ("FastTrack", PLDI 2009) with a
//! GPU's hierarchy in place of full vector clocks. Every thread has a clock, stamped on what it
//! touches and advanced whenever others may learn about it (barriers, warp syncs, fences). What a
//! thread knows about others is one clock for its whole block (raised by block barriers), one for
//! each lane of its warp (raised by `bar.warp.sync`), and, where fences and atomics brought news
//! from elsewhere, a sparse [`Far`]. "Known up to `k`" covers stamps with clocks below `k`.
//!
//! A cell remembers the last plain write and two other accesses (reads, or atomics). With two slots
//! a third unordered reader may push out an earlier one, so a race can be missed in one interleaving;
//! no ordered pair is ever reported.

use std::collections::HashMap;
use std::rc::Rc;

/// What an access is to the memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read = 0,
    Write = 1,
    /// `ld.relaxed`, `ld.acquire`, `ld.volatile`.
    StrongRead = 2,
    /// Atomics and strong stores.
    StrongWrite = 3,
}

/// One remembered access. A clock of zero is none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamp {
    pub thread: u32,
    clock: u32,
    /// Instruction, shifted left by three; kind in the low two bits; then whether the scope is the block.
    at: u32,
}

impl Stamp {
    pub(crate) fn pc(self) -> u32 {
        self.at >> 3
    }

    pub(crate) fn kind(self) -> Kind {
        match self.at & 3 {
            0 => Kind::Read,
            1 => Kind::Write,
            2 => Kind::StrongRead,
            _ => Kind::StrongWrite,
        }
    }

    fn block_scope(self) -> bool {
        self.at & 4 != 0
    }
}

/// Clocks of threads and blocks elsewhere, learned through fences.
#[derive(Clone, Debug, Default)]
pub(crate) struct Far {
    pub blocks: HashMap<u32, u32>,
    pub threads: HashMap<u32, u32>,
}

impl Far {
    pub(crate) fn join(&mut self, other: &Far) {
        for (&b, &k) in &other.blocks {
            raise(&mut self.blocks, b, k);
        }
        for (&t, &k) in &other.threads {
            raise(&mut self.threads, t, k);
        }
    }
}

/// Raises an entry to at least `k`.
pub(crate) fn raise(map: &mut HashMap<u32, u32>, key: u32, k: u32) {
    let entry = map.entry(key).or_insert(0);
    *entry = (*entry).max(k);
}

/// The thread that makes an access, and what it knows.
#[derive(Clone, Copy)]
pub(crate) struct Who<'a> {
    pub thread: u32,
    pub clock: u32,
    /// Clock at which the launch began: older stamps are ordered before everything.
    pub launch: u32,
    /// First thread and number of threads of the block.
    pub block: (u32, u32),
    /// Known of the own block.
    pub known: u32,
    /// First thread of the warp and what is known of its lanes.
    pub lanes: Option<(u32, &'a [u32; 32])>,
    pub far: Option<&'a Rc<Far>>,
}

impl Who<'_> {
    #[inline(always)]
    fn ordered(&self, s: Stamp) -> bool {
        s.clock < self.launch || s.thread == self.thread || self.knows(s)
    }

    fn same_block(&self, thread: u32) -> bool {
        thread.wrapping_sub(self.block.0) < self.block.1
    }

    fn knows(&self, s: Stamp) -> bool {
        if self.same_block(s.thread) && s.clock < self.known {
            return true;
        }
        if let Some((first, lanes)) = self.lanes
            && let Some(&k) = lanes.get(s.thread.wrapping_sub(first) as usize)
            && s.clock < k
        {
            return true;
        }
        self.far.is_some_and(|far| {
            far.threads.get(&s.thread).is_some_and(|&k| s.clock < k)
                || far
                    .blocks
                    .get(&(s.thread / self.block.1))
                    .is_some_and(|&k| s.clock < k)
        })
    }

    /// Whether an access of `kind` may not happen unordered with `s`.
    fn conflicts(&self, kind: Kind, block_scope: bool, s: Stamp) -> bool {
        use Kind::*;
        match (kind, s.kind()) {
            (Read | StrongRead, Read | StrongRead) => false,
            // Atomics go together, unless their scope is the block and they come from two.
            (StrongRead | StrongWrite, StrongRead | StrongWrite) => {
                (block_scope || s.block_scope()) && !self.same_block(s.thread)
            }
            _ => true,
        }
    }
}

/// What is remembered of four bytes, or of one.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    write: Stamp,
    other: [Stamp; 2],
    /// Index plus one of the four cells that took over, once bytes were accessed by themselves.
    split: u32,
}

impl Cell {
    #[inline(always)]
    fn access(&mut self, who: &Who<'_>, kind: Kind, block_scope: bool, pc: u32) -> Option<Stamp> {
        let at = pc << 3 | u32::from(block_scope) << 2 | kind as u32;
        let me = Stamp {
            thread: who.thread,
            clock: who.clock,
            at,
        };
        if !who.ordered(self.write) && who.conflicts(kind, block_scope, self.write) {
            return Some(self.write);
        }
        let (first, second) = (who.ordered(self.other[0]), who.ordered(self.other[1]));
        if !first && who.conflicts(kind, block_scope, self.other[0]) {
            return Some(self.other[0]);
        }
        if !second && who.conflicts(kind, block_scope, self.other[1]) {
            return Some(self.other[1]);
        }
        if kind == Kind::Write {
            self.write = me;
            self.other = [Stamp::default(); 2];
        } else if first && (second || self.other[1].thread != me.thread) {
            self.other[0] = me;
        } else {
            self.other[1] = me;
        }
        None
    }
}

const PAGE: usize = 64;

/// The cells of an allocation, made when first touched.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    pages: Vec<Option<Box<[Cell; PAGE]>>>,
    splits: Vec<[Cell; 4]>,
}

impl Shadow {
    pub(crate) fn new(bytes: usize) -> Shadow {
        let mut pages = Vec::new();
        pages.resize_with(bytes.div_ceil(4 * PAGE), || None);
        Shadow {
            pages,
            splits: vec![],
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.pages.iter_mut().for_each(|p| *p = None);
        self.splits.clear();
    }

    /// Records an access; gives the earlier one that it races with, if there is one.
    #[inline]
    pub(crate) fn access(
        &mut self,
        offset: usize,
        len: usize,
        who: &Who<'_>,
        kind: Kind,
        block_scope: bool,
        pc: u32,
    ) -> Option<Stamp> {
        let (mut at, end) = (offset, offset + len);
        while at < end {
            let word = at / 4;
            let stop = end.min(word * 4 + 4);
            let page =
                self.pages[word / PAGE].get_or_insert_with(|| Box::new([Cell::default(); PAGE]));
            let cell = &mut page[word % PAGE];
            if cell.split == 0 && stop - at == 4 {
                if let Some(s) = cell.access(who, kind, block_scope, pc) {
                    return Some(s);
                }
            } else {
                if cell.split == 0 {
                    self.splits.push([*cell; 4]);
                    cell.split = self.splits.len() as u32;
                }
                let bytes = &mut self.splits[cell.split as usize - 1];
                for byte in at..stop {
                    if let Some(s) = bytes[byte % 4].access(who, kind, block_scope, pc) {
                        return Some(s);
                    }
                }
            }
            at = stop;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(thread: u32, clock: u32, known: u32) -> Who<'static> {
        Who {
            thread,
            clock,
            launch: 1,
            block: (0, 64),
            known,
            lanes: None,
            far: None,
        }
    }

    #[test]
    fn a_barrier_orders_what_nothing_else_does() {
        let mut s = Shadow::new(64);
        assert!(
            s.access(0, 4, &who(0, 1, 1), Kind::Write, false, 7)
                .is_none()
        );
        let race = s.access(2, 2, &who(1, 1, 1), Kind::Read, false, 8).unwrap();
        assert_eq!((race.thread, race.pc(), race.kind()), (0, 7, Kind::Write));
        assert!(
            s.access(2, 2, &who(1, 2, 2), Kind::Read, false, 8)
                .is_none()
        );
        assert!(
            s.access(0, 2, &who(2, 2, 2), Kind::Write, false, 9)
                .is_none(),
            "other bytes"
        );
        assert!(
            s.access(0, 4, &who(2, 2, 2), Kind::Write, false, 9)
                .is_some(),
            "the read bytes"
        );
    }

    #[test]
    fn atomics_go_together_and_with_nothing_else() {
        let mut s = Shadow::new(64);
        for t in 0..8 {
            assert!(
                s.access(4, 4, &who(t, 1, 1), Kind::StrongWrite, false, 1)
                    .is_none()
            );
        }
        assert!(
            s.access(4, 4, &who(9, 1, 1), Kind::Read, false, 2)
                .is_some()
        );
        assert!(
            s.access(4, 4, &who(9, 1, 1), Kind::StrongRead, false, 2)
                .is_none()
        );
        assert!(
            s.access(4, 4, &who(10, 1, 1), Kind::StrongWrite, true, 3)
                .is_none()
        );
        let mut other = who(100, 1, 1);
        other.block = (64, 64);
        assert!(
            s.access(4, 4, &other, Kind::StrongWrite, true, 3).is_some(),
            "block scope"
        );
    }

    #[test]
    fn any_reader_among_many_is_remembered_against_a_writer() {
        let mut s = Shadow::new(64);
        for t in 0..8 {
            assert!(
                s.access(8, 4, &who(t, 1, 1), Kind::Read, false, 1)
                    .is_none()
            );
        }
        assert!(
            s.access(8, 4, &who(7, 1, 1), Kind::Write, false, 2)
                .is_some()
        );
    }
}

//! The search for what comes before a tile: a warp for each scalar looks at the tiles before it, 64 at a time, waits for those that count,
//! publishes the tile's prefix, and leaves to the gang what it has found.
//!
//! In vain: all warps of the gang, each at 32 tiles. They wait at the same lines: 2^28 words took 655 us where they take 618 so (H200, 2026-11-24).

use super::scan::behind;
use super::{Amount, FAILED, PREFIX, Scan, TOGETHER, WORD, words};
use crate::combine;
use crate::emit;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Tiles that a lane looks at together, 32 apart. What is known of all tiles moves on by what a warp sees at once, while what it loads is on
/// its way.
const DEPTH: u32 = 2;

/// How long a warp waits before it looks again, in ns. All that wait look at the same lines of the second-level cache, and would keep
/// those busy that write them.
const PAUSE: u32 = 100;

/// A warp that looks back for a scalar.
pub(super) struct Look<'a> {
    pub(super) scan: &'a Scan,
    pub(super) lane: Reg,
    pub(super) first_lane: Reg,
    /// The tile, and where its state is for the scalar; bytes of a state of all scalars.
    pub(super) tile: Reg,
    pub(super) state: (Reg, i64),
    pub(super) stride: u32,
    /// A predicate: whether no tile follows.
    pub(super) last: Reg,
}

impl Look<'_> {
    /// Looks back, publishes the tile's prefix, and leaves what comes before it to the gang. Where terms may fail, `failing` is the first
    /// iteration of the tile whose terms have, or -1.
    pub(super) fn back(&self, f: &mut Function, failing: Option<Reg>) {
        let (scan, elem) = (self.scan, self.scan.accumulator());
        let (state, offset) = self.state;
        let before = scan.nothing(f, elem, "before");
        let (window, again) = (f.label("window"), f.label("look_again"));
        let earlier = failing.map(|_| value!(f, "earlier", "mov.u32", 0));
        let distance = value!(f, "distance", "add.u32", self.lane, 1);
        f.place(window);
        let back = value!(f, "back", "mul.wide.u32", distance, self.stride);
        let at = value!(f, "state_at", "sub.u64", state, back);
        f.place(again);
        let seen = self.look_at_some(f, at, offset, distance);
        let ballot =
            |f: &mut Function, holds: Reg| value!(f, "lanes", "vote.sync.ballot.b32", holds, -1);
        // From the nearest on, up to the first that ends the search; all where none does.
        let mut counted: Vec<Reg> = Vec::new();
        let (mut awaited, mut end) = (None, None);
        for (of, _) in &seen {
            let empty = value!(f, "empty", "setp.eq.u32", *of, 0);
            let empty = ballot(f, empty);
            let ends = value!(f, "ends", "setp.ge.u32", *of, PREFIX);
            let ended = ballot(f, ends);
            let negative = value!(f, "negative", "neg.s32", ended);
            let last = value!(f, "end", "and.b32", ended, negative);
            let nearer = value!(f, "nearer", "sub.u32", last, 1);
            let mut lanes = value!(f, "counted", "or.b32", nearer, last);
            if let Some(end) = end {
                let goes_on = value!(f, "goes_on", "setp.eq.u32", end, 0);
                lanes = value!(f, "counted", "selp.b32", lanes, 0, goes_on);
            }
            let empty = value!(f, "awaited", "and.b32", empty, lanes);
            awaited = Some(either(f, awaited, empty));
            end = Some(either(f, end, last));
            counted.push(lanes);
        }
        let (Some(awaited), Some(end)) = (awaited, end) else {
            unreachable!("a lane looks at tiles")
        };
        let pause = f.label("pause");
        let waits = value!(f, "waits", "setp.ne.u32", awaited, 0);
        f.branch_if(waits, true, pause);
        f.open_out_of_line();
        f.place(pause);
        emit!(f, "nanosleep.u32", PAUSE);
        f.branch(again, true);
        f.close_out_of_line();
        let own = value!(f, "own", "shl.b32", 1, self.lane);
        let mut sums: Vec<Amount> = Vec::new();
        let mut failed: Option<Reg> = None;
        for ((of, loaded), lanes) in seen.iter().zip(&counted) {
            let own = value!(f, "own", "and.b32", own, *lanes);
            let counts = value!(f, "counts", "setp.ne.u32", own, 0);
            let loaded = scan.only_if(f, elem, loaded, counts);
            // Each lane's can be put together where terms have no order.
            match sums.last_mut().filter(|_| !scan.is_ordered()) {
                Some(nearer) => *nearer = scan.both(f, &loaded, nearer),
                None => sums.push(loaded),
            }
            let fails = value!(f, "failed", "setp.eq.and.u32", *of, FAILED, counts);
            failed = Some(match failed {
                None => fails,
                Some(failed) => value!(f, "failed", "or.pred", failed, fails),
            });
        }
        let Some(failed) = failed else {
            unreachable!("a lane looks at tiles")
        };
        // The nearest first.
        for sums in sums {
            let sum = scan.together(f, &sums);
            let all = scan.both(f, &sum, &before);
            scan.assign(f, &before, &all);
        }
        if let Some(earlier) = earlier {
            let failed = ballot(f, failed);
            emit!(f, "or.b32", earlier, earlier, failed);
        }
        emit!(f, "add.u32", distance, distance, 32 * DEPTH);
        let goes_on = value!(f, "goes_on", "setp.eq.u32", end, 0);
        f.branch_if(goes_on, true, window);

        let mut of = value!(f, "of", "mov.u32", PREFIX);
        if let (Some(earlier), Some(failing)) = (earlier, failing) {
            let tells = [scan.failed(), earlier.into()];
            f.op_if(self.first_lane, true, "st.shared.u32", &tells);
            let poisoned = value!(f, "poisoned", "setp.ne.u32", earlier, 0);
            let fails = value!(f, "fails", "setp.ne.or.u64", failing, -1, poisoned);
            of = value!(f, "of", "selp.b32", FAILED, of, fails);
        }
        let aggregate = scan.aggregate(f);
        let prefix = scan.both(f, &before, &aggregate);
        scan.publish(
            f,
            Some(self.first_lane),
            Operand::At(state, offset),
            of,
            &prefix,
        );
        scan.store(f, self.first_lane, scan.to_tile(), &before);
        // A loop that has failed leaves the caller's scalar alone, whatever is here.
        let tells = value!(f, "tells", "and.pred", self.first_lane, self.last);
        let total = [
            Operand::At(scan.memory.scratch, 0),
            scan.copy(f, &prefix).into(),
        ];
        f.op_if(tells, true, &scan.stores_copy(), &total);
    }

    /// What the tiles of a lane have published, the nearest first.
    fn look_at_some(
        &self,
        f: &mut Function,
        at: Reg,
        base: i64,
        distance: Reg,
    ) -> Vec<(Reg, Amount)> {
        (0..DEPTH)
            .map(|n| {
                let further = value!(f, "further", "add.u32", distance, 32 * n);
                let exists = value!(f, "exists", "setp.le.u32", further, self.tile);
                let offset = base - i64::from(32 * n * self.stride);
                self.at_tile(f, Operand::At(at, offset), exists)
            })
            .collect()
    }

    /// What a tile has published, and what it is of: 0 where that is nothing, or where its words are of different moments. Where there is no such
    /// tile, it is nothing that ends the search.
    fn at_tile(&self, f: &mut Function, at: Operand, exists: Reg) -> (Reg, Amount) {
        let elem = self.scan.accumulator();
        let mut halves = Vec::new();
        let words_of: Vec<Reg> = (0..self.scan.words())
            .map(|_| value!(f, "word", "mov.u64", 0))
            .collect();
        for (n, some) in (0u32..).zip(words_of.chunks(TOGETHER)) {
            let at = behind(at, i64::from(n * TOGETHER as u32 * WORD));
            match *some {
                [word] => f.op_if(
                    exists,
                    true,
                    "ld.relaxed.gpu.global.u64",
                    &[word.into(), at],
                ),
                _ => f.load_vector_if(exists, "ld.relaxed.gpu.global.v2.u64", some, at),
            }
        }
        for word in words_of {
            let (half, of) = (f.reg(Class::B32, "half"), f.reg(Class::B32, "of"));
            f.unpack(half, of, word);
            halves.push((half, of));
        }
        let mut of = halves[0].1;
        for (_, other) in &halves[1..] {
            let same = value!(f, "same", "setp.eq.u32", of, *other);
            of = value!(f, "of", "selp.b32", of, 0, same);
        }
        let of = value!(f, "of", "selp.b32", of, PREFIX, exists);
        let parts = halves.chunks(words(elem) as usize).map(|halves| {
            let bits = match *halves {
                [(low, _), (high, _)] => f.pack(low, high),
                _ => halves[0].0,
            };
            combine::from_bits(f, elem, bits)
        });
        let loaded = Amount(parts.collect());
        (of, self.scan.only_if(f, elem, &loaded, exists))
    }
}

/// The bits of both.
fn either(f: &mut Function, a: Option<Reg>, b: Reg) -> Reg {
    match a {
        None => b,
        Some(a) => value!(f, "either", "or.b32", a, b),
    }
}

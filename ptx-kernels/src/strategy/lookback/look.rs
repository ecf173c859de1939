//! The warp that looks back: it publishes what its tile combines, waits for the tiles before, and publishes what all of them come to.

use super::{AGGREGATE, FAILED, HEAD, PREFIX, Scan, Tiling, WORD, select, words};
use crate::combine;
use crate::emit;
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Tiles that a lane looks at together, 32 apart. What is known of all tiles moves on by what a warp sees at once, while what it loads is on
/// its way.
const DEPTH: u32 = 2;

/// How long a warp waits before it looks again, in ns. All that wait look at the same lines of the second-level cache, and would keep
/// those busy that write them.
const PAUSE: u32 = 200;

/// A warp that looks back for a scalar.
pub(super) struct Look<'a> {
    pub(super) tiling: Tiling,
    pub(super) scan: &'a Scan,
    pub(super) lane: Reg,
    pub(super) first_lane: Reg,
    pub(super) tile: Reg,
    pub(super) last: Reg,
    /// Bytes of a tile's state, and where in it the scalar's is.
    pub(super) stride: u32,
    pub(super) offset: u32,
    /// Whether terms of the tile have failed, where they may.
    pub(super) fails: Option<Reg>,
}

impl Look<'_> {
    /// Publishes the tile's aggregate, looks back, publishes its prefix, and leaves what comes before it to the gang.
    pub(super) fn back(&self, f: &mut Function, aggregate: Reg) {
        let (scan, elem) = (self.scan, self.scan.accumulator());
        let base = HEAD as i64 + i64::from(self.offset);
        let state = value!(
            f,
            "state",
            "mad.wide.u32",
            self.tile,
            self.stride,
            self.tiling.states
        );
        let first = value!(f, "first_tile", "setp.eq.u32", self.tile, 0);
        let of = value!(f, "of", "selp.b32", PREFIX, AGGREGATE, first);
        let of = match self.fails {
            Some(fails) => value!(f, "of", "selp.b32", FAILED, of, fails),
            None => of,
        };
        self.publish(f, Operand::At(state, base), of, aggregate);
        let before = scan.nothing(f);
        let (window, again, done) = (f.label("window"), f.label("look_again"), f.label("known"));
        let earlier = self.fails.map(|_| value!(f, "earlier", "mov.u32", 0));
        f.branch_if(first, true, done);

        let distance = value!(f, "distance", "add.u32", self.lane, 1);
        f.place(window);
        let back = value!(f, "back", "mul.wide.u32", distance, self.stride);
        let at = value!(f, "state_at", "sub.u64", state, back);
        f.place(again);
        let seen = self.look_at_some(f, at, base, distance);
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
        let mut sums = None;
        let mut failed: Option<Reg> = None;
        for ((of, loaded), lanes) in seen.iter().zip(&counted) {
            let own = value!(f, "own", "and.b32", own, *lanes);
            let counts = value!(f, "counts", "setp.ne.u32", own, 0);
            let nothing = combine::neutral(scan.op, elem);
            let loaded = select(f, elem, *loaded, nothing, counts);
            sums = Some(match sums {
                None => loaded,
                Some(nearer) => scan.both(f, loaded, nearer),
            });
            let fails = value!(f, "failed", "setp.eq.and.u32", *of, FAILED, counts);
            failed = Some(match failed {
                None => fails,
                Some(failed) => value!(f, "failed", "or.pred", failed, fails),
            });
        }
        let (Some(sums), Some(failed)) = (sums, failed) else {
            unreachable!("a lane looks at tiles")
        };
        let sum = scan.together(f, sums);
        let all = scan.both(f, sum, before);
        f.assign(before, all);
        if let Some(earlier) = earlier {
            let failed = ballot(f, failed);
            emit!(f, "or.b32", earlier, earlier, failed);
        }
        emit!(f, "add.u32", distance, distance, 32 * DEPTH);
        let goes_on = value!(f, "goes_on", "setp.eq.u32", end, 0);
        f.branch_if(goes_on, true, window);

        let of = match earlier {
            Some(earlier) => {
                let poisoned = value!(f, "poisoned", "setp.ne.u32", earlier, 0);
                let at = Operand::At(self.tiling.shared, 4);
                let tells = value!(f, "tells", "and.pred", poisoned, self.first_lane);
                f.op_if(tells, true, "red.shared.or.b32", &[at, 1.into()]);
                let fails = self.fails.unwrap_or(poisoned);
                let either = value!(f, "either", "or.pred", poisoned, fails);
                value!(f, "of", "selp.b32", FAILED, PREFIX, either)
            }
            None => value!(f, "of", "mov.u32", PREFIX),
        };
        let prefix = scan.both(f, before, aggregate);
        self.publish(f, Operand::At(state, base), of, prefix);
        f.place(done);
        let store = elem.memory();
        let to_tile = [scan.to_tile(), before.into()];
        f.op_if(
            self.first_lane,
            true,
            &format!("st.shared.{store}"),
            &to_tile,
        );
        // A loop that has failed leaves the caller's scalar alone, whatever is here.
        let prefix = scan.both(f, before, aggregate);
        let tells = value!(f, "tells", "and.pred", self.first_lane, self.last);
        let total = [Operand::At(scan.memory.scratch, 0), prefix.into()];
        f.op_if(tells, true, &format!("st.global.{store}"), &total);
    }

    /// The first lane publishes a value.
    fn publish(&self, f: &mut Function, at: Operand, of: Reg, value: Reg) {
        let bits = combine::as_bits(f, self.scan.accumulator(), value);
        let halves = match words(self.scan.elem) {
            1 => vec![bits],
            _ => {
                let (low, high) = (f.reg(Class::B32, "low"), f.reg(Class::B32, "high"));
                f.unpack(low, high, bits);
                vec![low, high]
            }
        };
        for (n, half) in (0i64..).zip(halves) {
            let word = f.pack(half, of);
            let at = behind(at, n * i64::from(WORD));
            let operands = [at, word.into()];
            f.op_if(
                self.first_lane,
                true,
                "st.relaxed.gpu.global.u64",
                &operands,
            );
        }
    }

    /// What the tiles of a lane have published, the nearest first.
    fn look_at_some(&self, f: &mut Function, at: Reg, base: i64, distance: Reg) -> Vec<(Reg, Reg)> {
        (0..DEPTH)
            .map(|n| {
                let further = value!(f, "further", "add.u32", distance, 32 * n);
                let exists = value!(f, "exists", "setp.le.u32", further, self.tile);
                let offset = base - i64::from(32 * n * self.stride);
                self.look(f, Operand::At(at, offset), exists)
            })
            .collect()
    }

    /// What a tile has published, and what it is of: 0 where that is nothing, or where its words are of different moments. Where there is no such
    /// tile, it is nothing that ends the search.
    fn look(&self, f: &mut Function, at: Operand, exists: Reg) -> (Reg, Reg) {
        let elem = self.scan.accumulator();
        let mut halves = Vec::new();
        for n in 0..words(self.scan.elem) {
            let word = value!(f, "word", "mov.u64", 0);
            let at = behind(at, i64::from(n * WORD));
            let operands = [word.into(), at];
            f.op_if(exists, true, "ld.relaxed.gpu.global.u64", &operands);
            let (half, of) = (f.reg(Class::B32, "half"), f.reg(Class::B32, "of"));
            f.unpack(half, of, word);
            halves.push((half, of));
        }
        let (bits, of) = match halves[..] {
            [(half, of)] => (half, of),
            [(low, of), (high, other), ..] => {
                let same = value!(f, "same", "setp.eq.u32", of, other);
                (f.pack(low, high), value!(f, "of", "selp.b32", of, 0, same))
            }
            [] => unreachable!("a value has words"),
        };
        let of = value!(f, "of", "selp.b32", of, PREFIX, exists);
        let loaded = combine::from_bits(f, elem, bits);
        let nothing = combine::neutral(self.scan.op, elem);
        (of, select(f, elem, loaded, nothing, exists))
    }
}

/// The bits of both.
fn either(f: &mut Function, a: Option<Reg>, b: Reg) -> Reg {
    match a {
        None => b,
        Some(a) => value!(f, "either", "or.b32", a, b),
    }
}

/// An address some bytes behind another.
fn behind(at: Operand, bytes: i64) -> Operand {
    match at {
        Operand::At(base, offset) => Operand::At(base, offset + bytes),
        other => other,
    }
}

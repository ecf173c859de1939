//! Loops that carry scalars along: tiles of iterations, whose terms are handed on before their bodies run.
//! The terms of a tile are computed twice: when its items have been loaded, all together, and before its bodies, for what is carried to each. So
//! nothing but what was loaded has to be kept meanwhile.
//!
//! Symbols: a tile is [`TILE_BLOCK`] threads by `R = U * V` items, with `U` vectors of `V` items for each thread. A warp has `32 * R` items one
//! after the other, in one of two forms:
//!
//! ```text
//! whole tiles   U rows of 32 vectors; a lane's items are neighbours in its vector, and what is loaded for the terms serves the bodies
//! others        R rows of 32 items; what they read is loaded again
//! ```
//!
//! The first tile begins where the vectors do, or a vector earlier, so that tiles are whole but for the first and the last; where nothing is
//! streamed, or streams do not lie alike, none is. What the hand-over is, which two tiles a gang has, and what becomes of terms that fail, is in
//! `accrue_ptx`'s `lookback`.

use accrue_ptx::strategy::{Amount, Before, Scan, TILE_BLOCK};
use accrue_ptx::writer::Reg;
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Number, Result};
use super::grid::Vectors;
use super::value::{Num, Value, class};
use crate::ir::{Body, Expr, ExprKind, Root, Scalar, VarId};

/// What is carried along, as kernels take it.
pub(super) struct Carrying {
    /// The terms of an iteration, as a body of their own.
    pub(super) terms: Body,
    /// The scalars, in the order of their targets.
    pub(super) vars: Vec<VarId>,
    /// Of those of which maps are composed, the types of these.
    pub(super) composed: Vec<Option<Scalar>>,
}

/// The scalars while the bodies of a tile are printed.
#[derive(Default)]
pub(super) struct Carried {
    /// Whether it is the terms that are printed.
    pub(super) in_terms: bool,
    /// Whether they may fail.
    may_fail: bool,
    /// Where bodies find what is carried to them, and leave what they carry on.
    pub(super) vars: Vec<(VarId, Num)>,
    /// Scalars that are cursors, while bodies of a whole tile are printed, and lengths that they stay below in it.
    cursors: Vec<VarId>,
    below: Vec<(VarId, Reg)>,
}

/// Where a tile is.
struct Place {
    /// The warp's first item.
    item: Reg,
    /// The lane's first vector, and a predicate: whether the tile has all its vectors.
    vectors: Option<(Reg, Reg)>,
}

/// Vectors that are loaded, the words of every stream of each.
type Loaded = Vec<Vec<Vec<Reg>>>;

/// A tile whose aggregate has been published, in registers of its own.
struct Current {
    /// Its number; [`NONE`] before there is one.
    tile: Reg,
    /// Where terms may fail, its first iteration whose terms have, or -1.
    failing: Option<Reg>,
    /// What is loaded of it, where it is whole.
    loaded: Loaded,
}

/// No tile.
const NONE: i64 = -1;

impl<'a> Emitter<'a> {
    /// Prints the loop by tiles.
    pub(super) fn by_tiles(&mut self, carrying: &Carrying) -> Result<()> {
        let (begin, end) = (self.kernel.begin, self.kernel.end);
        let vectors = match self.streams.list.is_empty() {
            true => None,
            false => Some(self.cut((begin, end))?),
        };
        self.kernel.open();
        self.carried.vars = self.storage_of(carrying)?;
        let scans = self.kernel.scans();
        let origin = match &vectors {
            Some(vectors) => self.origin(vectors),
            None => begin,
        };
        let next = self.kernel.first_tile();
        let rows = self.rows_of_tile();
        let f = self.f();
        let items = value!(f, "items", "sub.u64", end, origin);
        let more = value!(f, "items", "add.u64", items, TILE_BLOCK * rows - 1);
        let tiles = value!(f, "tiles", "div.u64", more, TILE_BLOCK * rows);
        let tiles = value!(f, "tiles", "cvt.u32.u64", tiles);
        let last_tile = value!(f, "last_tile", "sub.u32", tiles, 1);
        let current = value!(f, "current", "mov.u32", NONE);
        let (again, done) = (f.label("tiles"), f.label("end_tiles"));
        f.place(again);
        let f = self.f();
        let is_there = value!(f, "is_there", "setp.lt.u32", next, tiles);
        let idle = value!(f, "idle", "setp.eq.s32", current, NONE);
        let (handed_in, unpublished) = (f.label("handed_in"), f.label("unpublished"));
        f.branch_if(is_there, false, handed_in);
        let place = self.place_of(vectors.as_ref(), origin, next);
        let (terms, loaded) = self.terms_of_tile(vectors.as_ref(), &place, &scans)?;
        self.kernel.hand_in(&terms);
        self.f().place(handed_in);
        emit!(self.f(), "bar.sync", 0);
        let may_fail = self.carried.may_fail;
        self.f().branch_if(is_there, false, unpublished);
        let failing = self.kernel.publish(next, may_fail);
        self.f().place(unpublished);
        let current = self.current(current, failing, &loaded);

        let f = self.f();
        let (looked, turn) = (f.label("looked"), f.label("turn"));
        f.branch_if(idle, true, looked);
        let last = value!(f, "last", "setp.eq.u32", current.tile, last_tile);
        let before = self.kernel.look_back((current.tile, last), current.failing);
        self.f().place(looked);
        let ticket = self.kernel.take_tile(is_there);
        self.f().branch_if(idle, true, turn);
        self.bodies_of_tile(vectors.as_ref(), origin, &current, &scans, &before)?;
        self.f().place(turn);
        self.f().branch_if(is_there, false, done);
        let taken = self.kernel.turn(ticket);
        self.pass_on(&current, (next, failing), place.vectors, &loaded);
        let f = self.f();
        f.assign(next, taken);
        f.branch(again, true);
        f.place(done);
        Ok(())
    }

    /// Registers for the tile that has been published before.
    fn current(&mut self, tile: Reg, failing: Option<Reg>, loaded: &Loaded) -> Current {
        let f = self.f();
        let mut same = |reg: &Reg| f.reg(reg.class, "current");
        let failing = failing.as_ref().map(&mut same);
        let mut own = loaded.clone();
        own.iter_mut()
            .flatten()
            .flatten()
            .for_each(|word| *word = same(word));
        Current {
            tile,
            failing,
            loaded: own,
        }
    }

    /// The next tile is the current one.
    fn pass_on(
        &mut self,
        current: &Current,
        (next, failing): (Reg, Option<Reg>),
        vectors: Option<(Reg, Reg)>,
        loaded: &Loaded,
    ) {
        self.f().comment("The next tile is the current one.");
        let f = self.f();
        f.assign(current.tile, next);
        if let (Some(to), Some(from)) = (current.failing, failing) {
            f.assign(to, from);
        }
        if let Some((_, whole)) = vectors {
            let passed = f.label("passed_on");
            f.branch_if(whole, false, passed);
            let words = loaded.iter().flatten().flatten();
            for (to, from) in current.loaded.iter().flatten().flatten().zip(words) {
                f.assign(*to, *from);
            }
            f.place(passed);
        }
    }

    /// Items of a thread.
    fn rows_of_tile(&self) -> u32 {
        self.streams.items * self.streams.in_flight
    }

    /// Registers for what is carried.
    fn storage_of(&mut self, carrying: &Carrying) -> Result<Vec<(VarId, Num)>> {
        let vars = carrying.vars.iter();
        vars.map(|var| {
            let of = self.lp.var(*var);
            let storage = self.storage(&of.ty, &of.name, false, of.source)?;
            Ok((*var, storage.num()))
        })
        .collect()
    }

    /// Where the first tile begins: with the first vector, or a vector before it where there are items.
    fn origin(&mut self, vectors: &Vectors) -> Reg {
        let (begin, items) = (self.kernel.begin, self.streams.items);
        let f = self.f();
        let earlier = value!(f, "earlier", "sub.u64", vectors.begin, items);
        let some = value!(f, "has_head", "setp.ne.u64", vectors.begin, begin);
        value!(f, "origin", "selp.b64", earlier, vectors.begin, some)
    }

    /// Where a tile is.
    fn place_of(&mut self, vectors: Option<&Vectors>, origin: Reg, tile: Reg) -> Place {
        let rows = self.rows_of_tile();
        let (thread, lane) = (self.kernel.gang.thread, self.kernel.gang.lane);
        let f = self.f();
        let first = value!(f, "tile_at", "mul.wide.u32", tile, TILE_BLOCK * rows);
        let first = value!(f, "tile_at", "add.u64", first, origin);
        let warp = value!(f, "warp", "and.b32", thread, -32);
        let item = value!(f, "warp_at", "mad.wide.u32", warp, rows, first);
        let vectors = vectors.map(|vectors| {
            let (items, ahead) = (self.streams.items, self.streams.in_flight);
            let f = self.f();
            // Of the vectors before the first there is one at most, and it counts as too large.
            let at = value!(f, "at", "sub.s64", first, vectors.begin);
            let vector = value!(f, "vector", "shr.s64", at, items.trailing_zeros());
            let end = value!(f, "end_vector", "add.u64", vector, TILE_BLOCK * ahead);
            let fits = value!(f, "fits", "setp.le.u64", end, vectors.count);
            let is_there = value!(f, "is_there", "setp.ge.s64", vector, 0);
            let whole = value!(f, "whole", "and.pred", fits, is_there);
            let own = value!(f, "own", "mad.lo.u32", warp, ahead, lane);
            let own = value!(f, "own", "cvt.u64.u32", own);
            (value!(f, "vector", "add.u64", vector, own), whole)
        });
        Place { item, vectors }
    }

    /// Prints the terms of a tile: what the warp's amount to, in all of its lanes, and what is loaded of a whole one.
    fn terms_of_tile(
        &mut self,
        vectors: Option<&Vectors>,
        place: &Place,
        scans: &[Scan],
    ) -> Result<(Vec<Amount>, Loaded)> {
        self.f().comment("The terms of a tile.");
        scans.iter().for_each(|scan| scan.restart_rows(self.f()));
        let mut loaded = Loaded::new();
        self.carried.in_terms = true;
        let by_items = self.f().label("terms_of_items");
        let done = self.f().label("terms_known");
        if let (Some(vectors), Some((vector, whole))) = (vectors, place.vectors) {
            self.f().branch_if(whole, false, by_items);
            loaded = self.load_tile(vectors, vector);
            for (n, words) in (0u32..).zip(&loaded) {
                self.terms_of_row(vectors, vector, n, words)?;
                self.end_row(scans);
            }
            self.f().branch(done, true);
        }
        self.f().place(by_items);
        let end = self.kernel.end;
        self.each_row(place, end, |s, number, skip| {
            s.item_of_row(number, skip)?;
            s.end_row(scans);
            Ok(())
        })?;
        self.f().place(done);
        self.carried.in_terms = false;
        let terms = scans.iter().map(|scan| scan.over_warp(self.f()));
        Ok((terms.collect(), loaded))
    }

    /// Ends the terms of a row.
    fn end_row(&mut self, scans: &[Scan]) {
        let lane = self.kernel.gang.lane;
        scans.iter().for_each(|scan| scan.end_row(self.f(), lane));
    }

    /// Loads the vectors of a whole tile.
    fn load_tile(&mut self, vectors: &Vectors, vector: Reg) -> Loaded {
        let rows = 0..self.streams.in_flight;
        let loaded = rows.map(|n| {
            let at = match n {
                0 => vector,
                _ => value!(self.f(), "vector", "add.u64", vector, 32 * n),
            };
            self.load_vector(vectors, at, None)
        });
        loaded.collect()
    }

    /// Prints the terms of a lane's vector in a row of a whole tile.
    fn terms_of_row(
        &mut self,
        vectors: &Vectors,
        vector: Reg,
        row: u32,
        words: &[Vec<Reg>],
    ) -> Result<()> {
        let stride = value!(self.f(), "stride", "mov.u64", 32);
        for offset in 0..self.streams.items {
            let at = (vector, stride, row);
            let (number, commented) = self.vector_item(vectors, at, row, offset);
            self.item(number, Some(words.to_vec()), commented)?;
        }
        Ok(())
    }

    /// Prints the bodies of a tile, each from what is carried to it.
    fn bodies_of_tile(
        &mut self,
        vectors: Option<&Vectors>,
        origin: Reg,
        current: &Current,
        scans: &[Scan],
        before: &Before,
    ) -> Result<()> {
        self.f().comment("The bodies of a tile.");
        let place = self.place_of(vectors, origin, current.tile);
        let mut end = self.kernel.end;
        let mut whole = place.vectors.map(|(_, whole)| whole);
        if let (Some(failing), Some(earlier)) = (current.failing, before.failed) {
            let (begin, all) = (self.kernel.begin, end);
            let f = self.f();
            // The iteration that fails is the last, and none runs where one has failed before.
            let limit = value!(f, "limit", "add.u64", failing, 1);
            let fails = value!(f, "fails", "setp.ne.u64", failing, -1);
            let limit = value!(f, "limit", "selp.b64", limit, end, fails);
            let limit = value!(f, "limit", "min.u64", limit, end);
            end = value!(f, "limit", "selp.b64", begin, limit, earlier);
            whole = whole.map(|whole| {
                let runs = value!(f, "runs", "setp.eq.u64", end, all);
                value!(f, "whole", "and.pred", whole, runs)
            });
        }
        let by_items = self.f().label("bodies_of_items");
        let done = self.f().label("end_bodies");
        let within: Vec<Amount> = scans.iter().map(|scan| scan.within(self.f())).collect();
        if let (Some(vectors), Some((vector, _)), Some(whole)) = (vectors, place.vectors, whole) {
            self.f().branch_if(whole, false, by_items);
            let (choose, all_below) = (self.f().label("choose"), self.f().label("all_below"));
            let reach = self.carried.vars.iter().zip(&before.reach);
            let reach = reach.filter_map(|((var, _), reach)| Some((*var, (*reach)?)));
            let reach: Vec<(VarId, (Reg, Reg))> = reach.collect();
            if !reach.is_empty() {
                self.f().branch(choose, true);
                self.f().place(all_below);
            }
            self.carried.cursors = reach.iter().map(|(var, _)| *var).collect();
            self.bodies_of_vectors((vectors, vector), current, scans, before, &within)?;
            self.carried.cursors.clear();
            let below = std::mem::take(&mut self.carried.below);
            self.f().branch(done, true);
            if !reach.is_empty() {
                let f = self.f();
                f.open_out_of_line();
                f.place(choose);
                for (cursor, length) in below {
                    let of = reach.iter().filter(|(var, _)| *var == cursor);
                    for (_, (begin, end)) in of {
                        let beyond = value!(f, "beyond", "setp.ge.u64", *end, length);
                        let beyond = value!(f, "beyond", "setp.lt.or.u64", *end, *begin, beyond);
                        f.branch_if(beyond, true, by_items);
                    }
                }
                f.branch(all_below, true);
                f.close_out_of_line();
            }
        }
        self.f().place(by_items);
        self.each_row(&place, end, |s, number, skip| {
            s.carried.in_terms = true;
            scans.iter().for_each(|scan| scan.restart(s.f()));
            let behind = s.f().label("terms_of_item");
            s.f().branch_if(skip, true, behind);
            s.item(Number::At(number), None, false)?;
            s.f().place(behind);
            s.carried.in_terms = false;
            for (at, scan) in scans.iter().enumerate() {
                let to_lane = s.before_lane(scan, &within[at], true);
                s.carry(at, scan, before.carried[at], &to_lane);
            }
            s.item_of_row(number, skip)
        })?;
        self.f().place(done);
        Ok(())
    }

    /// The same of a whole tile.
    fn bodies_of_vectors(
        &mut self,
        (vectors, vector): (&Vectors, Reg),
        current: &Current,
        scans: &[Scan],
        before: &Before,
        within: &[Amount],
    ) -> Result<()> {
        // Counts are there at once; other sums take their way over the lanes, several rows at the same time: as many as registers allow.
        let each = self.streams.items == 1;
        let wide = scans.iter().any(Scan::is_wide);
        let together = match (each, wide) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 4,
        };
        let stride = value!(self.f(), "stride", "mov.u64", 32);
        let mut waiting = Vec::new();
        for (n, words) in (0u32..).zip(&current.loaded) {
            self.carried.in_terms = true;
            scans.iter().for_each(|scan| scan.restart(self.f()));
            self.terms_of_row(vectors, vector, n, words)?;
            self.carried.in_terms = false;
            let to_lanes = scans.iter().zip(within);
            let to_lanes = to_lanes.map(|(scan, within)| self.before_lane(scan, within, each));
            waiting.push((n, words, to_lanes.collect::<Vec<Amount>>()));
            if waiting.len() < together && n + 1 < current.loaded.len() as u32 {
                continue;
            }
            for (n, words, to_lanes) in waiting.drain(..) {
                for (at, scan) in scans.iter().enumerate() {
                    self.carry(at, scan, before.carried[at], &to_lanes[at]);
                }
                self.vector_bodies(vectors, (vector, stride, n), n, words)?;
            }
        }
        Ok(())
    }

    /// What the terms before a lane's amount to, of those of the warp so far and those just printed, which come to the former.
    fn before_lane(&mut self, scan: &Scan, within: &Amount, each: bool) -> Amount {
        let lane = self.kernel.gang.lane;
        let f = self.f();
        let (of_lanes, all) = scan.over_lanes(f, lane, each);
        let to_lane = scan.both_within(f, within, &of_lanes);
        let all = scan.both_within(f, within, &all);
        scan.assign(f, within, &all);
        to_lane
    }

    /// Leaves to the next body what is carried to it.
    fn carry(&mut self, at: usize, scan: &Scan, base: Reg, within: &Amount) {
        let (_, num) = self.carried.vars[at];
        let value = scan.carried(self.f(), base, within);
        let value = match num.ty {
            Scalar::Bool => value!(self.f(), "carried", "setp.ne.u32", value, 0),
            ty => self.normalise(ty, value),
        };
        debug_assert_eq!(value.class, class(num.ty));
        if let Some(to) = num.operand.reg() {
            self.f().assign(to, value);
        }
    }

    /// Rows of a warp's items below `end`: the code gets the lane's item, and a predicate: whether there is none. All lanes come to it.
    fn each_row(
        &mut self,
        place: &Place,
        end: Reg,
        print: impl FnOnce(&mut Self, Reg, Reg) -> Result<()>,
    ) -> Result<()> {
        let begin = self.kernel.begin;
        let lane = self.kernel.gang.lane;
        let rows = self.rows_of_tile();
        let f = self.f();
        let size = value!(f, "size", "sub.u64", end, begin);
        let own = value!(f, "own", "cvt.u64.u32", lane);
        let item = value!(f, "item", "add.u64", place.item, own);
        let row = value!(f, "row", "mov.u32", 0);
        let again = f.label("rows");
        f.place(again);
        // What is before the first item is as far beyond the last as can be.
        let at = value!(f, "at", "sub.u64", item, begin);
        let skip = value!(f, "skip", "setp.ge.u64", at, size);
        print(self, item, skip)?;
        let f = self.f();
        emit!(f, "add.u64", item, item, 32);
        emit!(f, "add.u32", row, row, 1);
        let more = value!(f, "more", "setp.lt.u32", row, rows);
        f.branch_if(more, true, again);
        Ok(())
    }

    /// The item of a lane in a row, if it has one.
    fn item_of_row(&mut self, number: Reg, skip: Reg) -> Result<()> {
        let behind = self.f().label("row_done");
        self.f().branch_if(skip, true, behind);
        self.item(Number::At(number), None, self.streams.list.is_empty())?;
        self.f().place(behind);
        Ok(())
    }

    /// Whether an index is a cursor, which the tile that is printed is chosen to keep below the length.
    pub(super) fn stays_below(&mut self, index: &Expr, length: Num) -> bool {
        let ExprKind::Load(place) = &index.kind else {
            return false;
        };
        let (Root::Var(var), true, Some(length)) =
            (place.root, place.path.is_empty(), length.operand.reg())
        else {
            return false;
        };
        let in_body = self.frames.len() == 1 && !self.carried.in_terms;
        let known = self.inputs.lengths.values().any(|reg| *reg == length);
        if !in_body || !known || !self.carried.cursors.contains(&var) {
            return false;
        }
        if !self.carried.below.contains(&(var, length)) {
            self.carried.below.push((var, length));
        }
        true
    }

    /// Writes that the terms of the current iteration fail: it is over.
    pub(super) fn fail_terms(&mut self) {
        let iteration = self.iteration();
        self.carried.may_fail = true;
        self.kernel.fail_terms(iteration);
        let next = self.item.next;
        self.f().branch(next, false);
    }

    /// What a body finds of the scalars.
    pub(super) fn carried_values(&self) -> Vec<(VarId, Value)> {
        let vars = self.carried.vars.iter().filter(|_| !self.carried.in_terms);
        vars.map(|(var, num)| (*var, Value::Num(*num))).collect()
    }
}

//! Loops that carry scalars along: tiles of iterations, whose terms are handed on before their bodies run.
//!
//! Symbols: a tile is [`TILE_BLOCK`] threads by `R = U * V` items, with `U` vectors of `V` items for each thread. A warp has `32 * R` items one
//! after the other, in one of two forms:
//!
//! ```text
//! whole tiles   U rows of 32 vectors; a lane's items are neighbours in its vector, and what is loaded for the terms serves the bodies
//! others        R rows of 32 items; terms are computed again beside the bodies
//! ```
//!
//! The first tile begins where the vectors do, or a vector earlier, so that tiles are whole but for the first and the last; where nothing is
//! streamed, or streams do not lie alike, none is. What the hand-over is, and what becomes of terms that fail, is in `accrue_ptx`'s `lookback`.

use accrue_ptx::strategy::{Exchanged, Scan, TILE_BLOCK};
use accrue_ptx::writer::Reg;
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Number, Result};
use super::grid::Vectors;
use super::value::{Num, Value, class};
use crate::ir::{Body, Scalar, VarId};

/// What is carried along, as kernels take it.
pub(super) struct Carrying {
    /// The terms of an iteration, as a body of their own.
    pub(super) terms: Body,
    /// The scalars, in the order of their targets.
    pub(super) vars: Vec<VarId>,
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
}

/// The tile that is being printed.
struct Tile {
    /// The warp's first item.
    item: Reg,
    /// The lane's first vector, and a predicate: whether the tile has all its vectors.
    vectors: Option<(Reg, Reg)>,
}

/// What a whole tile's vectors have: their words, and for each scalar what the terms before them in the warp amount to.
struct Row {
    words: Vec<Vec<Reg>>,
    before: Vec<Reg>,
}

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
        let tile = self.kernel.first_tile();
        let rows = self.rows_of_tile();
        let f = self.f();
        let items = value!(f, "items", "sub.u64", end, origin);
        let more = value!(f, "items", "add.u64", items, TILE_BLOCK * rows - 1);
        let tiles = value!(f, "tiles", "div.u64", more, TILE_BLOCK * rows);
        let tiles = value!(f, "tiles", "cvt.u32.u64", tiles);
        let last_tile = value!(f, "last_tile", "sub.u32", tiles, 1);
        let (again, done) = (f.label("tiles"), f.label("end_tiles"));
        let beyond = value!(f, "beyond", "setp.ge.u32", tile, tiles);
        f.branch_if(beyond, true, done);
        f.place(again);
        let last = value!(self.f(), "last", "setp.eq.u32", tile, last_tile);
        let this = self.tile(vectors.as_ref(), origin, tile);
        let (terms, printed) = self.terms_of_tile(vectors.as_ref(), &this, &scans)?;
        let may_fail = self.carried.may_fail;
        let exchanged = self.kernel.exchange((tile, last), &terms, may_fail);
        self.bodies_of_tile(vectors.as_ref(), &this, &scans, &exchanged, &printed)?;
        let f = self.f();
        f.assign(tile, exchanged.next);
        let more = value!(f, "more", "setp.lt.u32", tile, tiles);
        f.branch_if(more, true, again);
        f.place(done);
        Ok(())
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
    fn tile(&mut self, vectors: Option<&Vectors>, origin: Reg, tile: Reg) -> Tile {
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
        Tile { item, vectors }
    }

    /// Prints the terms of a tile: what the warp's amount to, in all of its lanes, and what is known of each row of vectors.
    fn terms_of_tile(
        &mut self,
        vectors: Option<&Vectors>,
        tile: &Tile,
        scans: &[Scan],
    ) -> Result<(Vec<Reg>, Vec<Row>)> {
        self.f().comment("The terms of a tile.");
        let known = scans.iter().map(|scan| scan.nothing(self.f()));
        let known: Vec<Reg> = known.collect();
        let mut rows = Vec::new();
        self.carried.in_terms = true;
        let by_items = self.f().label("terms_of_items");
        let done = self.f().label("terms_known");
        if let (Some(vectors), Some((vector, whole))) = (vectors, tile.vectors) {
            self.f().branch_if(whole, false, by_items);
            rows = self.terms_of_vectors(vectors, vector, scans, &known)?;
            self.f().branch(done, true);
        }
        self.f().place(by_items);
        scans.iter().for_each(|scan| scan.restart(self.f()));
        let end = self.kernel.end;
        self.each_row(tile, end, |s, number, skip| s.item_of_row(number, skip))?;
        for (scan, known) in scans.iter().zip(&known) {
            let f = self.f();
            let terms = scan.terms(f);
            let terms = scan.together(f, terms);
            f.assign(*known, terms);
        }
        self.f().place(done);
        self.carried.in_terms = false;
        Ok((known, rows))
    }

    /// The same of a whole tile.
    fn terms_of_vectors(
        &mut self,
        vectors: &Vectors,
        vector: Reg,
        scans: &[Scan],
        known: &[Reg],
    ) -> Result<Vec<Row>> {
        let (items, ahead) = (self.streams.items, self.streams.in_flight);
        let mut loaded = Vec::new();
        for n in 0..ahead {
            let at = match n {
                0 => vector,
                _ => value!(self.f(), "vector", "add.u64", vector, 32 * n),
            };
            loaded.push(self.load_vector(vectors, at, None));
        }
        let lane = self.kernel.gang.lane;
        let stride = value!(self.f(), "stride", "mov.u64", 32);
        let mut rows = Vec::new();
        for (n, words) in (0u32..).zip(loaded) {
            scans.iter().for_each(|scan| scan.restart(self.f()));
            for offset in 0..items {
                let at = (vector, stride, n);
                let (number, commented) = self.vector_item(vectors, at, n, offset);
                self.item(number, Some(words.clone()), commented)?;
            }
            let mut before = Vec::new();
            for (scan, known) in scans.iter().zip(known) {
                let f = self.f();
                let terms = scan.terms(f);
                let (of_lanes, all) = scan.over_lanes(f, lane, terms, items == 1);
                let of_warp = scan.both(f, *known, of_lanes);
                before.push(scan.keep(f, of_warp));
                let all = scan.both(f, *known, all);
                f.assign(*known, all);
            }
            rows.push(Row { words, before });
        }
        Ok(rows)
    }

    /// Prints the bodies of a tile, each from what is carried to it.
    fn bodies_of_tile(
        &mut self,
        vectors: Option<&Vectors>,
        tile: &Tile,
        scans: &[Scan],
        exchanged: &Exchanged,
        rows: &[Row],
    ) -> Result<()> {
        self.f().comment("The bodies of a tile.");
        let mut end = self.kernel.end;
        let mut whole = tile.vectors.map(|(_, whole)| whole);
        if let Some((failed, earlier)) = exchanged.failed {
            let (begin, all) = (self.kernel.begin, end);
            let f = self.f();
            // The iteration that fails is the last, and none runs where one has failed before.
            let limit = value!(f, "limit", "add.u64", failed, 1);
            let fails = value!(f, "fails", "setp.ne.u64", failed, -1);
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
        if let (Some(vectors), Some((vector, _)), Some(whole)) = (vectors, tile.vectors, whole) {
            self.f().branch_if(whole, false, by_items);
            let stride = value!(self.f(), "stride", "mov.u64", 32);
            for (n, row) in (0u32..).zip(rows) {
                for (at, scan) in scans.iter().enumerate() {
                    let f = self.f();
                    let of_warp = scan.kept(f, row.before[at]);
                    let before = scan.both(f, exchanged.before[at], of_warp);
                    self.carry(at, scan, before);
                }
                self.vector_bodies(vectors, (vector, stride, n), n, &row.words)?;
            }
            self.f().branch(done, true);
        }
        self.f().place(by_items);
        let lane = self.kernel.gang.lane;
        let before: Vec<Reg> = exchanged.before.clone();
        self.each_row(tile, end, |s, number, skip| {
            // The terms again, for all lanes, and then the bodies.
            s.carried.in_terms = true;
            scans.iter().for_each(|scan| scan.restart(s.f()));
            let behind = s.f().label("terms_of_item");
            s.f().branch_if(skip, true, behind);
            s.item(Number::At(number), None, false)?;
            s.f().place(behind);
            s.carried.in_terms = false;
            for (at, (scan, before)) in scans.iter().zip(&before).enumerate() {
                let f = s.f();
                let terms = scan.terms(f);
                let (of_lanes, all) = scan.over_lanes(f, lane, terms, true);
                let carried = scan.both(f, *before, of_lanes);
                let all = scan.both(f, *before, all);
                f.assign(*before, all);
                s.carry(at, scan, carried);
            }
            s.item_of_row(number, skip)
        })?;
        self.f().place(done);
        Ok(())
    }

    /// Leaves to the next body what is carried to it, where the terms before amount to this.
    fn carry(&mut self, at: usize, scan: &Scan, before: Reg) {
        let (_, num) = self.carried.vars[at];
        let value = scan.carried(self.f(), before);
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
        tile: &Tile,
        end: Reg,
        print: impl FnOnce(&mut Self, Reg, Reg) -> Result<()>,
    ) -> Result<()> {
        let begin = self.kernel.begin;
        let lane = self.kernel.gang.lane;
        let rows = self.rows_of_tile();
        let f = self.f();
        let size = value!(f, "size", "sub.u64", end, begin);
        let own = value!(f, "own", "cvt.u64.u32", lane);
        let item = value!(f, "item", "add.u64", tile.item, own);
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

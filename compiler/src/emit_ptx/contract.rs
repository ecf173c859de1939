//! The kernel of [staged](super::staged) loops.
//!
//! ```text
//! whether the launch is the whole loop, and all indices up to the inner loop's end are in range; else the loop as it is written
//! for each block of iterations of the gang:
//!     what stands before the inner loop, for each iteration of the thread: variables in registers
//!     the first positions' operands into shared memory
//!     for each stage: the next one's operands into registers, the bodies of this one's positions, those registers into shared memory
//!     what stands behind the inner loop, for each iteration
//! ```
//!
//! Iterations beyond the last are computed like the last ones, and store nothing.

use std::collections::HashMap;

use accrue_ptx::writer::{Class, Label, Operand, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Facts, Frame, Item, Number, Result};
use super::place::Memory;
use super::spans::Spanned;
use super::staged::{Found, Role, Staged, slot, width};
use super::value::{Num, Value, class, memory};
use crate::ir::{
    Access, BinaryOp, Check, Expr, ExprKind, Index, Projection, Root, Scalar, Stmt, StmtKind, Type,
    VarId,
};

/// The symbol of what is staged.
const SYMBOL: &str = "staged";

/// An index, or an address: a value at the first positions, and what it grows by with each.
struct Line {
    start: Num,
    steps: Vec<Option<Num>>,
}

/// Where an access is.
struct Walk {
    /// Its address at the first positions.
    base: Reg,
    offset: i64,
    /// Bytes that it grows by with each position.
    steps: Vec<Option<Operand>>,
}

/// What is the same in all blocks.
struct Whole {
    walks: Vec<Walk>,
    /// Positions of the inner loop.
    count32: Reg,
    /// Whether the loop can be run in blocks.
    inside: Reg,
    /// Blocks along `i` and `j`.
    blocks: [Reg; 2],
}

/// A block.
struct Block {
    /// The first position in each dimension.
    first: Vec<Reg>,
    /// The thread's positions along `i` and `j`, none beyond the last, and whether they would be.
    own: [Vec<(Reg, Reg)>; 2],
    /// Where each access is at the block's positions in the other dimensions.
    bases: Vec<Reg>,
}

/// An operand as it is staged.
struct Panel {
    /// Which access it is.
    found: usize,
    side: Option<usize>,
    ty: Scalar,
    /// Bytes from one position to the next in shared memory.
    pitch: u32,
    /// Where the thread stores its first element, and loads that of its first iteration, of the first stage.
    store: Reg,
    load: Reg,
    /// Bytes between two elements that the thread stores.
    apart: u32,
    /// The position of its first element in the stage, and positions between two.
    position: Reg,
    ahead: u32,
    /// What the thread stores has this predicate, where not all threads do.
    only: Option<Reg>,
    /// Addresses of the elements that the thread loads, and what comes of them.
    at: Vec<Reg>,
    values: Vec<Reg>,
    /// Bytes from a stage to the next in device memory.
    advance: Operand,
}

/// An iteration of the thread, as far as it has come.
struct Own {
    vars: HashMap<VarId, Value>,
    /// What is in a register through the inner loop, by the access.
    kept: Vec<(usize, Value)>,
}

impl<'a> Emitter<'a> {
    /// Prints a staged loop over a range of iterations.
    pub(super) fn staged(
        &mut self,
        staged: &'a Staged<'a>,
        (begin, end): (Reg, Reg),
        thread: Reg,
        all: Reg,
    ) -> Result<()> {
        let (plain, done) = (self.f().label("plain"), self.f().label("end_staged"));
        self.frames.push(self.empty_frame());
        let whole = self.whole(staged, (begin, end))?;
        self.frames.pop();
        self.f().branch_if(whole.inside, false, plain);
        self.blocks(staged, &whole)?;
        self.f().branch(done, true);
        self.f().place(plain);
        self.f().comment("The loop as it is written.");
        let item = value!(self.f(), "item", "add.u64", begin, thread);
        self.one_by_one(item, end, all, None)?;
        self.f().place(done);
        Ok(())
    }

    fn empty_frame(&self) -> Frame<'a> {
        let lp = self.lp;
        Frame {
            body: &lp.body,
            facts: Facts::of(&lp.body),
            vars: HashMap::new(),
            loops: Vec::new(),
            returns: None,
        }
    }

    /// What is the same in all blocks, and whether all of the loop is in range.
    fn whole(&mut self, staged: &'a Staged<'a>, (begin, end): (Reg, Reg)) -> Result<Whole> {
        self.f().comment("Whether the loop can be run in blocks.");
        let count = self.staged_line(staged, &staged.inner.count)?.start;
        let count = self.reg(count);
        let counts = [&self.inputs.counts[..], &[count]].concat();
        let tile = staged.tile;
        let threads = self.kernel.gang.threads;
        let f = self.f();
        let mut items = counts[0];
        for count in &counts[1..counts.len() - 1] {
            items = value!(f, "items", "mul.lo.u64", items, *count);
        }
        let mut inside = value!(f, "inside", "setp.eq.u32", threads, tile.threads);
        inside = value!(f, "inside", "setp.eq.and.u64", begin, 0, inside);
        inside = value!(f, "inside", "setp.eq.and.u64", end, items, inside);
        inside = value!(f, "inside", "setp.ge.and.u64", count, tile.least, inside);
        let mut last = Vec::new();
        for count in &counts {
            let behind = value!(f, "last", "sub.u64", *count, 1);
            inside = value!(f, "inside", "setp.lt.and.u64", behind, 1i64 << 31, inside);
            last.push(behind);
        }
        // Blocks that are mostly beyond the last iterations are not worth it.
        let mut blocks = Vec::new();
        let (mut area, mut used) = (None, None);
        for (dim, block) in [Some(staged.i), staged.j].into_iter().zip(tile.block) {
            let Some(dim) = dim else {
                blocks.push(counts[0]);
                continue;
            };
            let more = value!(f, "blocks", "add.u64", counts[dim], block - 1);
            let number = value!(f, "blocks", "shr.u64", more, block.trailing_zeros());
            let size = value!(f, "size", "shl.b64", number, block.trailing_zeros());
            area = Some(match area {
                None => size,
                Some(area) => value!(f, "area", "mul.lo.u64", area, size),
            });
            used = Some(match used {
                None => counts[dim],
                Some(used) => value!(f, "used", "mul.lo.u64", used, counts[dim]),
            });
            blocks.push(number);
        }
        if let (Some(area), Some(used)) = (area, used) {
            let part = value!(f, "part", "shr.u64", area, 3);
            inside = value!(f, "inside", "setp.le.and.u64", part, used, inside);
        }
        let mut walks = Vec::new();
        for found in &staged.found {
            walks.push(self.walk(staged, found, &last, &mut inside)?);
        }
        let count32 = value!(self.f(), "count", "cvt.u32.u64", count);
        Ok(Whole {
            walks,
            count32,
            inside,
            blocks: [blocks[0], blocks[1]],
        })
    }

    /// Where an access is, and what it takes for it to be in range at all positions.
    fn walk(
        &mut self,
        staged: &'a Staged<'a>,
        found: &Found<'a>,
        last: &[Reg],
        inside: &mut Reg,
    ) -> Result<Walk> {
        let lp = self.lp;
        let mut walk = Walk {
            base: self.inputs.pointers[&found.array],
            offset: 0,
            steps: vec![None; last.len()],
        };
        let mut length = self.array_length(found.array);
        let mut ty: Option<&'a Type> = None;
        for step in &found.place.path {
            match step {
                Projection::Field(n) => {
                    let of = ty.expect("an index comes first");
                    let (by, field) = self.field(of, *n, found.source)?;
                    walk.offset += by as i64;
                    ty = Some(field);
                }
                Projection::Index(index) => {
                    let elem = match ty {
                        None => &lp.array(found.array).elem,
                        Some(Type::Array(elem, n)) => {
                            length = self.length(n, found.source)?;
                            &**elem
                        }
                        Some(other) => unreachable!("an index into {other}"),
                    };
                    let line = self.in_range(staged, index, length, last, inside)?;
                    let size = self.size_of(elem, found.source)?;
                    let bytes = self.wide(size);
                    let start = self.reg(line.start);
                    walk.base = value!(self.f(), "at", "mad.lo.u64", start, bytes, walk.base);
                    for (to, step) in walk.steps.iter_mut().zip(line.steps) {
                        let Some(step) = step else { continue };
                        let by = self.arithmetic(BinaryOp::Mul, step, size, None);
                        let by = self.wide(by);
                        *to = Some(match *to {
                            None => by,
                            Some(before) => {
                                let before = self.register(before);
                                value!(self.f(), "step", "add.u64", before, by).into()
                            }
                        });
                    }
                    ty = Some(elem);
                }
            }
        }
        Ok(walk)
    }

    /// An operand in a register of 64 bits.
    fn register(&mut self, operand: Operand) -> Reg {
        match operand {
            Operand::Reg(reg) => reg,
            constant => value!(self.f(), "constant", "mov.b64", constant),
        }
    }

    /// An index, and what it takes to be in range: where the first one is, no step has more than 31 bits, and neither has the number of
    /// positions, each further dimension's last one is in range if the index does not wrap on the way there.
    fn in_range(
        &mut self,
        staged: &'a Staged<'a>,
        index: &'a Index,
        length: Num,
        last: &[Reg],
        inside: &mut Reg,
    ) -> Result<Line> {
        let mut line = self.staged_line(staged, &index.index)?;
        let length = match &index.check {
            Check::Dimension => Some(length),
            Check::Window(window) => Some(self.staged_line(staged, window)?.start),
            Check::Never => None,
        };
        if let Some(length) = length {
            let length = self.wide(length);
            let mut at = self.reg(line.start);
            let f = self.f();
            *inside = value!(f, "inside", "setp.lt.and.u64", at, length, *inside);
            for (step, last) in line.steps.iter().zip(last) {
                let Some(step) = *step else { continue };
                let step = self.reg(step);
                let f = self.f();
                *inside = value!(f, "inside", "setp.lt.and.u64", step, 1i64 << 31, *inside);
                at = value!(f, "end", "mad.lo.u64", step, *last, at);
                *inside = value!(f, "inside", "setp.lt.and.u64", at, length, *inside);
            }
        }
        if let Some(base) = &index.base {
            let base = self.staged_line(staged, base)?;
            line = self.staged_sum(BinaryOp::Add, base, line);
        }
        Ok(line)
    }

    fn staged_sum(&mut self, op: BinaryOp, a: Line, b: Line) -> Line {
        let start = self.arithmetic(op, a.start, b.start, None);
        let pairs = a.steps.into_iter().zip(b.steps);
        let steps = pairs.map(|pair| match pair {
            (Some(a), Some(b)) => Some(self.arithmetic(BinaryOp::Add, a, b, None)),
            (a, b) => a.or(b),
        });
        let steps = steps.collect();
        Line { start, steps }
    }

    /// A sum of positions times what is known, as the reader has found it to be.
    fn staged_line(&mut self, staged: &'a Staged<'a>, e: &'a Expr) -> Result<Line> {
        let reader = &staged.reader;
        let positions = reader.positions.len();
        if reader.is_fixed(e) {
            return Ok(Line {
                start: self.expr(e)?.num(),
                steps: vec![None; positions],
            });
        }
        match &e.kind {
            ExprKind::Load(place) => {
                let Root::Var(var) = place.root else {
                    unreachable!("a line of an element")
                };
                let Some(at) = reader.positions.iter().position(|p| *p == var) else {
                    return self.staged_line(staged, reader.lets[&var]);
                };
                let mut steps = vec![None; positions];
                steps[at] = Some(Num::int(Scalar::Usize, 1));
                Ok(Line {
                    start: Num::int(Scalar::Usize, 0),
                    steps,
                })
            }
            ExprKind::Cast(inner) => self.staged_line(staged, inner),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (a, b) = (self.staged_line(staged, a)?, self.staged_line(staged, b)?);
                Ok(self.staged_sum(*op, a, b))
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let moves = reader.line(a) != Some(0);
                let (a, b) = (self.staged_line(staged, a)?, self.staged_line(staged, b)?);
                let (of, factor) = if moves { (a, b) } else { (b, a) };
                let mut times = |num| self.arithmetic(BinaryOp::Mul, num, factor.start, None);
                let start = times(of.start);
                let steps = of.steps.into_iter().map(|step| step.map(&mut times));
                Ok(Line {
                    start,
                    steps: steps.collect(),
                })
            }
            other => unreachable!("a line of {other:?}"),
        }
    }

    /// The blocks of the gang, one after the other.
    fn blocks(&mut self, staged: &'a Staged<'a>, whole: &Whole) -> Result<()> {
        let operands = self.operands(staged, whole);
        let counts = self.inputs.counts.clone();
        let (gang, gangs) = (self.kernel.gang.gang, self.kernel.gang.gangs);
        let f = self.f();
        let number = value!(f, "block", "cvt.u64.u32", gang);
        let more = value!(f, "gangs", "cvt.u64.u32", gangs);
        let mut all = whole.blocks[0];
        if staged.j.is_some() {
            all = value!(f, "all_blocks", "mul.lo.u64", all, whole.blocks[1]);
        }
        for count in &counts[..staged.i] {
            all = value!(f, "all_blocks", "mul.lo.u64", all, *count);
        }
        let (again, done) = (f.label("blocks"), f.label("end_blocks"));
        f.place(again);
        let beyond = value!(f, "beyond", "setp.ge.u64", number, all);
        f.branch_if(beyond, true, done);
        self.one_block(staged, whole, number, &operands)?;
        let f = self.f();
        emit!(f, "add.u64", number, number, more);
        f.branch(again, true);
        f.place(done);
        Ok(())
    }

    /// Where a block is, and the thread in it.
    fn block_at(&mut self, staged: &Staged<'a>, whole: &Whole, number: Reg) -> Block {
        let tile = staged.tile;
        let counts = self.inputs.counts.clone();
        let sides = [Some(staged.i), staged.j];
        let mut first = counts.clone();
        let mut rest = number;
        for dim in (0..counts.len()).rev() {
            let side = sides.iter().position(|side| *side == Some(dim));
            let count = side.map_or(counts[dim], |side| whole.blocks[side]);
            let position = match dim {
                0 => rest,
                _ => {
                    let (quotient, position) = self.divide_position(rest, count);
                    rest = quotient;
                    position
                }
            };
            first[dim] = match side {
                Some(side) => value!(self.f(), "first", "mul.lo.u64", position, tile.block[side]),
                None => position,
            };
        }
        // The thread's iterations: groups of as many neighbours as are loaded at a time.
        let place = self.place_in_block(staged);
        let mut own = [Vec::new(), Vec::new()];
        for side in 0..2 {
            let Some(dim) = sides[side] else { continue };
            let f = self.f();
            let at = value!(f, "at", "cvt.u64.u32", place[side]);
            let at = value!(f, "at", "add.u64", first[dim], at);
            let last = value!(f, "last", "sub.u64", counts[dim], 1);
            for offset in offsets(staged, side) {
                let position = value!(f, "position", "add.u64", at, offset);
                let beyond = value!(f, "beyond", "setp.gt.u64", position, last);
                let position = value!(f, "position", "min.u64", position, last);
                own[side].push((position, beyond));
            }
        }
        let mut bases = Vec::new();
        for walk in &whole.walks {
            let mut at = walk.base;
            for (dim, step) in walk.steps.iter().enumerate().take(counts.len()) {
                if let (Some(step), false) = (step, sides.contains(&Some(dim))) {
                    at = value!(self.f(), "at", "mad.lo.u64", first[dim], *step, at);
                }
            }
            bases.push(at);
        }
        Block { first, own, bases }
    }

    /// Where the first of the thread's iterations is in a block, along `i` and `j`.
    fn place_in_block(&mut self, staged: &Staged<'_>) -> [Reg; 2] {
        let tile = staged.tile;
        let thread = self.kernel.gang.thread;
        let across = tile.block[1] / tile.each[1];
        let f = self.f();
        let rows = value!(f, "row", "shr.u32", thread, across.trailing_zeros());
        let columns = value!(f, "column", "and.b32", thread, across - 1);
        [
            value!(f, "row", "mul.lo.u32", rows, group(staged, 0)),
            value!(f, "column", "mul.lo.u32", columns, group(staged, 1)),
        ]
    }

    /// What is staged, and how: what of it is the same in all blocks.
    fn operands(&mut self, staged: &Staged<'_>, whole: &Whole) -> Vec<Panel> {
        let tile = staged.tile;
        let f = self.f();
        f.declare(format!(
            ".shared .align 16 .b8 {SYMBOL}[{}];",
            staged.shared()
        ));
        let shared = f.address_of(Class::B32, SYMBOL);
        let place = self.place_in_block(staged);
        let thread = self.kernel.gang.thread;
        let k = self.lp.space.len();
        let mut all = Vec::new();
        let mut offset = 0;
        for (number, found) in staged.operands() {
            let (pitch, bytes) = staged.pitch(found);
            let side = staged.side(found);
            let size = slot(found.ty);
            let f = self.f();
            let here = value!(f, "here", "add.u32", shared, offset);
            let load = match side {
                Some(side) => value!(f, "load", "mad.lo.u32", place[side], size, here),
                None => here,
            };
            let extent = side.map_or(1, |side| tile.block[side]);
            // Neighbouring threads have neighbouring elements.
            let lanes = if found.along || side.is_none() {
                tile.depth
            } else {
                extent
            };
            let inner = value!(f, "inner", "and.b32", thread, lanes - 1);
            let outer = value!(f, "outer", "shr.u32", thread, lanes.trailing_zeros());
            let rows = tile.threads / lanes;
            let (position, element, apart, ahead) = match found.along || side.is_none() {
                true => (inner, outer, rows * size, 0),
                false => (outer, inner, rows * pitch, rows),
            };
            let store = value!(f, "store", "mad.lo.u32", position, pitch, here);
            let store = value!(f, "store", "mad.lo.u32", element, size, store);
            let count = (extent * tile.depth).div_ceil(tile.threads);
            let only = (extent * tile.depth < tile.threads)
                .then(|| value!(f, "only", "setp.lt.u32", thread, extent * tile.depth));
            let values = (0..count).map(|_| f.reg(class(found.ty), "next")).collect();
            let at = (0..count).map(|_| f.reg(Class::B64, "at")).collect();
            let step = whole.walks[number].steps[k].expect("it moves with the position");
            let step = self.register(step);
            let advance = value!(self.f(), "advance", "mul.lo.u64", step, tile.depth);
            all.push(Panel {
                found: number,
                side,
                ty: found.ty,
                pitch,
                store,
                load,
                apart,
                position,
                ahead,
                only,
                at,
                values,
                advance: advance.into(),
            });
            offset += bytes;
        }
        all
    }

    /// Points a thread at what it loads of the block's first stage.
    fn begin_operand(
        &mut self,
        staged: &Staged<'_>,
        whole: &Whole,
        block: &Block,
        operand: &Panel,
    ) {
        let tile = staged.tile;
        let thread = self.kernel.gang.thread;
        let counts = self.inputs.counts.clone();
        let walk = &whole.walks[operand.found];
        let k = counts.len();
        let step = walk.steps[k].expect("it moves with the position");
        let base = block.bases[operand.found];
        let dim = operand
            .side
            .map(|side| [staged.i, staged.j.unwrap_or(0)][side]);
        let extent = operand.side.map_or(1, |side| tile.block[side]);
        let along = operand.ahead == 0;
        let lanes = if along { tile.depth } else { extent };
        let f = self.f();
        let element = match along {
            true => value!(f, "element", "shr.u32", thread, lanes.trailing_zeros()),
            false => value!(f, "element", "and.b32", thread, lanes - 1),
        };
        let element = value!(f, "element", "cvt.u64.u32", element);
        let position = value!(f, "position", "cvt.u64.u32", operand.position);
        let rows = tile.threads / lanes;
        for (n, at) in (0u32..).zip(&operand.at) {
            let (down, right) = if along { (0, n * rows) } else { (n * rows, 0) };
            let position = match down {
                0 => position,
                _ => value!(f, "position", "add.u64", position, down),
            };
            let from = match dim {
                Some(dim) => {
                    let element = value!(f, "element", "add.u64", element, right);
                    let element = value!(f, "element", "add.u64", element, block.first[dim]);
                    let last = value!(f, "last", "sub.u64", counts[dim], 1);
                    let element = value!(f, "element", "min.u64", element, last);
                    let by = walk.steps[dim].expect("it depends on it");
                    value!(f, "from", "mad.lo.u64", element, by, base)
                }
                None => base,
            };
            emit!(f, "mad.lo.u64", *at, position, step, from);
        }
    }

    /// Loads a thread's elements of a stage that has `left` positions or more than fit it, and goes on to the next.
    fn load_stage(&mut self, staged: &Staged<'_>, whole: &Whole, operands: &[Panel], left: Reg) {
        let f = self.f();
        let (part, loaded) = (f.label("part"), f.label("loaded"));
        let some = value!(f, "some", "setp.lt.u32", left, staged.tile.depth);
        f.branch_if(some, true, part);
        for operand in operands {
            let opcode = format!("ld.global.nc.{}", memory(operand.ty));
            let offset = whole.walks[operand.found].offset;
            for (at, to) in operand.at.iter().zip(&operand.values) {
                let parts = [Operand::Reg(*to), Operand::At(*at, offset)];
                match operand.only {
                    Some(only) => f.op_if(only, true, &opcode, &parts),
                    None => f.op(&opcode, &parts),
                }
                emit!(f, "add.u64", *at, *at, operand.advance);
            }
        }
        f.place(loaded);
        f.open_out_of_line();
        f.place(part);
        for operand in operands {
            let opcode = format!("ld.global.nc.{}", memory(operand.ty));
            let offset = whole.walks[operand.found].offset;
            for (n, (at, to)) in (0u32..).zip(operand.at.iter().zip(&operand.values)) {
                // What lies beyond the last position is not used.
                let zero = match to.class {
                    Class::F32 => Operand::F32(0),
                    Class::F64 => Operand::F64(0),
                    _ => Operand::Int(0),
                };
                f.assign(*to, zero);
                let position = value!(
                    f,
                    "position",
                    "add.u32",
                    operand.position,
                    n * operand.ahead
                );
                let here = match operand.only {
                    Some(only) => {
                        value!(f, "here", "setp.lt.and.u32", position, left, only)
                    }
                    None => value!(f, "here", "setp.lt.u32", position, left),
                };
                f.op_if(
                    here,
                    true,
                    &opcode,
                    &[(*to).into(), Operand::At(*at, offset)],
                );
            }
        }
        f.branch(loaded, true);
        f.close_out_of_line();
    }

    /// Stores what has been loaded of a stage into one of the two halves of shared memory.
    fn store_stage(&mut self, operands: &[Panel], half: Reg) {
        let f = self.f();
        for operand in operands {
            let opcode = format!("st.shared.{}", word(operand.ty));
            let to = value!(f, "to", "add.u32", operand.store, half);
            for (n, from) in (0i64..).zip(&operand.values) {
                let at = Operand::At(to, n * i64::from(operand.apart));
                match operand.only {
                    Some(only) => f.op_if(only, true, &opcode, &[at, (*from).into()]),
                    None => f.op(&opcode, &[at, (*from).into()]),
                }
            }
        }
    }

    /// A block of iterations.
    fn one_block(
        &mut self,
        staged: &'a Staged<'a>,
        whole: &Whole,
        number: Reg,
        operands: &[Panel],
    ) -> Result<()> {
        let tile = staged.tile;
        let stage = staged.stage();
        let thread = self.kernel.gang.thread;
        let block = self.block_at(staged, whole, number);
        for operand in operands {
            self.begin_operand(staged, whole, &block, operand);
        }
        self.f().comment("The first stage.");
        self.load_stage(staged, whole, operands, whole.count32);
        let mut own = self.begin_items(staged, whole, &block)?;
        let f = self.f();
        // Behind the last stage all is found out again that follows from it: it would take registers until then.
        let shared = f.address_of(Class::B32, SYMBOL);
        let kept = Operand::At(shared, i64::from(2 * stage));
        let one = value!(f, "one", "setp.eq.u32", thread, 0);
        f.op_if(one, true, "st.shared.u64", &[kept, number.into()]);
        let left = value!(f, "left", "mov.b32", whole.count32);
        let half = value!(f, "half", "mov.b32", 0);
        let position = value!(f, "position", "mov.b64", 0);
        self.store_stage(operands, half);
        let f = self.f();
        emit!(f, "bar.sync", 0);
        let (again, compute, last) = (f.label("stages"), f.label("compute"), f.label("last"));
        f.place(again);
        let more = value!(f, "more", "setp.gt.u32", left, tile.depth);
        f.branch_if(more, false, compute);
        let next = value!(f, "left", "sub.u32", left, tile.depth);
        self.load_stage(staged, whole, operands, next);
        self.f().place(compute);
        let now = value!(self.f(), "now", "min.u32", left, tile.depth);
        self.positions_of_stage(staged, operands, &mut own, half, now, position)?;
        self.f().branch_if(more, false, last);
        let f = self.f();
        emit!(f, "sub.u32", half, stage, half);
        self.store_stage(operands, half);
        let f = self.f();
        emit!(f, "bar.sync", 0);
        emit!(f, "sub.u32", left, left, tile.depth);
        emit!(f, "add.u64", position, position, tile.depth);
        f.branch(again, true);
        f.place(last);
        // Before anything of the next block comes where this one's last stage is, and before what is stored is read by another thread.
        let number = value!(f, "block", "ld.shared.u64", kept);
        emit!(f, "bar.sync", 0);
        let block = self.block_at(staged, whole, number);
        self.end_items(staged, whole, &block, own)
    }

    /// The bodies of the positions of a stage, of all iterations of the thread.
    fn positions_of_stage(
        &mut self,
        staged: &'a Staged<'a>,
        operands: &[Panel],
        own: &mut [Own],
        half: Reg,
        now: Reg,
        position: Reg,
    ) -> Result<()> {
        let tile = staged.tile;
        let threads = staged.items() / (tile.each[0] * tile.each[1]);
        let thread = self.kernel.gang.thread;
        let f = self.f();
        let (several, one, done) = (
            f.label("several"),
            f.label("positions"),
            f.label("end_positions"),
        );
        if threads < tile.threads {
            let idle = value!(f, "idle", "setp.ge.u32", thread, threads);
            f.branch_if(idle, true, done);
        }
        let at: Vec<Reg> = operands
            .iter()
            .map(|operand| value!(f, "from", "add.u32", operand.load, half))
            .collect();
        let step = value!(f, "step", "mov.b32", 0);
        f.place(several);
        let end = value!(f, "end", "add.u32", step, tile.unroll);
        let few = value!(f, "few", "setp.gt.u32", end, now);
        f.branch_if(few, true, one);
        self.bodies_at(staged, operands, own, &at, tile.unroll, (position, step))?;
        self.f().branch(several, false);
        self.f().place(one);
        let beyond = value!(self.f(), "beyond", "setp.ge.u32", step, now);
        self.f().branch_if(beyond, true, done);
        self.bodies_at(staged, operands, own, &at, 1, (position, step))?;
        self.f().branch(one, false);
        self.f().place(done);
        Ok(())
    }

    /// The bodies of so many positions, and the step behind them.
    fn bodies_at(
        &mut self,
        staged: &'a Staged<'a>,
        operands: &[Panel],
        own: &mut [Own],
        at: &[Reg],
        positions: u32,
        (first, step): (Reg, Reg),
    ) -> Result<()> {
        let tile = staged.tile;
        let inner = staged.inner;
        let (next, done) = (self.f().label("unused"), self.f().label("unused"));
        for offset in 0..positions {
            let f = self.f();
            let within = value!(f, "within", "add.u32", step, offset);
            let within = value!(f, "within", "cvt.u64.u32", within);
            let position = value!(f, "position", "add.u64", first, within);
            let parts: Vec<Vec<Reg>> = operands
                .iter()
                .zip(at)
                .map(|(operand, at)| load_parts(f, staged, operand, *at, offset * operand.pitch))
                .collect();
            for (n, own) in own.iter_mut().enumerate() {
                let of = [n / tile.each[1] as usize, n % tile.each[1] as usize];
                for (operand, parts) in operands.iter().zip(&parts) {
                    let part = parts[operand.side.map_or(0, |side| of[side])];
                    let place = std::ptr::from_ref(staged.found[operand.found].place);
                    let value = Value::Num(Num::reg(operand.ty, part));
                    self.spans.insert(place, Spanned::Kept(value));
                }
                for (found, value) in &own.kept {
                    let place = std::ptr::from_ref(staged.found[*found].place);
                    self.spans.insert(place, Spanned::Kept(value.clone()));
                }
                let mut frame = self.empty_frame();
                frame.vars = std::mem::take(&mut own.vars);
                let number = Num::reg(Scalar::Usize, position);
                frame.vars.insert(inner.position, Value::Num(number));
                self.frames.push(frame);
                self.item.commented = n == 0 && offset == 0;
                self.inside(inner.label, next, done, &inner.body)?;
                if let Some(frame) = self.frames.pop() {
                    own.vars = frame.vars;
                }
                self.spans.clear();
            }
        }
        let f = self.f();
        for (operand, at) in operands.iter().zip(at) {
            emit!(f, "add.u32", *at, *at, positions * operand.pitch);
        }
        emit!(f, "add.u32", step, step, positions);
        Ok(())
    }

    /// What stands before the inner loop, for each iteration of the thread, and what is loaded once.
    fn begin_items(
        &mut self,
        staged: &'a Staged<'a>,
        whole: &Whole,
        block: &Block,
    ) -> Result<Vec<Own>> {
        let columns = block.own[1].len().max(1);
        let mut all = Vec::new();
        // What does not depend on both is loaded once for all iterations that share it.
        let mut shared: HashMap<(usize, Option<usize>, Option<usize>), Value> = HashMap::new();
        for n in 0..block.own[0].len() * columns {
            let of = [n / columns, n % columns];
            self.frames.push(self.empty_frame());
            self.bind_block(staged, block, of);
            let next = self.f().label("unused");
            self.item = Item {
                number: Number::At(self.kernel.begin),
                next,
                failed: None,
                loaded: None,
                commented: n == 0,
            };
            let here = |found: &&Found<'_>| found.role == Role::Before;
            for (number, found) in staged.found.iter().enumerate().filter(|(_, f)| here(f)) {
                let at = self.address(staged, whole, block, number, of);
                let ty = self.type_of(found)?;
                let offset = whole.walks[number].offset;
                let place = std::ptr::from_ref(found.place);
                self.spans.insert(place, Spanned::At(at, offset, ty));
            }
            for stmt in staged.before {
                self.before(staged, block, of, stmt)?;
            }
            self.spans.clear();
            let mut kept = Vec::new();
            for (number, found) in staged.found.iter().enumerate() {
                if !matches!(found.role, Role::Once | Role::Kept) {
                    continue;
                }
                let depends = |dim: Option<usize>| dim.is_some_and(|d| found.on >> d & 1 == 1);
                let key = (
                    number,
                    depends(Some(staged.i)).then_some(of[0]),
                    depends(staged.j).then_some(of[1]),
                );
                let owned = self.lp.array(found.array).access == Access::Owned;
                if let (Some(value), false) = (shared.get(&key), owned) {
                    kept.push((number, value.clone()));
                    continue;
                }
                let at = self.address(staged, whole, block, number, of);
                let ty = self.type_of(found)?;
                let offset = whole.walks[number].offset;
                let value = match owned {
                    false => self.load_value(Memory::Captured, at, offset, ty, found.source)?,
                    true => {
                        // Iterations beyond the last have no element of their own.
                        let value = self.storage(ty, "kept", false, found.source)?;
                        let zero = match found.ty {
                            Scalar::F32 => Num {
                                operand: Operand::F32(0),
                                ..value.num()
                            },
                            Scalar::F64 => Num {
                                operand: Operand::F64(0),
                                ..value.num()
                            },
                            ty => Num::int(ty, 0),
                        };
                        self.assign(&value, &Value::Num(zero), found.source)?;
                        let beyond = self.f().label("beyond");
                        self.leave_beyond(staged, block, of, beyond);
                        let held = self.load_value(Memory::Own, at, offset, ty, found.source)?;
                        self.assign(&value, &held, found.source)?;
                        self.f().place(beyond);
                        value
                    }
                };
                shared.insert(key, value.clone());
                kept.push((number, value));
            }
            let vars = self.frames.pop().map(|frame| frame.vars);
            all.push(Own {
                vars: vars.unwrap_or_default(),
                kept,
            });
        }
        Ok(all)
    }

    /// Binds the positions of one of the thread's iterations.
    fn bind_block(&mut self, staged: &Staged<'_>, block: &Block, of: [usize; 2]) {
        let lp = self.lp;
        for (number, dim) in lp.space.iter().enumerate() {
            let num = Num::reg(Scalar::Usize, block.position(staged, number, of));
            self.frame().vars.insert(dim.position, Value::Num(num));
        }
    }

    /// A statement before the inner loop. Nothing is stored for iterations beyond the last.
    fn before(
        &mut self,
        staged: &'a Staged<'a>,
        block: &Block,
        of: [usize; 2],
        stmt: &'a Stmt,
    ) -> Result<()> {
        let stores = match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Compound(place, ..) => {
                matches!(place.root, Root::Array(_))
            }
            _ => false,
        };
        let beyond = self.f().label("beyond");
        if stores {
            self.leave_beyond(staged, block, of, beyond);
        }
        self.stmt(stmt)?;
        self.f().place(beyond);
        Ok(())
    }

    /// The type of what is accessed.
    fn type_of(&self, found: &Found<'a>) -> Result<&'a Type> {
        let mut ty: Option<&'a Type> = None;
        let lp = self.lp;
        for step in &found.place.path {
            ty = match (step, ty) {
                (Projection::Index(_), None) => Some(&lp.array(found.array).elem),
                (Projection::Index(_), Some(Type::Array(elem, _))) => Some(elem),
                (Projection::Field(n), Some(of)) => Some(self.field(of, *n, found.source)?.1),
                (_, ty) => ty,
            };
        }
        Ok(ty.expect("an index comes first"))
    }

    /// The address of an access of one of the thread's iterations.
    fn address(
        &mut self,
        staged: &Staged<'_>,
        whole: &Whole,
        block: &Block,
        number: usize,
        of: [usize; 2],
    ) -> Reg {
        let mut at = block.bases[number];
        for dim in [Some(staged.i), staged.j].into_iter().flatten() {
            if let Some(step) = whole.walks[number].steps[dim] {
                let position = block.position(staged, dim, of);
                at = value!(self.f(), "at", "mad.lo.u64", position, step, at);
            }
        }
        at
    }

    /// Leads past what an iteration beyond the last does not do.
    fn leave_beyond(&mut self, staged: &Staged<'_>, block: &Block, of: [usize; 2], to: Label) {
        let tile = staged.tile;
        let threads = staged.items() / (tile.each[0] * tile.each[1]);
        let thread = self.kernel.gang.thread;
        let f = self.f();
        if threads < tile.threads {
            let idle = value!(f, "idle", "setp.ge.u32", thread, threads);
            f.branch_if(idle, true, to);
        }
        for side in 0..2 {
            if let Some((_, beyond)) = block.own[side].get(of[side]) {
                f.branch_if(*beyond, true, to);
            }
        }
    }

    /// What stands behind the inner loop, for each iteration of the thread.
    fn end_items(
        &mut self,
        staged: &'a Staged<'a>,
        whole: &Whole,
        block: &Block,
        own: Vec<Own>,
    ) -> Result<()> {
        let columns = block.own[1].len().max(1);
        let counts = self.inputs.counts.clone();
        let end = self.f().label("end_block");
        let mut failed = None;
        for (n, own) in own.into_iter().enumerate() {
            let of = [n / columns, n % columns];
            let next = self.f().label("next_item");
            self.leave_beyond(staged, block, of, next);
            for (number, value) in &own.kept {
                let found = &staged.found[*number];
                if found.role == Role::Kept {
                    let ty = self.type_of(found)?;
                    let offset = whole.walks[*number].offset;
                    let at = self.address(staged, whole, block, *number, of);
                    self.store_value(Memory::Own, at, offset, ty, value, found.source)?;
                }
            }
            let mut iteration = block.position(staged, 0, of);
            for (dim, count) in counts.iter().enumerate().skip(1) {
                let position = block.position(staged, dim, of);
                iteration = value!(
                    self.f(),
                    "iteration",
                    "mad.lo.u64",
                    iteration,
                    *count,
                    position
                );
            }
            self.item = Item {
                number: Number::At(iteration),
                next,
                failed,
                loaded: None,
                commented: n == 0,
            };
            let mut frame = self.empty_frame();
            frame.vars = own.vars;
            self.frames.push(frame);
            self.bind_block(staged, block, of);
            let indices = staged.before.iter().filter(|stmt| staged.is_index(stmt));
            for stmt in indices {
                self.stmt(stmt)?;
            }
            for stmt in staged.behind {
                if self.stmt(stmt)?.is_never() {
                    break;
                }
            }
            self.frames.pop();
            failed = self.item.failed;
            self.f().place(next);
        }
        // The thread's iterations come in the loop's order: what one fails with, no later one changes.
        if let Some(failed) = failed {
            self.f().open_out_of_line();
            self.f().place(failed.label);
            self.kernel.report_in_full(failed.iteration, failed.told);
            self.f().branch(end, false);
            self.f().close_out_of_line();
        }
        self.f().place(end);
        Ok(())
    }
}

impl Block {
    /// The position of one of the thread's iterations in a dimension.
    fn position(&self, staged: &Staged<'_>, dim: usize, of: [usize; 2]) -> Reg {
        if dim == staged.i {
            return self.own[0][of[0]].0;
        }
        match staged.j == Some(dim) {
            true => self.own[1][of[1]].0,
            false => self.first[dim],
        }
    }
}

/// Neighbours along a side that a thread has: as many as one load from shared memory brings.
fn group(staged: &Staged<'_>, side: usize) -> u32 {
    let each = staged.tile.each[side];
    let widths = staged
        .operands()
        .filter(|(_, f)| staged.side(f) == Some(side));
    widths.map(|(_, f)| width(f.ty, each)).min().unwrap_or(1)
}

/// How far the thread's iterations along a side are from its first.
fn offsets(staged: &Staged<'_>, side: usize) -> Vec<u32> {
    let (each, group) = (staged.tile.each[side], group(staged, side));
    let threads = staged.tile.block[side] / each;
    (0..each)
        .map(|n| n / group * group * threads + n % group)
        .collect()
}

/// The type by which an element is in shared memory.
fn word(ty: Scalar) -> &'static str {
    match class(ty) {
        Class::F32 => "f32",
        Class::F64 => "f64",
        Class::B64 => "b64",
        Class::B32 | Class::Pred => "b32",
    }
}

/// Loads what the thread's iterations need of an operand at a position.
fn load_parts(
    f: &mut accrue_ptx::writer::Function,
    staged: &Staged<'_>,
    operand: &Panel,
    at: Reg,
    offset: u32,
) -> Vec<Reg> {
    let word = word(operand.ty);
    let Some(side) = operand.side else {
        let at = Operand::At(at, offset.into());
        return vec![value!(f, "part", format!("ld.shared.{word}"), at)];
    };
    let offsets = offsets(staged, side);
    let group = group(staged, side) as usize;
    let mut parts = Vec::new();
    for of in offsets.chunks(group) {
        let here = Operand::At(at, i64::from(offset + of[0] * slot(operand.ty)));
        match group {
            1 => parts.push(value!(f, "part", format!("ld.shared.{word}"), here)),
            _ => {
                let into: Vec<Reg> = of
                    .iter()
                    .map(|_| f.reg(class(operand.ty), "part"))
                    .collect();
                f.load_vector(&format!("ld.shared.v{group}.{word}"), &into, here);
                parts.extend(into);
            }
        }
    }
    parts
}

//! The blocks of [staged](super::staged) loops, one after the other.
//!
//! A thread has some iterations of a block. What stands before the inner loop is printed for each of them, then the bodies of all at one position after
//! the other, and then what stands behind it. Iterations beyond the last are computed like the last ones, and store nothing.

use std::collections::HashMap;

use accrue_ptx::writer::{Class, Label, Operand, Reg};
use accrue_ptx::{emit, value};

use super::contract::{Block, Whole};
use super::emitter::{Emitter, Item, Number, Result};
use super::panels::{Panel, SYMBOL, load_parts, offsets};
use super::place::Memory;
use super::reader::{Found, Role};
use super::spans::Spanned;
use super::staged::Staged;
use super::value::{Num, Value, memory};
use crate::ir::{Access, Projection, Root, Scalar, Stmt, StmtKind, Type, VarId};

/// An iteration of the thread, as far as it has come.
pub(super) struct Own {
    pub(super) vars: HashMap<VarId, Value>,
    /// What is in a register through the inner loop, by the access.
    pub(super) kept: Vec<(usize, Value)>,
}

impl<'a> Emitter<'a> {
    /// The blocks of the gang, one after the other.
    pub(super) fn blocks(&mut self, staged: &'a Staged<'a>, whole: &Whole) -> Result<()> {
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
        if tile.prefetch {
            self.f().comment("The first stage.");
            self.load_stage(staged, whole, operands, whole.count32);
        }
        let mut own = self.begin_items(staged, whole, &block)?;
        let f = self.f();
        // Behind the last stage all is found out again that follows from it: it would take registers until then.
        let shared = f.address_of(Class::B32, SYMBOL);
        let kept = Operand::At(shared, i64::from(staged.stages()));
        let one = value!(f, "one", "setp.eq.u32", thread, 0);
        f.op_if(one, true, "st.shared.u64", &[kept, number.into()]);
        let left = value!(f, "left", "mov.b32", whole.count32);
        let half = value!(f, "half", "mov.b32", 0);
        let position = value!(f, "position", "mov.b64", 0);
        if !tile.prefetch {
            self.stages_one_by_one(staged, whole, operands, &mut own, [left, half, position])?;
            return self.end_block(staged, whole, kept, own);
        }
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
        self.end_block(staged, whole, kept, own)
    }

    /// The stages of a block, each loaded when the one before is done.
    fn stages_one_by_one(
        &mut self,
        staged: &'a Staged<'a>,
        whole: &Whole,
        operands: &[Panel],
        own: &mut [Own],
        [left, half, position]: [Reg; 3],
    ) -> Result<()> {
        let depth = staged.tile.depth;
        let f = self.f();
        let (again, last) = (f.label("stages"), f.label("last"));
        f.place(again);
        self.load_stage(staged, whole, operands, left);
        self.store_stage(operands, half);
        let f = self.f();
        emit!(f, "bar.sync", 0);
        let now = value!(f, "now", "min.u32", left, depth);
        self.positions_of_stage(staged, operands, own, half, now, position)?;
        let f = self.f();
        let more = value!(f, "more", "setp.gt.u32", left, depth);
        f.branch_if(more, false, last);
        // Before the next one comes where this one is.
        emit!(f, "bar.sync", 0);
        emit!(f, "sub.u32", left, left, depth);
        emit!(f, "add.u64", position, position, depth);
        f.branch(again, true);
        f.place(last);
        Ok(())
    }

    /// What comes behind the last stage of a block.
    fn end_block(
        &mut self,
        staged: &'a Staged<'a>,
        whole: &Whole,
        kept: Operand,
        own: Vec<Own>,
    ) -> Result<()> {
        let f = self.f();
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
        // What the thread brings for tensor cores.
        let brought: Vec<Reg> = operands
            .iter()
            .filter_map(|operand| operand.fragment)
            .map(|fragment| value!(f, "from", "add.u32", fragment, half))
            .collect();
        let step = value!(f, "step", "mov.b32", 0);
        f.place(several);
        let end = value!(f, "end", "add.u32", step, tile.unroll);
        let few = value!(f, "few", "setp.gt.u32", end, now);
        f.branch_if(few, true, one);
        match tile.sum {
            Some(sum) => {
                self.sums(staged, sum, operands, own, &brought, tile.unroll);
                self.go_on(operands, &brought, tile.unroll);
                self.go_on(operands, &at, tile.unroll);
                emit!(self.f(), "add.u32", step, step, tile.unroll);
            }
            None => self.bodies_at(staged, operands, own, &at, tile.unroll, (position, step))?,
        }
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
        let f = self.f();
        let parts: Vec<Vec<Vec<Reg>>> = operands
            .iter()
            .zip(at)
            .map(|(operand, at)| load_parts(f, staged, operand, *at, positions))
            .collect();
        for offset in 0..positions {
            let f = self.f();
            let within = value!(f, "within", "add.u32", step, offset);
            let within = value!(f, "within", "cvt.u64.u32", within);
            let position = value!(f, "position", "add.u64", first, within);
            for (n, own) in own.iter_mut().enumerate() {
                let of = [n / tile.each[1] as usize, n % tile.each[1] as usize];
                for (operand, parts) in operands.iter().zip(&parts) {
                    let part = parts[offset as usize][operand.side.map_or(0, |side| of[side])];
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
        self.go_on(operands, at, positions);
        emit!(self.f(), "add.u32", step, step, positions);
        Ok(())
    }

    /// Goes on by so many positions in shared memory.
    fn go_on(&mut self, operands: &[Panel], at: &[Reg], positions: u32) {
        let f = self.f();
        for (operand, at) in operands.iter().zip(at) {
            emit!(f, "add.u32", *at, *at, positions * operand.pitch);
        }
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
                        let inside = self.inside_block(staged, block, of);
                        let opcode = format!("ld.global.{}", memory(found.ty));
                        let kept = self.reg(value.num());
                        let parts = [kept.into(), Operand::At(at, offset)];
                        self.f().op_if(inside, true, &opcode, &parts);
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

    /// Whether one of the thread's iterations is none beyond the last: a predicate.
    fn inside_block(&mut self, staged: &Staged<'_>, block: &Block, of: [usize; 2]) -> Reg {
        let tile = staged.tile;
        let threads = staged.items() / (tile.each[0] * tile.each[1]);
        let thread = self.kernel.gang.thread;
        let f = self.f();
        let mut inside = value!(f, "inside", "setp.lt.u32", thread, threads);
        for (own, of) in block.own.iter().zip(of) {
            if let Some((_, beyond)) = own.get(of) {
                let within = value!(f, "within", "not.pred", *beyond);
                inside = value!(f, "inside", "and.pred", inside, within);
            }
        }
        inside
    }

    /// Leads past what an iteration beyond the last does not do.
    fn leave_beyond(&mut self, staged: &Staged<'_>, block: &Block, of: [usize; 2], to: Label) {
        let inside = self.inside_block(staged, block, of);
        self.f().branch_if(inside, false, to);
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

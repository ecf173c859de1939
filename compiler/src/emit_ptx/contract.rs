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

use accrue_ptx::value;
use accrue_ptx::writer::{Operand, Reg};

use super::emitter::{Emitter, Facts, Frame, Result};
use super::reader::Found;
use super::staged::Staged;
use super::value::Num;
use crate::ir::{BinaryOp, Check, Expr, ExprKind, Index, Projection, Root, Scalar, Type};

/// An index, or an address: a value at the first positions, and what it grows by with each.
struct Line {
    start: Num,
    steps: Vec<Option<Num>>,
}

/// Where an access is.
pub(super) struct Walk {
    /// Its address at the first positions.
    pub(super) base: Reg,
    pub(super) offset: i64,
    /// Bytes that it grows by with each position.
    pub(super) steps: Vec<Option<Operand>>,
}

/// What is the same in all blocks.
pub(super) struct Whole {
    pub(super) walks: Vec<Walk>,
    /// Positions of the inner loop.
    pub(super) count32: Reg,
    /// Whether the loop can be run in blocks.
    pub(super) inside: Reg,
    /// Blocks along `i` and `j`.
    pub(super) blocks: [Reg; 2],
}

/// A block.
pub(super) struct Block {
    /// The first position in each dimension.
    pub(super) first: Vec<Reg>,
    /// The thread's positions along `i` and `j`, none beyond the last, and whether they would be.
    pub(super) own: [Vec<(Reg, Reg)>; 2],
    /// Where each access is at the block's positions in the other dimensions.
    pub(super) bases: Vec<Reg>,
}

impl Block {
    /// The position of one of the thread's iterations in a dimension.
    pub(super) fn position(&self, staged: &Staged<'_>, dim: usize, of: [usize; 2]) -> Reg {
        if dim == staged.i {
            return self.own[0][of[0]].0;
        }
        match staged.j == Some(dim) {
            true => self.own[1][of[1]].0,
            false => self.first[dim],
        }
    }
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

    pub(super) fn empty_frame(&self) -> Frame<'a> {
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
    pub(super) fn register(&mut self, operand: Operand) -> Reg {
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
}

//! Statements: declarations, assignments, updates and sequential loops.

use accrue_ptx::strategy::Bin;
use accrue_ptx::writer::{Class, Operand, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, LoopTargets, Result};
use super::layout;
use super::rows::{OwnBin, Part};
use super::spans::Spans;
use super::value::{Local, Num, Value};
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, ForLoop, LoopLabel, Memory, Scalar, SourceId, Stmt, StmtKind,
    Type, Update, VarId,
};

/// Positions of an inner loop with spans that are printed one behind the other.
const AT_ONCE: u32 = 4;

/// The size of a body that is printed so often, at most, in expressions.
const MOST_AT_ONCE: u32 = 100;

impl<'a> Emitter<'a> {
    /// A statement; [`Value::Never`] where what follows is not reached.
    pub(super) fn stmt(&mut self, stmt: &'a Stmt) -> Result<Value> {
        self.say(stmt.source);
        let value = match &stmt.kind {
            StmtKind::Let(var, None) => {
                self.declare(*var, stmt.source)?;
                Value::Unit
            }
            StmtKind::Let(var, Some(value)) => self.declare_as(*var, value, stmt.source)?,
            StmtKind::Assign(place, value) => {
                let value = self.expr(value)?;
                if !value.is_never() {
                    self.store(place, &value, stmt.source)?;
                }
                value
            }
            StmtKind::Compound(place, op, value) => {
                let Some(term) = self.term(*op, value)? else {
                    return Ok(Value::Never);
                };
                self.compound(place, *op, term, stmt.source)?;
                Value::Unit
            }
            StmtKind::Update(update) => self.update(update, stmt.source)?,
            StmtKind::For(inner) => self.for_loop(inner)?,
            StmtKind::While(label, cond, block) => self.while_loop(*label, cond, block)?,
            StmtKind::Expr(e) => self.expr(e)?,
            StmtKind::Check(holds, words) => {
                self.check(holds, words, stmt.source)?;
                Value::Unit
            }
        };
        Ok(if value.is_never() {
            Value::Never
        } else {
            Value::Unit
        })
    }

    fn declare_as(&mut self, var: VarId, init: &'a Expr, source: SourceId) -> Result<Value> {
        if self.is_local(var) {
            // Arrays in memory are filled where they are.
            match &init.kind {
                ExprKind::Repeat(part) => {
                    let part = self.expr(part)?;
                    if !part.is_never()
                        && let Value::Local(local) = self.declare(var, source)?
                    {
                        self.fill(&local, &part, source)?;
                    }
                    return Ok(part);
                }
                ExprKind::Array(parts) => {
                    let mut values = Vec::with_capacity(parts.len());
                    for part in parts {
                        let value = self.expr(part)?;
                        if value.is_never() {
                            return Ok(value);
                        }
                        values.push(value);
                    }
                    let storage = self.declare(var, source)?;
                    self.assign(&storage, &Value::Parts(values), source)?;
                    return Ok(Value::Unit);
                }
                _ => {}
            }
        }
        let value = self.expr(init)?;
        if !value.is_never() {
            self.bind(var, &value, source)?;
        }
        Ok(value)
    }

    /// `[part; N]` in local memory.
    fn fill(&mut self, local: &Local, part: &Value, source: SourceId) -> Result<()> {
        let Type::Array(elem, _) = &local.ty else {
            return Ok(());
        };
        let (Some(n), Some(size)) = (layout::length(&local.ty), layout::of(elem).map(|l| l.size))
        else {
            return Err(self.too_large(&local.ty, source));
        };
        let at = value!(self.f(), "at", "mov.u64", local.base);
        let end = value!(self.f(), "end", "add.u64", local.base, (n * size) as i64);
        let (again, done) = (self.f().label("fill"), self.f().label("filled"));
        self.f().place(again);
        let beyond = value!(self.f(), "beyond", "setp.ge.u64", at, end);
        self.f().branch_if(beyond, true, done);
        self.store_local(at, 0, elem, part, source)?;
        emit!(self.f(), "add.u64", at, at, size.max(1) as i64);
        self.f().branch(again, false);
        self.f().place(done);
        Ok(())
    }

    fn update(&mut self, update: &'a Update, source: SourceId) -> Result<Value> {
        if self.take_winner(update)? {
            return Ok(Value::Unit);
        }
        let value = self.expr(&update.value)?;
        if value.is_never() {
            return Ok(value);
        }
        let target = &self.targets[update.target];
        let bin = match target.memory {
            Memory::Scalar(_) => Bin::Narrow(Operand::Int(0)),
            Memory::Bins(array) => {
                let lp = self.lp;
                let name = &lp.array(array).name;
                let mut length = self.array_length(array);
                let mut elem = &lp.array(array).elem;
                let mut flat: Option<Num> = None;
                let mut own = OwnBin::new(self);
                for (n, index) in update.bin.iter().enumerate() {
                    if flat.is_some() {
                        let Type::Array(inner, n) = elem else {
                            unreachable!("an index into {elem}")
                        };
                        length = self.length(n, source)?;
                        elem = &**inner;
                    }
                    let at = self.bin_index(index, length, name)?;
                    own.index(self, n, at, length);
                    flat = Some(match flat {
                        None => at,
                        Some(flat) => {
                            self.slice_begins(n, Some(flat))?;
                            let row = self.arithmetic(BinaryOp::Mul, flat, length, None);
                            self.arithmetic(BinaryOp::Add, row, at, None)
                        }
                    });
                }
                self.slice_begins(update.bin.len(), None)?;
                let flat = flat.unwrap_or(Num::int(Scalar::Usize, 0));
                if let Some(own) = own.bin(self) {
                    Bin::Narrow(own)
                } else if flat.is_narrow() {
                    Bin::Narrow(self.low(flat))
                } else {
                    Bin::Wide(self.wide(flat))
                }
            }
        };
        if matches!(self.part, Part::Faults) {
            return Ok(Value::Unit);
        }
        let mut num = value.num();
        // The kernel knows sums of one sign only.
        if target.op.two_signs && update.subtracts {
            num = self.opposite(num);
        }
        let operand = match num.ty {
            Scalar::Bool => self.bool_bits(num).into(),
            _ => self.wide(num),
        };
        match &mut self.together {
            _ if update.multiplies => self.kernel.multiply(update.target, operand),
            Some(together) => together.defer(update.target, bin, operand),
            None => self.kernel.update(update.target, bin, operand),
        }
        Ok(Value::Unit)
    }

    fn for_loop(&mut self, inner: &'a ForLoop) -> Result<Value> {
        if let Some(patches) = self.patches
            && let Some(columns) = patches.columns
        {
            if inner.position == patches.rows.offset {
                return self.strip(patches, inner);
            }
            if inner.position == columns.offset {
                // What is run as it is written seldom is.
                let count = self.expr(&inner.count)?.num();
                return self.positions_of(inner, count, None);
            }
        }
        if self.is_dealt(inner) {
            return self.deal(inner);
        }
        let count = self.expr(&inner.count)?;
        if count.is_never() {
            return Ok(count);
        }
        let count = count.num();
        let Some((spans, body)) = self.spans(inner, count)? else {
            return self.positions_of(inner, count, None);
        };
        let (checked, done) = (self.f().label("checked"), self.f().label("end_spans"));
        self.f().branch_if(spans.inside, false, checked);
        let source = inner.count.source;
        self.begin_spans(&spans, source)?;
        // There are few enough of them to be counted in 32 bits.
        let few = match count.is_narrow() {
            true => count,
            false => {
                let low = self.low(count);
                let low = self.first_operand(low, Class::B32);
                Num {
                    operand: low,
                    narrow: true,
                    max: Some(1 << 31),
                    ..count
                }
            }
        };
        self.begin_steady(&body)?;
        self.positions_of(inner, few, Some(&spans))?;
        self.end_spans(spans, source)?;
        self.f().place(done);
        self.f().open_out_of_line();
        self.f().place(checked);
        self.positions_of(inner, count, None)?;
        self.f().branch(done, false);
        self.f().close_out_of_line();
        Ok(Value::Unit)
    }

    /// The body of an inner loop for all its positions, of which nothing needs to be checked where it has spans.
    pub(super) fn positions_of(
        &mut self,
        inner: &'a ForLoop,
        count: Num,
        spans: Option<&Spans<'a>>,
    ) -> Result<Value> {
        // A position that is known to be small counts in 32 bits.
        let narrow = count.is_narrow();
        let (class, ty, end) = match narrow {
            true => (Class::B32, "u32", self.low(count)),
            false => (Class::B64, "u64", self.wide(count)),
        };
        let position = self.f().reg(class, "position");
        let numbered = |position| {
            let num = Num {
                narrow,
                ..Num::reg(Scalar::Usize, position)
            };
            match count.max {
                Some(max) => num.at_most(max.saturating_sub(1)),
                None => num,
            }
        };
        let taken = self.begin_deal(inner, numbered(position));
        let (first, by) = taken.unwrap_or((0.into(), 1.into()));
        self.f().assign(position, first);
        let (again, next, done) = (
            self.f().label("for"),
            self.f().label("next"),
            self.f().label("end_for"),
        );
        // Where it is known how many there are, the assembler does the same by itself.
        let short = |spans: &&Spans<'_>| {
            spans.size <= MOST_AT_ONCE && count.constant().is_none() && taken.is_none()
        };
        if let Some(spans) = spans.filter(short) {
            // Several at a time, whose loads are then under way together.
            let several = self.f().label("several");
            let few = value!(self.f(), "few", format!("setp.lt.{ty}"), end, AT_ONCE);
            self.f().branch_if(few, true, again);
            let last = value!(self.f(), "last", format!("sub.{ty}"), end, AT_ONCE - 1);
            self.f().place(several);
            let beyond = value!(self.f(), "beyond", format!("setp.ge.{ty}"), position, last);
            self.f().branch_if(beyond, true, again);
            for offset in 0..AT_ONCE {
                let at = match offset {
                    0 => position,
                    _ => value!(self.f(), "position", format!("add.{ty}"), position, offset),
                };
                let at = Value::Num(numbered(at));
                self.frame().vars.insert(inner.position, at);
                let next = self.f().label("next");
                self.inside(inner.label, next, done, &inner.body)?;
                self.f().place(next);
                self.step_spans(spans);
            }
            emit!(self.f(), format!("add.{ty}"), position, position, AT_ONCE);
            self.f().branch(several, false);
        }
        let at = Value::Num(numbered(position));
        self.frame().vars.insert(inner.position, at);
        self.f().place(again);
        let beyond = value!(self.f(), "beyond", format!("setp.ge.{ty}"), position, end);
        self.f().branch_if(beyond, true, done);
        spans.iter().for_each(|spans| self.look_ahead(spans));
        self.inside(inner.label, next, done, &inner.body)?;
        self.f().place(next);
        spans.iter().for_each(|spans| self.step_spans(spans));
        emit!(self.f(), format!("add.{ty}"), position, position, by);
        self.f().branch(again, false);
        self.f().place(done);
        self.end_deal(inner);
        Ok(Value::Unit)
    }

    fn while_loop(&mut self, label: LoopLabel, cond: &'a Expr, block: &'a Block) -> Result<Value> {
        let (again, done) = (self.f().label("while"), self.f().label("end_while"));
        self.f().place(again);
        let computed = self.begin_again(Some(cond), block);
        if let Some(cond) = self.condition(cond)? {
            let cond: Reg = cond;
            self.f().branch_if(cond, false, done);
        }
        if !self.inside(label, again, done, block)?.is_never() {
            self.f().branch(again, false);
        }
        self.end_again(&computed);
        self.f().place(done);
        Ok(Value::Unit)
    }

    pub(super) fn inside(
        &mut self,
        label: LoopLabel,
        next: accrue_ptx::writer::Label,
        done: accrue_ptx::writer::Label,
        block: &'a Block,
    ) -> Result<Value> {
        self.frame().loops.push(LoopTargets {
            label,
            next,
            done,
            result: Value::Unit,
        });
        let value = self.block(block)?;
        self.frame().loops.pop();
        Ok(value)
    }
}

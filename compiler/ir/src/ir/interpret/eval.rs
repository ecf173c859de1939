//! Expressions and statements.

use super::operators::{binary, cast, unary, update};
use super::{Fault, FaultKind, State, Value, methods};
use crate::ir::{
    Arm, BinaryOp, Block, DeviceFn, Expr, ExprKind, Literal, Loop, LoopLabel, Memory, Scalar,
    SourceId, Stmt, StmtKind, Target, Type, Update, Var, VarId, Words,
};

/// Why an expression has no value.
pub(super) enum Exit {
    /// `continue` of an inner loop or of the parallel one.
    Continue(Option<LoopLabel>),
    /// `break` with its value.
    Break(LoopLabel, Value),
    /// `return` from a device function.
    Return(Value),
    /// A fault.
    Fault(FaultKind, SourceId),
}

/// Evaluates one body: of one iteration, or of one call.
pub(super) struct Machine<'a, 's> {
    pub(super) lp: &'a Loop,
    pub(super) vars: &'a [Var],
    pub(super) state: &'s mut State<'a>,
    pub(super) frame: Vec<Option<Value>>,
    targets: &'s [Target],
}

impl<'a, 's> Machine<'a, 's> {
    pub(super) fn new(state: &'s mut State<'a>, targets: &'s [Target]) -> Self {
        let (lp, frame) = (state.lp, state.vars.clone());
        Machine {
            lp,
            vars: &lp.body.vars,
            state,
            frame,
            targets,
        }
    }

    pub(super) fn set(&mut self, id: VarId, value: Value) {
        self.frame[id.0 as usize] = Some(value);
    }

    /// A dimension's count. A fault in it comes before the first iteration.
    pub(super) fn count(&mut self, e: &'a Expr) -> Result<u64, Fault> {
        match self.expr(e) {
            Ok(value) => Ok(value.usize()),
            Err(Exit::Fault(kind, source)) => Err(Fault {
                iteration: 0,
                kind,
                source,
            }),
            Err(_) => panic!("a count has no control flow"),
        }
    }

    pub(super) fn iteration(&mut self) -> Result<(), (FaultKind, SourceId)> {
        match self.block(&self.lp.body.block) {
            Ok(_) | Err(Exit::Continue(None)) => Ok(()),
            Err(Exit::Fault(kind, source)) => Err((kind, source)),
            Err(Exit::Continue(_) | Exit::Break(..) | Exit::Return(_)) => {
                panic!("a jump out of the parallel loop")
            }
        }
    }

    fn block(&mut self, block: &'a Block) -> Result<Value, Exit> {
        for stmt in &block.stmts {
            self.stmt(stmt)?;
        }
        match &block.tail {
            Some(tail) => self.expr(tail),
            None => Ok(Value::Unit),
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Result<(), Exit> {
        match &stmt.kind {
            StmtKind::Let(id, None) => self.frame[id.0 as usize] = None,
            StmtKind::Let(id, Some(value)) => {
                let value = self.expr(value)?;
                self.set(*id, value);
            }
            StmtKind::Assign(place, value) => {
                let value = self.expr(value)?;
                let found = self.find(place, stmt.source)?;
                self.write(&found, value);
            }
            StmtKind::Compound(place, op, value) => {
                let right = self.expr(value)?;
                let found = self.find(place, stmt.source)?;
                let left = self.read(&found);
                let value = self.binary(*op, scalar(found.ty()), &left, &right, stmt.source)?;
                self.write(&found, value);
            }
            StmtKind::Update(update) => self.update(update, stmt.source)?,
            StmtKind::For(l) => {
                let count = self.expr(&l.count)?.int();
                for i in 0..count {
                    self.set(l.position, Value::Int(i));
                    if self.turn(l.label, &l.body)?.is_some() {
                        break;
                    }
                }
            }
            StmtKind::While(label, condition, body) => {
                while self.expr(condition)?.bool() {
                    if self.turn(*label, body)?.is_some() {
                        break;
                    }
                }
            }
            StmtKind::Expr(e) => {
                self.expr(e)?;
            }
            StmtKind::Check(condition, words) => {
                if !self.expr(condition)?.bool() {
                    let kind = self.told(condition, words)?;
                    return Err(Exit::Fault(kind, stmt.source));
                }
            }
        }
        Ok(())
    }

    /// What a check says that does not hold.
    fn told(&mut self, condition: &'a Expr, words: &Words) -> Result<FaultKind, Exit> {
        let parts = condition.conjuncts();
        let mut compared = parts.into_iter().filter_map(Expr::compared);
        Ok(match words {
            Words::Text(text) => FaultKind::Panic(text.clone()),
            Words::Index => {
                for (_, index, len) in compared {
                    let [index, len] = [self.expr(index)?.usize(), self.expr(len)?.usize()];
                    if index >= len {
                        let array = None;
                        return Ok(FaultKind::OutOfRange { array, index, len });
                    }
                }
                panic!("the check of an index holds")
            }
            Words::Range => {
                let (Some((op, end, len)), Some((_, start, _))) =
                    (compared.next(), compared.next())
                else {
                    panic!("the check of a range compares twice");
                };
                let [start, end, len] = [start, end, len].map(|part| self.expr(part));
                let (start, end, len) = (start?.usize(), end?.usize(), len?.usize());
                let closed = u64::from(op == BinaryOp::Lt);
                FaultKind::Panic(if start > len {
                    format!("range start index {start} out of range for slice of length {len}")
                } else if end >= len + 1 - closed {
                    format!("range end index {end} out of range for slice of length {len}")
                } else {
                    format!("slice index starts at {start} but ends at {}", end + closed)
                })
            }
        })
    }

    /// Runs a loop's body once: the value of a `break` out of that loop.
    fn turn(&mut self, label: LoopLabel, body: &'a Block) -> Result<Option<Value>, Exit> {
        match self.block(body) {
            Ok(_) => Ok(None),
            Err(Exit::Continue(Some(l))) if l == label => Ok(None),
            Err(Exit::Break(l, value)) if l == label => Ok(Some(value)),
            Err(exit) => Err(exit),
        }
    }

    fn update(&mut self, u: &'a Update, source: SourceId) -> Result<(), Exit> {
        let value = self.expr(&u.value)?;
        let target = &self.targets[u.target];
        let op = target.op.of_update(u.subtracts);
        let checks = self.state.overflow_checks && !self.state.bins_wrap;
        match target.memory {
            Memory::Bins(id) => {
                let (offset, ty) = self.bin(id, u.bin.iter(), source)?;
                let s = scalar(ty);
                let bin = self.state.read(id, offset, ty);
                let value = update(op, s, &bin, &value, checks);
                let value = value.map_err(|kind| Exit::Fault(kind, source))?;
                self.state.write(id, offset, &value, s);
            }
            Memory::Scalar(id) => {
                let var = &self.vars[id.0 as usize];
                let Some(old) = &self.state.vars[id.0 as usize] else {
                    panic!("the reduced scalar `{}` is not set", var.name);
                };
                let value = update(op, scalar(&var.ty), old, &value, checks);
                let value = value.map_err(|kind| Exit::Fault(kind, source))?;
                self.state.set_var(id, value);
            }
        }
        Ok(())
    }

    fn binary(
        &self,
        op: BinaryOp,
        s: Scalar,
        a: &Value,
        b: &Value,
        source: SourceId,
    ) -> Result<Value, Exit> {
        let value = binary(op, s, a, b, self.state.overflow_checks);
        value.map_err(|kind| Exit::Fault(kind, source))
    }

    fn all(&mut self, parts: &'a [Expr]) -> Result<Vec<Value>, Exit> {
        parts.iter().map(|part| self.expr(part)).collect()
    }

    pub(super) fn expr(&mut self, e: &'a Expr) -> Result<Value, Exit> {
        let fault = |kind| Exit::Fault(kind, e.source);
        let checks = self.state.overflow_checks;
        Ok(match &e.kind {
            ExprKind::Literal(literal) => match (literal, &e.ty) {
                (Literal::Bool(v), _) => Value::Bool(*v),
                (Literal::Int(v), _) => Value::Int(*v),
                (Literal::Float(v), Type::Scalar(Scalar::F32)) => Value::F32(*v as f32),
                (Literal::Float(v), _) => Value::F64(*v),
            },
            ExprKind::Load(place) => {
                let found = self.find(place, e.source)?;
                self.read(&found)
            }
            ExprKind::Len(id) => self.state.len(*id).into(),
            ExprKind::Unary(op, operand) => {
                let value = self.expr(operand)?;
                unary(*op, scalar(&e.ty), &value, checks).map_err(fault)?
            }
            ExprKind::Binary(op, a, b) => {
                let s = scalar(&a.ty);
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.binary(*op, s, &a, &b, e.source)?
            }
            ExprKind::And(a, b) => Value::Bool(self.expr(a)?.bool() && self.expr(b)?.bool()),
            ExprKind::Or(a, b) => Value::Bool(self.expr(a)?.bool() || self.expr(b)?.bool()),
            ExprKind::Cast(value) => cast(&self.expr(value)?, scalar(&e.ty)),
            ExprKind::Method(method, parts) => {
                let values = self.all(parts)?;
                let value = if method.is_constructor() {
                    methods::construct(*method, scalar(&e.ty), &values[0])
                } else {
                    let s = scalar(&parts[0].ty);
                    let maths = self.state.maths.filter(|_| s.is_float());
                    match maths.and_then(|maths| maths(method.name(), &values)) {
                        Some(value) => Some(value),
                        None => methods::call(*method, s, &values, checks).map_err(fault)?,
                    }
                };
                value.unwrap_or_else(|| panic!("{} has no method `{}`", parts[0].ty, method.name()))
            }
            ExprKind::Call(id, parts) => {
                let values = self.all(parts)?;
                self.call(self.lp.function(*id), values)?
            }
            ExprKind::If(condition, then, otherwise) => {
                if self.expr(condition)?.bool() {
                    self.block(then)?
                } else if let Some(block) = otherwise {
                    self.block(block)?
                } else {
                    Value::Unit
                }
            }
            ExprKind::Match(scrutinee, arms) => {
                let value = self.expr(scrutinee)?;
                return self.arms(&value, arms);
            }
            ExprKind::Block(block) => self.block(block)?,
            ExprKind::Array(parts) | ExprKind::Tuple(parts) | ExprKind::Struct(parts) => {
                let values = self.all(parts)?;
                if e.ty == Type::Unit {
                    Value::Unit
                } else {
                    Value::Parts(values)
                }
            }
            ExprKind::Repeat(value) => {
                let value = self.expr(value)?;
                match &e.ty {
                    Type::Array(_, length) => Value::Parts(vec![value; self.state.length(length)]),
                    ty => panic!("a {ty} repeats nothing"),
                }
            }
            ExprKind::Continue(label) => return Err(Exit::Continue(*label)),
            ExprKind::Break(label, value) => {
                let value = match value {
                    Some(value) => self.expr(value)?,
                    None => Value::Unit,
                };
                return Err(Exit::Break(*label, value));
            }
            ExprKind::Loop(label, body) => loop {
                if let Some(value) = self.turn(*label, body)? {
                    break value;
                }
            },
            ExprKind::Return(value) => {
                let value = match value {
                    Some(value) => self.expr(value)?,
                    None => Value::Unit,
                };
                return Err(Exit::Return(value));
            }
            ExprKind::Panic(message) => return Err(fault(FaultKind::Panic(message.clone()))),
            ExprKind::Opaque(opaque) => panic!("only rustc understands this: {}", opaque.why),
        })
    }

    fn arms(&mut self, value: &Value, arms: &'a [Arm]) -> Result<Value, Exit> {
        let number = match value {
            Value::Bool(v) => i128::from(*v),
            value => value.int(),
        };
        for Arm {
            values,
            binding,
            guard,
            body,
        } in arms
        {
            if !values.is_empty() && !values.iter().any(|r| r.first <= number && number <= r.last) {
                continue;
            }
            if let Some(id) = binding {
                self.set(*id, value.clone());
            }
            let taken = match guard {
                Some(guard) => self.expr(guard)?.bool(),
                None => true,
            };
            if taken {
                return self.expr(body);
            }
        }
        panic!("no arm of a match applies to {value:?}");
    }

    fn call(&mut self, function: &'a DeviceFn, values: Vec<Value>) -> Result<Value, Exit> {
        let mut frame = vec![None; function.body.vars.len()];
        for (param, value) in function.params.iter().zip(values) {
            frame[param.0 as usize] = Some(value);
        }
        let mut machine = Machine {
            lp: self.lp,
            vars: &function.body.vars,
            state: &mut *self.state,
            frame,
            targets: self.targets,
        };
        match machine.block(&function.body.block) {
            Err(Exit::Return(value)) => Ok(value),
            result => result,
        }
    }
}

fn scalar(ty: &Type) -> Scalar {
    ty.as_scalar()
        .unwrap_or_else(|| panic!("a scalar is expected, not a {ty}"))
}

//! Expressions. Operands are evaluated left to right, `&&` and `||` lazily, and what follows a jump is not printed.

use accrue_ptx::abi::FaultKind;
use accrue_ptx::value;
use accrue_ptx::writer::{Label, Operand, Reg};

use super::emitter::{Emitter, Facts, Frame, LoopTargets, MOST_PARTS, Result};
use super::layout;
use super::value::{Num, Value};
use crate::ir::visit::Visit;
use crate::ir::{
    Arm, BinaryOp, Block, Body, DeviceFn, Expr, ExprKind, FuncId, Literal, LoopLabel, MatchRange,
    Scalar, SourceId, Type, VarId,
};

impl<'a> Emitter<'a> {
    /// The value of an expression.
    pub(super) fn expr(&mut self, e: &'a Expr) -> Result<Value> {
        if let Some(value) = self.steady.get(&std::ptr::from_ref(e)) {
            return Ok(value.clone());
        }
        let value = match self.narrow.how(e) {
            Some(how) => self.in_32_bits(e, how),
            None => self.as_written(e),
        }?;
        self.note_again(e, &value);
        Ok(value)
    }

    /// The same with nothing known of it.
    pub(super) fn as_written(&mut self, e: &'a Expr) -> Result<Value> {
        match &e.kind {
            ExprKind::Literal(literal) => self.literal(*literal, e),
            ExprKind::Load(place) => self.load(place, e.source),
            ExprKind::Len(array) => Ok(Value::Num(self.array_length(*array))),
            ExprKind::Unary(op, a) => {
                let a = self.expr(a)?;
                if a.is_never() {
                    return Ok(a);
                }
                Ok(Value::Num(self.unary(*op, a.num(), e.source)))
            }
            ExprKind::Binary(op, a, b) => {
                if let Some([x, y]) = self.fusible(*op, b) {
                    return self.sum_with_product(*op, a, [x, y], true);
                }
                if let Some([x, y]) = self.fusible(*op, a) {
                    return self.sum_with_product(*op, b, [x, y], false);
                }
                let a = self.expr(a)?;
                if a.is_never() {
                    return Ok(a);
                }
                let b = self.expr(b)?;
                if b.is_never() {
                    return Ok(b);
                }
                Ok(Value::Num(self.binary(*op, a.num(), b.num(), e.source)?))
            }
            ExprKind::And(a, b) => self.lazy(a, b, true),
            ExprKind::Or(a, b) => self.lazy(a, b, false),
            ExprKind::Cast(a) => {
                let value = self.expr(a)?;
                match (&value, &e.ty) {
                    (Value::Num(num), Type::Scalar(to)) => Ok(Value::Num(self.cast(*num, *to))),
                    (Value::Never, _) => Ok(value),
                    _ => Err(self.obstacle(e.source, format!("a cast to `{}`", e.ty), None)),
                }
            }
            ExprKind::Method(method, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    let value = self.expr(argument)?;
                    if value.is_never() {
                        return Ok(value);
                    }
                    values.push(value);
                }
                self.method(*method, &values, e)
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, e.source),
            ExprKind::If(cond, then, otherwise) => self.if_else(cond, then, otherwise.as_ref(), e),
            ExprKind::Match(scrutinee, arms) => self.match_arms(scrutinee, arms, e),
            ExprKind::Block(block) => self.block(block),
            ExprKind::Array(parts) | ExprKind::Tuple(parts) | ExprKind::Struct(parts) => {
                if parts.len() as u64 > MOST_PARTS {
                    return Err(self.too_large(&e.ty, e.source));
                }
                let mut values = Vec::with_capacity(parts.len());
                for part in parts {
                    let value = self.expr(part)?;
                    if value.is_never() {
                        return Ok(value);
                    }
                    values.push(value);
                }
                Ok(Value::Parts(values))
            }
            ExprKind::Repeat(part) => {
                let n = layout::length(&e.ty).filter(|&n| n <= MOST_PARTS);
                let n = n.ok_or_else(|| self.too_large(&e.ty, e.source))?;
                let part = self.expr(part)?;
                if part.is_never() {
                    return Ok(part);
                }
                Ok(Value::Parts(vec![part; n as usize]))
            }
            ExprKind::Continue(None) => {
                let next = self.item.next;
                self.f().branch(next, false);
                Ok(Value::Never)
            }
            ExprKind::Continue(Some(label)) => {
                let next = self.target(*label).0;
                self.f().branch(next, false);
                Ok(Value::Never)
            }
            ExprKind::Break(label, value) => {
                let (_, done, result) = self.target(*label);
                if let Some(value) = value {
                    let value = self.expr(value)?;
                    if value.is_never() {
                        return Ok(value);
                    }
                    self.assign(&result, &value, e.source)?;
                }
                self.f().branch(done, false);
                Ok(Value::Never)
            }
            ExprKind::Loop(label, block) => self.endless(*label, block, e),
            ExprKind::Return(value) => {
                let value = match value {
                    Some(value) => self.expr(value)?,
                    None => Value::Unit,
                };
                if let (false, Some((end, result))) =
                    (value.is_never(), self.frame().returns.clone())
                {
                    self.assign(&result, &value, e.source)?;
                    self.f().branch(end, false);
                }
                Ok(Value::Never)
            }
            ExprKind::Panic(message) => {
                self.report(FaultKind::Panic, message.clone(), e.source, None);
                Ok(Value::Never)
            }
            ExprKind::Opaque(opaque) => {
                Err(self.obstacle(e.source, opaque.why.clone(), opaque.help.as_deref()))
            }
        }
    }

    fn literal(&self, literal: Literal, e: &Expr) -> Result<Value> {
        let Type::Scalar(ty) = e.ty else {
            return Err(self.obstacle(e.source, "the type of a literal is not known here", None));
        };
        Ok(Value::Num(match literal {
            Literal::Bool(b) => Num::bool(b),
            Literal::Int(i) => Num::int(ty, i),
            Literal::Float(x) => {
                let operand = match ty {
                    Scalar::F32 => Operand::F32((x as f32).to_bits()),
                    _ => Operand::F64(x.to_bits()),
                };
                Num {
                    ty,
                    operand,
                    narrow: false,
                    max: None,
                }
            }
        }))
    }

    /// The value of a block.
    pub(super) fn block(&mut self, block: &'a Block) -> Result<Value> {
        for stmt in &block.stmts {
            if self.stmt(stmt)?.is_never() {
                return Ok(Value::Never);
            }
        }
        match &block.tail {
            Some(tail) => {
                self.say_tail(tail);
                self.expr(tail)
            }
            None => Ok(Value::Unit),
        }
    }

    fn say_tail(&mut self, tail: &'a Expr) {
        // A block inside an expression stands in the comment of its statement already.
        if matches!(tail.ty, Type::Unit | Type::Never) {
            self.say(tail.source);
        }
    }

    /// A predicate register for a condition; `None` in code that is not reached.
    pub(super) fn condition(&mut self, e: &'a Expr) -> Result<Option<Reg>> {
        let value = self.expr(e)?;
        if value.is_never() {
            return Ok(None);
        }
        let num = value.num();
        Ok(Some(self.reg(num)))
    }

    fn lazy(&mut self, a: &'a Expr, b: &'a Expr, and: bool) -> Result<Value> {
        let Some(first) = self.condition(a)? else {
            return Ok(Value::Never);
        };
        if self.is_simple(b) {
            let Some(second) = self.condition(b)? else {
                return Ok(Value::Never);
            };
            let name = if and { "and.pred" } else { "or.pred" };
            return Ok(Value::Num(Num::reg(
                Scalar::Bool,
                value!(self.f(), "both", name, first, second),
            )));
        }
        let result = value!(self.f(), "both", "mov.pred", first);
        let done = self.f().label("decided");
        self.f().branch_if(first, !and, done);
        if let Some(second) = self.condition(b)? {
            self.f().assign(result, second);
        }
        self.f().place(done);
        Ok(Value::Num(Num::reg(Scalar::Bool, result)))
    }

    /// Whether evaluating an expression in vain costs little and does nothing.
    fn is_simple(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(place) => {
                matches!(place.root, crate::ir::Root::Var(_)) && place.path.is_empty()
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => {
                !self.options.overflow_checks && self.is_simple(a)
            }
            ExprKind::Binary(op, a, b) => {
                let cheap = match op {
                    BinaryOp::Div | BinaryOp::Rem => false,
                    BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::Shl
                    | BinaryOp::Shr => !self.options.overflow_checks,
                    _ => true,
                };
                cheap && self.is_simple(a) && self.is_simple(b)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => self.is_simple(a) && self.is_simple(b),
            _ => false,
        }
    }

    fn if_else(
        &mut self,
        cond: &'a Expr,
        then: &'a Block,
        otherwise: Option<&'a Block>,
        e: &'a Expr,
    ) -> Result<Value> {
        let Some(cond) = self.condition(cond)? else {
            return Ok(Value::Never);
        };
        if let (Some(a), Some(b), Type::Scalar(_)) =
            (simple_tail(then), otherwise.and_then(simple_tail), &e.ty)
            && self.is_simple(a)
            && self.is_simple(b)
        {
            let (a, b) = (self.expr(a)?.num(), self.expr(b)?.num());
            return Ok(Value::Num(self.select(cond, a, b)));
        }
        let (other, done) = (self.f().label("else"), self.f().label("end_if"));
        let result = self.storage(&e.ty, "if", false, e.source)?;
        self.f()
            .branch_if(cond, false, if otherwise.is_some() { other } else { done });
        let first = self.block(then)?;
        self.assign(&result, &first, e.source)?;
        let mut ends = first.is_never();
        if let Some(otherwise) = otherwise {
            if !first.is_never() {
                self.f().branch(done, false);
            }
            self.f().place(other);
            let second = self.block(otherwise)?;
            self.assign(&result, &second, e.source)?;
            ends &= second.is_never();
        } else {
            ends = false;
        }
        self.f().place(done);
        Ok(if ends { Value::Never } else { result })
    }

    fn match_arms(&mut self, scrutinee: &'a Expr, arms: &'a [Arm], e: &'a Expr) -> Result<Value> {
        let value = self.expr(scrutinee)?;
        if value.is_never() {
            return Ok(value);
        }
        let done = self.f().label("end_match");
        let result = self.storage(&e.ty, "match", false, e.source)?;
        let mut ends = true;
        for (n, arm) in arms.iter().enumerate() {
            let next = self.f().label("arm");
            // One arm applies: the last one without a guard need not ask.
            let last = n + 1 == arms.len() && arm.guard.is_none();
            if !last && let Some(hit) = self.hits(value.num(), &arm.values) {
                self.f().branch_if(hit, false, next);
            }
            if let Some(var) = arm.binding {
                self.bind(var, &value, e.source)?;
            }
            if let Some(guard) = &arm.guard
                && let Some(guard) = self.condition(guard)?
            {
                self.f().branch_if(guard, false, next);
            }
            let body = self.expr(&arm.body)?;
            self.assign(&result, &body, e.source)?;
            ends &= body.is_never();
            if !body.is_never() && n + 1 < arms.len() {
                self.f().branch(done, false);
            }
            self.f().place(next);
        }
        self.f().place(done);
        Ok(if ends { Value::Never } else { result })
    }

    /// Whether a value is in one of the ranges; `None` for a pattern that takes anything.
    fn hits(&mut self, value: Num, ranges: &[MatchRange]) -> Option<Reg> {
        let mut hit: Option<Reg> = None;
        for range in ranges {
            let constant = |v: i128| match value.ty {
                Scalar::Bool => Num::bool(v != 0),
                ty => Num::int(ty, v),
            };
            let one = if range.first == range.last || value.ty == Scalar::Bool {
                if value.ty == Scalar::Bool && range.first != range.last {
                    return None;
                }
                self.compare(BinaryOp::Eq, value, constant(range.first))
            } else {
                let above = self.compare(BinaryOp::Ge, value, constant(range.first));
                let below = self.compare(BinaryOp::Le, value, constant(range.last));
                let (above, below) = (self.reg(above), self.reg(below));
                Num::reg(
                    Scalar::Bool,
                    value!(self.f(), "within", "and.pred", above, below),
                )
            };
            let one = self.reg(one);
            hit = Some(match hit {
                None => one,
                Some(hit) => value!(self.f(), "hit", "or.pred", hit, one),
            });
        }
        hit
    }

    fn target(&mut self, label: LoopLabel) -> (Label, Label, Value) {
        let targets = self.frame().loops.iter().rev().find(|t| t.label == label);
        let targets = targets.expect("the verifier has found the loop of every label");
        (targets.next, targets.done, targets.result.clone())
    }

    fn endless(&mut self, label: LoopLabel, block: &'a Block, e: &'a Expr) -> Result<Value> {
        let result = self.storage(&e.ty, "loop", false, e.source)?;
        let (next, done) = (self.f().label("loop"), self.f().label("end_loop"));
        self.f().place(next);
        self.frame().loops.push(LoopTargets {
            label,
            next,
            done,
            result: result.clone(),
        });
        let again = self.begin_again(None, block);
        let ends = self.block(block)?.is_never();
        self.end_again(&again);
        self.frame().loops.pop();
        if !ends {
            self.f().branch(next, false);
        }
        self.f().place(done);
        Ok(result)
    }

    /// The current value of a variable, or its storage.
    pub(super) fn var(&mut self, var: VarId, source: SourceId) -> Result<Value> {
        if let Some(value) = self.frame().vars.get(&var) {
            return Ok(value.clone());
        }
        if self.frames.len() == 1
            && let Some(num) = self.inputs.captured.get(&var)
        {
            return Ok(Value::Num(*num));
        }
        let name = &self.frame().body.vars[var.0 as usize].name.clone();
        Err(self.obstacle(
            source,
            format!("`{name}` is not a number, so the GPU cannot be given it"),
            None,
        ))
    }

    /// Declares a variable with a value.
    pub(super) fn bind(&mut self, var: VarId, value: &Value, source: SourceId) -> Result<()> {
        let local = self.is_local(var);
        let bound = if local || self.frame().facts.assigned.contains(&var) {
            let storage = self.declare(var, source)?;
            self.assign(&storage, value, source)?;
            storage
        } else {
            value.clone()
        };
        self.frame().vars.insert(var, bound);
        Ok(())
    }

    /// Declares a variable without a value.
    pub(super) fn declare(&mut self, var: VarId, source: SourceId) -> Result<Value> {
        let local = self.is_local(var);
        let body: &'a Body = self.frame().body;
        let declared = &body.vars[var.0 as usize];
        let storage = self.storage(&declared.ty, &declared.name, local, source)?;
        self.frame().vars.insert(var, storage.clone());
        Ok(storage)
    }

    /// A call, printed in place: recursion was refused by the front end.
    fn call(&mut self, function: FuncId, arguments: &'a [Expr], source: SourceId) -> Result<Value> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let value = self.expr(argument)?;
            if value.is_never() {
                return Ok(value);
            }
            values.push(value);
        }
        let function: &'a DeviceFn = self.lp.function(function);
        if self.item.commented {
            self.f().comment(&format!("call of {}", function.name));
        }
        let returns = match returns(&function.body.block) {
            true => {
                let end = self.f().label(&format!("end_{}", function.name));
                Some((
                    end,
                    self.storage(&function.output, &function.name, false, source)?,
                ))
            }
            false => None,
        };
        self.frames.push(Frame {
            body: &function.body,
            facts: Facts::of(&function.body),
            vars: Default::default(),
            loops: Vec::new(),
            returns: returns.clone(),
        });
        for (param, value) in function.params.iter().zip(&values) {
            self.bind(*param, value, source)?;
        }
        let value = self.block(&function.body.block)?;
        self.frames.pop();
        match returns {
            None => Ok(value),
            Some((end, result)) => {
                self.assign(&result, &value, source)?;
                self.f().place(end);
                Ok(result)
            }
        }
    }
}

/// The value of a block that is nothing but a value.
fn simple_tail(block: &Block) -> Option<&Expr> {
    block.tail.as_deref().filter(|_| block.stmts.is_empty())
}

/// Whether a `return` stands in a block.
fn returns(block: &Block) -> bool {
    struct Returns(bool);
    impl Visit for Returns {
        fn expr(&mut self, e: &Expr) {
            self.0 |= matches!(e.kind, ExprKind::Return(_));
            self.expr_parts(e);
        }
    }
    let mut visitor = Returns(false);
    visitor.block(block);
    visitor.0
}

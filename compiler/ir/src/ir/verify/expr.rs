//! The verifier's rules for expressions, places and indices.

use super::{
    BOOL, Expr, ExprKind, Length, LoopLabel, Place, Result, Root, Scalar, SourceId, Type, USIZE,
    VarKind, Verifier, agree,
};
use crate::ir::print::Node;
use crate::ir::{Arm, BinaryOp, Check, Index, Literal, Method, Opaque, Projection, UnaryOp};
use crate::methods::Argument;

impl Verifier<'_> {
    pub(super) fn expect(&mut self, e: &Expr, ty: &Type) -> Result<()> {
        self.expr(e)?;
        if agree(&e.ty, ty) {
            return Ok(());
        }
        let what = format!("a {ty} is expected, and this is of type {}", e.ty);
        self.misfit(e.source, Node::Expr(e), what)
    }

    pub(super) fn label(
        &mut self,
        label: LoopLabel,
        ty: Option<Type>,
        source: SourceId,
        node: Node<'_>,
    ) -> Result<()> {
        if !self.used_labels.insert(label) {
            return self.fail(source, node, "a label is declared twice");
        }
        self.labels.push((label, ty));
        Ok(())
    }

    /// Checks an expression. Its type, or `Never` where evaluating it does not end normally.
    pub(super) fn expr(&mut self, e: &Expr) -> Result<Type> {
        self.lengths(&e.ty, e.source)?;
        let ty = self.kind(e)?;
        if !agree(&ty, &e.ty) {
            return self.fail_expr(e, format!("the type is {}, and ought to be {ty}", e.ty));
        }
        Ok(if ty == Type::Never { ty } else { e.ty.clone() })
    }

    /// The type that the kind and the parts give; opaque where they do not say.
    fn kind(&mut self, e: &Expr) -> Result<Type> {
        Ok(match &e.kind {
            ExprKind::Literal(literal) => {
                if !fits(literal, &e.ty) {
                    return self.fail_expr(e, "the literal is not of its type");
                }
                e.ty.clone()
            }
            ExprKind::Load(place) => self.place(place, e.source)?,
            ExprKind::Len(id) => {
                if self.function.is_some() || self.lp.arrays.get(id.0 as usize).is_none() {
                    return self.fail_expr(e, "no such array here");
                }
                USIZE
            }
            ExprKind::Unary(op, operand) => {
                let ty = self.expr(operand)?;
                let fits = match (op, ty.as_scalar()) {
                    (UnaryOp::Neg, Some(s)) => s.is_signed() || s.is_float(),
                    (UnaryOp::Not, Some(s)) => !s.is_float(),
                    (_, None) => agree(&ty, &BOOL),
                };
                if !fits {
                    return self.fail_expr(e, format!("{op:?} of {ty}"));
                }
                ty
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                if !self.operands_fit(*op, &a, &b) {
                    let what = format!("`{}` of {a} and {b}", op.symbol());
                    return self.misfit(e.source, Node::Expr(e), what);
                }
                match op {
                    op if op.is_comparison() => BOOL,
                    BinaryOp::Shl | BinaryOp::Shr => a,
                    _ if matches!(a, Type::Opaque(_)) => Type::Opaque(None),
                    _ => a,
                }
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expect(a, &BOOL)?;
                self.expect(b, &BOOL)?;
                BOOL
            }
            ExprKind::Cast(value) => {
                let from = self.expr(value)?;
                let fits = match (from.as_scalar(), e.ty.as_scalar()) {
                    (Some(from), Some(to)) => castable(from, to),
                    _ => !from.is_known() || !e.ty.is_known() || from == Type::Never,
                };
                if !fits {
                    return self.fail_expr(e, format!("a cast from {from} to {}", e.ty));
                }
                e.ty.clone()
            }
            ExprKind::Method(method, parts) => self.method(e, *method, parts)?,
            ExprKind::Call(id, parts) => {
                let Some(function) = self.lp.functions.get(id.0 as usize) else {
                    return self.fail_expr(e, "no such function");
                };
                if function.params.len() != parts.len() {
                    return self.fail_expr(e, format!("{} arguments", parts.len()));
                }
                for (part, param) in parts.iter().zip(&function.params) {
                    match function.body.vars.get(param.0 as usize) {
                        Some(var) => self.expect(part, &var.ty)?,
                        None => return self.fail_expr(e, "a parameter does not exist"),
                    }
                }
                function.output.clone()
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expect(condition, &BOOL)?;
                let then = self.block(then)?;
                let otherwise = match otherwise {
                    Some(block) => self.block(block)?,
                    None => Type::Unit,
                };
                self.join(e, &[then, otherwise])?
            }
            ExprKind::Match(scrutinee, arms) => {
                let ty = self.expr(scrutinee)?;
                if let Some(s) = ty.as_scalar()
                    && s.is_float()
                {
                    return self.fail_expr(e, format!("a match on {ty}"));
                }
                let mut types = Vec::new();
                for arm in arms {
                    types.push(self.arm(e, &ty, arm)?);
                }
                self.join(e, &types)?
            }
            ExprKind::Block(block) => self.block(block)?,
            ExprKind::Array(parts) => {
                let Type::Array(elem, length) = &e.ty else {
                    return self.aggregate(e, parts, None);
                };
                if let Length::Known(n) = length
                    && *n != parts.len() as u64
                {
                    return self.fail_expr(e, format!("{} elements", parts.len()));
                }
                self.aggregate(e, parts, Some(vec![(**elem).clone(); parts.len()]))?
            }
            ExprKind::Repeat(value) => match &e.ty {
                Type::Array(elem, _) => {
                    self.expect(value, elem)?;
                    e.ty.clone()
                }
                _ => {
                    self.expr(value)?;
                    Type::Array(Box::new(value.ty.clone()), Length::Known(0))
                }
            },
            ExprKind::Tuple(parts) => match &e.ty {
                Type::Tuple(types) => self.aggregate(e, parts, Some(types.clone()))?,
                Type::Unit if parts.is_empty() => Type::Unit,
                _ => self.aggregate(e, parts, None)?,
            },
            ExprKind::Struct(parts) => match &e.ty {
                Type::Struct(s) => {
                    let types = s.fields.iter().map(|(_, ty)| ty.clone()).collect();
                    self.aggregate(e, parts, Some(types))?
                }
                _ => self.aggregate(e, parts, None)?,
            },
            ExprKind::Continue(label) => {
                let in_scope = match label {
                    Some(label) => self.labels.iter().any(|(l, _)| l == label),
                    None => self.function.is_none(),
                };
                if !in_scope {
                    return self.fail_expr(e, "`continue` of a loop that it does not stand in");
                }
                Type::Never
            }
            ExprKind::Break(label, value) => {
                if let Some(value) = value {
                    self.expr(value)?;
                }
                let Some((_, ty)) = self.labels.iter().find(|(l, _)| l == label) else {
                    return self.fail_expr(e, "`break` out of a loop that it does not stand in");
                };
                let fits = match (ty, value) {
                    (_, None) => true,
                    (Some(ty), Some(value)) => agree(ty, &value.ty),
                    (None, Some(_)) => false,
                };
                if !fits {
                    return self.fail_expr(e, "the value is not the loop's");
                }
                self.broken.insert(*label);
                Type::Never
            }
            ExprKind::Loop(label, body) => {
                self.label(*label, Some(e.ty.clone()), e.source, Node::Expr(e))?;
                self.block(body)?;
                self.labels.pop();
                if self.broken.contains(label) {
                    e.ty.clone()
                } else {
                    Type::Never
                }
            }
            ExprKind::Return(value) => {
                let Some(function) = self.function else {
                    return self.fail_expr(e, "`return` outside of a device function");
                };
                match value {
                    Some(value) => self.expect(value, &function.output)?,
                    None if agree(&Type::Unit, &function.output) => {}
                    None => return self.fail_expr(e, "the returned value is missing"),
                }
                Type::Never
            }
            ExprKind::Panic(_) => Type::Never,
            ExprKind::Opaque(opaque) => self.opaque(e, opaque)?,
        })
    }

    fn method(&mut self, e: &Expr, method: Method, parts: &[Expr]) -> Result<Type> {
        for part in parts {
            self.expr(part)?;
        }
        let Some((receiver, rest)) = parts.split_first() else {
            return self.fail_expr(e, "a method without a receiver");
        };
        let (name, spec) = (method.name(), method.spec());
        if method.is_constructor() {
            let part = e.ty.as_scalar().and_then(|ty| method.part(ty));
            return match part {
                Some(part) if rest.is_empty() && agree(&part, &receiver.ty) => Ok(e.ty.clone()),
                None if !e.ty.is_known() => Ok(e.ty.clone()),
                _ => self.fail_expr(e, format!("`{name}` from {}", receiver.ty)),
            };
        }
        let Some(s) = receiver.ty.as_scalar() else {
            return match receiver.ty {
                Type::Opaque(_) | Type::Integer(_) | Type::Never => Ok(e.ty.clone()),
                _ => self.fail_expr(e, format!("a method of {}", receiver.ty)),
            };
        };
        if !spec.receivers.contains(s) {
            return self.fail_expr(e, format!("{s} has no method `{name}`"));
        }
        let arguments = spec.arguments.iter().map(|argument| match argument {
            Argument::Same => s,
            Argument::U32 => Scalar::U32,
            Argument::I32 => Scalar::I32,
        });
        let fit = rest.len() == spec.arguments.len()
            && rest
                .iter()
                .zip(arguments)
                .all(|(part, ty)| agree(&part.ty, &ty.into()));
        if !fit {
            return self.fail_expr(e, "the arguments are not the method's");
        }
        Ok(spec.output.of(s))
    }

    /// The common type of branches: `Never` only where none of them ends.
    fn join(&self, e: &Expr, types: &[Type]) -> Result<Type> {
        if let Some(ty) = types.iter().find(|ty| !agree(ty, &e.ty)) {
            return self.misfit(
                e.source,
                Node::Expr(e),
                format!("a branch is of type {ty} and the whole of {}", e.ty),
            );
        }
        Ok(match types.iter().all(|ty| *ty == Type::Never) {
            true => Type::Never,
            false => e.ty.clone(),
        })
    }

    fn arm(&mut self, e: &Expr, scrutinee: &Type, arm: &Arm) -> Result<Type> {
        let limits = scrutinee.as_scalar().and_then(Scalar::limits);
        for range in &arm.values {
            let within = limits.is_none_or(|(min, max)| min <= range.first && range.last <= max);
            if range.first > range.last || !within {
                return self.fail_expr(e, format!("an arm of {}..={}", range.first, range.last));
            }
        }
        self.scopes.push(Vec::new());
        if let Some(id) = arm.binding {
            let ty = self.declare(id, e.source)?;
            if !agree(&ty, scrutinee) {
                return self.fail_expr(e, format!("a binding of type {ty} to a {scrutinee}"));
            }
        }
        if let Some(guard) = &arm.guard {
            self.expect(guard, &BOOL)?;
        }
        let ty = self.expr(&arm.body)?;
        self.scopes.pop();
        Ok(ty)
    }

    fn aggregate(&mut self, e: &Expr, parts: &[Expr], types: Option<Vec<Type>>) -> Result<Type> {
        let Some(types) = types else {
            for part in parts {
                self.expr(part)?;
            }
            if e.ty.is_known() {
                return self.fail_expr(e, format!("this is no {}", e.ty));
            }
            return Ok(e.ty.clone());
        };
        if parts.len() != types.len() {
            return self.fail_expr(e, format!("{} parts of {}", parts.len(), types.len()));
        }
        for (part, ty) in parts.iter().zip(&types) {
            self.expect(part, ty)?;
        }
        Ok(e.ty.clone())
    }

    fn opaque(&mut self, e: &Expr, opaque: &Opaque) -> Result<Type> {
        let no_array = opaque
            .arrays
            .iter()
            .any(|id| self.lp.arrays.get(id.0 as usize).is_none());
        let no_var = opaque
            .vars
            .iter()
            .any(|id| self.body.vars.get(id.0 as usize).is_none());
        if no_array || no_var {
            return self.fail_expr(e, "it mentions what does not exist");
        }
        for part in &opaque.parts {
            self.expr(part)?;
        }
        Ok(e.ty.clone())
    }

    /// Checks a place that is read or assigned at `source`, and gives its type.
    pub(super) fn place(&mut self, place: &Place, source: SourceId) -> Result<Type> {
        let node = Node::Place(place);
        let mut steps = place.path.iter();
        let mut ty = match place.root {
            Root::Array(id) => {
                let Some(array) = self.lp.arrays.get(id.0 as usize) else {
                    return self.fail(source, node, "no such array");
                };
                if self.function.is_some() {
                    return self.fail(source, node, "captured memory in a device function");
                }
                let Some(Projection::Index(index)) = steps.next() else {
                    return self.fail(source, node, "an array without an index");
                };
                self.index(index)?;
                array.elem.clone()
            }
            Root::Var(id) => {
                let Some(var) = self.body.vars.get(id.0 as usize) else {
                    return self.fail(source, node, "no such variable");
                };
                let in_scope = match var.kind {
                    VarKind::Captured | VarKind::Reduced | VarKind::Best | VarKind::Carried => true,
                    VarKind::Local | VarKind::Position | VarKind::Param => {
                        self.scopes.iter().any(|scope| scope.contains(&id))
                    }
                };
                // Counts stand before the scope of positions is opened; they are checked by themselves.
                if !in_scope {
                    return self.fail(source, node, "a variable out of its scope");
                }
                var.ty.clone()
            }
        };
        for step in steps {
            ty = match (step, ty) {
                (Projection::Index(index), Type::Array(elem, _)) => {
                    self.index(index)?;
                    *elem
                }
                (Projection::Field(n), Type::Tuple(parts)) if (*n as usize) < parts.len() => {
                    parts[*n as usize].clone()
                }
                (Projection::Field(n), Type::Struct(s)) if (*n as usize) < s.fields.len() => {
                    s.fields[*n as usize].1.clone()
                }
                (Projection::Index(index), Type::Opaque(_)) => {
                    self.index(index)?;
                    Type::Opaque(None)
                }
                (Projection::Field(_), Type::Opaque(_)) => Type::Opaque(None),
                (_, ty) => return self.fail(source, node, format!("a step into a {ty}")),
            };
        }
        Ok(ty)
    }

    pub(super) fn index(&mut self, index: &Index) -> Result<()> {
        self.expect(&index.index, &USIZE)?;
        if let Some(base) = &index.base {
            self.expect(base, &USIZE)?;
        }
        match &index.check {
            Check::Window(len) => self.expect(len, &USIZE),
            Check::Dimension | Check::Never => Ok(()),
        }
    }

    /// Whether an operator takes operands of these types.
    pub(super) fn operands_fit(&self, op: BinaryOp, a: &Type, b: &Type) -> bool {
        let (Some(s), Some(t)) = (a.as_scalar(), b.as_scalar()) else {
            let open = |ty: &Type| ty.is_open() || *ty == Type::Never;
            return (open(a) && (open(b) || b.as_scalar().is_some()))
                || (open(b) && a.as_scalar().is_some());
        };
        match op {
            BinaryOp::Shl | BinaryOp::Shr => s.is_int() && t.is_int(),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                s == t && s != Scalar::Bool
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => s == t && !s.is_float(),
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => s == t,
        }
    }
}

fn fits(literal: &Literal, ty: &Type) -> bool {
    let Some(s) = ty.as_scalar() else {
        return !ty.is_known();
    };
    match literal {
        Literal::Bool(_) => s == Scalar::Bool,
        Literal::Int(v) => s.holds(*v),
        Literal::Float(v) => match s {
            Scalar::F64 => true,
            Scalar::F32 => v.is_nan() || f64::from(*v as f32) == *v,
            _ => false,
        },
    }
}

/// Whether Rust has `from as to`.
fn castable(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        (Scalar::Bool, to) => !to.is_float(),
        (_, Scalar::Bool) => false,
        _ => true,
    }
}

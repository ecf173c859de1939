//! Numbers: literals, conversions as C performs them, conditions.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{IntKind, Type};
use crate::translate::base::code::{Code, Prec};
use crate::typed::{Expr, ExprKind, UnaryOp, consts};

/// A float as Rust writes it.
pub(super) fn float_text(value: f64, ty: &Type) -> String {
    let text = if *ty == Type::Float {
        format!("{:?}", value as f32)
    } else {
        format!("{value:?}")
    };
    let suffix = if *ty == Type::Float { "f32" } else { "f64" };
    match text.as_str() {
        "inf" => format!("{suffix}::INFINITY"),
        "-inf" => format!("{suffix}::NEG_INFINITY"),
        "NaN" => format!("{suffix}::NAN"),
        _ => text,
    }
}

/// The Rust name of an arithmetic type.
pub(super) fn number(ty: &Type) -> &'static str {
    match ty {
        Type::Int(kind) => kind.rust(),
        Type::Float => "f32",
        Type::Double | Type::LongDouble => "f64",
        _ => "()",
    }
}

impl Emit<'_> {
    /// The bits of a number as another of the same size.
    pub(super) fn bits(&mut self, value: &Expr, to: &Type) -> Emitted<Code> {
        let read = self.value(value)?;
        let word = |ty: &Type| if *ty == Type::Float { "u32" } else { "u64" };
        let mut code = read;
        let mut from = number(&value.ty);
        if value.ty.is_float() {
            // A literal has no type to ask for its bits.
            if self.literal(value, false).is_some() {
                code = self.literal(value, true).unwrap_or(code);
                if value.ty == Type::Double && !code.text.contains("64") {
                    code.text.push_str("_f64");
                }
            }
            code = code.method("to_bits", &[]);
            from = word(&value.ty);
        }
        if to.is_float() {
            if from != word(to) {
                code = code.cast(word(to));
            }
            let name = format!("{}::from_bits", number(to));
            return Ok(Code::call(&name, &[code]));
        }
        Ok(if from == number(to) {
            code
        } else {
            code.cast(number(to))
        })
    }

    /// A literal of the expression's type, if that is what it is under conversions that change
    /// nothing but the type.
    pub(super) fn literal(&self, expr: &Expr, suffix: bool) -> Option<Code> {
        if self.sources.macro_use(expr.span).is_some_and(|u| u.of.user) && self.named_constant(expr)
        {
            return None;
        }
        let value = match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => consts::value(expr, self.program)?,
            ExprKind::Cast { value, explicit }
                if !explicit || matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_)) =>
            {
                self.literal(value, false)?;
                consts::value(expr, self.program)?
            }
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                self.literal(inner, false)?;
                consts::value(expr, self.program)?
            }
            _ => return None,
        };
        let text = match (value, &expr.ty) {
            (consts::Value::Int(v), Type::Int(IntKind::Bool)) => {
                return Some(Code::atom(if v != 0 { "true" } else { "false" }));
            }
            (consts::Value::Int(v), ty @ Type::Int(_)) => {
                let shown = self.spelled(expr, v);
                if suffix && *ty != crate::ctypes::INT {
                    format!("{shown}_{}", number(ty))
                } else {
                    shown
                }
            }
            (v, ty) if ty.is_float() => {
                let v = match v {
                    consts::Value::Float(v) => v,
                    consts::Value::Int(v) => v as f64,
                };
                let text = float_text(v, ty);
                if suffix && *ty == Type::Float && !text.contains("::") {
                    format!("{text}_f32")
                } else {
                    text
                }
            }
            _ => return None,
        };
        Some(Code::new(
            text.clone(),
            if text.starts_with('-') {
                Prec::Unary
            } else {
                Prec::Atom
            },
        ))
    }

    /// An integer in the base it was written in.
    fn spelled(&self, expr: &Expr, value: i128) -> String {
        let written = self.sources.text(expr.span);
        let hex = written.starts_with("0x") || written.starts_with("0X");
        if hex && value >= 0 && written.len() > 3 {
            format!("{value:#x}")
        } else {
            value.to_string()
        }
    }

    /// Whether a macro use becomes a named constant.
    pub(super) fn named_constant(&self, expr: &Expr) -> bool {
        if self.here.expand {
            return false;
        }
        let Some(used) = self.sources.macro_use(expr.span) else {
            return false;
        };
        used.of.user
            && used.of.params.is_none()
            && expr.ty.is_arithmetic()
            && consts::value(expr, self.program).is_some()
            && expr.ty != Type::LongDouble
    }

    /// The value converted to an arithmetic type, as C converts it on the machines we know.
    pub(super) fn converted(&mut self, value: &Expr, to: &Type) -> Emitted<Code> {
        if *to == Type::LongDouble || value.ty == Type::LongDouble {
            return refuse(
                codes::UNSUPPORTED_TYPE,
                value.span,
                "`long double` is not translated",
                "use `double`: Rust has no wider floating type",
            );
        }
        if *to == Type::Int(IntKind::Bool) {
            return self.cond(value);
        }
        // A widening that loses nothing can be skipped on the way to a third type.
        let mut from = value;
        while let ExprKind::Cast { value: inner, .. } = &from.kind {
            let keeps = match (&inner.ty, &from.ty, to) {
                (Type::Int(a), Type::Int(b), Type::Int(_)) => {
                    a.size() < b.size() && (!a.signed() || b.signed())
                        || a.size() == b.size() && a.signed() == b.signed()
                        || to
                            .int()
                            .is_some_and(|t| t.size() <= b.size() && t.size() <= a.size())
                }
                (Type::Int(a), Type::Int(b), _) => {
                    *a != IntKind::Bool && a.size() <= b.size() && a.signed() == b.signed()
                        || !a.signed() && a.size() < b.size()
                }
                (Type::Float, Type::Double, Type::Int(_)) => true,
                _ => false,
            };
            if !keeps
                || self.sources.macro_use(from.span).is_some_and(|u| u.of.user)
                    && self.named_constant(from)
            {
                break;
            }
            from = inner;
        }
        let code = self.value(from)?;
        Ok(match (&from.ty, to) {
            (Type::Int(IntKind::Bool), ty) if ty.is_float() => code.cast("i32").cast(number(ty)),
            (a, b) if number(a) == number(b) => code,
            (a, Type::Int(kind)) if a.is_float() => {
                // The machine converts to a wider signed integer and keeps the low bits.
                let wide = match kind {
                    IntKind::Char
                    | IntKind::SChar
                    | IntKind::UChar
                    | IntKind::Short
                    | IntKind::UShort => "i32",
                    IntKind::UInt => "i64",
                    _ => "",
                };
                if wide.is_empty() {
                    code.cast(kind.rust())
                } else {
                    code.cast(wide).cast(kind.rust())
                }
            }
            _ => code.cast(number(to)),
        })
    }

    /// A scalar as a condition.
    pub(super) fn cond(&mut self, expr: &Expr) -> Emitted<Code> {
        use ExprKind as K;
        match &expr.kind {
            K::Binary(op, a, b) if op.is_comparison() => self.comparison(*op, a, b),
            K::Logical(and, a, b) => {
                let (a, b) = (self.cond(a)?, self.cond(b)?);
                let (op, prec) = if *and {
                    ("&&", Prec::And)
                } else {
                    ("||", Prec::Or)
                };
                Ok(Code::binary(op, prec, &a, &b))
            }
            K::Unary(UnaryOp::Not, inner) => {
                if inner.ty.is_float()
                    || inner.ty.is_int()
                        && inner.ty != Type::Int(IntKind::Bool)
                        && !self.is_truth(inner)
                {
                    let code = self.value(inner)?;
                    let zero = if inner.ty.is_float() { "0.0" } else { "0" };
                    return Ok(Code::binary("==", Prec::Compare, &code, &Code::atom(zero)));
                }
                Ok(self.cond(inner)?.not())
            }
            K::Int(v) => Ok(Code::atom(if *v != 0 { "true" } else { "false" })),
            K::Cast { value, .. }
                if expr.ty.is_int()
                    && (value.ty == Type::Int(IntKind::Bool) || self.is_truth(value)) =>
            {
                self.cond(value)
            }
            K::Cast {
                value,
                explicit: false,
            } if expr.ty.is_int()
                && value.ty.is_int()
                && expr.ty.int().map(IntKind::size) >= value.ty.int().map(IntKind::size) =>
            {
                self.cond(value)
            }
            K::Call { callee, args } if self.is_predicate(*callee) => self.predicate(*callee, args),
            _ if expr.ty == Type::Stream => Ok(self.no_stream(expr)?.not()),
            _ if expr.ty.is_pointer() => self.not_null(expr),
            // There is no null among Rust's.
            _ if expr.ty.is_function_pointer() => Ok(Code::atom("true")),
            _ if expr.ty == Type::Int(IntKind::Bool) => self.value(expr),
            _ => {
                let code = self.value(expr)?;
                let zero = if expr.ty.is_float() { "0.0" } else { "0" };
                Ok(Code::binary("!=", Prec::Compare, &code, &Code::atom(zero)))
            }
        }
    }

    /// Whether an `int` is the result of a comparison or a logical operator.
    pub(super) fn is_truth(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
            ExprKind::Cast { value, .. } => {
                value.ty == Type::Int(IntKind::Bool) && expr.ty.is_int()
                    || expr.ty.is_int() && self.is_truth(value)
            }
            ExprKind::Call { callee, .. } => self.is_predicate(*callee),
            _ => false,
        }
    }

    /// An integer as an index: `usize`.
    pub(super) fn index(&mut self, expr: &Expr) -> Emitted<Code> {
        if let Some(code) = self.index_sum(expr)? {
            return Ok(code);
        }
        if self.here.in_device
            && let Some(code) = self.spread(expr)?
        {
            return Ok(code);
        }
        if let Some(value) = self.literal(expr, false)
            && !value.text.starts_with('-')
        {
            return Ok(value);
        }
        self.converted(expr, &crate::ctypes::SIZE)
    }

    /// Sums and products of an index in `usize`, as C may compute them, since overflow is undefined there: the compiler follows them
    /// to the last bit then, and no width is extended on the way.
    fn spread(&mut self, expr: &Expr) -> Emitted<Option<Code>> {
        use crate::typed::BinaryOp as B;
        let wide = |ty: &Type| {
            ty.int()
                .is_some_and(|k| k.size() == 8 || k.size() == 4 && k.signed())
        };
        if !wide(&expr.ty) || crate::typed::consts::int_value(expr, self.program).is_some() {
            return Ok(None);
        }
        Ok(match &expr.kind {
            ExprKind::Cast { value, .. } if wide(&value.ty) => {
                let narrows = value.ty.int().map(IntKind::size) > expr.ty.int().map(IntKind::size);
                match narrows {
                    true => None,
                    false => self.spread(value)?,
                }
            }
            ExprKind::Binary(op @ (B::Add | B::Sub | B::Mul), a, b) => {
                let prec = match op {
                    B::Mul => Prec::Product,
                    _ => Prec::Sum,
                };
                let (a, b) = (self.index(a)?, self.index(b)?);
                Some(Code::binary(op.text(), prec, &a, &b))
            }
            _ => None,
        })
    }

    /// An index made of counters that are `usize` already.
    fn index_sum(&mut self, expr: &Expr) -> Emitted<Option<Code>> {
        if !self.holds_counter(expr) {
            return Ok(None);
        }
        Ok(match &expr.kind {
            ExprKind::Var(id) if self.here.counters.contains(id) => {
                Some(Code::atom(self.name(*id)))
            }
            ExprKind::Cast { value, .. } => self.index_sum(value)?,
            ExprKind::Binary(op, a, b) => {
                let prec = match op {
                    crate::typed::BinaryOp::Add | crate::typed::BinaryOp::Sub => Prec::Sum,
                    crate::typed::BinaryOp::Mul => Prec::Product,
                    _ => return Ok(None),
                };
                let (a, b) = (self.index(a)?, self.index(b)?);
                Some(Code::binary(op.text(), prec, &a, &b))
            }
            _ => None,
        })
    }

    fn holds_counter(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(id) => self.here.counters.contains(id),
            ExprKind::Cast { value, .. } => self.holds_counter(value),
            ExprKind::Binary(
                crate::typed::BinaryOp::Add
                | crate::typed::BinaryOp::Sub
                | crate::typed::BinaryOp::Mul,
                a,
                b,
            ) => self.holds_counter(a) || self.holds_counter(b),
            _ => false,
        }
    }
}

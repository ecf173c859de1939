//! Expressions as values: what computes. What stores is in `store`.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{IntKind, Type};
use crate::translate::base::code::{Code, Prec};
use crate::typed::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Emit<'_> {
    /// An expression as a value.
    pub(super) fn value(&mut self, expr: &Expr) -> Emitted<Code> {
        use ExprKind as K;
        if let Some(code) = self.macro_constant(expr)? {
            return Ok(code);
        }
        if let Some(code) = self.literal(expr, true) {
            return Ok(code);
        }
        // Nothing that is translated fails with an error number.
        if self.is_errno(expr) {
            return Ok(Code::atom("0"));
        }
        match &expr.kind {
            K::Int(_) | K::Float(_) => refuse(
                codes::UNSUPPORTED_TYPE,
                expr.span,
                "a constant of a type that is not translated",
                "use `double`",
            ),
            K::Char(byte) => Ok(char_literal(*byte).map_or_else(
                || Code::atom((*byte as i8).to_string()),
                |c| Code::atom(c).cast("i32"),
            )),
            K::Str(_) => refuse(
                codes::UNSUPPORTED_EXPRESSION,
                expr.span,
                "a string literal is used as an array",
                "keep it in a `char` array",
            ),
            K::EnumConst(name, _) => {
                self.out.enum_constants.insert(name.clone());
                Ok(Code::atom(crate::translate::base::names::sanitized(name)))
            }
            _ if expr.ty == Type::Stream && self.names_stream(expr) => self.stream(expr),
            K::Var(id) if self.here.counters.contains(id) => {
                Ok(Code::atom(self.name(*id)).cast(super::convert::number(&expr.ty)))
            }
            K::Var(_) | K::Index(..) | K::Member(..) | K::Deref(_) => {
                if expr.ty.is_pointer() && self.is_text(expr) {
                    return self.text(expr);
                }
                self.found_place(expr)
            }
            K::Function(id) => self.function_value(*id, expr.span),
            K::Decay(inner) | K::AddrOf(inner) if matches!(inner.kind, K::Function(_)) => {
                self.value(inner)
            }
            K::Cast { value, .. } if expr.ty.is_function_pointer() => {
                self.function_cast(value, &expr.ty, expr.span)
            }
            K::AddrOf(_) | K::Decay(_) if self.is_text(expr) => self.text(expr),
            K::AddrOf(_) | K::Decay(_) => refuse(
                codes::LOST_POINTER,
                expr.span,
                "an address is used as a value",
                "use the array and an index",
            ),
            K::Unary(op, inner) => self.unary(*op, inner, expr),
            K::Binary(op, _, _) if op.is_comparison() => Ok(truth(&self.cond(expr)?)),
            K::Binary(op, a, b) => self.arithmetic(*op, a, b, expr),
            K::Logical(..) => Ok(truth(&self.cond(expr)?)),
            K::Step { up, post, place } => self.step_value(*up, *post, place, expr),
            K::Assign(place, value) => {
                let effect = self.assign(place, value)?;
                let result = self.place(place)?;
                Ok(Code::low(format!("{{ {effect}; {} }}", result.text)))
            }
            K::Compound {
                op,
                place,
                value,
                common,
            } => {
                let effect = self.compound(*op, place, value, common)?;
                let result = self.place(place)?;
                Ok(Code::low(format!("{{ {effect}; {} }}", result.text)))
            }
            K::Cond(c, a, b) => {
                let (c, a, b) = (self.cond(c)?, self.value(a)?, self.value(b)?);
                Ok(Code::choice(&c, &a, &b))
            }
            K::Comma(a, b) => {
                let (a, b) = (self.effect(a)?, self.value(b)?);
                Ok(Code::low(format!("{{ {a} {} }}", b.text)))
            }
            K::Cast { value, .. } if expr.ty == Type::Void => {
                let effect = self.effect(value)?;
                Ok(Code::low(format!("{{ {effect} }}")))
            }
            K::Cast { value, .. } if expr.ty.is_pointer() => self.value(value),
            K::Cast { value, .. }
                if value.ty.is_pointer()
                    && expr.ty.is_int()
                    && expr.ty != Type::Int(IntKind::Bool) =>
            {
                refuse(
                    codes::POINTER_CAST,
                    expr.span,
                    "a pointer is used as a number",
                    "use an index",
                )
            }
            K::Bits(value) => self.bits(value, &expr.ty),
            // How far a position is behind the start of its array is a `usize` as it is.
            K::Cast { value, .. }
                if expr.ty == crate::ctypes::SIZE
                    && matches!(&value.kind, K::Binary(BinaryOp::Sub, a, _) if a.ty.is_pointer()) =>
            {
                let distance = self.value(value)?;
                let plain = distance.text.strip_suffix(" as i64");
                match plain.filter(|at| at.chars().all(|c| c.is_alphanumeric() || c == '_')) {
                    Some(at) => Ok(Code::atom(at)),
                    None => self.converted(value, &expr.ty),
                }
            }
            K::Cast { value, .. } => self.converted(value, &expr.ty),
            K::Call { callee, args } => self.call(*callee, args, expr),
            K::CallPointer(callee, args) => {
                Ok(self.pointed_call(callee, args, expr.span)?.value(None))
            }
            K::SizeOf(ty) => {
                let ty = self.rust_type(ty, expr.span)?;
                Ok(Code::atom(format!("size_of::<{ty}>()")))
            }
            K::Literal(init) => {
                let text = self.initializer(&expr.ty, init, expr.span)?;
                Ok(Code::atom(text))
            }
            K::Block(block) => {
                let text = self.block_value(block)?;
                Ok(Code::low(text))
            }
            K::Assert(..) => {
                let effect = self.effect(expr)?;
                Ok(Code::low(format!("{{ {effect} }}")))
            }
        }
    }

    /// Whether a place is `errno`.
    pub(super) fn is_errno(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Deref(call) if matches!(&call.kind,
            ExprKind::Call { callee, .. } if self.program.function(*callee).name == "__errno_location"))
    }

    /// The name of the constant that a macro becomes.
    fn macro_constant(&mut self, expr: &Expr) -> Emitted<Option<Code>> {
        if self.here.expand
            || matches!(
                expr.kind,
                ExprKind::Cast {
                    explicit: false,
                    ..
                }
            )
            || !self.named_constant(expr)
        {
            return Ok(None);
        }
        let Some(name) = self.sources.macro_use(expr.span).map(|u| u.of.name.clone()) else {
            return Ok(None);
        };
        self.here.expand = true;
        let value = self.value(expr);
        self.here.expand = false;
        let definition = (super::convert::number(&expr.ty).to_string(), value?.text);
        let name = crate::translate::base::names::sanitized(&name);
        match self.out.constants.get(&name) {
            Some(known) if *known != definition => Ok(None),
            _ => {
                self.out.constants.insert(name.clone(), definition);
                Ok(Some(Code::atom(name)))
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr, expr: &Expr) -> Emitted<Code> {
        Ok(match op {
            UnaryOp::Not => truth(&self.cond(expr)?),
            UnaryOp::BitNot => Code::unary("!", &self.value(inner)?),
            UnaryOp::Neg => {
                let code = self.value(inner)?;
                match inner.ty.int() {
                    Some(kind) if !kind.signed() => code.method("wrapping_neg", &[]),
                    _ => Code::unary("-", &code),
                }
            }
        })
    }

    /// Both operands, a literal without its suffix where the other one tells the type.
    fn operands(&mut self, a: &Expr, b: &Expr) -> Emitted<(Code, Code)> {
        let (left, right) = (self.literal(a, false), self.literal(b, false));
        Ok(match (left, right) {
            (Some(left), None) => (left, self.value(b)?),
            (None, Some(right)) => (self.value(a)?, right),
            _ => (self.value(a)?, self.value(b)?),
        })
    }

    pub(super) fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Emitted<Code> {
        if a.ty.is_pointer() || b.ty.is_pointer() {
            return self.compare_pointers(op, a, b);
        }
        if a.ty == Type::Stream {
            return self.compare_streams(op, a, b);
        }
        if a.ty == Type::Int(IntKind::Bool) && b.ty == a.ty {
            let (a, b) = (self.cond(a)?, self.cond(b)?);
            return Ok(Code::binary(op.text(), Prec::Compare, &a, &b));
        }
        // Both sides as they were before the same lossless widening.
        if let (
            ExprKind::Cast {
                explicit: false,
                value: x,
            },
            ExprKind::Cast {
                explicit: false,
                value: y,
            },
        ) = (&a.kind, &b.kind)
            && x.ty == y.ty
            && x.ty.int().is_some_and(|k| {
                k != IntKind::Bool
                    && a.ty.int().is_some_and(|w| {
                        w.size() > k.size() || w.size() == k.size() && w.signed() == k.signed()
                    })
            })
        {
            return self.comparison(op, x, y);
        }
        // `c == 0` for a `char`: the literal fits the narrower type.
        if let ExprKind::Cast {
            explicit: false,
            value: x,
        } = &a.kind
            && let (Some(narrow), Some(wide)) = (x.ty.int(), a.ty.int())
            && narrow != IntKind::Bool
            && narrow.size() < wide.size()
            && self.literal(b, false).is_some()
            && let Some(value) = crate::typed::consts::int_value(b, self.program)
            && (narrow.range().0..=narrow.range().1).contains(&value)
        {
            let b = Expr::int(value, x.ty.clone(), b.span);
            return self.comparison(op, x, &b);
        }
        let whole = Expr {
            kind: ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())),
            ty: crate::ctypes::INT,
            span: a.span,
        };
        // Rust warns of comparisons that cannot be otherwise.
        let unsigned = a.ty.int().is_some_and(|k| !k.signed());
        let zero = crate::typed::consts::int_value(b, self.program) == Some(0);
        match op {
            BinaryOp::Ge if unsigned && zero => return Ok(Code::atom("true")),
            BinaryOp::Lt if unsigned && zero => return Ok(Code::atom("false")),
            _ if self.literal(a, false).is_some() && self.literal(b, false).is_some() => {
                if let Some(value) = crate::typed::consts::int_value(&whole, self.program) {
                    return Ok(Code::atom(if value != 0 { "true" } else { "false" }));
                }
            }
            _ => {}
        }
        let (a, b) = self.operands(a, b)?;
        Ok(Code::binary(op.text(), Prec::Compare, &a, &b))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Expr, b: &Expr, expr: &Expr) -> Emitted<Code> {
        use BinaryOp as B;
        if expr.ty.is_pointer() {
            return refuse(
                codes::LOST_POINTER,
                expr.span,
                "pointer arithmetic is used as a value",
                "use the array and an index",
            );
        }
        if a.ty.is_pointer() {
            return self.pointer_difference(a, b, expr);
        }
        if expr.ty == Type::LongDouble {
            return refuse(
                codes::UNSUPPORTED_TYPE,
                expr.span,
                "`long double` is not translated",
                "use `double`",
            );
        }
        if matches!(op, B::Shl | B::Shr) {
            let left = self.value(a)?;
            let right = match self.literal(b, false) {
                Some(code) => code,
                None => self.value(b)?,
            };
            return Ok(Code::binary(op.text(), Prec::Shift, &left, &right));
        }
        let wraps = matches!(op, B::Add | B::Sub | B::Mul) && self.wraps(op, a, b, &expr.ty);
        if wraps {
            let left = self.value(a)?;
            let right = match self.literal(b, false) {
                Some(code) => code,
                None => self.value(b)?,
            };
            let name = match op {
                B::Add => "wrapping_add",
                B::Sub => "wrapping_sub",
                _ => "wrapping_mul",
            };
            return Ok(left.method(name, &[right]));
        }
        let (left, right) = self.operands(a, b)?;
        let prec = match op {
            B::Add | B::Sub => Prec::Sum,
            B::Mul | B::Div | B::Rem => Prec::Product,
            B::BitAnd => Prec::BitAnd,
            B::BitOr => Prec::BitOr,
            _ => Prec::BitXor,
        };
        Ok(Code::binary(op.text(), prec, &left, &right))
    }

    /// Whether an operation is written to wrap: unsigned arithmetic that C defines to, except where
    /// sizes are computed, and signed products that real programs overflow on purpose.
    pub(super) fn wraps(&self, op: BinaryOp, a: &Expr, b: &Expr, ty: &Type) -> bool {
        let Some(kind) = ty.int() else { return false };
        let known = |e: &Expr| crate::typed::consts::int_value(e, self.program);
        if let (Some(x), Some(y)) = (known(a), known(b)) {
            let exact = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                _ => x * y,
            };
            return kind.wrap(exact) != exact;
        }
        if kind.signed() {
            let large = |e: &Expr| known(e).is_some_and(|v| v.abs() > 1 << 16);
            return op == BinaryOp::Mul && kind.size() == 4 && (large(a) || large(b));
        }
        if op == BinaryOp::Sub {
            return true;
        }
        kind != IntKind::Size
    }
}

/// A truth value as C's `int`.
pub(super) fn truth(cond: &Code) -> Code {
    match cond.text.as_str() {
        "true" => Code::atom("1"),
        "false" => Code::atom("0"),
        _ => Code::call("i32::from", std::slice::from_ref(cond)),
    }
}

/// A byte as `b'x'`, if it prints.
pub(super) fn char_literal(byte: u8) -> Option<String> {
    match byte {
        b'\'' => Some("b'\\''".into()),
        b'\\' => Some("b'\\\\'".into()),
        b'\n' => Some("b'\\n'".into()),
        b'\t' => Some("b'\\t'".into()),
        b'\r' => Some("b'\\r'".into()),
        b' '..=b'~' => Some(format!("b'{}'", byte as char)),
        _ => None,
    }
}

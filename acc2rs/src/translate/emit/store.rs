//! What stores: assignments, `op=`, `++` and `--`, and values in the type of the place that they are stored to.

use super::expr::char_literal;
use super::state::{Emit, Emitted};
use crate::ctypes::{IntKind, Type};
use crate::translate::base::code::{Code, Prec, semicolon};
use crate::typed::{BinaryOp, Expr, ExprKind, Stmt, StmtKind};

impl Emit<'_> {
    /// `++` or `--` as a value.
    pub(super) fn step_value(
        &mut self,
        up: bool,
        post: bool,
        place: &Expr,
        expr: &Expr,
    ) -> Emitted<Code> {
        let effect = self.step(up, place)?;
        let target = self.place(place)?;
        if !post {
            return Ok(Code::low(format!("{{ {effect}; {} }}", target.text)));
        }
        let _ = expr;
        let old = self.temporary("old");
        Ok(Code::low(format!(
            "{{ let {old} = {}; {effect}; {old} }}",
            target.text
        )))
    }

    /// `++` or `--` as a statement, without its semicolon.
    pub(super) fn step(&mut self, up: bool, place: &Expr) -> Emitted<String> {
        let (lets, target) = if place.ty.is_pointer() {
            (String::new(), self.place_or_position(place)?)
        } else {
            self.target(place)?
        };
        let effect = match place.ty.int() {
            Some(IntKind::Bool) => format!(
                "{} = {}",
                target.text,
                if up {
                    "true".to_string()
                } else {
                    format!("!{}", target.at(Prec::Unary))
                }
            ),
            Some(kind) if !kind.signed() && !up || kind.size() < 4 => {
                let name = if up { "wrapping_add" } else { "wrapping_sub" };
                format!("{} = {}.{name}(1)", target.text, target.receiver())
            }
            Some(_) => format!("{} {}= 1", target.text, if up { "+" } else { "-" }),
            None if place.ty.is_float() => {
                format!("{} {}= 1.0", target.text, if up { "+" } else { "-" })
            }
            None => format!("{} {}= 1", target.text, if up { "+" } else { "-" }),
        };
        Ok(format!("{lets}{effect}"))
    }

    /// An assignment as a statement, without its semicolon.
    pub(super) fn assign(&mut self, place: &Expr, value: &Expr) -> Emitted<String> {
        if place.ty.is_pointer() {
            return self.assign_pointer(place, value);
        }
        if self.is_errno(place) && crate::typed::consts::int_value(value, self.program) == Some(0) {
            return Ok(String::new());
        }
        let (lets, target) = self.target(place)?;
        if let Some((method, other)) = self.extreme(place, value) {
            let other = self.narrowed(&other, &place.ty)?;
            return Ok(format!(
                "{lets}{} = {}",
                target.text,
                target.method(method, &[other]).text
            ));
        }
        let value = self.assigned_value(value)?;
        Ok(format!("{lets}{} = {}", target.text, value.text))
    }

    /// `if (v > x) x = v;` as `x = x.max(v)` in the function that a loop becomes: for integers, and for floats that a clause reduces,
    /// which may not be told apart by what they do with a NaN that was there before.
    pub(super) fn kept_extreme(&mut self, cond: &Expr, then: &Stmt) -> Emitted<Option<String>> {
        let only = match &then.kind {
            StmtKind::Block(b) if b.stmts.len() == 1 && then.directives.is_empty() => &b.stmts[0],
            _ => then,
        };
        let StmtKind::Expr(Expr {
            kind: ExprKind::Assign(place, value),
            ..
        }) = &only.kind
        else {
            return Ok(None);
        };
        let reduced = |id| self.here.reduced.contains(&id);
        let may = place.ty.is_int() || place.as_var().is_some_and(reduced);
        if !self.here.in_device || !may || !only.directives.is_empty() {
            return Ok(None);
        }
        let choice = ExprKind::Cond(Box::new(cond.clone()), value.clone(), place.clone());
        let choice = Expr {
            kind: choice,
            ty: place.ty.clone(),
            span: value.span,
        };
        match self.extreme(place, &choice) {
            Some(_) => Ok(Some(semicolon(&self.assign(place, &choice)?))),
            None => Ok(None),
        }
    }

    /// `x = x < v ? x : v` as `x = x.min(v)`: always for integers, for floats where the detector
    /// must see it.
    fn extreme(&self, place: &Expr, value: &Expr) -> Option<(&'static str, Expr)> {
        use crate::translate::base::update::update;
        use accrue_ops::Written;
        if !place.ty.is_int() && !self.here.in_device || place.ty == Type::Int(IntKind::Bool) {
            return None;
        }
        let whole = Expr {
            kind: ExprKind::Assign(Box::new(place.clone()), Box::new(value.clone())),
            ty: place.ty.clone(),
            span: value.span,
        };
        let found = update(self.program, &whole).ok().flatten()?;
        match found.operator.row().written {
            Written::Method(name) => Some((name, found.value?)),
            Written::Symbol { .. } => None,
        }
    }

    /// A value where the type is known from what it is stored to.
    pub(super) fn assigned_value(&mut self, value: &Expr) -> Emitted<Code> {
        if let Type::Struct(id) = value.ty {
            let code = self.value(value)?;
            let fresh = matches!(
                value.stripped().kind,
                ExprKind::Call { .. } | ExprKind::Literal(_)
            );
            return Ok(if self.is_copy(id) || fresh {
                code
            } else {
                code.method("clone", &[])
            });
        }
        match self.literal(value, false) {
            Some(code) => Ok(code),
            None => self.value(value),
        }
    }

    /// A compound assignment as a statement, without its semicolon.
    pub(super) fn compound(
        &mut self,
        op: BinaryOp,
        place: &Expr,
        value: &Expr,
        common: &Type,
    ) -> Emitted<String> {
        if place.ty.is_pointer() {
            return self.move_position(op, place, value);
        }
        let (lets, target) = self.target(place)?;
        let effect = self.compound_at(&target, op, place, value, common)?;
        Ok(format!("{lets}{effect}"))
    }

    fn compound_at(
        &mut self,
        target: &Code,
        op: BinaryOp,
        place: &Expr,
        value: &Expr,
        common: &Type,
    ) -> Emitted<String> {
        use BinaryOp as B;
        let ty = &place.ty;
        if *ty == *common
            || matches!(op, B::Shl | B::Shr) && ty.int().map(IntKind::promoted) == ty.int()
        {
            let value_code = self.assigned_value(value)?;
            if self.wraps_compound(op, place, value) {
                return Ok(wrapping(target, op, value_code));
            }
            return Ok(format!(
                "{} {}= {}",
                target.text,
                op.text(),
                value_code.text
            ));
        }
        // Low bits do not depend on the width that these are computed in.
        let modular = matches!(
            op,
            B::Add | B::Sub | B::Mul | B::BitAnd | B::BitOr | B::BitXor
        );
        if let (Type::Int(kind), Type::Int(_)) = (ty, common)
            && modular
            && *kind != IntKind::Bool
        {
            let narrow = self.narrowed(value, ty)?;
            if matches!(op, B::BitAnd | B::BitOr | B::BitXor)
                || kind.size() >= 4 && !self.wraps_compound(op, place, value)
            {
                return Ok(format!("{} {}= {}", target.text, op.text(), narrow.text));
            }
            if op == B::Add && narrow.text == "1" && !self.here.in_device {
                return Ok(format!(
                    "{} = {}",
                    target.text,
                    target.method("wrapping_add", &[narrow]).text
                ));
            }
            return Ok(wrapping(target, op, narrow));
        }
        // In general: convert, compute in the common type, convert back.
        let wide = Expr {
            kind: ExprKind::Cast {
                explicit: false,
                value: Box::new(place.clone()),
            },
            ty: common.clone(),
            span: place.span,
        };
        let whole = Expr {
            kind: ExprKind::Binary(op, Box::new(wide), Box::new(value.clone())),
            ty: common.clone(),
            span: place.span.to(value.span),
        };
        let back = self.converted(&whole, ty)?;
        Ok(format!("{} = {}", target.text, back.text))
    }

    /// A value converted to a narrower integer type, literals as they are.
    pub(super) fn narrowed(&mut self, value: &Expr, ty: &Type) -> Emitted<Code> {
        let cast = Expr {
            kind: ExprKind::Cast {
                explicit: false,
                value: Box::new(value.bare().clone()),
            },
            ty: ty.clone(),
            span: value.span,
        };
        if value.bare().ty == *ty {
            return self.assigned_value(value.bare());
        }
        if *ty == Type::Int(IntKind::UChar)
            && let Some(code) = self.character(value.bare())?
        {
            return Ok(code);
        }
        self.assigned_value(&cast)
    }

    /// A character, or a choice between characters, as a byte.
    fn character(&mut self, value: &Expr) -> Emitted<Option<Code>> {
        Ok(match &value.kind {
            ExprKind::Char(byte) => char_literal(*byte).map(Code::atom),
            ExprKind::Cond(c, a, b) => {
                match (self.character(a.bare())?, self.character(b.bare())?) {
                    (Some(a), Some(b)) => Some(Code::choice(&self.cond(c)?, &a, &b)),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    fn wraps_compound(&self, op: BinaryOp, place: &Expr, value: &Expr) -> bool {
        let Some(kind) = place.ty.int() else {
            return false;
        };
        match op {
            // Counting up does not reach the end of 32 bits in a program that works.
            BinaryOp::Add if kind.size() >= 4 => {
                !kind.signed()
                    && kind != IntKind::Size
                    && !matches!(place.kind, ExprKind::Index(..))
                    && !self.small(value)
            }
            BinaryOp::Add => kind != IntKind::Bool,
            BinaryOp::Sub => !kind.signed(),
            BinaryOp::Mul => {
                !kind.signed() && kind != IntKind::Size || self.wraps(op, place, value, &place.ty)
            }
            _ => false,
        }
    }

    fn small(&self, value: &Expr) -> bool {
        crate::typed::consts::int_value(value, self.program).is_some_and(|v| v.abs() < 1 << 16)
    }
}

/// `target = target.wrapping_add(value)`, or the like.
fn wrapping(target: &Code, op: BinaryOp, value: Code) -> String {
    let name = match op {
        BinaryOp::Add => "wrapping_add",
        BinaryOp::Sub => "wrapping_sub",
        _ => "wrapping_mul",
    };
    let text = target.method(name, &[value]).text;
    format!("{} = {text}", target.text)
}

//! Pointers as positions: assigning, moving and comparing them.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::lower::is_null;
use crate::translate::base::code::{Code, Prec};
use crate::translate::base::flows::Holder;
use crate::translate::base::flows::is_argv;
use crate::translate::base::places::root;
use crate::translate::memory::shape::Shape;
use crate::typed::{BinaryOp, Expr, ExprKind, VarId};

impl Emit<'_> {
    /// Whether a parameter is moved along its array: it has a position beside it then.
    pub(super) fn moves(&self, id: VarId) -> bool {
        self.program.var(id).storage == crate::typed::Storage::Param
            && matches!(self.shapes.var(id), Some(Shape::Slice | Shape::Text))
            && self.facts.var(id).assigned > self.shapes.exchanges(id)
    }

    /// Whether a parameter changes places with other pointers: the function has a reference of its own for it then.
    pub(super) fn changes_places(&self, id: VarId) -> bool {
        self.program.var(id).storage == crate::typed::Storage::Param
            && self.shapes.var(id) == Some(&Shape::Slice)
            && self.shapes.exchanges(id) > 0
            && !self.moves(id)
    }

    /// Assigns to a pointer: takes memory, or moves a position.
    pub(super) fn assign_pointer(&mut self, place: &Expr, value: &Expr) -> Emitted<String> {
        if let Some(id) = place.as_var()
            && let Some(Shape::Cursor { base, fixed, .. }) = self.shapes.var(id).cloned()
        {
            return self.set_position(id, &base, fixed, value, false);
        }
        if self.is_text(place) && !place.as_var().is_some_and(|id| self.moves(id)) {
            let target = self.place(place)?;
            let text = self.text(value)?;
            return Ok(format!("{} = {}", target.text, text.text));
        }
        if let Some(id) = place.as_var()
            && (matches!(self.shapes.var(id), Some(Shape::Slice | Shape::One)) || self.moves(id))
        {
            if self.moves(id) {
                let pointer = self.pointer(value)?;
                if pointer.base.text == self.name(id) {
                    let position = crate::translate::base::names::position(&self.name(id));
                    return Ok(format!("{position} = {}", pointer.at().text));
                }
            }
            return refuse(
                codes::POINTER_ARITHMETIC,
                place.span,
                "a parameter is made to point elsewhere",
                "use a local pointer or an index",
            );
        }
        // `a = realloc(a, n)` resizes in place.
        let target = self.place(place)?;
        if let ExprKind::Call { callee, args } = &value.stripped().kind
            && self.program.function(*callee).name == "realloc"
            && crate::translate::base::usage::same(args[0].stripped(), place)
        {
            let to = place.ty.element().cloned().unwrap_or(Type::Void);
            let len = self.allocation(&to, &args[1..], value.span)?;
            let zero = self.zero(&to, value.span)?;
            return Ok(format!(
                "{}.resize({}, {zero})",
                target.receiver(),
                len.text
            ));
        }
        let owned = self.owned(value, &place.ty)?;
        Ok(format!("{} = {}", target.text, owned.text))
    }

    /// Sets a position, or declares it when `declare`.
    pub(super) fn set_position(
        &mut self,
        id: VarId,
        base: &Expr,
        fixed: bool,
        value: &Expr,
        declare: bool,
    ) -> Emitted<String> {
        let name = self.name(id);
        let mut out = String::new();
        if crate::translate::base::usage::dynamic(base) {
            let (text, lets) = self.captured(base, &name)?;
            out.push_str(&lets);
            self.here.captures.insert(id, text);
        }
        if is_null(value) && !fixed {
            let word = if declare { "let mut " } else { "" };
            let ty = if declare { ": usize" } else { "" };
            return Ok(format!("{out}{word}{name}{ty} = usize::MAX"));
        }
        if fixed || is_null(value) {
            return Ok(if out.is_empty() {
                String::new()
            } else {
                out.trim_end_matches([';', ' ']).to_string()
            });
        }
        let at = match self.searched_position(base, value)? {
            Some(at) => at,
            None => self.pointer(value)?.at(),
        };
        let declared_later = matches!(
            self.here.plan.declared(id),
            crate::translate::memory::plan::Place::At(_)
        );
        let mutable = if self.facts.var(id).assigned <= u32::from(declared_later) {
            ""
        } else {
            "mut "
        };
        if declare {
            out.push_str(&format!("let {mutable}{name}: usize = {}", at.text));
        } else {
            out.push_str(&format!("{name} = {}", at.text));
        }
        Ok(out)
    }

    /// The text of a place with the values that its indices have now.
    pub(super) fn captured(&mut self, base: &Expr, stem: &str) -> Emitted<(String, String)> {
        match &base.kind {
            ExprKind::Index(inner, index) => {
                let (text, mut lets) = self.captured(inner, stem)?;
                let index = self.index(index)?;
                let name = self.temporary(&format!("{}_row", stem.trim_end_matches('_')));
                lets.push_str(&format!("let {name} = {}; ", index.text));
                Ok((format!("{text}[{name}]"), lets))
            }
            ExprKind::Member(inner, field) => {
                let (text, lets) = self.captured(inner, stem)?;
                let Type::Struct(id) = inner.ty else {
                    return Ok((text, lets));
                };
                let name = self
                    .program
                    .structure(id)
                    .fields
                    .as_ref()
                    .map_or(String::new(), |f| f[*field as usize].name.clone());
                Ok((
                    format!("{text}.{}", crate::translate::base::names::sanitized(&name)),
                    lets,
                ))
            }
            ExprKind::Decay(inner) => self.captured(inner, stem),
            _ => {
                let place = self.place(base)?;
                Ok((place.receiver(), String::new()))
            }
        }
    }

    /// `p += n` and `p -= n`.
    pub(super) fn move_position(
        &mut self,
        op: BinaryOp,
        place: &Expr,
        value: &Expr,
    ) -> Emitted<String> {
        let position = self.place_or_position(place)?;
        let by = self.index(value)?;
        let sure = crate::translate::memory::range::nonnegative(self.program, value, &|v| {
            self.here.nonnegative.contains(&v) || self.here.counters.contains(&v)
        });
        if !sure {
            let name = if op == BinaryOp::Add {
                "wrapping_add"
            } else {
                "wrapping_sub"
            };
            return Ok(format!(
                "{} = {}",
                position.text,
                position.method(name, &[by]).text
            ));
        }
        Ok(format!("{} {}= {}", position.text, op.text(), by.text))
    }

    /// Comparisons of pointers: with null, or of two positions in one array.
    pub(super) fn compare_pointers(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Emitted<Code> {
        let test = |yes: bool| if yes { BinaryOp::Eq } else { BinaryOp::Ne };
        if is_null(b) || is_null(a) {
            let present = self.not_null(if is_null(b) { a } else { b })?;
            return Ok(if op == test(true) {
                invert(&present)
            } else {
                present
            });
        }
        if self.is_text(a) && self.is_text(b) && matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            return refuse(
                codes::POINTER_COMPARE,
                a.span,
                "the addresses of strings are compared",
                "compare their text with `strcmp`",
            );
        }
        let (left, right) = (self.pointer(a)?, self.pointer(b)?);
        if left.base.text != right.base.text {
            return refuse(
                codes::POINTER_COMPARE,
                a.span.to(b.span),
                "pointers into different data are compared",
                "compare indices",
            );
        }
        Ok(Code::binary(
            op.text(),
            Prec::Compare,
            &left.at(),
            &right.at(),
        ))
    }

    /// `p - q`, as `long`.
    pub(super) fn pointer_difference(&mut self, a: &Expr, b: &Expr, expr: &Expr) -> Emitted<Code> {
        let (left, right) = (self.pointer(a)?, self.pointer(b)?);
        if left.base.text != right.base.text {
            return refuse(
                codes::POINTER_COMPARE,
                expr.span,
                "pointers into different data are subtracted",
                "subtract indices",
            );
        }
        if right.offset.is_none() {
            return Ok(left.at().cast("i64"));
        }
        Ok(Code::binary(
            "-",
            Prec::Sum,
            &left.at().cast("i64"),
            &right.at().cast("i64"),
        ))
    }

    /// Whether a pointer is not null: memory was allocated, a reference always is.
    pub(super) fn not_null(&mut self, expr: &Expr) -> Emitted<Code> {
        let inner = expr.stripped();
        if let Some(found) = self.search_finds(inner)? {
            return Ok(found);
        }
        if let Some(call) = crate::translate::base::searching::searched(self.program, inner) {
            let index = self.value(&call.clone())?;
            return Ok(Code::binary(">=", Prec::Compare, &index, &Code::atom("0")));
        }
        if self.is_text(expr) {
            return Ok(self.text(expr)?.method("is_empty", &[]).not());
        }
        let shape = match &inner.kind {
            ExprKind::Var(id) => self.shapes.var(*id).cloned(),
            ExprKind::Member(base, field) => match base.ty {
                Type::Struct(id) => self.shapes.get(Holder::Field(id, *field)).cloned(),
                _ => None,
            },
            ExprKind::Index(..) | ExprKind::Deref(_) => Some(Shape::Owned),
            // `(p = malloc(n)) != NULL`
            ExprKind::Assign(place, _) => {
                let effect = self.effect(inner)?;
                let present = self.not_null(place)?;
                return Ok(Code::low(format!("{{ {effect} {} }}", present.text)));
            }
            ExprKind::Comma(first, last) => {
                let effect = self.effect(first)?;
                let present = self.not_null(last)?;
                return Ok(Code::low(format!("{{ {effect} {} }}", present.text)));
            }
            ExprKind::Call { .. } => {
                if let Some(read) = self.line_read(inner)? {
                    return Ok(read);
                }
                return refuse(
                    codes::UNSUPPORTED_EXPRESSION,
                    expr.span,
                    "a call's pointer is compared with null at once",
                    "keep it in a variable first",
                );
            }
            _ => None,
        };
        match shape {
            Some(Shape::Owned | Shape::Slice | Shape::OwnedRef) => {
                Ok(self.place(inner)?.method("is_empty", &[]).not())
            }
            Some(Shape::Cursor { fixed, .. }) => {
                let id = inner.as_var().filter(|id| {
                    let global = crate::translate::base::places::is_global(self.program, *id);
                    global || self.shapes.nullable(*id)
                });
                match id {
                    None => Ok(Code::atom("true")),
                    Some(id) if !fixed && self.shapes.nullable(id) => Ok(Code::binary(
                        "!=",
                        Prec::Compare,
                        &Code::atom(self.name(id)),
                        &Code::atom("usize::MAX"),
                    )),
                    Some(_) => self.not_told(expr),
                }
            }
            Some(Shape::One | Shape::Text) => Ok(Code::atom("true")),
            None if matches!(
                inner.kind,
                ExprKind::AddrOf(_)
                    | ExprKind::Decay(_)
                    | ExprKind::Binary(..)
                    | ExprKind::Step { .. }
            ) =>
            {
                Ok(Code::atom("true"))
            }
            None => self.not_told(expr),
        }
    }

    fn not_told(&self, expr: &Expr) -> Emitted<Code> {
        refuse(
            codes::LOST_POINTER,
            expr.span,
            "it cannot be told whether this pointer is null",
            "keep a flag beside the pointer, or use an index that is negative where there is nothing",
        )
    }

    /// Whether a pointer expression is text.
    pub(super) fn is_text(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(id) => self.shapes.var(*id) == Some(&Shape::Text),
            ExprKind::Cast { value, .. } => {
                value.ty.element().is_some_and(Type::is_char)
                    && expr.ty.element().is_some_and(Type::is_char)
                    && self.is_text(value)
            }
            ExprKind::Decay(inner) => matches!(inner.kind, ExprKind::Str(_)),
            // Elements of arrays of `char *`: string literals, or the program's arguments.
            ExprKind::Index(..) | ExprKind::Deref(_) => match &expr.ty {
                Type::Pointer { to, constant } => {
                    self.shapes.text_rows(to, *constant)
                        || to.is_char() && root(expr).is_some_and(|id| is_argv(self.program, id))
                }
                _ => false,
            },
            ExprKind::Member(base, field) => match base.ty {
                Type::Struct(id) => {
                    self.shapes.get(Holder::Field(id, *field)) == Some(&Shape::Text)
                }
                _ => false,
            },
            ExprKind::Call { callee, args }
                if crate::translate::base::searching::searches(self.program, *callee) =>
            {
                self.is_text(&args[0])
            }
            ExprKind::Call { callee, .. } => {
                matches!(
                    self.program.function(*callee).name.as_str(),
                    "strerror" | "getenv" | crate::lower::variadic::FORMATTED
                ) || self.shapes.get(Holder::Return(*callee)) == Some(&Shape::Text)
            }
            ExprKind::Cond(_, a, b) => self.is_text(a) && self.is_text(b),
            _ => false,
        }
    }
}

fn invert(present: &Code) -> Code {
    match present.text.as_str() {
        "true" => Code::atom("false"),
        text => match text.strip_prefix('!') {
            Some(rest) if present.prec == Prec::Unary => Code::atom(rest),
            _ => present.not(),
        },
    }
}

//! Places, and pointers as an array with a position.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{Extent, Type};
use crate::lower::is_null;
use crate::translate::base::code::{Code, Prec};
use crate::translate::memory::shape::Shape;
use crate::typed::{BinaryOp, Expr, ExprKind, VarId};

/// A pointer: an array (or one object) and where in it.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    /// The array or object.
    pub(super) base: Code,
    /// The position, `usize`; the start when `None`.
    pub(super) offset: Option<Code>,
    /// Whether `base` is the object itself.
    pub(super) single: bool,
    /// Whether `base` is a reference already, as a parameter is.
    pub(super) reference: bool,
    /// Whether `base` is a `&str`, whose bytes are read one by one.
    pub(super) text: bool,
    /// How many elements of `base` one step is, for flat arrays of arrays.
    pub(super) row: Option<Code>,
}

impl Pointer {
    fn of(base: Code) -> Pointer {
        Pointer {
            base,
            offset: None,
            single: false,
            reference: false,
            text: false,
            row: None,
        }
    }

    /// The position as an expression.
    pub(super) fn at(&self) -> Code {
        self.offset.clone().unwrap_or_else(|| Code::atom("0"))
    }
}

impl Emit<'_> {
    /// An expression as something that can be read or assigned to.
    pub(super) fn place(&mut self, expr: &Expr) -> Emitted<Code> {
        use ExprKind as K;
        match &expr.kind {
            K::Var(id) => Ok(match self.shapes.var(*id) {
                Some(Shape::OwnedRef) => Code::unary("*", &Code::atom(self.name(*id))),
                _ => Code::atom(self.name(*id)),
            }),
            K::Index(base, index) => {
                if self.is_text(base) && base.as_var().is_none() {
                    let text = self.text(base)?;
                    let index = self.index(index)?;
                    return Ok(Code::call(&self.helper("byte_at"), &[text, index]));
                }
                let pointer = self.pointer(base)?;
                let pointer = self.advanced(pointer, index, false)?;
                self.element(&pointer, expr)
            }
            K::Deref(inner) => {
                if self.is_text(inner) && inner.as_var().is_none() {
                    let text = self.text(inner)?;
                    return Ok(Code::call(
                        &self.helper("byte_at"),
                        &[text, Code::atom("0")],
                    ));
                }
                let pointer = self.pointer(inner)?;
                self.element(&pointer, expr)
            }
            K::Member(base, field) => {
                if let Some(name) = self.field_name(expr) {
                    return Ok(Code::atom(name));
                }
                let base_code = match &base.kind {
                    K::Var(_) | K::Index(..) | K::Member(..) | K::Deref(_) => self.place(base)?,
                    _ => self.value(base)?,
                };
                // `(*p).x` is `p.x`.
                let text = match base_code.text.strip_prefix('*') {
                    Some(name)
                        if base_code.prec == Prec::Unary
                            && name
                                .chars()
                                .all(|c| c.is_alphanumeric() || c == '_' || c == '.') =>
                    {
                        name.to_string()
                    }
                    _ => base_code.receiver(),
                };
                let Type::Struct(id) = base.ty else {
                    return refuse(codes::BUG, expr.span, "a member of no struct", "");
                };
                let name = self
                    .program
                    .structure(id)
                    .fields
                    .as_ref()
                    .map_or(String::new(), |f| f[*field as usize].name.clone());
                Ok(Code::atom(format!(
                    "{text}.{}",
                    crate::translate::base::names::sanitized(&name)
                )))
            }
            _ => self.value(expr),
        }
    }

    /// The name that a field has in the function that a loop becomes.
    fn field_name(&self, expr: &Expr) -> Option<String> {
        let mut fields = self.here.fields.iter();
        let found = fields.find(|(place, _)| crate::translate::base::usage::same(place, expr));
        found.map(|(_, name)| name.clone())
    }

    /// A place that a statement stores to, after the `let` that it needs: an index that reads the very `Vec` through which
    /// the place is reached has to be known before.
    pub(super) fn target(&mut self, place: &Expr) -> Emitted<(String, Code)> {
        if let ExprKind::Index(base, index) = &place.kind
            && base.stripped().as_var().is_none()
            && let Some(id) = crate::translate::base::places::root(base)
            && self.shapes.var(id) == Some(&Shape::Owned)
            && (self.mentions(index, id)
                || self.calls_with(index, id)
                || self.mentions_behind(base, id))
            && !self.is_text(base)
        {
            let pointer = self.pointer(base)?;
            let pointer = self.advanced(pointer, index, false)?;
            if let (false, Some(offset)) = (pointer.single || pointer.text, &pointer.offset) {
                let at = self.temporary("at");
                let known = Pointer {
                    offset: Some(Code::atom(at.clone())),
                    ..pointer.clone()
                };
                let element = self.element(&known, place)?;
                return Ok((format!("let {at} = {};\n", offset.text), element));
            }
        }
        if let Some(known) = self.inner_index(place)? {
            return Ok(known);
        }
        Ok((String::new(), self.place(place)?))
    }

    /// Whether what is added to a pointer mentions the variable.
    fn mentions_behind(&self, base: &Expr, id: VarId) -> bool {
        match &base.stripped().kind {
            ExprKind::Binary(_, start, by) => {
                self.mentions(by, id) || self.mentions_behind(start, id)
            }
            _ => false,
        }
    }

    /// `v[i].list[v[i].len].x`: an index further in that reads the `Vec`, by a name of its own.
    fn inner_index(&mut self, place: &Expr) -> Emitted<Option<(String, Code)>> {
        let mut part = place;
        while let ExprKind::Member(inner, _) | ExprKind::Decay(inner) | ExprKind::Index(inner, _) =
            &part.kind
        {
            if let ExprKind::Index(base, index) = &part.kind
                && matches!(base.stripped().kind, ExprKind::Member(..))
                && let Some(id) = crate::translate::base::places::root(base)
                && self.shapes.var(id) == Some(&Shape::Owned)
                && self.mentions(index, id)
                && !self.has_effect(index)
            {
                let read = self.index(index)?;
                let place = self.place(place)?;
                let at = self.temporary("at");
                let named = place
                    .text
                    .replacen(&format!("[{}]", read.text), &format!("[{at}]"), 1);
                return Ok(Some((
                    format!("let {at} = {};\n", read.text),
                    Code::new(named, place.prec),
                )));
            }
            // `table[slot(key)].count`, where the function gets the globals that hold the table, or the table itself.
            if let ExprKind::Index(base, index) = &part.kind
                && let Some(id) = crate::translate::base::places::root(base)
                && self.calls_with(index, id)
            {
                let read = self.index(index)?;
                let place = self.place(place)?;
                let at = self.temporary("at");
                let old = format!("[{}]", read.text);
                if place.text.contains(&old) {
                    let named = place.text.replacen(&old, &format!("[{at}]"), 1);
                    return Ok(Some((
                        format!("let {at} = {};\n", read.text),
                        Code::new(named, place.prec),
                    )));
                }
            }
            part = inner;
        }
        Ok(None)
    }

    /// Whether an index calls a function that gets what holds the array: by a pointer, or with the globals.
    fn calls_with(&self, index: &Expr, array: VarId) -> bool {
        let var = self.program.var(array);
        let global = self.in_globals(array) && (var.ty.is_pointer() || self.boxed(&var.ty));
        let mut hit = false;
        crate::typed::walk::parts(self.program, index, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind {
                let given = |arg: &Expr| arg.ty.is_pointer() && self.mentions(arg, array);
                hit |= global && self.needs_globals(*callee)
                    || self.program.finders.contains(callee) && args.iter().any(given);
            }
        });
        hit
    }

    /// A place that is read, the index that a function finds in it before.
    pub(super) fn found_place(&mut self, expr: &Expr) -> Emitted<Code> {
        let mut part = expr;
        let mut searches = false;
        while let ExprKind::Member(inner, _) | ExprKind::Index(inner, _) = &part.kind {
            if let ExprKind::Index(_, index) = &part.kind {
                searches |= crate::translate::base::searching::calls(self.program, index);
            }
            part = inner;
        }
        if !searches || !expr.ty.is_arithmetic() {
            return self.place(expr);
        }
        let (lets, place) = self.target(expr)?;
        Ok(if lets.is_empty() {
            place
        } else {
            Code::low(format!("{{ {lets}{} }}", place.text))
        })
    }

    pub(super) fn mentions(&self, expr: &Expr, id: VarId) -> bool {
        let mut hit = false;
        crate::typed::walk::parts(self.program, expr, &mut |e| hit |= e.as_var() == Some(id));
        hit
    }

    /// A place that `++` may step: a pointer's position is one.
    pub(super) fn place_or_position(&mut self, place: &Expr) -> Emitted<Code> {
        if place.ty.is_pointer() {
            return match place.as_var().map(|id| (id, self.shapes.var(id).cloned())) {
                Some((id, Some(Shape::Cursor { .. }))) => Ok(Code::atom(self.name(id))),
                Some((id, Some(Shape::Slice | Shape::Text))) if self.moves(id) => Ok(Code::atom(
                    crate::translate::base::names::position(&self.name(id)),
                )),
                _ => refuse(
                    codes::POINTER_ARITHMETIC,
                    place.span,
                    "this pointer cannot be moved",
                    "use an index into the array",
                ),
            };
        }
        self.place(place)
    }

    fn element(&mut self, pointer: &Pointer, expr: &Expr) -> Emitted<Code> {
        if pointer.text {
            return Ok(Code::call(
                &self.helper("byte_at"),
                &[pointer.base.clone(), pointer.at()],
            ));
        }
        if pointer.single {
            return match pointer.offset {
                None => Ok(pointer.base.clone()),
                Some(_) => refuse(
                    codes::POINTER_ARITHMETIC,
                    expr.span,
                    "a single object is indexed",
                    "use an array",
                ),
            };
        }
        if pointer.row.is_some() && matches!(expr.ty, Type::Array(..)) {
            return refuse(
                codes::UNSUPPORTED_EXPRESSION,
                expr.span,
                "a row of an array of variable length is used as a whole",
                "index it fully",
            );
        }
        Ok(pointer.base.index(&pointer.at()))
    }

    /// Number of innermost elements of an array type.
    pub(super) fn row_length(&mut self, ty: &Type) -> Emitted<Option<Code>> {
        let Type::Array(of, extent) = ty else {
            return Ok(None);
        };
        let own = self.extent(extent, None)?;
        Ok(Some(match self.row_length(of)? {
            Some(inner) => Code::binary("*", Prec::Product, &own, &inner),
            None => own,
        }))
    }

    /// A pointer moved by an index.
    pub(super) fn advanced(
        &mut self,
        pointer: Pointer,
        index: &Expr,
        back: bool,
    ) -> Emitted<Pointer> {
        if is_null(index) && !pointer.single {
            return Ok(Pointer {
                row: pointer.row.clone(),
                ..pointer
            });
        }
        let literal = self.literal(index, false).map(|l| l.text);
        let negative = literal.as_ref().is_some_and(|l| l.starts_with('-'));
        let mut by = match (&literal, negative) {
            (Some(text), true) => Code::atom(text.trim_start_matches('-')),
            _ => self.index(index)?,
        };
        let back = back != negative;
        if let Some(row) = &pointer.row {
            by = Code::binary("*", Prec::Product, &by, row);
        }
        let offset = match (&pointer.offset, back) {
            (None, false) => by,
            (None, true) => {
                return refuse(
                    codes::POINTER_ARITHMETIC,
                    index.span,
                    "a position before the start of the array",
                    "use an index that is not negative",
                );
            }
            (Some(old), true) => Code::binary("-", Prec::Sum, old, &by),
            (Some(old), false) => {
                let sure = literal.is_some()
                    || crate::translate::memory::range::nonnegative(self.program, index, &|v| {
                        self.here.nonnegative.contains(&v) || self.here.counters.contains(&v)
                    });
                if sure {
                    Code::binary("+", Prec::Sum, old, &by)
                } else {
                    old.method("wrapping_add", &[by])
                }
            }
        };
        Ok(Pointer {
            offset: Some(offset),
            ..pointer
        })
    }

    /// A pointer or array expression as an array and a position.
    pub(super) fn pointer(&mut self, expr: &Expr) -> Emitted<Pointer> {
        use ExprKind as K;
        match &expr.kind {
            K::Var(id) if expr.ty.is_pointer() => self.variable_pointer(*id, expr),
            K::Cast { value, .. } => {
                let (from, to) = (value.ty.element(), expr.ty.element());
                let void = |t: Option<&Type>| t == Some(&Type::Void);
                if from == to || void(from) || void(to) {
                    return self.pointer(value);
                }
                if let (Some(Type::Array(a, _)), Some(b)) = (from, to)
                    && **a == *b
                {
                    return self.pointer(value);
                }
                // Arrays of variable length have types of their own at each declaration.
                if let (Some(Type::Array(a, _)), Some(Type::Array(b, _))) = (from, to)
                    && a == b
                {
                    return self.pointer(value);
                }
                refuse(
                    codes::POINTER_CAST,
                    expr.span,
                    "data is read as another type",
                    "copy the values with a conversion instead",
                )
            }
            K::Decay(inner) => self.pointer(inner),
            K::AddrOf(place) => match &place.kind {
                K::Index(base, index) => {
                    let pointer = self.pointer(base)?;
                    self.advanced(pointer, index, false)
                }
                _ => {
                    let base = self.place(place)?;
                    Ok(Pointer {
                        single: true,
                        ..Pointer::of(base)
                    })
                }
            },
            K::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if expr.ty.is_pointer() => {
                let pointer = self.pointer(a)?;
                self.advanced(pointer, b, *op == BinaryOp::Sub)
            }
            K::Step { up, post, place } if expr.ty.is_pointer() => {
                let pointer = self.pointer(place)?;
                let position = self.place_or_position(place)?;
                let sign = if *up { "+" } else { "-" };
                let moved = if *post {
                    let old = self.temporary("at");
                    Code::low(format!(
                        "{{ let {old} = {0}; {0} {sign}= 1; {old} }}",
                        position.text
                    ))
                } else {
                    Code::low(format!("{{ {0} {sign}= 1; {0} }}", position.text))
                };
                Ok(Pointer {
                    offset: Some(moved),
                    ..pointer
                })
            }
            // A row of a flat array is a position in it.
            K::Index(base, index) if matches!(expr.ty, Type::Array(..)) && Self::flat(&base.ty) => {
                let pointer = self.pointer(base)?;
                let pointer = self.advanced(pointer, index, false)?;
                let row = match expr.ty.element() {
                    Some(inner @ Type::Array(..)) => self.row_length(&inner.clone())?,
                    _ => None,
                };
                let offset = Some(pointer.at());
                Ok(Pointer {
                    row,
                    offset,
                    ..pointer
                })
            }
            // A string that another structure holds.
            K::Index(..) | K::Member(..) | K::Deref(_) if self.is_text(expr) => {
                let text = self.text(expr)?;
                Ok(Pointer {
                    text: true,
                    reference: true,
                    ..Pointer::of(text)
                })
            }
            K::Var(_) | K::Index(..) | K::Member(..) | K::Deref(_) => {
                let row = if Self::flat(&expr.ty) {
                    self.row_length(&expr.ty.element().cloned().unwrap_or(Type::Void))?
                } else {
                    None
                };
                let base = self.place(expr)?;
                Ok(Pointer {
                    row,
                    reference: self.field_name(expr).is_some(),
                    ..Pointer::of(base)
                })
            }
            K::Call { .. } | K::Literal(_) => {
                let base = self.value(expr)?;
                Ok(Pointer::of(base))
            }
            K::Str(bytes) => Ok(Pointer::of(Code::atom(
                crate::translate::base::text::byte_array(bytes, None),
            ))),
            // Either position in one array.
            K::Cond(cond, then, otherwise) => match self.chosen_position(cond, then, otherwise)? {
                Some(chosen) => Ok(chosen),
                None => refuse(
                    codes::LOST_POINTER,
                    expr.span,
                    "a pointer is chosen by a condition",
                    "choose the value, or write two branches",
                ),
            },
            _ => refuse(
                codes::LOST_POINTER,
                expr.span,
                "it cannot be told where this pointer points",
                "use an array and an index",
            ),
        }
    }

    /// A position that a condition chooses, if both are in one array.
    fn chosen_position(
        &mut self,
        cond: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Emitted<Option<Pointer>> {
        if is_null(then) || is_null(otherwise) {
            return Ok(None);
        }
        let (a, b) = (self.pointer(then)?, self.pointer(otherwise)?);
        if a.base.text != b.base.text || a.single || b.single {
            return Ok(None);
        }
        let cond = self.cond(cond)?;
        let at = Code::choice(&cond, &a.at(), &b.at());
        Ok(Some(Pointer {
            offset: Some(at),
            ..a
        }))
    }

    fn variable_pointer(&mut self, id: VarId, expr: &Expr) -> Emitted<Pointer> {
        let name = Code::atom(self.name(id));
        let row = match expr.ty.element() {
            Some(to @ Type::Array(_, Extent::Runtime(_))) => self.row_length(&to.clone())?,
            Some(to @ Type::Array(..)) if Self::flat(&expr.ty) => self.row_length(&to.clone())?,
            _ => None,
        };
        if self.here.slices.contains(&id) {
            return Ok(Pointer {
                reference: true,
                row,
                ..Pointer::of(name)
            });
        }
        match self.shapes.var(id).cloned() {
            Some(Shape::Owned) | None => Ok(Pointer {
                row,
                ..Pointer::of(name)
            }),
            Some(Shape::Slice) => {
                let offset = self
                    .moves(id)
                    .then(|| Code::atom(crate::translate::base::names::position(&name.text)));
                Ok(Pointer {
                    reference: !crate::translate::base::flows::is_argv(self.program, id),
                    row,
                    offset,
                    ..Pointer::of(name)
                })
            }
            Some(Shape::One | Shape::OwnedRef) => Ok(Pointer {
                single: true,
                reference: true,
                ..Pointer::of(Code::unary("*", &name))
            }),
            Some(Shape::Cursor {
                base,
                fixed,
                single,
            }) => {
                let mut pointer = match self.here.captures.get(&id).cloned() {
                    Some(text) => Pointer::of(Code::atom(text)),
                    None if single => Pointer::of(self.place(&base)?),
                    None => self.pointer(&base)?,
                };
                pointer.single |= single;
                pointer.text |= !single && self.is_text(&base);
                if row.is_some() {
                    pointer.row = row;
                }
                if !fixed {
                    pointer.offset = Some(name);
                }
                Ok(pointer)
            }
            Some(Shape::Text) => {
                let offset = self
                    .moves(id)
                    .then(|| Code::atom(crate::translate::base::names::position(&name.text)));
                Ok(Pointer {
                    text: true,
                    reference: true,
                    offset,
                    ..Pointer::of(name)
                })
            }
        }
    }
}

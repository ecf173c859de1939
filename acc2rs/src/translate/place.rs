//! Places, and pointers as an array with a position.

use super::code::{Code, Prec};
use super::shapes::{self, Holder, Shape};
use super::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{Extent, Type};
use crate::lower::is_null;
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
                if self.is_text(base) {
                    let text = self.text(base)?;
                    let index = self.index(index)?;
                    return Ok(Code::call(&self.helper("byte_at"), &[text, index]));
                }
                let pointer = self.pointer(base)?;
                let pointer = self.advanced(pointer, index, false)?;
                self.element(&pointer, expr)
            }
            K::Deref(inner) => {
                if self.is_text(inner) {
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
                    super::names::sanitized(&name)
                )))
            }
            _ => self.value(expr),
        }
    }

    /// A place that `++` may step: a pointer's position is one.
    pub(super) fn place_or_position(&mut self, place: &Expr) -> Emitted<Code> {
        if place.ty.is_pointer() {
            return match place.as_var().map(|id| (id, self.shapes.var(id).cloned())) {
                Some((id, Some(Shape::Cursor { .. }))) => Ok(Code::atom(self.name(id))),
                Some((id, Some(Shape::Slice))) if self.moves(id) => {
                    Ok(Code::atom(format!("{}_at", self.name(id))))
                }
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
    fn row_length(&mut self, ty: &Type) -> Emitted<Option<Code>> {
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
                    || super::range::nonnegative(self.program, &self.facts, index, &|v| {
                        self.nonnegative.contains(&v) || self.counters.contains(&v)
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
                let chars = from.is_some_and(Type::is_char) && to.is_some_and(Type::is_char);
                if from == to || void(from) || void(to) || chars && from == to {
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
            K::Var(_) | K::Index(..) | K::Member(..) | K::Deref(_) => {
                let row = if Self::flat(&expr.ty) {
                    self.row_length(&expr.ty.element().cloned().unwrap_or(Type::Void))?
                } else {
                    None
                };
                let base = self.place(expr)?;
                Ok(Pointer {
                    row,
                    ..Pointer::of(base)
                })
            }
            K::Call { .. } | K::Literal(_) => {
                let base = self.value(expr)?;
                Ok(Pointer::of(base))
            }
            K::Str(bytes) => Ok(Pointer::of(Code::atom(super::strings::byte_array(
                bytes, None,
            )))),
            K::Cond(..) => refuse(
                codes::LOST_POINTER,
                expr.span,
                "a pointer is chosen by a condition",
                "choose the value, or write two branches",
            ),
            _ => refuse(
                codes::LOST_POINTER,
                expr.span,
                "it cannot be told where this pointer points",
                "use an array and an index",
            ),
        }
    }

    fn variable_pointer(&mut self, id: VarId, expr: &Expr) -> Emitted<Pointer> {
        let name = Code::atom(self.name(id));
        let row = match expr.ty.element() {
            Some(to @ Type::Array(_, Extent::Runtime(_))) => self.row_length(&to.clone())?,
            Some(to @ Type::Array(..)) if Self::flat(&expr.ty) => self.row_length(&to.clone())?,
            _ => None,
        };
        if self.slices.contains(&id) {
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
                    .then(|| Code::atom(format!("{}_at", name.text)));
                Ok(Pointer {
                    reference: true,
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
                let mut pointer = match self.captures.get(&id).cloned() {
                    Some(text) => Pointer::of(Code::atom(text)),
                    None if single => Pointer::of(self.place(&base)?),
                    None => self.pointer(&base)?,
                };
                pointer.single |= single;
                if row.is_some() {
                    pointer.row = row;
                }
                if !fixed {
                    pointer.offset = Some(name);
                }
                Ok(pointer)
            }
            Some(Shape::Text) => refuse(
                codes::UNSUPPORTED_EXPRESSION,
                expr.span,
                "a string is used as an array",
                "keep it in a `char` array",
            ),
            Some(Shape::Stream) => refuse(
                codes::FILE_IO,
                expr.span,
                "a stream is used as a value",
                "print to `stdout` or `stderr` directly",
            ),
        }
    }

    /// Whether a parameter is moved along its array: it has a position beside it then.
    pub(super) fn moves(&self, id: VarId) -> bool {
        self.program.var(id).storage == crate::typed::Storage::Param
            && self.shapes.var(id) == Some(&Shape::Slice)
            && self.facts.var(id).assigned > 0
    }

    /// Assigns to a pointer: takes memory, or moves a position.
    pub(super) fn assign_pointer(&mut self, place: &Expr, value: &Expr) -> Emitted<String> {
        if let Some(id) = place.as_var()
            && let Some(Shape::Cursor { base, fixed, .. }) = self.shapes.var(id).cloned()
        {
            return self.set_position(id, &base, fixed, value, false);
        }
        if self.is_text(place) {
            let target = self.place(place)?;
            let text = self.text(value)?;
            return Ok(format!("{} = {}", target.text, text.text));
        }
        if let Some(id) = place.as_var()
            && matches!(self.shapes.var(id), Some(Shape::Slice | Shape::One))
        {
            if self.moves(id) {
                let pointer = self.pointer(value)?;
                if pointer.base.text == self.name(id) {
                    return Ok(format!("{}_at = {}", self.name(id), pointer.at().text));
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
            && shapes::same(args[0].stripped(), place)
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
        if shapes::dynamic(base) {
            let (text, lets) = self.captured(base, &name)?;
            out.push_str(&lets);
            self.captures.insert(id, text);
        }
        if fixed || is_null(value) {
            return Ok(if out.is_empty() {
                String::new()
            } else {
                out.trim_end_matches([';', ' ']).to_string()
            });
        }
        let pointer = self.pointer(value)?;
        let at = pointer.at();
        let mutable = if declare && self.facts.var(id).assigned == 0 {
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
    fn captured(&mut self, base: &Expr, stem: &str) -> Emitted<(String, String)> {
        match &base.kind {
            ExprKind::Index(inner, index) => {
                let (text, mut lets) = self.captured(inner, stem)?;
                let index = self.index(index)?;
                let name = self.temporary(&format!("{stem}_row"));
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
                Ok((format!("{text}.{}", super::names::sanitized(&name)), lets))
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
        let sure = super::range::nonnegative(self.program, &self.facts, value, &|v| {
            self.nonnegative.contains(&v) || self.counters.contains(&v)
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
            ExprKind::Call { .. } => {
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
            Some(_) | None => Ok(Code::atom("true")),
        }
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
            ExprKind::Index(..) | ExprKind::Deref(_) if expr.ty.is_pointer() => {
                expr.ty.element().is_some_and(Type::is_char)
            }
            ExprKind::Member(base, field) => match base.ty {
                Type::Struct(id) => {
                    self.shapes.get(Holder::Field(id, *field)) == Some(&Shape::Text)
                }
                _ => false,
            },
            ExprKind::Call { callee, .. } => {
                self.shapes.get(Holder::Return(*callee)) == Some(&Shape::Text)
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

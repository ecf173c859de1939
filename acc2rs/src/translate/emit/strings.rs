//! C strings: literals and arguments as `&str`, `char` arrays with their terminating zero.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::lower::is_null;
use crate::translate::base::code::Code;
use crate::translate::base::text::quoted;
use crate::translate::memory::shape::Shape;
use crate::typed::{Expr, ExprKind};

impl Emit<'_> {
    /// A string as `&str`.
    pub(super) fn text(&mut self, expr: &Expr) -> Emitted<Code> {
        if is_null(expr) {
            return Ok(Code::atom("\"\""));
        }
        match &expr.kind {
            ExprKind::Cast { value, .. } => self.text(value),
            ExprKind::Decay(inner) | ExprKind::AddrOf(inner) => match &inner.kind {
                ExprKind::Str(bytes) => Ok(Code::atom(quoted(&String::from_utf8_lossy(bytes)))),
                _ => self.char_array(expr),
            },
            ExprKind::Str(bytes) => Ok(Code::atom(quoted(&String::from_utf8_lossy(bytes)))),
            ExprKind::Var(id) if self.is_text(expr) && !self.moves(*id) => {
                Ok(Code::atom(self.name(*id)))
            }
            ExprKind::Index(..) | ExprKind::Deref(_) if self.is_text(expr) => self.place(expr),
            ExprKind::Member(..) if self.is_text(expr) => self.place(expr),
            ExprKind::Call { callee, args }
                if self.program.function(*callee).name == crate::lower::variadic::FORMATTED =>
            {
                self.formatted(args)
            }
            ExprKind::Call { .. } if self.is_text(expr) => match self.searched_text(expr)? {
                Some(rest) => Ok(rest),
                None => self.value(expr),
            },
            ExprKind::Cond(c, a, b) => {
                let (c, a, b) = (self.cond(c)?, self.text(a)?, self.text(b)?);
                let made = "&c::text(";
                if ![&a, &b].iter().any(|t| t.text.starts_with(made)) {
                    return Ok(Code::choice(&c, &a, &b));
                }
                // What is made in a branch must outlive it.
                let owned = |text: Code| match text.text.strip_prefix('&') {
                    Some(call) if text.text.starts_with(made) => Code::atom(call),
                    _ => text.method("to_string", &[]),
                };
                let text = Code::choice(&c, &owned(a), &owned(b));
                Ok(Code::new(
                    format!("&({})", text.text),
                    crate::translate::base::code::Prec::Unary,
                ))
            }
            _ if expr.ty.element().is_some_and(Type::is_char) => self.char_array(expr),
            _ => refuse(
                codes::UNSUPPORTED_EXPRESSION,
                expr.span,
                "this is not understood as a string",
                "use a string literal or a `char` array",
            ),
        }
    }

    fn char_array(&mut self, expr: &Expr) -> Emitted<Code> {
        let pointer = self.pointer(expr)?;
        if pointer.text {
            let (base, at) = (pointer.base.receiver(), pointer.at());
            return Ok(Code::new(
                format!(
                    "&{base}[{}..]",
                    at.at(crate::translate::base::code::Prec::Or)
                ),
                crate::translate::base::code::Prec::Unary,
            ));
        }
        let slice = self.slice(&pointer, false);
        Ok(Code::new(
            format!("&{}", Code::call(&self.helper("text"), &[slice]).text),
            crate::translate::base::code::Prec::Unary,
        ))
    }

    /// `atoi` and its relatives.
    pub(super) fn parse_number(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Emitted<Code> {
        let given = self.text(&args[0])?;
        let (mut end, mut text) = (None, given.clone());
        if let Some(arg) = args.get(1)
            && !is_null(arg)
        {
            end = Some(self.number_end(arg, &args[0], name, expr)?);
            text = Code::atom(self.temporary("text"));
        }
        let float = matches!(name, "atof" | "strtod" | "strtof");
        let decimal = args
            .get(2)
            .is_none_or(|b| crate::typed::consts::int_value(b, self.program) == Some(10));
        let code = if float {
            Code::call(&self.helper("atof"), &[text.clone()])
        } else if decimal {
            Code::call(&self.helper("atol"), &[text.clone()])
        } else {
            let base = self.narrowed(&args[2], &crate::ctypes::INT)?;
            Code::call(&self.helper("strtol"), &[text.clone(), base])
        };
        let (own, wanted) = (
            if float { "f64" } else { "i64" },
            super::convert::number(&expr.ty),
        );
        let code = if own == wanted {
            code
        } else {
            code.cast(wanted)
        };
        let Some((end, start)) = end else {
            return Ok(code);
        };
        let len = if float {
            Code::call(&self.helper("float_len"), &[text.clone()])
        } else {
            let base = self.narrowed(&args[2], &crate::ctypes::INT)?;
            Code::call(&self.helper("integer_len"), &[text.clone(), base])
        };
        // Of a string, the end is the rest.
        if let Some(id) = args[1].stripped().address_of()
            && self.shapes.var(id) == Some(&Shape::Text)
        {
            return Ok(Code::low(format!(
                "{{ let {0} = {1}; {end} = &{0}[{2}..]; {3} }}",
                text.text, given.text, len.text, code.text
            )));
        }
        let behind = match start {
            Some(start) => Code::binary("+", crate::translate::base::code::Prec::Sum, &start, &len),
            None => len,
        };
        Ok(Code::low(format!(
            "{{ let {} = {}; {end} = {}; {} }}",
            text.text, given.text, behind.text, code.text
        )))
    }

    /// The position that is left behind a number, and where the text starts.
    fn number_end(
        &mut self,
        end: &Expr,
        text: &Expr,
        name: &str,
        expr: &Expr,
    ) -> Emitted<(String, Option<Code>)> {
        if let ExprKind::AddrOf(place) = &end.stripped().kind
            && let Some(id) = place.as_var()
            && let Some(Shape::Cursor {
                base, fixed: false, ..
            }) = self.shapes.var(id).cloned()
            && !crate::translate::base::usage::dynamic(&base)
            && !self.has_effect(text)
        {
            let start = match &text.stripped().kind {
                ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Member(..) => None,
                _ => self.pointer(text)?.offset,
            };
            return Ok((self.name(id), start));
        }
        if let Some(id) = end.stripped().address_of()
            && self.shapes.var(id) == Some(&Shape::Text)
            && !self.moves(id)
            && self.is_text(text)
        {
            return Ok((self.name(id), None));
        }
        // `strtol(p, &p, 10)` moves a parameter on.
        if let ExprKind::AddrOf(place) = &end.stripped().kind
            && let Some(id) = place.as_var().filter(|id| self.moves(*id))
            && text.stripped().as_var() == Some(id)
        {
            let start = self.pointer(text)?.offset;
            return Ok((
                crate::translate::base::names::position(&self.name(id)),
                start,
            ));
        }
        refuse(
            codes::UNSUPPORTED_EXPRESSION,
            expr.span,
            format!(
                "`{name}` with an end pointer that is no local variable, or into a text that is none"
            ),
            "read the number from a variable, and let the end be a local pointer",
        )
    }

    /// `strlen`, `strcmp`.
    pub(super) fn string_query(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Emitted<Code> {
        let first = self.text(&args[0])?;
        Ok(match name {
            "strlen" => match first.text.strip_prefix('&') {
                Some(text) if first.prec == crate::translate::base::code::Prec::Unary => {
                    Code::atom(text).method("len", &[])
                }
                _ => first.method("len", &[]),
            },
            "strspn" | "strcspn" => {
                let set = self.text(&args[1])?;
                let helper = if name == "strspn" {
                    "strspn"
                } else {
                    "strcspn"
                };
                Code::call(&self.helper(helper), &[first, set])
            }
            "strcmp" | "strcasecmp" => {
                let second = self.text(&args[1])?;
                let helper = if name == "strcmp" {
                    "strcmp"
                } else {
                    "strcasecmp"
                };
                Code::call(&self.helper(helper), &[first, second])
            }
            "strncmp" => {
                let (second, len) = (self.text(&args[1])?, self.index(&args[2])?);
                Code::call(&self.helper("strncmp"), &[first, second, len])
            }
            _ => {
                return refuse(
                    codes::UNSUPPORTED_EXPRESSION,
                    expr.span,
                    format!("`{name}` is not translated"),
                    "search with a loop",
                );
            }
        })
    }

    /// The name of a text that is made before it is stored.
    pub(super) fn held_text(&self) -> String {
        let mut name = "text".to_string();
        while self.naming.taken.contains(&name) {
            name.push('_');
        }
        name
    }

    /// A pointer that is written through, after the `let` of a position that is computed from what is there.
    pub(super) fn positioned(&mut self, expr: &Expr) -> Emitted<(String, super::place::Pointer)> {
        let mut pointer = self.pointer(expr)?;
        let mut lets = String::new();
        if let Some(offset) = &pointer.offset
            && offset.text.contains(&pointer.base.text)
        {
            let at = self.temporary("at");
            lets = format!("let {at} = {}; ", offset.text);
            pointer.offset = Some(Code::atom(at));
        }
        Ok((lets, pointer))
    }

    /// `strcpy` and its relatives into a `char` array.
    pub(super) fn string_effect(
        &mut self,
        name: &str,
        args: &[Expr],
        expr: &Expr,
    ) -> Emitted<String> {
        let _ = expr;
        let source = self.text(&args[1])?;
        let (at, pointer) = self.positioned(&args[0])?;
        let target = self.slice(&pointer, true);
        let held = self.held_text();
        if name == "strncpy" {
            let helper = self.helper("set_text_padded");
            let len = self.index(&args[2])?;
            return Ok(format!(
                "{{ let {held} = {}.to_string(); {at}{helper}({}, {}, &{held}); }}\n",
                source.receiver().trim_start_matches('&'),
                target.text,
                len.text
            ));
        }
        let helper = self.helper(if name == "strcpy" {
            "set_text"
        } else {
            "append_text"
        });
        if source.text.starts_with('"') && at.is_empty() {
            return Ok(format!("{helper}({}, {});\n", target.text, source.text));
        }
        // The text may be in the array itself; it is copied out first.
        Ok(format!(
            "{{ let {held} = {}.to_string(); {at}{helper}({}, &{held}); }}\n",
            source.receiver().trim_start_matches('&'),
            target.text
        ))
    }
}

//! `strchr` and its relatives, whose result is a position in the text that they are given: in an array it is an index, that of
//! nothing `usize::MAX`; of a string it is the rest from there on, that of nothing empty.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::lower::is_null;
use crate::translate::base::code::{Code, Prec};
use crate::translate::base::searching::searches;
use crate::typed::{Expr, ExprKind, Program};

/// The call of such a function, under conversions.
fn search<'e>(program: &Program, expr: &'e Expr) -> Option<(&'static str, &'e [Expr])> {
    match &expr.stripped().kind {
        ExprKind::Call { callee, args } if searches(program, *callee) => {
            Some((known(&program.function(*callee).name), args))
        }
        _ => None,
    }
}

/// The name of a helper, which are known beforehand.
fn known(name: &str) -> &'static str {
    match name {
        "strchr" => "strchr",
        "strrchr" => "strrchr",
        "strstr" => "strstr",
        "strpbrk" => "strpbrk",
        _ => "strtok",
    }
}

impl Emit<'_> {
    /// A search in a string: the rest from where something was found.
    pub(super) fn searched_text(&mut self, expr: &Expr) -> Emitted<Option<Code>> {
        let Some((name, args)) = search(self.program, expr) else {
            return Ok(None);
        };
        if name == "strtok" {
            return refuse(
                codes::UNSUPPORTED_EXPRESSION,
                expr.span,
                "`strtok` on a string that is no array",
                "copy the string into a `char` array first",
            );
        }
        let text = self.text(&args[0])?;
        let what = self.wanted(name, &args[1])?;
        let at = Code::call(
            &self.helper(name),
            &[text.clone().method("as_bytes", &[]), Code::atom("0"), what],
        );
        let rest = self.helper("rest");
        Ok(Some(Code::call(&rest, &[text, at])))
    }

    /// Whether a search finds something.
    pub(super) fn search_finds(&mut self, expr: &Expr) -> Emitted<Option<Code>> {
        let Some((name, args)) = search(self.program, expr) else {
            return Ok(None);
        };
        if name == "strtok" {
            return Ok(None);
        }
        let text = self.text(&args[0])?;
        let text = match text.text.strip_prefix('&') {
            Some(owned) if text.prec == Prec::Unary => Code::atom(owned),
            _ => text,
        };
        let what = self.wanted(name, &args[1])?;
        let at = Code::call(
            &self.helper(name),
            &[text.method("as_bytes", &[]), Code::atom("0"), what],
        );
        Ok(Some(Code::binary(
            "!=",
            Prec::Compare,
            &at,
            &Code::atom("usize::MAX"),
        )))
    }

    /// A search in an array as a position in it. `base` is the array that the position stands in, for `strtok(NULL, …)`.
    pub(super) fn searched_position(&mut self, base: &Expr, expr: &Expr) -> Emitted<Option<Code>> {
        let Some((name, args)) = search(self.program, expr) else {
            return Ok(None);
        };
        let goes_on = name == "strtok" && is_null(&args[0]);
        let pointer = self.pointer(if goes_on { base } else { &args[0] })?;
        if pointer.text || pointer.single {
            return refuse(
                codes::UNSUPPORTED_EXPRESSION,
                expr.span,
                format!("`{name}` on something else than a `char` array"),
                "copy the text into a `char` array first",
            );
        }
        let from = if goes_on {
            Code::atom("usize::MAX")
        } else {
            pointer.at()
        };
        let whole = super::place::Pointer {
            offset: None,
            ..pointer
        };
        let chars = self.slice(&whole, name == "strtok");
        let what = self.wanted(name, &args[1])?;
        Ok(Some(Code::call(&self.helper(name), &[chars, from, what])))
    }

    fn wanted(&mut self, name: &str, what: &Expr) -> Emitted<Code> {
        match name {
            "strchr" | "strrchr" => {
                let byte = self.narrowed(what, &Type::Int(crate::ctypes::IntKind::UChar))?;
                Ok(
                    if byte.text.starts_with("b'") || byte.text.contains(" as ") {
                        byte
                    } else {
                        byte.cast("u8")
                    },
                )
            }
            _ => self.text(what),
        }
    }
}

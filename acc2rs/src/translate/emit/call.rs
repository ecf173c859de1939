//! Calls, and expressions that are evaluated for their effect.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::translate::base::code::{Code, semicolon};
use crate::typed::{Expr, ExprKind, FnId};

impl Emit<'_> {
    /// A call as a value.
    pub(super) fn call(&mut self, callee: FnId, args: &[Expr], expr: &Expr) -> Emitted<Code> {
        let function = self.program.function(callee);
        if function.body.is_some() {
            return self.own_call(callee, args, expr.span);
        }
        if self.is_predicate(callee) {
            return Ok(super::expr::truth(&self.predicate(callee, args)?));
        }
        let name = function.name.clone();
        if let Some(code) = self.library(&name, args, expr)? {
            return Ok(code);
        }
        self.unknown(&name, expr)
    }

    fn unknown<T>(&self, name: &str, expr: &Expr) -> Emitted<T> {
        let file = [
            "freopen", "fdopen", "popen", "gets", "getline", "getdelim", "fseeko", "ftello",
            "fgetpos", "fsetpos", "open", "read", "write", "mmap", "tmpnam", "rename",
        ];
        if file.contains(&name) {
            return refuse(
                codes::FILE_IO,
                expr.span,
                format!("`{name}` is not translated"),
                "use `fopen`, `fgets`, `fscanf`, `fread` and what goes with them",
            );
        }
        refuse(
            codes::UNKNOWN_FUNCTION,
            expr.span,
            format!("`{name}` is defined in none of the files given"),
            "give the file that defines it too",
        )
    }

    /// An expression for its effect: statements, each with its semicolon.
    pub(super) fn effect(&mut self, expr: &Expr) -> Emitted<String> {
        use ExprKind as K;
        Ok(match &expr.kind {
            K::Assign(place, value) => {
                if let K::Assign(..) = &value.bare().kind {
                    return self.chained(place, value);
                }
                semicolon(&self.assign(place, value)?)
            }
            K::Compound {
                op,
                place,
                value,
                common,
            } => semicolon(&self.compound(*op, place, value, common)?),
            K::Step { up, place, .. } => semicolon(&self.step(*up, place)?),
            K::Comma(a, b) => format!("{} {}", self.effect(a)?, self.effect(b)?),
            K::Cast { value, .. } => self.effect(value)?,
            K::Cond(c, a, b) => {
                let (c, a, b) = (self.cond(c)?, self.effect(a)?, self.effect(b)?);
                format!("if {} {{ {a} }} else {{ {b} }}", c.text)
            }
            K::Logical(and, a, b) => {
                let (c, b) = (self.cond(a)?, self.effect(b)?);
                let c = if *and { c } else { c.not() };
                format!("if {} {{ {b} }}", c.text)
            }
            K::Call { callee, args } => {
                if let Some(read) = self.line_read(expr)? {
                    return Ok(semicolon(&read.text));
                }
                let function = self.program.function(*callee);
                if function.body.is_some() {
                    return Ok(self.prepared_call(*callee, args, expr.span)?.effect());
                }
                let name = function.name.clone();
                match self.library_effect(&name, args, expr)? {
                    Some(text) => text,
                    None => match self.library(&name, args, expr)? {
                        Some(code)
                            if code.text.starts_with("c::")
                                || code.text.starts_with("std::process") =>
                        {
                            semicolon(&code.text)
                        }
                        Some(code) => format!("let _ = {};", code.text),
                        None => return self.unknown(&name, expr),
                    },
                }
            }
            K::Assert(cond, text) => {
                let cond = self.cond(cond)?;
                let text = text
                    .replace('\\', "\\\\")
                    .replace('"', "\\\"")
                    .replace('{', "{{")
                    .replace('}', "}}");
                format!("assert!({}, \"{text}\");", cond.text)
            }
            K::Block(block) => {
                let text = self.block(block)?;
                format!("{{ {text} }}")
            }
            K::CallPointer(callee, args) => self.pointed_call(callee, args, expr.span)?.effect(),
            // A pointer that always stands at the start of its array has no variable.
            K::Var(id)
                if matches!(
                    self.shapes.var(*id),
                    Some(crate::translate::memory::shape::Shape::Cursor { fixed: true, .. })
                ) =>
            {
                String::new()
            }
            K::Var(id) if !self.in_globals(*id) => format!("let _ = {};\n", self.name(*id)),
            K::SizeOf(_) | K::Int(_) | K::Float(_) | K::Char(_) | K::Var(_) => String::new(),
            _ if expr.ty == Type::Void => String::new(),
            _ => format!("let _ = {};", self.value(expr)?.text),
        })
    }

    /// `a = b = value`: the inner assignment first, then its place is read.
    fn chained(&mut self, place: &Expr, value: &Expr) -> Emitted<String> {
        let inner = value.bare();
        let mut out = self.effect(inner)?;
        let ExprKind::Assign(source, _) = &inner.kind else {
            return Ok(out);
        };
        let read = Expr {
            kind: ExprKind::Cast {
                explicit: false,
                value: source.clone(),
            },
            ty: place.ty.clone(),
            span: value.span,
        };
        let read = if source.ty == place.ty {
            (**source).clone()
        } else {
            read
        };
        if place.ty.is_pointer() {
            return refuse(
                codes::LOST_POINTER,
                value.span,
                "two pointers are set at once",
                "set each by itself",
            );
        }
        out.push_str(&semicolon(&self.assign(place, &read)?));
        Ok(out)
    }
}

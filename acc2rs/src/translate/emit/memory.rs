//! `free`, `memset`, `memcpy` and `memmove` on slices.

use super::place::Pointer;
use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::translate::base::code::Code;
use crate::translate::memory::shape::Shape;
use crate::typed::{Expr, ExprKind, FnId, Stmt, StmtKind, VarId};

impl Emit<'_> {
    pub(super) fn free(&mut self, arg: &Expr) -> Emitted<String> {
        let inner = arg.stripped();
        if let ExprKind::Var(id) = inner.kind {
            let owned = matches!(
                self.shapes.var(id),
                Some(crate::translate::memory::shape::Shape::Owned)
            );
            // Memory of a caller is freed by its owner, a position owns nothing.
            if let Some(Shape::Cursor {
                base, fixed: true, ..
            }) = self.shapes.var(id).cloned()
            {
                return Ok(if crate::translate::base::usage::dynamic(&base) {
                    String::new()
                } else {
                    format!("let _ = &{};\n", self.place(&base)?.text)
                });
            }
            if !owned {
                return Ok(format!("let _ = {};\n", self.name(id)));
            }
            return Ok(format!("{}\n", self.release(id, inner)?));
        }
        if matches!(
            inner.kind,
            ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_)
        ) && !self.is_text(inner)
        {
            return Ok(format!("{} = Vec::new();\n", self.place(inner)?.text));
        }
        Ok(String::new())
    }

    /// The elements of rows, one row after the other.
    pub(super) fn rows_together(&mut self, rows: &Expr) -> Emitted<Code> {
        let pointer = self.pointer(rows)?;
        let rows = self.slice(&pointer, false);
        Ok(Code::call(&self.helper("rows_together"), &[rows]))
    }

    /// Gives rows the elements that were put together.
    pub(super) fn rows_apart(&mut self, args: &[Expr]) -> Emitted<String> {
        let (rows, elements) = (self.pointer(&args[0])?, self.pointer(&args[1])?);
        let (rows, elements) = (self.slice(&rows, true), self.slice(&elements, false));
        let call = Code::call(&self.helper("rows_apart"), &[rows, elements]);
        Ok(format!("{};\n", call.text))
    }

    /// Frees what a variable owns; `drop` where it is used no more.
    pub(super) fn release(&mut self, id: crate::typed::VarId, at: &Expr) -> Emitted<String> {
        let name = self.name(id);
        let Some(body) = self
            .here
            .function
            .and_then(|f| self.program.function(f).body.as_ref())
        else {
            return Ok(String::new());
        };
        let mut later = false;
        for stmt in &body.stmts {
            crate::typed::walk::exprs(self.program, stmt, &mut |e| {
                later |= e.as_var() == Some(id) && e.span.lo > at.span.lo
            });
        }
        let frees = |s: &Stmt| matches!(&s.kind, StmtKind::Expr(e) if e.span.lo <= at.span.lo && at.span.hi <= e.span.hi);
        let mut straight = body.stmts.iter().any(frees);
        crate::typed::walk::stmts(self.program, body, &mut |s| {
            if let StmtKind::Block(b) = &s.kind {
                let declares =
                    |s: &Stmt| matches!(&s.kind, StmtKind::Decl(vars) if vars.contains(&id));
                straight |= b.stmts.iter().any(declares) && b.stmts.iter().any(frees);
            }
        });
        Ok(if !later && straight && !self.in_globals(id) {
            format!("drop({name});")
        } else if !self.in_globals(id) && self.mutability(id).is_empty() {
            // What nothing changes is let go where its block ends.
            format!("let _ = &{name};")
        } else {
            format!("{name}.clear();")
        })
    }

    pub(super) fn memset(&mut self, args: &[Expr], expr: &Expr) -> Emitted<String> {
        let (to, pointer) = self.memory(&args[0])?;
        let value = crate::typed::consts::int_value(&args[1], self.program);
        let fill = match (value, &to) {
            (Some(0), Type::Array(..)) if self.elements(&args[2], &to, args[2].span).is_err() => {
                self.zero(to.innermost(), expr.span)?
            }
            (Some(0), _) => self.zero(&to, expr.span)?,
            (Some(-1 | 255), Type::Int(kind)) => {
                Code::atom(if kind.signed() {
                    "-1".to_string()
                } else {
                    format!("{}::MAX", kind.rust())
                })
                .text
            }
            (_, to) if to.is_char() => self.narrowed(&args[1], to)?.text,
            _ => {
                return refuse(
                    codes::UNSUPPORTED_EXPRESSION,
                    expr.span,
                    "`memset` with a byte that is not zero",
                    "use a loop",
                );
            }
        };
        if pointer.single {
            return Ok(format!("{} = {fill};\n", pointer.base.text));
        }
        let (pointer, len) = self.extent_of(pointer, &args[2], &to)?;
        let whole = self.range_of(&pointer, &len);
        Ok(format!("{whole}.fill({fill});\n"))
    }

    /// So many bytes of an array as a number of its elements; of an array of arrays, if they are no
    /// whole number of rows, as a number of elements of the rows, laid out flat.
    fn extent_of(&mut self, pointer: Pointer, bytes: &Expr, to: &Type) -> Emitted<(Pointer, Code)> {
        match (self.elements(bytes, to, bytes.span), to) {
            (Err(_), Type::Array(inner, _)) if pointer.offset.is_none() => {
                let mut base = pointer.base.method("as_flattened_mut", &[]);
                let mut ty = &**inner;
                while let Type::Array(inner, _) = ty {
                    base = base.method("as_flattened_mut", &[]);
                    ty = inner;
                }
                let len = self.elements(bytes, ty, bytes.span)?;
                Ok((Pointer { base, ..pointer }, len))
            }
            (len, _) => Ok((pointer, len?)),
        }
    }

    /// The element type and the array that a `void *` argument stands for.
    pub(super) fn memory(&mut self, arg: &Expr) -> Emitted<(Type, Pointer)> {
        let mut inner = arg;
        while let ExprKind::Cast { value, .. } = &inner.kind {
            if !value.ty.is_pointer() {
                break;
            }
            inner = value;
        }
        let mut to = inner.ty.element().cloned().unwrap_or(Type::Void);
        let pointer = self.pointer(inner)?;
        if let ExprKind::AddrOf(place) = &inner.kind
            && matches!(place.ty, Type::Array(..))
        {
            to = place.ty.element().cloned().unwrap_or(Type::Void);
            return Ok((
                to,
                Pointer {
                    single: false,
                    ..pointer
                },
            ));
        }
        if pointer.row.is_some() {
            to = to.innermost().clone();
        }
        Ok((to, pointer))
    }

    /// `qsort` as a stable sort, which glibc's is too while there is memory.
    pub(super) fn sort(&mut self, args: &[Expr], compare: FnId) -> Emitted<String> {
        let (to, pointer) = self.memory(&args[0])?;
        if to.is_pointer() {
            return refuse(
                codes::FUNCTION_POINTER,
                args[0].span,
                "`qsort` of an array of pointers",
                "sort with a loop, or in the Rust with `sort_by`",
            );
        }
        let len = self.index(&args[1])?;
        if !self.is_size_of(&args[2], &to) {
            return refuse(
                codes::ALLOCATION_SIZE,
                args[2].span,
                "the size is not that of an element",
                "sort with `sizeof` of an element",
            );
        }
        let whole = self.range_of(&pointer, &len);
        let function = self.program.function(compare);
        let name = crate::translate::base::names::sanitized(&function.name);
        let given = |param: &VarId, value: &str| match self.shapes.var(*param) {
            Some(Shape::One) => value.to_string(),
            _ => format!("std::slice::from_ref({value})"),
        };
        let [a, b] = &function.params[..] else {
            return refuse(codes::BUG, args[3].span, "a comparison of two elements", "");
        };
        let (a, b) = (given(a, "a"), given(b, "b"));
        Ok(format!(
            "{whole}.sort_by(|a, b| {name}({a}, {b}).cmp(&0));\n"
        ))
    }

    pub(super) fn range_of(&self, pointer: &Pointer, len: &Code) -> String {
        let base = pointer.base.receiver();
        match &pointer.offset {
            None => format!(
                "{base}[..{}]",
                len.at(crate::translate::base::code::Prec::Or)
            ),
            Some(at) => format!(
                "{base}[{}..][..{}]",
                at.at(crate::translate::base::code::Prec::Or),
                len.at(crate::translate::base::code::Prec::Or)
            ),
        }
    }

    /// `memcmp` of numbers, byte by byte.
    pub(super) fn memcmp(&mut self, args: &[Expr], expr: &Expr) -> Emitted<Code> {
        let (to, a) = self.memory(&args[0])?;
        let (other, b) = self.memory(&args[1])?;
        if to != other || !to.innermost().is_arithmetic() || a.text || b.text {
            return refuse(
                codes::POINTER_CAST,
                expr.span,
                "memory is compared that holds other than numbers of one type",
                "compare the values with a loop",
            );
        }
        let len = self.elements(&args[2], &to, args[2].span)?;
        let part = |this: &Self, pointer: &Pointer| {
            if pointer.single {
                this.slice(pointer, false)
            } else {
                Code::new(
                    format!("&{}", this.range_of(pointer, &len)),
                    crate::translate::base::code::Prec::Unary,
                )
            }
        };
        let (a, b) = (part(self, &a), part(self, &b));
        Ok(Code::call(&self.helper("memcmp"), &[a, b]))
    }

    pub(super) fn memcpy(&mut self, args: &[Expr], expr: &Expr) -> Emitted<String> {
        let (to, target) = self.memory(&args[0])?;
        let (from, mut source) = self.memory(&args[1])?;
        if source.text {
            let text = self.text(&args[1])?;
            let bytes = Code::call(&self.helper("c_string"), &[text]);
            source = Pointer {
                base: bytes,
                offset: None,
                text: false,
                ..source
            };
        }
        if to != from && super::convert::number(&to) != super::convert::number(&from) {
            return refuse(
                codes::POINTER_CAST,
                expr.span,
                "memory is copied as another type",
                "copy the values with a loop",
            );
        }
        if target.single && source.single {
            return Ok(format!("{} = {};\n", target.base.text, source.base.text));
        }
        let flat = self.elements(&args[2], &to, args[2].span).is_err();
        let (target, len) = self.extent_of(target, &args[2], &to)?;
        let source = if flat {
            let (mut source, _) = self.extent_of(source, &args[2], &from)?;
            source.base.text = source.base.text.replace("as_flattened_mut", "as_flattened");
            source
        } else {
            source
        };
        if target.single || source.single {
            let a = if target.single {
                target.base
            } else {
                target.base.index(&target.at())
            };
            let b = if source.single {
                source.base
            } else {
                source.base.index(&source.at())
            };
            return Ok(format!("{} = {};\n", a.text, b.text));
        }
        if target.base.text == source.base.text {
            let (from, at) = (source.at(), target.at());
            return Ok(format!(
                "{}.copy_within({2}..{2} + {1}, {3});\n",
                target.base.receiver(),
                len.at(crate::translate::base::code::Prec::Sum),
                from.at(crate::translate::base::code::Prec::Sum),
                at.text
            ));
        }
        let method = if matches!(to, Type::Struct(id) if !self.is_copy(id)) {
            "clone_from_slice"
        } else {
            "copy_from_slice"
        };
        let (a, b) = (self.range_of(&target, &len), self.range_of(&source, &len));
        Ok(format!("{a}.{method}(&{b});\n"))
    }
}

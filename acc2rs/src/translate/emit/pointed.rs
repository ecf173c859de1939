//! Pointers to functions: Rust's `fn` pointers, where the functions take and return numbers.
//!
//! Functions of one type that a pointer may hold have one signature: if one of them needs the globals, all take them.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{FnType, Type};
use crate::source::Span;
use crate::translate::base::code::{Code, PreparedCall};
use crate::translate::base::function_types::{alike, only_numbers, pointed};
use crate::typed::{Expr, ExprKind, FnId};

impl Emit<'_> {
    /// Whether the functions behind pointers of this type take the globals.
    fn pointed_globals(&self, ty: &FnType) -> bool {
        let taken = self.facts.taken.iter().copied();
        taken
            .filter(|id| alike(&self.program.function(*id).ty, ty))
            .any(|id| self.needs_globals(id))
    }

    /// The type of a pointer to a function.
    pub(super) fn function_type(&mut self, ty: &FnType, at: Span) -> Emitted<String> {
        if !only_numbers(ty) {
            return refuse(
                codes::FUNCTION_POINTER,
                at,
                "pointers to functions that take or return other than numbers are not translated",
                "call the function by name",
            );
        }
        let mut params = Vec::new();
        if self.pointed_globals(ty) {
            params.push("&mut Globals".to_string());
        }
        for param in &ty.params {
            params.push(self.rust_type(param, at)?);
        }
        let ret = match &ty.ret {
            Type::Void => String::new(),
            ret => format!(" -> {}", self.rust_type(ret, at)?),
        };
        Ok(format!("fn({}){ret}", params.join(", ")))
    }

    /// A function's name as a value.
    pub(super) fn function_value(&mut self, id: FnId, at: Span) -> Emitted<Code> {
        let function = self.program.function(id);
        let (name, ty) = (function.name.clone(), function.ty.clone());
        if function.body.is_some() && only_numbers(&ty) {
            return Ok(Code::atom(crate::translate::base::names::sanitized(&name)));
        }
        if ty.ret == Type::Double
            && ty.params == [Type::Double]
            && let Some(method) = super::library::method(&name)
        {
            return Ok(Code::atom(format!("f64::{method}")));
        }
        refuse(
            codes::FUNCTION_POINTER,
            at,
            format!("a pointer to `{name}`, which is not defined here or takes other than numbers"),
            "call the function by name",
        )
    }

    /// A conversion to a pointer to a function, which only its own type has.
    pub(super) fn function_cast(&mut self, value: &Expr, ty: &Type, at: Span) -> Emitted<Code> {
        match (pointed(&value.ty), pointed(ty)) {
            (Some(a), Some(b)) if alike(a, b) => self.value(value),
            _ => refuse(
                codes::FUNCTION_POINTER,
                at,
                "a pointer to a function gets a value of another type",
                "give it a function of its own type from the start",
            ),
        }
    }

    /// A call through a pointer.
    pub(super) fn pointed_call(
        &mut self,
        callee: &Expr,
        args: &[Expr],
        at: Span,
    ) -> Emitted<PreparedCall> {
        let mut inner = callee;
        while let ExprKind::Decay(e) | ExprKind::Deref(e) = &inner.kind {
            inner = e;
        }
        let Some(ty) = pointed(&inner.ty).cloned() else {
            return refuse(codes::BUG, at, "a call through no pointer", "");
        };
        self.function_type(&ty, at)?;
        if args.len() != ty.params.len() {
            return refuse(
                codes::FUNCTION_POINTER,
                at,
                "a call through a pointer to a function of unknown parameters",
                "write the parameters' types into the pointer's",
            );
        }
        let name = self.value(inner)?;
        let globals = self.pointed_globals(&ty);
        if args.iter().filter(|a| self.has_effect(a)).count() > 1 {
            return refuse(
                codes::FUNCTION_POINTER,
                at,
                "a call through a pointer with several arguments that have effects",
                "compute the arguments first",
            );
        }
        let (mut before, mut codes_of) = (String::new(), Vec::new());
        for arg in args {
            let mut code = self.assigned_value(arg)?;
            if globals && self.reads_globals(arg) {
                let value = self.temporary("value");
                before.push_str(&format!("let {value} = {}; ", code.text));
                code = Code::atom(value);
            }
            codes_of.push(code);
        }
        if globals {
            codes_of.insert(
                0,
                Code::atom(if self.here.is_main {
                    "&mut globals"
                } else {
                    "globals"
                }),
            );
        }
        let name = if inner.as_var().is_some() && !name.text.contains('.') {
            name.text
        } else {
            format!("({})", name.text)
        };
        Ok(PreparedCall {
            before,
            call: Code::call(&name, &codes_of),
            after: String::new(),
            void: ty.ret == Type::Void,
        })
    }
}

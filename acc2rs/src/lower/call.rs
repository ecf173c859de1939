//! Calls.

use lang_c::ast;

use super::{Lowered, Lowerer, Symbol, builtins, fail};
use crate::codes;
use crate::ctypes::{FnType, INT, Type};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::typed::{Expr, ExprKind, FnId};

impl Lowerer<'_> {
    pub(super) fn call(&mut self, node: &ast::CallExpression, span: Span) -> Lowered<Expr> {
        if let ast::Expression::Identifier(id) = &node.callee.node {
            let name = &id.node.name;
            let found = match self.lookup(name) {
                Some(Symbol::Function(id)) => Some(*id),
                Some(_) => None,
                None => Some(self.undeclared(name, span)),
            };
            if let Some(callee) = found {
                return self.direct(callee, node, span);
            }
        }
        let callee = self.rvalue(&node.callee)?;
        let callee = match callee.kind {
            ExprKind::Decay(inner) if matches!(inner.kind, ExprKind::Function(_)) => *inner,
            _ => callee,
        };
        if let ExprKind::Function(id) = callee.kind {
            return self.direct(id, node, span);
        }
        let ty = match callee.ty.element() {
            Some(Type::Function(ty)) => (**ty).clone(),
            _ => return fail(codes::TYPE_ERROR, callee.span, "this is no function", ""),
        };
        let args = self.arguments(&ty, node, span)?;
        Ok(self.expr_of(ExprKind::CallPointer(Box::new(callee), args), ty.ret, span))
    }

    fn undeclared(&mut self, name: &str, span: Span) -> FnId {
        if let Some(ty) = builtins::builtin(name) {
            let system = std::mem::replace(&mut self.system, true);
            let id = self.function(name, ty, false, span);
            self.system = system;
            return id;
        }
        let message =
            format!("`{name}` is called without a declaration; C takes it to return `int`");
        self.report(
            Diagnostic::new(codes::IMPLICIT_FUNCTION, span, message)
                .help("include the header that declares it"),
        );
        let ty = FnType {
            ret: INT,
            params: Vec::new(),
            variadic: false,
            prototyped: false,
        };
        self.function(name, ty, false, span)
    }

    fn direct(&mut self, callee: FnId, node: &ast::CallExpression, span: Span) -> Lowered<Expr> {
        let ty = self.program.function(callee).ty.clone();
        let args = self.arguments(&ty, node, span)?;
        let function = self.program.function(callee);
        let least = builtins::least_arguments(&function.name);
        // A prototype has told already.
        if !ty.prototyped && function.body.is_none() && args.len() < least {
            let message = format!("`{}` is called with too few arguments", function.name);
            return fail(
                codes::TYPE_ERROR,
                span,
                message,
                "include the header that declares it, and give it what it takes",
            );
        }
        Ok(self.expr_of(ExprKind::Call { callee, args }, ty.ret, span))
    }

    fn arguments(
        &mut self,
        ty: &FnType,
        node: &ast::CallExpression,
        span: Span,
    ) -> Lowered<Vec<Expr>> {
        let given = node.arguments.len();
        let known = ty.params.len();
        if ty.prototyped && (given < known || given > known && !ty.variadic) {
            return fail(
                codes::TYPE_ERROR,
                span,
                format!("{given} arguments where the function takes {known}"),
                "",
            );
        }
        let mut args = Vec::new();
        for (at, arg) in node.arguments.iter().enumerate() {
            let value = self.rvalue(arg)?;
            args.push(match ty.params.get(at) {
                Some(param) => self.assigned(value, param)?,
                None => {
                    let promoted = if value.ty == Type::Float {
                        Type::Double
                    } else {
                        value.ty.promoted()
                    };
                    self.implicit(value, &promoted)
                }
            });
        }
        Ok(args)
    }
}

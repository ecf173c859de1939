//! Expressions (C11 6.5).

use lang_c::ast;
use lang_c::span::Node;

use super::convert::is_null;
use super::{Lowered, Lowerer, Symbol, fail};
use crate::codes;
use crate::ctypes::{INT, IntKind, SIZE, Type};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::typed::{Expr, ExprKind};

impl Lowerer<'_> {
    /// An expression as a value.
    pub(super) fn rvalue(&mut self, node: &Node<ast::Expression>) -> Lowered<Expr> {
        let expr = self.expr(node)?;
        Ok(self.decay(expr))
    }

    /// A condition: any scalar.
    pub(super) fn condition(&mut self, node: &Node<ast::Expression>) -> Lowered<Expr> {
        let expr = self.rvalue(node)?;
        if expr.ty.is_scalar() {
            return Ok(expr);
        }
        let message = format!("a condition of type `{}`", self.type_text(&expr.ty));
        fail(
            codes::TYPE_ERROR,
            expr.span,
            message,
            "compare it with something",
        )
    }

    /// An expression as it stands: arrays stay arrays.
    pub(super) fn expr(&mut self, node: &Node<ast::Expression>) -> Lowered<Expr> {
        use ast::Expression as E;
        let span = self.span(node.span);
        match &node.node {
            E::Identifier(id) => self.name(&id.node.name, span),
            E::Constant(c) => self.constant(&c.node, span),
            E::StringLiteral(s) => Ok(self.string(&s.node, span)),
            E::Member(m) => self.member(&m.node, span),
            E::Call(call) => self.call(&call.node, span),
            E::CompoundLiteral(literal) => {
                let ty = self.type_name(&literal.node.type_name)?;
                let (init, len) = self.list_initializer(&ty, &literal.node.initializer_list)?;
                let ty = match (ty, len) {
                    (Type::Array(of, crate::ctypes::Extent::Unknown), Some(n)) => {
                        Type::Array(of, crate::ctypes::Extent::Fixed(n))
                    }
                    (ty, _) => ty,
                };
                Ok(self.expr_of(ExprKind::Literal(Box::new(init)), ty, span))
            }
            E::SizeOfTy(of) => {
                let ty = self.type_name(&of.node.0)?;
                Ok(self.expr_of(ExprKind::SizeOf(ty), SIZE, span))
            }
            E::SizeOfVal(of) => {
                let ty = self.expr(&of.node.0)?.ty;
                Ok(self.expr_of(ExprKind::SizeOf(ty), SIZE, span))
            }
            E::UnaryOperator(unary) => self.unary(&unary.node, span),
            E::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name)?;
                let value = self.rvalue(&cast.node.expression)?;
                let fits = ty == Type::Void
                    || ty == value.ty
                    || ty.is_scalar()
                        && value.ty.is_scalar()
                        && (ty.is_pointer() || value.ty.is_pointer())
                            != (ty.is_float() || value.ty.is_float())
                    || ty.is_arithmetic() && value.ty.is_arithmetic();
                if !fits {
                    let message = format!(
                        "`{}` cannot be cast to `{}`",
                        self.type_text(&value.ty),
                        self.type_text(&ty)
                    );
                    return fail(codes::TYPE_ERROR, span, message, "");
                }
                Ok(self.expr_of(
                    ExprKind::Cast {
                        explicit: true,
                        value: Box::new(value),
                    },
                    ty,
                    span,
                ))
            }
            E::BinaryOperator(binary) => self.binary(&binary.node, span),
            E::Conditional(cond) => self.conditional(&cond.node, span),
            E::Comma(list) => {
                let mut parts = list.iter();
                let Some(first) = parts.next() else {
                    return fail(codes::SYNTAX, span, "an empty expression", "");
                };
                let mut out = self.rvalue(first)?;
                for next in parts {
                    let next = self.rvalue(next)?;
                    let ty = next.ty.clone();
                    out = self.expr_of(ExprKind::Comma(Box::new(out), Box::new(next)), ty, span);
                }
                Ok(out)
            }
            E::Statement(statement) => self.statement_expression(statement, span),
            E::AlignOf(_) => fail(
                codes::UNSUPPORTED_EXPRESSION,
                span,
                "`_Alignof` is not translated",
                "write the number",
            ),
            E::OffsetOf(_) => fail(
                codes::UNSUPPORTED_EXPRESSION,
                span,
                "`offsetof` is not translated",
                "name the field instead",
            ),
            E::VaArg(_) => fail(
                codes::VARIADIC,
                span,
                "`va_arg` is not translated",
                "give the function a fixed list of parameters",
            ),
            E::GenericSelection(_) => fail(
                codes::UNSUPPORTED_EXPRESSION,
                span,
                "`_Generic` is not translated",
                "call the function that is meant",
            ),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Lowered<Expr> {
        match self.lookup(name) {
            Some(Symbol::Var(id)) => {
                let id = *id;
                let ty = self.program.var(id).ty.clone();
                Ok(self.expr_of(ExprKind::Var(id), ty, span))
            }
            Some(Symbol::Function(id)) => {
                let id = *id;
                let ty = Type::Function(Box::new(self.program.function(id).ty.clone()));
                Ok(self.expr_of(ExprKind::Function(id), ty, span))
            }
            Some(Symbol::EnumConst(value)) => {
                let value = *value;
                let kind = if i32::try_from(value).is_ok() {
                    IntKind::Int
                } else {
                    IntKind::Long
                };
                Ok(self.expr_of(
                    ExprKind::EnumConst(name.to_string(), value),
                    Type::Int(kind),
                    span,
                ))
            }
            Some(Symbol::Typedef { .. }) => {
                fail(codes::TYPE_ERROR, span, format!("`{name}` is a type"), "")
            }
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let text = self
                    .function
                    .map_or(String::new(), |f| self.program.function(f).name.clone());
                Ok(self.string(&[format!("\"{text}\"")], span))
            }
            None => fail(
                codes::UNDECLARED,
                span,
                format!("`{name}` is not declared"),
                "include the header that declares it, or give its folder with `-I`",
            ),
        }
    }

    fn member(&mut self, node: &ast::MemberExpression, span: Span) -> Lowered<Expr> {
        let indirect = node.operator.node == ast::MemberOperator::Indirect;
        let base = if indirect {
            let pointer = self.rvalue(&node.expression)?;
            self.deref(pointer, span)?
        } else {
            self.expr(&node.expression)?
        };
        let Type::Struct(id) = base.ty else {
            let message = format!("`{}` has no members", self.type_text(&base.ty));
            return fail(codes::TYPE_ERROR, base.span, message, "");
        };
        let shape = self.program.structure(id);
        let name = &node.identifier.node.name;
        let found = shape
            .fields
            .as_ref()
            .and_then(|f| f.iter().position(|f| f.name == *name));
        let Some(at) = found else {
            return fail(
                codes::TYPE_ERROR,
                self.span(node.identifier.span),
                format!("`struct {}` has no member `{name}`", shape.name),
                "",
            );
        };
        let ty = shape.fields.as_ref().map_or(INT, |f| f[at].ty.clone());
        Ok(self.expr_of(ExprKind::Member(Box::new(base), at as u32), ty, span))
    }

    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Lowered<Expr> {
        match pointer.ty.element().cloned() {
            Some(Type::Void) | None => {
                let message = format!("`{}` cannot be dereferenced", self.type_text(&pointer.ty));
                fail(codes::TYPE_ERROR, pointer.span, message, "")
            }
            Some(ty) => Ok(match pointer.kind {
                // `*&x` is `x`.
                ExprKind::AddrOf(place) => *place,
                _ => self.expr_of(ExprKind::Deref(Box::new(pointer)), ty, span),
            }),
        }
    }

    /// Something that can be assigned to.
    pub(super) fn place(&mut self, node: &Node<ast::Expression>) -> Lowered<Expr> {
        let expr = self.expr(node)?;
        match &expr.kind {
            ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_)
                if !matches!(expr.ty, Type::Array(..)) =>
            {
                Ok(expr)
            }
            _ => fail(
                codes::TYPE_ERROR,
                expr.span,
                "this cannot be assigned to",
                "",
            ),
        }
    }

    pub(super) fn index(
        &mut self,
        node: &ast::BinaryOperatorExpression,
        span: Span,
    ) -> Lowered<Expr> {
        let (mut base, mut index) = (self.expr(&node.lhs)?, self.expr(&node.rhs)?);
        if base.ty.is_int() && index.ty.element().is_some() {
            std::mem::swap(&mut base, &mut index);
        }
        let index = self.decay(index);
        match base.ty.element().cloned() {
            Some(ty) if index.ty.is_int() && ty != Type::Void => {
                Ok(self.expr_of(ExprKind::Index(Box::new(base), Box::new(index)), ty, span))
            }
            _ => {
                let message = format!(
                    "`{}` cannot be indexed by `{}`",
                    self.type_text(&base.ty),
                    self.type_text(&index.ty)
                );
                fail(codes::TYPE_ERROR, span, message, "")
            }
        }
    }

    fn conditional(&mut self, node: &ast::ConditionalExpression, span: Span) -> Lowered<Expr> {
        let cond = self.condition(&node.condition)?;
        let a = self.rvalue(&node.then_expression)?;
        let b = self.rvalue(&node.else_expression)?;
        let (a, b, ty) = if a.ty == b.ty {
            let ty = a.ty.clone();
            (a, b, ty)
        } else if a.ty.is_pointer() && (b.ty.is_pointer() || is_null(&b)) {
            let ty = if is_null(&a) {
                b.ty.clone()
            } else {
                a.ty.clone()
            };
            (self.implicit(a, &ty), self.implicit(b, &ty), ty)
        } else if b.ty.is_pointer() && is_null(&a) {
            let ty = b.ty.clone();
            (self.implicit(a, &ty), b, ty)
        } else if a.ty == Type::Stream || b.ty == Type::Stream {
            let ty = Type::Stream;
            (self.assigned(a, &ty)?, self.assigned(b, &ty)?, ty)
        } else if a.ty == Type::Void || b.ty == Type::Void {
            (
                self.implicit(a, &Type::Void),
                self.implicit(b, &Type::Void),
                Type::Void,
            )
        } else {
            self.balanced(a, b, span)?
        };
        // `short ? short : short` computes in int like any other arithmetic.
        let promoted = ty.promoted();
        let (a, b) = (self.implicit(a, &promoted), self.implicit(b, &promoted));
        Ok(self.expr_of(
            ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b)),
            promoted,
            span,
        ))
    }

    /// `({ … })`, with glibc's `assert` recognized.
    fn statement_expression(&mut self, node: &Node<ast::Statement>, span: Span) -> Lowered<Expr> {
        let ast::Statement::Compound(items) = &node.node else {
            return fail(
                codes::UNSUPPORTED_EXPRESSION,
                span,
                "a statement in an expression",
                "move it before the expression",
            );
        };
        if let [
            Node {
                node: ast::BlockItem::Statement(only),
                ..
            },
        ] = &items[..]
            && let ast::Statement::If(test) = &only.node
            && let Some(otherwise) = &test.node.else_statement
            && let ast::Statement::Expression(Some(call)) = &otherwise.node
            && let ast::Expression::Call(call) = &call.node
            && let ast::Expression::Identifier(name) = &call.node.callee.node
            && name.node.name == "__assert_fail"
            && let Some(ast::Expression::StringLiteral(text)) =
                call.node.arguments.first().map(|a| &a.node)
        {
            let condition = self.condition(&test.node.condition)?;
            let text = match self.string(&text.node, span).kind {
                ExprKind::Str(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                _ => String::new(),
            };
            return Ok(self.expr_of(
                ExprKind::Assert(Box::new(condition), text),
                Type::Void,
                span,
            ));
        }
        let block = self.scoped(|this| this.items(items, node.span));
        let ty = match block.stmts.last().map(|s| &s.kind) {
            Some(crate::typed::StmtKind::Expr(e)) => e.ty.clone(),
            _ => Type::Void,
        };
        Ok(self.expr_of(ExprKind::Block(block), ty, span))
    }

    /// Reports what went wrong with an expression and goes on without it.
    pub(super) fn or_report<T>(&mut self, result: Lowered<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(diagnostic) => {
                let diagnostic: Diagnostic = *diagnostic;
                self.report(diagnostic);
                None
            }
        }
    }
}

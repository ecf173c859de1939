//! Operators: of one operand, of two, and with an assignment.

use lang_c::ast;

use super::convert::is_null;
use super::{Lowered, Lowerer, fail};
use crate::codes;
use crate::ctypes::{INT, IntKind, Type, common};
use crate::source::Span;
use crate::typed::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Lowerer<'_> {
    pub(super) fn unary(
        &mut self,
        node: &ast::UnaryOperatorExpression,
        span: Span,
    ) -> Lowered<Expr> {
        use ast::UnaryOperator as U;
        let step = |up, post| (up, post);
        let (up, post) = match node.operator.node {
            U::PostIncrement => step(true, true),
            U::PostDecrement => step(false, true),
            U::PreIncrement => step(true, false),
            U::PreDecrement => step(false, false),
            U::Address => {
                let place = self.expr(&node.operand)?;
                if let Type::Function(_) = place.ty {
                    return Ok(self.decay(place));
                }
                if !place.is_place() {
                    let message = "this has no address";
                    return fail(codes::TYPE_ERROR, place.span, message, "");
                }
                let ty = Type::pointer(place.ty.clone());
                return Ok(self.expr_of(ExprKind::AddrOf(Box::new(place)), ty, span));
            }
            U::Indirection => {
                let pointer = self.rvalue(&node.operand)?;
                return self.deref(pointer, span);
            }
            U::Plus | U::Minus | U::Complement => {
                let operand = self.rvalue(&node.operand)?;
                let ty = operand.ty.promoted();
                let minus = node.operator.node == U::Minus;
                if !(ty.is_int() || ty.is_float() && node.operator.node != U::Complement) {
                    let message =
                        format!("this operator is not defined on `{}`", self.type_text(&ty));
                    return fail(codes::TYPE_ERROR, span, message, "");
                }
                let operand = self.implicit(operand, &ty);
                return Ok(match node.operator.node {
                    U::Plus => operand,
                    _ => {
                        let op = if minus { UnaryOp::Neg } else { UnaryOp::BitNot };
                        self.expr_of(ExprKind::Unary(op, Box::new(operand)), ty, span)
                    }
                });
            }
            U::Negate => {
                let operand = self.condition(&node.operand)?;
                return Ok(self.expr_of(
                    ExprKind::Unary(UnaryOp::Not, Box::new(operand)),
                    INT,
                    span,
                ));
            }
        };
        let place = self.place(&node.operand)?;
        let ty = place.ty.clone();
        if !ty.is_scalar() {
            return fail(
                codes::TYPE_ERROR,
                span,
                format!("`{}` cannot be stepped", self.type_text(&ty)),
                "",
            );
        }
        Ok(self.expr_of(
            ExprKind::Step {
                up,
                post,
                place: Box::new(place),
            },
            ty,
            span,
        ))
    }

    pub(super) fn binary(
        &mut self,
        node: &ast::BinaryOperatorExpression,
        span: Span,
    ) -> Lowered<Expr> {
        use BinaryOp as B;
        use ast::BinaryOperator as O;
        let op = match node.operator.node {
            O::Index => return self.index(node, span),
            O::LogicalAnd | O::LogicalOr => {
                let (a, b) = (self.condition(&node.lhs)?, self.condition(&node.rhs)?);
                let and = node.operator.node == O::LogicalAnd;
                return Ok(self.expr_of(
                    ExprKind::Logical(and, Box::new(a), Box::new(b)),
                    INT,
                    span,
                ));
            }
            O::Assign => {
                let place = self.place(&node.lhs)?;
                let value = self.rvalue(&node.rhs)?;
                let value = self.assigned(value, &place.ty)?;
                let ty = place.ty.clone();
                return Ok(self.expr_of(
                    ExprKind::Assign(Box::new(place), Box::new(value)),
                    ty,
                    span,
                ));
            }
            O::AssignMultiply => return self.compound(B::Mul, node, span),
            O::AssignDivide => return self.compound(B::Div, node, span),
            O::AssignModulo => return self.compound(B::Rem, node, span),
            O::AssignPlus => return self.compound(B::Add, node, span),
            O::AssignMinus => return self.compound(B::Sub, node, span),
            O::AssignShiftLeft => return self.compound(B::Shl, node, span),
            O::AssignShiftRight => return self.compound(B::Shr, node, span),
            O::AssignBitwiseAnd => return self.compound(B::BitAnd, node, span),
            O::AssignBitwiseXor => return self.compound(B::BitXor, node, span),
            O::AssignBitwiseOr => return self.compound(B::BitOr, node, span),
            O::Multiply => B::Mul,
            O::Divide => B::Div,
            O::Modulo => B::Rem,
            O::Plus => B::Add,
            O::Minus => B::Sub,
            O::ShiftLeft => B::Shl,
            O::ShiftRight => B::Shr,
            O::Less => B::Lt,
            O::Greater => B::Gt,
            O::LessOrEqual => B::Le,
            O::GreaterOrEqual => B::Ge,
            O::Equals => B::Eq,
            O::NotEquals => B::Ne,
            O::BitwiseAnd => B::BitAnd,
            O::BitwiseXor => B::BitXor,
            O::BitwiseOr => B::BitOr,
        };
        let (a, b) = (self.rvalue(&node.lhs)?, self.rvalue(&node.rhs)?);
        self.operator(op, a, b, span)
    }

    pub(super) fn operator(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Lowered<Expr> {
        use BinaryOp as B;
        let equality = matches!(op, B::Eq | B::Ne);
        let pointer = |ty: &Type| ty.is_pointer() || equality && ty.is_function_pointer();
        let (pointer_a, pointer_b) = (pointer(&a.ty), pointer(&b.ty));
        let make = |this: &Self, a: Expr, b: Expr, ty: Type| {
            this.expr_of(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
        };
        match op {
            B::Add | B::Sub if pointer_a && b.ty.is_int() => {
                let ty = a.ty.clone();
                return Ok(make(self, a, b, ty));
            }
            B::Add if pointer_b && a.ty.is_int() => {
                let ty = b.ty.clone();
                return Ok(make(self, b, a, ty));
            }
            B::Sub if pointer_a && pointer_b => {
                return Ok(make(self, a, b, Type::Int(IntKind::Long)));
            }
            _ if op.is_comparison() && (a.ty == Type::Stream || b.ty == Type::Stream) => {
                let (a, b) = (
                    self.assigned(a, &Type::Stream)?,
                    self.assigned(b, &Type::Stream)?,
                );
                return Ok(make(self, a, b, INT));
            }
            _ if op.is_comparison() && (pointer_a || pointer_b) => {
                let (a, b) = if pointer_a && is_null(&b) {
                    let ty = a.ty.clone();
                    (a, self.implicit(b, &ty))
                } else if pointer_b && is_null(&a) {
                    let ty = b.ty.clone();
                    (self.implicit(a, &ty), b)
                } else if pointer_a && pointer_b {
                    (a, b)
                } else {
                    return fail(
                        codes::TYPE_ERROR,
                        span,
                        "a pointer is compared with a number",
                        "compare it with `NULL`",
                    );
                };
                return Ok(make(self, a, b, INT));
            }
            B::Shl | B::Shr if a.ty.is_int() && b.ty.is_int() => {
                let (left, right) = (a.ty.promoted(), b.ty.promoted());
                let (a, b) = (self.implicit(a, &left), self.implicit(b, &right));
                return Ok(make(self, a, b, left));
            }
            _ => {}
        }
        let (a, b, ty) = self.balanced(a, b, span)?;
        let integers_only = matches!(
            op,
            B::Rem | B::Shl | B::Shr | B::BitAnd | B::BitOr | B::BitXor
        );
        if integers_only && !ty.is_int() {
            return fail(
                codes::TYPE_ERROR,
                span,
                format!(
                    "`{}` is not defined on `{}`",
                    op.text(),
                    self.type_text(&ty)
                ),
                "",
            );
        }
        let result = if op.is_comparison() { INT } else { ty };
        Ok(make(self, a, b, result))
    }

    pub(super) fn compound(
        &mut self,
        op: BinaryOp,
        node: &ast::BinaryOperatorExpression,
        span: Span,
    ) -> Lowered<Expr> {
        let place = self.place(&node.lhs)?;
        let value = self.rvalue(&node.rhs)?;
        let ty = place.ty.clone();
        let (value, common) = if ty.is_pointer()
            && value.ty.is_int()
            && matches!(op, BinaryOp::Add | BinaryOp::Sub)
        {
            (value, ty.clone())
        } else if matches!(op, BinaryOp::Shl | BinaryOp::Shr) && ty.is_int() && value.ty.is_int() {
            let promoted = value.ty.promoted();
            (self.implicit(value, &promoted), ty.promoted())
        } else {
            let integers_only = matches!(
                op,
                BinaryOp::Rem
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::Shl
                    | BinaryOp::Shr
            );
            match common(&ty, &value.ty).filter(|c| c.is_int() || !integers_only) {
                Some(common) => (self.implicit(value, &common), common),
                None => {
                    let message = format!(
                        "`{}=` is not defined on `{}` and `{}`",
                        op.text(),
                        self.type_text(&ty),
                        self.type_text(&value.ty)
                    );
                    return fail(codes::TYPE_ERROR, span, message, "");
                }
            }
        };
        let kind = ExprKind::Compound {
            op,
            place: Box::new(place),
            value: Box::new(value),
            common,
        };
        Ok(self.expr_of(kind, ty, span))
    }
}

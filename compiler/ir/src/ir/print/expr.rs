//! The text of expressions, places and indices.

use super::Printer;
use crate::ir::{
    Arm, Check, Expr, ExprKind, Index, Length, Literal, MatchRange, Place, Projection, Root,
    Scalar, Type, UnaryOp,
};

impl Printer<'_> {
    pub(super) fn expr_text(&mut self, e: &Expr) -> String {
        let before = std::mem::take(&mut self.out);
        self.expr(e);
        std::mem::replace(&mut self.out, before)
    }

    /// An operand: in parentheses where it has operators of its own.
    fn operand(&mut self, e: &Expr) {
        let atom = matches!(
            e.kind,
            ExprKind::Literal(_)
                | ExprKind::Load(_)
                | ExprKind::Len(_)
                | ExprKind::Method(..)
                | ExprKind::Call(..)
                | ExprKind::Array(_)
                | ExprKind::Tuple(_)
                | ExprKind::Opaque(_)
        );
        if !atom {
            self.push("(");
        }
        self.expr(e);
        if !atom {
            self.push(")");
        }
    }

    fn list(&mut self, parts: &[Expr]) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.expr(part);
        }
    }

    fn infix(&mut self, a: &Expr, symbol: &str, b: &Expr) {
        self.operand(a);
        self.push(format_args!(" {symbol} "));
        self.operand(b);
    }

    pub(super) fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Literal(literal) => self.literal(literal, &e.ty),
            ExprKind::Load(place) => self.place(place),
            ExprKind::Len(id) => {
                let array = self.root(Root::Array(*id));
                self.push(format_args!("{array}.len()"));
            }
            ExprKind::Unary(op, e) => {
                self.push(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                });
                self.operand(e);
            }
            ExprKind::Binary(op, a, b) => self.infix(a, op.symbol(), b),
            ExprKind::And(a, b) => self.infix(a, "&&", b),
            ExprKind::Or(a, b) => self.infix(a, "||", b),
            ExprKind::Cast(value) => {
                self.operand(value);
                self.push(format_args!(" as {}", e.ty));
            }
            ExprKind::Method(method, parts) => {
                if let Some((receiver, rest)) = parts.split_first() {
                    self.operand(receiver);
                    self.push(format_args!(".{}(", method.name()));
                    self.list(rest);
                    self.push(")");
                }
            }
            ExprKind::Call(id, parts) => {
                match self.lp.functions.get(id.0 as usize) {
                    Some(function) => self.push(&function.name),
                    None => self.push(format_args!("<function {}>", id.0)),
                }
                self.push("(");
                self.list(parts);
                self.push(")");
            }
            ExprKind::If(condition, then, otherwise) => {
                self.push("if ");
                self.expr(condition);
                self.push(" ");
                self.block(then);
                if let Some(block) = otherwise {
                    self.push(" else ");
                    self.block(block);
                }
            }
            ExprKind::Match(scrutinee, arms) => {
                self.push("match ");
                self.expr(scrutinee);
                self.push(" {\n");
                self.depth += 1;
                for arm in arms {
                    self.arm(arm);
                }
                self.depth -= 1;
                self.indent();
                self.push("}");
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Array(parts) => {
                self.push("[");
                self.list(parts);
                self.push("]");
            }
            ExprKind::Repeat(value) => {
                self.push("[");
                self.expr(value);
                match &e.ty {
                    Type::Array(_, Length::Known(n)) => self.push(format_args!("; {n}]")),
                    Type::Array(_, Length::Captured(id)) => {
                        let n = self.var(*id);
                        self.push(format_args!("; {n}]"));
                    }
                    _ => self.push("; _]"),
                }
            }
            ExprKind::Tuple(parts) => {
                self.push("(");
                self.list(parts);
                self.push(if parts.len() == 1 { ",)" } else { ")" });
            }
            ExprKind::Struct(parts) => {
                self.push(format_args!("{} {{ ", e.ty));
                self.list(parts);
                self.push(" }");
            }
            ExprKind::Continue(None) => self.push("continue"),
            ExprKind::Continue(Some(label)) => self.push(format_args!("continue 'l{}", label.0)),
            ExprKind::Break(label, value) => {
                self.push(format_args!("break 'l{}", label.0));
                if let Some(value) = value {
                    self.push(" ");
                    self.expr(value);
                }
            }
            ExprKind::Loop(label, block) => {
                self.push(format_args!("'l{}: loop ", label.0));
                self.block(block);
            }
            ExprKind::Return(value) => {
                self.push("return");
                if let Some(value) = value {
                    self.push(" ");
                    self.expr(value);
                }
            }
            ExprKind::Panic(message) => self.push(format_args!("panic!({message:?})")),
            ExprKind::Opaque(opaque) => {
                self.push(if opaque.impure {
                    "opaque!(impure, "
                } else {
                    "opaque!("
                });
                self.push(format_args!("{:?}", opaque.why));
                let arrays = opaque.arrays.iter().map(|&id| self.root(Root::Array(id)));
                let vars = opaque.vars.iter().map(|&id| self.var(id));
                let mentioned: Vec<String> = vars.chain(arrays).collect();
                if !mentioned.is_empty() {
                    self.push(format_args!("; {}", mentioned.join(", ")));
                }
                if !opaque.parts.is_empty() {
                    self.push("; ");
                    self.list(&opaque.parts);
                }
                self.push(")");
            }
        }
    }

    fn arm(&mut self, arm: &Arm) {
        self.indent();
        let values: Vec<String> = arm.values.iter().map(range_text).collect();
        let values = if values.is_empty() {
            "_".to_string()
        } else {
            values.join(" | ")
        };
        match arm.binding {
            Some(id) => {
                let name = self.var(id);
                self.push(format_args!("{name} @ {values}"));
            }
            None => self.push(values),
        }
        if let Some(guard) = &arm.guard {
            self.push(" if ");
            self.expr(guard);
        }
        self.push(" => ");
        self.expr(&arm.body);
        self.push(",\n");
    }

    fn literal(&mut self, literal: &Literal, ty: &Type) {
        match literal {
            Literal::Bool(b) => self.push(b),
            Literal::Int(v) => self.push(format_args!("{v}_{ty}")),
            // An f32 is printed with its own digits, not with those of its widening.
            Literal::Float(v) if *ty == Type::Scalar(Scalar::F32) => {
                self.push(format_args!("{:?}_{ty}", *v as f32));
            }
            Literal::Float(v) => self.push(format_args!("{v:?}_{ty}")),
        }
    }

    pub(super) fn place(&mut self, place: &Place) {
        let root = self.root(place.root);
        self.push(root);
        for step in &place.path {
            match step {
                Projection::Index(index) => self.index(index),
                Projection::Field(n) => self.push(format_args!(".{n}")),
            }
        }
    }

    pub(super) fn index(&mut self, Index { index, base, check }: &Index) {
        self.push("[");
        match check {
            Check::Window(len) => {
                if let Some(base) = base {
                    self.operand(base);
                }
                self.push("..+");
                self.operand(len);
                self.push("][");
                self.expr(index);
            }
            Check::Dimension | Check::Never => {
                if let Some(base) = base {
                    self.operand(base);
                    self.push(" + ");
                }
                if matches!(check, Check::Never) {
                    self.push("#");
                }
                if base.is_some() || matches!(check, Check::Never) {
                    self.operand(index);
                } else {
                    self.expr(index);
                }
            }
        }
        self.push("]");
    }
}

fn range_text(range: &MatchRange) -> String {
    if range.first == range.last {
        range.first.to_string()
    } else {
        format!("{}..={}", range.first, range.last)
    }
}

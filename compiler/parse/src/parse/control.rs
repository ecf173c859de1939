//! `if`, `match`, inner loops, and the ways out of them.

use syn::spanned::Spanned;

use super::exits::Way;
use super::lower::{Frame, Lower};
use super::pattern::Binding;
use super::place::Val;
use crate::infer::Class;
use crate::ir::{
    Arm, Block, Expr, ExprKind, ForLoop, Literal, LoopLabel, Scalar, SourceId, StmtKind, Type,
    UnaryOp, VarKind,
};
use crate::syntax::without_parens;

impl Lower<'_> {
    pub(super) fn if_expr(&mut self, e: &syn::ExprIf) -> Expr {
        let source = self.source(e);
        let (cond, bindings) = self.condition(&e.cond);
        let then = self.block(|s| {
            s.bind_test(bindings);
            s.stmts(&e.then_branch)
        });
        let otherwise = e.else_branch.as_ref().map(|(_, e)| {
            self.block(|s| match &**e {
                syn::Expr::Block(b) if b.label.is_none() => s.stmts(&b.block),
                other => {
                    let value = s.expr(other);
                    if value.ty == Type::Unit {
                        s.push(StmtKind::Expr(value), source);
                        None
                    } else {
                        Some(value)
                    }
                }
            })
        });
        let ty = match &otherwise {
            None => Type::Unit,
            Some(otherwise) => self.joined(&[&then, otherwise]),
        };
        self.make(ExprKind::If(Box::new(cond), then, otherwise), ty, source)
    }

    /// The type of a value that comes from one of several blocks.
    fn joined(&mut self, blocks: &[&Block]) -> Type {
        let mut ty = None;
        for block in blocks {
            let Some(tail) = &block.tail else {
                if !diverges(block) {
                    ty.get_or_insert(Type::Unit);
                }
                continue;
            };
            if tail.ty == Type::Never {
                continue;
            }
            match &ty {
                None => ty = Some(tail.ty.clone()),
                Some(first) => {
                    let first = first.clone();
                    self.infer.unify(&first, &tail.ty);
                }
            }
        }
        ty.unwrap_or(Type::Never)
    }

    /// A condition, with `let`s in it: what they bind holds where the condition is true.
    pub(super) fn condition(&mut self, e: &syn::Expr) -> (Expr, Vec<Binding>) {
        let mut terms = Vec::new();
        split_and(e, &mut terms);
        if !terms.iter().any(|t| matches!(t, syn::Expr::Let(_))) {
            return (self.expr(e), Vec::new());
        }
        let source = self.source(e);
        let last = terms.len() - 1;
        let mut cond: Option<Expr> = None;
        let mut bindings = Vec::new();
        for (i, term) in terms.into_iter().enumerate() {
            let next = match term {
                syn::Expr::Let(l) => {
                    let val = self.val(&l.expr);
                    let val = self.alias_once(val);
                    let mut test = self.test(&l.pat, val);
                    if self.hands_out(&l.expr) {
                        test.hands_out();
                    }
                    if i < last && !test.bindings.is_empty() {
                        // The terms behind it see the names before the block does.
                        let source = self.source(&l.pat);
                        for (name, _) in test.bindings.iter().map(Binding::parts) {
                            let opaque = self.opaque_expr(
                                "a name bound in the middle of a condition",
                                Some("write nested `if let`s"),
                                source,
                            );
                            self.bind_name(name, Val::Expr(opaque));
                        }
                        let mut opaque =
                            self.opaque_expr("a `let` in the middle of a condition", None, source);
                        opaque.ty = Type::Scalar(Scalar::Bool);
                        Some(opaque)
                    } else {
                        bindings = test.bindings;
                        test.cond
                    }
                }
                other => Some(self.expr(other)),
            };
            cond = match (cond, next) {
                (Some(a), Some(b)) => Some(self.make(
                    ExprKind::And(Box::new(a), Box::new(b)),
                    Scalar::Bool,
                    source,
                )),
                (a, b) => a.or(b),
            };
        }
        let always = self.make(ExprKind::Literal(Literal::Bool(true)), Scalar::Bool, source);
        (cond.unwrap_or(always), bindings)
    }

    pub(super) fn match_expr(&mut self, e: &syn::ExprMatch) -> Expr {
        let source = self.source(e);
        let val = self.val(&e.expr);
        let arms: Vec<(&syn::Pat, Option<&syn::Expr>, &syn::Expr)> = e
            .arms
            .iter()
            .map(|arm| match &arm.pat {
                syn::Pat::Guard(g) => (&*g.pat, Some(&*g.guard), &*arm.body),
                pat => (pat, None, &*arm.body),
            })
            .collect();
        let ranges: Option<Vec<_>> = arms
            .iter()
            .map(|(pat, _, _)| self.match_ranges(pat))
            .collect();
        match (ranges, &val) {
            // Without a value to compare with nothing says that it is an integer.
            (Some(ranges), Val::Expr(_) | Val::Place(..) | Val::Outer(..))
                if ranges.iter().any(|(values, _)| !values.is_empty()) =>
            {
                let scrutinee = self.value(val, source);
                self.integer_match(scrutinee, &arms, ranges, source)
            }
            _ => {
                let val = self.alias_once(val);
                let handed = self.hands_out(&e.expr);
                self.match_chain(&val, handed, &arms, source)
            }
        }
    }

    fn integer_match(
        &mut self,
        scrutinee: Expr,
        arms: &[(&syn::Pat, Option<&syn::Expr>, &syn::Expr)],
        ranges: Vec<(Vec<crate::ir::MatchRange>, Option<syn::PatIdent>)>,
        source: SourceId,
    ) -> Expr {
        if self.infer.class(&scrutinee.ty) == Some(Class::Any)
            && ranges.iter().any(|(r, _)| !r.is_empty())
        {
            let int = self.infer.fresh(Class::Int);
            self.infer.unify(&scrutinee.ty, &int);
        }
        let mut lowered = Vec::new();
        for ((_, guard, body), (values, name)) in arms.iter().zip(ranges) {
            let mut binding = None;
            let mut lowered_guard = None;
            let block = self.block(|s| {
                if let Some(p) = &name {
                    let source = s.source(&p.ident);
                    let var = s.var(
                        p.ident.to_string(),
                        scrutinee.ty.clone(),
                        VarKind::Local,
                        source,
                    );
                    s.bind_var(p.ident.to_string(), var);
                    binding = Some(var);
                }
                if let Some(guard) = guard {
                    let block = s.block(|s| Some(s.expr(guard)));
                    let source = s.source(*guard);
                    lowered_guard = Some(s.block_value(block, Scalar::Bool.into(), source));
                }
                s.tail(body)
            });
            lowered.push((values, binding, lowered_guard, block));
        }
        let blocks: Vec<&Block> = lowered.iter().map(|(_, _, _, block)| block).collect();
        let ty = self.joined(&blocks);
        let arms = lowered
            .into_iter()
            .map(|(values, binding, guard, block)| {
                let body_ty = block.tail.as_ref().map_or(Type::Unit, |t| t.ty.clone());
                Arm {
                    values,
                    binding,
                    guard,
                    body: self.block_value(block, body_ty, source),
                }
            })
            .collect();
        self.make(ExprKind::Match(Box::new(scrutinee), arms), ty, source)
    }

    /// A `match` on anything else: `if` after `if`. The last arm applies where no other does.
    fn match_chain(
        &mut self,
        val: &Val,
        handed: bool,
        arms: &[(&syn::Pat, Option<&syn::Expr>, &syn::Expr)],
        source: SourceId,
    ) -> Expr {
        let Some(((pat, guard, body), rest)) = arms.split_first() else {
            return self.make(
                ExprKind::Panic("no arm of a match applies".into()),
                Type::Never,
                source,
            );
        };
        let mut test = self.test(pat, val.clone());
        if handed {
            test.hands_out();
        }
        if rest.is_empty() {
            let block = self.block(|s| {
                s.bind_test(test.bindings);
                s.tail(body)
            });
            let ty = block.tail.as_ref().map_or(Type::Unit, |t| t.ty.clone());
            return self.block_value(block, ty, source);
        }
        let always = self.make(ExprKind::Literal(Literal::Bool(true)), Scalar::Bool, source);
        let names: Vec<(String, Val)> = test.bindings.iter().map(Binding::parts).collect();
        let mut cond = test.cond.unwrap_or(always);
        if let Some(guard) = guard {
            // The guard sees the pattern's names as the places they were taken from.
            let block = self.block(|s| {
                for (name, val) in names {
                    s.bind_name(name, val);
                }
                Some(s.expr(guard))
            });
            let guard = self.block_value(block, Scalar::Bool.into(), source);
            cond = self.make(
                ExprKind::And(Box::new(cond), Box::new(guard)),
                Scalar::Bool,
                source,
            );
        }
        let then = self.block(|s| {
            s.bind_test(test.bindings);
            s.tail(body)
        });
        let otherwise = self.block(|s| {
            let value = s.match_chain(val, handed, rest, source);
            if value.ty == Type::Unit {
                s.push(StmtKind::Expr(value), source);
                None
            } else {
                Some(value)
            }
        });
        let ty = self.joined(&[&then, &otherwise]);
        self.make(
            ExprKind::If(Box::new(cond), then, Some(otherwise)),
            ty,
            source,
        )
    }

    /// The value of a body that is a block or an expression.
    fn tail(&mut self, body: &syn::Expr) -> Option<Expr> {
        match body {
            syn::Expr::Block(b) if b.label.is_none() => self.stmts(&b.block),
            other => {
                let value = self.expr(other);
                let empty = matches!(&value.kind, ExprKind::Block(b) if b.stmts.is_empty() && b.tail.is_none());
                (!empty).then_some(value)
            }
        }
    }

    /// A block as an expression.
    fn block_value(&self, block: Block, ty: Type, source: SourceId) -> Expr {
        match (block.stmts.is_empty(), block.tail) {
            (true, Some(tail)) => *tail,
            (_, tail) => self.make(ExprKind::Block(Block { tail, ..block }), ty, source),
        }
    }

    // Loops inside the body.

    fn enter(&mut self, label: &Option<syn::Label>, value: Option<Type>) -> LoopLabel {
        let target = LoopLabel(self.next_label);
        self.next_label += 1;
        self.frames.push(Frame {
            label: label.as_ref().map(|l| l.name.ident.to_string()),
            target: Some(target),
            value,
            is_block: false,
        });
        target
    }

    pub(super) fn for_loop(&mut self, e: &syn::ExprForLoop) -> Expr {
        let source = self.source(&e.for_token);
        let chain = super::iteration::chain(&e.expr).ok();
        let lent = chain.as_ref().map(super::iteration::lent);
        let space = chain.and_then(|chain| self.inner_space(&chain));
        let (count, space) = match space {
            Some(space) => (self.freeze(space.count.clone(), "count"), Some(space)),
            None => {
                let mut count = self.opaque(&e.expr, "an iterator that has no positions", None);
                count.ty = Type::Scalar(Scalar::Usize);
                (count, None)
            }
        };
        let position = self.var(
            "position",
            Type::Scalar(Scalar::Usize),
            VarKind::Local,
            source,
        );
        let label = self.enter(&e.label, None);
        self.inner.insert(std::ptr::from_ref(e), label);
        let body = self.block(|s| {
            match space {
                Some(space) => {
                    let position = s.load(position, source);
                    let item = s.item(&space.item, position, source);
                    match lent.filter(|_| super::local_array::is_mutable(&e.expr)) {
                        Some(lent) => s.bind_elements(&e.pat, item, &lent),
                        None => s.bind(&e.pat, item),
                    }
                }
                None => {
                    let item =
                        s.opaque_expr("an item of an iterator that has no positions", None, source);
                    s.bind(&e.pat, Val::Expr(item));
                }
            }
            s.block_body(&e.body)
        });
        self.frames.pop();
        self.push(
            StmtKind::For(ForLoop {
                label,
                position,
                count,
                body,
            }),
            source,
        );
        self.unit(source)
    }

    /// A loop's body: its value is unit, or never comes.
    fn block_body(&mut self, block: &syn::Block) -> Option<Expr> {
        if let Some(tail) = self.stmts(block) {
            let source = tail.source;
            self.push(StmtKind::Expr(tail), source);
        }
        None
    }

    pub(super) fn while_loop(&mut self, e: &syn::ExprWhile) -> Expr {
        let source = self.source(&e.while_token);
        let label = self.enter(&e.label, None);
        if binds(&e.cond) {
            // What the condition binds is there in the body: it stands in that, and leaves the loop where it does not hold.
            let body = self.block(|s| {
                let (cond, bindings) = s.condition(&e.cond);
                let kind = ExprKind::Unary(UnaryOp::Not, Box::new(cond));
                let not = s.make(kind, Scalar::Bool, source);
                let leave =
                    s.block(|s| Some(s.make(ExprKind::Break(label, None), Type::Never, source)));
                let kind = ExprKind::If(Box::new(not), leave, None);
                let leave = s.make(kind, Type::Unit, source);
                s.push(StmtKind::Expr(leave), source);
                s.bind_test(bindings);
                s.block_body(&e.body)
            });
            self.frames.pop();
            return self.make(ExprKind::Loop(label, body), Type::Unit, source);
        }
        let cond = self.block(|s| Some(s.condition(&e.cond).0));
        let cond = self.block_value(cond, Scalar::Bool.into(), source);
        let body = self.block(|s| s.block_body(&e.body));
        self.frames.pop();
        self.push(StmtKind::While(label, cond, body), source);
        self.unit(source)
    }

    pub(super) fn loop_expr(&mut self, e: &syn::ExprLoop) -> Expr {
        let source = self.source(&e.loop_token);
        let value = self.infer.fresh(Class::Any);
        let label = self.enter(&e.label, Some(value.clone()));
        let body = self.block(|s| s.block_body(&e.body));
        self.frames.pop();
        let ty = match breaks(&body, label) {
            Breaks::Never => Type::Never,
            Breaks::Unit => Type::Unit,
            Breaks::Value => value,
        };
        self.make(ExprKind::Loop(label, body), ty, source)
    }

    /// `'label: { … }`: a loop that is left at its end.
    pub(super) fn labelled_block(&mut self, e: &syn::ExprBlock) -> Expr {
        let source = self.source(&e.block);
        let value = self.infer.fresh(Class::Any);
        let label = self.enter(&e.label, Some(value.clone()));
        if let Some(frame) = self.frames.last_mut() {
            frame.is_block = true;
        }
        let mut body = self.block(|s| s.stmts(&e.block));
        self.frames.pop();
        let leave = match body.tail.take() {
            Some(tail) if tail.ty == Type::Never => Some(*tail),
            Some(tail) => {
                self.infer.unify(&value, &tail.ty);
                let kind = ExprKind::Break(label, Some(tail));
                Some(self.make(kind, Type::Never, source))
            }
            None if diverges(&body) => None,
            None => Some(self.make(ExprKind::Break(label, None), Type::Never, source)),
        };
        body.stmts.extend(leave.map(|leave| crate::ir::Stmt {
            kind: StmtKind::Expr(leave),
            source,
        }));
        let ty = match breaks(&body, label) {
            Breaks::Never => Type::Never,
            Breaks::Unit => Type::Unit,
            Breaks::Value => value,
        };
        self.make(ExprKind::Loop(label, body), ty, source)
    }

    pub(super) fn break_expr(&mut self, e: &syn::ExprBreak) -> Expr {
        let source = self.source(e);
        let value = e.expr.as_ref().map(|e| self.expr(e));
        let frame = self.frame(e.label.as_ref());
        match frame.and_then(|frame| Some((frame.target?, frame))) {
            Some((target, frame)) => {
                if let (Some(value), Some(ty)) = (&value, &frame.value) {
                    self.infer.unify(ty, &value.ty);
                }
                self.make(
                    ExprKind::Break(target, value.map(Box::new)),
                    Type::Never,
                    source,
                )
            }
            None => {
                self.leaves(Way::Break, e.break_token.span());
                self.make(ExprKind::Continue(None), Type::Never, source)
            }
        }
    }

    pub(super) fn continue_expr(&mut self, e: &syn::ExprContinue) -> Expr {
        let source = self.source(e);
        match self.frame(e.label.as_ref()) {
            Some(frame) => self.make(ExprKind::Continue(frame.target), Type::Never, source),
            None => {
                self.leaves(Way::Continue, e.continue_token.span());
                self.make(ExprKind::Continue(None), Type::Never, source)
            }
        }
    }

    pub(super) fn return_expr(&mut self, r: &syn::ExprReturn) -> Expr {
        let source = self.source(r);
        if self.within.is_some() {
            let value = r.expr.as_ref().map(|e| self.expr(e));
            if let (Some(value), Some(ty)) = (&value, self.output.clone()) {
                self.infer.unify(&ty, &value.ty);
            }
            return self.make(ExprKind::Return(value.map(Box::new)), Type::Never, source);
        }
        self.leaves(Way::Return, r.return_token.span());
        self.make(ExprKind::Continue(None), Type::Never, source)
    }

    pub(super) fn frame(&self, label: Option<&syn::Lifetime>) -> Option<Frame> {
        match label {
            None => self.frames.iter().rev().find(|f| !f.is_block).cloned(),
            Some(label) => {
                let name = label.ident.to_string();
                self.frames
                    .iter()
                    .rev()
                    .find(|f| f.label.as_deref() == Some(&name))
                    .cloned()
            }
        }
    }
}

/// The terms of `a && b && c`.
fn split_and<'a>(e: &'a syn::Expr, out: &mut Vec<&'a syn::Expr>) {
    match e {
        syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
            split_and(&b.left, out);
            split_and(&b.right, out);
        }
        other => out.push(other),
    }
}

/// Whether the last statement of a block never finishes.
fn diverges(block: &Block) -> bool {
    matches!(block.stmts.last().map(|s| &s.kind), Some(StmtKind::Expr(e)) if e.ty == Type::Never)
}

enum Breaks {
    Never,
    Unit,
    Value,
}

/// How a `loop` is left.
fn breaks(block: &Block, label: LoopLabel) -> Breaks {
    use crate::ir::visit::Visit;
    struct Finder(LoopLabel, Breaks);
    impl Visit for Finder {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::Break(label, value) = &expr.kind
                && *label == self.0
            {
                self.1 = match value {
                    Some(_) => Breaks::Value,
                    None => Breaks::Unit,
                };
            }
            self.expr_parts(expr);
        }
    }
    let mut finder = Finder(label, Breaks::Never);
    finder.block(block);
    finder.1
}

/// Whether a condition has a pattern, `let PAT = value`.
fn binds(cond: &syn::Expr) -> bool {
    match without_parens(cond) {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(of) => binds(&of.left) || binds(&of.right),
        _ => false,
    }
}

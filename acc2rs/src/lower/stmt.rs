//! Statements (C11 6.8), with the directives before them.

use lang_c::ast;
use lang_c::span::Node;

use super::{Lowered, Lowerer, fail};
use crate::codes;
use crate::ctypes::Type;
use crate::diag::Diagnostic;
use crate::directive::{Directive, DirectiveKind};
use crate::source::Span;
use crate::typed::{Arm, Block, Comment, Expr, Stmt, StmtKind, consts};

impl Lowerer<'_> {
    /// The items between braces; the scope is the caller's.
    pub(super) fn items(
        &mut self,
        items: &[Node<ast::BlockItem>],
        braces: lang_c::span::Span,
    ) -> Block {
        let mut stmts = Vec::new();
        for item in items {
            match &item.node {
                ast::BlockItem::Declaration(d) => {
                    let (alone, attached) = self.directives(item.span.start);
                    stmts.extend(alone);
                    if let Some(first) = attached.first() {
                        self.misplaced(first, "a declaration");
                    }
                    let span = self.span(item.span);
                    let comments = self.margin.comments_before(self.sources, span);
                    let vars = self.declaration(d, &[]);
                    if let Some(vars) = self.or_report(vars) {
                        let comments = self.with_trailing(comments, span);
                        stmts.push(Stmt {
                            kind: StmtKind::Decl(vars),
                            span,
                            directives: Vec::new(),
                            comments,
                        });
                    }
                }
                ast::BlockItem::StaticAssert(_) => {}
                ast::BlockItem::Statement(s) => self.statement_into(s, &mut stmts),
            }
        }
        let end = braces.end.saturating_sub(1);
        let (alone, attached) = self.directives(end);
        stmts.extend(alone);
        if let Some(first) = attached.first() {
            self.misplaced(first, "the end of a block");
        }
        let trailing = self.margin.comments_inside(self.sources, self.span(braces));
        Block { stmts, trailing }
    }

    fn with_trailing(&mut self, mut comments: Vec<Comment>, span: Span) -> Vec<Comment> {
        comments.extend(self.margin.comments_behind(self.sources, span));
        comments
    }

    /// The directives before an offset: those that stand alone as statements, and those that belong
    /// to what follows.
    fn directives(&mut self, before: usize) -> (Vec<Stmt>, Vec<Directive<Expr>>) {
        let (mut alone, mut attached) = (Vec::new(), Vec::new());
        for written in self
            .margin
            .directives_before((before as i64 + self.shift).max(0) as usize)
        {
            let span = written.span;
            let Some(directive) = self.directive(&written) else {
                continue;
            };
            if directive.kind.takes_statement() {
                attached.push(directive);
            } else {
                let comments = self.margin.comments_before(self.sources, span);
                let kind = StmtKind::Directive(Box::new(directive));
                alone.push(Stmt {
                    kind,
                    span,
                    directives: Vec::new(),
                    comments,
                });
            }
        }
        (alone, attached)
    }

    fn misplaced(&mut self, directive: &Directive<Expr>, before: &str) {
        let message = format!("`acc {}` before {before}", directive.kind);
        let help = match directive.kind {
            k if k.is_loop() => "it belongs right before a `for`",
            DirectiveKind::Atomic(_) => "it belongs right before the statement that updates",
            _ => "it belongs before a statement or a block",
        };
        self.report(
            Diagnostic::new(codes::MISPLACED_DIRECTIVE, directive.span, message).help(help),
        );
    }

    fn statement_into(&mut self, node: &Node<ast::Statement>, out: &mut Vec<Stmt>) {
        let (alone, attached) = self.directives(node.span.start);
        out.extend(alone);
        let span = self.span(node.span);
        let mut comments = self.margin.comments_before(self.sources, span);
        let kind = self.statement_kind(node);
        let Some(kind) = self.or_report(kind) else {
            return;
        };
        let nested = matches!(
            kind,
            StmtKind::Block(_)
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::Switch { .. }
        );
        if !nested {
            comments = self.with_trailing(comments, span);
        }
        for directive in &attached {
            let fits = match directive.kind {
                k if k.is_loop() => matches!(kind, StmtKind::For { .. }),
                DirectiveKind::Atomic(crate::directive::AtomicKind::Capture) => {
                    matches!(kind, StmtKind::Expr(_) | StmtKind::Block(_))
                }
                DirectiveKind::Atomic(_) => {
                    matches!(&kind, StmtKind::Expr(_))
                        || matches!(&kind, StmtKind::Block(b) if b.stmts.len() == 1)
                }
                _ => true,
            };
            if !fits {
                self.misplaced(directive, what(&kind));
            }
        }
        out.push(Stmt {
            kind,
            span,
            directives: attached,
            comments,
        });
    }

    /// A statement that is the body of another.
    fn body(&mut self, node: &Node<ast::Statement>) -> Box<Stmt> {
        let mut stmts = Vec::new();
        self.statement_into(node, &mut stmts);
        let span = self.span(node.span);
        Box::new(match stmts.len() {
            1 => stmts.remove(0),
            0 => Stmt {
                kind: StmtKind::Empty,
                span,
                directives: Vec::new(),
                comments: Vec::new(),
            },
            _ => Stmt {
                kind: StmtKind::Block(Block {
                    stmts,
                    trailing: Vec::new(),
                }),
                span,
                directives: Vec::new(),
                comments: Vec::new(),
            },
        })
    }

    fn statement_kind(&mut self, node: &Node<ast::Statement>) -> Lowered<StmtKind> {
        use ast::Statement as S;
        let span = self.span(node.span);
        Ok(match &node.node {
            S::Labeled(label) => match &label.node.label.node {
                ast::Label::Identifier(_) => {
                    return fail(
                        codes::GOTO,
                        span,
                        "a label is not translated",
                        "replace the `goto` by a loop with `break` or `continue`",
                    );
                }
                _ => {
                    return fail(
                        codes::UNSUPPORTED_STATEMENT,
                        span,
                        "a `case` inside another statement",
                        "move it to the top level of the `switch`",
                    );
                }
            },
            S::Compound(items) => StmtKind::Block(self.scoped(|this| this.items(items, node.span))),
            S::Expression(None) => StmtKind::Empty,
            S::Expression(Some(e)) => StmtKind::Expr(self.rvalue(e)?),
            S::If(test) => {
                let cond = self.condition(&test.node.condition);
                let then = self.body(&test.node.then_statement);
                let otherwise = test.node.else_statement.as_ref().map(|s| self.body(s));
                StmtKind::If {
                    cond: cond?,
                    then,
                    otherwise,
                }
            }
            S::Switch(switch) => self.switch(&switch.node)?,
            S::While(w) => {
                let cond = self.condition(&w.node.expression);
                let body = self.body(&w.node.statement);
                StmtKind::While { cond: cond?, body }
            }
            S::DoWhile(w) => {
                let body = self.body(&w.node.statement);
                let cond = self.condition(&w.node.expression)?;
                StmtKind::DoWhile { body, cond }
            }
            S::For(f) => self.scoped(|this| this.for_loop(&f.node))?,
            S::Goto(_) => {
                return fail(
                    codes::GOTO,
                    span,
                    "`goto` is not translated",
                    "use a loop with `break` or `continue`, or a function with `return`",
                );
            }
            S::Continue => StmtKind::Continue,
            S::Break => StmtKind::Break,
            S::Return(value) => {
                let ret = self
                    .function
                    .map_or(Type::Void, |f| self.program.function(f).ty.ret.clone());
                let value = match value {
                    Some(e) => {
                        let value = self.rvalue(e)?;
                        Some(if ret == Type::Void {
                            value
                        } else {
                            self.assigned(value, &ret)?
                        })
                    }
                    None => None,
                };
                let gives = value.as_ref().is_some_and(|e| e.ty != Type::Void);
                match (gives, ret == Type::Void) {
                    (true, true) => {
                        return fail(
                            codes::TYPE_ERROR,
                            span,
                            "a `return` gives a value in a function that has none",
                            "leave the value out, or give the function its type",
                        );
                    }
                    (false, false) => {
                        return fail(
                            codes::TYPE_ERROR,
                            span,
                            "a `return` gives no value in a function that has one",
                            "give the value that the caller is to get",
                        );
                    }
                    _ => {}
                }
                StmtKind::Return(value)
            }
            S::Asm(_) => {
                return fail(
                    codes::UNSUPPORTED_STATEMENT,
                    span,
                    "assembler is not translated",
                    "write it in C",
                );
            }
        })
    }

    fn for_loop(&mut self, node: &ast::ForStatement) -> Lowered<StmtKind> {
        let span = self.span(node.initializer.span);
        let plain = |kind| {
            Some(Box::new(Stmt {
                kind,
                span,
                directives: Vec::new(),
                comments: Vec::new(),
            }))
        };
        let init = match &node.initializer.node {
            ast::ForInitializer::Empty | ast::ForInitializer::StaticAssert(_) => Ok(None),
            ast::ForInitializer::Expression(e) => self.rvalue(e).map(|e| plain(StmtKind::Expr(e))),
            ast::ForInitializer::Declaration(d) => self
                .declaration(d, &[])
                .map(|vars| plain(StmtKind::Decl(vars))),
        };
        let cond = node
            .condition
            .as_ref()
            .map(|c| self.condition(c))
            .transpose();
        let step = node.step.as_ref().map(|s| self.rvalue(s)).transpose();
        let body = self.body(&node.statement);
        Ok(StmtKind::For {
            init: init?,
            cond: cond?,
            step: step?,
            body,
        })
    }

    fn switch(&mut self, node: &ast::SwitchStatement) -> Lowered<StmtKind> {
        let value = self.rvalue(&node.expression)?;
        if !value.ty.is_int() {
            return fail(
                codes::TYPE_ERROR,
                value.span,
                "a `switch` needs an integer",
                "",
            );
        }
        let ty = value.ty.promoted();
        let value = self.implicit(value, &ty);
        let body = &node.statement;
        let ast::Statement::Compound(items) = &body.node else {
            return fail(
                codes::UNSUPPORTED_STATEMENT,
                self.span(body.span),
                "a `switch` without braces",
                "put its cases into braces",
            );
        };
        let arms = self.scoped(|this| -> Lowered<Vec<Arm>> {
            let mut arms: Vec<Arm> = Vec::new();
            for item in items {
                let mut statement = match &item.node {
                    ast::BlockItem::Statement(s) => s,
                    _ => {
                        return fail(
                            codes::UNSUPPORTED_STATEMENT,
                            this.span(item.span),
                            "a declaration among the cases of a `switch`",
                            "move it before the `switch`",
                        );
                    }
                };
                let mut opened = false;
                while let ast::Statement::Labeled(label) = &statement.node {
                    if !opened && arms.last().is_none_or(|a| !a.body.is_empty()) {
                        arms.push(Arm {
                            cases: Vec::new(),
                            default: false,
                            body: Vec::new(),
                        });
                    }
                    opened = true;
                    if !this.label(&label.node.label, &ty, &mut arms)? {
                        break;
                    }
                    statement = &label.node.statement;
                }
                let Some(last) = arms.last_mut() else {
                    return fail(
                        codes::UNSUPPORTED_STATEMENT,
                        this.span(item.span),
                        "a statement before the first `case`",
                        "remove it: it is never reached",
                    );
                };
                let mut stmts = std::mem::take(&mut last.body);
                this.statement_into(statement, &mut stmts);
                if let Some(last) = arms.last_mut() {
                    last.body = stmts;
                }
            }
            Ok(arms)
        })?;
        let rest = self
            .margin
            .comments_inside(self.sources, self.span(body.span));
        drop(rest);
        Ok(StmtKind::Switch { value, arms })
    }

    /// Adds a label to the last arm; false if it is an ordinary label.
    fn label(&mut self, label: &Node<ast::Label>, ty: &Type, arms: &mut [Arm]) -> Lowered<bool> {
        let mut value = |node: &Node<ast::Expression>| -> Lowered<(i128, Expr)> {
            let e = self.rvalue(node)?;
            let e = self.implicit(e, ty);
            match consts::int_value(&e, &self.program) {
                Some(v) => Ok((v, e)),
                None => fail(codes::NOT_CONSTANT, e.span, "a `case` must be constant", ""),
            }
        };
        let Some(arm) = arms.last_mut() else {
            return Ok(false);
        };
        match &label.node {
            ast::Label::Case(e) => {
                let (v, e) = value(e)?;
                arm.cases.push((v, v, Some(e)));
            }
            ast::Label::CaseRange(range) => {
                let (low, high) = (value(&range.node.low)?.0, value(&range.node.high)?.0);
                arm.cases.push((low, high, None));
            }
            ast::Label::Default => arm.default = true,
            ast::Label::Identifier(_) => return Ok(false),
        }
        Ok(true)
    }
}

/// A statement's kind as a message names it.
fn what(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::Empty => "an empty statement",
        StmtKind::Decl(_) => "a declaration",
        StmtKind::Expr(_) => "an expression",
        StmtKind::Block(_) => "a block",
        StmtKind::If { .. } => "an `if`",
        StmtKind::While { .. } | StmtKind::DoWhile { .. } => "a `while`",
        StmtKind::For { .. } => "a `for`",
        StmtKind::Switch { .. } => "a `switch`",
        StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => "a jump",
        StmtKind::Directive(_) => "a directive",
    }
}

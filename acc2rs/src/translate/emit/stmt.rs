//! Statements.

use super::state::{Emit, Emitted, Frame, refuse};
use crate::codes;
use crate::ctypes::{Extent, Type};
use crate::source::Span;
use crate::translate::base::code::Code;
use crate::translate::memory::plan::Place;
use crate::translate::memory::shape::Shape;
use crate::typed::walk;
use crate::typed::{Block, Comment, Expr, ExprKind, Init, Stmt, StmtKind, VarId};

/// Comments as marker macros, which [`super::package`] turns into comments after formatting.
pub(super) fn comments(list: &[Comment]) -> String {
    let lines = list.iter().flat_map(|c| &c.lines);
    lines
        .map(|line| {
            format!(
                "__comment!({});\n",
                crate::translate::base::text::quoted(line)
            )
        })
        .collect()
}

/// What we say ourselves, as such marks: lines of some 90 characters.
pub(super) fn remark(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last().map_or(0, String::len);
        if last > 0 && last + word.len() >= 90 {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    comments(&[Comment {
        lines,
        trailing: false,
    }])
}

impl Emit<'_> {
    /// The statements of a block, without braces.
    pub(super) fn block(&mut self, block: &Block) -> Emitted<String> {
        let mut out = self.stmts(&block.stmts)?;
        out.push_str(&comments(&block.trailing));
        Ok(out)
    }

    /// A block whose last statement is its value.
    pub(super) fn block_value(&mut self, block: &Block) -> Emitted<String> {
        match block.stmts.split_last() {
            Some((
                Stmt {
                    kind: StmtKind::Expr(last),
                    ..
                },
                rest,
            )) if last.ty != Type::Void => {
                let rest = self.stmts(rest)?;
                Ok(format!("{{ {rest} {} }}", self.value(last)?.text))
            }
            _ => Ok(format!("{{ {} }}", self.block(block)?)),
        }
    }

    /// A list of statements; what comes after a jump is left out, since Rust warns of it.
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) -> Emitted<String> {
        let mut out = String::new();
        let mut at = 0;
        while let Some(stmt) = stmts.get(at) {
            let exchange = self.here.swaps.at(stmt.span).map(|(r, n)| (r.to_vec(), n));
            if let Some((ring, taken)) = exchange {
                out.push_str(&comments(&stmt.comments));
                for place in &ring {
                    let moves = |id: VarId| {
                        self.moves(id) || matches!(self.shapes.var(id), Some(Shape::Cursor { .. }))
                    };
                    if place.as_var().is_some_and(moves) {
                        return refuse(
                            codes::LOST_POINTER,
                            place.span,
                            "this position in an array is exchanged with another pointer",
                            "exchange pointers that hold memory of their own, or two that only name arrays",
                        );
                    }
                }
                for two in ring.windows(2) {
                    // Rows of one table.
                    if let (ExprKind::Index(table, i), ExprKind::Index(other, j)) =
                        (&two[0].kind, &two[1].kind)
                        && crate::translate::base::usage::same(table, other)
                    {
                        let table = self.pointer(table)?;
                        let (a, b) = (
                            self.advanced(table.clone(), i, false)?,
                            self.advanced(table, j, false)?,
                        );
                        let swap = a.base.method("swap", &[a.at(), b.at()]);
                        out.push_str(&format!("{};\n", swap.text));
                        continue;
                    }
                    let (a, b) = (self.place(&two[0])?, self.place(&two[1])?);
                    out.push_str(&format!(
                        "std::mem::swap(&mut {}, &mut {});\n",
                        a.text, b.text
                    ));
                }
                at += taken;
                continue;
            }
            out.push_str(&self.stmt(stmt)?);
            if self.diverges(stmt) {
                break;
            }
            at += 1;
        }
        Ok(out)
    }

    /// Whether control never comes out of a statement at its end.
    pub(super) fn diverges(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => true,
            StmtKind::Block(b) => b.stmts.iter().any(|s| self.diverges(s)),
            StmtKind::If {
                then,
                otherwise: Some(other),
                ..
            } => self.diverges(then) && self.diverges(other),
            StmtKind::Expr(e) => match &e.stripped().kind {
                ExprKind::Call { callee, .. } => {
                    let f = self.program.function(*callee);
                    f.body.is_none()
                        && matches!(
                            f.name.as_str(),
                            "exit" | "abort" | "_exit" | "__builtin_unreachable" | "__builtin_trap"
                        )
                }
                _ => false,
            },
            // Without a `break`, every arm ends in the last one or leaves before.
            StmtKind::Switch { arms, .. } => {
                arms.iter().any(|a| a.default)
                    && !arms.iter().flat_map(|a| &a.body).any(super::loops::breaks)
                    && arms
                        .last()
                        .is_some_and(|a| a.body.iter().any(|s| self.diverges(s)))
            }
            StmtKind::While { cond, body } => {
                crate::typed::consts::int_value(cond, self.program).is_some_and(|v| v != 0)
                    && !super::loops::breaks(body)
            }
            StmtKind::For {
                cond: None, body, ..
            } => !super::loops::breaks(body),
            _ => false,
        }
    }

    /// A statement with its comments and directives.
    pub(super) fn stmt(&mut self, stmt: &Stmt) -> Emitted<String> {
        let mut out = comments(&stmt.comments);
        if !stmt.directives.is_empty() {
            out.push_str(&self.region(stmt)?);
            return Ok(out);
        }
        out.push_str(&self.bare_loop(stmt)?);
        Ok(out)
    }

    /// A statement without regard to its directives.
    pub(super) fn plain(&mut self, stmt: &Stmt) -> Emitted<String> {
        Ok(match &stmt.kind {
            StmtKind::Empty => String::new(),
            StmtKind::Decl(vars) => {
                let mut out = String::new();
                for var in vars {
                    out.push_str(&self.declaration(*var)?);
                }
                out
            }
            StmtKind::Expr(e) => self.expression(e, stmt.span)?,
            StmtKind::Block(b) => {
                let inner = self.block(b)?;
                if inner.trim().is_empty() {
                    String::new()
                } else {
                    format!("{{\n{inner}}}\n")
                }
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => self.conditional(cond, then, otherwise.as_deref())?,
            StmtKind::While { cond, body } => self.while_loop(Some(cond), None, body)?,
            StmtKind::DoWhile { body, cond } => self.do_while(body, cond)?,
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => self.for_loop(stmt, init.as_deref(), cond.as_ref(), step.as_ref(), body)?,
            StmtKind::Switch { value, arms } => self.switch(value, arms)?,
            StmtKind::Break => self.jump(false, stmt.span)?,
            StmtKind::Continue => self.jump(true, stmt.span)?,
            StmtKind::Return(value) => self.return_(value.as_ref())?,
            StmtKind::Directive(directive) => self.standalone(directive)?,
        })
    }

    /// A nested statement as the content of braces.
    pub(super) fn inner(&mut self, stmt: &Stmt) -> Emitted<String> {
        match &stmt.kind {
            StmtKind::Block(b) if stmt.directives.is_empty() => {
                Ok(format!("{}{}", comments(&stmt.comments), self.block(b)?))
            }
            _ => self.stmt(stmt),
        }
    }

    fn expression(&mut self, e: &Expr, span: Span) -> Emitted<String> {
        // The declaration waits for this assignment.
        if let ExprKind::Assign(place, value) = &e.kind
            && let Some(id) = place.as_var()
            && self.here.plan.declared(id) == Place::At(span)
        {
            return self.declared_as(id, value);
        }
        // `a[i++] = v` is `a[i] = v; i += 1`.
        if let Some((plain, steps)) = self.hoisted(e) {
            let mut out = self.effect(&plain)?;
            for step in steps {
                out.push_str(&self.effect(&step)?);
            }
            return Ok(out);
        }
        self.effect(e)
    }

    /// An expression with its postfix steps taken out, where they are sure to be evaluated once
    /// and their variables stand nowhere else in it.
    fn hoisted(&self, e: &Expr) -> Option<(Expr, Vec<Expr>)> {
        let (ExprKind::Assign(..) | ExprKind::Compound { .. }) = &e.kind else {
            return None;
        };
        let mut steps: Vec<Expr> = Vec::new();
        let mut count: std::collections::HashMap<VarId, u32> = std::collections::HashMap::new();
        let mut branches = false;
        walk::parts(self.program, e, &mut |p| match &p.kind {
            ExprKind::Var(id) => *count.entry(*id).or_default() += 1,
            ExprKind::Step {
                post: true, place, ..
            } if place.as_var().is_some() => steps.push(p.clone()),
            ExprKind::Step { .. }
            | ExprKind::Logical(..)
            | ExprKind::Cond(..)
            | ExprKind::Comma(..)
            | ExprKind::Block(_) => branches = true,
            _ => {}
        });
        if steps.is_empty() || branches {
            return None;
        }
        let once = steps.iter().all(|s| matches!(&s.kind, ExprKind::Step { place, .. } if place.as_var().is_some_and(|id| count.get(&id) == Some(&1) && !crate::translate::base::places::is_global(self.program, id))));
        once.then(|| (without_steps(e), steps))
    }

    fn conditional(
        &mut self,
        cond: &Expr,
        then: &Stmt,
        otherwise: Option<&Stmt>,
    ) -> Emitted<String> {
        if otherwise.is_none()
            && let Some(kept) = self.kept_extreme(cond, then)?
        {
            return Ok(kept);
        }
        let cond_code = self.cond(cond)?;
        let then_text = self.inner(then)?;
        let other = match otherwise {
            None => String::new(),
            Some(other) => match &other.kind {
                StmtKind::If { .. } if other.directives.is_empty() && other.comments.is_empty() => {
                    format!(" else {}", self.stmt(other)?.trim_start())
                }
                _ => {
                    let text = self.inner(other)?;
                    if text.trim().is_empty() {
                        String::new()
                    } else {
                        format!(" else {{\n{text}}}\n")
                    }
                }
            },
        };
        Ok(format!("if {} {{\n{then_text}}}{other}\n", cond_code.text))
    }

    fn push(&mut self, step_first: Option<bool>) {
        let label = format!(
            "{}{}",
            if step_first.is_some() {
                "loop"
            } else {
                "switch"
            },
            self.here.frames.len() + 1
        );
        self.here.frames.push(Frame {
            step_first,
            label,
            break_label: step_first == Some(true),
            used_break: false,
            used_continue: false,
        });
    }

    /// A loop's body, and the frame with what jumped out of it.
    pub(super) fn body(&mut self, body: &Stmt, step_first: bool) -> Emitted<(String, Frame)> {
        self.push(Some(step_first));
        let text = self.inner(body);
        let frame = self.here.frames.pop();
        match frame {
            Some(frame) => Ok((text?, frame)),
            None => refuse(codes::BUG, body.span, "a loop lost its frame", ""),
        }
    }

    /// `switch` arms inside their frame.
    pub(super) fn framed<T>(
        &mut self,
        f: impl FnOnce(&mut Self) -> Emitted<T>,
    ) -> Emitted<(T, Option<Frame>)> {
        self.push(None);
        let out = f(self);
        let frame = self.here.frames.pop();
        Ok((out?, frame))
    }

    fn jump(&mut self, next: bool, at: Span) -> Emitted<String> {
        let Some(target) = self
            .here
            .frames
            .iter()
            .rposition(|f| f.step_first.is_some() || !next)
        else {
            return refuse(
                codes::UNSUPPORTED_STATEMENT,
                at,
                "a jump outside a loop",
                "",
            );
        };
        let inner = self.here.frames[target + 1..]
            .iter()
            .any(|f| f.step_first.is_none());
        let frame = &mut self.here.frames[target];
        if frame.step_first.is_none() {
            frame.used_break = true;
            return Ok(format!("break '{};\n", frame.label));
        }
        if next && frame.step_first == Some(true) {
            frame.used_continue = true;
            return Ok(format!("break 'next_{};\n", frame.label));
        }
        // Inside a labelled block, Rust asks for the loop's label.
        if inner || frame.break_label {
            frame.used_break = true;
            return Ok(format!(
                "{} '{};\n",
                if next { "continue" } else { "break" },
                frame.label
            ));
        }
        Ok(if next {
            "continue;\n".into()
        } else {
            "break;\n".into()
        })
    }

    fn return_(&mut self, value: Option<&Expr>) -> Emitted<String> {
        if self.here.is_main {
            return Ok(match value {
                _ if self.here.plain_main => "return;\n".into(),
                Some(value) => format!("return {};\n", self.exit_code(value)?),
                None => "return ExitCode::SUCCESS;\n".into(),
            });
        }
        Ok(match value {
            Some(value) => format!("return {};\n", self.returned(value)?.text),
            None => "return;\n".into(),
        })
    }

    /// A value as a function returns it.
    pub(super) fn returned(&mut self, value: &Expr) -> Emitted<Code> {
        if value.ty == Type::Void {
            let effect = self.effect(value)?;
            return Ok(Code::low(format!("{{ {effect} }}")));
        }
        if value.ty.is_pointer() {
            let shape = self.here.function.and_then(|f| {
                self.shapes
                    .get(crate::translate::base::flows::Holder::Return(f))
                    .cloned()
            });
            return if shape == Some(Shape::Text) {
                self.text(value)
            } else {
                self.returned_memory(value)?;
                self.owned(value, &value.ty.clone())
            };
        }
        // A local struct moves out.
        if let (Type::Struct(_), ExprKind::Var(id)) = (&value.ty, &value.kind)
            && !crate::translate::base::places::is_global(self.program, *id)
        {
            return self.place(value);
        }
        self.assigned_value(value)
    }

    /// The exit status of `main`.
    pub(super) fn exit_code(&mut self, value: &Expr) -> Emitted<String> {
        if let Some(v) = crate::typed::consts::int_value(value, self.program) {
            return Ok(match v & 0xff {
                0 => "ExitCode::SUCCESS".into(),
                1 if v == 1 => "ExitCode::FAILURE".into(),
                v => format!("ExitCode::from({v})"),
            });
        }
        let code = self.converted(value, &Type::Int(crate::ctypes::IntKind::UChar))?;
        Ok(format!("ExitCode::from({})", code.text))
    }

    /// The declaration of a local, unless the plan has another place for it.
    fn declaration(&mut self, id: VarId) -> Emitted<String> {
        if crate::translate::base::places::is_global(self.program, id)
            || self.here.swaps.helpers.contains(&id)
        {
            return Ok(String::new());
        }
        let var = self.program.var(id);
        if matches!(self.shapes.var(id), Some(Shape::Cursor { .. })) && var.init.is_none() {
            if let Some(Shape::Cursor { fixed: false, .. }) = self.shapes.var(id) {
                if let Place::At(_) = self.here.plan.declared(id) {
                    return Ok(String::new());
                }
                return Ok(format!("let mut {}: usize = 0;\n", self.name(id)));
            }
            return Ok(String::new());
        }
        match &var.init {
            Some(_) if self.here.plan.declared(id) == Place::Nowhere => Ok(String::new()),
            Some(Init::Expr(value)) if !matches!(var.ty, Type::Array(..)) => {
                let value = (**value).clone();
                self.declared_as(id, &value)
            }
            Some(init) => {
                let init = init.clone();
                let ty = self.var_type(id)?;
                let mut text = self.initializer(&var.ty.clone(), &init, var.span)?;
                if self.boxed(&var.ty) && text.starts_with('[') {
                    text = format!("vec!{text}");
                }
                Ok(format!(
                    "let {}{}: {ty} = {text};\n",
                    self.mutability(id),
                    self.name(id)
                ))
            }
            None => {
                if self.here.plan.declared(id) != Place::Here {
                    return Ok(String::new());
                }
                let ty = self.var_type(id)?;
                let zero = self.var_zero(id)?;
                let span = var.span;
                if let Type::Array(_, Extent::Unknown) = var.ty {
                    return refuse(
                        codes::TYPE_ERROR,
                        span,
                        "an array without a size",
                        "give it one",
                    );
                }
                Ok(format!(
                    "let {}{}: {ty} = {zero};\n",
                    self.mutability(id),
                    self.name(id)
                ))
            }
        }
    }

    fn declared_as(&mut self, id: VarId, value: &Expr) -> Emitted<String> {
        let var = self.program.var(id);
        let name = self.name(id);
        let (ty, span) = (var.ty.clone(), var.span);
        let _ = span;
        if ty.is_pointer() {
            return match self.shapes.var(id).cloned() {
                Some(Shape::Cursor { base, fixed, .. }) => {
                    let text = self.set_position(id, &base, fixed, value, true)?;
                    Ok(crate::translate::base::code::semicolon(&text))
                }
                Some(Shape::Slice) => {
                    let rust = self.var_type(id)?;
                    let pointer = self.pointer(value)?;
                    let slice = self.slice(&pointer, self.shapes.mutable(id));
                    Ok(format!("let mut {name}: {rust} = {};\n", slice.text))
                }
                Some(Shape::Text) => {
                    let text = self.text(value)?;
                    Ok(format!(
                        "let {}{name}: &str = {};\n",
                        self.mutability(id),
                        text.text
                    ))
                }
                _ => {
                    let rust = self.var_type(id)?;
                    let owned = self.owned(value, &ty)?;
                    Ok(format!(
                        "let {}{name}: {rust} = {};\n",
                        self.mutability(id),
                        owned.text
                    ))
                }
            };
        }
        let rust = self.var_type(id)?;
        let value = self.assigned_value(value)?;
        Ok(format!(
            "let {}{name}: {rust} = {};\n",
            self.mutability(id),
            value.text
        ))
    }

    /// `mut ` if a local is changed after its declaration.
    pub(super) fn mutability(&self, id: VarId) -> &'static str {
        let facts = self.facts.var(id);
        let first = u32::from(matches!(self.here.plan.declared(id), Place::At(_)));
        let scalar_address =
            facts.address > 0 && !self.program.var(id).ty.is_pointer() && self.shapes.mutable(id);
        let assigned = facts.assigned.saturating_sub(self.here.plan.stepped(id));
        if assigned > first || facts.stored > 0 || scalar_address || self.shapes.mutable(id) {
            "mut "
        } else {
            ""
        }
    }
}

fn without_steps(e: &Expr) -> Expr {
    let mut out = e.clone();
    fn strip(e: &mut Expr) {
        if let ExprKind::Step {
            post: true, place, ..
        } = &e.kind
        {
            *e = (**place).clone();
            return;
        }
        match &mut e.kind {
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(a, b) => {
                strip(a);
                strip(b);
            }
            ExprKind::Compound { place, value, .. } => {
                strip(place);
                strip(value);
            }
            ExprKind::Member(a, _)
            | ExprKind::Deref(a)
            | ExprKind::AddrOf(a)
            | ExprKind::Decay(a)
            | ExprKind::Unary(_, a) => strip(a),
            ExprKind::Cast { value, .. } => strip(value),
            ExprKind::Call { args, .. } => args.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut out);
    out
}

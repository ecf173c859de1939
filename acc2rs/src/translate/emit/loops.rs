//! Loops.

use super::state::{Emit, Emitted};
use crate::source::Span;
use crate::translate::base::code::{Code, Prec};
use crate::typed::walk;
use crate::typed::{Expr, ExprKind, Stmt, StmtKind, VarId};

impl Emit<'_> {
    pub(super) fn while_loop(
        &mut self,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
    ) -> Emitted<String> {
        let endless = cond.is_none_or(|c| {
            crate::typed::consts::int_value(c, self.program).is_some_and(|v| v != 0)
        });
        let head = match cond {
            Some(cond) if !endless => format!("while {}", block_free(&self.cond(cond)?)),
            _ => "loop".into(),
        };
        let continues = step.is_some() && has_continue(body);
        let (text, frame) = self.body(body, continues)?;
        let text = if frame.used_continue {
            format!("'next_{}: {{\n{text}}}\n", frame.label)
        } else {
            text
        };
        let step = match step {
            Some(step) => self.effect(step)?,
            None => String::new(),
        };
        let label = if frame.used_break {
            format!("'{}: ", frame.label)
        } else {
            String::new()
        };
        Ok(format!("{label}{head} {{\n{text}{step}}}\n"))
    }

    pub(super) fn do_while(&mut self, body: &Stmt, cond: &Expr) -> Emitted<String> {
        let once = crate::typed::consts::int_value(cond, self.program) == Some(0);
        let continues = has_continue(body);
        if once && !continues && !breaks(body) {
            let text = self.inner(body)?;
            return Ok(format!("{{\n{text}}}\n"));
        }
        let (text, frame) = self.body(body, continues)?;
        let text = if frame.used_continue {
            format!("'next_{}: {{\n{text}}}\n", frame.label)
        } else {
            text
        };
        let stop = self.cond(cond)?.not();
        let label = if frame.used_break {
            format!("'{}: ", frame.label)
        } else {
            String::new()
        };
        Ok(format!(
            "{label}loop {{\n{text}if {} {{ break; }}\n}}\n",
            stop.text
        ))
    }

    pub(super) fn for_loop(
        &mut self,
        stmt: &Stmt,
        init: Option<&Stmt>,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
    ) -> Emitted<String> {
        if let Some(range) = self.here.plan.range(stmt.span).cloned() {
            return self.range_loop(&range, body);
        }
        let mut out = String::new();
        let mut scoped = false;
        if let Some(init) = init {
            scoped = matches!(init.kind, StmtKind::Decl(_));
            out.push_str(&self.stmt(init)?);
        }
        out.push_str(&self.while_loop(cond, step, body)?);
        Ok(if scoped {
            format!("{{\n{out}}}\n")
        } else {
            out
        })
    }

    /// Whether a variable is the first operand of arithmetic that wraps, which is a method in Rust and asks for its type.
    fn needs_type(&self, var: crate::typed::VarId, body: &Stmt) -> bool {
        let mut hit = false;
        walk::exprs(self.program, body, &mut |e| {
            if let ExprKind::Binary(op, a, b) = &e.kind {
                hit |= a.bare().as_var() == Some(var)
                    && a.ty == self.program.var(var).ty
                    && self.wraps(*op, a, b, &e.ty);
            }
        });
        hit && self.program.var(var).ty.int().is_some_and(|k| !k.signed())
    }

    /// Whether a bound is made of constants, whose types the compiler does not see.
    fn untyped(&self, end: &Expr) -> bool {
        let mut typed = false;
        walk::parts(self.program, end, &mut |e| {
            typed |= e.as_var().is_some_and(|id| !self.is_constant_item(id));
        });
        !typed
    }

    /// `for i in a..b`.
    pub(super) fn range_loop(
        &mut self,
        range: &crate::translate::memory::range::Range,
        body: &Stmt,
    ) -> Emitted<String> {
        let mut head = self.range_head(range)?;
        if self.needs_type(range.var, body) {
            head = typed_head(&head, &self.program.var(range.var).ty);
        }
        if self.here.in_device
            && !self.here.counters.contains(&range.var)
            && self.untyped(&range.end)
        {
            head = typed_low(&head, &self.program.var(range.var).ty);
        }
        let start = crate::translate::memory::range::nonnegative(
            self.program,
            if range.down { &range.end } else { &range.start },
            &|v| self.here.nonnegative.contains(&v),
        );
        let fresh = start && self.here.nonnegative.insert(range.var);
        let (text, frame) = self.body(body, false)?;
        if fresh {
            self.here.nonnegative.remove(&range.var);
        }
        self.here.counters.remove(&range.var);
        let label = if frame.used_break {
            format!("'{}: ", frame.label)
        } else {
            String::new()
        };
        let mut used = false;
        walk::exprs(self.program, body, &mut |e| {
            used |= e.as_var() == Some(range.var)
        });
        let name = if used && !text.trim().is_empty() {
            self.name(range.var)
        } else {
            "_".into()
        };
        Ok(format!("{label}for {name} in {head} {{\n{text}}}\n"))
    }

    /// The range of a loop; decides whether its variable counts as `usize`.
    pub(super) fn range_head(
        &mut self,
        range: &crate::translate::memory::range::Range,
    ) -> Emitted<String> {
        let ty = self.program.var(range.var).ty.clone();
        let counter = self.is_counter(range);
        if counter {
            self.here.counters.insert(range.var);
        }
        let bound = |emit: &mut Self, e: &Expr| -> Emitted<Code> {
            if counter {
                return emit.index(e);
            }
            emit.narrowed(e, &ty)
        };
        self.here.counters.remove(&range.var);
        let (mut low, mut high) = if range.down {
            (range.end.clone(), range.start.clone())
        } else {
            (range.start.clone(), range.end.clone())
        };
        let mut inclusive = range.inclusive;
        let mut above = false;
        if range.down {
            // `i = n - 1; i >= 0` counts down over `0..n`.
            match &high.bare().kind {
                ExprKind::Binary(crate::typed::BinaryOp::Sub, n, one)
                    if crate::typed::consts::int_value(one, self.program) == Some(1) =>
                {
                    high = (**n).clone();
                    inclusive = false;
                }
                _ => inclusive = true,
            }
            above = !range.inclusive;
            if above && crate::typed::consts::int_value(&low, self.program).is_some() {
                let value = crate::typed::consts::int_value(&low, self.program).unwrap_or(0) + 1;
                low = Expr::int(value, ty.clone(), Span::default());
                above = false;
            }
        }
        let (mut a, b) = (bound(self, &low)?, bound(self, &high)?);
        if above {
            a = Code::binary("+", Prec::Sum, &a, &Code::atom("1"));
        }
        if counter {
            self.here.counters.insert(range.var);
        }
        let sides = format!(
            "{}{}{}",
            a.at(Prec::Or),
            if inclusive { "..=" } else { ".." },
            block_free_at(&b)
        );
        let by = self.index(&range.step)?;
        let stepped = by.text != "1";
        Ok(match (range.down, stepped) {
            (false, false) => sides,
            (true, false) => format!("({sides}).rev()"),
            (false, true) => format!("({sides}).step_by({})", by.text),
            (true, true) => format!("({sides}).rev().step_by({})", by.text),
        })
    }

    /// Whether a loop's variable is only ever an index, and its bounds are sure not to be negative.
    pub(super) fn is_counter(&self, range: &crate::translate::memory::range::Range) -> bool {
        let sure = |e: &Expr| {
            crate::translate::memory::range::nonnegative(self.program, e, &|v| {
                self.here.nonnegative.contains(&v) || self.here.counters.contains(&v)
            })
        };
        if !self.program.var(range.var).ty.is_int()
            || !sure(&range.start)
            || !sure(&range.end)
            || range.down
        {
            return false;
        }
        let Some(body) = self
            .here
            .function
            .and_then(|f| self.program.function(f).body.as_ref())
        else {
            return false;
        };
        let (mut all, mut indices) = (0, 0);
        for stmt in &body.stmts {
            walk::exprs(self.program, stmt, &mut |e| {
                all += u32::from(e.as_var() == Some(range.var));
                if let ExprKind::Index(base, index) = &e.kind
                    && !self.is_text(base)
                {
                    indices += only_sum(index, range.var);
                }
            });
        }
        // The loop's own three mentions of it are no uses of its value; other loops may share it.
        let own = if range.declares { 2 } else { 3 };
        all >= own && range.declares && all - own == indices
    }
}

/// How often a variable stands in an index that is a sum of products; all or nothing.
fn only_sum(index: &Expr, var: VarId) -> u32 {
    use crate::typed::BinaryOp as B;
    match &index.kind {
        ExprKind::Var(id) => u32::from(*id == var),
        ExprKind::Cast { value, .. } if value.ty.is_int() && index.ty.is_int() => {
            only_sum(value, var)
        }
        ExprKind::Binary(B::Add | B::Mul, a, b) => only_sum(a, var) + only_sum(b, var),
        ExprKind::Binary(B::Sub, a, b) if matches!(b.stripped().kind, ExprKind::Int(_)) => {
            only_sum(a, var)
        }
        _ => 0,
    }
}

/// A condition that does not begin a block by itself.
fn block_free(cond: &Code) -> String {
    if cond.text.starts_with('{') {
        format!("({})", cond.text)
    } else {
        cond.text.clone()
    }
}

fn block_free_at(code: &Code) -> String {
    code.at(Prec::Or)
}

/// Whether a loop's body breaks out of that loop.
pub(super) fn breaks(body: &Stmt) -> bool {
    jumps(body, false)
}

fn has_continue(body: &Stmt) -> bool {
    jumps(body, true)
}

fn jumps(stmt: &Stmt, next: bool) -> bool {
    match &stmt.kind {
        StmtKind::Break => !next,
        StmtKind::Continue => next,
        StmtKind::Block(b) => b.stmts.iter().any(|s| jumps(s, next)),
        StmtKind::If {
            then, otherwise, ..
        } => jumps(then, next) || otherwise.as_ref().is_some_and(|o| jumps(o, next)),
        StmtKind::Switch { arms, .. } => {
            next && arms.iter().flat_map(|a| &a.body).any(|s| jumps(s, next))
        }
        _ => false,
    }
}

/// A range from a literal, which gets a type, to something with a name: `1_i32..=ROWS`.
fn typed_low(head: &str, ty: &crate::ctypes::Type) -> String {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    match head.split_once("..") {
        Some((low, high)) if digits(low) && !digits(high.trim_start_matches('=')) => {
            format!("{low}_{}..{high}", super::convert::number(ty))
        }
        _ => head.to_string(),
    }
}

/// A range between two literals with a type: `0_u32..40`.
fn typed_head(head: &str, ty: &crate::ctypes::Type) -> String {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    match head.split_once("..") {
        Some((low, high)) if digits(low) && digits(high.trim_start_matches('=')) => {
            format!("{low}_{}..{high}", super::convert::number(ty))
        }
        _ => head.to_string(),
    }
}

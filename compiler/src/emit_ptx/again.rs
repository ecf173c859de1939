//! What an iteration of `while` or `loop` computes again, which is not computed twice.
//!
//! ```text
//! while n < 256 && zr * zr + zi * zi <= 4.0 { let t = zr * zr - zi * zi + cr; … }          `zr * zr` and `zi * zi`
//! ```
//!
//! The assembler would see that by itself, but it turns such loops round first, so that the condition stands at the end of an iteration and what computes the same at the
//! beginning of the next. Mandelbrot's set takes 14 instructions a step then, instead of 12.
//!
//! It is looked for from the condition on, as far as statements follow each other: sums, products, casts of variables, until one of the variables is assigned, or may be by
//! what is computed.

use std::collections::HashMap;

use super::emitter::Emitter;
use super::value::Value;
use crate::detect::place::same;
use crate::ir::visit::Visit;
use crate::ir::{Block, Expr, ExprKind, Place, Root, Stmt, StmtKind, VarId};

/// Values that are kept for an iteration, at most: registers.
const MOST_VALUES: usize = 8;

/// Of what is computed first, what computes it again.
pub(super) type Again = HashMap<*const Expr, Vec<*const Expr>>;

impl<'a> Emitter<'a> {
    /// Begins a loop with a condition, or one that goes on until something ends it. Gives what [`end_again`](Emitter::end_again) takes.
    pub(super) fn begin_again(&mut self, cond: Option<&'a Expr>, block: &'a Block) -> Again {
        let mut straight = Straight::default();
        // Where products may be fused with sums, their rounding depends on who sees both.
        if !self.options.contract && !cond.is_some_and(changes) {
            if let Some(cond) = cond {
                straight.holds(cond, true);
            }
            straight.stmts(&block.stmts);
        }
        let found = straight.found;
        self.again
            .extend(found.iter().map(|(of, again)| (*of, again.clone())));
        found
    }

    /// Ends it.
    pub(super) fn end_again(&mut self, found: &Again) {
        for (of, again) in found {
            self.again.remove(of);
            for expr in again {
                self.steady.remove(expr);
            }
        }
    }

    /// Notes what has been computed.
    pub(super) fn note_again(&mut self, e: &Expr, value: &Value) {
        if let Some(again) = self.again.get(&std::ptr::from_ref(e))
            && !value.is_never()
        {
            let known = again.iter().map(|expr| (*expr, value.clone()));
            self.steady.extend(known);
        }
    }
}

/// Statements that follow each other.
#[derive(Default)]
struct Straight<'a> {
    /// What has been computed, of which variables.
    computed: Vec<(&'a Expr, Vec<VarId>)>,
    found: Again,
}

impl<'a> Straight<'a> {
    fn stmts(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Let(var, value) => {
                    if value.as_ref().is_some_and(changes) {
                        return;
                    }
                    value.iter().for_each(|value| self.computes(value));
                    self.assigns(*var);
                }
                StmtKind::Assign(
                    Place {
                        root: Root::Var(var),
                        path,
                    },
                    value,
                )
                | StmtKind::Compound(
                    Place {
                        root: Root::Var(var),
                        path,
                    },
                    _,
                    value,
                ) if path.is_empty() && !changes(value) => {
                    self.computes(value);
                    self.assigns(*var);
                }
                StmtKind::Expr(Expr {
                    kind: ExprKind::If(cond, then, None),
                    ..
                }) if then.never_ends() && !changes(cond) => self.holds(cond, false),
                _ => return,
            }
        }
    }

    /// A condition that goes on where it is true, or false.
    fn holds(&mut self, cond: &'a Expr, if_true: bool) {
        match &cond.kind {
            ExprKind::And(a, b) if if_true => {
                self.holds(a, true);
                self.holds(b, true);
            }
            ExprKind::Or(a, b) if !if_true => {
                self.holds(a, false);
                self.holds(b, false);
            }
            _ => self.computes(cond),
        }
    }

    /// Something that is computed, whatever else is.
    fn computes(&mut self, e: &'a Expr) {
        let mut vars = Vec::new();
        if computed_of(e, &mut vars) && !vars.is_empty() {
            if let Some((of, _)) = self.computed.iter().find(|(of, _)| same(of, e)) {
                self.found.entry(*of).or_default().push(e);
                return;
            }
            if self.computed.len() < MOST_VALUES {
                self.computed.push((e, vars));
            }
        }
        match &e.kind {
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.computes(a),
            ExprKind::And(a, _) | ExprKind::Or(a, _) | ExprKind::If(a, ..) => self.computes(a),
            ExprKind::Binary(_, a, b) => {
                self.computes(a);
                self.computes(b);
            }
            ExprKind::Method(_, parts) | ExprKind::Tuple(parts) => {
                parts.iter().for_each(|part| self.computes(part));
            }
            _ => {}
        }
    }

    fn assigns(&mut self, var: VarId) {
        self.computed.retain(|(_, vars)| !vars.contains(&var));
    }
}

/// Whether it is computed of numbers and variables alone, and of which.
fn computed_of(e: &Expr, vars: &mut Vec<VarId>) -> bool {
    let of = |e: &Expr, vars: &mut Vec<VarId>| match &e.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Load(Place {
            root: Root::Var(var),
            path,
        }) if path.is_empty() => {
            vars.push(*var);
            true
        }
        _ => computed_of(e, vars),
    };
    e.ty.as_scalar().is_some()
        && match &e.kind {
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => of(a, vars),
            ExprKind::Binary(_, a, b) => of(a, vars) && of(b, vars),
            _ => false,
        }
}

/// Whether a variable may be assigned while it is computed: `{ zr += 1.0; zr }`.
fn changes(e: &Expr) -> bool {
    struct Changes(bool);
    impl Visit for Changes {
        fn stmt(&mut self, stmt: &Stmt) {
            self.0 |= matches!(stmt.kind, StmtKind::Assign(..) | StmtKind::Compound(..));
            self.stmt_parts(stmt);
        }
    }
    let mut changes = Changes(false);
    changes.expr(e);
    changes.0
}

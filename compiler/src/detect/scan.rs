//! Scalars that are carried from iteration to iteration and read on the way: `acc += x[i]; out[i] = acc;`.
//!
//! All assignments to such a scalar combine a *term* into it, by one associative operator. What the terms are, and whether they are combined,
//! must not depend on the scalar itself, nor on anything else that the loop writes ([`terms`](super::terms)): then the terms of any part of the iteration
//! space can be combined before the iterations ahead of it have run.

use super::owned::Roles;
use super::terms::{self, Culprit};
use super::update::{self, Judged};
use super::{Context, name_of};
use crate::diag::{Code, Diagnostic};
use crate::ir::visit::Visit;
use crate::ir::{
    Carried, Expr, ExprKind, Loop, Memory, Place, Root, Stmt, StmtKind, UpdateOp, VarId, VarKind,
};

/// A scalar all of whose assignments are updates by one operator, and which is read elsewhere.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) var: VarId,
    pub(super) op: UpdateOp,
    pub(super) updates: Vec<(usize, bool)>,
}

/// The candidates of a lowered loop.
pub(super) fn candidates(ir: &Loop, context: &Context<'_>) -> Vec<Candidate> {
    let vars = ir.body.vars.iter().enumerate();
    let reduced = vars.filter(|(_, var)| var.kind == VarKind::Reduced);
    let found = reduced.map(|(id, _)| {
        let mut finder = Uses {
            ir,
            context,
            var: VarId(id as u32),
            op: None,
            updates: Vec::new(),
            updated_only: true,
            read: false,
        };
        finder.block(&ir.body.block);
        let op = finder.op.filter(|_| finder.updated_only && finder.read)?;
        Some(Candidate {
            var: finder.var,
            op,
            updates: finder.updates,
        })
    });
    found.flatten().collect()
}

/// What an assignment to a scalar combines into it.
pub(super) fn term(ir: &Loop, stmt: &Stmt) -> Option<(VarId, UpdateOp, Expr)> {
    let (var, judged) = match &stmt.kind {
        StmtKind::Assign(place, value) => {
            let var = variable(place)?;
            let ty = &ir.var(var).ty;
            (var, update::assignment(place, value, ty))
        }
        StmtKind::Compound(place, op, value) => (variable(place)?, update::compound(*op, value)),
        _ => return None,
    };
    match judged {
        Judged::Update(op, value) => Some((var, op, value)),
        _ => None,
    }
}

/// The variable that a place is as a whole.
pub(super) fn variable(place: &Place) -> Option<VarId> {
    match place.root {
        Root::Var(var) if place.path.is_empty() => Some(var),
        _ => None,
    }
}

/// How a scalar is used.
struct Uses<'a> {
    ir: &'a Loop,
    context: &'a Context<'a>,
    var: VarId,
    op: Option<UpdateOp>,
    updates: Vec<(usize, bool)>,
    /// Whether all that writes it are updates by one operator.
    updated_only: bool,
    /// Whether it is read by anything but its updates.
    read: bool,
}

impl Visit for Uses<'_> {
    fn load(&mut self, place: &Place) {
        self.read |= place.root == Root::Var(self.var);
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        // An update as a whole is no store here.
        self.updated_only &= place.root != Root::Var(self.var);
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let term = term(self.ir, stmt).filter(|(var, ..)| *var == self.var);
        let Some((_, op, value)) = term else {
            return self.stmt_parts(stmt);
        };
        let known = self.ir.var(self.var).ty.as_scalar();
        let site = self.context.assignments.get(&stmt.source);
        let together = match self.op {
            None => Some(op),
            Some(before) => before.together(op),
        };
        match (together, site) {
            (Some(both), Some(syntax)) if known.is_none_or(|ty| op.op.applies_to(ty)) => {
                self.op = Some(both);
                self.updates.push((syntax.site, op.op.subtracts()));
            }
            _ => self.updated_only = false,
        }
        self.expr(&value);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Opaque(opaque) = &expr.kind {
            // Code that is not known might write it.
            self.updated_only &= !opaque.vars.contains(&self.var);
        }
        self.expr_parts(expr);
    }
}

/// What the candidates are, with the reasons against those that are nothing; says so of their variables.
pub(super) fn judge(
    ir: &mut Loop,
    candidates: Vec<Candidate>,
    roles: &Roles,
    context: &Context<'_>,
) -> (Vec<Carried>, Vec<Diagnostic>) {
    for candidate in &candidates {
        ir.body.vars[candidate.var.0 as usize].kind = VarKind::Carried;
    }
    let culprits = terms::culprits(ir, &roles.owned, context);
    let mut refused = Vec::new();
    let mut carried = Vec::new();
    for Candidate { var, op, updates } in candidates {
        if let Some(culprit) = culprits.get(&var) {
            refused.push(diagnostic(ir, var, culprit, context));
        }
        carried.push(Carried {
            var,
            op,
            updates: match op.two_signs {
                true => updates,
                false => updates.into_iter().map(|(site, _)| (site, false)).collect(),
            },
        });
    }
    (carried, refused)
}

/// Why a scalar cannot be carried along.
fn diagnostic(ir: &Loop, var: VarId, culprit: &Culprit, context: &Context<'_>) -> Diagnostic {
    let name = &ir.var(var).name;
    let text = context.text(culprit.source);
    let what = match culprit.root {
        Root::Var(of) if of == var => {
            format!("what is combined into `{name}` depends on `{name}` itself")
        }
        Root::Var(of) => format!(
            "what is combined into `{name}` depends on `{}`, which earlier iterations have changed",
            ir.var(of).name
        ),
        Root::Array(id) => format!(
            "what is combined into `{name}` depends on `{text}`, and this loop writes `{}`",
            name_of(ir, Memory::Bins(id))
        ),
    };
    Diagnostic::new(Code::Carried, context.span(culprit.source), what)
        .note(format!(
            "`{name}` is carried from iteration to iteration; parts of the loop can begin where it stands only if their terms are known before"
        ))
        .help(format!(
            "combine into `{name}` what each iteration computes from the loop's input alone, or leave this loop as it is by `#[sequential]` before its `for`"
        ))
}

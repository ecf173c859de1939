//! The exchange of two pointers through a third, as time-stepping codes do: three statements that
//! become `std::mem::swap`.

use std::collections::HashMap;

use super::usage::same;
use crate::source::Span;
use crate::typed::walk;
use crate::typed::{Block, Expr, ExprKind, Init, Program, Stmt, StmtKind, VarId};

/// The exchanges of a function, by the first of the three statements.
#[derive(Clone, Debug, Default)]
pub(super) struct Swaps {
    found: HashMap<Span, (Expr, Expr)>,
    covered: Vec<Span>,
    /// The helper variables.
    pub(super) helpers: Vec<VarId>,
}

impl Swaps {
    /// Whether an assignment is part of an exchange.
    pub(super) fn covers(&self, span: Span) -> bool {
        self.covered
            .iter()
            .any(|c| c.unit == span.unit && c.lo <= span.lo && span.hi <= c.hi)
    }

    /// The places exchanged by the statement that starts here and the two after it.
    pub(super) fn at(&self, span: Span) -> Option<&(Expr, Expr)> {
        self.found.get(&span)
    }
}

/// Finds `t = a; a = b; b = t;` on pointers, where `t` is used for nothing else nearby.
pub(super) fn swaps(program: &Program, body: &Block) -> Swaps {
    let mut out = Swaps::default();
    look(program, body, &mut out);
    walk::stmts(program, body, &mut |s| {
        if let StmtKind::Block(inner) = &s.kind {
            look(program, inner, &mut out);
        }
    });
    out
}

fn look(program: &Program, block: &Block, out: &mut Swaps) {
    for three in block.stmts.windows(3) {
        let Some((helper, first)) = opening(program, &three[0]) else {
            continue;
        };
        let (Some((a, b)), Some((c, d))) = (assignment(&three[1]), assignment(&three[2])) else {
            continue;
        };
        if same(a, first) && same(b, c) && d.as_var() == Some(helper) && first.ty.is_pointer() {
            out.found.insert(three[0].span, (a.clone(), c.clone()));
            out.covered.extend(three.iter().map(|s| s.span));
            out.helpers.push(helper);
        }
    }
}

fn bare(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast { value, .. } => bare(value),
        _ => e,
    }
}

fn opening<'a>(program: &'a Program, stmt: &'a Stmt) -> Option<(VarId, &'a Expr)> {
    if let StmtKind::Decl(vars) = &stmt.kind
        && let [var] = vars[..]
        && let Some(Init::Expr(e)) = &program.var(var).init
    {
        return Some((var, bare(e)));
    }
    let (place, value) = assignment(stmt)?;
    Some((place.as_var()?, value))
}

fn assignment(stmt: &Stmt) -> Option<(&Expr, &Expr)> {
    match &stmt.kind {
        StmtKind::Expr(Expr {
            kind: ExprKind::Assign(place, value),
            ..
        }) => Some((place, bare(value))),
        _ => None,
    }
}

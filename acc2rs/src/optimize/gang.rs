//! What tells gangs apart at an update: C of the iteration, from which its copy is chosen.

use super::find::{Finder, Found, children, kept};
use crate::clause::ClauseKind;
use crate::typed::{Expr, ExprKind, Stmt, StmtKind, VarId};

impl Finder<'_> {
    /// What tells gangs apart at a statement, and the loop's variable if only one loop is around it.
    pub(super) fn gang(&self, stmt: &Stmt, at: &Stmt) -> Found<(String, Option<VarId>)> {
        let mut loops = Vec::new();
        let mut count = 0;
        // The second of two collapsed loops has no directive of its own.
        let mut collapsed = false;
        children(stmt, &mut |s| {
            if let StmtKind::For { init, .. } = &s.kind
                && s.span.lo <= at.span.lo
                && s.span.hi >= at.span.hi
            {
                count += 1;
                let device = s.directives.iter().any(|d| d.kind.is_loop());
                if device || collapsed {
                    loops.push(init.as_deref().and_then(counter));
                }
                collapsed = s
                    .directives
                    .iter()
                    .flat_map(|d| &d.clauses)
                    .any(|c| matches!(c.kind, ClauseKind::Collapse(_)));
            }
        });
        let loops: Option<Vec<VarId>> = loops.into_iter().collect();
        let Some(loops) = loops.filter(|l| !l.is_empty()) else {
            return kept(
                at.span,
                "no device loop with a counter is around the update",
            );
        };
        let name = |id: VarId| &self.program.var(id).name;
        for id in &loops {
            let mut hidden = false;
            children(stmt, &mut |s| {
                if let StmtKind::Decl(vars) = &s.kind {
                    hidden |= vars.iter().any(|v| v != id && name(*v) == name(*id));
                }
            });
            if hidden || !self.program.var(*id).ty.is_int() {
                return kept(
                    at.span,
                    format!("the loop's `{}` is hidden by another one", name(*id)),
                );
            }
        }
        let v = self.vector_length;
        let (first, last) = (loops[0], loops[loops.len() - 1]);
        let text = if first == last {
            format!("(size_t){} / {v}", name(first))
        } else {
            format!("((size_t){} + (size_t){} / {v})", name(first), name(last))
        };
        Ok((text, (count == 1).then_some(first)))
    }
}

/// The variable that the first part of a `for` sets.
fn counter(init: &Stmt) -> Option<VarId> {
    match &init.kind {
        StmtKind::Decl(vars) if vars.len() == 1 => Some(vars[0]),
        StmtKind::Expr(Expr {
            kind: ExprKind::Assign(place, _),
            ..
        }) => place.as_var(),
        _ => None,
    }
}

//! Whether a construct uses its bins for nothing but their updates.

use std::collections::HashSet;

use super::find::{Finder, children};
use crate::clause::DataAction;
use crate::translate::base::places::root;
use crate::typed::walk;
use crate::typed::{ExprKind, FnId, Init, Program, Stmt, StmtKind, Storage, VarId};

impl Finder<'_> {
    /// Whether the construct reaches the array by another name: a pointer to it, or a called function.
    pub(super) fn reached(&self, stmt: &Stmt, id: VarId) -> bool {
        let mut aliases = HashSet::new();
        let program = self.program;
        let mut pair = |a: Option<VarId>, b: Option<VarId>| {
            if let (Some(a), Some(b)) = (a, b)
                && a != b
                && program.var(a).ty.element().is_some()
                && program.var(b).ty.element().is_some()
                && (a == id || b == id)
            {
                aliases.insert(if a == id { b } else { a });
            }
        };
        if let Some(body) = &program.function(self.function).body {
            for s in &body.stmts {
                walk::exprs(program, s, &mut |e| {
                    if let ExprKind::Assign(place, value) = &e.kind
                        && value.ty.is_pointer()
                    {
                        pair(place.as_var(), root(value));
                    }
                });
                children(s, &mut |s| {
                    if let StmtKind::Decl(vars) = &s.kind {
                        for v in vars {
                            if let Some(Init::Expr(e)) = &program.var(*v).init
                                && e.ty.is_pointer()
                            {
                                pair(Some(*v), root(e));
                            }
                        }
                    }
                });
            }
        }
        if aliases.iter().any(|a| mentions(program, stmt, *a) > 0) {
            return true;
        }
        let global = !matches!(program.var(id).storage, Storage::Param | Storage::Local);
        let mut seen: HashSet<FnId> = HashSet::new();
        let mut todo = Vec::new();
        let calls = |s: &Stmt, todo: &mut Vec<FnId>| {
            walk::exprs(program, s, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind {
                    todo.push(*callee);
                }
            });
        };
        calls(stmt, &mut todo);
        if global && self.unread && !todo.is_empty() {
            return true;
        }
        while let Some(next) = todo.pop() {
            if let Some(body) = &program.function(next).body
                && seen.insert(next)
            {
                if global && body.stmts.iter().any(|s| mentions(program, s, id) > 0) {
                    return true;
                }
                body.stmts.iter().for_each(|s| calls(s, &mut todo));
            }
        }
        false
    }
}

/// Whether a variable is declared or made private inside a construct.
pub(super) fn own_to_iterations(stmt: &Stmt, id: VarId) -> bool {
    let mut own = false;
    children(stmt, &mut |s| {
        own |= matches!(&s.kind, StmtKind::Decl(vars) if vars.contains(&id));
        own |= s.directives.iter().any(|d| {
            d.sections(DataAction::Private)
                .chain(d.sections(DataAction::FirstPrivate))
                .any(|v| root(&v.base) == Some(id))
        });
    });
    own
}

/// How often a statement names a variable.
pub(super) fn mentions(program: &Program, stmt: &Stmt, id: VarId) -> usize {
    let mut count = 0;
    walk::exprs(program, stmt, &mut |e| {
        count += usize::from(e.as_var() == Some(id))
    });
    count
}

//! Comparing functions of `qsort`: their `const void *` parameters point to elements of what is sorted, and get that type.

use std::collections::HashMap;

use crate::ctypes::Type;
use crate::typed::change::change_all;
use crate::typed::{Expr, ExprKind, FnId, Program, VarId, walk};

/// The function that an expression names.
pub(crate) fn named(expr: &Expr) -> Option<FnId> {
    match &expr.stripped().kind {
        ExprKind::Function(id) => Some(*id),
        ExprKind::AddrOf(inner) => named(inner),
        _ => None,
    }
}

/// Gives the parameters of comparing functions the type of the elements they compare, where all calls agree on it.
pub(super) fn typed_comparisons(program: &mut Program) {
    let mut found: HashMap<FnId, Option<Type>> = HashMap::new();
    for id in program.defined() {
        let stmts = program.function(id).body.iter().flat_map(|b| &b.stmts);
        for stmt in stmts {
            walk::exprs(program, stmt, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind
                    && program.function(*callee).name == "qsort"
                    && let [base, _, _, compare] = &args[..]
                    && let Some(compare) = named(compare)
                {
                    let element = base.stripped().ty.element().cloned();
                    let known = found.entry(compare).or_insert_with(|| element.clone());
                    if *known != element {
                        *known = None;
                    }
                }
            });
        }
    }
    let mut retyped: HashMap<VarId, Type> = HashMap::new();
    for (id, element) in found {
        let Some(element) = element.filter(|e| *e != Type::Void) else {
            continue;
        };
        for param in program.function(id).params.clone() {
            if program.var(param).ty.element() == Some(&Type::Void) {
                let ty = Type::Pointer {
                    to: Box::new(element.clone()),
                    constant: true,
                };
                retyped.insert(param, ty);
            }
        }
    }
    for (id, ty) in &retyped {
        program.vars[id.0 as usize].ty = ty.clone();
    }
    if !retyped.is_empty() {
        change_all(program, &mut |e| {
            if let Some(ty) = e.as_var().and_then(|id| retyped.get(&id)) {
                e.ty = ty.clone();
            }
        });
    }
}

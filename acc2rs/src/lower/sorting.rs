//! Comparing functions of `qsort`: their `const void *` parameters point to elements of what is sorted, and get that type.

use std::collections::HashMap;

use crate::ctypes::Type;
use crate::typed::{ExprKind, FnId, Program, walk};

/// The function that an expression names.
pub(crate) fn named(expr: &crate::typed::Expr) -> Option<FnId> {
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
    for (id, element) in found {
        let Some(element) = element.filter(|e| *e != Type::Void) else {
            continue;
        };
        for param in program.function(id).params.clone() {
            let var = &mut program.vars[param.0 as usize];
            if var.ty.element() == Some(&Type::Void) {
                var.ty = Type::Pointer {
                    to: Box::new(element.clone()),
                    constant: true,
                };
            }
        }
    }
}

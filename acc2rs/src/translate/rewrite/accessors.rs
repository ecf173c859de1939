//! Functions that do nothing but return a pointer into what they are given, or into a global array,
//! `return &g->cells[y * g->width + x];`: calls of them become the expression itself, since a position in an array cannot leave a function in Rust.

use std::collections::{HashMap, HashSet};

use crate::translate::base::places::{is_global, root};
use crate::typed::change::{change, change_all};
use crate::typed::{Expr, ExprKind, FnId, ItemKind, Program, StmtKind, VarId, walk};

/// Accessors: their parameters, and what they return.
type Known = HashMap<FnId, (Vec<VarId>, Expr)>;

/// Puts accessors in the place of their calls; whether there was one.
pub(crate) fn inline(program: &mut Program) -> bool {
    let mut known = Known::new();
    // Those that use others come after them; what calls itself never does.
    loop {
        let before = known.len();
        for id in program.defined() {
            if !known.contains_key(&id)
                && let Some(value) = accessor(program, id, &known)
            {
                known.insert(id, (program.function(id).params.clone(), value.clone()));
            }
        }
        if known.len() == before {
            break;
        }
    }
    let taken = function_values(program);
    known.retain(|id, _| !taken.contains(id));
    // An accessor of which a call cannot be replaced stays a function, and so does one that uses it.
    loop {
        let mut stay = irreplaceable(program, &known);
        stay.extend(
            known
                .iter()
                .filter(|(_, (_, value))| !plain(program, value, &known))
                .map(|(id, _)| *id),
        );
        if stay.is_empty() {
            break;
        }
        known.retain(|id, _| !stay.contains(id));
    }
    if known.is_empty() {
        return false;
    }
    // Accessors that use accessors take as many rounds as they are deep.
    for _ in 0..=known.len() {
        change_all(program, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && let Some((params, value)) = known.get(callee)
            {
                *e = replaced(value, params, args, e);
            }
        });
    }
    program
        .items
        .retain(|item| !matches!(&item.kind, ItemKind::Function(id) if known.contains_key(id)));
    for id in known.keys() {
        program.functions[id.0 as usize].body = None;
    }
    true
}

/// The pointer that a function returns, if that is all it does.
fn accessor<'a>(program: &'a Program, id: FnId, known: &Known) -> Option<&'a Expr> {
    let function = program.function(id);
    let body = function.body.as_ref()?;
    let [stmt] = &body.stmts[..] else {
        return None;
    };
    let StmtKind::Return(Some(value)) = &stmt.kind else {
        return None;
    };
    let pointer = value.ty.is_pointer() && !value.ty.is_function_pointer();
    let given = |e: &Expr| {
        root(e).is_some_and(|var| {
            let global = is_global(program, var);
            global || function.params.contains(&var) && program.var(var).ty.is_pointer()
        })
    };
    let into = match &value.stripped().kind {
        ExprKind::Call { callee, args } => known.contains_key(callee) && args.iter().any(given),
        _ => given(value),
    };
    let chars = value.ty.element().is_some_and(crate::ctypes::Type::is_char);
    (pointer && into && !chars && stmt.directives.is_empty() && plain(program, value, known))
        .then_some(value)
}

/// Whether an expression may be evaluated more than once, or not at all.
fn plain(program: &Program, e: &Expr, known: &Known) -> bool {
    let mut plain = true;
    walk::parts(program, e, &mut |part| {
        plain &= match &part.kind {
            ExprKind::Call { callee, .. } => known.contains_key(callee),
            ExprKind::CallPointer(..)
            | ExprKind::Assign(..)
            | ExprKind::Compound { .. }
            | ExprKind::Step { .. }
            | ExprKind::Cond(..)
            | ExprKind::Block(_) => false,
            _ => true,
        };
    });
    plain
}

fn function_values(program: &Program) -> HashSet<FnId> {
    let mut out = HashSet::new();
    for id in program.defined() {
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| {
                if let ExprKind::Function(id) = e.kind {
                    out.insert(id);
                }
            });
        }
    }
    out
}

/// The accessors of which some call has arguments that cannot stand in their place.
fn irreplaceable(program: &Program, known: &Known) -> HashSet<FnId> {
    let mut out = HashSet::new();
    for id in program.defined() {
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind
                    && let Some((params, value)) = known.get(callee)
                {
                    // What may not be evaluated twice may still be evaluated once.
                    let mut others = params
                        .iter()
                        .zip(args)
                        .filter(|(_, a)| !plain(program, a, known));
                    let once = others
                        .next()
                        .is_none_or(|(param, _)| mentions(program, value, *param) == 1);
                    if args.len() != params.len() || !once || others.next().is_some() {
                        out.insert(*callee);
                    }
                }
            });
        }
    }
    out
}

fn mentions(program: &Program, e: &Expr, var: VarId) -> usize {
    let mut count = 0;
    walk::parts(program, e, &mut |part| {
        count += usize::from(part.as_var() == Some(var))
    });
    count
}

/// An accessor's value with arguments for its parameters.
fn replaced(value: &Expr, params: &[VarId], args: &[Expr], call: &Expr) -> Expr {
    let mut out = value.clone();
    change(&mut out, &mut |e| {
        let given = e
            .as_var()
            .and_then(|var| params.iter().position(|p| *p == var))
            .and_then(|at| args.get(at));
        match given {
            Some(arg) => *e = arg.clone(),
            // Where the call stands, so that what is refused is shown there; constants keep the place of their macro.
            None if e.ty.is_pointer()
                || matches!(
                    e.kind,
                    ExprKind::Var(_)
                        | ExprKind::Index(..)
                        | ExprKind::Member(..)
                        | ExprKind::Deref(_)
                ) =>
            {
                e.span = call.span;
            }
            None => {}
        }
        // `(&v)->data` is `v.data`.
        if let ExprKind::Deref(inner) = &e.kind
            && let ExprKind::AddrOf(place) = &inner.stripped().kind
        {
            *e = (**place).clone();
        }
    });
    out
}

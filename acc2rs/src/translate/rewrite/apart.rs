//! Locals with memory of their own that change places with a pointer into other memory, as `src` does in
//! `dst = result; src = malloc(n); … t = src; src = dst; dst = t;`: the memory gets a variable of its own, and both are names.

use crate::translate::base::flows::Holder;
use crate::translate::base::flows::{Source, flows};
use crate::typed::{
    Block, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, Storage, Var, VarId,
};

/// Gives the memory of such locals names of its own; whether there was one.
pub(crate) fn name(program: &mut Program) -> bool {
    let mut found: Vec<(FnId, VarId)> = Vec::new();
    let flows = flows(program);
    // Whether all that a variable is set to is memory of its own, or other memory.
    let kind = |var: VarId| {
        let mut own = flows
            .iter()
            .filter(|f| f.to == Holder::Var(var) && !matches!(f.from, Source::Null));
        let first = own.next().filter(|_| own.next().is_none())?;
        match first.from {
            Source::Alloc => Some(true),
            Source::Into(..) => Some(false),
            _ => None,
        }
    };
    for id in program.defined() {
        let Some(body) = &program.function(id).body else {
            continue;
        };
        for (a, b) in crate::translate::base::swap::swaps(program, body).pairs() {
            let own = match (kind(a), kind(b)) {
                (Some(true), Some(false)) => a,
                (Some(false), Some(true)) => b,
                _ => continue,
            };
            if program.var(own).storage == Storage::Local && !found.contains(&(id, own)) {
                found.push((id, own));
            }
        }
    }
    let mut changed = false;
    for (id, var) in found {
        let memory = VarId(program.vars.len() as u32);
        let Some(mut body) = program.functions[id.0 as usize].body.take() else {
            continue;
        };
        if let Some(value) = taken(program, &mut body, var, memory) {
            let own = program.var(var).clone();
            program.vars.push(Var {
                name: format!("{}_memory", own.name),
                init: Some(Init::Expr(Box::new(value))),
                ..own
            });
            changed = true;
        }
        program.functions[id.0 as usize].body = Some(body);
    }
    changed
}

/// Takes the allocation out of the statement of a body that sets `var`, which is set to `memory` then.
fn taken(program: &mut Program, body: &mut Block, var: VarId, memory: VarId) -> Option<Expr> {
    let named = |at: &Expr| Expr {
        kind: ExprKind::Var(memory),
        ty: program.var(var).ty.clone(),
        span: at.span,
    };
    for (at, stmt) in body.stmts.iter_mut().enumerate() {
        match &mut stmt.kind {
            StmtKind::Decl(vars) => {
                let place = vars.iter().position(|v| *v == var);
                let Some((place, Init::Expr(value))) = place.zip(program.var(var).init.clone())
                else {
                    continue;
                };
                let name = named(&value);
                vars.insert(place, memory);
                program.vars[var.0 as usize].init = Some(Init::Expr(Box::new(name)));
                return Some(*value);
            }
            StmtKind::Expr(Expr {
                kind: ExprKind::Assign(place, value),
                ..
            }) if place.as_var() == Some(var)
                && !matches!(value.stripped().kind, ExprKind::Var(_)) =>
            {
                let name = named(value);
                let value = std::mem::replace(&mut **value, name);
                let declared = Stmt {
                    kind: StmtKind::Decl(vec![memory]),
                    span: stmt.span,
                    directives: Vec::new(),
                    comments: std::mem::take(&mut stmt.comments),
                };
                body.stmts.insert(at, declared);
                return Some(value);
            }
            _ => {}
        }
    }
    None
}

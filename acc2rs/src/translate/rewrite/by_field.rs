//! Calls that get a struct and memory that one of its fields holds, where the function looks at that field, too:
//! `split(p, p->x, middle)`. The function gets a sister for the field, which reaches the memory through the struct.
//!
//! What is passed is only known when a call is written, as in `within`. Where the function does not look at the field,
//! `step_out` serves without a sister.

use std::collections::{HashMap, HashSet};

use super::within::{Call, drop_uncalled, redirect};
use crate::ctypes::{StructId, Type};
use crate::typed::change::change_all;
use crate::typed::{Expr, ExprKind, FnId, Program, StmtKind, Storage, VarId, copy, walk};

/// A call that gets a struct and memory of its own.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) call: Call,
    /// Which argument is the struct, which the memory, and the field that holds it.
    pub(crate) key: Key,
}

pub(crate) type Key = (usize, usize, (StructId, u32));

/// The sisters of functions.
pub(crate) type Sisters = HashMap<(FnId, Key), FnId>;

/// The program with sisters for the functions of such calls; `None` where none can be had.
pub(crate) fn changed(program: &Program, held: &[Held], sisters: &mut Sisters) -> Option<Program> {
    let mut out = program.clone();
    let mut any = false;
    for Held { call, key } in held {
        let sister = match sisters.get(&(call.callee, *key)) {
            Some(known) => *known,
            None => {
                let Some(made) = sister(&mut out, call.callee, *key) else {
                    continue;
                };
                sisters.insert((call.callee, *key), made);
                made
            }
        };
        any |= redirect(&mut out, call, sister, &|args| {
            let others = args.iter().enumerate().filter(|(at, _)| *at != key.1);
            others.map(|(_, arg)| arg.clone()).collect()
        });
    }
    drop_uncalled(&mut out, sisters.keys().map(|(id, _)| *id));
    any.then_some(out)
}

/// A copy of a function without its parameter for the memory.
fn sister(program: &mut Program, id: FnId, (owner, memory, field): Key) -> Option<FnId> {
    let held = program.structure(field.0).fields.as_ref()?;
    let held = held.get(field.1 as usize)?.clone();
    let params = &program.function(id).params;
    let (from, param) = (*params.get(owner)?, *params.get(memory)?);
    let element = |v: VarId| program.var(v).ty.element();
    if element(from) != Some(&Type::Struct(field.0))
        || element(param) != held.ty.element()
        || !steady(program, id, &[from, param], param)
        || !stays(program, id, field)
    {
        return None;
    }
    let mut name = format!("{}_{}", program.function(id).name, held.name);
    // A local of that name would hide it.
    let taken = |name: &str| {
        program.find_function(name).is_some() || program.vars.iter().any(|v| v.name == name)
    };
    while taken(&name) {
        name.push('_');
    }
    let made = copy::function(program, id, &name)?;
    let (from, param) = {
        let params = &program.function(made).params;
        (params[owner], params[memory])
    };
    let (pointer, ty) = (program.var(from).ty.clone(), program.var(param).ty.clone());
    change_all(program, &mut |e| {
        if e.as_var() != Some(param) {
            return;
        }
        let span = e.span;
        let expr = |kind, ty: &Type| Expr {
            kind,
            ty: ty.clone(),
            span,
        };
        let whole = ExprKind::Deref(Box::new(expr(ExprKind::Var(from), &pointer)));
        let whole = Box::new(expr(whole, &Type::Struct(field.0)));
        *e = expr(ExprKind::Member(whole, field.1), &held.ty).converted(&ty);
    });
    program.vars[param.0 as usize].storage = Storage::Local;
    let function = &mut program.functions[made.0 as usize];
    function.params.remove(memory);
    function.ty.params.remove(memory);
    Some(made)
}

/// Whether parameters keep what they are given, and no directive names one of them.
fn steady(program: &Program, id: FnId, params: &[VarId], unnamed: VarId) -> bool {
    let Some(body) = &program.function(id).body else {
        return false;
    };
    let mut steady = true;
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| {
            if let ExprKind::Assign(place, _)
            | ExprKind::Compound { place, .. }
            | ExprKind::Step { place, .. }
            | ExprKind::AddrOf(place) = &e.kind
            {
                steady &= place.as_var().is_none_or(|id| !params.contains(&id));
            }
        });
    }
    walk::stmts(program, body, &mut |stmt| {
        let own = match &stmt.kind {
            StmtKind::Directive(directive) => Some(&**directive),
            _ => None,
        };
        for directive in stmt.directives.iter().chain(own) {
            let _ = directive.try_map(&mut |e: &Expr| {
                walk::parts(program, e, &mut |part| {
                    steady &= part.as_var() != Some(unnamed)
                });
                Ok::<Expr, ()>(e.clone())
            });
        }
    });
    steady
}

/// Whether a field holds the same memory during a call of a function.
fn stays(program: &Program, function: FnId, field: (StructId, u32)) -> bool {
    let whole = Type::Struct(field.0);
    let is_field = |e: &Expr| matches!(&e.kind, ExprKind::Member(base, at) if *at == field.1 && base.ty == whole);
    let mut seen = HashSet::from([function]);
    let mut todo = vec![function];
    let mut stays = true;
    while let Some(id) = todo.pop() {
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Assign(place, _)
                | ExprKind::Compound { place, .. }
                | ExprKind::Step { place, .. }
                | ExprKind::AddrOf(place) => stays &= !is_field(place) && place.ty != whole,
                ExprKind::Call { callee, args } => {
                    let library = program.function(*callee).body.is_none();
                    let given = |arg: &Expr| {
                        let arg = arg.stripped();
                        is_field(arg) || arg.ty.element() == Some(&whole)
                    };
                    stays &= !library || !args.iter().any(given);
                    if seen.insert(*callee) {
                        todo.push(*callee);
                    }
                }
                ExprKind::CallPointer(..) => stays = false,
                _ => {}
            });
        }
    }
    stays
}

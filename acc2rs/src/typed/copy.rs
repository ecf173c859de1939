//! A second copy of a function, with variables of its own.

use std::collections::HashMap;

use super::change::{change, change_stmt};
use super::{
    Arm, Expr, ExprKind, FnId, Init, Item, ItemKind, Program, Stmt, StmtKind, Storage, Type, VarId,
    walk,
};
use crate::directive::Directive;

/// Adds a copy of a function under another name, behind the function itself; `None` where it holds what there can be only
/// one of: variables that outlive the call, arrays whose type names variables.
pub fn function(program: &mut Program, id: FnId, name: &str) -> Option<FnId> {
    let mut vars: HashMap<VarId, VarId> = HashMap::new();
    for at in 0..program.vars.len() {
        let var = &program.vars[at];
        if var.owner == Some(id) {
            if var.storage == Storage::StaticLocal || runtime(&var.ty) {
                return None;
            }
            let copy = VarId(program.vars.len() as u32);
            vars.insert(VarId(at as u32), copy);
            let var = var.clone();
            program.vars.push(var);
        }
    }
    let body = program.function(id).body.clone()?;
    let mut own = true;
    for stmt in &body.stmts {
        let mut look = |e: &Expr| {
            own &= !runtime(&e.ty) && !matches!(e.kind, ExprKind::Block(_));
            own &= e.as_var().is_none_or(|v| {
                vars.contains_key(&v)
                    || matches!(
                        program.var(v).storage,
                        Storage::Global { .. } | Storage::StaticLocal
                    )
            });
        };
        walk::exprs(program, stmt, &mut look);
    }
    if !own {
        return None;
    }
    let copy = FnId(program.functions.len() as u32);
    let mut function = program.function(id).clone();
    name.clone_into(&mut function.name);
    function.internal = true;
    function.params.iter_mut().for_each(|p| *p = vars[p]);
    for var in vars.values() {
        let mut init = program.vars[var.0 as usize].init.take();
        init.iter_mut().for_each(|i| renamed_init(i, &vars));
        let var = &mut program.vars[var.0 as usize];
        var.init = init;
        var.owner = Some(copy);
    }
    if let Some(body) = &mut function.body {
        body.stmts.iter_mut().for_each(|s| renamed_stmt(s, &vars));
    }
    let place = |i: &Item| matches!(i.kind, ItemKind::Function(f) if f == id);
    let at = program.items.iter().position(place)?;
    let item = Item {
        kind: ItemKind::Function(copy),
        span: program.items[at].span,
        comments: Vec::new(),
    };
    program.items.insert(at + 1, item);
    program.functions.push(function);
    Some(copy)
}

fn runtime(ty: &Type) -> bool {
    use crate::ctypes::Extent;
    match ty {
        Type::Array(_, Extent::Runtime(_)) => true,
        Type::Array(of, _) | Type::Pointer { to: of, .. } => runtime(of),
        _ => false,
    }
}

type Names = HashMap<VarId, VarId>;

fn rename(e: &mut Expr, vars: &Names) {
    if let ExprKind::Var(id) = &mut e.kind
        && let Some(own) = vars.get(id)
    {
        *id = *own;
    }
}

fn renamed_init(init: &mut Init, vars: &Names) {
    match init {
        Init::Expr(e) => change(e, &mut |e| rename(e, vars)),
        Init::List(list) => list.iter_mut().for_each(|(_, i)| renamed_init(i, vars)),
    }
}

fn renamed_directive(directive: &mut Directive<Expr>, vars: &Names) {
    let renamed = directive.try_map(&mut |e: &Expr| {
        let mut e = e.clone();
        change(&mut e, &mut |e| rename(e, vars));
        Ok::<Expr, ()>(e)
    });
    if let Ok(renamed) = renamed {
        *directive = renamed;
    }
}

fn renamed_stmt(stmt: &mut Stmt, vars: &Names) {
    change_stmt(stmt, &mut |e| rename(e, vars));
    declared(stmt, vars);
}

/// Renames what statements name outside expressions: declarations and directives.
fn declared(stmt: &mut Stmt, vars: &Names) {
    stmt.directives
        .iter_mut()
        .for_each(|d| renamed_directive(d, vars));
    let arms = |arms: &mut Vec<Arm>| {
        let stmts = arms.iter_mut().flat_map(|a| &mut a.body);
        stmts.for_each(|s| declared(s, vars));
    };
    match &mut stmt.kind {
        StmtKind::Decl(list) => list
            .iter_mut()
            .for_each(|v| *v = vars.get(v).copied().unwrap_or(*v)),
        StmtKind::Directive(d) => renamed_directive(d, vars),
        StmtKind::Block(b) => b.stmts.iter_mut().for_each(|s| declared(s, vars)),
        StmtKind::If {
            then, otherwise, ..
        } => {
            declared(then, vars);
            otherwise.iter_mut().for_each(|s| declared(s, vars));
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => declared(body, vars),
        StmtKind::For { init, body, .. } => {
            init.iter_mut().for_each(|s| declared(s, vars));
            declared(body, vars);
        }
        StmtKind::Switch { arms: list, .. } => arms(list),
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_) => {}
    }
}

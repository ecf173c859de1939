//! A second copy of a function, with variables of its own.

use std::collections::HashMap;

use super::change::{change, change_init, change_stmt, each_stmt};
use super::{
    Block, Expr, ExprKind, FnId, Init, Item, ItemKind, Program, Stmt, StmtKind, Storage, Type,
    VarId, walk,
};
use crate::source::Span;

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

/// Copies of statements that stand in one function, with variables of their own for what they declare; each span ends `shorter`
/// bytes earlier, so that copies can be told apart. `None` where a statement is too short for that, or holds what
/// [`function`] does not copy.
pub fn statements(program: &mut Program, stmts: &[Stmt], shorter: u32) -> Option<Vec<Stmt>> {
    let block = Block {
        stmts: stmts.to_vec(),
        trailing: Vec::new(),
    };
    let mut declared = Vec::new();
    let mut sound = true;
    walk::stmts(program, &block, &mut |s| {
        if let StmtKind::Decl(vars) = &s.kind {
            declared.extend(vars.iter().copied());
        }
        sound &=
            s.span.hi > s.span.lo + shorter || matches!(s.kind, StmtKind::Break | StmtKind::Empty);
    });
    for stmt in stmts {
        walk::exprs(program, stmt, &mut |e| {
            let call = matches!(e.kind, ExprKind::Call { .. } | ExprKind::CallPointer(..));
            sound &= !call || e.span.hi > e.span.lo + shorter;
        });
    }
    let shortened = |span: &mut Span| span.hi = span.hi.saturating_sub(shorter).max(span.lo + 1);
    let mut vars = Names::new();
    for id in &declared {
        let var = program.var(*id);
        if var.storage == Storage::StaticLocal || runtime(&var.ty) {
            return None;
        }
        let mut var = var.clone();
        shortened(&mut var.span);
        vars.insert(*id, VarId(program.vars.len() as u32));
        program.vars.push(var);
    }
    let mut change = |e: &mut Expr| {
        rename(e, &vars);
        shortened(&mut e.span);
    };
    for id in vars.values() {
        let init = &mut program.vars[id.0 as usize].init;
        init.iter_mut().for_each(|i| change_init(i, &mut change));
    }
    let mut out = stmts.to_vec();
    for stmt in &mut out {
        change_stmt(stmt, &mut change);
        declared_in(stmt, &vars);
        each_stmt(stmt, &mut |s| shortened(&mut s.span));
    }
    sound.then_some(out)
}

/// Calls `f` on every expression of the directives in a statement, inner ones first.
pub fn in_directives(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Expr)) {
    each_stmt(stmt, &mut |s| {
        let own = match &mut s.kind {
            StmtKind::Directive(d) => Some(&mut **d),
            _ => None,
        };
        for directive in s.directives.iter_mut().chain(own) {
            let changed = directive.try_map(&mut |e: &Expr| {
                let mut e = e.clone();
                change(&mut e, f);
                Ok::<Expr, ()>(e)
            });
            if let Ok(changed) = changed {
                *directive = changed;
            }
        }
    });
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

fn renamed_stmt(stmt: &mut Stmt, vars: &Names) {
    change_stmt(stmt, &mut |e| rename(e, vars));
    declared_in(stmt, vars);
}

/// Renames what statements name outside expressions: declarations and directives.
fn declared_in(stmt: &mut Stmt, vars: &Names) {
    in_directives(stmt, &mut |e| rename(e, vars));
    each_stmt(stmt, &mut |s| {
        if let StmtKind::Decl(list) = &mut s.kind {
            list.iter_mut()
                .for_each(|v| *v = vars.get(v).copied().unwrap_or(*v));
        }
    });
}

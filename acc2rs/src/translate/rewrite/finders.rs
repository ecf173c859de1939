//! Functions that search: each of their `return`s gives a position in one array of their parameters or of the globals,
//! `return &s->items[i];`, or null. They return the index then, -1 for nothing, and calls become the position at that index.

use std::collections::HashMap;

use crate::ctypes::{IntKind, Type};
use crate::lower::is_null;
use crate::translate::base::flows::Holder;
use crate::translate::base::flows::{Flow, Source, flows};
use crate::translate::base::places::{is_global, root};
use crate::translate::base::usage::same;
use crate::typed::change::{change, change_all};
use crate::typed::{
    BinaryOp, Block, Expr, ExprKind, FnId, Program, Stmt, StmtKind, Storage, VarId, walk,
};

/// A function that searches: its parameters, and the array in terms of them.
struct Finder {
    params: Vec<VarId>,
    array: Expr,
}

fn long() -> Type {
    Type::Int(IntKind::Long)
}

/// Makes such functions return indices; whether there was one.
pub(crate) fn index(program: &mut Program) -> bool {
    let flows = flows(program);
    let mut found: HashMap<FnId, Finder> = program
        .defined()
        .filter_map(|id| Some((id, finder(program, id, &flows)?)))
        .collect();
    let stay = unfit(program, &found);
    found.retain(|id, _| !stay.contains(id));
    if found.is_empty() {
        return false;
    }
    for id in found.keys() {
        let function = &mut program.functions[id.0 as usize];
        function.ty.ret = long();
        if let Some(body) = &mut function.body {
            indices(body, &found[id].array);
        }
        program.finders.insert(*id);
    }
    change_all(program, &mut |e| {
        if let ExprKind::Call { callee, args } = &e.kind
            && let Some(finder) = found.get(callee)
        {
            let (span, ty) = (e.span, e.ty.clone());
            let array = with(&finder.array, &finder.params, args);
            let expr = |kind, ty| Expr { kind, ty, span };
            let element = ty.element().cloned().unwrap_or(Type::Void);
            let call = expr(e.kind.clone(), long());
            let place = ExprKind::Index(Box::new(array), Box::new(call));
            *e = expr(ExprKind::AddrOf(Box::new(expr(place, element))), ty);
        }
        pointed_at(e);
    });
    for function in &mut program.functions {
        let stmts = function.body.iter_mut().flat_map(|b| &mut b.stmts);
        stmts.for_each(|s| dropped(s, &found));
    }
    true
}

/// Makes a statement that finds a position and drops it the call alone.
fn dropped(stmt: &mut Stmt, found: &HashMap<FnId, Finder>) {
    match &mut stmt.kind {
        StmtKind::Expr(e) => {
            if let ExprKind::AddrOf(place) = &e.stripped().kind
                && let ExprKind::Index(_, index) = &place.kind
                && let ExprKind::Call { callee, .. } = &index.kind
                && found.contains_key(callee)
            {
                *e = (**index).clone();
            }
        }
        StmtKind::Block(b) => b.stmts.iter_mut().for_each(|s| dropped(s, found)),
        StmtKind::If {
            then, otherwise, ..
        } => {
            dropped(then, found);
            otherwise.iter_mut().for_each(|s| dropped(s, found));
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => dropped(body, found),
        StmtKind::Switch { arms, .. } => {
            let stmts = arms.iter_mut().flat_map(|a| &mut a.body);
            stmts.for_each(|s| dropped(s, found));
        }
        _ => {}
    }
}

/// `*&v` is `v`.
fn pointed_at(e: &mut Expr) {
    if let ExprKind::Deref(inner) = &e.kind
        && let ExprKind::AddrOf(place) = &inner.stripped().kind
    {
        *e = (**place).clone();
    }
}

fn finder(program: &Program, id: FnId, flows: &[Flow]) -> Option<Finder> {
    let function = program.function(id);
    let element = function.ty.ret.element()?;
    if !function.ty.ret.is_pointer() || element.is_char() || element.is_pointer() {
        return None;
    }
    let body = function.body.as_ref()?;
    let mut array: Option<Expr> = None;
    let mut fits = true;
    walk::stmts(program, body, &mut |s| {
        let StmtKind::Return(Some(value)) = &s.kind else {
            return;
        };
        if is_null(value) {
            return;
        }
        let base = match position(value) {
            Some((base, _)) => Some(base.clone()),
            None => {
                let local = value.stripped().as_var();
                local.and_then(|id| array_behind(program, flows, id, &mut Vec::new()))
            }
        };
        match (base, &array) {
            (Some(base), None) => array = Some(base),
            (Some(base), Some(known)) => fits &= same(&base, known),
            (None, _) => fits = false,
        }
    });
    let array = array.filter(|_| fits)?;
    let from = root(&array)?;
    let given = function.params.contains(&from) && program.var(from).ty.is_pointer();
    let fixed = !body.stmts.iter().any(|s| sets(program, s, from));
    (fixed && (given || is_global(program, from)) && straight(&array)).then(|| Finder {
        params: function.params.clone(),
        array,
    })
}

/// The array that a local pointer always points into.
fn array_behind(
    program: &Program,
    flows: &[Flow],
    local: VarId,
    seen: &mut Vec<VarId>,
) -> Option<Expr> {
    if program.var(local).storage != Storage::Local || seen.contains(&local) {
        return None;
    }
    seen.push(local);
    let mut array: Option<Expr> = None;
    for flow in flows.iter().filter(|f| f.to == Holder::Var(local)) {
        let base = match &flow.from {
            Source::Null => continue,
            Source::Into(base, _) => base.stripped(),
            _ => return None,
        };
        let base = match base.as_var() {
            // Where a pointer moves on by itself, or from one that is looked at already.
            Some(id) if seen.contains(&id) => continue,
            Some(id)
                if program.var(id).storage == Storage::Local && program.var(id).ty.is_pointer() =>
            {
                array_behind(program, flows, id, seen)?
            }
            _ => base.clone(),
        };
        match &array {
            None => array = Some(base),
            Some(known) if same(&base, known) => {}
            Some(_) => return None,
        }
    }
    array
}

/// `&array[index]` and `array + index`.
fn position(value: &Expr) -> Option<(&Expr, &Expr)> {
    match &value.stripped().kind {
        ExprKind::AddrOf(place) => match &place.kind {
            ExprKind::Index(base, index) => Some((base, index)),
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Add, base, index) if value.stripped().ty.is_pointer() => {
            Some((base, index))
        }
        _ => None,
    }
}

/// Whether a place is named without any index.
fn straight(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Var(_) => true,
        ExprKind::Member(base, _) | ExprKind::Deref(base) | ExprKind::Decay(base) => straight(base),
        _ => false,
    }
}

/// Whether a statement makes a variable another.
fn sets(program: &Program, stmt: &Stmt, var: VarId) -> bool {
    let mut hit = false;
    walk::exprs(program, stmt, &mut |e| {
        if let ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. } = &e.kind
        {
            hit |= place.as_var() == Some(var);
        }
    });
    hit
}

/// Those whose address is taken, or that get an argument which cannot be evaluated twice where the array is named by it.
fn unfit(program: &Program, found: &HashMap<FnId, Finder>) -> Vec<FnId> {
    let mut out = Vec::new();
    for id in program.defined() {
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Function(id) => out.push(*id),
                ExprKind::Call { callee, args } => {
                    let Some(finder) = found.get(callee) else {
                        return;
                    };
                    let from = root(&finder.array);
                    let named = finder
                        .params
                        .iter()
                        .zip(args)
                        .find(|(p, _)| Some(**p) == from);
                    let plain = named.is_none_or(|(_, arg)| {
                        let arg = arg.stripped();
                        match &arg.kind {
                            ExprKind::AddrOf(place) => straight(place),
                            _ => straight(arg),
                        }
                    });
                    if !plain || args.len() != finder.params.len() {
                        out.push(*callee);
                    }
                }
                _ => {}
            });
        }
    }
    out
}

/// Makes the `return`s of a body give indices.
fn indices(body: &mut Block, array: &Expr) {
    body.stmts.iter_mut().for_each(|s| index_of(s, array));
}

fn index_of(stmt: &mut Stmt, array: &Expr) {
    match &mut stmt.kind {
        StmtKind::Return(Some(value)) => {
            let span = value.span;
            let index = match position(value) {
                Some((_, index)) => Expr {
                    kind: ExprKind::Cast {
                        explicit: false,
                        value: Box::new(index.clone()),
                    },
                    ty: long(),
                    span,
                },
                None if is_null(value) => Expr::int(-1, long(), span),
                None => Expr {
                    kind: ExprKind::Binary(
                        BinaryOp::Sub,
                        Box::new(value.clone()),
                        Box::new(array.clone()),
                    ),
                    ty: long(),
                    span,
                },
            };
            *value = index;
        }
        StmtKind::Block(b) => indices(b, array),
        StmtKind::If {
            then, otherwise, ..
        } => {
            index_of(then, array);
            otherwise.iter_mut().for_each(|s| index_of(s, array));
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => index_of(body, array),
        StmtKind::Switch { arms, .. } => {
            let stmts = arms.iter_mut().flat_map(|a| &mut a.body);
            stmts.for_each(|s| index_of(s, array));
        }
        _ => {}
    }
}

/// An array with arguments for the parameters.
fn with(array: &Expr, params: &[VarId], args: &[Expr]) -> Expr {
    let mut out = array.clone();
    change(&mut out, &mut |e| {
        let at = e
            .as_var()
            .and_then(|var| params.iter().position(|p| *p == var));
        if let Some(arg) = at.and_then(|at| args.get(at)) {
            *e = arg.clone();
        }
        pointed_at(e);
    });
    out
}

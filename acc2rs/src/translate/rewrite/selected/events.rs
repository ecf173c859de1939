//! Where a function sets pointers, to which places, and which tables of places it has.

use super::tree::{Event, PLACES, Table, Tree, place, row_of};
use std::collections::HashMap;

use super::life::Life;
use crate::ctypes::{Extent, Type};
use crate::lower::formats::format_at;
use crate::lower::is_null;
use crate::translate::base::swap::swaps;
use crate::translate::base::usage::same;
use crate::typed::{Expr, ExprKind, FnId, Init, Program, StmtKind, Storage, VarId, consts, walk};

/// Tables of places that are never set anew.
pub(super) fn tables(program: &Program, life: &Life) -> Vec<Table> {
    let mut out = Vec::new();
    for (var, mentions) in life.locals(program) {
        let Type::Array(row, Extent::Fixed(length)) = &program.var(var).ty else {
            continue;
        };
        if !plain(row) || *length as usize > PLACES || program.var(var).storage != Storage::Local {
            continue;
        }
        let (places, set) = match &program.var(var).init {
            Some(Init::List(list)) => (listed(list), 0),
            Some(Init::Expr(_)) => continue,
            None => {
                let places = life.filled(program, var);
                let set = places.len();
                (places, set)
            }
        };
        if places.len() as u64 != *length || !places.iter().all(|p| life.stays(program, var, p)) {
            continue;
        }
        // Nothing but `table[i]`, which is not set.
        let mut rows = 0;
        life.each(program, &mut |e| {
            rows += usize::from(row_of(e).is_some_and(|(of, _)| of == var));
            let set = match &e.kind {
                ExprKind::Assign(place, _)
                | ExprKind::Compound { place, .. }
                | ExprKind::Step { place, .. }
                | ExprKind::AddrOf(place) => row_of(place).is_some_and(|(of, _)| of == var),
                _ => false,
            };
            rows += 2 * usize::from(set);
        });
        if rows == mentions + 2 * set {
            out.push(Table { var, places });
        }
    }
    out
}

fn listed(list: &[(u64, Init)]) -> Vec<Expr> {
    list.iter()
        .enumerate()
        .filter_map(|(at, (index, init))| match init {
            Init::Expr(e) if at as u64 == *index => place(e),
            _ => None,
        })
        .collect()
}

/// Whether a pointer points to numbers, rows of them, or structs.
fn plain(ty: &Type) -> bool {
    let number = |e: &Type| e.is_arithmetic() && !e.is_char();
    ty.element().is_some_and(|e| match e {
        Type::Struct(_) => true,
        Type::Array(..) => number(e.innermost()),
        _ => number(e),
    })
}

fn tree(program: &Program, value: &Expr, tables: &[Table]) -> Option<Tree> {
    let inner = value.stripped();
    match &inner.kind {
        ExprKind::Cond(cond, yes, no) => Some(Tree::Cond(
            (**cond).clone(),
            Box::new(tree(program, yes, tables)?),
            Box::new(tree(program, no, tables)?),
        )),
        ExprKind::Index(..) => {
            let (var, at) = row_of(inner)?;
            let table = tables.iter().find(|t| t.var == var)?;
            match consts::int_value(at, program) {
                Some(at) => {
                    let place = table.places.get(usize::try_from(at).ok()?)?;
                    Some(Tree::Place(place.clone()))
                }
                None => Some(Tree::Row(var, at.clone())),
            }
        }
        _ => place(value).map(Tree::Place),
    }
}

pub(super) fn places(tree: &Tree, tables: &[Table], f: &mut dyn FnMut(&Expr)) {
    match tree {
        Tree::Place(e) => f(e),
        Tree::Cond(_, yes, no) => {
            places(yes, tables, f);
            places(no, tables, f);
        }
        Tree::Row(var, _) => {
            let table = tables.iter().find(|t| t.var == *var);
            table.iter().flat_map(|t| &t.places).for_each(f);
        }
    }
}

/// Where the locals that are nothing but chosen are set, in the order of the source.
pub(super) fn events(
    program: &Program,
    id: FnId,
    tables: &[Table],
    formats: &[VarId],
) -> Vec<(VarId, Vec<Event>)> {
    let mut found: Vec<(VarId, Vec<Event>)> = Vec::new();
    let mut bad: Vec<VarId> = Vec::new();
    let mut note = |var: VarId, value: &Expr, block: usize, index: usize, bad: &mut Vec<VarId>| {
        let Some(tree) = tree(program, value, tables) else {
            bad.push(var);
            return;
        };
        let event = Event {
            tree,
            at: value.span,
            block,
            index,
        };
        match found.iter_mut().find(|(v, _)| *v == var) {
            Some((_, own)) => own.push(event),
            None => found.push((var, vec![event])),
        }
    };
    let mut blocks = 0;
    let Some(body) = &program.function(id).body else {
        return Vec::new();
    };
    let swaps = swaps(program, body);
    super::tree::blocks(&body.stmts, &mut |stmts| {
        blocks += 1;
        for (index, stmt) in stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Decl(vars) => {
                    let helper = swaps.covers(stmt.span);
                    for var in vars
                        .iter()
                        .filter(|v| !helper && fits(program, formats, **v))
                    {
                        match &program.var(*var).init {
                            Some(Init::Expr(value)) if !is_null(value) => {
                                note(*var, value, blocks, index, &mut bad);
                            }
                            _ => {}
                        }
                    }
                }
                StmtKind::Expr(Expr {
                    kind: ExprKind::Assign(place, value),
                    ..
                }) => {
                    let own = |v: &VarId| fits(program, formats, *v);
                    if let Some(var) = place.as_var().filter(own)
                        && !swaps.covers(stmt.span)
                    {
                        note(var, value, blocks, index, &mut bad);
                    }
                }
                _ => {}
            }
        }
    });
    let exchanged: Vec<VarId> = swaps.places().filter_map(Expr::as_var).collect();
    // What is set elsewhere, or moved, is no choice.
    let mut counts: HashMap<VarId, usize> = HashMap::new();
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| match &e.kind {
            ExprKind::Assign(place, _) => {
                if let Some(var) = place.as_var().filter(|_| !swaps.covers(e.span)) {
                    *counts.entry(var).or_default() += 1;
                }
            }
            ExprKind::Compound { place, .. }
            | ExprKind::Step { place, .. }
            | ExprKind::AddrOf(place) => bad.extend(place.as_var()),
            _ => {}
        });
    }
    found.retain(|(var, own)| {
        let start = program.var(*var).init.as_ref();
        let initial = start.is_some_and(|i| !matches!(i, Init::Expr(e) if is_null(e)));
        let set = counts.get(var).copied().unwrap_or(0) + usize::from(initial);
        let mut all: Vec<Expr> = Vec::new();
        own.iter().for_each(|e| {
            places(&e.tree, tables, &mut |p| {
                if !all.iter().any(|q| same(p, q)) {
                    all.push(p.clone());
                }
            });
        });
        !bad.contains(var)
            && set == own.len()
            && (all.len() > 1 || formats.contains(var) || exchanged.contains(var))
    });
    found
}

fn fits(program: &Program, formats: &[VarId], id: VarId) -> bool {
    let var = program.var(id);
    var.storage == Storage::Local && (plain(&var.ty) || formats.contains(&id))
}

/// Locals that are the format of a statement: it needs the text itself.
pub(super) fn formats(program: &Program, life: &Life) -> Vec<VarId> {
    let mut out = Vec::new();
    life.each(program, &mut |e| {
        if let ExprKind::Call { callee, args } = &e.kind
            && let Some(at) = format_at(program, *callee)
        {
            out.extend(args.get(at).and_then(|a| a.stripped().as_var()));
        }
    });
    out
}

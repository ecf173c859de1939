//! Local pointers that are given one of several places, `src = g->step % 2 ? g->next : g->cur`, or `c = a->x` in one branch and
//! `c = a->y` in another, and tables of such places, `double *field[3] = { s.u, s.v, s.p }`: the statements that use them are
//! written once for each place.
//!
//! Pointers into such places that are exchanged with each other, `t = cur; cur = next; next = t`, are chosen together, too, and
//! each exchange leads to the next choice.
//!
//! That needs places which hold what they held when they were chosen, as long as the pointer is used: `life` looks for that.
//! `unfold` writes the statements. Where two pointers are chosen together, by one condition, so are the statements.

mod life;
mod unfold;

use std::collections::HashMap;

use super::swap::swaps;
use super::usage::{quiet, same};
use crate::ctypes::{Extent, INT, Type};
use crate::lower::formats::format_at;
use crate::lower::is_null;
use crate::source::Span;
use crate::typed::{
    BinaryOp, Expr, ExprKind, FnId, Init, Program, StmtKind, Storage, UnaryOp, Var, VarId, consts,
    walk,
};
use life::Life;

/// How many places a pointer is chosen from at most: as often the statements are written.
const PLACES: usize = 8;

/// What a pointer is set to.
#[derive(Clone)]
enum Tree {
    Place(Expr),
    Cond(Expr, Box<Tree>, Box<Tree>),
    /// An element of a table, by a number.
    Row(VarId, Expr),
}

/// Pointers that are chosen together.
#[derive(Clone)]
struct Pick {
    /// What says which of the places it is: 0, 1 and so on.
    selector: Expr,
    /// The pointers, and their places.
    members: Vec<(VarId, Vec<Expr>)>,
    /// The number that a statement sets where the source sets the first pointer; what the others are set to is left out.
    number: Option<VarId>,
    /// What the number is, by the value that the source sets the first pointer to.
    events: HashMap<Span, Expr>,
    /// The first statements of exchanges, and how many each takes: the number goes to the next one.
    turns: HashMap<Span, usize>,
}

/// A table of places.
struct Table {
    var: VarId,
    places: Vec<Expr>,
}

/// Where a function sets a pointer.
struct Event {
    tree: Tree,
    /// The value that it is set to.
    at: Span,
    /// Which block, and which statement there.
    block: usize,
    index: usize,
}

/// Writes what uses such pointers once for each place; whether there was one.
pub(super) fn unfold(program: &mut Program) -> bool {
    let ids: Vec<FnId> = program.defined().collect();
    let mut changed = false;
    for id in ids {
        changed |= function(program, id);
    }
    changed
}

fn function(program: &mut Program, id: FnId) -> bool {
    let life = Life::new(program, id);
    let tables = tables(program, &life);
    let formats = formats(program, &life);
    let mut events = events(program, id, &tables, &formats);
    events.retain(|(var, own)| {
        certain(program, &life, *var)
            && own.iter().all(|e| {
                let mut all = true;
                places(&e.tree, &tables, &mut |place| {
                    all &= life.stays(program, *var, place);
                });
                all
            })
    });
    let mut picks = rings(program, id, &mut events);
    while !events.is_empty() {
        if let Some(pick) = together(program, id, &life, &tables, &mut events) {
            picks.push(pick);
        }
    }
    let used: Vec<VarId> = tables.iter().map(|t| t.var).collect();
    if picks.is_empty() && used.is_empty() {
        return false;
    }
    let before = program.clone();
    if unfold::rewrite(program, id, &picks, &tables).is_some() {
        true
    } else {
        *program = before;
        false
    }
}

/// Whether a pointer that starts as null is only followed: nobody asks whether it still is.
fn certain(program: &Program, life: &Life, var: VarId) -> bool {
    if !matches!(&program.var(var).init, Some(Init::Expr(e)) if is_null(e)) {
        return true;
    }
    let (mut followed, mut all) = (0, 0);
    life.each(program, &mut |e| {
        let is = |e: &Expr| e.stripped().as_var() == Some(var);
        all += usize::from(e.as_var() == Some(var));
        followed += usize::from(match &e.kind {
            ExprKind::Index(of, _)
            | ExprKind::Deref(of)
            | ExprKind::Assign(of, _)
            | ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, of, _) => is(of),
            _ => false,
        });
    });
    all == followed
}

/// Tables of places that are never set anew.
fn tables(program: &Program, life: &Life) -> Vec<Table> {
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

/// The table and the number of `table[i]`.
fn row_of(e: &Expr) -> Option<(VarId, &Expr)> {
    match &e.kind {
        ExprKind::Index(of, at) if e.ty.is_pointer() => Some((of.stripped().as_var()?, at)),
        _ => None,
    }
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

/// What a pointer may be set to: a variable, a field, or the address of one.
fn place(e: &Expr) -> Option<Expr> {
    let inner = e.stripped();
    let known = match &inner.kind {
        ExprKind::AddrOf(of) => chain(of),
        ExprKind::Str(_) => true,
        _ => !is_null(e) && chain(inner),
    };
    let held = match &inner.kind {
        ExprKind::AddrOf(_) => inner.ty.is_pointer(),
        _ => matches!(inner.ty, Type::Pointer { .. } | Type::Array(..)),
    };
    (known && held).then(|| match (&e.kind, &inner.kind) {
        // An array keeps its decay.
        (ExprKind::Cast { value, .. }, _) if matches!(value.kind, ExprKind::Decay(_)) => {
            (**value).clone()
        }
        (ExprKind::Decay(_), _) => e.clone(),
        _ => inner.clone(),
    })
}

fn chain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Member(of, _) => match &of.kind {
            ExprKind::Deref(pointer) => pointer.as_var().is_some(),
            _ => chain(of),
        },
        _ => false,
    }
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

fn places(tree: &Tree, tables: &[Table], f: &mut dyn FnMut(&Expr)) {
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
fn events(
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
    unfold::blocks(&body.stmts, &mut |stmts| {
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
fn formats(program: &Program, life: &Life) -> Vec<VarId> {
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

/// The choice that the first of these pointers is part of; takes the pointers out.
fn together(
    program: &mut Program,
    id: FnId,
    life: &Life,
    tables: &[Table],
    events: &mut Vec<(VarId, Vec<Event>)>,
) -> Option<Pick> {
    let mut group = vec![events.remove(0)];
    while let Some((_, next)) = events.first() {
        let (_, last) = &group[group.len() - 1];
        let beside = next.len() == last.len()
            && next.iter().zip(last).all(|(a, b)| {
                a.block == b.block
                    && (a.index == b.index || a.index == b.index + 1)
                    && alike(program, &a.tree, &b.tree)
            });
        if !beside {
            break;
        }
        group.push(events.remove(0));
    }
    let (first, own) = &group[0];
    let mut cases: Vec<Vec<Expr>> = Vec::new();
    let mut numbers = Vec::new();
    for at in 0..own.len() {
        let trees: Vec<&Tree> = group.iter().map(|(_, e)| &e[at].tree).collect();
        numbers.push(number(program, tables, &trees, &mut cases, own[at].at)?);
    }
    if cases.len() > PLACES {
        return None;
    }
    let span = own[0].at;
    let direct = match &numbers[..] {
        [only] if life.fixed(program, *first, only) && once(program, only, cases.len()) => {
            Some(only.clone())
        }
        _ => None,
    };
    let events = own.iter().map(|e| e.at).zip(numbers).collect();
    let vars: Vec<VarId> = group.iter().map(|(v, _)| *v).collect();
    let places = |at: usize| cases.iter().map(|c| c[at].clone()).collect();
    let members = vars
        .iter()
        .enumerate()
        .map(|(at, v)| (*v, places(at)))
        .collect();
    if let Some(selector) = direct {
        return Some(Pick {
            selector,
            members,
            number: None,
            events,
            turns: HashMap::new(),
        });
    }
    let var = fresh(program, id, *first);
    Some(Pick {
        selector: named(var, span),
        members,
        number: Some(var),
        events,
        turns: HashMap::new(),
    })
}

fn named(var: VarId, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Var(var),
        ty: INT,
        span,
    }
}

/// A number in the place of a pointer.
fn fresh(program: &mut Program, id: FnId, like: VarId) -> VarId {
    let like = program.var(like).clone();
    let var = VarId(program.vars.len() as u32);
    program.vars.push(Var {
        name: format!("{}_choice", like.name),
        ty: INT,
        storage: Storage::Local,
        constant: false,
        init: None,
        typedef: None,
        array_param: None,
        extents: Vec::new(),
        owner: Some(id),
        ..like
    });
    var
}

/// The pointers that are exchanged with each other and set to one place each; takes them out.
fn rings(program: &mut Program, id: FnId, events: &mut Vec<(VarId, Vec<Event>)>) -> Vec<Pick> {
    let Some(body) = &program.function(id).body else {
        return Vec::new();
    };
    let swaps = swaps(program, body);
    let mut rings: Vec<(Vec<VarId>, HashMap<Span, usize>)> = Vec::new();
    for (span, places, count) in swaps.all() {
        let Some(vars) = places.iter().map(Expr::as_var).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let known = rings.iter_mut().find(|(ring, _)| {
            let turned =
                |by: usize| (0..ring.len()).all(|at| ring[(at + by) % ring.len()] == vars[at]);
            ring.len() == vars.len() && (0..ring.len()).any(turned)
        });
        match known {
            Some((_, turns)) => _ = turns.insert(span, count),
            None => rings.push((vars, HashMap::from([(span, count)]))),
        }
    }
    let shared = |var: &VarId| rings.iter().filter(|(ring, _)| ring.contains(var)).count() > 1;
    let apart: Vec<bool> = rings
        .iter()
        .map(|(ring, _)| !ring.iter().any(shared))
        .collect();
    let mut out = Vec::new();
    for ((ring, turns), apart) in rings.into_iter().zip(apart) {
        let own: Vec<&Event> = ring
            .iter()
            .filter_map(|var| events.iter().find(|(v, _)| v == var))
            .filter_map(|(_, own)| match &own[..] {
                [only] if matches!(only.tree, Tree::Place(_)) => Some(only),
                _ => None,
            })
            .collect();
        let places: Vec<Expr> = own
            .iter()
            .filter_map(|e| match &e.tree {
                Tree::Place(place) => Some(place.clone()),
                _ => None,
            })
            .collect();
        let before = |at: &Span| own.iter().all(|e| e.at.hi <= at.lo);
        let set = own.len() == ring.len()
            && own
                .iter()
                .all(|e| e.block == own[0].block && e.index.abs_diff(own[0].index) < ring.len())
            && turns.keys().all(before);
        if apart && set {
            let at = own[0].at;
            let first = ring[0];
            let members = ring
                .iter()
                .enumerate()
                .map(|(member, var)| {
                    let place = |case: usize| places[(member + case) % places.len()].clone();
                    (*var, (0..places.len()).map(place).collect())
                })
                .collect();
            let number = fresh(program, id, first);
            out.push(Pick {
                selector: named(number, at),
                members,
                number: Some(number),
                events: HashMap::from([(at, Expr::int(0, INT, at))]),
                turns,
            });
        }
        events.retain(|(var, _)| !ring.contains(var));
    }
    out
}

/// Whether conditions lead to each case in one way only.
fn once(program: &Program, number: &Expr, cases: usize) -> bool {
    let conditions = matches!(number.kind, ExprKind::Cond(..));
    let mut leaves = 0;
    walk::parts(program, number, &mut |e| {
        leaves += usize::from(matches!(e.kind, ExprKind::Cond(..)));
    });
    !conditions || leaves + 1 == cases
}

/// Whether two pointers are set by the same conditions.
fn alike(program: &Program, a: &Tree, b: &Tree) -> bool {
    match (a, b) {
        (Tree::Place(_), Tree::Place(_)) => true,
        (Tree::Cond(c, yes, no), Tree::Cond(d, other_yes, other_no)) => {
            same(c, d)
                && quiet(program, c)
                && alike(program, yes, other_yes)
                && alike(program, no, other_no)
        }
        (Tree::Row(_, i), Tree::Row(_, j)) => same(core(program, i).0, core(program, j).0),
        _ => false,
    }
}

/// The number of the case that pointers are set to, all of them by the same conditions.
fn number(
    program: &Program,
    tables: &[Table],
    trees: &[&Tree],
    cases: &mut Vec<Vec<Expr>>,
    at: Span,
) -> Option<Expr> {
    let mut case = |own: Vec<Expr>| {
        let known = cases
            .iter()
            .position(|c| c.iter().zip(&own).all(|(a, b)| same(a, b)));
        let index = known.unwrap_or_else(|| {
            cases.push(own);
            cases.len() - 1
        });
        Expr::int(index as i128, INT, at)
    };
    match trees[0] {
        Tree::Place(_) => {
            let own: Option<Vec<Expr>> = trees
                .iter()
                .map(|t| match t {
                    Tree::Place(e) => Some(e.clone()),
                    _ => None,
                })
                .collect();
            Some(case(own?))
        }
        Tree::Cond(cond, ..) => {
            let side = |second: bool| -> Option<Vec<&Tree>> {
                trees
                    .iter()
                    .map(|t| match t {
                        Tree::Cond(_, yes, no) => Some(if second { &**yes } else { &**no }),
                        _ => None,
                    })
                    .collect()
            };
            // What holds where the condition does not comes first, so that a condition is 1 where it holds.
            let no = number(program, tables, &side(false)?, cases, at)?;
            let yes = number(program, tables, &side(true)?, cases, at)?;
            Some(Expr {
                kind: ExprKind::Cond(Box::new(cond.clone()), Box::new(yes), Box::new(no)),
                ty: INT,
                span: at,
            })
        }
        Tree::Row(var, index) => {
            let length = tables.iter().find(|t| t.var == *var)?.places.len();
            let (core, _) = core(program, index);
            // Other choices of the same pointer would need numbers of their own.
            if !cases.is_empty() {
                return None;
            }
            for value in 0..length {
                let own: Option<Vec<Expr>> = trees
                    .iter()
                    .map(|t| match t {
                        Tree::Row(var, index) => row(program, tables, *var, index, value),
                        _ => None,
                    })
                    .collect();
                cases.push(own?);
            }
            Some(core.clone().converted(&INT))
        }
    }
}

/// The place of `table[index]` where the core of the index has a value.
fn row(
    program: &Program,
    tables: &[Table],
    var: VarId,
    index: &Expr,
    value: usize,
) -> Option<Expr> {
    let table = tables.iter().find(|t| t.var == var)?;
    let at = core(program, index).1.of(value as i128);
    table.places.get(usize::try_from(at).ok()?).cloned()
}

/// How an index follows from its core: `1 - core`, `core ^ 1`, `!core`, or the core itself.
#[derive(Clone, Copy)]
enum By {
    Itself,
    From(i128),
    Other,
    Not,
}

impl By {
    fn of(self, core: i128) -> i128 {
        match self {
            By::Itself => core,
            By::From(n) => n - core,
            By::Other => core ^ 1,
            By::Not => i128::from(core == 0),
        }
    }
}

/// What an index depends on, and how.
fn core<'e>(program: &Program, index: &'e Expr) -> (&'e Expr, By) {
    let index = index.stripped();
    let (inner, by) = match &index.kind {
        ExprKind::Binary(BinaryOp::Sub, n, inner) => match consts::int_value(n, program) {
            Some(n) => (inner, By::From(n)),
            None => return (index, By::Itself),
        },
        ExprKind::Binary(BinaryOp::BitXor, inner, one)
            if consts::int_value(one, program) == Some(1) =>
        {
            (inner, By::Other)
        }
        ExprKind::Unary(UnaryOp::Not, inner) => (inner, By::Not),
        _ => return (index, By::Itself),
    };
    (inner.stripped(), by)
}

//! Local pointers that a condition gives one of two arrays, as codes do that step between two buffers:
//! `src = t % 2 ? b : a; dst = t % 2 ? a : b;`, the same with `if` and `else`, and as arguments of a call. They start as what
//! they are where the condition is false, and are exchanged where it is true.

use std::collections::HashSet;

use crate::ctypes::Type;
use crate::source::Span;
use crate::translate::base::flows::Holder;
use crate::translate::base::flows::{Source, flows};
use crate::translate::base::usage::{quiet, same};
use crate::typed::change::change;
use crate::typed::{
    Block, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, Storage, Var, VarId, walk,
};

/// A pointer that a condition sets.
struct Choice {
    var: VarId,
    cond: Expr,
    yes: Expr,
    no: Expr,
    /// The first place in the source that may stand for the two steps that it becomes.
    at: Span,
}

/// What is known of the function at hand.
struct Known {
    id: FnId,
    /// Variables that stand for one array each, all of their life.
    arrays: HashSet<VarId>,
    /// How often each local is mentioned, set, and used in a way that no name of an array can be.
    mentions: Vec<VarId>,
    set: Vec<VarId>,
    moved: HashSet<VarId>,
    /// Locals that are declared elsewhere now.
    redeclared: Vec<VarId>,
}

/// Makes such choices exchanges; whether there was one.
pub(crate) fn exchange(program: &mut Program) -> bool {
    let arrays = arrays(program);
    let ids: Vec<FnId> = program.defined().collect();
    let mut changed = false;
    for id in ids {
        let mut known = Known {
            id,
            arrays: arrays.clone(),
            mentions: Vec::new(),
            set: Vec::new(),
            moved: HashSet::new(),
            redeclared: Vec::new(),
        };
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Var(var) => known.mentions.push(*var),
                ExprKind::Assign(place, _) => known.set.extend(place.as_var()),
                ExprKind::Compound { place, .. }
                | ExprKind::Step { place, .. }
                | ExprKind::AddrOf(place) => known.moved.extend(place.as_var()),
                _ => {}
            });
        }
        let Some(mut body) = program.functions[id.0 as usize].body.take() else {
            continue;
        };
        changed |= block(program, &mut known, &mut body);
        for var in &known.redeclared {
            undeclare(&mut body, *var);
        }
        program.functions[id.0 as usize].body = Some(body);
    }
    changed
}

/// Arrays, parameters that are never set, and pointers that hold memory of their own.
fn arrays(program: &Program) -> HashSet<VarId> {
    let mut set = HashSet::new();
    for id in program.defined() {
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Assign(place, _)
                | ExprKind::Compound { place, .. }
                | ExprKind::Step { place, .. }
                | ExprKind::AddrOf(place) => set.extend(place.as_var()),
                _ => {}
            });
        }
    }
    let flows = flows(program);
    let owns = |var: VarId| {
        let mut all = flows.iter().filter(|f| f.to == Holder::Var(var)).peekable();
        all.peek().is_some() && all.all(|f| matches!(f.from, Source::Alloc | Source::Null))
    };
    (0..program.vars.len() as u32)
        .map(VarId)
        .filter(|id| {
            let var = program.var(*id);
            match &var.ty {
                Type::Array(element, _) => element.is_arithmetic() && !element.is_char(),
                ty if !ty
                    .element()
                    .is_some_and(|e| e.is_arithmetic() && !e.is_char()) =>
                {
                    false
                }
                _ if var.storage == Storage::Param => !set.contains(id),
                _ => owns(*id),
            }
        })
        .collect()
}

fn block(program: &mut Program, known: &mut Known, body: &mut Block) -> bool {
    let mut changed = false;
    for stmt in &mut body.stmts {
        changed |= inner(program, known, stmt);
    }
    let mut at = 0;
    while at < body.stmts.len() {
        let mut group = choices(program, known, &body.stmts[at..]);
        let mut count = usize::from(!group.is_empty());
        while count > 0 && group.iter().all(|c| quiet(program, &c.cond)) {
            let more = choices(program, known, &body.stmts[at + count..]);
            if more.is_empty() || !more.iter().all(|c| same(&c.cond, &group[0].cond)) {
                break;
            }
            group.extend(more);
            count += 1;
        }
        if count == 0 {
            at += 1;
            continue;
        }
        let old: Vec<Stmt> = body.stmts.drain(at..at + count).collect();
        let new = steps(program, known, old, group);
        let end = at + new.len();
        body.stmts.splice(at..at, new);
        at = end;
        changed = true;
    }
    changed
}

fn inner(program: &mut Program, known: &mut Known, stmt: &mut Stmt) -> bool {
    hoist(program, known, stmt);
    match &mut stmt.kind {
        StmtKind::Block(b) => block(program, known, b),
        StmtKind::If {
            then, otherwise, ..
        } => {
            let mut changed = inner(program, known, then);
            if let Some(s) = otherwise {
                changed |= inner(program, known, s);
            }
            changed
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => inner(program, known, body),
        _ => false,
    }
}

/// The choices of the first of these statements, if it does nothing else.
fn choices(program: &Program, known: &Known, stmts: &[Stmt]) -> Vec<Choice> {
    let Some(stmt) = stmts.first().filter(|s| s.directives.is_empty()) else {
        return Vec::new();
    };
    let found = match &stmt.kind {
        StmtKind::Decl(vars) => {
            let found: Vec<Choice> = vars
                .iter()
                .filter_map(|var| match &program.var(*var).init {
                    Some(Init::Expr(value)) if !known.set.contains(var) => chosen(*var, value),
                    _ => None,
                })
                .collect();
            // What follows in the same declaration may not use them yet.
            let of = |id: VarId| found.iter().any(|c| c.var == id);
            let early = vars.iter().any(|var| match &program.var(*var).init {
                Some(Init::Expr(e)) => mentions(program, e, &of),
                Some(Init::List(_)) => true,
                None => false,
            });
            if early { Vec::new() } else { found }
        }
        StmtKind::Expr(e) => match &e.kind {
            ExprKind::Assign(place, value) => place
                .as_var()
                .and_then(|var| chosen(var, value))
                .filter(|c| may_move(program, known, c.var, stmts, 1))
                .into_iter()
                .collect(),
            _ => Vec::new(),
        },
        StmtKind::If {
            cond,
            then,
            otherwise: Some(otherwise),
        } => {
            let (yes, no) = (assigned(then), assigned(otherwise));
            let pairs: Vec<Choice> = yes
                .iter()
                .filter_map(|(var, yes)| {
                    let (_, no) = no.iter().find(|(other, _)| other == var)?;
                    may_move(program, known, *var, stmts, 2).then(|| Choice {
                        var: *var,
                        cond: cond.clone(),
                        yes: (*yes).clone(),
                        no: (*no).clone(),
                        at: cond.span,
                    })
                })
                .collect();
            if pairs.len() == yes.len() && pairs.len() == no.len() {
                pairs
            } else {
                Vec::new()
            }
        }
        _ => Vec::new(),
    };
    let fits = |c: &Choice| {
        let array = |e: &Expr| e.stripped().as_var().filter(|v| known.arrays.contains(v));
        let (yes, no) = (array(&c.yes), array(&c.no));
        yes.is_some()
            && no.is_some()
            && yes != no
            && c.at.hi > c.at.lo + 1
            && program.var(c.var).storage == Storage::Local
            && !known.moved.contains(&c.var)
    };
    if found.iter().all(fits) {
        found
    } else {
        Vec::new()
    }
}

fn chosen(var: VarId, value: &Expr) -> Option<Choice> {
    match &value.stripped().kind {
        ExprKind::Cond(cond, yes, no) if value.ty.is_pointer() => Some(Choice {
            var,
            cond: (**cond).clone(),
            yes: (**yes).clone(),
            no: (**no).clone(),
            at: value.stripped().span,
        }),
        _ => None,
    }
}

/// The variables that a statement sets, and to what; nothing if it does more.
fn assigned(stmt: &Stmt) -> Vec<(VarId, &Expr)> {
    let all = match &stmt.kind {
        StmtKind::Block(b) => &b.stmts[..],
        _ => std::slice::from_ref(stmt),
    };
    let one = |s: &'_ Stmt| s.directives.is_empty();
    let found: Vec<(VarId, &Expr)> = all
        .iter()
        .filter_map(|s| match &s.kind {
            StmtKind::Expr(Expr {
                kind: ExprKind::Assign(place, value),
                ..
            }) if one(s) && place.ty.is_pointer() => Some((place.as_var()?, &**value)),
            _ => None,
        })
        .collect();
    if found.len() == all.len() {
        found
    } else {
        Vec::new()
    }
}

/// Whether a local without initial value is used nowhere but here and in what follows in this block, and set so often only.
fn may_move(program: &Program, known: &Known, var: VarId, stmts: &[Stmt], times: usize) -> bool {
    let count = |all: &[VarId]| all.iter().filter(|v| **v == var).count();
    let mut here = 0;
    for stmt in stmts {
        walk::exprs(program, stmt, &mut |e| {
            here += usize::from(e.as_var() == Some(var));
        });
    }
    program.var(var).init.is_none() && count(&known.set) == times && count(&known.mentions) == here
}

fn mentions(program: &Program, e: &Expr, of: &dyn Fn(VarId) -> bool) -> bool {
    let mut hit = false;
    walk::parts(program, e, &mut |part| {
        hit |= part.as_var().is_some_and(of);
    });
    hit
}

/// The statements that such a group becomes: declarations, then the exchange where the condition holds.
fn steps(
    program: &mut Program,
    known: &mut Known,
    old: Vec<Stmt>,
    group: Vec<Choice>,
) -> Vec<Stmt> {
    let mut out = Vec::new();
    let start = |program: &mut Program, var: VarId, value: &Expr, at: Span| {
        let mut value = value.clone();
        change(&mut value, &mut |e| {
            e.span = Span {
                hi: at.lo + 1,
                ..at
            }
        });
        value = value.converted(&program.var(var).ty);
        program.vars[var.0 as usize].init = Some(Init::Expr(Box::new(value)));
    };
    for stmt in old {
        if matches!(stmt.kind, StmtKind::Decl(_)) {
            out.push(stmt);
            continue;
        }
        let within = |c: &&Choice| stmt.span.lo <= c.at.lo && c.at.hi <= stmt.span.hi;
        let vars: Vec<VarId> = group.iter().filter(within).map(|c| c.var).collect();
        for var in &vars {
            program.vars[var.0 as usize].span = stmt.span;
            known.redeclared.push(*var);
        }
        out.push(Stmt {
            kind: StmtKind::Decl(vars),
            ..stmt
        });
    }
    let mut pairs: Vec<(VarId, VarId)> = Vec::new();
    let mut done: HashSet<VarId> = HashSet::new();
    let last = group[group.len() - 1].at;
    for (at, choice) in group.iter().enumerate() {
        start(program, choice.var, &choice.no, choice.at);
        if done.contains(&choice.var) {
            continue;
        }
        let twin = group[at + 1..].iter().find(|c| {
            let crossed = |a: &Expr, b: &Expr| a.stripped().as_var() == b.stripped().as_var();
            !done.contains(&c.var) && crossed(&c.yes, &choice.no) && crossed(&c.no, &choice.yes)
        });
        let other = match twin {
            Some(c) => c.var,
            None => {
                let own = program.var(choice.var).clone();
                let other = fresh(program, &own, "other");
                start(program, other, &choice.yes, choice.at);
                out.push(stmt(StmtKind::Decl(vec![other]), choice.at));
                other
            }
        };
        done.extend([choice.var, other]);
        pairs.push((choice.var, other));
    }
    let at = Span {
        lo: last.lo + 1,
        ..last
    };
    let swaps = pairs
        .into_iter()
        .zip(at.lo..)
        .flat_map(|((a, b), lo)| {
            // Exchanges are told apart by where they stand.
            let lo = lo.min(at.hi.saturating_sub(1));
            swap(program, a, b, Span { lo, ..at })
        })
        .collect();
    let then = stmt(
        StmtKind::Block(Block {
            stmts: swaps,
            trailing: Vec::new(),
        }),
        at,
    );
    let kind = StmtKind::If {
        cond: group[0].cond.clone(),
        then: Box::new(then),
        otherwise: None,
    };
    out.push(stmt(kind, last));
    out
}

fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt {
        kind,
        span,
        directives: Vec::new(),
        comments: Vec::new(),
    }
}

/// A local like another one.
fn fresh(program: &mut Program, like: &Var, stem: &str) -> VarId {
    program.vars.push(Var {
        name: format!("{}_{stem}", like.name),
        init: None,
        ..like.clone()
    });
    VarId(program.vars.len() as u32 - 1)
}

/// `t = a; a = b; b = t;`
fn swap(program: &mut Program, a: VarId, b: VarId, at: Span) -> [Stmt; 3] {
    let ty = program.var(a).ty.clone();
    let own = program.var(a).clone();
    let helper = fresh(program, &own, "kept");
    let var = |id| Expr {
        kind: ExprKind::Var(id),
        ty: ty.clone(),
        span: at,
    };
    let set = |to, from| {
        let kind = ExprKind::Assign(Box::new(var(to)), Box::new(var(from)));
        let ty = ty.clone();
        stmt(StmtKind::Expr(Expr { kind, ty, span: at }), at)
    };
    let (first, second) = (set(a, b), set(b, helper));
    program.vars[helper.0 as usize].init = Some(Init::Expr(Box::new(var(a))));
    [stmt(StmtKind::Decl(vec![helper]), at), first, second]
}

/// Gives arguments that a condition chooses names of their own: `step(t % 2 ? a : b)` as `{ p = t % 2 ? a : b; step(p); }`.
fn hoist(program: &mut Program, known: &Known, whole: &mut Stmt) {
    if !whole.directives.is_empty() {
        return;
    }
    let StmtKind::Expr(e) = &mut whole.kind else {
        return;
    };
    let call = match &mut e.kind {
        ExprKind::Assign(place, value) | ExprKind::Compound { place, value, .. }
            if place.as_var().is_some() =>
        {
            &mut **value
        }
        _ => e,
    };
    let ExprKind::Call { callee, args } = &mut call.kind else {
        return;
    };
    let params = program.function(*callee).params.clone();
    // One choice alone is a slice or another, which an argument may be.
    let array = |e: &Expr| {
        let var = e.stripped().as_var();
        var.filter(|v| known.arrays.contains(v))
    };
    let both: Vec<[VarId; 2]> = params
        .iter()
        .zip(args.iter())
        .filter_map(|(param, arg)| {
            let choice = chosen(*param, arg).filter(|c| quiet(program, &c.cond))?;
            Some([array(&choice.yes)?, array(&choice.no)?])
        })
        .collect();
    let named = |id: VarId| both.iter().any(|two| two.contains(&id));
    let others = params
        .iter()
        .zip(args.iter())
        .filter(|(param, arg)| chosen(**param, arg).is_none())
        .any(|(_, arg)| mentions(program, arg, &named));
    if others || !both.iter().any(|[yes, no]| both.contains(&[*no, *yes])) {
        return;
    }
    let mut end = call.span.lo;
    let mut vars = Vec::new();
    for (param, arg) in params.iter().zip(args) {
        let Some(choice) = chosen(*param, arg) else {
            continue;
        };
        if array(&choice.yes).is_none()
            || array(&choice.no).is_none()
            || !quiet(program, &choice.cond)
        {
            continue;
        }
        let own = Var {
            storage: Storage::Local,
            span: Span {
                hi: whole.span.lo + 1,
                ..whole.span
            },
            owner: Some(known.id),
            array_param: None,
            ty: arg.ty.clone(),
            ..program.var(*param).clone()
        };
        let var = fresh(program, &own, "now");
        let (ty, span) = (arg.ty.clone(), arg.span);
        let name = Expr {
            kind: ExprKind::Var(var),
            ty,
            span: Span {
                lo: span.hi,
                hi: span.hi + 1,
                ..span
            },
        };
        let value = std::mem::replace(arg, name);
        program.vars[var.0 as usize].init = Some(Init::Expr(Box::new(value)));
        vars.push(var);
        end = end.max(span.hi);
    }
    if vars.is_empty() {
        return;
    }
    // The call stands behind the choices.
    call.span.lo = end;
    let comments = std::mem::take(&mut whole.comments);
    let call = stmt(whole.kind.clone(), whole.span);
    let mut stmts: Vec<Stmt> = vars
        .into_iter()
        .map(|var| stmt(StmtKind::Decl(vec![var]), whole.span))
        .collect();
    stmts.push(call);
    whole.kind = StmtKind::Block(Block {
        stmts,
        trailing: Vec::new(),
    });
    whole.comments = comments;
}

/// Takes a local out of the first declaration that has it; whether there was one.
fn undeclare(body: &mut Block, var: VarId) -> bool {
    for at in 0..body.stmts.len() {
        if out_of(&mut body.stmts[at], var) {
            let stmt = &body.stmts[at];
            if stmt.kind == StmtKind::Empty && stmt.comments.is_empty() {
                body.stmts.remove(at);
            }
            return true;
        }
    }
    false
}

fn out_of(stmt: &mut Stmt, var: VarId) -> bool {
    match &mut stmt.kind {
        StmtKind::Decl(vars) => {
            let before = vars.len();
            vars.retain(|v| *v != var);
            let found = vars.len() < before;
            if vars.is_empty() {
                stmt.kind = StmtKind::Empty;
            }
            found
        }
        StmtKind::Block(b) => undeclare(b, var),
        StmtKind::If {
            then, otherwise, ..
        } => out_of(then, var) || otherwise.iter_mut().any(|s| out_of(s, var)),
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => out_of(body, var),
        StmtKind::Switch { arms, .. } => arms
            .iter_mut()
            .flat_map(|a| &mut a.body)
            .any(|s| out_of(s, var)),
        _ => false,
    }
}

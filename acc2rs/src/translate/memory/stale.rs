//! Positions whose array gives way to another one while they are in use: `old = t->keys; t->keys = malloc(n); … old[i]`. In C
//! `old` still points to the memory it was set to, a position would go over to the new one.
//!
//! Where nothing uses the place between the two, the local takes the memory over; everything else is refused.

use std::collections::{BTreeSet, HashMap};

use super::shape::{Shape, Shapes};
use crate::codes;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::translate::base::flows::Holder;
use crate::translate::base::flows::member_of;
use crate::translate::base::places::{is_global, root};
use crate::translate::base::usage::same;
use crate::typed::walk;
use crate::typed::{Block, Expr, ExprKind, FnId, Init, Program, StmtKind, VarId};

/// The fields and globals that each function makes point elsewhere, itself or by what it calls.
type Changes = HashMap<FnId, BTreeSet<(u32, u32)>>;

/// Globals among [`Changes`] have no struct.
const GLOBAL: u32 = u32::MAX;

impl Shapes {
    /// Gives locals the memory that they take over from a place, and reports positions that would go astray.
    pub(crate) fn stale(&mut self, program: &Program, report: &mut Vec<Diagnostic>) {
        let changes = changes(program);
        for id in program.defined() {
            let Some(body) = &program.function(id).body else {
                continue;
            };
            for var in locals(program, body) {
                let Some(Shape::Cursor { base, .. }) = self.var(var).cloned() else {
                    continue;
                };
                let story = Story::new(self, program, &changes, body, var, &base);
                let Some(at) = story.astray() else { continue };
                if takes_over(program, body, var, &base, &story) {
                    self.own(var);
                    continue;
                }
                let message = format!(
                    "`{}` is used after the pointer that it was set from has been made to point elsewhere",
                    program.var(var).name
                );
                report.push(
                    Diagnostic::new(codes::LOST_POINTER, at, message)
                        .help("set it anew, or use an index into the array that is meant"),
                );
            }
        }
    }
}

/// The locals of a function but those that an exchange goes through.
fn locals(program: &Program, body: &Block) -> Vec<VarId> {
    let helpers = crate::translate::base::swap::swaps(program, body).helpers;
    let mut out = Vec::new();
    walk::stmts(program, body, &mut |s| {
        if let StmtKind::Decl(vars) = &s.kind {
            let own = vars
                .iter()
                .filter(|v| !is_global(program, **v) && !helpers.contains(v));
            out.extend(own);
        }
    });
    out
}

/// Whether a value is the memory that a place holds already, made larger.
fn resized(program: &Program, place: &Expr, value: &Expr) -> bool {
    matches!(&value.stripped().kind, ExprKind::Call { callee, args }
        if program.function(*callee).name == "realloc" && args.first().is_some_and(|a| same(a.stripped(), place)))
}

fn changes(program: &Program) -> Changes {
    let mut out = Changes::new();
    let mut calls: HashMap<FnId, Vec<FnId>> = HashMap::new();
    for id in program.defined() {
        let own = out.entry(id).or_default();
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Assign(place, value)
                    if place.ty.is_pointer() && !resized(program, place, value) =>
                {
                    match (member_of(place), place.as_var()) {
                        (Some(Holder::Field(of, at)), _) => _ = own.insert((of.0, at)),
                        (_, Some(var)) if is_global(program, var) => {
                            own.insert((GLOBAL, var.0));
                        }
                        _ => {}
                    }
                }
                ExprKind::Call { callee, .. } => calls.entry(id).or_default().push(*callee),
                _ => {}
            });
        }
    }
    loop {
        let mut grown = false;
        for (caller, callees) in &calls {
            for callee in callees {
                let more = out.get(callee).cloned().unwrap_or_default();
                let own = out.entry(*caller).or_default();
                let before = own.len();
                own.extend(more);
                grown |= own.len() > before;
            }
        }
        if !grown {
            return out;
        }
    }
}

/// Where a position is set and used, and where its array gives way, in the order of the source.
struct Story {
    set: Vec<Span>,
    used: Vec<Span>,
    gone: Vec<Span>,
    loops: Vec<Span>,
}

fn within(inner: Span, outer: Span) -> bool {
    inner.unit == outer.unit && outer.lo <= inner.lo && inner.hi <= outer.hi
}

impl Story {
    fn new(
        shapes: &Shapes,
        program: &Program,
        changes: &Changes,
        body: &Block,
        var: VarId,
        base: &Expr,
    ) -> Story {
        let mut story = Story {
            set: Vec::new(),
            used: Vec::new(),
            gone: Vec::new(),
            loops: Vec::new(),
        };
        let exchanged = crate::translate::base::swap::swaps(program, body);
        // What the position itself is set by is no use of it.
        let mut own: Vec<Span> = Vec::new();
        walk::stmts(program, body, &mut |s| match &s.kind {
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => {
                story.loops.push(s.span);
            }
            StmtKind::Decl(vars) if vars.contains(&var) && program.var(var).init.is_some() => {
                story.set.push(s.span);
            }
            _ => {}
        });
        for stmt in &body.stmts {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Assign(place, value) if place.ty.is_pointer() => {
                    if place.as_var() == Some(var) {
                        story.set.push(e.span);
                        own.push(place.span);
                        return;
                    }
                    let moved_on = place
                        .as_var()
                        .is_some_and(|id| shapes.var(id) == Some(&Shape::Slice))
                        && !exchanged.covers(e.span);
                    if gives_way(base, place) && !resized(program, place, value) && !moved_on
                        || reached_through(program, base, place)
                    {
                        story.gone.push(e.span);
                    }
                }
                ExprKind::Step { place, .. } | ExprKind::Compound { place, .. }
                    if place.ty.is_pointer() && reached_through(program, base, place) =>
                {
                    story.gone.push(e.span);
                }
                ExprKind::Call { callee, args } => {
                    if program.function(*callee).name == "free" {
                        own.extend(args.iter().map(|a| a.stripped().span));
                    }
                    let known = changes.get(callee);
                    let changed = |key| known.is_some_and(|k| k.contains(&key));
                    let mut hit = false;
                    walk::parts(
                        program,
                        base,
                        &mut |part| match (member_of(part), part.as_var()) {
                            (Some(Holder::Field(of, at)), _) => hit |= changed((of.0, at)),
                            (_, Some(id)) => hit |= changed((GLOBAL, id.0)),
                            _ => {}
                        },
                    );
                    let params = &program.function(*callee).params;
                    hit |= params.iter().zip(args).any(|(param, arg)| {
                        shapes.var(*param) == Some(&Shape::OwnedRef)
                            && matches!(&arg.stripped().kind, ExprKind::AddrOf(place) if same(place, base))
                    });
                    if hit {
                        story.gone.push(e.span);
                    }
                }
                ExprKind::Var(id)
                    if *id == var && !own.contains(&e.span) && !exchanged.covers(e.span) =>
                {
                    story.used.push(e.span);
                }
                _ => {}
            });
        }
        story
    }

    /// The first use after the array gave way and before the position is set anew.
    fn astray(&self) -> Option<Span> {
        let set_between = |from: u32, to: u32| self.set.iter().any(|s| from <= s.lo && s.lo < to);
        let used = self.used.iter().find(|used| {
            self.gone.iter().any(|gone| {
                let set_before = self.set.iter().any(|s| s.lo < gone.lo);
                let after = gone.hi <= used.lo && set_before && !set_between(gone.lo, used.lo);
                // Or in the next round of a loop around both.
                let again = used.lo < gone.lo
                    && self.loops.iter().any(|l| {
                        within(**used, *l)
                            && within(*gone, *l)
                            && !set_between(l.lo, used.lo)
                            && !set_between(gone.lo, l.hi)
                    });
                after || again
            })
        });
        used.copied()
    }
}

/// Whether an assignment to `place` makes the pointer that `base` is point elsewhere.
fn gives_way(base: &Expr, place: &Expr) -> bool {
    let rows = |a: &Expr, b: &Expr| match (&a.kind, &b.kind) {
        (ExprKind::Index(a, _), ExprKind::Index(b, _)) => same(a, b),
        _ => false,
    };
    base.ty.is_pointer() && (same(base, place) || rows(base, place))
}

/// Whether `base` is reached through the pointer variable that `place` is: `p->data` goes where `p` goes.
fn reached_through(program: &Program, base: &Expr, place: &Expr) -> bool {
    let Some(id) = place.as_var() else {
        return false;
    };
    base.as_var().is_none() && root(base) == Some(id) && program.var(id).ty.is_pointer()
}

/// Whether a local that is set from a place where it is declared may keep the memory: the place gets other memory in the
/// same block, and nothing looks at it before.
fn takes_over(program: &Program, body: &Block, var: VarId, base: &Expr, story: &Story) -> bool {
    let ([set], Some(gone)) = (&story.set[..], story.gone.iter().min_by_key(|g| g.lo)) else {
        return false;
    };
    let value = match &program.var(var).init {
        Some(Init::Expr(value)) => value,
        _ => return false,
    };
    let exchanged = crate::translate::base::swap::swaps(program, body).covers(*gone);
    if exchanged || !base.ty.is_pointer() || !same(value.stripped(), base) {
        return false;
    }
    let mut found = false;
    let mut look = |stmts: &[crate::typed::Stmt]| {
        let first = stmts.iter().position(|s| s.span == *set);
        let last = stmts.iter().position(
            |s| matches!(&s.kind, StmtKind::Expr(e) if e.span == *gone && sets(program, e, base)),
        );
        if let (Some(first), Some(last)) = (first, last) {
            found = stmts[first + 1..last].iter().all(|s| {
                let mut apart = true;
                walk::exprs(program, s, &mut |e| {
                    apart &= !touches(e, base);
                    // Who else sees a global is not looked for.
                    let own = matches!(e.kind, ExprKind::Call { callee, .. } if program.function(callee).body.is_some());
                    apart &= !(own && root(base).is_some_and(|id| is_global(program, id)));
                });
                apart
            });
        }
    };
    look(&body.stmts);
    walk::stmts(program, body, &mut |s| {
        if let StmtKind::Block(b) = &s.kind {
            look(&b.stmts);
        }
    });
    found
}

/// Whether an expression gives a place other memory before it looks at it: an assignment, or a call of a function that
/// starts with one.
fn sets(program: &Program, e: &Expr, base: &Expr) -> bool {
    match &e.kind {
        ExprKind::Assign(place, value) => same(place, base) && !mentions(program, value, base),
        ExprKind::Call { callee, .. } => {
            let Some(field) = member_of(base) else {
                return false;
            };
            let looks = |e: &Expr| {
                let mut hit = false;
                walk::parts(program, e, &mut |part| {
                    hit |= member_of(part) == Some(field)
                });
                hit
            };
            let stmts = program.function(*callee).body.iter().flat_map(|b| &b.stmts);
            let mut first = stmts.filter(|s| {
                let mut hit = false;
                walk::exprs(program, s, &mut |e| {
                    hit |= member_of(e) == Some(field) || matches!(e.kind, ExprKind::Call { callee, .. } if program.function(callee).body.is_some());
                });
                hit
            });
            first.next().is_some_and(|s| {
                matches!(&s.kind, StmtKind::Expr(Expr { kind: ExprKind::Assign(place, value), .. })
                    if member_of(place) == Some(field) && !looks(value))
            })
        }
        _ => false,
    }
}

/// Whether an expression looks at a place: by itself, or by passing on what holds it.
fn touches(e: &Expr, base: &Expr) -> bool {
    match &e.kind {
        ExprKind::Call { args, .. } => args
            .iter()
            .any(|a| a.ty.is_pointer() && root(a).is_some() && root(a) == root(base)),
        _ => same(e, base),
    }
}

fn mentions(program: &Program, e: &Expr, base: &Expr) -> bool {
    let mut hit = false;
    walk::parts(program, e, &mut |part| hit |= touches(part, base));
    hit
}

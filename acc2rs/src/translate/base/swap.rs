//! The exchange of pointers through a helper, as time-stepping codes do: `t = a; a = b; b = t;`, which becomes
//! `std::mem::swap`, the same around a ring of several, and functions that exchange what two pointers point to.

use std::collections::HashMap;

use super::places::root;
use super::usage::same;
use crate::source::Span;
use crate::typed::walk;
use crate::typed::{Block, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, VarId};

/// The exchanges of a function, by the first of their statements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Swaps {
    found: HashMap<Span, Vec<Expr>>,
    /// How many statements an exchange takes beyond the number of its places.
    more: HashMap<Span, usize>,
    covered: Vec<Span>,
    /// The helper variables.
    pub(crate) helpers: Vec<VarId>,
}

impl Swaps {
    /// Whether an assignment is part of an exchange.
    pub(crate) fn covers(&self, span: Span) -> bool {
        self.covered
            .iter()
            .any(|c| c.unit == span.unit && c.lo <= span.lo && span.hi <= c.hi)
    }

    /// Everything that an exchange assigns to, as often as one does.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Expr> {
        self.found.values().flatten()
    }

    /// The exchanges: where each starts, what it exchanges, and how many statements it takes.
    pub(crate) fn all(&self) -> Vec<(Span, &[Expr], usize)> {
        let mut out: Vec<(Span, &[Expr], usize)> = self
            .found
            .keys()
            .filter_map(|span| self.at(*span).map(|(ring, count)| (*span, ring, count)))
            .collect();
        out.sort_by_key(|(span, ..)| (span.unit, span.lo));
        out
    }

    /// The exchanges of two variables.
    pub(crate) fn pairs(&self) -> Vec<(VarId, VarId)> {
        let rings = self.found.values().flat_map(|ring| ring.windows(2));
        let mut out: Vec<_> = rings
            .filter_map(|two| Some((two[0].as_var()?, two[1].as_var()?)))
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The places that the statement which starts here and those after it exchange: each gets what the next one holds, the
    /// last one what the first held. And how many statements those are.
    pub(crate) fn at(&self, span: Span) -> Option<(&[Expr], usize)> {
        let ring = self.found.get(&span)?;
        Some((ring, ring.len() + self.more.get(&span)?))
    }
}

/// Finds `t = a; a = b; b = t;` on pointers and its longer relatives, where `t` is used for nothing else nearby.
pub(crate) fn swaps(program: &Program, body: &Block) -> Swaps {
    let mut out = Swaps::default();
    look(program, body, &mut out);
    walk::stmts(program, body, &mut |s| {
        if let StmtKind::Block(inner) = &s.kind {
            look(program, inner, &mut out);
        }
    });
    // A helper that is read elsewhere keeps one of the pointers, and nothing is exchanged.
    let mut mentions: HashMap<VarId, usize> = HashMap::new();
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| {
            if let Some(id) = e.as_var() {
                *mentions.entry(id).or_default() += 1;
            }
        });
    }
    let own = |id: &VarId| 2 * out.helpers.iter().filter(|h| *h == id).count();
    if out
        .helpers
        .iter()
        .any(|h| mentions.get(h).copied().unwrap_or(0) > own(h))
    {
        return Swaps::default();
    }
    out
}

fn look(program: &Program, block: &Block, out: &mut Swaps) {
    for at in 0..block.stmts.len() {
        let stmts = &block.stmts[at..];
        if let Some((helper, ring)) = ring(program, stmts) {
            out.covered
                .extend(stmts[..=ring.len()].iter().map(|s| s.span));
            out.more.insert(stmts[0].span, 1);
            out.found.insert(stmts[0].span, ring);
            out.helpers.push(helper);
        } else if let Some(pair) = crossed(program, stmts) {
            out.covered.extend(stmts[..2].iter().map(|s| s.span));
            out.more.insert(stmts[0].span, 0);
            out.found.insert(stmts[0].span, pair);
        }
    }
}

fn ring(program: &Program, stmts: &[Stmt]) -> Option<(VarId, Vec<Expr>)> {
    let (helper, first) = opening(program, stmts.first()?)?;
    if !first.ty.is_pointer() {
        return None;
    }
    let mut ring = vec![first.clone()];
    for stmt in &stmts[1..] {
        let (place, value) = assignment(stmt)?;
        if !same(place, ring.last()?) {
            return None;
        }
        if value.as_var() == Some(helper) {
            return (ring.len() > 1).then_some((helper, ring));
        }
        ring.push(value.clone());
    }
    None
}

/// `a = y; b = x;` where the locals `x` and `y` are what `a` and `b` held when they were declared.
fn crossed(program: &Program, stmts: &[Stmt]) -> Option<Vec<Expr>> {
    let [first, second, ..] = stmts else {
        return None;
    };
    let ((a, y), (b, x)) = (assignment(first)?, assignment(second)?);
    let held = |local: &Expr, place: &Expr| {
        local.as_var().is_some_and(|id| {
            matches!(&program.var(id).init, Some(Init::Expr(value)) if same(bare(value), place))
        })
    };
    let members = matches!(
        (&a.kind, &b.kind),
        (ExprKind::Member(..), ExprKind::Member(..))
    );
    (members && a.ty.is_pointer() && held(x, a) && held(y, b)).then(|| vec![a.clone(), b.clone()])
}

/// Whether a function does nothing but `t = *a; *a = *b; *b = t;` with its two parameters.
pub(crate) fn exchanges(program: &Program, id: FnId) -> bool {
    let function = program.function(id);
    let (Some(body), [a, b]) = (&function.body, &function.params[..]) else {
        return false;
    };
    let stmts = match &body.stmts[..] {
        // The helper may be declared by itself.
        [declared, rest @ ..]
            if rest.len() == 3
                && matches!(&declared.kind, StmtKind::Decl(vars) if vars.iter().all(|v| program.var(*v).init.is_none())) =>
        {
            rest
        }
        all => all,
    };
    let [first, second, third] = stmts else {
        return false;
    };
    let at = |e: &Expr, param: &VarId| matches!(&e.kind, ExprKind::Deref(p) if p.as_var() == Some(*param));
    let Some((helper, from)) = opening(program, first) else {
        return false;
    };
    let second = assignment(second).is_some_and(|(to, value)| at(to, a) && at(value, b));
    let third =
        assignment(third).is_some_and(|(to, value)| at(to, b) && value.as_var() == Some(helper));
    at(from, a) && second && third
}

/// All pointers that are exchanged anywhere in the program, by statements or by such functions.
pub(crate) fn exchanged(program: &Program) -> Vec<Expr> {
    let mut out = Vec::new();
    let bodies = program.defined().flat_map(|f| &program.function(f).body);
    for body in bodies {
        out.extend(swaps(program, body).places().cloned());
        for stmt in &body.stmts {
            walk::exprs(program, stmt, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind
                    && exchanges(program, *callee)
                {
                    out.extend(args.iter().filter_map(|a| match &a.stripped().kind {
                        ExprKind::AddrOf(place) if place.ty.is_pointer() => Some((**place).clone()),
                        _ => None,
                    }));
                }
            });
        }
    }
    out
}

/// Whether all calls of such a function are with two places in one array, which a method of slices exchanges.
pub(crate) fn within_arrays(program: &Program, id: FnId) -> bool {
    let mut all = exchanges(program, id);
    let bodies = program.defined().flat_map(|f| &program.function(f).body);
    for stmt in bodies.flat_map(|b| &b.stmts) {
        walk::exprs(program, stmt, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && *callee == id
            {
                all &= args.len() == 2 && root(&args[0]) == root(&args[1]);
            }
        });
    }
    all
}

fn bare(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast { value, .. } => bare(value),
        _ => e,
    }
}

fn opening<'a>(program: &'a Program, stmt: &'a Stmt) -> Option<(VarId, &'a Expr)> {
    if let StmtKind::Decl(vars) = &stmt.kind
        && let [var] = vars[..]
        && let Some(Init::Expr(e)) = &program.var(var).init
    {
        return Some((var, bare(e)));
    }
    let (place, value) = assignment(stmt)?;
    Some((place.as_var()?, value))
}

fn assignment(stmt: &Stmt) -> Option<(&Expr, &Expr)> {
    match &stmt.kind {
        StmtKind::Expr(Expr {
            kind: ExprKind::Assign(place, value),
            ..
        }) => Some((place, bare(value))),
        _ => None,
    }
}

/// The variables at the two ends of each exchange of a program.
pub(crate) fn pairs(program: &Program) -> Vec<(VarId, VarId)> {
    program
        .defined()
        .filter_map(|id| program.function(id).body.as_ref())
        .flat_map(|body| swaps(program, body).pairs())
        .collect()
}

/// How many exchanges assign to each variable.
pub(crate) fn assignments(program: &Program) -> HashMap<VarId, u32> {
    let mut out = HashMap::new();
    for id in program.defined() {
        if let Some(body) = &program.function(id).body {
            for place in swaps(program, body).places() {
                if let Some(var) = place.as_var() {
                    *out.entry(var).or_default() += 1;
                }
            }
        }
    }
    out
}

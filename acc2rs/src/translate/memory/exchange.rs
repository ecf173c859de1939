//! Local pointers that are exchanged with each other, as time-stepping codes do with names for the arrays of their
//! callers: they become slices of their own, which `std::mem::swap` exchanges.

use super::shape::{Shape, Shapes};
use crate::codes;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::translate::base::facts::Facts;
use crate::translate::base::places::{is_global, root};
use crate::translate::base::usage::dynamic;
use crate::typed::walk;
use crate::typed::{Block, Expr, ExprKind, Program, StmtKind, VarId};

impl Shapes {
    /// Gives exchanged positions slices of their own; reports those whose arrays are used by their own names meanwhile.
    pub(crate) fn exchanged(
        &mut self,
        program: &Program,
        facts: &Facts,
        report: &mut Vec<Diagnostic>,
    ) {
        for id in program.defined() {
            let Some(body) = &program.function(id).body else {
                continue;
            };
            for (a, b) in crate::translate::base::swap::swaps(program, body).pairs() {
                for (var, other) in [(a, b), (b, a)] {
                    let Some(Shape::Cursor {
                        base,
                        fixed: true,
                        single: false,
                    }) = self.var(var).cloned()
                    else {
                        continue;
                    };
                    if let Some(at) = lent_to_callee(program, facts, body, &[var, other], &base) {
                        report.push(
                            Diagnostic::new(
                                codes::GLOBAL_BORROWED,
                                at,
                                format!(
                                    "a function that uses globals is called while `{}`, which is exchanged with another pointer, may point into one",
                                    program.var(var).name
                                ),
                            )
                            .help("let the array be a local, or pass what the function needs"),
                        );
                    }
                    match used_meanwhile(program, body, &[var, other], &base) {
                        None if !dynamic(&base) => self.borrow(var, &base),
                        at => report.push(
                            Diagnostic::new(
                                codes::LOST_POINTER,
                                at.unwrap_or(program.var(var).span),
                                format!(
                                    "the array is used by its own name while `{}`, which is exchanged with another pointer, may point into it",
                                    program.var(var).name
                                ),
                            )
                            .help("use the exchanged pointers only, from their initialization to their last use"),
                        ),
                    }
                }
            }
        }
    }
}

/// Where a function that uses globals is called between the first and the last mention of a pointer into one.
fn lent_to_callee(
    program: &Program,
    facts: &Facts,
    body: &Block,
    pair: &[VarId; 2],
    base: &Expr,
) -> Option<Span> {
    let var = pair[0];
    root(base).filter(|array| is_global(program, *array))?;
    let (mut uses, mut calls) = (vec![program.var(var).span], Vec::new());
    let mut partner = Vec::new();
    let changing = |id: &VarId| is_global(program, *id) && !program.var(*id).constant;
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| match &e.kind {
            ExprKind::Var(id) if *id == var => uses.push(e.span),
            ExprKind::Var(id) if pair.contains(id) => partner.push(e.span),
            ExprKind::Call { callee, .. }
                if facts.function(*callee).globals.iter().any(changing) =>
            {
                calls.push(e.span)
            }
            _ => {}
        });
    }
    let set = match program.var(var).init {
        Some(_) => uses[0].lo,
        None => uses.get(1).unwrap_or(&uses[0]).lo,
    };
    let uses: Vec<Span> = uses.into_iter().chain(partner).collect();
    let last = last_use(program, body, set, &uses)?;
    calls.into_iter().find(|c| c.lo > set && c.lo < last)
}

/// Where the last use of a variable is that has held something since `from`; what stands in a loop is used again in its
/// next round.
fn last_use(program: &Program, body: &Block, from: u32, uses: &[Span]) -> Option<u32> {
    let mut last = uses.iter().map(|u| u.hi).max()?;
    walk::stmts(program, body, &mut |s| {
        let again = matches!(
            s.kind,
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. }
        );
        if again && s.span.lo > from && uses.iter().any(|u| s.span.lo <= u.lo && u.hi <= s.span.hi)
        {
            last = last.max(s.span.hi);
        }
    });
    Some(last)
}

/// Where the array of `base` is mentioned between the declaration of the first of two pointers that are exchanged and the last
/// use of either, since both may point into it then.
fn used_meanwhile(program: &Program, body: &Block, pair: &[VarId; 2], base: &Expr) -> Option<Span> {
    let array = root(base)?;
    let var = pair[0];
    let (mut uses, mut others, mut set) = (Vec::new(), Vec::new(), Vec::new());
    let mut partner = Vec::new();
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| {
            match e.as_var() {
                Some(id) if id == var => uses.push(e.span),
                Some(id) if pair.contains(&id) => partner.push(e.span),
                Some(id) if id == array => others.push(e.span),
                _ => {}
            }
            // What a statement of its own sets the pointer to.
            if let ExprKind::Assign(place, value) = &e.kind
                && place.as_var() == Some(var)
                && program.var(var).init.is_none()
                && root(value) == Some(array)
            {
                walk::parts(program, value, &mut |part| {
                    if part.as_var() == Some(array) {
                        set.push(part.span);
                    }
                });
            }
        });
    }
    let declared = set.first().copied().unwrap_or(program.var(var).span);
    others.retain(|o| !set.contains(o));
    let first = others
        .iter()
        .position(|o| uses.iter().all(|u| o.lo < u.lo) && o.lo > declared.lo);
    let uses: Vec<Span> = uses.into_iter().chain(partner).collect();
    let last = last_use(program, body, declared.lo, &uses)?;
    others
        .iter()
        .enumerate()
        // The mention that initializes the pointer itself.
        .filter(|(at, _)| Some(*at) != first)
        .map(|(_, o)| *o)
        .find(|o| o.lo > declared.lo && o.lo < last)
}

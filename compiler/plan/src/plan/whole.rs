//! Loops that go in order, with loops inside that run in parallel and may be too short for that.
//!
//! ```text
//! for y in 1..h { for x in 0..w { m[y * w + x] = e[y * w + x] + …m[(y - 1) * w + x]…; } }
//! ```
//!
//! Where rows have been seen to be soon done, the rest of the nest runs as it is written: rustc knows more of an index where it sees both loops,
//! and nothing is asked for each row.

use crate::sorted::SortedSet;

use proc_macro2::Ident;
use syn::{Expr, ExprForLoop};

use super::LoopPlan;
use super::steps::Loops;
use crate::ir::Pattern;
use crate::parsed::candidate::Candidate;
use crate::parsed::fields::Bound;
use crate::syntax::visit::Visit;
use crate::syntax::without_parens;

/// A loop that goes in order.
#[derive(Clone)]
pub struct Whole {
    /// The loop as the user wrote it.
    pub syntax: ExprForLoop,
    /// Which `for` of the function it is.
    pub nth_for: usize,
    /// The numbers of the loops inside that run in parallel.
    pub inner: Vec<usize>,
    /// What is bound in it, which is not there before its first iteration.
    pub bound: SortedSet<String>,
}

/// The loops that may run as they are written although others inside run in parallel: whatever these leave behind where they end with a
/// panic. Outer ones first.
pub fn find(in_order: &[Candidate<'_>], planned: &[(&Candidate<'_>, &LoopPlan)]) -> Vec<Whole> {
    let found = in_order.iter().filter_map(|candidate| {
        let syntax = candidate.syntax;
        let loops = Loops::of(syntax);
        let inner: Vec<_> = planned
            .iter()
            .filter(|(inner, _)| loops.0.contains(&std::ptr::from_ref(inner.syntax)))
            .map(|(_, plan)| *plan)
            .collect();
        let mut bound = SortedSet::new();
        Bound(&mut |name| {
            bound.insert(name.clone());
        })
        .visit_expr_for_loop(syntax);
        let may = !inner.is_empty()
            && syntax.attrs.is_empty()
            && inner.iter().all(|plan| leaves_nothing(plan, &bound));
        may.then(|| Whole {
            syntax: syntax.clone(),
            nth_for: candidate.nth_for,
            inner: inner.iter().map(|plan| plan.ir.ordinal).collect(),
            bound,
        })
    });
    found.collect()
}

/// Whether a loop changes nothing but elements of its own, and locals of the loop around that are gone after a panic: what else it
/// changes is as before then.
fn leaves_nothing(plan: &LoopPlan, bound: &SortedSet<String>) -> bool {
    let Pattern::Histogram(roles) = &plan.pattern;
    let is_local = |place: &Expr| name(place).is_some_and(|name| bound.contains(&name.to_string()));
    let targets = plan.targets.iter().map(|target| &target.expr);
    let best = plan.best.iter().flat_map(|best| &best.places);
    let mut combined = targets.chain(best).chain(&plan.carried);
    roles.filled.is_empty()
        && roles.distinct.is_empty()
        && plan.grown.is_empty()
        && plan.keyed.is_empty()
        && combined.all(is_local)
}

fn name(place: &Expr) -> Option<&Ident> {
    match without_parens(place) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

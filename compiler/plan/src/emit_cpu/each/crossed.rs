//! Nests whose second loop is split as well: `for d in 0..depths { for y in 0..h { for x in 0..w { out[(d * h + y) * w + x] = … } } }`.
//!
//! The first of three loops is often short, over colours or depths, and its iterations would be too few for all cores, or for cores to end at the same time, and so
//! long that the first one, by which the loop is judged, is a good part of the call. Of two loops the second one stays whole: what the compiler makes of the innermost loop
//! counts for more.

use quote::ToTokens as _;
use syn::{Expr, Stmt};

use crate::ir::{Pattern, StmtKind};
use crate::parsed::iteration::{Base, Chain, Iteration, is_plain};
use crate::plan::LoopPlan;
use crate::syntax::names;

/// How many loops there are at least whose iterations all keep apart.
const LOOPS: usize = 3;

/// The plan with two loops split, where the iterations of more keep apart and nothing but elements of their own is written; and the second one is the same
/// for every iteration of the first.
pub(super) fn crossed(plan: &LoopPlan) -> Option<LoopPlan> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let grid = plan.grid.as_ref()?;
    let [Stmt::Expr(Expr::ForLoop(inner), _)] = &plan.syntax.body.stmts[..] else {
        return None;
    };
    let [outer] = &plan.iterations[..] else {
        return None;
    };
    // The second loop of the grid is the second one as it is written, and not one that was exchanged with it.
    let second = match &plan.ir.body.block.stmts.last()?.kind {
        StmtKind::For(of) => of.position,
        _ => return None,
    };
    let dims = &grid.ir.space;
    let apart = dims.len() >= LOOPS && dims[1].position == second;
    let alone = roles.targets.is_empty()
        && roles.filled.is_empty()
        && roles.distinct.is_empty()
        && plan.grown.is_empty()
        && plan.best.is_empty();
    let unmarked = inner.attrs.is_empty() && plan.syntax.label.is_none();
    let Expr::Range(range) = &*inner.expr else {
        return None;
    };
    let (start, end) = (range.start.as_deref()?, range.end.as_deref()?);
    let bound = names::bound_names(&outer.pat);
    let mut used = Vec::new();
    names::identifiers(range.to_token_stream(), &mut used);
    let early = is_plain(start) && is_plain(end) && !used.iter().any(|name| bound.contains(&name));
    let numbers = matches!(outer.chain.base, Base::Range { .. });
    if !(apart && alone && unmarked && early && numbers) {
        return None;
    }
    let mut plan = plan.clone();
    plan.crossed = true;
    plan.iterations.push(Iteration {
        pat: (*inner.pat).clone(),
        chain: Chain {
            base: Base::Range {
                start: start.clone(),
                end: end.clone(),
                inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
            },
            adaptors: Vec::new(),
            expr: (*inner.expr).clone(),
        },
    });
    Some(plan)
}

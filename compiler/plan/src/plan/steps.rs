//! Steps: a loop whose iterations follow each other, with loops inside that run in parallel, as one loop of a device.
//!
//! ```text
//! for y in 1..h { let (above, row) = …; for x in 0..w { row[x] = …above…; } }      h - 1 steps of w iterations
//! ```
//!
//! A gang takes all steps: each of its threads does what stands between the inner loops, and they deal out the iterations of
//! these and wait for each other behind each. So the inner loops have been accepted by themselves, and nothing between them touches elements
//! that they write, or takes a value from them. Whether anyone else looks at the elements meanwhile is for
//! `emit_gpu::stay` to say.

use crate::sorted::{Sorted, SortedSet};

use crate::syntax::visit::Visit as _;
use quote::ToTokens;
use syn::ExprForLoop;

use super::{LoopPlan, plan};
use crate::detect::Detected;
use crate::detect::grid::{Grid, most};
use crate::ir::visit::Visit;
use crate::ir::{
    Access, ArrayId, BinaryOp, Dim, Expr, ExprKind, Guard, Histogram, Loop, LoopLabel, Pattern,
    Place, Reach, Root, Scalar, Stmt, StmtKind, Type, Var, VarId, VarKind,
};
use crate::parsed::args::Args;
use crate::parsed::candidate::Candidate;
use crate::parsed::lowered::{Lowered, swaps_at_the_end};
use crate::source::SourceMap;
use crate::syntax::{ArraySyntax, Capture};

/// A loop of steps.
#[derive(Clone)]
pub struct Steps {
    /// The outer loop. Its [grid](LoopPlan::grid) has a second dimension, of the iterations of a step: at least as many as all inner loops
    /// have together. Nothing depends on where in it an iteration is.
    pub plan: LoopPlan,
    /// The loops inside whose iterations are dealt out.
    pub dealt: Vec<LoopLabel>,
    /// Their numbers among the function's loops.
    pub inner: Vec<usize>,
    /// What must hold in each step for the iterations of one of them to keep apart, over what the outer loop has captured and its position.
    pub guards: Vec<Guard>,
    /// The arrays that each step ends with exchanging, of which a call has to have two of one length.
    pub swaps: Vec<[ArrayId; 2]>,
}

/// The loops of steps among those that go in order, in the order of the text. Of two of which one is in the other it is the outer one. `lower` lowers a
/// loop as the steps of those inside it.
pub fn find(
    in_order: &[Candidate<'_>],
    planned: &[(&Candidate<'_>, &LoopPlan)],
    args: &Args,
    sources: &mut SourceMap,
    lower: &dyn for<'a> Fn(&'a Candidate<'a>, &mut SourceMap) -> Lowered<'a>,
) -> Vec<Steps> {
    let mut found: Vec<Steps> = Vec::new();
    for candidate in in_order {
        let loops = Loops::of(candidate.syntax);
        let inner: Vec<_> = planned
            .iter()
            .filter(|(inner, _)| loops.0.contains(&std::ptr::from_ref(inner.syntax)))
            .collect();
        let taken = |plan: &LoopPlan| found.iter().any(|s| s.inner.contains(&plan.ir.ordinal));
        if inner.is_empty() || inner.iter().any(|(_, plan)| taken(plan) || !is_plain(plan)) {
            continue;
        }
        let ordinal = planned.len() + found.len();
        found.extend(judge(candidate, &inner, ordinal, args, sources, lower));
    }
    found
}

/// Whether a loop does nothing but write elements of its own, over one dimension.
fn is_plain(plan: &LoopPlan) -> bool {
    let Pattern::Histogram(roles) = &plan.pattern;
    roles.targets.is_empty()
        && roles.best.is_empty()
        && roles.carried.is_empty()
        && roles.filled.is_empty()
        && roles.distinct.is_empty()
        && plan.kernel_ir().space.len() == 1
        && plan.obstacles.is_empty()
        && plan.once.is_empty()
        && plan.grown.is_empty()
        && plan.keyed.is_empty()
}

fn judge(
    candidate: &Candidate<'_>,
    inner: &[&(&Candidate<'_>, &LoopPlan)],
    ordinal: usize,
    args: &Args,
    sources: &mut SourceMap,
    lower: &dyn for<'a> Fn(&'a Candidate<'a>, &mut SourceMap) -> Lowered<'a>,
) -> Option<Steps> {
    let mut lowered = lower(candidate, sources);
    let label = |(inner, _): &&(&Candidate<'_>, &LoopPlan)| {
        lowered
            .inner
            .get(&std::ptr::from_ref(inner.syntax))
            .copied()
    };
    let dealt: Vec<LoopLabel> = inner.iter().map(label).collect::<Option<_>>()?;
    let ending = swaps_at_the_end(&candidate.syntax.body).len();
    let is_known =
        lowered.once.is_empty() && lowered.handed.is_empty() && lowered.swaps.len() == ending;
    let is_right = lowered.errors.clone().finish().is_ok();
    if !is_known || !is_right || !lowered.ir.opaque_parts().is_empty() {
        return None;
    }
    let ir = &mut lowered.ir;
    ir.ordinal = ordinal;
    for array in &mut ir.arrays {
        if array.access == Access::Updated {
            array.access = Access::Owned;
        }
    }
    // What is read in this step is written in the next one.
    let swaps = std::mem::take(&mut lowered.swaps);
    for id in swaps.iter().flatten() {
        ir.arrays[id.0 as usize].access = Access::Owned;
    }
    let owned: Vec<ArrayId> = (0..ir.arrays.len() as u32).map(ArrayId).collect();
    let owned = owned
        .into_iter()
        .filter(|id| ir.array(*id).access == Access::Owned)
        .collect();
    let mut judge = Judge {
        ir,
        dealt: &dealt,
        within: None,
        own: SortedSet::new(),
        labels: SortedSet::new(),
        counts: Vec::new(),
        lets: Sorted::new(),
        assigned: SortedSet::new(),
        fails: false,
    };
    judge.block(&ir.body.block);
    if judge.fails || judge.counts.len() != dealt.len() {
        return None;
    }
    let Judge {
        counts,
        lets,
        assigned,
        ..
    } = judge;
    let lets: Sorted<VarId, &Expr> = lets
        .iter()
        .filter(|(var, _)| !assigned.contains(var))
        .map(|(var, value)| (*var, value))
        .collect();
    let outer = Outer {
        ir,
        arrays: &lowered.arrays,
        captures: &lowered.captures,
        lets: &lets,
        bound: Names::bound(candidate.syntax),
    };
    let guards = inner
        .iter()
        .filter_map(|(_, plan)| Some((plan, plan.kernel_guard()?)));
    let guards = guards
        .map(|(plan, guard)| outer.guard(plan, guard))
        .collect::<Option<Vec<_>>>()?;
    let widths: Vec<Expr> = counts
        .iter()
        .map(|count| most(count, &lets, ir).map(|(most, _)| most))
        .collect::<Option<_>>()?;
    let width = widths.into_iter().reduce(|a, b| {
        let (ty, source) = (a.ty.clone(), a.source);
        let kind = ExprKind::Binary(BinaryOp::Add, Box::new(a), Box::new(b));
        Expr { kind, ty, source }
    })?;
    let grid = Grid {
        ir: by_width(ir, width),
        guard: None,
    };
    let histogram = Histogram {
        owned,
        ..Histogram::default()
    };
    let detected = Detected {
        lowered,
        pattern: Pattern::Histogram(histogram),
        grid: Some(grid),
        winners: None,
        claims: None,
        keeps: None,
        pushes: None,
        reach: Reach::default(),
    };
    let plan = plan(detected, args, sources);
    plan.obstacles.is_empty().then(|| Steps {
        plan,
        dealt,
        guards,
        swaps,
        inner: inner.iter().map(|(_, plan)| plan.ir.ordinal).collect(),
    })
}

/// The loop with a dimension of the iterations of a step.
fn by_width(ir: &Loop, width: Expr) -> Loop {
    let mut ir = ir.clone();
    let source = width.source;
    let position = VarId(ir.body.vars.len() as u32);
    ir.body.vars.push(Var {
        name: "position".to_owned(),
        ty: Type::Scalar(Scalar::Usize),
        kind: VarKind::Position,
        source,
    });
    ir.space.push(Dim {
        position,
        count: width,
        text: "the iterations of a step".to_owned(),
        source,
    });
    ir
}

/// The loops inside another.
pub(super) struct Loops(pub(super) SortedSet<*const ExprForLoop>);

impl Loops {
    pub(super) fn of(syntax: &ExprForLoop) -> Loops {
        let mut loops = Loops(SortedSet::new());
        loops.visit_block(&syntax.body);
        loops
    }
}

impl crate::syntax::visit::Visit<'_> for Loops {
    fn visit(&mut self, node: crate::syntax::visit::Node<'_>) {
        match node {
            crate::syntax::visit::Node::ExprForLoop(e) => {
                self.0.insert(e);
                crate::syntax::visit::visit_expr_for_loop(self, e);
            }
            _ => node.parts(self),
        }
    }
}

/// A loop of steps, as what an inner loop says is told in its words.
struct Outer<'a> {
    ir: &'a Loop,
    arrays: &'a [ArraySyntax],
    captures: &'a [Capture],
    /// What is declared between the inner loops, and never assigned.
    lets: &'a Sorted<VarId, &'a Expr>,
    bound: Names,
}

impl Outer<'_> {
    /// What must hold for the iterations of an inner loop to keep apart.
    fn guard(&self, inner: &LoopPlan, guard: &Guard) -> Option<Guard> {
        let given = guard.given.iter().map(|expr| self.told(expr, inner));
        Some(Guard {
            given: given.collect::<Option<_>>()?,
            ..guard.clone()
        })
    }

    /// An expression over what an inner loop captures.
    fn told(&self, expr: &Expr, inner: &LoopPlan) -> Option<Expr> {
        self.replaced(expr, &|part| match &part.kind {
            ExprKind::Len(id) => {
                let of = text(&inner.arrays[id.0 as usize].expr);
                let mut arrays = self.arrays.iter();
                let at = arrays.position(|array| text(&array.expr) == of)?;
                let is_it = self.bound.count(&of) == 0;
                is_it.then_some(ExprKind::Len(ArrayId(at as u32)))
            }
            ExprKind::Load(place) if place.path.is_empty() => {
                let Root::Var(var) = place.root else {
                    return None;
                };
                let capture = inner.captures.iter().find(|c| c.var == var && !c.cast)?;
                let name = text(&capture.tokens);
                match self.bound.count(&name) {
                    0 => {
                        let mut captures = self.captures.iter().filter(|c| !c.cast);
                        let of = captures.find(|c| text(&c.tokens) == name)?;
                        Some(load(of.var))
                    }
                    1 => {
                        let vars = self.ir.body.vars.iter().enumerate();
                        let mut vars = vars.filter(|(_, var)| var.name == name);
                        let (id, _) = vars.next()?;
                        let value = self.lets.get(&VarId(id as u32))?;
                        let is_it = vars.next().is_none();
                        self.inlined(value).filter(|_| is_it).map(|e| e.kind)
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// An expression without what is declared in the loop.
    fn inlined(&self, expr: &Expr) -> Option<Expr> {
        self.replaced(expr, &|part| match &part.kind {
            ExprKind::Len(_) => Some(part.kind.clone()),
            ExprKind::Load(place) if place.path.is_empty() => {
                let Root::Var(var) = place.root else {
                    return None;
                };
                match self.ir.var(var).kind {
                    VarKind::Captured | VarKind::Position => Some(part.kind.clone()),
                    _ => self.inlined(self.lets.get(&var)?).map(|e| e.kind),
                }
            }
            _ => None,
        })
    }

    /// An expression with what it is made of replaced.
    fn replaced(&self, expr: &Expr, by: &dyn Fn(&Expr) -> Option<ExprKind>) -> Option<Expr> {
        let part = |expr: &Expr| self.replaced(expr, by);
        let kind = match &expr.kind {
            ExprKind::Literal(_) => expr.kind.clone(),
            ExprKind::Cast(a) => ExprKind::Cast(Box::new(part(a)?)),
            ExprKind::Binary(op, a, b) => {
                ExprKind::Binary(*op, Box::new(part(a)?), Box::new(part(b)?))
            }
            ExprKind::Method(method, parts) => {
                ExprKind::Method(*method, parts.iter().map(part).collect::<Option<_>>()?)
            }
            _ => by(expr)?,
        };
        Some(Expr {
            kind,
            ..expr.clone()
        })
    }
}

fn load(var: VarId) -> ExprKind {
    ExprKind::Load(Place {
        root: Root::Var(var),
        path: Vec::new(),
    })
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// The names that a loop binds, its own pattern's among them, as often as it does.
struct Names(Vec<String>);

impl Names {
    fn bound(syntax: &ExprForLoop) -> Names {
        let mut names = Names(Vec::new());
        names.visit_expr_for_loop(syntax);
        names
    }

    fn count(&self, name: &str) -> usize {
        self.0.iter().filter(|bound| *bound == name).count()
    }
}

impl crate::syntax::visit::Visit<'_> for Names {
    fn visit(&mut self, node: crate::syntax::visit::Node<'_>) {
        match node {
            crate::syntax::visit::Node::PatIdent(pat) => {
                self.0.push(pat.ident.to_string());
                crate::syntax::visit::visit_pat_ident(self, pat);
            }
            _ => node.parts(self),
        }
    }
}

/// Whether all threads of a gang can do what stands between the loops that are dealt out.
struct Judge<'a> {
    ir: &'a Loop,
    dealt: &'a [LoopLabel],
    /// The loop that is dealt out and being looked at, what is declared in it, and the loops in it.
    within: Option<LoopLabel>,
    own: SortedSet<VarId>,
    labels: SortedSet<LoopLabel>,
    /// How often each of them runs.
    counts: Vec<Expr>,
    /// What is declared between them, and what is assigned.
    lets: Sorted<VarId, Expr>,
    assigned: SortedSet<VarId>,
    fails: bool,
}

impl Judge<'_> {
    fn label(&mut self, label: LoopLabel) {
        if self.within.is_some() {
            self.labels.insert(label);
        }
    }
}

impl Visit for Judge<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::For(inner) if self.dealt.contains(&inner.label) => {
                self.fails |= self.within.is_some();
                self.expr(&inner.count);
                self.counts.push(inner.count.clone());
                self.within = Some(inner.label);
                self.own = SortedSet::from([inner.position]);
                self.block(&inner.body);
                self.within = None;
                return;
            }
            StmtKind::For(inner) => {
                self.label(inner.label);
                self.own.insert(inner.position);
            }
            StmtKind::While(label, ..) => self.label(*label),
            StmtKind::Let(var, value) => match (self.within, value) {
                (Some(_), _) => {
                    self.own.insert(*var);
                }
                (None, Some(value)) => {
                    self.lets.insert(*var, value.clone());
                }
                (None, None) => {}
            },
            _ => {}
        }
        self.stmt_parts(stmt);
    }

    fn store(&mut self, place: &Place) {
        self.fails |= match place.root {
            Root::Array(_) => self.within.is_none(),
            Root::Var(var) => {
                self.assigned.insert(var);
                let elsewhere = self.within.is_some() && !self.own.contains(&var);
                elsewhere || self.ir.var(var).kind != VarKind::Local
            }
        };
        self.place_parts(place);
    }

    fn load(&mut self, place: &Place) {
        self.fails |= match place.root {
            // Another thread may be about to write it.
            Root::Array(id) => self.within.is_none() && self.ir.array(id).access == Access::Owned,
            Root::Var(var) => matches!(
                self.ir.var(var).kind,
                VarKind::Reduced | VarKind::Best | VarKind::Carried
            ),
        };
        self.place_parts(place);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Match(_, arms) if self.within.is_some() => {
                self.own.extend(arms.iter().filter_map(|arm| arm.binding));
            }
            ExprKind::Loop(label, _) => self.label(*label),
            // The threads come to the end of the loop together.
            ExprKind::Continue(to) if self.within.is_some() => {
                let inside = to.is_some_and(|to| self.labels.contains(&to));
                self.fails |= !inside && *to != self.within;
            }
            ExprKind::Break(from, _) if self.within.is_some() => {
                self.fails |= !self.labels.contains(from);
            }
            ExprKind::Return(_) | ExprKind::Opaque(_) => self.fails = true,
            _ => {}
        }
        self.expr_parts(expr);
    }
}

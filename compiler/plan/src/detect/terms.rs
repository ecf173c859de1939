//! What the terms of carried scalars depend on, and the indices of arrays that are `distinct(..)`.
//!
//! A walk in the order of evaluation that follows values and conditions from what the loop writes to what is combined into a carried scalar, or which
//! element is used. An iteration may read an element of its own that it has not written yet: it holds what it held before the loop, whoever asks.

use crate::sorted::{Sorted, SortedSet};

use super::Context;
use super::best::{Comparison, Uses, conjuncts};
use super::maps::{self, Lets};
use super::owned::Roles;
use super::place::same;
use super::scan::{self, Candidate};
use crate::ir::visit::{Visit, Written};
use crate::ir::{
    Access, ArrayId, Block, Check, Expr, ExprKind, Index, Loop, LoopLabel, Map, Place, Projection,
    Root, Running, SourceId, Stmt, StmtKind, VarId, VarKind,
};

/// What a term depends on and must not.
#[derive(Clone, Debug)]
pub(super) struct Culprit {
    /// Memory that the loop writes.
    pub(super) root: Root,
    /// Where it is read.
    pub(super) source: SourceId,
}

/// What depends on what the loop writes.
#[derive(Debug, Default)]
pub(super) struct Culprits {
    /// The terms of carried scalars.
    pub(super) carried: Sorted<VarId, Culprit>,
    /// The indices of arrays that are distinct.
    pub(super) distinct: Sorted<ArrayId, Culprit>,
}

/// What must not depend on what the loop writes and does.
pub(super) fn culprits<'a>(
    ir: &'a Loop,
    roles: &'a Roles,
    candidates: &'a [Candidate],
    lets: &'a Lets<'a>,
    context: &'a Context<'_>,
) -> Culprits {
    let mut walk = Walk {
        ir,
        roles,
        candidates,
        lets,
        mutable: context.mutable,
        tainted: Sorted::new(),
        found: Culprits::default(),
        exits: None,
        conditions: Vec::new(),
        used: Vec::new(),
        written: SortedSet::new(),
        grown: true,
    };
    while std::mem::take(&mut walk.grown) {
        walk.written.clear();
        walk.block(&ir.body.block);
    }
    if let Some(culprit) = walk.exits {
        let vars = ir.body.vars.iter().enumerate();
        for (id, _) in vars.filter(|(_, var)| var.kind == VarKind::Carried) {
            let of = VarId(id as u32);
            walk.found.carried.or_insert(of, culprit.clone());
        }
        for id in &roles.distinct {
            walk.found.distinct.or_insert(*id, culprit.clone());
        }
    }
    walk.found
}

type Taint = Option<Culprit>;

struct Walk<'a> {
    ir: &'a Loop,
    roles: &'a Roles,
    candidates: &'a [Candidate],
    lets: &'a Lets<'a>,
    /// Locals that code which is not seen might change.
    mutable: &'a SortedSet<VarId>,
    /// Locals whose value depends on what the loop writes.
    tainted: Sorted<VarId, Culprit>,
    found: Culprits,
    /// Whether what runs at all depends on it.
    exits: Taint,
    /// The conditions around what is looked at that depend on it.
    conditions: Vec<Culprit>,
    /// Indices of distinct arrays that the iteration has used for certain, where it is looked at.
    used: Vec<(ArrayId, Expr)>,
    /// Arrays that the iteration may have written an element of.
    written: SortedSet<ArrayId>,
    /// Whether another round would find more.
    grown: bool,
}

impl<'a> Walk<'a> {
    fn taint(&mut self, var: VarId, culprit: Taint) {
        if let Some(culprit) = culprit.or_else(|| self.conditions.first().cloned())
            && !self.tainted.contains_key(&var)
        {
            self.tainted.insert(var, culprit);
            self.grown = true;
        }
    }

    /// What is evaluated only where a condition holds.
    fn under<T>(&mut self, condition: &Taint, f: impl FnOnce(&mut Self) -> T) -> T {
        let used = self.used.len();
        self.conditions.extend(condition.clone());
        let value = f(self);
        self.used.truncate(used);
        self.conditions
            .truncate(self.conditions.len() - usize::from(condition.is_some()));
        value
    }

    fn block(&mut self, block: &Block) -> Taint {
        let used = self.used.len();
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        let taint = block.tail.as_deref().and_then(|tail| self.value(tail));
        self.used.truncate(used);
        taint
    }

    /// A loop inside the iteration: what it writes, it may have written in an earlier round.
    fn rounds(&mut self, body: &Block, condition: &Taint) -> Taint {
        Written(&mut self.written).block(body);
        self.under(condition, |s| s.block(body))
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Some(candidate) = self.assigned(stmt) {
            let Candidate { var, op, map, .. } = candidate;
            let culprit = match map {
                // It has been judged with the condition around it.
                Some(Map::Best(_)) => return,
                // They have been read before.
                Some(map) => {
                    let leaves = maps::leaves(stmt, *var, map, *op, self.lets);
                    self.all(leaves.into_iter().flatten())
                }
                None => scan::term(self.ir, stmt).and_then(|(.., value)| self.value(&value)),
            };
            let culprit = culprit.or_else(|| self.conditions.first().cloned());
            if let Some(culprit) = culprit {
                self.found.carried.or_insert(*var, culprit);
            }
            return;
        }
        match &stmt.kind {
            StmtKind::Let(var, value) => {
                let culprit = value.as_ref().and_then(|value| self.value(value));
                if value.is_some() {
                    self.taint(*var, culprit);
                }
            }
            StmtKind::Assign(place, value) | StmtKind::Compound(place, _, value) => {
                let culprit = self.value(value);
                let of_indices = self.indices(place);
                self.uses(place, &of_indices);
                let culprit = culprit.or(of_indices);
                match place.root {
                    Root::Var(var) => self.taint(var, culprit),
                    Root::Array(id) => {
                        self.written.insert(id);
                    }
                }
            }
            StmtKind::Update(update) => {
                self.value(&update.value);
            }
            StmtKind::For(inner) => {
                let count = self.value(&inner.count);
                self.taint(inner.position, count.clone());
                self.rounds(&inner.body, &count);
            }
            StmtKind::While(_, condition, body) => {
                // Once for what the body has written.
                self.rounds(body, &None);
                let condition = self.value(condition);
                self.rounds(body, &condition);
            }
            StmtKind::Expr(e) | StmtKind::Check(e, _) => {
                self.value(e);
            }
        }
    }

    /// The carried scalar that a statement assigns.
    fn assigned(&self, stmt: &Stmt) -> Option<&'a Candidate> {
        let (StmtKind::Assign(place, _) | StmtKind::Compound(place, ..)) = &stmt.kind else {
            return None;
        };
        let var = scan::variable(place)?;
        self.candidates
            .iter()
            .find(|candidate| candidate.var == var)
    }

    /// The scalars that a block keeps of the best item.
    fn keeps(&self, then: &Block) -> Option<&'a Running> {
        then.stmts
            .iter()
            .find_map(|stmt| match &self.assigned(stmt)?.map {
                Some(Map::Best(of)) => Some(of),
                _ => None,
            })
    }

    /// What is compared with the best item so far, and what is assigned, are terms. That it is the best depends on the items before it.
    fn kept(&mut self, of: &Running, condition: &Expr, then: &Block) -> Taint {
        let mut terms = Vec::new();
        conjuncts(condition, &mut terms);
        let has = |e: &Expr| Uses::of(&of.vars, |uses| uses.expr(e));
        let items = terms.into_iter().filter_map(|term| match has(term) {
            true => Comparison::of(term, &has)?.item,
            false => Some(term),
        });
        let values = then.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let var = scan::variable(place)?;
                of.vars.contains(&var).then_some(value)
            }
            _ => None,
        });
        let culprit = self.all(items.chain(values));
        let culprit = culprit.or_else(|| self.conditions.first().cloned());
        if let Some(culprit) = culprit {
            for var in &of.vars {
                self.found.carried.or_insert(*var, culprit.clone());
            }
        }
        Some(Culprit {
            root: Root::Var(of.vars[0]),
            source: condition.source,
        })
    }

    /// An element of an array is used: if the array is distinct, which one has to be known.
    fn uses(&mut self, place: &Place, of_indices: &Taint) {
        let Root::Array(id) = place.root else {
            return;
        };
        let Some(Projection::Index(index)) = place.path.first() else {
            return;
        };
        if !self.roles.distinct.contains(&id) {
            return;
        }
        let known = |(of, before): &(ArrayId, Expr)| *of == id && same(before, &index.index);
        let fixed = index.base.is_none() && self.is_fixed(&index.index);
        if fixed && self.used.iter().any(known) {
            return;
        }
        let culprit = of_indices
            .clone()
            .or_else(|| self.conditions.first().cloned());
        match culprit {
            Some(culprit) => {
                self.found.distinct.or_insert(id, culprit);
            }
            None if fixed => self.used.push((id, index.index.clone())),
            None => {}
        }
    }

    /// Whether an expression has the same value wherever it stands in an iteration.
    fn is_fixed(&self, e: &Expr) -> bool {
        struct Fixed<'s, 'a>(&'s Walk<'a>, bool);
        impl Visit for Fixed<'_, '_> {
            fn load(&mut self, place: &Place) {
                self.1 &= match place.root {
                    Root::Var(var) => match self.0.ir.var(var).kind {
                        VarKind::Local => self.0.lets.contains_key(&var),
                        VarKind::Position | VarKind::Captured | VarKind::Param => true,
                        VarKind::Reduced | VarKind::Best | VarKind::Carried => false,
                    },
                    Root::Array(id) => self.0.ir.array(id).access == Access::Read,
                };
                self.place_parts(place);
            }
        }
        let mut fixed = Fixed(self, true);
        fixed.expr(e);
        fixed.1
    }

    /// What leaves a loop, or the iteration.
    fn exit(&mut self, _: Option<LoopLabel>) {
        if self.exits.is_none() {
            self.exits = self.conditions.first().cloned();
        }
    }

    fn all<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>) -> Taint {
        let mut taint = None;
        for part in parts {
            let of_part = self.value(part);
            taint = taint.or(of_part);
        }
        taint
    }

    /// What the value of an expression depends on.
    fn value(&mut self, expr: &Expr) -> Taint {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) | ExprKind::Panic(_) => None,
            ExprKind::Load(place) => self.load(place, expr.source),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Repeat(a) => self.value(a),
            ExprKind::Binary(_, a, b) => self.all([&**a, &**b]),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let first = self.value(a);
                let second = self.under(&first, |s| s.value(b));
                first.or(second)
            }
            ExprKind::Method(_, parts)
            | ExprKind::Call(_, parts)
            | ExprKind::Array(parts)
            | ExprKind::Tuple(parts)
            | ExprKind::Struct(parts) => self.all(parts),
            ExprKind::If(condition, then, otherwise) => {
                let condition = match self.keeps(then) {
                    Some(of) => self.kept(of, condition, then),
                    None => self.value(condition),
                };
                let taint = self.under(&condition, |s| {
                    let first = s.block(then);
                    let second = otherwise.as_ref().and_then(|block| s.block(block));
                    first.or(second)
                });
                condition.or(taint)
            }
            ExprKind::Match(scrutinee, arms) => {
                let scrutinee = self.value(scrutinee);
                let mut taint = scrutinee.clone();
                for arm in arms {
                    if let Some(var) = arm.binding {
                        self.taint(var, scrutinee.clone());
                    }
                    let guard = arm.guard.as_ref().and_then(|guard| self.value(guard));
                    // It is asked for the arms after it as well.
                    taint = taint.or(guard);
                    let of_arm = self.under(&taint.clone(), |s| s.value(&arm.body));
                    taint = taint.or(of_arm);
                }
                taint
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Loop(_, body) => {
                let taint = self.rounds(body, &None);
                let breaks = self.breaks(body);
                taint.or(breaks)
            }
            ExprKind::Continue(label) => {
                self.exit(*label);
                None
            }
            ExprKind::Break(label, value) => {
                let taint = value.as_ref().and_then(|value| self.value(value));
                self.exit(Some(*label));
                taint
            }
            ExprKind::Return(value) => {
                let taint = value.as_ref().and_then(|value| self.value(value));
                self.exit(None);
                taint
            }
            ExprKind::Opaque(opaque) => {
                let mut taint = self.all(&opaque.parts);
                let mut vars = opaque.vars.clone();
                let mut arrays = opaque.arrays.clone();
                for part in &opaque.parts {
                    if let ExprKind::Load(place) = &part.kind {
                        match place.root {
                            Root::Var(var) => vars.push(var),
                            Root::Array(id) => arrays.push(id),
                        }
                    }
                }
                for id in arrays {
                    if self.ir.array(id).access != Access::Read
                        && self.ir.array(id).access != Access::LengthOnly
                    {
                        // It may write what it is given.
                        self.written.insert(id);
                        taint = taint.or(Some(Culprit {
                            root: Root::Array(id),
                            source: expr.source,
                        }));
                    }
                }
                for var in &vars {
                    taint = taint.or_else(|| self.of_var(*var, expr.source));
                }
                for var in vars {
                    if self.mutable.contains(&var) {
                        self.taint(var, taint.clone());
                    }
                }
                taint
            }
        }
    }

    /// What the values depend on that a loop is left with.
    fn breaks(&mut self, body: &Block) -> Taint {
        struct Breaks<'a, 'b>(&'a mut Walk<'b>, Taint);
        impl Visit for Breaks<'_, '_> {
            fn expr(&mut self, expr: &Expr) {
                if let ExprKind::Break(_, Some(value)) = &expr.kind {
                    let taint = self.0.value(value);
                    self.1 = self.1.take().or(taint);
                }
                self.expr_parts(expr);
            }
        }
        let mut breaks = Breaks(self, None);
        breaks.block(body);
        breaks.1
    }

    fn of_var(&self, var: VarId, source: SourceId) -> Taint {
        // What the iteration before has read.
        if self.candidates.iter().any(|c| c.var == var && c.delayed) {
            return None;
        }
        match self.ir.var(var).kind {
            VarKind::Reduced | VarKind::Best | VarKind::Carried => Some(Culprit {
                root: Root::Var(var),
                source,
            }),
            VarKind::Local | VarKind::Position | VarKind::Captured | VarKind::Param => {
                self.tainted.get(&var).cloned()
            }
        }
    }

    fn load(&mut self, place: &Place, source: SourceId) -> Taint {
        let indices = self.indices(place);
        self.uses(place, &indices);
        let root = match place.root {
            Root::Var(var) => self.of_var(var, source),
            Root::Array(id) => {
                // What the attribute alone keeps apart is not read before that has been checked.
                let owned = self.roles.owned.contains(&id) && !self.roles.distinct.contains(&id);
                let before = owned && !self.written.contains(&id);
                let fixed = matches!(self.ir.array(id).access, Access::Read | Access::LengthOnly);
                (!fixed && !before).then_some(Culprit {
                    root: place.root,
                    source,
                })
            }
        };
        root.or(indices)
    }

    fn indices(&mut self, place: &Place) -> Taint {
        let mut taint = None;
        for step in &place.path {
            if let Projection::Index(index) = step {
                let of_index = self.index(index);
                taint = taint.or(of_index);
            }
        }
        taint
    }

    fn index(&mut self, index: &Index) -> Taint {
        let mut taint = self.value(&index.index);
        if let Some(base) = &index.base {
            let of_base = self.value(base);
            taint = taint.or(of_base);
        }
        if let Check::Window(len) = &index.check {
            let of_len = self.value(len);
            taint = taint.or(of_len);
        }
        taint
    }
}

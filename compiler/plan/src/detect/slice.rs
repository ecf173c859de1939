//! The terms of carried scalars alone: what of an iteration decides what is combined into them, and no more.
//!
//! Devices run it over a part of the loop before they run the part. It is a backward slice: the updates of carried scalars, as updates of
//! targets, the locals that they and the conditions around them are computed from, and what leaves the iteration or a loop that is kept. What else
//! an iteration writes is not in it.
//!
//! An iteration that fails may be seen to fail by its terms or not, but its body always is: the slice leaves out what only fails, unless that
//! decides which code runs, and parts of arrays are checked before they are indexed.

use crate::sorted::{Sorted, SortedSet};

use super::composed::{Composed, Steps};
use super::scan;
use crate::ir::visit::Visit;
use crate::ir::{
    Access, Arm, Block, Carried, Expr, ExprKind, ForLoop, Index, Loop, LoopLabel, Place, Root,
    Stmt, StmtKind, Type, Update, VarId, VarKind,
};

/// The terms of a detected loop, as updates of targets from `first` on, in the order of `carried`; none where they cannot be told from what stands
/// around them.
pub(super) fn terms<'a>(ir: &'a Loop, carried: &'a [Carried], first: usize) -> Option<Block> {
    let targets = carried.iter().zip(first..);
    let mut slice = Slice {
        ir,
        targets: targets.clone().map(|(c, target)| (c.var, target)).collect(),
        composed: targets
            .filter(|(c, _)| c.composes())
            .filter_map(|(c, target)| {
                Some(Composed {
                    var: c.var,
                    ty: ir.var(c.var).ty.as_scalar()?,
                    map: c.map.as_ref()?,
                    target,
                })
            })
            .collect(),
        unclean: Unclean::of(ir),
        needed: SortedSet::new(),
        loops: SortedSet::new(),
        grown: true,
        entangled: false,
    };
    let mut block = Block::default();
    while std::mem::take(&mut slice.grown) {
        block = slice.block(&ir.body.block, true).0;
    }
    let mut based = Based(false);
    based.block(&block);
    let kept = slice.entangled || based.0 && slice.drops_checks(&ir.body.block);
    (!kept).then_some(block)
}

struct Slice<'a> {
    ir: &'a Loop,
    /// The carried scalars, and which target each is.
    targets: Sorted<VarId, usize>,
    /// Those of them that are recurrences.
    composed: Vec<Composed<'a>>,
    unclean: Unclean<'a>,
    /// Locals that what is kept reads.
    needed: SortedSet<VarId>,
    /// Loops that are kept.
    loops: SortedSet<LoopLabel>,
    /// Whether another round would keep more.
    grown: bool,
    /// Whether something is kept that does more than compute.
    entangled: bool,
}

impl Slice<'_> {
    /// What is kept of a block, and whether that is more than checks. `clean` says whether all conditions around it are known before the loop.
    fn block(&mut self, block: &Block, clean: bool) -> (Block, bool) {
        let mut live = false;
        let mut kept: Vec<Option<Stmt>> = Vec::new();
        for stmt in &block.stmts {
            let of_stmt = self.stmt(stmt, clean);
            live |= of_stmt.is_some();
            kept.push(of_stmt);
        }
        let tail = block.tail.as_ref().and_then(|tail| {
            let source = tail.source;
            let kind = StmtKind::Expr(self.effect(tail, clean)?);
            Some(Stmt { kind, source })
        });
        live |= tail.is_some();
        if live {
            for (stmt, kept) in block.stmts.iter().zip(&mut kept) {
                if let StmtKind::Check(holds, _) = &stmt.kind
                    && clean
                    && self.unclean.is_clean(holds)
                {
                    self.need(holds);
                    *kept = Some(stmt.clone());
                }
            }
        }
        let stmts = kept.into_iter().flatten().chain(tail).collect();
        (Block { stmts, tail: None }, live)
    }

    fn stmt(&mut self, stmt: &Stmt, clean: bool) -> Option<Stmt> {
        let source = stmt.source;
        let whole = |s: &mut Self, parts: &[&Expr]| {
            parts.iter().for_each(|part| s.need(part));
            Some(stmt.clone())
        };
        if let StmtKind::Assign(place, _) | StmtKind::Compound(place, ..) = &stmt.kind
            && let Some(of) = self
                .composed
                .iter()
                .find(|of| scan::variable(place) == Some(of.var))
        {
            let Some(Steps { stmts, leaves }) = of.steps(stmt) else {
                self.entangled = true;
                return None;
            };
            leaves.iter().for_each(|leaf| self.need(leaf));
            let kind = ExprKind::Block(Block { stmts, tail: None });
            let block = Expr {
                kind,
                ty: Type::Unit,
                source,
            };
            let kind = StmtKind::Expr(block);
            return Some(Stmt { kind, source });
        }
        if let Some((var, op, value)) = scan::term(self.ir, stmt)
            && let Some(&target) = self.targets.get(&var)
        {
            self.need(&value);
            let update = Update {
                target,
                site: 0,
                bin: Vec::new(),
                value,
                subtracts: op.op.subtracts(),
                multiplies: false,
            };
            let kind = StmtKind::Update(update);
            return Some(Stmt { kind, source });
        }
        match &stmt.kind {
            StmtKind::Let(var, None) => self.needed.contains(var).then(|| stmt.clone()),
            StmtKind::Let(var, Some(value)) => {
                if !self.needed.contains(var) && !self.keeps(value) {
                    return None;
                }
                whole(self, &[value])
            }
            StmtKind::Assign(place, value) | StmtKind::Compound(place, _, value) => {
                let indices = indices(place);
                let local = match place.root {
                    Root::Var(var) => self.is_local(var).then_some(var),
                    Root::Array(_) => None,
                };
                let kept = self.keeps(value) || indices.iter().any(|index| self.keeps(index));
                match local {
                    Some(var) if kept || self.needed.contains(&var) => {
                        self.need_var(var);
                        indices.iter().for_each(|index| self.need(index));
                        whole(self, &[value])
                    }
                    _ => {
                        self.entangled |= kept;
                        None
                    }
                }
            }
            StmtKind::Update(update) => {
                let indices = update.bin.iter().map(|index| &index.index);
                self.entangled |=
                    self.keeps(&update.value) || indices.clone().any(|i| self.keeps(i));
                None
            }
            StmtKind::For(inner) => {
                let clean = clean && self.unclean.is_clean(&inner.count);
                let (body, live) = self.block(&inner.body, clean);
                if !live && !self.keeps(&inner.count) {
                    return None;
                }
                self.need(&inner.count);
                self.keep_loop(inner.label);
                let kind = StmtKind::For(ForLoop {
                    body,
                    ..inner.clone()
                });
                Some(Stmt { kind, source })
            }
            StmtKind::While(label, condition, body) => {
                let clean = clean && self.unclean.is_clean(condition);
                let (body, live) = self.block(body, clean);
                if !live && !self.keeps(condition) {
                    return None;
                }
                self.need(condition);
                self.keep_loop(*label);
                let kind = StmtKind::While(*label, condition.clone(), body);
                Some(Stmt { kind, source })
            }
            StmtKind::Expr(e) => {
                let kind = StmtKind::Expr(self.effect(e, clean)?);
                Some(Stmt { kind, source })
            }
            // See the block around it.
            StmtKind::Check(holds, _) => {
                self.entangled |= self.keeps(holds);
                None
            }
        }
    }

    /// What is kept of an expression whose value nobody wants.
    fn effect(&mut self, e: &Expr, clean: bool) -> Option<Expr> {
        let kind = match &e.kind {
            ExprKind::If(condition, then, otherwise) => {
                let clean = clean && self.unclean.is_clean(condition);
                let (then, live) = self.block(then, clean);
                let otherwise = otherwise.as_ref().map(|block| self.block(block, clean));
                let live = live || otherwise.as_ref().is_some_and(|(_, live)| *live);
                if !live && !self.keeps(condition) {
                    return None;
                }
                self.need(condition);
                ExprKind::If(condition.clone(), then, otherwise.map(|(block, _)| block))
            }
            ExprKind::Match(scrutinee, arms) => {
                let guards = || arms.iter().filter_map(|arm| arm.guard.as_ref());
                let known = |s: &Self, e: &Expr| s.unclean.is_clean(e);
                let clean = clean && known(self, scrutinee) && guards().all(|g| known(self, g));
                let bodies: Vec<Option<Expr>> = arms
                    .iter()
                    .map(|arm| self.effect(&arm.body, clean))
                    .collect();
                let asked = self.keeps(scrutinee) || guards().any(|guard| self.keeps(guard));
                if !asked && bodies.iter().all(Option::is_none) {
                    return None;
                }
                self.need(scrutinee);
                guards().for_each(|guard| self.need(guard));
                let arms = arms.iter().zip(bodies).map(|(arm, body)| Arm {
                    body: body.unwrap_or_else(|| nothing(&arm.body)),
                    ..arm.clone()
                });
                ExprKind::Match(scrutinee.clone(), arms.collect())
            }
            ExprKind::Block(block) => {
                let (block, live) = self.block(block, clean);
                live.then_some(ExprKind::Block(block))?
            }
            ExprKind::Loop(label, block) => {
                let (block, live) = self.block(block, clean);
                live.then_some(())?;
                self.keep_loop(*label);
                ExprKind::Loop(*label, block)
            }
            ExprKind::Continue(None) | ExprKind::Return(_) => return Some(e.clone()),
            ExprKind::Continue(Some(label)) => {
                return self.loops.contains(label).then(|| e.clone());
            }
            ExprKind::Break(label, value) => {
                if !self.loops.contains(label) {
                    self.entangled |= value.as_ref().is_some_and(|value| self.keeps(value));
                    return None;
                }
                ExprKind::Break(*label, None)
            }
            // Which iterations fail is known before the loop, and then what they write is theirs alone.
            ExprKind::Panic(_) => return clean.then(|| e.clone()),
            _ => {
                if !self.keeps(e) {
                    return None;
                }
                self.need(e);
                return Some(e.clone());
            }
        };
        let never = matches!(kind, ExprKind::Break(..));
        let ty = match never {
            true => e.ty.clone(),
            false => Type::Unit,
        };
        Some(Expr {
            kind,
            ty,
            source: e.source,
        })
    }

    fn is_local(&self, var: VarId) -> bool {
        matches!(self.ir.var(var).kind, VarKind::Local | VarKind::Param)
    }

    fn keep_loop(&mut self, label: LoopLabel) {
        self.grown |= self.loops.insert(label);
    }

    fn need_var(&mut self, var: VarId) {
        match self.ir.var(var).kind {
            VarKind::Local | VarKind::Param => self.grown |= self.needed.insert(var),
            VarKind::Position | VarKind::Captured => {}
            // What the loop itself makes of it is not known before.
            VarKind::Reduced | VarKind::Best | VarKind::Carried => self.entangled = true,
        }
    }

    /// An expression that is kept as it is.
    fn need(&mut self, e: &Expr) {
        struct Reads<'s, 'a>(&'s mut Slice<'a>);
        impl Visit for Reads<'_, '_> {
            fn load(&mut self, place: &Place) {
                if let Root::Var(var) = place.root {
                    self.0.need_var(var);
                }
                self.place_parts(place);
            }
            fn store(&mut self, place: &Place) {
                match place.root {
                    Root::Var(var) if self.0.is_local(var) => self.0.need_var(var),
                    _ => self.0.entangled = true,
                }
                self.place_parts(place);
            }
            fn update(&mut self, _: &Update) {
                self.0.entangled = true;
            }
        }
        Reads(self).expr(e);
    }

    /// Whether an expression has something in it that has to be kept.
    fn keeps(&self, e: &Expr) -> bool {
        struct Keeps<'s, 'a>(&'s Slice<'a>, bool);
        impl Visit for Keeps<'_, '_> {
            fn store(&mut self, place: &Place) {
                if let Root::Var(var) = place.root {
                    self.1 |= self.0.targets.contains_key(&var) || self.0.needed.contains(&var);
                }
                self.place_parts(place);
            }
            fn expr(&mut self, e: &Expr) {
                self.1 |= match &e.kind {
                    ExprKind::Continue(None) | ExprKind::Return(_) => true,
                    ExprKind::Continue(Some(label)) | ExprKind::Break(label, _) => {
                        self.0.loops.contains(label)
                    }
                    _ => false,
                };
                self.expr_parts(e);
            }
        }
        let mut keeps = Keeps(self, false);
        keeps.expr(e);
        keeps.1
    }

    /// Whether a check cannot be made before the loop.
    fn drops_checks(&self, block: &Block) -> bool {
        struct Checks<'s, 'a>(&'s Slice<'a>, u32, bool);
        impl Checks<'_, '_> {
            fn under(&mut self, condition: &Expr, visit: impl FnOnce(&mut Self)) {
                let known = self.0.unclean.is_clean(condition);
                self.1 += u32::from(!known);
                visit(self);
                self.1 -= u32::from(!known);
            }
        }
        impl Visit for Checks<'_, '_> {
            fn stmt(&mut self, stmt: &Stmt) {
                match &stmt.kind {
                    StmtKind::Check(holds, _) => {
                        self.2 |= self.1 > 0 || !self.0.unclean.is_clean(holds);
                    }
                    StmtKind::For(inner) => self.under(&inner.count, |s| s.block(&inner.body)),
                    StmtKind::While(_, condition, body) => {
                        self.under(condition, |s| s.block(body));
                    }
                    _ => self.stmt_parts(stmt),
                }
            }
            fn expr(&mut self, e: &Expr) {
                match &e.kind {
                    ExprKind::If(condition, ..) => {
                        self.under(condition, |s| s.expr_parts(e));
                    }
                    ExprKind::Match(scrutinee, _) => self.under(scrutinee, |s| s.expr_parts(e)),
                    _ => self.expr_parts(e),
                }
            }
        }
        let mut checks = Checks(self, 0, false);
        checks.block(block);
        checks.2
    }
}

/// An arm that does nothing.
fn nothing(instead_of: &Expr) -> Expr {
    Expr {
        kind: ExprKind::Block(Block::default()),
        ty: Type::Unit,
        source: instead_of.source,
    }
}

/// The indices of a place.
fn indices(place: &Place) -> Vec<&Expr> {
    let steps = place.path.iter().filter_map(|step| match step {
        crate::ir::Projection::Index(index) => Some(&index.index),
        crate::ir::Projection::Field(_) => None,
    });
    steps.collect()
}

/// Looks for indices into parts of arrays, whose bounds something else has checked.
struct Based(bool);

impl Visit for Based {
    fn index(&mut self, index: &Index) {
        self.0 |= index.base.is_some();
        self.expr(&index.index);
    }
}

/// The locals whose values are not known before the loop: they come from what it writes.
pub(super) struct Unclean<'a> {
    ir: &'a Loop,
    vars: SortedSet<VarId>,
    /// Conditions around the current place that are not known.
    depth: u32,
    grown: bool,
}

impl<'a> Unclean<'a> {
    pub(super) fn of(ir: &'a Loop) -> Unclean<'a> {
        let mut found = Unclean {
            ir,
            vars: SortedSet::new(),
            depth: 0,
            grown: true,
        };
        while std::mem::take(&mut found.grown) {
            found.block(&ir.body.block);
        }
        found
    }

    /// Whether an expression is known before the loop.
    pub(super) fn is_clean(&self, e: &Expr) -> bool {
        struct Reads<'s, 'a>(&'s Unclean<'a>, bool);
        impl Visit for Reads<'_, '_> {
            fn load(&mut self, place: &Place) {
                self.1 &= match place.root {
                    Root::Var(var) => match self.0.ir.var(var).kind {
                        VarKind::Reduced | VarKind::Best | VarKind::Carried => false,
                        VarKind::Local | VarKind::Position | VarKind::Captured | VarKind::Param => {
                            !self.0.vars.contains(&var)
                        }
                    },
                    Root::Array(array) => self.0.ir.array(array).access == Access::Read,
                };
                self.place_parts(place);
            }
        }
        let mut reads = Reads(self, true);
        reads.expr(e);
        reads.1
    }

    fn note(&mut self, var: VarId, clean: bool) {
        if !clean || self.depth > 0 {
            self.grown |= self.vars.insert(var);
        }
    }

    fn under(&mut self, clean: bool, visit: impl FnOnce(&mut Self)) {
        self.depth += u32::from(!clean);
        visit(self);
        self.depth -= u32::from(!clean);
    }
}

impl Visit for Unclean<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(var, Some(value)) => self.note(*var, self.is_clean(value)),
            StmtKind::Assign(place, value) | StmtKind::Compound(place, _, value) => {
                if let Root::Var(var) = place.root {
                    let known = indices(place).into_iter().all(|index| self.is_clean(index));
                    self.note(var, known && self.is_clean(value));
                }
            }
            StmtKind::For(inner) => {
                let clean = self.is_clean(&inner.count);
                self.note(inner.position, clean);
                self.expr(&inner.count);
                return self.under(clean, |s| s.block(&inner.body));
            }
            StmtKind::While(_, condition, body) => {
                self.expr(condition);
                return self.under(self.is_clean(condition), |s| s.block(body));
            }
            _ => {}
        }
        self.stmt_parts(stmt);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::If(condition, ..) => {
                self.under(self.is_clean(condition), |s| s.expr_parts(e));
            }
            ExprKind::Match(scrutinee, arms) => {
                let clean = self.is_clean(scrutinee);
                for arm in arms {
                    arm.binding
                        .into_iter()
                        .for_each(|var| self.note(var, clean));
                }
                let guards = arms.iter().filter_map(|arm| arm.guard.as_ref());
                let clean = clean && guards.into_iter().all(|guard| self.is_clean(guard));
                self.under(clean, |s| s.expr_parts(e));
            }
            _ => self.expr_parts(e),
        }
    }
}

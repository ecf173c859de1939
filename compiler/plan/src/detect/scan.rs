//! Scalars that are carried from iteration to iteration and read on the way: `acc += x[i]; out[i] = acc;`.
//!
//! All assignments to such a scalar combine a *term* into it, by one associative operator, or they are maps of one kind ([`maps`](super::maps)). What the
//! terms are, and whether they are combined, must not depend on the scalar itself, nor on anything else that the loop writes
//! ([`terms`](super::terms)): then the terms of any part of the iteration space can be combined before the iterations ahead of it have run.

use crate::sorted::Sorted;

use super::best::Found;
use super::maps::{self, Lets};
use super::owned::Roles;
use super::slice::Unclean;
use super::terms::{self, Culprit};
use super::update::{self, Judged};
use super::{Context, name_of};
use crate::diag::{Code, Diagnostic};
use crate::ir::visit::Visit;
use crate::ir::{
    ArrayId, Block, Carried, Expr, ExprKind, Loop, Map, Memory, Op, Place, Ring, Root, Running,
    Scalar, Stmt, StmtKind, UpdateOp, VarId, VarKind,
};
use crate::sorted;

/// A scalar all of whose assignments are updates by one operator, and which is read elsewhere; or maps of one kind.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) var: VarId,
    pub(super) op: UpdateOp,
    pub(super) updates: Vec<(usize, bool)>,
    pub(super) map: Option<Map>,
    /// Whether every iteration assigns it from the loop's input alone.
    pub(super) delayed: bool,
}

/// The candidates of a lowered loop, beside what keeps the best item.
pub(super) fn candidates(ir: &Loop, best: &Found, context: &Context<'_>) -> Vec<Candidate> {
    let lets = maps::lets(ir, context.mutable);
    let running = best.running(ir);
    let best = best.vars();
    let vars = ir.body.vars.iter().enumerate();
    let reduced =
        vars.filter(|(id, var)| var.kind == VarKind::Reduced && !best.contains(&VarId(*id as u32)));
    let found = reduced.map(|(id, _)| {
        let is_kept = |of: &&Running| of.vars.contains(&VarId(id as u32));
        if let Some(of) = running.iter().find(is_kept) {
            return Some(Candidate {
                var: VarId(id as u32),
                op: Op::Add.into(),
                updates: sites(ir, VarId(id as u32), context)?,
                map: Some(Map::Best(of.clone())),
                delayed: false,
            });
        }
        let mut finder = Uses {
            ir,
            context,
            var: VarId(id as u32),
            op: None,
            updates: Vec::new(),
            updated_only: true,
            read: false,
        };
        finder.block(&ir.body.block);
        if !finder.updated_only {
            return of_maps(ir, finder.var, &lets, context);
        }
        let op = finder.op.filter(|_| finder.updated_only && finder.read)?;
        Some(Candidate {
            var: finder.var,
            op,
            updates: finder.updates,
            map: None,
            delayed: false,
        })
    });
    found.flatten().collect()
}

/// A scalar whose updates are maps of one kind.
fn of_maps(ir: &Loop, var: VarId, lets: &Lets<'_>, context: &Context<'_>) -> Option<Candidate> {
    let (map, op) = maps::kind(ir, var, lets)?;
    Some(Candidate {
        var,
        op,
        updates: sites(ir, var, context)?,
        map: Some(map),
        delayed: false,
    })
}

/// The sites of the assignments to a scalar.
fn sites(ir: &Loop, var: VarId, context: &Context<'_>) -> Option<Vec<(usize, bool)>> {
    let updates = maps::updates(ir, var)?.into_iter();
    let sites = updates.map(|stmt| context.assignments.get(&stmt.source));
    sites.map(|syntax| Some((syntax?.site, false))).collect()
}

/// What an assignment to a scalar combines into it.
pub(super) fn term(ir: &Loop, stmt: &Stmt) -> Option<(VarId, UpdateOp, Expr)> {
    let (var, judged) = match &stmt.kind {
        StmtKind::Assign(place, value) => {
            let var = variable(place)?;
            let ty = &ir.var(var).ty;
            (var, update::assignment(place, value, ty))
        }
        StmtKind::Compound(place, op, value) => (variable(place)?, update::compound(*op, value)),
        _ => return None,
    };
    match judged {
        Judged::Update(op, value) => Some((var, op, value)),
        _ => None,
    }
}

/// The variable that a place is as a whole.
pub(super) fn variable(place: &Place) -> Option<VarId> {
    match place.root {
        Root::Var(var) if place.path.is_empty() => Some(var),
        _ => None,
    }
}

/// How a scalar is used.
struct Uses<'a> {
    ir: &'a Loop,
    context: &'a Context<'a>,
    var: VarId,
    op: Option<UpdateOp>,
    updates: Vec<(usize, bool)>,
    /// Whether all that writes it are updates by one operator.
    updated_only: bool,
    /// Whether it is read by anything but its updates.
    read: bool,
}

impl Visit for Uses<'_> {
    fn load(&mut self, place: &Place) {
        self.read |= place.root == Root::Var(self.var);
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        // An update as a whole is no store here.
        self.updated_only &= place.root != Root::Var(self.var);
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let term = term(self.ir, stmt).filter(|(var, ..)| *var == self.var);
        let Some((_, op, value)) = term else {
            return self.stmt_parts(stmt);
        };
        let known = self.ir.var(self.var).ty.as_scalar();
        let site = self.context.assignments.get(&stmt.source);
        let together = match self.op {
            None => Some(op),
            Some(before) => before.together(op),
        };
        match (together, site) {
            (Some(both), Some(syntax)) if known.is_none_or(|ty| op.op.applies_to(ty)) => {
                self.op = Some(both);
                self.updates.push((syntax.site, op.op.subtracts()));
            }
            _ => self.updated_only = false,
        }
        self.expr(&value);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Opaque(opaque) = &expr.kind {
            // Code that is not known might write it.
            self.updated_only &= !opaque.vars.contains(&self.var);
        }
        self.expr_parts(expr);
    }
}

/// What the candidates are, with the reasons against those that are nothing; says so of their variables. The same of what arrays are indexed by that are
/// distinct by the attribute alone.
pub(super) fn judge(
    ir: &mut Loop,
    mut candidates: Vec<Candidate>,
    roles: &Roles,
    context: &Context<'_>,
) -> (Vec<Carried>, Vec<Diagnostic>) {
    let mut joined = false;
    let culprits = loop {
        for candidate in &candidates {
            ir.body.vars[candidate.var.0 as usize].kind = VarKind::Carried;
        }
        let lets = maps::lets(ir, context.mutable);
        let culprits = terms::culprits(ir, roles, &candidates, &lets, context);
        if delay(ir, &mut candidates, &culprits.carried, roles) {
            continue;
        }
        if compose(ir, &mut candidates, &culprits.carried, &lets, context) {
            continue;
        }
        if !joined && join(ir, &mut candidates, &culprits.carried, &lets, context) {
            joined = true;
            continue;
        }
        // What is replaced depending on itself is nothing of this kind; what it is instead is for others to say.
        let other = |candidate: &&Candidate| {
            let composed = match &candidate.map {
                Some(Map::Latest | Map::Since | Map::Best(_)) => true,
                Some(Map::Sum(_, vars)) => vars.len() > 1,
                None => false,
            };
            composed && culprits.carried.contains_key(&candidate.var)
        };
        let Some(of) = candidates.iter().find(other).cloned() else {
            break culprits;
        };
        let all = match of.map {
            Some(Map::Sum(_, vars)) | Some(Map::Best(Running { vars, .. })) => vars,
            _ => vec![of.var],
        };
        for var in &all {
            ir.body.vars[var.0 as usize].kind = VarKind::Reduced;
        }
        candidates.retain(|candidate| !all.contains(&candidate.var));
    };
    let mut refused = Vec::new();
    for (array, culprit) in culprits.distinct.iter() {
        refused.push(indexed(ir, *array, culprit, context));
    }
    let mut carried = Vec::new();
    for candidate in candidates {
        let Candidate {
            var,
            op,
            updates,
            map,
            delayed,
        } = candidate;
        if let Some(culprit) = culprits.carried.get(&var) {
            refused.push(diagnostic(ir, var, culprit, context));
        } else if let Some(Map::Sum(Ring::SumProduct, _)) = map
            && !context.reassociate
            && !ir.var(var).ty.as_scalar().is_some_and(Scalar::is_int)
        {
            refused.extend(rounds(ir, var, context));
        }
        carried.push(Carried {
            var,
            op,
            updates: match op.two_signs && map.is_none() {
                true => updates,
                false => updates.into_iter().map(|(site, _)| (site, false)).collect(),
            },
            map,
            delayed,
        });
    }
    (carried, refused)
}

/// Finds scalars on which others depend, and which hold what the iteration before has read: `if x[i] != prev { n += 1; } prev = x[i];`. One iteration says what
/// they hold, so that a part can begin with the one before it.
fn delay(
    ir: &Loop,
    candidates: &mut [Candidate],
    culprits: &Sorted<VarId, Culprit>,
    roles: &Roles,
) -> bool {
    let wanted = |var| {
        culprits
            .values()
            .any(|culprit| culprit.root == Root::Var(var))
    };
    let mut found = false;
    let latest = |c: &Candidate| c.map == Some(Map::Latest) && !c.delayed && wanted(c.var);
    for candidate in candidates.iter_mut().filter(|c| latest(c)) {
        // Items that are handed out are handed out once.
        if roles.hands_out || leaves(ir) {
            continue;
        }
        let (certain, sites) = assigned(&ir.body.block, candidate.var, &Unclean::of(ir));
        // No other assignment, of which something would be left to know.
        if certain && sites == candidate.updates.len() {
            candidate.delayed = true;
            found = true;
        }
    }
    found
}

/// Whether a block assigns a scalar on every way through it, and how many statements do so of which all is known before the loop.
fn assigned(block: &Block, var: VarId, unclean: &Unclean<'_>) -> (bool, usize) {
    let of_expr = |e: &Expr| match &e.kind {
        ExprKind::If(condition, then, otherwise) if unclean.is_clean(condition) => {
            let then = assigned(then, var, unclean);
            let otherwise = otherwise.as_ref();
            let otherwise = otherwise.map_or((false, 0), |block| assigned(block, var, unclean));
            (then.0 && otherwise.0, then.1 + otherwise.1)
        }
        ExprKind::Block(block) => assigned(block, var, unclean),
        _ => (false, 0),
    };
    let of_stmt = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Assign(place, value) if variable(place) == Some(var) => {
            let clean = unclean.is_clean(value);
            (clean, usize::from(clean))
        }
        StmtKind::Expr(e) => of_expr(e),
        _ => (false, 0),
    };
    let stmts = block.stmts.iter().map(of_stmt);
    let all = stmts.chain(block.tail.iter().map(|tail| of_expr(tail)));
    all.fold((false, 0), |(certain, sites), of| {
        (certain || of.0, sites + of.1)
    })
}

/// Whether an iteration may end before the body does.
fn leaves(ir: &Loop) -> bool {
    struct Leaves(bool);
    impl Visit for Leaves {
        fn expr(&mut self, e: &Expr) {
            self.0 |= matches!(e.kind, ExprKind::Continue(None) | ExprKind::Return(_));
            self.expr_parts(e);
        }
    }
    let mut leaves = Leaves(false);
    leaves.block(&ir.body.block);
    leaves.0
}

/// Makes maps of the updates of scalars whose terms depend on themselves: `s += a * (x - s)`.
fn compose(
    ir: &Loop,
    candidates: &mut [Candidate],
    culprits: &Sorted<VarId, Culprit>,
    lets: &Lets<'_>,
    context: &Context<'_>,
) -> bool {
    let mut composed = false;
    for candidate in candidates.iter_mut().filter(|c| c.map.is_none()) {
        let var = candidate.var;
        let on_itself = culprits.get(&var).is_some_and(|c| c.root == Root::Var(var));
        let of_maps = of_maps(ir, var, lets, context).filter(|_| on_itself);
        let sums = |of: &Candidate| matches!(of.map, Some(Map::Sum(..)));
        if let Some(of_maps) = of_maps.filter(sums) {
            *candidate = of_maps;
            composed = true;
        }
    }
    composed
}

/// Makes one recurrence of the scalars that depend on each other, if it is one.
fn join(
    ir: &Loop,
    candidates: &mut Vec<Candidate>,
    culprits: &Sorted<VarId, Culprit>,
    lets: &Lets<'_>,
    context: &Context<'_>,
) -> bool {
    let mut vars: Vec<VarId> = Vec::new();
    for (var, culprit) in culprits.iter() {
        if let Root::Var(of) = culprit.root
            && of != *var
        {
            vars.extend([*var, of]);
        }
    }
    // What they are computed from in turn.
    let on_others = candidates.iter().filter(|c| culprits.contains_key(&c.var));
    vars.extend(on_others.map(|c| c.var));
    sorted::sort(&mut vars);
    vars.dedup();
    if vars.len() < 2 {
        return false;
    }
    let Some(map) = maps::together(ir, &vars, lets) else {
        return false;
    };
    let mut all = Vec::new();
    for var in &vars {
        let Some(updates) = sites(ir, *var, context) else {
            return false;
        };
        all.push(Candidate {
            var: *var,
            op: Op::Add.into(),
            updates,
            map: Some(map.clone()),
            delayed: false,
        });
    }
    candidates.retain(|candidate| !vars.contains(&candidate.var));
    candidates.extend(all);
    true
}

/// Why a scalar cannot be carried along.
fn diagnostic(ir: &Loop, var: VarId, culprit: &Culprit, context: &Context<'_>) -> Diagnostic {
    let name = &ir.var(var).name;
    let text = context.text(culprit.source);
    let what = match culprit.root {
        Root::Var(of) if of == var => {
            format!("what is combined into `{name}` depends on `{name}` itself")
        }
        Root::Var(of) => format!(
            "what is combined into `{name}` depends on `{}`, which earlier iterations have changed",
            ir.var(of).name
        ),
        Root::Array(id) => format!(
            "what is combined into `{name}` depends on `{text}`, and this loop writes `{}`",
            name_of(ir, Memory::Bins(id))
        ),
    };
    Diagnostic::new(Code::Carried, context.span(culprit.source), what)
        .note(format!(
            "`{name}` is carried from iteration to iteration; parts of the loop can begin where it stands only if their terms are known before"
        ))
        .help(format!(
            "combine into `{name}` what each iteration computes from the loop's input alone, or leave this loop as it is by `#[sequential]` before its `for`"
        ))
}

/// Why it is not known before the loop what elements of a `distinct(..)` array iterations use.
fn indexed(ir: &Loop, array: ArrayId, culprit: &Culprit, context: &Context<'_>) -> Diagnostic {
    let name = name_of(ir, Memory::Bins(array));
    let text = context.text(culprit.source);
    let written = match culprit.root {
        Root::Var(var) => &ir.var(var).name,
        Root::Array(id) => name_of(ir, Memory::Bins(id)),
    };
    let what = match text == written {
        true => format!(
            "which element of `{name}` an iteration uses depends on `{text}`, which this loop writes"
        ),
        false => format!(
            "which element of `{name}` an iteration uses depends on `{text}`, and this loop writes `{written}`"
        ),
    };
    Diagnostic::new(Code::Distinct, context.span(culprit.source), what)
        .note(format!(
            "each call checks what `distinct({name})` says before anything is written, so the indices must come from the loop's input"
        ))
        .help("compute the indices in a loop of their own, or leave this loop as it is by `#[sequential]` before its `for`")
}

/// Why a recurrence of floats is not split.
fn rounds(ir: &Loop, var: VarId, context: &Context<'_>) -> Option<Diagnostic> {
    let updates = maps::updates(ir, var)?;
    let update = updates.first()?;
    let name = &ir.var(var).name;
    let operator = context.assignments.get(&update.source);
    let span = operator.map_or(context.span(update.source), |syntax| syntax.operator);
    let what = format!(
        "`{name}` is carried by a recurrence of floats, whose parts compose to other last bits"
    );
    Some(
        Diagnostic::new(Code::Reassociate, span, what)
            .note(format!(
                "what a part of the loop does to `{name}` is computed as factors and a sum, and these are rounded"
            ))
            .help("write `#[offload(reassociate)]` where other last bits will do, or leave this loop as it is by `#[sequential]` before its `for`"),
    )
}

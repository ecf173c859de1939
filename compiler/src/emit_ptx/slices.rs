//! Slices: loops over two dimensions whose inner one leaves the first indices of the bins alone.
//!
//! ```text
//! for a in words { for b in words { joint[w(a)][w(b)][w(a & b)] += 1; } }        a slice has 128 x 128 of 128^3 bins
//! for n in 0..batch { for i in 0..size { hist[n * 256 + bytes[n * size + i] as usize] += 1; } }        256 bins
//! ```
//!
//! A gang that takes an iteration of the outer loop together needs only that slice in shared memory, however many bins there are:
//! see [`gang_slice`](accrue_ptx::strategy). The inner loop may be all dimensions of the iteration space but the first, or a loop
//! at the end of the body behind declarations. What is looked for is an index that depends on the outer position alone, first
//! among those of every update and the same in all of them; of the only index, a part that is added to what is known to be small.
//!
//! How they are printed is in [`sliced`](super::sliced).

use std::collections::{HashMap, HashSet};

use accrue_ptx::abi::Elem;
use accrue_ptx::cell::Cell;

use super::arith::type_max;
use super::elem_of;
use super::emitter::Facts;
use super::rows::{last_loop, literal};
use super::stream::Streams;
use super::updates;
use crate::ir::visit::Visit;
use crate::ir::{
    Access, BinaryOp, Block, Check, Expr, ExprKind, Extent, Index, Length, Loop, LoopLabel, Memory,
    Method, Root, Scalar, Stmt, StmtKind, Target, Type, Update, VarId, VarKind,
};

/// Bins of a slice that is told by a part of an index, at most: what no shared memory holds is not looked at.
const MOST_BINS: u64 = 1 << 20;

/// A loop seen as slices.
#[derive(Debug)]
pub(super) struct Slices {
    /// The loop over the outer dimension; its body is that of one inner position.
    pub(super) lp: Loop,
    /// Nothing of it is streamed.
    pub(super) streams: Streams,
    /// Statements of the body that depend on the outer position alone.
    pub(super) ahead: usize,
    /// The inner positions.
    pub(super) inner: Inner,
    /// Where the slice begins.
    pub(super) base: Base,
    /// Bins of a slice.
    pub(super) bins: u64,
    /// Inner positions that a gang takes until it flushes, where nobody can tell how many there are.
    pub(super) most: u64,
}

/// What the inner loop is.
#[derive(Debug)]
pub(super) enum Inner {
    /// All dimensions but the first.
    Dims(Vec<VarId>),
    /// A loop of the body, with its position, count and label.
    Loop(VarId, Expr, LoopLabel),
}

/// What of the bins' indices the inner loop leaves alone.
#[derive(Debug)]
pub(super) enum Base {
    /// So many of the first ones.
    Indices(usize),
    /// These parts of the sum that the only one is.
    Terms(Vec<Expr>),
}

impl Slices {
    /// The updates of its target by what a thread takes at a time.
    pub(super) fn updates(&self) -> updates::Updates {
        updates_of(&self.lp)
    }

    /// Whether iterations are counted over both dimensions.
    pub(super) fn is_flat(&self) -> bool {
        matches!(self.inner, Inner::Dims(_))
    }

    /// The slices of a loop, if it is one of the kind.
    pub(super) fn find(lp: &Loop, targets: &[Target], overflow_checks: bool) -> Option<Slices> {
        let [target] = targets else { return None };
        let Memory::Bins(array) = target.memory else {
            return None;
        };
        let mut sliced = lp.clone();
        let mut before = 0;
        let inner = match &lp.space[..] {
            [_] => {
                let (inner, block) = last_loop(lp)?;
                before = block.stmts.len() - inner.body.stmts.len();
                sliced.body.block = block;
                Inner::Loop(inner.position, inner.count.clone(), inner.label)
            }
            [_, inner @ ..] => Inner::Dims(inner.iter().map(|dim| dim.position).collect()),
            [] => return None,
        };
        sliced.space.truncate(1);
        let facts = Facts::of(&sliced.body);
        let mut outer = Outer {
            lp: &sliced,
            assigned: &facts.assigned,
            vars: HashSet::from([sliced.space[0].position]),
            early: HashSet::from([sliced.space[0].position]),
            lets: HashMap::new(),
            counts: HashMap::new(),
        };
        match &inner {
            Inner::Dims(_) => outer.count(lp.space[1..].iter().map(|d| (d.position, &d.count))),
            Inner::Loop(position, count, _) => outer.count([(*position, count)]),
        }
        let ahead = outer.stmts(&sliced.body.block, before, overflow_checks);
        let mut updates = Updates {
            outer: &outer,
            found: None,
        };
        updates.block(&sliced.body.block);
        let first = updates.found??;

        let bins = sliced.array(array);
        let mut lengths = vec![match bins.extent {
            Extent::Fixed(Length::Known(n)) => Some(n),
            Extent::Fixed(Length::Captured(_)) | Extent::Runtime => None,
        }];
        let mut elem = &bins.elem;
        while let Type::Array(inner, length) = elem {
            lengths.push(match length {
                Length::Known(n) => Some(*n),
                Length::Captured(_) => None,
            });
            elem = &**inner;
        }
        let (base, bins) = match first {
            Found::Indices(all) => {
                let rest = lengths.get(all.len()..)?.iter();
                let bins = rest.copied().try_fold(1u64, |n, by| n.checked_mul(by?))?;
                (Base::Indices(all.len()), bins)
            }
            Found::Terms(terms, most) if lengths.len() == 1 => (Base::Terms(terms), most + 1),
            Found::Terms(..) => return None,
        };
        if bins == 0 || bins > MOST_BINS {
            return None;
        }
        let mut ahead_first: Vec<Stmt> = Vec::new();
        let mut rest = Vec::new();
        for (n, stmt) in sliced.body.block.stmts.iter().enumerate() {
            match ahead.contains(&n) {
                true => ahead_first.push(stmt.clone()),
                false => rest.push(stmt.clone()),
            }
        }
        let elem = elem_of(target.elem?);
        if !target.op.op.applies_to(elem) {
            return None;
        }
        let ahead = ahead_first.len();
        ahead_first.append(&mut rest);
        sliced.body.block.stmts = ahead_first;
        Some(Slices {
            streams: Streams::find(&sliced).one_by_one(),
            most: most_positions(&sliced, target, elem),
            lp: sliced,
            ahead,
            inner,
            base,
            bins,
        })
    }
}

/// Inner positions after which the cells of a target may hold no more updates.
fn most_positions(lp: &Loop, target: &Target, elem: Elem) -> u64 {
    let updates = updates_of(lp);
    let cell = Cell::of(target.op.op, elem, updates.constant.is_some(), updates.most);
    let most = cell.most_updates(target.op.op, elem).unwrap_or(1 << 40);
    most / 2 / u64::from(updates.most.max(1))
}

/// The updates of the only target, at an inner position.
fn updates_of(lp: &Loop) -> updates::Updates {
    updates::Updates::of(lp, 1)[0]
}

/// What depends on the outer position alone.
struct Outer<'a> {
    lp: &'a Loop,
    assigned: &'a HashSet<VarId>,
    /// Variables that do.
    vars: HashSet<VarId>,
    /// Those of them that are there before any inner position.
    early: HashSet<VarId>,
    /// The values of others that are never assigned.
    lets: HashMap<VarId, &'a Expr>,
    /// The counts of inner positions, where they are known.
    counts: HashMap<VarId, u64>,
}

impl<'a> Outer<'a> {
    fn count<'c>(&mut self, dims: impl IntoIterator<Item = (VarId, &'c Expr)>) {
        let known = dims
            .into_iter()
            .filter_map(|(var, e)| Some((var, literal(e)?)));
        self.counts.extend(known);
    }

    /// Follows the declarations of a body, of which the first ones are `before` the inner loop: those that depend on the outer position
    /// alone and can be made before any inner position, since nothing that might fail comes before them or they cannot fail.
    fn stmts(&mut self, block: &'a Block, before: usize, overflow_checks: bool) -> HashSet<usize> {
        let mut ahead = HashSet::new();
        let mut all = true;
        for (n, stmt) in block.stmts.iter().enumerate() {
            if let StmtKind::Let(var, Some(init)) = &stmt.kind
                && !self.assigned.contains(var)
            {
                if n < before || self.holds(init) {
                    self.vars.insert(*var);
                    let first = all || !overflow_checks && is_quiet(init);
                    if n < before || first && !self.depends(init, &self.early) {
                        self.early.insert(*var);
                        ahead.insert(n);
                        continue;
                    }
                } else {
                    self.lets.insert(*var, init);
                }
            }
            all = false;
        }
        ahead
    }

    /// Whether an expression has one value for all inner positions.
    fn holds(&self, e: &Expr) -> bool {
        !self.depends(e, &self.vars)
    }

    /// Whether an expression depends on more than captured values and these variables.
    fn depends(&self, e: &Expr, vars: &HashSet<VarId>) -> bool {
        let mut depends = Depends {
            lp: self.lp,
            vars,
            declared: HashSet::new(),
            found: false,
        };
        depends.expr(e);
        depends.found
    }

    fn index_holds(&self, index: &Index) -> bool {
        let window = match &index.check {
            Check::Window(window) => self.holds(window),
            Check::Dimension | Check::Never => true,
        };
        window && self.holds(&index.index) && index.base.as_ref().is_none_or(|b| self.holds(b))
    }

    /// The parts of a sum that have one value for all inner positions, and the most that the others come to together.
    fn terms(&self, e: &Expr, terms: &mut Vec<Expr>) -> Option<u64> {
        if self.holds(e) {
            terms.push(e.clone());
            return Some(0);
        }
        match &e.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                self.terms(a, terms)?.checked_add(self.terms(b, terms)?)
            }
            ExprKind::Load(place) if place.path.is_empty() => match place.root {
                Root::Var(var) => match self.lets.get(&var) {
                    Some(init) => self.terms(init, terms),
                    None => self.most(e),
                },
                Root::Array(_) => None,
            },
            ExprKind::Block(block) if block.stmts.is_empty() => {
                self.terms(block.tail.as_deref()?, terms)
            }
            _ => self.most(e),
        }
    }

    /// The most that an expression of unsigned integers comes to, where that is known.
    fn most(&self, e: &Expr) -> Option<u64> {
        let ty =
            e.ty.as_scalar()
                .filter(|ty| !ty.is_signed() && !ty.is_float())?;
        let of_type = match ty {
            Scalar::Bool => Some(1),
            _ if ty.size() <= 2 => Some(type_max(ty)),
            _ => None,
        };
        let known = match &e.kind {
            ExprKind::Literal(_) => literal(e),
            ExprKind::Cast(a) => self.most(a),
            ExprKind::Load(place) if place.path.is_empty() => match place.root {
                Root::Var(var) => match (self.lets.get(&var), self.counts.get(&var)) {
                    (Some(init), _) => self.most(init),
                    (None, Some(count)) => Some(count.saturating_sub(1)),
                    (None, None) => None,
                },
                Root::Array(_) => None,
            },
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Add => self.most(a)?.checked_add(self.most(b)?),
                BinaryOp::Mul => self.most(a)?.checked_mul(self.most(b)?),
                BinaryOp::Rem => literal(b)?.checked_sub(1),
                BinaryOp::BitAnd => literal(b).or_else(|| literal(a)),
                BinaryOp::Shr => self.most(a)?.checked_shr(u32::try_from(literal(b)?).ok()?),
                BinaryOp::Div => self.most(a)?.checked_div(literal(b)?),
                _ => None,
            },
            ExprKind::Method(Method::Min, parts) => {
                parts.iter().filter_map(|part| self.most(part)).min()
            }
            _ => None,
        };
        // What a narrower type cuts off is less.
        match (known, of_type) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (Some(a), None) if a <= type_max(ty) => Some(a),
            (_, of_type) => of_type,
        }
    }
}

/// Looks for what an expression depends on besides captured values and some variables.
struct Depends<'a> {
    lp: &'a Loop,
    vars: &'a HashSet<VarId>,
    /// Variables of its own.
    declared: HashSet<VarId>,
    found: bool,
}

impl Visit for Depends<'_> {
    fn expr(&mut self, e: &Expr) {
        self.found |= match &e.kind {
            ExprKind::Load(place) => match place.root {
                Root::Array(array) => self.lp.array(array).access != Access::Read,
                Root::Var(var) => {
                    let captured = self.lp.var(var).kind == VarKind::Captured;
                    !captured && !self.vars.contains(&var) && !self.declared.contains(&var)
                }
            },
            ExprKind::Continue(_)
            | ExprKind::Break(..)
            | ExprKind::Return(_)
            | ExprKind::Loop(..)
            | ExprKind::Match(..)
            | ExprKind::Opaque(_) => true,
            _ => false,
        };
        self.expr_parts(e);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(var, Some(_)) => {
                self.stmt_parts(stmt);
                self.declared.insert(*var);
            }
            _ => self.found = true,
        }
    }
}

/// Whether an expression neither fails nor calls, where overflow is not checked.
fn is_quiet(e: &Expr) -> bool {
    struct Loud(bool);
    impl Visit for Loud {
        fn expr(&mut self, e: &Expr) {
            self.0 |= match &e.kind {
                ExprKind::Literal(_)
                | ExprKind::Load(_)
                | ExprKind::Len(_)
                | ExprKind::Cast(_)
                | ExprKind::Unary(..)
                | ExprKind::Method(Method::CountOnes | Method::Min | Method::Max, _) => false,
                ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Div | BinaryOp::Rem),
                _ => true,
            };
            self.expr_parts(e);
        }
        fn index(&mut self, index: &Index) {
            let literal = literal(&index.index).is_some();
            let never = matches!(index.check, Check::Never);
            self.0 |= !never && !literal;
            self.expr(&index.index);
            index.base.iter().for_each(|base| self.expr(base));
        }
    }
    let mut loud = Loud(false);
    loud.expr(e);
    !loud.0
}

/// Whether two expressions are the same function of what they read.
fn alike(a: &Expr, b: &Expr) -> bool {
    if a.ty != b.ty {
        return false;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b,
        (ExprKind::Len(a), ExprKind::Len(b)) => a == b,
        (ExprKind::Load(a), ExprKind::Load(b)) => {
            a.path.is_empty() && b.path.is_empty() && a.root == b.root
        }
        (ExprKind::Cast(a), ExprKind::Cast(b)) => alike(a, b),
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && alike(a, c) && alike(b, d)
        }
        _ => false,
    }
}

/// What the updates have in common that the inner loop leaves alone.
#[derive(Clone, Debug)]
enum Found {
    /// Their first indices.
    Indices(Vec<Expr>),
    /// Parts of the only one, and the most that the others come to.
    Terms(Vec<Expr>, u64),
}

/// Collects what all updates have in common; `None` inside once it is nothing.
struct Updates<'a> {
    outer: &'a Outer<'a>,
    found: Option<Option<Found>>,
}

impl Updates<'_> {
    fn of(&self, update: &Update) -> Option<Found> {
        let (last, first) = update.bin.split_last()?;
        let held = first
            .iter()
            .take_while(|i| i.base.is_none() && self.outer.index_holds(i));
        let held: Vec<Expr> = held.map(|i| i.index.clone()).collect();
        if !held.is_empty() {
            return Some(Found::Indices(held));
        }
        let mut terms = Vec::new();
        let mut most = self.outer.terms(&last.index, &mut terms)?;
        if let Some(base) = &last.base {
            most = most.checked_add(self.outer.terms(base, &mut terms)?)?;
        }
        (first.is_empty() && !terms.is_empty()).then_some(Found::Terms(terms, most))
    }
}

impl Visit for Updates<'_> {
    fn update(&mut self, update: &Update) {
        let this = self.of(update);
        self.found = Some(match self.found.take() {
            None => this,
            Some(found) => match (found, this) {
                (Some(Found::Indices(mut a)), Some(Found::Indices(b))) => {
                    let same = a.iter().zip(&b).take_while(|(a, b)| alike(a, b)).count();
                    a.truncate(same);
                    (same > 0).then_some(Found::Indices(a))
                }
                (Some(Found::Terms(a, most)), Some(Found::Terms(b, other))) => {
                    let same = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| alike(a, b));
                    same.then_some(Found::Terms(a, most.max(other)))
                }
                _ => None,
            },
        });
        self.update_parts(update);
    }
}

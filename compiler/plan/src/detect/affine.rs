//! What a loop's body accesses of captured arrays, with indices as affine forms over the loop's variables.
//!
//! The forms are over the integers, and the loop computes in types that wrap. Where the two could differ, the difference is ruled out by a
//! [`Within`]: a form that must lie in a range, which the call checks before the loop. Sums and products wrap alike in 64 bits, so
//! only what decides how often a loop runs, what changes its type, and the indices themselves have to be in range.

use crate::sorted::{Sorted, SortedSet};

use super::computed;
use super::place::same;
use super::residues::{Multiple, asks_for_colours};
use crate::dependence::{Access, Affine, Extent, LoopVar, Nest, Param, Poly};
use crate::ir::visit::{Visit, Written};
use crate::ir::{
    ArrayId, BinaryOp, Block, Check, Expr, ExprKind, Index, Literal, Loop, Method, Place,
    Projection, Root, Scalar, SourceId, Stmt, StmtKind, Type, UnaryOp, VarId, VarKind, Within,
};
use crate::sorted;
use crate::syntax::{Borrow, Borrowed};

/// Literals beyond this are no strides that anybody means, and their products would not fit.
const LARGEST: i128 = 1 << 60;

/// An access of a captured array.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The array.
    pub(super) array: ArrayId,
    /// Whether it writes.
    pub(super) writes: bool,
    /// Whether it hands the element on, and nobody sees what becomes of it.
    pub(super) handed: bool,
    /// Whether what it hands on is `&mut`.
    pub(super) changes: bool,
    /// Whether it only asks how long a row is.
    pub(super) counts: bool,
    /// The outermost index: iterations that keep to outermost elements of their own have them whole. All indices where the loop has
    /// several dimensions.
    pub(super) access: Access,
    /// The sequential loops around it.
    around: Vec<LoopVar>,
    /// What is a multiple by the conditions under which it stands.
    pub(super) multiples: Vec<Multiple>,
    /// Where its indices are what the loop computes.
    pub(super) required: Vec<Within>,
    /// The same as far as the conditions say under which it stands, if they say anything.
    pub(super) under: Option<Box<Found>>,
    /// Where it stands.
    pub(super) source: SourceId,
}

impl Found {
    /// It, and it under the conditions under which it stands.
    pub(super) fn ways(&self) -> impl Iterator<Item = &Found> {
        std::iter::successors(Some(self), |found| found.under.as_deref())
    }
}

/// All accesses of a loop.
#[derive(Clone)]
pub(super) struct Accesses<'a> {
    ir: &'a Loop,
    /// Whether integers have forms whose type is not known.
    unseen: bool,
    /// Arrays of rows of which an element of a row counts, and not the row.
    scattered: SortedSet<ArrayId>,
    /// Whether the loop asks which of two colours something has.
    pub(super) colours: bool,
    /// What parameters stand for.
    pub(super) given: Vec<Expr>,
    /// Bounds of the positions of each loop variable, outer ones first.
    pub(super) extents: Vec<Vec<Affine>>,
    /// What is 0 or more of the parameters.
    facts: Vec<Poly>,
    /// Where forms are what the loop computes, of those that loops and locals have.
    pub(super) within: Vec<Within>,
    pub(super) found: Vec<Found>,
    /// Variables that have one value, with its form, and the value where it is an expression.
    pub(super) lets: Sorted<VarId, (Option<Affine>, Option<Expr>)>,
    /// Variables that are assigned.
    assigned: SortedSet<VarId>,
    pub(super) around: Vec<LoopVar>,
    /// The conditions under which the body's statements stand that are looked at, and whether they hold.
    conditions: Vec<(Expr, bool)>,
    /// Arrays that are written, or handed on: of no others it matters where an access lies.
    written: SortedSet<ArrayId>,
    /// What locals require that have got a form for an access.
    of_locals: Vec<Within>,
    /// Whether what has no form gets one by where it lies.
    pub(super) bounded: bool,
    /// What is 0 or more where the number is computed that is looked at.
    pub(super) known: Vec<Affine>,
    /// Variables of loops that have positions there.
    pub(super) scope: Vec<LoopVar>,
    /// Variables that are remainders, or multiples, and what is a multiple with each.
    pub(super) remainders: Vec<(LoopVar, Multiple)>,
    /// Positions of which nothing is known but how far so many times they go: a variable for that.
    pub(super) scaled: Sorted<VarId, (i128, LoopVar)>,
}

impl<'a> Accesses<'a> {
    /// Reads a lowered loop, before its updates have been found.
    pub(super) fn new(
        ir: &'a Loop,
        mutable: &'a SortedSet<VarId>,
        borrowed: &[Borrowed],
    ) -> Accesses<'a> {
        Accesses::with(ir, mutable, borrowed, false, &SortedSet::new())
    }

    /// The same, where integers of a type that is not known have forms as well, and of some arrays elements of rows count. More is asked
    /// of a call then.
    pub(super) fn with(
        ir: &'a Loop,
        mutable: &'a SortedSet<VarId>,
        borrowed: &[Borrowed],
        unseen: bool,
        scattered: &SortedSet<ArrayId>,
    ) -> Accesses<'a> {
        let mut all = Accesses {
            ir,
            unseen,
            scattered: scattered.clone(),
            colours: asks_for_colours(&ir.body.block),
            given: Vec::new(),
            extents: Vec::new(),
            facts: Vec::new(),
            within: Vec::new(),
            found: Vec::new(),
            lets: Sorted::new(),
            assigned: mutable.clone(),
            around: Vec::new(),
            conditions: Vec::new(),
            written: SortedSet::new(),
            of_locals: Vec::new(),
            bounded: false,
            known: Vec::new(),
            scope: Vec::new(),
            remainders: Vec::new(),
            scaled: Sorted::new(),
        };
        Written(&mut all.written).block(&ir.body.block);
        let parts = borrowed.iter().map(|part| &part.element);
        parts.for_each(|element| Written(&mut all.written).expr_as_place(element));
        Assigned(&mut all.assigned).block(&ir.body.block);
        for dim in &ir.space {
            let extent = all.extent(&dim.count);
            all.extents.push(extent);
        }
        all.block(&ir.body.block);
        for part in borrowed {
            all.borrow(part);
        }
        all
    }

    /// Notes a reference to a part of an array: it may be used for each of its elements.
    fn borrow(&mut self, part: &Borrowed) {
        let ExprKind::Load(place) = &part.element.kind else {
            return;
        };
        self.note(place, false, part.element.source);
        if let Some(found) = self.found.last_mut() {
            found.handed = part.by != Borrow::Shared;
            found.changes = part.by == Borrow::Mutable;
            let form = found.access.indices.iter().flatten();
            let vars = form.flat_map(Affine::terms).map(|(var, _)| var);
            found.around = vars.collect();
        }
    }

    /// Whether an access asks how long a row is, and another one is of an element of some row, which stays as long as it is.
    pub(super) fn counts_beside(&self, counting: &Found, write: &Found) -> bool {
        let within = write.writes && !write.handed && write.access.indices.len() > 1;
        counting.counts && within && self.scattered.contains(&write.array)
    }

    /// The loops around either of two accesses. Both have been reached, so these have positions; of others nothing is known, and their
    /// variables are in neither.
    pub(super) fn nest(&self, a: &Found, b: &Found) -> Nest {
        self.nest_with([&a.around[..], &b.around].concat())
    }

    /// Some loops, and those that their bounds are over.
    pub(super) fn nest_with(&self, mut around: Vec<LoopVar>) -> Nest {
        let one = || vec![Affine::constant(Poly::constant(1))];
        let parallel = self.ir.space.len();
        computed::close(&mut around, &self.extents);
        let vars = self.extents.iter().enumerate().map(|(number, most)| {
            let var = LoopVar(number);
            let around = number < parallel || around.contains(&var);
            Extent {
                parallel: number < parallel,
                most: if around { most.clone() } else { one() },
            }
        });
        Nest {
            vars: vars.collect(),
            facts: self.facts.clone(),
        }
    }

    fn note(&mut self, place: &Place, writes: bool, source: SourceId) {
        let Root::Array(array) = place.root else {
            return;
        };
        let mut around = self.around.clone();
        self.bounded = self.written.contains(&array);
        let before = std::mem::take(&mut self.within);
        // Over several dimensions what counts is the element, wherever it lies; over one, what iterations get is whole.
        let counting = match self.ir.space.len() {
            1 if self.scattered.contains(&array) => 2,
            1 => 1,
            _ => place.path.len(),
        };
        let mut indices = Vec::new();
        for step in place.path.iter().take(counting) {
            if let Projection::Index(index) = step {
                indices.push(self.element(index, &mut around));
            }
        }
        self.bounded = false;
        let required = std::mem::replace(&mut self.within, before);
        self.within.append(&mut self.of_locals);
        if indices.is_empty() {
            indices.push(None);
        }
        let vars = indices.iter().flatten().flat_map(Affine::terms);
        around.extend(vars.map(|(var, _)| var));
        let mut found = Found {
            array,
            writes,
            handed: false,
            changes: false,
            counts: false,
            access: Access { indices },
            around,
            multiples: Vec::new(),
            required,
            under: None,
            source,
        };
        if self.written.contains(&array) && !self.conditions.is_empty() {
            found.under = self.under_conditions(&found).map(Box::new);
        }
        self.found.push(found);
    }

    /// An access in terms of variables that have fewer positions: those of which the conditions around it say where they lie; and with what they
    /// say is a [multiple](super::residues).
    ///
    /// ```text
    /// if x + 1 < w { .. a[x + 1] .. }      a[1 + z], z in 0 .. w - 1
    /// ```
    fn under_conditions(&mut self, found: &Found) -> Option<Found> {
        let before = std::mem::take(&mut self.within);
        let scope = std::mem::replace(&mut self.scope, found.around.clone());
        let (mut known, mut multiples) = (Vec::new(), Vec::new());
        for (condition, holds) in self.conditions.clone() {
            known.extend(self.facts(&condition, holds));
            multiples.extend(self.multiples_where(&condition, holds));
        }
        self.scope = scope;
        let asked = std::mem::replace(&mut self.within, before);
        let mut under = found.clone();
        under.required.extend(asked);
        let mut vars: Vec<LoopVar> = found.around.clone();
        sorted::sort(&mut vars);
        vars.dedup();
        under.multiples = multiples;
        let divided = (!under.multiples.is_empty()).then(|| under.clone());
        let mut changed = false;
        for var in vars {
            let one = Affine::var(var);
            // What is 0 or more and is the variable and something fixed, or that less the variable.
            let fixed = |form: Affine| form.as_poly().map(|p| Affine::constant(p.clone()));
            let minus = Poly::constant(-1);
            let lows = known
                .iter()
                .filter_map(|of| fixed(of.clone().plus(&one.times(&minus))));
            let low = lows.map(|low| low.times(&minus)).next();
            let highs: Vec<Affine> = known
                .iter()
                .filter_map(|of| fixed(of.clone().plus(&one)))
                .collect();
            if low.is_none() && highs.is_empty() {
                continue;
            }
            let low = low.unwrap_or_default();
            let last = Affine::constant(Poly::constant(1));
            let highs = highs.into_iter().map(|high| high.plus(&last));
            let most = highs.chain(self.extents[var.0].iter().cloned());
            let most = most.map(|most| most.plus(&low.times(&minus))).collect();
            let own = low.plus(&Affine::var(self.var(most)));
            let indices = under.access.indices.iter_mut().flatten();
            for index in indices.chain(under.multiples.iter_mut().map(Multiple::form)) {
                let coefficient = index.coefficient(var);
                *index = index
                    .clone()
                    .plus(&one.times(&-coefficient.clone()))
                    .plus(&own.times(&coefficient));
            }
            under.around.extend(own.terms().map(|(var, _)| var));
            changed = true;
        }
        let ranged = changed.then_some(under);
        match divided {
            Some(divided) => Some(Found {
                under: ranged.map(Box::new),
                ..divided
            }),
            None => ranged,
        }
    }

    /// What loops around this one say: numbers that are 0 or more, and what is required for that.
    pub(super) fn around(&mut self) -> (Vec<Poly>, Vec<Within>) {
        let before = std::mem::take(&mut self.within);
        let mut said = Vec::new();
        for around in self.ir.around.clone() {
            let parts = [&around.value, &around.low, &around.high];
            let [Some(value), Some(low), Some(high)] = parts.map(|e| self.exact(e)) else {
                continue;
            };
            let polys = [&value, &low, &high].map(|form| form.as_poly().cloned());
            if let [Some(value), Some(low), Some(high)] = polys {
                let less = Poly::constant(i128::from(!around.inclusive));
                said.extend([value.clone() - low, high - value - less]);
            }
        }
        said.retain(|number| number.as_constant().is_none());
        (said, std::mem::replace(&mut self.within, before))
    }

    /// Takes some more numbers for 0 or more.
    pub(super) fn know(&mut self, more: &[Poly]) {
        self.facts.extend_from_slice(more);
    }

    /// All that is required where accesses of some arrays are what their forms say.
    pub(super) fn required(&self, of: impl Fn(ArrayId) -> bool) -> Vec<Within> {
        let mut all = self.within.clone();
        let accesses = self.found.iter().filter(|found| of(found.array));
        for within in accesses.flat_map(|found| &found.required) {
            if !all.contains(within) {
                all.push(within.clone());
            }
        }
        all
    }

    /// The element that an index names.
    fn element(&mut self, index: &Index, around: &mut Vec<LoopVar>) -> Option<Affine> {
        let Some(base) = &index.base else {
            return self.form(&index.index);
        };
        let own = self.plain(&index.index);
        let base = self.form(base)?;
        let bounded = |form: &Affine| {
            let unbounded = |var| form.has(LoopVar(var)) && self.extents[var].is_empty();
            !(0..self.extents.len()).any(unbounded)
        };
        match own.filter(bounded) {
            Some(own) => Some(base.plus(&own)),
            // Whatever it is, it has been compared with the length of the chunk.
            None => {
                let Check::Window(len) = &index.check else {
                    return None;
                };
                let len = self.form(len)?;
                let var = self.var(vec![len]);
                around.push(var);
                Some(base.plus(&Affine::var(var)))
            }
        }
    }

    pub(super) fn var(&mut self, most: Vec<Affine>) -> LoopVar {
        self.extents.push(most);
        LoopVar(self.extents.len() - 1)
    }

    /// A value that is the same in every iteration and not negative.
    pub(super) fn param(&mut self, expr: &Expr) -> Option<Affine> {
        let scalar = expr.ty.as_scalar()?;
        if !scalar.is_int() || scalar.is_signed() {
            return None;
        }
        Some(Affine::constant(self.number_of(expr)))
    }

    /// The parameter that stands for a number.
    fn number_of(&mut self, expr: &Expr) -> Poly {
        let known = self.given.iter().position(|g| same(g, expr));
        let number = known.unwrap_or_else(|| {
            self.given.push(expr.clone());
            self.given.len() - 1
        });
        Poly::param(Param(number as u32))
    }

    /// A number with a sign, or of a type that is not known, that is the same in every iteration: as a `usize`, which is the same number but for multiples of 2^64. What rests
    /// on its value has to lie in a range, as sums do that wrap.
    fn signed(&mut self, expr: &Expr) -> Option<Affine> {
        let unsigned = |ty: Scalar| !ty.is_signed();
        if !self.is_int(&expr.ty) || expr.ty.as_scalar().is_some_and(unsigned) {
            return None;
        }
        self.param(&Expr {
            kind: ExprKind::Cast(Box::new(expr.clone())),
            ty: Type::Scalar(Scalar::Usize),
            source: expr.source,
        })
    }

    /// Whether an expression is made of captured values alone, by operators that the call can evaluate.
    pub(super) fn is_given(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(place) => match place.root {
                Root::Var(var) if place.path.is_empty() => {
                    self.ir.var(var).kind == VarKind::Captured
                }
                _ => false,
            },
            ExprKind::Cast(inner) => {
                let int = expr.ty.as_scalar().is_some_and(Scalar::is_int);
                int && self.is_int(&inner.ty) && self.is_given(inner)
            }
            // What it is before it wraps is known of types that are.
            ExprKind::Binary(
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div,
                a,
                b,
            ) => !expr.ty.is_open() && self.is_given(a) && self.is_given(b),
            ExprKind::Method(
                Method::DivCeil
                | Method::SaturatingSub
                | Method::WrappingSub
                | Method::Min
                | Method::Max,
                parts,
            ) => parts.iter().all(|part| self.is_given(part)),
            // How many numbers a range has.
            ExprKind::If(condition, then, Some(otherwise)) => {
                let values = value_of(then).zip(value_of(otherwise));
                self.is_comparison(condition)
                    && values.is_some_and(|(a, b)| self.is_given(a) && self.is_given(b))
            }
            _ => false,
        }
    }

    /// Whether a condition compares integers that the call can evaluate.
    fn is_comparison(&self, condition: &Expr) -> bool {
        let ExprKind::Binary(op, a, b) = &condition.kind else {
            return false;
        };
        let given = |e: &Expr| self.is_int(&e.ty) && self.is_given(e);
        matches!(op, BinaryOp::Lt | BinaryOp::Le) && given(a) && given(b)
    }

    /// The form of an integer; `None` where it has none.
    pub(super) fn form(&mut self, expr: &Expr) -> Option<Affine> {
        match self.summed(expr) {
            None if self.bounded && is_bounded(expr) => {
                let form = self.computed(expr)?;
                (form.largest() <= LARGEST).then_some(form)
            }
            form => form,
        }
    }

    /// The form of an integer that is a sum, of numbers that may themselves have bounds alone.
    pub(super) fn summed(&mut self, expr: &Expr) -> Option<Affine> {
        let form = self.form_of(expr)?;
        (form.largest() <= LARGEST).then_some(form)
    }

    /// The form of an integer as a sum of the variables of loops.
    pub(super) fn plain(&mut self, expr: &Expr) -> Option<Affine> {
        let bounded = std::mem::take(&mut self.bounded);
        let form = self.form(expr);
        self.bounded = bounded;
        form
    }

    /// The value of a local that has one.
    pub(super) fn value(&self, var: VarId) -> Option<Expr> {
        self.lets.get(&var)?.1.clone()
    }

    fn form_of(&mut self, expr: &Expr) -> Option<Affine> {
        if !self.is_int(&expr.ty) {
            return None;
        }
        match &expr.kind {
            ExprKind::Literal(Literal::Int(value)) => {
                Some(Affine::constant(Poly::constant(*value)))
            }
            ExprKind::Len(_) => self.param(expr),
            ExprKind::Load(place) => {
                let Root::Var(var) = place.root else {
                    return None;
                };
                if !place.path.is_empty() {
                    return None;
                }
                if let Some(dim) = self.ir.space.iter().position(|d| d.position == var) {
                    return Some(Affine::var(LoopVar(dim)));
                }
                match self.lets.get(&var) {
                    Some((None, Some(value))) if self.bounded => {
                        let value = value.clone();
                        // It is the same wherever it is used.
                        let known = std::mem::take(&mut self.known);
                        let within = std::mem::take(&mut self.within);
                        let form = self.form(&value);
                        self.known = known;
                        let own = std::mem::replace(&mut self.within, within);
                        self.of_locals.extend(own);
                        if let Some(of) = self.lets.get_mut(&var) {
                            of.0 = form.clone();
                        }
                        form
                    }
                    Some((form, _)) => form.clone(),
                    None if self.ir.var(var).kind == VarKind::Captured => {
                        self.param(expr).or_else(|| self.signed(expr))
                    }
                    None => None,
                }
            }
            ExprKind::Unary(UnaryOp::Neg, a) => Some(self.form(a)?.times(&Poly::constant(-1))),
            // Half of what is there.
            ExprKind::Binary(BinaryOp::Div, a, b) if self.is_given(expr) => {
                self.quotient(expr, a, b, false).pop()
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Method(name, parts) => match (*name, &parts[..]) {
                (Method::WrappingAdd, [a, b]) => self.binary(BinaryOp::Add, a, b),
                (Method::WrappingSub, [a, b]) => self.binary(BinaryOp::Sub, a, b),
                (Method::WrappingMul, [a, b]) => self.binary(BinaryOp::Mul, a, b),
                // How many steps a range has, backwards.
                (Method::DivCeil, [a, b]) => self.quotient(expr, a, b, true).pop(),
                _ => None,
            },
            ExprKind::Cast(inner) => self.cast(expr, inner),
            // What it binds has been read where it stands.
            ExprKind::Block(block) => self.form(block.tail.as_deref()?),
            // How many numbers a range with a sign has.
            ExprKind::If(_, then, Some(otherwise)) => {
                let then = value_of(otherwise)
                    .filter(|o| is_zero(o))
                    .and(value_of(then))?;
                self.difference(then)
            }
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Affine> {
        if op == BinaryOp::Mul
            && let Some(multiple) = self.position_times(a, b)
        {
            return Some(multiple);
        }
        // How many numbers a range has, from which `(1..n).rev()` goes down.
        let counts = matches!(a.kind, ExprKind::Method(Method::SaturatingSub, _));
        let x = match op == BinaryOp::Sub && counts && self.is_given(a) {
            true => self.param(a)?,
            false => self.form(a)?,
        };
        let y = self.form(b)?;
        match op {
            BinaryOp::Add => Some(x.plus(&y)),
            BinaryOp::Sub => Some(x.plus(&y.times(&Poly::constant(-1)))),
            BinaryOp::Mul => x.product(&y),
            BinaryOp::Div => Some(self.divided(a, computed::literal(b)?)?.0),
            BinaryOp::Rem => {
                let (_, rest) = self.divided(a, computed::literal(b)?)?;
                Some(Affine::constant(Poly::constant(rest)))
            }
            BinaryOp::Shl => {
                let bits = i128::from(a.ty.as_scalar()?.bits().min(40));
                let by = y.as_poly()?.as_constant();
                let by = by.filter(|by| (0..bits).contains(by))?;
                Some(x.times(&Poly::constant(1 << by)))
            }
            _ => None,
        }
    }

    /// A value in another type. From 64 bits to 64 bits nothing is lost; else the value has to lie in both.
    fn cast(&mut self, whole: &Expr, inner: &Expr) -> Option<Affine> {
        if !self.is_int(&inner.ty) || !self.is_int(&whole.ty) {
            return None;
        }
        let (Some(from), Some(to)) = (inner.ty.as_scalar(), whole.ty.as_scalar()) else {
            let form = self.form(inner)?;
            self.require_type(&form, &inner.ty)?;
            self.require_type(&form, &whole.ty)?;
            return Some(form);
        };
        // So that a number that is below 0 is one.
        let itself = self.is_given(inner) && matches!(inner.kind, ExprKind::Load(_));
        let form = match itself && from.is_signed() && !to.is_signed() {
            true => None,
            false => self.form(inner),
        };
        let Some(form) = form else {
            // A number with a sign is a parameter once it is a `usize`, whatever it was.
            return self.is_given(whole).then(|| self.param(whole)).flatten();
        };
        if from.bits() == 64 && to.bits() == 64 {
            return Some(form);
        }
        let ((low, high), (least, most)) = (from.limits()?, to.limits()?);
        self.require(&form, low.max(least), high.min(most));
        Some(form)
    }

    /// Rests what follows on a form's lying in a range.
    pub(super) fn require(&mut self, form: &Affine, low: i128, high: i128) {
        let constant = form.as_poly().and_then(Poly::as_constant);
        if constant.is_some_and(|c| (low..=high).contains(&c)) {
            return;
        }
        let within = Within {
            form: form.clone(),
            low,
            high,
        };
        if !self.within.contains(&within) {
            self.within.push(within);
        }
    }

    /// Whether values of a type are integers that have forms.
    fn is_int(&self, ty: &Type) -> bool {
        match ty {
            Type::Integer(_) => self.unseen,
            ty => ty.as_scalar().is_some_and(Scalar::is_int),
        }
    }

    /// The same of the numbers that a type has.
    fn require_type(&mut self, form: &Affine, ty: &Type) -> Option<()> {
        let Type::Integer(_) = ty else {
            let (low, high) = ty.as_scalar()?.limits()?;
            self.require(form, low, high);
            return Some(());
        };
        let source = self.ir.source;
        // A cast gives the nearest number that the type has.
        let nearest = |to: f64| {
            let to = Expr {
                kind: ExprKind::Literal(Literal::Float(to)),
                ty: Type::Scalar(Scalar::F64),
                source,
            };
            Expr {
                kind: ExprKind::Cast(Box::new(to)),
                ty: ty.clone(),
                source,
            }
        };
        let least = Expr {
            kind: ExprKind::Unary(UnaryOp::Neg, Box::new(nearest(f64::NEG_INFINITY))),
            ty: ty.clone(),
            source,
        };
        let (below, greatest) = (
            self.number_of(&least),
            self.number_of(&nearest(f64::INFINITY)),
        );
        let from = |number: Poly| form.clone().plus(&Affine::constant(number));
        self.require(&from(below), 0, i128::MAX);
        self.require(&from(-greatest), -i128::MAX, 0);
        Some(())
    }

    /// The form of a number that decides how often a loop runs: what the loop computes, exactly.
    pub(super) fn exact(&mut self, expr: &Expr) -> Option<Affine> {
        let form = self.form(expr)?;
        if !self.is_itself(expr) {
            self.require_type(&form, &expr.ty)?;
        }
        Some(form)
    }

    /// The same, of a number that has no form and that the call evaluates: how many numbers a range has that starts anywhere.
    fn told(&mut self, expr: &Expr) -> Option<Affine> {
        match self.exact(expr) {
            None if self.is_given(expr) => self.param(expr),
            form => form,
        }
    }

    /// Whether an expression is a value of the call, or a name for one.
    pub(super) fn is_itself(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(place) => match place.root {
                Root::Var(var) if place.path.is_empty() => match self.lets.get(&var) {
                    Some((_, Some(value))) => self.is_itself(value),
                    Some((_, None)) => true,
                    // Of a number with a sign the form is only the same but for multiples of 2^64.
                    None => {
                        let signed = expr.ty.as_scalar().is_none_or(Scalar::is_signed);
                        self.ir.var(var).kind == VarKind::Captured && !signed
                    }
                },
                _ => false,
            },
            _ => false,
        }
    }

    /// Bounds of how often a loop runs.
    pub(super) fn extent(&mut self, count: &Expr) -> Vec<Affine> {
        match &count.kind {
            ExprKind::Load(Place {
                root: Root::Var(var),
                path,
            }) if path.is_empty() => match self.lets.get(var) {
                Some((_, Some(value))) => {
                    let value = value.clone();
                    self.extent(&value)
                }
                _ => self.exact(count).into_iter().collect(),
            },
            ExprKind::Method(Method::SaturatingSub, parts) => self.distance(&parts[0], &parts[1]),
            ExprKind::Method(Method::Min, parts) => {
                let mut bounds = self.extent(&parts[0]);
                bounds.extend(self.extent(&parts[1]));
                bounds
            }
            ExprKind::Method(Method::DivCeil, parts) => {
                self.quotient(count, &parts[0], &parts[1], true)
            }
            ExprKind::Binary(BinaryOp::Div, a, b) => self.quotient(count, a, b, false),
            // `if start < end { end - start } else { 0 }`.
            ExprKind::If(_, then, Some(otherwise)) => match (value_of(then), value_of(otherwise)) {
                (Some(then), Some(otherwise)) if is_zero(otherwise) => {
                    let bounds = self.extent(then);
                    match bounds.is_empty() {
                        true => self.difference(then).into_iter().collect(),
                        false => bounds,
                    }
                }
                _ => Vec::new(),
            },
            ExprKind::Cast(inner) => match (&inner.kind, inner.ty.as_scalar()) {
                (ExprKind::Method(Method::WrappingSub, parts), _) => {
                    self.distance(&parts[0], &parts[1])
                }
                (_, Some(of)) if of.is_int() && !of.is_signed() => self.extent(inner),
                _ => self.exact(count).into_iter().collect(),
            },
            ExprKind::Binary(BinaryOp::Add, a, b) => match (self.extent(a), self.exact(b)) {
                (bounds, Some(more)) => bounds.into_iter().map(|bound| bound.plus(&more)).collect(),
                (_, None) => Vec::new(),
            },
            _ => self.exact(count).into_iter().collect(),
        }
    }

    /// `end - start` items of a range of numbers with a sign, which the call evaluates.
    fn difference(&mut self, count: &Expr) -> Option<Affine> {
        let parts = match &count.kind {
            ExprKind::Cast(inner) => return self.difference(inner),
            ExprKind::Method(Method::WrappingSub, parts) => parts,
            _ => return None,
        };
        let given = parts.iter().all(|part| self.is_given(part));
        given.then(|| {
            self.param(&Expr {
                kind: ExprKind::Method(Method::SaturatingSub, parts.clone()),
                ty: Type::Scalar(Scalar::Usize),
                source: count.source,
            })
        })?
    }

    /// `a / b` items, or one more where there is a rest: `b` times so many are `a` at most, or less than `a + b`.
    pub(super) fn quotient(&mut self, count: &Expr, a: &Expr, b: &Expr, up: bool) -> Vec<Affine> {
        let (Some(all), Some(size)) = (self.told(a), self.exact(b)) else {
            return Vec::new();
        };
        let (Some(all), Some(size)) = (all.as_poly().cloned(), size.as_poly().cloned()) else {
            return Vec::new();
        };
        let Some(own) = self.is_given(count).then(|| self.param(count)).flatten() else {
            return Vec::new();
        };
        if let Some(number) = own.as_poly() {
            let rest = match up {
                true => size.clone() - Poly::constant(1),
                false => Poly::zero(),
            };
            self.facts.push(all + rest - size * number.clone());
        }
        vec![own]
    }
}

impl Visit for Accesses<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            // The parts first, since indices may be blocks that bind names.
            ExprKind::Load(place) => {
                self.expr_parts(expr);
                return self.note(place, false, expr.source);
            }
            ExprKind::Opaque(opaque) => {
                // What is done to an element that is handed on is not seen.
                for part in &opaque.parts {
                    if let ExprKind::Load(place) = &part.kind
                        && matches!(place.root, Root::Array(_))
                    {
                        self.note(place, false, part.source);
                        if let Some(found) = self.found.last_mut() {
                            found.handed = !opaque.reads;
                            found.counts = opaque.counts;
                        }
                    }
                }
                if opaque.counts {
                    // Nothing else is read of them.
                    return opaque.parts.iter().for_each(|part| self.expr_parts(part));
                }
                for &array in &opaque.arrays {
                    self.found.push(Found {
                        array,
                        writes: false,
                        handed: true,
                        changes: false,
                        counts: false,
                        access: Access {
                            indices: vec![None],
                        },
                        around: self.around.clone(),
                        multiples: Vec::new(),
                        required: Vec::new(),
                        under: None,
                        source: expr.source,
                    });
                }
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a);
                let holds = matches!(expr.kind, ExprKind::And(..));
                self.conditions.push(((**a).clone(), holds));
                self.expr(b);
                self.conditions.pop();
                return;
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.conditions.push(((**condition).clone(), true));
                self.block(then);
                if let Some(last) = self.conditions.last_mut() {
                    last.1 = false;
                }
                if let Some(otherwise) = otherwise {
                    self.block(otherwise);
                }
                self.conditions.pop();
                return;
            }
            _ => {}
        }
        self.expr_parts(expr);
    }

    fn block(&mut self, block: &Block) {
        let around = self.conditions.len();
        for stmt in &block.stmts {
            self.stmt(stmt);
            // `if c { continue; }`: what follows is where it does not hold.
            if let StmtKind::Expr(expr) = &stmt.kind
                && let ExprKind::If(condition, then, None) = &expr.kind
                && then.never_ends()
            {
                self.conditions.push(((**condition).clone(), false));
            }
        }
        if let Some(tail) = &block.tail {
            self.expr(tail);
        }
        self.conditions.truncate(around);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(var, Some(value)) => {
                self.expr(value);
                if !self.assigned.contains(var) {
                    let form = self.form(value);
                    self.lets.insert(*var, (form, Some(value.clone())));
                }
            }
            StmtKind::For(inner) => {
                self.expr(&inner.count);
                let extent = self.extent(&inner.count);
                if extent.is_empty() {
                    self.scale(inner.position, &inner.count);
                }
                let var = self.var(extent);
                self.lets
                    .insert(inner.position, (Some(Affine::var(var)), None));
                self.around.push(var);
                self.block(&inner.body);
                self.around.pop();
            }
            StmtKind::Assign(place, _) | StmtKind::Compound(place, ..) => {
                self.stmt_parts(stmt);
                self.note(place, true, stmt.source);
            }
            _ => self.stmt_parts(stmt),
        }
    }
}

/// The variables that are assigned.
struct Assigned<'a>(&'a mut SortedSet<VarId>);

impl Visit for Assigned<'_> {
    fn store(&mut self, place: &Place) {
        if let Root::Var(var) = place.root {
            self.0.insert(var);
        }
        self.place_parts(place);
    }
}

/// Whether a number may have bounds though it has no form.
fn is_bounded(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Rem | BinaryOp::BitAnd),
        ExprKind::Method(method, _) => matches!(
            method,
            Method::Min | Method::Max | Method::Clamp | Method::SaturatingSub | Method::RemEuclid
        ),
        ExprKind::If(..) | ExprKind::Block(_) | ExprKind::Cast(_) => true,
        _ => false,
    }
}

/// The value of a block that is nothing else.
pub(super) fn value_of(block: &Block) -> Option<&Expr> {
    block.tail.as_deref().filter(|_| block.stmts.is_empty())
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Literal::Int(0)))
}

//! Places whose addresses grow evenly over the positions of a loop, as polynomials: what makes neighbours of accesses.
//!
//! `x[(y - 1) * w + i]` and `x[y * w + i + 1]` are `w * y + i - w` and `w * y + i + 1`, so that one is a line above the other and an
//! element before it, whatever `w` is. Sums and products wrap in 64 bits as they do in the loop, so that polynomials that are equal
//! have equal values.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::layout;
use crate::dependence::{Param, Poly};
use crate::ir::{
    ArrayId, BinaryOp, Block, Check, Expr, ExprKind, Extent, Index, Length, Literal, Loop, Method,
    Place, Projection, Root, Scalar, Type, VarId, VarKind,
};

/// Coefficients beyond this are no strides that anybody means, and their products would not fit.
const LARGEST: i128 = 1 << 40;

/// What a polynomial is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// A position or a captured value.
    Var(VarId),
    /// The length of an array.
    Len(ArrayId),
    /// How far a number is from what it would be inside: 0 where a guard holds.
    Jump(u32),
}

impl Atom {
    fn param(self) -> Param {
        Param(match self {
            Atom::Var(var) => 3 * var.0,
            Atom::Len(array) => 3 * array.0 + 1,
            Atom::Jump(guard) => 3 * guard + 2,
        })
    }

    /// What a parameter stands for.
    pub(super) fn of(param: Param) -> Atom {
        match param.0 % 3 {
            0 => Atom::Var(VarId(param.0 / 3)),
            1 => Atom::Len(ArrayId(param.0 / 3)),
            _ => Atom::Jump(param.0 / 3),
        }
    }
}

/// What holds of iterations in which a value is the polynomial that it is taken for: one number is at most, or less than, another.
/// `x.saturating_sub(1)` is `x - 1` where 1 is at most `x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guard {
    pub(super) less: Poly,
    pub(super) most: Poly,
    pub(super) strict: bool,
    /// The value where it holds, and where it does not, if that is a polynomial.
    pub(super) inside: Poly,
    pub(super) outside: Option<Poly>,
}

/// A guard of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guarded {
    pub(super) guard: Guard,
    /// What its value is multiplied with there.
    pub(super) factor: Poly,
}

/// An access whose address grows evenly.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    /// Bytes from the start of the array.
    pub(super) bytes: Poly,
    /// What is there.
    pub(super) scalar: Scalar,
    /// The bytes of the array.
    pub(super) length: Poly,
    /// Indices that have to be less than something for more reasons than the length of the array.
    pub(super) checks: Vec<(Poly, Poly)>,
    /// Where it does.
    pub(super) guards: Vec<Guarded>,
    /// Whether one of these is about what a check compares, too.
    pub(super) checks_are_guarded: bool,
}

/// Values of variables that are polynomials, in the order in which a body declares them.
pub(super) struct Values<'a> {
    pub(super) lp: &'a Loop,
    pub(super) assigned: &'a HashSet<VarId>,
    /// The position of an inner loop, where it is one of the positions.
    inner: Option<VarId>,
    found: HashMap<VarId, Poly>,
    /// Guards by their numbers.
    guards: RefCell<Vec<Guard>>,
}

impl<'a> Values<'a> {
    pub(super) fn new(lp: &'a Loop, assigned: &'a HashSet<VarId>) -> Values<'a> {
        Values {
            lp,
            assigned,
            inner: None,
            found: HashMap::new(),
            guards: RefCell::default(),
        }
    }

    /// The same over the positions of an inner loop as well.
    pub(super) fn over(lp: &'a Loop, assigned: &'a HashSet<VarId>, inner: VarId) -> Values<'a> {
        Values {
            inner: Some(inner),
            ..Values::new(lp, assigned)
        }
    }

    /// A position, as a polynomial.
    pub(super) fn position_of(var: VarId) -> Poly {
        Poly::param(Atom::Var(var).param())
    }

    /// An expression as a polynomial, if it has no guards.
    pub(super) fn plain(&self, e: &Expr) -> Option<Poly> {
        self.value(e).filter(is_plain)
    }

    /// Notes a declaration; one that is made again has the new value.
    pub(super) fn declare(&mut self, var: VarId, init: &Expr) {
        self.found.remove(&var);
        if !self.assigned.contains(&var)
            && let Some(value) = self.value(init)
        {
            self.found.insert(var, value);
        }
    }

    /// An expression as a polynomial, with a jump for each guard of it.
    fn value(&self, e: &Expr) -> Option<Poly> {
        let wide = |ty: &Type| ty.as_scalar().is_some_and(|s| s.is_int() && s.size() == 8);
        if !wide(&e.ty) {
            return None;
        }
        let value = match &e.kind {
            ExprKind::Literal(Literal::Int(v)) => Poly::constant(*v),
            ExprKind::Len(array) => self.array_length(*array)?,
            ExprKind::Load(place) if place.path.is_empty() => match place.root {
                Root::Var(var) => match self.lp.var(var).kind {
                    VarKind::Captured => Poly::param(Atom::Var(var).param()),
                    _ => match self.found.get(&var) {
                        Some(value) => value.clone(),
                        None => self.position(var)?,
                    },
                },
                Root::Array(_) => return None,
            },
            ExprKind::Cast(inner) if wide(&inner.ty) => self.value(inner)?,
            // A captured value of fewer bits is extended.
            ExprKind::Cast(inner) => match &inner.kind {
                ExprKind::Load(Place {
                    root: Root::Var(var),
                    path,
                }) if path.is_empty()
                    && self.lp.var(*var).kind == VarKind::Captured
                    && inner.ty.as_scalar().is_some_and(Scalar::is_int) =>
                {
                    Poly::param(Atom::Var(*var).param())
                }
                _ => return None,
            },
            ExprKind::Block(block) if block.stmts.is_empty() => {
                self.value(block.tail.as_deref()?)?
            }
            ExprKind::Method(method, parts) if unsigned(&e.ty) => self.method(*method, parts)?,
            ExprKind::If(cond, then, Some(otherwise)) => self.choice(cond, [then, otherwise])?,
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    _ => return None,
                }
            }
            _ => return None,
        };
        (value.largest() < LARGEST).then_some(value)
    }

    /// A number that is kept within bounds: itself, where it is.
    fn method(&self, method: Method, parts: &[Expr]) -> Option<Poly> {
        let [a, b] = parts else { return None };
        let (a, b) = (self.value(a)?, self.value(b)?);
        let [inside, bound] = match (self.moves(&a), self.moves(&b)) {
            (true, false) => [a.clone(), b.clone()],
            (false, true) => [b.clone(), a.clone()],
            _ => return None,
        };
        let guarded = |less: &Poly, most: &Poly, inside: Poly, outside: &Poly| {
            let guard = Guard {
                less: plain(less),
                most: plain(most),
                strict: false,
                inside: plain(&inside),
                outside: is_plain(outside).then(|| outside.clone()),
            };
            inside + self.jump(guard)
        };
        Some(match method {
            Method::SaturatingSub => guarded(&b, &a, a.clone() - b.clone(), &Poly::zero()),
            Method::Min => guarded(&inside, &bound, inside.clone(), &bound),
            Method::Max => guarded(&bound, &inside, inside.clone(), &bound),
            _ => return None,
        })
    }

    /// How far a value is from what it is inside of a guard.
    fn jump(&self, guard: Guard) -> Poly {
        let mut guards = self.guards.borrow_mut();
        let known = guards.iter().position(|g| *g == guard);
        let number = known.unwrap_or_else(|| {
            guards.push(guard);
            guards.len() - 1
        });
        Poly::param(Atom::Jump(number as u32).param())
    }

    /// One of two values: that of the iterations inside.
    fn choice(&self, cond: &Expr, ways: [&Block; 2]) -> Option<Poly> {
        let ExprKind::Binary(op, a, b) = &cond.kind else {
            return None;
        };
        if !unsigned(&a.ty) {
            return None;
        }
        let (a, b) = (self.value(a)?, self.value(b)?);
        if self.moves(&a) == self.moves(&b) {
            return None;
        }
        let (a, b) = (plain(&a), plain(&b));
        // Whether the condition is what holds inside, and what does: of what is equal seldom, what is less.
        let zero = b.is_zero();
        let (holds, less, most, strict) = match op {
            BinaryOp::Eq if zero => (false, b, a, true),
            BinaryOp::Eq => (false, a, b, true),
            BinaryOp::Ne if zero => (true, b, a, true),
            BinaryOp::Ne => (true, a, b, true),
            BinaryOp::Lt => (true, a, b, true),
            BinaryOp::Le => (true, a, b, false),
            BinaryOp::Gt => (true, b, a, true),
            BinaryOp::Ge => (true, b, a, false),
            _ => return None,
        };
        // Which way is the inside, of comparisons: the one that moves.
        let value = |way: &Block| {
            let tail = way.tail.as_deref().filter(|_| way.stmts.is_empty())?;
            self.value(tail)
        };
        let ways = ways.map(value);
        let moving = |way: &Option<Poly>| way.as_ref().is_some_and(|way| self.moves(way));
        let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let [then, otherwise] = ways;
        let first = match equality {
            true => holds,
            false => moving(&then) || !moving(&otherwise),
        };
        let (inside, outside) = match first {
            true => (then?, otherwise),
            false => (otherwise?, then),
        };
        let (less, most, strict) = match first == holds {
            true => (less, most, strict),
            // The opposite.
            false => (most, less, !strict),
        };
        let guard = Guard {
            less,
            most,
            strict,
            inside: plain(&inside),
            // What is not equal may be on the other side as well, but of zero.
            outside: outside.filter(|way| is_plain(way) && (!equality || zero)),
        };
        Some(inside + self.jump(guard))
    }

    /// Whether a value is not the same in all iterations.
    fn moves(&self, poly: &Poly) -> bool {
        let is_position = |param: Param| match Atom::of(param) {
            Atom::Var(var) => self.is_position(var),
            Atom::Len(_) | Atom::Jump(_) => false,
        };
        poly.params().any(is_position)
    }

    fn position(&self, var: VarId) -> Option<Poly> {
        self.is_position(var).then(|| Values::position_of(var))
    }

    fn is_position(&self, var: VarId) -> bool {
        self.inner == Some(var) || self.lp.space.iter().any(|dim| dim.position == var)
    }

    fn array_length(&self, array: ArrayId) -> Option<Poly> {
        match &self.lp.array(array).extent {
            Extent::Fixed(Length::Known(n)) => Some(Poly::constant(i128::from(*n))),
            Extent::Runtime => Some(Poly::param(Atom::Len(array).param())),
            Extent::Fixed(Length::Captured(_)) => None,
        }
    }

    /// A place of a captured array, if its address is a polynomial.
    pub(super) fn place(&self, place: &Place) -> Option<Linear> {
        let Root::Array(array) = place.root else {
            return None;
        };
        let mut length = self.array_length(array)?;
        let mut ty: Option<&Type> = None;
        let mut bytes = Poly::zero();
        let mut checks = Vec::new();
        for step in &place.path {
            match step {
                Projection::Field(n) => {
                    let (offset, field) = layout::field(ty?, *n)?;
                    bytes = bytes + Poly::constant(i128::from(offset));
                    ty = Some(field);
                }
                Projection::Index(index) => {
                    let elem = match ty {
                        None => &self.lp.array(array).elem,
                        Some(Type::Array(elem, Length::Known(n))) => {
                            length = Poly::constant(i128::from(*n));
                            &**elem
                        }
                        Some(_) => return None,
                    };
                    let at = self.index(index, &length, ty.is_none(), &mut checks)?;
                    let size = layout::of(elem)?.size;
                    bytes = bytes + at * Poly::constant(i128::from(size));
                    ty = Some(elem);
                }
            }
        }
        let size = layout::of(&self.lp.array(array).elem)?.size;
        let mut guards = Vec::new();
        let mut seen: Vec<Param> = Vec::new();
        for param in bytes
            .params()
            .chain(checks.iter().flat_map(|(at, _)| at.params()))
        {
            let Atom::Jump(number) = Atom::of(param) else {
                continue;
            };
            if seen.contains(&param) {
                continue;
            }
            seen.push(param);
            guards.push(Guarded {
                guard: self.guards.borrow()[number as usize].clone(),
                factor: factor_of(&bytes, param).filter(is_plain)?,
            });
        }
        let checks_are_guarded = checks.iter().any(|(at, _)| !is_plain(at));
        let checks = checks.into_iter().map(|(at, limit)| (plain(&at), limit));
        let checks = checks.collect();
        let bytes = plain(&bytes);
        Some(Linear {
            checks_are_guarded,
            bytes,
            scalar: ty?.as_scalar()?,
            length: self.array_length(array)? * Poly::constant(i128::from(size)),
            checks,
            guards,
        })
    }

    /// An index, and what it is compared with beside the length of the array, which all that is loaded is.
    fn index(
        &self,
        index: &Index,
        length: &Poly,
        outermost: bool,
        checks: &mut Vec<(Poly, Poly)>,
    ) -> Option<Poly> {
        let at = self.value(&index.index)?;
        let limit = match &index.check {
            Check::Dimension if outermost && index.base.is_none() => None,
            Check::Dimension => Some(length.clone()),
            Check::Window(window) => Some(self.value(window).filter(is_plain)?),
            Check::Never => None,
        };
        if let Some(limit) = limit {
            let known = |p: &Poly| p.as_constant();
            if !matches!((known(&at), known(&limit)), (Some(at), Some(limit)) if (0..limit).contains(&at))
            {
                checks.push((at.clone(), limit));
            }
        }
        Some(match &index.base {
            Some(base) => self.value(base)? + at,
            None => at,
        })
    }
}

fn unsigned(ty: &Type) -> bool {
    matches!(ty, Type::Scalar(Scalar::Usize | Scalar::U64))
}

/// Whether a value is the same in and out of guards.
fn is_plain(poly: &Poly) -> bool {
    !poly
        .params()
        .any(|param| matches!(Atom::of(param), Atom::Jump(_)))
}

/// A value inside of all guards.
fn plain(poly: &Poly) -> Poly {
    let is_jump = |param: &Param| matches!(Atom::of(*param), Atom::Jump(_));
    let terms = poly
        .terms()
        .filter(|(_, factors)| !factors.iter().any(is_jump));
    terms.fold(Poly::zero(), |all, (c, factors)| {
        all + product(c, factors.iter())
    })
}

fn product<'p>(c: i128, factors: impl Iterator<Item = &'p Param>) -> Poly {
    factors.fold(Poly::constant(c), |all, param| all * Poly::param(*param))
}

/// What a parameter is multiplied with, if it is in no term twice.
fn factor_of(poly: &Poly, param: Param) -> Option<Poly> {
    let mut factor = Poly::zero();
    for (c, factors) in poly.terms() {
        match factors.iter().filter(|p| **p == param).count() {
            0 => {}
            1 => factor = factor + product(c, factors.iter().filter(|p| **p != param)),
            _ => return None,
        }
    }
    Some(factor)
}

/// A polynomial as what it is without a variable, and what the variable is multiplied with.
pub(super) fn split(poly: &Poly, var: VarId) -> Option<(Poly, Poly)> {
    let param = Atom::Var(var).param();
    let (mut rest, mut factor) = (Poly::zero(), Poly::zero());
    for (c, factors) in poly.terms() {
        let others = factors.iter().filter(|p| **p != param);
        let term = others.fold(Poly::constant(c), |all, p| all * Poly::param(*p));
        match factors.iter().filter(|p| **p == param).count() {
            0 => rest = rest + term,
            1 => factor = factor + term,
            _ => return None,
        }
    }
    Some((rest, factor))
}

/// A polynomial divided by a number, if all of it can be.
pub(super) fn divided(poly: &Poly, by: i128) -> Option<Poly> {
    let mut all = Poly::zero();
    for (c, factors) in poly.terms() {
        (c % by == 0).then_some(())?;
        let term = factors
            .iter()
            .fold(Poly::constant(c / by), |all, p| all * Poly::param(*p));
        all = all + term;
    }
    Some(all)
}

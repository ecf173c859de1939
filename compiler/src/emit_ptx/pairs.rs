//! Pairs: two neighbouring iterations of a patch computed in one register, 16 bits each, where they read bytes.
//!
//! ```text
//! around = x[at - 1] as i32 + x[at + 1] as i32 + x[at - w] as i32 + x[at + w] as i32 - 4 * x[at] as i32
//!
//! bytes of a word   3 2 1 0        a pair is `low + (high << 16)`, as a number: sums, differences and products with numbers of pairs
//! pair of 1 and 2   · 2 · 1        are the pairs of the sums, whatever the signs are, as long as each one has room in 16 bits
//! ```
//!
//! Ranges decide: what is computed of bytes has one. Values are exact then, in the loop as well as here, so that nothing wraps in
//! either. What pairs have no instruction for is done with the two numbers apart, from there on, and so are statements that are not
//! understood: variables are taken apart before them.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use accrue_ptx::value;
use accrue_ptx::writer::{Operand, Reg};

use super::arith::type_max;
use super::dots::Sum;
use super::emitter::{Emitter, Result};
use super::families::{Along, Families, Use};
use super::halves::{self, Chosen, Quotient};
use super::schedule::{Line, Piece};
use super::strips::{Half, Lane, Strip, Written};
use super::value::{Num, Value};
use crate::ir::visit::Visit;
use crate::ir::{
    BinaryOp, Expr, ExprKind, Literal, Loop, Method, Place, Root, Scalar, Stmt, StmtKind, UnaryOp,
    VarId,
};

/// Least and largest value.
pub(super) type Range = (i64, i64);

/// Operations on pairs for each value that is taken apart, at least, for pairs to be worth it.
const OPERATIONS: u32 = 3;

/// A value of two iterations.
#[derive(Clone, Debug)]
pub(super) struct Both {
    ty: Scalar,
    range: Range,
    at: At,
}

#[derive(Clone, Debug)]
enum At {
    /// The same number in both.
    Number(i64),
    /// A sum that nobody has wanted yet.
    Sum(Rc<Sum>),
    Packed(Reg),
    /// Two floats ([`halves`]); of numbers that cannot be negative, their signs say nothing.
    Halves(Reg),
    Apart([Num; 2]),
}

/// How a value of two iterations will be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Number,
    Sum,
    Packed,
    Apart,
}

impl Form {
    /// Whether it is in one register, or can be.
    fn is_together(self) -> bool {
        matches!(self, Form::Sum | Form::Packed)
    }
}

/// Variables of two iterations.
pub(super) type Pairs = HashMap<VarId, Both>;

/// Whether values have room in 16 bits of a register.
fn has_room((low, high): Range) -> bool {
    low >= -0x8000 && high <= 0x7fff || low >= 0 && high <= 0xffff
}

/// Whether a type has all values of a range.
fn holds(ty: Scalar, (low, high): Range) -> bool {
    let least = if ty.is_signed() {
        -(type_max(ty) as i64) - 1
    } else {
        0
    };
    ty.is_int() && ty.size() <= 4 && low >= least && high <= type_max(ty) as i64
}

/// The range of an operation with two operands; `None` where it is none that is known here.
fn range_of(op: BinaryOp, a: Range, b: Range) -> Option<Range> {
    let number = (b.0 == b.1).then_some(b.0);
    Some(match op {
        BinaryOp::Add => (a.0 + b.0, a.1 + b.1),
        BinaryOp::Sub => (a.0 - b.1, a.1 - b.0),
        BinaryOp::Mul => {
            let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            (*all.iter().min()?, *all.iter().max()?)
        }
        BinaryOp::Div => {
            let by = number.filter(|n| *n > 0 && a.0 >= 0)?;
            (a.0 / by, a.1 / by)
        }
        BinaryOp::Rem => {
            let by = number.filter(|n| *n > 0 && a.0 >= 0)?;
            (0, a.1.min(by - 1))
        }
        BinaryOp::Shr => {
            let by = number.filter(|n| (0..16).contains(n) && a.0 >= 0)?;
            (a.0 >> by, a.1 >> by)
        }
        BinaryOp::BitAnd => {
            let mask = number.filter(|n| *n >= 0 && a.0 >= 0)?;
            (0, a.1.min(mask))
        }
        _ => return None,
    })
}

/// The range of a method.
fn range_of_method(method: Method, parts: &[Range]) -> Option<Range> {
    let a = *parts.first()?;
    let b = parts.get(1).copied();
    Some(match (method, b) {
        (Method::Clamp, Some(low)) => {
            let high = *parts.get(2)?;
            let (least, most) = (low.0, high.0);
            let numbers = low == (least, least) && high == (most, most) && least <= most;
            numbers.then(|| (a.0.clamp(least, most), a.1.clamp(least, most)))?
        }
        (Method::Min, Some(b)) => (a.0.min(b.0), a.1.min(b.1)),
        (Method::Max, Some(b)) => (a.0.max(b.0), a.1.max(b.1)),
        (Method::AbsDiff, Some(b)) => (0, (a.1 - b.0).max(b.1 - a.0)),
        (Method::Abs | Method::UnsignedAbs, None) => match a.0 >= 0 {
            true => a,
            false => (0, a.1.max(-a.0)),
        },
        _ => return None,
    })
}

/// What a body is by pairs.
pub(super) struct Paired {
    /// Which statements are.
    pub(super) stmts: Vec<bool>,
}

impl Paired {
    /// The statements of a patch that are computed by pairs, if that is worth it.
    pub(super) fn of(
        lp: &Loop,
        families: &Families,
        stmts: &[Stmt],
        columns: u32,
    ) -> Option<Paired> {
        if !families.in_step || families.across || !columns.is_multiple_of(2) {
            return None;
        }
        let mut ranges = Ranges {
            lp,
            families,
            vars: HashMap::new(),
            operations: 0,
            apart: 0,
        };
        let paired: Vec<bool> = stmts.iter().map(|stmt| ranges.stmt(stmt)).collect();
        let worth = ranges.operations >= OPERATIONS * ranges.apart.max(1);
        worth.then_some(Paired { stmts: paired })
    }
}

/// Follows the ranges of variables through a body.
struct Ranges<'a> {
    lp: &'a Loop,
    families: &'a Families,
    vars: HashMap<VarId, (Range, Form)>,
    /// Operations on pairs, and values taken apart.
    operations: u32,
    apart: u32,
}

impl Ranges<'_> {
    /// Whether a statement is computed by pairs.
    fn stmt(&mut self, stmt: &Stmt) -> bool {
        let known = self.of_stmt(stmt);
        if known.is_none() {
            // What it reads is taken apart, and what it writes is not known any more.
            let mut touched = Touched::default();
            touched.stmt(stmt);
            for var in touched.read {
                let known = self.vars.get(&var);
                let packed = known.is_some_and(|(_, form)| form.is_together());
                self.apart += u32::from(packed);
            }
            for var in touched.written {
                self.vars.remove(&var);
            }
        }
        known.is_some()
    }

    fn of_stmt(&mut self, stmt: &Stmt) -> Option<()> {
        let (place, value) = match &stmt.kind {
            StmtKind::Let(var, Some(init)) => {
                let ty = self.lp.var(*var).ty.as_scalar()?;
                let known = self.expr(init)?;
                holds(ty, known.0).then_some(())?;
                self.vars.insert(*var, known);
                return Some(());
            }
            StmtKind::Assign(place, value) => (place, self.expr(value)?),
            StmtKind::Compound(place, op, value) => {
                let Root::Var(var) = place.root else {
                    return None;
                };
                let before = *self.vars.get(&var)?;
                let ty = self.lp.var(var).ty.as_scalar()?;
                let value = self.expr(value)?;
                (place, self.binary(*op, ty, before, value)?)
            }
            _ => return None,
        };
        match place.root {
            Root::Var(var) => {
                place.path.is_empty().then_some(())?;
                let ty = self.lp.var(var).ty.as_scalar()?;
                holds(ty, value.0).then_some(())?;
                self.vars.insert(var, value);
            }
            Root::Array(_) => {
                let used = self.used(place)?;
                let scalar = self.families.list[used.family].scalar;
                (used.kept && used.writes && !used.reads && holds(scalar, value.0)).then_some(())?;
                self.apart += u32::from(value.1.is_together() && scalar.size() > 2);
            }
        }
        Some(())
    }

    fn used(&self, place: &Place) -> Option<&Use> {
        let at = std::ptr::from_ref(place);
        self.families.uses.iter().find(|u| u.place == at)
    }

    /// The range of an expression, and how it will be there.
    fn expr(&mut self, e: &Expr) -> Option<(Range, Form)> {
        let ty =
            e.ty.as_scalar()
                .filter(|ty| ty.is_int() && ty.size() <= 4)?;
        let found = match &e.kind {
            ExprKind::Literal(Literal::Int(n)) => {
                let n = i64::try_from(*n).ok()?;
                ((n, n), Form::Number)
            }
            ExprKind::Load(place) => match place.root {
                Root::Var(var) => {
                    place.path.is_empty().then_some(())?;
                    *self.vars.get(&var)?
                }
                Root::Array(_) => {
                    let used = self.used(place)?;
                    let family = &self.families.list[used.family];
                    let bytes = family.scalar == Scalar::U8 && family.along == Along::Columns;
                    (bytes && used.kept && used.reads).then_some(((0, 0xff), Form::Sum))?
                }
            },
            ExprKind::Cast(inner) => self.expr(inner)?,
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let a = self.expr(a)?;
                self.binary(BinaryOp::Sub, ty, ((0, 0), Form::Number), a)?
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.binary(*op, ty, a, b)?
            }
            ExprKind::Method(method, parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|part| self.expr(part)).collect();
                let parts = parts?;
                let ranges: Vec<Range> = parts.iter().map(|(range, _)| *range).collect();
                let range = range_of_method(*method, &ranges)?;
                let form = form_of_method(range, &parts);
                match form {
                    Form::Packed => self.operations += 1,
                    _ => self.takes_apart(&parts),
                }
                (range, form)
            }
            _ => return None,
        };
        holds(ty, found.0).then_some(found)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        ty: Scalar,
        a: (Range, Form),
        b: (Range, Form),
    ) -> Option<(Range, Form)> {
        let range = range_of(op, a.0, b.0)?;
        holds(ty, range).then_some(())?;
        let form = form_of(op, range, a, b);
        match form {
            Form::Number => {}
            Form::Sum | Form::Packed => self.operations += 1,
            Form::Apart => self.takes_apart(&[a, b]),
        }
        Some((range, form))
    }

    fn takes_apart(&mut self, parts: &[(Range, Form)]) {
        let together = parts.iter().filter(|(_, form)| form.is_together());
        self.apart += together.count() as u32;
    }
}

/// How the result of an operation is there.
fn form_of(op: BinaryOp, range: Range, (of_a, a): (Range, Form), (of_b, b): (Range, Form)) -> Form {
    let sums = a != Form::Packed && b != Form::Packed;
    let packs = match op {
        BinaryOp::Add | BinaryOp::Sub => true,
        BinaryOp::Mul => a == Form::Number || b == Form::Number,
        BinaryOp::Shr | BinaryOp::BitAnd => a.is_together() && b == Form::Number && of_a.0 >= 0,
        BinaryOp::Div => quotient_of((of_a, a), of_b).is_some(),
        _ => false,
    };
    let adds = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
    match (a, b) {
        (Form::Number, Form::Number) if adds => Form::Number,
        (Form::Apart, _) | (_, Form::Apart) => Form::Apart,
        _ if !packs || !has_room(range) => Form::Apart,
        _ if adds && sums => Form::Sum,
        // What fits and may be negative is floats, and made of such.
        _ if range.0 < 0 && halves::fit(range) && !(halves::fit(of_a) && halves::fit(of_b)) => {
            Form::Apart
        }
        _ => Form::Packed,
    }
}

/// How two values in a register are divided by a number: sums may start where they fit.
fn quotient_of((of_a, a): (Range, Form), (by, to): Range) -> Option<Quotient> {
    let moves = a == Form::Sum || a == Form::Packed && halves::fit(of_a);
    Quotient::of(of_a, by).filter(|_| moves && by == to)
}

/// How the result of a method is there.
fn form_of_method(range: Range, parts: &[(Range, Form)]) -> Form {
    let fits = |(range, form): &(Range, Form)| *form != Form::Apart && halves::fit(*range);
    let together = parts.iter().any(|(_, form)| form.is_together());
    match halves::fit(range) && together && parts.iter().all(fits) {
        true => Form::Packed,
        false => Form::Apart,
    }
}

/// The variables that a statement reads and writes.
#[derive(Default)]
struct Touched {
    read: HashSet<VarId>,
    written: HashSet<VarId>,
}

impl Visit for Touched {
    fn load(&mut self, place: &Place) {
        if let Root::Var(var) = place.root {
            self.read.insert(var);
        }
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        if let Root::Var(var) = place.root {
            self.written.insert(var);
        }
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(var, _) => {
                self.written.insert(*var);
            }
            StmtKind::Compound(place, ..) => {
                if let Root::Var(var) = place.root {
                    self.read.insert(var);
                }
            }
            _ => {}
        }
        self.stmt_parts(stmt);
    }
}

/// Where a pair is: its iterations, and what it knows.
struct Spot<'b> {
    row: u32,
    column: u32,
    uses: &'b [Use],
    vars: &'b Pairs,
}

impl<'a> Emitter<'a> {
    /// Prints a statement for two iterations.
    pub(super) fn pair_stmt(
        &mut self,
        strip: &mut Strip<'a>,
        stmt: &'a Stmt,
        uses: &[Use],
        lanes: &[Lane],
        vars: &mut Pairs,
        written: &mut Vec<Written>,
    ) {
        self.say(stmt.source);
        let spot = Spot {
            row: lanes[0].row,
            column: lanes[0].column,
            uses,
            vars,
        };
        let (place, value) = match &stmt.kind {
            StmtKind::Let(var, Some(init)) => {
                let value = self.both(strip, init, &spot);
                vars.insert(*var, value);
                return;
            }
            StmtKind::Assign(place, value) => (place, self.both(strip, value, &spot)),
            StmtKind::Compound(place, op, value) => {
                let Root::Var(var) = place.root else {
                    unreachable!("only variables are updated by pairs")
                };
                let before = vars[&var].clone();
                let value = self.both(strip, value, &spot);
                (
                    place,
                    self.both_binary(strip, *op, before.ty, before, value),
                )
            }
            other => unreachable!("no statement of pairs: {other:?}"),
        };
        match place.root {
            Root::Var(var) => {
                vars.insert(var, value);
            }
            Root::Array(_) => {
                let value = self.settled(strip, value, false);
                let together = match (&value.at, value.ty.size()) {
                    // Signs are in no byte that is stored.
                    (At::Packed(reg) | At::Halves(reg), 1) | (At::Packed(reg), 2) => Some(*reg),
                    _ => None,
                };
                let together = together.filter(|_| value.range.0 >= 0);
                let nums = match together {
                    Some(reg) => [Num::reg(value.ty, reg); 2],
                    None => self.apart(value),
                };
                for ((lane, num), half) in lanes.iter().zip(nums).zip([Half::Low, Half::High]) {
                    written.push(Written {
                        place,
                        at: (lane.row, lane.column),
                        num,
                        half: together.map(|_| half),
                    });
                }
            }
        }
    }

    /// Takes variables apart that a statement reads or writes, for two iterations.
    pub(super) fn unpair(
        &mut self,
        strip: &mut Strip<'a>,
        stmt: &'a Stmt,
        lanes: &mut [Lane],
        vars: &mut Pairs,
    ) -> Result<()> {
        if vars.is_empty() {
            return Ok(());
        }
        let mut touched = Touched::default();
        touched.stmt(stmt);
        let mut all: Vec<VarId> = touched.read.union(&touched.written).copied().collect();
        all.sort_unstable_by_key(|var| var.0);
        for var in all {
            let Some(both) = vars.get(&var).cloned() else {
                continue;
            };
            let both = self.settled(strip, both, true);
            let nums = self.apart(both);
            for (lane, num) in lanes.iter_mut().zip(nums) {
                std::mem::swap(&mut self.frame().vars, &mut lane.vars);
                let bound = self.bind(var, &Value::Num(num), stmt.source);
                std::mem::swap(&mut self.frame().vars, &mut lane.vars);
                bound?;
            }
            if touched.written.contains(&var) {
                vars.remove(&var);
            }
        }
        Ok(())
    }

    fn both(&mut self, strip: &mut Strip<'a>, e: &'a Expr, spot: &Spot<'_>) -> Both {
        let ty = e.ty.as_scalar().unwrap_or(Scalar::U32);
        match &e.kind {
            ExprKind::Literal(Literal::Int(n)) => number(ty, *n as i64),
            ExprKind::Load(place) => match place.root {
                Root::Var(var) => spot.vars[&var].clone(),
                Root::Array(_) => {
                    let at = std::ptr::from_ref(place);
                    let used = spot.uses.iter().find(|u| u.place == at);
                    let used = used.expect("pairs read what patches know");
                    let family = &strip.families.list[used.family];
                    let (line, element) = family.at(used, spot.row, spot.column);
                    let sum = Sum::element((used.family, line), element);
                    Both {
                        ty,
                        range: (0, 0xff),
                        at: At::Sum(Rc::new(sum)),
                    }
                }
            },
            ExprKind::Cast(inner) => {
                let value = self.both(strip, inner, spot);
                let at = match value.at {
                    At::Apart(nums) => At::Apart(nums.map(|num| {
                        let cast = self.cast(num, ty);
                        known(cast, value.range)
                    })),
                    at => at,
                };
                Both { ty, at, ..value }
            }
            ExprKind::Unary(_, a) => {
                let a = self.both(strip, a, spot);
                self.both_binary(strip, BinaryOp::Sub, ty, number(ty, 0), a)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.both(strip, a, spot), self.both(strip, b, spot));
                self.both_binary(strip, *op, ty, a, b)
            }
            ExprKind::Method(method, parts) => {
                let parts: Vec<Both> = parts.iter().map(|p| self.both(strip, p, spot)).collect();
                let ranges: Vec<Range> = parts.iter().map(|part| part.range).collect();
                let range = range_of_method(*method, &ranges).unwrap_or_default();
                let forms: Vec<_> = parts.iter().map(|p| (p.range, p.form())).collect();
                if form_of_method(range, &forms) == Form::Packed {
                    let at = self.method_of_halves(strip, *method, range, parts);
                    return Both { ty, range, at };
                }
                let apart = |part| {
                    let part = self.settled(strip, part, true);
                    self.apart(part)
                };
                let nums: Vec<[Num; 2]> = parts.into_iter().map(apart).collect();
                let mut one = |n: usize| {
                    let a = nums[0][n];
                    let num = match (method, nums.get(1)) {
                        (Method::Clamp, Some(low)) => {
                            let least = self.extreme("max", a, low[n]);
                            self.extreme("min", least, nums[2][n])
                        }
                        (Method::AbsDiff, Some(b)) => {
                            let (a, b) = (signed(a), signed(b[n]));
                            let difference = self.arithmetic(BinaryOp::Sub, a, b, None);
                            self.absolute(difference)
                        }
                        (_, Some(b)) => self.extreme(method.name(), a, b[n]),
                        _ => match ranges[0].0 >= 0 {
                            true => a,
                            false => self.absolute(signed(a)),
                        },
                    };
                    known(Num { ty, ..num }, range)
                };
                let at = At::Apart([one(0), one(1)]);
                Both { ty, range, at }
            }
            other => unreachable!("no value of pairs: {other:?}"),
        }
    }

    /// A value of which somebody wants what it is: of a sum, the values of iterations by themselves, or together.
    fn settled(&mut self, strip: &mut Strip<'a>, value: Both, apart: bool) -> Both {
        let At::Sum(sum) = &value.at else {
            return value;
        };
        let (ty, range) = (value.ty, value.range);
        let at = match (sum.is_by_words(apart), sum.packed.get()) {
            (_, Some(packed)) => At::Packed(packed),
            _ if !apart && range.0 >= 0 && halves::fit(range) => {
                At::Packed(self.sum_by_halves(strip, sum))
            }
            (true, None) => {
                let regs = self.sum_by_words(strip, sum);
                At::Apart(regs.map(|reg| known(Num::reg(ty, reg), range)))
            }
            (false, None) => At::Packed(self.sum_by_pairs(strip, sum)),
        };
        Both { at, ty, range }
    }

    fn both_binary(
        &mut self,
        strip: &mut Strip<'a>,
        op: BinaryOp,
        ty: Scalar,
        a: Both,
        b: Both,
    ) -> Both {
        let range = range_of(op, a.range, b.range).unwrap_or_default();
        let form = form_of(op, range, (a.range, a.form()), (b.range, b.form()));
        if form == Form::Sum
            && let (Some(x), Some(y)) = (a.sum(), b.sum())
            && let Some(sum) = Sum::combine(op, &x, &y)
        {
            return match sum.as_number() {
                Some(n) => number(ty, n),
                None => Both {
                    ty,
                    range,
                    at: At::Sum(Rc::new(sum)),
                },
            };
        }
        if form == Form::Packed
            && let Some(reg) = self.packed_by_halves(strip, op, range, &a, &b)
        {
            let at = At::Halves(reg);
            return Both { ty, range, at };
        }
        let apart = form == Form::Apart && !matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let (a, b) = (self.settled(strip, a, apart), self.settled(strip, b, apart));
        let form = form_of(op, range, (a.range, a.form()), (b.range, b.form()));
        let at = match form {
            Form::Number => return number(ty, range.0),
            Form::Sum => unreachable!("sums are settled"),
            Form::Packed => {
                let (a, b) = (self.integers(a), self.integers(b));
                At::Packed(self.packed(op, &a, &b))
            }
            Form::Apart => {
                if let Some(regs) = self.quotients(op, &a, &b) {
                    let at = At::Apart(regs.map(|reg| known(Num::reg(ty, reg), range)));
                    return Both { ty, range, at };
                }
                let (a, b) = (self.apart(a), self.apart(b));
                let mut one = |n: usize| {
                    let (a, b) = (a[n], b[n]);
                    let num = match op {
                        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                            self.arithmetic(op, a, b, None)
                        }
                        BinaryOp::Shr => self.shift(op, a, b, None),
                        BinaryOp::BitAnd => self.bitwise(op, a, b),
                        _ => {
                            let by = b.constant().and_then(|by| u64::try_from(by).ok());
                            let by = by.expect("divisors are numbers above 0");
                            let most = u64::try_from(range.1).ok();
                            match self.divide_by(op, a, by, most) {
                                Some(num) => num,
                                None => self.divide_small(op, a, b),
                            }
                        }
                    };
                    known(Num { ty, ..num }, range)
                };
                At::Apart([one(0), one(1)])
            }
        };
        Both { ty, range, at }
    }

    /// An operation on pairs.
    fn packed(&mut self, op: BinaryOp, a: &Both, b: &Both) -> Reg {
        let operand = |both: &Both| match both.at {
            At::Number(n) => Operand::Int(twice(n)),
            At::Packed(reg) => reg.into(),
            _ => unreachable!("operands are there, in one register"),
        };
        let (x, y) = (operand(a), operand(b));
        let f = &mut self.kernel.function;
        match (op, a.at.clone(), b.at.clone()) {
            (BinaryOp::Add, At::Number(0), At::Packed(reg)) => reg,
            (BinaryOp::Add | BinaryOp::Sub, At::Packed(reg), At::Number(0)) => reg,
            (BinaryOp::Add, At::Number(_), _) => value!(f, "sums", "add.u32", y, x),
            (BinaryOp::Add, ..) => value!(f, "sums", "add.u32", x, y),
            (BinaryOp::Sub, At::Number(n), _) => {
                let from = value!(f, "numbers", "mov.b32", twice(n));
                value!(f, "differences", "sub.u32", from, y)
            }
            (BinaryOp::Sub, ..) => value!(f, "differences", "sub.u32", x, y),
            (BinaryOp::Mul, At::Number(n), _) => value!(f, "products", "mul.lo.u32", y, n),
            (BinaryOp::Mul, _, At::Number(n)) => value!(f, "products", "mul.lo.u32", x, n),
            (BinaryOp::Shr, _, At::Number(by)) => {
                // What comes from the upper half is cut off.
                let shifted = value!(f, "shifted", "shr.u32", x, by);
                value!(f, "shifted", "and.b32", shifted, twice(0xffff >> by))
            }
            (BinaryOp::BitAnd, _, At::Number(n)) => {
                value!(f, "and", "and.b32", x, twice(n & 0xffff))
            }
            _ => unreachable!("{op:?} has no form for pairs"),
        }
    }

    /// The quotients of a pair by a number `d`, if they are small: with `f = ceil(2^16 / d)`, `x * f / 2^16` for the lower one, and
    /// the high half of `pair * f` for the upper one, to which the lower one adds less than what would make it another.
    fn quotients(&mut self, op: BinaryOp, a: &Both, b: &Both) -> Option<[Reg; 2]> {
        let (BinaryOp::Div, &At::Packed(pair), &At::Number(by)) = (op, &a.at, &b.at) else {
            return None;
        };
        let factor = factor_of(by, a.range.1).filter(|_| a.range.0 >= 0)?;
        let f = self.f();
        let low = value!(f, "low", "and.b32", pair, 0xffff);
        let product = value!(f, "product", "mul.lo.u32", low, factor);
        let low = value!(f, "quotient", "shr.u32", product, 16);
        Some([low, value!(f, "quotient", "mul.hi.u32", pair, factor)])
    }

    /// A value that is no pair of floats any more.
    fn integers(&mut self, both: Both) -> Both {
        let at = match both.at {
            At::Halves(reg) => At::Packed(self.half_integers(reg, both.range.0 < 0)),
            at => at,
        };
        Both { at, ..both }
    }

    /// A value that fits as a pair of floats.
    fn halved(&mut self, strip: &mut Strip<'a>, both: &Both) -> Reg {
        match &both.at {
            At::Number(n) => self.half_number(*n),
            At::Sum(sum) => self.sum_by_halves(strip, sum),
            At::Halves(reg) if both.range.0 >= 0 => self.half_magnitudes(*reg),
            At::Packed(reg) | At::Halves(reg) => *reg,
            At::Apart(_) => unreachable!("what is apart is not put together"),
        }
    }

    /// A method of pairs of floats.
    fn method_of_halves(
        &mut self,
        strip: &mut Strip<'a>,
        method: Method,
        range: Range,
        parts: Vec<Both>,
    ) -> At {
        let chosen = |part: &Both| {
            let value = self.halved(strip, part);
            let taken = match part.at {
                At::Halves(reg) if range.0 >= 0 => reg,
                _ => value,
            };
            Chosen { value, taken }
        };
        let all: Vec<Chosen> = parts.iter().map(chosen).collect();
        let extreme = match (method, &all[..]) {
            (Method::Min | Method::Max, &[a, b]) => {
                self.half_extreme(method == Method::Min, [a, b])
            }
            (Method::Clamp, &[a, low, high]) => {
                let least = self.half_extreme(false, [a, low]);
                self.half_extreme(true, [least, high])
            }
            (Method::AbsDiff, &[a, b]) => {
                return At::Halves(self.half_sum(a.value, b.value, true));
            }
            (_, &[a, ..]) => return At::Halves(a.value),
            _ => unreachable!("{method:?} has parts"),
        };
        // Of integers it is one.
        let clean = parts.iter().all(|part| !matches!(part.at, At::Halves(_)));
        match clean && range.0 >= 0 {
            true => At::Packed(extreme.taken),
            false => At::Halves(extreme.taken),
        }
    }

    /// An operation on pairs of floats, where that is what they are to be: quotients, and what may be negative.
    fn packed_by_halves(
        &mut self,
        strip: &mut Strip<'a>,
        op: BinaryOp,
        range: Range,
        a: &Both,
        b: &Both,
    ) -> Option<Reg> {
        if op == BinaryOp::Div {
            let way = quotient_of((a.range, a.form()), b.range)?;
            let moved = match &a.at {
                At::Sum(sum) => {
                    let moved = Sum::combine(BinaryOp::Sub, sum, &Sum::number(way.less))?;
                    self.sum_by_halves(strip, &moved)
                }
                _ => {
                    let (a, less) = (self.halved(strip, a), self.half_number(-way.less));
                    self.half_sum(a, less, false)
                }
            };
            return Some(self.half_quotients(moved, way));
        }
        let parts = [a.range, b.range, range];
        let floats = [a, b].iter().any(|part| matches!(part.at, At::Halves(_)))
            || parts.iter().any(|part| part.0 < 0);
        if !floats || !parts.into_iter().all(halves::fit) {
            return None;
        }
        let (x, y) = (self.halved(strip, a), self.halved(strip, b));
        Some(match (op, &a.at, &b.at) {
            (BinaryOp::Add, ..) => self.half_sum(x, y, false),
            (BinaryOp::Sub, ..) => self.half_sum(x, y, true),
            (BinaryOp::Mul, _, At::Number(by)) => self.half_product(x, *by, None),
            (BinaryOp::Mul, At::Number(by), _) => self.half_product(y, *by, None),
            _ => return None,
        })
    }

    /// The two numbers of a value.
    fn apart(&mut self, both: Both) -> [Num; 2] {
        let both = self.integers(both);
        let ty = both.ty;
        match both.at {
            At::Number(n) => [Num::int(ty, n.into()); 2],
            At::Apart(nums) => nums,
            At::Sum(_) | At::Halves(_) => unreachable!("sums are computed before"),
            At::Packed(reg) => {
                let f = &mut self.kernel.function;
                let regs = match both.range.0 >= 0 {
                    true => [
                        value!(f, "low", "and.b32", reg, 0xffff),
                        value!(f, "high", "shr.u32", reg, 16),
                    ],
                    false => {
                        let low = value!(f, "low", "cvt.s32.s16", reg);
                        // The low half is taken off if it is negative.
                        let up = value!(f, "high", "add.u32", reg, 0x8000);
                        [low, value!(f, "high", "shr.s32", up, 16)]
                    }
                };
                regs.map(|reg| known(Num::reg(ty, reg), both.range))
            }
        }
    }

    fn divide_small(&mut self, op: BinaryOp, a: Num, b: Num) -> Num {
        let name = if op == BinaryOp::Div { "div" } else { "rem" };
        let reg = self.reg(a);
        let by = b.operand;
        Num::reg(
            a.ty,
            value!(self.f(), "quotient", format!("{name}.u32"), reg, by),
        )
    }

    /// Two bytes side by side of a line that is loaded, as a pair.
    pub(super) fn pair_at(&mut self, strip: &mut Strip<'a>, line: Line, element: i32) -> Reg {
        let key = (line.0, line.1, element);
        if let Some(reg) = strip.pairs.get(&key) {
            return *reg;
        }
        let reg = match (
            in_word(strip, line, element),
            in_word(strip, line, element + 1),
        ) {
            (Some((word, at)), Some((other, _))) if word == other => {
                let selector = 0x4040 | i64::from(at) | i64::from(at + 1) << 8;
                value!(self.f(), "pair", "prmt.b32", word, 0, selector)
            }
            _ => {
                let (low, low_half) = self.half_at(strip, line, element);
                let (high, high_half) = self.half_at(strip, line, element + 1);
                let low_bytes = if low_half { 0x32 } else { 0x10 };
                let high_bytes = if high_half { 0x76 } else { 0x54 };
                let selector = i64::from(low_bytes | high_bytes << 8);
                value!(self.f(), "pair", "prmt.b32", low, high, selector)
            }
        };
        strip.pairs.insert(key, reg);
        reg
    }

    /// A register in whose lower or upper half a byte is alone.
    fn half_at(&mut self, strip: &mut Strip<'a>, line: Line, element: i32) -> (Reg, bool) {
        let Some((_, at)) = in_word(strip, line, element) else {
            let num = self.element_of(strip, line, element);
            return (self.reg(num), false);
        };
        if let Some(alone) = alone(strip, line, element) {
            return (alone, false);
        }
        let upper = at % 2 == 1;
        let pair = self.pair_at(strip, line, element - i32::from(upper));
        (pair, upper)
    }
}

impl Both {
    /// What it is a sum of.
    fn sum(&self) -> Option<Rc<Sum>> {
        match &self.at {
            At::Number(n) => Some(Rc::new(Sum::number(*n))),
            At::Sum(sum) => Some(sum.clone()),
            At::Packed(_) | At::Halves(_) | At::Apart(_) => None,
        }
    }

    fn form(&self) -> Form {
        match self.at {
            At::Number(_) => Form::Number,
            At::Sum(_) => Form::Sum,
            At::Packed(_) | At::Halves(_) => Form::Packed,
            At::Apart(_) => Form::Apart,
        }
    }
}

/// The word of a line that an element is in, and which of its bytes it is.
pub(super) fn in_word(strip: &Strip<'_>, line: Line, element: i32) -> Option<(Reg, u32)> {
    let pieces = strip.words.get(&line)?;
    let (piece, words) = pieces
        .iter()
        .find(|(piece, _)| (piece.first..piece.first + piece.count as i32).contains(&element))?;
    let at = (element - piece.first) as u32;
    Some((words[at as usize / 4], at % 4))
}

/// The register that an element of a line has for itself.
fn alone(strip: &Strip<'_>, line: Line, element: i32) -> Option<Reg> {
    let pieces = strip.words.get(&line)?;
    let is_it = |piece: &Piece| piece.count == 1 && piece.first == element;
    let (_, words) = pieces.iter().find(|(piece, _)| is_it(piece))?;
    Some(words[0])
}

/// The factor by which pairs of numbers up to `most` are divided.
fn factor_of(by: i64, most: i64) -> Option<i64> {
    if !(2..=0xffff).contains(&by) || most > 0xffff {
        return None;
    }
    let factor = 0x1_0000 / by + 1;
    // With what `factor * by` is too much, and with the other half: `x / by` has `1 / by` to go to the next number, at least.
    let over = (factor * by - 0x1_0000) * most * 0x1_0000 + most * factor * by;
    (over < 0x1_0000 * 0x1_0000 && most * factor < 1 << 32).then_some(factor)
}

fn number(ty: Scalar, n: i64) -> Both {
    Both {
        ty,
        range: (n, n),
        at: At::Number(n),
    }
}

/// A number in both halves, as 32 bits.
pub(super) fn twice(n: i64) -> i64 {
    i64::from(n.wrapping_mul(0x1_0001) as i32)
}

/// A number of which the range is known.
fn known(num: Num, (low, high): Range) -> Num {
    match (u64::try_from(low), u64::try_from(high)) {
        (Ok(_), Ok(high)) => num.at_most(high),
        _ => num,
    }
}

/// A number in 32 bits with a sign.
fn signed(num: Num) -> Num {
    let ty = Scalar::I32;
    Num { ty, ..num }
}

#[cfg(test)]
mod tests {
    use super::factor_of;

    #[test]
    fn quotients_of_pairs_are_those_of_division() {
        let mut found = 0;
        for by in 2..300i64 {
            for most in [
                1, 255, 510, 765, 1020, 2295, 4080, 6375, 12_495, 32_767, 65_535,
            ] {
                let Some(factor) = factor_of(by, most) else {
                    continue;
                };
                found += 1;
                let times = |n: i64| [n * by - 1, n * by].map(|x| x.clamp(0, most));
                let all = (0..=most / by).step_by(1 + most as usize / by as usize / 50);
                for high in all.flat_map(times).chain([most]) {
                    for low in [0, 1, most / 2, most] {
                        let pair = (high << 16 | low) as u64;
                        assert_eq!((pair * factor as u64) >> 32, (high / by) as u64);
                        assert_eq!((high * factor) >> 16, high / by, "{high} / {by}");
                    }
                }
            }
        }
        assert!(found > 900, "{found}");
        assert_eq!(factor_of(9, 2295), Some(7282));
    }
}

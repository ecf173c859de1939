//! Which iterations have the best items: the loop of a kernel that finds them, and nothing else.
//!
//! What is kept of the best item may be anything, and a kernel combines numbers. So it looks for the iteration, which the host runs alone then, in the user's
//! words and from what was there before the loop. For each [`Best`] the kernel has the least of
//!
//! ```text
//! order(item) * 2^32 + position        of the outermost loop
//! ```
//!
//! over the items. `order` maps them to numbers without a sign that compare as they do, all bits inverted where the greatest is the best; of the position they
//! are where the last of equals is kept. Where the first item that passes a test is kept, the order is 0. The host finds the item within the outermost position's
//! iteration as the sequential loop does, and passes it by where it is no better than what was there before. The two zeros of floats are equal; a NaN is
//! better than nothing, so floats are compared with what was there before, and nothing else is.
//!
//! Items of 64 bits leave no room for positions. A launch finds three numbers of each then, where `low` has the bits of a position:
//!
//! ```text
//! order                          the least
//! order & !low | position        the first item of those that agree with the least in all but the low bits
//! order ^ low                    of those the greatest
//! ```
//!
//! Where the least is the greatest of those, the first of them is the item. Otherwise a second launch finds the least position that has the least order.

use crate::sorted::SortedSet;

use super::best::{Comparison, Uses, conjuncts};
use super::{Context, grid};
use crate::ir::visit::{Visit, VisitMut};
use crate::ir::{
    Access, ArrayId, Best, BinaryOp, Block, Expr, ExprKind, Histogram, Literal, Loop, Memory,
    Method, Op, Pattern, Place, Root, Scalar, SourceId, Stmt, StmtKind, Target, Type, Update, Var,
    VarId, VarKind,
};

/// A loop that finds iterations.
#[derive(Clone, Debug)]
pub struct Winners {
    /// The loop. What is kept is captured in it.
    pub ir: Loop,
    /// What it is: a reduction for each [`Best`], of what no variable of the function holds.
    pub pattern: Pattern,
    /// Of what is kept, what items are compared with.
    pub compared: Vec<VarId>,
    /// What launches know where a second one may follow.
    pub second: Option<Second>,
}

/// What is captured where items have 64 bits.
#[derive(Clone, Debug)]
pub struct Second {
    /// Whether it is the second launch.
    pub is_second: VarId,
    /// The bits of a position.
    pub low: VarId,
    /// Of each best item, its order.
    pub found: Vec<VarId>,
}

impl Second {
    /// All that is captured.
    pub fn captured(&self) -> impl Iterator<Item = &VarId> {
        self.found.iter().chain([&self.is_second, &self.low])
    }
}

/// Numbers that the first of two launches finds of each best item.
pub const WIDE: usize = 3;

/// Why there is no such loop.
#[derive(Clone, Debug)]
pub struct Why {
    /// In the words of an obstacle.
    pub text: String,
    /// Where.
    pub source: SourceId,
}

/// The loop of the kernel, where the best items are all that a loop is after.
pub(super) fn find(
    ir: &Loop,
    roles: &Histogram,
    context: &Context<'_>,
) -> Option<Result<Winners, Why>> {
    let first = ir.var(*roles.best.first()?.vars.first()?);
    let why = |text: String, source| Some(Err(Why { text, source }));
    let alone = roles.owned.is_empty()
        && roles.targets.is_empty()
        && roles.carried.is_empty()
        && roles.filled.is_empty();
    if !alone || roles.guard.is_some() {
        let text = format!(
            "`{}` is kept of the best item, and the loop does more than that",
            first.name
        );
        return why(text, first.source);
    }
    let mut again = ir.clone();
    let mut finder = Finder::new(&mut again, roles);
    finder.block(&mut again.body.block);
    let mut ir = ir.clone();
    if finder.wide {
        finder = Finder::new(&mut ir, roles);
        finder.capture(first.source);
        finder.block(&mut ir.body.block);
    } else {
        ir = again;
    }
    let Finder {
        vars,
        targets,
        compared,
        second,
        why: wrong,
        ..
    } = finder;
    ir.body.vars = vars;
    if let Some(wrong) = wrong {
        return Some(Err(wrong));
    }
    // Each stands in the body once.
    let targets: Vec<Vec<Target>> = targets.into_iter().collect::<Option<_>>()?;
    let targets = targets.concat();
    for var in roles.best.iter().flat_map(|best| &best.vars) {
        ir.body.vars[var.0 as usize].kind = VarKind::Captured;
    }
    let mut reads = Reads::default();
    reads.block(&ir.body.block);
    for (id, array) in ir.arrays.iter_mut().enumerate() {
        if array.access == Access::Read && !reads.0.contains(&ArrayId(id as u32)) {
            array.access = Access::LengthOnly;
        }
    }
    // What is found may be found by any number of threads.
    while ir.space.len() < grid::MOST_DIMENSIONS && grid::deepen(&mut ir, context) {}
    let pattern = Pattern::Histogram(Histogram {
        targets,
        ..Histogram::default()
    });
    Some(Ok(Winners {
        ir,
        pattern,
        compared,
        second,
    }))
}

/// The arrays of which elements are read.
#[derive(Default)]
pub(super) struct Reads(pub(super) SortedSet<ArrayId>);

impl Visit for Reads {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Opaque(opaque) = &expr.kind {
            self.0.extend(opaque.arrays.iter().copied());
        }
        self.expr_parts(expr);
    }

    fn load(&mut self, place: &Place) {
        if let Root::Array(id) = place.root {
            self.0.insert(id);
        }
        self.place_parts(place);
    }
}

struct Finder<'a> {
    vars: Vec<Var>,
    /// That of the outermost loop.
    position: VarId,
    best: &'a [Best],
    /// Of each best, once it has been found: one, or [`WIDE`].
    targets: Vec<Option<Vec<Target>>>,
    compared: Vec<VarId>,
    /// Whether an item has more than 32 bits.
    wide: bool,
    second: Option<Second>,
    why: Option<Why>,
}

impl VisitMut for Finder<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        self.expr_parts(expr);
        if let ExprKind::If(cond, then, _) = &expr.kind
            && let Some(number) = self.kept_by(then)
        {
            match self.found(number, cond) {
                Ok(found) => expr.kind = found,
                Err(why) => self.why = Some(why),
            }
        }
    }
}

impl<'a> Finder<'a> {
    fn new(ir: &mut Loop, roles: &'a Histogram) -> Finder<'a> {
        Finder {
            vars: std::mem::take(&mut ir.body.vars),
            position: ir.space[0].position,
            best: &roles.best,
            targets: vec![None; roles.best.len()],
            compared: Vec::new(),
            wide: false,
            second: None,
            why: None,
        }
    }

    /// Declares what the second launch knows.
    fn capture(&mut self, source: SourceId) {
        let best = self.best.iter();
        let mut captured = |name: &str, ty| self.var(name, ty, VarKind::Captured, source);
        self.second = Some(Second {
            is_second: captured("is_second", Scalar::Bool),
            low: captured("low", Scalar::U64),
            found: best.map(|_| captured("found", Scalar::U64)).collect(),
        });
    }

    /// The best item whose variables a block assigns.
    fn kept_by(&self, then: &Block) -> Option<usize> {
        let assigned = then.stmts.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Compound(place, ..) => match place.root {
                Root::Var(var) => Some(var),
                Root::Array(_) => None,
            },
            _ => None,
        })?;
        self.best
            .iter()
            .position(|best| best.vars.contains(&assigned))
    }

    /// What takes the place of `if cond { … }`: `if before { let item = …; if item < best && behind { update } }`.
    fn found(&mut self, number: usize, cond: &Expr) -> Result<ExprKind, Why> {
        let best = &self.best[number];
        let source = cond.source;
        let mut terms = Vec::new();
        conjuncts(cond, &mut terms);
        let has = |expr: &Expr| Uses::of(&best.vars, |uses| uses.expr(expr));
        let unknown = |text: String| Why { text, source };
        let at = At(source);
        let nth = terms.iter().position(|term| has(term));
        let compared = nth.and_then(|nth| Some((nth, Comparison::of(terms[nth], &has)?)));
        let Some((nth, Comparison { key, item, .. })) = compared else {
            return Err(unknown("what is compared is not known here".to_owned()));
        };
        let item = item.cloned().unwrap_or_else(|| at.int(0, Scalar::U32));
        let name = &self.vars[best.vars[0].0 as usize].name;
        let Type::Scalar(scalar) = item.ty else {
            let text = format!("the type of what `{name}` is compared with is not known here");
            return Err(unknown(text));
        };
        if scalar == Scalar::Bool {
            let text = format!("`{name}` is compared with a `bool`");
            return Err(unknown(text));
        }
        self.wide |= scalar.bits() > 32;
        let (less, last) = (best.less, best.last.is_some());
        let name = name.clone();
        let all = if self.second.is_some() { WIDE } else { 1 };
        let mut targets = Vec::new();
        for nth in 0..all {
            targets.push(Target {
                memory: Memory::Scalar(self.var(&name, Scalar::U64, VarKind::Reduced, source)),
                elem: Some(Scalar::U64),
                op: Op::Min.into(),
                sites: if all > 1 && nth == 0 { 2 } else { 1 },
                injective: None,
            });
        }
        self.targets[number] = Some(targets);
        let value = self.var("item", scalar, VarKind::Local, source);
        let (mut stmts, order) = self.order(at, value, scalar);
        let flipped = |expr: Expr, flips: bool, ones: i128| match flips {
            true => at.binary(BinaryOp::BitXor, expr, at.int(ones, Scalar::U64)),
            false => expr,
        };
        let update = |nth: usize, site: usize, value: Expr| {
            at.stmt(StmtKind::Update(Update {
                target: number * all + nth,
                site,
                bin: Vec::new(),
                value,
                subtracts: false,
                multiplies: false,
            }))
        };
        let position = at.load(self.position, Scalar::Usize);
        let position = match self.second {
            Some(_) => at.cast(position, Scalar::U64),
            None => at.cast(at.cast(position, Scalar::U32), Scalar::U64),
        };
        let found = match &self.second {
            None => {
                let order = flipped(at.cast(order, Scalar::U64), !less, u32::MAX.into());
                let position = flipped(position, last, u32::MAX.into());
                let high = at.binary(BinaryOp::Shl, order, at.int(32, Scalar::U32));
                update(0, 0, at.binary(BinaryOp::BitOr, high, position))
            }
            Some(second) => {
                let (is_second, low, found) = (second.is_second, second.low, second.found[number]);
                let ordered = self.var("order", Scalar::U64, VarKind::Local, source);
                let order = flipped(at.cast(order, Scalar::U64), !less, u64::MAX.into());
                stmts.push(at.stmt(StmtKind::Let(ordered, Some(order))));
                let load = |var| at.load(var, Scalar::U64);
                let same = at.expr(
                    ExprKind::Binary(BinaryOp::Eq, Box::new(load(ordered)), Box::new(load(found))),
                    Scalar::Bool,
                );
                let of_same = update(0, 1, flipped(position.clone(), last, u64::MAX.into()));
                let within = match last {
                    true => at.binary(BinaryOp::BitXor, position, load(low)),
                    false => position,
                };
                let high = at.binary(BinaryOp::BitOr, load(ordered), load(low));
                let high = at.binary(BinaryOp::BitXor, high, load(low));
                let first = vec![
                    update(0, 0, load(ordered)),
                    update(1, 0, at.binary(BinaryOp::BitOr, high, within)),
                    update(2, 0, at.binary(BinaryOp::BitXor, load(ordered), load(low))),
                ];
                let block = |stmts| Block { stmts, tail: None };
                let of_same = at.stmt(StmtKind::Expr(at.only_if(same, vec![of_same])));
                let either = ExprKind::If(
                    Box::new(at.load(is_second, Scalar::Bool)),
                    block(vec![of_same]),
                    Some(block(first)),
                );
                at.stmt(StmtKind::Expr(Expr {
                    kind: either,
                    ty: Type::Unit,
                    source,
                }))
            }
        };
        stmts.push(found);
        let better = scalar.is_float().then(|| {
            let kept = best.vars.iter().copied();
            let in_key = kept.filter(|var| Uses::of(&[*var], |uses| uses.expr(key)));
            self.compared.extend(in_key);
            let op = match (less, last) {
                (true, false) => BinaryOp::Lt,
                (false, false) => BinaryOp::Gt,
                (true, true) => BinaryOp::Le,
                (false, true) => BinaryOp::Ge,
            };
            let (item, key) = (Box::new(at.load(value, scalar)), Box::new(key.clone()));
            at.expr(ExprKind::Binary(op, item, key), Scalar::Bool)
        });
        let behind = terms[nth + 1..].iter().map(|term| (*term).clone());
        let mut found = stmts;
        if let Some(taken) = at.all(better.into_iter().chain(behind)) {
            found = vec![at.stmt(StmtKind::Expr(at.only_if(taken, found)))];
        }
        let item = at.stmt(StmtKind::Let(value, Some(item)));
        found.insert(0, item);
        let before = terms[..nth].iter().map(|term| (*term).clone());
        Ok(match at.all(before) {
            None => ExprKind::Block(Block {
                stmts: found,
                tail: None,
            }),
            Some(before) => at.only_if(before, found).kind,
        })
    }

    /// A number without a sign, of 32 bits or 64 as the item has, that compares as the item does, behind declarations.
    fn order(&mut self, at: At, item: VarId, scalar: Scalar) -> (Vec<Stmt>, Expr) {
        let (unsigned, signed, bits) = match scalar.bits() {
            64 => (Scalar::U64, Scalar::I64, 64),
            _ => (Scalar::U32, Scalar::I32, 32),
        };
        let top = || at.int(1 << (bits - 1), unsigned);
        let load = at.load(item, scalar);
        match scalar {
            _ if scalar.is_float() => {
                // The sum of a zero and this one has no sign.
                let zero = at.expr(ExprKind::Literal(Literal::Float(0.0)), scalar);
                let sum = at.binary(BinaryOp::Add, load, zero);
                let number = at.expr(ExprKind::Method(Method::ToBits, vec![sum]), unsigned);
                let var = self.var("bits", unsigned, VarKind::Local, at.0);
                let stmts = vec![at.stmt(StmtKind::Let(var, Some(number)))];
                let number = || at.load(var, unsigned);
                let places = at.int(bits - 1, Scalar::U32);
                let signs = at.binary(BinaryOp::Shr, at.cast(number(), signed), places);
                let flips = at.binary(BinaryOp::BitOr, at.cast(signs, unsigned), top());
                (stmts, at.binary(BinaryOp::BitXor, number(), flips))
            }
            // Where it has few bits, an order of as many, which vectors of items are compared by.
            Scalar::I8 | Scalar::I16 => {
                let narrow = match scalar {
                    Scalar::I8 => Scalar::U8,
                    _ => Scalar::U16,
                };
                let sign = at.int(1 << (scalar.bits() - 1), narrow);
                let order = at.binary(BinaryOp::BitXor, at.cast(load, narrow), sign);
                (Vec::new(), at.cast(order, unsigned))
            }
            _ if scalar.is_signed() => {
                let wide = at.cast(at.cast(load, signed), unsigned);
                (Vec::new(), at.binary(BinaryOp::BitXor, wide, top()))
            }
            _ => (Vec::new(), at.cast(load, unsigned)),
        }
    }

    fn var(&mut self, name: &str, ty: Scalar, kind: VarKind, source: SourceId) -> VarId {
        self.vars.push(Var {
            name: name.to_owned(),
            ty: Type::Scalar(ty),
            kind,
            source,
        });
        VarId(self.vars.len() as u32 - 1)
    }
}

/// Makes parts of a loop that stand where something of the user's did.
#[derive(Clone, Copy)]
pub(super) struct At(pub(super) SourceId);

impl At {
    pub(super) fn expr(self, kind: ExprKind, ty: Scalar) -> Expr {
        Expr {
            kind,
            ty: Type::Scalar(ty),
            source: self.0,
        }
    }

    pub(super) fn stmt(self, kind: StmtKind) -> Stmt {
        Stmt {
            kind,
            source: self.0,
        }
    }

    pub(super) fn load(self, var: VarId, ty: Scalar) -> Expr {
        let place = Place {
            root: Root::Var(var),
            path: Vec::new(),
        };
        self.expr(ExprKind::Load(place), ty)
    }

    pub(super) fn int(self, value: i128, ty: Scalar) -> Expr {
        self.expr(ExprKind::Literal(Literal::Int(value)), ty)
    }

    pub(super) fn cast(self, expr: Expr, ty: Scalar) -> Expr {
        self.expr(ExprKind::Cast(Box::new(expr)), ty)
    }

    /// The type is that of the left operand.
    pub(super) fn binary(self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr {
            ty: left.ty.clone(),
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            source: self.0,
        }
    }

    /// Whether all conditions hold, where there are some.
    pub(super) fn all(self, conditions: impl Iterator<Item = Expr>) -> Option<Expr> {
        let and = |a, b| self.expr(ExprKind::And(Box::new(a), Box::new(b)), Scalar::Bool);
        conditions.reduce(and)
    }

    pub(super) fn only_if(self, cond: Expr, stmts: Vec<Stmt>) -> Expr {
        let then = Block { stmts, tail: None };
        Expr {
            kind: ExprKind::If(Box::new(cond), then, None),
            ty: Type::Unit,
            source: self.0,
        }
    }
}

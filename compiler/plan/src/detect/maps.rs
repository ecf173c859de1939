//! Carried scalars whose updates are more than terms of one operator: which kind of [`Map`] they all are, if one is.
//!
//! Maps of a kind compose, so that what a part of the loop does to the scalar is such a map again. What is read of an update are its *leaves*: parts that the
//! scalar is not in, and the conditions by which one of several values is taken. They must not depend on what the loop writes.

use crate::sorted::{Sorted, SortedSet};

use super::scan;
use crate::ir::visit::Visit;
use crate::ir::{
    Block, Expr, ExprKind, Loop, Map, Method, Op, Place, Ring, Role, Root, Scalar, Stmt, StmtKind,
    UnaryOp, UpdateOp, VarId,
};

/// The values of locals that have one.
pub(super) type Lets<'a> = Sorted<VarId, &'a Expr>;

/// The values of the locals of a loop that are never assigned. `mutable` might be.
pub(super) fn lets<'a>(ir: &'a Loop, mutable: &SortedSet<VarId>) -> Lets<'a> {
    struct Collect<'a, 'm>(Lets<'a>, &'m SortedSet<VarId>);
    impl<'a> Collect<'a, '_> {
        fn block(&mut self, block: &'a Block) {
            for stmt in &block.stmts {
                match &stmt.kind {
                    StmtKind::Let(var, Some(value)) if !self.1.contains(var) => {
                        self.0.insert(*var, value);
                        self.expr(value);
                    }
                    StmtKind::Let(_, Some(e)) | StmtKind::Expr(e) => self.expr(e),
                    StmtKind::For(inner) => self.block(&inner.body),
                    StmtKind::While(_, _, body) => self.block(body),
                    _ => {}
                }
            }
            block.tail.iter().for_each(|tail| self.expr(tail));
        }

        fn expr(&mut self, e: &'a Expr) {
            match &e.kind {
                ExprKind::If(_, then, otherwise) => {
                    self.block(then);
                    otherwise.iter().for_each(|block| self.block(block));
                }
                ExprKind::Match(_, arms) => arms.iter().for_each(|arm| self.expr(&arm.body)),
                ExprKind::Block(block) | ExprKind::Loop(_, block) => self.block(block),
                _ => {}
            }
        }
    }
    let mut collect = Collect(Sorted::new(), mutable);
    collect.block(&ir.body.block);
    collect.0
}

/// The statements that assign a variable as a whole; `None` where something else might change it, or they stand where their order is not seen.
pub(super) fn updates(ir: &Loop, var: VarId) -> Option<Vec<&Stmt>> {
    struct Count(VarId, usize, bool);
    impl Visit for Count {
        fn stmt(&mut self, stmt: &Stmt) {
            if assigns(stmt, self.0) {
                self.1 += 1;
            }
            self.stmt_parts(stmt);
        }

        fn store(&mut self, place: &Place) {
            self.2 &= place.root != Root::Var(self.0) || place.path.is_empty();
            self.place_parts(place);
        }

        fn expr(&mut self, e: &Expr) {
            if let ExprKind::Opaque(opaque) = &e.kind {
                self.2 &= !opaque.vars.contains(&self.0);
            }
            self.expr_parts(e);
        }
    }
    let mut count = Count(var, 0, true);
    count.block(&ir.body.block);
    let mut all = Vec::new();
    collect(&ir.body.block, var, &mut all);
    (count.2 && all.len() == count.1).then_some(all)
}

fn assigns(stmt: &Stmt, var: VarId) -> bool {
    match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Compound(place, ..) => {
            scan::variable(place) == Some(var)
        }
        _ => false,
    }
}

/// The statements of a block, however deep, that assign a variable.
fn collect<'a>(block: &'a Block, var: VarId, all: &mut Vec<&'a Stmt>) {
    fn of_expr<'a>(e: &'a Expr, var: VarId, all: &mut Vec<&'a Stmt>) {
        match &e.kind {
            ExprKind::If(_, then, otherwise) => {
                collect(then, var, all);
                otherwise.iter().for_each(|block| collect(block, var, all));
            }
            ExprKind::Match(_, arms) => arms.iter().for_each(|arm| of_expr(&arm.body, var, all)),
            ExprKind::Block(block) | ExprKind::Loop(_, block) => collect(block, var, all),
            _ => {}
        }
    }
    for stmt in &block.stmts {
        if assigns(stmt, var) {
            all.push(stmt);
        }
        match &stmt.kind {
            StmtKind::Let(_, Some(e)) | StmtKind::Expr(e) => of_expr(e, var, all),
            StmtKind::For(inner) => collect(&inner.body, var, all),
            StmtKind::While(_, _, body) => collect(body, var, all),
            _ => {}
        }
    }
    block.tail.iter().for_each(|tail| of_expr(tail, var, all));
}

/// The kind of map that all updates of a scalar are, with the operator that is combined by where there is one.
pub(super) fn kind(ir: &Loop, var: VarId, lets: &Lets<'_>) -> Option<(Map, UpdateOp)> {
    let updates = updates(ir, var)?;
    let ty = ir.var(var).ty.as_scalar();
    let none = UpdateOp::from(Op::Add);
    let fits = |map: &Map, op: UpdateOp| {
        updates
            .iter()
            .all(|stmt| leaves(stmt, var, map, op, lets).is_some())
    };
    if fits(&Map::Latest, none) {
        return Some((Map::Latest, none));
    }
    let applies = |op: &Op| ty.is_some_and(|ty| op.applies_to(ty));
    let one_sign = Op::ALL.into_iter().filter(applies).map(UpdateOp::from);
    let both = UpdateOp::from(Op::Add).together(UpdateOp::from(Op::Sub));
    for op in one_sign.chain(both.filter(|_| applies(&Op::Add))) {
        if fits(&Map::Since, op) {
            return Some((Map::Since, op));
        }
    }
    let rings = [
        Ring::SumProduct,
        Ring::XorAnd,
        Ring::MaxPlus,
        Ring::MinPlus,
        Ring::Residues,
    ];
    let sums = rings.map(|ring| Map::Sum(ring, vec![var]));
    let found = sums.into_iter().find(|map| {
        has_ring(map, ty)
            && fits(map, none)
            && (!is_modular(map) || updates.iter().any(|stmt| reduces(stmt, map, lets)))
    });
    found.map(|map| (map, none))
}

/// Whether numbers of a type have the ring of a map.
fn has_ring(map: &Map, ty: Option<Scalar>) -> bool {
    match map {
        Map::Sum(Ring::SumProduct, _) => ty.is_some_and(|ty| ty.is_int() || ty.is_float()),
        Map::Sum(Ring::XorAnd, _) => ty.is_some_and(|ty| ty.is_int() || ty == Scalar::Bool),
        Map::Sum(Ring::MaxPlus | Ring::MinPlus | Ring::Residues, _) => {
            ty.is_some_and(Scalar::is_int)
        }
        Map::Latest | Map::Since | Map::Best(_) => true,
    }
}

/// Whether remainders are part of a map.
fn is_modular(map: &Map) -> bool {
    matches!(map, Map::Sum(Ring::Residues, _))
}

/// One recurrence of several scalars, if all their updates are sums of products.
pub(super) fn together(ir: &Loop, vars: &[VarId], lets: &Lets<'_>) -> Option<Map> {
    let first = ir.var(*vars.first()?).ty.as_scalar();
    let one_type = |var: &VarId| ir.var(*var).ty.as_scalar() == first;
    let all: Option<Vec<_>> = vars.iter().map(|var| updates(ir, *var)).collect();
    let all: Vec<&Stmt> = all?.into_iter().flatten().collect();
    let rings = [Ring::SumProduct, Ring::Residues].into_iter();
    let mut maps = rings.map(|ring| Map::Sum(ring, vars.to_vec()));
    let op = UpdateOp::from(Op::Add);
    maps.find(|map| {
        vars.iter().all(one_type)
            && has_ring(map, first)
            && all
                .iter()
                .all(|stmt| leaves(stmt, vars[0], map, op, lets).is_some())
            && (!is_modular(map) || all.iter().any(|stmt| reduces(stmt, map, lets)))
    })
}

/// Whether an update takes a remainder of the scalars.
fn reduces(stmt: &Stmt, map: &Map, lets: &Lets<'_>) -> bool {
    let Map::Sum(_, vars) = map else { return false };
    let mut reader = Reader::new(map, UpdateOp::from(Op::Add), vars, lets);
    reader.stmt(stmt).is_some() && reader.reduces
}

/// What an update's map is made of, but for the scalars; `None` where it is no such map.
pub(super) fn leaves<'a>(
    stmt: &'a Stmt,
    var: VarId,
    map: &Map,
    op: UpdateOp,
    lets: &Lets<'a>,
) -> Option<Vec<&'a Expr>> {
    let of = match map {
        Map::Sum(_, vars) => vars.clone(),
        Map::Latest | Map::Since => vec![var],
        Map::Best(_) => return None,
    };
    let mut reader = Reader::new(map, op, &of, lets);
    reader.stmt(stmt)?;
    Some(reader.leaves)
}

/// What a part of an update is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The scalars are not in it.
    Free,
    /// It is a map of them.
    Held,
}

struct Reader<'a, 'r> {
    map: &'r Map,
    op: UpdateOp,
    vars: &'r [VarId],
    lets: &'r Lets<'a>,
    leaves: Vec<&'a Expr>,
    /// Whether a remainder of a map has been read.
    reduces: bool,
}

impl<'a, 'r> Reader<'a, 'r> {
    fn new(map: &'r Map, op: UpdateOp, vars: &'r [VarId], lets: &'r Lets<'a>) -> Self {
        Reader {
            map,
            op,
            vars,
            lets,
            leaves: Vec::new(),
            reduces: false,
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Option<()> {
        match &stmt.kind {
            StmtKind::Assign(_, value) => drop(self.form(value)?),
            StmtKind::Compound(_, op, value) => {
                let role = self.map.role(op.symbol(), self.op)?;
                let value = self.form(value)?;
                self.combined(role, Form::Held, value)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn mentions(&self, e: &Expr) -> bool {
        struct Mentions<'s, 'a>(&'s [VarId], &'s Lets<'a>, bool);
        impl Visit for Mentions<'_, '_> {
            fn load(&mut self, place: &Place) {
                if let Root::Var(var) = place.root {
                    self.2 |= self.0.contains(&var);
                    if let Some(value) = self.1.get(&var).filter(|_| !self.2) {
                        self.expr(value);
                    }
                }
                self.place_parts(place);
            }
        }
        let mut mentions = Mentions(self.vars, self.lets, false);
        mentions.expr(e);
        mentions.2
    }

    fn form(&mut self, e: &'a Expr) -> Option<Form> {
        if !self.mentions(e) {
            self.leaves.push(e);
            return Some(Form::Free);
        }
        match &e.kind {
            ExprKind::Load(place) => {
                let var = scan::variable(place)?;
                match self.vars.contains(&var) {
                    true => Some(Form::Held),
                    false => self.form(self.lets.get(&var)?),
                }
            }
            ExprKind::Unary(op, a) => match (op, self.map) {
                (UnaryOp::Neg, Map::Sum(Ring::SumProduct, _))
                | (UnaryOp::Not, Map::Sum(Ring::XorAnd, _)) => self.form(a),
                _ => None,
            },
            // What does not fit, the call notices.
            ExprKind::Cast(of) if is_modular(self.map) => {
                let int = |e: &Expr| e.ty.as_scalar().is_some_and(Scalar::is_int);
                (int(e) && int(of)).then(|| self.form(of))?
            }
            ExprKind::Binary(op, a, b) => {
                let role = self.map.role(op.symbol(), self.op)?;
                let (a, b) = (self.form(a)?, self.form(b)?);
                self.combined(role, a, b)
            }
            ExprKind::Method(Method::MulAdd, parts) if parts.len() == 3 => {
                let times = self.map.role("*", self.op)?;
                let (a, b) = (self.form(&parts[0])?, self.form(&parts[1])?);
                let product = match (a, b) {
                    (Form::Free, Form::Free) => Form::Free,
                    (a, b) => self.combined(times, a, b)?,
                };
                let c = self.form(&parts[2])?;
                self.combined(Role::Plus, product, c)
            }
            ExprKind::Method(name, parts) => {
                let [a, b] = &parts[..] else {
                    return None;
                };
                let role = self.map.role(name.name(), self.op)?;
                let (a, b) = (self.form(a)?, self.form(b)?);
                self.combined(role, a, b)
            }
            ExprKind::If(condition, then, Some(otherwise)) => {
                self.leaf(condition)?;
                self.tail(then)?;
                self.tail(otherwise)?;
                Some(Form::Held)
            }
            ExprKind::Match(scrutinee, arms) => {
                self.leaf(scrutinee)?;
                for arm in arms {
                    arm.guard.iter().try_for_each(|guard| self.leaf(guard))?;
                    self.form(&arm.body)?;
                }
                Some(Form::Held)
            }
            ExprKind::Block(block) => self.tail(block),
            _ => None,
        }
    }

    /// What must be free.
    fn leaf(&mut self, e: &'a Expr) -> Option<()> {
        let form = self.form(e)?;
        (form == Form::Free).then_some(())
    }

    /// A block that is its value.
    fn tail(&mut self, block: &'a Block) -> Option<Form> {
        let tail = block.tail.as_deref().filter(|_| block.stmts.is_empty());
        self.form(tail?)
    }

    fn combined(&mut self, role: Role, a: Form, b: Form) -> Option<Form> {
        let sums = matches!(self.map, Map::Sum(..));
        // A limit does not distribute over what is subtracted from something, and what is negative has a remainder of its own.
        let limits = matches!(
            self.map,
            Map::Sum(Ring::MaxPlus | Ring::MinPlus | Ring::Residues, _)
        );
        self.reduces |= role == Role::Modulo;
        let one = a != b;
        let fits = match role {
            Role::Plus => sums || one,
            Role::Minus => sums && !limits || (a, b) == (Form::Held, Form::Free),
            Role::Times => one,
            Role::Modulo => (a, b) == (Form::Held, Form::Free),
        };
        fits.then_some(Form::Held)
    }
}

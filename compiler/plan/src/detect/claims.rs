//! Which elements of arrays that are `distinct(..)` iterations use: the loop of a kernel that says so, and does nothing else.
//!
//! It sets a bit for each element, `taken[e / 32] |= 1 << e % 32`, and counts how often it does. Where there are as many bits behind it, no two iterations
//! have used the same element. An element that an iteration uses twice by the same words is claimed once; otherwise fewer bits do not say who met whom, and
//! the host finds out. Positions of the outermost loop come from a range, so that the host can ask which ones met.
//!
//! Every access is a claim in a statement before the one that it stands in, and what claims need is sliced out of the iteration as the
//! terms of scans are. The arrays are not read: their elements decide nothing but which ones are written, of those that have been claimed already.

use super::place::same;
use super::scan::variable;
use super::slice;
use super::winners::{At, Reads, Why};
use crate::ir::visit::{Visit, VisitMut};
use crate::ir::{
    Access, Array, ArrayId, BinaryOp, Block, Carried, Check, Dim, Expr, ExprKind, Extent,
    Histogram, Index, Loop, Memory, Op, Pattern, Place, Projection, Root, Scalar, SourceId, Stmt,
    StmtKind, Target, Type, Update, UpdateOp, Var, VarId, VarKind,
};
use crate::sorted::{Sorted, SortedSet};

/// A loop that claims elements.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The loop. Behind the arrays of the loop that it was made of it has one of bits for each that is distinct.
    pub ir: Loop,
    /// What it is: for each distinct array its bits, and then for each the number of claims.
    pub pattern: Pattern,
    /// The first position of the outermost loop that claims, and the one behind the last.
    pub range: [VarId; 2],
}

/// The loop of the kernel, where arrays are distinct by the attribute alone.
pub(super) fn find(ir: &Loop, roles: &Histogram) -> Option<Result<Claims, Why>> {
    let first = *roles.distinct.first()?;
    let source = ir.array(first).source;
    let why = |text: &str| {
        let text = format!(
            "which elements of `{}` iterations use {text}",
            ir.array(first).name
        );
        Some(Err(Why { text, source }))
    };
    if !roles.scattered.is_empty() {
        return why("of each other's rows is not asked in kernels as yet");
    }
    let mut marked = ir.clone();
    let at = At(source);
    let mut var = |name: &str, ty, kind| {
        marked.body.vars.push(Var {
            name: name.to_owned(),
            ty: Type::Scalar(ty),
            kind,
            source,
        });
        VarId(marked.body.vars.len() as u32 - 1)
    };
    let counts: Vec<VarId> = roles
        .distinct
        .iter()
        .map(|_| var("claims", Scalar::U64, VarKind::Reduced))
        .collect();
    let range = ["first", "end"].map(|name| var(name, Scalar::U64, VarKind::Captured));
    let mut marker = Marker {
        distinct: &roles.distinct,
        vars: std::mem::take(&mut marked.body.vars),
        marks: Vec::new(),
        fixed: Fixed::of(ir),
        lets: Sorted::new(),
        claimed: Vec::new(),
        failed: false,
    };
    marker.block(&mut marked.body.block);
    let Marker {
        vars,
        marks,
        failed,
        ..
    } = marker;
    marked.body.vars = vars;
    if failed {
        return why("is not known before the statement that does");
    }
    let carried: Vec<Carried> = marks
        .iter()
        .map(|mark| Carried {
            var: mark.var,
            op: Op::Add.into(),
            updates: Vec::new(),
            map: None,
            delayed: false,
        })
        .collect();
    let Some(mut block) = slice::terms(&marked, &carried, 0) else {
        return why("cannot be told without the rest of the iteration");
    };
    let mut reads = Reads::default();
    reads.block(&block);
    if reads
        .0
        .iter()
        .any(|id| ir.array(*id).access != Access::Read)
    {
        return why("depends on what the loop writes");
    }
    // Nothing is combined but claims.
    for (id, var) in marked.body.vars.iter_mut().enumerate() {
        let combined = matches!(
            var.kind,
            VarKind::Reduced | VarKind::Best | VarKind::Carried
        );
        if combined && !counts.contains(&VarId(id as u32)) {
            var.kind = VarKind::Local;
        }
    }
    for (id, array) in marked.arrays.iter_mut().enumerate() {
        if !reads.0.contains(&ArrayId(id as u32)) {
            array.access = Access::LengthOnly;
        }
    }
    let bits = marked.arrays.len();
    marked.arrays.extend(roles.distinct.iter().map(|id| Array {
        name: format!("taken_of_{}", ir.array(*id).name),
        elem: Type::Scalar(Scalar::U32),
        extent: Extent::Runtime,
        access: Access::Updated,
        source,
    }));
    let mut claiming = Claiming {
        distinct: &roles.distinct,
        marks: &marks,
        vars: &mut marked.body.vars,
        sites: vec![0; roles.distinct.len()],
    };
    claiming.block(&mut block);
    let sites = claiming.sites;
    let none = || at.int(u64::MAX.into(), Scalar::Usize);
    let declared = marks.iter();
    let declared = declared.map(|mark| at.stmt(StmtKind::Let(mark.var, Some(none()))));
    block.stmts.splice(0..0, declared);
    let Dim { position, .. } = marked.space[0];
    let position = || at.cast(at.load(position, Scalar::Usize), Scalar::U64);
    let compare = |op, end: VarId| {
        let sides = (Box::new(position()), Box::new(at.load(end, Scalar::U64)));
        at.expr(ExprKind::Binary(op, sides.0, sides.1), Scalar::Bool)
    };
    let asked = [
        compare(BinaryOp::Ge, range[0]),
        compare(BinaryOp::Lt, range[1]),
    ];
    let asked = at.all(asked.into_iter()).expect("two conditions");
    marked.body.block = Block {
        stmts: vec![at.stmt(StmtKind::Expr(at.only_if(asked, block.stmts)))],
        tail: None,
    };
    let target = |memory, elem, op, sites| Target {
        memory,
        elem: Some(elem),
        op,
        sites,
        injective: None,
    };
    let of_bits = sites.iter().enumerate().map(|(n, &sites)| {
        let memory = Memory::Bins(ArrayId((bits + n) as u32));
        target(memory, Scalar::U32, Op::Or.into(), sites)
    });
    let of_counts = sites.iter().zip(counts).map(|(&sites, var)| {
        let op = UpdateOp::wrapping(Op::Add);
        target(Memory::Scalar(var), Scalar::U64, op, sites)
    });
    let targets = of_bits.chain(of_counts).collect();
    Some(Ok(Claims {
        ir: marked,
        pattern: Pattern::Histogram(Histogram {
            targets,
            ..Histogram::default()
        }),
        range,
    }))
}

/// What has the same value wherever it stands in a block: no local in it is assigned behind its declaration.
struct Fixed<'a> {
    ir: &'a Loop,
    assigned: SortedSet<VarId>,
}

impl<'a> Fixed<'a> {
    fn of(ir: &'a Loop) -> Fixed<'a> {
        struct Assigned(SortedSet<VarId>);
        impl Visit for Assigned {
            fn store(&mut self, place: &Place) {
                if let Root::Var(var) = place.root {
                    self.0.insert(var);
                }
                self.place_parts(place);
            }
        }
        let mut assigned = Assigned(SortedSet::new());
        assigned.block(&ir.body.block);
        Fixed {
            ir,
            assigned: assigned.0,
        }
    }

    /// Whether an expression is, and does nothing but compute.
    fn is_fixed(&self, e: &Expr) -> bool {
        struct Asks<'s, 'a>(&'s Fixed<'a>, bool);
        impl Visit for Asks<'_, '_> {
            fn load(&mut self, place: &Place) {
                self.1 &= match place.root {
                    Root::Var(var) => !self.0.assigned.contains(&var),
                    Root::Array(id) => self.0.ir.array(id).access == Access::Read,
                };
                self.place_parts(place);
            }
        }
        let mut asks = Asks(self, true);
        asks.expr(e);
        asks.1
    }
}

/// What an array is indexed by, as one says it that knows what locals are.
struct Mark {
    /// The number of the array.
    array: usize,
    index: Expr,
    /// What claims are added to first, and behind that what this iteration has claimed last.
    var: VarId,
}

/// The walk that puts claims before statements.
struct Marker<'a> {
    distinct: &'a [ArrayId],
    vars: Vec<Var>,
    marks: Vec<Mark>,
    fixed: Fixed<'a>,
    /// What locals are that stay as they were declared.
    lets: Sorted<VarId, Expr>,
    /// What has been claimed on every way here.
    claimed: Vec<(usize, Expr)>,
    failed: bool,
}

impl Marker<'_> {
    fn block(&mut self, block: &mut Block) {
        let before = self.claimed.len();
        let mut stmts = Vec::new();
        for mut stmt in std::mem::take(&mut block.stmts) {
            self.stmt(&mut stmt, &mut stmts);
            stmts.push(stmt);
        }
        if let Some(tail) = &mut block.tail {
            self.value(tail, &mut stmts);
        }
        block.stmts = stmts;
        self.claimed.truncate(before);
    }

    fn stmt(&mut self, stmt: &mut Stmt, before: &mut Vec<Stmt>) {
        match &mut stmt.kind {
            StmtKind::Let(var, value) => {
                if let Some(value) = value {
                    self.value(value, before);
                    if !self.fixed.assigned.contains(var) && self.fixed.is_fixed(value) {
                        self.lets.insert(*var, value.clone());
                    }
                }
            }
            StmtKind::Assign(place, value) | StmtKind::Compound(place, _, value) => {
                self.value(value, before);
                self.place(place, before);
            }
            StmtKind::Update(update) => {
                self.value(&mut update.value, before);
                for index in &mut update.bin {
                    self.index(index, before);
                }
            }
            StmtKind::For(inner) => {
                self.value(&mut inner.count, before);
                self.block(&mut inner.body);
            }
            StmtKind::While(_, condition, body) => {
                self.not_in(condition);
                self.block(body);
            }
            StmtKind::Expr(e) | StmtKind::Check(e, _) => self.value(e, before),
        }
    }

    /// The claims of what an expression uses on every way through it; blocks in it have their own.
    fn value(&mut self, e: &mut Expr, before: &mut Vec<Stmt>) {
        match &mut e.kind {
            ExprKind::Load(place) => self.place(place, before),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.value(left, before);
                self.not_in(right);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.value(condition, before);
                self.block(then);
                otherwise.iter_mut().for_each(|block| self.block(block));
            }
            ExprKind::Match(scrutinee, arms) => {
                self.value(scrutinee, before);
                for arm in arms {
                    arm.guard.iter().for_each(|guard| self.not_in(guard));
                    let (ty, source) = (arm.body.ty.clone(), arm.body.source);
                    let kind = ExprKind::Literal(crate::ir::Literal::Bool(false));
                    let body = std::mem::replace(&mut arm.body, Expr { kind, ty, source });
                    let mut block = Block {
                        stmts: Vec::new(),
                        tail: Some(Box::new(body)),
                    };
                    self.block(&mut block);
                    arm.body.kind = ExprKind::Block(block);
                }
            }
            ExprKind::Block(block) | ExprKind::Loop(_, block) => self.block(block),
            ExprKind::Opaque(_) => self.not_in(e),
            ExprKind::Unary(_, e) | ExprKind::Cast(e) | ExprKind::Repeat(e) => {
                self.value(e, before);
            }
            ExprKind::Binary(_, left, right) => {
                self.value(left, before);
                self.value(right, before);
            }
            ExprKind::Method(_, all)
            | ExprKind::Call(_, all)
            | ExprKind::Array(all)
            | ExprKind::Tuple(all)
            | ExprKind::Struct(all) => all.iter_mut().for_each(|e| self.value(e, before)),
            ExprKind::Break(_, value) | ExprKind::Return(value) => {
                if let Some(value) = value {
                    self.value(value, before);
                }
            }
            ExprKind::Literal(_)
            | ExprKind::Len(_)
            | ExprKind::Continue(_)
            | ExprKind::Panic(_) => {}
        }
    }

    fn place(&mut self, place: &mut Place, before: &mut Vec<Stmt>) {
        for step in &mut place.path {
            if let Projection::Index(index) = step {
                self.index(index, before);
            }
        }
        let Root::Array(id) = place.root else {
            return;
        };
        let Some(n) = self.distinct.iter().position(|of| *of == id) else {
            return;
        };
        let index = match place.path.first() {
            Some(Projection::Index(index)) if index.base.is_none() => &index.index,
            _ => {
                self.failed = true;
                return;
            }
        };
        // Anything else may be another element before the statement than in it.
        if !self.fixed.is_fixed(index) {
            self.failed = true;
            return;
        }
        let mut of = index;
        while let ExprKind::Load(place) = &of.kind
            && let Some(value) = variable(place).and_then(|var| self.lets.get(&var))
        {
            of = value;
        }
        let known = |(array, claimed): &(usize, Expr)| *array == n && same(claimed, of);
        if self.claimed.iter().any(known) {
            return;
        }
        let of = of.clone();
        let known = |mark: &&Mark| mark.array == n && same(&mark.index, &of);
        let var = match self.marks.iter().find(known) {
            Some(mark) => mark.var,
            None => {
                let var = VarId(self.vars.len() as u32);
                self.vars.push(Var {
                    name: "last".to_owned(),
                    ty: Type::Scalar(Scalar::Usize),
                    kind: VarKind::Carried,
                    source: of.source,
                });
                self.marks.push(Mark {
                    array: n,
                    index: of.clone(),
                    var,
                });
                var
            }
        };
        self.claimed.push((n, of));
        let source = index.source;
        let mark = Place {
            root: Root::Var(var),
            path: Vec::new(),
        };
        before.push(Stmt {
            kind: StmtKind::Compound(mark, BinaryOp::Add, index.clone()),
            source,
        });
    }

    fn index(&mut self, index: &mut Index, before: &mut Vec<Stmt>) {
        self.value(&mut index.index, before);
        if let Some(base) = &mut index.base {
            self.value(base, before);
        }
    }

    /// What may not run has no claims.
    fn not_in(&mut self, e: &Expr) {
        self.failed |= self.uses(e);
    }

    fn uses(&self, e: &Expr) -> bool {
        let mut reads = Reads::default();
        reads.expr(e);
        struct Writes(SortedSet<ArrayId>);
        impl Visit for Writes {
            fn store(&mut self, place: &Place) {
                if let Root::Array(id) = place.root {
                    self.0.insert(id);
                }
                self.place_parts(place);
            }
        }
        let mut writes = Writes(reads.0);
        writes.expr(e);
        self.distinct.iter().any(|id| writes.0.contains(id))
    }
}

/// The walk that makes bits of claims.
struct Claiming<'a> {
    distinct: &'a [ArrayId],
    marks: &'a [Mark],
    vars: &'a mut Vec<Var>,
    /// How often each is claimed in the text.
    sites: Vec<usize>,
}

impl VisitMut for Claiming<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.stmts) {
            match stmt.kind {
                StmtKind::Update(Update { target, value, .. }) => {
                    self.claim(target, value, stmt.source, &mut block.stmts);
                }
                _ => {
                    self.stmt_parts(&mut stmt);
                    block.stmts.push(stmt);
                }
            }
        }
        if let Some(tail) = &mut block.tail {
            self.expr(tail);
        }
    }
}

impl Claiming<'_> {
    /// `let element = index; if element != last && element < array.len() { taken[element / 32] |= 1 << element % 32; claims += 1; last = element; }`. Out of
    /// range the loop itself will panic.
    fn claim(&mut self, mark: usize, index: Expr, source: SourceId, to: &mut Vec<Stmt>) {
        let at = At(source);
        let Mark {
            array: n,
            var: last,
            ..
        } = self.marks[mark];
        self.sites[n] += 1;
        self.vars.push(Var {
            name: "element".to_owned(),
            ty: Type::Scalar(Scalar::Usize),
            kind: VarKind::Local,
            source,
        });
        let var = VarId(self.vars.len() as u32 - 1);
        let element = || at.load(var, Scalar::Usize);
        let five = at.int(5, Scalar::U32);
        let word = Index {
            index: at.binary(BinaryOp::Shr, element(), five),
            base: None,
            check: Check::Dimension,
        };
        let bit = at.binary(
            BinaryOp::BitAnd,
            at.cast(element(), Scalar::U32),
            at.int(31, Scalar::U32),
        );
        let update = |target, bin, value| {
            at.stmt(StmtKind::Update(Update {
                target,
                site: 0,
                bin,
                value,
                subtracts: false,
                multiplies: false,
            }))
        };
        let bit = at.binary(BinaryOp::Shl, at.int(1, Scalar::U32), bit);
        let set = update(n, vec![word], bit);
        let counted = update(self.distinct.len() + n, Vec::new(), at.int(1, Scalar::U64));
        let len = at.expr(ExprKind::Len(self.distinct[n]), Scalar::Usize);
        let asked = [
            (BinaryOp::Ne, at.load(last, Scalar::Usize)),
            (BinaryOp::Lt, len),
        ];
        let asked = asked.map(|(op, other)| {
            let sides = (Box::new(element()), Box::new(other));
            at.expr(ExprKind::Binary(op, sides.0, sides.1), Scalar::Bool)
        });
        let asked = at.all(asked.into_iter()).expect("two conditions");
        let last = Place {
            root: Root::Var(last),
            path: Vec::new(),
        };
        let noted = at.stmt(StmtKind::Assign(last, element()));
        to.push(at.stmt(StmtKind::Let(var, Some(index))));
        to.push(at.stmt(StmtKind::Expr(at.only_if(asked, vec![set, counted, noted]))));
    }
}

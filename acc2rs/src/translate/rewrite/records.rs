//! Structs whose memory is read as plain numbers, `float *data = (float *)bodies`: arrays of such structs become arrays of
//! numbers, `bodies[i].x` becomes `bodies[6 * i]`.
//!
//! That needs structs whose fields are all of one type of number, and of which the program only reaches the fields.

use std::collections::HashSet;

use crate::clause::{ClauseKind, Range};
use crate::ctypes::{Extent, INT, SIZE, StructId, Type};
use crate::directive::Directive;
use crate::typed::change::change_all;
use crate::typed::{BinaryOp, Block, Expr, ExprKind, ItemKind, Program, Stmt, StmtKind, walk};

/// A struct as numbers.
struct Record {
    id: StructId,
    number: Type,
    /// Where each field starts.
    starts: Vec<u64>,
    size: u64,
}

/// Makes arrays of structs that are read as numbers arrays of numbers; whether there was one.
pub(crate) fn flatten(program: &mut Program) -> bool {
    let mut found = false;
    while let Some(record) = next(program) {
        found = true;
        let known = std::mem::take(program);
        let mut changed = known.clone();
        change_all(&mut changed, &mut |e| record.change(e));
        record.types(&mut changed);
        for function in &mut changed.functions {
            if let Some(body) = &mut function.body {
                record.block(body);
            }
        }
        *program = changed;
    }
    found
}

fn each(program: &Program, f: &mut dyn FnMut(&Expr)) {
    for id in program.defined() {
        let stmts = program.function(id).body.iter().flat_map(|b| &b.stmts);
        stmts.for_each(|s| walk::exprs(program, s, f));
    }
}

/// A struct that is read as numbers, and may be.
fn next(program: &Program) -> Option<Record> {
    let mut cast: HashSet<StructId> = HashSet::new();
    each(program, &mut |e| {
        if let ExprKind::Cast { value, .. } = &e.kind
            && let (Some(from), Some(to)) = (value.ty.element(), e.ty.element())
        {
            match (from.innermost(), to.innermost()) {
                (Type::Struct(id), number) | (number, Type::Struct(id))
                    if number.is_arithmetic() =>
                {
                    cast.insert(*id);
                }
                _ => {}
            }
        }
    });
    let mut ids: Vec<StructId> = cast.into_iter().collect();
    ids.sort_by_key(|id| id.0);
    ids.into_iter()
        .filter_map(|id| record(program, id))
        .find(|record| record.reached_by_fields(program))
}

fn record(program: &Program, id: StructId) -> Option<Record> {
    let structure = program.structure(id);
    let fields = structure
        .fields
        .as_ref()
        .filter(|_| structure.user && !structure.union)?;
    let number = fields.first()?.ty.innermost().clone();
    let (mut starts, mut size) = (Vec::new(), 0);
    for field in fields {
        starts.push(size);
        size += match &field.ty {
            ty if *ty == number => 1,
            Type::Array(of, Extent::Fixed(n)) if **of == number => *n,
            _ => return None,
        };
    }
    number.is_arithmetic().then_some(Record {
        id,
        number,
        starts,
        size,
    })
}

impl Record {
    fn is(&self, ty: &Type) -> bool {
        *ty == Type::Struct(self.id)
    }

    fn points(&self, ty: &Type) -> bool {
        matches!(ty, Type::Pointer { to, .. } if self.is(to))
    }

    /// Whether a type holds such structs by value.
    fn held(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(of, _) => self.held(of),
            Type::Pointer { to, .. } => {
                matches!(&**to, Type::Array(..) | Type::Pointer { .. }) && {
                    let mut inner = &**to;
                    while let Type::Array(to, _) | Type::Pointer { to, .. } = inner {
                        inner = to;
                    }
                    self.is(inner)
                }
            }
            Type::Function(ty) => ty
                .params
                .iter()
                .chain([&ty.ret])
                .any(|t| self.held(t) || self.points(t)),
            other => self.is(other),
        }
    }

    /// Whether the program reaches nothing but the fields of such structs, behind pointers.
    fn reached_by_fields(&self, program: &Program) -> bool {
        let vars = program.vars.iter().all(|v| !self.held(&v.ty));
        let structs = program
            .structs
            .iter()
            .flat_map(|s| s.fields.iter().flatten());
        let fields = structs.into_iter().all(|f| !self.held(&f.ty));
        let functions = program
            .functions
            .iter()
            .all(|f| !f.ty.params.iter().chain([&f.ty.ret]).any(|t| self.held(t)));
        let mut plain = vars && fields && functions;
        let (mut values, mut within) = (0, 0);
        each(program, &mut |e| {
            if self.is(&e.ty) {
                values += 1;
                plain &= matches!(e.kind, ExprKind::Index(..) | ExprKind::Deref(_));
            }
            match &e.kind {
                ExprKind::Member(object, _) | ExprKind::AddrOf(object) if self.is(&object.ty) => {
                    within += 1;
                }
                ExprKind::Step { place, .. } => plain &= !self.points(&place.ty),
                ExprKind::Binary(BinaryOp::Sub, a, b) => {
                    plain &= !(self.points(&a.ty) && self.points(&b.ty));
                }
                ExprKind::SizeOf(ty) => plain &= self.is(ty) || !self.held(ty),
                _ => {}
            }
            // An array in such a struct only as the start of an index.
            if let ExprKind::AddrOf(place) = &e.kind
                && let ExprKind::Member(object, _) = &place.kind
            {
                plain &= !self.is(&object.ty) || !matches!(place.ty, Type::Array(..));
            }
        });
        plain && values == within
    }

    /// `index * size + more`, of the index's type.
    fn scaled(&self, index: &Expr, more: u64) -> Expr {
        let (ty, span) = (index.ty.clone(), index.span);
        let int = |v: u64| Box::new(Expr::int(i128::from(v), ty.clone(), span));
        if let ExprKind::Int(v) = index.kind {
            return Expr::int(
                v * i128::from(self.size) + i128::from(more),
                ty.clone(),
                span,
            );
        }
        let expr = |kind| Expr {
            kind,
            ty: ty.clone(),
            span,
        };
        let product = expr(ExprKind::Binary(
            BinaryOp::Mul,
            Box::new(index.clone()),
            int(self.size),
        ));
        if more == 0 {
            return product;
        }
        expr(ExprKind::Binary(
            BinaryOp::Add,
            Box::new(product),
            int(more),
        ))
    }

    /// The pointer and the index of a struct's first number.
    fn place(&self, object: &Expr, more: u64) -> Option<(Box<Expr>, Box<Expr>)> {
        match &object.kind {
            ExprKind::Index(base, index) => {
                Some((base.clone(), Box::new(self.scaled(index, more))))
            }
            ExprKind::Deref(base) => Some((
                base.clone(),
                Box::new(Expr::int(i128::from(more), INT, object.span)),
            )),
            _ => None,
        }
    }

    fn pointer(&self) -> Type {
        Type::pointer(self.number.clone())
    }

    /// An expression on numbers; what it holds has been changed before.
    fn change(&self, e: &mut Expr) {
        let span = e.span;
        let changed = match &e.kind {
            ExprKind::Member(object, field) if self.is(&object.ty) && e.ty == self.number => self
                .place(object, self.starts[*field as usize])
                .map(|(base, index)| ExprKind::Index(base, index)),
            // An array in the struct.
            ExprKind::Decay(inner) => match &inner.kind {
                ExprKind::Member(object, field) if self.is(&object.ty) => self
                    .place(object, self.starts[*field as usize])
                    .map(|(base, index)| ExprKind::Binary(BinaryOp::Add, base, index)),
                _ => None,
            },
            ExprKind::AddrOf(object) if self.is(&object.ty) => self
                .place(object, 0)
                .map(|(base, index)| ExprKind::Binary(BinaryOp::Add, base, index)),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if self.points(&e.ty) => {
                Some(ExprKind::Binary(
                    *op,
                    a.clone(),
                    Box::new(self.scaled(b, 0)),
                ))
            }
            ExprKind::Compound {
                op,
                place,
                value,
                common,
            } if self.points(&place.ty) => Some(ExprKind::Compound {
                op: *op,
                place: place.clone(),
                value: Box::new(self.scaled(value, 0)),
                common: common.clone(),
            }),
            ExprKind::SizeOf(ty) if self.is(ty) => {
                let expr = |kind| {
                    Box::new(Expr {
                        kind,
                        ty: SIZE,
                        span,
                    })
                };
                let size = expr(ExprKind::Int(i128::from(self.size)));
                let one = expr(ExprKind::SizeOf(self.number.clone()));
                Some(ExprKind::Binary(BinaryOp::Mul, size, one))
            }
            _ => None,
        };
        if let Some(kind) = changed {
            e.kind = kind;
        }
    }

    fn retyped(&self, ty: &mut Type) {
        match ty {
            Type::Pointer { to, .. } if self.is(to) => **to = self.number.clone(),
            Type::Pointer { to, .. } | Type::Array(to, _) => self.retyped(to),
            Type::Function(f) => {
                f.params.iter_mut().for_each(|t| self.retyped(t));
                self.retyped(&mut f.ret);
            }
            _ => {}
        }
    }

    /// Pointers to such structs become pointers to numbers.
    fn types(&self, program: &mut Program) {
        change_all(program, &mut |e| {
            self.retyped(&mut e.ty);
            if let ExprKind::Compound { common, .. } = &mut e.kind {
                self.retyped(common);
            }
        });
        program
            .vars
            .iter_mut()
            .for_each(|v| self.retyped(&mut v.ty));
        program
            .extents
            .iter_mut()
            .for_each(|e| self.retyped(&mut e.ty));
        for function in &mut program.functions {
            function.ty.params.iter_mut().for_each(|t| self.retyped(t));
            self.retyped(&mut function.ty.ret);
        }
        for structure in &mut program.structs {
            structure
                .fields
                .iter_mut()
                .flatten()
                .for_each(|f| self.retyped(&mut f.ty));
        }
        let id = self.id;
        program
            .items
            .retain(|i| !matches!(i.kind, ItemKind::Struct(s) if s == id));
    }

    fn block(&self, block: &mut Block) {
        block.stmts.iter_mut().for_each(|s| self.stmt(s));
    }

    /// Sections of such arrays in the directives.
    fn stmt(&self, stmt: &mut Stmt) {
        stmt.directives.iter_mut().for_each(|d| self.directive(d));
        match &mut stmt.kind {
            StmtKind::Directive(directive) => self.directive(directive),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.stmt(then);
                otherwise.iter_mut().for_each(|s| self.stmt(s));
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => self.stmt(body),
            StmtKind::For { init, body, .. } => {
                init.iter_mut().for_each(|s| self.stmt(s));
                self.stmt(body);
            }
            StmtKind::Switch { arms, .. } => {
                arms.iter_mut()
                    .flat_map(|a| &mut a.body)
                    .for_each(|s| self.stmt(s));
            }
            _ => {}
        }
    }

    fn directive(&self, directive: &mut Directive<Expr>) {
        for clause in &mut directive.clauses {
            let (ClauseKind::Data { vars, .. } | ClauseKind::Reduction { vars, .. }) =
                &mut clause.kind
            else {
                continue;
            };
            for section in vars.iter_mut().filter(|s| self.points(&s.base.ty)) {
                section.base.ty = self.pointer();
                if let Some(first) = section.ranges.first_mut() {
                    match first {
                        Range::Index(e) => {
                            *first = Range::Slice {
                                start: Some(self.scaled(e, 0)),
                                len: Some(Expr::int(i128::from(self.size), INT, e.span)),
                            };
                        }
                        Range::Slice { start, len } => {
                            start
                                .iter_mut()
                                .chain(len)
                                .for_each(|e| *e = self.scaled(e, 0));
                        }
                    }
                }
            }
        }
    }
}

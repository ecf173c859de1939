//! Indices of places that have a name before anybody reads them: `let p = &y[i];`, `(x[i], y[i])`, `let _ = y[i];`.
//!
//! Rust checks such an index where it stands, while here a place is read where its name is used, behind a condition perhaps. So a place gets a
//! [mark](super::lower::Lower::alias) where it is named, a statement that loads it for nothing. What a mark asks is asked by a check in its place, unless what follows in
//! its block asks the same in any case.
//!
//! Of what the loop writes a read is more than a question, though nobody uses what is read: `bins[k];`. It stays a load, and so does a mark whose place nothing behind it
//! accesses, `match out[0] { _ => {} }`: what is emitted has these words.

use crate::ir::visit::{Visit, VisitMut};
use crate::ir::{
    Array, ArrayId, BinaryOp, Block, Body, Check, Expr, ExprKind, Index, Length, Literal, Place,
    Projection, Root, Scalar, SourceId, Stmt, StmtKind, Type, Var, Words,
};
use crate::sorted::SortedSet;

/// Makes checks of a body's marks.
pub(super) fn settle(body: &mut Body, arrays: &[Array]) {
    let Body { vars, block } = body;
    let mut written = Written(SortedSet::new());
    written.block(block);
    Settling {
        vars,
        arrays,
        written: written.0,
    }
    .block(block);
}

/// Finds the arrays that a body stores into.
struct Written(SortedSet<ArrayId>);

impl Visit for Written {
    fn store(&mut self, place: &Place) {
        if let Root::Array(id) = place.root {
            self.0.insert(id);
        }
        self.place_parts(place);
    }
}

/// Whether what follows accesses a place.
struct Accesses<'a>(&'a Place, bool);

impl Visit for Accesses<'_> {
    fn load(&mut self, place: &Place) {
        self.1 |= is_same(self.0, place);
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        self.1 |= is_same(self.0, place);
        self.place_parts(place);
    }
}

/// Whether two places are one by their words, or one is a part of the other.
fn is_same(a: &Place, b: &Place) -> bool {
    a.root == b.root
        && a.path
            .iter()
            .zip(&b.path)
            .all(|(a, b)| format!("{a:?}") == format!("{b:?}"))
}

/// The walk over blocks.
struct Settling<'a> {
    vars: &'a [Var],
    arrays: &'a [Array],
    /// The arrays that the body writes.
    written: SortedSet<ArrayId>,
}

impl VisitMut for Settling<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.stmts.len() {
            let Some(place) = marked(&block.stmts[at]) else {
                self.stmt(&mut block.stmts[at]);
                at += 1;
                continue;
            };
            if self.is_read(
                &block.stmts[at],
                place,
                &block.stmts[at + 1..],
                block.tail.as_deref(),
            ) {
                let ty = self.type_of(place);
                if let StmtKind::Expr(load) = &mut block.stmts[at].kind {
                    load.ty = ty;
                }
                at += 1;
                continue;
            }
            let (source, asked) = (block.stmts[at].source, self.asked(place));
            let again = |question: &Question| {
                self.is_asked_in(question, &block.stmts[at + 1..], block.tail.as_deref())
            };
            let left = asked.into_iter().filter(|of| !again(of));
            let checks: Vec<Stmt> = left.map(|of| of.check(source)).collect();
            let many = checks.len();
            block.stmts.splice(at..=at, checks);
            at += many;
        }
        block.tail.iter_mut().for_each(|tail| self.expr(tail));
    }
}

/// The place that a statement loads for nothing.
fn marked(stmt: &Stmt) -> Option<&Place> {
    match &stmt.kind {
        StmtKind::Expr(Expr {
            kind: ExprKind::Load(place),
            ..
        }) => Some(place).filter(|place| waits(&place.path)),
        _ => None,
    }
}

/// Whether an index on the way to a place is checked when the place is read.
pub(super) fn waits(path: &[Projection]) -> bool {
    path.iter().any(
        |step| matches!(step, Projection::Index(index) if !matches!(index.check, Check::Never)),
    )
}

/// Whether an index is below a length.
struct Question {
    index: Expr,
    len: ExprKind,
}

impl Question {
    fn check(self, source: SourceId) -> Stmt {
        let of = |kind, ty| Expr { kind, ty, source };
        let len = of(self.len, Type::Scalar(Scalar::Usize));
        let holds = ExprKind::Binary(BinaryOp::Lt, Box::new(self.index), Box::new(len));
        Stmt {
            kind: StmtKind::Check(of(holds, Type::Scalar(Scalar::Bool)), Words::Index),
            source,
        }
    }

    fn is(&self, other: &Question) -> bool {
        let same = |a: &ExprKind, b: &ExprKind| match (a, b) {
            (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b,
            (ExprKind::Len(a), ExprKind::Len(b)) => a == b,
            (ExprKind::Load(a), ExprKind::Load(b)) => {
                a.root == b.root && a.path.is_empty() && b.path.is_empty()
            }
            _ => false,
        };
        same(&self.index.kind, &other.index.kind) && same(&self.len, &other.len)
    }
}

impl Settling<'_> {
    /// Whether a mark is a read of what the body writes, or of a place that nothing else accesses.
    fn is_read(&self, mark: &Stmt, place: &Place, stmts: &[Stmt], tail: Option<&Expr>) -> bool {
        let Root::Array(id) = place.root else {
            return false;
        };
        let StmtKind::Expr(load) = &mark.kind else {
            return false;
        };
        if !self.written.contains(&id) {
            return false;
        }
        let mut accesses = Accesses(place, load.ty != Type::Unit);
        if accesses.1 {
            return true;
        }
        stmts.iter().for_each(|stmt| accesses.stmt(stmt));
        tail.iter().for_each(|tail| accesses.expr(tail));
        !accesses.1
    }

    /// The type of a place.
    fn type_of(&self, place: &Place) -> Type {
        let of = match place.root {
            Root::Array(id) => &self.arrays[id.0 as usize].elem,
            Root::Var(var) => &self.vars[var.0 as usize].ty,
        };
        let skip = usize::from(matches!(place.root, Root::Array(_)));
        let mut ty = of;
        for step in place.path.iter().skip(skip) {
            ty = match (step, ty) {
                (Projection::Index(_), Type::Array(elem, _)) => elem,
                (Projection::Field(n), Type::Tuple(parts)) => {
                    parts.get(*n as usize).unwrap_or(&Type::Unit)
                }
                (Projection::Field(n), Type::Struct(of)) => {
                    of.fields.get(*n as usize).map_or(&Type::Unit, |(_, ty)| ty)
                }
                _ => return Type::Opaque(None),
            };
        }
        ty.clone()
    }

    /// What is asked where a place is read.
    fn asked(&self, place: &Place) -> Vec<Question> {
        let (mut whole, mut ty) = match place.root {
            Root::Array(id) => (Some(id), &self.arrays[id.0 as usize].elem),
            Root::Var(var) => (None, &self.vars[var.0 as usize].ty),
        };
        let mut asked = Vec::new();
        for step in &place.path {
            let len = match (step, whole.take(), ty) {
                (Projection::Index(_), Some(id), _) => Some(ExprKind::Len(id)),
                (Projection::Index(_), None, Type::Array(elem, len)) => {
                    ty = elem;
                    Some(length(len))
                }
                (Projection::Field(n), _, Type::Tuple(parts)) => {
                    ty = parts.get(*n as usize).unwrap_or(&Type::Unit);
                    continue;
                }
                (Projection::Field(n), _, Type::Struct(of)) => {
                    ty = of.fields.get(*n as usize).map_or(&Type::Unit, |(_, ty)| ty);
                    continue;
                }
                _ => break,
            };
            let Projection::Index(index) = step else {
                continue;
            };
            let Index { index, base, check } = &**index;
            let len = match check {
                Check::Dimension if base.is_none() => len,
                Check::Window(len) => Some(len.kind.clone()),
                Check::Dimension | Check::Never => None,
            };
            let index = index.clone();
            asked.extend(len.map(|len| Question { index, len }));
        }
        asked
    }

    /// Whether statements ask a question whatever is in memory, with the value behind them.
    fn is_asked_in(&self, question: &Question, stmts: &[Stmt], tail: Option<&Expr>) -> bool {
        let mut sure = Sure {
            settling: self,
            question,
            found: false,
            leaves: false,
        };
        for stmt in stmts {
            sure.stmt(stmt);
            if sure.found || sure.leaves {
                return sure.found;
            }
        }
        tail.iter().for_each(|tail| sure.expr(tail));
        sure.found
    }
}

/// A length as what it is compared with.
fn length(of: &Length) -> ExprKind {
    match of {
        Length::Known(n) => ExprKind::Literal(Literal::Int(i128::from(*n))),
        Length::Captured(var) => ExprKind::Load(Place {
            root: Root::Var(*var),
            path: Vec::new(),
        }),
    }
}

/// The walk over what is evaluated in any case.
struct Sure<'a> {
    settling: &'a Settling<'a>,
    question: &'a Question,
    found: bool,
    /// Whether what follows may not be come to.
    leaves: bool,
}

impl Sure<'_> {
    fn place(&mut self, place: &Place) {
        let asked = self.settling.asked(place);
        self.found |= asked.iter().any(|of| of.is(self.question));
        self.place_parts(place);
    }

    /// What may be evaluated and may be not.
    fn perhaps(&mut self, visit: impl FnOnce(&mut Self)) {
        let found = self.found;
        visit(self);
        self.found = found;
    }
}

impl Visit for Sure<'_> {
    fn load(&mut self, place: &Place) {
        self.place(place);
    }

    fn store(&mut self, place: &Place) {
        self.place(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::For(inner) => {
                self.expr(&inner.count);
                self.perhaps(|s| s.block(&inner.body));
            }
            StmtKind::While(_, cond, body) => {
                self.expr(cond);
                self.perhaps(|s| s.block(body));
            }
            // It is settled on its own.
            _ if marked(stmt).is_some() => {}
            _ => self.stmt_parts(stmt),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::And(first, then) | ExprKind::Or(first, then) => {
                self.expr(first);
                self.perhaps(|s| s.expr(then));
            }
            ExprKind::If(cond, then, otherwise) => {
                self.expr(cond);
                let both = [Some(then), otherwise.as_ref()];
                both.into_iter()
                    .flatten()
                    .for_each(|way| self.perhaps(|s| s.block(way)));
            }
            ExprKind::Match(of, arms) => {
                self.expr(of);
                for arm in arms {
                    self.perhaps(|s| {
                        arm.guard.iter().for_each(|guard| s.expr(guard));
                        s.expr(&arm.body);
                    });
                }
            }
            ExprKind::Loop(_, body) => self.perhaps(|s| s.block(body)),
            ExprKind::Continue(_) | ExprKind::Break(..) | ExprKind::Return(_) => self.leaves = true,
            _ => self.expr_parts(e),
        }
    }

    fn block(&mut self, block: &Block) {
        let Block { stmts, tail } = block;
        for stmt in stmts {
            if self.leaves {
                return;
            }
            self.stmt(stmt);
        }
        tail.iter().for_each(|tail| self.expr(tail));
    }
}

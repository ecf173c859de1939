//! Functions that read one array and write another element by element, as `w[i] = a * x[i] + b * y[i]` does: they may be
//! called in place, with one array for both. Every element is read before it is written, so that what is read is the
//! array as it was, and a copy of it serves.

use crate::directive::DirectiveKind;
use crate::source::Span;
use crate::translate::base::places::root;
use crate::translate::base::usage::same;
use crate::typed::walk::{self, Visit};
use crate::typed::{Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, VarId};

/// Whether a function reads no element of what `read` points to after it wrote the same element through `written`.
pub(crate) fn reads_first(program: &Program, function: FnId, read: VarId, written: VarId) -> bool {
    let Some(body) = &program.function(function).body else {
        return false;
    };
    let mut look = Look {
        program,
        params: [read, written],
        names: Vec::new(),
        loops: Vec::new(),
        plain: true,
        reads: Vec::new(),
        writes: Vec::new(),
        ends: Vec::new(),
    };
    body.stmts.iter().for_each(|s| look.walk_stmt(s));
    look.plain && look.in_order()
}

/// An access to an element.
struct Access {
    array: Expr,
    index: Option<Expr>,
    span: Span,
    /// The loops around it, outermost first, and whether its index is that of the innermost or the loops are parallel.
    loops: Vec<Span>,
    apart: bool,
}

struct Look<'a> {
    program: &'a Program,
    params: [VarId; 2],
    /// Local names of the arrays: the variable, the place it points to.
    names: Vec<(VarId, Expr)>,
    loops: Vec<Loop>,
    /// Whether nothing else is done with the two.
    plain: bool,
    reads: Vec<Access>,
    writes: Vec<Access>,
    /// Calls that get the written array.
    ends: Vec<Span>,
}

struct Loop {
    span: Span,
    parallel: bool,
    /// The variable it steps.
    var: Option<VarId>,
}

fn before(a: Span, b: Span) -> bool {
    a.unit == b.unit && a.lo < b.hi
}

impl Look<'_> {
    fn in_order(&self) -> bool {
        let Some(first) = self.reads.first() else {
            return true;
        };
        let Some(outer) = first.loops.first() else {
            return false;
        };
        let same_index = |a: &Access, b: &Access| match (&a.index, &b.index) {
            (Some(a), Some(b)) => same(a.stripped(), b.stripped()),
            (a, b) => a.is_none() && b.is_none(),
        };
        let within =
            |span: Span| span.unit == outer.unit && outer.lo <= span.lo && span.hi <= outer.hi;
        let after = |span: Span| span.unit == outer.unit && outer.hi <= span.lo;
        let reads = self.reads.iter().all(|r| {
            r.apart
                && r.loops == first.loops
                && same_index(r, first)
                && same(&r.array, &first.array)
        });
        let writes = self.writes.iter().all(|w| {
            // Another field of the same object is another array.
            let field = matches!(first.array.kind, ExprKind::Member(..))
                && matches!(w.array.kind, ExprKind::Member(..))
                && !fields_alike(&w.array, &first.array);
            field
                || after(w.span)
                || within(w.span)
                    && w.loops == first.loops
                    && same_index(w, first)
                    && self.reads.iter().all(|r| before(r.span, w.span))
        });
        reads && writes && self.ends.iter().all(|span| after(*span))
    }

    /// The place of one of the two arrays that a base is: which one, and the place.
    fn array(&self, base: &Expr) -> Option<(usize, Expr)> {
        let base = base.stripped();
        if let Some(id) = base.as_var()
            && let Some((_, place)) = self.names.iter().find(|(name, _)| *name == id)
        {
            return self.array(place);
        }
        let at = self.params.iter().position(|p| root(base) == Some(*p))?;
        match &base.kind {
            ExprKind::Var(_) => Some((at, base.clone())),
            ExprKind::Member(object, _) => match &object.kind {
                ExprKind::Deref(p) => p.as_var().map(|_| (at, base.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    fn access(&mut self, place: &Expr, write: bool, span: Span) -> bool {
        let (base, index) = match &place.kind {
            ExprKind::Index(base, index) => (base, Some(index)),
            ExprKind::Deref(base) => (base, None),
            _ => return false,
        };
        let Some((at, array)) = self.array(base) else {
            return false;
        };
        if place.ty.is_pointer() || matches!(place.ty, crate::ctypes::Type::Array(..)) {
            self.plain = false;
            return true;
        }
        let own = self.loops.last();
        let runs = own.and_then(|l| l.var).is_some() && {
            let index = index.and_then(|i| i.stripped().as_var());
            index.is_some() && index == own.and_then(|l| l.var) && self.loops.len() == 1
        };
        let access = Access {
            array,
            index: index.map(|i| (**i).clone()),
            span,
            loops: self.loops.iter().map(|l| l.span).collect(),
            apart: runs || self.loops.first().is_some_and(|l| l.parallel),
        };
        match (at, write) {
            (1, true) => self.writes.push(access),
            (0, false) => self.reads.push(access),
            (0, true) => self.plain = false,
            _ => {}
        }
        if let Some(index) = index {
            self.walk_expr(index);
        }
        true
    }

    fn one_of_them(&self, e: &Expr) -> bool {
        let named =
            |id: VarId| self.params.contains(&id) || self.names.iter().any(|(n, _)| *n == id);
        e.as_var().is_some_and(named)
    }

    fn walk_stmt(&mut self, stmt: &Stmt) {
        let program = self.program;
        walk::stmt(self, program, stmt);
    }

    fn walk_expr(&mut self, e: &Expr) {
        let program = self.program;
        walk::expr(self, program, e);
    }
}

fn fields_alike(a: &Expr, b: &Expr) -> bool {
    matches!((&a.kind, &b.kind), (ExprKind::Member(_, x), ExprKind::Member(_, y)) if x == y)
}

impl Visit for Look<'_> {
    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Decl(vars) => {
                for var in vars {
                    let Some(Init::Expr(value)) = &self.program.var(*var).init else {
                        continue;
                    };
                    if value.ty.is_pointer() && self.array(value).is_some() {
                        self.names.push((*var, value.stripped().clone()));
                    } else {
                        self.walk_expr(value);
                    }
                }
                false
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                if let Some(init) = init {
                    self.walk_stmt(init);
                }
                let parallel = stmt.directives.iter().any(|d| {
                    use DirectiveKind as D;
                    matches!(d.kind, D::ParallelLoop | D::KernelsLoop | D::Loop)
                });
                let var = step.as_ref().and_then(|s| match &s.kind {
                    ExprKind::Step { place, .. } => place.as_var(),
                    _ => None,
                });
                self.loops.push(Loop {
                    span: stmt.span,
                    parallel,
                    var,
                });
                cond.iter().chain(step).for_each(|e| self.walk_expr(e));
                self.walk_stmt(body);
                self.loops.pop();
                false
            }
            StmtKind::While { .. } | StmtKind::DoWhile { .. } => {
                self.loops.push(Loop {
                    span: stmt.span,
                    parallel: false,
                    var: None,
                });
                let (StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond }) =
                    &stmt.kind
                else {
                    return false;
                };
                self.walk_expr(cond);
                self.walk_stmt(body);
                self.loops.pop();
                false
            }
            _ => true,
        }
    }

    fn expr(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Assign(place, value) if !place.ty.is_pointer() => {
                self.walk_expr(value);
                if !self.access(place, true, e.span) {
                    self.walk_expr(place);
                }
                false
            }
            ExprKind::Compound { place, value, .. } => {
                self.walk_expr(value);
                if !self.access(place, true, e.span) {
                    self.walk_expr(place);
                }
                false
            }
            ExprKind::Step { place, .. } if !place.ty.is_pointer() => {
                if !self.access(place, true, e.span) {
                    self.walk_expr(place);
                }
                false
            }
            ExprKind::Index(..) | ExprKind::Deref(_) => !self.access(e, false, e.span),
            // A number in the object.
            ExprKind::Member(object, _) if !e.ty.is_pointer() && !self.written_object(object) => {
                !matches!(&object.kind, ExprKind::Deref(p) if self.one_of_them(p))
            }
            ExprKind::Call { args, .. } => {
                for arg in args {
                    match self.array(arg) {
                        Some((1, _)) if arg.ty.is_pointer() => self.ends.push(e.span),
                        _ => self.walk_expr(arg),
                    }
                }
                false
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() && a.ty.is_pointer() => {
                let _ = (a, b);
                false
            }
            ExprKind::Var(_) if self.one_of_them(e) => {
                self.plain = false;
                false
            }
            _ => true,
        }
    }
}

impl Look<'_> {
    /// Whether a number of an object is written by this function, through the second parameter.
    fn written_object(&self, object: &Expr) -> bool {
        let program = self.program;
        let mut hit = false;
        if root(object).is_some_and(|id| self.params.contains(&id)) {
            let bodies = program
                .defined()
                .filter_map(|id| program.function(id).body.as_ref());
            for stmt in bodies.flat_map(|b| &b.stmts) {
                walk::exprs(program, stmt, &mut |e| {
                    if let ExprKind::Assign(place, _)
                    | ExprKind::Compound { place, .. }
                    | ExprKind::Step { place, .. } = &e.kind
                        && let ExprKind::Member(..) = place.kind
                    {
                        hit |= root(place) == Some(self.params[1]);
                    }
                });
            }
        }
        hit
    }
}

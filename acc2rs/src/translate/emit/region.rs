//! Statements under OpenACC directives.
//!
//! The Rust runs a region in the order of the source, which is what OpenACC does on the host. What
//! matters there are the data attributes: a scalar that a `parallel` or `serial` construct changes is
//! `firstprivate` unless a clause maps it, so the change is lost at the end of the construct.

use std::collections::HashSet;

use super::state::{Emit, Emitted};
use crate::clause::{ClauseKind, DataAction};
use crate::codes;
use crate::ctypes::Type;
use crate::diag::Diagnostic;
use crate::directive::{AtomicKind, Directive, DirectiveKind};
use crate::translate::base::places::{is_global, root};
use crate::translate::memory::plan::Place;
use crate::typed::walk::{self, Visit};
use crate::typed::{Expr, ExprKind, Stmt, StmtKind, VarId};

impl Emit<'_> {
    /// A statement with directives before it.
    pub(super) fn region(&mut self, stmt: &Stmt) -> Emitted<String> {
        let mut mapped = HashSet::new();
        let mut private: Vec<VarId> = Vec::new();
        for directive in &stmt.directives {
            self.clause_notes(directive);
            for clause in &directive.clauses {
                match &clause.kind {
                    ClauseKind::Data {
                        action: DataAction::Private | DataAction::FirstPrivate,
                        vars,
                        ..
                    } => private.extend(vars.iter().filter_map(|v| root(&v.base))),
                    ClauseKind::Data { vars, .. } | ClauseKind::Reduction { vars, .. } => {
                        mapped.extend(vars.iter().filter_map(|v| root(&v.base)))
                    }
                    _ => {}
                }
            }
            self.copyout_accumulator(directive, stmt);
        }
        let compute = stmt.directives.iter().any(|d| d.kind.is_compute());
        let kernels = stmt
            .directives
            .iter()
            .any(|d| matches!(d.kind, DirectiveKind::Kernels | DirectiveKind::KernelsLoop));
        let mut kind = stmt.directives.iter().map(|d| d.kind);
        let around = self.here.construct;
        self.here.construct = kind.rfind(|k| k.is_compute()).or(around);
        self.here.mapped.push(mapped);
        let result = self.region_inner(stmt, compute && !kernels, &private);
        self.here.mapped.pop();
        self.here.construct = around;
        result
    }

    /// Whether a loop may become a function: it is one of the device's. That the C runs it in order is no reason against.
    fn may_leave(&self, stmt: &Stmt) -> bool {
        let written = stmt.directives.iter().any(|d| d.kind.is_loop());
        matches!(stmt.kind, StmtKind::For { .. }) && (written || self.here.construct.is_some())
    }

    /// Whether the C asks for the order of a loop's iterations.
    pub(super) fn asks_for_order(&self, stmt: &Stmt) -> bool {
        use DirectiveKind as D;
        let clauses = || stmt.directives.iter().flat_map(|d| &d.clauses);
        let seq = clauses().any(|c| matches!(c.kind, ClauseKind::Seq));
        seq || matches!(self.here.construct, Some(D::Serial | D::SerialLoop))
    }

    /// Whether the C says that iterations may run at the same time, or leaves it to the compiler.
    pub(super) fn asks_for_parallel(&self, stmt: &Stmt) -> bool {
        use DirectiveKind as D;
        let written = stmt.directives.iter().any(|d| d.kind.is_loop());
        let kernels = matches!(self.here.construct, Some(D::Kernels | D::KernelsLoop));
        !self.asks_for_order(stmt) && (written || kernels)
    }

    /// The call of the function that a loop without a directive becomes, or the loop.
    pub(super) fn bare_loop(&mut self, stmt: &Stmt) -> Emitted<String> {
        if !self.may_leave(stmt) {
            return self.plain(stmt);
        }
        match self.offload(stmt, &[]) {
            Ok(call) => Ok(call),
            Err(note) => Ok(format!("{note}{}", self.plain(stmt)?)),
        }
    }

    fn region_inner(
        &mut self,
        stmt: &Stmt,
        firstprivate: bool,
        private: &[VarId],
    ) -> Emitted<String> {
        let changed = self.changed_scalars(stmt);
        let reduced = reductions(self, stmt);
        let kept = |emit: &Self, id: VarId| {
            emit.here.mapped.iter().any(|m| m.contains(&id)) || reduced.contains(&id)
        };
        let lost: Vec<VarId> = changed
            .into_iter()
            .filter(|id| private.contains(id) || firstprivate && !kept(self, *id))
            .collect();
        let mut note = String::new();
        if self.may_leave(stmt) {
            match self.offload(stmt, &lost) {
                Ok(call) => return Ok(call),
                Err(why) => note = why,
            }
        }
        let shadows: Vec<VarId> = lost
            .into_iter()
            .filter(|id| {
                self.here.plan.declared(*id) == Place::Here && !is_global(self.program, *id)
            })
            .collect();
        let text = if stmt
            .directives
            .iter()
            .any(|d| matches!(d.kind, DirectiveKind::Atomic(_)))
        {
            self.atomic(stmt)?
        } else if let StmtKind::Block(block) = &stmt.kind
            && !block
                .stmts
                .iter()
                .any(|s| matches!(s.kind, StmtKind::Decl(_)))
        {
            // The braces are the directive's, not a scope's.
            self.block(block)?
        } else {
            self.plain(stmt)?
        };
        if shadows.is_empty() {
            return Ok(format!("{note}{text}"));
        }
        let mut lets = String::new();
        for id in &shadows {
            let (name, ty) = (self.name(*id), self.program.var(*id).ty.clone());
            let copy = if self.boxed(&ty) {
                format!("{name}.clone()")
            } else {
                name.clone()
            };
            lets.push_str(&format!("let mut {name} = {copy};\n"));
        }
        self.out.shadowed = true;
        Ok(format!("{note}{{\n{lets}{text}}}\n"))
    }

    /// Locals declared outside a statement, and arrays, that it changes.
    fn changed_scalars(&self, stmt: &Stmt) -> Vec<VarId> {
        struct Look<'a, 'b> {
            emit: &'a Emit<'b>,
            inside: HashSet<VarId>,
            changed: Vec<VarId>,
        }
        impl Visit for Look<'_, '_> {
            fn stmt(&mut self, s: &Stmt) -> bool {
                if let StmtKind::Decl(vars) = &s.kind {
                    self.inside.extend(vars);
                }
                if let Some(range) = self.emit.here.plan.range(s.span) {
                    self.inside.insert(range.var);
                }
                true
            }
            fn expr(&mut self, e: &Expr) -> bool {
                if let ExprKind::Assign(place, _)
                | ExprKind::Compound { place, .. }
                | ExprKind::Step { place, .. } = &e.kind
                    && let Some(id) = root(place)
                {
                    let var = self.emit.program.var(id);
                    let scalar = place.as_var().is_some() && !var.ty.is_pointer()
                        || matches!(var.ty, Type::Array(..));
                    if scalar && !self.changed.contains(&id) {
                        self.changed.push(id);
                    }
                }
                true
            }
        }
        let mut look = Look {
            emit: self,
            inside: HashSet::new(),
            changed: Vec::new(),
        };
        walk::stmt(&mut look, self.program, stmt);
        // An array without a clause is mapped; only a `private` clause makes it local.
        let private = |id: &VarId| {
            stmt.directives
                .iter()
                .flat_map(|d| {
                    d.sections(DataAction::Private)
                        .chain(d.sections(DataAction::FirstPrivate))
                })
                .any(|s| root(&s.base) == Some(*id))
        };
        let inside = look.inside;
        look.changed.retain(|id| {
            !inside.contains(id)
                && (!matches!(self.program.var(*id).ty, Type::Array(..)) || private(id))
        });
        look.changed
    }

    fn clause_notes(&mut self, directive: &Directive<Expr>) {
        for clause in &directive.clauses {
            if let ClauseKind::Async(_) = clause.kind {
                self.notes.push(Diagnostic::new(
                    codes::ASYNC,
                    clause.span,
                    "asynchronous work runs in the order of the source",
                ));
            }
        }
    }

    /// Warns of an accumulator that `copyout` leaves uninitialised on a device.
    fn copyout_accumulator(&mut self, directive: &Directive<Expr>, stmt: &Stmt) {
        for section in directive.sections(DataAction::CopyOut) {
            let Some(id) = root(&section.base) else {
                continue;
            };
            let (mut updated, mut written) = (None, false);
            walk::exprs(self.program, stmt, &mut |e| match &e.kind {
                ExprKind::Compound { place, .. } | ExprKind::Step { place, .. }
                    if root(place) == Some(id) && !written =>
                {
                    updated = updated.or(Some(e.span))
                }
                ExprKind::Assign(place, value) if root(place) == Some(id) => {
                    let mut own = false;
                    walk::parts(self.program, value, &mut |p| own |= p.as_var() == Some(id));
                    if own {
                        updated = updated.or(Some(e.span))
                    } else {
                        written = true
                    }
                }
                _ => {}
            });
            if let (Some(span), false) = (updated, written) {
                let name = &section.name;
                let message = format!(
                    "`{name}` is updated, but `copyout` does not bring its values to the device"
                );
                self.notes.push(
                    Diagnostic::new(codes::COPYOUT_ACCUMULATOR, section.span, message)
                        .also(span, "updated here")
                        .help(format!("use `copy({name}…)`")),
                );
            }
        }
    }

    /// An atomic outside an offloaded loop: an ordinary statement, since nothing runs beside it.
    fn atomic(&mut self, stmt: &Stmt) -> Emitted<String> {
        for directive in &stmt.directives {
            if directive.kind == DirectiveKind::Atomic(AtomicKind::Capture) {
                let message = "a captured value depends on the order of updates";
                self.notes.push(
                    Diagnostic::new(codes::ATOMIC_RACE, directive.span, message)
                        .help("the Rust takes the order of the source"),
                );
            }
        }
        self.plain(stmt)
    }

    /// A directive that stands alone.
    pub(super) fn standalone(&mut self, directive: &Directive<Expr>) -> Emitted<String> {
        self.clause_notes(directive);
        match directive.kind {
            DirectiveKind::Init | DirectiveKind::Shutdown | DirectiveKind::Set => {
                let message = format!("`acc {}` has no effect in the Rust", directive.kind);
                self.notes.push(
                    Diagnostic::new(codes::DEVICE_SELECTION, directive.span, message)
                        .help("choose the device with `ACCRUE_DEVICE`"),
                );
            }
            DirectiveKind::Wait => {
                self.notes.push(Diagnostic::new(
                    codes::ASYNC,
                    directive.span,
                    "there is nothing to wait for: work runs in the order of the source",
                ));
            }
            // Data directives tell lengths and directions; slices know theirs.
            _ => {}
        }
        Ok(String::new())
    }
}

/// Variables in `reduction` clauses of loops inside a statement: they are copied in and out.
pub(super) fn reductions(emit: &Emit<'_>, stmt: &Stmt) -> HashSet<VarId> {
    struct Look(HashSet<VarId>);
    impl Visit for Look {
        fn stmt(&mut self, s: &Stmt) -> bool {
            for clause in s.directives.iter().flat_map(|d| &d.clauses) {
                if let ClauseKind::Reduction { vars, .. } = &clause.kind {
                    self.0.extend(vars.iter().filter_map(|v| root(&v.base)));
                }
            }
            true
        }
    }
    let mut look = Look(HashSet::new());
    walk::stmt(&mut look, emit.program, stmt);
    look.0
}

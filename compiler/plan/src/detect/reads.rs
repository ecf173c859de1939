//! Reads of what the loop updates (the paper's C1): another iteration may be changing it.

use crate::sorted::SortedSet;

use super::{Context, name_of};
use crate::diag::{Code, Diagnostic, Errors};
use crate::ir::visit::Visit;
use crate::ir::{
    Expr, ExprKind, Loop, Memory, Place, Root, SourceId, Stmt, StmtKind, Update, VarId,
};

/// Reports every read of a target, once for each target.
pub(super) fn check(ir: &Loop, targets: &[Memory], context: &Context<'_>, errors: &mut Errors) {
    let taint = tainted(ir, targets);
    let mut index_use = IndexUse {
        tainted: &taint.tainted,
        found: None,
        in_index: false,
    };
    index_use.block(&ir.body.block);
    let mut finder = Finder {
        ir,
        targets,
        context,
        errors,
        at: At::Elsewhere,
        index_use: index_use.found,
        reported: Vec::new(),
    };
    finder.block(&ir.body.block);
}

/// Finds the local variables whose value comes from what the loop updates.
pub(super) fn tainted<'a>(ir: &Loop, targets: &'a [Memory]) -> Taint<'a> {
    let mut taint = Taint {
        targets,
        tainted: SortedSet::new(),
        grown: true,
    };
    while taint.grown {
        taint.grown = false;
        taint.block(&ir.body.block);
    }
    taint
}

fn target_of(targets: &[Memory], place: &Place) -> Option<Memory> {
    let memory = match place.root {
        Root::Array(id) => Memory::Bins(id),
        Root::Var(id) => Memory::Scalar(id),
    };
    targets.contains(&memory).then_some(memory)
}

/// Local variables whose value comes from what the loop updates.
pub(super) struct Taint<'a> {
    targets: &'a [Memory],
    tainted: SortedSet<VarId>,
    grown: bool,
}

impl Taint<'_> {
    /// Whether a value comes from what the loop updates.
    pub(super) fn reads(&self, value: &Expr) -> bool {
        struct Reads<'a, 'b>(&'a Taint<'b>, bool);
        impl Visit for Reads<'_, '_> {
            fn load(&mut self, place: &Place) {
                self.1 |= target_of(self.0.targets, place).is_some()
                    || matches!(place.root, Root::Var(v) if self.0.tainted.contains(&v));
                self.place_parts(place);
            }
        }
        let mut reads = Reads(self, false);
        reads.expr(value);
        reads.1
    }
}

impl Visit for Taint<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        let written = match &stmt.kind {
            StmtKind::Let(var, Some(value)) => Some((*var, value)),
            StmtKind::Assign(place, value) | StmtKind::Compound(place, _, value) => {
                match place.root {
                    Root::Var(var) => Some((var, value)),
                    Root::Array(_) => None,
                }
            }
            _ => None,
        };
        if let Some((var, value)) = written
            && self.reads(value)
        {
            self.grown |= self.tainted.insert(var);
        }
        self.stmt_parts(stmt);
    }
}

/// The first index of an update that uses a tainted variable.
struct IndexUse<'a> {
    tainted: &'a SortedSet<VarId>,
    found: Option<SourceId>,
    in_index: bool,
}

impl Visit for IndexUse<'_> {
    fn update(&mut self, update: &Update) {
        self.expr(&update.value);
        self.in_index = true;
        for index in &update.bin {
            self.index(index);
        }
        self.in_index = false;
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Load(Place {
            root: Root::Var(var),
            ..
        }) = &expr.kind
            && self.in_index
            && self.tainted.contains(var)
        {
            self.found.get_or_insert(expr.source);
        }
        self.expr_parts(expr);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Index,
    Value,
    Let,
    Elsewhere,
}

struct Finder<'a, 'b> {
    ir: &'a Loop,
    targets: &'a [Memory],
    context: &'a Context<'b>,
    errors: &'a mut Errors,
    at: At,
    index_use: Option<SourceId>,
    reported: Vec<Memory>,
}

impl Finder<'_, '_> {
    fn within(&mut self, at: At, f: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.at, at);
        f(self);
        self.at = before;
    }

    /// Reports code that is not known and uses a part of a target by another name.
    fn report_use(&mut self, memory: Memory, source: SourceId) {
        if self.reported.contains(&memory) {
            return;
        }
        self.reported.push(memory);
        let name = name_of(self.ir, memory);
        self.errors.push(
            Diagnostic::new(
                Code::Escapes,
                self.context.span(source),
                format!(
                    "`{}` uses `{name}`, which this loop updates",
                    self.context.text(source)
                ),
            )
            .note("iterations run at the same time on private copies of what the loop updates, so nothing else may read or write it")
            .help(format!(
                "in this loop use `{name}` in updates such as `{name}[i] += v` only, and do the rest before or after it"
            )),
        );
    }

    fn report(&mut self, memory: Memory, source: SourceId) {
        if self.reported.contains(&memory) {
            return;
        }
        self.reported.push(memory);
        let name = name_of(self.ir, memory);
        let read = self.context.text(source);
        let span = self.context.span(source);
        let diagnostic = match (memory, self.at) {
            (Memory::Scalar(_), _) => Diagnostic::new(
                Code::WriteVariable,
                span,
                format!("`{name}` is changed by one iteration and read by another"),
            )
            .note("iterations run at the same time; none sees what the others made of it")
            .help(format!(
                "a counter of the items comes from `.enumerate()`; what only one iteration needs is declared inside the loop; \
                 otherwise `{name}` may only be updated, `{name} += v`, and read after the loop"
            )),
            (Memory::Bins(_), At::Index) => index_on_bins(name, span),
            (Memory::Bins(_), At::Value) => Diagnostic::new(
                Code::ValueOnBins,
                span,
                format!("the value combined into a bin depends on `{read}`, which this loop updates"),
            )
            .note("iterations run at the same time; what it holds depends on which of them came first")
            .help(format!("compute the value from the loop's input only, or from a copy of `{name}` made before the loop")),
            (Memory::Bins(_), At::Let) if self.index_use.is_some() => {
                let span = self.index_use.map_or(span, |source| self.context.span(source));
                index_on_bins(name, span)
            }
            (Memory::Bins(_), At::Let) => Diagnostic::new(
                Code::OldValue,
                span,
                format!("the value of `{read}` before the update is kept"),
            )
            .note("the loop's iterations run at the same time; the order in which they pass a bin is not the sequential one")
            .help("for each item's rank within its bin, sort the items by bin, or keep this loop sequential in a function of its own"),
            (Memory::Bins(_), At::Elsewhere) => Diagnostic::new(
                Code::BinsRead,
                span,
                format!("`{read}` is read, and this loop updates `{name}`"),
            )
            .note("iterations run at the same time; what it holds depends on which of them came first")
            .help(format!(
                "read `{name}` in a loop of its own, after this one; for a running maximum write `{name}[i] = {name}[i].max(v)`"
            )),
        };
        self.errors.push(diagnostic);
    }
}

fn index_on_bins(name: &str, span: proc_macro2::Span) -> Diagnostic {
    Diagnostic::new(
        Code::IndexOnBins,
        span,
        format!("the index of an update depends on `{name}`, which this loop updates"),
    )
    .note("iterations run at the same time; which bin is meant depends on which of them came first")
    .help(format!("compute the index from the loop's input only, or from a copy of `{name}` made before the loop"))
}

impl Visit for Finder<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Load(place) = &expr.kind
            && let Some(memory) = target_of(self.targets, place)
        {
            self.report(memory, expr.source);
        }
        if let ExprKind::Opaque(opaque) = &expr.kind {
            // By way of a name for a part of it: `let row = &mut h[y]; row.fill(0);`.
            let arrays = opaque.arrays.iter().map(|id| Memory::Bins(*id));
            let scalars = opaque.vars.iter().map(|id| Memory::Scalar(*id));
            for memory in arrays.chain(scalars).filter(|m| self.targets.contains(m)) {
                self.report_use(memory, expr.source);
            }
        }
        self.expr_parts(expr);
    }

    fn update(&mut self, update: &Update) {
        self.within(At::Value, |s| s.expr(&update.value));
        self.within(At::Index, |s| {
            for index in &update.bin {
                s.index(index);
            }
        });
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(_, Some(value)) => self.within(At::Let, |s| s.expr(value)),
            _ => self.stmt_parts(stmt),
        }
    }
}

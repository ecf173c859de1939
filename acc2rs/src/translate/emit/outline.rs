//! What a loop takes and gives as a function of its own: the variables and fields from outside that it reads and
//! changes, and those that belong to one iteration. Whether its iterations may run at the same time is the compiler's to say;
//! here is only what would mean something else in a function: a `return`, output, a pointer that is moved.

use std::collections::HashSet;

use super::state::Emit;
use crate::clause::DataAction;
use crate::codes::{self, Code};
use crate::ctypes::{Extent, Type};
use crate::directive::{AtomicKind, DirectiveKind};
use crate::source::Span;
use crate::translate::base::places::{is_global, root};
use crate::translate::base::update::update;
use crate::translate::base::usage::same;
use crate::translate::memory::plan::Place;
use crate::translate::memory::range::Range;
use crate::translate::memory::shape::Shape;
use crate::typed::walk::{self, Visit};
use crate::typed::{Expr, ExprKind, FnId, Stmt, StmtKind, VarId};

/// A loop as a function of its own.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub(super) range: Range,
    /// What comes from outside, in the order in which it is met.
    pub(super) inputs: Vec<Input>,
    /// Variables that belong to one iteration but are declared outside the loop.
    pub(super) private: Vec<VarId>,
    /// Those of them that each iteration starts with a value from outside.
    pub(super) copied: Vec<VarId>,
    /// The atomics in it.
    pub(super) atomics: Vec<(AtomicKind, Span)>,
    /// Whether the result of an atomic update depends on the order.
    pub(super) ordered: bool,
}

/// A variable, or a field that is reached without an index, `s.x` or `p->x`.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) place: Expr,
    /// The variable that the place starts from.
    pub(super) root: VarId,
    /// Whether it is assigned to itself.
    pub(super) assigned: bool,
    /// Whether elements or fields of it, or what it points to, are written.
    pub(super) stored: bool,
    /// For a pointer into an array that is an input too: only where it stands is passed.
    pub(super) position: bool,
}

/// Why a loop is no function.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) code: Code,
    pub(super) span: Span,
    pub(super) why: String,
}

fn refusal(span: Span, why: impl Into<String>) -> Refusal {
    Refusal {
        code: codes::NOT_OFFLOADED,
        span,
        why: why.into(),
    }
}

impl Emit<'_> {
    /// The loop as a function. Changes to `lost` are not seen after the loop.
    pub(super) fn outline(&self, stmt: &Stmt, lost: &[VarId]) -> Result<Outline, Refusal> {
        let StmtKind::For { body, .. } = &stmt.kind else {
            return Err(refusal(stmt.span, "it is no `for` loop"));
        };
        let Some(range) = self.here.plan.range(stmt.span).cloned() else {
            let why =
                "it does not count from one bound to another, or what it counts is used after it";
            return Err(refusal(stmt.span, why));
        };
        let mut look = Look {
            emit: self,
            inside: HashSet::from([range.var]),
            private: Vec::new(),
            copied: Vec::new(),
            inputs: Vec::new(),
            atomics: Vec::new(),
            ordered: false,
            refusal: None,
            depth: 0,
        };
        look.clauses(stmt);
        for e in [&range.start, &range.end, &range.step] {
            walk::expr(&mut look, self.program, e);
        }
        walk::stmt(&mut look, self.program, body);
        if let Some(refusal) = look.refusal {
            return Err(refusal);
        }
        let mut out = Outline {
            range,
            inputs: look.inputs,
            private: look.private,
            copied: look.copied,
            atomics: look.atomics,
            ordered: look.ordered,
        };
        let private = |id: &VarId| out.inputs.iter().any(|i| i.place.as_var() == Some(*id));
        out.private.retain(private);
        out.copied.retain(private);
        self.own_to_iterations(stmt.span, lost, &mut out)?;
        self.whole_structs(&mut out.inputs);
        self.positions(stmt.span, &mut out.inputs)?;
        Ok(out)
    }

    /// Takes the variables out that belong to one iteration.
    fn own_to_iterations(
        &self,
        span: Span,
        lost: &[VarId],
        out: &mut Outline,
    ) -> Result<(), Refusal> {
        let mut kept = Vec::new();
        for input in std::mem::take(&mut out.inputs) {
            let Some(id) = input.place.as_var() else {
                kept.push(input);
                continue;
            };
            let var = self.program.var(id);
            if out.copied.contains(&id) {
                let first = self.here.plan.set_first(span, id) && var.ty.is_scalar();
                if !input.assigned && !input.stored {
                    out.copied.retain(|c| *c != id);
                } else if first {
                    out.copied.retain(|c| *c != id);
                    out.private.push(id);
                    continue;
                }
                if matches!(var.ty, Type::Array(..)) {
                    let why = format!("the array `{}` is `firstprivate`", var.name);
                    return Err(refusal(input.place.span, why));
                }
                kept.push(Input {
                    assigned: false,
                    stored: false,
                    ..input
                });
                continue;
            }
            if out.private.contains(&id) {
                continue;
            }
            if input.assigned && var.ty.is_pointer() {
                let why = format!("the pointer `{}` is set in it", var.name);
                return Err(refusal(input.place.span, why));
            }
            let set_first = input.assigned && !is_global(self.program, id) && {
                let plan = &self.here.plan;
                let ends = lost.contains(&id) || plan.private(span, id);
                self.facts.var(id).address == 0 && ends && plan.set_first(span, id)
            };
            if set_first {
                out.private.push(id);
            } else {
                kept.push(input);
            }
        }
        out.inputs = kept;
        Ok(())
    }

    /// A struct that is used as a whole is passed as a whole.
    fn whole_structs(&self, inputs: &mut Vec<Input>) {
        let whole: Vec<VarId> = inputs.iter().filter_map(|i| i.place.as_var()).collect();
        let fields: Vec<Input> = inputs
            .extract_if(.., |i| {
                i.place.as_var().is_none() && whole.contains(&i.root)
            })
            .collect();
        for field in fields {
            let written = field.assigned || field.stored;
            let owner = inputs
                .iter_mut()
                .find(|i| i.place.as_var() == Some(field.root));
            if let Some(owner) = owner {
                owner.stored |= written;
            }
        }
    }

    /// Several pointers into one array are the array and positions in it.
    fn positions(&self, span: Span, inputs: &mut Vec<Input>) -> Result<(), Refusal> {
        let base = |input: &Input| match self.shapes.var(input.place.as_var()?) {
            Some(Shape::Cursor {
                base,
                single: false,
                ..
            }) => Some((**base).stripped().clone()),
            _ => None,
        };
        let bases: Vec<Option<Expr>> = inputs.iter().map(base).collect();
        let own: Vec<Expr> = inputs.iter().map(|i| i.place.clone()).collect();
        // A struct that is passed as a whole has the array in it.
        let holds = |place: &Expr, array: &Expr| {
            same(place, array) || place.as_var().is_some() && place.as_var() == root(array)
        };
        let mut added: Vec<Input> = Vec::new();
        for at in 0..inputs.len() {
            let Some(array) = &bases[at] else { continue };
            let other = |n: usize| n != at;
            let shared = (0..own.len())
                .filter(|n| other(*n))
                .any(|n| match &bases[n] {
                    Some(base) => same(base, array),
                    None => holds(&own[n], array),
                });
            if !shared {
                continue;
            }
            let Some(start) = root(array).filter(|_| field_root(array).is_some()) else {
                let name = &self.program.var(inputs[at].root).name;
                let why = format!("`{name}` and another pointer are parts of one array");
                return Err(refusal(span, why));
            };
            inputs[at].position = true;
            let stored = inputs[at].stored;
            let known = inputs
                .iter_mut()
                .chain(&mut added)
                .find(|i| !i.position && holds(&i.place, array));
            match known {
                Some(known) => known.stored |= stored,
                None => added.push(Input {
                    place: array.clone(),
                    root: start,
                    assigned: false,
                    stored,
                    position: false,
                }),
            }
        }
        // A pointer that always stands at the start needs no position.
        inputs.retain(|i| {
            let shape = i.place.as_var().and_then(|id| self.shapes.var(id));
            !(i.position && matches!(shape, Some(Shape::Cursor { fixed: true, .. })))
        });
        for input in &mut *inputs {
            input.stored &= !input.position;
        }
        inputs.extend(added);
        Ok(())
    }

    /// Two inputs that may be of one array, one of which is written.
    pub(super) fn overlapping(&self, inputs: &[Input]) -> Option<(String, String)> {
        let memory = |input: &Input| match input.place.as_var().and_then(|id| self.shapes.var(id)) {
            Some(Shape::Cursor { base, .. }) => (**base).stripped().clone(),
            _ => input.place.clone(),
        };
        let name = |input: &Input| self.program.var(input.root).name.clone();
        for (at, written) in inputs.iter().enumerate().filter(|(_, i)| i.stored) {
            let own = memory(written);
            for (other, input) in inputs.iter().enumerate() {
                let by_value = input.position || input.place.ty.is_arithmetic();
                if other != at && !by_value && meet(&own, &memory(input)) {
                    return Some((name(written), name(input)));
                }
            }
        }
        None
    }

    /// Whether a function neither prints nor asks for random numbers, nor do its callees.
    pub(super) fn is_quiet(&self, id: FnId) -> bool {
        let mut seen = HashSet::new();
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let function = self.program.function(id);
            if function.body.is_none() && !pure_library(&function.name) {
                return false;
            }
            if seen.insert(id) {
                todo.extend(self.facts.function(id).calls);
            }
        }
        true
    }
}

/// Functions of the C library without effects.
pub(super) fn pure_library(name: &str) -> bool {
    let impure = [
        "rand", "srand", "random", "time", "clock", "printf", "puts", "putchar", "exit", "abort",
        "malloc", "calloc", "free", "drand48", "rand_r", "memcpy", "memset", "fprintf",
    ];
    !impure.contains(&name) && !name.starts_with("acc_")
}

/// Whether two places may share memory: one is in the other, or both are elements that indices tell apart. Different fields
/// of one record do not.
fn meet(a: &Expr, b: &Expr) -> bool {
    let record = |place: &Expr| match &place.kind {
        ExprKind::Member(base, _) => Some((**base).clone()),
        _ => None,
    };
    let fields = record(a).zip(record(b));
    if same(a, b) {
        return true;
    }
    if fields.is_some_and(|(a, b)| same(&a, &b)) {
        return false;
    }
    within(a, b) || within(b, a) || root(a) == root(b) && indexed(a) && indexed(b)
}

/// Whether a place is in another one.
fn within(inner: &Expr, outer: &Expr) -> bool {
    use ExprKind as K;
    same(inner, outer)
        || match &inner.kind {
            K::Index(base, _) | K::Member(base, _) | K::Deref(base) | K::Decay(base) => {
                within(base, outer)
            }
            K::Cast { value, .. } => within(value, outer),
            _ => false,
        }
}

/// Whether an index leads to a place.
fn indexed(place: &Expr) -> bool {
    use ExprKind as K;
    match &place.kind {
        K::Index(..) => true,
        K::Member(base, _) | K::Deref(base) | K::Decay(base) => indexed(base),
        K::Cast { value, .. } => indexed(value),
        _ => false,
    }
}

/// The variable of `s`, `s.x.y` or `p->x.y`.
fn field_root(place: &Expr) -> Option<VarId> {
    match &place.kind {
        ExprKind::Var(id) => Some(*id),
        ExprKind::Member(base, _) => match &base.kind {
            ExprKind::Deref(pointer) => pointer.as_var(),
            _ => field_root(base),
        },
        _ => None,
    }
}

struct Look<'a, 'b> {
    emit: &'a Emit<'b>,
    inside: HashSet<VarId>,
    private: Vec<VarId>,
    copied: Vec<VarId>,
    inputs: Vec<Input>,
    atomics: Vec<(AtomicKind, Span)>,
    ordered: bool,
    refusal: Option<Refusal>,
    depth: u32,
}

impl Look<'_, '_> {
    fn refuse(&mut self, span: Span, why: impl Into<String>) {
        self.refusal.get_or_insert(refusal(span, why));
    }

    /// What the clauses before a statement make private, and its atomics.
    fn clauses(&mut self, stmt: &Stmt) {
        for directive in &stmt.directives {
            if let DirectiveKind::Atomic(kind) = directive.kind {
                self.atomics.push((kind, directive.span));
                let only = match &stmt.kind {
                    StmtKind::Block(b) if b.stmts.len() == 1 => &b.stmts[0].kind,
                    other => other,
                };
                self.ordered |= kind == AtomicKind::Update
                    && matches!(only, StmtKind::Expr(e) if update(self.emit.program, e).is_err());
            }
            let of = |action| {
                let sections = directive.sections(action);
                sections.filter_map(|v| root(&v.base)).collect::<Vec<_>>()
            };
            self.private.extend(of(DataAction::Private));
            self.copied.extend(of(DataAction::FirstPrivate));
        }
    }

    /// The input that a place is, if it is a variable from outside or a field of one.
    fn input(&self, place: &Expr) -> Option<VarId> {
        let id = field_root(place)?;
        let outside = !self.inside.contains(&id) && !self.emit.is_constant_item(id);
        outside.then_some(id)
    }

    fn note(&mut self, place: &Expr, change: impl FnOnce(&mut Input)) {
        let Some(id) = self.input(place) else { return };
        if let Some(known) = self.inputs.iter_mut().find(|i| same(&i.place, place)) {
            change(known);
            return;
        }
        let mut input = Input {
            place: place.clone(),
            root: id,
            assigned: false,
            stored: false,
            position: false,
        };
        change(&mut input);
        self.inputs.push(input);
        if place.as_var().is_some() {
            self.extents(id);
        }
    }

    /// The extents of flat arrays are read when they are indexed.
    fn extents(&mut self, id: VarId) {
        let program = self.emit.program;
        let mut ty = &program.var(id).ty;
        while let Type::Array(of, _) | Type::Pointer { to: of, .. } = ty {
            if let Type::Array(_, Extent::Runtime(extent)) = &**of {
                walk::expr(self, program, &program.extents[extent.0 as usize]);
            }
            ty = of;
        }
    }

    /// Notes a write to a place; its indices are looked at, and it is no read.
    fn written(&mut self, place: &Expr) {
        self.indices(place);
        if self.input(place).is_some() {
            self.note(place, |i| i.assigned = true);
            return;
        }
        // A variable of the iteration's own, a pointer that is moved among them.
        if place.as_var().is_none() {
            self.stored(place);
        }
    }

    /// Notes that something within a place, or behind a pointer, is written.
    fn stored(&mut self, place: &Expr) {
        use ExprKind as K;
        if self.input(place).is_some() {
            self.note(place, |i| i.stored = true);
            return;
        }
        match &place.kind {
            K::Var(id) if place.ty.is_pointer() => {
                // A pointer of the iteration's own into an array.
                let base = match self.emit.shapes.var(*id) {
                    Some(Shape::Cursor { base, .. }) => Some((**base).clone()),
                    _ => None,
                };
                match base {
                    Some(base) => {
                        let program = self.emit.program;
                        walk::expr(self, program, &base);
                        self.stored(&base);
                    }
                    None if self.emit.shapes.var(*id) == Some(&Shape::Owned) => {}
                    None => {
                        let name = self.emit.program.var(*id).name.clone();
                        self.refuse(place.span, format!("it writes by way of `{name}`"));
                    }
                }
            }
            K::Var(_) => {}
            K::Member(base, _)
            | K::Index(base, _)
            | K::Deref(base)
            | K::Decay(base)
            | K::AddrOf(base) => self.stored(base),
            K::Cast { value, .. } => self.stored(value),
            K::Binary(_, a, _) if place.ty.is_pointer() => self.stored(a),
            _ => self.refuse(place.span, "it cannot be told which memory is written"),
        }
    }

    fn indices(&mut self, place: &Expr) {
        let program = self.emit.program;
        match &place.kind {
            ExprKind::Index(base, index) => {
                self.indices(base);
                walk::expr(self, program, index);
            }
            ExprKind::Member(base, _) | ExprKind::Deref(base) | ExprKind::Decay(base) => {
                self.indices(base)
            }
            ExprKind::Binary(_, a, b) if place.ty.is_pointer() => {
                self.indices(a);
                walk::expr(self, program, b);
            }
            _ => {}
        }
    }

    /// The parts of a loop or `switch`, without coming back to it.
    fn nested(&mut self, s: &Stmt) {
        let program = self.emit.program;
        match &s.kind {
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                let ranged = self.emit.here.plan.range(s.span).cloned();
                if let Some(range) = &ranged {
                    for e in [&range.start, &range.end, &range.step] {
                        walk::expr(self, program, e);
                    }
                } else {
                    if let Some(init) = init {
                        walk::stmt(self, program, init);
                    }
                    cond.iter()
                        .chain(step)
                        .for_each(|e| walk::expr(self, program, e));
                }
                walk::stmt(self, program, body);
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { cond, body } => {
                walk::expr(self, program, cond);
                walk::stmt(self, program, body);
            }
            StmtKind::Switch { value, arms } => {
                walk::expr(self, program, value);
                arms.iter()
                    .flat_map(|a| &a.body)
                    .for_each(|s| walk::stmt(self, program, s));
            }
            _ => {}
        }
    }

    fn called(&mut self, callee: FnId, args: &[Expr], span: Span) {
        let emit = self.emit;
        let function = emit.program.function(callee);
        let known = match function.body {
            Some(_) => {
                let writes = &emit.facts.function(callee).writes;
                writes.is_empty() && !emit.needs_globals(callee) && emit.is_quiet(callee)
            }
            None => pure_library(&function.name),
        };
        if !known {
            let name = function.name.clone();
            self.refuse(span, format!("`{name}` does more than compute a value"));
        }
        for (param, arg) in function.params.iter().zip(args) {
            if emit.shapes.mutable(*param) && arg.ty.is_pointer() {
                match arg.address_of() {
                    Some(_) => {
                        if let ExprKind::AddrOf(place) = &arg.kind {
                            self.written(place);
                        }
                    }
                    None => self.stored(arg),
                }
            }
        }
    }
}

impl Visit for Look<'_, '_> {
    fn stmt(&mut self, s: &Stmt) -> bool {
        self.clauses(s);
        match &s.kind {
            StmtKind::Decl(vars) => self.inside.extend(vars),
            StmtKind::Return(_) => self.refuse(s.span, "a `return` leaves it"),
            StmtKind::Break if self.depth == 0 => self.refuse(s.span, "a `break` leaves it"),
            StmtKind::Expr(Expr {
                kind: ExprKind::Assign(place, _),
                ..
            }) => {
                if let Some(id) = place.as_var()
                    && self.emit.here.plan.declared(id) == Place::At(s.span)
                {
                    self.inside.insert(id);
                }
            }
            StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::Switch { .. } => {
                if let Some(range) = self.emit.here.plan.range(s.span) {
                    self.inside.insert(range.var);
                }
                self.depth += 1;
                self.nested(s);
                self.depth -= 1;
                return false;
            }
            _ => {}
        }
        true
    }

    fn expr(&mut self, e: &Expr) -> bool {
        let program = self.emit.program;
        match &e.kind {
            ExprKind::Var(_) | ExprKind::Member(..) if self.input(e).is_some() => {
                self.note(e, |_| ());
                return false;
            }
            ExprKind::Assign(place, value) | ExprKind::Compound { place, value, .. } => {
                walk::expr(self, program, value);
                self.written(place);
                return false;
            }
            ExprKind::Step { place, .. } => {
                self.written(place);
                return false;
            }
            ExprKind::Call { callee, args } => self.called(*callee, args, e.span),
            ExprKind::CallPointer(..) => self.refuse(e.span, "it calls through a pointer"),
            ExprKind::Block(_) | ExprKind::Assert(..) => {
                self.refuse(e.span, "it does more than compute values")
            }
            _ => {}
        }
        true
    }
}

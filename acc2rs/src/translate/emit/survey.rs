//! What translating does with each OpenACC loop and directive of a program, without writing anything:
//! the decisions of [`crate::translate::translate`], as data for `acc2rs analyze`.

use accrue_ops::Op;
use std::collections::HashMap;

use super::state::Emit;
use super::verdict::{Kind, Offloaded, Verdict};
use crate::clause::{ClauseKind, Section};
use crate::codes::Code;
use crate::ctypes::{Extent, Type};
use crate::directive::{AtomicKind, Directive, DirectiveKind};
use crate::source::{Sources, Span};
use crate::translate::base::places::root;
use crate::translate::base::update::update;
use crate::typed::walk::{self, Visit};
use crate::typed::{Block, Expr, ExprKind, ItemKind, Program, Stmt, StmtKind, VarId};

/// What kind of loop it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Bins are updated at indices that iterations may share.
    Histogram,
    /// Elements are updated, and no two iterations share one.
    Injective,
    /// Elements are written of which each belongs to one iteration.
    Own,
    /// A scalar is carried from iteration to iteration, or an array filled in order.
    Scan,
    /// Scalars are reduced, nothing else is written.
    Reduction,
    /// None of these: it stays in order.
    Plain,
    /// Atomics that order iterations: `read`, `write`, `capture`.
    Ordered,
    /// The file could not be read so far.
    Unknown,
}

/// What becomes of a construct.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is translated with its meaning.
    Translated,
    /// Its updates get no local copies: they stay atomic in C, and in the Rust keep the order of the source.
    KeptAtomic,
    /// Nothing is written for it.
    Refused,
}

/// Bins that a loop updates.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Bins {
    /// The array.
    pub name: String,
    /// The operator as C writes it: `+`, `*`, `&`, `|`, `^`, `min`, `max`.
    pub operator: &'static str,
    /// The C type of one bin.
    pub element: String,
    /// How many there are, if the declaration or a data clause tells, as it is written there.
    pub extent: Option<String>,
}

/// One loop of a compute construct.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The `for`.
    pub span: Span,
    /// The directives before it, innermost last; empty for a bare loop in a region.
    pub directives: Vec<(DirectiveKind, Span)>,
    /// The function that it is in.
    pub function: String,
    /// What kind of loop it is.
    pub pattern: Pattern,
    /// The bins that it updates.
    pub bins: Vec<Bins>,
    /// The scalars that it reduces into.
    pub reductions: Vec<String>,
    /// The function that it becomes, itself or as part of a loop around it: `#[offload] fn update_y`.
    pub becomes: Option<String>,
    /// What keeps that function off GPUs.
    pub obstacle: Option<String>,
    /// Whether it updates bins that get local copies.
    pub copies: bool,
    /// Whether atomics in it, and in no loop inside it, get none.
    pub keeps_atomics: bool,
    /// Why, with the code if it is a decision with a page.
    pub why: (Option<Code>, String),
}

/// One directive.
#[derive(Clone, Debug)]
pub struct Construct {
    /// The directive.
    pub span: Span,
    /// Which it is.
    pub kind: DirectiveKind,
    /// The directive and the statement that belongs to it.
    pub whole: Span,
    /// What becomes of it, unless the program is refused.
    pub fate: Fate,
}

/// Everything that is found in a program.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The loops, in the order of the source.
    pub loops: Vec<Loop>,
    /// The directives, in the order of the source.
    pub constructs: Vec<Construct>,
}

/// Looks at a program that lowered without errors. `verdicts` is what translating it said of its loops.
pub fn survey(program: &Program, sources: &Sources, verdicts: &[Verdict]) -> Survey {
    // Bins that have another name for all of an array of arrays are looked at as they are written.
    let mut flat = program.clone();
    let program = match crate::translate::rewrite::flat_views::unfold(&mut flat) {
        true => &flat,
        false => program,
    };
    let mut emit = Emit::new(program, sources, &mut Vec::new());
    let mut out = Survey::default();
    for id in program.defined() {
        let function = program.function(id);
        let Some(body) = &function.body else { continue };
        emit.here.function = Some(id);
        emit.here.plan = crate::translate::memory::plan::Plan::new(program, &emit.facts, body);
        let sections = sections(program, body);
        let mut walk = Walk {
            emit: &emit,
            verdicts,
            sections: &sections,
            function: &function.name,
            out: &mut out,
            around: Around::default(),
        };
        walk::block(&mut walk, program, body);
    }
    // A `routine` before a declaration counts too, whether or not the function is defined here.
    for routine in program.functions.iter().flat_map(|f| &f.routines) {
        out.constructs
            .push(alone(routine, routine.span, Fate::Translated));
    }
    for item in &program.items {
        if let ItemKind::Directive(d) = &item.kind {
            out.constructs.push(alone(d, d.span, Fate::Translated));
        }
    }
    out.constructs.sort_by_key(|c| c.span);
    // A `routine` stands at the top level and belongs to a function too.
    out.constructs.dedup_by_key(|c| c.span);
    out.loops.sort_by_key(|l| l.span);
    out
}

fn alone(directive: &Directive<Expr>, whole: Span, fate: Fate) -> Construct {
    Construct {
        span: directive.span,
        kind: directive.kind,
        whole,
        fate,
    }
}

/// The sections of data clauses in a function, by the variable they are of.
fn sections(program: &Program, body: &Block) -> HashMap<VarId, Span> {
    let mut out = HashMap::new();
    let mut add = |directive: &Directive<Expr>| {
        for clause in &directive.clauses {
            if let ClauseKind::Data { vars, .. } = &clause.kind {
                let with_ranges = vars
                    .iter()
                    .filter(|v: &&Section<Expr>| !v.ranges.is_empty());
                out.extend(with_ranges.filter_map(|v| Some((root(&v.base)?, v.span))));
            }
        }
    };
    walk::stmts(program, body, &mut |s| {
        s.directives.iter().for_each(&mut add);
        if let StmtKind::Directive(d) = &s.kind {
            add(d);
        }
    });
    out
}

/// What stands around a statement.
#[derive(Clone, Copy, Default)]
struct Around {
    compute: bool,
    /// The listed loop that became a function, of which what is inside is part.
    taken: Option<usize>,
    /// The innermost listed loop.
    listed: Option<usize>,
}

struct Walk<'a, 'b> {
    emit: &'a Emit<'b>,
    verdicts: &'a [Verdict],
    sections: &'a HashMap<VarId, Span>,
    function: &'a str,
    out: &'a mut Survey,
    around: Around,
}

impl Visit for Walk<'_, '_> {
    fn stmt(&mut self, s: &Stmt) -> bool {
        let before = self.around;
        if let StmtKind::Directive(d) = &s.kind {
            self.out.constructs.push(alone(d, d.span, Fate::Translated));
        }
        let compute = s.directives.iter().any(|d| d.kind.is_compute());
        let written = s.directives.iter().any(|d| d.kind.is_loop());
        self.around.compute |= compute;
        if matches!(s.kind, StmtKind::For { .. })
            && (written || self.around.compute && before.listed.is_none())
        {
            self.listed(s);
        }
        let first = self.out.constructs.len();
        for directive in &s.directives {
            let kept =
                matches!(directive.kind, DirectiveKind::Atomic(_)) && self.around.taken.is_none();
            if kept && let Some(at) = self.around.listed {
                self.out.loops[at].keeps_atomics = true;
            }
            let fate = if kept {
                Fate::KeptAtomic
            } else {
                Fate::Translated
            };
            self.out
                .constructs
                .push(alone(directive, directive.span.to(s.span), fate));
        }
        let constructs = first..first + s.directives.len();
        let program = self.emit.program;
        match &s.kind {
            StmtKind::For { body, .. } => walk::stmt(self, program, body),
            _ => {
                // The children, this statement itself being done with.
                walk::stmt(&mut Children(self, true), program, s);
            }
        }
        if let Some(at) = self.around.listed.filter(|at| before.listed != Some(*at))
            && self.out.loops[at].keeps_atomics
        {
            for construct in &mut self.out.constructs[constructs] {
                if construct.kind.is_loop() {
                    construct.fate = Fate::KeptAtomic;
                }
            }
        }
        self.around = before;
        false
    }

    fn expr(&mut self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Block(_))
    }
}

/// Hands the parts of one statement to a walk.
struct Children<'w, 'a, 'b>(&'w mut Walk<'a, 'b>, bool);

impl Visit for Children<'_, '_, '_> {
    fn stmt(&mut self, s: &Stmt) -> bool {
        if std::mem::take(&mut self.1) {
            return true;
        }
        let program = self.0.emit.program;
        walk::stmt(self.0, program, s);
        false
    }

    fn expr(&mut self, e: &Expr) -> bool {
        self.0.expr(e)
    }
}

impl Walk<'_, '_> {
    /// Lists a loop, and makes it the one that is around what follows.
    fn listed(&mut self, s: &Stmt) {
        let (updates, ordered) = self.updates(s);
        let mut own = self.verdicts.iter().filter(|v| v.span == s.span);
        // A function may be written several times, for what its pointers may share: one that stays in order says why.
        let verdict = own.clone().find(|v| v.what.is_err()).or(own.next());
        let mut out = Loop {
            span: s.span,
            directives: s.directives.iter().map(|d| (d.kind, d.span)).collect(),
            function: self.function.to_string(),
            pattern: Pattern::Plain,
            bins: Vec::new(),
            reductions: self.reductions(s),
            becomes: None,
            obstacle: None,
            copies: false,
            keeps_atomics: false,
            why: (None, String::new()),
        };
        let in_order = |reductions: &[String]| match () {
            () if ordered => Pattern::Ordered,
            () if !updates.is_empty() => Pattern::Histogram,
            () if !reductions.is_empty() => Pattern::Reduction,
            () => Pattern::Plain,
        };
        let updated = |emit: &Self| updates.iter().map(|(id, op)| emit.bins(*id, *op)).collect();
        match (self.around.taken, verdict.map(|v| &v.what)) {
            (Some(whole), _) => {
                let whole = &self.out.loops[whole];
                out.becomes = whole.becomes.clone();
                out.copies = whole.copies;
                out.pattern = whole.pattern;
                out.why.1 = "part of the loop around it".into();
            }
            (None, Some(Ok(offloaded))) => {
                out.pattern = pattern(offloaded, !updates.is_empty() && self.has_atomics(s));
                let bins = offloaded.bins.iter();
                out.bins = bins.map(|(id, op)| self.bins(*id, *op)).collect();
                out.reductions.extend(offloaded.scalars.iter().cloned());
                out.reductions.sort();
                out.reductions.dedup();
                out.copies = !offloaded.bins.is_empty();
                out.becomes = Some(format!("#[{}] fn {}", offloaded.attribute, offloaded.name));
                out.obstacle = offloaded.obstacle.clone();
                out.why.1 = match offloaded.does.is_empty() {
                    true => "it changes nothing".into(),
                    false => offloaded.does.join("; "),
                };
                self.around.taken = Some(self.out.loops.len());
            }
            (None, Some(Err(refusal))) => {
                out.pattern = in_order(&out.reductions);
                out.bins = updated(self);
                out.why = (Some(refusal.code), refusal.why.clone());
            }
            (None, None) => {
                out.pattern = in_order(&out.reductions);
                out.bins = updated(self);
                out.why.1 = "nothing says that its iterations may run at the same time".into();
            }
        }
        self.around.listed = Some(self.out.loops.len());
        self.out.loops.push(out);
    }

    fn has_atomics(&self, s: &Stmt) -> bool {
        struct Look(bool);
        impl Visit for Look {
            fn stmt(&mut self, s: &Stmt) -> bool {
                let atomic = |d: &Directive<Expr>| matches!(d.kind, DirectiveKind::Atomic(_));
                self.0 |= s.directives.iter().any(atomic);
                true
            }
        }
        let mut look = Look(false);
        walk::stmt(&mut look, self.emit.program, s);
        look.0
    }

    /// Arrays that a loop updates, each once, and whether it has atomics that order iterations.
    fn updates(&self, s: &Stmt) -> (Vec<(VarId, Op)>, bool) {
        struct Look<'a>(&'a Program, Vec<(VarId, Op)>, bool);
        impl Visit for Look<'_> {
            fn stmt(&mut self, s: &Stmt) -> bool {
                use DirectiveKind::Atomic;
                self.2 |= s
                    .directives
                    .iter()
                    .any(|d| matches!(d.kind, Atomic(kind) if kind != AtomicKind::Update));
                if let StmtKind::Expr(e) = &s.kind
                    && let Ok(Some(found)) = update(self.0, e)
                    && matches!(found.place.kind, ExprKind::Index(..))
                    && let Some(id) = root(&found.place)
                    && !self.1.iter().any(|(seen, _)| *seen == id)
                {
                    self.1.push((id, found.operator));
                }
                true
            }
        }
        let mut look = Look(self.emit.program, Vec::new(), false);
        if let StmtKind::For { body, .. } = &s.kind {
            walk::stmt(&mut look, self.emit.program, body);
        }
        (look.1, look.2)
    }

    /// The variables in the `reduction` clauses of a loop.
    fn reductions(&self, s: &Stmt) -> Vec<String> {
        let clauses = s.directives.iter().flat_map(|d| &d.clauses);
        let reduced = clauses.filter_map(|c| match &c.kind {
            ClauseKind::Reduction { vars, .. } => Some(vars),
            _ => None,
        });
        let mut names: Vec<String> = reduced.flatten().map(|v| v.name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    fn bins(&self, id: VarId, operator: Op) -> Bins {
        let var = self.emit.program.var(id);
        let fixed = extents(&var.ty);
        let clause = || {
            let place = self.emit.sources.place(*self.sections.get(&id)?)?;
            let text = &self.emit.sources.file(place.file).text;
            Some(text.get(place.lo..place.hi)?.to_string())
        };
        let extent = fixed.map(|n| format!("{}{n}", var.name)).or_else(clause);
        Bins {
            name: var.name.clone(),
            operator: operator.row().written.short(),
            element: var.ty.element().unwrap_or(&var.ty).innermost().to_string(),
            extent,
        }
    }
}

/// What kind of loop a function was.
fn pattern(of: &Offloaded, atomics: bool) -> Pattern {
    match of.kind {
        Kind::Bins => Pattern::Histogram,
        Kind::Scan => Pattern::Scan,
        Kind::Own if atomics => Pattern::Injective,
        Kind::Own => Pattern::Own,
        Kind::Reduction => Pattern::Reduction,
    }
}

/// `[a][b]` of an array whose extents are all constants.
fn extents(ty: &Type) -> Option<String> {
    match ty {
        Type::Array(to, Extent::Fixed(n)) => match &**to {
            inner @ Type::Array(..) => Some(format!("[{n}]{}", extents(inner)?)),
            _ => Some(format!("[{n}]")),
        },
        _ => None,
    }
}

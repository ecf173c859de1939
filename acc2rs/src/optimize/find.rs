//! Which compute constructs can be given local copies, and what the rewrite needs to know of each.
//!
//! A construct qualifies array by array. Redirecting an update to a copy keeps the result if the array is
//! mentioned in the construct by its atomic updates alone, if one commutative operator makes them all,
//! and if nothing else in the construct can reach the array. Whatever else the construct does stays untouched.

use std::collections::HashSet;

use crate::clause::{ClauseKind, DataAction, DefaultKind, Section};
use crate::codes::{self, Code};
use crate::ctypes::{Extent, Type};
use crate::directive::{AtomicKind, Directive, DirectiveKind};
use crate::lex;
use crate::source::{Place, Sources, Span};
use crate::translate::facts::root;
use crate::translate::update::{Operator, bare, update};
use crate::typed::walk;
use crate::typed::{Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, Storage, VarId};

/// An array of bins of a construct.
#[derive(Debug)]
pub(super) struct Bins {
    pub(super) var: VarId,
    pub(super) name: String,
    pub(super) element: Type,
    /// The extents of the dimensions but the first.
    pub(super) inner: Vec<u64>,
    pub(super) operator: Operator,
    /// The number of bins, as C.
    pub(super) count: String,
    /// The clause that the data region around the construct needs, if no region around it has one.
    pub(super) clause: Option<String>,
}

/// A statement that updates bins.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) bins: VarId,
    /// The statement, without its directive.
    pub(super) stmt: Place,
    /// The pragma's first byte, at the start of its line.
    pub(super) pragma: usize,
    /// A number that iterations of one gang share mostly, as C of type `size_t`.
    pub(super) gang: String,
}

/// A construct to rewrite.
#[derive(Debug)]
pub(super) struct Construct {
    pub(super) bins: Vec<Bins>,
    pub(super) sites: Vec<Site>,
    /// The compute directive, from `acc` on.
    pub(super) directive: Place,
    /// Just past the statement.
    pub(super) end: usize,
    /// Whether `num_gangs` and `vector_length` may be added.
    pub(super) gangs: bool,
    pub(super) vector: bool,
    pub(super) asynchronous: bool,
    /// Whether every variable must be named in a clause.
    pub(super) default_none: bool,
}

/// Why an array, or a whole construct, is left alone.
pub(super) struct Kept {
    pub(super) code: Code,
    pub(super) span: Span,
    pub(super) why: String,
}

type Found<T> = Result<T, Kept>;

fn kept<T>(span: Span, why: impl Into<String>) -> Found<T> {
    Err(Kept {
        code: codes::NOT_DUPLICATED,
        span,
        why: why.into(),
    })
}

/// What looks at the constructs of one function.
pub(super) struct Finder<'a> {
    pub(super) program: &'a Program,
    pub(super) sources: &'a Sources,
    pub(super) function: FnId,
    pub(super) vector_length: u32,
}

impl Finder<'_> {
    /// The construct of a statement that carries a compute directive; `None` if it has no atomic update.
    pub(super) fn construct(&self, stmt: &Stmt, notes: &mut Vec<Kept>) -> Option<Construct> {
        let directive = stmt.directives.iter().find(|d| d.kind.is_compute())?;
        let updates = self.atomics(stmt);
        if updates.is_empty() {
            return None;
        }
        let mut arrays: Vec<VarId> = Vec::new();
        for (at, atomic) in &updates {
            match (atomic.kind, self.target(at)) {
                (DirectiveKind::Atomic(AtomicKind::Update), Some(id)) if !arrays.contains(&id) => {
                    arrays.push(id);
                }
                (DirectiveKind::Atomic(AtomicKind::Capture), _) => notes.push(Kept {
                    code: codes::ATOMIC_CAPTURE,
                    span: atomic.span,
                    why: "the captured value depends on the order of updates".into(),
                }),
                _ => {}
            }
        }
        let mut out = match self.frame(stmt, directive) {
            Ok(out) => out,
            Err(why) => {
                notes.push(why);
                return None;
            }
        };
        for id in arrays {
            match self.array(stmt, directive, id, &updates) {
                Ok((bins, sites)) => {
                    out.bins.push(bins);
                    out.sites.extend(sites);
                }
                Err(why) => notes.push(why),
            }
        }
        (!out.bins.is_empty()).then_some(out)
    }

    fn frame(&self, stmt: &Stmt, directive: &Directive<Expr>) -> Found<Construct> {
        use ClauseKind as K;
        let span = directive.span;
        if matches!(
            directive.kind,
            DirectiveKind::Serial | DirectiveKind::SerialLoop
        ) {
            return kept(span, "a `serial` construct has one gang");
        }
        let place = self.place(span)?;
        let end = self.place(stmt.span)?;
        if end.file != place.file || end.lo < place.hi {
            return kept(span, "the construct comes from a macro or from two files");
        }
        self.pragma_line(place, span)?;
        let has = |f: fn(&K<Expr>) -> bool| directive.clauses.iter().any(|c| f(&c.kind));
        if let Some(clause) = directive.clauses.iter().find(|c| {
            matches!(
                c.kind,
                K::If(_) | K::SelfIf(_) | K::Wait(_) | K::DeviceType(_)
            )
        }) {
            return kept(
                clause.span,
                format!("`{}` decides where or when the construct runs", clause.name),
            );
        }
        let combined = matches!(
            directive.kind,
            DirectiveKind::ParallelLoop | DirectiveKind::KernelsLoop
        );
        Ok(Construct {
            bins: Vec::new(),
            sites: Vec::new(),
            directive: place,
            end: end.hi,
            gangs: combined && !has(|k| matches!(k, K::NumGangs(_) | K::Seq | K::Gang(_))),
            vector: !has(|k| matches!(k, K::VectorLength(_) | K::Vector(Some(_)) | K::Seq)),
            asynchronous: has(|k| matches!(k, K::Async(_))),
            default_none: has(|k| matches!(k, K::Default(DefaultKind::None))),
        })
    }

    /// The atomic statements inside.
    fn atomics<'s>(&self, stmt: &'s Stmt) -> Vec<(&'s Stmt, &'s Directive<Expr>)> {
        let mut out = Vec::new();
        children(stmt, &mut |s| {
            out.extend(
                s.directives
                    .iter()
                    .filter(|d| matches!(d.kind, DirectiveKind::Atomic(_)))
                    .map(|d| (s, d)),
            );
        });
        out
    }

    /// The array whose element a statement updates.
    fn target(&self, stmt: &Stmt) -> Option<VarId> {
        let place = match &only(stmt)?.kind {
            ExprKind::Step { place, .. }
            | ExprKind::Compound { place, .. }
            | ExprKind::Assign(place, _) => place,
            _ => return None,
        };
        match &place.kind {
            ExprKind::Var(_) => None,
            _ => root(place),
        }
    }

    fn array(
        &self,
        stmt: &Stmt,
        directive: &Directive<Expr>,
        id: VarId,
        updates: &[(&Stmt, &Directive<Expr>)],
    ) -> Found<(Bins, Vec<Site>)> {
        let var = self.program.var(id);
        let name = &var.name;
        if own_to_iterations(stmt, id) {
            return kept(
                directive.span,
                format!("`{name}` is private to parts of the construct"),
            );
        }
        let mut operator = None;
        let mut sites = Vec::new();
        let mut own = 0;
        let mut injective = true;
        let mine: Vec<_> = updates
            .iter()
            .filter(|(s, _)| self.target(s) == Some(id))
            .collect();
        let first = mine.first().map_or(directive.span, |(s, _)| s.span);
        for (at, atomic) in mine {
            let span = at.span;
            let Some(e) = only(at) else {
                return kept(span, "it is not one expression");
            };
            let found = match update(self.program, e) {
                Ok(Some(found)) if atomic.kind == DirectiveKind::Atomic(AtomicKind::Update) => {
                    found
                }
                Err((code, why)) => {
                    return Err(Kept {
                        code,
                        span,
                        why: why.into(),
                    });
                }
                _ => return kept(span, format!("`{name}` is also read or written atomically")),
            };
            if *operator.get_or_insert(found.operator) != found.operator {
                return kept(
                    span,
                    format!("`{name}` is updated by two different operators"),
                );
            }
            let mentioned = mentions(self.program, at, id);
            let expected = match &e.kind {
                ExprKind::Assign(_, value) if matches!(bare(value).kind, ExprKind::Cond(..)) => 3,
                ExprKind::Assign(..) => 2,
                _ => 1,
            };
            if mentioned != expected {
                return self.read(span, name);
            }
            own += mentioned;
            if !matches!(found.place.kind, ExprKind::Index(..) | ExprKind::Deref(_)) {
                return kept(span, "the bins are no plain array");
            }
            let (gang, alone) = self.gang(stmt, at)?;
            injective &= alone.is_some_and(|i| {
                matches!(&found.place.kind, ExprKind::Index(base, index)
                    if index.stripped().as_var() == Some(i) && !matches!(base.kind, ExprKind::Index(..)))
            });
            let place = self.place(span)?;
            let text = self.text(place);
            let tokens = lex::tokens(text);
            if tokens.iter().filter(|t| t.is(name)).count() != mentioned || text.contains('#') {
                return kept(
                    span,
                    "the update comes from a macro, or is split by directives",
                );
            }
            let pragma = self.place(atomic.span)?;
            let line = self.pragma_line(pragma, atomic.span)?;
            if pragma.file != place.file || pragma.hi > place.lo || at.directives.len() != 1 {
                return kept(span, "the update and its directive do not stand together");
            }
            sites.push(Site {
                bins: id,
                stmt: place,
                pragma: line,
                gang,
            });
        }
        let Some(operator) = operator else {
            return kept(first, "nothing updates it");
        };
        if injective {
            return Err(Kept {
                code: codes::INJECTIVE,
                span: first,
                why: format!("no two iterations update the same element of `{name}`"),
            });
        }
        if mentions(self.program, stmt, id) != own || self.reached(stmt, id) {
            return self.read(first, name);
        }
        let element = var.ty.innermost();
        let (element, inner) = dimensions(if var.ty.is_pointer() {
            var.ty.element().unwrap_or(element)
        } else {
            &var.ty
        });
        let Some(mut inner) = inner else {
            return kept(
                first,
                format!("`{name}` has dimensions that are no constants"),
            );
        };
        if !element.is_arithmetic() {
            return kept(first, format!("the elements of `{name}` are no numbers"));
        }
        let (count, clause) = self.count(stmt, directive, id, first, &inner)?;
        if !var.ty.is_pointer() {
            inner.remove(0);
        }
        Ok((
            Bins {
                var: id,
                name: name.clone(),
                element,
                inner,
                operator,
                count,
                clause,
            },
            sites,
        ))
    }

    fn read<T>(&self, span: Span, name: &str) -> Found<T> {
        Err(Kept {
            code: codes::BINS_READ,
            span,
            why: format!("the construct uses `{name}` for more than atomic updates"),
        })
    }

    /// Whether the construct reaches the array by another name: a pointer to it, or a called function.
    fn reached(&self, stmt: &Stmt, id: VarId) -> bool {
        let mut aliases = HashSet::new();
        let program = self.program;
        let mut pair = |a: Option<VarId>, b: Option<VarId>| {
            if let (Some(a), Some(b)) = (a, b)
                && a != b
                && program.var(a).ty.element().is_some()
                && program.var(b).ty.element().is_some()
                && (a == id || b == id)
            {
                aliases.insert(if a == id { b } else { a });
            }
        };
        if let Some(body) = &program.function(self.function).body {
            for s in &body.stmts {
                walk::exprs(program, s, &mut |e| {
                    if let ExprKind::Assign(place, value) = &e.kind
                        && value.ty.is_pointer()
                    {
                        pair(place.as_var(), root(value));
                    }
                });
                children(s, &mut |s| {
                    if let StmtKind::Decl(vars) = &s.kind {
                        for v in vars {
                            if let Some(Init::Expr(e)) = &program.var(*v).init
                                && e.ty.is_pointer()
                            {
                                pair(Some(*v), root(e));
                            }
                        }
                    }
                });
            }
        }
        if aliases.iter().any(|a| mentions(program, stmt, *a) > 0) {
            return true;
        }
        let global = !matches!(program.var(id).storage, Storage::Param | Storage::Local);
        let mut seen: HashSet<FnId> = HashSet::new();
        let mut todo = Vec::new();
        let calls = |s: &Stmt, todo: &mut Vec<FnId>| {
            walk::exprs(program, s, &mut |e| {
                if let ExprKind::Call { callee, .. } = &e.kind {
                    todo.push(*callee);
                }
            });
        };
        calls(stmt, &mut todo);
        while let Some(next) = todo.pop() {
            if let Some(body) = &program.function(next).body
                && seen.insert(next)
            {
                if global && body.stmts.iter().any(|s| mentions(program, s, id) > 0) {
                    return true;
                }
                body.stmts.iter().for_each(|s| calls(s, &mut todo));
            }
        }
        false
    }

    /// The number of bins as C, and the clause that a data region needs.
    fn count(
        &self,
        stmt: &Stmt,
        directive: &Directive<Expr>,
        id: VarId,
        first: Span,
        dims: &[u64],
    ) -> Found<(String, Option<String>)> {
        let var = self.program.var(id);
        let name = &var.name;
        let own = named(directive, id);
        if let Some((
            _,
            DataAction::Private | DataAction::FirstPrivate | DataAction::DevicePtr,
            _,
        )) = own
        {
            return kept(first, format!("`{name}` is private or a device pointer"));
        }
        let mut regions: Vec<&Stmt> = Vec::new();
        if let Some(body) = &self.program.function(self.function).body {
            for s in &body.stmts {
                children(s, &mut |s| {
                    if s.span.unit == stmt.span.unit
                        && s.span.lo <= stmt.span.lo
                        && s.span.hi >= stmt.span.hi
                    {
                        regions.push(s);
                    }
                });
            }
        }
        let around = regions
            .iter()
            .rev()
            .flat_map(|s| &s.directives)
            .filter(|d| d.kind == DirectiveKind::Data)
            .find_map(|d| named(d, id));
        let clause = match (around, own) {
            (Some(_), _) => None,
            (None, Some((section, _, word))) => {
                let text = self.text(self.place(section.span)?);
                Some(format!("{word}({text})"))
            }
            (None, None) if !var.ty.is_pointer() => Some(format!("copy({name})")),
            (None, None) => {
                return kept(
                    first,
                    format!(
                        "how many bins `{name}` has cannot be told: no data clause here names it"
                    ),
                );
            }
        };
        if !var.ty.is_pointer() {
            let element = var.ty.innermost();
            return Ok((format!("sizeof {name} / sizeof({element})"), clause));
        }
        let Some((section, own_clause)) = own
            .map(|o| (o.0, true))
            .filter(|(s, _)| !s.ranges.is_empty())
            .or(around
                .map(|o| (o.0, false))
                .filter(|(s, _)| !s.ranges.is_empty()))
        else {
            return kept(
                first,
                format!("how many bins `{name}` has cannot be told: its data clause has no length"),
            );
        };
        if !own_clause {
            let mut used = Vec::new();
            for e in section.ranges.iter().flat_map(|r| match r {
                crate::clause::Range::Index(e) => vec![e],
                crate::clause::Range::Slice { start, len } => start.iter().chain(len).collect(),
            }) {
                walk::parts(self.program, e, &mut |e| used.extend(e.as_var()));
            }
            let shadowed = used.iter().any(|u| {
                let wanted = self.program.var(*u);
                self.program.vars.iter().enumerate().any(|(at, v)| {
                    v.name == wanted.name
                        && VarId(at as u32) != *u
                        && v.owner == Some(self.function)
                })
            });
            let changed = self
                .program
                .function(self.function)
                .body
                .iter()
                .flat_map(|b| &b.stmts)
                .any(|s| {
                    regions
                        .first()
                        .is_some_and(|r| r.span.lo <= s.span.lo && s.span.hi <= r.span.hi)
                        && assigned(self.program, s, &used)
                });
            if shadowed || changed {
                return kept(
                    first,
                    format!("the length of `{name}` changes inside the data region"),
                );
            }
        }
        let place = self.place(section.span)?;
        let Some((start, len)) = lengths(self.text(place)) else {
            return kept(
                section.span,
                format!("the length of `{name}` cannot be read here"),
            );
        };
        let mut count = if start.is_empty() || start == "0" {
            format!("({len})")
        } else {
            format!("(({start}) + ({len}))")
        };
        for d in dims {
            count.push_str(&format!(" * {d}"));
        }
        Ok((format!("(size_t){count}"), clause))
    }

    /// What tells gangs apart at a statement, and the loop's variable if only one loop is around it.
    fn gang(&self, stmt: &Stmt, at: &Stmt) -> Found<(String, Option<VarId>)> {
        let mut loops = Vec::new();
        let mut count = 0;
        // The second of two collapsed loops has no directive of its own.
        let mut collapsed = false;
        children(stmt, &mut |s| {
            if let StmtKind::For { init, .. } = &s.kind
                && s.span.lo <= at.span.lo
                && s.span.hi >= at.span.hi
            {
                count += 1;
                let device = s.directives.iter().any(|d| d.kind.is_loop());
                if device || collapsed {
                    loops.push(init.as_deref().and_then(counter));
                }
                collapsed = s
                    .directives
                    .iter()
                    .flat_map(|d| &d.clauses)
                    .any(|c| matches!(c.kind, ClauseKind::Collapse(_)));
            }
        });
        let loops: Option<Vec<VarId>> = loops.into_iter().collect();
        let Some(loops) = loops.filter(|l| !l.is_empty()) else {
            return kept(
                at.span,
                "no device loop with a counter is around the update",
            );
        };
        let name = |id: VarId| &self.program.var(id).name;
        for id in &loops {
            let mut hidden = false;
            children(stmt, &mut |s| {
                if let StmtKind::Decl(vars) = &s.kind {
                    hidden |= vars.iter().any(|v| v != id && name(*v) == name(*id));
                }
            });
            if hidden || !self.program.var(*id).ty.is_int() {
                return kept(
                    at.span,
                    format!("the loop's `{}` is hidden by another one", name(*id)),
                );
            }
        }
        let v = self.vector_length;
        let (first, last) = (loops[0], loops[loops.len() - 1]);
        let text = if first == last {
            format!("(size_t){} / {v}", name(first))
        } else {
            format!("((size_t){} + (size_t){} / {v})", name(first), name(last))
        };
        Ok((text, (count == 1).then_some(first)))
    }

    fn place(&self, span: Span) -> Found<Place> {
        match self.sources.place(span) {
            Some(place) => Ok(place),
            None => kept(span, "it does not stand in the user's files"),
        }
    }

    fn text(&self, place: Place) -> &str {
        self.sources
            .file(place.file)
            .text
            .get(place.lo..place.hi)
            .unwrap_or("")
    }

    /// Where the line of a pragma starts.
    fn pragma_line(&self, place: Place, span: Span) -> Found<usize> {
        let text = &self.sources.file(place.file).text;
        let start = text[..place.lo].rfind('\n').map_or(0, |at| at + 1);
        if text[start..].trim_start().starts_with('#') {
            Ok(start)
        } else {
            kept(span, "the directive is written with `_Pragma`")
        }
    }
}

/// The expression of a statement, alone or in braces.
fn only(stmt: &Stmt) -> Option<&Expr> {
    match &stmt.kind {
        StmtKind::Expr(e) => Some(e),
        StmtKind::Block(b) if b.stmts.len() == 1 => only(&b.stmts[0]),
        _ => None,
    }
}

/// The variable that the first part of a `for` sets.
fn counter(init: &Stmt) -> Option<VarId> {
    match &init.kind {
        StmtKind::Decl(vars) if vars.len() == 1 => Some(vars[0]),
        StmtKind::Expr(Expr {
            kind: ExprKind::Assign(place, _),
            ..
        }) => place.as_var(),
        _ => None,
    }
}

/// Calls `f` on a statement and every one inside.
pub(super) fn children<'s>(stmt: &'s Stmt, f: &mut dyn FnMut(&'s Stmt)) {
    f(stmt);
    match &stmt.kind {
        StmtKind::Block(b) => b.stmts.iter().for_each(|s| children(s, f)),
        StmtKind::If {
            then, otherwise, ..
        } => {
            children(then, f);
            if let Some(other) = otherwise {
                children(other, f);
            }
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => {
            children(body, f);
        }
        StmtKind::Switch { arms, .. } => arms
            .iter()
            .flat_map(|a| &a.body)
            .for_each(|s| children(s, f)),
        _ => {}
    }
}

/// Whether a variable is declared or made private inside a construct.
fn own_to_iterations(stmt: &Stmt, id: VarId) -> bool {
    let mut own = false;
    children(stmt, &mut |s| {
        own |= matches!(&s.kind, StmtKind::Decl(vars) if vars.contains(&id));
        own |= s.directives.iter().any(|d| {
            d.sections(DataAction::Private)
                .chain(d.sections(DataAction::FirstPrivate))
                .any(|v| root(&v.base) == Some(id))
        });
    });
    own
}

fn mentions(program: &Program, stmt: &Stmt, id: VarId) -> usize {
    let mut count = 0;
    walk::exprs(program, stmt, &mut |e| {
        count += usize::from(e.as_var() == Some(id))
    });
    count
}

fn assigned(program: &Program, stmt: &Stmt, vars: &[VarId]) -> bool {
    let mut hit = false;
    walk::exprs(program, stmt, &mut |e| {
        if let ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. }
        | ExprKind::AddrOf(place) = &e.kind
        {
            hit |= root(place).is_some_and(|id| vars.contains(&id));
        }
    });
    hit
}

/// The section of a directive that names a variable, what the clause does, and its word.
fn named(directive: &Directive<Expr>, id: VarId) -> Option<(&Section<Expr>, DataAction, &str)> {
    directive.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Data { action, vars, .. } => vars
            .iter()
            .find(|v| v.base.stripped().as_var() == Some(id))
            .map(|v| (v, *action, c.name.as_str())),
        _ => None,
    })
}

/// The innermost element and all extents of an array; `None` where one is no constant.
fn dimensions(ty: &Type) -> (Type, Option<Vec<u64>>) {
    match ty {
        Type::Array(to, extent) => {
            let (element, inner) = dimensions(to);
            let dims = match (extent, inner) {
                (Extent::Fixed(n), Some(mut inner)) => {
                    inner.insert(0, *n);
                    Some(inner)
                }
                _ => None,
            };
            (element, dims)
        }
        other => (other.clone(), Some(Vec::new())),
    }
}

/// Start and length of the first range of a section, as written.
fn lengths(section: &str) -> Option<(&str, &str)> {
    let open = section.find('[')?;
    let mut depth = 0;
    let mut colon = None;
    for token in lex::tokens(&section[open..]) {
        match token.text {
            "[" | "(" => depth += 1,
            "]" | ")" => {
                depth -= 1;
                if depth == 0 {
                    let colon: usize = colon?;
                    let text = &section[open..];
                    let (start, len) = (&text[1..colon], &text[colon + 1..token.at]);
                    return (!len.trim().is_empty()).then_some((start.trim(), len.trim()));
                }
            }
            ":" if depth == 1 && colon.is_none() => colon = Some(token.at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::lengths;

    #[test]
    fn sections_are_read_as_written() {
        assert_eq!(lengths("h[0:n]"), Some(("0", "n")));
        assert_eq!(lengths("h[ : m[2]+1 ][0:4]"), Some(("", "m[2]+1")));
        assert_eq!(lengths("h[lo:]"), None);
        assert_eq!(lengths("h"), None);
    }
}

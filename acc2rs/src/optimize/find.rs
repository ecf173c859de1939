//! Which compute constructs can be given local copies, and what the rewrite needs to know of each.
//!
//! A construct qualifies array by array. Redirecting an update to a copy keeps the result if the array is
//! mentioned in the construct by its atomic updates alone, if one commutative operator makes them all,
//! and if nothing else in the construct can reach the array. Whatever else the construct does stays untouched.

use super::alone::{mentions, own_to_iterations};
use super::count::{Home, dimensions};
use super::layout;
use crate::clause::{ClauseKind, DefaultKind};
use crate::codes::{self, Code};
use crate::ctypes::Type;
use crate::directive::{AtomicKind, Directive, DirectiveKind};
use crate::lex;
use crate::source::{Place, Sources, Span};
use crate::translate::base::places::root;
use crate::translate::base::update::{bare, update};
use crate::typed::{Expr, ExprKind, FnId, Program, Stmt, StmtKind, VarId};
use accrue_ops::Op;

/// An array of bins of a construct.
#[derive(Debug)]
pub(super) struct Bins {
    pub(super) var: VarId,
    pub(super) name: String,
    pub(super) element: Type,
    /// The extents of the dimensions but the first.
    pub(super) inner: Vec<u64>,
    pub(super) operator: Op,
    /// The number of bins, as C.
    pub(super) count: String,
    /// Where the copies live.
    pub(super) home: Home,
    /// Whether the copies are in blocks, where there are many bins: the layout is the same for all updates.
    pub(super) blocks: bool,
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
    /// The indices of the bin as written, where they may be evaluated once more.
    pub(super) indices: Vec<String>,
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

pub(super) type Found<T> = Result<T, Kept>;

pub(super) fn kept<T>(span: Span, why: impl Into<String>) -> Found<T> {
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
    /// Whether parts of the program could not be read, so that a called function may do anything.
    pub(super) unread: bool,
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
                indices: layout::indices(self.program, &found.place, text, name)
                    .unwrap_or_default(),
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
        let (count, home) = self.count(stmt, directive, id, first, &inner)?;
        let first = match var.ty.is_pointer() {
            true => self.known(stmt, directive, id),
            false => Some(inner.remove(0)),
        };
        let few = first.is_some_and(|first| layout::are_few(first, &inner));
        let flat = |s: &Site| layout::flat(&s.indices, &inner).is_some();
        let blocks = !few && layout::suits(operator) && sites.iter().all(flat);
        Ok((
            Bins {
                var: id,
                name: name.clone(),
                element,
                inner,
                operator,
                count,
                home,
                blocks,
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

    pub(super) fn place(&self, span: Span) -> Found<Place> {
        match self.sources.place(span) {
            Some(place) => Ok(place),
            None => kept(span, "it does not stand in the user's files"),
        }
    }

    pub(super) fn text(&self, place: Place) -> &str {
        self.sources
            .file(place.file)
            .text
            .get(place.lo..place.hi)
            .unwrap_or("")
    }

    /// Where the line of a pragma starts.
    pub(super) fn pragma_line(&self, place: Place, span: Span) -> Found<usize> {
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

//! Whether places hold what they held when a pointer was set to them, for as long as it is used.

use super::tree::{blocks, place, row_of};
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::source::Span;
use crate::translate::base::flows::Holder;
use crate::translate::base::flows::member_of;
use crate::translate::base::places::is_global;
use crate::translate::base::usage::quiet;
use crate::typed::{Expr, ExprKind, FnId, Program, StmtKind, VarId, consts, walk};

/// What is made to point elsewhere: a field, all of a struct, or a global.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Field(u32, u32),
    Struct(u32),
    Var(u32),
}

/// What a function does with its places, by where it does it.
pub(super) struct Life {
    id: FnId,
    /// Where variables are mentioned.
    mentions: HashMap<VarId, Vec<Span>>,
    /// What is made to point elsewhere, and where.
    sets: Vec<(What, Span)>,
    /// Variables whose address is taken.
    taken: HashSet<VarId>,
    loops: Vec<Span>,
    /// The block that declares a local.
    homes: HashMap<VarId, Span>,
}

impl Life {
    pub(super) fn new(program: &Program, id: FnId) -> Life {
        let mut changes: HashMap<FnId, BTreeSet<What>> = HashMap::new();
        let mut calls: Vec<(FnId, FnId)> = Vec::new();
        let mut pointed = BTreeSet::new();
        for id in program.defined() {
            let own = changes.entry(id).or_default();
            for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
                walk::exprs(program, stmt, &mut |e| {
                    own.extend(set(e));
                    if let ExprKind::Call { callee, .. } = &e.kind {
                        calls.push((id, *callee));
                    }
                });
            }
            pointed.extend(own.iter().copied());
        }
        loop {
            let mut grown = false;
            for (caller, callee) in &calls {
                let more = changes.get(callee).cloned().unwrap_or_default();
                let own = changes.entry(*caller).or_default();
                let before = own.len();
                own.extend(more);
                grown |= own.len() > before;
            }
            if !grown {
                break;
            }
        }
        let mut life = Life {
            id,
            mentions: HashMap::new(),
            sets: Vec::new(),
            taken: HashSet::new(),
            loops: Vec::new(),
            homes: HashMap::new(),
        };
        let Some(body) = &program.function(id).body else {
            return life;
        };
        walk::stmts(program, body, &mut |s| match &s.kind {
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => {
                life.loops.push(s.span);
                if let StmtKind::For { init: Some(i), .. } = &s.kind
                    && let StmtKind::Decl(vars) = &i.kind
                {
                    life.homes.extend(vars.iter().map(|v| (*v, s.span)));
                }
            }
            StmtKind::Block(b) => {
                for stmt in &b.stmts {
                    if let StmtKind::Decl(vars) = &stmt.kind {
                        life.homes.extend(vars.iter().map(|v| (*v, s.span)));
                    }
                }
            }
            _ => {}
        });
        for stmt in &body.stmts {
            walk::exprs(program, stmt, &mut |e| {
                if let Some(var) = e.as_var() {
                    life.mentions.entry(var).or_default().push(e.span);
                }
                if let ExprKind::AddrOf(place) = &e.kind {
                    life.taken.extend(place.as_var());
                }
                life.sets.extend(set(e).map(|what| (what, e.span)));
                let called = match &e.kind {
                    ExprKind::Call { callee, .. } => changes.get(callee),
                    ExprKind::CallPointer(..) => Some(&pointed),
                    _ => None,
                };
                let global = |what: &&What| match what {
                    What::Var(at) => is_global(program, VarId(*at)),
                    _ => true,
                };
                let all = called.into_iter().flatten().filter(global);
                life.sets.extend(all.map(|what| (*what, e.span)));
            });
        }
        life
    }

    /// The function's locals, and how often each is mentioned.
    pub(super) fn locals(&self, program: &Program) -> Vec<(VarId, usize)> {
        let mut out: Vec<(VarId, usize)> = self
            .mentions
            .iter()
            .filter(|(var, _)| program.var(**var).owner == Some(self.id))
            .map(|(var, all)| (*var, all.len()))
            .collect();
        out.sort_unstable();
        out
    }

    pub(super) fn each(&self, program: &Program, f: &mut dyn FnMut(&Expr)) {
        let body = &program.function(self.id).body;
        for stmt in body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, f);
        }
    }

    /// What the elements of a table are set to, each once, before anything else is done with it, where it is declared.
    pub(super) fn filled(&self, program: &Program, table: VarId) -> Vec<Expr> {
        let mut out: Vec<Expr> = Vec::new();
        let body = &program.function(self.id).body;
        blocks(body.as_ref().map_or(&[], |b| &b.stmts), &mut |stmts| {
            let home = stmts
                .iter()
                .any(|s| matches!(&s.kind, StmtKind::Decl(vars) if vars.contains(&table)));
            if !home {
                return;
            }
            for stmt in stmts {
                let mut mentions = 0;
                walk::exprs(program, stmt, &mut |e| {
                    mentions += u32::from(e.as_var() == Some(table));
                });
                if mentions == 0 {
                    continue;
                }
                let next = match &stmt.kind {
                    StmtKind::Expr(Expr {
                        kind: ExprKind::Assign(row, value),
                        ..
                    }) if mentions == 1 && stmt.directives.is_empty() => row_of(row)
                        .filter(|(of, at)| {
                            *of == table
                                && consts::int_value(at, program) == Some(out.len() as i128)
                        })
                        .and_then(|_| place(value)),
                    _ => None,
                };
                match next {
                    Some(place) => out.push(place),
                    None => break,
                }
            }
        });
        out
    }

    /// From where a pointer is first set to its last use; all of the loops around that, as far as its block reaches.
    fn span(&self, program: &Program, var: VarId) -> Option<Span> {
        let declared = program.var(var).span;
        let start = program.var(var).init.is_some().then_some(declared);
        let mentions = self.mentions.get(&var)?;
        let mut span = start.unwrap_or(*mentions.first()?);
        for at in mentions {
            span.lo = span.lo.min(at.lo);
            span.hi = span.hi.max(at.hi);
        }
        let home = self.homes.get(&var).copied();
        for around in &self.loops {
            let wider = home.is_none_or(|h| h.lo <= around.lo && around.hi <= h.hi);
            if wider && !inside(declared, *around) && mentions.iter().any(|at| inside(*at, *around))
            {
                span.lo = span.lo.min(around.lo);
                span.hi = span.hi.max(around.hi);
            }
        }
        Some(span)
    }

    fn sets_within(&self, span: Span, is: &dyn Fn(What) -> bool) -> bool {
        self.sets.iter().any(|(what, at)| {
            at.unit == span.unit && span.lo < at.hi && at.lo < span.hi && is(*what)
        })
    }

    /// Whether a place that a pointer is set to stays what it is while the pointer is used.
    pub(super) fn stays(&self, program: &Program, var: VarId, place: &Expr) -> bool {
        let Some(span) = self.span(program, var) else {
            return false;
        };
        // The address of a variable stays, whatever it holds.
        let address = matches!(place.kind, ExprKind::AddrOf(_));
        let mut stays = true;
        walk::parts(program, place, &mut |part| {
            stays &= match &part.kind {
                // What is declared after the pointer is another one each time.
                ExprKind::Var(id) if inside(program.var(*id).span, span) => false,
                ExprKind::Var(id) => {
                    let array = matches!(part.ty, crate::ctypes::Type::Array(..));
                    let by_value = matches!(part.ty, crate::ctypes::Type::Struct(_));
                    *id != var
                        && (array
                            || address && !part.ty.is_pointer()
                            || (by_value || !self.taken.contains(id))
                                && !self.sets_within(span, &|what| what == What::Var(id.0)))
                }
                ExprKind::Member(base, _) => {
                    let struct_ = match base.ty {
                        crate::ctypes::Type::Struct(id) => Some(id.0),
                        _ => None,
                    };
                    let own = match member_of(part) {
                        Some(Holder::Field(of, at)) => Some(What::Field(of.0, at)),
                        _ => None,
                    };
                    let held = part.ty.is_pointer();
                    !held
                        || !self.sets_within(span, &|what| {
                            Some(what) == own
                                || matches!(what, What::Struct(id) if Some(id) == struct_)
                        })
                }
                _ => true,
            };
        });
        stays
    }

    /// Whether a number stays what it is from where a pointer is set to its last use.
    pub(super) fn fixed(&self, program: &Program, var: VarId, number: &Expr) -> bool {
        let Some(span) = self.span(program, var) else {
            return false;
        };
        let mut fixed = quiet(program, number);
        walk::parts(program, number, &mut |part| {
            fixed &= match &part.kind {
                ExprKind::Var(id) => {
                    !is_global(program, *id)
                        && !self.taken.contains(id)
                        && program.var(*id).owner == Some(self.id)
                        && !self.sets_within(span, &|what| what == What::Var(id.0))
                }
                ExprKind::Member(..) | ExprKind::Deref(_) | ExprKind::Index(..) => false,
                _ => true,
            };
        });
        fixed
    }

    /// Whether a function's local is set within a statement, or something that is no local is read.
    pub(super) fn changes(&self, program: &Program, number: &Expr, span: Span) -> bool {
        let mut changes = !quiet(program, number);
        walk::parts(program, number, &mut |part| {
            changes |= match &part.kind {
                ExprKind::Var(id) => {
                    is_global(program, *id)
                        || self.taken.contains(id)
                        || self.sets_within(span, &|what| what == What::Var(id.0))
                        // Declared in there.
                        || inside(program.var(*id).span, span)
                }
                ExprKind::Member(..) | ExprKind::Deref(_) | ExprKind::Index(..) => true,
                _ => false,
            };
        });
        changes
    }
}

fn inside(inner: Span, outer: Span) -> bool {
    inner.unit == outer.unit && outer.lo <= inner.lo && inner.hi <= outer.hi
}

/// What an expression sets.
fn set(e: &Expr) -> Option<What> {
    let place = match &e.kind {
        ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. } => place,
        ExprKind::AddrOf(place) if place.ty.is_pointer() => place,
        _ => return None,
    };
    match (&place.kind, &place.ty) {
        (ExprKind::Var(id), _) => Some(What::Var(id.0)),
        (_, crate::ctypes::Type::Struct(id)) => Some(What::Struct(id.0)),
        _ => match member_of(place)? {
            Holder::Field(of, at) => Some(What::Field(of.0, at)),
            _ => None,
        },
    }
}

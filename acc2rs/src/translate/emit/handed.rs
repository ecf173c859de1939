//! Memory that a variable hands over to another place, `s->x = block;`: in Rust the variable is empty then, in C it still points
//! to the memory. Variables that are used after that, before they are set anew, are refused; fields of the function's own structs, too.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::source::Span;
use crate::translate::base::facts::Facts;
use crate::translate::base::flows::Holder;
use crate::translate::base::flows::member_of;
use crate::translate::base::places::{is_global, root};
use crate::translate::base::usage::same;
use crate::typed::{Expr, ExprKind, FnId, Program, Stmt, StmtKind, Storage, VarId, walk};

/// How far control has come at a statement's end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Now {
    Before,
    Handed,
    Left,
}

struct Search<'a> {
    program: &'a Program,
    facts: &'a Facts,
    var: VarId,
    /// The field of that variable, where it is one.
    field: Option<(&'a Expr, Holder)>,
    global: bool,
    /// The mention that hands it over.
    handed: Span,
    /// Whether the function returns while it is handed over.
    left: bool,
    used: Option<Span>,
}

/// Where a variable is used after the mention at `handed` in function `id` has given its memory away.
fn used_after(
    program: &Program,
    facts: &Facts,
    id: FnId,
    var: VarId,
    field: Option<(&Expr, Holder)>,
    handed: Span,
) -> Option<Span> {
    let function = program.function(id);
    let body = function.body.as_ref()?;
    let mut search = Search {
        program,
        facts,
        var,
        field,
        global: is_global(program, var),
        handed,
        left: false,
        used: None,
    };
    let end = search.block(&body.stmts, Now::Before);
    let empty = search.left || end == Now::Handed;
    if search.global && empty && function.name != "main" && search.used.is_none() {
        // A global stays empty for the next call, and for others.
        search.block(&body.stmts, Now::Handed);
        let elsewhere = program
            .defined()
            .filter(|f| *f != id)
            .any(|f| mentions(program, f, var));
        if elsewhere {
            search.used.get_or_insert(handed);
        }
    }
    search.used
}

fn mentions(program: &Program, id: FnId, var: VarId) -> bool {
    let mut hit = false;
    for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
        walk::exprs(program, stmt, &mut |e| hit |= e.as_var() == Some(var));
    }
    hit
}

impl Emit<'_> {
    /// Refuses memory that a variable hands over and that is used by the variable's name afterwards.
    pub(super) fn handed_over(&self, place: &Expr) -> Emitted<()> {
        let Some(id) = self.here.function else {
            return Ok(());
        };
        let (var, field) = match &place.kind {
            ExprKind::Var(var) => (*var, None),
            ExprKind::Member(base, _) => match (base.as_var(), member_of(place)) {
                (Some(var), Some(field)) if self.program.var(var).storage == Storage::Local => {
                    (var, Some((place, field)))
                }
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        match used_after(self.program, &self.facts, id, var, field, place.span) {
            None => Ok(()),
            Some(at) => refuse(
                codes::LOST_POINTER,
                at,
                format!(
                    "`{}` is used after its memory has been handed over to another place",
                    match field {
                        Some((_, Holder::Field(of, at))) => self
                            .program
                            .structure(of)
                            .fields
                            .iter()
                            .flatten()
                            .nth(at as usize)
                            .map_or("", |f| &f.name),
                        _ => &self.program.var(var).name,
                    }
                ),
                "use the place that holds the memory now, from there on",
            ),
        }
    }

    /// Refuses to return memory that something else than a local of the function keeps: in C both point to it.
    pub(super) fn returned_memory(&self, value: &Expr) -> Emitted<()> {
        let inner = value.stripped();
        match &inner.kind {
            ExprKind::Cond(_, a, b) => {
                self.returned_memory(a)?;
                self.returned_memory(b)
            }
            ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_) => {
                let own = root(inner).is_some_and(|id| {
                    let var = self.program.var(id);
                    let by_value = var.storage == Storage::Param && !var.ty.is_pointer();
                    var.storage == Storage::Local || by_value
                });
                if own {
                    return Ok(());
                }
                refuse(
                    codes::LOST_POINTER,
                    value.span,
                    "memory is returned that another place keeps",
                    "return an index, or let the caller use the place itself",
                )
            }
            _ => Ok(()),
        }
    }
}

impl Search<'_> {
    fn block(&mut self, stmts: &[Stmt], mut now: Now) -> Now {
        for stmt in stmts {
            if now == Now::Left {
                break;
            }
            now = self.stmt(stmt, now);
        }
        now
    }

    fn stmt(&mut self, stmt: &Stmt, now: Now) -> Now {
        match &stmt.kind {
            StmtKind::Block(b) => self.block(&b.stmts, now),
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                let now = self.expr(cond, now);
                let a = self.stmt(then, now);
                let b = otherwise.as_ref().map_or(now, |s| self.stmt(s, now));
                either(a, b)
            }
            StmtKind::While { cond, body } => self.turns(now, &mut |s, now| {
                let now = s.expr(cond, now);
                s.stmt(body, now)
            }),
            StmtKind::DoWhile { body, cond } => self.turns(now, &mut |s, now| {
                let now = s.stmt(body, now);
                s.expr(cond, now)
            }),
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                let now = init.as_ref().map_or(now, |s| self.stmt(s, now));
                self.turns(now, &mut |s, now| {
                    let now = cond.as_ref().map_or(now, |e| s.expr(e, now));
                    let now = s.stmt(body, now);
                    step.as_ref().map_or(now, |e| s.expr(e, now))
                })
            }
            StmtKind::Switch { value, arms } => {
                let start = self.expr(value, now);
                let mut end = start;
                for arm in arms {
                    let own = self.block(&arm.body, start);
                    end = either(end, own);
                }
                end
            }
            StmtKind::Expr(Expr {
                kind: ExprKind::Assign(place, value),
                ..
            }) if self.is(place) => {
                self.expr(value, now);
                Now::Before
            }
            StmtKind::Expr(e) => {
                let now = self.expr(e, now);
                // What a function that never returns has been given is of no concern.
                match &e.stripped().kind {
                    ExprKind::Call { callee, .. }
                        if matches!(&*self.program.function(*callee).name, "exit" | "abort") =>
                    {
                        Now::Left
                    }
                    _ => now,
                }
            }
            StmtKind::Return(value) => {
                let end = value.as_ref().map_or(now, |e| self.expr(e, now));
                self.left |= end == Now::Handed;
                Now::Left
            }
            // The statements behind the loop are looked at from its end.
            StmtKind::Break | StmtKind::Continue => now,
            StmtKind::Decl(vars) => {
                let mut now = now;
                walk::exprs(self.program, stmt, &mut |e| self.part(e, &mut now));
                if vars.contains(&self.var) && !self.global {
                    now = Now::Before;
                }
                now
            }
            StmtKind::Empty | StmtKind::Directive(_) => {
                let mut now = now;
                walk::exprs(self.program, stmt, &mut |e| self.part(e, &mut now));
                now
            }
        }
    }

    /// A body that may run never, once or again.
    fn turns(&mut self, now: Now, once: &mut dyn FnMut(&mut Self, Now) -> Now) -> Now {
        let first = once(self, now);
        if first == Now::Handed && now == Now::Before {
            once(self, first);
        }
        either(now, first)
    }

    fn expr(&mut self, e: &Expr, mut now: Now) -> Now {
        walk::parts(self.program, e, &mut |part| self.part(part, &mut now));
        now
    }

    /// Whether it is the variable, or its field.
    fn is(&self, e: &Expr) -> bool {
        match self.field {
            None => e.as_var() == Some(self.var),
            Some((place, _)) => same(place, e),
        }
    }

    fn part(&mut self, part: &Expr, now: &mut Now) {
        let used = match &part.kind {
            ExprKind::Assign(place, _) if self.is(place) => {
                *now = Now::Before;
                false
            }
            // What is empty may be freed.
            ExprKind::Call { callee, args }
                if self.field.is_some()
                    && self.program.function(*callee).name == "free"
                    && args.iter().any(|a| self.is(a.stripped())) =>
            {
                *now = Now::Before;
                false
            }
            _ if self.is(part) => true,
            ExprKind::Call { callee, .. } => {
                self.global && self.facts.function(*callee).globals.contains(&self.var)
            }
            ExprKind::CallPointer(..) => self.global,
            _ => false,
        };
        if !used {
            return;
        }
        if *now == Now::Handed {
            self.used.get_or_insert(part.span);
        } else if part.span == self.handed {
            *now = Now::Handed;
        }
    }
}

/// Where two ways meet.
fn either(a: Now, b: Now) -> Now {
    match (a, b) {
        (Now::Left, other) | (other, Now::Left) => other,
        (Now::Handed, _) | (_, Now::Handed) => Now::Handed,
        (Now::Before, Now::Before) => Now::Before,
    }
}

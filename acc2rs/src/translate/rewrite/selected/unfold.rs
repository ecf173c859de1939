//! Writes the statements that use a choice once for each of its cases, under the condition that it is this one.

use super::life::Life;
use super::number::core;
use super::tree::{Choice, Pick, Table, block, declared, empty, next, row_of, stmt};
use crate::ctypes::INT;
use crate::directive::DirectiveKind;
use crate::source::Span;
use crate::translate::base::usage::{quiet, same};
use crate::typed::change::change;
use crate::typed::{Block, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, VarId, walk};

/// Rewrites a function; `None` where something stands in the way.
pub(super) fn rewrite(
    program: &mut Program,
    id: FnId,
    picks: &[Pick],
    tables: &[Table],
) -> Option<()> {
    let life = Life::new(program, id);
    let mut body = program.functions[id.0 as usize].body.take()?;
    let mut unfold = Unfold {
        program,
        life,
        picks,
        tables,
    };
    unfold.numbers(&mut body.stmts);
    body.stmts = unfold.list(std::mem::take(&mut body.stmts), 1)?;
    program.functions[id.0 as usize].body = Some(body);
    let gone = picks.iter().flat_map(|p| &p.members).map(|(var, _)| *var);
    for var in gone.chain(tables.iter().map(|t| t.var)) {
        program.vars[var.0 as usize].init = None;
    }
    Some(())
}

pub(super) struct Unfold<'p> {
    pub(super) program: &'p mut Program,
    life: Life,
    pub(super) picks: &'p [Pick],
    pub(super) tables: &'p [Table],
}

impl Unfold<'_> {
    fn member(&self, var: VarId) -> Option<(usize, usize)> {
        self.picks.iter().enumerate().find_map(|(at, pick)| {
            let member = pick.members.iter().position(|(v, _)| *v == var)?;
            Some((at, member))
        })
    }

    fn is_table(&self, var: VarId) -> bool {
        self.tables.iter().any(|t| t.var == var)
    }

    /// Sets numbers where the source sets pointers.
    fn numbers(&mut self, stmts: &mut Vec<Stmt>) {
        self.turns(stmts);
        for stmt in stmts.iter_mut() {
            match &mut stmt.kind {
                StmtKind::Decl(vars) => self.declared(vars),
                StmtKind::Block(b) => self.numbers(&mut b.stmts),
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    self.inner(then);
                    if let Some(s) = otherwise {
                        self.inner(s);
                    }
                }
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::For { body, .. } => self.inner(body),
                StmtKind::Switch { arms, .. } => {
                    arms.iter_mut().for_each(|a| self.numbers(&mut a.body));
                }
                StmtKind::Expr(_) => self.assigned(stmt),
                _ => {}
            }
        }
        stmts.retain(|s| {
            !matches!(&s.kind, StmtKind::Decl(vars) if vars.is_empty())
                && (s.kind != StmtKind::Empty || !s.comments.is_empty())
        });
    }

    /// Lets exchanges set numbers.
    fn turns(&self, stmts: &mut Vec<Stmt>) {
        for pick in self.picks {
            let Some(number) = pick.number else { continue };
            let mut at = 0;
            while at < stmts.len() {
                if let Some(count) = pick.turns.get(&stmts[at].span) {
                    let span = Span {
                        hi: stmts[at].span.lo + 1,
                        ..stmts[at].span
                    };
                    let next = next(number, pick.members.len(), span);
                    let comments = std::mem::take(&mut stmts[at].comments);
                    let turn = Stmt {
                        comments,
                        ..stmt(StmtKind::Expr(next), span)
                    };
                    stmts.splice(at..at + count, [turn]);
                }
                at += 1;
            }
        }
    }

    fn inner(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Expr(_) => self.assigned(stmt),
            _ => {
                let mut one = vec![std::mem::replace(stmt, empty(stmt.span))];
                self.numbers(&mut one);
                if let Some(back) = one.pop() {
                    *stmt = back;
                }
            }
        }
    }

    fn declared(&mut self, vars: &mut Vec<VarId>) {
        let old = std::mem::take(vars);
        for var in old {
            if self.is_table(var) {
                continue;
            }
            let Some((at, member)) = self.member(var) else {
                vars.push(var);
                continue;
            };
            let pick = &self.picks[at];
            if let Some(number) = pick.number.filter(|_| member == 0) {
                let init = match &self.program.var(var).init {
                    Some(Init::Expr(value)) => Some(
                        pick.events
                            .get(&value.span)
                            .cloned()
                            .unwrap_or_else(|| Expr::int(0, INT, value.span)),
                    ),
                    _ => None,
                };
                self.program.vars[number.0 as usize].init = init.map(|e| Init::Expr(Box::new(e)));
                vars.push(number);
            }
        }
    }

    fn assigned(&self, stmt: &mut Stmt) {
        let StmtKind::Expr(Expr {
            kind: ExprKind::Assign(place, value),
            ty,
            ..
        }) = &mut stmt.kind
        else {
            return;
        };
        if row_of(place).is_some_and(|(of, _)| self.is_table(of)) {
            stmt.kind = StmtKind::Empty;
            return;
        }
        let Some((at, member)) = place.as_var().and_then(|v| self.member(v)) else {
            return;
        };
        let pick = &self.picks[at];
        match (pick.number, pick.events.get(&value.span)) {
            (Some(number), Some(event)) if member == 0 => {
                place.kind = ExprKind::Var(number);
                place.ty = INT;
                **value = event.clone();
                *ty = INT;
            }
            _ => stmt.kind = StmtKind::Empty,
        }
    }

    /// The statements with each choice decided; each of them is written `copies` times so far.
    pub(super) fn list(&mut self, stmts: Vec<Stmt>, copies: u32) -> Option<Vec<Stmt>> {
        let mut out = Vec::new();
        let mut rest: std::collections::VecDeque<Stmt> = stmts.into();
        while let Some(mut stmt) = rest.pop_front() {
            let Some(choice) = self.choice(&stmt) else {
                out.push(stmt);
                continue;
            };
            if let StmtKind::Decl(vars) = &stmt.kind {
                let vars = vars.clone();
                if vars.iter().all(|v| {
                    let var = self.program.var(*v);
                    var.ty.is_arithmetic() || !self.in_init(&var.init, &choice)
                }) {
                    for var in vars {
                        self.value(var, &choice, copies)?;
                    }
                    rest.push_front(stmt);
                    continue;
                }
                let mut run = vec![stmt];
                // Up to where what is declared here is used last.
                loop {
                    let declared = declared(self.program, &run);
                    let more = rest
                        .iter()
                        .rposition(|s| mentions(self.program, s, &|v| declared.contains(&v)));
                    let count = more.map_or(0, |at| at + 1);
                    if count == 0 {
                        break;
                    }
                    run.extend(rest.drain(..count));
                }
                if run.iter().any(|s| self.descends(s, &choice)) {
                    return None;
                }
                out.extend(self.cases(run, &choice, copies)?);
                continue;
            }
            if self.descends(&stmt, &choice) {
                self.descend(&mut stmt, copies)?;
                out.push(stmt);
                continue;
            }
            let mut run = vec![stmt];
            while let Some(next) = rest.front()
                && !matches!(next.kind, StmtKind::Decl(_))
                && next.comments.is_empty()
                && self.uses(next, &choice)
                && !self.descends(next, &choice)
                && self.steady(&run, &choice)
            {
                run.extend(rest.pop_front());
            }
            out.extend(self.cases(run, &choice, copies)?);
        }
        Some(out)
    }

    /// Whether statements leave the number as it is that a choice depends on.
    fn steady(&self, run: &[Stmt], choice: &Choice) -> bool {
        match choice {
            Choice::Pick(_) => true,
            Choice::Row(core, _) => !run
                .iter()
                .any(|s| self.life.changes(self.program, core, s.span)),
        }
    }

    fn choice_in(&self, e: &Expr) -> Option<Choice> {
        if let Some((at, _)) = e.as_var().and_then(|v| self.member(v)) {
            return Some(Choice::Pick(at));
        }
        let (table, index) = row_of(e)?;
        let table = self.tables.iter().find(|t| t.var == table)?;
        Some(Choice::Row(
            core(self.program, index).0.clone(),
            table.places.len(),
        ))
    }

    /// The first choice that a statement uses.
    fn choice(&self, stmt: &Stmt) -> Option<Choice> {
        let mut found = None;
        walk::exprs(self.program, stmt, &mut |e| {
            if found.is_none() {
                found = self.choice_in(e);
            }
        });
        self.directives(stmt, &mut |e| {
            if found.is_none() {
                found = self.choice_in(e);
            }
        });
        found
    }

    /// The expressions of all directives in a statement.
    fn directives(&self, stmt: &Stmt, f: &mut dyn FnMut(&Expr)) {
        let mut visit = |d: &crate::directive::Directive<Expr>| {
            let _ = d.try_map(&mut |e: &Expr| {
                walk::parts(self.program, e, f);
                Ok::<(), ()>(())
            });
        };
        let block = Block {
            stmts: vec![stmt.clone()],
            trailing: Vec::new(),
        };
        walk::stmts(self.program, &block, &mut |s| {
            s.directives.iter().for_each(&mut visit);
            if let StmtKind::Directive(d) = &s.kind {
                visit(d);
            }
        });
    }

    pub(super) fn is(&self, e: &Expr, choice: &Choice) -> bool {
        match (self.choice_in(e), choice) {
            (Some(Choice::Pick(a)), Choice::Pick(b)) => a == *b,
            (Some(Choice::Row(a, n)), Choice::Row(b, m)) => n == *m && same(&a, b),
            _ => false,
        }
    }

    fn uses(&self, stmt: &Stmt, choice: &Choice) -> bool {
        let mut found = false;
        walk::exprs(self.program, stmt, &mut |e| found |= self.is(e, choice));
        found
    }

    pub(super) fn in_init(&self, init: &Option<Init>, choice: &Choice) -> bool {
        struct Find<'u>(&'u dyn Fn(&Expr) -> bool, bool);
        impl walk::Visit for Find<'_> {
            fn expr(&mut self, e: &Expr) -> bool {
                self.1 |= (self.0)(e);
                true
            }
        }
        let is = |e: &Expr| self.is(e, choice);
        let mut find = Find(&is, false);
        init.iter()
            .for_each(|i| walk::init(&mut find, self.program, i));
        find.1
    }

    /// Whether a choice is made within a statement, so that its parts are to be looked at.
    fn descends(&self, stmt: &Stmt, choice: &Choice) -> bool {
        let inside = |at: &Span| stmt.span.lo <= at.lo && at.hi <= stmt.span.hi;
        match choice {
            Choice::Pick(at) => {
                let pick = &self.picks[*at];
                pick.events.keys().chain(pick.turns.keys()).any(inside)
            }
            Choice::Row(core, _) => {
                let alone = match &stmt.kind {
                    // Everything that is passed is computed before the call.
                    StmtKind::Expr(e) => {
                        let mut calls = 0;
                        walk::parts(self.program, e, &mut |part| {
                            calls +=
                                u32::from(!quiet(self.program, part) && !std::ptr::eq(part, e));
                        });
                        calls == 0
                    }
                    _ => false,
                };
                !alone && self.life.changes(self.program, core, stmt.span)
            }
        }
    }

    /// Looks at the statements within a statement.
    fn descend(&mut self, stmt: &mut Stmt, copies: u32) -> Option<()> {
        let mut clear = true;
        for d in &mut stmt.directives {
            // What stays on the device for some time is named as it is at first.
            if d.kind == DirectiveKind::Data {
                let first = d.try_map(&mut |e: &Expr| {
                    let mut e = e.clone();
                    change(&mut e, &mut |part| {
                        while let Some(choice) = self.choice_in(part) {
                            self.put(part, &choice, 0, &mut clear);
                        }
                    });
                    Ok::<Expr, ()>(e)
                });
                *d = first.unwrap_or_else(|()| d.clone());
            }
            let _ = d.try_map(&mut |e: &Expr| {
                walk::parts(self.program, e, &mut |e| {
                    clear &= self.choice_in(e).is_none()
                });
                Ok::<(), ()>(())
            });
        }
        let head = |unfold: &Self, e: &Expr, clear: &mut bool| {
            walk::parts(unfold.program, e, &mut |e| {
                *clear &= unfold.choice_in(e).is_none()
            });
        };
        match &mut stmt.kind {
            StmtKind::Block(b) => b.stmts = self.list(std::mem::take(&mut b.stmts), copies)?,
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                head(self, cond, &mut clear);
                self.body(then, copies)?;
                if let Some(s) = otherwise {
                    self.body(s, copies)?;
                }
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { cond, body } => {
                head(self, cond, &mut clear);
                self.body(body, copies)?;
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                clear &= init.iter().all(|s| self.choice(s).is_none());
                cond.iter()
                    .chain(step.iter())
                    .for_each(|e| head(self, e, &mut clear));
                self.body(body, copies)?;
            }
            StmtKind::Switch { value, arms } => {
                head(self, value, &mut clear);
                for arm in arms {
                    arm.body = self.list(std::mem::take(&mut arm.body), copies)?;
                }
            }
            _ => clear = false,
        }
        clear.then_some(())
    }

    fn body(&mut self, stmt: &mut Stmt, copies: u32) -> Option<()> {
        let span = stmt.span;
        if let StmtKind::Block(b) = &mut stmt.kind {
            b.stmts = self.list(std::mem::take(&mut b.stmts), copies)?;
            return Some(());
        }
        let own = std::mem::replace(stmt, empty(span));
        let mut new = self.list(vec![own], copies)?;
        *stmt = match new.len() {
            1 => new.remove(0),
            _ => block(new, span),
        };
        Some(())
    }
}

fn mentions(program: &Program, stmt: &Stmt, of: &dyn Fn(VarId) -> bool) -> bool {
    let mut hit = false;
    walk::exprs(program, stmt, &mut |e| hit |= e.as_var().is_some_and(of));
    hit
}

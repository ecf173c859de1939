//! The cases of a choice: what a statement or a number is in each of them, under the condition that it is this one.

use super::number::row;
use super::tree::{COPIES, Choice, block, declared, row_of, stmt};
use super::unfold::Unfold;
use crate::ctypes::INT;
use crate::source::Span;
use crate::typed::change::{change, change_stmt};
use crate::typed::{BinaryOp, Expr, ExprKind, Init, Stmt, StmtKind, VarId, copy};

impl Unfold<'_> {
    pub(super) fn count(&self, choice: &Choice) -> usize {
        match choice {
            Choice::Pick(at) => self.picks[*at].members[0].1.len(),
            Choice::Row(_, length) => *length,
        }
    }

    pub(super) fn selector(&self, choice: &Choice) -> Expr {
        match choice {
            Choice::Pick(at) => self.picks[*at].selector.clone(),
            Choice::Row(core, _) => core.clone(),
        }
    }

    /// The statements once for each case.
    pub(super) fn cases(
        &mut self,
        mut run: Vec<Stmt>,
        choice: &Choice,
        copies: u32,
    ) -> Option<Vec<Stmt>> {
        let count = self.count(choice);
        let total = copies * count as u32;
        if total > COPIES {
            return None;
        }
        if count == 1 {
            for stmt in &mut run {
                self.decide(stmt, choice, 0)?;
            }
            return self.list(run, copies);
        }
        let (first, last) = (run.first()?.span, run.last()?.span);
        let span = Span {
            hi: last.hi,
            ..first
        };
        let comments = std::mem::take(&mut run[0].comments);
        // All copies are made of what the source has, before places are put into any of them.
        let mut owns = vec![run.clone()];
        for case in 1..count {
            owns.push(copy::statements(self.program, &run, case as u32 * copies)?);
        }
        let mut all = Vec::new();
        for (case, mut own) in owns.into_iter().enumerate() {
            for stmt in &mut own {
                self.decide(stmt, choice, case)?;
            }
            let own = self.list(own, total)?;
            all.push(block(own, span));
        }
        let mut out = branches(&self.selector(choice), &all, span);
        out.comments = comments;
        Some(vec![out])
    }

    /// Puts the places of one case into a statement.
    fn decide(&mut self, stmt: &mut Stmt, choice: &Choice, case: usize) -> Option<()> {
        let mut sound = true;
        {
            let this = &*self;
            let mut put = |e: &mut Expr| this.put(e, choice, case, &mut sound);
            change_stmt(stmt, &mut put);
            copy::in_directives(stmt, &mut put);
        }
        for var in declared(self.program, std::slice::from_ref(stmt)) {
            let mut init = self.program.vars[var.0 as usize].init.take();
            if let Some(i) = &mut init {
                crate::typed::change::change_init(i, &mut |e| {
                    self.put(e, choice, case, &mut sound);
                });
            }
            self.program.vars[var.0 as usize].init = init;
        }
        sound.then_some(())
    }

    pub(super) fn put(&self, e: &mut Expr, choice: &Choice, case: usize, sound: &mut bool) {
        if self.is(e, choice) {
            let place = match (&e.kind, choice) {
                (ExprKind::Var(var), Choice::Pick(at)) => {
                    let members = &self.picks[*at].members;
                    let own = members.iter().find(|(v, _)| v == var);
                    own.and_then(|(_, places)| places.get(case).cloned())
                }
                _ => row_of(e)
                    .and_then(|(table, index)| row(self.program, self.tables, table, index, case)),
            };
            let Some(mut place) = place else {
                *sound = false;
                return;
            };
            let span = e.span;
            change(&mut place, &mut |part| part.span = span);
            *e = place;
        }
        if let ExprKind::Deref(of) = &e.kind
            && let ExprKind::AddrOf(place) = &of.kind
        {
            *e = (**place).clone();
        }
    }

    /// A number that starts as something which depends on a choice.
    pub(super) fn value(&mut self, var: VarId, choice: &Choice, copies: u32) -> Option<()> {
        if !self.in_init(&self.program.var(var).init, choice) {
            return Some(());
        }
        let Some(Init::Expr(value)) = self.program.var(var).init.clone() else {
            return None;
        };
        let count = self.count(choice);
        if copies * count as u32 > COPIES {
            return None;
        }
        let mut sound = true;
        let all: Vec<Expr> = (0..count)
            .map(|case| {
                let mut own = (*value).clone();
                change(&mut own, &mut |e| {
                    self.put(e, choice, case, &mut sound);
                    e.span.hi = e
                        .span
                        .hi
                        .saturating_sub(case as u32 * copies)
                        .max(e.span.lo + 1);
                });
                own
            })
            .collect();
        let chosen = one_of(&self.selector(choice), &all);
        self.program.vars[var.0 as usize].init = Some(Init::Expr(Box::new(chosen)));
        sound.then_some(())
    }
}

fn equals(selector: &Expr, case: usize) -> Expr {
    let span = selector.span;
    let value = Expr::int(case as i128, selector.ty.clone(), span);
    Expr {
        kind: ExprKind::Binary(BinaryOp::Eq, Box::new(selector.clone()), Box::new(value)),
        ty: INT,
        span,
    }
}

/// The statement of the case that the selector gives.
fn branches(selector: &Expr, all: &[Stmt], span: Span) -> Stmt {
    decided(selector, all, &|cond, then, other| {
        let kind = StmtKind::If {
            cond,
            then: Box::new(then),
            otherwise: Some(Box::new(other)),
        };
        stmt(kind, span)
    })
}

/// The value of the case that the selector gives.
fn one_of(selector: &Expr, all: &[Expr]) -> Expr {
    decided(selector, all, &|cond, then: Expr, other| Expr {
        ty: then.ty.clone(),
        span: then.span,
        kind: ExprKind::Cond(Box::new(cond), Box::new(then), Box::new(other)),
    })
}

/// What the selector decides for, by forks at its conditions, or at each of its values.
fn decided<T: Clone>(selector: &Expr, all: &[T], fork: &dyn Fn(Expr, T, T) -> T) -> T {
    match (&selector.kind, all) {
        (ExprKind::Cond(cond, yes, no), _) => fork(
            (**cond).clone(),
            decided(yes, all, fork),
            decided(no, all, fork),
        ),
        (ExprKind::Int(case), _) => all[*case as usize].clone(),
        (_, [no, yes]) => fork(selector.clone(), yes.clone(), no.clone()),
        _ => {
            let mut cases = all.iter().enumerate().rev();
            let (_, last) = cases.next().expect("a choice has cases");
            cases.fold(last.clone(), |rest, (case, own)| {
                fork(equals(selector, case), own.clone(), rest)
            })
        }
    }
}

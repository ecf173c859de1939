//! Local pointers that are given one of several places, `src = g->step % 2 ? g->next : g->cur`, or `c = a->x` in one branch and
//! `c = a->y` in another, and tables of such places, `double *field[3] = { s.u, s.v, s.p }`: the statements that use them are
//! written once for each place.
//!
//! Pointers into such places that are exchanged with each other, `t = cur; cur = next; next = t`, are chosen together, too, and
//! each exchange leads to the next choice.
//!
//! That needs places which hold what they held when they were chosen, as long as the pointer is used: `life` looks for that.
//! `unfold` writes the statements. Where two pointers are chosen together, by one condition, so are the statements.

mod cases;
mod events;
mod groups;
mod life;
mod number;
mod tree;
mod unfold;

use self::events::{events, formats, places, tables};
use self::groups::{rings, together};
use self::life::Life;
use crate::lower::is_null;
use crate::typed::{BinaryOp, Expr, ExprKind, FnId, Init, Program, VarId};

/// Writes what uses such pointers once for each place; whether there was one.
pub(crate) fn unfold(program: &mut Program) -> bool {
    let ids: Vec<FnId> = program.defined().collect();
    let mut changed = false;
    for id in ids {
        changed |= function(program, id);
    }
    changed
}

fn function(program: &mut Program, id: FnId) -> bool {
    let life = Life::new(program, id);
    let tables = tables(program, &life);
    let formats = formats(program, &life);
    let mut events = events(program, id, &tables, &formats);
    events.retain(|(var, own)| {
        certain(program, &life, *var)
            && own.iter().all(|e| {
                let mut all = true;
                places(&e.tree, &tables, &mut |place| {
                    all &= life.stays(program, *var, place);
                });
                all
            })
    });
    let mut picks = rings(program, id, &mut events);
    while !events.is_empty() {
        if let Some(pick) = together(program, id, &life, &tables, &mut events) {
            picks.push(pick);
        }
    }
    let used: Vec<VarId> = tables.iter().map(|t| t.var).collect();
    if picks.is_empty() && used.is_empty() {
        return false;
    }
    let before = program.clone();
    if unfold::rewrite(program, id, &picks, &tables).is_some() {
        true
    } else {
        *program = before;
        false
    }
}

/// Whether a pointer that starts as null is only followed: nobody asks whether it still is.
fn certain(program: &Program, life: &Life, var: VarId) -> bool {
    if !matches!(&program.var(var).init, Some(Init::Expr(e)) if is_null(e)) {
        return true;
    }
    let (mut followed, mut all) = (0, 0);
    life.each(program, &mut |e| {
        let is = |e: &Expr| e.stripped().as_var() == Some(var);
        all += usize::from(e.as_var() == Some(var));
        followed += usize::from(match &e.kind {
            ExprKind::Index(of, _)
            | ExprKind::Deref(of)
            | ExprKind::Assign(of, _)
            | ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, of, _) => is(of),
            _ => false,
        });
    });
    all == followed
}

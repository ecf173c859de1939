//! Which pointers are chosen together: by the same conditions, or by being exchanged with each other.

use super::tree::{Event, PLACES, Pick, Table, Tree};
use std::collections::HashMap;

use super::life::Life;
use super::number::{alike, number, once};
use crate::ctypes::INT;
use crate::source::Span;
use crate::translate::base::swap::swaps;
use crate::typed::{Expr, ExprKind, FnId, Program, Storage, Var, VarId};

/// The choice that the first of these pointers is part of; takes the pointers out.
pub(super) fn together(
    program: &mut Program,
    id: FnId,
    life: &Life,
    tables: &[Table],
    events: &mut Vec<(VarId, Vec<Event>)>,
) -> Option<Pick> {
    let mut group = vec![events.remove(0)];
    while let Some((_, next)) = events.first() {
        let (_, last) = &group[group.len() - 1];
        let beside = next.len() == last.len()
            && next.iter().zip(last).all(|(a, b)| {
                a.block == b.block
                    && (a.index == b.index || a.index == b.index + 1)
                    && alike(program, &a.tree, &b.tree)
            });
        if !beside {
            break;
        }
        group.push(events.remove(0));
    }
    let (first, own) = &group[0];
    let mut cases: Vec<Vec<Expr>> = Vec::new();
    let mut numbers = Vec::new();
    for at in 0..own.len() {
        let trees: Vec<&Tree> = group.iter().map(|(_, e)| &e[at].tree).collect();
        numbers.push(number(program, tables, &trees, &mut cases, own[at].at)?);
    }
    if cases.len() > PLACES {
        return None;
    }
    let span = own[0].at;
    let direct = match &numbers[..] {
        [only] if life.fixed(program, *first, only) && once(program, only, cases.len()) => {
            Some(only.clone())
        }
        _ => None,
    };
    let events = own.iter().map(|e| e.at).zip(numbers).collect();
    let vars: Vec<VarId> = group.iter().map(|(v, _)| *v).collect();
    let places = |at: usize| cases.iter().map(|c| c[at].clone()).collect();
    let members = vars
        .iter()
        .enumerate()
        .map(|(at, v)| (*v, places(at)))
        .collect();
    if let Some(selector) = direct {
        return Some(Pick {
            selector,
            members,
            number: None,
            events,
            turns: HashMap::new(),
        });
    }
    let var = fresh(program, id, *first);
    Some(Pick {
        selector: named(var, span),
        members,
        number: Some(var),
        events,
        turns: HashMap::new(),
    })
}

fn named(var: VarId, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Var(var),
        ty: INT,
        span,
    }
}

/// A number in the place of a pointer.
fn fresh(program: &mut Program, id: FnId, like: VarId) -> VarId {
    let like = program.var(like).clone();
    let var = VarId(program.vars.len() as u32);
    program.vars.push(Var {
        name: format!("{}_choice", like.name),
        ty: INT,
        storage: Storage::Local,
        constant: false,
        init: None,
        typedef: None,
        array_param: None,
        extents: Vec::new(),
        owner: Some(id),
        ..like
    });
    var
}

/// The pointers that are exchanged with each other and set to one place each; takes them out.
pub(super) fn rings(
    program: &mut Program,
    id: FnId,
    events: &mut Vec<(VarId, Vec<Event>)>,
) -> Vec<Pick> {
    let Some(body) = &program.function(id).body else {
        return Vec::new();
    };
    let swaps = swaps(program, body);
    let mut rings: Vec<(Vec<VarId>, HashMap<Span, usize>)> = Vec::new();
    for (span, places, count) in swaps.all() {
        let Some(vars) = places.iter().map(Expr::as_var).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let known = rings.iter_mut().find(|(ring, _)| {
            let turned =
                |by: usize| (0..ring.len()).all(|at| ring[(at + by) % ring.len()] == vars[at]);
            ring.len() == vars.len() && (0..ring.len()).any(turned)
        });
        match known {
            Some((_, turns)) => _ = turns.insert(span, count),
            None => rings.push((vars, HashMap::from([(span, count)]))),
        }
    }
    let shared = |var: &VarId| rings.iter().filter(|(ring, _)| ring.contains(var)).count() > 1;
    let apart: Vec<bool> = rings
        .iter()
        .map(|(ring, _)| !ring.iter().any(shared))
        .collect();
    let mut out = Vec::new();
    for ((ring, turns), apart) in rings.into_iter().zip(apart) {
        let own: Vec<&Event> = ring
            .iter()
            .filter_map(|var| events.iter().find(|(v, _)| v == var))
            .filter_map(|(_, own)| match &own[..] {
                [only] if matches!(only.tree, Tree::Place(_)) => Some(only),
                _ => None,
            })
            .collect();
        let places: Vec<Expr> = own
            .iter()
            .filter_map(|e| match &e.tree {
                Tree::Place(place) => Some(place.clone()),
                _ => None,
            })
            .collect();
        let before = |at: &Span| own.iter().all(|e| e.at.hi <= at.lo);
        let set = own.len() == ring.len()
            && own
                .iter()
                .all(|e| e.block == own[0].block && e.index.abs_diff(own[0].index) < ring.len())
            && turns.keys().all(before);
        if apart && set {
            let at = own[0].at;
            let first = ring[0];
            let members = ring
                .iter()
                .enumerate()
                .map(|(member, var)| {
                    let place = |case: usize| places[(member + case) % places.len()].clone();
                    (*var, (0..places.len()).map(place).collect())
                })
                .collect();
            let number = fresh(program, id, first);
            out.push(Pick {
                selector: named(number, at),
                members,
                number: Some(number),
                events: HashMap::from([(at, Expr::int(0, INT, at))]),
                turns,
            });
        }
        events.retain(|(var, _)| !ring.contains(var));
    }
    out
}

//! Structs with a table of rows that lie in the block of the first one, `d->row[0] = malloc(n * m); d->row[i] = d->row[0] + i * m`:
//! each row gets memory of its own, as `rows` does for tables in variables.
//!
//! Tables that are passed on as such, or whose first row is used as the whole block, are left alone.

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{alike, each, memory, position, runs_over_products};
use crate::ctypes::{StructId, Type};
use crate::typed::change::change_all;
use crate::typed::{BinaryOp, Expr, ExprKind, Program, UnaryOp, VarId, consts, walk};

type Field = (StructId, u32);

/// Gives the rows of such tables their own memory.
pub(super) fn separate(program: &mut Program) {
    let Some(malloc) = program.find_function("malloc") else {
        return;
    };
    let fields = fields(program);
    if fields.is_empty() {
        return;
    }
    let known = program.clone();
    change_all(program, &mut |e| {
        if let Some((field, length)) = row(&known, e)
            && fields.contains(&field)
            && let ExprKind::Assign(place, value) = &mut e.kind
        {
            **value = memory(malloc, &length, &place.ty);
        }
    });
}

/// The fields that are such tables and nothing else.
fn fields(program: &Program) -> BTreeSet<Field> {
    let mut placed: BTreeSet<Field> = BTreeSet::new();
    let mut bad: BTreeSet<Field> = BTreeSet::new();
    // Mentions of each, of its first row, and those of both that are known.
    let mut counts: BTreeMap<Field, [u32; 4]> = BTreeMap::new();
    let mut count = |field: Option<Field>, at: usize| {
        if let Some(field) = field {
            counts.entry(field).or_default()[at] += 1;
        }
    };
    each(program, &mut |e| {
        count(table(e), 0);
        count(first(e), 2);
        match &e.kind {
            ExprKind::Index(of, at) => {
                count(table(of), 1);
                let mut plain = true;
                walk::parts(program, at, &mut |p| {
                    plain &= !matches!(p.kind, ExprKind::Binary(BinaryOp::Mul, ..))
                        && p.as_var().is_none_or(|id| !runs_over_products(program, id));
                });
                count(first(of).filter(|_| plain), 3);
            }
            ExprKind::Deref(of) => count(table(of), 1),
            ExprKind::Assign(place, value) => {
                let call = matches!(value.stripped().kind, ExprKind::Call { .. });
                count(table(place).filter(|_| call || super::is_null(value)), 1);
                count(first(place).filter(|_| call), 3);
                if let ExprKind::Index(of, _) | ExprKind::Deref(of) = &place.kind
                    && let Some(field) = table(of)
                {
                    match row(program, e) {
                        Some(_) => {
                            placed.insert(field);
                            let mut starts = None;
                            walk::parts(program, value, &mut |p| starts = starts.or(first(p)));
                            count(starts, 3);
                        }
                        None if first(place).is_some() && call => {}
                        None => _ = bad.insert(field),
                    }
                }
            }
            ExprKind::Call { callee, args } if program.function(*callee).name == "free" => {
                count(args.first().and_then(|a| table(a.stripped())), 1);
                count(args.first().and_then(|a| first(a.stripped())), 3);
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                count(table(inner.stripped()), 1);
                count(first(inner.stripped()), 3);
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() && super::is_null(b) => {
                count(table(a.stripped()), 1);
                count(first(a.stripped()), 3);
            }
            _ => {}
        }
    });
    placed.retain(|field| {
        let [all, known, firsts, harmless] = counts.get(field).copied().unwrap_or_default();
        !bad.contains(field) && all == known && firsts == harmless
    });
    placed
}

/// The field that is a table of rows of numbers.
fn table(e: &Expr) -> Option<Field> {
    let row = e.ty.element()?;
    let numbers = row.is_pointer()
        && row
            .element()
            .is_some_and(|e| e.is_arithmetic() && !e.is_char());
    match &e.kind {
        ExprKind::Member(of, at) if numbers => match of.ty {
            Type::Struct(id) => Some((id, *at)),
            _ => None,
        },
        _ => None,
    }
}

/// The table of its first row.
fn first(e: &Expr) -> Option<Field> {
    match &e.kind {
        ExprKind::Index(of, at) if matches!(at.stripped().kind, ExprKind::Int(0)) => table(of),
        ExprKind::Deref(of) => table(of),
        _ => None,
    }
}

/// The variable that the struct of a table is reached by.
fn root(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(id) => Some(*id),
        ExprKind::Member(of, _) | ExprKind::Deref(of) => root(of),
        _ => None,
    }
}

/// The table in which an assignment places a row behind others of it, and the row's length.
fn row(program: &Program, e: &Expr) -> Option<(Field, Expr)> {
    let ExprKind::Assign(place, value) = &e.kind else {
        return None;
    };
    let ExprKind::Index(of, at) = &place.kind else {
        return None;
    };
    let field = table(of)?;
    let (start, offset) = position(value)?;
    let start = start.stripped();
    let (ExprKind::Index(other, _) | ExprKind::Deref(other)) = &start.kind else {
        return None;
    };
    if table(other) != Some(field) || root(other).is_none() || root(other) != root(of) {
        return None;
    }
    if first(start).is_some() {
        let ExprKind::Binary(BinaryOp::Mul, a, b) = &offset.stripped().kind else {
            return None;
        };
        let at = at.stripped();
        return if alike(a, at) {
            Some((field, (**b).clone()))
        } else {
            alike(b, at).then(|| (field, (**a).clone()))
        };
    }
    // `row[i - 1] + m`
    let ExprKind::Index(_, before) = &start.kind else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Sub, i, one) = &before.stripped().kind else {
        return None;
    };
    let one = consts::int_value(one, program) == Some(1);
    (one && alike(i, at.stripped())).then(|| (field, offset.clone()))
}

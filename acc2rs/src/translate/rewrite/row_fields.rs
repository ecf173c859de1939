//! Structs that hold a block of memory and a table of rows in it, `m->row[i] = m->data + i * m->cols`: the table's elements
//! become numbers, positions in the block.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::arena::{Field, apart, bodies, field, member, offset, stmts, types};
use crate::ctypes::{SIZE, Type};
use crate::lower::is_null;
use crate::translate::base::usage::{quiet, same};
use crate::typed::change::{change, change_all};
use crate::typed::{BinaryOp, Expr, ExprKind, Program};

/// Makes the elements of such tables positions; whether there was one.
pub(crate) fn positions(program: &mut Program) -> bool {
    let tables = tables(program);
    if tables.is_empty() {
        return false;
    }
    let [rows, blocks] = [
        types(program, tables.keys()),
        types(program, tables.values()),
    ];
    let numbers = Type::pointer(SIZE);
    let is = |e: &Expr| {
        let own = member(e)?;
        Some((own, *tables.get(&own)?))
    };
    change_all(program, &mut |e| {
        if is(e).is_some() {
            e.ty = numbers.clone();
            return;
        }
        // `m->row[i]` is `m->data + m->row[i]`.
        let (ExprKind::Index(table, _) | ExprKind::Deref(table)) = &e.kind else {
            let ExprKind::Assign(place, value) = &mut e.kind else {
                return;
            };
            if let Some((own, _)) = is(place) {
                // The table's memory holds numbers.
                change(value, &mut |part| {
                    if part.ty == rows[&own] {
                        part.ty = numbers.clone();
                    }
                    if let ExprKind::SizeOf(ty) = &mut part.kind
                        && ty.is_pointer()
                    {
                        *ty = SIZE;
                    }
                });
                e.ty = numbers.clone();
            } else if let ExprKind::Binary(BinaryOp::Add, _, position) = &place.kind
                && let ExprKind::Index(table, _) | ExprKind::Deref(table) = &position.kind
                && is(table).is_some()
            {
                **place = (**position).clone();
                **value = offset(value);
                e.ty = SIZE;
            }
            return;
        };
        let Some((_, block)) = is(table) else { return };
        let ExprKind::Member(object, _) = &table.kind else {
            return;
        };
        let span = e.span;
        let memory = Expr {
            kind: ExprKind::Member(object.clone(), block.1),
            ty: blocks[&block].clone(),
            span,
        };
        let ty = std::mem::replace(&mut e.ty, SIZE);
        let kind = ExprKind::Binary(BinaryOp::Add, Box::new(memory), Box::new(e.clone()));
        *e = Expr { kind, ty, span };
    });
    for (of, at) in tables.keys() {
        if let Some(fields) = &mut program.structs[of.0 as usize].fields {
            fields[*at as usize].ty = numbers.clone();
        }
    }
    true
}

/// The fields that are such tables, with the fields that hold their blocks.
fn tables(program: &Program) -> BTreeMap<Field, Field> {
    let mut found: BTreeMap<Field, BTreeSet<u32>> = BTreeMap::new();
    let mut bad: BTreeSet<Field> = BTreeSet::new();
    let (mut mentions, mut known): (HashMap<Field, u32>, HashMap<Field, u32>) = Default::default();
    let mut given: HashMap<Field, u32> = HashMap::new();
    let table = |e: &Expr| field(e).filter(|_| e.ty.element().is_some_and(Type::is_pointer));
    for (_, stmt) in stmts(program) {
        crate::typed::walk::exprs(program, stmt, &mut |e| {
            match &e.kind {
                ExprKind::Member(object, _) => {
                    if let Some(own) = table(e) {
                        *mentions.entry(own).or_default() += 1;
                        if !quiet(program, object) {
                            bad.insert(own);
                        }
                    }
                }
                ExprKind::Index(of, _) | ExprKind::Deref(of) => {
                    if let Some(own) = table(of) {
                        *known.entry(own).or_default() += 1;
                    }
                }
                ExprKind::AddrOf(place) => {
                    if let ExprKind::Index(of, _) | ExprKind::Deref(of) = &place.kind {
                        bad.extend(table(of));
                    }
                }
                ExprKind::Call { callee, args } if program.function(*callee).name == "free" => {
                    if let Some(own) = table(args[0].stripped()) {
                        *known.entry(own).or_default() += 1;
                    }
                    // A row that is freed has memory of its own.
                    if let ExprKind::Index(of, _) | ExprKind::Deref(of) = &args[0].stripped().kind {
                        bad.extend(table(of));
                    }
                }
                ExprKind::Unary(_, inner) => {
                    if let Some(own) = table(inner) {
                        *known.entry(own).or_default() += 1;
                    }
                }
                ExprKind::Binary(op, a, b) if op.is_comparison() && is_null(b) => {
                    if let Some(own) = table(a.stripped()) {
                        *known.entry(own).or_default() += 1;
                    }
                    if let ExprKind::Index(of, _) | ExprKind::Deref(of) = &a.stripped().kind {
                        bad.extend(table(of));
                    }
                }
                ExprKind::Assign(place, value) => {
                    if let Some(own) = table(place) {
                        let memory = matches!(&value.stripped().kind, ExprKind::Call { callee, .. }
                            if crate::translate::base::flows::allocates(&program.function(*callee).name));
                        *known.entry(own).or_default() += u32::from(memory || is_null(value));
                    }
                    if let Some(own) = field(place)
                        && !is_null(value)
                    {
                        *given.entry(own).or_default() += 1;
                    }
                    let (ExprKind::Index(of, _) | ExprKind::Deref(of)) = &place.kind else {
                        return;
                    };
                    let (Some(own), ExprKind::Member(object, _)) = (table(of), &of.kind) else {
                        return;
                    };
                    let (start, _) = apart(value);
                    match &start.kind {
                        ExprKind::Member(holder, _) if same(holder, object) => {
                            match field(start).filter(|f| f.0 == own.0 && *f != own) {
                                Some(block) => _ = found.entry(own).or_default().insert(block.1),
                                None => _ = bad.insert(own),
                            }
                        }
                        // Behind another row.
                        ExprKind::Index(other, _) | ExprKind::Deref(other)
                            if same(other, of) && quiet(program, value) => {}
                        _ => _ = bad.insert(own),
                    }
                }
                _ => {}
            }
        });
    }
    let exchanged: BTreeSet<Field> = bodies(program)
        .flat_map(|(_, body)| {
            let swaps = crate::translate::base::swap::swaps(program, body);
            swaps.places().filter_map(field).collect::<Vec<_>>()
        })
        .collect();
    found
        .into_iter()
        .filter_map(|(own, blocks)| {
            let mut blocks = blocks.into_iter();
            let block = (own.0, blocks.next()?);
            let fields = program.structure(own.0).fields.as_ref()?;
            let rows = fields[own.1 as usize].ty.element()?.element()?;
            let elements = fields[block.1 as usize].ty.element()?;
            let fits = blocks.next().is_none()
                && rows == elements
                && *rows != Type::Void
                && !bad.contains(&own)
                && mentions.get(&own) == known.get(&own)
                && given.get(&block) == Some(&1)
                && !exchanged.contains(&block)
                && !exchanged.contains(&own);
            fits.then_some((own, block))
        })
        .collect()
}

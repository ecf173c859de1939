//! Tables of rows that lie in one block, `m[i] = m[0] + i * cols` or `m[i] = &data[i * cols]`: each row gets memory of its own.
//!
//! That is the same to a program which reaches the elements by `m[i][j]` only. The table stays as it is, and is refused
//! later, where the block is used as a whole: by its own name, or through the first row.

use crate::ctypes::{SIZE, Type};
use crate::typed::change::change_all;
use crate::typed::{BinaryOp, Expr, ExprKind, FnId, Program, VarId, walk};

/// Gives the rows of such tables their own memory.
pub(super) fn separate(program: &mut Program) {
    let Some(malloc) = program.find_function("malloc") else {
        return;
    };
    let mut blocks: Vec<Option<VarId>> = Vec::new();
    each(program, &mut |e| {
        if let Some((_, block)) = row(program, e) {
            blocks.push(block);
        }
    });
    if blocks.is_empty() {
        return;
    }
    let mut lent = false;
    if used_whole(program, &blocks) {
        let mut tried = program.clone();
        if !super::lent_rows::lend(&mut tried) || used_whole(&tried, &blocks) {
            return;
        }
        *program = tried;
        lent = true;
    }
    let known = std::mem::take(program);
    let mut changed = known.clone();
    let mut all = true;
    change_all(&mut changed, &mut |e| {
        let length = match row(&known, e) {
            Some((length, _)) => Some(length),
            // Rows that are put together are of one length, the first one, too.
            None if lent => {
                let first = super::lent_rows::first_length(&known, e);
                all &= first.is_some() || !starts(&known, e);
                first
            }
            None => None,
        };
        if let Some(length) = length
            && let ExprKind::Assign(place, value) = &mut e.kind
        {
            **value = memory(malloc, &length, &place.ty);
        }
    });
    *program = if all { changed } else { known };
}

/// Whether an expression sets the first row of a table in which rows are placed.
fn starts(program: &Program, e: &Expr) -> bool {
    let ExprKind::Assign(place, value) = &e.kind else {
        return false;
    };
    let Some(table) = first_row(place).filter(|_| !super::is_null(value)) else {
        return false;
    };
    let mut placed = false;
    each(program, &mut |e| {
        if let ExprKind::Assign(place, _) = &e.kind
            && let ExprKind::Index(of, _) = &place.kind
        {
            placed |= named(of) == Some(table) && row(program, e).is_some();
        }
    });
    placed
}

pub(super) fn each(program: &Program, f: &mut dyn FnMut(&Expr)) {
    for id in program.defined() {
        let stmts = program.function(id).body.iter().flat_map(|b| &b.stmts);
        stmts.for_each(|s| walk::exprs(program, s, f));
    }
}

/// `(T *)malloc(length * sizeof(T))`
pub(super) fn memory(malloc: FnId, length: &Expr, ty: &Type) -> Expr {
    let span = length.span;
    let expr = |kind, ty| Expr { kind, ty, span };
    let cast = |value: Expr, ty: &Type| {
        let kind = ExprKind::Cast {
            explicit: false,
            value: Box::new(value),
        };
        expr(kind, ty.clone())
    };
    let element = ty.element().cloned().unwrap_or(Type::Void);
    let size = expr(ExprKind::SizeOf(element), SIZE);
    let count = Box::new(cast(length.clone(), &SIZE));
    let bytes = expr(ExprKind::Binary(BinaryOp::Mul, count, Box::new(size)), SIZE);
    let call = ExprKind::Call {
        callee: malloc,
        args: vec![bytes],
    };
    cast(expr(call, Type::pointer(Type::Void)), ty)
}

/// The length of the row that an assignment places in a block, and the block if it has a name of its own.
pub(super) fn row(program: &Program, e: &Expr) -> Option<(Expr, Option<VarId>)> {
    let ExprKind::Assign(place, value) = &e.kind else {
        return None;
    };
    let ExprKind::Index(table, at) = &place.kind else {
        return None;
    };
    let (table, at) = (named(table)?, at.stripped());
    if !place.ty.is_pointer() {
        return None;
    }
    let (start, offset) = position(value)?;
    let length = match &offset.stripped().kind {
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            if alike(a, at) {
                Some(&**b)
            } else {
                alike(b, at).then_some(&**a)
            }
        }
        _ => None,
    };
    match &start.stripped().kind {
        ExprKind::Var(block) if start.stripped().ty.is_pointer() => {
            Some((length?.clone(), Some(*block)))
        }
        _ if first_row(start) == Some(table) => Some((length?.clone(), None)),
        // `m[i] = m[i - 1] + cols`
        ExprKind::Index(same, before) if named(same) == Some(table) => {
            let ExprKind::Binary(BinaryOp::Sub, i, one) = &before.stripped().kind else {
                return None;
            };
            let one = crate::typed::consts::int_value(one, program) == Some(1);
            (one && alike(i, at)).then(|| (offset.clone(), None))
        }
        _ => None,
    }
}

/// `start + offset` or `&start[offset]`.
pub(super) fn position(value: &Expr) -> Option<(&Expr, &Expr)> {
    match &value.stripped().kind {
        ExprKind::Binary(BinaryOp::Add, start, offset) => Some((start, offset)),
        ExprKind::AddrOf(place) => match &place.kind {
            ExprKind::Index(start, offset) => Some((start, offset)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn alike(a: &Expr, b: &Expr) -> bool {
    matches!((&a.stripped().kind, &b.stripped().kind), (ExprKind::Var(a), ExprKind::Var(b)) if a == b)
}

/// The variable that is a table, or that points to one.
pub(super) fn named(table: &Expr) -> Option<VarId> {
    match &table.stripped().kind {
        ExprKind::Var(id) => Some(*id),
        ExprKind::Deref(inner) => inner.as_var().filter(|_| table.ty.is_pointer()),
        _ => None,
    }
}

/// The table of `m[0]` or `*m`.
pub(super) fn first_row(e: &Expr) -> Option<VarId> {
    let e = e.stripped();
    if !e.ty.is_pointer() || e.ty.element().is_some_and(Type::is_pointer) {
        return None;
    }
    match &e.kind {
        ExprKind::Deref(table) => named(table),
        ExprKind::Index(table, at) if matches!(at.stripped().kind, ExprKind::Int(0)) => {
            named(table)
        }
        _ => None,
    }
}

/// The types of the rows that are placed in blocks.
pub(super) fn row_types(program: &Program) -> Vec<Type> {
    let mut out = Vec::new();
    each(program, &mut |e| {
        if let ExprKind::Assign(place, _) = &e.kind
            && row(program, e).is_some()
            && !out.contains(&place.ty)
        {
            out.push(place.ty.clone());
        }
    });
    out
}

/// Whether a table may be one of such rows; the arguments of the program are texts.
pub(super) fn holds_rows(program: &Program, types: &[Type], table: VarId) -> bool {
    let main = program.find_function("main");
    let argv = main.and_then(|main| program.function(main).params.get(1).copied());
    let mut row = program.var(table).ty.element();
    // A pointer to a table.
    while let Some(inner) = row.and_then(Type::element).filter(|e| e.is_pointer()) {
        row = if row.is_some_and(Type::is_pointer) {
            Some(inner)
        } else {
            break;
        };
    }
    argv != Some(table) && row.is_some_and(|row| types.contains(row))
}

/// Whether a block is used as a whole: under its own name, or as the first row of some table.
fn used_whole(program: &Program, blocks: &[Option<VarId>]) -> bool {
    // Mentions, and those among them that are harmless.
    let (mut all, mut harmless) = (0, 0);
    let types = row_types(program);
    let whole = |e: &Expr| {
        first_row(e).is_some_and(|table| holds_rows(program, &types, table))
            || e.as_var().is_some_and(|id| blocks.contains(&Some(id)))
    };
    let count = |e: &Expr| {
        let mut n = 0;
        walk::parts(program, e, &mut |p| n += u32::from(counted(p) && whole(p)));
        n
    };
    each(program, &mut |e| {
        if counted(e) && whole(e) {
            all += 1;
        }
        match &e.kind {
            // Rows are placed in it, it gets its memory.
            ExprKind::Assign(place, value) => {
                if row(program, e).is_some() {
                    harmless += count(value);
                } else if whole(place) && matches!(value.stripped().kind, ExprKind::Call { .. }) {
                    harmless += 1;
                }
            }
            ExprKind::Call { callee, args } if program.function(*callee).name == "free" => {
                harmless += args.iter().map(&count).sum::<u32>();
            }
            // Tests for null.
            ExprKind::Unary(crate::typed::UnaryOp::Not, inner) if whole(inner.stripped()) => {
                harmless += 1;
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() && super::is_null(b) => {
                harmless += u32::from(whole(a.stripped()));
            }
            // `m[0][j]` with an index that is no product: an element of the first row.
            ExprKind::Index(base, at)
                if whole(base)
                    && first_row(base).is_some()
                    && matches!(base.kind, ExprKind::Index(..) | ExprKind::Deref(_)) =>
            {
                let mut plain = true;
                walk::parts(program, at, &mut |p| {
                    plain &= !matches!(p.kind, ExprKind::Binary(BinaryOp::Mul, ..))
                        && p.as_var().is_none_or(|id| !runs_over_products(program, id));
                });
                harmless += u32::from(plain);
            }
            _ => {}
        }
    });
    all != harmless
}

/// Conversions are passed over: what they convert is counted itself.
fn counted(e: &Expr) -> bool {
    !matches!(e.kind, ExprKind::Cast { .. } | ExprKind::Decay(_))
}

/// Whether a variable is compared with a product, as one that runs over a whole block is.
pub(crate) fn runs_over_products(program: &Program, id: VarId) -> bool {
    let mut found = false;
    each(program, &mut |e| {
        if let ExprKind::Binary(op, a, b) = &e.kind
            && op.is_comparison()
            && a.stripped().as_var() == Some(id)
        {
            found |= matches!(b.stripped().kind, ExprKind::Binary(BinaryOp::Mul, ..));
        }
    });
    found
}

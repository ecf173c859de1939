//! Tables of rows in a block that is also used by its own name, `wall[i] = data + cols * i` with `data[…]` beside `wall[i][j]`:
//! an element of the table becomes the one of the block, a row the position where it starts, and the table is needed no more.
//!
//! `lower::rows` gives the rows of other tables memory of their own.

use std::collections::HashMap;

use crate::ctypes::Type;
use crate::lower::is_null;
use crate::source::Span;
use crate::translate::base::places::is_global;
use crate::typed::change::change_all;
use crate::typed::{
    BinaryOp, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, UnaryOp, VarId, consts, walk,
};

/// Where the rows of a table lie: in which block, how far apart, and where that is said.
struct View {
    block: VarId,
    stride: Expr,
    placed: (FnId, Span),
}

/// Makes elements of such tables elements of their blocks; whether there was one.
pub(crate) fn flatten(program: &mut Program) -> bool {
    let mut views: HashMap<VarId, Option<View>> = HashMap::new();
    for id in program.defined() {
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| {
                if let Some((table, block, stride)) = placed(e) {
                    let view = View {
                        block,
                        stride: stride.clone(),
                        placed: (id, e.span),
                    };
                    // Rows that are placed twice may lie elsewhere the second time.
                    let twice = views.contains_key(&table);
                    views.insert(table, (!twice).then_some(view));
                }
            });
        }
    }
    let mut views: HashMap<VarId, View> = views
        .into_iter()
        .filter_map(|(table, view)| Some((table, view?)))
        .collect();
    views.retain(|table, view| only_elements(program, *table) && lasts(program, *table, view));
    if views.is_empty() {
        return false;
    }
    change_all(program, &mut |e| {
        if let ExprKind::Index(row, at) = &e.kind
            && let ExprKind::Index(table, line) = &row.kind
            && let Some(view) = table.as_var().and_then(|id| views.get(&id))
        {
            let span = e.span;
            let ty = line.ty.clone();
            let expr = |kind, ty: &Type| Expr {
                kind,
                ty: ty.clone(),
                span,
            };
            let stride = Box::new(expr(
                ExprKind::Cast {
                    explicit: false,
                    value: Box::new(view.stride.clone()),
                },
                &ty,
            ));
            let stride = if view.stride.ty == ty {
                Box::new(view.stride.clone())
            } else {
                stride
            };
            let start = expr(ExprKind::Binary(BinaryOp::Mul, line.clone(), stride), &ty);
            let at = if at.ty == ty {
                at.clone()
            } else {
                Box::new(expr(
                    ExprKind::Cast {
                        explicit: false,
                        value: at.clone(),
                    },
                    &ty,
                ))
            };
            let index = expr(ExprKind::Binary(BinaryOp::Add, Box::new(start), at), &ty);
            let block = expr(ExprKind::Var(view.block), &row.ty);
            e.kind = ExprKind::Index(Box::new(block), Box::new(index));
        }
    });
    for function in &mut program.functions {
        let stmts = function.body.iter_mut().flat_map(|b| &mut b.stmts);
        stmts.for_each(|s| forget(s, &views));
    }
    change_all(program, &mut |e| {
        if let ExprKind::Index(table, line) = &e.kind
            && let Some(view) = table.as_var().and_then(|id| views.get(&id))
        {
            *e = start(view, line, e);
        }
    });
    for table in views.keys() {
        let var = &mut program.vars[table.0 as usize];
        var.init = None;
    }
    true
}

/// Where a row starts: `block + line * stride`.
fn start(view: &View, line: &Expr, row: &Expr) -> Expr {
    let expr = |kind, ty: &Type| Expr {
        kind,
        ty: ty.clone(),
        span: row.span,
    };
    let block = expr(ExprKind::Var(view.block), &row.ty);
    if matches!(line.stripped().kind, ExprKind::Int(0)) {
        return block;
    }
    let stride = view.stride.clone().converted(&line.ty);
    let by = ExprKind::Binary(BinaryOp::Mul, Box::new(line.clone()), Box::new(stride));
    let by = expr(by, &line.ty);
    expr(
        ExprKind::Binary(BinaryOp::Add, Box::new(block), Box::new(by)),
        &row.ty,
    )
}

/// `table[i] = block + stride * i` or `&block[i * stride]`.
fn placed(e: &Expr) -> Option<(VarId, VarId, &Expr)> {
    let ExprKind::Assign(place, value) = &e.kind else {
        return None;
    };
    let ExprKind::Index(table, at) = &place.kind else {
        return None;
    };
    if !place.ty.is_pointer() {
        return None;
    }
    let (start, offset) = match &value.stripped().kind {
        ExprKind::Binary(BinaryOp::Add, start, offset) => (start, offset),
        ExprKind::AddrOf(inner) => match &inner.kind {
            ExprKind::Index(start, offset) => (start, offset),
            _ => return None,
        },
        _ => return None,
    };
    let ExprKind::Binary(BinaryOp::Mul, a, b) = &offset.stripped().kind else {
        return None;
    };
    let line = at.stripped().as_var()?;
    let stride = if a.stripped().as_var() == Some(line) {
        b
    } else if b.stripped().as_var() == Some(line) {
        a
    } else {
        return None;
    };
    Some((
        table.as_var()?,
        start.stripped().as_var()?,
        stride.stripped(),
    ))
}

/// Whether a table is only given memory, freed, asked for, and used by its elements and rows.
fn only_elements(program: &Program, table: VarId) -> bool {
    let (mut all, mut known) = (0, 0);
    each(program, &mut |_, e| {
        let is = |e: &Expr| e.stripped().as_var() == Some(table);
        let row =
            |e: &Expr| matches!(&e.kind, ExprKind::Index(of, _) if of.as_var() == Some(table));
        all += u32::from(e.as_var() == Some(table));
        known += u32::from(match &e.kind {
            ExprKind::Index(of, _) => of.as_var() == Some(table),
            ExprKind::AddrOf(place)
            | ExprKind::Compound { place, .. }
            | ExprKind::Step { place, .. } => {
                known += 2 * u32::from(row(place));
                false
            }
            ExprKind::Assign(place, value) => {
                // A row that is set elsewhere is no part of the block.
                known += 2 * u32::from(row(place) && placed(e).is_none());
                place.as_var() == Some(table)
                    && (is_null(value) || matches!(value.stripped().kind, ExprKind::Call { .. }))
            }
            ExprKind::Call { callee, args } => {
                program.function(*callee).name == "free" && args.iter().any(is)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => is(inner),
            ExprKind::Binary(op, a, b) => op.is_comparison() && is(a) && is_null(b),
            _ => false,
        });
    });
    all == known
}

/// Whether block and stride stay what they were when the rows were placed, and are seen where the table is.
fn lasts(program: &Program, table: VarId, view: &View) -> bool {
    let stride = view.stride.as_var();
    let constant = consts::int_value(&view.stride, program).is_some();
    if stride.is_none() && !constant {
        return false;
    }
    let seen = |id: VarId| !is_global(program, table) || is_global(program, id);
    let mut fixed = seen(view.block) && stride.is_none_or(seen);
    each(program, &mut |function, e| {
        if let ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. } = &e.kind
            && let Some(id) = place.as_var()
            && (id == view.block || Some(id) == stride)
        {
            // Only before the rows are placed, in the same function.
            fixed &= function == view.placed.0 && e.span.hi <= view.placed.1.lo;
        }
        if let ExprKind::AddrOf(place) = &e.kind
            && let Some(id) = place.as_var()
        {
            fixed &= id != view.block && Some(id) != stride && id != table;
        }
    });
    let initial = program.var(table).init.as_ref();
    fixed && initial.is_none_or(|i| matches!(i, Init::Expr(e) if allocation(e)))
}

fn allocation(e: &Expr) -> bool {
    is_null(e) || matches!(e.stripped().kind, ExprKind::Call { .. })
}

fn each(program: &Program, f: &mut dyn FnMut(FnId, &Expr)) {
    for id in program.defined() {
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| f(id, e));
        }
    }
}

/// Takes out what only concerns the tables themselves.
fn forget(stmt: &mut Stmt, views: &HashMap<VarId, View>) {
    let table = |e: &Expr| {
        e.stripped()
            .as_var()
            .is_some_and(|id| views.contains_key(&id))
    };
    match &mut stmt.kind {
        StmtKind::Expr(e) => {
            let gone = match &e.kind {
                ExprKind::Assign(place, _) => {
                    table(place) || matches!(&place.kind, ExprKind::Index(of, _) if table(of))
                }
                ExprKind::Call { args, .. } => matches!(&args[..], [only] if table(only)),
                _ => false,
            };
            if gone {
                stmt.kind = StmtKind::Empty;
            }
        }
        StmtKind::Decl(vars) => {
            vars.retain(|id| !views.contains_key(id));
            if vars.is_empty() {
                stmt.kind = StmtKind::Empty;
            }
        }
        StmtKind::Block(b) => b.stmts.iter_mut().for_each(|s| forget(s, views)),
        StmtKind::If {
            cond,
            then,
            otherwise,
        } => {
            // What happens where memory is short.
            if asks(cond, &table) {
                stmt.kind = StmtKind::Empty;
                return;
            }
            forget(then, views);
            otherwise.iter_mut().for_each(|s| forget(s, views));
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => forget(body, views),
        StmtKind::Switch { arms, .. } => {
            let stmts = arms.iter_mut().flat_map(|a| &mut a.body);
            stmts.for_each(|s| forget(s, views));
        }
        _ => {}
    }
}

/// Whether a condition asks whether a table is null.
fn asks(cond: &Expr, table: &dyn Fn(&Expr) -> bool) -> bool {
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => table(inner),
        ExprKind::Binary(BinaryOp::Eq, a, b) => table(a) && is_null(b),
        _ => false,
    }
}

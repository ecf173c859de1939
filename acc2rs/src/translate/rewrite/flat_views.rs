//! Locals that name all elements of an array of arrays, `double *flux = &tally->flux[0][0]`: an element by that name becomes the
//! one of the array, `tally->flux[i / m][i % m]`, and where the name is passed on, the array is.

use std::collections::{HashMap, HashSet};

use crate::ctypes::{Extent, SIZE, Type};
use crate::lower::rows::runs_over_products;
use crate::translate::base::places::is_global;
use crate::translate::base::usage::quiet;
use crate::typed::change::{change_all, each_stmt};
use crate::typed::{
    BinaryOp, Expr, ExprKind, Init, Program, StmtKind, Storage, VarId, consts, copy, walk,
};

/// What such a name stands for.
struct View {
    /// The array, or a pointer to its first row.
    rows: Expr,
    /// The lengths of its rows, and of the rows in those.
    lengths: Vec<u64>,
    /// What the name is set to.
    value: Expr,
}

/// Lets the elements of such arrays be reached by the arrays' own names; whether there was one.
pub(crate) fn unfold(program: &mut Program) -> bool {
    let mut views: HashMap<VarId, View> = HashMap::new();
    for (at, var) in program.vars.iter().enumerate() {
        if var.storage == Storage::Local
            && let Some(Init::Expr(value)) = &var.init
            && let Some((rows, lengths)) = view(value, &var.ty)
        {
            let value = (**value).clone();
            views.insert(
                VarId(at as u32),
                View {
                    rows,
                    lengths,
                    value,
                },
            );
        }
    }
    if views.is_empty() {
        return false;
    }
    let mut set: HashSet<VarId> = HashSet::new();
    let mut beyond: HashSet<VarId> = HashSet::new();
    each(program, &mut |e| match &e.kind {
        ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. }
        | ExprKind::AddrOf(place) => set.extend(place.as_var()),
        ExprKind::Index(of, at) => {
            let Some(id) = of.as_var() else { return };
            if let Some(view) = views.get(&id) {
                if !quiet(program, at) {
                    set.insert(id);
                }
                if leaves_row(program, view, at) {
                    beyond.insert(id);
                }
            }
        }
        _ => {}
    });
    views.retain(|id, view| {
        // `a[0]` is one row where it is used as one.
        let whole = matches!(view.value.stripped().kind, ExprKind::AddrOf(_))
            || matches!(view.value.kind, ExprKind::Cast { explicit: true, .. })
            || beyond.contains(id);
        let mut fixed = true;
        walk::parts(program, &view.rows, &mut |part| {
            fixed &= match &part.kind {
                ExprKind::Var(root) => {
                    !part.ty.is_pointer() || !set.contains(root) && !is_global(program, *root)
                }
                ExprKind::Member(..) => !part.ty.is_pointer(),
                ExprKind::Deref(of) => of.as_var().is_some(),
                ExprKind::Decay(_) => true,
                _ => false,
            };
        });
        whole && fixed && !set.contains(id)
    });
    if views.is_empty() {
        return false;
    }
    change_all(program, &mut |e| {
        if let ExprKind::Index(of, at) = &e.kind
            && let ExprKind::AddrOf(_) | ExprKind::Cast { .. } | ExprKind::Decay(_) = &of.kind
            && let Some(view) = views
                .values()
                .find(|v| of.span == v.value.span && **of == v.value)
        {
            *e = element(view, at, e);
        } else if let ExprKind::Deref(of) = &e.kind
            && let Some(view) = views
                .values()
                .find(|v| of.span == v.value.span && **of == v.value)
        {
            *e = element(view, &Expr::int(0, SIZE, e.span), e);
        } else if let Some(view) = e.as_var().and_then(|id| views.get(&id)) {
            // Inner ones come first: what is indexed is looked at after this.
            *e = view.value.clone();
        }
    });
    for function in &mut program.functions {
        for stmt in function.body.iter_mut().flat_map(|b| &mut b.stmts) {
            copy::in_directives(stmt, &mut |e| {
                if let Some(view) = e.as_var().and_then(|id| views.get(&id)) {
                    *e = view.rows.stripped().clone();
                }
            });
            each_stmt(stmt, &mut |s| {
                if let StmtKind::Decl(vars) = &mut s.kind {
                    vars.retain(|id| !views.contains_key(id));
                    if vars.is_empty() {
                        s.kind = StmtKind::Empty;
                    }
                }
            });
        }
    }
    for id in views.keys() {
        program.vars[id.0 as usize].init = None;
    }
    true
}

fn each(program: &Program, f: &mut dyn FnMut(&Expr)) {
    for id in program.defined() {
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, f);
        }
    }
}

/// The array at whose first element a pointer of this type is set, and the lengths of its rows.
fn view(value: &Expr, ty: &Type) -> Option<(Expr, Vec<u64>)> {
    let first = |at: &Expr| matches!(at.stripped().kind, ExprKind::Int(0));
    let rows = match &value.kind {
        ExprKind::AddrOf(place) => {
            let mut place = &**place;
            loop {
                let ExprKind::Index(of, at) = &place.kind else {
                    return None;
                };
                if !first(at) {
                    return None;
                }
                match undecayed(of) {
                    inner if matches!(inner.kind, ExprKind::Index(..)) => place = inner,
                    rows => break rows,
                }
            }
        }
        ExprKind::Decay(place) => {
            let ExprKind::Index(of, at) = &place.kind else {
                return None;
            };
            if !first(at) {
                return None;
            }
            undecayed(of)
        }
        ExprKind::Cast { value, .. } if value.ty.is_pointer() => match &value.kind {
            ExprKind::Decay(array)
                if matches!(array.kind, ExprKind::Var(_) | ExprKind::Member(..)) =>
            {
                array
            }
            _ => return view(value, ty),
        },
        _ => return None,
    };
    let mut lengths = Vec::new();
    let mut row = rows.ty.element()?;
    while let Type::Array(of, extent) = row {
        let Extent::Fixed(length) = extent else {
            return None;
        };
        lengths.push(*length);
        row = of;
    }
    let number = row.is_arithmetic() && ty.element() == Some(row);
    (number && !lengths.is_empty()).then(|| (rows.clone(), lengths))
}

fn undecayed(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Decay(inner) => inner,
        _ => e,
    }
}

/// Whether an index may lead beyond the first row: it is a product, or runs up to one.
fn leaves_row(program: &Program, view: &View, at: &Expr) -> bool {
    let row = i128::from(*view.lengths.last().unwrap_or(&1));
    let mut found = consts::int_value(at, program).is_some_and(|n| n >= row);
    walk::parts(program, at, &mut |part| {
        found |= matches!(part.kind, ExprKind::Binary(BinaryOp::Mul, ..))
            || part.as_var().is_some_and(|id| {
                runs_over_products(program, id) || runs_to(program, id).is_some_and(|n| n > row)
            });
    });
    found
}

/// The greatest constant that a variable is compared with.
fn runs_to(program: &Program, id: VarId) -> Option<i128> {
    let mut most = None;
    each(program, &mut |e| {
        if let ExprKind::Binary(op, a, b) = &e.kind
            && op.is_comparison()
            && a.stripped().as_var() == Some(id)
        {
            most = most.max(consts::int_value(b, program));
        }
    });
    most
}

/// The element of the array that a number counts through all of it.
fn element(view: &View, at: &Expr, e: &Expr) -> Expr {
    let span = e.span;
    let at = at.clone();
    let by = |op, n: u64| {
        let n = Expr::int(i128::from(n), at.ty.clone(), span);
        match &at.kind {
            ExprKind::Int(0) => at.clone(),
            _ => Expr {
                kind: ExprKind::Binary(op, Box::new(at.clone()), Box::new(n)),
                ty: at.ty.clone(),
                span,
            },
        }
    };
    let mut place = view.rows.clone();
    for depth in 0..=view.lengths.len() {
        let below: u64 = view.lengths[depth..].iter().product();
        // How many of what lies below this index there are in one above it.
        let index = match depth {
            0 => by(BinaryOp::Div, below),
            _ if below == 1 => by(BinaryOp::Rem, view.lengths[depth - 1]),
            _ => {
                let rest = by(BinaryOp::Rem, below * view.lengths[depth - 1]);
                let n = Expr::int(i128::from(below), rest.ty.clone(), span);
                Expr {
                    ty: rest.ty.clone(),
                    kind: ExprKind::Binary(BinaryOp::Div, Box::new(rest), Box::new(n)),
                    span,
                }
            }
        };
        let ty = place.ty.element().cloned().unwrap_or(Type::Void);
        let kind = ExprKind::Index(Box::new(place), Box::new(index));
        place = Expr { kind, ty, span };
    }
    place
}

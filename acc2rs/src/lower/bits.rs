//! Numbers whose bits are read as another type of the same size: `*(unsigned *)&f`, `memcpy(&u, &f, sizeof u)`, and pointers
//! that see an array so. They become [`ExprKind::Bits`] of the number.

use std::collections::{HashMap, HashSet};

use crate::ctypes::{IntKind, Type};
use crate::source::Span;
use crate::typed::change::change_all;
use crate::typed::{Expr, ExprKind, Init, Program, StmtKind, Storage, VarId, consts, walk};

/// Finds such numbers.
pub(super) fn read(program: &mut Program) {
    seen_as(program);
    let statements = statements(program);
    let known = program.clone();
    change_all(program, &mut |e| {
        copied(&known, e, &statements);
        converted(&known, e);
        stored(e);
    });
}

/// Whether the bits of one type can be those of the other: numbers of the same size, none of them a truth value.
fn fits(program: &Program, from: &Type, to: &Type) -> bool {
    let plain = |ty: &Type| {
        ty.is_arithmetic() && *ty != Type::Int(IntKind::Bool) && *ty != Type::LongDouble
    };
    from != to
        && plain(from)
        && plain(to)
        && consts::size_of(from, program) == consts::size_of(to, program)
}

/// The bits of `value` as a number of type `to`.
pub(super) fn bits(value: Expr, to: &Type) -> Expr {
    if value.ty == *to {
        return value;
    }
    let span = value.span;
    Expr {
        kind: ExprKind::Bits(Box::new(value)),
        ty: to.clone(),
        span,
    }
}

/// What a pointer points to, as a place.
fn target(pointer: &Expr) -> Option<Expr> {
    let span = pointer.span;
    match &pointer.kind {
        ExprKind::Cast { value, .. } if value.ty.is_pointer() => target(value),
        ExprKind::AddrOf(place) => Some((**place).clone()),
        ExprKind::Decay(_) => {
            let zero = Expr::int(0, crate::ctypes::INT, span);
            let ty = pointer.ty.element()?.clone();
            let kind = ExprKind::Index(Box::new(pointer.clone()), Box::new(zero));
            Some(Expr { kind, ty, span })
        }
        _ => {
            let ty = pointer.ty.element()?.clone();
            let kind = ExprKind::Deref(Box::new(pointer.clone()));
            Some(Expr { kind, ty, span })
        }
    }
}

/// Calls whose value nobody uses.
fn statements(program: &Program) -> HashSet<Span> {
    let mut out = HashSet::new();
    for body in program.defined().flat_map(|id| &program.function(id).body) {
        walk::stmts(program, body, &mut |s| {
            if let StmtKind::Expr(e) = &s.kind {
                out.insert(e.stripped().span);
            }
        });
    }
    out
}

/// `memcpy(&u, &f, sizeof u)` as an assignment.
fn copied(program: &Program, e: &mut Expr, statements: &HashSet<Span>) {
    let ExprKind::Call { callee, args } = &e.kind else {
        return;
    };
    let name = program.function(*callee).name.as_str();
    let name = name.trim_start_matches("__builtin_");
    let ([to, from, size], true) = (&args[..], matches!(name, "memcpy" | "memmove")) else {
        return;
    };
    let (Some(to), Some(from)) = (target(to), target(from)) else {
        return;
    };
    let whole = consts::int_value(size, program).map(|n| n as u64);
    if statements.contains(&e.span)
        && fits(program, &from.ty, &to.ty)
        && whole == consts::size_of(&to.ty, program)
    {
        let value = bits(from, &to.ty);
        e.ty = to.ty.clone();
        e.kind = ExprKind::Assign(Box::new(to), Box::new(value));
    }
}

/// `*(unsigned *)&f` and `((unsigned *)x)[i]`
fn converted(program: &Program, e: &mut Expr) {
    let ty = e.ty.clone();
    let (pointer, index) = match &e.kind {
        ExprKind::Deref(pointer) => (pointer, None),
        ExprKind::Index(pointer, index) => (pointer, Some(index)),
        _ => return,
    };
    let ExprKind::Cast { value, .. } = &pointer.kind else {
        return;
    };
    let Some(from) = value.ty.element() else {
        return;
    };
    if !fits(program, from, &ty) {
        return;
    }
    let span = e.span;
    let place = match index {
        Some(index) => Some(Expr {
            kind: ExprKind::Index(value.clone(), index.clone()),
            ty: from.clone(),
            span,
        }),
        None => target(value),
    };
    if let Some(place) = place {
        *e = bits(place, &ty);
        e.span = span;
    }
}

/// Stores to the bits of a place: what is stored becomes the place's own type.
pub(super) fn stored(e: &mut Expr) {
    let span = e.span;
    let made = match &e.kind {
        ExprKind::Assign(place, value) => match &place.kind {
            ExprKind::Bits(inner) => Some((inner, (**value).clone())),
            _ => None,
        },
        ExprKind::Compound {
            op,
            place,
            value,
            common,
        } => match &place.kind {
            ExprKind::Bits(inner) => {
                let cast = |value: Expr, ty: &Type| {
                    if value.ty == *ty {
                        return value;
                    }
                    let kind = ExprKind::Cast {
                        explicit: false,
                        value: Box::new(value),
                    };
                    let ty = ty.clone();
                    Expr { kind, ty, span }
                };
                let old = cast((**place).clone(), common);
                let kind = ExprKind::Binary(*op, Box::new(old), value.clone());
                let ty = common.clone();
                let new = Expr { kind, ty, span };
                Some((inner, cast(new, &place.ty)))
            }
            _ => None,
        },
        _ => None,
    };
    if let Some((inner, value)) = made {
        let value = bits(value, &inner.ty);
        e.ty = inner.ty.clone();
        e.kind = ExprKind::Assign(inner.clone(), Box::new(value));
    }
}

/// Locals `unsigned *u = (unsigned *)x` that are only indexed: they point to what `x` does, and each use is of its bits.
fn seen_as(program: &mut Program) {
    let mut found: HashMap<VarId, Type> = HashMap::new();
    for (at, var) in program.vars.iter().enumerate() {
        if var.storage == Storage::Local
            && let Some(Init::Expr(value)) = &var.init
            && let ExprKind::Cast { value: from, .. } = &value.kind
            && let (Some(own), Some(other)) = (var.ty.element(), from.ty.element())
            && fits(program, other, own)
        {
            found.insert(VarId(at as u32), from.ty.clone());
        }
    }
    if found.is_empty() {
        return;
    }
    let (mut mentions, mut indexed): (HashMap<VarId, u32>, HashMap<VarId, u32>) =
        Default::default();
    let mut look = |e: &Expr| match &e.kind {
        ExprKind::Var(id) => *mentions.entry(*id).or_default() += 1,
        ExprKind::Index(p, _) | ExprKind::Deref(p) => {
            if let Some(id) = p.as_var() {
                *indexed.entry(id).or_default() += 1;
            }
        }
        _ => {}
    };
    for body in program.defined().flat_map(|id| &program.function(id).body) {
        body.stmts
            .iter()
            .for_each(|s| walk::exprs(program, s, &mut look));
    }
    found.retain(|id, _| mentions.get(id) == indexed.get(id));
    for (id, ty) in &found {
        let var = &mut program.vars[id.0 as usize];
        var.ty = ty.clone();
        if let Some(Init::Expr(value)) = &mut var.init
            && let ExprKind::Cast { value: from, .. } = &value.kind
        {
            **value = (**from).clone();
        }
    }
    change_all(program, &mut |e| {
        let ty = e.ty.clone();
        let (ExprKind::Index(pointer, _) | ExprKind::Deref(pointer)) = &mut e.kind else {
            return;
        };
        if let Some(own) = pointer.as_var().and_then(|id| found.get(&id)) {
            pointer.ty = own.clone();
            e.ty = own.element().cloned().unwrap_or(Type::Void);
            *e = bits(e.clone(), &ty);
        }
    });
}

//! Locals through which the bytes of numbers are read, `unsigned char *p = (unsigned char *)x`, as checksums and tests of the
//! order of bytes do: `p[i]` becomes a part of the bits of `x[i / 8]`, the lowest first.

use std::collections::{HashMap, HashSet};

use super::bits::bits;
use crate::ctypes::{IntKind, SIZE, Type};
use crate::source::Span;
use crate::typed::change::change_all;
use crate::typed::{BinaryOp, Expr, ExprKind, Init, Program, Storage, VarId, consts, walk};

/// What the bytes of are read.
#[derive(Clone)]
struct View {
    /// A pointer to the first number, or the only number itself.
    numbers: Expr,
    single: bool,
}

/// Makes bytes that are read through such locals, or through a conversion, parts of numbers.
pub(super) fn read(program: &mut Program) {
    let mut views: HashMap<VarId, View> = HashMap::new();
    for (at, var) in program.vars.iter().enumerate() {
        if var.storage == Storage::Local
            && let Some(Init::Expr(value)) = &var.init
            && let Some(view) = view(value)
        {
            views.insert(VarId(at as u32), view);
        }
    }
    let mut stored: HashSet<Span> = HashSet::new();
    let (mut mentions, mut followed): (HashMap<VarId, u32>, HashMap<VarId, u32>) =
        Default::default();
    let known = &*program;
    let mut look = |e: &Expr| match &e.kind {
        ExprKind::Var(id) => *mentions.entry(*id).or_default() += 1,
        ExprKind::Index(..) | ExprKind::Deref(_) => {
            if let Some((pointer, _)) = byte(known, e)
                && let Some(id) = pointer.as_var()
            {
                *followed.entry(id).or_default() += 1;
            }
        }
        ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. }
        | ExprKind::AddrOf(place) => {
            stored.insert(place.span);
            if let Some((pointer, _)) = byte(known, place)
                && let Some(id) = pointer.as_var()
            {
                *mentions.entry(id).or_default() += 1;
            }
        }
        _ => {}
    };
    for body in known.defined().flat_map(|id| &known.function(id).body) {
        body.stmts
            .iter()
            .for_each(|s| walk::exprs(known, s, &mut look));
    }
    views.retain(|id, _| mentions.contains_key(id) && mentions.get(id) == followed.get(id));
    for (id, view) in &views {
        let var = &mut program.vars[id.0 as usize];
        let (ty, init) = if view.single {
            // It is needed no more.
            (SIZE, None)
        } else {
            (
                view.numbers.ty.clone(),
                Some(Init::Expr(Box::new(view.numbers.clone()))),
            )
        };
        (var.ty, var.init) = (ty, init);
    }
    let known = program.clone();
    change_all(program, &mut |e| {
        let Some((pointer, at)) = byte(&known, e) else {
            return;
        };
        let view = match pointer.as_var() {
            Some(id) => views.get(&id).map(|view| {
                let mut view = view.clone();
                if !view.single {
                    view.numbers = Expr {
                        kind: ExprKind::Var(id),
                        span: pointer.span,
                        ..view.numbers
                    };
                }
                view
            }),
            None if stored.contains(&e.span) => None,
            None => view_of(pointer),
        };
        if let Some(view) = view
            && let Some(part) = part(&known, &view, &at, e)
        {
            *e = part;
        }
    });
}

fn view(value: &Expr) -> Option<View> {
    view_of(value).filter(|v| !v.single || lasting(&v.numbers))
}

/// What a pointer to bytes is converted from, if that is a pointer to larger numbers.
fn view_of(pointer: &Expr) -> Option<View> {
    let ExprKind::Cast { value, .. } = &pointer.kind else {
        return None;
    };
    let bytes = pointer.ty.element()?;
    let number = value.ty.element()?;
    let plain = match number {
        Type::Int(kind) => kind.size() > 1,
        Type::Float | Type::Double => true,
        _ => false,
    };
    if !matches!(bytes, Type::Int(kind) if kind.size() == 1 && *kind != IntKind::Bool) || !plain {
        return None;
    }
    Some(match &value.kind {
        ExprKind::AddrOf(place) if !matches!(place.kind, ExprKind::Index(..)) => View {
            numbers: (**place).clone(),
            single: true,
        },
        _ => View {
            numbers: (**value).clone(),
            single: false,
        },
    })
}

/// Whether a place is the same one wherever it is named: a variable, or a field of one.
fn lasting(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Var(_) => true,
        ExprKind::Member(of, _) => lasting(of),
        _ => false,
    }
}

/// Through which pointer what byte is read, `p[i]` or `*(p + i)`, if that may be computed twice.
fn byte<'e>(program: &Program, e: &'e Expr) -> Option<(&'e Expr, Expr)> {
    let (pointer, at) = match &e.kind {
        ExprKind::Index(pointer, at) => (&**pointer, (**at).clone()),
        ExprKind::Deref(pointer) => match &pointer.kind {
            ExprKind::Binary(BinaryOp::Add, pointer, at) if pointer.ty.is_pointer() => {
                (&**pointer, (**at).clone())
            }
            _ => (&**pointer, Expr::int(0, SIZE, e.span)),
        },
        _ => return None,
    };
    walk::quiet(program, &at).then_some((pointer, at))
}

/// The byte as a part of a number.
fn part(program: &Program, view: &View, at: &Expr, e: &Expr) -> Option<Expr> {
    let span = e.span;
    let number = if view.single {
        &view.numbers.ty
    } else {
        view.numbers.ty.element()?
    };
    let size = i128::from(consts::size_of(number, program)?);
    let word = Type::Int(match size {
        2 => IntKind::UShort,
        4 => IntKind::UInt,
        8 => IntKind::ULong,
        _ => return None,
    });
    let constant = consts::int_value(at, program);
    let at = at.clone().converted(&SIZE);
    let by = |op, n: i128| match constant {
        Some(at) => Expr::int(
            if op == BinaryOp::Div { at / n } else { at % n },
            SIZE,
            span,
        ),
        None => {
            let n = Box::new(Expr::int(n, SIZE, span));
            Expr {
                kind: ExprKind::Binary(op, Box::new(at.clone()), n),
                ty: SIZE,
                span,
            }
        }
    };
    let place = if view.single {
        view.numbers.clone()
    } else {
        let index = Box::new(by(BinaryOp::Div, size));
        Expr {
            kind: ExprKind::Index(Box::new(view.numbers.clone()), index),
            ty: number.clone(),
            span,
        }
    };
    let mut word = bits(place, &word);
    // Shifts are computed in `int` at least.
    if size == 2 {
        word = word.converted(&Type::Int(IntKind::UInt));
    }
    let ty = word.ty.clone();
    let shift = match by(BinaryOp::Rem, size) {
        Expr {
            kind: ExprKind::Int(n),
            ..
        } => Expr::int(8 * n, SIZE, span),
        rest => Expr {
            kind: ExprKind::Binary(
                BinaryOp::Mul,
                Box::new(Expr::int(8, SIZE, span)),
                Box::new(rest),
            ),
            ty: SIZE,
            span,
        },
    };
    let kind = match shift.kind {
        ExprKind::Int(0) => word.kind,
        _ => ExprKind::Binary(BinaryOp::Shr, Box::new(word), Box::new(shift)),
    };
    // What is cut off is not to be seen by what converts the byte further.
    let kind = ExprKind::Cast {
        explicit: true,
        value: Box::new(Expr { kind, ty, span }),
    };
    let ty = e.ty.clone();
    Some(Expr { kind, ty, span })
}

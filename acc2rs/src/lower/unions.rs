//! Unions of numbers: the union becomes an unsigned number of its size, and a member the bits of that.
//!
//! Members may be numbers of any size up to eight bytes, and arrays of numbers that are only read. Other unions stay, and are
//! refused where they are used.

use std::collections::{BTreeMap, BTreeSet};

use super::bits::{bits, stored};
use crate::ctypes::{Extent, FnType, INT, IntKind, StructId, Type};
use crate::typed::change::change_all;
use crate::typed::{BinaryOp, Expr, ExprKind, Init, ItemKind, Program, UnaryOp, consts, walk};

/// Writes such unions as numbers.
pub(super) fn numbers(program: &mut Program) {
    let found = found(program);
    if found.is_empty() {
        return;
    }
    let known = program.clone();
    let own = |ty: &Type| match ty {
        Type::Struct(id) => found.get(id).cloned(),
        _ => None,
    };
    change_all(program, &mut |e| {
        member(&known, e, &own);
        stored(e);
        whole(e);
        if let ExprKind::Literal(init) = &e.kind
            && let Some(carrier) = own(&e.ty)
        {
            *e = start(&known, init, &e.ty, &carrier, e);
        }
    });
    for at in 0..program.vars.len() {
        let ty = program.vars[at].ty.clone();
        if let Some(mut init) = program.vars[at].init.take() {
            initial(&known, &mut init, &ty, &own);
            program.vars[at].init = Some(init);
        }
    }
    change_all(program, &mut |e| {
        retyped(&mut e.ty, &own);
        if let ExprKind::SizeOf(ty) = &mut e.kind {
            retyped(ty, &own);
        }
        if let ExprKind::Compound { common, .. } = &mut e.kind {
            retyped(common, &own);
        }
    });
    let vars = program.vars.iter_mut().map(|v| &mut v.ty);
    let fields = program.structs.iter_mut().filter_map(|s| s.fields.as_mut());
    let fields = fields.flatten().map(|f| &mut f.ty);
    let typedefs = program.typedefs.iter_mut().map(|t| &mut t.ty);
    for ty in vars.chain(fields).chain(typedefs) {
        retyped(ty, &own);
    }
    for var in &mut program.vars {
        if var.typedef.is_some() && matches!(var.ty.innermost(), Type::Int(_)) {
            var.typedef = None;
        }
    }
    for function in &mut program.functions {
        function_type(&mut function.ty, &own);
    }
    program
        .items
        .retain(|i| !matches!(i.kind, ItemKind::Struct(id) if found.contains_key(&id)));
}

/// The unions that are numbers, with the types of those.
fn found(program: &Program) -> BTreeMap<StructId, Type> {
    let mut out = BTreeMap::new();
    for (at, shape) in program.structs.iter().enumerate() {
        let id = StructId(at as u32);
        let number = |ty: &Type| {
            ty.is_arithmetic() && *ty != Type::Int(IntKind::Bool) && *ty != Type::LongDouble
        };
        let plain = |ty: &Type| match ty {
            Type::Array(of, Extent::Fixed(_)) => number(of),
            other => number(other),
        };
        let fields = shape.fields.as_ref().filter(|f| !f.is_empty());
        let carrier = match consts::size_of(&Type::Struct(id), program) {
            Some(4) => Type::Int(IntKind::UInt),
            Some(8) => Type::Int(IntKind::ULong),
            _ => continue,
        };
        if shape.union && fields.is_some_and(|f| f.iter().all(|f| plain(&f.ty))) {
            out.insert(id, carrier);
        }
    }
    let mut bad: BTreeSet<StructId> = BTreeSet::new();
    let union = |e: &Expr| match &e.kind {
        ExprKind::Member(base, _) => match base.ty {
            Type::Struct(id) if program.structure(id).union => Some(id),
            _ => None,
        },
        _ => None,
    };
    let mut look = |e: &Expr| match &e.kind {
        ExprKind::AddrOf(place) => {
            let mut inner = &**place;
            while let ExprKind::Index(base, _) | ExprKind::Decay(base) = &inner.kind {
                inner = base;
            }
            bad.extend(union(inner));
        }
        ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. } => {
            let mut inner = &**place;
            let mut indexed = false;
            while let ExprKind::Index(base, _) | ExprKind::Decay(base) | ExprKind::Deref(base) =
                &inner.kind
            {
                inner = base;
                indexed = true;
            }
            let step = matches!(e.kind, ExprKind::Step { .. });
            if indexed || step {
                bad.extend(union(inner));
            }
            // The place is named twice.
            let mut quiet = true;
            walk::parts(program, place, &mut |p| {
                quiet &= !matches!(
                    p.kind,
                    ExprKind::Call { .. } | ExprKind::Step { .. } | ExprKind::Assign(..)
                );
            });
            if !quiet {
                bad.extend(union(place));
            }
        }
        // An array of the union as a pointer, but where it is indexed.
        ExprKind::Decay(array) => bad.extend(union(array)),
        ExprKind::Index(base, _) => {
            if let ExprKind::Decay(array) = &base.kind
                && let Some(id) = union(array)
            {
                bad.insert(id);
            }
        }
        _ => {}
    };
    for stmt in program
        .defined()
        .flat_map(|id| &program.function(id).body)
        .flat_map(|b| &b.stmts)
    {
        walk::exprs(program, stmt, &mut look);
    }
    out.retain(|id, _| !bad.contains(id));
    out
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let (span, ty) = (a.span, a.ty.clone());
    let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
    Expr { kind, ty, span }
}

/// The unsigned type of a number's size.
fn unsigned(program: &Program, ty: &Type) -> Type {
    Type::Int(match consts::size_of(ty, program) {
        Some(1) => IntKind::UChar,
        Some(2) => IntKind::UShort,
        Some(4) => IntKind::UInt,
        _ => IntKind::ULong,
    })
}

/// A member as the bits of the number.
fn member(program: &Program, e: &mut Expr, own: &dyn Fn(&Type) -> Option<Type>) {
    match &e.kind {
        ExprKind::Member(base, _) if e.ty.is_arithmetic() => {
            let Some(carrier) = own(&base.ty) else { return };
            let mut held = (**base).clone();
            held.ty = carrier;
            let part = held.converted(&unsigned(program, &e.ty));
            *e = if part.ty == e.ty {
                // A node of its own, so that stores to it are seen.
                Expr {
                    kind: ExprKind::Bits(Box::new(part)),
                    ty: e.ty.clone(),
                    span: e.span,
                }
            } else {
                bits(part, &e.ty)
            };
        }
        // `u.bytes[i]`
        ExprKind::Index(array, index) => {
            let ExprKind::Member(base, _) = &array.kind else {
                return;
            };
            let (Some(carrier), Some(size)) = (own(&base.ty), consts::size_of(&e.ty, program))
            else {
                return;
            };
            let mut held = (**base).clone();
            held.ty = carrier;
            let width = Expr::int(i128::from(8 * size), INT, e.span);
            let by = binary(BinaryOp::Mul, (**index).clone().converted(&INT), width);
            let shifted = binary(BinaryOp::Shr, held, by);
            let ty = e.ty.clone();
            *e = bits(shifted.converted(&unsigned(program, &ty)), &ty);
        }
        _ => {}
    }
}

/// A store to a member that is smaller than the number leaves the other bits as they are.
fn whole(e: &mut Expr) {
    let ExprKind::Assign(place, value) = &mut e.kind else {
        return;
    };
    let ExprKind::Cast {
        explicit: false,
        value: held,
    } = &place.kind
    else {
        return;
    };
    let (narrow, wide) = (place.ty.clone(), held.ty.clone());
    if !matches!(wide, Type::Int(IntKind::UInt | IntKind::ULong)) {
        return;
    }
    let mask = match narrow {
        Type::Int(IntKind::UChar) => 0xff,
        Type::Int(IntKind::UShort) => 0xffff,
        _ => 0xffff_ffff,
    };
    let span = e.span;
    let not = Expr {
        kind: ExprKind::Unary(
            UnaryOp::BitNot,
            Box::new(Expr::int(mask, wide.clone(), span)),
        ),
        ty: wide.clone(),
        span,
    };
    let kept = binary(BinaryOp::BitAnd, (**held).clone(), not);
    let new = (**value).clone().converted(&wide);
    let held = held.clone();
    **value = binary(BinaryOp::BitOr, kept, new);
    *place = held;
    e.ty = wide;
}

/// What a union starts as.
fn start(program: &Program, init: &Init, ty: &Type, carrier: &Type, at: &Expr) -> Expr {
    let Type::Struct(id) = ty else {
        return at.clone();
    };
    let fields = program.structure(*id).fields.as_ref();
    if let Init::List(list) = init
        && let [(member, Init::Expr(value))] = &list[..]
        && let Some(field) = fields.and_then(|f| f.get(*member as usize))
        && field.ty.is_arithmetic()
    {
        let part = bits(
            (**value).clone().converted(&field.ty),
            &unsigned(program, &field.ty),
        );
        return part.converted(carrier);
    }
    // Bytes, one after the other.
    let mut bytes: i128 = 0;
    if let Init::List(list) = init
        && let [(member, Init::List(parts))] = &list[..]
        && let Some(Type::Array(of, _)) =
            fields.and_then(|f| f.get(*member as usize)).map(|f| &f.ty)
        && let Some(size) = consts::size_of(of, program)
    {
        for (at, part) in parts {
            if let Init::Expr(value) = part {
                let value = consts::int_value(value, program).unwrap_or(0);
                let mask = (1_i128 << (8 * size)) - 1;
                bytes |= (value & mask) << (8 * size * at);
            }
        }
    }
    Expr::int(bytes, carrier.clone(), at.span)
}

/// Initializers of unions, however deep.
fn initial(program: &Program, init: &mut Init, ty: &Type, own: &dyn Fn(&Type) -> Option<Type>) {
    if let Some(carrier) = own(ty) {
        if matches!(init, Init::List(_)) {
            let at = Expr::int(0, carrier.clone(), crate::source::Span::default());
            let value = start(program, init, ty, &carrier, &at);
            *init = Init::Expr(Box::new(value));
        }
        return;
    }
    let Init::List(list) = init else { return };
    for (at, part) in list {
        match ty {
            Type::Array(of, _) => initial(program, part, of, own),
            Type::Struct(id) => {
                let fields = program.structure(*id).fields.as_ref();
                if let Some(field) = fields.and_then(|f| f.get(*at as usize)) {
                    initial(program, part, &field.ty.clone(), own);
                }
            }
            _ => {}
        }
    }
}

fn function_type(ty: &mut FnType, own: &dyn Fn(&Type) -> Option<Type>) {
    retyped(&mut ty.ret, own);
    ty.params.iter_mut().for_each(|p| retyped(p, own));
}

fn retyped(ty: &mut Type, own: &dyn Fn(&Type) -> Option<Type>) {
    if let Some(carrier) = own(ty) {
        *ty = carrier;
        return;
    }
    match ty {
        Type::Pointer { to, .. } | Type::Array(to, _) => retyped(to, own),
        Type::Function(of) => {
            let mut inner = (**of).clone();
            function_type(&mut inner, own);
            *ty = Type::Function(inner.into());
        }
        _ => {}
    }
}

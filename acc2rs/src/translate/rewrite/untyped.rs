//! Parameters `const void *data` of functions that read them as one type, `const unsigned char *p = data`: they get that type,
//! where every call passes such data. Functions that read bytes may be passed numbers, whose bytes are copied out for them.

use std::collections::HashMap;

use crate::ctypes::{IntKind, Type};
use crate::typed::change::change_all;
use crate::typed::{Expr, ExprKind, FnId, Program, Stmt, VarId, walk};

/// Gives such parameters the type they are read as; whether there was one.
pub(crate) fn typed(program: &mut Program) -> bool {
    let mut read: HashMap<VarId, Type> = HashMap::new();
    let mut places: HashMap<(FnId, usize), VarId> = HashMap::new();
    for id in program.defined() {
        let function = program.function(id);
        for (at, param) in function.params.iter().enumerate() {
            if program.var(*param).ty.element() == Some(&Type::Void)
                && let Some(ty) = read_as(program, id, *param)
            {
                read.insert(*param, ty);
                places.insert((id, at), *param);
            }
        }
    }
    for id in program.defined() {
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Call { callee, args } => {
                    for (at, arg) in args.iter().enumerate() {
                        if let Some(param) = places.get(&(*callee, at))
                            && let Some(ty) = read.get(param)
                            && !fits(arg, ty)
                            && !bytes_of(arg, ty)
                        {
                            read.remove(param);
                        }
                    }
                }
                // Who calls it through a pointer is not known.
                ExprKind::Function(id) => {
                    read.retain(|param, _| program.var(*param).owner != Some(*id));
                }
                _ => {}
            });
        }
    }
    if read.is_empty() {
        return false;
    }
    let bytes = program.library_function(BYTES, Type::pointer(Type::Void), Vec::new());
    for (id, ty) in &read {
        program.vars[id.0 as usize].ty = ty.clone();
    }
    for ((id, at), param) in &places {
        if let (Some(ty), Some(own)) = (
            read.get(param),
            program.functions[id.0 as usize].ty.params.get_mut(*at),
        ) {
            *own = ty.clone();
        }
    }
    change_all(program, &mut |e| match &mut e.kind {
        ExprKind::Var(id) => {
            if let Some(ty) = read.get(id) {
                e.ty = ty.clone();
            }
        }
        ExprKind::Call { callee, args } => {
            for (at, arg) in args.iter_mut().enumerate() {
                if let Some(ty) = places.get(&(*callee, at)).and_then(|p| read.get(p)) {
                    if !fits(arg, ty) {
                        let given = match &arg.kind {
                            ExprKind::Cast { value, .. } => (**value).clone(),
                            _ => arg.clone(),
                        };
                        arg.kind = ExprKind::Call {
                            callee: bytes,
                            args: vec![given],
                        };
                    }
                    arg.ty = ty.clone();
                }
            }
        }
        _ => {}
    });
    true
}

/// What `arg`, converted to `void *`, points to, and whether that can be passed as `ty`.
fn fits(arg: &Expr, ty: &Type) -> bool {
    let ExprKind::Cast { value, .. } = &arg.kind else {
        return false;
    };
    let literal = matches!(&arg.stripped().kind, ExprKind::Str(_));
    let bytes = ty.element().is_some_and(Type::is_char);
    value.ty.element() == ty.element() || literal && bytes
}

/// The name of the function that gives the bytes of numbers.
pub(crate) const BYTES: &str = "__builtin_bytes_of";

/// Whether an argument, converted to `const void *`, points to numbers whose bytes are read.
fn bytes_of(arg: &Expr, ty: &Type) -> bool {
    let ExprKind::Cast { value, .. } = &arg.kind else {
        return false;
    };
    let bytes =
        matches!(ty, Type::Pointer { to, constant: true } if **to == Type::Int(IntKind::UChar));
    let number = value.ty.element().is_some_and(|of| {
        of.is_arithmetic() && !matches!(of, Type::Int(IntKind::Bool) | Type::LongDouble)
    });
    let plain = matches!(
        value.stripped().kind,
        ExprKind::Var(_) | ExprKind::Member(..) | ExprKind::AddrOf(_)
    );
    bytes && number && plain
}

/// The type that all mentions of a parameter convert it to.
fn read_as(program: &Program, function: FnId, param: VarId) -> Option<Type> {
    let body = program.function(function).body.as_ref()?;
    let mut found: Option<Type> = None;
    let (mut mentions, mut casts, mut alike) = (0, 0, true);
    let mut look = |e: &Expr| match &e.kind {
        ExprKind::Var(id) if *id == param => mentions += 1,
        ExprKind::Cast { value, .. } if value.as_var() == Some(param) => {
            casts += 1;
            let to = e.ty.element().filter(|to| **to != Type::Void);
            alike &= to.is_some()
                && found
                    .as_ref()
                    .is_none_or(|known| known.element() == e.ty.element());
            found = Some(e.ty.clone());
        }
        _ => {}
    };
    body.stmts
        .iter()
        .for_each(|s: &Stmt| walk::exprs(program, s, &mut look));
    found.filter(|_| alike && mentions == casts)
}

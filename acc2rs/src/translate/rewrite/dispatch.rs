//! Pointers to functions that take or return arrays: each becomes a number, and a call through it one of a function that chooses
//! by the number.
//!
//! Rust's `fn` pointers need one signature, and what a slice may do differs from function to function. Numbers count the functions
//! whose address is taken from 1; a null pointer is 0. Pointers that may be null are numbers whatever their functions take.

use std::collections::BTreeSet;

use crate::ctypes::{FnType, INT, Type};
use crate::lower::is_null;
use crate::source::Span;
use crate::translate::base::function_types::{alike, only_numbers, pointed};
use crate::typed::change::change_all;
use crate::typed::{
    BinaryOp, Block, Expr, ExprKind, FnId, Function, Init, Item, ItemKind, Program, Stmt, StmtKind,
    Storage, Var, VarId, walk,
};

/// The functions that pointers of one type may hold, and the one that chooses among them.
struct Choice {
    ty: FnType,
    of: Vec<FnId>,
    by: FnId,
}

/// Makes such pointers numbers; whether there were any.
pub(crate) fn number(program: &mut Program) -> bool {
    let mut types: Vec<FnType> = Vec::new();
    let nulls = nulls(program);
    let mut held = |ty: &Type| held_types(ty, &nulls, &mut types);
    program.vars.iter().for_each(|v| held(&v.ty));
    let fields = program.structs.iter().filter(|s| s.user);
    fields
        .flat_map(|s| s.fields.iter().flatten())
        .for_each(|f| held(&f.ty));
    let taken = taken(program);
    let mut choices = Vec::new();
    for ty in types {
        let of: Vec<FnId> = taken
            .iter()
            .copied()
            .filter(|id| alike(&program.function(*id).ty, &ty))
            .collect();
        if of.is_empty() || of.iter().any(|id| program.function(*id).body.is_none()) {
            continue;
        }
        let by = chooser(program, &ty, &of);
        choices.push(Choice { ty, of, by });
    }
    if choices.is_empty() {
        return false;
    }
    rewrite(program, &choices);
    true
}

/// The types of functions, which take and return numbers, that some pointer set to null points to.
fn nulls(program: &Program) -> Vec<FnType> {
    let mut out = Vec::new();
    each(program, &mut |e| {
        if let Some(ty) = pointed(&e.ty)
            && null(e)
            && only_numbers(ty)
        {
            out.push(ty.clone());
        }
    });
    out
}

/// Whether an expression is a pointer to a function that is null.
fn null(e: &Expr) -> bool {
    e.ty.is_function_pointer()
        && matches!(&e.kind, ExprKind::Cast { value, .. } if is_null(value) || null(value))
}

/// The types of functions that a type points to, as far as they take or return pointers to data of a type, or are among
/// `nulls`.
fn held_types(ty: &Type, nulls: &[FnType], out: &mut Vec<FnType>) {
    let void = Type::pointer(Type::Void);
    let untyped = |t: &Type| t.element() == void.element();
    match ty {
        Type::Pointer { to, .. } | Type::Array(to, _) => match &**to {
            Type::Function(f) if !only_numbers(f) || nulls.iter().any(|n| alike(n, f)) => {
                let known = out.iter().any(|known| alike(known, f));
                if !known && !f.variadic && !f.params.iter().chain([&f.ret]).any(untyped) {
                    out.push((**f).clone());
                }
            }
            inner => held_types(inner, nulls, out),
        },
        _ => {}
    }
}

/// The functions whose address is taken.
fn taken(program: &Program) -> BTreeSet<FnId> {
    let mut out = BTreeSet::new();
    each(program, &mut |e| {
        if let ExprKind::Function(id) = e.kind {
            out.insert(id);
        }
    });
    out
}

/// Every expression, those of initializers among them.
fn each(program: &Program, look: &mut dyn FnMut(&Expr)) {
    for function in &program.functions {
        let stmts = function.body.iter().flat_map(|b| &b.stmts);
        stmts.for_each(|s| walk::exprs(program, s, look));
    }
    for init in program.vars.iter().filter_map(|v| v.init.as_ref()) {
        in_init(program, init, look);
    }
}

fn in_init(program: &Program, init: &Init, look: &mut dyn FnMut(&Expr)) {
    match init {
        Init::Expr(e) => walk::parts(program, e, look),
        Init::List(list) => list.iter().for_each(|(_, i)| in_init(program, i, look)),
    }
}

/// Adds the function that calls the one that its first argument is the number of.
fn chooser(program: &mut Program, ty: &FnType, of: &[FnId]) -> FnId {
    let id = FnId(program.functions.len() as u32);
    let first = program.function(of[0]).clone();
    let span = first.span;
    let expr = |kind, ty: &Type| Expr {
        kind,
        ty: ty.clone(),
        span,
    };
    let named: Vec<Option<String>> = first
        .params
        .iter()
        .map(|p| Some(program.var(*p).name.clone()))
        .collect();
    let mut parameter = |name: &str, ty: &Type| {
        program.vars.push(Var {
            name: name.to_string(),
            ty: ty.clone(),
            span,
            storage: Storage::Param,
            constant: false,
            defined: true,
            init: None,
            extents: Vec::new(),
            typedef: None,
            array_param: None,
            owner: Some(id),
        });
        VarId(program.vars.len() as u32 - 1)
    };
    let number = parameter("which", &INT);
    let given: Vec<VarId> = ty
        .params
        .iter()
        .enumerate()
        .map(|(at, ty)| {
            let name = named.get(at).cloned().flatten();
            parameter(name.as_deref().unwrap_or("value"), ty)
        })
        .collect();
    let stmt = |kind| Stmt {
        kind,
        span,
        directives: Vec::new(),
        comments: Vec::new(),
    };
    let calls = |callee: FnId| {
        let args = given.iter().zip(&ty.params);
        let args = args.map(|(p, ty)| expr(ExprKind::Var(*p), ty)).collect();
        let call = expr(ExprKind::Call { callee, args }, &ty.ret);
        stmt(if ty.ret == Type::Void {
            StmtKind::Expr(call)
        } else {
            StmtKind::Return(Some(call))
        })
    };
    // The last one needs no question: a number is always one of them.
    let (last, others) = of.split_last().expect("there is one at least");
    let mut body = calls(*last);
    for (at, callee) in others.iter().enumerate().rev() {
        let is = ExprKind::Binary(
            BinaryOp::Eq,
            Box::new(expr(ExprKind::Var(number), &INT)),
            Box::new(Expr::int(at as i128 + 1, INT, span)),
        );
        body = stmt(StmtKind::If {
            cond: expr(is, &INT),
            then: Box::new(calls(*callee)),
            otherwise: Some(Box::new(body)),
        });
    }
    let mut params = vec![INT];
    params.extend(ty.params.iter().cloned());
    let mut name = format!("call_{}_or_other", first.name);
    if let [only] = of {
        name = format!("call_{}", program.function(*only).name);
    }
    program.functions.push(Function {
        name,
        ty: FnType {
            ret: ty.ret.clone(),
            params,
            variadic: false,
            prototyped: true,
        },
        params: [number].into_iter().chain(given).collect(),
        body: Some(Block {
            stmts: vec![body],
            trailing: Vec::new(),
        }),
        internal: true,
        user: true,
        span,
        routines: Vec::new(),
    });
    program.items.push(Item {
        kind: ItemKind::Function(id),
        span: Span::default(),
        comments: Vec::new(),
    });
    id
}

fn rewrite(program: &mut Program, choices: &[Choice]) {
    let choice = |ty: &FnType| choices.iter().find(|c| alike(&c.ty, ty));
    let numbered = |ty: &Type| {
        (ty.is_function_pointer() || matches!(ty, Type::Function(_)))
            .then(|| pointed(ty).and_then(choice))
            .flatten()
    };
    change_all(program, &mut |e| {
        if let Some(of) = numbered(&e.ty) {
            match &e.kind {
                _ if null(e) => *e = Expr::int(0, INT, e.span),
                ExprKind::Function(id) => {
                    let at = of.of.iter().position(|known| known == id);
                    let number = at.map_or(0, |at| at as i128 + 1);
                    *e = Expr::int(number, INT, e.span);
                }
                // What a name decays to, and what a pointer to it is, is its number already.
                ExprKind::Decay(inner)
                | ExprKind::AddrOf(inner)
                | ExprKind::Deref(inner)
                | ExprKind::Cast { value: inner, .. }
                    if inner.ty == INT =>
                {
                    *e = (**inner).clone();
                }
                _ => {}
            }
        }
        if let ExprKind::CallPointer(callee, args) = &mut e.kind
            && callee.ty == INT
        {
            let by = choices.iter().find(|c| {
                c.ty.ret == e.ty
                    && c.ty.params.len() == args.len()
                    && c.ty.params.iter().zip(args.iter()).all(|(p, a)| *p == a.ty)
            });
            if let Some(by) = by {
                let args = [(**callee).clone()]
                    .into_iter()
                    .chain(args.iter().cloned())
                    .collect();
                e.kind = ExprKind::Call {
                    callee: by.by,
                    args,
                };
            }
        }
        retyped(&mut e.ty, choices);
    });
    program
        .vars
        .iter_mut()
        .for_each(|v| retyped(&mut v.ty, choices));
    for function in &mut program.functions {
        function
            .ty
            .params
            .iter_mut()
            .for_each(|t| retyped(t, choices));
        retyped(&mut function.ty.ret, choices);
    }
    for structure in &mut program.structs {
        let fields = structure.fields.iter_mut().flatten();
        fields.for_each(|f| retyped(&mut f.ty, choices));
    }
}

/// Pointers to such functions, within a type, become numbers.
fn retyped(ty: &mut Type, choices: &[Choice]) {
    if ty.is_function_pointer()
        && pointed(ty).is_some_and(|f| choices.iter().any(|c| alike(&c.ty, f)))
    {
        *ty = INT;
        return;
    }
    match ty {
        Type::Pointer { to, .. } | Type::Array(to, _) => retyped(to, choices),
        Type::Function(f) => {
            f.params.iter_mut().for_each(|t| retyped(t, choices));
            retyped(&mut f.ret, choices);
        }
        _ => {}
    }
}

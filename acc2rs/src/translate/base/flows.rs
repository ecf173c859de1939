//! Where pointers get their values: every assignment, initializer, argument and `return`.

use std::collections::HashSet;

use crate::ctypes::{StructId, Type};
use crate::lower::is_null;
use crate::lower::lent_rows::{APART, TOGETHER};
use crate::lower::variadic::FORMATTED;
use crate::source::Span;
use crate::typed::walk;
use crate::typed::{BinaryOp, Expr, ExprKind, FnId, Init, Program, StmtKind, VarId};

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Alloc,
    Null,
    Text,
    Call(FnId),
    /// A pointer into what this expression designates; true if it may be off its start.
    Into(Expr, bool),
    Unknown,
}

/// Something that holds a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Holder {
    Var(VarId),
    Field(StructId, u32),
    Return(FnId),
}

pub(crate) struct Flow {
    pub(crate) to: Holder,
    pub(crate) from: Source,
    pub(crate) span: Span,
}

/// Functions of the C library that allocate.
pub(crate) fn allocates(name: &str) -> bool {
    matches!(
        name,
        "malloc"
            | "calloc"
            | "realloc"
            | "acc_malloc"
            | "aligned_alloc"
            | "memalign"
            | "valloc"
            | TOGETHER
    )
}

/// Whether some element of an array of `char *` is given memory of its own.
pub(crate) fn allocates_char_rows(program: &Program) -> bool {
    let mut found = false;
    let bodies = program
        .defined()
        .filter_map(|id| program.function(id).body.as_ref());
    for stmt in bodies.flat_map(|b| &b.stmts) {
        walk::exprs(program, stmt, &mut |e| {
            if let ExprKind::Assign(place, value) = &e.kind
                && matches!(place.kind, ExprKind::Index(..) | ExprKind::Deref(_))
                && place.ty.element().is_some_and(Type::is_char)
            {
                found |= source(program, value).iter().any(|s| match s {
                    Source::Alloc => true,
                    Source::Call(id) => returns_memory(program, *id),
                    _ => false,
                });
            }
        });
    }
    found
}

/// Whether a function returns what it allocates, itself or by a variable.
fn returns_memory(program: &Program, id: FnId) -> bool {
    let Some(body) = &program.function(id).body else {
        return false;
    };
    let alloc = |e: &Expr| {
        source(program, e)
            .iter()
            .any(|s| matches!(s, Source::Alloc))
    };
    let mut memory: HashSet<VarId> = HashSet::new();
    for (at, var) in program.vars.iter().enumerate() {
        if var.owner == Some(id)
            && let Some(Init::Expr(e)) = &var.init
            && alloc(e)
        {
            memory.insert(VarId(at as u32));
        }
    }
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| {
            if let ExprKind::Assign(place, value) = &e.kind
                && alloc(value)
            {
                memory.extend(place.as_var());
            }
        });
    }
    let mut found = false;
    walk::stmts(program, body, &mut |s| {
        if let StmtKind::Return(Some(e)) = &s.kind {
            found |= alloc(e) || e.stripped().as_var().is_some_and(|v| memory.contains(&v));
        }
    });
    found
}

/// Whether a function of the C library writes through its argument.
pub(crate) fn library_writes(name: &str, at: usize) -> bool {
    let first = matches!(
        name.trim_start_matches("__builtin_"),
        "memset"
            | "memcpy"
            | "memmove"
            | "realloc"
            | "strcpy"
            | "strncpy"
            | "strcat"
            | "sprintf"
            | "snprintf"
            | "gettimeofday"
            | "time"
            | "rand_r"
            | "qsort"
            | "strtok"
            | "acc_memcpy_from_device"
            | "acc_memcpy_to_device"
            | "acc_memcpy_device"
    );
    at == 0 && (first || matches!(name, "fread" | "fgets" | APART))
        || name == "scanf" && at >= 1
        || matches!(name, "fscanf" | "sscanf") && at >= 2
        || name == "clock_gettime" && at == 1
        || matches!(name, "modf" | "frexp" | "sincos") && at >= 1
}

/// Whether a variable is the second parameter of `main`.
pub(crate) fn is_argv(program: &Program, id: VarId) -> bool {
    let main = program.find_function("main");
    main.is_some_and(|main| program.function(main).params.get(1) == Some(&id))
}

pub(crate) fn member_of(place: &Expr) -> Option<Holder> {
    match &place.kind {
        ExprKind::Member(base, field) => match base.ty {
            Type::Struct(id) => Some(Holder::Field(id, *field)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a pointer is made to point to data of another type.
pub(crate) fn reads_as_other(program: &Program, ty: &Type, flow: &Flow) -> bool {
    let Source::Into(base, _) = &flow.from else {
        return false;
    };
    let other = base.ty.element().unwrap_or(&base.ty).innermost();
    let own = ty.element().map_or(ty, Type::innermost);
    let _ = program;
    own != other && *own != Type::Void && *other != Type::Void
}

/// Everything that holds a pointer.
pub(crate) fn holders(program: &Program) -> Vec<Holder> {
    let mut out: Vec<Holder> = Vec::new();
    out.extend(
        program
            .vars
            .iter()
            .enumerate()
            .filter(|(_, v)| v.ty.is_pointer())
            .map(|(at, _)| Holder::Var(VarId(at as u32))),
    );
    for (at, shape) in program.structs.iter().enumerate() {
        let fields = shape
            .fields
            .iter()
            .flatten()
            .enumerate()
            .filter(|(_, f)| f.ty.is_pointer());
        out.extend(fields.map(|(f, _)| Holder::Field(StructId(at as u32), f as u32)));
    }
    out.extend(
        program
            .defined()
            .filter(|id| program.function(*id).ty.ret.is_pointer())
            .map(Holder::Return),
    );
    out
}

pub(crate) fn holder_type(program: &Program, holder: Holder) -> Type {
    match holder {
        Holder::Var(id) => program.var(id).ty.clone(),
        Holder::Field(id, at) => program
            .structure(id)
            .fields
            .as_ref()
            .map_or(Type::Void, |f| f[at as usize].ty.clone()),
        Holder::Return(id) => program.function(id).ty.ret.clone(),
    }
}

/// Where a pointer value comes from.
pub(crate) fn source(program: &Program, expr: &Expr) -> Vec<Source> {
    use ExprKind as K;
    if is_null(expr) {
        return vec![Source::Null];
    }
    let one = |s| vec![s];
    match &expr.kind {
        K::Cast { value, .. } => source(program, value),
        K::Call { callee, args } if super::searching::searches(program, *callee) => {
            let moved = source(program, &args[0]).into_iter().map(|s| match s {
                Source::Into(e, _) => Source::Into(e, true),
                other => other,
            });
            moved.chain([Source::Null]).collect()
        }
        K::Call { callee, .. } => {
            let function = program.function(*callee);
            one(match () {
                () if allocates(&function.name) => Source::Alloc,
                () if matches!(
                    function.name.as_str(),
                    "strdup" | "getenv" | "strerror" | FORMATTED
                ) =>
                {
                    Source::Text
                }
                () if function.body.is_some() => Source::Call(*callee),
                () => Source::Unknown,
            })
        }
        K::Decay(inner) if matches!(inner.kind, K::Str(_)) => one(Source::Text),
        K::Decay(inner) => one(Source::Into((**inner).clone(), false)),
        K::AddrOf(place) if super::searching::searched(program, expr).is_some() => {
            let K::Index(base, _) = &place.kind else {
                return one(Source::Unknown);
            };
            let at = source(program, base).into_iter().map(|s| match s {
                Source::Into(e, _) => Source::Into(e, true),
                other => other,
            });
            at.chain([Source::Null]).collect()
        }
        K::AddrOf(place) => match &place.kind {
            K::Index(base, _) if base.ty.is_pointer() => {
                let from = source(program, base);
                from.into_iter()
                    .map(|s| {
                        if let Source::Into(e, _) = s {
                            Source::Into(e, true)
                        } else {
                            s
                        }
                    })
                    .collect()
            }
            K::Index(base, _) => one(Source::Into((**base).clone(), true)),
            _ => one(Source::Into((**place).clone(), false)),
        },
        K::Binary(BinaryOp::Add | BinaryOp::Sub, a, _) => {
            let from = source(program, a);
            from.into_iter()
                .map(|s| {
                    if let Source::Into(e, _) = s {
                        Source::Into(e, true)
                    } else {
                        s
                    }
                })
                .collect()
        }
        K::Cond(_, a, b) => [source(program, a), source(program, b)].concat(),
        K::Comma(_, b) => source(program, b),
        K::Assign(_, value) => source(program, value),
        K::Step { place, .. } => one(Source::Into((**place).clone(), true)),
        K::Var(_) | K::Member(..) | K::Index(..) | K::Deref(_) => {
            one(Source::Into(expr.clone(), false))
        }
        _ => one(Source::Unknown),
    }
}

/// The variable that `strtol` and its relatives leave behind the number that they read, and a pointer into the text.
pub(crate) fn number_end(program: &Program, callee: FnId, args: &[Expr]) -> Option<(VarId, Expr)> {
    let function = program.function(callee);
    let reads = matches!(
        function.name.as_str(),
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof"
    );
    let [text, end, ..] = args else { return None };
    let ExprKind::AddrOf(place) = &end.stripped().kind else {
        return None;
    };
    let end = place
        .as_var()
        .filter(|_| reads && function.body.is_none())?;
    let (text, nothing) = (
        Box::new(text.clone()),
        Expr::int(0, crate::ctypes::INT, text.span),
    );
    let (ty, span) = (text.ty.clone(), text.span);
    let kind = ExprKind::Binary(BinaryOp::Add, text, Box::new(nothing));
    Some((end, Expr { kind, ty, span }))
}

/// All such variables of a program.
pub(crate) fn number_ends(program: &Program) -> HashSet<VarId> {
    let mut out = HashSet::new();
    let bodies = program.defined().flat_map(|id| &program.function(id).body);
    for stmt in bodies.flat_map(|b| &b.stmts) {
        walk::exprs(program, stmt, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind {
                out.extend(number_end(program, *callee, args).map(|(end, _)| end));
            }
        });
    }
    out
}

/// Every place where a pointer gets a value.
pub(crate) fn flows(program: &Program) -> Vec<Flow> {
    let mut out = Vec::new();
    let mut add = |to: Holder, from: &Expr| {
        out.extend(source(program, from).into_iter().map(|s| Flow {
            to,
            from: s,
            span: from.span,
        }));
    };
    for (at, var) in program.vars.iter().enumerate() {
        if let Some(Init::Expr(e)) = &var.init
            && var.ty.is_pointer()
        {
            add(Holder::Var(VarId(at as u32)), e);
        }
        if let Some(Init::List(list)) = &var.init {
            field_flows(program, &var.ty, list, &mut add);
        }
    }
    for id in program.defined() {
        let Some(body) = &program.function(id).body else {
            continue;
        };
        let swaps = super::swap::swaps(program, body);
        walk::stmts(program, body, &mut |s| {
            if let StmtKind::Return(Some(e)) = &s.kind
                && e.ty.is_pointer()
            {
                add(Holder::Return(id), e);
            }
        });
        for stmt in &body.stmts {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Assign(place, value)
                    if place.ty.is_pointer() && !swaps.covers(e.span) =>
                {
                    match &place.kind {
                        ExprKind::Var(v) => add(Holder::Var(*v), value),
                        _ => {
                            if let Some(holder) = member_of(place) {
                                add(holder, value);
                            }
                        }
                    }
                }
                ExprKind::Compound { place, .. } | ExprKind::Step { place, .. }
                    if place.ty.is_pointer() =>
                {
                    if let ExprKind::Var(v) = place.kind {
                        add(
                            Holder::Var(v),
                            &Expr {
                                kind: ExprKind::Step {
                                    up: true,
                                    post: false,
                                    place: place.clone(),
                                },
                                ty: place.ty.clone(),
                                span: e.span,
                            },
                        );
                    }
                }
                ExprKind::Call { callee, args } => {
                    if let Some((end, start)) = number_end(program, *callee, args) {
                        add(Holder::Var(end), &start);
                    }
                    let params = &program.function(*callee).params;
                    for (param, arg) in params.iter().zip(args).filter(|(_, a)| a.ty.is_pointer()) {
                        add(Holder::Var(*param), arg);
                    }
                }
                _ => {}
            });
        }
    }
    out
}

pub(crate) fn field_flows(
    program: &Program,
    ty: &Type,
    list: &[(u64, Init)],
    add: &mut dyn FnMut(Holder, &Expr),
) {
    for (at, init) in list {
        match (ty, init) {
            (Type::Struct(id), Init::Expr(e)) if e.ty.is_pointer() => {
                add(Holder::Field(*id, *at as u32), e)
            }
            (Type::Array(of, _), Init::List(inner)) => field_flows(program, of, inner, add),
            (Type::Struct(id), Init::List(inner)) => {
                if let Some(field) = program
                    .structure(*id)
                    .fields
                    .as_ref()
                    .and_then(|f| f.get(*at as usize))
                {
                    field_flows(program, &field.ty.clone(), inner, add);
                }
            }
            _ => {}
        }
    }
}

//! Functions of the program that only wrap `malloc`, `calloc` or `free`: their calls become calls of what they wrap.
//!
//! Codes allocate through `void *xmalloc(size_t n)`, which ends the program where memory is short. Rust's allocation does that
//! by itself, and a `Vec` needs the element type that only the caller knows. `posix_memalign` becomes an assignment from
//! `malloc` for the same reason.

use std::collections::HashMap;

use crate::ctypes::{FnType, INT, SIZE, Type};
use crate::typed::change::{change, change_all};
use crate::typed::{
    Block, Expr, ExprKind, FnId, Function, Init, ItemKind, Program, StmtKind, Storage, VarId,
    consts,
};

/// What a wrapper does with its parameters.
#[derive(Clone)]
enum Wrapper {
    /// Allocates: the function, and its arguments in terms of the parameters.
    Allocates(FnId, Vec<Expr>),
    /// Frees its only parameter.
    Frees(FnId),
}

/// Replaces the calls of wrappers, wrappers of wrappers included, and drops what nobody calls then.
pub(super) fn unwrap(program: &mut Program) {
    aligned(program);
    loop {
        let found: HashMap<FnId, Wrapper> = program
            .defined()
            .filter_map(|id| Some((id, wrapper(program, program.function(id))?)))
            .collect();
        if found.is_empty() {
            return;
        }
        let params: HashMap<FnId, Vec<VarId>> = found
            .keys()
            .map(|id| (*id, program.function(*id).params.clone()))
            .collect();
        change_all(program, &mut |e| {
            if let ExprKind::Call { callee, args } = &mut e.kind
                && let Some(wrapper) = found.get(callee)
            {
                match wrapper {
                    Wrapper::Allocates(inner, sizes) => {
                        let given: HashMap<VarId, Expr> = params[callee]
                            .iter()
                            .copied()
                            .zip(args.iter().cloned())
                            .collect();
                        *args = sizes.iter().map(|size| with(size, &given)).collect();
                        *callee = *inner;
                    }
                    Wrapper::Frees(inner) => *callee = *inner,
                }
            }
        });
        for id in found.keys() {
            program.functions[id.0 as usize].body = None;
        }
        program
            .items
            .retain(|i| !matches!(i.kind, ItemKind::Function(id) if found.contains_key(&id)));
    }
}

/// `posix_memalign(&p, alignment, size)` as `(p = malloc(size), 0)`.
fn aligned(program: &mut Program) {
    let Some(id) = program.find_function("posix_memalign") else {
        return;
    };
    let malloc = program.find_function("malloc").unwrap_or_else(|| {
        let mut malloc = program.function(id).clone();
        malloc.name = "malloc".into();
        malloc.ty = FnType {
            ret: Type::pointer(Type::Void),
            params: vec![SIZE],
            variadic: false,
            prototyped: true,
        };
        program.functions.push(malloc);
        FnId(program.functions.len() as u32 - 1)
    });
    change_all(program, &mut |e| {
        if let ExprKind::Call { callee, args } = &e.kind
            && *callee == id
            && let [to, _, size] = &args[..]
            && let ExprKind::AddrOf(place) = &to.stripped().kind
            && place.ty.is_pointer()
        {
            let (span, place, size) = (e.span, place.clone(), size.clone());
            let expr = |kind, ty| Expr { kind, ty, span };
            let memory = expr(
                ExprKind::Call {
                    callee: malloc,
                    args: vec![size],
                },
                Type::pointer(Type::Void),
            );
            let ty = place.ty.clone();
            let memory = if memory.ty == ty {
                memory
            } else {
                expr(
                    ExprKind::Cast {
                        explicit: false,
                        value: Box::new(memory),
                    },
                    ty.clone(),
                )
            };
            let set = expr(ExprKind::Assign(place, Box::new(memory)), ty);
            let zero = Expr::int(0, INT, span);
            *e = expr(ExprKind::Comma(Box::new(set), Box::new(zero)), INT);
        }
    });
}

fn wrapper(program: &Program, function: &Function) -> Option<Wrapper> {
    let body = function.body.as_ref()?;
    let untyped = function.ty.ret == Type::pointer(Type::Void);
    match (&function.ty.ret, &function.params[..]) {
        (Type::Void, [param]) if program.var(*param).ty == Type::pointer(Type::Void) => {
            frees(program, body, *param).map(Wrapper::Frees)
        }
        _ if untyped => allocates(program, function, body),
        _ => None,
    }
}

/// `{ free(p); }`, or that under `if (p)`.
fn frees(program: &Program, body: &Block, param: VarId) -> Option<FnId> {
    let mut rest = body.stmts.iter().filter(|s| s.kind != StmtKind::Empty);
    let (only, None) = (rest.next()?, rest.next()) else {
        return None;
    };
    match &only.kind {
        StmtKind::Block(inner) => frees(program, inner, param),
        StmtKind::If {
            then,
            otherwise: None,
            ..
        } => {
            let inner = Block {
                stmts: vec![(**then).clone()],
                ..Block::default()
            };
            frees(program, &inner, param)
        }
        StmtKind::Expr(e) => match &e.stripped().kind {
            ExprKind::Call { callee, args }
                if program.function(*callee).name == "free"
                    && args[0].stripped().as_var() == Some(param) =>
            {
                Some(*callee)
            }
            _ => None,
        },
        _ => None,
    }
}

/// A body that computes a size, allocates, leaves if that failed, and returns the memory.
fn allocates(program: &Program, function: &Function, body: &Block) -> Option<Wrapper> {
    let mut known: HashMap<VarId, Expr> = HashMap::new();
    let mut memory: Option<(Option<VarId>, FnId, Vec<Expr>)> = None;
    let given = |id: VarId| function.params.contains(&id);
    for stmt in &body.stmts {
        let (place, value) = match &stmt.kind {
            StmtKind::Empty => continue,
            StmtKind::Decl(vars) => {
                for var in vars {
                    let value = match &program.var(*var).init {
                        Some(Init::Expr(value)) => value,
                        Some(Init::List(_)) => return None,
                        None => continue,
                    };
                    set(program, *var, value, &mut known, &mut memory)?;
                }
                continue;
            }
            // What happens where memory is short: it ends the program or gives up.
            StmtKind::If {
                cond,
                then,
                otherwise: None,
            } => {
                let mut plain = true;
                let mut check = |e: &Expr| match &e.kind {
                    ExprKind::Assign(place, value) => {
                        let set = allocated(program, value, &known);
                        match (set, place.as_var()) {
                            (Some((callee, args)), id @ Some(_)) if memory.is_none() => {
                                memory = Some((id, callee, args))
                            }
                            _ => plain = false,
                        }
                    }
                    ExprKind::Compound { .. } | ExprKind::Step { .. } => plain = false,
                    _ => {}
                };
                crate::typed::walk::parts(program, cond, &mut check);
                let mut quiet = true;
                crate::typed::walk::exprs(program, then, &mut |e| {
                    quiet &= !matches!(
                        e.kind,
                        ExprKind::Assign(..) | ExprKind::Compound { .. } | ExprKind::Step { .. }
                    ) && allocated(program, e, &known).is_none();
                });
                let mut asks = false;
                crate::typed::walk::parts(program, cond, &mut |e| {
                    let held = memory.as_ref().and_then(|(held, ..)| *held);
                    asks |= held.is_some() && e.as_var() == held;
                });
                if !plain || !quiet || !asks {
                    return None;
                }
                continue;
            }
            StmtKind::Expr(e) => match &e.kind {
                ExprKind::Assign(place, value) => (place.as_var()?, (**value).clone()),
                ExprKind::Compound {
                    op, place, value, ..
                } => {
                    let kind = ExprKind::Binary(*op, place.clone(), value.clone());
                    let ty = place.ty.clone();
                    let span = e.span;
                    (place.as_var()?, Expr { kind, ty, span })
                }
                ExprKind::Comma(set, _) => match &set.kind {
                    ExprKind::Assign(place, value) => (place.as_var()?, (**value).clone()),
                    _ => return None,
                },
                // Memory starts at zero anyway.
                ExprKind::Call { callee, args }
                    if program.function(*callee).name == "memset"
                        && consts::int_value(&args[1], program) == Some(0) =>
                {
                    continue;
                }
                _ => return None,
            },
            StmtKind::Return(Some(value)) => {
                let (callee, args) = match (&memory, value.stripped().as_var()) {
                    (Some((Some(held), callee, args)), Some(id)) if id == *held => {
                        (*callee, args.clone())
                    }
                    (None, None) => allocated(program, value, &known)?,
                    _ => return None,
                };
                // Nothing but parameters and constants may be in the size.
                let mut closed = true;
                for arg in &args {
                    crate::typed::walk::parts(program, arg, &mut |e| {
                        closed &= e.as_var().is_none_or(given)
                            && !matches!(
                                e.kind,
                                ExprKind::Call { .. }
                                    | ExprKind::Step { .. }
                                    | ExprKind::Assign(..)
                            );
                    });
                }
                return closed.then_some(Wrapper::Allocates(callee, args));
            }
            _ => return None,
        };
        if given(place) {
            return None;
        }
        set(program, place, &value, &mut known, &mut memory)?;
    }
    None
}

/// Notes that a variable holds memory or a value.
fn set(
    program: &Program,
    place: VarId,
    value: &Expr,
    known: &mut HashMap<VarId, Expr>,
    memory: &mut Option<(Option<VarId>, FnId, Vec<Expr>)>,
) -> Option<()> {
    if program.var(place).storage != Storage::Local {
        return None;
    }
    // `ret = (p = malloc(n), 0)`, which `posix_memalign` became.
    if let ExprKind::Comma(first, _) = &value.stripped().kind
        && let ExprKind::Assign(inner, value) = &first.kind
    {
        return set(program, inner.as_var()?, value, known, memory);
    }
    if let Some((callee, args)) = allocated(program, value, known) {
        if memory.is_some() {
            return None;
        }
        *memory = Some((Some(place), callee, args));
    } else if super::is_null(value) {
        // Nothing yet.
    } else if program.var(place).ty.is_int() {
        let value = with(value, known);
        known.insert(place, value);
    } else {
        return None;
    }
    Some(())
}

/// A call of an allocating function of the C library, its arguments in terms of the parameters.
fn allocated(
    program: &Program,
    value: &Expr,
    known: &HashMap<VarId, Expr>,
) -> Option<(FnId, Vec<Expr>)> {
    match &value.stripped().kind {
        ExprKind::Call { callee, args }
            if matches!(
                program.function(*callee).name.as_str(),
                "malloc" | "calloc" | "valloc" | "aligned_alloc" | "memalign"
            ) && program.function(*callee).body.is_none() =>
        {
            Some((*callee, args.iter().map(|a| with(a, known)).collect()))
        }
        _ => None,
    }
}

/// An expression with variables replaced by what they hold.
fn with(expr: &Expr, known: &HashMap<VarId, Expr>) -> Expr {
    let mut out = expr.clone();
    change(&mut out, &mut |e| {
        if let Some(value) = e.as_var().and_then(|id| known.get(&id)) {
            *e = value.clone();
        }
    });
    out
}

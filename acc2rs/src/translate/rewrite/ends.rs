//! Pairs of pointers that bound a part of an array, `sum(first, last)`: the second becomes the distance between them, which
//! is a number, and a position in the first one's array where the function begins.

use std::collections::HashMap;

use crate::ctypes::{IntKind, Type};
use crate::lower::is_null;
use crate::translate::base::usage::same;
use crate::typed::change::change_all;
use crate::typed::{
    BinaryOp, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, Storage, Var, VarId, walk,
};

use crate::translate::base::places::root;

/// Which parameter of a function is the end of which.
type Ends = HashMap<FnId, Vec<(usize, usize)>>;

/// Gives functions lengths for the ends that they take; whether there was one.
pub(crate) fn measure(program: &mut Program) -> bool {
    let ends = ends(program);
    if ends.is_empty() {
        return false;
    }
    change_all(program, &mut |e| {
        if let ExprKind::Call { callee, args } = &mut e.kind
            && let Some(pairs) = ends.get(callee)
        {
            let given = args.clone();
            for (first, last) in pairs {
                args[*last] = distance(&given[*first], &given[*last]);
            }
        }
    });
    for (id, pairs) in &ends {
        for (first, last) in pairs {
            declare(program, *id, *first, *last);
        }
    }
    true
}

fn long() -> Type {
    Type::Int(IntKind::Long)
}

/// Makes the parameter `last` a length, and a local position of what it was.
fn declare(program: &mut Program, id: FnId, first: usize, last: usize) {
    let function = &program.functions[id.0 as usize];
    let (start, end) = (function.params[first], function.params[last]);
    let (start_ty, span) = (program.var(start).ty.clone(), program.var(end).span);
    let name = format!("{}_len", program.var(start).name);
    let len = VarId(program.vars.len() as u32);
    let own = program.var(end).clone();
    program.vars.push(Var {
        name,
        ty: long(),
        array_param: None,
        ..own
    });
    let expr = |kind, ty| Expr { kind, ty, span };
    let sum = ExprKind::Binary(
        BinaryOp::Add,
        Box::new(expr(ExprKind::Var(start), start_ty)),
        Box::new(expr(ExprKind::Var(len), long())),
    );
    let end_ty = program.var(end).ty.clone();
    let var = &mut program.vars[end.0 as usize];
    var.storage = Storage::Local;
    var.array_param = None;
    var.init = Some(Init::Expr(Box::new(expr(sum, end_ty))));
    let function = &mut program.functions[id.0 as usize];
    function.params[last] = len;
    if let Some(ty) = function.ty.params.get_mut(last) {
        *ty = long();
    }
    if let Some(body) = &mut function.body {
        let stmt = Stmt {
            kind: StmtKind::Decl(vec![end]),
            span,
            directives: Vec::new(),
            comments: Vec::new(),
        };
        body.stmts.insert(0, stmt);
    }
}

/// `last - first`, or `n` where it is `first + n`.
fn distance(first: &Expr, last: &Expr) -> Expr {
    let start = first.stripped();
    let ahead = match &last.stripped().kind {
        ExprKind::Binary(BinaryOp::Add, base, n) => Some((base, n)),
        ExprKind::AddrOf(place) => match &place.kind {
            ExprKind::Index(base, n) => Some((base, n)),
            _ => None,
        },
        _ => None,
    };
    if let Some((base, n)) = ahead
        && same(base.stripped(), start)
    {
        let kind = ExprKind::Cast {
            explicit: false,
            value: n.clone(),
        };
        return Expr {
            kind,
            ty: long(),
            span: last.span,
        };
    }
    let kind = ExprKind::Binary(
        BinaryOp::Sub,
        Box::new(last.clone()),
        Box::new(first.clone()),
    );
    Expr {
        kind,
        ty: long(),
        span: last.span,
    }
}

/// The pairs: parameters that a function compares or subtracts, and that each call gives from one array.
fn ends(program: &Program) -> Ends {
    let mut out = Ends::new();
    let mut taken = Vec::new();
    each(program, &mut |e| {
        if let ExprKind::Function(id) = e.kind {
            taken.push(id);
        }
    });
    for id in program.defined() {
        let function = program.function(id);
        if function.name == "main" || taken.contains(&id) {
            continue;
        }
        let pairs = bounds(program, id);
        if !pairs.is_empty() {
            out.insert(id, pairs);
        }
    }
    passed_on(program, &mut out);
    out.retain(|id, pairs| {
        program.function(*id).name != "main" && !taken.contains(id) && !pairs.is_empty()
    });
    // Every call must give both from one array.
    loop {
        let mut wrong: Vec<(FnId, (usize, usize))> = Vec::new();
        each(program, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && let Some(pairs) = out.get(callee)
            {
                for (first, last) in pairs {
                    let one = match (args.get(*first), args.get(*last)) {
                        (Some(a), Some(b)) => {
                            root(a).is_some()
                                && plain(program, a)
                                && !is_null(b)
                                && (root(a) == root(b)
                                    || inside(program, a, b)
                                    || both_ends(program, &out, a, b))
                        }
                        _ => false,
                    };
                    if !one {
                        wrong.push((*callee, (*first, *last)));
                    }
                }
            }
        });
        if wrong.is_empty() {
            break;
        }
        for (id, pair) in wrong {
            if let Some(pairs) = out.get_mut(&id) {
                pairs.retain(|p| *p != pair);
            }
        }
        out.retain(|_, pairs| !pairs.is_empty());
    }
    out
}

/// Two parameters that a function passes on as a pair are one: adds those, until there are no more.
fn passed_on(program: &Program, out: &mut Ends) {
    loop {
        let mut more: Vec<(FnId, (usize, usize))> = Vec::new();
        each(program, &mut |e| {
            let ExprKind::Call { callee, args } = &e.kind else {
                return;
            };
            for (first, last) in out.get(callee).into_iter().flatten() {
                let param = |at: usize| {
                    let id = args.get(at).and_then(root)?;
                    let owner = program.var(id).owner?;
                    let params = &program.function(owner).params;
                    Some((owner, params.iter().position(|p| *p == id)?))
                };
                if let (Some((a, x)), Some((b, y))) = (param(*first), param(*last))
                    && a == b
                    && x < y
                {
                    more.push((a, (x, y)));
                }
            }
        });
        let mut grown = false;
        for (id, pair) in more {
            let pairs = out.entry(id).or_default();
            let used = |at: usize| {
                pairs
                    .iter()
                    .any(|(x, y)| *y == at || *x == at && at == pair.1)
            };
            if !used(pair.0) && !used(pair.1) {
                pairs.push(pair);
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
}

/// Whether evaluating an argument twice does what evaluating it once does.
fn plain(program: &Program, e: &Expr) -> bool {
    let mut plain = true;
    walk::parts(program, e, &mut |p| {
        plain &= !matches!(
            p.kind,
            ExprKind::Call { .. }
                | ExprKind::CallPointer(..)
                | ExprKind::Assign(..)
                | ExprKind::Compound { .. }
                | ExprKind::Step { .. }
        );
    });
    plain
}

/// Whether both are pointers of one function, one of them a local: positions then, whose arrays are compared later.
fn inside(program: &Program, a: &Expr, b: &Expr) -> bool {
    let pointer = |e: &Expr| root(e).filter(|id| program.var(*id).ty.is_pointer());
    match (pointer(a), pointer(b)) {
        (Some(a), Some(b)) => {
            let local = |id: VarId| program.var(id).storage == Storage::Local;
            local(a) || local(b)
        }
        _ => false,
    }
}

/// Whether both are parameters of one function that are a pair there.
fn both_ends(program: &Program, ends: &Ends, a: &Expr, b: &Expr) -> bool {
    let param = |e: &Expr| {
        let id = root(e)?;
        let owner = program.var(id).owner?;
        let params = &program.function(owner).params;
        Some((owner, params.iter().position(|p| *p == id)?))
    };
    match (param(a), param(b)) {
        (Some((owner, x)), Some((other, y))) => {
            owner == other
                && ends
                    .get(&owner)
                    .is_some_and(|pairs| pairs.contains(&(x, y)))
        }
        _ => false,
    }
}

/// The parameters of a function that are ends of others, by what the body compares and subtracts.
fn bounds(program: &Program, id: FnId) -> Vec<(usize, usize)> {
    let function = program.function(id);
    let Some(body) = &function.body else {
        return Vec::new();
    };
    let is_data = |v: VarId| {
        let ty = &program.var(v).ty;
        ty.is_pointer()
            && ty
                .element()
                .is_some_and(|t| !t.is_char() && !t.is_pointer() && *t != Type::Void)
    };
    // Pointers that stand in one array: compared, subtracted, or set from each other.
    let mut together: Vec<(VarId, VarId)> = Vec::new();
    let mut bounded: Vec<(VarId, VarId)> = Vec::new();
    for stmt in &body.stmts {
        walk::stmts(
            program,
            &crate::typed::Block {
                stmts: vec![stmt.clone()],
                ..Default::default()
            },
            &mut |s| {
                if let StmtKind::Decl(vars) = &s.kind {
                    for var in vars {
                        if let Some(Init::Expr(e)) = &program.var(*var).init
                            && e.ty.is_pointer()
                        {
                            together.extend(root(e).map(|from| (*var, from)));
                        }
                    }
                }
            },
        );
        walk::exprs(program, stmt, &mut |e| match &e.kind {
            ExprKind::Binary(op, a, b)
                if (op.is_comparison() || *op == BinaryOp::Sub)
                    && a.ty.is_pointer()
                    && b.ty.is_pointer() =>
            {
                bounded.extend(root(a).zip(root(b)));
            }
            ExprKind::Assign(place, value) if value.ty.is_pointer() => {
                together.extend(place.as_var().zip(root(value)));
            }
            _ => {}
        });
    }
    let params: Vec<VarId> = function
        .params
        .iter()
        .copied()
        .filter(|p| is_data(*p))
        .collect();
    let leader = |mut of: VarId| {
        // The parameter that a local starts from.
        for _ in 0..8 {
            if params.contains(&of) {
                break;
            }
            match together.iter().find(|(to, _)| *to == of) {
                Some((_, from)) => of = *from,
                None => break,
            }
        }
        of
    };
    let mut out: Vec<(usize, usize)> = Vec::new();
    let at = |v: VarId| function.params.iter().position(|p| *p == v);
    for (a, b) in bounded {
        let (a, b) = (leader(a), leader(b));
        if let (Some(x), Some(y)) = (at(a), at(b))
            && x != y
            && is_data(a)
            && is_data(b)
            && program.var(a).ty.element() == program.var(b).ty.element()
        {
            let pair = (x.min(y), x.max(y));
            if !out.iter().any(|(_, last)| *last == pair.1) {
                out.push(pair);
            }
        }
    }
    // What is an end itself bounds nothing.
    let lasts: Vec<usize> = out.iter().map(|(_, last)| *last).collect();
    out.retain(|(first, _)| !lasts.contains(first));
    out
}

fn each(program: &Program, f: &mut dyn FnMut(&Expr)) {
    for id in program.defined() {
        let stmts = program.function(id).body.iter().flat_map(|b| &b.stmts);
        stmts.for_each(|s| walk::exprs(program, s, f));
    }
}

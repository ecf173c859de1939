//! Calls that get several positions in one array, `merge(out + lo, out + mid, n)`, where the function writes through one of
//! them: it gets a sister that takes the array once, and the positions as numbers.
//!
//! What is passed is only known when a call is written, so the emitter notes such calls, and the program is written anew.

use std::collections::{HashMap, HashSet};

use crate::ctypes::{SIZE, Type};
use crate::source::Span;
use crate::typed::change::{change, change_stmt};
use crate::typed::{
    BinaryOp, Expr, ExprKind, FnId, Init, ItemKind, Program, Stmt, StmtKind, Storage, Var, VarId,
    copy, walk,
};

/// Where a call stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// The function that it stands in.
    pub(crate) within: FnId,
    pub(crate) callee: FnId,
    pub(crate) span: Span,
}

/// A call that borrows one array more than once.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) call: Call,
    /// The array.
    pub(crate) whole: Expr,
    /// Which arguments are positions in it, and where they stand.
    pub(crate) at: Vec<(usize, Expr)>,
}

/// The sisters of functions, by which of their parameters share an array.
pub(crate) type Sisters = HashMap<(FnId, Vec<usize>), FnId>;

/// The program with sisters for the functions of such calls; `None` where none can be had.
pub(crate) fn changed(
    program: &Program,
    shared: &[Shared],
    sisters: &mut Sisters,
) -> Option<Program> {
    let mut out = program.clone();
    let mut any = false;
    for Shared { call, whole, at } in shared {
        let places: Vec<usize> = at.iter().map(|(at, _)| *at).collect();
        let key = (call.callee, places.clone());
        let sister = match sisters.get(&key) {
            Some(known) => *known,
            None => {
                let Some(made) = sister(&mut out, call.callee, &places) else {
                    continue;
                };
                sisters.insert(key, made);
                made
            }
        };
        any |= redirect(&mut out, call, sister, &|args| {
            let mut given = Vec::new();
            for (place, arg) in args.iter().enumerate() {
                let Some((_, start)) = at.iter().find(|(a, _)| *a == place) else {
                    given.push(arg.clone());
                    continue;
                };
                if at[0].0 == place {
                    given.push(whole.clone());
                }
                given.push(start.clone());
            }
            given
        });
    }
    drop_uncalled(&mut out, sisters.keys().map(|(id, _)| *id));
    any.then_some(out)
}

/// A copy of a function whose parameters at `places` are positions in one array.
fn sister(program: &mut Program, id: FnId, places: &[usize]) -> Option<FnId> {
    let mut name = format!("{}_within", program.function(id).name);
    while program.find_function(&name).is_some() {
        name.push('_');
    }
    let made = copy::function(program, id, &name)?;
    let params = program.function(made).params.clone();
    let shared: Vec<VarId> = places.iter().map(|at| params[*at]).collect();
    let first = program.var(*shared.first()?).clone();
    let element = first.ty.element()?.clone();
    let constant = shared
        .iter()
        .all(|p| matches!(program.var(*p).ty, Type::Pointer { constant: true, .. }));
    let ty = Type::Pointer {
        to: Box::new(element),
        constant,
    };
    let used: HashSet<String> = program.vars.iter().map(|v| v.name.clone()).collect();
    let add = |vars: &mut Vec<Var>, name: &str, ty: Type| {
        let mut name = name.to_string();
        while used.contains(&name) {
            name.push('_');
        }
        vars.push(Var {
            name,
            ty,
            typedef: None,
            constant: false,
            array_param: None,
            extents: Vec::new(),
            ..first.clone()
        });
        VarId(vars.len() as u32 - 1)
    };
    let names: Vec<String> = params
        .iter()
        .map(|p| format!("{}_at", program.var(*p).name))
        .collect();
    let whole = add(&mut program.vars, "whole", ty.clone());
    let (mut own, mut types) = (Vec::new(), Vec::new());
    let mut starts = Vec::new();
    for (at, param) in params.iter().enumerate() {
        if !places.contains(&at) {
            own.push(*param);
            continue;
        }
        if starts.is_empty() {
            own.push(whole);
        }
        let start = add(&mut program.vars, &names[at], SIZE);
        own.push(start);
        starts.push((*param, start));
    }
    for (param, start) in &starts {
        let var = program.var(*param).clone();
        let span = var.span;
        let expr = |kind, ty: &Type| Expr {
            kind,
            ty: ty.clone(),
            span,
        };
        let value = ExprKind::Binary(
            BinaryOp::Add,
            Box::new(expr(ExprKind::Var(whole), &ty)),
            Box::new(expr(ExprKind::Var(*start), &SIZE)),
        );
        let value = Init::Expr(Box::new(expr(value, &var.ty)));
        let var = &mut program.vars[param.0 as usize];
        var.storage = Storage::Local;
        var.init = Some(value);
        var.array_param = None;
        var.constant = false;
    }
    types.extend(own.iter().map(|p| program.var(*p).ty.clone()));
    let function = &mut program.functions[made.0 as usize];
    function.params = own;
    function.ty.params = types;
    let span = function.span;
    if let Some(body) = &mut function.body {
        let declared = Stmt {
            kind: StmtKind::Decl(shared),
            span,
            directives: Vec::new(),
            comments: Vec::new(),
        };
        body.stmts.insert(0, declared);
    }
    Some(made)
}

/// Makes a call one of the sister, with the arguments that this is given; whether it was found.
pub(crate) fn redirect(
    program: &mut Program,
    call: &Call,
    sister: FnId,
    given: &dyn Fn(&[Expr]) -> Vec<Expr>,
) -> bool {
    let mut hit = false;
    let mut redirected = |e: &mut Expr| {
        if e.span == call.span
            && let ExprKind::Call { callee, args } = &mut e.kind
            && *callee == call.callee
        {
            *args = given(args);
            *callee = sister;
            hit = true;
        }
    };
    let function = &mut program.functions[call.within.0 as usize];
    let stmts = function.body.iter_mut().flat_map(|b| &mut b.stmts);
    stmts.for_each(|s| change_stmt(s, &mut redirected));
    for var in program
        .vars
        .iter_mut()
        .filter(|v| v.owner == Some(call.within))
    {
        if let Some(Init::Expr(e)) = &mut var.init {
            change(e, &mut redirected);
        }
    }
    hit
}

/// Leaves out the functions that only have calls of their sisters now.
pub(crate) fn drop_uncalled(program: &mut Program, ids: impl Iterator<Item = FnId>) {
    let main = program.find_function("main").is_some();
    for id in ids {
        let mut called = !main && !program.function(id).internal;
        for other in program.defined().filter(|other| *other != id) {
            for stmt in program.function(other).body.iter().flat_map(|b| &b.stmts) {
                walk::exprs(program, stmt, &mut |e| {
                    called |= matches!(&e.kind, ExprKind::Call { callee, .. } | ExprKind::Function(callee) if *callee == id);
                });
            }
        }
        if !called {
            program.functions[id.0 as usize].body = None;
            program
                .items
                .retain(|i| !matches!(i.kind, ItemKind::Function(f) if f == id));
        }
    }
}

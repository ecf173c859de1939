//! Calls that get several positions in one array, `merge(out + lo, out + mid, n)`, where the function writes through one of
//! them: it gets a sister that takes the array once, and the positions as numbers.
//!
//! What is passed is only known when a call is written, so the emitter notes such calls, and the program is written anew.

use std::collections::{HashMap, HashSet};

use super::shapes::Shape;
use super::usage::{dynamic, same};
use super::{Emit, args::Borrow};
use crate::ctypes::{SIZE, Type};
use crate::source::Span;
use crate::typed::change::{change, change_stmt};
use crate::typed::{
    BinaryOp, Expr, ExprKind, FnId, Init, ItemKind, Program, Stmt, StmtKind, Storage, Var, VarId,
    copy, walk,
};

/// Where a call stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// The function that it stands in.
    pub(super) within: FnId,
    pub(super) callee: FnId,
    pub(super) span: Span,
}

/// A call that borrows one array more than once.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    call: Call,
    /// The array.
    whole: Expr,
    /// Which arguments are positions in it, and where they stand.
    at: Vec<(usize, Expr)>,
}

/// The sisters of functions, by which of their parameters share an array.
pub(super) type Sisters = HashMap<(FnId, Vec<usize>), FnId>;

fn sum(op: BinaryOp, a: Option<Expr>, b: Expr) -> Expr {
    match a {
        None if op == BinaryOp::Add => b,
        a => {
            let span = b.span;
            let a = Box::new(a.unwrap_or_else(|| Expr::int(0, SIZE, span)));
            Expr {
                kind: ExprKind::Binary(op, a, Box::new(b)),
                ty: SIZE,
                span,
            }
        }
    }
}

impl Emit<'_> {
    /// Notes a call whose borrows `a` and `b` are of the same array.
    pub(super) fn note_shared(
        &mut self,
        callee: FnId,
        args: &[Expr],
        borrows: &[Borrow],
        pair: (usize, usize),
        span: Span,
    ) {
        let Some(within) = self.function else { return };
        let (a, b) = (&borrows[pair.0], &borrows[pair.1]);
        let group: Vec<usize> = borrows
            .iter()
            .enumerate()
            .filter(|(at, o)| *at == pair.0 || *at == pair.1 || o.overlaps(a) || o.overlaps(b))
            .map(|(_, o)| o.arg)
            .collect();
        let mut group = group;
        group.sort_unstable();
        group.dedup();
        if group.len() < 2 || args.iter().any(|a| self.has_effect(a)) {
            return;
        }
        let params = &self.program.function(callee).params;
        let mut whole: Option<Expr> = None;
        let mut at = Vec::new();
        for arg in group {
            let Some((base, offset)) = self.origin(&args[arg]) else {
                return;
            };
            let element = |ty: &Type| ty.element().cloned();
            let plain = params
                .get(arg)
                .is_some_and(|p| element(&self.program.var(*p).ty) == element(&base.ty));
            if !plain || whole.as_ref().is_some_and(|known| !same(known, &base)) {
                return;
            }
            let span = args[arg].span;
            at.push((arg, offset.unwrap_or_else(|| Expr::int(0, SIZE, span))));
            whole = Some(base);
        }
        let call = Call {
            within,
            callee,
            span,
        };
        self.shared
            .extend(whole.map(|whole| Shared { call, whole, at }));
    }

    /// The array that an argument points into, as a pointer to its start, and how far behind that.
    fn origin(&self, arg: &Expr) -> Option<(Expr, Option<Expr>)> {
        let start = |array: &Expr, of: &Type| Expr {
            kind: ExprKind::Decay(Box::new(array.clone())),
            ty: Type::pointer(of.clone()),
            span: array.span,
        };
        if let Type::Array(of, _) = &arg.ty {
            return Some((start(arg, of), None));
        }
        match &arg.kind {
            ExprKind::Cast { value, .. } if value.ty.element() == arg.ty.element() => {
                self.origin(value)
            }
            ExprKind::AddrOf(place) => match &place.kind {
                ExprKind::Index(base, index) => {
                    let (base, at) = self.origin(base)?;
                    Some((
                        base,
                        Some(sum(BinaryOp::Add, at, (**index).clone().converted(&SIZE))),
                    ))
                }
                _ => None,
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), base, index)
                if arg.ty.is_pointer() =>
            {
                let (base, at) = self.origin(base)?;
                Some((base, Some(sum(*op, at, (**index).clone().converted(&SIZE)))))
            }
            ExprKind::Var(id) if arg.ty.is_pointer() => match self.shapes.var(*id) {
                Some(Shape::Cursor {
                    base,
                    fixed,
                    single: false,
                }) if !dynamic(base) => {
                    let start = match &base.ty {
                        Type::Array(of, _) => start(base, of),
                        _ => (**base).clone(),
                    };
                    if *fixed {
                        return Some((start, None));
                    }
                    let distance = ExprKind::Binary(
                        BinaryOp::Sub,
                        Box::new(arg.clone()),
                        Box::new(start.clone()),
                    );
                    let distance = Expr {
                        kind: distance,
                        ty: Type::Int(crate::ctypes::IntKind::Long),
                        span: arg.span,
                    };
                    Some((start, Some(distance.converted(&SIZE))))
                }
                Some(Shape::Owned | Shape::Slice) if !self.moves(*id) => Some((arg.clone(), None)),
                Some(Shape::Slice) => Some((arg.clone(), None)),
                _ => None,
            },
            ExprKind::Decay(_) | ExprKind::Member(..) | ExprKind::Index(..)
                if arg.ty.is_pointer() =>
            {
                Some((arg.clone(), None))
            }
            _ => None,
        }
    }
}

/// The program with sisters for the functions of such calls; `None` where none can be had.
pub(super) fn changed(
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
pub(super) fn redirect(
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
pub(super) fn drop_uncalled(program: &mut Program, ids: impl Iterator<Item = FnId>) {
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

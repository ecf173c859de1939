//! What each C pointer is in Rust.
//!
//! Safe Rust keeps apart what C calls a pointer: memory that is owned (`Vec<T>`), memory that is
//! borrowed (`&[T]`, `&mut T`), a position in an array (an index), text. The shape of a pointer
//! variable follows from everything that is ever assigned to it, and from what is done with it.
//! Where no shape fits, the pointer is refused with a code.

use std::collections::HashMap;

use super::facts::{Facts, root};
use crate::codes;
use crate::ctypes::{StructId, Type};
use crate::diag::Diagnostic;
use crate::lower::is_null;
use crate::source::Span;
use crate::typed::walk;
use crate::typed::{BinaryOp, Expr, ExprKind, FnId, Init, Program, StmtKind, Storage, VarId};

/// What a pointer is in Rust.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Shape {
    /// `Vec<T>`: it is given memory from `malloc`.
    Owned,
    /// A parameter `&[T]` or `&mut [T]`.
    Slice,
    /// A parameter `&T` or `&mut T`: never indexed.
    One,
    /// A parameter `&mut Vec<T>`: memory is allocated through it.
    OwnedRef,
    /// A local position in an array: an index into `base`, which is an array or a pointer of another shape.
    Cursor {
        /// The array.
        base: Box<Expr>,
        /// Whether it always stands at the start, so that no index is needed.
        fixed: bool,
        /// Whether `base` is one object, not an array.
        single: bool,
    },
    /// `&str`: string literals and arguments of the program.
    Text,
    /// `FILE *`: the standard streams.
    Stream,
}

/// Something that holds a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Holder {
    Var(VarId),
    Field(StructId, u32),
    Return(FnId),
}

/// The shapes of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    shapes: HashMap<Holder, Shape>,
    /// Parameters and globals that are written through.
    mutable: HashMap<VarId, bool>,
}

#[derive(Clone, Debug)]
enum Source {
    Alloc,
    Null,
    Text,
    Call(FnId),
    /// A pointer into what this expression designates; true if it may be off its start.
    Into(Expr, bool),
    Unknown,
}

struct Flow {
    to: Holder,
    from: Source,
    span: Span,
}

/// Functions of the C library that allocate.
pub(super) fn allocates(name: &str) -> bool {
    matches!(
        name,
        "malloc" | "calloc" | "realloc" | "acc_malloc" | "aligned_alloc" | "valloc"
    )
}

impl Shapes {
    pub(super) fn get(&self, holder: Holder) -> Option<&Shape> {
        self.shapes.get(&holder)
    }

    pub(super) fn var(&self, id: VarId) -> Option<&Shape> {
        self.get(Holder::Var(id))
    }

    /// Whether a parameter is written through.
    pub(super) fn mutable(&self, id: VarId) -> bool {
        self.mutable.get(&id).copied().unwrap_or(false)
    }

    /// Finds the shapes; reports what has none.
    pub(super) fn new(program: &Program, facts: &Facts, report: &mut Vec<Diagnostic>) -> Shapes {
        let mut shapes = Shapes::default();
        let flows = flows(program);
        shapes.parameters(program, &flows);
        // Owners and text first, then positions in them; twice, because calls pass shapes on.
        for _ in 0..3 {
            for holder in holders(program) {
                shapes.infer(program, facts, holder, &flows, None);
            }
        }
        for holder in holders(program) {
            shapes.infer(program, facts, holder, &flows, Some(report));
        }
        shapes.mutability(program);
        shapes
    }

    fn parameters(&mut self, program: &Program, flows: &[Flow]) {
        for id in program.defined() {
            for &param in &program.function(id).params {
                let var = program.var(param);
                let Type::Pointer { to, .. } = &var.ty else {
                    continue;
                };
                let shape = if is_stream(program, to) {
                    Shape::Stream
                } else {
                    let text = to.is_char() && {
                        let mut from = flows
                            .iter()
                            .filter(|f| f.to == Holder::Var(param))
                            .peekable();
                        from.peek().is_some() && from.all(|f| self.is_text(program, &f.from))
                    };
                    let usage = usage(program, id, param);
                    match usage {
                        _ if text => Shape::Text,
                        Usage {
                            assigns_target: true,
                            ..
                        } if to.is_pointer() => Shape::OwnedRef,
                        Usage {
                            indexed: false,
                            dereferenced: true,
                            ..
                        } if var.array_param.is_none() => Shape::One,
                        _ => Shape::Slice,
                    }
                };
                self.shapes.insert(Holder::Var(param), shape);
            }
        }
        // A parameter that is only passed on has the shape that it is passed as.
        for _ in 0..4 {
            for id in program.defined() {
                for &param in &program.function(id).params {
                    if self.var(param) == Some(&Shape::Slice)
                        && program.var(param).array_param.is_none()
                    {
                        let passed = passed_as(program, id, param);
                        let all_one = !passed.is_empty()
                            && passed
                                .iter()
                                .all(|q| matches!(self.var(*q), Some(Shape::One)));
                        let usage = usage(program, id, param);
                        if all_one && !usage.indexed_other {
                            self.shapes.insert(Holder::Var(param), Shape::One);
                        }
                        if passed
                            .iter()
                            .any(|q| matches!(self.var(*q), Some(Shape::OwnedRef)))
                        {
                            self.shapes.insert(Holder::Var(param), Shape::OwnedRef);
                        }
                    }
                }
            }
        }
    }

    fn is_text(&self, program: &Program, from: &Source) -> bool {
        match from {
            Source::Text => true,
            Source::Null => true,
            Source::Call(id) => self.get(Holder::Return(*id)) == Some(&Shape::Text),
            Source::Into(base, _) => match &base.kind {
                ExprKind::Var(id) => self.var(*id) == Some(&Shape::Text),
                ExprKind::Index(inner, _) | ExprKind::Deref(inner) => {
                    root(inner).is_some_and(|id| is_argv(program, id))
                }
                ExprKind::Member(..) => {
                    member_of(base).is_some_and(|h| self.get(h) == Some(&Shape::Text))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn infer(
        &mut self,
        program: &Program,
        facts: &Facts,
        holder: Holder,
        flows: &[Flow],
        report: Option<&mut Vec<Diagnostic>>,
    ) {
        if let Holder::Var(id) = holder
            && program.var(id).storage == Storage::Param
        {
            return;
        }
        let ty = holder_type(program, holder);
        let Type::Pointer { to, .. } = &ty else {
            return;
        };
        if is_stream(program, to) {
            self.shapes.insert(holder, Shape::Stream);
            return;
        }
        let own: Vec<&Flow> = flows.iter().filter(|f| f.to == holder).collect();
        let filled: Vec<&&Flow> = own
            .iter()
            .filter(|f| !matches!(f.from, Source::Null))
            .collect();
        let owned = |f: &Flow| match &f.from {
            Source::Alloc => true,
            Source::Call(id) => matches!(self.get(Holder::Return(*id)), Some(Shape::Owned)),
            Source::Into(base, false) => {
                // Moving out of an owner: returned, or handed over to a field.
                let movable = matches!(holder, Holder::Return(_))
                    || matches!(base.kind, ExprKind::Var(_)) && !matches!(holder, Holder::Var(_));
                movable
                    && self
                        .holder_of(base)
                        .is_some_and(|h| h == holder || self.get(h) == Some(&Shape::Owned))
            }
            _ => false,
        };
        let global = matches!(holder, Holder::Var(id) if super::facts::is_global(program, id));
        let shape = if filled.is_empty() || filled.iter().all(|f| owned(f)) {
            Some(Shape::Owned)
        } else if to.is_char() && own.iter().all(|f| self.is_text(program, &f.from)) {
            Some(Shape::Text)
        } else if let Holder::Var(id) = holder
            && !global
        {
            self.cursor(program, facts, id, &filled)
        } else {
            None
        };
        match (shape, report) {
            (Some(shape), _) => {
                self.shapes.insert(holder, shape);
            }
            (None, Some(report)) => {
                let bad = filled
                    .iter()
                    .find(|f| !owned(f))
                    .map_or_else(Span::default, |f| f.span);
                let (code, message, help) = match holder {
                    Holder::Return(_) => (
                        codes::POINTER_ESCAPES,
                        "a function returns a pointer that it did not allocate",
                        "return an index, or the array itself",
                    ),
                    _ if filled.iter().any(|f| reads_as_other(program, &ty, f)) => (
                        codes::POINTER_CAST,
                        "data is read as another type through this pointer",
                        "copy the values with a conversion instead",
                    ),
                    _ if filled.iter().any(|f| owned(f)) => (
                        codes::UNION_OF_STORAGE,
                        "this pointer holds allocated memory at one time and points into other data at another",
                        "use two variables",
                    ),
                    _ => (
                        codes::LOST_POINTER,
                        "it cannot be told which array this pointer points into",
                        "give the pointer one array for its whole life, or use an index",
                    ),
                };
                report.push(Diagnostic::new(code, bad, message).help(help));
                self.shapes.insert(holder, Shape::Owned);
            }
            (None, None) => {}
        }
    }

    /// A local pointer that always points into the same thing.
    fn cursor(
        &self,
        program: &Program,
        facts: &Facts,
        id: VarId,
        flows: &[&&Flow],
    ) -> Option<Shape> {
        let mut base: Option<Expr> = None;
        let mut fixed =
            facts.var(id).assigned == 0 || flows.len() == 1 && facts.var(id).assigned <= 1;
        for flow in flows {
            let Source::Into(into, moved) = &flow.from else {
                return None;
            };
            if root(into) == Some(id) {
                fixed = false;
                continue;
            }
            // A position in a position is a position in its array.
            let into = match &into.kind {
                ExprKind::Var(other) => match self.var(*other) {
                    Some(Shape::Cursor {
                        base, fixed: still, ..
                    }) => {
                        fixed &= *still;
                        (**base).clone()
                    }
                    _ => into.clone(),
                },
                _ => into.clone(),
            };
            fixed &= !moved;
            // A parameter that moves is no fixed start.
            if let Some(other) = into.as_var() {
                fixed &=
                    program.var(other).storage != Storage::Param || facts.var(other).assigned == 0;
            }
            match &base {
                None => base = Some(into),
                Some(known) if same(known, &into) && !dynamic(known) => fixed = false,
                Some(_) => return None,
            }
        }
        let base = base?;
        if let Some(other) = base.as_var()
            && program.var(other).ty.is_pointer()
            && self
                .var(other)
                .is_none_or(|s| matches!(s, Shape::Cursor { .. } | Shape::Stream))
        {
            return None;
        }
        // The same memory read as another type is no position in it.
        let (own, other) = (
            program.var(id).ty.element()?,
            base.ty.element().unwrap_or(&base.ty),
        );
        if own != other && own.innermost() != other.innermost() {
            return None;
        }
        let single = !matches!(base.ty, Type::Array(..) | Type::Pointer { .. });
        if single && !fixed {
            return None;
        }
        Some(Shape::Cursor {
            base: Box::new(base),
            fixed,
            single,
        })
    }

    fn holder_of(&self, place: &Expr) -> Option<Holder> {
        match &place.kind {
            ExprKind::Var(id) => Some(Holder::Var(*id)),
            _ => member_of(place),
        }
    }

    /// Which parameters are written through: directly, through a position, or by a callee.
    fn mutability(&mut self, program: &Program) {
        loop {
            let mut changed = false;
            for id in program.defined() {
                let Some(body) = &program.function(id).body else {
                    continue;
                };
                let mut hit = Vec::new();
                for stmt in &body.stmts {
                    walk::exprs(program, stmt, &mut |e| match &e.kind {
                        ExprKind::Assign(place, _)
                        | ExprKind::Compound { place, .. }
                        | ExprKind::Step { place, .. }
                            if place.as_var().is_none() =>
                        {
                            hit.extend(root(place));
                        }
                        ExprKind::Call { callee, args } => {
                            let function = program.function(*callee);
                            for (at, arg) in args.iter().enumerate() {
                                // Freeing a member empties it.
                                if function.name == "free" && arg.stripped().as_var().is_none() {
                                    hit.extend(root(arg));
                                }
                                let writes = match function.params.get(at) {
                                    Some(param) => self.mutable(*param),
                                    None => library_writes(&function.name, at),
                                };
                                if writes && arg.ty.is_pointer() {
                                    hit.extend(root(arg));
                                }
                            }
                        }
                        _ => {}
                    });
                }
                while let Some(var) = hit.pop() {
                    if let Some(Shape::Cursor { base, .. }) = self.var(var) {
                        hit.extend(root(base).filter(|r| !self.mutable(*r)));
                    }
                    if self.mutable.insert(var, true) != Some(true) {
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }
}

/// Whether a function of the C library writes through its argument.
pub(super) fn library_writes(name: &str, at: usize) -> bool {
    let first = matches!(
        name.trim_start_matches("__builtin_"),
        "memset"
            | "memcpy"
            | "memmove"
            | "strcpy"
            | "strncpy"
            | "strcat"
            | "sprintf"
            | "snprintf"
            | "gettimeofday"
            | "time"
            | "rand_r"
            | "qsort"
            | "acc_memcpy_from_device"
            | "acc_memcpy_to_device"
            | "acc_memcpy_device"
    );
    first && at == 0
        || name == "clock_gettime" && at == 1
        || matches!(name, "modf" | "frexp" | "sincos") && at >= 1
}

/// A `FILE *`.
fn is_stream(program: &Program, to: &Type) -> bool {
    matches!(to, Type::Struct(id) if matches!(program.structure(*id).name.as_str(), "_IO_FILE" | "FILE" | "__sFILE"))
}

/// Whether a variable is the second parameter of `main`.
pub(super) fn is_argv(program: &Program, id: VarId) -> bool {
    let main = program.find_function("main");
    main.is_some_and(|main| program.function(main).params.get(1) == Some(&id))
}

fn member_of(place: &Expr) -> Option<Holder> {
    match &place.kind {
        ExprKind::Member(base, field) => match base.ty {
            Type::Struct(id) => Some(Holder::Field(id, *field)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a pointer is made to point to data of another type.
fn reads_as_other(program: &Program, ty: &Type, flow: &Flow) -> bool {
    let Source::Into(base, _) = &flow.from else {
        return false;
    };
    let other = base.ty.element().unwrap_or(&base.ty).innermost();
    let own = ty.element().map_or(ty, Type::innermost);
    let _ = program;
    own != other && *own != Type::Void && *other != Type::Void
}

/// Everything that holds a pointer.
fn holders(program: &Program) -> Vec<Holder> {
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
            .filter(|(_, f)| f.ty.is_pointer() && shape.user);
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

fn holder_type(program: &Program, holder: Holder) -> Type {
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
fn source(program: &Program, expr: &Expr) -> Vec<Source> {
    use ExprKind as K;
    if is_null(expr) {
        return vec![Source::Null];
    }
    let one = |s| vec![s];
    match &expr.kind {
        K::Cast { value, .. } => source(program, value),
        K::Call { callee, .. } => {
            let function = program.function(*callee);
            one(match () {
                () if allocates(&function.name) => Source::Alloc,
                () if function.name == "strdup" || function.name == "getenv" => Source::Text,
                () if function.body.is_some() => Source::Call(*callee),
                () => Source::Unknown,
            })
        }
        K::Decay(inner) if matches!(inner.kind, K::Str(_)) => one(Source::Text),
        K::Decay(inner) => one(Source::Into((**inner).clone(), false)),
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

/// Every place where a pointer gets a value.
fn flows(program: &Program) -> Vec<Flow> {
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

fn field_flows(
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

/// What a function does with a pointer parameter.
#[derive(Clone, Copy, Default, Debug)]
struct Usage {
    indexed: bool,
    /// Indexed or stepped, being passed on not counted.
    indexed_other: bool,
    dereferenced: bool,
    assigns_target: bool,
}

fn usage(program: &Program, function: FnId, param: VarId) -> Usage {
    let mut out = Usage::default();
    let Some(body) = &program.function(function).body else {
        return out;
    };
    let is = |e: &Expr| e.stripped().as_var() == Some(param);
    let mut plain = 0u32;
    let mut mentions = 0u32;
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| match &e.kind {
            ExprKind::Var(id) if *id == param => mentions += 1,
            ExprKind::Deref(p) if is(p) => {
                out.dereferenced = true;
                plain += 1;
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() && (is(a) || is(b)) => plain += 1,
            ExprKind::Index(p, _) if is(p) => {
                out.indexed = true;
                out.indexed_other = true;
            }
            ExprKind::Assign(place, value) if value.ty.is_pointer() => {
                if let ExprKind::Deref(p) = &place.kind
                    && is(p)
                {
                    out.assigns_target = true;
                }
            }
            ExprKind::Call { args, .. } => {
                plain += 0;
                let _ = args;
            }
            _ => {}
        });
    }
    // Passed on, stepped, added to, copied: anything but `*p` and comparisons.
    if mentions > plain {
        out.indexed = true;
        let passed = count_passed(program, function, param);
        out.indexed_other |= mentions > plain + passed;
    }
    out
}

fn count_passed(program: &Program, function: FnId, param: VarId) -> u32 {
    let mut count = 0;
    if let Some(body) = &program.function(function).body {
        for stmt in &body.stmts {
            walk::exprs(program, stmt, &mut |e| {
                if let ExprKind::Call { args, .. } = &e.kind {
                    count += args
                        .iter()
                        .filter(|a| a.stripped().as_var() == Some(param))
                        .count() as u32;
                }
            });
        }
    }
    count
}

/// The parameters of other functions that a parameter is passed to as it is.
fn passed_as(program: &Program, function: FnId, param: VarId) -> Vec<VarId> {
    let mut out = Vec::new();
    if let Some(body) = &program.function(function).body {
        for stmt in &body.stmts {
            walk::exprs(program, stmt, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind {
                    let params = &program.function(*callee).params;
                    out.extend(
                        params
                            .iter()
                            .zip(args)
                            .filter(|(_, a)| a.stripped().as_var() == Some(param))
                            .map(|(p, _)| *p),
                    );
                }
            });
        }
    }
    out
}

/// Whether two places are the same, apart from where they stand in the source.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    use ExprKind as K;
    match (&a.kind, &b.kind) {
        (K::Var(x), K::Var(y)) => x == y,
        (K::Int(x), K::Int(y)) => x == y,
        (K::Char(x), K::Char(y)) => x == y,
        (K::Float(x), K::Float(y)) => x == y,
        (K::EnumConst(x, _), K::EnumConst(y, _)) => x == y,
        (K::Index(p, i), K::Index(q, j)) => same(p, q) && same(i, j),
        (K::Member(p, i), K::Member(q, j)) => i == j && same(p, q),
        (K::Deref(p), K::Deref(q)) | (K::Decay(p), K::Decay(q)) | (K::AddrOf(p), K::AddrOf(q)) => {
            same(p, q)
        }
        (K::Cast { value: p, .. }, _) if a.ty == b.ty || matches!(&b.kind, K::Cast { .. }) => {
            match &b.kind {
                K::Cast { value: q, .. } => a.ty == b.ty && same(p, q),
                _ => false,
            }
        }
        (K::Binary(op, p, i), K::Binary(other, q, j)) => op == other && same(p, q) && same(i, j),
        (K::Unary(op, p), K::Unary(other, q)) => op == other && same(p, q),
        _ => false,
    }
}

/// Whether a place holds an index that may change.
pub(super) fn dynamic(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Index(base, index) => {
            !matches!(index.stripped().kind, ExprKind::Int(_)) || dynamic(base)
        }
        ExprKind::Member(base, _) | ExprKind::Deref(base) | ExprKind::Decay(base) => dynamic(base),
        _ => false,
    }
}

//! What each C pointer is in Rust.
//!
//! Safe Rust keeps apart what C calls a pointer: memory that is owned (`Vec<T>`), memory that is
//! borrowed (`&[T]`, `&mut T`), a position in an array (an index), text. The shape of a pointer
//! variable follows from everything that is ever assigned to it, and from what is done with it.
//! Where no shape fits, the pointer is refused with a code.

use std::collections::HashMap;

use super::shape::{Shape, Shapes};
use crate::codes;
use crate::ctypes::Type;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::translate::base::facts::Facts;
use crate::translate::base::flows::Holder;
use crate::translate::base::flows::{
    Flow, Source, allocates_char_rows, flows, holder_type, holders, is_argv, library_writes,
    member_of, number_ends, reads_as_other,
};
use crate::translate::base::places::{is_global, root};
use crate::translate::base::usage::{Usage, dynamic, passed_as, same, usage};
use crate::typed::walk;
use crate::typed::{Expr, ExprKind, Program, Storage, VarId};

impl Shapes {
    fn kept_text(&mut self, program: &Program, flows: &[Flow]) {
        loop {
            let mut more = Vec::new();
            for flow in flows {
                let lasts = match flow.to {
                    Holder::Field(..) | Holder::Return(_) => true,
                    Holder::Var(to) => is_global(program, to) || self.kept.contains(&to),
                };
                if let Source::Into(from, _) = &flow.from
                    && let Some(id) = from.as_var()
                    && lasts
                    && self.var(id) == Some(&Shape::Text)
                    && !self.kept.contains(&id)
                {
                    more.push(id);
                }
            }
            if more.is_empty() {
                break;
            }
            self.kept.extend(more);
        }
    }

    /// Finds the shapes; reports what has none.
    pub(crate) fn new(program: &Program, facts: &Facts, report: &mut Vec<Diagnostic>) -> Shapes {
        let mut shapes = Shapes {
            char_rows: allocates_char_rows(program),
            exchanges: crate::translate::base::swap::assignments(program),
            number_ends: number_ends(program),
            ..Shapes::default()
        };
        let flows = flows(program);
        shapes.parameters(program, &flows);
        // Owners and text first, then positions in them; three times, because calls pass shapes on, and once more to report.
        for _ in 0..3 {
            shapes.text_parameters(program, &flows);
            for holder in holders(program) {
                shapes.infer(program, facts, holder, &flows, None);
            }
        }
        for holder in holders(program) {
            shapes.infer(program, facts, holder, &flows, Some(report));
        }
        shapes.kept_text(program, &flows);
        shapes.exchanged(program, facts, report);
        shapes.stale(program, report);
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
                if var.ty.is_function_pointer() {
                    continue;
                }
                let shape = {
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

    /// Parameters that get nothing but text, of which more is known by now.
    fn text_parameters(&mut self, program: &Program, flows: &[Flow]) {
        for id in program.defined() {
            for &param in &program.function(id).params {
                let to = Holder::Var(param);
                let chars = program.var(param).ty.element().is_some_and(Type::is_char);
                let mut from = flows.iter().filter(|f| f.to == to).peekable();
                if chars
                    && self.var(param) == Some(&Shape::Slice)
                    && from.peek().is_some()
                    && from.all(|f| self.is_text(program, &f.from))
                {
                    self.shapes.insert(to, Shape::Text);
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
                    root(inner).is_some_and(|id| {
                        let rows = |ty: &Type| match ty {
                            Type::Pointer { to, constant } => self.text_rows(to, *constant),
                            _ => false,
                        };
                        is_argv(program, id)
                            || program.var(id).ty.innermost().is_pointer() && rows(&base.ty)
                    })
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
        let own: Vec<&Flow> = flows.iter().filter(|f| f.to == holder).collect();
        if let Holder::Var(id) = holder
            && own.iter().any(|f| matches!(f.from, Source::Null))
        {
            self.nullable.insert(id);
        }
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
        let global = matches!(holder, Holder::Var(id) if is_global(program, id));
        let shape = if filled.is_empty() || filled.iter().all(|f| owned(f)) {
            Some(Shape::Owned)
        } else if to.is_char()
            && own.iter().all(|f| self.is_text(program, &f.from))
            && (own
                .iter()
                .any(|f| matches!(&f.from, Source::Into(base, _) if dynamic(base)))
                || !matches!(holder, Holder::Var(id) if self.number_ends.contains(&id)))
        {
            Some(Shape::Text)
        } else if let Holder::Var(id) = holder {
            self.cursor(program, facts, id, &filled, flows)
                .filter(|shape| !global || self.stays(program, flows, shape))
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
        own: &[&&Flow],
        all: &[Flow],
    ) -> Option<Shape> {
        let mut base: Option<Expr> = None;
        let assigned = facts.var(id).assigned.saturating_sub(self.exchanges(id));
        let mut fixed = assigned == 0 || own.len() == 1 && assigned <= 1;
        let (flows, others) = self.gathered(program, id, own, all);
        fixed &= others == 0;
        for flow in flows {
            let Source::Into(into, moved) = &flow.from else {
                return None;
            };
            if root(into) == Some(id) {
                fixed = false;
                continue;
            }
            // `&a[0][0]` may stand for all rows, of which the first one is an array by itself.
            if *moved
                && let ExprKind::Index(_, at) = &into.kind
                && matches!(into.ty, Type::Array(..))
                && matches!(at.stripped().kind, ExprKind::Int(0))
            {
                return None;
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
                .is_none_or(|s| matches!(s, Shape::Cursor { .. }))
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
        // A position that may be null says so.
        fixed &= single || !self.nullable(id);
        Some(Shape::Cursor {
            base: Box::new(base),
            fixed,
            single,
        })
    }

    /// What flows into a local, and into the locals of no shape yet that it gets positions from; how many those are.
    fn gathered<'f>(
        &self,
        program: &Program,
        id: VarId,
        own: &[&&'f Flow],
        all: &'f [Flow],
    ) -> (Vec<&'f Flow>, usize) {
        let mut seen = vec![id];
        let mut out: Vec<&Flow> = Vec::new();
        let mut todo: Vec<&Flow> = own.iter().map(|f| **f).collect();
        while let Some(flow) = todo.pop() {
            let other = match &flow.from {
                Source::Into(into, _) => into.as_var(),
                _ => None,
            };
            let Some(other) = other.filter(|other| {
                program.var(*other).storage == Storage::Local
                    && program.var(*other).ty.is_pointer()
                    && (seen.contains(other) || self.var(*other).is_none())
            }) else {
                out.push(flow);
                continue;
            };
            if seen.contains(&other) {
                if other == id {
                    out.push(flow);
                }
                continue;
            }
            let from: Vec<&Flow> = all
                .iter()
                .filter(|f| f.to == Holder::Var(other) && !matches!(f.from, Source::Null))
                .collect();
            if from.iter().any(|f| !matches!(f.from, Source::Into(..))) {
                out.push(flow);
                continue;
            }
            seen.push(other);
            todo.extend(from);
        }
        (out, seen.len() - 1)
    }

    /// The arrays that positions which live as long as the program stand in.
    pub(crate) fn lasting(&self, program: &Program) -> HashMap<VarId, VarId> {
        let positions = self
            .shapes
            .iter()
            .filter_map(|(holder, shape)| match (holder, shape) {
                (Holder::Var(id), Shape::Cursor { base, .. }) if is_global(program, *id) => {
                    Some((*id, root(base)?))
                }
                _ => None,
            });
        positions.collect()
    }

    /// Whether the array of a position that lives as long as the program does, too, and is always the same: an array, or
    /// memory that is allocated in one place.
    fn stays(&self, program: &Program, flows: &[Flow], shape: &Shape) -> bool {
        let Shape::Cursor {
            base,
            single: false,
            ..
        } = shape
        else {
            return false;
        };
        let Some(id) = root(base).filter(|id| is_global(program, *id) && !dynamic(base)) else {
            return false;
        };
        let mut given = flows
            .iter()
            .filter(|f| f.to == Holder::Var(id) && !matches!(f.from, Source::Null));
        let once = given
            .next()
            .is_some_and(|f| matches!(f.from, Source::Alloc))
            && given.next().is_none();
        let memory = base.as_var().is_some()
            && once
            && self.var(id) == Some(&Shape::Owned)
            && crate::translate::base::swap::exchanged(program)
                .iter()
                .all(|place| place.as_var() != Some(id));
        matches!(program.var(id).ty, Type::Array(..)) || memory
    }

    fn holder_of(&self, place: &Expr) -> Option<Holder> {
        match &place.kind {
            ExprKind::Var(id) => Some(Holder::Var(*id)),
            _ => member_of(place),
        }
    }

    /// Which parameters are written through: directly, through a position, or by a callee.
    fn mutability(&mut self, program: &Program) {
        let exchanged = crate::translate::base::swap::pairs(program);
        loop {
            let mut changed = false;
            // What is exchanged has one type.
            for (a, b) in &exchanged {
                if self.mutable(*a) != self.mutable(*b) {
                    let arrays = [a, b].map(|v| self.borrowed.get(v).copied());
                    self.mutable.extend([(*a, true), (*b, true)]);
                    self.mutable
                        .extend(arrays.into_iter().flatten().map(|v| (v, true)));
                    changed = true;
                }
            }
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
                    hit.extend(self.borrowed.get(&var).filter(|r| !self.mutable(**r)));
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

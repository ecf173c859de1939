//! Calls: methods of primitives and slices, functions, macros.

use quote::ToTokens as _;
use syn::Token;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

use super::grow;
use super::known::{MUTATING_METHODS, READING_METHODS};
use super::lower::Lower;
use super::names::{self, Key, macro_name};
use super::place::Val;
use super::settled;
use crate::alias;
use crate::diag::{Code, Diagnostic};
use crate::infer::Class;
use crate::ir::{
    BinaryOp, Expr, ExprKind, Literal, Method, OfOption, Op, Root, Scalar, SourceId, StmtKind,
    Type, UnaryOp, Words,
};
use crate::source::text_of;
use crate::syntax::{Borrow, Shape, without_parens};

impl Lower<'_> {
    pub(super) fn method_call(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let name = call.method.to_string();
        let e = syn::Expr::MethodCall(call.clone());
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        if let Some(value) = self.append(call) {
            return value;
        }
        if let (syn::Expr::Range(range), "contains", [item]) = (
            without_parens(&call.receiver),
            name.as_str(),
            args.as_slice(),
        ) {
            return self.range_contains(range, item);
        }
        if let Some(value) = self.unwrapped(call) {
            return value;
        }
        if self.iterates(&call.receiver) {
            if let Some(value) = self.consumed(call) {
                return value;
            }
            if self.any && through_element(&call.receiver) {
                let receiver = self.expr(&call.receiver);
                let source = self.source(call);
                return self.unknown_method(&name, only_reads(&name), receiver, &args, source);
            }
            return self.opaque(
                &e,
                &format!("an iterator's `{name}`"),
                Some("write the inner loop out: `for … { … }`"),
            );
        }
        if let Some(value) = self.asked_of_state(call) {
            return value;
        }
        if let Some(key) = settled::asked(call) {
            let (part, source) = (self.expr(key), self.source(key));
            let why = "a comparison, in an order that may be the type's own";
            let mut asked = self.opaque_parts(why, vec![part], source);
            if let ExprKind::Opaque(opaque) = &mut asked.kind {
                opaque.reads = true;
            }
            asked.ty = Type::Scalar(Scalar::Bool);
            return asked;
        }
        let receiver = self.val(&call.receiver);
        if let Some(value) = self.slice_method(&name, &args, &receiver, call) {
            return value;
        }
        let source = self.source(call);
        if let Some(value) = self.local_array_method(&name, &args, &receiver, source) {
            return value;
        }
        match (name.as_str(), args.as_slice()) {
            // What gives the same value again.
            ("clone" | "to_owned" | "copied" | "cloned" | "borrow" | "as_ref", []) => {
                let value = self.value(receiver, source);
                if matches!(value.kind, ExprKind::Opaque(_))
                    || matches!(self.infer.resolve(&value.ty), Type::Opaque(_))
                {
                    return self.opaque(
                        &e,
                        &format!("`.{name}()` of a value whose type is not known here"),
                        None,
                    );
                }
                return value;
            }
            ("into", []) => {
                // The target's type comes from where the value goes; rustc checks that it is lossless.
                let value = self.value(receiver, source);
                if self.infer.scalar(&value.ty).is_some() {
                    let ty = self.infer.fresh(crate::infer::Class::Any);
                    return self.make(ExprKind::Cast(Box::new(value)), ty, source);
                }
                return self.opaque(
                    &e,
                    "`.into()` of a value whose type is not known here",
                    None,
                );
            }
            _ => {}
        }
        let is_unknown = match &receiver {
            Val::Place(place, ty) => {
                matches!(place.root, crate::ir::Root::Array(_)) && self.infer.scalar(ty).is_none()
            }
            Val::Expr(value) => {
                matches!(value.kind, ExprKind::Opaque(_))
                    && (through_element(&call.receiver) || self.is_copy(&call.receiver))
            }
            Val::View(_) => through_element(&call.receiver),
            _ => false,
        };
        if let [other] = args.as_slice()
            && let Some(method) = Method::named(&name)
            && Op::of_method(&name).is_some()
            && is_unknown
            && self.is_field(&receiver)
        {
            // Of bins rustc asks for numbers.
            let receiver = self.value(receiver, source);
            let (ty, other) = (receiver.ty.clone(), self.expr(other));
            return self.make(ExprKind::Method(method, vec![receiver, other]), ty, source);
        }
        if self.any && is_unknown {
            // Whatever the method does to the element, or the elements, it is these.
            match name.as_str() {
                name if MUTATING_METHODS.contains(&name) => {
                    self.lend(&receiver, Borrow::Mutable, source);
                }
                name if READING_METHODS.contains(&name) => {
                    self.lent(&call.receiver, Borrow::Shared);
                }
                _ => {}
            }
            let counts = args.is_empty()
                && matches!(name.as_str(), "len" | "is_empty")
                && self.is_row(&receiver);
            // What it does to a copy of the element is nobody's matter.
            let is_written = match &receiver {
                Val::Place(place, _) => self.is_root_written(place.root),
                _ => false,
            };
            let reads = only_reads(&name) && !is_written || self.is_copy(&call.receiver);
            let receiver = self.value(receiver, source);
            if counts {
                return self.row_length(&name, receiver, source);
            }
            return self.unknown_method(&name, reads, receiver, &args, source);
        }
        let Some(method) = Method::named(&name) else {
            return self.opaque(
                &e,
                &format!("a call of `{name}`, a method that is not known here"),
                method_help(&name),
            );
        };
        let mut parts = vec![self.value(receiver, source)];
        for arg in args {
            parts.push(self.expr(arg));
        }
        self.primitive_method(method, parts.clone(), source)
            .unwrap_or_else(|| {
                if self.any && is_computed(&call.receiver) {
                    // What it is called on is a value of its own.
                    return self.called_on_a_value(&name, parts, source);
                }
                self.check_combined(call);
                self.opaque(
                    &e,
                    &format!("a call of `{name}` on a type that is not known here"),
                    None,
                )
            })
    }

    /// `first.is_none()` of a variable from outside that the loop assigns.
    fn asked_of_state(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let option = match call.method.to_string().as_str() {
            "is_none" => OfOption::IsNone,
            "is_some" => OfOption::IsSome,
            _ => return None,
        };
        let (key, indexed) = names::key_of(&call.receiver)?;
        let assigned = !indexed && self.local(&key.root).is_none() && self.assigns(&key).is_some();
        if !self.any || !assigned || !call.args.is_empty() {
            return None;
        }
        let source = self.source(call);
        let part = self.expr(&call.receiver);
        let why = format!(
            "`.{}()` of a value whose type is not known here",
            call.method
        );
        let mut asked = self.opaque_parts(&why, vec![part], source);
        if let ExprKind::Opaque(opaque) = &mut asked.kind {
            opaque.reads = true;
            opaque.option = Some(option);
        }
        asked.ty = Type::Scalar(Scalar::Bool);
        Some(asked)
    }

    /// `out.push(x)` of a collection from outside that the loop only appends to.
    fn append(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let (key, _) = names::key_of(&call.receiver)?;
        let of = |place: &syn::Expr| names::key_of(place).is_some_and(|(of, _)| of == key);
        let number = self.grown.iter().position(of)?;
        if !grow::appends(&call.method.to_string()) || self.local(&key.root).is_some() {
            return None;
        }
        let source = self.source(call);
        let parts: Vec<Expr> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let pushes = call.method == "push" && call.args.len() == 1;
        if let (true, [item]) = (pushes, &parts[..]) {
            // A literal has the type of what else is pushed.
            let ty = self.pushed_item(number, &key);
            self.infer.unify(&item.ty, &ty);
        }
        let why = "what the loop appends to grows as iterations come to it";
        let mut value = self.opaque_parts(why, parts, source);
        if let ExprKind::Opaque(opaque) = &mut value.kind {
            // Items are handed over as values; what is borrowed for the call is noted where it is.
            opaque.reads = true;
            let help = "write elements at a count, `out[n] = x; n += 1;`, and `out.truncate(n)` after the loop";
            opaque.help = Some(help.to_owned());
            opaque.pushes = pushes.then_some(number);
        }
        value.ty = Type::Unit;
        Some(value)
    }

    /// The type of the items of a collection that the loop appends to.
    fn pushed_item(&mut self, number: usize, key: &Key) -> Type {
        if let Some(known) = self.pushed.get(&number) {
            return known.clone();
        }
        let shape = self.outer.get(&key.root).map(|outer| outer.shape.clone());
        let ty = match shape {
            Some(Shape::Vec(item)) if key.fields.is_empty() => match *item {
                Shape::Elem(ty) if !matches!(ty, syn::Type::Reference(_)) => {
                    Some(self.written_type(&ty))
                }
                _ => None,
            },
            _ => None,
        };
        let ty = ty.unwrap_or_else(|| self.infer.fresh(Class::Any));
        self.pushed.insert(number, ty.clone());
        ty
    }

    /// A statement that groups a map from outside by keys, by its address.
    pub(super) fn keyed(&mut self, statement: *const (), of: &syn::Expr) -> Option<Expr> {
        let operands = self.keyed.get(&statement)?.clone();
        let source = self.source(of);
        let parts = operands.into_iter().map(|part| self.expr(part)).collect();
        let why = "what the loop groups by keys is a map of the host's";
        let mut value = self.opaque_parts(why, parts, source);
        if let ExprKind::Opaque(opaque) = &mut value.kind {
            // Keys and values are handed over; what is borrowed for the call is noted where it is.
            opaque.reads = true;
            let help = "number the keys, and count in a slice: `counts[id[i]] += 1`";
            opaque.help = Some(help.to_owned());
        }
        value.ty = Type::Unit;
        Some(value)
    }

    /// Whether a name has the value of an element, or what methods make of one. Should it be another one of that name, through which the element is changed,
    /// rustc says that the loop's body only has it to be read.
    fn is_copy(&self, e: &syn::Expr) -> bool {
        let path = match without_parens(e) {
            syn::Expr::MethodCall(call) => return self.is_copy(&call.receiver),
            syn::Expr::Path(path) => path,
            _ => return false,
        };
        let name = path.path.get_ident().map(ToString::to_string);
        let Some(Val::Place(place, _)) = name.as_ref().and_then(|name| self.local(name)) else {
            return false;
        };
        if name.as_ref().is_some_and(|name| self.is_handed(name)) {
            return false;
        }
        let is_it = |(of, element): &(String, String)| {
            Some(of) == name.as_ref() && *element == format!("{place:?}")
        };
        self.copies.iter().any(is_it)
    }

    /// A call of a method of which nothing is known, of something that is seen.
    fn unknown_method(
        &mut self,
        name: &str,
        reads: bool,
        mut receiver: Expr,
        args: &[&syn::Expr],
        source: SourceId,
    ) -> Expr {
        if !reads {
            changes(&mut receiver);
        }
        let mut parts = vec![receiver];
        parts.extend(args.iter().map(|arg| self.expr(arg)));
        self.unknown.push(name.to_owned());
        let why = format!("a call of `{name}`, a method that is not known here");
        let mut call = self.opaque_parts(why, parts, source);
        if let ExprKind::Opaque(opaque) = &mut call.kind {
            opaque.reads = reads;
        }
        call
    }

    /// Reports `m = m.max(v)` and the like of a variable whose type is not known here: the method may be any.
    fn check_combined(&mut self, call: &syn::ExprMethodCall) {
        let (name, of) = (call.method.to_string(), without_parens(&call.receiver));
        if let (Some((op, _)), Some((key, false))) = (Op::of_method(&name), names::key_of(of))
            && self.local(&key.root).is_none()
            && self.assigns(&key).is_some()
        {
            let text = text_of(&of.to_token_stream());
            let instead = match op {
                Op::Max => format!("write `if v > {text} {{ {text} = v; }}`, or "),
                Op::Min => format!("write `if v < {text} {{ {text} = v; }}`, or "),
                _ => String::new(),
            };
            let diagnostic = Diagnostic::new(
                Code::Escapes,
                call.method.span(),
                format!("`{text}` is updated by `.{name}(..)`, and its type is not known to be one of numbers"),
            )
            .note(format!("`.{name}(..)` is taken of integers of up to 64 bits, `f32` and `f64`, where the function's tokens show the type; of other types it may be any method"))
            .help(format!("{instead}give `{text}` such a type, `let mut {text}: u64 = ..`"));
            self.report_once(&format!("a look at {}", key.root), diagnostic.looks(true));
        }
    }

    /// A method of a number whose type is not known.
    fn called_on_a_value(&mut self, name: &str, parts: Vec<Expr>, source: SourceId) -> Expr {
        self.unknown.push(name.to_owned());
        let why = format!("a call of `{name}` on a type that is not known here");
        let mut call = self.opaque_parts(why, parts, source);
        if let ExprKind::Opaque(opaque) = &mut call.kind {
            opaque.impure = true;
            opaque.reads = true;
        }
        call
    }

    /// How long a row is, or whether it is empty.
    fn row_length(&mut self, name: &str, row: Expr, source: SourceId) -> Expr {
        let why = format!("a call of `{name}`, of a row whose length is its own");
        let mut length = self.opaque_parts(why, vec![row], source);
        if let ExprKind::Opaque(opaque) = &mut length.kind {
            opaque.reads = true;
            opaque.counts = true;
        }
        length.ty = Type::Scalar(match name {
            "len" => Scalar::Usize,
            _ => Scalar::Bool,
        });
        length
    }

    /// Whether a place is a row of an array whose rows are written as arrays or vectors.
    fn is_row(&self, of: &Val) -> bool {
        let Val::Place(place, _) = of else {
            return false;
        };
        let Root::Array(id) = place.root else {
            return false;
        };
        place.path.len() == 1 && self.array_syntax[id.0 as usize].shape.is_of_rows()
    }

    /// Whether a place is the field of a bin whose type is not known here.
    fn is_field(&self, of: &Val) -> bool {
        let Val::Place(place, _) = of else {
            return false;
        };
        let Root::Array(id) = place.root else {
            return false;
        };
        let root = names::root_of(&self.array_syntax[id.0 as usize].expr);
        root.is_some_and(|root| alias::is_field(&root.to_string()))
    }

    /// `(a..=b).contains(&x)`: two comparisons.
    fn range_contains(&mut self, range: &syn::ExprRange, item: &syn::Expr) -> Expr {
        let source = self.source(range);
        let mut end_of = |end: &Option<Box<syn::Expr>>| {
            let end = end.as_deref()?;
            let end = self.expr(end);
            Some(self.freeze(end, "end"))
        };
        let (start, end) = (end_of(&range.start), end_of(&range.end));
        let item = self.expr(item);
        let item = self.freeze(item, "item");
        let upper = match range.limits {
            syn::RangeLimits::Closed(_) => BinaryOp::Le,
            syn::RangeLimits::HalfOpen(_) => BinaryOp::Lt,
        };
        let above = start.map(|start| self.operation(BinaryOp::Ge, item.clone(), start, source));
        let below = end.map(|end| self.operation(upper, item, end, source));
        self.both(above, below, source).unwrap_or_else(|| {
            self.make(ExprKind::Literal(Literal::Bool(true)), Scalar::Bool, source)
        })
    }

    /// A method of a primitive, receiver first.
    pub(super) fn primitive_method(
        &mut self,
        method: Method,
        parts: Vec<Expr>,
        source: SourceId,
    ) -> Option<Expr> {
        let (receiver, arguments) = parts.split_first()?;
        let types: Vec<Type> = arguments.iter().map(|a| a.ty.clone()).collect();
        let ty = self.infer.method(method, &receiver.ty, &types)?;
        Some(self.make(ExprKind::Method(method, parts), ty, source))
    }

    /// Methods of slices and arrays that are understood.
    fn slice_method(
        &mut self,
        name: &str,
        args: &[&syn::Expr],
        receiver: &Val,
        call: &syn::ExprMethodCall,
    ) -> Option<Expr> {
        if !matches!(name, "len" | "is_empty") || !args.is_empty() {
            return None;
        }
        let source = self.source(call);
        let view = self.view(receiver)?;
        let len = self.len_of(&view, source);
        if name == "len" {
            return Some(len);
        }
        let zero = self.usize(0, source);
        Some(self.operation(BinaryOp::Eq, len, zero, source))
    }

    /// Whether an expression is an iterator over captured memory, or something made of one.
    fn iterates(&self, e: &syn::Expr) -> bool {
        match without_parens(e) {
            syn::Expr::MethodCall(call) => {
                matches!(
                    call.method.to_string().as_str(),
                    "iter"
                        | "into_iter"
                        | "bytes"
                        | "chars"
                        | "windows"
                        | "chunks"
                        | "chunks_exact"
                        | "split"
                        | "lines"
                ) || self.iterates(&call.receiver)
            }
            syn::Expr::Range(_) => true,
            _ => false,
        }
    }

    /// `std::mem::swap(a, b)` at the end of a step: of vectors or of references to slices, whose elements stay where they are.
    fn swap_at_the_end(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        if !self.ending.contains(&std::ptr::from_ref(call)) {
            return None;
        }
        let mut arrays = call.args.iter().map(|arg| {
            let (of, lent) = match without_parens(arg) {
                syn::Expr::Reference(r) if r.mutability.is_some() => (&*r.expr, true),
                other => (other, false),
            };
            let syn::Expr::Path(path) = of else {
                return None;
            };
            let name = path.path.get_ident()?.to_string();
            let outer = self.outer.get(&name)?;
            let stays = match outer.shape {
                Shape::Vec(_) => true,
                Shape::Slice(_) => lent && outer.by_reference == Some(true),
                _ => false,
            };
            let is_free = self.local(&name).is_none();
            (stays && is_free).then(|| self.array(&names::Key::name(name), of).root)
        });
        let (a, b) = (arrays.next()??, arrays.next()??);
        let (Root::Array(a), Root::Array(b)) = (a, b) else {
            return None;
        };
        self.swaps.push([a, b]);
        let source = self.source(call);
        Some(self.unit(source))
    }

    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Expr {
        if let Some(swapped) = self.swap_at_the_end(call) {
            return swapped;
        }
        let e = syn::Expr::Call(call.clone());
        let syn::Expr::Path(path) = without_parens(&call.func) else {
            return self.opaque(&e, "a call of a value", None);
        };
        if let Some(name) = path.path.get_ident() {
            self.check_closure_call(name);
        }
        let names = names::of_path(&path.path);
        let name = names.last().cloned().unwrap_or_default();
        let source = self.source(call);
        match position(&names) {
            Some((kind @ ("at" | "in" | "of"), Some(rank))) => {
                let outside = match kind {
                    "at" => Some(Words::Text(OUT_OF_BOUNDS.to_owned())),
                    "of" => Some(Words::Index),
                    _ => None,
                };
                return self.position(&call.args, rank, outside, source);
            }
            Some((of, None)) => return self.pixel(&call.args, of == "pixel", source),
            Some(_) => {}
            None => {}
        }
        let scalar = match names.len() {
            0 | 1 => None,
            _ => {
                let mut ty = path.path.clone();
                ty.segments.pop();
                ty.segments.pop_punct();
                super::names::primitive_of(&ty).filter(|_| !self.is_hidden(&ty))
            }
        };
        if let Some(scalar) = scalar
            && let Some(value) = self.primitive_function(scalar, &name, &call.args, source)
        {
            return value;
        }
        if let [.., module, room, function] = &names[..]
            && (module.as_str(), room.as_str()) == ("__rt", "kept")
            && let Some(value) = self.rank(function, call, source)
        {
            return value;
        }
        match (names.join("::").as_str(), call.args.len()) {
            ("accrue::__rt::cpu::question", 1) => {
                let part = self.expr(&call.args[0]);
                let mut asked = self.opaque_parts("`?`", vec![part], source);
                if let ExprKind::Opaque(opaque) = &mut asked.kind {
                    opaque.reads = true;
                }
                return asked;
            }
            (
                "std::cmp::min" | "core::cmp::min" | "cmp::min" | "std::cmp::max"
                | "core::cmp::max" | "cmp::max",
                2,
            ) => {
                let parts: Vec<Expr> = call.args.iter().map(|a| self.expr(a)).collect();
                if let Some(method) = Method::named(&name)
                    && let Some(value) = self.primitive_method(method, parts, source)
                {
                    return value;
                }
            }
            ("std::mem::swap" | "core::mem::swap" | "mem::swap", 2) => {
                if let Some(value) = self.swap(&call.args[0], &call.args[1], source) {
                    return value;
                }
            }
            ("std::mem::replace" | "core::mem::replace" | "mem::replace", 2) => {
                if let Some(value) = self.replace(&call.args[0], &call.args[1], source) {
                    return value;
                }
            }
            ("drop", 1) => {
                let value = self.expr(&call.args[0]);
                self.push(StmtKind::Expr(value), source);
                return self.unit(source);
            }
            _ => {}
        }
        if let [.., module, function] = &names[..]
            && module == "mem"
            && ["swap", "replace", "take"].contains(&function.as_str())
        {
            let changed = if function == "swap" { 2 } else { 1 };
            for place in call.args.iter().take(changed) {
                self.check_reference(place);
            }
        }
        if let Some(value) = self.device_call(path, call, source) {
            return value;
        }
        let closure = names.len() == 1 && self.outer.get(&name).is_some();
        let help = if closure || self.local(&name).is_some() {
            "write it as a function with `#[offload(device)]` beside this one, and name that in `uses(..)`".to_string()
        } else {
            format!("mark it `#[offload(device)]` and name it in `uses({name})`")
        };
        let another = self.definitions.functions.iter().find(|f| {
            let last = f.path.segments.last();
            last.is_some_and(|last| last.ident == name)
        });
        let path = || crate::source::text_of(&quote::ToTokens::to_token_stream(&path.path));
        let another = another.map(|f| {
            let known = crate::source::text_of(&quote::ToTokens::to_token_stream(&f.path));
            format!(
                "`uses(..)` names `{known}`: if `{}` is a device function, name it there as well, by this path",
                path()
            )
        });
        let help = match another {
            Some(another) if self.within.is_none() => Some(another),
            _ => (scalar.is_none() && names.len() == 1).then_some(help),
        };
        let help = help.as_deref();
        let why = format!(
            "a call of `{}`, whose code is not known here",
            names.join("::")
        );
        // What the expansion asks rustc about.
        let wraps = names == ["Some"];
        if !self.any || !(wraps || call.args.iter().any(through_element)) {
            return self.opaque(&e, &why, help);
        }
        self.unknown.push(name);
        let parts: Vec<Expr> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let mut value = self.opaque_expr(why, help, source);
        if let ExprKind::Opaque(opaque) = &mut value.kind {
            opaque.parts = parts;
            // As above.
            opaque.reads = true;
            opaque.option = wraps.then_some(OfOption::Some);
        }
        value
    }

    /// What items are compared by where an `Option` keeps the best, as `kept.rs` writes it.
    fn rank(&mut self, function: &str, call: &syn::ExprCall, source: SourceId) -> Option<Expr> {
        let (option, parts) = match (function, call.args.len()) {
            ("item", 1) => (OfOption::Item, vec![self.expr(&call.args[0])]),
            ("of", 2) => {
                let syn::Expr::Reference(of) = &call.args[0] else {
                    return None;
                };
                (OfOption::Kept, vec![self.expr(&of.expr)])
            }
            // What is kept is a variable, or as many as there are keys.
            ("held", 1) => {
                let mut parts = Vec::new();
                for key in parts_of(&call.args[0]) {
                    parts.push(self.expr(key));
                }
                (OfOption::Kept, parts)
            }
            _ => return None,
        };
        let mut rank = match call.args.get(1) {
            Some(syn::Expr::Closure(key)) => {
                let param = names::whole(key.inputs.first()?)?.to_string();
                self.block(|s| {
                    let item = s.opaque_expr("what is kept of an item", None, source);
                    s.bind_name(param, Val::Expr(item));
                    Some(s.opaque(&key.body, "what items are compared by", None))
                })
                .tail
                .map(|key| *key)?
            }
            _ => self.opaque_expr("what items are compared by", None, source),
        };
        if let ExprKind::Opaque(opaque) = &mut rank.kind {
            opaque.parts.splice(0..0, parts);
            opaque.option = Some(option);
        }
        rank.source = source;
        Some(rank)
    }

    /// Which element of a slice an array's indices name, behind the check that they are in range.
    fn position(
        &mut self,
        args: &Punctuated<syn::Expr, Token![,]>,
        rank: usize,
        outside: Option<Words>,
        source: SourceId,
    ) -> Expr {
        let mut parts: Vec<Expr> = Vec::new();
        for arg in args {
            let part = self.expr(arg);
            self.infer.unify(&part.ty, &Type::Scalar(Scalar::Usize));
            parts.push(match rank {
                // The slice's own check is all.
                1 => part,
                _ => self.freeze(part, "index"),
            });
        }
        let lengths = parts.split_off(rank);
        let mut parts = parts.into_iter().zip(lengths);
        let Some((mut at, length)) = parts.next() else {
            return self.usize(0, source);
        };
        if rank == 1 {
            return at;
        }
        let mut inside = self.below(&at, &length, source);
        for (index, length) in parts {
            let next = self.below(&index, &length, source);
            inside = self.both(inside, next, source);
            let row = self.arithmetic(BinaryOp::Mul, at, length);
            at = self.arithmetic(BinaryOp::Add, row, index);
        }
        if let (Some(inside), Some(outside)) = (inside, outside) {
            self.push(StmtKind::Check(inside, outside), source);
        }
        at
    }

    /// Which element of a slice of pixels a position names: its column and row, and the slice's rows and columns.
    fn pixel(
        &mut self,
        args: &Punctuated<syn::Expr, Token![,]>,
        checked: bool,
        source: SourceId,
    ) -> Expr {
        let mut parts = args
            .iter()
            .map(|arg| self.expr(arg))
            .collect::<Vec<_>>()
            .into_iter();
        let mut number = |lower: &mut Self, scalar: Scalar| {
            let part = parts.next().unwrap_or_else(|| lower.usize(0, source));
            lower.infer.unify(&part.ty, &Type::Scalar(scalar));
            lower.freeze(part, "index")
        };
        let (x, y) = (number(self, Scalar::U32), number(self, Scalar::U32));
        let (h, w) = (number(self, Scalar::Usize), number(self, Scalar::Usize));
        let [x, y] =
            [x, y].map(|part| self.make(ExprKind::Cast(Box::new(part)), Scalar::Usize, source));
        let (column, row) = (self.below(&x, &w, source), self.below(&y, &h, source));
        if let Some(inside) = self.both(column, row, source).filter(|_| checked) {
            let words = Words::Text(OUT_OF_PICTURE.to_owned());
            self.push(StmtKind::Check(inside, words), source);
        }
        let row = self.arithmetic(BinaryOp::Mul, y, w);
        self.arithmetic(BinaryOp::Add, row, x)
    }

    /// Whether an index is below a length; `None` where that has been checked before.
    fn below(&mut self, index: &Expr, length: &Expr, source: SourceId) -> Option<Expr> {
        let pair = fixed(index).zip(fixed(length));
        let known = pair.is_some_and(|pair| {
            let known = self.compared.iter().any(|known| known.contains(&pair));
            self.compared
                .last_mut()
                .is_some_and(|block| !block.insert(pair))
                || known
        });
        let (index, length) = (index.clone(), length.clone());
        (!known).then(|| self.operation(BinaryOp::Lt, index, length, source))
    }

    /// `usize::from(x)`, `f32::from_bits(b)`, `f64::max(a, b)`.
    fn primitive_function(
        &mut self,
        scalar: Scalar,
        name: &str,
        args: &Punctuated<syn::Expr, Token![,]>,
        source: SourceId,
    ) -> Option<Expr> {
        if name == "from" && args.len() == 1 {
            let value = self.expr(&args[0]);
            let literal = matches!(value.kind, ExprKind::Literal(_) | ExprKind::Unary(..));
            // A number whose type is not known here is no literal, whatever is done with it.
            if self.infer.class(&value.ty) == Some(crate::infer::Class::Any)
                || self.infer.scalar(&value.ty).is_some()
                || !literal && self.infer.class(&value.ty).is_some()
            {
                return Some(self.make(ExprKind::Cast(Box::new(value)), scalar, source));
            }
            let ty = match self.infer.class(&value.ty) {
                // A literal takes the type itself: the only lossless one that rustc would choose.
                Some(_) => Type::Scalar(scalar),
                // What a method gave that is not known here, as a value.
                None if self.any && matches!(value.kind, ExprKind::Opaque(_)) => {
                    let why = format!("`{scalar}::from` of a value whose type is not known here");
                    let mut from = self.opaque_parts(&why, vec![value], source);
                    if let ExprKind::Opaque(opaque) = &mut from.kind {
                        opaque.reads = true;
                    }
                    from.ty = Type::Scalar(scalar);
                    return Some(from);
                }
                None => return None,
            };
            self.infer.unify(&value.ty, &ty);
            return Some(value);
        }
        if let (Some(constructor), 1) = (Method::constructor(name), args.len()) {
            let ty = constructor.part(scalar)?;
            let value = self.expr(&args[0]);
            if !self.infer.unify(&value.ty, &ty) {
                return Some(self.not_of_numbers(scalar, name, source));
            }
            return Some(self.make(ExprKind::Method(constructor, vec![value]), scalar, source));
        }
        let method = Method::find(name, scalar)?;
        let parts: Vec<Expr> = args.iter().map(|a| self.expr(a)).collect();
        if !self.infer.unify(&parts.first()?.ty, &Type::Scalar(scalar)) {
            return Some(self.not_of_numbers(scalar, name, source));
        }
        self.primitive_method(method, parts, source)
    }

    /// A call by the name of a primitive type that does not take what it is given: the type is another one, which rustc says.
    fn not_of_numbers(&mut self, scalar: Scalar, name: &str, source: SourceId) -> Expr {
        let why = format!("`{scalar}::{name}` of something else than `{scalar}`");
        self.opaque_expr(why, None, source)
    }

    /// `std::mem::swap(&mut a, &mut b)` of locals.
    fn swap(&mut self, a: &syn::Expr, b: &syn::Expr, source: SourceId) -> Option<Expr> {
        let (Val::Place(a, ty), Val::Place(b, other)) =
            (self.local_place(a)?, self.local_place(b)?)
        else {
            return None;
        };
        self.infer.unify(&ty, &other);
        let old = self.make(ExprKind::Load(a.clone()), ty.clone(), source);
        let kept = self.var("swapped", ty.clone(), crate::ir::VarKind::Local, source);
        self.push(StmtKind::Let(kept, Some(old)), source);
        let other = self.make(ExprKind::Load(b.clone()), ty, source);
        self.push(StmtKind::Assign(a, other), source);
        let kept = self.load(kept, source);
        self.push(StmtKind::Assign(b, kept), source);
        Some(self.unit(source))
    }

    /// `std::mem::replace(&mut a, v)`.
    fn replace(&mut self, a: &syn::Expr, value: &syn::Expr, source: SourceId) -> Option<Expr> {
        let Val::Place(a, ty) = self.local_place(a)? else {
            return None;
        };
        let value = self.expr(value);
        self.infer.unify(&ty, &value.ty);
        let value = self.freeze(value, "new");
        let kept = self.var("replaced", ty.clone(), crate::ir::VarKind::Local, source);
        let old = self.make(ExprKind::Load(a.clone()), ty, source);
        self.push(StmtKind::Let(kept, Some(old)), source);
        self.push(StmtKind::Assign(a, value), source);
        Some(self.load(kept, source))
    }

    /// The place that a `&mut` reference is to: of a local, or of what a name stands for that is such a reference.
    fn local_place(&mut self, e: &syn::Expr) -> Option<Val> {
        let syn::Expr::Reference(r) = without_parens(e) else {
            if !self.hands_out(e) {
                return None;
            }
            return Some(self.val(e)).filter(|val| matches!(val, Val::Place(..)));
        };
        super::names::root_of(&r.expr).filter(|root| self.local(&root.to_string()).is_some())?;
        match self.val(&r.expr) {
            Val::Place(place, ty) if matches!(place.root, crate::ir::Root::Var(_)) => {
                Some(Val::Place(place, ty))
            }
            _ => None,
        }
    }

    pub(super) fn macro_expr(&mut self, mac: &syn::Macro, e: &syn::Expr) -> Expr {
        let name = macro_name(&mac.path).unwrap_or_else(|| {
            crate::source::text_of(&quote::ToTokens::to_token_stream(&mac.path))
        });
        let source = self.source(&mac.path);
        self.check_message(&name, mac);
        match name.as_str() {
            "panic" | "unreachable" | "todo" | "unimplemented" => self.make(
                ExprKind::Panic(panic_message(&name, mac)),
                Type::Never,
                source,
            ),
            "assert" | "debug_assert" => match arguments(mac) {
                Some(args) if !args.is_empty() => {
                    let message = match args.get(1) {
                        Some(m) => string_of(m),
                        None => format!(
                            "assertion failed: {}",
                            crate::source::text_of(&quote::ToTokens::to_token_stream(&args[0]))
                        ),
                    };
                    self.assertion(&name, source, message, |s| s.expr(&args[0]))
                }
                _ => self.opaque(e, "an assertion", None),
            },
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => {
                match arguments(mac) {
                    Some(args) if args.len() >= 2 => {
                        let op = if name.ends_with("eq") {
                            BinaryOp::Eq
                        } else {
                            BinaryOp::Ne
                        };
                        let message = match args.get(2) {
                            Some(m) => string_of(m),
                            None => format!("assertion `left {} right` failed", op.symbol()),
                        };
                        self.assertion(&name, source, message, |s| {
                            let left = s.expr(&args[0]);
                            let right = s.expr(&args[1]);
                            s.operation(op, left, right, source)
                        })
                    }
                    _ => self.opaque(e, "an assertion", None),
                }
            }
            "matches" => match mac.parse_body_with(matches_arguments) {
                Ok((value, pat, guard)) if guard.is_none() => {
                    let val = self.val(&value);
                    let val = self.alias_once(val);
                    let test = self.test(&pat, val);
                    test.cond.unwrap_or_else(|| {
                        self.make(ExprKind::Literal(Literal::Bool(true)), Scalar::Bool, source)
                    })
                }
                _ => {
                    let mut opaque = self.opaque(e, "`matches!` with a condition", None);
                    opaque.ty = Type::Scalar(Scalar::Bool);
                    opaque
                }
            },
            "cfg" => {
                // Known to rustc before the loop runs.
                let tokens = quote::ToTokens::to_token_stream(mac);
                let var = self.capture_tokens(
                    crate::source::text_of(&tokens),
                    tokens,
                    mac.path.span(),
                    Type::Scalar(Scalar::Bool),
                );
                self.load(var, source)
            }
            _ => self.opaque(
                e,
                &format!("the macro `{name}!`"),
                Some("write what it stands for, or a function with `#[offload(device)]`"),
            ),
        }
    }

    /// Reports what the loop updates in the message of a panic, which the host makes while the loop runs.
    fn check_message(&mut self, name: &str, mac: &syn::Macro) {
        let conditions = match name {
            "panic" | "unreachable" | "todo" | "unimplemented" => 0,
            "assert" | "debug_assert" => 1,
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => 2,
            _ => return,
        };
        for part in arguments(mac).unwrap_or_default().iter().skip(conditions) {
            self.check_in_macro(part);
        }
    }

    /// `if !cond { panic }`, for `debug_` assertions only where the profile checks them.
    fn assertion(
        &mut self,
        name: &str,
        source: SourceId,
        message: String,
        cond: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        let block = self.block(|s| {
            let cond = cond(s);
            let not = s.make(
                ExprKind::Unary(UnaryOp::Not, Box::new(cond)),
                Scalar::Bool,
                source,
            );
            let panic = s.block(|s| Some(s.make(ExprKind::Panic(message), Type::Never, source)));
            let check = s.make(ExprKind::If(Box::new(not), panic, None), Type::Unit, source);
            s.push(StmtKind::Expr(check), source);
            None
        });
        if !name.starts_with("debug_") {
            return self.make(ExprKind::Block(block), Type::Unit, source);
        }
        let tokens = quote::quote!(::core::cfg!(debug_assertions));
        let span = self.sources.get(source).span;
        let var = self.capture_tokens(
            "cfg!(debug_assertions)".into(),
            tokens,
            span,
            Type::Scalar(Scalar::Bool),
        );
        let checked = self.load(var, source);
        self.make(
            ExprKind::If(Box::new(checked), block, None),
            Type::Unit,
            source,
        )
    }
}

fn arguments(mac: &syn::Macro) -> Option<Vec<syn::Expr>> {
    let args = mac
        .parse_body_with(Punctuated::<syn::Expr, Token![,]>::parse_terminated)
        .ok()?;
    Some(args.into_iter().collect())
}

fn matches_arguments(
    input: syn::parse::ParseStream<'_>,
) -> syn::Result<(syn::Expr, syn::Pat, Option<syn::Expr>)> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
    let guard = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        Some(input.parse()?)
    } else {
        None
    };
    input.parse::<Option<Token![,]>>()?;
    Ok((value, pat, guard))
}

/// The text of a panic, with the format's arguments left as they are written.
fn panic_message(name: &str, mac: &syn::Macro) -> String {
    let given = arguments(mac).and_then(|args| args.first().map(string_of));
    match (name, given) {
        ("unreachable", None) => "internal error: entered unreachable code".into(),
        ("unreachable", Some(m)) => format!("internal error: entered unreachable code: {m}"),
        ("todo", None) => "not yet implemented".into(),
        ("todo", Some(m)) => format!("not yet implemented: {m}"),
        ("unimplemented", None) => "not implemented".into(),
        ("unimplemented", Some(m)) => format!("not implemented: {m}"),
        (_, Some(m)) => m,
        (_, None) => "explicit panic".into(),
    }
}

/// The text of a message; of one that is computed what computes it, as a format would name it.
pub(super) fn string_of(e: &syn::Expr) -> String {
    match without_parens(e) {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(s),
            ..
        }) => s.value(),
        other => {
            let words = crate::source::text_of(&quote::ToTokens::to_token_stream(other));
            format!("{{{words}}}")
        }
    }
}

fn method_help(name: &str) -> Option<&'static str> {
    match name {
        "unwrap" | "expect" | "get" | "checked_add" | "checked_sub" | "checked_mul"
        | "checked_div" => Some("devices know no `Option`: test with `if` and use plain operators"),
        "map" | "sum" | "fold" | "any" | "all" | "filter" | "position" | "count" => {
            Some("write the inner loop out: `for … { … }`")
        }
        _ => None,
    }
}

/// Whether an expression gets at what it is by an element, or by some elements, of something.
fn through_element(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Index(_) => true,
        syn::Expr::Paren(e) => through_element(&e.expr),
        syn::Expr::Group(e) => through_element(&e.expr),
        syn::Expr::Reference(e) => through_element(&e.expr),
        syn::Expr::Unary(e) => through_element(&e.expr),
        syn::Expr::Field(e) => through_element(&e.base),
        syn::Expr::MethodCall(e) => through_element(&e.receiver),
        _ => false,
    }
}

/// Whether a method of this name takes a number. Should it be another one that changes the element after all, rustc says that the loop's body only
/// has it to be read, but of arrays whose elements iterations write.
fn only_reads(name: &str) -> bool {
    Method::named(name).is_some()
}

/// Whether an expression makes a value by operators, or by methods of numbers of such a value.
fn is_computed(e: &syn::Expr) -> bool {
    match without_parens(e) {
        syn::Expr::Binary(of) => !super::sites::is_compound(&of.op),
        syn::Expr::Unary(of) => !matches!(of.op, syn::UnOp::Deref(_)),
        syn::Expr::Cast(_) => true,
        syn::Expr::MethodCall(of) => {
            Method::named(&of.method.to_string()).is_some() && is_computed(&of.receiver)
        }
        _ => false,
    }
}

/// Notes what a statement changes: slices have methods that numbers have as well, and change by theirs, `rows[i].rotate_left(1);`.
pub(super) fn as_statement(e: &syn::Expr, value: &mut Expr) {
    if let syn::Expr::MethodCall(call) = e
        && (call.method == "rotate_left" || call.method == "rotate_right")
    {
        changes(value);
    }
}

/// Notes that an element may be changed, by way of one of its fields as well.
fn changes(receiver: &mut Expr) {
    if let ExprKind::Opaque(opaque) = &mut receiver.kind {
        opaque.reads = false;
        opaque.parts.iter_mut().for_each(changes);
    }
}

/// A value that stays as it is, as a word.
fn fixed(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Literal(literal) => Some(format!("{literal:?}")),
        ExprKind::Load(place) => Some(format!("{place:?}")),
        ExprKind::Cast(inner) => fixed(inner),
        _ => None,
    }
}

/// What ndarray says of an index out of range.
const OUT_OF_BOUNDS: &str = "ndarray: index out of bounds";

/// One of our functions that indices of arrays become: its stem, and the number of dimensions where that is told by its name.
fn position(path: &[String]) -> Option<(&str, Option<usize>)> {
    match path {
        [root, rt, flat, at] if root == "accrue" && rt == "__rt" && flat == "flat" => {
            match at.as_str() {
                "pixel" | "pixel_in" => Some((at, None)),
                _ => Some((at.get(..2)?, at.get(2..)?.parse().ok())),
            }
        }
        _ => None,
    }
}

/// What image says of a position out of range.
const OUT_OF_PICTURE: &str = "Image index out of bounds";

/// The variables of what is held, alone or each in its rank.
fn parts_of(e: &syn::Expr) -> Vec<&syn::Expr> {
    match e {
        syn::Expr::Tuple(of) => of.elems.iter().flat_map(parts_of).collect(),
        syn::Expr::Call(of) => of.args.iter().flat_map(parts_of).collect(),
        e => vec![e],
    }
}

//! What is declared outside a loop: parameters and locals from before it, with their types as far as the
//! macro sees them.

use proc_macro2::Span;
use syn::{BinOp, Expr, FnArg, Ident, ItemFn, Lit, Pat, Type};

use super::iteration::is_iterator;
use crate::ir::Scalar;
use crate::methods::Method;
use crate::syntax::by_example::ByExample;
use crate::syntax::constants::constant_of;
use crate::syntax::names::{bound_names, primitive_of};
use crate::syntax::sites::gives_bool;
use crate::syntax::{Shape, without_parens};

/// A name from outside a loop.
#[derive(Clone)]
pub struct Outer {
    /// The name where it was declared.
    pub ident: Ident,
    /// Its type without references.
    pub shape: Shape,
    /// Whether it is a reference; `None` where the type is not written.
    pub by_reference: Option<bool>,
    /// Whether it is written as `mut` or `&mut`.
    pub writable: bool,
    /// Whether it is a `&mut`.
    pub exclusive: bool,
    /// Whether it is a constant: a pattern with its name is compared with it.
    pub constant: bool,
    /// Its body, where it was bound to a closure.
    pub closure: Option<Box<syn::ExprClosure>>,
    /// The range that a loop takes it from.
    pub range: Option<Box<syn::ExprRange>>,
    /// Whether it was bound to an iterator over a collection.
    pub iterator: bool,
}

/// The names in scope at a point of a function, innermost scope last.
#[derive(Clone, Default)]
pub struct OuterScope {
    scopes: Vec<Vec<Outer>>,
    generics: Vec<String>,
    /// The macros that the function declares.
    macros: ByExample,
}

impl OuterScope {
    /// The parameters of a function.
    pub fn of_parameters(function: &ItemFn) -> OuterScope {
        let mut scope = OuterScope {
            scopes: vec![Vec::new()],
            generics: function
                .sig
                .generics
                .type_params()
                .map(|p| p.ident.to_string())
                .collect(),
            macros: ByExample::of(&function.block),
        };
        for parameter in function.sig.generics.const_params() {
            scope.constant(&parameter.ident, &parameter.ty);
        }
        for input in &function.sig.inputs {
            match input {
                FnArg::Receiver(receiver) => scope.add(Outer {
                    ident: Ident::new("self", receiver.self_token.span),
                    shape: Shape::Unknown,
                    by_reference: Some(matches!(receiver.kind, syn::ReceiverKind::Reference(..))),
                    writable: receiver.mutability.is_some()
                        || matches!(&receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_))),
                    exclusive: false,
                    constant: false,
                    closure: None,
                    range: None,
                    iterator: false,
                }),
                FnArg::Typed(param) => scope.bind(&param.pat, Some(&param.ty), None),
            }
        }
        scope
    }

    /// The names of the function's type parameters.
    pub fn generics(&self) -> &[String] {
        &self.generics
    }

    /// The macros that the function declares.
    pub fn macros(&self) -> &ByExample {
        &self.macros
    }

    /// The declaration of a name.
    pub fn get(&self, name: &str) -> Option<&Outer> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.iter().rev().find(|outer| outer.ident == name))
    }

    /// Whether a name is declared more often than in the names of an earlier place, so that it may mean something else there.
    pub fn declares_since(&self, before: &OuterScope, name: &str) -> bool {
        let count = |scope: &OuterScope| {
            let all = scope.scopes.iter().flatten();
            all.filter(|outer| outer.ident == name).count()
        };
        count(self) > count(before)
    }

    /// The names in scope where a name was declared: its own is what it was before.
    pub fn until(&self, name: &str) -> OuterScope {
        let mut before = self.clone();
        while let Some(scope) = before.scopes.last_mut() {
            if let Some(at) = scope.iter().rposition(|outer| outer.ident == name) {
                scope.truncate(at);
                break;
            }
            before.scopes.pop();
        }
        before
    }

    /// Enters a block.
    pub fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Leaves a block.
    pub fn pop(&mut self) {
        self.scopes.pop();
    }

    /// Declares a constant.
    pub fn constant(&mut self, ident: &Ident, ty: &Type) {
        let (shape, reference) = shape_of(ty);
        self.add(Outer {
            ident: ident.clone(),
            shape,
            by_reference: Some(reference != Reference::None),
            writable: false,
            exclusive: false,
            constant: true,
            closure: None,
            range: None,
            iterator: false,
        });
    }

    /// Declares the names of a pattern, with its type or its value where they are written.
    pub fn bind(&mut self, pat: &Pat, ty: Option<&Type>, init: Option<&Expr>) {
        match (pat, ty, init) {
            (Pat::Type(typed), _, _) => self.bind(&typed.pat, Some(&typed.ty), init),
            (Pat::Paren(inner), _, _) => self.bind(&inner.pat, ty, init),
            (Pat::Ident(p), _, _) if p.subpat.is_none() => {
                let (shape, reference) = match (ty, init) {
                    (Some(ty), _) => {
                        let (shape, reference) = shape_of(ty);
                        (shape, Some(reference))
                    }
                    (None, Some(init)) => shape_of_value(init, self),
                    (None, None) => (Shape::Unknown, None),
                };
                let writable = p.mutability.is_some() || reference == Some(Reference::Mutable);
                self.add(Outer {
                    ident: p.ident.clone(),
                    shape,
                    by_reference: reference.map(|r| r != Reference::None),
                    writable,
                    exclusive: reference == Some(Reference::Mutable),
                    constant: false,
                    closure: match (ty, init) {
                        (None, Some(Expr::Closure(closure))) => Some(Box::new(closure.clone())),
                        _ => None,
                    },
                    range: None,
                    iterator: ty.is_none() && init.is_some_and(is_iterator),
                });
            }
            (Pat::Tuple(tuple), Some(Type::Tuple(types)), _)
                if tuple.elems.len() == types.elems.len() =>
            {
                for (p, t) in tuple.elems.iter().zip(&types.elems) {
                    self.bind(p, Some(t), None);
                }
            }
            (Pat::Tuple(tuple), None, Some(Expr::Tuple(values)))
                if tuple.elems.len() == values.elems.len() =>
            {
                for (p, v) in tuple.elems.iter().zip(&values.elems) {
                    self.bind(p, None, Some(v));
                }
            }
            // `let (from, to) = if even { (&*a, &mut *b) } else { (&*b, &mut *a) };`: both are of one type.
            (Pat::Tuple(_), None, Some(Expr::If(e))) => match &e.then_branch.stmts[..] {
                [syn::Stmt::Expr(value @ Expr::Tuple(_), None)] => {
                    self.bind(pat, None, Some(value))
                }
                _ => self.unknown(pat),
            },
            (Pat::Tuple(tuple), None, Some(Expr::MethodCall(call)))
                if tuple.elems.len() == 2
                    && (call.method == "split_at" || call.method == "split_at_mut") =>
            {
                let half: Type = match shape_of_value(&call.receiver, self).0 {
                    Shape::Slice(elem) | Shape::Array(elem, _) | Shape::Vec(elem) => match *elem {
                        Shape::Elem(elem) if call.method == "split_at_mut" => {
                            syn::parse_quote!(&mut [#elem])
                        }
                        Shape::Elem(elem) => syn::parse_quote!(&[#elem]),
                        _ => return self.unknown(pat),
                    },
                    _ => return self.unknown(pat),
                };
                for part in &tuple.elems {
                    self.bind(part, Some(&half), None);
                }
            }
            _ => match init.filter(|_| ty.is_none() && self.is_lent(init)) {
                Some(of) => self.parts(pat, of),
                None => self.unknown(pat),
            },
        }
    }

    /// Whether a value is a name for a `&mut`.
    fn is_lent(&self, value: Option<&Expr>) -> bool {
        let Some(Expr::Path(path)) = value.map(without_parens) else {
            return false;
        };
        let name = path.path.get_ident().map(Ident::to_string);
        let outer = name.as_deref().and_then(|name| self.get(name));
        let is_self = name.as_deref() == Some("self");
        outer.is_some_and(|o| o.exclusive || is_self && o.writable && o.by_reference == Some(true))
    }

    /// Declares the names of a pattern that takes a `&mut` apart: `let Self { sum, .. } = self;` is `let sum = &mut self.sum;`.
    fn parts(&mut self, pat: &Pat, of: &Expr) {
        let parts: Vec<&Pat> = match pat {
            Pat::Struct(p) => p.fields.iter().map(|field| &*field.pat).collect(),
            Pat::TupleStruct(p) => p.elems.iter().collect(),
            Pat::Tuple(p) => p.elems.iter().collect(),
            _ => return self.unknown(pat),
        };
        for part in parts {
            match part {
                Pat::Ident(p) if p.subpat.is_none() && !bound_names(part).is_empty() => {
                    // Which part it is makes no difference to what is known of it.
                    self.bind(part, None, Some(&syn::parse_quote!(&mut #of.part)));
                }
                _ => self.unknown(part),
            }
        }
    }

    /// Declares the names of a loop's pattern.
    pub fn of_loop(&mut self, of: &syn::ExprForLoop) {
        self.bind(&of.pat, None, None);
        if let (Pat::Ident(_), Expr::Range(range)) = (&*of.pat, without_parens(&of.expr))
            && let Some(outer) = self.scopes.last_mut().and_then(|scope| scope.last_mut())
        {
            outer.range = Some(Box::new(range.clone()));
        }
    }

    /// The names that stand for a number of a loop around, with its range.
    pub fn ranges(&self) -> impl Iterator<Item = (&Ident, &syn::ExprRange)> {
        let all = self.scopes.iter().flatten();
        all.filter_map(|outer| {
            let visible = self.get(&outer.ident.to_string());
            let itself = visible.is_some_and(|visible| std::ptr::eq(visible, outer));
            let range = outer.range.as_deref().filter(|_| itself)?;
            Some((&outer.ident, range))
        })
    }

    /// Declares the names of a pattern of which nothing is known.
    fn unknown(&mut self, pat: &Pat) {
        for name in bound_names(pat) {
            self.add(Outer {
                ident: name.clone(),
                shape: Shape::Unknown,
                by_reference: None,
                writable: false,
                exclusive: false,
                constant: false,
                closure: None,
                range: None,
                iterator: false,
            });
        }
    }

    fn add(&mut self, outer: Outer) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(outer);
        }
    }
}

/// Whether and how a type is a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// It is not.
    None,
    /// `&T`.
    Shared,
    /// `&mut T`.
    Mutable,
}

/// A type's shape without its references, and the outermost reference.
pub fn shape_of(ty: &Type) -> (Shape, Reference) {
    match ty {
        Type::Reference(r) => {
            let (shape, inner) = shape_of(&r.elem);
            let reference = match (r.mutability.is_some(), inner) {
                (true, Reference::None | Reference::Mutable) => Reference::Mutable,
                _ => Reference::Shared,
            };
            (shape, reference)
        }
        Type::Paren(t) => shape_of(&t.elem),
        Type::Group(t) => shape_of(&t.elem),
        Type::Slice(t) => (Shape::Slice(Box::new(shape_of(&t.elem).0)), Reference::None),
        Type::Array(t) => (
            Shape::Array(Box::new(shape_of(&t.elem).0), t.len.clone()),
            Reference::None,
        ),
        Type::Infer(_) => (Shape::Unknown, Reference::None),
        Type::Path(path) => (shape_of_path(path, ty), Reference::None),
        _ => (Shape::Elem(ty.clone()), Reference::None),
    }
}

fn shape_of_path(path: &syn::TypePath, ty: &Type) -> Shape {
    let Some(last) = path.path.segments.last() else {
        return Shape::Elem(ty.clone());
    };
    let argument = match &last.arguments {
        syn::PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| match arg {
            syn::GenericArgument::Type(t) => Some(t),
            _ => None,
        }),
        _ => None,
    };
    match (last.ident.to_string().as_str(), argument) {
        ("Vec", Some(elem)) => Shape::Vec(Box::new(shape_of(elem).0)),
        ("Box" | "Arc" | "Rc", Some(inner)) => shape_of(inner).0,
        ("str" | "String", None) => Shape::Str,
        _ => Shape::Elem(ty.clone()),
    }
}

/// The shape of a `let` without a type, where its value shows it.
fn shape_of_value(value: &Expr, scope: &OuterScope) -> (Shape, Option<Reference>) {
    match value {
        Expr::Paren(e) => shape_of_value(&e.expr, scope),
        Expr::Group(e) => shape_of_value(&e.expr, scope),
        Expr::Reference(e) => {
            let reference = match e.mutability {
                Some(_) => Reference::Mutable,
                None => Reference::Shared,
            };
            (shape_of_value(&e.expr, scope).0, Some(reference))
        }
        Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => {
            (shape_of_value(&e.expr, scope).0, Some(Reference::None))
        }
        Expr::Path(path) => {
            let outer = path
                .path
                .get_ident()
                .and_then(|i| scope.get(&i.to_string()));
            match outer {
                Some(o) => {
                    let reference = o.by_reference.map(|by_ref| match (by_ref, o.writable) {
                        (false, _) => Reference::None,
                        (true, true) => Reference::Mutable,
                        (true, false) => Reference::Shared,
                    });
                    (o.shape.clone(), reference)
                }
                None => match constant_of_path(&path.path) {
                    Some(scalar) => (shape_of_scalar(scalar), Some(Reference::None)),
                    None => (Shape::Unknown, None),
                },
            }
        }
        Expr::Repeat(e) => (
            Shape::Array(Box::new(shape_of_value(&e.expr, scope).0), (*e.len).clone()),
            Some(Reference::None),
        ),
        Expr::Array(e) => {
            let elem = e
                .elems
                .first()
                .map_or(Shape::Unknown, |first| shape_of_value(first, scope).0);
            let len = e.elems.len();
            (
                Shape::Array(Box::new(elem), syn::parse_quote!(#len)),
                Some(Reference::None),
            )
        }
        Expr::Lit(e) => (literal_shape(&e.lit), Some(Reference::None)),
        Expr::Cast(e) => shape_with(shape_of(&e.ty)),
        Expr::Index(e) if matches!(*e.index, Expr::Range(_)) => {
            match shape_of_value(&e.expr, scope).0 {
                Shape::Slice(elem) | Shape::Array(elem, _) | Shape::Vec(elem) => {
                    (Shape::Slice(elem), None)
                }
                Shape::Str => (Shape::Str, None),
                Shape::Elem(_) | Shape::Unknown => (Shape::Unknown, None),
            }
        }
        Expr::Index(e) => match shape_of_value(&e.expr, scope).0 {
            Shape::Slice(elem) | Shape::Array(elem, _) | Shape::Vec(elem) => {
                (*elem, Some(Reference::None))
            }
            Shape::Str | Shape::Elem(_) | Shape::Unknown => (Shape::Unknown, None),
        },
        Expr::MethodCall(e) if e.method == "as_bytes" => (
            Shape::Slice(Box::new(Shape::Elem(syn::parse_quote!(u8)))),
            Some(Reference::Shared),
        ),
        Expr::MethodCall(e) if e.args.is_empty() && e.method == "to_vec" => {
            match shape_of_value(&e.receiver, scope).0 {
                Shape::Slice(elem) | Shape::Array(elem, _) | Shape::Vec(elem) => {
                    (Shape::Vec(elem), Some(Reference::None))
                }
                Shape::Str | Shape::Elem(_) | Shape::Unknown => (Shape::Unknown, None),
            }
        }
        Expr::MethodCall(e) if e.args.is_empty() && e.method == "clone" => {
            match shape_of_value(&e.receiver, scope).0 {
                of @ (Shape::Vec(_) | Shape::Array(..)) => (of, Some(Reference::None)),
                _ => (Shape::Unknown, None),
            }
        }
        Expr::Macro(e) if e.mac.path.is_ident("vec") => {
            (vec_shape(&e.mac, scope), Some(Reference::None))
        }
        Expr::Call(e) if matches!(vec_constructor(&e.func), Shape::Vec(_)) => {
            (vec_constructor(&e.func), None)
        }
        _ => match scalar_of(value, scope) {
            Some(scalar) => (shape_of_scalar(scalar), Some(Reference::None)),
            None => (Shape::Unknown, None),
        },
    }
}

/// The type of a computed number, where its parts show it: `pass * 8` has that of `pass`.
fn scalar_of(value: &Expr, scope: &OuterScope) -> Option<Scalar> {
    let known = |e: &Expr| match shape_of_value(e, scope).0 {
        Shape::Elem(Type::Path(path)) => Scalar::from_name(&path.path.get_ident()?.to_string()),
        _ => None,
    };
    match value {
        Expr::Unary(e) if !matches!(e.op, syn::UnOp::Deref(_)) => known(&e.expr),
        Expr::Binary(e) if gives_bool(&e.op) => Some(Scalar::Bool),
        Expr::Binary(e) => match e.op {
            BinOp::Shl(_) | BinOp::Shr(_) => known(&e.left),
            // A number and a literal, or two numbers: what an unknown type makes of a number is its own.
            _ => match (known(&e.left), known(&e.right)) {
                (Some(a), Some(b)) if a == b => Some(a),
                (Some(a), None) if is_number(&e.right) => Some(a),
                (None, Some(b)) if is_number(&e.left) => Some(b),
                _ => None,
            },
        },
        Expr::MethodCall(e) if e.args.is_empty() && e.method == "len" => Some(Scalar::Usize),
        Expr::MethodCall(e) if e.args.is_empty() && e.method == "is_empty" => Some(Scalar::Bool),
        Expr::MethodCall(e) => {
            let receiver = known(&e.receiver)?;
            let method = Method::find(&e.method.to_string(), receiver)?;
            method.spec().output.of(receiver).as_scalar()
        }
        _ => None,
    }
}

/// Whether an expression is a literal number.
fn is_number(e: &Expr) -> bool {
    match e {
        Expr::Lit(e) => matches!(e.lit, Lit::Int(_) | Lit::Float(_)),
        Expr::Paren(e) => is_number(&e.expr),
        Expr::Group(e) => is_number(&e.expr),
        Expr::Unary(e) => matches!(e.op, syn::UnOp::Neg(_)) && is_number(&e.expr),
        _ => false,
    }
}

fn shape_with((shape, reference): (Shape, Reference)) -> (Shape, Option<Reference>) {
    (shape, Some(reference))
}

/// The type of a literal that has a suffix; others depend on their use.
fn literal_shape(lit: &Lit) -> Shape {
    let suffix = match lit {
        Lit::Int(i) => i.suffix(),
        Lit::Float(f) => f.suffix(),
        Lit::Bool(_) => "bool",
        Lit::Byte(_) => "u8",
        _ => "",
    };
    match syn::parse_str::<Type>(suffix) {
        Ok(ty) => Shape::Elem(ty),
        Err(_) => Shape::Unknown,
    }
}

/// The type of a constant of a primitive type, `f32::MAX`.
fn constant_of_path(path: &syn::Path) -> Option<Scalar> {
    let mut of = path.clone();
    let name = of.segments.pop()?.ident;
    of.segments.pop_punct();
    let (_, ty) = constant_of(primitive_of(&of)?, &name.to_string())?;
    ty.as_scalar()
}

fn shape_of_scalar(scalar: Scalar) -> Shape {
    let name = Ident::new(scalar.name(), Span::call_site());
    Shape::Elem(syn::parse_quote!(#name))
}

/// `vec![0u32; n]` and `vec![a, b]`.
fn vec_shape(mac: &syn::Macro, scope: &OuterScope) -> Shape {
    let elem = mac
        .parse_body_with(|input: syn::parse::ParseStream<'_>| {
            let first: Expr = input.parse()?;
            input.parse::<proc_macro2::TokenStream>()?;
            Ok(first)
        })
        .map_or(Shape::Unknown, |first| shape_of_value(&first, scope).0);
    Shape::Vec(Box::new(elem))
}

/// `Vec::<u32>::with_capacity(..)`, `Vec::new()`.
fn vec_constructor(func: &Expr) -> Shape {
    let Expr::Path(path) = func else {
        return Shape::Unknown;
    };
    for segment in &path.path.segments {
        if segment.ident == "Vec" {
            return match &segment.arguments {
                syn::PathArguments::AngleBracketed(args) => match args.args.first() {
                    Some(syn::GenericArgument::Type(t)) => Shape::Vec(Box::new(shape_of(t).0)),
                    _ => Shape::Vec(Box::new(Shape::Unknown)),
                },
                _ => Shape::Vec(Box::new(Shape::Unknown)),
            };
        }
    }
    Shape::Unknown
}

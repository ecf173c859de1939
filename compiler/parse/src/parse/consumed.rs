//! What consumes an iterator, as the loop that it is.
//!
//! | written | stands for |
//! | --- | --- |
//! | `x.iter().map(\|v\| v * v).sum::<f64>()` | `{ let mut sum = -0.0; for v in x.iter() { sum += v * v; } sum }` |
//! | `x.iter().filter(\|v\| **v > 3).count()` | `{ let mut n = 0; for v in x.iter() { if !(*v > 3) { continue; } n += 1; } n }` |
//! | `x.iter().any(\|v\| *v > 3)`, `.all(..)`, `.position(..)`, `.find(..)` | a loop that is left at the first |
//! | `x.iter().fold(1.0, \|p, v\| p * v)` | `{ let mut p = 1.0; for v in x.iter() { p = p * v; } p }` |
//! | `x.iter().map(\|v\| v * 2).collect::<Vec<u32>>()` | `{ let mut all = Vec::new(); for v in x.iter() { all.push(v * 2); } all }` |
//!
//! In a loop's body that is what kernels have of it, while the CPU runs the user's own words. In a function that has no other loop to run in parallel it is one; the
//! type of a sum is written there: behind it, in its `let`, or as what the function returns.

use quote::ToTokens;
use syn::{
    Expr, ExprForLoop, ExprMethodCall, GenericArgument, ItemFn, Local, Pat, PathArguments,
    ReturnType, Stmt, Type, parse_quote,
};

use super::adaptors;
use super::exits;
use super::lower::Lower;
use super::names::{identifiers, primitive_of, whole};
use crate::alias;
use crate::ir::visit::Visit as _;
use crate::ir::{self, ExprKind, Scalar, StmtKind};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites those that stand in no loop and no closure; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut calls = Calls { found: false };
    let output = match &function.sig.output {
        ReturnType::Type(_, ty) => Some((**ty).clone()),
        ReturnType::Default => None,
    };
    if let Some(Stmt::Expr(tail, None)) = function.block.stmts.last_mut() {
        calls.of_type(tail, output.as_ref());
    }
    calls.visit_block_mut(&mut function.block);
    calls.found
}

struct Calls {
    found: bool,
}

impl Calls {
    /// Rewrites an expression that is of a type.
    fn of_type(&mut self, e: &mut Expr, ty: Option<&Type>) {
        if let Expr::MethodCall(call) = without_parens(e)
            && let Some(looped) = looped(call, ty, None)
        {
            *e = looped;
            self.found = true;
        }
    }
}

impl VisitMut for Calls {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Stmt(stmt) => {
                if let Stmt::Local(Local {
                    pat: Pat::Type(typed),
                    init: Some(init),
                    ..
                }) = stmt
                    && init.diverge.is_none()
                {
                    let ty = (*typed.ty).clone();
                    self.of_type(&mut init.expr, Some(&ty));
                }
                visit_mut::visit_stmt_mut(self, stmt);
            }
            visit_mut::Node::Expr(e) => {
                if matches!(e, Expr::Closure(_) | Expr::Async(_) | Expr::ForLoop(_)) {
                    return;
                }
                self.of_type(e, None);
                if !matches!(e, Expr::Block(_)) {
                    visit_mut::visit_expr_mut(self, e);
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The type in `sum::<T>()`, or the one that is known otherwise.
fn written<'t>(call: &'t ExprMethodCall, ty: Option<&'t Type>) -> Option<&'t Type> {
    match &call.turbofish {
        None => ty,
        Some(given) => match given.args.first()? {
            GenericArgument::Type(Type::Infer(_)) => ty,
            GenericArgument::Type(given) => Some(given),
            _ => None,
        },
    }
}

fn scalar(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Path(path) => primitive_of(&path.path).filter(|scalar| *scalar != Scalar::Bool),
        _ => None,
    }
}

/// What a function or a closure makes of its arguments, with the patterns of its parameters.
fn applied(f: &Expr, names: &[&proc_macro2::Ident]) -> Option<(Vec<Pat>, Expr)> {
    match without_parens(f) {
        Expr::Closure(of) => {
            let plain = of.inputs.len() == names.len()
                && of.attrs.is_empty()
                && of.asyncness.is_none()
                && matches!(of.output, ReturnType::Default)
                && !adaptors::changes_copies(of)
                && !exits::leaves(&of.body);
            plain.then(|| (of.inputs.iter().cloned().collect(), (*of.body).clone()))
        }
        Expr::Path(f) => {
            let pats = names.iter().map(|name| parse_quote!(#name)).collect();
            // A method of a primitive, by its path.
            let method = f.path.segments.last()?;
            let mut of = f.path.clone();
            of.segments.pop();
            of.segments.pop_punct();
            let known = primitive_of(&of).is_some()
                && ["max", "min"].iter().any(|name| method.ident == name);
            Some((
                pats,
                match (known, names) {
                    (true, [a, b]) => parse_quote!(#a.#method(#b)),
                    _ => parse_quote!(#f(#(#names),*)),
                },
            ))
        }
        _ => None,
    }
}

/// A loop over items, without closures in its header.
fn over(items: &Expr, pat: &Pat, body: Vec<Stmt>) -> ExprForLoop {
    let items: Expr = match without_parens(items) {
        Expr::Range(range) => parse_quote!((#range)),
        items => items.clone(),
    };
    let mut of: ExprForLoop = parse_quote!(for #pat in #items { #(#body)* });
    adaptors::move_all(&mut of);
    of
}

/// The loop that a call is. `of_items`: the type of the items, where a kernel asks.
fn looped(call: &ExprMethodCall, ty: Option<&Type>, of_items: Option<Scalar>) -> Option<Expr> {
    let (items, args) = (&*call.receiver, &call.args);
    if !call.attrs.is_empty() || !adaptors::iterates(items) {
        return None;
    }
    let span = call.method.span();
    let (item, result) = alias::consumed(span);
    let method = call.method.to_string();
    let each: Pat = parse_quote!(#item);
    let with =
        |init: Stmt, of: ExprForLoop| -> Option<Expr> { Some(parse_quote!({ #init #of #result })) };
    match (method.as_str(), args.len()) {
        ("sum" | "product", 0) => {
            let known = written(call, ty).and_then(scalar);
            let scalar = known.or(of_items)?;
            let name = proc_macro2::Ident::new(scalar.name(), proc_macro2::Span::call_site());
            let (update, start): (Stmt, Expr) = match method.as_str() {
                "sum" if scalar.is_float() => (parse_quote!(#result += #item;), parse_quote!(-0.0)),
                "sum" => (parse_quote!(#result += #item;), parse_quote!(0)),
                _ if scalar.is_float() => (parse_quote!(#result *= #item;), parse_quote!(1.0)),
                _ => (parse_quote!(#result *= #item;), parse_quote!(1)),
            };
            // What a sum of nothing is, std says.
            let start: Expr = match of_items {
                Some(_) => start,
                None => {
                    let method = &call.method;
                    parse_quote!(::core::iter::empty::<::core::primitive::#name>().#method())
                }
            };
            with(
                parse_quote!(let mut #result: ::core::primitive::#name = #start;),
                over(items, &each, vec![update]),
            )
        }
        ("count", 0) => with(
            parse_quote!(let mut #result: ::core::primitive::usize = 0;),
            over(items, &each, vec![parse_quote!(#result += 1;)]),
        ),
        ("any" | "all", 1) => {
            let (pats, value) = applied(&args[0], &[&item])?;
            let (start, stop): (Expr, Expr) = match method.as_str() {
                "any" => (parse_quote!(false), parse_quote!(#value)),
                _ => (parse_quote!(true), parse_quote!(!(#value))),
            };
            let ends: Stmt = parse_quote!(if #stop { #result = !#start; break; });
            with(
                parse_quote!(let mut #result = #start;),
                over(items, &pats[0], vec![ends]),
            )
        }
        ("position", 1) if of_items.is_none() => {
            let (pats, value) = applied(&args[0], &[&item])?;
            let items: Expr = parse_quote!(#items.enumerate());
            let (nth, pat) = (alias::place(span), &pats[0]);
            let ends: Stmt = parse_quote! {
                if #value {
                    #result = ::core::option::Option::Some(#nth);
                    break;
                }
            };
            with(
                parse_quote!(let mut #result = ::core::option::Option::None;),
                over(&items, &parse_quote!((#nth, #pat)), vec![ends]),
            )
        }
        ("find", 1) if of_items.is_none() => {
            let (pats, value) = applied(&args[0], &[&item])?;
            let pat = &pats[0];
            let ends: Stmt = parse_quote! {
                if { let #pat = &#item; #value } {
                    #result = ::core::option::Option::Some(#item);
                    break;
                }
            };
            with(
                parse_quote!(let mut #result = ::core::option::Option::None;),
                over(items, &each, vec![ends]),
            )
        }
        ("fold", 2) => {
            let (pats, value) = applied(&args[1], &[&result, &item])?;
            let start = &args[0];
            let name = whole(&pats[0])?;
            let mut words = Vec::new();
            identifiers(items.to_token_stream(), &mut words);
            identifiers(start.to_token_stream(), &mut words);
            if words.contains(name)
                || matches!(&pats[0], Pat::Ident(pat) if pat.mutability.is_some())
            {
                return None;
            }
            let of = over(items, &pats[1], vec![parse_quote!(#name = #value;)]);
            let ty = written(call, ty).filter(|ty| scalar(ty).is_some());
            let init: Stmt = match ty {
                Some(ty) if of_items.is_none() => parse_quote!(let mut #name: #ty = #start;),
                _ => parse_quote!(let mut #name = #start;),
            };
            Some(parse_quote!({ #init #of #name }))
        }
        ("collect", 0) if of_items.is_none() => {
            let ty = written(call, ty)?;
            let Type::Path(path) = ty else { return None };
            let last = path
                .path
                .segments
                .last()
                .filter(|last| last.ident == "Vec")?;
            let PathArguments::AngleBracketed(given) = &last.arguments else {
                return None;
            };
            let GenericArgument::Type(of) = given.args.first()? else {
                return None;
            };
            with(
                parse_quote!(let mut #result = Vec::<#of>::new();),
                over(items, &each, vec![parse_quote!(#result.push(#item);)]),
            )
        }
        _ => None,
    }
}

impl Lower<'_> {
    /// What consumes an iterator, where all of the loop that it is can be understood.
    pub(super) fn consumed(&mut self, call: &ExprMethodCall) -> Option<ir::Expr> {
        let items = match (call.method.to_string().as_str(), call.args.len()) {
            ("sum" | "product", 0) => {
                let known = written(call, None).and_then(scalar);
                known.or_else(|| self.item_of(&call.receiver))?
            }
            ("count", 0) | ("any" | "all", 1) | ("fold", 2) => Scalar::Usize,
            _ => return None,
        };
        let looped = looped(call, None, Some(items))?;
        let is_understood = self.in_vain(|s| {
            let block = s.block(|s| Some(s.expr(&looped)));
            let mut unknown = Unknown(false);
            unknown.block(&block);
            !unknown.0 && s.errors.is_empty()
        });
        is_understood.then(|| self.expr(&looped))
    }

    /// The type of an iterator's items.
    fn item_of(&mut self, items: &Expr) -> Option<Scalar> {
        if !adaptors::iterates(items) {
            return None;
        }
        let (item, result) = alias::consumed(proc_macro2::Span::call_site());
        let kept = parse_quote!(let #result = #item;);
        let of = Expr::ForLoop(over(items, &parse_quote!(#item), vec![kept]));
        self.in_vain(|s| {
            let block = s.block(|s| Some(s.expr(&of)));
            let body = block.stmts.iter().find_map(|stmt| match &stmt.kind {
                StmtKind::For(of) => Some(&of.body),
                _ => None,
            })?;
            let StmtKind::Let(var, _) = &body.stmts.last()?.kind else {
                return None;
            };
            s.infer.scalar(&s.vars[var.0 as usize].ty)
        })
    }
}

/// Looks for what is not understood.
struct Unknown(bool);

impl ir::visit::Visit for Unknown {
    fn expr(&mut self, expr: &ir::Expr) {
        self.0 |= matches!(expr.kind, ExprKind::Opaque(_));
        self.expr_parts(expr);
    }
}

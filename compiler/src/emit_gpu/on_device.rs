//! The form of a function for data wherever they are: a launch that needs nothing of the arrays on the host.
//!
//! It exists where the function is one loop over slices and arrays that are its parameters, and what stands before and
//! behind the loop asks these for nothing but their lengths. It stands in the closure of `on`, where
//! the array parameters' names are arguments (`Shared`, `Exclusive`), and goes on behind it where the host has to run the function.

use accrue_ptx::abi::Module;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, Stmt, Type};

use super::{apart, host, pure, pushes};
use crate::ir::{self, Access, Memory, Pattern};
use crate::on::{Kind, OnDevice, Param, len_of};
use crate::plan::{Analysis, LoopPlan};
use crate::syntax::{ArraySyntax, Shape};

/// What stands around the loop.
struct Around<'a> {
    before: &'a [Stmt],
    after: &'a [Stmt],
}

/// The form for devices; `None` where the function has none. `modules` are those of its one loop, and `paths` lead to the `static` of the one that claims its
/// elements, where there is such, and to its own.
pub(crate) fn on_device(
    analysis: &Analysis,
    params: &[Param<'_>],
    modules: &[Module],
    paths: &[TokenStream],
) -> Option<OnDevice> {
    let [plan] = &analysis.loops[..] else {
        return None;
    };
    if modules.is_empty() {
        return None;
    }
    let memory: Vec<&Ident> = params
        .iter()
        .filter(|p| matches!(p.kind, Kind::Memory { .. }))
        .map(|p| &p.name)
        .collect();
    // What the loop has as an array has elements that a kernel knows; nothing is known of others.
    let is_array = |name: &&Ident| plan.arrays.iter().any(|a| root(&a.expr) == Some(name));
    if !memory.iter().all(is_array) {
        return None;
    }
    let Around { before, after } = around(analysis, plan, &memory)?;
    // Of other vectors the loop alone tells what their elements are.
    let is_known = |vector: &ArraySyntax| {
        let is_written = matches!(&vector.shape, Shape::Vec(of) if !matches!(**of, Shape::Unknown));
        let is_result = matches!(after, [.., Stmt::Expr(result, None)] if root(result).is_some_and(|of| Some(of) == root(&vector.expr)));
        is_written || is_result
    };
    if !pushes::arrays(plan.for_kernels()).all(|(_, vector)| is_known(vector)) {
        return None;
    }
    let once = plan.once.iter();
    let fixed = once.clone().all(|o| o.number);
    let evaluated = once.map(|o| o.expr.to_token_stream());
    let captured = plan.captures.iter().map(|c| c.tokens.clone());
    if !fixed || !evaluated.chain(captured).all(|e| only_lengths(e, &memory)) {
        return None;
    }
    let attempt = attempt(analysis, plan.for_kernels(), params, paths.last()?)?;
    let attempt = match (plan.claims(), &plan.winners) {
        (Some((claims, _)), _) => apart_first(analysis, plan, claims, params, paths, &attempt)?,
        (None, Some(_)) => then_kept(analysis, plan, params, paths, &attempt)?,
        (None, None) => attempt,
    };
    let items = crate::confirm::items(&[plan], &analysis.definitions);
    let within_reach = params.iter().filter_map(|p| {
        let name = &p.name;
        match p.kind {
            Kind::Value(_) => None,
            Kind::Memory { mutable: true, .. } => {
                Some(quote!(::accrue::__rt::is_within_reach_mut(&#name)))
            }
            Kind::Memory { mutable: false, .. } => {
                Some(quote!(::accrue::__rt::is_within_reach(&#name)))
            }
        }
    });
    // What has been evaluated is evaluated again where the host runs the function. Where that could be noticed, only those come
    // here whose data the host cannot have.
    let owned: Vec<&Ident> = params
        .iter()
        .filter(|p| matches!(p.kind, Kind::Value(ty) if !is_copied(ty)))
        .map(|p| &p.name)
        .collect();
    let (asked, or_else) = match pure::may_repeat(before, &owned) {
        true => (quote!(__accrue_place.wanted()), None),
        false => (
            quote!(!__accrue_place.within_reach),
            Some(quote!(::core::unreachable!(
                "a call that the host cannot run ends here"
            ))),
        ),
    };
    Some(OnDevice {
        tokens: quote! {
            #items
            let __accrue_place = ::accrue::__rt::gpu::Place {
                stream: __accrue_stream,
                within_reach: true #(&& #within_reach)*,
            };
            if #asked {
                #(#before)*
                let __accrue_attempt = #attempt;
                if (&__accrue_attempt).done() {
                    return { #(#after)* };
                }
                #or_else
            }
        },
    })
}

/// Whether passing a value on leaves it where it is: numbers and shared references.
fn is_copied(ty: &Type) -> bool {
    match ty {
        Type::Reference(r) => r.mutability.is_none(),
        Type::Path(path) => {
            path.qself.is_none() && crate::syntax::names::primitive_of(&path.path).is_some()
        }
        _ => false,
    }
}

/// The statements around the loop, if they ask memory for nothing but lengths, and what is before it are `let`s and assertions.
fn around<'a>(analysis: &'a Analysis, plan: &LoopPlan, memory: &[&Ident]) -> Option<Around<'a>> {
    let stmts = &analysis.function.block.stmts;
    let is_loop = |stmt: &Stmt| matches!(stmt, Stmt::Expr(Expr::ForLoop(_), _));
    let (before, rest) = stmts.split_at(stmts.iter().position(is_loop)?);
    let (_, after) = rest.split_first()?;
    let plain = |stmt: &Stmt| {
        let tokens = quote!(#stmt);
        only_lengths(tokens.clone(), memory) && !leaves(tokens)
    };
    let binds = |stmt: &Stmt| match stmt {
        Stmt::Local(_) => true,
        Stmt::Macro(m) => pure::is_assertion(&m.mac),
        Stmt::Expr(..) | Stmt::Item(_) => false,
    };
    // The planned loop is the first `for` that `syn::visit` enters.
    let is_planned = plan.nth_for == 0 && analysis.sequential.is_empty();
    let all = before.iter().all(|s| plain(s) && binds(s)) && after.iter().all(plain);
    (is_planned && all).then_some(Around { before, after })
}

/// Whether tokens leave the function, or have loops.
fn leaves(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => ["return", "for", "while", "loop", "await"]
            .iter()
            .any(|w| word == w),
        TokenTree::Group(group) => leaves(group.stream()),
        TokenTree::Punct(p) => p.as_char() == '?',
        TokenTree::Literal(_) => false,
    })
}

/// Whether tokens mention memory only to ask for its length.
fn only_lengths(tokens: TokenStream, memory: &[&Ident]) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().all(|(i, token)| match token {
        TokenTree::Ident(ident) if memory.contains(&ident) => {
            let dot = matches!(tokens.get(i + 1), Some(TokenTree::Punct(p)) if p.as_char() == '.');
            let len = matches!(tokens.get(i + 2), Some(TokenTree::Ident(m)) if m == "len" || m == "is_empty");
            dot && len
        }
        TokenTree::Group(group) => only_lengths(group.stream(), memory),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => true,
    })
}

/// The same for a loop whose elements another one, `claims`, has to claim before: `attempt` is what follows.
fn apart_first(
    analysis: &Analysis,
    plan: &LoopPlan,
    claims: &LoopPlan,
    params: &[Param<'_>],
    paths: &[TokenStream],
    attempt: &TokenStream,
) -> Option<TokenStream> {
    let [path, _] = paths else {
        return None;
    };
    let Pattern::Histogram(roles) = &plan.pattern;
    let lengths = roles.distinct.iter().map(|id| {
        let param = param_of(params, &plan.arrays[id.0 as usize].expr)?;
        let (name, len_of) = (&param.name, len_of(param));
        Some(quote!(#len_of(&#name)))
    });
    let lengths: Vec<TokenStream> = lengths.collect::<Option<_>>()?;
    let claims = self::attempt(analysis, claims, params, path)?;
    let within_reach = quote!(__accrue_place.within_reach);
    let first = apart::first(plan, &lengths, path, &claims, attempt, &within_reach)?;
    Some(waited(path, quote!(asks_before), &first))
}

/// An attempt of several launches, the later of which need what the earlier have found: a queued call does not wait for that, and says so by `why`.
fn waited(path: &TokenStream, why: TokenStream, attempt: &TokenStream) -> TokenStream {
    quote! {
        match __accrue_place.stream {
            ::core::option::Option::Some(_) => __accrue_place.give_way(&#path, (#path).#why()),
            ::core::option::Option::None => #attempt,
        }
    }
}

/// An attempt at a loop that keeps best items: behind kernels that find their iterations, one that gives what these keep. The function's places are assigned when
/// all of it is known.
fn then_kept(
    analysis: &Analysis,
    plan: &LoopPlan,
    params: &[Param<'_>],
    paths: &[TokenStream],
    attempt: &TokenStream,
) -> Option<TokenStream> {
    let [beside, path] = paths else {
        return None;
    };
    let (keeping, position, before) = plan.keeps()?;
    let keeps = self::attempt(analysis, keeping, params, beside)?;
    let found = host::then_best(plan, attempt.clone());
    let position = host::capture_name(position);
    let places: Vec<&Expr> = plan.best.iter().flat_map(|best| &best.places).collect();
    let before: Vec<Ident> = before.iter().map(|v| host::capture_name(*v)).collect();
    let types: Vec<TokenStream> = {
        let Pattern::Histogram(roles) = &plan.pattern;
        let vars = roles.best.iter().flat_map(|best| &best.vars);
        vars.map(|var| host::rust_type(&plan.ir.var(*var).ty))
            .collect()
    };
    let kept: Vec<Ident> = (0..places.len())
        .map(|n| format_ident!("__accrue_kept_{n}"))
        .collect();
    let kept = quote! {
        '__accrue_kept: {
            let __accrue_found = #found;
            let ::core::option::Option::Some(__accrue_left) = __accrue_found.left() else {
                break '__accrue_kept __accrue_found;
            };
            #(let mut #before: #types = #places;)*
            for __accrue_position in __accrue_left {
                let #position = *__accrue_position as ::core::primitive::u64;
                #(let mut #kept = ::accrue::__rt::gpu::Slot::slot(#before);)*
                let __accrue_attempt = #keeps;
                if !(&__accrue_attempt).done() {
                    break '__accrue_kept __accrue_attempt;
                }
                #(#before = ::accrue::__rt::gpu::Slot::of_slot(#kept);)*
            }
            #(#places = #before;)*
            ::accrue::__rt::gpu::Attempt::DONE
        }
    };
    Some(waited(path, quote!(finds_first), &kept))
}

/// The parameter that an array expression is.
fn param_of<'p, 'a>(params: &'p [Param<'a>], expr: &Expr) -> Option<&'p Param<'a>> {
    let name = root(expr)?;
    let mut memory = params
        .iter()
        .filter(|p| matches!(p.kind, Kind::Memory { .. }));
    memory.find(|p| p.name == *name)
}

/// The parameter that is an array by itself, of numbers and no more, which goes with each call.
fn array_by_value<'p>(params: &'p [Param<'_>], expr: &Expr) -> Option<&'p Ident> {
    let name = root(expr)?;
    let of_numbers = |ty: &Type| match ty {
        Type::Array(array) => match &*array.elem {
            Type::Path(of) => {
                of.qself.is_none() && crate::syntax::names::primitive_of(&of.path).is_some()
            }
            _ => false,
        },
        _ => false,
    };
    let is_it =
        |p: &&Param<'_>| p.name == *name && matches!(p.kind, Kind::Value(ty) if of_numbers(ty));
    params.iter().find(is_it).map(|p| &p.name)
}

/// An expression of type `Attempt`. `None` where an array of the kernel is not a parameter of the function.
fn attempt(
    analysis: &Analysis,
    plan: &LoopPlan,
    params: &[Param<'_>],
    path: &TokenStream,
) -> Option<TokenStream> {
    let instead =
        |why: TokenStream| quote!(break '__accrue_attempt __accrue_place.give_way(&#path, #why));
    let give_up = |name: &str| instead(quote!((#path).foreign(#name)));
    let mut checks = TokenStream::new();
    let mut lengths = Vec::new();
    let mut views = TokenStream::new();
    let mut arrays = Vec::new();
    for (id, (array, syntax)) in plan.kernel_ir().arrays.iter().zip(&plan.arrays).enumerate() {
        if plan.claims_alone && array.access == Access::Updated {
            let (len, expr) = (host::length_name(ir::ArrayId(id as u32)), &syntax.expr);
            lengths.push(quote!(let #len: ::core::primitive::usize = #expr.len();));
            arrays.push(quote!(::accrue::__rt::gpu::Array::length(#len)));
            continue;
        }
        if let Some(n) = plan.vector_of(ir::ArrayId(id as u32)) {
            arrays.push(pushes::array(plan, n, path));
            continue;
        }
        let Some(param) = param_of(params, &syntax.expr) else {
            let name = array_by_value(params, &syntax.expr)?;
            let len = host::length_name(ir::ArrayId(id as u32));
            let ty = host::rust_type(&array.elem);
            lengths.push(quote!(let #len: ::core::primitive::usize = #name.len();));
            arrays.push(match array.access {
                Access::Read => {
                    let view = host::view_name(ir::ArrayId(id as u32));
                    let give_up = give_up(&array.name);
                    let seen = host::seen(&quote!(&#name), &ty, "elements", &give_up);
                    views.extend(quote!(let #view = #seen;));
                    quote!(::accrue::__rt::gpu::Array::host::<#ty>(#view))
                }
                Access::LengthOnly => quote!(::accrue::__rt::gpu::Array::length(#len)),
                Access::Owned | Access::Updated => return None,
            });
            continue;
        };
        let (name, len_of) = (&param.name, len_of(param));
        // What rustc has to say of it is said at the parameter.
        let (lent, taken) = (
            quote_spanned!(name.span()=> &#name),
            quote_spanned!(name.span()=> &mut #name),
        );
        let len = host::length_name(ir::ArrayId(id as u32));
        lengths.push(quote!(let #len: ::core::primitive::usize = #len_of(&#name);));
        let ty = host::rust_type(&array.elem);
        let mut lies = |written| {
            checks.extend(host::lies_there(
                &array.elem,
                name,
                written,
                &give_up(&array.name),
            ));
        };
        arrays.push(match array.access {
            Access::Read => {
                let written = matches!(param.kind, Kind::Memory { mutable: true, .. });
                lies(written);
                match written {
                    true => quote!(::accrue::__rt::gpu::Array::lent::<#ty>(#lent)),
                    false => quote!(::accrue::__rt::gpu::Array::shared::<#ty>(#lent)),
                }
            }
            Access::Owned => {
                lies(true);
                quote!(::accrue::__rt::gpu::Array::exclusive::<#ty>(#taken))
            }
            Access::Updated | Access::LengthOnly => {
                quote!(::accrue::__rt::gpu::Array::length(#len))
            }
        });
    }
    let Pattern::Histogram(histogram) = &plan.pattern;
    let mut bins = Vec::new();
    for (target, syntax) in histogram.targets.iter().zip(&plan.targets) {
        let expr = &syntax.expr;
        bins.push(match target.memory {
            Memory::Bins(_) if plan.claims_alone => quote!(#expr.bins()),
            Memory::Bins(id) => {
                let name = &param_of(params, expr)?.name;
                let taken = quote_spanned!(name.span()=> &mut #name);
                let ty = host::rust_type(&plan.ir.array(id).elem);
                quote!(::accrue::__rt::gpu::Bins::exclusive::<#ty>(#taken))
            }
            Memory::Scalar(var) => {
                let ty = host::rust_type(&plan.ir.var(var).ty);
                quote!(::accrue::__rt::gpu::Bins::scalar::<#ty>(&mut (#expr)))
            }
        });
    }
    bins.extend(host::carried(plan));
    bins.extend(host::found(plan));
    let confirmed = crate::confirm::confirmed_for_kernels(plan, &analysis.definitions);
    let unconfirmed = confirmed.map(|names| {
        let instead = instead(quote!((#path).unconfirmed()));
        quote! {
            if !(#names) {
                #instead;
            }
        }
    });
    let apart = super::apart(plan).ok()?.map(|apart| {
        let instead = instead(quote!((#path).meeting()));
        quote! {
            if !(#apart) {
                #instead;
            }
        }
    });
    let (reach, given) = super::reach(plan);
    let questions = host::questions();
    let once = plan.once.iter().map(|o| {
        let (name, value) = (&o.name, &o.value);
        quote!(let #name = #value;)
    });
    let captures = host::captures(plan, &give_up);
    let counts = host::counts(plan);
    let finds = host::finds(plan);
    let beyond = finds.as_ref().map(|_| {
        let instead = instead(quote!((#path).beyond_positions()));
        quote!(::core::option::Option::Some(_) => #instead,)
    });
    let slots = host::slots(plan);
    let tried = quote! {
        __accrue_place.attempt(
            &#path,
            &__accrue_counts,
            &[#(#arrays),*],
            &mut [#(#bins),*],
            &#slots,
            #reach,
        )
    };
    let tried = pushes::around(plan, host::told_bits(plan, tried), &give_up);
    Some(quote! {
        '__accrue_attempt: {
            #unconfirmed
            #questions
            #(#lengths)*
            #views
            #checks
            #(#once)*
            #captures
            #apart
            #given
            match #counts {
                ::core::option::Option::Some(__accrue_counts) #finds => #tried,
                #beyond
                ::core::option::Option::None => __accrue_place.without_count(&#path),
            }
        }
    })
}

/// The variable that an array expression is, behind references, parentheses and `.iter()`-like views of all of it.
fn root(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Paren(e) => root(&e.expr),
        Expr::Group(e) => root(&e.expr),
        Expr::Reference(e) => root(&e.expr),
        Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => root(&e.expr),
        _ => None,
    }
}

//! `across` of the companion: the function over the items of all ranks.
//!
//! Around each loop stands what combines bins and scalars ([`emit_cpu::ranks`]); the companion's function calls the user's with
//! this rank's arguments and puts bins back where any rank fails. A function whose loops or whose code around them cannot be one call of all
//! ranks has an `across` as well, one that cannot be called: its bound is a trait that nothing implements, whose message is the reason.

use accrue_ir::sorted::SortedSet;

use crate::syntax::visit::{self, Visit};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, FnArg, ItemFn, Pat, ReturnType, Safety, Stmt, Type};

use crate::diag::Code;
use crate::emit_cpu::ranks;
use crate::ir::{Memory, Pattern};
use crate::on::{self, Kind, Param};
use crate::parsed::outer::shape_of;
use crate::plan::{Analysis, LoopPlan, loops};
use crate::source::text_of;
use crate::syntax::Shape;
use crate::syntax::names::{self, root_of};

/// What a function of a companion is printed as.
pub(crate) enum Across {
    /// One that can be called.
    Ranks {
        /// Expressions for what becomes what it was if the call fails.
        places: Vec<TokenStream>,
        /// Whether each loop runs over the items of all ranks; else every rank runs it, over what all ranks have.
        loops: Vec<bool>,
    },
    /// Why there is none.
    Refused(String),
    /// Nothing is printed.
    Nothing,
}

impl Across {
    /// Whether a loop runs over the items of all ranks.
    pub(crate) fn splits(&self, plan: &LoopPlan) -> bool {
        match self {
            Across::Ranks { loops, .. } => loops[plan.ir.ordinal],
            Across::Refused(_) | Across::Nothing => false,
        }
    }
}

/// Whether a function can be one call of all ranks. `in_order` says of each loop why it stays in order, where it does.
pub(crate) fn of(analysis: &Analysis, in_order: &[Option<&str>]) -> Across {
    if !analysis.module || analysis.loops.is_empty() {
        return Across::Nothing;
    }
    match checked(analysis, in_order) {
        Ok(across) => across,
        Err(why) => Across::Refused(why),
    }
}

fn checked(analysis: &Analysis, in_order: &[Option<&str>]) -> Result<Across, String> {
    if analysis.over_slices().is_some() {
        return Err(
            "its loops are over arrays of ndarray's, and a call of all ranks takes slices"
                .to_owned(),
        );
    }
    signature_allows(analysis)?;
    let parts = parts(analysis);
    let loops = split(analysis, &parts)?;
    let split = || {
        let plans = analysis.loops.iter().zip(in_order).zip(&loops);
        plans.filter_map(|(plan, split)| split.then_some(plan))
    };
    for (plan, in_order) in split() {
        loop_allows(plan, *in_order)?;
    }
    surroundings_allow(analysis, &parts)?;
    let plans: Vec<&LoopPlan> = split().map(|(plan, _)| plan).collect();
    let places = places(analysis, &plans)?;
    Ok(Across::Ranks { places, loops })
}

/// What each rank has a part of: parameters, and what is computed of them before the loops. By name, with the parameter.
fn parts(analysis: &Analysis) -> Vec<(String, String)> {
    let function = &analysis.function;
    let combined: SortedSet<String> = analysis.loops.iter().flat_map(combined_roots).collect();
    let is_part =
        |ty: &Type| matches!(shape_of(ty).0, Shape::Slice(_) | Shape::Vec(_) | Shape::Str);
    let mut parts: Vec<(String, String)> = parameters(function)
        .filter(|(name, ty)| is_part(ty) && !combined.contains(&name.to_string()))
        .map(|(name, _)| (name.to_string(), name.to_string()))
        .collect();
    for stmt in &function.block.stmts {
        let Stmt::Local(local) = stmt else { continue };
        let words = words(local);
        let asked = parts.iter().find(|(name, _)| words.contains(name));
        let Some((_, part)) = asked.cloned() else {
            continue;
        };
        for name in names::bound_names(&local.pat) {
            if !combined.contains(&name.to_string()) {
                parts.push((name.to_string(), part.clone()));
            }
        }
    }
    parts
}

/// The identifiers of a piece of syntax.
fn words(of: &impl ToTokens) -> SortedSet<String> {
    let mut all = Vec::new();
    names::identifiers(of.to_token_stream(), &mut all);
    all.iter().map(Ident::to_string).collect()
}

/// Whether each loop runs over the items of all ranks. Behind the first one there may be loops over what all ranks have by then, the bins: every rank runs
/// those.
fn split(analysis: &Analysis, parts: &[(String, String)]) -> Result<Vec<bool>, String> {
    let values: SortedSet<String> = parameters(&analysis.function)
        .filter(|(_, ty)| !matches!(ty, Type::Reference(_)))
        .map(|(name, _)| name.to_string())
        .collect();
    let mut combined: SortedSet<String> = SortedSet::new();
    let mut split = Vec::new();
    for plan in &analysis.loops {
        let own: SortedSet<String> = combined_roots(plan).into_iter().collect();
        let words_of_all = words(&plan.syntax);
        let words_of_items = words(&plan.syntax.expr);
        let part = |words: &SortedSet<String>| parts.iter().find(|(name, _)| words.contains(name));
        let mut read = combined
            .iter()
            .filter(|c| words_of_all.contains(*c) && !own.contains(*c));
        let read = read.next();
        let over_all = match (part(&words_of_all), read) {
            _ if combined.is_empty() => true,
            (None, Some(_)) => false,
            // Numbers say which items are this rank's.
            (None, None) => !words_of_items.is_disjoint(&values),
            (Some(_), None) => true,
            (Some(_), Some(_)) if part(&words_of_items).is_some() => true,
            (Some((_, part)), Some(read)) => {
                return Err(format!(
                    "a loop reads `{read}`, which all ranks have, and `{part}`, of which each rank has a part, and does not iterate over either of them in sight: iterate over `{part}`, or pass an array of fixed length"
                ));
            }
        };
        split.push(over_all);
        combined.extend(own);
    }
    Ok(split)
}

fn loop_allows(plan: &LoopPlan, in_order: Option<&str>) -> Result<(), String> {
    let Pattern::Histogram(roles) = &plan.pattern;
    if let Some(filled) = roles.filled.first() {
        let array = &plan.ir.array(filled.array).name;
        let cursor = &plan.ir.var(filled.cursor).name;
        return Err(format!(
            "`{array}` is filled at `{cursor}`, which counts the items of all ranks, and each rank has a `{array}` of its own"
        ));
    }
    if let Some(carried) = roles.carried.first() {
        let name = &plan.ir.var(carried.var).name;
        return Err(format!(
            "`{name}` is carried from item to item, and each rank would have to wait for the one before it: call it on each rank, and add up what came before"
        ));
    }
    if let Some(map) = plan.keyed.first() {
        let map = text_of(&map.place.to_token_stream());
        return Err(format!(
            "`{map}` is grouped by keys, and each rank has a map of its own: call it on each rank, and merge the maps"
        ));
    }
    if let Some(id) = roles.scattered.first() {
        let array = &plan.ir.array(*id).name;
        return Err(format!(
            "its iterations write elements of each other's rows of `{array}`, and each rank has rows of its own"
        ));
    }
    if let Some(why) = in_order {
        return Err(format!("its loop stays in order: {why}"));
    }
    let mut evaluated = TokenStream::new();
    let iterations = plan.iterations.iter().filter(|_| plan.once.is_empty());
    evaluated.extend(iterations.map(|_| plan.syntax.expr.to_token_stream()));
    evaluated.extend(plan.once.iter().map(|once| once.expr.to_token_stream()));
    evaluated.extend(plan.captures.iter().map(|c| c.tokens.clone()));
    for target in &plan.targets {
        if !only_lengths(evaluated.clone(), &target.root) {
            return Err(format!(
                "what it iterates over depends on `{}`, into which it combines",
                target.root
            ));
        }
    }
    ranks::combined(plan).map(drop)
}

/// Whether tokens mention a name only to ask for its length.
fn only_lengths(tokens: TokenStream, name: &Ident) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().all(|(i, token)| match token {
        TokenTree::Ident(ident) if ident == name => {
            matches!(tokens.get(i + 1), Some(TokenTree::Punct(p)) if p.as_char() == '.')
                && matches!(tokens.get(i + 2), Some(TokenTree::Ident(m)) if m == "len")
        }
        TokenTree::Group(group) => only_lengths(group.stream(), name),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => true,
    })
}

fn signature_allows(analysis: &Analysis) -> Result<(), String> {
    let signature = &analysis.function.sig;
    if matches!(signature.safety, Safety::Unsafe(_)) {
        return Err("it is `unsafe`".to_owned());
    }
    if signature.generics.lifetimes().next().is_some() {
        return Err("its lifetimes have names".to_owned());
    }
    if !on::result_owns_all(signature) {
        return Err("its result may borrow from its arguments".to_owned());
    }
    Ok(())
}

/// The parameters that are types, by name.
fn parameters(function: &ItemFn) -> impl Iterator<Item = (&Ident, &Type)> {
    function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(param) => match &*param.pat {
            Pat::Ident(p) if p.subpat.is_none() => Some((&p.ident, &*param.ty)),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    })
}

/// Whether what stands behind the first loop is the same on all ranks: it may not ask what each rank has a part of.
fn surroundings_allow(analysis: &Analysis, parts: &[(String, String)]) -> Result<(), String> {
    let mut block = (*analysis.function.block).clone();
    loops::rewrite(&mut block, |nth, syntax| {
        match analysis.loops.iter().any(|plan| plan.nth_for == nth) {
            true => Expr::Verbatim(quote!(__accrue_planned)),
            false => syntax,
        }
    });
    let mut behind = false;
    for stmt in &block.stmts {
        let words = words(stmt);
        behind |= words.contains("__accrue_planned");
        let asked = parts.iter().find(|(name, _)| words.contains(name));
        if behind && let Some((name, part)) = asked {
            let through = match name == part {
                true => String::new(),
                false => format!(" through `{name}`"),
            };
            return Err(format!(
                "what stands beside its loops depends on `{part}`{through}, of which each rank has a part: what it asks has to be combined in a loop, as `count += 1`"
            ));
        }
    }
    Ok(())
}

/// The variables at the roots of what a loop combines into.
fn combined_roots(plan: &LoopPlan) -> Vec<String> {
    let best = plan.best.iter().flat_map(|b| &b.places).filter_map(root_of);
    let targets = plan.targets.iter().map(|t| &t.root);
    targets.chain(best).map(Ident::to_string).collect()
}

/// Expressions of type `Option<Values>` for what the loops combine into, as far as it is the caller's.
fn places(analysis: &Analysis, plans: &[&LoopPlan]) -> Result<Vec<TokenStream>, String> {
    let function = &analysis.function;
    let bound = bound_in(&function.block);
    let params: Vec<(&Ident, &Type)> = parameters(function).collect();
    let mut places: Vec<(String, TokenStream)> = Vec::new();
    let mut named = SortedSet::new();
    let mut lent = Vec::new();
    for plan in plans {
        let combined = ranks::combined(plan)?;
        let Pattern::Histogram(roles) = &plan.pattern;
        let parts = combined.parts.into_iter().zip(&plan.targets);
        let parts = parts.zip(&roles.targets).map(|(((expr, part), syntax), target)| {
            let place = quote!(::core::option::Option::Some(::accrue::__rt::across::Part::into_values(#part)));
            // A local array or number of its own.
            let owned = syntax.by_reference == Some(false) || matches!(target.memory, Memory::Scalar(_));
            let local = owned && matches!(expr, Expr::Path(_));
            (expr, place, local)
        });
        let best = combined.places.into_iter().map(|(expr, place)| {
            let local = matches!(expr, Expr::Path(_));
            (expr, place, local)
        });
        for (expr, place, local) in parts.chain(best) {
            let Some(root) = root_of(&expr) else {
                return Err(format!("`{}` has no name", quote!(#expr)));
            };
            let param = params.iter().find(|(name, _)| *name == root);
            let is_bound = bound.contains(&root.to_string());
            match param {
                Some((_, Type::Reference(r))) if r.mutability.is_some() && !is_bound => {
                    named.insert(root.to_string());
                    let text = expr.to_token_stream().to_string();
                    if places.iter().all(|(other, _)| *other != text) {
                        places.push((text, place));
                    }
                }
                // By value, or a local of its own: nobody sees it where the call fails.
                _ if local => {}
                _ => lent.push(root.to_string()),
            }
        }
    }
    let mut all: Vec<TokenStream> = places.into_iter().map(|(_, place)| place).collect();
    // What else the caller's arrays hold, for what loops reach by another name.
    let mut hidden = None;
    for (name, ty) in &params {
        let Type::Reference(r) = ty else {
            if !on::owns_all(ty, true) {
                hidden = Some((*name).clone());
            }
            continue;
        };
        if r.mutability.is_none() || named.contains(&name.to_string()) {
            continue;
        }
        match numbers(name, &r.elem) {
            Some(values) => all.push(quote!(::core::option::Option::Some(#values))),
            None => hidden = Some((*name).clone()),
        }
    }
    let other = function.sig.inputs.iter().any(|input| match input {
        FnArg::Typed(param) => !matches!(&*param.pat, Pat::Ident(_)),
        FnArg::Receiver(_) => true,
    });
    match (lent.first(), hidden) {
        (Some(root), Some(param)) => Err(format!(
            "`{root}` may be a part of `{param}`, which could not be put back where another rank fails: update `{param}` by its own name"
        )),
        (Some(root), None) if other => Err(format!(
            "`{root}` may be a part of an argument without a name, which could not be put back where another rank fails"
        )),
        _ => Ok(all),
    }
}

/// The numbers behind an exclusive reference as `Values`.
fn numbers(name: &Ident, ty: &Type) -> Option<TokenStream> {
    let rt = quote!(::accrue::__rt::across);
    let primitive = |ty: &Type| match ty {
        Type::Path(path) => path.qself.is_none() && names::primitive_of(&path.path).is_some(),
        _ => false,
    };
    if primitive(ty) {
        return Some(quote!(#rt::values(::core::slice::from_mut(&mut *#name))));
    }
    let mut elem = match ty {
        Type::Slice(t) => &*t.elem,
        Type::Array(t) => &*t.elem,
        _ => return None,
    };
    let mut slice = quote!(&mut (#name)[::accrue::__rt::ALL]);
    while let Type::Array(t) = elem {
        slice = quote!(<[_]>::as_flattened_mut(#slice));
        elem = &t.elem;
    }
    primitive(elem).then(|| quote!(#rt::values(#slice)))
}

/// The names that a block binds.
fn bound_in(block: &syn::Block) -> SortedSet<String> {
    struct Finder(SortedSet<String>);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::PatIdent(pat) => {
                    self.0.insert(pat.ident.to_string());
                    visit::visit_pat_ident(self, pat);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(SortedSet::new());
    finder.visit_block(block);
    finder.0
}

/// The function of the companion, with what has to stand beside its `impl`.
pub(crate) fn function(analysis: &Analysis, name: &Ident, across: &Across) -> TokenStream {
    match across {
        Across::Nothing => TokenStream::new(),
        Across::Refused(why) => refused(analysis, name, why),
        Across::Ranks { places, .. } => ranks(analysis, name, places),
    }
}

/// One that cannot be called.
fn refused(analysis: &Analysis, name: &Ident, why: &str) -> TokenStream {
    let (vis, sig) = (&analysis.function.vis, &analysis.function.sig);
    let generics = &sig.generics;
    let where_clause = &generics.where_clause;
    let params = sig
        .inputs
        .iter()
        .enumerate()
        .filter_map(|(n, input)| match input {
            FnArg::Typed(param) => {
                let (name, ty) = (on::argument(&param.pat, n, name), &param.ty);
                Some(quote!(#name: #ty))
            }
            FnArg::Receiver(_) => None,
        });
    // Nothing can be called, and of nothing rustc would not know which type that has the trait a result is.
    let output = match names_impl(&sig.output) {
        true => quote!(()),
        false => on::output(sig),
    };
    let safety = match &sig.safety {
        Safety::Unsafe(token) => Some(token),
        _ => None,
    };
    // Beside another reference, what a result borrows from would be in question.
    let ranks = match on::result_owns_all(sig) {
        true => quote!(&(impl AcrossRanks + ?::core::marker::Sized)),
        false => quote!(impl AcrossRanks),
    };
    let message = format!(
        "[{}] `{name}` cannot be called across ranks: {why}",
        Code::Ranks
    );
    let doc = format!("`{name}` cannot be called across ranks: {why}.");
    quote! {
        const _: () = {
            #[diagnostic::on_unimplemented(message = #message, label = "not across ranks")]
            #[doc(hidden)]
            pub trait AcrossRanks {}

            #[allow(dead_code, deprecated, unreachable_pub, private_bounds, unused_variables, clippy::all)]
            impl #name {
                #[doc = #doc]
                #vis #safety fn across #generics(
                    ranks: #ranks,
                    #(#params),*
                ) -> ::core::result::Result<#output, ::accrue::Error> #where_clause {
                    ::core::unreachable!("nothing implements this bound")
                }
            }
        };
    }
}

/// Whether a result is some type that has a trait, or has one inside.
fn names_impl(output: &ReturnType) -> bool {
    let mut words = Vec::new();
    names::identifiers(output.to_token_stream(), &mut words);
    words.iter().any(|word| word == "impl")
}

fn ranks(analysis: &Analysis, name: &Ident, places: &[TokenStream]) -> TokenStream {
    let function = &analysis.function;
    let (vis, sig) = (&function.vis, &function.sig);
    let generic = !sig.generics.params.is_empty();
    let params: Vec<Param<'_>> = match generic {
        true => Vec::new(),
        false => on::params(analysis, name).unwrap_or_default(),
    };
    let memory = || {
        params
            .iter()
            .enumerate()
            .filter(|(_, p)| matches!(p.kind, Kind::Memory { .. }))
    };
    let plain = sig
        .inputs
        .iter()
        .enumerate()
        .filter_map(|(n, input)| match input {
            FnArg::Typed(param) => Some((on::argument(&param.pat, n, name), &*param.ty)),
            FnArg::Receiver(_) => None,
        });
    let plain: Vec<(Ident, &Type)> = plain.collect();
    let inputs: Vec<TokenStream> = match generic {
        true => plain.iter().map(|(name, ty)| quote!(#name: #ty)).collect(),
        false => params.iter().map(on::input).collect(),
    };
    let generics = match generic {
        true => sig.generics.to_token_stream(),
        false => on::lifetimes_of(&params),
    };
    let where_clause = &sig.generics.where_clause;
    let output = on::output(sig);
    let converted = memory().map(|(_, p)| {
        let (name, ty) = (&p.name, on::argument_type(p));
        quote!(let #name: #ty = ::core::convert::Into::into(#name);)
    });
    let checks = params.iter().filter_map(on::check_of);
    let on_host = params
        .iter()
        .enumerate()
        .map(|(n, p)| on::on_host(n, p, name, false));
    let bound = memory().flat_map(|(n, p)| {
        let shared = matches!(p.kind, Kind::Memory { mutable: false, .. });
        let held = shared.then(|| format_ident!("__accrue_held_{n}"));
        [Some(p.name.clone()), held]
    });
    let bound: Vec<Ident> = bound.flatten().collect();
    let passed = plain.iter().map(|(name, ty)| match ty {
        Type::Reference(r) if r.mutability.is_some() => quote!(&mut *#name),
        _ => quote!(#name),
    });
    let path = match on::generic_arguments(&sig.generics) {
        Some(arguments) => quote!(#name::<#arguments>),
        None => quote!(#name),
    };
    // A parameter of the function's own name is called otherwise here, so that the function can be called.
    let as_written = sig
        .inputs
        .iter()
        .zip(&plain)
        .filter_map(|(input, (given, _))| match input {
            FnArg::Typed(param) => match (&*param.pat, &*param.ty) {
                (Pat::Ident(p), Type::Reference(r))
                    if p.ident != *given && r.mutability.is_some() =>
                {
                    let written = &p.ident;
                    Some(quote!(let #written = &mut *#given;))
                }
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
    let text = name.to_string();
    let ranks = Ident::new("ranks", Span::mixed_site());
    let uses = match places.is_empty() {
        true => None,
        false => Some(quote!(
            #[allow(unused_imports)]
            use ::accrue::__rt::across::{AskNoPlace as _, AskPlace as _};
        )),
    };
    let doc = format!(
        "Calls [`{name}`](fn@{name}) as one of several ranks, which all call it: each loop runs over the items of all of them, in the \
         order of the ranks, and every rank ends with the same bins and scalars, which have to be the same on all of them before. Elements that iterations \
         write are each rank's own.\n\n# Errors\n\nThe same one on every rank: what any of them fails with, \
         [`OnRank`](::accrue::Error::OnRank), or in what they differ, [`RanksDiffer`](::accrue::Error::RanksDiffer). Bins and scalars are then as before."
    );
    quote! {
        #[allow(dead_code, deprecated, unreachable_pub, clippy::all)]
        impl #name {
            #[doc = #doc]
            #[allow(unused_variables, unused_mut, single_use_lifetimes)]
            #vis fn across #generics(
                #ranks: &(impl ::accrue::Collective + ?::core::marker::Sized),
                #(#inputs),*
            ) -> ::core::result::Result<#output, ::accrue::Error> #where_clause {
                let __accrue_call = ::accrue::__rt::across::Call::new::<Self>(&#ranks, #text);
                let __accrue_bound = ::accrue::__rt::across::Call::attempt(&__accrue_call, move || {
                    #(#converted)*
                    #(#checks)*
                    #(#on_host)*
                    ::core::result::Result::Ok((#(#bound,)*))
                });
                match __accrue_bound {
                    ::core::option::Option::None => {
                        ::accrue::__rt::across::Call::finish(__accrue_call, ::core::option::Option::None, &mut [])
                    }
                    ::core::option::Option::Some((#(mut #bound,)*)) => {
                        let __accrue_result = ::accrue::__rt::across::Call::attempt(&__accrue_call, || {
                            ::core::result::Result::Ok(#path(#(#passed),*))
                        });
                        #uses
                        #(#as_written)*
                        ::accrue::__rt::across::Call::finish(__accrue_call, __accrue_result, &mut [#(#places),*])
                    }
                }
            }
        }
    }
}

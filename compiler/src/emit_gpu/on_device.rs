//! `on_device`: the function for data that is on a device already.
//!
//! It exists where the function is one loop over slices and arrays that are its parameters, with nothing before the
//! loop but `let`s over its other parameters and lengths. Then the call is a launch: queued on a stream, its
//! faults told when the stream is waited for. On the host's memory it is the function itself.

use accrue_ptx::abi::Module;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{FnArg, Pat, ReturnType, Stmt, Type};

use super::host;
use crate::ir::{self, Access, Memory, Pattern};
use crate::plan::{Analysis, LoopPlan};

/// A parameter of the function.
struct Param<'a> {
    name: &'a Ident,
    kind: Kind<'a>,
}

/// What a parameter is on the device.
enum Kind<'a> {
    /// Passed as it is.
    Value(&'a Type),
    /// Elements, in a fixed number if it is an array.
    Memory {
        elem: &'a Type,
        len: Option<&'a syn::Expr>,
        mutable: bool,
    },
}

/// The item `pub fn on_device(…)` for the companion; `None` where the function has no such form.
/// `modules` are those of its one loop, and `path` leads to its `static`.
pub fn on_device(
    analysis: &Analysis,
    modules: &[Module],
    path: &TokenStream,
) -> Option<TokenStream> {
    let function = &analysis.function;
    let signature = &function.sig;
    let [plan] = &analysis.loops[..] else {
        return None;
    };
    if !analysis.module
        || !signature.generics.params.is_empty()
        || !matches!(signature.output, ReturnType::Default)
        || matches!(signature.safety, syn::Safety::Unsafe(_))
    {
        return None;
    }
    if modules.is_empty() {
        return None;
    }
    let vis = &function.vis;
    let stream = stream();
    let params: Vec<Param<'_>> = signature.inputs.iter().map(param).collect::<Option<_>>()?;
    // Where a parameter hides the function, it cannot be called for host memory.
    if params.iter().any(|p| *p.name == signature.ident) {
        return None;
    }
    let memory: Vec<&Ident> = params
        .iter()
        .filter(|p| matches!(p.kind, Kind::Memory { .. }))
        .map(|p| p.name)
        .collect();
    // What the loop has as an array has elements that a kernel knows; nothing is known of others.
    let is_array = |name: &&Ident| plan.arrays.iter().any(|a| root(&a.expr) == Some(name));
    if !memory.iter().all(is_array) {
        return None;
    }
    let before = before(function, plan, &memory)?;
    let once = plan.once.iter();
    let fixed = once.clone().all(|o| o.number);
    let evaluated = once.map(|o| o.expr.to_token_stream());
    let captured = plan.captures.iter().map(|c| c.tokens.clone());
    if !fixed || !evaluated.chain(captured).all(|e| only_lengths(e, &memory)) {
        return None;
    }

    let inputs = params.iter().map(|p| {
        let name = p.name;
        match &p.kind {
            Kind::Value(ty) => quote!(#name: #ty),
            Kind::Memory {
                elem,
                mutable: false,
                ..
            } => {
                quote!(#name: impl ::core::convert::Into<::accrue::DeviceSlice<'a, #elem>>)
            }
            Kind::Memory {
                elem,
                mutable: true,
                ..
            } => {
                quote!(#name: impl ::core::convert::Into<::accrue::DeviceSliceMut<'a, #elem>>)
            }
        }
    });
    let views = params.iter().filter_map(|p| match &p.kind {
        Kind::Value(_) => None,
        Kind::Memory { len, .. } => {
            let name = p.name;
            let text = name.to_string();
            let len_of = len_of(&params, name);
            let check =
                len.map(|n| quote!(::accrue::__rt::check_length(#text, #n, #len_of(&#name))?;));
            Some(quote! {
                let #name = ::core::convert::Into::into(#name);
                #check
            })
        }
    });
    let host = on_host(&signature.ident, &params);
    let device = on_gpu(plan, &params, path)?;
    let items = crate::confirm::items(&analysis.loops, &analysis.definitions);
    let confirmed =
        crate::confirm::confirmed_for_kernels(plan, &analysis.definitions).map(|names| {
            quote! {
                if !(#names) {
                    return ::core::result::Result::Err((#path).unconfirmed());
                }
            }
        });
    let doc = format!(
        "Queues [`{0}`](fn@{0}) on data that is on a device already. Faults of the loop are reported by \
         `stream.sync()`; its bins are then as they were before it.\n\n# Errors\n\nA buffer of another device or length, \
         or the device's refusal.",
        signature.ident
    );
    Some(quote! {
        #[doc = #doc]
        #[allow(unused_variables, clippy::all)]
        #vis fn on_device<'a>(
            #stream: &::accrue::Stream,
            #(#inputs),*
        ) -> ::core::result::Result<(), ::accrue::Error> {
            #(#views)*
            #items
            if ::accrue::__rt::is_host(#stream) {
                #host
            }
            #(#before)*
            #confirmed
            #device
        }
    })
}

/// The function that says how long a view is.
fn len_of(params: &[Param<'_>], name: &Ident) -> TokenStream {
    let mutable = params
        .iter()
        .any(|p| p.name == name && matches!(p.kind, Kind::Memory { mutable: true, .. }));
    match mutable {
        true => quote!(::accrue::DeviceSliceMut::len),
        false => quote!(::accrue::DeviceSlice::len),
    }
}

/// The parameter before the user's, which may have one of the same name.
fn stream() -> Ident {
    Ident::new("stream", Span::mixed_site())
}

fn param(input: &FnArg) -> Option<Param<'_>> {
    let FnArg::Typed(param) = input else {
        return None;
    };
    let Pat::Ident(pat) = &*param.pat else {
        return None;
    };
    if pat.subpat.is_some() || pat.by_ref.is_some() {
        return None;
    }
    let kind = match &*param.ty {
        Type::Reference(r) => {
            let mutable = r.mutability.is_some();
            match &*r.elem {
                Type::Slice(t) => Kind::Memory {
                    elem: &t.elem,
                    len: None,
                    mutable,
                },
                Type::Array(t) => Kind::Memory {
                    elem: &t.elem,
                    len: Some(&t.len),
                    mutable,
                },
                _ => return None,
            }
        }
        ty @ Type::Path(_) => Kind::Value(ty),
        _ => return None,
    };
    Some(Param {
        name: &pat.ident,
        kind,
    })
}

/// The statements before the loop, if they are `let`s over values and lengths and nothing follows the loop.
fn before<'a>(function: &'a syn::ItemFn, plan: &LoopPlan, memory: &[&Ident]) -> Option<&'a [Stmt]> {
    let (last, before) = function.block.stmts.split_last()?;
    // The planned loop is the first `for` that `syn::visit` enters, and the last statement.
    let is_loop = matches!(last, Stmt::Expr(syn::Expr::ForLoop(_), _)) && plan.nth_for == 0;
    let plain = before.iter().all(|stmt| match stmt {
        // `on_device` returns something else than the function.
        Stmt::Local(local) => only_lengths(quote!(#local), memory) && !returns(quote!(#local)),
        _ => false,
    });
    (is_loop && plain).then_some(before)
}

/// Whether tokens say `return`.
fn returns(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "return",
        TokenTree::Group(group) => returns(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
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

/// The call where the buffers are host memory: the function itself.
fn on_host(function: &Ident, params: &[Param<'_>]) -> TokenStream {
    let stream = stream();
    let slices = params.iter().filter_map(|p| {
        let (name, text) = (p.name, p.name.to_string());
        let Kind::Memory { len, mutable, .. } = &p.kind else { return None };
        let slice = match mutable {
            true => quote!(::accrue::__rt::host_slice_mut(#stream, #name, #text)?),
            false => quote!(::accrue::__rt::host_slice(#stream, #name, #text)?),
        };
        Some(match len {
            Some(_) => quote! {
                let #name = ::core::convert::TryInto::try_into(#slice).expect("the length has been checked");
            },
            None => quote!(let #name = #slice;),
        })
    });
    let names = params.iter().map(|p| p.name);
    quote! {
        #(#slices)*
        return ::accrue::__rt::on_host(#stream, move || #function(#(#names),*));
    }
}

/// The launch. `None` where an argument of the kernel is not a parameter of the function.
fn on_gpu(plan: &LoopPlan, params: &[Param<'_>], path: &TokenStream) -> Option<TokenStream> {
    let name_of = |expr: &syn::Expr| {
        let name = root(expr)?;
        params
            .iter()
            .find(|p| p.name == name && matches!(p.kind, Kind::Memory { .. }))
            .map(|p| p.name)
    };
    let give_up = |name: &str| quote!(return ::core::result::Result::Err(::accrue::__rt::gpu::not_it(&#path, #name)));
    let mut checks = TokenStream::new();
    let mut lengths = Vec::new();
    let mut arrays = Vec::new();
    for (id, (array, syntax)) in plan.ir.arrays.iter().zip(&plan.arrays).enumerate() {
        let name = name_of(&syntax.expr)?;
        let len_of = len_of(params, name);
        let len = host::length_name(ir::ArrayId(id as u32));
        lengths.push(quote!(let #len: ::core::primitive::usize = #len_of(&#name);));
        arrays.push(match array.access {
            Access::Read => {
                let ty = host::rust_type(&array.elem);
                checks.extend(host::lies_there(
                    &array.elem,
                    name,
                    false,
                    &give_up(&array.name),
                ));
                quote!(::accrue::__rt::gpu::Array::device::<#ty>(#name))
            }
            Access::Owned => {
                let ty = host::rust_type(&array.elem);
                checks.extend(host::lies_there(
                    &array.elem,
                    name,
                    true,
                    &give_up(&array.name),
                ));
                quote!(::accrue::__rt::gpu::Array::written_device::<#ty>(#name))
            }
            Access::Updated | Access::LengthOnly => {
                quote!(::accrue::__rt::gpu::Array::length(#len))
            }
        });
    }
    let Pattern::Histogram(histogram) = &plan.pattern;
    let mut bins = Vec::new();
    for (target, syntax) in histogram.targets.iter().zip(&plan.targets) {
        let Memory::Bins(id) = target.memory else {
            return None;
        };
        let name = name_of(&syntax.expr)?;
        let ty = host::rust_type(&plan.ir.array(id).elem);
        bins.push(quote!(::accrue::__rt::gpu::Bins::device::<#ty>(#name)));
    }
    let questions = host::questions();
    let once = plan.once.iter().map(|o| {
        let (name, value) = (&o.name, &o.value);
        quote!(let #name = #value;)
    });
    let stream = stream();
    let captures = host::captures(plan, &give_up);
    let counts = host::counts(plan);
    let slots = host::slots(plan);
    let apart = super::apart(plan).ok()?.map(|apart| {
        quote! {
            if !(#apart) {
                return ::core::result::Result::Err((#path).meeting());
            }
        }
    });
    Some(quote! {
        #questions
        #(#lengths)*
        #checks
        #(#once)*
        #captures
        #apart
        let __accrue_counts = match #counts {
            ::core::option::Option::Some(__accrue_counts) => __accrue_counts,
            ::core::option::Option::None => return ::core::result::Result::Err(::accrue::__rt::gpu::no_count(&#path)),
        };
        ::accrue::__rt::gpu::queue(
            &#path,
            #stream,
            &__accrue_counts,
            &[#(#arrays),*],
            &mut [#(#bins),*],
            &#slots,
        )
    })
}

/// The variable that an array expression is, behind references, parentheses and `.iter()`-like views of all of it.
fn root(expr: &syn::Expr) -> Option<&Ident> {
    match expr {
        syn::Expr::Path(path) => path.path.get_ident(),
        syn::Expr::Paren(e) => root(&e.expr),
        syn::Expr::Group(e) => root(&e.expr),
        syn::Expr::Reference(e) => root(&e.expr),
        syn::Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => root(&e.expr),
        _ => None,
    }
}

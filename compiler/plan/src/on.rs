//! `on`, `on_stream` and `on_device` of the companion: the function for data wherever they are.
//!
//! Each array parameter becomes a `Shared` or an `Exclusive`, which is made of a slice, a resident array or a view of a buffer. What stands
//! between is written once, in a function that all three call: where the function has a form for devices (`emit_gpu::on_device`) that
//! needs nothing of the arrays on the host, that is tried first; else, and where it comes to nothing, the arrays are brought to the
//! host and the function itself is called with them.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, GenericParam, Generics, Pat, ReturnType, Safety, Type};

use crate::over;
use crate::plan::Analysis;
use crate::syntax::definitions::{Definitions, same_path};
use crate::syntax::names::primitive_of;

/// A parameter of the function.
pub struct Param<'a> {
    /// What it is called in the functions here.
    pub name: Ident,
    /// Whether that is what the user calls it.
    pub(crate) as_written: bool,
    /// What is passed for it.
    pub kind: Kind<'a>,
}

/// What is passed for a parameter.
pub enum Kind<'a> {
    /// What the function takes.
    Value(&'a Type),
    /// Elements, in a fixed number if it is an array.
    Memory {
        /// Their type.
        elem: &'a Type,
        /// How many, of an array.
        len: Option<&'a syn::Expr>,
        /// How long they are lent.
        lifetime: syn::Lifetime,
        /// Whether they may be changed.
        mutable: bool,
    },
}

/// The function's form for devices.
pub struct OnDevice {
    /// Statements of a closure that returns the function's result, or goes on where the host has to run it.
    pub tokens: TokenStream,
}

/// Those of the functions that there are. `form` gives the form for devices, if there is one.
pub fn functions(
    analysis: &Analysis,
    name: &Ident,
    form: impl FnOnce(&[Param<'_>]) -> Option<OnDevice>,
    stays: impl Fn(&Ident) -> bool,
) -> Option<TokenStream> {
    let function = &analysis.function;
    let signature = &function.sig;
    if !signature.generics.params.is_empty() || matches!(signature.safety, Safety::Unsafe(_)) {
        return None;
    }
    if !result_owns_all(signature) {
        return None;
    }
    let output = output(signature);
    let params: Vec<Param<'_>> = params(analysis, name)?;
    let generics = lifetimes_of(&params);
    // A form for devices is made of the user's own tokens.
    let as_written = params.iter().all(|p| p.as_written);
    let form = as_written.then(|| form(&params)).flatten();
    let on_device = form.is_some() && matches!(signature.output, ReturnType::Default);
    let on_device = on_device.then(|| on_device_too(analysis, name, &params));
    let form = form.map(|form| form.tokens);
    let over = over::function(analysis, name, &params);

    let vis = &function.vis;
    let stream = Ident::new("stream", Span::mixed_site());
    let inputs: Vec<TokenStream> = params.iter().map(input).collect();
    let passed = params.iter().map(|p| {
        let name = &p.name;
        match p.kind {
            Kind::Value(_) => quote!(#name),
            Kind::Memory { .. } => quote!(::core::convert::Into::into(#name)),
        }
    });
    let passed: Vec<TokenStream> = passed.collect();
    let taken = params.iter().map(|p| {
        let (name, ty) = (&p.name, argument_type(p));
        quote!(#name: #ty)
    });
    let checks = params.iter().filter_map(check_of);
    // The loop may reduce into a number that the function has by value.
    let rebound = params.iter().filter_map(|p| {
        let name = &p.name;
        let changes = matches!(p.kind, Kind::Memory { mutable: true, .. } | Kind::Value(_));
        changes.then(|| quote!(let mut #name = #name;))
    });
    let on_host = params
        .iter()
        .enumerate()
        .map(|(n, p)| on_host(n, p, &signature.ident, stays(&p.name)));
    let names = params.iter().map(|p| &p.name);
    let doc = format!(
        "Calls [`{name}`](fn@{name}) on data wherever they are, on the device of the thread: each array is a slice, a `Vec`, an \
         [`accrue::Resident`] or a view of an [`accrue::DeviceBuffer`], in any mixture, and only what is not where it is needed is \
         moved.\n\n# Errors\n\nThose of the device, and the loop's own panics. Bins are then as before; elements that iterations \
         write each hold their old or their new value. What no kernel can run is no error but for data in buffers of a device: the CPU runs it."
    );
    let stream_doc = format!(
        "As [`{name}::on`], on the device of a stream. Without slices of the host's among the arguments the call is queued, where a \
         kernel alone does what the function does, and faults of the loop are reported by `stream.sync()`; else it is waited \
         for.\n\n# Errors\n\nAs of [`{name}::on`]."
    );
    Some(quote! {
        #[doc = #doc]
        #[allow(single_use_lifetimes, clippy::all)]
        #vis fn on #generics(#(#inputs),*) -> ::core::result::Result<#output, ::accrue::Error> {
            Self::__accrue_on(::core::option::Option::None, #(#passed),*)
        }

        #[doc = #stream_doc]
        #[allow(single_use_lifetimes, clippy::all)]
        #vis fn on_stream #generics(#stream: &::accrue::Stream, #(#inputs),*) -> ::core::result::Result<#output, ::accrue::Error> {
            Self::__accrue_on(::core::option::Option::Some(#stream), #(#passed),*)
        }

        #on_device

        #over

        #[allow(unused_variables, unused_mut, single_use_lifetimes, clippy::all)]
        fn __accrue_on #generics(
            __accrue_stream: ::core::option::Option<&::accrue::Stream>,
            #(#taken),*
        ) -> ::core::result::Result<#output, ::accrue::Error> {
            #(#checks)*
            ::accrue::__rt::on(__accrue_stream, move || {
                #(#rebound)*
                #form
                #(#on_host)*
                #name(#(#names),*)
            })
        }
    })
}

/// `on_device`, for those who have buffers alone.
fn on_device_too(analysis: &Analysis, name: &Ident, params: &[Param<'_>]) -> TokenStream {
    let vis = &analysis.function.vis;
    let stream = Ident::new("stream", Span::mixed_site());
    let inputs = params.iter().map(|p| {
        let name = &p.name;
        match &p.kind {
            Kind::Value(ty) => quote!(#name: #ty),
            Kind::Memory {
                elem,
                mutable: false,
                ..
            } => quote!(#name: impl ::core::convert::Into<::accrue::DeviceSlice<'a, #elem>>),
            Kind::Memory {
                elem,
                mutable: true,
                ..
            } => quote!(#name: impl ::core::convert::Into<::accrue::DeviceSliceMut<'a, #elem>>),
        }
    });
    let passed = params.iter().map(|p| {
        let name = &p.name;
        match &p.kind {
            Kind::Value(_) => quote!(#name),
            Kind::Memory {
                elem,
                mutable: false,
                ..
            } => quote!(::accrue::Shared::from(
                ::core::convert::Into::<::accrue::DeviceSlice<'a, #elem>>::into(#name)
            )),
            Kind::Memory {
                elem,
                mutable: true,
                ..
            } => quote!(::accrue::Exclusive::from(
                ::core::convert::Into::<::accrue::DeviceSliceMut<'a, #elem>>::into(#name)
            )),
        }
    });
    let doc = format!(
        "Queues [`{name}`](fn@{name}) on data that is on a device already: [`{name}::on_stream`] for buffers alone. Faults of \
         the loop are reported by `stream.sync()`; its bins are then as they were before it.\n\n# Errors\n\nA buffer of \
         another device or length, or the device's refusal."
    );
    quote! {
        #[doc = #doc]
        #[allow(single_use_lifetimes, clippy::all)]
        #vis fn on_device<'a>(
            #stream: &::accrue::Stream,
            #(#inputs),*
        ) -> ::core::result::Result<(), ::accrue::Error> {
            Self::__accrue_on(::core::option::Option::Some(#stream), #(#passed),*)
        }
    }
}

/// The parameters of a function; `None` where one has no form on devices.
pub fn params<'a>(analysis: &'a Analysis, function: &Ident) -> Option<Vec<Param<'a>>> {
    let inputs = analysis.function.sig.inputs.iter().enumerate();
    inputs
        .map(|(n, input)| {
            let FnArg::Typed(param) = input else {
                return None;
            };
            let name = argument(&param.pat, n, function);
            let as_written = matches!(
                &*param.pat,
                Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() && p.ident == name
            );
            Some(Param {
                name,
                as_written,
                kind: kind(n, &param.ty, &analysis.definitions),
            })
        })
        .collect()
}

fn kind<'a>(n: usize, ty: &'a Type, definitions: &Definitions) -> Kind<'a> {
    let Type::Reference(r) = ty else {
        return Kind::Value(ty);
    };
    let (elem, len) = match &*r.elem {
        Type::Slice(t) => (&*t.elem, None),
        Type::Array(t) => (&*t.elem, Some(&t.len)),
        _ => return Kind::Value(ty),
    };
    if !names_no_lifetime(elem, definitions) {
        return Kind::Value(ty);
    }
    let named = r.lifetime.clone().filter(|l| l.ident != "_");
    let own = || syn::Lifetime::new(&format!("'__accrue_{n}"), Span::call_site());
    Kind::Memory {
        elem,
        len,
        lifetime: named.unwrap_or_else(own),
        mutable: r.mutability.is_some(),
    }
}

/// Whether a type has no lifetime that would have to be named where it is an argument of a trait: numbers, and structs that are known.
/// A struct of which only the name is known may have one that nobody wrote.
fn names_no_lifetime(ty: &Type, definitions: &Definitions) -> bool {
    match ty {
        Type::Array(t) => names_no_lifetime(&t.elem, definitions),
        Type::Tuple(t) => t.elems.iter().all(|t| names_no_lifetime(t, definitions)),
        Type::Paren(t) => names_no_lifetime(&t.elem, definitions),
        Type::Group(t) => names_no_lifetime(&t.elem, definitions),
        Type::Path(path) if path.qself.is_none() => {
            let structs = definitions.structs.iter().map(|s| &s.path);
            primitive_of(&path.path).is_some() || same_path(structs, &path.path).is_some()
        }
        _ => false,
    }
}

/// The lifetimes of the arrays, as generics.
pub fn lifetimes_of(params: &[Param<'_>]) -> TokenStream {
    let lifetimes = params.iter().filter_map(|p| match &p.kind {
        Kind::Memory { lifetime, .. } if lifetime.ident != "static" => Some(lifetime),
        Kind::Memory { .. } | Kind::Value(_) => None,
    });
    quote!(<#(#lifetimes),*>)
}

/// The type of an argument on its way.
pub fn argument_type(param: &Param<'_>) -> TokenStream {
    match &param.kind {
        Kind::Value(ty) => quote!(#ty),
        Kind::Memory {
            elem,
            lifetime,
            mutable,
            ..
        } => match mutable {
            true => quote!(::accrue::Exclusive<#lifetime, #elem>),
            false => quote!(::accrue::Shared<#lifetime, #elem>),
        },
    }
}

/// A parameter as the function for devices declares it.
pub fn input(param: &Param<'_>) -> TokenStream {
    let (name, ty) = (&param.name, argument_type(param));
    match param.kind {
        Kind::Value(_) => quote!(#name: #ty),
        Kind::Memory { .. } => quote!(#name: impl ::core::convert::Into<#ty>),
    }
}

/// A statement that checks an argument's length, where that is in its type.
pub fn check_of(param: &Param<'_>) -> Option<TokenStream> {
    let Kind::Memory { len: Some(n), .. } = &param.kind else {
        return None;
    };
    let (name, text, len_of) = (&param.name, param.name.to_string(), len_of(param));
    Some(quote!(::accrue::__rt::check_length(#text, #n, #len_of(&#name))?;))
}

/// The function that says how long an argument is.
pub fn len_of(param: &Param<'_>) -> TokenStream {
    match param.kind {
        Kind::Memory { mutable: true, .. } => quote!(::accrue::Exclusive::len),
        Kind::Memory { mutable: false, .. } | Kind::Value(_) => quote!(::accrue::Shared::len),
    }
}

/// Binds an argument's name to what the function takes. `stays`: its loops find it where it is.
pub fn on_host(n: usize, param: &Param<'_>, function: &Ident, stays: bool) -> Option<TokenStream> {
    let Kind::Memory {
        elem, len, mutable, ..
    } = &param.kind
    else {
        return None;
    };
    let (name, text, function) = (&param.name, param.name.to_string(), function.to_string());
    let held = format_ident!("__accrue_held_{n}");
    let slice = match mutable {
        true if stays => {
            quote!(let (#name, #held) = ::accrue::__rt::staying(#name, #text, #function);)
        }
        true => quote!(let #name = ::accrue::__rt::exclusive(#name, #text, #function);),
        false => quote!(let (#name, #held) = ::accrue::__rt::shared(#name, #text, #function);),
    };
    let exclusive = mutable.then(|| quote!(mut));
    let array = len.map(|len| {
        quote! {
            let #name: & #exclusive [#elem; #len] = ::core::convert::TryInto::try_into(#name).expect("the length has been checked");
        }
    });
    Some(quote!(#slice #array))
}

/// The name of an argument: the user's, unless that is a pattern or would hide the function.
pub fn argument(pat: &Pat, n: usize, function: &Ident) -> Ident {
    match pat {
        Pat::Ident(p) if p.subpat.is_none() && p.ident != *function => p.ident.clone(),
        _ => format_ident!("argument_{n}"),
    }
}

/// What a call in the scope of these generics passes on: types and constants, which the arguments need not tell.
/// Lifetimes they do.
pub fn generic_arguments(generics: &Generics) -> Option<TokenStream> {
    let names: Vec<&Ident> = generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    (!names.is_empty()).then(|| quote!(#(#names),*))
}

/// Whether a function's result borrows nothing of its arguments.
pub fn result_owns_all(signature: &syn::Signature) -> bool {
    match &signature.output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => owns_all(ty, lifetimes(signature) == 1),
    }
}

/// The type of a function's result, as one that other types can have inside.
pub fn output(signature: &syn::Signature) -> TokenStream {
    match &signature.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => {
            quote!(::core::convert::Infallible)
        }
        ReturnType::Type(_, ty) => quote!(#ty),
    }
}

/// How many lifetimes the parameters have in sight: with one alone, a result may borrow from it without saying so.
fn lifetimes(signature: &syn::Signature) -> usize {
    fn count(tokens: TokenStream) -> usize {
        let each = tokens.into_iter().map(|token| match token {
            TokenTree::Group(group) => count(group.stream()),
            TokenTree::Punct(p) => usize::from(matches!(p.as_char(), '&' | '\'')),
            TokenTree::Ident(_) | TokenTree::Literal(_) => 0,
        });
        each.sum()
    }
    // A type by its name may have one out of sight.
    let inputs = signature.inputs.iter().map(|input| match input {
        FnArg::Typed(param) => match &*param.ty {
            Type::Reference(r) if r.lifetime.is_some() => count(param.ty.to_token_stream()) - 1,
            ty => count(ty.to_token_stream()),
        },
        FnArg::Receiver(_) => 1,
    });
    inputs.sum()
}

/// Whether a result borrows nothing. `may_hide`: a type by its name may, without saying so.
pub fn owns_all(ty: &Type, may_hide: bool) -> bool {
    match ty {
        Type::Tuple(t) => t.elems.iter().all(|t| owns_all(t, may_hide)),
        Type::Array(t) => owns_all(&t.elem, may_hide),
        Type::Paren(t) => owns_all(&t.elem, may_hide),
        Type::Group(t) => owns_all(&t.elem, may_hide),
        Type::Path(path) if path.qself.is_none() => {
            let known = |name: &Ident| {
                ["Option", "Result", "Vec", "Box", "String"]
                    .iter()
                    .any(|n| name == n)
            };
            let last = path.path.segments.last();
            let is_known =
                primitive_of(&path.path).is_some() || last.is_some_and(|s| known(&s.ident));
            let arguments = path.path.segments.iter().all(|s| match &s.arguments {
                syn::PathArguments::None => true,
                syn::PathArguments::AngleBracketed(a) => a.args.iter().all(|a| match a {
                    syn::GenericArgument::Type(t) => owns_all(t, may_hide),
                    syn::GenericArgument::Const(_) => true,
                    _ => false,
                }),
                syn::PathArguments::Parenthesized(_) => false,
            });
            (is_known || !may_hide) && arguments
        }
        _ => false,
    }
}

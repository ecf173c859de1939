//! What stands beside the definition of a device function or struct, because only its scope knows it.
//!
//! A device function has a type of its own name, brought into scope by what brings the function, that knows which
//! function it is, the values of the constants that the function mentions, and what it means by the names of other device functions and of structs. The
//! type comes in through a glob import, so that a module or type of the user's that has the same name stays what the
//! name means. A struct has the trait `Structure`.
//!
//! The loops that are given the definition compare: `confirm`.

use crate::syntax::visit::{self, Visit};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Expr, ItemFn, ItemStruct, Path, Type};

use crate::ir::Scalar;
use crate::mentions;
use crate::syntax::definitions::same_path;
use crate::syntax::names::{self, primitive_of};
use crate::syntax::without_parens;

/// The name of the constant with a function's fingerprint. Where rustc does not find it, its message has the code.
pub fn fingerprint_name() -> Ident {
    format_ident!("H047_OF_A_DEVICE_FUNCTION")
}

/// A number for a definition: its text and its place.
pub fn fingerprint(tokens: &TokenStream, name: &Ident) -> u64 {
    let start = name.span().start();
    let text = format!("{tokens} {} {}", start.line, start.column);
    // FNV-1a. 0 means none.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash.max(1)
}

/// The calls of a function's body by path that name one of its `uses(..)`, with its number there, each once.
pub fn calls(function: &ItemFn, uses: &[Path]) -> Vec<(usize, Path)> {
    struct Calls<'u>(&'u [Path], Vec<(usize, Path)>);
    impl<'a> Visit<'a> for Calls<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprCall(call) => {
                    if let Expr::Path(path) = without_parens(&call.func)
                        && let Some(n) = same_path(self.0.iter(), &path.path)
                        && !self
                            .1
                            .iter()
                            .any(|(_, known)| text(known) == text(&path.path))
                    {
                        self.1.push((n, path.path.clone()));
                    }
                    crate::syntax::visit::visit_expr_call(self, call);
                }
                visit::Node::Macro(mac) => {
                    let parts = mac.parse_body_with(
                        syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated,
                    );
                    for part in parts.into_iter().flatten() {
                        let mut inner = Calls(self.0, Vec::new());
                        inner.visit_expr(&part);
                        for (n, path) in inner.1 {
                            if !self.1.iter().any(|(_, known)| text(known) == text(&path)) {
                                self.1.push((n, path));
                            }
                        }
                    }
                }
                visit::Node::Item(_) => {}
                _ => node.parts(self),
            }
        }
    }
    /// Every name that a pattern binds: a call of it is another's.
    struct Bound(Vec<String>);
    impl<'a> Visit<'a> for Bound {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::PatIdent(pat) => {
                    self.0.push(pat.ident.to_string());
                    crate::syntax::visit::visit_pat_ident(self, pat);
                }
                visit::Node::Item(item) => {
                    if !matches!(item, syn::Item::Use(_)) {
                        self.0.extend(names::declared(item));
                    }
                }
                _ => node.parts(self),
            }
        }
    }
    let mut calls = Calls(uses, Vec::new());
    calls.visit_block(&function.block);
    let mut bound = Bound(Vec::new());
    bound.visit_item_fn(function);
    let mut calls = calls.1;
    calls.retain(|(_, path)| bound.0.iter().all(|name| path.segments[0].ident != name));
    calls
}

fn text(path: &Path) -> String {
    path.to_token_stream().to_string()
}

/// What stands beside a device function.
pub fn of_function(function: &ItemFn, uses: &[Path], fingerprint: u64) -> TokenStream {
    let (name, vis) = (&function.sig.ident, &function.vis);
    let module = format_ident!("__accrue_type_{}", name.unraw());
    let constant = fingerprint_name();
    let types = mentions::types(function, uses);
    let calls = calls(function, uses);
    let (used, called): (Vec<&Path>, Vec<&Path>) =
        calls.iter().map(|(n, path)| (&uses[*n], path)).unzip();
    // Those that are not called are structs, or name what nobody asks for.
    let ways = uses.iter().enumerate().map(|(n, path)| {
        quote!([#n, way @ ..] => <#path as ::accrue::__rt::names::Told>::ask(way, question))
    });
    let imports = mentions::imports(function);
    let imports = quote!(#(#imports)*);
    let constants = mentions::constants(function);
    let constants = constants
        .iter()
        .enumerate()
        .map(|(n, e)| quote!(#n => { #imports ::accrue::__rt::names::value(&(#e)) }));
    let inputs = function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(param) => Some(&param.ty),
        syn::FnArg::Receiver(_) => None,
    });
    let output = &function.sig.output;
    let allow = quote! {
        #[doc(hidden)]
        #[allow(unused, nonstandard_style, missing_docs, unreachable_pub, private_bounds, private_interfaces, deprecated, clippy::all, clippy::pedantic)]
    };
    let checks = mentions::beside(function);
    quote! {
        #allow
        mod #module { pub enum #name {} }
        #allow
        #vis use #module::*;
        #allow
        impl #module::#name {
            pub const #constant: ::core::primitive::u64 = #fingerprint;
        }
        #allow
        impl ::accrue::__rt::names::Told for #module::#name {
            const FINGERPRINT: ::core::primitive::u64 = #fingerprint;
            const TYPES: &'static [::core::primitive::u64] = {
                #imports
                use ::accrue::__rt::names::NoStructure as _;
                &[#(::accrue::__rt::names::Probe::<#types>::FINGERPRINT),*]
            };
            const CALLS: &'static [::core::primitive::u64] = &[#(<#used>::#constant),*];
            fn confirmed() -> ::core::primitive::bool {
                true #(&& <#used as ::accrue::__rt::names::DeviceFunction<_>>::is(&{ #imports #called }))*
            }
            #[inline(always)]
            fn constant<__AccrueValue: ::core::marker::Copy + 'static>(
                number: ::core::primitive::usize,
            ) -> ::core::option::Option<__AccrueValue> {
                match number {
                    #(#constants,)*
                    _ => ::core::option::Option::None,
                }
            }
            #[inline(always)]
            fn is<__AccrueFunction: 'static>(function: &__AccrueFunction) -> ::core::primitive::bool {
                ::accrue::__rt::names::same(function, &#name)
            }
            #[inline(always)]
            fn ask<__AccrueQuestion: ::accrue::__rt::names::Question>(
                way: &[::core::primitive::usize],
                question: __AccrueQuestion,
            ) -> __AccrueQuestion::Answer {
                match way {
                    [] => question.of::<Self>(),
                    #(#ways,)*
                    _ => question.of_none(),
                }
            }
        }
        #allow
        const _: () = {
            // Behind a `>` the name of the crate would look like part of a path.
            use ::accrue::__rt::names::DeviceFunction as __AccrueDeviceFunction;
            impl<__AccrueFunction: ::core::ops::Fn(#(#inputs),*) #output + 'static>
                __AccrueDeviceFunction<__AccrueFunction> for #module::#name
            {
                fn is(function: &__AccrueFunction) -> ::core::primitive::bool {
                    ::accrue::__rt::names::same(function, &#name)
                }
            }
        };
        #checks
    }
}

/// What stands beside a device struct.
pub fn of_struct(item: &ItemStruct, fingerprint: u64) -> TokenStream {
    let name = &item.ident;
    let fields = item.fields.iter().map(|field| match struct_in(&field.ty) {
        Some(path) => quote!(::accrue::__rt::names::Probe::<#path>::FINGERPRINT),
        None => quote!(0),
    });
    let lengths = lengths(item);
    let checks = mentions::in_fields(&item.fields);
    quote! {
        #[doc(hidden)]
        impl ::accrue::__rt::names::Structure for #name {
            const FINGERPRINT: ::core::primitive::u64 = #fingerprint;
            const FIELDS: &'static [::core::primitive::u64] = {
                #[allow(unused_imports)]
                use ::accrue::__rt::names::NoStructure as _;
                &[#(#fields),*]
            };
            const LENGTHS: &'static [::core::primitive::usize] = &[#(#lengths),*];
        }
        #[doc(hidden)]
        impl ::accrue::__rt::names::Told for #name {
            const FINGERPRINT: ::core::primitive::u64 = #fingerprint;
            const FIELDS: &'static [::core::primitive::u64] =
                <Self as ::accrue::__rt::names::Structure>::FIELDS;
            const LENGTHS: &'static [::core::primitive::usize] =
                <Self as ::accrue::__rt::names::Structure>::LENGTHS;
        }
        #checks
    }
}

/// The path of a field's type that may be a struct, out of the arrays around it.
pub(crate) fn struct_in(ty: &Type) -> Option<&Path> {
    match ty {
        Type::Array(t) => struct_in(&t.elem),
        Type::Paren(t) => struct_in(&t.elem),
        Type::Group(t) => struct_in(&t.elem),
        Type::Path(path) if path.qself.is_none() && primitive_of(&path.path).is_none() => {
            Some(&path.path)
        }
        _ => None,
    }
}

/// The lengths of arrays in a struct's fields that are no literals, in the order of the text.
pub(crate) fn lengths(item: &ItemStruct) -> Vec<&Expr> {
    struct Lengths<'a>(Vec<&'a Expr>);
    impl<'a> Visit<'a> for Lengths<'a> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::TypeArray(ty) => {
                    self.visit_type(&ty.elem);
                    if !matches!(ty.len, Expr::Lit(_)) {
                        self.0.push(&ty.len);
                    }
                }
                visit::Node::Expr(_) => {}
                _ => node.parts(self),
            }
        }
    }
    let mut lengths = Lengths(Vec::new());
    lengths.visit_fields(&item.fields);
    lengths.0
}

/// Whether a function's name is that of a primitive type, which the type beside it would hide.
pub fn hides_primitive(name: &Ident) -> bool {
    let name = name.unraw().to_string();
    Scalar::from_name(&name).is_some()
        || matches!(
            name.as_str(),
            "char" | "str" | "i128" | "u128" | "f16" | "f128"
        )
}
